#include "report_head_p.h"

#include "base/hash.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define INDENT_MOST 200u

/* The threads as a tree: the children of one are consecutive in `order`. */
struct tasks {
	const struct cr_profile *p;
	uint32_t *parent; /* by thread: CR_NO_ROW for a root, and in a circle */
	uint32_t *order;  /* threads, sorted by parent, then tid */
	bool maps;
};

/* Tids are reused, so that a thread may seem to be its own ancestor: then it becomes a root. */
static uint32_t
break_circles(struct tasks *t)
{
	const uint32_t n = t->p->n_threads;
	uint32_t *walk1 = cr_alloc(n, sizeof(*walk1)); /* the walk that reached it, + 1 */
	uint32_t roots = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i, last = i;

		for (; at != CR_NO_ROW && !walk1[at]; at = t->parent[at])
			walk1[last = at] = i + 1;
		if (at != CR_NO_ROW && walk1[at] == i + 1)
			t->parent[last] = CR_NO_ROW;
	}
	for (uint32_t i = 0; i < n; i++)
		roots += t->parent[i] == CR_NO_ROW;
	free(walk1);
	return roots;
}

static uint32_t
find_parents(struct tasks *t)
{
	const struct cr_profile *p = t->p;
	struct cr_index index = {0};

	for (uint32_t i = 0; i < p->n_threads; i++)
		cr_index_add(&index, cr_hash_mix((uint32_t)p->threads[i].tid, 0), i);
	for (uint32_t i = 0; i < p->n_threads; i++) {
		const struct cr_named_thread *c = &p->threads[i];
		uint32_t row;

		t->parent[i] = CR_NO_ROW;
		if (c->ppid > 0 && c->ppid != c->tid)
			cr_index_each(&index, cr_hash_mix((uint32_t)c->ppid, 0), row)
				if (p->threads[row].tid == c->ppid)
					t->parent[i] = row;
	}
	cr_index_fini(&index);
	return break_circles(t);
}

static int
by_parent(const void *x, const void *y, void *tasks)
{
	const struct tasks *t = tasks;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const uint32_t pa = t->parent[a] + 1, pb = t->parent[b] + 1; /* roots first */
	const int32_t ta = t->p->threads[a].tid, tb = t->p->threads[b].tid;

	if (pa != pb)
		return pa < pb ? -1 : 1;
	if (ta != tb)
		return ta < tb ? -1 : 1;
	return (a > b) - (a < b);
}

/* The mappings of the address spaces in which threads of this process were sampled. */
static void
put_maps(const struct tasks *t, int32_t pid, uint32_t indent)
{
	const struct cr_profile *p = t->p;
	struct cr_text name = {0};
	uint8_t *spaces = cr_alloc(CR_MAX(p->n_spaces, 1u), 1);

	for (uint32_t i = 0; i < p->n_tasks; i++)
		if (p->tasks[i].pid == pid && p->tasks[i].space.i < p->n_spaces)
			spaces[p->tasks[i].space.i] = 1;
	for (uint32_t i = 0; i < p->n_maps; i++) {
		const struct cr_map *m = &p->maps[i];
		const struct cr_dso *dso = &p->dsos[m->dso.i];

		if (m->space.i >= p->n_spaces || !spaces[m->space.i] ||
			cr_kind_is_kernel(dso->kind))
			continue;
		cr_text_clear(&name);
		cr_text_printf(&name, "%*s%" PRIx64 "-%" PRIx64 " %08" PRIx64 " ", (int)indent, "",
			m->start, m->end, m->pgoff);
		for (uint32_t k = 0; k < dso->build_id_len; k++)
			cr_text_printf(&name, "%02x", dso->build_id[k]);
		cr_text_char(&name, ' ');
		cr_text_safe(&name, dso->name);
		puts(name.p);
	}
	free(spaces);
	cr_text_fini(&name);
}

static void
put_task(const struct tasks *t, uint32_t i, uint32_t level)
{
	const struct cr_named_thread *c = &t->p->threads[i];
	const uint32_t indent = CR_MIN(level, INDENT_MOST);
	struct cr_text name = {0};

	cr_text_safe(&name, c->comm);
	printf("%10" PRId32 " %8" PRId32 " %8" PRId32 " |%*s%s\n", c->pid, c->tid, c->ppid,
		(int)indent, "", name.p ? name.p : "");
	cr_text_fini(&name);
	if (t->maps && c->pid == c->tid)
		put_maps(t, c->pid, 30 + indent);
}

/* first: by thread, of its children in the order. Depth first, with a stack of our own. */
static void
put_tree(const struct tasks *t, const uint32_t *first, uint32_t roots)
{
	const uint32_t n = t->p->n_threads;
	uint32_t *next = cr_alloc((uint64_t)n + 1, sizeof(*next)), level = 0;

	for (uint32_t root = 0; root < roots; root++) {
		const uint32_t top = t->order[root];

		put_task(t, top, t->p->threads[top].tid != 0);
		level = 0;
		next[0] = first[top];
		for (uint32_t at = top; level != UINT32_MAX;) {
			const uint32_t k = next[level];

			if (k < n && t->parent[t->order[k]] == at) {
				next[level]++;
				at = t->order[k];
				next[++level] = first[at];
				put_task(t, at, level + 1);
			} else if (level--) {
				at = t->parent[at];
			}
		}
	}
	free(next);
}

bool
cr_report_tasks(const struct cr_profile *p, bool maps)
{
	struct tasks t = {.p = p, .maps = maps};
	uint32_t *first, roots;

	if (!p->n_threads)
		return false;
	t.parent = cr_alloc(p->n_threads, sizeof(*t.parent));
	t.order = cr_alloc(p->n_threads, sizeof(*t.order));
	first = cr_alloc(p->n_threads, sizeof(*first));
	roots = find_parents(&t);
	for (uint32_t i = 0; i < p->n_threads; i++) {
		t.order[i] = i;
		first[i] = CR_NO_ROW;
	}
	qsort_r(t.order, p->n_threads, sizeof(*t.order), by_parent, &t);
	for (uint32_t i = p->n_threads; i-- > roots;)
		first[t.parent[t.order[i]]] = i;
	printf("# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	put_tree(&t, first, roots);
	free(first);
	free(t.order);
	free(t.parent);
	return true;
}
