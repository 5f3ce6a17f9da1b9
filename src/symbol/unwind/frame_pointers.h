#ifndef CR_SYMBOL_UNWIND_FRAME_POINTERS_H
#define CR_SYMBOL_UNWIND_FRAME_POINTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How many functions of a program keep frame pointers, so that a recorder can follow them from
 * caller to caller. Some 2000 functions are examined, evenly spread over the program's own code;
 * libraries are not.
 */
struct cr_frame_pointers {
	uint32_t examined; /* functions that save something on the stack, by .eh_frame */
	uint32_t keeping;  /* those of them that set up a frame pointer */
	bool go;           /* made by the Go compiler, which always keeps frame pointers */
};

/*
 * Examine an ELF file, taking ownership of fd. Returns false if the file is no program for this
 * machine. *out is set in any case.
 */
bool cr_frame_pointers_of(int fd, struct cr_frame_pointers *out);

#endif
