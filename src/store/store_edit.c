#include "store/edit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/vec.h"
#include "bytes/source.h"
#include "file_lock_p.h"
#include "model/profile.h"
#include "store/format/directory_p.h"
#include "store/format/layout_p.h"
#include "store/store.h"

/* The summary, parsed. Its texts point into `raw` or belong to the caller. */
struct summary {
	unsigned char *raw;
	struct cr_cursor head, tail; /* bytes before and after the facts */
	CR_VEC(struct cr_fact) facts;
};

static struct cr_str
read_text(struct cr_cursor *c)
{
	const uint32_t len = cr_cursor_u32(c);

	return (struct cr_str){(const char *)cr_cursor_take(c, len), len};
}

static int
summary_parse(const struct cr_block *b, struct summary *s, struct cr_err *err)
{
	struct cr_cursor c;
	uint32_t n;

	cr_cursor_init(&c, s->raw, b->raw_bytes);
	c.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	cr_cursor_init(&s->head, s->raw, CR_MIN(b->raw_bytes, 8u));
	cr_cursor_skip(&c, 8);
	n = cr_cursor_count(&c, 8);
	for (uint32_t i = 0; i < n && !c.bad; i++) {
		struct cr_fact f;

		f.key = read_text(&c);
		f.value = read_text(&c);
		cr_vec_push(&s->facts, f);
	}
	if (c.bad)
		return cr_fail(err, CR_EFORMAT, b->offset,
			"section 'summary' is damaged: its counts are off");
	s->tail = c;
	return CR_OK;
}

static int
summary_read(const unsigned char *bytes, const struct cr_section *at, const struct cr_block *b,
	struct summary *s, struct cr_err *err)
{
	struct cr_unpacker *unpacker;
	int rc;

	if (cr_block_sum(bytes + b->offset, b, at->id, 0) != b->sum)
		return cr_fail(err, CR_EFORMAT, b->offset,
			"section 'summary' is damaged: the checksum is off");
	s->raw = cr_try_alloc(CR_MAX(b->raw_bytes, 1u), 1);
	if (!s->raw)
		return cr_fail(err, CR_EMEM, b->offset, "no memory to unpack a block");
	unpacker = cr_unpacker_new();
	rc = at->version == CR_SECTION_PHRASES
		     ? cr_unpacker_unpack_texts(unpacker, bytes + b->offset, b, s->raw, err)
		     : cr_unpacker_unpack(unpacker, bytes + b->offset, b, s->raw, err);
	cr_unpacker_free(unpacker);
	return rc < 0 ? rc : summary_parse(b, s, err);
}

static void
summary_change(struct summary *s, const struct cr_edit *e)
{
	size_t i = 0;

	while (i < s->facts.n && !cr_str_eq(s->facts.p[i].key, e->key))
		i++;
	if (e->remove && i < s->facts.n) {
		memmove(s->facts.p + i, s->facts.p + i + 1,
			(s->facts.n - i - 1) * sizeof(*s->facts.p));
		s->facts.n--;
	}
	if (e->remove)
		return;
	if (i == s->facts.n)
		cr_vec_push(&s->facts, ((struct cr_fact){.key = e->key}));
	s->facts.p[i].value = e->value;
}

static void
put_text(struct cr_buf *out, struct cr_str s)
{
	cr_buf_int(out, s.len, 4);
	cr_buf_put(out, s.p, s.len);
}

static void
summary_print(const struct summary *s, struct cr_buf *out)
{
	cr_buf_put(out, s->head.p, cr_cursor_left(&s->head));
	cr_buf_int(out, s->facts.n, 4);
	for (size_t i = 0; i < s->facts.n; i++) {
		put_text(out, s->facts.p[i].key);
		put_text(out, s->facts.p[i].value);
	}
	cr_buf_put(out, s->tail.p, cr_cursor_left(&s->tail));
}

/* The file being rewritten. */
struct edit {
	const unsigned char *bytes; /* of the old file */
	int fd;                     /* of the old file */
	struct cr_directory dir;    /* the old directory, being changed to the new one */
	struct cr_atomic_file file;
	uint64_t at;
};

static int
put(struct edit *e, const void *bytes, size_t len, struct cr_err *err)
{
	e->at += len;
	return cr_atomic_write(&e->file, bytes, len, err);
}

static int
put_summary(struct edit *e, const struct cr_section *s, struct cr_block *b,
	const struct summary *summary, struct cr_err *err)
{
	struct cr_packer *packer = cr_packer_new(3);
	struct cr_buf raw = {0};
	const void *stored;
	size_t stored_bytes;
	int rc;

	summary_print(summary, &raw);
	if (raw.n > CR_BLOCK_RAW_MAX) {
		rc = cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"facts of %zu bytes are more than a store can hold", raw.n);
		goto out;
	}
	stored = s->version == CR_SECTION_PHRASES
			 ? cr_packer_pack_texts(packer, 3, raw.p, raw.n, &stored_bytes)
			 : cr_packer_pack(packer, raw.p, raw.n, &stored_bytes);
	*b = (struct cr_block){.offset = e->at,
		.raw_bytes = (uint32_t)raw.n,
		.stored_bytes = (uint32_t)stored_bytes,
		.rows = b->rows};
	b->sum = cr_block_sum(stored, b, s->id, 0);
	rc = put(e, stored, stored_bytes, err);
out:
	cr_packer_free(packer);
	free(raw.p);
	return rc;
}

/*
 * The checksum includes the position, so a moved block gets a new one, if the old one is correct.
 */
static int
put_block(struct edit *e, const struct cr_section *s, uint32_t number, struct cr_err *err)
{
	struct cr_block *b = &e->dir.blocks[s->first_block + number];
	const uint64_t from = b->offset;
	const unsigned char *stored = e->bytes + from;
	int rc;

	if (e->at != from) {
		const bool whole = cr_block_sum(stored, b, s->id, number) == b->sum;

		b->offset = e->at;
		b->sum = cr_block_sum(stored, b, s->id, number) ^ (uint64_t)!whole;
	}
	if ((rc = cr_atomic_copy(&e->file, e->fd, from, from + b->stored_bytes, err)) < 0)
		return rc;
	e->at += b->stored_bytes;
	return CR_OK;
}

static int
put_sections(struct edit *e, const struct summary *summary, struct cr_err *err)
{
	int rc;

	for (uint32_t i = 0; i < e->dir.n_sections; i++) {
		const struct cr_section *s = &e->dir.sections[i];

		if (s->id == CR_SECTION_SUMMARY) {
			if ((rc = put_summary(e, s, &e->dir.blocks[s->first_block], summary, err)) <
				0)
				return rc;
			continue;
		}
		for (uint32_t k = 0; k < s->n_blocks; k++)
			if ((rc = put_block(e, s, k, err)) < 0)
				return rc;
	}
	return CR_OK;
}

static int
edit_write(struct edit *e, const char *path, const struct summary *summary, struct cr_err *err)
{
	struct cr_buf end = {0};
	int rc;

	if ((rc = cr_atomic_open(path, 0600, NULL, &e->file, err)) < 0)
		return rc;
	e->file.old = e->fd; /* another user may replace the file at the path meanwhile */
	if ((rc = put(e, e->bytes, CR_STORE_HEAD, err)) < 0 ||
		(rc = put_sections(e, summary, err)) < 0)
		goto out;
	cr_directory_write(&e->dir, e->at, &end);
	if ((rc = put(e, end.p, end.n, err)) == CR_OK)
		rc = cr_atomic_commit(&e->file, CR_ATOMIC_REPLACE, err);
out:
	cr_atomic_close(&e->file);
	free(end.p);
	return rc;
}

static int
edit_run(
	struct edit *e, const char *path, const struct cr_edit *edits, size_t n, struct cr_err *err)
{
	const struct cr_section *s = cr_directory_find(&e->dir, CR_SECTION_SUMMARY);
	struct summary summary = {0};
	int rc;

	if (!s || s->n_blocks != 1)
		return cr_fail(
			err, CR_EFORMAT, CR_NO_OFFSET, "section 'summary' is not in the store");
	if (!cr_layout_has_version(CR_SECTION_SUMMARY, s->version))
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"section 'summary' was written by a newer cresset (version %u, this one "
			"reads %u)",
			s->version, cr_layout_version(CR_SECTION_SUMMARY));
	rc = summary_read(e->bytes, s, &e->dir.blocks[s->first_block], &summary, err);
	for (size_t i = 0; i < n && rc == CR_OK; i++)
		summary_change(&summary, &edits[i]);
	if (rc == CR_OK)
		rc = edit_write(e, path, &summary, err);
	cr_vec_fini(&summary.facts);
	free(summary.raw);
	return rc;
}

static int
edit_locked(const char *path, const struct cr_edit *edits, size_t n, struct cr_err *err)
{
	struct cr_source *src = NULL;
	struct edit e = {0};
	int rc = cr_store_file_open(path, &e.fd, err);

	if (rc == CR_ENOTFOUND)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no such profile");
	if (rc < 0)
		return rc;
	if ((rc = cr_source_open_fd(e.fd, CR_SOURCE_MAX_PIPE, &src, err)) < 0)
		goto out;
	e.bytes = cr_source_bytes(src);
	/* Also for a compressed file, whose blocks cannot be copied. */
	if (!cr_store_is_file(path)) {
		rc = cr_fail(err, CR_EFORMAT, 0, "not a stored profile");
		goto out;
	}
	if ((rc = cr_directory_read(e.bytes, cr_source_len(src), false, &e.dir, err)) < 0)
		goto out;
	rc = edit_run(&e, path, edits, n, err);
out:
	cr_directory_fini(&e.dir);
	cr_source_close(src);
	close(e.fd);
	return rc;
}

int
cr_store_edit(const char *path, const struct cr_edit *edits, size_t n, struct cr_err *err)
{
	struct cr_file_lock lock;
	int rc = cr_file_lock_open(path, &lock, err);

	if (rc < 0)
		return rc;
	rc = edit_locked(path, edits, n, err);
	cr_file_lock_close(&lock);
	return rc;
}
