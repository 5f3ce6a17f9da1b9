#include "demangle_d_p.h"

#include "base/mem.h"
#include "dname_p.h"

#include <string.h>

/*
 * Follows the ABI of the D language, "Name Mangling", as of 2.100. Compilers before 2.077 are
 * supported too: they had no back references, and wrote the length before a template instance. The
 * output looks like libiberty's.
 */

static void read_type(struct cr_dname *r);
static void read_qualified(struct cr_dname *r, bool modifiers);

/* ---- names */

/* References to identifiers point at a digit, those to types never do. */
static bool
at_name_reference(const struct cr_dname *r)
{
	struct cr_dname ahead = *r;
	size_t target;

	return cr_dname_peek(r, 0) == 'Q' && cr_dname_reference(&ahead, &target) &&
	       cr_dname_digit(r->name[target]);
}

/* Read the type that is referred to as if it were here. */
static void
read_referred(struct cr_dname *r, void (*read)(struct cr_dname *r))
{
	const size_t start = r->at, behind = r->behind;
	size_t target, resume;

	if (start >= behind)
		r->bad = true;
	if (!cr_dname_reference(r, &target))
		return;
	resume = r->at;
	r->at = target;
	r->behind = start;
	read(r);
	r->at = resume;
	r->behind = behind;
}

static bool
at_template(const struct cr_dname *r)
{
	return cr_dname_peek(r, 0) == '_' && cr_dname_peek(r, 1) == '_' &&
	       (cr_dname_peek(r, 2) == 'T' || cr_dname_peek(r, 2) == 'U');
}

static bool
at_name(const struct cr_dname *r)
{
	return cr_dname_digit(cr_dname_peek(r, 0)) || at_template(r) || at_name_reference(r);
}

/* A symbol made by the compiler for `declared`: "a.b.__init" becomes "initializer for a.b". */
static bool
put_made(struct cr_dname *r, size_t declared, const char *what)
{
	const size_t at = r->out->len;

	if (cr_dname_peek(r, 0) != 'Z' || at == declared)
		return false;
	cr_dname_cut(r, at - 1); /* the dot */
	cr_dname_puts(r, what);
	cr_dname_move_to_end(r, declared, at - 1);
	return true;
}

static void
put_identifier(struct cr_dname *r, const char *p, size_t len, size_t declared)
{
	static const struct {
		const char *name, *shown;
		bool made;
	} special[] = {
		{"__ctor", "this", false},
		{"__dtor", "~this", false},
		{"__postblit", "this(this)", false},
		{"__init", "initializer for ", true},
		{"__vtbl", "vtable for ", true},
		{"__Class", "ClassInfo for ", true},
		{"__Interface", "Interface for ", true},
		{"__ModuleInfo", "ModuleInfo for ", true},
	};

	for (size_t i = 0; i < CR_LEN(special); i++) {
		if (len != strlen(special[i].name) || memcmp(p, special[i].name, len) != 0)
			continue;
		if (special[i].made && put_made(r, declared, special[i].shown))
			return;
		if (special[i].made || (i == 2 && !cr_dname_next(r, "MFZ")))
			break;
		cr_dname_puts(r, special[i].shown);
		return;
	}
	cr_dname_put(r, p, len);
}

static void
read_template_argument(struct cr_dname *r)
{
	const size_t start = r->out->len;
	struct cr_text name = {0};
	uint32_t len;
	char type;

	cr_dname_next(r, "H"); /* a specialised parameter */
	if (cr_dname_next(r, "T")) {
		read_type(r);
	} else if (cr_dname_next(r, "V")) {
		size_t target = r->at;
		struct cr_dname ahead = *r;

		if (cr_dname_peek(r, 0) == 'Q' && !cr_dname_reference(&ahead, &target))
			r->bad = true;
		type = r->bad ? '\0' : r->name[target];
		read_type(r);
		cr_text_put(&name, r->out->p + start, r->out->len - start);
		cr_dname_cut(r, start);
		cr_dname_value(r, cr_text_view(&name), type);
		cr_text_fini(&name);
	} else if (cr_dname_next(r, "S")) {
		if (cr_dname_next(r, "_D"))
			cr_dname_mangled(r);
		else
			read_qualified(r, false);
	} else if (cr_dname_next(r, "X")) {
		len = cr_dname_number(r);
		if (r->bad || len > r->end - r->at) {
			r->bad = true;
			return;
		}
		cr_dname_put(r, r->name + r->at, len);
		r->at += len;
	} else {
		r->bad = true;
	}
}

/* A plain name after its length. */
static void
read_clear_name(struct cr_dname *r, size_t declared)
{
	const uint32_t len = cr_dname_number(r);

	if (len == 0 || r->bad || len > r->end - r->at) {
		r->bad = true;
		return;
	}
	r->at += len;
	put_identifier(r, r->name + r->at - len, len, declared);
}

static void
read_referred_name(struct cr_dname *r, size_t declared)
{
	size_t target, resume;

	if (!cr_dname_reference(r, &target))
		return;
	resume = r->at;
	r->at = target;
	read_clear_name(r, declared);
	r->at = resume;
}

/* __T or __U, a name, arguments, Z */
static void
read_template(struct cr_dname *r)
{
	const size_t declared = r->out->len;
	uint32_t n = 0;

	r->at += 3;
	if (at_name_reference(r))
		read_referred_name(r, declared);
	else
		read_clear_name(r, declared);
	cr_dname_puts(r, "!(");
	while (!r->bad && !cr_dname_next(r, "Z")) {
		if (n++)
			cr_dname_puts(r, ", ");
		read_template_argument(r);
	}
	cr_dname_puts(r, ")");
}

/* Skip parents of local declarations that only make names unique. */
static bool
skip_fake_parent(struct cr_dname *r)
{
	struct cr_dname ahead = *r;
	const uint32_t len = cr_dname_number(&ahead);

	if (ahead.bad || len < 4 || len > ahead.end - ahead.at || !cr_dname_next(&ahead, "__S"))
		return false;
	for (uint32_t i = 3; i < len; i++)
		if (!cr_dname_digit(ahead.name[ahead.at++]))
			return false;
	r->at = ahead.at;
	return true;
}

/* Before 2.077 a template instance is preceded by its length; *end is its end, otherwise 0. */
static bool
at_template_instance(struct cr_dname *r, size_t *end)
{
	struct cr_dname ahead = *r;
	uint32_t len;

	*end = 0;
	if (!cr_dname_digit(cr_dname_peek(r, 0)))
		return at_template(r);
	len = cr_dname_number(&ahead);
	if (!at_template(&ahead) || len > ahead.end - ahead.at)
		return false;
	r->at = ahead.at;
	*end = r->at + len;
	return true;
}

static void
read_name(struct cr_dname *r, size_t declared)
{
	size_t end;

	if (!cr_dname_enter(r))
		return;
	while (cr_dname_digit(cr_dname_peek(r, 0)) && skip_fake_parent(r))
		cr_dname_burn(r, 1);
	if (at_template_instance(r, &end)) {
		read_template(r);
		if (end && r->at != end)
			r->bad = true;
	} else if (cr_dname_peek(r, 0) == 'Q') {
		read_referred_name(r, declared);
	} else {
		read_clear_name(r, declared);
	}
	cr_dname_leave(r);
}

/* ---- functions */

static bool
at_function(const struct cr_dname *r)
{
	return cr_dname_peek(r, 0) && strchr("FUWVRY", cr_dname_peek(r, 0));
}

/* Read words of a table, in any order and number. */
static void
read_words(struct cr_dname *r, const char *const (*words)[2], size_t n, bool show)
{
	size_t i = 0;

	while (i < n) {
		if (!cr_dname_next(r, words[i][0])) {
			i++;
			continue;
		}
		cr_dname_puts(r, show ? words[i][1] : "");
		cr_dname_burn(r, 1);
		i = 0;
	}
}

static void
read_modifiers(struct cr_dname *r, bool show)
{
	static const char *const modifiers[][2] = {
		{"x", " const"}, {"y", " immutable"}, {"O", " shared"}, {"Ng", " inout"}};

	read_words(r, modifiers, CR_LEN(modifiers), show);
}

static void
read_attributes(struct cr_dname *r, bool show)
{
	static const char *const attributes[][2] = {{"Na", "pure "}, {"Nb", "nothrow "},
		{"Nc", "ref "}, {"Nd", "@property "}, {"Ne", "@trusted "}, {"Nf", "@safe "},
		{"Ni", "@nogc "}, {"Nj", "return "}, {"Nl", "scope "}, {"Nm", "@live "}};

	read_words(r, attributes, CR_LEN(attributes), show);
}

static void
read_parameter(struct cr_dname *r)
{
	static const char *const kinds[][2] = {{"M", "scope "}, {"Nk", "return "}, {"I", "in "},
		{"J", "out "}, {"K", "ref "}, {"L", "lazy "}};

	read_words(r, kinds, CR_LEN(kinds), true);
	read_type(r);
}

static void
read_parameters(struct cr_dname *r)
{
	bool any = false;

	cr_dname_puts(r, "(");
	while (!r->bad && !cr_dname_next(r, "Z")) {
		if (cr_dname_next(r, "X")) { /* f(T t...) */
			cr_dname_puts(r, "...");
			break;
		}
		if (any || cr_dname_peek(r, 0) == 'Y')
			cr_dname_puts(r, any ? ", " : "");
		if (cr_dname_next(r, "Y")) { /* f(T t, ...) */
			cr_dname_puts(r, "...");
			break;
		}
		read_parameter(r);
		any = true;
	}
	cr_dname_puts(r, ")");
}

static void
read_convention(struct cr_dname *r, bool show)
{
	static const char *const conventions[][2] = {{"F", ""}, {"U", "extern(C) "},
		{"W", "extern(Windows) "}, {"V", "extern(Pascal) "}, {"R", "extern(C++) "},
		{"Y", "extern(Objective-C) "}};

	for (size_t i = 0; i < CR_LEN(conventions); i++)
		if (cr_dname_next(r, conventions[i][0])) {
			if (show)
				cr_dname_puts(r, conventions[i][1]);
			return;
		}
	r->bad = true;
}

/* Calling convention, attributes, parameters, result; printed with the result first. */
static void
read_function_type(struct cr_dname *r)
{
	size_t attributes, parameters, result;

	read_convention(r, true);
	attributes = r->out->len;
	read_attributes(r, true);
	parameters = r->out->len;
	read_parameters(r);
	cr_dname_puts(r, " ");
	result = r->out->len;
	read_type(r);
	/* attributes, parameters, result to result, parameters, attributes */
	cr_dname_move_to_end(r, parameters, result);
	cr_dname_move_to_end(r, attributes, parameters);
}

/*
 * The parameters of a function after its name, if they come next: the name may also be that of a
 * type or a template argument, followed by something else.
 */
static void
read_own_parameters(struct cr_dname *r, bool modifiers)
{
	const size_t at = r->at, start = r->out->len;
	size_t convention;

	if (cr_dname_next(r, "M"))
		read_modifiers(r, modifiers);
	convention = r->out->len;
	read_convention(r, false);
	read_attributes(r, false);
	read_parameters(r);
	cr_dname_move_to_end(r, start, convention);
	if (r->bad || r->at == r->end) { /* if the budget is used up, it stays bad */
		cr_dname_cut(r, start);
		r->bad = r->fuel == 0;
		r->at = at;
	}
}

/* Names separated by dots. modifiers: also print what a member function promises, "a.f() const". */
static void
read_qualified(struct cr_dname *r, bool modifiers)
{
	const size_t declared = r->out->len;

	if (!cr_dname_enter(r))
		return;
	do {
		while (cr_dname_next(r, "0")) /* an anonymous part */
			cr_dname_burn(r, 1);
		if (r->out->len > declared)
			cr_dname_puts(r, ".");
		read_name(r, declared);
		if (!r->bad && (cr_dname_peek(r, 0) == 'M' || at_function(r)))
			read_own_parameters(r, modifiers);
	} while (!r->bad && at_name(r));
	cr_dname_leave(r);
}

/* ---- types */

static void
read_wrapped(struct cr_dname *r, const char *around)
{
	cr_dname_puts(r, around);
	cr_dname_puts(r, "(");
	read_type(r);
	cr_dname_puts(r, ")");
}

static void
read_array_of(struct cr_dname *r)
{
	const size_t start = r->at;
	size_t digits;

	cr_dname_number(r);
	digits = r->at - start;
	read_type(r);
	cr_dname_puts(r, "[");
	cr_dname_put(r, r->name + start, digits);
	cr_dname_puts(r, "]");
}

/* H, key, value; printed as value[key] */
static void
read_associative(struct cr_dname *r)
{
	const size_t key = r->out->len;
	size_t value;

	cr_dname_puts(r, "[");
	read_type(r);
	cr_dname_puts(r, "]");
	value = r->out->len;
	read_type(r);
	cr_dname_move_to_end(r, key, value);
}

static void
read_tuple(struct cr_dname *r)
{
	const uint32_t n = cr_dname_number(r);

	cr_dname_puts(r, "Tuple!(");
	for (uint32_t i = 0; i < n && !r->bad; i++) {
		if (i)
			cr_dname_puts(r, ", ");
		read_type(r);
	}
	cr_dname_puts(r, ")");
}

static void
read_delegate(struct cr_dname *r)
{
	const size_t start = r->out->len;
	size_t function;

	read_modifiers(r, true);
	function = r->out->len;
	if (cr_dname_peek(r, 0) == 'Q')
		read_referred(r, read_function_type);
	else
		read_function_type(r);
	cr_dname_puts(r, "delegate");
	cr_dname_move_to_end(r, start, function);
}

static void
read_pointer(struct cr_dname *r)
{
	if (at_function(r)) {
		read_function_type(r);
		cr_dname_puts(r, "function");
	} else {
		read_type(r);
		cr_dname_puts(r, "*");
	}
}

static const char *
basic_type(char c)
{
	static const char *const types[26] = {
		['a' - 'a'] = "char",
		['b' - 'a'] = "bool",
		['c' - 'a'] = "creal",
		['d' - 'a'] = "double",
		['e' - 'a'] = "real",
		['f' - 'a'] = "float",
		['g' - 'a'] = "byte",
		['h' - 'a'] = "ubyte",
		['i' - 'a'] = "int",
		['j' - 'a'] = "ireal",
		['k' - 'a'] = "uint",
		['l' - 'a'] = "long",
		['m' - 'a'] = "ulong",
		['n' - 'a'] = "typeof(null)",
		['o' - 'a'] = "ifloat",
		['p' - 'a'] = "idouble",
		['q' - 'a'] = "cfloat",
		['r' - 'a'] = "cdouble",
		['s' - 'a'] = "short",
		['t' - 'a'] = "ushort",
		['u' - 'a'] = "wchar",
		['v' - 'a'] = "void",
		['w' - 'a'] = "dchar",
	};

	return c >= 'a' && c <= 'z' ? types[c - 'a'] : NULL;
}

/* Types that begin with a prefix; those with two letters come first. */
static void
read_compound_type(struct cr_dname *r)
{
	if (cr_dname_next(r, "Ng"))
		read_wrapped(r, "inout");
	else if (cr_dname_next(r, "Nh"))
		read_wrapped(r, "__vector");
	else if (cr_dname_next(r, "Nn"))
		cr_dname_puts(r, "noreturn");
	else if (cr_dname_next(r, "zi"))
		cr_dname_puts(r, "cent");
	else if (cr_dname_next(r, "zk"))
		cr_dname_puts(r, "ucent");
	else if (cr_dname_next(r, "O"))
		read_wrapped(r, "shared");
	else if (cr_dname_next(r, "x"))
		read_wrapped(r, "const");
	else if (cr_dname_next(r, "y"))
		read_wrapped(r, "immutable");
	else if (cr_dname_next(r, "A")) {
		read_type(r);
		cr_dname_puts(r, "[]");
	} else if (cr_dname_next(r, "G"))
		read_array_of(r);
	else if (cr_dname_next(r, "H"))
		read_associative(r);
	else if (cr_dname_next(r, "P"))
		read_pointer(r);
	else if (cr_dname_next(r, "I") || cr_dname_next(r, "C") || cr_dname_next(r, "S") ||
		 cr_dname_next(r, "E") || cr_dname_next(r, "T"))
		read_qualified(r, false);
	else if (cr_dname_next(r, "D"))
		read_delegate(r);
	else if (cr_dname_next(r, "B"))
		read_tuple(r);
	else if (at_function(r)) {
		read_function_type(r);
		cr_dname_puts(r, "function");
	} else
		r->bad = true;
}

static void
read_type(struct cr_dname *r)
{
	const char *basic = basic_type(cr_dname_peek(r, 0));

	if (!cr_dname_enter(r))
		return;
	if (cr_dname_peek(r, 0) == 'Q') {
		read_referred(r, read_type);
	} else if (basic) {
		r->at++;
		cr_dname_puts(r, basic);
	} else {
		read_compound_type(r);
	}
	cr_dname_leave(r);
}

/* ---- whole names */

void
cr_dname_mangled(struct cr_dname *r)
{
	size_t len;

	read_qualified(r, true);
	if (cr_dname_next(r, "Z"))
		return;
	len = r->out->len;
	read_type(r);
	cr_dname_cut(r, len);
}

/* ".isra.0.cold" are two suffixes; a number belongs to the word before it. */
static void
put_clones(struct cr_text *out, const char *p)
{
	size_t len;

	for (; *p; p += len) {
		len = 1 + strcspn(p + 1, ".");
		while (p[len] == '.' && cr_dname_digit(p[len + 1]))
			len += 1 + strcspn(p + len + 1, ".");
		cr_text_printf(out, " [clone %.*s]", (int)len, p);
	}
}

bool
cr_demangle_d(const char *name, struct cr_text *out)
{
	const size_t end = strcspn(name, ".");
	struct cr_dname r = {.name = name,
		.at = 2,
		.end = end,
		.behind = end,
		.out = out,
		.fuel = CR_DNAME_FUEL};

	cr_text_clear(out);
	if (strcmp(name, "_Dmain") == 0) {
		cr_dname_puts(&r, "D main");
		return true;
	}
	if (strncmp(name, "_D", 2) != 0)
		return false;
	cr_dname_mangled(&r);
	if (r.bad || r.at != r.end) {
		cr_text_clear(out);
		return false;
	}
	put_clones(out, name + end);
	return true;
}
