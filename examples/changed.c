/*
 * Which functions have changed between two profiles? Prints the rows that are called changed, and
 * ends with 1 if there is one.
 *
 *	cc changed.c -o changed $(pkg-config --cflags --libs cresset)
 *	./changed before.cresset after.cresset
 */
#include <cresset.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
die(const cresset *c, const char *what)
{
	fprintf(stderr, "changed: %s: %s\n", what, cresset_error(c));
	exit(2);
}

/* The number of a column; a table has the columns of the CSV that cresset diff writes. */
static size_t
column(const cresset_table *t, const char *name)
{
	size_t i = 0;

	while (cresset_column(t, i) && strcmp(cresset_column(t, i), name) != 0)
		i++;
	return i;
}

/* The rows that are called changed come first. */
static size_t
print_changes(cresset_table *t)
{
	const size_t before = column(t, "before"), after = column(t, "after"),
		     name = column(t, "name");
	size_t row = 0;

	while (row < cresset_rows(t) && cresset_row_verdict(t, row) >= CRESSET_LIKELY_CHANGED) {
		printf("%5.1f %% -> %5.1f %%  ", 100 * cresset_cell_number(t, row, before),
			100 * cresset_cell_number(t, row, after));
		/* Each call replaces the text of the last one. */
		printf("%s\n", cresset_cell(t, row, name));
		row++;
	}
	return row;
}

int
main(int argc, char **argv)
{
	cresset *c = cresset_new();
	cresset_profile *before, *after;
	cresset_tree *both;
	cresset_table *t;
	size_t changed;

	if (argc != 3) {
		fprintf(stderr, "usage: changed BEFORE AFTER\n");
		return 2;
	}
	if (!(before = cresset_open(c, argv[1])))
		die(c, argv[1]);
	if (!(after = cresset_open(c, argv[2])))
		die(c, argv[2]);
	if (!(both = cresset_diff(before, after, NULL, NULL)) ||
		!(t = cresset_verdicts(both, NULL)))
		die(c, "cannot compare");
	changed = print_changes(t);

	/* In any order: a handle keeps what it was made from. */
	cresset_profile_free(before);
	cresset_profile_free(after);
	cresset_tree_free(both);
	cresset_table_free(t);
	cresset_free(c);
	return changed > 0;
}
