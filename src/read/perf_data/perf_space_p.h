#ifndef CR_READ_PERF_DATA_PERF_SPACE_P_H
#define CR_READ_PERF_DATA_PERF_SPACE_P_H

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "model/build/builder.h"

/*
 * Threads and address spaces while a recording is played in time order: who has which name, and
 * what is mapped where. Threads are known by tid alone, as perf has it; the threads of a process
 * share one space.
 */
struct perf_map {
	uint64_t start, end; /* absolute, [start, end) */
	uint64_t pgoff;      /* dso address of start */
	cr_dso_id dso;
	uint32_t row;        /* in the builder; CR_NO_ROW until an address in it is asked for */
	uint32_t next_free1; /* of a place of the pool that is free: the next one, + 1 */
	bool identity;       /* dso addresses are absolute: kernel, JIT code */
	bool memory; /* of no file, which code of a jitdump may lie in; identity maps are taken for
			that too */
	bool code;   /* it was mapped to be executed */
	bool twin;   /* the space maps some of the same bytes of the dso a second time */
};

/* What is mapped in a space, or in all those that forks have made and that have not changed it. */
struct perf_maps {
	uint32_t refs;
	uint32_t free1;                 /* first free place of the pool, + 1 */
	const struct perf_space *owner; /* whose rows the maps have; NULL: nobody's */
	/*
	 * Numbers of maps by start, without overlap: to put one in between moves 4 bytes of each
	 * behind it.
	 */
	CR_VEC(uint32_t) order;
	CR_VEC(struct perf_map) pool;
};

struct perf_space {
	cr_address_space_id id;
	uint32_t refs;          /* threads in it */
	uint32_t version;       /* counts the changes, so that a cached answer can be told stale */
	size_t hint;            /* map of the last answer */
	struct perf_maps *maps; /* NULL: nothing */
	struct perf_space *jit; /* code that a jitdump tells of, over all the rest; NULL without */
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

struct perf_thread {
	int32_t pid, tid; /* pid -1 until known */
	struct cr_str comm;
	bool comm_set; /* by a record, not made up from the tid */
	struct perf_space *space;
	cr_task_id task; /* the builder's row for (task_pid, tid, comm, space), if has_task */
	int32_t task_pid;
	bool has_task;
};

/*
 * What hostile records may cost. A process has at most 65530 mappings (vm.max_map_count) unless
 * somebody raised that; the others grow with the input, and no honest one comes near them.
 */
#define PERF_SPACE_MAPS 65536u

struct perf_limits {
	uint64_t copies; /* mappings that may still be copied for forks */
	uint64_t twins;  /* mappings that may still be made known because another is asked for */
	uint64_t steps;  /* mappings that may still be looked at to tell twins */
};

struct perf_spaces {
	struct cr_builder *b;
	struct cr_log *log;
	struct perf_limits left;
	struct perf_space kernel;
	CR_VEC(struct perf_thread) threads;
	struct cr_index thread_index; /* by tid */
	struct cr_arena comms;
};

/* len of the input is what the limits are measured by. */
void cr_perf_spaces_init(
	struct perf_spaces *s, struct cr_builder *b, struct cr_log *log, uint64_t len);
void cr_perf_spaces_fini(struct perf_spaces *s);

/* The thread tid, made up if it was never heard of. Valid until the next call. */
struct perf_thread *cr_perf_spaces_thread(struct perf_spaces *s, int32_t pid, int32_t tid);

void cr_perf_spaces_comm(struct perf_spaces *s, int32_t pid, int32_t tid, struct cr_str comm);

/*
 * keep_maps false: a fork that the recorder made up for a process that was there before; it gets no
 * maps.
 */
void cr_perf_spaces_fork(struct perf_spaces *s, int32_t pid, int32_t tid, int32_t ppid,
	int32_t ptid, bool keep_maps);

/* The new mapping wins over what was there: the pieces of older ones on either side stay. */
void cr_perf_space_map(struct perf_spaces *s, struct perf_space *space, const struct perf_map *map);
void cr_perf_space_unmap(
	struct perf_spaces *s, struct perf_space *space, uint64_t start, uint64_t end);

/*
 * Code that a jitdump tells of. It wins over memory without a file, also over what is mapped later:
 * compilers get their memory first and change its protection as they fill it, and both look like
 * new mappings. Each piece of the dump is mapped once.
 */
void cr_perf_space_map_jit(
	struct perf_spaces *s, struct perf_space *space, const struct perf_map *map);
void cr_perf_space_unmap_jit(
	struct perf_spaces *s, struct perf_space *space, uint64_t start, uint64_t end);

/*
 * The map that holds an absolute address, code of a jitdump first; NULL when nothing is mapped
 * there.
 */
const struct perf_map *cr_perf_space_find(struct perf_space *space, uint64_t ip);

/* Where an absolute address lies; in the unknown dso when nothing is mapped there. */
struct cr_location_at cr_perf_space_locate(
	struct perf_spaces *s, struct perf_space *space, uint64_t ip);

/* The builder's row for samples of this thread; pid as the sample gives it. */
cr_task_id cr_perf_thread_task(struct perf_spaces *s, struct perf_thread *t, int32_t pid);

#endif
