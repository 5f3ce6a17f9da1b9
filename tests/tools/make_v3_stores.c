/*
 * Made tests/fixtures/v3-tree.cresset, a profile whose location tree is in streams, section 31 of
 * version 3, and v3-times.cresset, one whose times are steps, section 20 of version 3. They are
 * never made again: they show that such a file stays readable. Build it with the flags of the unit
 * tests against libcresset.a and give it a directory and a name.
 */
#include <stdio.h>

#include "../unit/store_samples.h"
#include "store/format/directory_p.h"
#include "store/seams_p.h"

static struct cr_profile *
finished(struct cr_builder *b)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	if (cr_builder_finish(b, NULL, &p, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	cr_builder_free(b);
	cr_default_tree_make(p);
	return p;
}

/* Stacks of one to nine of 300 locations; some lead to many others, most to few. */
static struct cr_profile *
tree_profile(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_dso_id dso =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/bin/x"), .kind = CR_KIND_USER});
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK |
				    CR_PROFILE_HAS_ADDR);
	for (uint32_t i = 0; i < 600; i++) {
		const uint64_t h = cr_digest_mix(i, 7);
		uint64_t address = i % 3 ? h % 9 : i % 290;
		cr_node_id node = CR_ROOT;

		for (uint64_t depth = 0; depth <= h % 9; depth++) {
			node = cr_builder_push(
				b, node, cr_builder_location(b, dso, 0x1000 + address * 0x33, 0));
			address = (address * 7 + (h >> (8 + 5 * depth)) % (depth % 4 ? 3 : 100)) %
				  300;
		}
		cr_builder_sample(b, &(struct cr_sample){.time_ns = 1000000 * (uint64_t)i + h % 999,
					     .weight = 1000,
					     .node = node,
					     .task = task,
					     .event = event});
	}
	return finished(b);
}

/* Times in microseconds. */
static struct cr_profile *
times_profile(void)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	uint64_t time_ns = 123456789123;

	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK);
	for (uint32_t i = 0; i < 600; i++) {
		time_ns += 250000 + cr_digest_mix(i, 3) % 90 * 1000;
		cr_builder_sample(b, &(struct cr_sample){.time_ns = time_ns,
					     .weight = 1000,
					     .node = CR_ROOT,
					     .task = task,
					     .event = event});
	}
	return finished(b);
}

int
main(int argc, char **argv)
{
	const struct cr_store_shape usual = CR_STORE_SHAPE_INIT, plain = {500, 0};
	const bool tree = argc == 3 && strcmp(argv[2], "v3-tree") == 0;
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char path[4096];
	int rc;

	if (argc != 3)
		return 2;
	p = tree ? tree_profile() : times_profile();
	snprintf(path, sizeof(path), "%s/%s.cresset", argv[1], argv[2]);
	rc = cr_store_write_shaped(path, p, tree ? &plain : &usual, &err);
	if (rc < 0)
		fprintf(stderr, "%s: %s\n", path, err.text);
	cr_profile_free(p);
	return rc < 0;
}
