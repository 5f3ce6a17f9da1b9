/*
 * Writes the seeds of tests/fuzz/corpus/fuzz_jitdump: make_jit_corpus FOLDER. Build it with the
 * flags of the unit tests against libcresset.a.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/jit_maker.h"

static void
all(struct made_jit *j)
{
	made_jit_all(j);
}

static void
all_foreign(struct made_jit *j)
{
	j->foreign = true;
	made_jit_all(j);
}

static void
one_time(struct made_jit *j)
{
	made_jit_header(j, 1, 1);
	for (uint64_t i = 0; i < 4; i++)
		made_jit_load(j, &(struct made_code){.time = 7,
					 .pid = 1,
					 .addr = 0x7000,
					 .size = i + 1,
					 .name = "_ZN1a1bEv"});
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(struct made_jit *);
	} seeds[] = {
		{"all", all},
		{"all-foreign", all_foreign},
		{"one-time", one_time},
	};

	for (size_t i = 0; argc == 2 && i < CR_LEN(seeds); i++) {
		struct made_jit j = {.foreign = false};
		struct cr_text path = {0};
		FILE *out;

		seeds[i].make(&j);
		cr_text_printf(&path, "%s/%s", argv[1], seeds[i].name);
		if (!(out = fopen(path.p, "wb")) || fwrite(j.t.p, 1, j.t.len, out) != j.t.len ||
			fclose(out))
			return 1;
		cr_text_fini(&path);
		cr_text_fini(&j.t);
	}
	return argc != 2;
}
