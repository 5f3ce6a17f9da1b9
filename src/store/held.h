#ifndef CR_STORE_HELD_H
#define CR_STORE_HELD_H

#include "cresset/base/err.h"

/*
 * Open the file that stands at path now and hold it, until the descriptor is closed: who changes what stands under a
 * name takes turns with who renames or removes it. Waits for who has it. CR_ENOTFOUND when there is none, or none any
 * more. On a file system without locks it is only opened.
 */
int cr_held_open(const char *path, int *fd, struct cr_err *err);

#endif
