#include "symbol/data/data_symbols.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/add_fields.h"
#include "model/columns.h"
#include "model/field.h"
#include "symbol/files/debugfile_p.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_LEAST 65536u
#define STEPS_EACH 64u /* for each sample */

/* A distinct address of data in a dso; dso 0 if nothing is known to be mapped there. */
struct datum {
	uint64_t addr;
	uint32_t dso;
	uint32_t mapped; /* the dso that is mapped there; another one than dso for .bss */
	uint64_t text;   /* row of the texts */
	uint64_t offset;
};

struct naming {
	struct cr_profile *p;
	const struct cr_symbol_opts *opts;
	struct cr_add_fields add;
	CR_VEC(struct datum) data;
	struct cr_index index; /* over data */
	uint64_t *furthest;    /* by map: the largest end of it and those before in its space */
	const struct cr_map *last;
	uint64_t steps; /* remaining number of maps to compare: in a hostile file they overlap */
};

/* ---- which data */

static bool
is_file(const struct cr_profile *p, const struct cr_map *m)
{
	const struct cr_dso *o = &p->dsos[m->dso.i];

	return o->kind == CR_KIND_USER && o->name.len && o->name.p[0] == '/' &&
	       !cr_str_starts(o->name, "//");
}

static void
furthest_make(struct naming *n)
{
	const struct cr_profile *p = n->p;

	n->furthest = cr_alloc(CR_MAX(p->n_maps, 1u), sizeof(*n->furthest));
	for (uint32_t i = 0; i < p->n_maps; i++) {
		n->furthest[i] = p->maps[i].end;
		if (i && p->maps[i - 1].space.i == p->maps[i].space.i)
			n->furthest[i] = CR_MAX(n->furthest[i], n->furthest[i - 1]);
	}
	n->steps = STEPS_LEAST + STEPS_EACH * p->samples.n;
}

static bool
holds(const struct cr_map *m, uint32_t space, uint64_t row, uint64_t addr)
{
	return m->space.i == space && addr >= m->start && addr < m->end && row >= m->born &&
	       row < m->died;
}

/* As cr_profile_map_at(), but fast where nothing is mapped. */
static const struct cr_map *
map_at(struct naming *n, uint64_t row, uint64_t addr)
{
	const struct cr_profile *p = n->p;
	const uint32_t space = p->tasks[cr_column_tasks(p)[row]].space.i;
	uint32_t lo = 0, hi = p->n_maps;

	if (n->last && holds(n->last, space, row, addr))
		return n->last;
	while (lo < hi) { /* the first that starts above the address, or is of a later space */
		const uint32_t mid = lo + (hi - lo) / 2;

		if (p->maps[mid].space.i < space ||
			(p->maps[mid].space.i == space && p->maps[mid].start <= addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo && p->maps[lo - 1].space.i == space && n->furthest[lo - 1] > addr && n->steps;
		lo--) {
		n->steps--;
		if (holds(&p->maps[lo - 1], space, row, addr))
			return n->last = &p->maps[lo - 1];
	}
	return NULL;
}

/* The file mapping that ends where an anonymous one starts, which then begins with its .bss. */
static const struct cr_map *
map_before(struct naming *n, uint64_t row, const struct cr_map *m)
{
	const struct cr_map *before;

	if (is_file(n->p, m) || m->start == 0)
		return NULL;
	before = map_at(n, row, m->start - 1);
	return before && before->end == m->start && is_file(n->p, before) ? before : NULL;
}

static uint32_t
datum_row(struct naming *n, const struct datum *d)
{
	const uint64_t h = cr_hash_mix(d->addr, (uint64_t)d->dso << 32 | d->mapped);
	uint32_t row;

	cr_index_each(&n->index, h, row)
		if (n->data.p[row].addr == d->addr && n->data.p[row].dso == d->dso &&
			n->data.p[row].mapped == d->mapped)
			return row;
	row = (uint32_t)n->data.n;
	cr_index_add(&n->index, h, row);
	cr_vec_push(&n->data, *d);
	return row;
}

/* The row of the datum at an address in a sample; CR_NO_ROW if nothing is mapped there. */
static uint32_t
datum_at(struct naming *n, uint64_t row, uint64_t addr)
{
	const struct cr_map *m = map_at(n, row, addr), *before;
	struct datum d = {.text = cr_form_none(CR_FORM_TEXT), .offset = UINT64_MAX};

	if (!m)
		return CR_NO_ROW;
	d.mapped = d.dso = m->dso.i;
	before = map_before(n, row, m);
	if (before) {
		d.dso = before->dso.i;
		d.addr = addr - before->start + before->pgoff;
	} else if (is_file(n->p, m)) {
		d.addr = addr - m->start + m->pgoff;
	}
	return datum_row(n, &d);
}

/* ---- names */

static void
name_mapped(struct naming *n, struct datum *d)
{
	const struct cr_str name = cr_str_basename(n->p->dsos[d->mapped].name);

	if (name.len)
		d->text = cr_add_fields_text(&n->add, name);
}

static void
name_symbol(struct naming *n, struct datum *d, const struct cr_symtab *t, const struct cr_symbol *s)
{
	struct cr_text name = {0}, linkage = {0};

	cr_symtab_names(t, s, &name, &linkage);
	if (name.len)
		d->text = cr_add_fields_text(&n->add, cr_text_view(&name));
	if (name.len && (s->flags & CR_SYMBOL_OBJECT))
		d->offset = d->addr - s->start;
	cr_text_fini(&linkage);
	cr_text_fini(&name);
}

/* Name the data of one dso: keys are sorted, with rows of data. */
static void
name_from_file(struct naming *n, const struct cr_debugfile *f, const struct cr_addrkey *keys,
	size_t n_keys)
{
	uint32_t *rows = cr_alloc(n_keys, sizeof(*rows));
	struct cr_symtab t = {0};

	/* As in symbolize.c: if symbols overlap, all of them are needed. */
	for (int all = 0; all <= 1; all++) {
		t = (struct cr_symtab){.demangle = !n->opts->no_demangle};
		if (!all) {
			t.asked = keys;
			t.n_asked = n_keys;
		}
		cr_elf_symbols(f->syms, f->runtime, &t);
		cr_symtab_index(&t);
		cr_symtab_find_each(&t, 0, 0, keys, n_keys, rows);
		if (!t.short_of || all)
			break;
		cr_symtab_fini(&t);
	}
	for (size_t i = 0; i < n_keys; i++)
		if (rows[i] != CR_NO_ROW)
			name_symbol(n, &n->data.p[keys[i].row], &t, &t.all.p[rows[i]]);
	cr_symtab_fini(&t);
	free(rows);
}

static void
name_dso(struct naming *n, const struct cr_addrkey *keys, size_t n_keys)
{
	const struct cr_dso *o = &n->p->dsos[n->data.p[keys[0].row].dso];
	struct cr_symbol_opts opts = *n->opts;
	struct cr_debugfile f;

	opts.no_inline = true; /* no debug info is needed */
	cr_debugfile_find(&opts, o, &f);
	if (f.syms && f.runtime)
		name_from_file(n, &f, keys, n_keys);
	cr_debugfile_close(&f);
}

static int
by_dso(const void *x, const void *y, void *user)
{
	const struct naming *n = user;
	const struct cr_addrkey *a = x, *b = y;
	const uint32_t p = n->data.p[a->row].dso, q = n->data.p[b->row].dso;

	if (p != q)
		return p < q ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void
name_data(struct naming *n)
{
	struct cr_addrkey *keys = cr_alloc(CR_MAX(n->data.n, 1u), sizeof(*keys));
	size_t count = 0;

	for (size_t i = 0; i < n->data.n; i++) {
		const struct cr_dso *o = &n->p->dsos[n->data.p[i].dso];

		if (o->kind == CR_KIND_USER && cr_str_starts(o->name, "/") &&
			!cr_str_starts(o->name, "//"))
			keys[count++] = (struct cr_addrkey){n->data.p[i].addr, (uint32_t)i, 0};
	}
	if (count)
		qsort_r(keys, count, sizeof(*keys), by_dso, n);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from;
			to < count && n->data.p[keys[to].row].dso == n->data.p[keys[from].row].dso;)
			to++;
		name_dso(n, keys + from, to - from);
	}
	for (size_t i = 0; i < n->data.n; i++)
		if (n->data.p[i].text == cr_form_none(CR_FORM_TEXT))
			name_mapped(n, &n->data.p[i]);
	free(keys);
}

/* ---- */

/* By sample of the field, the row of its datum; CR_NO_ROW for none. The caller frees it. */
static uint32_t *
rows_make(struct naming *n, const struct cr_field *d)
{
	const struct cr_event_column events = cr_column_events(n->p);
	uint32_t *rows = cr_alloc(CR_MAX(d->n, 1u), sizeof(*rows));
	uint64_t at = 0;

	for (uint64_t i = 0; i < n->p->samples.n && at < d->n; i++) {
		cr_samples_sweep(&n->p->samples, i);
		if (cr_event_of(&events, i) != d->event.i)
			continue;
		rows[at] = d->value[at] == cr_form_none(CR_FORM_HEX) ? CR_NO_ROW
								     : datum_at(n, i, d->value[at]);
		at++;
	}
	for (; at < d->n; at++)
		rows[at] = CR_NO_ROW;
	return rows;
}

static void
fields_make(struct naming *n, const struct cr_field *d, const uint32_t *rows)
{
	struct cr_added_field *symbol, *offset;

	symbol = cr_add_fields_new(&n->add, d->event, "data_symbol", CR_FORM_TEXT);
	offset = cr_add_fields_new(&n->add, d->event, "data_offset", CR_FORM_NUMBER);
	for (uint64_t i = 0; i < d->n; i++) {
		const struct datum *at = rows[i] == CR_NO_ROW ? NULL : &n->data.p[rows[i]];

		cr_add_fields_value(symbol, at ? at->text : cr_form_none(CR_FORM_TEXT));
		cr_add_fields_value(offset, at ? at->offset : cr_form_none(CR_FORM_NUMBER));
	}
}

static bool
is_data_address(const struct cr_profile *p, const struct cr_field *d)
{
	return d->form == CR_FORM_HEX && d->value && d->have &&
	       cr_str_eq(d->name, CR_STR("addr")) &&
	       !cr_field_find(p, d->event, CR_STR("data_symbol")) &&
	       !cr_field_find(p, d->event, CR_STR("data_offset"));
}

/* Give the rows of all fields to the caller. */
static void
places_make(const struct naming *n, uint32_t **rows, uint32_t n_fields, struct cr_data_places *out)
{
	for (size_t i = 0; i < n->data.n; i++) {
		const struct datum *d = &n->data.p[i];
		const struct cr_dso *o = &n->p->dsos[d->dso];
		const bool in_file = o->kind == CR_KIND_USER && cr_str_starts(o->name, "/") &&
				     !cr_str_starts(o->name, "//");

		cr_vec_push(&out->list, ((struct cr_data_place){d->addr, in_file ? d->dso : 0}));
	}
	for (uint32_t i = 0; i < n_fields; i++)
		if (rows[i]) {
			const struct cr_field *d = &n->p->fields[i];

			cr_vec_push(&out->events, ((struct cr_data_rows){d->event, d->n, rows[i]}));
			rows[i] = NULL;
		}
}

void
cr_data_places_fini(struct cr_data_places *places)
{
	for (size_t i = 0; i < places->events.n; i++)
		free(places->events.p[i].rows);
	cr_vec_fini(&places->events);
	cr_vec_fini(&places->list);
}

void
cr_data_symbols(
	struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_data_places *places)
{
	struct naming n = {.p = p, .opts = opts};
	const uint32_t n_fields = p->n_fields;
	uint32_t **rows = cr_alloc(CR_MAX(n_fields, 1u), sizeof(*rows));
	bool any = false;

	for (uint32_t i = 0; i < n_fields; i++)
		if (is_data_address(p, &p->fields[i])) {
			if (!any)
				furthest_make(&n);
			rows[i] = rows_make(&n, &p->fields[i]);
			any = true;
		}
	if (any) {
		cr_add_fields_begin(&n.add, p);
		name_data(&n);
		for (uint32_t i = 0; i < n_fields; i++)
			if (rows[i])
				fields_make(&n, &p->fields[i], rows[i]);
		if (places)
			places_make(&n, rows, n_fields, places);
		cr_add_fields_end(&n.add);
	}
	for (uint32_t i = 0; i < n_fields; i++)
		free(rows[i]);
	free(rows);
	free(n.furthest);
	cr_vec_fini(&n.data);
	cr_index_fini(&n.index);
}
