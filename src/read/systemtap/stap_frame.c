#include "stap_frame_p.h"

#include "bytes/scan.h"

/* Length of the longest offset and size, "+0x" and 16 digits, "/0x" and 16 digits. */
#define OFFSET_BYTES 40u
#define KERNEL_HALF_64 0xffff800000000000u
#define KERNEL_HALF_32 0xc0000000u

static struct cr_str
rest_from(struct cr_str s, uint32_t at)
{
	return (struct cr_str){s.p + at, s.len - at};
}

static bool
cut_start(struct cr_str *s, const char *word)
{
	if (!cr_str_starts(*s, word))
		return false;
	*s = cr_scan_trim(rest_from(*s, (uint32_t)strlen(word)));
	return true;
}

static bool
cut_end(struct cr_str *s, const char *word)
{
	if (!cr_str_ends(*s, word))
		return false;
	s->len -= (uint32_t)strlen(word);
	return true;
}

static bool
is_hex_digit(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* Length of "0x1f" at `at`; 0 if there is none. */
static uint32_t
hex_at(struct cr_str s, uint32_t at)
{
	uint32_t n = at + 2;

	if (s.len < n + 1 || s.p[at] != '0' || (s.p[at + 1] != 'x' && s.p[at + 1] != 'X'))
		return 0;
	while (n < s.len && is_hex_digit(s.p[n]))
		n++;
	return n == at + 2 ? 0 : n - at;
}

/* Length of "+0x10" or "+0x10/0x20" at `at`; 0 if there is none. */
static uint32_t
offset_at(struct cr_str s, uint32_t at, uint64_t *offset, uint64_t *size)
{
	const uint32_t n = s.p[at] == '+' ? hex_at(s, at + 1) : 0;
	uint32_t more;

	*size = UINT64_MAX;
	if (!n || !cr_scan_hex((struct cr_str){s.p + at + 1, n}, offset))
		return 0;
	more = at + 1 + n < s.len && s.p[at + 1 + n] == '/' ? hex_at(s, at + 2 + n) : 0;
	if (more && !cr_scan_hex((struct cr_str){s.p + at + 2 + n, more}, size))
		return 0;
	return 1 + n + (more ? 1 + more : 0);
}

static void
module_read(struct cr_str module, struct stap_frame *out)
{
	cut_end(&module, " (deleted)");
	out->module = module;
}

/* "FILE:LINE", or "FILE" alone. */
static void
source_read(struct cr_str s, struct stap_frame *out)
{
	const char *colon = s.len ? memrchr(s.p, ':', s.len) : NULL;
	uint64_t line;

	out->file = s;
	if (!colon || !cr_scan_u64(rest_from(s, (uint32_t)(colon + 1 - s.p)), &line) ||
		line > UINT32_MAX)
		return;
	out->file.len = (uint32_t)(colon - s.p);
	out->line = (uint32_t)line;
}

/*
 * "name+0x1/0x20 at FILE:LINE" without its module: the name ends at the last offset that is
 * followed by " at " or the end.
 */
static bool
named_parse(struct cr_str s, struct stap_frame *out, uint64_t *size)
{
	for (uint32_t at = s.len; at-- > 0;) {
		const uint32_t n = s.p[at] == '+' ? offset_at(s, at, &out->offset, size) : 0;
		const struct cr_str behind = rest_from(s, at + n);

		if (!n || (behind.len && !cr_str_starts(behind, " at ")))
			continue;
		out->shape = STAP_NAMED;
		out->has_offset = true;
		out->name = (struct cr_str){s.p, at};
		if (behind.len)
			source_read(rest_from(behind, 4), out);
		return true;
	}
	return false;
}

/* Position of the last " ["; s.len if there is none. */
static uint32_t
last_bracket(struct cr_str s)
{
	for (uint32_t i = s.len; i > 1; i--)
		if (s.p[i - 1] == '[' && s.p[i - 2] == ' ')
			return i - 2;
	return s.len;
}

static bool
is_source(struct cr_str s)
{
	struct stap_frame f = {0};

	source_read(s, &f);
	return f.line > 0 && f.file.len > 0;
}

static bool
ends_in_offset(struct cr_str s)
{
	const uint32_t from = s.len > OFFSET_BYTES ? s.len - OFFSET_BYTES : 0;
	const char *plus = memrchr(s.p + from, '+', s.len - from);
	uint64_t offset, size;

	return plus && offset_at(s, (uint32_t)(plus - s.p), &offset, &size) ==
			       s.len - (uint32_t)(plus - s.p);
}

/* Position of the brackets of the module: usually the last ones, but its path may contain some. */
static uint32_t
module_at(struct cr_str s)
{
	const uint32_t last = s.len && s.p[s.len - 1] == ']' ? last_bracket(s) : s.len;
	uint32_t at = last;

	if (last == s.len)
		return last;
	while (at && !ends_in_offset((struct cr_str){s.p, at})) {
		const uint32_t before = last_bracket((struct cr_str){s.p, at});

		at = before < at ? before : 0;
	}
	return at ? at : last;
}

/* Parse what follows the address, or all of a frame without one. */
static bool
symbol_parse(struct cr_str s, struct stap_frame *out)
{
	const uint32_t at = module_at(s);
	struct cr_str module;
	uint64_t size;

	if (at == s.len || !named_parse((struct cr_str){s.p, at}, out, &size))
		return named_parse(s, out, &size);
	module = (struct cr_str){s.p + at + 2, s.len - at - 3};
	if (out->offset == 0 && size == 0 && is_source(module)) {
		source_read(module, out);
		out->unfolded = true;
	} else {
		module_read(module, out);
	}
	return true;
}

/* "[module+0x8a01/0x2000]", "[module]", optionally followed by " at FILE:LINE". */
static bool
nameless_parse(struct cr_str s, struct stap_frame *out)
{
	struct cr_str module = s;
	uint64_t size;

	if (s.len < 2 || s.p[0] != '[')
		return false;
	for (uint32_t i = s.len; s.p[s.len - 1] != ']' && i-- > 0;)
		if (s.p[i] == ']' && cr_str_starts(rest_from(s, i + 1), " at ")) {
			source_read(rest_from(s, i + 5), out);
			module.len = i + 1;
			break;
		}
	if (module.p[module.len - 1] != ']')
		return false;
	module = (struct cr_str){module.p + 1, module.len - 2};
	out->shape = STAP_NAMELESS;
	for (uint32_t at = module.len; at-- > 0;) {
		if (module.p[at] != '+' ||
			offset_at(module, at, &out->offset, &size) != module.len - at)
			continue;
		out->has_offset = true;
		module.len = at;
		break;
	}
	module_read(module, out);
	return true;
}

/* Parse what follows an address of n bytes. */
static void
addressed_parse(struct cr_str s, uint32_t n, struct stap_frame *out)
{
	const struct cr_str address = {s.p, n};
	struct cr_str rest = cr_scan_trim(rest_from(s, n));
	uint32_t again;
	uint64_t value;

	out->has_addr = true;
	out->shape = STAP_BARE;
	if (rest.len == 0 || nameless_parse(rest, out))
		return;
	rest = cr_scan_trim(rest_from(rest, 1)); /* the colon */
	again = hex_at(rest, 0);
	if (rest.len == 0 || cr_str_eq(rest, CR_STR("<unknown>")))
		return;
	if (again && cr_scan_hex((struct cr_str){rest.p, again}, &value) && value == out->addr) {
		const struct cr_str behind = cr_scan_trim(rest_from(rest, again));

		if (behind.len == 0 || nameless_parse(behind, out))
			return;
	}
	if (symbol_parse(rest, out))
		return;
	*out = (struct stap_frame){.shape = STAP_NAMED,
		.has_addr = true,
		.addr = out->addr,
		.digits = address.len - 2,
		.name = rest};
}

static struct cr_str
undressed(struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line);

	if (!cut_start(&s, "Returning from:"))
		cut_start(&s, "Returning to  :");
	if (cut_end(&s, " (inexact)"))
		s = cr_scan_trim(s);
	return s;
}

/* Lua: "@/srv/app.lua:41", also after "T:", and Lua paths without "@". */
static void
lua_source(struct cr_str s, struct stap_frame *out)
{
	const bool traced = cr_str_starts(s, "T:");
	struct stap_frame f = {0};

	s = rest_from(s, traced ? 2 : 0);
	if (!is_source(s))
		return;
	source_read(s, &f);
	if (f.file.p[0] != '@' && !cr_str_ends(f.file, ".lua"))
		return;
	out->file = rest_from(f.file, f.file.p[0] == '@');
	out->line = f.line;
}

void
cr_stap_frame_parse(struct cr_str line, struct stap_frame *out)
{
	const struct cr_str s = undressed(line);
	const uint32_t n = hex_at(s, 0);
	const struct cr_str behind = rest_from(s, n);

	*out = (struct stap_frame){.digits = n ? n - 2 : 0};
	if (n && cr_scan_hex((struct cr_str){s.p, n}, &out->addr) &&
		(behind.len == 0 || cr_scan_trim(behind).p[0] == ':' ||
			cr_str_starts(behind, " ["))) {
		addressed_parse(s, n, out);
		return;
	}
	*out = (struct stap_frame){0};
	if (symbol_parse(s, out))
		return;
	*out = (struct stap_frame){.shape = STAP_TEXT, .name = s};
	lua_source(s, out);
}

/* The start of an address, with digits missing. */
static bool
is_cut_address(struct cr_str word)
{
	return cr_str_eq(word, CR_STR("0")) || cr_str_eq(word, CR_STR("0x"));
}

bool
cr_stap_frame_is_list(struct cr_str line)
{
	struct cr_str rest = undressed(line), word;
	uint32_t n = 0;

	/* Decided by the last byte of nearly all frames. */
	if (rest.len && !is_hex_digit(rest.p[rest.len - 1]) && rest.p[rest.len - 1] != 'x')
		return false;
	while ((word = cr_scan_word(&rest)).len) {
		if (hex_at(word, 0) != word.len &&
			!(n && cr_scan_trim(rest).len == 0 && is_cut_address(word)))
			return false;
		n++;
	}
	return n >= 2;
}

/*
 * "@app.lua:41", "=chunk:1", "C:lj_cf_x", "T:app.lua:3", "builtin#29", "[tail]", "app.lua:41":
 * Lua's.
 */
static bool
is_lua(struct cr_str s)
{
	if (memchr(s.p, ' ', s.len))
		return false;
	if (cr_str_starts(s, "C:") || cr_str_starts(s, "T:") || cr_str_starts(s, "builtin#") ||
		cr_str_eq(s, CR_STR("[tail]")))
		return true;
	return is_source(s) && (s.p[0] == '@' || s.p[0] == '=' || memchr(s.p, '.', s.len));
}

bool
cr_stap_frame_is_sure(const struct stap_frame *f)
{
	if (f->has_addr)
		return true;
	if (f->shape == STAP_NAMED)
		return !memchr(f->name.p, ' ', f->name.len);
	return f->name.len && is_lua(f->name);
}

bool
cr_stap_frame_in_kernel(uint64_t addr, bool all_32)
{
	return addr >= (all_32 ? KERNEL_HALF_32 : KERNEL_HALF_64);
}
