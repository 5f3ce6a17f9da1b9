#include "config_file_p.h"

#include "base/mem.h"
#include "bytes/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_MAX ((uint64_t)1 << 20)

char *
cr_config_path(void)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct cr_text path = {0};

	if (base && *base == '/')
		cr_text_printf(&path, "%s/cresset/config", base);
	else if (home && *home)
		cr_text_printf(&path, "%s/.config/cresset/config", home);
	return path.p;
}

static int
apply(struct cr_session *s, const char *path, int fd, struct cr_err *err)
{
	struct cr_source *source;
	int rc;

	if ((rc = cr_source_open_fd(fd, BYTES_MAX, &source, err)) < 0)
		return rc;
	rc = cr_session_configure(s, path,
		(struct cr_str){
			(const char *)cr_source_bytes(source), (uint32_t)cr_source_len(source)},
		err);
	cr_source_close(source);
	return rc;
}

int
cr_config_apply(struct cr_session *s, struct cr_err *err)
{
	char *path = cr_config_path();
	const int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;
	int rc = CR_OK;

	if (fd < 0 && path && errno != ENOENT && errno != ENOTDIR)
		rc = cr_fail_errno(err, CR_EIO, "%s", path);
	else if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)))
		rc = cr_fail(err, CR_EIO, CR_NO_OFFSET, "%s: not a regular file", path);
	else if (fd >= 0 && st.st_size > 0)
		rc = apply(s, path, fd, err);
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}
