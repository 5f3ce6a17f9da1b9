#include "perf_space_p.h"

#include "base/err.h"

#include <stdio.h>
#include <string.h>

static struct perf_space *
space_new(struct perf_spaces *s)
{
	struct perf_space *space = cr_alloc(1, sizeof(*space));

	space->id = cr_builder_address_space(s->b);
	return space;
}

static struct perf_space *
space_ref(struct perf_space *space)
{
	space->refs++;
	return space;
}

/* Forget the rows of all maps. */
static void
rows_clear(struct perf_space *space)
{
	free(space->rows);
	space->rows = NULL;
	space->n_rows = space->only_row1 = 0;
}

static void
space_fini(struct perf_space *space)
{
	if (space->jit)
		space_fini(space->jit);
	free(space->jit);
	cr_perf_maps_unref(space->maps);
	rows_clear(space);
}

static void
space_unref(struct perf_space *space)
{
	if (!space || --space->refs)
		return;
	space_fini(space);
	free(space);
}

void
cr_perf_spaces_init(struct perf_spaces *s, struct cr_builder *b, struct cr_log *log, uint64_t len)
{
	*s = (struct perf_spaces){.b = b, .log = log};
	s->left.copies = ((uint64_t)1 << 20) + len / 8;
	s->left.twins = ((uint64_t)1 << 18) + len / 32;
	s->left.steps = ((uint64_t)16 << 20) + len * 64;
	s->kernel.id = cr_builder_address_space(b);
	cr_perf_spaces_comm(s, 0, 0, CR_STR("swapper"));
}

void
cr_perf_spaces_fini(struct perf_spaces *s)
{
	for (size_t i = 0; i < s->threads.n; i++)
		space_unref(s->threads.p[i].space);
	space_fini(&s->kernel);
	cr_vec_fini(&s->threads);
	cr_index_fini(&s->thread_index);
	cr_arena_fini(&s->comms);
}

/* ---- threads */

static uint32_t
thread_find(const struct perf_spaces *s, int32_t tid)
{
	const uint64_t h = cr_hash_mix((uint32_t)tid, 0);
	uint32_t row;

	cr_index_each(&s->thread_index, h, row)
		if (s->threads.p[row].tid == tid)
			return row;
	return CR_NO_ROW;
}

static uint32_t thread_row(struct perf_spaces *s, int32_t pid, int32_t tid);

/* The space of a thread of process pid: its own if it leads the process, otherwise the leader's. */
static struct perf_space *
process_space(struct perf_spaces *s, int32_t pid, int32_t tid)
{
	uint32_t leader;

	if (pid == tid || pid == -1)
		return space_ref(space_new(s));
	leader = thread_row(s, pid, pid); /* may move the table */
	return space_ref(s->threads.p[leader].space);
}

/* Initialise a row for a thread of which only the ids are known. */
static void
thread_reset(struct perf_spaces *s, uint32_t row, int32_t pid, int32_t tid)
{
	struct perf_space *space = process_space(s, pid, tid); /* may move the table */
	struct perf_thread *t = &s->threads.p[row];

	space_unref(t->space);
	*t = (struct perf_thread){.pid = pid, .tid = tid, .ppid = -1, .space = space};
}

struct cr_str
cr_perf_thread_comm(const struct perf_thread *t, char room[PERF_THREAD_ROOM])
{
	if (t->comm_set)
		return t->comm;
	return (struct cr_str){room, (uint32_t)snprintf(room, PERF_THREAD_ROOM, ":%d", t->tid)};
}

static uint32_t
thread_row(struct perf_spaces *s, int32_t pid, int32_t tid)
{
	uint32_t row = thread_find(s, tid);

	if (row == CR_NO_ROW) {
		row = (uint32_t)s->threads.n;
		cr_vec_push(&s->threads, ((struct perf_thread){.tid = tid}));
		cr_index_add(&s->thread_index, cr_hash_mix((uint32_t)tid, 0), row);
		thread_reset(s, row, pid, tid);
	} else if (s->threads.p[row].pid == -1 && pid != -1) {
		struct perf_space *space = pid == tid ? NULL : process_space(s, pid, tid);
		struct perf_thread *t = &s->threads.p[row];

		t->pid = pid;
		t->has_task = false;
		if (space) {
			space_unref(t->space);
			t->space = space;
		}
	}
	s->found1[(uint32_t)tid % PERF_SPACES_FOUND] = row + 1;
	return row;
}

struct perf_thread *
cr_perf_spaces_thread_find(struct perf_spaces *s, int32_t pid, int32_t tid)
{
	const uint32_t row = thread_row(s, pid, tid); /* may move the table */

	return &s->threads.p[row];
}

void
cr_perf_spaces_comm(struct perf_spaces *s, int32_t pid, int32_t tid, struct cr_str comm)
{
	struct perf_thread *t = cr_perf_spaces_thread(s, pid, tid);

	t->comm = (struct cr_str){cr_arena_text(&s->comms, comm.p, comm.len), comm.len};
	t->comm_set = true;
	t->has_task = false;
}

/* The space for code of jitdumps: for the builder its maps belong to the same space. */
static struct perf_space *
space_jit(struct perf_space *space)
{
	if (!space->jit) {
		space->jit = cr_alloc(1, sizeof(*space->jit));
		space->jit->id = space->id;
	}
	return space->jit;
}

static size_t
space_count(const struct perf_space *space)
{
	return perf_space_maps(space) + (space->jit ? perf_space_maps(space->jit) : 0);
}

/* A space without maps shares those of another one, until either changes them. */
static void
space_share(struct perf_space *to, const struct perf_space *from)
{
	if (to == from)
		return;
	cr_perf_maps_unref(to->maps);
	to->maps = cr_perf_maps_ref(from->maps);
	rows_clear(to);
	to->version++;
	if (from->jit)
		space_share(space_jit(to), from->jit);
}

/*
 * Pay for copies of that many mappings of a space. Beyond the limit the space has no maps any more,
 * and the result is false.
 */
static bool
copies_pay(struct perf_spaces *s, struct perf_space *space, size_t copies)
{
	if (copies <= s->left.copies) {
		s->left.copies -= copies;
		return true;
	}
	cr_log_warn(s->log, "forks beyond the limit of mappings", CR_NO_OFFSET,
		"%zu in one address space", space->maps->order.n);
	cr_perf_maps_unref(space->maps);
	space->maps = NULL;
	rows_clear(space);
	space->version++;
	return false;
}

/*
 * Call it before changing maps. Shared maps are copied, keeping their positions; beyond the limit
 * of copies the space has no maps instead.
 */
static struct perf_maps *
maps_own(struct perf_spaces *s, struct perf_space *space)
{
	struct perf_maps *old = space->maps;

	if (old && old->refs == 1)
		return old;
	if (old && !copies_pay(s, space, old->pool.n))
		old = NULL;
	space->maps = cr_perf_maps_new();
	if (old) {
		cr_perf_maps_copy(space->maps, old);
		cr_perf_maps_unref(old);
	}
	return space->maps;
}

/* Rows that there is memory for when n are used. */
static uint32_t
rows_room(uint32_t n)
{
	uint32_t room = 16;

	while (room < n)
		room *= 2;
	return room;
}

/* Make room for n rows, those behind the present ones empty. */
static void
rows_extend(struct perf_space *space, uint32_t n)
{
	const uint32_t have = space->rows ? rows_room(space->n_rows) : 0, room = rows_room(n);

	if (room > have) {
		space->rows = cr_realloc(space->rows, room, sizeof(*space->rows));
		memset(space->rows + have, 0xff, (room - have) * sizeof(*space->rows)); /* none */
	}
}

#define ROWS_PER_COPY 8u /* a mapping takes this many times the memory of a row, or more */

/* Pay for a row of each map; false if the space has lost them. */
static bool
rows_make(struct perf_spaces *s, struct perf_space *space)
{
	const size_t n = space->maps->pool.n, more = n > space->n_rows ? n - space->n_rows : 0;

	if (more == 0)
		return true;
	if (space->maps->refs > 1 && !copies_pay(s, space, 1 + more / ROWS_PER_COPY))
		return false;
	if (space->rows)
		rows_extend(space, (uint32_t)n);
	space->n_rows = (uint32_t)n;
	return true;
}

/* row: CR_NO_ROW removes it. The row of the position must be paid for. */
static void
row_set(struct perf_space *space, uint32_t place, uint32_t row)
{
	if (!space->rows && space->only_row1 && space->only != place) {
		rows_extend(space, space->n_rows);
		space->rows[space->only] = space->only_row1 - 1;
	}
	if (space->rows) {
		space->rows[place] = row;
		return;
	}
	space->only = place;
	space->only_row1 = row + 1; /* 0 for CR_NO_ROW */
}

void
cr_perf_spaces_fork(
	struct perf_spaces *s, int32_t pid, int32_t tid, int32_t ppid, int32_t ptid, bool keep_maps)
{
	const bool known = thread_find(s, tid) != CR_NO_ROW;
	uint32_t parent = thread_row(s, ppid, ptid), child;
	struct perf_thread *p, *c;

	/* If the parent has another pid, its tid was reused without a record. */
	if (s->threads.p[parent].pid != ppid)
		thread_reset(s, parent, ppid, ptid);
	child = thread_row(s, pid, tid);
	if (known && child != parent)
		thread_reset(s, child, pid, tid);
	p = &s->threads.p[parent];
	c = &s->threads.p[child];
	c->ppid = ptid;
	if (p->comm_set) {
		c->comm = p->comm;
		c->comm_set = true;
		c->has_task = false;
	}
	/*
	 * A space with maps belongs to other threads already, so it was not created by this fork.
	 */
	if (p->pid != c->pid && !space_count(c->space) && keep_maps)
		space_share(c->space, p->space);
}

/* From so many threads on, the memory of their spaces is returned to the system. */
#define MANY_THREADS ((size_t)1 << 16)

void
cr_perf_spaces_finish(struct perf_spaces *s)
{
	/* First all spaces: a row of the builder is half as large as a thread and its space. */
	for (size_t i = 0; i < s->threads.n; i++) {
		space_unref(s->threads.p[i].space);
		s->threads.p[i].space = NULL;
	}
	if (s->threads.n > MANY_THREADS)
		cr_mem_trim();
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct perf_thread *t = &s->threads.p[i];
		char room[PERF_THREAD_ROOM];

		if (t->tid >= 0)
			cr_builder_thread(s->b, &(struct cr_named_thread){.pid = t->pid,
							.tid = t->tid,
							.ppid = t->ppid,
							.comm = cr_perf_thread_comm(t, room)});
	}
}

cr_task_id
cr_perf_thread_new_task(struct perf_spaces *s, struct perf_thread *t, int32_t pid)
{
	char room[PERF_THREAD_ROOM];

	t->task = cr_builder_task(s->b, pid, t->tid, cr_perf_thread_comm(t, room), t->space->id);
	t->task_pid = pid;
	t->has_task = true;
	return t->task;
}

/* ---- maps */

/* First map that ends after addr. */
static size_t
map_at(const struct perf_space *space, uint64_t addr)
{
	size_t lo = 0, hi = perf_space_maps(space);

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (perf_space_at(space, mid)->end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns the number inserted: 0 if the space is full. */
static size_t
map_insert(struct perf_spaces *s, struct perf_space *space, size_t at, const struct perf_map *map)
{
	struct perf_maps *maps = maps_own(s, space);

	if (maps->order.n >= PERF_SPACE_MAPS) {
		cr_log_warn(s->log, "mappings beyond the limit of one address space", CR_NO_OFFSET,
			"%s", "");
		return 0;
	}
	cr_perf_maps_insert(maps, at, map);
	return 1;
}

/* The maps must be the space's own. */
static void
map_remove(struct perf_spaces *s, struct perf_space *space, size_t at)
{
	const uint32_t place = space->maps->order.p[at];

	const uint32_t row = perf_space_row(space, place);

	if (row != CR_NO_ROW) {
		cr_builder_unmap(s->b, row);
		row_set(space, place, CR_NO_ROW);
	}
	cr_perf_maps_remove(space->maps, at);
}

static bool
is_mapped(const struct perf_space *space, size_t at, uint64_t end)
{
	return at < perf_space_maps(space) && perf_space_at(space, at)->start < end;
}

/*
 * Remove [start, end) from the mappings. The remaining parts of a map are new maps, since earlier
 * samples were taken in the whole one.
 *
 *	old  |---------------|          |------|
 *	cut        |====================|
 *	new  |-----|                    |------|
 */
void
cr_perf_space_unmap(struct perf_spaces *s, struct perf_space *space, uint64_t start, uint64_t end)
{
	size_t at = map_at(space, start);

	if (is_mapped(space, at, end))
		maps_own(s, space);
	while (is_mapped(space, at, end)) {
		struct perf_map head = *perf_space_at(space, at), tail = head;

		map_remove(s, space, at);
		if (head.start < start) {
			head.end = start;
			at += map_insert(s, space, at, &head);
		}
		if (tail.end > end) {
			if (!tail.identity)
				tail.pgoff += end - tail.start;
			tail.start = end;
			at += map_insert(s, space, at, &tail);
		}
	}
	space->version++;
}

/* Written so that an offset near 2^64 does not wrap around. */
static bool
maps_same_bytes(const struct perf_map *a, const struct perf_map *b)
{
	if (a->dso.i != b->dso.i)
		return false;
	return a->pgoff < b->pgoff ? b->pgoff - a->pgoff < a->end - a->start
				   : a->pgoff - b->pgoff < b->end - b->start;
}

/*
 * The maps of the dso of m, to be compared in search of its twins. NULL if there is none, or if the
 * limit is reached; twins are then treated as one.
 */
static const struct perf_alike *
alike_maps(struct perf_spaces *s, struct perf_maps *maps, const struct perf_map *m)
{
	const struct perf_alike *alike = cr_perf_maps_alike(maps, m->dso);

	if (!alike)
		return NULL;
	if (alike->places.n > s->left.steps) {
		cr_log_warn(s->log, "identical mappings beyond the limit", CR_NO_OFFSET,
			"%zu in one address space", alike->places.n);
		return NULL;
	}
	s->left.steps -= alike->places.n;
	return alike;
}

/* Mark the maps of the same bytes as m, and m. */
static void
mark_twins(struct perf_spaces *s, struct perf_maps *maps, struct perf_map *m)
{
	const struct perf_alike *alike = alike_maps(s, maps, m);

	for (size_t i = 0; alike && i < alike->places.n; i++) {
		struct perf_map *other = &maps->pool.p[alike->places.p[i]];

		if (maps_same_bytes(other, m))
			m->twin = other->twin = true;
	}
}

void
cr_perf_space_map(struct perf_spaces *s, struct perf_space *space, const struct perf_map *map)
{
	struct perf_map m = *map;
	struct perf_maps *maps;

	m.twin = false;
	if (m.start >= m.end)
		return;
	maps = maps_own(s, space);
	cr_perf_space_unmap(s, space, m.start, m.end);
	if (!m.identity && !m.memory)
		cr_perf_space_unmap_jit(s, space, m.start, m.end);
	if (!m.identity)
		mark_twins(s, maps, &m);
	map_insert(s, space, map_at(space, m.start), &m);
	space->version++;
}

void
cr_perf_space_map_jit(struct perf_spaces *s, struct perf_space *space, const struct perf_map *map)
{
	struct perf_space *jit = space_jit(space);

	if (map->start >= map->end)
		return;
	cr_perf_space_unmap(s, jit, map->start, map->end);
	map_insert(s, jit, map_at(jit, map->start), map);
	space->version++;
}

void
cr_perf_space_unmap_jit(
	struct perf_spaces *s, struct perf_space *space, uint64_t start, uint64_t end)
{
	if (!space->jit)
		return;
	cr_perf_space_unmap(s, space->jit, start, end);
	space->version++;
}

/* The same for maps that are added to the builder only because of a twin. */
static bool
may_add_twin(struct perf_spaces *s)
{
	if (s->left.twins == 0) {
		cr_log_warn(s->log, "identical mappings beyond the limit", CR_NO_OFFSET, "%s", "");
		return false;
	}
	s->left.twins--;
	return true;
}

/* There must be room for the row. */
static void
map_register(struct perf_spaces *s, struct perf_space *space, uint32_t place)
{
	const struct perf_map *m = &space->maps->pool.p[place];

	if (perf_space_row(space, place) == CR_NO_ROW)
		row_set(space, place,
			cr_builder_map(s->b, space->id, m->start, m->end, m->pgoff, m->dso));
}

/*
 * The index, by address, of the mapping that contains an address, among all mappings of the same
 * bytes. All of them are added to the builder, so that the index means the same in the profile.
 */
static uint16_t
twin_ordinal(
	struct perf_spaces *s, struct perf_space *space, const struct perf_map *m, uint64_t addr)
{
	struct perf_maps *maps = space->maps;
	const struct perf_alike *alike = alike_maps(s, maps, m);
	uint16_t ordinal = 0;

	for (size_t i = 0; alike && i < alike->places.n; i++) {
		const uint32_t place = alike->places.p[i];
		const struct perf_map *other = &maps->pool.p[place];

		if (!maps_same_bytes(other, m))
			continue;
		if (perf_space_row(space, place) == CR_NO_ROW && !may_add_twin(s))
			return 0;
		map_register(s, space, place);
		if (other->start < m->start && addr >= other->pgoff &&
			addr - other->pgoff < other->end - other->start &&
			ordinal < CR_ORDINAL_RETURN - 1)
			ordinal++;
	}
	return ordinal;
}

/* The map that contains ip, NULL if none. */
static const struct perf_map *
map_holding(struct perf_space *space, uint64_t ip)
{
	const size_t n = perf_space_maps(space);
	const struct perf_map *m = space->hint < n ? perf_space_at(space, space->hint) : NULL;

	if (m && ip >= m->start && ip < m->end)
		return m;
	space->hint = (uint32_t)map_at(space, ip);
	m = space->hint < n ? perf_space_at(space, space->hint) : NULL;
	return m && ip >= m->start ? m : NULL;
}

/* The map that contains ip, which exists, added to the builder; NULL if the space has lost it. */
static const struct perf_map *
map_registered(struct perf_spaces *s, struct perf_space *space, uint64_t ip)
{
	const struct perf_map *m = map_holding(space, ip);

	if (!rows_make(s, space))
		return NULL;
	map_register(s, space, space->maps->order.p[space->hint]);
	return m;
}

/* The part of the space, jitdump code or the rest, that contains ip. */
static struct perf_space *
part_of(struct perf_space *space, uint64_t ip)
{
	return space->jit && map_holding(space->jit, ip) ? space->jit : space;
}

const struct perf_map *
cr_perf_space_find(struct perf_space *space, uint64_t ip)
{
	return map_holding(part_of(space, ip), ip);
}

/*
 * Memory without a file is added only if its dso is no code: functions of JIT code are found
 * without a map.
 */
void
cr_perf_space_note(struct perf_spaces *s, struct perf_space *space, uint64_t addr)
{
	struct perf_space *part = part_of(space, addr);
	const struct perf_map *m = map_holding(part, addr);

	if (!m || (m->identity && cr_builder_dso_at(s->b, m->dso)->kind != CR_KIND_UNKNOWN))
		return;
	m = map_registered(s, part, addr);
	/* Data of a file without content there (.bss) is in anonymous memory after its mapping. */
	if (m && m->identity && m->start) {
		const uint64_t before = m->start - 1;

		m = map_holding(part, before);
		if (m && !m->identity)
			map_registered(s, part, before);
	}
}

struct cr_location_at
cr_perf_space_locate(struct perf_spaces *s, struct perf_space *space, uint64_t ip)
{
	struct perf_space *part = part_of(space, ip);
	const struct perf_map *m = map_holding(part, ip);
	uint64_t addr;

	/* Kernel addresses need no computation, but a module is found in its file by its map. */
	if (m && (!m->identity || space == &s->kernel))
		m = map_registered(s, part, ip);
	if (!m)
		return (struct cr_location_at){.dso = CR_DSO_UNKNOWN, .addr = ip};
	if (m->identity)
		return (struct cr_location_at){.dso = m->dso, .addr = ip};
	addr = ip - m->start + m->pgoff;
	return (struct cr_location_at){m->dso, m->twin ? twin_ordinal(s, part, m, addr) : 0, addr};
}
