#include "base/vec.h"
#include "json_reader_p.h"
#include "own_list_p.h"
#include "read/pprof/mappings_p.h"

/*
 * Processed profiles of the Firefox Profiler, as its "Save as file", samply and cresset write them:
 *
 *	{"meta": {"preprocessedProfileVersion", "product", "importedFrom", "extra", ...},
 *	 "libs": [{"path", "name", "codeId"}, ...],
 *	 "shared": {"stringArray": ["main", ...],
 *	            "stackTable": {"frame": [...], "prefixOffset": [...]},
 *	            "frameTable": {"func", "line", "inlineDepth"},
 *	            "funcTable": {"name", "resource", "source"},
 *	            "resourceTable": {"lib"}, "sources": {"filename"}},
 *	 "threads": [{"name", "pid", "tid", "samples":
 *	              {"stack", "time" or "timeDeltas", "weight", "weightType"}}, ...]}
 *
 * Tables are columns; a value is a row of another table. Before version 60 each thread has tables
 * of its own, before 66 a stack has its "prefix", before 58 a function has a "fileName". A thread
 * that cresset wrote has a member "cresset", see own_list_p.h.
 */
#define MOST_INLINED 64u /* functions in one location */
#define NONE INT64_MIN   /* null in a column */

typedef CR_VEC(int64_t) column;

/* Positions of values; p is NULL if missing. */
struct table {
	struct cr_json stacks, frames, functions, resources, sources, strings;
};

struct string {
	struct cr_str text;
	bool is_plain; /* without escapes; otherwise as written */
};

struct frame {
	struct cr_str name, file;
	cr_dso_id dso;
	uint32_t line;
	bool inlined;
};

struct stack {
	int64_t up; /* row of the caller; NONE for none */
	uint32_t frame;
	cr_node_id node, above; /* above: the node that its location is a child of */
};

struct firefox {
	struct cr_json_reader t;
	struct cr_json libs, threads, meta;
	struct table shared;
	CR_VEC(cr_dso_id) dsos; /* by row of libs */
	CR_VEC(struct string) strings;
	struct cr_arena made; /* strings without their escapes */
	CR_VEC(struct frame) frames;
	CR_VEC(struct stack) stacks;
	bool is_own; /* written by cresset */
	bool has_threads, by_comm;
};

struct thread {
	cr_task_id task;
	cr_event_id event;
	unsigned scale;    /* of weights: power of ten */
	uint64_t divide;   /* ... and then a divisor */
	uint64_t start_ns; /* times count from here; 0: there are none */
};

/* The columns of samples, read side by side. */
struct samples {
	struct cr_json stack, time, deltas, weight;
	struct cr_str type;
};

/* ---- columns and objects */

struct member {
	const char *name;
	struct cr_json *at;
};

/* Store the positions of the members of an object that are in the list. */
static void
members_find(struct cr_json j, const struct member *members, size_t n)
{
	struct cr_str key;

	if (!j.p || cr_json_kind(&j) != CR_JSON_OBJECT)
		return;
	cr_json_object(&j);
	while (cr_json_key(&j, &key)) {
		for (size_t i = 0; i < n; i++)
			if (cr_str_eq(key, cr_str_of(members[i].name)))
				*members[i].at = j;
		cr_json_skip(&j);
	}
}

static int64_t
integer_read(struct cr_json *j)
{
	struct cr_decimal d;

	if (!cr_json_reader_number(j, 0, &d) || d.value > INT64_MAX)
		return NONE;
	return d.negative ? -(int64_t)d.value : (int64_t)d.value;
}

/* Read an array of whole numbers; what is none becomes NONE. */
static void
column_read(struct firefox *x, struct cr_json j, column *out)
{
	out->n = 0;
	if (!j.p || cr_json_kind(&j) != CR_JSON_ARRAY)
		return;
	cr_json_array(&j);
	while (cr_json_reader_step(&x->t, &j) && cr_json_item(&j))
		cr_vec_push(out, integer_read(&j));
}

static int64_t
column_at(const column *c, int64_t row)
{
	return row >= 0 && (uint64_t)row < c->n ? c->p[row] : NONE;
}

/* A string without escapes, which are replaced when it is first used. */
static struct cr_str
string_at(struct firefox *x, int64_t row)
{
	struct cr_text room = {0};
	struct cr_str plain;
	struct string *s;

	if (row < 0 || (uint64_t)row >= x->strings.n)
		return CR_STR("");
	s = &x->strings.p[row];
	if (s->is_plain)
		return s->text;
	plain = cr_builder_shared(x->t.b, cr_json_plain(s->text, &room));
	if (plain.len && plain.p == room.p)
		plain.p = cr_arena_copy(&x->made, plain.p, plain.len);
	*s = (struct string){plain, true};
	cr_text_fini(&room);
	return plain;
}

static void
tables_find(struct cr_json at, struct table *out)
{
	const struct member members[] = {
		{"stackTable", &out->stacks},
		{"frameTable", &out->frames},
		{"funcTable", &out->functions},
		{"resourceTable", &out->resources},
		{"sources", &out->sources},
		{"stringArray", &out->strings},
		{"stringTable", &out->strings},
	};

	members_find(at, members, CR_LEN(members));
}

/* ---- tables */

static void
libs_read(struct firefox *x)
{
	struct cr_text room = {0};
	struct cr_json j = x->libs;
	bool unused;

	if (!j.p || cr_json_kind(&j) != CR_JSON_ARRAY)
		return;
	cr_json_array(&j);
	while (cr_json_item(&j)) {
		struct cr_json path = {0}, name = {0}, id = {0};
		const struct member members[] = {{"path", &path}, {"name", &name}, {"codeId", &id}};
		struct cr_str file = CR_STR(""), build_id = CR_STR("");

		members_find(j, members, CR_LEN(members));
		if (path.p)
			cr_json_text(&path, &file);
		if (!file.len && name.p)
			cr_json_text(&name, &file);
		if (id.p && cr_json_kind(&id) == CR_JSON_STRING)
			cr_json_text(&id, &build_id);
		cr_vec_push(&x->dsos,
			cr_mapping_dso(x->t.b, cr_json_plain(file, &room), build_id, &unused));
		cr_json_skip(&j);
	}
	cr_text_fini(&room);
}

static void
strings_read(struct firefox *x, struct cr_json j)
{
	struct cr_str s;

	x->strings.n = 0;
	if (!j.p || cr_json_kind(&j) != CR_JSON_ARRAY)
		return;
	cr_json_array(&j);
	while (cr_json_reader_step(&x->t, &j) && cr_json_item(&j)) {
		cr_json_text(&j, &s);
		cr_vec_push(&x->strings, ((struct string){s, false}));
	}
}

/* What frames refer to. */
struct functions {
	column func, line, depth, category, subcategory; /* of frames */
	column name, resource, source, file_name, lib;   /* of functions; of resources */
	column source_name;                              /* of sources */
};

static void
functions_read(struct firefox *x, const struct table *t, struct functions *f)
{
	struct cr_json func = {0}, line = {0}, depth = {0}, name = {0}, resource = {0};
	struct cr_json source = {0}, file_name = {0}, lib = {0}, source_name = {0};
	struct cr_json category = {0}, subcategory = {0};
	const struct member of_frames[] = {{"func", &func}, {"line", &line},
		{"inlineDepth", &depth}, {"category", &category}, {"subcategory", &subcategory}};
	const struct member of_functions[] = {{"name", &name}, {"resource", &resource},
		{"source", &source}, {"fileName", &file_name}};
	const struct member of_resources[] = {{"lib", &lib}},
			    of_sources[] = {{"filename", &source_name}};

	members_find(t->frames, of_frames, CR_LEN(of_frames));
	members_find(t->functions, of_functions, CR_LEN(of_functions));
	members_find(t->resources, of_resources, CR_LEN(of_resources));
	members_find(t->sources, of_sources, CR_LEN(of_sources));
	column_read(x, func, &f->func);
	column_read(x, line, &f->line);
	column_read(x, depth, &f->depth);
	column_read(x, category, &f->category);
	column_read(x, subcategory, &f->subcategory);
	column_read(x, name, &f->name);
	column_read(x, resource, &f->resource);
	column_read(x, source, &f->source);
	column_read(x, file_name, &f->file_name);
	column_read(x, lib, &f->lib);
	column_read(x, source_name, &f->source_name);
}

static void
functions_fini(struct functions *f)
{
	column *const all[] = {&f->func, &f->line, &f->depth, &f->category, &f->subcategory,
		&f->name, &f->resource, &f->source, &f->file_name, &f->lib, &f->source_name};

	for (size_t i = 0; i < CR_LEN(all); i++)
		cr_vec_fini(all[i]);
}

/*
 * Return the kind of code of a category that cresset wrote. For categories of other programs it is
 * by_name, the kind that the name suggests.
 */
static uint8_t
kind_of(int64_t category, int64_t subcategory, uint8_t by_name)
{
	enum { USER = 1, KERNEL, JIT };

	if (category == JIT)
		return CR_KIND_JIT;
	if (category == KERNEL)
		return subcategory == 1   ? CR_KIND_MODULE
		       : subcategory == 2 ? CR_KIND_BPF
					  : CR_KIND_KERNEL;
	if (category == USER)
		return subcategory == 1 ? CR_KIND_VDSO : CR_KIND_USER;
	return category == 0 ? CR_KIND_UNKNOWN : by_name;
}

/* The dso of a frame: row i of the frames, with a library. */
static cr_dso_id
dso_at(struct firefox *x, const struct functions *f, int64_t i)
{
	const int64_t lib = column_at(&f->lib, column_at(&f->resource, column_at(&f->func, i)));
	struct cr_dso dso;

	if (lib < 0 || (uint64_t)lib >= x->dsos.n)
		return CR_DSO_UNKNOWN;
	if (!x->is_own)
		return x->dsos.p[lib];
	dso = *cr_builder_dso_at(x->t.b, x->dsos.p[lib]);
	dso.kind = kind_of(column_at(&f->category, i), column_at(&f->subcategory, i), dso.kind);
	return cr_builder_dso(x->t.b, &dso);
}

static void
frames_read(struct firefox *x, const struct table *t)
{
	struct functions f = {0};

	functions_read(x, t, &f);
	x->frames.n = 0;
	for (size_t i = 0; i < f.func.n; i++) {
		const int64_t func = f.func.p[i], line = column_at(&f.line, (int64_t)i);
		const int64_t source = column_at(&f.source, func);
		const int64_t file = source >= 0 ? column_at(&f.source_name, source)
						 : column_at(&f.file_name, func);

		cr_vec_push(&x->frames,
			((struct frame){
				.name = string_at(x, column_at(&f.name, func)),
				.file = string_at(x, file),
				.dso = dso_at(x, &f, (int64_t)i),
				.line = line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0,
				.inlined = column_at(&f.depth, (int64_t)i) > 0,
			}));
	}
	functions_fini(&f);
}

/* The location of a stack: its function, and those that it is inlined into. */
static cr_location_id
location_of(struct firefox *x, const struct stack *s)
{
	struct cr_named named[MOST_INLINED];
	const struct frame *f;
	size_t n = 0;

	for (;; s = &x->stacks.p[s->up]) {
		f = &x->frames.p[s->frame];
		named[n] = (struct cr_named){f->name.len ? f->name : CR_STR("-"), f->file, f->line};
		if (++n == MOST_INLINED || !f->inlined || s->up == NONE)
			break;
	}
	return cr_builder_named_at(x->t.b, f->dso, 0, named, n);
}

static void
stack_add(struct firefox *x, int64_t frame, int64_t up)
{
	static const struct frame missing = {.name = {"[unknown]", 9}};
	struct stack new = {.up = up};

	if (frame < 0 || (uint64_t)frame >= x->frames.n) {
		cr_json_reader_report(&x->t, CR_REASON_MISSING_REF, &x->t.j);
		frame = (int64_t)x->frames.n;
		cr_vec_push(&x->frames, missing);
	}
	new.frame = (uint32_t)frame;
	new.above = CR_ROOT;
	if (up != NONE)
		new.above =
			x->frames.p[frame].inlined ? x->stacks.p[up].above : x->stacks.p[up].node;
	new.node = cr_builder_push(x->t.b, new.above, location_of(x, &new));
	cr_vec_push(&x->stacks, new);
}

static void
stacks_read(struct firefox *x, const struct table *t)
{
	struct cr_json frame = {0}, prefix = {0}, offset = {0};
	const struct member members[] = {
		{"frame", &frame}, {"prefix", &prefix}, {"prefixOffset", &offset}};
	column frames = {0}, ups = {0};

	members_find(t->stacks, members, CR_LEN(members));
	column_read(x, frame, &frames);
	column_read(x, offset.p ? offset : prefix, &ups);
	x->stacks.n = 0;
	for (size_t i = 0; i < frames.n && cr_json_reader_step(&x->t, &x->t.j); i++) {
		int64_t up = column_at(&ups, (int64_t)i);

		if (offset.p && up != NONE)
			up = up > 0 ? (int64_t)i - up : NONE;
		if (up != NONE && (up < 0 || (uint64_t)up >= i)) { /* callers come first */
			cr_json_reader_report(&x->t, CR_REASON_MISSING_REF, &t->stacks);
			up = NONE;
		}
		stack_add(x, frames.p[i], up);
	}
	cr_vec_fini(&frames);
	cr_vec_fini(&ups);
}

static void
tables_read(struct firefox *x, const struct table *t)
{
	if (t->strings.p && t->strings.p != x->shared.strings.p)
		strings_read(x, t->strings);
	frames_read(x, t);
	stacks_read(x, t);
}

/* ---- threads */

/* True if a weight has a fraction. */
static bool
has_fractions(struct cr_json j)
{
	struct cr_decimal d;

	if (!j.p || cr_json_kind(&j) != CR_JSON_ARRAY)
		return false;
	cr_json_array(&j);
	while (cr_json_item(&j))
		if (cr_json_reader_number(&j, 0, &d) && !d.exact)
			return true;
	return false;
}

static void
measure_choose(struct firefox *x, struct thread *th, const struct samples *s,
	const struct cr_own_list *own)
{
	const bool time = cr_str_eq(s->type, CR_STR("tracing-ms"));
	struct cr_str unit = cr_str_of(x->t.opts->unit ? x->t.opts->unit : "samples"), name = unit;

	if (time)
		name = CR_STR("time"), unit = CR_STR("ns");
	else if (cr_str_eq(s->type, CR_STR("bytes")))
		name = unit = CR_STR("bytes");
	else if (has_fractions(s->weight))
		name = CR_STR("fractions"), unit = CR_STR("millionths");
	th->event = own->has_event ? own->event : cr_builder_event(x->t.b, name, unit);
	if (own->has_event)
		unit = own->unit;
	th->divide = time && cr_str_eq(unit, CR_STR("s")) ? 1000 : 1;
	if (time)
		th->scale = cr_str_eq(unit, CR_STR("ns"))   ? 6
			    : cr_str_eq(unit, CR_STR("us")) ? 3
							    : 0;
	else
		th->scale = cr_str_eq(unit, CR_STR("millionths")) ? 6 : 0;
}

/* The next time in nanoseconds from the start, or the time since the last sample. */
static void
time_read(struct samples *s, uint64_t *at)
{
	struct cr_json *j = s->time.p ? &s->time : &s->deltas;
	struct cr_decimal d;

	if (!j->p || !cr_json_item(j) || !cr_json_reader_number(j, 6, &d))
		return;
	if (s->time.p)
		*at = d.negative ? 0 : d.value;
	else
		*at = d.negative ? *at - CR_MIN(*at, d.value) : cr_add_sat(*at, d.value);
}

/* Read the next weight; false if it is none or not positive. */
static bool
weight_read(struct firefox *x, const struct thread *th, struct samples *s, uint64_t *weight)
{
	const struct cr_json place = s->weight;
	struct cr_decimal d;

	*weight = 1;
	if (!s->weight.p)
		return true;
	if (!cr_json_item(&s->weight) || !cr_json_reader_number(&s->weight, th->scale, &d)) {
		cr_json_reader_report(&x->t, CR_REASON_STACK_WITHOUT_COUNT, &place);
		return false;
	}
	if (d.negative && d.value)
		cr_json_reader_report(&x->t, CR_REASON_NEGATIVE, &place);
	*weight = d.negative ? 0 : d.value / th->divide;
	return *weight > 0;
}

/* The node of the next stack; a sample may have none. */
static cr_node_id
stack_read(struct firefox *x, struct cr_json *j)
{
	const struct cr_json place = *j;
	const int64_t row = integer_read(j);

	if (row >= 0 && (uint64_t)row < x->stacks.n)
		return x->stacks.p[row].node;
	if (row != NONE)
		cr_json_reader_report(&x->t, CR_REASON_MISSING_REF, &place);
	return CR_ROOT;
}

static void
list_open(struct cr_json *j)
{
	if (j->p && cr_json_kind(j) == CR_JSON_ARRAY)
		cr_json_array(j);
	else
		j->p = NULL;
}

static void
samples_add(struct firefox *x, const struct thread *th, struct samples *s)
{
	const bool times = th->start_ns != 0;
	uint64_t at = 0, weight;

	list_open(&s->stack);
	list_open(&s->time);
	list_open(&s->deltas);
	list_open(&s->weight);
	while (s->stack.p && cr_json_reader_step(&x->t, &s->stack) && cr_json_item(&s->stack)) {
		const cr_node_id node = stack_read(x, &s->stack);

		time_read(s, &at);
		if (!weight_read(x, th, s, &weight))
			continue;
		cr_builder_sample(x->t.b,
			&(struct cr_sample){.time_ns = times ? cr_add_sat(th->start_ns, at) : 0,
				.weight = weight,
				.node = node,
				.task = th->task,
				.event = th->event,
				.cpu = CR_CPU_NONE});
	}
	if (times)
		cr_builder_flags(x->t.b, CR_PROFILE_HAS_TIME);
}

/* "12", 12, or "12.2" for what thread 12 did under another name. */
static int32_t
id_read(struct cr_json j)
{
	struct cr_str raw;
	uint64_t id = 0;
	uint32_t n = 0;

	if (!j.p || !cr_json_text(&j, &raw))
		return -1;
	while (n < raw.len && raw.p[n] >= '0' && raw.p[n] <= '9' && id <= INT32_MAX)
		id = id * 10 + (uint64_t)(raw.p[n++] - '0');
	return n && id <= INT32_MAX ? (int32_t)id : -1;
}

static void
thread_read(struct firefox *x, struct cr_json j, uint64_t start_ns)
{
	struct cr_json name = {0}, pid = {0}, tid = {0}, samples = {0}, own_at = {0}, type = {0};
	const struct member members[] = {{"name", &name}, {"pid", &pid}, {"tid", &tid},
		{"samples", &samples}, {"cresset", &own_at}};
	struct thread th = {.start_ns = start_ns};
	struct table tables = {{0}};
	struct samples s = {.type = CR_STR("")};
	const struct member columns[] = {{"stack", &s.stack}, {"time", &s.time},
		{"timeDeltas", &s.deltas}, {"weight", &s.weight}, {"weightType", &type}};
	struct cr_own_list own;
	struct cr_str comm = CR_STR("");

	members_find(j, members, CR_LEN(members));
	members_find(samples, columns, CR_LEN(columns));
	tables_find(j, &tables);
	if (tables.stacks.p)
		tables_read(x, &tables);
	if (type.p)
		cr_json_text(&type, &s.type);
	if (name.p)
		cr_json_text(&name, &comm);
	cr_own_list_read(&x->t, own_at, &own);
	measure_choose(x, &th, &s, &own);
	th.task = own.has_thread || own.known
			  ? own.task
			  : cr_builder_task(x->t.b, id_read(pid), id_read(tid),
				    cr_json_plain(comm, &x->t.room), x->t.space);
	if (own.known)
		th.start_ns = own.start_ns;
	x->has_threads |= own.has_thread;
	x->by_comm |= own.by_comm;
	samples_add(x, &th, &s);
}

/* ---- header */

/* In a file of cresset, the header fields of the recording. */
static void
facts_read(struct firefox *x, struct cr_json j)
{
	struct cr_json entries = {0};
	const struct member members[] = {{"entries", &entries}};

	list_open(&j);
	if (j.p && cr_json_item(&j))
		members_find(j, members, 1);
	list_open(&entries);
	while (entries.p && cr_json_item(&entries)) {
		struct cr_json label = {0}, value = {0};
		const struct member pair[] = {{"label", &label}, {"value", &value}};
		struct cr_str key = CR_STR("");

		members_find(entries, pair, CR_LEN(pair));
		if (label.p && cr_json_text(&label, &key) && value.p) {
			char *name = cr_memdup(key.len ? key.p : "", key.len);

			cr_builder_fact(x->t.b, name, cr_json_reader_plain(&x->t, &value));
			free(name);
		}
		cr_json_skip(&entries);
	}
}

/* Returns when the recording began, in nanoseconds since 1970; at least 1. */
static uint64_t
meta_read(struct firefox *x)
{
	struct cr_json start = {0}, product = {0}, from = {0}, extra = {0};
	const struct member members[] = {{"startTime", &start}, {"product", &product},
		{"importedFrom", &from}, {"extra", &extra}};
	struct cr_str writer = CR_STR("");
	struct cr_decimal d = {0};

	members_find(x->meta, members, CR_LEN(members));
	if (product.p)
		cr_builder_fact(x->t.b, "name", cr_json_reader_plain(&x->t, &product));
	if (from.p && cr_json_text(&from, &writer))
		cr_builder_fact(x->t.b, "exporter", cr_json_plain(writer, &x->t.room));
	x->is_own = cr_str_starts(writer, "cresset ");
	if (x->is_own)
		facts_read(x, extra);
	if (start.p && cr_json_reader_number(&start, 6, &d) && !d.negative && d.value)
		return d.value;
	return 1;
}

static int
read_firefox(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct firefox x = {.dsos = {0}};
	struct cr_json shared = {0};
	const struct member members[] = {
		{"meta", &x.meta}, {"libs", &x.libs}, {"shared", &shared}, {"threads", &x.threads}};
	uint64_t start_ns;

	cr_json_reader_open(&x.t, in, b, opts);
	members_find(x.t.j, members, CR_LEN(members));
	cr_json_skip(&x.t.j);
	start_ns = meta_read(&x);
	libs_read(&x);
	tables_find(shared, &x.shared);
	strings_read(&x, x.shared.strings);
	if (x.shared.stacks.p)
		tables_read(&x, &x.shared);
	list_open(&x.threads);
	while (x.threads.p && !x.t.stopped && cr_json_item(&x.threads)) {
		thread_read(&x, x.threads, start_ns);
		cr_json_skip(&x.threads);
	}
	if (!x.is_own || x.has_threads)
		cr_builder_flags(b, CR_PROFILE_HAS_TASK);
	if (x.is_own && !x.by_comm)
		cr_builder_flags(b, CR_PROFILE_NO_COMM_ROOT);
	cr_vec_fini(&x.dsos);
	cr_vec_fini(&x.strings);
	cr_arena_fini(&x.made);
	cr_vec_fini(&x.frames);
	cr_vec_fini(&x.stacks);
	return cr_json_reader_close(&x.t, err);
}

/* The version of processed profiles is in the first member. */
static unsigned
probe_firefox(const struct cr_head *head, uint64_t *line)
{
	struct cr_str key;
	struct cr_json j;

	cr_json_init(&j, head->p, head->len);
	if (cr_json_kind(&j) != CR_JSON_OBJECT)
		return 0;
	*line = 1;
	cr_json_object(&j);
	while (cr_json_key(&j, &key)) {
		struct cr_json version = {0}, meta = j;
		const struct member members[] = {{"preprocessedProfileVersion", &version}};

		if (cr_str_eq(key, CR_STR("meta"))) {
			members_find(meta, members, 1);
			return version.p ? CR_EVIDENCE_SIGNATURE : 0;
		}
		cr_json_skip(&j);
	}
	return 0;
}

const struct cr_reader cr_reader_firefox = {
	.name = "firefox",
	.about = "profiles of the Firefox Profiler and samply, JSON",
	.heads = CR_HEAD_JSON,
	.probe = probe_firefox,
	.read = read_firefox,
};
