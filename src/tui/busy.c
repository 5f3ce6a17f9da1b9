#include "busy_p.h"
#include "tui/panes/pane_p.h"

#include "base/mem.h"
#include "base/work.h"
#include "view/style/label.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SHOW_AFTER_MS 150 /* shorter work shows only its result */
#define REDRAW_MS 100
#define KEY_REDRAW ('l' & 31)
#define KEY_SUSPEND ('z' & 31)

/* Work in progress. */
struct job {
	struct cr_busy *b;
	const char *label;
	enum cr_busy_how how;
	int done_fd[2]; /* readable when it is done */
	atomic_bool stop, done;

	pthread_mutex_t lock; /* protects the last progress: */
	char what[32];
	uint64_t at, whole;

	/* Used only by the second thread. */
	sigset_t signals;     /* blocked in the first thread; the previous mask */
	struct cr_grid shown; /* b->grid with the bottom line */
	struct cr_text drawn; /* text of that line */
	int64_t due_ms;
	bool is_hung_up; /* the terminal was closed */
};

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* ---- in the thread of the command */

static bool
job_step(void *user, const char *what, uint64_t done, uint64_t whole)
{
	struct job *j = user;

	pthread_mutex_lock(&j->lock);
	strncpy(j->what, what, sizeof(j->what) - 1);
	j->at = done;
	j->whole = whole;
	pthread_mutex_unlock(&j->lock);
	return !atomic_load(&j->stop);
}

/* ---- in the second thread */

static void
keep(struct job *j, const struct cr_input_event *e)
{
	/* The main loop asks for the size anyway. */
	if (e->key == CR_KEY_NONE || e->key == CR_KEY_RESIZE)
		return;
	cr_vec_push(&j->b->events, *e);
	j->is_hung_up |= e->key == CR_KEY_HANGUP;
}

/* "focus parse: samples 43.00 %" */
static void
put_progress(struct job *j, struct cr_text *out)
{
	cr_text_safe(out, cr_str_of(j->label));
	pthread_mutex_lock(&j->lock);
	if (j->what[0])
		cr_text_printf(out, ": %s", j->what);
	if (j->whole) {
		cr_text_char(out, ' ');
		cr_text_share(out, j->at, j->whole);
	}
	pthread_mutex_unlock(&j->lock);
}

static void
copy_cells(const struct cr_grid *from, struct cr_grid *to)
{
	const int32_t width = CR_MIN(from->width, to->width),
		      height = CR_MIN(from->height, to->height);

	for (int32_t y = 0; y < height; y++)
		memcpy(to->cells + (size_t)y * (size_t)to->width,
			from->cells + (size_t)y * (size_t)from->width,
			(size_t)width * sizeof(*to->cells));
}

static void
draw(struct job *j)
{
	static const char stops[] = "Esc or ^C stops it", leaves[] = "^C leaves";
	const bool stopping = atomic_load(&j->stop);
	const char *keys = j->how == CR_BUSY_WHOLE ? "" : stopping ? leaves : stops;
	const int32_t at_keys = CR_MAX(j->shown.width - 1 - (int32_t)strlen(keys), 0);
	struct cr_text text = {0}, fit = {0};
	int32_t y;

	put_progress(j, &text);
	if (stopping) {
		cr_text_clear(&text);
		cr_text_puts(&text, "stopping ...");
	}
	y = j->shown.height - 1;
	if (j->drawn.p && strcmp(j->drawn.p, text.p) == 0)
		goto out;
	cr_text_clear(&j->drawn);
	cr_text_puts(&j->drawn, text.p);
	cr_grid_fill(&j->shown, 0, y, j->shown.width, 1, ' ', CR_LOOK_PLAIN);
	cr_label_fit(&fit, cr_text_view(&text), (uint32_t)CR_MAX(at_keys - 3, 1));
	cr_grid_text(&j->shown, 1, y, at_keys - 2, cr_text_view(&fit), CR_LOOK_BOLD);
	cr_grid_text(&j->shown, at_keys, y, j->shown.width, cr_str_of(keys), CR_LOOK_PLAIN);
	if (!j->b->term->unicode)
		cr_grid_to_ascii(&j->shown);
	j->b->term->draw(j->b->term, &j->shown);
out:
	cr_text_fini(&text);
	cr_text_fini(&fit);
}

/* Draw if it is time, on a screen whose size may have changed. */
static void
draw_due(struct job *j)
{
	struct cr_term *t = j->b->term;
	int32_t width, height;

	if (j->how == CR_BUSY_TYPING || j->is_hung_up || now_ms() < j->due_ms)
		return;
	t->size(t, &width, &height);
	if (j->shown.width != width || j->shown.height != height) {
		cr_grid_resize(&j->shown, width, height);
		cr_grid_clear(&j->shown);
		copy_cells(j->b->grid, &j->shown);
		cr_text_clear(&j->drawn);
	}
	draw(j);
	j->due_ms = now_ms() + REDRAW_MS;
}

/* Discard keys typed in expectation of the result. */
static void
stop(struct job *j)
{
	atomic_store(&j->stop, true);
	j->b->events.n = j->b->at = 0;
	j->due_ms = 0;
}

static void
on_event(struct job *j, const struct cr_input_event *e)
{
	struct cr_term *t = j->b->term;
	const bool stops = j->how == CR_BUSY_STOPPABLE && !e->pasted;

	if (e->key == CR_KEY_MOUSE) {
		/* A mouse event refers to a screen that is obsolete when the command is done. */
	} else if (e->key == KEY_REDRAW && !e->pasted) {
		t->redraw(t);
		cr_text_clear(&j->drawn);
		j->due_ms = 0;
	} else if (e->key == KEY_SUSPEND && !e->pasted) {
		t->suspend(t);
		cr_text_clear(&j->drawn);
	} else if (stops && e->key == CR_KEY_INTERRUPT && atomic_load(&j->stop)) {
		kill(0, SIGINT); /* a second ^C ends the program, as elsewhere */
	} else if (stops && (e->key == CR_KEY_INTERRUPT || e->key == CR_KEY_ESC)) {
		stop(j);
	} else {
		keep(j, e);
		if (j->how == CR_BUSY_TYPING ||
			(j->how == CR_BUSY_STOPPABLE && e->key == CR_KEY_HANGUP))
			atomic_store(&j->stop, true);
	}
}

static void
wait_ms(const struct job *j, int64_t ms)
{
	struct pollfd p = {.fd = j->done_fd[0], .events = POLLIN};

	poll(&p, 1, (int)ms);
}

static void *
watch(void *user)
{
	struct job *j = user;
	struct cr_term *t = j->b->term;
	struct cr_input_event e;

	pthread_sigmask(SIG_SETMASK, &j->signals, NULL);
	/* When asked for a key, curses first draws what it has: the old content in the new size. */
	if (j->how == CR_BUSY_WHOLE)
		wait_ms(j, CR_MAX(j->due_ms - now_ms(), 0));
	/* Keys typed before the command began do not cancel it. */
	while (!atomic_load(&j->done) && !j->is_hung_up && t->read_until(t, -1, 0, &e))
		if (j->how == CR_BUSY_TYPING)
			on_event(j, &e);
		else
			keep(j, &e);
	while (!atomic_load(&j->done)) {
		const int64_t left = CR_MAX(j->due_ms - now_ms(), 0);

		if (j->is_hung_up)
			wait_ms(j, left);
		else if (t->read_until(t, j->done_fd[0], (int)left, &e))
			on_event(j, &e);
		if (!atomic_load(&j->done))
			draw_due(j);
		else
			break;
		if (j->due_ms < now_ms())
			j->due_ms = now_ms() + REDRAW_MS;
	}
	return NULL;
}

/* ---- both threads */

/*
 * Signals that end the program are handled by the second thread: it restores the terminal, and must
 * not be drawing at that time. Signals for faults are handled by the thread that caused them.
 */
static void
block_signals(sigset_t *was)
{
	static const int own[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPIPE};
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < CR_LEN(own); i++)
		sigdelset(&set, own[i]);
	pthread_sigmask(SIG_BLOCK, &set, was);
}

static int
run(struct job *j, struct cr_session *s, const struct cr_busy_job *work, struct cr_err *err)
{
	const struct cr_progress progress = {job_step, j};
	int rc;

	cr_work_begin(&progress);
	rc = work->run(work->user, err);
	cr_work_end();
	cr_session_prepare(s);
	return rc;
}

/* Without a second thread the command runs anyway, and keys wait. */
static bool
start(struct job *j, pthread_t *thread)
{
	if (pipe2(j->done_fd, O_CLOEXEC) < 0)
		return false;
	block_signals(&j->signals);
	if (pthread_create(thread, NULL, watch, j) == 0)
		return true;
	pthread_sigmask(SIG_SETMASK, &j->signals, NULL);
	close(j->done_fd[0]);
	close(j->done_fd[1]);
	return false;
}

static void
end(struct job *j, pthread_t thread)
{
	atomic_store(&j->done, true);
	close(j->done_fd[1]); /* makes the other end readable */
	pthread_join(thread, NULL);
	close(j->done_fd[0]);
	pthread_sigmask(SIG_SETMASK, &j->signals, NULL);
}

int
cr_busy_do(struct cr_busy *b, struct cr_session *s, const struct cr_busy_job *work,
	enum cr_busy_how how, struct cr_err *err)
{
	struct job j = {
		.b = b, .label = work->label, .how = how, .due_ms = now_ms() + SHOW_AFTER_MS};
	pthread_t thread;
	bool started;
	int rc;

	pthread_mutex_init(&j.lock, NULL);
	started = start(&j, &thread);
	rc = run(&j, s, work, err);
	if (started)
		end(&j, thread);
	pthread_mutex_destroy(&j.lock);
	cr_grid_fini(&j.shown);
	cr_text_fini(&j.drawn);
	return rc;
}

/* A command in progress. */
struct command {
	struct cr_session *s;
	const char *line;
	FILE *out;
};

static int
run_command(void *user, struct cr_err *err)
{
	const struct command *c = user;

	return cr_session_run(c->s, c->line, c->out, err);
}

int
cr_busy_run(struct cr_busy *b, struct cr_session *s, const char *line, FILE *out,
	enum cr_busy_how how, struct cr_err *err)
{
	struct command c = {s, line, out};
	const struct cr_busy_job job = {line, run_command, &c};

	return cr_busy_do(b, s, &job, how, err);
}

bool
cr_busy_has_events(const struct cr_busy *b)
{
	return b->at < b->events.n;
}

bool
cr_busy_next(struct cr_busy *b, struct cr_input_event *out)
{
	if (!cr_busy_has_events(b))
		return false;
	*out = b->events.p[b->at++];
	if (b->at == b->events.n)
		b->at = b->events.n = 0;
	return true;
}

void
cr_busy_fini(struct cr_busy *b)
{
	cr_vec_fini(&b->events);
}
