#ifndef CR_TESTS_SESSION_SAMPLES_H
#define CR_TESTS_SESSION_SAMPLES_H

#include <stdlib.h>
#include <string.h>

#include "model/build/builder.h"
#include "model/tree/default_tree.h"
#include "session/session.h"
#include "session/state_p.h"
#include "session/views/view.h"

/*
 * Stacks as text, "comm;f;g 12", one a line; "event NAME" before those of another event. "f@16" is
 * f at the address 16.
 */
static const char sample_stacks[] = "x;main;parse 30\n"
				    "x;main;parse;lex 10\n"
				    "x;main;render 5\n"
				    "x;main;render;draw 40\n"
				    "y;start;spin 15\n"
				    "event misses\n"
				    "x;main;parse;lex 7\n"
				    "y;start;spin;hot 3\n";

static const char sample_stacks_after[] = "x;main;parse 30\n"
					  "x;main;parse;lex 10\n"
					  "x;main;render 5\n"
					  "x;main;render;draw 20\n"
					  "x;main;render;blend 20\n"
					  "y;start;spin 15\n";

static inline cr_location_id
sample_location(struct cr_builder *b, char *word)
{
	const struct cr_dso o = {.name = CR_STR("/bin/x"), .kind = CR_KIND_USER};
	const cr_dso_id dso = cr_builder_dso(b, &o);
	char *at = strchr(word, '@');
	struct cr_named named;

	if (!at)
		return cr_builder_named(b, cr_str_of(word), dso);
	*at = '\0';
	named = (struct cr_named){.name = cr_str_of(word)};
	return cr_builder_named_at(b, dso, strtoull(at + 1, NULL, 10), &named, 1);
}

static inline void
sample_stack(struct cr_builder *b, char *line, cr_event_id event, cr_address_space_id space)
{
	char *blank = strrchr(line, ' '), *word;
	struct cr_sample s = {.weight = 1, .node = CR_ROOT, .event = event, .cpu = UINT16_MAX};
	long count;

	*blank = '\0';
	count = strtol(blank + 1, NULL, 10);
	word = strtok(line, ";");
	s.task = cr_builder_task(b, 1, 1, cr_str_of(word), space);
	while ((word = strtok(NULL, ";")))
		s.node = cr_builder_push(b, s.node, sample_location(b, word));
	for (long i = 0; i < count; i++)
		cr_builder_sample(b, &s);
}

static inline struct cr_profile *
sample_profile(const char *stacks)
{
	struct cr_builder *b = cr_builder_new(NULL);
	cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("samples"));
	const cr_address_space_id space = cr_builder_address_space(b);
	char *text = cr_strdup(stacks);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;

	for (char *line = text, *end; *line; line = end + 1) {
		end = line + strcspn(line, "\n");
		*end = '\0';
		if (strncmp(line, "event ", 6) == 0)
			event = cr_builder_event(b, cr_str_of(line + 6), CR_STR("samples"));
		else
			sample_stack(b, line, event, space);
	}
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_SAMPLES);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), 0);
	cr_default_tree_make(p);
	cr_builder_free(b);
	free(text);
	return p;
}

static inline struct cr_session *
sample_session(const char *before, const char *after)
{
	struct cr_session *s = NULL;
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(
		cr_session_new(sample_profile(before), "before",
			after ? sample_profile(after) : NULL, "after", NULL, NULL, &s, &err),
		0);
	return s;
}

/* Run lines that must not fail. */
static inline void
run(struct cr_session *s, const char *line)
{
	struct cr_err err = CR_ERR_INIT;

	if (cr_session_run(s, line, NULL, &err) < 0)
		fail_msg("%s: %s", line, err.text);
}

static inline int
run_code(struct cr_session *s, const char *line)
{
	struct cr_err err = CR_ERR_INIT;

	return cr_session_run(s, line, NULL, &err);
}

/* What a line prints; the caller's to free. */
static inline char *
run_text(struct cr_session *s, const char *line)
{
	struct cr_err err = CR_ERR_INIT;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	if (cr_session_run(s, line, out, &err) < 0)
		fail_msg("%s: %s", line, err.text);
	fclose(out);
	return text;
}

static inline const char *
node_name(const struct cr_session *s, uint32_t node)
{
	static char name[256];
	const struct cr_str n = s->tree->frames[s->tree->frame[node]].name;

	assert_true(n.len < sizeof(name));
	memcpy(name, n.p, n.len);
	name[n.len] = '\0';
	return name;
}

static inline struct cr_view *
view_called(const struct cr_session *s, const char *name)
{
	for (uint32_t i = 0; cr_view_ops_at(i); i++)
		if (strcmp(cr_view_ops_at(i)->name, name) == 0)
			return &s->views[i];
	fail_msg("no view %s", name);
	return NULL;
}

#define assert_view(s, word) assert_string_equal(cr_view_current(s)->ops->name, word)
#define assert_selected(s, name) assert_string_equal(node_name(s, (s)->selection.node), name)
#define assert_zoom(s, name) assert_string_equal(node_name(s, (s)->zoom), name)

#endif
