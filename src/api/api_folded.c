#include "api_p.h"

#include "base/mem.h"
#include "bytes/source.h"
#include "query/fold/collapse.h"
#include "read/folded/folded_counts.h"
#include "read/folded/folded_tree.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MOST 64

/* ---- collapse */

#define FLAG(name_, member) CR_API_FLAG(name_, struct cr_collapse_opts, member)

static const struct cr_option_spec collapse_specs[] = {
	FLAG("pid", pid),
	FLAG("tid", tid),
	FLAG("kernel", kernel),
	FLAG("jit", jit),
	FLAG("addrs", addrs),
	FLAG("includeoffset", offsets),
	FLAG("srcline", lines),
	FLAG("full-source-path", whole_paths),
	FLAG("no-modules", no_modules),
	FLAG("no-include-tname", no_threads),
	FLAG("include-tid", whole_threads),
	FLAG("shorten-pkgs", short_packages),
	FLAG("recursive", recursive),
	{0},
};

static int
fold(const struct cr_profile *p, const struct cr_query *q, const struct cr_collapse_opts *o,
	struct cr_text *text, struct cr_err *err)
{
	struct cr_sink sink = cr_sink_memory(text);
	struct cr_tree *t = NULL;
	uint64_t nothing_left;
	int rc = cr_collapse(p, cr_query_filter(q), o, &t, &nothing_left, err);

	if (rc == CR_OK)
		rc = cr_query_transform(q, &t, err);
	if (rc == CR_OK)
		rc = cr_query_left(q, t, err);
	if (rc == CR_OK)
		rc = cr_writer_write(cr_writer_find("folded"), &(struct cr_write_in){.tree = t},
			NULL, &sink, err);
	cr_tree_free(t);
	return rc;
}

static int
collapse(cresset *c, const void *input, size_t len, const struct cr_query *q,
	struct cr_collapse_opts *o, struct cr_text *text)
{
	const struct cr_fold_opts f = cr_query_opts(q);
	struct cr_load_opts load = c->load;
	struct cr_profile *p = NULL;
	struct cr_log log = {0};
	int rc;

	if (f.n_groups != 1 || !(f.fields[0] || f.groups[0] == CR_GROUP_USUAL))
		return cr_fail(&c->err, CR_EUSAGE, CR_NO_OFFSET,
			"collapse can group by one field only; use pid and tid for processes and "
			"threads");
	o->group = f.fields[0];
	load.no_default_tree = true;
	rc = cr_load_memory(input, len, "-",
		CR_STORE_SAMPLES |
			(cr_load_parts(cr_query_needs(NULL, q)) & ~(unsigned)CR_STORE_PROOF),
		&load, &p, &log, &c->err);
	cr_api_warn(c, &log);
	if (rc == CR_OK)
		rc = fold(p, q, o, text, &c->err);
	cr_profile_free(p);
	return rc;
}

int
cresset_collapse(cresset *c, const void *input, size_t input_len, const char *words,
	const char *const *options, char **bytes, size_t *len)
{
	struct cr_collapse_opts o = {0};
	struct cr_text text = {0};
	struct cr_query q = {0};
	int rc;

	cr_api_no_warnings(c);
	cr_api_begin(c);
	rc = cr_api_options(options, collapse_specs, &o, NULL, 0, &c->err);
	if (rc == CR_OK)
		rc = cr_api_query(words, &q, &c->err);
	if (rc == CR_OK)
		rc = collapse(c, input, input_len, &q, &o, &text);
	cr_query_fini(&q);
	return cr_api_give(cr_api_end(c, rc), &text, bytes, len);
}

/* ---- flame graphs */

struct graph {
	bool inverted, reverse, chart, negate;
	const char *colors;
};

static const struct cr_option_spec graph_specs[] = {
	CR_API_FLAG("inverted", struct graph, inverted),
	CR_API_FLAG("reverse", struct graph, reverse),
	CR_API_FLAG("flamechart", struct graph, chart),
	CR_API_FLAG("negate", struct graph, negate),
	CR_API_TEXT("colors", struct graph, colors),
	{0},
};

/* The defaults of cresset flamegraph, then what was given. */
static int
graph_options(const struct graph *g, const struct cr_writer *w, const char *const *given,
	void *options, struct cr_err *err)
{
	int rc = cr_writer_set(w, options, "order", "name", err);

	if (rc == CR_OK)
		rc = cr_writer_set(w, options, "title",
			g->chart      ? "Flame Chart"
			: g->inverted ? "Icicle Graph"
				      : "Flame Graph",
			err);
	if (rc == CR_OK && g->inverted)
		rc = cr_writer_set(w, options, "icicle", NULL, err);
	if (rc == CR_OK && g->colors)
		rc = cr_writer_set(w, options, "palette", g->colors, err);
	return rc == CR_OK ? cr_api_writer_options(w, given, options, err) : rc;
}

/* Bytes that may be packed, as the program reads them. */
static int
unpacked(const void *p, size_t len, struct cr_source **out, struct cr_err *err)
{
	int rc = cr_source_open_memory(p, len, CR_SOURCE_MAX_PIPE, out, err);

	if (rc == CR_OK && cr_source_damage(*out)) {
		*err = *cr_source_damage(*out);
		rc = err->code;
		cr_source_close(*out);
		*out = NULL;
	}
	return rc;
}

static int
draw(const struct graph *g, const struct cr_source *s, const struct cr_writer *w,
	const void *options, struct cr_text *text, struct cr_err *err)
{
	const struct cr_folded_tree_opts opts = {.reverse = g->reverse,
		.in_order = g->chart,
		.negate = g->negate,
		.wakers = g->colors && strcmp(g->colors, "chain") == 0};
	struct cr_write_in in = {
		.cut = {.most = CR_WRITER_NODES_MOST},
		.order = g->chart ? CR_WRITE_BY_TIME : CR_WRITE_BY_NAME,
	};
	struct cr_folded_tree *f = cr_folded_tree_new(&opts);
	struct cr_sink sink = cr_sink_memory(text);
	struct cr_tree *t;
	int rc;

	cr_folded_tree_read(f, cr_source_bytes(s), cr_source_len(s), NULL, NULL);
	in.tree = t = cr_folded_tree_finish(f, &in.cut);
	rc = t->extent[0] ? cr_writer_write(w, &in, options, &sink, err)
			  : cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "no stacks with a count");
	cr_tree_free(t);
	return rc;
}

int
cresset_flamegraph(cresset *c, const void *folded, size_t folded_len, const char *const *options,
	char **bytes, size_t *len)
{
	const struct cr_writer *w = cr_writer_find("svg");
	const char *of_writer[OPTIONS_MOST + 1];
	void *defaults = cr_writer_defaults(w);
	struct cr_source *s = NULL;
	struct cr_text text = {0};
	struct graph g = {0};
	int rc;

	cr_api_begin(c);
	rc = cr_api_options(options, graph_specs, &g, of_writer, OPTIONS_MOST, &c->err);
	if (rc == CR_OK)
		rc = graph_options(&g, w, of_writer, defaults, &c->err);
	if (rc == CR_OK)
		rc = unpacked(folded, folded_len, &s, &c->err);
	if (rc == CR_OK)
		rc = draw(&g, s, w, defaults, &text, &c->err);
	cr_source_close(s);
	free(defaults);
	return cr_api_give(cr_api_end(c, rc), &text, bytes, len);
}

/* ---- differences of folded stacks */

struct counts {
	bool normalize, strip_hex;
};

static const struct cr_option_spec counts_specs[] = {
	CR_API_FLAG("normalize", struct counts, normalize),
	CR_API_FLAG("strip-hex", struct counts, strip_hex),
	{0},
};

static int
add_side(struct cr_folded_counts *counts, uint32_t side, const void *p, size_t len,
	struct cr_err *err)
{
	struct cr_source *s = NULL;
	const int rc = unpacked(p, len, &s, err);

	if (rc == CR_OK)
		cr_folded_counts_read(
			counts, side, cr_source_bytes(s), cr_source_len(s), NULL, NULL);
	cr_source_close(s);
	return rc;
}

int
cresset_diff_folded(cresset *c, const void *before, size_t before_len, const void *after,
	size_t after_len, const char *const *options, char **bytes, size_t *len)
{
	struct cr_text text = {0};
	struct cr_sink sink = cr_sink_memory(&text);
	struct cr_folded_counts *counts;
	struct counts o = {0};
	int rc;

	cr_api_begin(c);
	rc = cr_api_options(options, counts_specs, &o, NULL, 0, &c->err);
	counts = cr_folded_counts_new(o.strip_hex);
	if (rc == CR_OK)
		rc = add_side(counts, 0, before, before_len, &c->err);
	if (rc == CR_OK)
		rc = add_side(counts, 1, after, after_len, &c->err);
	if (rc == CR_OK)
		rc = cr_folded_counts_write(counts, o.normalize, &sink, &c->err);
	cr_folded_counts_free(counts);
	return cr_api_give(cr_api_end(c, rc), &text, bytes, len);
}
