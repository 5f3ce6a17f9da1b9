#include "perf_script_p.h"

#include "base/mem.h"
#include "bytes/scan.h"
#include "model/build/tidy.h"

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ---- the line */

/* True if "<TAB>NAME (DSO)" is at `at`. A TAB also follows the address of an instruction. */
static bool
is_behind_tab(struct cr_str line, uint32_t at)
{
	static const char open[] = " (";
	const struct cr_str text = {line.p + at + 1, line.len - at - 1};

	return line.p[at] == '\t' && cr_str_ends(text, ")") &&
	       memmem(text.p, text.len, open, sizeof(open) - 1) && !cr_str_starts(text, "insn:") &&
	       !memchr(text.p, '\t', text.len);
}

bool
cr_perf_script_line(struct cr_str line, struct perf_script_line *out)
{
	uint32_t from = 0, to;

	while (from < line.len && is_blank(line.p[from]))
		from++;
	for (to = from; to < line.len && to - from <= PERF_SCRIPT_ADDR && is_hex(line.p[to]);)
		to++;
	if (to == from || to - from > PERF_SCRIPT_ADDR ||
		(to < line.len && line.p[to] != ' ' && !is_behind_tab(line, to)))
		return false;
	out->addr = (struct cr_str){line.p + from, to - from};
	to += to < line.len;
	out->text = (struct cr_str){line.p + to, line.len - to};
	return true;
}

bool
cr_perf_script_line_word(struct cr_str line, struct perf_script_line *out)
{
	static const char open[] = " (";
	struct cr_str rest = line;

	out->addr = cr_scan_word(&rest);
	for (uint32_t i = 0; i < out->addr.len; i++)
		if (!cr_tidy_is_word(out->addr.p[i]))
			return false;
	out->text = cr_scan_trim(rest);
	return out->addr.len && !cr_str_eq(out->addr, CR_STR("operator")) &&
	       cr_str_ends(out->text, ")") && out->text.p[0] != '(' &&
	       memmem(out->text.p, out->text.len, open, sizeof(open) - 1);
}

/* ---- lines that are no frames */

bool
cr_perf_script_is_code(struct cr_str line)
{
	struct perf_script_line frame;
	struct cr_str rest = line;
	struct cr_str word = cr_scan_word(&rest);
	uint64_t any;

	if (line.p[0] == '|')
		return word.len > 1 && cr_scan_u64((struct cr_str){word.p + 1, word.len - 1}, &any);
	if (line.p[0] != '\t' || cr_perf_script_line(line, &frame))
		return false;
	if (rest.len && rest.p[0] == '\t' && word.len >= 4 && cr_scan_hex(word, &any))
		return true;
	return line.p[line.len - 1] == ':' || memmem(line.p, line.len, ":\t", 2) ||
	       cr_str_starts(line, "\t... not reaching sample ...");
}

/* "FROM/TO/P/-/-/3", addresses or symbols, maybe with their dsos. */
static bool
is_branch(struct cr_str word)
{
	static const char *const predicted[] = {"/P/", "/M/", "/-/", "/N/"};

	for (size_t i = 0; i < CR_LEN(predicted); i++)
		if (memmem(word.p, word.len, predicted[i], 3))
			return true;
	return false;
}

/* "AX:0x7f12" */
static bool
is_register(struct cr_str word)
{
	const char *value = memmem(word.p, word.len, ":0x", 3);
	uint64_t any;

	return value && value > word.p &&
	       cr_scan_hex(
		       (struct cr_str){value + 1, (uint32_t)(word.p + word.len - value - 1)}, &any);
}

/* "4K", "2M", "N/A" */
static bool
is_page_size(struct cr_str word)
{
	uint64_t any;

	return cr_str_eq(word, CR_STR("N/A")) ||
	       (word.len > 1 && strchr("KMGT", word.p[word.len - 1]) &&
		       cr_scan_u64((struct cr_str){word.p, word.len - 1}, &any));
}

bool
cr_perf_script_is_tail(struct cr_str line)
{
	static const char *const words[] = {"ABI:", "ilen:", "insn:", "IPC:"};
	struct cr_str rest = line;
	const struct cr_str word = cr_scan_word(&rest), next = cr_scan_word(&rest);
	uint64_t any;

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_starts(word, words[i]))
			return true;
	if (is_branch(word) || is_register(word) || is_page_size(word))
		return true;
	if (cr_str_eq(word, CR_STR("BPF"))) /* output of a BPF program, as hexadecimal bytes */
		return cr_str_eq(next, CR_STR("output:")) || cr_str_eq(next, CR_STR("string:"));
	if (word.len == 5 && word.p[4] == ':')
		return cr_scan_hex((struct cr_str){word.p, 4}, &any);
	return cr_scan_hex(word, &any) && (next.len == 0 || is_page_size(next));
}

/* Words from the end; an address is right-aligned, which tells its start. */
bool
cr_perf_script_line_at_end(struct cr_str rest, struct cr_str *before, struct perf_script_line *out)
{
	static const char to[] = " => "; /* target of a branch */
	const char *arrow = memmem(rest.p, rest.len, to, sizeof(to) - 1);
	uint32_t end, at, blank;

	if (arrow)
		rest.len = (uint32_t)(arrow - rest.p);
	for (end = rest.len; end; end = at) {
		while (end && is_blank(rest.p[end - 1]))
			end--;
		for (at = end; at && is_hex(rest.p[at - 1]);)
			at--;
		for (blank = at; blank && is_blank(rest.p[blank - 1]);)
			blank--;
		if (at < end && end - at <= PERF_SCRIPT_ADDR && blank < at &&
			end - blank >= PERF_SCRIPT_ADDR && end < rest.len &&
			cr_scan_trim((struct cr_str){rest.p + end, rest.len - end}).len) {
			*before = (struct cr_str){rest.p, blank};
			out->addr = (struct cr_str){rest.p + at, end - at};
			out->text = (struct cr_str){rest.p + end + 1, rest.len - end - 1};
			return true;
		}
		while (at && !is_blank(rest.p[at - 1]))
			at--;
	}
	return false;
}

uint64_t
cr_perf_script_addr(struct cr_str addr)
{
	uint64_t v = 0;

	cr_scan_hex(cr_scan_trim(addr), &v);
	return v;
}

/* ---- kind of a dso */

static bool
is_perf_map(struct cr_str s)
{
	static const char start[] = "/tmp/perf-";
	const char *p = memmem(s.p, s.len, start, sizeof(start) - 1), *end = s.p + s.len;

	if (!p)
		return false;
	if (p == s.p && cr_str_ends(s, ".map"))
		return true;
	for (p += sizeof(start) - 1; p < end && *p >= '0' && *p <= '9';)
		p++;
	return end - p >= 4 && memcmp(p, ".map", 4) == 0;
}

static bool
is_jit(struct cr_str s)
{
	static const char jitted[] = "/jitted-";

	return is_perf_map(s) || cr_str_starts(s, "[JIT") ||
	       (cr_str_starts(cr_str_basename(s), "jit-") && cr_str_ends(s, ".dump")) ||
	       (cr_str_ends(s, ".so") && memmem(s.p, s.len, jitted, sizeof(jitted) - 1));
}

static bool
is_module_file(struct cr_str s)
{
	return cr_str_ends(s, ".ko") || cr_str_ends(s, ".ko.gz") || cr_str_ends(s, ".ko.xz") ||
	       cr_str_ends(s, ".ko.zst");
}

/* "vmlinux", "vmlinux-6.1.0-18-amd64": followed by nothing but a version. */
static bool
is_vmlinux(struct cr_str s)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	const struct cr_str base = cr_str_basename(s);

	if (!cr_str_starts(base, "vmlinux"))
		return false;
	for (uint32_t i = 0; i < base.len; i++)
		if (!memchr(plain, base.p[i], sizeof(plain) - 1))
			return false;
	return true;
}

static enum cr_kind
bracket_kind(struct cr_str s)
{
	static const struct {
		const char *start;
		enum cr_kind kind;
	} kinds[] = {
		{"[vdso", CR_KIND_VDSO},
		{"[vsyscall", CR_KIND_VDSO},
		{"[vvar", CR_KIND_USER},
		{"[stack", CR_KIND_USER},
		{"[heap", CR_KIND_USER},
		{"[anon", CR_KIND_USER},
		{"[uprobes", CR_KIND_USER},
		{"[unknown", CR_KIND_USER},
		{"[bpf", CR_KIND_BPF},
		{"[kernel.", CR_KIND_KERNEL},
		{"[guest.", CR_KIND_KERNEL},
	};

	for (size_t i = 0; i < CR_LEN(kinds); i++)
		if (cr_str_starts(s, kinds[i].start))
			return kinds[i].kind;
	return CR_KIND_MODULE;
}

enum cr_kind
cr_perf_script_kind(struct cr_str dso, struct cr_str name)
{
	if (cr_str_starts(dso, "bpf_prog_") || cr_str_starts(name, "bpf_prog_"))
		return CR_KIND_BPF;
	if (!dso.len)
		return CR_KIND_UNKNOWN;
	if (is_jit(dso))
		return CR_KIND_JIT;
	if (dso.p[0] == '[')
		return bracket_kind(dso);
	if (is_module_file(dso))
		return CR_KIND_MODULE;
	return is_vmlinux(dso) ? CR_KIND_KERNEL : CR_KIND_USER;
}

/* ---- its parts */

/*
 * Position of the parenthesis of the dso, which closes at the end of s: the matching one, after a
 * blank; or, if names contain brackets, the last one after a blank. s.len if there is none.
 */
static uint32_t
dso_at(struct cr_str s)
{
	uint32_t open = 0, behind_blank = s.len;

	for (uint32_t i = s.len; i-- > 0;) {
		open += s.p[i] == ')';
		if (s.p[i] != '(')
			continue;
		if (i == 0 || is_blank(s.p[i - 1])) {
			if (behind_blank == s.len)
				behind_blank = i;
			if (open == 1)
				return i;
		}
		if (open-- == 1)
			return s.len; /* belongs to the name: "f(int)" */
	}
	return behind_blank;
}

/* Remove "+0x1f" from the end of *s. */
static uint64_t
parse_offset(struct cr_str *s)
{
	uint32_t at = s->len;
	uint64_t v = 0;

	while (at && is_hex(s->p[at - 1]))
		at--;
	if (at == s->len || at < 3 || memcmp(s->p + at - 3, "+0x", 3) != 0 ||
		!cr_scan_hex((struct cr_str){s->p + at, s->len - at}, &v))
		return 0;
	s->len = at - 3;
	return v;
}

void
cr_perf_script_frame(struct cr_str text, struct perf_script_frame *out)
{
	const uint32_t at = text.len && text.p[text.len - 1] == ')' ? dso_at(text) : text.len;
	struct cr_str name = cr_scan_trim((struct cr_str){text.p, at});
	bool offset_only;

	*out = (struct perf_script_frame){0};
	if (at < text.len) {
		out->dso = (struct cr_str){text.p + at + 1, text.len - at - 2};
		parse_offset(&out->dso); /* offset in the dso */
	}
	offset_only = name.len != 0;
	out->offset = parse_offset(&name);
	offset_only &= name.len == 0;
	out->name = offset_only ? CR_STR("-") : name;
	if (cr_str_eq(out->dso, CR_STR("[unknown]")))
		out->dso.len = 0;
	if (cr_str_eq(name, CR_STR("[unknown]")))
		out->name.len = 0;
}

bool
cr_perf_script_inlined(struct cr_str text)
{
	static const char mark[] = " (inlined)";
	const uint32_t n = sizeof(mark) - 1;

	return text.len >= n && memcmp(text.p + text.len - n, mark, n) == 0;
}

static void
cut_discriminator(struct cr_str *s)
{
	static const char mark[] = " (discriminator";
	const char *more = s->len ? memmem(s->p, s->len, mark, sizeof(mark) - 1) : NULL;

	if (more)
		s->len = (uint32_t)(more - s->p);
}

bool
cr_perf_script_is_source(struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line), file;
	const char *open = s.len ? memrchr(s.p, '[', s.len) : NULL;
	uint32_t number;
	uint64_t any;

	if (line.len < 3 || line.p[0] != ' ' || line.p[1] != ' ' || is_blank(line.p[2]))
		return false;
	if (open && open > s.p && cr_str_ends(s, "]"))
		return cr_scan_hex(
			(struct cr_str){open + 1, (uint32_t)(s.p + s.len - open) - 2}, &any);
	cut_discriminator(&s);
	file = s;
	return cr_scan_source_line(&file, &number) && file.len;
}

void
cr_perf_script_source(struct cr_str line, struct cr_str *file, uint32_t *number)
{
	struct cr_str s = cr_scan_trim(line);
	const char *colon;
	uint64_t v;

	*file = (struct cr_str){0};
	*number = 0;
	cut_discriminator(&s);
	colon = s.len ? memrchr(s.p, ':', s.len) : NULL;
	if (!colon ||
		!cr_scan_u64((struct cr_str){colon + 1, (uint32_t)(s.p + s.len - colon - 1)}, &v) ||
		v == 0 || v > UINT32_MAX)
		return;
	*file = (struct cr_str){s.p, (uint32_t)(colon - s.p)};
	*number = (uint32_t)v;
}
