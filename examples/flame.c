/*
 * A flame graph of whatever a profiler wrote, from standard input to standard output: the text of
 * perf script, a pprof profile, folded stacks ...
 *
 *	cc flame.c -o flame $(pkg-config --cflags --libs cresset)
 *	perf script | ./flame >out.svg
 */
#include <cresset.h>
#include <stdio.h>
#include <stdlib.h>

static void *
read_all(FILE *in, size_t *len)
{
	size_t room = 1 << 16, n;
	char *bytes = malloc(room);

	*len = 0;
	while (bytes && (n = fread(bytes + *len, 1, room - *len, in)) > 0) {
		*len += n;
		if (*len == room)
			bytes = realloc(bytes, room *= 2);
	}
	return bytes;
}

static void
warn(void *user, const char *text)
{
	(void)user;
	fprintf(stderr, "flame: warning: %s\n", text);
}

int
main(void)
{
	const char *options[] = {"title=What takes the time?", "width=1000", NULL};
	char *folded = NULL, *svg = NULL;
	size_t input_len, folded_len, svg_len;
	void *input = read_all(stdin, &input_len);
	cresset *c = cresset_new();
	int rc;

	cresset_on_log(c, warn, NULL);
	rc = cresset_collapse(c, input, input_len, NULL, NULL, &folded, &folded_len);
	if (rc == CRESSET_OK)
		rc = cresset_flamegraph(c, folded, folded_len, options, &svg, &svg_len);
	if (rc == CRESSET_OK)
		fwrite(svg, 1, svg_len, stdout);
	else
		fprintf(stderr, "flame: %s\n", cresset_error(c));
	cresset_free_bytes(svg);
	cresset_free_bytes(folded);
	cresset_free(c);
	free(input);
	return rc < 0;
}
