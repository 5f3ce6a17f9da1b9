#include "base/temp.h"

#include "base/mem.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int
cr_temp_file(void)
{
	const char *const directorys[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
	int fd = -1;

	for (size_t i = 0; i < CR_LEN(directorys) && fd < 0; i++) {
		struct cr_text path = {0};

		if (!directorys[i] || !*directorys[i])
			continue;
		cr_text_printf(&path, "%s/cresset-XXXXXX", directorys[i]);
		fd = mkostemp(path.p, O_CLOEXEC);
		if (fd >= 0)
			unlink(path.p);
		cr_text_fini(&path);
	}
	return fd;
}
