#include "testing.h"

#include <time.h>

#include "model/field.h"

/*
 * Stacks in letters, outermost first, a letter a location and large ones the kernel's. Before them
 * a sign for how the stack ends: '^' it is whole, '?' truncated, with what is missing in brackets,
 * '-' nobody knows. Before that letters for process and thread, '_' for -1: "pt?(ml)abcd".
 */
static bool
is_user(char c)
{
	return c >= 'a';
}

/* Bytes on the stack that a frame takes. */
static uint64_t
bytes_of(char c)
{
	return 16 * (uint64_t)(c - 'a' + 1);
}

static cr_node_id
push(struct cr_builder *b, char end, const char *stack)
{
	const cr_dso_id user =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("x"), .kind = CR_KIND_USER});
	const cr_dso_id kernel =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("k"), .kind = CR_KIND_KERNEL});
	cr_node_id node = CR_ROOT;

	if (end == '?')
		node = cr_builder_push(b, node, cr_builder_truncated(b));
	for (; *stack; stack++)
		node = cr_builder_push(b, node,
			cr_builder_location(
				b, is_user(*stack) ? user : kernel, (unsigned char)*stack, 0));
	return node;
}

static void
report_end(struct cr_builder *b, char end, const char *stack, uint64_t base)
{
	uint64_t sp[64];
	size_t n = 0, at = CR_LEN(sp);

	for (; is_user(stack[n]); n++) {
		sp[--at] = base;
		base -= bytes_of(stack[n]);
	}
	if (end == '^')
		cr_builder_whole(b, sp + at, n);
	else if (end == '?')
		cr_builder_cut(b, sp[CR_LEN(sp) - 1]);
}

/* Where the stack of a thread begins. */
static uint64_t
base_of(int32_t tid)
{
	return 0x7fff0000 + (uint64_t)tid * 0x100000;
}

static void
sample(struct cr_builder *b, cr_event_id event, const char *s)
{
	const int32_t pid = s[0] == '_' ? -1 : s[0], tid = s[1] == '_' ? -1 : s[1];
	const char end = s[2];
	uint64_t base = base_of(tid);

	s += 3;
	if (*s == '(')
		while (*++s != ')')
			base -= bytes_of(*s);
	s += *s == ')';
	cr_builder_sample(b,
		&(struct cr_sample){
			.weight = 1,
			.node = push(b, end, s),
			.event = event,
			.cpu = CR_CPU_NONE,
			.task = cr_builder_task(b, pid, tid, CR_STR("x"), (cr_address_space_id){0}),
		});
	report_end(b, end, s, base);
}

static struct cr_builder *
started(const struct cr_limits *lim, cr_event_id *event)
{
	struct cr_builder *b = cr_builder_new(lim);

	cr_builder_address_space(b);
	*event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	return b;
}

static struct cr_profile *
finished(struct cr_builder *b)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

/* Samples, with blanks between. */
static struct cr_profile *
stitched(const char *samples, const struct cr_limits *lim)
{
	cr_event_id event;
	struct cr_builder *b = started(lim, &event);
	char *text = cr_strdup(samples), *rest = text, *s;

	while ((s = strsep(&rest, " ")))
		sample(b, event, s);
	cr_builder_stitch(b);
	free(text);
	return finished(b);
}

/* A sample's stack in letters, with '?' where it is truncated. */
static void
stack_of(const struct cr_profile *p, uint64_t row, char *out, size_t room)
{
	uint32_t node = p->samples.node[row];
	size_t at = room;

	out[--at] = '\0';
	for (; node; node = p->node_parent[node]) {
		const struct cr_location *l = &p->locations[p->node_location[node]];

		assert_true(at > 0);
		out[--at] = p->dsos[l->dso.i].kind == CR_KIND_GROUP ? '?' : (char)l->addr;
	}
	memmove(out, out + at, room - at);
}

static void
assert_stack(const struct cr_profile *p, uint64_t row, const char *want)
{
	char have[64];

	stack_of(p, row, have, sizeof(have));
	assert_string_equal(have, want);
}

static uint64_t
quality(const struct cr_profile *p, const char *what)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (cr_str_eq(p->quality[i].what, cr_str_of(what)))
			return p->quality[i].count;
	return 0;
}

#define CUT "user stacks truncated"
#define DONE "user stacks stitched, their callers taken from whole ones"

static uint64_t
given(const struct cr_profile *p, uint64_t row)
{
	assert_int_equal(p->n_fields, 1);
	assert_str(p->fields[0].name, "stitched");
	return p->fields[0].value[row];
}

/* What becomes of the last of the samples. */
static void
test_a_stack_is_completed_when_there_is_one_way_to(void **state)
{
	static const struct {
		const char *samples, *want;
		uint64_t given;
	} cases[] = {
		{"pt^mlabcdz pt?(ml)abcdxy", "mlabcdxy", 2},
		{"pt^mlabcdz pt?(ml)abcdx", "mlabcdx", 2},
		{"pt?(ml)abcdxy pt^mlabcdz pt?(ml)abcdxy", "mlabcdxy", 2},
		/* the kernel below, on either side */
		{"pt^mlabcdzK pt?(ml)abcdxK", "mlabcdxK", 2},
		{"pt^mlabcdzK pt?(ml)abcdxKL", "mlabcdxKL", 2},
		/* several that agree on what is above */
		{"pt^mlabcdz pt^mlabcdw pt^mlabcdzy pt?(ml)abcdx", "mlabcdx", 2},
		/* several that do not, elsewhere in memory or of other frames */
		{"pt^mlabcdz pt^mabcdz pt?(ml)abcdx", "mlabcdx", 2},
		{"pt^mlabcdz pt^lmabcz pt?(ml)abcdx", "mlabcdx", 2},
		{"pt^mlabcdz pt^lmbacdz pt?(ml)abcdx", "mlabcdx", 2},
		/* the thread's outermost frame is the last that is known: nothing is missing */
		{"pt^abcdz pt?()abcdx", "abcdx", 0},
		/* as deep as it is, where calls go round */
		{"pt^maaaaaaaaaaaaz pt?(maa)aaaaaaaaax", "maaaaaaaaaaax", 3},
		{"pt^mabcdabcdz pt?(m)abcdx", "mabcdx", 1},
		{"pt^mabcdabcdz pt?(mabcd)abcdx", "mabcdabcdx", 5},
		/* each from its own thread, though all have the same frames */
		{"pu^mkabcdz pt^mlabcdz pu?(mk)abcdx pt?(ml)abcdx", "mlabcdx", 2},
		{"pt^mlabcdz pu^mkabcdz pt?(ml)abcdx pu?(mk)abcdx", "mkabcdx", 2},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = stitched(cases[i].samples, NULL);

		assert_stack(p, p->samples.n - 1, cases[i].want);
		assert_int_equal(given(p, p->samples.n - 1), cases[i].given);
		assert_int_equal(quality(p, CUT), 0);
		assert_int_equal(quality(p, DONE), p->fields[0].have);
		cr_profile_free(p);
	}
}

static void
test_a_stack_stays_truncated_when_there_is_doubt(void **state)
{
	static const char *const cases[] = {
		"pt?(ml)abcdxy",
		"pt-mlabcdz pt?(ml)abcdxy", /* where that one begins nobody knows */
		"pt?(k)mlabcdz pt?(kml)abcdxy", "pt^mlabcz pt?(ml)abcdx", /* three agree */
		"pt^mlabcdz pt?(ml)abcd", /* three callers, and a leaf */
		"pt^mlabcdz pt?(ml)abcdK", "pt^mlabcdz pt?(ml)a",
		"pt^mlabcdz pt^lmabcdz pt?(ml)abcdx", /* two ways */
		"pt^mlabcdz pt^lmabcdz pt^mlabcdy pt?(ml)abcdx",
		"pt^mlabcdz pt?(mk)abcdx", /* another place */
		"pt^mlabcdz pt?()abcdx", "pt^maaaaaaaaaaaaz pt?(maaaaaaaaa)aaaaaaaaax",
		"pt^mlabcdz pu?(ml)abcdx", /* another thread, process */
		"pt^mlabcdz qt?(ml)abcdx", "__^mlabcdz __?(ml)abcdx", "p_^mlabcdz p_?(ml)abcdx",
		"pt^mlKabcdz pt?(ml)abcdx", /* no stack pointers beyond a kernel's frame */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = stitched(cases[i], NULL);
		char want[64] = "?";

		strcat(want, strrchr(cases[i], ')') + 1);
		assert_stack(p, p->samples.n - 1, want);
		assert_true(quality(p, CUT) >= 1);
		assert_int_equal(quality(p, DONE), 0);
		assert_int_equal(p->n_fields, 0);
		cr_profile_free(p);
	}
}

static void
test_truncated_stacks_are_counted_without_stitching_too(void **state)
{
	cr_event_id event;
	struct cr_builder *b = started(NULL, &event);
	struct cr_profile *p;

	(void)state;
	sample(b, event, "pt^mlabcdz");
	sample(b, event, "pt?(ml)abcdx");
	sample(b, event, "pt?(ml)abcd");
	sample(b, event, "pt-abcd");
	p = finished(b);
	assert_stack(p, 1, "?abcdx");
	assert_int_equal(p->n_quality, 1);
	assert_int_equal(quality(p, CUT), 2);
	assert_int_equal(cr_quality_class(&p->quality[0]), CR_QUALITY_STACKS);
	cr_profile_free(p);
}

/* The tree has what samples are at, and what is above that. */
static void
test_nothing_is_left_of_what_moved(void **state)
{
	static const struct {
		const char *samples;
		uint32_t nodes;
		uint64_t cut, done;
	} cases[] = {
		{"pt^mlabcdz pt?(ml)abcdx pt?(ml)abcdx", 9, 0, 2},
		{"pt^mlabcdz pt?(ml)abcdx pt?(ml)abcd", 9 + 5, 1, 1},
		{"pt^mlabcdz pt?(ml)abcdx pu?(ml)abcdx", 9 + 6, 1, 1},
		{"pt^mlabcdx pt?(ml)abcdx __?()abc", 8 + 4, 1, 1},
		{"pt^mlabcdz pt?(ml)a", 8 + 2, 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = stitched(cases[i].samples, NULL);

		assert_int_equal(p->n_nodes, cases[i].nodes);
		assert_int_equal(p->node_end[0], p->n_nodes);
		for (uint32_t n = 1; n < p->n_nodes; n++)
			assert_true(p->node_parent[n] < n &&
				    p->node_end[n] <= p->node_end[p->node_parent[n]]);
		assert_int_equal(quality(p, CUT), cases[i].cut);
		assert_int_equal(quality(p, DONE), cases[i].done);
		cr_profile_free(p);
	}
}

static void
test_a_thread_is_one_under_all_its_names(void **state)
{
	cr_event_id event;
	struct cr_builder *b = started(NULL, &event);
	struct cr_profile *p;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char end = i ? '?' : '^', *stack = i ? "abcdx" : "mlabcdz";

		cr_builder_sample(b, &(struct cr_sample){
					     .weight = 1,
					     .node = push(b, end, stack),
					     .cpu = CR_CPU_NONE,
					     .task = cr_builder_task(b, 7, 8,
						     i ? CR_STR("before") : CR_STR("after"),
						     (cr_address_space_id){0}),
				     });
		report_end(b, end, stack, i ? 0x8000 - bytes_of('m') - bytes_of('l') : 0x8000);
	}
	cr_builder_stitch(b);
	p = finished(b);
	assert_stack(p, 1, "mlabcdx");
	cr_profile_free(p);
}

static void
test_each_event_tells_of_its_own_samples(void **state)
{
	static const uint64_t none = UINT64_MAX, first[] = {none, none, 2}, second[] = {2, none};
	cr_event_id a, c;
	struct cr_builder *b = started(NULL, &a);
	struct cr_profile *p;

	(void)state;
	c = cr_builder_event(b, CR_STR("faults"), CR_STR(""));
	sample(b, a, "pt^mlabcdz");
	sample(b, c, "pt?(ml)abcdx");
	sample(b, a, "pt?(ml)abc");
	sample(b, c, "pt-abc");
	sample(b, a, "pt?(ml)abcdy");
	cr_builder_stitch(b);
	p = finished(b);
	assert_int_equal(p->n_fields, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_str(p->fields[i].name, "stitched");
		assert_int_equal(p->fields[i].event.i, i);
		assert_int_equal(p->fields[i].have, 1);
	}
	assert_memory_equal(p->fields[0].value, first, sizeof(first));
	assert_memory_equal(p->fields[1].value, second, sizeof(second));
	assert_int_equal(quality(p, DONE), 2);
	cr_profile_free(p);
}

static void
test_a_stack_that_would_pass_the_limits_stays(void **state)
{
	static const struct {
		struct cr_limits lim;
		const char *want;
	} cases[] = {
		{{.depth = 8}, "mlabcdxy"},
		{{.depth = 7}, "?abcdxy"},
		{{.nodes = 8 + 7 + 2}, "mlabcdxy"},
		{{.nodes = 8 + 7 + 1}, "?abcdxy"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = stitched("pt^mlabcdz pt?(ml)abcdxy", &cases[i].lim);

		assert_stack(p, 1, cases[i].want);
		assert_int_equal(p->n_quality, 1); /* and no frames that were dropped */
		cr_profile_free(p);
	}
}

/* ---- random programs: a function calls what comes later, and there are several ways to most */

#define FUNCTIONS 300u
#define CALLS 6u
#define DEEPEST 60u
#define KEPT_BYTES 2500u

struct way {
	uint64_t site[DEEPEST]; /* of the calls, outermost first: each is a location */
	uint64_t sp[DEEPEST];   /* of their frames, leaf first */
	uint32_t n;
};

static uint64_t
program_hash(uint64_t program, uint64_t what)
{
	uint64_t state = program << 32 | what;

	return testing_random(&state);
}

static void
random_way(uint64_t program, uint64_t *random, struct way *w)
{
	uint64_t sp[DEEPEST], at = 0, base = 0x7ffc1000; /* outermost first */

	for (w->n = 0; w->n < DEEPEST && at < FUNCTIONS; w->n++) {
		const uint64_t r = testing_random(random) % 64,
			       call = r < 48 ? 0 : r % CALLS; /* some are hot */
		const uint64_t site = at * CALLS + call;

		w->site[w->n] = site;
		sp[w->n] = base;
		base -= 48 + 16 * (program_hash(program, at) % 25); /* the frame of a function */
		at += 1 + program_hash(program, FUNCTIONS + site) % 40;
		if (testing_random(random) % 40 == 0)
			at = FUNCTIONS;
	}
	for (uint32_t i = 0; i < w->n; i++)
		w->sp[i] = sp[w->n - 1 - i];
}

static cr_node_id
push_sites(struct cr_builder *b, cr_node_id node, const uint64_t *site, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		node = cr_builder_push(b, node, cr_builder_location(b, CR_DSO_UNKNOWN, site[i], 0));
	return node;
}

/* What was kept of the stack, from the leaf on, decides what is known. */
static void
sample_kept(struct cr_builder *b, int32_t tid, const struct way *w, uint64_t kept_bytes)
{
	const cr_task_id task = cr_builder_task(b, 1, tid, CR_STR("x"), (cr_address_space_id){0});
	uint32_t known = 1;

	while (known < w->n && w->sp[known] - w->sp[0] < kept_bytes)
		known++;
	if (known == w->n) {
		cr_builder_sample(b, &(struct cr_sample){.weight = 1,
					     .node = push_sites(b, CR_ROOT, w->site, w->n),
					     .task = task});
		cr_builder_whole(b, w->sp, w->n);
		return;
	}
	cr_builder_sample(b,
		&(struct cr_sample){.weight = 1,
			.task = task,
			.node = push_sites(b, cr_builder_push(b, CR_ROOT, cr_builder_truncated(b)),
				w->site + w->n - known, known)});
	cr_builder_cut(b, w->sp[known - 1]);
}

static bool
stack_is(const struct cr_profile *p, uint64_t row, const struct way *w)
{
	uint32_t node = p->samples.node[row], n = w->n;

	for (; node && n; node = p->node_parent[node])
		if (p->locations[p->node_location[node]].addr != w->site[--n])
			return false;
	return !node && !n;
}

/*
 * The whole stacks show one way to somewhere, the truncated one came by another, which nobody saw
 * whole, and which takes as many bytes: that can happen, more often here than in programs that
 * people wrote.
 */
static void
test_most_of_what_is_completed_is_what_it_was(void **state)
{
	static struct way ways[4000];
	uint64_t random = 1, wrong = 0, done = 0, cut = 0;

	(void)state;
	for (unsigned run = 0; run < 5; run++) {
		cr_event_id event;
		struct cr_builder *b = started(NULL, &event);
		struct cr_profile *p;

		for (size_t i = 0; i < CR_LEN(ways); i++) {
			random_way(run, &random, &ways[i]);
			sample_kept(b, 1, &ways[i], KEPT_BYTES);
		}
		cr_builder_stitch(b);
		p = finished(b);
		for (uint64_t i = 0; i < CR_LEN(ways); i++)
			wrong += given(p, i) != cr_form_none(CR_FORM_NUMBER) &&
				 !stack_is(p, i, &ways[i]);
		done += quality(p, DONE);
		cut += quality(p, CUT) + quality(p, DONE);
		cr_profile_free(p);
	}
	assert_true(done > cut / 4);
	assert_true(wrong < done / 20);
}

/* ---- many, and long */

/* Calls that go round, n deep, or the n innermost of them. */
static cr_node_id
push_round(struct cr_builder *b, cr_node_id node, uint32_t n, uint64_t leaf)
{
	static cr_node_id nodes[8192];
	static cr_location_id path[8192];

	for (uint32_t i = 0; i < n; i++)
		path[i] = cr_builder_location(b, CR_DSO_UNKNOWN, i + 1 < n ? 7 : leaf, 0);
	cr_builder_push_path(b, node, path, n, nodes);
	return nodes[n - 1];
}

static void
sample_round(struct cr_builder *b, cr_task_id task, uint32_t depth, uint32_t kept, uint64_t leaf)
{
	static uint64_t sp[8192];
	const uint32_t n = CR_MIN(depth, kept);

	for (uint32_t i = 0; i < n; i++)
		sp[i] = 0x7fff0000 - 64 * (uint64_t)(depth - 1 - i);
	cr_builder_sample(
		b, &(struct cr_sample){.weight = 1,
			   .task = task,
			   .node = push_round(b,
				   n < depth ? cr_builder_push(b, CR_ROOT, cr_builder_truncated(b))
					     : CR_ROOT,
				   n, leaf)});
	if (n < depth)
		cr_builder_cut(b, sp[n - 1]);
	else
		cr_builder_whole(b, sp, n);
}

/*
 * Each stack is like all the others, and each is elsewhere. Whole ones show all depths to 2000; a
 * truncated one's known frames end where they begin to be too deep for that, or below.
 */
static void
test_depths_without_end_are_told_apart_soon(void **state)
{
	cr_event_id event;
	struct cr_builder *b = started(NULL, &event);
	const clock_t start = clock();
	struct cr_profile *p;

	(void)state;
	for (uint32_t t = 0; t < 10; t++) {
		const cr_task_id task =
			cr_builder_task(b, 1, (int32_t)t, CR_STR("x"), (cr_address_space_id){0});

		for (uint32_t i = 1; i <= 2000; i++)
			sample_round(b, task, i, 8192, i);
		for (uint32_t i = 1; i <= 3000; i++)
			sample_round(b, task, i, 500, 5000 + i);
	}
	cr_builder_stitch(b);
	p = finished(b);
	testing_cpu_within(start, 20);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint64_t depth = i % 5000 < 2000 ? 0 : i % 5000 - 2000 + 1;
		/* the outermost known and three below it are callers in the deepest whole one */
		const bool completed = depth > 500 && depth - 500 + 4 <= 2000 - 1;

		assert_int_equal(
			given(p, i), completed ? depth - 500 : cr_form_none(CR_FORM_NUMBER));
	}
	cr_profile_free(p);
}

#define THREADS 1000u

/* Leaves are the threads' own, so no two have the same stack. */
static void
test_many_threads_cost_what_they_have(void **state)
{
	static struct way ways[1000];
	const clock_t start = clock();
	uint64_t random = 1;
	cr_event_id event;
	struct cr_builder *b = started(NULL, &event);
	struct cr_profile *p;

	(void)state;
	for (size_t i = 0; i < CR_LEN(ways); i++)
		random_way(0, &random, &ways[i]);
	for (uint32_t i = 0; i < CR_LEN(ways) * THREADS; i++) {
		struct way *w = &ways[i / THREADS];

		w->site[w->n - 1] = 100000 + i % THREADS;
		sample_kept(b, (int32_t)(i % THREADS), w, KEPT_BYTES);
	}
	cr_builder_stitch(b);
	p = finished(b);
	testing_cpu_within(start, 20);
	assert_int_equal(
		quality(p, DONE) % THREADS, 0); /* as in the one thread, so in the others */
	assert_true(quality(p, DONE) > 100 * THREADS);
	cr_profile_free(p);
}

/* So many samples that their columns lie in a file. */
static void
test_a_long_recording_is_stitched_where_it_lies(void **state)
{
	const uint64_t n = 9000000;
	cr_event_id event;
	struct cr_builder *b = started(NULL, &event);
	const cr_task_id task = cr_builder_task(b, 'p', 't', CR_STR("x"), (cr_address_space_id){0});
	cr_node_id cut;
	struct cr_profile *p;

	(void)state;
	sample(b, event, "pt^mlabcdz");
	cut = push(b, '?', "abcdx");
	for (uint64_t i = 1; i < n; i++) {
		cr_builder_sample(b, &(struct cr_sample){.weight = 1, .task = task, .node = cut});
		if (i % 3)
			cr_builder_cut(b, base_of('t') - bytes_of('m') - bytes_of('l'));
	}
	cr_builder_stitch(b);
	p = finished(b);
	assert_int_equal(quality(p, DONE) + quality(p, CUT), n - 1);
	assert_int_equal(quality(p, CUT), (n - 1) / 3);
	for (uint64_t i = 1; i < n; i += 100000) {
		assert_stack(p, i, i % 3 ? "mlabcdx" : "?abcdx");
		assert_int_equal(given(p, i), i % 3 ? 2 : cr_form_none(CR_FORM_NUMBER));
	}
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_stack_is_completed_when_there_is_one_way_to),
		cmocka_unit_test(test_a_stack_stays_truncated_when_there_is_doubt),
		cmocka_unit_test(test_truncated_stacks_are_counted_without_stitching_too),
		cmocka_unit_test(test_nothing_is_left_of_what_moved),
		cmocka_unit_test(test_a_thread_is_one_under_all_its_names),
		cmocka_unit_test(test_each_event_tells_of_its_own_samples),
		cmocka_unit_test(test_a_stack_that_would_pass_the_limits_stays),
		cmocka_unit_test(test_most_of_what_is_completed_is_what_it_was),
		cmocka_unit_test(test_depths_without_end_are_told_apart_soon),
		cmocka_unit_test(test_many_threads_cost_what_they_have),
		cmocka_unit_test(test_a_long_recording_is_stitched_where_it_lies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
