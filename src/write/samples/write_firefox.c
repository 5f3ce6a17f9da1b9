#include "base/hash.h"
#include "model/build/string_table.h"
#include "thread_samples_p.h"

#include <stdlib.h>

/*
 * A processed profile of the Firefox Profiler, version 66. Newer viewers convert old versions and
 * refuse new ones, so this version stays.
 *
 * Every thread has a list of samples for each of its events; a list is a thread of the file. Tables
 * are columns. What the format has no room for is a member "cresset" of each thread, which viewers
 * ignore.
 */
#define FORMAT_VERSION 66
#define GECKO_VERSION 24 /* of the browser's own profiles; viewers look at it only in those */

/* Categories, which the viewer draws in their colours, with their first subcategory "Other". */
enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_JIT };

static const struct {
	const char *name, *color;
	const char *more[2]; /* further subcategories */
} categories[] = {
	[CATEGORY_OTHER] = {"Other", "grey", {NULL}},
	[CATEGORY_USER] = {"User", "yellow", {"vdso"}},
	[CATEGORY_KERNEL] = {"Kernel", "orange", {"Module", "BPF"}},
	[CATEGORY_JIT] = {"JIT", "green", {NULL}},
};

static const struct {
	uint8_t category, subcategory;
} category_of[CR_KINDS] = {
	[CR_KIND_UNKNOWN] = {CATEGORY_OTHER, 0},
	[CR_KIND_USER] = {CATEGORY_USER, 0},
	[CR_KIND_KERNEL] = {CATEGORY_KERNEL, 0},
	[CR_KIND_MODULE] = {CATEGORY_KERNEL, 1},
	[CR_KIND_VDSO] = {CATEGORY_USER, 1},
	[CR_KIND_JIT] = {CATEGORY_JIT, 0},
	[CR_KIND_BPF] = {CATEGORY_KERNEL, 2},
	[CR_KIND_GROUP] = {CATEGORY_OTHER, 0},
};

struct function {
	uint32_t name;              /* strings */
	uint32_t library1, source1; /* + 1; 0: none */
};

struct firefox {
	const struct cr_write_in *in;
	const struct cr_profile *p;
	const struct cr_tree *t;
	struct cr_thread_samples samples;
	struct cr_strings strings;   /* the file has each once */
	struct cr_strings libraries; /* dsos */
	struct cr_strings sources;   /* files */
	uint32_t *number1;           /* by frame of the tree: its row, + 1; 0: in no stack */
	CR_VEC(uint32_t) frames;     /* by row */
	CR_VEC(uint32_t) function;   /* by row: its function */
	CR_VEC(struct function) functions;
	struct cr_index by_function;
	struct cr_strings ids; /* pid and tid of threads */
	struct cr_arena id_texts;
	CR_VEC(uint32_t) id_uses; /* by row of `ids` */
	uint64_t start_ns;        /* times in the file count from here */
	struct cr_text text;
	struct cr_json_out json;
	struct cr_sink *out;
	struct cr_err *err;
	int rc;
};

/* ---- tables */

static uint32_t
function_of(struct firefox *x, const struct cr_frame *f)
{
	struct function new = {.name = cr_strings_intern(&x->strings, NULL, f->name)};
	uint64_t h;
	uint32_t row;

	if (f->dso.len)
		new.library1 = cr_strings_intern(&x->libraries, NULL, f->dso) + 1;
	if (f->file.len)
		new.source1 = cr_strings_intern(&x->sources, NULL, f->file) + 1;
	h = cr_hash_mix(new.name, cr_hash_mix(new.library1, new.source1));
	cr_index_each(&x->by_function, h, row)
		if (memcmp(&x->functions.p[row], &new, sizeof(new)) == 0)
			return row;
	row = (uint32_t)x->functions.n;
	cr_vec_push(&x->functions, new);
	cr_index_add(&x->by_function, h, row);
	return row;
}

/* Number what the stacks need, in the order of the stacks. */
static void
tables_find(struct firefox *x)
{
	x->number1 = cr_alloc(x->t->n_frames, sizeof(*x->number1));
	for (uint32_t n = 1; n < x->t->n; n++) {
		const uint32_t frame = x->t->frame[n];

		if (x->number1[frame])
			continue;
		cr_vec_push(&x->frames, frame);
		cr_vec_push(&x->function, function_of(x, &x->t->frames[frame]));
		x->number1[frame] = (uint32_t)x->frames.n;
	}
}

/* The earliest time; 0 if there are no times. */
static void
start_find(struct firefox *x)
{
	const uint64_t *times = cr_column_times(x->p);

	for (size_t i = 0; i < x->samples.lists.n; i++) {
		const struct cr_thread_list *l = &x->samples.lists.p[i];

		for (uint64_t k = l->first; k < l->first + l->n; k++) {
			const uint64_t at = times[x->samples.row[k]];

			if (at && (!x->start_ns || at < x->start_ns))
				x->start_ns = at;
		}
	}
}

/* ---- columns */

/* After each value: pass a large text on. */
static void
flush(struct firefox *x)
{
	if (x->rc == CR_OK)
		x->rc = cr_sink_large(x->out, &x->text, x->err);
}

/* A column whose i-th value `put` writes. */
static void
put_column(struct firefox *x, const char *key, size_t n, void (*put)(struct firefox *, size_t))
{
	cr_json_out_key(&x->json, key);
	cr_json_out_open(&x->json, '#');
	for (size_t i = 0; x->rc == CR_OK && i < n; i++) {
		put(x, i);
		flush(x);
	}
	cr_json_out_close(&x->json);
}

static void
put_null(struct firefox *x, size_t i)
{
	(void)i;
	cr_json_out_null(&x->json);
}

static void
put_zero(struct firefox *x, size_t i)
{
	(void)i;
	cr_json_out_u64(&x->json, 0);
}

static void
put_one(struct firefox *x, size_t i)
{
	(void)i;
	cr_json_out_u64(&x->json, 1);
}

static void
put_minus_one(struct firefox *x, size_t i)
{
	(void)i;
	cr_json_out_i64(&x->json, -1);
}

static void
put_false(struct firefox *x, size_t i)
{
	(void)i;
	cr_json_out_bool(&x->json, false);
}

/* A row of another table, + 1; 0 is `none`. */
static void
put_row(struct firefox *x, uint32_t row1)
{
	if (row1)
		cr_json_out_u64(&x->json, row1 - 1);
	else
		cr_json_out_null(&x->json);
}

static void
open_table(struct firefox *x, const char *key, uint64_t n)
{
	cr_json_out_line(&x->json, "");
	cr_json_out_key(&x->json, key);
	cr_json_out_open(&x->json, '{');
	cr_json_out_u64_of(&x->json, "length", n);
}

/* ---- shared tables */

static const struct cr_frame *
frame_at(const struct firefox *x, size_t i)
{
	return &x->t->frames[x->frames.p[i]];
}

static void
put_category(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, category_of[frame_at(x, i)->kind].category);
}

static void
put_subcategory(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, category_of[frame_at(x, i)->kind].subcategory);
}

static void
put_function(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, x->function.p[i]);
}

/* Frames have no addresses, so there is one depth only. */
static void
put_inlined(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, frame_at(x, i)->inlined);
}

static void
put_line(struct firefox *x, size_t i)
{
	if (frame_at(x, i)->line)
		cr_json_out_u64(&x->json, frame_at(x, i)->line);
	else
		cr_json_out_null(&x->json);
}

static void
put_frames(struct firefox *x)
{
	const size_t n = x->frames.n;

	open_table(x, "frameTable", n);
	put_column(x, "address", n, put_minus_one);
	put_column(x, "inlineDepth", n, put_inlined);
	put_column(x, "category", n, put_category);
	put_column(x, "subcategory", n, put_subcategory);
	put_column(x, "func", n, put_function);
	put_column(x, "nativeSymbol", n, put_null);
	put_column(x, "innerWindowID", n, put_zero);
	put_column(x, "line", n, put_line);
	put_column(x, "column", n, put_null);
	put_column(x, "originalLocation", n, put_null);
	cr_json_out_close(&x->json);
}

static void
put_function_name(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, x->functions.p[i].name);
}

/* Libraries and their resources have the same rows. */
static void
put_function_resource(struct firefox *x, size_t i)
{
	cr_json_out_i64(&x->json, (int64_t)x->functions.p[i].library1 - 1);
}

static void
put_function_source(struct firefox *x, size_t i)
{
	put_row(x, x->functions.p[i].source1);
}

static void
put_functions(struct firefox *x)
{
	const size_t n = x->functions.n;

	open_table(x, "funcTable", n);
	put_column(x, "name", n, put_function_name);
	put_column(x, "isJS", n, put_false);
	put_column(x, "relevantForJS", n, put_false);
	put_column(x, "resource", n, put_function_resource);
	put_column(x, "source", n, put_function_source);
	put_column(x, "lineNumber", n, put_null);
	put_column(x, "columnNumber", n, put_null);
	put_column(x, "originalLocation", n, put_null);
	cr_json_out_close(&x->json);
}

static void
put_row_number(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, i);
}

static void
put_library_name(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json,
		cr_strings_intern(&x->strings, NULL, cr_str_basename(x->libraries.rows.p[i])));
}

static void
put_resources(struct firefox *x)
{
	const size_t n = x->libraries.rows.n;

	open_table(x, "resourceTable", n);
	put_column(x, "lib", n, put_row_number);
	put_column(x, "name", n, put_library_name);
	put_column(x, "host", n, put_null);
	put_column(x, "type", n, put_one);
	cr_json_out_close(&x->json);
}

static void
put_source_name(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, cr_strings_intern(&x->strings, NULL, x->sources.rows.p[i]));
}

static void
put_sources(struct firefox *x)
{
	const size_t n = x->sources.rows.n;

	open_table(x, "sources", n);
	put_column(x, "id", n, put_null);
	put_column(x, "filename", n, put_source_name);
	put_column(x, "startLine", n, put_one);
	put_column(x, "startColumn", n, put_one);
	put_column(x, "sourceMapURL", n, put_null);
	put_column(x, "content", n, put_null);
	cr_json_out_close(&x->json);
}

/* Stack i is node i + 1: the root is no stack. */
static void
put_stack_frame(struct firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, x->number1[x->t->frame[i + 1]] - 1);
}

static void
put_prefix_offset(struct firefox *x, size_t i)
{
	const uint32_t up = x->t->parent[i + 1];

	cr_json_out_u64(&x->json, up ? i + 1 - up : 0);
}

static void
put_stacks(struct firefox *x)
{
	open_table(x, "stackTable", x->t->n - 1);
	put_column(x, "frame", x->t->n - 1, put_stack_frame);
	put_column(x, "prefixOffset", x->t->n - 1, put_prefix_offset);
	cr_json_out_close(&x->json);
}

static void
put_string(struct firefox *x, size_t i)
{
	cr_json_out_text(&x->json, x->strings.rows.p[i]);
}

/* Strings come last, when all of them are known. */
static void
put_shared(struct firefox *x)
{
	cr_json_out_line(&x->json, "");
	cr_json_out_key(&x->json, "shared");
	cr_json_out_open(&x->json, '{');
	put_stacks(x);
	put_frames(x);
	put_functions(x);
	put_resources(x);
	open_table(x, "nativeSymbols", 0);
	put_column(x, "libIndex", 0, put_null);
	put_column(x, "address", 0, put_null);
	put_column(x, "name", 0, put_null);
	put_column(x, "functionSize", 0, put_null);
	cr_json_out_close(&x->json);
	put_sources(x);
	open_table(x, "sourceLocationTable", 0);
	put_column(x, "source", 0, put_null);
	put_column(x, "line", 0, put_null);
	put_column(x, "column", 0, put_null);
	cr_json_out_close(&x->json);
	cr_json_out_line(&x->json, "");
	put_column(x, "stringArray", x->strings.rows.n, put_string);
	cr_json_out_close(&x->json);
}

/* ---- header */

static void
put_categories(struct firefox *x)
{
	cr_json_out_key(&x->json, "categories");
	cr_json_out_open(&x->json, '[');
	for (size_t i = 0; i < CR_LEN(categories); i++) {
		cr_json_out_open(&x->json, '{');
		cr_json_out_text_of(&x->json, "name", cr_str_of(categories[i].name));
		cr_json_out_text_of(&x->json, "color", cr_str_of(categories[i].color));
		cr_json_out_key(&x->json, "subcategories");
		cr_json_out_open(&x->json, '[');
		cr_json_out_text(&x->json, CR_STR("Other"));
		for (size_t k = 0; k < CR_LEN(categories[i].more) && categories[i].more[k]; k++)
			cr_json_out_text(&x->json, cr_str_of(categories[i].more[k]));
		cr_json_out_close(&x->json);
		cr_json_out_close(&x->json);
	}
	cr_json_out_close(&x->json);
}

/* True for a field that has a member of its own, or tells how the input was read. */
static bool
is_left_out(struct cr_str key)
{
	static const char *const keys[] = {"name", "exporter", "main event", "source",
		"source format", "detected by", "file written"};

	for (size_t i = 0; i < CR_LEN(keys); i++)
		if (cr_str_eq(key, cr_str_of(keys[i])))
			return true;
	return false;
}

/* The header fields of the recording, which the viewer shows in a panel. */
static void
put_facts(struct firefox *x)
{
	cr_json_out_key(&x->json, "extra");
	cr_json_out_open(&x->json, '[');
	cr_json_out_open(&x->json, '{');
	cr_json_out_text_of(&x->json, "label", CR_STR("Recording"));
	cr_json_out_key(&x->json, "entries");
	cr_json_out_open(&x->json, '[');
	for (uint32_t i = 0; i < x->p->n_facts; i++) {
		if (is_left_out(x->p->facts[i].key))
			continue;
		cr_json_out_open(&x->json, '{');
		cr_json_out_text_of(&x->json, "label", x->p->facts[i].key);
		cr_json_out_text_of(&x->json, "format", CR_STR("string"));
		cr_json_out_text_of(&x->json, "value", x->p->facts[i].value);
		cr_json_out_close(&x->json);
	}
	cr_json_out_close(&x->json);
	cr_json_out_close(&x->json);
	cr_json_out_close(&x->json);
}

static void
put_empty(struct firefox *x, const char *key)
{
	cr_json_out_key(&x->json, key);
	cr_json_out_open(&x->json, '[');
	cr_json_out_close(&x->json);
}

static void
put_true(struct firefox *x, const char *key)
{
	cr_json_out_key(&x->json, key);
	cr_json_out_bool(&x->json, true);
}

static void
put_units(struct firefox *x)
{
	cr_json_out_key(&x->json, "sampleUnits");
	cr_json_out_open(&x->json, '{');
	cr_json_out_text_of(&x->json, "time", CR_STR("ms"));
	cr_json_out_text_of(&x->json, "eventDelay", CR_STR("ms"));
	cr_json_out_text_of(&x->json, "threadCPUDelta", CR_STR("ns"));
	cr_json_out_close(&x->json);
}

static void
put_meta(struct firefox *x)
{
	const struct cr_str title = cr_str_of(x->in->title ? x->in->title : "");
	const struct cr_str name = cr_profile_fact(x->p, "name");

	cr_json_out_key(&x->json, "meta");
	cr_json_out_open(&x->json, '{');
	cr_json_out_u64_of(&x->json, "preprocessedProfileVersion", FORMAT_VERSION);
	cr_json_out_u64_of(&x->json, "version", GECKO_VERSION);
	cr_json_out_text_of(&x->json, "product", name.len ? name : title);
	cr_json_out_text_of(&x->json, "importedFrom", CR_STR("cresset " PACKAGE_VERSION));
	cr_json_out_text_of(&x->json, "query", cr_str_of(x->in->query ? x->in->query : ""));
	cr_json_out_text_of(&x->json, "arguments", cr_profile_fact(x->p, "cmdline"));
	cr_json_out_text_of(&x->json, "oscpu", cr_profile_fact(x->p, "arch"));
	cr_json_out_u64_of(&x->json, "interval", 1);
	cr_json_out_u64_of(&x->json, "startTime", cr_sample_date_ns(x->p) / 1000000);
	cr_json_out_u64_of(&x->json, "processType", 0);
	cr_json_out_u64_of(&x->json, "stackwalk", 1);
	put_true(x, "symbolicated");
	put_true(x, "symbolicationNotSupported");
	put_true(x, "usesOnlyOneStackType");
	put_true(x, "sourceCodeIsNotOnSearchfox");
	put_units(x);
	put_empty(x, "markerSchema");
	put_empty(x, "pausedRanges");
	put_categories(x);
	put_facts(x);
	cr_json_out_close(&x->json);
}

/*
 * An identifier of 16 bytes as Breakpad has it, for symbol servers: the first three numbers of it
 * are little endian; followed by the age 0.
 */
static void
put_breakpad_id(struct firefox *x, const struct cr_dso *d)
{
	static const uint8_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	struct cr_text id = {0};

	for (size_t i = 0; d->build_id_len >= sizeof(order) && i < sizeof(order); i++)
		cr_text_printf(&id, "%02X", d->build_id[order[i]]);
	if (id.len)
		cr_text_char(&id, '0');
	cr_json_out_text_of(&x->json, "breakpadId", cr_text_view(&id));
	cr_text_fini(&id);
}

static void
put_library(struct firefox *x, struct cr_str path)
{
	static const struct cr_dso unknown;
	const struct cr_dso *d = cr_sample_dso(x->p, path);
	struct cr_text id = {0};

	cr_json_out_open(&x->json, '{');
	cr_json_out_text_of(&x->json, "arch", cr_profile_fact(x->p, "arch"));
	cr_json_out_text_of(&x->json, "name", cr_str_basename(path));
	cr_json_out_text_of(&x->json, "path", path);
	cr_json_out_text_of(&x->json, "debugName", cr_str_basename(path));
	cr_json_out_text_of(&x->json, "debugPath", path);
	put_breakpad_id(x, d ? d : &unknown);
	cr_json_out_key(&x->json, "codeId");
	if (d && d->build_id_len) {
		cr_sample_build_id(d, &id);
		cr_json_out_text(&x->json, cr_text_view(&id));
	} else {
		cr_json_out_null(&x->json);
	}
	cr_json_out_close(&x->json);
	cr_text_fini(&id);
}

static void
put_libraries(struct firefox *x)
{
	cr_json_out_line(&x->json, "");
	cr_json_out_key(&x->json, "libs");
	cr_json_out_open(&x->json, '[');
	for (size_t i = 0; i < x->libraries.rows.n; i++) {
		cr_json_out_line(&x->json, "");
		put_library(x, x->libraries.rows.p[i]);
		flush(x);
	}
	cr_json_out_close(&x->json);
}

/* ---- threads */

/* The units of weights that the viewer knows; a unit of time is written in milliseconds. */
struct weight_type {
	const char *unit, *name;
	unsigned places; /* of the decimal fraction */
	uint64_t factor;
};

static const struct weight_type *
weight_type_of(const struct cr_event *e)
{
	static const struct weight_type types[] = {
		{"ns", "tracing-ms", 6, 1},
		{"us", "tracing-ms", 3, 1},
		{"ms", "tracing-ms", 0, 1},
		{"s", "tracing-ms", 0, 1000},
		{"bytes", "bytes", 0, 1},
		{"millionths", "samples", 6, 1},
		{NULL, "samples", 0, 1},
	};
	size_t i = 0;

	while (types[i].unit && !cr_str_eq(e->unit, cr_str_of(types[i].unit)))
		i++;
	return &types[i];
}

/* Times count from the sample before. Without times a sample lasts a millisecond. */
static void
put_times(struct firefox *x, const struct cr_thread_list *l)
{
	const uint64_t *times = cr_column_times(x->p), *row = x->samples.row + l->first;
	uint64_t last = x->start_ns;

	cr_json_out_key(&x->json, "timeDeltas");
	cr_json_out_open(&x->json, '#');
	for (uint64_t i = 0; x->rc == CR_OK && i < l->n; i++, flush(x)) {
		const uint64_t at = times[row[i]] ? times[row[i]] : last;

		if (x->start_ns)
			cr_json_out_decimal(
				&x->json, (int64_t)CR_MIN(at - last, (uint64_t)INT64_MAX), 6);
		else
			cr_json_out_u64(&x->json, i > 0);
		last = at;
	}
	cr_json_out_close(&x->json);
}

static void
put_weights(struct firefox *x, const struct cr_thread_list *l)
{
	const uint64_t *weights = cr_column_weights(x->p), *row = x->samples.row + l->first;
	const struct weight_type *type = weight_type_of(&x->p->events[l->event]);

	cr_json_out_text_of(&x->json, "weightType", cr_str_of(type->name));
	cr_json_out_key(&x->json, "weight");
	cr_json_out_open(&x->json, '#');
	for (uint64_t i = 0; x->rc == CR_OK && i < l->n; i++, flush(x)) {
		uint64_t w = 0;

		if (!cr_mul_ok(weights[row[i]], type->factor, &w))
			w = INT64_MAX;
		cr_json_out_decimal(
			&x->json, (int64_t)CR_MIN(w, (uint64_t)INT64_MAX), type->places);
	}
	cr_json_out_close(&x->json);
}

static void
put_samples(struct firefox *x, const struct cr_thread_list *l)
{
	const uint64_t *row = x->samples.row + l->first;

	open_table(x, "samples", l->n);
	cr_json_out_key(&x->json, "stack");
	cr_json_out_open(&x->json, '#');
	for (uint64_t i = 0; x->rc == CR_OK && i < l->n; i++, flush(x))
		put_row(x, x->in->place[row[i]]);
	cr_json_out_close(&x->json);
	put_times(x, l);
	put_weights(x, l);
	cr_json_out_close(&x->json);
}

static void
put_markers(struct firefox *x)
{
	static const char *const columns[] = {
		"data", "name", "startTime", "endTime", "phase", "category"};

	open_table(x, "markers", 0);
	for (size_t i = 0; i < CR_LEN(columns); i++)
		put_empty(x, columns[i]);
	cr_json_out_close(&x->json);
}

/* How many threads with this pid and tid were written before. */
static uint32_t
threads_before(struct firefox *x, const struct cr_sample_thread *t)
{
	struct cr_text key = {0};
	uint32_t row;

	cr_text_printf(&key, "%d %d", t->pid, t->tid);
	row = cr_strings_intern(&x->ids, &x->id_texts, cr_text_view(&key));
	cr_text_fini(&key);
	if (row == x->id_uses.n)
		cr_vec_push(&x->id_uses, 0);
	return x->id_uses.p[row]++;
}

/*
 * A number may occur once in a file: a thread's further events, and what it did under further
 * names, are threads 12.2, 12.3 and so on.
 */
static void
put_ids(struct firefox *x, const struct cr_thread_list *l)
{
	const struct cr_sample_thread *t = &x->samples.threads.rows[l->thread];
	const uint32_t before = threads_before(x, t);
	struct cr_text id = {0};

	cr_text_printf(&id, "%d", t->pid >= 0 ? t->pid : 0);
	cr_json_out_text_of(&x->json, "pid", cr_text_view(&id));
	cr_text_clear(&id);
	cr_text_printf(&id, "%d", t->tid >= 0 ? t->tid : 0);
	if (before)
		cr_text_printf(&id, ".%u", before + 1);
	cr_json_out_text_of(&x->json, "tid", cr_text_view(&id));
	cr_json_out_key(&x->json, "isMainThread");
	cr_json_out_bool(&x->json, !before && t->pid == t->tid);
	cr_text_fini(&id);
}

/* "nginx", or "nginx (cycles)" if there are several events. */
static void
put_name(struct firefox *x, const struct cr_thread_list *l)
{
	const struct cr_str comm = x->samples.threads.rows[l->thread].comm;
	struct cr_text name = {0};

	cr_text_str(&name, comm.len ? comm : x->p->events[l->event].name);
	if (comm.len && x->p->n_events > 1) {
		cr_text_puts(&name, " (");
		cr_text_str(&name, x->p->events[l->event].name);
		cr_text_char(&name, ')');
	}
	cr_json_out_text_of(&x->json, "name", cr_text_view(&name));
	cr_json_out_text_of(&x->json, "processName", comm);
	cr_text_fini(&name);
}

static void
put_thread(struct firefox *x, size_t list)
{
	const struct cr_thread_list *l = &x->samples.lists.p[list];

	cr_json_out_line(&x->json, "");
	cr_json_out_open(&x->json, '{');
	put_name(x, l);
	put_ids(x, l);
	cr_json_out_text_of(&x->json, "processType", CR_STR("default"));
	cr_json_out_u64_of(&x->json, "processStartupTime", 0);
	cr_json_out_key(&x->json, "processShutdownTime");
	cr_json_out_null(&x->json);
	cr_json_out_u64_of(&x->json, "registerTime", 0);
	cr_json_out_key(&x->json, "unregisterTime");
	cr_json_out_null(&x->json);
	put_empty(x, "pausedRanges");
	cr_json_out_key(&x->json, "cresset");
	cr_json_out_open(&x->json, '{');
	cr_thread_list_own(&x->samples, l, x->p, &x->json);
	if (x->start_ns)
		cr_json_out_u64_of(&x->json, "start_ns", x->start_ns);
	cr_json_out_close(&x->json);
	put_markers(x);
	put_samples(x, l);
	cr_json_out_close(&x->json);
}

static int
put_file(struct firefox *x)
{
	cr_json_out_open(&x->json, '{');
	put_meta(x);
	put_libraries(x);
	put_empty(x, "pages");
	put_empty(x, "counters");
	put_empty(x, "profilerOverhead");
	put_shared(x);
	cr_json_out_line(&x->json, "");
	cr_json_out_key(&x->json, "threads");
	cr_json_out_open(&x->json, '[');
	for (size_t i = 0; x->rc == CR_OK && i < x->samples.lists.n; i++)
		put_thread(x, i);
	cr_json_out_close(&x->json);
	cr_json_out_close(&x->json);
	cr_text_char(&x->text, '\n');
	return x->rc == CR_OK ? cr_sink_text(x->out, &x->text, x->err) : x->rc;
}

static void
firefox_fini(struct firefox *x)
{
	cr_thread_samples_fini(&x->samples);
	cr_strings_fini(&x->strings);
	cr_strings_fini(&x->libraries);
	cr_strings_fini(&x->sources);
	cr_strings_fini(&x->ids);
	cr_arena_fini(&x->id_texts);
	cr_vec_fini(&x->id_uses);
	free(x->number1);
	cr_vec_fini(&x->frames);
	cr_vec_fini(&x->function);
	cr_vec_fini(&x->functions);
	cr_index_fini(&x->by_function);
	cr_json_out_fini(&x->json);
	cr_text_fini(&x->text);
}

static int
firefox_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct firefox x = {.in = in, .p = in->p, .t = in->tree, .out = out, .err = err};
	int rc;

	(void)options;
	x.json.text = &x.text;
	cr_thread_samples_init(&x.samples, in);
	tables_find(&x);
	start_find(&x);
	rc = put_file(&x);
	firefox_fini(&x);
	return rc;
}

static const char *const firefox_extensions[] = {".firefox.json", NULL};

const struct cr_writer cr_writer_firefox = {
	.name = "firefox",
	.extensions = firefox_extensions,
	.about = "profile of the Firefox Profiler, with the threads in time",
	.needs = CR_WRITER_PLACES | CR_WRITER_LINES,
	.write = firefox_write,
};
