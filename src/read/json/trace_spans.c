#include "trace_spans_p.h"

#include <stdlib.h>

bool
cr_spans_add(struct cr_spans *s, struct cr_span span)
{
	if (s->all.n == CR_SPANS_MAX)
		return false;
	span.order = (uint32_t)s->all.n;
	cr_vec_push(&s->all, span);
	return true;
}

static int
compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
by_time(const void *x, const void *y)
{
	const struct cr_span *a = x, *b = y;
	int c = compare(a->thread, b->thread);

	c = c ? c : compare(a->at, b->at);
	return c ? c : compare(a->order, b->order);
}

/*
 * Of spans that begin at once the longer one is outside; of equal ones the one given by begin and
 * end.
 */
static int
by_nesting(const void *x, const void *y)
{
	const struct cr_span *a = x, *b = y;
	int c = compare(a->thread, b->thread);

	c = c ? c : compare(a->at, b->at);
	c = c ? c : compare(b->end, a->end);
	c = c ? c : compare(a->kind == 'X', b->kind == 'X');
	return c ? c : compare(a->order, b->order);
}

static void
report(struct cr_json_reader *t, enum cr_reason why, const struct cr_span *span)
{
	struct cr_json place = t->j;

	place.p = place.start + span->offset;
	cr_json_reader_report(t, why, &place);
}

/*
 * Assign ends to the begins of one thread, sorted by time. With equal times an end may precede its
 * begin: the last end without a begin waits for that.
 */
static void
ends_find(struct cr_json_reader *t, struct cr_span *p, size_t n)
{
	CR_VEC(struct cr_span *) begun = {0};
	const struct cr_span *waits = NULL;
	uint64_t last = 0;

	for (size_t i = 0; i < n; i++) {
		last = CR_MAX(last, CR_MAX(p[i].at, p[i].end));
		if (p[i].kind == 'B' && waits && waits->at == p[i].at && waits->name == p[i].name) {
			p[i].end = p[i].at;
			waits = NULL;
		} else if (p[i].kind == 'B') {
			cr_vec_push(&begun, &p[i]);
		} else if (p[i].kind == 'E' && begun.n &&
			   (!p[i].name || p[i].name == begun.p[begun.n - 1]->name)) {
			begun.p[--begun.n]->end = p[i].at;
		} else if (p[i].kind == 'E') {
			if (waits)
				report(t, CR_REASON_MISSING_REF, waits);
			waits = &p[i];
		}
	}
	if (waits)
		report(t, CR_REASON_MISSING_REF, waits);
	for (size_t i = 0; i < begun.n; i++) {
		report(t, CR_REASON_UNCLOSED, begun.p[i]);
		begun.p[i]->end = last;
	}
	cr_vec_fini(&begun);
}

struct running {
	uint64_t until; /* its end, or that of its parent if earlier */
	cr_node_id node;
};

struct sweep {
	void (*sample)(void *user, uint32_t thread, cr_node_id node, uint64_t at, uint64_t weight);
	void *user;
	uint32_t thread;
	uint64_t last;                  /* time up to which samples were made */
	CR_VEC(struct running) running; /* outermost first */
};

/* Add the time until then to the innermost running span. */
static void
sweep_to(struct sweep *w, uint64_t until)
{
	if (until > w->last)
		w->sample(w->user, w->thread, w->running.p[w->running.n - 1].node, w->last,
			until - w->last);
	w->last = CR_MAX(w->last, until);
}

static void
sweep_ends(struct sweep *w, uint64_t now)
{
	while (w->running.n && w->running.p[w->running.n - 1].until <= now) {
		sweep_to(w, w->running.p[w->running.n - 1].until);
		w->running.n--;
	}
}

/* Process the spans of one thread, sorted by nesting. */
static void
sweep_thread(struct sweep *w, struct cr_builder *b, const struct cr_span *p, size_t n)
{
	w->running.n = 0;
	w->last = 0;
	for (size_t i = 0; i < n; i++) {
		struct running r = {p[i].end, CR_ROOT};

		if (p[i].kind == 'E')
			continue;
		sweep_ends(w, p[i].at);
		if (w->running.n) {
			sweep_to(w, p[i].at);
			r.node = w->running.p[w->running.n - 1].node;
			r.until = CR_MIN(r.until, w->running.p[w->running.n - 1].until);
		}
		w->last = CR_MAX(w->last, p[i].at);
		r.node = cr_builder_push(b, r.node, p[i].location);
		cr_vec_push(&w->running, r);
	}
	sweep_ends(w, UINT64_MAX);
}

void
cr_spans_run(struct cr_spans *s, struct cr_json_reader *t,
	void (*sample)(void *user, uint32_t thread, cr_node_id node, uint64_t at, uint64_t weight),
	void *user)
{
	struct sweep w = {.sample = sample, .user = user};

	if (s->all.n)
		qsort(s->all.p, s->all.n, sizeof(*s->all.p), by_time);
	for (size_t i = 0, end; i < s->all.n; i = end) {
		for (end = i; end < s->all.n && s->all.p[end].thread == s->all.p[i].thread;)
			end++;
		ends_find(t, s->all.p + i, end - i);
		qsort(s->all.p + i, end - i, sizeof(*s->all.p), by_nesting);
		w.thread = s->all.p[i].thread;
		sweep_thread(&w, t->b, s->all.p + i, end - i);
	}
	cr_vec_fini(&w.running);
}

void
cr_spans_fini(struct cr_spans *s)
{
	cr_vec_fini(&s->all);
}
