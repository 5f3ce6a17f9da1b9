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
take_events(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	for (uint32_t i = map_grow(&t->event, &t->n_event, from->events.n); i < t->n_event; i++)
		t->event[i] = cr_builder_event(b, from->events.p[i].name, from->events.p[i].unit).i;
}

static void
take_dsos(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	for (uint32_t i = map_grow(&t->dso, &t->n_dso, from->dsos.n); i < t->n_dso; i++)
		t->dso[i] = cr_builder_dso(b, &from->dsos.p[i]).i;
}

static void
take_functions(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	for (uint32_t i = map_grow(&t->function, &t->n_function, from->functions.n);
		i < t->n_function; i++) {
		const struct cr_function *f = &from->functions.p[i];

		t->function[i] =
			cr_built_function(b, f->name, (cr_dso_id){t->dso[f->dso.i]}, f->addr).i;
	}
}

static uint32_t
take_named(struct cr_builder *b, const struct cr_builder *from, const struct cr_builder_appended *t,
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
	row = cr_built_location(b, (cr_dso_id){t->dso[l->dso.i]}, l->addr, lines, l->lines).i;
	if (lines != few)
		free(lines);
	return row;
}

static void
take_locations(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	for (uint32_t i = map_grow(&t->location, &t->n_location, from->locations.n);
		i < t->n_location; i++) {
		const struct cr_location *l = &from->locations.p[i];

		if (l->first_line == CR_NO_ROW)
			t->location[i] = cr_builder_location(
				b, (cr_dso_id){t->dso[l->dso.i]}, l->addr, l->ordinal)
						 .i;
		else
			t->location[i] = take_named(b, from, t, l);
	}
	if (from->truncated1)
		b->truncated1 = t->location[from->truncated1 - 1] + 1;
}

static void
take_nodes(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
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
take_tasks(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	while (b->n_spaces < from->n_spaces)
		cr_builder_address_space(b);
	for (uint32_t i = map_grow(&t->task, &t->n_task, from->tasks.n); i < t->n_task; i++) {
		const struct cr_task *k = &from->tasks.p[i];

		t->task[i] = cr_builder_task(b, k->pid, k->tid, k->comm, k->space).i;
	}
}

/*
 * The values stay in the order of their samples, which come behind those that b has of the event.
 */
static void
take_values(struct cr_builder *b, struct cr_filling *f, cr_field_id field,
	const struct cr_builder_appended *t)
{
	const uint64_t before = b->events.p[t->event[f->event.i]].samples,
		       none = cr_form_none(f->form);

	for (size_t i = 0; i < f->value.n; i++) {
		const uint64_t v = f->value.p[i];
		const bool lost = f->form == CR_FORM_TEXT && v != none && t->text[v] == CR_NO_ROW;

		if (v != none && !lost)
			cr_field_builder_nth(&b->fields, field, before + i + 1,
				f->form == CR_FORM_TEXT ? t->text[v] : v);
	}
	f->value.n = 0;
}

/* One that b has no room for is CR_NO_ROW. */
static void
take_texts(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	const size_t rows = from->fields.texts.rows.n;

	for (uint32_t i = map_grow(&t->text, &t->n_text, rows); i < t->n_text; i++)
		t->text[i] = (uint32_t)cr_builder_text(b, from->fields.texts.rows.p[i]);
}

/* To be called before the samples are moved: values are placed by how many there are. */
static void
take_fields(struct cr_builder *b, struct cr_builder *from, struct cr_builder_appended *t)
{
	struct cr_field_builder *d = &from->fields;

	take_texts(b, from, t);
	for (uint32_t i = map_grow(&t->field, &t->n_field, d->rows.n); i < t->n_field; i++)
		t->field[i] = cr_builder_field(b, (cr_event_id){t->event[d->rows.p[i].event.i]},
			d->rows.p[i].name, (enum cr_form)d->rows.p[i].form)
				      .i;
	for (uint32_t i = 0; i < t->n_field; i++)
		take_values(b, &d->rows.p[i], (cr_field_id){t->field[i]}, t);
	b->fields.over_fields += d->over_fields;
	b->fields.over_values += d->over_values;
	b->fields.over_texts += d->over_texts;
	d->over_fields = d->over_values = d->over_texts = 0;
	d->values = 0;
}

static void
mapped_vector_empty(struct cr_mapped_vector *t)
{
	t->len = t->let_go = 0;
}

/* The column as it is, behind that of b. */
static void
take_column(struct cr_builder *b, struct cr_builder *from, enum cr_sample_column c)
{
	struct cr_mapped_vector *t = &from->columns[c];
	const size_t size = cr_sample_column_bytes(c);

	for (size_t at = 0; at < t->len; at += size)
		cr_mapped_vector_push(&b->columns[c], t->p + at, size);
	mapped_vector_empty(t);
}

/* The same for a column of rows, by their numbers in b. */
static void
take_rows(
	struct cr_builder *b, struct cr_builder *from, enum cr_sample_column c, const uint32_t *row)
{
	struct cr_mapped_vector *t = &from->columns[c];
	const uint32_t *have = (const void *)t->p;

	for (size_t i = 0; i < t->len / sizeof(*have); i++)
		cr_mapped_vector_push(&b->columns[c], &row[have[i]], sizeof(*row));
	mapped_vector_empty(t);
}

static void
take_event_column(struct cr_builder *b, struct cr_builder *from, const uint32_t *row)
{
	struct cr_mapped_vector *t = &from->columns[CR_SAMPLE_EVENT];
	const uint16_t *have = (const void *)t->p;

	for (size_t i = 0; i < t->len / sizeof(*have); i++) {
		const uint16_t event = (uint16_t)row[have[i]];

		cr_mapped_vector_push(&b->columns[CR_SAMPLE_EVENT], &event, sizeof(event));
	}
	mapped_vector_empty(t);
}

static void
take_samples(struct cr_builder *b, struct cr_builder *from, const struct cr_builder_appended *t)
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
cr_builder_append_rows(
	struct cr_builder *b, struct cr_builder *from, struct cr_builder_appended *taken)
{
	cr_builder_flags(b, from->p->flags);
	take_events(b, from, taken);
	take_dsos(b, from, taken);
	take_functions(b, from, taken);
	take_locations(b, from, taken);
	take_nodes(b, from, taken);
	take_tasks(b, from, taken);
	take_fields(b, from, taken);
	take_samples(b, from, taken);
	b->over_nodes += from->over_nodes;
	b->over_depth += from->over_depth;
	from->over_nodes = from->over_depth = 0;
}

void
cr_builder_taken_fini(struct cr_builder_appended *taken)
{
	free(taken->event);
	free(taken->dso);
	free(taken->function);
	free(taken->location);
	free(taken->node);
	free(taken->task);
	free(taken->text);
	free(taken->field);
	*taken = (struct cr_builder_appended){0};
}
