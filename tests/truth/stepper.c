/*
 * What stacks really are: runs a program one instruction at a time and keeps its stack by watching
 * it.
 *
 *	stepper [-a] [-e NAME=VALUE]... [-k VISITS] [-n EVERY] [-s BYTES] [-t STEPS] -o FILE --
 *	        PROGRAM [ARGUMENT...]
 *
 * FILE becomes a perf.data with registers and stacks, FILE.truth a line for each of its samples:
 *
 *	TIME_NS REACH ADDRESS...
 *
 * Addresses are absolute and hexadecimal, leaf first, and as a profile shows them: of a call the
 * byte before the return address; where no call was (the leaf, the frame of a signal handler's
 * return, what the signal interrupted) the address itself. REACH says how many of them can be known
 * from the part of the stack that the sample has.
 *
 * A sample is taken of each instruction's first VISITS executions, and of every EVERYth step. Steps
 * start at the program's entry, where the stack is empty; with -a already in the dynamic linker.
 *
 * A call is an instruction that pushed the address behind itself. What it pushed is on the stack
 * until the stack pointer is above it: so returns, longjmp and exceptions need no more knowledge.
 * Signals are seen when they are delivered. A handler's alternative stack may be anywhere: there
 * the rule holds within each stack, and leaving the alternative stack takes with it what was there.
 *
 * Exit code 77: here a process cannot be traced, or this is another machine.
 */
#if !defined(__x86_64__) || !defined(__linux__)
#include <stdio.h>

int
main(void)
{
	puts("this stepper knows Linux on x86-64 only");
	return 77;
}
#else
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "recorded.h"

#include "base/vec.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FLAG_TRACE 0x100u /* single step; the program's own flags are without it */

/* The frame of a signal: above the address of the restorer a struct ucontext. */
enum {
	FRAME_CONTEXT = 8,
	FRAME_STACK = FRAME_CONTEXT + 16,
	FRAME_IP = FRAME_CONTEXT + 40 + 16 * 8
};

enum kind { KIND_CALL, KIND_RESTORER, KIND_INTERRUPTED };

struct entry {
	uint64_t slot; /* address of the word on the stack; gone once the stack pointer is above it
			*/
	uint64_t pc;   /* as the truth has it */
	uint64_t lo, hi; /* the stack it is on */
	enum kind kind;
};

struct thread {
	pid_t tid;
	struct user_regs_struct regs; /* before the step that is under way */
	int delivered;                /* signal that this step delivers, or 0 */
	bool started;                 /* regs are known */
	CR_VEC(struct entry) stack;   /* outermost first */
};

/* How often an instruction was executed, by address; open addressing. */
struct visits {
	uint64_t *pc;
	uint32_t *count;
	size_t cap, used;
};

struct stepper {
	pid_t pid;
	struct recorded *out;
	FILE *truth;
	CR_VEC(struct thread *) threads;
	struct visits visits;
	uint64_t steps, samples;
	uint32_t every, each;
};

struct wish {
	const char *path;
	uint64_t steps;
	uint32_t every, each, stack_bytes;
	bool linker;
	CR_VEC(char *) env;
};

static _Noreturn void
die(const char *what)
{
	perror(what);
	exit(2);
}

static _Noreturn void
skip(const char *why)
{
	puts(why);
	exit(77);
}

static uint64_t
time_now(const struct stepper *s)
{
	return 1000000000u + s->steps * 1000;
}

/* ---- the traced process */

static uint64_t
word_at(pid_t tid, uint64_t addr)
{
	errno = 0;
	return (uint64_t)ptrace(PTRACE_PEEKDATA, tid, (void *)(uintptr_t)addr, NULL);
}

static void
regs_get(pid_t tid, struct user_regs_struct *regs)
{
	if (ptrace(PTRACE_GETREGS, tid, NULL, regs) < 0)
		die("registers");
	regs->eflags &= ~(unsigned long long)FLAG_TRACE;
}

/* Is it a call? Prefixes, then e8, or ff with 2 (near) in its second byte. */
static bool
is_call(pid_t tid, uint64_t pc)
{
	const uint64_t word = word_at(tid, pc);
	uint8_t b[8];
	size_t i = 0;

	memcpy(b, &word, sizeof(b));
	while (i < 4 &&
		(strchr("\x66\x67\xf2\xf3\x2e\x3e\x26\x36\x64\x65", b[i]) || (b[i] & 0xf0) == 0x40))
		i++;
	return b[i] == 0xe8 || (b[i] == 0xff && (b[i + 1] >> 3 & 7) == 2);
}

/* ---- the stack of a thread */

static struct entry *
stack_top(struct thread *t)
{
	return t->stack.n ? &t->stack.p[t->stack.n - 1] : NULL;
}

static void
stack_push(struct thread *t, enum kind kind, uint64_t slot, uint64_t pc)
{
	const struct entry *top = stack_top(t);
	const struct entry e = {slot, pc, top ? top->lo : 0, top ? top->hi : UINT64_MAX, kind};

	cr_vec_push(&t->stack, e);
}

static void
stack_drop(struct thread *t, uint64_t sp)
{
	const struct entry *e;

	while ((e = stack_top(t)) && (sp < e->lo || sp >= e->hi || e->slot < sp))
		t->stack.n--;
}

/*
 * Delivered: the restorer's frame and what was interrupted, both for as long as the frame is there.
 */
static void
signal_enter(struct thread *t, const struct user_regs_struct *now)
{
	const uint64_t base = word_at(t->tid, now->rsp + FRAME_STACK);
	const uint64_t end = base + word_at(t->tid, now->rsp + FRAME_STACK + 16);
	const bool alternative = now->rsp >= base && now->rsp < end;

	stack_push(t, KIND_INTERRUPTED, now->rsp + 8, word_at(t->tid, now->rsp + FRAME_IP));
	if (alternative) {
		stack_top(t)->lo = base;
		stack_top(t)->hi = end;
	}
	stack_push(t, KIND_RESTORER, now->rsp, word_at(t->tid, now->rsp));
}

/* A signal that is ignored enters nothing: then this was a step like others. */
static bool
signal_entered(const struct thread *t, const struct user_regs_struct *now)
{
	return t->delivered && now->rdi == (uint64_t)t->delivered &&
	       now->rdx == now->rsp + FRAME_CONTEXT;
}

/* What the step from t->regs to now did to the stack. */
static void
stack_follow(struct thread *t, const struct user_regs_struct *now)
{
	const struct user_regs_struct *was = &t->regs;
	const struct entry *top = stack_top(t);

	if (signal_entered(t, now)) {
		signal_enter(t, now);
		return;
	}
	if (top && top->kind == KIND_INTERRUPTED && was->rsp == top->slot &&
		was->rax == SYS_rt_sigreturn && now->rip == top->pc)
		t->stack.n--;
	stack_drop(t, now->rsp);
	if (now->rsp != was->rsp - 8)
		return;

	const uint64_t pushed = word_at(t->tid, now->rsp);

	if (pushed > was->rip && pushed <= was->rip + 15 && is_call(t->tid, was->rip))
		stack_push(t, KIND_CALL, now->rsp, pushed - 1);
}

/* ---- samples */

static uint32_t
visit(struct visits *v, uint64_t pc)
{
	if (v->used * 2 >= v->cap) {
		const struct visits old = *v;

		v->cap = CR_MAX(old.cap * 2, 4096);
		v->used = 0;
		v->pc = cr_alloc(v->cap, sizeof(*v->pc));
		v->count = cr_alloc(v->cap, sizeof(*v->count));
		memset(v->pc, 0, v->cap * sizeof(*v->pc));
		for (size_t i = 0; i < old.cap; i++) {
			if (!old.pc[i])
				continue;

			size_t at = old.pc[i] * 0x9e3779b97f4a7c15u % v->cap;

			while (v->pc[at])
				at = (at + 1) % v->cap;
			v->pc[at] = old.pc[i];
			v->count[at] = old.count[i];
			v->used++;
		}
		free(old.pc);
		free(old.count);
	}

	size_t at = pc * 0x9e3779b97f4a7c15u % v->cap;

	while (v->pc[at] && v->pc[at] != pc)
		at = (at + 1) % v->cap;
	if (!v->pc[at]) {
		v->pc[at] = pc;
		v->count[at] = 0;
		v->used++;
	}
	return v->count[at]++;
}

/*
 * How many frames there are to be known when the sample ends at end: each needs the words that lead
 * to it.
 */
static size_t
reach(const struct thread *t, uint64_t sp, uint64_t end)
{
	size_t known = 1;

	for (size_t i = t->stack.n; i-- > 0; known++) {
		const struct entry *e = &t->stack.p[i];
		const uint64_t last =
			e->kind == KIND_INTERRUPTED ? e->slot + FRAME_IP : e->slot + 8;

		if (e->slot < sp || last > end)
			break;
	}
	return known;
}

static void
sample(struct stepper *s, struct thread *t)
{
	const uint64_t end = recorded_sample(s->out, t->tid, &t->regs, time_now(s));

	fprintf(s->truth, "%" PRIu64 " %zu %llx", time_now(s), reach(t, t->regs.rsp, end),
		t->regs.rip);
	for (size_t i = t->stack.n; i-- > 0;)
		fprintf(s->truth, " %" PRIx64, t->stack.p[i].pc);
	putc('\n', s->truth);
	s->samples++;
}

/* ---- stepping */

/*
 * System calls after which mappings may be others. They leave the address behind themselves in rcx.
 */
static bool
may_have_mapped(const struct user_regs_struct *was, const struct user_regs_struct *now)
{
	if (now->rip != was->rip + 2 || now->rcx != now->rip)
		return false;
	switch (was->rax) {
	case SYS_mmap:
	case SYS_mprotect:
	case SYS_munmap:
	case SYS_mremap:
	case SYS_brk: return true;
	default: return false;
	}
}

static void
stepped(struct stepper *s, struct thread *t)
{
	struct user_regs_struct now;

	regs_get(t->tid, &now);
	if (t->started) {
		stack_follow(t, &now);
		if (may_have_mapped(&t->regs, &now))
			recorded_maps(s->out, time_now(s));
	}
	t->started = true;
	t->regs = now;
	t->delivered = 0;
	s->steps++;
	if (visit(&s->visits, now.rip) < s->each || s->steps % s->every == 0)
		sample(s, t);
}

static struct thread *
thread_get(struct stepper *s, pid_t tid)
{
	struct thread *t;

	for (size_t i = 0; i < s->threads.n; i++)
		if (s->threads.p[i]->tid == tid)
			return s->threads.p[i];
	t = cr_alloc(1, sizeof(*t));
	*t = (struct thread){.tid = tid};
	cr_vec_push(&s->threads, t);
	if (tid != s->pid)
		recorded_fork(s->out, tid, time_now(s));
	return t;
}

static void
threads_free(struct stepper *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		cr_vec_fini(&s->threads.p[i]->stack);
		free(s->threads.p[i]);
	}
	cr_vec_fini(&s->threads);
}

/* A thread has stopped: what for, and which signal it is to have when it goes on. */
static int
stopped(struct stepper *s, struct thread *t, int status)
{
	const int sig = WSTOPSIG(status);

	if (status >> 16) /* an event of ptrace, no step */
		return 0;
	if (sig == SIGTRAP || (sig == SIGSTOP && !t->started)) {
		stepped(s, t);
		return 0;
	}
	t->delivered = sig;
	return sig;
}

/*
 * Until the process has ended or has had its steps. Returns its status, or -1 when it was ended
 * here.
 */
static int
run(struct stepper *s, uint64_t budget)
{
	bool ended = false;
	int status;
	pid_t tid;

	for (;;) {
		tid = waitpid(-1, &status, __WALL);
		if (tid < 0)
			die("wait");
		if (tid == s->pid && !WIFSTOPPED(status))
			return ended ? -1 : status;
		if (!WIFSTOPPED(status) || ended)
			continue;

		const int sig = stopped(s, thread_get(s, tid), status);

		if (s->steps >= budget) {
			ended = true;
			kill(s->pid, SIGKILL); /* its threads are waited for, one by one */
			continue;
		}
		if (ptrace(PTRACE_SINGLESTEP, tid, NULL, (void *)(intptr_t)sig) < 0 &&
			errno != ESRCH)
			die("step");
	}
}

/* ---- the start */

static uint64_t
entry_address(pid_t pid)
{
	char path[64];
	Elf64_auxv_t aux;
	uint64_t entry = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
	f = fopen(path, "r");
	while (f && fread(&aux, sizeof(aux), 1, f) == 1)
		if (aux.a_type == AT_ENTRY)
			entry = aux.a_un.a_val;
	if (f)
		fclose(f);
	return entry;
}

/* Without steps to the program's entry, past what the dynamic linker does before. */
static void
run_to_entry(pid_t pid)
{
	const uint64_t entry = entry_address(pid);
	const uint64_t word = word_at(pid, entry);
	struct user_regs_struct regs;
	int status;

	ptrace(PTRACE_POKEDATA, pid, (void *)(uintptr_t)entry,
		(void *)(uintptr_t)((word & ~(uint64_t)0xff) | 0xcc));
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) {
		fprintf(stderr, "stepper: the program never got to its entry\n");
		exit(2);
	}
	ptrace(PTRACE_POKEDATA, pid, (void *)(uintptr_t)entry, (void *)(uintptr_t)word);
	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	regs.rip = entry;
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
}

/* One processor for both: a step is two switches, and they are dearer across processors. */
static void
stay_here(void)
{
	cpu_set_t here;
	const int cpu = sched_getcpu();

	CPU_ZERO(&here);
	CPU_SET(cpu < 0 ? 0 : cpu, &here);
	sched_setaffinity(0, sizeof(here), &here);
}

static pid_t
start(const struct wish *w, char **argv)
{
	int status;
	pid_t pid;

	stay_here();
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		personality(
			ADDR_NO_RANDOMIZE); /* the same addresses each time, where it is allowed */
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(77);
		execve(argv[0], argv, w->env.p);
		_exit(2);
	}
	if (waitpid(pid, &status, 0) != pid)
		die("wait");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip("here a process may not be traced");
	if (!WIFSTOPPED(status)) {
		fprintf(stderr, "stepper: %s does not start\n", argv[0]);
		exit(2);
	}
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL,
		    (void *)(uintptr_t)(PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL)) < 0)
		skip("threads cannot be traced here");
	return pid;
}

/* The traced program's exit code, or 0 when it was ended after its steps. */
static int
step_all(const struct wish *w, char **argv)
{
	struct stepper s = {.pid = start(w, argv), .every = w->every, .each = w->each};
	char truth[4096];
	int status;

	snprintf(truth, sizeof(truth), "%s.truth", w->path);
	s.truth = fopen(truth, "w");
	if (!s.truth)
		die(truth);
	s.out = recorded_open(w->path, s.pid, w->stack_bytes);
	recorded_exec(s.out, time_now(&s));
	if (!w->linker)
		run_to_entry(s.pid);
	recorded_maps(s.out, time_now(&s));
	stepped(&s, thread_get(&s, s.pid));
	ptrace(PTRACE_SINGLESTEP, s.pid, NULL, NULL);
	status = run(&s, w->steps);
	recorded_close(s.out);
	if (fclose(s.truth) != 0)
		die(truth);
	printf("%" PRIu64 " steps, %" PRIu64 " samples%s\n", s.steps, s.samples,
		status < 0 ? ", ended" : "");
	threads_free(&s);
	free(s.visits.pc);
	free(s.visits.count);
	if (status < 0)
		return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static uint64_t
number(const char *text)
{
	char *end;
	const unsigned long long v = strtoull(text, &end, 10);

	if (end == text || *end || v == 0) {
		fprintf(stderr, "stepper: %s is no number\n", text);
		exit(2);
	}
	return v;
}

int
main(int argc, char **argv)
{
	struct wish w = {.steps = 1000000, .every = 211, .each = 2, .stack_bytes = 16384};
	int option, code;

	while ((option = getopt(argc, argv, "ae:k:n:o:s:t:")) >= 0)
		switch (option) {
		case 'a': w.linker = true; break;
		case 'e': cr_vec_push(&w.env, optarg); break;
		case 'k': w.each = (uint32_t)number(optarg); break;
		case 'n': w.every = (uint32_t)number(optarg); break;
		case 'o': w.path = optarg; break;
		case 's': w.stack_bytes = (uint32_t)number(optarg); break;
		case 't': w.steps = number(optarg); break;
		default: return 2;
		}
	if (!w.path || optind == argc || w.stack_bytes > 65000) {
		fprintf(stderr, "stepper: -o FILE -- PROGRAM, and -s 65000 at most\n");
		return 2;
	}
	cr_vec_push(&w.env, NULL);
	code = step_all(&w, argv + optind);
	cr_vec_fini(&w.env);
	return code;
}
#endif
