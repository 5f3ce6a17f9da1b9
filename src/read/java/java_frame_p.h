#ifndef CR_READ_JAVA_TEXT_JAVA_P_H
#define CR_READ_JAVA_TEXT_JAVA_P_H

#include "read/kit/stacks_p.h"

/*
 * A frame as the Java world writes it: "pkg.Class.method(module@1.2/Class.java:12)". All borrowed.
 */
struct cr_java_frame {
	struct cr_str name;   /* "pkg.Class.method" */
	struct cr_str module; /* "module@1.2"; "" when not known */
	struct cr_str file;   /* "" when not known */
	uint32_t line;        /* 0 when not known */
};

/* s without blanks around it; false when it is no frame. */
bool cr_java_frame(struct cr_str s, struct cr_java_frame *out);

/*
 * A line "at FRAME", blanks before it or not; *is_at: it begins so, whether or not the rest is a
 * frame.
 */
bool cr_java_at(struct cr_str line, bool *is_at, struct cr_java_frame *out);

void cr_java_push(struct cr_stacks *s, const struct cr_java_frame *f);

/* "Worker" of "Worker-7": threads of a pool under one name. */
struct cr_str cr_java_pool(struct cr_str thread);

#endif
