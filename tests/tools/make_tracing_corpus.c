/*
 * Writes the seeds of tests/fuzz/corpus/fuzz_tracing: make_tracing_corpus FOLDER. Each is a payload
 * of TRACING_DATA, and behind it a record of 64 bytes. Build it with the flags of the unit tests
 * against libcresset.a.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/tracing_maker.h"

static const struct made_format plain[] = {
	{"ftrace", MADE_FORMAT("print", "5") MADE_FIELD("unsigned long ip", "8", "8", "0")
			   MADE_FIELD("char buf[]", "16", "0", "0")},
	{"sched", MADE_SCHED_SWITCH},
};

static const struct made_format arrays[] = {
	{"raw_syscalls", MADE_FORMAT("sys_enter", "22") MADE_FIELD("long id", "8", "8", "1")
				 MADE_FIELD("unsigned long args[6]", "16", "48", "0")},
	{"ipi", MADE_FORMAT("ipi_send_cpumask", "80") MADE_FIELD("__data_loc cpumask_t *[] cpumask",
			"8", "4", "0") MADE_FIELD("const void * callback", "16", "8", "0")},
	{"kprobes", MADE_FORMAT("open", "1195") MADE_FIELD("__data_loc char[] name", "8", "4", "1")
			    MADE_FIELD("__data_loc char[][3] names", "12", "12", "1")
				    MADE_FIELD("u16[4] x", "24", "8", "0")},
	{"user", MADE_FORMAT("message", "1300") MADE_FIELD("__rel_loc char[] text", "8", "4", "0")
			 MADE_FIELD("__rel_loc s32[] numbers", "12", "4", "1")},
};

/* Places of 8 and more bytes from 16 on, and something to be found there. */
static void
put_record(struct cr_text *t)
{
	for (uint32_t i = 0; i < 8; i++)
		made_u32(t, (8 + i) << 16 | 16);
	cr_text_put(t, "a name\0and its other half \xff\xfe...", 32);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		const struct made_format *formats;
		size_t n;
		bool foreign;
	} seeds[] = {
		{"plain", plain, CR_LEN(plain), false},
		{"foreign", plain, CR_LEN(plain), true},
		{"arrays", arrays, CR_LEN(arrays), false},
	};

	for (size_t i = 0; argc == 2 && i < CR_LEN(seeds); i++) {
		struct cr_text f = {0}, path = {0};
		FILE *out;

		made_foreign = seeds[i].foreign;
		made_tracing(&f, seeds[i].formats, seeds[i].n);
		put_record(&f);
		cr_text_printf(&path, "%s/%s", argv[1], seeds[i].name);
		if (!(out = fopen(path.p, "wb")) || fwrite(f.p, 1, f.len, out) != f.len ||
			fclose(out))
			return 1;
		cr_text_fini(&path);
		cr_text_fini(&f);
	}
	return argc != 2;
}
