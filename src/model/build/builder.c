#include "model/build/builder.h"

#include "builder_p.h"

#include <stdlib.h>

#define DEFAULT_NODES ((uint64_t)1 << 28)
#define DEFAULT_DEPTH 8192u
#define DEFAULT_VALUES ((uint64_t)1 << 28)
#define DEFAULT_TEXT_BYTES ((uint64_t)256 << 20)
#define MOST_EXPECTED ((uint64_t)4 << 20)

/*
 * Event rows have 16 bits. The limit leaves one row for all further events, and one for the event
 * "wall", which is added at the end.
 */
#define EVENTS_MOST ((uint32_t)UINT16_MAX - 1)
#define EVENTS_REST "[events past the limit]"

static struct cr_str
keep(struct cr_builder *b, struct cr_str s)
{
	return cr_strings_keep(&b->strings, &b->p->arena, s);
}

struct cr_str
cr_builder_shared(struct cr_builder *b, struct cr_str s)
{
	return s.len >= CR_STRINGS_LONG ? keep(b, s) : s;
}

/* Hash of an interned string. Each has its own address, so the pointer is hashed. */
static uint64_t
kept_hash(struct cr_str kept)
{
	return cr_hash_mix((uint64_t)(uintptr_t)kept.p, 0);
}

/* Hash of a name: of its bytes, or if it is long, of the address of its copy. */
static uint64_t
name_hash(struct cr_builder *b, struct cr_str name)
{
	return name.len >= CR_STRINGS_LONG ? kept_hash(keep(b, name)) : cr_hash(name.p, name.len);
}

/* True if a name equals an interned one. */
static bool
is_name(struct cr_str kept, struct cr_str name)
{
	return kept.len == name.len && (kept.p == name.p || cr_str_eq(kept, name));
}

struct cr_builder *
cr_builder_new(const struct cr_limits *lim)
{
	struct cr_builder *b = cr_alloc(1, sizeof(*b));

	b->lim = lim ? *lim : (struct cr_limits){0};
	if (!b->lim.nodes || b->lim.nodes > DEFAULT_NODES)
		b->lim.nodes = DEFAULT_NODES;
	if (!b->lim.depth || b->lim.depth > DEFAULT_DEPTH)
		b->lim.depth = DEFAULT_DEPTH;
	b->fields.most_text_bytes = b->lim.text_bytes ? b->lim.text_bytes : DEFAULT_TEXT_BYTES;
	b->fields.most_values = b->lim.values ? b->lim.values : DEFAULT_VALUES;
	b->p = cr_alloc(1, sizeof(*b->p));
	cr_vec_push(&b->nodes, ((struct cr_built_node){0}));
	cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("[unknown]"), .kind = CR_KIND_UNKNOWN});
	return b;
}

void
cr_builder_free(struct cr_builder *b)
{
	if (!b)
		return;
	cr_built_queue_fini(b);
	cr_profile_free(b->p);
	cr_strings_fini(&b->strings);
	cr_vec_fini(&b->events);
	cr_vec_fini(&b->dsos);
	cr_vec_fini(&b->functions);
	cr_vec_fini(&b->locations);
	cr_vec_fini(&b->lines);
	cr_vec_fini(&b->chain);
	cr_mapped_vector_fini(&b->tasks);
	cr_vec_fini(&b->threads);
	cr_mapped_vector_fini(&b->maps);
	cr_quality_fini(&b->quality);
	cr_vec_fini(&b->facts);
	cr_index_fini(&b->event_index);
	cr_index_fini(&b->fact_index);
	cr_index_fini(&b->dso_index);
	cr_index_fini(&b->function_index);
	cr_index_fini(&b->location_index);
	cr_index_fini(&b->task_index);
	cr_index_fini(&b->node_index);
	cr_vec_fini(&b->nodes);
	for (size_t i = 0; i < CR_SAMPLE_COLUMNS; i++)
		cr_mapped_vector_fini(&b->columns[i]);
	cr_built_ends_fini(b);
	cr_field_builder_fini(&b->fields);
	free(b);
}

void
cr_builder_expect(struct cr_builder *b, uint64_t samples)
{
	const size_t n = (size_t)CR_MIN(samples, MOST_EXPECTED);

	for (unsigned i = 0; i < CR_SAMPLE_COLUMNS; i++)
		cr_mapped_vector_expect(&b->columns[i], n * cr_sample_column_bytes(i));
	cr_vec_reserve(&b->nodes, n * 2);
	cr_vec_reserve(&b->locations, n);
}

void
cr_builder_may_be_empty(struct cr_builder *b)
{
	b->may_be_empty = true;
}

void
cr_builder_flags(struct cr_builder *b, uint32_t flags)
{
	b->p->flags |= flags;
}

void
cr_builder_fact(struct cr_builder *b, const char *key, struct cr_str value)
{
	const struct cr_str k = keep(b, cr_str_of(key)), v = keep(b, value);
	const uint64_t h = kept_hash(k);
	uint32_t at = cr_index_first(&b->fact_index, h), row;

	for (; (row = cr_index_row(&b->fact_index, &at, h)) != CR_NO_ROW;
		at = cr_index_next(&b->fact_index, at))
		if (b->facts.p[row].key.p == k.p) {
			b->facts.p[row].value = v;
			return;
		}
	cr_index_add(&b->fact_index, h, (uint32_t)b->facts.n);
	cr_vec_push(&b->facts, ((struct cr_fact){k, v}));
}

void
cr_builder_derived(struct cr_builder *b, struct cr_str event)
{
	struct cr_text names = {0};

	for (size_t i = 0; i < b->facts.n; i++)
		if (cr_str_eq(b->facts.p[i].key, CR_STR("derived events"))) {
			cr_text_str(&names, b->facts.p[i].value);
			cr_text_puts(&names, ", ");
		}
	cr_text_str(&names, event);
	cr_builder_fact(b, "derived events", cr_text_view(&names));
	cr_text_fini(&names);
}

void
cr_builder_quality(struct cr_builder *b, struct cr_str what, uint64_t count)
{
	if (!cr_quality_add(&b->quality, what, count))
		cr_quality_append(&b->quality, keep(b, what), count);
}

cr_event_id
cr_builder_event(struct cr_builder *b, struct cr_str name, struct cr_str unit)
{
	const bool is_full = b->events.n >= EVENTS_MOST;
	const struct cr_str n = keep(b, name);
	const uint64_t h = kept_hash(n);
	uint32_t at = cr_index_first(&b->event_index, h), row;

	for (; (row = cr_index_row(&b->event_index, &at, h)) != CR_NO_ROW;
		at = cr_index_next(&b->event_index, at))
		if (b->events.p[row].name.p == n.p)
			return (cr_event_id){row};
	b->over_events += is_full;
	if (b->events.n > EVENTS_MOST)
		return (cr_event_id){EVENTS_MOST};
	row = (uint32_t)b->events.n;
	if (!is_full)
		cr_index_add(&b->event_index, h, row);
	cr_vec_push(&b->events, ((struct cr_event){.name = is_full ? CR_STR(EVENTS_REST) : n,
					.unit = keep(b, is_full ? CR_STR("events") : unit)}));
	return (cr_event_id){row};
}

void
cr_builder_wall(struct cr_builder *b, cr_event_id on_cpu, cr_event_id off_cpu)
{
	b->has_wall = true;
	b->on_cpu = on_cpu;
	b->off_cpu = off_cpu;
}

static bool
same_dso(const struct cr_dso *a, const struct cr_dso *o)
{
	return a->kind == o->kind && a->build_id_len == o->build_id_len &&
	       memcmp(a->build_id, o->build_id, a->build_id_len) == 0 && is_name(a->name, o->name);
}

cr_dso_id
cr_builder_dso(struct cr_builder *b, const struct cr_dso *o)
{
	const uint64_t h =
		cr_hash_mix(name_hash(b, o->name), cr_hash(o->build_id, o->build_id_len) + o->kind);
	uint32_t row;
	struct cr_dso copy = *o;

	cr_index_each(&b->dso_index, h, row)
		if (same_dso(&b->dsos.p[row], o))
			return (cr_dso_id){row};
	row = (uint32_t)b->dsos.n;
	copy.name = keep(b, o->name);
	cr_vec_push(&b->dsos, copy);
	cr_index_add(&b->dso_index, h, row);
	return (cr_dso_id){row};
}

const struct cr_dso *
cr_builder_dso_at(const struct cr_builder *b, cr_dso_id dso)
{
	return &b->dsos.p[dso.i];
}

cr_address_space_id
cr_builder_address_space(struct cr_builder *b)
{
	return (cr_address_space_id){b->n_spaces++};
}

uint32_t
cr_builder_map(struct cr_builder *b, cr_address_space_id space, uint64_t start, uint64_t end,
	uint64_t pgoff, cr_dso_id dso)
{
	const struct cr_map map = {.start = start,
		.end = end,
		.pgoff = pgoff,
		.born = b->n_samples,
		.died = UINT64_MAX,
		.space = space,
		.dso = dso};
	size_t n;

	cr_built_maps(b, &n);
	cr_mapped_vector_push(&b->maps, &map, sizeof(map));
	return (uint32_t)n;
}

void
cr_builder_unmap(struct cr_builder *b, uint32_t map)
{
	size_t n;

	cr_built_maps(b, &n)[map].died = b->n_samples;
}

cr_task_id
cr_builder_task(struct cr_builder *b, int32_t pid, int32_t tid, struct cr_str comm,
	cr_address_space_id space)
{
	const struct cr_str c = keep(b, comm);
	const uint64_t h = cr_hash_mix((uint64_t)(uint32_t)pid << 32 | (uint32_t)tid,
		(uint64_t)space.i ^ (uint64_t)(uintptr_t)c.p);
	const struct cr_task add = {pid, tid, c, space};
	size_t n;
	const struct cr_task *tasks = cr_built_tasks(b, &n);
	uint32_t row;

	cr_index_each(&b->task_index, h, row) {
		const struct cr_task *t = &tasks[row];

		if (t->pid == pid && t->tid == tid && t->comm.p == c.p && t->space.i == space.i)
			return (cr_task_id){row};
	}
	row = (uint32_t)n;
	cr_mapped_vector_push(&b->tasks, &add, sizeof(add));
	cr_index_add(&b->task_index, h, row);
	return (cr_task_id){row};
}

void
cr_builder_thread(struct cr_builder *b, const struct cr_named_thread *t)
{
	struct cr_named_thread copy = *t;

	copy.comm = keep(b, t->comm);
	cr_vec_push(&b->threads, copy);
}

static uint64_t
location_hash(cr_dso_id dso, uint64_t addr, uint16_t ordinal, uint32_t function)
{
	return cr_hash_mix(cr_hash_mix(addr, (uint64_t)dso.i << 32 | ordinal), function);
}

static bool
same_lines(const struct cr_builder *b, const struct cr_location *l,
	const struct cr_built_line *lines, size_t n)
{
	const struct cr_built_line *have;

	if (l->first_line == CR_NO_ROW || l->lines != n)
		return l->first_line == CR_NO_ROW && n == 0;
	have = b->lines.p + l->first_line;
	for (size_t i = 0; i < n; i++)
		if (have[i].function.i != lines[i].function.i || have[i].line != lines[i].line ||
			have[i].file1 != lines[i].file1)
			return false;
	return true;
}

/*
 * Until cr_builder_finish(), first_line of a location made by name is its row in b->lines. A
 * location made by address has no lines (n is 0), and first_line is CR_NO_ROW.
 */
static cr_location_id
location_intern(struct cr_builder *b, uint64_t h, cr_dso_id dso, uint64_t addr, uint16_t ordinal,
	const struct cr_built_line *lines, size_t n)
{
	uint32_t row;

	cr_index_each(&b->location_index, h, row) {
		const struct cr_location *l = &b->locations.p[row];

		if (l->addr == addr && l->dso.i == dso.i && l->ordinal == ordinal &&
			same_lines(b, l, lines, n))
			return (cr_location_id){row};
	}
	row = (uint32_t)b->locations.n;
	cr_vec_push(&b->locations, ((struct cr_location){.addr = addr,
					   .dso = dso,
					   .first_line = n ? (uint32_t)b->lines.n : CR_NO_ROW,
					   .lines = n ? (uint16_t)n : 1,
					   .ordinal = ordinal}));
	for (size_t i = 0; i < n; i++)
		cr_vec_push(&b->lines, lines[i]);
	cr_index_add(&b->location_index, h, row);
	return (cr_location_id){row};
}

static uint64_t
lines_hash(cr_dso_id dso, uint64_t addr, const struct cr_built_line *lines, size_t n)
{
	uint64_t h = location_hash(dso, addr, 0, 0);

	for (size_t i = 0; i < n; i++)
		h = cr_hash_mix(h, (uint64_t)lines[i].line << 32 | lines[i].function.i);
	return h;
}

uint32_t
cr_built_file1(struct cr_builder *b, struct cr_str file)
{
	return file.len ? cr_strings_intern(&b->strings, &b->p->arena, file) + 1 : 0;
}

void
cr_built_location_prefetch(
	const struct cr_builder *b, cr_dso_id dso, uint64_t addr, const struct cr_built_line *line)
{
	cr_index_prefetch(&b->location_index, lines_hash(dso, addr, line, 1));
}

cr_location_id
cr_built_location(struct cr_builder *b, cr_dso_id dso, uint64_t addr,
	const struct cr_built_line *lines, size_t n)
{
	return location_intern(b, lines_hash(dso, addr, lines, n), dso, addr, 0, lines, n);
}

static void
locations_some(
	struct cr_builder *b, const struct cr_location_at *at, size_t n, cr_location_id *location)
{
	uint64_t h[CR_BUILT_AT_ONCE];

	for (size_t i = 0; i < n; i++) {
		h[i] = location_hash(at[i].dso, at[i].addr, at[i].ordinal, CR_NO_ROW);
		cr_index_prefetch(&b->location_index, h[i]);
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t slot = cr_index_first(&b->location_index, h[i]);
		const uint32_t row = cr_index_row(&b->location_index, &slot, h[i]);

		if (row != CR_NO_ROW)
			__builtin_prefetch(&b->locations.p[row]);
	}
	for (size_t i = 0; i < n; i++)
		location[i] =
			location_intern(b, h[i], at[i].dso, at[i].addr, at[i].ordinal, NULL, 0);
}

void
cr_builder_locations(
	struct cr_builder *b, const struct cr_location_at *at, size_t n, cr_location_id *location)
{
	for (size_t i = 0; i < n; i += CR_BUILT_AT_ONCE)
		locations_some(b, at + i, CR_MIN(n - i, CR_BUILT_AT_ONCE), location + i);
}

cr_location_id
cr_builder_location(struct cr_builder *b, cr_dso_id dso, uint64_t addr, uint16_t ordinal)
{
	return location_intern(
		b, location_hash(dso, addr, ordinal, CR_NO_ROW), dso, addr, ordinal, NULL, 0);
}

static uint64_t
function_hash(struct cr_builder *b, struct cr_str name, cr_dso_id dso, uint64_t addr)
{
	return cr_hash_mix(name_hash(b, name), dso.i ^ addr);
}

static cr_function_id
function_intern(struct cr_builder *b, uint64_t h, struct cr_str name, cr_dso_id dso, uint64_t addr)
{
	uint32_t row;

	cr_index_each(&b->function_index, h, row) {
		const struct cr_built_function *f = &b->functions.p[row];

		if (f->dso.i == dso.i && f->addr == addr && is_name(cr_built_name(f), name))
			return (cr_function_id){row};
	}
	row = (uint32_t)b->functions.n;
	name = keep(b, name);
	cr_vec_push(&b->functions, ((struct cr_built_function){name.p, name.len, dso, addr}));
	cr_index_add(&b->function_index, h, row);
	return (cr_function_id){row};
}

cr_function_id
cr_built_function(struct cr_builder *b, struct cr_str name, cr_dso_id dso, uint64_t addr)
{
	return function_intern(b, function_hash(b, name, dso, addr), name, dso, addr);
}

/* The row that a lookup of h in the index finds first; CR_NO_ROW if there is none. */
static uint32_t
first_row(const struct cr_index *ix, uint64_t h)
{
	uint32_t slot = cr_index_first(ix, h);

	return cr_index_row(ix, &slot, h);
}

/* At most CR_BUILT_AT_ONCE functions: each step prefetches what the next one reads. */
static void
functions_some(struct cr_builder *b, const struct cr_built_function *want, size_t n,
	cr_function_id *function)
{
	uint64_t h[CR_BUILT_AT_ONCE];
	uint32_t row[CR_BUILT_AT_ONCE];

	for (size_t i = 0; i < n; i++) {
		h[i] = function_hash(b, cr_built_name(&want[i]), want[i].dso, want[i].addr);
		cr_index_prefetch(&b->function_index, h[i]);
	}
	for (size_t i = 0; i < n; i++) {
		row[i] = first_row(&b->function_index, h[i]);
		if (row[i] != CR_NO_ROW)
			__builtin_prefetch(&b->functions.p[row[i]]);
	}
	for (size_t i = 0; i < n; i++)
		if (row[i] != CR_NO_ROW)
			__builtin_prefetch(b->functions.p[row[i]].name);
	for (size_t i = 0; i < n; i++)
		function[i] = function_intern(
			b, h[i], cr_built_name(&want[i]), want[i].dso, want[i].addr);
}

void
cr_built_functions(struct cr_builder *b, const struct cr_built_function *want, size_t n,
	cr_function_id *function)
{
	for (size_t i = 0; i < n; i += CR_BUILT_AT_ONCE)
		functions_some(b, want + i, CR_MIN(n - i, CR_BUILT_AT_ONCE), function + i);
}

/* At most CR_BUILT_AT_ONCE locations of one line each. */
static void
one_line_some(struct cr_builder *b, const struct cr_named_one *at, const struct cr_built_line *line,
	size_t n, cr_location_id *location)
{
	uint64_t h[CR_BUILT_AT_ONCE];

	for (size_t i = 0; i < n; i++) {
		h[i] = lines_hash(at[i].dso, at[i].addr, &line[i], 1);
		cr_index_prefetch(&b->location_index, h[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t row = first_row(&b->location_index, h[i]);

		if (row != CR_NO_ROW)
			__builtin_prefetch(&b->locations.p[row]);
	}
	for (size_t i = 0; i < n; i++)
		location[i] = location_intern(b, h[i], at[i].dso, at[i].addr, 0, &line[i], 1);
}

void
cr_builder_named_all(
	struct cr_builder *b, const struct cr_named_one *at, size_t n, cr_location_id *location)
{
	struct cr_built_function want[CR_BUILT_AT_ONCE];
	cr_function_id function[CR_BUILT_AT_ONCE];
	struct cr_built_line line[CR_BUILT_AT_ONCE];

	for (size_t from = 0, some; from < n; from += some) {
		some = CR_MIN(n - from, CR_BUILT_AT_ONCE);
		for (size_t i = 0; i < some; i++)
			want[i] = (struct cr_built_function){at[from + i].named.name.p,
				at[from + i].named.name.len, at[from + i].dso, 0};
		functions_some(b, want, some, function);
		for (size_t i = 0; i < some; i++) {
			const struct cr_named *named = &at[from + i].named;

			line[i] = (struct cr_built_line){.function = function[i],
				.line = named->line,
				.file1 = cr_built_file1(b, named->file)};
		}
		one_line_some(b, at + from, line, some, location + from);
	}
}

cr_location_id
cr_builder_named(struct cr_builder *b, struct cr_str function, cr_dso_id dso)
{
	const struct cr_built_line line = {.function = cr_built_function(b, function, dso, 0)};

	return cr_built_location(b, dso, 0, &line, 1);
}

cr_location_id
cr_builder_named_at(
	struct cr_builder *b, cr_dso_id dso, uint64_t addr, const struct cr_named *named, size_t n)
{
	b->chain.n = 0;
	for (size_t i = 0; i < n; i++)
		cr_vec_push(&b->chain, ((struct cr_built_line){
					       .function = cr_built_function(b, named[i].name, dso,
						       i + 1 < n ? CR_ADDR_INLINED : 0),
					       .line = named[i].line,
					       .file1 = cr_built_file1(b, named[i].file),
				       }));
	return cr_built_location(b, dso, addr, b->chain.p, n);
}

cr_location_id
cr_builder_truncated(struct cr_builder *b)
{
	const struct cr_str name = CR_STR("[truncated]");
	const cr_location_id location = cr_builder_named(
		b, name, cr_builder_dso(b, &(struct cr_dso){.name = name, .kind = CR_KIND_GROUP}));

	b->truncated1 = location.i + 1;
	return location;
}

uint32_t
cr_built_truncated(const struct cr_builder *b)
{
	for (uint32_t i = 1; b->truncated1 && i < b->nodes.n; i++)
		if (b->nodes.p[i].parent == 0 && b->nodes.p[i].location == b->truncated1 - 1)
			return b->nodes.p[i].gone ? 0 : i;
	return 0;
}

/* Add a node that is not there yet; the parent if the limits allow no more. */
static cr_node_id
node_add(struct cr_builder *b, cr_node_id parent, cr_location_id location, uint64_t path)
{
	uint32_t row;

	if (b->nodes.p[parent.i].depth >= b->lim.depth) {
		b->over_depth++;
		return parent;
	}
	if (b->nodes.n >= b->lim.nodes) {
		b->over_nodes++;
		return parent;
	}
	row = (uint32_t)b->nodes.n;
	cr_vec_push(&b->nodes, ((struct cr_built_node){.path = (uint32_t)(path >> 32),
				       .parent = parent.i,
				       .location = location.i,
				       .depth = b->nodes.p[parent.i].depth + 1}));
	if (row != parent.i + 1) /* see child_behind() */
		cr_index_add(&b->node_index, path, row);
	return (cr_node_id){row};
}

/* Nodes one below the other, the first below one that has no children and is the last one. */
static void
nodes_add(struct cr_builder *b, cr_node_id parent, const cr_location_id *location, size_t n,
	cr_node_id *node)
{
	const uint32_t depth = b->nodes.p[parent.i].depth, row = parent.i + 1;
	uint32_t path = b->nodes.p[parent.i].path;
	struct cr_built_node *all;

	if (b->lim.depth - depth < n || b->lim.nodes - row < n) {
		for (size_t i = 0; i < n; i++) {
			const uint64_t hash =
				cr_built_path_hash(b->nodes.p[parent.i].path, location[i]);

			node[i] = parent = node_add(b, parent, location[i], hash);
		}
		return;
	}
	cr_vec_reserve(&b->nodes, b->nodes.n + n);
	all = b->nodes.p + row;
	for (uint32_t i = 0; i < (uint32_t)n; i++) {
		path = (uint32_t)(cr_built_path_hash(path, location[i]) >> 32);
		all[i] = (struct cr_built_node){.path = path,
			.parent = row + i - 1,
			.location = location[i].i,
			.depth = (depth + i + 1) & INT32_MAX};
		node[i].i = row + i;
	}
	b->nodes.n += n;
}

/*
 * The node behind a node is usually a child of it: the frames of a new stack are added one after
 * the other. So the index has only the other children, and it is a third as large.
 */
static uint32_t
child_behind(const struct cr_builder *b, cr_node_id parent, cr_location_id location)
{
	const uint32_t row = parent.i + 1;

	return row < b->nodes.n && b->nodes.p[row].parent == parent.i &&
			       b->nodes.p[row].location == location.i
		       ? row
		       : CR_NO_ROW;
}

static cr_node_id
node_intern(struct cr_builder *b, cr_node_id parent, cr_location_id location, uint64_t path)
{
	uint32_t row = child_behind(b, parent, location);

	if (row != CR_NO_ROW)
		return (cr_node_id){row};
	cr_index_each(&b->node_index, path, row)
		if (b->nodes.p[row].parent == parent.i && b->nodes.p[row].location == location.i)
			return (cr_node_id){row};
	return node_add(b, parent, location, path);
}

uint32_t
cr_built_node_prefetch(const struct cr_builder *b, uint32_t path, cr_location_id location)
{
	const uint64_t h = cr_built_path_hash(path, location);

	cr_index_prefetch(&b->node_index, h);
	return (uint32_t)(h >> 32);
}

cr_node_id
cr_builder_push(struct cr_builder *b, cr_node_id parent, cr_location_id location)
{
	return node_intern(
		b, parent, location, cr_built_path_hash(b->nodes.p[parent.i].path, location));
}

/* Locations of a path that are looked up at a time: most paths part early from all others. */
#define PUSHED_AT_ONCE ((size_t)16)

void
cr_builder_push_path(struct cr_builder *b, cr_node_id parent, const cr_location_id *location,
	size_t n, cr_node_id *node)
{
	for (size_t from = 0, some; from < n; from += some) {
		const size_t before = b->nodes.n;
		uint32_t path = b->nodes.p[parent.i].path;
		uint64_t key[PUSHED_AT_ONCE];

		some = CR_MIN(n - from, PUSHED_AT_ONCE);
		for (size_t i = 0; i < some; i++) {
			key[i] = cr_built_path_hash(path, location[from + i]);
			path = (uint32_t)(key[i] >> 32);
			cr_index_prefetch(&b->node_index, key[i]);
		}
		for (size_t i = 0; i < some; i++)
			cr_built_row_prefetch(b, key[i]);
		cr_built_path(b, parent, location + from, key, some, node + from);
		parent = node[from + some - 1];
		if (parent.i >= before) { /* it is new, and so is all below it */
			from += some;
			nodes_add(b, parent, location + from, n - from, node + from);
			return;
		}
	}
}

void
cr_built_path(struct cr_builder *b, cr_node_id parent, const cr_location_id *location,
	const uint64_t *key, size_t n, cr_node_id *node)
{
	for (size_t i = 0; i < n; i++) {
		const size_t before = b->nodes.n;
		const uint64_t hash =
			b->over_nodes | b->over_depth
				? cr_built_path_hash(b->nodes.p[parent.i].path, location[i])
				: key[i];

		node[i] = parent = node_intern(b, parent, location[i], hash);
		if (b->nodes.n > before) { /* it was just added, so it has no children */
			nodes_add(b, parent, location + i + 1, n - i - 1, node + i + 1);
			return;
		}
	}
}

void
cr_builder_path_to(const struct cr_builder *b, cr_node_id leaf, size_t n, cr_node_id *node)
{
	for (; n; leaf.i = b->nodes.p[leaf.i].parent)
		node[--n] = leaf;
}

void
cr_builder_sample(struct cr_builder *b, const struct cr_sample *s)
{
	const uint16_t event = (uint16_t)s->event.i;

	cr_mapped_vector_push(&b->columns[CR_SAMPLE_TIME], &s->time_ns, sizeof(s->time_ns));
	cr_mapped_vector_push(&b->columns[CR_SAMPLE_WEIGHT], &s->weight, sizeof(s->weight));
	cr_mapped_vector_push(&b->columns[CR_SAMPLE_TASK], &s->task.i, sizeof(s->task.i));
	if (b->queue)
		cr_built_queue_sample(b, s->node);
	else
		cr_mapped_vector_push(&b->columns[CR_SAMPLE_NODE], &s->node.i, sizeof(s->node.i));
	cr_mapped_vector_push(&b->columns[CR_SAMPLE_CPU], &s->cpu, sizeof(s->cpu));
	cr_mapped_vector_push(&b->columns[CR_SAMPLE_EVENT], &event, sizeof(event));
	b->n_samples++;
	b->events.p[s->event.i].samples++;
	b->events.p[s->event.i].weight = cr_add_sat(b->events.p[s->event.i].weight, s->weight);
}

uint64_t
cr_builder_samples(const struct cr_builder *b)
{
	return b->n_samples;
}

uint64_t
cr_builder_rows(const struct cr_builder *b)
{
	return (uint64_t)b->functions.n + b->locations.n + b->nodes.n;
}

cr_field_id
cr_builder_field(struct cr_builder *b, cr_event_id event, struct cr_str name, enum cr_form form)
{
	return cr_field_builder_row(&b->fields, event, keep(b, name), form);
}

void
cr_builder_field_code(struct cr_builder *b, cr_field_id field, enum cr_code_form code)
{
	if (field.i < b->fields.rows.n)
		b->fields.rows.p[field.i].code = (uint8_t)code;
}

void
cr_builder_value(struct cr_builder *b, cr_field_id field, uint64_t value)
{
	cr_field_builder_value(&b->fields, field, value, b->events.p);
}

uint64_t
cr_builder_text(struct cr_builder *b, struct cr_str text)
{
	return cr_field_builder_text(&b->fields, &b->strings, &b->p->arena, text);
}
