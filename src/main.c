#include "cmd/cmd.h"

int
main(int argc, char **argv)
{
	return cr_cmd_main(argc, argv);
}
