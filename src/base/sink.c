#include "base/sink.h"

#include "base/atomic_file.h"
#include "base/work.h"

int
cr_sink_put(struct cr_sink *s, const void *bytes, size_t len, struct cr_err *err)
{
	if (s->memory) {
		cr_text_put(s->memory, bytes, len);
		return CR_OK;
	}
	if (!s->stream)
		return cr_write_whole(s->fd, bytes, len, err);
	if (fwrite(bytes, 1, len, s->stream) != len)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	return CR_OK;
}

int
cr_sink_text(struct cr_sink *s, struct cr_text *t, struct cr_err *err)
{
	const int rc = t->len ? cr_sink_put(s, t->p, t->len, err) : CR_OK;

	if (rc == CR_OK)
		cr_text_clear(t);
	return rc;
}

int
cr_sink_large(struct cr_sink *s, struct cr_text *t, struct cr_err *err)
{
	if (t->len < CR_SINK_LARGE)
		return CR_OK;
	return cr_work_step("writing", 0, 0) ? cr_sink_text(s, t, err) : cr_work_check(err);
}

int
cr_sink_flush(struct cr_sink *s, struct cr_err *err)
{
	if (s->stream && (fflush(s->stream) != 0 || ferror(s->stream)))
		return cr_fail_errno(err, CR_EIO, "cannot write");
	return CR_OK;
}
