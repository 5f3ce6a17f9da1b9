#include "testing.h"
#include "testing_directory.h"

#include "base/hash.h"
#include "base/work.h"
#include "session_samples.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A command that is stopped, at whichever step, leaves the session as it was, and what it had read
 * and made so far is in nobody's way later.
 */

/* Steps up to the one that is told to stop. */
struct limit {
	uint64_t steps, most;
};

static bool
limited(void *user, const char *what, uint64_t done, uint64_t whole)
{
	struct limit *l = user;

	assert_non_null(what);
	assert_true(!whole || done <= whole);
	return l->steps++ < l->most;
}

#define FEW_NODES 1000

/* All nodes of a tree as a number, in whatever order siblings of one weight are. */
static uint64_t
digest(const struct cr_tree *t)
{
	uint64_t sum = t->n, *h = cr_alloc(t->n, sizeof(*h));

	for (uint32_t n = 0; n < t->n; n++) {
		const struct cr_str name = t->frames[t->frame[n]].name;

		h[n] = cr_hash_mix(h[t->parent[n]], cr_hash(name.p, name.len));
		for (uint32_t s = 0; s < t->sides; s++)
			h[n] = cr_hash_mix(h[n], cr_hash_mix(t->total[s][n], t->self[s][n]));
		sum += h[n];
	}
	free(h);
	return sum;
}

/*
 * Everything that a command could have changed, as text; the caller's to free. Of a large tree
 * without the table, where lines of one weight have no order.
 */
static char *
all_of(struct cr_session *s)
{
	char *text = run_text(s, s->tree->n < FEW_NODES
					 ? "filters; print selected; print flame; print functions"
					 : "filters; print selected; print flame");
	struct cr_text all = {0};

	cr_text_printf(&all, "%016" PRIx64 "\n%s", digest(s->tree), text);
	free(text);
	return all.p;
}

static void
assert_undone(struct cr_session *s, const char *was)
{
	char *is = all_of(s);

	assert_string_equal(is, was);
	free(is);
}

/* Run line as work that is stopped at step `most`; its result. */
static int
run_limited(struct cr_session *s, const char *line, uint64_t most)
{
	struct limit l = {.most = most};
	const struct cr_progress p = {limited, &l};
	struct cr_err err = CR_ERR_INIT;
	int rc;

	cr_work_begin(&p);
	rc = cr_session_run(s, line, NULL, &err);
	cr_work_end();
	if (rc == CR_OK)
		assert_true(l.steps <= most);
	return rc;
}

/*
 * Stop a line at its first step, then at its second ... until it is done; what it comes to must be
 * what a session comes to where nothing was stopped. back: the command that takes it back. Returns
 * how often it was stopped.
 */
static uint64_t
stop_everywhere(struct cr_session *s, struct cr_session *fresh, const char *line, const char *back)
{
	char *was, *want;
	uint64_t most = 0;
	int rc;

	/* Lines of the table that are equal may come in another order the first time. */
	free(all_of(s));
	free(all_of(fresh));
	was = all_of(s);
	for (; (rc = run_limited(s, line, most)) != CR_OK; most++) {
		if (rc != CR_ECANCEL)
			fail_msg("%s, stopped at step %u: %d", line, (unsigned)most, rc);
		assert_string_equal(s->message.p, "stopped; the view has not changed");
		assert_undone(s, was);
	}
	run(fresh, line);
	want = all_of(fresh);
	assert_undone(s, want);
	run(s, back);
	run(fresh, back);
	assert_undone(s, was);
	free(was);
	free(want);
	return most;
}

static const char *const lines[] = {
	"comm x",
	"event next",
	"group tid,comm",
	"grain line",
	"grain object",
	"focus parse",
	"focus =parse",
	"hide ^lex$",
	"recursion all",
	"invert",
	"callers lex",
	"search main",
};

static void
stop_all(struct cr_session *s, struct cr_session *fresh)
{
	uint64_t stopped = 0;

	for (size_t i = 0; i < CR_LEN(lines); i++)
		stopped += stop_everywhere(s, fresh, lines[i], "undo");
	assert_true(stopped > CR_LEN(lines));
	/* With a search, a zoom and steps before it; and back to another query by undo. */
	run(s, "comm x; search lex; zoom parse; invert; view functions");
	run(fresh, "comm x; search lex; zoom parse; invert; view functions");
	assert_true(stop_everywhere(s, fresh, "clear", "undo") > 0);
	run(s, "clear");
	run(fresh, "clear");
	assert_true(stop_everywhere(s, fresh, "undo", "redo") > 0);
	cr_session_free(s);
	cr_session_free(fresh);
}

static void
test_a_stopped_command_changes_nothing(void **state)
{
	(void)state;
	stop_all(sample_session(sample_stacks, NULL), sample_session(sample_stacks, NULL));
}

static void
test_nor_does_one_of_a_difference(void **state)
{
	(void)state;
	stop_all(sample_session(sample_stacks, sample_stacks_after),
		sample_session(sample_stacks, sample_stacks_after));
}

static struct cr_session *
stored_session(const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_session *s = NULL;
	struct cr_profile *p = NULL;

	assert_int_equal(cr_store_open(path, CR_STORE_DEFAULT_TREE, &p, &log, &err), CR_OK);
	assert_int_equal(cr_session_new(p, "stored", NULL, NULL, NULL, NULL, &s, &err), CR_OK);
	return s;
}

/* What was not read when the work was stopped is read by the next command. */
static void
test_a_stored_profile_is_read_later(void **state)
{
	char directory[] = "/tmp/cresset-test-XXXXXX", path[64];
	struct cr_profile *p = sample_profile(sample_stacks);
	struct cr_err err = CR_ERR_INIT;
	struct cr_session *s;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/x.cresset", directory);
	assert_int_equal(cr_store_write(path, p, CR_STORE_REPLACE, &err), CR_OK);
	cr_profile_free(p);
	for (size_t i = 0; i < CR_LEN(lines); i++) {
		struct cr_session *one = stored_session(path), *other = stored_session(path);

		stop_everywhere(one, other, lines[i], "undo");
		assert_int_equal(one->profile[0]->n_quality, other->profile[0]->n_quality);
		cr_session_free(one);
		cr_session_free(other);
	}
	s = stored_session(path);
	stop_all(s, stored_session(path));
	unlink(path);
	rmdir(directory);
}

/* Steps in the midst of loops: there are more nodes than lie between two of them. */
static void
test_a_large_tree_stops_half_way(void **state)
{
	struct cr_text stacks = {0};
	struct cr_session *s, *fresh;

	(void)state;
	for (unsigned i = 0; i < 90000; i++)
		cr_text_printf(&stacks, "x;main;f%u;g%u 1\n", i % 331, i / 331);
	s = sample_session(stacks.p, NULL);
	fresh = sample_session(stacks.p, NULL);
	assert_true(s->tree->n > 80000);
	assert_true(stop_everywhere(s, fresh, "grain line", "undo") > 20);
	assert_true(stop_everywhere(s, fresh, "focus f1", "undo") > 2);
	assert_true(stop_everywhere(s, fresh, "invert", "undo") > 1);
	cr_session_free(s);
	cr_session_free(fresh);
	cr_text_fini(&stacks);
}

/* Of several commands on a line those that were done before stay. */
static void
test_a_line_stops_between_two_commands(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);
	uint64_t most = 0;
	char *text;

	(void)state;
	while (run_limited(s, "zoom main; search parse; focus lex", most) != CR_OK) {
		assert_int_equal(s->query.n, 0);
		run(s, "clear-search; reset");
		most++;
	}
	assert_true(most > 1);
	text = run_text(s, "filters");
	assert_string_equal(text, "event cycles; focus lex\n");
	free(text);
	cr_session_free(s);
}

/* A file that was to be written is not there, nor is a part of it. */
static void
test_a_stopped_export_leaves_no_file(void **state)
{
	char directory[] = "/tmp/cresset-test-XXXXXX", line[80], path[64];
	struct cr_text stacks = {0};
	struct cr_session *s;
	uint64_t most = 0;

	(void)state;
	for (unsigned i = 0; i < 30000; i++)
		cr_text_printf(&stacks, "x;main;f%u;g%u 1\n", i % 331, i);
	s = sample_session(stacks.p, NULL);
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/x.folded", directory);
	snprintf(line, sizeof(line), "export %s", path);
	for (; run_limited(s, line, most) != CR_OK; most++) {
		assert_int_not_equal(access(path, F_OK), 0);
		assert_int_equal(rmdir(directory), 0); /* which only an empty one lets happen */
		assert_int_equal(mkdir(directory, 0700), 0);
	}
	assert_true(most > 1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(directory), 0);
	cr_session_free(s);
	cr_text_fini(&stacks);
}

/* 70,000 stacks: the views of so large a tree are made ahead. */
static struct cr_session *
large_session(void)
{
	struct cr_text stacks = {0};
	struct cr_session *s;

	for (int i = 0; i < 70000; i++)
		cr_text_printf(&stacks, "x;main;f%d;g%d %d\n", i / 1000, i % 1000, 1 + i % 7);
	s = sample_session(stacks.p, NULL);
	run(s, "size 80 20");
	cr_text_fini(&stacks);
	return s;
}

static const char visits[] = "view functions; down; print functions; view threads; print threads; "
			     "view summary; down; print summary; view flame; print selected";

/* Some work is stopped, as by a key, before all is made. */
static void
test_views_made_ahead_are_those_of_a_first_visit(void **state)
{
	struct cr_session *later = large_session(), *ahead = large_session();
	char *expected = run_text(later, visits), *text;
	uint64_t most = 0;

	(void)state;
	assert_true(cr_session_has_ahead(ahead));
	while (cr_session_has_ahead(ahead)) {
		struct limit l = {.most = most++};
		const struct cr_progress p = {limited, &l};

		cr_work_begin(&p);
		cr_session_make_ahead(ahead);
		cr_work_end();
	}
	assert_view(ahead, "flame");
	assert_int_equal(ahead->selection.node, 0);
	text = run_text(ahead, visits);
	assert_string_equal(text, expected);
	assert_false(cr_session_has_ahead(ahead));
	/* Another tree has other rows. */
	run(ahead, "drop f1");
	run(later, "drop f1");
	assert_true(cr_session_has_ahead(ahead));
	while (cr_session_has_ahead(ahead))
		cr_session_make_ahead(ahead);
	free(text);
	free(expected);
	text = run_text(ahead, visits);
	expected = run_text(later, visits);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
	cr_session_free(later);
	cr_session_free(ahead);
}

/* Returns how many steps a line takes that is not stopped. */
static uint64_t
steps_of(struct cr_session *s, const char *line)
{
	struct limit l = {.most = UINT64_MAX};
	const struct cr_progress p = {limited, &l};
	struct cr_err err = CR_ERR_INIT;

	cr_work_begin(&p);
	assert_int_equal(cr_session_run(s, line, NULL, &err), CR_OK);
	cr_work_end();
	return l.steps;
}

/* 140,000 stacks that differ in their addresses only, of 141 functions. */
static struct cr_session *
session_of_addresses(void)
{
	struct cr_text stacks = {0};
	struct cr_session *s;

	for (int i = 0; i < 140000; i++)
		cr_text_printf(&stacks, "x;main;f%d;g@%d 1\n", i / 1000, 16 + i);
	s = sample_session(stacks.p, NULL);
	run(s, "size 80 20");
	cr_text_fini(&stacks);
	return s;
}

/*
 * What all filters share is there before the first one, which then takes as long as the second:
 * where many addresses have the same function, the tree of the functions.
 */
static void
test_a_first_filter_finds_the_stacks_prepared(void **state)
{
	struct cr_session *later = session_of_addresses(), *ahead = session_of_addresses(),
			  *stopped = session_of_addresses();
	uint64_t steps;

	(void)state;
	while (cr_session_has_ahead(ahead))
		cr_session_make_ahead(ahead);
	/* Each step is stopped, as by a key, until it has all the time that it needs. */
	for (uint64_t most = 0, step = 0; cr_session_has_ahead(stopped); most++) {
		struct limit l = {.most = most};
		const struct cr_progress p = {limited, &l};

		cr_work_begin(&p);
		cr_session_make_ahead(stopped);
		cr_work_end();
		if (step != stopped->ahead) {
			step = stopped->ahead;
			most = UINT64_MAX; /* 0 for the next one */
		}
	}
	steps = steps_of(ahead, "pid 1");
	assert_true(steps < steps_of(later, "pid 1"));
	assert_int_equal(steps_of(stopped, "pid 1"), steps);
	assert_int_equal(ahead->tree->n, later->tree->n);
	assert_int_equal(digest(ahead->tree), digest(later->tree));
	cr_session_free(later);
	cr_session_free(ahead);
	cr_session_free(stopped);
}

static void
test_a_small_profile_has_nothing_to_make_ahead(void **state)
{
	struct cr_session *s = sample_session(sample_stacks, NULL);

	(void)state;
	assert_false(cr_session_has_ahead(s));
	cr_session_make_ahead(s);
	assert_int_equal(s->ahead, 0);
	cr_session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_stopped_command_changes_nothing),
		cmocka_unit_test(test_nor_does_one_of_a_difference),
		cmocka_unit_test(test_a_stored_profile_is_read_later),
		cmocka_unit_test(test_a_large_tree_stops_half_way),
		cmocka_unit_test(test_a_line_stops_between_two_commands),
		cmocka_unit_test(test_a_stopped_export_leaves_no_file),
		cmocka_unit_test(test_views_made_ahead_are_those_of_a_first_visit),
		cmocka_unit_test(test_a_first_filter_finds_the_stacks_prepared),
		cmocka_unit_test(test_a_small_profile_has_nothing_to_make_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
