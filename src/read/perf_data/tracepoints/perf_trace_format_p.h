#ifndef CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_FORMAT_P_H
#define CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_FORMAT_P_H

#include "base/mem.h"
#include "base/str.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* A field of a tracepoint's record, which is the RAW field of its samples. */
struct perf_trace_field {
	struct cr_str name;
	uint32_t offset;    /* of its first byte in the record */
	uint32_t size;      /* in bytes; 0 extends to the end of the record */
	uint8_t item_bytes; /* size of an array item: 1, 2, 4 or 8; 1 if the type is unknown */
	bool is_signed;     /* of the number or of each item; never for a pointer */
	bool is_array;      /* of items or characters; every dynamic field is one */
	bool is_string;     /* an array of characters, which may end earlier, at a NUL */
	/* __data_loc and __rel_loc: size / 4 times u32, length << 16 | offset of the items. */
	bool is_dynamic;
	/*
	 * __rel_loc: the offset counts from the end of this field, not from the start of the
	 * record.
	 */
	bool is_relative;
	bool is_pointer;
	bool is_hex;    /* printed in hexadecimal: a pointer, an address, flags */
	uint8_t code;   /* enum cr_code_form: an address of kernel code */
	bool is_common; /* common_type, common_pid etc., which every tracepoint has */
};

/* The arena given when reading owns all strings and fields. */
struct perf_tracepoint {
	uint64_t id;          /* config of the attrs of this tracepoint */
	struct cr_str system; /* "sched" */
	struct cr_str name;   /* "sched_switch" */
	/* In the order of the format, usually that of the record. */
	const struct perf_trace_field *fields;
	uint32_t n_fields;
};

/*
 * Parse the text of a file events/SYSTEM/NAME/format; the caller sets the system:
 *
 *	name: sched_switch
 *	ID: 316
 *	format:
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *
 * long_bytes: sizeof(long) on the recorded machine. Returns false without a name or an id. Invalid
 * fields are skipped, and so are those after the 256th: a probe has at most 128. Source: formats
 * written by Linux 4.9 to 6.18; arrays of probes: Documentation/trace/kprobetrace.rst.
 */
bool cr_perf_trace_format_read(struct cr_str text, unsigned long_bytes, struct cr_arena *arena,
	struct perf_tracepoint *out);

/* The field with this name; NULL if there is none. */
const struct perf_trace_field *cr_perf_trace_field_find(
	const struct perf_tracepoint *t, struct cr_str name);

/*
 * Parse how the kernel prints a tracepoint:
 *
 *	"call_site=%pS ptr=%p bytes_req=%zu", (void *)REC->call_site, REC->ptr, REC->bytes_req
 *
 * text: what follows "print fmt:" in its format. A field that is an argument by itself (apart from
 * casts and parentheses) gets `code` and `is_hex` from its conversion: %pS and similar are
 * functions; other pointers and %x are hexadecimal. What cannot be parsed is ignored.
 */
void cr_perf_trace_print_read(struct cr_str text, struct perf_trace_field *fields, uint32_t n);

#endif
