#ifndef CR_READ_PERF_DATA_PERF_SPACE_P_H
#define CR_READ_PERF_DATA_PERF_SPACE_P_H

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "model/build/builder.h"
#include "perf_maps_p.h"

/*
 * Threads and address spaces while records are processed in time order: names of threads, and
 * mappings. Threads are identified by tid alone, as in perf; the threads of a process share an
 * address space.
 */
struct perf_space {
	cr_address_space_id id;
	uint32_t refs; /* number of threads in it */
	/* Number of changes, so that cached results can be recognised as outdated. */
	uint32_t version;
	uint32_t hint;          /* index of the last result */
	struct perf_maps *maps; /* NULL if empty */
	struct perf_space *jit; /* code from jitdumps, which covers everything else; NULL if none */
	/*
	 * Rows of the maps in the builder, by position in their pool. A map without a row here, or
	 * with CR_NO_ROW, has none: no address in it was used. A process of a build uses one map
	 * of many, so the first row that is needed has a place of its own.
	 */
	uint32_t *rows;
	uint32_t n_rows;
	uint32_t only, only_row1; /* position and row, + 1, while no other map has one */
};

static inline size_t
perf_space_maps(const struct perf_space *space)
{
	return space->maps ? space->maps->order.n : 0;
}

static inline const struct perf_map *
perf_space_at(const struct perf_space *space, size_t i)
{
	return &space->maps->pool.p[space->maps->order.p[i]];
}

/* The row in the builder of the map at this position of the pool; CR_NO_ROW if it has none. */
static inline uint32_t
perf_space_row(const struct perf_space *space, uint32_t place)
{
	if (place >= space->n_rows)
		return CR_NO_ROW;
	if (space->rows)
		return space->rows[place];
	return space->only_row1 && space->only == place ? space->only_row1 - 1 : CR_NO_ROW;
}

struct perf_thread {
	struct perf_space *space;
	struct cr_str comm; /* set by a record; not valid without comm_set */
	/* The text of its cgroup namespace, see cr_perf_field_namespace(), + 1; 0 if unknown. */
	uint64_t cgroup_id1;
	int32_t pid, tid; /* pid is -1 until known */
	int32_t ppid;     /* tid of the thread that created it; -1 if unknown */
	int32_t task_pid;
	cr_task_id task; /* the builder's task for (task_pid, tid, comm, space), if has_task */
	bool comm_set, has_task;
};

/* The name of a thread: ":123" if no record has set one. room: for that. */
#define PERF_THREAD_ROOM 16u
struct cr_str cr_perf_thread_comm(const struct perf_thread *t, char room[PERF_THREAD_ROOM]);

/*
 * Limits on the cost of hostile records. A process has at most 65530 mappings (vm.max_map_count) by
 * default. The other limits grow with the input; real recordings stay far below.
 */
#define PERF_SPACE_MAPS 65536u

struct perf_limits {
	uint64_t copies; /* remaining number of mappings to copy for forks */
	uint64_t twins;  /* remaining number of mappings to add because a twin is used */
	uint64_t steps;  /* remaining number of mappings to compare in search of twins */
};

#define PERF_SPACES_FOUND 256u

struct perf_spaces {
	struct cr_builder *b;
	struct cr_log *log;
	struct perf_limits left;
	struct perf_space kernel;
	CR_VEC(struct perf_thread) threads;
	struct cr_index thread_index; /* by tid */
	/* By low bits of the tid: the row of the last thread found there, + 1; 0 if none. */
	uint32_t found1[PERF_SPACES_FOUND];
	struct cr_arena comms;
};

/* len: size of the input, which determines the limits. */
void cr_perf_spaces_init(
	struct perf_spaces *s, struct cr_builder *b, struct cr_log *log, uint64_t len);
void cr_perf_spaces_fini(struct perf_spaces *s);

/*
 * The thread with this tid; created if it is unknown. pid: -1 if unknown; the first known one is
 * kept. The result is valid until the next call.
 */
struct perf_thread *cr_perf_spaces_thread_find(struct perf_spaces *s, int32_t pid, int32_t tid);

static inline struct perf_thread *
cr_perf_spaces_thread(struct perf_spaces *s, int32_t pid, int32_t tid)
{
	const uint32_t row1 = s->found1[(uint32_t)tid % PERF_SPACES_FOUND];
	struct perf_thread *t = row1 ? &s->threads.p[row1 - 1] : NULL;

	return t && t->tid == tid && t->pid != -1 ? t : cr_perf_spaces_thread_find(s, pid, tid);
}

/* Set the name of a thread; comm is copied. */
void cr_perf_spaces_comm(struct perf_spaces *s, int32_t pid, int32_t tid, struct cr_str comm);

/*
 * Create a thread or process. keep_maps false: the fork was synthesised by the recorder for a
 * process that existed before; it gets no maps.
 */
void cr_perf_spaces_fork(struct perf_spaces *s, int32_t pid, int32_t tid, int32_t ppid,
	int32_t ptid, bool keep_maps);

/* Add all threads to the profile. Call it at the end: they have no spaces afterwards. */
void cr_perf_spaces_finish(struct perf_spaces *s);

/*
 * Add a mapping. It replaces what was mapped there; parts of older mappings on either side stay.
 * *map is copied.
 */
void cr_perf_space_map(struct perf_spaces *s, struct perf_space *space, const struct perf_map *map);
void cr_perf_space_unmap(
	struct perf_spaces *s, struct perf_space *space, uint64_t start, uint64_t end);

/*
 * Add or remove code of a jitdump. It covers memory without a file, even if that is mapped later:
 * compilers allocate memory first and change its protection while they fill it, and both look like
 * new mappings. Each piece of a jitdump is mapped once.
 */
void cr_perf_space_map_jit(
	struct perf_spaces *s, struct perf_space *space, const struct perf_map *map);
void cr_perf_space_unmap_jit(
	struct perf_spaces *s, struct perf_space *space, uint64_t start, uint64_t end);

/*
 * The map that contains an absolute address, jitdump code first; NULL if nothing is mapped there.
 */
const struct perf_map *cr_perf_space_find(struct perf_space *space, uint64_t ip);

/* Keep the map that contains an address of data, so that the profile has it. */
void cr_perf_space_note(struct perf_spaces *s, struct perf_space *space, uint64_t addr);

/* The location of an absolute address; in the unknown dso if nothing is mapped there. */
struct cr_location_at cr_perf_space_locate(
	struct perf_spaces *s, struct perf_space *space, uint64_t ip);

/* The builder's task for samples of this thread; pid: as in the sample. */
cr_task_id cr_perf_thread_new_task(struct perf_spaces *s, struct perf_thread *t, int32_t pid);

static inline cr_task_id
cr_perf_thread_task(struct perf_spaces *s, struct perf_thread *t, int32_t pid)
{
	return t->has_task && t->task_pid == pid ? t->task : cr_perf_thread_new_task(s, t, pid);
}

#endif
