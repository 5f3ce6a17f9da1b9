#ifndef CR_QUERY_FOLD_TIDY_FRAMES_P_H
#define CR_QUERY_FOLD_TIDY_FRAMES_P_H

#include "base/err.h"
#include "base/mem.h"
#include "model/tree/tree.h"

/* CR_EUSAGE if this is not a language of the word `tidy`. */
int cr_tidy_check(const char *language, struct cr_err *err);

/*
 * What becomes of the frames of t, of a known language. cr_tidy_frames() fills *out, which need not
 * be initialised and is freed with cr_tidy_fini().
 *
 * - frame[f]: the frame that f becomes: one of t's or of more[], numbered from t->n_frames; or
 *   CR_TREE_SAME for glue, whose cost moves to the caller.
 * - is_name[f]: glue goes only in stacks with such a frame; NULL: in all.
 * - joins: as in struct cr_language.
 */
struct cr_tidy {
	uint32_t *frame;
	struct cr_frame *more;
	uint32_t n_more;
	struct cr_arena made; /* owns the names of more[] */
	uint8_t *is_name;
	bool joins;
};

void cr_tidy_frames(const struct cr_tree *t, const char *language, struct cr_tidy *out);
void cr_tidy_fini(struct cr_tidy *tidy);

/*
 * By node of t: its new frame, for struct cr_tree_change. above: as from cr_tree_above(). The
 * caller frees it.
 */
uint32_t *cr_tidy_nodes(const struct cr_tree *t, const struct cr_tidy *tidy, const uint8_t *above);

#endif
