#include "perf_history_p.h"
#include "perf_reader_p.h"
#include "read/perf_data/tracepoints/perf_trace_value_p.h"

#include <string.h>

/* Bits and markers of chains composed here. Source: linux/perf_event.h. */
#define BRANCH_ANY ((uint64_t)1 << 3)
#define BRANCH_KINDS ((uint64_t)0x3ff0) /* those that are not any branch */
#define BRANCH_CALL_STACK ((uint64_t)1 << 11)
#define CONTEXT_USER ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)

/*
 * Times from here on are none: perf record --off-cpu wrote its sums with them, after all samples.
 */
#define OFF_CPU_TIME (~(uint64_t)0 << 32)

#define HELD_BYTES_MAX ((size_t)256 << 20)

/* ---- completing a sample */

uint16_t
cr_perf_cpu_column(const struct perf_attr *a, uint32_t cpu)
{
	if (!(a->sample_type & PERF_SAMPLE_CPU))
		return CR_CPU_NONE;
	return cpu == UINT32_MAX ? CR_CPU_UNKNOWN : (uint16_t)CR_MIN(cpu, CR_CPU_UNKNOWN - 1u);
}

/*
 * Record a switch from the sample's thread to another: the first leaves the CPU, the second returns
 * to it.
 */
static void
record_switch(struct perf_reader *r, const struct perf_awaited *w, const struct cr_sample *out,
	const struct perf_sample_rest *rest)
{
	uint64_t state, next, prev = w->s.tid;

	if (!cr_perf_trace_number(w->a->next_pid, rest->raw, &next))
		return;
	if (!cr_perf_trace_number(w->a->prev_state, rest->raw, &state))
		state = UINT64_MAX;
	/* A thread that has ended has no id any more, only in the tracepoint. */
	if (w->s.tid == UINT32_MAX && w->a->prev_pid)
		cr_perf_trace_number(w->a->prev_pid, rest->raw, &prev);
	r->offcpu.wide |= r->parallel.wide;
	cr_perf_offcpu_return(&r->offcpu, r->b, (uint32_t)next, w->s.time);
	cr_perf_offcpu_leave(
		&r->offcpu, r->b, PERF_OFF_BY_SAMPLE, (uint32_t)prev, out, (int64_t)state);
}

/* The sample's thread wakes another. */
static void
record_wake(struct perf_reader *r, const struct perf_awaited *w, struct cr_cursor raw)
{
	const struct perf_thread *waker = &r->spaces.threads.p[w->thread];
	char room[PERF_THREAD_ROOM];
	uint64_t woken;

	if (!r->offcpu.wanted || (w->a->woken_late && r->offcpu.has_waking) ||
		!cr_perf_trace_number(w->a->woken_pid, raw, &woken))
		return;
	cr_perf_offcpu_wake(&r->offcpu, (uint32_t)woken, w->s.time,
		cr_builder_text(r->b, cr_perf_thread_comm(waker, room)), w->s.tid);
}

/* True unless only some kinds of branches were recorded, such as calls. */
static bool
has_all_branches(const struct perf_attr *a)
{
	return (a->branch_sample_type & BRANCH_ANY) || !(a->branch_sample_type & BRANCH_KINDS);
}

static void
add_rest(struct perf_reader *r, const struct perf_awaited *w, const struct cr_sample *out)
{
	struct perf_sample_rest rest;

	cr_perf_sample_rest(w->s.rest, w->a, &rest);
	if ((w->a->sample_type & PERF_SAMPLE_BRANCH_STACK) &&
		!(w->a->branch_sample_type & BRANCH_CALL_STACK))
		cr_perf_branches_add(&r->branches, &r->spaces, r->spaces.threads.p[w->thread].space,
			out->task, rest.branches, has_all_branches(w->a));
	cr_perf_field_add(&r->fields, &r->spaces, w->a, w->event, &w->s, &rest);
	if (w->a->next_pid && w->event.i == w->a->event.i) /* not for each member of its group */
		record_switch(r, w, out, &rest);
	if (w->a->woken_pid && w->event.i == w->a->event.i)
		record_wake(r, w, rest.raw);
}

/*
 * Report how much of the stack the sample has, since truncated stacks are completed from whole
 * ones; and how much is guessed.
 */
static void
record_extent(struct perf_reader *r, const struct perf_awaited *w)
{
	const struct perf_unwound *u = &w->unwound;

	if (u->guessed)
		cr_builder_value(r->b,
			cr_builder_field(r->b, w->event, CR_STR("guessed"), CR_FORM_NUMBER),
			u->guessed);
	if (u->whole)
		cr_builder_whole(r->b, u->sps.p, u->sps.n);
	else if (w->s.chain_kind == PERF_CHAIN_CUT)
		cr_builder_cut(r->b, u->sps.p[u->sps.n - 1]);
}

static void
finish_sample(struct perf_reader *r, const struct perf_awaited *w)
{
	struct perf_thread *t = &r->spaces.threads.p[w->thread];
	struct cr_sample out = {.cpu = cr_perf_cpu_column(w->a, w->s.cpu),
		.time_ns = w->s.time,
		.weight = w->s.period,
		.event = w->event};

	out.task = cr_perf_thread_task(&r->spaces, t, (int32_t)w->s.pid);
	if (cr_cursor_left(&w->s.chain) || (w->a->sample_type & PERF_SAMPLE_IP))
		out.node = cr_perf_chain_node(
			&r->chains, &r->spaces, t->space, &w->s, w->cpumode, &w->key, r->opts->log);
	if ((w->a->sample_type & PERF_SAMPLE_ADDR) && w->s.addr)
		cr_perf_space_note(&r->spaces, t->space, w->s.addr);
	cr_builder_sample(r->b, &out);
	if (w->s.chain_kind >= PERF_CHAIN_UNWOUND)
		record_extent(r, w);
	if (w->s.time && w->s.time < OFF_CPU_TIME) {
		r->first_ns = r->first_ns ? CR_MIN(r->first_ns, w->s.time) : w->s.time;
		r->last_ns = CR_MAX(r->last_ns, w->s.time);
	}
	if (r->offcpu.wanted)
		cr_perf_offcpu_seen(&r->offcpu, w->s.tid, w->s.time, out.task);
	if (!w->a->plain && cr_perf_field_wanted(w->a))
		add_rest(r, w, &out);
	if (w->cgroup_id1)
		cr_perf_field_namespace_put(&r->fields, r->b, w->event, w->cgroup_id1 - 1);
	if (w->parallelism)
		cr_perf_parallel_put(&r->parallel, r->b, w->event, w->parallelism);
}

/* Prefetch for the sample that is finished a few samples later; its chain's key is in reach now. */
static void
prefetch_chain(struct perf_reader *r)
{
	const struct perf_awaited *w = &r->ahead[(r->n_played + PERF_NEAR) % PERF_AHEAD];

	if (r->n_played + PERF_NEAR < r->n_read)
		cr_perf_chain_prefetch(&r->chains, &r->spaces, r->spaces.threads.p[w->thread].space,
			&w->s, &w->key);
}

static void
finish_samples(struct perf_reader *r, uint64_t leave)
{
	while (r->n_read - r->n_played > leave) {
		prefetch_chain(r);
		finish_sample(r, &r->ahead[r->n_played++ % PERF_AHEAD]);
	}
}

void
cr_perf_sample_flush(struct perf_reader *r)
{
	finish_samples(r, 0);
}

/* ---- composed chains */

static void
chain_set(struct perf_sample *s, const uint64_t *entries, size_t n)
{
	struct cr_cursor c;

	cr_cursor_init(&c, entries, n * sizeof(*entries));
	s->chain = c;
}

/*
 * Use the branch stack as the user part: the kernel part including its marker, the target of the
 * newest call, then the origin of each call.
 */
static void
chain_of_branches(struct perf_awaited *w)
{
	struct perf_sample_rest rest;
	struct cr_cursor chain = w->s.chain;
	uint64_t mark = 0;

	if (!cr_perf_sample_rest(w->s.rest, w->a, &rest) || cr_cursor_left(&rest.branches) == 0)
		return;
	w->made.n = 0;
	while (mark != CONTEXT_USER && cr_cursor_left(&chain) >= 8) {
		mark = cr_cursor_u64(&chain);
		cr_vec_push(&w->made, mark);
	}
	if (mark != CONTEXT_USER)
		return;
	for (bool newest = true; cr_cursor_left(&rest.branches) >= 24; newest = false) {
		const uint64_t from = cr_cursor_u64(&rest.branches),
			       to = cr_cursor_u64(&rest.branches);

		if (newest)
			cr_vec_push(&w->made, to);
		cr_vec_push(&w->made, from);
		cr_cursor_skip(&rest.branches, 8);
	}
	chain_set(&w->s, w->made.p, w->made.n);
	w->s.chain_kind = PERF_CHAIN_BRANCHES;
}

static void
add_history(struct perf_reader *r, struct perf_awaited *w)
{
	struct perf_sample_rest rest;

	if (cr_perf_sample_rest(w->s.rest, w->a, &rest))
		cr_perf_history_join(w, rest.branches);
	r->has_history |= w->s.has_history;
}

/*
 * Replace the last two entries of the chain, marker and cookie, by the entries recorded later. Not
 * in w->made, since the sample may become several that all begin with this chain.
 */
static void
chain_of_two(struct perf_reader *r, struct perf_awaited *w, struct cr_cursor more)
{
	struct cr_cursor chain = w->s.chain;

	r->joined.n = 0;
	while (cr_cursor_left(&chain) > 16)
		cr_vec_push(&r->joined, cr_cursor_u64(&chain));
	if (cr_cursor_left(&more))
		cr_vec_push(&r->joined, CONTEXT_USER);
	while (cr_cursor_left(&more) >= 8)
		cr_vec_push(&r->joined, cr_cursor_u64(&more));
	chain_set(&w->s, r->joined.p, r->joined.n);
}

/*
 * A sample of perf record --off-cpu since 2025, in the bytes written by its BPF program: "u32 pid,
 * tid; u64 ns; u64 nr, ips[nr]; u64 cgroup", the chain including markers.
 */
static void
sample_of_program(struct perf_awaited *w)
{
	struct perf_sample_rest rest;
	struct perf_sample s = w->s;

	if (!cr_perf_sample_rest(w->s.rest, w->a, &rest))
		return;
	s.pid = cr_cursor_u32(&rest.raw);
	s.tid = cr_cursor_u32(&rest.raw);
	s.period = cr_cursor_u64(&rest.raw);
	s.chain = cr_cursor_sub(&rest.raw, cr_cursor_count64(&rest.raw, 8) * 8);
	if (!rest.raw.bad)
		w->s = s;
}

/* ---- decoding a sample */

/* The entry for the next sample; its content is valid until the next call. */
static struct perf_awaited *
next_awaited(struct perf_reader *r)
{
	finish_samples(r, PERF_AHEAD - 1);
	return &r->ahead[r->n_read % PERF_AHEAD];
}

/*
 * In a recording of the whole machine the samples of sched:sched_switch say who runs where. If
 * there are SWITCH records, these say it. The idle task is sampled only in such a recording.
 */
static void
record_run(struct perf_reader *r, const struct perf_awaited *w)
{
	struct perf_sample_rest rest;
	uint64_t next;
	int32_t pid;

	if ((r->parallel.counted && !r->parallel.wide) || (!r->parallel.wide && w->s.tid != 0) ||
		!cr_perf_sample_rest(w->s.rest, w->a, &rest) ||
		!cr_perf_trace_number(w->a->next_pid, rest.raw, &next))
		return;
	pid = next ? cr_perf_spaces_thread(&r->spaces, -1, (int32_t)next)->pid : 0;
	cr_perf_parallel_run(&r->parallel, w->s.cpu, pid < 0 ? (int32_t)next : pid);
}

/* Compute or extend the chain of a sample that is not plain. */
static void
compose_chain(struct perf_reader *r, struct perf_space *space, struct perf_awaited *w)
{
	if (cr_perf_unwind_wanted(w->a))
		cr_perf_unwind_sample(&r->unwinds, &r->spaces, space, r->opts->symbol,
			cr_str_of(r->header.machine), w->a, &w->s, &w->unwound);
	if ((w->a->branch_sample_type & BRANCH_CALL_STACK) &&
		(w->a->sample_type & PERF_SAMPLE_BRANCH_STACK))
		chain_of_branches(w);
	else if (r->opts->branch_history && (w->a->sample_type & PERF_SAMPLE_BRANCH_STACK))
		add_history(r, w);
}

static void
await(struct perf_reader *r, struct perf_awaited *w)
{
	const bool off_cpu = !w->a->plain && cr_perf_attr_is_off_cpu(w->a);
	struct perf_thread *t;

	w->parallelism = off_cpu ? 0
				 : cr_perf_parallel_of(&r->parallel, r->header.n_cpus, w->s.cpu,
					   (int32_t)w->s.pid);
	if (!w->a->plain && w->a->next_pid)
		record_run(r, w);
	if (off_cpu)
		sample_of_program(w);
	t = cr_perf_spaces_thread(&r->spaces, (int32_t)w->s.pid, (int32_t)w->s.tid);
	w->thread = (uint32_t)(t - r->spaces.threads.p);
	w->cgroup_id1 = t->cgroup_id1;
	if (!w->a->plain)
		compose_chain(r, t->space, w);
	cr_perf_chain_key(&r->chains, &r->spaces, t->space, &w->s, &w->key);
	r->n_read++;
}

/*
 * A sample with counter values stands for each event whose value has grown: a leader that samples
 * for its group, or an event that counts while sampling.
 */
static void
add_values(struct perf_reader *r, const struct perf_record *rec, const struct perf_awaited *one)
{
	const struct perf_attr *a = one->a;
	const bool by_thread = (a->flags & PERF_ATTR_INHERIT) && (a->sample_type & PERF_SAMPLE_TID);
	struct perf_sample s = one->s;
	const unsigned cpumode = one->cpumode;

	for (uint64_t n = cr_perf_read_begin(&s.read, a); n; n--) {
		const struct perf_read_value v = cr_perf_read_next(&s.read, a);
		const struct perf_attr *of = cr_perf_attr_by_id(r, v.id);
		struct perf_awaited *w;
		uint64_t grown;

		if (!v.id || !of) {
			cr_perf_damaged(r, "counter values of an unknown event", rec);
			continue;
		}
		grown = cr_perf_values_grown(&r->values, v.id, by_thread ? s.tid : 0, v.value);
		if (!grown)
			continue;
		w = next_awaited(r);
		w->s = s;
		w->s.period = grown;
		w->a = a;
		w->event = of->event;
		w->cpumode = cpumode;
		await(r, w);
	}
}

static void
add_sample(struct perf_reader *r, const struct perf_record *rec, struct perf_awaited *w)
{
	if ((w->a->sample_type & PERF_SAMPLE_READ) && (w->a->read_format & PERF_FORMAT_ID))
		add_values(r, rec, w);
	else
		await(r, w);
}

/* ---- chains whose user part is recorded later, when the thread returns to user mode */

struct perf_held {
	unsigned char *p; /* a copy of the record; NULL if it does not wait any more */
	uint16_t size;
	uint32_t next1; /* row of the thread's next one, + 1; 0 if none */
	uint64_t cookie;
};

/* The waiting samples of a thread, oldest first. */
struct perf_held_of {
	uint32_t tid;
	uint32_t first1, last1; /* rows of held, + 1; 0 if none */
};

static struct perf_held_of *
held_of(struct perf_reader *r, uint32_t tid)
{
	const uint64_t h = cr_hash_mix(tid, 0);
	uint32_t row;

	cr_index_each(&r->held_index, h, row)
		if (r->held_of.p[row].tid == tid)
			return &r->held_of.p[row];
	cr_index_add(&r->held_index, h, (uint32_t)r->held_of.n);
	cr_vec_push(&r->held_of, ((struct perf_held_of){.tid = tid}));
	return &r->held_of.p[r->held_of.n - 1];
}

static bool
is_deferred(const struct perf_awaited *w, uint64_t *cookie)
{
	struct cr_cursor c = w->s.chain;

	if (!(w->a->flags & PERF_ATTR_DEFER_CALLCHAIN) || cr_cursor_left(&c) < 16)
		return false;
	cr_cursor_skip(&c, cr_cursor_left(&c) - 16);
	if (cr_cursor_u64(&c) != CONTEXT_USER_DEFERRED)
		return false;
	*cookie = cr_cursor_u64(&c);
	return true;
}

static void
release(struct perf_reader *r, struct perf_held *h, struct cr_cursor more)
{
	struct perf_record rec;
	struct perf_awaited *w = next_awaited(r);

	if (cr_perf_record_at(h->p, h->p + h->size, r->header.swap, &rec) &&
		(w->a = cr_perf_sample_attr(r, &rec)) &&
		cr_perf_sample_read(&rec.body, w->a, &w->s)) {
		w->event = w->a->event;
		w->cpumode = rec.misc & PERF_CPUMODE_MASK;
		chain_of_two(r, w, more);
		add_sample(r, &rec, w);
		cr_perf_sample_flush(r); /* it borrows from the copy and from r->joined */
	}
	free(h->p);
	h->p = NULL;
	r->held_bytes -= h->size;
}

static void
hold(struct perf_reader *r, const struct perf_record *rec, uint32_t tid, uint64_t cookie)
{
	struct perf_held_of *of = held_of(r, tid);

	if (r->held_bytes > HELD_BYTES_MAX) {
		cr_perf_damaged(r, "samples whose user callchain never came", rec);
		cr_perf_sample_waiting(r);
	}
	cr_vec_push(
		&r->held, ((struct perf_held){cr_memdup(rec->p, rec->size), rec->size, 0, cookie}));
	r->held_bytes += rec->size;
	if (of->last1)
		r->held.p[of->last1 - 1].next1 = (uint32_t)r->held.n;
	else
		of->first1 = (uint32_t)r->held.n;
	of->last1 = (uint32_t)r->held.n;
}

void
cr_perf_sample_deferred(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = cr_perf_record_body(r, rec);
	struct perf_held_of *of = held_of(r, cr_perf_record_trailer(r, rec).tid);
	const uint64_t cookie = cr_cursor_u64(&c), n = cr_cursor_count64(&c, 8);
	const struct cr_cursor ips = cr_cursor_sub(&c, n * 8);
	uint32_t row1 = of->first1;

	of->first1 = of->last1 = 0;
	while (row1) {
		struct perf_held *h = &r->held.p[row1 - 1];

		row1 = h->next1;
		if (h->cookie != cookie)
			cr_perf_damaged(r, "samples whose user callchain never came", rec);
		release(r, h, h->cookie == cookie ? ips : (struct cr_cursor){0});
	}
	if (r->held_bytes == 0)
		r->held.n = 0;
}

void
cr_perf_sample_waiting(struct perf_reader *r)
{
	for (size_t i = 0; i < r->held.n; i++)
		if (r->held.p[i].p)
			release(r, &r->held.p[i], (struct cr_cursor){0});
	for (size_t i = 0; i < r->held_of.n; i++)
		r->held_of.p[i].first1 = r->held_of.p[i].last1 = 0;
	r->held.n = 0;
}

void
cr_perf_add_sample(struct perf_reader *r, const struct perf_record *rec)
{
	struct perf_awaited *w = next_awaited(r);
	uint64_t cookie;

	w->a = cr_perf_sample_attr(r, rec);
	if (!w->a) {
		cr_perf_damaged(r, "samples of an unknown event", rec);
		return;
	}
	if (!cr_perf_sample_read(&rec->body, w->a, &w->s)) {
		cr_perf_damaged(r, "samples too short for their fields", rec);
		return;
	}
	w->cpumode = rec->misc & PERF_CPUMODE_MASK;
	w->event = w->a->event;
	if (is_deferred(w, &cookie))
		hold(r, rec, w->s.tid, cookie);
	else
		add_sample(r, rec, w);
}

void
cr_perf_sample_fini(struct perf_reader *r)
{
	for (size_t i = 0; i < PERF_AHEAD; i++) {
		cr_vec_fini(&r->ahead[i].made);
		cr_vec_fini(&r->ahead[i].unwound.chain);
		cr_vec_fini(&r->ahead[i].unwound.sps);
	}
	cr_perf_unwinds_fini(&r->unwinds);
	for (size_t i = 0; i < r->held.n; i++)
		free(r->held.p[i].p);
	cr_vec_fini(&r->held);
	cr_vec_fini(&r->held_of);
	cr_index_fini(&r->held_index);
	cr_vec_fini(&r->joined);
	cr_perf_values_fini(&r->values);
	cr_perf_fields_fini(&r->fields);
	cr_perf_offcpu_fini(&r->offcpu);
	cr_perf_branches_fini(&r->branches);
	cr_perf_parallel_fini(&r->parallel);
}
