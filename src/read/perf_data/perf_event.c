#include "perf_reader_p.h"

#include <inttypes.h>
#include <time.h>

enum { TYPE_TRACEPOINT = 2 };

static uint64_t
offset_of(const struct perf_reader *r, const unsigned char *p)
{
	for (size_t i = 0; i < r->n_streams; i++)
		if (p >= r->streams[i].start && p < r->streams[i].end)
			return (uint64_t)(p - r->streams[i].start);
	return cr_perf_stream_offset(&r->streams[0]);
}

void
cr_perf_damaged(struct perf_reader *r, const char *kind, const struct perf_record *rec)
{
	cr_builder_flags(r->b, CR_PROFILE_IN_PART);
	cr_log_warn(r->opts->log, kind, offset_of(r, rec->p),
		"record of type %" PRIu32 ", %u bytes", rec->type, rec->size);
}

const char *
cr_perf_record_name(uint32_t type)
{
	static const char *const names[] = {
		[1] = "MMAP",
		[2] = "LOST",
		[3] = "COMM",
		[4] = "EXIT",
		[5] = "THROTTLE",
		[6] = "UNTHROTTLE",
		[7] = "FORK",
		[8] = "READ",
		[9] = "SAMPLE",
		[10] = "MMAP2",
		[11] = "AUX",
		[12] = "ITRACE_START",
		[13] = "LOST_SAMPLES",
		[14] = "SWITCH",
		[15] = "SWITCH_CPU_WIDE",
		[16] = "NAMESPACES",
		[17] = "KSYMBOL",
		[18] = "BPF_EVENT",
		[19] = "CGROUP",
		[20] = "TEXT_POKE",
		[21] = "AUX_OUTPUT_HW_ID",
		[22] = "CALLCHAIN_DEFERRED",
		[64] = "HEADER_ATTR",
		[65] = "EVENT_TYPE",
		[66] = "TRACING_DATA",
		[67] = "BUILD_ID",
		[68] = "FINISHED_ROUND",
		[69] = "ID_INDEX",
		[70] = "AUXTRACE_INFO",
		[71] = "AUXTRACE",
		[72] = "AUXTRACE_ERROR",
		[73] = "THREAD_MAP",
		[74] = "CPU_MAP",
		[75] = "STAT_CONFIG",
		[76] = "STAT",
		[77] = "STAT_ROUND",
		[78] = "EVENT_UPDATE",
		[79] = "TIME_CONV",
		[80] = "HEADER_FEATURE",
		[81] = "COMPRESSED",
		[82] = "FINISHED_INIT",
		[83] = "COMPRESSED2",
		[84] = "BPF_METADATA",
		[85] = "SCHEDSTAT_CPU",
		[86] = "SCHEDSTAT_DOMAIN",
	};

	return type < CR_LEN(names) && names[type] ? names[type] : "unknown";
}

void
cr_perf_attr_trace(struct perf_attr *a, const struct perf_tracing *tracing)
{
	const struct perf_tracepoint *t;

	if (a->type != TYPE_TRACEPOINT || !(t = cr_perf_tracing_find(tracing, a->config)))
		return;
	a->tracepoint = t;
	if (!cr_str_eq(t->system, CR_STR("sched")))
		return;
	a->woken_late = cr_str_eq(t->name, CR_STR("sched_wakeup"));
	if (a->woken_late || cr_str_eq(t->name, CR_STR("sched_waking")) ||
		cr_str_eq(t->name, CR_STR("sched_wakeup_new")))
		a->woken_pid = cr_perf_trace_field_find(t, CR_STR("pid"));
	if (!cr_str_eq(t->name, CR_STR("sched_switch")))
		return;
	a->prev_pid = cr_perf_trace_field_find(t, CR_STR("prev_pid"));
	a->prev_state = cr_perf_trace_field_find(t, CR_STR("prev_state"));
	a->next_pid = cr_perf_trace_field_find(t, CR_STR("next_pid"));
	if (!a->prev_state)
		a->next_pid = NULL;
}

void
cr_perf_count(struct perf_attr *a, uint64_t value)
{
	a->counted = cr_add_sat(a->counted, value);
	a->n_counted++;
}

const struct perf_attr *
cr_perf_attr_by_id(struct perf_reader *r, uint64_t id)
{
	const size_t at = id % CR_LEN(r->known_ids);
	uint32_t row = 0;

	if (id && r->known_ids[at].attr1 && r->known_ids[at].id == id)
		return &r->header.attrs.p[r->known_ids[at].attr1 - 1];
	if (id)
		row = cr_perf_header_attr_of(&r->header, id);
	if (row == CR_NO_ROW)
		return NULL;
	r->known_ids[at].id = id;
	r->known_ids[at].attr1 = id ? row + 1 : 0;
	return &r->header.attrs.p[row];
}

const struct perf_attr *
cr_perf_sample_attr(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;

	if (r->header.attrs.n == 1)
		return &r->header.attrs.p[0];
	if (r->header.attrs.n == 0 || r->id_front < 0)
		return NULL;
	cr_cursor_skip(&c, (uint64_t)r->id_front * 8);
	return cr_perf_attr_by_id(r, cr_cursor_u64(&c));
}

const struct perf_attr *
cr_perf_trailer_attr(struct perf_reader *r, const struct perf_record *rec)
{
	const struct perf_attr *first = r->header.attrs.p;
	const uint64_t back = (uint64_t)r->id_back * 8;
	struct cr_cursor c = rec->body;

	if (!first)
		return NULL;
	if (r->header.attrs.n == 1 || !(first->flags & PERF_ATTR_SAMPLE_ID_ALL) || r->id_back < 0)
		return first;
	if (cr_cursor_left(&c) < back)
		return NULL;
	cr_cursor_skip(&c, cr_cursor_left(&c) - back);
	return cr_perf_attr_by_id(r, cr_cursor_u64(&c));
}

struct perf_trailer
cr_perf_record_trailer(struct perf_reader *r, const struct perf_record *rec)
{
	const struct perf_attr *a = cr_perf_trailer_attr(r, rec);
	struct perf_trailer t = {0};

	if (!a || !(a->flags & PERF_ATTR_SAMPLE_ID_ALL) || !cr_perf_trailer_read(rec->body, a, &t))
		return (struct perf_trailer){0};
	return t;
}

struct cr_cursor
cr_perf_record_body(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;

	c.end -= cr_perf_record_trailer(r, rec).bytes;
	return c;
}

uint64_t
cr_perf_record_time(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;
	const struct perf_attr *a;

	if (rec->type != PERF_RECORD_SAMPLE)
		return cr_perf_record_trailer(r, rec).time;
	a = cr_perf_sample_attr(r, rec);
	if (!a)
		return 0;
	cr_cursor_skip(&c, 8 * (uint64_t)a->words_before_time);
	return cr_cursor_u64(&c);
}

void
cr_perf_events_layout(struct perf_reader *r)
{
	for (; r->n_laid_out < r->header.attrs.n; r->n_laid_out++) {
		struct perf_attr *a = &r->header.attrs.p[r->n_laid_out];
		const bool timed =
			(a->sample_type & PERF_SAMPLE_TIME) && (a->flags & PERF_ATTR_SAMPLE_ID_ALL);

		cr_perf_sample_layout(a);
		r->ordered = timed && (r->ordered || r->n_laid_out == 0);
		r->parallel.counted |= (a->flags & PERF_ATTR_CONTEXT_SWITCH) != 0;
	}
	if (r->header.attrs.n == 0)
		return;
	r->monotonic = (r->header.attrs.p[0].flags & PERF_ATTR_USE_CLOCKID) &&
		       r->header.attrs.p[0].clockid == CLOCK_MONOTONIC;
	r->id_front = cr_perf_attr_id_from_front(&r->header.attrs.p[0]);
	r->id_back = cr_perf_attr_id_from_back(&r->header.attrs.p[0]);
}
