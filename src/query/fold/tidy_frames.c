#include "tidy_frames_p.h"

#include "base/hash.h"
#include "base/text.h"
#include "tidy_names_p.h"

#include <stdlib.h>
#include <string.h>

int
cr_tidy_check(const char *language, struct cr_err *err)
{
	struct cr_text words = {0};

	if (cr_language_find(cr_str_of(language)))
		return CR_OK;
	for (size_t i = 0; cr_language_at(i); i++)
		cr_text_printf(&words, "%s%s", i ? ", " : "", cr_language_at(i)->word);
	cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "unknown language '%s'; use one of: %s", language,
		words.p);
	cr_text_fini(&words);
	return err->code;
}

/* Frames that have been seen, by name and dso. */
struct renaming {
	const struct cr_tree *t;
	struct cr_tidy *out;
	struct cr_index ix;
};

static const struct cr_frame *
frame_at(const struct renaming *r, uint32_t f)
{
	return f < r->t->n_frames ? &r->t->frames[f] : &r->out->more[f - r->t->n_frames];
}

/* Equal but for what a new name makes one: linkage name, row of the functions. */
static bool
is_same(const struct cr_frame *a, const struct cr_frame *b)
{
	return a->kind == b->kind && a->inlined == b->inlined && a->group == b->group &&
	       a->line == b->line && a->number == b->number && cr_str_eq(a->name, b->name) &&
	       cr_str_eq(a->dso, b->dso) && cr_str_eq(a->file, b->file);
}

static uint64_t
hash_of(const struct cr_frame *f)
{
	return cr_hash_mix(cr_hash(f->name.p, f->name.len),
		cr_hash_mix(f->line, f->number) ^ cr_hash(f->dso.p, f->dso.len));
}

/* The frame equal to f; NULL name: none. */
static uint32_t
frame_find(const struct renaming *r, const struct cr_frame *f)
{
	uint32_t row;

	cr_index_each(&r->ix, hash_of(f), row)
		if (is_same(frame_at(r, row), f))
			return row;
	return CR_NO_ROW;
}

/* Frame f under another name: an equal one that is there, or a new one. */
static uint32_t
renamed(struct renaming *r, uint32_t f, struct cr_str name)
{
	struct cr_frame new = r->t->frames[f];
	uint32_t row;

	new.name = name;
	new.linkage = (struct cr_str){"", 0};
	new.function1 = 0;
	if ((row = frame_find(r, &new)) != CR_NO_ROW)
		return row;
	new.name.p = cr_arena_copy(&r->out->made, name.p, name.len);
	row = r->t->n_frames + r->out->n_more;
	r->out->more = cr_realloc(r->out->more, r->out->n_more + 1, sizeof(*r->out->more));
	r->out->more[r->out->n_more++] = new;
	cr_index_add(&r->ix, hash_of(&new), row);
	return row;
}

/* Only code of programs has glue, and only functions have its names. */
static bool
is_of_program(const struct cr_frame *f)
{
	return f->kind != CR_KIND_GROUP && !cr_kind_is_kernel(f->kind) && !cr_frame_is_nameless(f);
}

void
cr_tidy_frames(const struct cr_tree *t, const char *language, struct cr_tidy *out)
{
	const struct cr_language *l = cr_language_find(cr_str_of(language));
	struct renaming r = {.t = t, .out = out};
	struct cr_text name = {0};

	*out = (struct cr_tidy){
		.frame = cr_alloc(t->n_frames, sizeof(*out->frame)), .joins = l->joins};
	if (l->is_name)
		out->is_name = cr_alloc(t->n_frames, 1);
	for (uint32_t f = 0; f < t->n_frames && l->rename; f++)
		if (frame_find(&r, &t->frames[f]) == CR_NO_ROW)
			cr_index_add(&r.ix, hash_of(&t->frames[f]), f);
	for (uint32_t f = 0; f < t->n_frames; f++) {
		const struct cr_frame *x = &t->frames[f];

		out->frame[f] = f;
		if (f == 0 || !is_of_program(x))
			continue;
		if (l->is_name)
			out->is_name[f] = l->is_name(x->name);
		if (l->is_glue(x->name)) {
			out->frame[f] = CR_TREE_SAME;
		} else if (l->rename) {
			cr_text_clear(&name);
			l->rename(x->name, &name);
			if (name.len && !cr_str_eq(cr_text_view(&name), x->name))
				out->frame[f] = renamed(&r, f, cr_text_view(&name));
		}
	}
	cr_text_fini(&name);
	cr_index_fini(&r.ix);
}

void
cr_tidy_fini(struct cr_tidy *tidy)
{
	free(tidy->frame);
	free(tidy->more);
	free(tidy->is_name);
	cr_arena_fini(&tidy->made);
}

/*
 * By node: 1 if each stack through it has a name: of an ancestor, of itself, or of a descendant in
 * each of them. NULL if no name is needed.
 */
static uint8_t *
with_name(const struct cr_tree *t, const uint8_t *is_name)
{
	uint8_t *named;
	uint64_t *nameless;

	if (!is_name)
		return NULL;
	named = cr_alloc(t->n, 1);
	nameless = cr_alloc(t->n, sizeof(*nameless)); /* samples at or below, without a name */
	for (uint32_t n = 1; n < t->n; n++)
		named[n] = named[t->parent[n]] || is_name[t->frame[n]];
	for (uint32_t n = t->n - 1; n > 0; n--) {
		for (uint32_t s = 0; s < t->sides && !named[n]; s++)
			nameless[n] = cr_add_sat(
				nameless[n], cr_add_sat(t->samples[s][n], t->weight[s][n]));
		nameless[t->parent[n]] = cr_add_sat(nameless[t->parent[n]], nameless[n]);
	}
	for (uint32_t n = 1; n < t->n; n++)
		named[n] |= nameless[n] == 0;
	free(nameless);
	return named;
}

uint32_t *
cr_tidy_nodes(const struct cr_tree *t, const struct cr_tidy *tidy, const uint8_t *above)
{
	uint32_t *frame = cr_alloc(t->n, sizeof(*frame));
	/* By node: the nearest node that stays, itself included. */
	uint32_t *stays = cr_alloc(t->n, sizeof(*stays));
	uint8_t *named = with_name(t, tidy->is_name);

	for (uint32_t n = 0; n < t->n; n++) {
		const uint32_t old = t->frame[n], caller = stays[t->parent[n]];

		frame[n] = above[n] || (named && !named[n]) ? old : tidy->frame[old];
		/* f and its closure are one frame; f and f are a recursion. */
		if (tidy->joins && frame[n] == frame[caller] && old != t->frame[caller])
			frame[n] = CR_TREE_SAME;
		stays[n] = frame[n] == CR_TREE_SAME ? caller : n;
	}
	free(named);
	free(stays);
	return frame;
}
