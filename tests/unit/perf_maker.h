#ifndef CR_PERF_MAKER_H
#define CR_PERF_MAKER_H

#include "../../src/read/perf_attr.h"

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
	MADE_COMM = 3, MADE_FORK = 7, MADE_SAMPLE = 9, MADE_MMAP2 = 10, MADE_KSYMBOL = 17, MADE_ROUND = 68,
	MADE_COMPRESSED = 81,
};

enum { MADE_KERNEL = 1, MADE_USER = 2, MADE_GUEST = 4 };

#define MADE_HEADER 104u
#define MADE_ATTR 136u /* of it 16 for the section of the ids */

/* Markers between the parts of a callchain. */
#define MADE_CHAIN_KERNEL ((uint64_t)-128)
#define MADE_CHAIN_USER ((uint64_t)-512)

/* What most tests record: enough for everything, ids in front. */
#define MADE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
		   PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

struct made_perf {
	struct perf_attr attrs[4];
	uint32_t n_attrs;
	struct cr_text ids[4];
	struct cr_text records;
	struct cr_text features[32]; /* by bit; empty ones are left out */
	bool killed;                 /* the recorder never came to fill in the size of the data */
};

struct made_sample {
	uint32_t pid, tid;
	uint64_t time, period, ip, id;
	uint32_t cpu;
	uint16_t misc;               /* 0 is MADE_USER */
	const uint64_t *chain;
	uint32_t n_chain;
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
	cr_text_pad(t, '\0', 24);
	made_u64(t, a->branch_sample_type);
	made_u64(t, a->sample_regs_user);
	cr_text_pad(t, '\0', 8);
	made_u64(t, a->sample_regs_intr);
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
	made_attr(m, &(struct perf_attr){.type = 1, .sample_type = MADE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL},
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
made_end_with_id(struct made_perf *m, size_t at, uint32_t pid, uint32_t tid, uint64_t time, uint64_t id)
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
made_mmap_as(struct made_perf *m, uint16_t misc, uint32_t pid, uint64_t time, uint64_t start, uint64_t len,
	uint64_t pgoff, const char *name)
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
made_mmap(struct made_perf *m, uint32_t pid, uint64_t time, uint64_t start, uint64_t len, uint64_t pgoff,
	const char *name)
{
	made_mmap_as(m, MADE_USER, pid, time, start, len, pgoff, name);
}

static inline void
made_fork(struct made_perf *m, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid, uint64_t time)
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

static inline void
made_sample(struct made_perf *m, const struct made_sample *s)
{
	const size_t at = made_begin(m, MADE_SAMPLE, s->misc ? s->misc : MADE_USER);
	const uint64_t type = m->attrs[0].sample_type;
	struct cr_text *t = &m->records;

	if (type & PERF_SAMPLE_IDENTIFIER)
		made_u64(t, s->id ? s->id : 7);
	if (type & PERF_SAMPLE_IP)
		made_u64(t, s->ip);
	if (type & PERF_SAMPLE_TID) {
		made_u32(t, s->pid);
		made_u32(t, s->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		made_u64(t, s->time);
	if (type & PERF_SAMPLE_CPU) {
		made_u32(t, s->cpu);
		made_u32(t, 0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		made_u64(t, s->period);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		made_u64(t, s->n_chain);
		for (uint32_t i = 0; i < s->n_chain; i++)
			made_u64(t, s->chain[i]);
	}
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
