#ifndef CR_SYMBOL_JIT_PROCESS_P_H
#define CR_SYMBOL_JIT_PROCESS_P_H

#include "model/profile.h"

struct cr_opener;

/*
 * Files of a process that was recorded and still lives: in a container /tmp is another directory,
 * and the process knows itself by another pid.
 *
 * A number says little: the recording may be of another machine, or of last week. The process
 * is believed to be the one recorded when it has a file mapped, to the byte, where the recording
 * has it; addresses are random.
 *
 * opener opens the files of /proc that this process, being confined, may not; NULL for none.
 */
struct cr_process_map {
	uint64_t start; /* absolute */
	uint64_t pgoff; /* offset of start in the file */
	struct cr_str path;
};

/* Does process pid of this machine have one of these n mappings? At most 64 are looked at. */
bool cr_process_has(
	struct cr_opener *opener, int32_t pid, const struct cr_process_map *maps, size_t n);

/* The same of all that p knows of its process pid. */
bool cr_process_recorded(struct cr_opener *opener, int32_t pid, const struct cr_profile *p);

/* The user that a process of this machine runs as; UINT32_MAX if there is none. */
uint32_t cr_process_owner(int32_t pid);

/* What the process takes its own pid for: that of its innermost namespace; pid if nobody knows. */
int32_t cr_process_own_pid(struct cr_opener *opener, int32_t pid);

#endif
