#ifndef CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_VALUE_P_H
#define CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_VALUE_P_H

#include "base/text.h"
#include "bytes/cursor.h"
#include "model/profile.h"
#include "perf_trace_format_p.h"

/*
 * What a field of a tracepoint holds. raw is the RAW field of a sample without the size in front
 * of it, and in the byte order of the machine recorded.
 */

/* CR_FORM_TEXT for arrays and for what is no number of 1, 2, 4 or 8 bytes. */
enum cr_form cr_perf_trace_form(const struct perf_trace_field *f);

/*
 * The value of a field of another form than text, extended by its sign; false, and 0, past the end
 * of raw.
 */
bool cr_perf_trace_number(const struct perf_trace_field *f, struct cr_cursor raw, uint64_t *out);

/*
 * The value of a field of the form text, appended: strings byte by byte up to a NUL, arrays
 * of numbers by items ("0x1,0x2", signed ones "1,-2"), arrays of bytes and what is of no known type
 * as the bytes lie ("00ff"). After PERF_TRACE_TEXT bytes it is cut. False, and nothing appended,
 * where the field or what it points to is not in raw.
 */
#define PERF_TRACE_TEXT 4096
bool cr_perf_trace_text(
	const struct perf_trace_field *f, struct cr_cursor raw, struct cr_text *out);

#endif
