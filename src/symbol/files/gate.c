#include "gate_p.h"

#include "base/text.h"
#include "opener_ask_p.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOOK_FLAGS (O_PATH | O_CLOEXEC)
#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)

/* A place where a file is searched. */
struct place {
	/* Directory that the path begins with, without a final slash; "" if none. */
	const char *root;
	struct cr_text rest; /* path below it, without "." and ".." */
	bool given;          /* the user named the directory or the file */
	bool confined;       /* links are resolved below root */
	bool links;          /* the last part may be a link */
};

/* ---- names */

/*
 * Append a path without empty parts, "." and "..", with a slash before each part. It cannot leave
 * its start.
 */
static void
put_plain(const char *path, struct cr_text *out)
{
	const size_t start = out->len;

	while (*path) {
		const size_t len = strcspn(path, "/");

		if (len == 2 && memcmp(path, "..", 2) == 0) {
			while (out->len > start && out->p[--out->len] != '/')
				;
		} else if (len && !(len == 1 && *path == '.')) {
			cr_text_char(out, '/');
			cr_text_put(out, path, len);
		}
		path += len;
		path += *path == '/';
	}
	if (out->p)
		out->p[out->len] = '\0';
}

/* The part of path below dir; NULL if it is not below it. */
static const char *
below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	if (len == 0)
		return NULL;
	while (len > 1 && dir[len - 1] == '/')
		len--;
	if (strncmp(path, dir, len) != 0)
		return NULL;
	return path[len] == '/' ? path + len : len == 1 && *dir == '/' ? path : NULL;
}

static bool
try_place(struct place *p, const char *path, const char *root, bool given, bool confined)
{
	const char *rest = below(path, root);

	if (!rest)
		return false;
	*p = (struct place){.root = root, .given = given, .confined = confined, .links = true};
	put_plain(rest, &p->rest);
	return true;
}

/* Directories of the system for files with symbols. */
static const char *const system_places[] = {
	"/usr/lib/debug", "/boot", "/lib/modules", "/usr/lib/modules"};

/* Where perf record keeps copies of recorded files; false without a home directory. */
static bool
put_build_ids(const struct cr_symbol_opts *opts, struct cr_text *out)
{
	const char *home = opts->home ? opts->home : getenv("HOME");

	if (!home || !*home)
		return false;
	cr_text_printf(out, "%s/.debug", home);
	return true;
}

void
cr_gate_places(
	const struct cr_symbol_opts *opts, void (*visit)(void *user, const char *path), void *user)
{
	const char *const given[] = {
		opts->symfs, opts->source_dir, opts->debug_dir, opts->map_dir, opts->vmlinux};
	struct cr_text cache = {0};

	for (size_t i = 0; i < CR_LEN(given); i++)
		if (given[i])
			visit(user, given[i]);
	for (size_t i = 0; i < CR_LEN(system_places); i++)
		visit(user, system_places[i]);
	if (put_build_ids(opts, &cache))
		visit(user, cache.p);
	cr_text_fini(&cache);
}

static void
place_find(struct place *p, const struct cr_symbol_opts *opts, const char *path)
{
	struct cr_text cache = {0};
	bool found;

	if (try_place(p, path, opts->symfs, true, true) ||
		try_place(p, path, opts->source_dir, true, true) ||
		try_place(p, path, opts->debug_dir, true, false) ||
		try_place(p, path, opts->map_dir, true, false))
		return;
	if (opts->vmlinux && strcmp(path, opts->vmlinux) == 0) {
		*p = (struct place){.root = "", .given = true, .links = true};
		cr_text_puts(&p->rest, path);
		return;
	}
	for (size_t i = 0; i < CR_LEN(system_places); i++)
		if (try_place(p, path, system_places[i], false, false))
			return;
	found = put_build_ids(opts, &cache) && try_place(p, path, cache.p, false, false);
	cr_text_fini(&cache);
	if (found) { /* use the whole path, since its root is scratch memory */
		p->root = "";
		cr_text_clear(&p->rest);
		put_plain(path, &p->rest);
		return;
	}
	*p = (struct place){.root = ""};
	if (path[0] != '/') /* "vmlinux", relative to the current directory */
		cr_text_puts(&p->rest, path);
	else
		put_plain(path, &p->rest);
}

/* ---- opening */

/* Open part by part without following links, for kernels without openat2(). */
static int
open_parts(int dir, const char *rest, int flags)
{
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);

	while (at >= 0) {
		const size_t len = strcspn(rest, "/");
		char *part = strndup(rest, len);
		const bool last = !rest[len];
		const int next = part ? openat(at, part,
						(last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC) |
							O_NOFOLLOW)
				      : -1;

		free(part);
		close(at);
		if (last)
			return next;
		at = next;
		rest += len + 1;
	}
	return -1;
}

static int
open_confined(const struct place *p, int flags)
{
	const struct open_how how = {
		.flags = (unsigned)flags, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	const char *rest = p->rest.p + 1; /* without the slash */
	const int dir = open(p->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (dir < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, dir, rest, &how, sizeof(how));
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = open_parts(dir, rest, flags);
	close(dir);
	return fd;
}

static int
open_place(const struct place *p, int flags)
{
	struct cr_text whole = {0};
	int fd;

	if (p->confined)
		return open_confined(p, flags);
	cr_text_puts(&whole, p->root);
	cr_text_puts(&whole, p->rest.p);
	fd = open(whole.p, flags | (p->links ? 0 : O_NOFOLLOW));
	cr_text_fini(&whole);
	return fd;
}

/* ---- permissions and owner */

static bool
is_allowed(const struct place *p, const struct cr_symbol_opts *opts, const struct stat *st,
	unsigned rules, uint32_t also)
{
	const bool of_recorder = opts->has_owner && st->st_uid == opts->owner && st->st_uid != 0;

	if (p->given)
		return true;
	/* A hard link in /tmp would turn a file of root into a perf map. */
	if ((rules & CR_GATE_OWNED) && st->st_nlink != 1)
		return false;
	if ((rules & CR_GATE_OWNED) && st->st_uid != 0 && st->st_uid != geteuid() &&
		(also == CR_GATE_NOBODY || st->st_uid != also))
		return false;
	if (geteuid() != 0 || of_recorder)
		return true;
	if (rules & CR_GATE_PUBLIC)
		return st->st_mode & S_IROTH;
	return (st->st_mode & S_IROTH) || st->st_uid == 0;
}

static bool
is_plain_file(int fd, struct stat *st)
{
	struct statfs fs;

	return fstat(fd, st) == 0 && S_ISREG(st->st_mode) && fstatfs(fd, &fs) == 0 &&
	       fs.f_type != PROC_SUPER_MAGIC && fs.f_type != SYSFS_MAGIC;
}

/* *denied: it exists, but this process is not allowed to open it. */
static int
open_here(const struct cr_symbol_opts *opts, const char *path, unsigned rules, uint32_t also,
	bool *denied)
{
	struct stat seen, st;
	struct place p;
	int fd = -1, look;

	place_find(&p, opts, path);
	if (!p.rest.len)
		goto out;
	/* Check the type before opening: opening a device may have an effect, or block. */
	look = open_place(&p, LOOK_FLAGS);
	*denied = look < 0 && errno == EACCES;
	if (look < 0)
		goto out;
	if (is_plain_file(look, &seen) && is_allowed(&p, opts, &seen, rules, also)) {
		fd = open_place(&p, READ_FLAGS);
		*denied = fd < 0 && errno == EACCES;
	}
	close(look);
	if (fd >= 0 &&
		(!is_plain_file(fd, &st) || st.st_dev != seen.st_dev || st.st_ino != seen.st_ino)) {
		close(fd);
		fd = -1;
	}
out:
	cr_text_fini(&p.rest);
	return fd;
}

int
cr_gate_open(const struct cr_symbol_opts *opts, const char *path, unsigned rules, uint32_t also)
{
	const bool is_dso = rules == 0 && also == CR_GATE_NOBODY;
	bool denied = false;
	int fd = opts->opener && is_dso ? cr_opener_ready(opts->opener, path) : -1;

	if (fd >= 0)
		return fd;
	fd = open_here(opts, path, rules, also, &denied);
	return denied && opts->opener ? cr_opener_file(opts->opener, opts, path, rules, also) : fd;
}

const char *
cr_gate_refusal(const char *path)
{
	if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return NULL;
	return "its kind, owner or permissions are not accepted";
}
