#include "perf_jit_p.h"

#include "bytes/source.h"

#include <inttypes.h>

/*
 * The space of the process that the code belongs to: that of the marker, unless a child of it
 * continued to write the same jitdump. If pids in the jitdump belong to another namespace than the
 * recording's, the child is unknown.
 */
static struct perf_space *
space_of(const struct perf_jit *d, struct perf_spaces *s, const struct cr_jit_code *code)
{
	const bool same_names = d->dump.pid == d->pid;
	const int32_t pid = same_names && code->pid > 0 ? code->pid : d->pid;

	return cr_perf_spaces_thread(s, pid, pid)->space;
}

static void
map_code(const struct perf_jit *d, struct perf_spaces *s, const struct cr_jit_code *code)
{
	struct perf_space *space = space_of(d, s, code);

	if (code->from != code->start)
		cr_perf_space_unmap_jit(
			s, space, code->from, cr_add_sat(code->from, code->end - code->start));
	cr_perf_space_map_jit(s, space,
		&(struct perf_map){.start = code->start,
			.end = code->end,
			.pgoff = code->offset,
			.dso = d->dso,
			.code = true});
}

void
cr_perf_jits_play(struct perf_jits *j, struct perf_spaces *s, uint64_t time)
{
	j->waiting = false;
	for (size_t i = 0; i < j->dumps.n; i++) {
		struct perf_jit *d = &j->dumps.p[i];

		for (; d->next < d->dump.code.n && d->dump.code.p[d->next].time <= time; d->next++)
			map_code(d, s, &d->dump.code.p[d->next]);
		if (d->next == d->dump.code.n)
			continue;
		if (!j->waiting || d->dump.code.p[d->next].time < j->due)
			j->due = d->dump.code.p[d->next].time;
		j->waiting = true;
	}
}

static bool
is_open(const struct perf_jits *j, const struct perf_jit *d)
{
	for (size_t i = 0; i < j->dumps.n; i++)
		if (j->dumps.p[i].pid == d->pid &&
			memcmp(j->dumps.p[i].dump.id, d->dump.id, sizeof(d->dump.id)) == 0)
			return true;
	return false;
}

static void
report_damage(const struct cr_jitdump *d, struct cr_log *log, bool comparable)
{
	if (d->damaged)
		cr_log_warn(log, "jitdumps with damaged records", CR_NO_OFFSET,
			"%" PRIu64 " left out", d->damaged);
	if (d->cut)
		cr_log_warn(log, "jitdumps that end early", CR_NO_OFFSET,
			"%zu pieces of code are there", d->code.n);
	if (!comparable || d->arch_clock)
		cr_log_warn(log, "jitdumps with another clock: code counts from the start",
			CR_NO_OFFSET, "%s",
			d->arch_clock ? "the dump has ticks of the processor"
				      : "recorded without -k mono");
}

void
cr_perf_jits_open(struct perf_jits *j, struct perf_spaces *s, const struct cr_symbol_opts *opts,
	const struct cr_jit_marker *m, bool comparable)
{
	struct perf_jit d = {.pid = m->pid};
	struct cr_dso o = {.name = m->path, .kind = CR_KIND_JIT, .build_id_len = CR_JITDUMP_ID};
	struct cr_err err = CR_ERR_INIT;

	if (j->tried++ >= PERF_JIT_DUMPS) {
		cr_log_warn(s->log, "jitdumps beyond the limit", CR_NO_OFFSET, "%u are read",
			PERF_JIT_DUMPS);
		return;
	}
	if (cr_jitdump_open(opts, m, &d.dump, &err) < 0) {
		cr_log_warn(s->log, "jitdumps not read", CR_NO_OFFSET, "%.*s: %s",
			(int)CR_MIN(m->path.len, 100u), m->path.p, err.text);
		return;
	}
	if (is_open(j, &d)) {
		cr_jitdump_fini(&d.dump);
		return;
	}
	cr_source_close(d.dump.src); /* cr_symbolize() looks up the names later */
	d.dump.src = NULL;
	report_damage(&d.dump, s->log, comparable);
	memcpy(o.build_id, d.dump.id, sizeof(d.dump.id));
	d.dso = cr_builder_dso(s->b, &o);
	for (; (!comparable || d.dump.arch_clock) && d.next < d.dump.code.n; d.next++)
		map_code(&d, s, &d.dump.code.p[d.next]);
	cr_vec_push(&j->dumps, d);
	cr_perf_jits_play(j, s, 0); /* computes the time of the next one */
}

void
cr_perf_jits_fini(struct perf_jits *j)
{
	for (size_t i = 0; i < j->dumps.n; i++)
		cr_jitdump_fini(&j->dumps.p[i].dump);
	cr_vec_fini(&j->dumps);
}
