#include "view/listing/listing.h"

#include "base/hash.h"

#include <stdlib.h>

#define CONTEXT 3 /* lines or instructions shown around those with cost */

static struct cr_listing_row *
push(struct cr_listing *out, enum cr_listing_kind kind, uint64_t number, struct cr_str text)
{
	cr_vec_push(&out->rows,
		((struct cr_listing_row){
			.kind = (uint8_t)kind, .number = number, .text = text, .of = CR_NO_ROW}));
	return &out->rows.p[out->rows.n - 1];
}

static struct cr_str
keep(struct cr_listing *out, struct cr_text *t)
{
	const struct cr_str s = {
		cr_arena_copy(&out->arena, t->p ? t->p : "", t->len), (uint32_t)t->len};

	cr_text_fini(t);
	return s;
}

static void
put_gap(struct cr_listing *out)
{
	if (out->rows.n && out->rows.p[out->rows.n - 1].kind != CR_LISTING_GAP)
		push(out, CR_LISTING_GAP, 0, CR_STR(""));
}

bool
cr_listing_counts(const struct cr_listing_in *in, const struct cr_cost *c)
{
	if (c->total_samples == 0 && c->self_samples == 0)
		return false;
	return CR_MAX(c->self, c->total) >= in->least &&
	       CR_MAX(c->self_samples, c->total_samples) >= in->least_samples;
}

bool
cr_listing_shows(
	const struct cr_listing_in *in, const struct cr_cost *c, const struct cr_block_sum *blocks)
{
	return cr_listing_counts(in, c) || (blocks->n && !in->least && !in->least_samples);
}

static struct cr_str
source(const struct cr_listing_in *in, struct cr_str file, uint32_t line)
{
	struct cr_str text = {"", 0};

	if (file.len && line && in->source)
		in->source(in->user, file, line, &text);
	return text;
}

static bool
has_source(const struct cr_listing_in *in, struct cr_str file, uint32_t line)
{
	struct cr_str ignored;

	return file.len && line && in->source && in->source(in->user, file, line, &ignored);
}

/* "inner.h:12 in scale  return x * 2;": location, function and source text. */
static struct cr_str
place_text(const struct cr_listing_in *in, const struct cr_listing_place *place,
	struct cr_listing *out)
{
	struct cr_str text = source(in, place->file, place->line);
	struct cr_text t = {0};

	for (; text.len && (*text.p == ' ' || *text.p == '\t'); text.p++)
		text.len--;
	cr_text_str(&t, place->file.len ? cr_str_basename(place->file) : CR_STR("(no line)"));
	if (place->line)
		cr_text_printf(&t, ":%u", place->line);
	if (place->function.len) {
		cr_text_puts(&t, " in ");
		cr_text_str(&t, place->function);
	}
	if (text.len) {
		cr_text_puts(&t, "  ");
		cr_text_str(&t, text);
	}
	return keep(out, &t);
}

static struct cr_listing_place
place_of(const struct cr_listing_in *in, const struct cr_annotate_line *l)
{
	struct cr_listing_place place = {.file = l->file, .function = CR_STR(""), .line = l->line};

	if (l->at != CR_NO_ROW)
		place.function = in->p->functions[l->function.i].name;
	return place;
}

/* ---- lines */

/*
 * Start of the function, if it is in this file before the line; otherwise a few lines before the
 * line.
 */
static uint32_t
begin_of(const struct cr_listing_in *in, const struct cr_annotate_line *l)
{
	const struct cr_function *f = &in->p->functions[l->function.i];

	if (f->line && f->line <= l->line && cr_str_eq(f->file, l->file))
		return f->line;
	return l->line > CONTEXT ? l->line - CONTEXT : 1;
}

/* The lines of a file from `from` up to `to`, as far as they are known and not too many. */
static void
put_between(const struct cr_listing_in *in, struct cr_str file, uint32_t from, uint32_t to,
	bool leads, struct cr_listing *out)
{
	if (from >= to || (leads && !has_source(in, file, to)))
		return;
	if (to - from > (leads ? 1 : 2) * CONTEXT + 1) {
		for (uint32_t i = from; i < from + CONTEXT && !leads && has_source(in, file, i);
			i++)
			push(out, CR_LISTING_LINE, i, source(in, file, i));
		put_gap(out);
		from = to - CONTEXT;
	}
	for (uint32_t i = from; i < to; i++)
		if (has_source(in, file, i))
			push(out, CR_LISTING_LINE, i, source(in, file, i));
}

static void
put_tail(const struct cr_listing_in *in, struct cr_str file, uint32_t line, struct cr_listing *out)
{
	for (uint32_t i = line + 1; i && i <= line + CONTEXT && has_source(in, file, i); i++)
		push(out, CR_LISTING_LINE, i, source(in, file, i));
}

static void
put_line(const struct cr_listing_in *in, const struct cr_annotate_line *l, uint32_t depth,
	struct cr_listing *out)
{
	const struct cr_listing_place place = place_of(in, l);
	struct cr_listing_row *row;

	if (l->at == CR_NO_ROW)
		row = push(out, CR_LISTING_LINE, l->line, source(in, l->file, l->line));
	else
		row = push(out, CR_LISTING_INLINED, 0, place_text(in, &place, out));
	row->depth = depth;
	row->of = (uint32_t)(l - in->a->lines.p);
	row->has_cost = true;
	row->cost = l->cost;
	row->blocks = l->blocks;
}

void
cr_listing_lines(const struct cr_listing_in *in, struct cr_listing *out)
{
	const struct cr_annotate_line *last = NULL; /* last line of the function itself */
	uint32_t *depth = cr_alloc(in->a->lines.n, sizeof(*depth));

	for (size_t i = 0; i < in->a->lines.n; i++) {
		const struct cr_annotate_line *l = &in->a->lines.p[i];

		/* The row `at` comes earlier. */
		depth[i] = l->at == CR_NO_ROW ? 0 : depth[l->at] + 1;
		if (!cr_listing_shows(in, &l->cost, &l->blocks))
			continue;
		if (l->at != CR_NO_ROW) {
			put_line(in, l, depth[i], out);
			continue;
		}
		if (!last || !cr_str_eq(last->file, l->file)) {
			if (last)
				put_tail(in, last->file, last->line, out);
			push(out, CR_LISTING_FILE, 0, l->file);
			put_between(in, l->file, begin_of(in, l), l->line, true, out);
		} else if (l->line > last->line + 1) {
			put_between(in, l->file, last->line + 1, l->line, false, out);
		}
		put_line(in, l, depth[i], out);
		last = l;
	}
	if (last)
		put_tail(in, last->file, last->line, out);
	free(depth);
}

/* ---- code */

/* By address: 1 if it is shown, because it has cost or is near one with cost. */
static uint8_t *
shown_addresses(const struct cr_listing_in *in)
{
	const struct cr_annotate *a = in->a;
	uint8_t *shown = cr_alloc(a->addresses.n + 1, 1); /* one more for what follows the last */
	size_t after = 0; /* number of further ones to show after one with cost */

	for (size_t i = 0; i < a->addresses.n; i++) {
		const bool costs =
			cr_listing_shows(in, &a->addresses.p[i].cost, &a->addresses.p[i].blocks);

		after = costs ? CONTEXT + 1 : after;
		for (size_t k = 0; costs && k <= CONTEXT && k <= i; k++)
			shown[i - k] = 1;
		if (after) {
			shown[i] = 1;
			after--;
		}
	}
	for (size_t i = 0; i < a->addresses.n; i++) /* a gap takes a row too */
		if ((i == 0 || shown[i - 1]) && shown[i + 1])
			shown[i] = 1;
	return shown;
}

static void
put_symbol(const struct cr_listing_in *in, const struct cr_annotate_address *at,
	struct cr_listing *out)
{
	const struct cr_function *f = &in->p->functions[at->function.i];
	const struct cr_annotate_address start = {
		.function = at->function, .addr = f->addr, .line = CR_NO_ROW};
	struct cr_str ignored = {"", 0};
	uint64_t shown = f->addr;

	in->code(in->user, &start, &shown, &ignored);
	push(out, CR_LISTING_SYMBOL, shown, f->name);
}

static void
put_instruction(const struct cr_listing_in *in, const struct cr_annotate_address *at,
	struct cr_listing *out)
{
	struct cr_str text = {"", 0};
	struct cr_listing_row *row;
	uint64_t shown = at->addr;

	in->code(in->user, at, &shown, &text);
	row = push(out, CR_LISTING_INSTRUCTION, shown, text);
	row->of = (uint32_t)(at - in->a->addresses.p);
	row->has_cost = true;
	row->cost = at->cost;
	row->blocks = at->blocks;
	row->run_instructions = at->run_instructions;
	row->run_cycles = at->run_cycles;
	row->type = at->type;
}

/* True if the previous address is shown, or the function begins here. */
static bool
follows(const struct cr_listing_in *in, const uint8_t *shown, size_t i)
{
	const struct cr_annotate_address *at = &in->a->addresses.p[i], *last = i ? at - 1 : at;

	if (i == 0 || last->function.i != at->function.i)
		return at->addr == in->p->functions[at->function.i].addr;
	return shown[i - 1] && last->size && last->addr + last->size == at->addr;
}

/* Write the source line of the instruction, if it differs from the last one. */
static void
put_place(const struct cr_listing_in *in, const struct cr_annotate_address *at,
	struct cr_listing_place *printed, struct cr_listing *out)
{
	struct cr_listing_place place = {.line = 0};

	if (at->line != CR_NO_ROW)
		place = place_of(in, &in->a->lines.p[at->line]);
	else if (in->place && !in->place(in->user, at, &place))
		return;
	if (place.line == 0 ||
		(place.line == printed->line && cr_str_eq(place.file, printed->file) &&
			cr_str_eq(place.function, printed->function)))
		return;
	push(out, CR_LISTING_PLACE, place.line, place_text(in, &place, out));
	*printed = place;
}

void
cr_listing_code(const struct cr_listing_in *in, bool places, struct cr_listing *out)
{
	const struct cr_annotate *a = in->a;
	const struct cr_annotate_address *last = NULL;
	uint8_t *shown = shown_addresses(in);
	struct cr_listing_place printed = {.line = 0};

	for (size_t i = 0; i < a->addresses.n; i++) {
		const struct cr_annotate_address *at = &a->addresses.p[i];

		if (!shown[i])
			continue;
		if (!last || last->function.i != at->function.i) {
			put_symbol(in, at, out);
			printed.line = 0;
		}
		if (!follows(in, shown, i)) {
			put_gap(out);
			printed.line = 0;
		}
		if (places)
			put_place(in, at, &printed, out);
		put_instruction(in, at, out);
		last = at;
	}
	free(shown);
}

/* ---- hottest */

static bool
has_lines(const struct cr_annotate *a)
{
	for (size_t i = 0; i < a->lines.n; i++)
		if (a->lines.p[i].line)
			return true;
	return false;
}

static int
by_self(const void *px, const void *py, void *user)
{
	const struct cr_annotate *a = user;
	const uint32_t x = *(const uint32_t *)px, y = *(const uint32_t *)py;
	const struct cr_cost *cx = &a->lines.p[x].cost, *cy = &a->lines.p[y].cost;

	if (cx->self != cy->self)
		return cx->self > cy->self ? -1 : 1;
	return x < y ? -1 : x > y;
}

void
cr_listing_hottest(const struct cr_listing_in *in, uint32_t n, struct cr_listing *out)
{
	const struct cr_annotate *a = in->a;
	uint32_t *order = cr_alloc(a->lines.n, sizeof(*order));

	for (uint32_t i = 0; i < a->lines.n; i++)
		order[i] = i;
	if (a->lines.n)
		qsort_r(order, a->lines.n, sizeof(*order), by_self, (void *)(uintptr_t)a);
	for (uint32_t i = 0; i < a->lines.n && i < n && has_lines(a); i++) {
		const struct cr_annotate_line *l = &a->lines.p[order[i]];
		const struct cr_listing_place place = place_of(in, l);
		struct cr_listing_row *row;

		if (l->cost.self_samples == 0 || !cr_listing_counts(in, &l->cost))
			break;
		row = push(out, CR_LISTING_PLACE, l->line, place_text(in, &place, out));
		row->has_cost = true;
		row->cost = l->cost;
		row->blocks = l->blocks;
		row->of = order[i];
	}
	free(order);
}

void
cr_listing_fini(struct cr_listing *l)
{
	cr_vec_fini(&l->rows);
	cr_arena_fini(&l->arena);
}
