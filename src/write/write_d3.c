#include "base/json_out.h"
#include "base/mem.h"
#include "write/writer.h"

#include <stdlib.h>

/*
 * The hierarchy that d3-flame-graph and other charts in web pages draw:
 *
 *	{"name": "all", "value": 12, "event": "cycles", "unit": "cycles", "children": [
 *	 {"name": "main", "value": 12, "libtype": "kernel", "children": [...]}]}
 *
 * A value is the total cost of a stack. A difference has the costs after, and "delta", the change.
 */
struct d3 {
	const struct cr_write_in *in;
	const struct cr_tree *t;
	struct cr_text text;
	struct cr_json_out json;
};

/* The words that d3-flame-graph colours by; NULL for user code. */
static const char *
libtype(const struct cr_frame *f)
{
	if (f->inlined)
		return "inlined";
	if (cr_kind_is_kernel(f->kind))
		return "kernel";
	return f->kind == CR_KIND_JIT ? "jit" : NULL;
}

static bool
has_children(const struct cr_tree *t, uint32_t node)
{
	return t->end[node] > node + 1;
}

static void
put_delta(struct d3 *d, uint32_t node)
{
	const uint64_t before = d->t->total[0][node], after = d->t->total[1][node],
		       least = CR_MIN(before, after), limit = INT64_MAX;
	const int64_t more = (int64_t)CR_MIN(after - least, limit),
		      less = (int64_t)CR_MIN(before - least, limit);

	cr_json_out_key(&d->json, "delta");
	cr_json_out_i64(&d->json, more - less);
}

/* Open the object of a node, and the list of its children. */
static void
open_node(struct d3 *d, uint32_t node)
{
	const struct cr_tree *t = d->t;
	const struct cr_measure m = cr_tree_measure(t, t->sides - 1);
	const struct cr_frame *f = &t->frames[t->frame[node]];

	cr_json_out_open(&d->json, '{');
	cr_json_out_text_of(&d->json, "name", f->name);
	cr_json_out_key(&d->json, "value");
	cr_json_out_weight(&d->json, t->total[t->sides - 1][node], m.unit);
	if (t->sides == 2)
		put_delta(d, node);
	if (libtype(f))
		cr_json_out_text_of(&d->json, "libtype", cr_str_of(libtype(f)));
	if (node == d->in->root) {
		cr_json_out_text_of(&d->json, "event", m.event);
		cr_json_out_text_of(&d->json, "unit", m.unit);
		cr_json_out_text_of(&d->json, "query", cr_str_of(d->in->query ? d->in->query : ""));
	}
	if (!has_children(t, node))
		return;
	cr_json_out_key(&d->json, "children");
	cr_json_out_open(&d->json, '[');
}

static void
close_node(struct d3 *d, uint32_t node)
{
	if (has_children(d->t, node))
		cr_json_out_close(&d->json);
	cr_json_out_close(&d->json);
}

static int
write_nodes(struct d3 *d, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_tree *t = d->t;
	const uint32_t root = d->in->root;
	uint32_t open = CR_TREE_SAME; /* the innermost open node; none yet */
	int rc = CR_OK;

	for (uint32_t n = root; rc == CR_OK && n < t->end[root]; n++) {
		for (; open != CR_TREE_SAME && t->end[open] <= n; open = t->parent[open])
			close_node(d, open);
		open_node(d, n);
		open = n;
		rc = cr_sink_large(out, &d->text, err);
	}
	for (; open != root; open = t->parent[open])
		close_node(d, open);
	close_node(d, root);
	cr_text_char(&d->text, '\n');
	return rc;
}

static int
d3_write(const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct d3 d = {.in = in, .t = in->tree};
	int rc;

	(void)options;
	d.json.text = &d.text;
	rc = write_nodes(&d, out, err);
	if (rc == CR_OK)
		rc = cr_sink_text(out, &d.text, err);
	cr_json_out_fini(&d.json);
	cr_text_fini(&d.text);
	return rc;
}

static const char *const d3_extensions[] = {".d3.json", NULL};

const struct cr_writer cr_writer_d3 = {
	.name = "d3",
	.extensions = d3_extensions,
	.about = "hierarchy in JSON, for d3-flame-graph and other charts in web pages",
	.needs = CR_WRITER_TREE,
	.write = d3_write,
};
