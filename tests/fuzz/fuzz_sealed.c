/*
 * Stores with right checksums: each input is a store, of which libFuzzer's changes are changes to
 * what it says. It goes through all that commands do with one.
 */
#include "sealed.h"
#include "sealed_use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct cr_buf out;
	size_t n = size;

	if (sealed_mutate(data, size, seed, &out) && out.n <= max) {
		memcpy(data, out.p, out.n);
		n = out.n;
	}
	free(out.p);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	stored_use(data, size);
	return 0;
}
