#include "view_samples_p.h"
#include "view_summary_p.h"

#include "session/changes_p.h"
#include "session/session_p.h"
#include "session/views/view.h"

#include "base/hash.h"
#include "base/work.h"
#include "bytes/scan.h"
#include "model/profile.h"
#include "query/diff/comparable.h"
#include "query/health/health.h"
#include "query/table/table.h"
#include "query/time/series.h"
#include "session/load.h"
#include "store/store.h"
#include "view/listing/brief.h"
#include "view/sheet/verdict_sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_PPM 50  /* less is shown as 0.00 % */
#define ROWS_MOST 40u /* of a part; more fit no screen that is read at a glance */

const char *
cr_summary_heading(enum cr_summary_part part)
{
	static const char *const headings[CR_SUMMARY_PARTS] = {
		[CR_SUMMARY_RECORDED] = "",
		[CR_SUMMARY_CHANGES] = "WHAT CHANGED",
		[CR_SUMMARY_KINDS] = "WHERE THE COST IS",
		[CR_SUMMARY_FUNCTIONS] = "FUNCTIONS BY SELF COST",
		[CR_SUMMARY_PROGRAMS] = "PROGRAMS",
		[CR_SUMMARY_DSOS] = "BINARIES AND LIBRARIES",
		[CR_SUMMARY_QUALITY] = "HOW FAR TO TRUST IT",
		[CR_SUMMARY_KEYS] = "WHERE TO GO FROM HERE",
	};

	return headings[part];
}

void
cr_summary_clear(cr_summary_items parts[CR_SUMMARY_PARTS])
{
	for (int part = 0; part < CR_SUMMARY_PARTS; part++) {
		for (size_t i = 0; i < parts[part].n; i++) {
			free(parts[part].p[i].text);
			free(parts[part].p[i].line);
		}
		cr_vec_fini(&parts[part]);
	}
}

/* ---- items */

static struct cr_summary_item *
add(cr_summary_items *items, enum cr_summary_form form, struct cr_str text)
{
	const struct cr_summary_item item = {.form = form,
		.text = cr_memdup(text.len ? text.p : "", text.len),
		.node = CR_NO_ROW};

	cr_vec_push(items, item);
	return &items->p[items->n - 1];
}

/* Takes what is in text, and empties it. */
static struct cr_summary_item *
add_text(cr_summary_items *items, enum cr_summary_form form, struct cr_text *text)
{
	struct cr_summary_item *item = add(items, form, cr_text_view(text));

	cr_text_clear(text);
	return item;
}

/* ---- what was recorded */

static const struct cr_profile *
profile_of(const struct cr_session *s)
{
	return s->profile[s->sides - 1];
}

/* ", 2026-11-22 19:46:45 UTC" */
static void
put_fact(const struct cr_profile *p, const char *key, const char *before, struct cr_text *out)
{
	const struct cr_str value = cr_profile_fact(p, key);

	if (!value.len || memchr(value.p, '\n', value.len))
		return;
	cr_text_puts(out, out->len ? ", " : "");
	cr_text_puts(out, before);
	cr_text_str(out, value);
}

/*
 * "27 514 samples of cpu-clock in 26.5 s"; brief: without the event. With a query, which leaves a
 * part of the samples: "18 samples of cpu-clock, of a recording of 26.5 s".
 */
static void
put_samples(const struct cr_session *s, uint32_t side, bool brief, struct cr_text *out)
{
	uint64_t ns;

	cr_text_grouped(out, s->tree->total_samples[side][0]);
	cr_text_puts(out, s->tree->summed ? " counts" : " samples");
	if (!brief) {
		cr_text_puts(out, " of ");
		cr_text_str(out, s->tree->event);
	}
	if (cr_scan_u64(cr_profile_fact(s->profile[side], "duration_ns"), &ns) && ns) {
		cr_text_puts(out, s->query.n ? ", of a recording of " : " in ");
		cr_text_duration(out, ns);
	}
}

/* What was recorded; of a difference on both sides. */
static void
put_title(const struct cr_session *s, struct cr_text *out)
{
	if (s->sides == 2) {
		cr_text_puts(out, "before ");
		put_samples(s, 0, false, out);
		cr_text_puts(out, ", after ");
	}
	put_samples(s, s->sides - 1, s->sides == 2, out);
	if (s->sides == 1 && s->threads[0]) {
		cr_text_puts(out, s->query.n ? " and " : ", ");
		cr_text_counted(out, s->threads[0], "thread", "threads");
	}
}

static void
collect_recorded(struct cr_session *s, cr_summary_items *out)
{
	const struct cr_profile *p = profile_of(s);
	struct cr_text t = {0};

	put_title(s, &t);
	add_text(out, CR_SUMMARY_TITLE, &t)->line = cr_strdup("print recording");
	put_fact(p, "cmdline", "", &t);
	if (t.len)
		add_text(out, CR_SUMMARY_FACT, &t);
	put_fact(p, "hostname", "", &t);
	put_fact(p, "date", "", &t);
	put_fact(p, "cpudesc", "", &t);
	put_fact(p, "cpus online", "processors ", &t);
	put_fact(p, "osrelease", "kernel ", &t);
	put_fact(p, "perf version", "perf ", &t);
	if (t.len)
		add_text(out, CR_SUMMARY_FACT, &t);
	cr_text_fini(&t);
}

/* ---- cost */

static struct cr_summary_item *
add_cost(const struct cr_session *s, cr_summary_items *out, struct cr_str name, uint8_t kind,
	const uint64_t cost[CR_SIDES])
{
	struct cr_summary_item *item = add(out, CR_SUMMARY_COST, name);
	const uint32_t last = s->sides - 1;

	item->kind = kind;
	item->number = cost[last];
	item->whole = cr_tree_whole(s->tree, last);
	if (last)
		item->change = (int32_t)cr_share_ppm(cost[1], cr_tree_whole(s->tree, 1)) -
			       (int32_t)cr_share_ppm(cost[0], cr_tree_whole(s->tree, 0));
	return item;
}

static int
by_number(const void *x, const void *y)
{
	const struct cr_summary_item *a = x, *b = y;

	return a->number == b->number ? strcmp(a->text, b->text) : a->number < b->number ? 1 : -1;
}

/* Sort the costs, and let bars have the scale of the largest: all, a half, a quarter or a tenth. */
static void
finish_costs(cr_summary_items *out)
{
	static const uint64_t parts[] = {2, 4, 10};

	if (!out->n)
		return;
	qsort(out->p, out->n, sizeof(*out->p), by_number);
	for (size_t i = 0; i < out->n; i++) {
		out->p[i].scale = out->p[i].whole;
		for (size_t k = 0; k < CR_LEN(parts); k++)
			if (out->p[0].number <= out->p[0].whole / parts[k])
				out->p[i].scale = out->p[i].whole / parts[k];
	}
}

static bool
is_of_kernel(enum cr_kind kind)
{
	return kind == CR_KIND_KERNEL || kind == CR_KIND_MODULE || kind == CR_KIND_BPF;
}

static void
collect_kinds(const struct cr_session *s, cr_summary_items *out)
{
	const struct cr_tree *t = s->tree;
	uint64_t self[CR_KINDS][CR_SIDES] = {{0}};

	for (uint32_t n = 0; n < t->n; n++) {
		const enum cr_kind kind = (enum cr_kind)t->frames[t->frame[n]].kind;
		const size_t at = is_of_kernel(kind) ? CR_KIND_KERNEL
				  : kind < CR_KINDS  ? kind
						     : CR_KIND_UNKNOWN;

		for (uint32_t side = 0; side < s->sides; side++)
			self[at][side] = cr_add_sat(self[at][side], t->self[side][n]);
	}
	for (size_t kind = 0; kind < CR_KINDS; kind++) {
		const bool kernel = kind == CR_KIND_KERNEL;
		const char *name = kernel                    ? "kernel"
				   : kind == CR_KIND_USER    ? "programs and libraries"
				   : kind == CR_KIND_JIT     ? "code made at run time"
				   : kind == CR_KIND_UNKNOWN ? "unknown"
				   : kind == CR_KIND_GROUP   ? "no stack"
							     : "vDSO";
		struct cr_summary_item *item;

		if (!self[kind][s->sides - 1])
			continue;
		item = add_cost(s, out, cr_str_of(name), (uint8_t)kind, self[kind]);
		if (kernel || kind == CR_KIND_USER)
			item->line = cr_strdup(kernel ? "mode kernel; view functions"
						      : "mode user; view functions");
	}
	finish_costs(out);
}

/* The widest node of a row of a table: what is selected with it. */
struct wanted {
	uint32_t row, best;
	uint64_t extent;
};

static void
find_widest(
	const struct cr_tree *t, const struct cr_table *table, struct wanted *of, uint32_t n_wanted)
{
	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t row = table->frame_row[t->frame[n]];

		for (uint32_t i = 0; row != CR_NO_ROW && i < n_wanted; i++)
			if (of[i].row == row &&
				(of[i].best == CR_NO_ROW || t->extent[n] > of[i].extent)) {
				of[i].best = n;
				of[i].extent = t->extent[n];
			}
	}
}

/* By name and argument, quoted where it has to be: "comm zstd; view flame". */
static char *
line_of(enum cr_word word, struct cr_str name, const char *then)
{
	struct cr_text t = {0};
	char *arg;

	if (!name.len || memchr(name.p, '\0', name.len))
		return NULL;
	arg = cr_memdup(name.p, name.len);
	cr_query_put_step(word, arg, &t);
	cr_text_puts(&t, then);
	free(arg);
	return t.p;
}

static void
fill_line(const struct cr_session *s, struct cr_summary_item *item, enum cr_summary_part part,
	const struct cr_frame *f)
{
	struct cr_text t = {0};

	if (part == CR_SUMMARY_PROGRAMS && !cr_query_groups(&s->query)) {
		item->line = line_of(CR_WORD_COMM, f->name, "; view flame");
	} else if (part == CR_SUMMARY_DSOS && f->dso.len) {
		item->line = line_of(CR_WORD_DSO, f->dso, "; view functions");
	} else if (item->node != CR_NO_ROW) {
		cr_text_printf(&t, "select %u; search-name; view flame", item->node);
		item->line = t.p;
	}
}

/* The rows of a table by one key, the costliest first. */
static void
collect_rows(struct cr_session *s, enum cr_table_column key, enum cr_summary_part part, bool total,
	cr_summary_items *out)
{
	struct wanted wanted[ROWS_MOST];
	struct cr_text made = {0};
	struct cr_table table;
	uint32_t n = 0;

	if (cr_work_stopped())
		return;
	cr_table_make(NULL, s->tree, 0, cr_table_by(key), &table);
	for (uint32_t i = 0; i < table.n && n < ROWS_MOST; i++) {
		const struct cr_table_row *r = &table.rows[i];
		const struct cr_frame *f = &s->tree->frames[cr_table_frame(&table, i)];
		uint64_t cost[CR_SIDES] = {0};
		struct cr_str name = f->name;
		struct cr_summary_item *item;

		for (uint32_t side = 0; side < s->sides; side++)
			cost[side] = total ? r->cost[side].total : r->cost[side].self;
		if (cr_share_ppm(cost[s->sides - 1], s->tree->total[s->sides - 1][0]) < LEAST_PPM ||
			cr_frame_is_group(f) != (part == CR_SUMMARY_PROGRAMS))
			continue;
		if (part == CR_SUMMARY_DSOS)
			name = cr_dso_name(f->dso, f->kind, &made);
		item = add_cost(s, out, name, f->kind, cost);
		for (uint32_t side = 0; side < s->sides; side++) {
			item->cost.total[side] = r->cost[side].total;
			item->cost.self[side] = r->cost[side].self;
			item->cost.samples[side] = r->cost[side].total_samples;
		}
		wanted[n++] = (struct wanted){i, CR_NO_ROW, 0};
	}
	find_widest(s->tree, &table, wanted, n);
	for (uint32_t i = 0; i < n; i++) {
		out->p[i].node = wanted[i].best;
		fill_line(s, &out->p[i], part,
			&s->tree->frames[cr_table_frame(&table, wanted[i].row)]);
	}
	finish_costs(out);
	cr_table_fini(&table);
	cr_text_fini(&made);
}

/* ---- quality */

static void
put_well(const struct cr_profile *p, const struct cr_health *h, cr_summary_items *out)
{
	struct cr_text t = {0};

	cr_brief_well(p, h, &t);
	for (const char *at = t.len ? t.p : ""; *at; at += strcspn(at, "\n") + 1) {
		add(out, CR_SUMMARY_WELL, (struct cr_str){at, (uint32_t)strcspn(at, "\n")})->line =
			cr_strdup("print recording");
	}
	cr_text_fini(&t);
}

/* Reads all samples of a stored profile. */
static void
collect_quality(struct cr_session *s, cr_summary_items *out)
{
	const struct cr_profile *p = cr_view_profile(s);
	struct cr_err err = CR_ERR_INIT;
	const struct cr_health *h = cr_view_health(s, cr_session_event_of(s, s->sides - 1), &err);
	struct cr_text t = {0};

	if (!h) {
		cr_text_puts(&t, err.text);
		add_text(out, CR_SUMMARY_FINDING, &t);
		cr_text_fini(&t);
		return;
	}
	for (uint32_t i = 0; i < h->n_findings; i++) {
		cr_brief_finding(p, h, &h->findings[i], &t);
		add_text(out, CR_SUMMARY_FINDING, &t)->line = cr_strdup("print recording");
		cr_brief_remedy(h, &h->findings[i], &t);
		add_text(out, CR_SUMMARY_REMEDY, &t);
	}
	put_well(p, h, out);
	cr_text_fini(&t);
}

/* ---- what changed */

#define WRAP_CELLS 36u /* of a sentence, so that it fits a column of a usual screen */
#define CHANGES_MOST 5u

/* A finding in items of at most WRAP_CELLS bytes; the lines after the first are indented. */
static void
add_wrapped(cr_summary_items *out, struct cr_str text)
{
	enum cr_summary_form form = CR_SUMMARY_FINDING;

	while (text.len) {
		uint32_t end = text.len;

		if (end > WRAP_CELLS)
			for (end = WRAP_CELLS; end > 0 && text.p[end] != ' '; end--)
				;
		if (end == 0)
			end = text.len;
		add(out, form, (struct cr_str){text.p, end});
		end += end < text.len;
		text.p += end;
		text.len -= end;
		form = CR_SUMMARY_REMEDY;
	}
}

/* A finding a line. */
static void
add_findings(cr_summary_items *out, const struct cr_text *text)
{
	const char *at = text->len ? text->p : "";

	for (size_t len; *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		add_wrapped(out, (struct cr_str){at, (uint32_t)len});
	}
}

/* The called functions, the largest change first; the rest of the table is another view. */
static void
add_called(struct cr_session *s, const struct cr_judged *j, const struct cr_table *table,
	cr_summary_items *out)
{
	struct cr_verdict_sheet sheet;

	cr_verdict_sheet_init(s->tree, table, j, s->change.totals, true, "", &sheet);
	cr_verdict_sheet_only_called(&sheet);
	for (uint32_t i = 0; i < CR_MIN(sheet.sheet.n_rows, CHANGES_MOST); i++) {
		const uint32_t row = sheet.order[i];
		const struct cr_table_cost *cost = table->rows[row].cost;
		const bool totals = s->change.totals;
		const struct cr_frame *f = &s->tree->frames[cr_table_frame(table, row)];
		struct wanted wanted = {row, CR_NO_ROW, 0};
		struct cr_summary_item *item = add_cost(s, out, f->name, f->kind,
			(const uint64_t[]){totals ? cost[0].total : cost[0].self,
				totals ? cost[1].total : cost[1].self});

		find_widest(s->tree, table, &wanted, 1);
		for (uint32_t side = 0; side < s->sides; side++) {
			item->cost.total[side] = cost[side].total;
			item->cost.self[side] = cost[side].self;
			item->cost.samples[side] = cost[side].total_samples;
		}
		item->node = wanted.best;
		item->line = cr_strdup("view functions; changes only");
	}
	cr_verdict_sheet_fini(&sheet);
}

/* What could have been seen: lines that fit a column of a usual screen. */
static void
add_power(const struct cr_judged *j, const struct cr_verdict_summary *sum, cr_summary_items *out)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "%" PRIu32 " of %" PRIu32 " functions %s", sum->called, sum->tested,
		sum->single ? "likely changed" : "changed");
	add_text(out, CR_SUMMARY_FACT, &t)->line = cr_strdup("view functions");
	cr_text_printf(&t, "smallest change to show: %.1f points", 100 * sum->smallest);
	add_text(out, CR_SUMMARY_FACT, &t);
	if (j->recordings[0] < 3 || j->recordings[1] < 3)
		cr_text_printf(
			&t, "with 3 v 3 recordings: %.1f points", 100 * sum->smallest_of_three);
	else
		cr_text_printf(&t, "from %" PRIu32 " v %" PRIu32 " recordings", j->recordings[0],
			j->recordings[1]);
	add_text(out, CR_SUMMARY_FACT, &t);
	cr_text_fini(&t);
}

/* Of a difference: the functions that are called changed, and what could have been seen. */
static void
collect_changes(struct cr_session *s, cr_summary_items *out)
{
	const struct cr_table *table;
	const struct cr_judged *j = s->sides == 2 ? cr_changes_judged(s, &table) : NULL;

	if (!j)
		return;
	add_called(s, j, table, out);
	add_power(j, s->change.totals ? &j->of_total : &j->of_self, out);
}

/* Why it is doubtful to compare the sides. */
static void
collect_doubts(const struct cr_session *s, cr_summary_items *out)
{
	struct cr_text t = {0};

	if (s->sides == 2 && s->profile[0] != s->profile[1])
		cr_comparable_put((const struct cr_profile *const[]){s->profile[0], s->profile[1]},
			s->tree, &t);
	add_findings(out, &t);
	cr_text_fini(&t);
}

/* ---- where to go */

static void
collect_keys(cr_summary_items *out)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; cr_view_ops_at(i); i++) {
		const struct cr_view_ops *view = cr_view_ops_at(i);

		if (strcmp(view->name, "summary") == 0)
			continue;
		cr_text_printf(&t, "%c  %s", (int)cr_view_key_at(i), view->about);
		add_text(out, CR_SUMMARY_KEY, &t);
		cr_text_printf(&t, "view %s", view->name);
		out->p[out->n - 1].line = cr_memdup(t.p, t.len);
		cr_text_clear(&t);
	}
	add(out, CR_SUMMARY_KEY, CR_STR("/  search functions by name"));
	add(out, CR_SUMMARY_KEY, CR_STR("?  help: all keys and commands"));
	cr_text_fini(&t);
}

void
cr_summary_collect(struct cr_session *s, cr_summary_items parts[CR_SUMMARY_PARTS])
{
	collect_recorded(s, &parts[CR_SUMMARY_RECORDED]);
	collect_changes(s, &parts[CR_SUMMARY_CHANGES]);
	collect_kinds(s, &parts[CR_SUMMARY_KINDS]);
	collect_rows(
		s, CR_TABLE_FUNCTION, CR_SUMMARY_FUNCTIONS, false, &parts[CR_SUMMARY_FUNCTIONS]);
	collect_rows(s, CR_TABLE_GROUP, CR_SUMMARY_PROGRAMS, true, &parts[CR_SUMMARY_PROGRAMS]);
	collect_rows(s, CR_TABLE_DSO_PATH, CR_SUMMARY_DSOS, false, &parts[CR_SUMMARY_DSOS]);
	collect_doubts(s, &parts[CR_SUMMARY_QUALITY]);
	collect_quality(s, &parts[CR_SUMMARY_QUALITY]);
	collect_keys(&parts[CR_SUMMARY_KEYS]);
}

/* ---- over time */

void
cr_summary_bins_make(struct cr_session *s, uint32_t n, struct cr_summary_bins *out)
{
	struct cr_series_opts o = {.by = {CR_LANE_ALL, NULL}, .bins = n};
	struct cr_profile *p = s->profile[s->sides - 1];
	const struct cr_str event =
		p->n_events ? p->events[cr_session_event_of(s, s->sides - 1).i].name : CR_STR("");
	char *name = cr_memdup(event.len ? event.p : "", event.len);
	struct cr_err err = CR_ERR_INIT;
	struct cr_series series;
	struct cr_query q;

	*out = (struct cr_summary_bins){.n = 0};
	cr_query_copy(&s->query, &q);
	if (p->n_events && cr_query_add(&q, CR_WORD_EVENT, name, &err) == CR_OK &&
		cr_view_fetch(s, cr_series_needs(p, &q, &o), &err) == CR_OK &&
		(o.slices = cr_view_slices(s, &q), true) &&
		cr_series_make(p, &q, &o, &series, &err) == CR_OK) {
		if (series.n_lanes) {
			out->n = series.n_bins;
			out->weight = cr_memdup(
				series.lanes[0].bin_weight, series.n_bins * sizeof(*out->weight));
			out->from_ns = series.span.from_ns;
			out->to_ns = series.span.from_ns + series.span.len_ns;
		}
		cr_series_fini(&series);
	}
	for (uint32_t i = 0; i < out->n; i++)
		out->most = CR_MAX(out->most, out->weight[i]);
	cr_query_fini(&q);
	free(name);
}
