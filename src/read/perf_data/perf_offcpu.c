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
state_is_runnable(int64_t state)
{
	return state == 0 || state == 0x100;
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
	cr_vec_push(&o->threads, ((struct perf_off){.tid = tid, .sample.cpu = CR_CPU_NONE}));
	return &o->threads.p[o->threads.n - 1];
}

static void
seen(struct perf_offcpu *o, struct perf_off *t, uint64_t time)
{
	if (time && (!t->first || time < t->first))
		t->first = time;
	o->last = CR_MAX(o->last, time);
}

void
cr_perf_offcpu_seen(struct perf_offcpu *o, uint32_t tid, uint64_t time, cr_task_id task)
{
	struct perf_off *t;

	if (tid == 0 || tid == UINT32_MAX)
		return;
	t = thread_of(o, tid);
	seen(o, t, time);
	t->task = task;
	t->has_task = true;
}

/* ---- the event off-cpu */

static void
event_make(struct perf_offcpu *o, struct cr_builder *b)
{
	o->used = true;
	o->event = cr_builder_event(b, CR_STR("off-cpu"), CR_STR("ns"));
	o->state = cr_builder_field(b, o->event, CR_STR("state"), CR_FORM_TEXT);
	o->queued = cr_builder_field(b, o->event, CR_STR("queued"), CR_FORM_NUMBER);
	o->waker = cr_builder_field(b, o->event, CR_STR("waker"), CR_FORM_TEXT);
	o->waker_tid = cr_builder_field(b, o->event, CR_STR("waker_tid"), CR_FORM_NUMBER);
	o->ran = cr_builder_field(b, o->event, CR_STR("ran"), CR_FORM_NUMBER);
	o->open = cr_builder_field(b, o->event, CR_STR("open"), CR_FORM_NUMBER);
	cr_builder_fact(b, "derived events", CR_STR("off-cpu"));
}

/* The time since it left, which ends now; false if that is none. */
static bool
add(struct perf_offcpu *o, struct cr_builder *b, struct perf_off *t, uint64_t time)
{
	if (!o->used)
		event_make(o, b);
	t->out_by = 0;
	if (time <= t->since)
		return false;
	t->sample.event = o->event;
	t->sample.time_ns = time;
	t->sample.weight = time - t->since;
	cr_builder_sample(b, &t->sample);
	if (t->state)
		cr_builder_value(b, o->state, cr_builder_text(b, cr_str_of(t->state)));
	if (t->ran)
		cr_builder_value(b, o->ran, t->ran);
	return true;
}

/* It runs again since `time`. */
static void
came_back(struct perf_offcpu *o, struct cr_builder *b, struct perf_off *t, uint64_t time)
{
	const uint64_t ready = t->ready && t->ready < time ? t->ready : 0;

	if (t->out_by) {
		if (add(o, b, t, time) && ready) {
			cr_builder_value(b, o->queued, time - CR_MAX(ready, t->since));
			cr_builder_value(b, o->waker, t->waker);
			cr_builder_value(b, o->waker_tid, t->waker_tid);
		}
	} else if (ready && !t->in && !t->queued_first) {
		t->queued_first = time - ready;
	}
	seen(o, t, time);
	t->in = time;
	t->ready = 0;
}

void
cr_perf_offcpu_return(struct perf_offcpu *o, struct cr_builder *b, uint32_t tid, uint64_t time)
{
	struct perf_off *t;

	if (tid == 0)
		return;
	o->switched = true;
	t = thread_of(o, tid);
	t->dead = false;
	t->died = 0;
	if (t->out_by || !t->in)
		came_back(o, b, t, time);
}

/* ---- leaving */

/* Time of the last switch of a cpu, which becomes `time`; 0 if there was none. */
static uint64_t
previous_switch(struct perf_offcpu *o, uint16_t cpu, uint64_t time)
{
	uint64_t before;

	if (cpu >= CR_CPU_UNKNOWN)
		return 0;
	while (o->last_switch.n <= cpu)
		cr_vec_push(&o->last_switch, 0);
	before = o->last_switch.p[cpu];
	o->last_switch.p[cpu] = time;
	return o->wide ? before : 0;
}

/* It leaves, but its return was not recorded. */
static void
return_find(struct perf_offcpu *o, struct cr_builder *b, struct perf_off *t,
	enum perf_off_source by, uint64_t previous)
{
	uint64_t at = previous ? CR_MAX(previous, t->ready) : 0;

	if (t->forked)
		at = previous ? CR_MAX(at, t->first) : 0;
	if (t->out_by & by) {
		if (at > t->since) {
			o->ends_taken++;
			came_back(o, b, t, at);
			return;
		}
		o->ends_missed++;
		t->out_by = 0;
		t->ready = 0;
	} else if (t->out_by == 0 && !t->in) {
		if (at)
			came_back(o, b, t, at);
		else if (by == PERF_OFF_BY_SWITCH && !o->wide && !t->forked && t->has_task)
			t->in = t->first; /* a sample of it, or its exec */
	}
}

static void
died(struct perf_off *t, uint64_t time)
{
	t->out_by = 0;
	t->died = time;
	t->dead = true;
	t->ran = t->in && time > t->in ? time - t->in : 0;
}

void
cr_perf_offcpu_leave(struct perf_offcpu *o, struct cr_builder *b, enum perf_off_source by,
	uint32_t tid, const struct cr_sample *s, int64_t prev_state)
{
	const uint64_t previous =
		by == PERF_OFF_BY_SAMPLE ? previous_switch(o, s->cpu, s->time_ns) : 0;
	struct perf_off *t;

	if (tid == 0) /* nobody waits for the idle task */
		return;
	o->switched = true;
	t = thread_of(o, tid);
	return_find(o, b, t, by, previous);
	seen(o, t, s->time_ns);
	if (state_is_dead(prev_state) || (t->dead && !state_is_runnable(prev_state))) {
		died(t, s->time_ns);
		return;
	}
	t->dead = false;
	t->died = 0;
	if (t->out_by == 0) {
		t->since = s->time_ns;
		t->ran = t->in && s->time_ns > t->in ? s->time_ns - t->in : 0;
		t->in = t->ready = 0;
		t->state = NULL;
	}
	if (t->out_by == 0 || by == PERF_OFF_BY_SAMPLE)
		t->sample = *s;
	if (prev_state >= 0)
		t->state = state_name(prev_state);
	t->task = s->task;
	t->has_task = true;
	t->out_by = (uint8_t)(t->out_by | by);
}

/* ---- waking, beginning and ending */

void
cr_perf_offcpu_wake(
	struct perf_offcpu *o, uint32_t tid, uint64_t time, uint64_t waker, uint32_t waker_tid)
{
	struct perf_off *t;

	if (tid == 0 || (t = thread_of(o, tid))->ready)
		return;
	seen(o, t, time);
	t->ready = time;
	t->waker = waker;
	t->waker_tid = waker_tid;
}

void
cr_perf_offcpu_exit(struct perf_offcpu *o, uint32_t tid, uint64_t time)
{
	struct perf_off *t = thread_of(o, tid);

	seen(o, t, time);
	died(t, time);
}

/* ---- the event lifetime */

struct life_fields {
	cr_field_id ran, queued, open, state;
};

static cr_event_id
lives_event(struct perf_offcpu *o, struct cr_builder *b, struct life_fields *f)
{
	const cr_event_id e = cr_builder_event(b, CR_STR("lifetime"), CR_STR("ns"));

	f->ran = cr_builder_field(b, e, CR_STR("ran"), CR_FORM_NUMBER);
	f->queued = cr_builder_field(b, e, CR_STR("queued"), CR_FORM_NUMBER);
	f->open = cr_builder_field(b, e, CR_STR("open"), CR_FORM_NUMBER);
	f->state = cr_builder_field(b, e, CR_STR("state"), CR_FORM_TEXT);
	cr_builder_fact(
		b, "derived events", o->used ? CR_STR("off-cpu, lifetime") : CR_STR("lifetime"));
	return e;
}

static void
add_life(struct perf_offcpu *o, struct cr_builder *b, const struct perf_off *t, uint64_t time)
{
	const uint64_t end = t->died ? t->died : time;
	struct cr_sample s = {.time_ns = end, .task = t->task, .cpu = t->sample.cpu};
	uint64_t open = 0;
	struct life_fields f;

	if (!t->has_task || !t->first || end <= t->first)
		return;
	s.event = lives_event(o, b, &f);
	s.weight = end - t->first;
	cr_builder_sample(b, &s);
	if (t->died && t->ran)
		cr_builder_value(b, f.ran, t->ran);
	if (t->queued_first)
		cr_builder_value(b, f.queued, t->queued_first);
	if (!t->died && t->out_by && t->since < end)
		open = end - t->since;
	else if (!t->died && !t->out_by && t->in && t->in < end)
		open = end - t->in;
	if (!open)
		return;
	cr_builder_value(b, f.open, open);
	cr_builder_value(b, f.state,
		cr_builder_text(b, cr_str_of(!t->out_by ? "on"
					     : t->state ? t->state
							: "off")));
}

void
cr_perf_offcpu_fork(struct perf_offcpu *o, struct cr_builder *b, uint32_t tid, uint64_t time)
{
	struct perf_off *t;

	if (tid == 0 || !time)
		return;
	t = thread_of(o, tid);
	if (o->switched && t->died)
		add_life(o, b, t, time);
	*t = (struct perf_off){
		.tid = tid, .first = time, .forked = true, .sample.cpu = t->sample.cpu};
}

void
cr_perf_offcpu_lives(struct perf_offcpu *o, struct cr_builder *b, uint64_t time)
{
	for (size_t i = 0; o->switched && i < o->threads.n; i++)
		add_life(o, b, &o->threads.p[i], CR_MAX(time, o->last));
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
	if (o->ends_taken)
		cr_builder_quality(b,
			CR_STR("times off the CPU whose end was not recorded, taken from "
			       "the switch or waking before"),
			o->ends_taken);
	for (size_t i = 0; o->used && (o->wide || !o->ends_missed) && i < o->threads.n; i++) {
		struct perf_off *t = &o->threads.p[i];
		const uint8_t out_by = t->out_by;

		if (out_by && add(o, b, t, time))
			cr_builder_value(b, o->open, 1);
		t->out_by = out_by; /* for cr_perf_offcpu_lives() */
	}
}

void
cr_perf_offcpu_fini(struct perf_offcpu *o)
{
	cr_vec_fini(&o->threads);
	cr_vec_fini(&o->last_switch);
	cr_index_fini(&o->index);
}
