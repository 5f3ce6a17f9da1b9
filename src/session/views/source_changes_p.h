#ifndef CR_SESSION_VIEWS_SOURCE_CHANGES_P_H
#define CR_SESSION_VIEWS_SOURCE_CHANGES_P_H

#include "session/annotation.h"
#include "session/state_p.h"

#include "view/sheet/change_cells.h"

/*
 * The lines of a function in a difference. The listing is that of the side after, or of the side
 * before for a function that is gone; each of its lines has the self cost of both. Where the source
 * of both sides is known, lines are matched by their text, so that code which moved is compared
 * with itself; else by their numbers. Shares refer to all of a side.
 */
struct cr_source_changes {
	struct cr_change_cells *cells; /* by row of the listing */
	uint32_t n;
	bool is_noise;  /* the function is not known to have changed, so no line has a mark */
	uint64_t lost;  /* self cost before, in lines that are not in the listing */
	uint64_t whole; /* what that is a part of */
};

/*
 * shown: the listing's annotation, of side `side`; other: that of the other side, NULL if the
 * function is not there. noise: see is_noise. cr_source_changes_fini() it.
 */
void cr_source_changes_make(const struct cr_listing *list, const struct cr_annotation *shown,
	uint32_t side, const struct cr_annotation *other, bool noise,
	struct cr_source_changes *out);
void cr_source_changes_fini(struct cr_source_changes *c);

#endif
