#include "session/export.h"

#include "changes_p.h"
#include "export_p.h"
#include "state_p.h"

#include "base/secure.h"
#include "model/profile.h"
#include "session/load.h"
#include "store/store.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *
cr_export_path(const char *path)
{
	const char *home = getenv("HOME");
	struct cr_text t = {0};

	if (path[0] == '~' && path[1] == '/' && home) {
		cr_text_puts(&t, home);
		path++;
	}
	cr_text_puts(&t, path);
	return t.p;
}

static int
bad_extension(const char *path, struct cr_err *err)
{
	struct cr_text t = {0};
	int rc;

	for (size_t i = 0; cr_writer_at(i); i++)
		for (const char *const *e = cr_writer_at(i)->extensions; *e; e++)
			cr_text_printf(&t, "%s%s", t.len ? " " : "", *e);
	for (size_t i = 0; cr_export_page_extension(i); i++)
		cr_text_printf(&t, " %s", cr_export_page_extension(i));
	rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "'%s' has none of the extensions %s", path,
		t.p ? t.p : "");
	cr_text_fini(&t);
	return rc;
}

static int
page_has_no_options(const char *path, struct cr_err *err)
{
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"%s is the view as it is shown, which has no options; a name that ends in "
		".samples.csv has the samples",
		path);
}

/* The samples of the event that is shown, as bytes or as nodes of a tree. */
struct selected {
	uint8_t *sel;
	struct cr_tree *tree;
	uint32_t *place;
};

/* The query with the event that is shown. The caller frees it. */
static int
query_shown(const struct cr_session *s, struct cr_query *out, struct cr_err *err)
{
	const struct cr_str name = s->profile[0]->events[s->event].name;
	char *event = cr_memdup(name.len ? name.p : "", name.len);
	int rc;

	cr_query_copy(&s->query, out);
	rc = cr_query_add(out, CR_WORD_EVENT, event, err);
	free(event);
	return rc;
}

static int
place_shown(const struct cr_session *s, unsigned needs, struct selected *out, struct cr_err *err)
{
	struct cr_query q = {0};
	int rc = query_shown(s, &q, err);

	if (rc == CR_OK)
		rc = cr_query_place(
			s->profile[0], &q, needs & CR_WRITER_LINES, &out->tree, &out->place, err);
	cr_query_fini(&q);
	return rc;
}

/* Samples of the event that is shown. */
static int
select_shown(const struct cr_session *s, uint8_t **sel, struct cr_err *err)
{
	const struct cr_str name = s->profile[0]->events[s->event].name;
	struct cr_filter f = *cr_query_filter(&s->query);
	char *event = cr_memdup(name.len ? name.p : "", name.len);
	int rc;

	f.event = event;
	rc = cr_select(s->profile[0], &f, sel, err);
	free(event);
	return rc;
}

/* Samples that the query selects; transforms do not apply to a list of samples as recorded. */
static int
select_samples(const struct cr_session *s, const struct cr_writer *w, unsigned needs,
	struct selected *out, struct cr_err *err)
{
	struct cr_profile *p = s->profile[0];
	struct cr_log log = {0}; /* losses are in the profile's quality too */
	int rc;

	if (s->sides == 2)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"%s cannot represent a difference", w->name);
	if (!(needs & CR_WRITER_PLACES) &&
		cr_query_has(&s->query, CR_WORD_FOLDS | CR_WORD_TRANSFORMS))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s lists samples as recorded; it cannot group or change stacks", w->name);
	if ((rc = cr_store_fetch(p,
		     CR_STORE_SAMPLES | (needs & CR_WRITER_FIELDS ? CR_STORE_FIELDS : 0) |
			     (needs & CR_WRITER_CODE ? CR_STORE_CODE : 0) |
			     cr_load_parts(cr_query_needs(NULL, &s->query)),
		     &log, err)) < 0)
		return rc;
	if (!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"its samples are lost, and %s needs them", w->name);
	if (needs & CR_WRITER_PLACES)
		return place_shown(s, needs, out, err);
	return cr_query_has(&s->query, CR_WORD_SELECTS) ? select_shown(s, &out->sel, err) : CR_OK;
}

/* ---- options */

size_t
cr_export_path_len(const char *line)
{
	const char *at = line;

	while ((at = strchr(at, ' '))) {
		const char *name = at + strspn(at, " ");
		const size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz-");

		if (len && name[len] == '=')
			return (size_t)(at - line);
		at = name;
	}
	return strlen(line);
}

const struct cr_option_spec *
cr_export_options(const char *path)
{
	const struct cr_writer *w = cr_writer_for_path(path);

	return w ? w->options : NULL;
}

/*
 * Use the settings of the browser for options of the format with the same name. The options borrow
 * the title.
 */
static void
set_shown(
	const struct cr_session *s, const struct cr_writer *w, struct cr_text *title, void *options)
{
	struct cr_err unused = CR_ERR_INIT;

	cr_text_puts(title, s->title[0]);
	if (s->sides == 2 && *s->title[1])
		cr_text_printf(title, " \xe2\x86\x92 %s", s->title[1]);
	if (title->len)
		cr_writer_set(w, options, "title", title->p, &unused);
	cr_writer_set(w, options, "palette", cr_palette_name(s->palette), &unused);
	cr_writer_set(w, options, "icicle", s->root_up ? "yes" : "no", &unused);
}

/* Parse NAME=VALUE ...; a value ends before the next NAME=. The options borrow from text. */
static int
set_given(const struct cr_writer *w, void *options, char *text, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;

	while (*(text += strspn(text, " "))) {
		char *end = text + cr_export_path_len(text), *value = strchr(text, '=');
		int rc;

		if (*end)
			*end++ = '\0';
		*value++ = '\0'; /* the text begins with NAME= */
		rc = cr_writer_set(w, options, text, value, &why);
		if (rc < 0)
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s%s%s",
				rc == CR_ENOTFOUND ? "" : text, rc == CR_ENOTFOUND ? "" : " ",
				why.text);
		text = end;
	}
	return CR_OK;
}

/* ---- */

int
cr_export_check_new(const char *path, const char *given, struct cr_err *err)
{
	if (access(path, F_OK) != 0)
		return CR_OK;
	return cr_fail(err, CR_EEXISTS, CR_NO_OFFSET, "%s exists already", given);
}

/* The same, but export may write over it. */
static int
check_over(const char *path, const char *given, bool over, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;

	if (over || cr_export_check_new(path, given, &why) == CR_OK)
		return CR_OK;
	return cr_fail(err, CR_EEXISTS, CR_NO_OFFSET, "%s; export PATH replaces it", why.text);
}

static int
write_to(struct cr_session *s, const struct cr_writer *w, const void *options, const char *given,
	bool over, struct cr_err *err)
{
	struct cr_write_in in = {
		.p = s->profile[0],
		.tree = s->tree,
		.root = s->zoom,
		.hit = s->search.hit,
		.title = s->title[0],
	};
	const unsigned needs = cr_writer_needs(w, options);
	struct cr_err why = CR_ERR_INIT;
	struct selected got = {0};
	struct cr_text query = {0};
	char *path = cr_export_path(given);
	int rc = CR_OK;

	cr_query_print(&s->query, &query);
	in.query = query.p;
	if ((needs & CR_WRITER_CHANGES) && s->sides == 2) {
		in.noise = cr_changes_look(s).noise;
		in.totals = s->change.totals;
	}

	if (needs & (CR_WRITER_SAMPLES | CR_WRITER_PLACES))
		rc = select_samples(s, w, needs, &got, err);
	in.select = got.sel;
	if (got.place) {
		in.tree = got.tree;
		in.place = got.place;
		in.root = 0;
		in.hit = NULL;
	}
	if (rc == CR_OK)
		rc = check_over(path, given, over, err);
	if (rc == CR_OK && (rc = cr_writer_run(w, &in, options, path, &why)) < 0)
		cr_fail(err, rc, why.offset, "%s: %s", given, why.text);
	cr_text_fini(&query);
	free(path);
	free(got.sel);
	free(got.place);
	cr_tree_free(got.tree);
	if (rc == CR_OK)
		cr_text_printf(&s->message, "written: %s", given);
	return rc;
}

/* The view as text or as a table: these formats have no options. */
static int
write_page(struct cr_session *s, const char *given, bool over, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	char *path = cr_export_path(given);
	int rc = check_over(path, given, over, err);

	if (rc == CR_OK && (rc = cr_export_page(s, path, &why)) < 0)
		cr_fail(err, rc, why.offset, "%s: %s", given, why.text);
	free(path);
	if (rc == CR_OK)
		cr_text_printf(&s->message, "written: %s", given);
	return rc;
}

int
cr_export(struct cr_session *s, const char *given, bool over, struct cr_err *err)
{
	const struct cr_writer *w;
	const size_t len = cr_export_path_len(given);
	struct cr_text title = {0};
	char *path, *rest;
	void *options;
	int rc;

	if ((rc = cr_secure_check("export", err)) < 0)
		return rc;
	if (!*given)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "export needs a file name");
	path = cr_memdup(given, len);
	w = cr_writer_for_path(path);
	if (cr_export_is_page(path) || !w) {
		rc = !w && !cr_export_is_page(path) ? bad_extension(path, err)
		     : given[len]                   ? page_has_no_options(path, err)
						    : write_page(s, path, over, err);
		free(path);
		return rc;
	}
	rest = cr_strdup(given + len);
	options = cr_writer_defaults(w);
	set_shown(s, w, &title, options);
	rc = set_given(w, options, rest, err);
	if (rc == CR_OK)
		rc = write_to(s, w, options, path, over, err);
	cr_text_fini(&title);
	free(options);
	free(rest);
	free(path);
	return rc;
}
