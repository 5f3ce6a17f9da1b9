#include "export_p.h"

#include "model/profile.h"
#include "session/load.h"
#include "store/store.h"
#include "write/writer.h"

#include <stdlib.h>
#include <unistd.h>

/* ~/x in the home directory, as a shell has it. */
static char *
path_expand(const char *path)
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
		cr_text_printf(&t, "%s%s", i ? " " : "", cr_writer_at(i)->extension);
	rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "'%s' has none of the extensions %s", path,
		t.p ? t.p : "");
	cr_text_fini(&t);
	return rc;
}

/* Of the event that is shown. */
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

/*
 * The samples that the query selects, one byte each; what changes stacks has no place in a list of
 * samples.
 */
static int
select_samples(
	const struct cr_session *s, const struct cr_writer *w, uint8_t **sel, struct cr_err *err)
{
	struct cr_profile *p = s->profile[0];
	struct cr_log log = {0}; /* what is lost is in the profile's quality too */
	int rc;

	if (s->sides == 2)
		return cr_fail(
			err, CR_EUNSUPPORTED, CR_NO_OFFSET, "%s cannot hold a difference", w->name);
	if (cr_query_has(&s->query, CR_WORD_FOLDS | CR_WORD_TRANSFORMS))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s lists samples as they are, so there are no stacks to group or change",
			w->name);
	if ((rc = cr_store_fetch(p,
		     CR_STORE_SAMPLES | cr_load_parts(cr_query_needs(NULL, &s->query)), &log,
		     err)) < 0)
		return rc;
	if (!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"its samples are lost, and %s is made from them", w->name);
	return cr_query_has(&s->query, CR_WORD_SELECTS) ? select_shown(s, sel, err) : CR_OK;
}

int
cr_export(struct cr_session *s, const char *given, bool over, struct cr_err *err)
{
	const struct cr_writer *w = cr_writer_for_path(given);
	struct cr_write_in in = {
		.p = s->profile[0],
		.tree = s->tree,
		.root = s->zoom,
		.title = s->sides == 1 && *s->title[0] ? s->title[0] : NULL,
		.hit = s->search.hit,
		.icicle = s->root_up,
		.palette = s->palette,
	};
	struct cr_err why = CR_ERR_INIT;
	uint8_t *sel = NULL;
	char *path;
	int rc;

	if (!*given)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "export to which file");
	if (!w)
		return bad_extension(given, err);
	if ((w->needs & CR_WRITER_SAMPLES) && (rc = select_samples(s, w, &sel, err)) < 0)
		return rc;
	in.select = sel;
	path = path_expand(given);
	if (!over && access(path, F_OK) == 0)
		rc = cr_fail(err, CR_EEXISTS, CR_NO_OFFSET,
			"%s exists already; export PATH writes over it", given);
	else if ((rc = cr_writer_run(w, &in, path, &why)) < 0)
		cr_fail(err, rc, why.offset, "%s: %s", given, why.text);
	free(path);
	free(sel);
	if (rc == CR_OK)
		cr_text_printf(&s->message, "written: %s", given);
	return rc;
}
