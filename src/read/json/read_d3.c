#include "base/vec.h"
#include "json_reader_p.h"

/*
 * The hierarchy that d3-flame-graph and similar charts draw:
 *
 *	{"name", "value", "libtype", "children": [{...}, ...]}
 *
 * also with the members n, v, l and c. A value is the total of a stack, as in files of cresset. If
 * some node has less than its children together, all values are self costs, as d3's own sum()
 * expects. The root is no function if it is called "all" or "root". Files of cresset have "event"
 * and "unit" in the root.
 *
 * Members may come in any order, so the nodes are collected first.
 */
#define MILLIONTHS 6u
#define INLINED_MOST 64u /* functions in one location */

struct node {
	struct cr_str name, type, number; /* as written */
	uint64_t value;
	uint64_t children; /* sum of the children's values */
	uint32_t parent;   /* row; its own for the root */
	cr_node_id id;
};

/* An open object or, below it, its list of children. */
struct level {
	uint32_t node;
	bool in_children;
};

struct d3 {
	struct cr_json_reader t;
	CR_VEC(struct node) nodes;
	CR_VEC(struct level) levels;
	struct cr_str event, unit; /* as written */
	bool fractions;            /* a value has a fraction */
	bool self_values;          /* values are self costs */
};

static bool
is_key(struct cr_str key, const char *name)
{
	return cr_str_eq(key, cr_str_of(name)) || (key.len == 1 && key.p[0] == name[0]);
}

/* A value is parsed when all are known: fractions need another unit. */
static void
value_read(struct d3 *d, struct node *n)
{
	const struct cr_json place = d->t.j;
	struct cr_decimal v;

	if (!cr_json_text(&d->t.j, &n->number) || !cr_scan_decimal(n->number, 0, &v)) {
		cr_json_reader_report(&d->t, CR_REASON_BAD_COUNT, &place);
		n->number = CR_STR("");
	} else if (v.negative && v.value) {
		cr_json_reader_report(&d->t, CR_REASON_NEGATIVE, &place);
		n->number = CR_STR("");
	} else {
		d->fractions |= !v.exact;
	}
}

/* Read a member of the innermost object; true if it is the list of its children. */
static bool
member_read(struct d3 *d, struct node *n, struct cr_str key)
{
	struct cr_json *j = &d->t.j;

	if (is_key(key, "children") && cr_json_kind(j) == CR_JSON_ARRAY)
		return cr_json_array(j);
	if (is_key(key, "name"))
		cr_json_text(j, &n->name);
	else if (is_key(key, "value"))
		value_read(d, n);
	else if (is_key(key, "libtype"))
		cr_json_text(j, &n->type);
	else if (n->parent == 0 && d->nodes.n == 1 && cr_str_eq(key, CR_STR("event")))
		cr_json_text(j, &d->event);
	else if (n->parent == 0 && d->nodes.n == 1 && cr_str_eq(key, CR_STR("unit")))
		cr_json_text(j, &d->unit);
	else
		cr_json_skip(j);
	return false;
}

static void
object_open(struct d3 *d, uint32_t parent)
{
	cr_json_object(&d->t.j);
	cr_vec_push(&d->levels, ((struct level){.node = (uint32_t)d->nodes.n}));
	cr_vec_push(&d->nodes, ((struct node){.parent = parent}));
}

/* The next child of the innermost object, or the end of the list. */
static void
child_read(struct d3 *d)
{
	struct level *l = &d->levels.p[d->levels.n - 1];

	if (!cr_json_item(&d->t.j)) {
		l->in_children = false;
	} else if (cr_json_kind(&d->t.j) == CR_JSON_OBJECT && d->nodes.n < UINT32_MAX - 1) {
		object_open(d, l->node);
	} else {
		cr_json_reader_report(&d->t, CR_REASON_BAD_FRAME, &d->t.j);
		cr_json_skip(&d->t.j);
	}
}

/* Without recursion: the depth of the objects is that of the stacks. */
static void
nodes_read(struct d3 *d)
{
	struct cr_str key;

	if (cr_json_kind(&d->t.j) != CR_JSON_OBJECT)
		return;
	object_open(d, 0);
	while (d->levels.n && cr_json_reader_step(&d->t, &d->t.j)) {
		struct level *l = &d->levels.p[d->levels.n - 1];

		if (l->in_children)
			child_read(d);
		else if (cr_json_key(&d->t.j, &key))
			l->in_children = member_read(d, &d->nodes.p[l->node], key);
		else
			d->levels.n--;
	}
}

static void
values_find(struct d3 *d)
{
	struct cr_decimal v;

	for (size_t i = 0; i < d->nodes.n; i++)
		if (cr_scan_decimal(d->nodes.p[i].number, d->fractions ? MILLIONTHS : 0, &v))
			d->nodes.p[i].value = v.value;
	for (size_t i = d->nodes.n; i-- > 1;) {
		struct node *up = &d->nodes.p[d->nodes.p[i].parent];

		up->children = cr_add_sat(up->children, d->nodes.p[i].value);
	}
	for (size_t i = 0; i < d->nodes.n; i++)
		d->self_values |= d->nodes.p[i].children > d->nodes.p[i].value;
}

static bool
is_inlined(const struct node *n)
{
	return cr_str_eq(n->type, CR_STR("inlined"));
}

static cr_dso_id
dso_of(struct d3 *d, const struct node *n)
{
	static const struct cr_dso kernel = {.name = {"[kernel]", 8}, .kind = CR_KIND_KERNEL};
	static const struct cr_dso jit = {.name = {"[jit]", 5}, .kind = CR_KIND_JIT};

	if (cr_str_eq(n->type, CR_STR("kernel")))
		return cr_builder_dso(d->t.b, &kernel);
	return cr_str_eq(n->type, CR_STR("jit")) ? cr_builder_dso(d->t.b, &jit) : CR_DSO_UNKNOWN;
}

/*
 * A node as a child of what is above its location: an inlined function shares the location of the
 * function that it is inlined into. first: the first node that is a function.
 */
static cr_node_id
push(struct d3 *d, uint32_t node, uint32_t first)
{
	struct cr_named named[INLINED_MOST];
	struct cr_text rooms[INLINED_MOST] = {{0}};
	const struct node *n = &d->nodes.p[node];
	size_t k = 0;
	cr_node_id id;

	for (;; n = &d->nodes.p[n->parent]) {
		named[k] = (struct cr_named){.name = cr_json_plain(n->name, &rooms[k])};
		if (!named[k].name.len)
			named[k].name = CR_STR("-");
		k++;
		if (!is_inlined(n) || n == &d->nodes.p[first] || k == INLINED_MOST ||
			n->parent < first)
			break;
	}
	id = n->parent < first || n == &d->nodes.p[first] ? CR_ROOT : d->nodes.p[n->parent].id;
	id = cr_builder_push(d->t.b, id, cr_builder_named_at(d->t.b, dso_of(d, n), 0, named, k));
	for (size_t i = 0; i < k; i++)
		cr_text_fini(&rooms[i]);
	return id;
}

static bool
is_root_name(struct cr_str name)
{
	return !name.len || cr_str_eq(name, CR_STR("all")) || cr_str_eq(name, CR_STR("root"));
}

/* The event of the samples; its unit decides how weights are stored. */
static cr_event_id
event_of(struct d3 *d)
{
	struct cr_text room = {0};
	struct cr_str event = cr_json_plain(d->event, &room);
	struct cr_str unit = cr_json_plain(d->unit, &d->t.room);
	cr_event_id id;

	if (!unit.len)
		unit = cr_str_of(d->t.opts->unit ? d->t.opts->unit : "samples");
	if (d->fractions)
		unit = CR_STR("millionths");
	id = cr_builder_event(d->t.b, event.len ? event : unit, unit);
	cr_text_fini(&room);
	return id;
}

static void
samples_add(struct d3 *d)
{
	const cr_event_id event = event_of(d);
	const cr_task_id task = cr_builder_task(d->t.b, -1, -1, CR_STR(""), d->t.space);
	const uint32_t first = d->nodes.n && is_root_name(d->nodes.p[0].name);

	for (size_t i = 0; i < d->nodes.n && cr_json_reader_step(&d->t, &d->t.j); i++) {
		struct node *n = &d->nodes.p[i];
		const uint64_t self = d->self_values ? n->value : n->value - n->children;

		n->id = i < first ? CR_ROOT : push(d, (uint32_t)i, first);
		if (self)
			cr_builder_sample(d->t.b, &(struct cr_sample){.weight = self,
							  .node = n->id,
							  .task = task,
							  .event = event,
							  .cpu = CR_CPU_NONE});
	}
}

static int
read_d3(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct d3 d = {.event = CR_STR(""), .unit = CR_STR("")};

	cr_json_reader_open(&d.t, in, b, opts);
	nodes_read(&d);
	values_find(&d);
	samples_add(&d);
	cr_builder_flags(b, CR_PROFILE_ADDED_UP);
	cr_vec_fini(&d.nodes);
	cr_vec_fini(&d.levels);
	return cr_json_reader_close(&d.t, err);
}

/* True if an object has a name and a value or children; *children is where those are, if any. */
static bool
is_node(struct cr_json j, struct cr_json *children)
{
	bool name = false, value = false;
	struct cr_str key;

	*children = (struct cr_json){0};
	if (cr_json_kind(&j) != CR_JSON_OBJECT)
		return false;
	cr_json_object(&j);
	while (cr_json_key(&j, &key)) {
		name |= is_key(key, "name") && cr_json_kind(&j) == CR_JSON_STRING;
		value |= is_key(key, "value") && cr_json_kind(&j) == CR_JSON_NUMBER;
		if (is_key(key, "children") && cr_json_kind(&j) == CR_JSON_ARRAY) {
			*children = j;
			if (name && value) /* enough: the list may go on beyond the head */
				return true;
		}
		cr_json_skip(&j);
	}
	return name && (value || children->p);
}

/* The root and its first child have the form of nodes. */
static unsigned
probe_d3(const struct cr_head *head, uint64_t *line)
{
	struct cr_json j, children, unused;

	cr_json_init(&j, head->p, head->len);
	if (!is_node(j, &children) || !children.p)
		return 0;
	*line = 1;
	cr_json_array(&children);
	if (!cr_json_item(&children))
		return 0;
	return is_node(children, &unused) ? CR_EVIDENCE_SHAPE : 0;
}

const struct cr_reader cr_reader_d3 = {
	.name = "d3",
	.about = "hierarchies of d3-flame-graph, JSON: name, value, children",
	.heads = CR_HEAD_JSON,
	.probe = probe_d3,
	.read = read_d3,
};
