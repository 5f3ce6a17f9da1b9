#include "thread_samples_p.h"

#include "base/hash.h"

#include <stdlib.h>

/* Finds lists by thread and event. */
struct finder {
	struct cr_thread_samples *s;
	struct cr_index index;
	uint32_t last; /* the list found last; most samples are of the same one as the one before */
};

static bool
is_list(const struct cr_thread_list *l, uint32_t thread, uint32_t event)
{
	return l->thread == thread && l->event == event;
}

/* The list of a sample, which is added if it is new. */
static uint32_t
list_of(struct finder *f, const struct cr_sample_row *r)
{
	const uint32_t thread = f->s->threads.of_task[r->task];
	const uint64_t h = cr_hash_mix(thread, r->event);
	uint32_t row;

	if (f->last < f->s->lists.n && is_list(&f->s->lists.p[f->last], thread, r->event))
		return f->last;
	cr_index_each(&f->index, h, row)
		if (is_list(&f->s->lists.p[row], thread, r->event))
			break;
	if (row == CR_NO_ROW) {
		row = (uint32_t)f->s->lists.n;
		cr_index_add(&f->index, h, row);
		cr_vec_push(&f->s->lists,
			((struct cr_thread_list){.thread = thread, .event = r->event}));
	}
	return f->last = row;
}

static int
by_thread(const void *x, const void *y)
{
	const struct cr_thread_list *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->event > b->event) - (a->event < b->event);
}

/* Find the lists, in their order. Returns the number of samples. */
static uint64_t
lists_find(struct cr_thread_samples *s, const struct cr_write_in *in)
{
	struct finder f = {.s = s};
	struct cr_sample_rows rows;
	struct cr_sample_row r;
	uint64_t n = 0;

	cr_sample_rows_init(&rows, in);
	while (cr_sample_rows_next(&rows, &r)) {
		const uint32_t list = list_of(&f, &r); /* may move the lists */
		struct cr_thread_list *l = &s->lists.p[list];

		l->n++;
		l->weight = cr_add_sat(l->weight, r.weight);
	}
	if (s->lists.n)
		qsort(s->lists.p, s->lists.n, sizeof(*s->lists.p), by_thread);
	for (size_t i = 0; i < s->lists.n; i++) {
		s->lists.p[i].first = n;
		n += s->lists.p[i].n;
	}
	cr_index_fini(&f.index);
	return n;
}

/* Put the rows into their lists, whose n counts up again. */
static void
rows_sort(struct cr_thread_samples *s, const struct cr_write_in *in)
{
	struct finder f = {.s = s};
	struct cr_sample_rows rows;
	struct cr_sample_row r;

	for (uint32_t i = 0; i < s->lists.n; i++) {
		cr_index_add(&f.index, cr_hash_mix(s->lists.p[i].thread, s->lists.p[i].event), i);
		s->lists.p[i].n = 0;
	}
	cr_sample_rows_init(&rows, in);
	while (cr_sample_rows_next(&rows, &r)) {
		struct cr_thread_list *l = &s->lists.p[list_of(&f, &r)];

		s->row[l->first + l->n++] = rows.next - 1;
	}
	cr_index_fini(&f.index);
}

void
cr_thread_samples_init(struct cr_thread_samples *out, const struct cr_write_in *in)
{
	uint64_t n;

	*out = (struct cr_thread_samples){0};
	cr_sample_threads_init(&out->threads, in->p);
	n = lists_find(out, in);
	out->row = cr_alloc(CR_MAX(n, 1), sizeof(*out->row));
	rows_sort(out, in);
}

void
cr_thread_samples_fini(struct cr_thread_samples *s)
{
	cr_sample_threads_fini(&s->threads);
	cr_vec_fini(&s->lists);
	free(s->row);
}

void
cr_thread_list_title(const struct cr_thread_samples *s, const struct cr_thread_list *l,
	const struct cr_profile *p, struct cr_text *out)
{
	const struct cr_sample_thread *t = &s->threads.rows[l->thread];

	cr_text_str(out, t->comm);
	if (t->pid >= 0)
		cr_text_printf(out, "%s%d/%d", out->len ? " " : "", t->pid, t->tid);
	else if (t->tid >= 0)
		cr_text_printf(out, "%s%d", out->len ? " " : "", t->tid);
	if (!out->len || p->n_events > 1) {
		cr_text_puts(out, out->len ? " " : "");
		cr_text_str(out, p->events[l->event].name);
	}
}

void
cr_thread_list_own(const struct cr_thread_samples *s, const struct cr_thread_list *l,
	const struct cr_profile *p, struct cr_json_out *json)
{
	const struct cr_sample_thread *t = &s->threads.rows[l->thread];

	if (p->flags & CR_PROFILE_HAS_TASK) {
		cr_json_out_text_of(json, "comm", t->comm);
		if (t->pid >= 0)
			cr_json_out_u64_of(json, "pid", (uint64_t)t->pid);
		if (t->tid >= 0)
			cr_json_out_u64_of(json, "tid", (uint64_t)t->tid);
	}
	cr_json_out_text_of(json, "event", p->events[l->event].name);
	cr_json_out_text_of(json, "unit", p->events[l->event].unit);
	cr_json_out_u64_of(json, "main", l->event == cr_event_main(p).i);
	cr_json_out_u64_of(json, "by_comm", cr_profile_by_comm(p));
}
