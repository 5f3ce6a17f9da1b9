/*
 * Makes tests/fixtures/good-inlined.cresset: a small profile with inlined functions, source lines,
 * and a stack that was cut. Build it with the flags of the unit tests against libcresset.a and give
 * it the path.
 */
#include <stdio.h>

#include "model/build/builder.h"
#include "model/build/naming.h"
#include "model/tree/default_tree.h"
#include "store/store.h"

/* Lines of the addresses, innermost first; `own` where the line is not in the function's file. */
static const struct line {
	uint64_t addr;
	const char *function, *file, *own;
	uint64_t start;
	uint32_t line;
} lines[] = {
	{0x1234, "std::swap<int>(int&, int&)", "/usr/include/c++/12/bits/move.h", "",
		CR_ADDR_INLINED, 205},
	{0x1234, "std::sort<int*>(int*, int*)", "/usr/include/c++/12/bits/stl_algo.h", "",
		CR_ADDR_INLINED, 1937},
	{0x1234, "order(int*, int*)", "/src/sorter/order.cc", "/src/sorter/order.inc", 0x1200, 17},
	{0x1250, "std::sort<int*>(int*, int*)", "/usr/include/c++/12/bits/stl_algo.h", "",
		CR_ADDR_INLINED, 1940},
	{0x1250, "order(int*, int*)", "/src/sorter/order.cc", "", 0x1200, 18},
	{0x1308, "std::sort<int*>(int*, int*)", "/usr/include/c++/12/bits/stl_algo.h", "", 0x1300,
		1937},
	{0x1480, "main", "/src/sorter/main.cc", "", 0x1400, 9},
	{0x1500, "_start", "", "", 0x1500, 0},
};

static struct cr_profile *
named(struct cr_profile *p)
{
	struct cr_naming *n = cr_naming_new(p);

	for (uint32_t i = 0; i < p->n_locations; i++)
		for (size_t k = 0; k < CR_LEN(lines); k++)
			if (p->locations[i].addr == lines[k].addr)
				cr_naming_line(n, (cr_location_id){i},
					&(struct cr_line){
						.function = cr_naming_function(n,
							&(struct cr_function){
								.name = cr_str_of(
									lines[k].function),
								.file = cr_str_of(lines[k].file),
								.line = lines[k].line ? 3 : 0,
								.dso = p->locations[i].dso,
								.addr = lines[k].start}),
						.line = lines[k].line,
						.file = cr_str_of(lines[k].own)});
	p = cr_naming_finish(n);
	cr_default_tree_make(p);
	return p;
}

int
main(int argc, char **argv)
{
	static const struct {
		uint64_t stack[4];
		bool cut;
		uint64_t samples;
	} samples[] = {
		{{0x1500, 0x1480, 0x1234}, false, 50},
		{{0x1500, 0x1480, 0x1250}, false, 30},
		{{0x1500, 0x1480, 0x1308}, false, 15},
		{{0x1234}, true, 5},
	};
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cpu-clock"), CR_STR("ns"));
	const cr_dso_id x = cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/opt/bin/sorter"),
						      .kind = CR_KIND_USER,
						      .build_id = "\1\2\3\4",
						      .build_id_len = 4});
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_task_id task = cr_builder_task(b, 7, 7, CR_STR("sorter"), space);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	uint64_t time_ns = 1000000000;

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_ADDR);
	cr_builder_fact(b, "cmdline", CR_STR("perf record --call-graph dwarf sorter"));
	cr_builder_fact(b, "call graph", CR_STR("dwarf, 8192 bytes"));
	cr_builder_map(b, space, 0x400000, 0x410000, 0x1000, x);
	for (size_t i = 0; i < CR_LEN(samples); i++) {
		cr_node_id node = samples[i].cut
					  ? cr_builder_push(b, CR_ROOT, cr_builder_truncated(b))
					  : CR_ROOT;

		for (const uint64_t *addr = samples[i].stack; *addr; addr++)
			node = cr_builder_push(b, node,
				cr_builder_location(b, x, *addr, addr[1] ? CR_ORDINAL_RETURN : 0));
		for (uint64_t k = 0; k < samples[i].samples; k++)
			cr_builder_sample(b, &(struct cr_sample){.time_ns = time_ns += 1000000,
						     .weight = 1000000,
						     .node = node,
						     .task = task,
						     .event = event,
						     .cpu = CR_CPU_NONE});
	}
	if (argc != 2)
		return 2;
	if (cr_builder_finish(b, NULL, &p, &err) < 0)
		return 1;
	cr_builder_free(b);
	p = named(p);
	if (cr_store_write(argv[1], p, CR_STORE_REPLACE, &err) < 0)
		fprintf(stderr, "%s: %s\n", argv[1], err.text);
	cr_profile_free(p);
	return err.text[0] != '\0';
}
