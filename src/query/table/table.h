#ifndef CR_QUERY_TABLE_TABLE_H
#define CR_QUERY_TABLE_TABLE_H

#include "base/err.h"
#include "query/fold/fold.h"

/*
 * What stacks cost by any list of keys: a row for each combination of their values. Rows are told
 * apart as perf report tells them, whose names the keys have.
 *
 * Self is what was sampled there, total what was sampled there or in anything that it called. A
 * sample counts once in a total, however often the row is met on its stack.
 */
enum cr_table_column {
	CR_TABLE_CHILDREN, /* share of total */
	CR_TABLE_SELF,
	CR_TABLE_KERNEL, /* part of self that was sampled in the kernel */
	CR_TABLE_USER,
	CR_TABLE_SAMPLES, /* of self */
	CR_TABLE_PERIOD,  /* self, in the event's unit */
	/* of the sample: */
	CR_TABLE_COMM,
	CR_TABLE_THREAD, /* perf's "pid", which is the thread's */
	CR_TABLE_PROCESS,
	CR_TABLE_CPU,
	CR_TABLE_EVENT,
	CR_TABLE_FIELD, /* the value of a field */
	/* of a frame: */
	CR_TABLE_DSO, /* the dso's file, without directories; "[ext4]" of a module */
	CR_TABLE_SYM,
	CR_TABLE_SRCLINE, /* "file.c:12" without directory, or "function+0x1f" */
	CR_TABLE_SRCFILE,
	CR_TABLE_ADDR, /* in the dso */
	/* Merged keys, see cr_table_by(): */
	CR_TABLE_FUNCTION, /* by name and path of the dso, inlined or not */
	CR_TABLE_DSO_PATH, /* by the path of the dso */
	CR_TABLE_GROUP,    /* what the stacks are grouped by: the outermost frame */
	CR_TABLE_COLUMNS
};

#define CR_TABLE_MOST CR_TABLE_COLUMNS /* columns and keys of a table, each once */

struct cr_table_spec {
	uint8_t columns[CR_TABLE_MOST]; /* enum cr_table_column, as they are shown */
	uint8_t order[CR_TABLE_MOST];   /* rows are in the order of these: costs fall, keys rise */
	uint8_t keys[CR_TABLE_MOST];    /* those of columns and order that are keys, each once */
	uint32_t n_columns, n_order, n_keys;
	char field[64]; /* of CR_TABLE_FIELD; "" for none */
	bool children;  /* totals were asked for: they are shown, or decide the order */
	bool merged;    /* its one key is a merged one */
};

/*
 * The table by one merged key, from CR_TABLE_FUNCTION on: for a difference, or for browsing. Its
 * rows need no profile, are made of the frames of any tree, and are sorted by falling self of the
 * last side, then total, then name.
 */
const struct cr_table_spec *cr_table_by(enum cr_table_column key);

/*
 * sort    "comm,dso,sym", as perf report -s; NULL: that
 * fields  "overhead,sym", as perf report -F; NULL: costs, then the keys of sort; "+period": these,
 * and more children  shown first, if fields is NULL A word that is no key is the name of a field
 * of the event. CR_EUSAGE for more than one of these, and for lists without a key.
 */
int cr_table_parse(const char *sort, const char *fields, bool children, struct cr_table_spec *out,
	struct cr_err *err);

/* The words that cr_table_parse() knows, from 0 on; NULL past the last. */
const char *cr_table_word(size_t i);

/* One more column before the keys: a cost. Nothing if it is there. */
void cr_table_show(struct cr_table_spec *spec, enum cr_table_column cost);

/* Is it among the columns or the keys? */
bool cr_table_has(const struct cr_table_spec *spec, enum cr_table_column c);

/* The keys that say something of p when nobody chooses: of "comm,dso,sym" those that it knows. */
const char *cr_table_usual(const struct cr_profile *p);

/* Is any code without a name? It is told apart by addresses, which the default tree has not. */
bool cr_table_has_nameless(const struct cr_profile *p);

/* The fold that has what the keys need, and no more. `outermost` stays as it is. */
void cr_table_fold(
	const struct cr_profile *p, const struct cr_table_spec *spec, struct cr_fold_opts *out);

/* What a row has in a key: the name of a comm, of a function ... */
struct cr_table_value {
	struct cr_str text; /* of a thread or process its comm; of a function without a name "" */
	struct cr_str dso;  /* of functions, their dso */
	uint64_t number;    /* of a thread, process, cpu: that; where a function begins, 0 if not
				 known; an address */
	uint8_t key;        /* enum cr_table_column */
	uint8_t kind;       /* enum cr_kind */
	bool inlined;
	bool nameless; /* a function that is told by its address; a cpu, thread or process that is
			  not known */
};

/* What a row costs on one side. */
struct cr_table_cost {
	uint64_t self, total, self_samples, total_samples;
	uint64_t kernel, user; /* of self; not of merged keys */
};

struct cr_table_row {
	uint32_t group, code;       /* which values: see cr_table_value() */
	uint32_t depth;             /* of its outermost frame */
	bool inlined;               /* of CR_TABLE_FUNCTION: every node of the row is inlined */
	uint32_t was;               /* while rows are made */
	struct cr_table_cost *cost; /* of each side that the table has */
};

struct cr_table {
	const struct cr_table_spec *spec; /* borrowed */
	struct cr_table_row *rows;        /* in the spec's order; ties as the keys are */
	struct cr_table_cost *costs;      /* that the rows point to */
	uint32_t n, sides;
	uint64_t whole[CR_SIDES], whole_samples[CR_SIDES]; /* of `root` */
	uint32_t *node_row;  /* by node of the tree: its row, CR_NO_ROW for none; NULL if merged */
	uint32_t *frame_row; /* by frame: its row, CR_NO_ROW for none; NULL unless merged */
	struct cr_table_value *values;
	uint32_t *groups, *codes; /* values of the keys of samples, and of frames: so many a row's
				     group, code */
	uint32_t n_group_keys, n_code_keys;
	uint32_t *code_frame; /* see cr_table_frame() */
	struct cr_arena texts;
};

/*
 * The rows of the subtree of `root` (0: all). t has one side or two, was folded as cr_table_fold()
 * says unless the key is a merged one, and may have been transformed; its names are borrowed. p has
 * the comms of threads; it may be NULL for a merged key. Time grows with the nodes, and with rows
 * for their sorting.
 */
void cr_table_make(const struct cr_profile *p, const struct cr_tree *t, uint32_t root,
	const struct cr_table_spec *spec, struct cr_table *out);
void cr_table_fini(struct cr_table *h);

/* What row i has in a column that is a key. */
const struct cr_table_value *cr_table_value(
	const struct cr_table *h, uint32_t i, enum cr_table_column key);

/* A frame of the tree that has the row's values in the keys of frames; 0 for none. */
uint32_t cr_table_frame(const struct cr_table *h, uint32_t row);

/* By number or text, as the key has it; what is not known last. */
int cr_table_value_cmp(const struct cr_table_value *a, const struct cr_table_value *b);

/* What rows of a merged key may be sorted by. */
enum cr_table_sort {
	CR_SORT_SELF,
	CR_SORT_TOTAL,
	CR_SORT_NAME,
	CR_SORT_DSO,
	CR_SORT_DELTA_SELF,
	CR_SORT_DELTA_TOTAL,
	CR_SORTS
};

const char *cr_table_sort_name(enum cr_table_sort s);

/*
 * Fill order with the rows 0 to n - 1, sorted: costs fall (with two sides those of the second),
 * changes fall by absolute value, names rise; reverse turns that round. Ties are by name, then
 * dso, either way.
 */
void cr_table_order(
	const struct cr_table *h, enum cr_table_sort sort, bool reverse, uint32_t *order);

/* Share after minus share before of a row, in millionths. */
int32_t cr_table_delta_self_ppm(const struct cr_table *h, uint32_t row);
int32_t cr_table_delta_total_ppm(const struct cr_table *h, uint32_t row);

/* Code of the kernel, as far as is known; its modules and BPF programs too. */
bool cr_table_in_kernel(uint8_t kind, uint64_t addr);

#endif
