#include "read/kit/line_pattern_p.h"
#include "traced_p.h"

/*
 * Maps printed by bpftrace: each entry has keys and a value. Keys may be stacks, innermost frame
 * first. Each map is an event; other keys become roots.
 *
 *	@stacks[bash,                                 a key before the stack
 *	    _raw_spin_lock_bh+0
 *	    tcp_recvmsg+808
 *	,                                             another stack, and keys after it
 *	    main+30@/src/m.c:12
 *	, 123]: 5
 *
 * Frames have many forms, depending on the stack mode and on how bpftrace was built:
 *
 *	    f+12@/src/m.c:12      also without a source line
 *	    [inlined] f@/src/m.c:3
 *		7f12ab f+12 (/bin/x)  perf; "(inlined)" instead of the dso
 *		7f12ac 0x7f12ac ([unknown])
 *	7f12ac                        raw
 *	289ee3...c76158b4 0x1b51      build_id: the file, and the offset in it
 *	    0x7f12ac                  without a name
 */

struct bpftrace {
	struct cr_stacks s;
	struct cr_traced stack;
	bool in_entry, in_table;
	struct cr_str opening; /* first line of the entry */
	uint64_t opening_line, opening_mark;
};

/* ---- frames */

/* Split "f+12" into "f" and 12; false if the text does not end like that. */
static bool
cut_offset(struct cr_str text, uint32_t end, struct cr_traced_frame *f)
{
	uint32_t from = end;

	while (from > 0 && text.p[from - 1] >= '0' && text.p[from - 1] <= '9')
		from--;
	if (from == end || from == 0 || text.p[from - 1] != '+')
		return false;
	if (!cr_scan_u64((struct cr_str){text.p + from, end - from}, &f->addr))
		f->addr = UINT64_MAX;
	f->name = (struct cr_str){text.p, from - 1};
	return true;
}

/* "f+12@/src/m.c:12". A symbol may contain '@': "read@@GLIBC_2.2.5+0". */
static void
parse_symbol(struct cr_str text, struct cr_traced_frame *f)
{
	f->name = text;
	for (uint32_t i = 0; i < text.len; i++)
		if (text.p[i] == '@' && cut_offset(text, i, f)) {
			cr_stacks_source((struct cr_str){text.p + i + 1, text.len - i - 1},
				&f->file, &f->line);
			return;
		}
	cut_offset(text, text.len, f);
}

static void
parse_inlined(struct cr_str text, struct cr_traced_frame *f)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	f->inlined = true;
	f->name = text;
	if (cr_line_pattern(text, "%*@%*", found) && cr_stacks_source(found[1], &f->file, &f->line))
		f->name = found[0];
}

/*
 * Position of the bracket that closes at the end of the text, "f+1 (/bin/x (1))"; text.len if there
 * is none.
 */
static uint32_t
last_bracket(struct cr_str text)
{
	uint32_t depth = 0;

	if (!cr_str_ends(text, ")"))
		return text.len;
	for (uint32_t i = text.len; i-- > 0;) {
		depth += text.p[i] == ')';
		if (text.p[i] == '(' && --depth == 0)
			return i > 0 && text.p[i - 1] == ' ' ? i : text.len;
	}
	return text.len;
}

/* "main+17 (/bin/x)", "0x7f12ac ([unknown])", "do_mmap+1" */
static void
parse_perf(struct cr_str address, struct cr_str text, struct cr_traced_frame *f)
{
	const uint32_t bracket = last_bracket(text);
	uint64_t ip = 0;

	cr_scan_hex(address, &ip);
	f->kernel = bracket == text.len || ip >> 63;
	if (bracket < text.len) {
		f->module = (struct cr_str){text.p + bracket + 1, text.len - bracket - 2};
		text.len = bracket - 1;
	}
	f->inlined = cr_str_eq(f->module, CR_STR("inlined"));
	if (f->inlined || cr_str_eq(f->module, CR_STR("[unknown]")))
		f->module = CR_STR("");
	f->name = text;
	cut_offset(text, text.len, f);
}

/* The file is known only by its build-id, which becomes its name. */
static void
parse_build_id(struct cr_str id, struct cr_str offset, struct cr_traced_frame *f)
{
	f->module = id;
	f->build_id_len = sizeof(f->build_id);
	for (uint32_t i = 0; i < sizeof(f->build_id); i++) {
		uint64_t byte = 0;

		cr_scan_hex((struct cr_str){id.p + 2 * i, 2}, &byte);
		f->build_id[i] = (uint8_t)byte;
	}
	cr_scan_hex(offset, &f->addr);
}

static void
parse_frame(struct bpftrace *t, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], text = cr_scan_trim(line);
	struct cr_traced_frame f = CR_TRACED_NONE;

	if (line.p[0] == '\t' && cr_line_pattern(text, "%x %*", found)) {
		parse_perf(found[0], found[1], &f);
	} else if (cr_str_starts(text, "[inlined] ")) {
		parse_inlined((struct cr_str){text.p + 10, text.len - 10}, &f);
	} else if (cr_line_pattern(text, "%x 0x%x", found) &&
		   found[0].len == 2 * sizeof(f.build_id)) {
		parse_build_id(found[0], found[1], &f);
	} else if (line.p[0] != ' ' && cr_line_pattern(text, "%x", NULL)) {
		f.name = text;
		f.bare = true;
	} else {
		parse_symbol(text, &f);
	}
	cr_vec_push(&t->stack.frames, f);
}

/* ---- entries */

/* "bash, 123", maybe followed by a comma. */
static void
add_keys(struct bpftrace *t, struct cr_str keys)
{
	while (keys.len) {
		const char *comma = memmem(keys.p, keys.len, ", ", 2);
		struct cr_str key = {keys.p, comma ? (uint32_t)(comma - keys.p) : keys.len};

		keys.p += key.len + (comma ? 2 : 0);
		keys.len -= key.len + (comma ? 2 : 0);
		key = cr_scan_trim(key);
		if (!comma && cr_str_ends(key, ",")) /* its trailing blank was lost */
			key.len--;
		if (key.len)
			cr_stacks_key(&t->s, key);
	}
}

static void
drop_entry(struct bpftrace *t)
{
	t->stack.frames.n = 0;
	t->in_entry = false;
	cr_stacks_clear_roots(&t->s);
}

static void
end_entry(struct bpftrace *t, struct cr_str value, struct cr_str line)
{
	const bool negative = value.len && value.p[0] == '-';
	uint64_t weight;

	t->in_table = value.len == 0;
	cr_stacks_used(&t->s);
	if (!cr_stacks_count(&t->s, (struct cr_str){value.p + negative, value.len - negative}, line,
		    &weight)) {
		cr_stacks_report(&t->s, CR_REASON_NOT_A_NUMBER, line);
		cr_diagnostics_lose(&t->s.report, t->opening_mark);
		drop_entry(t);
		return;
	}
	cr_traced_end(&t->stack, &t->s);
	if (negative)
		cr_stacks_end_negative(&t->s, weight);
	else
		cr_stacks_end_leaf_first(&t->s, weight);
	drop_entry(t);
}

/* Split at the last "]: " of a line into keys and value. */
static bool
split_value(struct cr_str line, struct cr_str *keys, struct cr_str *value)
{
	for (uint32_t i = line.len; i-- > 0;)
		if (line.p[i] == ']' && i + 1 < line.len && line.p[i + 1] == ':' &&
			(i + 2 == line.len || line.p[i + 2] == ' ')) {
			*keys = (struct cr_str){line.p, i};
			*value = cr_scan_trim((struct cr_str){line.p + i + 2, line.len - i - 2});
			return true;
		}
	return false;
}

/* Length of the name of a map, including '@'; 0 if no map with keys begins here. */
static uint32_t
map_name(struct cr_str line)
{
	uint32_t n = 1;

	if (line.len == 0 || line.p[0] != '@')
		return 0;
	while (n < line.len && (line.p[n] == '_' || (line.p[n] >= '0' && line.p[n] <= '9') ||
				       ((line.p[n] | 32) >= 'a' && (line.p[n] | 32) <= 'z')))
		n++;
	return n < line.len && line.p[n] == '[' ? n : 0;
}

static void
report_unclosed(struct bpftrace *t)
{
	if (t->in_entry) {
		cr_diagnostics_add(&t->s.report, CR_REASON_UNCLOSED, t->opening_line, t->opening);
		cr_diagnostics_lose(&t->s.report, t->opening_mark);
	}
	drop_entry(t);
}

static void
begin_entry(struct bpftrace *t, struct cr_str line, uint32_t name)
{
	const struct cr_str rest = {line.p + name + 1, line.len - name - 1};
	struct cr_str keys, value;

	report_unclosed(t);
	t->in_table = false;
	t->s.event = cr_builder_event(t->s.b, (struct cr_str){line.p, name}, t->s.unit);
	t->opening = line;
	t->opening_line = t->s.scan.line;
	t->opening_mark = cr_diagnostics_mark(&t->s.report);
	if (split_value(rest, &keys, &value)) {
		add_keys(t, keys);
		end_entry(t, value, line);
	} else if (cr_scan_trim(rest).len == 0 || cr_str_ends(cr_scan_trim(rest), ",")) {
		add_keys(t, rest);
		t->in_entry = true;
		cr_stacks_used(&t->s);
	} else {
		cr_stacks_report(&t->s, CR_REASON_NOISE, line);
	}
}

static void
parse_entry_line(struct bpftrace *t, struct cr_str line)
{
	struct cr_str keys, value;

	cr_stacks_used(&t->s);
	if ((line.p[0] == ']' || line.p[0] == ',') && split_value(line, &keys, &value)) {
		if (keys.len)
			add_keys(t, (struct cr_str){keys.p + 1, keys.len - 1});
		end_entry(t, value, line);
	} else if (line.p[0] == ',') {
		cr_traced_mark_kernel(&t->stack); /* of two stacks the first is the kernel's */
		add_keys(t, (struct cr_str){line.p + 1, line.len - 1});
	} else {
		parse_frame(t, line);
	}
}

static void
parse_other_line(struct bpftrace *t, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	if (cr_line_pattern(line, "Attach%*%_%d probe%*", NULL) || cr_str_starts(line, "^C")) {
		cr_stacks_used(&t->s);
	} else if (line.p[0] == '\t' || cr_str_starts(line, "    ")) {
		cr_stacks_report(&t->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	} else if (cr_line_pattern(line, "@%*:%*", found) && cr_scan_trim(found[1]).len == 0) {
		cr_stacks_report(&t->s, CR_REASON_NOT_A_NUMBER, line);
		t->in_table = true;
	} else {
		cr_stacks_report(&t->s, CR_REASON_NOISE, line);
	}
}

static void
parse_line(struct bpftrace *t, struct cr_str line)
{
	const uint32_t name = map_name(line);

	if (name)
		begin_entry(t, line, name);
	else if (cr_scan_trim(line).len == 0)
		t->in_table = false;
	else if (t->in_entry)
		parse_entry_line(t, line);
	else if (t->in_table)
		cr_stacks_reported(&t->s);
	else
		parse_other_line(t, line);
}

static int
read_bpftrace(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct bpftrace t = {0};
	struct cr_str line;

	cr_stacks_open(&t.s, in, b, opts, NULL);
	cr_builder_fact(b, "collapse", CR_STR("all events"));
	while (cr_stacks_line(&t.s, &line))
		parse_line(&t, line);
	cr_diagnostics_finish(&t.s.report);
	report_unclosed(&t);
	cr_traced_fini(&t.stack);
	return cr_stacks_close(&t.s, err);
}

/* Requires a map with keys, and the end of an entry. */
static unsigned
probe_bpftrace(const struct cr_head *head, uint64_t *line)
{
	struct cr_str text, keys, value;
	uint64_t first = 0;
	struct cr_scan scan;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		if (!first && map_name(text))
			first = scan.line;
		if (first && split_value(text, &keys, &value)) {
			*line = first;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

const struct cr_reader cr_reader_bpftrace = {
	.name = "bpftrace",
	.about = "maps of bpftrace that are keyed by stacks",
	.probe = probe_bpftrace,
	.read = read_bpftrace,
};
