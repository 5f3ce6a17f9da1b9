#include "view/style/change.h"

#include "base/hash.h"
#include "query/diff/diff.h"
#include "view/style/palette.h"

#include <inttypes.h>

#define CAP_LEAST_PPM 5000u
#define CAP_MOST_PPM 50000u
#define MARK_PPM 1000

static int32_t
delta_ppm(const struct cr_tree *t, uint32_t node, bool totals)
{
	return totals ? cr_diff_total_ppm(t, node) : cr_diff_self_ppm(t, node);
}

static uint32_t
size_of(int32_t ppm)
{
	return (uint32_t)(ppm < 0 ? -(int64_t)ppm : ppm);
}

uint8_t *
cr_change_noise(
	const struct cr_tree *t, const struct cr_table *table, const struct cr_verdict *verdicts)
{
	uint8_t *noise = cr_alloc(t->n_frames, 1);

	for (uint32_t f = 0; f < t->n_frames; f++) {
		const uint32_t row = table->frame_row[f];

		noise[f] = row == CR_NO_ROW || !cr_verdict_is_call(verdicts[row].word);
	}
	return noise;
}

struct cr_change_look
cr_change_look_make(const struct cr_tree *t, bool totals, const uint8_t *noise)
{
	struct cr_change_look c = {.tree = t, .totals = totals, .noise = noise};
	uint32_t most = CAP_LEAST_PPM;

	for (uint32_t n = 0; n < t->n && most < CAP_MOST_PPM; n++)
		most = CR_MAX(most, size_of(cr_change_ppm(&c, n)));
	c.cap_ppm = CR_MIN(most, CAP_MOST_PPM);
	return c;
}

int32_t
cr_change_ppm(const struct cr_change_look *c, uint32_t node)
{
	if (c->noise && c->noise[c->tree->frame[node]])
		return 0;
	return delta_ppm(c->tree, node, c->totals);
}

/* The square root of v, rounded down: the same on every machine. */
static uint32_t
root_of(uint64_t v)
{
	uint64_t root = 0;

	for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= v)
			root += bit;
	return (uint32_t)root;
}

uint32_t
cr_change_color(const struct cr_change_look *c, int32_t ppm)
{
	const uint32_t size = CR_MIN(size_of(ppm), c->cap_ppm);
	const int32_t strength = (int32_t)root_of((uint64_t)size * c->cap_ppm);

	return cr_palette_diff(ppm < 0 ? -strength : strength, c->cap_ppm);
}

uint32_t
cr_change_color_of(const struct cr_change_look *c, uint32_t node)
{
	return cr_change_color(c, cr_change_ppm(c, node));
}

char
cr_change_mark(const struct cr_change_look *c, uint32_t node)
{
	return cr_change_mark_of(cr_change_ppm(c, node));
}

char
cr_change_mark_of(int32_t ppm)
{
	if (size_of(ppm) < MARK_PPM)
		return 0;
	return ppm > 0 ? '+' : '-';
}

uint8_t *
cr_change_kept(const struct cr_change_look *c)
{
	const struct cr_tree *t = c->tree;
	uint8_t *kept = cr_alloc(t->n, 1);

	for (uint32_t n = t->n - 1; n > 0; n--) {
		kept[n] |= cr_change_mark(c, n) != 0;
		kept[t->parent[n]] |= kept[n];
	}
	kept[0] = 1;
	return kept;
}

void
cr_change_put_points(int64_t ppm, struct cr_text *out)
{
	const uint64_t hundredths = ((uint64_t)(ppm < 0 ? -ppm : ppm) + 50) / 100;

	cr_text_printf(out, "%s%" PRIu64 ".%02u",
		hundredths == 0 ? ""
		: ppm < 0       ? "-"
				: "+",
		hundredths / 100, (unsigned)(hundredths % 100));
}

static void
put_scale(const struct cr_change_look *c, const char *of, const char *after, struct cr_text *out)
{
	const uint32_t hundredths = (c->cap_ppm + 50) / 100;

	cr_text_printf(out, "%s%s%u.%02u%s", c->totals ? "total" : "self", of, hundredths / 100,
		hundredths % 100, after);
}

void
cr_change_put_scale(const struct cr_change_look *c, struct cr_text *out)
{
	put_scale(c, " cost, strongest from ", " points on", out);
}

void
cr_change_put_scale_brief(const struct cr_change_look *c, struct cr_text *out)
{
	put_scale(c, ", max ", "", out);
}
