#include "query/fold/derived.h"

#include "base/hash.h"
#include "groups_p.h"
#include "model/columns.h"
#include "model/field.h"
#include "model/sockets.h"
#include "query/fold/data_source.h"
#include "query/fold/select.h"
#include "query/lang/pattern.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_GROUPS 65536u
#define NONE UINT64_MAX
#define CACHE_LINE 64u
#define PARENT "^sys_|^do_page_fault" /* as in perf */
#define QUANTUM_NS 100000000u

/* What the value of a key is computed from. */
enum source { OF_FIELD, OF_TIME, OF_NODE, OF_TASK, OF_CPU, OF_ROW };

/* The values of one key, being made. */
struct making {
	const struct cr_profile *p;
	const struct cr_derived *d;
	const struct cr_field *field; /* for OF_FIELD; for others the first field of the event */
	/* Of symbol_daddr and typeoff, the offsets; of typeoff, the members; NULL for none. */
	const struct cr_field *second, *third;
	cr_event_id event;
	uint64_t quantum_ns;
	uint32_t *parent1; /* by node: its function, + 1; 0 if none matches */
	struct cr_sockets sockets;
	struct cr_groups *out;
	CR_VEC(uint64_t) values; /* seen so far; their groups are in: */
	CR_VEC(uint32_t) group_of;
	struct cr_index values_index, names_index;
	struct cr_text text;
	uint64_t row, nth; /* of the current sample, and its number in its event */
};

struct cr_derived {
	const char *word, *head;
	enum source source;
	const char *field; /* that it is made from, a text if it is data_src; NULL if none */
	unsigned needs;
	/* The part of a value that matters; NULL: all of it. */
	uint64_t (*reduce)(const struct making *m, uint64_t value);
	/* Append what is printed for a value. Nothing appended: the sample has no value. */
	void (*put)(struct making *m, uint64_t value);
	enum cr_data_source part; /* for put_source() */
};

/* ---- values */

static uint64_t
reduce_time(const struct making *m, uint64_t ns)
{
	return ns - ns % m->quantum_ns;
}

static void
put_time(struct making *m, uint64_t ns)
{
	const bool is_fine = m->quantum_ns % 1000 != 0;

	cr_text_printf(&m->text, "%" PRIu64 ".%0*" PRIu64, ns / 1000000000, is_fine ? 9 : 6,
		is_fine ? ns % 1000000000 : ns % 1000000000 / 1000);
}

static uint64_t
reduce_parent(const struct making *m, uint64_t node)
{
	return node < m->p->n_nodes ? m->parent1[node] : 0;
}

static void
put_parent(struct making *m, uint64_t function1)
{
	if (function1)
		cr_text_str(&m->text, m->p->functions[function1 - 1].name);
	else
		cr_text_puts(&m->text, "[other]");
}

/* "worker-<N>" for "worker-12". */
static void
put_comm(struct making *m, uint64_t task)
{
	const struct cr_str comm = task < m->p->n_tasks ? m->p->tasks[task].comm : CR_STR("");
	bool in_number = false;

	for (uint32_t i = 0; i < comm.len; i++) {
		const bool digit = comm.p[i] >= '0' && comm.p[i] <= '9';

		if (digit && !in_number)
			cr_text_puts(&m->text, "<N>");
		else if (!digit)
			cr_text_char(&m->text, comm.p[i]);
		in_number = digit;
	}
}

static void
put_socket(struct making *m, uint64_t cpu)
{
	const uint64_t socket = cr_sockets_find(&m->sockets, cpu);

	if (socket != CR_SOCKET_UNKNOWN)
		cr_text_u64(&m->text, socket);
}

static void
put_hex(struct making *m, uint64_t v)
{
	cr_text_printf(&m->text, "0x%" PRIx64, v);
}

static uint64_t
reduce_line(const struct making *m, uint64_t addr)
{
	(void)m;
	return addr - addr % CACHE_LINE;
}

/* "4K", "2M", "1G" */
static void
put_page_size(struct making *m, uint64_t bytes)
{
	static const char units[] = "BKMGT";
	size_t u = 0;

	if (!bytes)
		return;
	for (; bytes % 1024 == 0 && u + 2 < sizeof(units); u++)
		bytes /= 1024;
	cr_text_printf(&m->text, "%" PRIu64 "%c", bytes, units[u]);
}

/* The flags of a hardware transaction, and the code it was aborted with. */
static void
put_transaction(struct making *m, uint64_t v)
{
	static const char *const flags[] = {
		"EL", "TX", "SYNC", "ASYNC", "RETRY", "CON", "CAP-WRITE", "CAP-READ"};
	const size_t start = m->text.len;

	for (size_t i = 0; i < CR_LEN(flags); i++)
		if (v >> i & 1)
			cr_text_printf(&m->text, "%s%s", m->text.len > start ? " " : "", flags[i]);
	if (v && !(v & 0xc)) /* neither synchronous nor asynchronous */
		cr_text_puts(&m->text, m->text.len > start ? " NEITHER" : "NEITHER");
	if (v >> 32)
		cr_text_printf(&m->text, " :%" PRIx64, v >> 32);
}

/* All fields of the sample: "prev_comm=cc prev_pid=12 ...". */
static void
put_trace(struct making *m, uint64_t nth)
{
	for (uint32_t i = 0; i < m->p->n_fields; i++) {
		const struct cr_field *f = &m->p->fields[i];

		if (f->event.i != m->event.i || nth >= f->n ||
			f->value[nth] == cr_form_none((enum cr_form)f->form))
			continue;
		if (m->text.len)
			cr_text_char(&m->text, ' ');
		cr_text_str(&m->text, f->name);
		cr_text_char(&m->text, '=');
		if (f->form == CR_FORM_TEXT)
			cr_text_str(&m->text, m->p->texts[f->value[nth]]);
		else
			cr_field_put(m->p, f, f->value[nth], &m->text);
	}
}

/* The dso that is mapped at the data address. */
static void
put_data_dso(struct making *m, uint64_t nth)
{
	const struct cr_map *map;

	if (nth >= m->field->n || m->field->value[nth] == NONE)
		return;
	map = cr_profile_map_at(m->p, m->row, m->field->value[nth]);
	if (map && m->p->dsos[map->dso.i].name.len)
		cr_text_str(&m->text, cr_str_basename(m->p->dsos[map->dso.i].name));
	else
		cr_text_puts(&m->text, "[unknown]");
}

/* "table+0x40", as perf prints it; or what is mapped at the data address. */
static void
put_data_symbol(struct making *m, uint64_t nth)
{
	if (nth >= m->field->n || m->field->value[nth] >= m->p->n_texts)
		return;
	cr_text_str(&m->text, m->p->texts[m->field->value[nth]]);
	if (m->second && nth < m->second->n && m->second->value[nth] != NONE)
		cr_text_printf(&m->text, "+0x%" PRIx64, m->second->value[nth]);
}

/* "struct node +0x8 (next)" */
static void
put_type(const struct cr_profile *p, const struct cr_field *type, const struct cr_field *offset,
	const struct cr_field *member, uint64_t nth, struct cr_text *out)
{
	if (nth >= type->n || type->value[nth] >= p->n_texts)
		return;
	cr_text_str(out, p->texts[type->value[nth]]);
	if (!offset || nth >= offset->n || offset->value[nth] == NONE)
		return;
	cr_text_printf(out, " +0x%" PRIx64, offset->value[nth]);
	if (member && nth < member->n && member->value[nth] < p->n_texts) {
		cr_text_puts(out, " (");
		cr_text_str(out, p->texts[member->value[nth]]);
		cr_text_puts(out, ")");
	}
}

void
cr_type_offset_put(
	const struct cr_profile *p, const struct cr_field *type, uint64_t nth, struct cr_text *out)
{
	put_type(p, type, cr_field_find(p, type->event, CR_STR("type_offset")),
		cr_field_find(p, type->event, CR_STR("type_member")), nth, out);
}

static void
put_type_offset(struct making *m, uint64_t nth)
{
	put_type(m->p, m->field, m->second, m->third, nth, &m->text);
}

/* "struct node: cache-line 2" */
static void
put_type_line(struct making *m, uint64_t nth)
{
	if (nth >= m->field->n || m->field->value[nth] >= m->p->n_texts)
		return;
	cr_text_str(&m->text, m->p->texts[m->field->value[nth]]);
	if (m->second && nth < m->second->n && m->second->value[nth] != NONE)
		cr_text_printf(
			&m->text, ": cache-line %" PRIu64, m->second->value[nth] / CACHE_LINE);
}

/* The location of the innermost frame, and that of its caller: the two ends of a branch. */
static uint64_t
reduce_to(const struct making *m, uint64_t node)
{
	return node && node < m->p->n_nodes ? m->p->node_location[node] : NONE;
}

static uint64_t
reduce_from(const struct making *m, uint64_t node)
{
	return reduce_to(m, node < m->p->n_nodes ? m->p->node_parent[node] : 0);
}

/* The function of the symbol table, not an inlined one; the address if it has no name. */
static void
put_symbol(struct making *m, uint64_t location)
{
	const struct cr_location *l;
	struct cr_str name;

	if (location == NONE)
		return;
	l = &m->p->locations[location];
	name = m->p->functions[m->p->lines[l->first_line + l->lines - 1u].function.i].name;
	if (name.len)
		cr_text_str(&m->text, name);
	else
		put_hex(m, l->addr);
}

static void
put_dso(struct making *m, uint64_t location)
{
	const struct cr_dso *dso;
	struct cr_text made = {0};
	struct cr_str name;

	if (location == NONE)
		return;
	dso = &m->p->dsos[m->p->locations[location].dso.i];
	name = cr_dso_name(dso->name, (enum cr_kind)dso->kind, &made);
	cr_text_str(&m->text, name.len ? name : CR_STR("[unknown]"));
	cr_text_fini(&made);
}

static void
put_line(struct making *m, uint64_t location)
{
	const struct cr_line *line;
	struct cr_str file;

	if (location == NONE)
		return;
	line = &m->p->lines[m->p->locations[location].first_line];
	file = cr_str_basename(cr_line_file(m->p, line));
	if (!line->line || !file.len) {
		put_symbol(m, location);
		return;
	}
	cr_text_str(&m->text, file);
	cr_text_printf(&m->text, ":%" PRIu32, line->line);
}

static void
put_address(struct making *m, uint64_t location)
{
	if (location != NONE)
		put_hex(m, m->p->locations[location].addr);
}

/* Cycles since the branch before, on average of the branches that are one sample. */
static void
put_cycles(struct making *m, uint64_t nth)
{
	const uint64_t n = cr_column_weights(m->p)[m->row];

	if (nth < m->field->n && n && m->field->value[nth] != NONE)
		cr_text_u64(&m->text,
			m->field->value[nth] / n + (m->field->value[nth] % n >= n - n / 2));
}

static void
put_source(struct making *m, uint64_t text)
{
	cr_data_source_put(m->p->texts[text], m->d->part, &m->text);
}

/* ---- the keys */

#define TEXT CR_NEEDS_FIELDS /* the field is a text */
#define STACKS (CR_NEEDS_NODE | CR_NEEDS_TREE)
#define DATA_DSO (CR_NEEDS_FIELDS | CR_NEEDS_TASK | CR_NEEDS_MAPS)

static const struct cr_derived keys[] = {
	{"comm_nodigit", "CommandNoDigit", OF_TASK, NULL, CR_NEEDS_TASK, NULL, put_comm},
	{"parent", "Parent symbol", OF_NODE, NULL, STACKS, reduce_parent, put_parent},
	{"socket", "Socket", OF_CPU, NULL, CR_NEEDS_CPU, NULL, put_socket},
	{"time", "Time", OF_TIME, NULL, CR_NEEDS_TIME, reduce_time, put_time},
	{"trace", "Trace output", OF_ROW, NULL, CR_NEEDS_FIELDS, NULL, put_trace},
	{"transaction", "Transaction", OF_FIELD, "transaction", 0, NULL, put_transaction},
	{"code_page_size", "Code Page Size", OF_FIELD, "code_page_size", 0, NULL, put_page_size},
	{"data_page_size", "Data Page Size", OF_FIELD, "data_page_size", 0, NULL, put_page_size},
	{"op", "Memory operation", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_OP},
	{"cache", "Cache", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_CACHE},
	{"memory", "Memory", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_MEMORY},
	{"dtlb", "D-TLB", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_DTLB},
	{"mem", "Memory access", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_LEVEL},
	{"snoop", "Snoop", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_SNOOP},
	{"tlb", "TLB access", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_TLB},
	{"locked", "Locked", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_LOCKED},
	{"blocked", "Blocked", OF_FIELD, "data_src", TEXT, NULL, put_source, CR_DATA_BLOCKED},
	{"dcacheline", "Data Cacheline", OF_FIELD, "addr", 0, reduce_line, put_hex},
	{"phys_daddr", "Data Physical Address", OF_FIELD, "phys_addr", 0, NULL, put_hex},
	{"symbol_from", "Source Symbol", OF_NODE, NULL, STACKS, reduce_from, put_symbol},
	{"symbol_to", "Target Symbol", OF_NODE, NULL, STACKS, reduce_to, put_symbol},
	{"dso_from", "Source Shared Object", OF_NODE, NULL, STACKS, reduce_from, put_dso},
	{"dso_to", "Target Shared Object", OF_NODE, NULL, STACKS, reduce_to, put_dso},
	{"srcline_from", "From Source:Line", OF_NODE, NULL, STACKS, reduce_from, put_line},
	{"srcline_to", "To Source:Line", OF_NODE, NULL, STACKS, reduce_to, put_line},
	{"addr_from", "Source Address", OF_NODE, NULL, STACKS, reduce_from, put_address},
	{"addr_to", "Target Address", OF_NODE, NULL, STACKS, reduce_to, put_address},
	{"cycles", "Basic Block Cycles", OF_ROW, "block_cycles", CR_NEEDS_WEIGHT, NULL, put_cycles},
	{"symbol_daddr", "Data Symbol", OF_ROW, "data_symbol", TEXT, NULL, put_data_symbol},
	{"typeoff", "Data Type Offset", OF_ROW, "type", TEXT, NULL, put_type_offset},
	{"typecln", "Data Type Cacheline", OF_ROW, "type", TEXT, NULL, put_type_line},
	{"dso_daddr", "Data Object", OF_ROW, "addr", DATA_DSO, NULL, put_data_dso},
};

const struct cr_derived *
cr_derived_find(struct cr_str word)
{
	const char *slash = word.len ? memchr(word.p, '/', word.len) : NULL;

	if (slash)
		word.len = (uint32_t)(slash - word.p);
	for (size_t i = 0; i < CR_LEN(keys); i++)
		if (cr_str_eq(word, cr_str_of(keys[i].word)))
			return &keys[i];
	return NULL;
}

const struct cr_derived *
cr_derived_at(size_t i)
{
	return i < CR_LEN(keys) ? &keys[i] : NULL;
}

const char *
cr_derived_word(const struct cr_derived *d)
{
	return d->word;
}

const char *
cr_derived_head(const struct cr_derived *d)
{
	return d->head;
}

const char *
cr_derived_field(const struct cr_derived *d)
{
	return d->field;
}

unsigned
cr_derived_needs(const struct cr_derived *d)
{
	return d->field ? CR_NEEDS_FIELDS | d->needs : d->needs;
}

/* ---- arguments */

static struct cr_str
argument_of(struct cr_str word)
{
	const char *slash = word.len ? memchr(word.p, '/', word.len) : NULL;

	return slash ? cr_str_from(word, slash + 1) : CR_STR("");
}

/* "10ms", "1s", "500us", "20ns" */
static bool
parse_quantum(struct cr_str s, uint64_t *ns)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	uint32_t digits = 0;
	uint64_t n = 0;

	for (; digits < s.len && s.p[digits] >= '0' && s.p[digits] <= '9' && digits < 9; digits++)
		n = n * 10 + (uint64_t)(s.p[digits] - '0');
	for (size_t i = 0; i < CR_LEN(units); i++)
		if (n && cr_str_eq(cr_str_from(s, s.p + digits), cr_str_of(units[i].unit))) {
			*ns = n * units[i].ns;
			return true;
		}
	return false;
}

/* The pattern of "parent"; outermost is false if it begins with a minus. */
static int
parent_pattern(struct cr_str arg, bool *outermost, struct cr_pattern **out, struct cr_err *err)
{
	char *text;
	int rc;

	*outermost = !arg.len || arg.p[0] != '-';
	if (!*outermost)
		arg = cr_str_from(arg, arg.p + 1);
	if (!arg.len)
		arg = CR_STR(PARENT);
	text = cr_memdup(arg.p, arg.len);
	rc = cr_pattern_new(text, out, err);
	free(text);
	return rc;
}

bool
cr_derived_hidden(const struct cr_profile *p, cr_event_id event, struct cr_str word)
{
	const struct cr_derived *d = cr_derived_find(word);

	return !d ||
	       (!(d->field && strcmp(d->field, d->word) == 0) && cr_field_find(p, event, word));
}

int
cr_derived_check(struct cr_str word, struct cr_err *err)
{
	const struct cr_derived *d = cr_derived_find(word);
	const struct cr_str arg = argument_of(word);
	struct cr_pattern *pattern;
	bool outermost;
	uint64_t ns;
	int rc = CR_OK;

	if (!d || !arg.len)
		return CR_OK;
	if (d->reduce == reduce_parent) {
		rc = parent_pattern(arg, &outermost, &pattern, err);
		cr_pattern_free(pattern);
	} else if (d->source != OF_TIME) {
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s has no argument", d->word);
	} else if (!parse_quantum(arg, &ns)) {
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"'%.*s' is no length of time like 10ms, 1s or 500us", (int)arg.len, arg.p);
	}
	return rc;
}

/* ---- tables made before the samples are read */

/* The first function of a location that matches, + 1; 0 if none does. */
static uint32_t
matching_line(const struct making *m, uint32_t location, const uint8_t *matches, bool outermost)
{
	const struct cr_location *l = &m->p->locations[location];

	for (uint32_t i = 0; i < l->lines; i++) {
		const uint32_t k = outermost ? l->lines - 1u - i : i;
		const uint32_t f = m->p->lines[l->first_line + k].function.i;

		if (matches[f])
			return f + 1;
	}
	return 0;
}

/* Find the parent of every node. Parents of nodes have lower numbers. */
static int
make_parents(struct making *m, struct cr_str arg, struct cr_err *err)
{
	const struct cr_profile *p = m->p;
	struct cr_pattern *pattern;
	uint8_t *matches;
	bool outermost;
	int rc = parent_pattern(arg, &outermost, &pattern, err);

	if (rc < 0)
		return rc;
	matches = cr_alloc(CR_MAX(p->n_functions, 1u), 1);
	for (uint32_t i = 0; i < p->n_functions; i++)
		matches[i] =
			p->functions[i].name.len && cr_pattern_match(pattern, p->functions[i].name);
	m->parent1 = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*m->parent1));
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const uint32_t above = m->parent1[p->node_parent[i]];
		const uint32_t own = outermost && above ? 0
							: matching_line(m, p->node_location[i],
								  matches, outermost);

		m->parent1[i] = own ? own : above;
	}
	free(matches);
	cr_pattern_free(pattern);
	return CR_OK;
}

static bool
is_of_branch(const struct cr_derived *d)
{
	return d->reduce == reduce_from || d->reduce == reduce_to;
}

static int
prepare(struct making *m, const struct cr_filter *f, struct cr_str arg, struct cr_err *err)
{
	const struct cr_profile *p = m->p;
	int rc = cr_filter_event(p, f, &m->event, err);

	if (rc == CR_OK && m->d->field)
		rc = cr_filter_field(p, m->event, cr_str_of(m->d->field), &m->field, err);
	if (rc < 0)
		return rc;
	if (m->field && (m->field->form == CR_FORM_TEXT) != (m->d->needs == TEXT))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the values of the field %s are of another kind", m->d->field);
	if (m->d->source == OF_TASK && !(p->flags & CR_PROFILE_HAS_TASK))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no threads");
	if (m->d->source == OF_TIME && !(p->flags & CR_PROFILE_HAS_TIME))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no times");
	if (is_of_branch(m->d) && !cr_event_is_branches(p, m->event))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s: no branches in event %.*s; report -b selects those of perf record -b",
			m->d->word, (int)p->events[m->event.i].name.len,
			p->events[m->event.i].name.p);
	if (m->d->field)
		m->second = cr_field_find(p, m->event,
			strcmp(m->d->field, "type") == 0 ? CR_STR("type_offset")
							 : CR_STR("data_offset"));
	m->third = cr_field_find(p, m->event, CR_STR("type_member"));
	m->quantum_ns = QUANTUM_NS;
	if (m->d->source == OF_TIME && arg.len)
		parse_quantum(arg, &m->quantum_ns);
	if (m->d->reduce == reduce_parent)
		return make_parents(m, arg, err);
	if (m->d->source == OF_CPU)
		cr_sockets_of(p, &m->sockets);
	if (m->d->source == OF_CPU && !m->sockets.ranges.n)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the profile does not say which socket a processor is in");
	return CR_OK;
}

/* ---- groups */

static uint32_t
group_named(struct making *m, struct cr_str name)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t row;

	cr_index_each(&m->names_index, h, row)
		if (cr_str_eq(m->out->names.p[row], name))
			return row;
	row = (uint32_t)m->out->names.n;
	cr_index_add(&m->names_index, h, row);
	cr_vec_push(&m->out->names,
		((struct cr_str){cr_arena_copy(&m->out->made, name.p, name.len), name.len}));
	return row;
}

/* The group of a value: "mem=L1 hit", "no mem", or "other mem" if there are too many. */
static uint32_t
group_made(struct making *m, uint64_t value, bool none)
{
	struct cr_text name = {0};
	uint32_t row;

	cr_text_clear(&m->text);
	if (!none)
		m->d->put(m, value);
	if (!m->text.len)
		cr_text_printf(&name, "no %s", m->d->word);
	else if (m->out->names.n >= MOST_GROUPS)
		cr_text_printf(&name, "other %s", m->d->word);
	else
		cr_text_printf(&name, "%s=", m->d->word);
	if (m->text.len && m->out->names.n < MOST_GROUPS)
		cr_text_str(&name, cr_text_view(&m->text));
	row = group_named(m, cr_text_view(&name));
	cr_text_fini(&name);
	return row;
}

static uint32_t
group_of(struct making *m, uint64_t value, bool none)
{
	uint64_t h;
	uint32_t row;

	if (m->d->source == OF_ROW)
		return group_made(m, value, none);
	if (none)
		value = NONE;
	else if (m->d->reduce)
		value = m->d->reduce(m, value);
	h = cr_hash_mix(value, 0);
	cr_index_each(&m->values_index, h, row)
		if (m->values.p[row] == value)
			return m->group_of.p[row];
	cr_index_add(&m->values_index, h, (uint32_t)m->values.n);
	cr_vec_push(&m->values, value);
	cr_vec_push(&m->group_of, group_made(m, value, none));
	return m->group_of.p[m->group_of.n - 1];
}

/* The value of the current sample; true if it has none. */
static bool
has_none(const struct making *m, uint64_t *value)
{
	switch (m->d->source) {
	case OF_FIELD:
		*value = m->field->value[m->nth];
		return *value == cr_form_none((enum cr_form)m->field->form);
	case OF_TIME: *value = cr_column_times(m->p)[m->row]; return *value == 0;
	case OF_NODE: *value = cr_column_nodes(m->p)[m->row]; return false;
	case OF_TASK: *value = cr_column_tasks(m->p)[m->row]; return false;
	case OF_CPU: *value = cr_column_cpus(m->p)[m->row]; return *value >= CR_CPU_UNKNOWN;
	case OF_ROW: *value = m->nth; return false;
	}
	return true;
}

static void
making_fini(struct making *m)
{
	free(m->parent1);
	cr_sockets_fini(&m->sockets);
	cr_vec_fini(&m->values);
	cr_vec_fini(&m->group_of);
	cr_index_fini(&m->values_index);
	cr_index_fini(&m->names_index);
	cr_text_fini(&m->text);
}

int
cr_derived_groups(const struct cr_profile *p, const struct cr_filter *f, const char *word,
	const uint8_t *select, struct cr_groups *out, struct cr_err *err)
{
	const struct cr_event_column events = cr_column_events(p);
	const struct cr_str key = cr_str_of(word);
	struct making m = {.p = p, .d = cr_derived_find(key), .out = out};
	uint64_t value;
	int rc;

	*out = (struct cr_groups){0};
	if ((rc = cr_derived_check(key, err)) < 0 ||
		(rc = prepare(&m, f, argument_of(key), err)) < 0) {
		making_fini(&m);
		return rc;
	}
	cr_needed(p, cr_derived_needs(m.d));
	out->of_sample = cr_alloc(p->samples.n, sizeof(*out->of_sample));
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		m.row = i;
		if (select[i]) {
			const bool none = has_none(&m, &value);

			out->of_sample[i] = group_of(&m, value, none);
		}
		m.nth += cr_event_of(&events, i) == m.event.i;
	}
	making_fini(&m);
	return CR_OK;
}
