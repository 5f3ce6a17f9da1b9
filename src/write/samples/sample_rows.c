#include "sample_rows_p.h"

#include "base/hash.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void
cr_sample_rows_init(struct cr_sample_rows *s, const struct cr_write_in *in)
{
	*s = (struct cr_sample_rows){
		.in = in,
		.times = cr_column_times(in->p),
		.weights = cr_column_weights(in->p),
		.tasks = cr_column_tasks(in->p),
		.cpus = cr_column_cpus(in->p),
		.events = cr_column_events(in->p),
	};
}

bool
cr_sample_rows_next(struct cr_sample_rows *s, struct cr_sample_row *out)
{
	const uint64_t n = s->in->p->samples.n;

	while (s->next < n && (s->in->place[s->next] == CR_NO_ROW || !s->weights[s->next]))
		s->next++;
	if (s->next == n)
		return false;
	*out = (struct cr_sample_row){
		.time_ns = s->times[s->next],
		.weight = s->weights[s->next],
		.task = s->tasks[s->next],
		.event = cr_event_of(&s->events, s->next),
		.node = s->in->place[s->next],
		.cpu = s->cpus[s->next],
	};
	s->next++;
	return true;
}

static bool
is_thread(const struct cr_sample_thread *t, const struct cr_task *task)
{
	return t->pid == task->pid && t->tid == task->tid && cr_str_eq(t->comm, task->comm);
}

void
cr_sample_threads_init(struct cr_sample_threads *out, const struct cr_profile *p)
{
	const bool known = p->flags & CR_PROFILE_HAS_TASK;
	struct cr_index ix = {0};
	uint32_t row;

	out->of_task = cr_alloc(CR_MAX(p->n_tasks, 1), sizeof(*out->of_task));
	out->rows = cr_alloc(CR_MAX(p->n_tasks, 1), sizeof(*out->rows));
	out->rows[0] = (struct cr_sample_thread){-1, -1, CR_STR("")};
	out->n = known ? 0 : 1;
	for (uint32_t i = 0; known && i < p->n_tasks; i++) {
		const struct cr_task *task = &p->tasks[i];
		const uint64_t h = cr_hash_mix(cr_hash(task->comm.p, task->comm.len),
			cr_hash_mix((uint32_t)task->pid, (uint32_t)task->tid));

		cr_index_each(&ix, h, row)
			if (is_thread(&out->rows[row], task))
				break;
		if (row == CR_NO_ROW) {
			row = out->n++;
			out->rows[row] =
				(struct cr_sample_thread){task->pid, task->tid, task->comm};
			cr_index_add(&ix, h, row);
		}
		out->of_task[i] = row;
	}
	out->n = CR_MAX(out->n, 1);
	cr_index_fini(&ix);
}

void
cr_sample_threads_fini(struct cr_sample_threads *t)
{
	free(t->of_task);
	free(t->rows);
}

struct cr_str
cr_sample_unit(struct cr_str unit)
{
	static const char *const times[][2] = {
		{"ns", "nanoseconds"},
		{"us", "microseconds"},
		{"ms", "milliseconds"},
		{"s", "seconds"},
	};

	for (size_t i = 0; i < CR_LEN(times); i++)
		if (cr_str_eq(unit, cr_str_of(times[i][0])))
			return cr_str_of(times[i][1]);
	return unit;
}

bool
cr_sample_text_ok(struct cr_str s)
{
	unsigned used;

	for (uint32_t i = cr_utf8_plain(s); i < s.len; i += used) {
		const uint32_t c = cr_utf8_decode(s.p + i, s.len - i, &used);

		if (c == CR_UTF8_BAD || !c)
			return false;
	}
	return true;
}

void
cr_sample_text_put(struct cr_str s, struct cr_text *out)
{
	if (cr_sample_text_ok(s))
		cr_text_str(out, s);
	else
		cr_text_safe(out, s);
}

/* By frame: a number that frames of the same function share. */
static uint32_t *
functions_of(const struct cr_tree *t)
{
	uint32_t *function = cr_alloc(t->n_frames, sizeof(*function));
	struct cr_index ix = {0};
	uint32_t row;

	for (uint32_t i = 0; i < t->n_frames; i++) {
		const struct cr_frame *f = &t->frames[i];
		const uint64_t h =
			cr_hash_mix(cr_hash(f->name.p, f->name.len), cr_hash(f->dso.p, f->dso.len));

		cr_index_each(&ix, h, row)
			if (cr_str_eq(f->name, t->frames[row].name) &&
				cr_str_eq(f->dso, t->frames[row].dso))
				break;
		if (row == CR_NO_ROW)
			cr_index_add(&ix, h, row = i);
		function[i] = row;
	}
	cr_index_fini(&ix);
	return function;
}

uint8_t *
cr_sample_outermost(const struct cr_tree *t)
{
	uint32_t *function = functions_of(t);
	uint32_t *last = cr_alloc(t->n_frames, sizeof(*last)); /* its outermost node so far; or 0 */
	uint8_t *out = cr_alloc(t->n, sizeof(*out));

	for (uint32_t n = 1; n < t->n; n++) {
		uint32_t *at = &last[function[t->frame[n]]];

		out[n] = !*at || n >= t->end[*at];
		if (out[n])
			*at = n;
	}
	free(function);
	free(last);
	return out;
}

const struct cr_dso *
cr_sample_dso(const struct cr_profile *p, struct cr_str name)
{
	const struct cr_dso *found = NULL;

	for (uint32_t i = 0; i < p->n_dsos && !(found && found->build_id_len); i++)
		if (cr_str_eq(p->dsos[i].name, name))
			found = &p->dsos[i];
	return found;
}

void
cr_sample_build_id(const struct cr_dso *d, struct cr_text *out)
{
	for (uint32_t i = 0; i < d->build_id_len; i++)
		cr_text_printf(out, "%02x", d->build_id[i]);
}

uint64_t
cr_sample_date_ns(const struct cr_profile *p)
{
	const struct cr_str date = cr_profile_fact(p, "date");
	struct tm tm = {0};
	char text[32];
	time_t when;

	snprintf(text, sizeof(text), "%.*s", (int)date.len, date.len ? date.p : "");
	if (sscanf(text, "%d-%d-%d %d:%d:%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
		    &tm.tm_min, &tm.tm_sec) != 6)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	when = timegm(&tm);
	return when > 0 && when < INT32_MAX ? (uint64_t)when * 1000000000u : 0;
}
