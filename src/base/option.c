#include "base/option.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
set_flag(const char *text, void *at, struct cr_err *err)
{
	bool *out = at;

	if (!text || strcmp(text, "yes") == 0)
		*out = true;
	else if (strcmp(text, "no") == 0)
		*out = false;
	else
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "must be yes or no, not '%s'", text);
	return CR_OK;
}

/* Only digits: strtoul() would accept signs and blanks. */
static bool
parse_u32(const char *text, uint32_t *out)
{
	unsigned long long v;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	v = strtoull(text, &end, 10);
	*out = (uint32_t)v;
	return *end == '\0' && errno == 0 && v <= UINT32_MAX;
}

static int
set_u32(const struct cr_option_spec *o, const char *text, void *at, struct cr_err *err)
{
	uint32_t v;

	if (!parse_u32(text, &v) || v < o->min || v > o->max)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"must be a number from %u to %u, not '%s'", o->min, o->max, text);
	memcpy(at, &v, sizeof(v));
	return CR_OK;
}

static int
set_text(const struct cr_option_spec *o, const char *text, void *at, struct cr_err *err)
{
	if (o->min && !*text)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "must not be empty");
	memcpy(at, &text, sizeof(text));
	return CR_OK;
}

static int
set_word(const struct cr_option_spec *o, const char *text, void *at, struct cr_err *err)
{
	const bool is_old = o->old_word && strcmp(o->old_word, text) == 0;
	const char *word = is_old ? o->now : text;
	struct cr_text words = {0};
	int rc;

	for (uint32_t i = 0; o->word(i); i++) {
		if (strcmp(o->word(i), word) == 0) {
			memcpy(at, &i, sizeof(i));
			cr_text_fini(&words);
			return CR_OK;
		}
		cr_text_printf(&words, "%s%s", i ? ", " : "", o->word(i));
	}
	rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "must be one of %s, not '%s'", words.p, text);
	cr_text_fini(&words);
	return rc;
}

int
cr_option_set(const struct cr_option_spec *o, const char *text, void *to, struct cr_err *err)
{
	char *at = (char *)to + o->at;

	switch (o->type) {
	case CR_OPTION_FLAG: return set_flag(text, at, err);
	case CR_OPTION_TEXT: return set_text(o, text, at, err);
	case CR_OPTION_U32: return set_u32(o, text, at, err);
	case CR_OPTION_WORD: return set_word(o, text, at, err);
	case CR_OPTION_PARSED: return o->parse(text, at, err);
	}
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "has no type");
}

/* ---- spelling suggestions */

#define CLOSEST_BYTES 40 /* longer than every word of the program */

/* Number of edits from a to b: insert, delete, replace, or swap two neighbours. */
static unsigned
edits(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned d[CLOSEST_BYTES + 1][CLOSEST_BYTES + 1];

	for (size_t i = 0; i <= na; i++)
		d[i][0] = (unsigned)i;
	for (size_t k = 0; k <= nb; k++)
		d[0][k] = (unsigned)k;
	for (size_t i = 1; i <= na; i++)
		for (size_t k = 1; k <= nb; k++) {
			const unsigned differs = a[i - 1] != b[k - 1];

			d[i][k] = CR_MIN(
				CR_MIN(d[i - 1][k], d[i][k - 1]) + 1, d[i - 1][k - 1] + differs);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				d[i][k] = CR_MIN(d[i][k], d[i - 2][k - 2] + 1);
		}
	return d[na][nb];
}

const char *
cr_closest(const char *given, const char *const *words, size_t n)
{
	const size_t len = strlen(given);
	const char *best = NULL;
	unsigned least = (unsigned)len / 3 + (len < 3 ? 0 : 1);

	if (len > CLOSEST_BYTES)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const size_t word_len = strlen(words[i]);
		const unsigned d =
			word_len > CLOSEST_BYTES ? least : edits(given, len, words[i], word_len);

		if (d < least) {
			least = d;
			best = words[i];
		}
	}
	return best;
}
