#include "layout_p.h"

#define FIELD(type, member, sense, bound, coding)                                  \
	{                                                                          \
		offsetof(struct type, member), sizeof(((struct type *)0)->member), \
			CR_SENSE_##sense, CR_BOUND_##bound, CR_CODING_##coding,    \
			CR_MODELLED_NUMBERS                                        \
	}
#define MODELLED(type, bound, coding, modelled)                                        \
	{                                                                              \
		0, sizeof(type), CR_SENSE_VALUE, CR_BOUND_##bound, CR_CODING_##coding, \
			CR_MODELLED_##modelled                                         \
	}
#define ARRAY(type, sense, bound, coding)                                                \
	{                                                                                \
		0, sizeof(type), CR_SENSE_##sense, CR_BOUND_##bound, CR_CODING_##coding, \
			CR_MODELLED_NUMBERS                                              \
	}
#define ID_BYTE(k) FIELD(cr_dso, build_id[k], VALUE, NONE, PLAIN)

static const struct cr_column_field dso_fields[] = {
	FIELD(cr_dso, name, STRING, STRINGS, DELTA),
	FIELD(cr_dso, kind, VALUE, KINDS, PLAIN),
	FIELD(cr_dso, build_id_len, VALUE, BUILD_ID, PLAIN),
	ID_BYTE(0),
	ID_BYTE(1),
	ID_BYTE(2),
	ID_BYTE(3),
	ID_BYTE(4),
	ID_BYTE(5),
	ID_BYTE(6),
	ID_BYTE(7),
	ID_BYTE(8),
	ID_BYTE(9),
	ID_BYTE(10),
	ID_BYTE(11),
	ID_BYTE(12),
	ID_BYTE(13),
	ID_BYTE(14),
	ID_BYTE(15),
	ID_BYTE(16),
	ID_BYTE(17),
	ID_BYTE(18),
	ID_BYTE(19),
};

static const struct cr_column_field function_fields[] = {
	FIELD(cr_function, name, STRING, STRINGS, DELTA),
	FIELD(cr_function, linkage, STRING, STRINGS, PLAIN),
	FIELD(cr_function, file, STRING, STRINGS, PLAIN),
	FIELD(cr_function, line, VALUE, NONE, PLAIN),
	FIELD(cr_function, dso.i, VALUE, DSOS, DELTA),
	FIELD(cr_function, addr, VALUE, NONE, PLAIN),
};

static const struct cr_column_field task_fields[] = {
	FIELD(cr_task, pid, VALUE, NONE, DELTA),
	FIELD(cr_task, tid, VALUE, NONE, DELTA),
	FIELD(cr_task, comm, STRING, STRINGS, PLAIN),
	FIELD(cr_task, space.i, VALUE, SPACES, DELTA),
};

static const struct cr_column_field thread_fields[] = {
	FIELD(cr_named_thread, pid, VALUE, NONE, DELTA),
	FIELD(cr_named_thread, tid, VALUE, NONE, DELTA),
	FIELD(cr_named_thread, ppid, VALUE, NONE, DELTA),
	FIELD(cr_named_thread, comm, STRING, STRINGS, PLAIN),
};

static const struct cr_column_field function_size_fields[] = {
	FIELD(cr_function, size, VALUE, NONE, PLAIN),
};

static const struct cr_column_field frame_fields[] = {
	ARRAY(uint32_t, OR_NONE, FUNCTIONS, DELTA),
	ARRAY(struct cr_str, STRING, STRINGS, PLAIN),
};

static const struct cr_column_field default_tree_fields[] = {
	ARRAY(uint32_t, BACK, DEFAULT_TREE, PLAIN), /* parent */
	ARRAY(uint32_t, VALUE, FRAMES, PLAIN),
};

static const struct cr_column_field weight_fields[] = {
	ARRAY(uint64_t, VALUE, NONE, SCALED), /* self */
	ARRAY(uint64_t, VALUE, NONE, PLAIN),  /* self_samples */
};

static const struct cr_column_field location_fields[] = {
	FIELD(cr_location, addr, VALUE, NONE, PLAIN),
	FIELD(cr_location, dso.i, VALUE, DSOS, PLAIN),
	FIELD(cr_location, first_line, VALUE, LINES, DELTA2),
	FIELD(cr_location, lines, VALUE, NONE, PLAIN),
	FIELD(cr_location, ordinal, VALUE, NONE, PLAIN),
};

static const struct cr_column_field line_fields[] = {
	FIELD(cr_line, function.i, VALUE, FUNCTIONS, DELTA),
	FIELD(cr_line, line, VALUE, NONE, PLAIN),
};

static const struct cr_column_field line_file_fields[] = {
	FIELD(cr_line, file, STRING, STRINGS, PLAIN),
};

static const struct cr_column_field node_fields[] = {
	ARRAY(uint32_t, BACK, NODES, PLAIN), /* parent */
	ARRAY(uint32_t, VALUE, LOCATIONS, DELTA),
};

static const struct cr_column_field way_node_fields[] = {
	ARRAY(uint32_t, VALUE, NONE, PLAIN), /* up */
	ARRAY(uint32_t, VALUE, NONE, PLAIN), /* way */
};

/* Any value is accepted here; cr_tree_code_follow() checks it. */
static const struct cr_column_field default_tree_way_fields[] = {
	ARRAY(uint32_t, VALUE, NONE, DELTA),
	ARRAY(uint32_t, VALUE, FRAMES, PLAIN),
};

static const struct cr_column_field tree_way_fields[] = {
	ARRAY(uint32_t, VALUE, NONE, DELTA),
	MODELLED(uint32_t, LOCATIONS, PLAIN, ENDS),
};

static const struct cr_column_field map_fields[] = {
	FIELD(cr_map, start, VALUE, NONE, DELTA),
	FIELD(cr_map, end, VALUE, NONE, DELTA),
	FIELD(cr_map, pgoff, VALUE, NONE, PLAIN),
	FIELD(cr_map, born, VALUE, NONE, DELTA),
	FIELD(cr_map, died, VALUE, NONE, DELTA),
	FIELD(cr_map, space.i, VALUE, SPACES, DELTA),
	FIELD(cr_map, dso.i, VALUE, DSOS, PLAIN),
};

static const struct cr_column_field sample_fields[] = {
	ARRAY(uint64_t, VALUE, NONE, DELTA), /* time_ns */
	ARRAY(uint64_t, VALUE, NONE, PLAIN), /* weight */
	ARRAY(uint32_t, VALUE, TASKS, PLAIN),
	ARRAY(uint32_t, VALUE, NODES, PLAIN),
	ARRAY(uint16_t, VALUE, NONE, PLAIN), /* cpu */
	ARRAY(uint16_t, VALUE, EVENTS, PLAIN),
};

static const struct cr_column_field column_fields[CR_SAMPLE_COLUMNS][1] = {
	[CR_SAMPLE_TIME] = {MODELLED(uint64_t, NONE, DELTA, TICKS)},
	[CR_SAMPLE_WEIGHT] = {MODELLED(uint64_t, NONE, SCALED, WEIGHTS)},
	[CR_SAMPLE_TASK] = {MODELLED(uint32_t, TASKS, PLAIN, ROWS_OF)},
	[CR_SAMPLE_NODE] = {MODELLED(uint32_t, NODES, PLAIN, ROWS_OF)},
	[CR_SAMPLE_CPU] = {ARRAY(uint16_t, VALUE, NONE, PLAIN)},
	[CR_SAMPLE_EVENT] = {ARRAY(uint16_t, VALUE, EVENTS, PLAIN)},
};

#define ZONE(column)                                              \
	FIELD(cr_stored_zone, least[column], VALUE, NONE, DELTA), \
		FIELD(cr_stored_zone, most[column], VALUE, NONE, DELTA)

static const struct cr_column_field zone_fields[] = {
	ZONE(CR_SAMPLE_TIME),
	ZONE(CR_SAMPLE_WEIGHT),
	ZONE(CR_SAMPLE_TASK),
	ZONE(CR_SAMPLE_NODE),
	ZONE(CR_SAMPLE_CPU),
	ZONE(CR_SAMPLE_EVENT),
};

static const struct cr_column_field code_fields[] = {
	FIELD(cr_machine_code, function.i, VALUE, FUNCTIONS, DELTA),
	FIELD(cr_machine_code, addr, VALUE, NONE, PLAIN),
	FIELD(cr_machine_code, base, VALUE, NONE, PLAIN),
	FIELD(cr_machine_code, bytes, STRING, SOURCES, DELTA),
	FIELD(cr_machine_code, machine, VALUE, NONE, PLAIN),
	FIELD(cr_machine_code, bits, VALUE, NONE, PLAIN),
	FIELD(cr_machine_code, big_endian, VALUE, FLAG, PLAIN),
};

static const struct cr_column_field source_line_fields[] = {
	FIELD(cr_source_line, file, STRING, STRINGS, PLAIN),
	FIELD(cr_source_line, line, VALUE, NONE, DELTA),
	FIELD(cr_source_line, text, STRING, SOURCES, DELTA),
};

static const struct cr_column_field field_fields[] = {
	FIELD(cr_field, name, STRING, STRINGS, DELTA),
	FIELD(cr_field, event.i, VALUE, EVENTS, PLAIN),
	FIELD(cr_field, form, VALUE, FORMS, PLAIN),
	FIELD(cr_field, distinct, VALUE, NONE, PLAIN),
	FIELD(cr_field, have, VALUE, NONE, PLAIN),
	FIELD(cr_field, least, VALUE, NONE, PLAIN),
	FIELD(cr_field, most, VALUE, NONE, PLAIN),
	FIELD(cr_field, n, VALUE, NONE, PLAIN),
};

static const struct cr_column_field value_fields[] = {
	ARRAY(uint64_t, VALUE, NONE, PLAIN), /* converted, see value_p.h */
};

#define TABLE(id, what, row_bytes, fields) \
	[CR_SECTION_##id] = {              \
		what, row_bytes, CR_LEN(fields), fields, false, false, false, false, false}
#define LATER(id, what, row_bytes, fields) \
	[CR_SECTION_##id] = {              \
		what, row_bytes, CR_LEN(fields), fields, false, true, false, false, false}
#define MANY(id, what, fields, modelled)                                                    \
	[id] = {what, 0, CR_LEN(fields), fields, true, modelled, (id) == CR_SECTION_COLUMN, \
		(id) == CR_SECTION_COLUMN, false}
#define COLUMN(id, what) \
	MANY(CR_SECTION_COLUMN + CR_SAMPLE_##id, what, column_fields[CR_SAMPLE_##id], true)

const struct cr_layout *
cr_layout_of(enum cr_section_id id)
{
	static const struct cr_layout layouts[CR_SECTIONS] = {
		[CR_SECTION_SUMMARY] = {.name = "summary", .phrases = true},
		[CR_SECTION_STRINGS] = {.name = "names", .phrases = true},
		[CR_SECTION_QUALITY] = {.name = "data quality", .phrases = true},
		[CR_SECTION_TEXTS] = {.name = "texts of fields", .phrases = true},
		[CR_SECTION_SOURCES] = {.name = "texts of code", .phrases = true},
		[CR_SECTION_PADDING] = {.name = "padding"},
		TABLE(DSOS, "dsos", sizeof(struct cr_dso), dso_fields),
		TABLE(FUNCTIONS, "functions", sizeof(struct cr_function), function_fields),
		TABLE(TASKS, "threads", sizeof(struct cr_task), task_fields),
		TABLE(THREADS, "process tree", sizeof(struct cr_named_thread), thread_fields),
		TABLE(FUNCTION_SIZES, "sizes of functions", sizeof(struct cr_function),
			function_size_fields),
		TABLE(FRAMES, "frames of the default tree", 0, frame_fields),
		TABLE(DEFAULT_TREE, "default tree", 0, default_tree_fields),
		LATER(LOCATIONS, "locations", sizeof(struct cr_location), location_fields),
		LATER(LINES, "source lines", sizeof(struct cr_line), line_fields),
		TABLE(NODES, "location tree", 0, node_fields),
		TABLE(DEFAULT_TREE_NODES, "default tree", 0, way_node_fields),
		TABLE(DEFAULT_TREE_WAYS, "edges of the default tree", 0, default_tree_way_fields),
		[CR_SECTION_TREE_NODES] = {"location tree", 0, CR_LEN(way_node_fields),
			way_node_fields, false, true, true, false, false},
		LATER(TREE_WAYS, "edges of the location tree", 0, tree_way_fields),
		LATER(MAPS, "mappings", sizeof(struct cr_map), map_fields),
		TABLE(FIELDS, "fields", sizeof(struct cr_field), field_fields),
		LATER(LINE_FILES, "files of source lines", sizeof(struct cr_line),
			line_file_fields),
		TABLE(ZONES, "zones of samples", sizeof(struct cr_stored_zone), zone_fields),
		TABLE(CODES, "code", sizeof(struct cr_machine_code), code_fields),
		TABLE(SOURCE_LINES, "text of source lines", sizeof(struct cr_source_line),
			source_line_fields),
		MANY(CR_SECTION_WEIGHTS, "weights of the default tree", weight_fields, false),
		MANY(CR_SECTION_SAMPLES, "samples", sample_fields, false),
		MANY(CR_SECTION_VALUES, "values of fields", value_fields, true),
		COLUMN(TIME, "times of samples"),
		COLUMN(WEIGHT, "weights of samples"),
		COLUMN(TASK, "threads of samples"),
		COLUMN(NODE, "stacks of samples"),
		COLUMN(CPU, "processors of samples"),
		COLUMN(EVENT, "events of samples"),
	};

	return &layouts[id];
}

uint32_t
cr_layout_version(enum cr_section_id id)
{
	const struct cr_layout *lay = cr_layout_of(id);

	return lay->phrases    ? CR_SECTION_PHRASES
	       : lay->ticks    ? CR_SECTION_TICKS
	       : lay->streams  ? CR_SECTION_STREAMS
	       : lay->modelled ? CR_SECTION_MODELLED
			       : CR_SECTION_VERSION;
}

bool
cr_layout_has_version(enum cr_section_id id, uint32_t version)
{
	const struct cr_layout *lay = cr_layout_of(id);

	return version == CR_SECTION_VERSION || (version == CR_SECTION_MODELLED && lay->modelled) ||
	       (version == CR_SECTION_STREAMS && lay->streams) ||
	       (version == CR_SECTION_TICKS && lay->ticks) ||
	       (version == CR_SECTION_PHRASES && lay->phrases);
}
