#include "perf_reader_p.h"
#include "read/perf_data/header/perf_feature_p.h"

#include <inttypes.h>

/*
 * Types in AUXTRACE_INFO. Source: perf.data-file-format.txt and tools/perf/util/auxtrace.h of Linux
 * 6.18.
 */
static const char *
trace_name(uint32_t type)
{
	static const char *const names[] = {"unknown", "Intel PT", "Intel BTS", "ARM CoreSight",
		"ARM SPE", "s390 CPU-MF", "HiSilicon PTT", "Arm VPA"};

	return type < CR_LEN(names) ? names[type] : names[0];
}

/* A chunk that something borrows from must be kept until the end. */
static void
keep(struct perf_stream *s, const struct perf_record *rec)
{
	if (rec->packed)
		s->chunk->keep = true;
}

/* "attr, u64 ids[]": an event in a recording from a pipe. */
static void
own_attr(struct perf_reader *r, const struct perf_record *rec)
{
	cr_perf_sample_flush(r); /* waiting samples point at the attrs */
	if (cr_perf_header_attr(&r->header, rec->body))
		cr_perf_feature_name_attr(&r->header, r->header.attrs.n - 1);
	else
		cr_perf_damaged(r, "event attributes that cannot be read", rec);
	cr_perf_events_layout(r);
}

static void
own_feature(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;
	const uint64_t bit = cr_cursor_u64(&c);

	/* The last one is empty, with the number of the next feature. */
	if (c.bad || bit >= PERF_FEATURE_BITS)
		return;
	if (cr_cursor_left(&c) == 0 && bit != PERF_FEATURE_BRANCH_STACK && bit != PERF_FEATURE_STAT)
		return;
	keep(s, rec);
	cr_perf_feature_read((unsigned)bit, &c, &r->header, r->b);
	if (c.bad)
		cr_perf_damaged(r, "header feature ends early", rec);
}

enum { UPDATE_NAME = 2 };

static void
own_update(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;
	const uint64_t what = cr_cursor_u64(&c), id = cr_cursor_u64(&c);
	const uint32_t row = cr_perf_header_attr_of(&r->header, id);
	const struct cr_str name = cr_cursor_text(&c, cr_cursor_left(&c));

	if (c.bad || what != UPDATE_NAME || row == CR_NO_ROW || !name.len || row < r->n_named)
		return;
	keep(s, rec);
	r->header.attrs.p[row].name = name;
}

static void
tracing_read(struct perf_reader *r, struct cr_cursor data)
{
	cr_perf_sample_flush(r); /* waiting samples use the attrs */
	cr_perf_tracing_read(data, &r->tracing, r->opts->log);
	for (size_t i = 0; i < r->n_named; i++)
		cr_perf_attr_trace(&r->header.attrs.p[i], &r->tracing);
}

/*
 * The formats of the tracepoints follow their record, padded to 8 bytes; in Android's recordings
 * they are inside.
 */
static void
own_tracing(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body, data;
	const uint32_t size = cr_cursor_u32(&c);

	if (c.bad || rec->packed)
		return;
	if (cr_cursor_left(&c) > 4) {
		tracing_read(r, cr_cursor_sub(&c, size));
		return;
	}
	data = cr_perf_stream_read(s, size);
	if (data.bad) {
		cr_perf_damaged(r, "tracepoint formats cut off", rec);
		return;
	}
	cr_perf_stream_skip(s, -(uint64_t)size & 7);
	tracing_read(r, data);
}

static void
own_trace_info(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;

	cr_builder_fact(r->b, "processor trace", cr_str_of(trace_name(cr_cursor_u32(&c))));
}

/* A part of a processor trace, whose bytes follow its record. */
static void
own_trace(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;
	const uint64_t bytes = cr_cursor_u64(&c);

	cr_log_warn(r->opts->log, "pieces of the processor's trace, not decoded",
		cr_perf_stream_offset(s), "%" PRIu64 " bytes", bytes);
	if (!rec->packed && !cr_perf_stream_skip(s, bytes)) {
		cr_perf_damaged(r, "trace of the processor cut off", rec);
		s->at = s->end;
	}
}

/* "u64 id; u32 cpu, thread; u64 value, enabled, running": a count of perf stat record. */
static void
own_stat(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;
	const uint32_t row = cr_perf_header_attr_of(&r->header, cr_cursor_u64(&c));

	cr_cursor_skip(&c, 4 + 4);
	if (row != CR_NO_ROW && cr_cursor_left(&c) >= 8)
		cr_perf_count(&r->header.attrs.p[row], cr_cursor_u64(&c));
}

static void
own_unknown(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	cr_log_warn(r->opts->log, "records of an unknown type", cr_perf_stream_offset(s),
		"type %" PRIu32, rec->type);
}

void
cr_perf_own(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	switch (rec->type) {
	case PERF_RECORD_HEADER_ATTR: own_attr(r, rec); break;
	case PERF_RECORD_HEADER_FEATURE: own_feature(r, s, rec); break;
	case PERF_RECORD_EVENT_UPDATE: own_update(r, s, rec); break;
	case PERF_RECORD_TRACING_DATA: own_tracing(r, s, rec); break;
	case PERF_RECORD_AUXTRACE_INFO: own_trace_info(r, rec); break;
	case PERF_RECORD_STAT: own_stat(r, rec); break;
	case PERF_RECORD_AUXTRACE: own_trace(r, s, rec); break;
	default:
		if (rec->type > PERF_RECORD_USER_LAST)
			own_unknown(r, s, rec);
	}
}
