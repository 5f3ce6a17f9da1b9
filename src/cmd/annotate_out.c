#include "annotate_out_p.h"

#include "job_p.h"
#include "reply_p.h"
#include "source_link_p.h"
#include "terminal_p.h"

#include "view/listing/annotate_sheet.h"
#include "view/style/ink_codes.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOTTEST 10 /* number of lines listed first */
#define HOSTS 5

struct out {
	const struct cr_options *o;
	const struct cr_profile *p;
	struct cr_annotation *a;
	struct cr_text t;
	uint64_t whole; /* base of all shares of lines and instructions */
	bool inks;
	struct cr_source_links links;
	struct cr_listing_shares of; /* of the current list */
};

/* ---- heads */

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

/* True if lines are listed without code. */
static bool
is_by_lines(const struct out *x)
{
	const unsigned how = x->o->annotate.how ? x->o->annotate.how : CR_ANNOTATE_BOTH;

	return how == CR_ANNOTATE_LINES || (how == CR_ANNOTATE_BOTH && x->a->a.addresses.n == 0) ||
	       !(x->p->flags & CR_PROFILE_HAS_ADDR);
}

/*
 * Sum of the self costs of lines, including functions inlined there and copies inlined elsewhere.
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

	cr_text_puts(&x->t, "# shares below refer to ");
	cr_text_puts(&x->t, of[x->o->annotate.base]);
	cr_text_measure(&x->t, x->whole, unit);
	cr_text_char(&x->t, '\n');
}

static void
put_code(struct out *x)
{
	static const char *const from[] = {
		[CR_ANNOTATION_NO_CODE] = "# no code",
		[CR_ANNOTATION_STORED] = "# code: stored in the profile",
		[CR_ANNOTATION_FILES] = "# code: read from the file",
	};

	if (!(x->p->flags & CR_PROFILE_HAS_ADDR)) {
		cr_text_puts(&x->t, "# no code: the recording has no addresses\n");
		return;
	}
	cr_text_puts(&x->t, from[x->a->code]);
	if (x->a->why) {
		cr_text_puts(
			&x->t, x->a->code == CR_ANNOTATION_NO_CODE ? ": " : ", not disassembled: ");
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
		cr_text_puts(
			&x->t, s->found ? " was changed after the recording: lines may have moved\n"
			       : s->trusted ? " was not found\n"
					    : " was not read, because only the profile names it; "
					      "see --source-dir\n");
	}
	if (x->a->n_sources == 0 && !x->o->annotate.no_source)
		cr_text_puts(&x->t, "# no source lines are known\n");
}

/* What the columns of cycles say. */
static void
put_blocks(struct out *x)
{
	const struct cr_annotate *a = &x->a->a;

	if (x->a->blocks_left_out)
		cr_text_puts(&x->t, "# no cycles of blocks: branches are selected by comm, pid and "
				    "tid only\n");
	if (!a->has_blocks)
		return;
	cr_text_puts(&x->t, "# cycles: the mean of the blocks that end there, from branch records");
	if (a->run_cycles) {
		cr_text_printf(&x->t, "; IPC %.2f in ",
			(double)a->run_instructions / (double)a->run_cycles);
		cr_text_share(&x->t, a->n_run, a->n_known);
		cr_text_puts(&x->t, " of the instructions");
	}
	cr_text_char(&x->t, '\n');
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
	if (name->dso.len) {
		cr_text_puts(&x->t, " in ");
		cr_text_safe(&x->t, name->dso);
	}
	cr_text_puts(&x->t, "\n# event ");
	cr_text_safe(&x->t, e->name);
	cr_text_puts(&x->t, ": ");
	cr_text_counted(&x->t, a->whole_samples, "sample\n", "samples\n");
	put_costs(x, "# ", &a->cost);
	if (a->code.total_samples &&
		(a->code.self != a->cost.self || a->code.total != a->cost.total))
		put_costs(x, "# its own code, including functions inlined there: ", &a->code);
	put_hosts(x);
	put_whole(x);
	put_blocks(x);
	flush(x);
	cr_job_quality(x->p, "# missing: ", 3, stdout);
	put_code(x);
	put_sources(x);
}

/* ---- rows */

#define SHARE_CELLS 8u /* each of the two shares at the beginning of a row */

/* The place in a line where a row names its source file, "x.c:12"; empty if it does not. */
static struct cr_str
find_place(const struct out *x, const struct cr_listing_row *r, struct cr_str line,
	struct cr_str *file)
{
	struct cr_text place = {0};
	const char *at = NULL;
	uint32_t len;

	*file = (struct cr_str){NULL, 0};
	if (r->kind == CR_LISTING_FILE) {
		*file = r->text;
		cr_text_safe(&place, r->text);
	} else if (r->kind == CR_LISTING_PLACE && r->of < x->a->a.lines.n) {
		const struct cr_annotate_line *l = &x->a->a.lines.p[r->of];

		*file = l->file;
		cr_text_safe(&place, cr_str_basename(l->file));
		cr_text_printf(&place, ":%" PRIu32, l->line);
	}
	if (file->len)
		at = memmem(line.p, line.len, place.p, place.len);
	len = (uint32_t)place.len;
	cr_text_fini(&place);
	return (struct cr_str){at, at ? len : 0};
}

/* A row in colour: its shares, and a link to its file. */
static void
put_inked(struct out *x, const struct cr_listing_row *r, struct cr_str line)
{
	const uint64_t cost[] = {x->o->annotate.hits ? r->cost.self_samples : r->cost.self,
		x->o->annotate.hits ? r->cost.total_samples : r->cost.total};
	struct cr_text url = {0};
	struct cr_str file, place;

	for (uint32_t i = 0; i < 2 && r->has_cost && line.len > SHARE_CELLS; i++) {
		const struct cr_cell c = {
			.kind = CR_CELL_SHARE, .number = cost[i], .whole = x->whole};
		const uint32_t blanks = (uint32_t)strspn(line.p, " ");
		const uint32_t end = i + CR_MAX(SHARE_CELLS, blanks); /* after a blank */

		cr_text_pad(&x->t, ' ', blanks);
		cr_ink_codes_put(&x->t, (enum cr_ink)cr_cell_ink(&c),
			(struct cr_str){line.p + blanks, end - blanks});
		line = cr_str_from(line, line.p + end);
	}
	place = find_place(x, r, line, &file);
	if (place.len && cr_source_url(&x->links, file, &url)) {
		cr_text_str(&x->t, cr_str_to(line, place.p));
		cr_ink_codes_link(&x->t, cr_text_view(&url), place);
		line = cr_str_from(line, place.p + place.len);
	}
	cr_text_str(&x->t, line);
	cr_text_fini(&url);
}

static void
put_row(struct out *x, const struct cr_listing_row *r)
{
	const struct cr_listing_shares of = x->of;
	struct cr_text line = {0};

	if (x->inks) {
		cr_listing_line(r, &of, &line);
		put_inked(x, r, cr_text_view(&line));
		cr_text_fini(&line);
	} else {
		cr_listing_line(r, &of, &x->t);
	}
}

static void
put_listing(struct out *x, const char *what, bool is_code, struct cr_listing *l)
{
	const struct cr_annotate *a = &x->a->a;

	x->of = (struct cr_listing_shares){.whole = x->whole,
		.hits = x->o->annotate.hits,
		.cycles = a->has_blocks,
		.ipc = is_code && a->run_cycles};
	if (l->rows.n)
		cr_text_printf(&x->t, "\n    Self     Total  %s%s: %s\n", x->of.ipc ? "  IPC " : "",
			x->of.cycles ? " Cycles " : "", what);
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
		put_listing(x, "hottest lines", false, &l);
	}
	if (is_by_lines(x)) {
		cr_listing_lines(&x->a->in, &l);
		put_listing(x, "lines", false, &l);
		return;
	}
	cr_listing_code(&x->a->in, how == CR_ANNOTATE_BOTH, &l);
	put_listing(x, how == CR_ANNOTATE_BOTH ? "code and its lines" : "code", true, &l);
}

/* ---- CSV and JSON */

static void
put_sheet(struct out *x)
{
	const unsigned how = x->o->annotate.how ? x->o->annotate.how : CR_ANNOTATE_BOTH;
	const struct cr_annotate_sheet_opts opts = {.lines = how & CR_ANNOTATE_LINES,
		.addresses = how & CR_ANNOTATE_ASM,
		.has_least = x->o->table.has_limit,
		.hits = x->o->annotate.hits,
		.whole = x->whole};
	struct cr_annotate_sheet s;

	set_least(x);
	cr_annotate_sheet_init(&x->a->in, &opts, &s);
	if (x->o->json) {
		struct cr_reply r;

		cr_reply_begin(&r, x->o, CR_REPLY_ONE);
		cr_write_sheet_json(&s.sheet, &r.json, stdout);
		cr_reply_end(&r);
	} else {
		cr_write_sheet_csv_head(&s.sheet, stdout);
		cr_write_sheet_csv(&s.sheet, stdout);
	}
	cr_annotate_sheet_fini(&s);
}

/* ---- for editors */

static int
by_self(const void *a, const void *b, void *hits)
{
	const struct cr_annotate_line *x = *(const struct cr_annotate_line *const *)a,
				      *y = *(const struct cr_annotate_line *const *)b;
	const uint64_t of_x = hits ? x->cost.self_samples : x->cost.self,
		       of_y = hits ? y->cost.self_samples : y->cost.self;

	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return x < y ? -1 : 1; /* in the order of the source */
}

static void
put_quickfix(struct out *x)
{
	const struct cr_annotate *a = &x->a->a;
	const struct cr_annotate_line **lines =
		cr_alloc(a->lines.n + 1, sizeof(struct cr_annotate_line *));
	size_t n = 0;

	set_least(x);
	for (size_t i = 0; i < a->lines.n; i++)
		if (a->lines.p[i].line && a->lines.p[i].file.len && a->lines.p[i].cost.self &&
			cr_listing_counts(&x->a->in, &a->lines.p[i].cost))
			lines[n++] = &a->lines.p[i];
	qsort_r(lines, n, sizeof(struct cr_annotate_line *), by_self,
		x->o->annotate.hits ? x : NULL);
	for (size_t i = 0; i < n; i++) {
		const struct cr_annotate_line *l = lines[i];

		cr_quickfix_put(&x->links,
			&(struct cr_quickfix){.file = l->file,
				.function = x->p->functions[l->function.i].name,
				.line = l->line,
				.self = x->o->annotate.hits ? l->cost.self_samples : l->cost.self,
				.whole = x->whole},
			&x->t);
	}
	free(lines);
}

void
cr_annotate_out(const struct cr_options *o, const struct cr_profile *p,
	const struct cr_annotate_name *name, struct cr_annotation *a)
{
	struct out x = {
		.o = o, .p = p, .a = a, .inks = cr_stdout_colors(o), .links.opts = &o->load.symbol};

	x.whole = whole_of(&x);
	if (o->quickfix) {
		put_quickfix(&x);
	} else if (o->csv || o->json) {
		put_sheet(&x);
	} else {
		put_head(&x, name);
		put_lists(&x);
	}
	flush(&x);
	cr_source_links_fini(&x.links);
	cr_text_fini(&x.t);
}
