#include "testing.h"

#include "cmd/option_table_p.h"
#include "cmd/options_p.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What cr_options_parse() makes of a line of words; *told is what it printed. */
static int
parse(const char *cmd, const char *line, struct cr_options *o, char *told, size_t size)
{
	static char words[256]; /* what is parsed borrows from it */
	char *argv[16], *at = words;
	FILE *file = tmpfile();
	const int stderr_fd = dup(STDERR_FILENO);
	int n = 0, code;
	size_t len;

	snprintf(words, sizeof(words), "%s", line);
	while (*(at += strspn(at, " "))) {
		argv[n++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	code = cr_options_parse(cr_cmd_find(cmd), n, argv, o);
	fflush(stderr);
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	rewind(file);
	len = fread(told, 1, size - 1, file);
	told[len] = '\0';
	fclose(file);
	return code;
}

static void
assert_reported(const char *cmd, const char *line, const char *want)
{
	struct cr_options o;
	char told[512];

	assert_int_equal(parse(cmd, line, &o, told, sizeof(told)), EXIT_USAGE);
	if (!strstr(told, want))
		assert_string_equal(told, want);
	cr_options_fini(&o);
}

static void
test_names_may_be_cut_where_no_other_begins_alike(void **state)
{
	struct cr_options o;
	char told[512];

	(void)state;
	assert_int_equal(parse("report", "x --percent-l 3 --lim=7 --no-ch", &o, told, sizeof(told)),
		EXIT_DONE);
	assert_true(o.table.has_limit && o.table.percent_limit == 3);
	assert_true(o.has_limit && o.limit == 7 && o.table.no_children);
	cr_options_fini(&o);
	/* The whole name of an option that others begin with. */
	assert_reported("report", "x --field=sample",
		"is ambiguous; it could be --fields, --field-separator");
	assert_int_equal(
		parse("report", "x --object=a --order=self", &o, told, sizeof(told)), EXIT_DONE);
	cr_options_fini(&o);
	assert_reported("report", "x --show- sym",
		"--show-: is ambiguous; it could be --show-nr-samples, "
		"--show-total-period, ");
}

static void
test_a_mistyped_name_is_answered_with_the_nearest(void **state)
{
	(void)state;
	assert_reported("report", "x --percnt-limit 3", "did you mean --percent-limit?");
	assert_reported("export", "x -f svg --widht=300", "did you mean --width?");
	assert_reported(
		"report", "x --nothing", "--nothing: unknown option (see cresset help report)");
	assert_reported("report", "x -z", "-z: unknown option (see");
}

static void
test_a_mistyped_value_is_answered_with_the_nearest(void **state)
{
	(void)state;
	assert_reported("diff", "x y --sort functon", "did you mean function?");
	assert_reported("report", "x --granularity lnie", "did you mean line?");
	assert_reported("report", "x --unit sampels", "did you mean samples?");
	assert_reported("report", "x --input-format fodled", "did you mean folded?");
	assert_reported("diff", "x y --order sef", "did you mean self?");
}

static void
test_missing_arguments_are_named(void **state)
{
	(void)state;
	assert_reported("report", "", "report: missing argument: NAME|FILE (see");
	assert_reported("callers", "", "callers: missing arguments: NAME|FILE FUNCTION (see");
	assert_reported("callers", "x", "callers: missing argument: FUNCTION (see");
	assert_reported("mv", "old", "mv: missing argument: NEW (see");
	assert_reported("compare", "", "compare: missing argument: COMMAND (see");
}

/*
 * Old spellings work, but are neither listed nor suggested nor what a cut name stands for. The -f
 * of report is not one of them: it is perf's --force.
 */
static void
test_old_spellings_work_unseen(void **state)
{
	static const char *const commands[] = {"view", "ingest", "info", "doctor", "merge"};
	struct cr_options o;
	char told[512];

	(void)state;
	for (size_t i = 0; i < CR_LEN(commands); i++) {
		assert_int_equal(
			parse(commands[i], "x -f folded", &o, told, sizeof(told)), EXIT_DONE);
		assert_string_equal(o.load.format, "folded");
		cr_options_fini(&o);
		assert_int_equal(
			parse(commands[i], "x --format=folded", &o, told, sizeof(told)), EXIT_DONE);
		assert_string_equal(o.load.format, "folded");
		cr_options_fini(&o);
	}
	assert_reported("info", "x --form=folded", "unknown option");
}

static void
test_values_out_of_range_are_refused_with_the_range(void **state)
{
	(void)state;
	assert_reported(
		"series", "x --bins 0", "--bins: must be a number from 1 to 100000, not '0'");
	assert_reported(
		"report", "x --limit many", "must be a number from 0 to 4294967295, not 'many'");
	assert_reported("diff", "x y --order size", "must be one of self, total,");
	assert_reported("annotate", "x y --in=", "--in=: must not be empty");
	assert_reported("report", "x --csv=1", "--csv=1: takes no value");
	assert_reported("report", "x --limit", "--limit: needs a value");
}

/*
 * The letters of perf, inferno and cargo-flamegraph, in the subcommands that take their place or
 * start perf.
 */
static bool
is_borrowed(const struct cr_cmd *cmd, char letter)
{
	return (letter == 'n' && (cmd->groups & (OPT_REPORT | OPT_COLLAPSE | OPT_COMPARE))) ||
	       (strchr("pcdGfiI", letter) && (cmd->groups & OPT_REPORT)) ||
	       (letter == 'F' && (cmd->groups & (OPT_COMPARE | OPT_RECORD))) ||
	       (strchr("ic", letter) && (cmd->groups & OPT_FLAMEGRAPH)) ||
	       (strchr("ns", letter) && (cmd->groups & OPT_DIFF_FOLDED)) ||
	       (strchr("cr", letter) && (cmd->groups & OPT_RECORD));
}

static void
test_a_letter_has_one_meaning_in_all_commands(void **state)
{
	const char *meaning[128] = {NULL};
	const struct cr_cmd *cmd;

	(void)state;
	for (size_t i = 0; (cmd = cr_cmd_at(i)); i++) {
		cr_cmd_choices choices = {0};

		cr_cmd_choices_of(cmd, &choices);
		for (size_t k = 0; k < choices.n; k++) {
			const struct cr_cmd_choice *c = &choices.p[k];
			const int letter = c->option ? c->option->letter : 0;

			if (!letter || cr_cmd_choice_is_hidden(c) || is_borrowed(cmd, (char)letter))
				continue;
			if (meaning[letter])
				assert_string_equal(meaning[letter], c->spec->name);
			meaning[letter] = c->spec->name;
		}
		cr_vec_fini(&choices);
	}
	assert_string_equal(meaning['f'], "format");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_may_be_cut_where_no_other_begins_alike),
		cmocka_unit_test(test_a_mistyped_name_is_answered_with_the_nearest),
		cmocka_unit_test(test_a_mistyped_value_is_answered_with_the_nearest),
		cmocka_unit_test(test_missing_arguments_are_named),
		cmocka_unit_test(test_old_spellings_work_unseen),
		cmocka_unit_test(test_values_out_of_range_are_refused_with_the_range),
		cmocka_unit_test(test_a_letter_has_one_meaning_in_all_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
