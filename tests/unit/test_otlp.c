#include "testing.h"

#include "bytes/otlp_fields.h"
#include "pprof_maker.h"
#include "testing_reader.h"

/* Texts of the dictionary. */
enum { NONE, CPU, NANOSECONDS, MAIN, WORK, FILE_C, PROG, KEY, TEXT, BUILD_ID, ID_HEX };
static const char *const texts[] = {"", "cpu", "nanoseconds", "main", "work", "a.c", "/bin/prog",
	"thread.id", "job", "process.executable.build_id.gnu", "0123456789abcdef"};

static void
fixed64(struct cr_text *t, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		cr_text_char(t, (char)(v >> 8 * i));
}

/* {1: key, 2: {kind: number}} */
static void
put_attribute(struct cr_text *dictionary, uint64_t key, uint32_t kind, uint64_t number)
{
	struct cr_text a = {0}, value = {0};

	made_number(&a, 1, key);
	made_number(&value, kind, number);
	made_message(&a, 2, &value);
	made_message(dictionary, CR_OTLP_ATTRIBUTE, &a);
}

static void
put_location(struct cr_text *dictionary, uint64_t mapping, uint64_t addr, uint64_t function)
{
	struct cr_text l = {0};

	made_number(&l, 1, mapping);
	made_number(&l, 2, addr);
	if (function)
		MADE(&l, 3, function, 7);
	made_message(dictionary, CR_OTLP_LOCATION, &l);
}

static void
put_stack(struct cr_text *dictionary, const uint64_t *location, size_t n, bool packed)
{
	struct cr_text s = {0};

	made_repeated(&s, 1, location, n, packed);
	made_message(dictionary, CR_OTLP_STACK, &s);
}

/*
 * Stacks 1: main;work, 2: main and an address of /bin/prog without a name. Attributes 1: thread 7,
 * 2: a text by index, 3: a build-id.
 */
static void
put_dictionary(struct cr_text *t, bool packed)
{
	struct cr_text d = {0}, m = {0};

	for (size_t i = 0; i < CR_LEN(texts); i++)
		made_bytes(&d, CR_OTLP_STRING, texts[i], strlen(texts[i]));
	for (uint32_t table = CR_OTLP_MAPPING; table < CR_OTLP_TABLES; table++)
		if (table != CR_OTLP_STRING)
			made_bytes(&d, table, "", 0);
	MADE(&d, CR_OTLP_FUNCTION, MAIN, 0, FILE_C);
	MADE(&d, CR_OTLP_FUNCTION, 0, WORK);
	for (uint32_t i = 0; i < 4; i++)
		made_number(&m, i + 1, (const uint64_t[]){0x400000, 0x500000, 0x1000, PROG}[i]);
	made_repeated(&m, 5, (const uint64_t[]){3}, 1, packed);
	made_message(&d, CR_OTLP_MAPPING, &m);
	put_location(&d, 1, 0, 1);
	put_location(&d, 1, 0, 2);
	put_location(&d, 1, 0x400123, 0);
	put_attribute(&d, KEY, CR_OTLP_INT, 7);
	put_attribute(&d, FILE_C, CR_OTLP_TEXT_INDEX, TEXT);
	put_attribute(&d, BUILD_ID, CR_OTLP_TEXT_INDEX, ID_HEX);
	put_stack(&d, (const uint64_t[]){2, 1}, 2, packed);
	put_stack(&d, (const uint64_t[]){3, 1}, 2, packed);
	made_message(t, CR_OTLP_DICTIONARY, &d);
}

struct seen {
	uint64_t stack;
	uint64_t attributes[2], n_attributes;
	uint64_t values[3], n_values;
	uint64_t times[3], n_times;
};

static void
put_sample(struct cr_text *profile, const struct seen *s, bool packed)
{
	struct cr_text t = {0}, times = {0};

	made_number(&t, 1, s->stack);
	made_repeated(&t, 2, s->attributes, s->n_attributes, packed);
	made_repeated(&t, 4, s->values, s->n_values, packed);
	for (uint64_t i = 0; i < s->n_times; i++)
		fixed64(&times, s->times[i]);
	made_message(&t, 5, &times);
	made_message(profile, CR_OTLP_SAMPLE, &t);
}

/* A resource with one profile of cpu time. */
static void
put_resource(struct cr_text *t, const char *service, const struct seen *s, size_t n, bool packed)
{
	struct cr_text resource = {0}, attribute = {0}, value = {0}, scope = {0}, profile = {0};
	struct cr_text profiles = {0};

	made_bytes(&attribute, 1, "service.name", 12);
	made_bytes(&value, CR_OTLP_TEXT, service, strlen(service));
	made_message(&attribute, 2, &value);
	made_message(&resource, 1, &attribute);
	made_message(&profiles, CR_OTLP_RESOURCE, &resource);
	MADE(&profile, CR_OTLP_TYPE, CPU, NANOSECONDS);
	for (size_t i = 0; i < n; i++)
		put_sample(&profile, &s[i], packed);
	made_varint(&profile, CR_OTLP_TIME << 3 | 1);
	fixed64(&profile, UINT64_C(1795172553000000000));
	made_number(&profile, CR_OTLP_DURATION, 1500000000);
	MADE(&profile, CR_OTLP_PERIOD_TYPE, CPU, NANOSECONDS);
	made_number(&profile, CR_OTLP_PERIOD, 10000000);
	made_message(&scope, CR_OTLP_PROFILE, &profile);
	made_message(&profiles, CR_OTLP_SCOPE_PROFILES, &scope);
	made_message(t, CR_OTLP_RESOURCE_PROFILES, &profiles);
}

static const struct seen usual[] = {
	{.stack = 1, .attributes = {1, 2}, .n_attributes = 2, .values = {30}, .n_values = 1},
	{.stack = 2, .values = {5, 6}, .n_values = 2, .times = {1000, 2000}, .n_times = 2},
	{.stack = 1, .times = {3000}, .n_times = 1}, /* counts 1 */
	{.stack = 0, .values = {4}, .n_values = 1},
};

static struct cr_profile *
read_made(struct cr_text *t, struct cr_log *log)
{
	struct cr_profile *p = testing_read("otlp", t->p, t->len, log);

	cr_text_fini(t);
	return p;
}

static void
test_a_file_says_the_same_in_any_order(void **state)
{
	(void)state;
	for (int how = 0; how < 4; how++) {
		const bool packed = how & 1;
		struct cr_text t = {0};
		struct cr_profile *p;
		struct cr_log log;

		if (how & 2)
			put_dictionary(&t, packed);
		put_resource(&t, "shop", usual, CR_LEN(usual), packed);
		if (!(how & 2))
			put_dictionary(&t, packed);
		p = read_made(&t, &log);
		assert_non_null(p);
		assert_int_equal(log.n, 0);
		assert_event(p, "cpu", "ns", "[no stack] 4\nmain;0x400123 11\nmain;work 31\n");
		cr_profile_free(p);
	}
}

static void
test_what_a_file_says_is_in_the_model(void **state)
{
	struct cr_text t = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	put_resource(&t, "shop", usual, CR_LEN(usual), true);
	put_dictionary(&t, true);
	p = read_made(&t, &log);
	assert_non_null(p);
	assert_int_equal(p->samples.n, 5);
	assert_int_equal(p->samples.time_ns[1], 1000);
	assert_int_equal(p->samples.time_ns[2], 2000);
	assert_int_equal(p->tasks[p->samples.task[0]].tid, 7);
	assert_int_equal(p->tasks[p->samples.task[1]].tid, -1);
	assert_field(p, "cpu", "a.c", 0, "job");
	assert_str(cr_profile_fact(p, "service"), "shop");
	assert_str(cr_profile_fact(p, "date"), "2026-11-20 11:02:33 UTC");
	assert_str(cr_profile_fact(p, "duration_ns"), "1500000000");
	assert_str(cr_profile_fact(p, "sampling"), "10000000 nanoseconds of cpu");
	for (uint32_t i = 0; i < p->n_dsos; i++)
		if (cr_str_eq(p->dsos[i].name, CR_STR("/bin/prog")))
			assert_int_equal(p->dsos[i].build_id_len, 8);
	assert_int_equal(cr_profile_ip(p, 1, p->samples.node[1]), 0x400123);
	cr_profile_free(p);
}

static void
test_samples_of_several_resources_name_theirs(void **state)
{
	struct cr_text t = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	put_resource(&t, "shop", usual, 1, true);
	put_resource(&t, "mail", usual, 1, true);
	put_dictionary(&t, true);
	p = read_made(&t, &log);
	assert_non_null(p);
	assert_int_equal(p->n_events, 1);
	assert_event(p, "cpu", "ns", "main;work 60\n");
	assert_field(p, "cpu", "service.name", 0, "shop");
	assert_field(p, "cpu", "service.name", 1, "mail");
	assert_str(cr_profile_fact(p, "service"), "");
	cr_profile_free(p);
}

static void
test_references_to_nothing_are_reported(void **state)
{
	static const struct {
		struct seen sample;
		const char *folded, *warning;
	} cases[] = {
		{{.stack = 9, .values = {1}, .n_values = 1}, "[no stack] 1\n",
			"references to missing stacks"},
		{{.stack = 1, .attributes = {77}, .n_attributes = 1, .values = {1}, .n_values = 1},
			"main;work 1\n", "references to missing attributes"},
		{{.stack = 1, .values = {1, 2}, .n_values = 2, .times = {1, 2, 3}, .n_times = 3},
			"main;work 3\n", "samples with another number of values than of times"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};
		struct cr_profile *p;
		struct cr_log log;

		put_resource(&t, "shop", &cases[i].sample, 1, true);
		put_dictionary(&t, true);
		p = read_made(&t, &log);
		assert_non_null(p);
		assert_event(p, "cpu", "ns", cases[i].folded);
		assert_int_equal(log.n, 1);
		assert_string_equal(log.entries[0].kind, cases[i].warning);
		assert_true(p->flags & CR_PROFILE_IN_PART);
		cr_profile_free(p);
	}
}

/* With the dictionary first, samples are kept as far as they go. */
static void
test_the_beginning_of_a_file_is_kept(void **state)
{
	struct cr_text t = {0};
	struct cr_profile *p;
	struct cr_log log;
	size_t whole;

	(void)state;
	put_dictionary(&t, true);
	whole = t.len;
	put_resource(&t, "shop", usual, CR_LEN(usual), true);
	p = testing_read("otlp", t.p, whole + (t.len - whole) * 3 / 4, &log);
	assert_non_null(p);
	assert_int_equal(p->samples.n, 4);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	cr_profile_free(p);
	cr_text_fini(&t);
}

/* Every beginning of a file is read as far as it goes, or refused. */
static void
test_a_file_may_end_anywhere(void **state)
{
	struct cr_text t = {0};

	(void)state;
	put_resource(&t, "shop", usual, CR_LEN(usual), true);
	put_dictionary(&t, true);
	for (size_t len = 0; len <= t.len; len++) {
		struct cr_log log;
		struct cr_profile *p = testing_read("otlp", t.p, len, &log);

		if (p && len < t.len && len > 2)
			assert_true(log.n > 0 || p->samples.n == 5);
		cr_profile_free(p);
	}
	cr_text_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_says_the_same_in_any_order),
		cmocka_unit_test(test_what_a_file_says_is_in_the_model),
		cmocka_unit_test(test_samples_of_several_resources_name_theirs),
		cmocka_unit_test(test_references_to_nothing_are_reported),
		cmocka_unit_test(test_the_beginning_of_a_file_is_kept),
		cmocka_unit_test(test_a_file_may_end_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
