#include "perf_reader_p.h"

#include <stdio.h>

enum record_misc {
	MISC_COMM_EXEC = 1 << 13,
	MISC_MMAP_DATA = 1 << 13, /* for MMAP, MMAP2: not executable */
	MISC_FORK_EXEC = 1 << 13, /* for FORK: synthesised by the recorder */
	MISC_SWITCH_OUT = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14, /* for MMAP2 */
	MISC_SWITCH_OUT_PREEMPT = 1 << 14,
	MISC_LOST_BY_BPF = 1 << 15, /* for LOST_SAMPLES */
};

enum { PROT_EXECUTE = 4, MAPPED_HUGE = 0x40000 };

#define AUX_TRUNCATED 1u
#define CGROUP_NAMESPACE 6u /* its place in a record of namespaces */
#define KERNEL_IMAGE_MAX ((uint64_t)1 << 30)

static bool
name_is_anon(struct cr_str name, uint32_t flags)
{
	return cr_str_eq(name, CR_STR("//anon")) || cr_str_starts(name, "/dev/zero") ||
	       cr_str_starts(name, "/anon_hugepage") || (flags & MAPPED_HUGE);
}

static bool
name_is_no_file(struct cr_str name)
{
	return cr_str_starts(name, "[stack") || cr_str_starts(name, "/SYSV") ||
	       cr_str_eq(name, CR_STR("[heap]"));
}

static void
dso_build_id(const struct perf_reader *r, struct cr_dso *o)
{
	const struct perf_build_id *e = cr_perf_header_build_id(&r->header, o->name);

	if (!e || o->build_id_len)
		return;
	memcpy(o->build_id, e->id, e->len);
	o->build_id_len = e->len;
}

/*
 * "/lib/modules/6.1/kernel/fs/xfs-core.ko.xz" becomes "[xfs_core]"; other names are unchanged.
 * Build-ids are stored by path, so look them up before.
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
 * The recorded range ends with the kernel's text, but its init code, where the idle tasks start,
 * follows it. A kernel image has at most a gigabyte; the modules' records come later and replace
 * parts of it. An empty range covers everything.
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
kernel_mmap(struct perf_reader *r, struct perf_map *map, struct cr_dso *o)
{
	const struct perf_build_id *kernel = cr_perf_header_kernel(&r->header);
	char room[256];

	map->identity = true;
	o->kind = CR_KIND_MODULE;
	if (cr_str_starts(o->name, "[kernel.kallsyms")) {
		const struct cr_str ref =
			o->name.len > 17 ? (struct cr_str){o->name.p + 17, o->name.len - 17}
					 : CR_STR("");
		struct cr_text t = {0};

		/* "[kernel.kallsyms]_text": pgoff is the address of that symbol when recorded. */
		if (ref.len && map->pgoff) {
			cr_builder_fact(r->b, "kernel.ref", ref);
			cr_text_hex(&t, map->pgoff);
			cr_builder_fact(r->b, "kernel.ref.addr", cr_text_view(&t));
			cr_text_fini(&t);
		}
		o->kind = CR_KIND_KERNEL;
		o->name = kernel ? kernel->name : CR_STR("[kernel.kallsyms]");
		kernel_extent(map);
	}
	dso_build_id(r, o);
	/* perf identifies a module in the build-id table by its path, others by name. */
	if (!cr_perf_header_build_id(&r->header, o->name))
		o->name = module_name(o->name, room, sizeof(room));
	map->dso = cr_builder_dso(r->b, o);
	cr_perf_space_map(&r->spaces, &r->spaces.kernel, map);
}

static void
user_mmap(struct perf_reader *r, int32_t pid, int32_t tid, struct perf_map *map, struct cr_dso *o,
	uint32_t prot, uint32_t flags)
{
	struct perf_thread *t = cr_perf_spaces_thread(&r->spaces, pid, tid);
	const struct cr_jit_marker marker = {.path = o->name, .pid = t->pid, .start = map->start};
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
	dso_build_id(r, o);
	if (cr_str_starts(o->name, "/memfd:") || cr_str_starts(o->name, "[anon:")) {
		map->memory = true;
		/* A file with a build-id is a real one. */
		if ((prot & PROT_EXECUTE) && !o->build_id_len)
			o->kind = CR_KIND_JIT;
	}
	map->dso = cr_builder_dso(r->b, o);
	cr_perf_space_map(&r->spaces, t->space, map);
	if ((prot & PROT_EXECUTE) && cr_jitdump_is_name(marker.path) && r->opts->symbol)
		cr_perf_jits_open(&r->jits, &r->spaces, r->opts->symbol, &marker, r->monotonic);
}

static void
play_mmap(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = cr_perf_record_body(r, rec);
	const int32_t pid = (int32_t)cr_cursor_u32(&c), tid = (int32_t)cr_cursor_u32(&c);
	const uint64_t start = cr_cursor_u64(&c), len = cr_cursor_u64(&c);
	struct perf_map map = {.start = start, .pgoff = cr_cursor_u64(&c)};
	uint32_t prot = rec->misc & MISC_MMAP_DATA ? 0 : PROT_EXECUTE, flags = 0;
	struct cr_dso o = {0};

	if (!cr_add_ok(start, len, &map.end))
		map.end = UINT64_MAX;
	if (rec->type == PERF_RECORD_MMAP2) {
		const unsigned char *id = cr_cursor_take(&c, 24);

		if (id && (rec->misc & MISC_MMAP_BUILD_ID)) {
			o.build_id_len = CR_MIN(id[0], (uint8_t)sizeof(o.build_id));
			memcpy(o.build_id, id + 4, o.build_id_len);
		}
		prot = cr_cursor_u32(&c);
		flags = cr_cursor_u32(&c);
	}
	map.code = prot & PROT_EXECUTE;
	o.name = cr_cursor_text(&c, cr_cursor_left(&c));
	if (c.bad) {
		cr_perf_damaged(r, "mapping record too short", rec);
		return;
	}
	if ((rec->misc & PERF_CPUMODE_MASK) >= PERF_CPUMODE_GUEST)
		return;
	if ((rec->misc & PERF_CPUMODE_MASK) == PERF_CPUMODE_KERNEL)
		kernel_mmap(r, &map, &o);
	else
		user_mmap(r, pid, tid, &map, &o, prot, flags);
}

/* The first that is known of a command that the recorder starts. */
static void
record_exec(struct perf_reader *r, const struct perf_record *rec, int32_t pid, int32_t tid)
{
	struct perf_thread *t = cr_perf_spaces_thread(&r->spaces, pid, tid);
	const uint64_t time = cr_perf_record_trailer(r, rec).time;

	if (time)
		cr_perf_offcpu_seen(
			&r->offcpu, (uint32_t)tid, time, cr_perf_thread_task(&r->spaces, t, pid));
}

static void
play_comm(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = cr_perf_record_body(r, rec);
	const int32_t pid = (int32_t)cr_cursor_u32(&c), tid = (int32_t)cr_cursor_u32(&c);
	const struct cr_str comm = cr_cursor_text(&c, cr_cursor_left(&c));

	if (c.bad)
		cr_perf_damaged(r, "comm record too short", rec);
	else
		cr_perf_spaces_comm(&r->spaces, pid, tid, comm);
	if (!c.bad && r->offcpu.wanted && (rec->misc & MISC_COMM_EXEC))
		record_exec(r, rec, pid, tid);
}

static void
play_fork(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;
	const int32_t pid = (int32_t)cr_cursor_u32(&c), ppid = (int32_t)cr_cursor_u32(&c);
	const int32_t tid = (int32_t)cr_cursor_u32(&c), ptid = (int32_t)cr_cursor_u32(&c);

	if (c.bad)
		cr_perf_damaged(r, "fork record too short", rec);
	else
		cr_perf_spaces_fork(
			&r->spaces, pid, tid, ppid, ptid, !(rec->misc & MISC_FORK_EXEC));
	if (!c.bad && !(rec->misc & MISC_FORK_EXEC) && r->offcpu.wanted)
		cr_perf_offcpu_fork(
			&r->offcpu, r->b, (uint32_t)tid, cr_perf_record_trailer(r, rec).time);
}

/* A BPF program or a trampoline is added to or removed from the kernel's address space. */
static void
play_ksymbol(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = cr_perf_record_body(r, rec);
	const uint64_t addr = cr_cursor_u64(&c);
	const uint32_t len = cr_cursor_u32(&c);
	const uint16_t kind = cr_cursor_u16(&c), flags = cr_cursor_u16(&c);
	struct cr_dso o = {.kind = CR_KIND_BPF, .name = cr_cursor_text(&c, cr_cursor_left(&c))};
	struct perf_map map = {.start = addr, .pgoff = addr, .identity = true};

	(void)kind;
	if (c.bad || !cr_add_ok(addr, len, &map.end) || len == 0)
		return;
	if (flags & 1) {
		cr_perf_space_unmap(&r->spaces, &r->spaces.kernel, addr, map.end);
		return;
	}
	map.dso = cr_builder_dso(r->b, &o);
	cr_perf_space_map(&r->spaces, &r->spaces.kernel, &map);
}

static void
play_lost(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;

	if (rec->type == PERF_RECORD_LOST) {
		cr_cursor_skip(&c, 8);
		cr_builder_quality(r->b, CR_STR("records lost while recording"), cr_cursor_u64(&c));
	} else if (rec->misc & MISC_LOST_BY_BPF) {
		cr_builder_quality(r->b, CR_STR("samples a filter left out while recording"),
			cr_cursor_u64(&c));
	} else {
		cr_builder_quality(r->b, CR_STR("samples lost while recording"), cr_cursor_u64(&c));
	}
}

/* SWITCH_CPU_WIDE: "u32 pid, tid" of the thread that runs next, or that ran before. */
static void
count_running(struct perf_reader *r, const struct perf_record *rec, const struct perf_trailer *t)
{
	const bool out = rec->misc & MISC_SWITCH_OUT;
	struct cr_cursor c = cr_perf_record_body(r, rec);
	const int32_t other = (int32_t)cr_cursor_u32(&c);

	if (rec->type == PERF_RECORD_SWITCH)
		cr_perf_parallel_switch(&r->parallel, out);
	else if (!c.bad)
		cr_perf_parallel_run(&r->parallel, t->cpu, out ? other : (int32_t)t->pid);
}

/* A thread leaves the CPU or comes back to it. */
static void
play_switch(struct perf_reader *r, const struct perf_record *rec)
{
	const struct perf_attr *a = cr_perf_trailer_attr(r, rec);
	const struct perf_trailer t = cr_perf_record_trailer(r, rec);
	struct cr_sample s = {.time_ns = t.time};
	struct perf_thread *thread;

	if (!a || !t.time || !(a->sample_type & PERF_SAMPLE_TID))
		return;
	if (rec->type == PERF_RECORD_SWITCH || (a->sample_type & PERF_SAMPLE_CPU))
		count_running(r, rec, &t);
	if (!(rec->misc & MISC_SWITCH_OUT)) {
		cr_perf_offcpu_return(&r->offcpu, r->b, t.tid, t.time);
		return;
	}
	thread = cr_perf_spaces_thread(&r->spaces, (int32_t)t.pid, (int32_t)t.tid);
	s.cpu = cr_perf_cpu_column(a, t.cpu);
	s.task = cr_perf_thread_task(&r->spaces, thread, (int32_t)t.pid);
	cr_perf_offcpu_leave(&r->offcpu, r->b, PERF_OFF_BY_SWITCH, t.tid, &s,
		rec->misc & MISC_SWITCH_OUT_PREEMPT ? 0 : -1);
}

static void
play_exit(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;

	cr_cursor_skip(&c, 4 + 4);
	cr_perf_offcpu_exit(&r->offcpu, cr_cursor_u32(&c), cr_perf_record_trailer(r, rec).time);
	cr_perf_parallel_exit(&r->parallel);
}

static void
play_cgroup(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = cr_perf_record_body(r, rec);
	const uint64_t id = cr_cursor_u64(&c);

	if (!c.bad)
		cr_perf_field_cgroup(&r->fields, r->b, id, cr_cursor_text(&c, cr_cursor_left(&c)));
}

/* The namespaces of a thread, as device and inode; of these that of cgroups is a field. */
static void
play_namespaces(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = cr_perf_record_body(r, rec);
	const int32_t pid = (int32_t)cr_cursor_u32(&c), tid = (int32_t)cr_cursor_u32(&c);
	uint64_t device, inode;

	if (cr_cursor_u64(&c) <= CGROUP_NAMESPACE)
		return;
	cr_cursor_skip(&c, CGROUP_NAMESPACE * 16);
	device = cr_cursor_u64(&c);
	inode = cr_cursor_u64(&c);
	if (c.bad)
		cr_perf_damaged(r, "namespaces record too short", rec);
	else
		cr_perf_spaces_thread(&r->spaces, pid, tid)->cgroup_id1 =
			cr_perf_field_namespace(&r->fields, r->b, device, inode) + 1;
}

/* Counts of a thread when it ends (perf record -s): totals, not samples. */
static void
play_read(struct perf_reader *r, const struct perf_record *rec)
{
	const struct perf_attr *a = cr_perf_trailer_attr(r, rec);
	struct cr_cursor c = cr_perf_record_body(r, rec);
	uint64_t n;

	if (!a)
		return;
	cr_cursor_skip(&c, 4 + 4); /* pid, tid */
	for (n = cr_perf_read_begin(&c, a); n && !c.bad; n--) {
		const struct perf_read_value v = cr_perf_read_next(&c, a);
		const struct perf_attr *of = v.id ? cr_perf_attr_by_id(r, v.id) : a;

		if (of && !c.bad)
			cr_perf_count(&r->header.attrs.p[of - r->header.attrs.p], v.value);
	}
}

/* A part of a processor trace: not decoded, but lost parts are reported. */
static void
play_aux(struct perf_reader *r, const struct perf_record *rec)
{
	struct cr_cursor c = rec->body;

	cr_cursor_skip(&c, 8 + 8);
	if (cr_cursor_u64(&c) & AUX_TRUNCATED)
		cr_builder_quality(
			r->b, CR_STR("pieces of the processor's trace cut while recording"), 1);
}

void
cr_perf_play(struct perf_reader *r, const struct perf_record *rec)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: play_mmap(r, rec); break;
	case PERF_RECORD_COMM: play_comm(r, rec); break;
	case PERF_RECORD_FORK: play_fork(r, rec); break;
	case PERF_RECORD_EXIT: play_exit(r, rec); break;
	case PERF_RECORD_KSYMBOL: play_ksymbol(r, rec); break;
	case PERF_RECORD_CGROUP: play_cgroup(r, rec); break;
	case PERF_RECORD_NAMESPACES: play_namespaces(r, rec); break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: play_switch(r, rec); break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES: play_lost(r, rec); break;
	case PERF_RECORD_THROTTLE:
		cr_builder_quality(r->b, CR_STR("times the kernel throttled an event"), 1);
		break;
	case PERF_RECORD_READ: play_read(r, rec); break;
	case PERF_RECORD_AUX: play_aux(r, rec); break;
	case PERF_RECORD_CALLCHAIN_DEFERRED: cr_perf_sample_deferred(r, rec); break;
	default: break; /* only counted */
	}
}
