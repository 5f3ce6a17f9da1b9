#include "memory_p.h"
#include "options_p.h"

#include "bytes/scan.h"
#include "query/time/series.h"
#include "read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
#define OPTION(id, long_name, short_name, arg, groups, about) OPTION_##id,
#include "options.def"
#undef OPTION
	OPTION_word /* of a query */
};

static const struct option {
	enum option_id id;
	const char *name;
	char letter;
	const char *arg;
	unsigned groups;
	const char *about;
	enum cr_word word;
} options[] = {
#define OPTION(id, long_name, short_name, arg, groups, about) \
	{OPTION_##id, long_name, short_name, arg, groups, about, CR_WORDS},
#include "options.def"
#undef OPTION
#define GROUPS_OF(w)                                                                \
	((w) == CR_WORD_EVENT                              ? OPT_EVENT | OPT_FILTER \
		: (w) == CR_WORD_PID || (w) == CR_WORD_TID ? OPT_TASK               \
							   : OPT_FILTER)
#define WORD(id, name, arg, groups, about)                                               \
	{OPTION_word, name, CR_WORD_##id == CR_WORD_EVENT ? 'e' : 0, arg, groups, about, \
		CR_WORD_##id},
#define SELECTION(id, name, arg, about) WORD(id, name, arg, GROUPS_OF(CR_WORD_##id), about)
#define FOLDING(id, name, arg, about) \
	WORD(id, name, arg, CR_WORD_##id == CR_WORD_GRAIN ? OPT_GRAIN : OPT_GROUP, about)
#define TRANSFORM(id, name, arg, about) \
	WORD(id, name, sizeof(arg) > 1 ? arg : NULL, OPT_TRANSFORM, about)
#include "query/lang/query_words.def"
#undef WORD
#undef GROUPS_OF
};

void
cr_options_complain(const char *word, const char *what)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "cresset: ");
	cr_text_safe(&t, cr_str_of(word));
	cr_text_puts(&t, ": ");
	cr_text_safe(&t, cr_str_of(what)); /* which quotes what was said */
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
	struct cr_text names = {0};

	if (cr_reader_find(name))
		return EXIT_DONE;
	for (size_t i = 0; cr_reader_at(i); i++)
		cr_text_printf(&names, "%s %s", i ? "," : "no such format to read; there are",
			cr_reader_at(i)->name);
	cr_options_complain(name, names.p);
	cr_text_fini(&names);
	return EXIT_USAGE;
}

/* What the counts of a text may be of. */
#define UNITS "samples, ns, us, ms, s, bytes, count, cycles"

static bool
parse_unit(const char *s, const char **out)
{
	static const char *const units[] = {
		"samples", "ns", "us", "ms", "s", "bytes", "count", "cycles"};

	*out = s;
	for (size_t i = 0; i < CR_LEN(units); i++)
		if (strcmp(units[i], s) == 0)
			return true;
	return false;
}

static bool
parse_u32(const char *s, uint32_t *out)
{
	uint64_t v;

	if (!cr_scan_u64(cr_str_of(s), &v) || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool
parse_key(const char *s, enum cr_top_key *out)
{
	static const struct {
		const char *word;
		enum cr_top_key key;
	} words[] = {
		{"function", CR_TOP_FUNCTION},
		{"sym", CR_TOP_FUNCTION},
		{"symbol", CR_TOP_FUNCTION},
		{"object", CR_TOP_OBJECT},
		{"dso", CR_TOP_OBJECT},
		{"comm", CR_TOP_COMM},
		{"line", CR_TOP_LINE},
		{"srcline", CR_TOP_LINE},
	};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (strcmp(words[i].word, s) == 0) {
			*out = words[i].key;
			return true;
		}
	return false;
}

static bool
parse_order(const char *s, enum cr_table_sort *out)
{
	for (int i = 0; i < CR_SORTS; i++)
		if (strcmp(cr_table_sort_name((enum cr_table_sort)i), s) == 0) {
			*out = (enum cr_table_sort)i;
			return true;
		}
	return false;
}

/* An option of the format that is written. */
static bool
add_write(struct cr_options *o, const char *name, const char *value)
{
	o->write.values[o->write.n_values++] = (struct cr_write_value){name, value};
	return true;
}

static bool
parse_match(const char *s, bool *by_path)
{
	*by_path = strcmp(s, "path") == 0;
	return *by_path || strcmp(s, "name") == 0;
}

static bool
ask_event(const char *name, struct cr_options *o)
{
	struct cr_err unused = CR_ERR_INIT;

	return cr_query_add(&o->query, CR_WORD_EVENT, name, &unused) == CR_OK;
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

/* False when the argument makes no sense. */
static bool
apply(enum option_id id, const char *arg, struct cr_options *o)
{
	switch (id) {
	case OPTION_store: o->load.store_dir = arg; return true;
	case OPTION_strict: o->strict = true; return true;
	case OPTION_no_sandbox: return o->no_sandbox = true;
	case OPTION_max_memory: return cr_memory_size(arg, &o->max_memory);
	case OPTION_name: o->name = arg; return true;
	case OPTION_replace: o->replace = true; return true;
	case OPTION_merged: o->write.output = arg; return *arg != '\0';
	case OPTION_list_sort: o->list.sort = arg; return true;
	case OPTION_list_reverse: return o->list.reverse = true;
	case OPTION_list_tag: o->list.tag = arg; return *arg != '\0' && *arg != '=';
	case OPTION_list_host: o->list.host = arg; return true;
	case OPTION_list_json: return o->list.json = true;
	case OPTION_sections: return o->sections = true;
	case OPTION_list_all: return o->list.all = true;
	case OPTION_input_format: o->load.format = arg; return true;
	case OPTION_from: o->load.format = arg; return true;
	case OPTION_fresh: o->load.fresh = true; return true;
	case OPTION_no_cache: o->load.no_cache = true; return true;
	case OPTION_symfs: o->load.symbol.symfs = arg; return true;
	case OPTION_debug_dir: o->load.symbol.debug_dir = arg; return true;
	case OPTION_unit: return parse_unit(arg, &o->load.unit);
	case OPTION_root_first: o->load.root_first = true; return true;
	case OPTION_threads: return parse_u32(arg, &o->load.threads) && o->load.threads;
	case OPTION_kallsyms: o->load.symbol.kallsyms = arg; return true;
	case OPTION_vmlinux: o->load.symbol.vmlinux = arg; return true;
	case OPTION_force_owner: o->load.force_owner = true; return true;
	case OPTION_source_dir: o->load.symbol.source_dir = arg; return true;
	case OPTION_map_dir: o->load.symbol.map_dir = arg; return true;
	case OPTION_debuginfod: o->load.symbol.debuginfod = true; return true;
	case OPTION_no_demangle: o->load.symbol.no_demangle = true; return true;
	case OPTION_no_inline: o->load.symbol.no_inline = true; return true;
	case OPTION_annotate_lines: o->annotate.how |= CR_ANNOTATE_LINES; return true;
	case OPTION_annotate_asm: o->annotate.how |= CR_ANNOTATE_ASM; return true;
	case OPTION_annotate_both: o->annotate.how |= CR_ANNOTATE_BOTH; return true;
	case OPTION_in_object: o->annotate.object = arg; return *arg != '\0';
	case OPTION_no_source: o->annotate.no_source = true; return true;
	case OPTION_percent_type: return parse_percent_type(arg, &o->annotate);
	case OPTION_with_source: o->load.with_source = true; return true;
	case OPTION_guess_callers: o->load.symbol.guess_callers = true; return true;
	case OPTION_no_stitch: o->load.symbol.no_stitch = true; return true;
	case OPTION_sort: return parse_key(arg, &o->key);
	case OPTION_keys: o->table.sort = arg; return *arg != '\0';
	case OPTION_columns: o->table.fields = arg; return *arg != '\0';
	case OPTION_children:
		o->table.has_children = true;
		o->table.no_children = false;
		return true;
	case OPTION_no_children: o->table.no_children = true; return true;
	case OPTION_call_graph: return cr_report_call_graph(arg, &o->table);
	case OPTION_hierarchy: o->table.hierarchy = true; return true;
	case OPTION_show_samples: o->table.samples = true; return true;
	case OPTION_show_period: o->table.period = true; return true;
	case OPTION_column_widths: return cr_report_widths(arg, &o->table);
	case OPTION_stdio: return true;
	case OPTION_depth: return parse_u32(arg, &o->table.depth);
	case OPTION_percent_limit:
		o->table.has_limit = true;
		return cr_report_percent(arg, &o->table.percent_limit);
	case OPTION_separator: o->table.separator = arg; return *arg != '\0';
	case OPTION_markdown: o->table.markdown = true; return true;
	case OPTION_full_names: o->names = NAMES_FULL; return true;
	case OPTION_short_names: o->names = NAMES_SHORT; return true;
	case OPTION_order: o->has_order = true; return parse_order(arg, &o->order);
	case OPTION_limit: o->has_limit = true; return parse_u32(arg, &o->limit);
	case OPTION_match: return parse_match(arg, &o->diff.by_path);
	case OPTION_force: o->diff.force = true; return true;
	case OPTION_report: o->report = true; return true;
	case OPTION_commands: o->commands = arg; return true;
	case OPTION_format: o->write.format = arg; return true;
	case OPTION_output: o->write.output = arg; return *arg != '\0';
	case OPTION_fields: return add_write(o, "fields", arg);
	case OPTION_srcline: return add_write(o, "srcline", arg);
	case OPTION_counts: return add_write(o, "counts", arg);
	case OPTION_header: return add_write(o, "header", arg);
	case OPTION_full_source_path:
		if (!(o->cmd->groups & OPT_COLLAPSE))
			return add_write(o, "full-source-path", arg);
		o->collapse.whole_paths = true;
		return true;
	case OPTION_root_pid: o->collapse.pid = true; return true;
	case OPTION_root_tid: o->collapse.tid = true; return true;
	case OPTION_kernel: o->collapse.kernel = true; return true;
	case OPTION_jit: o->collapse.jit = true; return true;
	case OPTION_all: o->collapse.kernel = o->collapse.jit = true; return true;
	case OPTION_addrs: o->collapse.addrs = true; return true;
	case OPTION_event_filter: return ask_event(arg, o);
	case OPTION_ticks: return ask_event("ticks", o);
	case OPTION_bytes: return ask_event("bytes", o);
	case OPTION_skip_after:
		o->skip_after[o->collapse.n_skip_after++] = arg;
		return *arg != '\0';
	case OPTION_inlined:
		o->inlined = true;
		o->load.symbol.no_inline = false;
		return true;
	case OPTION_root_srcline:
	case OPTION_context: o->collapse.lines = true; return true;
	case OPTION_offsets: o->collapse.offsets = true; return true;
	case OPTION_no_modules: o->collapse.no_modules = true; return true;
	case OPTION_threads_named:
		o->java = "--include-tname";
		o->collapse.no_threads = false;
		return true;
	case OPTION_threads_nameless:
		o->java = "--no-include-tname";
		o->collapse.no_threads = true;
		return true;
	case OPTION_threads_whole:
		o->java = "--include-tid";
		o->collapse.whole_threads = true;
		return true;
	case OPTION_short_packages:
		o->java = "--shorten-pkgs";
		o->collapse.short_packages = true;
		return true;
	case OPTION_recursive: o->collapse.recursive = true; return true;
	case OPTION_nthreads: return parse_u32(arg, &o->load.threads) && o->load.threads;
	case OPTION_quiet: o->quiet = true; return true;
	case OPTION_title: return add_write(o, "title", arg);
	case OPTION_width: return add_write(o, "width", arg);
	case OPTION_palette: return add_write(o, "palette", arg);
	case OPTION_icicle: return add_write(o, "icicle", arg);
	case OPTION_by: o->by = arg; return *arg != '\0';
	case OPTION_top: return parse_u32(arg, &o->top);
	case OPTION_bins:
		return parse_u32(arg, &o->bins) && o->bins && o->bins <= CR_SERIES_BINS_MOST;
	case OPTION_rows:
		return parse_u32(arg, &o->rows) && o->rows && o->rows <= CR_HEAT_ROWS_MOST;
	case OPTION_csv: o->csv = true; return true;
	case OPTION_json: o->json = true; return true;
	case OPTION_word: break; /* see parse_word() */
	}
	return false;
}

/*
 * The option a word names, "--name", "--name=value" or "-n"; NULL if there is none for this
 * command.
 */
static const struct option *
find(const struct cr_cmd *cmd, const char *word, const char **value)
{
	const bool is_long = word[1] == '-';
	const char *equals = is_long ? strchr(word, '=') : NULL;
	const size_t len = equals ? (size_t)(equals - word - 2) : strlen(word) - 2;

	*value = equals ? equals + 1 : NULL;
	for (size_t i = 0; i < CR_LEN(options); i++) {
		const struct option *o = &options[i];

		if (!(o->groups & (cmd->groups | OPT_ANY)))
			continue;
		if (is_long && strlen(o->name) == len && memcmp(o->name, word + 2, len) == 0)
			return o;
		if (is_long || !o->letter || word[1] != o->letter)
			continue;
		if (word[2])
			*value = word + 2;
		return o;
	}
	return NULL;
}

/*
 * Options that programs have whose place a subcommand takes, and it has not: what does it instead.
 */
static const struct {
	const char *name;
	unsigned group;
	const char *instead;
} refusals[] = {
	{"--verbose", OPT_COLLAPSE, "there is no more to say than is said without it"},
	{"-v", OPT_COLLAPSE, "there is no more to say than is said without it"},
	{"--size", OPT_COLLAPSE,
		"which count of a table is folded is for --event-filter to say; cresset info lists "
		"them"},
	{"--source", OPT_COLLAPSE,
		"which count of a table is folded is for --event-filter to say; cresset info lists "
		"them"},
};

static const char *
refusal(const struct cr_cmd *cmd, const char *word)
{
	for (size_t i = 0; i < CR_LEN(refusals); i++)
		if ((cmd->groups & refusals[i].group) &&
			strncmp(word, refusals[i].name, strcspn(word, "=")) == 0 &&
			strlen(refusals[i].name) == strcspn(word, "="))
			return refusals[i].instead;
	return "no such option here";
}

/* A step of the query. Its errors begin with its name, which is told already. */
static int
ask(const struct cr_cmd *cmd, const struct option *o, const char *word, const char *value,
	struct cr_options *out)
{
	struct cr_err err = CR_ERR_INIT;
	const size_t len = strlen(o->name);
	const char *what = err.text;

	if (cr_query_add(&out->query, o->word, value, &err) == CR_OK)
		return EXIT_DONE;
	if (strncmp(what, o->name, len) == 0 && strncmp(what + len, ": ", 2) == 0)
		what += len + 2;
	return cr_options_usage(cmd, what, word);
}

static int
parse_word(const struct cr_cmd *cmd, char **argv, int argc, int *i, struct cr_options *out)
{
	const char *word = argv[*i], *value;
	const struct option *o = find(cmd, word, &value);

	if (!o)
		return cr_options_usage(cmd, refusal(cmd, word), word);
	if (!o->arg && value)
		return cr_options_usage(cmd, "takes no value", word);
	if (o->id == OPTION_call_graph &&
		!value) { /* the next word may be its, or the profile's name */
		struct cr_report_opts unused;

		value = *i + 1 < argc && cr_report_call_graph(argv[*i + 1], &unused) ? argv[++*i]
										     : "";
	}
	if (o->arg && !value) {
		if (*i + 1 >= argc)
			return cr_options_usage(cmd, "wants a value", word);
		value = argv[++*i];
	}
	out->given |= o->groups;
	if (o->id == OPTION_word)
		return ask(cmd, o, word, value, out);
	if (!apply(o->id, value, out))
		return cr_options_usage(cmd,
			o->id == OPTION_unit ? "no such unit; there are " UNITS
					     : "cannot use this value",
			word);
	out->has_table |= (o->groups & OPT_TABLE) != 0;
	return EXIT_DONE;
}

void
cr_options_fini(struct cr_options *o)
{
	cr_query_fini(&o->query);
	free(o->args);
	free(o->skip_after);
	free(o->write.values);
}

int
cr_options_parse(const struct cr_cmd *cmd, int argc, char **argv, struct cr_options *out)
{
	bool only_args = false;
	enum cr_grain grain;
	int rc;

	*out = (struct cr_options){.cmd = cmd,
		.limit = 40,
		.top = 10,
		.table.depth = 5,
		.max_memory = cr_memory_default()};
	out->args = cr_alloc((uint64_t)argc + 1, sizeof(*out->args));
	out->collapse.skip_after = out->skip_after =
		cr_alloc((uint64_t)argc + 1, sizeof(*out->skip_after));
	out->write.values = cr_alloc((uint64_t)argc + 1, sizeof(*out->write.values));
	for (int i = 0; i < argc; i++) {
		if (!only_args && strcmp(argv[i], "--") == 0) {
			only_args = true;
			continue;
		}
		if (only_args || argv[i][0] != '-' || argv[i][1] == '\0') {
			out->args[out->n_args++] = argv[i];
			continue;
		}
		if ((rc = parse_word(cmd, argv, argc, &i, out)) != EXIT_DONE)
			return rc;
	}
	grain = cr_query_opts(&out->query).grain;
	if (out->n_args < cmd->least)
		return cr_options_usage(cmd, "wants more arguments", cmd->name);
	if (out->n_args > cmd->most)
		return cr_options_usage(cmd, "one argument too many", out->args[cmd->most]);
	if (out->load.format && cr_options_format(out->load.format) != EXIT_DONE)
		return EXIT_USAGE;
	if (out->has_order && out->order >= CR_SORT_DELTA_SELF && !(cmd->groups & OPT_DIFF))
		return cr_options_usage(cmd, "an order for the difference of two profiles",
			cr_table_sort_name(out->order));
	if (out->load.symbol.debuginfod && !cr_symbol_has_debuginfod())
		return cr_options_usage(
			cmd, "this program was built without libdebuginfod", "--debuginfod");
	if (out->key == CR_TOP_LINE && (cmd->groups & OPT_DIFF))
		return cr_options_usage(
			cmd, "lines are of one build: a difference has none", "--sort line");
	if ((cmd->groups & OPT_DIFF) && (grain == CR_GRAIN_LINE || grain == CR_GRAIN_ADDRESS))
		return cr_options_usage(cmd,
			"lines and addresses are of one build: a difference has none", "--grain");
	return EXIT_DONE;
}

/* The parts of a help: what a subcommand has of its own comes first. */
enum help_part { HELP_OWN, HELP_SELECTS, HELP_FOLDS, HELP_READS, HELP_COMMON, HELP_PARTS };

static enum help_part
help_part_of(const struct option *o)
{
	if (o->id == OPTION_word)
		return cr_word_info(o->word)->kind == CR_WORD_SELECTS ? HELP_SELECTS : HELP_FOLDS;
	if (o->groups & OPT_ANY)
		return HELP_COMMON;
	return o->groups & (OPT_LOAD | OPT_FROM) ? HELP_READS : HELP_OWN;
}

static void
help_option(const struct option *o, FILE *out)
{
	char text[64];

	snprintf(text, sizeof(text), "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
		o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name, o->arg ? " " : "",
		o->arg ? o->arg : "");
	fprintf(out, "  %-26s %s\n", text, o->about);
}

void
cr_options_help(const struct cr_cmd *cmd, FILE *out)
{
	const char *const heads[HELP_PARTS] = {
		[HELP_SELECTS] = "which samples:",
		[HELP_FOLDS] = "how stacks are folded and changed:",
		[HELP_READS] = "reading inputs:",
		[HELP_COMMON] = cmd->groups & OPT_LOAD ? NULL : "everywhere:",
	};
	bool any = false;

	for (int part = 0; part < HELP_PARTS; part++) {
		bool headed = false;

		for (size_t i = 0; i < CR_LEN(options); i++) {
			const struct option *o = &options[i];

			if (!(o->groups & (cmd->groups | OPT_ANY)) || (int)help_part_of(o) != part)
				continue;
			if (!headed && heads[part])
				fprintf(out, "%s%s\n", any ? "\n" : "", heads[part]);
			headed = any = true;
			help_option(o, out);
		}
	}
}
