#ifndef CR_TESTING_READER_H
#define CR_TESTING_READER_H

/*
 * A reader from bytes to what `cresset collapse` prints and to what it has to say about lines.
 * Include testing.h before it.
 */
#include "query/fold/collapse.h"
#include "query/fold/select.h"
#include "read/reader.h"

#include <stdio.h>

#include "testing_outcome.h"
#include "testing_writer.h"

/* NULL when there is no sample. Whatever the bytes are, assert_outcome() holds. */
static inline struct cr_profile *
testing_read(const char *format, const void *bytes, size_t len, struct cr_log *log)
{
	void *exact = testing_exact(bytes, len);
	const struct cr_input in = {.p = exact, .len = len};
	const struct cr_read_opts opts = {.log = log};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;
	int rc;

	*log = (struct cr_log){0};
	assert_non_null(cr_reader_find(format));
	if ((rc = cr_reader_find(format)->read(&in, b, &opts, &err)) == CR_OK)
		rc = cr_builder_finish(b, log, &p, &err);
	assert_outcome(rc, p, log, &err);
	cr_builder_free(b);
	free(exact);
	return p;
}

/* The samples of an event, NULL for what collapse takes, as folded text. free() it. */
static inline char *
testing_folded(const struct cr_profile *p, const char *event)
{
	struct cr_err err = CR_ERR_INIT;
	uint64_t nothing_left;
	struct cr_tree *t;
	char *text;

	assert_int_equal(cr_collapse(p, &(struct cr_filter){.event = event},
				 &(struct cr_collapse_opts){0}, &t, &nothing_left, &err),
		CR_OK);
	text = testing_written("folded", &(struct cr_write_in){.p = p, .tree = t}, NULL);
	cr_tree_free(t);
	return text;
}

/* Reasons and lines, "no-count:3 bad-frame:7", in their order. free() it. */
static inline char *
testing_reasons(const struct cr_log *log)
{
	struct cr_text t = {0};

	for (size_t i = 0; i < log->n_places; i++)
		cr_text_printf(&t, "%s%s:%llu", i ? " " : "", log->places[i].why,
			(unsigned long long)log->places[i].line);
	if (!t.p)
		cr_text_puts(&t, "");
	return t.p;
}

/* folded "" means that there is no sample. */
static inline void
assert_reads(const char *format, const char *text, const char *folded, const char *reasons)
{
	struct cr_log log;
	struct cr_profile *p = testing_read(format, text, strlen(text), &log);
	char *have = p ? testing_folded(p, NULL) : cr_strdup("");
	char *why = testing_reasons(&log);

	assert_string_equal(have, folded);
	assert_string_equal(why, reasons);
	free(have);
	free(why);
	cr_profile_free(p);
}

struct example {
	const char *text, *folded, *reasons;
};

static inline void
assert_examples(const char *format, const struct example *examples, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_reads(format, examples[i].text, examples[i].folded, examples[i].reasons);
}

/* What the leaf of the k-th sample is: its location, or that of its n-th caller. */
static inline const struct cr_location *
testing_caller(const struct cr_profile *p, uint64_t k, unsigned n)
{
	uint32_t node = p->samples.node[k];

	while (n--)
		node = p->node_parent[node];
	return &p->locations[p->node_location[node]];
}

/* format NULL: nobody takes it. */
static inline void
assert_detected(const char *text, const char *format)
{
	const struct cr_input in = {.p = (const unsigned char *)text, .len = strlen(text)};
	struct cr_err err = CR_ERR_INIT;
	const struct cr_reader *r;
	uint64_t line;

	cr_reader_detect(&in, &r, &line, &err);
	assert_string_equal(r ? r->name : "nobody", format ? format : "nobody");
}

static inline void
assert_event(const struct cr_profile *p, const char *event, const char *unit, const char *folded)
{
	char *have = testing_folded(p, event);
	bool found = false;

	assert_string_equal(have, folded);
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(event))) {
			assert_str(p->events[i].unit, unit);
			found = true;
		}
	assert_true(found);
	free(have);
}

/* The value of an event's field in its k-th sample, as text; "" for none. free() it. */
static inline char *
testing_field(const struct cr_profile *p, const char *event, const char *name, uint64_t k)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		if (!cr_str_eq(p->events[d->event.i].name, cr_str_of(event)) ||
			!cr_str_eq(d->name, cr_str_of(name)))
			continue;
		if (d->value[k] == cr_form_none(d->form))
			continue;
		if (d->form == CR_FORM_TEXT)
			cr_text_str(&t, p->texts[d->value[k]]);
		else
			cr_text_printf(&t, d->form == CR_FORM_HEX ? "0x%llx" : "%lld",
				(long long)d->value[k]);
	}
	return t.p;
}

static inline void
assert_field(const struct cr_profile *p, const char *event, const char *name, uint64_t k,
	const char *want)
{
	char *have = testing_field(p, event, name, k);

	assert_string_equal(have, want);
	free(have);
}

/* Read it and return how many samples it has. */
static inline uint64_t
testing_samples(const char *format, const void *bytes, size_t len)
{
	struct cr_log log;
	struct cr_profile *p = testing_read(format, bytes, len, &log);
	const uint64_t n = p ? p->samples.n : 0;

	cr_profile_free(p);
	return n;
}

/*
 * Every prefix of a good input, and it with single bytes changed, comes to what assert_outcome()
 * asks for. A sample takes a byte at least, and a change costs the samples after it at most.
 */
static inline void
assert_survives(const char *format, const void *bytes, size_t len)
{
	unsigned char *copy = testing_exact(bytes, len);
	unsigned n_read = 0;
	uint64_t seed = 1;

	assert_in_range(testing_samples(format, bytes, len), 1, len);
	assert_int_equal(testing_samples(format, bytes, 0), 0);
	for (size_t n = 1; n < len; n++)
		assert_in_range(testing_samples(format, bytes, n), 0, n);
	for (int i = 0; i < 2000; i++) {
		const uint64_t r = testing_random(&seed);
		const size_t at = (size_t)(r >> 8) % len;
		const unsigned char was = copy[at];

		copy[at] = (unsigned char)r;
		n_read += testing_samples(format, copy, len) > 0;
		copy[at] = was;
	}
	print_message("%s: of 2000 changed inputs %u have samples\n", format, n_read);
	assert_in_range(n_read, 400, 2000);
	free(copy);
}

#endif
