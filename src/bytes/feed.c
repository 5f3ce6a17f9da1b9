#include "feed_p.h"

#include "base/mem.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM_BYTES ((size_t)1 << 20)
#define LET_GO_BYTES ((uint64_t)4 << 20)
#define WAIT_MS 200 /* between two checks for cancellation */

void
cr_feed_init(struct cr_feed *f, const void *p, size_t len)
{
	*f = (struct cr_feed){.p = p, .left = len, .whole = len, .fd = -1};
}

void
cr_feed_init_fd(struct cr_feed *f, int fd, const struct cr_progress *progress)
{
	*f = (struct cr_feed){.fd = fd, .room = cr_alloc(ROOM_BYTES, 1), .progress = progress};
	f->p = f->room;
}

void
cr_feed_fini(struct cr_feed *f)
{
	free(f->room);
}

/* A pipe may be silent for hours, and the user must still be able to cancel. */
static int
feed_wait(const struct cr_feed *f, struct cr_err *err)
{
	struct pollfd at = {.fd = f->fd, .events = POLLIN};
	int ready = 0;

	while (f->progress && ready == 0) {
		if (!cr_progress_step(f->progress, "reading", f->consumed, f->whole))
			return cr_fail(err, CR_ECANCEL, CR_NO_OFFSET, "stopped");
		ready = poll(&at, 1, WAIT_MS);
		if (ready < 0 && errno == EINTR)
			ready = 0;
	}
	return CR_OK;
}

int
cr_feed_need(struct cr_feed *f, size_t n, struct cr_err *err)
{
	int rc;

	if (f->left >= n || f->fd < 0)
		return CR_OK;
	memmove(f->room, f->p, f->left);
	f->p = f->room;
	while (f->left < n) {
		ssize_t got;

		if ((rc = feed_wait(f, err)) < 0)
			return rc;
		got = read(f->fd, f->room + f->left, ROOM_BYTES - f->left);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return cr_fail_errno(err, CR_EIO, "cannot read");
		if (got == 0) {
			f->fd = -1;
			break;
		}
		f->left += (size_t)got;
	}
	return CR_OK;
}

void
cr_feed_take(struct cr_feed *f, size_t n)
{
	const uint64_t before = f->consumed / LET_GO_BYTES;

	f->p += n;
	f->left -= n;
	f->consumed += n;
	if (f->mapped && f->consumed / LET_GO_BYTES > before)
		cr_mapping_done(f->p - f->consumed, before * LET_GO_BYTES, f->consumed);
}
