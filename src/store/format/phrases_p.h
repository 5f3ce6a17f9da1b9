#ifndef CR_STORE_FORMAT_PHRASES_P_H
#define CR_STORE_FORMAT_PHRASES_P_H

#include <stddef.h>

/*
 * Text of the kind that recordings have: names of facts, of events and of their attributes, of
 * threads of the kernel, of files and functions. The texts of a store are compressed as if it stood
 * before them, which takes a fifth to a half less for those of small profiles. It never changes: a
 * section of version 4 can only be read with it. Other phrases would need another version.
 */
const char *cr_phrases(size_t *len);

#endif
