#ifndef CR_PERF_MAKER_H
#define CR_PERF_MAKER_H

#include "read/perf_data/header/perf_attr_p.h"

/*
 * Small perf.data files in memory, written by the rules that src/read reads by.
 *
 *	struct made_perf m = {0};
 *	made_attr(&m, &(struct perf_attr){...}, ids, n_ids);      or made_clock(&m)
 *	made_comm(&m, ...); made_mmap(&m, ...); made_sample(&m, &(struct made_sample){...});
 *	made_string(&m.features[3], "host");
 *	file = made_file(&m);                                     all of it; m is empty again
 */
enum {
	MADE_LOST = 2,
	MADE_COMM = 3,
	MADE_EXIT = 4,
	MADE_THROTTLE = 5,
	MADE_FORK = 7,
	MADE_READ = 8,
	MADE_SAMPLE = 9,
	MADE_MMAP2 = 10,
	MADE_AUX = 11,
	MADE_LOST_SAMPLES = 13,
	MADE_SWITCH = 14,
	MADE_SWITCH_CPU_WIDE = 15,
	MADE_NAMESPACES = 16,
	MADE_KSYMBOL = 17,
	MADE_CGROUP = 19,
	MADE_DEFERRED = 22,
	MADE_HEADER_ATTR = 64,
	MADE_TRACING_DATA = 66,
	MADE_BUILD_ID = 67,
	MADE_ROUND = 68,
	MADE_AUXTRACE_INFO = 70,
	MADE_AUXTRACE = 71,
	MADE_EVENT_UPDATE = 78,
	MADE_HEADER_FEATURE = 80,
	MADE_COMPRESSED = 81,
	MADE_COMPRESSED2 = 83,
};

enum { MADE_KERNEL = 1, MADE_USER = 2, MADE_GUEST = 4 };

/* Bits of misc. */
#define MADE_SWITCH_OUT 0x2000u
#define MADE_PREEMPTED 0x4000u

#define MADE_HEADER 104u
#define MADE_ATTR 136u /* of it 16 for the section of the ids */

/* Markers between the parts of a callchain. */
#define MADE_CHAIN_KERNEL ((uint64_t)-128)
#define MADE_CHAIN_USER ((uint64_t)-512)
#define MADE_CHAIN_DEFERRED ((uint64_t)-640) /* behind it a cookie */

/* What most tests record: enough for everything, ids in front. */
#define MADE_TYPE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

struct made_perf {
	struct perf_attr attrs[4];
	uint32_t n_attrs;
	struct cr_text ids[4];
	struct cr_text records;
	struct cr_text features[32]; /* by bit; empty ones are left out */
	bool killed;                 /* the recorder never came to fill in the size of the data */
};

struct made_branch {
	uint64_t from, to;
	bool missed;
	uint16_t cycles;
};

/* What of it is written is for the attr to say. */
struct made_sample {
	uint32_t attr; /* row of the attrs */
	uint32_t pid, tid;
	uint64_t time, period, ip, addr;
	uint64_t id; /* 0 is 7 */
	uint32_t cpu;
	uint16_t misc;        /* 0 is MADE_USER */
	const uint64_t *read; /* the words of the field READ */
	uint32_t n_read;
	const uint64_t *chain;
	uint32_t n_chain;
	const void *raw; /* in the recorder's byte order, as many as make 4 with a multiple of 8 */
	uint32_t raw_bytes;
	const struct made_branch *branches;
	uint32_t n_branches;
	bool no_hw_idx;       /* it is left out although the attr asks for it */
	uint64_t regs_abi;    /* 0: without registers */
	const uint64_t *regs; /* as many as the attr's mask has */
	const void *stack;
	uint64_t stack_bytes, stack_have; /* of the field, and how many of them count */
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
};

/* Numbers are written in the byte order that is not this machine's: set around one file. */
static bool made_foreign;

static inline void
made_u16(struct cr_text *t, uint16_t v)
{
	if (made_foreign)
		v = __builtin_bswap16(v);
	cr_text_put(t, &v, 2);
}

static inline void
made_u32(struct cr_text *t, uint32_t v)
{
	if (made_foreign)
		v = __builtin_bswap32(v);
	cr_text_put(t, &v, 4);
}

static inline void
made_u64(struct cr_text *t, uint64_t v)
{
	if (made_foreign)
		v = __builtin_bswap64(v);
	cr_text_put(t, &v, 8);
}

/* Text and a NUL, padded to a multiple of 8. */
static inline void
made_name(struct cr_text *t, const char *s)
{
	const size_t len = strlen(s) + 1;

	cr_text_put(t, s, len);
	cr_text_pad(t, '\0', (8 - len % 8) % 8);
}

static inline void
made_attr_bytes(struct cr_text *t, const struct perf_attr *a)
{
	const size_t start = t->len;
	uint64_t flags = 0;

	made_u32(t, a->type);
	made_u32(t, MADE_ATTR - 16);
	made_u64(t, a->config);
	made_u64(t, a->sample_period);
	made_u64(t, a->sample_type);
	made_u64(t, a->read_format);
	for (unsigned bit = 0; bit < 64; bit++) /* bit-fields: mirrored byte by byte, not swapped */
		if (made_foreign && (a->flags >> bit & 1))
			flags |= (uint64_t)1 << (bit / 8 * 8 + 7 - bit % 8);
	cr_text_put(t, made_foreign ? &flags : &a->flags, 8);
	made_u32(t, a->wakeup);
	made_u32(t, a->bp_type);
	made_u64(t, a->config1);
	made_u64(t, a->config2);
	made_u64(t, a->branch_sample_type);
	made_u64(t, a->sample_regs_user);
	made_u32(t, a->sample_stack_user);
	made_u32(t, (uint32_t)a->clockid);
	made_u64(t, a->sample_regs_intr);
	made_u32(t, a->aux_watermark);
	made_u16(t, a->sample_max_stack);
	made_u16(t, 0);
	made_u32(t, a->aux_sample_size);
	made_u32(t, a->aux_action);
	cr_text_pad(t, '\0', MADE_ATTR - 16 - (t->len - start));
}

static inline void
made_attr(struct made_perf *m, const struct perf_attr *a, const uint64_t *ids, uint32_t n_ids)
{
	m->attrs[m->n_attrs] = *a;
	for (uint32_t i = 0; i < n_ids; i++)
		made_u64(&m->ids[m->n_attrs], ids[i]);
	m->n_attrs++;
}

/* One attr of the software clock with MADE_TYPE and the id 7. */
static inline void
made_clock(struct made_perf *m)
{
	made_attr(m,
		&(struct perf_attr){
			.type = 1, .sample_type = MADE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL},
		&(uint64_t){7}, 1);
}

/* ---- records */

static inline size_t
made_begin(struct made_perf *m, uint32_t type, uint16_t misc)
{
	const size_t at = m->records.len;

	made_u32(&m->records, type);
	made_u16(&m->records, misc);
	made_u16(&m->records, 0);
	return at;
}

static inline void
made_end(struct made_perf *m, size_t at)
{
	uint16_t size = (uint16_t)(m->records.len - at);

	if (made_foreign)
		size = __builtin_bswap16(size);
	memcpy(m->records.p + at + 6, &size, 2);
}

/* The trailer of sample_id_all as the first attr has it, and the end of the record. */
static inline void
made_end_with_id(
	struct made_perf *m, size_t at, uint32_t pid, uint32_t tid, uint64_t time, uint64_t id)
{
	const uint64_t type = m->attrs[0].sample_type;

	if (m->attrs[0].flags & PERF_ATTR_SAMPLE_ID_ALL) {
		if (type & PERF_SAMPLE_TID) {
			made_u32(&m->records, pid);
			made_u32(&m->records, tid);
		}
		if (type & PERF_SAMPLE_TIME)
			made_u64(&m->records, time);
		if (type & PERF_SAMPLE_CPU)
			made_u64(&m->records, 0);
		if (type & PERF_SAMPLE_IDENTIFIER)
			made_u64(&m->records, id);
	}
	made_end(m, at);
}

static inline void
made_comm(struct made_perf *m, uint32_t pid, uint32_t tid, uint64_t time, const char *comm)
{
	const size_t at = made_begin(m, MADE_COMM, 0);

	made_u32(&m->records, pid);
	made_u32(&m->records, tid);
	made_name(&m->records, comm);
	made_end_with_id(m, at, pid, tid, time, 7);
}

static inline void
made_mmap_as(struct made_perf *m, uint16_t misc, uint32_t pid, uint64_t time, uint64_t start,
	uint64_t len, uint64_t pgoff, const char *name)
{
	const size_t at = made_begin(m, MADE_MMAP2, misc);

	made_u32(&m->records, pid);
	made_u32(&m->records, pid);
	made_u64(&m->records, start);
	made_u64(&m->records, len);
	made_u64(&m->records, pgoff);
	cr_text_pad(&m->records, '\0', 24); /* device and inode */
	made_u32(&m->records, 5);           /* readable and executable */
	made_u32(&m->records, 2);           /* private */
	made_name(&m->records, name);
	made_end_with_id(m, at, pid, pid, time, 7);
}

static inline void
made_mmap(struct made_perf *m, uint32_t pid, uint64_t time, uint64_t start, uint64_t len,
	uint64_t pgoff, const char *name)
{
	made_mmap_as(m, MADE_USER, pid, time, start, len, pgoff, name);
}

static inline void
made_fork(struct made_perf *m, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid,
	uint64_t time)
{
	const size_t at = made_begin(m, MADE_FORK, 0);

	made_u32(&m->records, pid);
	made_u32(&m->records, ppid);
	made_u32(&m->records, tid);
	made_u32(&m->records, ptid);
	made_u64(&m->records, time);
	made_end_with_id(m, at, ppid, ptid, time, 7);
}

static inline void
made_round(struct made_perf *m)
{
	made_end(m, made_begin(m, MADE_ROUND, 0));
}

/* ---- samples */

/*
 * Flags of an entry: bit 0 missed, from bit 4 on cycles; bit-fields again, from the other end in
 * the other order.
 */
static inline void
made_branches(struct cr_text *t, const struct perf_attr *a, const struct made_sample *s)
{
	made_u64(t, s->n_branches);
	if ((a->branch_sample_type & PERF_BRANCH_HW_INDEX) && !s->no_hw_idx)
		made_u64(t, 0);
	for (uint32_t i = 0; i < s->n_branches; i++) {
		const struct made_branch *b = &s->branches[i];
		const uint64_t flags = (uint64_t)b->cycles << 4 | b->missed;
		const uint64_t mirrored = (uint64_t)b->cycles << 44 | (uint64_t)b->missed << 63;

		made_u64(t, b->from);
		made_u64(t, b->to);
		made_u64(t, made_foreign ? mirrored : flags);
	}
}

/* The fields up to the callchain. */
static inline void
made_sample_begin(struct cr_text *t, uint64_t type, const struct made_sample *s)
{
	const uint64_t id = s->id ? s->id : 7;

	if (type & PERF_SAMPLE_IDENTIFIER)
		made_u64(t, id);
	if (type & PERF_SAMPLE_IP)
		made_u64(t, s->ip);
	if (type & PERF_SAMPLE_TID) {
		made_u32(t, s->pid);
		made_u32(t, s->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		made_u64(t, s->time);
	if (type & PERF_SAMPLE_ADDR)
		made_u64(t, s->addr);
	if (type & PERF_SAMPLE_ID)
		made_u64(t, id);
	if (type & PERF_SAMPLE_CPU) {
		made_u32(t, s->cpu);
		made_u32(t, 0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		made_u64(t, s->period);
	if (type & PERF_SAMPLE_READ)
		for (uint32_t i = 0; i < s->n_read; i++)
			made_u64(t, s->read[i]);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		made_u64(t, s->n_chain);
		for (uint32_t i = 0; i < s->n_chain; i++)
			made_u64(t, s->chain[i]);
	}
}

static inline void
made_regs(struct cr_text *t, const struct perf_attr *a, const struct made_sample *s)
{
	made_u64(t, s->regs_abi);
	for (int i = 0; s->regs_abi && i < __builtin_popcountll(a->sample_regs_user); i++)
		made_u64(t, s->regs[i]);
}

static inline void
made_sample(struct made_perf *m, const struct made_sample *s)
{
	const size_t at = made_begin(m, MADE_SAMPLE, s->misc ? s->misc : MADE_USER);
	const struct perf_attr *a = &m->attrs[s->attr];
	const struct {
		uint64_t bits, value;
	} last[] = {
		{PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, s->weight},
		{PERF_SAMPLE_DATA_SRC, s->data_src},
		{PERF_SAMPLE_TRANSACTION, s->transaction},
		{PERF_SAMPLE_PHYS_ADDR, s->phys_addr},
		{PERF_SAMPLE_CGROUP, s->cgroup},
		{PERF_SAMPLE_DATA_PAGE_SIZE, s->data_page_size},
		{PERF_SAMPLE_CODE_PAGE_SIZE, s->code_page_size},
	};

	made_sample_begin(&m->records, a->sample_type, s);
	if (a->sample_type & PERF_SAMPLE_RAW) {
		made_u32(&m->records, s->raw_bytes);
		cr_text_put(&m->records, s->raw, s->raw_bytes);
	}
	if (a->sample_type & PERF_SAMPLE_BRANCH_STACK)
		made_branches(&m->records, a, s);
	if (a->sample_type & PERF_SAMPLE_REGS_USER)
		made_regs(&m->records, a, s);
	if (a->sample_type & PERF_SAMPLE_STACK_USER) {
		made_u64(&m->records, s->stack_bytes);
		cr_text_put(&m->records, s->stack, (size_t)s->stack_bytes);
		if (s->stack_bytes)
			made_u64(&m->records, s->stack_have);
	}
	for (size_t i = 0; i < CR_LEN(last); i++)
		if (a->sample_type & last[i].bits)
			made_u64(&m->records, last[i].value);
	made_end(m, at);
}

/* ---- other records of the kernel */

static inline void
made_exit(struct made_perf *m, uint32_t pid, uint32_t tid, uint64_t time)
{
	const size_t at = made_begin(m, MADE_EXIT, 0);

	made_u32(&m->records, pid);
	made_u32(&m->records, pid);
	made_u32(&m->records, tid);
	made_u32(&m->records, tid);
	made_u64(&m->records, time);
	made_end_with_id(m, at, pid, tid, time, 7);
}

/* A record of nothing but numbers: LOST, LOST_SAMPLES, THROTTLE, AUX, READ ... */
static inline void
made_words(struct made_perf *m, uint32_t type, uint64_t time, const uint64_t *words, size_t n)
{
	const size_t at = made_begin(m, type, 0);

	for (size_t i = 0; i < n; i++)
		made_u64(&m->records, words[i]);
	made_end_with_id(m, at, 0, 0, time, 7);
}

/* tid leaves the CPU, with MADE_SWITCH_OUT, or comes back to it. */
static inline void
made_switch(struct made_perf *m, uint16_t misc, uint32_t pid, uint32_t tid, uint64_t time)
{
	made_end_with_id(m, made_begin(m, MADE_SWITCH, misc), pid, tid, time, 7);
}

/* The same of a recording of whole CPUs: who comes or was before is told too. */
static inline void
made_switch_wide(struct made_perf *m, uint16_t misc, uint32_t pid, uint32_t tid, uint32_t other,
	uint64_t time)
{
	const size_t at = made_begin(m, MADE_SWITCH_CPU_WIDE, misc);

	made_u32(&m->records, other);
	made_u32(&m->records, other);
	made_end_with_id(m, at, pid, tid, time, 7);
}

static inline void
made_cgroup(struct made_perf *m, uint64_t time, uint64_t id, const char *path)
{
	const size_t at = made_begin(m, MADE_CGROUP, 0);

	made_u64(&m->records, id);
	made_name(&m->records, path);
	made_end_with_id(m, at, 0, 0, time, 7);
}

static inline void
made_namespaces(struct made_perf *m, uint32_t pid, uint64_t time)
{
	const size_t at = made_begin(m, MADE_NAMESPACES, 0);

	made_u32(&m->records, pid);
	made_u32(&m->records, pid);
	made_u64(&m->records, 7);
	for (uint64_t i = 0; i < 7; i++) {
		made_u64(&m->records, 4);
		made_u64(&m->records, UINT64_C(0xf0000000) + i);
	}
	made_end_with_id(m, at, pid, pid, time, 7);
}

/* The user's part of the chains that have the cookie. */
static inline void
made_deferred(struct made_perf *m, uint32_t pid, uint32_t tid, uint64_t time, uint64_t cookie,
	const uint64_t *ips, uint32_t n)
{
	const size_t at = made_begin(m, MADE_DEFERRED, MADE_USER);

	made_u64(&m->records, cookie);
	made_u64(&m->records, n);
	for (uint32_t i = 0; i < n; i++)
		made_u64(&m->records, ips[i]);
	made_end_with_id(m, at, pid, tid, time, 7);
}

/* ---- records of the recorder */

static inline void
made_trace_info(struct made_perf *m, uint32_t type)
{
	const size_t at = made_begin(m, MADE_AUXTRACE_INFO, 0);

	made_u32(&m->records, type);
	made_u32(&m->records, 0);
	made_u64(&m->records, 0);
	made_end(m, at);
}

/* So many bytes of a processor's trace follow the record, outside of its size. */
static inline void
made_trace(struct made_perf *m, uint64_t bytes)
{
	const size_t at = made_begin(m, MADE_AUXTRACE, 0);

	made_u64(&m->records, bytes);
	cr_text_pad(&m->records, '\0', 8 + 8 + 16);
	made_end(m, at);
	cr_text_pad(&m->records, '\t', (size_t)bytes);
}

/* The name of an event as a record; files have the feature 12 for it. */
static inline void
made_update_name(struct made_perf *m, uint64_t id, const char *name)
{
	const size_t at = made_begin(m, MADE_EVENT_UPDATE, 0);

	made_u64(&m->records, 2);
	made_u64(&m->records, id);
	made_name(&m->records, name);
	made_end(m, at);
}

/* ---- features */

static inline void
made_string(struct cr_text *t, const char *s)
{
	const uint32_t room = ((uint32_t)strlen(s) + 1 + 63) & ~63u; /* as the recorder rounds */

	made_u32(t, room);
	cr_text_puts(t, s);
	cr_text_pad(t, '\0', room - strlen(s));
}

/* One entry of the feature 2. The kernel pads the id to 24 bytes. */
static inline void
made_build_id(struct made_perf *m, uint16_t cpumode, const unsigned char *id, uint8_t len,
	const char *name)
{
	struct cr_text *t = &m->features[2];
	const size_t name_bytes = strlen(name) / 8 * 8 + 8;

	made_u32(t, 0);
	made_u16(t, 0x8000 | cpumode);
	made_u16(t, (uint16_t)(8 + 4 + 24 + name_bytes));
	made_u32(t, UINT32_MAX);
	cr_text_put(t, id, len);
	cr_text_pad(t, '\0', 20u - len);
	cr_text_char(t, (char)len);
	cr_text_pad(t, '\0', 3);
	made_name(t, name);
}

/* ---- all of it */

static inline void
made_section(struct cr_text *t, uint64_t offset, uint64_t size)
{
	made_u64(t, offset);
	made_u64(t, size);
}

static inline void
made_features(const struct made_perf *m, struct cr_text *f)
{
	uint32_t n = 0;
	uint64_t at;

	for (size_t i = 0; i < CR_LEN(m->features); i++)
		n += m->features[i].len > 0;
	at = f->len + n * 16u;
	for (size_t i = 0; i < CR_LEN(m->features); i++) {
		if (m->features[i].len)
			made_section(f, at, m->features[i].len);
		at += m->features[i].len;
	}
	for (size_t i = 0; i < CR_LEN(m->features); i++)
		cr_text_put(f, m->features[i].p, m->features[i].len);
}

static inline struct cr_text
made_file(struct made_perf *m)
{
	const uint64_t attrs = MADE_HEADER, ids = attrs + m->n_attrs * MADE_ATTR;
	uint64_t data = ids, id_at = ids, bits = 0;
	struct cr_text f = {0};

	for (uint32_t i = 0; i < m->n_attrs; i++)
		data += m->ids[i].len;
	for (size_t i = 0; i < CR_LEN(m->features); i++)
		bits |= (uint64_t)(m->features[i].len > 0) << i;
	cr_text_puts(&f, made_foreign ? "2ELIFREP" : "PERFILE2");
	made_u64(&f, MADE_HEADER);
	made_u64(&f, MADE_ATTR);
	made_section(&f, attrs, m->n_attrs * MADE_ATTR);
	made_section(&f, data, m->killed ? 0 : m->records.len);
	made_section(&f, 0, 0);
	made_u64(&f, bits);
	cr_text_pad(&f, '\0', 24);
	for (uint32_t i = 0; i < m->n_attrs; i++) {
		made_attr_bytes(&f, &m->attrs[i]);
		made_section(&f, id_at, m->ids[i].len);
		id_at += m->ids[i].len;
	}
	for (uint32_t i = 0; i < m->n_attrs; i++) {
		cr_text_put(&f, m->ids[i].p, m->ids[i].len);
		cr_text_fini(&m->ids[i]);
	}
	cr_text_put(&f, m->records.p, m->records.len);
	cr_text_fini(&m->records);
	if (!m->killed)
		made_features(m, &f);
	for (size_t i = 0; i < CR_LEN(m->features); i++)
		cr_text_fini(&m->features[i]);
	*m = (struct made_perf){0};
	return f;
}

#endif
