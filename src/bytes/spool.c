#include "spool_p.h"

#include "base/mem.h"
#include "base/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)1 << 20) /* initial memory; it doubles each time */
#define PIECE_BYTES ((size_t)1 << 20) /* amount collected for one write to the file */

/*
 * Memory is mapped, not allocated: growing then moves pages instead of copying, and freed pages
 * leave the process.
 */
static bool
memory_resize(struct cr_spool *s, uint64_t cap)
{
	void *p;

	if (cap > SIZE_MAX / 2)
		return false;
	if (!s->p)
		p = mmap(NULL, (size_t)cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	else
		p = mremap(s->p, s->cap, (size_t)cap, MREMAP_MAYMOVE);
	if (p == MAP_FAILED)
		return false;
	s->p = p;
	s->cap = (size_t)cap;
	return true;
}

static bool
memory_grow(struct cr_spool *s)
{
	const uint64_t most = s->no_file ? s->memory_most : s->file_from;

	return s->cap < most &&
	       memory_resize(s, CR_MIN(CR_MAX((uint64_t)s->cap * 2, FIRST_BYTES), most));
}

static void
file_drop(struct cr_spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	s->filed = 0;
}

/*
 * Append the bytes in memory to the file. Returns false, with nothing changed, if the file cannot
 * take them all.
 */
static bool
file_append(struct cr_spool *s)
{
	size_t done = 0;

	while (done < s->held) {
		const ssize_t n =
			pwrite(s->fd, s->p + done, s->held - done, (off_t)(s->filed + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			s->no_file = n < 0 ? errno : ENOSPC;
			return false;
		}
		done += (size_t)n;
	}
	s->filed += s->held;
	s->held = 0;
	return true;
}

/* Move the bytes from memory to a file; the memory becomes the write buffer. */
static bool
file_start(struct cr_spool *s)
{
	s->fd = cr_temp_file();
	if (s->fd < 0)
		s->no_file = errno;
	if (s->fd >= 0 && file_append(s)) {
		if (s->cap > PIECE_BYTES)
			memory_resize(s, PIECE_BYTES);
		return s->cap > 0 || memory_resize(s, PIECE_BYTES);
	}
	file_drop(s);
	return false;
}

static bool
file_read(const struct cr_spool *s, unsigned char *out)
{
	uint64_t done = 0;

	while (done < s->filed) {
		const ssize_t n = pread(s->fd, out + done, (size_t)(s->filed - done), (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (uint64_t)n;
	}
	return true;
}

/* Move the bytes of a full file back to memory, if there is enough. */
static bool
file_give_up(struct cr_spool *s)
{
	const uint64_t len = cr_spool_len(s);
	struct cr_spool back = {.file_from = s->file_from,
		.memory_most = s->memory_most,
		.fd = -1,
		.no_file = s->no_file};

	if (len >= s->memory_most || !memory_resize(&back, CR_MIN(len * 2, s->memory_most)))
		return false;
	if (!file_read(s, back.p)) {
		cr_spool_fini(&back);
		return false;
	}
	memcpy(back.p + s->filed, s->p, s->held);
	back.held = (size_t)len;
	cr_spool_fini(s);
	*s = back;
	return true;
}

static bool
room_make(struct cr_spool *s)
{
	if (s->fd >= 0)
		return file_append(s) || file_give_up(s);
	if (memory_grow(s))
		return true;
	return !s->no_file && (file_start(s) || memory_grow(s));
}

static int
spool_fail(const struct cr_spool *s, struct cr_err *err)
{
	errno = s->no_file ? s->no_file : ENOMEM;
	return cr_fail_errno(err, CR_EMEM,
		"no room for more than %llu bytes of it, in memory or in a file (see TMPDIR)",
		(unsigned long long)cr_spool_len(s));
}

unsigned char *
cr_spool_room(struct cr_spool *s, size_t *room, struct cr_err *err)
{
	if (s->held == s->cap && !room_make(s)) {
		spool_fail(s, err);
		return NULL;
	}
	*room = s->cap - s->held;
	return s->p + s->held;
}

void
cr_spool_took(struct cr_spool *s, size_t n)
{
	s->held += n;
}

int
cr_spool_finish(struct cr_spool *s, struct cr_spooled *out, struct cr_err *err)
{
	int rc = CR_OK;

	*out = (struct cr_spooled){0};
	if (s->fd >= 0 && !file_append(s) && !file_give_up(s)) {
		rc = spool_fail(s, err);
	} else if (s->fd >= 0) {
		void *p = s->filed > SIZE_MAX / 2
				  ? MAP_FAILED
				  : mmap(NULL, (size_t)s->filed, PROT_READ, MAP_PRIVATE, s->fd, 0);

		if (p == MAP_FAILED)
			rc = cr_fail_errno(err, CR_EMEM, "cannot map %llu bytes",
				(unsigned long long)s->filed);
		else
			*out = (struct cr_spooled){p, (size_t)s->filed, true};
	} else if (s->held && memory_resize(s, s->held)) {
		*out = (struct cr_spooled){s->p, s->held, false};
		s->p = NULL;
	}
	cr_spool_fini(s);
	return rc;
}

void
cr_spool_fini(struct cr_spool *s)
{
	if (s->p)
		munmap(s->p, s->cap);
	s->p = NULL;
	s->held = s->cap = 0;
	file_drop(s);
}
