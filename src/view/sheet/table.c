#include "view/sheet/table.h"

#include "base/utf8.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdlib.h>

#define MARK_CELLS 2u
#define INLINED " (inlined)"
#define PATHS "OBJECT"
#define GAP_CELLS 2u       /* before names and before objects */
#define MIN_TEXT_CELLS 24u /* names and objects get these before the next columns are shown */
#define MIN_OBJECT_CELLS 8u
#define MAX_UNIT_CELLS 10u
#define MAX_PAD_CELLS 60u /* where nothing is cut: one long name should not push objects away */

enum column {
	SELF,
	TOTAL,
	SAMPLES,
	SELF_WAS,
	SELF_NOW,
	SELF_DELTA,
	TOTAL_WAS,
	TOTAL_NOW,
	TOTAL_DELTA,
	COLUMNS
};

/* In the order they are shown. Those of a rank come together; rank 0 is always there. */
static const struct {
	const char *head;
	uint32_t cells;
	uint32_t sides;
	uint32_t rank;
} columns[COLUMNS] = {
	[SELF] = {"SELF %", 8, 1, 0},
	[TOTAL] = {"TOTAL %", 10, 1, 1},
	[SAMPLES] = {"SAMPLES", 10, 1, 2},
	[SELF_WAS] = {"SELF WAS", 10, 2, 2},
	[SELF_NOW] = {"SELF NOW", 10, 2, 2},
	[SELF_DELTA] = {"SELF +-", 10, 2, 0},
	[TOTAL_WAS] = {"TOTAL WAS", 11, 2, 3},
	[TOTAL_NOW] = {"TOTAL NOW", 11, 2, 3},
	[TOTAL_DELTA] = {"TOTAL +-", 10, 2, 1},
};

#define RANKS 4u

/* Who gets how many cells of a line. */
struct layout {
	bool shown[COLUMNS];
	bool mark;
	bool objects;
	bool whole_objects;    /* not their base names only */
	uint32_t name_cells;   /* 0: as long as it is */
	uint32_t object_cells; /* likewise */
};

static uint32_t
safe_cells(struct cr_str s)
{
	struct cr_text t = {0};
	uint32_t cells;

	cr_text_safe(&t, s);
	cells = cr_utf8_cells(cr_text_view(&t));
	cr_text_fini(&t);
	return cells;
}

/* Has the column of samples weights in it, which say more? */
static bool
shows_weights(const struct cr_top *top)
{
	return top->summed && top->unit.len && !cr_str_eq(top->unit, CR_STR("samples"));
}

/* "SAMPLES", or the unit: "US". */
static void
put_unit(const struct cr_top *top, struct cr_text *out)
{
	const size_t from = out->len;

	if (!shows_weights(top) || cr_str_eq(top->unit, CR_STR("millionths"))) {
		cr_text_puts(out, columns[SAMPLES].head);
		return;
	}
	cr_label_fit(out, top->unit, MAX_UNIT_CELLS);
	for (size_t i = from; i < out->len; i++)
		if (out->p[i] >= 'a' && out->p[i] <= 'z')
			out->p[i] = (char)(out->p[i] - 'a' + 'A');
}

static void
put_cost(const struct cr_top *top, uint64_t weight, uint64_t samples, struct cr_text *out)
{
	if (shows_weights(top))
		cr_text_weight(out, weight, top->unit);
	else
		cr_text_u64(out, samples);
}

/* Of the column of costs: none is wider than that of all, but for a fraction. */
static uint32_t
cost_cells(const struct cr_top *top)
{
	struct cr_text all = {0}, head = {0};
	uint32_t cells;

	put_cost(top, top->whole[0], top->whole_samples[0], &all);
	put_unit(top, &head);
	cells = CR_MAX((uint32_t)all.len, cr_utf8_cells(cr_text_view(&head))) + GAP_CELLS;
	if (cr_str_eq(top->unit, CR_STR("millionths")))
		cells += (uint32_t)strlen(".000000");
	cr_text_fini(&all);
	cr_text_fini(&head);
	return CR_MAX(cells, columns[SAMPLES].cells);
}

void
cr_table_init(struct cr_table *t, const struct cr_top *top, uint32_t sides)
{
	struct cr_text made = {0};

	*t = (struct cr_table){
		.top = top, .sides = sides, .n = top->n, .what = "FUNCTION", .beside = PATHS};
	t->cost_cells = cost_cells(top);
	t->order = cr_alloc(top->n, sizeof(*t->order));
	for (uint32_t i = 0; i < top->n; i++) {
		const struct cr_top_row *r = &top->rows[i];

		t->order[i] = i;
		t->name_cells = CR_MAX(t->name_cells,
			safe_cells(r->name) + (r->inlined ? (uint32_t)strlen(INLINED) : 0));
		t->object_cells = CR_MAX(t->object_cells, safe_cells(r->object));
		t->base_cells =
			CR_MAX(t->base_cells, safe_cells(cr_dso_name(r->object, r->kind, &made)));
	}
	cr_text_fini(&made);
}

void
cr_table_fini(struct cr_table *t)
{
	free(t->order);
	*t = (struct cr_table){0};
}

static int32_t
delta_ppm(const uint64_t part[CR_SIDES], const uint64_t whole[CR_SIDES])
{
	return (int32_t)cr_share_ppm(part[1], whole[1]) - (int32_t)cr_share_ppm(part[0], whole[0]);
}

int32_t
cr_table_delta_self_ppm(const struct cr_top *top, uint32_t row)
{
	return delta_ppm(top->rows[row].self, top->whole);
}

int32_t
cr_table_delta_total_ppm(const struct cr_top *top, uint32_t row)
{
	return delta_ppm(top->rows[row].total, top->whole);
}

/* A row on its way into the order: all that its place depends on. */
struct key {
	const struct cr_top_row *row;
	uint64_t size;      /* the larger, the earlier */
	struct cr_str text; /* the smaller, the earlier */
	uint32_t i;
};

static int
by_ties(const struct key *a, const struct key *b)
{
	int c = cr_str_cmp(a->row->name, b->row->name);

	if (c == 0)
		c = cr_str_cmp(a->row->object, b->row->object);
	return c ? c : (a->i > b->i) - (a->i < b->i);
}

static int
by_key(const struct key *a, const struct key *b)
{
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return cr_str_cmp(a->text, b->text);
}

static int
forwards(const void *x, const void *y)
{
	const int c = by_key(x, y);

	return c ? c : by_ties(x, y);
}

static int
backwards(const void *x, const void *y)
{
	const int c = by_key(y, x);

	return c ? c : by_ties(x, y);
}

static struct key
key_of(const struct cr_table *t, enum cr_table_sort sort, uint32_t i)
{
	const struct cr_top_row *r = &t->top->rows[i];
	const uint32_t side = t->sides - 1;
	struct key k = {.row = r, .i = i};

	switch (sort) {
	case CR_SORT_SELF: k.size = r->self[side]; break;
	case CR_SORT_TOTAL: k.size = r->total[side]; break;
	case CR_SORT_NAME: k.text = r->name; break;
	case CR_SORT_OBJECT: k.text = r->object; break;
	case CR_SORT_DELTA_SELF: k.size = (uint64_t)abs(cr_table_delta_self_ppm(t->top, i)); break;
	case CR_SORT_DELTA_TOTAL:
		k.size = (uint64_t)abs(cr_table_delta_total_ppm(t->top, i));
		break;
	case CR_SORTS: break;
	}
	return k;
}

void
cr_table_sort(struct cr_table *t, enum cr_table_sort sort, bool reverse)
{
	struct key *keys = cr_alloc(t->n, sizeof(*keys));

	for (uint32_t i = 0; i < t->n; i++)
		keys[i] = key_of(t, sort, i);
	qsort(keys, t->n, sizeof(*keys), reverse ? backwards : forwards);
	for (uint32_t i = 0; i < t->n; i++)
		t->order[i] = keys[i].i;
	t->sort = sort;
	t->reverse = reverse;
	free(keys);
}

static bool
is_of_rank(const struct cr_table *t, uint32_t column, uint32_t rank)
{
	return columns[column].sides == t->sides && columns[column].rank == rank;
}

static uint32_t
column_cells(const struct cr_table *t, uint32_t column)
{
	return column == SAMPLES ? t->cost_cells : columns[column].cells;
}

/* The columns of a rank, if that leaves enough for the text. Returns the cells they take. */
static uint32_t
layout_rank(
	const struct cr_table *t, uint32_t rank, uint32_t used, uint32_t cells, struct layout *l)
{
	uint32_t more = 0;

	for (uint32_t c = 0; c < COLUMNS; c++)
		if (is_of_rank(t, c, rank))
			more += column_cells(t, c);
	if (rank > 0 && cells > 0 && used + more + MIN_TEXT_CELLS > cells)
		return 0;
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (is_of_rank(t, c, rank))
			l->shown[c] = true;
	return more;
}

static uint32_t
name_column(const struct cr_table *t)
{
	return CR_MAX(t->name_cells, (uint32_t)strlen(t->what));
}

/* Share `left` cells between names and objects. */
static void
layout_text(const struct cr_table *t, uint32_t left, struct layout *l)
{
	const uint32_t names = name_column(t);

	if (t->object_cells == 0 || left < MIN_TEXT_CELLS) {
		l->name_cells = left;
		return;
	}
	l->objects = true;
	if (names + GAP_CELLS + t->object_cells <= left) {
		l->whole_objects = true;
		l->name_cells = names;
	} else {
		const uint32_t objects = CR_MIN(t->base_cells, CR_MAX(left / 3, MIN_OBJECT_CELLS));

		l->name_cells = CR_MIN(names, left - GAP_CELLS - objects);
	}
	l->object_cells = left - GAP_CELLS - l->name_cells;
}

static struct layout
layout_of(const struct cr_table *t, uint32_t cells)
{
	struct layout l = {.mark = t->sides == 2};
	uint32_t used = GAP_CELLS + (l.mark ? MARK_CELLS : 0);

	for (uint32_t rank = 0; rank < RANKS; rank++)
		used += layout_rank(t, rank, used, cells, &l);
	if (cells == 0)
		l.objects = l.whole_objects = t->object_cells > 0;
	else
		layout_text(t, cells > used ? cells - used : 1, &l);
	return l;
}

/* A name in at most so many cells; 0 is no limit. Returns those it took. */
static uint32_t
put_fit(struct cr_text *out, struct cr_str name, uint32_t cells)
{
	const size_t from = out->len;

	if (cells > 0)
		return cr_label_fit(out, name, cells);
	cr_text_safe(out, name);
	return cr_utf8_cells((struct cr_str){out->p + from, (uint32_t)(out->len - from)});
}

/* The mark goes before the name is cut, if there is no room for a name beside it. */
static uint32_t
put_inlined(struct cr_text *out, struct cr_str name, uint32_t cells)
{
	const uint32_t mark = (uint32_t)strlen(INLINED);
	uint32_t used;

	if (cells > 0 && cells < 2 * mark)
		return put_fit(out, name, cells);
	used = put_fit(out, name, cells > 0 ? cells - mark : 0);
	cr_text_puts(out, INLINED);
	return used + mark;
}

static void
put_object(const struct cr_table *t, const struct layout *l, const struct cr_top_row *r,
	struct cr_text *out)
{
	const bool whole = l->whole_objects || strcmp(t->beside, PATHS) != 0;
	struct cr_text made = {0};

	put_fit(out, whole ? r->object : cr_dso_name(r->object, r->kind, &made), l->object_cells);
	cr_text_fini(&made);
}

static void
put_text(const struct cr_table *t, const struct layout *l, const struct cr_top_row *r,
	struct cr_text *out)
{
	const uint32_t want = l->name_cells ? l->name_cells : CR_MIN(name_column(t), MAX_PAD_CELLS);
	const uint32_t used = r->inlined ? put_inlined(out, r->name, l->name_cells)
					 : put_fit(out, r->name, l->name_cells);

	if (!l->objects || r->object.len == 0)
		return;
	cr_text_pad(out, ' ', GAP_CELLS + (used < want ? want - used : 0));
	put_object(t, l, r, out);
}

static void
put_right(struct cr_text *out, const struct cr_text *what, uint32_t cells)
{
	const uint32_t used = cr_utf8_cells(cr_text_view(what));

	cr_text_pad(out, ' ', used < cells ? cells - used : 0);
	cr_text_str(out, cr_text_view(what));
}

void
cr_table_head(const struct cr_table *t, uint32_t cells, struct cr_text *out)
{
	const struct layout l = layout_of(t, cells);
	const struct cr_top_row head = {.name = cr_str_of(t->what), .object = cr_str_of(t->beside)};

	for (uint32_t c = 0; c < COLUMNS; c++) {
		struct cr_text name = {0};

		if (!l.shown[c])
			continue;
		if (c == SAMPLES)
			put_unit(t->top, &name);
		else
			cr_text_puts(&name, columns[c].head);
		put_right(out, &name, column_cells(t, c));
		cr_text_fini(&name);
	}
	cr_text_pad(out, ' ', GAP_CELLS + (l.mark ? MARK_CELLS : 0));
	put_text(t, &l, &head, out);
}

/* Millionths as percent with two decimals; a difference has its sign, unless it is shown as 0. */
static void
put_percent(struct cr_text *out, int64_t ppm, bool with_sign, uint32_t cells)
{
	const uint64_t hundredths = ((uint64_t)(ppm < 0 ? -ppm : ppm) + 50) / 100;
	const char *sign = !with_sign || hundredths == 0 ? "" : ppm < 0 ? "-" : "+";
	char number[32];

	snprintf(number, sizeof(number), "%s%" PRIu64 ".%02u", sign, hundredths / 100,
		(unsigned)(hundredths % 100));
	cr_text_printf(out, "%*s", (int)cells, number);
}

static void
put_number(const struct cr_table *t, uint32_t row, enum column c, struct cr_text *out)
{
	const struct cr_top *top = t->top;
	const struct cr_top_row *r = &top->rows[row];
	const uint32_t cells = columns[c].cells;
	struct cr_text cost = {0};

	switch (c) {
	case SELF:
	case SELF_WAS:
		put_percent(out, cr_share_ppm(r->self[0], top->whole[0]), false, cells);
		break;
	case SELF_NOW:
		put_percent(out, cr_share_ppm(r->self[1], top->whole[1]), false, cells);
		break;
	case SELF_DELTA: put_percent(out, cr_table_delta_self_ppm(top, row), true, cells); break;
	case TOTAL:
	case TOTAL_WAS:
		put_percent(out, cr_share_ppm(r->total[0], top->whole[0]), false, cells);
		break;
	case TOTAL_NOW:
		put_percent(out, cr_share_ppm(r->total[1], top->whole[1]), false, cells);
		break;
	case TOTAL_DELTA: put_percent(out, cr_table_delta_total_ppm(top, row), true, cells); break;
	case SAMPLES:
		put_cost(top, r->self[0], r->self_samples[0], &cost);
		put_right(out, &cost, t->cost_cells);
		cr_text_fini(&cost);
		break;
	case COLUMNS: break;
	}
}

static char
mark_of(const struct cr_top_row *r)
{
	if (r->total[0] == 0 && r->total[1] > 0)
		return '+';
	return r->total[1] == 0 && r->total[0] > 0 ? '-' : ' ';
}

void
cr_table_row(const struct cr_table *t, uint32_t i, uint32_t cells, struct cr_text *out)
{
	const struct layout l = layout_of(t, cells);
	const uint32_t row = t->order[i];
	const struct cr_top_row *r = &t->top->rows[row];

	for (uint32_t c = 0; c < COLUMNS; c++)
		if (l.shown[c])
			put_number(t, row, (enum column)c, out);
	cr_text_pad(out, ' ', GAP_CELLS);
	if (l.mark) {
		cr_text_char(out, mark_of(r));
		cr_text_pad(out, ' ', MARK_CELLS - 1);
	}
	put_text(t, &l, r, out);
}
