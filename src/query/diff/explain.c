#include "query/diff/explain.h"

#include "base/hash.h"
#include "base/vec.h"
#include "matched_frames_p.h"
#include "query/table/table.h"

#include <stdlib.h>

#define RENAMED_PPM 10000 /* least share of a function that may have been renamed */
#define ALIKE_PERCENT 25  /* maximum difference of the two shares, in percent of the larger one */

/* A function that is on one side alone. */
struct lone {
	uint32_t row, side, ppm;
	uint32_t caller; /* the frame that calls it where it costs most */
};

typedef CR_VEC(struct lone) lones;

static void
find_lones(const struct cr_tree *t, const struct cr_table *table, lones *out)
{
	uint64_t *most = cr_alloc(table->n, sizeof(*most));
	uint32_t *caller = cr_alloc(table->n, sizeof(*caller));

	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t row = table->frame_row[t->frame[n]];

		if (row == CR_NO_ROW || t->extent[n] <= most[row])
			continue;
		most[row] = t->extent[n];
		caller[row] = t->frame[t->parent[n]];
	}
	for (uint32_t i = 0; i < table->n; i++)
		for (uint32_t s = 0; s < CR_SIDES; s++) {
			const struct cr_table_cost *c = table->rows[i].cost;
			const uint32_t ppm = cr_share_ppm(c[s].total, t->total[s][0]);

			if (!c[!s].total && ppm >= RENAMED_PPM)
				cr_vec_push(out, ((struct lone){i, s, ppm, caller[i]}));
		}
	free(most);
	free(caller);
}

static bool
is_renamed(const struct cr_table *table, const struct lone *a, const struct lone *b)
{
	const uint32_t more = CR_MAX(a->ppm, b->ppm), less = CR_MIN(a->ppm, b->ppm);

	return a->side == 0 && b->side == 1 && a->caller == b->caller &&
	       (more - less) * UINT64_C(100) <= more * (uint64_t)ALIKE_PERCENT &&
	       cr_str_eq(cr_table_value(table, a->row, CR_TABLE_FUNCTION)->dso,
		       cr_table_value(table, b->row, CR_TABLE_FUNCTION)->dso);
}

static void
put_share(const struct cr_table *table, const struct lone *l, struct cr_text *out)
{
	cr_text_safe(out, cr_table_value(table, l->row, CR_TABLE_FUNCTION)->text);
	cr_text_printf(out, " (%u.%u %%)", l->ppm / 10000, l->ppm % 10000 / 1000);
}

static void
put_renamed(const struct cr_tree *t, struct cr_text *out)
{
	struct cr_table table;
	lones all = {0};

	cr_table_make(NULL, t, 0, cr_table_by(CR_TABLE_FUNCTION), &table);
	find_lones(t, &table, &all);
	for (size_t i = 0; i < all.n; i++)
		for (size_t k = 0; k < all.n; k++) {
			if (!is_renamed(&table, &all.p[i], &all.p[k]))
				continue;
			cr_text_puts(out, "renamed? ");
			put_share(&table, &all.p[i], out);
			cr_text_puts(out, " -> ");
			put_share(&table, &all.p[k], out);
			cr_text_puts(
				out, ": same caller, similar cost; compared as two functions\n");
		}
	cr_vec_fini(&all);
	cr_table_fini(&table);
}

void
cr_diff_explain(const struct cr_tree *const side[CR_SIDES], const struct cr_tree *both,
	const struct cr_diff_opts *o, struct cr_text *out)
{
	struct cr_matched_frames *own = o->frames ? NULL : cr_diff_match(side, o);

	cr_matched_frames_explain(own ? own : o->frames, out);
	cr_diff_match_free(own);
	put_renamed(both, out);
}
