#include "writing_p.h"

#include "job_p.h"
#include "option_words_p.h"

#include "model/anonymize.h"

#include <stdlib.h>
#include <string.h>

/* The first writer with this option. */
static const char *
writer_with(const char *option)
{
	for (size_t i = 0; cr_writer_at(i); i++)
		if (cr_writer_option(cr_writer_at(i), cr_str_of(option)))
			return cr_writer_at(i)->name;
	return "another format";
}

static int
no_place(const char *form, const char *option)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "has no option --%s; -f %s has it", option, writer_with(option));
	cr_options_complain(form, t.p);
	cr_text_fini(&t);
	return EXIT_USAGE;
}

int
cr_writing_check(const struct cr_options *o, const char *form)
{
	return o->write.n_values ? no_place(form, o->write.values[0].name) : EXIT_DONE;
}

bool
cr_writing_has(const struct cr_options *o, const char *option)
{
	for (size_t i = 0; i < o->write.n_values; i++)
		if (strcmp(o->write.values[i].name, option) == 0)
			return true;
	return false;
}

int
cr_writing_options(const struct cr_options *o, const struct cr_writer *w, void **out)
{
	*out = cr_writer_defaults(w);
	for (size_t i = 0; i < o->write.n_values; i++) {
		const struct cr_write_value *v = &o->write.values[i];
		struct cr_err err = CR_ERR_INIT;
		struct cr_text word = {0};
		const int rc = cr_writer_set(w, *out, v->name, v->value, &err);

		if (rc == CR_OK)
			continue;
		cr_text_printf(&word, "--%s", v->name);
		if (rc == CR_ENOTFOUND)
			no_place(w->name, v->name);
		else
			cr_options_usage(o->cmd, err.text, word.p);
		cr_text_fini(&word);
		free(*out);
		*out = NULL;
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

int
cr_writing_choose(const struct cr_options *o, const char *fallback, const struct cr_writer **out)
{
	const char *name = o->write.format ? o->write.format : fallback;
	struct cr_text names = {0};
	cr_option_words writers = {0};

	*out = NULL;
	if (!o->write.format && o->write.output)
		*out = cr_writer_for_path(o->write.output);
	if (!*out && name)
		*out = cr_writer_find(name);
	if (*out)
		return EXIT_DONE;
	cr_option_words_writers(o->cmd, &writers);
	for (size_t i = 0; i < writers.n; i++)
		cr_text_printf(
			&names, "%s %s", i ? "," : "unknown output format; -f takes", writers.p[i]);
	if (name)
		cr_option_words_meant(&writers, name, &names);
	if (!name && !o->write.output)
		cr_options_complain("export",
			"no output format; use -f NAME, or -o FILE with the extension of a format");
	else
		cr_options_complain(name ? name : o->write.output, names.p);
	cr_text_fini(&names);
	cr_option_words_fini(&writers);
	return EXIT_USAGE;
}

static const char *
input_name(const struct cr_options *o)
{
	return o->n_args ? o->args[o->n_args - 1] : "-";
}

/* True if weights exceed 1, so that rows may stand for any number of samples. */
static bool
is_added_up(const struct cr_tree *t)
{
	return t->summed && !cr_str_eq(t->unit, CR_STR("samples")) &&
	       t->total[0][0] != t->total_samples[0][0];
}

int
cr_writing_run(const struct cr_options *o, const struct cr_writer *w, const void *options,
	const struct cr_write_in *in)
{
	struct cr_err err = CR_ERR_INIT;

	if (in->tree && cr_writing_has(o, "counts") && is_added_up(in->tree))
		cr_options_complain(input_name(o),
			"--counts: the input has no times, so each entry counts as "
			"one sample, even if it is a sum");
	if (cr_writer_run(w, in, options, o->write.output, &err) == CR_OK)
		return EXIT_DONE;
	if (err.code == CR_EUSAGE) /* the input has no header */
		return cr_job_fail(input_name(o), &err);
	if (err.code == CR_ENOTFOUND) /* not in the profile */
		return cr_job_fail_query(input_name(o), &err);
	return cr_job_fail(o->write.output ? o->write.output : "standard output", &err);
}

static bool
any_selected(const uint8_t *sel, uint64_t n)
{
	return !sel || memchr(sel, 1, (size_t)n);
}

/* What a writer is given of a profile, and what of it must be freed. */
struct selected {
	struct cr_tree *tree;
	struct cr_tree_cut cut; /* what it lacks */
	uint8_t *sel;
	uint32_t *place;
};

/* Fold, place or select the samples, as the writer needs them. */
static int
select_for(const struct cr_options *o, const struct cr_writer *w, const void *options,
	const struct cr_profile *p, struct selected *out, struct cr_err *err)
{
	const unsigned needs = cr_writer_needs(w, options);
	const uint32_t share = w->cut_share ? w->cut_share(options) : 0;
	int rc = CR_OK;

	if ((needs & (CR_WRITER_SAMPLES | CR_WRITER_PLACES)) &&
		!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"its samples are lost, and %s needs them", w->name);
	if (needs & CR_WRITER_PLACES)
		return cr_query_place(
			p, &o->query, needs & CR_WRITER_LINES, &out->tree, &out->place, err);
	out->cut.most = CR_WRITER_NODES_MOST;
	if ((needs & CR_WRITER_TREE) && share)
		return cr_job_fold_cut(o, p, share, &out->cut, &out->tree, err);
	if (needs & CR_WRITER_TREE)
		return cr_job_fold(o, p, &out->tree, err);
	/*
	 * Samples of all events are written in the order of recording, unless some were selected.
	 */
	if (cr_query_has(&o->query, CR_WORD_SELECTS))
		rc = cr_select(p, cr_query_filter(&o->query), &out->sel, err);
	if (rc == CR_OK && !any_selected(out->sel, p->samples.n))
		rc = cr_query_none_left(&o->query, err);
	return rc;
}

/* Replace the names, after the query has used them. */
static struct cr_anonymizer *
anonymize(struct cr_profile *p, struct cr_tree *tree)
{
	struct cr_anonymizer *a = cr_anonymizer_new();

	cr_anonymize_profile(a, p);
	if (tree)
		cr_anonymize_tree(a, tree);
	return a;
}

int
cr_writing_profile(const struct cr_options *o, const struct cr_writer *w, const void *options,
	struct cr_profile *p)
{
	struct cr_anonymizer *a = NULL;
	struct cr_err err = CR_ERR_INIT;
	struct selected got = {0};
	struct cr_text query = {0};
	char *title = cr_job_title(input_name(o));
	int code;

	cr_query_print(&o->query, &query);
	if (select_for(o, w, options, p, &got, &err) < 0) {
		code = cr_job_fail_query(input_name(o), &err);
	} else {
		if (o->write.anonymize)
			a = anonymize(p, got.tree);
		code = cr_writing_run(o, w, options,
			&(struct cr_write_in){.p = p,
				.tree = got.tree,
				.select = got.sel,
				.place = got.place,
				.cut = got.cut,
				.title = a ? NULL : title,
				.query = a ? NULL : query.p});
	}
	code = cr_job_end(o, p, code);
	cr_tree_free(got.tree);
	free(got.sel);
	free(got.place);
	free(title);
	cr_text_fini(&query);
	cr_anonymizer_free(a);
	return code;
}
