#include "model/profile.h"

#include "base/hash.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>

const char *
cr_kind_name(enum cr_kind kind)
{
	static const char *const names[CR_KINDS] = {
		[CR_KIND_UNKNOWN] = "unknown",
		[CR_KIND_USER] = "user",
		[CR_KIND_KERNEL] = "kernel",
		[CR_KIND_MODULE] = "module",
		[CR_KIND_VDSO] = "vdso",
		[CR_KIND_JIT] = "jit",
		[CR_KIND_BPF] = "bpf",
		[CR_KIND_GROUP] = "group",
	};

	return kind < CR_KINDS ? names[kind] : "unknown";
}

bool
cr_event_counts_samples(const struct cr_event *e)
{
	return cr_str_eq(e->unit, CR_STR("samples"));
}

uint64_t
cr_event_samples(const struct cr_event *e)
{
	return cr_event_counts_samples(e) ? e->weight : e->samples;
}

/* True if item is one of the pieces of list between separators. */
static bool
list_has(struct cr_str list, const char *separator, struct cr_str item)
{
	const uint32_t gap = (uint32_t)strlen(separator);

	while (list.len) {
		const char *end = memmem(list.p, list.len, separator, gap);
		const uint32_t len = end ? (uint32_t)(end - list.p) : list.len;

		if (cr_str_eq((struct cr_str){list.p, len}, item))
			return true;
		list.p += CR_MIN(len + gap, list.len);
		list.len -= CR_MIN(len + gap, list.len);
	}
	return false;
}

/* Roles of an event according to the facts. */
enum role {
	ROLE_SUMMED = 1,
	ROLE_DERIVED = 2,
	ROLE_SUM = 4,
	ROLE_PART = 8,
};

#define SUM "wall"

static const struct {
	const char *fact, *separator;
	enum role role;
} lists[] = {
	{"summed events", ", ", ROLE_SUMMED},
	{"derived events", ", ", ROLE_DERIVED},
	{SUM, " + ", ROLE_PART},
};

/* The distinct pieces of a list. */
struct pieces {
	CR_VEC(struct cr_str) p;
	struct cr_index index;
};

static bool
piece_find(const struct pieces *s, struct cr_str piece, uint64_t h)
{
	uint32_t row;

	cr_index_each(&s->index, h, row)
		if (cr_str_eq(s->p.p[row], piece))
			return true;
	return false;
}

static void
pieces_make(struct pieces *s, struct cr_str list, const char *separator)
{
	const uint32_t gap = (uint32_t)strlen(separator);

	while (list.len) {
		const char *end = memmem(list.p, list.len, separator, gap);
		const struct cr_str piece = {list.p, end ? (uint32_t)(end - list.p) : list.len};
		const uint64_t h = cr_hash(piece.p, piece.len);

		if (!piece_find(s, piece, h)) {
			cr_index_add(&s->index, h, (uint32_t)s->p.n);
			cr_vec_push(&s->p, piece);
		}
		list.p += CR_MIN(piece.len + gap, list.len);
		list.len -= CR_MIN(piece.len + gap, list.len);
	}
}

void
cr_event_find_roles(struct cr_profile *p)
{
	uint8_t *roles = cr_arena_alloc(&p->arena, CR_MAX(p->n_events, 1u));
	bool found = !cr_profile_fact(p, SUM).len;

	for (size_t k = 0; k < CR_LEN(lists); k++) {
		struct pieces pieces = {.index = {0}};

		pieces_make(&pieces, cr_profile_fact(p, lists[k].fact), lists[k].separator);
		for (uint32_t i = 0; i < p->n_events; i++) {
			const struct cr_str name = p->events[i].name;

			if (piece_find(&pieces, name, cr_hash(name.p, name.len)))
				roles[i] = (uint8_t)(roles[i] | lists[k].role);
		}
		cr_vec_fini(&pieces.p);
		cr_index_fini(&pieces.index);
	}
	for (uint32_t i = 0; i < p->n_events && !found; i++)
		if ((found = cr_str_eq(p->events[i].name, CR_STR(SUM))))
			roles[i] = (uint8_t)(roles[i] | ROLE_SUM);
	p->event_roles = roles;
}

static bool
has_role(const struct cr_profile *p, cr_event_id event, enum role role)
{
	const struct cr_str name = p->events[event.i].name;

	if (p->event_roles)
		return p->event_roles[event.i] & role;
	if (role == ROLE_SUM)
		return cr_str_eq(name, CR_STR(SUM)) && cr_profile_fact(p, SUM).len;
	for (size_t k = 0; k < CR_LEN(lists); k++)
		if (lists[k].role == role)
			return list_has(
				cr_profile_fact(p, lists[k].fact), lists[k].separator, name);
	return false;
}

bool
cr_event_is_summed(const struct cr_profile *p, cr_event_id event)
{
	return cr_event_counts_samples(&p->events[event.i]) || !(p->flags & CR_PROFILE_HAS_TIME) ||
	       (p->flags & CR_PROFILE_FLEET) || has_role(p, event, ROLE_SUMMED);
}

size_t
cr_sample_column_bytes(enum cr_sample_column c)
{
	static const uint8_t bytes[CR_SAMPLE_COLUMNS] = {
		[CR_SAMPLE_TIME] = 8,
		[CR_SAMPLE_WEIGHT] = 8,
		[CR_SAMPLE_TASK] = 4,
		[CR_SAMPLE_NODE] = 4,
		[CR_SAMPLE_CPU] = 2,
		[CR_SAMPLE_EVENT] = 2,
	};

	return bytes[c];
}

void
cr_samples_done(const struct cr_samples *s, uint64_t from, uint64_t to)
{
	const void *const column[CR_SAMPLE_COLUMNS] = {
		s->time_ns, s->weight, s->task, s->node, s->cpu, s->event};

	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if (s->filed >> c & 1)
			cr_mapping_done(column[c], from * cr_sample_column_bytes(c),
				to * cr_sample_column_bytes(c));
}

bool
cr_event_is_derived(const struct cr_profile *p, cr_event_id event)
{
	return has_role(p, event, ROLE_DERIVED);
}

bool
cr_event_is_branches(const struct cr_profile *p, cr_event_id event)
{
	const struct cr_str name = cr_event_recorded_name(p, event);

	return cr_event_is_derived(p, event) && (cr_str_eq(name, CR_STR("branch-stack")) ||
							cr_str_eq(name, CR_STR("branch-blocks")));
}

cr_event_id
cr_event_main(const struct cr_profile *p)
{
	const struct cr_str fact = cr_profile_fact(p, "main event");
	uint32_t best = 0;

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (fact.len && cr_str_eq(p->events[i].name, fact))
			return (cr_event_id){i};
		if (p->events[i].samples > p->events[best].samples &&
			!cr_event_is_derived(p, (cr_event_id){i}))
			best = i;
	}
	return (cr_event_id){best};
}

struct cr_str
cr_event_recorded_name(const struct cr_profile *p, cr_event_id event)
{
	struct cr_str name = p->events[event.i].name;
	struct cr_text added = {0};

	for (int estimated = 0; estimated < 2 && p->cost && p->has_cost[event.i]; estimated++) {
		cr_text_clear(&added);
		cr_text_printf(&added, " (%s%s)", estimated ? "≈" : "", p->cost);
		if (cr_str_ends(name, added.p)) {
			name.len -= (uint32_t)added.len;
			break;
		}
	}
	cr_text_fini(&added);
	return name;
}

bool
cr_event_is_named(const struct cr_profile *p, cr_event_id event, struct cr_str name)
{
	return cr_str_eq(p->events[event.i].name, name) ||
	       cr_str_eq(cr_event_recorded_name(p, event), name);
}

bool
cr_event_is_sum(const struct cr_profile *p, cr_event_id event)
{
	return has_role(p, event, ROLE_SUM);
}

bool
cr_event_includes(const struct cr_profile *p, cr_event_id asked, cr_event_id event)
{
	if (!cr_event_is_sum(p, asked))
		return asked.i == event.i;
	return has_role(p, event, ROLE_PART);
}

enum cr_quality_class
cr_quality_class(const struct cr_quality *q)
{
	static const struct {
		const char *first;
		enum cr_quality_class class;
	} rows[] = {
		{"records lost while recording", CR_QUALITY_LOST},
		{"samples lost while recording", CR_QUALITY_LOST},
		{"times the kernel throttled", CR_QUALITY_LOST},
		{"user stacks", CR_QUALITY_STACKS},
		{"addresses in no", CR_QUALITY_NAMES},
		{"addresses without source lines", CR_QUALITY_LINES},
		{"no symbols", CR_QUALITY_NAMES},
		{"dsos named", CR_QUALITY_NAMES},
		{"dsos whose lines", CR_QUALITY_NAMES},
		{"objects named", CR_QUALITY_NAMES}, /* the same in older stores */
		{"objects whose lines", CR_QUALITY_NAMES},
		{"units without", CR_QUALITY_NAMES},
		{"addresses without", CR_QUALITY_NAMES},
	};

	for (size_t i = 0; i < CR_LEN(rows); i++)
		if (cr_str_starts(q->what, rows[i].first))
			return rows[i].class;
	return CR_QUALITY_OTHER;
}

enum cr_as_is
cr_function_as_is(const struct cr_profile *p, const struct cr_function *f)
{
	if (!(p->flags & CR_PROFILE_FOLDED_NAMES))
		return CR_AS_TIDY;
	return f->dso.i == 0 && cr_str_eq(f->name, CR_STR("-")) ? CR_AS_EMPTY : CR_AS_IS;
}

struct cr_str
cr_line_file(const struct cr_profile *p, const struct cr_line *line)
{
	if (!line->line)
		return (struct cr_str){"", 0};
	return line->file.len ? line->file : p->functions[line->function.i].file;
}

struct cr_str
cr_profile_fact(const struct cr_profile *p, const char *key)
{
	const struct cr_str want = cr_str_of(key);

	for (uint32_t i = 0; i < p->n_facts; i++)
		if (cr_str_eq(p->facts[i].key, want))
			return p->facts[i].value;
	return (struct cr_str){"", 0};
}

void
cr_profile_set_fact(struct cr_profile *p, const char *key, struct cr_str value)
{
	struct cr_fact *facts = cr_arena_array(&p->arena, p->n_facts + 1u, sizeof(*facts));
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_facts; i++)
		if (!cr_str_eq(p->facts[i].key, cr_str_of(key)))
			facts[n++] = p->facts[i];
	facts[n++] = (struct cr_fact){
		cr_str_of(key), {cr_arena_copy(&p->arena, value.p, value.len), value.len}};
	p->facts = facts;
	p->n_facts = n;
}

void
cr_profile_free(struct cr_profile *p)
{
	if (!p)
		return;
	assert(!p->ahead);
	if (p->origin)
		p->origin->close(p->origin);
	cr_arena_fini(&p->arena);
	free(p);
}
