#include "base/safe_stream.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define LINE_MOST ((size_t)1 << 16) /* longer lines are passed on in pieces */

struct safe_stream {
	FILE *out;
	struct cr_text line; /* what was written since the last newline or tab */
	struct cr_text safe;
};

/* Write the first len bytes of the line. */
static bool
pass_on(struct safe_stream *s, size_t len)
{
	const size_t rest = s->line.len - len;

	cr_text_clear(&s->safe);
	if (len)
		cr_text_safe(&s->safe, (struct cr_str){s->line.p, (uint32_t)len});
	if (rest)
		memmove(s->line.p, s->line.p + len, rest);
	s->line.len = rest;
	return !s->safe.len || fwrite(s->safe.p, 1, s->safe.len, s->out) == s->safe.len;
}

/* The length of the line without an incomplete character at its end. */
static size_t
whole_characters(const struct cr_text *line)
{
	for (size_t back = 1; back <= 3 && back <= line->len; back++)
		if ((unsigned char)line->p[line->len - back] >= 0xc0)
			return line->len - back;
	return line->len;
}

/* Number of bytes up to the next newline or tab, which are passed on unchanged. */
static size_t
run_of(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] != '\n' && p[n] != '\t')
		n++;
	return n;
}

static ssize_t
stream_write(void *cookie, const char *p, size_t len)
{
	struct safe_stream *s = cookie;

	for (size_t at = 0; at < len;) {
		const size_t run = run_of(p + at, CR_MIN(len - at, LINE_MOST));

		cr_text_put(&s->line, p + at, run);
		at += run;
		if (at < len && (p[at] == '\n' || p[at] == '\t')) {
			/* Reports an error, according to fopencookie(). */
			if (!pass_on(s, s->line.len) || putc(p[at++], s->out) == EOF)
				return 0;
		} else if (s->line.len >= LINE_MOST && !pass_on(s, whole_characters(&s->line))) {
			return 0;
		}
	}
	return (ssize_t)len;
}

static int
stream_close(void *cookie)
{
	struct safe_stream *s = cookie;
	const bool good = pass_on(s, s->line.len) && fflush(s->out) == 0;

	cr_text_fini(&s->line);
	cr_text_fini(&s->safe);
	free(s);
	return good ? 0 : -1;
}

FILE *
cr_safe_stream_open(FILE *out)
{
	static const cookie_io_functions_t functions = {
		.write = stream_write, .close = stream_close};
	struct safe_stream *s = cr_alloc(1, sizeof(*s));
	FILE *stream;

	s->out = out;
	stream = fopencookie(s, "w", functions);
	if (!stream)
		free(s);
	return stream;
}
