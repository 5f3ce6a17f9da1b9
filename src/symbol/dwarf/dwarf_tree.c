#include "dwarf_unit_p.h"

#include <dwarf.h>

#define MAX_DEPTH 256 /* nesting of DIEs */
#define ASK_EVERY 1024
/* Bytes of .debug_abbrev that are read for a unit: for each byte of it, and in addition. */
#define ABBREV_FACTOR 8
#define FREE_ABBREV ((uint64_t)64 << 10)

/* One pass over the DIEs of a unit. */
struct walk {
	struct cr_unit_work *w;
	/* The unit's abbreviations; NULL if libdw steps over DIEs. Its bytes from the header on. */
	const struct cr_die_table *table;
	struct cr_cursor unit;
	bool thorough; /* visit every DIE */
	/* Remaining number of addresses to compare: DIEs may overlap in a hostile file. */
	uint64_t budget;
	uint64_t ranges; /* remaining number of ranges to read: DIEs may share a long list */
	size_t nameless; /* number of addresses without a function */
	const unsigned char *end; /* end of the unit */
};

struct entry {
	Dwarf_Die die;
	struct cr_skimmed_die own; /* only with a table */
};

static void children(
	struct walk *k, struct entry *parent, uint32_t node, unsigned depth, void **end);

/* Store where an inlined function was called. */
static void
node_call(struct walk *k, Dwarf_Die *die, struct cr_unit_node *n)
{
	uint64_t v;

	if (cr_dwarf_die_number(die, DW_AT_call_file, &v))
		n->file = cr_unit_file(k->w, die, v);
	if (cr_dwarf_die_number(die, DW_AT_call_line, &v) && v <= UINT32_MAX)
		n->line = (uint32_t)v;
}

static uint32_t
node_add(struct walk *k, Dwarf_Die *die, uint32_t caller, uint64_t start)
{
	struct cr_unit *u = k->w->u;
	struct cr_unit_node n = {.caller = caller, .start = start};

	n.function = cr_unit_function(k->w, die, caller != CR_NO_ROW);
	if (caller != CR_NO_ROW)
		node_call(k, die, &n);
	cr_vec_push(&u->nodes, n);
	return (uint32_t)u->nodes.n - 1;
}

/* The next range of a DIE; *at is 0 for the first. */
static bool
next_range(struct walk *k, struct entry *e, ptrdiff_t *at, Dwarf_Addr *base, Dwarf_Addr *lo,
	Dwarf_Addr *hi)
{
	if (k->ranges == 0)
		return false;
	k->ranges--;
	if (!k->table || e->own.ranges == CR_DIE_OTHER_RANGE) {
		*at = dwarf_ranges(&e->die, *at, base, lo, hi);
		return *at > 0;
	}
	if (*at > 0 || e->own.ranges == CR_DIE_NO_RANGE)
		return false;
	*at = 1;
	*lo = e->own.low;
	*hi = e->own.high;
	return true;
}

/*
 * Assign to a node for a DIE those addresses in its ranges that belong to `from`, or to no node.
 * caller: the node it is inlined into. Returns the node's row, or CR_NO_ROW if there is no such
 * address. The first claim wins: of identical functions folded into one, that is the first.
 */
static uint32_t
claim(struct walk *k, struct entry *e, uint32_t from, uint32_t caller)
{
	const struct cr_dwarf_hit *hit = k->w->u->hit;
	struct cr_unit_answer *answers = k->w->u->answers;
	uint32_t node = CR_NO_ROW;
	uint64_t start = UINT64_MAX; /* start of the first range, the entry point */
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;

	while (next_range(k, e, &at, &base, &lo, &hi)) {
		if (lo < k->w->lowest)
			continue;
		start = start == UINT64_MAX ? lo : start;
		for (size_t i = cr_addrkey_from(hit->keys, hit->n, lo);
			i < hit->n && hit->keys[i].addr < hi; i++) {
			if (k->budget == 0)
				return node;
			k->budget--;
			if (answers[i].node != from &&
				(answers[i].node != CR_NO_ROW || caller != CR_NO_ROW))
				continue;
			if (node == CR_NO_ROW)
				node = node_add(k, &e->die, caller, start);
			k->nameless -= answers[i].node == CR_NO_ROW;
			answers[i].node = node;
		}
	}
	return node;
}

/* True if a lexical block may contain one of the asked addresses of its function. */
static bool
is_asked(struct walk *k, struct entry *e)
{
	const struct cr_dwarf_hit *hit = k->w->u->hit;
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;
	bool any = false;

	while (next_range(k, e, &at, &base, &lo, &hi)) {
		const size_t i = cr_addrkey_from(hit->keys, hit->n, lo);

		any = true;
		if (i < hit->n && hit->keys[i].addr < hi)
			return true;
	}
	return !any;
}

/*
 * Visit a DIE within `node`, which is CR_NO_ROW outside the asked functions. *end becomes the
 * position after its children, if they were visited.
 */
static void
visit(struct walk *k, struct entry *e, uint32_t node, unsigned depth, void **end)
{
	uint32_t own;

	switch (k->table ? e->own.tag : dwarf_tag(&e->die)) {
	case DW_TAG_subprogram:
	case DW_TAG_entry_point:
		own = claim(k, e, node, CR_NO_ROW);
		if (own != CR_NO_ROW || k->thorough)
			children(k, e, own, depth, end);
		break;
	case DW_TAG_inlined_subroutine:
		own = node == CR_NO_ROW ? CR_NO_ROW : claim(k, e, node, node);
		if (own != CR_NO_ROW)
			children(k, e, own, depth, end);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module: children(k, e, node, depth, end); break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_common_block:
		if (k->thorough || (node != CR_NO_ROW && is_asked(k, e)))
			children(k, e, node, depth, end);
		break;
	default:
		if (k->thorough && (k->table || dwarf_haschildren(&e->die) == 1))
			children(k, e, node, depth, end);
	}
}

static bool
go_on(struct walk *k)
{
	struct cr_unit_work *w = k->w;

	if (w->seen++ % ASK_EVERY == 0 && w->watch && !w->watch->go_on(w->watch->user))
		w->stop = true;
	return !w->stop && k->budget && k->ranges;
}

/* A cursor in the unit, at a DIE. */
static struct cr_cursor
cursor_at(const struct walk *k, const Dwarf_Die *die)
{
	struct cr_cursor c = k->unit;

	cr_cursor_skip(&c, (uint64_t)((const unsigned char *)die->addr - c.p));
	return c;
}

static void
die_set(Dwarf_Die *die, const unsigned char *at, Dwarf_CU *cu)
{
	*die = (Dwarf_Die){.addr = (void *)(uintptr_t)at, .cu = cu};
}

/* What follows a DIE on its level; NULL if the unit is damaged. */
static const unsigned char *
skip_die(const struct walk *k, const struct entry *e)
{
	struct cr_cursor next;

	return cr_die_next(k->table, k->unit, &e->own, &next) ? next.p : NULL;
}

/*
 * Find what follows a DIE: store its sibling in *next and return true; or, at the end of its level,
 * store the position after that in *end, if known. `after`: the position after its children, if
 * known.
 *
 * Not all compilers store the position of the sibling. Then everything in between is read, once for
 * each level above. Since the position after the last DIE of a level is reported, children that
 * were visited are not read again.
 */
static bool
sibling(struct walk *k, struct entry *e, void *after, Dwarf_Die *next, void **end)
{
	const unsigned char *at = after;
	int rc = 1;

	if (!at && k->table) {
		at = skip_die(k, e);
		rc = at ? 1 : -1;
	}
	die_set(next, at, e->die.cu);
	if (at && at < k->end && *at)
		return true;
	if (!at && !k->table && (rc = dwarf_siblingof(&e->die, next)) == 0)
		return true;
	if (rc < 0)
		k->budget = 0; /* damaged: each level above would read all of it again */
	at = next->addr;
	if (at && at < k->end && *at == 0)
		*end = (unsigned char *)next->addr + 1;
	return false;
}

static bool
first_child(const struct walk *k, struct entry *parent, Dwarf_Die *out)
{
	const struct cr_cursor *c = &parent->own.after;

	if (!k->table)
		return dwarf_child(&parent->die, out) == 0;
	if (!parent->own.children || cr_cursor_left(c) == 0 || *c->p == 0)
		return false;
	die_set(out, c->p, parent->die.cu);
	return true;
}

static void
children(struct walk *k, struct entry *parent, uint32_t node, unsigned depth, void **end)
{
	struct entry e;
	Dwarf_Die next;

	if (depth >= MAX_DEPTH || !first_child(k, parent, &e.die))
		return;
	while (go_on(k)) {
		void *after = NULL;

		if (k->table && !cr_die_skim(k->table, cursor_at(k, &e.die), &e.own)) {
			k->budget = 0;
			return;
		}
		visit(k, &e, node, depth + 1, &after);
		if (!sibling(k, &e, after, &next, end))
			return;
		e.die = next;
	}
}

/* The end of the unit, according to its header, but not beyond its section. */
static const unsigned char *
unit_end(struct cr_dwarf *d, Dwarf_Die *unit)
{
	const size_t left = cr_dwarf_left(d, dwarf_cu_getdwarf(unit->cu), unit->addr);
	const Dwarf_Off at = dwarf_dieoffset(unit);
	Dwarf_Off next;
	size_t header;

	if (dwarf_next_unit(dwarf_cu_getdwarf(unit->cu), at - dwarf_cuoffset(unit), &next, &header,
		    NULL, NULL, NULL, NULL, NULL, NULL) != 0 ||
		next < at)
		return unit->addr;
	return (const unsigned char *)unit->addr + (next - at < left ? next - at : left);
}

/* Decode the unit's abbreviations; without them libdw steps over its DIEs. */
static void
table_open(struct walk *k, Dwarf_Die *unit)
{
	const unsigned char *start = (const unsigned char *)unit->addr - dwarf_cuoffset(unit);
	const size_t len = (size_t)(k->end - start);
	const struct cr_cursor abbrev = cr_dwarf_abbrev(k->w->d, dwarf_cu_getdwarf(unit->cu));
	struct cr_die_unit head;

	cr_cursor_init(&k->unit, start, len);
	k->unit.swap = abbrev.swap;
	if (cr_die_unit_read(k->unit, &head) &&
		cr_die_table_read(
			&k->w->d->dies, &head, abbrev, (uint64_t)len * ABBREV_FACTOR + FREE_ABBREV))
		k->table = &k->w->d->dies;
}

void
cr_unit_walk(struct cr_unit_work *w, Dwarf_Die *unit)
{
	const size_t n = w->u->hit->n;
	struct walk k = {.w = w, .budget = (uint64_t)n * MAX_DEPTH + 65536, .nameless = n};
	struct entry e = {.die = *unit};
	void *end;

	k.end = unit_end(w->d, unit);
	/* A DIE has at least two bytes. */
	k.ranges = 2 * (uint64_t)(k.end - (const unsigned char *)unit->addr) + 65536;
	table_open(&k, unit);
	if (k.table && !cr_die_skim(k.table, cursor_at(&k, unit), &e.own))
		k.table = NULL;
	for (int i = 0; i < 2 && k.nameless && !w->stop; i++) {
		k.thorough = i == 1;
		children(&k, &e, CR_NO_ROW, 0, &end);
	}
}
