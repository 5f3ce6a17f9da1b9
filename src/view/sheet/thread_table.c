#include "view/sheet/thread_table.h"

#include "base/hash.h"

enum column {
	PID,
	TID,
	COMM,
	THREADS,
	WEIGHT,
	SAMPLES,
	FIRST,
	LAST,
	CPUS,
	OFF,
	WAITS,
	LONGEST,
	WAITS_IN,
	WAITS_IN_NS,
};

static const struct cr_sheet_column columns[] = {
	[PID] = CR_SHEET_RAW("pid"),
	[TID] = CR_SHEET_RAW("tid"),
	[COMM] = CR_SHEET_RAW("comm"),
	[THREADS] = CR_SHEET_RAW("threads"),
	[WEIGHT] = CR_SHEET_RAW("weight"),
	[SAMPLES] = CR_SHEET_RAW("samples"),
	[FIRST] = CR_SHEET_RAW("first_ns"),
	[LAST] = CR_SHEET_RAW("last_ns"),
	[CPUS] = CR_SHEET_RAW("cpu_count"),
	[OFF] = CR_SHEET_RAW("off_cpu_ns"),
	[WAITS] = CR_SHEET_RAW("waits"),
	[LONGEST] = CR_SHEET_RAW("longest_wait_ns"),
	[WAITS_IN] = CR_SHEET_RAW("waits_in"),
	[WAITS_IN_NS] = CR_SHEET_RAW("waits_in_ns"),
};

/* A row of processes or comms has no thread; one of comms has no process either. */
static bool
is_known(const struct cr_thread_table *x, const struct cr_thread_row *r, enum column column)
{
	switch (column) {
	case PID: return x->by != CR_THREAD_BY_COMM && r->pid >= 0;
	case TID: return x->by == CR_THREAD_BY_THREAD && r->tid >= 0;
	case FIRST:
	case LAST: return r->has_time;
	case CPUS: return x->t->has_cpus;
	case OFF:
	case WAITS:
	case LONGEST: return x->t->has_off;
	case WAITS_IN:
	case WAITS_IN_NS: return x->t->has_reasons && r->waits_in.len;
	default: return true;
	}
}

static uint64_t
number_of(const struct cr_thread_row *r, enum column column)
{
	switch (column) {
	case PID: return (uint64_t)r->pid;
	case TID: return (uint64_t)r->tid;
	case THREADS: return r->threads;
	case WEIGHT: return r->weight;
	case SAMPLES: return r->samples;
	case FIRST: return r->first_ns;
	case LAST: return r->last_ns;
	case CPUS: return r->cpus;
	case OFF: return r->off_ns;
	case WAITS: return r->waits;
	case LONGEST: return r->longest_ns;
	case WAITS_IN_NS: return r->waits_in_ns;
	default: return 0;
	}
}

static void
thread_cell(const struct cr_sheet *s, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_thread_table *x = s->user;
	const struct cr_thread_row *r = &x->t->rows[x->order[row]];

	if (!is_known(x, r, (enum column)column))
		return;
	if (column == COMM || column == WAITS_IN)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = column == COMM ? r->comm : r->waits_in};
	else
		*out = (struct cr_cell){
			.kind = CR_CELL_NUMBER, .number = number_of(r, (enum column)column)};
}

static void
thread_ref(const struct cr_sheet *s, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_thread_table *x = s->user;
	const struct cr_thread_row *r = &x->t->rows[x->order[row]];

	*out = (struct cr_row_ref){.kind = CR_ROW_THREAD,
		.id = (uint32_t)r->tid,
		.other = (uint32_t)r->pid,
		.name = r->comm};
}

void
cr_thread_table_init(const struct cr_thread_rows *t, const uint32_t *order, enum cr_thread_by by,
	struct cr_thread_table *out)
{
	*out = (struct cr_thread_table){.t = t, .order = order, .by = by};
	out->sheet = (struct cr_sheet){.columns = columns,
		.n_columns = CR_LEN(columns),
		.n_rows = t->n,
		.cell = thread_cell,
		.stands_for = thread_ref,
		.user = out};
}

/* ---- of a difference */

enum diff_column {
	DIFF_COMM,
	DIFF_PID,
	DIFF_TID = DIFF_PID + CR_SIDES,
	DIFF_WEIGHT = DIFF_TID + CR_SIDES,
	DIFF_SAMPLES = DIFF_WEIGHT + CR_SIDES,
	DIFF_DELTA = DIFF_SAMPLES + CR_SIDES,
	DIFF_LOW,
	DIFF_HIGH,
	DIFF_Q,
	DIFF_WORD,
};

static const struct cr_sheet_column diff_columns[] = {
	[DIFF_COMM] = CR_SHEET_RAW("comm"),
	[DIFF_PID] = CR_SHEET_RAW("pid_before"),
	[DIFF_PID + 1] = CR_SHEET_RAW("pid_after"),
	[DIFF_TID] = CR_SHEET_RAW("tid_before"),
	[DIFF_TID + 1] = CR_SHEET_RAW("tid_after"),
	[DIFF_WEIGHT] = CR_SHEET_RAW("weight_before"),
	[DIFF_WEIGHT + 1] = CR_SHEET_RAW("weight_after"),
	[DIFF_SAMPLES] = CR_SHEET_RAW("samples_before"),
	[DIFF_SAMPLES + 1] = CR_SHEET_RAW("samples_after"),
	[DIFF_DELTA] = CR_SHEET_RAW("delta"), /* of shares of 1, like the next two */
	[DIFF_LOW] = CR_SHEET_RAW("low"),
	[DIFF_HIGH] = CR_SHEET_RAW("high"),
	[DIFF_Q] = CR_SHEET_RAW("q"),
	[DIFF_WORD] = CR_SHEET_RAW("word"),
};

/* A column of one side: of what is not there, numbers are empty, and costs 0. */
static void
side_cell(const struct cr_thread_diff *d, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const uint32_t side = (column - DIFF_PID) % CR_SIDES, at = d->pairs[row].row[side];
	const struct cr_thread_row *r = at == CR_NO_ROW ? NULL : &d->side[side].rows[at];

	if (!r && column < DIFF_WEIGHT)
		return;
	out->kind = CR_CELL_NUMBER;
	if (!r)
		return;
	out->number = column < DIFF_TID       ? (uint64_t)r->pid
		      : column < DIFF_WEIGHT  ? (uint64_t)r->tid
		      : column < DIFF_SAMPLES ? r->weight
					      : r->samples;
}

static void
verdict_cell(const struct cr_thread_diff *d, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_verdict *v = d->verdicts ? &d->verdicts[row] : NULL;

	if (column == DIFF_DELTA)
		*out = (struct cr_cell){
			.kind = CR_CELL_REAL, .real = cr_thread_diff_ppm(d, row) / 1e6};
	else if (v && column == DIFF_WORD)
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = cr_str_of(cr_verdict_word(v->word))};
	else if (v)
		*out = (struct cr_cell){.kind = CR_CELL_REAL,
			.real = column == DIFF_LOW    ? v->low
				: column == DIFF_HIGH ? v->high
						      : v->q};
}

static void
diff_cell(const struct cr_sheet *s, uint32_t line, uint32_t column, struct cr_cell *out)
{
	const struct cr_thread_table *x = s->user;
	const uint32_t row = x->order[line];

	if (column == DIFF_COMM)
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = x->t->rows[row].comm};
	else if (column < DIFF_DELTA)
		side_cell(x->diff, row, column, out);
	else
		verdict_cell(x->diff, row, column, out);
}

void
cr_thread_table_init_diff(
	const struct cr_thread_diff *diff, const uint32_t *order, struct cr_thread_table *out)
{
	*out = (struct cr_thread_table){.t = &diff->both, .diff = diff, .order = order};
	out->sheet = (struct cr_sheet){.columns = diff_columns,
		.n_columns = CR_LEN(diff_columns),
		.n_rows = diff->both.n,
		.cell = diff_cell,
		.stands_for = thread_ref,
		.user = out};
}
