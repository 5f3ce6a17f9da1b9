#ifndef CR_CMD_MEMORY_P_H
#define CR_CMD_MEMORY_P_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Call it once at the start of the program. Freed memory is kept for reuse, and out of memory ends
 * the program with a message and exit code 3.
 */
void cr_memory_setup(void);

/* Parse a size in bytes: 4096, or 500M, 2G, 2GiB with powers of 1024. False if it is invalid. */
bool cr_memory_size(const char *word, uint64_t *out);

/* Half of the machine's memory; 0 if unknown. */
uint64_t cr_memory_default(void);

/*
 * Limit the memory that the program may allocate, in bytes; 0: no limit. Allocations beyond it
 * fail. Mapped files do not count, stacks of threads do. Programs built with a sanitizer that
 * reserves more than any machine has get no limit.
 */
void cr_memory_limit(uint64_t bytes);

/* The limit in bytes; 0 if there is none. */
uint64_t cr_memory_limited(void);

#endif
