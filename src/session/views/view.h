#ifndef CR_SESSION_VIEWS_VIEW_H
#define CR_SESSION_VIEWS_VIEW_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"
#include "session/key.h"
#include "session/selection.h"
#include "view/scene/scene.h"
#include "view/style/change.h"
#include "view/style/paint.h"
#include "view/style/palette.h"

struct cr_command;
struct cr_session;
struct cr_sheet;

/*
 * A view is a row of views.def and a struct of functions in a file of its own, view_NAME.c. Its
 * state belongs to it: nobody else reads it. Views share the session's tree, query, zoom, search
 * and selection, and are called when one of them changes: drop() and selected().
 *
 * A view reads what is selected from s->selection (session/selection.h) and changes it with the
 * functions of session/selection_set_p.h. It restricts the query with session/steps_p.h; a marked
 * range of time or a selected thread with cr_steps_only(). It must not change the state otherwise.
 *
 * One or two views are shown, each in a pane (session/split.h), whose size it has. The current view
 * is the one in the pane with the keys. The other one shows the same selection.
 *
 * What a view shows is a surface. The browser draws each kind of surface with one drawer of
 * tui/panes, so that a new view needs no code in the browser. Pages of text, such as the help, have
 * a drawer too.
 */
enum cr_surface {
	CR_SURFACE_SCENE, /* boxes: struct cr_scene_surface */
	CR_SURFACE_SHEET, /* headings and rows: struct cr_sheet_surface */
};

#define CR_CELL_UNITS 8 /* units of a scene per cell: the steps of the block characters */

struct cr_scene_surface {
	const struct cr_scene *scene;        /* in CR_CELL_UNITS per cell */
	const struct cr_tree *tree;          /* its boxes are nodes of this tree */
	const struct cr_change_look *change; /* how its changes look; NULL: it has one side */
	uint32_t selected;                   /* node */
	enum cr_palette palette;
	bool root_up; /* row 0 is drawn at the top, not at the bottom */
};

/* A column of a sheet that can be clicked. */
struct cr_sheet_column_head {
	const char *word; /* prefix of the column's heading; longer words come first */
	const char *line; /* the command that a click runs */
	bool is_text;     /* the column begins at its heading; a column of numbers ends there */
};

struct cr_row_look {
	bool hit;       /* matches the search */
	bool strong;    /* emphasised */
	int32_t change; /* of its share, in millionths; 0 if there is nothing to compare */
	bool noise;     /* in a difference: what it shows may be noise, so it is grey */
};

struct cr_sheet_surface {
	const char *empty;                        /* lines that are shown if there are no rows */
	const struct cr_sheet_column_head *heads; /* ends with a row of zeros (optional) */
	const char *sorted; /* the line of the heading that rows are sorted by; NULL for none */
	bool falls;         /* sorted in descending order */
	const struct cr_view *view;
	/*
	 * Append the line of heads, or a row, of at most `cells` cells (0: as wide as needed).
	 * unicode: characters beyond ASCII may be used.
	 */
	void (*head)(const struct cr_sheet_surface *s, uint32_t cells, bool unicode,
		struct cr_text *out);
	void (*row)(const struct cr_sheet_surface *s, uint32_t row, uint32_t cells, bool unicode,
		struct cr_text *out);
	struct cr_row_look (*look)(const struct cr_sheet_surface *s, uint32_t row);
	/* Instead of row(), for rows whose parts differ in look (optional). */
	void (*paint)(
		const struct cr_sheet_surface *s, uint32_t row, bool unicode, struct cr_paint *out);
	/*
	 * The cells of the selected row that are shown as selected, *n of them from *x on; without
	 * it the whole row (optional).
	 */
	void (*chosen)(const struct cr_sheet_surface *s, uint32_t cells, int32_t *x, int32_t *n);
	/*
	 * Append the command that a click on cell x of a row runs; the pane has `cells` cells. If
	 * it appends nothing, the row is selected (optional).
	 */
	void (*put_click)(const struct cr_sheet_surface *s, uint32_t row, int32_t x, uint32_t cells,
		struct cr_text *out);
	/*
	 * Append the command that a drag of the mouse from cell x0 to x1 runs. If it appends
	 * nothing, the drag has no effect (optional).
	 */
	void (*put_drag)(
		const struct cr_sheet_surface *s, int32_t x0, int32_t x1, struct cr_text *out);
};

/* Direction, as seen on the screen. */
enum cr_move {
	CR_MOVE_UP,
	CR_MOVE_DOWN,
	CR_MOVE_LEFT,
	CR_MOVE_RIGHT,
	CR_MOVE_PAGE_UP,
	CR_MOVE_PAGE_DOWN,
	CR_MOVE_FIRST,
	CR_MOVE_LAST,
	CR_MOVE_TOP,
	CR_MOVE_BOTTOM,
};

/* What has changed. */
enum cr_changed {
	CR_CHANGED_TREE = 1,
	CR_CHANGED_ZOOM = 2,
	CR_CHANGED_SEARCH = 4,
	CR_CHANGED_CHANGES = 8, /* how changes of a difference are shown */
};

/* The costs of what a view has selected, by side. */
struct cr_view_costs {
	uint64_t total[CR_SIDES], self[CR_SIDES], samples[CR_SIDES]; /* samples: of total */
	uint64_t whole[CR_SIDES], zoom[CR_SIDES]; /* of everything, and of the zoom */
	bool in_zoom;                             /* there is a zoom that contains the selection */
};

/*
 * What the shares of a view refer to. Verdicts are about whole recordings, so within a zoom the
 * shares of a difference refer to everything too.
 */
enum cr_view_whole {
	CR_WHOLE_ALL,     /* everything that the query selects */
	CR_WHOLE_ZOOM,    /* the zoom */
	CR_WHOLE_NO_ZOOM, /* everything, although there is a zoom */
	CR_WHOLES
};

struct cr_view_ops;

/* One view of a session. */
struct cr_view {
	const struct cr_view_ops *ops;
	void *state;           /* ops->state_bytes bytes, initially zero */
	int32_t width, height; /* of its pane, in cells; 0 until it has one */
	int32_t first;         /* the first row drawn; in a scene counted from the root */
	uint32_t n, row;       /* of a sheet: number of rows, and the selected one */
};

/*
 * The functions of a view. Those marked (optional) may be NULL; the selected node of the tree is
 * used then.
 */
struct cr_view_ops {
	const char *name;  /* the word of `view` and `print`: "functions" */
	const char *alias; /* another word for it, not listed (optional) */
	const char *label; /* on the bottom line: "Functions" */
	const char *about; /* for the help: "the table of functions" */
	enum cr_surface surface;
	bool no_heads; /* a sheet without a line of heads: head() of its surface is not called */
	bool needs_no_profile; /* has something to show although no profile is open */
	bool is_ahead;         /* its rows are made before it is shown: cr_session_make_ahead() */
	bool takes_sketch;     /* shows the same if the tree is a sketch (query/fold/sketch) */
	bool ignores_zoom;     /* shows all that the query selects, within a zoom too */
	size_t state_bytes;
	const struct cr_binding *keys; /* its own, looked up before the common ones (optional) */
	const struct cr_command *commands; /* its own, ends with a row of zeros (optional) */

	/*
	 * Make the rows if they are stale; v->n and v->row are right afterwards. Called for a sheet
	 * before it is asked for anything. A scene is laid out by surface_of().
	 */
	void (*make)(struct cr_view *v, struct cr_session *s);
	void (*drop)(struct cr_view *v, unsigned changed); /* bits of enum cr_changed */
	void (*fini)(struct cr_view *v);                   /* free the content of the state */
	/* A struct cr_scene_surface or cr_sheet_surface; borrowed until the next command. */
	const void *(*surface_of)(struct cr_view *v, struct cr_session *s);

	/* The view becomes visible; called before make() (optional). */
	void (*enter)(struct cr_view *v, struct cr_session *s);
	void (*move)(struct cr_view *v, struct cr_session *s, enum cr_move to);
	/* Select a row that was clicked, or that `row` names; of a sheet. */
	void (*select_row)(struct cr_view *v, struct cr_session *s, uint32_t row);
	/*
	 * s->selection was changed, by whichever view or command: show it. parts: bits of enum
	 * cr_selected, those that changed. Rows may be stale (optional).
	 */
	void (*selected)(struct cr_view *v, const struct cr_session *s, unsigned parts);
	/* Enter, or a double click, on the selection. */
	int (*open)(struct cr_view *v, struct cr_session *s, struct cr_err *err);
	/* Instead of open(): append the command that Enter runs; nothing if there is none. */
	void (*put_open)(struct cr_view *v, struct cr_session *s, struct cr_text *out);
	/* The row of the scene that a node is in (optional; a sheet has v->row). */
	int32_t (*row_of)(const struct cr_view *v, const struct cr_session *s, uint32_t node);

	/* True if the selection matches the search. */
	bool (*is_match)(struct cr_view *v, struct cr_session *s);
	/*
	 * Select the next or previous match; wraps around. Returns false if no visible row matches.
	 */
	bool (*find)(struct cr_view *v, struct cr_session *s, bool backward);
	/*
	 * In a difference: select the next or previous row that has changed; it is number *place,
	 * from 1, of *of. Returns false if none has (optional; otherwise functions are selected).
	 */
	bool (*next_change)(struct cr_view *v, struct cr_session *s, bool backward, uint32_t *place,
		uint32_t *of);
	/* Select the costliest match (optional; otherwise the next one). */
	void (*find_best)(struct cr_view *v, struct cr_session *s);

	/* The frame of the tree that filters, search and details use (optional). */
	uint32_t (*frame)(const struct cr_view *v, const struct cr_session *s);
	bool (*inlined)(const struct cr_view *v, const struct cr_session *s); /* (optional) */
	/* Returns false to use those of the selected node (optional). */
	bool (*costs)(
		const struct cr_view *v, const struct cr_session *s, struct cr_view_costs *out);

	/*
	 * Append one of the two lines about the selection, 0 or 1, instead of name and costs of its
	 * frame: fields three blanks apart, of which those are shown that fit. False: those of the
	 * frame (optional).
	 */
	bool (*put_about)(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out);

	void (*put_title)(const struct cr_view *v, const struct cr_session *s,
		struct cr_text *out); /* after its name, in the top line (optional) */
	/*
	 * Append why the selection is not visible, shortly if brief; nothing if it is visible
	 * (optional).
	 */
	void (*put_unseen)(
		struct cr_view *v, struct cr_session *s, bool brief, struct cr_text *out);

	/* What undo restores, as a text; and restore it (optional). */
	void (*save)(const struct cr_view *v, struct cr_text *out);
	void (*restore)(struct cr_view *v, struct cr_session *s, const char *text);

	/* Append commands, separated by "; ", that set what save() keeps (optional). */
	void (*put_commands)(struct cr_view *v, struct cr_session *s, struct cr_text *out);

	/*
	 * Append the name of what is selected, safe for a terminal, if it is not that of its
	 * frame, and return true; false: the name is that of the frame (optional).
	 */
	bool (*put_name)(struct cr_view *v, struct cr_session *s, struct cr_text *out);

	/*
	 * The rows as cells, for files of tables; NULL if there is nothing to show. The view owns
	 * it; valid until the next command.
	 */
	const struct cr_sheet *(*sheet)(struct cr_view *v, struct cr_session *s);
	/* Append what the view shows as text; `print` and files of text use it. */
	void (*print)(struct cr_view *v, struct cr_session *s, struct cr_text *out);
	/*
	 * Print costs and callers of the selection. Returns false to use those of the node
	 * (optional).
	 */
	bool (*print_selected)(struct cr_view *v, struct cr_session *s, struct cr_text *out);
};

/* The views in the order of their digits; NULL past the last. */
const struct cr_view_ops *cr_view_ops_at(uint32_t i);

/* The key that shows view i: '1' to '9'; 0 past the last. */
uint32_t cr_view_key_at(uint32_t i);

/* The views of a session, all of them; free with cr_view_free_all(). */
struct cr_view *cr_view_new_all(void);
void cr_view_free_all(struct cr_view *views);

/* The view in row i of views.def, and the row of the current one. */
struct cr_view *cr_view_at(const struct cr_session *s, uint32_t i);
uint32_t cr_view_index(const struct cr_session *s);
/* The view in the pane with the keys. */
struct cr_view *cr_view_current(const struct cr_session *s);
/* The view of these functions. */
struct cr_view *cr_view_of(const struct cr_session *s, const struct cr_view_ops *ops);

/*
 * _make(): make the rows of a sheet if they are stale. _drop_all(): drop what all views computed
 * from what has changed, bits of enum cr_changed.
 */
void cr_view_make(struct cr_view *v, struct cr_session *s);
void cr_view_drop_all(struct cr_session *s, unsigned changed);

/* Give a view the size of its pane, in cells. False if it has that size already. */
bool cr_view_resize(struct cr_view *v, int32_t width, int32_t height);

int32_t cr_view_rows(struct cr_view *v, struct cr_session *s); /* number of rows of the surface */
int32_t cr_view_rows_shown(const struct cr_view *v);           /* that fit into its pane */

/* Scroll so that the selection is visible; zoomed: the zoom becomes visible first. */
void cr_view_follow(struct cr_view *v, struct cr_session *s, bool zoomed);
void cr_view_scroll(struct cr_view *v, struct cr_session *s, int32_t rows); /* positive: down */

/* Number of rows that a page moves by: one less than fit, so that one stays visible. */
uint32_t cr_view_page(const struct cr_view *v);

/* The row of a sheet after a move. */
uint32_t cr_view_row_after(const struct cr_view *v, enum cr_move to);

/* The selection of the current view: a frame of the tree, whether it is inlined, its costs. */
uint32_t cr_view_frame(const struct cr_session *s);
bool cr_view_inlined(const struct cr_session *s);
struct cr_view_costs cr_view_costs(const struct cr_session *s);

/* What shares refer to in views that follow the zoom. */
enum cr_view_whole cr_view_whole(const struct cr_session *s);

#endif
