/*
 * Made tests/fixtures/v4-times.cresset and v4-planes.cresset, profiles whose times are ticks of a
 * clock: section 20 of version 4, modelled and in planes; and v4-texts.cresset, one whose texts are
 * compressed with phrases. They are never made again: they show that such a file stays readable.
 * Build it with the flags of the unit tests against libcresset.a, and give it a directory and a
 * name.
 */
#include <stdio.h>

#include "../unit/store_samples.h"
#include "store/format/directory_p.h"
#include "store/seams_p.h"

/* Times of a clock of 19.2 MHz that is set anew now and then. */
static struct cr_profile *
times_profile(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	uint64_t ticks = 2000000, set_ns = 0;

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK);
	for (uint32_t i = 0; i < 600; i++) {
		ticks += 100 + cr_digest_mix(i, 3) % 5000;
		set_ns += i % 150 == 149 ? 20 : 0;
		cr_builder_sample(b, &(struct cr_sample){.time_ns = ticks * 10000 / 192 + set_ns,
					     .weight = 1000,
					     .node = CR_ROOT,
					     .task = task,
					     .event = event});
	}
	if (cr_builder_finish(b, NULL, &p, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	cr_builder_free(b);
	cr_default_tree_make(p);
	return p;
}

int
main(int argc, char **argv)
{
	const struct cr_store_shape usual = CR_STORE_SHAPE_INIT, plain = {500, 0};
	const bool planes = argc == 3 && strcmp(argv[2], "v4-planes") == 0;
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char path[4096];
	int rc;

	if (argc != 3)
		return 2;
	p = strcmp(argv[2], "v4-texts") == 0 ? sample_profile(40) : times_profile();
	snprintf(path, sizeof(path), "%s/%s.cresset", argv[1], argv[2]);
	rc = cr_store_write_shaped(path, p, planes ? &plain : &usual, &err);
	if (rc < 0)
		fprintf(stderr, "%s: %s\n", path, err.text);
	cr_profile_free(p);
	return rc < 0;
}
