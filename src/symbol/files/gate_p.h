#ifndef CR_SYMBOL_FILES_GATE_P_H
#define CR_SYMBOL_FILES_GATE_P_H

#include "gate_rule_p.h"
#include "symbol/opts.h"

/*
 * The one way to open a file that a recording, a profile or debug info names: a dso, a debug file,
 * a perf map, a jitdump, a source file. Whoever made the input chose the name, and may not be who
 * runs the program.
 *
 * - It is a regular file, and not one of /proc or /sys.
 * - "." and ".." in the name are resolved as text, so that none of them reaches the kernel.
 * - Below opts->symfs and opts->source_dir every link leads to a place below that directory, as
 *   after a chroot.
 * - Below the directories for debug files, of the system (/usr/lib/debug, /boot, /lib/modules) and
 *   the user (opts->debug_dir, opts->home), and for opts->vmlinux itself, links are followed.
 * - Anywhere else the last part of the name is no link. And where the program runs as root, the
 *   file can be read by everyone, or belongs to root or to the owner of the recording.
 */

/*
 * Open a file for reading. rules are bits; neither counts below a directory that the user gave.
 * path begins with the directory of opts that it is below, if any. Returns a descriptor, or -1.
 *
 * Where this process is confined and opts->opener is there, that one opens what this one may not,
 * by the same rules.
 */
int cr_gate_open(
	const struct cr_symbol_opts *opts, const char *path, unsigned rules, uint32_t also);

/*
 * Why cr_gate_open() opened nothing at this path: NULL when there is nothing, otherwise what was
 * not accepted.
 */
const char *cr_gate_refusal(const char *path);

/*
 * Visit the directories, and the file, that the rules above name: those of opts and those of the
 * system.
 */
void cr_gate_places(
	const struct cr_symbol_opts *opts, void (*visit)(void *user, const char *path), void *user);

#endif
