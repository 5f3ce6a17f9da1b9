#ifndef CR_PERF_CONTAINERS_H
#define CR_PERF_CONTAINERS_H

#include <zstd.h>

#include "perf_maker.h"

/*
 * What perf_maker.h made, in the other things that recordings come in:
 *
 *	made_pack(&m.records, MADE_COMPRESSED, 100);     record -z: before it goes into a file or a
 *	                                                 pipe
 *	made_deal(&m, streams, n);                 record --threads: samples into files of their own
 *	file = made_pipe_file(&m);                       record -o -: instead of made_file()
 */

static inline uint16_t
made_size_at(const char *p)
{
	uint16_t size;

	memcpy(&size, p + 6, 2);
	return made_foreign ? __builtin_bswap16(size) : size;
}

static inline uint32_t
made_type_at(const char *p)
{
	uint32_t type;

	memcpy(&type, p, 4);
	return made_foreign ? __builtin_bswap32(type) : type;
}

/* ---- packed */

/*
 * One record of what zstd has for a piece. Its place in the stream is anywhere: 81 has no padding.
 */
static inline void
made_packed_record(struct cr_text *out, uint32_t type, const char *p, size_t len)
{
	const size_t pad = type == MADE_COMPRESSED2 ? (8 - len % 8) % 8 : 0;

	made_u32(out, type);
	made_u16(out, 0);
	made_u16(out, (uint16_t)(8 + len + (type == MADE_COMPRESSED2 ? 8 : 0) + pad));
	if (type == MADE_COMPRESSED2)
		made_u64(out, len);
	cr_text_put(out, p, len);
	cr_text_pad(out, '\0', pad);
}

/* All of it through the stream z, which is flushed after each piece and never finished. */
static inline void
made_pack_run(
	struct cr_text *out, ZSTD_CCtx *z, uint32_t type, const char *p, size_t len, size_t piece)
{
	for (size_t done = 0; done < len;) {
		const size_t n = CR_MIN(piece, len - done);
		char room[70000];
		ZSTD_inBuffer from = {p + done, n, 0};
		ZSTD_outBuffer to = {room, sizeof(room), 0};

		while (ZSTD_compressStream2(z, &to, &from, ZSTD_e_flush))
			;
		made_packed_record(out, type, room, to.pos);
		done += n;
	}
}

/*
 * The kernel's records into COMPRESSED ones, of type 81 or 83, a piece of so many bytes each: the
 * records go over their borders. The recorder's own records stay where they are, outside.
 */
static inline void
made_pack(struct cr_text *records, uint32_t type, size_t piece)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	struct cr_text out = {0};
	size_t from = 0, at = 0;

	while (at < records->len) {
		const size_t size = made_size_at(records->p + at);

		if (made_type_at(records->p + at) >= 64) {
			made_pack_run(&out, z, type, records->p + from, at - from, piece);
			cr_text_put(&out, records->p + at, size);
			from = at + size;
		}
		at += size;
	}
	if (at > from)
		made_pack_run(&out, z, type, records->p + from, at - from, piece);
	ZSTD_freeCCtx(z);
	cr_text_fini(records);
	*records = out;
}

/* ---- in several files */

/* Samples into n files of their own in turn; all else stays. */
static inline void
made_deal(struct made_perf *m, struct cr_text *streams, size_t n)
{
	struct cr_text rest = {0};
	size_t turn = 0;

	for (size_t at = 0; at < m->records.len; at += made_size_at(m->records.p + at)) {
		const bool is_sample = made_type_at(m->records.p + at) == MADE_SAMPLE;

		cr_text_put(is_sample ? &streams[turn++ % n] : &rest, m->records.p + at,
			made_size_at(m->records.p + at));
	}
	cr_text_fini(&m->records);
	m->records = rest;
}

/* ---- through a pipe */

static inline void
made_pipe_attrs(struct made_perf *m)
{
	for (uint32_t i = 0; i < m->n_attrs; i++) {
		const size_t at = made_begin(m, MADE_HEADER_ATTR, 0);

		made_attr_bytes(&m->records, &m->attrs[i]);
		cr_text_put(&m->records, m->ids[i].p, m->ids[i].len);
		made_end(m, at);
	}
}

/*
 * The features but for tracepoints and build-ids, unpadded, and an empty one of a number to come.
 */
static inline void
made_pipe_features(struct made_perf *m)
{
	for (uint64_t bit = 3; bit <= CR_LEN(m->features); bit++) {
		const struct cr_text *f = bit < CR_LEN(m->features) ? &m->features[bit] : NULL;
		size_t at;

		if (f && !f->len)
			continue;
		at = made_begin(m, MADE_HEADER_FEATURE, 0);
		made_u64(&m->records, bit);
		if (f)
			cr_text_put(&m->records, f->p, f->len);
		made_end(m, at);
	}
}

/* The formats stand behind their record, outside of its size. */
static inline void
made_pipe_tracing(struct made_perf *m)
{
	const struct cr_text *f = &m->features[1];
	size_t at;

	if (!f->len)
		return;
	at = made_begin(m, MADE_TRACING_DATA, 0);
	made_u32(&m->records, (uint32_t)f->len);
	made_u32(&m->records, 0);
	made_end(m, at);
	cr_text_put(&m->records, f->p, f->len);
	cr_text_pad(&m->records, '\0', -f->len % 8);
}

/* Each entry of the feature is a record already, but for its type. */
static inline void
made_pipe_build_ids(struct made_perf *m)
{
	const struct cr_text *f = &m->features[2];

	for (size_t at = 0; at < f->len; at += made_size_at(f->p + at)) {
		made_u32(&m->records, MADE_BUILD_ID);
		cr_text_put(&m->records, f->p + at + 4, made_size_at(f->p + at) - 4u);
	}
}

/*
 * All of it, as made_file(). What was made so far comes behind what it needs, and build-ids last.
 */
static inline struct cr_text
made_pipe_file(struct made_perf *m)
{
	struct cr_text f = {0}, records = m->records;

	m->records = (struct cr_text){0};
	cr_text_puts(&f, made_foreign ? "2ELIFREP" : "PERFILE2");
	made_u64(&f, 16);
	made_pipe_attrs(m);
	made_pipe_features(m);
	made_pipe_tracing(m);
	cr_text_put(&m->records, records.p, records.len);
	made_pipe_build_ids(m);
	cr_text_put(&f, m->records.p, m->records.len);
	cr_text_fini(&records);
	cr_text_fini(&m->records);
	for (size_t i = 0; i < CR_LEN(m->features); i++)
		cr_text_fini(&m->features[i]);
	for (uint32_t i = 0; i < m->n_attrs; i++)
		cr_text_fini(&m->ids[i]);
	*m = (struct made_perf){0};
	return f;
}

#endif
