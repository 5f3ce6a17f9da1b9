#ifndef CR_CMD_SANDBOX_P_H
#define CR_CMD_SANDBOX_P_H

#include "options_p.h"

/*
 * Confine this process to what the command line asks for, before any input is read: see
 * docs/cresset.1, SANDBOX. Starts the process that opens further files, if the command may need it,
 * and leaves it in o->load.symbol.opener; and the one that starts the editor, in o->editor. With
 * --no-sandbox, or where the kernel cannot, nothing is confined; that is no error.
 */
void cr_sandbox_start(struct cr_options *o);

/* End these processes. */
void cr_sandbox_end(struct cr_options *o);

#endif
