#ifndef CR_TESTING_H
#define CR_TESTING_H

/*
 * What nearly every unit test needs: cmocka behind the headers it wants first, input in heap
 * blocks of its exact size, small profiles made from text, trees turned back into text. Include
 * it before anything else. Trees from text: testing_tree.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "model/build/builder.h"
#include "model/tree/tree.h"
#include "testing_left.h"

/*
 * Skip the running test and print why. The only reasons are a missing program or something this
 * machine lacks.
 */
#define testing_skip(...)                               \
	do {                                            \
		print_message("skipped: " __VA_ARGS__); \
		print_message("\n");                    \
		skip();                                 \
	} while (0)

static inline bool
testing_has(const char *program)
{
	char command[128];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", program);
	return system(command) == 0;
}

/*
 * What began at clock() == start took less than so many seconds of the CPU. Only make bench judges
 * that, with JUDGE_TIME set: sanitizers, valgrind and coverage slow everything down.
 */
static inline void
testing_cpu_within(clock_t start, unsigned seconds)
{
	const double took = (double)(clock() - start) / CLOCKS_PER_SEC;

	print_message("%.1f of %u s of the CPU\n", took, seconds);
	if (getenv("JUDGE_TIME"))
		assert_true(took < seconds);
}

/* Skip the running test if one of these programs is not installed; separated by blanks. */
static inline void
testing_needs(const char *programs)
{
	char *list = strdup(programs), *rest = list, *program, missing[64] = "";

	while ((program = strsep(&rest, " ")))
		if (!missing[0] && !testing_has(program))
			snprintf(missing, sizeof(missing), "%s", program);
	free(list);
	if (missing[0])
		testing_skip("%s is not installed", missing);
}

/* A copy with nothing behind it, so that ASan sees the first byte too far. free() it. */
static inline void *
testing_exact(const void *p, size_t len)
{
	void *copy = calloc(1, len);

	if (len) {
		assert_non_null(copy);
		memcpy(copy, p, len);
	}
	return copy;
}

static inline void
assert_str(struct cr_str have, const char *want)
{
	char *text = cr_memdup(have.p, have.len);

	assert_string_equal(text, want);
	assert_int_equal(have.len, strlen(want));
	free(text);
}

/* The same numbers in the same order on every machine: for random input. */
static inline uint64_t
testing_random(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/*
 * "@comm;f;g!obj 3": a sample of weight 3; without "@comm" of a nameless task, without "!obj" of no
 * dso.
 */
static inline void
testing_sample(struct cr_builder *b, char *line, cr_event_id event, cr_address_space_id space)
{
	char *blank = strrchr(line, ' ');
	struct cr_sample s = {
		.weight = strtoull(blank + 1, NULL, 10), .event = event, .cpu = UINT16_MAX};
	struct cr_str comm = CR_STR("");
	char *rest = line, *frame;

	*blank = '\0';
	if (*rest == '@')
		comm = cr_str_of(strsep(&rest, ";") + 1);
	s.task = cr_builder_task(b, 1, 1, comm, space);
	while (rest && *rest && (frame = strsep(&rest, ";"))) {
		char *bang = strchr(frame, '!');
		cr_dso_id dso = CR_DSO_UNKNOWN;

		if (bang) {
			*bang = '\0';
			dso = cr_builder_dso(b, &(struct cr_dso){.name = cr_str_of(bang + 1),
							.kind = CR_KIND_USER});
		}
		s.node = cr_builder_push(b, s.node, cr_builder_named(b, cr_str_of(frame), dso));
	}
	cr_builder_sample(b, &s);
}

/*
 * A profile from lines as above, each ended by LF; a line "event NAME" says of what the next ones
 * are.
 */
static inline struct cr_profile *
testing_profile(const char *lines)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_address_space_id space = cr_builder_address_space(b);
	char *text = cr_strdup(lines), *rest = text, *line;
	cr_event_id event = {UINT32_MAX};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	while ((line = strsep(&rest, "\n")) && *line) {
		if (strncmp(line, "event ", 6) == 0) {
			event = cr_builder_event(b, cr_str_of(line + 6), CR_STR("events"));
			continue;
		}
		if (event.i == UINT32_MAX)
			event = cr_builder_event(b, CR_STR("cycles"), CR_STR("events"));
		testing_sample(b, line, event, space);
	}
	cr_builder_flags(b, lines[0] == '@' || strstr(lines, "\n@") ? CR_PROFILE_HAS_TASK : 0);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	free(text);
	return p;
}

/*
 * A line a node, indented by its depth: "NAME TOTAL SELF", with two sides "NAME TOTAL TOTAL SELF
 * SELF". free() it.
 */
static inline char *
testing_tree_text(const struct cr_tree *t)
{
	struct cr_text out = {0};

	for (uint32_t n = 0; n < t->n; n++) {
		cr_text_pad(&out, ' ', t->depth[n]);
		cr_text_str(&out, t->frames[t->frame[n]].name);
		for (uint32_t s = 0; s < t->sides; s++)
			cr_text_printf(&out, " %llu", (unsigned long long)t->total[s][n]);
		for (uint32_t s = 0; s < t->sides; s++)
			cr_text_printf(&out, " %llu", (unsigned long long)t->self[s][n]);
		cr_text_char(&out, '\n');
	}
	return out.p;
}

static inline void
assert_tree(const struct cr_tree *t, const char *want)
{
	char *have = testing_tree_text(t);

	assert_string_equal(have, want);
	free(have);
}

#endif
