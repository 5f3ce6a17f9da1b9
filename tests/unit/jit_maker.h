#ifndef CR_JIT_MAKER_H
#define CR_JIT_MAKER_H

#include "base/mem.h"
#include "base/text.h"

/*
 * Small jitdumps in memory, record by record as the specification has them.
 *
 *	struct made_jit j = {.foreign = false};
 *	made_jit_header(&j, 5, 0);
 *	made_jit_load(&j,
 *		&(struct made_code){.time = 10, .pid = 5, .addr = 0x7000, .size = 16, .name = "f"});
 */
struct made_jit {
	struct cr_text t;
	bool foreign; /* numbers in the byte order that is not this machine's */
};

struct made_code {
	uint64_t time, addr, size, index, from; /* from: of a move */
	uint32_t pid;
	const char *name;
};

enum { MADE_JIT_HEADER = 40, MADE_JIT_PREFIX = 16, MADE_JIT_LOAD = MADE_JIT_PREFIX + 40 };

static inline void
made_jit_u32(struct made_jit *j, uint32_t v)
{
	if (j->foreign)
		v = __builtin_bswap32(v);
	cr_text_put(&j->t, &v, 4);
}

static inline void
made_jit_u64(struct made_jit *j, uint64_t v)
{
	if (j->foreign)
		v = __builtin_bswap64(v);
	cr_text_put(&j->t, &v, 8);
}

static inline void
made_jit_header(struct made_jit *j, uint32_t pid, uint64_t flags)
{
	made_jit_u32(j, 0x4a695444);
	made_jit_u32(j, 1);
	made_jit_u32(j, MADE_JIT_HEADER);
	made_jit_u32(j, 62); /* machine */
	made_jit_u32(j, 0);
	made_jit_u32(j, pid);
	made_jit_u64(j, 1); /* time */
	made_jit_u64(j, flags);
}

static inline void
made_jit_prefix(struct made_jit *j, uint32_t kind, uint64_t body, uint64_t time)
{
	made_jit_u32(j, kind);
	made_jit_u32(j, (uint32_t)(MADE_JIT_PREFIX + body));
	made_jit_u64(j, time);
}

/* Returns the offset of its bytes, which are as many int3. */
static inline uint64_t
made_jit_load(struct made_jit *j, const struct made_code *c)
{
	made_jit_prefix(j, 0, 40 + strlen(c->name) + 1 + c->size, c->time);
	made_jit_u32(j, c->pid);
	made_jit_u32(j, c->pid);
	made_jit_u64(j, c->addr);
	made_jit_u64(j, c->addr);
	made_jit_u64(j, c->size);
	made_jit_u64(j, c->index);
	cr_text_put(&j->t, c->name, strlen(c->name) + 1);
	cr_text_pad(&j->t, '\xcc', (size_t)c->size);
	return j->t.len - c->size;
}

static inline void
made_jit_move(struct made_jit *j, const struct made_code *c)
{
	made_jit_prefix(j, 1, 48, c->time);
	made_jit_u32(j, c->pid);
	made_jit_u32(j, c->pid);
	made_jit_u64(j, c->addr);
	made_jit_u64(j, c->from);
	made_jit_u64(j, c->addr);
	made_jit_u64(j, c->size);
	made_jit_u64(j, c->index);
}

/* Source lines, unwinding information and an end: what is passed over. */
static inline void
made_jit_others(struct made_jit *j)
{
	made_jit_prefix(j, 2, 16, 1);
	made_jit_u64(j, 0x7000);
	made_jit_u64(j, 0);
	made_jit_prefix(j, 4, 24 + 8, 1);
	for (uint64_t i = 0; i < 4; i++)
		made_jit_u64(j, i);
	made_jit_prefix(j, 77, 3, 1);
	cr_text_pad(&j->t, 'x', 3);
	made_jit_prefix(j, 3, 0, 1);
}

/* One of everything: f, moved; g where f was. */
static inline void
made_jit_all(struct made_jit *j)
{
	made_jit_header(j, 5, 0);
	made_jit_others(j);
	made_jit_load(j,
		&(struct made_code){
			.time = 10, .pid = 5, .addr = 0x7000, .size = 16, .index = 3, .name = "f"});
	made_jit_load(j,
		&(struct made_code){
			.time = 30, .pid = 5, .addr = 0x7000, .size = 32, .index = 4, .name = "g"});
	made_jit_move(j, &(struct made_code){.time = 20,
				 .pid = 5,
				 .from = 0x7000,
				 .addr = 0x7100,
				 .size = 16,
				 .index = 3});
	made_jit_others(j);
}

#endif
