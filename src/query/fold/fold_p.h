#ifndef CR_QUERY_FOLD_FOLD_P_H
#define CR_QUERY_FOLD_FOLD_P_H

#include "model/tree/fold_template.h"
#include "query/fold/fold.h"
#include "select_p.h"

/*
 * The groups that stacks stand under: of each sample a number, of each number the frames. All keys
 * that are looked up by one thing (the task, the processor) are one table; tables of several things
 * are joined as samples come. What is told by the leaf is joined last, when samples are added up
 * already.
 */
struct cr_grouping;

/*
 * select: the samples that are folded; for values of fields, else NULL. Fails as cr_lanes_find()
 * does.
 */
int cr_grouping_new(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_fold_opts *o, const uint8_t *select, struct cr_grouping **out,
	struct cr_err *err);
void cr_grouping_free(struct cr_grouping *g);

/* The bits of enum cr_needs that a group reads. */
unsigned cr_grouping_needs(enum cr_group group);

/* Is a group among those asked for? That of CR_GROUP_USUAL is not. */
bool cr_grouping_asks(const struct cr_fold_opts *o, enum cr_group group);

/* Made names are the caller's from here on. */
void cr_grouping_names(struct cr_grouping *g, struct cr_arena *names);

/*
 * The numbers of rows that s may take, as far as the leaf has no say; false when all are 0, and out
 * is as it was.
 */
bool cr_grouping_rows(struct cr_grouping *g, const struct cr_selector *s, uint64_t from,
	uint64_t to, uint32_t *out);

/* Has the leaf a say? Then the number, of which cr_grouping_rows() knew a part. */
bool cr_grouping_by_node(const struct cr_grouping *g);
uint32_t cr_grouping_of_node(struct cr_grouping *g, uint32_t number, uint32_t node);

/* All numbers there are so far. `way` is to be free()d, the frames are g's. */
void cr_grouping_ways(struct cr_grouping *g, struct cr_fold_template_groups *out, uint32_t **way);

#endif
