#ifndef CR_BASE_TEMP_H
#define CR_BASE_TEMP_H

/*
 * Open a temporary file without a name in the first usable directory of $TMPDIR, /var/tmp and /tmp.
 * It is removed when its descriptor is closed, however the program ends. Returns -1 with errno on
 * failure.
 */
int cr_temp_file(void);

/*
 * Create an empty temporary file for another program to write, in the same directories. Returns its
 * path, or NULL with errno. The caller removes it with cr_temp_remove(); a signal or exit() removes
 * it, too.
 */
char *cr_temp_named(void);

/* Remove such a file and free its path. NULL is allowed. */
void cr_temp_remove(char *path);

#endif
