/* Any bytes as folded stacks, and on to trees, tables and text. */
#include "whole_way.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	whole_way(cr_reader_find("folded"), data, size);
	return 0;
}
