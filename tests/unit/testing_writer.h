#ifndef CR_TESTS_TESTING_WRITER_H
#define CR_TESTS_TESTING_WRITER_H

#include "base/mem.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>

/* Write to *out with options "NAME=VALUE NAME=VALUE", NULL for the defaults; an error code. */
static inline int
testing_write(const char *name, const struct cr_write_in *in, const char *given,
	struct cr_text *out, struct cr_err *err)
{
	const struct cr_writer *w = cr_writer_find(name);
	void *options = cr_writer_defaults(w);
	char *words = cr_strdup(given ? given : ""), *at = words;
	struct cr_sink sink = cr_sink_memory(out);
	int rc;

	while (*at) {
		char *word = at, *value = strchr(word, '=');

		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
		assert_non_null(value);
		*value++ = '\0';
		assert_int_equal(cr_writer_set(w, options, word, value, err), CR_OK);
	}
	rc = cr_writer_write(w, in, options, &sink, err);
	free(words);
	free(options);
	return rc;
}

/* The text that the writer makes of it; free() it. */
static inline char *
testing_written(const char *name, const struct cr_write_in *in, const char *given)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text text = {0};

	cr_text_puts(&text, "");
	assert_int_equal(testing_write(name, in, given, &text, &err), CR_OK);
	assert_int_equal(strlen(text.p), text.len); /* no NUL in it */
	return text.p;
}

#endif
