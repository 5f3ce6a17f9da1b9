#ifndef CR_CMD_OPTION_TABLE_P_H
#define CR_CMD_OPTION_TABLE_P_H

#include "option_values_p.h"

#include "base/option.h"
#include "base/vec.h"
#include "write/writer.h"

/* An option of subcommands: how its value is stored, in one of these ways. */
struct cr_cmd_option {
	struct cr_option_spec spec; /* stored in struct cr_options by cr_option_set() */
	char letter;
	unsigned groups;   /* enum option_group */
	size_t has;        /* offsetof() a bool that says it was given; 0 for none */
	enum cr_word word; /* it is this word of a query; CR_WORDS for none */
	/* It is stored as no other is. CR_EUSAGE, maybe without a text, for a bad value. */
	int (*set)(struct cr_options *o, const char *arg, struct cr_err *err);
	unsigned constant; /* stored, or added as bits, as an unsigned int at spec.at; 0 for none */
	bool bits;
};

/* An option that a subcommand takes: of the program, or of an output format. */
struct cr_cmd_choice {
	const struct cr_option_spec *spec;
	const struct cr_cmd_option *option; /* NULL: a writer's */
	const char *writer;                 /* NULL: the program's */
};

typedef CR_VEC(struct cr_cmd_choice) cr_cmd_choices;

/* All that it takes, in the order of the help, hidden ones included. */
void cr_cmd_choices_of(const struct cr_cmd *cmd, cr_cmd_choices *out);

bool cr_cmd_choice_is_hidden(const struct cr_cmd_choice *c);

/* Can the subcommand write this format? */
bool cr_cmd_writes(const struct cr_cmd *cmd, const struct cr_writer *w);

/* Store the value that is given, NULL for an option without one. */
int cr_cmd_option_set(const struct cr_cmd_option *option, const char *arg, struct cr_options *o,
	struct cr_err *err);

#endif
