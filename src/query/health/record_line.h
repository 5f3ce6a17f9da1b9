#ifndef CR_QUERY_HEALTH_RECORD_LINE_H
#define CR_QUERY_HEALTH_RECORD_LINE_H

#include "base/text.h"
#include "base/vec.h"

/*
 * The command line of a recording, as the fact "cmdline" has it, taken apart: the options of perf
 * record one by one, and behind them the program that was run. Everything borrows the text.
 *
 * Not understood is what is no `perf record` at all (simpleperf, perf mem record), and what has
 * an option that is not in the table and may or may not take the next word: where the program
 * begins would be a guess.
 */
enum cr_record_option {
	CR_RECORD_OTHER, /* of no interest here, kept as it is */
	CR_RECORD_ALL_CPUS,
	CR_RECORD_BUILD_IDS,  /* --buildid-mmap */
	CR_RECORD_CALL_GRAPH, /* -g too: then without a value */
	CR_RECORD_CLOCK,
	CR_RECORD_COMPRESS,
	CR_RECORD_COUNT,
	CR_RECORD_CPU,
	CR_RECORD_FREQ,
	CR_RECORD_MMAP,
	CR_RECORD_NO_BUILD_ID,
	CR_RECORD_TARGET, /* a process, thread or user that was there already */
	CR_RECORD_OPTIONS
};

struct cr_record_word {
	enum cr_record_option option;
	char letter;         /* 'F' of -F; 0 of a long option */
	struct cr_str name;  /* "freq" of --freq; "" of a letter */
	struct cr_str value; /* as in the text, with its quotes; "" for none */
	bool glued;          /* the value belongs in the same word: -z3, --threads=core */
	bool quoted;         /* the quotes were around the whole word: '-e{a,b}' */
};

struct cr_record_line {
	bool understood;
	CR_VEC(struct cr_record_word) words; /* in the order of the line */
	struct cr_str command; /* what was run, from "--" on where that stands; "" for nothing */
};

void cr_record_line_parse(struct cr_str cmdline, struct cr_record_line *out);
void cr_record_line_fini(struct cr_record_line *line);

/* The last word with this option, as perf heeds it; NULL for none. */
const struct cr_record_word *cr_record_line_find(
	const struct cr_record_line *line, enum cr_record_option option);

/* The word as a shell takes it, appended: "-F 999". */
void cr_record_word_put(const struct cr_record_word *w, struct cr_text *out);

#endif
