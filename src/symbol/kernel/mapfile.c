#include "mapfile_p.h"

#include "bytes/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE ((size_t)1 << 30)
#define MAX_NAME ((uint32_t)64 << 10)
#define LINE_BYTES 48 /* average line of kallsyms */

/* Read a whole file, with a spare byte at the end. Files of /proc do not report their size. */
static int
read_whole(int fd, const char *path, char **text, size_t *len, struct cr_err *err)
{
	CR_VEC(char) v = {0};
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) == 0 && st.st_size > 0 && (uint64_t)st.st_size < MAX_FILE)
		cr_vec_reserve(&v, (uint64_t)st.st_size + 2);
	do {
		if (v.cap - v.n < 2)
			cr_vec_reserve(&v, v.n + ((uint64_t)256 << 10));
		got = read(fd, v.p + v.n, v.cap - v.n - 1);
		if (got > 0)
			v.n += (size_t)got;
	} while (v.n < MAX_FILE && (got > 0 || (got < 0 && errno == EINTR)));
	if (got < 0 || v.n >= MAX_FILE) {
		cr_vec_fini(&v);
		if (got < 0)
			return cr_fail_errno(err, CR_EIO, "cannot read %s", path);
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "%s is too large", path);
	}
	*text = v.p;
	*len = v.n;
	return CR_OK;
}

/* The value of a hexadecimal digit; more than 15 for other characters. */
static unsigned
digit_of(char c)
{
	const unsigned digit = (unsigned char)c - (unsigned)'0';
	const unsigned letter = ((unsigned char)c | 0x20u) - 'a';

	return digit <= 9 ? digit : letter <= 5 ? letter + 10 : 16;
}

/* Parse the hexadecimal number at the start of s, up to a blank; "0x" is optional. */
static bool
parse_hex(struct cr_str *s, uint64_t *out)
{
	uint64_t v = 0;
	uint32_t n = 0;

	if (s->len > 2 && s->p[0] == '0' && (s->p[1] | 0x20) == 'x') {
		s->p += 2;
		s->len -= 2;
	}
	for (; n < s->len && s->p[n] != ' ' && s->p[n] != '\t'; n++) {
		const unsigned digit = digit_of(s->p[n]);

		if (digit > 15 || v >> 60)
			return false;
		v = v << 4 | digit;
	}
	s->p += n;
	s->len -= n;
	*out = v;
	return n > 0;
}

static bool
skip_blank(struct cr_str *s)
{
	if (s->len == 0 || (s->p[0] != ' ' && s->p[0] != '\t'))
		return false;
	s->p++;
	s->len--;
	return true;
}

/* Terminate a name with a NUL in place: over the end of its line, or in the spare byte. */
static const char *
terminate(char *text, struct cr_str name)
{
	char *p = text + (name.p - text);

	p[CR_MIN(name.len, MAX_NAME)] = '\0';
	return p;
}

/*
 * START SIZE NAME, numbers in hex, one blank after each; the name is the rest of the line. See
 * tools/perf/Documentation/jit-interface.txt of Linux 6.1. cr_symtab_fix() is not applied: overlaps
 * are resolved by the shape of the tree, and a symbol without a size contains one address.
 */
void
cr_perfmap_text(struct cr_symtab *t, char *text, size_t len)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_arena_adopt(&t->arena, text);
	cr_scan_init(&scan, text, len);
	while (cr_scan_line(&scan, &line)) {
		struct cr_symbol s = {.flags = CR_SYMBOL_GLOBAL};
		uint64_t size;

		if (!parse_hex(&line, &s.start) || !skip_blank(&line) || !parse_hex(&line, &size) ||
			!skip_blank(&line))
			continue;
		if (line.len == 0 || !cr_add_ok(s.start, size, &s.end))
			continue;
		s.name = terminate(text, line);
		if (s.name[0])
			cr_symtab_add(t, &s);
	}
	cr_symtab_index(t);
}

int
cr_perfmap_read(struct cr_symtab *t, int fd, const char *path, struct cr_err *err)
{
	char *text;
	size_t len;
	int rc;

	if ((rc = read_whole(fd, path, &text, &len, err)) < 0)
		return rc;
	cr_perfmap_text(t, text, len);
	return CR_OK;
}

/* Code and data, as in perf; addresses of other symbols belong to the symbol before. */
static bool
is_symbol_type(char type)
{
	switch (type | 0x20) {
	case 't':
	case 'w':
	case 'd':
	case 'b': return true;
	default: return false;
	}
}

/* Labels of assemblers and marks of ARM. */
static bool
is_label(struct cr_str name)
{
	return cr_str_starts(name, "$") || cr_str_starts(name, ".L") || cr_str_starts(name, "L0");
}

/* The number of "[ext4]", which is usually the module of the previous line. */
static uint16_t
module_number(struct cr_kallsyms *k, const char *name)
{
	uint16_t last = k->t.all.n ? k->t.all.p[k->t.all.n - 1].module : 0;

	if (last && strcmp(k->modules.p[last - 1], name) == 0)
		return last;
	if ((last = cr_kallsyms_module(k, name)) != 0 || k->modules.n >= UINT16_MAX - 1)
		return last;
	cr_vec_push(&k->modules, name);
	return (uint16_t)k->modules.n;
}

/* hexaddr SP type SP name [TAB [module]]. proc_kallsyms(5); kernel/kallsyms.c of Linux 6.1. */
void
cr_kallsyms_text(struct cr_kallsyms *k, char *text, size_t len)
{
	struct cr_scan scan;
	struct cr_str line;

	k->hidden = true;
	cr_arena_adopt(&k->t.arena, text);
	cr_vec_reserve(&k->t.all, len / LINE_BYTES);
	cr_scan_init(&scan, text, len);
	while (cr_scan_line(&scan, &line)) {
		struct cr_symbol s = {0};
		const char *tab;
		char type;

		if (!parse_hex(&line, &s.start) || !skip_blank(&line) || line.len < 3)
			continue;
		type = line.p[0];
		line.p++;
		line.len--;
		if (!skip_blank(&line) || !is_symbol_type(type) || is_label(line))
			continue;
		if ((tab = memchr(line.p, '\t', line.len))) {
			const struct cr_str module = {
				tab + 1, (uint32_t)(line.p + line.len - tab - 1)};

			s.module = module_number(k, terminate(text, module));
			line.len = (uint32_t)(tab - line.p);
		}
		s.name = terminate(text, line);
		if (!s.name[0])
			continue;
		s.end = s.start;
		if (type == 'W')
			s.flags = CR_SYMBOL_WEAK;
		else if (type >= 'A' && type <= 'Z')
			s.flags = CR_SYMBOL_GLOBAL;
		k->hidden = k->hidden && s.start == 0;
		cr_symtab_add(&k->t, &s);
	}
	cr_symtab_fix(&k->t);
}

int
cr_kallsyms_read_fd(struct cr_kallsyms *k, int fd, const char *path, struct cr_err *err)
{
	char *text;
	size_t len;
	int rc;

	lseek(fd, 0, SEEK_SET); /* a pipe only has what is left in it */
	if ((rc = read_whole(fd, path, &text, &len, err)) < 0)
		return rc;
	cr_kallsyms_text(k, text, len);
	if (k->t.all.n == 0)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "no symbols in %s", path);
	return CR_OK;
}

int
cr_kallsyms_read(struct cr_kallsyms *k, const char *path, struct cr_err *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int rc;

	if (fd < 0)
		return cr_fail_errno(
			err, errno == ENOENT ? CR_ENOTFOUND : CR_EIO, "cannot open %s", path);
	rc = cr_kallsyms_read_fd(k, fd, path, err);
	close(fd);
	return rc;
}

uint16_t
cr_kallsyms_module(const struct cr_kallsyms *k, const char *name)
{
	for (size_t i = 0; i < k->modules.n; i++)
		if (strcmp(k->modules.p[i], name) == 0)
			return (uint16_t)(i + 1);
	return 0;
}

void
cr_kallsyms_fini(struct cr_kallsyms *k)
{
	cr_vec_fini(&k->modules);
	cr_symtab_fini(&k->t);
}
