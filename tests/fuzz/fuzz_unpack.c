/*
 * Any bytes as gzip, xz or zstd data: what is whole comes out the same from memory and from a
 * descriptor, in memory and through a file; of what is damaged the one may keep more than the
 * other; and never more comes out than may.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes/feed_p.h"
#include "bytes/spool_p.h"
#include "bytes/unpack_p.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_BYTES ((uint64_t)4 << 20)
#define OVER ((uint64_t)1 << 20) /* what one step may give past the limit */

struct run {
	struct cr_spooled out;
	struct cr_err damage, err;
	int rc;
};

static struct run
run(struct cr_feed *f, uint64_t file_from)
{
	struct run r = {.damage = CR_ERR_INIT, .err = CR_ERR_INIT};
	struct cr_spool spool = CR_SPOOL_INIT;

	spool.file_from = file_from;
	r.rc = cr_unpack(f, &spool, MAX_BYTES, NULL, &r.damage, &r.err);
	if (cr_spool_len(&spool) > MAX_BYTES + OVER || (r.rc < 0 && !r.err.text[0]))
		abort();
	if (r.rc == CR_OK && cr_spool_finish(&spool, &r.out, &r.err) < 0)
		abort();
	cr_spool_fini(&spool);
	cr_feed_fini(f);
	return r;
}

static int
is_whole(const struct run *r)
{
	return r->rc == CR_OK && r->damage.code == CR_OK;
}

static void
run_end(struct run *r)
{
	if (r->out.p)
		munmap(r->out.p, r->out.len);
}

static int
file_of(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("input", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cr_feed f;
	struct run memory, file;
	const int fd = file_of(data, size);
	size_t both;

	cr_feed_init(&f, data, size);
	memory = run(&f, MAX_BYTES * 2);
	cr_feed_init_fd(&f, fd, NULL);
	file = run(&f, 1000);
	close(fd);
	if (is_whole(&memory) != is_whole(&file) ||
		(is_whole(&memory) && memory.out.len != file.out.len))
		abort();
	both = memory.out.len < file.out.len ? memory.out.len : file.out.len;
	if (both && memcmp(memory.out.p, file.out.p, both) != 0)
		abort();
	run_end(&memory);
	run_end(&file);
	return 0;
}
