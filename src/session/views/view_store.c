#include "session/views/view.h"

#include "store_rows_p.h"

#include "session/commands/argument_p.h"
#include "session/load.h"
#include "session/print_p.h"
#include "session/profiles_p.h"
#include "session/session_p.h"
#include "session/stored_list.h"

#include "base/mem.h"
#include "base/secure.h"
#include "model/merge/merge.h"
#include "model/profile.h"
#include "model/tree/default_tree.h"
#include "store/edit.h"
#include "store/store.h"
#include "view/sheet/sheet_lines.h"
#include "view/style/label.h"

#include <stdlib.h>
#include <string.h>

/*
 * The profiles of the store: open one, pick two for a difference or to be merged, give them tags,
 * notes and other names, remove them.
 */
extern const struct cr_view_ops cr_view_store;

#define KEY_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

static void
store_drop(struct cr_view *v, unsigned changed)
{
	(void)v, (void)changed;
}

/* Others may have changed the store: it is read when one comes to it. */
static void
store_enter(struct cr_view *v, struct cr_session *s)
{
	struct cr_store_rows *m = v->state;

	m->made = false;
	cr_store_rows_make(v, s);
}

/* ---- the surface */

static const struct cr_sheet_column_head heads[] = {
	{"NAME", "sort name", true},
	{"WHEN", "sort date", true},
	{"SAMPLES", "sort samples", false},
	{"DURATION", "sort duration", false},
	{"SIZE", "sort size", false},
	{"EVENT", "sort event", true},
	{"HOST", "sort host", true},
	{"TAGS", "sort command", true},
	{0},
};

/* The line of the head that sorts by this word. */
static const char *
sort_line(const char *word)
{
	for (const struct cr_sheet_column_head *h = heads; h->word; h++)
		if (strcmp(h->line + strlen("sort "), word) == 0)
			return h->line;
	return NULL;
}

static const struct cr_store_rows *
store_of(const struct cr_sheet_surface *surface)
{
	return surface->view->state;
}

static void
store_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	(void)unicode;
	cr_sheet_lines_head(&store_of(surface)->lines, cells, out);
}

static void
store_row(const struct cr_sheet_surface *surface, uint32_t row, uint32_t cells, bool unicode,
	struct cr_text *out)
{
	(void)unicode;
	cr_sheet_lines_row(&store_of(surface)->lines, row, cells, out);
}

static struct cr_row_look
store_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct cr_store_rows *m = store_of(surface);

	return (struct cr_row_look){
		.strong = *cr_store_rows_mark(m, cr_store_rows_name(m, row)) != '\0'};
}

static const void *
store_surface(struct cr_view *v, struct cr_session *s)
{
	struct cr_store_rows *m = v->state;
	const char *sort;

	cr_store_rows_make(v, s);
	sort = m->sort ? m->sort : "name";
	m->surface = (struct cr_sheet_surface){
		.empty = m->empty.p,
		.heads = heads,
		.sorted = sort_line(sort),
		.falls = m->reverse,
		.view = v,
		.head = store_head,
		.row = store_row,
		.look = store_look,
	};
	return &m->surface;
}

/* ---- the selection */

static void
store_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct cr_store_rows *m = v->state;

	cr_store_rows_make(v, s);
	if (!v->n)
		return;
	v->row = CR_MIN(row, v->n - 1);
	cr_session_select_profile(s, cr_str_of(cr_store_rows_name(m, v->row)));
}

static void
store_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	store_select_row(v, s, cr_view_row_after(v, to));
}

static void
store_put_open(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	cr_store_rows_make(v, s);
	if (cr_store_rows_selected(v))
		cr_text_puts(out, "open-selected");
}

static bool
store_is_match(struct cr_view *v, struct cr_session *s)
{
	(void)v, (void)s;
	return false;
}

static bool
store_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	(void)v, (void)s, (void)backward;
	return false;
}

/* ---- texts */

static void
put_part(struct cr_text *out, const char *before, struct cr_str text)
{
	if (!text.len)
		return;
	cr_text_puts(out, out->len ? "   " : "");
	cr_text_puts(out, before);
	cr_text_safe(out, text);
}

/* Line 0: name, host and command; line 1: tags and note, or what is wrong with it. */
static bool
store_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct cr_stored *r;
	struct cr_text tags = {0};

	cr_store_rows_make(v, s);
	r = cr_store_rows_selected(v);
	if (!r)
		return true;
	if (line == 0) {
		put_part(out, "", cr_str_of(r->entry->name));
		put_part(out, "", r->host);
		put_part(out, "", r->command);
	} else if (!r->p) {
		put_part(out, "", cr_str_of(r->err.text));
	} else {
		cr_stored_put_tags(r->p, &tags);
		put_part(out, "tags: ", cr_text_view(&tags));
		put_part(out, "note: ", r->note);
		if (!out->len)
			cr_text_puts(out, "no tags, no note");
	}
	cr_text_fini(&tags);
	return true;
}

static void
store_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct cr_store_rows *m = v->state;

	(void)s;
	if (!m->match || !*m->match)
		return;
	cr_text_puts(out, " with ");
	cr_label_fit(out, cr_str_of(m->match), 16);
}

static void
store_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_store_rows *m = v->state;
	const uint32_t cells = v->width > 0 ? (uint32_t)v->width : 0;

	cr_store_rows_make(v, s);
	if (!v->n) {
		cr_text_str(out, cr_text_view(&m->empty));
		cr_text_char(out, '\n');
		return;
	}
	cr_sheet_lines_head(&m->lines, cells, out);
	cr_text_char(out, '\n');
	for (uint32_t row = 0; row < v->n; row++) {
		cr_sheet_lines_row(&m->lines, row, cells, out);
		cr_text_char(out, '\n');
	}
}

static const struct cr_sheet *
store_sheet(struct cr_view *v, struct cr_session *s)
{
	const struct cr_store_rows *m = v->state;

	cr_store_rows_make(v, s);
	return &m->sheet;
}

static bool
store_put_name(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	cr_store_rows_make(v, s);
	if (cr_store_rows_selected(v))
		cr_text_safe(out, cr_str_of(cr_store_rows_selected(v)->entry->name));
	return cr_store_rows_selected(v) != NULL;
}

/* ---- its commands */

static struct cr_view *
store_view(struct cr_session *s)
{
	struct cr_view *v = cr_view_of(s, &cr_view_store);

	cr_store_rows_make(v, s);
	return v;
}

/* The selected profile; fails where the list is empty. */
static int
need_selected(
	struct cr_session *s, struct cr_view **v, const struct cr_stored **out, struct cr_err *err)
{
	*v = store_view(s);
	*out = cr_store_rows_selected(*v);
	return *out ? CR_OK
		    : cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no stored profile is selected");
}

static int
run_select_profile(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = store_view(s);
	const struct cr_store_rows *m = v->state;

	(void)out;
	for (uint32_t row = 0; row < v->n; row++)
		if (strcmp(cr_store_rows_name(m, row), args) == 0) {
			store_select_row(v, s, row);
			return CR_OK;
		}
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no stored profile '%s'", args);
}

static int
run_open_selected(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	int rc;

	(void)args, (void)out;
	if ((rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	if (!r->p)
		return cr_fail(
			err, r->err.code, r->err.offset, "%s: %s", r->entry->name, r->err.text);
	return cr_session_open(s, r->entry->path, NULL, err);
}

static int
run_print_profile(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_log log = {0};
	struct cr_text text = {0};
	struct cr_profile *p;
	struct cr_view *v;
	int rc;

	(void)args;
	if ((rc = need_selected(s, &v, &r, err)) < 0 ||
		(rc = cr_load(r->entry->name, CR_STORE_ALL, s->load, &p, &log, err)) < 0)
		return rc;
	cr_print_profile(p, r->entry->name,
		p->n_events ? cr_event_main(p) : (cr_event_id){UINT32_MAX}, &text);
	if (out)
		fwrite(text.p, 1, text.len, out);
	cr_text_fini(&text);
	cr_profile_free(p);
	return CR_OK;
}

static int
run_pick(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const bool after = strcmp(args, "after") == 0, none = strcmp(args, "none") == 0;
	const struct cr_stored *r;
	struct cr_view *v;
	struct cr_store_rows *m;
	int rc;

	(void)out;
	if (!after && !none && strcmp(args, "before") != 0)
		return cr_argument_bad(err, "pick", args, "before, after, none");
	if ((rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	m = v->state;
	for (int i = 0; i < CR_STORE_PICKS; i++) {
		if (!none && i != (after ? CR_STORE_AFTER : CR_STORE_BEFORE) &&
			!cr_store_rows_is_picked(m, (enum cr_store_pick)i, r->entry->name))
			continue;
		free(m->picked[i]);
		m->picked[i] = NULL;
	}
	if (!none)
		m->picked[after ? CR_STORE_AFTER : CR_STORE_BEFORE] = cr_strdup(r->entry->name);
	return CR_OK;
}

/* The two names: those given, else those picked. */
static int
run_diff(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_store_rows *m = store_view(s)->state;
	const size_t len = strcspn(args, " ");
	char *before, *after;
	int rc;

	(void)out;
	if (*args ? !args[len] || strchr(args + len + 1, ' ') : !m->picked[0] || !m->picked[1])
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"diff: pick two profiles first, or name both: diff BEFORE AFTER");
	before = *args ? cr_memdup(args, len) : cr_strdup(m->picked[CR_STORE_BEFORE]);
	after = cr_strdup(*args ? args + len + 1 : m->picked[CR_STORE_AFTER]);
	rc = cr_session_open(s, before, after, err);
	free(before);
	free(after);
	return rc;
}

static int
edit(struct cr_session *s, const struct cr_edit *change, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	int rc;

	if ((rc = cr_secure_check("a change of the store", err)) == CR_OK &&
		(rc = need_selected(s, &v, &r, err)) == CR_OK &&
		(rc = cr_store_edit(r->entry->path, change, 1, err)) == CR_OK)
		cr_store_rows_again(v, s, NULL);
	return rc;
}

static int
run_tag(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const char *equals = strchr(args, '=');
	const size_t key = strspn(args, KEY_CHARACTERS);
	struct cr_text name = {0};
	struct cr_edit change;
	int rc;

	(void)out;
	if (!key || !equals || args + key != equals)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"a tag is KEY=VALUE, or KEY= to remove it; the key has letters, digits, "
			"'_', '.' and '-'");
	cr_text_puts(&name, CR_FACT_TAG);
	cr_text_put(&name, args, key);
	change = (struct cr_edit){
		.key = cr_text_view(&name), .value = cr_str_of(equals + 1), .remove = !equals[1]};
	rc = edit(s, &change, err);
	cr_text_fini(&name);
	return rc;
}

static int
run_note(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_edit change = {
		.key = CR_STR("note"), .value = cr_str_of(args), .remove = !*args};

	(void)out;
	return edit(s, &change, err);
}

static int
run_rename(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	const struct cr_store_rows *m;
	int rc;

	(void)out;
	if ((rc = cr_secure_check("a change of the store", err)) < 0 ||
		(rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	m = v->state;
	if ((rc = cr_catalog_rename(m->dir, r->entry->name, args, false, err)) == CR_OK)
		cr_store_rows_again(v, s, args);
	return rc;
}

static int
run_remove(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	const struct cr_store_rows *m;
	int rc;

	(void)args, (void)out;
	if ((rc = cr_secure_check("a change of the store", err)) < 0 ||
		(rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	m = v->state;
	if ((rc = cr_catalog_remove(m->dir, r->entry->name, err)) < 0)
		return rc;
	cr_text_printf(&s->message, "removed ");
	cr_text_safe(&s->message, cr_str_of(r->entry->name));
	cr_store_rows_again(v, s, NULL);
	return CR_OK;
}

static int
merge_picked(const struct cr_session *s, const struct cr_store_rows *m, struct cr_profile **out,
	struct cr_err *err)
{
	struct cr_merge *merge = cr_merge_new();
	int rc = CR_OK;

	for (int i = 0; i < CR_STORE_PICKS && rc == CR_OK; i++) {
		struct cr_log log = {0};
		struct cr_profile *p = NULL;

		if ((rc = cr_load(m->picked[i], CR_STORE_ALL, s->load, &p, &log, err)) == CR_OK)
			rc = cr_merge_add(merge, p, cr_str_of(m->picked[i]), err);
		cr_profile_free(p);
	}
	if (rc == CR_OK)
		rc = cr_merge_finish(merge, out, err);
	cr_merge_free(merge);
	return rc;
}

static int
run_combine(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = store_view(s);
	const struct cr_store_rows *m = v->state;
	struct cr_profile *p = NULL;
	int rc;

	(void)out;
	if (!m->picked[CR_STORE_BEFORE] || !m->picked[CR_STORE_AFTER])
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "combine: pick two profiles first");
	if ((rc = cr_secure_check("a change of the store", err)) < 0 ||
		(rc = cr_catalog_may_put(m->dir, args, false, err)) < 0 ||
		(rc = merge_picked(s, m, &p, err)) < 0)
		return rc;
	cr_default_tree_make(p);
	if ((rc = cr_catalog_put(m->dir, args, false, p, err)) == CR_OK) {
		cr_text_printf(&s->message, "merged %s and %s", m->picked[CR_STORE_BEFORE],
			m->picked[CR_STORE_AFTER]);
		cr_store_rows_again(v, s, args);
	}
	cr_profile_free(p);
	return rc;
}

static int
run_match(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = store_view(s);
	struct cr_store_rows *m = v->state;

	(void)out, (void)err;
	free(m->match);
	m->match = *args ? cr_strdup(args) : NULL;
	cr_store_rows_again(v, s, cr_store_rows_selected(v) ? cr_store_rows_name(m, v->row) : NULL);
	return CR_OK;
}

static void
set_sort(struct cr_session *s, const char *word, bool reverse)
{
	struct cr_view *v = store_view(s);
	struct cr_store_rows *m = v->state;
	char *name = cr_store_rows_selected(v) ? cr_strdup(cr_store_rows_name(m, v->row)) : NULL;

	m->sort = word;
	m->reverse = reverse;
	cr_store_rows_order(v);
	cr_store_rows_find(v, name);
	free(name);
}

static int
run_sort(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_store_rows *m = store_view(s)->state;
	const bool next = strcmp(args, "next") == 0, previous = strcmp(args, "previous") == 0;
	struct cr_text words = {0};
	size_t n = 0, at = 0;
	int rc;

	(void)out;
	for (; cr_stored_sort_word(n); n++) {
		const char *word = cr_stored_sort_word(n);

		cr_text_printf(&words, "%s%s", n ? ", " : "", word);
		if (strcmp(word, next || previous ? (m->sort ? m->sort : "name") : args) == 0)
			at = n + 1;
	}
	if (!at) {
		rc = cr_argument_bad(err, "sort key", args, words.p);
	} else {
		at = next ? at % n : previous ? (at - 1 + n - 1) % n : at - 1;
		set_sort(s, cr_stored_sort_word(at), false);
		rc = CR_OK;
	}
	cr_text_fini(&words);
	return rc;
}

static int
run_reverse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_store_rows *m = store_view(s)->state;

	(void)args, (void)out, (void)err;
	set_sort(s, m->sort, !m->reverse);
	return CR_OK;
}

static const struct cr_command store_commands[] = {
	{"sort", "next|previous|KEY",
		"sort by name, date, host, command, event, samples, duration or size", false,
		run_sort, cr_stored_sort_word},
	{"reverse", "", "reverse the order of the stored profiles", false, run_reverse, NULL},
	{"select-profile", "NAME", "select a stored profile", true, run_select_profile, NULL},
	{"open-selected", "", "open the selected stored profile", false, run_open_selected, NULL},
	{"print-profile", "",
		"print all about the recording of the selected stored profile, as ! does", false,
		run_print_profile, NULL},
	{"pick", "before|after|none", "pick the selected stored profile, for diff and combine",
		false, run_pick, NULL},
	{"diff", "[BEFORE AFTER]", "show the difference of two profiles, by default those picked",
		false, run_diff, NULL},
	{"combine", "NAME", "merge the two profiles picked, and store the result under this name",
		true, run_combine, NULL},
	{"tag", "KEY=VALUE", "add a tag to the selected stored profile; KEY= removes it", true,
		run_tag, NULL},
	{"note", "[TEXT]", "set the note of the selected stored profile; without TEXT, remove it",
		true, run_note, NULL},
	{"rename", "NAME", "rename the selected stored profile", true, run_rename, NULL},
	{"remove", "", "remove the selected stored profile from the store", false, run_remove,
		NULL},
	{"match", "[TEXT]", "list only stored profiles that have TEXT in name, tags, note ...",
		true, run_match, NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding store_keys[] = {
	{"Store", {CR_KEY_ENTER}, "open-selected",
		"open the profile; u comes back to the one that was open", "open", false},
	{"Store", {'!'}, "print-profile",
		"show all about its recording: what is wrong with it, what is missing", NULL,
		false},
	{"Store", {'a'}, "pick before", "pick the profile as A, the side before", "before", false},
	{"Store", {'b'}, "pick after", "pick it as B, the side after", "after", false},
	{"Store", {'D'}, "diff", "show the difference of A and B", "diff", false},
	{"Store", {'+'}, "ask combine merge A and B as: ", "merge A and B into a new profile",
		"merge", false},
	{"Store", {'t'}, "ask tag tag (KEY=VALUE, KEY= removes it): ", "add or remove a tag", "tag",
		false},
	{"Store", {'N'}, "ask note note: ", "set the note; an empty one removes it", "note", false},
	{"Store", {'r'}, "ask rename new name: ", "rename the profile", "rename", false},
	{"Store", {'x'}, "confirm remove remove it from the store? (y/n) ",
		"remove the profile from the store; asks first", "remove", false},
	{"Store", {'/'}, "ask match only profiles with: ",
		"list only profiles that have a text in name, tags, note, host, command or event",
		"search", false},
	{"Store", {CR_KEY_ESC}, "match", "list all profiles again", NULL, false},
	{"Store", {'s'}, "sort next", "sort by the next column", "sort", false},
	{"Store", {'S'}, "sort previous", "sort by the column before", NULL, false},
	{"Store", {'R'}, "reverse", "turn the order round", NULL, false},
	{0},
};

const struct cr_view_ops cr_view_store = {
	.name = "store",
	.label = "Store",
	.about = "the stored profiles",
	.surface = CR_SURFACE_SHEET,
	.needs_no_profile = true,
	.state_bytes = sizeof(struct cr_store_rows),
	.keys = store_keys,
	.commands = store_commands,
	.make = cr_store_rows_make,
	.drop = store_drop,
	.fini = cr_store_rows_fini,
	.surface_of = store_surface,
	.enter = store_enter,
	.move = store_move,
	.select_row = store_select_row,
	.put_open = store_put_open,
	.is_match = store_is_match,
	.find = store_find,
	.put_about = store_put_about,
	.put_title = store_put_title,
	.put_name = store_put_name,
	.sheet = store_sheet,
	.print = store_print,
};
