#include "base/hash.h"
#include "row_texts_p.h"
#include "thread_samples_p.h"

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
	struct cr_thread_samples samples;
	uint32_t *number;        /* by frame of the tree: its number in the file */
	CR_VEC(uint32_t) frames; /* those of the file */
	char *stack;             /* room for the text of a stack */
	size_t stack_room;
	struct cr_row_texts of_node; /* stacks as they are written */
	struct cr_text text;
	struct cr_json_out json;
};

/* ---- frames */

/*
 * Frames are the same in the file if name and dso are, with the line of the first. They are
 * numbered as samples come.
 */
static void
frame_number(struct speedscope *s, struct cr_index *ix, uint32_t frame)
{
	const struct cr_frame *f = &s->t->frames[frame];
	const uint64_t h =
		cr_hash_mix(cr_hash(f->name.p, f->name.len), cr_hash(f->dso.p, f->dso.len));
	uint32_t row;

	cr_index_each(ix, h, row) {
		const struct cr_frame *g = &s->t->frames[s->frames.p[row]];

		if (cr_str_eq(f->name, g->name) && cr_str_eq(f->dso, g->dso))
			break;
	}
	if (row == CR_NO_ROW) {
		row = (uint32_t)s->frames.n;
		cr_vec_push(&s->frames, frame);
		cr_index_add(ix, h, row);
	}
	s->number[frame] = row;
}

/* The stack of a node that was seen has no new frame. */
static void
frames_number(struct speedscope *s)
{
	uint8_t *seen = cr_alloc(s->t->n, sizeof(*seen));
	struct cr_index ix = {0};

	s->number = cr_alloc(s->t->n_frames, sizeof(*s->number));
	memset(s->number, 0xff, s->t->n_frames * sizeof(*s->number));
	for (size_t i = 0; i < s->samples.lists.n; i++) {
		const struct cr_thread_list *l = &s->samples.lists.p[i];

		for (uint64_t k = l->first; k < l->first + l->n; k++)
			for (uint32_t n = s->in->place[s->samples.row[k]]; n && !seen[n];
				n = s->t->parent[n]) {
				seen[n] = 1;
				if (s->number[s->t->frame[n]] == CR_NO_ROW)
					frame_number(s, &ix, s->t->frame[n]);
			}
	}
	cr_index_fini(&ix);
	free(seen);
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

/* Write a number in front of `end`; returns its first digit. */
static char *
digits_before(char *end, uint32_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while (number /= 10);
	return end;
}

/* The frames of a stack, root first: made from its end, where the way to the root begins. */
static void
put_stack(struct speedscope *s, uint32_t node)
{
	char *const end = s->stack + s->stack_room;
	const uint32_t leaf = node;
	char *at = end;
	size_t start;

	cr_json_out_raw(&s->json, CR_STR("")); /* an item, which follows */
	start = s->text.len;
	if (cr_row_texts_put(&s->of_node, leaf, &s->text))
		return;
	*--at = ']';
	for (; node; node = s->t->parent[node]) {
		at = digits_before(at, s->number[s->t->frame[node]]);
		if (s->t->parent[node])
			*--at = ',';
	}
	*--at = '[';
	cr_text_put(&s->text, at, (size_t)(end - at));
	cr_row_texts_keep(&s->of_node, leaf, &s->text, start);
}

static int
put_samples(struct speedscope *s, const struct cr_thread_list *l, struct cr_sink *out,
	struct cr_err *err)
{
	const uint64_t *weights = cr_column_weights(s->p);
	const uint64_t *row = s->samples.row + l->first;
	int rc = CR_OK;

	cr_json_out_key(&s->json, "samples");
	cr_json_out_open(&s->json, '#');
	for (uint64_t i = 0; rc == CR_OK && i < l->n; i++) {
		put_stack(s, s->in->place[row[i]]);
		rc = cr_sink_large(out, &s->text, err);
	}
	cr_json_out_close(&s->json);
	cr_json_out_key(&s->json, "weights");
	cr_json_out_open(&s->json, '#');
	for (uint64_t i = 0; rc == CR_OK && i < l->n; i++) {
		cr_json_out_weight(&s->json, weights[row[i]], s->p->events[l->event].unit);
		rc = cr_sink_large(out, &s->text, err);
	}
	cr_json_out_close(&s->json);
	return rc;
}

static void
put_title(struct speedscope *s, const struct cr_thread_list *l)
{
	struct cr_text title = {0};

	cr_thread_list_title(&s->samples, l, s->p, &title);
	cr_json_out_text_of(&s->json, "name", cr_text_view(&title));
	cr_text_fini(&title);
}

static int
put_profile(struct speedscope *s, const struct cr_thread_list *l, struct cr_sink *out,
	struct cr_err *err)
{
	const struct cr_event *e = &s->p->events[l->event];
	int rc;

	cr_json_out_line(&s->json, "");
	cr_json_out_open(&s->json, '{');
	cr_json_out_text_of(&s->json, "type", CR_STR("sampled"));
	put_title(s, l);
	cr_json_out_text_of(&s->json, "unit", unit_of(e));
	cr_json_out_u64_of(&s->json, "startValue", 0);
	cr_json_out_key(&s->json, "endValue");
	cr_json_out_weight(&s->json, l->weight, e->unit);
	cr_json_out_key(&s->json, "cresset");
	cr_json_out_open(&s->json, '{');
	cr_thread_list_own(&s->samples, l, s->p, &s->json);
	cr_json_out_close(&s->json);
	rc = put_samples(s, l, out, err);
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
	for (size_t i = 0; rc == CR_OK && i < s->samples.lists.n; i++)
		rc = put_profile(s, &s->samples.lists.p[i], out, err);
	cr_json_out_close(&s->json);
	cr_json_out_close(&s->json);
	cr_text_char(&s->text, '\n');
	return rc == CR_OK ? cr_sink_text(out, &s->text, err) : rc;
}

/* Brackets, and for each frame of the longest stack a number and a comma. */
static size_t
stack_room(const struct speedscope *s)
{
	const size_t number = sizeof("4294967295,");

	return 2 + (size_t)cr_tree_depth(s->t->parent, s->t->n) * number;
}

static int
speedscope_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct speedscope s = {.in = in, .p = in->p, .t = in->tree};
	int rc;

	(void)options;
	s.json.text = &s.text;
	cr_thread_samples_init(&s.samples, in);
	frames_number(&s);
	s.stack_room = stack_room(&s);
	s.stack = cr_alloc(s.stack_room, 1);
	cr_row_texts_init(&s.of_node, s.t->n);
	rc = put_file(&s, out, err);
	cr_thread_samples_fini(&s.samples);
	cr_vec_fini(&s.frames);
	free(s.number);
	free(s.stack);
	cr_row_texts_fini(&s.of_node);
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
