#include "cresset/query/search.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* A pattern may be made to run for ever; past this many steps a name counts as no match. */
#define MATCH_LIMIT 100000

static bool
has_upper(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++; /* \S and \D are no letters of the user's */
		else if (*s >= 'A' && *s <= 'Z')
			return true;
	}
	return false;
}

static int
compile(const char *pattern, pcre2_code **out, struct cr_err *err)
{
	const uint32_t options = has_upper(pattern) ? 0 : PCRE2_CASELESS;
	PCRE2_SIZE at;
	int code;

	*out = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
	if (!*out) {
		PCRE2_UCHAR why[120];

		pcre2_get_error_message(code, why, sizeof(why));
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "bad pattern at %zu: %s", (size_t)at, (const char *)why);
	}
	pcre2_jit_compile(*out, PCRE2_JIT_COMPLETE);
	return CR_OK;
}

static int
match_frames(const struct cr_tree *t, const char *pattern, struct cr_search *out, struct cr_err *err)
{
	pcre2_match_context *limits = pcre2_match_context_create(NULL);
	pcre2_match_data *data = NULL;
	pcre2_code *code = NULL;
	int rc = compile(pattern, &code, err);

	if (rc < 0)
		goto out;
	pcre2_set_match_limit(limits, MATCH_LIMIT);
	data = pcre2_match_data_create(1, NULL);
	for (uint32_t f = 1; f < t->n_frames; f++) {
		const struct cr_str name = t->frames[f].name;

		out->hit[f] = pcre2_match(code, (PCRE2_SPTR)(name.len ? name.p : ""), name.len, 0, 0, data, limits) >= 0;
	}
out:
	pcre2_match_data_free(data);
	pcre2_code_free(code);
	pcre2_match_context_free(limits);
	return rc;
}

static void
collect_nodes(const struct cr_tree *t, struct cr_search *out)
{
	uint32_t covered = 0; /* end of the subtree of the last outermost match */

	for (uint32_t n = 0; n < t->n; n++)
		out->n_nodes += out->hit[t->frame[n]];
	out->nodes = cr_alloc(out->n_nodes, sizeof(*out->nodes));
	out->n_nodes = 0;
	for (uint32_t n = 0; n < t->n; n++) {
		if (!out->hit[t->frame[n]])
			continue;
		out->nodes[out->n_nodes++] = n;
		if (n < covered)
			continue;
		covered = t->end[n];
		for (uint32_t s = 0; s < t->sides; s++) {
			out->weight[s] = cr_add_sat(out->weight[s], t->total[s][n]);
			out->samples[s] = cr_add_sat(out->samples[s], t->total_samples[s][n]);
		}
	}
}

int
cr_search_make(const struct cr_tree *t, const char *pattern, bool literal, struct cr_search *out,
	struct cr_err *err)
{
	int rc;

	*out = (struct cr_search){.hit = cr_alloc(t->n_frames, 1)};
	if (literal) {
		for (uint32_t f = 1; f < t->n_frames; f++)
			out->hit[f] = cr_str_eq(t->frames[f].name, cr_str_of(pattern));
	} else if ((rc = match_frames(t, pattern, out, err)) < 0) {
		cr_search_fini(out);
		return rc;
	}
	for (uint32_t f = 0; f < t->n_frames; f++)
		out->n_frames += out->hit[f];
	collect_nodes(t, out);
	return CR_OK;
}

uint64_t
cr_search_under(const struct cr_search *s, const struct cr_tree *t, uint32_t root, uint32_t side)
{
	uint64_t weight = 0;
	uint32_t lo = 0, hi = s->n_nodes, covered = 0;

	/* A match at or above the root covers it whole. */
	for (uint32_t n = root;; n = t->parent[n]) {
		if (s->n_nodes && s->hit[t->frame[n]])
			return t->total[side][root];
		if (n == 0)
			break;
	}
	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (s->nodes[mid] < root)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < s->n_nodes && s->nodes[lo] < t->end[root]; lo++) {
		if (s->nodes[lo] < covered)
			continue;
		covered = t->end[s->nodes[lo]];
		weight = cr_add_sat(weight, t->total[side][s->nodes[lo]]);
	}
	return weight;
}

void
cr_search_fini(struct cr_search *s)
{
	free(s->hit);
	free(s->nodes);
	*s = (struct cr_search){0};
}
