#include "source_changes_p.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

#define LINES_MOST 1500u /* of a function; the lines of a longer one are matched by number */

/* The lines of a function in its main file, with their texts. */
struct text {
	const struct cr_annotation *a;
	struct cr_str file;
	uint32_t first, n;
	struct cr_str *lines; /* NULL if the source is not known, or too long */
};

static bool
is_own(const struct cr_annotate_line *l)
{
	return l->at == CR_NO_ROW && l->line;
}

/* ---- texts */

static void
text_make(const struct cr_annotation *a, struct text *out)
{
	uint32_t last = 0;

	*out = (struct text){.a = a, .first = UINT32_MAX};
	for (size_t i = 0; i < a->a.lines.n; i++) {
		const struct cr_annotate_line *l = &a->a.lines.p[i];

		if (!is_own(l) || (out->file.len && !cr_str_eq(l->file, out->file)))
			continue;
		out->file = l->file;
		out->first = CR_MIN(out->first, l->line);
		last = CR_MAX(last, l->line);
	}
	if (!last || last - out->first >= LINES_MOST)
		return;
	out->n = last - out->first + 1;
	out->lines = cr_alloc(out->n, sizeof(*out->lines));
	for (uint32_t i = 0; i < out->n; i++)
		if (!a->in.source(a->in.user, out->file, out->first + i, &out->lines[i])) {
			free(out->lines);
			out->lines = NULL;
			return;
		}
}

/* ---- which line is which: the longest common subsequence */

/* [i * (m + 1) + j]: its length for the lines from i and j on. The caller frees it. */
static uint16_t *
common_of(const struct text *a, const struct text *b)
{
	const size_t m = b->n;
	uint16_t *at = cr_alloc(((uint64_t)a->n + 1) * (m + 1), sizeof(*at));

	for (size_t i = a->n; i-- > 0;)
		for (size_t j = m; j-- > 0;) {
			const uint16_t down = at[(i + 1) * (m + 1) + j],
				       right = at[i * (m + 1) + j + 1];

			at[i * (m + 1) + j] =
				cr_str_eq(a->lines[i], b->lines[j])
					? (uint16_t)(at[(i + 1) * (m + 1) + j + 1] + 1)
					: CR_MAX(down, right);
		}
	return at;
}

/*
 * By line of a: the line of b; 0 for none. A line that was changed is matched with the one that is
 * in its place. The caller frees it; NULL: lines are matched by number.
 */
static uint32_t *
match_lines(const struct text *a, const struct text *b)
{
	const size_t m = b->n;
	uint16_t *at;
	uint32_t *out, i = 0, j = 0;

	if (!a->lines || !b->lines)
		return NULL;
	at = common_of(a, b);
	out = cr_alloc(a->n, sizeof(*out));
	while (i < a->n && j < b->n) {
		const uint16_t *here = at + i * (m + 1) + j, *below = here + m + 1;
		const bool same = cr_str_eq(a->lines[i], b->lines[j]);

		if (same ||
			below[1] ==
				*here) { /* neither is in the sequence: one replaces the other */
			out[i++] = b->first + j++;
		} else if (below[0] >= here[1]) {
			i++;
		} else {
			j++;
		}
	}
	free(at);
	return out;
}

/* ---- costs */

/* The line of the listing that a line of the other side is; 0 for none. */
static uint32_t
line_of(const struct text *other, const uint32_t *match, const struct cr_annotate_line *l)
{
	if (!match || !cr_str_eq(l->file, other->file))
		return l->line;
	return l->line >= other->first && l->line - other->first < other->n
		       ? match[l->line - other->first]
		       : 0;
}

static const struct cr_annotate_line *
host_of(const struct cr_annotation *a, const struct cr_annotate_line *l)
{
	while (l->at != CR_NO_ROW)
		l = &a->a.lines.p[l->at];
	return l;
}

/* Whether a line of the other side is this row of the listing. */
static bool
is_row(const struct cr_annotation *shown, const struct cr_listing_row *r,
	const struct cr_annotation *other, const struct cr_annotate_line *l, uint32_t line)
{
	const struct cr_annotate_line *of;

	if (r->kind == CR_LISTING_LINE)
		return is_own(l) && r->number == line;
	if (r->kind != CR_LISTING_INLINED || r->of == CR_NO_ROW || is_own(l))
		return false;
	of = &shown->a.lines.p[r->of];
	return of->line == l->line && host_of(shown, of)->line == line &&
	       cr_str_eq(shown->in.p->functions[of->function.i].name,
		       other->in.p->functions[l->function.i].name);
}

static void
add_other(const struct cr_listing *list, const struct cr_annotation *shown, uint32_t side,
	const struct cr_annotation *other, struct cr_source_changes *out)
{
	struct text a, b;
	uint32_t *match;

	text_make(other, &a);
	text_make(shown, &b);
	match = match_lines(&a, &b);
	for (size_t k = 0; k < other->a.lines.n; k++) {
		const struct cr_annotate_line *l = &other->a.lines.p[k];
		const uint32_t line = line_of(&a, match, host_of(other, l));
		bool found = false;

		for (uint32_t i = 0; i < list->rows.n && !found && l->cost.self; i++) {
			found = is_row(shown, &list->rows.p[i], other, l, line);
			if (found)
				out->cells[i].part[!side] =
					cr_add_sat(out->cells[i].part[!side], l->cost.self);
		}
		if (!found)
			out->lost = cr_add_sat(out->lost, l->cost.self);
	}
	free(match);
	free(a.lines);
	free(b.lines);
}

void
cr_source_changes_make(const struct cr_listing *list, const struct cr_annotation *shown,
	uint32_t side, const struct cr_annotation *other, bool noise, struct cr_source_changes *out)
{
	*out = (struct cr_source_changes){.n = (uint32_t)list->rows.n, .is_noise = noise};
	out->cells = cr_alloc(CR_MAX(list->rows.n, (size_t)1), sizeof(*out->cells));
	out->whole = other ? other->a.whole : 0;
	for (uint32_t i = 0; i < out->n; i++) {
		struct cr_change_cells *c = &out->cells[i];

		c->whole[side] = shown->a.whole;
		c->whole[!side] = out->whole;
		if (list->rows.p[i].has_cost)
			c->part[side] = list->rows.p[i].cost.self;
	}
	if (other)
		add_other(list, shown, side, other, out);
	for (uint32_t i = 0; i < out->n && !noise; i++) {
		struct cr_change_cells *c = &out->cells[i];

		c->shown = (int32_t)cr_share_ppm(c->part[1], c->whole[1]) -
			   (int32_t)cr_share_ppm(c->part[0], c->whole[0]);
	}
}

void
cr_source_changes_fini(struct cr_source_changes *c)
{
	free(c->cells);
	*c = (struct cr_source_changes){.cells = NULL};
}
