#ifndef CR_TESTING_OUTCOME_H
#define CR_TESTING_OUTCOME_H

/*
 * What must hold when a reader has read any bytes at all: an error that says why and no profile, or
 * a profile whose tables fit each other, with whatever was lost of it in the log. Include testing.h
 * before it.
 */
#include "base/log.h"
#include "store/store_check_p.h"

static inline void
assert_rows(const struct cr_profile *p)
{
	const struct cr_samples *s = &p->samples;

	for (uint64_t i = 0; i < s->n; i++)
		assert_true(s->task[i] < p->n_tasks && s->node[i] < p->n_nodes &&
			    s->event[i] < p->n_events);
	for (uint32_t i = 1; i < p->n_nodes; i++)
		assert_true(p->node_location[i] < p->n_locations);
	for (uint32_t i = 0; i < p->n_locations; i++)
		assert_true(p->locations[i].dso.i < p->n_dsos);
	for (uint32_t i = 0; i < p->n_lines; i++)
		assert_true(p->lines[i].function.i < p->n_functions);
	for (uint32_t i = 0; i < p->n_functions; i++)
		assert_true(p->functions[i].dso.i < p->n_dsos);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		assert_true(p->tasks[i].space.i < p->n_spaces);
	for (uint32_t i = 0; i < p->n_maps; i++)
		assert_true(p->maps[i].space.i < p->n_spaces && p->maps[i].dso.i < p->n_dsos);
}

/* Every row that a table names is there, and every sum is what it adds up. */
static inline void
assert_profile_whole(const struct cr_profile *p)
{
	assert_true(p->samples.n > 0 && p->n_nodes > 0 && p->n_dsos > 0 && p->n_functions > 0);
	assert_rows(p);
	assert_true(cr_store_check_preorder(p->node_parent, p->n_nodes, NULL));
	assert_true(cr_store_check_locations(p));
	assert_true(cr_store_check_maps(p->maps, p->n_maps));
	assert_true(cr_store_check_samples(&p->samples, p));
	assert_true(cr_store_check_fields(p->fields, p->n_fields, p->events));
	assert_true(cr_store_check_values(p->fields, p->n_fields, p->n_texts));
}

/* rc, *p and *err are what reading and cr_builder_finish() gave, and log is what they wrote to. */
static inline void
assert_outcome(
	int rc, const struct cr_profile *p, const struct cr_log *log, const struct cr_err *err)
{
	assert_int_equal(p != NULL, rc == CR_OK);
	assert_int_equal(log->lines, log->lines_used + log->lines_told + log->lines_passed);
	for (size_t i = 0; i < log->n; i++)
		assert_true(log->entries[i].count > 0 && log->entries[i].kind);
	if (rc == CR_OK) {
		assert_profile_whole(p);
		if (p->flags & CR_PROFILE_IN_PART)
			assert_int_not_equal(log->n, 0);
		return;
	}
	assert_int_equal(err->code, rc);
	assert_int_not_equal(err->text[0], '\0');
	assert_true(rc == CR_EFORMAT || rc == CR_ETRUNC || rc == CR_ELIMIT ||
		    rc == CR_EUNSUPPORTED || rc == CR_EEMPTY);
}

#endif
