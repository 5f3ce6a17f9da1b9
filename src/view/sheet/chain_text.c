#include "view/sheet/table_sheet.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 12         /* blanks before every line */
#define NAME_LEAST 20u    /* minimum width of a name at any depth */
#define STEP "          " /* after the line or the blank of a level */

struct printer {
	const struct cr_tree *t;
	const struct cr_chain *chains;
	const struct cr_chain_opts *o;
	struct cr_text *out;
	uint32_t line_cells; /* 0: no limit */
	uint32_t margin;
};

static void
put_value(const struct printer *p, uint64_t weight, uint64_t samples, uint64_t whole)
{
	switch (p->o->value) {
	case CR_CHAIN_PERIOD: cr_text_u64(p->out, weight); return;
	case CR_CHAIN_COUNT: cr_text_u64(p->out, samples); return;
	default:
		cr_text_printf(
			p->out, "%.2f%%", whole ? 100.0 * (double)weight / (double)whole : 0.0);
	}
}

/* Source line, and whether it is inlined. */
static void
put_behind(const struct printer *p, const struct cr_frame *f, struct cr_text *out)
{
	const struct cr_str file = cr_str_basename(f->file);

	if (p->o->key != CR_CHAIN_FUNCTION && f->line && file.len) {
		cr_text_char(out, ' ');
		cr_text_safe(out, file);
		cr_text_printf(out, ":%" PRIu32, f->line);
	} else if (p->o->key == CR_CHAIN_ADDRESS && !cr_frame_is_nameless(f)) {
		cr_text_printf(out, " 0x%" PRIx64, f->number);
	}
	if (f->inlined)
		cr_text_puts(out, " (inlined)");
}

/* Number of cells left for a name. */
static uint32_t
room_for(const struct printer *p, const struct cr_text *behind)
{
	const char *end = p->out->len ? memrchr(p->out->p, '\n', p->out->len) : NULL;
	const char *line = end ? end + 1 : p->out->p;
	const uint32_t used =
		p->out->len ? cr_utf8_cells(cr_str_from(cr_text_view(p->out), line)) : 0;

	return CR_MAX(p->line_cells, used + (uint32_t)behind->len + NAME_LEAST) - used -
	       (uint32_t)behind->len;
}

static void
put_name(const struct printer *p, const struct cr_chain *c)
{
	const struct cr_frame *f = &p->t->frames[c->frame];
	struct cr_text behind = {0};

	put_behind(p, f, &behind);
	if (cr_frame_is_nameless(f) && f->number)
		cr_text_printf(p->out, "0x%" PRIx64, f->number);
	else if (p->line_cells)
		cr_label_fit(p->out, f->name, room_for(p, &behind));
	else
		cr_text_safe(p->out, f->name);
	cr_text_put(p->out, behind.p, behind.len);
	cr_text_fini(&behind);
}

/* The only continuation of a frame where nothing ends; 0 if the chain branches or ends. */
static uint32_t
only_way(const struct printer *p, uint32_t chain)
{
	const struct cr_chain *c = &p->chains[chain];

	if (!c->first || p->chains[c->first].next || c->own || c->own_samples)
		return 0;
	return p->chains[c->first].weight == c->weight ? c->first : 0;
}

/* ---- as a tree */

/* A level of branches being printed. */
struct level {
	uint32_t chain; /* next branch; 0: none left */
	uint32_t printed;
	uint64_t whole; /* base of the shares */
	uint64_t left;  /* weight not in a printed branch yet */
	bool line;      /* true if a line leads down to later branches */
};

typedef CR_VEC(struct level) level_vec;

static void
put_lines(const struct printer *p, const level_vec *levels, size_t n)
{
	cr_text_pad(p->out, ' ', MARGIN + p->margin);
	for (size_t i = 0; i < n; i++) {
		cr_text_char(p->out, levels->p[i].line ? '|' : ' ');
		cr_text_puts(p->out, STEP);
	}
}

static void
put_branch_head(
	const struct printer *p, level_vec *levels, bool last, uint64_t weight, uint64_t samples)
{
	struct level *l = &levels->p[levels->n - 1];

	put_lines(p, levels, levels->n - 1);
	cr_text_char(p->out, last ? ' ' : '|');
	l->line = !last;
	cr_text_puts(p->out, "--");
	put_value(p, weight, samples, l->whole);
	cr_text_puts(p->out, "--");
}

/* Print the frames of a branch up to the next branching; returns the last one. */
static uint32_t
put_run(const struct printer *p, const level_vec *levels, uint32_t chain)
{
	uint32_t next;

	put_name(p, &p->chains[chain]);
	cr_text_char(p->out, '\n');
	while ((next = only_way(p, chain))) {
		chain = next;
		put_lines(p, levels, levels->n);
		put_name(p, &p->chains[chain]);
		cr_text_char(p->out, '\n');
	}
	return chain;
}

static bool
shows_rest(const struct printer *p, const struct level *l)
{
	return p->o->mode == CR_CHAIN_FRACTAL && l->left && l->left != l->whole;
}

static bool
is_full(const struct printer *p, const struct level *l)
{
	return p->o->print_limit && l->printed >= p->o->print_limit;
}

/* Print the weight that is in no printed branch. */
static void
put_rest(const struct printer *p, level_vec *levels)
{
	const struct level l = levels->p[levels->n - 1];

	if (!shows_rest(p, &l))
		return;
	put_branch_head(p, levels, true, l.left, 0);
	cr_text_puts(p->out, "[...]\n");
}

static void
put_branches(const struct printer *p, uint32_t first, uint64_t whole)
{
	level_vec levels = {0};

	cr_vec_push(&levels,
		((struct level){.chain = first, .whole = whole, .left = whole, .line = true}));
	while (levels.n) {
		struct level *l = &levels.p[levels.n - 1];
		const struct cr_chain *c = &p->chains[l->chain];
		uint32_t end;
		bool last;

		if (!l->chain || is_full(p, l)) {
			put_rest(p, &levels);
			levels.n--;
			continue;
		}
		l->left -= CR_MIN(l->left, c->weight);
		l->chain = c->next;
		l->printed++;
		last = !c->next && !shows_rest(p, l);
		l->line = true;
		put_lines(p, &levels, levels.n);
		cr_text_char(p->out, '\n');
		put_branch_head(p, &levels, last, c->weight, c->samples);
		end = put_run(p, &levels, (uint32_t)(c - p->chains));
		cr_vec_push(&levels,
			((struct level){.chain = p->chains[end].first,
				.line = true,
				.whole = p->o->mode == CR_CHAIN_FRACTAL
						 ? p->chains[end].weight - p->chains[end].own
						 : whole,
				.left = p->chains[end].weight - p->chains[end].own}));
	}
	cr_vec_fini(&levels);
}

/* A single path with all of the row's weight needs no share and begins below the row. */
static void
put_tree(struct printer *p, uint64_t whole, bool first_is_row)
{
	const struct cr_chain *top = &p->chains[0];
	uint32_t chain = top->first;
	bool begun = false;

	if (!chain)
		return;
	if (p->o->mode == CR_CHAIN_FRACTAL)
		whole = top->weight;
	if (p->chains[chain].next || p->chains[chain].weight != top->weight) {
		put_branches(p, chain, whole);
		cr_text_char(p->out, '\n');
		return;
	}
	for (uint32_t next = chain; next; next = only_way(p, chain)) {
		chain = next;
		/* Its name is already in the row. */
		if (next == top->first && first_is_row)
			continue;
		cr_text_pad(p->out, ' ', MARGIN + p->margin);
		if (!begun) {
			cr_text_puts(p->out, "|\n");
			cr_text_pad(p->out, ' ', MARGIN);
			cr_text_puts(p->out, "---");
			p->margin = 3;
			begun = true;
		}
		put_name(p, &p->chains[chain]);
		cr_text_char(p->out, '\n');
	}
	if (p->chains[chain].first)
		put_branches(p, p->chains[chain].first, whole);
	if (begun || p->chains[chain].first)
		cr_text_char(p->out, '\n');
}

/* ---- chain by chain */

static int
by_own(const void *x, const void *y, void *all)
{
	const struct cr_chain *chains = all;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (chains[a].own != chains[b].own)
		return chains[a].own < chains[b].own ? 1 : -1;
	return (a > b) - (a < b);
}

/* Ends of chains with enough weight, heaviest first. The caller frees the result. */
static uint32_t *
find_ends(const struct cr_chain *chains, uint32_t n, const struct cr_chain_opts *o, uint64_t whole,
	uint32_t *n_ends)
{
	const uint64_t least = (uint64_t)((double)whole * (o->min_percent / 100));
	uint32_t *ends = cr_alloc((uint64_t)n + 1, sizeof(*ends)), found = 0;

	for (uint32_t i = 1; i < n; i++)
		if ((chains[i].own || chains[i].own_samples) && chains[i].own >= least)
			ends[found++] = i;
	if (found)
		qsort_r(ends, found, sizeof(*ends), by_own, (void *)(uintptr_t)chains);
	*n_ends = o->print_limit ? CR_MIN(found, o->print_limit) : found;
	return ends;
}

typedef CR_VEC(uint32_t) way_vec;

/* The path from the first frame to the end of the chain. */
static void
find_way(const struct cr_chain *chains, uint32_t end, way_vec *way)
{
	way->n = 0;
	for (uint32_t i = end; i; i = chains[i].parent)
		cr_vec_push(way, i);
	for (size_t i = 0; i < way->n / 2; i++) {
		const uint32_t other = way->p[i];

		way->p[i] = way->p[way->n - 1 - i];
		way->p[way->n - 1 - i] = other;
	}
}

static void
put_chains(const struct printer *p, uint32_t n, uint64_t whole)
{
	const bool folded = p->o->mode == CR_CHAIN_FOLDED;
	way_vec way = {0};
	uint32_t n_ends, *ends = find_ends(p->chains, n, p->o, whole, &n_ends);

	for (uint32_t i = 0; i < n_ends; i++) {
		const struct cr_chain *end = &p->chains[ends[i]];

		find_way(p->chains, ends[i], &way);
		cr_text_puts(p->out, folded ? "" : "           ");
		if (folded)
			put_value(p, end->own, end->own_samples, whole);
		else /* like perf: including what continues from there */
			put_value(p, end->weight, end->samples, whole);
		cr_text_puts(p->out, folded ? " " : "\n");
		for (size_t k = 0; k < way.n; k++) {
			cr_text_puts(p->out, !folded ? "                " : k ? ";" : "");
			put_name(p, &p->chains[way.p[k]]);
			cr_text_puts(p->out, folded ? "" : "\n");
		}
		cr_text_char(p->out, '\n');
	}
	free(ends);
	cr_vec_fini(&way);
}

void
cr_chain_text(const struct cr_tree *t, const struct cr_chain *chains, uint32_t n,
	const struct cr_chain_opts *o, uint64_t whole, bool first_is_row, uint32_t line_cells,
	struct cr_text *out)
{
	struct printer p = {t, chains, o, out, o->mode == CR_CHAIN_FOLDED ? 0 : line_cells, 0};

	if (o->mode == CR_CHAIN_GRAPH || o->mode == CR_CHAIN_FRACTAL)
		put_tree(&p, whole, first_is_row);
	else
		put_chains(&p, n, whole);
}

static void
put_chain_json(const struct printer *p, const struct cr_chain *end, const way_vec *way,
	struct cr_json_out *j)
{
	cr_json_out_open(j, '{');
	cr_json_out_u64_of(j, "weight", end->own);
	cr_json_out_u64_of(j, "samples", end->own_samples);
	cr_json_out_key(j, "frames");
	cr_json_out_open(j, '[');
	for (size_t k = 0; k < way->n; k++) {
		cr_text_clear(p->out);
		put_name(p, &p->chains[way->p[k]]);
		cr_json_out_text(j, cr_text_view(p->out));
	}
	cr_json_out_close(j);
	cr_json_out_close(j);
}

void
cr_chain_json(const struct cr_tree *t, const struct cr_chain *chains, uint32_t n,
	const struct cr_chain_opts *o, uint64_t whole, struct cr_json_out *j)
{
	way_vec way = {0};
	uint32_t n_ends, *ends = find_ends(chains, n, o, whole, &n_ends);
	struct cr_text name = {0};
	const struct printer p = {t, chains, o, &name, 0, 0};

	cr_json_out_key(j, "callchains");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < n_ends; i++) {
		find_way(chains, ends[i], &way);
		put_chain_json(&p, &chains[ends[i]], &way, j);
	}
	cr_json_out_close(j);
	free(ends);
	cr_text_fini(&name);
	cr_vec_fini(&way);
}
