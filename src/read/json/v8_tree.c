#include "v8_tree_p.h"

uint32_t
cr_v8_tree_find(const struct cr_v8_tree *v, struct cr_str id)
{
	const uint64_t h = cr_hash(id.p, id.len);
	uint32_t row;

	cr_index_each(&v->by_id, h, row)
		if (cr_str_eq(v->nodes.p[row].id, id))
			return row;
	return CR_V8_NONE;
}

static uint32_t
node_new(struct cr_v8_tree *v, uint32_t parent)
{
	cr_vec_push(&v->nodes, ((struct cr_v8_node){.parent = parent}));
	return (uint32_t)v->nodes.n - 1;
}

/* Finish a node: everything is known but its children. */
static void
node_done(struct cr_v8_tree *v, struct cr_json_reader *t, const struct cr_json *j, uint32_t row)
{
	const struct cr_str id = v->nodes.p[row].id;

	if (id.len == 0)
		return;
	if (cr_v8_tree_find(v, id) != CR_V8_NONE)
		cr_json_reader_report(t, CR_REASON_DUP_ID, j);
	else
		cr_index_add(&v->by_id, cr_hash(id.p, id.len), row);
}

/*
 * Read a member of a node or of its call frame. from_0: lines are counted from 0. Returns false for
 * an unknown member.
 */
static bool
frame_member(struct cr_v8_node *n, struct cr_str key, struct cr_json *j, bool from_0)
{
	uint64_t line;

	if (cr_str_eq(key, CR_STR("functionName")) || cr_str_eq(key, CR_STR("name")))
		cr_json_text(j, &n->name);
	else if (cr_str_eq(key, CR_STR("url")))
		cr_json_text(j, &n->url);
	else if (cr_str_eq(key, CR_STR("lineNumber")))
		n->line = cr_json_reader_u64(j, &line) && line < UINT32_MAX ? line + from_0 : 0;
	else
		return false;
	return true;
}

static void
call_frame(struct cr_v8_node *n, struct cr_json *j)
{
	struct cr_str key;

	if (!cr_json_object(j))
		return;
	while (cr_json_key(j, &key))
		if (!frame_member(n, key, j, true))
			cr_json_skip(j);
}

static void
node_member(struct cr_v8_tree *v, uint32_t row, struct cr_str key, struct cr_json *j)
{
	struct cr_v8_node *n = &v->nodes.p[row];

	if (cr_str_eq(key, CR_STR("callFrame"))) {
		call_frame(n, j);
	} else if (cr_str_eq(key, CR_STR("id"))) {
		cr_json_text(j, &n->id);
	} else if (cr_str_eq(key, CR_STR("parent"))) {
		cr_json_text(j, &n->parent_id);
	} else if (cr_str_eq(key, CR_STR("hitCount"))) {
		cr_json_reader_u64(j, &n->hits);
	} else if (cr_str_eq(key, CR_STR("selfSize"))) {
		cr_json_reader_u64(j, &n->hits);
		v->bytes = true;
	} else if (!frame_member(n, key, j, false)) {
		cr_json_skip(j);
	}
}

/* Nodes are nested as deep as calls: v->path has those that are not complete. */
void
cr_v8_tree_add(struct cr_v8_tree *v, struct cr_json_reader *t, struct cr_json *j, struct cr_str id)
{
	bool among_children = false;
	struct cr_str text;

	v->path.n = 0;
	if (!cr_json_object(j))
		return;
	cr_vec_push(&v->path, node_new(v, CR_V8_NONE));
	v->nodes.p[v->path.p[0]].id = id;
	while (v->path.n) {
		const uint32_t row = v->path.p[v->path.n - 1];

		if (!among_children) {
			if (!cr_json_key(j, &text)) {
				node_done(v, t, j, row);
				v->path.n--;
				among_children = true;
			} else if (cr_str_eq(text, CR_STR("children")) &&
				   cr_json_kind(j) == CR_JSON_ARRAY) {
				among_children = cr_json_array(j);
			} else {
				node_member(v, row, text, j);
			}
		} else if (!cr_json_item(j)) {
			among_children = false;
		} else if (cr_json_kind(j) == CR_JSON_OBJECT) {
			if (cr_json_object(j)) {
				cr_vec_push(&v->path, node_new(v, row));
				among_children = false;
			}
		} else if (cr_json_text(j, &text)) {
			cr_vec_push(&v->links, ((struct cr_v8_link){row, text}));
		}
	}
}

void
cr_v8_tree_add_all(struct cr_v8_tree *v, struct cr_json_reader *t, struct cr_json *j)
{
	if (!cr_json_array(j))
		return;
	while (cr_json_reader_step(t, j) && cr_json_item(j))
		cr_v8_tree_add(v, t, j, CR_STR(""));
}

/* Resolve children that were given by id; all nodes are known now. */
static void
links_resolve(struct cr_v8_tree *v, struct cr_json_reader *t)
{
	for (size_t i = 0; i < v->links.n; i++) {
		const uint32_t row = cr_v8_tree_find(v, v->links.p[i].child);

		if (row == CR_V8_NONE)
			cr_json_reader_report(t, CR_REASON_MISSING_REF, &t->j);
		else if (v->nodes.p[row].parent == CR_V8_NONE)
			v->nodes.p[row].parent = v->links.p[i].parent;
	}
	v->links.n = 0;
}

static uint32_t
parent_of(const struct cr_v8_tree *v, struct cr_v8_node *n)
{
	if (n->parent == CR_V8_NONE && n->parent_id.len)
		n->parent = cr_v8_tree_find(v, n->parent_id);
	return n->parent;
}

static cr_location_id
location_of(struct cr_v8_tree *v, struct cr_json_reader *t, const struct cr_v8_node *n)
{
	const struct cr_named named = {
		.name = n->name.len ? cr_json_plain(n->name, &v->name) : CR_STR("(anonymous)"),
		.file = cr_json_plain(n->url, &v->url),
		.line = (uint32_t)CR_MIN(n->line, (uint64_t)UINT32_MAX),
	};

	return cr_builder_named_at(t->b, CR_DSO_UNKNOWN, 0, &named, 1);
}

cr_node_id
cr_v8_tree_node(struct cr_v8_tree *v, struct cr_json_reader *t, uint32_t row)
{
	cr_node_id node = CR_ROOT;

	links_resolve(v, t);
	v->path.n = 0;
	while (row != CR_V8_NONE && v->nodes.p[row].state == 0) {
		v->nodes.p[row].state = 1;
		cr_vec_push(&v->path, row);
		row = parent_of(v, &v->nodes.p[row]);
	}
	/* It is its own descendant. */
	if (row != CR_V8_NONE && v->nodes.p[row].state == 1)
		cr_json_reader_report(t, CR_REASON_MISSING_REF, &t->j);
	else if (row != CR_V8_NONE)
		node = v->nodes.p[row].node;
	while (v->path.n) {
		struct cr_v8_node *n = &v->nodes.p[v->path.p[--v->path.n]];

		if (n->parent != CR_V8_NONE || !cr_str_eq(n->name, CR_STR("(root)")))
			node = cr_builder_push(t->b, node, location_of(v, t, n));
		n->node = node;
		n->state = 2;
	}
	return node;
}

void
cr_v8_tree_fini(struct cr_v8_tree *v)
{
	cr_vec_fini(&v->nodes);
	cr_vec_fini(&v->links);
	cr_vec_fini(&v->path);
	cr_index_fini(&v->by_id);
	cr_text_fini(&v->name);
	cr_text_fini(&v->url);
}
