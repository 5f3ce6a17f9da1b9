#ifndef CR_READ_FOREIGN_FORMAT_P_H
#define CR_READ_FOREIGN_FORMAT_P_H

#include "read/probe.h"

/*
 * What people hand over that no reader reads, by what it begins with or holds, for an error
 * message: "not a profile but an ELF file", or "callgrind output, which is not read". NULL when it
 * is not known. *is_profile: it is a profile, or counts, of a format that this version does not
 * read.
 */
const char *cr_foreign_format_name(const struct cr_head *head, bool *is_profile);

#endif
