#include "row_tree_p.h"

/*
 * Profiles of GHC, +RTS -p or -P: a call tree of cost centres, the second table of the file,
 * indented with blanks, outermost first.
 *
 *	COST CENTRE  MODULE  SRC          no.  entries  %time %alloc   %time %alloc  ticks     bytes
 *
 *	MAIN         MAIN    <built-in>    10       0     0.0    1.0   100.0  100.0      0       600
 *	 CAF         Main    <entire>      11       0     0.0    0.1   100.0   99.0      0        60
 *
 * Names begin below their headings, counted in characters; numbers are counted from the right. The
 * table ends with a blank line.
 */
enum { ENTRIES, TIME, ALLOC, TIME_BELOW, ALLOC_BELOW, TICKS, BYTES, NUMBERS };

static const struct {
	const char *name, *unit;
	unsigned scale;
} columns[NUMBERS] = {
	[ENTRIES] = {"entries", "entries", 0},
	[TIME] = {"time", "1/10 %", 1},
	[ALLOC] = {"alloc", "1/10 %", 1},
	[TICKS] = {"ticks", "ticks", 0},
	[BYTES] = {"bytes", "bytes", 0},
};

/* The first is the main one. */
static const unsigned weights[] = {TIME, ALLOC, TICKS, BYTES, ENTRIES};

struct heading {
	uint32_t module;  /* number of characters before it */
	uint32_t source;  /* UINT32_MAX if there is none */
	unsigned numbers; /* in a row, without its own number */
};

struct ghc {
	struct cr_stacks s;
	struct cr_row_tree tree;
	struct heading heading;
	struct cr_text name;
	cr_event_id events[NUMBERS];
};

struct row {
	uint32_t depth;
	struct cr_str centre, module, source;
	struct cr_str number[NUMBERS];
};

/* Number of characters before a word, UINT32_MAX if it is missing. */
static uint32_t
word_at(struct cr_str line, const char *word)
{
	const char *p = line.len ? memmem(line.p, line.len, word, strlen(word)) : NULL;

	return p ? (uint32_t)(p - line.p) : UINT32_MAX;
}

static bool
heading_parse(struct cr_str line, struct heading *h)
{
	static const char tree[] = "no. entries %time %alloc %time %alloc ticks bytes";
	char words[sizeof(tree) + 1];
	size_t n = 0;
	const uint32_t number = word_at(line, "no.");

	if (!cr_str_starts(line, "COST CENTRE ") || number == UINT32_MAX)
		return false;
	/* Reduce runs of blanks to one. */
	for (uint32_t i = number; i < line.len && n < sizeof(words) - 1; i++)
		if (line.p[i] != ' ' || (n && words[n - 1] != ' '))
			words[n++] = line.p[i];
	while (n && words[n - 1] == ' ')
		n--;
	words[n] = '\0';
	h->module = word_at(line, "MODULE");
	h->source = word_at(line, "SRC");
	h->numbers = strcmp(words, tree) == 0 ? NUMBERS : TICKS;
	return h->module != UINT32_MAX &&
	       (h->numbers == NUMBERS ||
		       strncmp(words, tree, strlen(tree) - strlen(" ticks bytes")) == 0);
}

static unsigned
probe_ghcprof(const struct cr_head *head, uint64_t *first)
{
	struct cr_scan scan;
	struct cr_str line;
	struct heading h;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &line)) {
		if (heading_parse(line, &h)) {
			*first = scan.line;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

/* Number of bytes of the first n characters. */
static uint32_t
characters(struct cr_str s, uint32_t n)
{
	uint32_t i = 0;

	while (i < s.len && (n > 0 || ((unsigned char)s.p[i] & 0xc0) == 0x80))
		n -= ((unsigned char)s.p[i++] & 0xc0) != 0x80;
	return i;
}

/* Split off the last word of *s. */
static struct cr_str
last_word(struct cr_str *s)
{
	struct cr_str word;

	*s = cr_scan_trim(*s);
	word = (struct cr_str){s->p + s->len, 0};
	while (s->len && s->p[s->len - 1] != ' ' && s->p[s->len - 1] != '\t') {
		s->len--;
		word.p--;
		word.len++;
	}
	return word;
}

static bool
row_parse(struct cr_str line, const struct heading *h, struct row *row)
{
	struct cr_str left = line;
	uint32_t module, source;
	uint64_t number;

	for (unsigned i = h->numbers; i-- > 0;)
		row->number[i] = last_word(&left);
	if (!cr_scan_u64(last_word(&left), &number)) /* its own number */
		return false;
	left.len = (uint32_t)(left.p - line.p) + left.len;
	left.p = line.p;
	module = characters(left, h->module);
	source = h->source == UINT32_MAX ? left.len : characters(left, h->source);
	row->centre = cr_scan_trim((struct cr_str){left.p, module});
	row->module =
		cr_scan_trim((struct cr_str){left.p + module, CR_MAX(source, module) - module});
	row->source = cr_scan_trim((struct cr_str){left.p + source, left.len - source});
	row->depth = (uint32_t)(row->centre.p - line.p);
	return row->centre.len && row->module.len;
}

/* "src/M.hs:10:5-20", "M.hs:(3,1)-(5,9)": file and line. */
static void
source_split(struct cr_str source, struct cr_named *named)
{
	const char *colon = source.len ? memchr(source.p, ':', source.len) : NULL;
	const char *end = source.p + source.len, *p;
	uint64_t line;

	if (!colon)
		return;
	p = colon + 1 + (colon + 1 < end && colon[1] == '(');
	source.p = p;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	if (!cr_scan_u64((struct cr_str){source.p, (uint32_t)(p - source.p)}, &line) ||
		line > UINT32_MAX)
		return;
	named->line = (uint32_t)line;
}

static cr_location_id
row_location(struct ghc *g, const struct row *row)
{
	const struct cr_dso dso = {.name = row->module, .kind = CR_KIND_USER};
	const char *colon = row->source.len ? memchr(row->source.p, ':', row->source.len) : NULL;
	struct cr_named named = {0};

	cr_text_clear(&g->name);
	cr_text_str(&g->name, row->module);
	cr_text_char(&g->name, '.');
	cr_text_str(&g->name, row->centre);
	named.name = cr_text_view(&g->name);
	source_split(row->source, &named);
	named.file = named.line ? (struct cr_str){row->source.p, (uint32_t)(colon - row->source.p)}
				: CR_STR("");
	return cr_builder_named_at(g->s.b, cr_builder_dso(g->s.b, &dso), 0, &named, 1);
}

static void
row_read(struct ghc *g, struct cr_str line)
{
	struct row row = {0};

	if (!row_parse(line, &g->heading, &row)) {
		cr_stacks_report(&g->s, CR_REASON_BAD_FRAME, line);
		return;
	}
	if (!cr_row_tree_row(&g->tree, row.depth, row_location(g, &row), line))
		return;
	for (unsigned i = 0; i < CR_LEN(weights); i++) {
		const unsigned w = weights[i];
		struct cr_decimal d = {0};

		if (w >= g->heading.numbers)
			continue;
		if (!cr_scan_decimal(row.number[w], columns[w].scale, &d) || d.negative)
			cr_stacks_report(&g->s, CR_REASON_BAD_COUNT, line);
		else
			cr_row_tree_self(&g->tree, g->events[w], d.value);
	}
}

/* Read the table, up to the blank line after it. */
static void
table_read(struct ghc *g)
{
	struct cr_str line;
	bool any = false;

	cr_builder_fact(g->s.b, "main event", cr_str_of(columns[weights[0]].name));
	for (unsigned i = 0; i < CR_LEN(weights); i++)
		if (weights[i] < g->heading.numbers)
			g->events[weights[i]] =
				cr_builder_event(g->s.b, cr_str_of(columns[weights[i]].name),
					cr_str_of(columns[weights[i]].unit));
	while (cr_stacks_line(&g->s, &line)) {
		const bool blank = cr_scan_trim(line).len == 0;

		if (blank && any) {
			cr_stacks_pass_rest(&g->s);
			return;
		}
		if (!blank)
			row_read(g, line);
		any = any || !blank;
	}
}

static int
read_ghcprof(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct ghc g = {0};
	struct cr_str line;
	bool table = false;
	int rc;

	cr_stacks_open_bare(&g.s, in, b, opts);
	g.tree.s = &g.s;
	while (!table && cr_stacks_line(&g.s, &line)) {
		table = heading_parse(line, &g.heading);
		cr_diagnostics_fate(&g.s.report, table ? CR_LINE_USED : CR_LINE_PASSED);
	}
	if (table)
		table_read(&g);
	cr_row_tree_fini(&g.tree);
	cr_text_fini(&g.name);
	rc = cr_stacks_close(&g.s, err);
	if (rc == CR_OK && !table)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"has no table with the columns \"COST CENTRE\", \"MODULE\", \"no.\", "
			"\"entries\", \"%%time\" and \"%%alloc\" twice each");
	return rc;
}

const struct cr_reader cr_reader_ghcprof = {
	.name = "ghcprof",
	.about = "GHC: the cost centres of a .prof file",
	.probe = probe_ghcprof,
	.read = read_ghcprof,
};
