/*
 * Two folded texts, before and after, with a line "--" between them, and their difference: each
 * side has the weight that it had, whatever the names of the other are, and against itself nothing
 * has changed.
 */
#include "trees.h"

#include "query/fold/transform.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_sides(const struct cr_tree *d, const struct cr_tree *const side[CR_SIDES])
{
	check_shape(d);
	must(d->sides == CR_SIDES);
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		must(d->total[s][0] == side[s]->total[0][0] &&
			d->total_samples[s][0] == side[s]->total_samples[0][0]);
		for (uint32_t n = 0; n < d->n; n++)
			must(cr_diff_total_ppm(d, n) >= -1000000 &&
				cr_diff_total_ppm(d, n) <= 1000000);
	}
}

static void
check_transforms(const struct cr_tree *d)
{
	static const struct {
		enum cr_transform how;
		const char *arg;
	} all[] = {
		{CR_TRANSFORM_INVERT, ""},
		{CR_TRANSFORM_RECURSION, "all"},
		{CR_TRANSFORM_HIDE, "a"},
		{CR_TRANSFORM_FOCUS, "[b-m]"},
	};

	for (size_t i = 0; i < CR_LEN(all); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_tree *out = NULL;

		if (cr_transform(d, all[i].how, all[i].arg, &out, &err) == CR_OK) {
			check_shape(out);
			check_kept(d, out);
		}
		cr_tree_free(out);
	}
}

static void
check_pair(const struct cr_tree *const side[CR_SIDES])
{
	static const struct cr_diff_opts how[] = {
		{.force = true}, {.force = true, .by_path = true, .keep_groups = true}};

	for (size_t i = 0; i < CR_LEN(how); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_tree *d = NULL;

		must(cr_diff(side[0], side[1], &how[i], &d, &err) == CR_OK);
		check_sides(d, side);
		check_transforms(d);
		cr_tree_free(d);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = size ? memmem(data, size, "\n--\n", 4) : NULL;
	struct cr_profile *p[CR_SIDES];
	struct cr_tree *t[CR_SIDES];

	if (!cut)
		return 0;
	t[0] = folded_tree(data, (size_t)(cut - data) + 1, &p[0]);
	t[1] = folded_tree(cut + 4, size - (size_t)(cut - data) - 4, &p[1]);
	if (t[0])
		check_diff(t[0]);
	if (t[0] && t[1])
		check_pair((const struct cr_tree *const[CR_SIDES]){t[0], t[1]});
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		cr_tree_free(t[s]);
		cr_profile_free(p[s]);
	}
	return 0;
}
