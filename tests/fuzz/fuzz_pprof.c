/*
 * Any bytes as a profile of pprof, of OpenTelemetry and of gperftools, all the way to what would be
 * shown of it.
 */
#include "whole_way.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	whole_way(cr_reader_find("pprof"), data, size);
	whole_way(cr_reader_find("otlp"), data, size);
	whole_way(cr_reader_find("gperftools"), data, size);
	return 0;
}
