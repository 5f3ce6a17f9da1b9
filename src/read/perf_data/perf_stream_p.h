#ifndef CR_READ_PERF_DATA_PERF_STREAM_P_H
#define CR_READ_PERF_DATA_PERF_STREAM_P_H

#include "base/log.h"
#include "bytes/cursor.h"
#include "bytes/inflate.h"

/*
 * The records of one file of a recording, first to last, whatever they are wrapped in. A
 * COMPRESSED record holds a piece of one long zstd stream, whose bytes are records again; these
 * come out where the COMPRESSED record stood, and the last of them may be continued by the next
 * piece.
 *
 *	outer   | MMAP2 | COMPRESSED | FINISHED_ROUND | COMPRESSED | ...
 *	inner           | SAMPLE | SAMPLE | SAM-        | -PLE | SAMPLE | ...
 *
 * Sources: tools/perf/Documentation/perf.data-file-format.txt, checked against real files.
 */
struct perf_record {
	const unsigned char *p; /* its header */
	struct cr_cursor body;  /* what follows the header */
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* with the header */
	bool packed;   /* it lies in the stream's chunk, not in the input */
};

#define PERF_RECORD_HEADER 8u

/*
 * Unpacked bytes: they stay until everything in them was delivered. The stream fills the newest
 * chunk and owns all of them.
 */
struct perf_chunk {
	struct perf_chunk *older;
	unsigned char *p;
	size_t len, cap;
	uint64_t newest; /* time of the newest record of it that waits to be delivered */
	bool keep;       /* something borrows from it to the end */
};

struct perf_stream {
	const unsigned char *start;    /* of the file: offsets count from here */
	const unsigned char *at, *end; /* what was not read yet of the outer records */
	const unsigned char *outer;    /* the outer record that the last one came out of */
	bool swap;                     /* the recorder's byte order is not ours */
	bool damaged;                  /* reading ended before the end */
	struct cr_inflate *z;
	struct cr_inflate_in
		packed; /* of the present COMPRESSED record: what is still to be unpacked */
	struct perf_chunk *chunk;
	size_t chunk_at;      /* how much of it was read */
	uint64_t chunk_bytes; /* of all chunks that there are */
	uint64_t packed_bytes, unpacked_bytes;
	uint64_t
		turn_bytes; /* for who takes turns between streams: how much was read in this one */
};

/* The records of a file lie between the offsets from and to, which are inside of it. */
void cr_perf_stream_init(
	struct perf_stream *s, const unsigned char *file, uint64_t from, uint64_t to, bool swap);
void cr_perf_stream_fini(struct perf_stream *s);

/*
 * The next record; false at the end or where damage makes it impossible to go on (s->damaged, told
 * in the log).
 */
bool cr_perf_stream_next(struct perf_stream *s, struct perf_record *out, struct cr_log *log);

/* The same without looking into COMPRESSED records. */
bool cr_perf_stream_outer(struct perf_stream *s, struct perf_record *out, struct cr_log *log);

/*
 * Step over bytes that follow the last record outside of its size; false if there are not so many.
 */
bool cr_perf_stream_skip(struct perf_stream *s, uint64_t bytes);
/* The same, and borrow them. */
struct cr_cursor cr_perf_stream_take(struct perf_stream *s, uint64_t bytes);

/* Offset in the file of the last record, or of the COMPRESSED record that it came out of. */
uint64_t cr_perf_stream_offset(const struct perf_stream *s);

/* Free the chunks whose records of up to this time were all delivered. */
void cr_perf_stream_delivered(struct perf_stream *s, uint64_t time);

/*
 * The record at p, which was one when it was read. False if it is not one any more: a file may
 * change.
 */
bool cr_perf_record_at(
	const unsigned char *p, const unsigned char *end, bool swap, struct perf_record *out);

#endif
