#ifndef CR_TESTING_LEFT_H
#define CR_TESTING_LEFT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Temporary files and directories must be gone when a test program ends: mkdtemp() and mkstemp()
 * keep a list here, and the program fails if it has left any of them behind, which are removed
 * then. Files that a program makes in another way are not noticed.
 */
#define TESTING_LEFT_MOST 256

static char *testing_left_paths[TESTING_LEFT_MOST];
static size_t testing_left_n;
static pid_t testing_left_process;

/* At the end of the program. A child that fork() made owns none of it. */
static inline void
testing_left_check(void)
{
	size_t left = 0;

	for (size_t i = 0; i < testing_left_n; i++) {
		char command[256];
		struct stat st;

		if (getpid() == testing_left_process && lstat(testing_left_paths[i], &st) == 0) {
			fprintf(stderr, "left behind: %s\n", testing_left_paths[i]);
			snprintf(command, sizeof(command), "rm -rf '%s'", testing_left_paths[i]);
			left += system(command) == 0 ? 1 : 2;
		}
		free(testing_left_paths[i]);
	}
	fflush(NULL);
	if (left)
		_exit(1);
}

static inline void
testing_left_add(const char *path)
{
	if (!testing_left_process) {
		testing_left_process = getpid();
		atexit(testing_left_check);
	}
	if (testing_left_n < TESTING_LEFT_MOST)
		testing_left_paths[testing_left_n++] = strdup(path);
}

static inline char *
testing_left_mkdtemp(char *path)
{
	char *made = mkdtemp(path);

	if (made)
		testing_left_add(made);
	return made;
}

static inline int
testing_left_mkstemp(char *path)
{
	const int fd = mkstemp(path);

	if (fd >= 0)
		testing_left_add(path);
	return fd;
}

#define mkdtemp testing_left_mkdtemp
#define mkstemp testing_left_mkstemp

#endif
