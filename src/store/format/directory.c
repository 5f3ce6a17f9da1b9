#include "directory_p.h"

#include "base/confine.h"
#include "base/hash.h"
#include "base/mem.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC_BYTES ((size_t)8)
#define SECTION_BYTES ((size_t)20)
#define BLOCK_BYTES ((size_t)28)
#define SHORT_SECTION_BYTES ((size_t)3) /* at least */
#define SHORT_BLOCK_BYTES ((size_t)11)  /* at least */
#define MAX_SECTIONS 1024u

bool
cr_store_is(const void *head, size_t len)
{
	return len >= strlen(CR_STORE_MAGIC) &&
	       memcmp(head, CR_STORE_MAGIC, strlen(CR_STORE_MAGIC)) == 0;
}

int
cr_store_file_open(const char *path, int *fd, struct cr_err *err)
{
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0) {
		cr_fail_errno(err, errno == ENOENT ? CR_ENOTFOUND : CR_EIO, "cannot open");
		cr_confine_report(err, path, R_OK);
		return err->code;
	}
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return CR_OK;
	close(*fd);
	*fd = -1;
	return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
		S_ISDIR(st.st_mode) ? "is a directory" : "not a regular file");
}

bool
cr_store_is_file(const char *path)
{
	struct cr_err ignored = CR_ERR_INIT;
	char head[MAGIC_BYTES];
	bool is;
	int fd;

	if (cr_store_file_open(path, &fd, &ignored) < 0)
		return false;
	is = read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
	     cr_store_is(head, sizeof(head));
	close(fd);
	return is;
}

void
cr_directory_head(enum cr_store_format format, struct cr_buf *out)
{
	const size_t at = out->n;

	cr_buf_put(out, CR_STORE_MAGIC, MAGIC_BYTES);
	cr_buf_int(out, format, 4);
	cr_buf_int(out, 0, 4);
	cr_buf_int(out, cr_digest(out->p + at, out->n - at), 8);
}

static void
block_write(enum cr_store_format format, const struct cr_block *b, struct cr_buf *out)
{
	if (format == CR_STORE_FORMAT_SHORT) {
		cr_buf_leb(out, b->stored_bytes);
		cr_buf_leb(out, b->raw_bytes);
		cr_buf_leb(out, b->rows);
		cr_buf_int(out, b->sum, 8);
		return;
	}
	cr_buf_int(out, b->offset, 8);
	cr_buf_int(out, b->sum, 8);
	cr_buf_int(out, b->stored_bytes, 4);
	cr_buf_int(out, b->raw_bytes, 4);
	cr_buf_int(out, b->rows, 4);
}

static void
section_write(enum cr_store_format format, const struct cr_section *s, struct cr_buf *out)
{
	if (format == CR_STORE_FORMAT_SHORT) {
		cr_buf_leb(out, s->id);
		cr_buf_leb(out, s->version);
		cr_buf_leb(out, s->n_blocks);
		return;
	}
	cr_buf_int(out, s->id, 4);
	cr_buf_int(out, s->version, 4);
	cr_buf_int(out, s->rows, 8);
	cr_buf_int(out, s->n_blocks, 4);
}

void
cr_directory_write(const struct cr_directory *dir, uint64_t offset, struct cr_buf *out)
{
	const size_t at = out->n;
	size_t tail;

	if (dir->format == CR_STORE_FORMAT_SHORT)
		cr_buf_leb(out, dir->n_sections);
	else
		cr_buf_int(out, dir->n_sections, 4);
	for (uint32_t i = 0; i < dir->n_sections; i++) {
		const struct cr_section *s = &dir->sections[i];

		section_write(dir->format, s, out);
		for (uint32_t k = 0; k < s->n_blocks; k++)
			block_write(dir->format, &dir->blocks[s->first_block + k], out);
	}
	tail = out->n;
	cr_buf_int(out, offset, 8);
	cr_buf_int(out, tail - at, 8);
	cr_buf_int(out, cr_digest(out->p + at, tail - at), 8);
	cr_buf_int(out, cr_digest(out->p + tail, out->n - tail), 8);
	cr_buf_put(out, CR_STORE_END, MAGIC_BYTES);
}

static struct cr_cursor
little_endian(const void *p, size_t len)
{
	struct cr_cursor c;

	cr_cursor_init(&c, p, len);
	c.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	return c;
}

static int
head_check(const unsigned char *bytes, size_t len, bool unchecked, enum cr_store_format *out,
	struct cr_err *err)
{
	struct cr_cursor c = little_endian(bytes, len);
	uint32_t format;
	uint64_t sum;

	if (!cr_store_is(bytes, len))
		return cr_fail(err, CR_EFORMAT, 0, "not a stored profile");
	if (len < CR_STORE_HEAD + 1 + CR_STORE_TAIL)
		return cr_fail(err, CR_ETRUNC, len, "the store ends early");
	cr_cursor_skip(&c, MAGIC_BYTES);
	format = cr_cursor_u32(&c);
	cr_cursor_skip(&c, 4);
	sum = cr_cursor_u64(&c);
	if (sum != cr_digest(bytes, CR_STORE_HEAD - 8) && !unchecked)
		return cr_fail(err, CR_EFORMAT, 0, "the head of the store is damaged");
	if (format > CR_STORE_FORMAT_KNOWN)
		return cr_fail(err, CR_EUNSUPPORTED, MAGIC_BYTES,
			"written by a newer cresset (store format %u, this one reads %u)", format,
			CR_STORE_FORMAT_KNOWN);
	if (format == 0)
		return cr_fail(err, CR_EFORMAT, MAGIC_BYTES, "store format 0 does not exist");
	*out = (enum cr_store_format)format;
	return CR_OK;
}

/* Find the directory, which fills the file between the last block and the tail. */
static int
tail_check(const unsigned char *bytes, size_t len, bool unchecked, struct cr_cursor *dir,
	struct cr_err *err)
{
	const size_t at = len - CR_STORE_TAIL;
	struct cr_cursor c = little_endian(bytes + at, CR_STORE_TAIL);
	const uint64_t offset = cr_cursor_u64(&c);
	const uint64_t dir_bytes = cr_cursor_u64(&c);
	const uint64_t dir_sum = cr_cursor_u64(&c);
	const uint64_t sum = cr_cursor_u64(&c);

	*dir = (struct cr_cursor){0};
	if (memcmp(bytes + len - MAGIC_BYTES, CR_STORE_END, MAGIC_BYTES) != 0)
		return cr_fail(
			err, CR_ETRUNC, len, "the store ends early or is longer than it was");
	if (sum != cr_digest(bytes + at, 24) && !unchecked)
		return cr_fail(err, CR_EFORMAT, at, "the tail of the store is damaged");
	if (offset < CR_STORE_HEAD || offset > at || dir_bytes != at - offset)
		return cr_fail(
			err, CR_EFORMAT, at, "the store's directory is not where the tail says");
	if (dir_sum != cr_digest(bytes + offset, (size_t)dir_bytes) && !unchecked)
		return cr_fail(err, CR_EFORMAT, offset, "the store's directory is damaged");
	*dir = little_endian(bytes + offset, (size_t)dir_bytes);
	return CR_OK;
}

/* A number that fits in 32 bits; bad otherwise. */
static uint32_t
short_u32(struct cr_cursor *c)
{
	const uint64_t v = cr_cursor_uleb(c);

	c->bad |= v > UINT32_MAX;
	return (uint32_t)v;
}

static void
block_read_short(struct cr_cursor *c, uint64_t at, struct cr_block *b)
{
	b->offset = at;
	b->stored_bytes = short_u32(c);
	b->raw_bytes = short_u32(c);
	b->rows = short_u32(c);
	b->sum = cr_cursor_u64(c);
}

static void
block_read_fixed(struct cr_cursor *c, struct cr_block *b)
{
	b->offset = cr_cursor_u64(c);
	b->sum = cr_cursor_u64(c);
	b->stored_bytes = cr_cursor_u32(c);
	b->raw_bytes = cr_cursor_u32(c);
	b->rows = cr_cursor_u32(c);
}

static int
block_read(struct cr_cursor *c, enum cr_store_format format, uint64_t at, uint64_t end,
	struct cr_block *b, struct cr_err *err)
{
	if (format == CR_STORE_FORMAT_SHORT)
		block_read_short(c, at, b);
	else
		block_read_fixed(c, b);
	if (c->bad)
		return cr_fail(err, CR_ETRUNC, end, "the store's directory ends early");
	if (b->offset != at || b->stored_bytes > end - at)
		return cr_fail(err, CR_EFORMAT, at,
			"the directory has a block at %llu that does not fit there",
			(unsigned long long)b->offset);
	if (b->stored_bytes > b->raw_bytes || b->raw_bytes > CR_BLOCK_RAW_MAX ||
		b->rows > CR_BLOCK_ROWS)
		return cr_fail(err, CR_EFORMAT, at,
			"a block of impossible size: %u bytes from %u, %u rows", b->raw_bytes,
			b->stored_bytes, b->rows);
	return CR_OK;
}

static int
section_read(struct cr_cursor *c, struct cr_directory *dir, uint64_t *at, uint64_t end,
	struct cr_err *err)
{
	const bool is_short = dir->format == CR_STORE_FORMAT_SHORT;
	struct cr_section s = {.first_block = dir->n_blocks};
	uint64_t rows = 0;
	int rc;

	if (is_short) {
		s.id = short_u32(c);
		s.version = short_u32(c);
		s.n_blocks = short_u32(c);
		c->bad |= s.n_blocks > cr_cursor_left(c) / SHORT_BLOCK_BYTES;
	} else {
		s.id = cr_cursor_u32(c);
		s.version = cr_cursor_u32(c);
		s.rows = cr_cursor_u64(c);
		s.n_blocks = cr_cursor_count(c, BLOCK_BYTES);
	}
	if (c->bad)
		return cr_fail(err, CR_ETRUNC, end, "the store's directory ends early");
	if (cr_directory_find(dir, s.id))
		return cr_fail(err, CR_EFORMAT, end, "section %u is there twice", s.id);
	for (uint32_t i = 0; i < s.n_blocks; i++) {
		struct cr_block *b = &dir->blocks[dir->n_blocks];

		if ((rc = block_read(c, dir->format, *at, end, b, err)) < 0)
			return rc;
		dir->n_blocks++;
		*at += b->stored_bytes;
		rows += b->rows;
	}
	if (is_short)
		s.rows = rows;
	if (rows != s.rows)
		return cr_fail(err, CR_EFORMAT, end, "section %u has %llu rows, its blocks %llu",
			s.id, (unsigned long long)s.rows, (unsigned long long)rows);
	dir->sections[dir->n_sections++] = s;
	return CR_OK;
}

static int
directory_fill(struct cr_cursor *c, uint64_t end, struct cr_directory *dir, struct cr_err *err)
{
	const bool is_short = dir->format == CR_STORE_FORMAT_SHORT;
	const size_t block_bytes = is_short ? SHORT_BLOCK_BYTES : BLOCK_BYTES;
	const uint32_t n = is_short ? short_u32(c) : cr_cursor_count(c, SECTION_BYTES);
	uint64_t at = CR_STORE_HEAD;
	int rc;

	if (is_short && n > cr_cursor_left(c) / SHORT_SECTION_BYTES)
		return cr_fail(err, CR_ETRUNC, end, "the store's directory ends early");
	if (n > MAX_SECTIONS)
		return cr_fail(err, CR_ELIMIT, end, "the store's directory has %u sections", n);
	/* Allocate as many as the bytes can hold: 32 bytes of memory for 28 or 11 in the file. */
	dir->sections = cr_try_alloc(n, sizeof(*dir->sections));
	dir->blocks = cr_try_alloc(cr_cursor_left(c) / block_bytes + 1, sizeof(*dir->blocks));
	if (!dir->sections || !dir->blocks)
		return cr_fail(err, CR_EMEM, end, "no memory for the store's directory");
	for (uint32_t i = 0; i < n; i++)
		if ((rc = section_read(c, dir, &at, end, err)) < 0)
			return rc;
	if (c->bad || cr_cursor_left(c))
		return cr_fail(
			err, CR_EFORMAT, end, "the store's directory is not as long as it says");
	if (at != end)
		return cr_fail(
			err, CR_EFORMAT, at, "bytes between the last block and the directory");
	return CR_OK;
}

int
cr_directory_read(const unsigned char *bytes, size_t len, bool unchecked, struct cr_directory *out,
	struct cr_err *err)
{
	struct cr_cursor c;
	int rc;

	*out = (struct cr_directory){0};
	if ((rc = head_check(bytes, len, unchecked, &out->format, err)) < 0)
		return rc;
	if ((rc = tail_check(bytes, len, unchecked, &c, err)) < 0)
		return rc;
	if ((rc = directory_fill(&c, (uint64_t)(c.p - bytes), out, err)) < 0)
		cr_directory_fini(out);
	return rc;
}

void
cr_directory_fini(struct cr_directory *dir)
{
	free(dir->sections);
	free(dir->blocks);
	*dir = (struct cr_directory){0};
}

const struct cr_section *
cr_directory_find(const struct cr_directory *dir, uint32_t id)
{
	for (uint32_t i = 0; i < dir->n_sections; i++)
		if (dir->sections[i].id == id)
			return &dir->sections[i];
	return NULL;
}
