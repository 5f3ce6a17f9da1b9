/*
 * Makes the seeds of tests/fuzz/corpus/fuzz_store: small profiles in groups of 3 rows, packed and
 * not, without fields, files of lines and code, and with them; and one with modelled columns, which
 * is in fuzz_sealed too. The seeds of other names there are of releases before the columns of the
 * samples were apart: they stay. Build it with the flags of the unit tests against libcresset.a and
 * give it the directory.
 */
#include <stdio.h>

#include "../unit/store_samples.h"
#include "store/format/directory_p.h"
#include "store/seams_p.h"

static void
drop_line_files(struct cr_profile *p)
{
	struct cr_line *lines = cr_arena_alloc(&p->arena, p->n_lines * sizeof(*lines));

	for (uint32_t i = 0; i < p->n_lines; i++) {
		lines[i] = p->lines[i];
		lines[i].file = CR_STR("");
	}
	p->lines = lines;
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint32_t samples;
		struct cr_store_shape shape;
		bool fields, line_files, code;
	} seeds[] = {
		{"columns-of-3", 7, {3, 0}, false, false, false},
		{"columns-details", 12, {3, 0}, true, false, false},
		{"columns-all", 12, {3, 0}, true, true, true},
		{"columns-packed", 40, {CR_BLOCK_ROWS, 3}, true, true, true},
		{"columns-modelled", 250, CR_STORE_SHAPE_INIT, true, true, true},
	};

	for (size_t i = 0; argc == 2 && i < CR_LEN(seeds); i++) {
		struct cr_profile *p = sample_profile(seeds[i].samples);
		struct cr_err err = CR_ERR_INIT;
		char path[4096];

		if (!seeds[i].fields)
			p->n_fields = p->n_texts = 0;
		if (!seeds[i].line_files)
			drop_line_files(p);
		if (!seeds[i].code)
			p->n_codes = p->n_source_lines = 0;
		snprintf(path, sizeof(path), "%s/%s", argv[1], seeds[i].name);
		if (cr_store_write_shaped(path, p, &seeds[i].shape, &err) < 0) {
			fprintf(stderr, "%s: %s\n", path, err.text);
			return 1;
		}
		cr_profile_free(p);
	}
	return argc == 2 ? 0 : 2;
}
