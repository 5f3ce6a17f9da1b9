#include "mappings_p.h"
#include "pprof_samples_p.h"

/*
 * Output of `pprof -traces`: one block per sample between rules, with its labels, and its value
 * before the first frame, innermost first.
 *
 *	File: prog
 *	Type: cpu
 *	-----------+-------------------------------------------------------
 *	      key1:  tag1
 *	      20ms   runtime.memmove
 *	             strings.(*Builder).WriteString (inline)
 *	             main.main
 *	-----------+-------------------------------------------------------
 *
 * Values are rounded to about three digits; `pprof -raw` has all of them.
 */
#define RULE CR_STR("-----------+-------------------------------------------------------")

static const struct {
	const char *suffix, *unit;
	uint64_t times;
} units[] = {
	/* Before "s", since the first matching suffix counts. */
	{"mins", "ns", 60000000000},
	{"hrs", "ns", 3600000000000},
	{"ns", "ns", 1},
	{"us", "ns", 1000},
	{"ms", "ns", 1000000},
	{"s", "ns", 1000000000},
	{"kB", "bytes", 1024},
	{"MB", "bytes", 1 << 20},
	{"GB", "bytes", 1 << 30},
	{"TB", "bytes", UINT64_C(1) << 40},
	{"PB", "bytes", UINT64_C(1) << 50},
	{"B", "bytes", 1},
};

struct traces {
	struct cr_stacks s;
	struct cr_pprof_types types; /* only one */
	struct cr_pprof_labels labels;
	struct cr_text text;
	int64_t value;
	bool in_blocks; /* after the first rule */
	bool has_value; /* of the current block */
};

/* ---- values */

#define THOUSANDTHS 1000u

/* "1.50s" in ns, "512kB" in bytes, "12": *unit is "" for a bare number. */
static bool
value_parse(struct cr_str s, int64_t *value, const char **unit)
{
	struct cr_decimal d;
	uint64_t times = 1, v;

	*unit = "";
	for (size_t i = 0; i < CR_LEN(units); i++)
		if (cr_str_ends(s, units[i].suffix)) {
			*unit = units[i].unit;
			times = units[i].times;
			s.len -= (uint32_t)strlen(units[i].suffix);
			break;
		}
	if (!cr_scan_decimal(s, 3, &d))
		return false;
	if (!cr_mul_ok(d.value / THOUSANDTHS, times, &v) ||
		!cr_add_ok(
			v, (d.value % THOUSANDTHS * times + THOUSANDTHS / 2) / THOUSANDTHS, &v) ||
		v > INT64_MAX)
		v = INT64_MAX;
	*value = d.negative ? -(int64_t)v : (int64_t)v;
	return true;
}

/*
 * " 20ms runtime.memmove": at least three blanks after the value; labels have two, and a colon.
 */
static bool
value_line(struct cr_str line, int64_t *value, const char **unit, struct cr_str *name)
{
	struct cr_str rest = line;
	const struct cr_str word = cr_scan_word(&rest);

	*name = cr_scan_trim(rest);
	return cr_str_starts(rest, "   ") && value_parse(word, value, unit);
}

/* The unit of the first value that has one; a bare 0 may precede it. */
static const char *
find_unit(struct cr_scan scan)
{
	struct cr_str line, name;
	const char *unit;
	int64_t value;

	while (cr_scan_line(&scan, &line))
		if (value_line(line, &value, &unit, &name) && *unit)
			return unit;
	return "count";
}

/* ---- frames */

/* Split off "/tmp/main.go:7" at the end, printed if lines were requested. */
static void
place_split(struct cr_named *named)
{
	const struct cr_str s = named->name;
	const char *blank = s.len ? memrchr(s.p, ' ', s.len) : NULL;
	struct cr_str file;

	if (!blank)
		return;
	file = cr_str_from(s, blank + 1);
	if (!cr_scan_source_line(&file, &named->line))
		return;
	named->name = cr_scan_trim(cr_str_to(s, blank));
	named->file = file;
}

/* Split off an address of sixteen digits, printed if addresses were requested. */
static bool
address_split(struct cr_str *s, uint64_t *addr)
{
	struct cr_str rest = *s;
	const struct cr_str word = cr_scan_word(&rest);

	if (word.len != 16 || !cr_scan_hex(word, addr))
		return false;
	*s = cr_scan_trim(rest);
	return true;
}

/* "0000000000437571 [prog]" is a nameless address in prog, "<unknown>" one in no file. */
static bool
is_nameless(struct cr_str s, struct cr_str *file)
{
	*file = CR_STR("");
	if (s.len == 0 || cr_str_eq(s, CR_STR("<unknown>")))
		return true;
	if (s.p[0] != '[' || s.p[s.len - 1] != ']')
		return false;
	*file = (struct cr_str){s.p + 1, s.len - 2};
	return true;
}

static void
frame(struct traces *t, struct cr_str s)
{
	const bool inlined = cr_str_ends(s, " (inline)");
	struct cr_named named = {.file = CR_STR("")};
	struct cr_mapping mapping = {0};
	struct cr_str file;
	bool has_address;
	uint64_t addr;

	if (inlined)
		s.len -= (uint32_t)strlen(" (inline)");
	has_address = address_split(&s, &addr);
	named.name = s;
	if (has_address && is_nameless(s, &file)) {
		mapping.dso = cr_mapping_dso(t->s.b, file, CR_STR(""), &mapping.has_id);
		cr_stacks_location(&t->s, cr_mapping_nameless(t->s.b, &mapping, addr));
		return;
	}
	place_split(&named);
	if (inlined)
		cr_stacks_inlined(&t->s, &named);
	else
		cr_stacks_frame_at(&t->s, CR_DSO_UNKNOWN, 0, &named);
}

/* ---- blocks */

static void
block_end(struct traces *t)
{
	if (t->has_value)
		cr_pprof_sample(&t->s, &t->types, &t->value, 1, &t->labels);
	t->has_value = false;
	cr_pprof_labels_clear(&t->labels);
}

/* "      key1:  tag1" */
static bool
label(struct traces *t, struct cr_str line)
{
	const char *colon = memmem(line.p, line.len, ":  ", 3);
	struct cr_str key, value;

	if (!colon)
		return false;
	key = cr_scan_trim(cr_str_to(line, colon));
	value = cr_scan_trim(cr_str_from(line, colon + 1));
	cr_pprof_label_text(&t->labels, t->s.b, key, value);
	return true;
}

static void
block_line(struct traces *t, struct cr_str line)
{
	struct cr_str name;
	const char *unit;

	cr_stacks_used(&t->s);
	if (t->has_value) {
		frame(t, cr_scan_trim(line));
	} else if (value_line(line, &t->value, &unit, &name)) {
		t->has_value = true;
		frame(t, name);
	} else if (!label(t, line)) {
		cr_stacks_report(&t->s, CR_REASON_BAD_COUNT, line);
	}
}

/* "Duration: 5.40s, Total samples = 2.59s (47.99%)" */
static void
duration_read(struct traces *t, struct cr_str s)
{
	const char *comma = s.len ? memchr(s.p, ',', s.len) : NULL, *unit;
	int64_t ns;

	if (comma)
		s = cr_str_to(s, comma);
	if (!value_parse(s, &ns, &unit) || ns <= 0)
		return;
	cr_text_clear(&t->text);
	cr_text_u64(&t->text, (uint64_t)ns);
	cr_builder_fact(t->s.b, "duration_ns", cr_text_view(&t->text));
}

static void
header_line(struct traces *t, struct cr_str line)
{
	static const struct {
		const char *head, *fact;
	} heads[] = {
		{"File: ", "file"},
		{"Build ID: ", "build-id"},
		{"Time: ", "date"},
		{"Comment: ", "comments"},
	};
	bool known = true;

	if (cr_str_starts(line, "Type: "))
		t->types.row[0].name = cr_str_from(line, line.p + 6);
	else if (cr_str_starts(line, "Duration: "))
		duration_read(t, cr_str_from(line, line.p + 10));
	else
		known = cr_str_eq(line, CR_STR("Active filters:")) ||
			(cr_str_starts(line, "   ") && memchr(line.p, '=', line.len));
	for (size_t i = 0; i < CR_LEN(heads); i++) {
		if (!cr_str_starts(line, heads[i].head))
			continue;
		cr_builder_fact(t->s.b, heads[i].fact,
			cr_scan_trim(cr_str_from(line, line.p + strlen(heads[i].head))));
		known = true;
	}
	if (known)
		cr_stacks_used(&t->s);
}

static void
line_read(struct traces *t, struct cr_str line)
{
	if (cr_str_eq(line, RULE)) {
		cr_stacks_used(&t->s);
		if (!t->in_blocks)
			cr_pprof_events(&t->types, t->s.b, CR_STR(""));
		t->in_blocks = true;
		block_end(t);
	} else if (!t->in_blocks) {
		header_line(t, line);
	} else if (cr_scan_trim(line).len) {
		block_line(t, line);
	}
}

static int
read_pproftraces(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct traces *t = cr_alloc(1, sizeof(*t));
	struct cr_str line;
	int rc;

	cr_stacks_open_bare(&t->s, in, b, opts);
	t->labels.space = t->s.space;
	cr_pprof_labels_clear(&t->labels);
	t->types.n = 1;
	t->types.row[0].name = CR_STR("samples");
	t->types.row[0].unit = cr_str_of(find_unit(t->s.scan));
	while (cr_stacks_line(&t->s, &line))
		line_read(t, line);
	if (t->has_value)
		cr_stacks_report(&t->s, CR_REASON_UNCLOSED, CR_STR(""));
	block_end(t);
	cr_pprof_set_main(&t->types, b);
	rc = cr_stacks_close(&t->s, err);
	cr_pprof_labels_fini(&t->labels);
	cr_text_fini(&t->text);
	free(t);
	return rc;
}

static bool
is_rule(struct cr_str line)
{
	return cr_str_eq(line, RULE);
}

static bool
is_type(struct cr_str line)
{
	return cr_str_starts(line, "Type: ");
}

static unsigned
probe_pproftraces(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_type, 1, 0, line)
		       ? cr_stacks_signature(head, is_rule, CR_EVIDENCE_SIGNATURE, 0, line)
		       : 0;
}

const struct cr_reader cr_reader_pproftraces = {
	.name = "pproftraces",
	.about = "the output of pprof -traces",
	.probe = probe_pproftraces,
	.read = read_pproftraces,
};
