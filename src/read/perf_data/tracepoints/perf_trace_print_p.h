#ifndef CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_PRINT_P_H
#define CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_PRINT_P_H

#include "perf_trace_format_p.h"

/*
 * How the kernel prints a tracepoint:
 *
 *	"call_site=%pS ptr=%p bytes_req=%zu", (void *)REC->call_site, REC->ptr, REC->bytes_req
 *
 * text is what follows "print fmt:" in its format. Fields that are an argument as they are, but for
 * casts and parentheses, get `code` and `is_hex` by their conversion: %pS and the like are
 * functions, other pointers and %x hexadecimal. Whatever cannot be read says nothing of the fields.
 */
void cr_perf_trace_print_read(struct cr_str text, struct perf_trace_field *fields, uint32_t n);

#endif
