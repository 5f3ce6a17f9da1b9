#include "read/folded/folded_counts.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/wide.h"
#include "bytes/scan.h"
#include "folded_line_p.h"

#include <stdlib.h>

/* A stack and its counts, in millionths if any count has a fraction. */
struct row {
	struct cr_str stack;
	uint64_t count[CR_SIDES];
};

struct cr_folded_counts {
	bool strip_hex, fractions;
	struct cr_arena memory;
	CR_VEC(struct row) rows;
	struct cr_index index;
	struct cr_text stripped;
};

struct cr_folded_counts *
cr_folded_counts_new(bool strip_hex)
{
	struct cr_folded_counts *c = cr_alloc(1, sizeof(*c));

	c->strip_hex = strip_hex;
	return c;
}

void
cr_folded_counts_free(struct cr_folded_counts *c)
{
	cr_arena_fini(&c->memory);
	cr_vec_fini(&c->rows);
	cr_index_fini(&c->index);
	cr_text_fini(&c->stripped);
	free(c);
}

static struct row *
row_of(struct cr_folded_counts *c, struct cr_str stack)
{
	const uint64_t h = cr_hash(stack.p, stack.len);
	uint32_t row;

	cr_index_each(&c->index, h, row)
		if (cr_str_eq(c->rows.p[row].stack, stack))
			return &c->rows.p[row];
	stack.p = cr_arena_copy(&c->memory, stack.p, stack.len);
	cr_index_add(&c->index, h, (uint32_t)c->rows.n);
	cr_vec_push(&c->rows, ((struct row){.stack = stack}));
	return &c->rows.p[c->rows.n - 1];
}

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Replace the digits after each "0x" by "...". */
static struct cr_str
strip_hex(struct cr_folded_counts *c, struct cr_str s)
{
	uint32_t i = 0;

	cr_text_clear(&c->stripped);
	while (i < s.len) {
		const bool is_number =
			i + 2 < s.len && s.p[i] == '0' && s.p[i + 1] == 'x' && is_hex(s.p[i + 2]);

		if (!is_number) {
			cr_text_char(&c->stripped, s.p[i++]);
			continue;
		}
		cr_text_puts(&c->stripped, "0x...");
		for (i += 2; i < s.len && is_hex(s.p[i]);)
			i++;
	}
	return cr_text_view(&c->stripped);
}

/* From here on counts are millionths. */
static void
become_fractions(struct cr_folded_counts *c)
{
	for (size_t i = 0; i < c->rows.n; i++)
		for (int side = 0; side < CR_SIDES; side++)
			c->rows.p[i].count[side] =
				cr_mul_sat(c->rows.p[i].count[side], FOLDED_FRACTION);
	c->fractions = true;
}

static void
add_line(struct cr_folded_counts *c, uint32_t side, const struct folded_line *l)
{
	const struct cr_str stack = c->strip_hex ? strip_hex(c, l->stack) : l->stack;
	uint64_t *count;

	if (l->count[0].millionths && !c->fractions)
		become_fractions(c);
	count = &row_of(c, stack)->count[side];
	*count = cr_add_sat(*count, cr_folded_count(&l->count[0], c->fractions));
}

struct cr_folded_lines
cr_folded_counts_read(struct cr_folded_counts *c, uint32_t side, const void *p, size_t len,
	cr_folded_done *done, void *user)
{
	struct cr_folded_lines lines = {0};
	struct cr_scan scan;
	struct cr_str line;
	uint64_t dropped = 0;

	cr_scan_init(&scan, p, len);
	while (cr_scan_line(&scan, &line)) {
		struct folded_line l;
		const enum folded_verdict verdict = cr_folded_line_parse(line, false, &l);

		if (verdict == FOLDED_OK) {
			add_line(c, side, &l);
			lines.used++;
		} else if (verdict != FOLDED_SKIP && !lines.bad++) {
			lines.first_bad = scan.line;
		}
		if (done && cr_scan_at(&scan) > dropped + CR_FOLDED_STEP) {
			done(user, dropped, dropped + CR_FOLDED_STEP);
			dropped += CR_FOLDED_STEP;
		}
	}
	return lines;
}

/* ---- writing */

static int
by_stack(const void *x, const void *y)
{
	return cr_str_cmp(((const struct row *)x)->stack, ((const struct row *)y)->stack);
}

/* Give the counts before about the sum of those after. */
static void
normalize_counts(struct cr_folded_counts *c)
{
	const uint64_t unit = c->fractions ? FOLDED_FRACTION : 1;
	uint64_t sum[CR_SIDES] = {0};

	for (size_t i = 0; i < c->rows.n; i++)
		for (int side = 0; side < CR_SIDES; side++)
			sum[side] = cr_add_sat(sum[side], c->rows.p[i].count[side]);
	if (sum[0] == 0 || sum[0] == sum[1])
		return;
	for (size_t i = 0; i < c->rows.n; i++) {
		uint64_t *v = &c->rows.p[i].count[0];

		*v = cr_mul_div_sat(*v, sum[1], sum[0], CR_ROUND_DOWN);
		*v -= *v % unit;
	}
}

int
cr_folded_counts_write(
	struct cr_folded_counts *c, bool normalize, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_str unit = c->fractions ? CR_STR("millionths") : CR_STR("");
	struct cr_text t = {0};
	int rc = CR_OK;

	if (normalize)
		normalize_counts(c);
	if (c->rows.n)
		qsort(c->rows.p, c->rows.n, sizeof(*c->rows.p), by_stack);
	for (size_t i = 0; i < c->rows.n && rc == CR_OK; i++) {
		const struct row *r = &c->rows.p[i];

		cr_text_put(&t, r->stack.p, r->stack.len);
		for (int side = 0; side < CR_SIDES; side++) {
			cr_text_char(&t, ' ');
			cr_text_weight(&t, r->count[side], unit);
		}
		cr_text_char(&t, '\n');
		rc = cr_sink_large(out, &t, err);
	}
	if (rc == CR_OK)
		rc = cr_sink_text(out, &t, err);
	if (rc == CR_OK)
		rc = cr_sink_flush(out, err);
	cr_text_fini(&t);
	return rc;
}
