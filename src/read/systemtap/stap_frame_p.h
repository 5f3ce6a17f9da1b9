#ifndef CR_READ_SYSTEMTAP_STAP_FRAME_P_H
#define CR_READ_SYSTEMTAP_STAP_FRAME_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A frame as SystemTap's runtime prints it, or as scripts do. Blanks around it do not count, nor do
 * "Returning from: " before it and " (inexact)" behind it.
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
	uint32_t digits;    /* of addr, as they stand there */
	struct cr_str name; /* of STAP_NAMED and STAP_TEXT; may be empty */
	uint64_t offset;    /* in the function, or of a nameless one in the module */
	bool has_offset;
	struct cr_str module; /* without " (deleted)"; "" when not known */
	struct cr_str file;   /* "" when not known */
	uint32_t line;
	bool unfolded; /* a script found out that it is inlined, or into what; see
			  cr_stap_frame_parse() */
};

/*
 * The toolkits' resolve-inlines writes the functions inlined at an address as frames of their own,
 * with the same address, offset and size 0, and the place in the source for the module: those are
 * unfolded.
 */
void cr_stap_frame_parse(struct cr_str line, struct stap_frame *out);

/*
 * backtrace() printed as it is: addresses with blanks between them, innermost first. True if the
 * line is two of them or more; the last may be cut off, even before its first digit.
 */
bool cr_stap_frame_is_list(struct cr_str line);

/* Does it look like a frame where nothing else says so, in a text without counts? */
bool cr_stap_frame_is_sure(const struct stap_frame *f);

/* An address of the upper half, where kernels are: of 64 bits, of 32 where all addresses are. */
bool cr_stap_frame_in_kernel(uint64_t addr, bool all_32);

#endif
