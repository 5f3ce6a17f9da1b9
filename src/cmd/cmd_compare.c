#include "child_p.h"
#include "perf_record_p.h"
#include "stored_p.h"

#include "base/temp.h"
#include "base/text.h"
#include "model/profile.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * This process starts programs, so it has no sandbox, and it reads no recording. Subcommands that
 * read one run in a child, which confines itself first. The last one, diff, runs in this process,
 * which is then confined.
 */

int cr_cmd_compare(const struct cr_options *o);

static const char *const side_names[CR_SIDES] = {"before", "after"};

struct compare {
	const struct cr_options *o;
	struct cr_perf_opts perf;
	const char **command[CR_SIDES]; /* words, ended by NULL */
	double seconds[CR_SIDES];       /* of the warm-up */
	char name[64];                  /* the default one */
	const char *base;               /* what the names of all recordings begin with */
	uint32_t runs;                  /* recorded so far */
};

/* Print a line about what is being done, on standard error. */
static void __attribute__((format(printf, 2, 3)))
say(const struct compare *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!c->o->quiet)
		vfprintf(stderr, format, args);
	va_end(args);
}

/* ---- the command line */

/* "BEFORE... -- AFTER..."; the first "--" has ended the options. */
static int
split_commands(struct compare *c)
{
	const struct cr_options *o = c->o;
	int at = -1;

	for (int i = 0; i < o->n_args; i++) {
		if (strcmp(o->args[i], "--") != 0)
			continue;
		if (at >= 0) {
			cr_options_complain("compare",
				"more than one -- between the commands; write a command that has "
				"one as sh -c 'COMMAND'");
			return EXIT_USAGE;
		}
		at = i;
	}
	if (at <= 0 || at + 1 >= o->n_args)
		return cr_options_usage(o->cmd,
			"needs two commands: compare -- BEFORE... -- AFTER...", o->cmd->name);
	c->command[0] = cr_alloc((uint64_t)at + 1, sizeof(*o->args));
	memcpy(c->command[0], o->args, (size_t)at * sizeof(*o->args));
	c->command[1] = cr_alloc((uint64_t)(o->n_args - at), sizeof(*o->args));
	memcpy(c->command[1], o->args + at + 1, (size_t)(o->n_args - at - 1) * sizeof(*o->args));
	return EXIT_DONE;
}

static void
choose_name(struct compare *c)
{
	const time_t t = time(NULL);
	struct tm local;

	c->base = c->o->compare.name;
	if (c->base)
		return;
	localtime_r(&t, &local);
	strftime(c->name, sizeof(c->name), "compare-%Y%m%d-%H%M%S", &local);
	c->base = c->name;
}

/* The name of a recording in the store: "NAME-before-1". The caller ends it. */
static struct cr_text
name_of(const struct compare *c, int side, uint32_t run)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "%s-%s-%u", c->base, side_names[side], run);
	return t;
}

/* Fail before anything is recorded if a name cannot be used. */
static int
check_names(const struct compare *c)
{
	int code = EXIT_DONE;

	for (uint32_t run = 1; run <= c->o->compare.runs && code == EXIT_DONE; run++)
		for (int s = 0; s < CR_SIDES && code == EXIT_DONE; s++) {
			struct cr_text name = name_of(c, s, run);

			code = cr_stored_may_add(c->o, name.p);
			cr_text_fini(&name);
		}
	return code;
}

/* ---- other subcommands */

/* Add a recording to the store, with tags that say what it is. */
static int
store(const struct compare *c, const char *path, int side, uint32_t run)
{
	struct cr_options o = *c->o;
	struct cr_text name = name_of(c, side, run), set = {0}, where = {0}, number = {0};
	const char *recording[] = {path}, *tags[4];
	int code;

	cr_text_printf(&set, "compare=%s", c->base);
	cr_text_printf(&where, "side=%s", side_names[side]);
	cr_text_printf(&number, "run=%u", run);
	tags[0] = name.p;
	tags[1] = set.p;
	tags[2] = where.p;
	tags[3] = number.p;
	o.name = name.p;
	o.query = (struct cr_query){0}; /* it says what is compared, not what is stored */
	o.load.latency = false;
	code = cr_child_run_silently(&o, "ingest", recording, 1);
	o.name = NULL;
	if (code == EXIT_DONE)
		code = cr_child_run_silently(&o, "tag", tags, CR_LEN(tags));
	if (code != EXIT_DONE)
		cr_options_complain(name.p, "the recording could not be stored");
	cr_text_fini(&name);
	cr_text_fini(&set);
	cr_text_fini(&where);
	cr_text_fini(&number);
	return code;
}

/* The options of a diff of all recordings, whose arguments the caller frees with free_diff(). */
static struct cr_options
diff_options(const struct compare *c)
{
	struct cr_options o = *c->o;
	const char **args = cr_alloc((uint64_t)CR_SIDES * c->runs, sizeof(*args));

	for (int s = 0; s < CR_SIDES; s++)
		for (uint32_t run = 1; run <= c->runs; run++)
			args[(uint32_t)s * c->runs + run - 1] = name_of(c, s, run).p;
	o.cmd = cr_cmd_find("diff");
	o.args = args;
	o.n_args = (int)(CR_SIDES * c->runs);
	o.n_before = (int)c->runs;
	return o;
}

static void
free_diff(struct cr_options *o)
{
	for (int i = 0; i < o->n_args; i++)
		free((char *)(uintptr_t)o->args[i]);
	free(o->args);
}

/* All of a stream, as text. */
static void
read_all(int fd, struct cr_text *out)
{
	char bytes[4096];
	ssize_t n;

	cr_text_puts(out, "");
	while ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			cr_text_put(out, bytes, (size_t)n);
}

/*
 * The smallest change that the recordings so far could show, as a part of the whole; NAN if it is
 * not known. It is read from the JSON of the difference. The key is found in no name: quotes within
 * a text have backslashes.
 */
static double
smallest_change(const struct compare *c)
{
	static const char key[] = "\"smallest\"";
	struct cr_options o = diff_options(c);
	struct cr_text json = {0};
	FILE *out = tmpfile();
	const char *at;
	double smallest = NAN;

	o.json = true;
	o.csv = o.table.markdown = false;
	o.limit = 1;
	o.has_limit = true;
	o.min_runs = 0;
	if (out) {
		cr_child_run(&o, "diff", o.args, o.n_args, fileno(out));
		rewind(out);
		read_all(fileno(out), &json);
		fclose(out);
	}
	at = json.p ? strstr(json.p, key) : NULL;
	if (at && strncmp(at + strlen(key), ": null", 6) != 0)
		smallest = strtod(at + strlen(key) + 1, NULL);
	cr_text_fini(&json);
	free_diff(&o);
	return smallest;
}

/* ---- recording */

/* Record one run of a command. It is stored as number `run`; the warm-up, 0, is not. */
static int
record(struct compare *c, int side, uint32_t run, double *seconds)
{
	char *path = cr_temp_named();
	int code;

	if (!path) {
		cr_options_complain("compare", strerror(errno));
		return EXIT_INPUT;
	}
	code = cr_perf_record(&c->perf, c->command[side], path, seconds);
	if (code == EXIT_DONE && run && store(c, path, side, run) != EXIT_DONE)
		code = EXIT_INPUT;
	cr_temp_remove(path);
	return code;
}

/* Run both once, so that files are in memory, and say how long the rest will take. */
static int
warm_up(struct compare *c)
{
	const struct cr_compare_opts *want = &c->o->compare;
	const uint32_t most = want->until > 0 ? want->max_runs : want->runs;
	struct cr_text takes = {0};
	int code = EXIT_DONE;

	for (int s = 0; s < CR_SIDES && code == EXIT_DONE; s++)
		code = record(c, s, 0, &c->seconds[s]);
	if (code != EXIT_DONE)
		return code;
	cr_text_duration(&takes, (uint64_t)((c->seconds[0] + c->seconds[1]) * most * 1e9));
	say(c, "warm-up: before %.2f s, after %.2f s. %s%u recordings of each take %s%s.\n",
		c->seconds[0], c->seconds[1], want->until > 0 ? "At most " : "", most,
		want->until > 0 ? "up to " : "about ", takes.p);
	cr_text_fini(&takes);
	return EXIT_DONE;
}

/* Record both commands once more, in turn. */
static int
record_pair(struct compare *c)
{
	double seconds[CR_SIDES];
	int code = EXIT_DONE;

	for (int s = 0; s < CR_SIDES && code == EXIT_DONE; s++)
		code = record(c, s, c->runs + 1, &seconds[s]);
	if (code != EXIT_DONE)
		return code;
	c->runs++;
	say(c, "run %u: before %.2f s, after %.2f s\n", c->runs, seconds[0], seconds[1]);
	return EXIT_DONE;
}

/* Print the smallest change that can be detected. True if that is as small as the user wants. */
static bool
detectable(const struct compare *c)
{
	const double smallest = smallest_change(c);

	if (isnan(smallest))
		say(c, "run %u: nothing can be tested yet\n", c->runs);
	else
		say(c, "run %u: a change of %.2f points can be detected\n", c->runs,
			100 * smallest);
	return smallest <= c->o->compare.until;
}

static int
record_all(struct compare *c)
{
	const struct cr_compare_opts *want = &c->o->compare;
	int code = EXIT_DONE;

	while (c->runs < want->runs && code == EXIT_DONE)
		code = record_pair(c);
	if (want->until <= 0)
		return code;
	while (code == EXIT_DONE && !detectable(c)) {
		if (c->runs >= want->max_runs) {
			say(c, "stopped after %u runs (--max-runs)\n", c->runs);
			break;
		}
		code = record_pair(c);
	}
	return code;
}

/* Print the difference, or open the browser. The names of the recordings come first. */
static int
show(const struct compare *c)
{
	struct cr_options o = diff_options(c);
	int code;

	say(c, "stored as %s to %s\n", o.args[0], o.args[o.n_args - 1]);
	code = cr_cmd_run(&o);
	free_diff(&o);
	return code;
}

int
cr_cmd_compare(const struct cr_options *o)
{
	struct compare c = {.o = o, .perf = o->perf};
	int code = split_commands(&c);

	choose_name(&c);
	if (code == EXIT_DONE)
		code = check_names(&c);
	if (code == EXIT_DONE)
		code = cr_perf_choose(&c.perf);
	if (code == EXIT_DONE)
		code = warm_up(&c);
	if (code == EXIT_DONE)
		code = record_all(&c);
	if (code == EXIT_DONE)
		code = show(&c);
	for (int s = 0; s < CR_SIDES; s++)
		free(c.command[s]);
	return code;
}
