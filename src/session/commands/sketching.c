#include "sketching_p.h"

#include "commands_p.h"

#include "session/split_layout_p.h"
#include "session/views/view.h"

#include "base/hash.h"
#include "query/fold/sketch/sketch.h"

#include <string.h>

typedef int handler(struct cr_session *s, const char *args, FILE *out, struct cr_err *err);

static bool
is_one_of(const struct cr_command *c, handler *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c->run == list[i])
			return true;
	return false;
}

/*
 * Commands that look at no node that is not drawn, and have no number of a node as their argument:
 * a script with that would be about another tree.
 */
bool
cr_sketching_allows(const struct cr_session *s, const struct cr_command *c, const char *args)
{
	static handler *const always[] = {cr_run_parent, cr_run_out, cr_run_reset, cr_run_scroll,
		cr_run_scroll_other, cr_run_root, cr_run_palette, cr_run_theme, cr_run_color,
		cr_run_undo, cr_run_redo, cr_run_filters, cr_run_pop, cr_run_clear, cr_run_also,
		cr_run_event, cr_run_mark, cr_run_unselect, cr_run_select_thread, cr_run_only,
		cr_run_mouse, cr_run_help, cr_run_size, cr_run_quit, cr_run_clear_search};
	static handler *const moves[] = {cr_run_up, cr_run_down, cr_run_left, cr_run_right,
		cr_run_page_up, cr_run_page_down, cr_run_first, cr_run_last, cr_run_top,
		cr_run_bottom};
	const enum cr_word word = cr_word_find(cr_str_of(c->name));
	const struct cr_view *v = cr_view_current(s);

	if (is_one_of(c, always, CR_LEN(always)))
		return true;
	if (word != CR_WORDS)
		return cr_word_info(word)->kind != CR_WORD_TRANSFORMS;
	if (c->run == cr_run_child)
		return s->tree->is_wide || !cr_sketch_is_closed(s->tree, s->selection.node);
	if (c->run == cr_run_zoom || c->run == cr_run_search_live)
		return !*args;
	if (c->run == cr_run_view && (v = cr_command_view(s, args)))
		return v->ops->takes_sketch;
	if (c->run == cr_run_pane)
		return cr_split_other(s) != NULL;
	if (c->run == cr_run_open && *args)
		return false;
	return v->ops->surface == CR_SURFACE_SCENE &&
	       (c->run == cr_run_open || is_one_of(c, moves, CR_LEN(moves)));
}
