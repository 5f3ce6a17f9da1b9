#include "query/diff/evidence.h"

#include "base/hash.h"
#include "base/work.h"
#include "evidence_parts_p.h"
#include "matched_frames_p.h"
#include "model/columns.h"
#include "norm_p.h"
#include "part_costs_p.h"
#include "query/fold/fold.h"
#include "transformed_costs_p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_SAMPLES 500
#define WHOLE_MOST 9e18 /* weights are less than 2^63 */

/* One side, in parts, and the shares of the rows in its recordings. */
struct side {
	const struct cr_evidence_side *in;
	struct cr_parts parts;
	struct cr_part_costs costs;         /* later as shares of the part */
	double *shares_self, *shares_total; /* [row * recordings + recording] */
};

struct evidence {
	struct side side[CR_SIDES];
	const struct cr_diff_opts *opts;
	const struct cr_table *table;
	struct cr_matched_frames *frames;
	struct cr_plan *plan[CR_SIDES];
	bool blocks; /* parts are blocks, not recordings */
	struct cr_err *err;
};

/* ---- what rows cost in a part, folded part by part */

/* Add the rows of a difference of two parts; a side may have none with that number. */
static void
add_part(struct evidence *e, const struct cr_tree *t, uint32_t part)
{
	struct cr_table table;

	cr_table_make(NULL, t, 0, e->table->spec, &table);
	for (int s = 0; s < CR_SIDES; s++) {
		const struct side *side = &e->side[s];

		if (part >= side->parts.n)
			continue;
		side->costs.whole[part] = (double)table.whole[s];
		for (uint32_t i = 0; i < table.n; i++) {
			const struct cr_table_cost *c = &table.rows[i].cost[s];
			const uint32_t row = e->table->frame_row[cr_table_frame(&table, i)];
			const size_t at = (size_t)row * side->parts.n + part;

			if (row == CR_NO_ROW)
				continue;
			side->costs.self[at] += (double)c->self;
			side->costs.total[at] += (double)c->total;
		}
	}
	cr_table_fini(&table);
}

#define NO_PART UINT16_MAX /* of no row */

static int
fold_part(const struct evidence *e, int s, uint32_t part, struct cr_tree **out)
{
	const struct cr_parts *parts = &e->side[s].parts;

	return cr_plan_fold_part(e->plan[s], cr_query_filter(parts->query), parts->part_of,
		part < parts->n ? (uint16_t)part : NO_PART, out, e->err);
}

static int
fold_parts(struct evidence *e, uint32_t part)
{
	struct cr_tree *side[CR_SIDES] = {NULL, NULL}, *both = NULL;
	struct cr_diff_opts opts = *e->opts;
	int rc = CR_OK;

	opts.force = true; /* the whole difference was checked when it was made */
	opts.frames = e->frames;
	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++)
		rc = fold_part(e, s, part, &side[s]);
	if (rc == CR_OK && (rc = cr_diff(side[0], side[1], &opts, &both, e->err)) == CR_OK &&
		(rc = cr_query_transform(e->side[1].in->query, &both, e->err)) == CR_OK)
		add_part(e, both, part);
	cr_tree_free(both);
	cr_tree_free(side[0]);
	cr_tree_free(side[1]);
	return rc;
}

static int
fold_all_parts(struct evidence *e)
{
	const uint32_t most = CR_MAX(e->side[0].parts.n, e->side[1].parts.n);
	int rc = CR_OK;

	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_fold_opts opts = cr_query_opts(e->side[s].in->query);

		e->plan[s] = cr_plan_new(e->side[s].in->p, &opts);
	}
	for (uint32_t i = 0; i < most && rc == CR_OK; i++)
		rc = fold_parts(e, i);
	for (int s = 0; s < CR_SIDES; s++)
		cr_plan_free(e->plan[s]);
	return rc;
}

/* ---- what rows cost in a part */

/* True if the stacks of the profiles are those of the table. */
static bool
has_plain_stacks(const struct evidence *e)
{
	const struct cr_query *q = e->side[1].in->query;
	const struct cr_fold_opts opts = cr_query_opts(q);

	return e->table->spec->keys[0] != CR_TABLE_GROUP && !cr_query_has(q, CR_WORD_TRANSFORMS) &&
	       !memchr(opts.groups, CR_GROUP_EVENT, opts.n_groups);
}

/* By frame of the template: its row of the table, CR_NO_ROW if it has none. */
static uint32_t *
rows_of_frames(const struct cr_fold_template *t, const struct evidence *e)
{
	uint32_t *row = cr_alloc(t->n_frames, sizeof(*row));

	for (uint32_t i = 0; i < t->n_frames; i++) {
		const uint32_t frame = i ? cr_matched_frames_find(e->frames, &t->frames[i]) : 0;

		row[i] = frame == CR_NO_ROW ? CR_NO_ROW : e->table->frame_row[frame];
	}
	return row;
}

/* The stacks of a side are those of its profile, which need not be folded. */
static void
add_plain_costs(const struct evidence *e, struct side *side)
{
	const struct cr_parts *parts = &side->parts;
	const struct cr_fold_opts fold = cr_query_opts(parts->query);
	const struct cr_fold_template_opts opts = {fold.granularity, fold.apart, fold.outermost};
	struct cr_fold_template *t = cr_fold_template_new(parts->p, &opts);
	uint32_t *of_frame = rows_of_frames(t, e), *row = NULL, *node = NULL;

	cr_fold_template_rows(t);
	if (!t->n) /* the work was cancelled */
		goto out;
	row = cr_alloc(t->n, sizeof(*row));
	node = cr_alloc(parts->n_rows, sizeof(*node));
	for (uint32_t i = 0; i < t->n; i++)
		row[i] = of_frame[t->frame[i]];
	for (uint64_t i = 0; i < parts->n_rows; i++)
		node[i] = t->row_of_node[cr_column_nodes(parts->p)[parts->rows[i]]];
	cr_part_costs_add(parts, &(struct cr_part_stacks){t->n, t->parent, row, row, node},
		e->table->n, &side->costs);
out:
	free(of_frame);
	free(row);
	free(node);
	cr_fold_template_free(t);
}

static int
add_other_costs(struct evidence *e)
{
	const struct cr_parts *const parts[CR_SIDES] = {&e->side[0].parts, &e->side[1].parts};
	struct cr_part_costs *const costs[CR_SIDES] = {&e->side[0].costs, &e->side[1].costs};
	struct cr_diff_opts opts = *e->opts;
	bool done;
	int rc;

	opts.force = true; /* the whole difference was checked when it was made */
	opts.frames = e->frames;
	rc = cr_transformed_costs_add(parts, &opts, e->table, costs, &done, e->err);
	return rc < 0 || done ? rc : fold_all_parts(e);
}

static int
add_costs(struct evidence *e)
{
	const struct cr_tree *const t[CR_SIDES] = {e->side[0].in->tree, e->side[1].in->tree};
	int rc = CR_OK;

	e->frames = e->opts->frames ? e->opts->frames : cr_diff_match(t, e->opts);
	if (has_plain_stacks(e))
		for (int s = 0; s < CR_SIDES; s++)
			add_plain_costs(e, &e->side[s]);
	else
		rc = add_other_costs(e);
	if (e->frames != e->opts->frames)
		cr_diff_match_free(e->frames);
	return rc == CR_OK ? cr_work_check(e->err) : rc;
}

/* ---- shares */

/* Sums become shares of the part, and of the recordings. */
static void
share_out(const struct evidence *e, const struct side *s, double *sums, double *shares)
{
	const uint32_t parts = s->parts.n;

	for (uint32_t row = 0; row < e->table->n; row++) {
		double *at = sums + (size_t)row * parts, sum = 0, whole = 0;

		for (uint32_t i = 0; i < parts; i++) {
			sum += at[i];
			whole += s->costs.whole[i];
			at[i] = s->costs.whole[i] > 0 ? at[i] / s->costs.whole[i] : 0;
		}
		if (s->parts.recordings == 1)
			shares[row] = whole > 0 ? sum / whole : 0;
		else
			memcpy(shares + (size_t)row * parts, at, parts * sizeof(*at));
	}
}

/* What the transforms of the query drop is not there to be counted. */
static void
scale_samples(struct side *s)
{
	const double folded = (double)s->in->tree->total[0][0];
	double left = 0;

	for (uint32_t i = 0; i < s->parts.n; i++)
		left += s->costs.whole[i];
	for (uint32_t r = 0; r < s->parts.recordings && folded > 0; r++)
		s->parts.recording[r].samples *= fmin(left / folded, 1);
}

/* ---- amounts other than shares */

static double
mean_of(const double *values, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += values[i];
	return sum / n;
}

/* Scale the recordings, so that equal amounts compare equal. */
static int
normalise(struct evidence *e, const struct cr_tree *t, const struct cr_norm *norm,
	struct cr_judged *out)
{
	double *amount[CR_SIDES];
	int rc = CR_OK;

	out->norm = *norm;
	for (int k = 0; k < CR_SIDES; k++) {
		const struct side *s = &e->side[k];

		amount[k] = cr_alloc(s->parts.recordings, sizeof(**amount));
		if (rc == CR_OK)
			rc = cr_norm_amounts(norm, &s->parts, &s->costs, e->table,
				cr_tree_measure(t, (uint32_t)k).unit, amount[k], e->err);
		out->amount += mean_of(amount[k], s->parts.recordings) / CR_SIDES;
	}
	for (int k = 0; k < CR_SIDES; k++) {
		struct cr_parts *parts = &e->side[k].parts;
		const double whole = cr_parts_weigh(parts, e->side[k].costs.whole, amount[k]);

		out->scale[k] = out->amount > 0 ? whole / out->amount : 1;
		for (uint32_t r = 0; r < parts->recordings && out->amount > 0; r++)
			parts->recording[r].scale = amount[k][r] / out->amount;
		free(amount[k]);
	}
	return rc;
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
	struct cr_verdict_input in = {
		.n = e->table->n, .noise = noise, .scaled = out->norm.kind != CR_NORM_SHARE};

	if (e->table->spec->keys[0] != CR_TABLE_GROUP) /* threads are never the machine's alone */
		find_machine(t, e->table, machine[0], machine[1]);
	out->self = cr_alloc(in.n, sizeof(*out->self));
	out->total = cr_alloc(in.n, sizeof(*out->total));
	for (int totals = 0; totals < 2; totals++) {
		in.totals = totals;
		in.machine = machine[totals];
		for (int k = 0; k < CR_SIDES; k++) {
			const struct side *s = &e->side[k];

			in.side[k] = (struct cr_verdict_side){.n = s->parts.recordings,
				.recordings = s->parts.recording,
				.shares = totals ? s->shares_total : s->shares_self,
				.weights = s->parts.recording_weights};
			if (e->blocks && s->parts.n > 1) {
				in.side[k].blocks = s->parts.n;
				in.side[k].block_shares = totals ? s->costs.total : s->costs.self;
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
		const struct cr_parts *s = &e->side[k].parts;
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

		s->costs.whole = cr_alloc(s->parts.n, sizeof(*s->costs.whole));
		s->costs.self = cr_alloc(n * s->parts.n, sizeof(*s->costs.self));
		s->costs.total = cr_alloc(n * s->parts.n, sizeof(*s->costs.total));
		s->shares_self = cr_alloc(n * s->parts.recordings, sizeof(*s->shares_self));
		s->shares_total = cr_alloc(n * s->parts.recordings, sizeof(*s->shares_total));
	}
}

/*
 * Both sides from the table itself: of a profile that is a difference. Its weights are the number
 * of samples only if they count these.
 */
static void
take_table(struct evidence *e, const struct cr_tree *t)
{
	for (int k = 0; k < CR_SIDES; k++) {
		struct cr_parts *parts = &e->side[k].parts;

		parts->n = parts->recordings = 1;
		parts->recording = cr_alloc(1, sizeof(*parts->recording));
		if (cr_str_eq(cr_tree_measure(t, (uint32_t)k).unit, CR_STR("samples")))
			parts->recording[0].samples = (double)t->total[k][0];
	}
	sides_alloc(e);
	for (int k = 0; k < CR_SIDES; k++) {
		struct cr_part_costs *c = &e->side[k].costs;

		c->whole[0] = (double)t->total[k][0];
		for (uint32_t i = 0; i < e->table->n; i++) {
			c->self[i] = (double)e->table->rows[i].cost[k].self;
			c->total[i] = (double)e->table->rows[i].cost[k].total;
		}
	}
}

static void
evidence_fini(struct evidence *e)
{
	for (int k = 0; k < CR_SIDES; k++) {
		struct side *s = &e->side[k];

		cr_parts_fini(&s->parts);
		free(s->costs.self);
		free(s->costs.total);
		free(s->costs.whole);
		free(s->shares_self);
		free(s->shares_total);
	}
}

static int
gather(struct evidence *e, const struct cr_tree *t)
{
	struct cr_parts parts[CR_SIDES];
	int rc;

	if (!e->side[1].in->p) {
		take_table(e, t);
		return CR_OK;
	}
	for (int s = 0; s < CR_SIDES; s++)
		parts[s] = (struct cr_parts){.p = e->side[s].in->p, .query = e->side[s].in->query};
	rc = cr_parts_cut(parts, e->err);
	for (int s = 0; s < CR_SIDES; s++)
		e->side[s].parts = parts[s];
	if (rc < 0)
		return rc;
	e->blocks = parts[0].recordings + parts[1].recordings == 2;
	sides_alloc(e);
	if ((rc = add_costs(e)) < 0)
		return rc;
	for (int s = 0; s < CR_SIDES; s++)
		scale_samples(&e->side[s]);
	return CR_OK;
}

int
cr_evidence_judge(const struct cr_evidence_side side[CR_SIDES], const struct cr_diff_opts *o,
	const struct cr_tree *t, const struct cr_table *table, const struct cr_norm *norm,
	double noise, struct cr_judged *out, struct cr_err *err)
{
	struct evidence e = {.side = {{.in = &side[0]}, {.in = &side[1]}},
		.opts = o,
		.table = table,
		.err = err};
	int rc = gather(&e, t);

	*out = (struct cr_judged){0};
	if (rc == CR_OK)
		rc = normalise(&e, t, norm, out);
	if (rc == CR_OK) {
		for (int s = 0; s < CR_SIDES; s++) {
			share_out(&e, &e.side[s], e.side[s].costs.self, e.side[s].shares_self);
			share_out(&e, &e.side[s], e.side[s].costs.total, e.side[s].shares_total);
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

void
cr_judged_set_whole(const struct cr_judged *j, struct cr_tree *t)
{
	const double size = j->norm.kind == CR_NORM_FUNCTION ? j->amount : 1;

	for (int s = 0; s < CR_SIDES; s++) {
		const double whole = (double)t->total[s][0] / (j->scale[s] * size);

		t->whole[s] = 0;
		if (j->norm.kind != CR_NORM_SHARE && whole >= 1 && whole < WHOLE_MOST)
			t->whole[s] = (uint64_t)(whole + 0.5);
	}
}
