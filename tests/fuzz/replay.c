/*
 * The main() of a fuzz target where there is no libFuzzer: every file named, and every file
 * below a directory named, goes through the target once. So make check runs the corpus with any
 * compiler, and a crash found elsewhere can be looked at in a plain debugger.
 *
 * Options are passed over: the same command line serves libFuzzer.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t replayed;

static void
fail(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	exit(2);
}

static void
replay_file(const char *path, size_t size)
{
	FILE *f = fopen(path, "rb");
	/* Exactly as large as the file, so that a sanitizer sees the first byte too far. */
	uint8_t *data = malloc(size ? size : 1);

	if (!f || !data)
		fail(path);
	if (fread(data, 1, size, f) != size)
		fail(path);
	fclose(f);
	fprintf(stderr, "%s\n", path); /* before the run: a crash names its input */
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	replayed++;
}

static void replay(const char *path);

static int
visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void
replay_directory(const char *directory)
{
	struct dirent **names;
	const int n = scandir(directory, &names, visible, alphasort);

	if (n < 0)
		fail(directory);
	for (int i = 0; i < n; i++) {
		const size_t room = strlen(directory) + strlen(names[i]->d_name) + 2;
		char *path = malloc(room);

		if (!path)
			fail(directory);
		snprintf(path, room, "%s/%s", directory, names[i]->d_name);
		replay(path);
		free(path);
		free(names[i]);
	}
	free(names);
}

static void
replay(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		fail(path);
	if (S_ISDIR(st.st_mode))
		replay_directory(path);
	else
		replay_file(path, (size_t)st.st_size);
}

int
main(int argc, char **argv)
{
	static const uint8_t nothing;

	LLVMFuzzerTestOneInput(&nothing, 0);
	for (int i = 1; i < argc; i++)
		if (argv[i][0] != '-')
			replay(argv[i]);
	printf("%zu inputs replayed\n", replayed);
	return 0;
}
