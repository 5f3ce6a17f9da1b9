#ifndef CR_TRACING_MAKER_H
#define CR_TRACING_MAKER_H

#include "perf_maker.h"

/* The payload of the feature TRACING_DATA, in the byte order that made_foreign says. */
struct made_format {
	const char *system;
	const char *text;
};

/* The lines that every format has between its name and its own fields, and one line more. */
#define MADE_FORMAT(name, id)                                                          \
	"name: " name "\nID: " id "\nformat:\n"                                        \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define MADE_FIELD(declaration, offset, size, is_signed) \
	"\tfield:" declaration ";\toffset:" offset ";\tsize:" size ";\tsigned:" is_signed ";\n"

/* clang-format off */
#define MADE_SCHED_SWITCH \
	MADE_FORMAT("sched_switch", "316") \
	MADE_FIELD("char prev_comm[16]", "8", "16", "0") \
	MADE_FIELD("pid_t prev_pid", "24", "4", "1") \
	MADE_FIELD("int prev_prio", "28", "4", "1") \
	MADE_FIELD("long prev_state", "32", "8", "1") \
	MADE_FIELD("char next_comm[16]", "40", "16", "0") \
	MADE_FIELD("pid_t next_pid", "56", "4", "1") \
	MADE_FIELD("int next_prio", "60", "4", "1") \
	"\nprint fmt: \"prev_comm=%s ID: 9\", REC->prev_comm\n"
/* clang-format on */

static inline void
made_sized(struct cr_text *t, const char *s)
{
	made_u64(t, strlen(s));
	cr_text_puts(t, s);
}

/* What stands before the formats. */
static inline void
made_tracing_head(struct cr_text *t)
{
	const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != made_foreign;

	cr_text_puts(t, "\x17\x08"
			"Dtracing0.6");
	cr_text_put(t, big ? "\0\1\10" : "\0\0\10",
		3); /* the end of the version, byte order, size of a long */
	made_u32(t, 4096);
	cr_text_put(t, "header_page", 12);
	made_sized(t, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n");
	cr_text_put(t, "header_event", 13);
	made_sized(t, "# compressed entry header\n");
}

/* Formats of the system "ftrace" come first; the others have a system each, be it the same one. */
static inline void
made_tracing(struct cr_text *t, const struct made_format *f, size_t n)
{
	uint32_t n_ftrace = 0;

	made_tracing_head(t);
	while (n_ftrace < n && strcmp(f[n_ftrace].system, "ftrace") == 0)
		n_ftrace++;
	made_u32(t, n_ftrace);
	for (uint32_t i = 0; i < n_ftrace; i++)
		made_sized(t, f[i].text);
	made_u32(t, (uint32_t)n - n_ftrace);
	for (size_t i = n_ftrace; i < n; i++) {
		cr_text_put(t, f[i].system, strlen(f[i].system) + 1);
		made_u32(t, 1);
		made_sized(t, f[i].text);
	}
	made_u32(t, 0); /* kallsyms */
	made_u32(t, 0); /* formats of printk */
	made_u64(t, 0); /* names of tasks */
}

#endif
