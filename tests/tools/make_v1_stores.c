/*
 * Made tests/fixtures/v1-packed.cresset and v1-stored.cresset, the same profile with something in
 * every table, in blocks of 3 rows, packed and as they are; v1-large.cresset with more samples
 * in blocks of 100; and v1-default.cresset in blocks as the program wrote them until it modelled
 * columns. They are never made again: they show that a file of the first release is read.
 * Build it with the flags of the unit tests against libcresset.a and give it a directory.
 */
#include <stdio.h>

#include "../unit/store_samples.h"
#include "store/format/directory_p.h"
#include "store/seams_p.h"

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint32_t samples;
		struct cr_store_shape shape;
	} files[] = {
		{"v1-packed", 40, {3, 3}},
		{"v1-stored", 40, {3, 0}},
		{"v1-large", 250, {100, 3}},
		{"v1-default", 120, CR_STORE_SHAPE_INIT},
	};

	for (size_t i = 0; argc == 2 && i < CR_LEN(files); i++) {
		struct cr_profile *p = sample_profile(files[i].samples);
		struct cr_err err = CR_ERR_INIT;
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s.cresset", argv[1], files[i].name);
		if (cr_store_write_shaped(path, p, &files[i].shape, &err) < 0) {
			fprintf(stderr, "%s: %s\n", path, err.text);
			return 1;
		}
		cr_profile_free(p);
	}
	return argc == 2 ? 0 : 2;
}
