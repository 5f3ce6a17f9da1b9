#include "cresset/query/diff.h"

#include "cresset/base/hash.h"
#include "cresset/base/text.h"
#include "cresset/base/vec.h"
#include "cresset/query/fold.h"

#include <stdlib.h>

/* Comms stay in the tree if both sides have those of at least so much of their cost. */
#define GROUPED_PPM 500000

static bool
is_digits(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0;
}

static bool
is_hex16(const char *p)
{
	for (int i = 0; i < 16; i++)
		if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f')))
			return false;
	return true;
}

/*
 * One suffix off, if there is one: ".isra.0", ".constprop.0", ".part.1", ".cold", ".cold.3",
 * ".llvm.1234", ".lto_priv.0", and a Rust hash.
 */
static bool
cut_suffix(struct cr_str *name)
{
	static const char *const words[] = {".isra", ".constprop", ".part", ".cold", ".llvm", ".lto_priv"};
	const char *dot = name->len ? memrchr(name->p, '.', name->len) : NULL;
	struct cr_str head = *name;

	if (name->len > 19 && memcmp(name->p + name->len - 19, "::h", 3) == 0 && is_hex16(name->p + name->len - 16)) {
		name->len -= 19;
		return true;
	}
	if (!dot)
		return false;
	if (is_digits((struct cr_str){dot + 1, (uint32_t)(name->p + name->len - dot - 1)}))
		head.len = (uint32_t)(dot - name->p);
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_ends(head, words[i]) && head.len > strlen(words[i])) {
			name->len = head.len - (uint32_t)strlen(words[i]);
			return true;
		}
	return false;
}

/* "f(int) [clone .isra.0]": what a demangler makes of a suffix. */
static bool
cut_clone(struct cr_str *name)
{
	const char *at;

	if (!name->len || name->p[name->len - 1] != ']')
		return false;
	at = memmem(name->p, name->len, " [clone .", 9);
	if (!at || at == name->p)
		return false;
	name->len = (uint32_t)(at - name->p);
	return true;
}

struct cr_str
cr_diff_canonical(struct cr_str name)
{
	while (cut_clone(&name) || cut_suffix(&name))
		;
	return name;
}

/* ---- the frames of both sides under common numbers */

struct frames {
	bool exact;                  /* names are those of one profile: equal or not */
	struct cr_arena texts;       /* of the rows: a side's own names go with its tree */
	CR_VEC(struct cr_frame) rows;
	CR_VEC(struct cr_str) names; /* canonical, by row */
	struct cr_index index;
};

static uint32_t
frame_intern(struct frames *fs, const struct cr_frame *f)
{
	const struct cr_str name = fs->exact ? f->name : cr_diff_canonical(f->name);
	const struct cr_str object = fs->exact ? f->object : cr_str_basename(f->object);
	const uint64_t h = cr_hash_mix(cr_hash(name.p, name.len), cr_hash(object.p, object.len));
	uint32_t at = cr_index_first(&fs->index, h), row;

	for (; (row = cr_index_row(&fs->index, &at, h)) != CR_NO_ROW; at = cr_index_next(&fs->index, at)) {
		const struct cr_frame *g = &fs->rows.p[row];

		if (cr_str_eq(fs->names.p[row], name) &&
		    cr_str_eq(fs->exact ? g->object : cr_str_basename(g->object), object) &&
		    (g->kind == CR_KIND_GROUP) == (f->kind == CR_KIND_GROUP) &&
		    (!fs->exact || g->inlined == f->inlined)) {
			fs->rows.p[row].inlined &= f->inlined;
			return row;
		}
	}
	row = (uint32_t)fs->rows.n;
	cr_vec_push(&fs->rows, *f);
	fs->rows.p[row].name.p = cr_arena_copy(&fs->texts, f->name.p, f->name.len);
	cr_vec_push(&fs->names, ((struct cr_str){fs->rows.p[row].name.p, name.len}));
	cr_index_add(&fs->index, h, row);
	return row;
}

static uint32_t *
frames_of(struct frames *fs, const struct cr_tree *t)
{
	uint32_t *map = cr_alloc(t->n_frames, sizeof(*map));

	for (uint32_t f = 1; f < t->n_frames; f++)
		map[f] = frame_intern(fs, &t->frames[f]);
	return map;
}

static uint64_t
name_hash(const struct cr_tree *t, uint32_t node)
{
	const struct cr_str name = t->frames[t->frame[node]].name;

	return cr_hash(name.p, name.len);
}

/* Weight of a that stands under comms which b has too, in millionths of a. */
static uint32_t
shared_groups_ppm(const struct cr_tree *a, const struct cr_tree *b)
{
	struct cr_index groups = {0}; /* of b, by name, to their nodes */
	uint64_t shared = 0;

	for (uint32_t i = 1; i < b->n; i = b->end[i])
		if (cr_frame_is_group(&b->frames[b->frame[i]]))
			cr_index_add(&groups, name_hash(b, i), i);
	for (uint32_t i = 1; i < a->n; i = a->end[i]) {
		const struct cr_frame *f = &a->frames[a->frame[i]];
		const uint64_t h = name_hash(a, i);
		uint32_t at = cr_index_first(&groups, h), k;

		if (!cr_frame_is_group(f))
			continue;
		while ((k = cr_index_row(&groups, &at, h)) != CR_NO_ROW && !cr_str_eq(b->frames[b->frame[k]].name, f->name))
			at = cr_index_next(&groups, at);
		if (k != CR_NO_ROW)
			shared = cr_add_sat(shared, a->total[0][i]);
	}
	cr_index_fini(&groups);
	return cr_share_ppm(shared, a->total[0][0]);
}

static void
add_side(struct cr_tree_builder *tb, uint32_t side, const struct cr_tree *t, const uint32_t *frame, bool grouped)
{
	uint32_t *node = cr_alloc(t->n, sizeof(*node));

	for (uint32_t i = 0; i < t->n; i++) {
		if (i && !grouped && t->parent[i] == 0 && cr_frame_is_group(&t->frames[t->frame[i]]))
			node[i] = node[t->parent[i]];
		else if (i)
			node[i] = cr_tree_builder_child(tb, node[t->parent[i]], frame[t->frame[i]]);
		cr_tree_builder_add(tb, node[i], side, t->weight[0][i], t->samples[0][i]);
	}
	free(node);
}

static struct cr_tree *
union_of(const struct cr_tree *const side[CR_SIDES], bool exact)
{
	struct frames fs = {.exact = exact};
	uint32_t *frame[CR_SIDES];
	struct cr_tree_builder *tb;
	struct cr_tree *t;
	bool grouped;

	cr_vec_push(&fs.rows, side[0]->frames[0]);
	cr_vec_push(&fs.names, side[0]->frames[0].name);
	for (uint32_t s = 0; s < CR_SIDES; s++)
		frame[s] = frames_of(&fs, side[s]);
	grouped = exact || (shared_groups_ppm(side[0], side[1]) >= GROUPED_PPM &&
			    shared_groups_ppm(side[1], side[0]) >= GROUPED_PPM);
	tb = cr_tree_builder_new(CR_SIDES, fs.rows.p, (uint32_t)fs.rows.n);
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		add_side(tb, s, side[s], frame[s], grouped);
		free(frame[s]);
	}
	cr_tree_builder_keep(tb, &fs.texts);
	t = cr_tree_builder_finish(tb, NULL);
	t->event = side[1]->event;
	t->unit = side[1]->unit;
	t->summed = side[1]->summed;
	t->before = cr_tree_measure(side[0], 0);
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		t->left_out[s] = side[s]->left_out[0];
		t->left_out_samples[s] = side[s]->left_out_samples[0];
	}
	cr_vec_fini(&fs.rows);
	cr_vec_fini(&fs.names);
	cr_index_fini(&fs.index);
	return t;
}

int
cr_diff(const struct cr_tree *before, const struct cr_tree *after, const struct cr_diff_opts *o, struct cr_tree **out,
	struct cr_err *err)
{
	const struct cr_tree *const side[CR_SIDES] = {before, after};
	const struct cr_measure measure[CR_SIDES] = {cr_tree_measure(before, 0), cr_tree_measure(after, 0)};
	int rc;

	*out = NULL;
	if (before->sides != 1 || after->sides != 1)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "a difference has no difference");
	if (!(o && o->force) && (rc = cr_diff_alike(&measure[0], &measure[1], err)) < 0)
		return rc;
	*out = union_of(side, false);
	return CR_OK;
}

/* ---- a profile that is a difference */

static const char *const within[CR_SIDES] = {"before", "after"};

static bool
has_event(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(name)))
			return true;
	return false;
}

bool
cr_diff_is(const struct cr_profile *p)
{
	return cr_profile_fact(p, "differential").len && has_event(p, within[0]) && has_event(p, within[1]);
}

int
cr_diff_within(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o, struct cr_tree **out,
	struct cr_err *err)
{
	struct cr_tree *side[CR_SIDES] = {NULL, NULL};
	int rc = CR_OK;

	*out = NULL;
	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++) {
		struct cr_filter one = *f;

		one.event = within[s];
		rc = cr_fold(p, &one, o, &side[s], err);
	}
	if (rc == CR_OK) {
		*out = union_of((const struct cr_tree *const[]){side[0], side[1]}, true);
		(*out)->event = (*out)->before.event = cr_profile_fact(p, "differential");
	}
	cr_tree_free(side[0]);
	cr_tree_free(side[1]);
	return rc;
}

static int32_t
delta_ppm(uint64_t before, uint64_t whole_before, uint64_t after, uint64_t whole_after)
{
	return (int32_t)cr_share_ppm(after, whole_after) - (int32_t)cr_share_ppm(before, whole_before);
}

int32_t
cr_diff_total_ppm(const struct cr_tree *t, uint32_t node)
{
	return delta_ppm(t->total[0][node], t->total[0][0], t->total[1][node], t->total[1][0]);
}

int32_t
cr_diff_self_ppm(const struct cr_tree *t, uint32_t node)
{
	return delta_ppm(t->self[0][node], t->total[0][0], t->self[1][node], t->total[1][0]);
}
