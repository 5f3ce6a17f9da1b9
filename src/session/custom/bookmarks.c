#include "bookmarks_p.h"

#include "custom_p.h"

#include "base/secure.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "session/copied_p.h"
#include "session/history_p.h"
#include "session/load.h"
#include "session/session_p.h"
#include "session/views/view.h"
#include "store/catalog.h"
#include "store/edit.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 64
#define NAME_CELLS 16

/* Run before each bookmark, so that it shows the same wherever the user comes from. */
#define FROM_START \
	"clear; clear-search; reset; select 0; unselect time; unselect thread; unselect line"

static bool
is_name(struct cr_str name)
{
	return name.len <= NAME_BYTES && cr_custom_is_name(name, ".");
}

/* ---- which commands a bookmark may have */

/* True if a view of profiles, so not the view of the store, has a command of this name. */
static bool
is_view_command(struct cr_str name)
{
	for (uint32_t i = 0; cr_view_ops_at(i); i++) {
		const struct cr_command *c = cr_view_ops_at(i)->commands;

		for (; c && c->name && !cr_view_ops_at(i)->needs_no_profile; c++)
			if (cr_str_eq(name, cr_str_of(c->name)))
				return true;
	}
	return false;
}

static bool
may_run(struct cr_str name)
{
	static const char *const words[] = {"event", "zoom", "search", "search-name", "select",
		"select-thread", "select-line", "mark", "view"};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_eq(name, cr_str_of(words[i])))
			return true;
	return cr_word_find(name) != CR_WORDS || is_view_command(name);
}

/*
 * True if all commands of a line may run. Every ';' counts as the end of a command, even one in a
 * pattern: refusing a harmless bookmark is better than running a harmful one.
 */
static bool
is_harmless(struct cr_str line)
{
	for (uint32_t at = 0; at < line.len;) {
		const char *p = line.p + at;
		const char *end = memchr(p, ';', line.len - at);
		const uint32_t len = end ? (uint32_t)(end - p) : line.len - at;
		uint32_t blanks = 0, word = 0;

		while (blanks < len && p[blanks] == ' ')
			blanks++;
		while (blanks + word < len && p[blanks + word] != ' ')
			word++;
		if (word && !may_run((struct cr_str){p + blanks, word}))
			return false;
		at += len + 1;
	}
	return true;
}

/* ---- in the stored profile */

static void
read_facts(const struct cr_session *s)
{
	const struct cr_profile *p = s->profile[0];
	const uint32_t prefix = (uint32_t)strlen(CR_FACT_BOOKMARK);

	for (uint32_t i = 0; i < p->n_facts && s->sides == 1; i++) {
		const struct cr_fact *f = &p->facts[i];
		struct cr_text name = {0}, line = {0};

		if (!cr_str_starts(f->key, CR_FACT_BOOKMARK) ||
			!is_name((struct cr_str){f->key.p + prefix, f->key.len - prefix}))
			continue;
		cr_text_put(&name, f->key.p + prefix, f->key.len - prefix);
		cr_text_str(&line, f->value);
		if (line.len && is_harmless(f->value) && !memchr(line.p, '\0', line.len))
			cr_custom_put(s->bookmarks, CR_CUSTOM_BOOKMARK, name.p, line.p);
		cr_text_fini(&name);
		cr_text_fini(&line);
	}
}

/* The bookmarks of s. The first call reads those of the profile, hence the cast. */
static struct cr_custom *
list_of(const struct cr_session *s)
{
	if (!s->bookmarks_read) {
		((struct cr_session *)(uintptr_t)s)->bookmarks_read = true;
		read_facts(s);
	}
	return s->bookmarks;
}

/* Write a bookmark to the profile's file; with line NULL, remove it there. */
static int
edit_profile(const struct cr_session *s, const char *name, const char *line, struct cr_err *err)
{
	struct cr_text key = {0};
	char *dir = NULL, *path = NULL;
	struct cr_edit edit = {.remove = !line, .value = cr_str_of(line ? line : "")};
	int rc;

	if ((rc = cr_secure_check("a change of the store", err)) < 0)
		return rc;
	cr_text_printf(&key, "%s%s", CR_FACT_BOOKMARK, name);
	edit.key = cr_text_view(&key);
	if ((rc = cr_catalog_dir(s->load->store_dir, &dir, err)) == CR_OK &&
		(rc = cr_catalog_path(dir, s->recording, &path, err)) == CR_OK)
		rc = cr_store_edit(path, &edit, 1, err);
	cr_text_fini(&key);
	free(dir);
	free(path);
	return rc;
}

/*
 * The same, and report in the message of the session what became of the bookmark. A profile that is
 * not stored is no error; CR_ENOTFOUND and CR_EFORMAT say so.
 */
static int
store(struct cr_session *s, const char *name, const char *line, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	const bool stored = s->sides == 1 && s->load && s->recording;
	const int rc = stored ? edit_profile(s, name, line, &why) : CR_ENOTFOUND;

	if (rc < 0 && rc != CR_ENOTFOUND && rc != CR_EFORMAT)
		return cr_fail(err, rc, CR_NO_OFFSET,
			line ? "bookmark %s lasts until the profile is closed: %s"
			     : "bookmark %s is removed until the profile is opened again: %s",
			name, why.text);
	cr_text_printf(&s->message,
		!line         ? "bookmark %s is removed"
		: rc == CR_OK ? "bookmark %s is stored with the profile"
			      : "bookmark %s lasts until the profile is closed; it is not stored",
		name);
	return CR_OK;
}

/* ---- commands */

int
cr_bookmarks_set(struct cr_session *s, const char *name, struct cr_err *err)
{
	struct cr_text line = {0};
	int rc;

	if (!is_name(cr_str_of(name)))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"bookmark: '%.40s' is not a name of letters, digits, '-', '_' and '.'",
			name);
	cr_copied_put_place(s, &line);
	if (!is_harmless(cr_text_view(&line))) {
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"bookmark: a pattern with ';' cannot be stored");
	} else {
		cr_custom_put(list_of(s), CR_CUSTOM_BOOKMARK, name, line.p);
		rc = store(s, name, line.p, err);
	}
	cr_text_fini(&line);
	return rc;
}

static int
find(const struct cr_session *s, const char *name, const char **line, struct cr_err *err)
{
	*line = cr_custom_find(list_of(s), CR_CUSTOM_BOOKMARK, name, strlen(name));
	if (*line)
		return CR_OK;
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
		"no bookmark '%.40s'; the command bookmarks lists them", name);
}

int
cr_bookmarks_go(struct cr_session *s, const char *name, FILE *out, struct cr_err *err)
{
	struct cr_err unused = CR_ERR_INIT;
	struct cr_text all = {0};
	const char *line;
	int rc;

	if ((rc = find(s, name, &line, err)) < 0)
		return rc;
	cr_text_printf(&all, "%s; %s", FROM_START, line);
	s->one_step = true;
	rc = cr_session_run(s, all.p, out, err);
	s->one_step = false;
	if (rc < 0) /* back to where the user was */
		cr_session_go(s, cr_history_here(s->history), &unused);
	cr_text_clear(&s->message);
	cr_text_fini(&all);
	return rc;
}

int
cr_bookmarks_forget(struct cr_session *s, const char *name, struct cr_err *err)
{
	const char *line;
	const int rc = find(s, name, &line, err);

	if (rc < 0)
		return rc;
	cr_custom_put(list_of(s), CR_CUSTOM_BOOKMARK, name, "");
	return store(s, name, NULL, err);
}

bool
cr_session_bookmark_at(const struct cr_session *s, size_t i, const char **name, const char **line)
{
	return cr_custom_at(list_of(s), CR_CUSTOM_BOOKMARK, i, name, line);
}

void
cr_bookmarks_print(const struct cr_session *s, struct cr_text *out)
{
	const char *name, *line;
	size_t i = 0;

	for (; cr_session_bookmark_at(s, i, &name, &line); i++) {
		const uint32_t cells = cr_utf8_cells(cr_str_of(name));

		cr_text_puts(out, name);
		cr_text_pad(out, ' ', NAME_CELLS - CR_MIN(cells, NAME_CELLS - 1));
		cr_text_safe(out, cr_str_of(line));
		cr_text_char(out, '\n');
	}
	if (!i)
		cr_text_puts(out, "no bookmarks; the command bookmark NAME adds one\n");
}
