#include "opening_p.h"

#include "base/confine.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"
#include "debuginfod_p.h"
#include "gate_p.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_OWNERS 64
#define MAX_LISTED 4096 /* files of a recording that is a directory */

struct cr_opener {
	int fd; /* our end of the pair of sockets */
	pid_t pid;
	pthread_mutex_t lock; /* a request and its answer */
};

enum kind { OPEN_FILE, OPEN_PROCESS, FIND_DEBUGINFO };

/* A request: the struct, up to the end of path that is used. */
struct request {
	uint32_t kind;
	uint32_t rules, also;      /* OPEN_FILE: see gate.h */
	uint32_t has_owner, owner; /* OPEN_FILE */
	int32_t pid;               /* OPEN_PROCESS */
	uint32_t what;             /* OPEN_PROCESS: enum cr_opener_of_process */
	struct cr_build_id id;     /* FIND_DEBUGINFO */
	char path[PATH_MAX];       /* OPEN_FILE: ends with a NUL */
};

/*
 * An answer; what is opened comes with it. While debug info is fetched, some that tell of progress
 * come before it.
 */
struct answer {
	uint32_t is_progress;
	uint64_t done, whole; /* of progress, in bytes */
	char path[PATH_MAX];  /* FIND_DEBUGINFO: "" when there is none */
	char why[256];        /* FIND_DEBUGINFO: of the first that there was none of */
};

/* The reply to progress. */
struct go_on {
	uint32_t stop;
};

/* ---- messages */

static bool
message_send(int socket, const void *p, size_t len, int fd)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)p, .iov_len = len};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.room = {0}};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (fd >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
		control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	}
	do
		n = sendmsg(socket, &m, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

/*
 * The bytes of one message, at most len; 0 when the other side is gone. *fd is -1 without a
 * descriptor.
 */
static size_t
message_receive(int socket, void *p, size_t len, int *fd)
{
	struct iovec part = {.iov_base = p, .iov_len = len};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.room = {0}};
	struct msghdr m = {.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control)};
	ssize_t n;

	*fd = -1;
	do
		n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n > 0 && m.msg_controllen >= sizeof(control.head) &&
		control.head.cmsg_type == SCM_RIGHTS &&
		control.head.cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(&control.head), sizeof(*fd));
	return n > 0 ? (size_t)n : 0;
}

/* ---- the process that opens */

struct server {
	int fd;
	struct cr_symbol_opts opts;
	uint32_t owners[MAX_OWNERS];
	uint32_t n_owners;
	struct cr_progress progress;
	struct cr_debuginfod *debuginfod; /* made when it is first asked */
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
 * What not everybody can read is only handed out when it begins like what it is asked as: ELF,
 * packed or not, or a jitdump. The gate need not ask, for a process that is not taken over makes
 * nothing of other files. Source text begins with anything; root gets no private one (see gate.h).
 */
static bool
is_of_its_kind(int fd, const struct request *r, const struct cr_symbol_opts *opts)
{
	static const char *const magic[] = {
		"\177ELF", "\037\213", "\3757zXZ", "\050\265\057\375", "JiTD", "DTiJ"};
	const bool is_source = r->rules & CR_GATE_PUBLIC,
		   is_map = (r->rules & CR_GATE_OWNED) && is_perfmap(r->path);
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
open_file(struct server *s, const struct request *r)
{
	struct cr_symbol_opts opts = s->opts;
	int fd;

	for (uint32_t i = 0; i < s->n_owners && r->has_owner && !opts.has_owner; i++)
		opts.has_owner = s->owners[i] == r->owner;
	opts.owner = r->owner;
	fd = cr_gate_open(&opts, r->path, r->rules, r->also);
	if (fd >= 0 && !is_of_its_kind(fd, r, &opts)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int
open_process(const struct request *r)
{
	char path[64];

	if (r->pid <= 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/%" PRId32 "/%s", r->pid,
		r->what == CR_OPENER_MAPS ? "maps" : "status");
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* What the other side's progress says of this. When it is gone, that is a stop. */
static bool
relay_progress(void *user, const char *what, uint64_t done, uint64_t whole)
{
	const struct server *s = user;
	const struct answer a = {.is_progress = 1, .done = done, .whole = whole};
	struct go_on reply = {.stop = 1};
	int fd;

	(void)what;
	if (!message_send(s->fd, &a, sizeof(a), -1) ||
		message_receive(s->fd, &reply, sizeof(reply), &fd) != sizeof(reply))
		return false;
	return !reply.stop;
}

static void
find_debuginfo(struct server *s, const struct request *r, struct answer *a)
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
	struct request r;
	size_t len;
	int fd;

	while ((len = message_receive(s->fd, &r, sizeof(r), &fd)) > 0) {
		struct answer a = {.is_progress = 0};
		bool sent;

		if (fd >= 0)
			close(fd);
		fd = -1;
		if (r.kind == OPEN_FILE && len > offsetof(struct request, path) &&
			!((const char *)&r)[len - 1])
			fd = open_file(s, &r);
		else if (r.kind == OPEN_PROCESS && len >= offsetof(struct request, path))
			fd = open_process(&r);
		else if (r.kind == FIND_DEBUGINFO && len >= offsetof(struct request, path))
			find_debuginfo(s, &r, &a);
		/* A file comes without the room for names. */
		sent = message_send(s->fd, &a,
			r.kind == FIND_DEBUGINFO ? sizeof(a) : offsetof(struct answer, path), fd);
		if (fd >= 0)
			close(fd);
		if (!sent)
			break;
	}
}

/*
 * Nothing of the terminal's, of pipes and of signals is for this process: it must neither keep a
 * pipe open nor end before the other one. It ends when that has closed its end.
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

/* ---- the process that asks */

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
	if (!o)
		return;
	close(o->fd);
	while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR)
		;
	pthread_mutex_destroy(&o->lock);
	free(o);
}

pid_t
cr_opener_pid(const struct cr_opener *o)
{
	return o->pid;
}

static bool
ask(struct cr_opener *o, const struct request *r, size_t len, struct answer *a,
	const struct cr_progress *progress, int *fd)
{
	bool done = false;

	*fd = -1;
	pthread_mutex_lock(&o->lock);
	if (!message_send(o->fd, r, len, -1))
		goto out;
	while (message_receive(o->fd, a, sizeof(*a), fd) >= offsetof(struct answer, path)) {
		struct go_on reply = {.stop = 0};

		done = !a->is_progress;
		if (done)
			break;
		reply.stop = !cr_progress_step(progress, "downloading", a->done, a->whole);
		if (!message_send(o->fd, &reply, sizeof(reply), -1))
			break;
	}
out:
	pthread_mutex_unlock(&o->lock);
	return done;
}

int
cr_opener_file(struct cr_opener *o, const struct cr_symbol_opts *opts, const char *path,
	unsigned rules, uint32_t also)
{
	struct request r = {.kind = OPEN_FILE,
		.rules = rules,
		.also = also,
		.has_owner = opts->has_owner,
		.owner = opts->owner};
	const size_t len = strlen(path) + 1;
	struct answer a;
	int fd;

	if (len > sizeof(r.path))
		return -1;
	memcpy(r.path, path, len);
	ask(o, &r, offsetof(struct request, path) + len, &a, NULL, &fd);
	return fd;
}

int
cr_opener_process(struct cr_opener *o, int32_t pid, enum cr_opener_of_process what)
{
	const struct request r = {.kind = OPEN_PROCESS, .pid = pid, .what = what};
	struct answer a;
	int fd;

	ask(o, &r, offsetof(struct request, path), &a, NULL, &fd);
	return fd;
}

char *
cr_opener_debuginfod(struct cr_opener *o, const struct cr_build_id *id,
	const struct cr_progress *progress, char *why, size_t size)
{
	const struct request r = {.kind = FIND_DEBUGINFO, .id = *id};
	struct answer a = {.path = ""};
	int fd;

	snprintf(why, size, "%s", "the process that asks the servers has ended");
	if (!ask(o, &r, offsetof(struct request, path), &a, progress, &fd))
		return NULL;
	a.path[sizeof(a.path) - 1] = a.why[sizeof(a.why) - 1] = '\0';
	snprintf(why, size, "%s", a.why);
	return a.path[0] ? cr_strdup(a.path) : NULL;
}

void
cr_opener_places(
	const struct cr_symbol_opts *opts, void (*visit)(void *user, const char *path), void *user)
{
	cr_gate_places(opts, visit, user);
}
