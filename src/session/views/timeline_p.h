#ifndef CR_SESSION_VIEWS_TIMELINE_P_H
#define CR_SESSION_VIEWS_TIMELINE_P_H

#include "session/session.h"
#include "session/views/view.h"

#include "query/time/series.h"
#include "view/scene/heat.h"
#include "view/sheet/heat_sheet.h"
#include "view/sheet/series_sheet.h"

/*
 * What the time view shows, as data: lanes of bins, or a map of the seconds; and the cursor and the
 * mark on it.
 */

/*
 * The blocks: all lanes together, the ruler, and one for each lane. In a difference the lanes are
 * those of the side before; all of the side after, and its lanes, follow. Both sides are on one
 * axis of time from the start of each recording. Where there is room, all blocks but the ruler are
 * several rows high; the lowest row has the label.
 */
enum { CR_TIMELINE_ALL, CR_TIMELINE_RULER, CR_TIMELINE_ABOVE };

struct cr_timeline {
	enum cr_lane_key by;
	bool is_map;             /* the map of seconds, not lanes */
	uint64_t from_ns, to_ns; /* the part that is shown; to 0: all of it */
	uint64_t cursor_ns;
	bool marking; /* the mark reaches from the anchor to the cursor, and follows it */
	uint64_t anchor_ns;

	bool made;
	char *made_of;         /* see cr_view_is_made_of() */
	int32_t width, height; /* that it was made for */
	/* By side, and one with the lanes of both: n_before of the side before, then the others. */
	struct cr_series side[CR_SIDES], series;
	uint32_t n_before;
	bool is_diff; /* both sides are shown */
	struct cr_heat map;
	bool has_series, has_map;
	struct cr_series_sheet bins_sheet; /* made when they are asked for */
	struct cr_heat_sheet map_sheet;
	/* Cost of all lanes of a side together: of bins, or of seconds in samples. */
	uint64_t *bins[CR_SIDES];
	uint32_t n_bins, name_cells;
	uint32_t bin_cells; /* of a bin: 1 in lanes; wider in a map of few seconds */
	uint32_t first_bin; /* the leftmost one that is shown */
	uint32_t tall;      /* rows of a block */
	uint64_t bin_ns, start_ns, whole[CR_SIDES];
	uint64_t most, lane_most; /* the costliest bin: of all, of a lane */
	uint64_t lane_weight;     /* of the costliest lane */
	struct cr_text why;       /* there is nothing to show */
	struct cr_sheet_surface surface;
	const struct cr_session *s;
};

/*
 * Make the lanes or the map anew, in the size of the view. If that fails, there are none, and `why`
 * has the message.
 */
int cr_timeline_remake(struct cr_view *v, struct cr_session *s, struct cr_err *err);
/* The same if they are stale; the functions `make` and `fini` of the view. */
void cr_timeline_make(struct cr_view *v, struct cr_session *s);
void cr_timeline_fini(struct cr_view *v);

/* The block of a row; the row of a block that has its label. */
uint32_t cr_timeline_block(const struct cr_timeline *m, uint32_t row);
uint32_t cr_timeline_row(const struct cr_timeline *m, uint32_t block);

/* The lane of a block; NULL for other blocks. The side of a block. */
const struct cr_series_lane *cr_timeline_lane(const struct cr_timeline *m, uint32_t block);
uint32_t cr_timeline_side(const struct cr_timeline *m, uint32_t block);

/* The cell that charts begin in, and how many cells they have. */
uint32_t cr_timeline_chart_cell(const struct cr_timeline *m);
uint32_t cr_timeline_chart_cells(const struct cr_view *v, const struct cr_timeline *m);

/* The start of a bin, and the bin that a time is in, or the nearest one. */
uint64_t cr_timeline_bin_start(const struct cr_timeline *m, uint32_t bin);
uint32_t cr_timeline_bin_of(const struct cr_timeline *m, uint64_t ns);

/* Move the map so that the cursor can be seen. */
void cr_timeline_show_cursor(const struct cr_view *v, struct cr_timeline *m);

/* The bins [*from, *to) of the mark; false, and both unchanged, if none is marked. */
bool cr_timeline_marked_bins(const struct cr_timeline *m, uint32_t *from, uint32_t *to);
bool cr_timeline_is_marked(const struct cr_session *s);

/* Append a range of time as the filter `time` has it: "3s..5.25s". */
void cr_timeline_put_range(uint64_t from_ns, uint64_t to_ns, struct cr_text *out);

#endif
