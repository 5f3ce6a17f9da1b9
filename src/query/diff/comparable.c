#include "query/diff/comparable.h"

#include "match_p.h"
#include "query/diff/diff.h"

#include <string.h>

#define BUILDS_MOST 3 /* maximum number of dsos listed */

/* ---- builds */

static bool
same_id(const struct cr_dso *a, const struct cr_dso *b)
{
	return a->build_id_len == b->build_id_len &&
	       memcmp(a->build_id, b->build_id, a->build_id_len) == 0;
}

/* Are both the same program or library? paired: the main executables that were matched. */
static bool
is_namesake(const struct cr_dso *a, const struct cr_dso *b, const struct cr_str paired[CR_SIDES])
{
	if (a->kind != CR_KIND_USER || b->kind != CR_KIND_USER)
		return false;
	if (paired[0].len && cr_str_eq(a->name, paired[0]) && cr_str_eq(b->name, paired[1]))
		return true;
	return cr_str_eq(
		cr_match_canonical(a->name, a->kind), cr_match_canonical(b->name, b->kind));
}

/* True if a has a build-id, and b's profile has it only with other ones. */
static bool
is_rebuilt(const struct cr_dso *a, const struct cr_profile *p, const struct cr_tree *t)
{
	bool other = false;

	for (uint32_t i = 0; i < p->n_dsos; i++) {
		const struct cr_dso *b = &p->dsos[i];

		if (!a->build_id_len || !b->build_id_len || !is_namesake(a, b, t->paired))
			continue;
		if (same_id(a, b))
			return false;
		other = true;
	}
	return other;
}

static void
put_builds(const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t, struct cr_text *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p[0]->n_dsos; i++) {
		const struct cr_dso *d = &p[0]->dsos[i];

		if (!is_rebuilt(d, p[1], t) || n++ >= BUILDS_MOST)
			continue;
		cr_text_puts(out, n == 1 ? "two builds of " : ", ");
		cr_text_safe(out, cr_str_basename(d->name));
	}
	if (n > BUILDS_MOST)
		cr_text_printf(out, " and %u more", n - BUILDS_MOST);
	if (n)
		cr_text_puts(out, ": functions whose source is the same may differ by code "
				  "placement alone\n");
}

/* ---- facts of the recordings */

static void
put_fact(const struct cr_profile *const p[CR_SIDES], const char *key, const char *what,
	struct cr_text *out)
{
	const struct cr_str before = cr_profile_fact(p[0], key), after = cr_profile_fact(p[1], key);

	if (!before.len || !after.len || cr_str_eq(before, after))
		return;
	cr_text_printf(out, "%s differ: ", what);
	cr_text_safe(out, before);
	cr_text_puts(out, " and ");
	cr_text_safe(out, after);
	cr_text_char(out, '\n');
}

static void
put_rates(const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t, struct cr_text *out)
{
	struct cr_text rate[CR_SIDES] = {{0}, {0}};

	if (cr_diff_rates(p, t, rate))
		cr_text_printf(out,
			"sampled at different rates, %s and %s: compare shares, not numbers of "
			"samples\n",
			rate[0].p, rate[1].p);
	for (int s = 0; s < CR_SIDES; s++)
		cr_text_fini(&rate[s]);
}

static void
put_lost(const struct cr_profile *p, const char *side, struct cr_text *out)
{
	static const char lost_rows[] = " lost while recording";
	uint64_t lost = 0;

	for (uint32_t i = 0; i < p->n_quality; i++)
		if (memmem(p->quality[i].what.p, p->quality[i].what.len, lost_rows,
			    sizeof(lost_rows) - 1))
			lost = cr_add_sat(lost, p->quality[i].count);
	if (lost > p->samples.n / 100)
		cr_text_printf(out, "%s: more than 1 %% of the samples were lost\n", side);
}

void
cr_comparable_put(
	const struct cr_profile *const p[CR_SIDES], const struct cr_tree *t, struct cr_text *out)
{
	put_builds(p, t, out);
	put_fact(p, "arch", "architectures", out);
	put_fact(p, "cpudesc", "processor models", out);
	put_fact(p, "osrelease", "kernels", out);
	put_fact(p, "call graph", "kinds of stacks", out);
	put_rates(p, t, out);
	put_lost(p[0], "before", out);
	put_lost(p[1], "after", out);
}
