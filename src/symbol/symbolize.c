#include "symbol/symbolize.h"

#include "base/hash.h"
#include "base/thread_pool.h"
#include "model/build/naming.h"
#include "model/field.h"
#include "model/tree/tree_ahead.h"
#include "symbol/dwarf/lines_p.h"
#include "symbol/files/debugfile_p.h"
#include "symbol/files/debuginfod_p.h"
#include "symbol/files/opener_ask_p.h"
#include "symbol/jit/jit_p.h"
#include "symbol/kernel/kernel_p.h"

#include <ctype.h>
#include <string.h>

#define BATCH_BYTES ((uint64_t)1 << 20) /* of debug info: some milliseconds of work */

/*
 * Each dso is named by one thread; the kernel and its modules, which share a symbol table, by one
 * thread together. Then lines and inlined functions are looked up, several units of a dso in
 * parallel, since one dso usually has most of them. Finally one thread updates the profile in the
 * order of the dsos, so that the result does not depend on timing.
 */
struct batch {
	uint32_t dso;
	uint32_t first, n; /* range of its units */
	uint64_t bytes;    /* of debug info */
};

struct work {
	struct cr_profile *p;
	const struct cr_symbol_opts *opts;
	struct cr_names *names;   /* of the dsos with locations without a name */
	uint32_t *place;          /* by dso: its row in names and lines; CR_NO_ROW if it has none */
	struct cr_addrkey *asked; /* the locations without a name, grouped by dso */
	uint32_t *maps;           /* rows of the profile's maps, grouped by dso */
	uint32_t *order;          /* dsos, those with most locations first */
	uint32_t items;           /* number of items in `order`, and of names and lines */
	struct cr_lines *lines;   /* like names */
	const uint32_t *lined;    /* dsos whose lines are being looked up */
	CR_VEC(struct batch) batches;
	CR_VEC(struct lack) lacking; /* dsos for which servers may be asked */
	uint32_t missed;             /* number of those that stayed without debug info */
	char *why_missed;
};

/* A dso without debug info. */
struct lack {
	uint32_t dso;
	uint64_t heat; /* number of samples in it */
};

static struct cr_names *
names_of(const struct work *w, uint32_t dso)
{
	return &w->names[w->place[dso]];
}

static struct cr_lines *
lines_of(const struct work *w, uint32_t dso)
{
	return &w->lines[w->place[dso]];
}

/* True for "0x437571": readers name functions by address if nothing else is known. */
static bool
is_address(struct cr_str name)
{
	if (name.len < 3 || name.len > 18 || name.p[0] != '0' || name.p[1] != 'x')
		return false;
	for (uint32_t i = 2; i < name.len; i++)
		if (!isxdigit((unsigned char)name.p[i]))
			return false;
	return true;
}

/* Such a name is replaced, but only by one of the same build. */
static bool
is_nameless(const struct cr_profile *p, const struct cr_location *l)
{
	const struct cr_str name = p->functions[p->lines[l->first_line].function.i].name;

	return name.len == 0 || (p->dsos[l->dso.i].build_id_len && is_address(name));
}

static bool
is_kernel(const struct work *w, uint32_t dso)
{
	return w->p->dsos[dso].kind == CR_KIND_KERNEL || w->p->dsos[dso].kind == CR_KIND_MODULE;
}

/* By space: the process that has it; -1 if none. Threads of several processes cannot share one. */
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

/* Group the mappings of the dsos that have names to find. */
static void
group_maps(struct work *w)
{
	const struct cr_profile *p = w->p;
	uint32_t *at = cr_alloc(CR_MAX(w->items, 1u), sizeof(*at)), sum = 0;
	int32_t *pids = pids_of_spaces(p);

	for (uint32_t i = 0; i < p->n_maps; i++)
		if (w->place[p->maps[i].dso.i] != CR_NO_ROW)
			names_of(w, p->maps[i].dso.i)->n_maps++;
	for (uint32_t i = 0; i < w->items; i++) {
		at[i] = sum;
		sum += w->names[i].n_maps;
	}
	w->maps = cr_alloc(CR_MAX(sum, 1u), sizeof(*w->maps));
	for (uint32_t i = 0; i < w->items; i++)
		w->names[i].maps = w->maps + at[i];
	for (uint32_t i = 0; i < p->n_maps; i++) {
		const uint32_t place = w->place[p->maps[i].dso.i];
		const int32_t pid = pids[p->maps[i].space.i];
		struct cr_names *n;

		if (place == CR_NO_ROW)
			continue;
		n = &w->names[place];
		n->pid = w->maps + at[place] == n->maps || n->pid == pid ? pid : -1;
		w->maps[at[place]++] = i;
	}
	free(pids);
	free(at);
}

/*
 * Give a place to each dso that has locations without a name. A recording may list a million others
 * that have none. count: the number of these locations, by dso.
 */
static void
make_places(struct work *w, const uint32_t *count)
{
	uint32_t sum = 0;

	w->place = cr_alloc(w->p->n_dsos, sizeof(*w->place));
	for (uint32_t i = 0; i < w->p->n_dsos; i++) {
		w->place[i] = count[i] ? w->items++ : CR_NO_ROW;
		sum += count[i];
	}
	w->names = cr_alloc(CR_MAX(w->items, 1u), sizeof(*w->names));
	w->lines = cr_alloc(CR_MAX(w->items, 1u), sizeof(*w->lines));
	w->order = cr_alloc(CR_MAX(w->items, 1u), sizeof(*w->order));
	w->asked = cr_alloc(CR_MAX(sum, 1u), sizeof(*w->asked));
}

/* Group the locations without a name by dso. */
static void
group(struct work *w)
{
	const struct cr_profile *p = w->p;
	uint32_t *at = cr_alloc(p->n_dsos, sizeof(*at)), sum = 0;

	for (uint32_t i = 0; i < p->n_locations; i++)
		at[p->locations[i].dso.i] += is_nameless(p, &p->locations[i]);
	make_places(w, at);
	for (uint32_t i = 0; i < p->n_dsos; i++) {
		struct cr_names *n;

		if (at[i] == 0)
			continue;
		n = names_of(w, i);
		n->p = p;
		n->dso.i = i;
		n->n = at[i];
		n->pid = -1;
		n->asked = w->asked + sum;
		n->function = cr_alloc(n->n, sizeof(*n->function));
		memset(n->function, 0xff, n->n * sizeof(*n->function)); /* CR_NO_ROW */
		w->order[w->place[i]] = i;
		at[i] = sum;
		sum += n->n;
	}
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (is_nameless(p, &p->locations[i]))
			w->asked[at[p->locations[i].dso.i]++] =
				(struct cr_addrkey){p->locations[i].addr, i, 0};
	free(at);
	group_maps(w);
}

static int
compare_work(const void *a, const void *b, void *user)
{
	const struct work *w = user;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	/* The kernel comes first, since reading kallsyms takes longest. */
	if (is_kernel(w, x) != is_kernel(w, y))
		return is_kernel(w, x) ? -1 : 1;
	if (names_of(w, x)->n != names_of(w, y)->n)
		return names_of(w, x)->n > names_of(w, y)->n ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * Name the asked addresses from an open file. Usually the symbols around them suffice; if others
 * overlap there, all symbols are read.
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
		done = cr_names_add(n, &t, 0, 0);
		cr_symtab_fini(&t);
	}
}

/* first: a path to try before all others; NULL if none. */
static void
name_from_files(const struct work *w, struct cr_names *n, const char *first)
{
	const struct cr_dso *o = &n->p->dsos[n->dso.i];
	struct cr_debugfile d;

	n->why = "not a file";
	if (o->build_id_len == 0 && (!cr_str_starts(o->name, "/") || cr_str_starts(o->name, "//")))
		return;
	cr_debugfile_find_named(w->opts, o, o->name, first, &d);
	cr_names_report(n, d.why, d.refused);
	if (d.syms) {
		name_from_file(w, n, &d);
		n->unchecked = !d.checked;
		if (!d.checked)
			n->learned = d.build_id;
	}
	cr_names_keep(n, &d);
}

static void
name_dso(const struct work *w, struct cr_names *n)
{
	cr_names_sort(n);
	switch ((enum cr_kind)n->p->dsos[n->dso.i].kind) {
	case CR_KIND_USER:
	case CR_KIND_VDSO: name_from_files(w, n, NULL); break;
	case CR_KIND_JIT: cr_jit_name(w->opts, n); break;
	case CR_KIND_BPF: cr_names_add_dso(n); break;
	default: n->why = "not a file";
	}
}

static void
name_kernel(struct work *w)
{
	struct cr_kernel k;

	cr_kernel_open(&k, w->p, w->opts);
	for (uint32_t i = 0; i < w->items && is_kernel(w, w->order[i]); i++) {
		cr_names_sort(names_of(w, w->order[i]));
		cr_kernel_expect(&k, names_of(w, w->order[i]));
	}
	for (uint32_t i = 0; i < w->items && is_kernel(w, w->order[i]); i++)
		cr_kernel_name(&k, names_of(w, w->order[i]));
	cr_kernel_close(&k);
}

static void
name_item(struct cr_thread_pool *pool, void *user, uint32_t i)
{
	struct work *w = user;

	if (!is_kernel(w, w->order[i]))
		name_dso(w, names_of(w, w->order[i]));
	else if (i == 0)
		name_kernel(w);
	cr_thread_pool_did(pool, 1);
}

static void
open_item(struct cr_thread_pool *pool, void *user, uint32_t i)
{
	struct work *w = user;

	cr_lines_open(lines_of(w, w->lined[i]), w->opts, names_of(w, w->lined[i]));
	cr_thread_pool_did(pool, 1);
}

static bool
still_wanted(void *user)
{
	return cr_thread_pool_go_on(user);
}

static void
read_item(struct cr_thread_pool *pool, void *user, uint32_t i)
{
	struct work *w = user;
	const struct batch *b = &w->batches.p[i];
	const struct cr_unit_watch watch = {still_wanted, pool};

	for (uint32_t k = 0; k < b->n && cr_thread_pool_go_on(pool); k++)
		cr_lines_read(lines_of(w, b->dso), b->first + k, &watch);
	cr_lines_did(lines_of(w, b->dso), b->n);
	cr_thread_pool_did(pool, b->bytes);
}

/* Combine small units into batches. Returns the total size. */
static uint64_t
make_batches(struct work *w, uint32_t dsos)
{
	uint64_t sum = 0;

	w->batches.n = 0;
	for (uint32_t i = 0; i < dsos; i++) {
		const struct cr_lines *l = lines_of(w, w->lined[i]);
		struct batch b = {.dso = w->lined[i]};

		for (uint32_t u = 0; u < l->hits.units.n; u++) {
			b.bytes += l->hits.units.p[u].bytes + 1;
			b.n++;
			if (b.bytes < BATCH_BYTES && u + 1 < l->hits.units.n)
				continue;
			cr_vec_push(&w->batches, b);
			sum += b.bytes;
			b = (struct batch){.dso = b.dso, .first = u + 1};
		}
	}
	return sum;
}

/* If the work is cancelled, the units read so far are kept. */
static void
find_lines(struct work *w, const uint32_t *dsos, uint32_t n)
{
	struct cr_thread_pool open = {.progress = w->opts->progress,
		.what = "lines",
		.whole = n,
		.items = n,
		.work = open_item,
		.user = w};
	struct cr_thread_pool read = {
		.progress = w->opts->progress, .what = "lines", .work = read_item, .user = w};

	w->lined = dsos;
	if (!cr_thread_pool_run(&open))
		return;
	read.whole = make_batches(w, n);
	read.items = (uint32_t)w->batches.n;
	cr_thread_pool_run(&read);
}

/* ---- missing debug info */

/* The build-id to ask for: the recorded one, or that of the file. */
static void
id_of(const struct work *w, uint32_t dso, struct cr_build_id *out)
{
	const struct cr_dso *o = &w->p->dsos[dso];

	*out = names_of(w, dso)->learned;
	if (o->build_id_len == 0)
		return;
	out->len = CR_MIN(o->build_id_len, (uint8_t)sizeof(out->p));
	memcpy(out->p, o->build_id, out->len);
}

static bool
is_lacking(const struct work *w, uint32_t dso)
{
	const struct cr_names *n = names_of(w, dso);
	struct cr_build_id id;

	id_of(w, dso, &id);
	if (id.len == 0 || w->p->dsos[dso].kind != CR_KIND_USER)
		return false;
	return w->opts->no_inline ? n->why != NULL : !n->files.debug;
}

/* Sort by heat, hottest first. */
static int
compare_lacks(const void *a, const void *b)
{
	const struct lack *x = a, *y = b;

	if (x->heat != y->heat)
		return x->heat > y->heat ? -1 : 1;
	return x->dso < y->dso ? -1 : x->dso > y->dso;
}

/* Call it before the files are closed, which happens when their lines were read. */
static void
list_lacking(struct work *w)
{
	const struct cr_profile *p = w->p;
	uint64_t *heat;

	if (!w->opts->debuginfod)
		return;
	heat = cr_alloc(p->n_dsos, sizeof(*heat));
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (p->samples.node[i])
			heat[p->locations[p->node_location[p->samples.node[i]]].dso.i]++;
	}
	for (uint32_t i = 0; i < w->items; i++)
		if (is_lacking(w, w->order[i]))
			cr_vec_push(&w->lacking, ((struct lack){w->order[i], heat[w->order[i]]}));
	if (w->lacking.n)
		qsort(w->lacking.p, w->lacking.n, sizeof(*w->lacking.p), compare_lacks);
	free(heat);
}

/* Everything else is done before, so nothing is lost if the user cancels a slow download. */
static void
ask_servers(struct work *w)
{
	struct cr_debuginfod *d =
		w->lacking.n ? cr_debuginfod_new(w->opts->opener, w->opts->progress) : NULL;

	for (size_t i = 0; i < w->lacking.n; i++) {
		const uint32_t dso = w->lacking.p[i].dso;
		struct cr_names *n = names_of(w, dso);
		struct cr_build_id id;
		char *path;

		id_of(w, dso, &id);
		path = cr_debuginfod_find(d, &id);
		w->missed += !path;
		if (!path)
			continue;
		memset(n->function, 0xff, n->n * sizeof(*n->function)); /* CR_NO_ROW */
		n->functions.n = 0;
		name_from_files(w, n, path);
		find_lines(w, &dso, 1);
		free(path);
	}
	if (w->missed)
		w->why_missed = cr_strdup(cr_debuginfod_why(d));
	cr_debuginfod_free(d);
}

/* Add the functions of one dso to the profile. Returns their rows; the caller frees them. */
static uint32_t *
hand_over(struct cr_naming *naming, const struct cr_names *n)
{
	uint32_t *ids = cr_alloc(n->functions.n, sizeof(*ids));

	for (size_t i = 0; i < n->functions.n; i++)
		ids[i] = cr_naming_function(naming, &n->functions.p[i]).i;
	if (n->learned.len)
		cr_naming_build_id(naming, n->dso, n->learned.p, n->learned.len);
	return ids;
}

static void
report_quality(struct cr_naming *naming, const struct cr_names *n, uint32_t nameless)
{
	const struct cr_dso *o = &n->p->dsos[n->dso.i];
	struct cr_text what = {0};

	if (n->refused) {
		cr_text_puts(&what, "another build: ");
		cr_text_str(&what, o->name);
		cr_text_printf(&what, " (%s)", n->refused);
		cr_naming_quality(naming, cr_text_view(&what), n->n);
		cr_text_clear(&what);
	}
	if (nameless == 0) {
		cr_text_fini(&what);
		return;
	}
	if (n->dso.i == 0)
		cr_text_puts(&what, "addresses in no mapping");
	else
		cr_text_puts(&what, n->why ? "no symbols: " : "addresses in no symbol: ");
	if (n->dso.i != 0)
		cr_text_str(&what, o->name);
	if (n->dso.i != 0 && n->why)
		cr_text_printf(&what, " (%s)", n->why);
	cr_naming_quality(naming, cr_text_view(&what), nameless);
	cr_text_fini(&what);
}

/* Totals over all dsos. */
struct totals {
	uint32_t unchecked;     /* dsos accepted by path alone */
	uint32_t stopped;       /* dsos whose lines were not read */
	uint32_t refused;       /* dsos whose debug info was not read */
	uint32_t bare;          /* units without their .dwo file */
	uint32_t no_debug;      /* dsos with names but without debug info, ... */
	uint64_t without_lines; /* ... and their locations */
};

static void
report_all(struct cr_naming *naming, const struct totals *t)
{
	struct cr_text what = {0};

	if (t->unchecked)
		cr_naming_quality(naming, CR_STR("dsos named by path alone: no build-id to check"),
			t->unchecked);
	if (t->stopped)
		cr_naming_quality(
			naming, CR_STR("dsos whose lines were not all read: stopped"), t->stopped);
	if (t->refused)
		cr_naming_quality(
			naming, CR_STR("dsos whose debug info is refused: damaged"), t->refused);
	if (t->bare)
		cr_naming_quality(naming,
			CR_STR("units without their .dwo file: inlined functions are not known"),
			t->bare);
	if (t->without_lines) {
		cr_text_printf(&what, "addresses without source lines: no debug info of %u dso%s",
			t->no_debug, t->no_debug == 1 ? "" : "s");
		cr_naming_quality(naming, cr_text_view(&what), t->without_lines);
	}
	cr_text_fini(&what);
}

static void
report_missed(struct cr_naming *naming, const struct work *w)
{
	struct cr_text what = {0};

	if (w->missed == 0)
		return;
	cr_text_printf(&what, "dsos without debug info from debuginfod: %s", w->why_missed);
	cr_naming_quality(naming, cr_text_view(&what), w->missed);
	cr_text_fini(&what);
}

/* Add the counts of unnamed locations of a dso to the quality, and its totals to t. */
static void
count_up(const struct work *w, uint32_t dso, struct cr_naming *naming, struct totals *t)
{
	const struct cr_names *n = names_of(w, dso);
	const struct cr_lines *l = lines_of(w, dso);
	uint32_t nameless = 0;

	for (uint32_t i = 0; i < n->n; i++)
		nameless += n->function[i] == CR_NO_ROW;
	report_quality(naming, n, nameless);
	t->unchecked += n->unchecked;
	if (w->opts->no_inline)
		return;
	t->bare += l->bare;
	t->refused += l->state == CR_LINES_REFUSED;
	t->stopped += l->state == CR_LINES_STOPPED || (l->state == CR_LINES_NONE && n->files.debug);
	if (l->state == CR_LINES_NONE && !n->files.debug && nameless < n->n &&
		w->p->dsos[dso].kind == CR_KIND_USER) {
		t->no_debug++;
		t->without_lines += n->n - nameless;
	}
}

/* Frees p. */
static struct cr_profile *
finish(struct work *w)
{
	const struct cr_profile *p = w->p;
	const uint32_t n_locations = p->n_locations;
	/* By location: its index among the asked ones of its dso. */
	uint32_t *by_location = cr_alloc(n_locations, sizeof(*by_location));
	uint32_t **ids = cr_alloc(CR_MAX(w->items, 1u), sizeof(*ids)); /* like names */
	struct cr_naming *naming = cr_naming_new(w->p);
	struct totals totals = {0};

	memset(by_location, 0xff, n_locations * sizeof(*by_location)); /* CR_NO_ROW */
	for (uint32_t i = 0; i < w->items; i++) {
		const struct cr_names *n = &w->names[i];

		cr_lines_functions(&w->lines[i]);
		ids[i] = hand_over(naming, n);
		count_up(w, n->dso.i, naming, &totals);
		for (uint32_t k = 0; k < n->n; k++)
			if (n->function[k] != CR_NO_ROW)
				by_location[n->asked[k].row] = k;
	}
	for (uint32_t i = 0; i < n_locations; i++) {
		const uint32_t dso = p->locations[i].dso.i, k = by_location[i];

		if (k != CR_NO_ROW)
			cr_lines_attach(
				lines_of(w, dso), names_of(w, dso), k, ids[w->place[dso]], naming);
	}
	report_all(naming, &totals);
	report_missed(naming, w);
	for (uint32_t i = 0; i < w->items; i++)
		free(ids[i]);
	free(ids);
	free(by_location);
	return cr_naming_finish(naming);
}

/* Announce the files in the order of the work, as far as threads keep to it. */
static void
expect_files(const struct work *w)
{
	const struct cr_profile *p = w->p;
	const char **paths;
	size_t n = 0;

	if (!w->opts->opener)
		return;
	paths = cr_alloc(CR_MAX(w->items, 1u), sizeof(*paths));
	for (uint32_t i = 0; i < w->items; i++) {
		const struct cr_dso *o = &p->dsos[w->order[i]];

		if (o->kind == CR_KIND_USER && o->name.len && o->name.p[0] == '/')
			paths[n++] = o->name.p;
	}
	cr_opener_expect(w->opts->opener, paths, n);
	free(paths);
}

int
cr_symbolize(struct cr_profile *p, const struct cr_symbol_opts *opts, struct cr_profile **out,
	struct cr_err *err)
{
	static const struct cr_symbol_opts none;
	struct work w = {.p = p, .opts = opts ? opts : &none};
	struct cr_thread_pool naming = {
		.progress = w.opts->progress, .what = "naming", .work = name_item, .user = &w};
	int rc = CR_OK;

	*out = NULL;
	if (!(p->flags & CR_PROFILE_HAS_ADDR)) {
		*out = p;
		return CR_OK;
	}
	group(&w);
	qsort_r(w.order, w.items, sizeof(*w.order), compare_work, &w);
	expect_files(&w);
	naming.items = w.items;
	naming.whole = w.items;
	if (cr_thread_pool_run(&naming)) {
		list_lacking(&w);
		find_lines(&w, w.order, w.items);
		ask_servers(&w);
		*out = finish(&w);
		cr_fields_name_code(*out);
	} else {
		rc = cr_fail(err, CR_ECANCEL, CR_NO_OFFSET, "stopped while naming");
		cr_tree_ahead_drop(p);
		cr_profile_free(p);
	}
	if (w.opts->opener)
		cr_opener_expect(w.opts->opener, NULL, 0);
	for (uint32_t i = 0; i < w.items; i++) {
		cr_lines_fini(&w.lines[i]);
		cr_names_fini(&w.names[i]);
	}
	cr_vec_fini(&w.batches);
	cr_vec_fini(&w.lacking);
	free(w.why_missed);
	free(w.lines);
	free(w.names);
	free(w.place);
	free(w.maps);
	free(w.order);
	free(w.asked);
	return rc;
}
