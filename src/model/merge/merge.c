#include "merge_p.h"

#include "model/columns.h"

#include <stdlib.h>

#define ROWS_MOST ((size_t)UINT32_MAX - 1)
#define EVENTS_MOST ((size_t)UINT16_MAX)
/* In a file, locations may share lines; here each has its own. These limits bound the growth. */
#define LINES_SHARED 8u
#define LINES_FREE ((uint64_t)1 << 20)

/*
 * The address that the kernel's reference symbol is moved to, and the one that the start of each
 * module is moved to. Kernels with 32-bit addresses are not moved.
 */
#define KERNEL_AT ((uint64_t)0xffffffff81000000)
#define MODULE_AT ((uint64_t)0xffffffffc0000000)
#define IS_64_BIT ((uint64_t)1 << 32)

struct cr_str
cr_merge_keep(struct cr_merge *m, struct cr_str s)
{
	if (s.len == 0)
		return (struct cr_str){"", 0};
	return cr_strings_keep(&m->strings, &m->p->arena, s);
}

/* ---- dsos */

uint32_t
cr_merge_dso(struct cr_merge *m, const struct cr_dso *o)
{
	const uint64_t h = cr_hash_mix(
		cr_hash(o->name.p, o->name.len), cr_hash(o->build_id, o->build_id_len) + o->kind);
	uint32_t row;
	struct cr_dso copy = *o;

	cr_index_each(&m->dso_index, h, row) {
		const struct cr_dso *have = &m->dsos.p[row];

		if (have->kind == o->kind && have->build_id_len == o->build_id_len &&
			memcmp(have->build_id, o->build_id, o->build_id_len) == 0 &&
			cr_str_eq(have->name, o->name))
			return row;
	}
	row = (uint32_t)m->dsos.n;
	memset(copy.build_id + o->build_id_len, 0, sizeof(copy.build_id) - o->build_id_len);
	copy.name = cr_merge_keep(m, o->name);
	cr_vec_push(&m->dsos, copy);
	cr_index_add(&m->dso_index, h, row);
	return row;
}

static uint64_t
kernel_shift(const struct cr_profile *p)
{
	const struct cr_str s = cr_profile_fact(p, "kernel.ref.addr");
	char text[17] = "";
	uint64_t ref;

	memcpy(text, s.p, CR_MIN(s.len, (uint32_t)sizeof(text) - 1));
	ref = strtoull(text, NULL, 16);
	return ref >= IS_64_BIT ? KERNEL_AT - ref : 0;
}

/*
 * By dso: the offset that moves its addresses to the same place for every boot. The addresses of a
 * merge were moved already.
 */
static uint64_t *
dso_shifts(const struct cr_profile *p, bool is_merge)
{
	uint64_t *shift = cr_alloc(p->n_dsos, sizeof(*shift));
	/* start of a module, the lowest one; 0 if unknown. */
	uint64_t *start = cr_alloc(p->n_dsos, sizeof(*start));

	for (uint32_t i = 0; i < p->n_maps && !is_merge; i++) {
		const uint32_t o = p->maps[i].dso.i;

		start[o] = start[o] ? CR_MIN(start[o], p->maps[i].start) : p->maps[i].start;
	}
	for (uint32_t i = 0; i < p->n_dsos && !is_merge; i++) {
		if (p->dsos[i].kind == CR_KIND_KERNEL)
			shift[i] = kernel_shift(p);
		if (p->dsos[i].kind == CR_KIND_MODULE && start[i] >= IS_64_BIT)
			shift[i] = MODULE_AT - start[i];
	}
	free(start);
	return shift;
}

/* ---- functions and locations */

/* In a fleet, inlined functions may have their sources elsewhere on each machine. */
static bool
same_function(const struct cr_merge *m, const struct cr_function *a, const struct cr_function *b)
{
	return a->dso.i == b->dso.i && a->addr == b->addr && cr_str_eq(a->name, b->name) &&
	       (a->addr != CR_ADDR_INLINED || m->fleet || cr_str_eq(a->file, b->file));
}

/*
 * Complete a function with what another input knows about it. If both have a value, the larger one
 * wins, so that the order of inputs does not matter.
 */
static void
function_merge_names(struct cr_merge *m, struct cr_function *have, const struct cr_function *f)
{
	const int c = cr_str_cmp(f->file, have->file);

	if (c > 0 || (c == 0 && f->line > have->line)) {
		have->file = cr_merge_keep(m, f->file);
		have->line = f->line;
	}
	if (cr_str_cmp(f->linkage, have->linkage) > 0)
		have->linkage = cr_merge_keep(m, f->linkage);
}

uint32_t
cr_merge_function(struct cr_merge *m, const struct cr_function *f)
{
	const uint64_t h =
		cr_hash_mix(cr_hash(f->name.p, f->name.len), f->addr ^ (uint64_t)f->dso.i << 32);
	uint32_t row;
	struct cr_function copy = *f;

	cr_index_each(&m->function_index, h, row)
		if (same_function(m, &m->functions.p[row], f)) {
			function_merge_names(m, &m->functions.p[row], f);
			return row;
		}
	row = (uint32_t)m->functions.n;
	copy.name = cr_merge_keep(m, f->name);
	copy.linkage = cr_merge_keep(m, f->linkage);
	copy.file = cr_merge_keep(m, f->file);
	cr_vec_push(&m->functions, copy);
	cr_index_add(&m->function_index, h, row);
	return row;
}

/*
 * The file of a line, stored even if it is the function's: another input may add a file to that
 * function.
 */
static struct cr_str
line_file(struct cr_merge *m, const struct cr_profile *p, const struct cr_line *l)
{
	const struct cr_str file = cr_line_file(p, l);

	return cr_merge_keep(m, l->line && !file.len ? CR_STR(CR_MERGE_NO_FILE) : file);
}

static bool
same_location(const struct cr_merge *m, const struct cr_location *a, const struct cr_location *b,
	const struct cr_line *lines)
{
	const struct cr_line *have = m->lines.p + a->first_line;

	if (a->addr != b->addr || a->dso.i != b->dso.i || a->ordinal != b->ordinal ||
		a->lines != b->lines)
		return false;
	for (uint16_t i = 0; i < b->lines; i++)
		if (have[i].function.i != lines[i].function.i || have[i].line != lines[i].line ||
			!cr_str_eq(have[i].file, lines[i].file))
			return false;
	return true;
}

uint32_t
cr_merge_location(struct cr_merge *m, struct cr_location l)
{
	uint64_t h =
		cr_hash_mix(l.addr, (uint64_t)l.dso.i << 32 | (uint32_t)l.ordinal << 16 | l.lines);
	uint32_t row;

	for (uint16_t i = 0; i < l.lines; i++)
		h = cr_hash_mix(h, (uint64_t)m->chain.p[i].line << 32 | m->chain.p[i].function.i);
	cr_index_each(&m->location_index, h, row)
		if (same_location(m, &m->locations.p[row], &l, m->chain.p))
			return row;
	row = (uint32_t)m->locations.n;
	l.first_line = (uint32_t)m->lines.n;
	cr_vec_push(&m->locations, l);
	for (uint16_t i = 0; i < l.lines; i++)
		cr_vec_push(&m->lines, m->chain.p[i]);
	cr_index_add(&m->location_index, h, row);
	return row;
}

uint32_t
cr_merge_node(struct cr_merge *m, uint32_t parent, uint32_t location)
{
	const uint64_t h = cr_hash_mix(parent, location);
	uint32_t row;

	cr_index_each(&m->node_index, h, row)
		if (m->nodes.p[row].parent == parent && m->nodes.p[row].location == location)
			return row;
	row = (uint32_t)m->nodes.n;
	cr_vec_push(&m->nodes,
		((struct cr_merged_node){parent, location, m->nodes.p[parent].depth + 1}));
	cr_index_add(&m->node_index, h, row);
	return row;
}

/* ---- events */

/* Remove the unit, " (ns)", that a merge appended to an event name. */
static struct cr_str
event_name(const struct cr_event *e)
{
	struct cr_str name = e->name, unit = e->unit;

	while (name.len >= unit.len + 3 && name.p[name.len - 1] == ')' &&
		memcmp(name.p + name.len - unit.len - 3, " (", 2) == 0 &&
		(unit.len == 0 || memcmp(name.p + name.len - unit.len - 1, unit.p, unit.len) == 0))
		name.len -= unit.len + 3;
	return name;
}

static uint32_t
event_row(struct cr_merge *m, const struct cr_event *e)
{
	const struct cr_str name = event_name(e);
	const uint64_t h = cr_hash_mix(cr_hash(name.p, name.len), cr_hash(e->unit.p, e->unit.len));
	uint32_t row;

	cr_index_each(&m->event_index, h, row)
		if (cr_str_eq(m->events.p[row].name, name) &&
			cr_str_eq(m->events.p[row].unit, e->unit))
			return row;
	row = (uint32_t)m->events.n;
	cr_vec_push(&m->events, ((struct cr_merged_event){.name = cr_merge_keep(m, name),
					.unit = cr_merge_keep(m, e->unit)}));
	cr_index_add(&m->event_index, h, row);
	return row;
}

/* False if the samples were not read: to fold a recording they are not needed. */
static bool
has_rows(const struct cr_profile *p, uint32_t event)
{
	if (p->not_read & CR_NEEDS_EVENT)
		return false;
	for (uint64_t i = 0; i < p->samples.n; i++)
		if (p->samples.event[i] == event)
			return true;
	return false;
}

/*
 * The row of the event that is a sum. It gets no row in the merge until the end, and is defined by
 * its parts. If a (hostile) file has samples of it, it is treated like other events.
 */
static uint32_t
find_sum(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_event_is_sum(p, (cr_event_id){i}) && !has_rows(p, i))
			return i;
	return CR_NO_ROW;
}

/*
 * Check the rows that the events of p were mapped to. Two events must not share one, since the
 * values of their fields could not be assigned.
 */
static int
events_check(const struct cr_merge *m, const struct cr_profile *p, const uint32_t *row,
	struct cr_err *err)
{
	uint8_t *taken = cr_alloc(m->events.n, 1);
	int rc = CR_OK;

	for (uint32_t i = 0; i < p->n_events && rc == CR_OK; i++) {
		if (row[i] == CR_NO_ROW)
			continue;
		if (taken[row[i]]++)
			rc = cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
				"two of its events have the same name and unit: %.*s",
				(int)CR_MIN(p->events[i].name.len, 100u), p->events[i].name.p);
	}
	free(taken);
	return rc;
}

int
cr_merge_add_events(
	struct cr_merge *m, const struct cr_profile *p, uint32_t *row, struct cr_err *err)
{
	const uint32_t sum = find_sum(p);
	int rc;

	for (uint32_t i = 0; i < p->n_events; i++)
		row[i] = i == sum ? CR_NO_ROW : event_row(m, &p->events[i]);
	if ((rc = events_check(m, p, row, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < p->n_events; i++) {
		const cr_event_id id = {i};
		struct cr_merged_event *e;

		if (i == sum)
			continue;
		e = &m->events.p[row[i]];
		e->samples += p->events[i].samples;
		e->weight = cr_add_sat(e->weight, p->events[i].weight);
		e->derived |= cr_event_is_derived(p, id);
		e->summed |= cr_event_is_summed(p, id);
	}
	return CR_OK;
}

/* ---- machine code and source lines */

static int
code_cmp(const struct cr_machine_code *a, const struct cr_machine_code *b)
{
	const uint64_t v[] = {a->bytes.len, a->base, a->machine, a->bits, a->big_endian};
	const uint64_t w[] = {b->bytes.len, b->base, b->machine, b->bits, b->big_endian};

	for (size_t i = 0; i < CR_LEN(v); i++)
		if (v[i] != w[i])
			return v[i] < w[i] ? -1 : 1;
	return cr_str_cmp(a->bytes, b->bytes);
}

/* For one address the longest code wins. */
static void
add_code(struct cr_merge *m, struct cr_machine_code c)
{
	const uint64_t h = cr_hash_mix(c.addr, c.function.i);
	uint32_t row;

	cr_index_each(&m->code_index, h, row) {
		struct cr_machine_code *have = &m->codes.p[row];

		if (have->function.i != c.function.i || have->addr != c.addr)
			continue;
		if (code_cmp(&c, have) > 0) {
			c.bytes = cr_merge_keep(m, c.bytes);
			*have = c;
		}
		return;
	}
	c.bytes = cr_merge_keep(m, c.bytes);
	cr_index_add(&m->code_index, h, (uint32_t)m->codes.n);
	cr_vec_push(&m->codes, c);
}

/*
 * If two inputs differ in a source line, replace it by a remark: nobody knows which one a sample
 * means.
 */
static void
add_source_line(struct cr_merge *m, const struct cr_source_line *l)
{
	const uint64_t h = cr_hash_mix(cr_hash(l->file.p, l->file.len), l->line);
	uint32_t row;

	cr_index_each(&m->source_index, h, row) {
		struct cr_source_line *have = &m->source_lines.p[row];

		if (have->line != l->line || !cr_str_eq(have->file, l->file))
			continue;
		if (!cr_str_eq(have->text, l->text))
			have->text = CR_STR("(differs between the merged profiles)");
		return;
	}
	cr_index_add(&m->source_index, h, (uint32_t)m->source_lines.n);
	cr_vec_push(&m->source_lines, ((struct cr_source_line){.file = cr_merge_keep(m, l->file),
					      .line = l->line,
					      .text = cr_merge_keep(m, l->text)}));
}

static void
add_codes(struct cr_merge *m, const struct cr_profile *p, const struct cr_merge_places *at)
{
	for (uint32_t i = 0; i < p->n_codes; i++) {
		struct cr_machine_code c = p->codes[i];
		const uint64_t shift = at->dso_shift[p->functions[c.function.i].dso.i];

		c.function.i = at->function[c.function.i];
		c.addr += shift;
		c.base += shift;
		add_code(m, c);
	}
	for (uint32_t i = 0; i < p->n_source_lines; i++)
		add_source_line(m, &p->source_lines[i]);
}

/* ---- adding a profile */

static void
add_functions(struct cr_merge *m, const struct cr_profile *p, const struct cr_merge_places *at)
{
	for (uint32_t i = 0; i < p->n_functions; i++) {
		struct cr_function f = p->functions[i];

		if (f.addr && f.addr != CR_ADDR_INLINED)
			f.addr += at->dso_shift[f.dso.i];
		f.dso.i = at->dso[f.dso.i];
		at->function[i] = cr_merge_function(m, &f);
	}
}

static void
add_locations(struct cr_merge *m, const struct cr_profile *p, const struct cr_merge_places *at)
{
	for (uint32_t i = 0; i < p->n_locations; i++) {
		struct cr_location l = p->locations[i];

		l.addr += at->dso_shift[l.dso.i];
		l.dso.i = at->dso[l.dso.i];
		m->chain.n = 0;
		for (uint16_t k = 0; k < l.lines; k++) {
			const struct cr_line *line = &p->lines[l.first_line + k];

			cr_vec_push(&m->chain,
				((struct cr_line){.function = {at->function[line->function.i]},
					.line = line->line,
					.file = line_file(m, p, line)}));
		}
		at->location[i] = cr_merge_location(m, l);
	}
}

static void
add_tables(struct cr_merge *m, const struct cr_profile *p, const struct cr_merge_places *at)
{
	for (uint32_t i = 0; i < p->n_dsos; i++)
		at->dso[i] = cr_merge_dso(m, &p->dsos[i]);
	add_functions(m, p, at);
	add_locations(m, p, at);
	for (uint32_t i = 1; i < p->n_nodes; i++)
		at->node[i] = cr_merge_node(
			m, at->node[p->node_parent[i]], at->location[p->node_location[i]]);
	add_codes(m, p, at);
}

int
cr_merge_limits_check(const struct cr_merge *m, const struct cr_profile *p, struct cr_err *err)
{
	const struct {
		size_t have, more, most;
		const char *what;
	} rows[] = {
		{m->nodes.n, p->n_nodes, CR_MERGE_NODES_MOST, "distinct stacks"},
		{m->locations.n, p->n_locations, ROWS_MOST, "locations"},
		{m->functions.n, p->n_functions, ROWS_MOST, "functions"},
		{m->tasks.n, p->n_tasks, ROWS_MOST, "threads"},
		{m->maps.n, p->n_maps, ROWS_MOST, "mappings"},
		{m->events.n, p->n_events, EVENTS_MOST, "events"},
	};
	uint64_t lines = 0;

	for (uint32_t i = 0; i < p->n_locations; i++)
		lines += p->locations[i].lines;
	if (lines > (uint64_t)p->n_lines * LINES_SHARED + LINES_FREE)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"%llu lines of locations from %u are too many", (unsigned long long)lines,
			p->n_lines);
	for (size_t i = 0; i < CR_LEN(rows); i++)
		if (rows[i].have + rows[i].more > rows[i].most)
			return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
				"more than %zu %s are too many for one profile", rows[i].most,
				rows[i].what);
	if (m->lines.n + lines > ROWS_MOST)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"more than %zu lines are too many for one profile", ROWS_MOST);
	return CR_OK;
}

struct cr_merge *
cr_merge_new(void)
{
	struct cr_merge *m = cr_alloc(1, sizeof(*m));

	m->p = cr_alloc(1, sizeof(*m->p));
	cr_vec_push(&m->nodes, ((struct cr_merged_node){0}));
	cr_merge_dso(m, &(struct cr_dso){.name = CR_STR("[unknown]"), .kind = CR_KIND_UNKNOWN});
	cr_merge_function(
		m, &(struct cr_function){.name = {"", 0}, .linkage = {"", 0}, .file = {"", 0}});
	return m;
}

void
cr_merge_free(struct cr_merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->leaves.n; i++)
		free(m->leaves.p[i].event_samples);
	cr_merge_fleet_free(m->fleet);
	cr_profile_free(m->p);
	cr_strings_fini(&m->strings);
	cr_strings_fini(&m->texts);
	cr_vec_fini(&m->dsos);
	cr_vec_fini(&m->functions);
	cr_vec_fini(&m->locations);
	cr_vec_fini(&m->lines);
	cr_vec_fini(&m->chain);
	cr_vec_fini(&m->nodes);
	cr_vec_fini(&m->events);
	cr_vec_fini(&m->fields);
	cr_vec_fini(&m->tasks);
	cr_vec_fini(&m->maps);
	cr_vec_fini(&m->values_of);
	cr_vec_fini(&m->codes);
	cr_vec_fini(&m->source_lines);
	cr_quality_fini(&m->quality);
	cr_vec_fini(&m->facts);
	cr_vec_fini(&m->leaves);
	cr_index_fini(&m->dso_index);
	cr_index_fini(&m->function_index);
	cr_index_fini(&m->location_index);
	cr_index_fini(&m->node_index);
	cr_index_fini(&m->code_index);
	cr_index_fini(&m->source_index);
	cr_index_fini(&m->event_index);
	cr_index_fini(&m->field_index);
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		cr_mapped_vector_fini(&m->columns[c]);
	cr_mapped_vector_fini(&m->values);
	free(m);
}

static int
add_all(struct cr_merge *m, const struct cr_profile *p, struct cr_str name, struct cr_err *err)
{
	struct cr_merge_inputs inputs;
	struct cr_merge_places at;
	int rc;

	cr_needed(p, CR_NEEDS_ALL);
	if (p->flags & CR_PROFILE_FLEET)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"it is a folded profile, which has no single samples; use merge --fold");
	if (!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"its samples are lost, and a merge needs them");
	if ((rc = cr_merge_limits_check(m, p, err)) < 0)
		return rc;
	cr_merge_inputs(p, &inputs);
	at = (struct cr_merge_places){
		.dso = cr_alloc(p->n_dsos, sizeof(uint32_t)),
		.function = cr_alloc(p->n_functions, sizeof(uint32_t)),
		.location = cr_alloc(p->n_locations, sizeof(uint32_t)),
		.node = cr_alloc(p->n_nodes, sizeof(uint32_t)),
		.event = cr_alloc(p->n_events, sizeof(uint32_t)),
		.dso_shift = dso_shifts(p, inputs.n > 0),
	};
	rc = cr_merge_add_events(m, p, at.event, err);
	if (rc == CR_OK) {
		add_tables(m, p, &at);
		cr_merge_add_facts(m, p);
		cr_merge_add_quality(m, p);
		m->p->flags |= p->flags;
		m->p->access = cr_access_join(m->p->access, p->access);
		cr_merge_rows(m, p, name, &inputs, &at);
	}
	cr_merge_inputs_fini(&inputs);
	free(at.dso);
	free(at.function);
	free(at.location);
	free(at.node);
	free(at.event);
	free(at.dso_shift);
	return rc;
}

int
cr_merge_add(struct cr_merge *m, const struct cr_profile *p, struct cr_str name, struct cr_err *err)
{
	const int rc = m->fleet ? cr_merge_fleet_add(m, p, err) : add_all(m, p, name, err);

	m->added += rc == CR_OK;
	return rc;
}
