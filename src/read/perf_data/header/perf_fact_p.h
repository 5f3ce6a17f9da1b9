#ifndef CR_READ_PERF_DATA_HEADER_PERF_FACT_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_FACT_P_H

#include "bytes/cursor.h"
#include "model/build/builder.h"

/*
 * For whatever decodes a payload. A fact of several lines ends each of them with '\n'; names in
 * it are made safe, so that none of them can start a line. No fact is longer than a few MiB: the
 * loops that make one ask cr_perf_fact_room(), and cr_perf_fact_put() marks the one that was cut.
 */
struct cr_str cr_perf_feature_string(struct cr_cursor *c);
bool cr_perf_fact_room(const struct cr_text *t);
void cr_perf_fact_put(struct cr_builder *b, const char *key,
	struct cr_text *t); /* nothing if t is empty; t is empty then */
void cr_perf_fact_u64(struct cr_builder *b, const char *key, uint64_t v);

/*
 * Append item, on the same line as long as it is not too long; several lines make a fact of lines.
 */
void cr_perf_fact_pack(struct cr_text *t, struct cr_str item);
void cr_perf_fact_pack_end(struct cr_text *t);

/* Numbers in rising order as "0-23,32-199". to_text is where it goes; the rest is its own. */
struct perf_ranges {
	struct cr_text *to_text;
	uint64_t from, to;
	bool any, open;
};

void cr_perf_ranges_add(struct perf_ranges *r, uint64_t from, uint64_t to);
void cr_perf_ranges_end(struct perf_ranges *r);

#endif
