/*
 * Calls the functions of cresset.h by name and prints what they give, so that a test can compare it
 * with what the program prints.
 *
 *	library_tool write FORMAT FILE QUERY [OPTION...]
 *	library_tool file FORMAT FILE QUERY OUT
 *	library_tool memory FORMAT FILE QUERY [OPTION...]     read into memory first
 *	library_tool piped FORMAT FILE QUERY [OPTION...]      likewise, and called "-"
 *	library_tool report FORM FILE QUERY KEYS [OPTION...]
 *	library_tool diff FORMAT BEFORE AFTER QUERY [OPTION...]
 *	library_tool verdicts FORM BEFORE AFTER QUERY [OPTION...]
 *	library_tool collapse FILE [OPTION...]
 *	library_tool flamegraph FILE [OPTION...]
 *	library_tool diff-folded BEFORE AFTER [OPTION...]
 *	library_tool save FILE OUT
 *	library_tool formats output
 */
#include <cresset.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cresset *c;

static void
die(const char *what)
{
	fprintf(stderr, "%s: %s (%d)\n", what, cresset_error(c), cresset_error_code(c));
	exit(1);
}

static void
print(int rc, char **bytes, const size_t *len)
{
	if (rc < 0)
		die("write");
	fwrite(*bytes, 1, *len, stdout);
	cresset_free_bytes(*bytes);
}

static cresset_profile *
opened(const char *path)
{
	cresset_profile *p = cresset_open(c, path);

	if (!p)
		die(path);
	return p;
}

static char *
read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *bytes = malloc(1 << 26);

	if (!f || !bytes)
		die(path);
	*len = fread(bytes, 1, 1 << 26, f);
	fclose(f);
	return bytes;
}

static void
write_tree(cresset_tree *t, const char *format, char **options)
{
	char *bytes;
	size_t len;

	if (!t)
		die(format);
	print(cresset_write(t, format, (const char *const *)options, &bytes, &len), &bytes, &len);
	cresset_tree_free(t);
}

static void
write_table(cresset_table *t, const char *form)
{
	char *bytes;
	size_t len;

	if (!t)
		die(form);
	print(cresset_write_table(t, form, &bytes, &len), &bytes, &len);
	cresset_table_free(t);
}

/* Each handle is freed before those that were made from it, which keep it. */
static void
one_profile(const char *what, char **args)
{
	size_t len = 0;
	const int piped = strcmp(what, "piped") == 0;
	char *bytes = piped || strcmp(what, "memory") == 0 ? read_file(args[1], &len) : NULL;
	cresset_profile *p =
		bytes ? cresset_open_memory(c, bytes, len, piped ? "-" : args[1]) : opened(args[1]);

	free(bytes);
	if (!p)
		die(args[1]);
	if (strcmp(what, "report") == 0) {
		cresset_table *t = cresset_report(
			p, args[2], *args[3] ? args[3] : NULL, (const char *const *)args + 4);

		cresset_profile_free(p);
		write_table(t, args[0]);
	} else if (strcmp(what, "file") == 0) {
		cresset_tree *t = cresset_query(p, args[2]);

		if (!t || cresset_write_file(t, args[0], NULL, args[3]) < 0)
			die(args[3]);
		cresset_tree_free(t);
		cresset_profile_free(p);
	} else {
		cresset_tree *t = cresset_query(p, args[2]);

		cresset_profile_free(p);
		write_tree(t, args[0], args + 3);
	}
}

static void
two_profiles(const char *what, char **args)
{
	cresset_profile *before = opened(args[1]), *after = opened(args[2]);
	cresset_tree *t = cresset_diff(before, after, args[3], NULL);

	if (!t)
		die(what);
	cresset_profile_free(before);
	cresset_profile_free(after);
	if (strcmp(what, "diff") == 0) {
		write_tree(t, args[0], args + 4);
	} else {
		cresset_table *table = cresset_verdicts(t, (const char *const *)args + 4);

		cresset_tree_free(t);
		write_table(table, args[0]);
	}
}

static void
folded(const char *what, char **args)
{
	size_t n, m, len;
	char *in = read_file(args[0], &n), *out;

	if (strcmp(what, "collapse") == 0) {
		print(cresset_collapse(c, in, n, NULL, (const char *const *)args + 1, &out, &len),
			&out, &len);
	} else if (strcmp(what, "flamegraph") == 0) {
		print(cresset_flamegraph(c, in, n, (const char *const *)args + 1, &out, &len), &out,
			&len);
	} else {
		char *after = read_file(args[1], &m);

		print(cresset_diff_folded(
			      c, in, n, after, m, (const char *const *)args + 2, &out, &len),
			&out, &len);
		free(after);
	}
	free(in);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	c = cresset_new();
	if (argc < 3) {
		fprintf(stderr, "see the comment in the source\n");
		return 2;
	}
	if (strcmp(what, "formats") == 0) {
		for (size_t i = 0; cresset_output_format(i); i++)
			puts(cresset_output_format(i));
	} else if (strcmp(what, "save") == 0) {
		cresset_profile *p = opened(argv[2]);

		if (cresset_save(p, argv[3], 0) < 0)
			die(argv[3]);
		cresset_profile_free(p);
	} else if (strcmp(what, "diff") == 0 || strcmp(what, "verdicts") == 0) {
		two_profiles(what, argv + 2);
	} else if (strcmp(what, "write") == 0 || strcmp(what, "memory") == 0 ||
		   strcmp(what, "piped") == 0 || strcmp(what, "file") == 0 ||
		   strcmp(what, "report") == 0) {
		one_profile(what, argv + 2);
	} else {
		folded(what, argv + 2);
	}
	cresset_free(c);
	return 0;
}
