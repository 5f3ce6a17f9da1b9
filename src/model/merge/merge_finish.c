#include "merge_p.h"

#include "model/field.h"

#include <stdlib.h>

/* ---- tables of the inputs, one input after the other */

static int
leaf_cmp(const void *x, const void *y)
{
	const struct cr_merged_leaf *const *a = x, *const *b = y;

	return cr_merge_inputs_cmp(&(*a)->in, &(*b)->in);
}

void
cr_merge_order_leaves(struct cr_merge_ordering *o)
{
	o->leaves = cr_alloc(o->m->leaves.n, sizeof(struct cr_merged_leaf *));
	for (size_t i = 0; i < o->m->leaves.n; i++)
		o->leaves[i] = &o->m->leaves.p[i];
	if (o->m->leaves.n)
		qsort(o->leaves, o->m->leaves.n, sizeof(struct cr_merged_leaf *), leaf_cmp);
}

static int
map_cmp(const void *x, const void *y)
{
	const struct cr_map *a = x, *b = y;

	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->space.i, b->space.i));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->start, b->start));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->born, b->born));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->end, b->end));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->died, b->died));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->pgoff, b->pgoff));
	return cr_merge_cmp_numbers(a->dso.i, b->dso.i);
}

void
cr_merge_finish_tasks(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	struct cr_task *tasks = cr_arena_adopt(&m->p->arena, cr_alloc(m->tasks.n, sizeof(*tasks)));
	struct cr_map *maps = cr_arena_adopt(&m->p->arena, cr_alloc(m->maps.n, sizeof(*maps)));
	uint32_t n_tasks = 0, n_maps = 0, spaces = 0;
	uint64_t row = 0;

	for (size_t k = 0; k < m->leaves.n; k++) {
		const struct cr_merged_leaf *leaf = o->leaves[k];

		for (uint32_t i = 0; i < leaf->n_tasks; i++) {
			tasks[n_tasks] = m->tasks.p[leaf->first_task + i];
			tasks[n_tasks++].space.i += spaces;
		}
		for (uint32_t i = 0; i < leaf->n_maps; i++) {
			struct cr_map map = m->maps.p[leaf->first_map + i];

			map.space.i += spaces;
			map.dso.i = o->dso[map.dso.i];
			map.born += row;
			map.died += row;
			maps[n_maps++] = map;
		}
		spaces += leaf->in.spaces;
		row += leaf->in.samples;
	}
	if (n_maps)
		qsort(maps, n_maps, sizeof(*maps), map_cmp);
	m->p->tasks = tasks;
	m->p->n_tasks = n_tasks;
	m->p->maps = maps;
	m->p->n_maps = n_maps;
	m->p->n_spaces = spaces;
}

/* Append the samples of one input. Its tasks begin at first_task. */
static void
finish_rows(struct cr_merge_ordering *o, const struct cr_merged_leaf *leaf, uint32_t first_task,
	struct cr_mapped_vector *out)
{
	const struct cr_mapped_vector *in = o->m->columns;
	const uint64_t from = leaf->first_row, to = from + leaf->in.samples;
	const uint64_t *time = (const void *)in[CR_SAMPLE_TIME].p,
		       *weight = (const void *)in[CR_SAMPLE_WEIGHT].p;
	const uint32_t *task = (const void *)in[CR_SAMPLE_TASK].p,
		       *node = (const void *)in[CR_SAMPLE_NODE].p;
	const uint16_t *cpu = (const void *)in[CR_SAMPLE_CPU].p,
		       *event = (const void *)in[CR_SAMPLE_EVENT].p;

	for (uint64_t i = from; i < to; i++) {
		const uint32_t t = first_task + task[i], n = o->node[node[i]];
		const uint16_t e = (uint16_t)o->event[event[i]];

		cr_mapped_vector_push(&out[CR_SAMPLE_TIME], &time[i], sizeof(time[i]));
		cr_mapped_vector_push(&out[CR_SAMPLE_WEIGHT], &weight[i], sizeof(weight[i]));
		cr_mapped_vector_push(&out[CR_SAMPLE_TASK], &t, sizeof(t));
		cr_mapped_vector_push(&out[CR_SAMPLE_NODE], &n, sizeof(n));
		cr_mapped_vector_push(&out[CR_SAMPLE_CPU], &cpu[i], sizeof(cpu[i]));
		cr_mapped_vector_push(&out[CR_SAMPLE_EVENT], &e, sizeof(e));
	}
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if (in[c].filed)
			cr_mapping_done(in[c].p, from * cr_sample_column_bytes(c),
				to * cr_sample_column_bytes(c));
}

void
cr_merge_finish_samples(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	struct cr_samples *s = &m->p->samples;
	struct cr_mapped_vector out[CR_SAMPLE_COLUMNS] = {0};
	const void *column[CR_SAMPLE_COLUMNS];
	uint32_t tasks = 0;

	for (size_t k = 0; k < m->leaves.n; tasks += o->leaves[k++]->n_tasks)
		finish_rows(o, o->leaves[k], tasks, out);
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++) {
		cr_mapped_vector_fini(&m->columns[c]);
		cr_mapped_vector_end(&out[c]);
		column[c] = cr_arena_adopt_mapping(&m->p->arena, out[c].p, out[c].cap);
		s->filed |= (unsigned)out[c].filed << c;
	}
	s->n = m->n_samples;
	s->time_ns = column[CR_SAMPLE_TIME];
	s->weight = column[CR_SAMPLE_WEIGHT];
	s->task = column[CR_SAMPLE_TASK];
	s->node = column[CR_SAMPLE_NODE];
	s->cpu = column[CR_SAMPLE_CPU];
	s->event = column[CR_SAMPLE_EVENT];
}

/* ---- fields */

static int
field_cmp(const void *x, const void *y, void *user)
{
	const struct cr_merge_ordering *o = user;
	const struct cr_merged_field *a = &o->m->fields.p[*(const uint32_t *)x];
	const struct cr_merged_field *b = &o->m->fields.p[*(const uint32_t *)y];

	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(o->event[a->event], o->event[b->event]));
	CR_MERGE_RETURN_CMP(cr_str_cmp(a->name, b->name));
	return cr_merge_cmp_numbers(a->form, b->form);
}

static int
text_cmp(const void *x, const void *y, void *user)
{
	const struct cr_strings *texts = &((struct cr_merge_ordering *)user)->m->texts;

	return cr_str_cmp(texts->rows.p[*(const uint32_t *)x], texts->rows.p[*(const uint32_t *)y]);
}

static void
order_texts(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	uint32_t *order = cr_merge_order(m->texts.rows.n, 0, text_cmp, o);

	m->p->texts = cr_merge_reorder(
		m, m->texts.rows.p, sizeof(*m->texts.rows.p), order, m->texts.rows.n);
	m->p->n_texts = (uint32_t)m->texts.rows.n;
	o->text = cr_merge_places_of(order, m->texts.rows.n);
	free(order);
}

/* Values of an input, sorted by field. */
static int
values_cmp(const void *x, const void *y, void *place)
{
	const struct cr_merged_values *a = x, *b = y;
	const uint32_t *at = place;

	return cr_merge_cmp_numbers(at[a->field], at[b->field]);
}

/* Append n values, which begin at item `at` of the mapped vector. */
static void
push_values(const struct cr_merge_ordering *o, const struct cr_merged_values *v, bool is_text,
	struct cr_mapped_vector *out)
{
	const uint64_t *values = (const void *)o->m->values.p;

	for (uint64_t i = v->at; i < v->at + v->n; i++) {
		const bool is_row = is_text && values[i] != cr_form_none(CR_FORM_TEXT);
		const uint64_t x = is_row ? o->text[values[i]] : values[i];

		cr_mapped_vector_push(out, &x, sizeof(x));
	}
}

/* The column of one field, input by input. next: by input, its next values. */
static const uint64_t *
finish_column(struct cr_merge_ordering *o, uint32_t row, uint32_t *next)
{
	struct cr_merge *m = o->m;
	const struct cr_merged_field *d = &m->fields.p[row];
	const uint64_t none = cr_form_none((enum cr_form)d->form);
	struct cr_mapped_vector out = {0};

	for (size_t k = 0; k < m->leaves.n; k++) {
		const struct cr_merged_leaf *leaf = o->leaves[k];
		const struct cr_merged_values *v = &m->values_of.p[leaf->first_values + next[k]];

		if (next[k] < leaf->n_values && v->field == row) {
			push_values(o, v, d->form == CR_FORM_TEXT, &out);
			next[k]++;
			continue;
		}
		for (uint64_t i = d->event < leaf->n_events ? leaf->event_samples[d->event] : 0;
			i > 0; i--)
			cr_mapped_vector_push(&out, &none, sizeof(none));
	}
	cr_mapped_vector_end(&out);
	return cr_arena_adopt_mapping(&m->p->arena, out.p, out.cap);
}

void
cr_merge_finish_fields(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	const uint32_t n = (uint32_t)m->fields.n;
	uint32_t *order = cr_merge_order(n, 0, field_cmp, o), *place = cr_merge_places_of(order, n);
	uint32_t *next = cr_alloc(m->leaves.n, sizeof(*next));
	struct cr_field *rows = cr_arena_adopt(&m->p->arena, cr_alloc(n, sizeof(*rows)));

	order_texts(o);
	for (size_t k = 0; k < m->leaves.n; k++)
		if (m->leaves.p[k].n_values)
			qsort_r(m->values_of.p + m->leaves.p[k].first_values,
				m->leaves.p[k].n_values, sizeof(*m->values_of.p), values_cmp,
				place);
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_merged_field *d = &m->fields.p[order[i]];

		rows[i] = (struct cr_field){.name = d->name,
			.event = {o->event[d->event]},
			.form = d->form,
			.n = m->events.p[d->event].samples,
			.value = finish_column(o, order[i], next)};
	}
	cr_fields_sum_up(rows, n, m->p->n_texts);
	m->p->fields = rows;
	m->p->n_fields = n;
	free(order);
	free(place);
	free(next);
}
