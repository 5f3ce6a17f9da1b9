#ifndef CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_VALUE_P_H
#define CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_VALUE_P_H

#include "base/text.h"
#include "bytes/cursor.h"
#include "model/profile.h"
#include "perf_trace_format_p.h"

/*
 * Values of a tracepoint's fields. raw: the RAW field of a sample without its size, in the byte
 * order of the recorded machine.
 */

/* CR_FORM_TEXT for arrays and for anything but a number of 1, 2, 4 or 8 bytes. */
enum cr_form cr_perf_trace_form(const struct perf_trace_field *f);

/*
 * The sign-extended value of a field that is no text; false, and 0, if it is beyond the end of raw.
 */
bool cr_perf_trace_number(const struct perf_trace_field *f, struct cr_cursor raw, uint64_t *out);

/*
 * Append the value of a text field: strings up to a NUL, arrays of numbers as items ("0x1,0x2",
 * signed "1,-2"), arrays of bytes and unknown types as bytes ("00ff"). Truncated after
 * PERF_TRACE_TEXT bytes. Returns false, with nothing appended, if the field or what it refers to is
 * not in raw.
 */
#define PERF_TRACE_TEXT 4096
bool cr_perf_trace_text(
	const struct perf_trace_field *f, struct cr_cursor raw, struct cr_text *out);

#endif
