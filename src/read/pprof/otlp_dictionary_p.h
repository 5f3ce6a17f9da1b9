#ifndef CR_READ_PPROF_OTLP_DICTIONARY_P_H
#define CR_READ_PPROF_OTLP_DICTIONARY_P_H

#include "base/hash.h"
#include "bytes/otlp_fields.h"
#include "bytes/wire.h"
#include "mappings_p.h"
#include "read/kit/stacks_p.h"

/*
 * The dictionary of OpenTelemetry profiles (bytes/otlp_fields.h): where its items are, and what was
 * made from those that samples refer to, each once. Indices come from the file: any of them may
 * refer to nothing, which is reported and is the same as 0, "none".
 */
struct cr_otlp_item {
	const unsigned char *p; /* its bytes */
	uint32_t len;
	uint32_t made1; /* row made from it, + 1; 0 if none yet */
};

/* A value: a text, or a number. Other kinds are neither. */
struct cr_otlp_value {
	struct cr_str text; /* at most 4096 bytes; the rest is cut off */
	int64_t number;
	bool is_text, is_number;
};

struct cr_otlp_attribute {
	struct cr_str key; /* likewise */
	struct cr_otlp_value value;
};

typedef CR_VEC(struct cr_otlp_item) cr_otlp_items;
typedef CR_VEC(uint64_t) cr_otlp_numbers;

/* Set the first four; the rest is zero. End with cr_otlp_dictionary_fini(). */
struct cr_otlp_dictionary {
	struct cr_builder *b;
	struct cr_log *log;
	const unsigned char *p;   /* the input */
	struct cr_stacks *stacks; /* borrowed: frames of stacks are added to it */
	cr_otlp_items table[CR_OTLP_TABLES];
	CR_VEC(struct cr_mapping) mapping;          /* those created so far */
	CR_VEC(struct cr_otlp_attribute) attribute; /* those read so far */
	CR_VEC(struct cr_named) named;              /* lines of the current location */
	cr_otlp_numbers attributes, ids;            /* of the current mapping; of the stack */
};

/* Add the items of a dictionary; a file may have it in several parts. */
void cr_otlp_dictionary_read(struct cr_otlp_dictionary *d, struct cr_cursor c);
void cr_otlp_dictionary_fini(struct cr_otlp_dictionary *d);

/* Warn of damage at a place of the input; at NULL: of something that is missing. */
void cr_otlp_damaged(struct cr_otlp_dictionary *d, const char *kind, const unsigned char *at);

struct cr_str cr_otlp_string(struct cr_otlp_dictionary *d, uint64_t index); /* "" if none */

/* An attribute; NULL if there is none. Valid until the next one is read. */
const struct cr_otlp_attribute *cr_otlp_attribute(struct cr_otlp_dictionary *d, uint64_t index);

/* The node of a stack; that of an empty one if there is none. */
cr_node_id cr_otlp_stack(struct cr_otlp_dictionary *d, uint64_t index);

/* A message with a value, and bytes as a text of at most 4096. */
struct cr_otlp_value cr_otlp_value_read(struct cr_otlp_dictionary *d, struct cr_cursor c);
struct cr_str cr_otlp_text(const struct cr_cursor *bytes);

/* Append numbers, packed or one by one. Returns false if packed numbers are damaged. */
bool cr_otlp_numbers_read(cr_otlp_numbers *out, const struct cr_wire_field *f);

/*
 * As cr_wire_next(), but a message that the end of the input cuts off is what is there of it, and
 * the last one; c->bad is set.
 */
bool cr_otlp_next(struct cr_cursor *c, struct cr_wire_field *f);

#endif
