#ifndef CR_SESSION_EXPORT_H
#define CR_SESSION_EXPORT_H

#include "base/option.h"

/*
 * The options of the output format that a path chooses by its extension, for completion: the last
 * has no name. NULL if the path names no format, or one without options.
 */
const struct cr_option_spec *cr_export_options(const char *path);

/* Bytes before the first " NAME=" of a line: of the path in "PATH NAME=VALUE ...". */
size_t cr_export_path_len(const char *line);

#endif
