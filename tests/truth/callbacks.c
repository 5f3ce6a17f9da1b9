/* Functions that a library calls, and functions that are chosen when the program starts. */
#include <dlfcn.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink;

static int
by_value(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void
visited(const void *node, VISIT which, int depth)
{
	(void)which;
	sink += (unsigned)strlen(*(char *const *)node) + (unsigned)depth;
}

static void
once(void)
{
	sink++;
}

static void
at_exit(void)
{
	sink += (unsigned)time(NULL);
}

static __attribute__((constructor)) void
before(void)
{
	atexit(at_exit);
}

static __attribute__((destructor)) void
after(void)
{
	sink++;
}

#ifdef HAVE_IFUNC
static unsigned
chosen_one(unsigned n)
{
	return n + sink;
}

static unsigned (*choose(void))(unsigned)
{
	return chosen_one;
}

unsigned chosen(unsigned n) __attribute__((ifunc("choose")));
#else
static NOINLINE unsigned
chosen(unsigned n)
{
	return n + sink;
}
#endif

static NOINLINE unsigned
sorting(void)
{
	static int small[40];
	static char texts[20][300];
	int key = 5;

	for (int i = 0; i < 40; i++)
		small[i] = i * 7 % 23;
	qsort(small, 40, sizeof(small[0]), by_value);
	for (int i = 0; i < 20; i++)
		snprintf(texts[i], sizeof(texts[i]), "%d text", i * 11 % 17);
	qsort(texts, 20, sizeof(texts[0]), by_text);
	return bsearch(&key, small, 40, sizeof(small[0]), by_value) != NULL;
}

static NOINLINE unsigned
trees(void)
{
	static const char *const words[] = {"one", "two", "three", "four", "five", "six", "seven"};
	void *root = NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		tsearch(words[i], &root, by_text);
	twalk(root, visited);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		tdelete(words[i], &root, by_text);
	return root == NULL;
}

/* In the vDSO, where there is one. */
static NOINLINE unsigned
clocks(void)
{
	struct timespec t;
	struct timeval v;

	clock_gettime(CLOCK_MONOTONIC, &t);
	clock_gettime(CLOCK_REALTIME_COARSE, &t);
	gettimeofday(&v, NULL);
	return (unsigned)(t.tv_nsec + v.tv_usec) & 1;
}

int
main(void)
{
	static pthread_once_t first = PTHREAD_ONCE_INIT;
	char text[100];
	unsigned sum = sorting() + trees() + clocks();

	pthread_once(&first, once);
	for (unsigned i = 0; i < 3; i++)
		sum += chosen(i);
	strcpy(text, getenv("NOTHING") ? "set" : "not set");
	memmove(text + 3, text, strlen(text) + 1);
	return sum + strlen(text) == 0;
}
