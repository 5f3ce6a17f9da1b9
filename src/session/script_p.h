#ifndef CR_SESSION_SCRIPT_P_H
#define CR_SESSION_SCRIPT_P_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The commands that a session has run, as a script that leads a new session of the same profile to
 * the same screen. Commands that change nothing that is seen (print, export, help) are not in it.
 */
struct cr_script;

struct cr_script *cr_script_new(void);
void cr_script_free(struct cr_script *s);

/* Append a command, as it was written. */
void cr_script_add(struct cr_script *s, struct cr_str command);

/* Append the command that sets this size, unless it is set already. */
void cr_script_size(struct cr_script *s, int32_t width, int32_t height);

/*
 * Append the commands, each with a ';' behind it, in lines of about 76 cells. False, and nothing is
 * appended, if there were more commands than are kept.
 */
bool cr_script_put(const struct cr_script *s, struct cr_text *out);

#endif
