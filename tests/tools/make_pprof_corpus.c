/*
 * Writes the seeds of tests/fuzz/corpus/fuzz_pprof: make_pprof_corpus FOLDER. Build it with the
 * flags of the unit tests against libcresset.a.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/pprof_maker.h"

static int
put(const char *directory, const char *name, struct cr_text *bytes)
{
	struct cr_text path = {0};
	FILE *out;
	bool ok;

	cr_text_printf(&path, "%s/%s", directory, name);
	out = fopen(path.p, "wb");
	ok = out && fwrite(bytes->p, 1, bytes->len, out) == bytes->len;
	ok = out && fclose(out) == 0 && ok;
	cr_text_fini(&path);
	cr_text_fini(bytes);
	return ok ? 0 : 1;
}

/* References to nothing, values below zero, ids twice, functions without one. */
static void
put_wrong(struct cr_text *t)
{
	made_strings(t, made_texts, sizeof(made_texts) / sizeof(*made_texts));
	MADE(t, 1, S_SAMPLES, S_COUNT);
	MADE(t, 1, S_SAMPLES, S_BYTES);
	made_sample(t, (const uint64_t[]){1, 9, 2}, 3, (const uint64_t[]){(uint64_t)-3, 5, 1}, 3,
		(const uint64_t[][3]){{S_KEY, S_A}, {S_KEY, 0, 7}, {0, S_B}, {99, 99}}, 4, true);
	made_location(t, 1, 7, 0x10, (const uint64_t[][2]){{2, 1}, {9, 1}}, 2);
	made_location(t, 1, 0, 0x20, NULL, 0);
	made_location(t, 2, 1, 0xffffffffffffffff, NULL, 0);
	MADE(t, 3, 1, 0x20, 0x10, 5, S_PROG, S_COMMENT);
	MADE(t, 5, 0, S_MAIN, 99);
	MADE(t, 5, 0, 0, S_OUTER, 99);
}

static void
put_words(struct cr_text *t)
{
	static const uint64_t words[] = {
		0, 3, 0, 10000, 0, 2, 2, 0x400010, 0x400020, 1, 1, 0x400010, 0, 1, 0};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		cr_text_put(t, &words[i], sizeof(words[i]));
	cr_text_puts(t, "00400000-00500000 r-xp 00000000 fd:01 12 /bin/prog\n00600000-00700000: "
			"/lib/x (@10) abcd\n");
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		struct made_how how;
	} good[] = {
		{"packed", {.packed = true}},
		{"one-by-one", {.packed = false, .main = S_SAMPLES}},
		{"strings-first", {.packed = true, .strings_first = true, .samples_last = true}},
		{"far-ids", {.packed = true, .id = UINT64_C(1) << 62}},
	};
	struct cr_text t = {0};
	int rc = argc != 2;

	for (size_t i = 0; !rc && i < sizeof(good) / sizeof(*good); i++) {
		made_profile(&t, &good[i].how);
		rc = put(argv[1], good[i].name, &t);
	}
	if (!rc) {
		put_wrong(&t);
		rc = put(argv[1], "wrong", &t);
	}
	if (!rc) {
		put_words(&t);
		rc = put(argv[1], "gperftools", &t);
	}
	return rc;
}
