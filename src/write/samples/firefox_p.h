#ifndef CR_WRITE_SAMPLES_FIREFOX_P_H
#define CR_WRITE_SAMPLES_FIREFOX_P_H

#include "base/hash.h"
#include "model/build/string_table.h"
#include "thread_samples_p.h"

/* Categories, which the viewer draws in their colours, with their first subcategory "Other". */
enum { CR_FIREFOX_OTHER, CR_FIREFOX_USER, CR_FIREFOX_KERNEL, CR_FIREFOX_JIT };

struct cr_firefox_function {
	uint32_t name;              /* strings */
	uint32_t library1, source1; /* + 1; 0: none */
};

struct cr_firefox {
	const struct cr_write_in *in;
	const struct cr_profile *p;
	const struct cr_tree *t;
	struct cr_thread_samples samples;
	struct cr_strings strings;   /* the file has each once */
	struct cr_strings libraries; /* dsos */
	struct cr_strings sources;   /* files */
	uint32_t *number1;           /* by frame of the tree: its row, + 1; 0: in no stack */
	CR_VEC(uint32_t) frames;     /* by row */
	CR_VEC(uint32_t) function;   /* by row: its function */
	CR_VEC(struct cr_firefox_function) functions;
	struct cr_index by_function;
	struct cr_strings ids; /* pid and tid of threads */
	struct cr_arena id_texts;
	CR_VEC(uint32_t) id_uses; /* by row of `ids` */
	uint64_t start_ns;        /* times in the file count from here */
	struct cr_text text;
	struct cr_json_out json;
	struct cr_sink *out;
	struct cr_err *err;
	int rc;
};

/* ---- firefox_tables.c: columns, and the tables that threads share */

/* After each value: pass a large text on. */
void cr_firefox_flush(struct cr_firefox *x);

/* Write a row of another table, + 1; 0 is `none`. */
void cr_firefox_put_row(struct cr_firefox *x, uint32_t row1);

/* Begin a table of n rows. */
void cr_firefox_open_table(struct cr_firefox *x, const char *key, uint64_t n);

/* Write the shared tables. Strings come last, when all of them are known. */
void cr_firefox_put_shared(struct cr_firefox *x);

#endif
