#ifndef CR_BASE_TEMP_H
#define CR_BASE_TEMP_H

/*
 * Open a temporary file without a name in the first usable directory of $TMPDIR, /var/tmp and /tmp.
 * It is removed when its descriptor is closed, however the program ends. Returns -1 with errno on
 * failure.
 */
int cr_temp_file(void);

#endif
