#ifndef CR_MODEL_PROFILE_H
#define CR_MODEL_PROFILE_H

#include "base/access.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The model: one finished, immutable profile. Tables are columns; a row number is an id.
 *
 *	samples ─► task ─► space (whose address space)
 *	   │
 *	   ├────► node (location tree: parent, location) ─► location ─► lines ─► function ─► dso
 *	   └────► fields (what else its event's samples carry: a column each)
 *
 * Everything a profile points at lives as long as it and is freed by cr_profile_free(). Row 0
 * of nodes is the root (the empty stack); row 0 of dsos and functions is "unknown".
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
	CR_KIND_UNKNOWN, /* address in no mapping, or a name without a dso */
	CR_KIND_USER,
	CR_KIND_KERNEL,
	CR_KIND_MODULE, /* kernel module */
	CR_KIND_VDSO,
	CR_KIND_JIT, /* named by a perf map or a jitdump */
	CR_KIND_BPF,
	CR_KIND_GROUP, /* no code: a comm, pid or tid that frames are grouped under */
	CR_KINDS
};

const char *cr_kind_name(enum cr_kind kind); /* "user", "kernel", ... */

/* Code that runs in the kernel. */
static inline bool
cr_kind_is_kernel(uint8_t kind)
{
	return kind == CR_KIND_KERNEL || kind == CR_KIND_MODULE || kind == CR_KIND_BPF;
}

struct cr_dso {
	struct cr_str name; /* path or short name as the recording has it: "/usr/bin/x",
			       "[kernel.kallsyms]" */
	uint8_t build_id[20];
	uint8_t build_id_len; /* 0 when not known */
	uint8_t kind;         /* enum cr_kind */
};

/*
 * The short name of a dso, which tables of dsos show, as perf report has it: the name of its
 * file; "[nf_tables]" for the file of a kernel module, "nf-tables.ko.xz"; "[JIT] tid 12" for code
 * that the perf map of process 12 names,
 * "/tmp/perf-12.map". A part of `dso`, or made in *made, which is cleared and must live as long.
 */
struct cr_str cr_dso_name(struct cr_str dso, enum cr_kind kind, struct cr_text *made);

struct cr_function {
	struct cr_str name;    /* demangled; "" means no name was found: show the dso */
	struct cr_str linkage; /* as in the symbol table; "" when the same as name */
	struct cr_str file;    /* source file; "" when not known */
	uint32_t line;         /* first line; 0 when not known */
	cr_dso_id dso;
	uint64_t addr; /* start, in the dso's addresses; 0 in text formats; or CR_ADDR_INLINED */
};

/*
 * The start of a function that has none, since it was inlined: a row of its own, whether or not
 * there is a copy that is called. Only lines other than the last of their location have such
 * functions.
 */
#define CR_ADDR_INLINED UINT64_MAX

/*
 * An address in a dso. For user dsos it is the file offset (ip - map.start + map.pgoff), and
 * so it is for JIT code that a dump has or that is mapped from a memfd; for the kernel, other JIT
 * code and what lies in no mapping it is the absolute address.
 *
 * Text formats name the function themselves. There it is the offset in that function, 0 where the
 * text has none, and of a frame without a name the absolute address.
 *
 * A return address is not where the call was: that is before it, and may be of another line. What
 * recordings have as return addresses is marked, CR_ORDINAL_RETURN, so that lines and inlined
 * functions are those of the byte before. Frames that were unwound are there already and are not
 * marked.
 */
#define CR_ORDINAL_RETURN 0x8000u

struct cr_location {
	uint64_t addr;
	cr_dso_id dso;
	uint32_t first_line; /* row of lines: the innermost inlined function; the others follow */
	uint16_t lines;      /* how many; at least 1 */
	uint16_t ordinal;    /* which of the mappings of the same bytes in the same space, mostly 0;
				and CR_ORDINAL_RETURN */
};

struct cr_line {
	cr_function_id function;
	uint32_t line; /* source line of the address or of the call; 0 when not known */
	struct cr_str
		file; /* where that line is; "" when it is the function's file, or not known */
};

struct cr_event {
	struct cr_str name; /* "cycles:u" */
	struct cr_str
		unit; /* of the weights: "samples", "ns", "cycles", "bytes"; "" when not known */
	uint64_t samples; /* how many rows of the samples have it */
	uint64_t weight;  /* their sum, saturating */
};

/* A thread under one name and in one address space; a new row when either changes. */
struct cr_task {
	int32_t pid; /* -1 when not known */
	int32_t tid;
	struct cr_str comm;
	cr_address_space_id space;
};

/*
 * A mapping, alive for the samples born <= row < died. Needed to tell a sample's absolute
 * addresses: map of (space, dso) that holds the location's address.
 */
struct cr_map {
	uint64_t start, end; /* absolute, [start, end) */
	uint64_t pgoff;      /* dso address of start */
	uint64_t born, died; /* rows of the samples */
	cr_address_space_id space;
	cr_dso_id dso;
};

/*
 * What a sample's cpu is when it was not recorded, and when it was, but as one that cannot be: -1.
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
 * The tables that a stored profile reads only on request, a bit each; the columns are 1 << enum
 * cr_sample_column.
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
	CR_NEEDS_CODE = CR_NEEDS_FIELDS << 3, /* codes and source lines */
	CR_NEEDS_ALL = (CR_NEEDS_CODE << 1) - 1,
};

/*
 * A run of rows, and the least and the most of each column in it. They come from the file and are
 * no more than a hint until the run's rows of that column were read (`here`): then they are exact.
 * A profile that was not stored has no zones.
 */
struct cr_sample_zone {
	uint64_t first; /* row; the run ends where the next one begins, the last at n */
	uint64_t least[CR_SAMPLE_COLUMNS],
		most[CR_SAMPLE_COLUMNS]; /* as the columns have them: a time of 0 is none */
	unsigned here;                   /* bits by enum cr_sample_column: its rows were read, see
					    cr_store_fetch_zones() */
	unsigned open; /* bits by enum cr_sample_column: least and most are not known, so 0 and
			  UINT64_MAX */
};

/*
 * Columns of the samples, in the order of delivery. cpu may be CR_CPU_NONE and such. time 0: none.
 * Of a stored profile the columns that were not asked for are NULL: columns.h has checked access to
 * them.
 */
struct cr_samples {
	uint64_t n;
	const uint64_t *time_ns;
	const uint64_t *weight;
	const uint32_t *task;
	const uint32_t *node;
	const uint16_t *cpu;
	const uint16_t *event;
	unsigned
		filed; /* bits by enum cr_sample_column: it lies in a file, see cr_samples_done() */
	const struct cr_sample_zone
		*zones; /* in the order of the rows, n_zones; NULL where they are not known */
	uint32_t n_zones;
};

size_t cr_sample_column_bytes(enum cr_sample_column c); /* of an item */

/*
 * The rows [from, to) are not needed soon. To be called now and then by what goes over all of
 * them, so that a long recording need not be in memory whole.
 */
void cr_samples_done(const struct cr_samples *s, uint64_t from, uint64_t to);

/* What the values of a field are, and how they are shown. */
enum cr_form {
	CR_FORM_NUMBER, /* unsigned, decimal */
	CR_FORM_SIGNED, /* an int64_t's bits */
	CR_FORM_HEX,    /* unsigned, 0x...: addresses, flags */
	CR_FORM_TEXT,   /* a row of the profile's texts */
	CR_FORMS
};

/*
 * The value of a sample that has none. A value that happens to be the same cannot be told from it:
 * 2^64-1, or the least int64_t, which no counter and no mapped address is.
 */
static inline uint64_t
cr_form_none(enum cr_form form)
{
	return form == CR_FORM_SIGNED ? (uint64_t)INT64_MIN : UINT64_MAX;
}

/*
 * Addresses of the kernel's code, and what is shown in the place of one. Not stored: their names
 * are.
 */
enum cr_code_form {
	CR_CODE_NONE,   /* the values are something else */
	CR_CODE_NAME,   /* the function: "tick_sched_timer" */
	CR_CODE_OFFSET, /* "kfree+0x1f" */
};

/*
 * What the samples of one event carry beyond the columns above: "addr", "data_src", "prev_comm".
 * value[k] is that of the event's k-th sample in the order of delivery, cr_form_none() where the
 * sample lacks it.
 */
struct cr_field {
	struct cr_str name; /* no other field of the event has both name and form of this one */
	cr_event_id event;
	uint8_t form;          /* enum cr_form */
	uint8_t code;          /* enum cr_code_form, until cr_fields_name_code() */
	uint32_t distinct;     /* how many different texts; 0 in the other forms */
	uint64_t have;         /* samples that have it; at least 1 */
	uint64_t least, most;  /* of their values, as the form compares them; 0 of texts */
	uint64_t n;            /* the event's samples */
	const uint64_t *value; /* NULL in a store that was opened without */
};

/* What the recording does not say as well as it might; every surface shows it in a line. */
struct cr_quality {
	struct cr_str what; /* "unknown records", "lost events", "damaged: ends at offset 123" */
	uint64_t count;
};

struct cr_fact {
	struct cr_str
		key; /* "hostname", "osrelease", "arch", "cmdline", "date", "duration_ns" ... */
	struct cr_str value; /* one that ends in '\n' is lines, safe to print */
};

/*
 * What a function's instructions are, so that what each of them costs can be told where its binary
 * is not: of functions that cost much. Bytes as they ran, as far as they are known: of a file they
 * are the file's.
 */
struct cr_machine_code {
	cr_function_id function;
	uint64_t addr; /* of the first byte, in the dso's addresses */
	/*
	 * The same byte's address as a disassembler shows it: of an ELF file the virtual one. Bit 0
	 * is set of ARM's Thumb code.
	 */
	uint64_t base;
	struct cr_str bytes;
	uint16_t machine; /* ELF's: 62 is x86-64, 183 aarch64 ... */
	uint8_t bits;     /* of an address: 32 or 64 */
	uint8_t big_endian;
};

/* A line of a source file, without its line end. */
struct cr_source_line {
	struct cr_str file; /* as lines and functions have it */
	uint32_t line;      /* from 1 on */
	struct cr_str text;
};

enum cr_profile_flags {
	CR_PROFILE_HAS_TIME = 1,
	CR_PROFILE_HAS_CPU = 2,
	CR_PROFILE_HAS_TASK = 4, /* pid, tid and comm mean something */
	CR_PROFILE_HAS_ADDR = 8, /* locations have addresses */
	CR_PROFILE_HAS_SAMPLES =
		16,              /* those of the samples' columns that were asked for are here */
	CR_PROFILE_IN_PART = 32, /* the input was damaged or cut: see quality */
	CR_PROFILE_NO_COMM_ROOT =
		64, /* there are tasks, but stacks are not grouped by their comms */
	CR_PROFILE_SYMBOL_NAMES =
		128, /* functions bear names as symbol tables have them, argument lists and all */
	CR_PROFILE_FOLDED_NAMES =
		256, /* and these as folded stacks have them: see cr_function_as_is() */
	CR_PROFILE_ADDED_UP = 512, /* a text of stacks with counts: rows are sums, nobody knows of
				      how many samples */
};

struct cr_profile {
	uint32_t flags; /* enum cr_profile_flags */
	uint32_t n_dsos, n_functions, n_locations, n_lines, n_nodes, n_events, n_tasks, n_maps,
		n_spaces;
	uint32_t n_quality, n_facts, n_fields, n_texts, n_codes, n_source_lines;
	const struct cr_dso *dsos;
	const struct cr_function *functions;
	const struct cr_location *locations;
	const struct cr_line *lines;
	/*
	 * The location tree in preorder: parents come first, the subtree of n is [n, node_end[n]).
	 */
	const uint32_t *node_parent;   /* node_parent[0] is 0 */
	const uint32_t *node_location; /* node_location[0] means nothing */
	const uint32_t *node_end;
	const struct cr_event *events;
	const uint8_t
		*event_roles; /* by event, from cr_event_find_roles(); NULL: found at each call */
	const struct cr_task *tasks;
	const struct cr_map *maps; /* by space, then start, then born */
	const struct cr_quality *quality;
	const struct cr_fact *facts;
	struct cr_samples samples;
	const struct cr_field *fields;             /* by event, then in the reader's order */
	const struct cr_str *texts;                /* what fields of CR_FORM_TEXT are rows of */
	const struct cr_machine_code *codes;       /* by function, then address */
	const struct cr_source_line *source_lines; /* by file, then line */
	/* The default view; NULL until cr_default_tree_make(), see default_tree.h. */
	const struct cr_default_tree *default_tree;
	struct cr_access access; /* who may read what it was read from */

	unsigned not_read; /* bits of enum cr_needs: they are stored and were not read, or not whole
			    */
	struct cr_origin *origin; /* where more of it can be read, see cr_store_fetch(); NULL: it is
				     all here */
	struct cr_arena arena;    /* everything above but for the origin */
};

/* What a profile was read from, and keeps open: goes with it. */
struct cr_origin {
	void (*close)(struct cr_origin *o);
};

/* The input did not say what its counts are of. */
static inline bool
cr_unit_is_unknown(struct cr_str unit)
{
	return cr_str_eq(unit, CR_STR("weight"));
}

/*
 * True if the rows of an event with this unit are stacks whose counts the input had added up, not
 * samples.
 */
static inline bool
cr_rows_are_stacks(const struct cr_profile *p, struct cr_str unit)
{
	const bool added_up =
		(p->flags & (CR_PROFILE_ADDED_UP | CR_PROFILE_HAS_TIME)) == CR_PROFILE_ADDED_UP;

	return cr_unit_is_unknown(unit) || (added_up && !cr_str_eq(unit, CR_STR("samples")));
}

/*
 * The weights of this event are numbers of samples: so are they in formats that were added up
 * already.
 */
bool cr_event_counts_samples(const struct cr_event *e);

/*
 * Its samples are sums already, as those of text formats without times are, where a stack comes
 * once for all that fell on it: what it costs is told by its weight, and how many there are says
 * nothing. In a merge with others the fact "summed events" names them.
 */
bool cr_event_is_summed(const struct cr_profile *p, cr_event_id event);

/*
 * The event that is looked at when nobody says which: the one that the fact "main event" names,
 * else of those recorded the one with the most samples. Row 0 when there are none.
 */
cr_event_id cr_event_main(const struct cr_profile *p);

/*
 * No record is a sample of this event: it was worked out from others ("off-cpu"). The fact "derived
 * events" has its name.
 */
bool cr_event_is_derived(const struct cr_profile *p, cr_event_id event);

/*
 * An event that is the sum of others has no rows of its own: theirs are its. There is at most one,
 * "wall": what a thread spent on a CPU and off it. The fact of its name has their names, with " + "
 * between.
 */
bool cr_event_is_sum(const struct cr_profile *p, cr_event_id event);

/*
 * Find out once which events are summed, derived, a sum or a part of it, for a profile whose events
 * and facts come from a file: both may be many. To be called before the four functions around here,
 * and again when facts have changed.
 */
void cr_event_find_roles(struct cr_profile *p);

/*
 * Is a sample of `had` one of `asked`? So is a sample of an event itself, and one of a part of a
 * sum.
 */
bool cr_event_includes(const struct cr_profile *p, cr_event_id asked, cr_event_id had);

/* How many samples of an event were taken: its rows, or what they count. */
uint64_t cr_event_samples(const struct cr_event *e);

/*
 * How a function's name goes into folded stacks. From folded stacks it came as it is, blanks around
 * it and all, and one that is called "-" though it is no mark between parts of a stack came without
 * any name.
 */
enum cr_as_is {
	CR_AS_TIDY, /* without blanks around it */
	CR_AS_IS,
	CR_AS_EMPTY,
};

enum cr_as_is cr_function_as_is(const struct cr_profile *p, const struct cr_function *f);

/*
 * Where a line is: its own file, else its function's; "" when the line is not known, or its file.
 */
struct cr_str cr_line_file(const struct cr_profile *p, const struct cr_line *line);

/* Do stacks stand under the comms of their tasks? */
static inline bool
cr_profile_by_comm(const struct cr_profile *p)
{
	return (p->flags & (CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT)) == CR_PROFILE_HAS_TASK;
}

/* The value of a fact; an empty string when there is none. */
struct cr_str cr_profile_fact(const struct cr_profile *p, const char *key);

/*
 * What a user said of a profile: the fact "note", and tags, whose keys begin so. Is this one, and
 * which? key is what stands behind it.
 */
#define CR_FACT_TAG "tag."
bool cr_fact_tag(const struct cr_fact *f, struct cr_str *key);

/*
 * Facts for people, appended: "duration: 19.6 s", a line each, indented by so many blanks, names
 * made safe. A fact of several lines has them under its key, further in. The main ones say what
 * was recorded, where and how, in a fixed order; the rest are all others, but for the program's
 * own business.
 */
void cr_facts_main(const struct cr_profile *p, size_t indent, struct cr_text *out);
void cr_facts_rest(const struct cr_profile *p, size_t indent, struct cr_text *out);

/* What a row of the quality is about, by how it begins. */
enum cr_quality_class {
	CR_QUALITY_LOST,   /* the recorder could not keep up, or was kept from it */
	CR_QUALITY_STACKS, /* stacks that were unwound, and are not all that was there */
	CR_QUALITY_NAMES,  /* functions without a name, or with one that nothing vouches for */
	CR_QUALITY_LINES, /* no source lines: mostly there is no debug info, so only full lists have
			     it */
	CR_QUALITY_OTHER, /* damage, and what the reader passed over */
};

enum cr_quality_class cr_quality_class(const struct cr_quality *q);

/*
 * Rows that more than their writer knows: user stacks with callers that were guessed, and where
 * they might be.
 */
#define CR_QUALITY_GUESSED "user stacks with guessed callers"
#define CR_QUALITY_COULD_GUESS "user stacks whose callers --guess-callers would guess"

/*
 * The absolute address of a node's location as sample `row` saw it; the location's own address
 * where no mapping is needed or none is found. 0 for the root.
 */
uint64_t cr_profile_ip(const struct cr_profile *p, uint64_t row, uint32_t node);

void cr_profile_free(struct cr_profile *p);

#endif
