#ifndef CR_READ_PERF_SCRIPT_PERF_SCRIPT_P_H
#define CR_READ_PERF_SCRIPT_PERF_SCRIPT_P_H

#include "base/str.h"
#include "model/build/builder.h"

/*
 * The lines of what perf script prints. Strings are borrowed from the line. Sources:
 * builtin-script.c and util/evsel_fprintf.c of perf 3.2 to 6.18, and what they print.
 */
struct perf_script_header {
	struct cr_str who; /* comm, pid and tid, as they stand at the start of the line */
	uint32_t id_len;   /* so many bytes at its end are "PID/TID" or "TID"; 0 when it is the comm
			      alone */
	bool has_time, has_period;
	bool over;   /* the period is past 2^64 - 1, which it is taken for */
	bool sure;   /* else it is one only if a frame follows */
	bool record; /* of something else than a sample: PERF_RECORD_MMAP ... */
	uint16_t cpu;
	uint64_t time_ns;
	uint64_t period;
	struct cr_str event; /* "" when the line does not say */
	struct cr_str rest;  /* what stands behind it */
};

/* False when it is no such line, as far as that can be told without the next one. */
bool cr_perf_script_header(struct cr_str line, struct perf_script_header *h);

/* A header by its time alone: no other line looks like that. */
bool cr_perf_script_header_timed(struct cr_str line, struct perf_script_header *h);

struct perf_script_who {
	struct cr_str comm; /* "" when the line has none */
	int32_t pid, tid;   /* -1 when not known */
};

struct perf_script_who cr_perf_script_who(const struct perf_script_header *h);

/* A frame: "   ADDR NAME+0xOFFSET (OBJECT)". */
struct perf_script_line {
	struct cr_str addr; /* digits, maybe with blanks before */
	struct cr_str text; /* what follows the blank behind */
};

#define PERF_SCRIPT_ADDR 16u /* digits, blanks before them counted, as perf prints them */

/*
 * So many bytes are blanks, then at least one digit. They are looked at all at once, for it is most
 * of what is read. False says nothing.
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

/* Also "ADDR<TAB>NAME (OBJECT)", as older versions of simpleperf's report_sample.py print it. */
bool cr_perf_script_line(struct cr_str line, struct perf_script_line *out);
/* "\tWORD NAME (OBJECT)": a frame whose address is no number, which out->addr gets. */
bool cr_perf_script_line_word(struct cr_str line, struct perf_script_line *out);
/* The same at the end of a line that something else stands in first, which `before` gets. */
bool cr_perf_script_line_at_end(
	struct cr_str rest, struct cr_str *before, struct perf_script_line *out);
uint64_t cr_perf_script_addr(struct cr_str addr);

struct perf_script_frame {
	struct cr_str name; /* "" when it has none */
	struct cr_str dso;  /* "" when there is none */
	uint64_t offset;    /* in the function */
};

void cr_perf_script_frame(struct cr_str text, struct perf_script_frame *out);
/* What the dso of a frame of that name is; CR_KIND_UNKNOWN when nothing tells. */
enum cr_kind cr_perf_script_kind(struct cr_str dso, struct cr_str name);
/* The function was inlined into that of the next line. */
bool cr_perf_script_inlined(struct cr_str text);

/*
 * Lines in a sample that are no frames. Code: "\tADDR\tinsn: 48 89", "\tNAME:" of a branch stack,
 * "|12  x++;". Tail: what else a sample has, behind its frames: registers, branches, an
 * instruction, addresses, sizes.
 */
bool cr_perf_script_is_code(struct cr_str line);
bool cr_perf_script_is_tail(struct cr_str line);

/* "  file.c:12", "  dso[1f40]": the line behind a frame. */
bool cr_perf_script_is_source(struct cr_str line);
void cr_perf_script_source(struct cr_str line, struct cr_str *file, uint32_t *number);

/* What the lines that begin with '#' at the start say of the recording. */
void cr_perf_script_facts(const char *p, size_t len, struct cr_builder *b);

/* Is the line, which begins with '#', one of those that say something? */
bool cr_perf_script_is_fact(struct cr_str line);

#endif
