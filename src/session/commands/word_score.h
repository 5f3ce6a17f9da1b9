#ifndef CR_SESSION_WORD_SCORE_H
#define CR_SESSION_WORD_SCORE_H

#include <stdint.h>

/* Scores from here on are guesses: the topic was not found as it is written. */
#define CR_WORD_GUESS 1000u
#define CR_WORD_NO_MATCH UINT32_MAX

/*
 * How well an entry of the help fits a topic, regardless of case: 0 for the name itself, more for
 * the start of the name, a part of it, a word and a part of the text about it. Guesses have at most
 * two wrong letters in the name, or the letters of the topic in order. Of several words in the
 * topic all must be found; the scores are added. CR_WORD_NO_MATCH if one is not found, and for an
 * empty topic.
 */
uint32_t cr_word_score(const char *topic, const char *name, const char *about);

#endif
