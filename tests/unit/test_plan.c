#include "testing.h"

#include "base/vec.h"
#include "model/build/naming.h"
#include "model/field.h"
#include "query/fold/fold.h"
#include "session/load.h"
#include "store/seams_p.h"

#include <unistd.h>

/*
 * Random small profiles, folded in every way there is and as simply as can be: a line of text for
 * each stack. What a plan makes of them must be the same. So must what it makes of a stored copy of
 * which only those parts are read that the fold asks for: whatever else it read would be missing
 * there.
 */
enum { NODES = 40, LOCATIONS = 15, ROWS = 120, DSOS = 4 };

static uint32_t
roll(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % n;
}

static struct cr_profile *
random_stacks(uint64_t *r)
{
	static const struct cr_dso dsos[DSOS] = {
		{.name = {"/bin/a", 6}, .kind = CR_KIND_USER},
		{.name = {"/lib/b (deleted)", 16}, .kind = CR_KIND_USER},
		{.name = {"[kernel]", 8}, .kind = CR_KIND_KERNEL},
		{.name = {"", 0}, .kind = CR_KIND_UNKNOWN},
	};
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event[] = {cr_builder_event(b, CR_STR("cycles"), CR_STR("")),
		cr_builder_event(b, CR_STR("time"), CR_STR("ns")),
		cr_builder_event(b, CR_STR("counted"), CR_STR("samples"))};
	const cr_address_space_id space = cr_builder_address_space(b);
	const uint32_t events = 1 + roll(r, 3), many = roll(r, 2);
	struct cr_err err = CR_ERR_INIT;
	cr_location_id location[LOCATIONS];
	cr_node_id node[NODES] = {CR_ROOT};
	struct cr_profile *p;

	for (uint32_t i = 0; i < LOCATIONS; i++)
		location[i] = cr_builder_location(b, cr_builder_dso(b, &dsos[roll(r, DSOS)]),
			1 + roll(r, 10), (uint16_t)(roll(r, 2) ? CR_ORDINAL_RETURN : 0));
	for (uint32_t i = 1; i < NODES; i++)
		node[i] = cr_builder_push(b, node[roll(r, i)], location[roll(r, LOCATIONS)]);
	for (uint32_t i = 0; i < ROWS; i++) {
		static const char *const comms[] = {"x", "y", ""};
		const int32_t pid = 1 + (int32_t)roll(r, 2);
		const uint32_t e = roll(r, events);

		cr_builder_sample(
			b, &(struct cr_sample){.time_ns = 1000 + roll(r, 1000),
				   .weight = many ? roll(r, 5) : 3,
				   .node = node[roll(r, NODES)],
				   .event = event[e],
				   .cpu = (uint16_t)(roll(r, 4) ? roll(r, 3) : CR_CPU_NONE),
				   .task = cr_builder_task(b, pid, pid + (int32_t)roll(r, 2),
					   cr_str_of(comms[roll(r, 3)]), space)});
		if (e == 0 && roll(r, 3))
			cr_builder_value(b,
				cr_builder_field(b, event[0], CR_STR("n"), CR_FORM_NUMBER),
				roll(r, 3));
	}
	cr_builder_flags(b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK |
				    CR_PROFILE_HAS_ADDR);
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

/*
 * Some locations get functions, of which some are inlined, some share a name, and some have lines.
 */
static struct cr_profile *
random_profile(uint64_t *r)
{
	static const char *const names[] = {"f", "g", "h"}, *const files[] = {"", "f.c", "g.c"};
	struct cr_profile *p = random_stacks(r);
	struct cr_naming *n = cr_naming_new(p);

	for (uint32_t i = 0; i < p->n_locations; i++) {
		const uint32_t lines = roll(r, 4);

		for (uint32_t k = 0; k < lines; k++) {
			const uint32_t which = roll(r, 3);
			const struct cr_function f = {
				.name = cr_str_of(
					k + 1 == lines && roll(r, 4) == 0 ? "" : names[which]),
				.file = cr_str_of(files[roll(r, 3)]),
				.line = which,
				.dso = p->locations[i].dso,
				.addr = k + 1 < lines ? CR_ADDR_INLINED : 16 * roll(r, 3),
			};

			cr_naming_line(n, (cr_location_id){i},
				&(struct cr_line){cr_naming_function(n, &f), roll(r, 3),
					cr_str_of(files[roll(r, 3)])});
		}
	}
	return cr_naming_finish(n);
}

/* ---- as simply as can be */

struct stack {
	char *text; /* a frame a line, the last one being the one that the weights are of */
	uint64_t weight, samples;
};

typedef CR_VEC(struct stack) stacks;

static void
put(struct cr_text *t, const struct cr_frame *f)
{
	cr_text_printf(t, "%.*s|%.*s|%.*s|%u|%u|%llu|%d%d\n", (int)f->name.len, f->name.p,
		(int)f->dso.len, f->dso.p, (int)f->file.len, f->file.p, f->line, f->function1,
		(unsigned long long)f->number, f->inlined, f->group);
}

static struct cr_frame
naive_dso(const struct cr_profile *p, uint32_t dso)
{
	const struct cr_dso *o = &p->dsos[dso];

	return (struct cr_frame){
		.name = o->name.len && dso ? cr_str_basename(o->name) : CR_STR("[unknown]"),
		.dso = dso ? o->name : CR_STR(""),
		.kind = o->kind};
}

static struct cr_frame
naive_nameless(const struct cr_profile *p, uint32_t dso)
{
	static const char *const shown[DSOS] = {"[a]", "[b]", "[kernel]", "[unknown]"};
	struct cr_frame f = naive_dso(p, dso);
	const uint32_t last = f.dso.len ? (uint32_t)(unsigned char)f.dso.p[f.dso.len - 1] : 0;

	f.name = cr_str_of(shown[last == 'a' ? 0 : last == ')' ? 1 : last == ']' ? 2 : 3]);
	return f;
}

static struct cr_frame
naive_frame(const struct cr_profile *p, const struct cr_fold_opts *o, const struct cr_location *l,
	const struct cr_line *line)
{
	const struct cr_function *f = &p->functions[line->function.i];
	const bool by_line =
		o->granularity == CR_GRANULARITY_LINE || o->granularity == CR_GRANULARITY_ADDRESS;
	struct cr_frame out = f->name.len ? naive_dso(p, f->dso.i) : naive_nameless(p, f->dso.i);

	if (o->granularity == CR_GRANULARITY_DSO)
		return naive_dso(p, f->dso.i);
	if (o->granularity == CR_GRANULARITY_FILE) {
		const struct cr_str file = line->file.len ? line->file : f->file;

		return file.len
			       ? (struct cr_frame){.name = file, .file = file, .kind = CR_KIND_USER}
			       : naive_nameless(p, f->dso.i);
	}
	if (f->name.len)
		out.name = f->name;
	out.inlined = f->addr == CR_ADDR_INLINED;
	out.function1 = line->function.i + 1;
	out.file = by_line ? cr_line_file(p, line) : f->file;
	out.line = by_line ? line->line : f->line;
	if (o->granularity == CR_GRANULARITY_ADDRESS || (o->apart && !f->name.len))
		out.number = l->addr;
	return out;
}

static uint64_t
kth_value(const struct cr_profile *p, uint64_t row)
{
	const struct cr_field *d =
		cr_field_find(p, (cr_event_id){p->samples.event[row]}, CR_STR("n"));
	uint64_t k = 0;

	for (uint64_t i = 0; i < row; i++)
		k += p->samples.event[i] == p->samples.event[row];
	return d ? d->value[k] : UINT64_MAX;
}

static struct cr_frame
naive_group(const struct cr_profile *p, enum cr_group group, uint64_t row, char *room)
{
	const struct cr_task *t = &p->tasks[p->samples.task[row]];
	const uint32_t node = p->samples.node[row],
		       dso = node ? p->locations[p->node_location[node]].dso.i : 0;
	const uint16_t cpu = p->samples.cpu[row], event = p->samples.event[row];
	const uint64_t value = group == CR_GROUP_FIELD ? kth_value(p, row) : 0;
	struct cr_frame f = {.kind = CR_KIND_GROUP, .group = (uint8_t)group};

	switch (group) {
	case CR_GROUP_PID: f.number = (uint32_t)t->pid; break;
	case CR_GROUP_TID: f.number = (uint32_t)t->tid; break;
	case CR_GROUP_CPU: f.number = cpu; break;
	case CR_GROUP_EVENT: f.number = event; break;
	default: break;
	}
	snprintf(room, 64,
		group == CR_GROUP_CPU ? cpu == CR_CPU_NONE ? "no cpu" : "cpu %llu"
		: value == UINT64_MAX ? "no n"
				      : "n=%llu",
		(unsigned long long)(group == CR_GROUP_CPU ? cpu : value));
	f.name = cr_str_of(room);
	if (group == CR_GROUP_COMM)
		f.name = t->comm.len ? t->comm : CR_STR("[unknown]");
	else if (group == CR_GROUP_EVENT)
		f.name = p->events[event].name;
	else if (group == CR_GROUP_DSO)
		f.name = !node                   ? CR_STR("[no stack]")
			 : p->dsos[dso].name.len ? p->dsos[dso].name
						 : CR_STR("[unknown]");
	else if (group == CR_GROUP_PID || group == CR_GROUP_TID)
		f.name = CR_STR(""); /* which of its names is looked at elsewhere */
	return f;
}

static void
naive_add(stacks *all, const struct cr_text *t, uint64_t weight, uint64_t samples)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->p[i].text, t->p) == 0) {
			all->p[i].weight += weight;
			all->p[i].samples += samples;
			return;
		}
	cr_vec_push(all, ((struct stack){cr_strdup(t->p), weight, samples}));
}

static void
naive_stack(
	const struct cr_profile *p, const struct cr_fold_opts *o, uint64_t row, struct cr_text *t)
{
	const bool once =
		o->granularity == CR_GRANULARITY_DSO || o->granularity == CR_GRANULARITY_FILE;
	uint32_t path[NODES], n = 0;
	struct cr_text last = {0};
	char room[64];

	cr_text_puts(t, "all\n");
	for (uint8_t i = 0; i < o->n_groups; i++) {
		const struct cr_frame f = naive_group(p, (enum cr_group)o->groups[i], row, room);

		put(t, &f);
	}
	for (uint32_t node = p->samples.node[row]; node; node = p->node_parent[node])
		path[n++] = node;
	while (n) {
		const struct cr_location *l = &p->locations[p->node_location[path[--n]]];

		for (uint32_t i = l->lines; i-- > 0;) {
			const struct cr_frame f =
				naive_frame(p, o, l, &p->lines[l->first_line + i]);
			struct cr_text one = {0};

			if (o->outermost && i + 1u < l->lines)
				break;
			put(&one, &f);
			if (!once || !last.len || strcmp(one.p, last.p) != 0)
				cr_text_puts(t, one.p);
			cr_text_fini(&last);
			last = one;
		}
	}
	cr_text_fini(&last);
}

static bool
naive_takes(const struct cr_profile *p, const struct cr_filter *f, uint64_t row)
{
	const struct cr_samples *s = &p->samples;
	const struct cr_task *t = &p->tasks[s->task[row]];
	const uint32_t node = s->node[row];
	const struct cr_dso *o = &p->dsos[node ? p->locations[p->node_location[node]].dso.i : 0];
	uint64_t first = UINT64_MAX, last = 0, after;

	for (uint64_t i = 0; i < s->n; i++) {
		first = CR_MIN(first, s->time_ns[i]);
		last = CR_MAX(last, s->time_ns[i]);
	}
	after = s->time_ns[row] - first;
	if (f->times.n && f->times.p[0].is_share && after < (last - first) / 4)
		return false;
	if (f->times.n && !f->times.p[0].is_share &&
		(after < f->times.p[0].from || after >= f->times.p[0].to))
		return false;
	return (f->all_events || s->event[row] == cr_event_main(p).i) &&
	       (!f->comms.n || cr_str_eq(t->comm, cr_str_of(f->comms.p[0]))) &&
	       (!f->pids.n || (uint32_t)t->pid == f->pids.p[0].from) &&
	       (!f->cpus.n || s->cpu[row] <= f->cpus.p[0].to) &&
	       (!f->dsos.n || cr_str_eq(cr_str_basename(o->name), cr_str_of(f->dsos.p[0]))) &&
	       (!f->modes || (f->modes == CR_MODE_KERNEL) == (o->kind == CR_KIND_KERNEL)) &&
	       (!f->wheres.n || kth_value(p, row) == 1);
}

/* Weights and counts of all that any stack begins with. */
static void
naive_fold(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	stacks *all)
{
	bool one_unit = true;

	for (uint32_t i = 1; i < p->n_events; i++)
		one_unit &=
			!p->events[i].samples || cr_str_eq(p->events[i].unit, p->events[0].unit);
	for (uint64_t row = 0; row < p->samples.n; row++) {
		const uint64_t weight = p->samples.weight[row];
		const uint64_t samples =
			cr_event_counts_samples(&p->events[p->samples.event[row]]) ? weight : 1;
		struct cr_text t = {0};

		if (!naive_takes(p, f, row) || (!weight && !samples))
			continue;
		naive_stack(p, o, row, &t);
		while (t.len) {
			naive_add(all, &t, f->all_events && !one_unit ? samples : weight, samples);
			do
				t.len--;
			while (t.len && t.p[t.len - 1] != '\n');
			t.p[t.len] = '\0';
		}
		cr_text_fini(&t);
	}
}

/* ---- what the plan has made, in the same words */

static void
tree_stacks(const struct cr_tree *t, stacks *all)
{
	for (uint32_t n = 0; n < t->n; n++) {
		struct cr_text text = {0};
		uint32_t *path = cr_alloc((size_t)t->depth[n] + 1, sizeof(*path));

		for (uint32_t at = n; at; at = t->parent[at])
			path[t->depth[at] - 1] = at;
		cr_text_puts(&text, "all\n");
		for (uint32_t i = 0; i < t->depth[n]; i++) {
			struct cr_frame f = t->frames[t->frame[path[i]]];

			if (f.group == CR_GROUP_PID || f.group == CR_GROUP_TID)
				f.name = CR_STR("");
			put(&text, &f);
		}
		cr_vec_push(all, ((struct stack){text.p, t->total[0][n], t->total_samples[0][n]}));
		free(path);
	}
}

static int
by_text(const void *x, const void *y)
{
	return strcmp(((const struct stack *)x)->text, ((const struct stack *)y)->text);
}

static void
assert_same(stacks *have, stacks *want)
{
	qsort(have->p, have->n, sizeof(*have->p), by_text);
	if (want->n)
		qsort(want->p, want->n, sizeof(*want->p), by_text);
	else
		have->n = 0; /* the root stays when nothing does */
	for (size_t i = 0; i < CR_MIN(have->n, want->n); i++) {
		assert_string_equal(have->p[i].text, want->p[i].text);
		assert_int_equal(have->p[i].weight, want->p[i].weight);
		assert_int_equal(have->p[i].samples, want->p[i].samples);
	}
	assert_int_equal(have->n, want->n);
}

static void
stacks_fini(stacks *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(all->p[i].text);
	cr_vec_fini(all);
}

static void
assert_in_order(const struct cr_tree *t)
{
	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t next = t->end[n];

		assert_int_equal(t->depth[n], t->depth[t->parent[n]] + 1);
		assert_true(t->parent[n] < n && t->end[n] > n && t->end[n] <= t->end[t->parent[n]]);
		assert_true(t->depth[n] <= t->max_depth);
		if (next >= t->n || t->parent[next] != t->parent[n])
			continue;
		assert_true(t->extent[n] >= t->extent[next]);
		if (t->extent[n] == t->extent[next])
			assert_true(cr_frame_cmp(&t->frames[t->frame[n]],
					    &t->frames[t->frame[next]]) <= 0);
	}
}

static void
assert_same_tree(const struct cr_tree *t, stacks *want)
{
	stacks have = {0};
	size_t n;

	assert_in_order(t);
	tree_stacks(t, &have);
	n = have.n;
	assert_same(&have, want);
	stacks_fini(&have, n);
}

/* The bytes of a store with a zone for every 50 samples. */
struct image {
	unsigned char *p;
	size_t len;
};

static struct image
image_of(const struct cr_profile *p)
{
	static const struct cr_store_shape shape = {50, 0};
	char path[] = "/tmp/test_plan.XXXXXX";
	struct cr_err err = CR_ERR_INIT;
	struct image im = {NULL, 0};
	FILE *f;
	long len;

	close(mkstemp(path));
	assert_int_equal(cr_store_write_shaped(path, p, &shape, &err), CR_OK);
	f = fopen(path, "rb");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	len = ftell(f);
	rewind(f);
	im = (struct image){cr_alloc((size_t)len, 1), (size_t)len};
	assert_int_equal(fread(im.p, 1, im.len, f), im.len);
	fclose(f);
	unlink(path);
	return im;
}

/* by_zone: of the columns only the zones that the fold asks for. */
static void
assert_folds_stored(const struct image *im, const struct cr_filter *f, const struct cr_fold_opts *o,
	bool by_zone, stacks *want)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *q;
	struct cr_tree *t;
	uint8_t zones[ROWS];
	unsigned needs;

	assert_int_equal(
		cr_store_read(im->p, im->len, CR_STORE_DEFAULT_TREE, false, &q, &log, &err), CR_OK);
	assert_in_range(q->samples.n_zones, 1, ROWS);
	needs = cr_fold_needs(q, f, o);
	assert_int_equal(
		cr_store_fetch(q, cr_load_parts(needs & cr_fold_needs_whole(f, o)), &log, &err),
		CR_OK);
	assert_int_equal(cr_fold_zones(q, f, o, zones, &err), CR_OK);
	assert_int_equal(
		cr_store_fetch_zones(q, cr_load_parts(needs), by_zone ? zones : NULL, &log, &err),
		CR_OK);
	assert_int_equal(cr_fold(q, f, o, &t, &err), CR_OK);
	assert_same_tree(t, want);
	cr_tree_free(t);
	cr_profile_free(q);
}

/* stored: the same profile; NULL where only p itself is folded. */
static void
assert_folds(struct cr_plan *plan, const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_fold_opts *o, const struct image *stored)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_filter naive = *f;
	stacks want = {0};
	struct cr_tree *t;

	for (uint8_t i = 0; i < o->n_groups; i++)
		naive.all_events |= o->groups[i] == CR_GROUP_EVENT;
	naive_fold(p, &naive, o, &want);
	assert_int_equal(cr_plan_fold(plan, f, &t, &err), CR_OK);
	assert_same_tree(t, &want);
	if (stored) {
		assert_folds_stored(stored, f, o, false, &want);
		assert_folds_stored(stored, f, o, true, &want);
	}
	stacks_fini(&want, want.n);
	cr_tree_free(t);
}

#define ONE(T, ...)                   \
	{                             \
		(T[]){__VA_ARGS__}, 1 \
	}

static void
test_a_plan_folds_as_a_list_of_stacks_does(void **state)
{
	static const struct {
		uint8_t n, groups[3];
	} groups[] = {
		{0, {0}},
		{1, {CR_GROUP_COMM}},
		{1, {CR_GROUP_CPU}},
		{1, {CR_GROUP_DSO}},
		{1, {CR_GROUP_EVENT}},
		{1, {CR_GROUP_FIELD}},
		{2, {CR_GROUP_PID, CR_GROUP_TID}},
		{2, {CR_GROUP_DSO, CR_GROUP_COMM}},
		{3, {CR_GROUP_CPU, CR_GROUP_DSO, CR_GROUP_TID}},
		{2, {CR_GROUP_EVENT, CR_GROUP_PID}},
		{3, {CR_GROUP_FIELD, CR_GROUP_CPU, CR_GROUP_COMM}},
	};
	const struct cr_filter filters[] = {
		{0},
		{.comms = ONE(const char *, "x")},
		{.pids = ONE(struct cr_range, {2, 2}), .cpus = ONE(struct cr_range, {0, 1})},
		{.times = ONE(struct cr_time, {100, 500, false})},
		{.modes = CR_MODE_KERNEL},
		{.dsos = ONE(const char *, "a"), .comms = ONE(const char *, "y")},
		{.comms = ONE(const char *, "none")},
		{.all_events = true, .cpus = ONE(struct cr_range, {0, 0})},
		{.times = ONE(struct cr_time, {250000, 1000000, true})},
	};
	uint64_t r = 1;

	(void)state;
	for (uint32_t round = 0; round < 30; round++) {
		struct cr_profile *p = random_profile(&r);
		const bool has_field = cr_event_main(p).i == 0 && p->n_fields;
		const struct image im = image_of(p);

		for (uint32_t i = 0; i < 5 * CR_LEN(groups); i++) {
			const uint32_t g = i / 5;
			struct cr_fold_opts o = {.granularity = (enum cr_granularity)(i % 5),
				.apart = roll(&r, 2),
				.outermost = roll(&r, 2),
				.n_groups = groups[g].n,
				.fields = {"n"}};
			const bool by_field = groups[g].groups[0] == CR_GROUP_FIELD;
			struct cr_plan *plan;

			memcpy(o.groups, groups[g].groups, sizeof(groups[g].groups));
			if (by_field && !has_field)
				continue;
			plan = cr_plan_new(p, &o);
			for (size_t f = 0; f < CR_LEN(filters); f++)
				if (!by_field || !filters[f].all_events)
					assert_folds(
						plan, p, &filters[f], &o, round < 6 ? &im : NULL);
			cr_plan_free(plan);
		}
		free(im.p);
		cr_profile_free(p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_plan_folds_as_a_list_of_stacks_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
