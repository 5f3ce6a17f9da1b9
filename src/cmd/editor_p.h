#ifndef CR_CMD_EDITOR_P_H
#define CR_CMD_EDITOR_P_H

#include "base/err.h"
#include "base/str.h"
#include "symbol/opts.h"

/*
 * A process that starts the user's editor for one that cannot start programs: the browser confines
 * itself (sandbox_p.h) before it reads an input, so this process is started before that.
 *
 * It trusts the browser no more than the sandbox does. It starts one program, that of $VISUAL or
 * $EDITOR (else vi) when it was started, without a shell. It opens one kind of file: source files
 * that the gate accepts (symbol/files/gate_p.h). And it asks the user first, with the whole path,
 * and reads the answer from the terminal itself; the browser cannot make up keys, since the sandbox
 * refuses TIOCSTI. What was typed before the question does not count.
 */
struct cr_editor;

/*
 * Start the process. Before any thread is started. opts, which must not change while the process
 * runs, say where source files are looked for. NULL when no process can be started.
 */
struct cr_editor *cr_editor_start(const struct cr_symbol_opts *opts);

/* End it and wait for its end. Takes NULL. */
void cr_editor_stop(struct cr_editor *e);

/*
 * Edit a source file, with the cursor in this line (0: in none). file: as the recording names it.
 * Returns when the editor has ended; the terminal must be in the mode in which the program found
 * it. CR_ENOTFOUND if there is no such file here, CR_ECANCEL if the user said no, CR_EIO if the
 * editor cannot be started.
 */
int cr_editor_edit(struct cr_editor *e, struct cr_str file, uint32_t line, struct cr_err *err);

#endif
