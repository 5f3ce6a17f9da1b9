#include "annotate_out_p.h"

#include "job_p.h"

#include "base/hash.h"
#include "view/sheet/sheet.h"
#include "write/write_sheet.h"

#include <stdio.h>
#include <stdlib.h>

#define HOTTEST 10 /* lines that are listed first */
#define HOSTS 5

struct out {
	const struct cr_options *o;
	const struct cr_profile *p;
	struct cr_annotation *a;
	struct cr_text t;
	uint32_t *rows; /* for programs: those that are asked for, of the lines and then the
			   addresses */
	uint64_t whole; /* what all shares of lines and instructions are of */
};

/* ---- heads */

static void
put_share(struct cr_text *t, uint64_t part, uint64_t whole)
{
	struct cr_text share = {0};

	cr_text_share(&share, part, whole);
	cr_text_pad(t, ' ', share.len < 8 ? 8 - share.len : 0);
	cr_text_str(t, cr_text_view(&share));
	cr_text_fini(&share);
}

static void
put_costs(struct out *x, const char *what, const struct cr_cost *c)
{
	const struct cr_annotate *a = &x->a->a;

	cr_text_printf(&x->t, "%sself ", what);
	cr_text_share(&x->t, c->self, a->whole);
	cr_text_puts(&x->t, " (");
	cr_text_grouped(&x->t, c->self_samples);
	cr_text_puts(&x->t, " samples), total ");
	cr_text_share(&x->t, c->total, a->whole);
	cr_text_puts(&x->t, " (");
	cr_text_grouped(&x->t, c->total_samples);
	cr_text_puts(&x->t, ") of all\n");
}

static void
put_hosts(struct out *x)
{
	const struct cr_annotate *a = &x->a->a;
	uint32_t n = 0;

	for (size_t i = 0; i < a->hosts.n && n < HOSTS; i++) {
		if (a->hosts.p[i].cost.total_samples == 0)
			continue;
		cr_text_puts(&x->t, n++ ? ", " : "# inlined in ");
		cr_text_safe(&x->t, x->p->functions[a->hosts.p[i].function.i].name);
		cr_text_char(&x->t, ' ');
		cr_text_share(&x->t, a->hosts.p[i].cost.total, a->whole);
	}
	if (n)
		cr_text_puts(&x->t, " of all\n");
}

/* Lines are listed, and no code. */
static bool
is_by_lines(const struct out *x)
{
	const unsigned how = x->o->annotate.how ? x->o->annotate.how : CR_ANNOTATE_BOTH;

	return how == CR_ANNOTATE_LINES || (how == CR_ANNOTATE_BOTH && x->a->a.addresses.n == 0) ||
	       !(x->p->flags & CR_PROFILE_HAS_ADDR);
}

/*
 * What the selfs of lines add up to: with what is inlined there, and of copies that are inlined
 * elsewhere.
 */
static uint64_t
self_of_lines(const struct cr_annotate *a, bool hits)
{
	uint64_t self = 0;

	for (size_t i = 0; i < a->lines.n; i++)
		self = cr_add_sat(
			self, hits ? a->lines.p[i].cost.self_samples : a->lines.p[i].cost.self);
	return self;
}

static uint64_t
whole_of(const struct out *x)
{
	const struct cr_annotate *a = &x->a->a;
	const bool hits = x->o->annotate.hits;

	switch (x->o->annotate.base) {
	case CR_ANNOTATE_GLOBAL: return hits ? a->whole_samples : a->whole;
	case CR_ANNOTATE_LOCAL:
		if (is_by_lines(x))
			return self_of_lines(a, hits);
		return hits ? a->code.self_samples : a->code.self;
	default: return hits ? a->cost.total_samples : a->cost.total;
	}
}

static void
put_whole(struct out *x)
{
	static const char *const of[CR_ANNOTATE_BASES] = {
		[CR_ANNOTATE_TOTAL] = "the function's total: ",
		[CR_ANNOTATE_LOCAL] = "the function's self: ",
		[CR_ANNOTATE_GLOBAL] = "all: ",
	};
	const struct cr_str unit =
		x->o->annotate.hits ? CR_STR("samples") : x->p->events[x->a->a.event.i].unit;

	cr_text_puts(&x->t, "# shares below are of ");
	cr_text_puts(&x->t, of[x->o->annotate.base]);
	cr_text_measure(&x->t, x->whole, unit);
	cr_text_char(&x->t, '\n');
}

static void
put_code(struct out *x)
{
	static const char *const from[] = {
		[CR_ANNOTATION_NO_CODE] = "# no code",
		[CR_ANNOTATION_STORED] = "# code as it was stored",
		[CR_ANNOTATION_FILES] = "# code as it is in the file",
	};

	if (!(x->p->flags & CR_PROFILE_HAS_ADDR)) {
		cr_text_puts(&x->t, "# no code: the recording has no addresses\n");
		return;
	}
	cr_text_puts(&x->t, from[x->a->code]);
	if (x->a->why) {
		cr_text_puts(&x->t,
			x->a->code == CR_ANNOTATION_NO_CODE ? ": " : ", not as instructions: ");
		cr_text_safe(&x->t, cr_str_of(x->a->why));
	}
	cr_text_char(&x->t, '\n');
}

static void
put_sources(struct out *x)
{
	for (uint32_t i = 0; i < x->a->n_sources; i++) {
		const struct cr_annotation_source *s = &x->a->sources[i];

		if (s->stored || (s->found && !s->newer))
			continue;
		cr_text_puts(&x->t, "# source ");
		cr_text_safe(&x->t, s->file);
		cr_text_puts(&x->t,
			s->found ? " was changed after the recording: lines may have moved\n"
			: s->trusted
				? " is not here\n"
				: " is not read, only the profile names it: see --source-dir\n");
	}
	if (x->a->n_sources == 0 && !x->o->annotate.no_source)
		cr_text_puts(&x->t, "# no source lines are known\n");
}

static void
flush(struct out *x)
{
	if (x->t.len)
		fwrite(x->t.p, 1, x->t.len, stdout);
	cr_text_clear(&x->t);
}

static void
put_head(struct out *x, const struct cr_annotate_name *name)
{
	const struct cr_annotate *a = &x->a->a;
	const struct cr_event *e = &x->p->events[a->event.i];

	cr_text_puts(&x->t, "# ");
	cr_text_safe(&x->t, name->name);
	if (name->object.len) {
		cr_text_puts(&x->t, " in ");
		cr_text_safe(&x->t, name->object);
	}
	cr_text_puts(&x->t, "\n# event ");
	cr_text_safe(&x->t, e->name);
	cr_text_puts(&x->t, ": ");
	cr_text_counted(&x->t, a->whole_samples, "sample\n", "samples\n");
	put_costs(x, "# ", &a->cost);
	if (a->code.total_samples &&
		(a->code.self != a->cost.self || a->code.total != a->cost.total))
		put_costs(x, "# of its code, with what is inlined there: ", &a->code);
	put_hosts(x);
	put_whole(x);
	flush(x);
	cr_job_quality(x->p, "# missing: ", 3, stdout);
	put_code(x);
	put_sources(x);
}

/* ---- rows */

static void
put_two(struct out *x, const struct cr_listing_row *r)
{
	const bool hits = x->o->annotate.hits;

	if (!r->has_cost) {
		cr_text_pad(&x->t, ' ', 18);
		return;
	}
	put_share(&x->t, hits ? r->cost.self_samples : r->cost.self, x->whole);
	cr_text_pad(&x->t, ' ', 1);
	put_share(&x->t, hits ? r->cost.total_samples : r->cost.total, x->whole);
	cr_text_pad(&x->t, ' ', 1);
}

/* Blanks for tabs, which would not stand where they stood. */
static void
put_source_text(struct cr_text *t, struct cr_str s)
{
	uint32_t column = 0, from = 0;

	for (uint32_t i = 0; i <= s.len; i++) {
		if (i < s.len && s.p[i] != '\t')
			continue;
		cr_text_safe(t, (struct cr_str){s.p + from, i - from});
		column += i - from;
		if (i < s.len) {
			cr_text_pad(t, ' ', 8 - column % 8);
			column += 8 - column % 8;
		}
		from = i + 1;
	}
}

static void
put_row(struct out *x, const struct cr_listing_row *r)
{
	struct cr_text *t = &x->t;

	switch ((enum cr_listing_kind)r->kind) {
	case CR_LISTING_FILE:
		cr_text_puts(t, "\n");
		cr_text_safe(t, r->text.len ? r->text : CR_STR("(no file)"));
		cr_text_puts(t, ":\n");
		return;
	case CR_LISTING_SYMBOL:
		cr_text_printf(t, "\n%16llx <", (unsigned long long)r->number);
		cr_text_safe(t, r->text);
		cr_text_puts(t, ">:\n");
		return;
	case CR_LISTING_GAP:
		cr_text_pad(t, ' ', 18);
		cr_text_puts(t, ": ...\n");
		return;
	case CR_LISTING_LINE:
		put_two(x, r);
		if (r->number)
			cr_text_printf(t, ": %6llu  ", (unsigned long long)r->number);
		else
			cr_text_puts(t, ":      -  ");
		put_source_text(t, r->text);
		break;
	case CR_LISTING_INLINED:
		put_two(x, r);
		cr_text_puts(t, ":         ");
		cr_text_pad(t, ' ', (size_t)CR_MIN(r->depth, 40u) * 2);
		cr_text_puts(t, "> ");
		put_source_text(t, r->text);
		break;
	case CR_LISTING_PLACE:
		put_two(x, r);
		cr_text_puts(t, ": ");
		put_source_text(t, r->text);
		break;
	case CR_LISTING_INSTRUCTION:
		put_two(x, r);
		cr_text_printf(t, ": %8llx:   ", (unsigned long long)r->number);
		cr_text_safe(t, r->text);
		break;
	}
	while (t->len && t->p[t->len - 1] == ' ')
		t->p[--t->len] = '\0';
	cr_text_char(t, '\n');
}

static void
put_listing(struct out *x, const char *what, struct cr_listing *l)
{
	if (l->rows.n)
		cr_text_printf(&x->t, "\n    Self     Total  : %s\n", what);
	for (size_t i = 0; i < l->rows.n; i++) {
		put_row(x, &l->rows.p[i]);
		if (x->t.len > 65536)
			flush(x);
	}
	flush(x);
	cr_listing_fini(l);
}

static void
set_least(struct out *x)
{
	const double share = x->o->table.has_limit ? x->o->table.percent_limit / 100 : 0;
	const uint64_t least = (uint64_t)((double)x->whole * share);

	x->a->in.least = x->o->annotate.hits ? 0 : least;
	x->a->in.least_samples = x->o->annotate.hits ? least : 0;
}

static void
put_lists(struct out *x)
{
	const unsigned how = x->o->annotate.how ? x->o->annotate.how : CR_ANNOTATE_BOTH;
	struct cr_listing l = {.arena = {0}};

	set_least(x);
	if (how != CR_ANNOTATE_ASM) {
		cr_listing_hottest(&x->a->in, HOTTEST, &l);
		put_listing(x, "hottest lines", &l);
	}
	if (is_by_lines(x)) {
		cr_listing_lines(&x->a->in, &l);
		put_listing(x, "lines", &l);
		return;
	}
	cr_listing_code(&x->a->in, how == CR_ANNOTATE_BOTH, &l);
	put_listing(x, how == CR_ANNOTATE_BOTH ? "code and its lines" : "code", &l);
}

/* ---- for programs */

enum column {
	KIND,
	FILE_NAME,
	LINE,
	FUNCTION,
	INLINED,
	ADDRESS,
	SELF,
	SELF_SAMPLES,
	TOTAL,
	TOTAL_SAMPLES,
	SELF_SHARE,
	TOTAL_SHARE,
	TEXT
};

static const struct cr_sheet_column columns[] = {
	[KIND] = {.head = "Kind", .id = "kind", .audience = CR_SHEET_ALL},
	[FILE_NAME] = {.head = "File", .id = "file", .audience = CR_SHEET_ALL},
	[LINE] = {.head = "Line", .id = "line", .audience = CR_SHEET_ALL},
	[FUNCTION] = {.head = "Function", .id = "function", .audience = CR_SHEET_ALL},
	[INLINED] = {.head = "Inlined", .id = "inlined", .audience = CR_SHEET_ALL},
	[ADDRESS] = {.head = "Address", .id = "address", .audience = CR_SHEET_ALL},
	[SELF] = {.head = "Self", .id = "self", .audience = CR_SHEET_ALL},
	[SELF_SAMPLES] = {.head = "Self samples", .id = "self_samples", .audience = CR_SHEET_ALL},
	[TOTAL] = {.head = "Total", .id = "total", .audience = CR_SHEET_ALL},
	[TOTAL_SAMPLES] = {.head = "Total samples",
		.id = "total_samples",
		.audience = CR_SHEET_ALL},
	[SELF_SHARE] = {.head = "Self share", .id = "self_share", .audience = CR_SHEET_ALL},
	[TOTAL_SHARE] = {.head = "Total share", .id = "total_share", .audience = CR_SHEET_ALL},
	[TEXT] = {.head = "Text", .id = "text", .audience = CR_SHEET_ALL},
};

static void
line_cell(const struct out *x, const struct cr_annotate_line *l, enum column column,
	struct cr_cell *out)
{
	if (column == FILE_NAME && l->file.len)
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = l->file};
	else if (column == LINE && l->line)
		*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .number = l->line};
	else if (column == FUNCTION)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = x->p->functions[l->function.i].name};
	else if (column == INLINED)
		*out = (struct cr_cell){.kind = CR_CELL_BOOL, .number = l->at != CR_NO_ROW};
}

static void
cost_cell(const struct out *x, const struct cr_cost *c, enum column column, struct cr_cell *out)
{
	const bool hits = x->o->annotate.hits;
	const uint64_t numbers[] = {c->self, c->self_samples, c->total, c->total_samples,
		hits ? c->self_samples : c->self, hits ? c->total_samples : c->total};

	*out = (struct cr_cell){.kind = column >= SELF_SHARE ? CR_CELL_SHARE : CR_CELL_NUMBER,
		.number = numbers[column - SELF],
		.whole = x->whole};
}

static void
cell(const struct cr_sheet *s, uint32_t at_row, uint32_t at, struct cr_cell *out)
{
	const struct out *x = s->user;
	const struct cr_annotate *a = &x->a->a;
	const uint32_t row = x->rows[at_row];
	const enum column column = (enum column)at;
	const bool is_line = row < a->lines.n;
	const struct cr_annotate_address *addr = is_line ? NULL : &a->addresses.p[row - a->lines.n];
	const uint32_t line = is_line ? row : addr->line;
	uint64_t shown = addr ? addr->addr : 0;
	struct cr_str text = {"", 0};

	*out = (struct cr_cell){.kind = CR_CELL_NONE};
	if (addr && (column == ADDRESS || column == TEXT))
		x->a->in.code(x->a->in.user, addr, &shown, &text);
	if (column == KIND)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = is_line ? CR_STR("line") : CR_STR("address")};
	else if (column >= SELF && column <= TOTAL_SHARE)
		cost_cell(x, is_line ? &a->lines.p[row].cost : &addr->cost, column, out);
	else if (column == ADDRESS && addr)
		*out = (struct cr_cell){.kind = CR_CELL_HEX, .number = shown};
	else if (column == TEXT && is_line)
		x->a->in.source(x->a->in.user, a->lines.p[row].file, a->lines.p[row].line, &text);
	else if (column == FUNCTION && addr)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = x->p->functions[addr->function.i].name};
	else if (line != CR_NO_ROW)
		line_cell(x, &a->lines.p[line], column, out);
	if (column == TEXT)
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = text};
}

/* Instructions without cost are too, unless there is a limit. */
static bool
is_asked_for(const struct out *x, const struct cr_cost *c)
{
	return !x->o->table.has_limit || cr_listing_counts(&x->a->in, c);
}

static uint32_t
choose_rows(struct out *x)
{
	const struct cr_annotate *a = &x->a->a;
	const unsigned how = x->o->annotate.how ? x->o->annotate.how : CR_ANNOTATE_BOTH;
	uint32_t n = 0;

	x->rows = cr_alloc(a->lines.n + a->addresses.n, sizeof(*x->rows));
	set_least(x);
	for (size_t i = 0; (how & CR_ANNOTATE_LINES) && i < a->lines.n; i++)
		if (is_asked_for(x, &a->lines.p[i].cost))
			x->rows[n++] = (uint32_t)i;
	for (size_t i = 0; (how & CR_ANNOTATE_ASM) && i < a->addresses.n; i++)
		if (is_asked_for(x, &a->addresses.p[i].cost))
			x->rows[n++] = (uint32_t)(a->lines.n + i);
	return n;
}

static void
put_sheet(struct out *x)
{
	const struct cr_sheet s = {.columns = columns,
		.n_columns = CR_LEN(columns),
		.n_rows = choose_rows(x),
		.cell = cell,
		.user = x};

	if (x->o->json) {
		struct cr_json_out j = {.text = &x->t};

		cr_write_sheet_json(&s, &j, stdout);
		cr_json_out_fini(&j);
	} else {
		cr_write_sheet_csv_head(&s, stdout);
		cr_write_sheet_csv(&s, stdout);
	}
	free(x->rows);
}

void
cr_annotate_out(const struct cr_options *o, const struct cr_profile *p,
	const struct cr_annotate_name *name, struct cr_annotation *a)
{
	struct out x = {.o = o, .p = p, .a = a};

	x.whole = whole_of(&x);
	if (o->csv || o->json) {
		put_sheet(&x);
	} else {
		put_head(&x, name);
		put_lists(&x);
	}
	flush(&x);
	cr_text_fini(&x.t);
}
