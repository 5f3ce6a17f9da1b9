/*
 * Made tests/fixtures/v2-default.cresset, a profile with something in every table,
 * v2-stacks.cresset, one with many locations, and v2-weights.cresset, one with periods as the
 * kernel adapts them: together they have modelled columns of all codings. These are of format 1;
 * v2-short.cresset is of format 2, which came later; v2-threads.cresset was the first with threads
 * of the recording and sizes of functions. They are never made again: they show that such a file
 * stays readable. Build it with the flags of the unit tests against libcresset.a and give it
 * a directory.
 */
#include <stdio.h>

#include "../unit/store_samples.h"
#include "store/format/directory_p.h"
#include "store/seams_p.h"

/* Stacks of three of 200 locations, each called from few others. */
static struct cr_profile *
stacks_profile(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"), .kind = CR_KIND_USER});
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK |
				    CR_PROFILE_HAS_ADDR);
	for (uint32_t i = 0; i < 500; i++) {
		const uint64_t h = cr_digest_mix(i, 5);
		uint64_t address = h % 20;
		cr_node_id node = CR_ROOT;

		for (unsigned depth = 0; depth < 3; depth++) {
			node = cr_builder_push(
				b, node, cr_builder_location(b, dso, 0x1000 + address * 0x33, 0));
			address = (address * 7 + (h >> (8 + 8 * depth)) % 3) % 200;
		}
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 1000000 * (uint64_t)i + h % 999,
					     .weight = 100000 + h % 5000,
					     .node = node,
					     .task = task,
					     .event = event,
					     .cpu = (uint16_t)(h >> 40 & 3)});
	}
	if (cr_builder_finish(b, NULL, &p, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	cr_builder_free(b);
	cr_default_tree_make(p);
	return p;
}

/* Samples of two processors at 4000 Hz. */
static struct cr_profile *
weights_profile(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	uint64_t period[2] = {1000000, 30000}, clocks[2] = {1000000, 1100000};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK);
	for (uint32_t i = 0; i < 800; i++) {
		const uint64_t h = cr_digest_mix(i, 3), took = 200000 + h % 100000;
		const unsigned cpu = i % 2;

		clocks[cpu] += took;
		cr_builder_sample(b, &(struct cr_sample){.time_ns = clocks[cpu] + h % 8,
					     .weight = period[cpu],
					     .node = CR_ROOT,
					     .task = task,
					     .event = event,
					     .cpu = (uint16_t)cpu});
		period[cpu] = (7 * period[cpu] + period[cpu] * 250000 / took) / 8;
	}
	if (cr_builder_finish(b, NULL, &p, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	cr_builder_free(b);
	cr_default_tree_make(p);
	return p;
}

static int
put(const char *directory, const char *name, struct cr_profile *p, struct cr_store_shape shape)
{
	struct cr_err err = CR_ERR_INIT;
	char path[4096];
	int rc;

	snprintf(path, sizeof(path), "%s/%s.cresset", directory, name);
	rc = cr_store_write_shaped(path, p, &shape, &err);
	if (rc < 0)
		fprintf(stderr, "%s: %s\n", path, err.text);
	cr_profile_free(p);
	return rc;
}

int
main(int argc, char **argv)
{
	const struct cr_store_shape usual = CR_STORE_SHAPE_INIT, small = {3, 3};

	if (argc != 2)
		return 2;
	return put(argv[1], "v2-default", sample_profile(400), usual) < 0 ||
	       put(argv[1], "v2-stacks", stacks_profile(), usual) < 0 ||
	       put(argv[1], "v2-weights", weights_profile(), usual) < 0 ||
	       put(argv[1], "v2-short", sample_profile(150), usual) < 0 ||
	       put(argv[1], "v2-threads", sample_profile(30), small) < 0;
}
