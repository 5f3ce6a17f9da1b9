#include "cresset/symbol/symbolize.h"

#include "cresset/base/hash.h"
#include "cresset/profile/naming.h"
#include "debugfile.h"
#include "jit.h"
#include "kernel.h"
#include "names.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define MAX_THREADS 8

/*
 * Objects are named side by side, each by one thread; the kernel and its modules, which share a
 * table, by one. The profile is touched afterwards, by one thread and in the objects' order, so
 * that the result does not depend on who was first.
 */
struct work {
	struct cr_profile *p;
	const struct cr_symbol_opts *opts;
	struct cr_names *names; /* one for each object */
	struct cr_addrkey *asked; /* the nameless locations, by object */
	uint32_t *maps;         /* rows of the profile's maps, by object */
	uint32_t *order;        /* objects, those with most locations first */
	uint32_t items;         /* how many of order there are */
	atomic_uint next;       /* position in order of the next to be done */
	atomic_bool stop;
};

static bool
is_nameless(const struct cr_profile *p, const struct cr_location *l)
{
	return p->functions[p->lines[l->first_line].function.i].name.len == 0;
}

static bool
is_kernel(const struct work *w, uint32_t object)
{
	return w->p->objects[object].kind == CR_KIND_KERNEL ||
	       w->p->objects[object].kind == CR_KIND_MODULE;
}

/* The process that has each space; -1 where none has it. Threads of several cannot share one. */
static int32_t *
pids_of_spaces(const struct cr_profile *p)
{
	int32_t *pid = cr_alloc(p->n_spaces, sizeof(*pid));

	memset(pid, 0xff, p->n_spaces * sizeof(*pid));
	for (uint32_t i = 0; i < p->n_tasks; i++)
		if (p->tasks[i].pid != -1)
			pid[p->tasks[i].space.i] = p->tasks[i].pid;
	return pid;
}

/* Sort the mappings by object. */
static void
group_maps(struct work *w)
{
	const struct cr_profile *p = w->p;
	uint32_t *at = cr_alloc(p->n_objects, sizeof(*at)), sum = 0;
	int32_t *pids = pids_of_spaces(p);

	w->maps = cr_alloc(p->n_maps, sizeof(*w->maps));
	for (uint32_t i = 0; i < p->n_maps; i++)
		w->names[p->maps[i].object.i].n_maps++;
	for (uint32_t i = 0; i < p->n_objects; i++) {
		w->names[i].maps = w->maps + sum;
		at[i] = sum;
		sum += w->names[i].n_maps;
	}
	for (uint32_t i = 0; i < p->n_maps; i++) {
		const uint32_t object = p->maps[i].object.i;
		const int32_t pid = pids[p->maps[i].space.i];
		struct cr_names *n = &w->names[object];

		n->pid = w->maps + at[object] == n->maps || n->pid == pid ? pid : -1;
		w->maps[at[object]++] = i;
	}
	free(pids);
	free(at);
}

/* Sort the nameless locations by object. */
static void
group(struct work *w)
{
	const struct cr_profile *p = w->p;
	uint32_t *at = cr_alloc(p->n_objects, sizeof(*at)), sum = 0;

	w->names = cr_alloc(p->n_objects, sizeof(*w->names));
	w->order = cr_alloc(p->n_objects, sizeof(*w->order));
	w->asked = cr_alloc(p->n_locations, sizeof(*w->asked));
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (is_nameless(p, &p->locations[i]))
			w->names[p->locations[i].object.i].n++;
	for (uint32_t i = 0; i < p->n_objects; i++) {
		struct cr_names *n = &w->names[i];

		n->p = p;
		n->object.i = i;
		n->pid = -1;
		n->asked = w->asked + sum;
		n->function = cr_alloc(n->n, sizeof(*n->function));
		memset(n->function, 0xff, n->n * sizeof(*n->function)); /* CR_NO_ROW */
		at[i] = sum;
		sum += n->n;
		if (n->n)
			w->order[w->items++] = i;
	}
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (is_nameless(p, &p->locations[i]))
			w->asked[at[p->locations[i].object.i]++] =
				(struct cr_addrkey){p->locations[i].addr, i, 0};
	free(at);
	group_maps(w);
}

static int
compare_work(const void *a, const void *b, void *user)
{
	const struct work *w = user;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	/* The kernel first: reading kallsyms takes longest. */
	if (is_kernel(w, x) != is_kernel(w, y))
		return is_kernel(w, x) ? -1 : 1;
	if (w->names[x].n != w->names[y].n)
		return w->names[x].n > w->names[y].n ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * Name what is asked from an open file. Mostly it is enough to look closely at the symbols around
 * the addresses; where others overlap there, all of them count.
 */
static void
name_from_file(const struct work *w, struct cr_names *n, const struct cr_debugfile *d)
{
	bool done = false;

	for (int all = 0; !done && all <= 1; all++) {
		struct cr_symtab t = {.demangle = !w->opts->no_demangle};

		if (!all) {
			t.asked = n->asked;
			t.n_asked = n->n;
		}
		cr_elf_symbols(d->syms, d->runtime, &t);
		cr_elf_plt(d->runtime, &t);
		cr_symtab_index(&t);
		done = cr_names_take(n, &t, 0, 0);
		cr_symtab_fini(&t);
	}
}

static void
name_from_files(const struct work *w, struct cr_names *n)
{
	const struct cr_object *o = &n->p->objects[n->object.i];
	struct cr_debugfile d;

	n->why = "not a file";
	if (o->build_id_len == 0 && (!cr_str_starts(o->name, "/") || cr_str_starts(o->name, "//")))
		return;
	cr_debugfile_find(w->opts, o, &d);
	n->why = d.why;
	if (d.syms) {
		name_from_file(w, n, &d);
		n->unchecked = !d.checked;
		if (!d.checked)
			n->learned = d.build_id;
	}
	cr_debugfile_close(&d);
}

static void
name_object(const struct work *w, struct cr_names *n)
{
	cr_names_sort(n);
	switch ((enum cr_kind)n->p->objects[n->object.i].kind) {
	case CR_KIND_USER:
	case CR_KIND_VDSO:
		name_from_files(w, n);
		break;
	case CR_KIND_JIT:
		cr_jit_name(w->opts, n);
		break;
	case CR_KIND_BPF:
		cr_names_take_object(n);
		break;
	default:
		n->why = "not a file";
	}
}

static void
name_kernel(struct work *w)
{
	struct cr_kernel k;

	cr_kernel_open(&k, w->p, w->opts);
	for (uint32_t i = 0; i < w->items && is_kernel(w, w->order[i]); i++) {
		cr_names_sort(&w->names[w->order[i]]);
		cr_kernel_name(&k, &w->names[w->order[i]]);
	}
	cr_kernel_close(&k);
}

/* Take items until there are none; only the caller's own thread may tell of progress. */
static void
work_on(struct work *w, const struct cr_progress *progress)
{
	for (;;) {
		const uint32_t i = atomic_fetch_add(&w->next, 1);

		if (!cr_progress_step(progress, "naming", CR_MIN(i, w->items), w->items))
			atomic_store(&w->stop, true);
		if (i >= w->items || atomic_load(&w->stop))
			return;
		if (!is_kernel(w, w->order[i]))
			name_object(w, &w->names[w->order[i]]);
		else if (i == 0)
			name_kernel(w);
	}
}

static void *
worker(void *user)
{
	work_on(user, NULL);
	return NULL;
}

static void
run(struct work *w)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const uint32_t want =
		CR_MIN(CR_MIN((uint32_t)CR_MAX(cpus, 1), MAX_THREADS), CR_MAX(w->items, 1));
	pthread_t threads[MAX_THREADS];
	uint32_t n = 0;

	while (n + 1 < want && pthread_create(&threads[n], NULL, worker, w) == 0)
		n++;
	work_on(w, w->opts->progress);
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

/* Tell the profile what the functions of one object are; by_location gets the rows. */
static void
hand_over(struct cr_naming *naming, const struct cr_names *n, uint32_t *by_location,
	uint32_t *nameless)
{
	uint32_t *ids = cr_alloc(n->functions.n, sizeof(*ids));

	for (size_t i = 0; i < n->functions.n; i++)
		ids[i] = cr_naming_function(naming, &n->functions.p[i]).i;
	*nameless = 0;
	for (uint32_t i = 0; i < n->n; i++) {
		if (n->function[i] == CR_NO_ROW)
			(*nameless)++;
		else
			by_location[n->asked[i].row] = ids[n->function[i]];
	}
	if (n->learned.len)
		cr_naming_build_id(naming, n->object, n->learned.p, n->learned.len);
	free(ids);
}

static void
tell_quality(struct cr_naming *naming, const struct cr_names *n, uint32_t nameless)
{
	const struct cr_object *o = &n->p->objects[n->object.i];
	struct cr_text what = {0};

	if (nameless == 0)
		return;
	if (n->object.i == 0)
		cr_text_puts(&what, "addresses in no mapping");
	else
		cr_text_puts(&what, n->why ? "no symbols: " : "addresses in no symbol: ");
	if (n->object.i != 0)
		cr_text_str(&what, o->name);
	if (n->object.i != 0 && n->why)
		cr_text_printf(&what, " (%s)", n->why);
	cr_naming_quality(naming, cr_text_view(&what), nameless);
	cr_text_fini(&what);
}

/* p is gone afterwards. */
static struct cr_profile *
finish(struct work *w)
{
	const uint32_t n_locations = w->p->n_locations;
	uint32_t *by_location = cr_alloc(n_locations, sizeof(*by_location));
	struct cr_naming *naming = cr_naming_new(w->p);
	uint32_t unchecked = 0;

	memset(by_location, 0xff, n_locations * sizeof(*by_location)); /* CR_NO_ROW */
	for (uint32_t i = 0; i < w->p->n_objects; i++) {
		uint32_t nameless;

		if (w->names[i].n == 0)
			continue;
		hand_over(naming, &w->names[i], by_location, &nameless);
		tell_quality(naming, &w->names[i], nameless);
		unchecked += w->names[i].unchecked;
	}
	for (uint32_t i = 0; i < n_locations; i++)
		if (by_location[i] != CR_NO_ROW)
			cr_naming_line(naming, (cr_location_id){i},
				(cr_function_id){by_location[i]}, 0);
	free(by_location);
	if (unchecked)
		cr_naming_quality(naming,
			CR_STR("objects named by path alone: no build-id to check"), unchecked);
	return cr_naming_finish(naming);
}

int
cr_symbolize(struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_profile **out,
	struct cr_err *err)
{
	static const struct cr_symbol_opts none;
	struct work w = {.p = p, .opts = opts ? opts : &none};
	const uint32_t n_objects = p->n_objects;
	int rc = CR_OK;

	*out = NULL;
	if (!(p->flags & CR_PROFILE_HAS_ADDR)) {
		*out = p;
		return CR_OK;
	}
	group(&w);
	qsort_r(w.order, w.items, sizeof(*w.order), compare_work, &w);
	run(&w);
	if (atomic_load(&w.stop)) {
		rc = cr_fail(err, CR_ECANCEL, CR_NO_OFFSET, "stopped while naming");
		cr_profile_free(p);
	} else {
		*out = finish(&w);
	}
	for (uint32_t i = 0; i < n_objects; i++)
		cr_names_fini(&w.names[i]);
	free(w.names);
	free(w.maps);
	free(w.order);
	free(w.asked);
	return rc;
}
