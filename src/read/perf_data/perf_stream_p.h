#ifndef CR_READ_PERF_DATA_PERF_STREAM_P_H
#define CR_READ_PERF_DATA_PERF_STREAM_P_H

#include "base/log.h"
#include "bytes/cursor.h"
#include "bytes/inflate.h"

/*
 * The records of one file of a recording, in order, unpacked. A COMPRESSED record contains a piece
 * of one long zstd stream, whose content is records again. They are returned at the position of the
 * COMPRESSED record. The last of them may be continued in the next piece.
 *
 *	outer   | MMAP2 | COMPRESSED | FINISHED_ROUND | COMPRESSED | ...
 *	inner           | SAMPLE | SAMPLE | SAM-        | -PLE | SAMPLE | ...
 *
 * Sources: tools/perf/Documentation/perf.data-file-format.txt, checked with real files.
 */
struct perf_record {
	const unsigned char *p; /* its header */
	struct cr_cursor body;  /* what follows the header */
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* including the header */
	bool packed;   /* it is in the stream's chunk, not in the input */
};

#define PERF_RECORD_HEADER 8u

/*
 * Unpacked bytes, kept until all records in them were delivered. The stream fills the newest chunk
 * and owns all of them.
 */
struct perf_chunk {
	struct perf_chunk *older;
	unsigned char *p;
	size_t len, cap;
	uint64_t newest; /* time of its newest record that waits for delivery */
	bool keep;       /* something borrows from it until the end */
};

struct perf_stream {
	const unsigned char *start;    /* of the file: offsets count from here */
	const unsigned char *at, *end; /* unread part of the outer records */
	const unsigned char *outer;    /* the outer record that contains the last record returned */
	bool swap;                     /* the recorder's byte order differs from ours */
	bool damaged;                  /* reading stopped because of damage */
	struct cr_inflate *z;
	struct cr_inflate_in packed; /* of the current COMPRESSED record: not unpacked yet */
	struct perf_chunk *chunk;
	size_t chunk_at;      /* number of bytes of the chunk that were read */
	uint64_t chunk_bytes; /* total size of all chunks */
	uint64_t packed_bytes, unpacked_bytes;
	/* For callers that alternate between streams: number of bytes read in this turn. */
	uint64_t turn_bytes;
};

/* The records of a file are between the offsets from and to, which are inside it. */
void cr_perf_stream_init(
	struct perf_stream *s, const unsigned char *file, uint64_t from, uint64_t to, bool swap);
void cr_perf_stream_fini(struct perf_stream *s);

/*
 * Return the next record; false at the end, or if damage makes it impossible to continue
 * (s->damaged is set, and it is logged).
 */
bool cr_perf_stream_next(struct perf_stream *s, struct perf_record *out, struct cr_log *log);

/* The same, without unpacking COMPRESSED records. */
bool cr_perf_stream_outer(struct perf_stream *s, struct perf_record *out, struct cr_log *log);

/* Skip bytes after the last record that its size does not include; false if there are fewer. */
bool cr_perf_stream_skip(struct perf_stream *s, uint64_t bytes);
/* The same, and return them, borrowed. */
struct cr_cursor cr_perf_stream_read(struct perf_stream *s, uint64_t bytes);

/* Offset in the file of the last record, or of the COMPRESSED record that contains it. */
uint64_t cr_perf_stream_offset(const struct perf_stream *s);

/* Free the chunks whose records, up to this time, were all delivered. */
void cr_perf_stream_delivered(struct perf_stream *s, uint64_t time);

/*
 * The record at p, where a record was read before. Returns false if it is none any more: the file
 * may have changed.
 */
static inline bool
cr_perf_record_at(
	const unsigned char *p, const unsigned char *end, bool swap, struct perf_record *out)
{
	struct cr_cursor c = {.p = p, .start = p, .end = end, .swap = swap};
	const unsigned char *head = cr_cursor_take(&c, PERF_RECORD_HEADER);
	struct {
		uint32_t type;
		uint16_t misc, size;
	} h;

	if (!head)
		return false;
	memcpy(&h, head, sizeof(h));
	out->p = p;
	out->type = swap ? __builtin_bswap32(h.type) : h.type;
	out->misc = swap ? __builtin_bswap16(h.misc) : h.misc;
	out->size = swap ? __builtin_bswap16(h.size) : h.size;
	if (out->size < PERF_RECORD_HEADER)
		return false;
	out->body = cr_cursor_sub(&c, out->size - PERF_RECORD_HEADER);
	return !c.bad;
}

#endif
