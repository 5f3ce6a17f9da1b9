#ifndef CR_TESTING_INLINED_H
#define CR_TESTING_INLINED_H

#include "testing.h"

#include "model/build/naming.h"

/*
 * A program whose sort() is inlined in work(), and in twice() by way of helper(); another copy of
 * it is called. Stacks of samples as they were recorded, root first:
 *
 *	x;main;work 5    x;main;work;leaf 3    x;main;twice 2    x;main;sort 4    y;work 1
 *
 * and the lines of their locations, innermost first:
 *
 *	work: sort lib/sort.h:10, work src/work.c:20
 *	twice: sort lib/sort.h:11, helper src/work.c:31 (a file of the line's own),
 *	twice src/twice.c:40
 *	sort: sort lib/sort.h:10    main: main src/main.c:7    leaf: not known
 *
 * inlined: false gives the same as named without inlined functions.
 */
struct inlined_line {
	const char *location, *function;
	bool inlined;
	const char *file; /* of the function */
	const char *own;  /* of the line */
	uint32_t line;
};

static inline cr_location_id
inlined_location(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (cr_str_eq(p->functions[p->lines[p->locations[i].first_line].function.i].name,
			    cr_str_of(name)))
			return (cr_location_id){i};
	fail();
	return (cr_location_id){0};
}

static inline struct cr_profile *
testing_inlined(bool inlined)
{
	static const struct inlined_line lines[] = {
		{"work", "sort", true, "lib/sort.h", "", 10},
		{"work", "work", false, "src/work.c", "", 20},
		{"twice", "sort", true, "lib/sort.h", "", 11},
		{"twice", "helper", true, "src/helper.h", "src/work.c", 31},
		{"twice", "twice", false, "src/twice.c", "", 40},
		{"sort", "sort", false, "lib/sort.h", "", 10},
		{"main", "main", false, "src/main.c", "", 7},
		{"leaf", "leaf", false, "", "", 0},
	};
	struct cr_profile *p = testing_profile(
		"@x;main!a;work!a 5\n@x;main!a;work!a;leaf!a 3\n@x;main!a;twice!a 2\n"
		"@x;main!a;sort!a 4\n@y;work!a 1\n");
	struct cr_naming *n = cr_naming_new(p);
	const cr_dso_id dso = p->locations[0].dso;
	cr_location_id at[CR_LEN(lines)];

	for (size_t i = 0; i < CR_LEN(lines); i++)
		at[i] = inlined_location(p, lines[i].location);
	for (size_t i = 0; i < CR_LEN(lines); i++) {
		const struct cr_function f = {
			.name = cr_str_of(lines[i].function),
			.file = cr_str_of(lines[i].file),
			.line = 1,
			.dso = dso,
			.addr = lines[i].inlined ? CR_ADDR_INLINED : 0x100 * (i + 1),
		};

		if (inlined || !lines[i].inlined)
			cr_naming_line(n, at[i],
				&(struct cr_line){cr_naming_function(n, &f), lines[i].line,
					cr_str_of(lines[i].own)});
	}
	return cr_naming_finish(n);
}

#endif
