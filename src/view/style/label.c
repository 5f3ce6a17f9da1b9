#include "view/style/label.h"

#include "base/utf8.h"
#include "model/build/tidy.h"
#include "query/diff/canonical_name.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define MIDDLE_LEAST 6u /* minimum width to show a start and an end */

/*
 * Append the name without template arguments. A leading <...> is kept, since it is Rust's <Type as
 * Trait>::method; the arguments inside it are removed.
 */
static void
put_without_templates(struct cr_text *t, struct cr_str name)
{
	const bool leading = name.len > 0 && name.p[0] == '<';
	uint32_t depth = 0, skip;

	for (uint32_t i = 0; i < name.len; i++) {
		const char c = name.p[i];

		if ((skip = cr_tidy_no_bracket(name, i)) > 0) {
			if (depth <= leading)
				cr_text_put(t, name.p + i, skip);
			i += skip - 1;
			continue;
		}
		if (c == '<')
			depth++;
		if (depth == 0 || (leading && depth == 1))
			cr_text_char(t, c);
		if (c == '>' && depth > 0)
			depth--;
	}
}

/* Position of the next part of a qualified name; s.len if none. */
static uint32_t
next_part(struct cr_str s, uint32_t i)
{
	uint32_t depth = 0, skip;

	for (; i < s.len; i++) {
		if ((skip = cr_tidy_no_bracket(s, i)) > 0)
			i += skip - 1;
		else if (cr_tidy_opens(s.p[i]))
			depth++;
		else if (cr_tidy_closes(s.p[i]) && depth > 0)
			depth--;
		/* After a blank it is the path of a script. */
		else if (depth == 0 && s.p[i] == '/' && i + 1 < s.len && !memchr(s.p, ' ', i))
			return i + 1;
		else if (depth == 0 && cr_tidy_at(s, i, "::")) {
			while (i < s.len && s.p[i] == ':') /* perf's Java names have three */
				i++;
			return i;
		}
	}
	return s.len;
}

/*
 * Without the return type that the names of C++ templates begin with: what is before the last blank
 * outside of brackets and before "operator". bare: without argument list.
 */
static struct cr_str
without_return_type(struct cr_str bare)
{
	const uint32_t word = (uint32_t)strlen("operator");
	uint32_t depth = 0, skip, start = 0;

	for (uint32_t i = 0; i < bare.len; i++) {
		if ((skip = cr_tidy_no_bracket(bare, i)) > 0) {
			i += skip - 1;
			if (depth == 0)
				break;
		} else if (cr_tidy_opens(bare.p[i])) {
			depth++;
		} else if (cr_tidy_closes(bare.p[i]) && depth > 0) {
			depth--;
		} else if (depth == 0 && bare.p[i] == ' ') {
			if (i >= word && cr_tidy_at(bare, i - word, "operator"))
				break;
			start = i + 1;
		}
	}
	return start < bare.len ? (struct cr_str){bare.p + start, bare.len - start} : bare;
}

/* Without argument list, and then without return type; functions without the former have none. */
static struct cr_str
without_types(struct cr_str name)
{
	const struct cr_str bare = cr_tidy_bare(name);

	return bare.len < name.len ? without_return_type(bare) : bare;
}

/* "{{closure}}" and "operator" are meaningless alone. */
static bool
says_something(struct cr_str part)
{
	return part.len > 0 && (cr_tidy_is_word(part.p[0]) || part.p[0] == '~') &&
	       !cr_str_eq(part, CR_STR("operator"));
}

/* The longest end of a qualified name that fits, otherwise the shortest. */
static struct cr_str
last_parts(struct cr_str s, uint32_t cells)
{
	struct cr_str best = s;

	for (uint32_t i = next_part(s, 0); i < s.len; i = next_part(s, i)) {
		const struct cr_str end = {s.p + i, s.len - i};

		if (!says_something(end))
			continue;
		best = end;
		if (cr_utf8_cells(end) <= cells)
			break;
	}
	return best;
}

/* The last characters of s that fit in this many cells. */
static struct cr_str
last_cells(struct cr_str s, uint32_t cells)
{
	uint32_t left = cr_utf8_cells(s), i = 0;
	unsigned used;

	for (; i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);
		const uint32_t w = c == CR_UTF8_BAD ? 1 : cr_utf8_width(c);

		/* A combining mark belongs to the character before it. */
		if (left <= cells && w > 0)
			break;
		left -= w;
	}
	return (struct cr_str){s.p + i, s.len - i};
}

/*
 * Shorten in the middle, since related names begin alike. In little space only the start is kept.
 */
static uint32_t
put_cut(struct cr_text *t, struct cr_str s, uint32_t cells)
{
	const uint32_t tail = cells < MIDDLE_LEAST ? 0 : (cells - 1) / 2;
	const struct cr_str head = {s.p, cr_utf8_fit(s, cells - 1 - tail)};
	const struct cr_str end = last_cells(s, tail ? cells - 1 - cr_utf8_cells(head) : 0);

	cr_text_str(t, head);
	cr_text_puts(t, ELLIPSIS);
	cr_text_str(t, end);
	return cr_utf8_cells(head) + 1 + cr_utf8_cells(end);
}

static uint32_t
put_shortened(struct cr_text *t, struct cr_str name, uint32_t cells)
{
	struct cr_str s = cr_canonical_name(name), bare;
	struct cr_text plain = {0};
	uint32_t used = cr_utf8_cells(s);

	if (used > cells) {
		s = without_types(s);
		used = cr_utf8_cells(s);
	}
	if (used <= cells) {
		cr_text_str(t, s);
		return used;
	}
	put_without_templates(&plain, s);
	bare = cr_tidy_trimmed(cr_text_view(&plain)); /* "operator< <int>" ends with a blank then */
	s = last_parts(bare, cells);
	if (cr_utf8_cells(bare) <= cells)
		s = bare;
	used = cr_utf8_cells(s);
	if (used <= cells)
		cr_text_str(t, s);
	else
		used = put_cut(t, s, cells);
	cr_text_fini(&plain);
	return used;
}

/*
 * Remove the annotations of folded stacks for kernel, JIT, inlined and waker frames: the colour
 * shows them.
 */
static struct cr_str
without_mark(struct cr_str name)
{
	const char *mark = name.p + name.len - 4;

	if (name.len > 4 && mark[0] == '_' && mark[1] == '[' && memchr("kjiw", mark[2], 4) &&
		mark[3] == ']')
		name.len -= 4;
	return name;
}

uint32_t
cr_label_fit(struct cr_text *t, struct cr_str name, uint32_t cells)
{
	struct cr_text safe = {0};
	uint32_t used;

	if (cells < 2 || name.len == 0)
		return 0;
	cr_text_safe(&safe, without_mark(name));
	used = cr_utf8_cells(cr_text_view(&safe));
	if (used <= cells)
		cr_text_str(t, cr_text_view(&safe));
	else
		used = put_shortened(t, cr_text_view(&safe), cells);
	cr_text_fini(&safe);
	return used;
}

void
cr_label_ascii(struct cr_text *t, size_t from)
{
	const size_t n = strlen(ELLIPSIS);
	char *at;

	while (t->len > from && (at = memmem(t->p + from, t->len - from, ELLIPSIS, n))) {
		*at++ = '~';
		/* Including the NUL. */
		memmove(at, at + n - 1, (size_t)(t->p + t->len - at) - (n - 1) + 1);
		t->len -= n - 1;
		from = (size_t)(at - t->p);
	}
}

struct cr_str
cr_label_path(struct cr_str path)
{
	const struct cr_str name = cr_str_basename(path);
	const uint32_t before = path.len - name.len;
	const char *slash = before > 1 ? memrchr(path.p, '/', before - 1) : NULL;

	return slash ? (struct cr_str){slash + 1, (uint32_t)(path.p + path.len - slash - 1)} : path;
}

void
cr_label_cost(struct cr_text *t, const struct cr_tree *tree, uint32_t side, uint64_t weight,
	uint64_t samples)
{
	const struct cr_measure m = cr_tree_measure(tree, side);

	if (m.summed)
		cr_text_measure(t, weight, m.unit.len ? m.unit : CR_STR("samples"));
	else
		cr_text_measure(t, samples, CR_STR("samples"));
}

bool
cr_label_is_count(struct cr_str event)
{
	return cr_str_eq(event, CR_STR("branch-stack")) ||
	       cr_str_eq(event, CR_STR("branch-blocks")) || cr_str_starts(event, "branches:");
}

void
cr_label_event(struct cr_text *t, const struct cr_tree *tree, const char *arrow)
{
	const struct cr_str before = cr_tree_measure(tree, 0).event;

	if (!cr_str_eq(before, tree->event)) {
		cr_text_safe(t, before);
		cr_text_puts(t, arrow);
	}
	cr_text_safe(t, tree->event);
}

/* " samples" from "1 234 samples". */
static struct cr_str
unit_of(const struct cr_text *t)
{
	const char *blank = t->len ? memrchr(t->p, ' ', t->len) : NULL;

	return blank ? (struct cr_str){blank, (uint32_t)(t->p + t->len - blank)} : CR_STR("");
}

void
cr_label_costs(struct cr_text *t, const struct cr_tree *tree, const char *arrow)
{
	struct cr_text side[CR_SIDES] = {{0}, {0}};

	for (uint32_t s = 0; s < tree->sides; s++)
		cr_label_cost(&side[s], tree, s, tree->total[s][0], tree->total_samples[s][0]);
	if (tree->sides == 2 && cr_str_eq(unit_of(&side[0]), unit_of(&side[1])))
		side[0].len -= unit_of(&side[0]).len;
	cr_text_str(t, cr_text_view(&side[0]));
	if (tree->sides == 2) {
		cr_text_puts(t, arrow);
		cr_text_str(t, cr_text_view(&side[1]));
	}
	if (cr_label_is_count(tree->event))
		cr_text_puts(t, CR_LABEL_COUNTS);
	cr_text_fini(&side[0]);
	cr_text_fini(&side[1]);
}

void
cr_label_kept(struct cr_text *t, const struct cr_tree *tree, const char *arrow)
{
	bool all = true;

	for (uint32_t s = 0; s < tree->sides; s++)
		all &= !tree->left_out[s] && !tree->left_out_samples[s];
	for (uint32_t s = 0; s < tree->sides && !all; s++) {
		cr_text_puts(t, s ? arrow : "");
		cr_text_share(
			t, tree->total[s][0], cr_add_sat(tree->total[s][0], tree->left_out[s]));
	}
}
