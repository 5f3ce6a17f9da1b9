#ifndef CR_BASE_SECURE_H
#define CR_BASE_SECURE_H

#include "base/err.h"

#include <stdbool.h>

/*
 * The browser for somebody who must not reach other files through it, as LESSSECURE makes less: if
 * the environment has CRESSETSECURE=1, it writes no file, starts no editor, opens no other file and
 * does not change the store.
 */

/* True if CRESSETSECURE is set to anything but "" and "0". */
bool cr_secure(void);

/* CR_OK, or CR_EUNSUPPORTED if CRESSETSECURE turns this off. what: "export", the command. */
int cr_secure_check(const char *what, struct cr_err *err);

#endif
