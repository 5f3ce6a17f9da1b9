#include "symbol/demangle/demangle.h"

#include "demangle_d_p.h"

#include <setjmp.h>
#include <string.h>
#ifdef HAVE_LIBIBERTY
#ifdef HAVE_LIBIBERTY_DEMANGLE_H
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif
#endif

/* Longer names are shown unchanged. */
#define MAX_NAME ((size_t)64 << 10)

/*
 * libiberty accepts C++ names of up to 1024 bytes, unless its limit is disabled. It may recurse
 * once for each byte, so a name of this length takes about two megabytes of stack.
 */
#define PLAIN_CXX ((size_t)1 << 10)
#define MAX_CXX ((size_t)4 << 10)

#ifdef HAVE_LIBIBERTY
struct sink {
	struct cr_text *out;
	jmp_buf full;
};

/*
 * A kilobyte of nested back references can expand beyond all memory, and libiberty cannot be
 * stopped, except by longjmp() from here. Its state is on the stack; at worst the buffer of one
 * Rust identifier in punycode leaks.
 */
static void
sink_put(const char *p, size_t len, void *user)
{
	struct sink *s = user;

	if (s->out->len + len > MAX_NAME)
		longjmp(s->full, 1);
	cr_text_put(s->out, p, len);
}

typedef int demangler(const char *mangled, int options, demangle_callbackref callback, void *user);

static bool
run(demangler *demangle, const char *name, int options, struct cr_text *out)
{
	struct sink s = {.out = out};

	cr_text_clear(out);
	if (setjmp(s.full) == 0 && demangle(name, options, sink_put, &s) && out->len)
		return true;
	cr_text_clear(out);
	return false;
}

static bool
demangle_cxx(const char *name, struct cr_text *out)
{
	const size_t len = strnlen(name, MAX_CXX + 1);
	const int unlimited = len > PLAIN_CXX ? DMGL_NO_RECURSE_LIMIT : 0;

	if (len > MAX_CXX)
		return false;
	if (run(cplus_demangle_v3_callback, name, DMGL_PARAMS | DMGL_ANSI | unlimited, out))
		return true;
	/*
	 * Compilers disagree about the numbering of repetitions in the parameters of a function
	 * nested in another one: "f<g(int)::h>". Such a name is shown without parameters, as perf
	 * 6.1 shows all functions. For other names everything after it would be read as parameters.
	 */
	if (!strchr(name, '@') && run(cplus_demangle_v3_callback, name, unlimited, out) &&
		strchr(out->p, '('))
		return true;
	cr_text_clear(out);
	return false;
}

static bool
demangle_compiled(const char *name, struct cr_text *out)
{
	if (strncmp(name, "_R", 2) == 0)
		return run(rust_demangle_callback, name, DMGL_PARAMS | DMGL_ANSI, out);
	if (strncmp(name, "__Z", 3) == 0)
		name++;
	if (strncmp(name, "_Z", 2) != 0)
		return false;
	/* Legacy Rust is mangled like C++, with a last part of "h" and 16 hex digits: a hash. */
	if (strstr(name, "17h") && run(rust_demangle_callback, name, DMGL_PARAMS | DMGL_ANSI, out))
		return true;
	return demangle_cxx(name, out);
}
#else
static bool
demangle_compiled(const char *name, struct cr_text *out)
{
	(void)name;
	cr_text_clear(out);
	return false;
}
#endif

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/*
 * camlFoo__bar_$2b$2b_7 becomes Foo.bar_++_7: two underscores are a dot, $ and two hex digits a
 * byte.
 */
static bool
demangle_ocaml(const char *name, struct cr_text *out)
{
	if (strncmp(name, "caml", 4) != 0 || name[4] < 'A' || name[4] > 'Z')
		return false;
	cr_text_clear(out);
	for (const char *p = name + 4; *p; p++) {
		const int hi = p[0] == '$' ? hex_digit(p[1]) : -1;
		const int lo = hi >= 0 ? hex_digit(p[2]) : -1;

		if (lo >= 0 && hi + lo > 0) {
			cr_text_char(out, (char)(hi << 4 | lo));
			p += 2;
		} else if (p[0] == '_' && p[1] == '_') {
			cr_text_char(out, '.');
			p++;
		} else {
			cr_text_char(out, *p);
		}
	}
	return true;
}

static const char *
java_type(char c)
{
	static const char *const types['Z' - 'A' + 1] = {['B' - 'A'] = "byte",
		['C' - 'A'] = "char",
		['D' - 'A'] = "double",
		['F' - 'A'] = "float",
		['I' - 'A'] = "int",
		['J' - 'A'] = "long",
		['S' - 'A'] = "short",
		['V' - 'A'] = "void",
		['Z' - 'A'] = "boolean"};

	return c >= 'A' && c <= 'Z' ? types[c - 'A'] : NULL;
}

/* "Lcom/foo/Bar;" becomes com.foo.Bar. Returns what follows, or NULL. */
static const char *
put_java_class(const char *p, struct cr_text *out)
{
	const size_t len = strcspn(p, ";()[");

	if (*p != 'L' || p[len] != ';' || len < 2)
		return NULL;
	for (size_t i = 1; i < len; i++)
		cr_text_char(out, p[i] == '/' ? '.' : p[i]);
	return p + len + 1;
}

/* The parameters of "(I[Ljava/lang/String;)V", without the return type. */
static const char *
put_java_parameters(const char *p, struct cr_text *out)
{
	cr_text_char(out, *p++);
	for (bool any = false; p && *p != ')'; any = true) {
		const size_t dimensions = strspn(p, "[");
		const char *type = java_type(p[dimensions]);

		if (any)
			cr_text_puts(out, ", ");
		if (type)
			cr_text_puts(out, type);
		p = type ? p + dimensions + 1 : put_java_class(p + dimensions, out);
		for (size_t i = 0; i < dimensions; i++)
			cr_text_puts(out, "[]");
	}
	cr_text_char(out, ')');
	return p;
}

/*
 * Descriptors written by agents of the Java VM: "Lcom/foo/Bar;baz(I)V", in perf maps also
 * "Lcom/foo/Bar;::baz". See the Java Virtual Machine Specification, 4.3.
 */
static bool
demangle_java(const char *name, struct cr_text *out)
{
	const char *p;
	size_t len;

	cr_text_clear(out);
	p = put_java_class(name, out);
	if (p && strncmp(p, "::", 2) == 0)
		p += 2;
	len = p ? strcspn(p, "();[/") : 0;
	if (len) {
		cr_text_char(out, '.');
		cr_text_put(out, p, len);
		p += len;
		if (*p == '(')
			p = put_java_parameters(p, out);
		else if (*p)
			p = NULL;
	}
	if (p && len)
		return true;
	cr_text_clear(out);
	return false;
}

/*
 * Go escapes some bytes of a package path as % and two digits, such as the dot in its last part:
 * "gopkg.in/yaml%2ev2.Unmarshal". Its assembler uses other characters for dot and slash, which
 * reach the symbols of programs with shared Go libraries.
 */
static bool
demangle_go(const char *name, struct cr_text *out)
{
	bool any = false;

	cr_text_clear(out);
	for (const char *p = name; *p; p++) {
		const int hi = *p == '%' ? hex_digit(p[1]) : -1;
		const int lo = hi >= 0 ? hex_digit(p[2]) : -1;
		const int byte = lo >= 0 ? hi << 4 | lo : 0;

		if (byte && (byte <= ' ' || byte >= 0x7f || strchr("\"%.", byte))) {
			cr_text_char(out, (char)byte);
			p += 2;
			any = true;
		} else if (strncmp(p, "\u00b7", 2) == 0 || strncmp(p, "\u2215", 3) == 0) {
			cr_text_char(out, *p == '\xc2' ? '.' : '/');
			p += *p == '\xc2' ? 1 : 2;
			any = true;
		} else {
			cr_text_char(out, *p);
		}
	}
	if (!any)
		cr_text_clear(out);
	return any;
}

bool
cr_demangle_as_perf(const char *name, struct cr_text *out)
{
	cr_text_clear(out);
	if (!strchr("_cL", name[0]) || strnlen(name, MAX_NAME + 1) > MAX_NAME)
		return false;
	switch (name[0]) {
	case '_': return demangle_compiled(name, out);
	case 'c': return demangle_ocaml(name, out);
	case 'L': return demangle_java(name, out);
	}
	return false;
}

bool
cr_demangle(const char *name, struct cr_text *out)
{
	if (cr_demangle_as_perf(name, out))
		return true;
	if (name[0] == '_' && name[1] == 'D')
		return cr_demangle_d(name, out);
	return strpbrk(name, "%\xc2\xe2") && strnlen(name, MAX_NAME + 1) <= MAX_NAME &&
	       demangle_go(name, out);
}
