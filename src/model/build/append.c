#include "model/build/builder.h"

#include "builder_p.h"

#include <stdlib.h>

/* Extend a map to `rows` rows; return how many are already mapped. */
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
append_events(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	for (uint32_t i = map_grow(&t->event, &t->n_event, from->events.n); i < t->n_event; i++)
		t->event[i] = cr_builder_event(b, from->events.p[i].name, from->events.p[i].unit).i;
}

static void
append_dsos(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	for (uint32_t i = map_grow(&t->dso, &t->n_dso, from->dsos.n); i < t->n_dso; i++)
		t->dso[i] = cr_builder_dso(b, &from->dsos.p[i]).i;
}

static void
append_functions(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	struct cr_built_function want[CR_BUILT_AT_ONCE];
	cr_function_id function[CR_BUILT_AT_ONCE];
	uint32_t row = map_grow(&t->function, &t->n_function, from->functions.n);

	for (uint32_t some; row < t->n_function; row += some) {
		some = CR_MIN(t->n_function - row, (uint32_t)CR_BUILT_AT_ONCE);
		for (uint32_t i = 0; i < some; i++) {
			want[i] = from->functions.p[row + i];
			want[i].dso.i = t->dso[want[i].dso.i];
		}
		cr_built_functions(b, want, some, function);
		for (uint32_t i = 0; i < some; i++)
			t->function[row + i] = function[i].i;
	}
}

static uint32_t
append_named(struct cr_builder *b, const struct cr_builder *from,
	const struct cr_builder_appended *t, const struct cr_location *l)
{
	struct cr_built_line few[8],
		*lines = l->lines > CR_LEN(few) ? cr_alloc(l->lines, sizeof(*lines)) : few;
	uint32_t row;

	for (uint16_t i = 0; i < l->lines; i++) {
		const struct cr_built_line *line = &from->lines.p[l->first_line + i];

		lines[i] = *line;
		lines[i].function.i = t->function[line->function.i];
		if (line->file1)
			lines[i].file1 = cr_built_file1(b, from->strings.rows.p[line->file1 - 1]);
	}
	row = cr_built_location(b, (cr_dso_id){t->dso[l->dso.i]}, l->addr, lines, l->lines).i;
	if (lines != few)
		free(lines);
	return row;
}

/* Prefetch the slot of a location's lookup. Those of inlined functions and of addresses are few. */
static void
prefetch_location(const struct cr_builder *b, const struct cr_builder *from,
	const struct cr_builder_appended *t, const struct cr_location *l)
{
	struct cr_built_line line;

	if (l->first_line == CR_NO_ROW || l->lines != 1)
		return;
	line = from->lines.p[l->first_line];
	line.function.i = t->function[line.function.i];
	cr_built_location_prefetch(b, (cr_dso_id){t->dso[l->dso.i]}, l->addr, &line);
}

static uint32_t
append_location(struct cr_builder *b, const struct cr_builder *from,
	const struct cr_builder_appended *t, const struct cr_location *l)
{
	if (l->first_line != CR_NO_ROW)
		return append_named(b, from, t, l);
	return cr_builder_location(b, (cr_dso_id){t->dso[l->dso.i]}, l->addr, l->ordinal).i;
}

static void
append_locations(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	uint32_t row = map_grow(&t->location, &t->n_location, from->locations.n);

	for (uint32_t end; row < t->n_location; row = end) {
		end = CR_MIN(t->n_location - row, (uint32_t)CR_BUILT_AT_ONCE) + row;
		for (uint32_t i = row; i < end; i++)
			prefetch_location(b, from, t, &from->locations.p[i]);
		for (uint32_t i = row; i < end; i++)
			t->location[i] = append_location(b, from, t, &from->locations.p[i]);
	}
	if (from->truncated1)
		b->truncated1 = t->location[from->truncated1 - 1] + 1;
}

/*
 * Rows of nodes from `row` to `end`, at most CR_BUILT_AT_ONCE, and not the root. The paths tell the
 * slots of all of them before the first is looked up.
 */
static void
append_some_nodes(struct cr_builder *b, const struct cr_builder *from,
	struct cr_builder_appended *t, uint32_t row, uint32_t end)
{
	uint32_t path[CR_BUILT_AT_ONCE];

	for (uint32_t i = row; i < end; i++) {
		const struct cr_built_node *n = &from->nodes.p[i];
		const uint32_t above = n->parent >= row ? path[n->parent - row]
							: b->nodes.p[t->node[n->parent]].path;

		path[i - row] = cr_built_node_prefetch(
			b, above, (cr_location_id){t->location[n->location]});
	}
	for (uint32_t i = row; i < end; i++) {
		const struct cr_built_node *n = &from->nodes.p[i];

		t->node[i] = cr_builder_push(b, (cr_node_id){t->node[n->parent]},
			(cr_location_id){t->location[n->location]})
				     .i;
	}
}

static void
append_nodes(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	uint32_t row = map_grow(&t->node, &t->n_node, from->nodes.n);

	if (row == 0)
		t->node[row++] = 0; /* the root */
	for (uint32_t end; row < t->n_node; row = end) {
		end = CR_MIN(t->n_node - row, (uint32_t)CR_BUILT_AT_ONCE) + row;
		append_some_nodes(b, from, t, row, end);
	}
}

static void
append_tasks(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	size_t n;
	const struct cr_task *tasks = cr_built_tasks(from, &n);

	while (b->n_spaces < from->n_spaces)
		cr_builder_address_space(b);
	for (uint32_t i = map_grow(&t->task, &t->n_task, n); i < t->n_task; i++) {
		const struct cr_task *k = &tasks[i];

		t->task[i] = cr_builder_task(b, k->pid, k->tid, k->comm, k->space).i;
	}
}

/* Values stay in the order of their samples, which follow the samples that b already has. */
static void
append_values(struct cr_builder *b, struct cr_filling *f, cr_field_id field,
	const struct cr_builder_appended *t)
{
	const uint64_t before = b->events.p[t->event[f->event.i]].samples,
		       none = cr_form_none(f->form);
	const uint64_t *value = (const void *)f->value.p;

	for (size_t i = 0; i < f->value.len / sizeof(*value); i++) {
		const uint64_t v = value[i];
		const bool lost = f->form == CR_FORM_TEXT && v != none && t->text[v] == CR_NO_ROW;

		if (v != none && !lost)
			cr_field_builder_nth(&b->fields, field, before + i + 1,
				f->form == CR_FORM_TEXT ? t->text[v] : v);
	}
	f->value.len = f->value.dropped = 0;
}

/* A text beyond the limit of b maps to CR_NO_ROW. */
static void
append_texts(struct cr_builder *b, const struct cr_builder *from, struct cr_builder_appended *t)
{
	const size_t rows = from->fields.texts.rows.n;

	for (uint32_t i = map_grow(&t->text, &t->n_text, rows); i < t->n_text; i++)
		t->text[i] = (uint32_t)cr_builder_text(b, from->fields.texts.rows.p[i]);
}

/* Call it before the samples move: the position of a value is the number of samples so far. */
static void
append_fields(struct cr_builder *b, struct cr_builder *from, struct cr_builder_appended *t)
{
	struct cr_field_builder *d = &from->fields;

	append_texts(b, from, t);
	for (uint32_t i = map_grow(&t->field, &t->n_field, d->rows.n); i < t->n_field; i++)
		t->field[i] = cr_builder_field(b, (cr_event_id){t->event[d->rows.p[i].event.i]},
			d->rows.p[i].name, (enum cr_form)d->rows.p[i].form)
				      .i;
	for (uint32_t i = 0; i < t->n_field; i++)
		append_values(b, &d->rows.p[i], (cr_field_id){t->field[i]}, t);
	b->fields.over_fields += d->over_fields;
	b->fields.over_values += d->over_values;
	b->fields.over_texts += d->over_texts;
	d->over_fields = d->over_values = d->over_texts = 0;
	d->values = 0;
}

static void
mapped_vector_empty(struct cr_mapped_vector *t)
{
	t->len = t->dropped = 0;
}

/* Append the column unchanged to that of b. */
static void
append_column(struct cr_builder *b, struct cr_builder *from, enum cr_sample_column c)
{
	struct cr_mapped_vector *t = &from->columns[c];
	const size_t size = cr_sample_column_bytes(c);

	for (size_t at = 0; at < t->len; at += size)
		cr_mapped_vector_push(&b->columns[c], t->p + at, size);
	mapped_vector_empty(t);
}

/* Append a column of row numbers, translated to rows of b. */
static void
append_rows(
	struct cr_builder *b, struct cr_builder *from, enum cr_sample_column c, const uint32_t *row)
{
	struct cr_mapped_vector *t = &from->columns[c];
	const uint32_t *have = (const void *)t->p;

	for (size_t i = 0; i < t->len / sizeof(*have); i++)
		cr_mapped_vector_push(&b->columns[c], &row[have[i]], sizeof(*row));
	mapped_vector_empty(t);
}

static void
append_event_column(struct cr_builder *b, struct cr_builder *from, const uint32_t *row)
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
append_samples(struct cr_builder *b, struct cr_builder *from, const struct cr_builder_appended *t)
{
	append_column(b, from, CR_SAMPLE_TIME);
	append_column(b, from, CR_SAMPLE_WEIGHT);
	append_column(b, from, CR_SAMPLE_CPU);
	append_rows(b, from, CR_SAMPLE_TASK, t->task);
	append_rows(b, from, CR_SAMPLE_NODE, t->node);
	append_event_column(b, from, t->event);
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
	struct cr_builder *b, struct cr_builder *from, struct cr_builder_appended *appended)
{
	cr_builder_flags(b, from->p->flags);
	append_events(b, from, appended);
	append_dsos(b, from, appended);
	append_functions(b, from, appended);
	append_locations(b, from, appended);
	append_nodes(b, from, appended);
	append_tasks(b, from, appended);
	append_fields(b, from, appended);
	append_samples(b, from, appended);
	b->over_nodes += from->over_nodes;
	b->over_depth += from->over_depth;
	from->over_nodes = from->over_depth = 0;
}

void
cr_builder_appended_fini(struct cr_builder_appended *appended)
{
	free(appended->event);
	free(appended->dso);
	free(appended->function);
	free(appended->location);
	free(appended->node);
	free(appended->task);
	free(appended->text);
	free(appended->field);
	*appended = (struct cr_builder_appended){0};
}
