#ifndef CR_BASE_CONFINE_H
#define CR_BASE_CONFINE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Sandbox of the process. Landlock limits access to some files and directories; a seccomp filter
 * refuses system calls. Neither can be undone. Threads inherit both only if they start later, so
 * call these functions while the process has one thread. A kernel without these features confines
 * nothing, which is not an error.
 *
 * Open descriptors stay usable. Landlock checks a file when it is opened, created, renamed or
 * removed; stat(), access() and realpath() work everywhere.
 */

/* ---- files */

enum cr_confine_access {
	CR_CONFINE_READ = 1,   /* read files, list directories */
	CR_CONFINE_WRITE = 2,  /* write, create, rename and remove regular files and directories */
	CR_CONFINE_LIST = 4,   /* list directories */
	CR_CONFINE_DEVICE = 8, /* ioctl() on devices */
	CR_CONFINE_FILE = 16,  /* the path is not a directory; saves a system call */
};

/* The access that will be allowed. All zero bytes is an empty, closed set. */
struct cr_confine {
	int rules;        /* descriptor of the Landlock ruleset; -1 without Landlock */
	uint64_t handled; /* file access rights that the kernel's Landlock supports */
};

/* Version of the kernel's Landlock interface, 1 or more; 0 without Landlock. */
int cr_confine_landlock(void);

/*
 * Begin a set. version: the interface version to use, at most cr_confine_landlock(); 0 means that
 * nothing will be confined.
 */
void cr_confine_open(struct cr_confine *c, int version);

/*
 * Allow access (bits of enum cr_confine_access) to a file, or to everything below a directory. A
 * missing path is skipped. A symbolic link is resolved now.
 */
void cr_confine_allow(struct cr_confine *c, const char *path, unsigned access);

/*
 * Refuse to open anything that was not allowed, from now on. If the kernel's Landlock supports it,
 * TCP connections and abstract sockets are refused too. Closes c. Returns false if nothing is
 * confined.
 */
bool cr_confine_files(struct cr_confine *c);

/* ---- system calls */

enum cr_confine_calls {
	CR_CONFINE_NETWORK = 1, /* creating and connecting sockets */
};

/*
 * Refuse with EPERM: starting programs and processes, creating sockets, tracing and signalling
 * other processes, mounting, loading kernel code, namespaces, keys, BPF, io_uring, userfaultfd,
 * changing the user identity, changing owner or mode by path. A system call of another architecture
 * kills the program. allow: bits of enum cr_confine_calls. Returns false if nothing is confined.
 */
bool cr_confine_calls(unsigned allow);

/* ---- what is confined now */

enum cr_confined {
	CR_CONFINED_FILES = 1,
	CR_CONFINED_CALLS = 2,
};

/*
 * What this process confined itself: bits of enum cr_confined. Limits set by a container do not
 * count.
 */
unsigned cr_confined(void);

/*
 * Call this after opening or creating the file at path failed, with errno unchanged (it is kept).
 * If errno is EACCES and the sandbox is the cause, it appends to the message that --no-sandbox
 * allows the access. mode: as for access().
 */
void cr_confine_report(struct cr_err *err, const char *path, int mode);

#endif
