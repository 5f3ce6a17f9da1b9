#include "base/temp.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Create a file in the first directory that allows it. Returns a descriptor and its path. */
static int
create(struct cr_text *path)
{
	const char *const directories[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
	int fd = -1;

	for (size_t i = 0; i < CR_LEN(directories) && fd < 0; i++) {
		if (!directories[i] || !*directories[i])
			continue;
		cr_text_clear(path);
		cr_text_printf(path, "%s/cresset-XXXXXX", directories[i]);
		fd = mkostemp(path->p, O_CLOEXEC);
	}
	return fd;
}

int
cr_temp_file(void)
{
	struct cr_text path = {0};
	const int fd = create(&path);

	if (fd >= 0)
		unlink(path.p);
	cr_text_fini(&path);
	return fd;
}

char *
cr_temp_named(void)
{
	struct cr_text path = {0};
	const int fd = create(&path);

	if (fd < 0) {
		cr_text_fini(&path);
		return NULL;
	}
	cr_cleanup_name(path.p);
	close(fd);
	return path.p;
}

void
cr_temp_remove(char *path)
{
	if (!path)
		return;
	unlink(path);
	cr_cleanup_forget(path);
	free(path);
}
