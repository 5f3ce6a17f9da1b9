#ifndef CR_CMD_CONFIG_FILE_P_H
#define CR_CMD_CONFIG_FILE_P_H

#include "session/session.h"

/*
 * The path of the configuration file: $XDG_CONFIG_HOME/cresset/config, or
 * ~/.config/cresset/config. NULL if there is no home directory; free() it.
 */
char *cr_config_path(void);

/*
 * Apply the file to a session. No file is no failure. CR_EUSAGE for a line that cannot be run, see
 * cr_session_configure(), CR_EIO if the file cannot be read.
 */
int cr_config_apply(struct cr_session *s, struct cr_err *err);

#endif
