#include "base/err.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
cr_fail(struct cr_err *err, int code, uint64_t offset, const char *fmt, ...)
{
	va_list ap;

	err->code = code;
	err->offset = offset;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

int
cr_fail_errno(struct cr_err *err, int code, const char *fmt, ...)
{
	const int saved = errno;
	char room[128];
	const char *why;
	va_list ap;
	size_t len;

	err->code = code;
	err->offset = CR_NO_OFFSET;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	/* GNU's strerror_r returns the text, which may or may not be in the buffer. */
	why = strerror_r(saved, room, sizeof(room));
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %c%s", tolower((unsigned char)why[0]),
		why + 1);
	errno = saved;
	return code;
}
