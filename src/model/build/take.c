#include "model/build/builder.h"

#include "builder_p.h"

#include <stdlib.h>

/* Room in a map of rows for all that `from` has; gives how many are mapped already. */
static uint32_t
map_grow(uint32_t **map, uint32_t *n, size_t rows)
{
	const uint32_t known = *n;

	if (rows > known)
		*map = cr_realloc(*map, rows, sizeof(**map));
	*n = (uint32_t)rows;
	return known;
}

static void
take_events(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_taken *t)
{
	for (uint32_t i = map_grow(&t->event, &t->n_event, from->events.n); i < t->n_event; i++)
		t->event[i] = cr_builder_event(b, from->events.p[i].name, from->events.p[i].unit).i;
}

static void
take_objects(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_taken *t)
{
	for (uint32_t i = map_grow(&t->object, &t->n_object, from->objects.n); i < t->n_object; i++)
		t->object[i] = cr_builder_object(b, &from->objects.p[i]).i;
}

static void
take_functions(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_taken *t)
{
	for (uint32_t i = map_grow(&t->function, &t->n_function, from->functions.n);
		i < t->n_function; i++) {
		const struct cr_function *f = &from->functions.p[i];

		t->function[i] = cr_built_function(
			b, f->name, (cr_object_id){t->object[f->object.i]}, f->addr)
					 .i;
	}
}

static uint32_t
take_named(struct cr_builder *b, const struct cr_builder *from, const struct cr_builder_taken *t,
	const struct cr_location *l)
{
	struct cr_line few[8],
		*lines = l->lines > CR_LEN(few) ? cr_alloc(l->lines, sizeof(*lines)) : few;
	uint32_t row;

	for (uint16_t i = 0; i < l->lines; i++) {
		const struct cr_line *line = &from->lines.p[l->first_line + i];

		lines[i] = *line;
		lines[i].function.i = t->function[line->function.i];
		if (line->file.len)
			lines[i].file = cr_strings_keep(&b->strings, &b->p->arena, line->file);
	}
	row = cr_built_location(b, (cr_object_id){t->object[l->object.i]}, l->addr, lines, l->lines)
		      .i;
	if (lines != few)
		free(lines);
	return row;
}

static void
take_locations(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_taken *t)
{
	for (uint32_t i = map_grow(&t->location, &t->n_location, from->locations.n);
		i < t->n_location; i++) {
		const struct cr_location *l = &from->locations.p[i];

		if (l->first_line == CR_NO_ROW)
			t->location[i] = cr_builder_location(
				b, (cr_object_id){t->object[l->object.i]}, l->addr, l->ordinal)
						 .i;
		else
			t->location[i] = take_named(b, from, t, l);
	}
	if (from->truncated1)
		b->truncated1 = t->location[from->truncated1 - 1] + 1;
}

static void
take_nodes(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_taken *t)
{
	for (uint32_t i = map_grow(&t->node, &t->n_node, from->nodes.n); i < t->n_node; i++) {
		const struct cr_built_node *n = &from->nodes.p[i];

		t->node[i] = 0; /* the root */
		if (i)
			t->node[i] = cr_builder_push(b, (cr_node_id){t->node[n->parent]},
				(cr_location_id){t->location[n->location]})
					     .i;
	}
}

static void
take_tasks(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_taken *t)
{
	while (b->n_spaces < from->n_spaces)
		cr_builder_space(b);
	for (uint32_t i = map_grow(&t->task, &t->n_task, from->tasks.n); i < t->n_task; i++) {
		const struct cr_task *k = &from->tasks.p[i];

		t->task[i] = cr_builder_task(b, k->pid, k->tid, k->comm, k->space).i;
	}
}

/*
 * The values stay in the order of their samples, which come behind those that b has of the event.
 */
static void
take_values(struct cr_builder *b, struct cr_filling *f, cr_detail_id detail,
	const struct cr_builder_taken *t)
{
	const uint64_t before = b->events.p[t->event[f->event.i]].samples,
		       none = cr_form_none(f->form);

	for (size_t i = 0; i < f->value.n; i++) {
		const uint64_t v = f->value.p[i];
		const bool lost = f->form == CR_FORM_TEXT && v != none && t->text[v] == CR_NO_ROW;

		if (v != none && !lost)
			cr_detail_builder_nth(&b->details, detail, before + i + 1,
				f->form == CR_FORM_TEXT ? t->text[v] : v);
	}
	f->value.n = 0;
}

/* One that b has no room for is CR_NO_ROW. */
static void
take_texts(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_taken *t)
{
	const size_t rows = from->details.texts.rows.n;

	for (uint32_t i = map_grow(&t->text, &t->n_text, rows); i < t->n_text; i++)
		t->text[i] = (uint32_t)cr_builder_text(b, from->details.texts.rows.p[i]);
}

/* To be called before the samples are moved: values are placed by how many there are. */
static void
take_details(struct cr_builder *b, struct cr_builder *from, struct cr_builder_taken *t)
{
	struct cr_detail_builder *d = &from->details;

	take_texts(b, from, t);
	for (uint32_t i = map_grow(&t->detail, &t->n_detail, d->rows.n); i < t->n_detail; i++)
		t->detail[i] = cr_builder_detail(b, (cr_event_id){t->event[d->rows.p[i].event.i]},
			d->rows.p[i].name, (enum cr_form)d->rows.p[i].form)
				       .i;
	for (uint32_t i = 0; i < t->n_detail; i++)
		take_values(b, &d->rows.p[i], (cr_detail_id){t->detail[i]}, t);
	b->details.over_details += d->over_details;
	b->details.over_values += d->over_values;
	b->details.over_texts += d->over_texts;
	d->over_details = d->over_values = d->over_texts = 0;
	d->values = 0;
}

static void
tape_empty(struct cr_tape *t)
{
	t->len = t->let_go = 0;
}

/* The column as it is, behind that of b. */
static void
take_column(struct cr_builder *b, struct cr_builder *from, enum cr_sample_column c)
{
	struct cr_tape *t = &from->columns[c];
	const size_t size = cr_sample_column_bytes(c);

	for (size_t at = 0; at < t->len; at += size)
		cr_tape_push(&b->columns[c], t->p + at, size);
	tape_empty(t);
}

/* The same for a column of rows, by their numbers in b. */
static void
take_rows(
	struct cr_builder *b, struct cr_builder *from, enum cr_sample_column c, const uint32_t *row)
{
	struct cr_tape *t = &from->columns[c];
	const uint32_t *have = (const void *)t->p;

	for (size_t i = 0; i < t->len / sizeof(*have); i++)
		cr_tape_push(&b->columns[c], &row[have[i]], sizeof(*row));
	tape_empty(t);
}

static void
take_event_column(struct cr_builder *b, struct cr_builder *from, const uint32_t *row)
{
	struct cr_tape *t = &from->columns[CR_SAMPLE_EVENT];
	const uint16_t *have = (const void *)t->p;

	for (size_t i = 0; i < t->len / sizeof(*have); i++) {
		const uint16_t event = (uint16_t)row[have[i]];

		cr_tape_push(&b->columns[CR_SAMPLE_EVENT], &event, sizeof(event));
	}
	tape_empty(t);
}

static void
take_samples(struct cr_builder *b, struct cr_builder *from, const struct cr_builder_taken *t)
{
	take_column(b, from, CR_SAMPLE_TIME);
	take_column(b, from, CR_SAMPLE_WEIGHT);
	take_column(b, from, CR_SAMPLE_CPU);
	take_rows(b, from, CR_SAMPLE_TASK, t->task);
	take_rows(b, from, CR_SAMPLE_NODE, t->node);
	take_event_column(b, from, t->event);
	for (uint32_t i = 0; i < t->n_event; i++) {
		struct cr_event *have = &from->events.p[i], *e = &b->events.p[t->event[i]];

		e->samples += have->samples;
		e->weight = cr_add_sat(e->weight, have->weight);
		have->samples = have->weight = 0;
	}
	b->n_samples += from->n_samples;
	from->n_samples = 0;
}

void
cr_builder_take(struct cr_builder *b, struct cr_builder *from, struct cr_builder_taken *taken)
{
	cr_builder_flags(b, from->p->flags);
	take_events(b, from, taken);
	take_objects(b, from, taken);
	take_functions(b, from, taken);
	take_locations(b, from, taken);
	take_nodes(b, from, taken);
	take_tasks(b, from, taken);
	take_details(b, from, taken);
	take_samples(b, from, taken);
	b->over_nodes += from->over_nodes;
	b->over_depth += from->over_depth;
	from->over_nodes = from->over_depth = 0;
}

void
cr_builder_taken_fini(struct cr_builder_taken *taken)
{
	free(taken->event);
	free(taken->object);
	free(taken->function);
	free(taken->location);
	free(taken->node);
	free(taken->task);
	free(taken->text);
	free(taken->detail);
	*taken = (struct cr_builder_taken){0};
}
