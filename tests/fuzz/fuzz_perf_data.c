/* Any bytes as recordings of perf, and on to trees, tables and text. */
#include "whole_way.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	whole_way(cr_reader_find("perf.data"), data, size);
	return 0;
}
