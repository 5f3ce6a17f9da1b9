#include "lines_p.h"

#include <string.h>

/* Start of the code. Functions removed by the linker are placed below it, usually at 0. */
static uint64_t
lowest_code(const struct cr_elf *e)
{
	uint64_t lowest = UINT64_MAX;

	for (size_t i = 1; i < e->n_sections; i++) {
		const GElf_Shdr *h = &e->sections[i].head;

		if ((h->sh_flags & SHF_ALLOC) && (h->sh_flags & SHF_EXECINSTR) && h->sh_size)
			lowest = CR_MIN(lowest, h->sh_addr);
	}
	return lowest == UINT64_MAX ? 0 : lowest;
}

/*
 * The address whose line is needed. A recorded return address is after the call. If it is the start
 * of its function, the function before ended in a call that does not return, and nothing is known
 * about that one.
 */
static bool
address_of(const struct cr_names *n, uint32_t i, uint64_t *out)
{
	const struct cr_location *l = &n->p->locations[n->asked[i].row];
	const bool returns = (l->ordinal & CR_ORDINAL_RETURN) != 0;
	const uint32_t f = n->function[i];

	if (returns && (l->addr == 0 || (f != CR_NO_ROW && n->functions.p[f].addr == l->addr)))
		return false;
	return cr_debugfile_address(&n->files, l->addr - returns, out);
}

/* One thread at a time opens, since the file's own handle is shared; after a refusal none does. */
static bool
handle_get(struct cr_lines *l, struct cr_dwarf *out)
{
	bool ok = true;

	pthread_mutex_lock(&l->lock);
	if (l->idle.n > 0) {
		*out = l->idle.p[--l->idle.n];
	} else if (l->refused) {
		ok = false;
	} else {
		ok = cr_dwarf_open(out, l->opts, &l->n->files,
			l->is_checked ? CR_DWARF_AGAIN : CR_DWARF_LINES);
		l->is_checked |= ok;
		l->refused = !ok;
	}
	pthread_mutex_unlock(&l->lock);
	return ok;
}

static void
handle_release(struct cr_lines *l, const struct cr_dwarf *d)
{
	pthread_mutex_lock(&l->lock);
	cr_vec_push(&l->idle, *d);
	pthread_mutex_unlock(&l->lock);
}

static void
find_units(struct cr_lines *l)
{
	const struct cr_names *n = l->n;
	struct cr_addrkey *keys = cr_alloc(n->n, sizeof(*keys));
	struct cr_dwarf d;
	size_t count = 0;

	for (uint32_t i = 0; i < n->n; i++)
		if (address_of(n, i, &keys[count].addr))
			keys[count++].row = i;
	cr_addrkey_sort(keys, count);
	if (count && !cr_dwarf_units_scan(n->files.debug, keys, count, l->lowest, &l->hits)) {
		if (handle_get(l, &d)) {
			cr_dwarf_units(&d, keys, count, l->lowest, &l->hits);
			handle_release(l, &d);
		}
	}
	free(keys);
}

static void
release(struct cr_lines *l)
{
	for (size_t i = 0; i < l->idle.n; i++)
		cr_dwarf_close(&l->idle.p[i]);
	cr_vec_fini(&l->idle);
	cr_debugfile_close(&l->n->files);
}

void
cr_lines_open(struct cr_lines *l, const struct cr_symbol_opts *opts, struct cr_names *n)
{
	if (!n->files.debug)
		return;
	l->opts = opts;
	l->n = n;
	l->state = CR_LINES_READ;
	pthread_mutex_init(&l->lock, NULL);
	l->lowest = lowest_code(n->files.debug);
	find_units(l);
	l->units = cr_alloc(l->hits.units.n, sizeof(*l->units));
	l->ids = cr_alloc(l->hits.units.n, sizeof(*l->ids));
	for (size_t i = 0; i < l->hits.units.n; i++)
		l->units[i].hit = &l->hits.units.p[i];
	atomic_store(&l->left, (unsigned)l->hits.units.n);
	if (l->hits.units.n == 0)
		release(l);
}

void
cr_lines_read(struct cr_lines *l, uint32_t unit, const struct cr_unit_watch *watch)
{
	struct cr_dwarf d;

	if (!handle_get(l, &d))
		return;
	cr_unit_read(&l->units[unit], &d, l->lowest, !l->opts->no_demangle, watch);
	handle_release(l, &d);
}

void
cr_lines_did(struct cr_lines *l, uint32_t units)
{
	if (atomic_fetch_sub(&l->left, units) == units)
		release(l);
}

/* The function that is not inlined, which contains the answer; NULL if none. */
static const struct cr_unit_node *
outermost(const struct cr_unit *u, const struct cr_unit_answer *a)
{
	const struct cr_unit_node *node = a->node == CR_NO_ROW ? NULL : &u->nodes.p[a->node];

	while (node && node->caller != CR_NO_ROW)
		node = &u->nodes.p[node->caller];
	return node && node->function != CR_NO_ROW ? node : NULL;
}

/* By address, the first unit with an answer: units without ranges are all asked. */
static void
find_spots(struct cr_lines *l)
{
	l->spots = cr_alloc(l->n->n, sizeof(*l->spots));
	memset(l->spots, 0xff, l->n->n * sizeof(*l->spots)); /* CR_NO_ROW */
	for (uint32_t u = 0; u < l->hits.units.n; u++) {
		const struct cr_unit *unit = &l->units[u];

		for (uint32_t k = 0; unit->answers && k < unit->hit->n; k++) {
			const struct cr_unit_answer *a = &unit->answers[k];
			struct cr_lines_spot *s = &l->spots[unit->hit->keys[k].row];

			if (s->unit == CR_NO_ROW && (a->node != CR_NO_ROW || a->line))
				*s = (struct cr_lines_spot){u, k};
		}
	}
}

/* Return a function known only from debug info. It is usually the last one added. */
static uint32_t
function_without_symbol(struct cr_names *n, const struct cr_function *known, uint64_t start)
{
	struct cr_function f = *known;

	f.dso = n->dso;
	f.addr = start;
	if (n->functions.n && n->functions.p[n->functions.n - 1].addr == start &&
		cr_str_eq(n->functions.p[n->functions.n - 1].name, f.name))
		return (uint32_t)n->functions.n - 1;
	cr_vec_push(&n->functions, f);
	return (uint32_t)n->functions.n - 1;
}

/* The function of asked[i] in debug info; NULL if unknown. */
static const struct cr_function *
known_function(const struct cr_lines *l, uint32_t i, uint64_t *start)
{
	const struct cr_lines_spot *s = &l->spots[i];
	const struct cr_unit *unit = s->unit == CR_NO_ROW ? NULL : &l->units[s->unit];
	const struct cr_unit_node *node = unit ? outermost(unit, &unit->answers[s->key]) : NULL;

	if (!node)
		return NULL;
	/* The distance between addresses of the two files is constant. */
	*start = l->n->asked[i].addr - (unit->hit->keys[s->key].addr - node->start);
	return &unit->functions.p[node->function];
}

void
cr_lines_functions(struct cr_lines *l)
{
	struct cr_names *n = l->n;

	if (l->state == CR_LINES_NONE)
		return;
	find_spots(l);
	for (size_t u = 0; u < l->hits.units.n; u++) {
		if (!l->units[u].answers)
			l->state = CR_LINES_STOPPED;
		l->bare += l->units[u].bare;
	}
	if (atomic_load(&l->refused))
		l->state = CR_LINES_REFUSED;
	for (uint32_t i = 0; i < n->n; i++) {
		uint64_t start;
		const struct cr_function *known = known_function(l, i, &start);
		struct cr_function *f;

		if (!known)
			continue;
		if (n->function[i] == CR_NO_ROW)
			n->function[i] = function_without_symbol(n, known, start);
		f = &n->functions.p[n->function[i]];
		if (f->file.len == 0) {
			f->file = known->file;
			f->line = known->line;
		}
	}
}

static cr_function_id
function_id(struct cr_lines *l, uint32_t unit, uint32_t function, struct cr_naming *naming)
{
	const struct cr_unit *u = &l->units[unit];
	struct cr_function f;

	if (!l->ids[unit]) {
		l->ids[unit] = cr_alloc(u->functions.n, sizeof(**l->ids));
		memset(l->ids[unit], 0xff, u->functions.n * sizeof(**l->ids)); /* CR_NO_ROW */
	}
	if (l->ids[unit][function] == CR_NO_ROW) {
		f = u->functions.p[function];
		f.dso = l->n->dso;
		l->ids[unit][function] = cr_naming_function(naming, &f).i;
	}
	return (cr_function_id){l->ids[unit][function]};
}

static void
report_line(struct cr_naming *naming, cr_location_id location, const struct cr_function *f,
	cr_function_id id, struct cr_str file, uint32_t line)
{
	struct cr_line out = {.function = id, .line = line};

	if (line && !cr_str_eq(file, f->file))
		out.file = file;
	cr_naming_line(naming, location, &out);
}

void
cr_lines_attach(struct cr_lines *l, const struct cr_names *n, uint32_t i, const uint32_t *ids,
	struct cr_naming *naming)
{
	const struct cr_lines_spot *s = l->spots ? &l->spots[i] : NULL;
	const struct cr_unit *u = s && s->unit != CR_NO_ROW ? &l->units[s->unit] : NULL;
	const cr_location_id location = {n->asked[i].row};
	const cr_function_id outer = {ids[n->function[i]]};
	struct cr_unit_answer at;

	if (!u) {
		cr_naming_line(naming, location, &(struct cr_line){.function = outer});
		return;
	}
	at = u->answers[s->key];
	while (at.node != CR_NO_ROW && u->nodes.p[at.node].caller != CR_NO_ROW) {
		const struct cr_unit_node *node = &u->nodes.p[at.node];

		if (node->function != CR_NO_ROW)
			report_line(naming, location, &u->functions.p[node->function],
				function_id(l, s->unit, node->function, naming),
				u->files.p[at.file], at.line);
		at = (struct cr_unit_answer){node->caller, node->file, node->line};
	}
	report_line(naming, location, &n->functions.p[n->function[i]], outer, u->files.p[at.file],
		at.line);
}

void
cr_lines_fini(struct cr_lines *l)
{
	if (!l->n)
		return;
	release(l);
	for (size_t i = 0; i < l->hits.units.n; i++) {
		cr_unit_fini(&l->units[i]);
		free(l->ids[i]);
	}
	free(l->units);
	free(l->ids);
	free(l->spots);
	cr_dwarf_hits_fini(&l->hits);
	pthread_mutex_destroy(&l->lock);
}
