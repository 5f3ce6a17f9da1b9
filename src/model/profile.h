#ifndef CR_MODEL_PROFILE_H
#define CR_MODEL_PROFILE_H

#include "base/access.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The model: one finished, immutable profile. Each table is a set of columns or an array of rows; a
 * row number is an id.
 *
 *	samples ─► task ─► address space
 *	   │
 *	   ├────► node (location tree: parent, location) ─► location ─► lines ─► function ─► dso
 *	   └────► fields (further values of a sample, such as its data address: one column each)
 *
 * A profile owns everything it points at; cr_profile_free() frees it. Row 0 of nodes is the root
 * (the empty stack). Row 0 of dsos and of functions is "unknown".
 */
typedef struct {
	uint32_t i;
} cr_dso_id;
typedef struct {
	uint32_t i;
} cr_function_id;
typedef struct {
	uint32_t i;
} cr_location_id;
typedef struct {
	uint32_t i;
} cr_node_id; /* row of the location tree; 0 is the empty stack */
typedef struct {
	uint32_t i;
} cr_task_id;
typedef struct {
	uint32_t i;
} cr_event_id;
typedef struct {
	uint32_t i;
} cr_address_space_id;
typedef struct {
	uint32_t i;
} cr_field_id;

enum cr_kind {
	CR_KIND_UNKNOWN, /* address outside all mappings, or a name without a dso */
	CR_KIND_USER,
	CR_KIND_KERNEL,
	CR_KIND_MODULE, /* kernel module */
	CR_KIND_VDSO,
	CR_KIND_JIT, /* named by a perf map or a jitdump */
	CR_KIND_BPF,
	CR_KIND_GROUP, /* no code: a comm, pid or tid that stacks are grouped under */
	CR_KINDS
};

const char *cr_kind_name(enum cr_kind kind); /* "user", "kernel", ... */

/* True for code that runs in the kernel. */
static inline bool
cr_kind_is_kernel(uint8_t kind)
{
	return kind == CR_KIND_KERNEL || kind == CR_KIND_MODULE || kind == CR_KIND_BPF;
}

struct cr_dso {
	struct cr_str name; /* path or short name as recorded: "/usr/bin/x", "[kernel.kallsyms]" */
	uint8_t build_id[20];
	uint8_t build_id_len; /* in bytes; 0 if unknown */
	uint8_t kind;         /* enum cr_kind */
};

/*
 * Return the short name of a dso, as perf report prints it:
 * - the file name of its path;
 * - "[nf_tables]" for the kernel module file "nf-tables.ko.xz";
 * - "[JIT] tid 12" for code named by the perf map of process 12, "/tmp/perf-12.map".
 *
 * The result points into `dso` or into *made. The function clears *made; the caller frees it, and
 * keeps both alive as long as the result.
 */
struct cr_str cr_dso_name(struct cr_str dso, enum cr_kind kind, struct cr_text *made);

struct cr_function {
	struct cr_str name;    /* demangled; "" if no name was found: print the dso instead */
	struct cr_str linkage; /* as in the symbol table; "" if equal to name */
	struct cr_str file;    /* source file; "" if unknown */
	uint32_t line;         /* first line of the function; 0 if unknown */
	cr_dso_id dso;
	uint64_t addr; /* start address within the dso; 0 in text formats; or CR_ADDR_INLINED */
	uint32_t size; /* of the symbol in bytes; 0 if unknown */
};

/*
 * Start address of an inlined function, which has no address of its own. The inlined function has a
 * row of its own even if a callable copy of it exists. Only lines before the last of their location
 * refer to such functions.
 */
#define CR_ADDR_INLINED UINT64_MAX

/*
 * An address in a dso:
 * - in user dsos, and in JIT code that comes from a jitdump or is mapped from a memfd, it is the
 *   file offset (ip - map.start + map.pgoff);
 * - in the kernel, in other JIT code and outside all mappings it is the absolute address.
 *
 * Text formats name the function themselves. There it is the offset in that function, 0 if the text
 * has no offset, and the absolute address if the frame has no name.
 *
 * A return address is the address after the call, which may belong to the next line. Return
 * addresses of a recording have the bit CR_ORDINAL_RETURN: their lines and inlined functions are
 * those of the byte before. Frames that cresset unwound already have the address of the call and
 * lack the bit.
 */
#define CR_ORDINAL_RETURN 0x8000u

struct cr_location {
	uint64_t addr;
	cr_dso_id dso;
	uint32_t first_line; /* row in lines: the innermost inlined function; its callers follow */
	uint16_t lines;      /* number of lines; at least 1 */
	/*
	 * Index among mappings of the same bytes in one address space, mostly 0; plus
	 * CR_ORDINAL_RETURN.
	 */
	uint16_t ordinal;
};

struct cr_line {
	cr_function_id function;
	uint32_t line;      /* source line of the address or of the call; 0 if unknown */
	struct cr_str file; /* source file of `line`; "" if it is the function's file or unknown */
};

struct cr_event {
	struct cr_str name; /* "cycles:u" */
	/* unit of the weights: "samples", "ns", "cycles", "bytes"; "" if unknown. */
	struct cr_str unit;
	uint64_t samples; /* number of samples */
	uint64_t weight;  /* sum of the samples' weights; UINT64_MAX on overflow */
};

/* A thread with one name and one address space. When either changes, the thread gets a new row. */
struct cr_task {
	int32_t pid; /* -1 if unknown */
	int32_t tid;
	struct cr_str comm;
	cr_address_space_id space;
};

/* A thread that the recording names, sampled or not, in its last state. */
struct cr_named_thread {
	int32_t pid;
	int32_t tid;
	int32_t ppid; /* tid of the thread that created it; -1 if unknown */
	struct cr_str comm;
};

/*
 * A memory mapping, valid for the samples born <= row < died. The absolute address of a sample's
 * frame is computed with the mapping of (space, dso) that contains the location's address.
 */
struct cr_map {
	uint64_t start, end; /* absolute, [start, end) */
	uint64_t pgoff;      /* address within the dso of the byte at `start` */
	uint64_t born, died; /* rows of the samples */
	cr_address_space_id space;
	cr_dso_id dso;
};

/*
 * Values of a sample's cpu: NONE if no cpu was recorded; UNKNOWN if an impossible one (-1) was
 * recorded.
 */
#define CR_CPU_NONE UINT16_MAX
#define CR_CPU_UNKNOWN (UINT16_MAX - 1)

enum cr_sample_column {
	CR_SAMPLE_TIME,
	CR_SAMPLE_WEIGHT,
	CR_SAMPLE_TASK,
	CR_SAMPLE_NODE,
	CR_SAMPLE_CPU,
	CR_SAMPLE_EVENT,
	CR_SAMPLE_COLUMNS
};

/*
 * Parts of a profile that a stored profile reads only on request, one bit each. The bit of a sample
 * column is 1 << enum cr_sample_column.
 */
enum cr_needs {
	CR_NEEDS_TIME = 1 << CR_SAMPLE_TIME,
	CR_NEEDS_WEIGHT = 1 << CR_SAMPLE_WEIGHT,
	CR_NEEDS_TASK = 1 << CR_SAMPLE_TASK,
	CR_NEEDS_NODE = 1 << CR_SAMPLE_NODE,
	CR_NEEDS_CPU = 1 << CR_SAMPLE_CPU,
	CR_NEEDS_EVENT = 1 << CR_SAMPLE_EVENT,
	CR_NEEDS_SAMPLES = (1 << CR_SAMPLE_COLUMNS) - 1, /* all columns */
	CR_NEEDS_FIELDS = 1 << CR_SAMPLE_COLUMNS,        /* values and texts of the fields */
	CR_NEEDS_TREE = CR_NEEDS_FIELDS << 1,            /* nodes, locations and lines */
	CR_NEEDS_MAPS = CR_NEEDS_FIELDS << 2,
	CR_NEEDS_CODE = CR_NEEDS_FIELDS << 3,  /* machine code and source lines */
	CR_NEEDS_SIZES = CR_NEEDS_FIELDS << 4, /* of functions */
	CR_NEEDS_ALL = (CR_NEEDS_SIZES << 1) - 1,
};

/*
 * A range of sample rows, with the minimum and the maximum of each column in it. Both come from the
 * file. They are only a hint until the rows of that column were read (see `here`); then they are
 * exact. A profile that was not stored has no zones.
 */
struct cr_sample_zone {
	uint64_t first; /* first row; the zone ends where the next one begins, the last zone at n */
	/* Minimum and maximum of each column, as stored: a time of 0 means "no time". */
	uint64_t least[CR_SAMPLE_COLUMNS], most[CR_SAMPLE_COLUMNS];
	/* Bits by enum cr_sample_column: the rows were read, see cr_store_fetch_zones(). */
	unsigned here;
	/*
	 * Bits by enum cr_sample_column: minimum and maximum are unknown and set to 0 and
	 * UINT64_MAX.
	 */
	unsigned open;
};

/*
 * Columns of the samples, in the order of recording. cpu may be CR_CPU_NONE or CR_CPU_UNKNOWN; a
 * time of 0 means "no time". In a stored profile a column that was not requested is NULL. Use
 * columns.h, which checks this.
 */
struct cr_samples {
	uint64_t n;
	const uint64_t *time_ns;
	const uint64_t *weight;
	const uint32_t *task;
	const uint32_t *node;
	const uint16_t *cpu;
	const uint16_t *event;
	/*
	 * Bits by enum cr_sample_column: the column is mapped from a file, see cr_samples_done().
	 */
	unsigned filed;
	const struct cr_sample_zone *zones; /* in row order, n_zones of them; NULL if unknown */
	uint32_t n_zones;
};

size_t cr_sample_column_bytes(enum cr_sample_column c); /* size of one value, in bytes */

/*
 * Tell the system that the sample rows [from, to) are not needed soon, so that their pages can be
 * dropped. Loops over all samples call it now and then, which keeps a long recording out of memory.
 */
void cr_samples_done(const struct cr_samples *s, uint64_t from, uint64_t to);

#define CR_SAMPLES_SWEEP_ROWS 65536

/* The same for the rows before `row`; for loops over all samples, which call it for each row. */
static inline void
cr_samples_sweep(const struct cr_samples *s, uint64_t row)
{
	if (row % CR_SAMPLES_SWEEP_ROWS == 0 && row && s->filed)
		cr_samples_done(s, row - CR_SAMPLES_SWEEP_ROWS, row);
}

/* Type of a field's values, and how they are printed. */
enum cr_form {
	CR_FORM_NUMBER, /* unsigned, decimal */
	CR_FORM_SIGNED, /* the bits of an int64_t */
	CR_FORM_HEX,    /* unsigned, 0x...: addresses, flags */
	CR_FORM_TEXT,   /* row of the profile's texts */
	CR_FORMS
};

/*
 * The value that marks a sample without a value: 2^64-1, or the minimum of int64_t. A real value
 * equal to it cannot be distinguished; no counter and no mapped address has it.
 */
static inline uint64_t
cr_form_none(enum cr_form form)
{
	return form == CR_FORM_SIGNED ? (uint64_t)INT64_MIN : UINT64_MAX;
}

/*
 * How a field that holds kernel code addresses is to be printed. Not stored: by then the values are
 * names, see cr_fields_name_code().
 */
enum cr_code_form {
	CR_CODE_NONE,   /* the values are no code addresses */
	CR_CODE_NAME,   /* the function: "tick_sched_timer" */
	CR_CODE_OFFSET, /* "kfree+0x1f" */
};

/*
 * Further values of the samples of one event: "addr", "data_src", "prev_comm". value[k] belongs to
 * the event's k-th sample in recording order, and is cr_form_none() if the sample has no value.
 */
struct cr_field {
	struct cr_str name; /* unique in the event together with the form */
	cr_event_id event;
	uint8_t form;          /* enum cr_form */
	uint8_t code;          /* enum cr_code_form, until cr_fields_name_code() */
	uint32_t distinct;     /* number of distinct texts; 0 in the other forms */
	uint64_t have;         /* number of samples that have a value; at least 1 */
	uint64_t least, most;  /* minimum and maximum, compared as the form requires; 0 for texts */
	uint64_t n;            /* number of samples of the event */
	const uint64_t *value; /* NULL if the store was opened without the fields */
	bool filed;            /* the values are mapped from a file, see cr_field_sweep() */
};

/*
 * Drop the pages of the values before `row`. Loops over all values call it for each row, so that a
 * long column does not stay in memory.
 */
static inline void
cr_field_sweep(const struct cr_field *d, uint64_t row)
{
	if (d->filed && row % CR_SAMPLES_SWEEP_ROWS == 0 && row)
		cr_mapping_done(d->value, (row - CR_SAMPLES_SWEEP_ROWS) * sizeof(*d->value),
			row * sizeof(*d->value));
}

/* One kind of data that the recording lacks or has damaged; every surface prints it as a line. */
struct cr_quality {
	struct cr_str what; /* "unknown records", "lost events", "damaged: ends at offset 123" */
	uint64_t count;
};

struct cr_fact {
	struct cr_str
		key; /* "hostname", "osrelease", "arch", "cmdline", "date", "duration_ns" ... */
	struct cr_str value; /* if it ends in '\n', it is several lines that are safe to print */
};

/*
 * Machine code of one function, kept so that annotate works where the binary is missing. Stored for
 * the functions with the highest cost. The bytes are those that ran, if known; for a file they are
 * the file's.
 */
struct cr_machine_code {
	cr_function_id function;
	uint64_t addr; /* address of the first byte within the dso */
	/*
	 * Address of the first byte as a disassembler prints it: the virtual address in an ELF
	 * file. Bit 0 is set for ARM Thumb code.
	 */
	uint64_t base;
	struct cr_str bytes;
	uint16_t machine; /* e_machine of ELF: 62 is x86-64, 183 aarch64 ... */
	uint8_t bits;     /* size of an address: 32 or 64 */
	uint8_t big_endian;
};

/* A line of a source file, without its line end. */
struct cr_source_line {
	struct cr_str file; /* as in lines and functions */
	uint32_t line;      /* from 1 */
	struct cr_str text;
};

enum cr_profile_flags {
	CR_PROFILE_HAS_TIME = 1,
	CR_PROFILE_HAS_CPU = 2,
	CR_PROFILE_HAS_TASK = 4,      /* pid, tid and comm are valid */
	CR_PROFILE_HAS_ADDR = 8,      /* locations have addresses */
	CR_PROFILE_HAS_SAMPLES = 16,  /* the requested columns of the samples are present */
	CR_PROFILE_IN_PART = 32,      /* the input was damaged or truncated: see quality */
	CR_PROFILE_NO_COMM_ROOT = 64, /* tasks are known, but stacks are not grouped by comm */
	/* Function names are those of symbol tables, with argument lists. */
	CR_PROFILE_SYMBOL_NAMES = 128,
	/* Function names are those of folded stacks: see cr_function_as_is(). */
	CR_PROFILE_FOLDED_NAMES = 256,
	/*
	 * The input was a text of stacks with counts: a row is a sum over an unknown number of
	 * samples.
	 */
	CR_PROFILE_ADDED_UP = 512,
	/* Samples of many recordings were added up: see model/merge/fleet.h. */
	CR_PROFILE_FLEET = 1024,
};

struct cr_profile {
	uint32_t flags; /* enum cr_profile_flags */
	uint32_t n_dsos, n_functions, n_locations, n_lines, n_nodes, n_events, n_tasks, n_maps,
		n_spaces;
	uint32_t n_quality, n_facts, n_fields, n_texts, n_codes, n_source_lines, n_threads;
	const struct cr_dso *dsos;
	const struct cr_function *functions;
	const struct cr_location *locations;
	const struct cr_line *lines;
	/*
	 * The location tree in preorder: parents come first; the subtree of n is [n, node_end[n]).
	 */
	const uint32_t *node_parent;   /* node_parent[0] is 0 */
	const uint32_t *node_location; /* node_location[0] is unused */
	const uint32_t *node_end;
	const struct cr_event *events;
	/*
	 * By event: roles computed by cr_event_find_roles(). NULL: they are computed at each call.
	 */
	const uint8_t *event_roles;
	const struct cr_task *tasks;
	/* Each pid and tid once; none in a merge, where numbers are of several machines. */
	const struct cr_named_thread *threads;
	const struct cr_map *maps; /* sorted by space, then start, then born */
	const struct cr_quality *quality;
	const struct cr_fact *facts;
	struct cr_samples samples;
	/* Sorted by event, then in the order in which the reader created them. */
	const struct cr_field *fields;
	const struct cr_str *texts;                /* rows that values of CR_FORM_TEXT refer to */
	const struct cr_machine_code *codes;       /* sorted by function, then address */
	const struct cr_source_line *source_lines; /* sorted by file, then line */
	/* The default view; NULL until cr_default_tree_make(), see default_tree.h. */
	const struct cr_default_tree *default_tree;
	struct cr_tree_ahead *ahead; /* makes it in a thread, see tree_ahead.h; NULL without one */
	struct cr_access access;     /* who may read the input of the profile */
	/*
	 * What weights are instead of the recorded ones, and by event 1 if its weights are that;
	 * NULL: as recorded. See cost.h. Not stored.
	 */
	const char *cost;
	const uint8_t *has_cost;

	unsigned not_read; /* bits of enum cr_needs: stored tables that were not read completely */
	/* Where more can be read, see cr_store_fetch(); NULL if everything was read. */
	struct cr_origin *origin;
	struct cr_arena arena; /* owns everything above except the origin */
};

/* The file that a profile was read from and keeps open. Closed by cr_profile_free(). */
struct cr_origin {
	void (*close)(struct cr_origin *o);
};

/* True if the input did not name the unit of its counts. */
static inline bool
cr_unit_is_unknown(struct cr_str unit)
{
	return cr_str_eq(unit, CR_STR("weight"));
}

/*
 * True if the rows of an event with this unit are stacks with sums from the input, not single
 * samples.
 */
static inline bool
cr_rows_are_stacks(const struct cr_profile *p, struct cr_str unit)
{
	const bool added_up =
		(p->flags & (CR_PROFILE_ADDED_UP | CR_PROFILE_HAS_TIME)) == CR_PROFILE_ADDED_UP ||
		(p->flags & CR_PROFILE_FLEET);

	return cr_unit_is_unknown(unit) || (added_up && !cr_str_eq(unit, CR_STR("samples")));
}

/* True if the weights of this event count samples. This includes text formats that contain sums. */
bool cr_event_counts_samples(const struct cr_event *e);

/*
 * True if the samples of this event are sums, as in text formats without times, where each distinct
 * stack occurs once. Then only the weight says what a stack costs; the number of rows means
 * nothing. In a merge with other profiles the fact "summed events" names these events.
 */
bool cr_event_is_summed(const struct cr_profile *p, cr_event_id event);

/*
 * The default event: the one that the fact "main event" names, otherwise the recorded (not derived)
 * one with the most samples. Row 0 if there are no events.
 */
cr_event_id cr_event_main(const struct cr_profile *p);

/*
 * True if this event was computed from others ("off-cpu") and no record is a sample of it. The fact
 * "derived events" contains its name.
 */
bool cr_event_is_derived(const struct cr_profile *p, cr_event_id event);

/*
 * True for the events of recorded branches, "branch-stack" and "branch-blocks". Their samples are
 * added up over the whole recording, so that they have neither times nor processors.
 */
bool cr_event_is_branches(const struct cr_profile *p, cr_event_id event);

/*
 * True if this event is the sum of others. It has no rows of its own; the rows of its parts count
 * for it. At most one event is a sum: "wall", the time of a thread on a CPU and off it. The fact of
 * that name lists the parts, separated by " + ".
 */
bool cr_event_is_sum(const struct cr_profile *p, cr_event_id event);

/*
 * Compute the roles of all events: summed, derived, a sum, or a part of a sum. Optional: without
 * it each call of a function that needs a role searches the facts, which is slow if a file has
 * many. Call it again if the facts change.
 */
void cr_event_find_roles(struct cr_profile *p);

/*
 * True if a sample of `event` counts for the event `asked`: both are the same, or `event` is
 * a part of the sum `asked`.
 */
bool cr_event_includes(const struct cr_profile *p, cr_event_id asked, cr_event_id event);

/*
 * The name of the event as recorded, without the cost that cr_cost_weigh() added. _is_named(): true
 * if the event has this name with or without it.
 */
struct cr_str cr_event_recorded_name(const struct cr_profile *p, cr_event_id event);
bool cr_event_is_named(const struct cr_profile *p, cr_event_id event, struct cr_str name);

/* Number of samples of an event: its rows, or the sum of their counts. */
uint64_t cr_event_samples(const struct cr_event *e);

/*
 * How a function's name is written to folded stacks. Names that were read from folded stacks are
 * written unchanged, with leading and trailing blanks. An empty name was read as "-"; it is written
 * empty again, to differ from the mark "-" between the parts of a stack.
 */
enum cr_as_is {
	CR_AS_TIDY, /* without leading and trailing blanks */
	CR_AS_IS,
	CR_AS_EMPTY,
};

enum cr_as_is cr_function_as_is(const struct cr_profile *p, const struct cr_function *f);

/*
 * The source file of a line: its own file, otherwise the file of its function. "" if line or file
 * is unknown.
 */
struct cr_str cr_line_file(const struct cr_profile *p, const struct cr_line *line);

/* True if stacks are grouped by the comm of their task. */
static inline bool
cr_profile_by_comm(const struct cr_profile *p)
{
	return (p->flags & (CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT)) == CR_PROFILE_HAS_TASK;
}

/* True if tasks are threads, not only comms as in a fleet. */
static inline bool
cr_profile_has_threads(const struct cr_profile *p)
{
	return (p->flags & (CR_PROFILE_HAS_TASK | CR_PROFILE_FLEET)) == CR_PROFILE_HAS_TASK;
}

/* The value of a fact; an empty string if the profile has no such fact. */
struct cr_str cr_profile_fact(const struct cr_profile *p, const char *key);

/* Set a fact, whose texts are copied; it replaces one with the same key. key is not copied. */
void cr_profile_set_fact(struct cr_profile *p, const char *key, struct cr_str value);

/*
 * Facts that the user added: the fact "note", and tags, whose keys begin with CR_FACT_TAG.
 * cr_fact_tag() returns true if f is a tag, and stores in *key what follows the prefix.
 */
#define CR_FACT_TAG "tag."
#define CR_FACT_BOOKMARK "bookmark." /* also the user's; not printed: see session/custom */
bool cr_fact_tag(const struct cr_fact *f, struct cr_str *key);

/* True for a fact of the recording: not one that the user added, and not for internal use. */
bool cr_fact_is_shown(const struct cr_fact *f);

/*
 * Append facts for people: "duration: 19.6 s", one line each, indented by `indent` blanks, with
 * names made safe for a terminal. The lines of a fact of several lines follow its key, indented
 * further. _main() prints what was recorded, where and how, in a fixed order; _rest() prints all
 * other facts, except those for internal use.
 */
void cr_facts_main(const struct cr_profile *p, size_t indent, struct cr_text *out);
void cr_facts_rest(const struct cr_profile *p, size_t indent, struct cr_text *out);

/* Class of a quality row, determined by how its text begins. */
enum cr_quality_class {
	CR_QUALITY_LOST,   /* data that the recorder dropped or was not allowed to record */
	CR_QUALITY_STACKS, /* stacks that were unwound incompletely */
	CR_QUALITY_NAMES,  /* functions without a name, or with an uncertain one */
	/*
	 * No source lines, usually because there is no debug info. Only full lists print this
	 * class.
	 */
	CR_QUALITY_LINES,
	CR_QUALITY_OTHER, /* damage, and input that the reader skipped */
};

/* The class of a row, from its text. */
enum cr_quality_class cr_quality_class(const struct cr_quality *q);

/* A fact: its stacks contain the branches that were recorded with the samples. */
#define CR_FACT_BRANCH_HISTORY "branch history"

/*
 * Quality rows that other modules look up: user stacks with guessed callers, and stacks whose
 * callers could be guessed.
 */
#define CR_QUALITY_GUESSED "user stacks with guessed callers"
#define CR_QUALITY_COULD_GUESS "user stacks whose callers --guess-callers would guess"

/*
 * The absolute address of a node's location in sample `row`. The location's own address if it needs
 * no mapping or none is found. 0 for the root.
 */
uint64_t cr_profile_ip(const struct cr_profile *p, uint64_t row, uint32_t node);

/* The mapping that contains an absolute address in sample `row`; NULL if none is known. */
const struct cr_map *cr_profile_map_at(const struct cr_profile *p, uint64_t row, uint64_t addr);

/* Free the profile and everything it points at, and close its origin. NULL is allowed. */
void cr_profile_free(struct cr_profile *p);

#endif
