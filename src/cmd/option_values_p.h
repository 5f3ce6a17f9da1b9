#ifndef CR_CMD_OPTION_VALUES_P_H
#define CR_CMD_OPTION_VALUES_P_H

#include "fail_if_p.h"
#include "report_options_p.h"

#include "base/log.h"
#include "query/diff/diff.h"
#include "query/diff/norm.h"
#include "query/fold/collapse.h"
#include "query/lang/query.h"
#include "query/table/table.h"
#include "session/load.h"

/* Groups of options by purpose; each subcommand accepts some of them. */
enum option_group {
	OPT_ANY = 1,
	OPT_LOAD = 2,
	OPT_INGEST = 4,
	OPT_EVENT = 8,
	OPT_FILTER = 16, /* words of a query that select samples, except those for tasks */
	OPT_TABLE = 32,
	OPT_VIEW = 64,
	OPT_OUTPUT = 128,
	OPT_HIDDEN = 256, /* an old spelling: accepted, but not listed by the help */
	OPT_DIFF = 512,
	OPT_COMPARE = 1024,
	OPT_FROM = 2048,
	OPT_TASK = 4096,
	OPT_COLLAPSE = 8192,
	OPT_LIST = 1 << 16, /* the bits in between are free */
	OPT_RENAME = 1 << 17,
	OPT_IMPORT = 1 << 18,
	OPT_MERGE = 1 << 19,
	OPT_VERIFY = 1 << 20,
	OPT_INFO = 1 << 30,
	OPT_GROUP = 16384,
	OPT_GRANULARITY = 32768,
	OPT_TRANSFORM = 1 << 21,
	OPT_CHART = 1 << 22,
	OPT_LANES = 1 << 23,
	OPT_SERIES = 1 << 24,
	OPT_HEAT = 1 << 25,
	OPT_ANNOTATE = 1 << 26,
	OPT_SHEET = 1 << 27,  /* form of tables */
	OPT_REPORT = 1 << 28, /* rows of tables */
	OPT_CALLS = 1 << 29,
};

/* Further groups, which have no room in an enum. */
#define OPT_FLAMEGRAPH ((uint64_t)1 << 31)
#define OPT_DIFF_FOLDED ((uint64_t)1 << 32)
#define OPT_RECORD ((uint64_t)1 << 33)
#define OPT_ANONYMIZE ((uint64_t)1 << 34)
#define OPT_BRIEF ((uint64_t)1 << 36)
#define OPT_LATENCY ((uint64_t)1 << 41)
#define OPT_SYSCALLS ((uint64_t)1 << 45)
#define OPT_WAITS ((uint64_t)1 << 46)
#define OPT_INTERVALS ((uint64_t)1 << 48)
#define OPT_SAMPLES ((uint64_t)1 << 47)
#define OPT_HELP ((uint64_t)1 << 35)
#define OPT_COMPLETION ((uint64_t)1 << 40)
#define OPT_QUICKFIX ((uint64_t)1 << 52)
#define OPT_COLOR ((uint64_t)1 << 51) /* prints tables, in colour on a terminal */
#define OPT_C2C ((uint64_t)1 << 53)
#define OPT_JSON ((uint64_t)1 << 50) /* prints facts, also as JSON */

/* Which profiles are listed or verified, and how. */
struct cr_list_opts {
	const char *sort, *tag, *host; /* NULL if not given; tag: "KEY=VALUE" */
	bool reverse, all;
	bool names, null; /* print only the names, separated by newlines or by NUL bytes */
};

/* An option of an output format, as given; the format is determined later. */
struct cr_write_value {
	const char *name, *value; /* value: NULL for a flag */
};

/* What is written, and its destination. */
struct cr_write_opts {
	const char *format, *output; /* NULL if not given */
	bool anonymize;              /* replace all names */
	struct cr_write_value *values;
	size_t n_values;
};

/* Whether tables have colours. */
enum cr_when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

/* Maximum length of names. */
enum cr_names { NAMES_AUTO, NAMES_FULL, NAMES_SHORT };

/* What is shown of a function. */
enum cr_annotate_how { CR_ANNOTATE_LINES = 1, CR_ANNOTATE_ASM = 2, CR_ANNOTATE_BOTH = 3 };

/*
 * The base of shares: the cost of the function with its callees, the cost of its own code, or
 * everything selected.
 */
enum cr_annotate_base {
	CR_ANNOTATE_TOTAL,
	CR_ANNOTATE_LOCAL,
	CR_ANNOTATE_GLOBAL,
	CR_ANNOTATE_BASES
};

struct cr_annotate_opts {
	unsigned how;    /* bits of enum cr_annotate_how; 0 means both */
	const char *dso; /* NULL means any */
	enum cr_annotate_base base;
	bool no_source, hits;
};

/* Arguments of perf record; NULL means the default. */
struct cr_perf_opts {
	const char *event;      /* -e; the default is chosen by cr_perf_choose() */
	const char *frequency;  /* -F, in samples a second; default 999 */
	const char *call_graph; /* --call-graph; default fp for compare, chosen for record */
	/* Only of record: */
	const char *pid;          /* -p: process ids, separated by commas */
	const char *root;         /* the program that starts perf as root */
	const char **words;       /* further arguments of perf; n_words */
	const char **custom;      /* all arguments of perf instead of the chosen ones; n_custom */
	char *custom_text;        /* memory of custom */
	size_t n_words, n_custom; /* 0: none */
	bool all_cpus, off_cpu, latency, keep;
	uint32_t repeat; /* number of recordings */
};

/* What flamegraph draws, beside what the options of the SVG writer say. */
struct cr_flamegraph_opts {
	bool reverse, inverted, chart, negate;
	bool consistent;         /* take and keep the colours of palette.map */
	bool random;             /* colours */
	bool least_percent;      /* --minwidth is in percent without saying so */
	const char *const *base; /* see struct cr_folded_tree_opts */
	size_t n_base;
	const char *total;  /* NULL if not given */
	const char *colors; /* a palette; NULL if not given */
};

/* What compare records. */
struct cr_compare_opts {
	uint32_t runs, max_runs; /* of each command */
	const char *name;        /* NULL: made from date and time */
	double until; /* record on until a change of this part of the whole is detectable; 0: no */
};

/* When a difference makes the exit code 1. */
#define CR_GATES_MOST 32
struct cr_gate {
	struct cr_str name; /* of a function; "" for any */
	double points;      /* of a share of 1 */
};

/* How merge folds. */
struct cr_fleet_opts {
	bool fold;
	const char *by, *bucket; /* as given; NULL if not */
};

/* The command line of one subcommand. Strings belong to argv. */
struct cr_options {
	const struct cr_cmd *cmd;
	const struct cr_cmd *called; /* by the user; another one if that one runs cmd */
	uint64_t given;              /* bits of enum option_group: groups of the given options */
	const char **args;           /* arguments that are no options */
	int n_args;
	int n_before; /* arguments before "--"; n_args if there is none */
	struct cr_load_opts load;
	struct cr_query query;
	struct cr_query side[CR_SIDES]; /* words for one side of a difference alone */
	struct cr_diff_opts diff;
	struct cr_norm norm;
	const char *name, *commands, *start;
	struct cr_write_opts write;
	struct cr_collapse_opts collapse;
	const char **skip_after; /* memory of collapse.skip_after */
	struct cr_list_opts list;
	struct cr_fleet_opts fleet;
	struct cr_report_opts table;
	struct cr_annotate_opts annotate;
	struct cr_compare_opts compare;
	struct cr_flamegraph_opts flamegraph;
	struct {
		bool normalize, strip_hex;
	} diff_folded;
	struct cr_perf_opts perf;
	const char **base; /* memory of flamegraph.base */
	const char *java;  /* the last option given that applies only to Java thread dumps */
	bool inlined, quiet;
	bool no_sandbox, no_config;
	struct cr_editor *editor; /* see editor_p.h; NULL where none can be started */
	bool sections, strict, replace, report, as_perf, one_line;
	const char *interval; /* BEGIN,END,KEY; NULL if not given */
	uint64_t max_memory;  /* in bytes; 0: no limit */
	enum cr_table_column key;
	enum cr_table_sort order;
	bool has_order;
	enum cr_names names;
	enum cr_when color;
	bool totals, all_rows; /* of a difference */
	struct cr_gate gates[CR_GATES_MOST];
	uint32_t n_gates, min_runs;
	struct cr_fail_if fail_if[CR_GATES_MOST];
	uint32_t n_fail_if;
	bool fail_worse, explain;
	uint32_t noise; /* in percent */
	bool has_table; /* an option of the table was given */
	uint32_t limit;
	bool has_limit; /* the limit of rows was given */
	const char *by; /* for charts: the key */
	uint32_t bins, rows, top;
	bool csv, json, quickfix;
	/* With --json: the warnings so far, a line each; NULL otherwise. */
	struct cr_text *warned;
};

/* A subcommand: a line in cmds.def and a file cmd_NAME.c. run returns an exit code. */
struct cr_cmd {
	const char *name, *args, *about;
	int least, most; /* number of arguments */
	uint64_t groups; /* bits of enum option_group */
	int (*run)(const struct cr_options *o);
};

#endif
