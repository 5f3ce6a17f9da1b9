#include "modelled_p.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "row_model_p.h"
#include "ticks_p.h"

/* The form of numbers. */
#define REDUCTION 3u /* enum cr_coding */
#define SMALL 4u
#define CLASS_BITS_AT 3u
#define CLASS_BITS_MOST 7u
#define CLASS_BITS_SMALL 6u
#define LAST_CLASSES 193u /* sums of three classes are less */

#define STEP_MOST ((uint64_t)1 << 62) /* a divisor is less */

/* The form of rows. */
#define REPEATS 1u

/* The form of weights. */
#define KEY 3u /* enum cr_weight_key */
#define WEIGHT_CLASS_BITS_AT 2u

static bool
is_signed(unsigned reduction)
{
	return reduction == CR_CODING_DELTA || reduction == CR_CODING_DELTA2;
}

/* What a column begins with. */
struct head {
	unsigned coding, form;
	uint64_t number;
};

/* A column being coded: written from `values`, or read to it. */
struct column {
	struct head head;
	uint64_t *values;
	uint32_t n;
	const struct cr_modelled_sides *sides;
};

static void
code_numbers(const struct column *col, struct cr_bit_coder *c)
{
	const unsigned reduction = col->head.form & REDUCTION;
	const bool scaled = reduction == CR_CODING_SCALED, small = col->head.form & SMALL;
	uint64_t last = col->head.number, step = 0;
	struct cr_number_model m;
	uint32_t third = 0; /* class of the number before the last two */

	cr_number_model_init(
		&m, col->head.form >> CLASS_BITS_AT, small, is_signed(reduction), LAST_CLASSES);
	for (uint32_t i = 0; i < col->n && !c->bad; i++) {
		const uint64_t from = scaled                         ? 0
				      : reduction == CR_CODING_PLAIN ? col->head.number
				      : reduction == CR_CODING_DELTA ? last
								     : last + step;
		const uint32_t context = small ? 0 : m.last + m.second + third;
		uint64_t v = c->reads ? from
			     : scaled ? col->values[i] / col->head.number
				      : col->values[i];

		third = m.second;
		v = from + cr_number_model_code(&m, c, context, v - from);
		v *= scaled ? col->head.number : 1;
		step = v - last;
		last = v;
		if (c->reads)
			col->values[i] = v;
	}
	cr_number_model_fini(&m);
}

static void
code_steps(const struct column *col, struct cr_bit_coder *c)
{
	const bool twice = (col->head.form & REDUCTION) == CR_CODING_DELTA2;
	const uint64_t divisor = col->head.number;
	uint64_t v = col->n ? col->values[0] : 0, step = 0;
	struct cr_number_model m;

	cr_number_model_init(&m, col->head.form >> CLASS_BITS_AT, false, true, LAST_CLASSES);
	v = cr_bit_coder_raw(c, v, 64);
	for (uint32_t i = 0, third = 0; i < col->n && !c->bad; i++) {
		const uint64_t from = twice ? step : 0;
		const uint32_t context = m.last + m.second + third;

		if (i) {
			third = m.second;
			step = c->reads ? 0
					: (uint64_t)((int64_t)(col->values[i] - v) /
						     (int64_t)divisor);
			step = from + cr_number_model_code(&m, c, context, step - from);
			v += step * divisor;
		}
		if (c->reads)
			col->values[i] = v;
	}
	cr_number_model_fini(&m);
}

/* What a time is wrong by: mostly nothing. */
static uint64_t
code_wrong(struct cr_number_model *m, cr_bit_state *is_right, unsigned *last,
	struct cr_bit_coder *c, uint64_t v)
{
	*last = (*last << 1 | cr_bit_coder_bit(c, &is_right[*last & 3], v == 0)) & 3;
	return *last & 1 ? 0 : cr_number_model_code(m, c, 0, v);
}

static void
code_ticks(const struct column *col, struct cr_bit_coder *c)
{
	const bool twice = (col->head.form & REDUCTION) == CR_CODING_DELTA2;
	struct cr_ticks clock = {col->head.number, CR_TICKS_PART};
	struct cr_number_model m, wrong;
	cr_bit_state is_right[4] = {0};
	unsigned last = 3;
	uint64_t v = col->n ? col->values[0] : 0, step = 0;

	cr_number_model_init(&m, col->head.form >> CLASS_BITS_AT, false, true, LAST_CLASSES);
	cr_number_model_init(&wrong, CLASS_BITS_MOST, false, true, 1);
	v = cr_bit_coder_raw(c, v, 64);
	for (uint32_t i = 0, third = 0; i < col->n && !c->bad; i++) {
		const uint64_t from = twice ? step : 0;
		const uint32_t context = m.last + m.second + third;
		uint64_t by;

		if (i) {
			const uint64_t passed = c->reads ? 0 : col->values[i] - v;

			third = m.second;
			step = c->reads ? 0 : cr_ticks_of(&clock, passed);
			step = from + cr_number_model_code(&m, c, context, step - from);
			c->bad |= step > UINT32_MAX;
			by = cr_ticks_take(&clock, (uint32_t)step);
			v += by;
			by = code_wrong(&wrong, is_right, &last, c, passed - by);
			cr_ticks_correct(&clock, by);
			v += by;
		}
		if (c->reads)
			col->values[i] = v;
	}
	cr_number_model_fini(&m);
	cr_number_model_fini(&wrong);
}

static void
code_rows(const struct column *col, struct cr_bit_coder *c)
{
	struct cr_row_model m;

	cr_row_model_init(&m, (uint32_t)col->head.number);
	m.repeats = col->head.form & REPEATS;
	for (uint32_t i = 0; i < col->n && !c->bad; i++) {
		const uint32_t v = cr_row_model_code(&m, c, (uint32_t)col->values[i]);

		if (c->reads)
			col->values[i] = v;
	}
	cr_row_model_fini(&m);
}

static void
code_ends(const struct column *col, struct cr_bit_coder *c)
{
	const uint32_t *before = col->sides->before;
	struct cr_row_model m;

	cr_row_model_init(&m, (uint32_t)col->head.number);
	for (uint32_t i = 0; i < col->n && !c->bad; i++) {
		const bool is_same = i && before[i] == before[i - 1];
		const uint32_t v =
			cr_row_model_code_end(&m, c, is_same, before[i], (uint32_t)col->values[i]);

		if (c->reads)
			col->values[i] = v;
	}
	cr_row_model_fini(&m);
}

static void
code_weights(const struct column *col, struct cr_bit_coder *c)
{
	const struct cr_weight_form form = {.key = col->head.form & KEY,
		.class_bits = col->head.form >> WEIGHT_CLASS_BITS_AT,
		.rate = (uint32_t)col->head.number};

	cr_weight_model_code(&form, c, col->values, col->n, col->sides->samples);
}

static void
code_column(const struct column *col, struct cr_bit_coder *c)
{
	if (col->head.coding == CR_MODELLED_NUMBERS)
		code_numbers(col, c);
	else if (col->head.coding == CR_MODELLED_ROWS_OF)
		code_rows(col, c);
	else if (col->head.coding == CR_MODELLED_ENDS)
		code_ends(col, c);
	else if (col->head.coding == CR_MODELLED_STEPS)
		code_steps(col, c);
	else if (col->head.coding == CR_MODELLED_TICKS)
		code_ticks(col, c);
	else
		code_weights(col, c);
}

/* ---- writing */

/* n * log2(n). */
static double
entropy_part(uint32_t n)
{
	double x = n, bits = 0;

	if (n == 0)
		return 0;
	for (; x >= 2; x /= 2)
		bits++;
	return n * (bits + (x - 1) * (1 + 0.34 * (2 - x))); /* good to 0.01 */
}

/* The numbers of each class that a reduction gives. */
struct classes {
	uint32_t of[65];
	uint32_t negative;
	uint32_t most;
};

static void
classes_count(struct classes *k, uint64_t v, bool as_signed)
{
	const bool is_negative = as_signed && v >> 63;
	const uint64_t size = is_negative ? 0 - v : v;
	const uint32_t class = size ? 64 - (uint32_t)__builtin_clzll(size) : 0;

	k->of[class]++;
	k->negative += is_negative;
	k->most = CR_MAX(k->most, class);
}

/* The bits that they take, about. */
static double
classes_bits(const struct classes *k, uint32_t n)
{
	const uint32_t positive = n - k->of[0] - k->negative;
	double bits = entropy_part(n) + entropy_part(n - k->of[0]) - entropy_part(positive) -
		      entropy_part(k->negative);

	for (uint32_t i = 0; i < CR_LEN(k->of); i++)
		bits += (double)k->of[i] * (i ? i - 1 : 0) - entropy_part(k->of[i]);
	return bits;
}

/* Choose how to reduce the numbers. *take: the bits that they take then, about. */
static struct head
numbers_head(const uint64_t *v, uint32_t n, double *take)
{
	struct classes of[REDUCTION + 1] = {0};
	uint64_t least = v[0], most = v[0], step = 0;
	const uint64_t divisor = cr_common_divisor(v, n);
	struct head h = {CR_MODELLED_NUMBERS, CR_CODING_PLAIN, 0};
	double fewest, bits;

	for (uint32_t i = 0; i < n; i++) {
		least = CR_MIN(least, v[i]);
		most = CR_MAX(most, v[i]);
	}
	h.number = least;
	if (most - least < CR_NUMBER_SMALL) {
		*take = 0;
		h.form |= SMALL | cr_number_model_bits((uint32_t)(most - least)) << CLASS_BITS_AT;
		return h;
	}
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t by = i ? v[i] - v[i - 1] : 0;

		classes_count(&of[CR_CODING_PLAIN], v[i] - least, false);
		classes_count(&of[CR_CODING_DELTA], by, true);
		classes_count(&of[CR_CODING_DELTA2], by - step, true);
		classes_count(&of[CR_CODING_SCALED], v[i] / divisor, false);
		step = by;
	}
	fewest = classes_bits(&of[CR_CODING_PLAIN], n);
	for (unsigned r = CR_CODING_DELTA; r <= CR_CODING_SCALED; r++) {
		bits = classes_bits(&of[r], n);
		if (bits >= fewest)
			continue;
		fewest = bits;
		h.form = r;
		h.number = r == CR_CODING_SCALED ? divisor : v[0];
	}
	*take = fewest;
	h.form |= cr_number_model_bits(of[h.form].most) << CLASS_BITS_AT;
	return h;
}

/* The common divisor of the differences, which are signed; at most 2^62. */
static uint64_t
step_divisor(const uint64_t *v, uint32_t n)
{
	uint64_t divisor = 0;

	for (uint32_t i = 1; i < n && divisor != 1; i++) {
		const int64_t step = (int64_t)(v[i] - v[i - 1]);
		const uint64_t pair[2] = {divisor, step < 0 ? 0 - (uint64_t)step : (uint64_t)step};

		if (step) /* of nothing but 0 the divisor would be 1 */
			divisor = cr_common_divisor(pair, 2);
	}
	return CR_MIN(divisor, STEP_MOST);
}

/* Ticks, if their size can be found and they take fewer bits than numbers. */
static struct head
ticks_head(const uint64_t *v, uint32_t n)
{
	struct cr_ticks clock = {cr_ticks_find(v, n), CR_TICKS_PART};
	struct classes once = {0}, twice = {0};
	uint64_t before = 0;
	uint32_t n_wrong = 0;
	double numbers, take, take_twice;
	const struct head h = numbers_head(v, n, &numbers);

	for (uint32_t i = 1; i < n && clock.size; i++) {
		const uint64_t passed = v[i] - v[i - 1], step = cr_ticks_of(&clock, passed);
		const uint64_t by = passed - cr_ticks_take(&clock, (uint32_t)step);

		cr_ticks_correct(&clock, by);
		n_wrong += by != 0;
		classes_count(&once, step, true);
		classes_count(&twice, step - before, true);
		before = step;
	}
	take = classes_bits(&once, n - 1);
	take_twice = classes_bits(&twice, n - 1);
	/* A bit less of each at least: numbers that repeat are foreseen better than ticks. */
	if (!clock.size || CR_MIN(take, take_twice) + 8.0 * n_wrong + n > numbers)
		return h;
	if (take_twice < take)
		return (struct head){CR_MODELLED_TICKS,
			CR_CODING_DELTA2 | cr_number_model_bits(twice.most) << CLASS_BITS_AT,
			clock.size};
	return (struct head){CR_MODELLED_TICKS,
		CR_CODING_DELTA | cr_number_model_bits(once.most) << CLASS_BITS_AT, clock.size};
}

/* Numbers, unless their differences have a common divisor. */
static struct head
steps_head(const uint64_t *v, uint32_t n, enum cr_modelled coding)
{
	struct classes once = {0}, twice = {0};
	const uint64_t divisor = step_divisor(v, n);
	uint64_t before = 0;
	double take;

	if (divisor < 2 || divisor == STEP_MOST)
		return coding == CR_MODELLED_TICKS ? ticks_head(v, n) : numbers_head(v, n, &take);
	for (uint32_t i = 1; i < n; i++) {
		const uint64_t step = (uint64_t)((int64_t)(v[i] - v[i - 1]) / (int64_t)divisor);

		classes_count(&once, step, true);
		classes_count(&twice, step - before, true);
		before = step;
	}
	if (classes_bits(&twice, n - 1) < classes_bits(&once, n - 1))
		return (struct head){CR_MODELLED_STEPS,
			CR_CODING_DELTA2 | cr_number_model_bits(twice.most) << CLASS_BITS_AT,
			divisor};
	return (struct head){CR_MODELLED_STEPS,
		CR_CODING_DELTA | cr_number_model_bits(once.most) << CLASS_BITS_AT, divisor};
}

/* Rows repeat if that happens more often than the counts of the rows let expect. */
static bool
rows_repeat(const uint64_t *v, uint32_t n, uint32_t limit)
{
	uint32_t *counts = cr_alloc(limit, sizeof(*counts)), same = 0;
	uint64_t pairs = 0;

	for (uint32_t i = 0; i < n; i++) {
		pairs += counts[v[i]]++;
		same += i && v[i] == v[i - 1];
	}
	free(counts);
	return (double)same > 3 * (double)pairs / n + n / 16.0;
}

/* Rows that are too large, or very few, are numbers. */
static struct head
rows_head(const struct column *col, enum cr_modelled coding)
{
	struct head h = {coding, 0, 0};
	uint64_t most = 0;
	double take;

	for (uint32_t i = 0; i < col->n; i++)
		most = CR_MAX(most, col->values[i]);
	if (most >= CR_ROW_MODEL_MOST || (coding == CR_MODELLED_ROWS_OF && most < CR_NUMBER_SMALL))
		return numbers_head(col->values, col->n, &take);
	h.number = most + 1;
	if (coding == CR_MODELLED_ROWS_OF)
		h.form = rows_repeat(col->values, col->n, (uint32_t)h.number) ? REPEATS : 0;
	return h;
}

#define JUDGED 4096u /* rows by which it is decided how weights are stored */

/* Weights are numbers unless the model saves more than it takes to say how wrong it is. */
static struct head
weights_head(const struct column *col)
{
	const uint32_t n = CR_MIN(col->n, JUDGED);
	double take;
	uint64_t bits;
	const struct cr_weight_form form =
		cr_weight_model_form(col->values, col->n, n, col->sides->samples, &bits);

	numbers_head(col->values, n, &take);
	return (double)bits + 2.0 * n < take
		       ? (struct head){CR_MODELLED_WEIGHTS,
				 form.key | form.class_bits << WEIGHT_CLASS_BITS_AT, form.rate}
		       : numbers_head(col->values, col->n, &take);
}

static struct head
choose_head(const struct column *col, enum cr_modelled coding)
{
	double take;

	switch (coding) {
	case CR_MODELLED_ROWS_OF:
	case CR_MODELLED_ENDS: return rows_head(col, coding);
	case CR_MODELLED_WEIGHTS:
		if (col->sides && col->sides->samples)
			return weights_head(col);
		break;
	case CR_MODELLED_STEPS:
	case CR_MODELLED_TICKS: return steps_head(col->values, col->n, coding);
	case CR_MODELLED_NUMBERS: break;
	}
	return numbers_head(col->values, col->n, &take);
}

static bool
is_constant(const uint64_t *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (v[i] != v[0])
			return false;
	return true;
}

bool
cr_modelled_write(struct cr_buf *out, uint64_t *v, uint32_t n, enum cr_modelled coding,
	const struct cr_modelled_sides *sides)
{
	struct column col = {.values = v, .n = n, .sides = sides};
	struct cr_buf coded = {0};
	struct cr_bit_coder *c;

	if (is_constant(v, n))
		return false;
	col.head = choose_head(&col, coding);
	c = cr_bit_coder_new();
	code_column(&col, c);
	cr_bit_coder_put(c, &coded);
	cr_bit_coder_free(c);
	cr_buf_int(out, col.head.coding, 1);
	cr_buf_int(out, col.head.form, 1);
	cr_buf_leb(out, col.head.number);
	cr_buf_leb(out, coded.n);
	cr_buf_put(out, coded.p, coded.n);
	free(coded.p);
	return true;
}

/* ---- reading */

static bool
head_is_good(const struct column *col)
{
	const struct head *h = &col->head;
	const unsigned class_bits = h->form >> CLASS_BITS_AT;

	switch (h->coding) {
	case CR_MODELLED_NUMBERS:
		return class_bits >= 1 && !((h->form & SMALL) && is_signed(h->form & REDUCTION)) &&
		       class_bits <= (h->form & SMALL ? CLASS_BITS_SMALL : CLASS_BITS_MOST);
	case CR_MODELLED_STEPS:
		return class_bits >= 1 && class_bits <= CLASS_BITS_MOST && !(h->form & SMALL) &&
		       is_signed(h->form & REDUCTION) && h->number && h->number < STEP_MOST;
	case CR_MODELLED_TICKS:
		return class_bits >= 1 && class_bits <= CLASS_BITS_MOST && !(h->form & SMALL) &&
		       is_signed(h->form & REDUCTION) && h->number >= CR_TICKS_LEAST &&
		       h->number < CR_TICKS_MOST;
	case CR_MODELLED_ROWS_OF:
		return h->form <= REPEATS && h->number && h->number <= CR_ROW_MODEL_MOST;
	case CR_MODELLED_ENDS:
		return h->form == 0 && h->number && h->number <= CR_ROW_MODEL_MOST && col->sides &&
		       col->sides->before;
	case CR_MODELLED_WEIGHTS:
		return h->form >> WEIGHT_CLASS_BITS_AT >= 1 &&
		       h->form >> WEIGHT_CLASS_BITS_AT <= CLASS_BITS_MOST &&
		       h->number < CR_WEIGHT_RATES && col->sides && col->sides->samples;
	default: return false;
	}
}

bool
cr_modelled_is_next(const struct cr_cursor *in)
{
	return cr_cursor_left(in) && *in->p >= CR_MODELLED_NUMBERS;
}

uint32_t
cr_modelled_version(const struct cr_cursor *in)
{
	const unsigned coding = cr_cursor_left(in) ? *in->p : 0;

	return coding <= CR_MODELLED_WEIGHTS ? 2 : coding == CR_MODELLED_STEPS ? 3 : 4;
}

bool
cr_modelled_needs_samples(const struct cr_cursor *in)
{
	return cr_cursor_left(in) && *in->p == CR_MODELLED_WEIGHTS;
}

bool
cr_modelled_read(
	struct cr_cursor *in, uint64_t *v, uint32_t n, const struct cr_modelled_sides *sides)
{
	struct column col = {.values = v, .n = n, .sides = sides};
	struct cr_cursor coded;
	struct cr_bit_coder *c;
	bool good;

	col.head.coding = cr_cursor_u8(in);
	col.head.form = cr_cursor_u8(in);
	col.head.number = cr_cursor_uleb(in);
	coded = cr_cursor_sub(in, cr_cursor_uleb(in));
	if (in->bad || n > CR_MODELLED_ROWS || !head_is_good(&col))
		return false;
	c = cr_bit_coder_open(coded.p, cr_cursor_left(&coded));
	code_column(&col, c);
	good = cr_bit_coder_at_end(c);
	cr_bit_coder_free(c);
	return good;
}
