#ifndef CR_READ_PERF_DATA_HEADER_PERF_DESCRIBE_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_DESCRIBE_P_H

#include "perf_header_p.h"

/*
 * What an event is called, safe to print: the recording's name for it, else one made up. Appended.
 */
void cr_perf_attr_label(const struct perf_attr *a, struct cr_text *out);

/*
 * Everything that is set in an attr, in perf's words and order: "type = 1, size = 128,
 * { sample_period, sample_freq } = 999, sample_type = IP|TID, read_format = ID, disabled = 1".
 * What is zero is left out. Appended.
 */
void cr_perf_attr_describe(const struct perf_attr *a, struct cr_text *out);

/*
 * Facts of the events, once all of h's attrs, ids and names are known: "event attributes", a line
 * an event; "event groups", a line a group; "sampling" ("999 Hz", "every 100000"; none where
 * nothing is sampled); "call graph"
 * ("none", "frame pointers", "dwarf, 8192 bytes", "lbr", "deferred frame pointers"). Where events
 * differ, "sampling" and "call graph" have what each has that is not as the one before it,
 * separated by "; ".
 */
void cr_perf_attrs_facts(const struct perf_header *h, struct cr_builder *b);

#endif
