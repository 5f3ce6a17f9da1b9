#ifndef CR_CMD_OPTION_WORDS_P_H
#define CR_CMD_OPTION_WORDS_P_H

#include "option_table_p.h"

/* Words that the user may type, for completion and for "did you mean". Each is allocated. */
typedef CR_VEC(char *) cr_option_words;

/*
 * Append the fixed words that the value of an option may be, from its table: formats, sort keys,
 * palettes and so on. Appends nothing if the value is free, such as a file or a name.
 */
void cr_option_words_of(
	const struct cr_cmd *cmd, const struct cr_cmd_choice *c, cr_option_words *out);

/* Append word(0), word(1) ... up to the first NULL. */
void cr_option_words_by(const char *(*word)(size_t i), cr_option_words *out);

/* Append the names of the input formats; or of the output formats that a command writes. */
void cr_option_words_readers(cr_option_words *out);
void cr_option_words_writers(const struct cr_cmd *cmd, cr_option_words *out);

/* Append "; did you mean WORD?" to a message if one of the words is close to the given one. */
void cr_option_words_meant(
	const cr_option_words *words, const char *given, struct cr_text *message);

void cr_option_words_fini(cr_option_words *words);

#endif
