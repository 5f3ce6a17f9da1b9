#ifndef CR_BASE_CLEANUP_H
#define CR_BASE_CLEANUP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/*
 * Install handlers for signals that would end the program. They remove temporary files, restore the
 * terminal and then let the program die by the same signal, as a shell expects. Signals that were
 * ignored at the start or already have a handler are left alone. exit() runs the same cleanup, for
 * example when memory is exhausted.
 */
void cr_cleanup_setup(void);

/*
 * Create a file that a signal must remove: open() with flags and mode. Returns the descriptor, or
 * -1 with errno. The file is registered as soon as it exists, until cr_cleanup_forget(), which the
 * caller calls after renaming or removing it.
 */
int cr_cleanup_create(const char *path, int flags, mode_t mode);
void cr_cleanup_name(const char *path); /* register an existing file */
void cr_cleanup_forget(const char *path);

/*
 * Set what a signal handler writes to terminal fd, and the modes it sets there (NULL for none). At
 * most 256 bytes, which are copied; longer ones are ignored. Replaces the previous call; len 0
 * removes it. Nothing is written while another job is in the foreground of the terminal.
 */
void cr_cleanup_terminal(int fd, const char *bytes, size_t len, const struct termios *modes);

/*
 * Clean up now and die by this signal. Safe in a signal handler. Returns only if the signal is
 * ignored.
 */
void cr_cleanup_die(int sig);

/* Clean up without dying, for a handler that ends the program itself. Safe in a signal handler. */
void cr_cleanup_run(void);

/*
 * True if the signal was ignored when the program started, as by nohup(1) or a background job of a
 * script.
 */
bool cr_cleanup_ignored(int sig);

#endif
