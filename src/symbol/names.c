#include "names_p.h"

#include "base/hash.h"

#include <string.h>

/* Unknown if the next symbol, at which it may end, was left out. */
static uint32_t
size_of(const struct cr_symtab *t, const struct cr_symbol *s)
{
	const uint64_t size = s->end - s->start;

	return (t->partial && (s->flags & CR_SYMBOL_EXTENDED)) || size > UINT32_MAX
		       ? 0
		       : (uint32_t)size;
}

static uint32_t
add_function(struct cr_names *n, const struct cr_symtab *t, const struct cr_symbol *s,
	uint64_t bias, struct cr_text *name, struct cr_text *linkage)
{
	struct cr_function f = {.dso = n->dso, .addr = s->start + bias, .size = size_of(t, s)};

	cr_symtab_names(t, s, name, linkage);
	f.name = (struct cr_str){cr_arena_copy(&n->arena, name->p, name->len), (uint32_t)name->len};
	if (linkage->len)
		f.linkage = (struct cr_str){
			cr_arena_copy(&n->arena, linkage->p, linkage->len), (uint32_t)linkage->len};
	cr_vec_push(&n->functions, f);
	return (uint32_t)n->functions.n - 1;
}

void
cr_names_sort(struct cr_names *n)
{
	cr_addrkey_sort(n->asked, n->n);
}

bool
cr_names_add(struct cr_names *n, struct cr_symtab *t, uint16_t module, uint64_t bias)
{
	struct cr_text name = {0}, linkage = {0};
	uint32_t last = CR_NO_ROW, function = CR_NO_ROW;

	cr_symtab_find_each(t, module, bias, n->asked, n->n, n->function);
	if (t->short_of) {
		memset(n->function, 0xff, n->n * sizeof(*n->function));
		return false;
	}
	/*
	 * Consecutive addresses usually belong to one symbol, except for symbols with others
	 * inside.
	 */
	for (uint32_t i = 0; i < n->n; i++) {
		const uint32_t row = n->function[i];

		if (row != last && row != CR_NO_ROW) {
			function =
				t->all.p[row].name[0] == '\0'
					? CR_NO_ROW
					: add_function(n, t, &t->all.p[row], bias, &name, &linkage);
			last = row;
		}
		if (row != CR_NO_ROW)
			n->function[i] = function;
	}
	cr_text_fini(&linkage);
	cr_text_fini(&name);
	return true;
}

/* The dso's mappings, sorted by their start in the dso. */
static struct cr_addrkey *
maps_by_offset(const struct cr_names *n)
{
	struct cr_addrkey *keys = cr_alloc(n->n_maps, sizeof(*keys));

	for (uint32_t i = 0; i < n->n_maps; i++)
		keys[i] = (struct cr_addrkey){n->p->maps[n->maps[i]].pgoff, n->maps[i], 0};
	cr_addrkey_sort(keys, n->n_maps);
	return keys;
}

void
cr_names_add_mapped(struct cr_names *n, struct cr_symtab *t)
{
	struct cr_addrkey *keys = maps_by_offset(n);
	struct cr_text name = {0}, linkage = {0};
	const struct cr_symbol *last = NULL;
	const struct cr_map *last_map = NULL;
	uint32_t k = 0;

	for (uint32_t i = 0; i < n->n; i++) {
		const uint64_t addr = n->asked[i].addr;
		const struct cr_symbol *s;
		const struct cr_map *m;

		while (k < n->n_maps && keys[k].addr <= addr)
			k++;
		if (k == 0)
			continue;
		m = &n->p->maps[keys[k - 1].row];
		if (addr - m->pgoff >= m->end - m->start)
			continue;
		s = cr_symtab_find(t, 0, addr - m->pgoff + m->start);
		if (!s || s->name[0] == '\0')
			continue;
		if (s != last || m != last_map)
			add_function(n, t, s, m->pgoff - m->start, &name, &linkage);
		n->function[i] = (uint32_t)n->functions.n - 1;
		last = s;
		last_map = m;
	}
	cr_text_fini(&linkage);
	cr_text_fini(&name);
	free(keys);
}

void
cr_names_report(struct cr_names *n, const char *why, const char *refused)
{
	n->why = why ? cr_arena_copy(&n->arena, why, strlen(why)) : NULL;
	n->refused = refused && (!why || strcmp(why, refused) != 0)
			     ? cr_arena_copy(&n->arena, refused, strlen(refused))
			     : NULL;
}

void
cr_names_add_dso(struct cr_names *n)
{
	const struct cr_str name = n->p->dsos[n->dso.i].name;

	for (uint32_t i = 0; i < n->n; i++) {
		const struct cr_map *map = cr_names_map(n, n->asked[i].addr);
		struct cr_function f = {.name = name, .dso = n->dso, .addr = map ? map->start : 0};

		/* Usually there is one mapping, and so one function. */
		if (n->functions.n == 0 || n->functions.p[n->functions.n - 1].addr != f.addr)
			cr_vec_push(&n->functions, f);
		n->function[i] = (uint32_t)n->functions.n - 1;
	}
}

void
cr_names_keep(struct cr_names *n, struct cr_debugfile *d)
{
	if (d->debug)
		n->files = *d;
	else
		cr_debugfile_close(d);
	*d = (struct cr_debugfile){0};
}

const struct cr_map *
cr_names_map(const struct cr_names *n, uint64_t addr)
{
	for (uint32_t i = 0; i < n->n_maps; i++) {
		const struct cr_map *m = &n->p->maps[n->maps[i]];

		if (addr == 0 || (addr >= m->start && addr < m->end))
			return m;
	}
	return NULL;
}

void
cr_names_fini(struct cr_names *n)
{
	free(n->function);
	cr_debugfile_close(&n->files);
	cr_vec_fini(&n->functions);
	cr_arena_fini(&n->arena);
}
