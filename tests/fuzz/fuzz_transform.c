/*
 * Transforms of a tree, one after the other: pairs of bytes up to a zero say which, and of which
 * frame's name; folded stacks follow. What weighs something before is in the tree afterwards, or is
 * said to be left out.
 */
#include "trees.h"

#include "query/fold/transform.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TRANSFORMS_MOST 6u

/* An argument that makes sense: a frame's name as it is, or anywhere in names; free() it. */
static char *
argument(const struct cr_tree *t, unsigned how, uint8_t which)
{
	const struct cr_str name = t->frames[which / 3u % t->n_frames].name;
	struct cr_text arg = {0};

	if (how == CR_TRANSFORM_RECURSION)
		cr_text_puts(&arg, which % 2 ? "direct" : "all");
	else if (how != CR_TRANSFORM_INVERT) {
		if (which % 3 == 1)
			cr_text_puts(&arg, "=");
		cr_text_put(&arg, name.p, which % 3 == 2 ? CR_MIN(name.len, 1u) : name.len);
	}
	cr_text_put(&arg, "", 1);
	return arg.p;
}

static struct cr_tree *
transformed(struct cr_tree *t, unsigned how, uint8_t which)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *out = NULL;
	char *arg = argument(t, how, which);

	if (cr_transform(t, (enum cr_transform)how, arg, &out, &err) < 0)
		must(!out && err.text[0]);
	free(arg);
	if (!out)
		return t;
	check_shape(out);
	check_kept(t, out);
	cr_tree_free(t);
	return out;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = 0;
	struct cr_profile *p;
	struct cr_tree *t;

	while (at + 1 < size && at < 2 * TRANSFORMS_MOST && data[at])
		at += 2;
	t = folded_tree(data + at, size - at, &p);
	for (size_t i = 0; t && i < at; i += 2)
		t = transformed(t, data[i] % CR_TRANSFORMS, data[i + 1]);
	if (t) {
		struct cr_table top;

		cr_table_make(NULL, t, t->n / 2, cr_table_by(CR_TABLE_FUNCTION), &top);
		cr_table_fini(&top);
	}
	cr_tree_free(t);
	cr_profile_free(p);
	return 0;
}
