#ifndef CR_READ_PERF_DATA_HEADER_PERF_BPF_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_BPF_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "bytes/cursor.h"
#include "model/build/builder.h"

/*
 * The loaded BPF programs and the names of their functions. The names are in another feature (BTF,
 * the types), so either may come first. Sources: struct bpf_prog_info in linux/bpf.h, linux/btf.h
 * (Linux 6.1).
 */
struct perf_bpf {
	struct cr_cursor programs; /* payload of BPF_PROG_INFO, borrowed; empty until it was read */
	bool has_types;            /* the types were read; further payloads are ignored */
	CR_VEC(struct perf_bpf_type) types;
	struct cr_index type_index;
};

/*
 * Read BPF_PROG_INFO. Adds the fact "bpf programs", one line per function: name as in kallsyms,
 * address, size.
 */
void cr_perf_bpf_programs(struct cr_cursor *c, struct perf_bpf *bpf, struct cr_builder *b);
/*
 * Read BPF_BTF. Adds the fact "bpf types", the ids of the type tables, and "bpf programs" again,
 * with names.
 */
void cr_perf_bpf_types(struct cr_cursor *c, struct perf_bpf *bpf, struct cr_builder *b);
void cr_perf_bpf_fini(struct perf_bpf *bpf);

#endif
