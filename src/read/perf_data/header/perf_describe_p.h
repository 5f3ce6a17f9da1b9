#ifndef CR_READ_PERF_DATA_HEADER_PERF_DESCRIBE_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_DESCRIBE_P_H

#include "perf_header_p.h"

/* Append the name of an event, safe to print: the recorded one, otherwise a made-up one. */
void cr_perf_attr_label(const struct perf_attr *a, struct cr_text *out);

/*
 * Append all values of an attr that are not zero, in perf's words and order: "type = 1, size = 128,
 * { sample_period, sample_freq } = 999, sample_type = IP|TID, read_format = ID, disabled = 1".
 */
void cr_perf_attr_describe(const struct perf_attr *a, struct cr_text *out);

/*
 * Add facts about the events, when all attrs, ids and names of h are known:
 * - "event attributes", one line per event;
 * - "event groups", one line per group;
 * - "sampling": "999 Hz", "every 100000"; none if nothing is sampled;
 * - "call graph": "none", "frame pointers", "dwarf, 8192 bytes", "lbr", "deferred frame pointers".
 *
 * If events differ, "sampling" and "call graph" list each value that differs from the event before,
 * separated by "; ".
 */
void cr_perf_attrs_facts(const struct perf_header *h, struct cr_builder *b);

#endif
