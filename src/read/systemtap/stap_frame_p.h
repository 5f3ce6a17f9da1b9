#ifndef CR_READ_SYSTEMTAP_STAP_FRAME_P_H
#define CR_READ_SYSTEMTAP_STAP_FRAME_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A frame as printed by SystemTap's runtime or by scripts. Surrounding blanks are ignored, and so
 * are "Returning from: " before it and " (inexact)" after it.
 *
 *	0x7f11 : main+0x1/0x20 [/bin/prog]                   named; also " at FILE:LINE" before " ["
 *	main+0x1 [prog]    main+0x1                           named, without an address
 *	0x7f11 : 0x7f11 [/lib/x.so+0x8a01/0x2000]             nameless; also without " : 0x7f11"
 *	0x7f11 : 0x7f11    0x7f11    0x7f11  :  <unknown>     bare
 *	@/srv/app.lua:41   My::Pkg::sub   [tail]              of a language: all of the text
 */
enum stap_shape {
	STAP_TEXT,
	STAP_NAMED,
	STAP_NAMELESS,
	STAP_BARE,
};

struct stap_frame {
	enum stap_shape shape;
	bool has_addr;
	uint64_t addr;      /* absolute */
	uint32_t digits;    /* number of digits of addr, as written */
	struct cr_str name; /* for STAP_NAMED and STAP_TEXT; may be empty */
	uint64_t offset;    /* in the function, or in the module for a nameless frame */
	bool has_offset;
	struct cr_str module; /* without " (deleted)"; "" if unknown */
	struct cr_str file;   /* "" if unknown */
	uint32_t line;
	bool unfolded; /* a script resolved inlined functions; see cr_stap_frame_parse() */
};

/*
 * Parse a frame. The toolkits' resolve-inlines writes functions inlined at an address as separate
 * frames, with the same address, offset and size 0, and the source line instead of the module:
 * those have `unfolded` set.
 */
void cr_stap_frame_parse(struct cr_str line, struct stap_frame *out);

/*
 * True for the raw output of backtrace(): at least two addresses separated by blanks, innermost
 * first. The last may be truncated, even before its first digit.
 */
bool cr_stap_frame_is_list(struct cr_str line);

/* True if it is certainly a frame, in a text without counts. */
bool cr_stap_frame_is_sure(const struct stap_frame *f);

/*
 * True for an address in the upper half, where kernels are: with 64 bits, or with 32 bits if all
 * addresses have 32.
 */
bool cr_stap_frame_in_kernel(uint64_t addr, bool all_32);

#endif
