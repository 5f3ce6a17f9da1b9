#ifndef CR_READ_JAVA_JAVA_FRAME_P_H
#define CR_READ_JAVA_JAVA_FRAME_P_H

#include "read/kit/stacks_p.h"

/*
 * A frame as printed by Java tools: "pkg.Class.method(module@1.2/Class.java:12)". All strings are
 * borrowed.
 */
struct cr_java_frame {
	struct cr_str name;   /* "pkg.Class.method" */
	struct cr_str module; /* "module@1.2"; "" if unknown */
	struct cr_str file;   /* "" if unknown */
	uint32_t line;        /* 0 if unknown */
};

/* Parse a frame without surrounding blanks; false if it is none. */
bool cr_java_frame(struct cr_str s, struct cr_java_frame *out);

/*
 * Parse a line "at FRAME", with or without leading blanks. *is_at: it begins with "at", even if the
 * rest is no frame.
 */
bool cr_java_at(struct cr_str line, bool *is_at, struct cr_java_frame *out);

/* Add the frame to the current stack. */
void cr_java_push(struct cr_stacks *s, const struct cr_java_frame *f);

/* "Worker" from "Worker-7": the threads of a pool share a name. */
struct cr_str cr_java_pool(struct cr_str thread);

#endif
