#include "own_list_p.h"

/* What is written about a thread and an event; texts as written. */
struct members {
	struct cr_str comm, event, unit;
	uint64_t pid, tid, by_comm, main, start_ns;
	bool has_comm;
};

static void
members_read(struct cr_json *j, struct members *out)
{
	struct cr_str key;

	*out = (struct members){.pid = UINT64_MAX, .tid = UINT64_MAX};
	if (!cr_json_object(j))
		return;
	while (cr_json_key(j, &key)) {
		const struct {
			const char *name;
			uint64_t *at;
		} numbers[] = {
			{"pid", &out->pid},
			{"tid", &out->tid},
			{"by_comm", &out->by_comm},
			{"main", &out->main},
			{"start_ns", &out->start_ns},
		};
		size_t i = 0;

		while (i < CR_LEN(numbers) && !cr_str_eq(key, cr_str_of(numbers[i].name)))
			i++;
		if (i < CR_LEN(numbers))
			cr_json_reader_u64(j, numbers[i].at);
		else if (cr_str_eq(key, CR_STR("comm")))
			out->has_comm = cr_json_text(j, &out->comm);
		else if (cr_str_eq(key, CR_STR("event")))
			cr_json_text(j, &out->event);
		else if (cr_str_eq(key, CR_STR("unit")))
			cr_json_text(j, &out->unit);
		else
			cr_json_skip(j);
	}
}

static int32_t
id_of(uint64_t number)
{
	return number <= INT32_MAX ? (int32_t)number : -1;
}

void
cr_own_list_read(struct cr_json_reader *t, struct cr_json at, struct cr_own_list *out)
{
	struct cr_text room = {0};
	struct members m;

	*out = (struct cr_own_list){0};
	if (!at.p)
		return;
	members_read(&at, &m);
	out->known = true;
	out->main = m.main != 0;
	out->by_comm = m.by_comm != 0;
	out->start_ns = m.start_ns;
	out->has_event = m.event.len != 0;
	out->unit = m.unit;
	out->has_thread = m.has_comm;
	if (out->has_event) {
		const struct cr_str event = cr_json_plain(m.event, &room);

		out->event = cr_builder_event(t->b, event, cr_json_plain(m.unit, &t->room));
		if (out->main)
			cr_builder_fact(t->b, "main event", event);
	}
	out->task = cr_builder_task(t->b, id_of(m.pid), id_of(m.tid),
		m.has_comm ? cr_json_plain(m.comm, &room) : CR_STR(""), t->space);
	cr_text_fini(&room);
}
