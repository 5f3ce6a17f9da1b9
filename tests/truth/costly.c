/*
 * Spends its time in a few loops whose every instruction is to be found again: costly() with
 * another function inlined, also from a shared library (-DLIBRARY makes that), and in a copy of
 * spin() that a perf map names.
 *
 *      costly-VARIANT SECONDS [DIR]       with DIR: perf-PID.map goes there, and the copy runs
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define CODE_BYTES 256

#ifdef LIBRARY
#define NAME(f) library_##f
#else
#define NAME(f) f
#endif

unsigned NAME(costly)(unsigned rounds);
unsigned library_costly(unsigned rounds);

static unsigned table[4096];

static inline unsigned
scale(unsigned x, unsigned by)
{
	x = x * 2654435761u + by;
	x ^= x >> 13;
	return x % 1000003u;
}

NOINLINE unsigned
NAME(costly)(unsigned rounds)
{
	unsigned x = 1;

	for (unsigned i = 0; i < rounds; i++) {
		x = scale(x, i);
		table[x & 4095] += x >> 3;
	}
	return x;
}

#ifndef LIBRARY

/* Needs nothing of where it is. */
static NOINLINE unsigned
spin(volatile unsigned *at, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		*at = *at * 5 + i;
	return *at;
}

static unsigned (*copied(const char *directory))(volatile unsigned *, unsigned)
{
	union {
		void *p;
		unsigned (*f)(volatile unsigned *, unsigned);
	} code, from = {.f = spin};
	char path[4096];
	FILE *map;

	code.p = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code.p == MAP_FAILED)
		return spin;
	memcpy(code.p, from.p, CODE_BYTES);
	__builtin___clear_cache((char *)code.p, (char *)code.p + CODE_BYTES);
	snprintf(path, sizeof(path), "%s/perf-%d.map", directory, (int)getpid());
	if ((map = fopen(path, "w"))) {
		fprintf(map, "%lx %x copied_spin\n", (unsigned long)code.p, CODE_BYTES);
		fclose(map);
	}
	return code.f;
}

int
main(int argc, char **argv)
{
	const double seconds = argc > 1 ? atof(argv[1]) : 1;
	unsigned (*jit)(volatile unsigned *, unsigned) = argc > 2 ? copied(argv[2]) : spin;
	const int zero = open("/dev/zero", O_RDONLY);
	static char buf[1 << 20];
	volatile unsigned sum = 0;

	while ((double)clock() < seconds * CLOCKS_PER_SEC) {
		sum += costly(200000);
#ifdef WITH_LIBRARY
		sum += library_costly(100000);
#endif
		sum += jit(&sum, 100000);
		if (zero < 0 || read(zero, buf, sizeof(buf)) < 0)
			return 1;
	}
	return 0;
}

#endif
