#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_P_H

#include "base/str.h"
#include "model/build/builder.h"

/*
 * Parses the lines printed by perf script. Strings are borrowed from the line. Sources:
 * builtin-script.c and util/evsel_fprintf.c of perf 3.2 to 6.18, and their output.
 */
struct perf_script_header {
	struct cr_str who; /* comm, pid and tid, as at the start of the line */
	/* Number of bytes at its end that are "PID/TID" or "TID"; 0 if it is the comm alone. */
	uint32_t id_len;
	bool has_time, has_period;
	bool over;   /* the period exceeds 2^64 - 1, which is used instead */
	bool sure;   /* if false, it is a header only if a frame follows */
	bool record; /* no sample but another record: PERF_RECORD_MMAP ... */
	uint16_t cpu;
	uint64_t time_ns;
	uint64_t period;
	struct cr_str event; /* "" if the line has none */
	struct cr_str rest;  /* what follows the event */
};

/* Parse a header. False if it is none, as far as one line can tell. */
bool cr_perf_script_header(struct cr_str line, struct perf_script_header *h);

/* Accept a line as a header because of its time: no other line looks like that. */
bool cr_perf_script_header_timed(struct cr_str line, struct perf_script_header *h);

struct perf_script_who {
	struct cr_str comm; /* "" if the line has none */
	int32_t pid, tid;   /* -1 if unknown */
};

/* The thread that a header names. */
struct perf_script_who cr_perf_script_who(const struct perf_script_header *h);

/* A frame: "   ADDR NAME+0xOFFSET (DSO)". */
struct perf_script_line {
	struct cr_str addr; /* digits, maybe with leading blanks */
	struct cr_str text; /* what follows the blank after them */
};

#define PERF_SCRIPT_ADDR 16u /* width of the address as printed by perf, including leading blanks */

/*
 * True if p begins with blanks and then at least one digit, PERF_SCRIPT_ADDR bytes in all. All
 * bytes are compared at once, since this is most of what is read. False means unknown.
 */
static inline bool
perf_script_addr_padded(const char *p)
{
	typedef unsigned char bytes __attribute__((vector_size(PERF_SCRIPT_ADDR)));
	uint64_t blanks[2], known[2];
	bytes v, blank, digit;

	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	memcpy(&v, p, sizeof(v));
	blank = (bytes)(v == ' ');
	digit = (bytes)((v >= '0') & (v <= '9')) | (bytes)((v >= 'a') & (v <= 'f')) | blank;
	memcpy(blanks, &blank, sizeof(blanks));
	memcpy(known, &digit, sizeof(known));
	if ((known[0] & known[1]) != UINT64_MAX || (blanks[0] & (blanks[0] + 1)))
		return false;
	return blanks[1] == 0 || (blanks[0] == UINT64_MAX && blanks[1] != UINT64_MAX &&
					 !(blanks[1] & (blanks[1] + 1)));
}

/*
 * Parse a frame, also "ADDR<TAB>NAME (DSO)", as printed by older versions of simpleperf's
 * report_sample.py.
 */
bool cr_perf_script_line(struct cr_str line, struct perf_script_line *out);
/* Parse "\tWORD NAME (DSO)": a frame with a word as address, which becomes out->addr. */
bool cr_perf_script_line_word(struct cr_str line, struct perf_script_line *out);
/* Parse a frame at the end of a line that begins with something else, which becomes *before. */
bool cr_perf_script_line_at_end(
	struct cr_str rest, struct cr_str *before, struct perf_script_line *out);
uint64_t cr_perf_script_addr(struct cr_str addr);

struct perf_script_frame {
	struct cr_str name; /* "" if it has none */
	struct cr_str dso;  /* "" if there is none */
	uint64_t offset;    /* offset in the function */
};

/* Parse the text of a frame, "NAME+0xOFFSET (DSO)". What is missing is empty. */
void cr_perf_script_frame(struct cr_str text, struct perf_script_frame *out);
/* The kind of the dso in a frame with this name; CR_KIND_UNKNOWN if unknown. */
enum cr_kind cr_perf_script_kind(struct cr_str dso, struct cr_str name);
/* True if the function was inlined into that of the next line. */
bool cr_perf_script_inlined(struct cr_str text);

/*
 * True for lines in a sample that are no frames. Code: "\tADDR\tinsn: 48 89", "\tNAME:" of a branch
 * stack, "|12 x++;". Tail: what follows the frames: registers, branches, an instruction, addresses,
 * sizes.
 */
bool cr_perf_script_is_code(struct cr_str line);
bool cr_perf_script_is_tail(struct cr_str line);

/* True for "  file.c:12", "  dso[1f40]": the source line after a frame. */
bool cr_perf_script_is_source(struct cr_str line);
void cr_perf_script_source(struct cr_str line, struct cr_str *file, uint32_t *number);

/* Add the facts in the lines at the start that begin with '#'. */
void cr_perf_script_facts(const char *p, size_t len, struct cr_builder *b);

/* True if the line, which begins with '#', contains a fact. */
bool cr_perf_script_is_fact(struct cr_str line);

#endif
