#include "record_plan_p.h"

#include "exit_code_p.h"
#include "options_p.h"
#include "perf_record_p.h"
#include "perf_run_p.h"

#include "base/mem.h"
#include "base/temp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the words of the command line */

static void
add(cr_record_words *out, const char *word)
{
	cr_vec_push(out, word);
}

static void
add_pair(cr_record_words *out, const char *option, const char *value)
{
	if (!value)
		return;
	add(out, option);
	add(out, value);
}

/*
 * The events, and how often they are sampled. Each context switch is recorded, so -F, which holds
 * for all events, becomes a term of the other event.
 */
static void
add_events(const struct cr_record_plan *plan, cr_record_words *out)
{
	const struct cr_perf_opts *p = &plan->perf;

	add_pair(out, "-e", plan->term.len ? plan->term.p : p->event);
	if (plan->by_switches)
		add_pair(out, "-e", "sched:sched_switch");
	else if (p->off_cpu)
		add(out, "--off-cpu");
	/* perf report --latency counts the running threads by these. */
	if (p->latency || plan->by_switches)
		add(out, "--switch-events");
	if (!plan->by_switches)
		add_pair(out, "-F", cr_perf_frequency(p));
}

void
cr_record_plan_words(
	const struct cr_record_plan *plan, const char *path, bool trial, cr_record_words *out)
{
	const struct cr_perf_opts *p = &plan->perf;

	if (p->root)
		add(out, p->root);
	add(out, "perf");
	if (p->n_custom) {
		add(out, p->custom[0]);
		add(out, "-q");
		for (size_t i = 1; i < p->n_custom; i++)
			add(out, p->custom[i]);
	} else {
		add(out, "record");
		add(out, "-q");
		add(out, "-N");
		add_events(plan, out);
		add_pair(out, "--call-graph", plan->stacks.how);
		if (plan->branches)
			add(out, "-b");
	}
	if (p->all_cpus)
		add(out, "-a");
	add_pair(out, "-p", p->pid);
	for (size_t i = 0; i < p->n_words; i++)
		add(out, p->words[i]);
	add_pair(out, "-o", path);
	if (trial)
		add_pair(out, "--", "true");
	else if (*plan->command)
		add(out, "--");
	for (const char *const *word = plan->command; !trial && *word; word++)
		add(out, *word);
	add(out, NULL);
}

/* ---- choices */

static void
use_switches(struct cr_record_plan *plan)
{
	const char *event = plan->perf.event;

	plan->by_switches = true;
	if (!strpbrk(event, "/:,{")) /* otherwise it is sampled as often as perf likes */
		cr_text_printf(&plan->term, "%s/freq=%s,name=%s/", event,
			cr_perf_frequency(&plan->perf), event);
}

/* The value of kernel.perf_event_paranoid that allows what is recorded. */
static int
paranoid_for(const struct cr_record_plan *plan)
{
	if (plan->by_switches)
		return -1;
	return plan->perf.all_cpus ? 0 : 2;
}

/* Record true(1) into a temporary file. Returns 0 and perf's wait status, or an errno. */
static int
try_out(const struct cr_record_plan *plan, int *status, struct cr_text *messages)
{
	char *path = cr_temp_named();
	cr_record_words words = {0};
	int why;

	if (!path)
		return errno;
	cr_record_plan_words(plan, path, true, &words);
	cr_text_clear(messages);
	why = cr_perf_run_quietly(words.p, status, messages);
	cr_vec_fini(&words);
	cr_temp_remove(path);
	return why;
}

/*
 * True if this perf cannot record off-CPU time with BPF. Some perfs then fail with `status`; others
 * print a message and record without it.
 */
static bool
lacks_off_cpu(const struct cr_record_plan *plan, int status, const struct cr_text *messages)
{
	return plan->perf.off_cpu && !plan->perf.n_custom && !plan->by_switches &&
	       (status != 0 || strstr(messages->p, "off-cpu"));
}

static int
check_plan(struct cr_record_plan *plan)
{
	const char *advice = plan->perf.root ? "" : "; or record with --root, which calls sudo";
	struct cr_text messages = {0};
	int status, code = EXIT_DONE, why = try_out(plan, &status, &messages);

	if (why == 0 && lacks_off_cpu(plan, status, &messages)) {
		use_switches(plan);
		why = try_out(plan, &status, &messages);
	}
	if (why)
		code = cr_perf_complain_start(plan->perf.root ? plan->perf.root : "perf", why);
	else if (status)
		code = cr_perf_complain_run(NULL, status, &messages, paranoid_for(plan), advice);
	cr_text_fini(&messages);
	return code;
}

/* Say what will be recorded, how, and why so. */
static void
say(const struct cr_record_plan *plan)
{
	const struct cr_perf_opts *p = &plan->perf;
	struct cr_text t = {0};

	if (p->n_custom) {
		cr_text_puts(&t, "with the arguments of --cmd");
	} else {
		cr_text_printf(&t, "%s", p->event);
		if (plan->event_chosen && strcmp(p->event, "cycles") != 0)
			cr_text_puts(&t, " (this machine does not count cycles)");
		cr_text_printf(&t, ", %s samples a second; stacks %s", cr_perf_frequency(p),
			plan->stacks.why.p);
	}
	if (plan->by_switches)
		cr_text_puts(&t, "; off-CPU time by sched:sched_switch, because this perf has no "
				 "BPF programs");
	cr_options_complain("record", t.p);
	cr_text_fini(&t);
}

int
cr_record_plan_make(const struct cr_options *o, const char *program, struct cr_record_plan *out)
{
	int code;

	*out = (struct cr_record_plan){.perf = o->perf,
		.command = o->args,
		.branches = o->load.branch_history,
		.event_chosen = !o->perf.event};
	if (o->perf.n_custom) {
		cr_text_puts(&out->stacks.why, "");
	} else if (o->perf.call_graph) {
		out->stacks.how = o->perf.call_graph;
		cr_text_printf(&out->stacks.why, "with --call-graph %s", o->perf.call_graph);
	} else {
		cr_record_stacks_choose(o->perf.all_cpus ? NULL : program, &out->stacks);
	}
	if (!o->perf.n_custom && (code = cr_perf_choose(&out->perf)) != EXIT_DONE)
		return code;
	code = check_plan(out);
	if (code == EXIT_DONE && !o->quiet)
		say(out);
	return code;
}

void
cr_record_plan_fini(struct cr_record_plan *plan)
{
	cr_text_fini(&plan->stacks.why);
	cr_text_fini(&plan->term);
}
