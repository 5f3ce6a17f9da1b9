#include "testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/columns.h"
#include "store/catalog.h"
#include "store/format/directory_p.h"
#include "store/format/layout_p.h"
#include "store/seams_p.h"
#include "store_samples.h"

static const struct cr_store_shape shapes[] = {{3, 0}, {3, 3}, {1, 1}, CR_STORE_SHAPE_INIT};

struct bed {
	char directory[64];
	char path[80];
	struct cr_profile *p;
};

static int
setup(void **state)
{
	struct bed *bed = calloc(1, sizeof(*bed));

	if (!bed)
		return -1;
	snprintf(bed->directory, sizeof(bed->directory), "/tmp/test_store.XXXXXX");
	if (!mkdtemp(bed->directory))
		return -1;
	snprintf(bed->path, sizeof(bed->path), "%s/x.cresset", bed->directory);
	bed->p = sample_profile(20);
	*state = bed;
	return 0;
}

static int
teardown(void **state)
{
	struct bed *bed = *state;
	char command[128];
	int rc;

	snprintf(command, sizeof(command), "rm -rf '%s'", bed->directory);
	rc = system(command);
	cr_profile_free(bed->p);
	free(bed);
	return rc;
}

/* ---- two profiles, table for table */

static void
same_str(struct cr_str a, struct cr_str b)
{
	assert_int_equal(a.len, b.len);
	if (a.len)
		assert_memory_equal(a.p, b.p, a.len);
}

#define same_column(a, b, n)                                               \
	do {                                                               \
		if ((n) > 0)                                               \
			assert_memory_equal((a), (b), (n) * sizeof(*(a))); \
	} while (0)

static void
same_summary(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_spaces, b->n_spaces);
	assert_int_equal(a->n_facts, b->n_facts);
	for (uint32_t i = 0; i < a->n_facts; i++) {
		same_str(a->facts[i].key, b->facts[i].key);
		same_str(a->facts[i].value, b->facts[i].value);
	}
	assert_int_equal(a->n_events, b->n_events);
	for (uint32_t i = 0; i < a->n_events; i++) {
		same_str(a->events[i].name, b->events[i].name);
		same_str(a->events[i].unit, b->events[i].unit);
		assert_true(a->events[i].samples == b->events[i].samples);
		assert_true(a->events[i].weight == b->events[i].weight);
	}
}

static void
same_names(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_dsos, b->n_dsos);
	for (uint32_t i = 0; i < a->n_dsos; i++) {
		const struct cr_dso *x = &a->dsos[i], *y = &b->dsos[i];

		same_str(x->name, y->name);
		assert_memory_equal(x->build_id, y->build_id, sizeof(x->build_id));
		assert_int_equal(x->build_id_len, y->build_id_len);
		assert_int_equal(x->kind, y->kind);
	}
	assert_int_equal(a->n_functions, b->n_functions);
	for (uint32_t i = 0; i < a->n_functions; i++) {
		const struct cr_function *x = &a->functions[i], *y = &b->functions[i];

		same_str(x->name, y->name);
		same_str(x->linkage, y->linkage);
		same_str(x->file, y->file);
		assert_int_equal(x->line, y->line);
		assert_int_equal(x->dso.i, y->dso.i);
		assert_true(x->addr == y->addr);
	}
}

static void
same_tasks(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_tasks, b->n_tasks);
	for (uint32_t i = 0; i < a->n_tasks; i++) {
		assert_int_equal(a->tasks[i].pid, b->tasks[i].pid);
		assert_int_equal(a->tasks[i].tid, b->tasks[i].tid);
		same_str(a->tasks[i].comm, b->tasks[i].comm);
		assert_int_equal(a->tasks[i].space.i, b->tasks[i].space.i);
	}
}

/* The first n rows: what was lost on reading stands behind them. */
static void
same_quality(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_true(a->n_quality <= b->n_quality);
	for (uint32_t i = 0; i < a->n_quality; i++) {
		same_str(a->quality[i].what, b->quality[i].what);
		assert_true(a->quality[i].count == b->quality[i].count);
	}
}

static void
same_default_tree(const struct cr_default_tree *a, const struct cr_default_tree *b)
{
	assert_int_equal(a != NULL, b != NULL);
	if (!a)
		return;
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->n_frames, b->n_frames);
	assert_int_equal(a->n_events, b->n_events);
	same_column(a->parent, b->parent, a->n);
	same_column(a->frame, b->frame, a->n);
	same_column(a->frame_function, b->frame_function, a->n_frames);
	for (uint32_t i = 0; i < a->n_frames; i++)
		same_str(a->frame_comm[i], b->frame_comm[i]);
	same_column(a->self, b->self, (size_t)a->n * a->n_events);
	same_column(a->self_samples, b->self_samples, (size_t)a->n * a->n_events);
}

static void
same_tree(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_locations, b->n_locations);
	for (uint32_t i = 0; i < a->n_locations; i++) {
		const struct cr_location *x = &a->locations[i], *y = &b->locations[i];

		assert_true(x->addr == y->addr);
		assert_int_equal(x->dso.i, y->dso.i);
		assert_int_equal(x->first_line, y->first_line);
		assert_int_equal(x->lines, y->lines);
		assert_int_equal(x->ordinal, y->ordinal);
	}
	assert_int_equal(a->n_lines, b->n_lines);
	for (uint32_t i = 0; i < a->n_lines; i++) {
		assert_int_equal(a->lines[i].function.i, b->lines[i].function.i);
		assert_int_equal(a->lines[i].line, b->lines[i].line);
		same_str(a->lines[i].file, b->lines[i].file);
	}
	assert_int_equal(a->n_nodes, b->n_nodes);
	same_column(a->node_parent, b->node_parent, a->n_nodes);
	same_column(a->node_location, b->node_location, a->n_nodes);
	same_column(a->node_end, b->node_end, a->n_nodes);
}

static void
same_maps(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_maps, b->n_maps);
	for (uint32_t i = 0; i < a->n_maps; i++) {
		const struct cr_map *x = &a->maps[i], *y = &b->maps[i];

		assert_true(x->start == y->start && x->end == y->end && x->pgoff == y->pgoff);
		assert_true(x->born == y->born && x->died == y->died);
		assert_true(x->space.i == y->space.i && x->dso.i == y->dso.i);
	}
}

static void
same_threads(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_threads, b->n_threads);
	for (uint32_t i = 0; i < a->n_threads; i++) {
		const struct cr_named_thread *x = &a->threads[i], *y = &b->threads[i];

		assert_true(x->pid == y->pid && x->tid == y->tid && x->ppid == y->ppid);
		same_str(x->comm, y->comm);
	}
}

static void
same_sizes(const struct cr_profile *a, const struct cr_profile *b)
{
	for (uint32_t i = 0; i < a->n_functions; i++)
		assert_int_equal(a->functions[i].size, b->functions[i].size);
}

static void
same_samples(const struct cr_samples *a, const struct cr_samples *b)
{
	assert_true(a->n == b->n);
	same_column(a->time_ns, b->time_ns, a->n);
	same_column(a->weight, b->weight, a->n);
	same_column(a->task, b->task, a->n);
	same_column(a->node, b->node, a->n);
	same_column(a->cpu, b->cpu, a->n);
	same_column(a->event, b->event, a->n);
}

static void
same_fields(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_fields, b->n_fields);
	for (uint32_t i = 0; i < a->n_fields; i++) {
		const struct cr_field *x = &a->fields[i], *y = &b->fields[i];

		same_str(x->name, y->name);
		assert_int_equal(x->event.i, y->event.i);
		assert_int_equal(x->form, y->form);
		assert_int_equal(x->distinct, y->distinct);
		assert_true(x->have == y->have && x->least == y->least && x->most == y->most &&
			    x->n == y->n);
	}
}

static void
same_values(const struct cr_profile *a, const struct cr_profile *b)
{
	for (uint32_t i = 0; i < a->n_fields; i++)
		same_column(a->fields[i].value, b->fields[i].value, a->fields[i].n);
	assert_int_equal(a->n_texts, b->n_texts);
	for (uint32_t i = 0; i < a->n_texts; i++)
		same_str(a->texts[i], b->texts[i]);
}

static void
same_code(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->n_codes, b->n_codes);
	for (uint32_t i = 0; i < a->n_codes; i++) {
		const struct cr_machine_code *x = &a->codes[i], *y = &b->codes[i];

		assert_int_equal(x->function.i, y->function.i);
		assert_true(x->addr == y->addr && x->base == y->base);
		same_str(x->bytes, y->bytes);
		assert_true(x->machine == y->machine && x->bits == y->bits &&
			    x->big_endian == y->big_endian);
	}
	assert_int_equal(a->n_source_lines, b->n_source_lines);
	for (uint32_t i = 0; i < a->n_source_lines; i++) {
		same_str(a->source_lines[i].file, b->source_lines[i].file);
		assert_int_equal(a->source_lines[i].line, b->source_lines[i].line);
		same_str(a->source_lines[i].text, b->source_lines[i].text);
	}
}

static void
same_profile(const struct cr_profile *a, const struct cr_profile *b)
{
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->n_quality, b->n_quality);
	same_summary(a, b);
	same_names(a, b);
	same_tasks(a, b);
	same_threads(a, b);
	same_sizes(a, b);
	same_quality(a, b);
	same_default_tree(a->default_tree, b->default_tree);
	same_tree(a, b);
	same_maps(a, b);
	same_samples(&a->samples, &b->samples);
	same_fields(a, b);
}

/* ---- files as bytes */

struct image {
	unsigned char *p;
	size_t len;
};

static struct image
image_of(const struct bed *bed, const struct cr_store_shape *shape)
{
	struct cr_err err = CR_ERR_INIT;
	struct image im = {0};
	struct stat st;
	int fd;

	assert_int_equal(cr_store_write_shaped(bed->path, bed->p, shape, &err), CR_OK);
	fd = open(bed->path, O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	im.len = (size_t)st.st_size;
	im.p = malloc(im.len);
	assert_int_equal(read(fd, im.p, im.len), im.len);
	close(fd);
	return im;
}

static int
image_read(const struct image *im, unsigned parts, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err)
{
	*log = (struct cr_log){0};
	*err = (struct cr_err)CR_ERR_INIT;
	return cr_store_read(im->p, im->len, parts, false, out, log, err);
}

/* Put another directory, and `extra` as a last block, behind the blocks; im is replaced. */
static void
image_reseal(struct image *im, const struct cr_directory *dir, const char *extra)
{
	struct cr_buf b = {0};
	size_t end = CR_STORE_HEAD;

	for (uint32_t i = 0; i < dir->n_blocks; i++)
		end = CR_MAX(end, dir->blocks[i].offset + dir->blocks[i].stored_bytes);
	end -= strlen(extra);
	cr_buf_put(&b, im->p, end);
	cr_buf_put(&b, extra, strlen(extra));
	cr_directory_write(dir, b.n, &b);
	free(im->p);
	im->p = b.p;
	im->len = b.n;
}

static struct cr_directory
image_directory(const struct image *im)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_directory dir;

	assert_int_equal(cr_directory_read(im->p, im->len, false, &dir, &err), CR_OK);
	return dir;
}

static struct cr_section *
section_of(struct cr_directory *dir, uint32_t id)
{
	for (uint32_t i = 0; i < dir->n_sections; i++)
		if (dir->sections[i].id == id)
			return &dir->sections[i];
	fail();
	return NULL;
}

/* ---- round trips */

static void
test_what_is_stored_comes_back_table_for_table(void **state)
{
	const struct bed *bed = *state;

	for (size_t i = 0; i < CR_LEN(shapes); i++) {
		struct cr_profile *q;
		struct cr_log log = {0};
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(cr_store_write_shaped(bed->path, bed->p, &shapes[i], &err), CR_OK);
		assert_int_equal(cr_store_open(bed->path, CR_STORE_ALL, &q, &log, &err), CR_OK);
		assert_int_equal(log.n, 0);
		same_profile(bed->p, q);
		same_values(bed->p, q);
		same_code(bed->p, q);
		cr_profile_free(q);
		assert_int_equal(cr_store_verify(bed->path, &log, &err), CR_OK);
		assert_int_equal(log.n, 0);
	}
}

static void
test_profiles_around_the_size_of_a_group_come_back(void **state)
{
	struct bed *bed = *state;

	for (uint32_t n = 1; n < 8; n++) {
		struct cr_profile *q;
		struct cr_log log = {0};
		struct cr_err err = CR_ERR_INIT;

		cr_profile_free(bed->p);
		bed->p = sample_profile(n);
		assert_int_equal(cr_store_write_shaped(bed->path, bed->p, &shapes[1], &err), CR_OK);
		assert_int_equal(cr_store_open(bed->path, CR_STORE_ALL, &q, &log, &err), CR_OK);
		same_profile(bed->p, q);
		same_values(bed->p, q);
		cr_profile_free(q);
	}
}

static void
test_more_rows_than_a_block_holds_come_back(void **state)
{
	struct bed *bed = *state;
	struct cr_profile *q;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;

	cr_profile_free(bed->p);
	bed->p = sample_profile(2 * CR_BLOCK_ROWS + 1);
	assert_int_equal(cr_store_write(bed->path, bed->p, CR_STORE_REPLACE, &err), CR_OK);
	assert_int_equal(cr_store_open(bed->path, CR_STORE_ALL, &q, &log, &err), CR_OK);
	same_profile(bed->p, q);
	same_values(bed->p, q);
	same_code(bed->p, q);
	cr_profile_free(q);
}

static void
test_the_same_profile_gives_the_same_bytes(void **state)
{
	const struct image a = image_of(*state, &shapes[3]), b = image_of(*state, &shapes[3]);

	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.p, b.p, a.len);
	free(a.p);
	free(b.p);
}

static void
test_only_the_parts_asked_for_are_there(void **state)
{
	const struct bed *bed = *state;
	struct image im = image_of(bed, &shapes[1]);
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;

	assert_int_equal(image_read(&im, CR_STORE_DEFAULT_TREE, &q, &log, &err), CR_OK);
	same_summary(bed->p, q);
	same_names(bed->p, q);
	same_tasks(bed->p, q);
	same_threads(bed->p, q);
	assert_int_equal(q->functions[1].size, 0); /* not requested */
	same_quality(bed->p, q);
	same_default_tree(bed->p->default_tree, q->default_tree);
	same_fields(bed->p, q);
	assert_null(q->fields[0].value);
	assert_int_equal(q->n_texts, 0);
	assert_int_equal(q->n_nodes + q->n_locations + q->n_lines + q->n_maps + q->n_codes +
				 q->n_source_lines,
		0);
	assert_true(q->samples.n == 0);
	assert_int_equal(q->flags, bed->p->flags & ~(uint32_t)CR_PROFILE_HAS_SAMPLES);
	cr_profile_free(q);

	assert_int_equal(image_read(&im, CR_STORE_TREE, &q, &log, &err), CR_OK);
	same_tree(bed->p, q);
	assert_true(q->samples.n == 0);
	cr_profile_free(q);

	assert_int_equal(image_read(&im, CR_STORE_SAMPLES | CR_STORE_SIZES, &q, &log, &err), CR_OK);
	same_profile(bed->p, q); /* samples point into the tree */
	assert_null(q->fields[0].value);
	cr_profile_free(q);

	assert_int_equal(image_read(&im, CR_STORE_FIELDS, &q, &log, &err), CR_OK);
	same_fields(bed->p, q);
	same_values(bed->p, q);
	assert_true(q->samples.n == 0);
	cr_profile_free(q);

	assert_int_equal(image_read(&im, CR_STORE_CODE, &q, &log, &err), CR_OK);
	same_code(bed->p, q);
	assert_int_equal(q->n_nodes, 0);
	cr_profile_free(q);
	free(im.p);
}

static const void *
column_of(const struct cr_samples *s, unsigned c)
{
	return (const void *const[CR_SAMPLE_COLUMNS]){
		s->time_ns, s->weight, s->task, s->node, s->cpu, s->event}[c];
}

static void
test_columns_are_fetched_one_by_one_of_a_file_that_is_gone(void **state)
{
	static const unsigned orders[][CR_SAMPLE_COLUMNS] = {
		{0, 1, 2, 3, 4, 5}, {5, 3, 1, 4, 2, 0}};
	const struct bed *bed = *state;

	for (size_t o = 0; o < CR_LEN(orders); o++) {
		struct cr_log log = {0};
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *q;

		assert_int_equal(cr_store_write_shaped(bed->path, bed->p, &shapes[o], &err), CR_OK);
		assert_int_equal(
			cr_store_open(bed->path, CR_STORE_DEFAULT_TREE, &q, &log, &err), CR_OK);
		assert_int_equal(unlink(bed->path), 0);
		for (unsigned i = 0; i < CR_SAMPLE_COLUMNS; i++) {
			const void *before[CR_SAMPLE_COLUMNS];

			for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
				before[c] = column_of(&q->samples, c);
			assert_int_equal(cr_store_fetch(q, (unsigned)CR_STORE_TIME << orders[o][i],
						 &log, &err),
				CR_OK);
			assert_true(q->samples.n == bed->p->samples.n);
			for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
				if (c != orders[o][i])
					assert_ptr_equal(column_of(&q->samples, c), before[c]);
			assert_memory_equal(column_of(&q->samples, orders[o][i]),
				column_of(&bed->p->samples, orders[o][i]),
				q->samples.n * cr_sample_column_bytes(orders[o][i]));
			assert_int_equal(q->n_nodes > 0, q->samples.node != NULL);
		}
		assert_int_equal(q->n_maps + q->n_texts, 0);
		assert_int_equal(cr_store_fetch(q, CR_STORE_ALL, &log, &err), CR_OK);
		assert_int_equal(log.n, 0);
		same_profile(bed->p, q);
		same_values(bed->p, q);
		same_code(bed->p, q);
		cr_profile_free(q);
	}
}

static void
test_a_profile_that_is_from_no_store_has_it_all(void **state)
{
	struct bed *bed = *state;
	const struct cr_samples before = bed->p->samples;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_store_fetch(bed->p, CR_STORE_ALL, &log, &err), CR_OK);
	assert_memory_equal(&before, &bed->p->samples, sizeof(before));
}

static uint64_t
value_of(const struct cr_samples *s, unsigned c, uint64_t row)
{
	return (const uint64_t[CR_SAMPLE_COLUMNS]){s->time_ns[row], s->weight[row], s->task[row],
		s->node[row], s->cpu[row], s->event[row]}[c];
}

static void
test_zones_are_the_least_and_most_of_each_block(void **state)
{
	const struct bed *bed = *state;
	const struct cr_samples *s = &bed->p->samples;
	struct image im = image_of(bed, &shapes[1]);
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;

	assert_int_equal(image_read(&im, CR_STORE_DEFAULT_TREE, &q, &log, &err), CR_OK);
	assert_int_equal(q->samples.n_zones, 7); /* of 3 rows, the last of 2 */
	for (uint32_t z = 0; z < 7; z++)
		for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++) {
			uint64_t least = UINT64_MAX, most = 0;

			for (uint64_t row = 3 * z; row < CR_MIN(3 * z + 3, s->n); row++) {
				least = CR_MIN(least, value_of(s, c, row));
				most = CR_MAX(most, value_of(s, c, row));
			}
			assert_true(q->samples.zones[z].first == 3 * z);
			assert_true(q->samples.zones[z].least[c] == least &&
				    q->samples.zones[z].most[c] == most);
		}
	cr_profile_free(q);
	free(im.p);
}

static void
test_zones_are_fetched_alone_and_completed(void **state)
{
	static const uint8_t wants[][7] = {{0, 1, 0, 0, 0, 0, 1}, {1, 1, 0, 0, 0, 0, 0}};
	const struct bed *bed = *state;
	const struct cr_samples *s = &bed->p->samples;
	struct image im = image_of(bed, &shapes[1]);
	uint8_t here[7] = {0};
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;

	assert_int_equal(image_read(&im, CR_STORE_DEFAULT_TREE, &q, &log, &err), CR_OK);
	for (size_t i = 0; i < CR_LEN(wants); i++) {
		assert_int_equal(cr_store_fetch_zones(
					 q, CR_STORE_TIME | CR_STORE_NODE, wants[i], &log, &err),
			CR_OK);
		assert_null(q->samples.weight);
		for (uint64_t row = 0; row < s->n; row++) {
			here[row / 3] |= wants[i][row / 3];
			assert_int_equal(q->samples.zones[row / 3].here,
				here[row / 3] ? 1u << CR_SAMPLE_TIME | 1u << CR_SAMPLE_NODE : 0);
			assert_true(
				q->samples.time_ns[row] == (here[row / 3] ? s->time_ns[row] : 0));
			assert_true(q->samples.node[row] == (here[row / 3] ? s->node[row] : 0));
		}
	}
	assert_int_equal(cr_store_fetch(q, CR_STORE_SAMPLES | CR_STORE_SIZES, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	same_profile(bed->p, q);
	cr_profile_free(q);
	free(im.p);
}

/* Does the program stop when it needs these tables? */
static bool
stops(const struct cr_profile *p, unsigned needs)
{
	const pid_t pid = fork();
	int status = 0;

	assert_true(pid >= 0);
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		signal(SIGABRT, SIG_DFL);
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		cr_needed(p, needs);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
test_what_was_not_read_is_known_and_stops_the_program(void **state)
{
	static const struct {
		unsigned part, needs;
	} parts[] = {
		{CR_STORE_CODE, CR_NEEDS_CODE},
		{CR_STORE_SIZES, CR_NEEDS_SIZES},
		{CR_STORE_TREE, CR_NEEDS_TREE},
		{CR_STORE_MAPS, CR_NEEDS_MAPS},
		{CR_STORE_FIELDS, CR_NEEDS_FIELDS},
		{CR_STORE_TIME, CR_NEEDS_TIME},
		{CR_STORE_WEIGHT, CR_NEEDS_WEIGHT},
		{CR_STORE_TASK, CR_NEEDS_TASK},
		{CR_STORE_NODE, CR_NEEDS_NODE},
		{CR_STORE_CPU, CR_NEEDS_CPU},
		{CR_STORE_EVENT, CR_NEEDS_EVENT},
	};
	const struct bed *bed = *state;
	static const uint8_t some[7] = {0, 1};

	for (size_t s = 0; s < CR_LEN(shapes); s++) {
		struct image im = image_of(bed, &shapes[s]);
		unsigned left = CR_NEEDS_ALL;
		struct cr_profile *q;
		struct cr_log log;
		struct cr_err err;

		assert_int_equal(image_read(&im, CR_STORE_DEFAULT_TREE, &q, &log, &err), CR_OK);
		assert_int_equal(q->not_read, left);
		for (size_t i = 0; i < CR_LEN(parts); i++) {
			if (shapes[s].group_rows == 3 && (parts[i].part & CR_STORE_COLUMNS)) {
				assert_int_equal(
					cr_store_fetch_zones(q, parts[i].part, some, &log, &err),
					CR_OK);
				assert_int_equal(q->not_read, left); /* not whole */
			}
			assert_true(stops(q, parts[i].needs));
			assert_int_equal(cr_store_fetch(q, parts[i].part, &log, &err), CR_OK);
			assert_false(stops(q, parts[i].needs));
			left &= ~parts[i].needs;
			assert_int_equal(q->not_read, left);
		}
		assert_int_equal(left, 0);
		cr_profile_free(q);
		free(im.p);
	}
	assert_int_equal(bed->p->not_read, 0);
}

static void
test_a_profile_without_an_outline_comes_back_without(void **state)
{
	struct bed *bed = *state;
	struct cr_profile *q;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;

	bed->p->default_tree = NULL;
	assert_int_equal(cr_store_write(bed->path, bed->p, CR_STORE_REPLACE, &err), CR_OK);
	assert_int_equal(cr_store_open(bed->path, CR_STORE_ALL, &q, &log, &err), CR_OK);
	same_profile(bed->p, q);
	cr_profile_free(q);
}

static void
test_a_peek_has_facts_and_events(void **state)
{
	const struct bed *bed = *state;
	struct cr_profile *q;
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_store_write(bed->path, bed->p, CR_STORE_REPLACE, &err), CR_OK);
	assert_int_equal(cr_store_peek(bed->path, &q, &err), CR_OK);
	same_summary(bed->p, q);
	assert_int_equal(q->n_dsos + q->n_tasks, 0);
	cr_profile_free(q);
}

/* ---- damage */

/* Lines may be lost alone, all of them. */
static void
same_tree_but_for_lines(const struct cr_profile *a, struct cr_profile *b)
{
	struct cr_line *lines = cr_alloc(b->n_lines, sizeof(*lines));
	const struct cr_line *were = b->lines;
	bool any = false;

	for (uint32_t i = 0; i < b->n_lines; i++) {
		any |= were[i].line || were[i].file.len;
		lines[i] = a->lines[i];
		lines[i].function = were[i].function;
	}
	if (!any)
		b->lines = lines;
	same_tree(a, b);
	b->lines = were;
	free(lines);
}

/* Samples are still samples without their times and processors. */
static void
same_samples_but_for_what_is_lost(const struct cr_profile *a, const struct cr_profile *b)
{
	struct cr_samples s = b->samples;

	if (!(b->flags & CR_PROFILE_HAS_TIME)) {
		for (uint64_t i = 0; i < s.n; i++)
			assert_true(s.time_ns[i] == 0);
		s.time_ns = a->samples.time_ns;
	}
	if (!(b->flags & CR_PROFILE_HAS_CPU)) {
		for (uint64_t i = 0; i < s.n; i++)
			assert_int_equal(s.cpu[i], CR_CPU_NONE);
		s.cpu = a->samples.cpu;
	}
	same_samples(&a->samples, &s);
}

/*
 * What a damaged store gave is an error in one line with its place, or what is left and the loss
 * told.
 */
static void
loss_is_reported(const struct bed *bed, int rc, struct cr_profile *q, const struct cr_log *log,
	const struct cr_err *err)
{
	if (rc < 0) {
		assert_null(q);
		assert_true(err->code == rc && err->text[0] && !strchr(err->text, '\n'));
		assert_true(err->offset != CR_NO_OFFSET);
		return;
	}
	assert_true(log->n > 0);
	assert_true(q->flags & CR_PROFILE_IN_PART);
	assert_true(q->n_quality > 0);
	assert_non_null(memmem(q->quality[q->n_quality - 1].what.p,
		q->quality[q->n_quality - 1].what.len, " lost: ", 7));
	same_summary(bed->p, q);
	same_names(bed->p, q);
	same_default_tree(bed->p->default_tree, q->default_tree);
	if (q->n_tasks)
		same_tasks(bed->p, q);
	if (q->n_quality > bed->p->n_quality)
		same_quality(bed->p, q);
	if (q->n_nodes)
		same_tree_but_for_lines(bed->p, q);
	if (q->n_maps)
		same_maps(bed->p, q);
	if (q->flags & CR_PROFILE_HAS_SAMPLES)
		same_samples_but_for_what_is_lost(bed->p, q);
	else
		assert_true(q->samples.n == 0);
	if (q->n_codes)
		same_code(bed->p, q);
	if (q->n_fields) {
		same_fields(bed->p, q);
		same_values(bed->p, q);
	}
}

static void
test_every_changed_byte_is_found(void **state)
{
	static const unsigned char masks[] = {0x01, 0x80, 0xff};

	for (size_t s = 1; s < CR_LEN(shapes); s += 2) {
		struct image im = image_of(*state, &shapes[s]);

		for (size_t i = 0; i < im.len * CR_LEN(masks); i++) {
			struct cr_profile *q;
			struct cr_log log;
			struct cr_err err;
			int rc;

			im.p[i / CR_LEN(masks)] ^= masks[i % CR_LEN(masks)];
			rc = image_read(&im, CR_STORE_ALL, &q, &log, &err);
			loss_is_reported(*state, rc, q, &log, &err);
			cr_profile_free(q);
			im.p[i / CR_LEN(masks)] ^= masks[i % CR_LEN(masks)];
		}
		free(im.p);
	}
}

/* The byte in the middle of a section's first block. */
static unsigned char *
byte_of(struct image *im, uint32_t id)
{
	struct cr_directory dir = image_directory(im);
	const struct cr_block *b = &dir.blocks[section_of(&dir, id)->first_block];
	unsigned char *p = im->p + b->offset + b->stored_bytes / 2;

	cr_directory_fini(&dir);
	return p;
}

static void
test_with_the_files_of_lines_only_lines_are_lost(void **state)
{
	const struct bed *bed = *state;
	struct image im = image_of(bed, &shapes[0]);
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;

	*byte_of(&im, CR_SECTION_LINE_FILES) ^= 1;
	assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_OK);
	assert_int_equal(log.n, 1);
	assert_memory_equal(q->quality[q->n_quality - 1].what.p, "source lines lost: ", 19);
	loss_is_reported(bed, CR_OK, q, &log, &err);
	for (uint32_t i = 0; i < q->n_lines; i++)
		assert_int_equal(q->lines[i].line + q->lines[i].file.len, 0);
	same_samples(&bed->p->samples, &q->samples);
	same_values(bed->p, q);
	cr_profile_free(q);
	free(im.p);
}

static void
test_lines_in_the_files_of_their_functions_take_no_section(void **state)
{
	struct bed *bed = *state;
	struct cr_line *lines = cr_alloc(bed->p->n_lines, sizeof(*lines));
	struct cr_directory dir;
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;
	struct image im;

	memcpy(lines, bed->p->lines, bed->p->n_lines * sizeof(*lines));
	for (uint32_t i = 0; i < bed->p->n_lines; i++)
		lines[i].file = CR_STR("");
	bed->p->lines = cr_arena_adopt(&bed->p->arena, lines);
	im = image_of(bed, &shapes[0]);
	dir = image_directory(&im);
	assert_null(cr_directory_find(&dir, CR_SECTION_LINE_FILES));
	cr_directory_fini(&dir);
	assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_OK);
	same_profile(bed->p, q);
	cr_profile_free(q);
	free(im.p);
}

static void
test_files_of_other_lines_than_there_are_are_lost(void **state)
{
	struct image im = image_of(*state, &shapes[3]);
	struct cr_directory dir = image_directory(&im);
	struct cr_profile *q;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;

	section_of(&dir, CR_SECTION_LINE_FILES)->rows--;
	dir.blocks[section_of(&dir, CR_SECTION_LINE_FILES)->first_block].rows--;
	image_reseal(&im, &dir, "");
	cr_directory_fini(&dir);
	assert_int_equal(cr_store_read(im.p, im.len, CR_STORE_ALL, true, &q, &log, &err), CR_OK);
	assert_true(q->flags & CR_PROFILE_IN_PART);
	assert_int_equal(q->lines[0].line, 0);
	cr_profile_free(q);
	free(im.p);
}

/*
 * tests/fixtures/good-first.cresset, as the first format of the store had it: without section 18.
 */
static void
test_a_store_of_an_earlier_release_opens_as_before(void **state)
{
	const char *directory = getenv("FIX");
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_tree *t;
	char path[4096];

	(void)state;
	if (!directory)
		testing_skip("FIX, the directory of the fixtures, is not set");
	snprintf(path, sizeof(path), "%s/good-first.cresset", directory);
	assert_int_equal(cr_store_open(path, CR_STORE_ALL, &p, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	assert_true(p->samples.n > 0 && p->n_maps > 0 && p->n_lines > 0);
	for (uint32_t i = 0; i < p->n_lines; i++)
		assert_int_equal(p->lines[i].file.len, 0);
	t = cr_default_tree_fold(p, (cr_event_id){0});
	assert_true(t->total[0][0] == p->events[0].weight);
	cr_tree_free(t);
	cr_profile_free(p);
}

static void
test_every_prefix_is_refused(void **state)
{
	struct image im = image_of(*state, &shapes[1]);

	for (size_t len = 0; len < im.len; len++) {
		struct image cut = {malloc(len ? len : 1), len};
		struct cr_profile *q;
		struct cr_log log;
		struct cr_err err;
		const int rc =
			(memcpy(cut.p, im.p, len), image_read(&cut, CR_STORE_ALL, &q, &log, &err));

		assert_true(rc == CR_EFORMAT || rc == CR_ETRUNC);
		assert_null(q);
		free(cut.p);
	}
	free(im.p);
}

static void
test_bytes_behind_the_end_are_refused(void **state)
{
	struct image im = image_of(*state, &shapes[1]);
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;

	im.p = realloc(im.p, im.len + 1);
	im.p[im.len++] = 0;
	assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_ETRUNC);
	free(im.p);
}

/* Bytes, sizes and checksums change places: only that the sum knows its block's number tells. */
static void
test_two_blocks_in_each_others_place_are_found(void **state)
{
	const struct bed *bed = *state;
	struct image im = image_of(bed, &shapes[0]);
	struct cr_directory dir = image_directory(&im);
	const struct cr_section *s = section_of(&dir, CR_SECTION_COLUMN + CR_SAMPLE_NODE);
	struct cr_block *a = &dir.blocks[s->first_block], *b = a;
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;
	struct cr_block keep;

	for (uint32_t k = 1; k < s->n_blocks && a == b; k++)
		if (a[k].stored_bytes == a->stored_bytes && a[k].rows == a->rows)
			b = &a[k];
	assert_true(a != b);
	for (uint32_t i = 0; i < a->stored_bytes; i++) {
		const unsigned char byte = im.p[a->offset + i];

		im.p[a->offset + i] = im.p[b->offset + i];
		im.p[b->offset + i] = byte;
	}
	keep = *a;
	a->sum = b->sum;
	b->sum = keep.sum;
	image_reseal(&im, &dir, "");
	assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_OK);
	loss_is_reported(bed, CR_OK, q, &log, &err);
	assert_true(q->samples.n == 0 && q->n_nodes > 0);
	cr_profile_free(q);
	cr_directory_fini(&dir);
	free(im.p);
}

static void
test_a_lost_tree_takes_the_samples_with_it(void **state)
{
	static const struct {
		uint32_t id;
		bool tree, samples, maps, fields, code, at_once;
	} cases[] = {
		{CR_SECTION_TREE_NODES, false, false, true, true, true, false},
		{CR_SECTION_TREE_WAYS, false, false, true, true, true, false},
		{CR_SECTION_LINES, false, false, true, true, true, false},
		{CR_SECTION_TASKS, true, false, true, true, true, true},
		{CR_SECTION_MAPS, true, true, false, true, true, false},
		{CR_SECTION_COLUMN + CR_SAMPLE_TIME, true, true, true, true, true, false},
		{CR_SECTION_COLUMN + CR_SAMPLE_WEIGHT, true, false, true, true, true, false},
		{CR_SECTION_COLUMN + CR_SAMPLE_TASK, true, false, true, true, true, false},
		{CR_SECTION_COLUMN + CR_SAMPLE_NODE, true, false, true, true, true, false},
		{CR_SECTION_COLUMN + CR_SAMPLE_CPU, true, true, true, true, true, false},
		{CR_SECTION_COLUMN + CR_SAMPLE_EVENT, true, false, true, true, true, false},
		{CR_SECTION_ZONES, true, true, true, true, true, true},
		{CR_SECTION_QUALITY, true, true, true, true, true, true},
		{CR_SECTION_FIELDS, true, true, true, false, true, true},
		{CR_SECTION_VALUES, true, true, true, false, true, false},
		{CR_SECTION_TEXTS, true, true, true, false, true, false},
		{CR_SECTION_CODES, true, true, true, true, false, false},
		{CR_SECTION_SOURCE_LINES, true, true, true, true, false, false},
		{CR_SECTION_SOURCES, true, true, true, true, false, false},
		{CR_SECTION_THREADS, true, true, true, true, true, true},
		{CR_SECTION_FUNCTION_SIZES, true, true, true, true, true, false},
	};
	const struct bed *bed = *state;

	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct image im = image_of(bed, &shapes[1]);
		struct cr_directory dir = image_directory(&im);
		struct cr_profile *q;
		struct cr_log log;
		struct cr_err err;

		im.p[dir.blocks[section_of(&dir, cases[i].id)->first_block].offset] ^= 1;
		assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_OK);
		loss_is_reported(bed, CR_OK, q, &log, &err);
		assert_int_equal(q->n_nodes > 0, cases[i].tree);
		assert_int_equal(q->samples.n > 0, cases[i].samples);
		assert_int_equal(q->n_maps > 0, cases[i].maps);
		assert_int_equal(q->n_fields > 0, cases[i].fields);
		assert_int_equal(q->n_codes + q->n_source_lines > 0, cases[i].code);
		assert_int_equal(q->n_threads > 0, cases[i].id != CR_SECTION_THREADS);
		assert_int_equal(
			q->functions[1].size > 0, cases[i].id != CR_SECTION_FUNCTION_SIZES);
		cr_profile_free(q);

		/* What is not read is not missed. */
		assert_int_equal(image_read(&im, CR_STORE_DEFAULT_TREE, &q, &log, &err), CR_OK);
		assert_int_equal(log.n > 0, cases[i].at_once);
		cr_profile_free(q);
		cr_directory_fini(&dir);
		free(im.p);
	}
}

/* Damage that no checksum tells: what somebody made. Each costs the fields and nothing else. */
static void
test_details_that_are_none_are_lost_alone(void **state)
{
	struct bed *bed = *state;
	const struct cr_field *const kept = bed->p->fields;
	const uint32_t n_texts = bed->p->n_texts;

	for (int i = 0; i < 9; i++) {
		struct cr_field *d = cr_memdup(kept, bed->p->n_fields * sizeof(*d));
		struct cr_field *text = NULL;
		struct cr_profile *q;
		struct cr_log log;
		struct cr_err err;
		struct image im;

		for (uint32_t k = 0; k < bed->p->n_fields && !text; k++)
			text = d[k].form == CR_FORM_TEXT ? &d[k] : NULL;
		switch (i) {
		case 0: d[0].event.i = 9; break;
		case 1: d[0].event.i = 1; break; /* not by event, and of another length */
		case 2: d[0].n--; break;
		case 3: d[0].form = CR_FORMS; break;
		case 4: d[0].have = 0; break;
		case 5: d[0].least--; break;
		case 6: d[0].most++; break;
		case 7: text->distinct++; break;
		case 8: bed->p->n_texts = 1; break; /* texts that are not there */
		}
		bed->p->fields = d;
		im = image_of(bed, &shapes[1]);
		bed->p->fields = kept;
		bed->p->n_texts = n_texts;
		assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_OK);
		assert_int_equal(q->n_fields + q->n_texts, 0);
		loss_is_reported(bed, CR_OK, q, &log, &err);
		assert_int_equal(log.n, 1);
		assert_true(q->flags & CR_PROFILE_HAS_SAMPLES);
		cr_profile_free(q);
		free(im.p);
		free(d);
	}
}

static void
test_a_detail_that_is_the_same_all_over_takes_no_room(void **state)
{
	struct image im = image_of(*state, &(struct cr_store_shape){CR_BLOCK_ROWS, 0});
	struct cr_directory dir = image_directory(&im);
	const struct cr_section *s = section_of(&dir, CR_SECTION_VALUES);
	uint32_t bare = 0;

	for (uint32_t k = 0; k < s->n_blocks; k++)
		bare += dir.blocks[s->first_block + k].stored_bytes == CR_COLUMN_HEAD;
	assert_int_equal(bare, 1); /* "cgroup" */
	cr_directory_fini(&dir);
	free(im.p);
}

/* ---- other versions */

static void
test_a_store_from_before_details_has_none(void **state)
{
	struct bed *bed = *state;
	struct image im;
	struct cr_directory dir;
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;

	bed->p->n_fields = bed->p->n_texts = 0;
	im = image_of(bed, &shapes[1]);
	dir = image_directory(&im);
	for (uint32_t id = CR_SECTION_FIELDS; id <= CR_SECTION_TEXTS; id++)
		assert_null(cr_directory_find(&dir, id));
	assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	same_profile(bed->p, q);
	cr_profile_free(q);
	cr_directory_fini(&dir);
	free(im.p);
}

/* A zone that is not its rows', with checksums that are right: somebody made it. */
static void
test_zones_that_lie_are_verified(void **state)
{
	const struct bed *bed = *state;
	struct image im = image_of(bed, &shapes[0]);
	struct cr_directory dir = image_directory(&im);
	struct cr_block *b = &dir.blocks[section_of(&dir, CR_SECTION_ZONES)->first_block];
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	int fd;

	im.p[b->offset + 2]++; /* the base of the least times, in its lowest byte */
	b->sum = cr_block_sum(im.p + b->offset, b, CR_SECTION_ZONES, 0);
	image_reseal(&im, &dir, "");
	fd = open(bed->path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, im.p, im.len), im.len);
	close(fd);
	assert_int_equal(cr_store_verify(bed->path, &log, &err), CR_EFORMAT);
	assert_non_null(strstr(err.text, "zones"));
	cr_directory_fini(&dir);
	free(im.p);
}

static void
test_a_section_of_an_unknown_id_is_passed_over_but_verified(void **state)
{
	const struct bed *bed = *state;
	struct image im = image_of(bed, &shapes[1]);
	struct cr_directory dir = image_directory(&im);
	struct cr_block b = {.stored_bytes = 6, .raw_bytes = 6, .rows = 1};
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;
	int fd;

	dir.sections = realloc(dir.sections, (dir.n_sections + 1) * sizeof(*dir.sections));
	dir.blocks = realloc(dir.blocks, (dir.n_blocks + 1) * sizeof(*dir.blocks));
	b.offset = dir.blocks[dir.n_blocks - 1].offset + dir.blocks[dir.n_blocks - 1].stored_bytes;
	b.sum = cr_block_sum("future", &b, 999, 0);
	dir.sections[dir.n_sections++] = (struct cr_section){999, 7, 1, dir.n_blocks, 1};
	dir.blocks[dir.n_blocks++] = b;
	image_reseal(&im, &dir, "future");
	assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	same_profile(bed->p, q);
	cr_profile_free(q);

	im.p[b.offset] ^= 1;
	fd = open(bed->path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, im.p, im.len), im.len);
	close(fd);
	assert_int_equal(cr_store_verify(bed->path, &log, &err), CR_EFORMAT);
	assert_true(err.offset == b.offset);
	cr_directory_fini(&dir);
	free(im.p);
}

static void
test_a_section_of_a_newer_version_says_so(void **state)
{
	static const struct {
		uint32_t id;
		bool refused;
	} cases[] = {
		{CR_SECTION_SUMMARY, true},
		{CR_SECTION_STRINGS, true},
		{CR_SECTION_DEFAULT_TREE_NODES, true},
		{CR_SECTION_DEFAULT_TREE_WAYS, true},
		{CR_SECTION_COLUMN + CR_SAMPLE_NODE, false},
		{CR_SECTION_TREE_NODES, false},
		{CR_SECTION_TREE_WAYS, false},
		{CR_SECTION_FIELDS, false},
		{CR_SECTION_VALUES, false},
		{CR_SECTION_TEXTS, false},
		{CR_SECTION_ZONES, false},
		{CR_SECTION_CODES, false},
		{CR_SECTION_SOURCE_LINES, false},
		{CR_SECTION_SOURCES, false},
		{CR_SECTION_THREADS, false},
		{CR_SECTION_FUNCTION_SIZES, false},
	};
	const struct bed *bed = *state;

	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct image im = image_of(bed, &shapes[1]);
		struct cr_directory dir = image_directory(&im);
		struct cr_profile *q;
		struct cr_log log;
		struct cr_err err;
		int rc;

		section_of(&dir, cases[i].id)->version = 9;
		image_reseal(&im, &dir, "");
		rc = image_read(&im, CR_STORE_ALL, &q, &log, &err);
		assert_int_equal(rc, cases[i].refused ? CR_EUNSUPPORTED : CR_OK);
		if (rc < 0)
			assert_non_null(strstr(err.text, "written by a newer cresset"));
		else
			assert_non_null(strstr(log.entries[0].first, "written by a newer cresset"));
		cr_profile_free(q);
		cr_directory_fini(&dir);
		free(im.p);
	}
}

static void
test_a_newer_format_says_so(void **state)
{
	struct image im = image_of(*state, &shapes[1]);
	struct cr_profile *q;
	struct cr_log log;
	struct cr_err err;
	uint64_t sum;

	im.p[8] = CR_STORE_FORMAT_KNOWN + 1;
	sum = cr_digest(im.p, 16);
	for (unsigned k = 0; k < 8; k++)
		im.p[16 + k] = (unsigned char)(sum >> (8 * k));
	assert_int_equal(image_read(&im, CR_STORE_ALL, &q, &log, &err), CR_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "written by a newer cresset"));
	free(im.p);
}

static void
test_other_files_are_not_stores(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} cases[] = {
		{"", 0},
		{"PERFILE2", 8},
		{"\x89"
		 "CRS\r\n\x1a",
			7},
		{"\x89"
		 "CRS\n\n\x1a\n",
			8},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *q;
		struct cr_log log = {0};
		struct cr_err err = CR_ERR_INIT;

		assert_false(cr_store_is(cases[i].bytes, cases[i].len));
		assert_int_equal(cr_store_read((const unsigned char *)cases[i].bytes, cases[i].len,
					 CR_STORE_ALL, false, &q, &log, &err),
			CR_EFORMAT);
	}
	assert_true(cr_store_is(CR_STORE_MAGIC, 8));
}

static void
test_a_missing_file_is_not_found(void **state)
{
	const struct bed *bed = *state;
	struct cr_profile *q;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;

	assert_int_equal(cr_store_open(bed->path, CR_STORE_ALL, &q, &log, &err), CR_ENOTFOUND);
	assert_int_equal(cr_store_peek(bed->path, &q, &err), CR_ENOTFOUND);
	assert_int_equal(cr_store_verify(bed->path, &log, &err), CR_ENOTFOUND);
}

/* ---- writing */

static int
files_in(const char *directory)
{
	DIR *d = opendir(directory);
	int n = -2; /* . and .. */

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void
test_a_full_disk_leaves_what_was_there(void **state)
{
	static const rlim_t limits[] = {0, 1, 24, 700, 1500};
	const struct bed *bed = *state;
	const struct image before = image_of(bed, &shapes[3]);
	void (*const old)(int) = signal(SIGXFSZ, SIG_IGN);
	struct rlimit keep, small;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &keep), 0);
	for (size_t i = 0; i < CR_LEN(limits); i++) {
		struct cr_err err = CR_ERR_INIT;
		int rc;

		small = (struct rlimit){limits[i], keep.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		rc = cr_store_write(bed->path, bed->p, CR_STORE_REPLACE, &err);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &keep), 0);
		assert_int_equal(rc, CR_EIO);
		assert_int_equal(strncmp(err.text, "cannot write: ", 14), 0);
		assert_int_equal(files_in(bed->directory), 1);
	}
	signal(SIGXFSZ, old);
	free(before.p);
}

static void
test_a_folder_that_is_not_there_is_told(void **state)
{
	const struct bed *bed = *state;
	struct cr_err err = CR_ERR_INIT;
	char path[128];

	snprintf(path, sizeof(path), "%s/none/x.cresset", bed->directory);
	assert_int_equal(cr_store_write(path, bed->p, CR_STORE_REPLACE, &err), CR_EIO);
	assert_int_equal(cr_store_write(bed->directory, bed->p, CR_STORE_REPLACE, &err), CR_EIO);
	assert_int_equal(files_in(bed->directory), 0);
}

static void
test_writers_at_the_same_time_leave_one_whole_store(void **state)
{
	const struct bed *bed = *state;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	pid_t pids[4];

	for (size_t i = 0; i < CR_LEN(pids); i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			int rc = CR_OK;

			for (int k = 0; k < 20 && rc == CR_OK; k++)
				rc = cr_store_write_shaped(bed->path, bed->p, &shapes[i], &err);
			_exit(rc == CR_OK ? 0 : 1);
		}
	}
	for (size_t i = 0; i < CR_LEN(pids); i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(files_in(bed->directory), 1);
	assert_int_equal(cr_store_verify(bed->path, &log, &err), CR_OK);
}

static void
test_a_killed_writer_leaves_a_whole_store_and_no_litter(void **state)
{
	struct bed *bed = *state;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog c;

	cr_profile_free(bed->p);
	bed->p = sample_profile(5000);
	assert_int_equal(cr_store_write(bed->path, bed->p, CR_STORE_REPLACE, &err), CR_OK);
	for (unsigned i = 0; i < 20; i++) {
		const struct timespec pause = {0, 300000 + 700000 * (long)i};
		const pid_t pid = fork();

		if (pid == 0)
			for (;;)
				cr_store_write_shaped(bed->path, bed->p, &shapes[i % 2], &err);
		nanosleep(&pause, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_int_equal(cr_store_verify(bed->path, &log, &err), CR_OK);
	}
	assert_int_equal(cr_catalog_list(bed->directory, &c, &err), CR_OK);
	assert_int_equal(c.n, 1);
	cr_catalog_fini(&c);
	assert_int_equal(files_in(bed->directory), 1);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_what_is_stored_comes_back_table_for_table),
		test(test_profiles_around_the_size_of_a_group_come_back),
		test(test_more_rows_than_a_block_holds_come_back),
		test(test_the_same_profile_gives_the_same_bytes),
		test(test_only_the_parts_asked_for_are_there),
		test(test_columns_are_fetched_one_by_one_of_a_file_that_is_gone),
		test(test_a_profile_that_is_from_no_store_has_it_all),
		test(test_zones_are_the_least_and_most_of_each_block),
		test(test_zones_are_fetched_alone_and_completed),
		test(test_zones_that_lie_are_verified),
		test(test_what_was_not_read_is_known_and_stops_the_program),
		test(test_a_profile_without_an_outline_comes_back_without),
		test(test_a_peek_has_facts_and_events),
		test(test_every_changed_byte_is_found),
		test(test_with_the_files_of_lines_only_lines_are_lost),
		test(test_lines_in_the_files_of_their_functions_take_no_section),
		test(test_files_of_other_lines_than_there_are_are_lost),
		cmocka_unit_test(test_a_store_of_an_earlier_release_opens_as_before),
		test(test_every_prefix_is_refused),
		test(test_bytes_behind_the_end_are_refused),
		test(test_two_blocks_in_each_others_place_are_found),
		test(test_a_lost_tree_takes_the_samples_with_it),
		test(test_details_that_are_none_are_lost_alone),
		test(test_a_detail_that_is_the_same_all_over_takes_no_room),
		test(test_a_store_from_before_details_has_none),
		test(test_a_section_of_an_unknown_id_is_passed_over_but_verified),
		test(test_a_section_of_a_newer_version_says_so),
		test(test_a_newer_format_says_so),
		test(test_other_files_are_not_stores),
		test(test_a_missing_file_is_not_found),
		test(test_a_full_disk_leaves_what_was_there),
		test(test_a_folder_that_is_not_there_is_told),
		test(test_writers_at_the_same_time_leave_one_whole_store),
		test(test_a_killed_writer_leaves_a_whole_store_and_no_litter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
