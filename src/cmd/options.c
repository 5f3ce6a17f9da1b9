#include "options_p.h"

#include "memory_p.h"
#include "option_table_p.h"
#include "option_words_p.h"

#include "read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
cr_options_complain(const char *word, const char *what)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "cresset: ");
	cr_text_safe(&t, cr_str_of(word));
	cr_text_puts(&t, ": ");
	cr_text_safe(&t, cr_str_of(what)); /* it quotes the user's words */
	fprintf(stderr, "%s\n", t.p);
	cr_text_fini(&t);
}

int
cr_options_usage(const struct cr_cmd *cmd, const char *what, const char *word)
{
	struct cr_text t = {0};

	cr_text_printf(&t, "%s (see cresset help %s)", what, cmd->name);
	cr_options_complain(word, t.p);
	cr_text_fini(&t);
	return EXIT_USAGE;
}

int
cr_options_format(const char *name)
{
	cr_option_words readers = {0};
	struct cr_text names = {0};

	if (cr_reader_find(name))
		return EXIT_DONE;
	cr_option_words_readers(&readers);
	for (size_t i = 0; i < readers.n; i++)
		cr_text_printf(&names, "%s %s", i ? "," : "unknown input format; the formats are",
			readers.p[i]);
	cr_option_words_meant(&readers, name, &names);
	cr_options_complain(name, names.p);
	cr_option_words_fini(&readers);
	cr_text_fini(&names);
	return EXIT_USAGE;
}

/* Options of other programs that a subcommand replaces, and what to use instead. */
static const struct {
	const char *name;
	char letter;
	uint64_t group;
	const char *instead;
} refusals[] = {
#define REFUSAL(name, letter, group, instead) {name, letter, group, instead},
#include "refusals.def"
#undef REFUSAL
};

/* NULL if it has none of that name or letter. */
static const char *
refusal(const struct cr_cmd *cmd, const char *word)
{
	const size_t len = strcspn(word, "=");

	for (size_t i = 0; i < CR_LEN(refusals); i++) {
		const char *name = refusals[i].name;

		if ((cmd->groups & refusals[i].group) &&
			(word[1] == '-' ? strlen(name) == len && strncmp(word, name, len) == 0
					: word[1] == refusals[i].letter))
			return refusals[i].instead;
	}
	return NULL;
}

/* ---- finding the option of a word */

struct parser {
	const struct cr_cmd *cmd;
	struct cr_options *out;
	cr_cmd_choices choices;
	char **argv;
	int argc, at;
	/* The word after --group, which may be a key or the profile; NULL if there is none. */
	const char *group;
};

static bool
has_prefix(const struct cr_cmd_choice *c, const char *name, size_t len)
{
	return strncmp(c->spec->name, name, len) == 0;
}

/* The option with this name; if several formats have one, any of them. */
static const struct cr_cmd_choice *
find_exact(const struct parser *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->choices.n; i++)
		if (has_prefix(&p->choices.p[i], name, len) && !p->choices.p[i].spec->name[len])
			return &p->choices.p[i];
	return NULL;
}

/*
 * The option that `name` abbreviates. NULL if there is none or several; the names of several are
 * appended to *several.
 */
static const struct cr_cmd_choice *
find_abbreviated(const struct parser *p, const char *name, size_t len, struct cr_text *several)
{
	const struct cr_cmd_choice *found = NULL;
	unsigned n = 0;

	for (size_t i = 0; len && i < p->choices.n; i++) {
		const struct cr_cmd_choice *c = &p->choices.p[i];

		if (!has_prefix(c, name, len) || cr_cmd_choice_is_hidden(c) ||
			(found && strcmp(found->spec->name, c->spec->name) == 0))
			continue;
		cr_text_printf(several, "%s --%s", n++ ? "," : "", c->spec->name);
		found = c;
	}
	return n == 1 ? found : NULL;
}

static const struct cr_cmd_choice *
find_letter(const struct parser *p, char letter)
{
	for (size_t i = 0; i < p->choices.n; i++)
		if (p->choices.p[i].option && p->choices.p[i].option->letter == letter)
			return &p->choices.p[i];
	return NULL;
}

static const char *
closest(const struct parser *p, const char *name, size_t len)
{
	const char **names = cr_alloc(p->choices.n + 1, sizeof(*names)), *best;
	char *given = cr_memdup(name, len);
	size_t n = 0;

	for (size_t i = 0; i < p->choices.n; i++)
		if (!cr_cmd_choice_is_hidden(&p->choices.p[i]))
			names[n++] = p->choices.p[i].spec->name;
	best = cr_closest(given, names, n);
	free(given);
	free(names);
	return best;
}

/* "--no-X" where X is an option: what perf report understands, and what is the default here. */
static bool
denies(const struct parser *p, const char *word)
{
	char *name;
	bool known;

	if (!(p->cmd->groups & OPT_REPORT) || strncmp(word, "--no-", 5) != 0)
		return false;
	name = cr_strdup(word + 3);
	memcpy(name, "--", 2);
	known = find_exact(p, name + 2, strlen(name + 2)) || refusal(p->cmd, name);
	free(name);
	return known;
}

static bool
is_always_on(const struct parser *p, const char *name)
{
	const struct cr_cmd_choice *c = find_exact(p, name, strlen(name));

	return c && c->option && cr_cmd_option_is_default(c->option);
}

static int
no_option(const struct parser *p, const char *word, const struct cr_text *several)
{
	const char *why = refusal(p->cmd, word), *meant = NULL;
	struct cr_text t = {0};
	int code;

	if (!why && word[1] == '-' && !several->len)
		meant = closest(p, word + 2, strcspn(word + 2, "="));
	if (why)
		cr_text_puts(&t, why);
	else if (denies(p, word))
		cr_text_printf(&t,
			is_always_on(p, word + 5) ? "not supported: --%s is always on"
						  : "not needed: --%s is off unless it is given",
			word + 5);
	else if (several->len)
		cr_text_printf(&t, "is ambiguous; it could be%s", several->p);
	else if (meant)
		cr_text_printf(&t, "unknown option; did you mean --%s?", meant);
	else
		cr_text_puts(&t, "unknown option");
	code = cr_options_usage(p->cmd, t.p, word);
	cr_text_fini(&t);
	return code;
}

/*
 * The option of a word, "--name", "--name=value" or "-n", and the value in the word or NULL. Unique
 * abbreviations are accepted.
 */
static const struct cr_cmd_choice *
find(const struct parser *p, const char *word, const char **value, struct cr_text *several)
{
	const char *name = word + 2;
	const size_t len = strcspn(name, "=");
	const struct cr_cmd_choice *c;

	*value = NULL;
	if (word[1] != '-') {
		*value = word[2] ? word + 2 : NULL;
		return find_letter(p, word[1]);
	}
	if (name[len])
		*value = name + len + 1;
	c = find_exact(p, name, len);
	if (c || refusal(p->cmd, word))
		return c;
	return find_abbreviated(p, name, len, several);
}

/* ---- setting values */

/*
 * The next word is the value of -g if it is a valid one; otherwise it is the profile's name. A
 * value that the help shows with "=" is never the next word.
 */
static const char *
optional_value(struct parser *p, const struct cr_cmd_choice *c)
{
	struct cr_options unused = *p->out;
	struct cr_err err = CR_ERR_INIT;

	if (c->spec->arg[1] != '=' && p->at + 1 < p->argc && p->argv[p->at + 1][0] &&
		cr_cmd_option_set(c->option, p->argv[p->at + 1], &unused, &err) == CR_OK)
		return p->argv[++p->at];
	return "";
}

/* Error messages of a query begin with the name of the option, which is printed already. */
static int
complain_value(const struct parser *p, const struct cr_cmd_choice *c, const char *what,
	const char *word, const char *value)
{
	const size_t len = strlen(c->spec->name);
	cr_option_words words = {0};
	struct cr_text t = {0};
	int code;

	if (strncmp(what, c->spec->name, len) == 0 && strncmp(what + len, ": ", 2) == 0)
		what += len + 2;
	cr_text_puts(&t, what);
	cr_option_words_of(p->cmd, c, &words);
	if (value)
		cr_option_words_meant(&words, value, &t);
	code = cr_options_usage(p->cmd, t.p, word);
	cr_option_words_fini(&words);
	cr_text_fini(&t);
	return code;
}

static int
store(struct parser *p, const struct cr_cmd_choice *c, const char *word, const char *value)
{
	struct cr_options *out = p->out;
	struct cr_err err = CR_ERR_INIT;
	int rc;

	if (!c->option) {
		out->given |= OPT_OUTPUT;
		out->write.values[out->write.n_values++] =
			(struct cr_write_value){c->spec->name, value};
		return EXIT_DONE;
	}
	out->given |= c->option->groups & (p->cmd->groups | OPT_ANY);
	out->has_table |= (c->option->groups & OPT_TABLE) != 0;
	if (c->option->word != CR_WORDS)
		rc = cr_query_add(&out->query, c->option->word, value, &err);
	else
		rc = cr_cmd_option_set(c->option, value, out, &err);
	return rc < 0 ? complain_value(p, c, err.text, word, value) : EXIT_DONE;
}

static int parse_word(struct parser *p);

/* Several letters in one word, the first of which is a flag: "-ns" is "-n -s". */
static int
parse_letters(struct parser *p, const struct cr_cmd_choice *c)
{
	char *word = p->argv[p->at];
	const int code = store(p, c, word, NULL);

	if (code != EXIT_DONE)
		return code;
	word[1] = '-';
	p->argv[p->at] = word + 1;
	return parse_word(p);
}

/* As in perf report, --group without a key is --event-columns. */
static bool
is_perf_group(const struct parser *p, const struct cr_cmd_choice *c)
{
	return (p->cmd->groups & OPT_REPORT) && c->option && c->option->word == CR_WORD_GROUP;
}

/* The word after --group is a key if another word is the profile, or another --group follows. */
static int
store_group(struct parser *p)
{
	const char *key = p->group;

	p->group = NULL;
	return key ? store(p, find_exact(p, "group", strlen("group")), "--group", key) : EXIT_DONE;
}

/* Otherwise it is the profile. */
static int
finish_group(struct parser *p)
{
	if (!p->group || p->out->n_args)
		return store_group(p);
	p->out->table.event_columns = true;
	p->out->args[p->out->n_args++] = p->group;
	return EXIT_DONE;
}

/* True if all words up to "--" are values of the option: "WORD ...". */
static bool
takes_all(const struct cr_cmd_choice *c)
{
	return c->spec->arg && cr_str_ends(cr_str_of(c->spec->arg), " ...");
}

static int
parse_word(struct parser *p)
{
	const char *word = p->argv[p->at], *value;
	struct cr_text several = {0};
	const struct cr_cmd_choice *c = find(p, word, &value, &several);
	int code = EXIT_DONE;

	if (!c)
		code = no_option(p, word, &several);
	cr_text_fini(&several);
	if (!c)
		return code;
	if (!c->spec->arg && value && word[1] != '-')
		return parse_letters(p, c);
	if (!c->spec->arg && value)
		return cr_options_usage(p->cmd, "takes no value", word);
	if (c->spec->arg && !value && c->spec->arg[0] == '[')
		value = optional_value(p, c);
	if (c->spec->arg && !value) {
		const char *next = p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;

		if (is_perf_group(p, c) && (!next || *next == '-')) {
			p->out->table.event_columns = true;
			return EXIT_DONE;
		}
		if (!next)
			return cr_options_usage(p->cmd, "needs a value", word);
		value = p->argv[++p->at];
		if (is_perf_group(p, c)) {
			code = store_group(p);
			p->group = value;
			return code;
		}
	}
	if (is_perf_group(p, c))
		code = store_group(p);
	if (code == EXIT_DONE)
		code = store(p, c, word, value);
	while (code == EXIT_DONE && takes_all(c) && p->at + 1 < p->argc &&
		strcmp(p->argv[p->at + 1], "--") != 0)
		code = store(p, c, word, p->argv[++p->at]);
	return code;
}

static int
parse_all(struct parser *p)
{
	bool only_args = false;
	int code;

	for (; p->at < p->argc; p->at++) {
		char *word = p->argv[p->at];

		if (!only_args && strcmp(word, "--") == 0) {
			only_args = true;
			p->out->n_before = p->out->n_args;
			continue;
		}
		/* The options of a command that is recorded are its own. */
		only_args |= word[0] != '-' && (p->cmd->groups & OPT_RECORD);
		if (only_args || word[0] != '-' || word[1] == '\0')
			p->out->args[p->out->n_args++] = word;
		else if ((code = parse_word(p)) != EXIT_DONE)
			return code;
	}
	code = finish_group(p);
	if (!only_args)
		p->out->n_before = p->out->n_args;
	return code;
}

/* ---- */

/* The names of the required arguments after the first `given` ones, as the usage line has them. */
static void
put_missing(const struct cr_cmd *cmd, int given, struct cr_text *t)
{
	const char *at = cmd->args;
	int n = 0;

	while (*at && n < cmd->least) {
		const size_t len = strcspn(at, " ");

		if (*at != '[' && strncmp(at, "--", len) != 0 && n++ >= given)
			cr_text_printf(t, " %.*s", (int)len, at);
		at += len + strspn(at + len, " ");
	}
}

static int
missing(const struct cr_cmd *cmd, int given)
{
	struct cr_text t = {0};
	int code;

	cr_text_printf(&t, "missing argument%s:", cmd->least - given > 1 ? "s" : "");
	put_missing(cmd, given, &t);
	code = cr_options_usage(cmd, t.p, cmd->name);
	cr_text_fini(&t);
	return code;
}

/* -i is an argument, too. */
static int
two_inputs(const struct cr_cmd *cmd, const struct cr_options *out)
{
	struct cr_text t = {0};
	int code;

	cr_text_puts(&t, "unexpected: the command reads one profile, and ");
	cr_text_puts(&t, out->args[0]);
	cr_text_puts(&t, " is already given; remove one of them");
	code = cr_options_usage(cmd, t.p, out->args[1]);
	cr_text_fini(&t);
	return code;
}

/* Checks that involve several options. */
static int
check(const struct cr_cmd *cmd, const struct cr_options *out)
{
	const enum cr_granularity granularity = cr_query_opts(&out->query).granularity;

	if (out->n_args < cmd->least)
		return missing(cmd, out->n_args);
	if (out->n_args > cmd->most && out->table.input)
		return two_inputs(cmd, out);
	if (out->n_args > cmd->most)
		return cr_options_usage(cmd, "unexpected argument", out->args[cmd->most]);
	if (out->load.format && cr_options_format(out->load.format) != EXIT_DONE)
		return EXIT_USAGE;
	if (out->has_order && out->order >= CR_SORT_DELTA_SELF && !(cmd->groups & OPT_DIFF))
		return cr_options_usage(
			cmd, "this order is only for differences", cr_table_sort_name(out->order));
	if (out->load.symbol.debuginfod && !cr_symbol_has_debuginfod())
		return cr_options_usage(
			cmd, "this program was built without libdebuginfod", "--debuginfod");
	if (out->key == CR_TABLE_SRCLINE && (cmd->groups & OPT_DIFF))
		return cr_options_usage(
			cmd, "source lines of two builds cannot be compared", "--sort line");
	if ((cmd->groups & OPT_DIFF) &&
		(granularity == CR_GRANULARITY_LINE || granularity == CR_GRANULARITY_ADDRESS))
		return cr_options_usage(
			cmd, "lines and addresses of two builds cannot be compared", "--grain");
	return EXIT_DONE;
}

void
cr_options_fini(struct cr_options *o)
{
	cr_query_fini(&o->query);
	for (int s = 0; s < CR_SIDES; s++)
		cr_query_fini(&o->side[s]);
	free(o->args);
	free(o->skip_after);
	free(o->base);
	free(o->perf.words);
	cr_cmd_free_custom(o);
	free(o->write.values);
	if (o->warned)
		cr_text_fini(o->warned);
	free(o->warned);
}

int
cr_options_parse(const struct cr_cmd *cmd, int argc, char **argv, struct cr_options *out)
{
	struct parser p = {.cmd = cmd, .out = out, .argv = argv, .argc = argc};
	int code;

	*out = (struct cr_options){.cmd = cmd,
		.called = cmd,
		.limit = 40,
		.key = CR_TABLE_FUNCTION,
		.top = 10,
		.table.depth = 5,
		.compare = {.runs = 3, .max_runs = 20},
		.perf = {.repeat = 1},
		.max_memory = cr_memory_default()};
	out->args = cr_alloc((uint64_t)argc + 1, sizeof(*out->args));
	out->collapse.skip_after = out->skip_after =
		cr_alloc((uint64_t)argc + 1, sizeof(*out->skip_after));
	out->flamegraph.base = out->base = cr_alloc((uint64_t)argc + 1, sizeof(*out->base));
	out->perf.words = cr_alloc((uint64_t)argc + 1, sizeof(*out->perf.words));
	out->write.values = cr_alloc((uint64_t)argc + 1, sizeof(*out->write.values));
	cr_cmd_choices_of(cmd, &p.choices);
	code = parse_all(&p);
	cr_vec_fini(&p.choices);
	if (out->json)
		out->warned = cr_alloc(1, sizeof(*out->warned));
	return code == EXIT_DONE ? check(cmd, out) : code;
}
