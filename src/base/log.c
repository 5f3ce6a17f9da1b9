#include "base/log.h"

#include "base/err.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The entry of a kind; a new one with count 0 if there was none. */
static struct cr_log_entry *
entry_of(struct cr_log *log, const char *kind)
{
	struct cr_log_entry *e = log->entries;

	for (; e < log->entries + log->n; e++)
		if (strcmp(e->kind, kind) == 0)
			return e;
	if (e == log->entries + CR_LOG_KINDS)
		return e - 1;
	log->n++;
	e->kind = kind;
	return e;
}

void
cr_log_warn(struct cr_log *log, const char *kind, uint64_t offset, const char *fmt, ...)
{
	struct cr_log_entry *e = entry_of(log, kind);
	va_list ap;

	if (e->count++)
		return;
	e->offset = offset;
	va_start(ap, fmt);
	vsnprintf(e->first, sizeof(e->first), fmt, ap);
	va_end(ap);
}

void
cr_log_count(struct cr_log *log, const char *kind, uint64_t count, uint64_t line)
{
	struct cr_log_entry *e = entry_of(log, kind);

	if (e->count == 0) {
		e->offset = CR_NO_OFFSET;
		e->line = line;
	}
	e->count += count;
}

void
cr_log_line(struct cr_log *log, const char *why, uint64_t line, struct cr_str text)
{
	struct cr_log_place *p;

	if (log->n_places == CR_LOG_LINES)
		return;
	p = &log->places[log->n_places++];
	p->why = why;
	p->line = line;
	memcpy(p->text, text.len ? text.p : "", CR_MIN((size_t)text.len, sizeof(p->text) - 1));
}

void
cr_log_put(const struct cr_log_entry *e, struct cr_text *out)
{
	cr_text_puts(out, e->kind);
	if (e->count > 1 || e->line)
		cr_text_printf(out, ": %" PRIu64, e->count);
	if (e->count > 1)
		cr_text_puts(out, ", the first");
	if (e->line)
		cr_text_printf(out, "%s in line %" PRIu64, e->count > 1 ? "" : ",", e->line);
	if (e->offset != CR_NO_OFFSET)
		cr_text_printf(out, " at offset %" PRIu64, e->offset);
	if (e->first[0]) {
		cr_text_puts(out, ": ");
		cr_text_safe(out, cr_str_of(e->first));
	}
}
