#include "option_table_p.h"

#include "memory_p.h"

#include "model/parallelism.h"
#include "query/time/series.h"
#include "session/stored_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- options with a setter of their own */

/* must: what the value must be, for the message. */
static int
only_if(bool good, const char *must, struct cr_err *err)
{
	return good ? CR_OK : cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "must be %s", must);
}

static int
set_nothing(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)o;
	(void)arg;
	(void)err;
	return CR_OK; /* it selects the default */
}

static int
set_max_memory(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return only_if(cr_memory_size(arg, &o->max_memory),
		"a size such as 500M or 2G, or 0 for no limit", err);
}

static int
set_tag(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->list.tag = arg;
	return only_if(*arg != '\0' && *arg != '=', "KEY=VALUE or KEY", err);
}

/* Units that the counts of a text may have. */
static const char *
unit_word(size_t i)
{
	static const char *const units[] = {
		"samples", "ns", "us", "ms", "s", "bytes", "count", "cycles"};

	return i < CR_LEN(units) ? units[i] : NULL;
}

static int
set_unit(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->load.unit = arg;
	for (size_t i = 0; unit_word(i); i++)
		if (strcmp(unit_word(i), arg) == 0)
			return CR_OK;
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"unknown unit; the units are samples, ns, us, ms, s, bytes, count, cycles");
}

static int
set_key(struct cr_options *o, const char *arg, struct cr_err *err)
{
	static const struct {
		const char *word;
		enum cr_table_column key;
	} words[] = {
		{"function", CR_TABLE_FUNCTION},
		{"sym", CR_TABLE_FUNCTION},
		{"symbol", CR_TABLE_FUNCTION},
		{"object", CR_TABLE_DSO_PATH},
		{"dso", CR_TABLE_DSO_PATH},
		{"comm", CR_TABLE_GROUP},
		{"line", CR_TABLE_SRCLINE},
		{"srcline", CR_TABLE_SRCLINE},
	};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (strcmp(words[i].word, arg) == 0) {
			o->key = words[i].key;
			return CR_OK;
		}
	return only_if(false, "function, dso, comm or line", err);
}

static const char *
order_word(size_t i)
{
	return i < CR_SORTS ? cr_table_sort_name((enum cr_table_sort)i) : NULL;
}

static int
set_match(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->diff.by_path = strcmp(arg, "path") == 0;
	return only_if(o->diff.by_path || strcmp(arg, "name") == 0, "name or path", err);
}

static int
set_color(struct cr_options *o, const char *arg, struct cr_err *err)
{
	static const char *const words[] = {
		[WHEN_AUTO] = "auto", [WHEN_ALWAYS] = "always", [WHEN_NEVER] = "never"};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (strcmp(words[i], arg) == 0) {
			o->color = (enum cr_when)i;
			return CR_OK;
		}
	return only_if(false, "auto, always or never", err);
}

static int
set_norm(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->norm = cr_norm_of(arg);
	return only_if(*arg != '\0', "share, time, second, none or the name of a function", err);
}

/* Read "2%" or "2" as a part of 1. Returns false if it is not a number from 0 to 100. */
static bool
read_points(const char *text, double *out)
{
	char *end;
	const double percent = strtod(text, &end);

	if (end == text || strcmp(*end == '%' ? end + 1 : end, "") != 0)
		return false;
	*out = percent / 100;
	return percent >= 0 && percent <= 100;
}

static int
set_until(struct cr_options *o, const char *arg, struct cr_err *err)
{
	if (!read_points(arg, &o->compare.until) || o->compare.until <= 0)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"wants points of a share such as 1%%, not '%s'", arg);
	return CR_OK;
}

/* ---- options of perf record */

static int
set_stacks(struct cr_options *o, const char *arg, struct cr_err *err)
{
	if (*arg)
		o->perf.call_graph = arg;
	return only_if(!*arg || strcmp(arg, "fp") == 0 || strcmp(arg, "lbr") == 0 ||
			       (strncmp(arg, "dwarf", 5) == 0 && (!arg[5] || arg[5] == ',')),
		"fp, dwarf, dwarf,BYTES or lbr", err);
}

static int
set_perf_pid(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->perf.pid = arg;
	return only_if(*arg && arg[strspn(arg, "0123456789,")] == '\0',
		"process ids, separated by commas", err);
}

static int
set_root(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)err;
	o->perf.root = *arg ? arg : "sudo";
	return CR_OK;
}

void
cr_cmd_free_custom(struct cr_options *o)
{
	free(o->perf.custom);
	free(o->perf.custom_text);
	o->perf.custom = NULL;
	o->perf.custom_text = NULL;
	o->perf.n_custom = 0;
}

/* Words separated by blanks, of which the first must be "record". */
static int
set_custom(struct cr_options *o, const char *arg, struct cr_err *err)
{
	char *text = cr_strdup(arg), *rest;

	cr_cmd_free_custom(o);
	o->perf.custom_text = text;
	o->perf.custom = cr_alloc(strlen(text) / 2 + 1, sizeof(*o->perf.custom));
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		o->perf.custom[o->perf.n_custom++] = word;
	return only_if(o->perf.n_custom && strcmp(o->perf.custom[0], "record") == 0,
		"arguments of perf that begin with record", err);
}

static int
set_perf_word(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)err;
	o->perf.words[o->perf.n_words++] = arg;
	return CR_OK;
}

/* "2%" or "NAME=1%". The name may hold "=". */
static int
set_fail_over(struct cr_options *o, const char *arg, struct cr_err *err)
{
	const char *equals = strrchr(arg, '='), *number = equals ? equals + 1 : arg;
	double points;

	if (o->n_gates == CR_GATES_MOST)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "more than %d limits", CR_GATES_MOST);
	if (!read_points(number, &points) || equals == arg)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"wants 2%% or NAME=1%%, in points from 0 to 100, not '%s'", arg);
	o->gates[o->n_gates++] =
		(struct cr_gate){{arg, equals ? (uint32_t)(equals - arg) : 0}, points};
	return CR_OK;
}

static int
set_fail_if(struct cr_options *o, const char *arg, struct cr_err *err)
{
	int rc;

	if (o->n_fail_if == CR_GATES_MOST)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "more than %d conditions", CR_GATES_MOST);
	rc = cr_fail_if_parse(arg, &o->fail_if[o->n_fail_if], err);
	o->n_fail_if += rc == CR_OK;
	return rc;
}

static int
set_children(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->table.has_children = true;
	o->table.no_children = false;
	return CR_OK;
}

static int
set_call_graph(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return only_if(
		cr_report_call_graph(arg, &o->table), "a list such as graph,0.5,caller", err);
}

static int
set_column_widths(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return only_if(cr_report_widths(arg, &o->table), "a list of widths such as 10,0,30", err);
}

static int
set_percent_limit(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->table.has_limit = true;
	return only_if(
		cr_report_percent(arg, &o->table.percent_limit), "a percentage such as 0.5", err);
}

/* Add a word of a query for each item of a list, as perf report -c comm,comm takes it. */
static int
add_list(struct cr_options *o, enum cr_word word, const char *list, struct cr_err *err)
{
	int rc = CR_OK;

	o->table.perf_lists = true;
	while (*list && rc == CR_OK) {
		const size_t n = strcspn(list, ",");
		char *item = cr_memdup(list, n);

		rc = cr_query_add(&o->query, word, item, err);
		free(item);
		list += n + (list[n] == ',');
	}
	return rc;
}

static int
set_comms(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return add_list(o, CR_WORD_COMM, arg, err);
}

static int
set_dsos(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return add_list(o, CR_WORD_DSO, arg, err);
}

static int
set_symbols(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->table.perf_lists = o->table.only.wanted = true;
	o->table.only.names = arg;
	return only_if(*arg != '\0', "a list of functions", err);
}

static int
set_symbol_filter(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->table.perf_lists = o->table.only.wanted = true;
	o->table.only.part = arg;
	return only_if(*arg != '\0', "a part of the names of functions", err);
}

static int
set_resolved(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->table.only.wanted = o->table.only.resolved = true;
	return CR_OK;
}

static int
set_input(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->args[o->n_args++] = arg;
	o->table.input = true;
	return only_if(*arg != '\0', "the name of a profile or a file", err);
}

static int
set_socket(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return cr_query_add(&o->query, CR_WORD_SOCKET, arg, err);
}

/* A list like "1,4-8": one word of the query for each number, since fields have no ranges. */
static int
set_parallelism(struct cr_options *o, const char *arg, struct cr_err *err)
{
	const char *s = arg;
	int rc = CR_OK;

	do {
		char *end;
		uint64_t from, to;

		if (*s < '0' || *s > '9')
			return only_if(false, "numbers of threads such as 1,4-8", err);
		from = to = strtoull(s, &end, 10);
		s = end;
		if (*s == '-' && s[1] >= '0' && s[1] <= '9') {
			to = strtoull(s + 1, &end, 10);
			s = end;
		}
		if (from > to || to - from >= CR_QUERY_STEPS_MOST || (*s && *s != ','))
			return only_if(false, "numbers of threads such as 1,4-8", err);
		for (; from <= to && rc == CR_OK; from++) {
			char where[48];

			snprintf(where, sizeof(where), CR_PARALLELISM "=%" PRIu64, from);
			rc = cr_query_add(&o->query, CR_WORD_WHERE, where, err);
		}
	} while (rc == CR_OK && *s++);
	return rc;
}

static int
set_ignore_callees(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return cr_query_add(&o->query, CR_WORD_PRUNE, arg, err);
}

static int
set_branches(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	o->table.branches = o->table.no_children = true;
	return cr_query_add(&o->query, CR_WORD_EVENT, "branch-stack", err);
}

static int
set_total_cycles(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->table.total_cycles = true;
	return set_branches(o, arg, err);
}

static int
set_inverted_chains(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	return only_if(cr_report_call_graph("graph,caller", &o->table), "nothing", err);
}

static int
set_percentage(struct cr_options *o, const char *arg, struct cr_err *err)
{
	const bool relative = strcmp(arg, "relative") == 0;

	o->table.percentage = relative ? CR_PERCENTAGE_RELATIVE : CR_PERCENTAGE_ABSOLUTE;
	return only_if(relative || strcmp(arg, "absolute") == 0, "relative or absolute", err);
}

static bool
parse_percent_type(const char *s, struct cr_annotate_opts *out)
{
	static const char *const bases[CR_ANNOTATE_BASES] = {"total-", "local-", "global-"};
	uint32_t base = 0;

	while (base < CR_ANNOTATE_BASES && strncmp(s, bases[base], strlen(bases[base])) != 0)
		base++;
	if (base == CR_ANNOTATE_BASES)
		return false;
	s += strlen(bases[base]);
	out->base = (enum cr_annotate_base)base;
	out->hits = strcmp(s, "hits") == 0;
	return out->hits || strcmp(s, "period") == 0;
}

static int
set_percent_type(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return only_if(parse_percent_type(arg, &o->annotate),
		"total-period, local-period, global-period, total-hits, local-hits or global-hits",
		err);
}

/* ---- options of collapse */

static int
set_kernel_and_jit(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->collapse.kernel = o->collapse.jit = true;
	return CR_OK;
}

static int
set_event(struct cr_options *o, const char *arg, struct cr_err *err)
{
	return cr_query_add(&o->query, CR_WORD_EVENT, arg, err);
}

static int
set_ticks(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	return set_event(o, "ticks", err);
}

static int
set_bytes(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	return set_event(o, "bytes", err);
}

static int
set_skip_after(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->skip_after[o->collapse.n_skip_after++] = arg;
	return only_if(*arg != '\0', "the name of a function", err);
}

static int
set_inlined(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->inlined = true;
	o->load.symbol.no_inline = false;
	return CR_OK;
}

static int
set_demangled(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->load.symbol.no_demangle = false;
	return CR_OK;
}

static int
set_threads_named(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->java = "--include-tname";
	o->collapse.no_threads = false;
	return CR_OK;
}

static int
set_threads_nameless(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->java = "--no-include-tname";
	o->collapse.no_threads = true;
	return CR_OK;
}

static int
set_threads_whole(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->java = "--include-tid";
	o->collapse.whole_threads = true;
	return CR_OK;
}

static int
set_short_packages(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)arg;
	(void)err;
	o->java = "--shorten-pkgs";
	o->collapse.short_packages = true;
	return CR_OK;
}

/* ---- options of flamegraph */

static int
set_base(struct cr_options *o, const char *arg, struct cr_err *err)
{
	o->base[o->flamegraph.n_base++] = arg;
	return only_if(*arg != '\0', "the name of a function", err);
}

/* Other programs have it; ours are always UTF-8. */
static int
set_encoding(struct cr_options *o, const char *arg, struct cr_err *err)
{
	(void)o;
	return only_if(strcasecmp(arg, "utf-8") == 0 || strcasecmp(arg, "utf8") == 0,
		"UTF-8, which every SVG file of cresset is", err);
}

/* ---- the table */

/* Shorthands for options.def: a member of struct cr_options and how it is set. */
#define AT(member) .spec.at = offsetof(struct cr_options, member)
#define FLAG(member) AT(member), .spec.type = CR_OPTION_FLAG
#define TEXT(member) AT(member), .spec.type = CR_OPTION_TEXT
#define NAME(member) TEXT(member), .spec.min = 1 /* not empty */
#define U32(member, least, most) \
	AT(member), .spec.type = CR_OPTION_U32, .spec.min = (least), .spec.max = (most)
#define COUNTED(member, given, least, most) \
	U32(member, least, most), .has = offsetof(struct cr_options, given)
#define WORD(member, given, words)                                   \
	AT(member), .spec.type = CR_OPTION_WORD, .spec.word = words, \
		    .has = offsetof(struct cr_options, given)
#define DSO_WORD(member, given, words) \
	WORD(member, given, words), .spec.old_word = "object", .spec.now = "dso"
#define VALUE(member, value) AT(member), .constant = (value)
#define BITS(member, value) VALUE(member, value), .bits = true
#define SET(function) .set = function
/*
 * After one of the above: the words that the value may be, for completion and "did you mean". A
 * function as in struct cr_option_spec, or a list with commas.
 */
#define WORDS_BY(function) , .spec.word = function
#define WORDS(list) , .words = list
/* A word of the query for one side of a difference alone. */
#define OF_SIDE(s, id) .side1 = (s) + 1, .side_word = CR_WORD_##id

static const struct cr_cmd_option options[] = {
#define OPTION(id, long_name, short_name, argument, of, value, about) \
	{.spec.name = long_name,                                      \
		.spec.arg = argument,                                 \
		.spec.help = about,                                   \
		.letter = short_name,                                 \
		.groups = of,                                         \
		.word = CR_WORDS,                                     \
		value},
#include "options.def"
#undef OPTION
#define GROUPS_OF(w)                                                                \
	((w) == CR_WORD_EVENT                              ? OPT_EVENT | OPT_FILTER \
		: (w) == CR_WORD_COST                      ? OPT_LATENCY            \
		: (w) == CR_WORD_PID || (w) == CR_WORD_TID ? OPT_TASK               \
							   : OPT_FILTER)
#define LETTER_OF(w) ((w) == CR_WORD_EVENT ? 'e' : (w) == CR_WORD_CPU ? 'C' : 0)
#define QUERY_WORD(id, long_name, argument, of, about) \
	{.spec.name = long_name,                       \
		.spec.arg = argument,                  \
		.spec.help = about,                    \
		.letter = LETTER_OF(CR_WORD_##id),     \
		.groups = of,                          \
		.word = CR_WORD_##id},
#define SELECTION(id, name, arg, about) \
	QUERY_WORD(id, name, sizeof(arg) > 1 ? arg : NULL, GROUPS_OF(CR_WORD_##id), about)
#define FOLDING(id, name, arg, about) \
	QUERY_WORD(id, name, arg,     \
		CR_WORD_##id == CR_WORD_GRANULARITY ? OPT_GRANULARITY : OPT_GROUP, about)
#define TRANSFORM(id, name, arg, about) \
	QUERY_WORD(id, name, sizeof(arg) > 1 ? arg : NULL, OPT_TRANSFORM, about)
#include "query/lang/query_words.def"
	/* The widths of inferno-flamegraph have no unit. */
	{.spec.name = "minwidth-is-percent",
		.spec.help = "--minwidth is in percent",
		.groups = OPT_FLAMEGRAPH | OPT_HIDDEN,
		.word = CR_WORDS,
		FLAG(flamegraph.least_percent)},
	/* flamegraph.pl takes it for an abbreviation of --colors, of which we have more. */
	{.spec.name = "color",
		.spec.arg = "PALETTE",
		.spec.help = "the same as --palette",
		.groups = OPT_FLAMEGRAPH | OPT_HIDDEN,
		.word = CR_WORDS,
		NAME(flamegraph.colors)},
	/* old spellings, see cr_word_spelling() */
	{.spec.name = "object",
		.spec.arg = "NAME",
		.spec.help = "the same as --dso",
		.groups = OPT_FILTER | OPT_HIDDEN,
		.word = CR_WORD_DSO},
	{.spec.name = "grain",
		.spec.arg = "WORD",
		.spec.help = "the same as --granularity",
		.groups = OPT_GRANULARITY | OPT_HIDDEN,
		.word = CR_WORD_GRANULARITY},
#undef QUERY_WORD
#undef LETTER_OF
#undef GROUPS_OF
};

bool
cr_cmd_writes(const struct cr_cmd *cmd, const struct cr_writer *w)
{
	if (cmd->groups & OPT_COLLAPSE)
		return strcmp(w->name, "folded") == 0;
	if (cmd->groups & OPT_FLAMEGRAPH)
		return strcmp(w->name, "svg") == 0;
	if (!(cmd->groups & (OPT_OUTPUT | OPT_RECORD)))
		return false;
	return !(cmd->groups & OPT_DIFF) || !(w->needs & (CR_WRITER_SAMPLES | CR_WRITER_PLACES));
}

static void
add_writers(const struct cr_cmd *cmd, cr_cmd_choices *out)
{
	const struct cr_writer *w;

	for (size_t i = 0; (w = cr_writer_at(i)); i++)
		for (const struct cr_option_spec *o = w->options;
			o && o->name && cr_cmd_writes(cmd, w); o++)
			cr_vec_push(out, ((struct cr_cmd_choice){o, NULL, w->name}));
}

void
cr_cmd_choices_of(const struct cr_cmd *cmd, cr_cmd_choices *out)
{
	for (size_t i = 0; i < CR_LEN(options); i++)
		if (options[i].groups & (cmd->groups | OPT_ANY))
			cr_vec_push(
				out, ((struct cr_cmd_choice){&options[i].spec, &options[i], NULL}));
	add_writers(cmd, out);
}

bool
cr_cmd_choice_is_hidden(const struct cr_cmd_choice *c)
{
	return c->option && (c->option->groups & OPT_HIDDEN);
}

bool
cr_cmd_option_is_default(const struct cr_cmd_option *option)
{
	return option->set == set_nothing;
}

int
cr_cmd_option_set(const struct cr_cmd_option *option, const char *arg, struct cr_options *o,
	struct cr_err *err)
{
	unsigned *at = (unsigned *)(void *)((char *)o + option->spec.at);

	if (option->has)
		*((char *)o + option->has) = true;
	if (option->set)
		return option->set(o, arg, err);
	if (option->side1)
		return cr_query_add(&o->side[option->side1 - 1], option->side_word, arg, err);
	if (!option->constant)
		return cr_option_set(&option->spec, arg, o, err);
	*at = option->bits ? *at | option->constant : option->constant;
	return CR_OK;
}
