#include "query/diff/evidence.h"

#include "base/hash.h"
#include "base/work.h"
#include "match_p.h"
#include "model/columns.h"
#include "model/merge/merge.h"
#include "query/fold/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_SAMPLES 500
#define PARTS_MOST 4096 /* maximum number of recordings of a side that are distinguished */

/*
 * One side, cut in parts: its recordings, or the blocks of the only recording. Sums are by row of
 * the table and part.
 */
struct side {
	const struct cr_evidence_side *in;
	uint16_t *part_of; /* by row of the samples; of selected ones only */
	uint32_t parts, recordings;
	struct cr_verdict_recording *recording;
	double *self, *total; /* [row * parts + part], as shares of the part */
	double *whole;        /* by part */
	struct cr_plan *plan;
	double *shares_self, *shares_total; /* [row * recordings + recording] */
};

struct evidence {
	struct side side[CR_SIDES];
	const struct cr_diff_opts *opts;
	const struct cr_table *table;
	struct cr_match *match;
	struct cr_index rows; /* of the table, by their name */
	bool blocks;          /* parts are blocks, not recordings */
	struct cr_err *err;
};

/* ---- rows of the table, found by what their frames are matched by */

static struct cr_str
row_name(const struct cr_table *t, uint32_t row)
{
	const enum cr_table_column key = (enum cr_table_column)t->spec->keys[0];

	return cr_diff_canonical(cr_table_value(t, row, key)->text);
}

static struct cr_str
row_dso(const struct cr_table *t, uint32_t row)
{
	return cr_table_value(t, row, (enum cr_table_column)t->spec->keys[0])->dso;
}

static uint64_t
row_hash(const struct cr_table *t, uint32_t row)
{
	const struct cr_str name = row_name(t, row), dso = row_dso(t, row);

	return cr_hash_mix(cr_hash(name.p, name.len), cr_hash(dso.p, dso.len));
}

/* The row of e's table that has the name of row `row` of another one. */
static uint32_t
find_row(const struct evidence *e, const struct cr_table *other, uint32_t row)
{
	const uint64_t h = row_hash(other, row);
	uint32_t i;

	cr_index_each(&e->rows, h, i)
		if (cr_str_eq(row_name(e->table, i), row_name(other, row)) &&
			cr_str_eq(row_dso(e->table, i), row_dso(other, row)))
			break;
	return i;
}

/* ---- samples of a side */

static uint64_t
weight_at(const struct cr_profile *p, uint64_t row)
{
	uint64_t same;

	return cr_column_one_weight(p, &same) ? same : cr_column_weights(p)[row];
}

/*
 * The selected rows of a side, in the order of time.
 */
struct selected {
	uint64_t *row;
	uint64_t n;
};

struct timed {
	uint64_t time, row;
};

static int
timed_cmp(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static void
sort_by_time(const struct cr_profile *p, struct selected *s)
{
	const uint64_t *times = cr_column_times(p);
	struct timed *order;
	bool sorted = true;

	for (uint64_t i = 1; i < s->n && sorted; i++)
		sorted = times[s->row[i - 1]] <= times[s->row[i]];
	if (sorted)
		return;
	order = cr_alloc(s->n, sizeof(*order));
	for (uint64_t i = 0; i < s->n; i++)
		order[i] = (struct timed){times[s->row[i]], s->row[i]};
	qsort(order, (size_t)s->n, sizeof(*order), timed_cmp);
	for (uint64_t i = 0; i < s->n; i++)
		s->row[i] = order[i].row;
	free(order);
}

static int
select_rows(const struct cr_evidence_side *in, struct selected *out, struct cr_err *err)
{
	uint8_t *select;
	int rc = cr_select(in->p, cr_query_filter(in->query), &select, err);

	*out = (struct selected){0};
	if (rc < 0)
		return rc;
	for (uint64_t i = 0; i < in->p->samples.n; i++)
		out->n += select[i];
	out->row = cr_alloc(out->n, sizeof(*out->row));
	out->n = 0;
	for (uint64_t i = 0; i < in->p->samples.n; i++)
		if (select[i])
			out->row[out->n++] = i;
	free(select);
	return CR_OK;
}

/* ---- how many samples weights are worth */

static uint64_t
gcd(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Rows that are sums over samples: the number of samples is the weight if that counts samples. Else
 * it follows from the largest number that divides all weights, which is the weight of one sample if
 * all of them weighed the same.
 */
static double
samples_of_sums(const struct cr_profile *p, const struct cr_event *e, const struct selected *s,
	double whole)
{
	uint64_t divisor = 0;

	if (cr_event_counts_samples(e))
		return whole;
	for (uint64_t i = 0; i < s->n && divisor != 1; i++)
		divisor = gcd(divisor, weight_at(p, s->row[i]));
	return divisor > 1 && whole / (double)divisor >= 100 ? whole / (double)divisor : 0;
}

/* Fill in the samples of each recording; that of a row is part_of[row]. */
static void
count_samples(struct side *s, const struct selected *rows, cr_event_id event)
{
	const struct cr_profile *p = s->in->p;
	double *sum = cr_alloc(s->recordings, sizeof(*sum)),
	       *squares = cr_alloc(s->recordings, sizeof(*squares));

	for (uint64_t i = 0; i < rows->n; i++) {
		const double w = (double)weight_at(p, rows->row[i]);
		const uint32_t r = s->part_of[rows->row[i]];

		sum[r] += w;
		squares[r] += w * w;
	}
	for (uint32_t r = 0; r < s->recordings; r++)
		s->recording[r] = (struct cr_verdict_recording){
			.samples = squares[r] > 0 ? sum[r] * sum[r] / squares[r] : 0,
			.has_times = p->flags & CR_PROFILE_HAS_TIME};
	if (cr_event_is_summed(p, event))
		for (uint32_t r = 0; r < s->recordings; r++)
			s->recording[r].samples =
				samples_of_sums(p, &p->events[event.i], rows, sum[r]);
	free(sum);
	free(squares);
}

/* ---- parts of a side */

/* Number the recordings that have selected rows, and put each row in its own. */
static void
cut_recordings(struct side *s, const struct selected *rows)
{
	const struct cr_profile *p = s->in->p;
	struct cr_merge_inputs inputs;
	uint32_t *of_task, *number, n;

	s->recordings = 1;
	s->part_of = cr_alloc(p->samples.n, sizeof(*s->part_of));
	cr_merge_inputs(p, &inputs);
	n = inputs.n;
	cr_merge_inputs_fini(&inputs);
	if (n < 2 || n > PARTS_MOST)
		return;
	of_task = cr_alloc(p->n_tasks, sizeof(*of_task));
	number = cr_alloc(n, sizeof(*number));
	cr_merge_recordings(p, of_task);
	s->recordings = 0;
	for (uint64_t i = 0; i < rows->n; i++) {
		uint32_t *at = &number[of_task[cr_column_tasks(p)[rows->row[i]]]];

		if (!*at)
			*at = ++s->recordings;
		s->part_of[rows->row[i]] = (uint16_t)(*at - 1);
	}
	free(of_task);
	free(number);
	s->recordings = CR_MAX(s->recordings, 1u);
}

static void
cut_blocks(struct side *s, struct selected *rows)
{
	const struct cr_profile *p = s->in->p;
	double whole = 0, sum = 0;

	s->parts = cr_verdict_blocks(s->recording[0].samples);
	sort_by_time(p, rows);
	for (uint64_t i = 0; i < rows->n; i++)
		whole += (double)weight_at(p, rows->row[i]);
	for (uint64_t i = 0; i < rows->n; i++) {
		const double block = whole > 0 ? sum / whole * s->parts : 0;

		s->part_of[rows->row[i]] = (uint16_t)CR_MIN((uint32_t)block, s->parts - 1);
		sum += (double)weight_at(p, rows->row[i]);
	}
}

static bool
is_pair(const struct evidence *e)
{
	return e->side[0].recordings + e->side[1].recordings <= 2;
}

static int
cut_side(struct evidence *e, struct side *s, struct selected *rows)
{
	cr_event_id event;
	int rc;

	if ((rc = select_rows(s->in, rows, e->err)) < 0 ||
		(rc = cr_filter_event(s->in->p, cr_query_filter(s->in->query), &event, e->err)) < 0)
		return rc;
	cut_recordings(s, rows);
	s->parts = s->recordings;
	s->recording = cr_alloc(s->recordings, sizeof(*s->recording));
	count_samples(s, rows, event);
	return CR_OK;
}

static int
cut(struct evidence *e)
{
	struct selected rows[CR_SIDES] = {{0}, {0}};
	int rc = CR_OK;

	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++)
		rc = cut_side(e, &e->side[s], &rows[s]);
	e->blocks = rc == CR_OK && is_pair(e);
	for (int s = 0; s < CR_SIDES && e->blocks; s++)
		if (e->side[s].recording[0].has_times && rows[s].n)
			cut_blocks(&e->side[s], &rows[s]);
	for (int s = 0; s < CR_SIDES; s++)
		free(rows[s].row);
	return rc;
}

/* ---- what rows cost in a part */

/* Add the rows of a difference of two parts, of which a side may have none. */
static void
add_part(struct evidence *e, const struct cr_tree *t, const uint32_t part[CR_SIDES])
{
	struct cr_table table;

	cr_table_make(NULL, t, 0, e->table->spec, &table);
	for (int s = 0; s < CR_SIDES; s++)
		if (part[s] < e->side[s].parts)
			e->side[s].whole[part[s]] = (double)table.whole[s];
	for (uint32_t i = 0; i < table.n; i++) {
		const uint32_t row = find_row(e, &table, i);

		for (int s = 0; s < CR_SIDES && row != CR_NO_ROW; s++) {
			const struct cr_table_cost *c = &table.rows[i].cost[s];
			const size_t at = (size_t)row * e->side[s].parts + part[s];

			if (part[s] >= e->side[s].parts)
				continue;
			e->side[s].self[at] += (double)c->self;
			e->side[s].total[at] += (double)c->total;
		}
	}
	cr_table_fini(&table);
}

#define NO_PART UINT16_MAX /* of no row */

static int
fold_part(struct evidence *e, struct side *s, uint32_t part, struct cr_tree **out)
{
	return cr_plan_fold_part(s->plan, cr_query_filter(s->in->query), s->part_of,
		part < s->parts ? (uint16_t)part : NO_PART, out, e->err);
}

static int
add_parts(struct evidence *e, uint32_t number)
{
	struct cr_tree *side[CR_SIDES] = {NULL, NULL}, *both = NULL;
	uint32_t part[CR_SIDES];
	struct cr_diff_opts opts = *e->opts;
	int rc = CR_OK;

	opts.force = true; /* whoever made the whole difference has checked that */
	opts.match = e->match;
	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++) {
		part[s] = CR_MIN(number, e->side[s].parts);
		rc = fold_part(e, &e->side[s], part[s], &side[s]);
	}
	if (rc == CR_OK && (rc = cr_diff(side[0], side[1], &opts, &both, e->err)) == CR_OK &&
		(rc = cr_query_transform(e->side[1].in->query, &both, e->err)) == CR_OK)
		add_part(e, both, part);
	cr_tree_free(both);
	cr_tree_free(side[0]);
	cr_tree_free(side[1]);
	return rc;
}

static int
add_all_parts(struct evidence *e)
{
	const struct cr_profile *p[CR_SIDES] = {e->side[0].in->p, e->side[1].in->p};
	const struct cr_tree *t[CR_SIDES] = {e->side[0].in->tree, e->side[1].in->tree};
	const uint32_t most = CR_MAX(e->side[0].parts, e->side[1].parts);
	int rc = CR_OK;

	e->match = cr_match_new(p, t, e->opts->by_path);
	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_fold_opts opts = cr_query_opts(e->side[s].in->query);

		e->side[s].plan = cr_plan_new(p[s], &opts);
	}
	for (uint32_t i = 0; i < most && rc == CR_OK; i++)
		rc = add_parts(e, i);
	cr_match_free(e->match);
	e->match = NULL;
	return rc;
}

/* ---- shares */

/* Sums become shares of the part, and of the recordings. */
static void
share_out(struct evidence *e, struct side *s, double *sums, double *shares)
{
	for (uint32_t row = 0; row < e->table->n; row++) {
		double *at = sums + (size_t)row * s->parts, sum = 0, whole = 0;

		for (uint32_t i = 0; i < s->parts; i++) {
			sum += at[i];
			whole += s->whole[i];
			at[i] = s->whole[i] > 0 ? at[i] / s->whole[i] : 0;
		}
		if (s->recordings == 1)
			shares[row] = whole > 0 ? sum / whole : 0;
		else
			memcpy(shares + (size_t)row * s->recordings, at, s->parts * sizeof(*at));
	}
}

/* What the transforms of the query drop is not there to be counted. */
static void
scale_samples(struct side *s)
{
	const double folded = (double)s->in->tree->total[0][0];
	double left = 0;

	for (uint32_t i = 0; i < s->parts; i++)
		left += s->whole[i];
	for (uint32_t r = 0; r < s->recordings && folded > 0; r++)
		s->recording[r].samples *= fmin(left / folded, 1);
}

/* ---- work of the machine */

/* Functions that handle interrupts of any program. */
static bool
is_machine(struct cr_str name)
{
	static const char *const names[] = {"asm_common_interrupt", "__irq_exit_rcu",
		"handle_softirqs", "__do_softirq", "__softirqentry_text_start"};
	static const char *const beginnings[] = {"asm_sysvec_", "irq_exit"};

	for (size_t i = 0; i < CR_LEN(names); i++)
		if (cr_str_eq(name, cr_str_of(names[i])))
			return true;
	for (size_t i = 0; i < CR_LEN(beginnings); i++)
		if (cr_str_starts(name, beginnings[i]))
			return true;
	return false;
}

/*
 * By row: has it no self cost, or no cost at all, but at or below such a function? Rows without any
 * self cost are no machine's.
 */
static void
find_machine(const struct cr_tree *t, const struct cr_table *table, uint8_t *self, uint8_t *total)
{
	uint8_t *below = cr_alloc(t->n, 1), *names = cr_alloc(t->n_frames, 1);

	for (uint32_t f = 1; f < t->n_frames; f++)
		names[f] = is_machine(t->frames[f].name);
	memset(self, 1, table->n);
	memset(total, 1, table->n);
	for (uint32_t i = 1; i < t->n; i++) {
		const uint32_t row = table->frame_row[t->frame[i]];

		below[i] = below[t->parent[i]] || names[t->frame[i]];
		if (below[i] || row == CR_NO_ROW)
			continue;
		total[row] = 0;
		if (t->self[0][i] || (t->sides > 1 && t->self[1][i]))
			self[row] = 0;
	}
	for (uint32_t i = 0; i < table->n; i++)
		self[i] &= table->rows[i].cost[0].self || table->rows[i].cost[1].self;
	free(below);
	free(names);
}

/* ---- both together */

static void
judge(const struct evidence *e, const struct cr_tree *t, double noise, struct cr_judged *out)
{
	uint8_t *machine[2] = {cr_alloc(e->table->n, 1), cr_alloc(e->table->n, 1)};
	struct cr_verdict_input in = {.n = e->table->n, .noise = noise};

	if (e->table->spec->keys[0] != CR_TABLE_GROUP) /* threads are never the machine's alone */
		find_machine(t, e->table, machine[0], machine[1]);
	out->self = cr_alloc(in.n, sizeof(*out->self));
	out->total = cr_alloc(in.n, sizeof(*out->total));
	for (int totals = 0; totals < 2; totals++) {
		in.totals = totals;
		in.machine = machine[totals];
		for (int k = 0; k < CR_SIDES; k++) {
			const struct side *s = &e->side[k];

			in.side[k] = (struct cr_verdict_side){.n = s->recordings,
				.recordings = s->recording,
				.shares = totals ? s->shares_total : s->shares_self};
			if (e->blocks && s->parts > 1) {
				in.side[k].blocks = s->parts;
				in.side[k].block_shares = totals ? s->total : s->self;
			}
		}
		cr_verdicts(&in, totals ? out->total : out->self,
			totals ? &out->of_total : &out->of_self);
	}
	free(machine[0]);
	free(machine[1]);
}

static void
describe(const struct evidence *e, struct cr_judged *out)
{
	for (int k = 0; k < CR_SIDES; k++) {
		const struct side *s = &e->side[k];
		bool counts = true;

		out->recordings[k] = s->recordings;
		for (uint32_t r = 0; r < s->recordings; r++) {
			out->samples[k] += s->recording[r].samples;
			counts &= s->recording[r].samples > 0;
			if (!s->recording[r].has_times && s->recordings == 1)
				out->lacks |= CR_LACK_TIMES;
		}
		if (!counts)
			out->lacks |= CR_LACK_COUNTS;
		else if (out->samples[k] < FEW_SAMPLES)
			out->lacks |= CR_LACK_SAMPLES;
	}
}

static void
sides_alloc(struct evidence *e)
{
	for (int k = 0; k < CR_SIDES; k++) {
		struct side *s = &e->side[k];
		const uint64_t n = e->table->n;

		s->whole = cr_alloc(s->parts, sizeof(*s->whole));
		s->self = cr_alloc(n * s->parts, sizeof(*s->self));
		s->total = cr_alloc(n * s->parts, sizeof(*s->total));
		s->shares_self = cr_alloc(n * s->recordings, sizeof(*s->shares_self));
		s->shares_total = cr_alloc(n * s->recordings, sizeof(*s->shares_total));
	}
}

/* Both sides from the table itself: of a profile that is a difference. */
static void
take_table(struct evidence *e)
{
	for (int k = 0; k < CR_SIDES; k++) {
		struct side *s = &e->side[k];

		s->parts = s->recordings = 1;
		s->recording = cr_alloc(1, sizeof(*s->recording));
	}
	sides_alloc(e);
	for (int k = 0; k < CR_SIDES; k++) {
		struct side *s = &e->side[k];

		s->whole[0] = (double)e->table->whole[k];
		s->recording[0].samples = (double)e->table->whole_samples[k];
		for (uint32_t i = 0; i < e->table->n; i++) {
			s->self[i] = (double)e->table->rows[i].cost[k].self;
			s->total[i] = (double)e->table->rows[i].cost[k].total;
		}
	}
}

static void
evidence_fini(struct evidence *e)
{
	for (int k = 0; k < CR_SIDES; k++) {
		struct side *s = &e->side[k];

		free(s->part_of);
		free(s->recording);
		free(s->self);
		free(s->total);
		free(s->whole);
		free(s->shares_self);
		free(s->shares_total);
		cr_plan_free(s->plan);
	}
	cr_index_fini(&e->rows);
}

static int
gather(struct evidence *e)
{
	int rc;

	if (!e->side[1].in->p) {
		take_table(e);
		return CR_OK;
	}
	for (uint32_t i = 0; i < e->table->n; i++)
		cr_index_add(&e->rows, row_hash(e->table, i), i);
	if ((rc = cut(e)) < 0)
		return rc;
	sides_alloc(e);
	if ((rc = add_all_parts(e)) < 0)
		return rc;
	for (int s = 0; s < CR_SIDES; s++)
		scale_samples(&e->side[s]);
	return CR_OK;
}

int
cr_evidence_judge(const struct cr_evidence_side side[CR_SIDES], const struct cr_diff_opts *o,
	const struct cr_tree *t, const struct cr_table *table, double noise, struct cr_judged *out,
	struct cr_err *err)
{
	struct evidence e = {.side = {{.in = &side[0]}, {.in = &side[1]}},
		.opts = o,
		.table = table,
		.err = err};
	int rc = gather(&e);

	*out = (struct cr_judged){0};
	if (rc == CR_OK) {
		for (int s = 0; s < CR_SIDES; s++) {
			share_out(&e, &e.side[s], e.side[s].self, e.side[s].shares_self);
			share_out(&e, &e.side[s], e.side[s].total, e.side[s].shares_total);
		}
		judge(&e, t, noise, out);
		describe(&e, out);
	}
	evidence_fini(&e);
	return rc;
}

void
cr_judged_fini(struct cr_judged *j)
{
	free(j->self);
	free(j->total);
	*j = (struct cr_judged){0};
}
