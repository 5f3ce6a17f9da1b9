#include "options.h"

#include "cresset/bytes/scan.h"
#include "cresset/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
#define OPTION(id, long_name, short_name, arg, groups, about) OPTION_##id,
#include "options.def"
#undef OPTION
};

static const struct option {
	enum option_id id;
	const char *name;
	char letter;
	const char *arg;
	unsigned groups;
	const char *about;
} options[] = {
#define OPTION(id, long_name, short_name, arg, groups, about) {OPTION_##id, long_name, short_name, arg, groups, about},
#include "options.def"
#undef OPTION
};

void
cr_options_complain(const char *word, const char *what)
{
	struct cr_text t = {0};

	cr_text_safe(&t, cr_str_of(word));
	fprintf(stderr, "cresset: %s: %s\n", t.p ? t.p : "", what);
	cr_text_fini(&t);
}

static int
usage(const struct cr_cmd *cmd, const char *what, const char *word)
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
		cr_text_printf(&names, "%s %s", i ? "," : "no such format to read; there are", cr_reader_at(i)->name);
	cr_options_complain(name, names.p);
	cr_text_fini(&names);
	return EXIT_USAGE;
}

/* What the counts of a text may be of. */
#define UNITS "samples, ns, us, ms, s, bytes, count, cycles"

static bool
parse_unit(const char *s, const char **out)
{
	static const char *const units[] = {"samples", "ns", "us", "ms", "s", "bytes", "count", "cycles"};

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
parse_id(const char *s, bool *has, int32_t *out)
{
	uint32_t v;

	*has = true;
	if (strcmp(s, "-1") == 0) {
		*out = -1;
		return true;
	}
	if (!parse_u32(s, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

/* "2.5" seconds to nanoseconds; "" leaves *ns as it is. */
static bool
parse_seconds(const char *s, size_t len, uint64_t *ns)
{
	char *end;
	char text[40];
	double v;

	if (len == 0)
		return true;
	if (len >= sizeof(text) || !((s[0] >= '0' && s[0] <= '9') || s[0] == '.'))
		return false;
	memcpy(text, s, len);
	text[len] = '\0';
	v = strtod(text, &end);
	if (*end == 's')
		end++;
	if (*end || v > 1e9)
		return false;
	*ns = (uint64_t)(v * 1e9 + 0.5);
	return true;
}

static bool
parse_time(const char *s, struct cr_filter *f)
{
	const char *dots = strstr(s, "..");

	return dots && parse_seconds(s, (size_t)(dots - s), &f->from_ns) &&
	       parse_seconds(dots + 2, strlen(dots + 2), &f->to_ns) && (!f->to_ns || f->to_ns > f->from_ns);
}

static bool
parse_key(const char *s, enum cr_top_key *out)
{
	static const struct { const char *word; enum cr_top_key key; } words[] = {
		{"function", CR_TOP_FUNCTION}, {"sym", CR_TOP_FUNCTION}, {"symbol", CR_TOP_FUNCTION},
		{"object", CR_TOP_OBJECT},     {"dso", CR_TOP_OBJECT},   {"comm", CR_TOP_COMM},
		{"line", CR_TOP_LINE},         {"srcline", CR_TOP_LINE},
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

static bool
parse_palette(const char *s, enum cr_palette *out)
{
	for (int i = 0; i < CR_PALETTES; i++)
		if (strcmp(cr_palette_name((enum cr_palette)i), s) == 0) {
			*out = (enum cr_palette)i;
			return true;
		}
	return false;
}

/* False when the argument makes no sense. */
static bool
apply(enum option_id id, const char *arg, struct cr_options *o)
{
	switch (id) {
	case OPTION_store: o->load.store_dir = arg; return true;
	case OPTION_strict: o->strict = true; return true;
	case OPTION_name: o->name = arg; return true;
	case OPTION_replace: o->replace = true; return true;
	case OPTION_input_format: o->load.format = arg; return true;
	case OPTION_from: o->load.format = arg; return true;
	case OPTION_fresh: o->load.fresh = true; return true;
	case OPTION_symfs: o->load.symbol.symfs = arg; return true;
	case OPTION_debug_dir: o->load.symbol.debug_dir = arg; return true;
	case OPTION_unit: return parse_unit(arg, &o->load.unit);
	case OPTION_root_first: o->load.root_first = true; return true;
	case OPTION_threads: return parse_u32(arg, &o->load.threads) && o->load.threads;
	case OPTION_kallsyms: o->load.symbol.kallsyms = arg; return true;
	case OPTION_vmlinux: o->load.symbol.vmlinux = arg; return true;
	case OPTION_map_dir: o->load.symbol.map_dir = arg; return true;
	case OPTION_debuginfod: o->load.symbol.debuginfod = true; return true;
	case OPTION_no_demangle: o->load.symbol.no_demangle = true; return true;
	case OPTION_no_inline: o->load.symbol.no_inline = true; return true;
	case OPTION_no_stitch: o->load.symbol.no_stitch = true; return true;
	case OPTION_event: o->filter.event = arg; return true;
	case OPTION_comm: o->filter.comm = arg; return true;
	case OPTION_pid: return parse_id(arg, &o->filter.has_pid, &o->filter.pid);
	case OPTION_tid: return parse_id(arg, &o->filter.has_tid, &o->filter.tid);
	case OPTION_cpu: o->filter.has_cpu = true; return parse_u32(arg, &o->filter.cpu);
	case OPTION_time: return parse_time(arg, &o->filter);
	case OPTION_where: o->filter.where = arg; return strchr(arg, '=') != NULL;
	case OPTION_group: o->group = arg; return *arg != '\0';
	case OPTION_sort: return parse_key(arg, &o->key);
	case OPTION_order: o->has_order = true; return parse_order(arg, &o->order);
	case OPTION_limit: return parse_u32(arg, &o->limit);
	case OPTION_report: o->report = true; return true;
	case OPTION_commands: o->commands = arg; return true;
	case OPTION_format: o->format = arg; return true;
	case OPTION_output: o->output = arg; return *arg != '\0';
	case OPTION_fields: o->fields = arg; return *arg != '\0';
	case OPTION_srcline: o->srcline = true; return true;
	case OPTION_full_source_path: o->full_source_path = o->collapse.whole_paths = true; return true;
	case OPTION_root_pid: o->collapse.pid = true; return true;
	case OPTION_root_tid: o->collapse.tid = true; return true;
	case OPTION_kernel: o->collapse.kernel = true; return true;
	case OPTION_jit: o->collapse.jit = true; return true;
	case OPTION_all: o->collapse.kernel = o->collapse.jit = true; return true;
	case OPTION_addrs: o->collapse.addrs = true; return true;
	case OPTION_event_filter: o->filter.event = arg; return true;
	case OPTION_ticks: o->filter.event = "ticks"; return true;
	case OPTION_bytes: o->filter.event = "bytes"; return true;
	case OPTION_skip_after: o->skip_after[o->collapse.n_skip_after++] = arg; return *arg != '\0';
	case OPTION_inlined: o->inlined = true; o->load.symbol.no_inline = false; return true;
	case OPTION_root_srcline:
	case OPTION_context: o->collapse.lines = true; return true;
	case OPTION_offsets: o->collapse.offsets = true; return true;
	case OPTION_no_modules: o->collapse.no_modules = true; return true;
	case OPTION_threads_named: o->java = "--include-tname"; o->collapse.no_threads = false; return true;
	case OPTION_threads_nameless: o->java = "--no-include-tname"; o->collapse.no_threads = true; return true;
	case OPTION_threads_whole: o->java = "--include-tid"; o->collapse.whole_threads = true; return true;
	case OPTION_short_packages: o->java = "--shorten-pkgs"; o->collapse.short_packages = true; return true;
	case OPTION_recursive: o->collapse.recursive = true; return true;
	case OPTION_nthreads: return parse_u32(arg, &o->load.threads) && o->load.threads;
	case OPTION_quiet: o->quiet = true; return true;
	case OPTION_title: o->title = arg; return true;
	case OPTION_width: return parse_u32(arg, &o->width_px) && o->width_px >= 200 && o->width_px <= 100000;
	case OPTION_palette: return parse_palette(arg, &o->palette);
	case OPTION_icicle: o->icicle = true; return true;
	}
	return false;
}

/* The option a word names, "--name", "--name=value" or "-n"; NULL if there is none for this command. */
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

/* Options that programs have whose place a subcommand takes, and it has not: what does it instead. */
static const struct {
	const char *name;
	unsigned group;
	const char *instead;
} refusals[] = {
	{"--verbose", OPT_COLLAPSE, "there is no more to say than is said without it"},
	{"-v", OPT_COLLAPSE, "there is no more to say than is said without it"},
	{"--size", OPT_COLLAPSE, "which count of a table is folded is for --event-filter to say; cresset info lists them"},
	{"--source", OPT_COLLAPSE, "which count of a table is folded is for --event-filter to say; cresset info lists them"},
};

static const char *
refusal(const struct cr_cmd *cmd, const char *word)
{
	for (size_t i = 0; i < CR_LEN(refusals); i++)
		if ((cmd->groups & refusals[i].group) && strncmp(word, refusals[i].name, strcspn(word, "=")) == 0 &&
			strlen(refusals[i].name) == strcspn(word, "="))
			return refusals[i].instead;
	return "no such option here";
}

static int
parse_word(const struct cr_cmd *cmd, char **argv, int argc, int *i, struct cr_options *out)
{
	const char *word = argv[*i], *value;
	const struct option *o = find(cmd, word, &value);

	if (!o)
		return usage(cmd, refusal(cmd, word), word);
	if (!o->arg && value)
		return usage(cmd, "takes no value", word);
	if (o->arg && !value) {
		if (*i + 1 >= argc)
			return usage(cmd, "wants a value", word);
		value = argv[++*i];
	}
	if (!apply(o->id, value, out))
		return usage(cmd, o->id == OPTION_unit ? "no such unit; there are " UNITS : "cannot use this value", word);
	out->has_table |= o->groups == OPT_TABLE;
	return EXIT_DONE;
}

int
cr_options_parse(const struct cr_cmd *cmd, int argc, char **argv, struct cr_options *out)
{
	bool only_args = false;
	int rc;

	*out = (struct cr_options){.cmd = cmd, .limit = 40};
	out->args = cr_alloc((size_t)argc + 1, sizeof(*out->args));
	out->collapse.skip_after = out->skip_after = cr_alloc((size_t)argc + 1, sizeof(*out->skip_after));
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
	if (out->n_args < cmd->least)
		return usage(cmd, "wants more arguments", cmd->name);
	if (out->n_args > cmd->most)
		return usage(cmd, "one argument too many", out->args[cmd->most]);
	if (out->load.format && cr_options_format(out->load.format) != EXIT_DONE)
		return EXIT_USAGE;
	if (out->has_order && out->order >= CR_SORT_DELTA_SELF && !(cmd->groups & OPT_DIFF))
		return usage(cmd, "an order for the difference of two profiles", cr_table_sort_name(out->order));
	if (out->load.symbol.debuginfod && !cr_symbolize_has_debuginfod())
		return usage(cmd, "this program was built without libdebuginfod", "--debuginfod");
	if (out->key == CR_TOP_LINE && (cmd->groups & OPT_DIFF))
		return usage(cmd, "lines are of one build: a difference has none", "--sort line");
	return EXIT_DONE;
}

void
cr_options_help(const struct cr_cmd *cmd, FILE *out)
{
	for (size_t i = 0; i < CR_LEN(options); i++) {
		const struct option *o = &options[i];
		char text[64];

		if (!(o->groups & (cmd->groups | OPT_ANY)))
			continue;
		snprintf(text, sizeof(text), "%c%c%s--%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
			 o->letter ? ", " : "  ", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
		fprintf(out, "  %-26s %s\n", text, o->about);
	}
}
