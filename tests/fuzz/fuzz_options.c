/*
 * A command line: a line for each word, the first of which is the subcommand. What its options come
 * to is put together, and nothing is run. The line of perf record, which doctor takes apart, is the
 * whole text once more.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/options_p.h"
#include "query/health/record_line.h"
#include "query/table/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MOST 64

static void
check_record_line(struct cr_str text)
{
	struct cr_record_line line;
	struct cr_text again = {0};

	cr_record_line_parse(text, &line);
	for (size_t i = 0; i < line.words.n; i++)
		cr_record_word_put(&line.words.p[i], &again);
	cr_text_fini(&again);
	cr_record_line_fini(&line);
}

/* Each subcommand has other options: an unknown name stands for the one of its first byte. */
static const struct cr_cmd *
command(const char *name)
{
	const struct cr_cmd *cmd = cr_cmd_find(name);
	size_t n = 0;

	while (cr_cmd_at(n))
		n++;
	return cmd ? cmd : cr_cmd_at((unsigned char)name[0] % n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A copy that ends with a NUL. */
	char *text = cr_memdup(data, size), *words[WORDS_MOST + 1] = {0}, *rest = text, *word;
	struct cr_options o;
	struct cr_table_spec spec;
	struct cr_err err = CR_ERR_INIT;
	int n = 0, rc;

	check_record_line((struct cr_str){(const char *)data, (uint32_t)size});
	for (; n < WORDS_MOST && (word = strsep(&rest, "\n")) != NULL; n++)
		words[n] = word;
	if (n > 0) {
		rc = cr_options_parse(command(words[0]), n - 1, words + 1, &o);
		if (rc != EXIT_DONE && rc != EXIT_USAGE)
			abort();
		if (rc == EXIT_DONE && o.table.sort &&
			cr_table_parse(o.table.sort, o.table.fields, true, &spec, &err) < 0 &&
			!err.text[0])
			abort();
		cr_options_fini(&o);
	}
	free(text);
	return 0;
}
