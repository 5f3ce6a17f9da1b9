#include "query/diff/diff.h"

#include "base/text.h"
#include "base/work.h"
#include "matched_frames_p.h"
#include "query/fold/fold.h"
#include "union_p.h"

#include <stdlib.h>

/* Comms stay in the tree if both sides know those of at least this share of their cost. */
#define GROUPED_PPM 500000

/*
 * Weight of a below groups that b has too, in millionths of a. frame_a and frame_b: rows by frame.
 */
static uint32_t
shared_groups_ppm(const struct cr_tree *a, const uint32_t *frame_a, const struct cr_tree *b,
	const uint32_t *frame_b, size_t n_rows)
{
	uint8_t *of_b = cr_alloc(n_rows, 1);
	uint64_t shared = 0;

	for (uint32_t i = 1; i < b->n; i = b->end[i])
		of_b[frame_b[b->frame[i]]] = cr_frame_is_group(&b->frames[b->frame[i]]);
	for (uint32_t i = 1; i < a->n; i = a->end[i])
		if (cr_frame_is_group(&a->frames[a->frame[i]]) && of_b[frame_a[a->frame[i]]])
			shared = cr_add_sat(shared, a->total[0][i]);
	free(of_b);
	return cr_share_ppm(shared, a->total[0][0]);
}

/* Stacks stay below their groups if the sides have most of these in common. */
static bool
is_grouped(const struct cr_tree *const side[CR_SIDES], uint32_t *const frame[CR_SIDES],
	uint32_t n_frames)
{
	for (int s = 0; s < CR_SIDES; s++)
		if (shared_groups_ppm(side[s], frame[s], side[!s], frame[!s], n_frames) <
			GROUPED_PPM)
			return false;
	return true;
}

/* Turn the places of n nodes, which are nodes of a builder, into nodes of its tree. */
static void
place_finally(uint32_t *place, uint32_t n, const uint32_t *map)
{
	for (uint32_t i = 0; i < n; i++)
		place[i] = map[place[i]];
}

/* place: as for struct cr_union; afterwards it has nodes of the result. */
static struct cr_tree *
union_with(const struct cr_tree *const side[CR_SIDES], struct cr_matched_frames *frames,
	const struct cr_diff_opts *o, bool exact, uint32_t *const *place)
{
	uint32_t *frame[CR_SIDES], *map = NULL;
	struct cr_tree_builder *tb = cr_matched_frames_builder(frames, !o->frames);
	struct cr_tree *t;
	bool grouped;

	for (uint32_t s = 0; s < CR_SIDES; s++)
		frame[s] = cr_matched_frames_of(frames, side[s]);
	grouped = exact || o->keep_groups || is_grouped(side, frame, cr_matched_frames_n(frames));
	if (!cr_work_stopped()) /* otherwise frames are undefined */
		cr_union_add(&(struct cr_union){side, frame, cr_matched_frames_n(frames), grouped,
				     place},
			tb);
	for (uint32_t s = 0; s < CR_SIDES; s++)
		free(frame[s]);
	t = cr_tree_builder_finish(tb, place ? &map : NULL);
	for (uint32_t s = 0; s < CR_SIDES && place; s++)
		place_finally(place[s], side[s]->n, map);
	free(map);
	t->event = side[1]->event;
	t->unit = side[1]->unit;
	t->summed = side[1]->summed;
	t->before = cr_tree_measure(side[0], 0);
	cr_matched_frames_main(frames, t->paired);
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		t->left_out[s] = side[s]->left_out[0];
		t->left_out_samples[s] = side[s]->left_out_samples[0];
	}
	return t;
}

struct cr_matched_frames *
cr_diff_match(const struct cr_tree *const side[CR_SIDES], const struct cr_diff_opts *o)
{
	return cr_matched_frames_new(
		side, o->profile, o->by_path ? CR_MATCH_PATHS : CR_MATCH_NAMES);
}

void
cr_diff_match_free(struct cr_matched_frames *frames)
{
	cr_matched_frames_free(frames);
}

static struct cr_tree *
union_of(const struct cr_tree *const side[CR_SIDES], bool exact, const struct cr_diff_opts *o,
	uint32_t *const *place)
{
	struct cr_matched_frames *own;
	struct cr_tree *t;

	if (o->frames)
		return union_with(side, o->frames, o, exact, place);
	own = exact ? cr_matched_frames_new(side, o->profile, CR_MATCH_EXACT)
		    : cr_diff_match(side, o);
	t = union_with(side, own, o, exact, place);
	cr_matched_frames_free(own);
	return t;
}

static int
diff(const struct cr_tree *before, const struct cr_tree *after, const struct cr_diff_opts *o,
	uint32_t *const *place, struct cr_tree **out, struct cr_err *err)
{
	const struct cr_tree *const side[CR_SIDES] = {before, after};
	static const struct cr_diff_opts usual = {0};
	const struct cr_measure measure[CR_SIDES] = {
		cr_tree_measure(before, 0), cr_tree_measure(after, 0)};
	int rc;

	*out = NULL;
	if (before->sides != 1 || after->sides != 1)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "a difference cannot be compared again");
	if (!(o && o->force) && (rc = cr_diff_alike(&measure[0], &measure[1], err)) < 0)
		return rc;
	*out = union_of(side, false, o ? o : &usual, place);
	if ((rc = cr_work_check(err)) < 0) {
		cr_tree_free(*out);
		*out = NULL;
	}
	return rc;
}

int
cr_diff(const struct cr_tree *before, const struct cr_tree *after, const struct cr_diff_opts *o,
	struct cr_tree **out, struct cr_err *err)
{
	return diff(before, after, o, NULL, out, err);
}

int
cr_diff_mapped(const struct cr_tree *before, const struct cr_tree *after,
	const struct cr_diff_opts *o, struct cr_tree **out, uint32_t *map[CR_SIDES],
	struct cr_err *err)
{
	int rc;

	map[0] = cr_alloc(before->n, sizeof(*map[0]));
	map[1] = cr_alloc(after->n, sizeof(*map[1]));
	if ((rc = diff(before, after, o, map, out, err)) == CR_OK)
		return rc;
	for (int s = 0; s < CR_SIDES; s++) {
		free(map[s]);
		map[s] = NULL;
	}
	return rc;
}

/* ---- a profile that is itself a difference */

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
	return cr_profile_fact(p, "differential").len && has_event(p, within[0]) &&
	       has_event(p, within[1]);
}

int
cr_diff_within(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	struct cr_tree **out, struct cr_err *err)
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
		*out = union_of((const struct cr_tree *const[]){side[0], side[1]}, true,
			&(struct cr_diff_opts){0}, NULL);
		(*out)->event = (*out)->before.event = cr_profile_fact(p, "differential");
	}
	cr_tree_free(side[0]);
	cr_tree_free(side[1]);
	return rc;
}

static int32_t
delta_ppm(uint64_t before, uint64_t whole_before, uint64_t after, uint64_t whole_after)
{
	return (int32_t)cr_share_ppm(after, whole_after) -
	       (int32_t)cr_share_ppm(before, whole_before);
}

int32_t
cr_diff_total_ppm(const struct cr_tree *t, uint32_t node)
{
	return delta_ppm(
		t->total[0][node], cr_tree_whole(t, 0), t->total[1][node], cr_tree_whole(t, 1));
}

int32_t
cr_diff_self_ppm(const struct cr_tree *t, uint32_t node)
{
	return delta_ppm(
		t->self[0][node], cr_tree_whole(t, 0), t->self[1][node], cr_tree_whole(t, 1));
}
