#include "parts_p.h"

#include <stdlib.h>

#include "base/text.h"
#include "store/format/tree_code_p.h"
#include "store/format/tree_streams_p.h"
#include "store/format/value_p.h"
#include "store_check_p.h"

#define FLAGS_KNOWN                                                                             \
	(CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_ADDR | \
		CR_PROFILE_HAS_SAMPLES | CR_PROFILE_IN_PART | CR_PROFILE_NO_COMM_ROOT |         \
		CR_PROFILE_SYMBOL_NAMES | CR_PROFILE_FOLDED_NAMES | CR_PROFILE_ADDED_UP |       \
		CR_PROFILE_FLEET)

/*
 * Address spaces are numbered from 0; threads and mappings refer to them. Older releases also
 * counted spaces that nothing refers to. At most this many of those are accepted.
 */
#define SPACES_UNUSED ((uint64_t)1 << 20)

static bool
spaces_are_used(const struct cr_opening *o)
{
	const struct cr_section *tasks = cr_directory_find(&o->dir, CR_SECTION_TASKS);
	const struct cr_section *maps = cr_directory_find(&o->dir, CR_SECTION_MAPS);

	return o->p->n_spaces <= cr_add_sat(cr_add_sat(tasks ? tasks->rows : 0, SPACES_UNUSED),
					 maps ? maps->rows : 0);
}

static void
bounds_set(struct cr_opening *o)
{
	static const struct {
		enum cr_bound bound;
		enum cr_section_id id;
		uint64_t least;
	} rows[] = {
		/* The root's 0 is no reference. */
		{CR_BOUND_STRINGS, CR_SECTION_STRINGS, 0},
		{CR_BOUND_DSOS, CR_SECTION_DSOS, 0},
		{CR_BOUND_FUNCTIONS, CR_SECTION_FUNCTIONS, 0},
		{CR_BOUND_TASKS, CR_SECTION_TASKS, 0},
		{CR_BOUND_FRAMES, CR_SECTION_FRAMES, 0},
		{CR_BOUND_DEFAULT_TREE, CR_SECTION_DEFAULT_TREE, 0},
		{CR_BOUND_LOCATIONS, CR_SECTION_LOCATIONS, 1},
		{CR_BOUND_LINES, CR_SECTION_LINES, 0},
		{CR_BOUND_NODES, CR_SECTION_NODES, 0},
		{CR_BOUND_NODES, CR_SECTION_TREE_NODES, 0},
		{CR_BOUND_SOURCES, CR_SECTION_SOURCES, 0},
	};

	for (size_t i = 0; i < CR_LEN(rows); i++) {
		const struct cr_section *s = cr_directory_find(&o->dir, rows[i].id);

		o->bound[rows[i].bound] =
			CR_MAX(CR_MAX(s ? s->rows : 0, rows[i].least), o->bound[rows[i].bound]);
	}
	o->bound[CR_BOUND_SPACES] = CR_MAX(o->p->n_spaces, 1u);
	o->bound[CR_BOUND_EVENTS] = o->p->n_events;
	o->bound[CR_BOUND_KINDS] = CR_KINDS;
	o->bound[CR_BOUND_FORMS] = CR_FORMS;
	o->bound[CR_BOUND_FLAG] = 2;
	o->bound[CR_BOUND_BUILD_ID] = sizeof(((struct cr_dso *)0)->build_id) + 1;
}

static struct cr_str
read_text(struct cr_cursor *c)
{
	const uint32_t len = cr_cursor_u32(c);
	const char *p = (const char *)cr_cursor_take(c, len);

	return p ? (struct cr_str){p, len} : (struct cr_str){"", 0};
}

int
cr_part_summary(struct cr_opening *o, struct cr_err *err)
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
		facts[i].key = read_text(&c);
		facts[i].value = read_text(&c);
	}
	p->n_events = cr_cursor_count(&c, 24);
	p->events = events = cr_opening_room(o, p->n_events, sizeof(*events), err);
	if (!events)
		return err->code;
	for (uint32_t i = 0; i < p->n_events; i++) {
		events[i].name = read_text(&c);
		events[i].unit = read_text(&c);
		events[i].samples = cr_cursor_u64(&c);
		events[i].weight = cr_cursor_u64(&c);
	}
	if (c.bad || cr_cursor_left(&c) || p->n_events > UINT16_MAX + 1 || !spaces_are_used(o))
		return cr_opening_damaged(s, cr_opening_block(o, s, 0), "its counts are off", err);
	cr_event_find_roles(p);
	bounds_set(o);
	return CR_OK;
}

#define QUALITY_MOST (1u << 18) /* one row for each dso without symbols, and some others */

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
		rows[i].what = read_text(&c);
		rows[i].count = cr_cursor_u64(&c);
	}
	return c.bad || cr_cursor_left(&c) ? cr_opening_damaged(s, b, "its counts are off", err)
					   : CR_OK;
}

int
cr_part_quality(struct cr_opening *o, struct cr_err *err)
{
	const struct cr_section *s;
	struct cr_quality *rows;
	uint32_t row = 0;
	int rc;

	if ((rc = cr_opening_section(o, CR_SECTION_QUALITY, &s, err)) < 0)
		return rc;
	if (s->rows > QUALITY_MOST)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"%llu kinds of missing data are more than %u", (unsigned long long)s->rows,
			QUALITY_MOST);
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

/* Split the texts of a block, which are adjacent at p, into rows of these lengths. */
static bool
strings_cut(struct cr_cursor *c, const uint64_t *lengths, struct cr_str *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *p = (const char *)cr_cursor_take(c, lengths[i]);

		if (!p || lengths[i] > UINT32_MAX)
			return false;
		rows[i] = (struct cr_str){p, (uint32_t)lengths[i]};
	}
	return cr_cursor_left(c) == 0;
}

/*
 * Read a section of strings into rows, which have room for s->rows. lengths: buffer for those of
 * one block.
 */
static int
strings_fill(struct cr_opening *o, const struct cr_section *s, struct cr_str *rows,
	uint64_t *lengths, struct cr_err *err)
{
	struct cr_cursor c;
	uint32_t row = 0;
	int rc;

	for (uint32_t k = 0; k < s->n_blocks; k++) {
		const struct cr_block *b = cr_opening_block(o, s, k);

		if ((rc = cr_opening_texts(o, s, k, &c, err)) < 0)
			return rc;
		if (!cr_column_read(&c, lengths, b->rows) ||
			!strings_cut(&c, lengths, rows + row, b->rows))
			return cr_opening_damaged(
				s, b, "the lengths are not those of the texts", err);
		row += b->rows;
	}
	return CR_OK;
}

/* Read a section of strings, owned by the profile. */
static int
strings_read(struct cr_opening *o, enum cr_section_id id, struct cr_str **out, uint32_t *n,
	struct cr_err *err)
{
	const struct cr_section *s;
	uint64_t *lengths;
	int rc;

	if ((rc = cr_opening_section(o, id, &s, err)) < 0)
		return rc;
	*out = cr_opening_room(o, s->rows, sizeof(**out), err);
	if (!*out)
		return err->code;
	lengths = cr_alloc(CR_BLOCK_ROWS, sizeof(*lengths));
	rc = strings_fill(o, s, *out, lengths, err);
	free(lengths);
	*n = (uint32_t)s->rows;
	return rc;
}

int
cr_part_names(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	uint32_t n;
	int rc;

	if ((rc = strings_read(o, CR_SECTION_STRINGS, &o->strings, &n, err)) < 0)
		return rc;
	p->dsos = cr_opening_structs(o, CR_SECTION_DSOS, &p->n_dsos, err);
	if (!p->dsos)
		return err->code;
	p->functions = o->functions =
		cr_opening_structs(o, CR_SECTION_FUNCTIONS, &p->n_functions, err);
	if (!p->functions)
		return err->code;
	if (p->n_dsos == 0 || p->n_functions == 0)
		return cr_fail(
			err, CR_EFORMAT, CR_NO_OFFSET, "the names have no row 0, the unknown");
	return CR_OK;
}

/* A tree: parent, key and, if requested, end of each node. */
struct nodes {
	uint32_t n;
	uint32_t *parent, *key, *end;
};

/* Read the two columns of a tree's section, and allocate the ends if requested. */
static int
nodes_load(struct cr_opening *o, enum cr_section_id id, bool ends, struct nodes *out,
	struct cr_err *err)
{
	void *bases[2];
	uint64_t n;
	int rc;

	if ((rc = cr_opening_arrays(o, id, bases, &n, err)) < 0)
		return rc;
	*out = (struct nodes){.n = (uint32_t)n, .parent = bases[0], .key = bases[1]};
	if (ends)
		out->end = cr_opening_room(o, n, sizeof(*out->end), err);
	return ends && !out->end ? (int)err->code : CR_OK;
}

static int
no_tree(enum cr_section_id id, struct cr_err *err)
{
	return cr_fail(
		err, CR_EFORMAT, CR_NO_OFFSET, "section '%s' is no tree", cr_layout_of(id)->name);
}

/* Parents and keys stored directly, in stores from before tree_code. */
static int
nodes_read_plain(struct cr_opening *o, enum cr_section_id id, bool ends, struct nodes *out,
	struct cr_err *err)
{
	const int rc = nodes_load(o, id, ends, out, err);

	if (rc < 0)
		return rc;
	return cr_store_check_preorder(out->parent, out->n, out->end) ? CR_OK : no_tree(id, err);
}

/* `up` and `way` of each node as columns. */
static int
nodes_read_columns(struct cr_opening *o, enum cr_section_id id, const struct cr_tree_code *ways,
	uint32_t n_keys, bool ends, struct nodes *out, struct cr_err *err)
{
	struct cr_tree_code w = *ways;
	const int rc = nodes_load(o, id, ends, out, err);

	if (rc < 0)
		return rc;
	w.up = out->parent;
	w.way = out->key;
	return cr_tree_code_follow(
		       &w, out->n, n_keys, CR_STORE_DEPTH_MAX, out->parent, out->key, out->end)
		       ? CR_OK
		       : no_tree(id, err);
}

static int
streams_read(struct cr_opening *o, const struct cr_section *s, struct cr_tree_streams *t,
	const uint32_t *keys, const struct nodes *out, struct cr_err *err)
{
	struct cr_opening_scratch *scratch = cr_opening_scratch_new(o, s);
	uint32_t at = 0;
	int rc = CR_OK;

	for (uint32_t k = 0; k < s->n_blocks && rc == CR_OK; k++) {
		const struct cr_block *b = cr_opening_block(o, s, k);
		struct cr_cursor c;

		rc = cr_opening_block_bytes(o, s, k, scratch, &c, err);
		if (rc == CR_OK && !cr_tree_streams_read(t, &c, keys, at, at + b->rows,
					   CR_STORE_DEPTH_MAX, out->parent, out->key, out->end))
			rc = cr_opening_damaged(s, b, "it is no tree", err);
		at += b->rows;
	}
	if (rc == CR_OK && out->end)
		cr_tree_streams_end(t, out->parent, out->n, out->end);
	cr_opening_scratch_free(scratch);
	return rc;
}

/* The same in streams. */
static int
nodes_read_streams(struct cr_opening *o, const struct cr_section *s,
	const struct cr_tree_code *ways, uint32_t n_keys, bool ends, struct nodes *out,
	struct cr_err *err)
{
	struct cr_tree_streams *t;
	uint32_t *first;
	int rc;

	*out = (struct nodes){
		.n = (uint32_t)s->rows,
		.parent = cr_opening_room(o, s->rows, sizeof(*out->parent), err),
	};
	if (out->parent)
		out->key = cr_opening_room(o, s->rows, sizeof(*out->key), err);
	if (out->key && ends)
		out->end = cr_opening_room(o, s->rows, sizeof(*out->end), err);
	if (!out->key || (ends && !out->end))
		return err->code;
	first = cr_tree_code_ways(ways, n_keys);
	if (!first)
		return no_tree(s->id, err);
	t = cr_tree_streams_new(first, n_keys);
	rc = streams_read(o, s, t, ways->to, out, err);
	cr_tree_streams_free(t);
	free(first);
	return rc;
}

/* Ways come from n_keys keys. */
static int
nodes_read(struct cr_opening *o, enum cr_section_id id, enum cr_section_id ways_id, uint32_t n_keys,
	bool ends, struct nodes *out, struct cr_err *err)
{
	const struct cr_section *s;
	struct cr_tree_code w;
	uint64_t n_ways;
	void *ways[2];
	int rc;

	if ((rc = cr_opening_section(o, id, &s, err)) < 0)
		return rc;
	if ((rc = cr_opening_arrays_heap(o, ways_id, ways, &n_ways, err)) == CR_OK) {
		w = (struct cr_tree_code){.from = ways[0], .to = ways[1], .n = (uint32_t)n_ways};
		rc = s->version == CR_SECTION_STREAMS
			     ? nodes_read_streams(o, s, &w, n_keys, ends, out, err)
			     : nodes_read_columns(o, id, &w, n_keys, ends, out, err);
	}
	free(ways[0]);
	free(ways[1]);
	return rc;
}

int
cr_part_default_tree(struct cr_opening *o, struct cr_err *err)
{
	const bool by_ways = cr_directory_find(&o->dir, CR_SECTION_DEFAULT_TREE_NODES);
	void *weights[2], *frames[2];
	uint64_t n_weights, n_frames;
	struct nodes nodes;
	struct cr_default_tree *out;
	int rc;

	/* The profile had none. */
	if (!by_ways && !cr_directory_find(&o->dir, CR_SECTION_DEFAULT_TREE))
		return CR_OK;
	if ((rc = cr_opening_arrays(o, CR_SECTION_FRAMES, frames, &n_frames, err)) < 0)
		return rc;
	rc = by_ways ? nodes_read(o, CR_SECTION_DEFAULT_TREE_NODES, CR_SECTION_DEFAULT_TREE_WAYS,
			       (uint32_t)n_frames, false, &nodes, err)
		     : nodes_read_plain(o, CR_SECTION_DEFAULT_TREE, false, &nodes, err);
	if (rc < 0)
		return rc;
	if ((rc = cr_opening_arrays(o, CR_SECTION_WEIGHTS, weights, &n_weights, err)) < 0)
		return rc;
	out = cr_arena_alloc(&o->p->arena, sizeof(*out));
	*out = (struct cr_default_tree){
		.n = nodes.n,
		.n_frames = (uint32_t)n_frames,
		.n_events = o->p->n_events,
		.parent = nodes.parent,
		.frame = nodes.key,
		.frame_function = frames[0],
		.frame_comm = frames[1],
		.self = weights[0],
		.self_samples = weights[1],
	};
	if (n_weights != (uint64_t)out->n * out->n_events ||
		!cr_store_check_default_tree(out, o->p->events))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the default tree is inconsistent");
	o->p->default_tree = out;
	return CR_OK;
}

int
cr_part_tasks(struct cr_opening *o, struct cr_err *err)
{
	o->p->tasks = cr_opening_structs(o, CR_SECTION_TASKS, &o->p->n_tasks, err);
	return o->p->tasks ? CR_OK : err->code;
}

int
cr_part_threads(struct cr_opening *o, struct cr_err *err)
{
	/* The recording named none, or the release was older. */
	if (!cr_directory_find(&o->dir, CR_SECTION_THREADS))
		return CR_OK;
	o->p->threads = cr_opening_structs(o, CR_SECTION_THREADS, &o->p->n_threads, err);
	if (o->p->threads)
		return CR_OK;
	o->p->n_threads = 0;
	return err->code;
}

int
cr_part_sizes(struct cr_opening *o, struct cr_err *err)
{
	struct cr_function *functions;
	int rc;

	/* No size is known, or the release was older. */
	if (!cr_directory_find(&o->dir, CR_SECTION_FUNCTION_SIZES))
		return CR_OK;
	functions = o->functions;
	rc = cr_opening_fields(o, CR_SECTION_FUNCTION_SIZES, functions, o->p->n_functions, err);
	for (uint32_t i = 0; rc < 0 && i < o->p->n_functions; i++)
		functions[i].size = 0;
	return rc;
}

/*
 * A line number without its file is useless, and with the function's file it may be wrong. So if
 * the files are lost, the lines are too.
 */
static void
line_files_read(struct cr_opening *o, struct cr_line *lines)
{
	struct cr_err err = CR_ERR_INIT;

	/* No line has a file of its own, or the release was older. */
	if (!cr_directory_find(&o->dir, CR_SECTION_LINE_FILES))
		return;
	if (cr_opening_fields(o, CR_SECTION_LINE_FILES, lines, o->p->n_lines, &err) == CR_OK)
		return;
	for (uint32_t i = 0; i < o->p->n_lines; i++)
		lines[i] = (struct cr_line){.function = lines[i].function};
	cr_opening_lose(o, "source lines", &err);
}

static int
tree_load(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	struct cr_line *lines;
	struct nodes nodes;
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
	if (!cr_store_check_shared(p))
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"the locations have too many lines for the %u that are stored", p->n_lines);
	rc = cr_directory_find(&o->dir, CR_SECTION_TREE_NODES)
		     ? nodes_read(o, CR_SECTION_TREE_NODES, CR_SECTION_TREE_WAYS, p->n_locations,
			       true, &nodes, err)
		     : nodes_read_plain(o, CR_SECTION_NODES, true, &nodes, err);
	if (rc < 0)
		return rc;
	if (nodes.n > 1 && p->n_locations == 0)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the location tree is not one");
	p->n_nodes = nodes.n;
	p->node_parent = nodes.parent;
	p->node_location = nodes.key;
	p->node_end = nodes.end;
	return CR_OK;
}

int
cr_part_tree(struct cr_opening *o, struct cr_err *err)
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

int
cr_part_maps(struct cr_opening *o, struct cr_err *err)
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

/* The values of all fields are stored one field after the other. */
static int
values_load(struct cr_opening *o, struct cr_field *fields, struct cr_err *err)
{
	uint64_t n, want = 0;
	struct cr_str *texts;
	void *column;
	uint64_t *v;
	int rc;

	if ((rc = strings_read(o, CR_SECTION_TEXTS, &texts, &o->p->n_texts, err)) < 0)
		return rc;
	o->p->texts = texts;
	if ((rc = cr_opening_arrays(o, CR_SECTION_VALUES, &column, &n, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < o->p->n_fields; i++)
		want = cr_add_sat(want, fields[i].n);
	if (want != n)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"the fields have %llu values, not %llu", (unsigned long long)n,
			(unsigned long long)want);
	v = column;
	for (uint32_t i = 0; i < o->p->n_fields; v += fields[i++].n) {
		cr_value_decode(fields[i].form, v, fields[i].n);
		fields[i].value = v;
	}
	if (!cr_store_check_values(fields, o->p->n_fields, o->p->n_texts))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the values do not match the fields");
	return CR_OK;
}

static void
fields_drop(struct cr_opening *o)
{
	o->p->n_fields = o->p->n_texts = 0;
	o->p->fields = o->fields = NULL;
	o->p->texts = NULL;
}

int
cr_part_fields(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;

	/* The profile had none, or the release was older. */
	if (!cr_directory_find(&o->dir, CR_SECTION_FIELDS))
		return CR_OK;
	p->fields = o->fields = cr_opening_structs(o, CR_SECTION_FIELDS, &p->n_fields, err);
	if (!o->fields)
		return err->code;
	if (cr_store_check_fields(o->fields, p->n_fields, p->events))
		return CR_OK;
	fields_drop(o);
	return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the fields do not match the events");
}

int
cr_part_values(struct cr_opening *o, struct cr_err *err)
{
	const int rc = o->fields ? values_load(o, o->fields, err) : CR_OK;

	if (rc < 0)
		fields_drop(o);
	return rc;
}

static int
code_load(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	uint32_t n;
	int rc;

	if ((rc = strings_read(o, CR_SECTION_SOURCES, &o->sources, &n, err)) < 0)
		return rc;
	p->codes = cr_opening_structs(o, CR_SECTION_CODES, &p->n_codes, err);
	if (!p->codes)
		return err->code;
	p->source_lines = cr_opening_structs(o, CR_SECTION_SOURCE_LINES, &p->n_source_lines, err);
	if (!p->source_lines)
		return err->code;
	if (!cr_store_check_codes(p->codes, p->n_codes) ||
		!cr_store_check_source_lines(p->source_lines, p->n_source_lines))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"the code or the lines of its sources are out of order");
	return CR_OK;
}

int
cr_part_code(struct cr_opening *o, struct cr_err *err)
{
	struct cr_profile *p = o->p;
	int rc;

	if (!cr_directory_find(&o->dir, CR_SECTION_SOURCES))
		return CR_OK; /* none was stored */
	rc = code_load(o, err);
	if (rc < 0) {
		p->n_codes = p->n_source_lines = 0;
		p->codes = NULL;
		p->source_lines = NULL;
	}
	return rc;
}
