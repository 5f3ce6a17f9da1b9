#ifndef CR_CMD_OPTION_TABLE_P_H
#define CR_CMD_OPTION_TABLE_P_H

#include "option_values_p.h"

#include "base/option.h"
#include "base/vec.h"
#include "write/writer.h"

/* An option of subcommands, and how its value is stored: in one of the ways below. */
struct cr_cmd_option {
	struct cr_option_spec spec; /* stored in struct cr_options by cr_option_set() */
	char letter;
	uint64_t groups;   /* bits of enum option_group */
	size_t has;        /* offsetof() a bool that is set when it is given; 0 for none */
	enum cr_word word; /* the word of the query that it adds; CR_WORDS for none */
	/* A word for one side of a difference; side1 is the side, + 1, or 0 for none. */
	enum cr_word side_word;
	uint8_t side1;
	/*
	 * Stores the value in a special way. CR_EUSAGE, maybe without a text, for an invalid value.
	 */
	int (*set)(struct cr_options *o, const char *arg, struct cr_err *err);
	/* Fixed words of the value, separated by commas, where spec.word has none; or NULL. */
	const char *words;
	unsigned constant; /* stored, or or-ed in, as an unsigned int at spec.at; 0 for none */
	bool bits;
};

/* An option that a subcommand accepts: of the program, or of an output format. */
struct cr_cmd_choice {
	const struct cr_option_spec *spec;
	const struct cr_cmd_option *option; /* NULL: it belongs to a writer */
	const char *writer;                 /* NULL: it belongs to the program */
};

typedef CR_VEC(struct cr_cmd_choice) cr_cmd_choices;

/* All options of a subcommand, in the order of the help, including hidden ones. */
void cr_cmd_choices_of(const struct cr_cmd *cmd, cr_cmd_choices *out);

/* True if the help does not list the option. */
bool cr_cmd_choice_is_hidden(const struct cr_cmd_choice *c);

/* True if the subcommand can write this format. */
bool cr_cmd_writes(const struct cr_cmd *cmd, const struct cr_writer *w);

/* True if the option says what is done anyway. */
bool cr_cmd_option_is_default(const struct cr_cmd_option *option);

/* Set an option; arg is NULL if the option has no argument. */
int cr_cmd_option_set(const struct cr_cmd_option *option, const char *arg, struct cr_options *o,
	struct cr_err *err);

/* Free the arguments of perf that an option has set. */
void cr_cmd_free_custom(struct cr_options *o);

#endif
