#include "browse_p.h"
#include "child_p.h"
#include "perf_run_p.h"
#include "program_file_p.h"
#include "record_plan_p.h"
#include "stored_p.h"
#include "writing_p.h"

#include "base/temp.h"
#include "base/text.h"
#include "store/catalog.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * This process starts programs, so it has no sandbox, and it reads no recording. Whatever reads one
 * runs in a child, which confines itself first; at the end this process becomes the browser.
 *
 * All messages and the report go to standard error: standard output belongs to the command.
 */

int cr_cmd_record(const struct cr_options *o);

#define REPORT_ROWS 15

struct record {
	const struct cr_options *o;
	struct cr_record_plan plan;
	char *program;       /* path of the recorded program; NULL if it is unknown */
	struct cr_text name; /* in the store */
	bool to_file;        /* -o names a file to write; nothing is stored */
	bool stopped;        /* by Ctrl-C */
	uint32_t runs;       /* stored so far */
};

/* ---- the command line */

/* The executable file of the first process of -p, and its name. */
static int
find_process(struct record *r, struct cr_text *name)
{
	const char *pid = r->o->perf.pid;
	struct cr_text link = {0};
	char path[4096];
	int code = EXIT_DONE;
	ssize_t n;

	cr_text_printf(&link, "/proc/%.*s/exe", (int)strcspn(pid, ","), pid);
	n = readlink(link.p, path, sizeof(path) - 1);
	if (n < 0 && errno == ENOENT) {
		cr_options_complain(pid, "there is no such process");
		code = EXIT_INPUT;
	}
	path[n > 0 ? n : 0] = '\0';
	if (n > 0) /* the link opens the file even if that has another name by now */
		r->program = cr_strdup(access(path, R_OK) == 0 ? path : link.p);
	cr_text_puts(name, n > 0 ? cr_program_name(path) : "process");
	cr_text_fini(&link);
	return code;
}

static int
find_command(struct record *r, struct cr_text *name)
{
	const char *command = r->o->args[0];

	r->program = cr_program_find(command);
	if (!r->program) {
		cr_options_complain(command, "there is no such program");
		return EXIT_INPUT;
	}
	cr_text_puts(name, cr_program_name(command));
	return EXIT_DONE;
}

/* What is recorded: its program and its name. */
static int
find_program(struct record *r, struct cr_text *name)
{
	const struct cr_perf_opts *p = &r->o->perf;

	if (p->pid && p->all_cpus)
		return cr_options_usage(r->o->cmd, "a process or all processors, not both", "-a");
	if (p->all_cpus)
		cr_text_puts(name, "system");
	else if (p->pid)
		return find_process(r, name);
	else if (r->o->n_args)
		return find_command(r, name);
	else
		return cr_options_usage(
			r->o->cmd, "needs a command, a process (-p PID) or -a", r->o->cmd->name);
	return EXIT_DONE;
}

/* True if -o names a file: it is a path, or has the extension of an output format. */
static bool
names_file(const char *output)
{
	return output &&
	       (strchr(output, '/') || cr_catalog_is_path(output) || cr_writer_for_path(output));
}

/* The name of a recording: that of -o, or "PROGRAM-20260102-030405". */
static void
choose_name(struct record *r, const char *program)
{
	const char *given = r->to_file ? NULL : r->o->write.output;
	const time_t t = time(NULL);
	struct tm local;
	char date[32];

	cr_text_puts(&r->name, given ? given : "");
	if (given)
		return;
	localtime_r(&t, &local);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &local);
	for (const char *c = program; *c && r->name.len < 64; c++)
		cr_text_char(&r->name, isalnum((unsigned char)*c) || strchr("_+", *c) ||
						       (r->name.len && strchr(".-", *c))
					       ? *c
					       : '_');
	cr_text_printf(&r->name, "-%s", date);
}

/* The name of run number `run`. The caller frees it. */
static struct cr_text
name_of(const struct record *r, uint32_t run)
{
	struct cr_text t = {0};

	cr_text_puts(&t, r->name.p);
	if (r->o->perf.repeat > 1)
		cr_text_printf(&t, "-%u", run);
	return t;
}

/* Fail before anything is recorded if a name cannot be used. */
static int
check_names(const struct record *r)
{
	int code = cr_stored_may_add(r->o, r->name.p);

	for (uint32_t run = 1; run <= r->o->perf.repeat && r->o->perf.repeat > 1 && !code; run++) {
		struct cr_text name = name_of(r, run);

		code = cr_stored_may_add(r->o, name.p);
		cr_text_fini(&name);
	}
	return code;
}

/* True if -o names a stored profile outside of the store. */
static bool
is_profile(const struct cr_options *o)
{
	return cr_str_ends(cr_str_of(o->write.output), ".cresset");
}

/* Fail before anything is recorded if the file of -o cannot be written in its format. */
static int
check_format(const struct cr_options *o)
{
	const struct cr_writer *w;
	void *options = NULL;
	int code;

	if (is_profile(o))
		return cr_writing_check(o, "cresset");
	code = cr_writing_choose(o, NULL, &w);
	if (code == EXIT_DONE)
		code = cr_writing_options(o, w, &options);
	free(options);
	return code;
}

/* --cmd takes the place of these options. */
static int
check_custom(const struct cr_options *o)
{
	const struct cr_perf_opts *p = &o->perf;

	if (p->n_custom && (p->event || p->frequency || p->call_graph || p->off_cpu || p->latency))
		return cr_options_usage(o->cmd,
			"has all arguments of perf; no -e, -F, -g, --off-cpu or --latency",
			"--cmd");
	return EXIT_DONE;
}

static int
read_options(struct record *r)
{
	const struct cr_options *o = r->o;
	struct cr_text program = {0};
	int code = check_custom(o);

	r->to_file = names_file(o->write.output);
	if (code == EXIT_DONE && r->to_file)
		code = check_format(o);
	if (code != EXIT_DONE)
		return code;
	if (r->to_file && o->perf.repeat > 1)
		return cr_options_usage(
			o->cmd, "stores its recordings; -o wants a name", "--repeat");
	if (!r->to_file && o->write.n_values)
		return cr_options_usage(o->cmd, "needs -o FILE with the extension of a format",
			o->write.values[0].name);
	code = find_program(r, &program);
	if (code == EXIT_DONE) {
		choose_name(r, program.p);
		if (!r->to_file)
			code = check_names(r);
	}
	cr_text_fini(&program);
	return code;
}

/* ---- one recording */

/*
 * Create the file that perf writes. It is made here, so that it belongs to the user even if perf
 * runs as root. Returns its path, which keep_or_remove() frees; NULL after reporting a failure.
 */
static char *
create_file(const struct record *r, uint32_t run)
{
	struct cr_text name, path = {0};
	char *temporary;
	int fd;

	if (!r->o->perf.keep) {
		temporary = cr_temp_named();
		if (!temporary)
			cr_options_complain("record", strerror(errno));
		return temporary;
	}
	name = name_of(r, run);
	cr_text_printf(&path, "%s.perf.data", name.p);
	cr_text_fini(&name);
	fd = open(
		path.p, O_WRONLY | O_CREAT | O_CLOEXEC | (r->o->replace ? O_TRUNC : O_EXCL), 0600);
	if (fd >= 0) {
		close(fd);
		return path.p;
	}
	cr_options_complain(path.p, strerror(errno));
	cr_text_fini(&path);
	return NULL;
}

static void
keep_or_remove(const struct record *r, char *path)
{
	struct stat st;

	if (!r->o->perf.keep) {
		cr_temp_remove(path);
		return;
	}
	if (stat(path, &st) < 0 || st.st_size == 0)
		unlink(path);
	else if (!r->o->quiet)
		cr_options_complain(path, "kept");
	free(path);
}

/* True if perf has written something: it also ends with the exit code of the command. */
static bool
is_recorded(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_size > 0;
}

/* Say how the command ended, unless it ended well. */
static void
say_end(const struct record *r, int status)
{
	struct cr_text t = {0};

	if (r->stopped)
		cr_text_puts(&t, "stopped; what was recorded until then is used");
	else if (WIFSIGNALED(status))
		cr_text_printf(&t, "was ended by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		cr_text_printf(&t, "ended with exit code %d", WEXITSTATUS(status));
	if (t.len)
		cr_options_complain(
			*r->plan.command && !r->stopped ? *r->plan.command : "record", t.p);
	cr_text_fini(&t);
}

static int
record(struct record *r, const char *path)
{
	cr_record_words words = {0};
	int status = 0, code = EXIT_DONE, why;

	cr_record_plan_words(&r->plan, path, false, &words);
	why = cr_perf_run_here(words.p, &status, &r->stopped);
	if (why) {
		code = cr_perf_complain_start(words.p[0], why);
	} else {
		say_end(r, status);
		if (!is_recorded(path)) {
			cr_options_complain("record", "perf has recorded nothing");
			code = EXIT_INPUT;
		}
	}
	cr_vec_fini(&words);
	return code;
}

/* ---- what becomes of it */

static int
store(const struct record *r, const char *path, uint32_t run)
{
	struct cr_options o = *r->o;
	struct cr_text name = name_of(r, run), set = {0}, number = {0};
	const char *const recording[] = {path};
	int code;

	cr_text_printf(&set, "record=%s", r->name.p);
	cr_text_printf(&number, "run=%u", run);
	o.name = name.p;
	o.write = (struct cr_write_opts){0};
	code = cr_child_run_silently(&o, "ingest", recording, 1);
	if (code == EXIT_DONE && o.perf.repeat > 1)
		code = cr_child_run_silently(
			&o, "tag", (const char *const[]){name.p, set.p, number.p}, 3);
	cr_text_fini(&name);
	cr_text_fini(&set);
	cr_text_fini(&number);
	return code;
}

/* Write the file that -o names. */
static int
write_file(const struct record *r, const char *path)
{
	const char *const recording[] = {path};
	struct cr_options o = *r->o;
	int code;

	o.load.no_cache = true;
	o.given = 0;
	if (is_profile(&o)) {
		o.name = o.write.output;
		code = cr_child_run_silently(&o, "ingest", recording, 1);
	} else {
		code = cr_child_run(&o, "export", recording, 1, STDERR_FILENO);
	}
	if (code == EXIT_DONE && !o.quiet)
		cr_options_complain(o.write.output, "written");
	return code;
}

/* Record once more, and store it or write the file. */
static int
record_one(struct record *r)
{
	const uint32_t run = r->runs + 1;
	char *path = create_file(r, run);
	int code;

	if (!path)
		return EXIT_INPUT;
	code = record(r, path);
	if (code == EXIT_DONE)
		code = r->to_file ? write_file(r, path) : store(r, path, run);
	if (code != EXIT_DONE && is_recorded(path))
		cr_options_complain("record", "the recording is not stored");
	r->runs += code == EXIT_DONE;
	keep_or_remove(r, path);
	return code;
}

/* Merge the stored runs into one profile, which gets the name without a number. */
static int
merge(const struct record *r)
{
	struct cr_options o = *r->o;
	const char **names = cr_alloc(r->runs, sizeof(*names));
	int code;

	for (uint32_t run = 1; run <= r->runs; run++)
		names[run - 1] = name_of(r, run).p;
	o.write = (struct cr_write_opts){.output = r->name.p};
	code = cr_child_run_silently(&o, "merge", names, (int)r->runs);
	if (code == EXIT_DONE && !o.quiet)
		fprintf(stderr, "cresset: stored as %s to %s, and merged as %s\n", names[0],
			names[r->runs - 1], r->name.p);
	for (uint32_t run = 0; run < r->runs; run++)
		free((char *)(uintptr_t)names[run]);
	free(names);
	return code;
}

/* Open the browser, or print a short report. */
static int
show(const struct record *r)
{
	struct cr_options o = *r->o;
	const char *name[] = {r->name.p};

	o.write = (struct cr_write_opts){0};
	if (cr_browse_possible()) {
		o.cmd = cr_cmd_find("view");
		o.args = name;
		o.n_args = 1;
		return cr_cmd_run(&o);
	}
	if (o.quiet)
		return EXIT_DONE;
	o.table.no_children = true;
	o.limit = REPORT_ROWS;
	o.has_limit = true;
	return cr_child_run(&o, "report", name, 1, STDERR_FILENO);
}

static int
record_all(struct record *r)
{
	int code = record_one(r);

	while (code == EXIT_DONE && r->runs < r->o->perf.repeat && !r->stopped)
		code = record_one(r);
	if (r->runs && !r->to_file && r->o->perf.repeat > 1 && merge(r) != EXIT_DONE)
		code = EXIT_INPUT;
	else if (r->runs && !r->to_file && r->o->perf.repeat == 1 && !r->o->quiet)
		fprintf(stderr, "cresset: stored as %s\n", r->name.p);
	return code;
}

int
cr_cmd_record(const struct cr_options *o)
{
	struct record r = {.o = o};
	int code = read_options(&r);

	if (code == EXIT_DONE)
		code = cr_record_plan_make(o, r.program, &r.plan);
	if (code == EXIT_DONE)
		code = record_all(&r);
	if (code == EXIT_DONE && !r.to_file)
		code = show(&r);
	cr_record_plan_fini(&r.plan);
	cr_text_fini(&r.name);
	free(r.program);
	return code;
}
