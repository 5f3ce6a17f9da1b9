#ifndef CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_FORMAT_P_H
#define CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACE_FORMAT_P_H

#include "base/mem.h"
#include "base/str.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* A field of a tracepoint's record, which is what the RAW field of its samples holds. */
struct perf_trace_field {
	struct cr_str name;
	uint32_t offset;    /* of its first byte in the record */
	uint32_t size;      /* in bytes; 0 reaches to the end of the record */
	uint8_t item_bytes; /* of an item of an array: 1, 2, 4 or 8; 1 also where the type tells
			       nothing */
	bool is_signed;     /* the number, or each item; no pointer is */
	bool is_array;      /* of items, or of characters; every dynamic field is one */
	bool is_string;     /* an array of characters, which may end earlier, at a NUL */
	bool is_dynamic; /* __data_loc and __rel_loc: size / 4 times u32 length << 16 | place of the
			    items */
	bool is_relative; /* __rel_loc: the place counts from the end of this field, not from the
			     record's start */
	bool is_pointer;
	bool is_hex;    /* a number that is read in hexadecimal: a pointer, an address, flags */
	uint8_t code;   /* enum cr_code_form: an address of the kernel's code */
	bool is_common; /* common_type, common_pid and so on, which every tracepoint has */
};

/* All strings and fields are of the arena that it was read into. */
struct perf_tracepoint {
	uint64_t id;          /* config of the attrs of this tracepoint */
	struct cr_str system; /* "sched" */
	struct cr_str name;   /* "sched_switch" */
	const struct perf_trace_field
		*fields; /* in the order of the format, which is mostly that of the record */
	uint32_t n_fields;
};

/*
 * The text of a file events/SYSTEM/NAME/format, whose system is the caller's to add:
 *
 *	name: sched_switch
 *	ID: 316
 *	format:
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *
 * long_bytes is the size of the recorded machine's long. False without a name or an id. A field
 * that cannot be read is left out, and so are those past the 256th: a probe has at most 128.
 * Source: the formats that Linux 4.9 to 6.18 write; arrays of probes:
 * Documentation/trace/kprobetrace.rst.
 */
bool cr_perf_trace_format_read(struct cr_str text, unsigned long_bytes, struct cr_arena *arena,
	struct perf_tracepoint *out);

/* The field of a name; NULL if there is none. */
const struct perf_trace_field *cr_perf_trace_field_find(
	const struct perf_tracepoint *t, struct cr_str name);

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
