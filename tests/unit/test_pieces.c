#include "testing.h"

#include "testing_same.h"

#include "base/mem.h"
#include "read/kit/pieces_p.h"
#include "read/reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static struct cr_profile *
read_pieces(const char *format, const struct cr_text *text, unsigned threads, size_t piece_bytes,
	const struct cr_progress *progress, struct cr_log *log, int *rc)
{
	void *exact = testing_exact(text->p, text->len);
	const struct cr_input in = {.p = exact, .len = text->len};
	const struct cr_read_opts opts = {
		.log = log, .threads = threads, .piece_bytes = piece_bytes, .progress = progress};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;

	*log = (struct cr_log){0};
	*rc = cr_reader_find(format)->read(&in, b, &opts, &err);
	if (*rc == CR_OK)
		assert_int_equal(cr_builder_finish(b, log, &p, &err), CR_OK);
	cr_builder_free(b);
	free(exact);
	return p;
}

static void
put_perf(struct cr_text *t, uint64_t r, unsigned i)
{
	cr_text_printf(t, "prog %u 1/%u [%03u] %u.%06u: %s\n", (unsigned)(r & 1),
		(unsigned)(r >> 1 & 7), (unsigned)(r >> 4 & 3), i / 1000, i % 1000,
		r >> 6 & 3 ? "7 cycles: " : "sched:wake: comm=a pid=3");
	for (unsigned k = 0; k < (r >> 8 & 7); k++)
		cr_text_printf(t, "\t%16x f%u+0x%x (%s)\n", 64 - k, (unsigned)(r >> (12 + k) & 3),
			k, r >> (20 + k) & 1 ? "/x" : "inlined");
	if (r % 50 == 0)
		cr_text_puts(t, "\tbad frame\n");
	if (r % 31 == 0)
		cr_text_puts(t, "noise of some kind\n");
	if (r % 3)
		cr_text_puts(t, r % 7 ? "\n" : " ABI:2    AX:0x0\n");
}

static void
put_folded(struct cr_text *t, uint64_t r, unsigned i)
{
	(void)i;
	cr_text_printf(t, "a%u;b%u;c_[k] %u\n", (unsigned)(r & 7), (unsigned)(r >> 3 & 7),
		(unsigned)(r >> 6 & 15));
	if (r % 41 == 0)
		cr_text_puts(t, "no count\n");
}

static void
put_stap(struct cr_text *t, uint64_t r, unsigned i)
{
	(void)i;
	for (unsigned k = 0; k <= (r & 3); k++)
		cr_text_printf(t, " 0x%x : f%u+0x%x/0x100 [/usr/bin/x]\n", 4096 + k,
			(unsigned)(r >> (2 + k) & 7), k);
	cr_text_printf(t, "\t%u\n", (unsigned)(r >> 8 & 15));
}

static void
test_any_number_of_threads_and_any_size_of_pieces_give_the_same(void **state)
{
	static const struct {
		const char *format;
		void (*put)(struct cr_text *, uint64_t, unsigned);
	} formats[] = {
		{"perf", put_perf},
		{"folded", put_folded},
		{"stap", put_stap},
	};
	static const size_t sizes[] = {1, 37, 500, 4096};
	static const unsigned threads[] = {1, 2, 5};

	(void)state;
	for (size_t f = 0; f < CR_LEN(formats); f++) {
		struct cr_text text = {0};
		struct cr_profile *whole;
		struct cr_log first, log;
		uint64_t seed = 8;
		int rc;

		for (unsigned i = 0; i < 400; i++)
			formats[f].put(&text, testing_random(&seed), i);
		whole = read_pieces(formats[f].format, &text, 1, 0, NULL, &first, &rc);
		assert_int_equal(rc, CR_OK);
		for (size_t i = 0; i < CR_LEN(sizes) * CR_LEN(threads); i++) {
			struct cr_profile *p =
				read_pieces(formats[f].format, &text, threads[i % CR_LEN(threads)],
					sizes[i / CR_LEN(threads)], NULL, &log, &rc);

			assert_same_profile(whole, p);
			assert_int_equal(first.n, log.n);
			assert_int_equal(first.n_places, log.n_places);
			for (size_t k = 0; k < log.n; k++) {
				assert_string_equal(first.entries[k].kind, log.entries[k].kind);
				assert_int_equal(first.entries[k].count, log.entries[k].count);
				assert_int_equal(first.entries[k].line, log.entries[k].line);
			}
			for (size_t k = 0; k < log.n_places; k++)
				assert_int_equal(first.places[k].line, log.places[k].line);
			cr_profile_free(p);
		}
		cr_profile_free(whole);
		cr_text_fini(&text);
	}
}

static bool
stop_soon(void *user, const char *what, uint64_t done, uint64_t whole)
{
	unsigned *steps = user;

	(void)what;
	return done <= whole && --*steps;
}

static void
test_reading_stops_when_nobody_waits(void **state)
{
	/* Of several threads the others may be through before this one asks a second time. */
	static const struct {
		unsigned threads, steps;
	} cases[] = {{1, 3}, {3, 1}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		unsigned steps = cases[i].steps;
		const struct cr_progress progress = {stop_soon, &steps};
		struct cr_text text = {0};
		struct cr_log log;
		int rc;

		for (unsigned k = 0; k < 200; k++)
			cr_text_printf(&text, "a %u 1.000001: cycles: \n\t10 f (/x)\n\n", k);
		assert_null(read_pieces("perf", &text, cases[i].threads, 10, &progress, &log, &rc));
		assert_int_equal(rc, CR_ECANCEL);
		assert_int_equal(steps, 0);
		cr_text_fini(&text);
	}
}

/* ---- a format of one name in each line, whose readers are counted */

static size_t
names_cut(const char *p, size_t from, size_t len, const void *shared)
{
	const char *end = memchr(p + from, '\n', len - from);

	(void)shared;
	return end ? (size_t)(end - p) + 1 : len;
}

static void *
names_open(struct cr_builder *b, const void *shared)
{
	atomic_uint *const *opened = shared;

	cr_builder_event(b, CR_STR("e"), CR_STR("samples"));
	cr_builder_task(b, -1, -1, CR_STR(""), cr_builder_address_space(b));
	atomic_fetch_add(*opened, 1);
	return malloc(1);
}

static void
names_read(void *state, const struct cr_piece *piece)
{
	(void)state;
	for (const char *p = piece->p, *end; p < piece->end; p = end + 1) {
		cr_node_id node;

		end = memchr(p, '\n', (size_t)(piece->end - p));
		node = cr_builder_push(piece->b, CR_ROOT,
			cr_builder_named(
				piece->b, (struct cr_str){p, (uint32_t)(end - p)}, CR_DSO_UNKNOWN));
		cr_builder_sample(piece->b,
			&(struct cr_sample){.weight = 1, .node = node, .cpu = CR_CPU_NONE});
	}
}

/* The number of readers that it took; *out is the profile. */
static unsigned
count_readers(const struct cr_text *text, unsigned threads, struct cr_profile **out)
{
	static const struct cr_pieces names = {names_cut, names_open, names_read, free};
	const struct cr_input in = {.p = (const void *)text->p, .len = text->len};
	struct cr_log log = {0};
	const struct cr_read_opts opts = {.log = &log, .threads = threads, .piece_bytes = 4000};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	atomic_uint opened = 0;
	atomic_uint *const shared = &opened;

	assert_int_equal(cr_pieces_run(&names, &shared, &in, 0, b, &opts, &err), CR_OK);
	assert_int_equal(cr_builder_finish(b, &log, out, &err), CR_OK);
	cr_builder_free(b);
	return atomic_load(&opened);
}

/* Appending what is all new takes as long as reading it, so one thread reads it alone. */
static void
test_threads_share_only_what_is_known(void **state)
{
	struct cr_text text = {0};
	struct cr_profile *alone, *shared;

	(void)state;
	for (unsigned i = 0; i < 5000; i++)
		cr_text_printf(&text, "%u\n", i);
	assert_int_equal(count_readers(&text, 1, &alone), 1);
	assert_int_equal(count_readers(&text, 3, &shared), 1);
	assert_same_profile(alone, shared);
	cr_profile_free(alone);
	cr_profile_free(shared);
	for (unsigned i = 0; i < 20000; i++)
		cr_text_puts(&text, "123\n");
	for (unsigned i = 5000; i < 10000; i++)
		cr_text_printf(&text, "%u\n", i);
	assert_int_equal(count_readers(&text, 1, &alone), 1);
	assert_true(count_readers(&text, 3, &shared) > 1);
	assert_same_profile(alone, shared);
	cr_profile_free(alone);
	cr_profile_free(shared);
	cr_text_fini(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_number_of_threads_and_any_size_of_pieces_give_the_same),
		cmocka_unit_test(test_reading_stops_when_nobody_waits),
		cmocka_unit_test(test_threads_share_only_what_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
