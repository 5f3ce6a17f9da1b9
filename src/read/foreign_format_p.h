#ifndef CR_READ_FOREIGN_FORMAT_P_H
#define CR_READ_FOREIGN_FORMAT_P_H

#include "read/probe.h"

/*
 * Recognise an input that no reader accepts, for an error message: "not a profile but an ELF file",
 * or "callgrind output, which is not read". NULL if it is unknown. *is_profile: it is a profile, or
 * counts, in a format that this version does not read.
 */
const char *cr_foreign_format_name(const struct cr_head *head, bool *is_profile);

#endif
