#ifndef CR_TESTS_PROFILE_DUMP_H
#define CR_TESTS_PROFILE_DUMP_H

#include "base/text.h"
#include "model/profile.h"
#include "model/tree/default_tree.h"

/*
 * Everything that a profile holds, as text: a table at a time, so that what a damaged store gives
 * can be compared with what the whole one gives, and what a release reads with what the one that
 * wrote it had.
 */
enum dump_table {
	DUMP_SUMMARY,
	DUMP_DSOS,
	DUMP_FUNCTIONS,
	DUMP_TASKS,
	DUMP_DEFAULT_TREE,
	DUMP_LOCATIONS,
	DUMP_LINES,
	DUMP_LINE_NUMBERS,
	DUMP_NODES,
	DUMP_MAPS,
	DUMP_TIMES,
	DUMP_WEIGHTS,
	DUMP_SAMPLE_TASKS,
	DUMP_SAMPLE_NODES,
	DUMP_CPUS,
	DUMP_EVENTS,
	DUMP_ZONES,
	DUMP_FIELDS,
	DUMP_VALUES,
	DUMP_CODES,
	DUMP_SOURCE_LINES,
	DUMP_QUALITY,
	DUMP_THREADS,
	DUMP_SIZES,
	DUMP_TABLES
};

static void
dump_str(struct cr_text *t, struct cr_str s)
{
	cr_text_puts(t, " \"");
	cr_text_safe(t, s);
	cr_text_puts(t, "\"");
}

static void
dump_numbers(struct cr_text *t, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cr_text_printf(t, " %llu", (unsigned long long)v[i]);
	cr_text_puts(t, "\n");
}

#define DUMP_NUMBERS(t, ...) \
	dump_numbers(        \
		t, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

#define DUMP_COLUMN(t, column, n)                                                     \
	do {                                                                          \
		for (uint64_t i_ = 0; (column) && i_ < (n); i_++)                     \
			cr_text_printf(t, " %llu", (unsigned long long)(column)[i_]); \
		cr_text_puts(t, "\n");                                                \
	} while (0)

static void
dump_summary(const struct cr_profile *p, struct cr_text *t)
{
	DUMP_NUMBERS(t, p->n_spaces);
	for (uint32_t i = 0; i < p->n_facts; i++) {
		dump_str(t, p->facts[i].key);
		dump_str(t, p->facts[i].value);
		cr_text_puts(t, "\n");
	}
	for (uint32_t i = 0; i < p->n_events; i++) {
		dump_str(t, p->events[i].name);
		dump_str(t, p->events[i].unit);
		DUMP_NUMBERS(t, p->events[i].samples, p->events[i].weight);
	}
}

static void
dump_names(const struct cr_profile *p, enum dump_table which, struct cr_text *t)
{
	for (uint32_t i = 0; which == DUMP_DSOS && i < p->n_dsos; i++) {
		dump_str(t, p->dsos[i].name);
		for (unsigned k = 0; k < sizeof(p->dsos[i].build_id); k++)
			cr_text_printf(t, " %02x", p->dsos[i].build_id[k]);
		DUMP_NUMBERS(t, p->dsos[i].build_id_len, p->dsos[i].kind);
	}
	for (uint32_t i = 0; which == DUMP_FUNCTIONS && i < p->n_functions; i++) {
		const struct cr_function *f = &p->functions[i];

		dump_str(t, f->name);
		dump_str(t, f->linkage);
		dump_str(t, f->file);
		DUMP_NUMBERS(t, f->line, f->dso.i, f->addr);
	}
	for (uint32_t i = 0; which == DUMP_TASKS && i < p->n_tasks; i++) {
		dump_str(t, p->tasks[i].comm);
		cr_text_printf(
			t, " %d %d %u\n", p->tasks[i].pid, p->tasks[i].tid, p->tasks[i].space.i);
	}
	for (uint32_t i = 0; which == DUMP_QUALITY && i < p->n_quality; i++) {
		dump_str(t, p->quality[i].what);
		DUMP_NUMBERS(t, p->quality[i].count);
	}
}

static void
dump_default_tree(const struct cr_default_tree *o, struct cr_text *t)
{
	if (!o)
		return;
	DUMP_COLUMN(t, o->parent, o->n);
	DUMP_COLUMN(t, o->frame, o->n);
	for (uint32_t i = 0; i < o->n_frames; i++) {
		dump_str(t, o->frame_comm[i]);
		DUMP_NUMBERS(t, o->frame_function[i]);
	}
	DUMP_COLUMN(t, o->self, (uint64_t)o->n * o->n_events);
	DUMP_COLUMN(t, o->self_samples, (uint64_t)o->n * o->n_events);
}

static void
dump_tree(const struct cr_profile *p, enum dump_table which, struct cr_text *t)
{
	for (uint32_t i = 0; which == DUMP_LOCATIONS && i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		DUMP_NUMBERS(t, l->addr, l->dso.i, l->first_line, l->lines, l->ordinal);
	}
	for (uint32_t i = 0; which == DUMP_LINES && i < p->n_lines; i++)
		DUMP_NUMBERS(t, p->lines[i].function.i);
	for (uint32_t i = 0; which == DUMP_LINE_NUMBERS && i < p->n_lines; i++) {
		dump_str(t, p->lines[i].file);
		DUMP_NUMBERS(t, p->lines[i].line);
	}
	for (uint32_t i = 0; which == DUMP_NODES && i < p->n_nodes; i++)
		DUMP_NUMBERS(t, p->node_parent[i], p->node_location[i], p->node_end[i]);
	for (uint32_t i = 0; which == DUMP_MAPS && i < p->n_maps; i++) {
		const struct cr_map *m = &p->maps[i];

		DUMP_NUMBERS(t, m->start, m->end, m->pgoff, m->born, m->died, m->space.i, m->dso.i);
	}
}

static void
dump_samples(const struct cr_samples *s, enum dump_table which, struct cr_text *t)
{
	switch ((int)which) {
	case DUMP_TIMES: DUMP_COLUMN(t, s->time_ns, s->n); break;
	case DUMP_WEIGHTS: DUMP_COLUMN(t, s->weight, s->n); break;
	case DUMP_SAMPLE_TASKS: DUMP_COLUMN(t, s->task, s->n); break;
	case DUMP_SAMPLE_NODES: DUMP_COLUMN(t, s->node, s->n); break;
	case DUMP_CPUS: DUMP_COLUMN(t, s->cpu, s->n); break;
	case DUMP_EVENTS: DUMP_COLUMN(t, s->event, s->n); break;
	}
	for (uint32_t z = 0; which == DUMP_ZONES && z < s->n_zones; z++) {
		DUMP_NUMBERS(t, s->zones[z].first);
		DUMP_COLUMN(t, s->zones[z].least, CR_SAMPLE_COLUMNS);
		DUMP_COLUMN(t, s->zones[z].most, CR_SAMPLE_COLUMNS);
	}
}

static void
dump_fields(const struct cr_profile *p, enum dump_table which, struct cr_text *t)
{
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		if (which == DUMP_VALUES) {
			DUMP_COLUMN(t, d->value, d->n);
			continue;
		}
		dump_str(t, d->name);
		DUMP_NUMBERS(t, d->event.i, d->form, d->distinct, d->have, d->least, d->most, d->n);
	}
	for (uint32_t i = 0; which == DUMP_VALUES && i < p->n_texts; i++)
		dump_str(t, p->texts[i]);
}

static void
dump_code(const struct cr_profile *p, enum dump_table which, struct cr_text *t)
{
	for (uint32_t i = 0; which == DUMP_CODES && i < p->n_codes; i++) {
		const struct cr_machine_code *c = &p->codes[i];

		dump_str(t, c->bytes);
		DUMP_NUMBERS(
			t, c->function.i, c->addr, c->base, c->machine, c->bits, c->big_endian);
	}
	for (uint32_t i = 0; which == DUMP_SOURCE_LINES && i < p->n_source_lines; i++) {
		dump_str(t, p->source_lines[i].file);
		dump_str(t, p->source_lines[i].text);
		DUMP_NUMBERS(t, p->source_lines[i].line);
	}
}

static void
dump_threads(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 0; i < p->n_threads; i++) {
		dump_str(t, p->threads[i].comm);
		DUMP_NUMBERS(t, (uint32_t)p->threads[i].pid, (uint32_t)p->threads[i].tid,
			(uint32_t)p->threads[i].ppid);
	}
}

static void
dump_sizes(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (p->functions[i].size)
			DUMP_NUMBERS(t, i, p->functions[i].size);
}

/* Appended to t; nothing for a table that is not there. */
static void
dump_table(const struct cr_profile *p, enum dump_table which, struct cr_text *t)
{
	if (which == DUMP_SUMMARY)
		dump_summary(p, t);
	else if (which == DUMP_THREADS)
		dump_threads(p, t);
	else if (which == DUMP_SIZES)
		dump_sizes(p, t);
	else if (which == DUMP_DEFAULT_TREE)
		dump_default_tree(p->default_tree, t);
	else if (which <= DUMP_TASKS || which == DUMP_QUALITY)
		dump_names(p, which, t);
	else if (which <= DUMP_MAPS)
		dump_tree(p, which, t);
	else if (which <= DUMP_ZONES)
		dump_samples(&p->samples, which, t);
	else if (which <= DUMP_VALUES)
		dump_fields(p, which, t);
	else
		dump_code(p, which, t);
}

#endif
