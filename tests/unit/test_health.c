#include "testing.h"

#include "query/health/health.h"
#include "testing_recording.h"

static struct cr_health
health_of(struct cr_profile **p, const char *lines)
{
	struct cr_health h;

	*p = testing_recording(lines);
	cr_health_make(*p, 0, &h);
	return h;
}

static void
free_both(struct cr_profile *p, struct cr_health *h)
{
	cr_health_fini(h);
	cr_profile_free(p);
}

/* "KIND KIND ...", most costly first. */
static void
assert_findings(const struct cr_health *h, const char *want)
{
	static const char *const names[CR_FINDINGS] = {
		[CR_FINDING_EMPTY] = "empty",
		[CR_FINDING_DAMAGED] = "damaged",
		[CR_FINDING_LOST] = "lost",
		[CR_FINDING_THROTTLED] = "throttled",
		[CR_FINDING_FEW] = "few",
		[CR_FINDING_NO_STACKS] = "no-stacks",
		[CR_FINDING_BROKEN] = "broken",
		[CR_FINDING_TRUNCATED] = "truncated",
		[CR_FINDING_NAMELESS] = "nameless",
		[CR_FINDING_CUT] = "cut",
		[CR_FINDING_NO_BUILD_ID] = "no-build-id",
		[CR_FINDING_NOTED] = "noted",
		[CR_FINDING_GUESSED] = "guessed",
		[CR_FINDING_COULD_GUESS] = "could-guess",
	};
	struct cr_text have = {0};

	cr_text_puts(&have, "");
	for (uint32_t i = 0; i < h->n_findings; i++) {
		cr_text_puts(&have, i ? " " : "");
		cr_text_puts(&have, names[h->findings[i].kind]);
	}
	assert_string_equal(have.p, want);
	cr_text_fini(&have);
}

static void
test_a_good_recording_has_no_findings(void **state)
{
	struct cr_profile *p;
	struct cr_health h = health_of(&p,
		"_start!ld;main!a;work!a 700\n"
		"clone3!libc;start_thread!libc;work!a;entry![k];sys_read![k] 200\n"
		"ret_from_fork![k];kthread![k] 60\n" /* a thread of the kernel has no user part */
		"idle![k] 50\n"
		"runtime.goexit.abi0!go;main.main!go 40\n");

	(void)state;
	assert_findings(&h, "");
	assert_int_equal(h.call_graph, CR_CALL_GRAPH_UNKNOWN);
	assert_int_equal(h.here.samples, 1050);
	assert_int_equal(h.user_stacks, 940);
	assert_int_equal(h.whole, 940);
	assert_int_equal(h.one_frame, 50);
	assert_int_equal(h.max_depth, 5);
	assert_int_equal(h.frames, 700 * 3 + 200 * 5 + 60 * 2 + 50 + 40 * 2);
	assert_int_equal(h.processes, 1);
	assert_int_equal(h.threads, 1);
	free_both(p, &h);
}

static void
test_stacks_that_do_not_reach_a_start_are_broken(void **state)
{
	struct cr_profile *p;
	struct cr_health h =
		health_of(&p, "_start!a;main!a;work!a 1000\n"
			      "?;sort!libc;cmp!a 20\n" /* what a wild frame pointer leads to */
			      "sort!libc;cmp!a;entry![k];fault![k] 10\n"
			      "copy!libc;page_fault![k] 7\n" /* a user part of one frame */
			      "?!a 5\n"                      /* alone, it is not the start's */
			      "?!a;work!a 9\n"               /* who knows */
			      "?!jit;?!jit 3\n"
			      "? 2\n");

	(void)state;
	assert_int_equal(h.user_stacks, 1056);
	assert_int_equal(h.whole, 1000);
	assert_int_equal(h.broken, 47);
	assert_int_equal(h.broken_at_once, 7 + 5 + 2);
	assert_int_equal(h.broken_run_time, 3 + 2);
	assert_int_equal(h.undecided, 9);
	assert_int_equal(h.truncated, 0);
	/*
	 * The frame that leads nowhere is left out: what stands next to it did not keep its frame
	 * pointer.
	 */
	assert_str(p->dsos[h.ends[0].dso.i].name, "/bin/libc");
	assert_int_equal(h.ends[0].samples, 37);
	assert_str(p->dsos[h.ends[1].dso.i].name, "/bin/a");
	assert_int_equal(h.ends[1].samples, 5);
	assert_int_equal(h.ends[2].samples, 3);
	assert_non_null(cr_health_find(&h, CR_FINDING_BROKEN));
	free_both(p, &h);
}

static void
test_stacks_longer_than_their_dump_are_cut_and_not_broken_too(void **state)
{
	struct cr_profile *p;
	struct cr_health h = health_of(&p,
		"main!a;f!a 1000\n"
		"[truncated];f!a;g!a 40\n"
		"[truncated];f!a;entry![k] 5\n"
		"[truncated];main!a 3\n" /* past the start there is nothing to be missed */
		"[truncated] 2\n"        /* not even a frame */
		"f!a 30\n"
		"%user stacks truncated 47\n"
		"call graph=dwarf, 8192 bytes\n");

	(void)state;
	assert_int_equal(h.cut, 45);
	assert_int_equal(h.whole, 1003);
	assert_int_equal(h.broken, 30);
	assert_int_equal(h.user_stacks, 1078);
	assert_int_equal(h.stitched, 0);
	assert_int_equal(h.max_depth, 2);
	assert_findings(&h, "cut broken");
	free_both(p, &h);
}

/* They are whole, but not as recorded: a larger dump would say the same for sure. */
static void
test_stacks_completed_from_others_were_longer_than_their_dump_too(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_event_id other = cr_builder_event(b, CR_STR("other"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	const cr_dso_id x =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"), .kind = CR_KIND_USER});
	const cr_node_id node = cr_builder_push(b,
		cr_builder_push(b, CR_ROOT, cr_builder_named(b, CR_STR("main"), x)),
		cr_builder_named(b, CR_STR("f"), x));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_health h;

	(void)state;
	cr_builder_flags(b, CR_PROFILE_HAS_ADDR | CR_PROFILE_HAS_TASK);
	for (unsigned i = 0; i < 2000; i++) {
		const cr_event_id of = i % 2 ? other : event;

		cr_builder_sample(b,
			&(struct cr_sample){.weight = 1, .node = node, .task = task, .event = of});
		if (i < 60)
			cr_builder_value(
				b, cr_builder_field(b, of, CR_STR("stitched"), CR_FORM_NUMBER), 3);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	cr_health_make(p, 0, &h);
	assert_int_equal(h.whole, 1000);
	assert_int_equal(h.cut, 0);
	assert_int_equal(h.stitched, 30); /* of this event */
	assert_int_equal(cr_health_find(&h, CR_FINDING_CUT)->share_ppm, 30000);
	free_both(p, &h);
}

/* A stack of main and depth - 1 frames below it. */
static void
put_deep(struct cr_text *t, unsigned depth, const char *root, unsigned samples)
{
	cr_text_puts(t, root);
	for (unsigned i = 1; i < depth; i++)
		cr_text_puts(t, i % 2 ? ";f!a" : ";g!a");
	cr_text_printf(t, " %u\n", samples);
}

static void
test_stacks_as_deep_as_the_limit_are_truncated(void **state)
{
	struct cr_text lines = {0};
	struct cr_profile *p;
	struct cr_health h;

	(void)state;
	put_deep(&lines, 127, "deep!a", 30);
	put_deep(&lines, 127, "main!a", 20);
	put_deep(&lines, 126, "deep!a", 2);
	put_deep(&lines, 20, "main!a", 2000);
	h = health_of(&p, lines.p);
	assert_int_equal(h.truncated, 30);
	assert_int_equal(h.broken, 2);
	assert_int_equal(h.whole, 2020);
	assert_findings(&h, "truncated");
	free_both(p, &h);

	/* The limit was raised: now this one is merely broken. */
	put_deep(&lines, 300, "deep!a", 1);
	h = health_of(&p, lines.p);
	assert_int_equal(h.truncated, 1);
	assert_int_equal(h.broken, 32);
	free_both(p, &h);

	/* Stacks unwound from a dump are not the kernel's. */
	cr_text_puts(&lines, "call graph=dwarf, 8192 bytes\n");
	h = health_of(&p, lines.p);
	assert_int_equal(h.call_graph, CR_CALL_GRAPH_DWARF);
	assert_int_equal(h.truncated, 0);
	assert_int_equal(h.broken, 33);
	free_both(p, &h);
	cr_text_fini(&lines);
}

static void
test_objects_without_names_are_ranked_by_what_they_cost(void **state)
{
	struct cr_profile *p;
	struct cr_health h =
		health_of(&p, "main!a;?!lib;f!a 100\n"
			      "main!a;?!lib;?more!lib 30\n" /* counts once in lib's total */
			      "main!a;?!jit 60\n"
			      "main!a;f!a 810\n"
			      "%no symbols: /bin/lib (no such file) 2\n");
	const struct cr_health_dso *o = h.dsos;

	(void)state;
	assert_int_equal(h.here.nameless_samples, 90);
	assert_int_equal(h.here.nameless_weight, 900);
	assert_int_equal(h.nameless_frames, 100 + 60 + 60);
	assert_int_equal(h.n_dsos, 3);
	assert_str(p->dsos[o[0].dso.i].name, "jit");
	assert_int_equal(o[0].nameless, 600);
	assert_str(p->dsos[o[1].dso.i].name, "/bin/lib");
	assert_int_equal(o[1].nameless, 300);
	assert_int_equal(o[1].nameless_total, 1300);
	assert_int_equal(o[1].total, 1300);
	assert_str(p->dsos[o[2].dso.i].name, "/bin/a");
	assert_int_equal(o[2].nameless_total, 0);
	assert_int_equal(o[2].self, 9100);
	assert_int_equal(o[2].total, 10000);
	assert_str(cr_health_why(p, o[1].dso), "no such file");
	assert_str(cr_health_why(p, o[2].dso), "");
	assert_int_equal(
		cr_health_find(&h, CR_FINDING_NAMELESS)->share_ppm, 103286); /* of all frames */
	free_both(p, &h);
}

static void
test_objects_without_build_id_are_a_risk_and_come_last(void **state)
{
	struct cr_profile *p;
	struct cr_health h =
		health_of(&p, "main!none_a;f!none_b 300\n"
			      "main!none_a 100\n"
			      "main!a;?!jit 800\n" /* JIT code and the vdso have none ever */
			      "main!a;time!vdso 800\n"
			      "event other\n"
			      "main!none_c 5000\n");

	(void)state;
	assert_findings(&h, "nameless no-build-id");
	assert_int_equal(h.unidentified, 4000);
	assert_int_equal(h.n_no_id, 2);
	assert_false(h.no_id_table);
	assert_str(p->dsos[h.dsos[h.no_id[0]].dso.i].name, "/bin/none_b");
	assert_str(p->dsos[h.dsos[h.no_id[1]].dso.i].name, "/bin/none_a");
	assert_int_equal(h.dsos[h.no_id[1]].total, 4000);
	assert_int_equal(h.all_samples, 7000);
	assert_int_equal(h.events[1].nameless_samples, 0);
	free_both(p, &h);
}

static void
test_the_table_of_build_ids_is_missing_when_the_kernel_or_all_have_none(void **state)
{
	static const struct {
		const char *lines;
		bool want;
	} cases[] = {
		{"main!none_a;f!none_b 2000\n", true},
		{"main!none_a 2000\n", false},
		{"main!a;f![none 2000\n", true},
		{"main!none_a;f![k 2000\n", false},
		{"main!a;f![k 2000\n", false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p;
		struct cr_health h = health_of(&p, cases[i].lines);

		assert_int_equal(h.no_id_table, cases[i].want);
		free_both(p, &h);
	}
}

static void
test_losses_are_shares_of_what_was_kept_and_lost(void **state)
{
	struct cr_profile *p;
	struct cr_health h =
		health_of(&p, "main!a 3000\n"
			      "call graph=frame pointers\n"
			      "%records lost while recording 900\n"
			      "%samples lost while recording 1000\n" /* the same loss, told again */
			      "%times the kernel throttled an event 5\n"
			      "%records of an unknown type 2\n");

	(void)state;
	assert_int_equal(h.lost, 1000);
	assert_int_equal(h.throttled, 5);
	assert_int_equal(cr_health_find(&h, CR_FINDING_LOST)->share_ppm, 250000);
	assert_findings(&h, "lost throttled noted");
	free_both(p, &h);
}

static void
test_few_samples_matter_where_they_are_taken_from_time_to_time(void **state)
{
	static const struct {
		const char *lines, *want;
	} cases[] = {
		{"main!a;f!a 900\n", "few"},
		{"main!a;f!a 1000\n", ""},
		{"main!a;f!a 900\nsampling=every 1\n", ""},
		{"main!a;f!a 900\nsampling=4000 Hz\n", "few"},
	};
	struct cr_profile *p;
	struct cr_health h;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		h = health_of(&p, cases[i].lines);
		assert_findings(&h, cases[i].want);
		free_both(p, &h);
	}
	/* Twice the standard error of 10 % of 900 samples: 2 points. */
	h = health_of(&p, "main!a;f!a 900\n");
	assert_int_equal(h.findings[0].share_ppm, 20000);
	free_both(p, &h);
	p = testing_recording(
		"event sched:sched_switch\nmain!a;f!a 3\nevent cycles:ukP\nmain!a;f!a 3\n");
	assert_false(cr_health_is_sampled(p, 0));
	assert_true(cr_health_is_sampled(p, 1));
	cr_profile_free(p);
}

static void
test_how_stacks_were_made_is_told_from_what_there_is(void **state)
{
	static const struct {
		const char *lines;
		enum cr_call_graph want;
	} cases[] = {
		{"main!a 2000\n", CR_CALL_GRAPH_NONE},
		{"main!a;f!a 2000\n", CR_CALL_GRAPH_UNKNOWN},
		{"main!a 2000\ncmdline=perf record -g x\n", CR_CALL_GRAPH_FP},
		{"main!a 2000\ncmdline=perf record --call-graph dwarf x\n", CR_CALL_GRAPH_DWARF},
		{"main!a 2000\ncmdline=perf record -g x\ncall graph=lbr\n", CR_CALL_GRAPH_LBR},
		{"main!a 2000\ncall graph=none\n", CR_CALL_GRAPH_NONE},
		{"main!a;f!a 2000\ncall graph=none\n", CR_CALL_GRAPH_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p;
		struct cr_health h = health_of(&p, cases[i].lines);

		assert_int_equal(h.call_graph, cases[i].want);
		/* Without stacks none of them is broken. */
		assert_int_equal(cr_health_find(&h, CR_FINDING_NO_STACKS) != NULL,
			cases[i].want == CR_CALL_GRAPH_NONE);
		assert_int_equal(h.user_stacks, cases[i].want == CR_CALL_GRAPH_NONE ? 0 : 2000);
		free_both(p, &h);
	}
}

static void
test_text_has_names_only(void **state)
{
	struct cr_profile *p = testing_profile("@x;f;[unknown] 30\n@x;f;g 70\n");
	struct cr_health h;

	(void)state;
	cr_health_make(p, 0, &h);
	assert_findings(&h, "nameless");
	assert_int_equal(h.here.nameless_weight, 30);
	assert_int_equal(h.user_stacks, 0);
	free_both(p, &h);
}

static void
test_a_sample_without_a_stack_is_no_nameless_one(void **state)
{
	struct cr_profile *p;
	struct cr_health h = health_of(&p, " 2000\nmain!a;f!a 10\n");

	(void)state;
	assert_findings(&h, "");
	assert_int_equal(h.here.nameless_samples, 0);
	assert_int_equal(h.frames, 20);
	free_both(p, &h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_good_recording_has_no_findings),
		cmocka_unit_test(test_stacks_that_do_not_reach_a_start_are_broken),
		cmocka_unit_test(test_stacks_longer_than_their_dump_are_cut_and_not_broken_too),
		cmocka_unit_test(test_stacks_completed_from_others_were_longer_than_their_dump_too),
		cmocka_unit_test(test_stacks_as_deep_as_the_limit_are_truncated),
		cmocka_unit_test(test_objects_without_names_are_ranked_by_what_they_cost),
		cmocka_unit_test(test_objects_without_build_id_are_a_risk_and_come_last),
		cmocka_unit_test(
			test_the_table_of_build_ids_is_missing_when_the_kernel_or_all_have_none),
		cmocka_unit_test(test_losses_are_shares_of_what_was_kept_and_lost),
		cmocka_unit_test(test_few_samples_matter_where_they_are_taken_from_time_to_time),
		cmocka_unit_test(test_how_stacks_were_made_is_told_from_what_there_is),
		cmocka_unit_test(test_text_has_names_only),
		cmocka_unit_test(test_a_sample_without_a_stack_is_no_nameless_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
