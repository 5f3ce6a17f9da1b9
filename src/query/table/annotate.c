#include "query/table/annotate.h"

#include "base/hash.h"
#include "model/columns.h"
#include "model/tree/path_sums.h"
#include "query/fold/node_costs.h"
#include "query/fold/select.h"
#include "query/lang/pattern.h"
#include "query/table/block_cycles.h"

#include <stdlib.h>

/*
 * Costs are summed by node of the location tree first. Then each node adds to the items that its
 * location belongs to: a line, an address, the function itself, a host of it. These are called
 * places and numbered together, so one rule computes totals: the cost of a place is the sum of the
 * subtrees of its nodes that are in no such subtree already. Nodes are in preorder, so only the end
 * of the last such subtree must be remembered.
 */
struct place {
	struct cr_cost cost;
	uint32_t end; /* of the subtree added last */
};

struct touch {
	uint32_t place;
	bool leaf; /* a sample taken there is self of the place */
};

/* A node at a location of the functions, and what the samples below it and at it cost. */
struct node_cost {
	uint32_t node;
	struct {
		uint64_t weight, samples;
	} total, self;
};

struct work {
	const struct cr_profile *p;
	uint8_t *wanted;    /* by function */
	uint8_t *of_wanted; /* by location */
	const struct cr_node_costs *costs;
	CR_VEC(struct node_cost) nodes;
	const struct cr_annotate_address *known;
	size_t n_known;
	struct cr_annotate *out;
	CR_VEC(struct place) places;
	CR_VEC(uint32_t) line_place; /* by row of out->lines */
	CR_VEC(uint32_t) addr_place; /* by row of out->addresses */
	CR_VEC(uint32_t) host_place; /* by row of out->hosts */
	struct cr_index lines, addresses, hosts;
	/*
	 * Places of location l: first[l] to first[l + 1]. Self of a leaf belongs to some of them.
	 */
	uint32_t *first;
	CR_VEC(struct touch) touches;
};

enum place_number { PLACE_FUNCTION, PLACE_CODE };

static uint32_t
place_new(struct work *w)
{
	cr_vec_push(&w->places, ((struct place){.end = 0}));
	return (uint32_t)w->places.n - 1;
}

/* ---- rows */

static uint32_t
line_row(struct work *w, const struct cr_line *l, uint32_t at)
{
	const struct cr_str file = l->line ? cr_line_file(w->p, l) : CR_STR("");
	/*
	 * All functions with one name are one, as in the tables. An inlined name may be several
	 * functions.
	 */
	const uint32_t function = at == CR_NO_ROW ? 0 : l->function.i;
	const uint64_t h = cr_hash_mix(
		cr_hash_mix(function, (uint64_t)at << 32 | l->line), cr_hash(file.p, file.len));
	uint32_t row;

	cr_index_each(&w->lines, h, row) {
		const struct cr_annotate_line *k = &w->out->lines.p[row];

		if (k->line == l->line && k->at == at &&
			(at == CR_NO_ROW || k->function.i == function) && cr_str_eq(k->file, file))
			return row;
	}
	row = (uint32_t)w->out->lines.n;
	cr_index_add(&w->lines, h, row);
	cr_vec_push(
		&w->out->lines, ((struct cr_annotate_line){l->function, file, l->line, at, {0}}));
	cr_vec_push(&w->line_place, place_new(w));
	return row;
}

static int
compare_addresses(const struct cr_annotate_address *a, const struct cr_annotate_address *b)
{
	if (a->function.i != b->function.i)
		return a->function.i < b->function.i ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* The known instruction that contains an address; CR_NO_ROW if none. */
static uint32_t
known_row(const struct work *w, const struct cr_annotate_address *key)
{
	size_t lo = 0, hi = w->n_known;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (compare_addresses(&w->known[mid], key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || w->known[lo - 1].function.i != key->function.i)
		return CR_NO_ROW;
	return key->addr - w->known[lo - 1].addr < w->known[lo - 1].size ? (uint32_t)lo - 1
									 : CR_NO_ROW;
}

static uint32_t
address_row(struct work *w, cr_function_id function, uint64_t addr)
{
	const struct cr_annotate_address key = {
		.function = function, .addr = addr, .line = CR_NO_ROW};
	const uint64_t h = cr_hash_mix(addr, function.i);
	uint32_t row = known_row(w, &key);

	if (row != CR_NO_ROW)
		return row;
	cr_index_each(&w->addresses, h, row)
		if (compare_addresses(&w->out->addresses.p[row], &key) == 0)
			return row;
	row = (uint32_t)w->out->addresses.n;
	cr_index_add(&w->addresses, h, row);
	cr_vec_push(&w->out->addresses, key);
	cr_vec_push(&w->addr_place, place_new(w));
	return row;
}

static uint32_t
host_row(struct work *w, cr_function_id function)
{
	const uint64_t h = cr_hash_mix(function.i, 0);
	uint32_t row;

	cr_index_each(&w->hosts, h, row)
		if (w->out->hosts.p[row].function.i == function.i)
			return row;
	row = (uint32_t)w->out->hosts.n;
	cr_index_add(&w->hosts, h, row);
	cr_vec_push(&w->out->hosts, ((struct cr_annotate_host){function, {0}}));
	cr_vec_push(&w->host_place, place_new(w));
	return row;
}

/* ---- places of a location */

static void
touch(struct work *w, uint32_t place, bool leaf)
{
	cr_vec_push(&w->touches, ((struct touch){place, leaf}));
}

/* A return address is after its call; if a function starts there, the call was in another one. */
static uint64_t
address_of(const struct cr_profile *p, const struct cr_location *l, cr_function_id owner)
{
	const bool returns =
		(l->ordinal & CR_ORDINAL_RETURN) && l->addr > p->functions[owner.i].addr;

	return l->addr - returns;
}

/* From the outermost function inwards: functions inside the wanted one are inlined there. */
static void
touch_location(struct work *w, const struct cr_location *l)
{
	const struct cr_line *lines = w->p->lines + l->first_line;
	const cr_function_id owner = lines[l->lines - 1].function;
	const size_t before = w->touches.n;
	uint32_t row = CR_NO_ROW;

	for (uint32_t i = l->lines; i-- > 0;) {
		const bool own = w->wanted[lines[i].function.i];

		if (!own && row == CR_NO_ROW)
			continue;
		row = line_row(w, &lines[i], own ? CR_NO_ROW : row);
		touch(w, w->line_place.p[row], i == 0);
		if (own)
			touch(w, PLACE_FUNCTION, i == 0);
	}
	if (w->touches.n == before)
		return;
	if (!w->wanted[owner.i]) {
		const uint32_t host = host_row(w, owner);

		touch(w, w->host_place.p[host], w->wanted[lines[0].function.i]);
		return;
	}
	touch(w, PLACE_CODE, true);
	const uint32_t addr = address_row(w, owner, address_of(w->p, l, owner));
	touch(w, w->addr_place.p[addr], true);
	if (w->out->addresses.p[addr].line == CR_NO_ROW)
		w->out->addresses.p[addr].line = row;
}

/* Nodes at locations of the functions that have cost, in order. */
static void
find_nodes(struct work *w)
{
	const struct cr_profile *p = w->p;

	for (uint32_t n = 1; n < p->n_nodes; n++) {
		struct node_cost new = {.node = n};

		if (!w->of_wanted[p->node_location[n]])
			continue;
		cr_node_costs_of(
			w->costs, n, p->node_end[n], &new.total.weight, &new.total.samples);
		if (new.total.samples == 0)
			continue;
		cr_node_costs_of(w->costs, n, n + 1, &new.self.weight, &new.self.samples);
		cr_vec_push(&w->nodes, new);
	}
}

/* By location: 1 if one of its lines is of a wanted function. */
static void
find_locations(struct work *w)
{
	const struct cr_profile *p = w->p;

	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		for (uint32_t k = 0; k < l->lines; k++)
			w->of_wanted[i] |= w->wanted[p->lines[l->first_line + k].function.i];
	}
}

static void
touch_locations(struct work *w)
{
	const struct cr_profile *p = w->p;
	uint8_t *used = cr_alloc(p->n_locations, 1);

	for (size_t i = 0; i < w->nodes.n; i++)
		used[p->node_location[w->nodes.p[i].node]] = 1;
	for (uint32_t i = 0; i < p->n_locations; i++) {
		w->first[i] = (uint32_t)w->touches.n;
		if (used[i])
			touch_location(w, &p->locations[i]);
	}
	w->first[p->n_locations] = (uint32_t)w->touches.n;
	free(used);
}

/* ---- costs */

static void
add(uint64_t *sum, uint64_t n)
{
	*sum = cr_add_sat(*sum, n);
}

static void
cost_nodes(struct work *w)
{
	const struct cr_profile *p = w->p;

	for (size_t k = 0; k < w->nodes.n; k++) {
		const struct node_cost *at = &w->nodes.p[k];
		const uint32_t location = p->node_location[at->node], end = p->node_end[at->node];

		for (uint32_t i = w->first[location]; i < w->first[location + 1]; i++) {
			struct place *place = &w->places.p[w->touches.p[i].place];

			if (w->touches.p[i].leaf) {
				add(&place->cost.self, at->self.weight);
				add(&place->cost.self_samples, at->self.samples);
			}
			if (at->node < place->end)
				continue;
			place->end = end;
			add(&place->cost.total, at->total.weight);
			add(&place->cost.total_samples, at->total.samples);
		}
	}
}

static void
hand_out(struct work *w)
{
	struct cr_annotate *out = w->out;

	out->cost = w->places.p[PLACE_FUNCTION].cost;
	out->code = w->places.p[PLACE_CODE].cost;
	for (size_t i = 0; i < out->lines.n; i++)
		out->lines.p[i].cost = w->places.p[w->line_place.p[i]].cost;
	for (size_t i = 0; i < out->addresses.n; i++)
		out->addresses.p[i].cost = w->places.p[w->addr_place.p[i]].cost;
	for (size_t i = 0; i < out->hosts.n; i++)
		out->hosts.p[i].cost = w->places.p[w->host_place.p[i]].cost;
}

/* ---- order */

/* Lines of the function itself first, then those inlined at each line, together. */
static int
compare_lines(const void *px, const void *py, void *user)
{
	const struct cr_annotate *a = user;
	const struct cr_annotate_line *x = &a->lines.p[*(const uint32_t *)px],
				      *y = &a->lines.p[*(const uint32_t *)py];
	int c = 0;

	if (x->at != y->at)
		return x->at + 1 < y->at + 1 ? -1 : 1; /* CR_NO_ROW comes first */
	c = cr_str_cmp(x->file, y->file);
	if (c == 0)
		c = (x->line > y->line) - (x->line < y->line);
	return c ? c : (x->function.i > y->function.i) - (x->function.i < y->function.i);
}

/* Rearrange the order of compare_lines() so that everything inlined at a line follows it. */
static void
list_lines(const struct cr_annotate *a, const uint32_t *order, uint32_t *place)
{
	const uint32_t n = (uint32_t)a->lines.n;
	/* By row: 1 + position in order of the first one inlined there. */
	uint32_t *child = cr_alloc(n, sizeof(*child));
	CR_VEC(uint32_t) open = {0}; /* positions in order, to be continued after each */
	uint32_t next = 0;

	for (uint32_t i = n; i-- > 0;)
		if (a->lines.p[order[i]].at != CR_NO_ROW)
			child[a->lines.p[order[i]].at] = i + 1;
	if (n)
		cr_vec_push(&open, 0);
	while (open.n) {
		const uint32_t i = open.p[--open.n], row = order[i];

		place[row] = next++;
		if (i + 1 < n && a->lines.p[order[i + 1]].at == a->lines.p[row].at)
			cr_vec_push(&open, i + 1);
		if (child[row])
			cr_vec_push(&open, child[row] - 1);
	}
	cr_vec_fini(&open);
	free(child);
}

static void
sort_lines(struct cr_annotate *a)
{
	const uint32_t n = (uint32_t)a->lines.n;
	uint32_t *order = cr_alloc(n, sizeof(*order)), *place = cr_alloc(n, sizeof(*place));
	struct cr_annotate_line *sorted = cr_alloc(n, sizeof(*sorted));

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (n)
		qsort_r(order, n, sizeof(*order), compare_lines, a);
	list_lines(a, order, place);
	for (uint32_t i = 0; i < n; i++) {
		struct cr_annotate_line *l = &sorted[place[i]];

		*l = a->lines.p[i];
		if (l->at != CR_NO_ROW)
			l->at = place[l->at];
	}
	for (size_t i = 0; i < a->addresses.n; i++)
		if (a->addresses.p[i].line != CR_NO_ROW)
			a->addresses.p[i].line = place[a->addresses.p[i].line];
	if (n)
		memcpy(a->lines.p, sorted, n * sizeof(*sorted));
	free(sorted);
	free(place);
	free(order);
}

static int
by_address(const void *a, const void *b)
{
	return compare_addresses(a, b);
}

static int
by_total(const void *a, const void *b)
{
	const struct cr_annotate_host *x = a, *y = b;

	if (x->cost.total != y->cost.total)
		return x->cost.total > y->cost.total ? -1 : 1;
	return x->function.i < y->function.i ? -1 : x->function.i > y->function.i;
}

static void
sort(struct cr_annotate *a)
{
	sort_lines(a);
	if (a->addresses.n)
		qsort(a->addresses.p, a->addresses.n, sizeof(*a->addresses.p), by_address);
	if (a->hosts.n)
		qsort(a->hosts.p, a->hosts.n, sizeof(*a->hosts.p), by_total);
}

/* ---- blocks */

static void
add_sum(struct cr_block_sum *sum, const struct cr_block_end *e)
{
	sum->cycles = cr_add_sat(sum->cycles, e->cycles);
	sum->n = cr_add_sat(sum->n, e->n);
	if (e->least && (!sum->least || e->least < sum->least))
		sum->least = e->least;
	sum->most = CR_MAX(sum->most, e->most);
}

/* Blocks belong to the line and the instruction of the branch at their end. */
static void
add_end(struct work *w, const struct cr_block_end *e)
{
	const struct cr_location *l = &w->p->locations[e->location];
	const struct cr_line *lines = w->p->lines + l->first_line;
	const cr_function_id owner = lines[l->lines - 1].function;
	uint32_t row = CR_NO_ROW, addr;

	if (!w->of_wanted[e->location])
		return;
	for (uint32_t i = l->lines; i-- > 0;) {
		const bool own = w->wanted[lines[i].function.i];

		if (own || row != CR_NO_ROW)
			row = line_row(w, &lines[i], own ? CR_NO_ROW : row);
	}
	add_sum(&w->out->lines.p[row].blocks, e);
	w->out->has_blocks = true;
	if (!w->wanted[owner.i])
		return;
	addr = address_row(w, owner, l->addr);
	add_sum(&w->out->addresses.p[addr].blocks, e);
	if (w->out->addresses.p[addr].line == CR_NO_ROW)
		w->out->addresses.p[addr].line = row;
}

uint32_t
cr_annotate_row(const struct cr_annotate *a, cr_function_id function, uint64_t addr)
{
	const struct cr_annotate_address key = {.function = function, .addr = addr};
	const struct cr_annotate_address *at = NULL;

	if (a->addresses.n)
		at = bsearch(&key, a->addresses.p, a->addresses.n, sizeof(key), by_address);
	return at ? (uint32_t)(at - a->addresses.p) : CR_NO_ROW;
}

/* By row: how many instructions before it, and in it, are not followed by a known one. */
static uint32_t *
breaks_of(const struct cr_annotate *a)
{
	uint32_t *breaks = cr_alloc(a->addresses.n + 1, sizeof(*breaks));

	for (size_t i = 1; i < a->addresses.n; i++) {
		const struct cr_annotate_address *last = &a->addresses.p[i - 1];

		breaks[i] =
			breaks[i - 1] + (!last->size || last->function.i != last[1].function.i ||
						last->addr + last->size != last[1].addr);
	}
	return breaks;
}

/* Add n to a sum as far as it does not overflow; returns what was added. */
static uint64_t
add_at_most(uint64_t *sum, uint64_t n)
{
	const uint64_t added = CR_MIN(n, UINT64_MAX - *sum);

	*sum += added;
	return added;
}

/*
 * Add the instructions and cycles of each block to the instructions in it: first at its ends, then
 * as running sums. These are at most the sums over all blocks, which do not overflow.
 */
static void
add_runs(struct work *w, const struct cr_block_cycles *blocks)
{
	struct cr_annotate *a = w->out;
	uint32_t *breaks = breaks_of(a);
	uint64_t instructions = 0, cycles = 0;

	for (size_t i = 0; i < blocks->runs.n; i++) {
		const struct cr_block_run *r = &blocks->runs.p[i];
		uint32_t from, to;
		uint64_t n, spent;

		if (!w->wanted[r->function.i] ||
			(from = cr_annotate_row(a, r->function, r->from)) == CR_NO_ROW ||
			(to = cr_annotate_row(a, r->function, r->to)) == CR_NO_ROW || to < from ||
			breaks[from] != breaks[to] || !a->addresses.p[to].size)
			continue;
		n = add_at_most(&a->run_instructions, cr_mul_sat((uint64_t)to - from + 1, r->n));
		spent = add_at_most(&a->run_cycles, r->cycles);
		a->addresses.p[from].run_instructions += n;
		a->addresses.p[from].run_cycles += spent;
		if (to + 1 < a->addresses.n) {
			a->addresses.p[to + 1].run_instructions -= n;
			a->addresses.p[to + 1].run_cycles -= spent;
		}
	}
	for (size_t i = 0; i < a->addresses.n; i++) {
		struct cr_annotate_address *at = &a->addresses.p[i];

		instructions += at->run_instructions;
		cycles += at->run_cycles;
		at->run_instructions = instructions;
		at->run_cycles = cycles;
		a->n_run += cycles != 0;
		a->n_known += at->size != 0;
	}
	free(breaks);
}

/* ---- finding the function */

static bool
is_of(const struct cr_frame *f, const char *wanted)
{
	const struct cr_str w = cr_str_of(wanted);
	struct cr_text made = {0};
	bool is;

	if (!wanted)
		return true;
	is = cr_str_eq(f->dso, w) || cr_str_eq(cr_str_basename(f->dso), w) ||
	     cr_str_eq(cr_dso_name(f->dso, f->kind, &made), w);
	cr_text_fini(&made);
	return is;
}

/* A name as shown in tables, or as in the symbol table. */
static void
hit_name(const struct cr_frame *frames, uint32_t n, struct cr_str name, uint8_t *hit)
{
	for (uint32_t i = 0; i < n; i++)
		hit[i] = cr_str_eq(frames[i].name, name) ||
			 (name.len && cr_str_eq(frames[i].linkage, name));
}

static int
hit_pattern(const struct cr_frame *frames, uint32_t n, const char *text, uint8_t *hit,
	struct cr_err *err)
{
	struct cr_pattern *pattern;
	int rc = cr_pattern_new(text, &pattern, err);

	for (uint32_t i = 0; i < n && rc == CR_OK; i++)
		hit[i] = cr_pattern_match(pattern, frames[i].name);
	cr_pattern_free(pattern);
	return rc;
}

static int
compare_found(const void *px, const void *py, void *user)
{
	const struct cr_frame *frames = user;
	const uint32_t x = ((const cr_function_id *)px)->i, y = ((const cr_function_id *)py)->i;
	int c = cr_str_cmp(frames[x].name, frames[y].name);

	if (c == 0)
		c = cr_str_cmp(frames[x].dso, frames[y].dso);
	return c ? c : (x > y) - (x < y);
}

static void
gather_found(struct cr_annotate_found *out, const struct cr_frame *frames)
{
	if (out->functions.n)
		qsort_r(out->functions.p, out->functions.n, sizeof(*out->functions.p),
			compare_found, (void *)(uintptr_t)frames);
	for (uint32_t i = 0; i < out->functions.n; i++) {
		const struct cr_frame *f = &frames[out->functions.p[i].i];
		struct cr_annotate_name *last =
			out->names.n ? &out->names.p[out->names.n - 1] : NULL;

		if (last && cr_str_eq(last->name, f->name) && cr_str_eq(last->dso, f->dso))
			last->n++;
		else
			cr_vec_push(
				&out->names, ((struct cr_annotate_name){f->name, f->dso, i, 1}));
	}
}

int
cr_annotate_find(const struct cr_profile *p, const char *what, const char *dso,
	struct cr_annotate_found *out, struct cr_err *err)
{
	struct cr_str inside;
	struct cr_frame *frames = cr_alloc(p->n_functions, sizeof(*frames));
	uint8_t *hit = cr_alloc(p->n_functions, 1);
	int rc = CR_OK;

	*out = (struct cr_annotate_found){.arena = {0}};
	for (uint32_t i = 0; i < p->n_functions; i++)
		frames[i] = cr_path_sums_frame(p, i, &out->arena);
	if (cr_pattern_in_slashes(cr_str_of(what), &inside)) {
		char *pattern = cr_memdup(inside.p, inside.len);

		rc = hit_pattern(frames, p->n_functions, pattern, hit, err);
		free(pattern);
	} else {
		hit_name(frames, p->n_functions, cr_str_of(what), hit);
	}
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (hit[i] && is_of(&frames[i], dso))
			cr_vec_push(&out->functions, (cr_function_id){i});
	gather_found(out, frames);
	free(hit);
	free(frames);
	return rc;
}

void
cr_annotate_found_fini(struct cr_annotate_found *f)
{
	cr_vec_fini(&f->functions);
	cr_vec_fini(&f->names);
	cr_arena_fini(&f->arena);
}

int
cr_annotate_make(const struct cr_profile *p, const struct cr_filter *f,
	const cr_function_id *functions, uint32_t n, const struct cr_annotate_address *known,
	size_t n_known, struct cr_annotate *out, struct cr_err *err)
{
	struct cr_node_costs costs;
	cr_event_id event;
	uint8_t *sel;
	int rc;

	*out = (struct cr_annotate){.whole = 0};
	if ((rc = cr_filter_event(p, f, &event, err)) < 0 || (rc = cr_select(p, f, &sel, err)) < 0)
		return rc;
	cr_node_costs_make(p, event, sel, &costs);
	free(sel);
	cr_annotate_costs(p, event, &costs, NULL, functions, n, known, n_known, out);
	cr_node_costs_fini(&costs);
	return CR_OK;
}

void
cr_annotate_costs(const struct cr_profile *p, cr_event_id event, const struct cr_node_costs *costs,
	const struct cr_block_cycles *blocks, const cr_function_id *functions, uint32_t n,
	const struct cr_annotate_address *known, size_t n_known, struct cr_annotate *out)
{
	struct work w = {.p = p, .costs = costs, .known = known, .n_known = n_known, .out = out};

	*out = (struct cr_annotate){.event = event};
	cr_needed(p, CR_NEEDS_TREE);
	w.wanted = cr_alloc(p->n_functions, 1);
	w.of_wanted = cr_alloc(p->n_locations, 1);
	w.first = cr_alloc((uint64_t)p->n_locations + 1, sizeof(*w.first));
	for (uint32_t i = 0; i < n; i++)
		w.wanted[functions[i].i] = 1;
	place_new(&w); /* PLACE_FUNCTION */
	place_new(&w); /* PLACE_CODE */
	for (size_t i = 0; i < n_known; i++) {
		cr_vec_push(&out->addresses,
			((struct cr_annotate_address){.function = known[i].function,
				.addr = known[i].addr,
				.size = known[i].size,
				.line = CR_NO_ROW}));
		cr_vec_push(&w.addr_place, place_new(&w));
	}
	cr_node_costs_of(costs, 0, p->n_nodes, &out->whole, &out->whole_samples);
	find_locations(&w);
	find_nodes(&w);
	touch_locations(&w);
	cost_nodes(&w);
	for (size_t i = 0; blocks && i < blocks->ends.n; i++)
		add_end(&w, &blocks->ends.p[i]);
	hand_out(&w);
	sort(out);
	if (blocks)
		add_runs(&w, blocks);
	free(w.first);
	free(w.of_wanted);
	free(w.wanted);
	cr_vec_fini(&w.nodes);
	cr_vec_fini(&w.touches);
	cr_vec_fini(&w.places);
	cr_vec_fini(&w.line_place);
	cr_vec_fini(&w.addr_place);
	cr_vec_fini(&w.host_place);
	cr_index_fini(&w.lines);
	cr_index_fini(&w.addresses);
	cr_index_fini(&w.hosts);
}

void
cr_annotate_fini(struct cr_annotate *a)
{
	cr_vec_fini(&a->lines);
	cr_vec_fini(&a->addresses);
	cr_vec_fini(&a->hosts);
	cr_arena_fini(&a->types);
}
