#include "perf_offcpu_p.h"

/* Bits of prev_state. Source: include/trace/events/sched.h of Linux 6.18; the last from 4.14 on. */
static const char *
state_name(int64_t state)
{
	static const char *const names[] = {"S", "D", "T", "t", "X", "Z", "P", "I"};

	if (state == 0)
		return "R";
	for (size_t i = 0; state > 0 && i < CR_LEN(names); i++)
		if (state >> i & 1)
			return names[i];
	return state > 0 && state & 0x100 ? "R+" : NULL;
}

static bool
state_is_dead(int64_t state)
{
	return state > 0 && state & (0x10 | 0x20);
}

static struct perf_off *
thread_of(struct perf_offcpu *o, uint32_t tid)
{
	const uint64_t h = cr_hash_mix(tid, 0);
	uint32_t row;

	cr_index_each(&o->index, h, row)
		if (o->threads.p[row].tid == tid)
			return &o->threads.p[row];
	cr_index_add(&o->index, h, (uint32_t)o->threads.n);
	cr_vec_push(&o->threads, ((struct perf_off){.tid = tid}));
	return &o->threads.p[o->threads.n - 1];
}

void
cr_perf_offcpu_leave(struct perf_offcpu *o, enum perf_off_source by, uint32_t tid,
	const struct cr_sample *s, int64_t prev_state)
{
	struct perf_off *t;

	if (tid == 0) /* nobody waits for the idle task */
		return;
	t = thread_of(o, tid);
	if (t->dead || state_is_dead(prev_state)) {
		t->out_by = 0;
		return;
	}
	if (t->out_by & by) { /* its return was not recorded */
		o->ends_missed++;
		t->out_by = 0;
	}
	if (t->out_by == 0) {
		t->since = s->time_ns;
		t->state = NULL;
	}
	if (t->out_by == 0 || by == PERF_OFF_BY_SAMPLE)
		t->sample = *s;
	if (prev_state >= 0)
		t->state = state_name(prev_state);
	t->out_by = (uint8_t)(t->out_by | by);
}

static void
add(struct perf_offcpu *o, struct cr_builder *b, struct perf_off *t, uint64_t time)
{
	if (!o->used) {
		o->used = true;
		o->event = cr_builder_event(b, CR_STR("off-cpu"), CR_STR("ns"));
		o->state = cr_builder_field(b, o->event, CR_STR("state"), CR_FORM_TEXT);
		cr_builder_fact(b, "derived events", CR_STR("off-cpu"));
	}
	t->out_by = 0;
	if (time <= t->since)
		return;
	t->sample.event = o->event;
	t->sample.time_ns = time;
	t->sample.weight = time - t->since;
	cr_builder_sample(b, &t->sample);
	if (t->state)
		cr_builder_value(b, o->state, cr_builder_text(b, cr_str_of(t->state)));
}

void
cr_perf_offcpu_return(struct perf_offcpu *o, struct cr_builder *b, uint32_t tid, uint64_t time)
{
	struct perf_off *t;

	if (tid == 0)
		return;
	t = thread_of(o, tid);
	t->dead = false;
	if (t->out_by)
		add(o, b, t, time);
}

void
cr_perf_offcpu_exit(struct perf_offcpu *o, uint32_t tid)
{
	struct perf_off *t = thread_of(o, tid);

	t->dead = true;
	t->out_by = 0;
}

/*
 * If returns were missed, or none was ever seen, nothing is known about threads that are still off
 * the CPU.
 */
void
cr_perf_offcpu_end(struct perf_offcpu *o, struct cr_builder *b, uint64_t time)
{
	if (o->ends_missed)
		cr_builder_quality(b,
			CR_STR("times off the CPU whose end was not recorded (perf record "
			       "--switch-events has them all)"),
			o->ends_missed);
	for (size_t i = 0; o->used && !o->ends_missed && i < o->threads.n; i++)
		if (o->threads.p[i].out_by)
			add(o, b, &o->threads.p[i], time);
}

void
cr_perf_offcpu_fini(struct perf_offcpu *o)
{
	cr_vec_fini(&o->threads);
	cr_index_fini(&o->index);
}
