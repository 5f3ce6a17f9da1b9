/*
 * query_time PROFILE COMMAND...: how long a browser of 200 x 60 cells takes to open a stored
 * profile, and to do each of the commands, up to when it waits for the next key with its screen
 * drawn. A line each on standard output: milliseconds, those of them (and of all threads) on a
 * processor, the most KiB of memory so far, what it was. The terminal is one that nothing is sent
 * to. The command "idle" waits until the browser has made what it makes while no key is pressed.
 */
#include "cmd/memory_p.h"
#include "session/load.h"
#include "session/session.h"
#include "store/store.h"
#include "tui/tui.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define IDLE "idle"

struct timed {
	struct cr_term term; /* the first, as cr_term is all that is handed round */
	char **command;      /* the one that is typed; NULL at the end */
	const char *what;    /* is being timed; NULL while something is typed */
	size_t typed;        /* characters of ":COMMAND<enter>" */
	double since, cpu_since;
	struct cr_session *session;
};

static double
clock_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
told(struct timed *t)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	printf("%.1f %.1f %ld %s\n", clock_ms(CLOCK_MONOTONIC) - t->since,
		clock_ms(CLOCK_PROCESS_CPUTIME_ID) - t->cpu_since, used.ru_maxrss, t->what);
	if (cr_session_message(t->session)->len)
		fprintf(stderr, "query_time: %s: %s\n", t->what, cr_session_message(t->session)->p);
	t->what = NULL;
}

static void
term_size(struct cr_term *term, int32_t *width, int32_t *height)
{
	(void)term;
	*width = 200;
	*height = 60;
}

static void
term_draw(struct cr_term *term, const struct cr_grid *g)
{
	(void)term;
	(void)g;
}

static bool
term_pending(struct cr_term *term)
{
	(void)term;
	return false;
}

/* Nothing is typed while a command runs. */
static bool
term_read_until(struct cr_term *term, int fd, int ms, struct cr_input_event *out)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	(void)term;
	(void)out;
	if (fd >= 0)
		poll(&p, 1, ms);
	return false;
}

/* The next key comes at once: nothing is done while none is pressed, unless that is to be timed. */
static bool
term_waits(struct cr_term *term)
{
	const struct timed *t = (const struct timed *)term;

	return !t->what || strcmp(t->what, IDLE) != 0;
}

static void
term_copy(struct cr_term *term, struct cr_str text)
{
	(void)term;
	(void)text;
}

static void
term_title(struct cr_term *term, const char *title)
{
	(void)term;
	(void)title;
}

static void
term_mouse(struct cr_term *term, bool on)
{
	(void)term;
	(void)on;
}

static void
term_aside(struct cr_term *term, void (*run)(void *user), void *user)
{
	(void)term;
	run(user);
}

static void
term_nothing(struct cr_term *term)
{
	(void)term;
}

static void
term_read(struct cr_term *term, struct cr_input_event *out)
{
	struct timed *t = (struct timed *)term;

	*out = (struct cr_input_event){.key = CR_KEY_HANGUP};
	if (t->what)
		told(t);
	if (!*t->command)
		return;
	out->key = CR_KEY_ENTER;
	if (strcmp(*t->command, IDLE) == 0) {
		out->key = CR_KEY_RESIZE;
	} else if (t->typed <= strlen(*t->command)) {
		out->key = t->typed ? (unsigned char)(*t->command)[t->typed - 1] : ':';
		t->typed++;
		return;
	}
	t->what = *t->command++;
	t->typed = 0;
	t->since = clock_ms(CLOCK_MONOTONIC);
	t->cpu_since = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

int
main(int argc, char **argv)
{
	struct timed t = {
		.term = {.colors = CR_COLORS_DIRECT,
			.unicode = true,
			.size = term_size,
			.draw = term_draw,
			.read = term_read,
			.read_until = term_read_until,
			.waits = term_waits,
			.copy = term_copy,
			.title = term_title,
			.mouse = term_mouse,
			.aside = term_aside,
			.pending = term_pending,
			.redraw = term_nothing,
			.suspend = term_nothing,
			.close = term_nothing},
		.command = argv + 2,
		.what = "open",
		.since = clock_ms(CLOCK_MONOTONIC),
	};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;

	cr_memory_setup();
	if (argc < 2) {
		fprintf(stderr, "usage: query_time PROFILE.cresset COMMAND...\n");
		return 2;
	}
	if (cr_load(argv[1], CR_STORE_DEFAULT_TREE, &(struct cr_load_opts){0}, &p, &log, &err) ==
			0 &&
		cr_session_new(p, "timed", NULL, NULL, NULL,
			&(struct cr_comparison){.for_screen = true}, &t.session, &err) == 0)
		cr_tui_run(t.session, &t.term, NULL);
	if (err.text[0])
		fprintf(stderr, "query_time: %s: %s\n", argv[1], err.text);
	cr_session_free(t.session);
	return err.text[0] != '\0';
}
