#include "editor_p.h"

#include "base/mem.h"
#include "base/text.h"
#include "symbol/files/sourcefile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define WORDS_MAX 16    /* of the editor's command */
#define NOT_STARTED 127 /* the exit code of a child that could not start it */

struct cr_editor {
	int fd;
	pid_t pid;
};

/* What the browser asks for: up to the end of file that is used. Without a file: the end. */
struct request {
	uint32_t line;
	char file[PATH_MAX];
};

struct answer {
	int32_t code; /* enum cr_code */
	char text[256];
};

struct server {
	const struct cr_symbol_opts *opts;
	char *command;
};

/* ---- the command */

/* The option of each editor that sets the line where it starts. */
enum line_form {
	LINE_PLUS,  /* +12 FILE: vi, emacs, nano, joe, mcedit, kak ... */
	LINE_COLON, /* FILE:12 */
	LINE_GOTO,  /* --goto FILE:12 */
};

static enum line_form
line_form(const char *program)
{
	static const struct {
		const char *name;
		enum line_form form;
	} others[] = {{"code", LINE_GOTO}, {"codium", LINE_GOTO}, {"hx", LINE_COLON},
		{"helix", LINE_COLON}, {"subl", LINE_COLON}, {"zed", LINE_COLON}};
	const struct cr_str name = cr_str_basename(cr_str_of(program));

	for (size_t i = 0; i < CR_LEN(others); i++)
		if (cr_str_eq(name, cr_str_of(others[i].name)))
			return others[i].form;
	return LINE_PLUS;
}

/*
 * The words of the command, separated by blanks, and the file. command is changed, and *number gets
 * what the caller frees. argv has WORDS_MAX + 4.
 */
static void
arguments_make(char *command, const char *path, uint32_t line, char **number, char **argv)
{
	struct cr_text t = {0};
	char *rest = NULL;
	size_t n = 0;

	for (char *word = strtok_r(command, " \t", &rest); word && n < WORDS_MAX;
		word = strtok_r(NULL, " \t", &rest))
		argv[n++] = word;
	cr_text_puts(&t, "");
	if (line && line_form(argv[0]) == LINE_PLUS)
		cr_text_printf(&t, "+%" PRIu32, line);
	else if (line)
		cr_text_printf(&t, "%s:%" PRIu32, path, line);
	*number = t.p;
	if (line && line_form(argv[0]) == LINE_GOTO)
		argv[n++] = (char *)(uintptr_t) "--goto";
	if (line)
		argv[n++] = *number;
	if (!line || line_form(argv[0]) == LINE_PLUS)
		argv[n++] = (char *)(uintptr_t)path; /* begins with '/', so it is no option */
	argv[n] = NULL;
}

/* ---- the question */

/* A key of the terminal; what was typed before is discarded. 0 if there is none. */
static char
key_read(int tty)
{
	struct termios was, one_key;
	char key = 0;
	ssize_t n;

	if (tcgetattr(tty, &was) < 0)
		return 0;
	one_key = was;
	one_key.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	one_key.c_cc[VMIN] = 1;
	one_key.c_cc[VTIME] = 0;
	tcsetattr(tty, TCSAFLUSH, &one_key);
	do
		n = read(tty, &key, 1);
	while (n < 0 && errno == EINTR);
	tcsetattr(tty, TCSAFLUSH, &was);
	return n == 1 ? key : '\0';
}

static bool
user_agrees(int tty, const char *command, const char *path, uint32_t line)
{
	struct cr_text t = {0};
	char key;

	cr_text_puts(&t, "\r\ncresset: start ");
	cr_text_safe(&t, cr_str_of(command));
	cr_text_puts(&t, " for\r\n  ");
	cr_text_safe(&t, cr_str_of(path));
	if (line)
		cr_text_printf(&t, ", line %" PRIu32, line);
	cr_text_puts(&t, "\r\n(y/n) ");
	if (write(tty, t.p, t.len) < 0)
		errno = 0; /* without an answer it is not started */
	cr_text_fini(&t);
	key = key_read(tty);
	if (write(tty, "\r\n", 2) < 0)
		errno = 0;
	return key == 'y' || key == 'Y';
}

/* ---- the editor */

/* In the child: the terminal is its input and output, and signals do what they usually do. */
static void
editor_exec(int tty, char *const *argv)
{
	static const int by_default[] = {
		SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU};
	sigset_t none;

	for (size_t i = 0; i < CR_LEN(by_default); i++)
		signal(by_default[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int fd = 0; fd <= 2; fd++)
		dup2(tty, fd);
	execvp(argv[0], argv);
	_exit(NOT_STARTED);
}

static int
editor_run(int tty, char *const *argv, struct cr_err *err)
{
	const pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		editor_exec(tty, argv);
	if (pid < 0)
		return cr_fail_errno(err, CR_EIO, "no process for the editor");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
		return cr_fail(err, CR_EIO, CR_NO_OFFSET, "cannot start the editor %s", argv[0]);
	return CR_OK;
}

static int
edit(const struct server *s, const struct request *r, struct cr_err *err)
{
	char *path = cr_sourcefile_find(s->opts, cr_str_of(r->file)), *number = NULL;
	char *command = cr_strdup(s->command), *argv[WORDS_MAX + 4];
	const int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
	int rc;

	if (!path)
		rc = cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"%.150s is not here; --source-dir says where sources are", r->file);
	else if (tty < 0)
		rc = cr_fail(err, CR_EIO, CR_NO_OFFSET, "there is no terminal for an editor");
	else if (!user_agrees(tty, s->command, path, r->line))
		rc = cr_fail(err, CR_ECANCEL, CR_NO_OFFSET, "not edited");
	else {
		arguments_make(command, path, r->line, &number, argv);
		rc = editor_run(tty, argv, err);
	}
	if (tty >= 0)
		close(tty);
	free(command);
	free(number);
	free(path);
	return rc;
}

/* ---- the process */

static void
serve(const struct server *s, int fd)
{
	struct request r;
	ssize_t n;

	while ((n = recv(fd, &r, sizeof(r), 0)) > 0 || (n < 0 && errno == EINTR)) {
		struct answer a = {.code = CR_EUSAGE};
		struct cr_err err = CR_ERR_INIT;

		if (n < 0)
			continue;
		if ((size_t)n == offsetof(struct request, file))
			break;
		if ((size_t)n > offsetof(struct request, file) && !((const char *)&r)[n - 1])
			a.code = edit(s, &r, &err);
		snprintf(a.text, sizeof(a.text), "%s", a.code < 0 ? err.text : "");
		if (send(fd, &a, sizeof(a), MSG_NOSIGNAL) < 0)
			break;
	}
}

/* It must not end before the browser, nor keep a pipe open that the browser was started with. */
static void
detach(void)
{
	static const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE};
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (size_t i = 0; i < CR_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	for (int fd = 0; fd <= 2; fd++)
		if (!isatty(fd) && (null < 0 || dup2(null, fd) < 0))
			close(fd);
}

/* "" and blanks alone are no editor. */
static const char *
command_of_user(void)
{
	const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");

	if (visual && visual[strspn(visual, " \t")])
		return visual;
	return editor && editor[strspn(editor, " \t")] ? editor : "vi";
}

struct cr_editor *
cr_editor_start(const struct cr_symbol_opts *opts)
{
	struct cr_editor *e;
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	pid = fork();
	if (pid == 0) {
		struct cr_symbol_opts own = *opts;
		const struct server s = {&own, cr_strdup(command_of_user())};

		own.opener = NULL;
		own.progress = NULL;
		close(ends[0]);
		detach();
		serve(&s, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return NULL;
	}
	e = cr_alloc(1, sizeof(*e));
	*e = (struct cr_editor){ends[0], pid};
	return e;
}

void
cr_editor_stop(struct cr_editor *e)
{
	const struct request stop = {.line = 0};

	if (!e)
		return;
	/*
	 * The opener, which was started later, has our end of the socket too: closing it is not
	 * seen before that has ended.
	 */
	if (send(e->fd, &stop, offsetof(struct request, file), MSG_NOSIGNAL) < 0)
		errno = 0; /* it has ended */
	close(e->fd);
	while (waitpid(e->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(e);
}

int
cr_editor_edit(struct cr_editor *e, struct cr_str file, uint32_t line, struct cr_err *err)
{
	struct request r = {.line = line};
	struct answer a = {.code = CR_EIO};
	ssize_t n;

	if (!file.len || file.len >= sizeof(r.file) || memchr(file.p, '\0', file.len))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no source file has such a name");
	memcpy(r.file, file.p, file.len);
	if (send(e->fd, &r, offsetof(struct request, file) + file.len + 1, MSG_NOSIGNAL) < 0)
		return cr_fail_errno(err, CR_EIO, "no editor");
	do
		n = recv(e->fd, &a, sizeof(a), 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(a))
		return cr_fail(err, CR_EIO, CR_NO_OFFSET, "the process for the editor is gone");
	a.text[sizeof(a.text) - 1] = '\0';
	return a.code < 0 ? cr_fail(err, a.code, CR_NO_OFFSET, "%s", a.text) : CR_OK;
}
