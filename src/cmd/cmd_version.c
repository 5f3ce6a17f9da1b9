#include "options_p.h"

#include "base/confine.h"

#include <stdio.h>

int cr_cmd_version(const struct cr_options *o);

/* Also prints what confines this process, like every command at this point. */
int
cr_cmd_version(const struct cr_options *o)
{
	const char *off = o->no_sandbox ? "not confined: --no-sandbox" : NULL;
	const int landlock = cr_confine_landlock();

#ifdef STATIC_PROGRAM
	printf("cresset %s, linked statically\n", PACKAGE_VERSION);
#else
	printf("cresset %s\n", PACKAGE_VERSION);
#endif
	printf("built with    %s\n", BUILT_WITH);
	if (*BUILT_WITHOUT)
		printf("built without %s\n", BUILT_WITHOUT);
	printf("libraries     %s\n", BUILT_LIBRARIES);
	if (cr_confined() & CR_CONFINED_FILES)
		printf("files         confined by Landlock, interface %d%s\n", landlock,
			landlock < 3 ? ", which does not cover truncation" : "");
	else
		printf("files         %s\n", off ? off
					     : landlock
						     ? "not confined"
						     : "not confined: this kernel has no Landlock");
	if (cr_confined() & CR_CONFINED_CALLS)
		printf("system calls  confined by seccomp\n");
	else
		printf("system calls  %s\n",
			off ? off : "not confined: this kernel has no seccomp filters");
	return EXIT_DONE;
}
