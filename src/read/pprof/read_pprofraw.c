#include "base/hash.h"

#include "mappings_p.h"
#include "pprof_samples_p.h"

/*
 * Output of `pprof -raw`: a complete profile. The samples come first and refer to locations by
 * number.
 *
 *	PeriodType: cpu nanoseconds
 *	Samples:
 *	samples/count cpu/nanoseconds[dflt]
 *	          2   20000000: 1 2
 *	                thread:[main] key:[v w]
 *	Locations
 *	     1: 0x49ba04 M=1 strings.(*Builder).WriteString /usr/lib/go/builder.go:124:1 s=120
 *	             strings.Repeat /usr/lib/go/strings.go:549:2 s=530(strings.Repeat.1)
 *	     2: 0x437571 M=1
 *	Mappings
 *	1: 0x400000/0x4b8000/0x0 /tmp/prog 0123456789abcdef [FN]
 *
 * Frames are innermost first, and so are the lines of a location. Everything but the samples is
 * read in a first pass.
 */
#define LABEL_INDENT "                " /* a value has ten columns, and there may be a single one */

enum part { PART_HEADER, PART_TYPES, PART_SAMPLES, PART_LOCATIONS, PART_MAPPINGS };

struct location {
	uint64_t addr, mapping; /* mapping 0 means none */
	size_t first, n;        /* of lines */
	uint32_t made1;         /* the builder's location, + 1; 0 if none yet */
};

/* Rows by the number used in the text. */
struct numbers {
	CR_VEC(uint64_t) number;
	struct cr_index index;
};

struct raw {
	struct cr_stacks s;
	struct cr_pprof_types types;
	struct cr_pprof_labels labels;
	enum part part;
	struct cr_str main;     /* name of the type marked [dflt] */
	struct cr_scan samples; /* their start */
	struct numbers location_numbers, mapping_numbers;
	CR_VEC(struct location) locations;
	CR_VEC(struct cr_named) lines;
	CR_VEC(struct cr_mapping) mappings;
	/* The current sample. */
	bool open;
	CR_VEC(int64_t) values;
};

/* ---- numbers */

static uint32_t
number_find(const struct numbers *n, uint64_t number)
{
	const uint64_t h = cr_hash_mix(number, 0);
	uint32_t row;

	cr_index_each(&n->index, h, row)
		if (n->number.p[row] == number)
			return row;
	return CR_NO_ROW;
}

/* Returns false if the number is in use, or there are too many. */
static bool
number_add(struct numbers *n, uint64_t number)
{
	if (number_find(n, number) != CR_NO_ROW || n->number.n >= CR_NO_ROW - 1)
		return false;
	cr_index_add(&n->index, cr_hash_mix(number, 0), (uint32_t)n->number.n);
	cr_vec_push(&n->number, number);
	return true;
}

static void
numbers_fini(struct numbers *n)
{
	cr_vec_fini(&n->number);
	cr_index_fini(&n->index);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "12:" */
static bool
number_word(struct cr_str word, uint64_t *out)
{
	return cr_str_ends(word, ":") && cr_scan_u64((struct cr_str){word.p, word.len - 1}, out);
}

/* ---- the first pass: locations and mappings */

/* Position of " s=120": after a line's number, and followed only by the system's name. */
static const char *
find_start_line(struct cr_str s)
{
	for (uint32_t i = 1; i + 3 < s.len; i++) {
		uint32_t end = i + 3;

		if (s.p[i] != ' ' || !is_digit(s.p[i - 1]) || s.p[i + 1] != 's' ||
			s.p[i + 2] != '=')
			continue;
		while (end < s.len && is_digit(s.p[end]))
			end++;
		if (end > i + 3 && (end == s.len || s.p[end] == '('))
			return s.p + i;
	}
	return NULL;
}

/*
 * "runtime.memmove /usr/lib/go/memmove.s:40:0 s=0(_runtime.memmove)": names contain blanks, so it
 * is parsed from the right.
 */
static bool
line_parse(struct cr_str s, struct cr_named *out)
{
	const char *start = find_start_line(s), *blank;
	uint32_t column;

	*out = (struct cr_named){.name = s, .file = CR_STR("")};
	if (!start)
		return false;
	s = cr_str_to(s, start);
	blank = s.len ? memrchr(s.p, ' ', s.len) : NULL;
	out->name = blank ? cr_scan_trim(cr_str_to(s, blank)) : CR_STR("");
	out->file = blank ? cr_str_from(s, blank + 1) : s;
	if (!cr_scan_source_line(&out->file, &column))
		return false;
	if (!cr_scan_source_line(&out->file, &out->line))
		out->line = column; /* there is no column */
	return true;
}

static void
add_line(struct raw *r, struct cr_str s, struct cr_str line)
{
	struct cr_named named;

	if (s.len == 0)
		return;
	if (cr_str_eq(s, CR_STR("??")))
		named = (struct cr_named){.name = CR_STR(""), .file = CR_STR("")};
	else if (!line_parse(s, &named))
		cr_stacks_report(&r->s, CR_REASON_BAD_FRAME, line);
	if (r->locations.p[r->locations.n - 1].n < UINT16_MAX) {
		r->locations.p[r->locations.n - 1].n++;
		cr_vec_push(&r->lines, named);
	}
}

static void
location_line(struct raw *r, struct cr_str line)
{
	struct location new = {.first = r->lines.n};
	struct cr_str rest = line, more, word;
	uint64_t number;

	cr_stacks_used(&r->s);
	if (!number_word(cr_scan_word(&rest), &number) ||
		!cr_scan_hex(cr_scan_word(&rest), &new.addr)) {
		if (r->locations.n)
			add_line(r, cr_scan_trim(line), line);
		else
			cr_stacks_report(&r->s, CR_REASON_BAD_FRAME, line);
		return;
	}
	more = rest;
	word = cr_scan_word(&more);
	if (cr_str_starts(word, "M=") && cr_scan_u64(cr_str_from(word, word.p + 2), &new.mapping))
		rest = more;
	rest = cr_scan_trim(rest);
	if (cr_str_starts(rest, "[F] ")) /* some functions with identical code were merged */
		rest = cr_scan_trim(cr_str_from(rest, rest.p + 4));
	if (!number_add(&r->location_numbers, number)) {
		cr_stacks_report(&r->s, CR_REASON_DUP_ID, line);
		return;
	}
	cr_vec_push(&r->locations, new);
	add_line(r, rest, line);
}

/* "1: 0x400000/0x4b8000/0x0 /tmp/prog 0123456789abcdef [FN][FL]" */
static void
mapping_line(struct raw *r, struct cr_str line)
{
	struct cr_mapping new = {0};
	struct cr_str rest = line, range, file, id;
	const char *a, *b;
	uint64_t number;

	if (!number_word(cr_scan_word(&rest), &number)) {
		if (cr_scan_trim(line).len)
			cr_stacks_report(&r->s, CR_REASON_BAD_HEADER, line);
		return;
	}
	cr_stacks_used(&r->s);
	range = cr_scan_word(&rest);
	a = range.len ? memchr(range.p, '/', range.len) : NULL;
	b = range.len ? memrchr(range.p, '/', range.len) : NULL;
	if (!a || a == b || !cr_scan_hex(cr_str_to(range, a), &new.start) ||
		!cr_scan_hex((struct cr_str){a + 1, (uint32_t)(b - a) - 1}, &new.end) ||
		!cr_scan_hex(cr_str_from(range, b + 1), &new.offset)) {
		cr_stacks_report(&r->s, CR_REASON_BAD_HEADER, line);
		return;
	}
	file = cr_scan_word(&rest);
	id = cr_scan_word(&rest);
	new.dso =
		cr_mapping_dso(r->s.b, file, cr_str_starts(id, "[") ? CR_STR("") : id, &new.has_id);
	if (!number_add(&r->mapping_numbers, number)) {
		cr_stacks_report(&r->s, CR_REASON_DUP_ID, line);
		return;
	}
	if (new.start < new.end)
		cr_builder_map(r->s.b, r->labels.space, new.start, new.end, new.offset, new.dso);
	cr_vec_push(&r->mappings, new);
}

/* "samples/count cpu/nanoseconds[dflt]" */
static void
types_line(struct raw *r, struct cr_str line)
{
	static const struct cr_str mark = CR_STR("[dflt]");
	struct cr_pprof_type *t = r->types.row;
	struct cr_str word;

	while ((word = cr_scan_word(&line)).len && r->types.n < CR_PPROF_TYPES_MAX) {
		const bool is_main = cr_str_ends(word, mark.p);
		const char *slash;

		word.len -= is_main ? mark.len : 0;
		slash = word.len ? memrchr(word.p, '/', word.len) : NULL;
		t->name = slash ? cr_str_to(word, slash) : word;
		t->unit = slash ? cr_str_from(word, slash + 1) : CR_STR("");
		if (is_main)
			r->main = t->name;
		t++;
		r->types.n++;
	}
}

static void
header_line(struct raw *r, struct cr_str line)
{
	static const struct {
		const char *head, *fact;
	} heads[] = {
		{"Time: ", "date"},
		{"Duration: ", "duration"},
		{"Comment: ", "comments"},
		{"Doc: ", "documentation"},
		{"PeriodType: ", "period type"},
		{"Period: ", "period"},
	};

	for (size_t i = 0; i < CR_LEN(heads); i++) {
		const uint32_t n = (uint32_t)strlen(heads[i].head);

		if (!cr_str_starts(line, heads[i].head))
			continue;
		cr_builder_fact(r->s.b, heads[i].fact, cr_scan_trim(cr_str_from(line, line.p + n)));
		cr_stacks_used(&r->s);
	}
}

static void
first_pass(struct raw *r)
{
	struct cr_str line;

	while (cr_stacks_line(&r->s, &line)) {
		if (r->part == PART_TYPES) {
			cr_stacks_used(&r->s);
			types_line(r, line);
			r->samples = r->s.scan;
			r->part = PART_SAMPLES;
		} else if (r->part == PART_HEADER && cr_str_eq(line, CR_STR("Samples:"))) {
			r->part = PART_TYPES;
			cr_stacks_used(&r->s);
		} else if (cr_str_eq(line, CR_STR("Locations"))) {
			r->part = PART_LOCATIONS;
			cr_stacks_used(&r->s);
		} else if (cr_str_eq(line, CR_STR("Mappings"))) {
			r->part = PART_MAPPINGS;
			cr_stacks_used(&r->s);
		} else if (r->part == PART_HEADER) {
			header_line(r, line);
		} else if (r->part == PART_LOCATIONS && cr_scan_trim(line).len) {
			location_line(r, line);
		} else if (r->part == PART_MAPPINGS) {
			mapping_line(r, line);
		} else if (r->part == PART_SAMPLES) {
			cr_diagnostics_later(&r->s.report);
		}
	}
}

/* ---- the second pass: samples */

static cr_location_id
location_make(struct raw *r, const struct location *l)
{
	const uint32_t row = l->mapping ? number_find(&r->mapping_numbers, l->mapping) : CR_NO_ROW;
	const struct cr_mapping *m = row == CR_NO_ROW ? NULL : &r->mappings.p[row];

	if (l->n == 0 || !cr_pprof_names_ready(r->lines.p + l->first, l->n))
		return cr_mapping_nameless(r->s.b, m, l->addr);
	return cr_builder_named_at(
		r->s.b, m ? m->dso : CR_DSO_UNKNOWN, 0, r->lines.p + l->first, l->n);
}

static void
push_location(struct raw *r, struct cr_str word, struct cr_str line)
{
	uint64_t number;
	const uint32_t row =
		cr_scan_u64(word, &number) ? number_find(&r->location_numbers, number) : CR_NO_ROW;
	struct location *l;

	if (row == CR_NO_ROW) {
		cr_stacks_report(&r->s, CR_REASON_MISSING_REF, line);
		cr_stacks_frame(&r->s, CR_STR("[unknown]"), CR_DSO_UNKNOWN);
		return;
	}
	l = &r->locations.p[row];
	if (!l->made1)
		l->made1 = location_make(r, l).i + 1;
	cr_stacks_location(&r->s, (cr_location_id){l->made1 - 1});
}

static void
sample_end(struct raw *r)
{
	if (r->open)
		cr_pprof_sample(&r->s, &r->types, r->values.p, r->values.n, &r->labels);
	r->open = false;
	cr_pprof_labels_clear(&r->labels);
}

static bool
values_parse(struct raw *r, struct cr_str s, struct cr_str line)
{
	struct cr_str word;
	uint64_t v;

	r->values.n = 0;
	while ((word = cr_scan_word(&s)).len) {
		const bool negative = word.p[0] == '-';

		word.p += negative;
		word.len -= negative;
		if (!cr_stacks_count(&r->s, word, line, &v))
			return false;
		v = CR_MIN(v, (uint64_t)INT64_MAX);
		cr_vec_push(&r->values, negative ? -(int64_t)v : (int64_t)v);
	}
	return true;
}

/* "thread:[main] key:[v w]"; numbers are on a line of their own: "bytes:[512]" */
static void
labels_line(struct raw *r, struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line);

	cr_stacks_used(&r->s);
	while (s.len) {
		const char *open = memmem(s.p, s.len, ":[", 2), *close;
		struct cr_str key, value;
		uint64_t number;

		if (!open)
			break;
		key = cr_scan_trim(cr_str_to(s, open));
		value = cr_str_from(s, open + 2);
		close = memmem(value.p, value.len, "] ", 2);
		if (!close)
			close = memrchr(value.p, ']', value.len);
		if (!close)
			break;
		value = cr_str_to(value, close);
		if (cr_scan_u64(value, &number) && number <= INT64_MAX)
			cr_pprof_label_number(&r->labels, key, (int64_t)number);
		else
			cr_pprof_label_text(&r->labels, r->s.b, key, value);
		s = cr_scan_trim(cr_str_from(s, close + 1));
	}
	if (s.len)
		cr_stacks_report(&r->s, CR_REASON_BAD_HEADER, line);
}

static void
sample_line(struct raw *r, struct cr_str line)
{
	const char *colon = line.len ? memchr(line.p, ':', line.len) : NULL;
	struct cr_str ids, word;

	if (r->open && cr_str_starts(line, LABEL_INDENT) && memmem(line.p, line.len, ":[", 2)) {
		labels_line(r, line);
		return;
	}
	sample_end(r);
	cr_stacks_used(&r->s);
	if (!colon || !values_parse(r, cr_str_to(line, colon), line) || r->values.n != r->types.n) {
		cr_stacks_report(&r->s, CR_REASON_BAD_COUNT, line);
		return;
	}
	ids = cr_str_from(line, colon + 1);
	while ((word = cr_scan_word(&ids)).len)
		push_location(r, word, line);
	r->open = true;
}

/* The same lines as in the first pass end the samples. */
static bool
ends_samples(struct cr_str line)
{
	return cr_str_eq(line, CR_STR("Locations")) || cr_str_eq(line, CR_STR("Mappings"));
}

static void
second_pass(struct raw *r)
{
	struct cr_str line;

	cr_pprof_events(&r->types, r->s.b, r->main);
	cr_pprof_labels_clear(&r->labels);
	r->s.scan = r->samples;
	while (cr_stacks_line(&r->s, &line)) {
		if (ends_samples(line)) {
			/* The first pass has counted this line and the following ones. */
			cr_diagnostics_later(&r->s.report);
			r->s.scan.p = r->s.scan.end;
			break;
		}
		if (cr_scan_trim(line).len)
			sample_line(r, line);
	}
	sample_end(r);
	cr_pprof_set_main(&r->types, r->s.b);
}

static int
read_pprofraw(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct raw *r = cr_alloc(1, sizeof(*r));
	int rc;

	cr_stacks_open_bare(&r->s, in, b, opts);
	r->labels.space = r->s.space;
	first_pass(r);
	if (!r->s.stopped && r->types.n)
		second_pass(r);
	rc = cr_stacks_close(&r->s, err);
	numbers_fini(&r->location_numbers);
	numbers_fini(&r->mapping_numbers);
	cr_vec_fini(&r->locations);
	cr_vec_fini(&r->lines);
	cr_vec_fini(&r->mappings);
	cr_vec_fini(&r->values);
	cr_pprof_labels_fini(&r->labels);
	free(r);
	return rc;
}

static bool
is_samples(struct cr_str line)
{
	return cr_str_eq(line, CR_STR("Samples:"));
}

static bool
is_period(struct cr_str line)
{
	return cr_str_starts(line, "PeriodType: ") || cr_str_starts(line, "Period: ");
}

static unsigned
probe_pprofraw(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_period, 1, 0, line)
		       ? cr_stacks_signature(head, is_samples, CR_EVIDENCE_SIGNATURE, 0, line)
		       : 0;
}

const struct cr_reader cr_reader_pprofraw = {
	.name = "pprofraw",
	.about = "the output of pprof -raw",
	.probe = probe_pprofraw,
	.read = read_pprofraw,
};
