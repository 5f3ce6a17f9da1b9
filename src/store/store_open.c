#include "cresset/store/store.h"

#include <stdlib.h>
#include <string.h>

#include "cresset/base/text.h"
#include "cresset/bytes/source.h"
#include "opening.h"
#include "seams.h"
#include "store_check.h"
#include "value.h"

/*
 * A store may unpack to this much, whatever its size, and to this many times its size. Real
 * ones unpack to 5 to 20 times; what a small file can be made to ask for is held here.
 */
#define UNPACK_FREE ((uint64_t)256 << 20)
#define UNPACK_RATIO ((uint64_t)8192)

#define FLAGS_KNOWN                                                                             \
	(CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_ADDR | \
		CR_PROFILE_HAS_SAMPLES | CR_PROFILE_IN_PART | CR_PROFILE_NO_COMM_ROOT | CR_PROFILE_SYMBOL_NAMES)

static struct cr_str
take_text(struct cr_cursor *c)
{
	const uint32_t len = cr_cursor_u32(c);
	const char *p = (const char *)cr_cursor_take(c, len);

	return p ? (struct cr_str){p, len} : (struct cr_str){"", 0};
}

static int
summary_read(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	const struct cr_section *s;
	struct cr_fact *facts;
	struct cr_event *events;
	struct cr_cursor c;
	int rc;

	if ((rc = cr_opening_section(o, CR_SECTION_SUMMARY, &s, err)) < 0)
		return rc;
	if (s->n_blocks != 1)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the summary has %u blocks, not 1",
			s->n_blocks);
	if ((rc = cr_opening_texts(o, s, 0, &c, err)) < 0)
		return rc;
	o->stored_flags = cr_cursor_u32(&c) & FLAGS_KNOWN;
	p->flags = o->stored_flags & ~(uint32_t)CR_PROFILE_HAS_SAMPLES;
	p->n_spaces = cr_cursor_u32(&c);
	p->n_facts = cr_cursor_count(&c, 8);
	p->facts = facts = cr_opening_room(o, p->n_facts, sizeof(*facts), err);
	if (!facts)
		return err->code;
	for (uint32_t i = 0; i < p->n_facts; i++) {
		facts[i].key = take_text(&c);
		facts[i].value = take_text(&c);
	}
	p->n_events = cr_cursor_count(&c, 24);
	p->events = events = cr_opening_room(o, p->n_events, sizeof(*events), err);
	if (!events)
		return err->code;
	for (uint32_t i = 0; i < p->n_events; i++) {
		events[i].name = take_text(&c);
		events[i].unit = take_text(&c);
		events[i].samples = cr_cursor_u64(&c);
		events[i].weight = cr_cursor_u64(&c);
	}
	if (c.bad || cr_cursor_left(&c) || p->n_events > UINT16_MAX + 1)
		return cr_opening_damaged(s, cr_opening_block(o, s, 0), "its counts are off", err);
	return CR_OK;
}

static int
quality_block(struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_quality *rows, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	struct cr_cursor c;
	int rc;

	if ((rc = cr_opening_texts(o, s, number, &c, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < b->rows; i++) {
		rows[i].what = take_text(&c);
		rows[i].count = cr_cursor_u64(&c);
	}
	return c.bad || cr_cursor_left(&c) ? cr_opening_damaged(s, b, "its counts are off", err)
					   : CR_OK;
}

static int
quality_read(struct cr_opening *o, struct cr_err *err)
{
	const struct cr_section *s;
	struct cr_quality *rows;
	uint32_t row = 0;
	int rc;

	if ((rc = cr_opening_section(o, CR_SECTION_QUALITY, &s, err)) < 0)
		return rc;
	rows = cr_opening_room(o, s->rows, sizeof(*rows), err);
	if (!rows)
		return err->code;
	for (uint32_t k = 0; k < s->n_blocks; row += cr_opening_block(o, s, k++)->rows)
		if ((rc = quality_block(o, s, k, rows + row, err)) < 0)
			return rc;
	o->p->quality = rows;
	o->p->n_quality = (uint32_t)s->rows;
	return CR_OK;
}

static int
strings_block(struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_str *rows, struct cr_err *err)
{
	const struct cr_block *b = cr_opening_block(o, s, number);
	struct cr_cursor c;
	int rc;

	if ((rc = cr_opening_texts(o, s, number, &c, err)) < 0)
		return rc;
	if (!cr_column_read(&c, o->values, b->rows))
		return cr_opening_damaged(s, b, "the lengths end early", err);
	for (uint32_t i = 0; i < b->rows; i++) {
		const char *p = (const char *)cr_cursor_take(&c, o->values[i]);

		if (!p || o->values[i] > UINT32_MAX)
			return cr_opening_damaged(s, b, "a text ends early", err);
		rows[i] = (struct cr_str){p, (uint32_t)o->values[i]};
	}
	return cr_cursor_left(&c) ? cr_opening_damaged(s, b, "bytes behind the last text", err)
				  : CR_OK;
}

/* Into rows, which the caller made for the s->rows of the section. */
static int
strings_fill(struct cr_opening *o, const struct cr_section *s, struct cr_str *rows, struct cr_err *err)
{
	uint32_t row = 0;
	int rc;

	for (uint32_t k = 0; k < s->n_blocks; row += cr_opening_block(o, s, k++)->rows)
		if ((rc = strings_block(o, s, k, rows + row, err)) < 0)
			return rc;
	return CR_OK;
}

static int
strings_read(struct cr_opening *o, struct cr_err *err)
{
	const struct cr_section *s;
	int rc;

	if ((rc = cr_opening_section(o, CR_SECTION_STRINGS, &s, err)) < 0)
		return rc;
	o->strings = cr_opening_heap(o, s->rows, sizeof(*o->strings), err);
	return o->strings ? strings_fill(o, s, o->strings, err) : (int)err->code;
}

static int
names_read(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	int rc;

	if ((rc = strings_read(o, err)) < 0)
		return rc;
	p->objects = cr_opening_structs(o, CR_SECTION_OBJECTS, &p->n_objects, err);
	if (!p->objects)
		return err->code;
	p->functions = cr_opening_structs(o, CR_SECTION_FUNCTIONS, &p->n_functions, err);
	if (!p->functions)
		return err->code;
	if (p->n_objects == 0 || p->n_functions == 0)
		return cr_fail(
			err, CR_EFORMAT, CR_NO_OFFSET, "the names have no row 0, the unknown");
	return CR_OK;
}

static int
outline_read(struct cr_opening *o, struct cr_err *err)
{
	void *nodes[2], *weights[2], *frames[2];
	uint64_t n, n_weights, n_frames;
	struct cr_outline *out;
	int rc;

	if (!cr_directory_find(&o->dir, CR_SECTION_OUTLINE))
		return CR_OK; /* the profile had none */
	if ((rc = cr_opening_arrays(o, CR_SECTION_FRAMES, frames, &n_frames, err)) < 0)
		return rc;
	if ((rc = cr_opening_arrays(o, CR_SECTION_OUTLINE, nodes, &n, err)) < 0)
		return rc;
	if ((rc = cr_opening_arrays(o, CR_SECTION_WEIGHTS, weights, &n_weights, err)) < 0)
		return rc;
	out = cr_arena_alloc(&o->p->arena, sizeof(*out));
	*out = (struct cr_outline){
		.n = (uint32_t)n,
		.n_frames = (uint32_t)n_frames,
		.n_events = o->p->n_events,
		.parent = nodes[0],
		.frame = nodes[1],
		.frame_function = frames[0],
		.frame_comm = frames[1],
		.self = weights[0],
		.self_samples = weights[1],
	};
	if (n_weights != n * out->n_events || !cr_store_check_outline(out, o->p->events))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the outline does not hang together");
	o->p->outline = out;
	return CR_OK;
}

static int
tasks_read(struct cr_opening *o, struct cr_err *err)
{
	o->p->tasks = cr_opening_structs(o, CR_SECTION_TASKS, &o->p->n_tasks, err);
	return o->p->tasks ? CR_OK : err->code;
}

/* Go on without a part of the store, and say so wherever the profile is shown. */
static void
lose(struct cr_opening *o, const char *part, const struct cr_err *err)
{
	struct cr_arena *a = &o->p->arena;
	struct cr_text t = {0};

	cr_log_warn(o->log, "part of the store lost", err->offset, "%s lost: %s", part, err->text);
	cr_text_printf(&t, "%s lost: %s", part, err->text);
	if (err->offset != CR_NO_OFFSET)
		cr_text_printf(&t, " at offset %llu", (unsigned long long)err->offset);
	cr_vec_push(&o->lost,
		((struct cr_quality){{cr_arena_copy(a, t.p, t.len), (uint32_t)t.len}, 1}));
	o->p->flags |= CR_PROFILE_IN_PART;
	cr_text_fini(&t);
}

/*
 * A number without its file is of no use, and with the function's file it may be wrong: lines are lost with
 * the files that some of them have.
 */
static void
line_files_read(struct cr_opening *o, struct cr_line *lines)
{
	struct cr_err err = CR_ERR_INIT;

	if (!cr_directory_find(&o->dir, CR_SECTION_LINE_FILES))
		return; /* no line has one, or the store is of a release before them */
	if (cr_opening_fields(o, CR_SECTION_LINE_FILES, lines, o->p->n_lines, &err) == CR_OK)
		return;
	for (uint32_t i = 0; i < o->p->n_lines; i++)
		lines[i] = (struct cr_line){.function = lines[i].function};
	lose(o, "source lines", &err);
}

static int
tree_load(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	struct cr_line *lines;
	void *nodes[2];
	uint32_t *end;
	uint64_t n;
	int rc;

	p->locations = cr_opening_structs(o, CR_SECTION_LOCATIONS, &p->n_locations, err);
	if (!p->locations)
		return err->code;
	p->lines = lines = cr_opening_structs(o, CR_SECTION_LINES, &p->n_lines, err);
	if (!lines)
		return err->code;
	line_files_read(o, lines);
	if (!cr_store_check_locations(p))
		return cr_fail(
			err, CR_EFORMAT, CR_NO_OFFSET, "a location has lines that are not there");
	if ((rc = cr_opening_arrays(o, CR_SECTION_NODES, nodes, &n, err)) < 0)
		return rc;
	end = cr_opening_room(o, n, sizeof(*end), err);
	if (!end)
		return err->code;
	/* The ends are not stored: if the parents are those of a preorder, they say it. */
	if (!cr_store_check_preorder(nodes[0], (uint32_t)n, end) || (n > 1 && p->n_locations == 0))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the location tree is not one");
	p->n_nodes = (uint32_t)n;
	p->node_parent = nodes[0];
	p->node_location = nodes[1];
	p->node_end = end;
	return CR_OK;
}

static int
tree_read(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	const int rc = tree_load(o, err);

	if (rc < 0) {
		p->n_locations = p->n_lines = 0;
		p->locations = NULL;
		p->lines = NULL;
	}
	return rc;
}

static int
maps_read(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;

	p->maps = cr_opening_structs(o, CR_SECTION_MAPS, &p->n_maps, err);
	if (!p->maps)
		return err->code;
	if (cr_store_check_maps(p->maps, p->n_maps))
		return CR_OK;
	p->maps = NULL;
	p->n_maps = 0;
	return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the mappings are out of order");
}

static int
samples_read(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	struct cr_samples s = {0};
	void *columns[6];
	int rc;

	if ((rc = cr_opening_arrays(o, CR_SECTION_SAMPLES, columns, &s.n, err)) < 0)
		return rc;
	s.time_ns = columns[0];
	s.weight = columns[1];
	s.task = columns[2];
	s.node = columns[3];
	s.cpu = columns[4];
	s.event = columns[5];
	if (!cr_store_check_samples(&s, p))
		return cr_fail(
			err, CR_EFORMAT, CR_NO_OFFSET, "the samples do not add up to the events");
	p->samples = s;
	p->flags |= o->stored_flags & CR_PROFILE_HAS_SAMPLES;
	return CR_OK;
}

static int
texts_read(struct cr_opening *o, struct cr_err *err)
{
	const struct cr_section *s;
	struct cr_str *texts;
	int rc;

	if ((rc = cr_opening_section(o, CR_SECTION_TEXTS, &s, err)) < 0)
		return rc;
	texts = cr_opening_room(o, s->rows, sizeof(*texts), err);
	if (!texts)
		return err->code;
	o->p->texts = texts;
	o->p->n_texts = (uint32_t)s->rows;
	return strings_fill(o, s, texts, err);
}

/* The values of all details stand one behind the other. */
static int
values_read(struct cr_opening *o, struct cr_detail *details, struct cr_err *err)
{
	uint64_t n, want = 0;
	void *column;
	uint64_t *v;
	int rc;

	if ((rc = cr_opening_arrays(o, CR_SECTION_VALUES, &column, &n, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < o->p->n_details; i++)
		want = cr_add_sat(want, details[i].n);
	if (want != n)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the details have %llu values, not %llu",
			(unsigned long long)n, (unsigned long long)want);
	v = column;
	for (uint32_t i = 0; i < o->p->n_details; v += details[i++].n) {
		cr_value_straighten(details[i].form, v, details[i].n);
		details[i].value = v;
	}
	if (!cr_store_check_values(details, o->p->n_details, o->p->n_texts))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the values are not those of the details");
	return CR_OK;
}

static int
details_load(struct cr_opening *o, bool values, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	struct cr_detail *details;
	int rc;

	if (!cr_directory_find(&o->dir, CR_SECTION_DETAILS))
		return CR_OK; /* the profile had none, or is of a release before them */
	p->details = details = cr_opening_structs(o, CR_SECTION_DETAILS, &p->n_details, err);
	if (!details)
		return err->code;
	if (!cr_store_check_details(details, p->n_details, p->events))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the details are not those of the events");
	if (!values)
		return CR_OK;
	if ((rc = texts_read(o, err)) < 0)
		return rc;
	return values_read(o, details, err);
}

static int
details_read(struct cr_opening *o, bool values, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	const int rc = details_load(o, values, err);

	if (rc < 0) {
		p->n_details = p->n_texts = 0;
		p->details = NULL;
		p->texts = NULL;
	}
	return rc;
}

static void
optional_read(struct cr_opening *o, unsigned parts)
{
	struct cr_err err = CR_ERR_INIT;
	bool tasks = true, tree = false;

	if (quality_read(o, &err) < 0)
		lose(o, "quality", &err);
	if (tasks_read(o, &err) < 0) {
		tasks = false;
		o->p->flags &= ~(uint32_t)CR_PROFILE_HAS_TASK;
		lose(o, "threads", &err);
	}
	if (details_read(o, parts & CR_STORE_DETAILS, &err) < 0)
		lose(o, "details", &err);
	if (parts & (CR_STORE_TREE | CR_STORE_SAMPLES)) {
		tree = tree_read(o, &err) == CR_OK;
		if (!tree)
			lose(o, "location tree", &err);
	}
	if (!(parts & CR_STORE_SAMPLES))
		return;
	if (!tasks || !tree) {
		lose(o, "samples", &err); /* they point into what is gone */
		return;
	}
	if (maps_read(o, &err) < 0)
		lose(o, "mappings", &err);
	if (samples_read(o, &err) < 0)
		lose(o, "samples", &err);
}

/* Put what was lost behind what the recording itself lacked. */
static void
quality_finish(struct cr_opening *o)
{
	struct cr_profile *p = o->p;
	struct cr_quality *all;

	if (o->lost.n == 0)
		return;
	all = cr_arena_alloc(&p->arena, (p->n_quality + o->lost.n) * sizeof(*all));
	if (p->n_quality)
		memcpy(all, p->quality, p->n_quality * sizeof(*all));
	memcpy(all + p->n_quality, o->lost.p, o->lost.n * sizeof(*all));
	p->quality = all;
	p->n_quality += (uint32_t)o->lost.n;
}

static void
bounds_set(struct cr_opening *o)
{
	static const struct {
		enum cr_bound bound;
		enum cr_section_id id;
		uint64_t least;
	} rows[] = {
		{CR_BOUND_STRINGS, CR_SECTION_STRINGS, 0},
		{CR_BOUND_OBJECTS, CR_SECTION_OBJECTS, 0},
		{CR_BOUND_FUNCTIONS, CR_SECTION_FUNCTIONS, 0},
		{CR_BOUND_TASKS, CR_SECTION_TASKS, 0},
		{CR_BOUND_FRAMES, CR_SECTION_FRAMES, 0},
		{CR_BOUND_OUTLINE, CR_SECTION_OUTLINE, 0},
		{CR_BOUND_LOCATIONS, CR_SECTION_LOCATIONS, 1}, /* the root's 0 means nothing */
		{CR_BOUND_LINES, CR_SECTION_LINES, 0},
		{CR_BOUND_NODES, CR_SECTION_NODES, 0},
	};

	for (size_t i = 0; i < CR_LEN(rows); i++) {
		const struct cr_section *s = cr_directory_find(&o->dir, rows[i].id);

		o->bound[rows[i].bound] = CR_MAX(s ? s->rows : 0, rows[i].least);
	}
	o->bound[CR_BOUND_SPACES] = CR_MAX(o->p->n_spaces, 1u);
	o->bound[CR_BOUND_EVENTS] = o->p->n_events;
	o->bound[CR_BOUND_KINDS] = CR_KINDS;
	o->bound[CR_BOUND_FORMS] = CR_FORMS;
	o->bound[CR_BOUND_BUILD_ID] = sizeof(((struct cr_object *)0)->build_id) + 1;
}

static int
opening_start(struct cr_opening *o, size_t len, struct cr_err *err)
{
	int rc;

	if ((rc = cr_directory_read(o->bytes, len, o->unchecked, &o->dir, err)) < 0)
		return rc;
	o->budget = cr_add_sat(UNPACK_FREE, (uint64_t)len * UNPACK_RATIO);
	o->unpacker = cr_unpacker_new();
	o->values = cr_alloc(CR_BLOCK_ROWS, sizeof(*o->values));
	o->p = cr_alloc(1, sizeof(*o->p));
	if ((rc = summary_read(o, err)) < 0)
		return rc;
	bounds_set(o);
	return CR_OK;
}

static void
opening_end(struct cr_opening *o)
{
	cr_profile_free(o->p);
	cr_directory_fini(&o->dir);
	cr_unpacker_free(o->unpacker);
	cr_vec_fini(&o->lost);
	free(o->values);
	free(o->raw);
	free(o->strings);
}

int
cr_store_read(const unsigned char *bytes, size_t len, unsigned parts, bool unchecked,
	struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	struct cr_opening o = {.bytes = bytes, .unchecked = unchecked, .log = log};
	int rc;

	*out = NULL;
	if ((rc = opening_start(&o, len, err)) < 0)
		goto out;
	if ((rc = names_read(&o, err)) < 0)
		goto out;
	if ((rc = outline_read(&o, err)) < 0)
		goto out;
	optional_read(&o, parts);
	quality_finish(&o);
	*out = o.p;
	o.p = NULL;
out:
	opening_end(&o);
	return rc;
}

static int
file_map(const char *path, struct cr_source **out, struct cr_err *err)
{
	return cr_source_open(path, CR_SOURCE_MAX_PIPE, out, err);
}

int
cr_store_open(const char *path, unsigned parts, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err)
{
	struct cr_source *src;
	int rc;

	*out = NULL;
	if ((rc = file_map(path, &src, err)) < 0)
		return rc;
	rc = cr_store_read(cr_source_bytes(src), cr_source_len(src), parts, false, out, log, err);
	cr_source_close(src);
	return rc;
}

int
cr_store_peek(const char *path, struct cr_profile **out, struct cr_err *err)
{
	struct cr_opening o = {0};
	struct cr_source *src;
	int rc;

	*out = NULL;
	if ((rc = file_map(path, &src, err)) < 0)
		return rc;
	o.bytes = cr_source_bytes(src);
	rc = opening_start(&o, cr_source_len(src), err);
	if (rc == CR_OK) {
		*out = o.p;
		o.p = NULL;
	}
	opening_end(&o);
	cr_source_close(src);
	return rc;
}

static int
blocks_check(struct cr_opening *o, size_t len, struct cr_log *log, struct cr_err *err)
{
	int first = CR_OK, rc;

	if ((rc = cr_directory_read(o->bytes, len, false, &o->dir, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < o->dir.n_sections; i++) {
		const struct cr_section *s = &o->dir.sections[i];

		for (uint32_t k = 0; k < s->n_blocks; k++) {
			struct cr_err e = CR_ERR_INIT;

			if (cr_opening_check(o, s, k, &e) == CR_OK)
				continue;
			cr_log_warn(log, "damaged block", e.offset, "%s", e.text);
			if (first == CR_OK) {
				*err = e;
				first = e.code;
			}
		}
	}
	return first;
}

int
cr_store_verify(const char *path, struct cr_log *log, struct cr_err *err)
{
	struct cr_opening o = {0};
	struct cr_profile *p = NULL;
	struct cr_source *src;
	size_t known;
	int rc;

	if ((rc = file_map(path, &src, err)) < 0)
		return rc;
	o.bytes = cr_source_bytes(src);
	if ((rc = blocks_check(&o, cr_source_len(src), log, err)) < 0)
		goto out;
	known = log->n;
	rc = cr_store_read(o.bytes, cr_source_len(src), CR_STORE_ALL, false, &p, log, err);
	/* Whole, but not as this version would have written it. */
	if (rc == CR_OK && log->n > known)
		rc = cr_fail(err, CR_EFORMAT, log->entries[known].offset, "%s",
			log->entries[known].first);
out:
	cr_profile_free(p);
	opening_end(&o);
	cr_source_close(src);
	return rc;
}
