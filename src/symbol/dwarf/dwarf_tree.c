#include "dwarf_unit_p.h"

#include <dwarf.h>

#define MAX_DEPTH 256 /* nesting of DIEs */
#define ASK_EVERY 1024

/* One pass over the DIEs of a unit. */
struct walk {
	struct cr_unit_work *w;
	bool thorough; /* visit every DIE */
	/* Remaining number of addresses to compare: DIEs may overlap in a hostile file. */
	uint64_t budget;
	uint64_t ranges; /* remaining number of ranges to read: DIEs may share a long list */
	size_t nameless; /* number of addresses without a function */
	const unsigned char *end; /* end of the unit */
};

static void children(struct walk *k, Dwarf_Die *parent, uint32_t node, unsigned depth, void **end);

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
next_range(struct walk *k, Dwarf_Die *die, ptrdiff_t *at, Dwarf_Addr *base, Dwarf_Addr *lo,
	Dwarf_Addr *hi)
{
	if (k->ranges == 0)
		return false;
	k->ranges--;
	*at = dwarf_ranges(die, *at, base, lo, hi);
	return *at > 0;
}

/*
 * Assign to a node for a DIE those addresses in its ranges that belong to `from`, or to no node.
 * caller: the node it is inlined into. Returns the node's row, or CR_NO_ROW if there is no such
 * address. The first claim wins: of identical functions folded into one, that is the first.
 */
static uint32_t
claim(struct walk *k, Dwarf_Die *die, uint32_t from, uint32_t caller)
{
	const struct cr_dwarf_hit *hit = k->w->u->hit;
	struct cr_unit_answer *answers = k->w->u->answers;
	uint32_t node = CR_NO_ROW;
	uint64_t start = UINT64_MAX; /* start of the first range, the entry point */
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;

	while (next_range(k, die, &at, &base, &lo, &hi)) {
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
				node = node_add(k, die, caller, start);
			k->nameless -= answers[i].node == CR_NO_ROW;
			answers[i].node = node;
		}
	}
	return node;
}

/* True if a lexical block may contain one of the asked addresses of its function. */
static bool
is_asked(struct walk *k, Dwarf_Die *die)
{
	const struct cr_dwarf_hit *hit = k->w->u->hit;
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;
	bool any = false;

	while (next_range(k, die, &at, &base, &lo, &hi)) {
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
visit(struct walk *k, Dwarf_Die *die, uint32_t node, unsigned depth, void **end)
{
	uint32_t own;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_entry_point:
		own = claim(k, die, node, CR_NO_ROW);
		if (own != CR_NO_ROW || k->thorough)
			children(k, die, own, depth, end);
		break;
	case DW_TAG_inlined_subroutine:
		own = node == CR_NO_ROW ? CR_NO_ROW : claim(k, die, node, node);
		if (own != CR_NO_ROW)
			children(k, die, own, depth, end);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module: children(k, die, node, depth, end); break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_common_block:
		if (k->thorough || (node != CR_NO_ROW && is_asked(k, die)))
			children(k, die, node, depth, end);
		break;
	default:
		if (k->thorough && dwarf_haschildren(die) == 1)
			children(k, die, node, depth, end);
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

/*
 * Find what follows a DIE: store its sibling in *next and return true; or, at the end of its level,
 * store the position after that in *end, if known. `after`: the position after its children, if
 * known.
 *
 * Not all compilers store the position of the sibling. Then libdw reads everything in between, once
 * for each level above. Since it reports what follows the last DIE of a level, children that were
 * visited are not read again.
 */
static bool
sibling(struct walk *k, Dwarf_Die *die, void *after, Dwarf_Die *next, void **end)
{
	const unsigned char *at = after;
	int rc = 1;

	*next = (Dwarf_Die){.addr = after, .cu = die->cu};
	if (at && at < k->end && *at)
		return true;
	if (!after && (rc = dwarf_siblingof(die, next)) == 0)
		return true;
	if (rc < 0)
		k->budget = 0; /* damaged: each level above would read all of it again */
	at = next->addr;
	if (at && at < k->end && *at == 0)
		*end = (unsigned char *)next->addr + 1;
	return false;
}

static void
children(struct walk *k, Dwarf_Die *parent, uint32_t node, unsigned depth, void **end)
{
	Dwarf_Die die, next;

	if (depth >= MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	while (go_on(k)) {
		void *after = NULL;

		visit(k, &die, node, depth + 1, &after);
		if (!sibling(k, &die, after, &next, end))
			return;
		die = next;
	}
}

/* The end of the unit, according to its header. */
static const unsigned char *
unit_end(Dwarf_Die *unit)
{
	const Dwarf_Off at = dwarf_dieoffset(unit);
	Dwarf_Off next;
	size_t header;

	if (dwarf_next_unit(dwarf_cu_getdwarf(unit->cu), at - dwarf_cuoffset(unit), &next, &header,
		    NULL, NULL, NULL, NULL, NULL, NULL) != 0 ||
		next < at)
		return unit->addr;
	return (const unsigned char *)unit->addr + (next - at);
}

void
cr_unit_walk(struct cr_unit_work *w, Dwarf_Die *unit)
{
	const size_t n = w->u->hit->n;
	struct walk k = {.w = w, .budget = (uint64_t)n * MAX_DEPTH + 65536, .nameless = n};
	void *end;

	k.end = unit_end(unit);
	/* A DIE has at least two bytes. */
	k.ranges = 2 * (uint64_t)(k.end - (const unsigned char *)unit->addr) + 65536;
	for (int i = 0; i < 2 && k.nameless && !w->stop; i++) {
		k.thorough = i == 1;
		children(&k, unit, CR_NO_ROW, 0, &end);
	}
}
