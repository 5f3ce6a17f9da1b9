#include "table_p.h"

#include "base/text.h"
#include "model/columns.h"

#include <inttypes.h>
#include <stdlib.h>

/* For code without a mapping: kernel addresses have the highest bit set. */
#define KERNEL_HALF (UINT64_C(1) << 63)

bool
cr_table_in_kernel(uint8_t kind, uint64_t addr)
{
	switch (kind) {
	case CR_KIND_KERNEL:
	case CR_KIND_MODULE:
	case CR_KIND_BPF: return true;
	case CR_KIND_UNKNOWN: return addr >= KERNEL_HALF;
	default: return false;
	}
}

/* ---- distinct values, and distinct combinations of values */

uint32_t
cr_table_tuple_intern(struct cr_table_tuples *t, const uint32_t *items)
{
	const size_t bytes = t->width * sizeof(*items);
	const uint64_t h = t->width == 2 ? cr_hash_mix(items[0], items[1]) : cr_hash(items, bytes);
	uint32_t row;

	cr_index_each(&t->ix, h, row)
		if (!bytes || memcmp(&t->items.p[(size_t)row * t->width], items, bytes) == 0)
			return row;
	for (uint32_t i = 0; i < t->width; i++)
		cr_vec_push(&t->items, items[i]);
	cr_index_add(&t->ix, h, t->n);
	return t->n++;
}

static uint64_t
text_hash(const struct cr_table_maker *m, struct cr_str text)
{
	const struct cr_table_dso *last = &m->last_dso;

	if (!text.len)
		return 0;
	return text.p == last->name.p && text.len == last->name.len ? last->hash
								    : cr_hash(text.p, text.len);
}

uint32_t
cr_table_value_intern(struct cr_table_maker *m, const struct cr_table_value *v)
{
	const uint64_t h = cr_hash_mix(cr_hash_mix(text_hash(m, v->text), text_hash(m, v->dso)),
		v->number * 128 + v->key * 4u + v->inlined * 2u + v->nameless);
	uint32_t row;

	cr_index_each(&m->value_ix, h, row) {
		const struct cr_table_value *w = &m->values.p[row];

		if (w->key == v->key && w->number == v->number && w->inlined == v->inlined &&
			w->nameless == v->nameless &&
			(w->kind == v->kind || v->key < CR_TABLE_FUNCTION) &&
			cr_str_eq(w->text, v->text) && cr_str_eq(w->dso, v->dso))
			return row;
	}
	row = (uint32_t)m->values.n;
	cr_vec_push(&m->values, *v);
	cr_index_add(&m->value_ix, h, row);
	return row;
}

/* ---- values of groups */

static enum cr_table_column
column_of_group(const struct cr_frame *f)
{
	switch ((enum cr_group)f->group) {
	case CR_GROUP_COMM: return CR_TABLE_COMM;
	case CR_GROUP_PID: return CR_TABLE_PROCESS;
	case CR_GROUP_TID: return CR_TABLE_THREAD;
	case CR_GROUP_CPU: return CR_TABLE_CPU;
	case CR_GROUP_EVENT: return CR_TABLE_EVENT;
	case CR_GROUP_FIELD:
		return f->number < CR_FOLD_FIELDS_MOST
			       ? (enum cr_table_column)(CR_TABLE_FIELD + f->number)
			       : CR_TABLE_COLUMNS;
	case CR_GROUP_DSO:
	case CR_GROUP_USUAL:
	case CR_GROUP_NONE: break;
	}
	return CR_TABLE_COLUMNS;
}

/* The text after the number: "nginx" of "1234 nginx", the name of a thread or process. */
static struct cr_str
name_of_id(struct cr_str lane)
{
	const char *blank = lane.len ? memchr(lane.p, ' ', lane.len) : NULL;

	if (!blank)
		return CR_STR("");
	return (struct cr_str){blank + 1, (uint32_t)(lane.p + lane.len - blank - 1)};
}

static struct cr_table_value
group_value(const struct cr_frame *f, enum cr_table_column key)
{
	struct cr_table_value v = {.text = f->name, .key = (uint8_t)key, .kind = CR_KIND_GROUP};

	switch (key) {
	case CR_TABLE_THREAD:
	case CR_TABLE_PROCESS:
		v.number = f->number;
		v.text = name_of_id(f->name);
		v.nameless = (uint32_t)f->number == CR_ID_NONE;
		break;
	case CR_TABLE_CPU:
		v.number = f->number;
		v.text = CR_STR("");
		v.nameless = f->number >= CR_CPU_UNKNOWN;
		break;
	default: break;
	}
	return v;
}

/* ---- values of frames */

static struct cr_str
keep_text(struct cr_table_maker *m, struct cr_text *t)
{
	struct cr_str s = {cr_arena_copy(&m->h->texts, t->p, t->len), (uint32_t)t->len};

	cr_text_fini(t);
	return s;
}

static uint64_t
start_of(const struct cr_profile *p, const struct cr_frame *f)
{
	const uint64_t start = f->function1 && f->function1 <= p->n_functions
				       ? p->functions[f->function1 - 1].addr
				       : 0;

	return start == CR_ADDR_INLINED ? 0 : start;
}

static struct cr_str
dso_of(struct cr_table_maker *m, const struct cr_frame *f)
{
	struct cr_table_dso *last = &m->last_dso;
	struct cr_text made = {0};

	if (!f->dso.len)
		return CR_STR("[unknown]");
	if (last->of.p == f->dso.p && last->of.len == f->dso.len && last->kind == f->kind)
		return last->name;
	*last = (struct cr_table_dso){f->dso, f->kind, cr_dso_name(f->dso, f->kind, &made), 0};
	if (made.len)
		last->name = keep_text(m, &made);
	last->hash = cr_hash(last->name.p, last->name.len);
	return last->name;
}

static struct cr_str
file_of(const struct cr_table_maker *m, const struct cr_frame *f)
{
	return m->h->spec->whole_paths ? f->file : cr_str_basename(f->file);
}

static struct cr_str
srcline_of(struct cr_table_maker *m, const struct cr_frame *f)
{
	const struct cr_str file = file_of(m, f), dso = dso_of(m, f);
	struct cr_text t = {0};

	if (f->line && f->file.len) {
		cr_text_str(&t, file);
		cr_text_printf(&t, ":%" PRIu32, f->line);
	} else if (!f->dso.len && cr_frame_is_nameless(f)) {
		return CR_STR("??:0"); /* in no mapping */
	} else if (cr_frame_is_nameless(f)) {
		cr_text_str(&t, dso);
		cr_text_printf(&t, "[%" PRIx64 "]", f->number);
	} else if (start_of(m->p, f)) {
		cr_text_str(&t, f->name);
		cr_text_printf(&t, "+0x%" PRIx64, f->number - start_of(m->p, f));
	} else {
		return f->name;
	}
	return keep_text(m, &t);
}

/* "main+0x1f"; an inlined function has no start. */
static struct cr_str
symoff_of(struct cr_table_maker *m, const struct cr_frame *f)
{
	const uint64_t start = start_of(m->p, f);
	struct cr_text t = {0};

	if (!start || f->inlined || f->number < start)
		return f->name;
	cr_text_str(&t, f->name);
	cr_text_printf(&t, "+0x%" PRIx64, f->number - start);
	return keep_text(m, &t);
}

static uint64_t
symbol_size(const struct cr_table_maker *m, const struct cr_frame *f)
{
	return f->function1 && f->function1 <= m->p->n_functions
		       ? m->p->functions[f->function1 - 1].size
		       : 0;
}

/*
 * The mapping of the dso that has the function; else its largest. That of the kernel ends where its
 * modules begin, which says nothing about its size.
 */
static uint64_t
dso_size(const struct cr_table_maker *m, const struct cr_frame *f)
{
	const uint64_t addr = f->number ? f->number : start_of(m->p, f);
	uint64_t largest = 0;

	if (!f->dso.len || cr_kind_is_kernel(f->kind))
		return 0;
	for (size_t i = 0; i < m->dso_maps.n; i++) {
		const struct cr_map *map = &m->dso_maps.p[i];
		const uint64_t size = map->end - map->start;
		const struct cr_dso *dso = &m->p->dsos[map->dso.i];

		if (dso->kind != f->kind || !cr_str_eq(dso->name, f->dso))
			continue;
		if (addr >= map->pgoff && addr - map->pgoff < size)
			return size;
		largest = CR_MAX(largest, size);
	}
	return largest;
}

static void
set_size(struct cr_table_value *v, uint64_t bytes)
{
	v->number = bytes;
	v->nameless = bytes == 0;
	v->text = bytes ? CR_STR("") : CR_STR("unknown"); /* as in perf */
}

static struct cr_table_value
frame_value(struct cr_table_maker *m, const struct cr_frame *f, enum cr_table_column key)
{
	struct cr_table_value v = {.key = (uint8_t)key, .kind = f->kind};

	switch (key) {
	case CR_TABLE_DSO: v.text = dso_of(m, f); break;
	case CR_TABLE_SYM:
		v.dso = dso_of(m, f);
		v.nameless = cr_frame_is_nameless(f);
		v.inlined = f->inlined;
		v.number = v.nameless ? f->number : start_of(m->p, f);
		v.text = v.nameless ? CR_STR("") : f->name;
		break;
	case CR_TABLE_SYMOFF:
		v.dso = dso_of(m, f);
		v.nameless = cr_frame_is_nameless(f);
		v.inlined = f->inlined;
		v.number = v.nameless ? f->number : start_of(m->p, f);
		v.text = v.nameless ? CR_STR("") : symoff_of(m, f);
		break;
	case CR_TABLE_SRCLINE: v.text = srcline_of(m, f); break;
	case CR_TABLE_SRCFILE:
		v.text = f->line && f->file.len ? file_of(m, f) : CR_STR("[unknown]");
		break;
	case CR_TABLE_ADDR: v.number = f->number; break;
	case CR_TABLE_SYMBOL_SIZE: set_size(&v, symbol_size(m, f)); break;
	case CR_TABLE_DSO_SIZE: set_size(&v, dso_size(m, f)); break;
	case CR_TABLE_DSO_PATH: v.text = f->dso.len ? f->dso : CR_STR("[unknown]"); break;
	case CR_TABLE_FUNCTION:
	case CR_TABLE_GROUP:
		v.text = f->name;
		v.dso = f->dso;
		break;
	default: break;
	}
	return v;
}

static uint32_t
frame_code(struct cr_table_maker *m, const struct cr_frame *f)
{
	uint32_t items[CR_TABLE_MOST];

	for (uint32_t i = 0; i < m->h->n_code_keys; i++) {
		const struct cr_table_value v = frame_value(m, f, m->code_keys[i]);

		items[i] = cr_table_value_intern(m, &v);
	}
	return m->h->spec->merged ? items[0] : cr_table_tuple_intern(&m->codes, items);
}

uint32_t
cr_table_code_make(struct cr_table_maker *m, const struct cr_frame *f, uint32_t frame)
{
	const uint32_t code = frame_code(m, f);

	if (code == m->code_frame.n)
		cr_vec_push(&m->code_frame, frame);
	return code;
}

uint32_t
cr_table_code_append(struct cr_table_maker *m, const struct cr_frame *f, uint32_t frame)
{
	for (uint32_t i = 0; i < m->h->n_code_keys; i++) {
		const struct cr_table_value v = frame_value(m, f, m->code_keys[i]);
		uint32_t value = (uint32_t)m->values.n;

		if (v.key == CR_TABLE_SYM)
			cr_vec_push(&m->values, v);
		else
			value = cr_table_value_intern(m, &v);
		cr_vec_push(&m->codes.items, value);
	}
	cr_vec_push(&m->code_frame, frame);
	return m->codes.n++;
}

bool
cr_table_maker_by_address(const struct cr_table_maker *m)
{
	for (uint32_t i = 0; i < m->h->n_code_keys; i++)
		if (m->code_keys[i] != CR_TABLE_DSO && m->code_keys[i] != CR_TABLE_SYM)
			return false;
	return !m->h->spec->merged && cr_table_has(m->h->spec, CR_TABLE_SYM);
}

uint32_t
cr_table_nameless_value(struct cr_table_maker *m, const struct cr_frame *f)
{
	const struct cr_table_value v = frame_value(m, f, CR_TABLE_SYM);

	return cr_table_value_intern(m, &v);
}

/* Frame 0 belongs to the root, which has no row for a merged key. */
static bool
has_code(const struct cr_table_maker *m, uint32_t frame)
{
	const struct cr_frame *f = &m->frame_of[frame];

	if (!m->h->spec->merged)
		return f->kind != CR_KIND_GROUP;
	return frame && (m->by_group ? cr_frame_is_group(f) : f->kind != CR_KIND_GROUP);
}

/* Of the group keys, + 1; 0 for none. */
static uint8_t
group_key(const struct cr_table_maker *m, enum cr_table_column column)
{
	for (uint32_t i = 0; i < m->groups.width; i++)
		if (m->group_keys[i] == column)
			return (uint8_t)(i + 1);
	return 0;
}

/*
 * Texts that have comms as their outermost frames count as if the query had put these there.
 */
static void
make_frame(const struct cr_table_maker *m, uint32_t frame, struct cr_table_frame_kind *out)
{
	const struct cr_frame *f = &m->frame_of[frame];

	out->group_key = group_key(m, column_of_group(f));
	out->outermost = out->group_key;
	if (cr_frame_is_group(f) && f->group == CR_GROUP_NONE)
		out->outermost = group_key(m, CR_TABLE_COMM);
	out->kernel = cr_table_in_kernel(f->kind, f->number);
	out->is_group = f->kind == CR_KIND_GROUP;
}

/* The distinct mappings of dsos: processes usually map the same parts of a file. */
static void
find_dso_maps(struct cr_table_maker *m)
{
	struct cr_index index = {0};

	if (!m->p || !cr_table_has(m->h->spec, CR_TABLE_DSO_SIZE))
		return;
	cr_needed(m->p, CR_NEEDS_MAPS);
	for (uint32_t i = 0; i < m->p->n_maps; i++) {
		const struct cr_map *map = &m->p->maps[i];
		const uint64_t h =
			cr_hash_mix(cr_hash_mix(map->pgoff, map->end - map->start), map->dso.i);
		uint32_t row;
		bool known = false;

		cr_index_each(&index, h, row) {
			const struct cr_map *b = &m->dso_maps.p[row];

			known |= b->dso.i == map->dso.i && b->pgoff == map->pgoff &&
				 b->end - b->start == map->end - map->start;
		}
		if (known)
			continue;
		cr_index_add(&index, h, (uint32_t)m->dso_maps.n);
		cr_vec_push(&m->dso_maps, *map);
	}
	cr_index_fini(&index);
}

void
cr_table_maker_codes(struct cr_table_maker *m)
{
	static const struct cr_frame none = {.name = {"(no stack)", 10}};

	if (cr_table_has(m->h->spec, CR_TABLE_SYMBOL_SIZE))
		cr_needed(m->p, CR_NEEDS_SIZES);
	find_dso_maps(m);
	for (uint32_t i = 0; i < m->n_frames; i++) {
		if (m->frames[i].code != CR_NO_ROW) {
			m->frames[i].code = CR_NO_ROW;
			continue;
		}
		make_frame(m, i, &m->frames[i]);
		m->frames[i].code =
			has_code(m, i) ? cr_table_code_make(m, &m->frame_of[i], i) : CR_NO_ROW;
	}
	if (!m->h->spec->merged)
		m->no_code = cr_table_code_make(m, &none, 0);
}

/* ---- groups */

/* The group of stacks that have one more frame, a value of the key `at`. */
uint32_t
cr_table_group_make(
	struct cr_table_maker *m, uint32_t of_parent, uint32_t at, const struct cr_frame *f)
{
	const struct cr_table_value v = group_value(f, (enum cr_table_column)m->group_keys[at]);
	uint32_t items[CR_TABLE_MOST];

	memcpy(items, &m->groups.items.p[(size_t)of_parent * m->groups.width],
		m->groups.width * sizeof(*items));
	items[at] = cr_table_value_intern(m, &v);
	return cr_table_tuple_intern(&m->groups, items);
}

/* The group of samples that have no value for any key of samples; they print as "[unknown]". */
uint32_t
cr_table_no_groups(struct cr_table_maker *m)
{
	uint32_t items[CR_TABLE_MOST];

	for (uint32_t i = 0; i < m->groups.width; i++) {
		const struct cr_table_value v = {.key = m->group_keys[i],
			.text = CR_STR("[unknown]"),
			.number = UINT64_MAX,
			.kind = CR_KIND_GROUP,
			.nameless = true};

		items[i] = cr_table_value_intern(m, &v);
	}
	return cr_table_tuple_intern(&m->groups, items);
}

uint32_t
cr_table_group_of(
	struct cr_table_maker *m, const struct cr_frame *frames, const uint32_t *way, uint32_t n)
{
	uint32_t group = cr_table_no_groups(m);

	for (uint32_t i = 0; i < n; i++) {
		const struct cr_frame *f = &frames[way[i]];
		const uint8_t key = group_key(m, column_of_group(f));

		if (key)
			group = cr_table_group_make(m, group, key - 1u, f);
	}
	return group;
}
