#ifndef CR_READ_PERF_DATA_HEADER_PERF_MACHINE_P_H
#define CR_READ_PERF_DATA_HEADER_PERF_MACHINE_P_H

#include "bytes/cursor.h"
#include "model/build/builder.h"

/*
 * The features that describe the recorded machine: processors, memory, caches. Each function reads
 * one payload to its end and adds facts; what many processors have in common is printed once. A
 * truncated payload keeps what came before and sets c->bad. Source: the writers in
 * tools/perf/util/header.c (Linux 6.1, and 7.3 for the scheduling domains), checked with real
 * files.
 */

/*
 * CPU_TOPOLOGY: "sibling sockets", "sibling dies", "sibling threads", "cpu ids". n_cpus: from
 * NRCPUS, 0 if unknown.
 */
void cr_perf_machine_cpus(struct cr_cursor *c, uint32_t n_cpus, struct cr_builder *b);
/* NUMA_TOPOLOGY: "numa nodes". */
void cr_perf_machine_numa(struct cr_cursor *c, struct cr_builder *b);
/* CACHE: "cpu caches", one line for all equal ones. */
void cr_perf_machine_caches(struct cr_cursor *c, struct cr_builder *b);
/* MEM_TOPOLOGY: "memory nodes". */
void cr_perf_machine_memory(struct cr_cursor *c, struct cr_builder *b);
/* HYBRID_TOPOLOGY: "hybrid cpus". */
void cr_perf_machine_hybrid(struct cr_cursor *c, struct cr_builder *b);
/* CPU_DOMAIN_INFO: "scheduling domains", one line for the processors that share one. */
void cr_perf_machine_domains(struct cr_cursor *c, struct cr_builder *b);

#endif
