#ifndef CR_PPROF_MAKER_H
#define CR_PPROF_MAKER_H

/* Profiles of pprof, field by field. Include testing.h, or something else with these, before it. */
#include "base/text.h"

static inline void
made_varint(struct cr_text *t, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		cr_text_char(t, (char)((v & 0x7f) | 0x80));
	cr_text_char(t, (char)v);
}

static inline void
made_number(struct cr_text *t, uint32_t field, uint64_t v)
{
	made_varint(t, (uint64_t)field << 3);
	made_varint(t, v);
}

static inline void
made_bytes(struct cr_text *t, uint32_t field, const void *p, size_t len)
{
	made_varint(t, (uint64_t)field << 3 | 2);
	made_varint(t, len);
	cr_text_put(t, p, len);
}

/* `inner` is used up. */
static inline void
made_message(struct cr_text *t, uint32_t field, struct cr_text *inner)
{
	made_bytes(t, field, inner->len ? inner->p : "", inner->len);
	cr_text_fini(inner);
}

/* {1: a, 2: b} of sample types, labels and so on: numbers of fields 1 to n, 0 is left out. */
static inline void
made_numbers(struct cr_text *t, uint32_t field, const uint64_t *v, size_t n)
{
	struct cr_text inner = {0};

	for (uint32_t i = 0; i < n; i++)
		if (v[i])
			made_number(&inner, i + 1, v[i]);
	made_message(t, field, &inner);
}

#define MADE(t, field, ...)                                     \
	made_numbers(t, field, (const uint64_t[]){__VA_ARGS__}, \
		sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static inline void
made_repeated(struct cr_text *t, uint32_t field, const uint64_t *v, size_t n, bool packed)
{
	struct cr_text inner = {0};

	for (size_t i = 0; i < n; i++) {
		if (packed)
			made_varint(&inner, v[i]);
		else
			made_number(t, field, v[i]);
	}
	if (packed)
		made_message(t, field, &inner);
}

/*
 * The next sample: locations, the innermost first, and values; labels as {key, str, num} in threes.
 */
static inline void
made_sample(struct cr_text *t, const uint64_t *location, size_t n, const uint64_t *value,
	size_t n_values, const uint64_t (*label)[3], size_t n_labels, bool packed)
{
	struct cr_text inner = {0};

	made_repeated(&inner, 1, location, n, packed);
	made_repeated(&inner, 2, value, n_values, packed);
	for (size_t i = 0; i < n_labels; i++)
		made_numbers(&inner, 3, label[i], 3);
	made_message(t, 2, &inner);
}

/* Lines as {function, line} in twos, the innermost first. */
static inline void
made_location(struct cr_text *t, uint64_t id, uint64_t mapping, uint64_t addr,
	const uint64_t (*line)[2], size_t n)
{
	struct cr_text inner = {0};

	made_number(&inner, 1, id);
	made_number(&inner, 2, mapping);
	made_number(&inner, 3, addr);
	for (size_t i = 0; i < n; i++)
		made_numbers(&inner, 4, line[i], 2);
	made_message(t, 4, &inner);
}

static inline void
made_strings(struct cr_text *t, const char *const *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		made_bytes(t, 6, s[i], strlen(s[i]));
}

/* ---- a profile that has a bit of everything */

enum made_string {
	S_NONE,
	S_SAMPLES,
	S_COUNT,
	S_CPU,
	S_NANOSECONDS,
	S_MAIN,
	S_INNER,
	S_OUTER,
	S_FILE,
	S_PROG,
	S_BUILD_ID,
	S_THREAD,
	S_WORKER,
	S_TID,
	S_KEY,
	S_A,
	S_B,
	S_COMMENT,
	S_BYTES,
};

static const char *const made_texts[] = {
	"",
	"samples",
	"count",
	"cpu",
	"nanoseconds",
	"main.main",
	"main.inner",
	"main.outer",
	"/src/a.go",
	"/bin/prog",
	"0123456789abcdef0123456789abcdef01234567",
	"thread",
	"a worker",
	"tid",
	"key",
	"a",
	"b",
	"a\ncomment",
	"bytes",
};

struct made_how {
	bool packed;
	bool strings_first;
	bool samples_last;
	uint64_t id;   /* added to all ids but those of mappings: they are any numbers */
	uint64_t main; /* string of the default type */
};

static inline void
made_samples(struct cr_text *t, const struct made_how *how)
{
	const uint64_t id = how->id;

	made_sample(t, (const uint64_t[]){id + 2, id + 1}, 2, (const uint64_t[]){3, 30000000}, 2,
		(const uint64_t[][3]){{S_THREAD, S_WORKER}, {S_TID, 0, 42}, {S_KEY, S_A},
			{S_KEY, S_B}, {S_BYTES, 0, (uint64_t)-5}},
		5, how->packed);
	made_sample(t, (const uint64_t[]){id + 3, id + 1}, 2, (const uint64_t[]){1, 10000000}, 2,
		NULL, 0, how->packed);
	made_sample(t, (const uint64_t[]){id + 1}, 1, (const uint64_t[]){2, 0}, 2, NULL, 0,
		how->packed);
}

/*
 * main.main calls main.outer with main.inner inlined in it, and an address of /bin/prog that has no
 * name.
 */
static inline void
made_profile(struct cr_text *t, const struct made_how *how)
{
	const size_t n_texts = sizeof(made_texts) / sizeof(*made_texts);
	const uint64_t id = how->id;

	if (how->strings_first)
		made_strings(t, made_texts, n_texts);
	MADE(t, 1, S_SAMPLES, S_COUNT);
	MADE(t, 1, S_CPU, S_NANOSECONDS);
	if (!how->samples_last)
		made_samples(t, how);
	MADE(t, 3, 1, 0x400000, 0x500000, 0x1000, S_PROG, S_BUILD_ID, 1);
	made_location(t, id + 3, 1, 0x400123, NULL, 0);
	made_location(t, id + 2, 1, 0x400200, (const uint64_t[][2]){{id + 6, 7}, {id + 5, 9}}, 2);
	made_location(t, id + 1, 1, 0x400300, (const uint64_t[][2]){{id + 4, 11}}, 1);
	MADE(t, 5, id + 4, S_MAIN, S_MAIN, S_FILE, 10);
	MADE(t, 5, id + 5, S_OUTER, S_OUTER, S_FILE, 1);
	MADE(t, 5, id + 6, S_INNER, S_INNER, S_FILE, 2);
	made_number(t, 9, UINT64_C(1795172553000000000));
	made_number(t, 10, 1500000000);
	MADE(t, 11, S_CPU, S_NANOSECONDS);
	made_number(t, 12, 10000000);
	made_repeated(t, 13, (const uint64_t[]){S_COMMENT, S_A}, 2, how->packed);
	if (how->main)
		made_number(t, 14, how->main);
	if (how->samples_last)
		made_samples(t, how);
	if (!how->strings_first)
		made_strings(t, made_texts, n_texts);
}

#endif
