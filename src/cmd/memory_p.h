#ifndef CR_CMD_MEMORY_P_H
#define CR_CMD_MEMORY_P_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Once, at the start of the program: memory that was freed is kept for what comes next, and out of
 * memory ends the program with a message and exit code 3.
 */
void cr_memory_setup(void);

/* Parse a number of bytes: 4096, or 500M, 2G, 2GiB in powers of 1024. False if it is none. */
bool cr_memory_size(const char *word, uint64_t *out);

/* Half of the machine's memory; 0 if that is not known. */
uint64_t cr_memory_default(void);

/*
 * Limit the memory that the program may allocate to so many bytes, 0: no limit. Beyond it
 * allocations fail. Mapped files do not count, stacks
 * of threads do. Programs built with the address sanitizer, which reserves more than any machine
 * has, get no limit.
 */
void cr_memory_limit(uint64_t bytes);

/* How many bytes the program may allocate; 0: as many as there are. */
uint64_t cr_memory_limited(void);

#endif
