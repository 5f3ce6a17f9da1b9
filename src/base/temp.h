#ifndef CR_BASE_TEMP_H
#define CR_BASE_TEMP_H

/*
 * A file without a name, in the first of $TMPDIR, /var/tmp and /tmp that takes one: gone with its
 * descriptor, however the program ends. -1 and errno when there can be none.
 */
int cr_temp_file(void);

#endif
