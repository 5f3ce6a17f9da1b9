#ifndef CR_SYMBOL_JIT_PROCESS_P_H
#define CR_SYMBOL_JIT_PROCESS_P_H

#include "model/profile.h"

struct cr_opener;

/*
 * Files of a recorded process that is still running. In a container /tmp is another directory, and
 * the process has another pid inside.
 *
 * A pid alone proves little: the recording may come from another machine or another week. A process
 * is accepted as the recorded one if it has a mapping with exactly the recorded address, which is
 * random.
 *
 * opener: opens files of /proc that this process may not if it is confined; NULL for none.
 */
struct cr_process_map {
	uint64_t start; /* absolute address */
	uint64_t pgoff; /* file offset of start */
	struct cr_str path;
};

/* True if process pid of this machine has one of these n mappings. At most 64 are compared. */
bool cr_process_has(
	struct cr_opener *opener, int32_t pid, const struct cr_process_map *maps, size_t n);

/* The same for all mappings of the process pid in p. */
bool cr_process_recorded(struct cr_opener *opener, int32_t pid, const struct cr_profile *p);

/* The user id of a process on this machine; UINT32_MAX if there is no such process. */
uint32_t cr_process_owner(int32_t pid);

/* The pid of a process in its innermost namespace; pid if unknown. */
int32_t cr_process_own_pid(struct cr_opener *opener, int32_t pid);

#endif
