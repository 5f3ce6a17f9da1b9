#include "testing.h"
#include "testing_inlined.h"

#include "base/hash.h"
#include "query/fold/node_costs.h"
#include "query/fold/select.h"
#include "query/table/annotate.h"
#include "query/table/block_cycles.h"
#include "view/listing/listing.h"

static struct cr_annotate
annotated(const struct cr_profile *p, const char *function, const struct cr_filter *f,
	const struct cr_annotate_address *known, size_t n_known)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_annotate_found found;
	struct cr_annotate a;

	assert_int_equal(cr_annotate_find(p, function, NULL, &found, &err), CR_OK);
	assert_int_equal(found.names.n, 1);
	assert_int_equal(cr_annotate_make(p, f, found.functions.p, (uint32_t)found.functions.n,
				 known, n_known, &a, &err),
		CR_OK);
	cr_annotate_found_fini(&found);
	return a;
}

static void
put_cost(struct cr_text *t, const struct cr_cost *c)
{
	cr_text_printf(
		t, " %llu/%llu\n", (unsigned long long)c->self, (unsigned long long)c->total);
}

/*
 * "FILE:LINE FUNCTION SELF/TOTAL" a line, inlined ones with the number of the line that they are
 * at.
 */
static char *
text_of(const struct cr_profile *p, const struct cr_annotate *a)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "function");
	put_cost(&t, &a->cost);
	cr_text_puts(&t, "code");
	put_cost(&t, &a->code);
	for (size_t i = 0; i < a->lines.n; i++) {
		const struct cr_annotate_line *l = &a->lines.p[i];

		if (l->at != CR_NO_ROW)
			cr_text_printf(&t, "%u> ", l->at);
		cr_text_str(&t, l->file);
		cr_text_printf(&t, ":%u ", l->line);
		cr_text_str(&t, p->functions[l->function.i].name);
		put_cost(&t, &l->cost);
	}
	for (size_t i = 0; i < a->hosts.n; i++) {
		cr_text_puts(&t, "in ");
		cr_text_str(&t, p->functions[a->hosts.p[i].function.i].name);
		put_cost(&t, &a->hosts.p[i].cost);
	}
	return t.p;
}

static void
expect_lines(const char *function, const struct cr_filter *f, const char *want)
{
	struct cr_profile *p = testing_inlined(true);
	struct cr_annotate a = annotated(p, function, f, NULL, 0);
	char *have = text_of(p, &a);

	assert_string_equal(have, want);
	free(have);
	cr_annotate_fini(&a);
	cr_profile_free(p);
}

static void
test_lines_of_a_function_are_those_of_all_its_copies(void **state)
{
	(void)state;
	expect_lines("sort", &(struct cr_filter){.event = NULL},
		"function 12/15\ncode 4/4\n"
		"lib/sort.h:10 sort 10/13\nlib/sort.h:11 sort 2/2\n"
		"in work 6/9\nin twice 2/2\n");
}

static void
test_what_is_inlined_stands_at_its_line_with_its_own_file(void **state)
{
	(void)state;
	expect_lines("work", &(struct cr_filter){.event = NULL},
		"function 0/9\ncode 6/9\n"
		"src/work.c:20 work 0/9\n0> lib/sort.h:10 sort 6/9\n");
	expect_lines("twice", &(struct cr_filter){.event = NULL},
		"function 0/2\ncode 2/2\n"
		"src/twice.c:40 twice 0/2\n0> src/work.c:31 helper 0/2\n1> lib/sort.h:11 sort "
		"2/2\n");
}

static void
test_only_what_is_selected_counts(void **state)
{
	const char *comms[] = {"y"};

	(void)state;
	expect_lines("work", &(struct cr_filter){.comms = {comms, 1}},
		"function 0/1\ncode 1/1\n"
		"src/work.c:20 work 0/1\n0> lib/sort.h:10 sort 1/1\n");
}

static void
test_a_function_without_lines_has_its_cost_in_none(void **state)
{
	(void)state;
	expect_lines("leaf", &(struct cr_filter){.event = NULL},
		"function 3/3\ncode 3/3\n:0 leaf 3/3\n");
}

/* ---- addresses */

struct step {
	uint64_t addr;
	uint16_t ordinal;
};

/*
 * f at 0x100 calls itself with the five bytes at 0x104. Stacks, outermost first:
 *
 *	109r 109r 100   3     as frame pointers tell, return addresses
 *	109             2
 *	108 109         1     as unwinding does, in the call
 */
static struct cr_profile *
recursive(void)
{
	static const struct step stacks[][3] = {
		{{0x109, CR_ORDINAL_RETURN}, {0x109, CR_ORDINAL_RETURN}, {0x100, 0}}, {{0x109, 0}},
		{{0x108, 0}, {0x109, 0}}};
	static const uint64_t weights[] = {3, 2, 1};
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/x"), .kind = CR_KIND_USER});
	struct cr_err err = CR_ERR_INIT;
	struct cr_naming *n;
	struct cr_profile *p;
	cr_function_id f;

	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	for (size_t i = 0; i < CR_LEN(stacks); i++) {
		struct cr_sample s = {
			.weight = weights[i], .task = task, .event = event, .cpu = CR_CPU_NONE};

		for (size_t k = 0; k < 3 && stacks[i][k].addr; k++)
			s.node = cr_builder_push(b, s.node,
				cr_builder_location(
					b, dso, stacks[i][k].addr, stacks[i][k].ordinal));
		cr_builder_sample(b, &s);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	n = cr_naming_new(p);
	f = cr_naming_function(
		n, &(struct cr_function){.name = CR_STR("f"), .dso = dso, .addr = 0x100});
	for (uint32_t i = 0; i < p->n_locations; i++)
		cr_naming_line(n, (cr_location_id){i}, &(struct cr_line){.function = f});
	return cr_naming_finish(n);
}

static void
expect_addresses(const struct cr_annotate *a, const struct cr_annotate_address *want, size_t n)
{
	assert_int_equal(a->addresses.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(a->addresses.p[i].addr, want[i].addr);
		assert_int_equal(a->addresses.p[i].size, want[i].size);
		assert_int_equal(a->addresses.p[i].cost.self, want[i].cost.self);
		assert_int_equal(a->addresses.p[i].cost.total, want[i].cost.total);
		assert_int_equal(a->addresses.p[i].cost.total_samples, want[i].cost.total_samples);
	}
}

static void
test_a_caller_is_at_its_call_and_counts_once(void **state)
{
	static const struct cr_annotate_address bare[] = {{.addr = 0x100, .cost = {3, 3, 1, 1}},
		{.addr = 0x108, .cost = {0, 4, 0, 2}}, {.addr = 0x109, .cost = {3, 3, 2, 2}}};
	static const struct cr_annotate_address whole[] = {
		{.addr = 0x100, .size = 4, .cost = {3, 3, 1, 1}},
		{.addr = 0x104, .size = 5, .cost = {0, 4, 0, 2}},
		{.addr = 0x109, .size = 2, .cost = {3, 3, 2, 2}},
		{.addr = 0x10b, .size = 1, .cost = {0, 0, 0, 0}}};
	const struct cr_filter all = {.event = NULL};
	struct cr_profile *p = recursive();
	struct cr_annotate_address known[CR_LEN(whole)];
	struct cr_annotate a = annotated(p, "f", &all, NULL, 0);

	(void)state;
	assert_int_equal(a.whole, 6);
	assert_int_equal(a.cost.self, 6);
	assert_int_equal(a.cost.total, 6);
	expect_addresses(&a, bare, CR_LEN(bare));
	for (size_t i = 0; i < CR_LEN(whole); i++) {
		known[i] = whole[i];
		known[i].function = a.addresses.p[0].function;
	}
	cr_annotate_fini(&a);
	a = annotated(p, "f", &all, known, CR_LEN(known));
	expect_addresses(&a, whole, CR_LEN(whole));
	cr_annotate_fini(&a);
	cr_profile_free(p);
}

/* ---- cycles of blocks */

static struct cr_annotate
with_blocks(const struct cr_profile *p, const char *function, const struct cr_block_cycles *blocks,
	const struct cr_annotate_address *known, size_t n_known)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_annotate_found found;
	struct cr_node_costs costs;
	struct cr_annotate a;

	assert_int_equal(cr_annotate_find(p, function, NULL, &found, &err), CR_OK);
	cr_node_costs_make(p, (cr_event_id){0}, NULL, &costs);
	cr_annotate_costs(p, (cr_event_id){0}, &costs, blocks, found.functions.p,
		(uint32_t)found.functions.n, known, n_known, &a);
	cr_node_costs_fini(&costs);
	cr_annotate_found_fini(&found);
	return a;
}

static void
test_blocks_belong_to_the_line_of_the_branch_at_their_end(void **state)
{
	struct cr_profile *p = testing_inlined(true);
	struct cr_block_cycles blocks = {.cycles = 0};
	struct cr_annotate a;
	struct cr_text t = {0};

	(void)state;
	/* Branches at all addresses: 100 cycles twice, 101 three times ... */
	for (uint32_t i = 0; i < p->n_locations; i++)
		cr_vec_push(&blocks.ends, ((struct cr_block_end){i, CR_NO_ROW, 100 + i, 2 + i}));
	a = with_blocks(p, "work", &blocks, NULL, 0);
	assert_true(a.has_blocks);
	for (size_t i = 0; i < a.lines.n; i++) {
		uint64_t cycles = 0;

		/* The innermost line of an address has them. */
		for (uint32_t k = 0; k < p->n_locations; k++) {
			const struct cr_location *l = &p->locations[k];
			const struct cr_line *in = &p->lines[l->first_line];
			const struct cr_str owner = p->functions[in[l->lines - 1].function.i].name;

			if (cr_str_eq(owner, CR_STR("work")) && in->line == a.lines.p[i].line)
				cycles += 100 + k;
		}
		assert_int_equal(a.lines.p[i].blocks.cycles, cycles);
		cr_text_printf(&t, "%u:%s ", a.lines.p[i].line, cycles ? "blocks" : "none");
	}
	assert_string_equal(t.p, "20:none 10:blocks ");
	cr_text_fini(&t);
	cr_annotate_fini(&a);
	/* Without the samples a line of a branch is there, too. */
	a = with_blocks(p, "leaf", &blocks, NULL, 0);
	assert_true(a.lines.n && a.lines.p[0].blocks.n);
	cr_annotate_fini(&a);
	cr_vec_fini(&blocks.ends);
	cr_profile_free(p);
}

static void
test_instructions_each_cycle_are_those_of_all_blocks(void **state)
{
	static const uint64_t starts[] = {0x100, 0x104, 0x109, 0x10b, 0x110};
	static const uint32_t sizes[] = {4, 5, 2, 1, 2}; /* a gap after the fourth */
	static const struct {
		uint64_t instructions, cycles;
	} want[] = {{4 * 3, 30}, {4 * 3 + 6, 50}, {4 * 3 + 6, 50}, {4 * 3 + 6, 50}, {7, 70}};
	struct cr_profile *p = recursive();
	struct cr_annotate_address known[CR_LEN(starts)];
	struct cr_block_cycles blocks = {.cycles = 0};
	const cr_function_id f = cr_block_function(p, 0);
	struct cr_annotate a;

	(void)state;
	for (size_t i = 0; i < CR_LEN(starts); i++)
		known[i] = (struct cr_annotate_address){
			.function = f, .addr = starts[i], .size = sizes[i], .line = CR_NO_ROW};
	assert_true(f.i > 0);
	/* Of four instructions three times, of three twice, of one; others cannot be counted. */
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x100, 0x10b, 30, 3}));
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x104, 0x10b, 20, 2}));
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x110, 0x110, 70, 7}));
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x109, 0x110, 999, 1})); /* the gap */
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x105, 0x10b, 999, 1})); /* within */
	cr_vec_push(&blocks.runs, ((struct cr_block_run){{f.i - 1}, 0x100, 0x104, 999, 1}));
	a = with_blocks(p, "f", &blocks, known, CR_LEN(known));
	assert_int_equal(a.addresses.n, CR_LEN(want));
	for (size_t i = 0; i < CR_LEN(want); i++) {
		assert_int_equal(a.addresses.p[i].run_instructions, want[i].instructions);
		assert_int_equal(a.addresses.p[i].run_cycles, want[i].cycles);
	}
	assert_int_equal(a.run_instructions, 4 * 3 + 3 * 2 + 7);
	assert_int_equal(a.run_cycles, 30 + 20 + 70);
	assert_int_equal(a.n_run, 5);
	assert_int_equal(a.n_known, 5);
	assert_false(a.has_blocks);
	cr_annotate_fini(&a);
	cr_vec_fini(&blocks.runs);
	cr_profile_free(p);
}

static void
test_huge_blocks_do_not_wrap(void **state)
{
	struct cr_profile *p = recursive();
	struct cr_block_cycles blocks = {.cycles = 0};
	const cr_function_id f = cr_block_function(p, 0);
	static const uint64_t starts[] = {0x100, 0x104, 0x109, 0x10b, 0x110};
	static const uint32_t sizes[] = {4, 5, 2, 1, 2};
	struct cr_annotate_address known[CR_LEN(starts)];
	struct cr_annotate a;

	(void)state;
	for (size_t i = 0; i < CR_LEN(known); i++)
		known[i] = (struct cr_annotate_address){
			.function = f, .addr = starts[i], .size = sizes[i], .line = CR_NO_ROW};
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x100, 0x104, UINT64_MAX - 5, 1}));
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x100, 0x104, 9, UINT64_MAX - 1}));
	cr_vec_push(&blocks.runs, ((struct cr_block_run){f, 0x104, 0x104, 9, 9}));
	a = with_blocks(p, "f", &blocks, known, CR_LEN(known));
	assert_int_equal(a.addresses.n, CR_LEN(known));
	for (size_t i = 0; i < 2; i++) {
		assert_true(a.addresses.p[i].run_instructions == UINT64_MAX);
		assert_true(a.addresses.p[i].run_cycles == UINT64_MAX);
	}
	assert_true(a.run_instructions == UINT64_MAX && a.run_cycles == UINT64_MAX);
	cr_annotate_fini(&a);
	cr_vec_fini(&blocks.runs);
	cr_profile_free(p);
}

/* ---- names */

static void
test_functions_are_found_by_name_object_and_pattern(void **state)
{
	static const struct {
		const char *what, *dso;
		size_t names, functions;
	} cases[] = {
		{"f", NULL, 2, 2},
		{"f", "/lib/b", 1, 1},
		{"f", "b", 1, 1},
		{"f", "c", 0, 0},
		{"/^F$/", NULL, 0, 0},
		{"/^f/", NULL, 3, 3},
		{"/g/", NULL, 1, 1},
		{"nothing", NULL, 0, 0},
		{"/", NULL, 0, 0},
		{"[unknown]", NULL, 1, 1},
	};
	struct cr_profile *p = testing_profile("f!/a;fg!/a 1\nf!/lib/b 1\n");
	struct cr_err err = CR_ERR_INIT;
	struct cr_annotate_found found;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_int_equal(
			cr_annotate_find(p, cases[i].what, cases[i].dso, &found, &err), CR_OK);
		assert_int_equal(found.names.n, cases[i].names);
		assert_int_equal(found.functions.n, cases[i].functions);
		cr_annotate_found_fini(&found);
	}
	assert_int_equal(cr_annotate_find(p, "/(/", NULL, &found, &err), CR_EUSAGE);
	cr_annotate_found_fini(&found);
	cr_profile_free(p);
}

/* ---- what is shown */

/* Every file has the same 12 lines. */
static bool
source(void *user, struct cr_str file, uint32_t line, struct cr_str *text)
{
	static const char *const lines[] = {"one", "two", "three", "four", "five", "six", "seven",
		"eight", "nine", "ten", "eleven", "twelve"};

	(void)user;
	(void)file;
	if (line < 1 || line > CR_LEN(lines))
		return false;
	*text = cr_str_of(lines[line - 1]);
	return true;
}

static void
code(void *user, const struct cr_annotate_address *at, uint64_t *shown, struct cr_str *text)
{
	(void)user;
	*shown = at->addr + 0x1000;
	*text = CR_STR("nop");
}

/* A row a line: F, S, L, >, P, I or - with its number and text; costs behind. */
static void
expect_listing(struct cr_listing *l, const char *want)
{
	struct cr_text t = {0};

	for (size_t i = 0; i < l->rows.n; i++) {
		const struct cr_listing_row *r = &l->rows.p[i];

		cr_text_printf(&t, "%c %llx ", "FSL>PI-"[r->kind], (unsigned long long)r -> number);
		cr_text_str(&t, r->text);
		if (r->has_cost)
			put_cost(&t, &r->cost);
		else
			cr_text_char(&t, '\n');
	}
	assert_string_equal(t.p ? t.p : "", want);
	cr_text_fini(&t);
	cr_listing_fini(l);
}

static void
test_source_is_listed_around_what_costs(void **state)
{
	struct cr_profile *p = testing_inlined(true);
	struct cr_annotate a = annotated(p, "sort", &(struct cr_filter){.event = NULL}, NULL, 0);
	struct cr_listing_in in = {.p = p, .a = &a, .source = source, .code = code};
	struct cr_listing l = {.arena = {0}};

	(void)state;
	cr_listing_lines(&in, &l);
	expect_listing(&l, "F 0 lib/sort.h\n- 0 \nL 7 seven\nL 8 eight\nL 9 nine\n"
			   "L a ten 10/13\nL b eleven 2/2\nL c twelve\n");
	in.least = 3;
	cr_listing_hottest(&in, 5, &l);
	expect_listing(&l, "P a sort.h:10  ten 10/13\n");
	cr_annotate_fini(&a);
	a = annotated(p, "work", &(struct cr_filter){.event = NULL}, NULL, 0);
	in = (struct cr_listing_in){.p = p, .a = &a, .code = code};
	cr_listing_lines(&in, &l);
	expect_listing(&l, "F 0 src/work.c\nL 14  0/9\n> 0 sort.h:10 in sort 6/9\n");
	cr_annotate_fini(&a);
	cr_profile_free(p);
}

static void
test_code_is_listed_with_gaps(void **state)
{
	struct cr_profile *p = recursive();
	struct cr_annotate_address known[20] = {{.addr = 0}};
	struct cr_annotate a = annotated(p, "f", &(struct cr_filter){.event = NULL}, NULL, 0);
	struct cr_listing_in in = {.p = p, .a = &a, .source = source, .code = code};
	struct cr_listing l = {.arena = {0}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(known); i++)
		known[i] = (struct cr_annotate_address){
			.function = a.addresses.p[0].function, .addr = 0x100 + i, .size = 1};
	cr_annotate_fini(&a);
	a = annotated(p, "f", &(struct cr_filter){.event = NULL}, known, CR_LEN(known));
	in.least = 4;
	cr_listing_code(&in, false, &l);
	expect_listing(&l,
		"S 1100 f\n- 0 \nI 1105 nop 0/0\nI 1106 nop 0/0\nI 1107 nop 0/0\nI 1108 nop 0/4\n"
		"I 1109 nop 3/3\nI 110a nop 0/0\nI 110b nop 0/0\n");
	cr_annotate_fini(&a);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_a_function_are_those_of_all_its_copies),
		cmocka_unit_test(test_what_is_inlined_stands_at_its_line_with_its_own_file),
		cmocka_unit_test(test_only_what_is_selected_counts),
		cmocka_unit_test(test_a_function_without_lines_has_its_cost_in_none),
		cmocka_unit_test(test_a_caller_is_at_its_call_and_counts_once),
		cmocka_unit_test(test_blocks_belong_to_the_line_of_the_branch_at_their_end),
		cmocka_unit_test(test_instructions_each_cycle_are_those_of_all_blocks),
		cmocka_unit_test(test_huge_blocks_do_not_wrap),
		cmocka_unit_test(test_functions_are_found_by_name_object_and_pattern),
		cmocka_unit_test(test_source_is_listed_around_what_costs),
		cmocka_unit_test(test_code_is_listed_with_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
