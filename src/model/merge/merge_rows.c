#include "merge_p.h"

#include <stdlib.h>

/* Tables that belong to one recording alone: tasks, mappings, samples and their fields. */

#define HOST "host"

/* A profile being added. Its recordings follow one another. */
struct coming {
	struct cr_merge *m;
	const struct cr_profile *p;
	const struct cr_merge_places *at;
	uint64_t *seen;    /* by event of p: samples of the recordings added so far */
	uint32_t *field;   /* by field of p: row in m->fields */
	uint32_t *text;    /* by text of p: row in m->texts, + 1; 0 until it is first used */
	uint32_t *task_at; /* by task of p: its number within its recording */
	uint32_t *tasks; /* tasks of p, sorted by recording; those of the next begin at next_task */
	uint32_t next_task, next_map;
};

static uint32_t
field_row(struct cr_merge *m, uint32_t event, struct cr_str name, uint8_t form)
{
	const uint64_t h = cr_hash_mix(cr_hash(name.p, name.len), (uint64_t)event << 8 | form);
	uint32_t row;

	cr_index_each(&m->field_index, h, row) {
		const struct cr_merged_field *d = &m->fields.p[row];

		if (d->event == event && d->form == form && cr_str_eq(d->name, name))
			return row;
	}
	row = (uint32_t)m->fields.n;
	cr_vec_push(&m->fields, ((struct cr_merged_field){cr_merge_keep(m, name), event, form}));
	cr_index_add(&m->field_index, h, row);
	return row;
}

/* True if the values were read and the event has samples of its own, unlike a sum. */
static bool
has_values(const struct coming *c, const struct cr_field *d)
{
	return d->value && c->at->event[d->event.i] != CR_NO_ROW;
}

/* ---- the recording's spaces are [space, space + spaces) of p, its samples [row, row + samples) */

static void
add_tasks(struct coming *c, struct cr_merged_leaf *leaf, uint32_t space)
{
	struct cr_merge *m = c->m;

	leaf->first_task = (uint32_t)m->tasks.n;
	for (; c->next_task < c->p->n_tasks; c->next_task++) {
		struct cr_task t = c->p->tasks[c->tasks[c->next_task]];

		if (t.space.i - space >= leaf->in.spaces)
			break;
		t.space.i -= space;
		/* A recording without tasks needs a name next to the comms of others. */
		t.comm = leaf->in.flags & CR_PROFILE_HAS_TASK ? cr_merge_keep(m, t.comm)
							      : CR_STR("[unknown]");
		c->task_at[c->tasks[c->next_task]] = leaf->n_tasks++;
		cr_vec_push(&m->tasks, t);
	}
}

static void
add_maps(struct coming *c, struct cr_merged_leaf *leaf, uint32_t space, uint64_t row)
{
	struct cr_merge *m = c->m;

	leaf->first_map = (uint32_t)m->maps.n;
	for (; c->next_map < c->p->n_maps; c->next_map++) {
		struct cr_map map = c->p->maps[c->next_map];
		const uint64_t shift = c->at->dso_shift[map.dso.i];

		if (map.space.i - space >= leaf->in.spaces)
			break;
		map.start += shift;
		map.end += shift;
		/* For an absolute address pgoff is the start; elsewhere it is unused. */
		map.pgoff += shift;
		map.born = CR_MIN(CR_MAX(map.born, row) - row, leaf->in.samples);
		map.died = CR_MIN(CR_MAX(map.died, row) - row, leaf->in.samples);
		map.space.i -= space;
		map.dso.i = c->at->dso[map.dso.i];
		cr_vec_push(&m->maps, map);
		leaf->n_maps++;
	}
}

static uint64_t
first_time(const struct cr_samples *s, uint64_t row, uint64_t n)
{
	uint64_t first = UINT64_MAX;

	for (uint64_t i = row; i < row + n; i++)
		if (s->time_ns[i])
			first = CR_MIN(first, s->time_ns[i]);
	return first == UINT64_MAX ? 0 : first;
}

static void
add_samples(struct coming *c, struct cr_merged_leaf *leaf, uint64_t row)
{
	const struct cr_samples *s = &c->p->samples;
	const uint64_t first = first_time(s, row, leaf->in.samples),
		       shift = CR_MERGE_START_NS - first;
	struct cr_mapped_vector *columns = c->m->columns;

	if (!leaf->in.first_ns)
		leaf->in.first_ns = first;
	leaf->first_row = c->m->n_samples;
	leaf->n_events = (uint32_t)c->m->events.n;
	leaf->event_samples = cr_alloc(CR_MAX(leaf->n_events, 1u), sizeof(*leaf->event_samples));
	for (uint64_t i = row; i < row + leaf->in.samples; i++) {
		const uint64_t time = s->time_ns[i] ? s->time_ns[i] + shift : 0;
		const uint32_t node = c->at->node[s->node[i]], task = c->task_at[s->task[i]];
		const uint16_t event = (uint16_t)c->at->event[s->event[i]];

		cr_mapped_vector_push(&columns[CR_SAMPLE_TIME], &time, sizeof(time));
		cr_mapped_vector_push(
			&columns[CR_SAMPLE_WEIGHT], &s->weight[i], sizeof(s->weight[i]));
		cr_mapped_vector_push(&columns[CR_SAMPLE_TASK], &task, sizeof(task));
		cr_mapped_vector_push(&columns[CR_SAMPLE_NODE], &node, sizeof(node));
		cr_mapped_vector_push(&columns[CR_SAMPLE_CPU], &s->cpu[i], sizeof(s->cpu[i]));
		cr_mapped_vector_push(&columns[CR_SAMPLE_EVENT], &event, sizeof(event));
		leaf->event_samples[event]++;
	}
	c->m->n_samples += leaf->in.samples;
	cr_samples_done(s, row, row + leaf->in.samples);
}

static void
values_begin(struct cr_merge *m, struct cr_merged_leaf *leaf, uint32_t field, uint64_t n)
{
	cr_vec_push(&m->values_of,
		((struct cr_merged_values){
			.field = field, .at = m->values.len / sizeof(uint64_t), .n = n}));
	leaf->n_values++;
}

static uint64_t
text_of(struct coming *c, uint64_t row)
{
	if (!c->text[row])
		c->text[row] =
			cr_strings_intern(&c->m->texts, &c->m->p->arena, c->p->texts[row]) + 1;
	return c->text[row] - 1;
}

static void
add_values(struct coming *c, struct cr_merged_leaf *leaf, uint32_t row)
{
	const struct cr_field *d = &c->p->fields[row];
	const uint64_t from = c->seen[d->event.i],
		       n = leaf->event_samples[c->at->event[d->event.i]];
	const bool is_text = d->form == CR_FORM_TEXT;
	bool any = false;

	for (uint64_t i = from; i < from + n && !any; i++)
		any = d->value[i] != cr_form_none((enum cr_form)d->form);
	if (!any)
		return; /* it belongs to another recording of the same merge */
	values_begin(c->m, leaf, c->field[row], n);
	for (uint64_t i = from; i < from + n; i++) {
		const bool none = d->value[i] == cr_form_none((enum cr_form)d->form);
		const uint64_t v = is_text && !none ? text_of(c, d->value[i]) : d->value[i];

		cr_mapped_vector_push(&c->m->values, &v, sizeof(v));
	}
}

static bool
has_field(const struct cr_merge *m, const struct cr_merged_leaf *leaf, uint32_t field)
{
	for (uint32_t i = leaf->first_values; i < leaf->first_values + leaf->n_values; i++)
		if (m->values_of.p[i].field == field)
			return true;
	return false;
}

void
cr_merge_put_field(
	struct cr_merge *m, struct cr_merged_leaf *leaf, struct cr_str name, struct cr_str value)
{
	uint64_t text;

	if (!value.len)
		return;
	text = cr_strings_intern(&m->texts, &m->p->arena, value);
	for (uint32_t e = 0; e < leaf->n_events; e++) {
		uint32_t field;

		if (!leaf->event_samples[e])
			continue;
		field = field_row(m, e, name, CR_FORM_TEXT);
		if (has_field(m, leaf, field))
			continue;
		values_begin(m, leaf, field, leaf->event_samples[e]);
		for (uint64_t i = 0; i < leaf->event_samples[e]; i++)
			cr_mapped_vector_push(&m->values, &text, sizeof(text));
	}
}

void
cr_merge_keep_input(struct cr_merge *m, struct cr_merge_input *in)
{
	in->event = cr_merge_keep(m, in->event);
	in->unit = cr_merge_keep(m, in->unit);
	in->wall = cr_merge_keep(m, in->wall);
	in->name = cr_merge_keep(m, in->name);
	in->host = cr_merge_keep(m, in->host);
	in->date = cr_merge_keep(m, in->date);
	in->command = cr_merge_keep(m, in->command);
}

static void
add_leaf(struct coming *c, const struct cr_merge_input *in, uint32_t space, uint64_t row)
{
	struct cr_merged_leaf leaf = {
		.in = *in, .first_values = (uint32_t)c->m->values_of.n, .recordings = 1};

	cr_merge_keep_input(c->m, &leaf.in);
	add_tasks(c, &leaf, space);
	add_maps(c, &leaf, space, row);
	add_samples(c, &leaf, row);
	for (uint32_t i = 0; i < c->p->n_fields; i++)
		if (has_values(c, &c->p->fields[i]))
			add_values(c, &leaf, i);
	for (uint32_t e = 0; e < c->p->n_events; e++)
		if (c->at->event[e] != CR_NO_ROW)
			c->seen[e] += leaf.event_samples[c->at->event[e]];
	/* A query can select by the host: --where host=web1. */
	cr_merge_put_field(c->m, &leaf, CR_STR(HOST), leaf.in.host);
	cr_vec_push(&c->m->leaves, leaf);
}

/*
 * True if each sample belongs to a task of the recording that the list of inputs says. A hostile
 * file may contain any list.
 */
static bool
is_list_true(const struct cr_profile *p, const struct cr_merge_inputs *inputs, const uint32_t *of)
{
	bool good = true;
	uint64_t row = 0;

	for (uint32_t k = 0; k < inputs->n; k++)
		for (uint64_t end = row + inputs->p[k].samples; row < end; row++)
			good &= of[p->samples.task[row]] == k;
	return good;
}

/* Sort the tasks by input, keeping the order within each. */
static void
tasks_in_order(const struct cr_profile *p, uint32_t n_inputs, const uint32_t *of, uint32_t *tasks)
{
	uint32_t *at = cr_alloc((uint64_t)n_inputs + 1, sizeof(*at));

	for (uint32_t i = 0; i < p->n_tasks; i++)
		at[of[i] + 1]++;
	for (uint32_t k = 0; k < n_inputs; k++)
		at[k + 1] += at[k];
	for (uint32_t i = 0; i < p->n_tasks; i++)
		tasks[at[of[i]]++] = i;
	free(at);
}

static void
add_leaves(struct coming *c, const struct cr_merge_inputs *inputs)
{
	uint32_t space = 0;
	uint64_t row = 0;

	for (uint32_t i = 0; i < inputs->n; i++) {
		add_leaf(c, &inputs->p[i], space, row);
		space += inputs->p[i].spaces;
		row += inputs->p[i].samples;
	}
}

void
cr_merge_rows(struct cr_merge *m, const struct cr_profile *p, struct cr_str name,
	const struct cr_merge_inputs *inputs, const struct cr_merge_places *at)
{
	struct coming c = {
		.m = m,
		.p = p,
		.at = at,
		.seen = cr_alloc(p->n_events, sizeof(uint64_t)),
		.field = cr_alloc(p->n_fields, sizeof(uint32_t)),
		.text = cr_alloc(p->n_texts, sizeof(uint32_t)),
		.task_at = cr_alloc(p->n_tasks, sizeof(uint32_t)),
	};
	uint32_t *of = cr_alloc(p->n_tasks, sizeof(*of));
	struct cr_merge_inputs alone = {.n = 1};

	c.tasks = cr_alloc(p->n_tasks, sizeof(*c.tasks));
	for (uint32_t i = 0; i < p->n_fields; i++)
		if (has_values(&c, &p->fields[i]))
			c.field[i] = field_row(m, at->event[p->fields[i].event.i],
				p->fields[i].name, p->fields[i].form);
	if (inputs->n)
		cr_merge_inputs_of_tasks(p, inputs, of);
	if (inputs->n && is_list_true(p, inputs, of)) {
		tasks_in_order(p, inputs->n, of, c.tasks);
		add_leaves(&c, inputs);
	} else {
		for (uint32_t i = 0; i < p->n_tasks; i++)
			c.tasks[i] = i;
		alone.p = cr_alloc(1, sizeof(*alone.p));
		cr_merge_input_of(p, name, alone.p);
		add_leaves(&c, &alone);
		cr_merge_inputs_fini(&alone);
	}
	free(of);
	free(c.tasks);
	free(c.seen);
	free(c.field);
	free(c.text);
	free(c.task_at);
}
