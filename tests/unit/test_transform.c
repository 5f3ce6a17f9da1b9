#include "testing.h"

#include "testing_tree.h"

#include "base/hash.h"
#include "query/fold/transform.h"
#include "query/lang/pattern.h"

#include <stdio.h>

/*
 * Random small trees go through the transforms, and lists of their stacks through what the manual
 * says of each, word for word; then the tree is taken apart again and must hold the same stacks.
 */
#define STACKS 40
#define FRAMES 12

static const char *const tokens[] = {"@g", "@h", "a!x", "b!x", "c!y", "d!y", "a!y", "~b!x"};

enum { GROUPS = 2 }; /* of the tokens, the first ones */

struct stack {
	int f[FRAMES], n, above; /* outermost first, or the leaf; so many of them are groups */
	uint64_t w[CR_SIDES];
	bool cut; /* the leaf was not where it was sampled: what that called has been cut off */
};

struct list {
	struct stack s[STACKS];
	int n;
	bool leaves_first;
};

static uint32_t
next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static struct list
random_list(uint32_t *seed)
{
	const int groups = (int)(next(seed) % 3);
	struct list l = {.n = 1 + (int)(next(seed) % STACKS)};

	for (int i = 0; i < l.n; i++) {
		struct stack *s = &l.s[i];
		const int n = (int)(next(seed) % 7);

		for (; s->n < groups; s->n++)
			s->f[s->n] = s->n ? 1 : (int)(next(seed) % GROUPS);
		s->above = s->n;
		for (int k = 0; k < n; k++)
			s->f[s->n++] = GROUPS + (int)(next(seed) % (CR_LEN(tokens) - GROUPS));
		for (int side = 0; side < CR_SIDES; side++)
			s->w[side] = next(seed) % 5;
	}
	return l;
}

/* ---- lists as text, sorted, a stack a line */

static void
put_stack(const struct stack *s, struct cr_text *t)
{
	for (int k = 0; k < s->n; k++)
		cr_text_printf(t, "%s%s", k ? ";" : "", tokens[s->f[k]]);
}

static int
by_frames(const void *x, const void *y)
{
	const struct stack *a = x, *b = y;

	for (int k = 0; k < a->n && k < b->n; k++)
		if (a->f[k] != b->f[k])
			return a->f[k] - b->f[k];
	return a->n - b->n;
}

static char *
list_text(struct list *l, uint32_t sides)
{
	struct cr_text t = {0};

	qsort(l->s, (size_t)l->n, sizeof(l->s[0]), by_frames);
	for (int i = 0; i < l->n; i++) {
		uint64_t w[CR_SIDES] = {l->s[i].w[0], l->s[i].w[1]};

		for (; i + 1 < l->n && by_frames(&l->s[i], &l->s[i + 1]) == 0; i++)
			for (int s = 0; s < CR_SIDES; s++)
				w[s] += l->s[i + 1].w[s];
		if (!w[0] && (sides == 1 || !w[1]))
			continue;
		put_stack(&l->s[i], &t);
		cr_text_printf(&t, " %d", (int)w[0]);
		if (sides == 2)
			cr_text_printf(&t, " %d", (int)w[1]);
		cr_text_char(&t, '\n');
	}
	cr_text_puts(&t, "");
	return t.p;
}

static int
token_of(const struct cr_frame *f)
{
	char token[16];

	snprintf(token, sizeof(token), "%s%.*s%s%.*s",
		f->group     ? "@"
		: f->inlined ? "~"
			     : "",
		(int)f->name.len, f->name.p, f->dso.len ? "!" : "", (int)f->dso.len,
		f->dso.len ? f->dso.p : "");
	for (size_t i = 0; i < CR_LEN(tokens); i++)
		if (strcmp(token, tokens[i]) == 0)
			return (int)i;
	fail_msg("%s is no frame of these", token);
	return 0;
}

/* Values by node as those of stacks, or parts of them. */
static char *
tree_text(const struct cr_tree *t, const uint64_t *const v[CR_SIDES])
{
	struct cr_text out = {0};
	struct list *l = cr_alloc(1, sizeof(*l));
	char *text;

	cr_text_puts(&out, "");
	for (uint32_t n = 0; n < t->n; n++) {
		struct stack *s = &l->s[l->n];

		if (!v[0][n] && (t->sides == 1 || !v[1][n]))
			continue;
		assert_true(++l->n < STACKS + 1 && t->depth[n] <= FRAMES);
		s->n = (int)t->depth[n];
		for (uint32_t at = n, k = t->depth[n]; k; at = t->parent[at])
			s->f[--k] = token_of(&t->frames[t->frame[at]]);
		for (uint32_t side = 0; side < t->sides; side++)
			s->w[side] = v[side][n];
	}
	cr_text_fini(&out);
	text = list_text(l, t->sides);
	free(l);
	return text;
}

static struct cr_tree *
tree_of(const struct list *l, uint32_t sides)
{
	struct cr_text t = {0};
	struct cr_tree *tree;

	for (int i = 0; i < l->n; i++) {
		put_stack(&l->s[i], &t);
		cr_text_printf(&t, " %d", (int)l->s[i].w[0]);
		if (sides == 2)
			cr_text_printf(&t, " %d", (int)l->s[i].w[1]);
		cr_text_char(&t, '\n');
	}
	tree = testing_tree(sides, t.p);
	cr_text_fini(&t);
	return tree;
}

/* ---- what each transform means for a stack */

static const char *
name_of(int token)
{
	return tokens[token] + strspn(tokens[token], "~@");
}

static bool
is_named(int token, const char *name)
{
	return strncmp(name_of(token), name, strlen(name)) == 0 &&
	       strchr("!", name_of(token)[strlen(name)]);
}

/* The arguments of the tests below, by hand. */
static bool
matches(int token, const char *arg)
{
	char inside[32];

	const bool of_x = strstr(tokens[token], "!x") != NULL,
		   of_groups = strncmp(arg, "group:", 6) == 0;

	if (*arg == '/') { /* a pattern where others take a name */
		snprintf(inside, sizeof(inside), "%.*s", (int)strlen(arg) - 2, arg + 1);
		return matches(token, inside);
	}
	if (of_groups != (token < GROUPS))
		return false;
	if (of_groups)
		return is_named(token, strstr(arg, "=g") ? "g" : "h");
	if (strcmp(arg, "object:^X$") == 0)
		return false; /* case counts */
	if (strcmp(arg, "object:^x$") == 0 || strcmp(arg, "object:=x") == 0)
		return of_x;
	if (strcmp(arg, "[B]") == 0)
		return false;
	if (strcmp(arg, "[bc]") == 0)
		return is_named(token, "b") || is_named(token, "c");
	return is_named(token, *arg == '=' ? arg + 1 : arg);
}

static int
outermost(const struct stack *s, const char *arg)
{
	int k = s->above;

	while (k < s->n && !matches(s->f[k], arg))
		k++;
	return k;
}

static void
cut(struct stack *s, int at, int n)
{
	memmove(s->f + at, s->f + at + n, (size_t)(s->n - at - n) * sizeof(*s->f));
	s->n -= n;
}

static void
turn(struct stack *s)
{
	for (int i = s->above, k = s->n - 1; i < k; i++, k--) {
		const int f = s->f[i];

		s->f[i] = s->f[k];
		s->f[k] = f;
	}
}

static bool
is_same_function(int a, int b)
{
	return strcmp(tokens[a] + (*tokens[a] == '~'), tokens[b] + (*tokens[b] == '~')) == 0;
}

static void
recur(struct stack *s, bool all)
{
	for (int k = s->above; k < s->n; k++)
		for (int i = all ? s->above : CR_MAX(k - 1, s->above); i < k; i++)
			if (is_same_function(s->f[i], s->f[k])) {
				cut(s, i + 1, k - i);
				k = i;
			}
}

/* "a;b": the stack begins with these; of groups none, or some. */
static bool
is_below(const struct stack *s, const char *first, const char *second, int groups)
{
	const int k = s->above - groups;

	return s->n >= k + 2 && is_named(s->f[k], first) && is_named(s->f[k + 1], second);
}

/* False when it goes. Outermost first. */
static bool
change(struct stack *s, enum cr_transform how, const char *arg)
{
	const int at = arg ? outermost(s, arg) : 0;
	bool any = at < s->n;

	for (int k = 0; arg && k < s->above; k++)
		any |= matches(s->f[k], arg);
	switch (how) {
	case CR_TRANSFORM_FOCUS: return any;
	case CR_TRANSFORM_IGNORE:
	case CR_TRANSFORM_DROP: return !any;
	case CR_TRANSFORM_HIDE:
	case CR_TRANSFORM_MERGE:
		for (int k = s->n; k-- > s->above;)
			if (matches(s->f[k], arg))
				cut(s, k, 1);
		return true;
	case CR_TRANSFORM_PRUNE:
		if (at < s->n) {
			s->n = at + 1;
			s->cut = false;
		}
		return true;
	case CR_TRANSFORM_RECURSION: recur(s, strcmp(arg, "all") == 0); return true;
	case CR_TRANSFORM_TIDY: /* none of these functions is of a runtime */
	case CR_TRANSFORM_INVERT: return true;
	case CR_TRANSFORM_CALLERS:
		if (at == s->n)
			return false;
		s->cut |= !is_same_function(s->f[at], s->f[s->n - 1]);
		s->n = at + 1;
		return true;
	case CR_TRANSFORM_ROOT_AT:
		if (strcmp(arg, "a;b") == 0 || strcmp(arg, "/^[a]$/;b") == 0) {
			const bool is = is_below(s, "a", "b", 0);

			if (is)
				cut(s, s->above, 1);
			return is;
		}
		if (strcmp(arg, "g;a") == 0 || strcmp(arg, "/[g]/;/^a/") == 0) {
			const bool is = s->above && is_named(s->f[0], "g") && s->n > s->above &&
					is_named(s->f[s->above], "a");

			return is;
		}
		if (at == s->n)
			return false;
		cut(s, s->above, at - s->above);
		return true;
	case CR_TRANSFORM_SHOW_FROM:
	case CR_TRANSFORM_CALLEES:
		if (at == s->n)
			return false;
		cut(s, s->above, at - s->above);
		return true;
	case CR_TRANSFORMS: break;
	}
	return false;
}

static bool
leaves_first_after(bool before, enum cr_transform how)
{
	switch (how) {
	case CR_TRANSFORM_INVERT: return !before;
	case CR_TRANSFORM_CALLERS: return true;
	case CR_TRANSFORM_CALLEES: return false;
	default: return before;
	}
}

static struct list
changed(const struct list *l, enum cr_transform how, const char *arg)
{
	struct list out = {.n = 0, .leaves_first = leaves_first_after(l->leaves_first, how)};

	for (int i = 0; i < l->n; i++) {
		struct stack *s = &out.s[out.n];

		*s = l->s[i];
		if (l->leaves_first)
			turn(s);
		out.n += change(s, how, arg);
		if (out.leaves_first)
			turn(s);
	}
	return out;
}

/* What was sampled where: of a stack all frames up to there. */
static struct list
sampled(const struct list *l)
{
	struct list out = {.n = 0};

	for (int i = 0; i < l->n; i++) {
		if (l->s[i].cut)
			continue;
		out.s[out.n] = l->s[i];
		if (l->leaves_first)
			out.s[out.n].n = CR_MIN(out.s[out.n].n, out.s[out.n].above + 1);
		out.n++;
	}
	return out;
}

/* ---- */

static const struct {
	enum cr_transform how;
	const char *arg;
} steps[] = {
	{CR_TRANSFORM_FOCUS, "a"},
	{CR_TRANSFORM_FOCUS, "group:=g"},
	{CR_TRANSFORM_FOCUS, "object:^x$"},
	{CR_TRANSFORM_FOCUS, "object:^X$"},
	{CR_TRANSFORM_IGNORE, "[bc]"},
	{CR_TRANSFORM_IGNORE, "[B]"},
	{CR_TRANSFORM_HIDE, "[bc]"},
	{CR_TRANSFORM_HIDE, "g"},
	{CR_TRANSFORM_HIDE, "object:^x$"},
	{CR_TRANSFORM_HIDE, "object:=x"},
	{CR_TRANSFORM_SHOW_FROM, "[bc]"},
	{CR_TRANSFORM_PRUNE, "a"},
	{CR_TRANSFORM_ROOT_AT, "c"},
	{CR_TRANSFORM_ROOT_AT, "a;b"},
	{CR_TRANSFORM_ROOT_AT, "g;a"},
	{CR_TRANSFORM_RECURSION, "direct"},
	{CR_TRANSFORM_RECURSION, "all"},
	{CR_TRANSFORM_MERGE, "b"},
	{CR_TRANSFORM_DROP, "d"},
	{CR_TRANSFORM_IGNORE, "group:H?h"},
	{CR_TRANSFORM_FOCUS, "group:^(?i)H$"},
	{CR_TRANSFORM_DROP, "h"},
	{CR_TRANSFORM_INVERT, NULL},
	{CR_TRANSFORM_CALLERS, "a"},
	{CR_TRANSFORM_CALLEES, "b"},
	{CR_TRANSFORM_PRUNE, "g"},
	{CR_TRANSFORM_SHOW_FROM, "g"},
	{CR_TRANSFORM_MERGE, "/[bc]/"},
	{CR_TRANSFORM_DROP, "/[B]/"},
	{CR_TRANSFORM_DROP, "/object:^x$/"},
	{CR_TRANSFORM_CALLERS, "/[bc]/"},
	{CR_TRANSFORM_CALLEES, "/=a/"},
	{CR_TRANSFORM_CALLEES, "/g/"},
	{CR_TRANSFORM_ROOT_AT, "/[bc]/"},
	{CR_TRANSFORM_ROOT_AT, "/^[a]$/;b"},
	{CR_TRANSFORM_ROOT_AT, "/[g]/;/^a/"},
	{CR_TRANSFORM_TIDY, "rust-async"},
	{CR_TRANSFORM_TIDY, "python"},
};

static struct cr_tree *
transformed(const struct cr_tree *t, size_t step)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *out;

	assert_int_equal(cr_transform(t, steps[step].how, steps[step].arg, &out, &err), CR_OK);
	assert_int_equal(out->total[0][0] + out->left_out[0], t->total[0][0] + t->left_out[0]);
	assert_int_equal(out->sides, t->sides);
	assert_true(cr_str_eq(out->event, t->event) && cr_str_eq(out->unit, t->unit));
	return out;
}

static void
check(const struct cr_tree *t, struct list l, uint32_t sides)
{
	struct list selfs = sampled(&l);
	char *got = tree_text(t, t->weight), *want = list_text(&l, sides);
	char *got_selfs = tree_text(t, t->self), *want_selfs = list_text(&selfs, sides);

	assert_int_equal(t->leaves_first, l.leaves_first);
	assert_string_equal(got, want);
	assert_string_equal(got_selfs, want_selfs);
	for (uint32_t s = 0; s < sides; s++)
		assert_memory_equal(t->self[s], t->self_samples[s], t->n * sizeof(*t->self[s]));
	free(got);
	free(want);
	free(got_selfs);
	free(want_selfs);
}

static void
test_trees_go_the_way_of_their_stacks_in_any_two_steps(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int round = 0; round < 30; round++) {
		const uint32_t sides = 1 + (uint32_t)round % 2;
		const struct list l = random_list(&seed);
		struct cr_tree *t = tree_of(&l, sides);

		for (size_t i = 0; i < CR_LEN(steps); i++) {
			const struct list once = changed(&l, steps[i].how, steps[i].arg);
			struct cr_tree *one = transformed(t, i);

			check(one, once, sides);
			for (size_t k = 0; k < CR_LEN(steps); k++) {
				struct cr_tree *two = transformed(one, k);

				check(two, changed(&once, steps[k].how, steps[k].arg), sides);
				cr_tree_free(two);
			}
			cr_tree_free(one);
		}
		cr_tree_free(t);
	}
}

/* The map of a transform says for the weight of each node where it is now, or that it has left. */
static void
assert_mapped(const struct cr_tree *t, size_t step)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *out;
	uint32_t *map;

	assert_int_equal(
		cr_transform_mapped(t, steps[step].how, steps[step].arg, &out, &map, &err), CR_OK);
	for (uint32_t s = 0; s < t->sides; s++) {
		uint64_t *weight = cr_alloc(out->n, sizeof(*weight)), left = t->left_out[s];

		for (uint32_t n = 0; n < t->n; n++)
			*(map[n] == CR_NO_ROW ? &left : &weight[map[n]]) += t->weight[s][n];
		assert_memory_equal(weight, out->weight[s], out->n * sizeof(*weight));
		assert_int_equal(left, out->left_out[s]);
		free(weight);
	}
	free(map);
	cr_tree_free(out);
}

static void
test_the_map_says_where_weight_went(void **state)
{
	uint32_t seed = 11;

	(void)state;
	for (int round = 0; round < 60; round++) {
		const struct list l = random_list(&seed);
		struct cr_tree *t = tree_of(&l, 1 + (uint32_t)round % 2);

		for (size_t i = 0; i < CR_LEN(steps); i++)
			assert_mapped(t, i);
		cr_tree_free(t);
	}
}

/* Callees of three callers that are hidden: each becomes one node, however many there are. */
static void
test_many_callees_are_merged(void **state)
{
	enum { CALLERS = 3, CALLEES = 40 };
	struct cr_err err = CR_ERR_INIT;
	struct cr_text stacks = {0};
	struct cr_tree *t, *out;

	(void)state;
	for (int i = 0; i < CALLERS; i++)
		for (int k = 0; k < CALLEES; k++)
			cr_text_printf(&stacks, "a;h%d;f%d;g %d\n", i, k, 1 + k);
	t = testing_tree(1, stacks.p);
	assert_int_equal(cr_transform(t, CR_TRANSFORM_HIDE, "^h", &out, &err), CR_OK);
	assert_int_equal(out->n, 2 + 2 * CALLEES);
	for (uint32_t n = 2; n < out->n; n += 2) {
		assert_int_equal(out->parent[n], 1);
		assert_int_equal(out->total[0][n], CALLERS * (CALLEES - (n - 2) / 2));
		assert_int_equal(out->weight[0][n + 1], out->total[0][n]);
	}
	cr_tree_free(out);
	cr_tree_free(t);
	cr_text_fini(&stacks);
}

static void
test_a_wrong_argument_gives_neither_tree_nor_map(void **state)
{
	static const struct {
		enum cr_transform how;
		const char *arg, *why;
	} wrong[] = {
		{CR_TRANSFORM_FOCUS, "(", "bad pattern at offset 1"},
		{CR_TRANSFORM_PRUNE, "group:a", "group: is only for focus and ignore"},
		{CR_TRANSFORM_DROP, "/group:a/", "group: is only for focus and ignore"},
		{CR_TRANSFORM_MERGE, "/(/", "bad pattern at offset 1"},
		{CR_TRANSFORM_CALLERS, "/dso:[/", "bad pattern at offset 1"},
		{CR_TRANSFORM_CALLEES, "/a/(/", "bad pattern at offset 3"},
		{CR_TRANSFORM_ROOT_AT, "a;/)/;b", "bad pattern at offset 0"},
		{CR_TRANSFORM_ROOT_AT, "/group:a/;b", "group: is only for focus and ignore"},
	};
	struct cr_tree *t = testing_tree(1, "a;b 1\n"), *out;
	uint32_t *map;

	(void)state;
	for (size_t i = 0; i < CR_LEN(wrong); i++) {
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(
			cr_transform_mapped(t, wrong[i].how, wrong[i].arg, &out, &map, &err),
			CR_EUSAGE);
		assert_null(out);
		assert_null(map);
		assert_non_null(strstr(err.text, wrong[i].why));
	}
	cr_tree_free(t);
}

/* Names that look like patterns: the selected function of the browser may have one. */
static void
test_any_name_can_be_given_as_a_function(void **state)
{
	static const char *const names[] = {
		"a", "/a/", "/", "//", "/=a/", "=a", "operator/", "/./"};
	struct cr_tree *t =
		testing_tree(1, "a 1\n/a/ 1\n/ 1\n// 1\n/=a/ 1\n=a 1\noperator/ 1\n/./ 1\n");

	(void)state;
	for (size_t i = 0; i < CR_LEN(names); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_text arg = {0};
		struct cr_tree *out;

		cr_function_put_name(cr_str_of(names[i]), &arg);
		assert_int_equal(cr_transform(t, CR_TRANSFORM_CALLEES, arg.p, &out, &err), CR_OK);
		assert_int_equal(out->total[0][0], 1);
		assert_int_equal(out->n, 2);
		assert_true(cr_str_eq(out->frames[out->frame[1]].name, cr_str_of(names[i])));
		cr_tree_free(out);
		cr_text_fini(&arg);
	}
	cr_tree_free(t);
}

/*
 * A tree whose stacks turned over would be too many: callers of what costs next to nothing are not
 * followed.
 */
static void
test_a_large_tree_is_turned_over_as_far_as_it_counts(void **state)
{
	enum { LEAVES = 40000, DEPTH = 120 };
	static struct cr_frame frames[DEPTH + LEAVES + 1];
	struct cr_tree_builder *tb;
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t, *out;
	uint32_t at = 0;

	(void)state;
	for (size_t i = 0; i < CR_LEN(frames); i++)
		frames[i] =
			(struct cr_frame){.name = CR_STR("f"), .kind = CR_KIND_USER, .number = i};
	tb = cr_tree_builder_new(1, frames, (uint32_t)CR_LEN(frames));
	for (uint32_t d = 1; d <= DEPTH; d++)
		at = cr_tree_builder_append(tb, at, d);
	for (uint32_t i = 0; i < LEAVES; i++)
		cr_tree_builder_add(tb, cr_tree_builder_append(tb, at, DEPTH + 1 + i), 0,
			i ? 1 : 1000000000, 1);
	t = cr_tree_builder_finish(tb, NULL);
	assert_int_equal(cr_transform(t, CR_TRANSFORM_INVERT, NULL, &out, &err), CR_OK);
	assert_int_equal(out->n, LEAVES + DEPTH + 1);
	assert_int_equal(out->max_depth, DEPTH + 1);
	assert_int_equal(out->total[0][0], t->total[0][0]);
	assert_int_equal(out->total[0][1], 1000000000);
	assert_int_equal(out->total_samples[0][0], LEAVES);
	cr_tree_free(t);
	cr_tree_free(out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_large_tree_is_turned_over_as_far_as_it_counts),
		cmocka_unit_test(test_the_map_says_where_weight_went),
		cmocka_unit_test(test_many_callees_are_merged),
		cmocka_unit_test(test_a_wrong_argument_gives_neither_tree_nor_map),
		cmocka_unit_test(test_any_name_can_be_given_as_a_function),
		cmocka_unit_test(test_trees_go_the_way_of_their_stacks_in_any_two_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
