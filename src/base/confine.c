#include "base/confine.h"

#include "base/mem.h"
#include "base/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The kernel confines the whole process for its lifetime. So this is a property of the process,
 * like its user id, and not of a struct.
 */
static unsigned confined;

unsigned
cr_confined(void)
{
	return confined;
}

/* True if the user may create a file in the directory of path. */
static bool
can_make(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? cr_memdup(path, (size_t)(slash - path) + 1) : cr_strdup(".");
	const bool can = access(dir, W_OK | X_OK) == 0;

	free(dir);
	return can;
}

void
cr_confine_report(struct cr_err *err, const char *path, int mode)
{
	const size_t len = strlen(err->text);
	const int why = errno;

	if (why == EACCES && (confined & CR_CONFINED_FILES) &&
		(access(path, mode) == 0 || (errno == ENOENT && (mode & W_OK) && can_make(path))))
		snprintf(err->text + len, sizeof(err->text) - len,
			": the sandbox refuses it; --no-sandbox allows it");
	errno = why;
}

/* ---- Landlock */

/*
 * Source: include/uapi/linux/landlock.h of Linux 6.16, interface 7. Not included, since the
 * installed headers may be older than the running kernel, or lack the file.
 */
struct ruleset_attr {
	uint64_t files, net, scoped;
};

struct path_beneath_attr {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1

#define FS_EXECUTE ((uint64_t)1 << 0)
#define FS_WRITE_FILE ((uint64_t)1 << 1)
#define FS_READ_FILE ((uint64_t)1 << 2)
#define FS_READ_DIR ((uint64_t)1 << 3)
#define FS_REMOVE_DIR ((uint64_t)1 << 4)
#define FS_REMOVE_FILE ((uint64_t)1 << 5)
#define FS_MAKE_DIR ((uint64_t)1 << 7)
#define FS_MAKE_REG ((uint64_t)1 << 8)
#define FS_REFER ((uint64_t)1 << 13)
#define FS_TRUNCATE ((uint64_t)1 << 14)
#define FS_IOCTL_DEV ((uint64_t)1 << 15)

/* Rights that a rule for a file may contain; the others apply to directories. */
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

#define NET_ALL ((uint64_t)3)        /* bind and connect TCP sockets */
#define SCOPE_ABSTRACT ((uint64_t)1) /* connect to abstract sockets outside the sandbox */

/* The lowest bit that this interface version does not know. */
static unsigned
first_unknown(int version)
{
	static const unsigned bits[] = {
		13, 14, 15, 15, 16}; /* for interfaces 1, 2, 3, 4, 5 and later */

	return bits[CR_MIN(version, (int)CR_LEN(bits)) - 1];
}

int
cr_confine_landlock(void)
{
	const long version = syscall(CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);

	return version > 0 ? (int)version : 0;
}

void
cr_confine_open(struct cr_confine *c, int version)
{
	struct ruleset_attr attr = {0};
	size_t size = sizeof(attr.files);

	*c = (struct cr_confine){.rules = -1};
	if (!version)
		return;
	attr.files = c->handled = ((uint64_t)1 << first_unknown(version)) - 1;
	if (version >= 4) {
		attr.net = NET_ALL;
		size = offsetof(struct ruleset_attr, scoped);
	}
	if (version >= 6) {
		attr.scoped = SCOPE_ABSTRACT;
		size = sizeof(attr);
	}
	c->rules = (int)syscall(CREATE_RULESET, &attr, size, 0);
}

static uint64_t
rights_of(unsigned access)
{
	uint64_t rights = 0;

	if (access & CR_CONFINE_READ)
		rights |= FS_READ_FILE | FS_READ_DIR;
	if (access & CR_CONFINE_WRITE)
		rights |= FS_WRITE_FILE | FS_TRUNCATE | FS_REMOVE_DIR | FS_REMOVE_FILE |
			  FS_MAKE_DIR | FS_MAKE_REG | FS_REFER;
	if (access & CR_CONFINE_LIST)
		rights |= FS_READ_DIR;
	if (access & CR_CONFINE_DEVICE)
		rights |= FS_IOCTL_DEV;
	return access & CR_CONFINE_FILE ? rights & FS_OF_FILES : rights;
}

void
cr_confine_allow(struct cr_confine *c, const char *path, unsigned access)
{
	struct path_beneath_attr rule = {.allowed = rights_of(access) & c->handled};

	if (c->rules < 0 || !path || !*path)
		return;
	rule.parent = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent < 0)
		return;
	/* Rights for directories are invalid in a rule for a file. */
	if (rule.allowed && syscall(ADD_RULE, c->rules, RULE_PATH_BENEATH, &rule, 0) < 0 &&
		errno == EINVAL) {
		rule.allowed &= FS_OF_FILES;
		syscall(ADD_RULE, c->rules, RULE_PATH_BENEATH, &rule, 0);
	}
	close(rule.parent);
}

bool
cr_confine_files(struct cr_confine *c)
{
	bool done = false;

	if (c->rules >= 0) {
		done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		       syscall(RESTRICT_SELF, c->rules, 0) == 0;
		close(c->rules);
	}
	c->rules = -1;
	confined |= done ? CR_CONFINED_FILES : 0;
	return done;
}

/* ---- seccomp */

/*
 * The filter is written here instead of with libseccomp. It is one list and five comparisons.
 * Loading the library and generating the filter took a sixth of the start time, and a build without
 * the library would have no filter.
 */
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCHITECTURE AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARM_EABI__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define ARCHITECTURE AUDIT_ARCH_S390X
#endif

#ifdef ARCHITECTURE

#define X32_BIT 0x40000000u
#define MOST_STEPS 512

/*
 * Since Linux 5.1 new calls have the same number on all architectures. Installed headers may be
 * older.
 */
#define NR_io_uring_setup 425
#define NR_io_uring_enter 426
#define NR_io_uring_register 427
#define NR_open_tree 428
#define NR_move_mount 429
#define NR_fsopen 430
#define NR_fsconfig 431
#define NR_fsmount 432
#define NR_fspick 433
#define NR_pidfd_open 434
#define NR_clone3 435
#define NR_pidfd_getfd 438
#define NR_process_madvise 440
#define NR_mount_setattr 442
#define NR_quotactl_fd 443
#define NR_pidfd_send_signal 424
#define NR_fchmodat2 452
#define NR_setxattrat 463
#define NR_removexattrat 466
#define NR_open_tree_attr 467

/* Calls that are always refused. */
static const int refused[] = {
	/* programs and processes */
	SYS_execve,
	SYS_execveat,
#ifdef SYS_fork
	SYS_fork,
#endif
#ifdef SYS_vfork
	SYS_vfork,
#endif
	/* The leak checker traces the threads. */
	NR_pidfd_open,
	NR_pidfd_getfd,
	NR_pidfd_send_signal,
	NR_process_madvise,
#if !CR_SANITIZED
	SYS_ptrace,
	SYS_tkill,
#endif
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_kcmp,
	SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo,
	/* the kernel */
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	NR_io_uring_setup,
	NR_io_uring_enter,
	NR_io_uring_register,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_reboot,
	SYS_syslog,
	SYS_acct,
	SYS_swapon,
	SYS_swapoff,
	SYS_quotactl,
	NR_quotactl_fd,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_personality,
	SYS_vhangup,
	SYS_fanotify_init,
#ifdef SYS_settimeofday
	SYS_settimeofday,
	SYS_adjtimex,
#endif
#ifdef SYS_clock_settime
	SYS_clock_settime,
	SYS_clock_adjtime,
#endif
#ifdef SYS_kexec_load
	SYS_kexec_load,
#endif
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
	SYS_iopl,
#endif
#ifdef SYS_ioperm
	SYS_ioperm,
#endif
	/* mounts and namespaces */
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_setns,
	SYS_unshare,
	NR_open_tree,
	NR_move_mount,
	NR_fsopen,
	NR_fsconfig,
	NR_fsmount,
	NR_fspick,
	NR_mount_setattr,
	NR_open_tree_attr,
	SYS_open_by_handle_at,
	/* keys and identities */
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_setuid,
	SYS_setgid,
	SYS_setreuid,
	SYS_setregid,
	SYS_setresuid,
	SYS_setresgid,
	SYS_setgroups,
	SYS_setfsuid,
	SYS_setfsgid,
	SYS_capset,
	/* files by path, in ways that Landlock does not cover */
	SYS_fchmodat,
	NR_fchmodat2,
	SYS_fchownat,
	SYS_setxattr,
	SYS_lsetxattr,
	NR_setxattrat,
	SYS_removexattr,
	SYS_lremovexattr,
	NR_removexattrat,
	SYS_mknodat,
	SYS_truncate,
#ifdef SYS_chmod
	SYS_chmod,
#endif
#ifdef SYS_chown
	SYS_chown,
	SYS_lchown,
#endif
#ifdef SYS_mknod
	SYS_mknod,
#endif
/* the variants of 32-bit machines */
#ifdef SYS_truncate64
	SYS_truncate64,
#endif
#ifdef SYS_chown32
	SYS_chown32,
	SYS_lchown32,
#endif
#ifdef SYS_setuid32
	SYS_setuid32,
	SYS_setgid32,
	SYS_setreuid32,
	SYS_setregid32,
	SYS_setresuid32,
	SYS_setresgid32,
	SYS_setgroups32,
	SYS_setfsuid32,
	SYS_setfsgid32,
#endif
#ifdef SYS_clock_settime64
	SYS_clock_settime64,
	SYS_clock_adjtime64,
#endif
#ifdef SYS_umount
	SYS_umount,
#endif
};

/* Calls that are refused without CR_CONFINE_NETWORK. */
static const int sockets[] = {
	SYS_socket,
	SYS_socketpair,
	SYS_connect,
	SYS_bind,
	SYS_listen,
	SYS_accept4,
#ifdef SYS_accept
	SYS_accept,
#endif
};

/* A BPF program being written. Each test leaves the number of the call in the accumulator. */
struct filter {
	struct sock_filter steps[MOST_STEPS];
	unsigned short n;
};

static void
put(struct filter *f, unsigned code, uint32_t k, unsigned yes, unsigned no)
{
	if (f->n < MOST_STEPS)
		f->steps[f->n++] =
			(struct sock_filter){(uint16_t)code, (uint8_t)yes, (uint8_t)no, k};
}

static void
put_load(struct filter *f, size_t offset)
{
	put(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/*
 * Load the lower half of an argument: flags, a command or a process id, where the kernel uses only
 * that half.
 */
static void
put_load_arg(struct filter *f, unsigned i)
{
	size_t offset = offsetof(struct seccomp_data, args) + i * sizeof(uint64_t);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	offset += sizeof(uint32_t);
#endif
	put_load(f, offset);
}

static void
put_return(struct filter *f, uint32_t what)
{
	put(f, BPF_RET | BPF_K, what, 0, 0);
}

#define REFUSE(error) (SECCOMP_RET_ERRNO | ((uint32_t)(error)&SECCOMP_RET_DATA))

static void
put_refusal(struct filter *f, int nr, int error)
{
	put(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0, 1);
	put_return(f, REFUSE(error));
}

/* Refuse the call if its argument is one of these values. */
static void
put_values(struct filter *f, int nr, unsigned arg, const uint32_t *values, unsigned n)
{
	put(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0, 3 + n);
	put_load_arg(f, arg);
	for (unsigned i = 0; i < n; i++)
		put(f, BPF_JMP | BPF_JEQ | BPF_K, values[i], n - i, 0);
	put_return(f, SECCOMP_RET_ALLOW);
	put_return(f, REFUSE(EPERM));
}

#if !CR_SANITIZED
/* Allow new threads, but no processes and no namespaces. */
static void
put_threads(struct filter *f)
{
	const uint32_t spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
				CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
#ifdef __s390x__
	const unsigned flags = 1;
#else
	const unsigned flags = 0;
#endif

	put(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 5);
	put_load_arg(f, flags);
	put(f, BPF_JMP | BPF_JSET | BPF_K, spaces, 2, 0);
	put(f, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
	put_return(f, SECCOMP_RET_ALLOW);
	put_return(f, REFUSE(EPERM));
	/*
	 * Its flags are in memory, which a filter cannot read. On ENOSYS the C library uses clone()
	 * instead.
	 */
	put_refusal(f, NR_clone3, ENOSYS);
}
#endif

/*
 * Allow signals to this process and to its group, as ^Z stops a whole job. Signal 0 only asks
 * whether a process exists.
 */
static void
put_signals(struct filter *f)
{
	const uint32_t self = (uint32_t)getpid();

	put(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 0, 7);
	put_load_arg(f, 1);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
	put_load_arg(f, 0);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, self, 0, 1);
	put_return(f, SECCOMP_RET_ALLOW);
	put_return(f, REFUSE(EPERM));
	put(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4);
	put_load_arg(f, 0);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, self, 0, 1);
	put_return(f, SECCOMP_RET_ALLOW);
	put_return(f, REFUSE(EPERM));
}

static void
put_sockets(struct filter *f)
{
	for (size_t i = 0; i < CR_LEN(sockets); i++)
		put_refusal(f, sockets[i], EPERM);
#ifdef SYS_socketcall
	/* socket, bind, connect, listen, accept, socketpair and accept4, see linux/net.h */
	put_values(f, SYS_socketcall, 0, (const uint32_t[]){1, 2, 3, 4, 5, 8, 18}, 7);
#endif
}

bool
cr_confine_calls(unsigned allow)
{
	struct filter f = {.n = 0};
	struct sock_fprog program;

	put_load(&f, offsetof(struct seccomp_data, arch));
	put(&f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	put_return(&f, SECCOMP_RET_KILL_PROCESS);
	put_load(&f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	put(&f, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	put_return(&f, SECCOMP_RET_KILL_PROCESS);
#endif
	for (size_t i = 0; i < CR_LEN(refused); i++)
		put_refusal(&f, refused[i], EPERM);
	if (!(allow & CR_CONFINE_NETWORK))
		put_sockets(&f);
	/* Refuse to insert input into the terminal. */
	put_values(&f, SYS_ioctl, 1, (const uint32_t[]){TIOCSTI, 0x541c /* TIOCLINUX */}, 2);
#if !CR_SANITIZED
	put_threads(&f);
#endif
	put_signals(&f);
	put_return(&f, SECCOMP_RET_ALLOW);
	program = (struct sock_fprog){f.n, f.steps};
	if (f.n >= MOST_STEPS || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0)
		return false;
	confined |= CR_CONFINED_CALLS;
	return true;
}

#else

bool
cr_confine_calls(unsigned allow)
{
	(void)allow;
	return false;
}
#endif
