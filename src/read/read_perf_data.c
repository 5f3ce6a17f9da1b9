#include "cresset/read/reader.h"
#include "perf_chain.h"
#include "perf_header.h"
#include "perf_order.h"
#include "perf_sample.h"
#include "perf_space.h"

#include <inttypes.h>

/*
 * perf.data: records are queued by time a round at a time and then played: mappings, names and
 * forks change the address spaces, samples look into them. Sources: linux/perf_event.h for the
 * kernel's records, tools/perf/Documentation/perf.data-file-format.txt for perf's own.
 */
enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_KSYMBOL = 17,
	RECORD_KERNEL_LAST = 22,
	RECORD_USER_FIRST = 64,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE = 71,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
	RECORD_USER_LAST = 86,
};

enum record_misc {
	MISC_MMAP_DATA = 1 << 13,     /* of MMAP, MMAP2: not executable */
	MISC_FORK_EXEC = 1 << 13,     /* of FORK: made up by the recorder */
	MISC_MMAP_BUILD_ID = 1 << 14, /* of MMAP2 */
};

enum { PROT_EXECUTE = 4, MAPPED_HUGE = 0x40000 };

#define RECORD_HEADER 8
#define PROGRESS_EVERY 4096
#define SAMPLE_BYTES 128 /* of a sample with a short callchain */
#define KERNEL_IMAGE_MAX ((uint64_t)1 << 30)

struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
	uint64_t offset;       /* of its header, in the input */
	struct cr_cursor body; /* without the header */
};

/* A sample that is read but not yet followed: its chain's place in memory is on the way. */
struct awaited {
	struct perf_sample s;
	const struct perf_attr *a;
	uint32_t thread; /* row of the threads */
	unsigned cpumode;
	struct perf_chain_key key;
};

#define AHEAD 16 /* samples; a power of two */

struct perf_reader {
	const struct cr_input *in;
	const struct cr_read_opts *opts;
	struct cr_builder *b;
	struct perf_header header;
	struct perf_order order;
	struct perf_spaces spaces;
	struct perf_chains chains;
	bool ordered;          /* every record has a time */
	int id_front, id_back; /* see perf_attr_id_from_front(); the same in all attrs */
	uint64_t first_ns, last_ns;
	struct awaited ahead[AHEAD]; /* a ring: the oldest at n_played, n_read - n_played of them */
	uint64_t n_read, n_played;
	struct {
		uint64_t id;
		uint32_t attr1; /* row of the attrs, + 1 */
	} known_ids[64];             /* by low bits: an answer of perf_header_attr_of() */
};

/* Something is missing that was recorded: told in the log, and by a flag of the profile. */
static void
damaged(struct perf_reader *r, const char *kind, const struct record *rec)
{
	cr_builder_flags(r->b, CR_PROFILE_IN_PART);
	cr_log_warn(r->opts->log, kind, rec->offset, "record of type %" PRIu32 ", %u bytes", rec->type, rec->size);
}

static bool
record_at(const struct perf_reader *r, uint64_t offset, struct record *out)
{
	struct cr_cursor c;

	cr_cursor_init(&c, r->in->p, (size_t)(r->header.data_offset + r->header.data_len));
	c.swap = r->header.swap;
	cr_cursor_skip(&c, offset);
	out->offset = offset;
	out->type = cr_cursor_u32(&c);
	out->misc = cr_cursor_u16(&c);
	out->size = cr_cursor_u16(&c);
	if (c.bad || out->size < RECORD_HEADER)
		return false;
	out->body = cr_cursor_sub(&c, out->size - RECORD_HEADER);
	return !c.bad;
}

/* ---- which event a record is of */

static const struct perf_attr *
attr_by_id(struct perf_reader *r, uint64_t id)
{
	const size_t at = id % CR_LEN(r->known_ids);
	uint32_t row = 0; /* id 0: a record that the recorder made up, of the first event */

	if (id && r->known_ids[at].attr1 && r->known_ids[at].id == id)
		return &r->header.attrs.p[r->known_ids[at].attr1 - 1];
	if (id)
		row = perf_header_attr_of(&r->header, id);
	if (row == CR_NO_ROW)
		return NULL;
	r->known_ids[at].id = id;
	r->known_ids[at].attr1 = id ? row + 1 : 0;
	return &r->header.attrs.p[row];
}

static const struct perf_attr *
sample_attr(struct perf_reader *r, const struct record *rec)
{
	struct cr_cursor c = rec->body;

	if (r->header.attrs.n == 1)
		return &r->header.attrs.p[0];
	if (r->id_front < 0)
		return NULL;
	cr_cursor_skip(&c, (uint64_t)r->id_front * 8);
	return attr_by_id(r, cr_cursor_u64(&c));
}

/* The attr whose trailer a record other than a sample carries; NULL when its id is unknown. */
static const struct perf_attr *
trailer_attr(struct perf_reader *r, const struct record *rec)
{
	const struct perf_attr *first = &r->header.attrs.p[0];
	const uint64_t back = (uint64_t)r->id_back * 8;
	struct cr_cursor c = rec->body;

	if (r->header.attrs.n == 1 || !(first->flags & PERF_ATTR_SAMPLE_ID_ALL) || r->id_back < 0)
		return first;
	if (cr_cursor_left(&c) < back)
		return NULL;
	cr_cursor_skip(&c, cr_cursor_left(&c) - back);
	return attr_by_id(r, cr_cursor_u64(&c));
}

/* ---- playing a record */

/* The body without its trailer. */
static struct cr_cursor
body_of(struct perf_reader *r, const struct record *rec)
{
	const struct perf_attr *a = trailer_attr(r, rec);
	struct perf_trailer t;
	struct cr_cursor c = rec->body;

	if (a && (a->flags & PERF_ATTR_SAMPLE_ID_ALL) && perf_trailer_read(c, a, &t))
		c.end -= t.bytes;
	return c;
}

static bool
name_is_anon(struct cr_str name, uint32_t flags)
{
	return cr_str_eq(name, CR_STR("//anon")) || cr_str_starts(name, "/dev/zero") ||
	       cr_str_starts(name, "/anon_hugepage") || (flags & MAPPED_HUGE);
}

static bool
name_is_no_file(struct cr_str name)
{
	return cr_str_starts(name, "[stack") || cr_str_starts(name, "/SYSV") || cr_str_eq(name, CR_STR("[heap]"));
}

static void
object_build_id(const struct perf_reader *r, struct cr_object *o)
{
	const struct perf_build_id *e = perf_header_build_id(&r->header, o->name);

	if (!e || o->build_id_len)
		return;
	memcpy(o->build_id, e->id, e->len);
	o->build_id_len = e->len;
}

/*
 * "/lib/modules/6.1/kernel/fs/xfs-core.ko.xz" to "[xfs_core]"; other names as they are. Build-ids
 * are kept under the path, so that comes first.
 */
static struct cr_str
module_name(struct cr_str path, char *room, size_t size)
{
	struct cr_str base = cr_str_basename(path);
	const char *dot = memmem(base.p, base.len, ".ko", 3);
	size_t n = 0;

	if (!path.len || path.p[0] != '/' || !dot)
		return path;
	room[n++] = '[';
	for (const char *p = base.p; p < dot && n + 1 < size; p++)
		room[n++] = *p;
	for (size_t i = 1; i < n; i++)
		if (room[i] == '-')
			room[i] = '_';
	room[n++] = ']';
	return (struct cr_str){room, (uint32_t)n};
}

/*
 * The recorded range ends with the kernel's text proper; its init code, where the idle tasks
 * have their roots, lies behind it. A kernel image has a gigabyte at most; the modules' records
 * come later and win what is theirs. An empty range covers everything.
 */
static void
kernel_extent(struct perf_map *map)
{
	const bool all = map->start == 0 && map->end == 0;
	uint64_t end;

	if (all || !cr_add_ok(map->start, KERNEL_IMAGE_MAX, &end))
		end = UINT64_MAX;
	map->end = CR_MAX(map->end, end);
}

static void
kernel_mmap(struct perf_reader *r, struct perf_map *map, struct cr_object *o)
{
	char room[256];

	map->identity = true;
	o->kind = CR_KIND_MODULE;
	if (cr_str_starts(o->name, "[kernel.kallsyms")) {
		const struct cr_str ref = o->name.len > 17 ? (struct cr_str){o->name.p + 17, o->name.len - 17} : CR_STR("");
		struct cr_text t = {0};

		/* "[kernel.kallsyms]_text": pgoff is where that symbol was when it was recorded. */
		if (ref.len && map->pgoff) {
			cr_builder_fact(r->b, "kernel.ref", ref);
			cr_text_hex(&t, map->pgoff);
			cr_builder_fact(r->b, "kernel.ref.addr", cr_text_view(&t));
			cr_text_fini(&t);
		}
		o->kind = CR_KIND_KERNEL;
		o->name = CR_STR("[kernel.kallsyms]");
		kernel_extent(map);
	}
	object_build_id(r, o);
	/* perf knows a module of the build-id table by its path, others by their name. */
	if (!perf_header_build_id(&r->header, o->name))
		o->name = module_name(o->name, room, sizeof(room));
	map->object = cr_builder_object(r->b, o);
	perf_space_map(&r->spaces, &r->spaces.kernel, map);
}

static void
user_mmap(struct perf_reader *r, int32_t pid, int32_t tid, struct perf_map *map, struct cr_object *o, uint32_t prot,
	uint32_t flags)
{
	struct perf_thread *t = perf_spaces_thread(&r->spaces, pid, tid);
	char jit[32];

	o->kind = CR_KIND_USER;
	if (cr_str_eq(o->name, CR_STR("[vdso]"))) {
		o->kind = CR_KIND_VDSO;
		map->pgoff = 0;
	} else if (name_is_anon(o->name, flags) || name_is_no_file(o->name)) {
		map->identity = true;
		o->kind = CR_KIND_UNKNOWN;
		if (prot & PROT_EXECUTE) {
			o->kind = CR_KIND_JIT;
			snprintf(jit, sizeof(jit), "/tmp/perf-%d.map", t->pid);
			o->name = cr_str_of(jit);
		}
	}
	object_build_id(r, o);
	map->object = cr_builder_object(r->b, o);
	perf_space_map(&r->spaces, t->space, map);
}

static void
play_mmap(struct perf_reader *r, const struct record *rec)
{
	struct cr_cursor c = body_of(r, rec);
	const int32_t pid = (int32_t)cr_cursor_u32(&c), tid = (int32_t)cr_cursor_u32(&c);
	const uint64_t start = cr_cursor_u64(&c), len = cr_cursor_u64(&c);
	struct perf_map map = {.start = start, .pgoff = cr_cursor_u64(&c)};
	uint32_t prot = rec->misc & MISC_MMAP_DATA ? 0 : PROT_EXECUTE, flags = 0;
	struct cr_object o = {0};

	if (!cr_add_ok(start, len, &map.end))
		map.end = UINT64_MAX;
	if (rec->type == RECORD_MMAP2) {
		const unsigned char *id = cr_cursor_take(&c, 24);

		if (id && (rec->misc & MISC_MMAP_BUILD_ID)) {
			o.build_id_len = CR_MIN(id[0], (uint8_t)sizeof(o.build_id));
			memcpy(o.build_id, id + 4, o.build_id_len);
		}
		prot = cr_cursor_u32(&c);
		flags = cr_cursor_u32(&c);
	}
	o.name = cr_cursor_text(&c, cr_cursor_left(&c));
	if (c.bad) {
		damaged(r, "mapping record too short", rec);
		return;
	}
	if ((rec->misc & PERF_CPUMODE_MASK) >= PERF_CPUMODE_GUEST)
		return;
	if ((rec->misc & PERF_CPUMODE_MASK) == PERF_CPUMODE_KERNEL)
		kernel_mmap(r, &map, &o);
	else
		user_mmap(r, pid, tid, &map, &o, prot, flags);
}

static void
play_comm(struct perf_reader *r, const struct record *rec)
{
	struct cr_cursor c = body_of(r, rec);
	const int32_t pid = (int32_t)cr_cursor_u32(&c), tid = (int32_t)cr_cursor_u32(&c);
	const struct cr_str comm = cr_cursor_text(&c, cr_cursor_left(&c));

	if (c.bad)
		damaged(r, "comm record too short", rec);
	else
		perf_spaces_comm(&r->spaces, pid, tid, comm);
}

static void
play_fork(struct perf_reader *r, const struct record *rec)
{
	struct cr_cursor c = rec->body;
	const int32_t pid = (int32_t)cr_cursor_u32(&c), ppid = (int32_t)cr_cursor_u32(&c);
	const int32_t tid = (int32_t)cr_cursor_u32(&c), ptid = (int32_t)cr_cursor_u32(&c);

	if (c.bad)
		damaged(r, "fork record too short", rec);
	else
		perf_spaces_fork(&r->spaces, pid, tid, ppid, ptid, !(rec->misc & MISC_FORK_EXEC));
}

/* A BPF program or a trampoline appears in or leaves the kernel's address space. */
static void
play_ksymbol(struct perf_reader *r, const struct record *rec)
{
	struct cr_cursor c = body_of(r, rec);
	const uint64_t addr = cr_cursor_u64(&c);
	const uint32_t len = cr_cursor_u32(&c);
	const uint16_t kind = cr_cursor_u16(&c), flags = cr_cursor_u16(&c);
	struct cr_object o = {.kind = CR_KIND_BPF, .name = cr_cursor_text(&c, cr_cursor_left(&c))};
	struct perf_map map = {.start = addr, .pgoff = addr, .identity = true};

	(void)kind;
	if (c.bad || !cr_add_ok(addr, len, &map.end) || len == 0)
		return;
	if (flags & 1) {
		perf_space_unmap(&r->spaces, &r->spaces.kernel, addr, map.end);
		return;
	}
	map.object = cr_builder_object(r->b, &o);
	perf_space_map(&r->spaces, &r->spaces.kernel, &map);
}

static void
play_lost(struct perf_reader *r, const struct record *rec)
{
	struct cr_cursor c = rec->body;

	if (rec->type == RECORD_LOST) {
		cr_cursor_skip(&c, 8);
		cr_builder_quality(r->b, CR_STR("records lost while recording"), cr_cursor_u64(&c));
	} else {
		cr_builder_quality(r->b, CR_STR("samples lost while recording"), cr_cursor_u64(&c));
	}
}

static void
finish_sample(struct perf_reader *r, const struct awaited *w)
{
	struct perf_thread *t = &r->spaces.threads.p[w->thread];
	struct cr_sample out = {.cpu = UINT16_MAX, .time_ns = w->s.time, .weight = w->s.period, .event = w->a->event};

	out.task = perf_thread_task(&r->spaces, t, (int32_t)w->s.pid);
	if (w->a->sample_type & PERF_SAMPLE_CPU)
		out.cpu = (uint16_t)CR_MIN(w->s.cpu, UINT16_MAX - 1u);
	if (cr_cursor_left(&w->s.chain) || (w->a->sample_type & PERF_SAMPLE_IP))
		out.node = perf_chain_node(&r->chains, &r->spaces, t->space, &w->s, w->cpumode, &w->key, r->opts->log);
	cr_builder_sample(r->b, &out);
	if (w->s.time) {
		r->first_ns = r->first_ns ? CR_MIN(r->first_ns, w->s.time) : w->s.time;
		r->last_ns = CR_MAX(r->last_ns, w->s.time);
	}
}

static void
finish_samples(struct perf_reader *r, uint64_t leave)
{
	while (r->n_read - r->n_played > leave)
		finish_sample(r, &r->ahead[r->n_played++ % AHEAD]);
}

static void
play_sample(struct perf_reader *r, const struct record *rec)
{
	struct awaited *w = &r->ahead[r->n_read % AHEAD];
	struct perf_thread *t;

	w->a = sample_attr(r, rec);
	if (!w->a) {
		damaged(r, "samples of an unknown event", rec);
		return;
	}
	if (!perf_sample_read(rec->body, w->a, &w->s)) {
		damaged(r, "samples too short for their fields", rec);
		return;
	}
	t = perf_spaces_thread(&r->spaces, (int32_t)w->s.pid, (int32_t)w->s.tid);
	w->thread = (uint32_t)(t - r->spaces.threads.p);
	w->cpumode = rec->misc & PERF_CPUMODE_MASK;
	perf_chain_key(&r->chains, &r->spaces, t->space, &w->s, &w->key);
	r->n_read++;
	finish_samples(r, AHEAD - 1);
}

static void
play(struct perf_reader *r, uint64_t offset)
{
	struct record rec;

	if (!record_at(r, offset, &rec))
		return;
	if (rec.type == RECORD_SAMPLE) {
		play_sample(r, &rec);
		return;
	}
	finish_samples(r, 0); /* what follows may change what they saw */
	switch (rec.type) {
	case RECORD_MMAP:
	case RECORD_MMAP2: play_mmap(r, &rec); break;
	case RECORD_COMM: play_comm(r, &rec); break;
	case RECORD_FORK: play_fork(r, &rec); break;
	case RECORD_KSYMBOL: play_ksymbol(r, &rec); break;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES: play_lost(r, &rec); break;
	case RECORD_THROTTLE: cr_builder_quality(r->b, CR_STR("times the kernel throttled an event"), 1); break;
	default: break; /* EXIT, READ, AUX and so on: nothing to look at */
	}
}

/* ---- the records, first to last */

/* Time of a record on its way into the queue; 0 for what has none and is played at once. */
static uint64_t
record_time(struct perf_reader *r, const struct record *rec)
{
	const struct perf_attr *a;
	struct perf_trailer t;
	struct cr_cursor c = rec->body;

	if (rec->type != RECORD_SAMPLE) {
		a = trailer_attr(r, rec);
		return a && perf_trailer_read(c, a, &t) ? t.time : 0;
	}
	a = sample_attr(r, rec);
	if (!a)
		return 0;
	cr_cursor_skip(&c, 8 * (uint64_t)__builtin_popcountll(a->sample_type & (PERF_SAMPLE_IDENTIFIER |
		PERF_SAMPLE_IP | PERF_SAMPLE_TID)));
	return cr_cursor_u64(&c);
}

static void
flush(struct perf_reader *r, bool all)
{
	const struct perf_order_entry *due;
	size_t n;

	perf_order_round(&r->order, all, &due, &n);
	for (size_t i = 0; i < n; i++) {
		if (i + AHEAD < n) {
			__builtin_prefetch(r->in->p + due[i + AHEAD].offset);
			__builtin_prefetch(r->in->p + due[i + AHEAD].offset + 64); /* ids, chain */
		}
		play(r, due[i].offset);
	}
}

/* A record of the recorder's own. Returns how many bytes lie behind it, outside its size. */
static int
user_record(struct perf_reader *r, const struct record *rec, uint64_t *behind, struct cr_err *err)
{
	struct cr_cursor c = rec->body;

	*behind = 0;
	switch (rec->type) {
	case RECORD_FINISHED_ROUND: flush(r, false); break;
	case RECORD_AUXTRACE:
		*behind = cr_cursor_u64(&c);
		cr_log_warn(r->opts->log, "trace of the processor, not decoded", rec->offset, "%" PRIu64 " bytes",
			    *behind);
		break;
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
		return cr_fail(err, CR_EUNSUPPORTED, rec->offset, "compressed recording (perf record -z)");
	default:
		if (rec->type > RECORD_USER_LAST)
			cr_log_warn(r->opts->log, "records of an unknown type", rec->offset, "type %" PRIu32, rec->type);
	}
	return CR_OK;
}

static int
kernel_record(struct perf_reader *r, const struct record *rec)
{
	uint64_t time;

	if (rec->type == 0 || rec->type > RECORD_KERNEL_LAST) {
		cr_log_warn(r->opts->log, "records of an unknown type", rec->offset, "type %" PRIu32, rec->type);
		return CR_OK;
	}
	time = r->ordered ? record_time(r, rec) : 0;
	if (time == 0 || time == UINT64_MAX)
		play(r, rec->offset);
	else
		perf_order_add(&r->order, time, rec->offset);
	return CR_OK;
}

static int
records_read(struct perf_reader *r, struct cr_err *err)
{
	const uint64_t start = r->header.data_offset, end = start + r->header.data_len;
	uint64_t at = start, behind = 0;
	struct record rec;
	int rc = CR_OK;

	for (uint64_t n = 0; end - at >= RECORD_HEADER; n++, at += rec.size + behind) {
		if (n % PROGRESS_EVERY == 0 && !cr_progress_step(r->opts->progress, "reading", at - start, end - start))
			return cr_fail(err, CR_ECANCEL, at, "stopped");
		if (!record_at(r, at, &rec)) {
			cr_builder_flags(r->b, CR_PROFILE_IN_PART);
			cr_log_warn(r->opts->log, r->header.cut ? "last record cut off" : "damaged record, the rest is lost",
				    at, "%" PRIu64 " bytes from here on", end - at);
			break;
		}
		behind = 0;
		if (rec.type >= RECORD_USER_FIRST)
			rc = user_record(r, &rec, &behind, err);
		else
			rc = kernel_record(r, &rec);
		if (rc < 0)
			return rc;
		if (behind > end - at - rec.size)
			break;
	}
	flush(r, true);
	finish_samples(r, 0);
	return CR_OK;
}

/* ---- set up */

static void
events_name(struct perf_reader *r)
{
	uint32_t flags = CR_PROFILE_HAS_ADDR;
	struct cr_text t = {0};

	for (size_t i = 0; i < r->header.attrs.n; i++) {
		struct perf_attr *a = &r->header.attrs.p[i];

		cr_text_clear(&t);
		perf_attr_name(a, &t);
		a->event = cr_builder_event(r->b, a->name.len ? a->name : cr_text_view(&t), cr_str_of(perf_attr_unit(a)));
		if (a->sample_type & PERF_SAMPLE_TIME)
			flags |= CR_PROFILE_HAS_TIME;
		if (a->sample_type & PERF_SAMPLE_CPU)
			flags |= CR_PROFILE_HAS_CPU;
		if (a->sample_type & PERF_SAMPLE_TID)
			flags |= CR_PROFILE_HAS_TASK;
	}
	cr_builder_flags(r->b, flags | (r->header.cut ? CR_PROFILE_IN_PART : 0));
	cr_text_fini(&t);
}

static void
layout(struct perf_reader *r)
{
	r->ordered = true;
	for (size_t i = 0; i < r->header.attrs.n; i++) {
		const struct perf_attr *a = &r->header.attrs.p[i];

		if (!(a->sample_type & PERF_SAMPLE_TIME) || !(a->flags & PERF_ATTR_SAMPLE_ID_ALL))
			r->ordered = false;
	}
	r->id_front = perf_attr_id_from_front(&r->header.attrs.p[0]);
	r->id_back = perf_attr_id_from_back(&r->header.attrs.p[0]);
}

static void
duration_fact(struct perf_reader *r)
{
	struct cr_text t = {0};

	if (!r->last_ns)
		return;
	cr_text_u64(&t, r->last_ns - r->first_ns);
	cr_builder_fact(r->b, "duration_ns", cr_text_view(&t));
	cr_text_fini(&t);
}

static int
read_perf_data(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts, struct cr_err *err)
{
	struct perf_reader r = {.in = in, .opts = opts, .b = b};
	int rc = perf_header_read(in, &r.header, b, opts->log, err);

	if (rc < 0) {
		perf_header_fini(&r.header);
		return rc;
	}
	perf_spaces_init(&r.spaces, b, opts->log, in->len);
	perf_chains_init(&r.chains);
	events_name(&r);
	layout(&r);
	cr_builder_expect(b, r.header.data_len / SAMPLE_BYTES);
	rc = records_read(&r, err);
	duration_fact(&r);
	perf_order_fini(&r.order);
	perf_chains_fini(&r.chains);
	perf_spaces_fini(&r.spaces);
	perf_header_fini(&r.header);
	return rc;
}

static unsigned
probe_perf_data(const unsigned char *head, size_t len)
{
	if (len < 8)
		return 0;
	return memcmp(head, "PERFILE2", 8) == 0 || memcmp(head, "2ELIFREP", 8) == 0 || memcmp(head, "PERFFILE", 8) == 0
		       ? 64 : 0;
}

const struct cr_reader cr_reader_perf_data = {
	.name = "perf.data",
	.about = "recordings of Linux perf",
	.probe = probe_perf_data,
	.read = read_perf_data,
};
