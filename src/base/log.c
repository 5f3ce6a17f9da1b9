#include "cresset/base/log.h"

#include "cresset/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
cr_log_warn(struct cr_log *log, const char *kind, uint64_t offset, const char *fmt, ...)
{
	struct cr_log_entry *e = log->entries;
	va_list ap;

	for (; e < log->entries + log->n; e++)
		if (strcmp(e->kind, kind) == 0)
			break;
	if (e == log->entries + CR_LOG_KINDS)
		e--;
	e->count++;
	if (e < log->entries + log->n)
		return;
	log->n++;
	e->kind = kind;
	e->offset = offset;
	va_start(ap, fmt);
	vsnprintf(e->first, sizeof(e->first), fmt, ap);
	va_end(ap);
}
