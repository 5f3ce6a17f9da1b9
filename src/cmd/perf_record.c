#include "perf_record_p.h"

#include "exit_code_p.h"
#include "perf_run_p.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PARANOID 2 /* the value of kernel.perf_event_paranoid that allows to record a command */

const char *
cr_perf_frequency(const struct cr_perf_opts *p)
{
	return p->frequency ? p->frequency : "999";
}

/*
 * The count of an event in the output of perf stat -x, where a name may have an end such as ":u".
 */
static double
count_of(const char *text, const char *event)
{
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *name = strstr(line, event);

		if (name && name < line + strcspn(line, "\n"))
			return strtod(line, NULL); /* 0 for "<not supported>" */
	}
	return 0;
}

int
cr_perf_choose(struct cr_perf_opts *p)
{
	const char *const argv[] = {
		"perf", "stat", "-x,", "-e", "cycles,cpu-clock,task-clock", "--", "true", NULL};
	struct cr_text counts = {0};
	int status, why;

	if (p->event)
		return EXIT_DONE;
	why = cr_perf_run_quietly(argv, &status, &counts);
	if (count_of(counts.p, "cycles") > 0)
		p->event = "cycles";
	else if (count_of(counts.p, "cpu-clock") <= 0 && count_of(counts.p, "task-clock") > 0)
		p->event = "task-clock";
	else
		p->event = "cpu-clock";
	cr_text_fini(&counts);
	return why ? cr_perf_complain_start("perf", why) : EXIT_DONE;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int
cr_perf_record(
	const struct cr_perf_opts *p, const char *const *command, const char *path, double *seconds)
{
	const char *const options[] = {"perf", "record", "-q", "-N", "-e", p->event, "-F",
		cr_perf_frequency(p), "--call-graph", p->call_graph ? p->call_graph : "fp", "-o",
		path, "--"};
	const char **argv;
	size_t words = 0;
	struct cr_text messages = {0};
	int status, why, code = EXIT_DONE;

	while (command[words])
		words++;
	argv = cr_alloc(CR_LEN(options) + words + 1, sizeof(*argv));
	memcpy(argv, options, sizeof(options));
	memcpy(argv + CR_LEN(options), command, words * sizeof(*argv));
	*seconds = now();
	why = cr_perf_run_quietly(argv, &status, &messages);
	*seconds = now() - *seconds;
	free(argv);
	if (why)
		code = cr_perf_complain_start("perf", why);
	else if (status)
		code = cr_perf_complain_run(command[0], status, &messages, PARANOID, "");
	cr_text_fini(&messages);
	return code;
}
