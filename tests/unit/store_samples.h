#ifndef CR_TESTS_STORE_SAMPLES_H
#define CR_TESTS_STORE_SAMPLES_H

#include "model/build/builder.h"
#include "model/build/naming.h"
#include "model/tree/default_tree.h"

#include <stdio.h>
#include <stdlib.h>

/* A profile with something in every table, names as a hostile input may have them. */

static struct cr_profile *
named_profile(struct cr_profile *p)
{
	struct cr_naming *n = cr_naming_new(p);
	const struct cr_function inlined = {
		.name = CR_STR("std::copy<int>(int)"),
		.linkage = CR_STR("_ZSt4copyIiEvT_"),
		.file = CR_STR("src/a.cc"),
		.line = 12,
		.dso = {1},
		.addr = CR_ADDR_INLINED,
	};
	const struct cr_function outer = {
		.name = CR_STR("main\x1b[2J\n;<x>"),
		.file = CR_STR("src/\xff.cc"),
		.line = 40,
		.dso = {1},
		.addr = 0x1000,
	};
	const cr_function_id a = cr_naming_function(n, &inlined), b = cr_naming_function(n, &outer);

	cr_naming_line(n, (cr_location_id){2}, &(struct cr_line){a, 14, CR_STR("src/a\0\x1b.h")});
	cr_naming_line(n, (cr_location_id){2}, &(struct cr_line){b, 44, {0}});
	cr_naming_line(n, (cr_location_id){0}, &(struct cr_line){b, 41, {0}});
	cr_naming_quality(n, CR_STR("without a name: /bin/x"), 3);
	cr_naming_quality(n, CR_STR("without a name: \xff"), 1);
	return cr_naming_finish(n);
}

/*
 * Values that a format would hardly have: the ends of their ranges, texts of any bytes, samples
 * without.
 */
static void
sample_fields(struct cr_builder *b, cr_event_id event, uint32_t i)
{
	static const char *const texts[] = {"bash", "\x1b[2J\n", "", "a=b  c=d", "\xff\xfe"};
	const uint64_t h = cr_digest_mix(i, 7);

	cr_builder_value(b, cr_builder_field(b, event, CR_STR("addr"), CR_FORM_HEX), i % 4 ? h : 0);
	cr_builder_value(
		b, cr_builder_field(b, event, CR_STR("never"), CR_FORM_NUMBER), UINT64_MAX);
	if (event.i == 0) {
		cr_builder_value(
			b, cr_builder_field(b, event, CR_STR("cgroup"), CR_FORM_NUMBER), 1);
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("id"), CR_FORM_NUMBER),
			UINT64_MAX - 1 - i);
		return;
	}
	if (i % 5)
		cr_builder_value(b,
			cr_builder_field(b, event, CR_STR("prev_comm\x1b"), CR_FORM_TEXT),
			cr_builder_text(b, cr_str_of(texts[h % CR_LEN(texts)])));
	cr_builder_value(b, cr_builder_field(b, event, CR_STR("prio"), CR_FORM_SIGNED),
		i % 2 ? (uint64_t)INT64_MAX - i : (uint64_t)INT64_MIN + i);
	if (i == 5)
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("once"), CR_FORM_TEXT),
			cr_builder_text(b, CR_STR("x\0y")));
}

/* Code of two functions and lines of two files, whatever bytes they have. */
static void
sample_code(struct cr_profile *p)
{
	static const struct cr_machine_code codes[] = {
		{.function = {0},
			.addr = 0,
			.base = UINT64_MAX,
			.bytes = CR_STR(""),
			.machine = 40,
			.bits = 32,
			.big_endian = 1},
		{.function = {1},
			.addr = 0x1000,
			.base = 0x401000,
			.bytes = CR_STR("\x55\0\x48\xc3"),
			.machine = 62,
			.bits = 64},
		{.function = {1},
			.addr = 0x2000,
			.base = 0x402000,
			.bytes = CR_STR("\x90\xc3"),
			.machine = 62,
			.bits = 64},
		{.function = {2},
			.addr = 0xffffffff81000000,
			.base = 0xffffffff81000000,
			.bytes = CR_STR("\xf4"),
			.machine = 62,
			.bits = 64},
	};
	static const struct cr_source_line lines[] = {
		{CR_STR("src/a.cc"), 12, CR_STR("template <class T> void copy(T) {")},
		{CR_STR("src/a.cc"), 13, CR_STR("")},
		{CR_STR("src/a.cc"), 15, CR_STR("}")},
		{CR_STR("src/\xff.cc"), 1, CR_STR("\t\x1b[2J \xff}")},
		{CR_STR("src/\xff.cc"), 4000000000, CR_STR("}")},
	};

	p->codes = cr_arena_copy(&p->arena, codes, sizeof(codes));
	p->n_codes = CR_LEN(codes);
	p->source_lines = cr_arena_copy(&p->arena, lines, sizeof(lines));
	p->n_source_lines = CR_LEN(lines);
}

/* Threads with odd numbers and parents, and a name with a zero byte. */
static void
sample_threads(struct cr_builder *b)
{
	static const struct cr_named_thread threads[] = {
		{0, 0, -1, CR_STR("swapper")},
		{7, 7, 0, CR_STR("x\0y")},
		{7, 8, 7, CR_STR("")},
		{INT32_MAX, INT32_MIN, INT32_MAX, CR_STR("\xff")},
		{-1, 8, 8, CR_STR(":8")},
	};

	for (size_t i = 0; i < CR_LEN(threads); i++)
		cr_builder_thread(b, &threads[i]);
}

/* Sizes of some functions. */
static void
sample_sizes(struct cr_profile *p)
{
	struct cr_function *functions =
		cr_arena_copy(&p->arena, p->functions, p->n_functions * sizeof(*functions));

	for (uint32_t i = 1; i < p->n_functions; i++)
		functions[i].size = i % 3 ? i * 1000003u : 0;
	p->functions = functions;
}

static struct cr_profile *
sample_profile(uint32_t n_samples)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	const cr_event_id events[] = {
		cr_builder_event(b, CR_STR("cycles:u"), CR_STR("cycles")),
		cr_builder_event(b, CR_STR("sched:sched_switch"), CR_STR("")),
		cr_builder_event(b, CR_STR("never"), CR_STR("ns")),
	};
	const cr_dso_id dsos[] = {
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x\0y"),
					  .kind = CR_KIND_USER,
					  .build_id = "0123456789abcdefghi",
					  .build_id_len = 20}),
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("[kernel.kallsyms]"),
					  .kind = CR_KIND_KERNEL}),
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("\x1b]0;title\a"),
					  .kind = CR_KIND_JIT,
					  .build_id = "\xff\0\1",
					  .build_id_len = 3}),
	};
	const cr_address_space_id spaces[] = {
		cr_builder_address_space(b), cr_builder_address_space(b)};
	const cr_task_id tasks[] = {
		cr_builder_task(b, 1, 1, CR_STR("init"), spaces[0]),
		cr_builder_task(b, 77, 78, CR_STR("a;b\n"), spaces[1]),
		cr_builder_task(b, -1, -1, CR_STR(""), spaces[1]),
		cr_builder_task(b, 77, 79, CR_STR("a;b\n"), spaces[1]),
	};
	cr_location_id locations[7];

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK |
				    CR_PROFILE_HAS_ADDR);
	cr_builder_fact(b, "hostname", CR_STR("box"));
	cr_builder_fact(b, "cmdline", CR_STR("perf record -- \"x\ty\"\0z"));
	cr_builder_fact(b, "empty", CR_STR(""));
	cr_builder_quality(b, CR_STR("lost events"), 5);
	cr_builder_quality(b, CR_STR("unknown records\x1b"), UINT64_MAX);
	for (uint32_t i = 0; i < 7; i++)
		locations[i] = cr_builder_location(b, dsos[i % 3],
			i % 3 == 1 ? UINT64_MAX - i : 0x1000 + 0x37 * (uint64_t)i,
			(uint16_t)(i == 4 ? CR_ORDINAL_RETURN | 1 : 0));
	for (uint32_t i = 0; i < n_samples; i++) {
		const uint64_t h = cr_digest_mix(i, 99);
		cr_node_id node = CR_ROOT;

		if (i == 2 || i == 5 || i == 9 || i == 10)
			cr_builder_map(b, spaces[i == 5], 0x400000 + 0x100000 * (uint64_t)(i / 3),
				0x500000 + 0x100000 * (uint64_t)(i / 3), 0x1000,
				dsos[i % 2 ? 0 : 2]);
		for (uint32_t depth = (uint32_t)(h % 5); depth; depth--)
			node = cr_builder_push(b, node, locations[(h >> (3 * depth)) % 7]);
		cr_builder_sample(
			b, &(struct cr_sample){
				   .time_ns = 1000000000 + 1000 * (uint64_t)i - h % 1500,
				   .weight = i % 7 == 0 ? 0
							: h % 400 * 250, /* multiples of a period */
				   .node = node,
				   .task = tasks[h % 4],
				   .event = events[i % 3 == 2],
				   .cpu = (uint16_t)(i % 4 == 3 ? UINT16_MAX : i % 4),
			   });
		sample_fields(b, events[i % 3 == 2], i);
	}
	sample_threads(b);
	if (cr_builder_finish(b, NULL, &p, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	cr_builder_free(b);
	p = named_profile(p);
	cr_default_tree_make(p);
	sample_code(p);
	sample_sizes(p);
	return p;
}

#endif
