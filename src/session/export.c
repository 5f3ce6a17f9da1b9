#include "export.h"

#include "cresset/profile/profile.h"
#include "cresset/write/writer.h"

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

int
cr_export(struct cr_session *s, const char *given, bool over, struct cr_err *err)
{
	const struct cr_writer *w = cr_writer_for_path(given);
	const struct cr_write_in in = {
		.p = s->profile[0],
		.tree = s->tree,
		.root = s->zoom,
		.title = s->sides == 1 && *s->title[0] ? s->title[0] : NULL,
		.hit = s->search.hit,
		.icicle = s->root_up,
		.palette = s->palette,
	};
	struct cr_err why = CR_ERR_INIT;
	char *path;
	int rc;

	if (!*given)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "export to which file");
	if (!w)
		return bad_extension(given, err);
	if ((w->needs & CR_WRITER_SAMPLES) && !(s->profile[0]->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"%s needs the samples, which are not open here", w->name);
	path = path_expand(given);
	if (!over && access(path, F_OK) == 0)
		rc = cr_fail(err, CR_EEXISTS, CR_NO_OFFSET, "%s is there already", given);
	else if ((rc = cr_writer_run(w, &in, path, &why)) < 0)
		cr_fail(err, rc, why.offset, "%s: %s", given, why.text);
	free(path);
	if (rc == CR_OK)
		cr_text_printf(&s->message, "written: %s", given);
	return rc;
}
