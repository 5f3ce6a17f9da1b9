#ifndef CR_CMD_CMD_H
#define CR_CMD_CMD_H

/*
 * The program. Returns its exit code: 0 done, 1 difference or no match, 2 usage, 3 unreadable
 * input, 4 read in part.
 */
int cr_cmd_main(int argc, char **argv);

#endif
