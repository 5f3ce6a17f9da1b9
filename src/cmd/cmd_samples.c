#include "job_p.h"
#include "reply_p.h"
#include "sheet_out_p.h"

#include "model/columns.h"
#include "model/field.h"
#include "query/time/sample_list.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int cr_cmd_samples(const struct cr_options *o);

/*
 * One block for each sample, in the order of time:
 *
 *	COMM PID/TID [CPU] +SECONDS: WEIGHT EVENT: FIELD=VALUE ...
 *	<TAB>FUNCTION (DSO)           leaf first
 *	<blank line>
 *
 * With --one-line, the functions follow the head, each after " <- ".
 */
struct out {
	const struct cr_options *o;
	const struct cr_profile *p;
	const struct cr_sample_list *l;
	struct cr_event_column events;
	const uint64_t *times, *weights;
	const uint32_t *tasks;
	const uint16_t *cpus;
	struct cr_text text;
};

/* A sample of the list. */
struct sample {
	uint64_t row, of_event;
	uint32_t event;
	const struct cr_task *task; /* NULL if unknown */
};

static struct sample
sample_at(const struct out *x, uint64_t i)
{
	const uint64_t row = x->l->row[i];
	const bool has_task = x->p->flags & CR_PROFILE_HAS_TASK;

	return (struct sample){row, x->l->of_event[i], cr_event_of(&x->events, row),
		has_task ? &x->p->tasks[x->tasks[row]] : NULL};
}

static uint64_t
after_first(const struct out *x, uint64_t row)
{
	return x->times[row] > x->l->first_ns ? x->times[row] - x->l->first_ns : 0;
}

/* ---- text */

static void
put_fields(struct out *x, const struct sample *s)
{
	for (uint32_t i = 0; i < x->p->n_fields; i++) {
		const struct cr_field *d = &x->p->fields[i];

		if (d->event.i != s->event || !d->value || s->of_event >= d->n ||
			d->value[s->of_event] == cr_form_none((enum cr_form)d->form))
			continue;
		cr_text_char(&x->text, ' ');
		cr_text_safe(&x->text, d->name);
		cr_text_char(&x->text, '=');
		cr_field_put(x->p, d, d->value[s->of_event], &x->text);
	}
}

static void
put_head(struct out *x, const struct sample *s)
{
	const struct cr_event *e = &x->p->events[s->event];
	struct cr_text *t = &x->text;

	if (s->task) {
		cr_text_safe(t, s->task->comm);
		cr_text_printf(t, " %" PRId32 "/%" PRId32 " ", s->task->pid, s->task->tid);
	}
	if ((x->p->flags & CR_PROFILE_HAS_CPU) && x->cpus[s->row] < CR_CPU_UNKNOWN)
		cr_text_printf(t, "[%03u] ", x->cpus[s->row]);
	if (x->l->first_ns) {
		const uint64_t ns = after_first(x, s->row);

		cr_text_printf(t, "+%" PRIu64 ".%09" PRIu64 ": ", ns / 1000000000, ns % 1000000000);
	}
	cr_text_printf(t, "%" PRIu64 " ", x->weights[s->row]);
	cr_text_safe(t, e->name);
	cr_text_char(t, ':');
	put_fields(x, s);
}

static void
put_frame(struct out *x, const struct cr_frame *f)
{
	cr_text_safe(&x->text, f->name);
	if (x->o->one_line || (!f->inlined && !f->dso.len))
		return;
	cr_text_puts(&x->text, " (");
	cr_text_safe(&x->text, f->inlined ? CR_STR("inlined") : f->dso);
	cr_text_char(&x->text, ')');
}

static void
put_sample(struct out *x, uint64_t i)
{
	const struct sample s = sample_at(x, i);
	const struct cr_tree *t = x->l->tree;
	const char *between = x->o->one_line ? "  " : "\n\t";

	put_head(x, &s);
	for (uint32_t n = x->l->node[s.row]; n; n = t->parent[n]) {
		cr_text_puts(&x->text, between);
		put_frame(x, &t->frames[t->frame[n]]);
		between = x->o->one_line ? " <- " : "\n\t";
	}
	cr_text_puts(&x->text, x->o->one_line ? "\n" : "\n\n");
	fwrite(x->text.p, 1, x->text.len, stdout);
	cr_text_clear(&x->text);
}

static void
print_text(struct out *x, uint64_t left_out)
{
	for (uint64_t i = 0; i < x->l->n; i++)
		put_sample(x, i);
	if (left_out)
		printf("# %" PRIu64 " more, --limit 0 shows all\n", left_out);
	cr_text_fini(&x->text);
}

/* ---- JSON */

static void
put_fields_json(const struct out *x, const struct sample *s, struct cr_json_out *j)
{
	struct cr_text t = {0};

	cr_json_out_key(j, "fields");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < x->p->n_fields; i++) {
		const struct cr_field *d = &x->p->fields[i];

		if (d->event.i != s->event || !d->value || s->of_event >= d->n ||
			d->value[s->of_event] == cr_form_none((enum cr_form)d->form))
			continue;
		cr_text_clear(&t);
		cr_field_put(x->p, d, d->value[s->of_event], &t);
		cr_json_out_open(j, '{');
		cr_json_out_text_of(j, "name", d->name);
		cr_json_out_text_of(j, "value", cr_text_view(&t));
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
	cr_text_fini(&t);
}

static void
put_stack_json(const struct out *x, uint64_t row, struct cr_json_out *j)
{
	const struct cr_tree *t = x->l->tree;

	cr_json_out_key(j, "stack");
	cr_json_out_open(j, '[');
	for (uint32_t n = x->l->node[row]; n; n = t->parent[n]) {
		const struct cr_frame *f = &t->frames[t->frame[n]];

		cr_json_out_open(j, '{');
		cr_json_out_text_of(j, "function", f->name);
		cr_json_out_text_of(j, "dso", f->dso);
		if (f->inlined) {
			cr_json_out_key(j, "inlined");
			cr_json_out_bool(j, true);
		}
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
}

static void
put_sample_json(const struct out *x, uint64_t i, struct cr_json_out *j)
{
	const struct sample s = sample_at(x, i);

	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "event", x->p->events[s.event].name);
	cr_json_out_u64_of(j, "weight", x->weights[s.row]);
	if (x->l->first_ns) {
		cr_json_out_u64_of(j, "time_ns", x->times[s.row]);
		cr_json_out_u64_of(j, "after_ns", after_first(x, s.row));
	}
	if (s.task) {
		cr_json_out_key(j, "pid");
		cr_json_out_i64(j, s.task->pid);
		cr_json_out_key(j, "tid");
		cr_json_out_i64(j, s.task->tid);
		cr_json_out_text_of(j, "comm", s.task->comm);
	}
	if ((x->p->flags & CR_PROFILE_HAS_CPU) && x->cpus[s.row] < CR_CPU_UNKNOWN)
		cr_json_out_u64_of(j, "cpu", x->cpus[s.row]);
	put_fields_json(x, &s, j);
	put_stack_json(x, s.row, j);
	cr_json_out_close(j);
}

static void
print_json(const struct out *x, uint64_t left_out)
{
	struct cr_reply r;

	cr_reply_begin(&r, x->o, CR_REPLY_ONE);
	cr_json_out_open(&r.json, '{');
	cr_reply_missing(&r, x->p);
	cr_json_out_line(&r.json, "");
	cr_json_out_u64_of(&r.json, "left_out", left_out);
	cr_json_out_key(&r.json, "samples");
	cr_json_out_open(&r.json, '[');
	for (uint64_t i = 0; i < x->l->n; i++) {
		put_sample_json(x, i, &r.json);
		cr_reply_flush(&r);
	}
	cr_json_out_close(&r.json);
	cr_json_out_close(&r.json);
	cr_reply_end(&r);
}

/* ---- */

static void
print_list(const struct cr_options *o, const struct cr_profile *p, const struct cr_sample_list *l,
	uint64_t left_out)
{
	struct out x = {.o = o,
		.p = p,
		.l = l,
		.events = cr_column_events(p),
		.times = cr_column_times(p),
		.weights = cr_column_weights(p),
		.tasks = cr_column_tasks(p),
		.cpus = cr_column_cpus(p)};

	if (o->json)
		print_json(&x, left_out);
	else
		print_text(&x, left_out);
}

int
cr_cmd_samples(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_sample_list list;
	struct cr_profile *p;
	uint64_t left_out;
	int code = cr_job_load(o, o->args[0],
		CR_STORE_SAMPLES | CR_STORE_FIELDS | cr_job_parts(o) |
			cr_load_parts(cr_sample_list_needs(&o->query)),
		&p);

	if (code != EXIT_DONE)
		return code;
	if (cr_sample_list_make(p, &o->query, o->list.reverse, cr_sheets_limit(o), &list, &left_out,
		    &err) < 0) {
		code = cr_job_fail_query(o->args[0], &err);
		cr_profile_free(p);
		return code;
	}
	if (!cr_job_none_left(o, list.n))
		print_list(o, p, &list, left_out);
	code = cr_job_end(o, p, list.n ? EXIT_DONE : EXIT_NOTHING);
	cr_sample_list_fini(&list);
	cr_profile_free(p);
	return code;
}
