#include "symtab_p.h"

#include "base/hash.h"
#include "symbol/demangle/demangle.h"

#include <string.h>

#define MAX_SYMBOLS ((size_t)1 << 26)
#define PAGE 4096u
#define AHEAD 12 /* prefetch distance in symbols */

static uint64_t
page_up(uint64_t v)
{
	return v > UINT64_MAX - PAGE ? UINT64_MAX : (v + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* The end of s; a symbol without a size contains its start. */
static uint64_t
reach(const struct cr_symbol *s)
{
	return s->end > s->start ? s->end : cr_add_sat(s->start, 1);
}

void
cr_symtab_add(struct cr_symtab *t, const struct cr_symbol *s)
{
	if (t->all.n < MAX_SYMBOLS)
		cr_vec_push(&t->all, *s);
}

/* Add the new symbols to live. */
static void
enlist(struct cr_symtab *t)
{
	cr_vec_reserve(&t->live, t->live.n + t->all.n - t->listed);
	for (; t->listed < t->all.n; t->listed++) {
		const struct cr_symbol *s = &t->all.p[t->listed];

		cr_vec_push(
			&t->live, ((struct cr_addrkey){s->start, (uint32_t)t->listed, s->module}));
	}
	cr_addrkey_sort(t->live.p, t->live.n);
}

/*
 * Sorted by start, the symbols are not in row order, so with many of them each access would wait
 * for memory. Inlined, since gcc treats a function that only prefetches as one without effect.
 */
__attribute__((always_inline)) static inline void
fetch_symbol(const struct cr_symtab *t, size_t i)
{
	if (i < t->live.n)
		__builtin_prefetch(&t->all.p[t->live.p[i].row]);
}

/* Names are compared only if two symbols share an address; C++ names are long. */
__attribute__((always_inline)) static inline void
fetch_name(const struct cr_symtab *t, size_t i)
{
	const struct cr_addrkey *key = &t->live.p[i];
	uintptr_t name;

	if (i >= t->live.n ||
		(key[-1].addr != key->addr && (i + 1 == t->live.n || key[1].addr != key->addr)))
		return;
	name = (uintptr_t)t->all.p[key->row].name;
	__builtin_prefetch((const void *)name);
	__builtin_prefetch((const void *)(name + 64));
}

static void
fix_ends(struct cr_symtab *t)
{
	for (size_t i = 0; i + 1 < t->live.n; i++) {
		struct cr_symbol *s = &t->all.p[t->live.p[i].row];
		const struct cr_symbol *next = &t->all.p[t->live.p[i + 1].row];

		fetch_symbol(t, i + AHEAD);
		if (s->end != s->start)
			continue;
		s->end = s->module == next->module ? next->start
						   : page_up(cr_add_sat(s->start, PAGE));
		s->flags |= CR_SYMBOL_EXTENDED;
	}
	if (t->live.n) {
		struct cr_symbol *s = &t->all.p[t->live.p[t->live.n - 1].row];

		if (s->end == s->start) {
			s->end = cr_add_sat(page_up(s->start), PAGE);
			s->flags |= CR_SYMBOL_EXTENDED;
		}
	}
}

/*
 * True if two names are shown alike: the same name twice (.symtab and .dynsym), or the two
 * constructors or destructors of a class, "…C1E…" and "…C2E…", which demangle alike. These are most
 * aliases, and demangling is by far the most expensive step.
 */
static bool
same_shown(const char *a, const char *b)
{
	size_t i = 0;

	if (strcmp(a, b) == 0)
		return true;
	while (a[i] && a[i] == b[i])
		i++;
	return i > 0 && (a[i - 1] == 'C' || a[i - 1] == 'D') && a[i] >= '0' && a[i] <= '2' &&
	       b[i] >= '0' && b[i] <= '2' && strcmp(a + i + 1, b + i + 1) == 0;
}

/* Number of underscores that the shown name begins with, and its length. */
static void
measure(const struct cr_symtab *t, const char *name, struct cr_text *scratch, size_t *underscores,
	size_t *len)
{
	/* perf's demangler refuses names with a version, "_ZN…@@GLIBCXX_3.4". */
	if (t->demangle && !strchr(name, '@') && cr_demangle_as_perf(name, scratch))
		name = scratch->p;
	*underscores = strspn(name, "_");
	*len = strlen(name);
}

/* Of two symbols at one address, a before b: true if a is kept. */
static bool
stays(const struct cr_symtab *t, const struct cr_symbol *a, const struct cr_symbol *b,
	struct cr_text *scratch)
{
	size_t a_under, b_under, a_len, b_len;

	if ((a->end == a->start) != (b->end == b->start))
		return a->end != a->start;
	if ((a->flags ^ b->flags) & CR_SYMBOL_UNTYPED)
		return !(a->flags & CR_SYMBOL_UNTYPED);
	if ((a->flags ^ b->flags) & CR_SYMBOL_WEAK)
		return !(a->flags & CR_SYMBOL_WEAK);
	if ((a->flags ^ b->flags) & CR_SYMBOL_GLOBAL)
		return a->flags & CR_SYMBOL_GLOBAL;
	if (!same_shown(a->name, b->name)) {
		measure(t, a->name, scratch, &a_under, &a_len);
		measure(t, b->name, scratch, &b_under, &b_len);
		if (a_under != b_under)
			return a_under < b_under;
		if (a_len != b_len)
			return a_len > b_len;
	}
	/* Old kernels have two names for each system call; this one is less wanted. */
	return strncmp(a->name, "SyS", 3) != 0 && strncmp(a->name, "compat_SyS", 10) != 0;
}

static void
drop_duplicates(struct cr_symtab *t)
{
	struct cr_text scratch = {0};
	size_t n = 0;

	for (size_t i = 0; i < t->live.n; i++) {
		const struct cr_addrkey next = t->live.p[i];
		struct cr_symbol *a, *b;

		fetch_symbol(t, i + 2 * AHEAD);
		fetch_name(t, i + AHEAD);
		if (n == 0 || t->live.p[n - 1].addr != next.addr) {
			t->live.p[n++] = next;
			continue;
		}
		a = &t->all.p[t->live.p[n - 1].row];
		b = &t->all.p[next.row];
		if (stays(t, a, b, &scratch)) {
			a->flags |= b->flags & CR_SYMBOL_IFUNC;
			cr_vec_push(&t->erased, next.row);
		} else {
			b->flags |= a->flags & CR_SYMBOL_IFUNC;
			cr_vec_push(&t->erased, t->live.p[n - 1].row);
			t->live.p[n - 1] = next;
		}
	}
	t->live.n = n;
	t->furthest.n = 0;
	cr_text_fini(&scratch);
}

void
cr_symtab_fix(struct cr_symtab *t)
{
	enlist(t);
	fix_ends(t);
	drop_duplicates(t);
	cr_vec_push(&t->rounds, ((struct cr_symtab_round){0}));
	t->rounds.p[t->rounds.n - 1].added = (uint32_t)t->all.n;
	t->rounds.p[t->rounds.n - 1].erased = (uint32_t)t->erased.n;
}

/* The neighbours of a node in order, 0 if none. */
struct neighbours {
	uint32_t before, after;
};

/*
 * Insert the rows up to `added`, in order. To find where each belongs, they are all put in a sorted
 * list first, and removed from the last to the first: the neighbours at that moment are those in
 * the tree when it is inserted.
 */
static void
replay_added(struct cr_symtab *t, uint32_t added, struct neighbours *list)
{
	const uint32_t from = t->replayed.added;
	uint32_t last = 0;

	for (uint32_t i = from; i < added; i++)
		cr_vec_push(&t->order, ((struct cr_addrkey){t->all.p[i].start, i, 0}));
	cr_addrkey_sort(t->order.p, t->order.n);
	for (size_t i = 0; i < t->order.n; i++) {
		const uint32_t node = t->order.p[i].row + 1;

		list[last].after = node;
		list[node] = (struct neighbours){last, 0};
		last = node;
	}
	for (uint32_t node = added; node > from; node--) {
		list[list[node].before].after = list[node].after;
		list[list[node].after].before = list[node].before;
	}
	for (uint32_t i = from; i < added; i++) {
		const uint32_t ahead = CR_MIN(i + AHEAD, added - 1) + 1;

		__builtin_prefetch(&t->tree.nodes[list[ahead].before]);
		__builtin_prefetch(&t->tree.nodes[list[ahead].after]);
		cr_symtree_insert(&t->tree, i, list[i + 1].before, list[i + 1].after);
	}
	t->replayed.added = added;
}

static void
replay(struct cr_symtab *t, uint32_t added, uint32_t erased)
{
	struct neighbours *list;
	size_t n = 0;

	if (added <= t->replayed.added && erased <= t->replayed.erased)
		return;
	list = cr_alloc((uint64_t)t->all.n + 1, sizeof(*list));
	if (added > t->replayed.added)
		replay_added(t, added, list);
	for (; t->replayed.erased < erased; t->replayed.erased++) {
		const uint32_t row = t->erased.p[t->replayed.erased];

		cr_symtree_erase(&t->tree, row);
		list[row + 1].after = row + 1; /* a mark */
	}
	for (size_t i = 0; i < t->order.n; i++)
		if (list[t->order.p[i].row + 1].after != t->order.p[i].row + 1)
			t->order.p[n++] = t->order.p[i];
	t->order.n = n;
	free(list);
}

/* Replay in the tree the changes of the symbols that are new to it. */
static void
replay_all(struct cr_symtab *t)
{
	if (t->replayed.added == t->all.n)
		return;
	cr_symtree_grow(&t->tree, (uint32_t)t->all.n);
	for (size_t i = 0; i < t->rounds.n; i++)
		replay(t, t->rounds.p[i].added, t->rounds.p[i].erased);
	replay(t, (uint32_t)t->all.n, 0);
}

/* Sort live by module, then by start. */
static void
group_modules(struct cr_symtab *t, uint16_t last)
{
	struct cr_addrkey *grouped = cr_alloc(t->live.n, sizeof(*grouped));
	size_t *at = cr_alloc((uint64_t)last + 2, sizeof(*at));

	for (size_t i = 0; i < t->live.n; i++)
		at[t->live.p[i].module + 1]++;
	for (size_t i = 0; i < last; i++)
		at[i + 1] += at[i];
	for (size_t i = 0; i < t->live.n; i++)
		grouped[at[t->live.p[i].module]++] = t->live.p[i];
	memcpy(t->live.p, grouped, t->live.n * sizeof(*grouped));
	free(at);
	free(grouped);
}

static void
measure_reach(struct cr_symtab *t)
{
	uint64_t furthest = 0;

	t->furthest.n = 0;
	cr_vec_reserve(&t->furthest, t->live.n);
	for (size_t i = 0; i < t->live.n; i++) {
		fetch_symbol(t, i + AHEAD);
		furthest = CR_MAX(furthest, reach(&t->all.p[t->live.p[i].row]));
		cr_vec_push(&t->furthest, furthest);
	}
}

void
cr_symtab_index(struct cr_symtab *t)
{
	uint16_t last_module = 0;

	if (t->furthest.n && t->furthest.n == t->live.n && t->listed == t->all.n)
		return;
	enlist(t);
	for (size_t i = 0; i < t->live.n; i++)
		last_module = CR_MAX(last_module, t->live.p[i].module);
	t->furthest.n = 0;
	if (last_module)
		group_modules(t, last_module);
	else
		measure_reach(t);
}

/* The first symbol that contains addr on perf's path down the tree. */
static uint32_t
ask_tree(struct cr_symtab *t, uint64_t addr)
{
	uint32_t node;

	if (t->partial) {
		t->short_of = true;
		return CR_NO_ROW;
	}
	replay_all(t);
	for (node = t->tree.root; node;) {
		const struct cr_symbol *s = &t->all.p[node - 1];

		if (addr >= s->start && addr < reach(s))
			return node - 1;
		node = addr < s->start ? t->tree.nodes[node].left : t->tree.nodes[node].right;
	}
	return CR_NO_ROW;
}

static bool
is_past(const struct cr_addrkey *key, uint16_t module, uint64_t addr)
{
	return key->module != module ? key->module > module : key->addr > addr;
}

/* The first of live, from `from` on, that starts after addr; fast if it is near. */
static size_t
first_past(const struct cr_symtab *t, size_t from, uint16_t module, uint64_t addr)
{
	size_t lo = from, step = 1, hi;

	while (lo + step <= t->live.n && !is_past(&t->live.p[lo + step - 1], module, addr)) {
		lo += step;
		step *= 2;
	}
	hi = CR_MIN(lo + step - 1, t->live.n);
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (is_past(&t->live.p[mid], module, addr))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* The row that contains addr; live[past] is the first after it. */
static uint32_t
row_before(struct cr_symtab *t, size_t past, uint16_t module, uint64_t addr)
{
	const struct cr_addrkey *key = past ? &t->live.p[past - 1] : NULL;

	if (!key || key->module != module)
		return CR_NO_ROW;
	if (past > 1 && t->furthest.n && t->furthest.p[past - 2] > addr)
		return ask_tree(t, addr);
	return addr < reach(&t->all.p[key->row]) ? key->row : CR_NO_ROW;
}

const struct cr_symbol *
cr_symtab_find(struct cr_symtab *t, uint16_t module, uint64_t addr)
{
	const uint32_t row = row_before(t, first_past(t, 0, module, addr), module, addr);

	return row == CR_NO_ROW ? NULL : &t->all.p[row];
}

void
cr_symtab_find_each(struct cr_symtab *t, uint16_t module, uint64_t bias,
	const struct cr_addrkey *asked, size_t n, uint32_t *rows)
{
	size_t past = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t addr = asked[i].addr - bias;

		/* If subtracting the bias wraps around, the order starts again. */
		if (i > 0 && asked[i - 1].addr - bias > addr)
			past = 0;
		past = first_past(t, past, module, addr);
		rows[i] = row_before(t, past, module, addr);
	}
}

bool
cr_symtab_touches(const struct cr_symtab *t, uint64_t lo, uint64_t hi)
{
	const size_t asked = t->asked ? cr_addrkey_from(t->asked, t->n_asked, lo) : 0;
	const size_t below_hi = cr_addrkey_from(t->live.p, t->live.n, hi);

	if (!t->asked || (asked < t->n_asked && t->asked[asked].addr < hi))
		return true;
	return below_hi > 0 && t->furthest.n && t->furthest.p[below_hi - 1] > lo;
}

void
cr_symtab_cut(struct cr_symtab *t, uint64_t addr)
{
	const struct cr_symbol *s = cr_symtab_find(t, 0, addr);

	if (!s || s->start >= addr)
		return;
	t->all.p[s - t->all.p].end = addr;
	measure_reach(t);
}

uint64_t
cr_symtab_address(const struct cr_symtab *t, const char *name)
{
	for (size_t i = 0; i < t->all.n; i++)
		if (t->all.p[i].module == 0 && strcmp(t->all.p[i].name, name) == 0)
			return t->all.p[i].start;
	return 0;
}

void
cr_symtab_shift(struct cr_symtab *t, uint64_t delta)
{
	for (size_t i = 0; delta && i < t->all.n; i++)
		if (t->all.p[i].module == 0) {
			t->all.p[i].start -= delta;
			t->all.p[i].end -= delta;
		}
	for (size_t i = 0; delta && i < t->live.n; i++)
		t->live.p[i].addr = t->all.p[t->live.p[i].row].start;
	t->furthest.n = 0;
}

void
cr_symtab_names(const struct cr_symtab *t, const struct cr_symbol *s, struct cr_text *name,
	struct cr_text *linkage)
{
	const bool nicer = t->demangle && cr_demangle(s->name, name);

	cr_text_clear(linkage);
	if (nicer) {
		cr_text_puts(linkage, s->name);
	} else {
		cr_text_clear(name);
		cr_text_puts(name, s->name);
	}
	if (s->flags & CR_SYMBOL_PLT) {
		cr_text_puts(name, "@plt");
		if (nicer)
			cr_text_puts(linkage, "@plt");
	}
}

void
cr_symtab_fini(struct cr_symtab *t)
{
	cr_vec_fini(&t->all);
	cr_vec_fini(&t->live);
	cr_vec_fini(&t->furthest);
	cr_vec_fini(&t->erased);
	cr_vec_fini(&t->rounds);
	cr_symtree_fini(&t->tree);
	cr_vec_fini(&t->order);
	cr_arena_fini(&t->arena);
}
