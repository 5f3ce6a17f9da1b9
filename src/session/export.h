#ifndef CR_SESSION_EXPORT_H
#define CR_SESSION_EXPORT_H

#include "base/option.h"

/*
 * The options of the output format that a path selects by its extension, for completion; the last
 * one has no name. NULL if the path selects no format, or one without options.
 */
const struct cr_option_spec *cr_export_options(const char *path);

/* Length of the path in a line "PATH NAME=VALUE ...", up to the first " NAME=". */
size_t cr_export_path_len(const char *line);

#endif
