#ifndef CR_BASE_CLEANUP_H
#define CR_BASE_CLEANUP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/*
 * What has to be undone when a signal ends the program: files that are half written are removed,
 * and the terminal is given back as it was. Then the program dies by that signal, as a shell
 * expects. Every signal that would end the program is caught, but for those that were ignored when
 * it started and those that something else has caught before. exit() from deep below, when memory
 * is gone, undoes the same.
 */
void cr_cleanup_setup(void);

/*
 * Create a file that must not outlive a signal: open() with flags and mode. The file is known from
 * the moment it exists until cr_cleanup_forget(), which its maker calls once it is renamed or
 * removed.
 */
int cr_cleanup_create(const char *path, int flags, mode_t mode);
void cr_cleanup_name(const char *path); /* the same of a file that is there already */
void cr_cleanup_forget(const char *path);

/*
 * What is written to terminal fd, and the modes that are set there (NULL for none), when a signal
 * ends the program: at most 256 bytes, which are copied; longer ones are not taken. They replace
 * those given before; len 0 takes them back. Nothing is done to a terminal that has another job in
 * the foreground.
 */
void cr_cleanup_terminal(int fd, const char *bytes, size_t len, const struct termios *modes);

/*
 * Do it now, and die by this signal. Safe in a signal handler. Returns only if the signal is
 * ignored.
 */
void cr_cleanup_die(int sig);

/*
 * The same without dying, for a handler that ends the program in its own way. Safe in a signal
 * handler.
 */
void cr_cleanup_run(void);

/*
 * Was this signal ignored when the program started, as by nohup(1) or in the background of a
 * script?
 */
bool cr_cleanup_ignored(int sig);

#endif
