#include "file_lock_p.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/text.h"
#include "bytes/scan.h"
#include "store/store.h"

#define SUFFIX CR_STORE_SUFFIX ".lock"
#define WAIT_SECONDS 30
#define ORPHAN_SECONDS (10 * 60)
#define TEXT_MAX 64

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int64_t
wait_ms(void)
{
	const char *setting = getenv("CRESSET_LOCK_SECONDS");
	uint64_t seconds;

	if (setting && cr_scan_u64(cr_str_of(setting), &seconds) && seconds <= 1000000)
		return (int64_t)seconds * 1000;
	return WAIT_SECONDS * 1000;
}

/* True if path is still this file. Its previous holder may have removed it. */
static bool
is_at(int dir, const char *path, int fd)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && fstatat(dir, path, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* On a file system without locks every attempt succeeds. */
static bool
try_lock(int fd)
{
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EINTR)
			continue;
		return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP;
	}
	return true;
}

/* Write process and user into the file, since another user's killed process may have left it. */
static void
sign(int fd)
{
	char text[TEXT_MAX];
	const int len =
		snprintf(text, sizeof(text), "%ld %lu\n", (long)getpid(), (unsigned long)geteuid());

	/*
	 * It may be longer, left by another process, and the disk may be full. It only serves error
	 * messages.
	 */
	if (ftruncate(fd, 0) < 0 || pwrite(fd, text, (size_t)len, 0) != len)
		return;
}

/*
 * Another user may have put something else there, such as a hard link to a file of root. Write only
 * to what can be a lock file.
 */
static bool
can_be_lock(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	       st.st_size < TEXT_MAX;
}

enum attempt { HELD, BUSY, NONE };

/*
 * Open an existing file without O_CREAT: in a sticky directory O_CREAT is refused, even for root,
 * if the file belongs to another user.
 */
static enum attempt
attempt(struct cr_file_lock *lock)
{
	bool made = false;
	struct stat st;

	lock->fd = open(lock->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (lock->fd < 0 && errno == ENOENT) {
		lock->fd =
			cr_cleanup_create(lock->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		made = lock->fd >= 0;
	}
	if (lock->fd < 0)
		return errno == EEXIST || lstat(lock->path, &st) == 0 ? BUSY : NONE;
	if (can_be_lock(lock->fd) && try_lock(lock->fd) && is_at(AT_FDCWD, lock->path, lock->fd)) {
		if (!made)
			cr_cleanup_name(lock->path);
		return HELD;
	}
	if (made)
		cr_cleanup_forget(lock->path);
	close(lock->fd);
	lock->fd = -1;
	return BUSY;
}

/*
 * In a directory shared by users, a killed process of another user may have left a file that only
 * that user can open.
 */
static bool
is_orphan(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && access(path, R_OK | W_OK) < 0 && errno == EACCES &&
	       time(NULL) - st.st_mtime > ORPHAN_SECONDS;
}

/*
 * Append "process 123 of user 1000 since 12:00:01 UTC", without the process if the lock cannot be
 * read.
 */
static void
put_holder(const char *path, struct cr_text *t)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char text[TEXT_MAX] = "";
	const ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	unsigned long pid, uid;
	struct stat st;
	struct tm tm;

	if (fd >= 0)
		close(fd);
	if (lstat(path, &st) < 0) { /* just released */
		cr_text_puts(t, "another process");
		return;
	}
	if (n > 0 && sscanf(text, "%10lu %10lu", &pid, &uid) == 2)
		cr_text_printf(t, "process %lu of user %lu", pid, uid);
	else
		cr_text_printf(t, "another process of user %lu", (unsigned long)st.st_uid);
	if (gmtime_r(&st.st_mtime, &tm) && strftime(text, sizeof(text), "%H:%M:%S UTC", &tm))
		cr_text_printf(t, " since %s", text);
}

static int
fail_locked(const char *path, struct cr_err *err)
{
	struct cr_text who = {0};

	put_holder(path, &who);
	cr_fail(err, CR_ELOCKED, CR_NO_OFFSET, "locked by %s: %s", who.p, path);
	cr_text_fini(&who);
	return err->code;
}

int
cr_file_lock_open(const char *path, struct cr_file_lock *lock, struct cr_err *err)
{
	const int64_t until = now_ms() + wait_ms();
	struct timespec pause = {0, 1000000};
	struct cr_text t = {0};

	cr_text_puts(&t, path);
	cr_text_puts(&t, ".lock");
	*lock = (struct cr_file_lock){.path = t.p, .fd = -1};
	for (;;) {
		const enum attempt got = attempt(lock);

		if (got == HELD) {
			sign(lock->fd);
			return CR_OK;
		}
		if (got == NONE) {
			cr_file_lock_close(lock);
			return CR_OK;
		}
		if (is_orphan(lock->path) && unlink(lock->path) == 0)
			continue;
		if (now_ms() >= until)
			break;
		nanosleep(&pause, NULL);
		pause.tv_nsec = CR_MIN(pause.tv_nsec * 2, 50000000L);
	}
	fail_locked(lock->path, err);
	cr_file_lock_close(lock);
	return err->code;
}

int
cr_file_lock_open_two(const char *a, const char *b, struct cr_file_lock lock[2], struct cr_err *err)
{
	const int order = strcmp(a, b);
	int rc;

	lock[0] = lock[1] = (struct cr_file_lock){.fd = -1};
	if ((rc = cr_file_lock_open(order <= 0 ? a : b, &lock[0], err)) < 0 || order == 0)
		return rc;
	if ((rc = cr_file_lock_open(order <= 0 ? b : a, &lock[1], err)) < 0)
		cr_file_lock_close(&lock[0]);
	return rc;
}

void
cr_file_lock_close(struct cr_file_lock *lock)
{
	if (lock->fd >= 0) {
		/* While the lock is held: the next process creates its own file. */
		unlink(lock->path);
		cr_cleanup_forget(lock->path);
		close(lock->fd);
	}
	free(lock->path);
	*lock = (struct cr_file_lock){.fd = -1};
}

int
cr_file_lock_commit(struct cr_atomic_file *f, struct cr_err *err)
{
	struct cr_file_lock lock;
	int rc = cr_file_lock_open(f->path, &lock, err);

	if (rc < 0)
		return rc;
	rc = cr_atomic_commit(f, CR_ATOMIC_REPLACE, err);
	cr_file_lock_close(&lock);
	return rc;
}

bool
cr_file_lock_is(const char *file)
{
	const size_t len = strlen(file);

	return len > strlen(SUFFIX) && strcmp(file + len - strlen(SUFFIX), SUFFIX) == 0;
}

void
cr_file_lock_sweep(int dir, const char *file)
{
	const int fd = openat(dir, file, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		is_at(dir, file, fd))
		unlinkat(dir, file, 0);
	close(fd);
}
