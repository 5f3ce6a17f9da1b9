#include "base/vec.h"
#include "json_reader_p.h"
#include "own_list_p.h"
#include "read/pprof/mappings_p.h"

/*
 * The file format of speedscope, https://www.speedscope.app/file-format-schema.json:
 *
 *	{"shared": {"frames": [{"name", "file", "line", "col"}, ...]},
 *	 "profiles": [
 *	  {"type": "evented", "name", "unit", "startValue", "endValue",
 *	   "events": [{"type": "O" or "C", "frame": row of the frames, "at"}, ...]},
 *	  {"type": "sampled", "name", "unit", "startValue", "endValue",
 *	   "samples": [[rows of the frames, outermost first], ...], "weights": [...]}],
 *	 "name", "exporter", "activeProfileIndex"}
 *
 * Each profile becomes a thread with its name. Between two events the open frames are running. A
 * profile that cresset wrote has a member "cresset", see own_list_p.h.
 * Members may come in any order, so their positions are stored and read later.
 */
static const struct unit {
	const char *name, *event, *unit;
	unsigned scale;
	bool time;
} units[] = {
	{"nanoseconds", "time", "ns", 0, true},
	{"microseconds", "time", "ns", 3, true},
	{"milliseconds", "time", "ns", 6, true},
	{"seconds", "time", "ns", 9, true},
	{"bytes", "bytes", "bytes", 0, false},
	{"none", "samples", NULL, 0, false},
};

#define MILLIONTHS 6u /* for weights with fractions and without a unit */

struct call {
	uint64_t frame;
	cr_node_id node;
};

struct speedscope {
	struct cr_json_reader t;
	CR_VEC(cr_location_id) frames;
	CR_VEC(struct call) calls;       /* of an evented profile: running calls, outermost first */
	struct cr_json shared, profiles; /* their positions; p is NULL if missing */
	uint64_t n_profiles;
	bool has_main; /* the first sample has determined the main event */
	/* In a file of cresset: its threads are known; its stacks are grouped by comm. */
	bool is_own, has_threads, by_comm;
};

/* Members of a profile; its lists are positions. */
struct profile {
	struct cr_str type, name, unit;
	struct cr_decimal start, end;
	struct cr_json events, samples, weights, own;
	const struct unit *measure;
	unsigned scale;
	cr_event_id event;
	const char *event_name;
	cr_task_id task;
};

static bool
is_schema(struct cr_str raw)
{
	return memmem(raw.p, raw.len, "speedscope", 10) != NULL;
}

/* True if the first of an array of objects is a profile. */
static bool
is_profile(struct cr_json j)
{
	struct cr_str key, type;

	if (!cr_json_array(&j) || !cr_json_item(&j) || !cr_json_object(&j))
		return false;
	while (cr_json_key(&j, &key)) {
		if (!cr_str_eq(key, CR_STR("type"))) {
			cr_json_skip(&j);
			continue;
		}
		cr_json_text(&j, &type);
		return cr_str_eq(type, CR_STR("evented")) || cr_str_eq(type, CR_STR("sampled"));
	}
	return false;
}

/* True for an object with a list of frames. */
static bool
is_shared(struct cr_json j)
{
	struct cr_str key;

	if (!cr_json_object(&j))
		return false;
	while (cr_json_key(&j, &key)) {
		if (cr_str_eq(key, CR_STR("frames")))
			return cr_json_array(&j) && cr_json_item(&j) && cr_json_object(&j);
		cr_json_skip(&j);
	}
	return false;
}

static unsigned
probe_speedscope(const struct cr_head *head, uint64_t *first)
{
	struct cr_json j;
	struct cr_str key, value;

	cr_json_init(&j, head->p, head->len);
	if (cr_json_kind(&j) != CR_JSON_OBJECT)
		return 0;
	*first = 1;
	cr_json_object(&j);
	while (cr_json_key(&j, &key)) {
		if (cr_str_eq(key, CR_STR("$schema")) && cr_json_text(&j, &value) &&
			is_schema(value))
			return CR_EVIDENCE_SIGNATURE;
		if ((cr_str_eq(key, CR_STR("profiles")) && is_profile(j)) ||
			(cr_str_eq(key, CR_STR("shared")) && is_shared(j)))
			return CR_EVIDENCE_SIGNATURE;
		cr_json_skip(&j);
	}
	return 0;
}

static void
top_read(struct speedscope *v)
{
	struct cr_json_reader *t = &v->t;
	struct cr_str key;

	if (!cr_json_object(&t->j))
		return;
	while (cr_json_key(&t->j, &key)) {
		if (cr_str_eq(key, CR_STR("shared")))
			v->shared = t->j;
		else if (cr_str_eq(key, CR_STR("profiles")))
			v->profiles = t->j;
		if (cr_str_eq(key, CR_STR("name")))
			cr_builder_fact(t->b, "name", cr_json_reader_plain(t, &t->j));
		else if (cr_str_eq(key, CR_STR("exporter")))
			cr_builder_fact(t->b, "exporter", cr_json_reader_plain(t, &t->j));
		else
			cr_json_skip(&t->j);
	}
}

static void
frame_read(struct speedscope *v, struct cr_json *j, struct cr_text *file_room)
{
	struct cr_str key, name = CR_STR(""), file = CR_STR(""), dso = CR_STR("");
	struct cr_named named = {0};
	cr_dso_id id = CR_DSO_UNKNOWN;
	bool unused;
	uint64_t line = 0;

	if (!cr_json_object(j))
		return;
	while (cr_json_key(j, &key)) {
		if (cr_str_eq(key, CR_STR("name")))
			cr_json_text(j, &name);
		else if (cr_str_eq(key, CR_STR("file")))
			cr_json_text(j, &file);
		else if (cr_str_eq(key, CR_STR("dso"))) /* only cresset writes it */
			cr_json_text(j, &dso);
		else if (cr_str_eq(key, CR_STR("line")))
			cr_json_reader_u64(j, &line);
		else
			cr_json_skip(j);
	}
	if (dso.len)
		id = cr_mapping_dso(v->t.b, cr_json_plain(dso, &v->t.room), CR_STR(""), &unused);
	named.name = name.len ? cr_json_plain(name, &v->t.room) : CR_STR("-");
	named.file = cr_json_plain(file, file_room);
	named.line = line <= UINT32_MAX ? (uint32_t)line : 0;
	cr_vec_push(&v->frames, cr_builder_named_at(v->t.b, id, 0, &named, 1));
}

static void
frames_read(struct speedscope *v)
{
	struct cr_json j = v->shared;
	struct cr_text room = {0};
	struct cr_str key;

	if (!j.p || !cr_json_object(&j))
		return;
	while (cr_json_key(&j, &key)) {
		if (!cr_str_eq(key, CR_STR("frames")) || cr_json_kind(&j) != CR_JSON_ARRAY) {
			cr_json_skip(&j);
			continue;
		}
		cr_json_array(&j);
		while (cr_json_reader_step(&v->t, &j) && cr_json_item(&j))
			frame_read(v, &j, &room);
		break;
	}
	cr_text_fini(&room);
}

static cr_location_id
frame_at(struct speedscope *v, uint64_t frame, const struct cr_json *at)
{
	if (frame < v->frames.n)
		return v->frames.p[frame];
	cr_json_reader_report(&v->t, CR_REASON_MISSING_REF, at);
	return cr_builder_named(v->t.b, CR_STR("[unknown]"), CR_DSO_UNKNOWN);
}

static void
sample_add(struct speedscope *v, const struct profile *p, cr_node_id node, uint64_t at,
	uint64_t weight)
{
	if (weight == 0)
		return;
	if (!v->has_main && !v->is_own)
		cr_builder_fact(v->t.b, "main event", cr_str_of(p->event_name));
	v->has_main |= !v->is_own;
	cr_builder_sample(v->t.b, &(struct cr_sample){.time_ns = p->measure->time ? at : 0,
					  .weight = weight,
					  .node = node,
					  .task = p->task,
					  .event = p->event,
					  .cpu = CR_CPU_NONE});
}

/* A value in the profile's unit; negative values become 0. */
static bool
value_read(const struct profile *p, struct cr_json *j, uint64_t *out)
{
	struct cr_decimal d;

	if (!cr_json_reader_number(j, p->scale, &d))
		return false;
	*out = d.negative ? 0 : d.value;
	return true;
}

/* Parse an event; false if it is none. */
static bool
event_read(const struct profile *p, struct cr_json *j, char *type, uint64_t *frame, uint64_t *at)
{
	bool have_frame = false, have_at = false;
	struct cr_str key, text;

	*type = 0;
	if (!cr_json_object(j))
		return false;
	while (cr_json_key(j, &key)) {
		if (cr_str_eq(key, CR_STR("type")))
			*type = cr_json_text(j, &text) && text.len == 1 ? text.p[0] : 0;
		else if (cr_str_eq(key, CR_STR("frame")))
			have_frame = cr_json_reader_u64(j, frame);
		else if (cr_str_eq(key, CR_STR("at")))
			have_at = value_read(p, j, at);
		else
			cr_json_skip(j);
	}
	return have_frame && have_at && (*type == 'O' || *type == 'C');
}

/* Add a sample of the running calls for the time from *last to now; time must not decrease. */
static void
time_passes(struct speedscope *v, const struct profile *p, uint64_t *last, uint64_t now)
{
	if (v->calls.n && now > *last)
		sample_add(v, p, v->calls.p[v->calls.n - 1].node, *last, now - *last);
	*last = CR_MAX(*last, now);
}

static void
events_read(struct speedscope *v, const struct profile *p)
{
	uint64_t last = p->start.value, at = 0, frame = 0;
	struct cr_json j = p->events, place;
	char type;

	if (!j.p || !cr_json_array(&j))
		return;
	v->calls.n = 0;
	while (cr_json_reader_step(&v->t, &j) && cr_json_item(&j)) {
		place = j;
		if (!event_read(p, &j, &type, &frame, &at)) {
			cr_json_reader_report(&v->t, CR_REASON_BAD_FRAME, &place);
			continue;
		}
		if (at < last)
			cr_json_reader_report(&v->t, CR_REASON_BAD_COUNT, &place);
		time_passes(v, p, &last, at);
		if (type == 'O') {
			const cr_node_id parent =
				v->calls.n ? v->calls.p[v->calls.n - 1].node : CR_ROOT;

			cr_vec_push(&v->calls,
				((struct call){frame, cr_builder_push(v->t.b, parent,
							      frame_at(v, frame, &place))}));
		} else if (v->calls.n && v->calls.p[v->calls.n - 1].frame == frame) {
			v->calls.n--;
		} else {
			cr_json_reader_report(&v->t, CR_REASON_MISSING_REF, &place);
		}
	}
	if (v->calls.n) {
		cr_json_reader_report(&v->t, CR_REASON_UNCLOSED, &j);
		time_passes(v, p, &last, p->end.value);
	}
}

static cr_node_id
stack_read(struct speedscope *v, struct cr_json *j)
{
	cr_node_id node = CR_ROOT;

	if (!cr_json_array(j))
		return node;
	while (cr_json_item(j)) {
		const struct cr_json place = *j;
		uint64_t frame = UINT64_MAX;

		cr_json_reader_u64(j, &frame);
		node = cr_builder_push(v->t.b, node, frame_at(v, frame, &place));
	}
	return node;
}

static void
samples_read(struct speedscope *v, const struct profile *p)
{
	struct cr_json j = p->samples, w = p->weights;
	const bool weighed = w.p && cr_json_array(&w);
	uint64_t at = p->start.value;

	if (!j.p || !cr_json_array(&j))
		return;
	while (cr_json_reader_step(&v->t, &j) && cr_json_item(&j)) {
		const struct cr_json place = j;
		const cr_node_id node = stack_read(v, &j);
		uint64_t weight = 1;

		if (weighed && (!cr_json_item(&w) || !value_read(p, &w, &weight))) {
			cr_json_reader_report(&v->t, CR_REASON_STACK_WITHOUT_COUNT, &place);
			continue;
		}
		sample_add(v, p, node, at, weight);
		at = cr_add_sat(at, weight);
	}
}

/* True if weights, or times of events, have fractions. */
static bool
has_fractions(const struct profile *p)
{
	struct cr_json j = p->weights.p ? p->weights : p->events;
	struct cr_decimal d;
	struct cr_str key;

	if (!j.p || !cr_json_array(&j))
		return false;
	while (cr_json_item(&j)) {
		if (p->weights.p && cr_json_reader_number(&j, 0, &d) && !d.exact)
			return true;
		if (p->weights.p || !cr_json_object(&j))
			continue;
		while (cr_json_key(&j, &key)) {
			if (!cr_str_eq(key, CR_STR("at")))
				cr_json_skip(&j);
			else if (cr_json_reader_number(&j, 0, &d) && !d.exact)
				return true;
		}
	}
	return false;
}

/* Choose the unit (an unknown one counts as none) and its event. */
static void
measure_choose(struct speedscope *v, struct profile *p)
{
	const char *unit, *own = v->t.opts->unit ? v->t.opts->unit : "samples";

	p->measure = &units[CR_LEN(units) - 1];
	for (size_t i = 0; i < CR_LEN(units); i++)
		if (cr_str_eq(p->unit, cr_str_of(units[i].name)))
			p->measure = &units[i];
	p->scale = p->measure->scale;
	unit = p->measure->unit ? p->measure->unit : own;
	if (!p->measure->unit && has_fractions(p)) {
		p->scale = MILLIONTHS;
		p->event_name = "fractions";
		p->event = cr_builder_event(v->t.b, CR_STR("fractions"), CR_STR("millionths"));
		return;
	}
	p->event_name = p->measure->event;
	p->event = cr_builder_event(v->t.b, cr_str_of(p->event_name), cr_str_of(unit));
	if (p->measure->time)
		cr_builder_flags(v->t.b, CR_PROFILE_HAS_TIME);
}

/* Restore the thread and the event of a profile that cresset wrote. */
static void
own_read(struct speedscope *v, struct profile *p)
{
	struct cr_own_list own;

	cr_own_list_read(&v->t, p->own, &own);
	if (!own.known)
		return;
	if (own.has_event)
		p->event = own.event;
	if (own.has_thread)
		p->task = own.task;
	v->is_own = true;
	v->has_threads |= own.has_thread;
	v->by_comm |= own.by_comm;
}

static void
limits_read(struct profile *p, struct cr_json start, struct cr_json end)
{
	value_read(p, &start, &p->start.value);
	value_read(p, &end, &p->end.value);
}

static void
profile_read(struct speedscope *v, struct cr_json *j)
{
	struct cr_json start = {0}, end = {0}, place = *j;
	struct profile p = {.name = CR_STR("")};
	struct cr_str key;

	if (!cr_json_object(j))
		return;
	while (cr_json_key(j, &key)) {
		const struct {
			const char *name;
			struct cr_json *at;
		} lists[] = {
			{"startValue", &start},
			{"endValue", &end},
			{"events", &p.events},
			{"samples", &p.samples},
			{"weights", &p.weights},
			{"cresset", &p.own},
		};

		for (size_t i = 0; i < CR_LEN(lists); i++)
			if (cr_str_eq(key, cr_str_of(lists[i].name)))
				*lists[i].at = *j;
		if (cr_str_eq(key, CR_STR("type")))
			cr_json_text(j, &p.type);
		else if (cr_str_eq(key, CR_STR("name")))
			cr_json_text(j, &p.name);
		else if (cr_str_eq(key, CR_STR("unit")))
			cr_json_text(j, &p.unit);
		else
			cr_json_skip(j);
	}
	measure_choose(v, &p);
	limits_read(&p, start, end);
	v->n_profiles++;
	p.task = cr_builder_task(v->t.b, -1, (int32_t)CR_MIN(v->n_profiles, (uint64_t)INT32_MAX),
		cr_json_plain(p.name, &v->t.room), v->t.space);
	own_read(v, &p);
	if (cr_str_eq(p.type, CR_STR("evented")))
		events_read(v, &p);
	else if (cr_str_eq(p.type, CR_STR("sampled")))
		samples_read(v, &p);
	else
		cr_json_reader_report(&v->t, CR_REASON_BAD_HEADER, &place);
}

/*
 * What is known of threads. The name of a single profile is usually that of the file, so it is not
 * used for grouping.
 */
static uint32_t
flags_of(const struct speedscope *v)
{
	if (v->is_own && !v->has_threads)
		return 0;
	if (v->is_own ? v->by_comm : v->n_profiles > 1)
		return CR_PROFILE_HAS_TASK;
	return CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT;
}

static int
read_speedscope(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct speedscope v = {0};
	struct cr_json j;

	cr_json_reader_open(&v.t, in, b, opts);
	top_read(&v);
	frames_read(&v);
	j = v.profiles;
	if (j.p && cr_json_array(&j))
		while (!v.t.stopped && cr_json_item(&j))
			profile_read(&v, &j);
	cr_builder_flags(b, flags_of(&v));
	cr_vec_fini(&v.frames);
	cr_vec_fini(&v.calls);
	return cr_json_reader_close(&v.t, err);
}

const struct cr_reader cr_reader_speedscope = {
	.name = "speedscope",
	.about = "speedscope: its own file format, JSON",
	.heads = CR_HEAD_JSON,
	.probe = probe_speedscope,
	.read = read_speedscope,
};
