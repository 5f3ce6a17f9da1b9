#include "cresset/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cresset/base/hash.h"
#include "cresset/base/text.h"
#include "cresset/base/vec.h"
#include "directory.h"
#include "layout.h"
#include "seams.h"
#include "value.h"

#define STRING_BLOCK_BYTES ((size_t)1 << 20)

struct writer {
	int fd;
	uint64_t at; /* bytes written so far */
	uint32_t group_rows;
	struct cr_packer *packer;
	struct cr_buf raw; /* the block that is being made */
	uint64_t *values;  /* of one column of it */
	CR_VEC(struct cr_section) sections;
	CR_VEC(struct cr_block) blocks;
	struct cr_index string_index;
	CR_VEC(struct cr_str) strings; /* by number; their bytes are the profile's */
	const struct cr_samples *samples; /* let go as they are written */
};

static int
write_all(struct writer *w, const void *bytes, size_t len, struct cr_err *err)
{
	const char *p = bytes;

	while (len) {
		const ssize_t n = write(w->fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cr_fail_errno(err, CR_EIO, "cannot write");
		p += n;
		len -= (size_t)n;
		w->at += (uint64_t)n;
	}
	return CR_OK;
}

static void
section_begin(struct writer *w, enum cr_section_id id)
{
	const struct cr_section s = {
		.id = id,
		.version = CR_SECTION_VERSION,
		.first_block = (uint32_t)w->blocks.n,
	};

	cr_vec_push(&w->sections, s);
}

/* Store what stands in w->raw as the next block of the section begun last. */
static int
block_put(struct writer *w, uint32_t rows, struct cr_err *err)
{
	struct cr_section *s = &w->sections.p[w->sections.n - 1];
	struct cr_block b = {.offset = w->at, .rows = rows};
	const void *stored;
	size_t stored_bytes;

	if (w->raw.n > CR_BLOCK_RAW_MAX)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"a block of %zu bytes is more than a store can hold", w->raw.n);
	stored = cr_packer_pack(w->packer, w->raw.p, w->raw.n, &stored_bytes);
	b.raw_bytes = (uint32_t)w->raw.n;
	b.stored_bytes = (uint32_t)stored_bytes;
	b.sum = cr_block_sum(stored, &b, s->id, s->n_blocks);
	cr_vec_push(&w->blocks, b);
	s->n_blocks++;
	s->rows += rows;
	w->raw.n = 0;
	return write_all(w, stored, stored_bytes, err);
}

static uint32_t
string_row(struct writer *w, struct cr_str s)
{
	const uint64_t h = cr_hash(s.p, s.len);
	uint32_t at = cr_index_first(&w->string_index, h), row;

	for (; (row = cr_index_row(&w->string_index, &at, h)) != CR_NO_ROW;
		at = cr_index_next(&w->string_index, at))
		if (cr_str_eq(w->strings.p[row], s))
			return row;
	row = (uint32_t)w->strings.n;
	cr_vec_push(&w->strings, s);
	cr_index_add(&w->string_index, h, row);
	return row;
}

#define GATHER(type)                                   \
	for (uint32_t i = 0; i < n; i++) {             \
		type x;                                \
		memcpy(&x, p + i * stride, sizeof(x)); \
		v[i] = x;                              \
	}

/* n values of a column, from p on every stride bytes, as numbers. */
static void
gather(struct writer *w, const struct cr_field *f, const unsigned char *p, size_t stride,
	uint32_t n)
{
	uint64_t *v = w->values;

	if (f->sense == CR_SENSE_STRING) {
		for (uint32_t i = 0; i < n; i++) {
			struct cr_str s;

			memcpy(&s, p + i * stride, sizeof(s));
			v[i] = string_row(w, s);
		}
		return;
	}
	switch (f->size) {
	case 1:
		GATHER(uint8_t);
		break;
	case 2:
		GATHER(uint16_t);
		break;
	case 4:
		GATHER(uint32_t);
		break;
	default:
		GATHER(uint64_t);
		break;
	}
}

static void
bend(const struct cr_field *f, uint64_t row, uint64_t *v, uint32_t n)
{
	if (f->sense == CR_SENSE_BACK)
		for (uint32_t i = 0; i < n; i++)
			v[i] = row + i - v[i];
	if (f->sense == CR_SENSE_OR_NONE)
		for (uint32_t i = 0; i < n; i++)
			v[i] = (uint32_t)(v[i] + 1);
}

/* bases: of the array of structs, or of each column's own array. */
static int
table_write(struct writer *w, enum cr_section_id id, uint64_t rows, const void *const *bases,
	struct cr_err *err)
{
	const struct cr_layout *lay = cr_layout_of(id);
	int rc = CR_OK;

	section_begin(w, id);
	for (uint64_t row = 0; row < rows && rc == CR_OK; row += w->group_rows) {
		const uint32_t n = (uint32_t)CR_MIN(rows - row, w->group_rows);

		for (uint32_t k = 0; k < lay->n_fields; k++) {
			const struct cr_field *f = &lay->fields[k];
			const size_t stride = lay->row_bytes ? lay->row_bytes : f->size;
			const unsigned char *base = bases[lay->row_bytes ? 0 : k];

			gather(w, f, base + row * stride + f->offset, stride, n);
			bend(f, row, w->values, n);
			cr_column_write(&w->raw, w->values, n, f->coding);
		}
		rc = block_put(w, n, err);
		if (id == CR_SECTION_SAMPLES)
			cr_samples_done(w->samples, row, row + n);
	}
	return rc;
}

static void
put_text(struct writer *w, struct cr_str s)
{
	cr_buf_int(&w->raw, s.len, 4);
	cr_buf_put(&w->raw, s.p, s.len);
}

static int
summary_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	section_begin(w, CR_SECTION_SUMMARY);
	cr_buf_int(&w->raw, p->flags, 4);
	cr_buf_int(&w->raw, p->n_spaces, 4);
	cr_buf_int(&w->raw, p->n_facts, 4);
	for (uint32_t i = 0; i < p->n_facts; i++) {
		put_text(w, p->facts[i].key);
		put_text(w, p->facts[i].value);
	}
	cr_buf_int(&w->raw, p->n_events, 4);
	for (uint32_t i = 0; i < p->n_events; i++) {
		put_text(w, p->events[i].name);
		put_text(w, p->events[i].unit);
		cr_buf_int(&w->raw, p->events[i].samples, 8);
		cr_buf_int(&w->raw, p->events[i].weight, 8);
	}
	return block_put(w, 1, err);
}

/* With its texts inside: what tells of damage should not depend on another section. */
static int
quality_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	int rc = CR_OK;

	section_begin(w, CR_SECTION_QUALITY);
	for (uint32_t row = 0; row < p->n_quality && rc == CR_OK; row += w->group_rows) {
		const uint32_t n = CR_MIN(p->n_quality - row, w->group_rows);

		for (uint32_t i = row; i < row + n; i++) {
			put_text(w, p->quality[i].what);
			cr_buf_int(&w->raw, p->quality[i].count, 8);
		}
		rc = block_put(w, n, err);
	}
	return rc;
}

/* A block of strings: a column of their lengths, then their bytes. */
static int
strings_write(struct writer *w, enum cr_section_id id, const struct cr_str *strings, size_t n, struct cr_err *err)
{
	int rc = CR_OK;

	section_begin(w, id);
	for (size_t row = 0, next = 0; row < n && rc == CR_OK; row = next) {
		size_t bytes = 0;

		for (; next < n && next - row < w->group_rows && bytes < STRING_BLOCK_BYTES;
			next++) {
			w->values[next - row] = strings[next].len;
			bytes += strings[next].len;
		}
		cr_column_write(&w->raw, w->values, (uint32_t)(next - row), CR_CODING_PLAIN);
		for (size_t i = row; i < next; i++)
			cr_buf_put(&w->raw, strings[i].p, strings[i].len);
		rc = block_put(w, (uint32_t)(next - row), err);
	}
	return rc;
}

/* A block has values of one detail alone: one that is the same all over takes no room then. */
static int
values_write(struct writer *w, const struct cr_detail *d, struct cr_err *err)
{
	int rc = CR_OK;

	for (uint64_t row = 0; row < d->n && rc == CR_OK; row += w->group_rows) {
		const uint32_t n = (uint32_t)CR_MIN(d->n - row, w->group_rows);

		memcpy(w->values, d->value + row, n * sizeof(*w->values));
		cr_value_bend(d->form, w->values, n);
		cr_column_write(&w->raw, w->values, n, cr_column_best(w->values, n));
		rc = block_put(w, n, err);
	}
	return rc;
}

/* Of a profile that was opened without them the values cannot be stored again; what is known of them is. */
static int
details_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	int rc;

	section_begin(w, CR_SECTION_VALUES);
	for (uint32_t i = 0; i < p->n_details && p->details[i].value; i++)
		if ((rc = values_write(w, &p->details[i], err)) < 0)
			return rc;
	if ((rc = strings_write(w, CR_SECTION_TEXTS, p->texts, p->n_texts, err)) < 0)
		return rc;
	return table_write(w, CR_SECTION_DETAILS, p->n_details, (const void *const[]){p->details}, err);
}

static int
outline_write(struct writer *w, const struct cr_outline *o, struct cr_err *err)
{
	int rc;

	if ((rc = table_write(w, CR_SECTION_WEIGHTS, (uint64_t)o->n * o->n_events,
		     (const void *const[]){o->self, o->self_samples}, err)) < 0)
		return rc;
	if ((rc = table_write(w, CR_SECTION_OUTLINE, o->n,
		     (const void *const[]){o->parent, o->frame}, err)) < 0)
		return rc;
	return table_write(w, CR_SECTION_FRAMES, o->n_frames,
		(const void *const[]){o->frame_function, o->frame_comm}, err);
}

/* Mostly the file is the function's, and the section is not there. */
static uint64_t
line_files(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_lines; i++)
		if (p->lines[i].file.len)
			return p->n_lines;
	return 0;
}

/*
 * What is read last comes first, so that what an opening needs lies side by side at the end of
 * the file. The strings follow all tables that use them.
 */
static int
sections_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	const struct cr_samples *s = w->samples = &p->samples;
	const struct {
		enum cr_section_id id;
		uint64_t rows;
		const void *bases[6];
	} tables[] = {
		{CR_SECTION_SAMPLES, s->n,
			{s->time_ns, s->weight, s->task, s->node, s->cpu, s->event}},
		{CR_SECTION_MAPS, p->n_maps, {p->maps}},
		{CR_SECTION_NODES, p->n_nodes, {p->node_parent, p->node_location}},
		{CR_SECTION_LINE_FILES, line_files(p), {p->lines}},
		{CR_SECTION_LINES, p->n_lines, {p->lines}},
		{CR_SECTION_LOCATIONS, p->n_locations, {p->locations}},
		{CR_SECTION_TASKS, p->n_tasks, {p->tasks}},
		{CR_SECTION_FUNCTIONS, p->n_functions, {p->functions}},
		{CR_SECTION_OBJECTS, p->n_objects, {p->objects}},
	};
	int rc;

	if (p->n_details && (rc = details_write(w, p, err)) < 0)
		return rc;
	for (size_t i = 0; i < CR_LEN(tables); i++)
		if ((tables[i].rows || tables[i].id != CR_SECTION_LINE_FILES) &&
		    (rc = table_write(w, tables[i].id, tables[i].rows, tables[i].bases, err)) < 0)
			return rc;
	if (p->outline && (rc = outline_write(w, p->outline, err)) < 0)
		return rc;
	if ((rc = strings_write(w, CR_SECTION_STRINGS, w->strings.p, w->strings.n, err)) < 0)
		return rc;
	if ((rc = quality_write(w, p, err)) < 0)
		return rc;
	return summary_write(w, p, err);
}

static int
file_write(struct writer *w, const struct cr_profile *p, struct cr_err *err)
{
	struct cr_directory dir;
	int rc;

	cr_directory_head(&w->raw);
	rc = write_all(w, w->raw.p, w->raw.n, err);
	w->raw.n = 0;
	if (rc < 0 || (rc = sections_write(w, p, err)) < 0)
		return rc;
	dir = (struct cr_directory){
		.sections = w->sections.p,
		.n_sections = (uint32_t)w->sections.n,
		.blocks = w->blocks.p,
		.n_blocks = (uint32_t)w->blocks.n,
	};
	cr_directory_write(&dir, w->at, &w->raw);
	if ((rc = write_all(w, w->raw.p, w->raw.n, err)) < 0)
		return rc;
	if (fsync(w->fd) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	return CR_OK;
}

/*
 * PATH.tmp.PID.RANDOM, which no other writer has. The lock tells cr_catalog_list() that its
 * writer lives, also where that is in another container and the pid says nothing.
 */
static int
temp_open(const char *path, char **temp, struct cr_err *err)
{
	int fd = -1;

	for (int tries = 0; fd < 0 && tries < 16; tries++) {
		struct cr_text t = {0};
		uint64_t salt = 0;

		if (getrandom(&salt, sizeof(salt), GRND_NONBLOCK) < 0)
			salt = (uint64_t)tries; /* O_EXCL is what keeps writers apart */
		cr_text_printf(&t, "%s.tmp.%ld.", path, (long)getpid());
		cr_text_hex(&t, salt);
		free(*temp);
		*temp = t.p;
		fd = open(*temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0) {
		cr_fail_errno(err, CR_EIO, "cannot write");
		free(*temp);
		*temp = NULL;
		return CR_EIO;
	}
	flock(fd, LOCK_EX | LOCK_NB);
	return fd;
}

/* The rename is on the disk only once its folder is. A file system that cannot do it is let be. */
static void
folder_sync(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? cr_memdup(path, (size_t)(slash - path) + 1) : cr_strdup(".");
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

int
cr_store_write_shaped(const char *path, const struct cr_profile *p,
	const struct cr_store_shape *shape, struct cr_err *err)
{
	struct writer w = {.fd = -1, .group_rows = shape->group_rows};
	char *temp = NULL;
	int rc;

	if ((rc = w.fd = temp_open(path, &temp, err)) < 0)
		return rc;
	w.packer = cr_packer_new(shape->level);
	w.values = cr_alloc(w.group_rows, sizeof(*w.values));
	if ((rc = file_write(&w, p, err)) < 0)
		goto out;
	if (rename(temp, path) < 0) {
		rc = cr_fail_errno(err, CR_EIO, "cannot write");
		goto out;
	}
	folder_sync(path);
out:
	if (rc < 0)
		unlink(temp);
	close(w.fd); /* after fsync() nothing is left that it could fail on */
	free(temp);
	cr_packer_free(w.packer);
	free(w.values);
	free(w.raw.p);
	cr_vec_fini(&w.sections);
	cr_vec_fini(&w.blocks);
	cr_vec_fini(&w.strings);
	cr_index_fini(&w.string_index);
	return rc;
}

int
cr_store_write(const char *path, const struct cr_profile *p, struct cr_err *err)
{
	static const struct cr_store_shape shape = CR_STORE_SHAPE_INIT;

	return cr_store_write_shaped(path, p, &shape, err);
}
