/*
 * A line of query, and what follows as the text of perf script, of which it selects, folds and
 * transforms samples.
 */
#include "trees.h"

#include "query/lang/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A query as text reads back as it was. */
static void
check_print(const struct cr_query *q)
{
	struct cr_text text = {0}, again = {0};
	struct cr_query back = {0};
	struct cr_err err = CR_ERR_INIT;

	cr_query_print(q, &text);
	cr_text_put(&text, "", 1);
	must(cr_query_parse(&back, text.p, &err) == CR_OK && cr_query_same(q, &back, CR_WORD_ANY));
	cr_query_print(&back, &again);
	must(strcmp(text.p, again.p ? again.p : "") == 0);
	cr_query_fini(&back);
	cr_text_fini(&text);
	cr_text_fini(&again);
}

static void
check_run(struct cr_profile *p, const struct cr_query *q)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *folded = NULL, *t = NULL;

	if (cr_query_fold(p, q, &folded, &err) == CR_OK) {
		check_shape(folded);
		if (cr_query_run(p, q, &t, &err) == CR_OK) {
			check_shape(t);
			check_kept(folded, t);
		}
	} else {
		must(!folded && err.text[0]);
	}
	cr_tree_free(folded);
	cr_tree_free(t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	struct cr_query q = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char *text;

	if (!end)
		return 0;
	text = cr_memdup(data, (size_t)(end - data));
	if (cr_query_parse(&q, text, &err) == CR_OK) {
		check_print(&q);
		p = profile_of(cr_reader_find("perf"), end + 1, size - (size_t)(end - data) - 1);
		if (p)
			check_run(p, &q);
		cr_profile_free(p);
	} else {
		must(err.text[0] && q.n == 0);
	}
	cr_query_fini(&q);
	free(text);
	return 0;
}
