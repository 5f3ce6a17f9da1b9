#ifndef CR_SESSION_COMMANDS_GLOSSARY_H
#define CR_SESSION_COMMANDS_GLOSSARY_H

#include <stddef.h>

/* Words of the screens that the help explains. */
struct cr_glossary_entry {
	const char *word;  /* "not tested" */
	const char *about; /* one line for the help */
};

/* The entries in the order of the help; NULL past the last. */
const struct cr_glossary_entry *cr_glossary_at(size_t i);

#endif
