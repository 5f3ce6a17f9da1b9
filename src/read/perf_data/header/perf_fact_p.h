#ifndef CR_READ_PERF_DATA_HEADER_PERF_FACT_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_FACT_P_H

#include "bytes/cursor.h"
#include "model/build/builder.h"

/*
 * Helpers for decoding feature payloads. A fact of several lines ends each with '\n'; names in it
 * are made safe, so that no name can start a line. Facts are limited to a few MiB: loops that build
 * one check cr_perf_fact_room(), and cr_perf_fact_put() marks a truncated one.
 */
struct cr_str cr_perf_feature_string(struct cr_cursor *c);
bool cr_perf_fact_room(const struct cr_text *t);
/* Adds the text as a fact, unless it is empty; t is empty then. */
void cr_perf_fact_put(struct cr_builder *b, const char *key, struct cr_text *t);
void cr_perf_fact_u64(struct cr_builder *b, const char *key, uint64_t v);

/*
 * Append an item, on the same line if it is not too long; several lines become a fact of lines.
 * _end() ends the last line.
 */
void cr_perf_fact_pack(struct cr_text *t, struct cr_str item);
void cr_perf_fact_pack_end(struct cr_text *t);

/* Writes rising numbers as "0-23,32-199" to to_text; the other members are private. */
struct perf_ranges {
	struct cr_text *to_text;
	uint64_t from, to;
	bool any, open;
};

/* Add the numbers from `from` to `to`, both included. _end() writes the last range. */
void cr_perf_ranges_add(struct perf_ranges *r, uint64_t from, uint64_t to);
void cr_perf_ranges_end(struct perf_ranges *r);

#endif
