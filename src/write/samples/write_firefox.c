#include "firefox_p.h"

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

static const struct {
	const char *name, *color;
	const char *more[2]; /* further subcategories */
} categories[] = {
	[CR_FIREFOX_OTHER] = {"Other", "grey", {NULL}},
	[CR_FIREFOX_USER] = {"User", "yellow", {"vdso"}},
	[CR_FIREFOX_KERNEL] = {"Kernel", "orange", {"Module", "BPF"}},
	[CR_FIREFOX_JIT] = {"JIT", "green", {NULL}},
};

/* ---- tables */

static uint32_t
function_of(struct cr_firefox *x, const struct cr_frame *f)
{
	struct cr_firefox_function new = {.name = cr_strings_intern(&x->strings, NULL, f->name)};
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
tables_find(struct cr_firefox *x)
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
start_find(struct cr_firefox *x)
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

/* ---- header */

static void
put_categories(struct cr_firefox *x)
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
put_facts(struct cr_firefox *x)
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
put_empty(struct cr_firefox *x, const char *key)
{
	cr_json_out_key(&x->json, key);
	cr_json_out_open(&x->json, '[');
	cr_json_out_close(&x->json);
}

static void
put_true(struct cr_firefox *x, const char *key)
{
	cr_json_out_key(&x->json, key);
	cr_json_out_bool(&x->json, true);
}

static void
put_units(struct cr_firefox *x)
{
	cr_json_out_key(&x->json, "sampleUnits");
	cr_json_out_open(&x->json, '{');
	cr_json_out_text_of(&x->json, "time", CR_STR("ms"));
	cr_json_out_text_of(&x->json, "eventDelay", CR_STR("ms"));
	cr_json_out_text_of(&x->json, "threadCPUDelta", CR_STR("ns"));
	cr_json_out_close(&x->json);
}

static void
put_meta(struct cr_firefox *x)
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
put_breakpad_id(struct cr_firefox *x, const struct cr_dso *d)
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
put_library(struct cr_firefox *x, struct cr_str path)
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
put_libraries(struct cr_firefox *x)
{
	cr_json_out_line(&x->json, "");
	cr_json_out_key(&x->json, "libs");
	cr_json_out_open(&x->json, '[');
	for (size_t i = 0; i < x->libraries.rows.n; i++) {
		cr_json_out_line(&x->json, "");
		put_library(x, x->libraries.rows.p[i]);
		cr_firefox_flush(x);
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
put_times(struct cr_firefox *x, const struct cr_thread_list *l)
{
	const uint64_t *times = cr_column_times(x->p), *row = x->samples.row + l->first;
	uint64_t last = x->start_ns;

	cr_json_out_key(&x->json, "timeDeltas");
	cr_json_out_open(&x->json, '#');
	for (uint64_t i = 0; x->rc == CR_OK && i < l->n; i++, cr_firefox_flush(x)) {
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
put_weights(struct cr_firefox *x, const struct cr_thread_list *l)
{
	const uint64_t *weights = cr_column_weights(x->p), *row = x->samples.row + l->first;
	const struct weight_type *type = weight_type_of(&x->p->events[l->event]);

	cr_json_out_text_of(&x->json, "weightType", cr_str_of(type->name));
	cr_json_out_key(&x->json, "weight");
	cr_json_out_open(&x->json, '#');
	for (uint64_t i = 0; x->rc == CR_OK && i < l->n; i++, cr_firefox_flush(x)) {
		uint64_t w = 0;

		if (!cr_mul_ok(weights[row[i]], type->factor, &w))
			w = INT64_MAX;
		cr_json_out_decimal(
			&x->json, (int64_t)CR_MIN(w, (uint64_t)INT64_MAX), type->places);
	}
	cr_json_out_close(&x->json);
}

static void
put_samples(struct cr_firefox *x, const struct cr_thread_list *l)
{
	const uint64_t *row = x->samples.row + l->first;

	cr_firefox_open_table(x, "samples", l->n);
	cr_json_out_key(&x->json, "stack");
	cr_json_out_open(&x->json, '#');
	for (uint64_t i = 0; x->rc == CR_OK && i < l->n; i++, cr_firefox_flush(x))
		cr_firefox_put_row(x, x->in->place[row[i]]);
	cr_json_out_close(&x->json);
	put_times(x, l);
	put_weights(x, l);
	cr_json_out_close(&x->json);
}

static void
put_markers(struct cr_firefox *x)
{
	static const char *const columns[] = {
		"data", "name", "startTime", "endTime", "phase", "category"};

	cr_firefox_open_table(x, "markers", 0);
	for (size_t i = 0; i < CR_LEN(columns); i++)
		put_empty(x, columns[i]);
	cr_json_out_close(&x->json);
}

/* How many threads with this pid and tid were written before. */
static uint32_t
threads_before(struct cr_firefox *x, const struct cr_sample_thread *t)
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
put_ids(struct cr_firefox *x, const struct cr_thread_list *l)
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
put_name(struct cr_firefox *x, const struct cr_thread_list *l)
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
put_thread(struct cr_firefox *x, size_t list)
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
put_file(struct cr_firefox *x)
{
	cr_json_out_open(&x->json, '{');
	put_meta(x);
	put_libraries(x);
	put_empty(x, "pages");
	put_empty(x, "counters");
	put_empty(x, "profilerOverhead");
	cr_firefox_put_shared(x);
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
firefox_fini(struct cr_firefox *x)
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
	struct cr_firefox x = {.in = in, .p = in->p, .t = in->tree, .out = out, .err = err};
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
