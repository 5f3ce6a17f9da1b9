#include "mapfile_p.h"

#include "bytes/scan.h"
#include "bytes/source.h"

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

#define ALL(byte) (UINT64_MAX / 255 * (byte)) /* the same byte eight times */

/*
 * Parse eight hexadecimal digits, all at once; false if one is none. A letter has bit 6, and its
 * value is the low half of its byte and 9.
 */
static bool
parse_hex8(const char *p, uint64_t *out)
{
	uint64_t text, letters, values, above9;

	memcpy(&text, p, sizeof(text));
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		text = __builtin_bswap64(text);
	letters = text >> 6 & ALL(1);
	values = (text & ALL(15)) + letters * 9;
	above9 = (values + ALL(6)) >> 4 & ALL(1);
	/* The digits of these values, in lower case, must be the text. */
	if ((values & ALL(16)) ||
		values + ALL('0') + above9 * ('a' - '9' - 1) != (text | letters << 5))
		return false;
	values = (values | values >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	values = (values | values >> 8) & UINT64_C(0x0000ffff0000ffff);
	*out = (values | values >> 16) & UINT32_MAX;
	return true;
}

/* The addresses of 64-bit kernels: 16 digits and a blank. */
static bool
parse_hex16(struct cr_str *s, uint64_t *out)
{
	uint64_t high, low;

	if (s->len < 17 || s->p[16] != ' ' || !parse_hex8(s->p, &high) ||
		!parse_hex8(s->p + 8, &low))
		return false;
	s->p += 16;
	s->len -= 16;
	*out = high << 32 | low;
	return true;
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

/* A line of kallsyms: "ADDRESS TYPE NAME", then TAB and "[MODULE]" unless it is the kernel's. */
struct kallsyms_line {
	uint64_t start;
	char type;
	struct cr_str name, module; /* module: "[ext4]"; module.p is NULL for the kernel itself */
};

/*
 * Returns false if the line gives no symbol. Sources: proc_kallsyms(5); kernel/kallsyms.c of Linux
 * 6.1.
 */
static bool
kallsyms_line(struct cr_str line, struct kallsyms_line *out)
{
	const char *tab;

	*out = (struct kallsyms_line){0};
	if ((!parse_hex16(&line, &out->start) && !parse_hex(&line, &out->start)) ||
		!skip_blank(&line) || line.len < 3)
		return false;
	out->type = line.p[0];
	line.p++;
	line.len--;
	if (!skip_blank(&line) || !is_symbol_type(out->type) || is_label(line))
		return false;
	if ((tab = memchr(line.p, '\t', line.len))) {
		out->module = (struct cr_str){tab + 1, (uint32_t)(line.p + line.len - tab - 1)};
		line.len = (uint32_t)(tab - line.p);
	}
	out->name = line;
	return line.len && line.p[0];
}

#define PLAIN_NAME 512u /* longest name of a plain line */

/* The first character below 16 from p on, of so many; NULL if there is none before `end`. */
static const char *
find_control(const char *p, const char *end)
{
	const char *const most = (size_t)(end - p) > PLAIN_NAME ? p + PLAIN_NAME : end;

	for (; most - p >= 8; p += 8) {
		uint64_t text, found;

		memcpy(&text, p, sizeof(text));
		if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
			text = __builtin_bswap64(text);
		/* A borrow only reaches characters after the first one that is found. */
		found = (text - ALL(16)) & ~text & ALL(128);
		if (found)
			return p + __builtin_ctzll(found) / 8;
	}
	return NULL;
}

/* The upper half of an address, which is the same in line after line. */
struct upper_half {
	char digits[8];
	uint64_t value; /* of these digits */
};

static bool
upper_parse(struct upper_half *upper, const char *p)
{
	if (memcmp(upper->digits, p, sizeof(upper->digits)) == 0)
		return true;
	if (!parse_hex8(p, &upper->value))
		return false;
	memcpy(upper->digits, p, sizeof(upper->digits));
	return true;
}

/*
 * Take the next line if it is as nearly all lines of kallsyms are: 16 digits, a letter, a name. A
 * kernel has a hundred thousand of them. What is returned of it is the address, whether it gives a
 * symbol, and whether that is one of a module. False, and nothing is taken, if
 * kallsyms_line() has to look at the line.
 */
static bool
take_plain(
	struct cr_scan *scan, struct upper_half *upper, uint64_t *start, bool *symbol, bool *module)
{
	const char *const p = scan->p;
	const char *end;
	uint64_t low;

	if (scan->end - p < 20 || p[16] != ' ' || p[18] != ' ' || p[19] < '!' || p[19] == '$' ||
		p[19] == '.' || p[19] == 'L' || !upper_parse(upper, p) || !parse_hex8(p + 8, &low))
		return false;
	end = find_control(p + 19, scan->end);
	*module = end && *end == '\t';
	if (*module)
		end = memchr(end, '\n', (size_t)(scan->end - end));
	if (!end || *end != '\n')
		return false;
	*start = upper->value << 32 | low;
	*symbol = is_symbol_type(p[17]);
	scan->p = end + 1;
	return true;
}

/* The next line that gives a symbol; false at the end. *line: where it starts. */
static bool
next_symbol(struct cr_scan *scan, struct upper_half *upper, const char **line, uint64_t *start,
	bool *module)
{
	struct kallsyms_line f;
	struct cr_str all;
	bool symbol;

	for (;;) {
		*line = scan->p;
		if (take_plain(scan, upper, start, &symbol, module)) {
			if (symbol)
				return true;
			continue;
		}
		if (!cr_scan_line(scan, &all))
			return false;
		if (kallsyms_line(all, &f)) {
			*start = f.start;
			*module = f.module.p;
			return true;
		}
	}
}

/* ---- lines around the wanted addresses */

/* A range of the text, as offsets. */
struct span {
	size_t from, to;
};

/* The lines to keep. */
struct picked {
	const struct cr_kallsyms_wanted *wanted;
	uint64_t shift; /* from a recorded address to one of the text */
	size_t ref;     /* offset of the reference symbol's line; SIZE_MAX if there is none */
	size_t at;      /* the first asked address that was not passed yet */
	bool next;      /* keep the next address too: the symbols before it end there */
	CR_VEC(struct span) spans;
};

static void
pick(struct picked *k, size_t from, size_t to)
{
	if (k->spans.n && k->spans.p[k->spans.n - 1].to == from)
		k->spans.p[k->spans.n - 1].to = to;
	else
		cr_vec_push(&k->spans, ((struct span){from, to}));
}

/* True if v - delta wraps around; a delta in the upper half is a negative one. */
static bool
wraps(uint64_t v, uint64_t delta)
{
	return delta >> 63 ? v - delta < v : v < delta;
}

/* True if an asked address is in [start, end). Call it with rising addresses of the text. */
static bool
is_asked(struct picked *k, uint64_t start, uint64_t end)
{
	const struct cr_addrkey *asked = k->wanted->asked;
	const size_t n = k->wanted->n;

	while (k->at < n &&
		(wraps(asked[k->at].addr, -k->shift) || asked[k->at].addr + k->shift < start))
		k->at++;
	return k->at < n && asked[k->at].addr + k->shift < end;
}

/*
 * The lines [from, to) are those of one address; the next symbol starts at `end`. Symbols that wrap
 * around when the kernel is moved are kept, since they are last then.
 */
static void
pick_address(struct picked *k, uint64_t start, uint64_t end, size_t from, size_t to)
{
	const bool asked = is_asked(k, start, end);

	if (asked || k->next || from == 0 || wraps(start, k->shift) ||
		(k->ref >= from && k->ref < to))
		pick(k, from, to);
	k->next = asked;
}

/*
 * Find the lines of the symbols that contain the wanted addresses, and of the symbols after them.
 * All lines of modules and the kernel's first and last symbol are kept. Returns false if the
 * kernel's symbols are not sorted or modules are between them: then all lines are needed.
 */
static bool
pick_lines(struct picked *k, const char *text, size_t len)
{
	struct upper_half upper = {{'0', '0', '0', '0', '0', '0', '0', '0'}, 0};
	struct cr_scan scan;
	const char *line;
	bool any = false, modules = false, module;
	uint64_t start, first = 0, last = 0;
	size_t from = 0;

	cr_scan_init(&scan, text, len);
	while (next_symbol(&scan, &upper, &line, &start, &module)) {
		const size_t at = (size_t)(line - text);

		modules = modules || module;
		if (modules && (!module || (start >= first && start <= last)))
			return false;
		if (modules || (any && start == last))
			continue;
		if (any && start < last)
			return false;
		if (any)
			pick_address(k, last, start, from, at);
		else
			first = start;
		from = any ? at : 0;
		last = start;
		any = true;
	}
	pick(k, from, len);
	return true;
}

/* The line that names the reference symbol; NULL if there is none. */
static const char *
find_reference(const char *text, size_t len, struct cr_str ref, struct kallsyms_line *out)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, text, len);
	while (cr_scan_line(&scan, &line))
		if (kallsyms_line(line, out) && !out->module.p && cr_str_eq(out->name, ref))
			return line.p;
	return NULL;
}

/*
 * Copy the lines that are needed for what is wanted and for the reference symbol; n becomes their
 * length. The block has a spare byte at the end.
 */
static char *
copy_wanted(const struct cr_kallsyms_wanted *w, const char *text, size_t len, size_t *n)
{
	struct picked k = {.wanted = w, .ref = SIZE_MAX};
	struct kallsyms_line ref;
	const char *at = w->ref.len ? find_reference(text, len, w->ref, &ref) : NULL;
	char *copy;

	if (at) {
		k.ref = (size_t)(at - text);
		k.shift = ref.start - w->ref_addr;
	}
	if (w->n == 0 || !pick_lines(&k, text, len)) {
		k.spans.n = 0;
		pick(&k, 0, len);
	}
	*n = 0;
	for (size_t i = 0; i < k.spans.n; i++)
		*n += k.spans.p[i].to - k.spans.p[i].from;
	copy = cr_alloc(*n + 1, 1);
	*n = 0;
	for (size_t i = 0; i < k.spans.n; i++) {
		const struct span s = k.spans.p[i];

		memcpy(copy + *n, text + s.from, s.to - s.from);
		*n += s.to - s.from;
	}
	cr_vec_fini(&k.spans);
	return copy;
}

/* Takes ownership of text. */
static void
add_lines(struct cr_kallsyms *k, char *text, size_t len)
{
	struct kallsyms_line f;
	struct cr_scan scan;
	struct cr_str line;

	k->hidden = true;
	cr_arena_adopt(&k->t.arena, text);
	cr_vec_reserve(&k->t.all, len / LINE_BYTES);
	cr_scan_init(&scan, text, len);
	while (cr_scan_line(&scan, &line)) {
		struct cr_symbol s = {0};

		if (!kallsyms_line(line, &f))
			continue;
		if (f.module.p)
			s.module = module_number(k, terminate(text, f.module));
		s.name = terminate(text, f.name);
		s.start = s.end = f.start;
		if (f.type == 'W')
			s.flags = CR_SYMBOL_WEAK;
		else if (f.type >= 'A' && f.type <= 'Z')
			s.flags = CR_SYMBOL_GLOBAL;
		k->hidden = k->hidden && s.start == 0;
		cr_symtab_add(&k->t, &s);
	}
	cr_symtab_fix(&k->t);
}

void
cr_kallsyms_text(struct cr_kallsyms *k, char *text, size_t len)
{
	char *wanted = text;

	if (k->wanted.n) {
		wanted = copy_wanted(&k->wanted, text, len, &len);
		free(text);
	}
	add_lines(k, wanted, len);
}

/*
 * Take the lines from a mapped file: most of it is looked at and not copied. False if it cannot be
 * mapped, as files of /proc.
 */
static bool
read_mapped(struct cr_kallsyms *k, int fd)
{
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_source *src;
	struct stat st;
	size_t n;
	char *text;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
		(uint64_t)st.st_size >= MAX_FILE ||
		cr_source_open_packed_fd(fd, MAX_FILE, NULL, &src, &ignored) < 0)
		return false;
	text = copy_wanted(&k->wanted, (const char *)cr_source_bytes(src), cr_source_len(src), &n);
	cr_source_close(src);
	add_lines(k, text, n);
	return true;
}

int
cr_kallsyms_read_fd(struct cr_kallsyms *k, int fd, const char *path, struct cr_err *err)
{
	char *text;
	size_t len;
	int rc;

	lseek(fd, 0, SEEK_SET); /* a pipe only has what is left in it */
	if (!read_mapped(k, fd)) {
		if ((rc = read_whole(fd, path, &text, &len, err)) < 0)
			return rc;
		cr_kallsyms_text(k, text, len);
	}
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
