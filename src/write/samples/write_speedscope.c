#include "base/hash.h"
#include "base/json_out.h"
#include "base/vec.h"
#include "sample_rows_p.h"

#include <stdlib.h>

/*
 * The file format of speedscope, see read_speedscope.c: one profile for each thread and event, with
 * its samples in the order of the recording, so that its time order is true. What speedscope has no
 * room for is a member "cresset" of each profile, which other programs ignore.
 */
struct speedscope {
	const struct cr_write_in *in;
	const struct cr_profile *p;
	const struct cr_tree *t;
	struct cr_sample_threads threads;
	CR_VEC(struct cr_sample_row) rows; /* sorted by profile */
	uint32_t *first;                   /* by profile, and one more: its first row */
	uint32_t n_profiles;               /* threads * events; empty ones are not written */
	uint32_t *number;                  /* by frame of the tree: its number in the file */
	CR_VEC(uint32_t) frames;           /* those of the file */
	CR_VEC(uint32_t) path;
	struct cr_text text;
	struct cr_json_out json;
};

/* ---- samples by thread and event */

static uint32_t
profile_of(const struct speedscope *s, const struct cr_sample_row *r)
{
	return s->threads.of_task[r->task] * s->p->n_events + r->event;
}

/* Sort the samples by profile; those of one profile keep their order. */
static void
rows_sort(struct speedscope *s)
{
	struct cr_sample_rows all;
	struct cr_sample_row r;
	uint32_t *next;

	s->n_profiles = s->threads.n * s->p->n_events;
	s->first = cr_alloc((uint64_t)s->n_profiles + 1, sizeof(*s->first));
	cr_sample_rows_init(&all, s->in);
	while (cr_sample_rows_next(&all, &r))
		s->first[profile_of(s, &r) + 1]++;
	for (uint32_t i = 0; i < s->n_profiles; i++)
		s->first[i + 1] += s->first[i];
	next = cr_memdup(s->first, (size_t)s->n_profiles * sizeof(*next));
	cr_vec_reserve(&s->rows, s->first[s->n_profiles]);
	s->rows.n = s->first[s->n_profiles];
	cr_sample_rows_init(&all, s->in);
	while (cr_sample_rows_next(&all, &r))
		s->rows.p[next[profile_of(s, &r)]++] = r;
	free(next);
}

/* ---- frames */

/*
 * Frames are the same in the file if name and dso are, with the line of the first. They are
 * numbered as samples come.
 */
static void
frames_number(struct speedscope *s)
{
	struct cr_index ix = {0};
	uint32_t row;

	s->number = cr_alloc(s->t->n_frames, sizeof(*s->number));
	memset(s->number, 0xff, s->t->n_frames * sizeof(*s->number));
	for (size_t i = 0; i < s->rows.n; i++)
		for (uint32_t n = s->rows.p[i].node; n; n = s->t->parent[n]) {
			const uint32_t frame = s->t->frame[n];
			const struct cr_frame *f = &s->t->frames[frame];
			const uint64_t h = cr_hash_mix(
				cr_hash(f->name.p, f->name.len), cr_hash(f->dso.p, f->dso.len));

			if (s->number[frame] != CR_NO_ROW)
				continue;
			cr_index_each(&ix, h, row) {
				const struct cr_frame *g = &s->t->frames[s->frames.p[row]];

				if (cr_str_eq(f->name, g->name) && cr_str_eq(f->dso, g->dso))
					break;
			}
			if (row == CR_NO_ROW) {
				row = (uint32_t)s->frames.n;
				cr_vec_push(&s->frames, frame);
				cr_index_add(&ix, h, row);
			}
			s->number[frame] = row;
		}
	cr_index_fini(&ix);
}

static int
put_frames(struct speedscope *s, struct cr_sink *out, struct cr_err *err)
{
	int rc = CR_OK;

	cr_json_out_key(&s->json, "shared");
	cr_json_out_open(&s->json, '{');
	cr_json_out_key(&s->json, "frames");
	cr_json_out_open(&s->json, '[');
	for (size_t i = 0; rc == CR_OK && i < s->frames.n; i++) {
		const struct cr_frame *f = &s->t->frames[s->frames.p[i]];

		cr_json_out_line(&s->json, "");
		cr_json_out_open(&s->json, '{');
		cr_json_out_text_of(&s->json, "name", f->name);
		if (f->file.len)
			cr_json_out_text_of(&s->json, "file", f->file);
		if (f->line)
			cr_json_out_u64_of(&s->json, "line", f->line);
		if (f->dso.len)
			cr_json_out_text_of(&s->json, "dso", f->dso);
		cr_json_out_close(&s->json);
		rc = cr_sink_large(out, &s->text, err);
	}
	cr_json_out_close(&s->json);
	cr_json_out_close(&s->json);
	return rc;
}

/* ---- profiles */

static struct cr_str
unit_of(const struct cr_event *e)
{
	const struct cr_str unit = cr_sample_unit(e->unit);

	return unit.p != e->unit.p || cr_str_eq(unit, CR_STR("bytes")) ? unit : CR_STR("none");
}

/* "nginx 12/13 cycles": the event only if there are several. */
static void
put_name(struct speedscope *s, const struct cr_sample_thread *t, const struct cr_event *e)
{
	struct cr_text name = {0};

	cr_text_str(&name, t->comm);
	if (t->pid >= 0)
		cr_text_printf(&name, "%s%d/%d", name.len ? " " : "", t->pid, t->tid);
	else if (t->tid >= 0)
		cr_text_printf(&name, "%s%d", name.len ? " " : "", t->tid);
	if (!name.len || s->p->n_events > 1) {
		cr_text_puts(&name, name.len ? " " : "");
		cr_text_str(&name, e->name);
	}
	cr_json_out_text_of(&s->json, "name", cr_text_view(&name));
	cr_text_fini(&name);
}

/* What our own reader restores. */
static void
put_own(struct speedscope *s, const struct cr_sample_thread *t, const struct cr_event *e)
{
	cr_json_out_key(&s->json, "cresset");
	cr_json_out_open(&s->json, '{');
	if (s->p->flags & CR_PROFILE_HAS_TASK) {
		cr_json_out_text_of(&s->json, "comm", t->comm);
		if (t->pid >= 0)
			cr_json_out_u64_of(&s->json, "pid", (uint64_t)t->pid);
		if (t->tid >= 0)
			cr_json_out_u64_of(&s->json, "tid", (uint64_t)t->tid);
	}
	cr_json_out_text_of(&s->json, "event", e->name);
	cr_json_out_text_of(&s->json, "unit", e->unit);
	cr_json_out_u64_of(&s->json, "main", e == &s->p->events[cr_event_main(s->p).i]);
	cr_json_out_u64_of(&s->json, "by_comm", cr_profile_by_comm(s->p));
	cr_json_out_close(&s->json);
}

/* The frames of a stack, root first. */
static void
put_stack(struct speedscope *s, uint32_t node)
{
	s->path.n = 0;
	for (; node; node = s->t->parent[node])
		cr_vec_push(&s->path, s->number[s->t->frame[node]]);
	cr_json_out_open(&s->json, '#');
	while (s->path.n)
		cr_json_out_u64(&s->json, s->path.p[--s->path.n]);
	cr_json_out_close(&s->json);
}

static int
put_samples(struct speedscope *s, uint32_t profile, struct cr_sink *out, struct cr_err *err)
{
	const uint32_t from = s->first[profile], to = s->first[profile + 1];
	int rc = CR_OK;

	cr_json_out_key(&s->json, "samples");
	cr_json_out_open(&s->json, '#');
	for (uint32_t i = from; rc == CR_OK && i < to; i++) {
		put_stack(s, s->rows.p[i].node);
		rc = cr_sink_large(out, &s->text, err);
	}
	cr_json_out_close(&s->json);
	cr_json_out_key(&s->json, "weights");
	cr_json_out_open(&s->json, '#');
	for (uint32_t i = from; rc == CR_OK && i < to; i++) {
		cr_json_out_weight(
			&s->json, s->rows.p[i].weight, s->p->events[profile % s->p->n_events].unit);
		rc = cr_sink_large(out, &s->text, err);
	}
	cr_json_out_close(&s->json);
	return rc;
}

static int
put_profile(struct speedscope *s, uint32_t profile, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_sample_thread *t = &s->threads.rows[profile / s->p->n_events];
	const struct cr_event *e = &s->p->events[profile % s->p->n_events];
	uint64_t sum = 0;
	int rc;

	for (uint32_t i = s->first[profile]; i < s->first[profile + 1]; i++)
		sum = cr_add_sat(sum, s->rows.p[i].weight);
	cr_json_out_line(&s->json, "");
	cr_json_out_open(&s->json, '{');
	cr_json_out_text_of(&s->json, "type", CR_STR("sampled"));
	put_name(s, t, e);
	cr_json_out_text_of(&s->json, "unit", unit_of(e));
	cr_json_out_u64_of(&s->json, "startValue", 0);
	cr_json_out_key(&s->json, "endValue");
	cr_json_out_weight(&s->json, sum, e->unit);
	put_own(s, t, e);
	rc = put_samples(s, profile, out, err);
	cr_json_out_close(&s->json);
	return rc;
}

static int
put_file(struct speedscope *s, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_str title = cr_str_of(s->in->title ? s->in->title : "");
	const struct cr_str name = cr_profile_fact(s->p, "name");
	int rc;

	cr_json_out_open(&s->json, '{');
	cr_json_out_text_of(
		&s->json, "$schema", CR_STR("https://www.speedscope.app/file-format-schema.json"));
	cr_json_out_text_of(&s->json, "exporter", CR_STR("cresset@" PACKAGE_VERSION));
	cr_json_out_text_of(&s->json, "name", name.len ? name : title);
	cr_json_out_text_of(&s->json, "query", cr_str_of(s->in->query ? s->in->query : ""));
	rc = put_frames(s, out, err);
	cr_json_out_key(&s->json, "profiles");
	cr_json_out_open(&s->json, '[');
	for (uint32_t i = 0; rc == CR_OK && i < s->n_profiles; i++)
		if (s->first[i] < s->first[i + 1])
			rc = put_profile(s, i, out, err);
	cr_json_out_close(&s->json);
	cr_json_out_close(&s->json);
	cr_text_char(&s->text, '\n');
	return rc == CR_OK ? cr_sink_text(out, &s->text, err) : rc;
}

static int
speedscope_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct speedscope s = {.in = in, .p = in->p, .t = in->tree};
	int rc;

	(void)options;
	s.json.text = &s.text;
	cr_sample_threads_init(&s.threads, in->p);
	rows_sort(&s);
	frames_number(&s);
	rc = put_file(&s, out, err);
	cr_sample_threads_fini(&s.threads);
	cr_vec_fini(&s.rows);
	cr_vec_fini(&s.frames);
	cr_vec_fini(&s.path);
	free(s.first);
	free(s.number);
	cr_json_out_fini(&s.json);
	cr_text_fini(&s.text);
	return rc;
}

static const char *const speedscope_extensions[] = {".speedscope.json", NULL};

const struct cr_writer cr_writer_speedscope = {
	.name = "speedscope",
	.extensions = speedscope_extensions,
	.about = "profiles of speedscope, one for each thread and event, in time order",
	.needs = CR_WRITER_PLACES | CR_WRITER_LINES,
	.write = speedscope_write,
};
