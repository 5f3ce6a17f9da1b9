#include "api_p.h"

#include "base/mem.h"
#include "query/fold/select.h"
#include "store/store.h"
#include "view/style/change.h"

#include <stdlib.h>
#include <string.h>

/* What a writer is given, and what of it must be freed. */
struct output {
	const struct cr_writer *w;
	void *options;
	struct cr_write_in in;
	uint8_t *select, *noise;
	struct cr_text query;
};

/* The samples of the tree, each with its node. */
static int
place(cresset_tree *t, bool lines, struct output *out, struct cr_err *err)
{
	int rc = CR_OK;

	if (!t->place[lines])
		rc = cr_query_place(
			t->p[0]->p, &t->query[0], lines, &t->placed[lines], &t->place[lines], err);
	out->in.tree = t->placed[lines];
	out->in.place = t->place[lines];
	return rc;
}

static int
choose_samples(cresset_tree *t, unsigned needs, struct output *out, struct cr_err *err)
{
	const unsigned fields = needs & CR_WRITER_FIELDS ? CR_STORE_FIELDS : 0;
	struct cr_query *q = &t->query[0];
	int rc;

	if (!(needs & (CR_WRITER_SAMPLES | CR_WRITER_PLACES)))
		return CR_OK;
	if (t->p[1])
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s cannot represent a difference",
			out->w->name);
	if ((rc = cr_api_fetch(t->p[0], CR_STORE_SAMPLES | fields, err)) < 0)
		return rc;
	if (!(t->p[0]->p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"its samples are lost, and %s needs them", out->w->name);
	if (needs & CR_WRITER_PLACES)
		return place(t, needs & CR_WRITER_LINES, out, err);
	if (cr_query_has(q, CR_WORD_FOLDS | CR_WORD_TRANSFORMS))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s lists samples as recorded; it cannot group or change stacks",
			out->w->name);
	/* Samples of all events are written as recorded, unless some were selected. */
	if (cr_query_has(q, CR_WORD_SELECTS))
		rc = cr_select(t->p[0]->p, cr_query_filter(q), &out->select, err);
	out->in.select = out->select;
	return rc;
}

/* Of a difference: what is not known to have changed, and a title that names both profiles. */
static int
show_changes(cresset_tree *t, struct output *out, struct cr_err *err)
{
	struct cr_norm norm = {CR_NORM_SHARE, NULL};
	struct cr_evidence_side side[CR_SIDES];
	struct cr_judged judged;
	struct cr_table table;
	int rc;

	for (int s = 0; s < CR_SIDES; s++)
		side[s] = (struct cr_evidence_side){t->p[s]->p, &t->query[s], t->side[s]};
	cr_table_make(NULL, t->tree, 0, cr_table_by(CR_TABLE_FUNCTION), &table);
	rc = cr_evidence_judge(side, &t->diff, t->tree, &table, &norm, 0, &judged, err);
	if (rc == CR_OK) {
		if (judged.of_self.tested)
			out->noise = cr_change_noise(t->tree, &table, judged.self);
		cr_judged_set_whole(&judged, t->tree);
		cr_judged_fini(&judged);
	}
	cr_table_fini(&table);
	out->in.noise = out->noise;
	return rc;
}

static int
output_make(cresset_tree *t, const char *format, const char *const *options, struct output *out,
	struct cr_err *err)
{
	struct cr_err unused = CR_ERR_INIT;
	unsigned needs;
	int rc;

	*out = (struct output){.w = cr_writer_find(format)};
	if (!out->w)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "unknown output format %s", format);
	out->options = cr_writer_defaults(out->w);
	if (t->p[1])
		cr_writer_set(out->w, out->options, "title", t->title, &unused); /* if it has one */
	if ((rc = cr_api_writer_options(out->w, options, out->options, err)) < 0)
		return rc;
	needs = cr_writer_needs(out->w, out->options);
	out->in = (struct cr_write_in){.p = t->p[t->p[1] != NULL]->p,
		.tree = t->tree,
		.title = t->p[1] ? t->title : t->p[0]->title};
	if (!t->p[1]) {
		cr_query_print(&t->query[0], &out->query);
		out->in.query = out->query.p;
	}
	rc = choose_samples(t, needs, out, err);
	if (rc == CR_OK && t->p[1] && (needs & CR_WRITER_CHANGES))
		rc = show_changes(t, out, err);
	return rc;
}

static void
output_fini(struct output *out)
{
	free(out->options);
	free(out->select);
	free(out->noise);
	cr_text_fini(&out->query);
}

int
cresset_write(
	cresset_tree *t, const char *format, const char *const *options, char **bytes, size_t *len)
{
	cresset *c = t->p[0]->c;
	struct cr_text text = {0};
	struct cr_sink sink = cr_sink_memory(&text);
	struct output out;
	int rc;

	cr_api_begin(c);
	rc = output_make(t, format, options, &out, &c->err);
	if (rc == CR_OK)
		rc = cr_writer_write(out.w, &out.in, out.options, &sink, &c->err);
	output_fini(&out);
	return cr_api_give(cr_api_end(c, rc), &text, bytes, len);
}

int
cresset_write_file(
	cresset_tree *t, const char *format, const char *const *options, const char *path)
{
	cresset *c = t->p[0]->c;
	struct output out;
	int rc;

	cr_api_begin(c);
	rc = output_make(t, format, options, &out, &c->err);
	if (rc == CR_OK)
		rc = cr_writer_run(out.w, &out.in, out.options, path, &c->err);
	output_fini(&out);
	return cr_api_end(c, rc);
}
