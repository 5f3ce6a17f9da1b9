#include "cresset/bytes/source.h"

#include "cresset/base/hash.h"
#include "cresset/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP ((size_t)1 << 20)

struct cr_source {
	unsigned char *p;
	size_t len;
	size_t mapped_bytes; /* 0: p is from the heap */
	int slot;            /* in guards; -1 for none */
	bool is_file;
	uint64_t identity;
	int64_t mtime;
};

/*
 * The one place with state of the process: a signal handler has no other way to know which
 * addresses are ours. Touching a page of a mapping behind the file's present end raises SIGBUS;
 * the handler puts a page of zeros there and marks the slot, every other SIGBUS takes its course.
 */
static struct guard {
	_Atomic uintptr_t start;
	_Atomic size_t len;
	_Atomic bool hit;
} guards[16];

static void
on_sigbus(int sig, siginfo_t *info, void *context)
{
	const uintptr_t at = (uintptr_t)info->si_addr;
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)context;
	for (size_t i = 0; i < CR_LEN(guards); i++) {
		const uintptr_t start = guards[i].start;

		if (!start || at < start || at - start >= guards[i].len)
			continue;
		guards[i].hit = true;
		if (mmap((void *)(at & ~(page - 1)), page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			 -1, 0) != MAP_FAILED)
			return;
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static int
guard_take(const void *p, size_t len)
{
	struct sigaction sa = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER};

	for (size_t i = 0; i < CR_LEN(guards); i++) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&guards[i].start, &none, (uintptr_t)p))
			continue;
		guards[i].hit = false;
		guards[i].len = len;
		sigemptyset(&sa.sa_mask);
		sigaction(SIGBUS, &sa, NULL);
		return (int)i;
	}
	return -1;
}

/* A regular file as a mapping; -1 when it cannot be had so, and has to be read. */
static int
source_map(struct cr_source *s, int fd, const struct stat *st)
{
	const struct { uint64_t dev, ino, size, sec, nsec; } key = {
		(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
		(uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec,
	};
	void *p;

	s->is_file = true;
	s->identity = cr_hash(&key, sizeof(key));
	s->mtime = st->st_mtim.tv_sec;
	if (st->st_size == 0) /* or of /proc, where sizes are not known before */
		return -1;
	p = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	s->p = p;
	s->len = s->mapped_bytes = (size_t)st->st_size;
	s->slot = guard_take(p, s->len);
	return 0;
}

static int
source_slurp(struct cr_source *s, int fd, uint64_t max_bytes, struct cr_err *err)
{
	size_t cap = 0;

	for (;;) {
		ssize_t n;

		if (s->len == cap) {
			unsigned char *p = realloc(s->p, cap = cap ? cap * 2 : READ_STEP);

			if (!p)
				return cr_fail(err, CR_EMEM, s->len, "no memory for more of it");
			s->p = p;
		}
		n = read(fd, s->p + s->len, CR_MIN(cap - s->len, READ_STEP));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cr_fail_errno(err, CR_EIO, "cannot read");
		if (n == 0)
			break;
		s->len += (size_t)n;
		if (s->len > max_bytes)
			return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "more than %llu bytes through a pipe",
				       (unsigned long long)max_bytes);
	}
	if (!s->identity)
		s->identity = cr_hash(s->p, s->len);
	return CR_OK;
}

static int
source_read(struct cr_source *s, int fd, uint64_t max_bytes, struct cr_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot open");
	if (S_ISDIR(st.st_mode))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "is a directory");
	if (S_ISREG(st.st_mode) && source_map(s, fd, &st) == 0)
		return CR_OK;
	return source_slurp(s, fd, max_bytes, err);
}

int
cr_source_open_fd(int fd, uint64_t max_bytes, struct cr_source **out, struct cr_err *err)
{
	struct cr_source *s = cr_alloc(1, sizeof(*s));
	int rc;

	*out = NULL;
	s->slot = -1;
	rc = source_read(s, fd, max_bytes, err);
	if (rc < 0)
		cr_source_close(s);
	else
		*out = s;
	return rc;
}

int
cr_source_open(const char *path, uint64_t max_bytes, struct cr_source **out, struct cr_err *err)
{
	int fd, rc;

	*out = NULL;
	if (strcmp(path, "-") == 0)
		return cr_source_open_fd(STDIN_FILENO, max_bytes, out, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return cr_fail_errno(err, errno == ENOENT ? CR_ENOTFOUND : CR_EIO, "cannot open");
	rc = cr_source_open_fd(fd, max_bytes, out, err);
	close(fd);
	return rc;
}

void
cr_source_close(struct cr_source *s)
{
	if (!s)
		return;
	if (s->slot >= 0)
		guards[s->slot].start = 0;
	if (s->mapped_bytes)
		munmap(s->p, s->mapped_bytes);
	else
		free(s->p);
	free(s);
}

const unsigned char *
cr_source_bytes(const struct cr_source *s)
{
	return s->p ? s->p : (const unsigned char *)"";
}

size_t
cr_source_len(const struct cr_source *s)
{
	return s->len;
}

bool
cr_source_is_file(const struct cr_source *s)
{
	return s->is_file;
}

bool
cr_source_damaged(const struct cr_source *s)
{
	return s->slot >= 0 && guards[s->slot].hit;
}

uint64_t
cr_source_identity(const struct cr_source *s)
{
	return s->identity;
}

int64_t
cr_source_mtime(const struct cr_source *s)
{
	return s->mtime;
}
