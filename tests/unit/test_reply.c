#include "testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "cmd/option_table_p.h"
#include "cmd/options_p.h"
#include "json_schema.h"

/*
 * What each command prints with --json is JSON, has the same envelope, and fits
 * data/cresset.schema.json. A command that takes --json and is not in the schema, in docs/json.md
 * or in the list of runs below makes the test fail.
 */

/* Run in this order by a shell, in a directory of its own. DATA, FIX: of the source. */
static const struct {
	const char *command, *line;
	int code;
} runs[] = {
	{"ingest", "ingest -n query \"$DATA\"/query.perf.data --json"},
	{"ingest", "ingest fields text fold.folded --json"},
	{"import", "import \"$DATA\"/demo.cresset --json"},
	{"merge", "merge query demo -o both --json"},
	{"merge", "merge --fold query query -o fleet --json"},
	{"tag", "tag query a=b version=1.4 --json"},
	{"tag", "tag query --json"},
	{"note", "note query 'two words' --json"},
	{"note", "note demo --json"},
	{"ls", "ls --json"},
	{"ls", "ls --json nothing", 1},
	{"verify", "verify --all --json"},
	{"verify", "verify query demo --json"},
	{"verify", "verify ./damaged.cresset --json", 3},
	{"info", "info query --sections --json"},
	{"info", "info both --json"},
	{"info", "info fleet --json"},
	{"info", "info fields --json"},
	{"info", "info fold.folded --json"},
	{"doctor", "doctor demo --json"},
	{"doctor", "doctor fold.folded --json"},
	{"doctor", "doctor \"$FIX\"/good-two-threads.perf.data --json"},
	{"brief", "brief demo --json"},
	{"brief", "brief query --json"},
	{"brief", "brief fold.folded --json"},
	{"report", "report demo --json --limit 20"},
	{"report", "report demo --json --limit 5 -g --no-children -s sym,srcline,dso"},
	{"report", "report demo --json --hierarchy"},
	{"report", "report demo --json --latency -s comm,tgid,pid --comm zstd"},
	{"report", "report fields --json -e sched:a -s sym,n,cpu -F +overhead_sys,overhead_us"},
	{"report", "report fields --json --event-columns -g"},
	{"report", "report text --json"},
	{"report", "report fold.folded --json"},
	{"callers", "callers demo sqlite3VdbeExec --json"},
	{"callees", "callees demo main --json --time ..50%"},
	{"threads", "threads demo --json"},
	{"waits", "waits \"$DATA\"/waiting.perf.data --json"},
	{"waits", "waits \"$DATA\"/waiting.perf.data --as-perf --json --limit 1"},
	{"syscalls", "syscalls \"$DATA\"/waiting.perf.data --json"},
	{"syscalls", "syscalls \"$DATA\"/waiting.perf.data --by thread --json"},
	{"samples", "samples demo --limit 3 --json"},
	{"samples", "samples \"$DATA\"/waiting.perf.data --json"},
	{"samples", "samples fold.folded --json"},
	{"intervals", "intervals \"$DATA\"/waiting.perf.data --by stack --json"},
	{"c2c", "c2c \"$FIX\"/made-memory.perf.data --json"},
	{"annotate", "annotate demo sqlite3VdbeExec --json"},
	{"diff", "diff --json \"$DATA\"/compare/before-1.cresset \"$DATA\"/compare/after-1.cresset",
		1},
	{"diff", "diff --json fold.folded other.folded --force --fail-over no_such=1%"},
	{"diff", "diff --json query query -s dso --total"},
	{"series", "series demo --by comm --top 1 --json"},
	{"heat", "heat demo --json"},
	{"latency", "latency \"$DATA\"/latency.perf.data --by comm --top 1 --json"},
	{"cache", "cache ls --json"},
	{"cache", "cache limit --json"},
	{"cache", "cache limit 1G --json"},
	{"cache", "cache clear --json"},
	{"version", "version --json"},
};

/* It records two programs with perf: tests/golden/compare.t runs it. It prints what diff prints. */
static const char *const not_run[] = {"compare"};

static char directory[64];
static struct json_text schema_text;
static struct schema schema;

/* ---- files */

static char *
read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct cr_text t = {0};
	char bytes[4096];
	size_t n;

	if (!f)
		fail_msg("%s cannot be read", path);
	cr_text_puts(&t, "");
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		cr_text_put(&t, bytes, n);
	fclose(f);
	return t.p;
}

static char *
read_source(const char *name)
{
	struct cr_text path = {0};
	char *text;

	cr_text_printf(&path, "%s/%s", getenv("SRC"), name);
	text = read_file(path.p);
	cr_text_fini(&path);
	return text;
}

static const char environment[] =
	"export CRESSET_STORE=\"$PWD/store\" XDG_CACHE_HOME=\"$PWD/cache\" HOME=\"$PWD\" LC_ALL=C\n"
	"DATA=$SRC/data FIX=$SRC/tests/fixtures\n";

/* Inputs with strange names, and with lines that are no use, so that there are warnings. */
static const char prepare[] =
	"printf 'a;b 3\\na;b;c 5\\na;b;d 5\\na;e 2\\nno count\\na;\\033[1mc\"\\\\\\377 4\\nd "
	"0.5\\n' >fold.folded\n"
	"printf 'a;b 300\\na;c 900\\n' >other.folded\n"
	"for i in 1 2 3; do printf \"x 4/5 [00$i] 1.$i: 7 sched:a: n=$i s=t$i\\n"
	"\\t4011 f+0x1 (/bin/x)\\n\\n\"; done >fields\n"
	"printf 'x 4/5 1.5: 7 a:\\n\\t4011 f (/x)\\n\\nx 4/5 1.6: 7 b:\\n\\t4011 f (/x)\\n\\n' "
	">text\n"
	"head -c 9000 \"$DATA/demo.cresset\" >damaged.cresset\n";

/* ---- running */

/* The exit code of lines for a shell, run in the directory of the test. */
static int
shell(const char *lines)
{
	struct cr_text script = {0};
	int status;

	cr_text_printf(&script, "cd '%s' || exit 99\n%s%s", directory, environment, lines);
	status = system(script.p);
	cr_text_fini(&script);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *
read_output(const char *name)
{
	struct cr_text path = {0};
	char *text;

	cr_text_printf(&path, "%s/%s", directory, name);
	text = read_file(path.p);
	cr_text_fini(&path);
	return text;
}

/* The schema of a command's data; NULL if there is none. */
static const struct node *
schema_of(const char *command)
{
	const struct node *n = json_member(schema.root, "oneOf");

	for (n = n ? n->first : NULL; n; n = n->next) {
		const struct node *p = json_member(n, "properties"),
				  *words = json_member(json_member(p, "command"), "enum");

		for (words = words ? words->first : NULL; words; words = words->next)
			if (cr_str_eq(words->text, cr_str_of(command)))
				return json_member(p, "data");
	}
	return NULL;
}

/* Check a reply. Returns false after appending to *why what is wrong. */
static bool
is_good(const char *command, const char *text, struct cr_text *why)
{
	struct json_text t;
	const struct node *reply = json_read(&t, text), *of = schema_of(command);
	bool good = false;

	schema.why = why;
	if (!reply)
		cr_text_printf(why, "no JSON at byte %zu", (size_t)(t.at - text));
	else if (!of)
		cr_text_puts(why, "the schema lacks the command");
	else if (!cr_str_eq(json_member(reply, "command")->text, cr_str_of(command)))
		cr_text_puts(why, "another command");
	else
		good = schema_fits(&schema, schema.root, reply) &&
		       schema_fits(&schema, of, json_member(reply, "data"));
	cr_arena_fini(&t.arena);
	return good;
}

static void
test_replies_fit_the_schema(void **state)
{
	bool good = true;

	(void)state;
	for (size_t i = 0; i < CR_LEN(runs); i++) {
		struct cr_text line = {0}, why = {0};
		char *text;
		int code;

		cr_text_printf(&line, "\"$CRESSET\" %s >out 2>err", runs[i].line);
		code = shell(line.p);
		text = read_output("out");
		if (code != runs[i].code || !is_good(runs[i].command, text, &why)) {
			char *err = read_output("err");

			print_message("%s\nexit %d, %s\n%s%s\n", runs[i].line, code,
				why.p ? why.p : "", text, err);
			free(err);
			good = false;
		}
		free(text);
		cr_text_fini(&line);
		cr_text_fini(&why);
	}
	assert_true(good);
}

static void
test_warnings_are_part_of_the_reply(void **state)
{
	struct json_text t;
	const struct node *warnings;
	char *text, *err, *without;

	(void)state;
	assert_int_equal(shell("\"$CRESSET\" report fold.folded --fresh --json >out 2>err"), 0);
	text = read_output("out");
	err = read_output("err");
	warnings = json_member(json_read(&t, text), "warnings");
	assert_non_null(warnings);
	assert_non_null(warnings->first);
	without = strstr(err, "cresset: ");
	assert_non_null(without);
	assert_memory_equal(without + 9, warnings->first->text.p, warnings->first->text.len);
	cr_arena_fini(&t.arena);
	free(err);
	free(text);
}

/* ---- every command */

static bool
takes_json(const struct cr_cmd *cmd)
{
	cr_cmd_choices choices = {0};
	bool takes = false;

	cr_cmd_choices_of(cmd, &choices);
	for (size_t i = 0; i < choices.n; i++)
		takes |= strcmp(choices.p[i].spec->name, "json") == 0;
	cr_vec_fini(&choices);
	return takes;
}

static bool
is_run(const char *command)
{
	for (size_t i = 0; i < CR_LEN(runs); i++)
		if (strcmp(runs[i].command, command) == 0)
			return true;
	for (size_t i = 0; i < CR_LEN(not_run); i++)
		if (strcmp(not_run[i], command) == 0)
			return true;
	return false;
}

static void
test_every_command_is_described_and_run(void **state)
{
	char *page = read_source("docs/json.md");
	const struct cr_cmd *cmd;
	bool good = true;

	(void)state;
	for (size_t i = 0; (cmd = cr_cmd_at(i)); i++) {
		struct cr_text row = {0};

		if (!takes_json(cmd))
			continue;
		cr_text_printf(&row, "\n| `%s` |", cmd->name);
		if (!schema_of(cmd->name) || !is_run(cmd->name) || !strstr(page, row.p)) {
			print_message("%s takes --json: it needs a schema in "
				      "data/cresset.schema.json, a row in docs/json.md and a run "
				      "in tests/unit/test_reply.c\n",
				cmd->name);
			good = false;
		}
		cr_text_fini(&row);
	}
	free(page);
	assert_true(good);
}

/* ---- the test itself */

static void
test_what_does_not_fit_is_found(void **state)
{
	static const char head[] =
		"{\"version\": \"1\", \"command\": \"note\", \"profile\": \"x\", "
		"\"query\": \"\", \"warnings\": [], \"data\": ";
	static const struct {
		const char *data, *why;
	} cases[] = {
		{"{\"note\": \"x\"}}", NULL},
		{"{\"note\": null}}", NULL},
		{"{\"note\": 3}}", "wrong type: note"},
		{"{}}", "missing member: note"},
		{"{\"note\": \"x\", \"more\": 1}}", "member not in the schema: more"},
		{"{\"note\": \"x\", \"note\": \"x\"}}", "no JSON at byte"},
		{"{\"note\": \"x\",}}", "no JSON at byte"},
		{"{\"note\": \"\\x\"}}", "no JSON at byte"},
		{"{\"note\": 01}}", "no JSON at byte"},
		{"{\"note\": \"x\"}} x", "no JSON at byte"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0}, why = {0};

		cr_text_printf(&text, "%s%s", head, cases[i].data);
		assert_int_equal(is_good("note", text.p, &why), !cases[i].why);
		if (cases[i].why)
			assert_non_null(strstr(why.p, cases[i].why));
		cr_text_fini(&text);
		cr_text_fini(&why);
	}
}

static int
setup(void **state)
{
	(void)state;
	snprintf(directory, sizeof(directory), "%s/test_reply.XXXXXX",
		access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(directory));
	assert_int_equal(shell(prepare), 0);
	*state = read_source("data/cresset.schema.json");
	schema.root = json_read(&schema_text, *state);
	assert_non_null(schema.root);
	return 0;
}

static int
teardown(void **state)
{
	struct cr_text line = {0};

	cr_arena_fini(&schema_text.arena);
	free(*state);
	cr_text_printf(&line, "rm -rf '%s'", directory);
	assert_int_equal(shell(line.p), 0);
	cr_text_fini(&line);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_does_not_fit_is_found),
		cmocka_unit_test(test_every_command_is_described_and_run),
		cmocka_unit_test(test_replies_fit_the_schema),
		cmocka_unit_test(test_warnings_are_part_of_the_reply),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
