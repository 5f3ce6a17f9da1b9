#include "symbol/files/opener.h"

#include "base/confine.h"
#include "base/mem.h"
#include "debuginfod_p.h"
#include "gate_p.h"
#include "opener_ask_p.h"
#include "opener_message_p.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_OWNERS 64
#define MAX_LISTED 4096 /* files of a recording that is a directory */

struct server {
	int fd;
	struct cr_symbol_opts opts;
	uint32_t owners[MAX_OWNERS];
	uint32_t n_owners;
	struct cr_progress progress;
	struct cr_debuginfod *debuginfod; /* created on first use */
};

static void
owner_add(struct server *s, const struct stat *st)
{
	for (uint32_t i = 0; i < s->n_owners; i++)
		if (s->owners[i] == st->st_uid)
			return;
	if (s->n_owners < MAX_OWNERS)
		s->owners[s->n_owners++] = st->st_uid;
}

/* A recording may be a directory of files. */
static void
owners_of_directory(struct server *s, const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *d;
	struct stat st;

	for (int n = 0; dir && n < MAX_LISTED && (d = readdir(dir)); n++)
		if (fstatat(dirfd(dir), d->d_name, &st, 0) == 0 && S_ISREG(st.st_mode))
			owner_add(s, &st);
	if (dir)
		closedir(dir);
}

static void
owners_find(struct server *s, const char *const *inputs, int n)
{
	struct stat st;

	for (int i = 0; i < n; i++) {
		const bool is_stdin = strcmp(inputs[i], "-") == 0;

		if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(inputs[i], &st)) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			owners_of_directory(s, inputs[i]);
		else
			owner_add(s, &st);
	}
}

static bool
is_perfmap(const char *path)
{
	const struct cr_str base = cr_str_basename(cr_str_of(path));

	return cr_str_starts(base, "perf-") && cr_str_ends(base, ".map");
}

/*
 * A file that not everybody can read is only passed on if it begins like the requested type: ELF,
 * compressed or not, or a jitdump. The gate need not check this, since a process that is not
 * compromised ignores other files. Source text has no signature; as root, private source files are
 * refused (see gate_p.h).
 */
static bool
is_of_its_kind(int fd, const char *path, const struct cr_opener_request *r,
	const struct cr_symbol_opts *opts)
{
	static const char *const magic[] = {
		"\177ELF", "\037\213", "\3757zXZ", "\050\265\057\375", "JiTD", "DTiJ"};
	const bool is_source = r->rules & CR_GATE_PUBLIC,
		   is_map = (r->rules & CR_GATE_OWNED) && is_perfmap(path);
	const bool is_recorders = opts->has_owner && opts->owner != 0;
	struct stat st;
	char head[8];
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return false;
	if ((st.st_mode & S_IROTH) || is_map ||
		(is_source && (geteuid() != 0 || (is_recorders && st.st_uid == opts->owner))))
		return true;
	n = pread(fd, head, sizeof(head), 0);
	for (size_t i = 0; i < CR_LEN(magic); i++)
		if (n >= (ssize_t)strlen(magic[i]) && memcmp(head, magic[i], strlen(magic[i])) == 0)
			return true;
	return false;
}

static int
open_file(const struct cr_opener_request *r, const struct cr_symbol_opts *opts, const char *path)
{
	int fd = cr_gate_open(opts, path, r->rules, r->also);

	if (fd >= 0 && !is_of_its_kind(fd, path, r, opts)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* paths: len bytes, the last one a NUL. fds has room for CR_OPENER_AT_ONCE. */
static size_t
open_files(
	struct server *s, const struct cr_opener_request *r, size_t len, uint32_t *opened, int *fds)
{
	struct cr_symbol_opts opts = s->opts;
	size_t n = 0, at = 0;

	for (uint32_t i = 0; i < s->n_owners && r->has_owner && !opts.has_owner; i++)
		opts.has_owner = s->owners[i] == r->owner;
	opts.owner = r->owner;
	for (uint32_t i = 0; i < CR_OPENER_AT_ONCE && at < len; i++) {
		fds[n] = open_file(r, &opts, r->path + at);
		if (fds[n] >= 0) {
			*opened |= 1u << i;
			n++;
		}
		at += strlen(r->path + at) + 1;
	}
	return n;
}

static int
open_process(const struct cr_opener_request *r)
{
	char path[64];

	if (r->pid <= 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/%" PRId32 "/%s", r->pid,
		r->what == CR_OPENER_MAPS ? "maps" : "status");
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Forward progress to the other side and return its answer. If it is gone, cancel. */
static bool
relay_progress(void *user, const char *what, uint64_t done, uint64_t whole)
{
	const struct server *s = user;
	const struct cr_opener_answer a = {.is_progress = 1, .done = done, .whole = whole};
	struct cr_opener_go_on reply = {.stop = 1};
	int fds[CR_OPENER_AT_ONCE];
	size_t len, n_fds;

	(void)what;
	if (!cr_opener_send(s->fd, &a, sizeof(a), NULL, 0))
		return false;
	len = cr_opener_receive(s->fd, &reply, sizeof(reply), fds, &n_fds);
	cr_opener_close_all(fds, n_fds);
	if (len != sizeof(reply))
		return false;
	return !reply.stop;
}

static void
find_debuginfo(struct server *s, const struct cr_opener_request *r, struct cr_opener_answer *a)
{
	char *path;

	if (!s->opts.debuginfod || r->id.len > sizeof(r->id.p))
		return;
	s->progress = (struct cr_progress){relay_progress, s};
	if (!s->debuginfod)
		s->debuginfod = cr_debuginfod_new(NULL, &s->progress);
	path = cr_debuginfod_find(s->debuginfod, &r->id);
	snprintf(a->path, sizeof(a->path), "%s", path ? path : "");
	snprintf(a->why, sizeof(a->why), "%s", cr_debuginfod_why(s->debuginfod));
	free(path);
}

static void
serve(struct server *s)
{
	int fds[CR_OPENER_AT_ONCE];
	struct cr_opener_request r;
	size_t len, n_fds;

	while ((len = cr_opener_receive(s->fd, &r, sizeof(r), fds, &n_fds)) > 0) {
		const size_t paths = offsetof(struct cr_opener_request, path);
		struct cr_opener_answer a = {.is_progress = 0};
		bool sent;

		cr_opener_close_all(fds, n_fds);
		n_fds = 0;
		if (r.kind == CR_OPENER_STOP)
			break;
		if (r.kind == CR_OPENER_FILE && len > paths && !((const char *)&r)[len - 1])
			n_fds = open_files(s, &r, len - paths, &a.opened, fds);
		else if (r.kind == CR_OPENER_PROCESS && len >= paths)
			n_fds = (fds[0] = open_process(&r)) >= 0;
		else if (r.kind == CR_OPENER_DEBUGINFO && len >= paths)
			find_debuginfo(s, &r, &a);
		/* An answer with a file omits the space for names. */
		sent = cr_opener_send(s->fd, &a,
			r.kind == CR_OPENER_DEBUGINFO ? sizeof(a)
						      : offsetof(struct cr_opener_answer, path),
			fds, n_fds);
		cr_opener_close_all(fds, n_fds);
		if (!sent)
			break;
	}
}

/*
 * Leave the terminal, pipes and signals: this process must neither keep a pipe open nor end before
 * the other one. It ends when the other one closes its end of the socket.
 */
static void
detach(void)
{
	static const int ignored[] = {
		SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM};
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (size_t i = 0; i < CR_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	for (int fd = 0; fd <= 2; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
}

static void
run(int fd, const struct cr_symbol_opts *opts, const char *const *inputs, int n)
{
	struct server s = {.fd = fd, .opts = *opts};

	s.opts.opener = NULL;
	s.opts.progress = NULL;
	s.opts.has_owner = false;
	owners_find(&s, inputs, n);
	detach();
	cr_confine_calls(opts->debuginfod ? CR_CONFINE_NETWORK : 0);
	serve(&s);
}

struct cr_opener *
cr_opener_start(const struct cr_symbol_opts *opts, const char *const *inputs, int n)
{
	struct cr_opener *o = NULL;
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		run(ends[1], opts, inputs, n);
		_exit(0);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return NULL;
	}
	o = cr_alloc(1, sizeof(*o));
	*o = (struct cr_opener){.fd = ends[0], .pid = pid};
	pthread_mutex_init(&o->lock, NULL);
	return o;
}

void
cr_opener_stop(struct cr_opener *o)
{
	const struct cr_opener_request stop = {.kind = CR_OPENER_STOP};

	if (!o)
		return;
	cr_opener_expect(o, NULL, 0);
	/* It ends when it reads this or when our end is closed: one of the two may fail. */
	cr_opener_send(o->fd, &stop, offsetof(struct cr_opener_request, path), NULL, 0);
	close(o->fd);
	while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR)
		;
	pthread_mutex_destroy(&o->lock);
	free(o);
}

void
cr_opener_places(
	const struct cr_symbol_opts *opts, void (*visit)(void *user, const char *path), void *user)
{
	cr_gate_places(opts, visit, user);
}
