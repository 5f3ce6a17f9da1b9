#include "query/fold/stack_filter.h"

#include "model/columns.h"
#include "model/tree/path_sums.h"
#include "query/lang/pattern.h"

#include <stdlib.h>

#define STEPS_MOST 64u /* maximum number of steps, since each has a bit in a stack's state */

/* Effect of a step on a stack, walked from the root to the leaf. */
enum what {
	KEEPS,  /* keep the stack if a frame matches */
	DROPS,  /* drop the stack if a frame matches */
	HIDES,  /* hide matching frames from later steps */
	PRUNES, /* and the frames below them */
	ENDS,   /* the same, and keep the stack only if there is one */
	BEGINS, /* hide frames above the outermost match, and keep the stack only if there is one */
};

struct step {
	enum what what;
	uint8_t *hit; /* by frame */
};

/*
 * One bit per step: a frame matched. The frames are those of a tree without nodes: the root's, one
 * for each function, one for each task's comm.
 */
struct filter {
	const struct cr_profile *p;
	struct cr_tree names;
	struct step steps[STEPS_MOST];
	uint32_t n;
	uint64_t wanted, unwanted; /* bits that decide whether a stack is kept */
	uint64_t *node, *task;     /* states: of the functions of a stack, of the comm above it */
};

static bool
step_selects(const struct cr_step *step)
{
	const struct cr_word_info *w = cr_word_info(step->word);

	if (w->kind != CR_WORD_TRANSFORMS)
		return false;
	switch (w->transform) {
	case CR_TRANSFORM_HIDE:
	case CR_TRANSFORM_MERGE:
	case CR_TRANSFORM_PRUNE:
	case CR_TRANSFORM_INVERT: return false;
	case CR_TRANSFORM_TIDY: return true;                               /* it may fail */
	case CR_TRANSFORM_RECURSION: return strcmp(step->arg, "all") == 0; /* likewise */
	default: return true;
	}
}

bool
cr_stack_filter_selects(const struct cr_query *q)
{
	bool any = false;

	for (size_t i = 0; i < q->n; i++)
		any |= step_selects(&q->steps[i]);
	return any;
}

unsigned
cr_stack_filter_needs(const struct cr_query *q)
{
	if (!cr_stack_filter_selects(q))
		return 0;
	return CR_NEEDS_NODE | CR_NEEDS_TASK | CR_NEEDS_TREE;
}

/* ---- steps */

/* Fail if later steps depend on the order of frames. */
static int
must_be_last(const struct cr_query *q, size_t at, struct cr_err *err)
{
	for (size_t i = at + 1; i < q->n; i++) {
		const struct cr_word_info *w = cr_word_info(q->steps[i].word);

		if (w->kind == CR_WORD_TRANSFORMS && w->transform != CR_TRANSFORM_INVERT &&
			w->transform != CR_TRANSFORM_TIDY && w->transform != CR_TRANSFORM_RECURSION)
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"%s after %s changes trees and cannot select samples", w->name,
				cr_word_info(q->steps[at].word)->name);
	}
	return CR_OK;
}

/* Comms match only as groups. */
static void
hits_part(const struct filter *s, bool groups, uint8_t *hit)
{
	const uint32_t first_comm = 1 + s->p->n_functions;

	if (groups)
		memset(hit, 0, first_comm);
	else
		memset(hit + first_comm, 0, s->names.n_frames - first_comm);
}

static int
step_add(struct filter *s, enum what what, const struct cr_step *from, bool is_name,
	struct cr_err *err)
{
	uint8_t *hit;
	int rc = CR_OK;

	if (s->n == STEPS_MOST)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "more than %u steps select samples",
			STEPS_MOST);
	hit = cr_alloc(s->names.n_frames, 1);
	s->steps[s->n] = (struct step){what, hit};
	if (is_name)
		rc = cr_function_match(&s->names, cr_str_of(from->arg), hit, err);
	else
		rc = cr_frames_match(&s->names, from->arg, hit, err);
	hits_part(s, !is_name && cr_frames_are_groups(from->arg), hit);
	if (what == KEEPS || what == BEGINS || what == ENDS)
		s->wanted |= UINT64_C(1) << s->n;
	else if (what == DROPS)
		s->unwanted |= UINT64_C(1) << s->n;
	s->n++;
	return rc;
}

static int
step_of(struct filter *s, const struct cr_query *q, size_t at, struct cr_err *err)
{
	const struct cr_step *step = &q->steps[at];

	switch (cr_word_info(step->word)->transform) {
	case CR_TRANSFORM_FOCUS: return step_add(s, KEEPS, step, false, err);
	case CR_TRANSFORM_IGNORE: return step_add(s, DROPS, step, false, err);
	case CR_TRANSFORM_DROP: return step_add(s, DROPS, step, true, err);
	case CR_TRANSFORM_HIDE: return step_add(s, HIDES, step, false, err);
	case CR_TRANSFORM_MERGE: return step_add(s, HIDES, step, true, err);
	case CR_TRANSFORM_PRUNE: return step_add(s, PRUNES, step, false, err);
	case CR_TRANSFORM_SHOW_FROM: return step_add(s, BEGINS, step, false, err);
	case CR_TRANSFORM_CALLEES: return step_add(s, BEGINS, step, true, err);
	case CR_TRANSFORM_ROOT_AT:
		if (strchr(step->arg, ';'))
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"root-at with a path changes trees and cannot select samples");
		return step_add(s, BEGINS, step, true, err);
	case CR_TRANSFORM_CALLERS: return step_add(s, ENDS, step, true, err);
	case CR_TRANSFORM_TIDY: return must_be_last(q, at, err);
	case CR_TRANSFORM_RECURSION:
		return strcmp(step->arg, "all") == 0 ? must_be_last(q, at, err) : CR_OK;
	default: return CR_OK;
	}
}

static int
steps_make(struct filter *s, const struct cr_query *q, struct cr_err *err)
{
	int rc = CR_OK;

	for (size_t i = 0; rc == CR_OK && i < q->n; i++)
		if (cr_word_info(q->steps[i].word)->kind == CR_WORD_TRANSFORMS)
			rc = step_of(s, q, i, err);
	return rc;
}

/* ---- stacks */

static void
frames_make(struct filter *s)
{
	const struct cr_profile *p = s->p;
	const uint32_t n = 1 + p->n_functions + p->n_tasks;
	struct cr_frame *frames = cr_arena_array(&s->names.arena, n, sizeof(*frames));

	for (uint32_t i = 0; i < p->n_functions; i++)
		frames[1 + i] = cr_path_sums_frame(p, i, &s->names.arena);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		frames[1 + p->n_functions + i] = (struct cr_frame){
			.name = p->tasks[i].comm, .kind = CR_KIND_GROUP, .group = CR_GROUP_COMM};
	s->names.frames = frames;
	s->names.n_frames = n;
}

/* The state after one more frame. */
static uint64_t
frame_add(const struct filter *s, uint64_t state, uint32_t frame)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const uint64_t bit = UINT64_C(1) << i;
		const bool hit = s->steps[i].hit[frame];

		if (s->steps[i].what == HIDES && hit)
			return state;
		if ((s->steps[i].what == PRUNES || s->steps[i].what == ENDS) && (state & bit))
			return state;
		if (s->steps[i].what == BEGINS && !hit && !(state & bit))
			return state;
		if (hit)
			state |= bit;
	}
	return state;
}

static void
nodes_walk(struct filter *s)
{
	const struct cr_profile *p = s->p;

	s->node = cr_alloc(CR_MAX(p->n_nodes, 1), sizeof(*s->node));
	for (uint32_t n = 1; n < p->n_nodes; n++) {
		const struct cr_location *at = &p->locations[p->node_location[n]];
		uint64_t state = s->node[p->node_parent[n]];

		for (uint32_t k = at->lines; k-- > 0;) /* the innermost line is the first */
			state = frame_add(s, state, 1 + p->lines[at->first_line + k].function.i);
		s->node[n] = state;
	}
}

/* Comms are above the stacks: steps only keep or drop what is below them. */
static void
tasks_walk(struct filter *s)
{
	const struct cr_profile *p = s->p;

	s->task = cr_alloc(CR_MAX(p->n_tasks, 1), sizeof(*s->task));
	for (uint32_t t = 0; cr_profile_by_comm(p) && t < p->n_tasks; t++)
		for (uint32_t i = 0; i < s->n; i++)
			if (s->steps[i].what <= DROPS && s->steps[i].hit[1 + p->n_functions + t])
				s->task[t] |= UINT64_C(1) << i;
}

static void
filter_fini(struct filter *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		free(s->steps[i].hit);
	free(s->node);
	free(s->task);
	cr_arena_fini(&s->names.arena);
}

int
cr_stack_filter(
	const struct cr_profile *p, const struct cr_query *q, uint8_t *sel, struct cr_err *err)
{
	struct filter s = {.p = p};
	const uint32_t *node, *task;
	int rc;

	if (!cr_stack_filter_selects(q))
		return CR_OK;
	cr_needed(p, CR_NEEDS_TREE);
	node = cr_column_nodes(p);
	task = cr_column_tasks(p);
	frames_make(&s);
	if ((rc = steps_make(&s, q, err)) < 0)
		goto out;
	nodes_walk(&s);
	tasks_walk(&s);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		uint64_t state;

		if (!sel[i])
			continue;
		state = s.node[node[i]] | s.task[task[i]];
		sel[i] = (state & s.wanted) == s.wanted && !(state & s.unwanted);
	}
out:
	filter_fini(&s);
	return rc;
}
