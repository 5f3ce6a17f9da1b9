#include "testing.h"

#include "query/fold/fold.h"
#include "query/time/series.h"
#include "store_samples.h"

#include "store/format/directory_p.h"
#include "store/format/layout_p.h"
#include "store/seams_p.h"

#include <fcntl.h>
#include <unistd.h>

/*
 * Zones that lie. The stores here have one block of samples that is not compressed, so that each
 * least and each most is the base of a column without planes, which stands in the file as it is.
 */
struct bed {
	char path[64];
	unsigned char *store;
	size_t len;
	unsigned char *zones; /* in store: its columns, one after the other */
	struct cr_tree *tree; /* of the undamaged one, from its samples */
};

#define ENDS 2u /* least, most */

static unsigned char *
base_of(const struct bed *bed, unsigned column, unsigned end)
{
	return bed->zones + (size_t)(column * ENDS + end) * CR_COLUMN_HEAD + 2;
}

/* Weights that are all the same, or not. */
static struct cr_profile *
make(bool same_weights)
{
	struct cr_profile *p = sample_profile(40);
	struct cr_event *events;
	uint64_t *weight;

	if (!same_weights)
		return p;
	weight = cr_arena_alloc(&p->arena, p->samples.n * sizeof(*weight));
	events = cr_arena_alloc(&p->arena, p->n_events * sizeof(*events));
	for (uint32_t e = 0; e < p->n_events; e++) {
		events[e] = p->events[e];
		events[e].weight = 5 * events[e].samples;
	}
	p->events = events;
	for (uint64_t i = 0; i < p->samples.n; i++)
		weight[i] = 5;
	p->samples.weight = weight;
	p->default_tree = NULL;
	cr_default_tree_make(p);
	return p;
}

static struct cr_tree *
fold(struct cr_profile *p)
{
	struct cr_filter f = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	p->default_tree = NULL; /* so that the samples are asked */
	assert_int_equal(cr_fold(p, &f, &CR_FOLD_USUAL, &t, &err), CR_OK);
	return t;
}

static void
bed_start(struct bed *bed, bool same_weights)
{
	struct cr_profile *p = make(same_weights);
	struct cr_directory dir;
	struct cr_err err = CR_ERR_INIT;
	int fd;

	strcpy(bed->path, "/tmp/test_zones.XXXXXX");
	assert_true((fd = mkstemp(bed->path)) >= 0);
	close(fd);
	assert_int_equal(cr_store_write_shaped(
				 bed->path, p, &(struct cr_store_shape){CR_BLOCK_ROWS, 0}, &err),
		CR_OK);
	bed->tree = fold(p);
	cr_profile_free(p);
	assert_true((fd = open(bed->path, O_RDONLY)) >= 0);
	bed->len = (size_t)lseek(fd, 0, SEEK_END);
	bed->store = malloc(bed->len);
	assert_int_equal(pread(fd, bed->store, bed->len, 0), bed->len);
	close(fd);
	assert_int_equal(cr_directory_read(bed->store, bed->len, false, &dir, &err), CR_OK);
	bed->zones = bed->store +
		     dir.blocks[cr_directory_find(&dir, CR_SECTION_ZONES)->first_block].offset;
	cr_directory_fini(&dir);
}

static void
bed_end(struct bed *bed)
{
	cr_tree_free(bed->tree);
	unlink(bed->path);
	free(bed->store);
}

static void
same_tree(const struct cr_tree *a, const struct cr_tree *b)
{
	assert_int_equal(a->n, b->n);
	for (uint32_t i = 0; i < a->n; i++) {
		assert_true(a->self[0][i] == b->self[0][i]);
		assert_true(a->total_samples[0][i] == b->total_samples[0][i]);
	}
}

/* The tables of an undamaged profile out of a store with this lie, and a word about it. */
static void
check_lie(const struct bed *bed)
{
	static const struct cr_filter none = {0};
	static const struct cr_query all = {0};
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_tree *t;
	struct cr_heat h;
	unsigned parts = CR_STORE_TREE;

	assert_int_equal(
		cr_store_read(bed->store, bed->len, CR_STORE_DEFAULT_TREE, true, &p, &log, &err),
		CR_OK);
	p->default_tree = NULL;
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if (cr_fold_needs(p, &none, &CR_FOLD_USUAL) >> c & 1)
			parts |= (unsigned)CR_STORE_TIME << c;
	assert_int_equal(cr_store_fetch(p, parts, &log, &err), CR_OK);
	t = fold(p);
	same_tree(bed->tree, t);
	cr_tree_free(t);
	assert_int_equal(cr_store_fetch(p, CR_STORE_SAMPLES, &log, &err), CR_OK);
	assert_int_equal(log.n, 1);
	assert_non_null(strstr(log.entries[0].first, "does not agree with its samples"));
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(cr_heat_make(p, &all, 1000, &h, &err), CR_OK);
	assert_true(h.whole + h.untimed == bed->tree->total_samples[0][0]);
	cr_heat_fini(&h);
	cr_profile_free(p);
}

static void
check_lies(bool same_weights)
{
	static const uint64_t lies[] = {0, 1, 1000, UINT64_C(50000000000), UINT64_MAX};
	struct bed bed;
	uint32_t tried = 0;

	bed_start(&bed, same_weights);
	for (unsigned at = 0; at < CR_SAMPLE_COLUMNS * ENDS; at++)
		for (size_t i = 0; i < CR_LEN(lies); i++) {
			unsigned char *base = base_of(&bed, at / ENDS, at % ENDS), before[8];

			memcpy(before, base, 8);
			for (unsigned k = 0; k < 8; k++)
				base[k] = (unsigned char)(lies[i] >> (8 * k));
			if (memcmp(before, base, 8) != 0) {
				check_lie(&bed);
				tried++;
			}
			memcpy(base, before, 8);
		}
	assert_true(tried > 40);
	bed_end(&bed);
}

static void
test_zones_that_lie_change_no_number_and_are_reported(void **state)
{
	(void)state;
	check_lies(false);
}

static void
test_nor_do_they_where_all_samples_weigh_the_same(void **state)
{
	(void)state;
	check_lies(true);
}

/* Both ends of the weights say 1: the fold must not believe it. */
static void
test_a_claim_of_equal_weights_is_proved_before_it_is_used(void **state)
{
	struct bed bed;

	(void)state;
	bed_start(&bed, false);
	for (unsigned end = 0; end < ENDS; end++) {
		memset(base_of(&bed, CR_SAMPLE_WEIGHT, end), 0, 8);
		*base_of(&bed, CR_SAMPLE_WEIGHT, end) = 1;
	}
	check_lie(&bed);
	bed_end(&bed);
}

/* The default tree puts the cost of one function onto another; the sums are the same. */
static void
test_verify_compares_the_outline_with_the_samples(void **state)
{
	struct cr_profile *p = sample_profile(40);
	struct cr_default_tree *o = cr_arena_alloc(&p->arena, sizeof(*o));
	uint64_t *self = cr_arena_alloc(
		&p->arena, (size_t)p->default_tree->n * p->default_tree->n_events * sizeof(*self));
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	char path[] = "/tmp/test_zones.XXXXXX";
	uint32_t from = 1, to;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(cr_store_write(path, p, CR_STORE_REPLACE, &err), CR_OK);
	assert_int_equal(cr_store_verify(path, &log, &err), CR_OK);
	*o = *p->default_tree;
	memcpy(self, o->self, (size_t)o->n * o->n_events * sizeof(*self));
	while (self[from] == 0)
		from++;
	to = from == 1 ? 2 : 1;
	self[to] += self[from];
	self[from] = 0;
	o->self = self;
	p->default_tree = o;
	assert_int_equal(cr_store_write(path, p, CR_STORE_REPLACE, &err), CR_OK);
	assert_int_equal(cr_store_verify(path, &log, &err), CR_EFORMAT);
	assert_string_equal(err.text, "the default tree does not match the samples");
	unlink(path);
	cr_profile_free(p);
}

/* ---- how much a store may ask for */

static void
read_file(const char *path, struct cr_buf *out)
{
	const int fd = open(path, O_RDONLY);
	const off_t len = lseek(fd, 0, SEEK_END);

	assert_true(len > 0);
	assert_int_equal(pread(fd, cr_buf_grow(out, (size_t)len), (size_t)len, 0), len);
	close(fd);
}

/* Put the file's store without its padding into `out`. */
static void
drop_padding(const struct cr_buf *in, struct cr_buf *out)
{
	struct cr_directory dir;
	struct cr_err err = CR_ERR_INIT;
	const struct cr_section *padding;

	assert_int_equal(cr_directory_read(in->p, in->n, false, &dir, &err), CR_OK);
	padding = cr_directory_find(&dir, CR_SECTION_PADDING);
	assert_non_null(padding);
	assert_ptr_equal(padding, &dir.sections[dir.n_sections - 1]);
	cr_buf_put(out, in->p, dir.blocks[padding->first_block].offset);
	dir.n_blocks = padding->first_block;
	dir.n_sections--;
	cr_directory_write(&dir, out->n, out);
	cr_directory_fini(&dir);
}

/* Samples that are all the same take next to nothing in a file, and 28 bytes each in memory. */
static void
test_a_store_is_padded_so_that_it_can_be_read(void **state)
{
	enum { SAMPLES = 10000000 };
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	struct cr_buf file = {0}, bare = {0};
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	char path[] = "/tmp/test_zones.XXXXXX";
	const int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (uint32_t i = 0; i < SAMPLES; i++)
		cr_builder_sample(
			b, &(struct cr_sample){.weight = 1, .task = task, .event = event});
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_int_equal(cr_store_write(path, p, CR_STORE_REPLACE, &err), CR_OK);
	cr_profile_free(p);
	read_file(path, &file);
	unlink(path);
	assert_int_equal(cr_store_read(file.p, file.n, CR_STORE_ALL, false, &p, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	assert_int_equal(p->samples.n, SAMPLES);
	assert_non_null(p->samples.weight);
	cr_profile_free(p);
	drop_padding(&file, &bare);
	assert_int_equal(cr_store_read(bare.p, bare.n, CR_STORE_ALL, false, &p, &log, &err), CR_OK);
	assert_int_equal(log.n, 1);
	assert_non_null(strstr(log.entries[0].first, "too many for a store this small"));
	cr_profile_free(p);
	free(file.p);
	free(bare.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zones_that_lie_change_no_number_and_are_reported),
		cmocka_unit_test(test_nor_do_they_where_all_samples_weigh_the_same),
		cmocka_unit_test(test_a_claim_of_equal_weights_is_proved_before_it_is_used),
		cmocka_unit_test(test_verify_compares_the_outline_with_the_samples),
		cmocka_unit_test(test_a_store_is_padded_so_that_it_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
