#include "trace_spans_p.h"
#include "v8_tree_p.h"

/*
 * Traces of Chrome, in the "Trace Event Format": an array of events, or an object that contains it.
 *
 *	[{"ph": "X", "name", "ts", "dur", "pid", "tid"}, {"ph": "B", ...}, {"ph": "E", ...}, ...
 *	{"traceEvents": [...], "stackFrames": {id: {"name", "parent"}},
 *	 "samples": [{"sf": id, "ts", ...}]}
 *
 * The array need not be closed. Used are spans (X, B and E; b and e, which belong to a "cat" and an
 * "id" instead of a thread), names of threads and processes (M), and samples of V8: events
 * "Profile", and "ProfileChunk" with parts of the call tree. Times are in microseconds.
 */
#define MICROSECOND 3u /* decimal digits from it to nanoseconds */

struct thread {
	struct cr_str pid, tid, name; /* as written; tid is "" for a process */
	bool async;                   /* events under an id instead of a thread */
	uint32_t process;             /* row of the threads */
	/* Row of the hits: the last one, which lasts until the next; CR_NO_ROW if none. */
	uint32_t pending;
};

/* A sample from V8. */
struct hit {
	uint64_t at, weight;
	uint32_t thread;
	cr_node_id node;
};

struct v8_profile {
	struct cr_str pid, id;
	struct cr_v8_tree tree;
	uint32_t thread;
	uint32_t pending; /* like that of a thread */
	uint64_t now;
};

struct chrometrace {
	struct cr_json_reader t;
	CR_VEC(struct thread) threads;
	struct cr_index by_id; /* of threads */
	struct cr_spans spans;
	CR_VEC(struct v8_profile) profiles;
	struct cr_index by_profile;
	CR_VEC(struct hit) hits;
	struct cr_json frames, samples; /* their positions; p is NULL if missing */
	bool spanned[2];                /* there are spans of threads; spans without a thread */
	cr_event_id event[2];           /* the events of both */
	CR_VEC(cr_task_id) tasks;       /* by row of the threads */
	struct cr_text url;             /* scratch buffer */
	bool too_many;                  /* too many spans or samples */
};

struct event {
	struct cr_str name, pid, tid, id, cat;
	char ph;
	uint64_t at, dur;
	struct cr_json args; /* position; p is NULL if missing */
	uint64_t offset;
};

static unsigned
probe_chrometrace(const struct cr_head *head, uint64_t *first)
{
	struct cr_json j;
	struct cr_str key;
	bool in_array;

	cr_json_init(&j, head->p, head->len);
	*first = 1;
	in_array = cr_json_kind(&j) == CR_JSON_ARRAY;
	if (in_array && (!cr_json_array(&j) || !cr_json_item(&j)))
		return 0;
	if (cr_json_kind(&j) != CR_JSON_OBJECT)
		return 0;
	cr_json_object(&j);
	while (cr_json_key(&j, &key)) {
		if (in_array ? cr_str_eq(key, CR_STR("ph"))
			     : cr_str_eq(key, CR_STR("traceEvents")) &&
					cr_json_kind(&j) == CR_JSON_ARRAY)
			return CR_EVIDENCE_SIGNATURE;
		cr_json_skip(&j);
	}
	return 0;
}

static uint32_t
thread_of(struct chrometrace *v, struct cr_str pid, struct cr_str tid, bool async)
{
	const uint64_t h = cr_hash_mix(cr_hash(pid.p, pid.len), cr_hash(tid.p, tid.len) + async);
	uint32_t row;
	struct thread new = {.pid = pid, .tid = tid, .async = async, .pending = CR_NO_ROW};

	cr_index_each(&v->by_id, h, row) {
		const struct thread *t = &v->threads.p[row];

		if (cr_str_eq(t->pid, pid) && cr_str_eq(t->tid, tid) && t->async == async)
			return row;
	}
	if (tid.len)
		new.process = thread_of(v, pid, CR_STR(""), false);
	row = (uint32_t)v->threads.n;
	if (!tid.len)
		new.process = row;
	cr_vec_push(&v->threads, new);
	cr_index_add(&v->by_id, h, row);
	return row;
}

/* Convert microseconds to nanoseconds; negative values become 0. */
static uint64_t
time_read(struct cr_json *j)
{
	struct cr_decimal d;

	return cr_json_reader_number(j, MICROSECOND, &d) && !d.negative ? d.value : 0;
}

/* Returns false, and reports it, if it is no object. */
static bool
event_parse(struct chrometrace *v, struct cr_json *j, struct event *e)
{
	const struct {
		const char *name;
		struct cr_str *text;
	} texts[] = {
		{"name", &e->name},
		{"pid", &e->pid},
		{"tid", &e->tid},
		{"id", &e->id},
		{"cat", &e->cat},
	};
	struct cr_str key, text;
	uint64_t thread_dur = 0;
	bool has_dur = false;

	*e = (struct event){.offset = cr_json_at(j)};
	if (cr_json_kind(j) != CR_JSON_OBJECT) {
		cr_json_reader_report(&v->t, CR_REASON_BAD_FRAME, j);
		cr_json_skip(j);
		return false;
	}
	cr_json_object(j);
	while (cr_json_key(j, &key)) {
		size_t i = 0;

		while (i < CR_LEN(texts) && !cr_str_eq(key, cr_str_of(texts[i].name)))
			i++;
		if (i < CR_LEN(texts)) {
			cr_json_text(j, texts[i].text);
		} else if (cr_str_eq(key, CR_STR("ph"))) {
			e->ph = cr_json_text(j, &text) && text.len == 1 ? text.p[0] : 0;
		} else if (cr_str_eq(key, CR_STR("ts"))) {
			e->at = time_read(j);
		} else if (cr_str_eq(key, CR_STR("dur"))) {
			e->dur = time_read(j);
			has_dur = true;
		} else if (cr_str_eq(key, CR_STR("tdur"))) {
			thread_dur = time_read(j);
		} else {
			if (cr_str_eq(key, CR_STR("args")))
				e->args = *j;
			cr_json_skip(j);
		}
	}
	e->dur = has_dur ? e->dur : thread_dur;
	if (!e->tid.len)
		e->tid = CR_STR("0");
	return true;
}

/* Move *j to a member of the object there; false if it is missing. */
static bool
member(struct cr_json *j, const char *name)
{
	struct cr_str key;

	if (!j->p || cr_json_kind(j) != CR_JSON_OBJECT)
		return false;
	cr_json_object(j);
	while (cr_json_key(j, &key)) {
		if (cr_str_eq(key, cr_str_of(name)))
			return true;
		cr_json_skip(j);
	}
	return false;
}

static void
name_read(struct chrometrace *v, const struct event *e)
{
	const bool process = cr_str_eq(e->name, CR_STR("process_name"));
	struct cr_json j = e->args;
	struct cr_str name;
	uint32_t row;

	if ((!process && !cr_str_eq(e->name, CR_STR("thread_name"))) || !member(&j, "name") ||
		!cr_json_text(&j, &name))
		return;
	row = thread_of(v, e->pid, process ? CR_STR("") : e->tid, false);
	v->threads.p[row].name = name;
}

/* The location of a name; some writers add the source position to the arguments. */
static cr_location_id
location_of(struct chrometrace *v, const struct event *e)
{
	struct cr_json url = e->args, line = e->args;
	struct cr_named named = {
		.name = e->name.len ? cr_json_plain(e->name, &v->t.room) : CR_STR("-")};
	struct cr_str text;
	uint64_t n;

	if (member(&url, "url") && cr_json_text(&url, &text) && member(&line, "line") &&
		cr_json_reader_u64(&line, &n) && n <= UINT32_MAX) {
		named.file = cr_json_plain(text, &v->url);
		named.line = (uint32_t)n;
	}
	return cr_builder_named_at(v->t.b, CR_DSO_UNKNOWN, 0, &named, 1);
}

static void
span_read(struct chrometrace *v, const struct event *e)
{
	const bool async = e->ph == 'b' || e->ph == 'e';
	struct cr_span span = {.at = e->at,
		.end = cr_add_sat(e->at, e->ph == 'X' ? e->dur : 0),
		.offset = e->offset,
		.kind = (char)(e->ph & ~0x20),
		.name = e->name.len ? cr_hash(e->name.p, e->name.len) | 1 : 0};

	span.thread = async ? thread_of(v, e->pid, e->id.len ? e->id : e->cat, true)
			    : thread_of(v, e->pid, e->tid, false);
	if (async && !v->threads.p[span.thread].name.len)
		v->threads.p[span.thread].name = e->cat;
	if (span.kind != 'E')
		span.location = location_of(v, e);
	v->spanned[async] = true;
	v->too_many = v->too_many || !cr_spans_add(&v->spans, span);
}

/* Add a sample that lasts until the next one with the same *pending. */
static void
hit_add(struct chrometrace *v, uint32_t *pending, struct hit hit)
{
	if (*pending != CR_NO_ROW && hit.at > v->hits.p[*pending].at)
		v->hits.p[*pending].weight = hit.at - v->hits.p[*pending].at;
	if (v->hits.n == CR_SPANS_MAX) {
		v->too_many = true;
		return;
	}
	*pending = (uint32_t)v->hits.n;
	cr_vec_push(&v->hits, hit);
}

/* The V8 profile of an event; created if needed. */
static struct v8_profile *
profile_of(struct chrometrace *v, const struct event *e)
{
	const uint64_t h = cr_hash_mix(cr_hash(e->pid.p, e->pid.len), cr_hash(e->id.p, e->id.len));
	uint32_t row;

	cr_index_each(&v->by_profile, h, row)
		if (cr_str_eq(v->profiles.p[row].pid, e->pid) &&
			cr_str_eq(v->profiles.p[row].id, e->id))
			return &v->profiles.p[row];
	cr_index_add(&v->by_profile, h, (uint32_t)v->profiles.n);
	cr_vec_push(&v->profiles, ((struct v8_profile){.pid = e->pid,
					  .id = e->id,
					  .pending = CR_NO_ROW,
					  .thread = thread_of(v, e->pid, e->tid, false),
					  .now = e->at}));
	return &v->profiles.p[v->profiles.n - 1];
}

static void
profile_samples(
	struct chrometrace *v, struct v8_profile *p, struct cr_json samples, struct cr_json deltas)
{
	bool timed = deltas.p && cr_json_array(&deltas);
	struct cr_str id;

	if (!samples.p || !cr_json_array(&samples))
		return;
	while (cr_json_reader_step(&v->t, &samples) && cr_json_item(&samples)) {
		const struct cr_json place = samples;
		const uint32_t row =
			cr_json_text(&samples, &id) ? cr_v8_tree_find(&p->tree, id) : CR_V8_NONE;

		timed = timed && cr_json_item(&deltas);
		p->now = cr_add_sat(p->now, timed ? time_read(&deltas) : 0);
		if (row == CR_V8_NONE)
			cr_json_reader_report(&v->t, CR_REASON_MISSING_REF, &place);
		else
			hit_add(v, &p->pending,
				(struct hit){.at = p->now,
					.thread = p->thread,
					.node = cr_v8_tree_node(&p->tree, &v->t, row)});
	}
}

/* "Profile" has the start time; "ProfileChunk" and "CpuProfile" have nodes and samples. */
static void
profile_read(struct chrometrace *v, const struct event *e)
{
	struct cr_json data = e->args, profile, start, nodes, samples, deltas;
	struct v8_profile *p;

	if (!member(&data, "data"))
		return;
	p = profile_of(v, e);
	start = profile = deltas = data;
	if (member(&start, "startTime"))
		p->now = time_read(&start);
	if (!member(&profile, "cpuProfile"))
		return;
	nodes = samples = profile;
	if (member(&nodes, "nodes"))
		cr_v8_tree_add_all(&p->tree, &v->t, &nodes);
	if (!member(&samples, "samples"))
		return;
	if (!member(&deltas, "timeDeltas")) {
		deltas = profile;
		member(&deltas, "timeDeltas");
	}
	profile_samples(v, p, samples, deltas);
}

static void
event_read(struct chrometrace *v, struct cr_json *j)
{
	struct event e;

	if (!event_parse(v, j, &e) || j->bad)
		return;
	switch (e.ph) {
	case 'M': name_read(v, &e); break;
	case 'X':
	case 'B':
	case 'E':
	case 'b':
	case 'e': span_read(v, &e); break;
	default:
		if (cr_str_eq(e.name, CR_STR("Profile")) ||
			cr_str_eq(e.name, CR_STR("ProfileChunk")) ||
			cr_str_eq(e.name, CR_STR("CpuProfile")))
			profile_read(v, &e);
	}
}

static void
events_read(struct chrometrace *v, struct cr_json *j)
{
	if (!cr_json_array(j))
		return;
	while (cr_json_reader_step(&v->t, j) && !v->too_many && cr_json_item(j))
		event_read(v, j);
}

static void
top_read(struct chrometrace *v)
{
	struct cr_json *j = &v->t.j;
	struct cr_str key;

	if (cr_json_kind(j) == CR_JSON_ARRAY) {
		events_read(v, j);
		/* A writer that was stopped leaves the array open. */
		if (j->bad && j->depth == 1 && strcmp(j->bad, "an array does not end") == 0)
			j->bad = NULL;
		return;
	}
	if (!cr_json_object(j))
		return;
	while (!v->too_many && cr_json_key(j, &key)) {
		if (cr_str_eq(key, CR_STR("traceEvents"))) {
			events_read(v, j);
			continue;
		}
		if (cr_str_eq(key, CR_STR("stackFrames")))
			v->frames = *j;
		else if (cr_str_eq(key, CR_STR("samples")))
			v->samples = *j;
		cr_json_skip(j);
	}
}

static void
sample_read(struct chrometrace *v, struct cr_v8_tree *tree, struct cr_json *j)
{
	const struct cr_json place = *j;
	struct cr_str key, pid = CR_STR(""), tid = CR_STR("0"), frame = CR_STR("");
	struct hit hit = {0};
	uint32_t row;

	if (!cr_json_object(j))
		return;
	while (cr_json_key(j, &key)) {
		if (cr_str_eq(key, CR_STR("pid")))
			cr_json_text(j, &pid);
		else if (cr_str_eq(key, CR_STR("tid")))
			cr_json_text(j, &tid);
		else if (cr_str_eq(key, CR_STR("sf")))
			cr_json_text(j, &frame);
		else if (cr_str_eq(key, CR_STR("ts")))
			hit.at = time_read(j);
		else
			cr_json_skip(j);
	}
	row = cr_v8_tree_find(tree, frame);
	if (row == CR_V8_NONE) {
		cr_json_reader_report(&v->t, CR_REASON_MISSING_REF, &place);
		return;
	}
	hit.node = cr_v8_tree_node(tree, &v->t, row);
	hit.thread = thread_of(v, pid, tid, false);
	hit_add(v, &v->threads.p[hit.thread].pending, hit);
}

/* Read samples next to the events, and their frames. */
static void
samples_read(struct chrometrace *v)
{
	struct cr_json j = v->frames, samples = v->samples;
	struct cr_v8_tree tree = {0};
	struct cr_str key;

	if (!j.p || !samples.p || cr_json_kind(&j) != CR_JSON_OBJECT ||
		cr_json_kind(&samples) != CR_JSON_ARRAY)
		return;
	cr_json_object(&j);
	while (cr_json_reader_step(&v->t, &j) && cr_json_key(&j, &key))
		cr_v8_tree_add(&tree, &v->t, &j, key);
	cr_json_array(&samples);
	while (cr_json_reader_step(&v->t, &samples) && !v->too_many && cr_json_item(&samples))
		sample_read(v, &tree, &samples);
	cr_v8_tree_fini(&tree);
}

static int32_t
number_of(struct cr_str id)
{
	uint64_t n;

	return cr_scan_u64(id, &n) && n <= INT32_MAX ? (int32_t)n : -1;
}

static void
tasks_make(struct chrometrace *v)
{
	for (size_t i = 0; i < v->threads.n; i++) {
		const struct thread *t = &v->threads.p[i];
		struct cr_str name = t->name.len ? t->name : v->threads.p[t->process].name;

		name = cr_json_plain(name, &v->t.room);
		if (!name.len) {
			cr_text_clear(&v->url);
			cr_text_puts(&v->url, "thread ");
			cr_text_str(&v->url, cr_json_plain(t->tid, &v->t.room));
			name = cr_text_view(&v->url);
		}
		cr_vec_push(
			&v->tasks, cr_builder_task(v->t.b, number_of(t->pid),
					   t->async ? -1 : number_of(t->tid), name, v->t.space));
	}
}

static void
sample_add(void *user, uint32_t thread, cr_node_id node, uint64_t at, uint64_t weight)
{
	struct chrometrace *v = user;

	if (weight == 0)
		return;
	cr_builder_sample(v->t.b, &(struct cr_sample){.time_ns = at,
					  .weight = weight,
					  .node = node,
					  .task = v->tasks.p[thread],
					  .event = v->event[v->threads.p[thread].async],
					  .cpu = CR_CPU_NONE});
}

/* V8's samples come first: of the two, they are the profile. */
static void
samples_make(struct chrometrace *v)
{
	struct cr_builder *b = v->t.b;

	tasks_make(v);
	cr_builder_fact(b, "main event",
		v->hits.n       ? CR_STR("samples")
		: v->spanned[0] ? CR_STR("spans")
				: CR_STR("async"));
	if (v->hits.n)
		v->event[0] = cr_builder_event(b, CR_STR("samples"), CR_STR("ns"));
	for (size_t i = 0; i < v->hits.n; i++)
		sample_add(v, v->hits.p[i].thread, v->hits.p[i].node, v->hits.p[i].at,
			v->hits.p[i].weight);
	if (v->spans.all.n) {
		v->event[0] = cr_builder_event(b, CR_STR("spans"), CR_STR("ns"));
		v->event[1] = cr_builder_event(b, CR_STR("async"), CR_STR("ns"));
	}
	cr_spans_run(&v->spans, &v->t, sample_add, v);
	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_TASK);
}

static int
read_chrometrace(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct chrometrace v = {0};
	int rc;

	cr_json_reader_open(&v.t, in, b, opts);
	top_read(&v);
	samples_read(&v);
	if (!v.too_many && !v.t.stopped)
		samples_make(&v);
	for (size_t i = 0; i < v.profiles.n; i++)
		cr_v8_tree_fini(&v.profiles.p[i].tree);
	cr_spans_fini(&v.spans);
	cr_index_fini(&v.by_id);
	cr_index_fini(&v.by_profile);
	cr_vec_fini(&v.threads);
	cr_vec_fini(&v.profiles);
	cr_vec_fini(&v.hits);
	cr_vec_fini(&v.tasks);
	cr_text_fini(&v.url);
	rc = cr_json_reader_close(&v.t, err);
	if (rc == CR_OK && v.too_many)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"more than %u spans or samples in one trace", CR_SPANS_MAX);
	return rc;
}

const struct cr_reader cr_reader_chrometrace = {
	.name = "chrometrace",
	.about = "Chrome's trace events: what ran when, and what V8 sampled, JSON",
	.heads = CR_HEAD_JSON,
	.probe = probe_chrometrace,
	.read = read_chrometrace,
};
