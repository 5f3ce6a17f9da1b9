#ifndef CR_TESTING_TREE_H
#define CR_TESTING_TREE_H

#include "base/vec.h"
#include "model/tree/tree.h"

/*
 * A tree from folded text, "a;b 3\na;c 1\n"; with two sides "a;b 3 4\n". A frame "@x" is the
 * comm x, one "x!obj" lies in the dso obj, and one "~x" is inlined. Free with cr_tree_free()
 * alone.
 */
typedef CR_VEC(struct cr_frame) testing_frames;

static inline struct cr_frame
testing_frame(struct cr_arena *names, const char *p, size_t len)
{
	const char *bang = memchr(p, '!', len);
	struct cr_frame f = {.kind = CR_KIND_USER};

	if (*p == '~') {
		f.inlined = true;
		p++;
		len--;
	}
	if (*p == '@') {
		f.kind = CR_KIND_GROUP;
		f.group = CR_GROUP_COMM;
		p++;
		len--;
	} else if (bang) {
		f.dso.len = (uint32_t)(p + len - bang - 1);
		f.dso.p = cr_arena_copy(names, bang + 1, f.dso.len);
		len = (size_t)(bang - p);
	}
	f.name = (struct cr_str){cr_arena_copy(names, p, len), (uint32_t)len};
	return f;
}

static inline uint32_t
testing_intern(testing_frames *frames, struct cr_frame f)
{
	for (size_t i = 1; i < frames->n; i++)
		if (frames->p[i].kind == f.kind && frames->p[i].inlined == f.inlined &&
			cr_str_eq(frames->p[i].name, f.name) && cr_str_eq(frames->p[i].dso, f.dso))
			return (uint32_t)i;
	cr_vec_push(frames, f);
	return (uint32_t)frames->n - 1;
}

/* One line; the frames were interned before, so that this only finds them. */
static inline const char *
testing_line(struct cr_tree_builder *tb, uint32_t sides, testing_frames *frames,
	struct cr_arena *names, const char *p)
{
	const char *line_end = strchr(p, '\n'), *blank = line_end;
	uint32_t node = 0;
	char *rest;

	for (uint32_t s = 0; s < sides; s++)
		blank = memrchr(p, ' ', (size_t)(blank - p));
	while (p < blank) {
		const char *semicolon = memchr(p, ';', (size_t)(blank - p));
		const char *end = semicolon ? semicolon : blank;
		const uint32_t f =
			testing_intern(frames, testing_frame(names, p, (size_t)(end - p)));

		if (tb)
			node = cr_tree_builder_child(tb, node, f);
		p = semicolon ? semicolon + 1 : blank;
	}
	for (uint32_t s = 0; tb && s < sides; s++) {
		const uint64_t weight = strtoull(p, &rest, 10);

		cr_tree_builder_add(tb, node, s, weight, weight);
		p = rest;
	}
	return line_end + 1;
}

static inline struct cr_tree *
testing_tree(uint32_t sides, const char *text)
{
	testing_frames frames = {0};
	struct cr_arena names = {0};
	struct cr_tree_builder *tb;
	struct cr_tree *t;

	cr_vec_push(&frames, ((struct cr_frame){.name = CR_STR("all"), .kind = CR_KIND_GROUP}));
	for (const char *p = text; *p;)
		p = testing_line(NULL, sides, &frames, &names, p);
	tb = cr_tree_builder_new(sides, frames.p, (uint32_t)frames.n);
	for (const char *p = text; *p;)
		p = testing_line(tb, sides, &frames, &names, p);
	cr_tree_builder_keep(tb, &names);
	t = cr_tree_builder_finish(tb, NULL);
	cr_tree_set_measure(
		t, (struct cr_measure){.event = CR_STR("cycles"), .unit = CR_STR("samples")});
	cr_vec_fini(&frames);
	return t;
}

/* The node of a path "a;b"; UINT32_MAX if there is none. "" is the root. */
static inline uint32_t
testing_node(const struct cr_tree *t, const char *path)
{
	uint32_t at = 0;

	while (*path) {
		const size_t len = strcspn(path, ";");
		const struct cr_str name = {path, (uint32_t)len};
		uint32_t c = at + 1;

		while (c < t->end[at] && !cr_str_eq(t->frames[t->frame[c]].name, name))
			c = t->end[c];
		if (c >= t->end[at])
			return UINT32_MAX;
		at = c;
		path += len + (path[len] == ';');
	}
	return at;
}

#endif
