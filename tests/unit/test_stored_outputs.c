#include "testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "cmd/option_table_p.h"
#include "cmd/options_p.h"
#include "model/field.h"
#include "query/fold/lanes.h"
#include "query/table/table.h"
#include "read/reader.h"
#include "session/session.h"
#include "store/store.h"
#include "write/writer.h"

/*
 * Every option of every command that shows a profile, on a file and on its stored copy: the output
 * and the exit code must be the same. A stored profile is read in parts, so a command that does not
 * request a part which it needs shows something else, or stops.
 *
 * Options, words of queries and what these take come from the tables of the program. What an option
 * of a new kind takes has to be added to takes() below; the test fails until then.
 *
 * These are too many commands for a test of every day: of pairs of options, and of the recordings
 * that fuzzing starts from, one command in so many is run, another one for each recording. ALL=1
 * runs all of them. test_stored_outputs FILE... runs all on any files and prints what differs;
 * SHOW=1 shows how.
 */
#define SINGLES_OF_SEEDS 16
#define SINGLES_OF_SHAPES 4 /* of those with fields all */
#define PAIRS_OF_SHAPES 20

typedef CR_VEC(char *) strings;

/* What is known of a recording, for options that name a part of it. */
struct shape {
	char in[128]; /* its path; "in" in the two directories is this file and its stored copy */
	const char *given; /* the reader that was asked for; NULL: it is detected */
	char format[32];   /* which it is */
	bool has_addresses;
	uint32_t singles, pairs; /* one in so many commands with an option, with two; 0: none */
	uint32_t number;         /* of the recording: with which one to begin */
	strings events, comms, pids, tids, cpus, dsos, functions, fields, wheres;
};

/* Shared by the process that runs the commands and the one that waits for it. */
struct progress {
	char command[1024];
	char difference[1024]; /* the first command that differs; "" for none */
	uint64_t runs, different;
};

static struct progress *progress;
static char directory[64];
static int standard[2]; /* output and error as they were */

/* An assertion of the process that runs the commands: it has no test to jump back to. */
#define must(condition, ...)                                         \
	do {                                                         \
		if (!(condition)) {                                  \
			dprintf(standard[1], "line %d: ", __LINE__); \
			dprintf(standard[1], __VA_ARGS__);           \
			_exit(1);                                    \
		}                                                    \
	} while (0)

static char *
text_of(struct cr_str s)
{
	return cr_memdup(s.p ? s.p : "", s.len);
}

/* The text is free()d with the list. */
static void
add(strings *list, char *s)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->p[i], s) == 0) {
			free(s);
			return;
		}
	cr_vec_push(list, s);
}

static void
add_word(strings *list, const char *word)
{
	add(list, cr_strdup(word));
}

static void
add_all(strings *list, const strings *more)
{
	for (size_t i = 0; i < more->n; i++)
		add_word(list, more->p[i]);
}

/* Words between any of these characters. */
static void
add_split(strings *list, const char *words, const char *between)
{
	while (*words) {
		const size_t len = strcspn(words, between);

		if (len)
			add(list, cr_memdup(words, len));
		words += len + (words[len] != '\0');
	}
}

static void
strings_fini(strings *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->p[i]);
	cr_vec_fini(list);
	*list = (strings){0};
}

/* ---- what options take */

/* The words that the program lists when it is given another one. */
static void
add_choices(strings *list, enum cr_word word)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_query q = {0};

	must(cr_query_add(&q, word, "?", &err) < 0, "it is a choice\n");
	must(strstr(err.text, ": "), "no choices: %s\n", err.text);
	add_split(list, strrchr(err.text, ':') + 1, ", ");
	cr_query_fini(&q);
}

/* The keys of a chart, or those of them that are groups of a tree. */
static void
add_keys(const struct shape *s, bool groups, strings *out)
{
	for (int i = 0; i < CR_LANE_FIELD; i++)
		if (!groups || (i != CR_LANE_ALL && i != CR_LANE_FUNCTION))
			add_word(out,
				cr_lane_word(&(struct cr_lane_by){.key = (enum cr_lane_key)i}));
	add_all(out, &s->fields);
	if (!groups)
		return;
	add_word(out, "none");
	add_word(out, "comm,cpu,dso");
	add_word(out, "tid,event");
}

static void
add_chains(strings *out)
{
	const char *word;

	for (size_t i = 0; (word = cr_report_chain_word(i)); i++)
		add_word(out, word);
	add_word(out, "fractal,callee,address,count,0.1");
	add_word(out, "flat,srcline,period");
}

static void
add_hist(const struct shape *s, bool keys, strings *out)
{
	const char *word;

	for (size_t i = 0; (word = cr_table_word(i)); i++) {
		struct cr_text t = {0};

		add_word(out, word);
		cr_text_printf(&t, "+%s", word);
		add(out, t.p);
	}
	add_word(out, keys ? "comm,dso,sym,cpu,tgid" : "overhead,period,event,srcfile");
	for (size_t i = 0; i < s->fields.n; i++) {
		struct cr_text t = {0};

		cr_text_printf(&t, "%s,sym", s->fields.p[i]);
		add_word(out, s->fields.p[i]);
		add(out, t.p);
	}
}

/* Words that do not depend on the recording. */
static const struct {
	const char *option, *words;
} fixed[] = {
	{"column-widths", "10 0,5,20"},
	{"depth", "0 1"},
	{"fail-if", "unresolved>0% broken>0% truncated>0% lost>0% self:/./>0% total:/./>99%"},
	{"percent-limit", "0 20"},
	{"field-separator", "; ,"},
	{"interval", "sched:a,sched:a,cpu sched:a,sched:b,tid+pid"},
	{"limit", "0 1"},
	{"title", "title"},
	{"width", "300"},
	{"subtitle", "second"},
	{"notes", "some--note"},
	{"countname", "bytes"},
	{"nametype", "Function:"},
	{"factor", "0.5 10"},
	{"minwidth", "0.1 5%"},
	{"height", "6 30"},
	{"fonttype", "Verdana"},
	{"fontsize", "8 14.5"},
	{"fontwidth", "0.59"},
	{"bgcolors", "grey #102030"},
	{"search-color", "#e600e6"},
	{"stroke-color", "none #808080"},
	{"uicolor", "#000080"},
	{"columns", "40"},
	{"functions", "0 3"},
	{"tree-lines", "0 5"},
	{"table-rows", "0 2"},
	{"top", "0 1"},
	{"bins", "1 7"},
	{"rows", "1 50"},
	{"percent-type",
		"total-period local-period global-period total-hits local-hits global-hits"},
	{"time", "10%..60% 50%.. ..1ms 1us..2s"},
	{"recursion", "direct all"},
	{"tidy", "python rust-async go java node"},
	{"match", "name path"},
	{"noise", "1 50"},
	{"fail-over", "0% main=5%"},
	{"min-runs", "1 2"},
	{"color", "auto always never"},
	{"stdio-color", "never"},
	{"socket", "0"},
	{"socket-filter", "0"},
	{"parallelism", "1 1,2-3"},
	{"max-stack", "1 3"},
	{"group-sort-idx", "0 1"},
	{"norm", "share time second none main"},
	{"time-quantum", "10ms 1s"},
	{"percentage", "relative absolute"},
	{"cost", "period latency"},
	{"symbols", "main,a"},
	{"symbol-filter", "a"},
	{"a-time", "10%..60% ..1ms"},
	{"b-time", "50%.. 1us..2s"},
};

/*
 * These say how a file is read and named, where output goes, or what the sections of a stored
 * profile are.
 */
static bool
is_of_reading(const struct shape *s, const char *option, uint64_t groups)
{
	/* A recording with addresses is read without debug information then. */
	const bool is_known = strcmp(option, "no-inline") == 0 && !s->has_addresses;

	return ((groups & (OPT_LOAD | OPT_FROM)) && !is_known) || strcmp(option, "store") == 0 ||
	       ((groups & OPT_REPORT) &&
		       (strcmp(option, "input") == 0 || strcmp(option, "format") == 0)) ||
	       strcmp(option, "output") == 0 || strcmp(option, "nthreads") == 0 ||
	       strcmp(option, "sections") == 0 || strcmp(option, "max-memory") == 0;
}

static void add_commands(const struct shape *s, strings *out);

/* The arguments that an option is tried with; none for one that is a word alone. */
static void
takes(const struct shape *s, const char *option, const char *arg, strings *out)
{
	if (!arg)
		return;
	for (size_t i = 0; i < CR_LEN(fixed); i++)
		if (strcmp(fixed[i].option, option) == 0) {
			add_split(out, fixed[i].words, " ");
			return;
		}
	if (strncmp(option, "a-", 2) == 0 || strncmp(option, "b-", 2) == 0)
		option += 2; /* of one side of a difference */
	if (strcmp(option, "event") == 0 || strcmp(option, "event-filter") == 0 ||
		strncmp(option, "switch-o", 8) == 0)
		add_all(out, &s->events);
	else if (strcmp(option, "comm") == 0 || strcmp(option, "comms") == 0)
		add_all(out, &s->comms);
	else if (strcmp(option, "pid") == 0)
		add_all(out, &s->pids);
	else if (strcmp(option, "tid") == 0)
		add_all(out, &s->tids);
	else if (strcmp(option, "cpu") == 0)
		add_all(out, &s->cpus);
	else if (strcmp(option, "dso") == 0 || strcmp(option, "dsos") == 0 ||
		 strcmp(option, "in") == 0)
		add_all(out, &s->dsos);
	else if (strcmp(option, "mode") == 0)
		add_choices(out, CR_WORD_MODE);
	else if (strcmp(option, "where") == 0)
		add_all(out, &s->wheres);
	else if (strcmp(option, "granularity") == 0)
		add_choices(out, CR_WORD_GRANULARITY);
	else if (strcmp(option, "group") == 0)
		add_keys(s, true, out);
	else if (strcmp(option, "by") == 0)
		add_keys(s, false, out);
	else if (strcmp(option, "call-graph") == 0)
		add_chains(out);
	else if (strcmp(option, "sort") == 0)
		add_hist(s, true, out);
	else if (strcmp(option, "fields") == 0) {
		add_hist(s, false, out);
		add_word(out, "all"); /* of export */
	} else if (strcmp(option, "order") == 0)
		for (int i = 0; i < CR_SORTS; i++)
			add_word(out, cr_table_sort_name((enum cr_table_sort)i));
	else if (strcmp(option, "palette") == 0)
		for (int i = 0; i < CR_PALETTES; i++)
			add_word(out, cr_palette_name((enum cr_palette)i));
	else if (strcmp(option, "format") == 0)
		for (size_t i = 0; cr_writer_at(i); i++)
			add_word(out, cr_writer_at(i)->name);
	else if (strcmp(option, "start") == 0)
		add_word(out, "view functions"); /* of no effect without a terminal */
	else if (strcmp(option, "commands") == 0)
		add_commands(s, out);
	else if (strcmp(arg, "RE") == 0 || strcmp(arg, "NAME") == 0 || strcmp(arg, "FUNCTION") == 0)
		add_all(out, &s->functions);
	else if (strcmp(arg, "NAME|/RE/") == 0) {
		add_all(out, &s->functions);
		add_word(out, "/^[a-m]/");
	} else
		must(false,
			"what --%s %s is tried with is missing in takes() of "
			"test_stored_outputs.c\n",
			option, arg);
}

/* Commands about other stored profiles, which these tests have none of, and must not change. */
static bool
is_about_store(const char *command)
{
	static const char *const names[] = {"combine", "diff", "match", "note", "open-selected",
		"pick", "remove", "rename", "select-profile", "tag"};

	for (size_t i = 0; i < CR_LEN(names); i++)
		if (strcmp(command, names[i]) == 0)
			return true;
	return false;
}

/* What the browser's commands take, by the words of their arguments. */
static void
add_command(const struct shape *s, const char *command, const char *arg, strings *out)
{
	strings args = {0};

	if (strcmp(command, "copy") == 0)
		return; /* a command line names the recording or the stored copy */
	if (strcmp(command, "export") == 0 || strcmp(command, "export-new") == 0 ||
		strcmp(command, "help") == 0 || is_about_store(command))
		return; /* the same writers as those of cresset export */
	if (!*arg || *arg == '[')
		add_word(&args, "");
	if (strstr(arg, "NODE"))
		add_word(&args, "1");
	if (strstr(arg, "NAME") || strstr(arg, "RE"))
		add_all(&args, &s->functions);
	if (strstr(arg, "FILE:LINE"))
		add_word(&args, "x.c:3");
	if (strstr(arg, "TID"))
		add_word(&args, "1/2");
	if (strcmp(arg, "FILTER") == 0)
		add_word(&args, "time 10%..60%");
	if (strcmp(arg, "TIME") == 0)
		add_word(&args, "1.5s");
	if (strstr(arg, "FROM"))
		add_word(&args, "1s..2s");
	if (strcmp(command, "set") == 0 || strcmp(command, "bind") == 0 ||
		strcmp(command, "macro") == 0 || strcmp(command, "color") == 0 ||
		strcmp(command, "bookmark") == 0 || strcmp(command, "go") == 0 ||
		strcmp(command, "forget") == 0)
		return; /* they print nothing of the profile */
	if (strcmp(arg, "[PATH]") == 0)
		return; /* no file is to be written */
	if (strcmp(arg, "LINE") == 0 || strcmp(arg, "LINES") == 0)
		add_word(&args, "1");
	if (strstr(arg, "WIDTH"))
		add_word(&args, "60 10");
	if (strcmp(command, "event") == 0)
		add_all(&args, &s->events);
	for (const char *at = arg; *at; at += strcspn(at, "|") + (at[strcspn(at, "|")] != '\0'))
		if (*at >= 'a' && *at <= 'z')
			add(&args, cr_memdup(at, strcspn(at, "|]")));
	must(args.n,
		"what the command %s %s is tried with is missing in add_command() of "
		"test_stored_outputs.c\n",
		command, arg);
	for (size_t i = 0; i < args.n; i++) {
		struct cr_text t = {0};

		cr_text_printf(&t,
			"%s %s; print flame; view functions; print functions; print selected; "
			"print recording",
			command, args.p[i]);
		add(out, t.p);
	}
	strings_fini(&args);
}

static void
add_commands(const struct shape *s, strings *out)
{
	for (size_t i = 0; cr_command_at(i); i++)
		if (cr_word_find(cr_str_of(cr_command_at(i)->name)) == CR_WORDS)
			add_command(s, cr_command_at(i)->name, cr_command_at(i)->args, out);
	for (int w = 0; w < CR_WORDS; w++) {
		const struct cr_word_info *info = cr_word_info((enum cr_word)w);
		strings args = {0};

		takes(s, info->name, info->arg && *info->arg ? info->arg : NULL, &args);
		if (!info->arg || !*info->arg)
			add_word(&args, "");
		for (size_t i = 0; i < args.n; i++) {
			struct cr_text t = {0};

			cr_text_printf(&t,
				"%s %s; print flame; view functions; print functions; undo; print "
				"flame",
				info->name, args.p[i]);
			add(out, t.p);
		}
		strings_fini(&args);
	}
}

/* ---- running a command */

#define WORDS_MOST 16

struct output {
	int code;
	char *text[2];
	size_t len[2];
};

/* The end of an output file, which is empty again then. */
static char *
take_output(int fd, size_t *len)
{
	struct stat st;
	char *text;

	must(fstat(fd, &st) == 0, "output\n");
	*len = (size_t)st.st_size;
	text = cr_alloc(*len + 1, 1);
	must(pread(fd, text, *len, 0) == (ssize_t)*len, "output\n");
	must(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0, "output\n");
	return text;
}

/* What a reader says of a file's lines is said when it is read, and not of the stored copy. */
static size_t
without_warnings(char *text)
{
	char *to = text;

	for (char *line = text, *end; *line; line = end) {
		const char *place = strncmp(line, "cresset: in:", 12) == 0 ? line + 12 : NULL;
		const char *warning = strstr(line, ": warning: ");

		end = strchrnul(line, '\n');
		end += *end != '\0';
		if ((place && *place >= '0' && *place <= '9') || (warning && warning < end))
			continue;
		memmove(to, line, (size_t)(end - line));
		to += end - line;
	}
	*to = '\0';
	return (size_t)(to - text);
}

/* The same of a reply in JSON, whose warnings are its last member. */
static size_t
without_reply_warnings(char *text, size_t len)
{
	static const char last[] = "\n\"warnings\": [";
	char *at = memmem(text, len, last, strlen(last)), *end = at;

	for (; end; end = memmem(end + 1, len - (size_t)(end + 1 - text), last, strlen(last)))
		at = end;
	return at ? (size_t)(at - text) : len;
}

/* In a directory where "in" is the recording or its copy. */
static struct output
run(const char *where, const char *format, const char *const *words, int n)
{
	char *argv[WORDS_MOST + 1], path[160];
	const struct cr_cmd *cmd = cr_cmd_find(words[0]);
	struct cr_options o;
	struct output out;

	snprintf(path, sizeof(path), "%s/%s", directory, where);
	must(chdir(path) == 0, "%s\n", path);
	for (int i = 1; i < n; i++)
		argv[i - 1] = cr_strdup(words[i]);
	out.code = cr_options_parse(cmd, n - 1, argv, &o);
	o.load.no_cache = true;
	if (format)
		o.load.format = format;
	if (out.code == EXIT_DONE)
		out.code = cmd->run(&o);
	cr_options_fini(&o);
	for (int i = 1; i < n; i++)
		free(argv[i - 1]);
	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; i++)
		out.text[i] = take_output(STDOUT_FILENO + i, &out.len[i]);
	out.len[0] = without_reply_warnings(out.text[0], out.len[0]);
	out.len[1] = without_warnings(out.text[1]);
	return out;
}

static void
put_command(const char *const *words, int n, char *out, size_t size)
{
	struct cr_text t = {0};

	for (int i = 0; i < n; i++)
		cr_text_printf(&t, "%s%s", i ? " " : "", words[i]);
	snprintf(out, size, "%s", t.p);
	cr_text_fini(&t);
}

static void
compare(const struct shape *s, const char *const *words, int n)
{
	struct output file, stored;

	put_command(words, n, progress->command, sizeof(progress->command));
	/* Without a format it expects another one than a stored profile has. */
	file = run("file", strcmp(words[0], "collapse-recursive") == 0 ? s->format : s->given,
		words, n);
	stored = run("stored", NULL, words, n);
	progress->runs++;
	if (file.code != stored.code || file.len[0] != stored.len[0] ||
		file.len[1] != stored.len[1] ||
		memcmp(file.text[0], stored.text[0], file.len[0]) != 0 ||
		memcmp(file.text[1], stored.text[1], file.len[1]) != 0) {
		if (!progress->different++)
			memcpy(progress->difference, progress->command,
				sizeof(progress->difference));
		dprintf(standard[1], "%s: differs: %s\n", s->in, progress->command);
		if (getenv("SHOW"))
			dprintf(standard[1], "---- file, exit %d\n%s%s---- stored, exit %d\n%s%s",
				file.code, file.text[0], file.text[1], stored.code, stored.text[0],
				stored.text[1]);
	}
	for (int i = 0; i < 2; i++) {
		free(file.text[i]);
		free(stored.text[i]);
	}
}

/* ---- which commands */

struct choice {
	const char *option;
	bool is_key, selects;
	char *arg;          /* NULL for none */
	const char *format; /* it is an option of this output format; NULL: of the program */
};

typedef CR_VEC(struct choice) choices;

static void
add_choice(const struct shape *s, const char *option, const char *arg, bool selects, choices *out)
{
	const bool is_key = strcmp(option, "sort") == 0 || strcmp(option, "by") == 0 ||
			    strcmp(option, "group") == 0 || strcmp(option, "granularity") == 0 ||
			    strcmp(option, "format") == 0;
	strings args = {0};

	takes(s, option, arg, &args);
	if (!arg)
		cr_vec_push(out, ((struct choice){option, is_key, selects, NULL, NULL}));
	for (size_t i = 0; i < args.n; i++)
		cr_vec_push(out, ((struct choice){option, is_key, selects, args.p[i], NULL}));
	cr_vec_fini(&args);
}

static void
add_writer(const struct shape *s, const struct cr_cmd *cmd, const struct cr_writer *w, choices *out)
{
	const size_t first = out->n;

	if (!cr_cmd_writes(cmd, w))
		return;
	for (const struct cr_option_spec *o = w->options; o && o->name; o++)
		add_choice(s, o->name, o->arg, false, out);
	for (size_t i = first; i < out->n && (cmd->groups & OPT_OUTPUT); i++)
		out->p[i].format = w->name;
}

static void
choices_of(const struct shape *s, const struct cr_cmd *cmd, choices *out)
{
	const unsigned selecting = OPT_FILTER | OPT_EVENT;

	if (cmd->groups & selecting) {
		for (int w = 0; w < CR_WORDS; w++) {
			const struct cr_word_info *info = cr_word_info((enum cr_word)w);
			const unsigned group = w == CR_WORD_EVENT                     ? selecting
					       : w == CR_WORD_PID || w == CR_WORD_TID ? OPT_TASK
					       : info->kind == CR_WORD_SELECTS        ? OPT_FILTER
					       : w == CR_WORD_GRANULARITY    ? OPT_GRANULARITY
					       : info->kind == CR_WORD_FOLDS ? OPT_GROUP
									     : OPT_TRANSFORM;

			if (cmd->groups & group)
				add_choice(s, info->name,
					info->arg && *info->arg ? info->arg : NULL,
					info->kind == CR_WORD_SELECTS, out);
		}
	}
#define OPTION(id, long_name, letter, arg, of, value, about)                      \
	if (((of) & (cmd->groups | OPT_ANY)) && !is_of_reading(s, long_name, of)) \
		add_choice(s, long_name, arg, false, out);
#include "cmd/options.def"
#undef OPTION
	for (size_t i = 0; cr_writer_at(i); i++)
		add_writer(s, cmd, cr_writer_at(i), out);
}

static int
put_choice(const struct choice *c, struct cr_text *room, const char **words, int n)
{
	if (!c)
		return n;
	cr_text_clear(room);
	cr_text_printf(room, "--%s", c->option);
	if (c->arg)
		cr_text_printf(room, "=%s", c->arg);
	words[n] = room->p;
	return n + 1;
}

/* Each command takes a profile; what else stands behind it? */
static bool
second_argument(const struct shape *s, const struct cr_cmd *cmd, const char **out)
{
	*out = NULL;
	if (strstr(cmd->args, "FUNCTION"))
		*out = s->functions.n ? s->functions.p[0] : "main";
	else if (strstr(cmd->args, "AFTER"))
		*out = "other";
	return cmd->groups & OPT_LOAD && !(cmd->groups & (OPT_INGEST | OPT_MERGE | OPT_RENAME));
}

static void
compare_choices(const struct shape *s, const struct cr_cmd *cmd, const struct choice *a,
	const struct choice *b)
{
	struct cr_text room[2] = {{0}, {0}};
	const char *words[WORDS_MOST], *second;
	char format[32];
	int n = 0;

	second_argument(s, cmd, &second);
	words[n++] = cmd->name;
	words[n++] = "in";
	if (second)
		words[n++] = second;
	if (a && a->format) {
		snprintf(format, sizeof(format), "--format=%s", a->format);
		words[n++] = format;
	} else if (strcmp(cmd->name, "export") == 0 && (!a || strcmp(a->option, "format") != 0)) {
		words[n++] = "--format=folded";
	}
	n = put_choice(a, &room[0], words, n);
	n = put_choice(b, &room[1], words, n);
	compare(s, words, n);
	cr_text_fini(&room[0]);
	cr_text_fini(&room[1]);
}

static bool
has_turn(uint32_t *number, uint32_t one_in)
{
	return one_in && (*number)++ % one_in == 0;
}

static void
compare_command(struct shape *s, const struct cr_cmd *cmd)
{
	choices all = {0};

	choices_of(s, cmd, &all);
	compare_choices(s, cmd, NULL, NULL);
	for (size_t i = 0; i < all.n; i++)
		if (has_turn(&s->number, s->singles))
			compare_choices(s, cmd, &all.p[i], NULL);
	for (size_t i = 0; i < all.n; i++)
		for (size_t k = 0; k < all.n && all.p[i].is_key; k++)
			if (all.p[k].selects && has_turn(&s->number, s->pairs))
				compare_choices(s, cmd, &all.p[i], &all.p[k]);
	for (size_t i = 0; i < all.n; i++)
		free(all.p[i].arg);
	cr_vec_fini(&all);
}

static void
compare_all(struct shape *s)
{
	const struct cr_cmd *cmd;
	const char *second;

	for (size_t i = 0; (cmd = cr_cmd_at(i)); i++)
		if (second_argument(s, cmd, &second))
			compare_command(s, cmd);
}

/* ---- recordings */

#define SOME 3u /* of a table: the first ones */

static void
know_fields(const struct cr_profile *p, struct shape *s)
{
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];
		struct cr_text t = {0};

		if (s->fields.n >= SOME && d->form != CR_FORM_TEXT)
			continue;
		add(&s->fields, text_of(d->name));
		for (uint64_t k = 0; k < d->n; k++)
			if (d->value[k] != cr_form_none(d->form)) {
				cr_text_str(&t, d->name);
				cr_text_char(&t, '=');
				cr_field_put(p, d, d->value[k], &t);
				add(&s->wheres, t.p);
				break;
			}
	}
}

static void
know_number(strings *list, int64_t n)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "%lld", (long long)n);
	add(list, t.p);
}

static void
know(const struct cr_profile *p, struct shape *s)
{
	for (uint32_t i = 0; i < p->n_events && i < SOME; i++)
		add(&s->events, text_of(p->events[i].name));
	for (uint32_t i = 0; i < p->n_tasks && i < SOME; i++) {
		add(&s->comms, text_of(p->tasks[i].comm));
		know_number(&s->pids, p->tasks[i].pid);
		know_number(&s->tids, p->tasks[i].tid);
	}
	for (uint64_t i = 0; i < p->samples.n && i < SOME; i++)
		if (p->samples.cpu[i] < CR_CPU_UNKNOWN)
			know_number(&s->cpus, p->samples.cpu[i]);
	add_word(&s->cpus, "0-1");
	for (uint32_t i = 1; i < p->n_dsos && i <= SOME; i++)
		if (p->dsos[i].name.len)
			add(&s->dsos, text_of(cr_str_basename(p->dsos[i].name)));
	for (uint32_t i = 0; i < p->n_functions && s->functions.n < 2; i++)
		if (p->functions[i].name.len &&
			!memchr(p->functions[i].name.p, ';', p->functions[i].name.len))
			add(&s->functions, text_of(p->functions[i].name));
	know_fields(p, s);
	s->has_addresses = p->flags & CR_PROFILE_HAS_ADDR;
	if (!s->functions.n)
		add_word(&s->functions, "main");
	if (!s->dsos.n)
		add_word(&s->dsos, "none");
	if (!s->comms.n)
		add_word(&s->comms, "none");
	if (!s->wheres.n)
		add_word(&s->wheres, "f=1");
}

static void
shape_fini(struct shape *s)
{
	strings *all[] = {&s->events, &s->comms, &s->pids, &s->tids, &s->cpus, &s->dsos,
		&s->functions, &s->fields, &s->wheres};

	for (size_t i = 0; i < CR_LEN(all); i++)
		strings_fini(all[i]);
}

/*
 * The recording at `path` is "in" of one directory, its stored copy that of the other. False if it
 * is none.
 */
static bool
lay_out(struct shape *s, const char *path)
{
	struct cr_load_opts opts = {.no_cache = true, .format = s->given};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	char in[2][160], other[2][160];
	struct cr_profile *p;

	for (int i = 0; i < 2; i++) {
		snprintf(in[i], sizeof(in[i]), "%s/%s/in", directory, i ? "stored" : "file");
		snprintf(other[i], sizeof(other[i]), "%s/%s/other", directory,
			i ? "stored" : "file");
		unlink(in[i]);
		unlink(other[i]);
	}
	snprintf(s->in, sizeof(s->in), "%s", path);
	assert_int_equal(symlink(path, in[0]), 0);
	if (cr_load(in[0], CR_STORE_ALL, &opts, &p, &log, &err) < 0)
		return false;
	if (p->samples.n) {
		const struct cr_str fact = cr_profile_fact(p, "source format");

		snprintf(s->format, sizeof(s->format), "%.*s", (int)fact.len, fact.p);
		know(p, s);
		assert_int_equal(cr_store_write(in[1], p, true, &err), CR_OK);
		assert_int_equal(symlink(in[1], other[0]), 0);
		assert_int_equal(symlink(in[1], other[1]), 0);
	}
	cr_profile_free(p);
	return access(in[1], F_OK) == 0;
}

static int
capture(const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
	assert_true(fd >= 0);
	return fd;
}

/* What the process that died has said last. */
static void
show_last(void)
{
	char text[2048];
	const int fd = open("stderr", O_RDONLY);
	const ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : 0;

	if (n > 0)
		dprintf(standard[1], "%.*s\n", (int)n, text);
	if (fd >= 0)
		close(fd);
}

/* In a process of its own, for a command may crash. Returns whether all was well. */
static bool
compare_in_process(struct shape *s)
{
	pid_t pid;
	int status = 0;

	*progress = (struct progress){.runs = 0};
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		for (int sig = 1; sig < 32; sig++)
			if (sig != SIGPIPE && sig != SIGXFSZ)
				signal(sig, SIG_DFL);
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		dup2(capture("stdout"), STDOUT_FILENO);
		dup2(capture("stderr"), STDERR_FILENO);
		compare_all(s);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status != 0) {
		dprintf(standard[1], "%s: %s %d in: %s\n", s->in,
			WIFSIGNALED(status) ? "signal" : "exit",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
			progress->command);
		assert_int_equal(chdir(directory), 0);
		show_last();
	}
	return status == 0 && !progress->different;
}

static bool
compare_file(
	const char *path, const char *format, uint32_t number, uint32_t singles, uint32_t pairs)
{
	const bool all = getenv("ALL") != NULL;
	struct shape s = {.given = format,
		.number = number,
		.singles = all ? 1 : singles,
		.pairs = all ? 1 : pairs};
	const bool is_profile = lay_out(&s, path), same = !is_profile || compare_in_process(&s);

	if (getenv("SHOW_FILES"))
		dprintf(standard[1], "%s: %s, %llu commands\n", path,
			!is_profile ? "no profile"
			: same      ? "same"
				    : "DIFFERS",
			(unsigned long long)progress->runs);
	shape_fini(&s);
	return same;
}

static void
directorys_make(void)
{
	char path[80];

	snprintf(directory, sizeof(directory), "%s/test_outputs.XXXXXX",
		access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(directory));
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, i ? "stored" : "file");
		assert_int_equal(mkdir(path, 0700), 0);
		standard[i] = dup(STDOUT_FILENO + i);
	}
	progress = mmap(
		NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(progress != MAP_FAILED);
}

static void
directorys_remove(void)
{
	static const char *const files[] = {"file/in", "file/other", "stored/in", "stored/other",
		"stdout", "stderr", "made", "text"};
	char path[96];

	for (size_t i = 0; i < CR_LEN(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, files[i]);
		unlink(path);
	}
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, i ? "stored" : "file");
		rmdir(path);
	}
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(directory), 0);
}

static const char *
write_text(const char *name, const char *text, size_t len)
{
	static char path[96];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
	return path;
}

/* ---- shapes that are told apart by what their samples have */

static void
put_sample(struct cr_text *t, const char *comm, uint32_t i, uint32_t weight, const char *event,
	const char *fields)
{
	cr_text_printf(t,
		"%s %u/%u [%03u] 1.%06u: %u %s:%s\n\tffffffff81000010 sys_%u+0x10 "
		"([kernel.kallsyms])\n"
		"\t4011%02u work_%u+0x%x (/bin/%s)\n\t401200 main+0x20 (/bin/%s)\n\n",
		comm, 40 + i % 2, 40 + i % 3, i % 4, i * 700, weight, event, fields, i % 2, i % 90,
		i % 3, i % 90, comm, comm);
}

enum { UNEQUAL = 1, SEVERAL = 2, FIELDS = 4 };

static void
test_events_weights_and_fields(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < 8; kind++) {
		struct cr_text t = {0}, fields = {0};

		for (uint32_t i = 0; i < 40; i++) {
			const bool second = (kind & SEVERAL) && i % 3 == 1;

			cr_text_clear(&fields);
			if (kind & FIELDS)
				cr_text_printf(
					&fields, second ? " q=%u" : " n=%u s=text%u", i % 5, i % 2);
			put_sample(&t, i % 4 ? "server" : "client", i,
				kind & UNEQUAL ? 100 + 7 * i : 250,
				second ? "sched:sched_b" : "sched:sched_a",
				fields.p ? fields.p : "");
		}
		assert_true(compare_file(write_text("text", t.p, t.len), NULL, kind,
			kind & FIELDS ? 1 : SINGLES_OF_SHAPES, PAIRS_OF_SHAPES));
		assert_in_range(progress->runs, 300, 100000);
		cr_text_fini(&t);
		cr_text_fini(&fields);
	}
}

static void
test_no_times_and_no_threads(void **state)
{
	static const char *const texts[] = {
		"a;b;c 10\na;b 5\na;d;b 7\n",
		"server;main;f_[k] 3\nserver;main;g 3\n",
		"a;b 1 2\na;c 3 0\na 0 5\n",
		"a;b 3.5\na;c 0.25\n",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(texts); i++)
		assert_true(compare_file(write_text("text", texts[i], strlen(texts[i])), NULL,
			(uint32_t)i, SINGLES_OF_SHAPES, PAIRS_OF_SHAPES));
}

/* ---- the recordings that fuzzing starts from, one for each thing that a recording may have */

/* A first line says which reader the rest is for. */
static bool
compare_seed(const char *path, bool is_text, uint32_t number)
{
	char *text, *body, *end, format[32] = "";
	FILE *f = fopen(path, "rb");
	struct stat st;
	bool same;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	text = cr_alloc((size_t)st.st_size + 1, 1);
	assert_int_equal(fread(text, 1, (size_t)st.st_size, f), st.st_size);
	fclose(f);
	end = is_text ? memchr(text, '\n', (size_t)st.st_size) : NULL;
	body = end ? end + 1 : text;
	if (end)
		snprintf(format, sizeof(format), "%.*s", (int)(end - text), text);
	same = compare_file(write_text("made", body, (size_t)st.st_size - (size_t)(body - text)),
		cr_reader_find(format) ? format : NULL, number, SINGLES_OF_SEEDS, 0);
	if (!same)
		dprintf(standard[1], "that was %s\n", path);
	free(text);
	return same;
}

static void
compare_seeds(const char *of, bool is_text, uint32_t least)
{
	char path[4096];
	struct dirent *e;
	uint32_t n = 0;
	bool same = true;
	DIR *d;

	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", getenv("SRC"), of);
	d = opendir(path);
	assert_non_null(d);
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.' || strncmp(e->d_name, "grown-", 6) == 0)
			continue;
		snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s/%s", getenv("SRC"), of,
			e->d_name);
		same &= compare_seed(path, is_text, n++);
	}
	closedir(d);
	assert_true(same);
	assert_in_range(n, least, 1000);
}

static void
test_recordings_of_perf(void **state)
{
	(void)state;
	compare_seeds("fuzz_perf_data", false, 20);
}

static void
test_texts_and_pprof(void **state)
{
	(void)state;
	compare_seeds("fuzz_text", true, 40);
	compare_seeds("fuzz_pprof", false, 4);
}

static int
setup(void **state)
{
	(void)state;
	directorys_make();
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	directorys_remove();
	return 0;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_weights_and_fields),
		cmocka_unit_test(test_no_times_and_no_threads),
		cmocka_unit_test(test_recordings_of_perf),
		cmocka_unit_test(test_texts_and_pprof),
	};
	int bad = 0;

	if (argc < 2)
		return cmocka_run_group_tests(tests, setup, teardown);
	directorys_make();
	for (int i = 1; i < argc; i++)
		bad += !compare_file(argv[i], NULL, 0, 1, 0);
	directorys_remove();
	return bad != 0;
}
