#include "word_score.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define WORD_MAX 32 /* bytes of a word that are compared */

static char
lower(char c)
{
	return (char)tolower((unsigned char)c);
}

static bool
starts_at(const char *text, const char *word, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] && lower(text[i]) == lower(word[i]))
		i++;
	return i == len;
}

/* Where the word begins in the text; whole: only where a word of the text begins. NULL: nowhere. */
static const char *
find(const char *text, const char *word, size_t len, bool whole)
{
	for (const char *at = text; *at; at++)
		if ((!whole || at == text || !isalnum((unsigned char)at[-1])) &&
			starts_at(at, word, len))
			return at;
	return NULL;
}

/* Letters to change, add or leave out, so that the word becomes the name. */
static uint32_t
distance(const char *name, const char *word, size_t len)
{
	uint32_t row[WORD_MAX + 1];

	for (size_t k = 0; k <= len; k++)
		row[k] = (uint32_t)k;
	for (size_t i = 0; name[i]; i++) {
		uint32_t corner = row[0];

		row[0] = (uint32_t)i + 1;
		for (size_t k = 1; k <= len; k++) {
			const uint32_t change = corner + (lower(name[i]) != lower(word[k - 1]));

			corner = row[k];
			row[k] = CR_MIN(change, CR_MIN(row[k], row[k - 1]) + 1);
		}
	}
	return row[len];
}

/* Are the letters of the word in the name, in this order? */
static bool
is_spread(const char *name, const char *word, size_t len)
{
	size_t k = 0;

	for (; *name && k < len; name++)
		k += lower(*name) == lower(word[k]);
	return k == len;
}

static uint32_t
guess(const char *name, const char *word, size_t len)
{
	const uint32_t wrong = len < WORD_MAX ? distance(name, word, len) : UINT32_MAX;

	if (wrong <= (len > 4 ? 2u : 1u) && len > 2)
		return CR_WORD_GUESS + wrong;
	return len > 2 && is_spread(name, word, len) ? CR_WORD_GUESS + 10 : CR_WORD_NO_MATCH;
}

static uint32_t
score_of(const char *word, size_t len, const char *name, const char *about)
{
	const char *at;

	if (starts_at(name, word, len))
		return name[len] ? 1 : 0;
	if (find(name, word, len, true))
		return 2;
	if ((at = find(about, word, len, true)))
		return isalnum((unsigned char)at[len]) ? 4 : 3;
	if (find(name, word, len, false))
		return 5;
	if (len > 2 && find(about, word, len, false))
		return 6;
	return guess(name, word, len);
}

uint32_t
cr_word_score(const char *topic, const char *name, const char *about)
{
	uint32_t sum = 0;
	bool any = false;

	for (const char *word = topic + strspn(topic, " "); *word; word += strspn(word, " ")) {
		const size_t len = strcspn(word, " ");
		const uint32_t score = score_of(word, len, name, about);

		if (score == CR_WORD_NO_MATCH)
			return score;
		sum += score;
		any = true;
		word += len;
	}
	return any ? sum : CR_WORD_NO_MATCH;
}
