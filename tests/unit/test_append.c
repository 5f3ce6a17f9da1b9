#include "testing.h"

#include "testing_same.h"

#include "base/mem.h"

/* The same sample, by its number, whatever builder it goes to. */
static void
add(struct cr_builder *b, uint64_t *seed)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	const uint64_t r = testing_random(seed);
	const cr_event_id event = cr_builder_event(b, cr_str_of(names[r % 3]), CR_STR("samples"));
	const struct cr_dso o = {.name = cr_str_of(names[r >> 4 & 3]), .kind = CR_KIND_USER};
	const cr_dso_id dso = cr_builder_dso(b, &o);
	const struct cr_named named[] = {
		{cr_str_of(names[r >> 6 & 3]), CR_STR("x.c"), (uint32_t)(r >> 8 & 1)},
		{CR_STR("g"), CR_STR(""), 0},
	};
	cr_node_id node = CR_ROOT;

	for (unsigned i = 0; i < (r >> 10 & 3); i++) {
		node = cr_builder_push(b, node,
			cr_builder_named_at(b, dso, r >> (12 + i) & 3, named, 1 + (r >> 20 & 1)));
		if (r >> 21 & 1)
			node = cr_builder_push(
				b, node, cr_builder_location(b, dso, r >> 22 & 3, 0));
		if (r % 7 == 0)
			node = cr_builder_push(b, node, cr_builder_truncated(b));
	}
	cr_builder_sample(
		b, &(struct cr_sample){.time_ns = r >> 30,
			   .weight = r >> 40 & 15,
			   .node = node,
			   .event = event,
			   .task = cr_builder_task(b, 1, (int32_t)(r >> 24 & 3),
				   cr_str_of(names[r >> 26 & 3]), (cr_address_space_id){0}),
			   .cpu = (uint16_t)(r >> 28 & 1)});
	if (r % 3 == 0)
		cr_builder_value(
			b, cr_builder_field(b, event, CR_STR("n"), CR_FORM_NUMBER), r >> 50);
	if (r % 5 == 0)
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("t"), CR_FORM_TEXT),
			cr_builder_text(b, cr_str_of(names[r >> 33 & 3])));
	cr_builder_flags(b, CR_PROFILE_HAS_TIME);
}

static struct cr_profile *
finish(struct cr_builder *b)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_pieces_from_two_builders_are_what_one_would_have(void **state)
{
	(void)state;
	for (uint64_t piece = 1; piece < 40; piece += 6) {
		struct cr_builder *one = cr_builder_new(NULL), *b = cr_builder_new(NULL);
		struct cr_builder *hand[] = {cr_builder_new(NULL), cr_builder_new(NULL)};
		struct cr_builder_appended taken[2] = {0};
		struct cr_profile *want, *have;
		uint64_t seed = piece, again = piece;

		cr_builder_address_space(one);
		cr_builder_address_space(hand[0]);
		cr_builder_address_space(hand[1]);
		for (unsigned i = 0; i < 200; i++)
			add(one, &seed);
		for (unsigned i = 0, k = 0; i < 200; k++) {
			for (unsigned n = 0; n < piece && i < 200; n++, i++)
				add(hand[k % 2], &again);
			cr_builder_append_rows(b, hand[k % 2], &taken[k % 2]);
			assert_int_equal(cr_builder_samples(hand[k % 2]), 0);
			assert_int_equal(cr_builder_samples(b), i);
		}
		want = finish(one);
		have = finish(b);
		assert_same_profile(want, have);
		for (unsigned k = 0; k < 2; k++) {
			cr_builder_appended_fini(&taken[k]);
			cr_builder_free(hand[k]);
		}
		cr_profile_free(want);
		cr_profile_free(have);
	}
}

static void
test_a_text_past_the_limit_is_none(void **state)
{
	const struct cr_limits lim = {.text_bytes = 2};
	struct cr_builder *b = cr_builder_new(&lim), *from = cr_builder_new(NULL);
	struct cr_builder_appended taken = {0};
	struct cr_profile *p;
	cr_event_id event;

	(void)state;
	cr_builder_address_space(from);
	event = cr_builder_event(from, CR_STR("e"), CR_STR("samples"));
	for (unsigned i = 0; i < 2; i++) {
		cr_builder_sample(from, &(struct cr_sample){.weight = 1,
						.event = event,
						.task = cr_builder_task(from, 1, 1, CR_STR("a"),
							(cr_address_space_id){0})});
		cr_builder_value(from, cr_builder_field(from, event, CR_STR("t"), CR_FORM_TEXT),
			cr_builder_text(from, i ? CR_STR("long") : CR_STR("x")));
	}
	cr_builder_append_rows(b, from, &taken);
	p = finish(b);
	assert_int_equal(p->n_fields, 1);
	assert_int_equal(p->fields[0].have, 1);
	assert_str(p->texts[p->fields[0].value[0]], "x");
	assert_true(p->fields[0].value[1] == cr_form_none(CR_FORM_TEXT));
	assert_int_equal(p->n_quality, 1);
	cr_builder_appended_fini(&taken);
	cr_builder_free(from);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces_from_two_builders_are_what_one_would_have),
		cmocka_unit_test(test_a_text_past_the_limit_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
