#include "symbol/data/data_types.h"

#include "data_types_p.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/build/add_fields.h"
#include "model/columns.h"
#include "model/field.h"
#include "symbol/dwarf/dwarf_units_p.h"
#include "symbol/unwind/unwind_module_p.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Limits for each dso. Real files stay far below. */
#define LEAST_DIES ((uint64_t)1 << 16)
#define MOST_DIES ((uint64_t)1 << 26)
#define MOST_STEPS ((uint64_t)1 << 24)
#define MOST_DIMENSIONS 8
#define MOST_CODE ((uint64_t)1 << 20) /* bytes of a function */
/* Bytes of all functions, which may overlap: for each byte of the file, and in addition. */
#define CODE_FACTOR 2
#define FREE_CODE ((uint64_t)4 << 20)

/* The work on one dso. */
struct work {
	const struct cr_symbol_opts *opts;
	struct cr_add_fields *add;
	struct cr_data_found *found; /* by location */
	struct cr_addrkey *keys;     /* addresses in the debug file; rows are locations */
	size_t n;
	const struct cr_debugfile *files;
	struct cr_dwarf dwarf;
	struct cr_unwind_module *frames; /* NULL if there are none for this machine */
	struct cr_var_globals globals;
	uint64_t dies, steps, code; /* that are left: the last one in bytes */
};

/* ---- one function */

static bool
cfa_at(void *user, uint64_t pc, uint8_t *reg, int64_t *offset)
{
	const struct work *w = user;
	struct cr_cfi_row row;
	uint64_t at;

	if (!w->frames || !cr_elf_loaded(w->files->runtime, pc, &at) ||
		cr_unwind_module_find(w->frames, at, &row) != CR_UNWIND_ROW ||
		row.cfa.how != CR_CFI_VALUE)
		return false;
	*reg = row.cfa.reg;
	*offset = row.cfa.n;
	return true;
}

/* Store a type and what is at its offset. */
static void
put_type(struct work *w, const struct cr_data_type *t, struct cr_data_found *f)
{
	struct cr_text text = {0};
	Dwarf_Die type = t->type;
	uint64_t left = t->offset;

	cr_dwarf_type_name(&w->dwarf, &type, &text);
	if (text.len) {
		f->result = CR_DATA_FOUND;
		f->type = cr_add_fields_text(w->add, cr_text_view(&text));
		f->offset = t->vague ? cr_form_none(CR_FORM_NUMBER) : t->offset;
		f->member = cr_form_none(CR_FORM_TEXT);
		cr_text_clear(&text);
		if (!t->vague)
			cr_dwarf_type_member(&w->dwarf, &type, &left, &w->steps, &text);
	}
	if (text.len)
		f->member = cr_add_fields_text(w->add, cr_text_view(&text));
	cr_text_fini(&text);
}

/* Store what was found for an instruction in the location of a key. */
static void
put_found(struct work *w, uint32_t location, uint8_t result, const struct cr_data_type *t)
{
	struct cr_data_found *f = &w->found[location];

	f->result = result;
	if (result == CR_DATA_STACK)
		f->type = cr_add_fields_text(w->add, CR_STR("(stack operation)"));
	if (result != CR_DATA_FOUND)
		return;
	f->result = CR_DATA_UNKNOWN; /* unless the type has a name */
	put_type(w, t, f);
}

/* The address after the last instruction. */
static uint64_t
end_of(const cr_operands *code, uint64_t lo)
{
	return code->n ? code->p[code->n - 1].addr + code->p[code->n - 1].size : lo;
}

/*
 * Read the instructions in [lo, hi). After one that is not understood, go on at the next of n
 * sampled addresses, which is an instruction; nothing is known about registers there.
 */
static bool
code_of(const struct work *w, uint64_t lo, uint64_t hi, const struct cr_addrkey *keys, size_t n,
	cr_operands *out)
{
	const struct cr_elf *e = w->files->runtime;
	struct cr_machine_code code = {.base = lo, .machine = e->machine, .bits = e->bits};
	uint64_t at;

	*out = (cr_operands){0};
	if (hi - lo > MOST_CODE || cr_elf_hollow(e) || !cr_elf_loaded(e, lo, &at))
		return false;
	code.bytes = cr_elf_bytes(e, at, hi - lo);
	if (!code.bytes.len || !cr_operands_read(&code, out))
		return false;
	for (size_t i = 0; i < n; i++) {
		const uint64_t end = end_of(out, lo), next = keys[i].addr;

		if (next < end || (next == end && out->n))
			continue;
		if (next > end)
			cr_vec_push(out, ((struct cr_operand){.addr = end,
						 .action = CR_OPERAND_ALWAYS,
						 .dst = CR_OPERAND_NONE,
						 .base = CR_OPERAND_NONE}));
		code.base = next;
		code.bytes = cr_elf_bytes(e, at + (next - lo), hi - next);
		if (!code.bytes.len || !cr_operands_read(&code, out))
			break;
	}
	return true;
}

static void
resolve(struct work *w, const cr_operands *code, const struct cr_var_function *vars,
	const struct cr_addrkey *keys, size_t n)
{
	const struct cr_data_function f = {&w->dwarf, vars, &w->globals, cfa_at, w, &w->steps};
	struct cr_data_type *types = cr_alloc(CR_MAX(code->n, 1u), sizeof(*types));
	uint8_t *wanted = cr_alloc(CR_MAX(code->n, 1u), 1);
	uint8_t *results = cr_alloc(CR_MAX(code->n, 1u), 1);

	for (size_t i = 0; i < n; i++) {
		const size_t at = cr_operands_at(code, keys[i].addr);

		if (at != SIZE_MAX)
			wanted[at] = 1;
	}
	cr_register_types(&f, code, wanted, types, results);
	for (size_t i = 0; i < n; i++) {
		const size_t at = cr_operands_at(code, keys[i].addr);

		if (at == SIZE_MAX)
			w->found[keys[i].row].result = CR_DATA_NO_CODE;
		else
			put_found(w, keys[i].row, results[at], &types[at]);
	}
	free(results);
	free(wanted);
	free(types);
}

static void
on_function(void *user, Dwarf_Die *function, uint64_t lo, uint64_t hi)
{
	struct work *w = user;
	const size_t from = cr_addrkey_from(w->keys, w->n, lo);
	struct cr_var_function vars;
	const uint64_t bytes = CR_MIN(hi - lo, MOST_CODE);
	cr_operands code;
	size_t n = 0;

	if (bytes > w->code)
		return;
	w->code -= bytes;
	while (from + n < w->n && w->keys[from + n].addr < hi)
		n++;
	if (code_of(w, lo, hi, w->keys + from, n, &code)) {
		cr_vars_read(&vars, &w->dwarf, function, &w->dies);
		resolve(w, &code, &vars, w->keys + from, n);
		cr_vars_fini(&vars);
	} else {
		for (size_t i = 0; i < n; i++)
			w->found[w->keys[from + i].row].result = CR_DATA_NO_CODE;
	}
	cr_vec_fini(&code);
}

/* ---- one dso */

/* The unit itself; of a split one, that in the other file. */
static bool
unit_open(struct work *w, uint64_t offset, Dwarf_Die *unit)
{
	Dwarf_Die split;

	if (!dwarf_offdie(w->dwarf.dbg, offset, unit))
		return false;
	if (!dwarf_hasattr(unit, DW_AT_dwo_name) && !dwarf_hasattr(unit, DW_AT_GNU_dwo_name))
		return true;
	if (!cr_split_unit(w->dwarf.split, unit, &split))
		return false;
	*unit = split;
	return true;
}

static void
read_globals(struct work *w)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die unit, here;

	while (w->dies && dwarf_get_units(w->dwarf.dbg, cu, &cu, NULL, &type, &unit, NULL) == 0) {
		if (type == DW_UT_type || type == DW_UT_split_type)
			continue;
		if (unit_open(w, dwarf_dieoffset(&unit), &here))
			cr_vars_globals_add(&w->globals, &w->dwarf, &here, &w->dies);
	}
	cr_vars_globals_sort(&w->globals);
}

static void
read_functions(struct work *w)
{
	struct cr_dwarf_hits hits;

	cr_dwarf_units(&w->dwarf, w->keys, w->n, 0, &hits);
	for (size_t i = 0; i < hits.units.n; i++) {
		Dwarf_Die unit;

		if (unit_open(w, hits.units.p[i].offset, &unit))
			cr_vars_functions(&unit, hits.units.p[i].keys, hits.units.p[i].n, &w->dies,
				on_function, w);
	}
	cr_dwarf_hits_fini(&hits);
}

/* Replace the keys, which are addresses of the dso, by those of the debug file. */
static void
translate(struct work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		struct cr_addrkey key = w->keys[i];

		if (cr_debugfile_address(w->files, w->keys[i].addr, &key.addr))
			w->keys[n++] = key;
	}
	w->n = n;
	cr_addrkey_sort(w->keys, n);
}

/* A DIE takes a byte or more, and is visited as part of a unit and of a function. */
static uint64_t
dies_of(const struct cr_debugfile *files)
{
	const struct cr_elf_section *s = cr_elf_section_named(files->debug, ".debug_info");

	return CR_MIN(MOST_DIES, LEAST_DIES + (s ? 4 * CR_MIN(s->head.sh_size, MOST_DIES) : 0));
}

static uint64_t
code_left(const struct cr_elf *runtime)
{
	size_t len;

	return FREE_CODE + (elf_rawfile(runtime->elf, &len) ? (uint64_t)len * CODE_FACTOR : 0);
}

void
cr_data_types_of(const struct cr_symbol_opts *opts, const struct cr_dso *o,
	const struct cr_debugfile *files, struct cr_addrkey *keys, size_t n,
	struct cr_add_fields *add, struct cr_data_found *found)
{
	/* The machine that cr_operands_read() knows. */
	const struct cr_unwind_arch *arch = cr_unwind_arch_find(CR_STR("x86_64"), 2);
	struct work w = {.opts = opts,
		.add = add,
		.found = found,
		.keys = keys,
		.n = n,
		.files = files,
		.dies = dies_of(files),
		.steps = MOST_STEPS,
		.code = code_left(files->runtime)};

	if (!cr_dwarf_open(&w.dwarf, opts, files, CR_DWARF_VARIABLES))
		return;
	w.frames = arch ? cr_unwind_module_new(opts, o, arch, false) : NULL;
	translate(&w);
	read_globals(&w);
	read_functions(&w);
	cr_vars_globals_fini(&w.globals);
	if (w.frames)
		cr_unwind_module_free(w.frames);
	cr_dwarf_close(&w.dwarf);
}

/* ---- global variables by the address of data */

/* An address in a dso, also one in .bss, as an address of its debug file. */
static bool
data_address(const struct cr_elf *e, uint64_t addr, uint64_t *out)
{
	for (size_t i = 0; i < e->n_loads; i++) {
		const GElf_Phdr *h = &e->loads[i];

		if ((h->p_flags & PF_X) || addr < h->p_offset || addr - h->p_offset >= h->p_memsz)
			continue;
		*out = addr - h->p_offset + h->p_vaddr;
		if ((h->p_flags & PF_W) || addr - h->p_offset < h->p_filesz)
			return true;
	}
	return false;
}

/* The element of an array that an offset is in. */
static void
enter_arrays(const struct cr_dwarf *d, struct cr_data_type *t)
{
	for (int depth = 0; depth < MOST_DIMENSIONS; depth++) {
		Dwarf_Die at = t->type, element;
		uint64_t size;

		cr_dwarf_type_peel(d, &at);
		if (dwarf_tag(&at) != DW_TAG_array_type || !cr_dwarf_type_of(d, &at, &element) ||
			(size = cr_dwarf_type_size(d, &element)) == 0)
			return;
		t->offset %= size;
		t->type = element;
	}
}

/* Find the variables at n addresses of data in a dso; rows of the keys are those of `found`. */
static void
data_of_dso(const struct cr_symbol_opts *opts, const struct cr_debugfile *files,
	const struct cr_addrkey *keys, size_t n, struct cr_add_fields *add,
	struct cr_data_found *found)
{
	struct work w = {.opts = opts,
		.add = add,
		.found = found,
		.files = files,
		.dies = dies_of(files),
		.steps = MOST_STEPS};

	if (!cr_dwarf_open(&w.dwarf, opts, files, CR_DWARF_VARIABLES))
		return;
	read_globals(&w);
	for (size_t i = 0; i < n; i++) {
		const struct cr_var_global *g;
		struct cr_data_type t = {.vague = false};
		uint64_t addr;

		if (!data_address(files->runtime, keys[i].addr, &addr) ||
			!(g = cr_vars_global_at(&w.globals, addr)))
			continue;
		t.type = g->type;
		t.offset = addr - g->addr;
		enter_arrays(&w.dwarf, &t);
		put_type(&w, &t, &found[keys[i].row]);
	}
	cr_vars_globals_fini(&w.globals);
	cr_dwarf_close(&w.dwarf);
}

static int
by_place(const void *x, const void *y, void *user)
{
	const struct cr_data_places *places = user;
	const struct cr_addrkey *a = x, *b = y;
	const uint32_t s = places->list.p[a->row].dso, t = places->list.p[b->row].dso;

	if (s != t)
		return s < t ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void
find_data(struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_add_fields *add,
	const struct cr_data_places *places, struct cr_data_found *found)
{
	struct cr_addrkey *keys = cr_alloc(CR_MAX(places->list.n, 1u), sizeof(*keys));
	size_t n = 0;

	for (size_t i = 0; i < places->list.n; i++)
		if (places->list.p[i].dso)
			keys[n++] = (struct cr_addrkey){places->list.p[i].addr, (uint32_t)i, 0};
	if (n)
		qsort_r(keys, n, sizeof(*keys), by_place, (void *)(uintptr_t)places);
	for (size_t from = 0, to; from < n; from = to) {
		const uint32_t dso = places->list.p[keys[from].row].dso;
		struct cr_debugfile files;

		for (to = from; to < n && places->list.p[keys[to].row].dso == dso;)
			to++;
		if (!cr_progress_step(opts->progress, "types", to, n))
			break;
		cr_debugfile_find(opts, &p->dsos[dso], &files);
		if (files.debug && files.runtime)
			data_of_dso(opts, &files, keys + from, to - from, add, found);
		cr_debugfile_close(&files);
	}
	free(keys);
}

/* ---- all of them */

/* By location: it is where a sample was taken. The caller frees it. */
static uint8_t *
sampled_make(const struct cr_profile *p)
{
	const uint32_t *node = cr_column_nodes(p);
	uint8_t *sampled = cr_alloc(CR_MAX(p->n_locations, 1u), 1);

	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (node[i])
			sampled[p->node_location[node[i]]] = 1;
	}
	return sampled;
}

static int
by_dso(const void *x, const void *y, void *user)
{
	const struct cr_profile *p = user;
	const struct cr_addrkey *a = x, *b = y;
	const uint32_t s = p->locations[a->row].dso.i, t = p->locations[b->row].dso.i;

	if (s != t)
		return s < t ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void
find_all(struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_add_fields *add,
	struct cr_data_found *found)
{
	struct cr_addrkey *keys = cr_alloc(CR_MAX(p->n_locations, 1u), sizeof(*keys));
	uint8_t *sampled = sampled_make(p);
	size_t n = 0;

	for (uint32_t i = 0; i < p->n_locations; i++)
		if (sampled[i] && p->dsos[p->locations[i].dso.i].kind == CR_KIND_USER) {
			found[i].result = CR_DATA_NO_DEBUG;
			keys[n++] = (struct cr_addrkey){p->locations[i].addr, i, 0};
		}
	if (n)
		qsort_r(keys, n, sizeof(*keys), by_dso, p);
	for (size_t from = 0, to; from < n; from = to) {
		const uint32_t dso = p->locations[keys[from].row].dso.i;
		struct cr_debugfile files;

		for (to = from; to < n && p->locations[keys[to].row].dso.i == dso;)
			to++;
		if (!cr_progress_step(opts->progress, "types", to, n))
			break;
		cr_debugfile_find(opts, &p->dsos[dso], &files);
		if (files.debug && files.runtime)
			cr_data_types_of(
				opts, &p->dsos[dso], &files, keys + from, to - from, add, found);
		cr_debugfile_close(&files);
	}
	free(sampled);
	free(keys);
}

static void
report(struct cr_profile *p, const uint64_t *counts)
{
	static const char *const why[CR_DATA_RESULTS] = {
		[CR_DATA_THREAD] = "thread-local",
		[CR_DATA_OUTSIDE] = "outside what a pointer points at",
		[CR_DATA_UNKNOWN] = "of no known variable",
		[CR_DATA_NO_CODE] = "code that cannot be disassembled",
		[CR_DATA_NO_DEBUG] = "code without debug info",
		[CR_DATA_NO_FILE] = "code of no file of a program",
	};
	struct cr_quality *all =
		cr_arena_array(&p->arena, (uint64_t)p->n_quality + CR_DATA_RESULTS, sizeof(*all));
	uint64_t sum = 0;
	struct cr_text t = {0};

	if (p->n_quality)
		memcpy(all, p->quality, p->n_quality * sizeof(*all));
	for (int i = 0; i < CR_DATA_RESULTS; i++) {
		sum += counts[i];
		if (!why[i] || !counts[i])
			continue;
		cr_text_clear(&t);
		cr_text_printf(&t, "samples without a data type: %s", why[i]);
		all[p->n_quality++] = (struct cr_quality){
			{cr_arena_copy(&p->arena, t.p, t.len), (uint32_t)t.len}, counts[i]};
	}
	p->quality = all;
	cr_text_clear(&t);
	cr_text_printf(&t,
		"%" PRIu64 " of %" PRIu64 " samples; %" PRIu64 " access no memory, %" PRIu64
		" are stack operations",
		counts[CR_DATA_FOUND], sum, counts[CR_DATA_NO_ACCESS], counts[CR_DATA_STACK]);
	cr_profile_set_fact(p, "data types", cr_text_view(&t));
	cr_text_fini(&t);
}

/* The fields of one event. */
struct columns {
	struct cr_added_field *type, *offset, *member;
	const struct cr_data_rows *data; /* NULL if its samples have no addresses of data */
	uint64_t at;                     /* the next sample */
};

/* What is known of the next sample: of its instruction, or of the address of its data. */
static const struct cr_data_found *
found_of(struct columns *c, const struct cr_data_found *code, const struct cr_data_found *data)
{
	const uint64_t at = c->at++;
	const struct cr_data_found *f;

	if (!c->data || at >= c->data->n || c->data->rows[at] == CR_NO_ROW ||
		(code && code->result == CR_DATA_FOUND &&
			code->offset != cr_form_none(CR_FORM_NUMBER)))
		return code;
	f = &data[c->data->rows[at]];
	return f->result == CR_DATA_FOUND ? f : code;
}

static bool
is_recorded(const struct cr_profile *p, uint32_t event)
{
	return p->events[event].samples && !cr_event_is_sum(p, (cr_event_id){event}) &&
	       !cr_event_is_derived(p, (cr_event_id){event});
}

static void
fields_make(struct cr_profile *p, struct cr_add_fields *add, const struct cr_data_found *found,
	const struct cr_data_places *places, const struct cr_data_found *data)
{
	const struct cr_event_column events = cr_column_events(p);
	struct columns *of = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*of));
	uint64_t counts[CR_DATA_RESULTS] = {0};

	for (uint32_t i = 0; i < p->n_events; i++) {
		const cr_event_id e = {i};

		if (!is_recorded(p, i) || cr_field_find(p, e, CR_STR("type")))
			continue;
		of[i].type = cr_add_fields_new(add, e, "type", CR_FORM_TEXT);
		of[i].offset = cr_add_fields_new(add, e, "type_offset", CR_FORM_NUMBER);
		of[i].member = cr_add_fields_new(add, e, "type_member", CR_FORM_TEXT);
		for (size_t k = 0; k < places->events.n; k++)
			if (places->events.p[k].event.i == i)
				of[i].data = &places->events.p[k];
	}
	for (uint64_t i = 0; i < p->samples.n; i++) {
		struct columns *c = &of[cr_event_of(&events, i)];
		const uint32_t node = p->samples.node[i];
		const struct cr_data_found *f = node ? &found[p->node_location[node]] : NULL;

		cr_samples_sweep(&p->samples, i);
		if (!c->type)
			continue;
		f = found_of(c, f, data);
		counts[f ? f->result : CR_DATA_NO_FILE]++;
		cr_add_fields_value(c->type, f ? f->type : cr_form_none(CR_FORM_TEXT));
		cr_add_fields_value(c->offset, f ? f->offset : cr_form_none(CR_FORM_NUMBER));
		cr_add_fields_value(c->member, f ? f->member : cr_form_none(CR_FORM_TEXT));
	}
	free(of);
	report(p, counts);
}

/* n items of which nothing is known. */
static struct cr_data_found *
found_new(uint64_t n)
{
	struct cr_data_found *found = cr_alloc(CR_MAX(n, 1u), sizeof(*found));

	for (uint64_t i = 0; i < n; i++)
		found[i] = (struct cr_data_found){cr_form_none(CR_FORM_TEXT),
			cr_form_none(CR_FORM_TEXT), cr_form_none(CR_FORM_NUMBER), CR_DATA_NO_FILE};
	return found;
}

void
cr_data_types(struct cr_profile *p, const struct cr_symbol_opts *opts,
	const struct cr_data_places *places)
{
	struct cr_data_found *found, *data;
	struct cr_add_fields add;

	if (!(p->flags & CR_PROFILE_HAS_ADDR) || !p->samples.n)
		return;
	found = found_new(p->n_locations);
	data = found_new(places->list.n);
	cr_add_fields_begin(&add, p);
	find_all(p, opts, &add, found);
	find_data(p, opts, &add, places, data);
	fields_make(p, &add, found, places, data);
	cr_add_fields_end(&add);
	free(data);
	free(found);
}
