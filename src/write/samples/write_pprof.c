#include "base/hash.h"
#include "base/vec.h"
#include "bytes/pprof_fields.h"
#include "gzip_out_p.h"
#include "model/build/string_table.h"
#include "row_texts_p.h"
#include "sample_rows_p.h"
#include "wire_out_p.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * pprof's own format, see bytes/pprof_fields.h. Samples with the same thread, cpu and
 * stack are added up, in the order of their first occurrence. Each recorded event is a sample type;
 * a single one is preceded by the number of samples, as pprof's tools expect.
 *
 * A location is a function with the functions inlined into it. It has no address: names and lines
 * are complete, and pprof must not look for them again. Its mapping is the dso.
 */
/* What samples are added up by. */
struct place {
	uint32_t thread, node;
	uint16_t cpu;
};

struct function {
	uint64_t name, system_name, file;
	uint32_t dso;
};

/* A node's line in its location: its function, below which functions were inlined. */
struct location {
	uint32_t frame;
	uint32_t inlined_into1; /* location + 1 of the frame it is inlined into; 0: not inlined */
};

struct pprof {
	const struct cr_write_in *in;
	const struct cr_tree *t;
	const struct cr_profile *p;
	struct cr_sample_threads threads;
	uint32_t *type_of; /* by event: its sample type, CR_NO_ROW if it has no samples here */
	CR_VEC(uint32_t) events;   /* by type: its event */
	bool counts;               /* the first value is the number of samples */
	uint64_t period;           /* weight of every sample; 0 if they differ */
	struct cr_strings strings; /* in the order of their first use; the first is "" */
	struct cr_arena made;      /* owns those that are not the profile's */
	CR_VEC(struct place) places;
	CR_VEC(uint64_t) values; /* of place i: [i * n_values, (i + 1) * n_values) */
	struct cr_index by_place;
	CR_VEC(struct location) locations;
	struct cr_index by_location;
	uint32_t *node_location1; /* by node: location + 1 that begins there; 0: not known yet */
	uint32_t *caller;         /* by node with a location: where that of the caller begins */
	CR_VEC(uint32_t) path;    /* nodes without a location */
	uint32_t *frame_function1;
	CR_VEC(struct function) functions;
	struct cr_index by_function;
	struct cr_strings dsos; /* names of the mappings */
	/* Parts of messages: the locations of stacks, the labels of threads and cpus. */
	struct cr_row_texts of_node, of_thread, of_cpu;
	struct cr_text text, message, inner; /* output; a message; one inside of it */
	struct cr_gzip_out *out;
};

static uint64_t
string_of(struct pprof *w, struct cr_str s)
{
	return cr_strings_intern(&w->strings, NULL, s);
}

/* The same for a text that does not live until the end. */
static uint64_t
string_made(struct pprof *w, struct cr_str s)
{
	return cr_strings_intern(&w->strings, &w->made, s);
}

static void
put_message(struct pprof *w, uint32_t field)
{
	cr_wire_put_bytes(&w->text, field, cr_text_view(&w->message));
	cr_text_clear(&w->message);
}

/* ---- sample types */

/* Those that count samples come first, as pprof's tools expect; of the others the main one. */
static void
types_order(struct pprof *w)
{
	const uint32_t main = cr_event_main(w->p).i;

	for (int pass = 0; pass < 2; pass++) {
		const size_t first = w->events.n;

		for (uint32_t i = 0; i < w->p->n_events; i++) {
			if (!w->type_of[i] || cr_event_counts_samples(&w->p->events[i]) == pass)
				continue;
			cr_vec_push(&w->events, i);
			if (i != main)
				continue;
			memmove(w->events.p + first + 1, w->events.p + first,
				(w->events.n - 1 - first) * sizeof(*w->events.p));
			w->events.p[first] = main;
		}
	}
}

static void
types_find(struct pprof *w)
{
	struct cr_sample_rows rows;
	struct cr_sample_row r;
	bool same = true;

	w->type_of = cr_alloc(CR_MAX(w->p->n_events, 1), sizeof(*w->type_of));
	cr_sample_rows_init(&rows, w->in);
	while (cr_sample_rows_next(&rows, &r)) {
		w->type_of[r.event] = 1;
		same &= !w->period || w->period == r.weight;
		w->period = r.weight;
	}
	types_order(w);
	for (uint32_t i = 0; i < w->p->n_events; i++)
		w->type_of[i] = CR_NO_ROW;
	for (uint32_t i = 0; i < w->events.n; i++)
		w->type_of[w->events.p[i]] = i;
	w->counts = w->events.n == 1 && !cr_event_counts_samples(&w->p->events[w->events.p[0]]);
	if (!same || w->events.n != 1)
		w->period = 0;
}

/* The unit as pprof's tools know it. */
static struct cr_str
unit_of(const struct cr_event *e)
{
	if (cr_str_eq(e->unit, CR_STR("samples")) && cr_str_eq(e->name, CR_STR("samples")))
		return CR_STR("count");
	return cr_sample_unit(e->unit);
}

static void
put_type(struct pprof *w, uint32_t field, struct cr_str name, struct cr_str unit)
{
	cr_wire_put_number(&w->message, 1, string_of(w, name));
	cr_wire_put_number(&w->message, 2, string_of(w, unit));
	put_message(w, field);
}

static void
put_types(struct pprof *w)
{
	const cr_event_id main = cr_event_main(w->p);

	if (w->counts)
		put_type(w, CR_PPROF_TYPE, CR_STR("samples"), CR_STR("count"));
	for (size_t i = 0; i < w->events.n; i++) {
		const struct cr_event *e = &w->p->events[w->events.p[i]];

		put_type(w, CR_PPROF_TYPE, e->name, unit_of(e));
	}
	if (w->p->n_events && w->type_of[main.i] != CR_NO_ROW)
		cr_wire_put_number(
			&w->text, CR_PPROF_DEFAULT_TYPE, string_of(w, w->p->events[main.i].name));
}

/* ---- functions and locations */

static uint32_t
function_of(struct pprof *w, uint32_t frame)
{
	const struct cr_frame *f = &w->t->frames[frame];
	const struct cr_str system_name = f->linkage.len ? f->linkage : f->name;
	struct function new;
	uint64_t h;
	uint32_t row;

	if (w->frame_function1[frame])
		return w->frame_function1[frame] - 1;
	new = (struct function){string_of(w, f->name), string_of(w, system_name),
		string_of(w, f->file), cr_strings_intern(&w->dsos, NULL, f->dso)};
	h = cr_hash_mix(cr_hash_mix(new.name, new.system_name), cr_hash_mix(new.file, new.dso));
	cr_index_each(&w->by_function, h, row) {
		const struct function *have = &w->functions.p[row];

		if (have->name == new.name && have->system_name == new.system_name &&
			have->file == new.file && have->dso == new.dso)
			break;
	}
	if (row == CR_NO_ROW) {
		row = (uint32_t)w->functions.n;
		cr_index_add(&w->by_function, h, row);
		cr_vec_push(&w->functions, new);
	}
	w->frame_function1[frame] = row + 1;
	return row;
}

/* True if a node is inlined into its parent, so that both are lines of one location. */
static bool
is_inlined(const struct cr_tree *t, uint32_t node)
{
	const uint32_t up = t->parent[node];

	return !t->leaves_first && t->frames[t->frame[node]].inlined && up &&
	       !cr_frame_is_group(&t->frames[t->frame[up]]);
}

/* Find the location whose innermost line is the frame of a node; that of its parent is known. */
static void
location_add(struct pprof *w, uint32_t node)
{
	const uint32_t up = w->t->parent[node];
	struct location new = {.frame = w->t->frame[node]};
	uint64_t h;
	uint32_t row;

	w->caller[node] = up;
	if (is_inlined(w->t, node)) {
		new.inlined_into1 = w->node_location1[up];
		w->caller[node] = w->caller[up];
	}
	h = cr_hash_mix(new.frame, new.inlined_into1);
	cr_index_each(&w->by_location, h, row)
		if (w->locations.p[row].frame == new.frame &&
			w->locations.p[row].inlined_into1 == new.inlined_into1)
			break;
	if (row == CR_NO_ROW) {
		row = (uint32_t)w->locations.n;
		cr_index_add(&w->by_location, h, row);
		cr_vec_push(&w->locations, new);
	}
	w->node_location1[node] = row + 1;
}

/* The locations of a stack, from its first unknown node on. */
static void
locations_add(struct pprof *w, uint32_t node)
{
	w->path.n = 0;
	for (; node && !w->node_location1[node]; node = w->t->parent[node])
		cr_vec_push(&w->path, node);
	while (w->path.n)
		location_add(w, w->path.p[--w->path.n]);
}

static void
put_location(struct pprof *w, uint32_t row)
{
	const struct location *l = &w->locations.p[row];
	uint32_t dso = 0;

	cr_wire_put_number(&w->message, 1, row + 1);
	for (const struct location *line = l; line;
		line = line->inlined_into1 ? &w->locations.p[line->inlined_into1 - 1] : NULL) {
		const uint32_t function = function_of(w, line->frame);

		cr_text_clear(&w->inner);
		cr_wire_put_number(&w->inner, 1, function + 1);
		cr_wire_put_number(&w->inner, 2, w->t->frames[line->frame].line);
		cr_wire_put_bytes(&w->message, 4, cr_text_view(&w->inner));
		dso = w->functions.p[function].dso;
	}
	cr_wire_put_number(&w->message, 2, w->dsos.rows.p[dso].len ? dso + 1 : 0);
	put_message(w, CR_PPROF_LOCATION);
}

static void
put_function(struct pprof *w, uint32_t row)
{
	const struct function *f = &w->functions.p[row];

	cr_wire_put_number(&w->message, 1, row + 1);
	cr_wire_put_number(&w->message, 2, f->name);
	cr_wire_put_number(&w->message, 3, f->system_name);
	cr_wire_put_number(&w->message, 4, f->file);
	put_message(w, CR_PPROF_FUNCTION);
}

/* ---- mappings */

static void
put_build_id(struct pprof *w, struct cr_str name)
{
	const struct cr_dso *d = cr_sample_dso(w->p, name);
	struct cr_text hex = {0};

	if (d && d->build_id_len) {
		cr_sample_build_id(d, &hex);
		cr_wire_put_number(&w->message, 6, string_made(w, cr_text_view(&hex)));
	}
	cr_text_fini(&hex);
}

/* Everything is known already: without these marks pprof looks for the binary. */
static void
put_mapping(struct pprof *w, uint32_t row)
{
	enum { HAS_FUNCTIONS = 7, HAS_INLINE = 10 };

	if (!w->dsos.rows.p[row].len)
		return;
	cr_wire_put_number(&w->message, 1, row + 1);
	cr_wire_put_number(&w->message, 5, string_of(w, w->dsos.rows.p[row]));
	put_build_id(w, w->dsos.rows.p[row]);
	for (uint32_t has = HAS_FUNCTIONS; has <= HAS_INLINE; has++)
		cr_wire_put_number(&w->message, has, 1);
	put_message(w, CR_PPROF_MAPPING);
}

/* The first mapping is the program: the dso with the name of the first thread, if there is one. */
static uint32_t
program(const struct pprof *w)
{
	const struct cr_str comm =
		w->places.n ? w->threads.rows[w->places.p[0].thread].comm : CR_STR("");

	for (uint32_t i = 0; i < w->dsos.rows.n; i++)
		if (comm.len && cr_str_eq(cr_str_basename(w->dsos.rows.p[i]), comm))
			return i;
	return 0;
}

static void
put_mappings(struct pprof *w)
{
	const uint32_t first = program(w);

	if (w->dsos.rows.n)
		put_mapping(w, first);
	for (uint32_t i = 0; i < w->dsos.rows.n; i++)
		if (i != first)
			put_mapping(w, i);
}

/* ---- samples */

static uint32_t
values_of(const struct pprof *w)
{
	return (uint32_t)w->events.n + w->counts;
}

static uint32_t
place_of(struct pprof *w, const struct place *new)
{
	const uint64_t h = cr_hash_mix(new->node, cr_hash_mix(new->thread, new->cpu));
	uint32_t row;

	cr_index_each(&w->by_place, h, row) {
		const struct place *have = &w->places.p[row];

		if (have->node == new->node && have->thread == new->thread && have->cpu == new->cpu)
			return row;
	}
	cr_index_add(&w->by_place, h, (uint32_t)w->places.n);
	cr_vec_push(&w->places, *new);
	for (uint32_t i = 0; i < values_of(w); i++)
		cr_vec_push(&w->values, 0);
	locations_add(w, new->node);
	return (uint32_t)w->places.n - 1;
}

static void
samples_add(struct pprof *w)
{
	struct cr_sample_rows rows;
	struct cr_sample_row r;

	cr_sample_rows_init(&rows, w->in);
	while (cr_sample_rows_next(&rows, &r)) {
		const struct place at = {w->threads.of_task[r.task], r.node, r.cpu};
		const size_t row = place_of(w, &at);
		uint64_t *value = w->values.p + row * values_of(w);

		if (w->counts)
			value[0]++;
		value += w->counts + w->type_of[r.event];
		*value = CR_MIN(cr_add_sat(*value, r.weight), (uint64_t)INT64_MAX);
	}
}

static void
put_label(struct pprof *w, const char *key, struct cr_str text, int64_t number)
{
	cr_text_clear(&w->inner);
	cr_wire_put_number(&w->inner, 1, string_of(w, cr_str_of(key)));
	cr_wire_put_number(&w->inner, 2, string_of(w, text));
	cr_wire_put_number(&w->inner, 3, (uint64_t)number);
	cr_wire_put_bytes(&w->message, 3, cr_text_view(&w->inner));
}

static void
put_thread(struct pprof *w, uint32_t row)
{
	const struct cr_sample_thread *t = &w->threads.rows[row];
	const size_t start = w->message.len;

	if (cr_row_texts_put(&w->of_thread, row, &w->message))
		return;
	if (t->comm.len)
		put_label(w, "comm", t->comm, 0);
	if (t->pid >= 0)
		put_label(w, "pid", CR_STR(""), t->pid);
	if (t->tid >= 0)
		put_label(w, "tid", CR_STR(""), t->tid);
	cr_row_texts_keep(&w->of_thread, row, &w->message, start);
}

static void
put_cpu(struct pprof *w, uint16_t cpu)
{
	const size_t start = w->message.len;

	if (cpu >= CR_CPU_UNKNOWN || cr_row_texts_put(&w->of_cpu, cpu, &w->message))
		return;
	put_label(w, "cpu", CR_STR(""), cpu);
	cr_row_texts_keep(&w->of_cpu, cpu, &w->message, start);
}

/* Locations are packed, leaf first. */
static void
put_locations(struct pprof *w, uint32_t node)
{
	const size_t start = w->message.len;

	if (cr_row_texts_put(&w->of_node, node, &w->message))
		return;
	cr_text_clear(&w->inner);
	for (uint32_t n = node; n; n = w->caller[n])
		cr_wire_put_uleb(&w->inner, w->node_location1[n]);
	cr_wire_put_bytes(&w->message, 1, cr_text_view(&w->inner));
	cr_row_texts_keep(&w->of_node, node, &w->message, start);
}

static void
put_sample(struct pprof *w, uint32_t row)
{
	const struct place *at = &w->places.p[row];

	put_locations(w, at->node);
	cr_text_clear(&w->inner);
	for (uint32_t i = 0; i < values_of(w); i++)
		cr_wire_put_uleb(&w->inner, w->values.p[(size_t)row * values_of(w) + i]);
	cr_wire_put_bytes(&w->message, 2, cr_text_view(&w->inner));
	put_thread(w, at->thread);
	put_cpu(w, at->cpu);
	put_message(w, CR_PPROF_SAMPLE);
}

/* ---- facts */

/* A number at the start of a fact; 0 if there is none. */
static uint64_t
fact_number(const struct cr_profile *p, const char *key)
{
	char text[24];
	const struct cr_str fact = cr_profile_fact(p, key);

	snprintf(text, sizeof(text), "%.*s", (int)CR_MIN(fact.len, 20u), fact.len ? fact.p : "");
	return strtoull(text, NULL, 10);
}

static void
put_comment(struct pprof *w, const char *lead, struct cr_str text)
{
	struct cr_text t = {0};

	cr_text_puts(&t, lead);
	cr_text_str(&t, text);
	if (text.len)
		cr_wire_put_number(&w->text, CR_PPROF_COMMENT, string_made(w, cr_text_view(&t)));
	cr_text_fini(&t);
}

/* Comments of the input stay; a recording has its command. */
static void
put_comments(struct pprof *w)
{
	struct cr_str rest = cr_profile_fact(w->p, "comments");

	while (rest.len) {
		const char *end = memchr(rest.p, '\n', rest.len);
		const uint32_t len = end ? (uint32_t)(end - rest.p) : rest.len;

		put_comment(w, "", (struct cr_str){rest.p, len});
		rest.p += len + (end != NULL);
		rest.len -= len + (end != NULL);
	}
	put_comment(w, "command: ", cr_profile_fact(w->p, "cmdline"));
	put_comment(w, "query: ", cr_str_of(w->in->query ? w->in->query : ""));
}

static void
put_facts(struct pprof *w)
{
	const struct cr_str sampling = cr_profile_fact(w->p, "sampling");
	const bool read = sampling.len && memmem(sampling.p, sampling.len, " of ", 4);

	if (read)
		w->period = fact_number(w->p, "sampling");
	if (w->period) {
		const struct cr_event *e = &w->p->events[cr_event_main(w->p).i];

		put_type(w, CR_PPROF_PERIOD_TYPE, e->name, unit_of(e));
		cr_wire_put_number(&w->text, CR_PPROF_PERIOD, w->period);
	}
	cr_wire_put_number(&w->text, CR_PPROF_TIME, cr_sample_date_ns(w->p));
	cr_wire_put_number(&w->text, CR_PPROF_DURATION, fact_number(w->p, "duration_ns"));
	put_comments(w);
}

/* ---- */

/* Write n messages of one kind. */
static int
put_all(struct pprof *w, size_t n, void (*put)(struct pprof *, uint32_t), struct cr_err *err)
{
	int rc = CR_OK;

	for (uint32_t i = 0; rc == CR_OK && i < n; i++) {
		put(w, i);
		rc = cr_gzip_out_large(w->out, &w->text, err);
	}
	return rc;
}

/* A decoder may refuse the whole message if a string is not UTF-8. */
static void
put_string(struct pprof *w, uint32_t row)
{
	const struct cr_str s = w->strings.rows.p[row];

	cr_text_clear(&w->message);
	if (cr_sample_text_ok(s))
		cr_text_str(&w->message, s);
	else
		cr_text_safe(&w->message, s);
	put_message(w, CR_PPROF_STRING);
}

/* Strings are written last, when all are known. */
static int
put_profile(struct pprof *w, struct cr_err *err)
{
	int rc;

	put_types(w);
	rc = put_all(w, w->places.n, put_sample, err);
	if (rc == CR_OK)
		rc = put_all(w, w->locations.n, put_location, err);
	if (rc == CR_OK)
		rc = put_all(w, w->functions.n, put_function, err);
	put_mappings(w);
	put_facts(w);
	if (rc == CR_OK)
		rc = put_all(w, w->strings.rows.n, put_string, err);
	return rc == CR_OK ? cr_gzip_out_text(w->out, &w->text, err) : rc;
}

static void
pprof_init(struct pprof *w)
{
	cr_strings_add(&w->strings, CR_STR(""));
	cr_sample_threads_init(&w->threads, w->p);
	types_find(w);
	w->node_location1 = cr_alloc(w->t->n, sizeof(*w->node_location1));
	w->caller = cr_alloc(w->t->n, sizeof(*w->caller));
	w->frame_function1 = cr_alloc(w->t->n_frames, sizeof(*w->frame_function1));
	cr_row_texts_init(&w->of_node, w->t->n);
	cr_row_texts_init(&w->of_thread, w->threads.n);
	cr_row_texts_init(&w->of_cpu, CR_CPU_UNKNOWN);
}

static void
pprof_fini(struct pprof *w)
{
	cr_sample_threads_fini(&w->threads);
	free(w->type_of);
	free(w->node_location1);
	free(w->caller);
	free(w->frame_function1);
	cr_vec_fini(&w->events);
	cr_strings_fini(&w->strings);
	cr_arena_fini(&w->made);
	cr_vec_fini(&w->places);
	cr_vec_fini(&w->values);
	cr_index_fini(&w->by_place);
	cr_vec_fini(&w->path);
	cr_vec_fini(&w->locations);
	cr_index_fini(&w->by_location);
	cr_vec_fini(&w->functions);
	cr_index_fini(&w->by_function);
	cr_strings_fini(&w->dsos);
	cr_text_fini(&w->text);
	cr_text_fini(&w->message);
	cr_text_fini(&w->inner);
	cr_row_texts_fini(&w->of_node);
	cr_row_texts_fini(&w->of_thread);
	cr_row_texts_fini(&w->of_cpu);
}

static int
pprof_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct pprof w = {.in = in, .t = in->tree, .p = in->p};
	int rc;

	(void)options;
	pprof_init(&w);
	samples_add(&w);
	w.out = cr_gzip_out_open(out);
	rc = put_profile(&w, err);
	rc = cr_gzip_out_close(w.out, rc, err);
	pprof_fini(&w);
	return rc;
}

static const char *const pprof_extensions[] = {".pb.gz", ".pprof", NULL};

const struct cr_writer cr_writer_pprof = {
	.name = "pprof",
	.extensions = pprof_extensions,
	.about = "profile of pprof, for go tool pprof, Pyroscope, Parca and others",
	.needs = CR_WRITER_PLACES | CR_WRITER_LINES,
	.write = pprof_write,
};
