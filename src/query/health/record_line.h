#ifndef CR_QUERY_HEALTH_RECORD_LINE_H
#define CR_QUERY_HEALTH_RECORD_LINE_H

#include "base/text.h"
#include "base/vec.h"

/*
 * The command line of a recording, from the fact "cmdline", parsed: the options of perf record, and
 * the program that was run. Everything borrows the text.
 *
 * Other commands than `perf record` (simpleperf, perf mem record) are not understood. Nor are
 * lines with an unknown option: it may or may not take the next word, so the start of the program
 * would be a guess.
 */
enum cr_record_option {
	CR_RECORD_OTHER, /* kept unchanged */
	CR_RECORD_ALL_CPUS,
	CR_RECORD_BUILD_IDS,  /* --buildid-mmap */
	CR_RECORD_CALL_GRAPH, /* also -g, then without a value */
	CR_RECORD_CLOCK,
	CR_RECORD_COMPRESS,
	CR_RECORD_COUNT,
	CR_RECORD_CPU,
	CR_RECORD_FREQ,
	CR_RECORD_MMAP,
	CR_RECORD_NO_BUILD_ID,
	CR_RECORD_OUTPUT,
	CR_RECORD_TARGET, /* an existing process, thread or user */
	CR_RECORD_OPTIONS
};

struct cr_record_word {
	enum cr_record_option option;
	char letter;         /* 'F' for -F; 0 for a long option */
	struct cr_str name;  /* "freq" for --freq; "" for a letter */
	struct cr_str value; /* as in the text, with quotes; "" if none */
	bool glued;          /* the value is in the same word: -z3, --threads=core */
	bool quoted;         /* the whole word was quoted: '-e{a,b}' */
};

struct cr_record_line {
	bool understood;
	CR_VEC(struct cr_record_word) words; /* in the order of the line */
	/* The program that was run, from "--" if that is present; "" if none. */
	struct cr_str command;
};

/* Never fails: `understood` is false if the line is not understood. Borrows cmdline. */
void cr_record_line_parse(struct cr_str cmdline, struct cr_record_line *out);
void cr_record_line_fini(struct cr_record_line *line);

/* The last word with this option, which perf uses; NULL if none. */
const struct cr_record_word *cr_record_line_find(
	const struct cr_record_line *line, enum cr_record_option option);

/*
 * True if two lines record the same program in the same way: they are equal, or differ only in the
 * name of the file that perf writes (-o).
 */
bool cr_record_line_same(struct cr_str a, struct cr_str b);

/* Append the word in shell syntax: "-F 999". */
void cr_record_word_put(const struct cr_record_word *w, struct cr_text *out);

#endif
