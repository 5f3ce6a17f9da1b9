#include "v8_tree_p.h"

/*
 * V8 profiles saved by Chrome and Node.js, .cpuprofile and .heapprofile:
 *
 *	{"nodes": [{"id", "callFrame": {"functionName", "url", "lineNumber"}, "children": [ids]},
 *	 ...],
 *	 "startTime", "endTime", "samples": [ids], "timeDeltas": [...]}
 *	{"head": {"functionName", "id", "hitCount", "children": [nodes]},
 *	 "samples": [ids], "timestamps": [...]}
 *	{"head": {"callFrame", "selfSize", "children": [nodes]}}
 *
 * Times are in microseconds; a sample lasts until the next. Without samples, nodes have counts, or
 * the number of bytes allocated there.
 */
#define MICROSECOND 3u /* decimal digits from it to nanoseconds */

struct cpuprofile {
	struct cr_json_reader t;
	struct cr_v8_tree tree;
	/* Their positions; p is NULL if missing. */
	struct cr_json head, nodes, samples, deltas, stamps;
	uint64_t start_ns, end_ns;
	cr_task_id task;
};

/* True if the object at j, or the first of an array of them, has a call frame. */
static bool
is_node(struct cr_json j)
{
	struct cr_str key;

	if (cr_json_kind(&j) == CR_JSON_ARRAY && !(cr_json_array(&j) && cr_json_item(&j)))
		return false;
	if (!cr_json_object(&j))
		return false;
	while (cr_json_key(&j, &key)) {
		if (cr_str_eq(key, CR_STR("callFrame")) || cr_str_eq(key, CR_STR("functionName")))
			return true;
		cr_json_skip(&j);
	}
	return false;
}

static unsigned
probe_cpuprofile(const struct cr_head *head, uint64_t *first)
{
	struct cr_json j;
	struct cr_str key;

	cr_json_init(&j, head->p, head->len);
	if (cr_json_kind(&j) != CR_JSON_OBJECT)
		return 0;
	*first = 1;
	cr_json_object(&j);
	while (cr_json_key(&j, &key)) {
		if ((cr_str_eq(key, CR_STR("nodes")) || cr_str_eq(key, CR_STR("head"))) &&
			is_node(j))
			return CR_EVIDENCE_SIGNATURE;
		cr_json_skip(&j);
	}
	return 0;
}

/* Convert microseconds to nanoseconds; negative values become 0. */
static uint64_t
time_read(struct cr_json *j)
{
	struct cr_decimal d;

	return cr_json_reader_number(j, MICROSECOND, &d) && !d.negative ? d.value : 0;
}

static void
top_read(struct cpuprofile *v)
{
	const struct {
		const char *name;
		struct cr_json *at;
	} places[] = {
		{"head", &v->head},
		{"nodes", &v->nodes},
		{"samples", &v->samples},
		{"timeDeltas", &v->deltas},
		{"timestamps", &v->stamps},
	};
	struct cr_json *j = &v->t.j;
	struct cr_str key;

	if (!cr_json_object(j))
		return;
	while (cr_json_key(j, &key)) {
		for (size_t i = 0; i < CR_LEN(places); i++)
			if (cr_str_eq(key, cr_str_of(places[i].name)))
				*places[i].at = *j;
		if (cr_str_eq(key, CR_STR("startTime")))
			v->start_ns = time_read(j);
		else if (cr_str_eq(key, CR_STR("endTime")))
			v->end_ns = time_read(j);
		else if (cr_str_eq(key, CR_STR("title")))
			cr_builder_fact(v->t.b, "title", cr_json_reader_plain(&v->t, j));
		else
			cr_json_skip(j);
	}
}

static void
sample_add(struct cpuprofile *v, cr_event_id event, cr_node_id node, uint64_t at, uint64_t weight)
{
	if (weight == 0)
		return;
	cr_builder_sample(v->t.b, &(struct cr_sample){.time_ns = at,
					  .weight = weight,
					  .node = node,
					  .task = v->task,
					  .event = event,
					  .cpu = CR_CPU_NONE});
}

/* The time of the next sample; unchanged if there is none. */
static uint64_t
time_next(struct cpuprofile *v, struct cr_json *times, uint64_t now)
{
	struct cr_decimal d;

	if (!cr_json_item(times))
		return CR_MAX(now, v->end_ns);
	if (!cr_json_reader_number(times, MICROSECOND, &d) || d.negative)
		return now;
	return v->deltas.p ? cr_add_sat(now, d.value) : CR_MAX(now, d.value);
}

static void
samples_read(struct cpuprofile *v)
{
	struct cr_json j = v->samples, times = v->deltas.p ? v->deltas : v->stamps;
	const bool timed = times.p && cr_json_array(&times);
	const cr_event_id event =
		timed ? cr_builder_event(v->t.b, CR_STR("time"), CR_STR("ns"))
		      : cr_builder_event(v->t.b, CR_STR("samples"), CR_STR("samples"));
	uint64_t now = timed ? time_next(v, &times, v->start_ns) : 0;
	struct cr_str id;

	cr_builder_flags(v->t.b, timed ? CR_PROFILE_HAS_TIME : 0);
	cr_json_array(&j);
	while (cr_json_reader_step(&v->t, &j) && cr_json_item(&j)) {
		const struct cr_json place = j;
		const uint32_t row =
			cr_json_text(&j, &id) ? cr_v8_tree_find(&v->tree, id) : CR_V8_NONE;
		const uint64_t next = timed ? time_next(v, &times, now) : 0;

		if (row == CR_V8_NONE)
			cr_json_reader_report(&v->t, CR_REASON_MISSING_REF, &place);
		else
			sample_add(v, event, cr_v8_tree_node(&v->tree, &v->t, row), now,
				timed ? next - now : 1);
		now = next;
	}
}

static void
hits_read(struct cpuprofile *v)
{
	const cr_event_id event =
		v->tree.bytes ? cr_builder_event(v->t.b, CR_STR("bytes"), CR_STR("bytes"))
			      : cr_builder_event(v->t.b, CR_STR("samples"), CR_STR("samples"));

	for (uint32_t row = 0; row < v->tree.nodes.n; row++)
		if (v->tree.nodes.p[row].hits)
			sample_add(v, event, cr_v8_tree_node(&v->tree, &v->t, row), 0,
				v->tree.nodes.p[row].hits);
}

/* True for ids of nodes; newer heap profiles have something else under that name. */
static bool
has_samples(struct cr_json j)
{
	return j.p && cr_json_array(&j) && cr_json_item(&j) && cr_json_kind(&j) != CR_JSON_OBJECT;
}

static int
read_cpuprofile(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct cpuprofile v = {0};

	cr_json_reader_open(&v.t, in, b, opts);
	v.task = cr_builder_task(b, -1, -1, CR_STR(""), v.t.space);
	top_read(&v);
	if (v.head.p)
		cr_v8_tree_add(&v.tree, &v.t, &v.head, CR_STR(""));
	if (v.nodes.p)
		cr_v8_tree_add_all(&v.tree, &v.t, &v.nodes);
	if (has_samples(v.samples))
		samples_read(&v);
	else
		hits_read(&v);
	cr_v8_tree_fini(&v.tree);
	return cr_json_reader_close(&v.t, err);
}

const struct cr_reader cr_reader_cpuprofile = {
	.name = "cpuprofile",
	.about = "V8: .cpuprofile and .heapprofile of Chrome and Node.js",
	.heads = CR_HEAD_JSON,
	.probe = probe_cpuprofile,
	.read = read_cpuprofile,
};
