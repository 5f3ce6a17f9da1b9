#ifndef CR_SYMBOL_FILES_GATE_P_H
#define CR_SYMBOL_FILES_GATE_P_H

#include "gate_rule_p.h"
#include "symbol/opts.h"

/*
 * All files named by a recording, a profile or debug info are opened here: dsos, debug files, perf
 * maps, jitdumps, source files. The author of the input chose the names, and may not be the user.
 *
 * - The file must be regular, and not in /proc or /sys.
 * - "." and ".." in the name are resolved textually and never reach the kernel.
 * - Below opts->symfs and opts->source_dir, links are resolved inside that directory, as after a
 *   chroot.
 * - Links are followed below directories for debug files, of the system (/usr/lib/debug, /boot,
 *   /lib/modules) and of the user (opts->debug_dir, opts->home), and for opts->vmlinux itself.
 * - Elsewhere the last part of the name must not be a link. If the program runs as root, the file
 *   must be readable by everyone, or belong to root or to the owner of the recording.
 */

/*
 * Open a file for reading. rules: bits of enum cr_gate_rule, ignored below directories that the
 * user gave. also: user id for CR_GATE_OWNED, or CR_GATE_NOBODY. path begins with the directory of
 * opts that it is below, if any. Returns a descriptor, or -1.
 *
 * If this process is confined and opts->opener is set, the opener opens what this process may not,
 * with the same rules.
 */
int cr_gate_open(
	const struct cr_symbol_opts *opts, const char *path, unsigned rules, uint32_t also);

/*
 * Why cr_gate_open() did not open this path: NULL if it does not exist, otherwise what was refused.
 */
const char *cr_gate_refusal(const char *path);

/*
 * Call visit for the directories, and the file, that the rules above name, from opts and of the
 * system.
 */
void cr_gate_places(
	const struct cr_symbol_opts *opts, void (*visit)(void *user, const char *path), void *user);

#endif
