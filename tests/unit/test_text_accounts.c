#include "testing.h"

#include "base/mem.h"
#include "read/reader.h"

#include <dirent.h>
#include <stdio.h>

/*
 * No reader of a text drops a line without a word. Each is given every sample of its format that
 * the fuzz target of the text formats has, with a line that means nothing in every place: it must
 * be counted as not read, or as text of others, or what it says must be in the profile. A reader
 * without a sample fails. Whatever else is done to a text, its lines are used, told of or passed
 * over, each once.
 */
#define WORD "zqxunreadable"
#define SAMPLE_LINES_MOST 400

static const char *const unreadable[] = {
	WORD,
	WORD " of some kind",
	"  " WORD,
	"  " WORD " of some kind",
	"    " WORD " (x)",
	"              " WORD " of some kind",
	"\t" WORD,
	"\t" WORD " of some kind",
	"\t0x12zq " WORD " (/lib/x.so)",
	"\t12zq\t" WORD,
	"# " WORD "\t" WORD,
	"#1z " WORD,
};

struct sample {
	const struct cr_reader *reader;
	char *bytes;
	size_t len;
	char name[280];
};

/* What is known of one reading. */
struct account {
	int rc;
	uint64_t lines, used, told, passed; /* lines is 0 of a format that is not read by lines */
	uint64_t reported;                  /* whatever the log has */
	bool says_word;                     /* the profile does, or a line that is reported */
};

static bool
says_word(struct cr_str s)
{
	return s.len && memmem(s.p, s.len, WORD, strlen(WORD)) != NULL;
}

static bool
profile_says_word(const struct cr_profile *p)
{
	bool says = false;

	for (uint32_t i = 0; i < p->n_functions; i++)
		says |= says_word(p->functions[i].name) || says_word(p->functions[i].file);
	for (uint32_t i = 0; i < p->n_dsos; i++)
		says |= says_word(p->dsos[i].name);
	for (uint32_t i = 0; i < p->n_lines; i++)
		says |= says_word(p->lines[i].file);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		says |= says_word(p->tasks[i].comm);
	for (uint32_t i = 0; i < p->n_events; i++)
		says |= says_word(p->events[i].name) || says_word(p->events[i].unit);
	for (uint32_t i = 0; i < p->n_facts; i++)
		says |= says_word(p->facts[i].key) || says_word(p->facts[i].value);
	for (uint32_t i = 0; i < p->n_fields; i++)
		says |= says_word(p->fields[i].name);
	for (uint32_t i = 0; i < p->n_texts; i++)
		says |= says_word(p->texts[i]);
	return says;
}

static struct account
account_of(const struct cr_reader *reader, const char *bytes, size_t len, size_t piece_bytes)
{
	void *exact = testing_exact(bytes, len);
	const struct cr_input in = {.p = exact, .len = len};
	struct cr_log log = {0};
	const struct cr_read_opts opts = {.log = &log, .threads = 1, .piece_bytes = piece_bytes};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;
	struct account a = {.rc = reader->read(&in, b, &opts, &err)};

	if (a.rc == CR_OK && cr_builder_samples(b) == 0)
		a.rc = CR_EEMPTY; /* which is an error to whoever reads it */
	if (a.rc == CR_OK)
		a.rc = cr_builder_finish(b, &log, &p, &err);
	a.lines = log.lines;
	a.used = log.lines_used;
	a.told = log.lines_told;
	a.passed = log.lines_passed;
	for (size_t i = 0; i < log.n; i++)
		a.reported += log.entries[i].count;
	a.says_word = p && profile_says_word(p);
	for (size_t i = 0; i < log.n_places; i++)
		a.says_word |= says_word(cr_str_of(log.places[i].text));
	cr_profile_free(p);
	cr_builder_free(b);
	free(exact);
	return a;
}

static uint64_t
lines_present(const char *p, size_t len)
{
	uint64_t n = len && p[len - 1] != '\n';

	for (size_t i = 0; i < len; i++)
		n += p[i] == '\n';
	return n;
}

/* What was read by lines was read to its end, and every line has one fate. */
static void
assert_adds_up(const struct sample *s, const char *bytes, size_t len, const struct account *a)
{
	if (a->rc != CR_OK || a->lines == 0)
		return;
	if (a->lines == lines_present(bytes, len) && a->used + a->told + a->passed == a->lines)
		return;
	print_error("%s: %llu lines present, %llu read: %llu used, %llu told, %llu passed\n%.*s\n",
		s->name, (unsigned long long)lines_present(bytes, len),
		(unsigned long long)a->lines, (unsigned long long)a->used,
		(unsigned long long)a->told, (unsigned long long)a->passed, (int)len, bytes);
	fail();
}

/* ---- the samples */

static char *
file_read(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *bytes;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*len = (size_t)ftell(f);
	rewind(f);
	bytes = calloc(1, *len + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *len, f), *len);
	fclose(f);
	return bytes;
}

/* The first line of a file is the name of its reader. */
static bool
sample_open(struct sample *s, const char *directory, const char *name)
{
	char path[1200], reader[64];
	const char *lf;
	size_t len;
	char *all;

	if (name[0] == '.')
		return false;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	all = file_read(path, &len);
	lf = memchr(all, '\n', len);
	assert_non_null(lf);
	assert_true((size_t)(lf - all) < sizeof(reader));
	snprintf(reader, sizeof(reader), "%.*s", (int)(lf - all), all);
	s->reader = cr_reader_find(reader);
	s->len = len - (size_t)(lf + 1 - all);
	s->bytes = calloc(1, s->len + 1);
	assert_non_null(s->bytes);
	memcpy(s->bytes, lf + 1, s->len);
	snprintf(s->name, sizeof(s->name), "%s", name);
	free(all);
	if (s->reader)
		return true;
	free(s->bytes); /* left to detection */
	return false;
}

static bool
is_text(const struct cr_reader *r)
{
	return !(r->heads & CR_HEAD_BINARY);
}

static void
for_each_sample(void (*check)(const struct sample *s))
{
	bool seen[64] = {0};
	char directory[900];
	struct dirent *e;
	DIR *d;

	assert_non_null(getenv("SRC"));
	snprintf(directory, sizeof(directory), "%s/tests/fuzz/corpus/fuzz_text", getenv("SRC"));
	d = opendir(directory);
	assert_non_null(d);
	while ((e = readdir(d))) {
		struct sample s;

		if (!sample_open(&s, directory, e->d_name))
			continue;
		for (size_t i = 0; cr_reader_at(i); i++)
			seen[i] |= cr_reader_at(i) == s.reader;
		if (is_text(s.reader))
			check(&s);
		free(s.bytes);
	}
	closedir(d);
	for (size_t i = 0; cr_reader_at(i); i++) {
		assert_true(i < CR_LEN(seen));
		if (!seen[i] && is_text(cr_reader_at(i)))
			fail_msg("no sample for the reader %s in %s", cr_reader_at(i)->name,
				directory);
	}
}

/* ---- the checks */

static void
assert_no_silence(const struct sample *s, const struct account *good, size_t at, const char *line)
{
	const size_t n = strlen(line);
	char *bytes = calloc(1, s->len + n + 2);
	size_t len = at;
	struct account a;

	assert_non_null(bytes);
	memcpy(bytes, s->bytes, at);
	if (at && bytes[at - 1] != '\n')
		bytes[len++] = '\n';
	memcpy(bytes + len, line, n);
	len += n;
	bytes[len++] = '\n';
	memcpy(bytes + len, s->bytes + at, s->len - at);
	len += s->len - at;
	a = account_of(s->reader, bytes, len, 0);
	assert_adds_up(s, bytes, len, &a);
	if (a.rc == CR_OK && !a.says_word && a.reported <= good->reported && a.told <= good->told &&
		a.passed <= good->passed) {
		print_error("%s: \"%s\" at byte %zu is not in the profile, and nothing was said of "
			    "it\n",
			s->name, line, at);
		fail();
	}
	free(bytes);
}

static void
check_unreadable_lines(const struct sample *s)
{
	const struct account good = account_of(s->reader, s->bytes, s->len, 0);
	unsigned lines = 0;

	if (good.rc == CR_EEMPTY) /* a histogram: refused as a whole */
		return;
	assert_int_equal(good.rc, CR_OK);
	assert_adds_up(s, s->bytes, s->len, &good);
	for (size_t at = 0; at <= s->len; at++) {
		if (at && at < s->len && s->bytes[at - 1] != '\n')
			continue;
		assert_true(++lines < SAMPLE_LINES_MOST);
		for (size_t i = 0; i < CR_LEN(unreadable); i++)
			assert_no_silence(s, &good, at, unreadable[i]);
	}
}

static void
test_a_line_that_means_nothing_is_counted_in_every_place(void **state)
{
	(void)state;
	for_each_sample(check_unreadable_lines);
}

static void
check_cut_texts(const struct sample *s)
{
	for (size_t len = 0; len < s->len; len++) {
		const struct account a = account_of(s->reader, s->bytes, len, 0);

		assert_adds_up(s, s->bytes, len, &a);
	}
}

static void
test_lines_add_up_in_every_prefix(void **state)
{
	(void)state;
	for_each_sample(check_cut_texts);
}

static void
check_changed_texts(const struct sample *s)
{
	uint64_t seed = 13;

	for (unsigned i = 0; i < 300; i++) {
		char *bytes = testing_exact(s->bytes, s->len);
		struct account a;

		for (unsigned k = 0; s->len && k < 3; k++)
			bytes[testing_random(&seed) % s->len] =
				"\n\t 0x:[]();zq"[testing_random(&seed) % 13];
		a = account_of(s->reader, bytes, s->len, i % 2 ? 64 : 0);
		assert_adds_up(s, bytes, s->len, &a);
		free(bytes);
	}
}

static void
test_lines_add_up_in_damaged_texts(void **state)
{
	(void)state;
	for_each_sample(check_changed_texts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_line_that_means_nothing_is_counted_in_every_place),
		cmocka_unit_test(test_lines_add_up_in_every_prefix),
		cmocka_unit_test(test_lines_add_up_in_damaged_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
