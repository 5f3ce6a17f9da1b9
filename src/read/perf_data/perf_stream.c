#include "perf_stream_p.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_COMPRESSED = 81, TYPE_COMPRESSED2 = 83 };

#define CHUNK_BYTES ((size_t)1 << 20)
#define RATIO_MAX 256u                  /* real streams stay below 100 */
#define RATIO_FREE ((uint64_t)64 << 20) /* allowed for any input */

void
cr_perf_stream_init(
	struct perf_stream *s, const unsigned char *file, uint64_t from, uint64_t to, bool swap)
{
	*s = (struct perf_stream){.start = file,
		.at = file + from,
		.outer = file + from,
		.end = file + to,
		.swap = swap};
}

static void
chunk_free(struct perf_chunk *c)
{
	free(c->p);
	free(c);
}

void
cr_perf_stream_fini(struct perf_stream *s)
{
	while (s->chunk) {
		struct perf_chunk *older = s->chunk->older;

		chunk_free(s->chunk);
		s->chunk = older;
	}
	cr_inflate_free(s->z);
	s->z = NULL;
}

uint64_t
cr_perf_stream_offset(const struct perf_stream *s)
{
	return (uint64_t)(s->outer - s->start);
}

/* ---- inner records */

/* Start a chunk; the beginning of an incomplete record moves to it. */
static void
chunk_push(struct perf_stream *s)
{
	const size_t part = s->chunk ? s->chunk->len - s->chunk_at : 0;
	struct perf_chunk *c = cr_alloc(1, sizeof(*c));

	c->cap = CHUNK_BYTES;
	c->p = cr_realloc(NULL, c->cap, 1);
	if (part) {
		memcpy(c->p, s->chunk->p + s->chunk_at, part);
		s->chunk->len = s->chunk_at;
	}
	c->len = part;
	c->older = s->chunk;
	s->chunk = c;
	s->chunk_bytes += c->cap;
	s->chunk_at = 0;
}

static bool
grows_beyond_reason(const struct perf_stream *s)
{
	return s->unpacked_bytes > RATIO_FREE && s->unpacked_bytes / RATIO_MAX > s->packed_bytes;
}

/* Unpack more of the current COMPRESSED record. Returns false if there is no output. */
static bool
unpack_some(struct perf_stream *s, struct cr_log *log)
{
	size_t n = 0;

	if (s->damaged || !s->z)
		return false;
	if (!s->chunk || s->chunk->len == s->chunk->cap)
		chunk_push(s);
	if (!cr_inflate_some(s->z, &s->packed, s->chunk->p + s->chunk->len,
		    s->chunk->cap - s->chunk->len, &n)) {
		cr_log_warn(log, "damaged compressed records, the rest is lost",
			cr_perf_stream_offset(s), "%s", "");
		s->damaged = true;
	}
	s->chunk->len += n;
	s->unpacked_bytes += n;
	if (grows_beyond_reason(s)) {
		cr_log_warn(log, "compressed records expand too much, the rest is lost",
			cr_perf_stream_offset(s), "%" PRIu64 " bytes out of %" PRIu64,
			s->unpacked_bytes, s->packed_bytes);
		s->damaged = true;
	}
	return n > 0;
}

static bool
inner_whole(const struct perf_stream *s, struct perf_record *out)
{
	return s->chunk && cr_perf_record_at(s->chunk->p + s->chunk_at, s->chunk->p + s->chunk->len,
				   s->swap, out);
}

/* An impossible record size: the next record cannot be found. */
static bool
inner_bad(struct perf_stream *s, struct cr_log *log)
{
	const size_t left = s->chunk ? s->chunk->len - s->chunk_at : 0;
	struct cr_cursor c;

	if (left < PERF_RECORD_HEADER)
		return false;
	cr_cursor_init(&c, s->chunk->p + s->chunk_at, left);
	c.swap = s->swap;
	cr_cursor_skip(&c, 6);
	if (cr_cursor_u16(&c) >= PERF_RECORD_HEADER)
		return false;
	cr_log_warn(log, "damaged or cut record, the rest is lost", cr_perf_stream_offset(s),
		"in compressed records");
	s->damaged = true;
	return true;
}

static bool
inner_next(struct perf_stream *s, struct perf_record *out, struct cr_log *log)
{
	while (!inner_whole(s, out))
		if (inner_bad(s, log) || !unpack_some(s, log))
			return false;
	s->chunk_at += out->size;
	out->packed = true;
	return true;
}

/* ---- outer records */

bool
cr_perf_stream_outer(struct perf_stream *s, struct perf_record *out, struct cr_log *log)
{
	if (s->at == s->end)
		return false;
	s->outer = s->at;
	if (!cr_perf_record_at(s->at, s->end, s->swap, out)) {
		cr_log_warn(log, "damaged or cut record, the rest is lost",
			cr_perf_stream_offset(s), "%zu bytes from here on",
			(size_t)(s->end - s->at));
		s->damaged = true;
		return false;
	}
	s->at += out->size;
	s->turn_bytes += out->size;
	out->packed = false;
	return true;
}

/* Unpack the payload of a COMPRESSED record next. */
static void
packed_begin(struct perf_stream *s, const struct perf_record *rec, struct cr_log *log)
{
	struct cr_cursor c = rec->body;
	uint64_t len = cr_cursor_left(&c);

	if (rec->type == TYPE_COMPRESSED2)
		len = cr_cursor_u64(&c);
	if (len > cr_cursor_left(&c)) {
		cr_log_warn(log, "damaged compressed records, the rest is lost",
			cr_perf_stream_offset(s), "%" PRIu64 " bytes in a record of %u", len,
			rec->size);
		s->damaged = true;
		return;
	}
	if (!s->z && !(s->z = cr_inflate_new())) {
		cr_log_warn(log, "no memory to unpack records", cr_perf_stream_offset(s), "%s", "");
		s->damaged = true;
		return;
	}
	s->packed = (struct cr_inflate_in){c.p, (size_t)len};
	s->packed_bytes += len;
}

/* If the last record is incomplete, the next COMPRESSED record is missing. */
static void
end_check(struct perf_stream *s, struct cr_log *log)
{
	if (s->damaged || !s->chunk || s->chunk->len == s->chunk_at)
		return;
	cr_log_warn(log, "damaged or cut record, the rest is lost", cr_perf_stream_offset(s),
		"in compressed records");
	s->damaged = true;
}

bool
cr_perf_stream_next(struct perf_stream *s, struct perf_record *out, struct cr_log *log)
{
	for (;;) {
		if (s->z && inner_next(s, out, log))
			return true;
		if (s->damaged)
			return false;
		if (!cr_perf_stream_outer(s, out, log)) {
			end_check(s, log);
			return false;
		}
		if (out->type != TYPE_COMPRESSED && out->type != TYPE_COMPRESSED2)
			return true;
		packed_begin(s, out, log);
	}
}

struct cr_cursor
cr_perf_stream_read(struct perf_stream *s, uint64_t bytes)
{
	struct cr_cursor c = {.p = s->at, .start = s->at, .end = s->end, .swap = s->swap};
	const struct cr_cursor taken = cr_cursor_sub(&c, bytes);

	if (!taken.bad)
		s->at += bytes;
	return taken;
}

bool
cr_perf_stream_skip(struct perf_stream *s, uint64_t bytes)
{
	return !cr_perf_stream_read(s, bytes).bad;
}

void
cr_perf_stream_delivered(struct perf_stream *s, uint64_t time)
{
	/* The newest is still being filled. */
	struct perf_chunk **link = s->chunk ? &s->chunk->older : NULL;

	while (link && *link) {
		struct perf_chunk *c = *link;

		if (c->keep || c->newest > time) {
			link = &c->older;
			continue;
		}
		*link = c->older;
		s->chunk_bytes -= c->cap;
		chunk_free(c);
	}
}
