#include "memory_p.h"

#include "exit_code_p.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/sanitizer.h"
#include "bytes/scan.h"

#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

bool
cr_memory_size(const char *word, uint64_t *out)
{
	static const char letters[] = "kmgt";
	const size_t digits = strspn(word, "0123456789");
	const char *unit = word + digits, *letter;
	uint64_t n;

	if (digits > 19 || !cr_scan_u64((struct cr_str){word, (uint32_t)digits}, &n))
		return false;
	*out = n;
	if (!*unit)
		return true;
	letter = strchr(letters, *unit | 0x20); /* no other character becomes a letter or NUL */
	if (!letter || (unit[1] && strcmp(unit + 1, "iB") != 0))
		return false;
	return cr_mul_ok(n, (uint64_t)1 << 10 * (letter - letters + 1), out);
}

uint64_t
cr_memory_default(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

	return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes / 2 : 0;
}

void
cr_memory_limit(uint64_t bytes)
{
	struct rlimit r;

	if (CR_SANITIZED || !bytes || getrlimit(RLIMIT_DATA, &r) < 0 || bytes >= r.rlim_cur)
		return;
	r.rlim_cur = (rlim_t)bytes;
	setrlimit(RLIMIT_DATA, &r);
}

uint64_t
cr_memory_limited(void)
{
	struct rlimit r;

	return getrlimit(RLIMIT_DATA, &r) == 0 && r.rlim_cur != RLIM_INFINITY ? r.rlim_cur : 0;
}

static void
on_failure(uint64_t count, size_t size)
{
	cr_cleanup_run(); /* restore the terminal before the message */
	fprintf(stderr, "cresset: out of memory: %" PRIu64 " items of %zu bytes", count, size);
	if (cr_memory_limited())
		fprintf(stderr, "; the limit is %" PRIu64 " MiB (--max-memory)",
			cr_memory_limited() >> 20);
	fputc('\n', stderr);
	exit(EXIT_INPUT);
}

/*
 * The kernel clears each page on first use, which took a quarter of the time of an ingest. So freed
 * memory is kept and reused: nothing is returned while the program runs. Only tables of many
 * megabytes are mappings of their own: they grow without a copy, and leave no holes in the heap
 * that nothing else fills. Tables and heap are provided in large pages. Threads share one heap:
 * what one frees, the next one uses.
 */
#define TABLE_BYTES (4 << 20)
#define MOST_BYTES_32 (512 << 10) /* that glibc takes where addresses have 32 bits */

void
cr_memory_setup(void)
{
#ifdef M_MMAP_THRESHOLD
	if (!mallopt(M_MMAP_THRESHOLD, TABLE_BYTES))
		mallopt(M_MMAP_THRESHOLD, MOST_BYTES_32);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_TOP_PAD, 32 << 20);
	mallopt(M_ARENA_MAX, 1);
	cr_mem_large_heap();
#endif
	cr_mem_on_failure(on_failure);
}
