#include "browse_p.h"
#include "config_file_p.h"
#include "editor_p.h"
#include "job_p.h"

#include "base/cleanup.h"
#include "model/cost.h"
#include "session/profiles.h"
#include "session/session.h"
#include "store/store.h"
#include "tui/tui.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int cr_cmd_view(const struct cr_options *o);
int cr_cmd_report(const struct cr_options *o);

bool
cr_browse_possible(void)
{
	return isatty(STDOUT_FILENO);
}

unsigned
cr_browse_parts(const struct cr_options *o)
{
	return o->commands ? CR_STORE_PROOF : CR_STORE_DEFAULT_TREE;
}

/* A profile that is no name of the store: its path, from whichever directory. */
static char *
source_of(const char *given)
{
	char *path = access(given, F_OK) == 0 ? realpath(given, NULL) : NULL;

	return path ? path : cr_strdup(given);
}

static void
set_sources(const struct cr_options *o, const struct cr_browse_in *in, struct cr_session *s)
{
	for (uint32_t side = 0; side < CR_SIDES; side++) {
		const int n = in->n[side];
		char **names = cr_alloc((uint64_t)n, sizeof(*names));

		for (int i = 0; i < n; i++)
			names[i] = source_of(o->args[in->first[side] + i]);
		cr_session_set_sources(s, side, (const char *const *)names, (uint32_t)n);
		for (int i = 0; i < n; i++)
			free(names[i]);
		free(names);
	}
}

static int
edit(void *user, struct cr_str file, uint32_t line, struct cr_err *err)
{
	return cr_editor_edit(user, file, line, err);
}

static int
on_terminal(const struct cr_options *o, struct cr_session *s)
{
	const struct cr_tui_host host = {o->editor, o->editor ? edit : NULL};
	struct cr_err err = CR_ERR_INIT, why = CR_ERR_INIT;
	struct cr_term *term;
	int sig;

	cr_session_on_screen(s);
	if (!o->no_config && cr_config_apply(s, &why) < 0)
		cr_session_say(s, "%s", why.text);
	if (o->start && cr_session_run(s, o->start, NULL, &err) < 0)
		return cr_job_fail_query(NULL, &err);
	if (cr_term_curses_open(&term, &err) < 0)
		return cr_job_fail(NULL, &err);
	sig = cr_tui_run(s, term, &host);
	term->close(term);
	/* Signal the whole job, as a terminal does for ^C, so that a script ends too. */
	if (sig == SIGINT)
		kill(0, SIGINT);
	if (sig)
		cr_cleanup_die(sig);
	return sig ? EXIT_INPUT : EXIT_DONE;
}

/* Commands without a browser; prints the message of the last one. */
static int
run_commands(const struct cr_options *o, struct cr_session *s)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text message = {0};

	if (cr_session_run(s, o->commands, stdout, &err) < 0)
		return cr_job_fail_query(NULL, &err);
	cr_text_safe(&message, cr_text_view(cr_session_message(s)));
	if (message.len)
		printf("%s\n", message.p);
	cr_text_fini(&message);
	return EXIT_DONE;
}

/* How the browser opens other profiles: as recorded. */
static struct cr_load_opts
opts_of(const struct cr_options *o)
{
	struct cr_load_opts load = o->load;

	load.as_recorded = true;
	return load;
}

int
cr_browse(const struct cr_options *o, const struct cr_browse_in *in)
{
	const struct cr_comparison how = {in->diff, o->norm, o->noise, o->side, !o->commands};
	const struct cr_load_opts load = opts_of(o);
	struct cr_err err = CR_ERR_INIT;
	struct cr_query query = {0};
	struct cr_session *s = NULL;
	int code, in_part, rc;

	cr_query_copy(&o->query, &query);
	in_part =
		cr_job_end(o, in->p[0], in->p[1] ? cr_job_end(o, in->p[1], EXIT_DONE) : EXIT_DONE);
	if (o->load.latency && cr_query_filter(&query)->cost)
		cr_fail(&err, CR_EUSAGE, CR_NO_OFFSET, "either --latency or --cost is the cost");
	else if (o->load.latency)
		cr_query_add(&query, CR_WORD_COST, CR_COST_LATENCY, &err);
	rc = err.code;
	if (rc == CR_OK) {
		cr_job_work_begin(o);
		rc = cr_session_new(
			in->p[0], in->title[0], in->p[1], in->title[1], &query, &how, &s, &err);
		cr_job_work_end();
	}
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		set_sources(o, in, s);
		cr_session_set_store(s, &load);
		code = o->commands ? run_commands(o, s) : on_terminal(o, s);
		if (code == EXIT_DONE && o->commands)
			code = in_part;
	}
	cr_session_free(s);
	cr_query_fini(&query);
	return code;
}

/* No profile was named: begin with the list of those stored. */
static int
browse_store(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_session *s = NULL;
	int code;

	if (cr_session_new_empty(&s, &err) < 0)
		return cr_job_fail(NULL, &err);
	cr_session_set_store(s, &o->load);
	if (cr_session_run(s, "view store", NULL, &err) < 0)
		code = cr_job_fail(NULL, &err);
	else
		code = o->commands ? run_commands(o, s) : on_terminal(o, s);
	cr_session_free(s);
	return code;
}

int
cr_cmd_view(const struct cr_options *o)
{
	struct cr_browse_in in = {.n = {1, 0}};
	struct cr_options as_recorded = *o;
	int code;

	if (!o->n_args && (o->commands || cr_browse_possible()))
		return browse_store(o);
	if (!o->n_args)
		return cr_options_usage(o->cmd, "wants more arguments", o->cmd->name);
	if (!o->commands && !cr_browse_possible())
		return cr_cmd_report(o);
	as_recorded.load.as_recorded = true;
	if ((code = cr_job_load(&as_recorded, o->args[0], cr_browse_parts(o), &in.p[0])) !=
		EXIT_DONE)
		return code;
	in.title[0] = cr_job_title(o->args[0]);
	code = cr_browse(o, &in);
	free(in.title[0]);
	return code;
}
