#ifndef CR_TESTING_SAME_H
#define CR_TESTING_SAME_H

/* Two profiles row by row. Include testing.h before it. */

static inline void
assert_same_str(struct cr_str a, struct cr_str b)
{
	assert_int_equal(a.len, b.len);
	if (a.len)
		assert_memory_equal(a.p, b.p, a.len);
}

static inline void
assert_same_places(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_dsos, b->n_dsos);
	for (uint32_t i = 0; i < a->n_dsos; i++) {
		assert_same_str(a->dsos[i].name, b->dsos[i].name);
		assert_int_equal(a->dsos[i].kind, b->dsos[i].kind);
	}
	assert_int_equal(a->n_functions, b->n_functions);
	for (uint32_t i = 0; i < a->n_functions; i++) {
		assert_same_str(a->functions[i].name, b->functions[i].name);
		assert_int_equal(a->functions[i].dso.i, b->functions[i].dso.i);
		assert_int_equal(a->functions[i].addr, b->functions[i].addr);
	}
	assert_int_equal(a->n_locations, b->n_locations);
	for (uint32_t i = 0; i < a->n_locations; i++) {
		const struct cr_location *x = &a->locations[i], *y = &b->locations[i];

		assert_int_equal(x->addr, y->addr);
		assert_int_equal(x->dso.i, y->dso.i);
		assert_int_equal(x->first_line, y->first_line);
		assert_int_equal(x->lines, y->lines);
		assert_int_equal(x->ordinal, y->ordinal);
	}
	assert_int_equal(a->n_lines, b->n_lines);
	for (uint32_t i = 0; i < a->n_lines; i++) {
		assert_int_equal(a->lines[i].function.i, b->lines[i].function.i);
		assert_int_equal(a->lines[i].line, b->lines[i].line);
		assert_same_str(a->lines[i].file, b->lines[i].file);
	}
	assert_int_equal(a->n_nodes, b->n_nodes);
	assert_memory_equal(a->node_parent, b->node_parent, a->n_nodes * sizeof(*a->node_parent));
	assert_memory_equal(a->node_location + 1, b->node_location + 1,
		(a->n_nodes - 1) * sizeof(*a->node_location));
}

static inline void
assert_same_samples(const struct cr_profile *a, const struct cr_profile *b)
{
	const uint64_t n = a->samples.n;

	assert_int_equal(n, b->samples.n);
	assert_memory_equal(
		a->samples.time_ns, b->samples.time_ns, n * sizeof(*a->samples.time_ns));
	assert_memory_equal(a->samples.weight, b->samples.weight, n * sizeof(*a->samples.weight));
	assert_memory_equal(a->samples.task, b->samples.task, n * sizeof(*a->samples.task));
	assert_memory_equal(a->samples.node, b->samples.node, n * sizeof(*a->samples.node));
	assert_memory_equal(a->samples.cpu, b->samples.cpu, n * sizeof(*a->samples.cpu));
	assert_memory_equal(a->samples.event, b->samples.event, n * sizeof(*a->samples.event));
	assert_int_equal(a->n_fields, b->n_fields);
	for (uint32_t i = 0; i < a->n_fields; i++) {
		const struct cr_field *x = &a->fields[i], *y = &b->fields[i];

		assert_same_str(x->name, y->name);
		assert_int_equal(x->event.i, y->event.i);
		assert_int_equal(x->form, y->form);
		assert_int_equal(x->n, y->n);
		for (uint64_t k = 0; k < x->n; k++) {
			const bool text = x->form == CR_FORM_TEXT && x->value[k] < a->n_texts &&
					  y->value[k] < b->n_texts;

			if (text)
				assert_same_str(a->texts[x->value[k]], b->texts[y->value[k]]);
			else
				assert_int_equal(x->value[k], y->value[k]);
		}
	}
}

static inline void
assert_same_profile(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->n_events, b->n_events);
	for (uint32_t i = 0; i < a->n_events; i++) {
		assert_same_str(a->events[i].name, b->events[i].name);
		assert_same_str(a->events[i].unit, b->events[i].unit);
		assert_int_equal(a->events[i].samples, b->events[i].samples);
		assert_int_equal(a->events[i].weight, b->events[i].weight);
	}
	assert_int_equal(a->n_tasks, b->n_tasks);
	for (uint32_t i = 0; i < a->n_tasks; i++) {
		assert_int_equal(a->tasks[i].pid, b->tasks[i].pid);
		assert_int_equal(a->tasks[i].tid, b->tasks[i].tid);
		assert_int_equal(a->tasks[i].space.i, b->tasks[i].space.i);
		assert_same_str(a->tasks[i].comm, b->tasks[i].comm);
	}
	assert_same_places(a, b);
	assert_same_samples(a, b);
	assert_int_equal(a->n_quality, b->n_quality);
	for (uint32_t i = 0; i < a->n_quality; i++) {
		assert_same_str(a->quality[i].what, b->quality[i].what);
		assert_int_equal(a->quality[i].count, b->quality[i].count);
	}
}

#endif
