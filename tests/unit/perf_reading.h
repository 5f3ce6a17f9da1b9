#ifndef CR_PERF_READING_H
#define CR_PERF_READING_H

#include "testing.h"

#include "model/field.h"
#include "perf_maker.h"
#include "read/reader.h"
#include "testing_outcome.h"

/*
 * Recordings from memory, and what comes of them as text.
 *
 *	assert_reads(&m, "prog 5/5 100 10 cpu-clock prog+1100\n", &profile, &log);
 */

/* Where files are, and whether callers are guessed; NULL: only the input is read. */
static const struct cr_symbol_opts *reading_symbols;
/* Whether stacks contain the branches of their samples. */
static bool reading_history;

/*
 * What is in there stays the caller's, and is of its exact size. Whatever it is, assert_outcome()
 * holds.
 */
static inline int
read_input(
	const struct cr_input *in, struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	const struct cr_read_opts opts = {
		.log = log, .symbol = reading_symbols, .branch_history = reading_history};
	struct cr_builder *b = cr_builder_new(NULL);
	int rc;

	*out = NULL;
	*log = (struct cr_log){0};
	*err = (struct cr_err)CR_ERR_INIT;
	if ((rc = cr_reader_find("perf.data")->read(in, b, &opts, err)) == CR_OK)
		rc = cr_builder_finish(b, log, out, err);
	assert_outcome(rc, *out, log, err);
	cr_builder_free(b);
	return rc;
}

static inline int
read_bytes(
	const void *p, size_t len, struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	void *bytes = testing_exact(p, len);
	const int rc = read_input(&(struct cr_input){.p = bytes, .len = len}, out, log, err);

	free(bytes);
	return rc;
}

static inline void
put_frames(struct cr_text *t, const struct cr_profile *p, uint32_t node)
{
	uint32_t path[64];
	size_t n = 0;

	for (; node && n < CR_LEN(path); node = p->node_parent[node])
		path[n++] = p->node_location[node];
	while (n-- > 0) {
		const struct cr_location *l = &p->locations[path[n]];

		cr_text_char(t, ' ');
		cr_text_str(t, cr_str_basename(p->dsos[l->dso.i].name));
		cr_text_char(t, '+');
		cr_text_hex(t, l->addr);
	}
}

/* A line a sample: "COMM PID/TID TIME WEIGHT EVENT FRAMES", root first. free() it. */
static inline char *
text_of(const struct cr_profile *p)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const struct cr_task *task = &p->tasks[p->samples.task[i]];

		if (cr_str_eq(p->events[p->samples.event[i]].name, CR_STR("lifetime")))
			continue;
		cr_text_str(&t, task->comm);
		cr_text_printf(&t, " %d/%d %llu %llu ", task->pid, task->tid,
			(unsigned long long)p->samples.time_ns[i],
			(unsigned long long)p->samples.weight[i]);
		cr_text_str(&t, p->events[p->samples.event[i]].name);
		put_frames(&t, p, p->samples.node[i]);
		cr_text_char(&t, '\n');
	}
	return t.p;
}

static inline void
assert_text(const struct cr_profile *p, const char *want)
{
	char *have = text_of(p);

	assert_string_equal(have, want);
	free(have);
}

/*
 * Read what was made and compare, without the samples of the event lifetime; quality and log are
 * left to look at in *out and *log.
 */
static inline void
assert_reads(struct made_perf *m, const char *want, struct cr_profile **out, struct cr_log *log)
{
	struct cr_text f = made_file(m);
	struct cr_err err;

	assert_int_equal(read_bytes(f.p, f.len, out, log, &err), CR_OK);
	assert_text(*out, want);
	cr_text_fini(&f);
}

/* The same of what has nothing wrong with it. */
static inline void
assert_samples(struct made_perf *m, const char *want)
{
	struct cr_profile *p;
	struct cr_log log;

	assert_reads(m, want, &p, &log);
	assert_int_equal(log.n, 0);
	assert_false(p->flags & CR_PROFILE_IN_PART);
	cr_profile_free(p);
}

/*
 * The values of a field of the first event of that name, "-" where a sample has none: "0x10 -
 * 0x20".
 */
static inline void
assert_field(const struct cr_profile *p, const char *event, const char *name, const char *want)
{
	const struct cr_field *d = NULL;
	struct cr_text t = {0};

	for (uint32_t i = 0; i < p->n_events && !d; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(event)))
			d = cr_field_find(p, (cr_event_id){i}, cr_str_of(name));
	cr_text_puts(&t, d ? "" : "no such detail");
	for (uint64_t i = 0; d && i < d->n; i++) {
		if (i)
			cr_text_char(&t, ' ');
		if (d->value[i] == cr_form_none(d->form))
			cr_text_char(&t, '-');
		else
			cr_field_put(p, d, d->value[i], &t);
	}
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

/* The count of the quality that begins like this; 0 if there is none. */
static inline uint64_t
quality_of(const struct cr_profile *p, const char *what)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (cr_str_starts(p->quality[i].what, what))
			return p->quality[i].count;
	return 0;
}

static inline void
sample(struct made_perf *m, uint32_t pid, uint32_t tid, uint64_t time, uint64_t ip)
{
	made_sample(m, &(struct made_sample){
			       .pid = pid, .tid = tid, .time = time, .period = 10, .ip = ip});
}

/* ---- one recording that has most things in it */

/* A process, a child and a thread, the kernel and a module, records of two rounds out of order. */
static inline void
good(struct made_perf *m)
{
	static const uint64_t kernel_chain[] = {MADE_CHAIN_KERNEL, 0xffffffffc0000010,
		0xffffffff81000100, MADE_CHAIN_USER, 0x401010, 0x401100};
	static const uint64_t user_chain[] = {MADE_CHAIN_USER, 0x7f0000000123, 0x401100};

	made_clock(m);
	made_mmap_as(m, MADE_KERNEL, UINT32_MAX, 0, 0xffffffff81000000, 0x1000000,
		0xffffffff81000000, "[kernel.kallsyms]_text");
	made_mmap_as(m, MADE_KERNEL, UINT32_MAX, 0, 0xffffffffc0000000, 0x4000, 0,
		"/lib/modules/6.1/fs/x-fs.ko.xz");
	made_comm(m, 5, 5, 10, "prog");
	made_mmap(m, 5, 11, 0x400000, 0x10000, 0, "/bin/prog");
	made_mmap(m, 5, 12, 0x7f0000000000, 0x1000, 0x2000, "/lib/libc.so.6");
	made_sample(m, &(struct made_sample){.pid = 5,
			       .tid = 6,
			       .time = 120,
			       .period = 20,
			       .ip = 0xffffffffc0000010,
			       .misc = MADE_KERNEL,
			       .cpu = 1,
			       .chain = kernel_chain,
			       .n_chain = 6});
	made_round(m);
	made_sample(m, &(struct made_sample){.pid = 5,
			       .tid = 5,
			       .time = 100,
			       .period = 10,
			       .ip = 0x7f0000000123,
			       .chain = user_chain,
			       .n_chain = 3});
	made_fork(m, 9, 9, 5, 5, 130);
	made_comm(m, 9, 9, 131, "child");
	sample(m, 9, 9, 140, 0x401010);
	made_string(&m->features[3], "box");
	made_string(&m->features[4], "6.1.0");
}

static const char good_text[] = "prog 5/5 100 10 cpu-clock prog+1100 libc.so.6+2123\n"
				":6 5/6 120 20 cpu-clock prog+1100 prog+1010 "
				"[kernel.kallsyms]+ffffffff81000100 [x_fs]+ffffffffc0000010\n"
				"child 9/9 140 10 cpu-clock prog+1010\n";

#endif
