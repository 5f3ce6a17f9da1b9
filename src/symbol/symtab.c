#include "symtab.h"

#include "demangle.h"

#include <string.h>

#define MAX_SYMBOLS ((size_t)1 << 26)
#define PAGE 4096u

static uint64_t
page_up(uint64_t v)
{
	return v > UINT64_MAX - PAGE ? UINT64_MAX : (v + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* The first address that s does not hold: one without a size holds its start. */
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

static bool
in_order(const struct cr_symtab_key *keys, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (keys[i - 1].start > keys[i].start)
			return false;
	return true;
}

/*
 * Sort live by start, equal ones staying in order: by bytes, the lowest first. Most of the eight
 * bytes are the same in all symbols of an object and cost one look. Some objects have half a
 * million symbols, and with qsort() this was most of the time.
 */
static void
sort_live(struct cr_symtab *t)
{
	const size_t n = t->live.n;
	struct cr_symtab_key *from = t->live.p, *to, *spare;
	uint32_t (*counts)[256];

	if (in_order(from, n))
		return;
	to = spare = cr_alloc(n, sizeof(*spare));
	counts = cr_alloc(8, sizeof(*counts));
	for (size_t i = 0; i < n; i++)
		for (unsigned byte = 0; byte < 8; byte++)
			counts[byte][from[i].start >> 8 * byte & 0xff]++;
	for (unsigned byte = 0; byte < 8; byte++) {
		uint32_t *at = counts[byte], sum = 0;

		if (at[from[0].start >> 8 * byte & 0xff] == n)
			continue;
		for (size_t i = 0; i < 256; i++) {
			const uint32_t here = at[i];

			at[i] = sum;
			sum += here;
		}
		for (size_t i = 0; i < n; i++)
			to[at[from[i].start >> 8 * byte & 0xff]++] = from[i];
		to = from;
		from = from == spare ? t->live.p : spare;
	}
	if (from == spare)
		memcpy(t->live.p, spare, n * sizeof(*spare));
	free(counts);
	free(spare);
}

static uint32_t
fixed(const struct cr_symtab *t)
{
	return t->rounds.n ? t->rounds.p[t->rounds.n - 1].added : 0;
}

/* Take in what came since the last fix. */
static void
enlist(struct cr_symtab *t)
{
	for (uint32_t i = fixed(t); i < t->all.n; i++)
		cr_vec_push(&t->live, ((struct cr_symtab_key){t->all.p[i].start, i}));
	sort_live(t);
}

static void
fix_ends(struct cr_symtab *t)
{
	for (size_t i = 0; i + 1 < t->live.n; i++) {
		struct cr_symbol *s = &t->all.p[t->live.p[i].symbol];
		const struct cr_symbol *next = &t->all.p[t->live.p[i + 1].symbol];

		if (s->end != s->start)
			continue;
		s->end = s->module == next->module ? next->start
						   : page_up(cr_add_sat(s->start, PAGE));
	}
	if (t->live.n) {
		struct cr_symbol *s = &t->all.p[t->live.p[t->live.n - 1].symbol];

		if (s->end == s->start)
			s->end = cr_add_sat(page_up(s->start), PAGE);
	}
}

/*
 * Names that are told apart by nothing: the same name twice (.symtab and .dynsym), and the two
 * constructors or destructors of a class, "…C1E…" and "…C2E…", which demangle alike. They are
 * by far the most aliases, and demangling is by far the most costly step.
 */
static bool
same_shown(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] && a[i] == b[i])
		i++;
	if (!a[i] && !b[i])
		return true;
	return i > 0 && (a[i - 1] == 'C' || a[i - 1] == 'D') && a[i] >= '0' && a[i] <= '2' &&
	       b[i] >= '0' && b[i] <= '2' && strcmp(a + i + 1, b + i + 1) == 0;
}

/* How many underscores the shown name starts with, how long it is. */
static void
measure(const struct cr_symtab *t, const char *name, struct cr_text *scratch, size_t *underscores,
	size_t *len)
{
	/* perf's demangler refuses names with a version, "_ZN…@@GLIBCXX_3.4". */
	if (t->demangle && !strchr(name, '@') && cr_demangle(name, scratch))
		name = scratch->p;
	*underscores = strspn(name, "_");
	*len = strlen(name);
}

/* Of two symbols at one address, a before b: does a stay? */
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
	/* Old kernels name each system call twice; this one is the less wanted. */
	return strncmp(a->name, "SyS", 3) != 0 && strncmp(a->name, "compat_SyS", 10) != 0;
}

static void
drop_duplicates(struct cr_symtab *t)
{
	struct cr_text scratch = {0};
	size_t n = 0;

	for (size_t i = 0; i < t->live.n; i++) {
		const struct cr_symtab_key next = t->live.p[i];
		struct cr_symbol *a, *b;

		if (n == 0 || t->live.p[n - 1].start != next.start) {
			t->live.p[n++] = next;
			continue;
		}
		a = &t->all.p[t->live.p[n - 1].symbol];
		b = &t->all.p[next.symbol];
		if (stays(t, a, b, &scratch)) {
			a->flags |= b->flags & CR_SYMBOL_IFUNC;
			cr_vec_push(&t->erased, next.symbol);
		} else {
			b->flags |= a->flags & CR_SYMBOL_IFUNC;
			cr_vec_push(&t->erased, t->live.p[n - 1].symbol);
			t->live.p[n - 1] = next;
		}
	}
	t->live.n = n;
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

static void
add_piece(struct cr_symtab *t, uint64_t start, uint64_t end, uint32_t symbol)
{
	if (start < end)
		cr_vec_push(&t->pieces, ((struct cr_symtab_piece){start, end, symbol, 0}));
}

/*
 * What a walk down from node finds for each address of [lo, hi): a node that holds the address
 * ends it, so that the right subtree is asked only from the node's end on.
 */
static void
flatten_node(struct cr_symtab *t, uint32_t node, uint64_t lo, uint64_t hi)
{
	while (node && lo < hi) {
		const struct cr_symbol *s = &t->all.p[node - 1];
		const uint64_t start = CR_MAX(lo, s->start), end = CR_MIN(hi, reach(s));

		flatten_node(t, t->tree.nodes[node].left, lo, CR_MIN(hi, s->start));
		add_piece(t, start, end, node - 1);
		lo = CR_MAX(lo, reach(s));
		node = t->tree.nodes[node].right;
	}
}

static void
replay(struct cr_symtab *t, uint32_t added, uint32_t erased)
{
	for (; t->replayed.added < added; t->replayed.added++)
		cr_symtree_insert(&t->tree, t->replayed.added, t->all.p[t->replayed.added].start);
	for (; t->replayed.erased < erased; t->replayed.erased++)
		cr_symtree_erase(&t->tree, t->erased.p[t->replayed.erased]);
}

static void
flatten_tree(struct cr_symtab *t)
{
	cr_symtree_grow(&t->tree, (uint32_t)t->all.n);
	for (size_t i = 0; i < t->rounds.n; i++)
		replay(t, t->rounds.p[i].added, t->rounds.p[i].erased);
	replay(t, (uint32_t)t->all.n, 0);
	flatten_node(t, t->tree.root, 0, UINT64_MAX);
}

static int
compare_modules(const void *a, const void *b)
{
	const struct cr_symtab_piece *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/*
 * kallsyms: each module has its own symbols. Within one they follow each other without overlaps:
 * none has a size of its own there.
 */
static void
flatten_modules(struct cr_symtab *t)
{
	for (size_t i = 0; i < t->live.n; i++) {
		const struct cr_symbol *s = &t->all.p[t->live.p[i].symbol];

		cr_vec_push(&t->pieces, ((struct cr_symtab_piece){s->start, reach(s),
						t->live.p[i].symbol, s->module}));
	}
	qsort(t->pieces.p, t->pieces.n, sizeof(*t->pieces.p), compare_modules);
	for (size_t i = 0; i + 1 < t->pieces.n; i++)
		if (t->pieces.p[i].module == t->pieces.p[i + 1].module)
			t->pieces.p[i].end = CR_MIN(t->pieces.p[i].end, t->pieces.p[i + 1].start);
}

void
cr_symtab_flatten(struct cr_symtab *t)
{
	const uint32_t n_fixed = fixed(t);
	bool modules = false, overlap = false;
	size_t n = 0;

	enlist(t);
	t->pieces.n = 0;
	for (size_t i = 0; i < t->live.n; i++) {
		const struct cr_symbol *s = &t->all.p[t->live.p[i].symbol];

		modules = modules || s->module;
		overlap = overlap || (i + 1 < t->live.n && reach(s) > t->live.p[i + 1].start);
	}
	if (modules) {
		flatten_modules(t);
	} else if (overlap) {
		flatten_tree(t);
	} else {
		for (size_t i = 0; i < t->live.n; i++) {
			const struct cr_symbol *s = &t->all.p[t->live.p[i].symbol];

			add_piece(t, s->start, reach(s), t->live.p[i].symbol);
		}
	}
	/* What no fix has seen yet is taken in again by the next one. */
	for (size_t i = 0; i < t->live.n; i++)
		if (t->live.p[i].symbol < n_fixed)
			t->live.p[n++] = t->live.p[i];
	t->live.n = n;
}

const struct cr_symbol *
cr_symtab_find(const struct cr_symtab *t, uint16_t module, uint64_t addr)
{
	size_t lo = 0, hi = t->pieces.n;

	/* The first piece that starts past addr: only the one before it may hold addr. */
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const struct cr_symtab_piece *p = &t->pieces.p[mid];

		if (p->module < module || (p->module == module && p->start <= addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return NULL;
	if (t->pieces.p[lo - 1].module != module || addr >= t->pieces.p[lo - 1].end)
		return NULL;
	return &t->all.p[t->pieces.p[lo - 1].symbol];
}

void
cr_symtab_cut(struct cr_symtab *t, uint64_t addr)
{
	const struct cr_symbol *s = cr_symtab_find(t, 0, addr);

	if (s && s->start < addr)
		t->all.p[s - t->all.p].end = addr;
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
		t->live.p[i].start = t->all.p[t->live.p[i].symbol].start;
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
	cr_vec_fini(&t->erased);
	cr_vec_fini(&t->rounds);
	cr_symtree_fini(&t->tree);
	cr_vec_fini(&t->pieces);
	cr_arena_fini(&t->arena);
}
