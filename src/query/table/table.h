#ifndef CR_QUERY_TABLE_TABLE_H
#define CR_QUERY_TABLE_TABLE_H

#include "base/err.h"
#include "query/fold/fold.h"

/*
 * The costs of samples by a list of keys: a table with a row for each combination of their values.
 * Rows are distinguished as perf report distinguishes them; the keys have perf's names.
 *
 * Self is what was sampled in the code of the row. Total is what was sampled there or in anything
 * that it called. A sample counts once in a total, even if the row occurs several times on its
 * stack.
 */
enum cr_table_column {
	CR_TABLE_CHILDREN, /* share of total */
	CR_TABLE_SELF,
	CR_TABLE_KERNEL, /* part of self that was sampled in the kernel */
	CR_TABLE_USER,
	CR_TABLE_SAMPLES, /* of self */
	CR_TABLE_PERIOD,  /* self, in the event's unit */
	/* Shares of the latency, see cr_table_join(). */
	CR_TABLE_LATENCY_CHILDREN,
	CR_TABLE_LATENCY,
	/* Keys of samples: */
	CR_TABLE_COMM,
	CR_TABLE_THREAD, /* perf's "pid" key, which is the thread's number */
	CR_TABLE_PROCESS,
	CR_TABLE_CPU,
	CR_TABLE_EVENT,
	CR_TABLE_FIELD, /* the value of a field, or of a key of derived.h; several numbers: */
	CR_TABLE_FIELD_LAST = CR_TABLE_FIELD + CR_FOLD_FIELDS_MOST - 1,
	/* Keys of frames: */
	CR_TABLE_DSO, /* file of the dso, without directories; "[ext4]" for a module */
	CR_TABLE_SYM,
	CR_TABLE_SYMOFF,  /* the function, and the offset in it */
	CR_TABLE_SRCLINE, /* "file.c:12" without directory, or "function+0x1f" */
	CR_TABLE_SRCFILE,
	CR_TABLE_ADDR,        /* in the dso */
	CR_TABLE_SYMBOL_SIZE, /* needs CR_NEEDS_SIZES */
	CR_TABLE_DSO_SIZE,    /* of its mapping; needs CR_NEEDS_MAPS */
	/* Merged keys, see cr_table_by(): */
	CR_TABLE_FUNCTION, /* by name and path of the dso, whether inlined or not */
	CR_TABLE_DSO_PATH, /* by the path of the dso */
	CR_TABLE_GROUP,    /* what the stacks are grouped by: their outermost frame */
	CR_TABLE_COLUMNS
};

/* Maximum number of columns or keys of a table; each occurs once. */
#define CR_TABLE_MOST CR_TABLE_COLUMNS

#define CR_TABLE_FIELD_BYTES 256

/* True for a column with the value of a field: its number is key - CR_TABLE_FIELD. */
static inline bool
cr_table_is_field(unsigned key)
{
	return key >= CR_TABLE_FIELD && key <= CR_TABLE_FIELD_LAST;
}

struct cr_table_spec {
	uint8_t columns[CR_TABLE_MOST]; /* enum cr_table_column, in the order on the screen */
	/* Rows are sorted by these: costs descending, keys ascending. */
	uint8_t order[CR_TABLE_MOST];
	uint8_t keys[CR_TABLE_MOST]; /* the keys among columns and order, each once */
	uint32_t n_columns, n_order, n_keys;
	/* Names of the fields for CR_TABLE_FIELD and the following; keys may have an argument. */
	char fields[CR_FOLD_FIELDS_MOST][CR_TABLE_FIELD_BYTES];
	uint32_t n_fields;
	bool children;    /* totals are needed: they are a column, or rows are sorted by them */
	bool merged;      /* its only key is a merged key */
	bool whole_paths; /* source files are keys and values with their directories */
	/*
	 * How many rows will be shown, from the first; 0: all. The rows after them may have any
	 * order.
	 */
	uint32_t first;
};

/*
 * The table by one merged key (CR_TABLE_FUNCTION and later), for differences and for browsing. Such
 * a table needs no profile; its rows are made from the frames of any tree. They are sorted by self
 * of the last side, descending, then total, then name. The result is static.
 */
const struct cr_table_spec *cr_table_by(enum cr_table_column key);

/*
 * Parse the keys and columns of a table.
 *
 * - sort: keys, "comm,dso,sym", as of perf report -s; NULL if `fields` has the keys.
 * - fields: columns and keys, "overhead,sym", as of perf report -F. With a plus, "+period", they
 *   are added to the usual columns. NULL for the usual columns: the costs, then the keys of `sort`.
 * - children: put the share of total first; ignored if `fields` has no plus.
 *
 * A word that is not a key is the name of a field of the event, or a key of derived.h. Returns
 * CR_EUSAGE for more than CR_FOLD_FIELDS_MOST of them, and if there is no key.
 */
int cr_table_parse(const char *sort, const char *fields, bool children, struct cr_table_spec *out,
	struct cr_err *err);

/* Add a key behind the others, unless it is there. CR_EUSAGE if there are too many. */
int cr_table_add(struct cr_table_spec *spec, const char *key, struct cr_err *err);

/*
 * Give the key of derived.h among the fields an argument, unless it has one. CR_EUSAGE if the
 * argument is invalid or too long. Does nothing if the key is not among the fields.
 */
int cr_table_argue(
	struct cr_table_spec *spec, const char *key, const char *argument, struct cr_err *err);

/* The name of a field's column, without an argument; its heading. key: see cr_table_is_field(). */
const char *cr_table_field_name(const struct cr_table_spec *spec, uint8_t key);
const char *cr_table_field_head(const struct cr_table_spec *spec, uint8_t key);

/* The i-th word that cr_table_parse() knows, from 0 on; NULL if i is too large. */
const char *cr_table_word(size_t i);

/* The same for keys alone. */
const char *cr_table_key_word(size_t i);

/* Add a column of costs before the keys; does nothing if there is one already. */
void cr_table_show(struct cr_table_spec *spec, enum cr_table_column cost);

/* True if c is among the columns or the keys. */
bool cr_table_has(const struct cr_table_spec *spec, enum cr_table_column c);

/* The default keys for a profile: those of "comm,dso,sym" that are known for its samples. */
const char *cr_table_usual(const struct cr_profile *p);

/*
 * True if any code of the profile has no name, or if the profile has no default tree. Such code is
 * distinguished by address, and the default tree does not have addresses.
 */
bool cr_table_has_nameless(const struct cr_profile *p);

/*
 * True unless no frame has a caller: then total equals self. Without a default tree the profile is
 * assumed to have stacks.
 */
bool cr_table_has_stacks(const struct cr_profile *p);

/* Set the options of the fold that the keys of a table need. Does not change `outermost`. */
void cr_table_fold(
	const struct cr_profile *p, const struct cr_table_spec *spec, struct cr_fold_opts *out);

/* The value of a key in a row: the name of a comm, of a function ... */
struct cr_table_value {
	/* For a thread or process: its comm; for a function without a name: "". */
	struct cr_str text;
	struct cr_str dso; /* for a function: its dso */
	/*
	 * For a thread, process, cpu: its number; for a function: its start, 0 if unknown; for an
	 * address: the address; for a size: bytes.
	 */
	uint64_t number;
	uint8_t key;  /* enum cr_table_column */
	uint8_t kind; /* enum cr_kind */
	bool inlined;
	/* A function that is identified by its address; an unknown cpu, thread, process, size. */
	bool nameless;
};

/* The cost of a row on one side. */
struct cr_table_cost {
	uint64_t self, total, self_samples, total_samples;
	uint64_t kernel, user; /* parts of self; not set for merged keys */
};

struct cr_table_row {
	uint32_t group, code;       /* index of the values: see cr_table_value() */
	uint32_t depth;             /* depth of its outermost frame */
	bool inlined;               /* for CR_TABLE_FUNCTION: every node of the row is inlined */
	uint32_t was;               /* while rows are made */
	struct cr_table_cost *cost; /* of each side that the table has */
};

/* Maximum number of sides: those of a difference, or the events that stand side by side. */
#define CR_TABLE_SIDES 16

struct cr_table {
	const struct cr_table_spec *spec; /* borrowed */
	struct cr_table_row *rows;        /* in the spec's order; ties in the order of the keys */
	struct cr_table_cost *costs;      /* that the rows point to */
	uint32_t n, sides;
	uint32_t n_unmade; /* further rows, which were not made: they are none of spec->first */
	uint64_t whole[CR_TABLE_SIDES],
		whole_samples[CR_TABLE_SIDES]; /* total cost of `root`, see cr_tree_whole() */
	/* By node of the tree: its row, CR_NO_ROW if none; NULL for a merged key. */
	uint32_t *node_row;
	/* By frame: its row, CR_NO_ROW if none; NULL unless the key is merged. */
	uint32_t *frame_row;
	/*
	 * By row: its rank by text and dso, equal if both are equal; NULL unless the key is merged.
	 */
	uint32_t *name_rank;
	/* By row: its costs in another table; NULL if none was joined. See cr_table_join(). */
	struct cr_table_cost *joined;
	uint64_t joined_whole;
	uint64_t tree_whole; /* that of the costs in the tree, of the side `main` */
	uint32_t main;       /* see cr_table_beside(); otherwise 0 */
	bool beside;         /* the sides are events, sorted by the side `main` first */
	struct cr_table_value *values;
	/*
	 * Values of the keys of samples and of the keys of frames: n_group_keys for each row.group,
	 * n_code_keys for each row.code.
	 */
	uint32_t *groups, *codes;
	uint32_t n_group_keys, n_code_keys;
	uint32_t *code_frame; /* see cr_table_frame() */
	struct cr_arena texts;
};

/*
 * Make the rows of the subtree of `root`; 0 is the whole tree. t has one or two sides, and may be
 * transformed; the table borrows its names. Unless the key is merged, t must have been folded with
 * the options of cr_table_fold(). p has the comms of threads, and may be NULL for a merged key.
 * Time grows linearly with the nodes, and with the rows for sorting them. Free the table with
 * cr_table_fini().
 */
void cr_table_make(const struct cr_profile *p, const struct cr_tree *t, uint32_t root,
	const struct cr_table_spec *spec, struct cr_table *out);
void cr_table_fini(struct cr_table *h);

/*
 * Join two tables of one side and equal keys, of the same samples with two kinds of weights: costs
 * and latencies. The rows of `other` are looked up by their values. The order of the rows and
 * tree_whole remain those of h. If h has the latencies, `swap` gives its rows the costs of `other`,
 * and joins its own.
 */
void cr_table_join(struct cr_table *h, const struct cr_table *other, bool swap);

/*
 * The spec of one of the two tables: that of latencies, or that of costs. Returns true if the rows
 * of `spec` are sorted by a cost of this table first.
 */
bool cr_table_part(const struct cr_table_spec *spec, bool latency, struct cr_table_spec *out);

/*
 * Put n tables of one side, with the same keys, side by side, at most CR_TABLE_SIDES. The result
 * has parts[i] as its side i, and a row for each combination of values that any part has. Rows are
 * sorted by the costs of the side `main` before those of the others. t is the tree that parts[main]
 * was made from; NULL if it was made of sums. node_row and cr_table_frame() refer to this tree; a
 * row that the side does not have has frame 0. The result borrows the texts of the parts.
 */
void cr_table_beside(const struct cr_table *parts, uint32_t n, uint32_t main,
	const struct cr_table_spec *spec, const struct cr_tree *t, struct cr_table *out);

/* The value of a key in row i. `key` must be a key of the table. */
const struct cr_table_value *cr_table_value(
	const struct cr_table *h, uint32_t i, enum cr_table_column key);

/* A frame of the tree with the row's values of the keys of frames; 0 if none. */
uint32_t cr_table_frame(const struct cr_table *h, uint32_t row);

/* Which rows of a table are shown, by their functions; all zero bytes: all. Without levels only. */
struct cr_table_rows {
	bool wanted;       /* names, part or resolved are set */
	const char *names; /* separated by commas; NULL: any */
	const char *part;  /* of the name; NULL: any */
	bool resolved;     /* functions with a name */
	bool parents;      /* those whose key "parent" has a match */
};

/* True if a row is one of these. */
bool cr_table_row_shown(const struct cr_table *h, uint32_t row, const struct cr_table_rows *only);

/* Compare by number or by text, depending on the key; unknown values are last. */
int cr_table_value_cmp(const struct cr_table_value *a, const struct cr_table_value *b);

/* Sort orders of rows of a merged key. */
enum cr_table_sort {
	CR_SORT_SELF,
	CR_SORT_TOTAL,
	CR_SORT_NAME,
	CR_SORT_DSO,
	CR_SORT_DELTA_SELF,
	CR_SORT_DELTA_TOTAL,
	CR_SORTS
};

/* The word for a sort order: "self", "delta-total" ... */
const char *cr_table_sort_name(enum cr_table_sort s);

/*
 * Fill `order`, which has room for n rows, with the rows 0 to n - 1, sorted. Costs descend (with
 * two sides, those of the second), changes descend by absolute value, names ascend. `reverse` turns
 * the order round. Ties are always by name, then dso; ties of self cost by falling total first, as
 * cr_table_make() has them.
 */
void cr_table_order(
	const struct cr_table *h, enum cr_table_sort sort, bool reverse, uint32_t *order);

/* The change of a row's share, in millionths: share on the second side minus share on the first. */
int32_t cr_table_delta_self_ppm(const struct cr_table *h, uint32_t row);
int32_t cr_table_delta_total_ppm(const struct cr_table *h, uint32_t row);

/* True for code of the kernel, its modules and BPF programs, as far as known. */
bool cr_table_in_kernel(uint8_t kind, uint64_t addr);

#endif
