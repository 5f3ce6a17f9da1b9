#include "write/writer.h"

#include "model/build/builder.h"
#include "model/build/naming.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "testing_writer.h"

#define ALL_FIELDS                                                                              \
	(CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_ADDR | \
		CR_PROFILE_HAS_SAMPLES)

static char *
script(const struct cr_profile *p, const uint8_t *select)
{
	return testing_written("script", &(struct cr_write_in){.p = p, .select = select}, NULL);
}

static struct cr_profile *
finish(struct cr_builder *b, uint32_t flags)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;

	cr_builder_flags(b, flags);
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

/*
 * Two samples of a program and one of the kernel; the program's file is mapped anew between the
 * two.
 */
static struct cr_profile *
recording(uint32_t flags)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id ev = cr_builder_event(b, CR_STR("cycles:u"), CR_STR("cycles"));
	const cr_dso_id x =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"), .kind = CR_KIND_USER});
	const cr_dso_id k = cr_builder_dso(
		b, &(struct cr_dso){.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL});
	const cr_address_space_id space = cr_builder_address_space(b);
	const uint32_t map = cr_builder_map(b, space, 0x400000, 0x500000, 0x1000, x);
	const cr_task_id task = cr_builder_task(b, 41, 42, CR_STR("my prog"), space);
	const cr_task_id idle =
		cr_builder_task(b, 0, 0, CR_STR("swapper"), cr_builder_address_space(b));
	const cr_node_id leaf = cr_builder_push(b,
		cr_builder_push(b, CR_ROOT, cr_builder_location(b, x, 0x1100, 0)),
		cr_builder_location(b, x, 0x2200, 0));
	const cr_node_id kernel =
		cr_builder_push(b, CR_ROOT, cr_builder_location(b, k, 0xffffffff81000010, 0));
	struct cr_sample s = {.time_ns = 1000000001,
		.weight = 7,
		.node = leaf,
		.task = task,
		.event = ev,
		.cpu = 3};

	cr_builder_sample(b, &s);
	cr_builder_unmap(b, map);
	cr_builder_map(b, space, 0x700000, 0x800000, 0x1000, x);
	s.time_ns = 2;
	s.cpu = UINT16_MAX;
	cr_builder_sample(b, &s);
	s = (struct cr_sample){.time_ns = 123456789012345678,
		.weight = 250000,
		.node = kernel,
		.task = idle,
		.event = ev,
		.cpu = 1234};
	cr_builder_sample(b, &s);
	return finish(b, flags);
}

static uint32_t
location_at(const struct cr_profile *p, uint64_t addr)
{
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (p->locations[i].addr == addr)
			return i;
	fail();
	return 0;
}

static void
test_a_block_a_sample_with_absolute_addresses(void **state)
{
	struct cr_profile *p = recording(ALL_FIELDS);
	char *text = script(p, NULL);

	(void)state;
	assert_string_equal(text, "my prog 41/42 [003] 1.000000001: 7 cycles:u:\n"
				  "\t401200 [unknown] (/bin/x)\n"
				  "\t400100 [unknown] (/bin/x)\n"
				  "\n"
				  "my prog 41/42 0.000000002: 7 cycles:u:\n"
				  "\t701200 [unknown] (/bin/x)\n"
				  "\t700100 [unknown] (/bin/x)\n"
				  "\n"
				  "swapper 0/0 [1234] 123456789.012345678: 250000 cycles:u:\n"
				  "\tffffffff81000010 [unknown] ([kernel.kallsyms])\n"
				  "\n");
	free(text);
	cr_profile_free(p);
}

static void
test_fields_that_were_not_recorded_are_left_out(void **state)
{
	static const struct {
		uint32_t without;
		const char *head;
	} cases[] = {
		{CR_PROFILE_HAS_CPU, "my prog 41/42 1.000000001: 7 cycles:u:\n"},
		{CR_PROFILE_HAS_TIME, "my prog 41/42 [003] 7 cycles:u:\n"},
		{CR_PROFILE_HAS_TASK, "[003] 1.000000001: 7 cycles:u:\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = recording(ALL_FIELDS & ~cases[i].without);
		char *text = script(p, NULL);

		assert_memory_equal(text, cases[i].head, strlen(cases[i].head));
		free(text);
		cr_profile_free(p);
	}
}

static void
test_only_what_is_selected_is_written(void **state)
{
	const uint8_t select[] = {0, 1, 0};
	struct cr_profile *p = recording(ALL_FIELDS);
	char *text = script(p, select);

	(void)state;
	assert_string_equal(text, "my prog 41/42 0.000000002: 7 cycles:u:\n"
				  "\t701200 [unknown] (/bin/x)\n"
				  "\t700100 [unknown] (/bin/x)\n"
				  "\n");
	free(text);
	cr_profile_free(p);
}

/* One sample at an address where leaf() is inlined in host(), by way of mid(). */
static struct cr_profile *
inlined(struct cr_profile *p, const char *host)
{
	const cr_location_id at = {location_at(p, 0x2200)};
	struct cr_naming *n = cr_naming_new(p);
	const cr_dso_id x = p->locations[at.i].dso;
	const struct {
		const char *name, *file, *own;
		uint64_t addr;
		uint32_t line;
	} lines[] = {
		{"leaf", "/src/a/leaf.h", "", CR_ADDR_INLINED, 12},
		{"mid", "", "", CR_ADDR_INLINED, 0},
		{host, "/src/host.c", "/src/ho\nst.inc", 0x2100, 44},
	};

	for (size_t i = 0; i < CR_LEN(lines); i++)
		cr_naming_line(n, at,
			&(struct cr_line){
				cr_naming_function(
					n, &(struct cr_function){.name = cr_str_of(lines[i].name),
						   .file = cr_str_of(lines[i].file),
						   .line = 1,
						   .dso = x,
						   .addr = lines[i].addr}),
				lines[i].line, cr_str_of(lines[i].own)});
	return cr_naming_finish(n);
}

static void
test_inlined_functions_come_before_the_one_they_are_in(void **state)
{
	static const uint8_t first[] = {1, 0, 0};
	static const struct {
		const char *host;
		bool srcline, full;
		const char *want;
	} cases[] = {
		{"host", false, false,
			"\t401200 leaf+0x100 (inlined)\n"
			"\t401200 mid+0x100 (inlined)\n"
			"\t401200 host+0x100 (/bin/x)\n"},
		/* an offset would be from the start of nobody knows what */
		{"", false, false,
			"\t401200 leaf (inlined)\n\t401200 mid (inlined)\n\t401200 [unknown] "
			"(/bin/x)\n"},
		{"host", true, false,
			"\t401200 leaf+0x100 (inlined)\n"
			"  leaf.h:12\n"
			"\t401200 mid+0x100 (inlined)\n"
			"\t401200 host+0x100 (/bin/x)\n"
			"  ho\\x0ast.inc:44\n"},
		{"host", true, true,
			"\t401200 leaf+0x100 (inlined)\n"
			"  /src/a/leaf.h:12\n"
			"\t401200 mid+0x100 (inlined)\n"
			"\t401200 host+0x100 (/bin/x)\n"
			"  /src/ho\\x0ast.inc:44\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = inlined(recording(ALL_FIELDS), cases[i].host);
		const struct cr_write_in in = {.p = p, .select = first};
		char options[64], *text;
		struct cr_text want = {0};

		snprintf(options, sizeof(options), "srcline=%s full-source-path=%s",
			cases[i].srcline ? "yes" : "no", cases[i].full ? "yes" : "no");
		text = testing_written("script", &in, options);
		cr_text_puts(&want, "my prog 41/42 [003] 1.000000001: 7 cycles:u:\n");
		cr_text_puts(&want, cases[i].want);
		cr_text_puts(&want, "\t400100 [unknown] (/bin/x)\n\n");
		assert_string_equal(text, want.p);
		cr_text_fini(&want);
		free(text);
		cr_profile_free(p);
	}
}

/* It has no address; in folded stacks and pictures it is seen. */
static void
test_what_stands_for_missing_frames_is_none(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id ev = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	const cr_node_id node =
		cr_builder_push(b, cr_builder_push(b, CR_ROOT, cr_builder_truncated(b)),
			cr_builder_location(b, CR_DSO_UNKNOWN, 0x44, 0));
	struct cr_profile *p;
	char *text;

	(void)state;
	cr_builder_sample(
		b, &(struct cr_sample){.weight = 5, .node = node, .task = task, .event = ev});
	p = finish(b, CR_PROFILE_HAS_SAMPLES | CR_PROFILE_HAS_ADDR);
	text = script(p, NULL);
	assert_string_equal(text, "5 cycles:\n\t44 [unknown] ([unknown])\n\n");
	free(text);
	cr_profile_free(p);
}

static void
test_names_of_a_text_format_have_no_offset(void **state)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id ev = cr_builder_event(b, CR_STR("samples"), CR_STR("samples"));
	const cr_task_id task = cr_builder_task(b, -1, -1, CR_STR(""), (cr_address_space_id){0});
	const cr_node_id node =
		cr_builder_push(b, CR_ROOT, cr_builder_named(b, CR_STR("main"), CR_DSO_UNKNOWN));
	struct cr_profile *p;
	char *text;

	(void)state;
	cr_builder_sample(b,
		&(struct cr_sample){
			.weight = 5, .node = node, .task = task, .event = ev, .cpu = UINT16_MAX});
	cr_builder_sample(b, &(struct cr_sample){.weight = 6,
				     .node = CR_ROOT,
				     .task = task,
				     .event = ev,
				     .cpu = UINT16_MAX});
	p = finish(b, CR_PROFILE_HAS_SAMPLES);
	text = script(p, NULL);
	assert_string_equal(text, "5 samples:\n\t0 main ([unknown])\n\n6 samples:\n\n");
	free(text);
	cr_profile_free(p);
}

static void
test_names_cannot_break_the_layout(void **state)
{
	static const char evil[] = "a\n\tb\0c\x1b\xff";
	const struct cr_str name = {evil, sizeof(evil) - 1};
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id ev = cr_builder_event(b, name, CR_STR(""));
	const cr_dso_id o = cr_builder_dso(b, &(struct cr_dso){.name = name, .kind = CR_KIND_USER});
	const cr_task_id task = cr_builder_task(b, 1, 1, name, (cr_address_space_id){0});
	const cr_node_id node = cr_builder_push(b, CR_ROOT, cr_builder_named(b, name, o));
	struct cr_profile *p;
	char *text;

	(void)state;
	cr_builder_sample(b,
		&(struct cr_sample){
			.weight = 1, .node = node, .task = task, .event = ev, .cpu = UINT16_MAX});
	p = finish(b, CR_PROFILE_HAS_SAMPLES | CR_PROFILE_HAS_TASK);
	text = script(p, NULL);
#define SAFE "a\\x0a\\x09b\\x00c\\x1b\\xff"
	assert_string_equal(text, SAFE " 1/1 1 " SAFE ":\n\t0 " SAFE " (" SAFE ")\n\n");
	free(text);
	cr_profile_free(p);
}

/* Samples a, b, a, a, b without stacks; "x" is of both events, "y" only of b. */
static struct cr_profile *
detailed(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id events[] = {cr_builder_event(b, CR_STR("a"), CR_STR("")),
		cr_builder_event(b, CR_STR("b"), CR_STR(""))};
	static const uint32_t order[] = {0, 1, 0, 0, 1};
	const cr_field_id y = cr_builder_field(b, events[1], CR_STR("y\n"), CR_FORM_TEXT);
	cr_field_id x[2];

	cr_builder_task(b, -1, -1, CR_STR(""), (cr_address_space_id){0});
	for (uint32_t i = 0; i < 2; i++)
		x[i] = cr_builder_field(
			b, events[i], CR_STR("x"), i ? CR_FORM_SIGNED : CR_FORM_HEX);
	for (uint32_t i = 0; i < 5; i++) {
		cr_builder_sample(
			b, &(struct cr_sample){
				   .weight = i, .event = events[order[i]], .cpu = UINT16_MAX});
		if (i != 2)
			cr_builder_value(b, x[order[i]], order[i] ? 0 - (uint64_t)i : 16 + i);
	}
	cr_builder_value(b, y, cr_builder_text(b, CR_STR("q\x1b")));
	return finish(b, CR_PROFILE_HAS_SAMPLES);
}

static void
test_details_that_are_asked_for_stand_behind_the_colon(void **state)
{
	static const uint8_t not_the_first_two[] = {0, 0, 1, 1, 1};
	static const struct {
		const char *fields;
		const uint8_t *select;
		const char *want;
	} cases[] = {
		{NULL, NULL, "0 a:\n\n1 b:\n\n2 a:\n\n3 a:\n\n4 b:\n\n"},
		{"all", NULL,
			"0 a:  x=0x10\n\n1 b:  x=-1\n\n2 a:\n\n3 a:  x=0x13\n\n4 b:  y\\x0a=q\\x1b "
			"x=-4\n\n"},
		{"x", NULL, "0 a:  x=0x10\n\n1 b:  x=-1\n\n2 a:\n\n3 a:  x=0x13\n\n4 b:  x=-4\n\n"},
		{"y\n", NULL, "0 a:\n\n1 b:\n\n2 a:\n\n3 a:\n\n4 b:  y\\x0a=q\\x1b\n\n"},
		{"x,y\n", not_the_first_two,
			"2 a:\n\n3 a:  x=0x13\n\n4 b:  y\\x0a=q\\x1b x=-4\n\n"},
	};
	struct cr_profile *p = detailed();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct cr_write_in in = {.p = p, .select = cases[i].select};
		char options[64], *text;

		snprintf(options, sizeof(options), "fields=%s",
			cases[i].fields ? cases[i].fields : "");
		text = testing_written("script", &in, cases[i].fields ? options : NULL);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
	cr_profile_free(p);
}

static void
test_a_field_that_no_event_has_is_told(void **state)
{
	static const struct {
		const char *fields, *word;
	} cases[] = {
		{"z", "'z'"},
		{"x,zz", "'zz'"},
		{"xx,x", "'xx'"},
		{"x,", "''"},
		{",x", "''"},
		{"x,all", "'all'"},
		{"X", "'X'"},
	};
	struct cr_profile *p = detailed();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_text text = {0};
		char options[32];

		snprintf(options, sizeof(options), "fields=%s", cases[i].fields);
		assert_int_equal(testing_write("script", &(struct cr_write_in){.p = p}, options,
					 &text, &err),
			CR_ENOTFOUND);
		assert_non_null(strstr(err.text, cases[i].word));
		assert_int_equal(text.len, 0);
		cr_text_fini(&text);
	}
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_block_a_sample_with_absolute_addresses),
		cmocka_unit_test(test_fields_that_were_not_recorded_are_left_out),
		cmocka_unit_test(test_only_what_is_selected_is_written),
		cmocka_unit_test(test_inlined_functions_come_before_the_one_they_are_in),
		cmocka_unit_test(test_what_stands_for_missing_frames_is_none),
		cmocka_unit_test(test_names_of_a_text_format_have_no_offset),
		cmocka_unit_test(test_names_cannot_break_the_layout),
		cmocka_unit_test(test_details_that_are_asked_for_stand_behind_the_colon),
		cmocka_unit_test(test_a_field_that_no_event_has_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
