#ifndef TESTING_FOLDER_H
#define TESTING_FOLDER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder of a test's own, where it runs commands of the shell. */

/* With the file x.c in it, which has that text. dir gets its path. */
static inline bool
folder_make(char dir[64], const char *source)
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

/* Run a command in it; false when it fails. What it prints is not shown. */
static inline bool __attribute__((format(printf, 2, 3)))
folder_shell(const char *dir, const char *fmt, ...)
{
	char command[1024], all[1200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	snprintf(all, sizeof(all), "cd %s && { %s; } >/dev/null 2>&1", dir, command);
	return system(all) == 0;
}

static inline void
folder_remove(const char *dir)
{
	folder_shell(dir, "rm -rf %s", dir);
}

#endif
