#ifndef CR_CMD_PROGRAM_FILE_P_H
#define CR_CMD_PROGRAM_FILE_P_H

/*
 * The file that the shell would run for a command: a path as it is, or the first executable file of
 * that name in PATH. Returns its path, which the caller frees; NULL if there is none.
 */
char *cr_program_find(const char *command);

/*
 * The interpreter that the first line of a script names, also through env(1). Returns its path,
 * which the caller frees; NULL if the file is no script, or the interpreter is missing.
 */
char *cr_program_interpreter(const char *path);

/* The last component of a path, borrowed. */
const char *cr_program_name(const char *path);

#endif
