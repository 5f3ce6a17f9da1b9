#include "job_p.h"

#include "memory_p.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "base/work.h"
#include "model/parallelism.h"
#include "read/reader.h"
#include "store/store.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REPORTED_MOST 5     /* lines of a text reported for each reason */
#define REDRAW_NS 100000000 /* interval of the progress line */
#define SHOW_AFTER_NS 300000000
#define CLEAR_LINE "\r\033[K"

#define STOP_WITHIN_US 600000

/*
 * Steps that ^C cancels alone: the profile is shown and stored with what they have found so far.
 * During other steps ^C ends the program.
 */
static const char *const part_steps[] = {"lines", "code", "source", "downloading"};

/*
 * Everything that handlers access. in_part: the last step was one of part_steps. interrupted: ^C
 * was pressed in it. noticed: it stopped because of that.
 */
static volatile sig_atomic_t in_part, interrupted, noticed;

/*
 * Outside such a step the program ends at once, since much work may be between two calls of
 * meter_step(). Inside one, a timer ends it unless the step stops before. A second ^C always ends
 * it.
 */
static void
on_interrupt(int sig)
{
	const struct itimerval soon = {.it_value = {.tv_usec = STOP_WITHIN_US}};

	if (interrupted || !in_part)
		cr_cleanup_die(sig);
	interrupted = 1;
	setitimer(ITIMER_REAL, &soon, NULL);
}

static void
on_timer(int sig)
{
	(void)sig;
	if (interrupted && !noticed)
		cr_cleanup_die(SIGINT);
}

static bool
is_part(const char *what)
{
	for (size_t i = 0; i < CR_LEN(part_steps); i++)
		if (strcmp(what, part_steps[i]) == 0)
			return true;
	return false;
}

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

struct meter {
	uint64_t start_ns, drawn_ns;
	uint64_t step_ns; /* when the step began */
	const char *what; /* the step; a literal */
	bool on_terminal, drawn;
};

static bool
meter_step(void *user, const char *what, uint64_t done, uint64_t whole)
{
	struct meter *m = user;
	const uint64_t now = now_ns();
	struct cr_text t = {0};

	in_part = is_part(what);
	if (interrupted && in_part) {
		noticed = 1;
		return false;
	}
	/* The step had just ended when ^C was pressed. */
	if (interrupted && !noticed)
		cr_cleanup_die(SIGINT);
	if (m->what != what) {
		m->what = what;
		m->step_ns = now;
	}
	if (!m->on_terminal || now - m->start_ns < SHOW_AFTER_NS || now - m->drawn_ns < REDRAW_NS)
		return true;
	m->drawn_ns = now;
	if (!m->drawn)
		cr_cleanup_terminal(STDERR_FILENO, CLEAR_LINE, strlen(CLEAR_LINE), NULL);
	m->drawn = true;
	cr_text_printf(&t, "\r%s ", what);
	if (whole)
		cr_text_share(&t, done, whole);
	/* From less than a hundredth the rest cannot be estimated. */
	if (done && done >= whole / 100 && whole && now - m->step_ns > SHOW_AFTER_NS) {
		cr_text_puts(&t, ", ");
		cr_text_duration(&t, (uint64_t)((double)(now - m->step_ns) *
						((double)whole / (double)done - 1)));
		cr_text_puts(&t, " left, ^C stops");
	}
	cr_text_puts(&t, "\033[K");
	fputs(t.p, stderr);
	fflush(stderr);
	cr_text_fini(&t);
	return true;
}

static struct meter
meter_begin(const struct cr_options *o)
{
	return (struct meter){
		.start_ns = now_ns(), .on_terminal = isatty(STDERR_FILENO) && !o->quiet};
}

static void
meter_end(struct meter *m)
{
	if (!m->drawn)
		return;
	m->drawn = false; /* it is drawn again if there is more */
	fputs(CLEAR_LINE, stderr);
	cr_cleanup_terminal(STDERR_FILENO, NULL, 0, NULL);
}

static struct meter work_meter;

void
cr_job_work_begin(const struct cr_options *o)
{
	static const struct cr_progress progress = {meter_step, &work_meter};

	work_meter = meter_begin(o);
	cr_work_begin(&progress);
}

void
cr_job_work_end(void)
{
	cr_work_end();
	meter_end(&work_meter);
}

/* Progress and ^C handling of a load. */
struct watch {
	struct meter meter;
	struct cr_progress progress;
	struct sigaction old, old_timer;
	struct cr_load_opts load;
};

/* True if a list of words has one of the words that stand for parallelism. */
static bool
names_parallelism(const char *words)
{
	static const char *const these[] = {CR_PARALLELISM, "latency", "latency_children"};

	while (words && *words) {
		const struct cr_str word = {words, (uint32_t)strcspn(words, ",=")};

		for (size_t i = 0; i < CR_LEN(these); i++)
			if (cr_str_eq(word, cr_str_of(these[i])))
				return true;
		words += word.len + (words[word.len] != '\0');
	}
	return false;
}

/* True if the options need the field "parallelism", which may have to be estimated. */
static bool
asks_parallelism(const struct cr_options *o)
{
	const struct cr_strs *wheres = &cr_query_filter(&o->query)->wheres;
	bool asks =
		names_parallelism(cr_query_opts(&o->query).fields[0]) ||
		names_parallelism(o->table.sort) || names_parallelism(o->by) ||
		(o->table.fields && names_parallelism(o->table.fields + (*o->table.fields == '+')));

	for (size_t i = 0; i < wheres->n; i++)
		asks |= names_parallelism(wheres->p[i]);
	return asks;
}

static void
watch_start(struct watch *w, const struct cr_options *o)
{
	struct sigaction sa = {.sa_handler = on_interrupt}, timer = {.sa_handler = on_timer};

	w->meter = meter_begin(o);
	w->progress = (struct cr_progress){meter_step, &w->meter};
	w->load = o->load;
	w->load.parallelism |= asks_parallelism(o);
	w->load.cost = cr_query_filter(&o->query)->cost;
	w->load.progress = w->load.symbol.progress = &w->progress;
	w->load.finds_code = (o->cmd->groups & (OPT_ANNOTATE | OPT_VIEW)) || o->quickfix;
	in_part = interrupted = noticed = 0;
	sigemptyset(&sa.sa_mask);
	sigemptyset(&timer.sa_mask);
	sigaction(SIGALRM, &timer, &w->old_timer);
	sigaction(SIGINT, NULL, &w->old);
	if (!cr_cleanup_ignored(SIGINT))
		sigaction(SIGINT, &sa, NULL);
}

/*
 * An interrupt ends the program, and so a loop of the shell, unless a step has stopped because of
 * it and the rest is done. An interrupt that came too late for the step also ends the program.
 */
static void
watch_end(struct watch *w, int rc)
{
	meter_end(&w->meter);
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	sigaction(SIGINT, &w->old, NULL);
	sigaction(SIGALRM, &w->old_timer, NULL);
	if (interrupted && (rc < 0 || !noticed))
		cr_cleanup_die(SIGINT);
}

int
cr_job_fail(const char *what, const struct cr_err *err)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "cresset: ");
	if (what) {
		cr_text_safe(&t, cr_str_of(what));
		cr_text_puts(&t, ": ");
	}
	cr_text_safe(&t, cr_str_of(err->text));
	if (err->offset != CR_NO_OFFSET)
		cr_text_printf(&t, ", at offset %" PRIu64, err->offset);
	if (err->code == CR_EMEM && cr_memory_limited())
		cr_text_printf(&t, "; the limit is %" PRIu64 " MiB (--max-memory)",
			cr_memory_limited() >> 20);
	if (err->code == CR_EUNKNOWN) {
		cr_text_puts(&t, "\ncresset: --input-format FORMAT names the format:");
		for (size_t i = 0; cr_reader_at(i); i++)
			cr_text_printf(&t, "%s %s", i ? "," : "", cr_reader_at(i)->name);
	}
	fprintf(stderr, "%s\n", t.p);
	cr_text_fini(&t);
	if (err->code == CR_EEMPTY)
		return EXIT_NOTHING;
	return err->code == CR_EUSAGE ? EXIT_USAGE : EXIT_INPUT;
}

void
cr_job_say(const char *text)
{
	struct cr_err err = CR_ERR_INIT;

	fputs(text, stdout);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	cr_fail_errno(&err, CR_EIO, "cannot write");
	cr_job_fail("standard output", &err);
	__fpurge(stdout); /* it would fail again at exit */
	clearerr(stdout);
}

int
cr_job_fail_keep(const struct cr_options *o, const char *what, const struct cr_err *err)
{
	struct cr_err reported = *err;

	if (err->code != CR_EEXISTS)
		return cr_job_fail(what, err);
	if (o->cmd->groups & (OPT_INGEST | OPT_RENAME))
		cr_fail(&reported, err->code, err->offset, "%s; --replace replaces it", err->text);
	else
		cr_fail(&reported, err->code, err->offset,
			"%s; use another name with -n NAME, or remove the old profile with cresset "
			"rm",
			err->text);
	return cr_job_fail(what, &reported);
}

int
cr_job_fail_query(const char *what, const struct cr_err *err)
{
	const int code = cr_job_fail(what, err);

	return err->code == CR_ENOTFOUND ? EXIT_NOTHING : code;
}

bool
cr_job_none_left(const struct cr_options *o, uint64_t samples)
{
	struct cr_err err = CR_ERR_INIT;

	if (samples || !o->query.n)
		return false;
	cr_query_none_left(&o->query, &err);
	cr_job_fail_query(o->args[0], &err);
	return true;
}

/* Number of earlier lines with this reason. */
static size_t
reported_already(const struct cr_log *log, size_t place)
{
	size_t n = 0;

	for (size_t i = 0; i < place; i++)
		n += strcmp(log->places[i].why, log->places[place].why) == 0;
	return n;
}

/* The first faulty lines of a text, one per line. */
static void
put_places(const char *what, const struct cr_log *log, struct cr_text *t)
{
	for (size_t i = 0; i < log->n_places; i++) {
		const struct cr_log_place *p = &log->places[i];

		if (reported_already(log, i) >= REPORTED_MOST)
			continue;
		cr_text_safe(t, cr_str_of(what));
		cr_text_printf(t, ":%" PRIu64 ": %s: ", p->line, p->why);
		cr_text_safe(t, cr_str_of(p->text));
		cr_text_char(t, '\n');
	}
}

static void
put_entry(const char *what, const struct cr_log_entry *e, struct cr_text *t)
{
	cr_text_safe(t, cr_str_of(what));
	cr_text_puts(t, ": warning: ");
	cr_log_put(e, t);
	cr_text_char(t, '\n');
}

/* Print lines on stderr, and add them to the reply. */
static void
warn(const struct cr_options *o, const struct cr_text *lines)
{
	meter_end(&work_meter);
	if (o->warned)
		cr_text_str(o->warned, cr_text_view(lines));
	for (const char *at = lines->p; at && *at && !o->quiet;) {
		const size_t len = strcspn(at, "\n");

		fprintf(stderr, "cresset: %.*s\n", (int)len, at);
		at += len + (at[len] == '\n');
	}
}

void
cr_job_warn(const struct cr_options *o, const char *what, const struct cr_log *log)
{
	struct cr_text t = {0};

	put_places(what, log, &t);
	for (size_t i = 0; i < log->n && i < 16; i++)
		put_entry(what, &log->entries[i], &t);
	warn(o, &t);
	cr_text_fini(&t);
}

void
cr_job_warn_of(const struct cr_options *o, const char *what, const char *text)
{
	struct cr_text t = {0};

	cr_text_safe(&t, cr_str_of(what));
	cr_text_puts(&t, ": warning: ");
	cr_text_safe(&t, cr_str_of(text));
	cr_text_char(&t, '\n');
	warn(o, &t);
	cr_text_fini(&t);
}

bool
cr_job_lacks_input(const struct cr_options *o)
{
	if (o->n_args > 0 || !isatty(STDIN_FILENO))
		return false;
	cr_options_usage(o->cmd, "name an input, or pipe one into it", o->cmd->name);
	return true;
}

int
cr_job_load(const struct cr_options *o, const char *what, unsigned parts, struct cr_profile **out)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct watch w;
	int rc;

	watch_start(&w, o);
	rc = cr_load(what, parts, &w.load, out, &log, &err);
	watch_end(&w, rc);
	/*
	 * Warnings are printed when a recording is read, not for its cached copy. That it is
	 * incomplete is printed each time.
	 */
	if (rc == CR_OK && ((*out)->flags & CR_PROFILE_IN_PART) && log.n == 0)
		cr_job_warn_of(o, what, "read only in part; cresset info lists what is missing");
	cr_job_warn(o, what, &log);
	return rc < 0 ? cr_job_fail(what, &err) : EXIT_DONE;
}

unsigned
cr_job_parts(const struct cr_options *o)
{
	return cr_load_parts(cr_query_needs(NULL, &o->query));
}

int
cr_job_fold(const struct cr_options *o, const struct cr_profile *p, struct cr_tree **out,
	struct cr_err *err)
{
	int rc;

	cr_job_work_begin(o);
	rc = cr_query_run(p, &o->query, out, err);
	cr_job_work_end();
	return rc;
}

int
cr_job_fold_cut(const struct cr_options *o, const struct cr_profile *p, uint32_t share,
	struct cr_tree_cut *cut, struct cr_tree **out, struct cr_err *err)
{
	int rc;

	cr_job_work_begin(o);
	rc = cr_query_run_cut(p, &o->query, share, cut, out, err);
	cr_job_work_end();
	return rc;
}

int
cr_job_ingest(const struct cr_options *o, const char *path, const char *as, char **name,
	struct cr_profile **out)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct watch w;
	int rc;

	watch_start(&w, o);
	rc = cr_load_ingest(path, as, o->replace, &w.load, name, out, &log, &err);
	watch_end(&w, rc);
	cr_job_warn(o, path, &log);
	return rc < 0 ? cr_job_fail_keep(o, path, &err) : EXIT_DONE;
}

int
cr_job_end(const struct cr_options *o, const struct cr_profile *p, int code)
{
	return o->strict && (p->flags & CR_PROFILE_IN_PART) ? EXIT_IN_PART : code;
}

/* Order: lost data first, then missing names, then missing lines. */
static int
rank(const struct cr_quality *q)
{
	const enum cr_quality_class class = cr_quality_class(q);

	return class == CR_QUALITY_LINES ? 2 : class == CR_QUALITY_NAMES;
}

static int
by_weight(const void *x, const void *y)
{
	const struct cr_quality *a = x, *b = y;

	if (rank(a) != rank(b))
		return rank(a) - rank(b);
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return cr_str_cmp(a->what, b->what);
}

void
cr_job_quality(const struct cr_profile *p, const char *lead, uint32_t most, FILE *out)
{
	struct cr_quality *rows = cr_alloc(p->n_quality, sizeof(*rows));
	struct cr_text t = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_quality; i++)
		if (most == UINT32_MAX || cr_quality_class(&p->quality[i]) != CR_QUALITY_LINES)
			rows[n++] = p->quality[i];
	if (n)
		qsort(rows, n, sizeof(*rows), by_weight);
	for (uint32_t i = 0; i < n && i < most; i++) {
		cr_text_puts(&t, lead);
		cr_text_safe(&t, rows[i].what);
		cr_text_puts(&t, ": ");
		cr_text_grouped(&t, rows[i].count);
		cr_text_char(&t, '\n');
	}
	if (n > most)
		cr_text_printf(&t, "%sand %" PRIu32 " more: cresset info\n", lead, n - most);
	if (t.len)
		fputs(t.p, out);
	cr_text_fini(&t);
	free(rows);
}

char *
cr_job_title(const char *what)
{
	return cr_load_title(what);
}
