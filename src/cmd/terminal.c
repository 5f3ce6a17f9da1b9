#include "terminal_p.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_LEAST 40
#define COLUMNS_MOST 10000
#define COLUMNS_USUAL 80u

uint32_t
cr_stdout_cells(uint32_t piped)
{
	struct winsize ws;

	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col >= 40)
		return ws.ws_col;
	return piped;
}

static bool
is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool
is_zero(const char *name)
{
	const char *value = getenv(name);

	return value && strcmp(value, "0") == 0;
}

bool
cr_stdout_colors(const struct cr_options *o)
{
	const char *term = getenv("TERM");

	if (o->color != WHEN_AUTO)
		return o->color == WHEN_ALWAYS;
	if (is_set("NO_COLOR"))
		return false;
	if (is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE"))
		return true;
	return !is_zero("CLICOLOR") && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

/* Width of a terminal that does not report it, and of output that is no terminal. */
static uint32_t
usual_cells(void)
{
	const char *columns = getenv("COLUMNS");
	const long n = columns ? strtol(columns, NULL, 10) : 0;

	return n >= COLUMNS_LEAST && n <= COLUMNS_MOST ? (uint32_t)n : COLUMNS_USUAL;
}

uint32_t
cr_stdout_name_cells(const struct cr_options *o)
{
	if (o->names == NAMES_FULL || (o->names == NAMES_AUTO && !isatty(STDOUT_FILENO)))
		return 0;
	return cr_stdout_cells(usual_cells());
}
