#include "bytes/source.h"
#include "model/build/stack_queue.h"
#include "perf_reader_p.h"
#include "read/perf_data/header/perf_describe_p.h"
#include "read/perf_data/header/perf_feature_p.h"

#include <inttypes.h>

#define PROGRESS_EVERY 4096
#define SAMPLE_BYTES 128 /* size of a sample with a short callchain */
/* Bytes read from one file of a directory before it is the next one's turn. */
#define TURN_BYTES ((uint64_t)2 << 20)
#define TOUCHED_MAX ((uint64_t)16 << 20) /* bytes of a mapped input kept in memory */
#define COUNTS_MAX ((size_t)1 << 16)     /* bytes of the fact with the counts */
/*
 * Bytes of unpacked records that wait for delivery; beyond that they do not wait for their round.
 */
#define UNPACKED_MAX ((uint64_t)512 << 20)

/* ---- memory */

static void
inputs_done(const struct perf_reader *r)
{
	if (r->in->source)
		cr_source_done(r->in->source, 0, r->in->len);
	for (size_t i = 0; i < r->in->n_streams; i++)
		if (r->in->streams[i].source)
			cr_source_done(r->in->streams[i].source, 0, r->in->streams[i].len);
}

/* Drop pages of the input now and then; what is needed again is read back from the file. */
static void
touched(struct perf_reader *r, uint64_t bytes)
{
	r->touched += bytes;
	if (r->touched < TOUCHED_MAX)
		return;
	r->touched = 0;
	inputs_done(r);
}

static uint64_t
unpacked_waiting(const struct perf_reader *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->n_streams; i++)
		sum += r->streams[i].chunk_bytes;
	return sum;
}

/* ---- records in time order */

static void
play(struct perf_reader *r, const struct perf_record *rec, uint64_t time)
{
	if (perf_jits_due(&r->jits, time)) {
		cr_perf_sample_flush(r);
		cr_perf_jits_play(&r->jits, &r->spaces, time);
	}
	if (rec->type == PERF_RECORD_SAMPLE) {
		cr_perf_add_sample(r, rec);
		return;
	}
	cr_perf_sample_flush(r); /* what follows may change the state that they use */
	cr_perf_play(r, rec);
}

/*
 * The end of what may be read after p: a file that changes while it is read must not cause reads
 * outside.
 */
static const unsigned char *
end_behind(const struct perf_reader *r, const unsigned char *p)
{
	for (size_t i = 0; i < r->n_streams; i++)
		if (p >= r->streams[i].start && p < r->streams[i].end)
			return r->streams[i].end;
	return p + UINT16_MAX; /* unpacked: private memory, and complete when it was queued */
}

static void
flush(struct perf_reader *r, bool all)
{
	const uint64_t until = all ? UINT64_MAX : r->order.limit;
	const struct perf_order_entry *due;
	struct perf_record rec;
	size_t n;

	cr_perf_order_round(&r->order, all, &due, &n);
	for (size_t i = 0; i < n; i++) {
		if (i + PERF_AHEAD < n) {
			__builtin_prefetch(due[i + PERF_AHEAD].p);
			__builtin_prefetch(due[i + PERF_AHEAD].p + 64); /* ids, chain */
		}
		if (i + PERF_NEAR < n)
			cr_perf_unwind_prefetch(&r->unwinds, due[i + PERF_NEAR].p, r->header.swap);
		if (!cr_perf_record_at(due[i].p, end_behind(r, due[i].p), r->header.swap, &rec))
			continue;
		play(r, &rec, due[i].time);
		touched(r, rec.size);
	}
	cr_perf_sample_flush(r);
	for (size_t i = 0; i < r->n_streams; i++)
		cr_perf_stream_delivered(&r->streams[i], until);
}

/*
 * Add events to the builder before the first record that needs one; those of a pipe have their
 * names by then.
 */
static void
events_name(struct perf_reader *r)
{
	uint32_t flags = CR_PROFILE_HAS_ADDR;
	struct cr_text t = {0};

	for (; r->n_named < r->header.attrs.n; r->n_named++) {
		struct perf_attr *a = &r->header.attrs.p[r->n_named];

		cr_perf_attr_trace(a, &r->tracing);
		r->offcpu.has_waking |= a->woken_pid && a->tracepoint &&
					cr_str_eq(a->tracepoint->name, CR_STR("sched_waking"));
		r->offcpu.wanted |= a->next_pid || (a->flags & PERF_ATTR_CONTEXT_SWITCH);
		cr_text_clear(&t);
		cr_perf_attr_name(a, &t);
		a->event = cr_builder_event(r->b, a->name.len ? a->name : cr_text_view(&t),
			cr_str_of(cr_perf_attr_unit(a)));
		if (a->sample_type & PERF_SAMPLE_TIME)
			flags |= CR_PROFILE_HAS_TIME;
		if (a->sample_type & PERF_SAMPLE_CPU)
			flags |= CR_PROFILE_HAS_CPU;
		if (a->sample_type & PERF_SAMPLE_TID)
			flags |= CR_PROFILE_HAS_TASK;
	}
	cr_builder_flags(r->b, flags | CR_PROFILE_SYMBOL_NAMES);
	cr_text_fini(&t);
}

static void
kernel_record(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	uint64_t time;

	if (rec->type == 0 || rec->type > PERF_RECORD_KERNEL_LAST) {
		cr_log_warn(r->opts->log, "records of an unknown type", cr_perf_stream_offset(s),
			"type %" PRIu32, rec->type);
		return;
	}
	if (r->n_named < r->header.attrs.n)
		events_name(r);
	time = r->ordered ? cr_perf_record_time(r, rec) : 0;
	if (time == 0 || time == UINT64_MAX) {
		play(r, rec, 0);
		if (rec->packed)
			cr_perf_sample_flush(r); /* its chunk may be freed */
		return;
	}
	cr_perf_order_add(&r->order, time, rec->p);
	if (rec->packed)
		s->chunk->newest = CR_MAX(s->chunk->newest, time);
}

static void
record(struct perf_reader *r, struct perf_stream *s, const struct perf_record *rec)
{
	if (rec->type < CR_LEN(r->counts))
		r->counts[rec->type]++;
	if (rec->type == PERF_RECORD_FINISHED_ROUND)
		flush(r, false);
	else if (rec->type >= PERF_RECORD_USER_FIRST)
		cr_perf_own(r, s, rec);
	else
		kernel_record(r, s, rec);
	touched(r, rec->size);
	if (rec->packed && unpacked_waiting(r) > UNPACKED_MAX)
		flush(r, true);
}

/* Time on a CPU and time off it, computed or recorded, add up to wall-clock time. */
static void
wall(struct perf_reader *r)
{
	const struct perf_attr *on = NULL, *off = NULL;

	for (size_t i = r->n_named; i-- > 0;) {
		const struct perf_attr *a = &r->header.attrs.p[i];

		if (cr_perf_attr_is_clock(a))
			on = a;
		if (cr_perf_attr_is_off_cpu(a))
			off = a;
	}
	if (on && (off || r->offcpu.used))
		cr_builder_wall(r->b, on->event, off ? off->event : r->offcpu.event);
}

static int
stopped(struct perf_reader *r, struct cr_err *err)
{
	uint64_t done = 0, all = 0;

	for (size_t i = 0; i < r->n_streams; i++) {
		done += (uint64_t)(r->streams[i].at - r->streams[i].start);
		all += (uint64_t)(r->streams[i].end - r->streams[i].start);
	}
	if (cr_progress_step(r->opts->progress, "reading", done, all))
		return CR_OK;
	return cr_fail(err, CR_ECANCEL, done, "stopped");
}

/*
 * The files of a directory are read in turns, so that simultaneous records are read at about the
 * same time.
 */
static int
records_read(struct perf_reader *r, struct cr_err *err)
{
	size_t at = 0, ended = 0;
	struct perf_record rec;
	int rc = CR_OK;

	for (uint64_t n = 0; ended < r->n_streams; n++) {
		struct perf_stream *s = &r->streams[at];

		if (n % PROGRESS_EVERY == 0 && (rc = stopped(r, err)) < 0)
			return rc;
		if (!cr_perf_stream_next(s, &rec, r->opts->log)) {
			ended++;
			s->turn_bytes = 0;
			at = (at + 1) % r->n_streams;
			continue;
		}
		ended = 0;
		record(r, s, &rec);
		/* A COMPRESSED record is unpacked completely. */
		if (s->turn_bytes < TURN_BYTES || s->packed.len)
			continue;
		s->turn_bytes = 0;
		at = (at + 1) % r->n_streams;
	}
	flush(r, true);
	cr_perf_sample_waiting(r);
	cr_perf_sample_flush(r);
	cr_perf_offcpu_end(&r->offcpu, r->b, r->last_ns);
	cr_perf_offcpu_lives(&r->offcpu, r->b, r->last_ns);
	cr_perf_branches_end(&r->branches, r->b);
	if (r->has_history)
		cr_builder_fact(r->b, CR_FACT_BRANCH_HISTORY, CR_STR("in the stacks"));
	cr_stack_queue_end(r->b);
	wall(r);
	cr_perf_unwinds_quality(&r->unwinds, r->b);
	if (!r->opts->symbol || !r->opts->symbol->no_stitch)
		cr_builder_stitch(r->b);
	for (size_t i = 0; i < r->n_streams; i++)
		if (r->streams[i].damaged)
			cr_builder_flags(r->b, CR_PROFILE_IN_PART);
	return CR_OK;
}

/* ---- setup */

static void
streams_begin(struct perf_reader *r)
{
	const struct cr_input *in = r->in;
	const uint64_t from = r->header.data_offset;

	r->n_streams = 1 + in->n_streams;
	r->streams = cr_alloc(r->n_streams, sizeof(*r->streams));
	cr_perf_stream_init(&r->streams[0], in->p, from, from + r->header.data_len, r->header.swap);
	for (size_t i = 0; i < in->n_streams; i++)
		cr_perf_stream_init(&r->streams[1 + i], in->streams[i].p, 0, in->streams[i].len,
			r->header.swap);
}

/* In a pipe the build-ids come last; read them in advance, since the mappings need them. */
static void
pipe_build_ids(struct perf_reader *r)
{
	const uint64_t from = r->header.data_offset;
	struct cr_log ignored = {0};
	struct perf_record rec;
	struct perf_stream s;

	cr_perf_stream_init(&s, r->in->p, from, from + r->header.data_len, r->header.swap);
	while (cr_perf_stream_outer(&s, &rec, &ignored)) {
		struct cr_cursor c = rec.body;
		uint64_t behind = 0;

		if (rec.type == PERF_RECORD_BUILD_ID)
			cr_perf_feature_build_id(&r->header, &c, rec.misc);
		/* Otherwise they are inside the record. */
		else if (rec.type == PERF_RECORD_TRACING_DATA && cr_cursor_left(&c) <= 8)
			behind = ((uint64_t)cr_cursor_u32(&c) + 7) & ~(uint64_t)7;
		else if (rec.type == PERF_RECORD_AUXTRACE)
			behind = cr_cursor_u64(&c);
		touched(r, rec.size);
		if (behind && !cr_perf_stream_skip(&s, behind))
			break;
	}
	cr_perf_stream_fini(&s);
}

/* Facts for counts outside samples: of threads that ended, and of perf stat record. */
static void
counts_fact(struct perf_reader *r)
{
	struct cr_text t = {0};

	for (size_t i = 0; i < r->n_named && t.len < COUNTS_MAX; i++) {
		const struct perf_attr *a = &r->header.attrs.p[i];

		if (!a->n_counted)
			continue;
		cr_text_puts(&t, t.len ? ", " : "");
		cr_perf_attr_label(a, &t);
		cr_text_printf(&t, " %" PRIu64 " in %" PRIu64 " counts", a->counted, a->n_counted);
	}
	if (t.len)
		cr_builder_fact(r->b, "counted", cr_text_view(&t));
	cr_text_fini(&t);
}

static void
facts(struct perf_reader *r)
{
	struct cr_text t = {0};

	if (r->last_ns) {
		cr_text_u64(&t, r->last_ns - r->first_ns);
		cr_builder_fact(r->b, "duration_ns", cr_text_view(&t));
	}
	cr_text_clear(&t);
	for (uint32_t i = 1; i < CR_LEN(r->counts); i++)
		if (r->counts[i])
			cr_text_printf(&t, "%s%s %" PRIu64, t.len ? ", " : "",
				cr_perf_record_name(i), r->counts[i]);
	cr_builder_fact(r->b, "records", cr_text_view(&t));
	counts_fact(r);
	cr_perf_attrs_facts(&r->header, r->b);
	cr_text_fini(&t);
}

static void
reader_fini(struct perf_reader *r)
{
	for (size_t i = 0; i < r->n_streams; i++)
		cr_perf_stream_fini(&r->streams[i]);
	free(r->streams);
	cr_perf_order_fini(&r->order);
	cr_perf_sample_fini(r);
	cr_perf_jits_fini(&r->jits);
	cr_perf_chains_fini(&r->chains);
	cr_perf_spaces_fini(&r->spaces);
	cr_perf_tracing_fini(&r->tracing);
	cr_perf_header_fini(&r->header);
}

static int
read_perf_data(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct perf_reader r = {.in = in, .opts = opts, .b = b};
	int rc = cr_perf_header_read(in, &r.header, b, opts->log, err);

	if (rc < 0) {
		cr_perf_header_fini(&r.header);
		return rc;
	}
	if (!r.header.pipe)
		cr_perf_features_read(in, &r.header, b, opts->log);
	cr_perf_spaces_init(&r.spaces, b, opts->log, in->len);
	cr_perf_chains_init(&r.chains);
	cr_stack_queue_begin(b);
	if (cr_cursor_left(&r.header.tracing))
		cr_perf_tracing_read(r.header.tracing, &r.tracing, opts->log);
	streams_begin(&r);
	if (r.header.pipe)
		pipe_build_ids(&r);
	cr_perf_events_layout(&r);
	events_name(&r);
	if (r.header.cut)
		cr_builder_flags(b, CR_PROFILE_IN_PART);
	cr_builder_expect(b, r.header.data_len / SAMPLE_BYTES);
	rc = records_read(&r, err);
	cr_stack_queue_end(b);
	if (rc == CR_OK) {
		facts(&r);
		cr_perf_spaces_finish(&r.spaces);
	}
	reader_fini(&r);
	return rc;
}

static unsigned
probe_perf_data(const struct cr_head *head, uint64_t *line)
{
	(void)line;
	if (head->len < 8)
		return 0;
	return memcmp(head->p, "PERFILE2", 8) == 0 || memcmp(head->p, "2ELIFREP", 8) == 0 ||
			       memcmp(head->p, "PERFFILE", 8) == 0
		       ? CR_EVIDENCE_MAGIC
		       : 0;
}

const struct cr_reader cr_reader_perf_data = {
	.name = "perf.data",
	.about = "recordings of Linux perf",
	.heads = CR_HEAD_BINARY | CR_HEAD_TEXT,
	.recording = true,
	.probe = probe_perf_data,
	.read = read_perf_data,
};
