#include "query/diff/evidence_samples.h"

#include "base/hash.h"
#include "evidence_parts_p.h"
#include "query/fold/stack_filter.h"

#include <math.h>
#include <stdlib.h>

struct side {
	struct cr_parts parts;
	double *part_shares; /* [row * parts + part] */
	double *shares;      /* [row * recordings + recording] */
};

/* Add up what each row has in each part; the samples that the transforms drop count for none. */
static int
add_costs(const struct cr_evidence_samples *in, struct side *s, uint32_t n, double *whole,
	struct cr_err *err)
{
	const struct cr_parts *parts = &s->parts;
	uint8_t *kept = cr_alloc(CR_MAX(in->p->samples.n, (uint64_t)1), 1);
	double all = 0, left = 0;
	int rc;

	for (uint64_t i = 0; i < parts->n_rows; i++)
		kept[parts->rows[i]] = 1;
	rc = cr_stack_filter(in->p, in->query, kept, err);
	for (uint64_t i = 0; i < parts->n_rows && rc == CR_OK; i++) {
		const uint64_t sample = parts->rows[i];
		const double weight = (double)cr_parts_weight(parts, sample);
		const uint32_t row = in->row_of[in->key[sample]], part = parts->part_of[sample];

		all += weight;
		if (!kept[sample])
			continue;
		left += weight;
		whole[part] += weight;
		if (row < n)
			s->part_shares[(size_t)row * parts->n + part] += weight;
	}
	for (uint32_t r = 0; r < parts->recordings && all > 0; r++)
		parts->recording[r].samples *= fmin(left / all, 1);
	free(kept);
	return rc;
}

/* Sums become shares of the part, and of the recordings. */
static void
share_out(struct side *s, uint32_t n, const double *whole)
{
	const uint32_t parts = s->parts.n, recordings = s->parts.recordings;
	double all = 0;

	for (uint32_t i = 0; i < parts; i++)
		all += whole[i];
	for (uint32_t row = 0; row < n; row++) {
		double *at = s->part_shares + (size_t)row * parts, sum = 0;

		for (uint32_t i = 0; i < parts; i++) {
			sum += at[i];
			at[i] = whole[i] > 0 ? at[i] / whole[i] : 0;
		}
		for (uint32_t r = 0; r < recordings; r++)
			s->shares[(size_t)row * recordings + r] = recordings > 1 ? at[r]
								  : all > 0      ? sum / all
										 : 0;
	}
}

static int
side_make(const struct cr_evidence_samples *in, struct side *s, uint32_t n, struct cr_err *err)
{
	double *whole = cr_alloc(s->parts.n, sizeof(*whole));
	int rc;

	s->part_shares = cr_alloc((uint64_t)n * s->parts.n, sizeof(*s->part_shares));
	s->shares = cr_alloc((uint64_t)n * s->parts.recordings, sizeof(*s->shares));
	if ((rc = add_costs(in, s, n, whole, err)) == CR_OK) {
		share_out(s, n, whole);
		cr_parts_weigh(&s->parts, whole, NULL);
	}
	free(whole);
	return rc;
}

int
cr_evidence_samples_judge(const struct cr_evidence_samples in[CR_SIDES], uint32_t n,
	struct cr_verdict *out, struct cr_verdict_summary *summary, struct cr_err *err)
{
	struct cr_verdict_input input = {.n = n};
	struct cr_parts parts[CR_SIDES];
	struct side side[CR_SIDES] = {{.shares = NULL}};
	int rc;

	for (int k = 0; k < CR_SIDES; k++)
		parts[k] = (struct cr_parts){.p = in[k].p, .query = in[k].query};
	rc = cr_parts_cut(parts, err);
	for (int k = 0; k < CR_SIDES; k++) {
		struct side *s = &side[k];

		s->parts = parts[k];
		if (rc == CR_OK)
			rc = side_make(&in[k], s, n, err);
		input.side[k] = (struct cr_verdict_side){.n = s->parts.recordings,
			.recordings = s->parts.recording,
			.shares = s->shares,
			.weights = s->parts.recording_weights};
		if (parts[0].recordings + parts[1].recordings == 2 && s->parts.n > 1) {
			input.side[k].blocks = s->parts.n;
			input.side[k].block_shares = s->part_shares;
		}
	}
	if (rc == CR_OK)
		cr_verdicts(&input, out, summary);
	for (int k = 0; k < CR_SIDES; k++) {
		cr_parts_fini(&side[k].parts);
		free(side[k].part_shares);
		free(side[k].shares);
	}
	return rc;
}
