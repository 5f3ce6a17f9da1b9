#ifndef CR_CMD_EXIT_CODE_P_H
#define CR_CMD_EXIT_CODE_P_H

/* Exit codes of the program, see EXIT STATUS in cresset(1). */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_NOTHING = 1,    /* nothing found; not used by diff */
	EXIT_DIFFERENCE = 1, /* only diff */
	EXIT_USAGE = 2,
	EXIT_INPUT = 3,
	EXIT_IN_PART = 4,
};

#endif
