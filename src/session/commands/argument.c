#include "argument_p.h"

#include "session/session_p.h"

#include "base/hash.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
cr_argument_bad(struct cr_err *err, const char *what, const char *given, const char *wanted)
{
	if (!*given)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s: one of %s", what, wanted);
	return cr_fail(
		err, CR_EUSAGE, CR_NO_OFFSET, "unknown %s '%s'; use %s", what, given, wanted);
}

int
cr_argument_number(
	const char *text, long from, long to, long *out, const char **rest, struct cr_err *err)
{
	char *end;

	errno = 0;
	*out = strtol(text, &end, 10);
	*rest = end;
	if (end == text || (*end && *end != ' '))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "'%s' is not a number", text);
	if (errno || *out < from || *out > to)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%.*s is not between %ld and %ld",
			(int)(end - text), text, from, to);
	return CR_OK;
}

static bool
frame_is_named(const struct cr_session *s, uint32_t frame, uint32_t like)
{
	return cr_str_eq(s->tree->frames[frame].name, s->tree->frames[like].name);
}

int
cr_argument_node(const struct cr_session *s, const char *text, uint32_t *out, struct cr_err *err)
{
	const struct cr_tree *t = s->tree;
	const char *rest;
	long number;
	int rc;

	if (isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789")] == '\0') {
		if ((rc = cr_argument_number(text, 0, (long)t->n - 1, &number, &rest, err)) < 0)
			return rc;
		*out = (uint32_t)number;
		return CR_OK;
	}
	for (uint32_t f = 0; f < t->n_frames; f++) {
		if (!cr_str_eq(t->frames[f].name, cr_str_of(text)))
			continue;
		*out = cr_session_widest(s, s->zoom, frame_is_named, f);
		if (*out == CR_NO_ROW)
			*out = cr_session_widest(s, 0, frame_is_named, f);
		if (*out != CR_NO_ROW)
			return CR_OK;
	}
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no frame '%s'", text);
}
