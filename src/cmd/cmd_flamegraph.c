#include "job_p.h"

#include "base/hash.h"
#include "base/text.h"
#include "bytes/scan.h"
#include "folded_input_p.h"
#include "palette_map_p.h"
#include "writing_p.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_flamegraph(const struct cr_options *o);

/* ---- reading */

static struct cr_folded_lines
read_into_tree(void *tree, const void *p, size_t len, cr_folded_done *done, void *user)
{
	return cr_folded_tree_read(tree, p, len, done, user);
}

/* Without a name, standard input. */
static int
read_all(const struct cr_options *o, struct cr_folded_tree *f)
{
	int code = EXIT_DONE;

	if (cr_job_lacks_input(o))
		return EXIT_USAGE;
	if (o->n_args == 0)
		return cr_folded_input(o, "-", read_into_tree, f);
	for (int i = 0; i < o->n_args; i++) {
		const int one = cr_folded_input(o, o->args[i], read_into_tree, f);

		code = CR_MAX(code, one);
	}
	return code;
}

/* ---- options of the writer */

/* Set an option of the writer unless it was given. Returns an exit code. */
static int
set_default(const struct cr_options *o, const struct cr_writer *w, void *options, const char *name,
	const char *value)
{
	struct cr_err err = CR_ERR_INIT;

	if (cr_writing_has(o, name) || cr_writer_set(w, options, name, value, &err) == CR_OK)
		return EXIT_DONE;
	return cr_options_usage(o->cmd, err.text, name);
}

/* The value of an option of the writer, NULL if it was not given. */
static const char *
given(const struct cr_options *o, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < o->write.n_values; i++)
		if (strcmp(o->write.values[i].name, name) == 0)
			value = o->write.values[i].value;
	return value;
}

static void
set_least_percent(const struct cr_options *o, const struct cr_writer *w, void *options)
{
	const char *width = given(o, "minwidth");
	struct cr_err unused = CR_ERR_INIT;
	struct cr_text t = {0};

	if (!width)
		return;
	cr_text_printf(&t, "%s%%", width);
	cr_writer_set(w, options, "minwidth", t.p, &unused); /* it has one already */
	cr_text_fini(&t);
}

static int
set_options(const struct cr_options *o, const struct cr_writer *w, void *options)
{
	const struct cr_flamegraph_opts *g = &o->flamegraph;
	int code;

	if (g->chart && cr_writing_has(o, "order"))
		return cr_options_usage(
			o->cmd, "a flame chart has the order of the input", "--order");
	if (cr_writing_has(o, "order") && strcmp(given(o, "order"), "time") == 0)
		return cr_options_usage(o->cmd,
			"folded stacks have no times; --flamechart keeps the order of their lines",
			"--order");
	if (g->least_percent)
		set_least_percent(o, w, options);
	code = set_default(o, w, options, "order", "name");
	if (code == EXIT_DONE)
		code = set_default(o, w, options, "title",
			g->chart      ? "Flame Chart"
			: g->inverted ? "Icicle Graph"
				      : "Flame Graph");
	if (code == EXIT_DONE && g->inverted)
		code = set_default(o, w, options, "icicle", NULL);
	if (code == EXIT_DONE && g->colors)
		code = set_default(o, w, options, "palette", g->colors);
	return code;
}

static const char *
palette_name(const struct cr_options *o)
{
	const char *name = given(o, "palette");

	if (name)
		return name;
	return o->flamegraph.colors ? o->flamegraph.colors : "hot";
}

/* Colours of frames that do not follow from their names. */
static int
choose_colors(const struct cr_options *o, const struct cr_tree *t, uint32_t *color1)
{
	struct cr_err err = CR_ERR_INIT;
	enum cr_palette palette;
	char salted[32];

	cr_palette_find(palette_name(o), &palette);
	for (uint32_t i = 1; o->flamegraph.random && i < t->n_frames; i++) {
		struct cr_frame f = t->frames[i];

		snprintf(salted, sizeof(salted), "%" PRIu64, cr_hash_seed());
		f.name = cr_str_of(salted);
		color1[i] = 1 + cr_palette_frame(palette, &f);
	}
	if (o->flamegraph.consistent && cr_palette_map_apply(t, palette, color1, &err) < 0)
		return cr_job_fail(CR_PALETTE_MAP, &err);
	return EXIT_DONE;
}

/* ---- */

static int
draw(const struct cr_options *o, const struct cr_tree *t, const struct cr_tree_cut *cut,
	const struct cr_writer *w, const void *options)
{
	uint32_t *color1 = cr_alloc(t->n_frames, sizeof(*color1));
	const struct cr_write_in in = {.tree = t,
		.color1 = color1,
		.cut = *cut,
		.order = o->flamegraph.chart ? CR_WRITE_BY_TIME : CR_WRITE_BY_NAME};
	struct cr_err err = CR_ERR_INIT;
	int code;

	if (t->extent[0] == 0) {
		cr_fail(&err, CR_EEMPTY, CR_NO_OFFSET, "no stacks with a count");
		code = cr_job_fail(o->n_args ? o->args[0] : "-", &err);
	} else {
		code = choose_colors(o, t, color1);
	}
	if (code == EXIT_DONE)
		code = cr_writing_run(o, w, options, &in);
	free(color1);
	return code;
}

static int
read_and_draw(const struct cr_options *o, const struct cr_writer *w, const void *options)
{
	const struct cr_flamegraph_opts *g = &o->flamegraph;
	const struct cr_folded_tree_opts opts = {.reverse = g->reverse,
		.in_order = g->chart,
		.negate = g->negate,
		.wakers = strcmp(palette_name(o), "chain") == 0,
		.base = g->base,
		.n_base = g->n_base};
	struct cr_folded_tree *f;
	struct cr_tree_cut cut = {.most = CR_WRITER_NODES_MOST};
	struct cr_tree *t;
	uint64_t total = 0;
	int code, drawn;

	if (g->total && !cr_scan_u64(cr_str_of(g->total), &total))
		return cr_options_usage(o->cmd, "must be a number", "--total");
	f = cr_folded_tree_new(&opts);
	code = read_all(o, f);
	if (code != EXIT_DONE && code != EXIT_IN_PART) {
		cr_folded_tree_free(f);
		return code;
	}
	if (g->total && !cr_folded_tree_raise(f, total) && !o->quiet)
		cr_options_complain(
			"--total", "is less than the sum of the counts, so it is ignored");
	t = cr_folded_tree_finish(f, &cut);
	drawn = draw(o, t, &cut, w, options);
	cr_tree_free(t);
	return CR_MAX(code, drawn);
}

int
cr_cmd_flamegraph(const struct cr_options *o)
{
	const struct cr_writer *w = cr_writer_find("svg");
	void *options;
	int code = cr_writing_options(o, w, &options);

	if (code != EXIT_DONE)
		return code;
	code = set_options(o, w, options);
	if (code == EXIT_DONE)
		code = read_and_draw(o, w, options);
	free(options);
	return code;
}
