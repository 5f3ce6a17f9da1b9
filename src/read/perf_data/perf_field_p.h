#ifndef CR_READ_PERF_DATA_PERF_FIELD_P_H
#define CR_READ_PERF_DATA_PERF_FIELD_P_H

#include "base/hash.h"
#include "base/text.h"
#include "model/build/builder.h"
#include "perf_sample_p.h"
#include "perf_space_p.h"
#include "read/perf_data/tracepoints/perf_tracing_p.h"

/*
 * Values of a sample that have no column of their own become fields of the profile, separately for
 * each event:
 *
 *	addr, phys_addr, transaction                as numbers; 0 is none
 *	data_src                                    in words
 *	weight, ins_lat, retire_lat               the parts of WEIGHT_STRUCT; WEIGHT is weight alone
 *	data_page_size, code_page_size              bytes
 *	cgroup                                    its path if the recording has it, otherwise its id
 *	cgroup_id                                 device and inode of the thread's cgroup namespace
 *	branches, mispredicted, branch_cycles       summary of the branch stack
 *	fields of a tracepoint                      except those that all tracepoints have
 *
 * Not included: registers, stacks, and ids, which only name the event and the buffer of a sample.
 */
struct perf_cgroup {
	uint64_t id, text;
};

struct perf_field_ids; /* fields of one event; created with its first sample */

struct perf_fields {
	CR_VEC(struct perf_field_ids *) events; /* by event */
	CR_VEC(struct perf_cgroup) cgroups;
	struct cr_index cgroup_index;
	bool has_data_src;
	uint64_t data_src, data_src_text; /* the last value, and its text */
	struct cr_text text;              /* scratch buffer */
	CR_VEC(cr_field_id) cgroup_ids;   /* by event: the field cgroup_id, UINT32_MAX if none */
};

/* True if samples of the attr have such values. */
bool cr_perf_field_wanted(const struct perf_attr *a);

/* Add the fields of the sample last added to the builder, spaces->b. */
void cr_perf_field_add(struct perf_fields *d, struct perf_spaces *spaces, const struct perf_attr *a,
	cr_event_id event, const struct perf_sample *s, const struct perf_sample_rest *rest);

/* Set the path of a cgroup from now on. */
void cr_perf_field_cgroup(
	struct perf_fields *d, struct cr_builder *b, uint64_t id, struct cr_str path);

/*
 * The text of a cgroup namespace, "4/0xf0000151": the value of the field cgroup_id. _put() sets
 * that field of the sample last added, of this event.
 */
uint64_t cr_perf_field_namespace(
	struct perf_fields *d, struct cr_builder *b, uint64_t device, uint64_t inode);
void cr_perf_field_namespace_put(
	struct perf_fields *d, struct cr_builder *b, cr_event_id event, uint64_t text);

void cr_perf_fields_fini(struct perf_fields *d);

#endif
