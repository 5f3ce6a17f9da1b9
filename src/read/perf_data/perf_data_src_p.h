#ifndef CR_READ_PERF_DATA_PERF_DATA_SRC_P_H
#define CR_READ_PERF_DATA_PERF_DATA_SRC_P_H

#include "base/text.h"

#include <stdint.h>

/*
 * Append in words where the data of a memory access came from: "load, L1 hit, snoop none, TLB L1
 * hit". What the processor does not report is omitted; "not known" if it reports nothing. Source:
 * union perf_mem_data_src in linux/perf_event.h of Linux 6.18.
 */
void cr_perf_data_src_text(uint64_t v, struct cr_text *out);

#endif
