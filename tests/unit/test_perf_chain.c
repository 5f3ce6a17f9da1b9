#include "testing.h"

#include "perf_maker.h"
#include "read/perf_data/perf_chain_p.h"

#define HV ((uint64_t)-32)
#define GUEST ((uint64_t)-2048)

struct world {
	struct cr_builder *b;
	struct perf_spaces s;
	struct perf_chains c;
	struct cr_log log;
	uint64_t chain[16];
};

static cr_location_id
located(struct world *w, struct perf_space *space, uint64_t ip, uint16_t returned)
{
	const struct cr_location_at at = cr_perf_space_locate(&w->s, space, ip);

	cr_stack_queue_drain(w->b);
	return cr_builder_location(w->b, at.dso, at.addr, at.ordinal | returned);
}

/* The kernel has all from 0xf000 on, "a" is at [0x1000, 0x2000) of the process 1. */
static struct world *
world_new(void)
{
	struct world *w = calloc(1, sizeof(*w));
	struct perf_map kernel = {.start = 0xf000, .end = UINT64_MAX, .identity = true};
	struct perf_map user = {.start = 0x1000, .end = 0x2000};

	w->b = cr_builder_new(NULL);
	cr_builder_event(w->b, CR_STR("cycles"), CR_STR(""));
	cr_perf_spaces_init(&w->s, w->b, &w->log, 0);
	cr_perf_chains_init(&w->c);
	cr_stack_queue_begin(w->b);
	kernel.dso =
		cr_builder_dso(w->b, &(struct cr_dso){.name = CR_STR("k"), .kind = CR_KIND_KERNEL});
	user.dso =
		cr_builder_dso(w->b, &(struct cr_dso){.name = CR_STR("a"), .kind = CR_KIND_USER});
	cr_perf_space_map(&w->s, &w->s.kernel, &kernel);
	cr_perf_space_map(&w->s, cr_perf_spaces_thread(&w->s, 1, 1)->space, &user);
	return w;
}

static void
world_free(struct world *w)
{
	cr_perf_chains_fini(&w->c);
	cr_perf_spaces_fini(&w->s);
	cr_builder_free(w->b);
	free(w);
}

/* The ticket of a sample of process 1 with this chain, which ends with the first 0. */
static cr_node_id
ticket_of_kind(struct world *w, uint64_t ip, unsigned cpumode, const uint64_t *chain,
	enum perf_chain_kind kind)
{
	struct perf_sample s = {.ip = ip, .pid = 1, .tid = 1, .chain_kind = kind};
	struct perf_space *user = cr_perf_spaces_thread(&w->s, 1, 1)->space;
	struct perf_chain_key key;
	size_t n = 0;

	while (chain[n])
		n++;
	memcpy(w->chain, chain, n * 8);
	cr_cursor_init(&s.chain, w->chain, n * 8);
	cr_perf_chain_key(&w->c, &w->s, user, &s, &key);
	return cr_perf_chain_node(&w->c, &w->s, user, &s, cpumode, &key, &w->log);
}

static cr_node_id
node_of_kind(struct world *w, uint64_t ip, unsigned cpumode, const uint64_t *chain,
	enum perf_chain_kind kind)
{
	return cr_stack_queue_node(w->b, ticket_of_kind(w, ip, cpumode, chain, kind));
}

static cr_node_id
node_of(struct world *w, uint64_t ip, unsigned cpumode, const uint64_t *chain)
{
	return node_of_kind(w, ip, cpumode, chain, PERF_CHAIN_RECORDED);
}

/*
 * Take one sample and tell its stack, root first: "a:10' k:f123", with a stroke at return addresses
 * if they are asked for.
 */
static void
assert_stack_of(uint64_t ip, unsigned cpumode, const uint64_t *chain, enum perf_chain_kind kind,
	bool strokes, const char *want)
{
	struct world *w = world_new();
	struct perf_thread *t = cr_perf_spaces_thread(&w->s, 1, 1);
	struct cr_text have = {0}, frame = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_sample(w->b, &(struct cr_sample){.weight = 1,
					.task = cr_perf_thread_task(&w->s, t, 1),
					.node = ticket_of_kind(w, ip, cpumode, chain, kind)});
	cr_stack_queue_end(w->b);
	assert_int_equal(cr_builder_finish(w->b, NULL, &p, &err), CR_OK);
	cr_text_puts(&have, "");
	for (uint32_t n = 1; n < p->n_nodes; n++) {
		const struct cr_location *l = &p->locations[p->node_location[n]];

		cr_text_clear(&frame);
		cr_text_str(&frame, l->dso.i ? p->dsos[l->dso.i].name : CR_STR("?"));
		cr_text_char(&frame, ':');
		cr_text_hex(&frame, l->addr);
		if (strokes && (l->ordinal & CR_ORDINAL_RETURN))
			cr_text_char(&frame, '\'');
		assert_int_equal(p->node_parent[n], n - 1);
		cr_text_puts(&have, n > 1 ? " " : "");
		cr_text_puts(&have, frame.p);
	}
	assert_string_equal(have.p, want);
	cr_text_fini(&have);
	cr_text_fini(&frame);
	cr_profile_free(p);
	world_free(w);
}

static void
assert_stack(uint64_t ip, unsigned cpumode, const uint64_t *chain, const char *want)
{
	assert_stack_of(ip, cpumode, chain, PERF_CHAIN_RECORDED, false, want);
}

static void
test_all_but_the_first_of_a_recorded_part_are_return_addresses(void **state)
{
	static const uint64_t chain[] = {MADE_CHAIN_KERNEL, 0xf010, 0xf020, 0xf030, MADE_CHAIN_USER,
		0x1010, 0x1020, 0x1020, 0};
	static const uint64_t hv[] = {HV, 0x1010, 0x1020, MADE_CHAIN_USER, 0x1010, 0x1020, 0};
	static const struct {
		enum perf_chain_kind kind;
		const char *want;
	} cases[] = {
		{PERF_CHAIN_RECORDED, "a:20' a:20' a:10 k:f030' k:f020' k:f010"},
		{PERF_CHAIN_BRANCHES, "a:20 a:20 a:10 k:f030' k:f020' k:f010"},
		{PERF_CHAIN_UNWOUND, "a:20 a:20 a:10 k:f030' k:f020' k:f010"},
		{PERF_CHAIN_CUT, "[truncated]:0 a:20 a:20 a:10 k:f030' k:f020' k:f010"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_stack_of(0, MADE_KERNEL, chain, cases[i].kind, true, cases[i].want);
	assert_stack_of(0, MADE_USER, hv, PERF_CHAIN_RECORDED, true, "a:20' a:10 ?:1020 ?:1010");
}

/* The same entries, and yet another stack. */
static void
test_chains_of_different_kinds_are_told_apart(void **state)
{
	static const uint64_t chain[] = {0x1010, 0x1020, 0};
	struct world *w = world_new();
	cr_node_id node[4];

	(void)state;
	for (int again = 0; again < 2; again++)
		for (unsigned kind = 0; kind < CR_LEN(node); kind++) {
			const cr_node_id n =
				node_of_kind(w, 0, MADE_USER, chain, (enum perf_chain_kind)kind);

			assert_true(!again || n.i == node[kind].i);
			node[kind] = n;
		}
	assert_int_not_equal(node[PERF_CHAIN_RECORDED].i, node[PERF_CHAIN_UNWOUND].i);
	assert_int_not_equal(node[PERF_CHAIN_CUT].i, node[PERF_CHAIN_UNWOUND].i);
	assert_int_equal(node[PERF_CHAIN_BRANCHES].i, node[PERF_CHAIN_UNWOUND].i);
	world_free(w);
}

static void
test_markers_say_whose_the_addresses_are(void **state)
{
	static const struct {
		uint64_t chain[8];
		const char *want;
	} cases[] = {
		{{0x1010, 0x1020}, "a:20 a:10"},
		{{MADE_CHAIN_USER, 0x1010, 0x1020}, "a:20 a:10"},
		{{MADE_CHAIN_KERNEL, 0xf010, MADE_CHAIN_USER, 0x1010}, "a:10 k:f010"},
		{{MADE_CHAIN_KERNEL, 0x1010}, "?:1010"},
		{{MADE_CHAIN_USER, 0xf010}, "?:f010"},
		{{HV, 0x1010, MADE_CHAIN_USER, 0x1020}, "a:20 ?:1010"},
		{{GUEST, 0x1010, MADE_CHAIN_USER, 0x1020}, "a:20 ?:1010"},
		{{0x1010, 0x1010, 0x1010}, "a:10 a:10 a:10"},
		{{0x9999, MADE_CHAIN_USER}, "?:9999"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_stack(0, MADE_USER, cases[i].chain, cases[i].want);
}

static void
test_without_a_chain_the_samples_address_stands_alone(void **state)
{
	static const struct {
		uint64_t ip;
		unsigned cpumode;
		const char *want;
	} cases[] = {
		{0x1010, MADE_USER, "a:10"},
		{0xf010, MADE_KERNEL, "k:f010"},
		{0xf010, MADE_USER, "?:f010"},
		{0x1010, 3, "?:1010"},
		{0x1010, MADE_GUEST, "?:1010"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_stack(cases[i].ip, cases[i].cpumode, &(uint64_t){0}, cases[i].want);
}

static void
test_a_chain_of_markers_alone_is_none(void **state)
{
	static const uint64_t markers[] = {MADE_CHAIN_KERNEL, MADE_CHAIN_USER, 0};
	struct world *w = world_new();
	cr_node_id a, b;

	(void)state;
	assert_stack(0x1010, MADE_USER, markers, "a:10");
	a = node_of(w, 0x1010, MADE_USER, markers);
	b = node_of(w, 0x1020, MADE_USER, markers); /* the same chain, and yet another place */
	assert_int_not_equal(a.i, b.i);
	assert_int_equal(node_of(w, 0x1010, MADE_USER, markers).i, a.i);
	world_free(w);
}

static void
test_the_same_chain_comes_to_the_same_node_until_the_maps_change(void **state)
{
	static const uint64_t chain[] = {0x1010, 0x1020, 0};
	struct world *w = world_new();
	struct perf_map m = {.start = 0x1000, .end = 0x2000};
	const cr_node_id before = node_of(w, 0, MADE_USER, chain);
	cr_node_id after;

	(void)state;
	assert_int_equal(node_of(w, 0, MADE_USER, chain).i, before.i);
	m.dso = cr_builder_dso(w->b, &(struct cr_dso){.name = CR_STR("b"), .kind = CR_KIND_USER});
	cr_perf_space_map(&w->s, cr_perf_spaces_thread(&w->s, 1, 1)->space, &m);
	after = node_of(w, 0, MADE_USER, chain);
	assert_int_not_equal(after.i, before.i);
	assert_int_equal(node_of(w, 0, MADE_USER, chain).i, after.i);
	world_free(w);
}

/* Stacks that share their roots with the one before, against the same pushed frame by frame. */
static void
test_random_chains_come_to_the_node_of_their_frames(void **state)
{
	struct world *w = world_new();
	struct perf_space *space = cr_perf_spaces_thread(&w->s, 1, 1)->space;
	uint64_t random = 8;

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		uint64_t chain[16] = {0};
		const size_t n = 1 + testing_random(&random) % 12;
		cr_node_id want = CR_ROOT;

		for (size_t k = 0; k < n; k++)
			chain[k] = 0x1000 + testing_random(&random) % 3;
		for (size_t k = n; k-- > 0;)
			want = cr_builder_push(
				w->b, want, located(w, space, chain[k], k ? CR_ORDINAL_RETURN : 0));
		assert_int_equal(node_of(w, 0, MADE_USER, chain).i, want.i);
	}
	world_free(w);
}

/* More chains than the cache holds: it stays small, and no node or warning is made twice. */
static void
test_floods_of_distinct_chains_empty_the_cache(void **state)
{
	static const uint64_t odd[] = {GUEST, 0x1010, 0};
	struct world *w = world_new();
	const cr_node_id before = node_of(w, 0, MADE_USER, odd);
	size_t forgotten = 0;

	(void)state;
	for (uint64_t i = 0; i < 400000; i++) {
		const uint64_t chain[] = {
			0x1000 + i % 100, 0x1000 + i / 100 % 100, 0x1000 + i / 10000, 0};
		const size_t known = w->c.seen.n;

		ticket_of_kind(w, 0, MADE_USER, chain, PERF_CHAIN_RECORDED);
		forgotten += w->c.seen.n < known;
	}
	assert_int_equal(forgotten, 1);
	assert_true(w->c.seen.mask < (size_t)1 << 19);
	assert_int_equal(node_of(w, 0, MADE_USER, odd).i, before.i);
	assert_int_equal(w->log.entries[0].count, 1);
	world_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_but_the_first_of_a_recorded_part_are_return_addresses),
		cmocka_unit_test(test_chains_of_different_kinds_are_told_apart),
		cmocka_unit_test(test_markers_say_whose_the_addresses_are),
		cmocka_unit_test(test_without_a_chain_the_samples_address_stands_alone),
		cmocka_unit_test(test_a_chain_of_markers_alone_is_none),
		cmocka_unit_test(test_the_same_chain_comes_to_the_same_node_until_the_maps_change),
		cmocka_unit_test(test_random_chains_come_to_the_node_of_their_frames),
		cmocka_unit_test(test_floods_of_distinct_chains_empty_the_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
