#include "view/sheet/thread_lines.h"

#include "base/utf8.h"
#include "view/style/chart.h"
#include "view/style/label.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <string.h>

#define SHARE_CELLS 8u
#define ID_CELLS 8u
#define COST_CELLS 10u /* of a time: "  12.3 ms" */
#define NAME_LEAST 12u
#define WAIT_LEAST 14u /* of the function that it waits in */
#define GAP 2u
#define NAME_UNLIMITED 24u
#define WAIT_UNLIMITED 32u

/* The columns of a line, with their cells; 0: not shown. */
struct columns {
	uint32_t bar, samples, off, waits, longest, pid, tid, threads, name, cpus, first, last, in,
		when;
};

static uint32_t
samples_cells(const struct cr_thread_rows *t)
{
	struct cr_text all = {0};
	uint32_t cells;

	cr_text_grouped(&all, t->samples);
	cells = CR_MAX((uint32_t)all.len + GAP, 9u);
	cr_text_fini(&all);
	return cells;
}

/* Columns of ids after those of a difference. */
static uint32_t
choose_ids(const struct cr_thread_lines *l, uint32_t cells, struct columns *c)
{
	const bool thread = l->by == CR_THREAD_BY_THREAD;

	c->pid = l->by != CR_THREAD_BY_COMM && cells >= (thread ? 72 : 60) ? ID_CELLS : 0;
	c->tid = thread && cells >= 60 ? ID_CELLS : 0;
	c->threads = !thread && cells >= 60 ? ID_CELLS + 1 : 0;
	return cr_change_cells_width(cells, l->verdicts) + c->pid + c->tid + c->threads;
}

/* Columns of numbers, by the width of the line. */
static uint32_t
choose_numbers(const struct cr_thread_lines *l, uint32_t cells, struct columns *c)
{
	const bool off = l->t->has_off, thread = l->by == CR_THREAD_BY_THREAD;

	if (l->change)
		return choose_ids(l, cells, c);
	c->bar = cells >= 110 ? 10 : cells >= 60 ? 6 : 0;
	c->off = off && cells >= 44 ? COST_CELLS : 0;
	c->waits = off && cells >= 76 ? ID_CELLS : 0;
	c->longest = off && cells >= 100 ? COST_CELLS : 0;
	c->samples = cells >= (off ? 120 : 56) ? samples_cells(l->t) : 0;
	c->pid = l->by != CR_THREAD_BY_COMM && cells >= (off             ? 100
								: thread ? 72
									 : 40)
			 ? ID_CELLS
			 : 0;
	c->tid = thread && cells >= 34 ? ID_CELLS : 0;
	c->threads = !thread && cells >= 50 ? ID_CELLS + 1 : 0;
	c->cpus = l->t->has_cpus && cells >= 110 ? 6 : 0;
	c->first = c->last = l->t->has_times && cells >= (off ? 150 : 100) ? 9 : 0;
	return SHARE_CELLS + (c->bar ? c->bar + 1 : 0) + c->off + c->waits + c->longest +
	       c->samples + c->pid + c->tid + c->threads + c->cpus + c->first + c->last;
}

/* Charts of time are drawn in a divisor of the bins. */
static uint32_t
chart_cells(uint32_t room)
{
	static const uint32_t widths[] = {120, 80, 60, 48, 40, 30, 24, 20, 16, 15, 12, 10, 8};

	for (size_t i = 0; i < CR_LEN(widths); i++)
		if (widths[i] <= room)
			return widths[i];
	return 0;
}

static struct columns
columns_of(const struct cr_thread_lines *l, uint32_t cells)
{
	struct columns c = {0};
	const uint32_t used = choose_numbers(l, cells ? cells : UINT32_MAX, &c) + GAP;
	uint32_t left = cells - CR_MIN(cells, used);

	if (l->change) {
		c.name = cells ? left : NAME_UNLIMITED;
		return c;
	}
	if (!cells) {
		c.name = NAME_UNLIMITED;
		c.in = l->t->has_reasons ? WAIT_UNLIMITED : 0;
		c.when = l->t->has_times ? 24 : 0;
		return c;
	}
	c.name = CR_MIN(left, left >= 60 ? 20u : left >= 36 ? 16u : NAME_LEAST + 2);
	left -= c.name;
	if (l->t->has_reasons && left >= WAIT_LEAST + GAP) {
		c.in = CR_MIN(left - GAP, cells >= 120 ? 28u : 40u);
		left -= c.in + GAP;
	}
	if (l->t->has_times && left > GAP)
		c.when = chart_cells(left - GAP);
	/* What is left of the line is the name's, or that of what it waits in. */
	left -= CR_MIN(left, c.when ? c.when + GAP : 0);
	if (c.in)
		c.in += left;
	else
		c.name += left;
	return c;
}

/* ---- the line of heads */

static void
put_head(struct cr_text *out, const char *head, uint32_t cells)
{
	if (cells)
		cr_chart_right(out, cr_str_of(head), cells);
}

static void
put_left_head(struct cr_text *out, const char *head, uint32_t cells, bool gap)
{
	if (!cells)
		return;
	cr_text_pad(out, ' ', gap ? GAP : 0);
	cr_text_puts(out, head);
	cr_text_pad(out, ' ', cells - CR_MIN(cells, (uint32_t)strlen(head)));
}

void
cr_thread_lines_head(const struct cr_thread_lines *l, uint32_t cells, struct cr_text *out)
{
	static const char *const names[CR_THREAD_BYS] = {"THREAD", "PROCESS", "COMM"};
	const struct columns c = columns_of(l, cells);

	if (l->change) {
		cr_change_cells_head(cells, l->verdicts, "VERDICT", out);
	} else {
		cr_chart_right(out, CR_STR("SHARE %"), SHARE_CELLS);
		cr_text_pad(out, ' ', c.bar ? c.bar + 1 : 0);
	}
	put_head(out, "SAMPLES", c.samples);
	put_head(out, "OFF CPU", c.off);
	put_head(out, "WAITS", c.waits);
	put_head(out, "LONGEST", c.longest);
	put_head(out, "PID", c.pid);
	put_head(out, "TID", c.tid);
	put_head(out, "THREADS", c.threads);
	put_head(out, "CPUS", c.cpus);
	put_head(out, "FROM s", c.first);
	put_head(out, "TO s", c.last);
	put_left_head(out, names[l->by], c.name, true);
	put_left_head(out, "WAITS IN", c.in, true);
	put_left_head(out, "WHEN", c.when, true);
	cr_chart_line_end(out);
	out->p[--out->len] = '\0'; /* the line feed */
}

/* ---- a line */

static void
put_share(struct cr_paint *out, uint64_t part, uint64_t whole)
{
	struct cr_text text = {0};
	const enum cr_ink ink = cr_ink_of_share(cr_share_ppm(part, whole));

	cr_text_printf(&text, "%.2f", whole ? 100.0 * (double)part / (double)whole : 0.0);
	cr_paint_right(
		out, ink == CR_INK_DIM ? ink : CR_INK_PLAIN, cr_text_view(&text), SHARE_CELLS);
	cr_text_fini(&text);
}

static void
put_number(struct cr_paint *out, uint64_t number, uint32_t cells)
{
	struct cr_text text = {0};

	if (!cells)
		return;
	cr_text_grouped(&text, number);
	cr_paint_right(out, number ? CR_INK_PLAIN : CR_INK_DIM, cr_text_view(&text), cells);
	cr_text_fini(&text);
}

static void
put_id(struct cr_paint *out, int32_t id, uint32_t cells)
{
	struct cr_text text = {0};

	if (!cells)
		return;
	if (id < 0)
		cr_text_puts(&text, "-");
	else
		cr_text_printf(&text, "%" PRId32, id);
	cr_paint_right(out, CR_INK_PLAIN, cr_text_view(&text), cells);
	cr_text_fini(&text);
}

/* A time off the CPU; one that there is none of is dim. */
static void
put_time(struct cr_paint *out, uint64_t ns, uint32_t cells, enum cr_ink ink)
{
	struct cr_text text = {0};

	if (!cells)
		return;
	if (ns)
		cr_text_measure(&text, ns, CR_STR("ns"));
	else
		cr_text_puts(&text, "-");
	cr_paint_right(out, ns ? ink : CR_INK_DIM, cr_text_view(&text), cells);
	cr_text_fini(&text);
}

static void
put_second(struct cr_paint *out, bool known, uint64_t ns, uint32_t cells)
{
	struct cr_text text = {0};

	if (!cells)
		return;
	if (known)
		cr_text_printf(&text, "%.2f", (double)ns / 1e9);
	cr_paint_right(out, CR_INK_DIM, cr_text_view(&text), cells);
	cr_text_fini(&text);
}

static void
put_bar(struct cr_paint *out, uint64_t part, uint64_t whole, uint32_t cells, bool unicode)
{
	const double steps = (unicode ? 8.0 : 1.0) * cells;
	const bool any = whole && steps * (double)part / (double)whole >= 0.5;
	struct cr_text bar = {0};

	if (!cells)
		return;
	cr_paint_to(out, out->x + 1);
	cr_spark_bar(&bar, any ? part : 0, whole, cells, unicode);
	cr_paint_chart(out, CR_INK_BAR, CR_KIND_USER, cr_text_view(&bar));
	cr_text_fini(&bar);
}

/* When it ran; the highest column is the most that it ran itself. */
static void
put_when(struct cr_paint *out, const struct cr_thread_row *r, uint32_t cells, bool unicode)
{
	const uint32_t each = cells ? CR_THREAD_BINS / cells : 0;
	uint64_t sums[CR_THREAD_BINS] = {0}, most = 0;
	struct cr_text chart = {0};

	if (!cells || !r->bins)
		return;
	for (uint32_t i = 0; i < CR_THREAD_BINS; i++) {
		uint64_t *sum = &sums[CR_MIN(i / each, cells - 1)];

		*sum = cr_add_sat(*sum, r->bins[i]);
		most = CR_MAX(most, *sum);
	}
	cr_spark_heights(&chart, sums, cells, most, unicode);
	cr_paint_chart(out, CR_INK_BAR, CR_KIND_USER, cr_text_view(&chart));
	cr_text_fini(&chart);
}

static void
put_name(struct cr_paint *out, enum cr_ink ink, struct cr_str name, uint32_t cells)
{
	if (out->width)
		cr_paint_fit(out, ink, name, cells);
	else
		cr_paint_str(out, ink, name);
}

void
cr_thread_lines_put(const struct cr_thread_lines *l, uint32_t row, const char *mark, bool unicode,
	struct cr_paint *out)
{
	const struct columns c = columns_of(l, out->width);
	const struct cr_thread_row *r = &l->t->rows[row];
	uint32_t x;

	if (l->change) {
		cr_change_cells_put(&l->change[row], l->verdicts, unicode, out);
	} else {
		put_share(out, r->weight, l->t->weight);
		put_bar(out, r->weight, l->t->weight, c.bar, unicode);
	}
	put_number(out, r->samples, c.samples);
	put_time(out, r->off_ns, c.off, CR_INK_PLAIN);
	put_number(out, r->waits, c.waits);
	put_time(out, r->longest_ns, c.longest, CR_INK_PLAIN);
	put_id(out, r->pid, c.pid);
	put_id(out, r->tid, c.tid);
	put_number(out, r->threads, c.threads);
	put_number(out, r->cpus, c.cpus);
	put_second(out, r->has_time, r->first_ns, c.first);
	put_second(out, r->has_time, r->last_ns, c.last);
	x = out->x + GAP;
	cr_paint_to(out, x);
	cr_paint_text(out, CR_INK_DIM, mark);
	put_name(out, l->change ? CR_INK_PLAIN : CR_INK_NAME,
		r->comm.len ? r->comm : CR_STR("[unknown]"), c.name - CR_MIN(c.name, out->x - x));
	x = CR_MAX(out->x, x + c.name) + GAP;
	if (c.in) {
		cr_paint_to(out, x);
		put_name(out, CR_INK_NAME_KERNEL, r->waits_in, c.in);
		x = CR_MAX(out->x, x + c.in) + GAP;
	}
	if (c.when && r->bins) {
		cr_paint_to(out, x);
		put_when(out, r, c.when, unicode);
	}
}

void
cr_thread_lines_put_function(const struct cr_thread_lines *l, const char *what,
	const struct cr_thread_function *f, uint64_t whole, struct cr_str unit,
	struct cr_paint *out)
{
	const struct columns c = columns_of(l, out->width);
	const uint32_t end = out->width ? out->width - CR_MIN(out->width, COST_CELLS + GAP) : 80;
	struct cr_text cost = {0};

	put_share(out, f->cost, whole);
	cr_paint_to(out, SHARE_CELLS + (c.bar ? c.bar + 1 : 0) + GAP);
	cr_paint_text(out, CR_INK_DIM, what);
	put_name(out, CR_INK_NAME, f->name, end - CR_MIN(end, out->x));
	if (cr_text_measure_scales(unit) && out->width >= 60) {
		cr_text_measure(&cost, f->cost, unit);
		cr_paint_to(out, end);
		cr_paint_right(out, CR_INK_DIM, cr_text_view(&cost), COST_CELLS);
	}
	cr_text_fini(&cost);
}

/* ---- all about one */

static void
put_who(const struct cr_thread_lines *l, const struct cr_thread_row *r, struct cr_text *out)
{
	const struct cr_str name = r->comm.len ? r->comm : CR_STR("[unknown]");

	cr_text_safe(out, name);
	if (l->by == CR_THREAD_BY_THREAD)
		cr_text_printf(out, "   thread %" PRId32 " of process %" PRId32, r->tid, r->pid);
	else if (l->by == CR_THREAD_BY_PROCESS)
		cr_text_printf(out, "   process %" PRId32, r->pid);
	if (l->by != CR_THREAD_BY_THREAD) {
		cr_text_puts(out, "   ");
		cr_text_counted(out, r->threads, "thread", "threads");
	}
	if (l->t->has_cpus) {
		cr_text_puts(out, "   ");
		cr_text_counted(out, r->cpus, "processor", "processors");
	}
	if (!r->has_time)
		return;
	cr_text_printf(
		out, "   %.2f s to %.2f s", (double)r->first_ns / 1e9, (double)r->last_ns / 1e9);
}

static void
put_off(const struct cr_thread_lines *l, const struct cr_thread_row *r, struct cr_text *out)
{
	cr_text_puts(out, "   off the CPU ");
	cr_text_measure(out, r->off_ns, CR_STR("ns"));
	if (r->waits) {
		cr_text_puts(out, ", ");
		cr_text_counted(out, r->waits, "wait", "waits");
		cr_text_puts(out, ", longest ");
		cr_text_measure(out, r->longest_ns, CR_STR("ns"));
	}
	if (!l->t->has_reasons || !r->waits_in.len)
		return;
	cr_text_puts(out, "   in ");
	cr_text_safe(out, r->waits_in);
	cr_text_puts(out, " ");
	cr_text_share(out, r->waits_in_ns, r->off_ns);
}

/* What the recording does not know. */
static void
put_missing(const struct cr_thread_lines *l, struct cr_text *out)
{
	if (l->change)
		return;
	if (!l->t->has_off)
		cr_text_puts(out, "   waits are not recorded (! says how)");
	else if (!l->t->has_reasons)
		cr_text_puts(out, "   where it waits is not recorded (! says how)");
}

static void
put_cost(const struct cr_thread_lines *l, const struct cr_thread_row *r, struct cr_text *out)
{
	cr_text_puts(out, "total ");
	cr_text_share(out, r->weight, l->t->weight);
	if (cr_text_measure_scales(l->t->unit)) {
		cr_text_puts(out, "  ");
		cr_text_measure(out, r->weight, l->t->unit);
	}
	put_missing(l, out);
	if (l->t->has_off)
		put_off(l, r, out);
	cr_text_puts(out, "   ");
	cr_text_counted(out, r->samples, "sample", "samples");
}

void
cr_thread_lines_about(
	const struct cr_thread_lines *l, uint32_t row, uint32_t line, struct cr_text *out)
{
	if (line == 0)
		put_who(l, &l->t->rows[row], out);
	else
		put_cost(l, &l->t->rows[row], out);
}
