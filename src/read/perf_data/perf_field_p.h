#ifndef CR_READ_PERF_DATA_PERF_FIELD_P_H
#define CR_READ_PERF_DATA_PERF_FIELD_P_H

#include "base/hash.h"
#include "base/text.h"
#include "model/build/builder.h"
#include "perf_sample_p.h"
#include "perf_space_p.h"
#include "read/perf_data/tracepoints/perf_tracing_p.h"

/*
 * What else a sample has than goes into its columns: fields of the profile, an event's each.
 *
 *	addr, phys_addr, transaction                as numbers; 0 is none
 *	data_src                                    in words
 *	weight, ins_lat, retire_lat               the parts of WEIGHT_STRUCT; WEIGHT is weight alone
 *	data_page_size, code_page_size              bytes
 *	cgroup                                    its path where the recording tells it, else its id
 *	branches, mispredicted, branch_cycles       the branch stack in short
 *	fields of a tracepoint                      but for those that all of them have
 *
 * Registers and stacks are not among them, and neither are ids, which name the event and the
 * buffer that a sample came through.
 */
struct perf_cgroup {
	uint64_t id, text;
};

struct perf_field_ids; /* of one event; made with its first sample */

struct perf_fields {
	CR_VEC(struct perf_field_ids *) events; /* by event */
	CR_VEC(struct perf_cgroup) cgroups;
	struct cr_index cgroup_index;
	bool has_data_src;
	uint64_t data_src, data_src_text; /* the last one, and what became of it */
	struct cr_text text;              /* what a value is put together in */
};

bool cr_perf_field_wanted(const struct perf_attr *a);

/* The fields of the sample that was added last to the builder, spaces->b. */
void cr_perf_field_add(struct perf_fields *d, struct perf_spaces *spaces, const struct perf_attr *a,
	cr_event_id event, const struct perf_sample *s, const struct perf_sample_rest *rest);

/* A cgroup has this path from here on. */
void cr_perf_field_cgroup(
	struct perf_fields *d, struct cr_builder *b, uint64_t id, struct cr_str path);
void cr_perf_fields_fini(struct perf_fields *d);

#endif
