#ifndef CR_TESTING_RECORDING_H
#define CR_TESTING_RECORDING_H

#include "testing.h"

/*
 * A profile with addresses from lines as those of testing_profile(), root first: "f!obj" is a
 * function, "?!obj" code without a name ("?x!obj" other code), "?" an address in no mapping, "^"
 * one in the kernel's half, "[truncated]" what a cut stack begins with; the number is how many
 * samples of weight 10. Dsos are files, without a build-id where the name begins with "none" or
 * "[none", and of another kind where it begins with "[" (kernel), "jit" or "vdso". A line
 * "KEY=VALUE" is a fact, "%WHAT 3" quality.
 */
static inline cr_dso_id
recording_dso(struct cr_builder *b, const char *name)
{
	struct cr_dso o = {.name = cr_str_of(name), .kind = CR_KIND_USER, .build_id_len = 4};
	char path[80];

	snprintf(path, sizeof(path), "/bin/%s", name);
	memcpy(o.build_id, "\1\2\3\4", 4);
	if (name[0] == '[') {
		o.kind = CR_KIND_KERNEL;
		o.build_id_len = strncmp(name, "[none", 5) == 0 ? 0 : 4;
	} else if (strncmp(name, "jit", 3) == 0) {
		o.kind = CR_KIND_JIT;
		o.build_id_len = 0;
	} else if (strncmp(name, "vdso", 4) == 0) {
		o.kind = CR_KIND_VDSO;
		o.build_id_len = 0;
	} else {
		o.name = cr_str_of(path);
		if (strncmp(name, "none", 4) == 0)
			o.build_id_len = 0;
	}
	return cr_builder_dso(b, &o);
}

static inline cr_location_id
recording_frame(struct cr_builder *b, char *frame)
{
	char *bang = strchr(frame, '!');
	cr_dso_id dso = CR_DSO_UNKNOWN;

	if (bang) {
		*bang = '\0';
		dso = recording_dso(b, bang + 1);
	}
	if (strcmp(frame, "[truncated]") == 0)
		return cr_builder_truncated(b);
	if (frame[0] == '?')
		return cr_builder_location(b, dso, 0x1000 + strlen(frame), 0);
	if (frame[0] == '^')
		return cr_builder_location(b, dso, UINT64_C(0xffff800000001000), 0);
	return cr_builder_named(b, cr_str_of(frame), dso);
}

static inline void
recording_line(struct cr_builder *b, char *line, cr_event_id event, cr_task_id task)
{
	struct cr_sample s = {.weight = 10, .event = event, .task = task, .cpu = UINT16_MAX};
	char *blank = strrchr(line, ' '), *rest = line, *frame;

	if (line[0] != '%' && strchr(line, '=')) {
		char *value = strchr(line, '=') + 1;

		value[-1] = '\0';
		cr_builder_fact(b, line, cr_str_of(value));
		return;
	}
	*blank = '\0';
	if (line[0] == '%') {
		cr_builder_quality(b, cr_str_of(line + 1), strtoull(blank + 1, NULL, 10));
		return;
	}
	while (*rest && (frame = strsep(&rest, ";"))) {
		s.node = cr_builder_push(b, s.node, recording_frame(b, frame));
		if (!rest)
			break;
	}
	for (uint64_t n = strtoull(blank + 1, NULL, 10); n; n--)
		cr_builder_sample(b, &s);
}

static inline struct cr_profile *
testing_recording(const char *lines)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	char *text = cr_strdup(lines), *rest = text, *line;
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	while ((line = strsep(&rest, "\n")) && *line) {
		if (strncmp(line, "event ", 6) == 0)
			event = cr_builder_event(b, cr_str_of(line + 6), CR_STR("events"));
		else
			recording_line(b, line, event, task);
	}
	cr_builder_flags(b, CR_PROFILE_HAS_ADDR | CR_PROFILE_HAS_TASK);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	free(text);
	return p;
}

#endif
