#ifndef CR_TUI_HELP_TOPIC_P_H
#define CR_TUI_HELP_TOPIC_P_H

#include "session/session.h"

/*
 * Append the entries of the help about a topic, such as "copy" or "next match": keys, uses of the
 * mouse, words in the views and commands, the closest first, in lines of `cells` cells. Where
 * nothing has the topic as it is written, those with a similar name. Returns how many there are.
 */
uint32_t cr_help_topic(const char *topic, uint32_t cells, struct cr_text *out);

#endif
