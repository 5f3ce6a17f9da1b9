#include "sheet_view_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "view/style/chart.h"
#include "view/style/label.h"
#include "view/style/paint.h"

#include <stdlib.h>

#define PRINT_CELLS 80u
#define TITLE_CELLS 28u /* of a function's name */

uint32_t
cr_sheet_view_width(const struct cr_view *v)
{
	return v->width > 0 ? (uint32_t)v->width : PRINT_CELLS;
}

void
cr_sheet_view_print(const struct cr_sheet_surface *surface, struct cr_text *out)
{
	const struct cr_view *v = surface->view;
	const uint32_t cells = v->width > 0 ? (uint32_t)v->width : 0;

	if (!v->n) {
		cr_text_printf(out, "%s\n", surface->empty);
		return;
	}
	surface->head(surface, cells, true, out);
	cr_chart_line_end(out);
	for (uint32_t row = 0; row < v->n; row++) {
		struct cr_paint line = {out, NULL, 0, cells};

		surface->paint(surface, row, true, &line);
		cr_chart_line_end(out);
	}
}

void
cr_sheet_view_put_of(const char *function, struct cr_text *out)
{
	if (!function)
		return;
	cr_text_puts(out, " of ");
	cr_label_fit(out, cr_str_of(function), TITLE_CELLS);
}

uint32_t
cr_sheet_view_hottest(const struct cr_tree *t)
{
	uint64_t *self = cr_alloc(t->n_frames, sizeof(*self));
	uint32_t best = 0;

	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t f = t->frame[n];

		if (cr_frame_is_group(&t->frames[f]))
			continue;
		self[f] = cr_add_sat(self[f], t->self[t->sides - 1][n]);
		if (self[f] > self[best])
			best = f;
	}
	free(self);
	return best;
}
