#include "cmd/cmd.h"

#include "memory_p.h"
#include "options_p.h"
#include "peer_p.h"
#include "sandbox_p.h"

#include "base/cleanup.h"
#include "base/option.h"
#include "base/text.h"
#include "base/thread_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CMD(id, name, args, least, most, groups, about) int cr_cmd_##id(const struct cr_options *o);
#include "cmds.def"
#undef CMD

static const struct cr_cmd cmds[] = {
#define CMD(id, name, args, least, most, groups, about) \
	{name, args, about, least, most, groups, cr_cmd_##id},
#include "cmds.def"
#undef CMD
};

const struct cr_cmd *
cr_cmd_at(size_t i)
{
	return i < CR_LEN(cmds) ? &cmds[i] : NULL;
}

const struct cr_cmd *
cr_cmd_find(const char *name)
{
	for (size_t i = 0; i < CR_LEN(cmds); i++)
		if (strcmp(cmds[i].name, name) == 0)
			return &cmds[i];
	return NULL;
}

void
cr_cmd_complain(const char *name)
{
	const char *names[CR_LEN(cmds)], *meant;
	struct cr_text t = {0};

	for (size_t i = 0; i < CR_LEN(cmds); i++)
		names[i] = cmds[i].name;
	meant = cr_closest(name, names, CR_LEN(cmds));
	cr_text_printf(&t, "unknown command%s%s%s (see cresset help)",
		meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
	cr_options_complain(name, t.p);
	cr_text_fini(&t);
}

/*
 * True if someone writes to standard input: `perf script | cresset`. A terminal or a device does
 * not count.
 */
static bool
is_written_to(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode));
}

/* 'l' if a word asks for the long help, 's' if for the short one; 0 otherwise. */
static char
help_word(const char *word)
{
	return strcmp(word, "--help") == 0 ? 'l' : strcmp(word, "-h") == 0 ? 's' : 0;
}

/* If argv[0] is an option common to all subcommands, the number of its words; otherwise 0. */
static int
common_option(char **argv)
{
	static const char *const with_value[] = {"--store", "--max-memory"};

	if (strcmp(argv[0], "--strict") == 0 || strcmp(argv[0], "--no-sandbox") == 0 ||
		strcmp(argv[0], "--quiet") == 0 || strcmp(argv[0], "-q") == 0)
		return 1;
	for (size_t i = 0; i < CR_LEN(with_value); i++) {
		const size_t len = strlen(with_value[i]);

		if (strncmp(argv[0], with_value[i], len) == 0 &&
			(!argv[0][len] || argv[0][len] == '='))
			return argv[0][len] ? 1 : 2;
	}
	return 0;
}

/*
 * Where the subcommand stands: the options of all may come before it. A first word that is
 * no subcommand is what to open; without any it is standard input, if that is a pipe or a file, and
 * *at is argc; on a terminal the stored profiles are shown. The words before it are handed on with
 * the rest.
 */
static const struct cr_cmd *
choose(int argc, char **argv, int *at)
{
	const struct cr_cmd *cmd;
	int i = 1, words;

	while (i < argc && (words = common_option(argv + i)) > 0)
		i += words;
	*at = -1;
	if (i >= argc && is_written_to()) {
		*at = argc;
		return cr_cmd_find("view");
	}
	if (i >= argc)
		return cr_cmd_find(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? "view" : "help");
	if (help_word(argv[i]))
		return cr_cmd_find("help");
	cmd = cr_cmd_find(argv[i]);
	if (cmd)
		*at = i;
	return cmd ? cmd : cr_cmd_find("view");
}

/* If output was lost (a full disk), the exit code is a failure, even if all else went well. */
static int
close_output(int code)
{
	/* A writer that failed has reported it. */
	if ((fflush(stdout) == 0 && !ferror(stdout)) || code == EXIT_INPUT)
		return code;
	fprintf(stderr, "cresset: standard output: cannot write\n");
	return EXIT_INPUT;
}

/*
 * The first word of n that asks for help, see help_word(); 0 if there is none. The options of a
 * program that is recorded are its own.
 */
static char
asks_for_help(const struct cr_cmd *cmd, int n, char **words)
{
	for (int i = 0; i < n && strcmp(words[i], "--") != 0; i++) {
		if (help_word(words[i]))
			return help_word(words[i]);
		if ((cmd->groups & OPT_RECORD) && words[i][0] != '-')
			return 0;
	}
	return 0;
}

/*
 * The arguments, as a list that the caller frees, and their number in *argc. If the program is
 * called by the name of another one, the words that it stands for come first; see peers.def.
 */
static char **
arguments(int *argc, char **argv, const char *const *words)
{
	int n = 0, n_words = 0;
	char **out;

	while (words && words[n_words])
		n_words++;
	out = cr_alloc((uint64_t)*argc + (uint64_t)n_words + 1, sizeof(*out));
	out[n++] = argv[0];
	for (int i = 0; i < n_words; i++)
		out[n++] = (char *)(uintptr_t)words[i];
	for (int i = 1; i < *argc; i++)
		out[n++] = argv[i];
	*argc = n;
	return out;
}

/* `cresset move a b`: an unknown word followed by another was probably meant as a subcommand. */
static bool
meant_as_command(int at, int argc, char **argv)
{
	return at < 0 && argc > 1 && argv[0][0] != '-' && argv[1][0] != '-' &&
	       !strchr(argv[0], '/');
}

/*
 * If a standard descriptor is closed, the next file opened would get its number, and printed text
 * would be written into a profile. So open /dev/null there: printing fails then, and is reported.
 */
static void
fill_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
			perror("cresset: /dev/null");
			exit(EXIT_INPUT);
		}
}

int
cr_cmd_run(struct cr_options *o)
{
	int code;

	cr_memory_limit(o->max_memory); /* the sandbox forbids changing limits */
	cr_thread_pool_limit(o->load.threads);
	cr_sandbox_start(o);
	code = o->cmd->run(o);
	cr_sandbox_end(o);
	return code;
}

/*
 * Compare and record start programs, and help its pager on a terminal: these must have neither
 * limits nor a sandbox. They read no input, or run other subcommands for that, with cr_cmd_run().
 */
static bool
starts_programs(const struct cr_cmd *cmd)
{
	return (cmd->groups & (OPT_COMPARE | OPT_RECORD)) ||
	       ((cmd->groups & OPT_HELP) && isatty(STDOUT_FILENO));
}

static int
run(struct cr_options *o)
{
	return starts_programs(o->cmd) ? o->cmd->run(o) : cr_cmd_run(o);
}

int
cr_cmd_main(int argc, char **given)
{
	const char *const *words = cr_peer_words(argc ? given[0] : NULL);
	char **argv;
	const struct cr_cmd *cmd;
	struct cr_options o;
	char **rest, standard_input[] = "-";
	int at, n = 0, code;
	char help;

	cr_memory_setup();
	cr_cleanup_setup();
	signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit becomes a write error */
	fill_descriptors();
	setlocale(LC_CTYPE, "");
	if (argc == 2 && (strcmp(given[1], "--version") == 0 || strcmp(given[1], "-V") == 0)) {
		printf("cresset %s\n", PACKAGE_VERSION);
		return close_output(EXIT_DONE);
	}
	argv = arguments(&argc, given, words);
	cmd = choose(argc, argv, &at);
	rest = cr_alloc((uint64_t)argc + 1, sizeof(*rest));
	for (int i = 1; i < argc; i++)
		if (i != at)
			rest[n++] = argv[i];
	if (at == argc)
		rest[n++] = standard_input;
	help = asks_for_help(cmd, n, rest);
	if (help) {
		code = cr_help_print(at < 0 ? NULL : cmd->name, help == 'l');
	} else if (meant_as_command(at, n, rest)) {
		cr_cmd_complain(rest[0]);
		code = EXIT_USAGE;
	} else {
		code = cr_options_parse(cmd, n, rest, &o);
		if (code == EXIT_DONE)
			code = run(&o);
		cr_options_fini(&o);
	}
	free(rest);
	free(argv);
	return close_output(code);
}
