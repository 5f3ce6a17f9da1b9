#ifndef CR_BASE_CONFINE_H
#define CR_BASE_CONFINE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The kernel is asked to refuse this process what it has no use for: Landlock confines it to some
 * files and directories, a seccomp filter refuses system calls. Neither can be undone. Both hold
 * for threads that are started later, so the process must have one thread when it asks. A kernel
 * without them confines nothing; that is no error.
 *
 * Descriptors that are open stay usable. Landlock checks a file when it is opened, made, renamed or
 * removed; stat(), access() and realpath() work everywhere.
 */

/* ---- files */

enum cr_confine_access {
	CR_CONFINE_READ = 1,   /* read files, list directories */
	CR_CONFINE_WRITE = 2,  /* write, make, rename and remove regular files and directories */
	CR_CONFINE_LIST = 4,   /* list directories */
	CR_CONFINE_DEVICE = 8, /* ioctl() of devices */
	CR_CONFINE_FILE = 16,  /* the path is no directory: spares a system call */
};

/* What will be allowed; all zero bytes is empty and closed. */
struct cr_confine {
	int rules;        /* the descriptor of Landlock's ruleset; -1 without Landlock */
	uint64_t handled; /* the rights of files that the kernel's Landlock knows */
};

/* The version of the kernel's Landlock interface, 1 or more; 0 without Landlock. */
int cr_confine_landlock(void);

/*
 * version: of the interface that is used, at most cr_confine_landlock(). With 0 nothing will be
 * confined.
 */
void cr_confine_open(struct cr_confine *c, int version);

/*
 * Allow access (bits) to a file, or to all that is below a directory. A path that leads nowhere is
 * passed over. The path may be a link: what counts is where it leads to now.
 */
void cr_confine_allow(struct cr_confine *c, const char *path, unsigned access);

/*
 * From here on only what was allowed can be opened. Network connections over TCP and abstract
 * sockets are refused too where the kernel's Landlock can do that. Closes c. False when nothing is
 * confined.
 */
bool cr_confine_files(struct cr_confine *c);

/* ---- system calls */

enum cr_confine_calls {
	CR_CONFINE_NETWORK = 1, /* sockets may be made and connected */
};

/*
 * Refuse, with EPERM: to start programs and processes, to make sockets, to trace and to signal
 * others, to mount, to load code into the kernel, namespaces, keys, BPF, io_uring, userfaultfd,
 * other users' identities, and changes of owner and mode by path. A call of another architecture
 * ends the program. allow is bits. False when nothing is confined.
 */
bool cr_confine_calls(unsigned allow);

/* ---- what is confined now */

enum cr_confined {
	CR_CONFINED_FILES = 1,
	CR_CONFINED_CALLS = 2,
};

/*
 * What of this process is confined: bits. Only what was asked for here counts, not what a container
 * does.
 */
unsigned cr_confined(void);

/*
 * After a failure to open or to make the file at path: if errno, which is kept, is EACCES, and
 * without confinement it would not have been (mode is as for access()), append to the message that
 * --no-sandbox allows it.
 */
void cr_confine_report(struct cr_err *err, const char *path, int mode);

#endif
