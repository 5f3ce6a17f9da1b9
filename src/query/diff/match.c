#include "match_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "query/table/table.h"

#include <stdlib.h>

/* ---- names */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
all_digits(const char *p, const char *end)
{
	for (const char *at = p; at < end; at++)
		if (!is_digit(*at))
			return false;
	return p < end;
}

/* True if name is `before`, a number, `after`. */
static bool
is_numbered(struct cr_str name, const char *before, const char *after)
{
	return cr_str_starts(name, before) && cr_str_ends(name, after) &&
	       name.len > strlen(before) + strlen(after) &&
	       all_digits(name.p + strlen(before), name.p + name.len - strlen(after));
}

/* Files of perf and JIT compilers for generated code: perf-12.map, jit-12.dump, jitted-12-3.so. */
static bool
is_jit(struct cr_str base)
{
	const char *dash;

	if (is_numbered(base, "perf-", ".map") || is_numbered(base, "jit-", ".dump") ||
		is_numbered(base, "[JIT] tid ", ""))
		return true;
	if (!cr_str_starts(base, "jitted-") || !cr_str_ends(base, ".so"))
		return false;
	dash = memchr(base.p + 7, '-', base.len - 7);
	return dash && all_digits(base.p + 7, dash) && all_digits(dash + 1, base.p + base.len - 3);
}

/* "libx.so" from "libx.so.1.2": ".so" followed by numbers after dots. */
static struct cr_str
without_version(struct cr_str base)
{
	uint32_t at = base.len;

	while (at > 0 && (is_digit(base.p[at - 1]) || base.p[at - 1] == '.'))
		at--;
	if (at < base.len && base.p[at] == '.' && cr_str_ends((struct cr_str){base.p, at}, ".so"))
		base.len = at;
	return base;
}

/* "ext4" from "[ext4]" and from "ext4.ko.xz". */
static struct cr_str
module_name(struct cr_str base)
{
	static const char *const packed[] = {".gz", ".xz", ".zst"};

	if (base.len > 2 && base.p[0] == '[' && base.p[base.len - 1] == ']')
		return (struct cr_str){base.p + 1, base.len - 2};
	for (size_t i = 0; i < CR_LEN(packed); i++)
		if (cr_str_ends(base, packed[i]))
			base.len -= (uint32_t)strlen(packed[i]);
	if (cr_str_ends(base, ".ko"))
		base.len -= 3;
	return base;
}

struct cr_str
cr_match_canonical(struct cr_str name, uint8_t kind)
{
	struct cr_str base = name;

	if (cr_str_ends(base, " (deleted)"))
		base.len -= 10;
	base = cr_str_basename(base);
	if (kind == CR_KIND_JIT || is_jit(base))
		return CR_STR("[jit]");
	if (kind == CR_KIND_KERNEL && !cr_str_starts(base, "[guest"))
		return CR_STR("[kernel]");
	return kind == CR_KIND_MODULE ? module_name(base) : without_version(base);
}

/* ---- names of both sides */

struct item {
	struct cr_str name;
	uint8_t kind;
	uint32_t up;              /* an item of the same class; itself if it represents the class */
	bool here[CR_SIDES];      /* by side: a frame belongs to it */
	bool paired;              /* for a file: it was matched */
	uint64_t total[CR_SIDES]; /* of samples with a frame in it */
	struct cr_str shown;      /* name and kind of the representative */
	uint8_t shown_kind;
};

struct table {
	CR_VEC(struct item) items;
	struct cr_index index; /* by name */
};

struct cr_match {
	struct table dsos, files;
	struct cr_str main[CR_SIDES];
};

static uint32_t
table_find(const struct table *t, struct cr_str name)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t row;

	cr_index_each(&t->index, h, row)
		if (cr_str_eq(t->items.p[row].name, name))
			break;
	return row;
}

static struct item *
table_add(struct table *t, struct cr_str name, uint8_t kind)
{
	uint32_t row = table_find(t, name);

	if (row == CR_NO_ROW) {
		row = (uint32_t)t->items.n;
		cr_vec_push(&t->items, ((struct item){.name = name, .kind = kind, .up = row}));
		cr_index_add(&t->index, cr_hash(name.p, name.len), row);
	}
	return &t->items.p[row];
}

static uint32_t
class_of(const struct table *t, uint32_t row)
{
	while (t->items.p[row].up != row)
		row = t->items.p[row].up;
	return row;
}

/* Merge two classes; the lower number represents both. */
static void
unite(struct table *t, uint32_t a, uint32_t b)
{
	a = class_of(t, a);
	b = class_of(t, b);
	t->items.p[CR_MAX(a, b)].up = CR_MIN(a, b);
}

static bool
is_file(const struct cr_frame *f)
{
	return f->kind != CR_KIND_GROUP && !f->dso.len && f->file.len &&
	       cr_str_eq(f->name, f->file);
}

static void
add_frames(struct cr_match *m, const struct cr_tree *t, uint32_t side)
{
	for (uint32_t f = 0; f < t->n_frames; f++) {
		const struct cr_frame *frame = &t->frames[f];

		table_add(&m->dsos, frame->dso, frame->kind);
		if (frame->group == CR_GROUP_DSO)
			table_add(&m->dsos, frame->name, CR_KIND_UNKNOWN)->here[side] = true;
		if (is_file(frame))
			table_add(&m->files, frame->name, frame->kind)->here[side] = true;
	}
}

/* Add the costs of the dsos of one side. */
static void
add_totals(struct cr_match *m, const struct cr_tree *t, uint32_t side)
{
	struct cr_table table;

	cr_table_make(NULL, t, 0, cr_table_by(CR_TABLE_DSO_PATH), &table);
	for (uint32_t i = 0; i < table.n; i++) {
		const uint32_t row =
			table_find(&m->dsos, cr_table_value(&table, i, CR_TABLE_DSO_PATH)->text);
		struct item *d;

		if (row == CR_NO_ROW) /* "[unknown]", which has no name */
			continue;
		d = &m->dsos.items.p[row];
		d->here[side] = true;
		d->total[side] = cr_add_sat(d->total[side], table.rows[i].cost[0].total);
	}
	cr_table_fini(&table);
}

/* ---- matching */

typedef CR_VEC(struct cr_str) keys_vec;
typedef CR_VEC(uint32_t) rows_vec;

/* Unite rows[i] and rows[k] if keys[i] and keys[k] are equal. */
static void
unite_by_key(struct table *t, const keys_vec *keys, const rows_vec *rows)
{
	struct cr_index index = {0};

	for (size_t i = 0; i < keys->n; i++) {
		const struct cr_str key = keys->p[i];
		const uint64_t h = cr_hash(key.p, key.len);
		uint32_t other;

		cr_index_each(&index, h, other)
			if (cr_str_eq(keys->p[other], key))
				break;
		if (other == CR_NO_ROW)
			cr_index_add(&index, h, (uint32_t)i);
		else
			unite(t, rows->p[other], rows->p[i]);
	}
	cr_index_fini(&index);
}

static void
unite_by_name(struct table *t)
{
	keys_vec keys = {0};
	rows_vec rows = {0};

	for (uint32_t i = 0; i < t->items.n; i++) {
		cr_vec_push(&keys, cr_match_canonical(t->items.p[i].name, t->items.p[i].kind));
		cr_vec_push(&rows, i);
	}
	unite_by_key(t, &keys, &rows);
	cr_vec_fini(&keys);
	cr_vec_fini(&rows);
}

static void
unite_by_build_id(struct table *t, const struct cr_profile *const p[CR_SIDES])
{
	keys_vec keys = {0};
	rows_vec rows = {0};

	for (uint32_t s = 0; s < CR_SIDES; s++)
		for (uint32_t i = 0; p[s] && i < p[s]->n_dsos; i++) {
			const struct cr_dso *o = &p[s]->dsos[i];
			const uint32_t row = o->build_id_len ? table_find(t, o->name) : CR_NO_ROW;

			if (row == CR_NO_ROW)
				continue;
			cr_vec_push(&keys,
				((struct cr_str){(const char *)o->build_id, o->build_id_len}));
			cr_vec_push(&rows, row);
		}
	unite_by_key(t, &keys, &rows);
	cr_vec_fini(&keys);
	cr_vec_fini(&rows);
}

/* An executable file, not a library or named memory. */
static bool
is_executable(const struct item *d)
{
	static const char *const memory[] = {"//", "/memfd:", "/dev/", "/SYSV", "[", "anon_inode:"};
	const struct cr_str name = cr_match_canonical(d->name, d->kind);

	for (size_t i = 0; i < CR_LEN(memory); i++)
		if (cr_str_starts(d->name, memory[i]))
			return false;
	return d->kind == CR_KIND_USER && name.len && name.p[0] != '[' && !cr_str_ends(name, ".so");
}

/* The executable with at least half of the cost of all executables of a side; CR_NO_ROW if none. */
static uint32_t
main_of(const struct table *t, uint32_t side)
{
	uint64_t sum = 0, most = 0;
	uint32_t found = CR_NO_ROW;

	for (uint32_t i = 0; i < t->items.n; i++) {
		const uint64_t total = t->items.p[i].total[side];

		if (!total || !is_executable(&t->items.p[i]))
			continue;
		sum = cr_add_sat(sum, total);
		if (total > most) {
			most = total;
			found = i;
		}
	}
	return most >= sum - most ? found : CR_NO_ROW;
}

static bool
class_is_here(const struct table *t, uint32_t class, uint32_t side)
{
	for (uint32_t i = 0; i < t->items.n; i++)
		if (t->items.p[i].here[side] && class_of(t, i) == class)
			return true;
	return false;
}

static void
unite_main(struct cr_match *m)
{
	const uint32_t before = main_of(&m->dsos, 0), after = main_of(&m->dsos, 1);

	if (before == CR_NO_ROW || after == CR_NO_ROW ||
		class_is_here(&m->dsos, class_of(&m->dsos, before), 1) ||
		class_is_here(&m->dsos, class_of(&m->dsos, after), 0))
		return;
	unite(&m->dsos, before, after);
	m->main[0] = m->dsos.items.p[before].name;
	m->main[1] = m->dsos.items.p[after].name;
}

/* ---- source files */

#define PARTS 4 /* maximum number of path components compared */

/* The last n components of a path, or all if there are fewer. */
static struct cr_str
last_parts(struct cr_str path, uint32_t n)
{
	uint32_t at = path.len;

	while (at > 0 && (path.p[at - 1] != '/' || --n > 0))
		at--;
	return cr_str_from(path, path.p + at);
}

/* Match files with an equal path end, if there is only one such file on each side. */
static void
unite_ends(struct table *t, uint32_t parts)
{
	struct end {
		uint32_t n[CR_SIDES], row[CR_SIDES];
	} *ends = cr_alloc(t->items.n, sizeof(*ends));
	struct cr_index index = {0};
	keys_vec keys = {0};

	for (uint32_t i = 0; i < t->items.n; i++) {
		const struct item *f = &t->items.p[i];
		const struct cr_str key = last_parts(f->name, parts);
		const uint64_t h = cr_hash(key.p, key.len);
		uint32_t k;

		if (f->paired || f->here[0] == f->here[1])
			continue;
		cr_index_each(&index, h, k)
			if (cr_str_eq(keys.p[k], key))
				break;
		if (k == CR_NO_ROW) {
			k = (uint32_t)keys.n;
			cr_vec_push(&keys, key);
			cr_index_add(&index, h, k);
		}
		ends[k].n[f->here[1]]++;
		ends[k].row[f->here[1]] = i;
	}
	for (size_t k = 0; k < keys.n; k++)
		if (ends[k].n[0] == 1 && ends[k].n[1] == 1) {
			unite(t, ends[k].row[0], ends[k].row[1]);
			t->items.p[ends[k].row[0]].paired = t->items.p[ends[k].row[1]].paired =
				true;
		}
	free(ends);
	cr_vec_fini(&keys);
	cr_index_fini(&index);
}

/* ---- names to show */

/* True if a is shown rather than b: the side after first, then the larger total. */
static bool
is_shown_before(const struct item *a, const struct item *b)
{
	if (a->here[1] != b->here[1])
		return a->here[1];
	if (a->total[a->here[1]] != b->total[a->here[1]])
		return a->total[a->here[1]] > b->total[a->here[1]];
	return cr_str_cmp(a->name, b->name) < 0;
}

static void
finish(struct table *t, bool by_path)
{
	uint32_t *best = cr_alloc(t->items.n, sizeof(*best)),
		 *same_side = cr_alloc(t->items.n, sizeof(*same_side));

	/* At most one step from now on. */
	for (uint32_t i = 0; i < t->items.n; i++)
		t->items.p[i].up = best[i] = class_of(t, i);
	for (uint32_t i = 0; i < t->items.n; i++)
		if (is_shown_before(&t->items.p[i], &t->items.p[best[t->items.p[i].up]]))
			best[t->items.p[i].up] = i;
	for (uint32_t i = 0; i < t->items.n; i++)
		same_side[t->items.p[i].up] +=
			t->items.p[i].here[t->items.p[best[t->items.p[i].up]].here[1]];
	for (uint32_t i = 0; i < t->items.n; i++) {
		struct item *d = &t->items.p[i];
		const struct item *b = &t->items.p[best[d->up]];

		d->shown = b->name;
		d->shown_kind = b->kind;
		/* Code of several JIT compilers has only the common name. */
		if (!by_path && same_side[d->up] > 1 &&
			cr_str_eq(cr_match_canonical(b->name, b->kind), CR_STR("[jit]")))
			d->shown = CR_STR("[jit]");
	}
	free(best);
	free(same_side);
}

struct cr_match *
cr_match_new(const struct cr_profile *const p[CR_SIDES], const struct cr_tree *const t[CR_SIDES],
	bool by_path)
{
	struct cr_match *m = cr_alloc(1, sizeof(*m));

	for (uint32_t s = 0; s < CR_SIDES; s++) {
		add_frames(m, t[s], s);
		add_totals(m, t[s], s);
	}
	if (!by_path) {
		unite_by_name(&m->dsos);
		unite_by_build_id(&m->dsos, p);
		unite_main(m);
		for (uint32_t parts = PARTS; parts; parts--)
			unite_ends(&m->files, parts);
	}
	finish(&m->dsos, by_path);
	finish(&m->files, by_path);
	return m;
}

static void
table_fini(struct table *t)
{
	cr_vec_fini(&t->items);
	cr_index_fini(&t->index);
}

void
cr_match_free(struct cr_match *m)
{
	if (!m)
		return;
	table_fini(&m->dsos);
	table_fini(&m->files);
	free(m);
}

static struct cr_match_of
match_of(const struct table *t, struct cr_str name)
{
	const uint32_t row = table_find(t, name);

	if (row == CR_NO_ROW)
		return (struct cr_match_of){.class = CR_NO_ROW, .shown = name};
	return (struct cr_match_of){
		t->items.p[row].up, t->items.p[row].shown, t->items.p[row].shown_kind};
}

struct cr_match_of
cr_match_dso(const struct cr_match *m, struct cr_str name)
{
	return match_of(&m->dsos, name);
}

bool
cr_match_file(const struct cr_match *m, const struct cr_frame *f, struct cr_match_of *out)
{
	if (!is_file(f))
		return false;
	*out = match_of(&m->files, f->name);
	return true;
}

void
cr_match_main(const struct cr_match *m, struct cr_str out[CR_SIDES])
{
	for (uint32_t s = 0; s < CR_SIDES; s++)
		out[s] = m->main[s];
}

static const char *
why_matched(const struct cr_match *m, const struct item *a, const struct item *b)
{
	if (cr_str_eq(cr_match_canonical(a->name, a->kind), cr_match_canonical(b->name, b->kind)))
		return "same file name, or both code of a JIT compiler or the kernel";
	if (cr_str_eq(a->name, m->main[0]) && cr_str_eq(b->name, m->main[1]))
		return "main executables";
	return "same build-id, or matched with the same dso";
}

void
cr_match_explain(const struct cr_match *m, struct cr_text *out)
{
	const struct item *all = m->dsos.items.p;

	for (size_t i = 0; i < m->dsos.items.n; i++)
		for (size_t k = 0; k < m->dsos.items.n; k++) {
			if (all[i].up != all[k].up || !all[i].here[0] || !all[k].here[1] ||
				cr_str_eq(all[i].name, all[k].name))
				continue;
			cr_text_puts(out, "dso ");
			cr_text_safe(out, all[i].name);
			cr_text_puts(out, " = ");
			cr_text_safe(out, all[k].name);
			cr_text_printf(out, ": %s\n", why_matched(m, &all[i], &all[k]));
		}
}
