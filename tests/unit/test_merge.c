#include "testing.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/build/builder.h"
#include "model/build/naming.h"
#include "model/merge/fleet.h"
#include "model/tree/default_tree.h"
#include "store/store.h"

#include <unistd.h>

#define MANY 100

/* ---- recordings, by their number */

static void
name_some(struct cr_naming *n, uint32_t dso, uint32_t n_locations, uint64_t r)
{
	static const char *const files[] = {"", "a.c", "b.c"};
	const struct cr_function f = {.name = cr_str_of(r & 1 ? "f" : "g"),
		.dso = {dso},
		.addr = 0x1000,
		.file = cr_str_of(files[r % 3]),
		.line = (uint32_t)(r >> 4 & 3)};
	const struct cr_function in = {.name = CR_STR("inlined"),
		.linkage = CR_STR("_Zin"),
		.dso = {dso},
		.file = cr_str_of(files[r >> 2 & 1]),
		.addr = CR_ADDR_INLINED};

	for (uint32_t i = 0; i < n_locations; i++) {
		if (i % 3 == 0)
			continue;
		if (i % 3 == 1)
			cr_naming_line(n, (cr_location_id){i},
				&(struct cr_line){cr_naming_function(n, &in), i & 1, {0}});
		cr_naming_line(n, (cr_location_id){i},
			&(struct cr_line){cr_naming_function(n, &f), i & 3, CR_STR("c.h")});
	}
}

static struct cr_profile *
recording(uint32_t number)
{
	static const char *const hosts[] = {"web1", "web2", "db\x1b\t%", ""};
	static const char *const names[] = {"a", "b", "c;d"};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	uint64_t seed = number + 1;
	const bool timed = number % 5 != 4;
	const cr_event_id events[] = {
		cr_builder_event(b, CR_STR("cycles"), number % 7 ? CR_STR("cycles") : CR_STR("ns")),
		cr_builder_event(b, CR_STR("other"), CR_STR("samples")),
	};
	const cr_dso_id dsos[] = {
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"),
					  .kind = CR_KIND_USER,
					  .build_id = {(uint8_t)(number % 2)},
					  .build_id_len = 20}),
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("[kernel.kallsyms]"),
					  .kind = CR_KIND_KERNEL}),
	};
	const uint64_t kernel = 0xffffffff81000000 + 0x200000 * (uint64_t)(number % 4);
	cr_location_id locations[8];
	cr_task_id tasks[3];
	struct cr_profile *p;
	struct cr_naming *n;
	struct cr_text t = {0};

	cr_text_hex(&t, kernel);
	cr_builder_fact(b, "kernel.ref.addr", cr_text_view(&t));
	cr_builder_fact(b, "arch", CR_STR("x86_64"));
	cr_builder_fact(b, "tag.number", cr_str_of(names[number % 3]));
	if (number % 4 != 3)
		cr_builder_fact(b, "hostname", cr_str_of(hosts[number % 4]));
	cr_builder_fact(b, "date",
		number % 2 ? CR_STR("2026-01-02 03:04:05 UTC") : CR_STR("2026-01-03 00:00:00 UTC"));
	cr_builder_quality(b, CR_STR("lost"), number);
	cr_builder_flags(
		b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_ADDR | (timed ? CR_PROFILE_HAS_TIME : 0u));
	for (unsigned i = 0; i < 2; i++)
		cr_builder_map(b, cr_builder_address_space(b), 0x400000 + 0x1000 * (uint64_t)number,
			0x500000, 0, dsos[0]);
	for (unsigned i = 0; i < 3; i++)
		tasks[i] = cr_builder_task(b, 1, (int32_t)(number % 2 + i), cr_str_of(names[i]),
			(cr_address_space_id){i % 2});
	for (unsigned i = 0; i < 8; i++)
		locations[i] = cr_builder_location(
			b, dsos[i % 2], i % 2 ? kernel + 0x100 * i : 0x10 * (uint64_t)i, 0);
	for (unsigned i = 0; i < 20 + number % 7; i++) {
		const uint64_t r = testing_random(&seed);
		cr_node_id node = CR_ROOT;

		for (unsigned k = 0; k < (r & 3) + 1; k++)
			node = cr_builder_push(b, node, locations[r >> (4 + 3 * k) & 7]);
		cr_builder_sample(
			b, &(struct cr_sample){.time_ns = timed ? 1000 * (uint64_t)number + i : 0,
				   .weight = r >> 20 & 1023,
				   .node = node,
				   .task = tasks[r % 3],
				   .event = events[r >> 30 & 1],
				   .cpu = (uint16_t)(r >> 32 & 3)});
		if (r >> 33 & 1)
			cr_builder_value(b,
				cr_builder_field(b, events[r >> 30 & 1], CR_STR("t"), CR_FORM_TEXT),
				cr_builder_text(b, cr_str_of(names[r >> 34 & 1])));
		if (r >> 35 & 1)
			cr_builder_value(b,
				cr_builder_field(
					b, events[r >> 30 & 1], CR_STR("n"), CR_FORM_SIGNED),
				0 - r);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	cr_text_fini(&t);
	n = cr_naming_new(p);
	name_some(n, 1, p->n_locations, number / 3);
	return cr_naming_finish(n);
}

/* ---- merges */

/* Of `n` profiles, which are freed. by: what they are folded by, NULL if they are not. */
static struct cr_profile *
merged_by(const struct cr_fleet_by *by, struct cr_profile **p, unsigned n)
{
	struct cr_merge *m = by ? cr_merge_new_fleet(by) : cr_merge_new();
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *out;

	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(cr_merge_add(m, p[i], CR_STR("it"), &err), CR_OK);
		cr_profile_free(p[i]);
	}
	assert_int_equal(cr_merge_finish(m, &out, &err), CR_OK);
	cr_merge_free(m);
	return out;
}

static struct cr_profile *
merged(struct cr_profile **p, unsigned n)
{
	return merged_by(NULL, p, n);
}

/* All recordings, in an order and in groups of groups that the seed decides. */
static struct cr_profile *
all_merged(const struct cr_fleet_by *by, uint64_t seed)
{
	struct cr_profile *p[MANY];
	unsigned n = MANY;

	for (unsigned i = 0; i < n; i++) {
		p[i] = recording(i);
		if (by)
			cr_default_tree_make(p[i]);
	}
	for (unsigned i = n; seed && i-- > 1;) {
		const unsigned k = (unsigned)(testing_random(&seed) % (i + 1));
		struct cr_profile *swap = p[i];

		p[i] = p[k];
		p[k] = swap;
	}
	while (n > 1) {
		const unsigned take = seed ? 2 + (unsigned)(testing_random(&seed) % 9) : n;
		const unsigned some = take < n ? take : n;

		p[n - some] = merged_by(by, p + n - some, some);
		n -= some - 1;
		for (unsigned i = 0; seed && i < n / 2; i++) {
			struct cr_profile *swap = p[i];

			p[i] = p[n - 1 - i];
			p[n - 1 - i] = swap;
		}
	}
	return p[0];
}

/* All of it: what is stored of it. */
static void
stored_bytes(const struct cr_profile *p, struct cr_text *out)
{
	char path[] = "/tmp/test_merge.XXXXXX", bytes[4096];
	struct cr_err err = CR_ERR_INIT;
	const int fd = mkstemp(path);
	FILE *f;
	size_t n;

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(cr_store_write(path, p, CR_STORE_REPLACE, &err), CR_OK);
	f = fopen(path, "r");
	assert_non_null(f);
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		cr_text_put(out, bytes, n);
	fclose(f);
	unlink(path);
}

static void
any_order_and_grouping(const struct cr_fleet_by *by)
{
	struct cr_profile *p = all_merged(by, 0);
	struct cr_text want = {0};

	stored_bytes(p, &want);
	cr_profile_free(p);
	for (uint64_t seed = 1; seed < 8; seed++) {
		struct cr_text have = {0};

		p = all_merged(by, seed);
		stored_bytes(p, &have);
		assert_int_equal(have.len, want.len);
		assert_memory_equal(have.p, want.p, want.len);
		cr_text_fini(&have);
		cr_profile_free(p);
	}
	cr_text_fini(&want);
}

static void
test_any_order_and_grouping_gives_the_same_profile(void **state)
{
	(void)state;
	any_order_and_grouping(NULL);
}

#define DAY_NS UINT64_C(86400000000000)

static const struct cr_fleet_by fleets[] = {
	{.comm = true},
	{.comm = false},
	{.comm = true, .keys = {{"host", 4}, {"tag.number", 10}}, .n_keys = 2},
	{.keys = {{"host", 4}}, .n_keys = 1, .bucket_ns = DAY_NS},
};

static void
test_any_order_and_grouping_gives_the_same_fleet(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(fleets) / sizeof(*fleets); i++)
		any_order_and_grouping(&fleets[i]);
}

static uint64_t
weight_of(const struct cr_profile *p)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->n_events; i++)
		sum += p->events[i].weight;
	return sum;
}

/* Of an event that counts samples, a row is as many samples as its weight. */
static uint64_t
samples_of(const struct cr_profile *p)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->n_events; i++)
		sum += cr_event_samples(&p->events[i]);
	return sum;
}

static void
test_a_fleet_has_the_weights_and_counts_of_its_recordings(void **state)
{
	struct cr_profile *plain = all_merged(NULL, 0);

	(void)state;
	for (size_t i = 0; i < sizeof(fleets) / sizeof(*fleets); i++) {
		struct cr_profile *p = all_merged(&fleets[i], 3);
		uint64_t rows = 0, effective = 0;
		struct cr_fleet f;

		for (uint64_t row = 0; row < p->samples.n; row++)
			rows += p->samples.weight[row];
		assert_int_equal(rows, weight_of(p));
		assert_int_equal(rows, weight_of(plain));
		assert_true(cr_fleet_of(p, &f));
		assert_int_equal(f.recordings, MANY);
		assert_int_equal(f.samples, samples_of(plain));
		for (uint32_t k = 0; k < f.n * f.n_events; k++)
			effective += f.counts[k].effective;
		assert_true(effective > 0 && effective <= f.samples);
		for (uint64_t row = 0; row < p->samples.n && fleets[i].bucket_ns; row++)
			assert_int_equal(p->samples.time_ns[row] % DAY_NS, 0);
		cr_fleet_fini(&f);
		cr_profile_free(p);
	}
	cr_profile_free(plain);
}

/* Adding p to a merge that folds by `by`, or to one that does not fold. */
static int
adding(const struct cr_fleet_by *by, const struct cr_profile *p)
{
	struct cr_merge *m = by ? cr_merge_new_fleet(by) : cr_merge_new();
	struct cr_err err = CR_ERR_INIT;
	const int rc = cr_merge_add(m, p, CR_STR("it"), &err);

	cr_merge_free(m);
	return rc;
}

static void
test_what_cannot_be_folded_is_refused(void **state)
{
	struct cr_profile *p = recording(0), *some[] = {recording(1), recording(2)}, *plain;
	const struct cr_profile dateless = {.n_spaces = 1};
	struct cr_location *no_functions;
	struct cr_profile damaged;
	struct cr_fleet f;

	(void)state;
	assert_int_equal(adding(&fleets[0], p), CR_EUNSUPPORTED); /* no default tree */
	cr_default_tree_make(p);
	p = merged_by(&fleets[0], &p, 1);
	assert_int_equal(adding(NULL, p), CR_EUNSUPPORTED);
	assert_int_equal(adding(&fleets[1], p), CR_EUNSUPPORTED);
	assert_int_equal(adding(&fleets[0], p), CR_OK);
	damaged = *p;
	damaged.locations = no_functions = calloc(p->n_locations, sizeof(*no_functions));
	assert_int_equal(adding(&fleets[0], &damaged), CR_EFORMAT);
	free(no_functions);
	damaged = *p;
	damaged.n_events = UINT32_MAX; /* far too many counts */
	assert_false(cr_fleet_of(&damaged, &f));
	cr_fleet_fini(&f);
	p->n_spaces++; /* its list of groups is wrong */
	assert_false(cr_fleet_of(p, &f));
	cr_fleet_fini(&f);
	assert_int_equal(adding(&fleets[0], p), CR_EFORMAT);
	cr_profile_free(p);
	plain = merged(some, 2);
	cr_default_tree_make(plain);
	assert_int_equal(adding(&fleets[0], plain), CR_EUNSUPPORTED);
	cr_profile_free(plain);
	assert_false(cr_fleet_of(&dateless, &f));
	cr_fleet_fini(&f);
}

/* ---- sums: what samples of a kind weigh, by what they are told by */

struct sum {
	uint64_t key, weight, samples;
};

typedef CR_VEC(struct sum) sum_vec;

static void
sum_add(sum_vec *sums, uint64_t key, uint64_t weight)
{
	for (size_t i = 0; i < sums->n; i++)
		if (sums->p[i].key == key) {
			sums->p[i].weight += weight;
			sums->p[i].samples++;
			return;
		}
	cr_vec_push(sums, ((struct sum){key, weight, 1}));
}

static int
sum_cmp(const void *x, const void *y)
{
	const struct sum *a = x, *b = y;

	return (a->key > b->key) - (a->key < b->key);
}

static uint64_t
key_str(uint64_t key, struct cr_str s)
{
	return cr_hash_mix(key, cr_hash(s.p, s.len));
}

/* A stack by names, dsos and lines; of user code with its addresses, absolute as they were. */
static uint64_t
key_stack(const struct cr_profile *p, uint64_t row)
{
	uint64_t key = 1;

	for (uint32_t node = p->samples.node[row]; node; node = p->node_parent[node]) {
		const struct cr_location *l = &p->locations[p->node_location[node]];
		const struct cr_dso *o = &p->dsos[l->dso.i];

		for (uint32_t i = l->first_line; i < l->first_line + l->lines; i++) {
			const struct cr_function *f = &p->functions[p->lines[i].function.i];

			key = key_str(key_str(key_str(key, f->name), cr_line_file(p, &p->lines[i])),
				f->linkage);
			key = cr_hash_mix(key, p->lines[i].line);
		}
		key = cr_hash_mix(key_str(key, o->name), cr_hash(o->build_id, o->build_id_len));
		if (o->kind == CR_KIND_USER)
			key = cr_hash_mix(key, cr_profile_ip(p, row, node));
	}
	return key;
}

static void
sum_up(const struct cr_profile *p, bool is_merge, sum_vec *sums)
{
	uint64_t *nth = calloc(p->n_events, sizeof(*nth));

	assert_non_null(nth);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const struct cr_event *e = &p->events[p->samples.event[i]];
		const struct cr_task *t = &p->tasks[p->samples.task[i]];
		/* In the merge two events are called cycles, and have their unit in their name. */
		uint64_t key = key_str(1, e->name.p[0] == 'c' ? CR_STR("cycles") : e->name);
		struct cr_str host = is_merge ? CR_STR("") : cr_profile_fact(p, "hostname");

		key = key_str(key, e->unit);
		key = key_str(
			cr_hash_mix(key, (uint64_t)(uint32_t)t->tid << 16 | p->samples.cpu[i]),
			t->comm);
		for (uint32_t d = 0; d < p->n_fields; d++) {
			const struct cr_field *field = &p->fields[d];
			const uint64_t v = field->event.i == p->samples.event[i]
						   ? field->value[nth[field->event.i]]
						   : 0;
			const bool none = field->event.i != p->samples.event[i] ||
					  v == cr_form_none((enum cr_form)field->form);

			if (none)
				continue;
			if (cr_str_eq(field->name, CR_STR("host")))
				host = p->texts[v];
			else if (field->form == CR_FORM_TEXT)
				key += key_str(7, p->texts[v]); /* in any order */
			else
				key += cr_hash_mix(8, v);
		}
		nth[p->samples.event[i]]++;
		sum_add(sums, cr_hash_mix(key_str(key, host), key_stack(p, i)),
			p->samples.weight[i]);
	}
	free(nth);
}

static void
test_what_is_merged_is_the_sum_of_what_was(void **state)
{
	struct cr_profile *p = all_merged(NULL, 3);
	sum_vec want = {0}, have = {0};
	struct cr_merge_inputs inputs;
	uint64_t lost = 0;

	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		struct cr_profile *one = recording(i);

		sum_up(one, false, &want);
		lost += cr_profile_fact(one, "hostname").len ? 0 : 1;
		cr_profile_free(one);
	}
	sum_up(p, true, &have);
	qsort(want.p, want.n, sizeof(*want.p), sum_cmp);
	qsort(have.p, have.n, sizeof(*have.p), sum_cmp);
	assert_int_equal(have.n, want.n);
	assert_true(want.n > 1000);
	assert_memory_equal(have.p, want.p, want.n * sizeof(*want.p));
	assert_int_equal(p->n_events, 3);
	assert_str(p->events[0].name, "cycles (cycles)");
	assert_str(p->events[1].name, "cycles (ns)");
	assert_str(p->events[2].name, "other");
	assert_int_equal(p->n_spaces, 2 * MANY);
	assert_str(cr_profile_fact(p, "hostname"), "db\x1b\t%, web1, web2");
	assert_str(cr_profile_fact(p, "arch"), "x86_64");
	assert_int_equal(cr_profile_fact(p, "tag.number").len, 0);
	assert_int_equal(p->n_quality, 2);
	assert_str(p->quality[0].what, "lost");
	assert_int_equal(p->quality[0].count, MANY * (MANY - 1) / 2);
	assert_str(p->quality[1].what, "merged profiles without times");
	assert_int_equal(p->quality[1].count, MANY / 5);
	cr_merge_inputs(p, &inputs);
	assert_int_equal(inputs.n, MANY);
	assert_int_equal(inputs.p[0].host.len, 0);
	assert_str(inputs.p[lost].host, "db\x1b\t%");
	assert_str(inputs.p[MANY - 1].host, "web2");
	cr_merge_inputs_fini(&inputs);
	cr_vec_fini(&want);
	cr_vec_fini(&have);
	cr_profile_free(p);
}

static void
test_a_kernel_loaded_elsewhere_is_the_same_code(void **state)
{
	struct cr_profile *p[] = {recording(0), recording(2)};
	uint32_t kernel = 0, own = 0;
	struct cr_profile *out;

	(void)state;
	for (uint32_t i = 0; i < p[0]->n_locations; i++)
		own += p[0]->dsos[p[0]->locations[i].dso.i].kind == CR_KIND_KERNEL;
	out = merged(p, 2);
	for (uint32_t i = 0; i < out->n_locations; i++)
		kernel += out->dsos[out->locations[i].dso.i].kind == CR_KIND_KERNEL;
	assert_int_equal(out->n_dsos, 3);
	assert_int_equal(kernel, own);
	cr_profile_free(out);
}

/* A list of inputs that is not of the tables it came with: the profile is one recording. */
static void
test_a_list_that_is_wrong_is_not_believed(void **state)
{
	static const char *const lists[] = {
		"00000000000000000000000000000000\t20\t2\t0\t0\t0\t\t\t\t\t\t\t\n",
		"x\n",
		"\n",
		"0",
		"00000000000000000000000000000000\t5\t1\t0\t0\t0\t\t\t\t\t\t\n000000000000000000000"
		"00000000000\t15\t1\t0\t0\t0\n",
		"00000000000000000000000000000000\t20\t4294967296\t0\t0\t0\t\t\t\t\t\t\t\n",
		"00000000000000000000000000000000\t99999999999999999999999\t2\t0\t0\t0\t\t\t\t\t\t"
		"\t\n",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(lists); i++) {
		struct cr_profile *p = recording(0);
		struct cr_fact *facts = calloc(p->n_facts + 1, sizeof(*facts));
		struct cr_merge_inputs inputs;
		struct cr_profile *out;

		assert_non_null(facts);
		memcpy(facts, p->facts, p->n_facts * sizeof(*facts));
		facts[p->n_facts] = (struct cr_fact){CR_STR("merge inputs"), cr_str_of(lists[i])};
		p->facts = cr_arena_adopt(&p->arena, facts);
		p->n_facts++;
		out = merged(&p, 1);
		cr_merge_inputs(out, &inputs);
		assert_int_equal(inputs.n, 1);
		assert_int_equal(inputs.p[0].samples, 20);
		cr_merge_inputs_fini(&inputs);
		cr_profile_free(out);
	}
}

/* Time on the CPU and, if `off`, off it, which is not in the profile otherwise. */
static struct cr_profile *
on_and_off(uint64_t weight, bool off)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	const cr_event_id events[] = {cr_builder_event(b, CR_STR("on"), CR_STR("ns")),
		cr_builder_event(b, CR_STR("off"), CR_STR("ns"))};
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_TIME);
	for (unsigned i = 0; i < 1u + off; i++)
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 5 + i,
					     .weight = weight,
					     .task = task,
					     .event = events[i]});
	if (off) {
		cr_builder_fact(b, "derived events", CR_STR("off"));
		cr_builder_wall(b, events[0], events[1]);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_the_sum_of_events_stays_where_all_have_it(void **state)
{
	struct cr_profile *all[] = {on_and_off(3, true), on_and_off(40, true), recording(1)};
	struct cr_profile *some[] = {on_and_off(3, true), on_and_off(40, false)};
	struct cr_profile *p = merged(all, 3);

	(void)state;
	assert_str(p->events[p->n_events - 1].name, "wall");
	assert_int_equal(p->events[p->n_events - 1].weight, 86);
	assert_str(cr_profile_fact(p, "wall"), "off + on");
	assert_str(cr_profile_fact(p, "derived events"), "off, wall");
	cr_profile_free(p);
	p = merged(some, 2);
	assert_int_equal(p->n_events, 2);
	assert_int_equal(cr_profile_fact(p, "wall").len, 0);
	assert_int_equal(p->n_quality, 1);
	all[0] = p; /* nor does it come back */
	all[1] = on_and_off(3, true);
	p = merged(all, 2);
	assert_int_equal(p->n_events, 2);
	assert_int_equal(p->n_quality, 1);
	cr_profile_free(p);
}

static void
test_nothing_makes_nothing(void **state)
{
	struct cr_merge *m = cr_merge_new();
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p, *out;

	(void)state;
	assert_int_equal(cr_merge_finish(m, &out, &err), CR_EUSAGE);
	p = recording(1);
	p->flags &= ~(uint32_t)CR_PROFILE_HAS_SAMPLES;
	assert_int_equal(cr_merge_add(m, p, CR_STR(""), &err), CR_EFORMAT);
	cr_profile_free(p);
	cr_merge_free(m);
	cr_merge_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_order_and_grouping_gives_the_same_profile),
		cmocka_unit_test(test_any_order_and_grouping_gives_the_same_fleet),
		cmocka_unit_test(test_a_fleet_has_the_weights_and_counts_of_its_recordings),
		cmocka_unit_test(test_what_cannot_be_folded_is_refused),
		cmocka_unit_test(test_what_is_merged_is_the_sum_of_what_was),
		cmocka_unit_test(test_a_kernel_loaded_elsewhere_is_the_same_code),
		cmocka_unit_test(test_a_list_that_is_wrong_is_not_believed),
		cmocka_unit_test(test_the_sum_of_events_stays_where_all_have_it),
		cmocka_unit_test(test_nothing_makes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
