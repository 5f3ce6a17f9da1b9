#include "split_layout_p.h"

#include "script_p.h"
#include "state_p.h"

#include "base/mem.h"
#include "session/views/view.h"

/* Two panes are not made smaller than this, with the line above: one is shown instead. */
#define LEAST_WIDTH 20
#define LEAST_HEIGHT 4

#define SHARE_LEAST 100
#define SHARE_MOST 900

struct cr_split
cr_split_initial(void)
{
	return (struct cr_split){.how = CR_SPLIT_NONE, .other = 1, .share = {600, 500}};
}

void
cr_split_show(struct cr_session *s, uint32_t to)
{
	if (to == s->split.other && to != s->view) {
		s->split.other = s->view;
		s->split.second = !s->split.second;
	}
	s->view = to;
}

/* How the area is divided now: not CR_SPLIT_AUTO. */
static enum cr_split_how
how_now(const struct cr_session *s)
{
	enum cr_split_how how = s->split.how;

	if (how == CR_SPLIT_AUTO)
		how = s->width >= CR_SPLIT_WIDTH && !s->is_empty ? CR_SPLIT_BESIDE : CR_SPLIT_NONE;
	if (s->tree && s->tree->is_sketch && !s->views[s->split.other].ops->takes_sketch)
		how = CR_SPLIT_NONE;
	if (how == CR_SPLIT_BESIDE && (s->width < 2 * LEAST_WIDTH + 1 || s->height < LEAST_HEIGHT))
		how = CR_SPLIT_NONE;
	if (how == CR_SPLIT_BELOW && s->height < 2 * LEAST_HEIGHT)
		how = CR_SPLIT_NONE;
	return how;
}

/* Number of cells, of `all`, that belong to the first pane. */
static int32_t
first_cells(int32_t all, uint16_t share, int32_t least)
{
	const int32_t cells = (int32_t)((int64_t)all * share / 1000);

	return CR_MIN(CR_MAX(cells, least), all - least);
}

struct cr_split_layout
cr_split_layout(const struct cr_session *s)
{
	const enum cr_split_how how = how_now(s);
	struct cr_split_layout l = {.n = 1, .beside = how == CR_SPLIT_BESIDE};
	struct cr_split_pane *first = &l.pane[0], *second = &l.pane[1];
	int32_t cells;

	*first = (struct cr_split_pane){
		.view = s->view, .has_keys = true, .width = s->width, .height = s->height};
	if (how == CR_SPLIT_NONE)
		return l;
	l.n = 2;
	*second = *first;
	second->has_keys = s->split.second;
	first->has_keys = !s->split.second;
	(s->split.second ? first : second)->view = s->split.other;
	if (how == CR_SPLIT_BESIDE) {
		cells = first_cells(s->width - 1, s->split.share[0], LEAST_WIDTH);
		first->width = cells;
		second->x = cells + 1;
		second->width = s->width - second->x;
	} else {
		cells = first_cells(s->height, s->split.share[1], LEAST_HEIGHT);
		first->height = cells;
		second->y = cells;
		second->height = s->height - cells;
	}
	for (int i = 0; i < CR_PANES; i++) {
		l.pane[i].y++;
		l.pane[i].height--;
	}
	return l;
}

void
cr_split_apply(struct cr_session *s)
{
	const struct cr_split_layout l = cr_split_layout(s);

	if (s->width <= 0)
		return;
	for (uint32_t i = 0; cr_view_ops_at(i); i++) {
		const struct cr_split_pane *p = NULL;

		for (uint32_t k = 0; k < l.n; k++)
			if (l.pane[k].view == i)
				p = &l.pane[k];
		if (cr_view_resize(&s->views[i], p ? p->width : s->width,
			    p ? CR_MAX(p->height, 1) : s->height) &&
			p)
			cr_view_follow(&s->views[i], s, false);
	}
}

void
cr_split_resize(struct cr_session *s, int32_t width, int32_t height)
{
	s->width = width;
	s->height = height;
	cr_script_size(s->script, width, height);
	cr_split_apply(s);
}

struct cr_view *
cr_split_other(const struct cr_session *s)
{
	return how_now(s) == CR_SPLIT_NONE ? NULL : &s->views[s->split.other];
}

int32_t
cr_split_share_now(const struct cr_session *s)
{
	return s->split.share[how_now(s) == CR_SPLIT_BELOW];
}

void
cr_split_share(struct cr_session *s, int32_t per_mille)
{
	const int which = how_now(s) == CR_SPLIT_BELOW;

	s->split.share[which] = (uint16_t)CR_MIN(CR_MAX(per_mille, SHARE_LEAST), SHARE_MOST);
	cr_split_apply(s);
}
