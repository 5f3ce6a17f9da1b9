#include "bytes/source.h"

#include "base/cleanup.h"
#include "base/confine.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "feed_p.h"
#include "spool_p.h"
#include "unpack_p.h"
#include "utf16_p.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SETTLE_MS_MOST 20
/* Of a pipe, at the start and at the end: part of its identity. */
#define ENDS_BYTES ((size_t)1 << 20)

struct cr_source {
	unsigned char *p;
	size_t len;     /* size of the mapping; p is NULL if it is 0 */
	bool in_file;   /* mapped from a file, so pages can be dropped */
	bool as_it_was; /* nobody has checked yet whether the file is packed */
	bool is_file;
	int slot; /* index in guards; -1 if none */
	uint64_t identity;
	struct stat st; /* of a file */
	struct cr_access access;
	struct cr_err damage; /* of unpacking; code 0 if none */
	/* Number of invalid characters replaced during the conversion to UTF-8. */
	uint64_t replaced;
};

/*
 * State of the process, because a signal handler cannot know otherwise which addresses are ours.
 * Access to a page beyond the present end of a mapped file raises SIGBUS. The handler maps a page
 * of zeros there and marks the entry. Every other SIGBUS goes to the handler that was there before.
 */
static struct guard {
	_Atomic uintptr_t start;
	_Atomic size_t len;
	_Atomic bool hit;
} guards[1024]; /* a recording may have one file for each processor */

static struct sigaction before; /* what SIGBUS did until the first file was mapped */
static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;

/* Not for us. Without another handler the process ends, after its files are cleaned up. */
static void
pass_on(int sig, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(sig, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(sig);
	else
		cr_cleanup_die(sig);
}

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
		if (mmap((void *)(at & ~(page - 1)), page, PROT_READ,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
			return;
	}
	pass_on(sig, info, context);
}

/* Take over SIGBUS, unless it is ours already. */
static void
take_sigbus(void)
{
	struct sigaction sa = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER}, now;

	sigemptyset(&sa.sa_mask);
	pthread_mutex_lock(&taking);
	if (sigaction(SIGBUS, NULL, &now) == 0 &&
		!((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_sigbus)) {
		before = now;
		sigaction(SIGBUS, &sa, NULL);
	}
	pthread_mutex_unlock(&taking);
}

static int
guard_take(const void *p, size_t len)
{
	for (size_t i = 0; i < CR_LEN(guards); i++) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&guards[i].start, &none, (uintptr_t)p))
			continue;
		guards[i].hit = false;
		guards[i].len = len;
		take_sigbus();
		return (int)i;
	}
	return -1;
}

/*
 * Map a regular file. Returns -1 if that is impossible and it has to be read, also if no guard is
 * free: then truncation of the file would kill the program.
 */
static int
source_map(struct cr_source *s, int fd, const struct stat *st)
{
	const struct {
		uint64_t dev, ino, size, sec, nsec, change_sec, change_nsec;
	} key = {
		(uint64_t)st->st_dev,
		(uint64_t)st->st_ino,
		(uint64_t)st->st_size,
		(uint64_t)st->st_mtim.tv_sec,
		(uint64_t)st->st_mtim.tv_nsec,
		(uint64_t)st->st_ctim.tv_sec,
		(uint64_t)st->st_ctim.tv_nsec,
	};
	void *p;

	s->is_file = true;
	s->identity = cr_digest(&key, sizeof(key));
	s->st = *st;
	s->access = cr_access_of(fd, st);
	if (st->st_size == 0) /* or a file of /proc, whose size is unknown */
		return -1;
	if ((off_t)(size_t)st->st_size != st->st_size) /* larger than the address space */
		return -1;
	p = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	s->slot = guard_take(p, (size_t)st->st_size);
	if (s->slot < 0) {
		munmap(p, (size_t)st->st_size);
		return -1;
	}
	s->p = p;
	s->len = (size_t)st->st_size;
	s->in_file = s->as_it_was = true;
	return 0;
}

static const struct cr_err cut = {CR_ETRUNC, CR_NO_OFFSET, "truncated while it was read"};

static bool
source_was_cut(const struct cr_source *s)
{
	return s->slot >= 0 && guards[s->slot].hit;
}

static void
source_unmap(struct cr_source *s)
{
	if (s->slot >= 0)
		guards[s->slot].start = 0;
	if (s->p)
		munmap(s->p, s->len);
	s->slot = -1;
	s->p = NULL;
	s->len = 0;
}

/* Replace the bytes of s by those of the spool. */
static int
source_replace_bytes(struct cr_source *s, struct cr_spool *spool, struct cr_err *err)
{
	struct cr_spooled all;
	const int rc = cr_spool_finish(spool, &all, err);

	if (rc < 0)
		return rc;
	if (source_was_cut(s))
		s->damage = cut;
	source_unmap(s);
	s->p = all.p;
	s->len = all.len;
	s->in_file = all.in_file;
	s->as_it_was = false;
	return CR_OK;
}

/* Convert UTF-16 text to UTF-8; leave everything else unchanged. */
static int
source_recode(struct cr_source *s, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_err *err)
{
	struct cr_spool spool = CR_SPOOL_INIT;
	struct cr_feed feed;
	bool big;
	int rc;

	if (!cr_utf16_is(s->p, s->len, &big))
		return CR_OK;
	cr_feed_init(&feed, s->p, s->len);
	feed.mapped = s->in_file;
	rc = cr_unpack_utf16(&feed, big, &spool, max_bytes, progress, &s->replaced, err);
	if (rc == CR_OK)
		rc = source_replace_bytes(s, &spool, err);
	cr_feed_fini(&feed);
	cr_spool_fini(&spool);
	return rc;
}

/* Replace the bytes of s by those of the feed, unpacked if they are packed. */
static int
source_read_feed(struct cr_source *s, struct cr_feed *f, uint64_t max_bytes,
	const struct cr_progress *progress, struct cr_err *err)
{
	struct cr_spool spool = CR_SPOOL_INIT;
	int rc = cr_unpack(f, &spool, max_bytes, progress, &s->damage, err);

	if (rc == CR_OK)
		rc = source_replace_bytes(s, &spool, err);
	cr_spool_fini(&spool);
	return rc == CR_OK ? source_recode(s, max_bytes, progress, err) : rc;
}

static uint64_t
pipe_identity(const struct cr_source *s)
{
	const size_t n = CR_MIN(s->len, ENDS_BYTES);
	const unsigned char *p = cr_source_bytes(s);

	return cr_digest_mix(cr_digest_mix(s->len, cr_digest(p, n)), cr_digest(p + s->len - n, n));
}

static int
source_slurp(struct cr_source *s, int fd, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_err *err)
{
	struct cr_feed feed;
	int rc;

	cr_feed_init_fd(&feed, fd, progress);
	rc = source_read_feed(s, &feed, max_bytes, progress, err);
	cr_feed_fini(&feed);
	if (rc == CR_OK && !s->is_file)
		s->identity = pipe_identity(s);
	return rc;
}

static int
source_read(struct cr_source *s, int fd, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot open");
	if (S_ISDIR(st.st_mode))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "is a directory");
	if (S_ISREG(st.st_mode) && source_map(s, fd, &st) == 0)
		return CR_OK;
	return source_slurp(s, fd, max_bytes, progress, err);
}

static int
source_start(int fd, uint64_t max_bytes, const struct cr_progress *progress, struct cr_source **out,
	struct cr_err *err)
{
	struct cr_source *s = cr_alloc(1, sizeof(*s));
	int rc;

	*out = NULL;
	s->slot = -1;
	rc = source_read(s, fd, max_bytes, progress, err);
	if (rc < 0)
		cr_source_close(s);
	else
		*out = s;
	return rc;
}

int
cr_source_unpack(struct cr_source *s, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_err *err)
{
	struct cr_feed feed;
	int rc;

	if (!s->as_it_was)
		return CR_OK;
	if (!cr_unpack_is(s->p, s->len))
		return source_recode(s, max_bytes, progress, err);
	cr_feed_init(&feed, s->p, s->len);
	feed.mapped = s->in_file;
	rc = source_read_feed(s, &feed, max_bytes, progress, err);
	cr_feed_fini(&feed);
	return rc;
}

/* The first n bytes of this, as UTF-8. */
static size_t
peek_text(const unsigned char *p, size_t len, unsigned char *out, size_t n)
{
	struct cr_utf16 utf16 = {0};
	size_t took;

	if (cr_utf16_is(p, len, &utf16.big))
		return cr_utf16_step(
			&utf16, p + CR_UTF16_MARK, len - CR_UTF16_MARK, false, out, n, &took);
	n = CR_MIN(n, len);
	if (n)
		memcpy(out, p, n);
	return n;
}

size_t
cr_source_peek(const struct cr_source *s, unsigned char *out, size_t n)
{
	struct cr_err ignored = CR_ERR_INIT, damage = CR_ERR_INIT;
	struct cr_spool spool = CR_SPOOL_INIT;
	struct cr_feed feed;

	if (!s->as_it_was || !cr_unpack_is(s->p, s->len))
		return peek_text(cr_source_bytes(s), s->len, out, n);
	cr_feed_init(&feed, s->p, s->len);
	cr_unpack(&feed, &spool, n, NULL, &damage, &ignored); /* stops at the limit */
	n = peek_text(spool.p, spool.held, out, n);
	cr_feed_fini(&feed);
	cr_spool_fini(&spool);
	return n;
}

/* Do the second step if the first one succeeded. */
static int
source_finish(int rc, uint64_t max_bytes, struct cr_source **s, struct cr_err *err)
{
	if (rc == CR_OK && (rc = cr_source_unpack(*s, max_bytes, NULL, err)) < 0) {
		cr_source_close(*s);
		*s = NULL;
	}
	return rc;
}

int
cr_source_open_fd(int fd, uint64_t max_bytes, struct cr_source **out, struct cr_err *err)
{
	return source_finish(source_start(fd, max_bytes, NULL, out, err), max_bytes, out, err);
}

int
cr_source_open_memory(
	const void *p, size_t len, uint64_t max_bytes, struct cr_source **out, struct cr_err *err)
{
	struct cr_source *s = cr_alloc(1, sizeof(*s));
	struct cr_feed feed;
	int rc;

	s->slot = -1;
	cr_feed_init(&feed, p, len);
	rc = source_read_feed(s, &feed, max_bytes, NULL, err);
	cr_feed_fini(&feed);
	if (rc < 0) {
		cr_source_close(s);
		s = NULL;
	}
	*out = s;
	return rc;
}

int
cr_source_open(const char *path, uint64_t max_bytes, struct cr_source **out, struct cr_err *err)
{
	return source_finish(
		cr_source_open_packed(path, max_bytes, NULL, out, err), max_bytes, out, err);
}

int
cr_source_open_packed_fd(int fd, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_source **out, struct cr_err *err)
{
	*out = NULL;
	return source_start(fd, max_bytes, progress, out, err);
}

int
cr_source_open_packed(const char *path, uint64_t max_bytes, const struct cr_progress *progress,
	struct cr_source **out, struct cr_err *err)
{
	int fd, rc;

	*out = NULL;
	if (strcmp(path, "-") == 0)
		return source_start(STDIN_FILENO, max_bytes, progress, out, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		rc = cr_fail_errno(err, errno == ENOENT ? CR_ENOTFOUND : CR_EIO, "cannot open");
		cr_confine_report(err, path, R_OK);
		return rc;
	}
	rc = source_start(fd, max_bytes, progress, out, err);
	close(fd);
	return rc;
}

void
cr_source_close(struct cr_source *s)
{
	if (!s)
		return;
	source_unmap(s);
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

const struct cr_err *
cr_source_damage(const struct cr_source *s)
{
	if (source_was_cut(s))
		return &cut;
	return s->damage.code ? &s->damage : NULL;
}

uint64_t
cr_source_replaced(const struct cr_source *s)
{
	return s->replaced;
}

void
cr_source_expect(const struct cr_source *s, uint64_t from, uint64_t to)
{
	if (s->in_file)
		cr_mapping_expect(s->p, CR_MIN(from, s->len), CR_MIN(to, s->len));
}

void
cr_source_done(struct cr_source *s, uint64_t from, uint64_t to)
{
	if (s->in_file)
		cr_mapping_done(s->p, CR_MIN(from, s->len), CR_MIN(to, s->len));
}

uint64_t
cr_source_identity(const struct cr_source *s)
{
	return s->identity;
}

void
cr_source_stamp(const struct cr_source *s, struct cr_text *out)
{
	const struct stat *st = &s->st;

	cr_text_printf(out, "%llx-%llx-%llx-%llx.%lx-%llx.%lx", (unsigned long long)st->st_dev,
		(unsigned long long)st->st_ino, (unsigned long long)st->st_size,
		(unsigned long long)st->st_mtim.tv_sec, (unsigned long)st->st_mtim.tv_nsec,
		(unsigned long long)st->st_ctim.tv_sec, (unsigned long)st->st_ctim.tv_nsec);
}

/* File times advance in steps of CLOCK_REALTIME_COARSE, 1 to 10 ms. */
void
cr_source_wait_for_clock(const struct cr_source *s)
{
	const struct timespec *changed = &s->st.st_ctim;
	const struct timespec ms = {0, 1000000};

	for (int tries = 0; tries < SETTLE_MS_MOST && s->is_file; tries++) {
		struct timespec now;

		clock_gettime(CLOCK_REALTIME_COARSE, &now);
		if (now.tv_sec > changed->tv_sec ||
			(now.tv_sec == changed->tv_sec && now.tv_nsec > changed->tv_nsec))
			return;
		nanosleep(&ms, NULL);
	}
}

bool
cr_source_owner(const struct cr_source *s, uint32_t *uid)
{
	*uid = s->st.st_uid;
	return s->is_file;
}

struct cr_access
cr_source_access(const struct cr_source *s)
{
	return s->access;
}

int64_t
cr_source_mtime(const struct cr_source *s)
{
	return s->st.st_mtim.tv_sec;
}
