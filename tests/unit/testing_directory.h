#ifndef TESTING_DIRECTORY_H
#define TESTING_DIRECTORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A directory of a test's own, where it runs commands of the shell. */

/* With the file x.c in it, which has that text. dir gets its path. */
static inline bool
directory_make(char dir[64], const char *source)
{
	char path[128];
	FILE *f;

	strcpy(dir, "/tmp/cresset-test-XXXXXX");
	if (!mkdtemp(dir))
		return false;
	snprintf(path, sizeof(path), "%s/x.c", dir);
	if (!(f = fopen(path, "w")))
		return false;
	fputs(source, f);
	return fclose(f) == 0;
}

/*
 * Run a command in it; false when it fails. A path that the test does not choose may have blanks:
 * let the shell take it from the environment, "$FIX"/x. What it prints is in the file .said of the
 * directory.
 */
static inline bool __attribute__((format(printf, 2, 3)))
directory_shell(const char *dir, const char *fmt, ...)
{
	char command[1024], all[1200];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(command))
		return false;
	snprintf(all, sizeof(all), "cd %s && { %s; } >.said 2>&1", dir, command);
	return system(all) == 0;
}

/*
 * The same for a command that must not fail: then the test fails, and what the command printed is
 * shown.
 */
static inline void
directory_worked(const char *dir, bool worked)
{
	char command[128];

	if (worked)
		return;
	snprintf(command, sizeof(command), "cat %s/.said >&2", dir);
	if (system(command) != 0)
		print_error("what it printed is lost\n");
	fail_msg("a command in %s failed", dir);
}
#define directory_must(dir, ...) directory_worked(dir, directory_shell(dir, __VA_ARGS__))

/* Remove it with all in it, also what only root or its owner may read. */
static inline void
directory_remove(const char *dir)
{
	directory_worked(dir, directory_shell(dir, "chmod -R u+rwX . && rm -rf %s", dir));
}

#endif
