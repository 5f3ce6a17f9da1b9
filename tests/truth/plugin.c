/*
 * What plugins.c loads, built with ROOM of several sizes so that its code is not at the same place.
 */
#include <stdlib.h>
#include <string.h>

#ifndef ROOM
#define ROOM 16
#endif

unsigned plugin_run(unsigned n, unsigned (*back)(unsigned));

static __attribute__((noinline)) unsigned
inner(unsigned n, unsigned (*back)(unsigned))
{
	volatile char room[ROOM];
	char *heap = malloc(ROOM);

	memset(heap, (int)n, ROOM);
	room[n % ROOM] = heap[0];
	free(heap);
	return n ? inner(n - 1, back) + (unsigned)room[n % ROOM] : back(n);
}

unsigned
plugin_run(unsigned n, unsigned (*back)(unsigned))
{
	return inner(n, back) + 1;
}
