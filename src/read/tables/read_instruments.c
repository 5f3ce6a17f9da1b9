#include "csv_p.h"
#include "row_tree_p.h"

/*
 * Text that "Deep Copy" of Instruments puts on the clipboard: a table separated by TABs. The last
 * column is a call tree indented with blanks, outermost first:
 *
 *	Running Time<TAB>Self (ms)<TAB><TAB>Symbol Name
 *	90.0 ms   90.0%<TAB>10.0 ms<TAB> <TAB> main
 *
 * Newer versions have "Weight", "Self Weight" and "Symbol Names". Without a column of self values,
 * as with "Bytes Used" and "Count", self is the total minus those of the rows below.
 */
#define MILLIONTHS 6u /* decimals read of a weight */

enum kind { KIND_TIME, KIND_BYTES, KIND_CYCLES, KIND_COUNT };

static const struct {
	const char *name;
	enum kind kind;
	uint64_t times;
} units[] = {
	{"ns", KIND_TIME, 1},
	{"us", KIND_TIME, 1000},
	{"\xc2\xb5s", KIND_TIME, 1000},
	{"\xce\xbcs", KIND_TIME, 1000},
	{"ms", KIND_TIME, 1000000},
	{"s", KIND_TIME, 1000000000},
	{"min", KIND_TIME, UINT64_C(60000000000)},
	{"h", KIND_TIME, UINT64_C(3600000000000)},
	{"Bytes", KIND_BYTES, 1},
	{"B", KIND_BYTES, 1},
	{"KB", KIND_BYTES, 1 << 10},
	{"MB", KIND_BYTES, 1 << 20},
	{"GB", KIND_BYTES, 1 << 30},
	{"KiB", KIND_BYTES, 1 << 10},
	{"MiB", KIND_BYTES, 1 << 20},
	{"GiB", KIND_BYTES, 1 << 30},
	{"cycles", KIND_CYCLES, 1},
	{"Kc", KIND_CYCLES, 1000},
	{"Mc", KIND_CYCLES, 1000000},
	{"Gc", KIND_CYCLES, 1000000000},
};

static const struct {
	const char *name, *unit;
	uint64_t per;
} events[] = {
	[KIND_TIME] = {"time", "ms", 1000000},
	[KIND_BYTES] = {"bytes used", "bytes", 1},
	[KIND_CYCLES] = {"cycles", "cycles", 1},
	[KIND_COUNT] = {"count", "count", 1},
};

struct instruments {
	struct cr_stacks s;
	struct cr_row_tree tree;
	struct cr_csv csv;
	int self, total, count;
	/* Some times are no whole milliseconds: all are stored in millionths of one. */
	bool fractions;
	bool self_ms; /* bare numbers in the column of self values are milliseconds */
};

struct weight {
	enum kind kind;
	uint64_t value; /* ns, bytes, cycles or a count */
};

/*
 * Parse "10.0 ms", "4273.0ms 99.9%", "1.5 min 80.0%", "429.93 MB 100.0%" or "12"; the share is
 * ignored.
 */
static bool
weight_parse(struct cr_str s, enum kind bare, struct weight *out)
{
	uint32_t digits = 0, n;
	struct cr_str unit;
	uint64_t millionths;

	s = cr_scan_trim(s);
	while (digits < s.len && memchr("0123456789.,", s.p[digits], 12))
		digits++;
	if (!cr_csv_number((struct cr_str){s.p, digits}, MILLIONTHS, &millionths))
		return false;
	unit = cr_scan_trim((struct cr_str){s.p + digits, s.len - digits});
	for (n = 0; n < unit.len && unit.p[n] != ' ' && unit.p[n] != '\t';)
		n++;
	unit.len = n;
	*out = (struct weight){bare, millionths / 1000000};
	if (unit.len == 0 && bare == KIND_TIME)
		unit = CR_STR("ms");
	if (unit.len == 0 || (unit.p[0] >= '0' && unit.p[0] <= '9'))
		return true;
	for (size_t i = 0; i < CR_LEN(units); i++) {
		if (!cr_str_eq(unit, cr_str_of(units[i].name)))
			continue;
		out->kind = units[i].kind;
		if (!cr_mul_ok(millionths / 1000000, units[i].times, &out->value))
			out->value = UINT64_MAX;
		out->value = cr_add_sat(
			out->value, (millionths % 1000000 * units[i].times + 500000) / 1000000);
		return true;
	}
	return false;
}

static bool
is_header(struct cr_str line)
{
	return line.len && (memmem(line.p, line.len, "\tSymbol Name", 12) != NULL);
}

static unsigned
probe_instruments(const struct cr_head *head, uint64_t *first)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, head->p, head->len);
	*first = 1;
	return cr_scan_line(&scan, &line) && is_header(line) ? CR_EVIDENCE_SIGNATURE : 0;
}

static bool
columns_find(struct instruments *v, struct cr_str line)
{
	static const char *const self[] = {
		"Self", "Self (ms)", "Self Time", "Self Weight", "Self Cycles"};
	static const char *const total[] = {
		"Running Time", "Weight", "Bytes Used", "Running (Self)", "Cycles"};

	v->csv.delimiter = '\t';
	cr_csv_line(&v->csv, line);
	v->self = v->total = -1;
	for (size_t i = 0; i < CR_LEN(self); i++)
		v->self = CR_MAX(v->self, cr_csv_column(&v->csv, self[i]));
	for (size_t i = 0; i < CR_LEN(total); i++)
		v->total = CR_MAX(v->total, cr_csv_column(&v->csv, total[i]));
	v->self_ms = cr_csv_column(&v->csv, "Self (ms)") >= 0;
	v->count = cr_csv_column(&v->csv, "Count");
	return v->self >= 0 || v->total >= 0;
}

/* True if the self time of some row is no whole number of milliseconds. */
static bool
has_fractions(struct instruments *v)
{
	const struct cr_scan start = v->s.scan;
	struct cr_str line;
	struct weight w;
	bool found = false;

	while (v->self >= 0 && !found && cr_scan_line(&v->s.scan, &line)) {
		cr_csv_line(&v->csv, line);
		found = weight_parse(cr_csv_text(&v->csv, v->self),
				v->self_ms ? KIND_TIME : KIND_COUNT, &w) &&
			w.kind == KIND_TIME && w.value % events[KIND_TIME].per;
	}
	v->s.scan = start;
	return found;
}

static cr_event_id
event_of(const struct instruments *v, enum kind kind)
{
	const bool millionths = kind == KIND_TIME && v->fractions;

	return cr_builder_event(v->s.b, cr_str_of(events[kind].name),
		millionths ? CR_STR("millionths") : cr_str_of(events[kind].unit));
}

static void
row_weights(struct instruments *v, struct cr_str line)
{
	const bool own = v->self >= 0;
	const struct cr_str text = cr_csv_text(&v->csv, own ? v->self : v->total);
	struct weight w;

	if (!weight_parse(text, own && v->self_ms ? KIND_TIME : KIND_COUNT, &w)) {
		cr_stacks_report(&v->s, CR_REASON_BAD_COUNT, line);
		return;
	}
	if (own) {
		cr_row_tree_self(&v->tree, event_of(v, w.kind),
			v->fractions ? w.value : w.value / events[w.kind].per);
		return;
	}
	if (v->tree.totals == 0) {
		v->tree.total[0] = event_of(v, w.kind);
		v->tree.total[1] = event_of(v, KIND_COUNT);
		v->tree.totals = 1 + (v->count >= 0);
	}
	cr_row_tree_total(&v->tree, 0, w.value / events[w.kind].per);
	if (v->count >= 0 && weight_parse(cr_csv_text(&v->csv, v->count), KIND_COUNT, &w))
		cr_row_tree_total(&v->tree, 1, w.value);
}

static void
row_read(struct instruments *v, struct cr_str line)
{
	const struct cr_csv_field *name;

	if (cr_scan_trim(line).len == 0)
		return;
	cr_csv_line(&v->csv, line);
	name = &v->csv.fields.p[v->csv.fields.n - 1];
	if (v->csv.fields.n < 3 || name->text.len == 0)
		cr_stacks_report(&v->s, CR_REASON_BAD_FRAME, line);
	else if (cr_row_tree_row(&v->tree, name->blanks,
			 cr_builder_named(v->s.b, name->text, CR_DSO_UNKNOWN), line))
		row_weights(v, line);
}

static int
read_instruments(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct instruments v = {0};
	struct cr_str line;
	bool header;
	int rc;

	cr_stacks_open_bare(&v.s, in, b, opts);
	v.tree.s = &v.s;
	header = cr_stacks_line(&v.s, &line) && is_header(line) && columns_find(&v, line);
	cr_stacks_used(&v.s);
	v.fractions = header && has_fractions(&v);
	while (header && cr_stacks_line(&v.s, &line))
		row_read(&v, line);
	cr_row_tree_end(&v.tree);
	cr_row_tree_fini(&v.tree);
	cr_csv_fini(&v.csv);
	if (!header) /* the error explains the problem */
		cr_stacks_pass_rest(&v.s);
	rc = cr_stacks_close(&v.s, err);
	if (rc == CR_OK && !header)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"has no header with the columns \"Symbol Name\" and \"Self\", \"Weight\" "
			"or \"Bytes Used\", separated by tabs");
	return rc;
}

const struct cr_reader cr_reader_instruments = {
	.name = "instruments",
	.about = "Instruments: a deep copy of a call tree",
	.probe = probe_instruments,
	.read = read_instruments,
};
