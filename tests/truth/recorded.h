#ifndef CR_TRUTH_RECORDED_H
#define CR_TRUTH_RECORDED_H

#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

/*
 * A perf.data as perf record --call-graph dwarf makes it, written record by record: one event,
 * registers and a piece of the stack in each sample, and a recorder's view of the mappings.
 */
struct recorded;

/*
 * Exits with a message when the file cannot be made. stack_bytes: the most that a sample has of it.
 */
struct recorded *recorded_open(const char *path, pid_t pid, uint32_t stack_bytes);
void recorded_close(struct recorded *r);

/* All calls are in the order of time_ns. */
void recorded_exec(struct recorded *r, uint64_t time_ns);
void recorded_fork(struct recorded *r, pid_t tid, uint64_t time_ns);

/* Reads /proc/PID/maps and writes what was not there the last time. */
void recorded_maps(struct recorded *r, uint64_t time_ns);

/* Returns the end of the part of the stack that is in the sample. */
uint64_t recorded_sample(
	struct recorded *r, pid_t tid, const struct user_regs_struct *regs, uint64_t time_ns);

#endif
