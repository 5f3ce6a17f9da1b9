#include "base/mapped_vector.h"

#include "base/mem.h"
#include "base/sanitizer.h"
#include "base/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)1 << 16)
#define FILE_STEP ((size_t)8 << 20)  /* growth of the file */
#define NEAR_BYTES ((size_t)1 << 20) /* bytes before the end that stay in memory */

/*
 * Allocate the disk blocks now, so that a full disk is an error here and not a signal when a page
 * is written.
 */
static bool
file_extend(int fd, size_t cap)
{
	int rc;

	do
		rc = posix_fallocate(fd, 0, (off_t)cap);
	while (rc == EINTR);
	return rc == 0;
}

static bool
file_write(int fd, const unsigned char *p, size_t len)
{
	for (size_t at = 0; at < len;) {
		const ssize_t n = pwrite(fd, p + at, len - at, (off_t)at);

		if (n <= 0 && errno != EINTR)
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Drop the pages of the file that were filled, except the last `near` bytes. */
static void
drop_filled(struct cr_mapped_vector *t, size_t near)
{
	if (!t->filed || t->len <= t->dropped + near)
		return;
	cr_mapping_done(t->p, t->dropped, t->len - near);
	t->dropped = t->len - near;
}

static void
no_file(struct cr_mapped_vector *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	t->no_file = true;
}

/* Move the array from memory to a file. Returns false if it stays in memory. */
static bool
file_start(struct cr_mapped_vector *t)
{
	const size_t cap = t->cap + FILE_STEP;
	void *p;

	t->fd = cr_temp_file();
	/* Writing the file takes a fraction of the time of touching each of its pages. */
	if (t->fd < 0 || !file_extend(t->fd, cap) || !file_write(t->fd, t->p, t->len) ||
		(p = mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0)) == MAP_FAILED) {
		no_file(t);
		return false;
	}
	munmap(t->p, t->cap);
	t->p = p;
	t->cap = cap;
	t->filed = true;
	t->dropped = t->len > NEAR_BYTES ? t->len - NEAR_BYTES : 0; /* the file has them */
	return true;
}

/* Move the array back to memory, because the disk is full. */
static void
file_give_up(struct cr_mapped_vector *t)
{
	struct cr_mapped_vector back = {.no_file = true, .fd = -1};

	cr_mapped_vector_expect(&back, t->len + FILE_STEP);
	memcpy(back.p, t->p, t->len);
	back.len = t->len;
	cr_mapped_vector_fini(t);
	*t = back;
}

static void *
map(const struct cr_mapped_vector *t, size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		t->filed ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, t->filed ? t->fd : -1, 0);
}

/*
 * The thread sanitizer does not know mremap(): to it, addresses that a mapping has left are still
 * another thread's. So a program with a sanitizer maps anew.
 */
static void *
remap(const struct cr_mapped_vector *t, size_t cap)
{
	void *p;

	if (!CR_SANITIZED)
		return mremap(t->p, t->cap, cap, MREMAP_MAYMOVE);
	p = map(t, cap);
	if (p != MAP_FAILED) {
		if (!t->filed)
			memcpy(p, t->p, CR_MIN(t->cap, cap));
		munmap(t->p, t->cap);
	}
	return p;
}

static void
resize(struct cr_mapped_vector *t, size_t cap)
{
	void *p = t->p ? remap(t, cap) : map(t, cap);

	if (p == MAP_FAILED)
		cr_out_of_memory(1, cap);
	t->p = p;
	t->cap = cap;
	if (!t->filed)
		cr_mem_large_pages(p, cap);
}

static size_t
rounded(size_t bytes)
{
	return (bytes + FIRST_BYTES - 1) / FIRST_BYTES * FIRST_BYTES;
}

void
cr_mapped_vector_expect(struct cr_mapped_vector *t, size_t bytes)
{
	if (!t->no_file)
		bytes = CR_MIN(bytes, CR_MAPPED_VECTOR_FILE_FROM);
	if (!t->filed && bytes > t->cap)
		resize(t, rounded(bytes));
}

void
cr_mapped_vector_grow(struct cr_mapped_vector *t, size_t more)
{
	drop_filled(t, NEAR_BYTES);
	if (t->filed) {
		if (file_extend(t->fd, t->cap + FILE_STEP))
			resize(t, t->cap + FILE_STEP);
		else
			file_give_up(t);
		return;
	}
	if (t->cap >= CR_MAPPED_VECTOR_FILE_FROM && !t->no_file && file_start(t))
		return;
	resize(t, rounded(CR_MAX(t->cap * 2, t->len + more)));
}

void
cr_mapped_vector_end(struct cr_mapped_vector *t)
{
	drop_filled(t, 0);
	if (t->filed)
		close(t->fd);
	t->fd = -1;
}

void
cr_mapped_vector_fini(struct cr_mapped_vector *t)
{
	cr_mapped_vector_end(t);
	if (t->p)
		munmap(t->p, t->cap);
	*t = (struct cr_mapped_vector){0};
}

void *
cr_mapped_vector_room(size_t bytes, int *fd)
{
	void *p = MAP_FAILED;

	*fd = cr_temp_file();
	if (*fd < 0)
		return NULL;
	if (file_extend(*fd, bytes))
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (p != MAP_FAILED)
		return p;
	close(*fd);
	return NULL;
}
