/*
 * Runs a command in which one system call fails: it is not made, and the command gets an error.
 *
 *	fail_at [-a] [-o FILE] [-p TEXT] -s NAME[,NAME]... -n N -e ERRNO -- COMMAND [ARGUMENT...]
 *
 *	-s NAME    which calls count: openat, fsync ..., or all of the table below; -NAME leaves one
 *	           out again
 *	-p TEXT    only calls with a path that has this text in it
 *	-a  only calls after the first rt_sigaction: a loader makes none, and programs begin with it
 *	-n N       the Nth of them fails, of all threads together; 0 for none
 *	-e ERRNO   with this error: EIO, ENOSPC ...
 *	-o FILE    writes how many of these calls there were, and the name of the one that failed
 *
 * Exit code: the command's; 128 and the number of the signal that ended it; 77 when a process
 * cannot be traced here; 2 for a wrong command line.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Numbers of the path arguments, as bits. */
static const struct call {
	const char *name;
	long nr;
	unsigned paths;
} calls[] = {
#define CALL(name, paths)                \
	{                                \
#name, SYS_##name, paths \
	}
#ifdef SYS_open
	CALL(open, 1),
	CALL(stat, 1),
	CALL(lstat, 1),
	CALL(rename, 3),
	CALL(unlink, 1),
	CALL(link, 3),
	CALL(mkdir, 1),
	CALL(access, 1),
	CALL(chmod, 1),
	CALL(readlink, 1),
#endif
#ifdef SYS_newfstatat
	CALL(newfstatat, 2),
#endif
#ifdef SYS_renameat
	CALL(renameat, 10),
#endif
#ifdef SYS_fadvise64
	CALL(fadvise64, 0),
#endif
	CALL(openat, 2),
	CALL(renameat2, 10),
	CALL(unlinkat, 2),
	CALL(linkat, 10),
	CALL(mkdirat, 2),
	CALL(faccessat, 2),
	CALL(faccessat2, 2),
	CALL(readlinkat, 2),
	CALL(statx, 2),
	CALL(fstat, 0),
	CALL(read, 0),
	CALL(pread64, 0),
	CALL(write, 0),
	CALL(writev, 0),
	CALL(pwrite64, 0),
	CALL(fsync, 0),
	CALL(close, 0),
	CALL(ftruncate, 0),
	CALL(fchmod, 0),
	CALL(fchown, 0),
	CALL(flock, 0),
	CALL(getdents64, 0),
	CALL(copy_file_range, 0),
	CALL(lseek, 0),
	CALL(fcntl, 0),
	CALL(utimensat, 2),
	CALL(listxattr, 1),
	CALL(getxattr, 1),
	CALL(fgetxattr, 0),
	CALL(fsetxattr, 0),
	CALL(fremovexattr, 0),
	CALL(mmap, 0),
};
#define N_CALLS (sizeof(calls) / sizeof(*calls))

static const struct {
	const char *name;
	int number;
} errors[] = {
	{"EIO", EIO},
	{"ENOSPC", ENOSPC},
	{"EACCES", EACCES},
	{"ENOENT", ENOENT},
	{"ENOMEM", ENOMEM},
	{"EINTR", EINTR},
	{"EMFILE", EMFILE},
	{"EROFS", EROFS},
	{"EDQUOT", EDQUOT},
	{"EPERM", EPERM},
};
#define N_ERRORS (sizeof(errors) / sizeof(*errors))

struct job {
	char wanted[N_CALLS];
	const char *part, *out;
	int late; /* -a: nothing counts yet */
	unsigned long n, seen;
	int error;
	pid_t failing; /* in the call that is to fail; 0 for none */
	const char *failed;
};

/* ---- of the machine: another call is made in its place, which every seccomp filter allows */

#if defined(__x86_64__)
static int
call_skip(pid_t pid)
{
	return ptrace(PTRACE_POKEUSER, pid, (void *)offsetof(struct user, regs.orig_rax),
		       (void *)(long)SYS_getpid) == 0;
}
static int
call_fail(pid_t pid, int error)
{
	return ptrace(PTRACE_POKEUSER, pid, (void *)offsetof(struct user, regs.rax),
		       (void *)(long)-error) == 0;
}
#define CAN_FAIL 1
#elif defined(__aarch64__)
static int
call_skip(pid_t pid)
{
	int none = SYS_getpid;
	struct iovec v = {&none, sizeof(none)};

	return ptrace(PTRACE_SETREGSET, pid, (void *)NT_ARM_SYSTEM_CALL, &v) == 0;
}
static int
call_fail(pid_t pid, int error)
{
	struct user_regs_struct regs;
	struct iovec v = {&regs, sizeof(regs)};

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v) < 0)
		return 0;
	regs.regs[0] = (unsigned long long)(long)-error;
	return ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &v) == 0;
}
#define CAN_FAIL 1
#else
static int
call_skip(pid_t pid)
{
	(void)pid;
	return 0;
}
static int
call_fail(pid_t pid, int error)
{
	(void)pid;
	(void)error;
	return 0;
}
#define CAN_FAIL 0
#endif

/* ---- which call */

static int
has_part(pid_t pid, uint64_t address, const char *part)
{
	char text[4096 + 1];
	struct iovec here = {text, sizeof(text) - 1},
		     there = {(void *)(uintptr_t)address, sizeof(text) - 1};
	ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);

	if (n < 0) { /* to the end of its page: what follows may not be mapped */
		there.iov_len = 4096 - (size_t)(address % 4096);
		n = process_vm_readv(pid, &here, 1, &there, 1, 0);
	}
	if (n < 0)
		return 0;
	text[n] = '\0';
	return strstr(text, part) != NULL;
}

static const struct call *
call_at(const struct job *j, pid_t pid, const struct __ptrace_syscall_info *info)
{
	for (size_t i = 0; i < N_CALLS; i++) {
		const struct call *c = &calls[i];

		if ((long)info->entry.nr != c->nr || !j->wanted[i])
			continue;
		if (!j->part)
			return c;
		for (unsigned k = 0; k < 6; k++)
			if ((c->paths >> k & 1) && has_part(pid, info->entry.args[k], j->part))
				return c;
		return NULL;
	}
	return NULL;
}

/* 0 when it cannot be done here. */
static int
syscall_stop(struct job *j, pid_t pid)
{
	struct __ptrace_syscall_info info;
	const struct call *c;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof(info), &info) <= 0)
		return 0;
	if (info.op == PTRACE_SYSCALL_INFO_EXIT && j->failing == pid) {
		j->failing = 0;
		return call_fail(pid, j->error);
	}
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY && (long)info.entry.nr == SYS_rt_sigaction)
		j->late = 0;
	if (j->late || info.op != PTRACE_SYSCALL_INFO_ENTRY || !(c = call_at(j, pid, &info)) ||
		++j->seen != j->n)
		return 1;
	j->failing = pid;
	j->failed = c->name;
	return call_skip(pid);
}

/* ---- the command */

static pid_t
start(char **argv)
{
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(77);
	raise(SIGSTOP);
	execvp(argv[0], argv);
	_exit(127);
}

static int
run(struct job *j, char **argv)
{
	const pid_t pid = start(argv);
	int status, executed = 0;
	pid_t who;

	if (!CAN_FAIL || pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 77;
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL,
		    (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
			     PTRACE_O_EXITKILL)) < 0 ||
		ptrace(PTRACE_CONT, pid, NULL, NULL) < 0)
		return 77;
	while ((who = waitpid(-1, &status, __WALL)) > 0) {
		int sig = 0;

		if (!WIFSTOPPED(status)) {
			if (who == pid)
				return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
							   : WEXITSTATUS(status);
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			if (!syscall_stop(j, who))
				return 77;
		} else if (WSTOPSIG(status) == SIGTRAP) {
			executed = 1; /* or a thread more */
		} else if (WSTOPSIG(status) != SIGSTOP) {
			sig = WSTOPSIG(status);
		}
		ptrace(executed ? PTRACE_SYSCALL : PTRACE_CONT, who, NULL, (void *)(long)sig);
	}
	return 77;
}

static int
want(struct job *j, char *names)
{
	for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		const int without = *name == '-';
		int any = 0;

		name += without;
		for (size_t i = 0; i < N_CALLS; i++)
			if (strcmp(name, calls[i].name) == 0 || strcmp(name, "all") == 0) {
				j->wanted[i] = !without;
				any = 1;
			}
		if (!any)
			return 0;
	}
	return 1;
}

int
main(int argc, char **argv)
{
	struct job j = {0};
	int option, code, ok = 1;
	FILE *out;

	while ((option = getopt(argc, argv, "+ao:p:s:n:e:")) != -1)
		switch (option) {
		case 'a': j.late = 1; break;
		case 'o': j.out = optarg; break;
		case 'p': j.part = optarg; break;
		case 's': ok &= want(&j, optarg); break;
		case 'n': j.n = strtoul(optarg, NULL, 10); break;
		case 'e':
			for (size_t i = 0; i < N_ERRORS; i++)
				if (strcmp(optarg, errors[i].name) == 0)
					j.error = errors[i].number;
			break;
		default: ok = 0;
		}
	if (!ok || optind >= argc || (j.n && !j.error)) {
		fprintf(stderr, "usage: fail_at [-a] [-o FILE] [-p TEXT] -s NAME,... -n N -e ERRNO "
				"-- COMMAND...\n");
		return 2;
	}
	code = run(&j, argv + optind);
	if (j.out && (out = fopen(j.out, "w"))) {
		fprintf(out, "%lu %s\n", j.seen, j.failed ? j.failed : "none");
		fclose(out);
	}
	return code;
}
