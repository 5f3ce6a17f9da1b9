#include "testing.h"

#include "bytes/otlp_fields.h"
#include "model/build/string_table.h"
#include "pprof_maker.h"
#include "testing_reader.h"

/* A name in a string table is read once, however often rows refer to it: bytes are counted. */
#define NAME_BYTES ((size_t)50000)
#define USES 200u

uint64_t __real_cr_hash(const void *p, size_t len);
uint64_t __wrap_cr_hash(const void *p, size_t len);

static uint64_t hashed_bytes;

uint64_t
__wrap_cr_hash(const void *p, size_t len)
{
	hashed_bytes += len;
	return __real_cr_hash(p, len);
}

/* The name that consists of this letter, borrowed until the next call. */
static const char *
long_name(char letter)
{
	static char name[NAME_BYTES + 1];

	memset(name, letter, NAME_BYTES);
	return name;
}

/* Five names at most, and each at most twice: as a string and as what it names. */
static void
assert_reads_names_once(const char *format, struct cr_text *text)
{
	struct cr_log log;
	struct cr_profile *p;

	hashed_bytes = 0;
	p = testing_read(format, text->p, text->len, &log);
	assert_non_null(p);
	assert_true(hashed_bytes < 11 * NAME_BYTES);
	cr_profile_free(p);
	cr_text_fini(text);
}

static void
test_pprof_reads_each_string_once(void **state)
{
	static const char letters[] = "ABCD";
	struct cr_text t = {0};

	(void)state;
	MADE(&t, 1, 1, 2);
	for (uint64_t i = 1; i <= USES; i++) {
		made_location(&t, i, i, 0, (const uint64_t[][2]){{i, i}}, 1);
		MADE(&t, 3, i, i * 16, i * 16 + 16, 0, 6);
		MADE(&t, 5, i, 3, 3, 4);
		made_sample(&t, &i, 1, (const uint64_t[]){1}, 1,
			(const uint64_t[][3]){{7, 5}, {5, 3}}, 2, true);
	}
	made_strings(&t, (const char *const[]){"", "samples", "count"}, 3);
	for (size_t i = 0; i < sizeof(letters) - 1; i++)
		made_bytes(&t, 6, long_name(letters[i]), NAME_BYTES);
	made_strings(&t, (const char *const[]){"thread"}, 1);
	assert_reads_names_once("pprof", &t);
}

static void
test_otlp_reads_each_string_once(void **state)
{
	struct cr_text t = {0}, d = {0}, resource = {0}, scope = {0}, profile = {0};

	(void)state;
	for (uint32_t table = CR_OTLP_MAPPING; table < CR_OTLP_TABLES; table++)
		made_bytes(&d, table, "", 0);
	made_bytes(&d, CR_OTLP_STRING, "samples", 7);
	made_bytes(&d, CR_OTLP_STRING, long_name('n'), NAME_BYTES);
	made_bytes(&d, CR_OTLP_STRING, long_name('f'), NAME_BYTES);
	MADE(&profile, 1, 1, 1);
	for (uint64_t i = 1; i <= USES; i++) {
		struct cr_text location = {0}, stack = {0}, sample = {0};

		MADE(&d, CR_OTLP_FUNCTION, 2, 0, 3);
		MADE(&location, 3, i, i);
		made_message(&d, CR_OTLP_LOCATION, &location);
		made_repeated(&stack, 1, &i, 1, true);
		made_message(&d, CR_OTLP_STACK, &stack);
		made_number(&sample, 1, i);
		made_repeated(&sample, 4, (const uint64_t[]){1}, 1, true);
		made_message(&profile, CR_OTLP_SAMPLE, &sample);
	}
	made_message(&scope, 2, &profile);
	made_message(&resource, 2, &scope);
	made_message(&t, 1, &resource);
	made_message(&t, CR_OTLP_DICTIONARY, &d);
	assert_reads_names_once("otlp", &t);
}

static void
test_firefox_reads_each_string_once(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_text_puts(&t, "{\"meta\":{\"preprocessedProfileVersion\":66,\"interval\":1},\"libs\":[],"
			 "\"shared\":{\"stringArray\":[\"\\\\");
	cr_text_puts(&t, long_name('n'));
	cr_text_puts(&t, "\",\"");
	cr_text_puts(&t, long_name('f'));
	cr_text_puts(&t, "\"],\"stackTable\":{\"frame\":[0");
	for (unsigned i = 1; i < USES; i++)
		cr_text_printf(&t, ",%u", i);
	cr_text_puts(&t, "],\"prefixOffset\":[null");
	for (unsigned i = 1; i < USES; i++)
		cr_text_puts(&t, ",null");
	cr_text_puts(&t, "]},\"frameTable\":{\"func\":[0");
	for (unsigned i = 1; i < USES; i++)
		cr_text_puts(&t, ",0");
	cr_text_puts(&t, "],\"line\":[1");
	for (unsigned i = 1; i < USES; i++)
		cr_text_printf(&t, ",%u", i + 1);
	cr_text_puts(&t, "]},\"funcTable\":{\"name\":[0],\"resource\":[-1],\"source\":[0]},"
			 "\"resourceTable\":{\"lib\":[]},\"sources\":{\"filename\":[1]}},"
			 "\"threads\":[{\"name\":\"t\",\"pid\":1,\"tid\":1,"
			 "\"samples\":{\"stack\":[0,1,2],\"time\":[1,2,3]}}]}");
	assert_reads_names_once("firefox", &t);
}

static void
test_callgrind_reads_each_numbered_name_once(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_text_puts(&t, "events: Ir\nfl=(1) ");
	cr_text_puts(&t, long_name('f'));
	cr_text_puts(&t, "\nfn=(1) ");
	cr_text_puts(&t, long_name('n'));
	cr_text_puts(&t, "\nob=(1) ");
	cr_text_puts(&t, long_name('o'));
	cr_text_char(&t, '\n');
	for (unsigned i = 1; i <= USES; i++)
		cr_text_printf(&t, "%u 1\n%s", i, i % 10 ? "" : "fn=(1)\n");
	assert_reads_names_once("callgrind", &t);
}

static void
test_gocount_reads_each_symbol_once(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_text_printf(&t, "goroutine profile: total %u\n", USES);
	for (unsigned i = 1; i <= USES; i++)
		cr_text_printf(&t, "1 @ 0x10 0x%x\n", i * 16 + 1024);
	cr_text_puts(&t, "\n--- symbol\n0x10 ");
	cr_text_puts(&t, long_name('n'));
	cr_text_char(&t, '\n');
	assert_reads_names_once("gocount", &t);
}

static void
test_a_long_string_is_found_by_its_address_and_by_its_bytes(void **state)
{
	struct cr_strings t = {0};
	struct cr_arena arena = {0};
	const struct cr_str a = {long_name('a'), NAME_BYTES};
	const struct cr_str kept = cr_strings_keep(&t, &arena, a);

	(void)state;
	hashed_bytes = 0;
	assert_int_equal(cr_strings_intern(&t, &arena, kept), 0);
	assert_int_equal(hashed_bytes, 0);
	assert_int_equal(cr_strings_intern(&t, &arena, a), 0);
	assert_int_equal(hashed_bytes, NAME_BYTES);
	/* What begins at the same address is another string. */
	assert_int_equal(cr_strings_intern(&t, &arena, (struct cr_str){kept.p, kept.len - 1}), 1);
	assert_int_equal(
		cr_strings_intern(&t, &arena, (struct cr_str){kept.p, CR_STRINGS_LONG - 1}), 2);
	assert_int_equal(t.rows.n, 3);
	cr_strings_fini(&t);
	cr_arena_fini(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pprof_reads_each_string_once),
		cmocka_unit_test(test_otlp_reads_each_string_once),
		cmocka_unit_test(test_firefox_reads_each_string_once),
		cmocka_unit_test(test_callgrind_reads_each_numbered_name_once),
		cmocka_unit_test(test_gocount_reads_each_symbol_once),
		cmocka_unit_test(test_a_long_string_is_found_by_its_address_and_by_its_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
