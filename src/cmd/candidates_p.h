#ifndef CR_CMD_CANDIDATES_P_H
#define CR_CMD_CANDIDATES_P_H

#include "option_words_p.h"

#include "base/text.h"

/*
 * What may stand in the place of the last of n words of a command line, the program's name not
 * counted; the last word is the part typed so far, maybe "". Appends one line for each candidate
 * that begins with that part: the word, a tab, and what it means. A last line ":files" or
 * ":directories" means that names of files are possible too.
 *
 * Reads the tables of commands and options, the names of the stored profiles, and events, fields,
 * threads, dsos and functions of a profile that the words name, if it is a stored one: a recording
 * would take too long. Errors are silent, and give fewer candidates.
 */
void cr_candidates(const char *const *words, int n, struct cr_text *out);

#endif
