#include "unpack_p.h"

#include "base/mem.h"
#include "codec_p.h"
#include "feed_p.h"
#include "spool_p.h"
#include "utf16_p.h"

#include <stdlib.h>
#include <string.h>

/* Maximum input and output between two checks of limits and progress. */
#define STEP_BYTES ((size_t)128 << 10)

static const struct cr_codec *
codec_find(const unsigned char *head, size_t len)
{
	for (size_t i = 0; i < CR_LEN(cr_codecs); i++)
		if (cr_codecs[i].is(head, len))
			return &cr_codecs[i];
	return NULL;
}

bool
cr_unpack_is(const unsigned char *head, size_t len)
{
	return codec_find(head, len) != NULL;
}

/* State of one call. */
struct unpack {
	struct cr_feed *f;
	struct cr_spool *out;
	uint64_t max_bytes;
	const struct cr_progress *progress;
	void *states[CR_CODECS]; /* reused for every member: there may be one every ten bytes */
	struct cr_err *damage;
};

/* After a step: check the limits and cancellation. */
static int
go_on(const struct unpack *u, bool packed, struct cr_err *err)
{
	const struct cr_feed *f = u->f;
	const uint64_t len = cr_spool_len(u->out), in = CR_MAX(f->whole, f->consumed + f->left);

	if (len > u->max_bytes)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "more than %llu bytes %s",
			(unsigned long long)u->max_bytes, packed ? "unpacked" : "through a pipe");
	if (packed && len > CR_UNPACK_RATIO_FREE &&
		(len - CR_UNPACK_RATIO_FREE) / CR_UNPACK_RATIO_MAX > in)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"decompresses to more than %u times its size", CR_UNPACK_RATIO_MAX);
	if (!cr_progress_step(u->progress, packed ? "unpacking" : "reading", f->consumed, f->whole))
		return cr_fail(err, CR_ECANCEL, CR_NO_OFFSET, "stopped");
	return CR_OK;
}

/*
 * Damage ends the input. It is recorded if something was unpacked before; otherwise it is the
 * failure.
 */
static int
damaged(const struct unpack *u, int code, const struct cr_codec *c, const char *why,
	struct cr_err *err)
{
	struct cr_err *target = cr_spool_len(u->out) ? u->damage : err;

	cr_fail(target, code, u->f->consumed, "%s data: %s", c->name, why);
	return target == err ? code : CR_OK;
}

/* The decoder state for a member; NULL on failure. */
static void *
member_start(struct unpack *u, const struct cr_codec *c, struct cr_err *err)
{
	void **state = &u->states[c - cr_codecs];

	if (!c->open) {
		cr_fail(err, CR_EUNSUPPORTED, u->f->consumed,
			"%s data, and this program was built without %s", c->name, c->library);
		return NULL;
	}
	if (!*state)
		*state = c->open();
	if (*state && c->start(*state))
		return *state;
	cr_fail(err, CR_EMEM, u->f->consumed, "%s data: no memory", c->name);
	return NULL;
}

/* Returns 1 after a complete member, CR_OK if it is damaged and the input ends there. */
static int
member_unpack(struct unpack *u, const struct cr_codec *c, struct cr_err *err)
{
	void *state = member_start(u, c, err);
	int rc;

	if (!state)
		return err->code;
	for (;;) {
		struct cr_codec_work w;
		enum cr_codec_state now;
		size_t room, took, made;
		unsigned char *out;

		if ((rc = cr_feed_need(u->f, 1, err)) < 0)
			return rc;
		if (!(out = cr_spool_room(u->out, &room, err)))
			return err->code;
		w = (struct cr_codec_work){u->f->p, out, CR_MIN(u->f->left, STEP_BYTES),
			CR_MIN(room, STEP_BYTES), NULL};
		now = c->step(state, &w);
		took = (size_t)(w.in - u->f->p);
		made = (size_t)(w.out - out);
		cr_spool_took(u->out, made);
		cr_feed_take(u->f, took);
		if ((rc = go_on(u, true, err)) < 0)
			return rc;
		if (now == CR_CODEC_END)
			return 1;
		if (now == CR_CODEC_BAD)
			return damaged(u, CR_EFORMAT, c, w.why, err);
		if (took + made == 0) /* the codec has no output left */
			return damaged(u, CR_ETRUNC, c, "cut off", err);
	}
}

/* Skip zero bytes to the next member. Returns 1 if there is one, CR_OK if not. */
static int
member_next(struct unpack *u, const struct cr_codec **c, struct cr_err *err)
{
	const struct cr_codec *last = *c;
	struct cr_feed *f = u->f;
	size_t zeros;
	int rc;

	do {
		if ((rc = cr_feed_need(f, CR_UNPACK_HEAD, err)) < 0)
			return rc;
		for (zeros = 0; zeros < f->left && f->p[zeros] == 0;)
			zeros++;
		cr_feed_take(f, zeros);
	} while (zeros);
	if (f->left == 0)
		return CR_OK;
	*c = codec_find(f->p, f->left);
	return *c ? 1 : damaged(u, CR_EFORMAT, last, "other data follows the compressed data", err);
}

static int
copy(const struct unpack *u, struct cr_err *err)
{
	int rc;

	while ((rc = cr_feed_need(u->f, 1, err)) == CR_OK && (rc = go_on(u, false, err)) == CR_OK &&
		u->f->left) {
		size_t room;
		unsigned char *out = cr_spool_room(u->out, &room, err);

		if (!out)
			return err->code;
		room = CR_MIN(room, u->f->left);
		memcpy(out, u->f->p, room);
		cr_spool_took(u->out, room);
		cr_feed_take(u->f, room);
	}
	return rc;
}

int
cr_unpack(struct cr_feed *f, struct cr_spool *out, uint64_t max_bytes,
	const struct cr_progress *progress, struct cr_err *damage, struct cr_err *err)
{
	struct unpack u = {
		.f = f, .out = out, .max_bytes = max_bytes, .progress = progress, .damage = damage};
	int rc = cr_feed_need(f, CR_UNPACK_HEAD, err);
	const struct cr_codec *c;

	if (rc < 0)
		return rc;
	if (!(c = codec_find(f->p, f->left)))
		return copy(&u, err);
	do
		rc = member_unpack(&u, c, err);
	while (rc > 0 && (rc = member_next(&u, &c, err)) > 0);
	for (size_t i = 0; i < CR_CODECS; i++)
		if (u.states[i])
			cr_codecs[i].close(u.states[i]);
	return rc;
}

static int
spool_put(struct cr_spool *out, const unsigned char *p, size_t len, struct cr_err *err)
{
	while (len) {
		size_t room;
		unsigned char *to = cr_spool_room(out, &room, err);

		if (!to)
			return err->code;
		room = CR_MIN(room, len);
		memcpy(to, p, room);
		cr_spool_took(out, room);
		p += room;
		len -= room;
	}
	return CR_OK;
}

int
cr_unpack_utf16(struct cr_feed *f, bool big, struct cr_spool *out, uint64_t max_bytes,
	const struct cr_progress *progress, uint64_t *bad, struct cr_err *err)
{
	const struct unpack u = {.f = f, .out = out, .max_bytes = max_bytes, .progress = progress};
	struct cr_utf16 utf16 = {.big = big};
	unsigned char *text = cr_alloc(STEP_BYTES, 1);
	int rc = cr_feed_need(f, CR_UTF16_MARK, err);

	if (rc == CR_OK)
		cr_feed_take(f, CR_UTF16_MARK);
	while (rc == CR_OK && (rc = cr_feed_need(f, 2, err)) == CR_OK &&
		(rc = go_on(&u, false, err)) == CR_OK && (f->left || utf16.high)) {
		const size_t in = CR_MIN(f->left, STEP_BYTES);
		size_t took, made = cr_utf16_step(
				     &utf16, f->p, in, f->left < 2, text, STEP_BYTES, &took);

		cr_feed_take(f, took);
		rc = spool_put(out, text, made, err);
	}
	*bad = utf16.bad;
	free(text);
	return rc;
}
