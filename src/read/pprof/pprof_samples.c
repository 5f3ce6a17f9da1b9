#include "pprof_samples_p.h"

#include "bytes/wire.h"
#include "model/build/string_table.h"

#define DIGITS_MOST 64u /* of an id in a text, with leading zeros */

/* ---- types */

/* The unit's name as used in the rest of the program. */
static struct cr_str
unit_of(const struct cr_pprof_type *t)
{
	static const struct {
		const char *have, *name;
	} units[] = {
		{"nanoseconds", "ns"},
		{"nanosecond", "ns"},
		{"microseconds", "us"},
		{"microsecond", "us"},
		{"milliseconds", "ms"},
		{"millisecond", "ms"},
		{"seconds", "s"},
		{"byte", "bytes"},
	};

	if (cr_str_eq(t->unit, CR_STR("count")) &&
		(cr_str_eq(t->name, CR_STR("samples")) || cr_str_eq(t->name, CR_STR("sample"))))
		return CR_STR("samples");
	for (size_t i = 0; i < CR_LEN(units); i++)
		if (cr_str_eq(t->unit, cr_str_of(units[i].have)))
			return cr_str_of(units[i].name);
	return t->unit;
}

static bool
has_name(const struct cr_pprof_types *t, uint32_t n, struct cr_str name)
{
	for (uint32_t i = 0; i < n; i++)
		if (cr_str_eq(t->row[i].name, name))
			return true;
	return false;
}

static void
event_name(const struct cr_pprof_types *t, uint32_t i, struct cr_text *out)
{
	const struct cr_pprof_type *row = &t->row[i];

	cr_text_str(out, row->name);
	if (row->name.len == 0)
		cr_text_printf(out, "value %u", i + 1);
	if (!has_name(t, i, row->name))
		return;
	cr_text_char(out, '/');
	cr_text_str(out, row->unit);
}

void
cr_pprof_events(struct cr_pprof_types *t, struct cr_builder *b, struct cr_str main)
{
	struct cr_text name = {0};

	t->main = t->n - 1;
	for (uint32_t i = t->n; i-- > 0;)
		if (main.len && cr_str_eq(t->row[i].name, main))
			t->main = i;
	for (uint32_t k = 0; k <= t->n; k++) { /* the main one has row 0 */
		const uint32_t i = k ? k - 1 : t->main;

		cr_text_clear(&name);
		event_name(t, i, &name);
		t->row[i].event = cr_builder_event(b, cr_text_view(&name), unit_of(&t->row[i]));
	}
	cr_text_fini(&name);
}

void
cr_pprof_set_main(const struct cr_pprof_types *t, struct cr_builder *b)
{
	struct cr_text name = {0};
	uint32_t main = t->main;

	for (uint32_t i = 0; i < t->n && !t->row[t->main].used; i++)
		if (t->row[i].used)
			main = i;
	event_name(t, main, &name);
	cr_builder_fact(b, "main event", cr_text_view(&name));
	cr_text_fini(&name);
}

/* ---- labels */

void
cr_pprof_labels_clear(struct cr_pprof_labels *l)
{
	l->row.n = 0;
	l->thread.len = 0;
	l->pid = l->tid = -1;
	l->cpu = CR_CPU_NONE;
	l->by_comm = false;
	l->time_ns = 0;
	l->has_task = false;
}

void
cr_pprof_labels_fini(struct cr_pprof_labels *l)
{
	cr_vec_fini(&l->row);
	cr_text_fini(&l->room);
}

static bool
one_of(struct cr_str key, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cr_str_eq(key, cr_str_of(names[i])))
			return true;
	return false;
}

static const char *const thread_keys[] = {"thread", "thread name", "thread_name", "comm"};
static const char *const tid_keys[] = {"tid", "thread id", "thread_id"};
static const char *const pid_keys[] = {"pid", "process id", "process_id"};
static const char *const time_keys[] = {"end_timestamp_ns", "timestamp_ns"};

static void
on_number(struct cr_pprof_labels *l, struct cr_str key, int64_t number)
{
	const bool is_tid = one_of(key, tid_keys, CR_LEN(tid_keys));

	if (number < 0)
		return;
	if (one_of(key, time_keys, CR_LEN(time_keys)))
		l->time_ns = (uint64_t)number;
	if (cr_str_eq(key, CR_STR("cpu")) && number < CR_CPU_UNKNOWN)
		l->cpu = (uint16_t)number;
	if (number > INT32_MAX || (!is_tid && !one_of(key, pid_keys, CR_LEN(pid_keys))))
		return;
	*(is_tid ? &l->tid : &l->pid) = (int32_t)number;
	l->has_task = true;
}

/* A short name is copied, as the text may change. */
static void
thread_name(struct cr_pprof_labels *l, struct cr_builder *b, struct cr_str text)
{
	if (text.len >= CR_STRINGS_LONG) {
		l->thread = cr_builder_shared(b, text);
		return;
	}
	cr_text_clear(&l->room);
	cr_text_str(&l->room, text);
	l->thread = cr_text_view(&l->room);
}

void
cr_pprof_label_text(
	struct cr_pprof_labels *l, struct cr_builder *b, struct cr_str key, struct cr_str text)
{
	uint64_t number;

	cr_vec_push(
		&l->row, ((struct cr_pprof_label){key, CR_FORM_TEXT, cr_builder_text(b, text)}));
	if (one_of(key, thread_keys, CR_LEN(thread_keys))) {
		thread_name(l, b, text);
		l->has_task = true;
		l->by_comm = cr_str_eq(key, CR_STR("comm"));
	} else if (text.len <= DIGITS_MOST && cr_scan_u64(text, &number) && number <= INT64_MAX) {
		on_number(l, key, (int64_t)number);
	}
}

void
cr_pprof_label_number(struct cr_pprof_labels *l, struct cr_str key, int64_t number)
{
	cr_vec_push(&l->row, ((struct cr_pprof_label){key, CR_FORM_SIGNED, (uint64_t)number}));
	on_number(l, key, number);
}

/* ---- lines and functions */

struct cr_pprof_line
cr_pprof_line_read(struct cr_cursor message)
{
	struct cr_pprof_line out = {0};
	struct cr_wire_field f;
	uint64_t line = 0;

	while (cr_wire_next(&message, &f)) {
		if (f.number == 1)
			out.function = f.value;
		else if (f.number == 2)
			line = f.value;
	}
	out.line = line <= INT32_MAX ? (uint32_t)line : 0;
	return out;
}

struct cr_pprof_function
cr_pprof_function_read(struct cr_cursor message, uint32_t name_field)
{
	struct cr_pprof_function out = {0};
	uint64_t *const parts[] = {&out.name, &out.system_name, &out.file};
	struct cr_wire_field f;

	while (cr_wire_next(&message, &f))
		if (f.number - name_field < CR_LEN(parts))
			*parts[f.number - name_field] = f.value;
	return out;
}

/* ---- samples */

bool
cr_pprof_names_ready(struct cr_named *named, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= named[i].name.len > 0;
	for (size_t i = 0; any && i < n; i++)
		if (named[i].name.len == 0)
			named[i].name = CR_STR("[unknown]");
	return any;
}

static void
report_labels(struct cr_stacks *s, const struct cr_pprof_labels *l)
{
	for (size_t i = 0; i < l->row.n; i++)
		cr_builder_value(s->b,
			cr_builder_field(s->b, s->event, l->row.p[i].name, l->row.p[i].form),
			l->row.p[i].value);
}

static cr_event_id
negative_event(struct cr_pprof_types *t, struct cr_builder *b, uint32_t i)
{
	struct cr_text name = {0};

	if (!t->row[i].has_negative) {
		cr_text_puts(&name, i == t->main ? "negative" : "negative ");
		if (i != t->main)
			event_name(t, i, &name);
		t->row[i].negative = cr_builder_event(b, cr_text_view(&name), unit_of(&t->row[i]));
		cr_text_fini(&name);
	}
	t->row[i].has_negative = true;
	cr_builder_quality(b, CR_STR("samples below zero: events of their own"), 1);
	return t->row[i].negative;
}

void
cr_pprof_sample(struct cr_stacks *s, struct cr_pprof_types *t, const int64_t *value, size_t n,
	const struct cr_pprof_labels *l)
{
	cr_pprof_sample_at(s, t, cr_stacks_node_leaf_first(s), value, n, l);
}

void
cr_pprof_sample_at(struct cr_stacks *s, struct cr_pprof_types *t, cr_node_id node,
	const int64_t *value, size_t n, const struct cr_pprof_labels *l)
{
	const cr_task_id nobody = s->task;

	s->time_ns = l->time_ns;
	s->cpu = l->cpu;
	if (l->cpu != CR_CPU_NONE)
		cr_builder_flags(s->b, CR_PROFILE_HAS_CPU);
	if (l->has_task) {
		s->task = cr_builder_task(s->b, l->pid, l->tid, l->thread, l->space);
		/* A comm with numbers is that of a recording of perf. */
		cr_builder_flags(s->b, l->by_comm && (l->pid >= 0 || l->tid >= 0)
					       ? CR_PROFILE_HAS_TASK
					       : CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	}
	if (l->time_ns)
		cr_builder_flags(s->b, CR_PROFILE_HAS_TIME);
	for (uint32_t i = 0; i < CR_MIN(n, (size_t)t->n); i++) {
		if (value[i] == 0)
			continue;
		s->event = value[i] < 0 ? negative_event(t, s->b, i) : t->row[i].event;
		t->row[i].used = true;
		cr_stacks_sample(
			s, node, value[i] < 0 ? 0 - (uint64_t)value[i] : (uint64_t)value[i]);
		report_labels(s, l);
	}
	s->task = nobody;
	s->cpu = CR_CPU_NONE;
}
