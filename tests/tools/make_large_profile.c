/*
 * make_large_profile FILE.cresset [KEY=VALUE]...: a large stored profile such as perf record -a
 * --call-graph fp makes of a busy machine, for what measures time, memory and size. The same words
 * make the same profile.
 *
 *	samples=10000000 seconds=600 nodes=1000000 functions=120000 dsos=100
 *	cpus=64 threads=200 processes=20
 *	comms=40 events=1 weights=constant|varying seed=1
 *
 * Functions call each other in a graph of call sites, most of them with one callee; stacks are
 * walks in it that take the first site of a function more often than the second, until the tree has
 * its nodes. They come to a third of the functions. A thread keeps a cpu for some ticks of its
 * clock and goes idle or gives it to another; what it runs is a stack of its pool, the threads of
 * one comm in one process, the k-th of them about one time in k. Which threads and stacks are busy
 * changes with time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "model/build/builder.h"
#include "model/build/naming.h"
#include "model/tree/default_tree.h"
#include "store/store.h"

enum {
	SAMPLES,
	SECONDS,
	NODES,
	FUNCTIONS,
	DSOS,
	CPUS,
	THREADS,
	PROCESSES,
	COMMS,
	EVENTS,
	VARYING,
	SEED,
	N_SIZES
};

static struct {
	const char *name;
	uint64_t value, least, most;
} sizes[N_SIZES] = {
	{"samples", 10000000, 1, UINT64_C(1) << 40},
	{"seconds", 600, 1, 1000000},
	{"nodes", 1000000, 100, 1 << 28},
	{"functions", 120000, 1000, 1 << 24},
	{"objects", 100, 10, 10000},
	{"cpus", 64, 1, 1024},
	{"threads", 200, 1, 100000},
	{"processes", 20, 1, 1000},
	{"comms", 40, 1, 10000},
	{"events", 1, 1, 64},
	{"weights", 0, 0, 1},
	{"seed", 1, 0, UINT64_MAX},
};

#define SIZE(what) ((uint32_t)sizes[what].value)
#define DEPTH_MOST 60u
#define KERNEL_BASE UINT64_C(0xffffffff81000000)

/*
 * Dsos by number: the kernel, three modules, libc, libraries, and a program for each process at
 * the end.
 */
enum { KERNEL, MODULE_LAST = 3, LIBC };

struct large {
	struct cr_builder *b;
	cr_dso_id *dso;
	uint32_t *first_function; /* by dso, and one more: its functions are a run of them */
	uint32_t n_functions;
	cr_address_space_id *space; /* by process */
	uint32_t n_programs;        /* the last of the dsos */
	uint32_t *program;          /* by process: its dso */
	uint32_t n_pools;
	CR_VEC(uint32_t) * stacks; /* by pool: leaves */
	cr_task_id *task;          /* by thread */
	uint32_t nodes;
	uint64_t state; /* of random() */
};

struct run {
	uint32_t thread, ticks; /* left; CR_NO_ROW is idle */
};

/*
 * Small numbers that follow each other are to differ in all bits: cr_digest_mix() alone would do
 * for tables.
 */
static uint64_t
mixed(uint64_t a, uint64_t b)
{
	return cr_digest_mix(cr_digest_mix(a + UINT64_C(0x632be59bd9b4e019), b),
		UINT64_C(0xd6e8feb86659fd93) * (b + 1));
}

static uint64_t
random_bits(struct large *l)
{
	return mixed(l->state += UINT64_C(0x9e3779b97f4a7c15), 0x2545f491u);
}

static uint32_t
random_below(struct large *l, uint32_t n)
{
	return (uint32_t)((random_bits(l) >> 32) * n >> 32);
}

/* 0 ... n - 1, the k-th about one time in k: one of a random number of bits. */
static uint32_t
popular_below(struct large *l, uint32_t n)
{
	const uint32_t bits = 32 - (uint32_t)__builtin_clz(n);

	for (;;) {
		const uint32_t low = 1u << random_below(l, bits),
			       k = low - 1 + random_below(l, low);

		if (k < n)
			return k;
	}
}

/* ---- what there is */

static uint32_t
dso_share(const struct large *l, uint32_t dso)
{
	if (dso == KERNEL)
		return 30;
	return dso <= MODULE_LAST                  ? 2
	       : dso == LIBC                       ? 8
	       : dso >= SIZE(DSOS) - l->n_programs ? 6
						   : 2 + dso % 5;
}

static void
make_dsos(struct large *l)
{
	uint64_t shares = 0, before = 0;

	l->dso = cr_alloc(SIZE(DSOS), sizeof(*l->dso));
	l->first_function = cr_alloc(SIZE(DSOS) + 1, sizeof(*l->first_function));
	for (uint32_t i = 0; i < SIZE(DSOS); i++)
		shares += dso_share(l, i);
	for (uint32_t i = 0; i < SIZE(DSOS); i++) {
		struct cr_dso o = {.kind = CR_KIND_USER, .build_id_len = 20};
		char name[64];

		snprintf(name, sizeof(name),
			i >= SIZE(DSOS) - l->n_programs
				? "/opt/service/bin/worker-%u"
				: "/usr/lib/x86_64-linux-gnu/libpart%u.so.1",
			i);
		o.name = cr_str_of(i == KERNEL ? "[kernel.kallsyms]"
				   : i == LIBC ? "/usr/lib/x86_64-linux-gnu/libc.so.6"
					       : name);
		if (i <= MODULE_LAST)
			o.kind = i == KERNEL ? CR_KIND_KERNEL : CR_KIND_MODULE;
		if (o.kind == CR_KIND_MODULE) {
			snprintf(name, sizeof(name), "[module%u]", i);
			o.name = cr_str_of(name);
		}
		for (uint32_t k = 0; k < 20; k++)
			o.build_id[k] = (uint8_t)(mixed(i, k) >> 20);
		l->dso[i] = cr_builder_dso(l->b, &o);
		l->first_function[i] = (uint32_t)(before * SIZE(FUNCTIONS) / shares);
		before += dso_share(l, i);
	}
	l->first_function[SIZE(DSOS)] = l->n_functions = SIZE(FUNCTIONS);
}

static uint32_t
dso_of(const struct large *l, uint32_t function)
{
	uint32_t low = 0, high = SIZE(DSOS);

	while (high - low > 1) {
		const uint32_t mid = low + (high - low) / 2;

		if (l->first_function[mid] <= function)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* 1024 bytes of code for each, of which some are used. */
static uint64_t
function_start(const struct large *l, uint32_t function)
{
	const uint32_t dso = dso_of(l, function);
	const uint64_t place = UINT64_C(1024) * (function - l->first_function[dso]);

	if (dso == KERNEL)
		return KERNEL_BASE + place;
	return dso <= MODULE_LAST ? UINT64_C(0xffffffffc0000000) + ((uint64_t)dso << 24) + place
				  : 0x1000 + place;
}

static void
make_tasks(struct large *l)
{
	l->space = cr_alloc(SIZE(PROCESSES), sizeof(*l->space));
	l->program = cr_alloc(SIZE(PROCESSES), sizeof(*l->program));
	l->n_pools = CR_MAX(SIZE(PROCESSES), SIZE(COMMS));
	l->stacks = cr_alloc(l->n_pools, sizeof(*l->stacks));
	l->task = cr_alloc(SIZE(THREADS), sizeof(*l->task));
	for (uint32_t i = 0; i < SIZE(PROCESSES); i++) {
		const uint32_t program = SIZE(DSOS) - 1 - i % l->n_programs;

		l->space[i] = cr_builder_address_space(l->b);
		l->program[i] = program;
		cr_builder_map(l->b, l->space[i], 0x400000, 0x10400000, 0, l->dso[program]);
		for (uint32_t k = LIBC; k < SIZE(DSOS) - l->n_programs; k++)
			cr_builder_map(l->b, l->space[i],
				UINT64_C(0x7f0000000000) + ((uint64_t)k << 28),
				UINT64_C(0x7f0008000000) + ((uint64_t)k << 28), 0, l->dso[k]);
	}
	for (uint32_t i = 0; i < SIZE(THREADS); i++) {
		const uint32_t process = i % l->n_pools % SIZE(PROCESSES),
			       comm = i % l->n_pools % SIZE(COMMS);
		char name[16];

		snprintf(
			name, sizeof(name), comm < SIZE(PROCESSES) ? "worker-%u" : "pool-%u", comm);
		l->task[i] = cr_builder_task(l->b, (int32_t)(1000 + 100 * process),
			(int32_t)(1000 + 100 * process + i / SIZE(PROCESSES)), cr_str_of(name),
			l->space[process]);
	}
}

/* ---- stacks */

/* How many places in a function are calls. */
static uint32_t
sites_of(uint32_t function)
{
	return 1 + (uint32_t)(mixed(function, 11) % 9) % 5;
}

static cr_location_id
location_at(struct large *l, uint32_t function, uint32_t site, bool leaf)
{
	const uint64_t place = mixed(function, 100 + 2 * site + leaf) % 1000;

	return cr_builder_location(l->b, l->dso[dso_of(l, function)],
		function_start(l, function) + 4 + place, leaf ? 0 : CR_ORDINAL_RETURN);
}

static uint32_t
function_in(const struct large *l, uint32_t dso, uint64_t h)
{
	const uint32_t n = l->first_function[dso + 1] - l->first_function[dso];

	/*
	 * Every other call is to one of the low numbers: products of two numbers lie closer there.
	 */
	return l->first_function[dso] +
	       (uint32_t)(((h >> 40) * (h & 1 ? h >> 16 & 0xffffff : 0x1000000) >> 24) * n >> 24);
}

/* A program uses some of the libraries, and a library some others. */
static uint32_t
library_of(const struct large *l, uint32_t dso, uint64_t h)
{
	const uint32_t n = SIZE(DSOS) - l->n_programs - LIBC - 1;

	return LIBC + 1 + (uint32_t)((mixed(dso, 9) + h % 16) % n);
}

/*
 * Whom a site calls: itself seldom, else something of its own dso or one below it, and the
 * kernel from libc.
 */
static uint32_t
callee_of(struct large *l, uint32_t function, uint32_t site)
{
	uint64_t h = mixed(function, 1000 + site);
	const uint32_t dso = dso_of(l, function), way = (uint32_t)(h >> 8) % 100;
	uint32_t callee = dso;

	if (way < 8) /* through a pointer */
		h = mixed(h, random_below(l, 16));
	if (dso <= MODULE_LAST)
		callee = way < 4 ? way : way < 40 ? KERNEL : dso;
	else if (dso == LIBC)
		callee = way < 40 ? KERNEL : LIBC;
	else if (way < 45)
		callee = way < 15 ? LIBC : library_of(l, dso, mixed(h, 5));
	return way == 99 ? function : function_in(l, callee, mixed(h, 3));
}

struct walk {
	cr_node_id node[DEPTH_MOST + 1];
	uint32_t function[DEPTH_MOST + 1];
	uint32_t n;
};

static void
walk_push(struct large *l, struct walk *w, uint32_t function, uint32_t site, bool leaf)
{
	const cr_node_id node = cr_builder_push(
		l->b, w->n ? w->node[w->n - 1] : CR_ROOT, location_at(l, function, site, leaf));

	w->node[w->n] = node;
	w->function[w->n++] = function;
	l->nodes = CR_MAX(l->nodes, node.i + 1);
}

/* Down from the last function to a leaf; the leaf is a stack of the pool. */
static void
walk_down(struct large *l, struct walk *w, uint32_t pool, uint32_t levels)
{
	uint32_t function = w->function[w->n - 1];

	w->n--;
	for (; levels > 0 && w->n < DEPTH_MOST - 1; levels--) {
		const uint32_t site = popular_below(l, sites_of(function));

		walk_push(l, w, function, site, false);
		function = callee_of(l, function, site);
	}
	walk_push(l, w, function, random_below(l, 12), true);
	cr_vec_push(&l->stacks[pool], w->node[w->n - 1].i);
}

static void
make_stacks(struct large *l)
{
	for (uint32_t walks = 0; l->nodes < SIZE(NODES) && walks < SIZE(NODES) * 8; walks++) {
		const uint32_t pool = walks < l->n_pools ? walks : popular_below(l, l->n_pools);
		const uint32_t start = l->first_function[l->program[pool % SIZE(PROCESSES)]];
		struct walk w = {.n = 0};

		walk_push(l, &w, start, pool % 4, false);
		w.function[w.n] = start + 1 + pool / SIZE(PROCESSES) % 8;
		w.n++;
		walk_down(l, &w, pool, 3 + popular_below(l, DEPTH_MOST - 3));
		for (uint32_t more = random_below(l, 8); more > 0; more--) {
			const uint32_t up = random_below(l, 6);

			w.n = w.n > up + 2 ? w.n - up : 2;
			walk_down(l, &w, pool, random_below(l, 6));
		}
	}
}

/* ---- samples */

static struct run
next_run(struct large *l, uint64_t time_ns)
{
	const uint64_t phase = time_ns / UINT64_C(30000000000);
	struct run r = {.ticks = 1 + popular_below(l, 200), .thread = CR_NO_ROW};

	if (random_below(l, 100) < 26)
		r.thread = (uint32_t)((popular_below(l, SIZE(THREADS)) + mixed(phase, 17) % 16) %
				      SIZE(THREADS));
	return r;
}

static uint32_t
stack_of(struct large *l, uint32_t pool, uint64_t time_ns)
{
	const uint32_t n = (uint32_t)l->stacks[pool].n, popular = popular_below(l, n);
	/* What is most popular changes, for half of the samples. */
	const uint32_t shift =
		random_below(l, 2) ? 0
				   : (uint32_t)(mixed(time_ns / UINT64_C(20000000000), pool) % n);

	return l->stacks[pool].p[(popular + shift) % n];
}

/*
 * A quarter of the ticks of all cpus are samples, so that they come at times as uneven as they are
 * on a machine that is not busy. Cpus tick one after the other, each a little off its time.
 */
static void
make_samples(struct large *l)
{
	const uint64_t tick_ns = UINT64_C(1000000000) * SIZE(SECONDS) /
				 (sizes[SAMPLES].value * 100 / 26 / SIZE(CPUS) + 1);
	const uint64_t step_ns = tick_ns / SIZE(CPUS);
	struct run *run = cr_alloc(SIZE(CPUS), sizeof(*run));
	uint64_t left = sizes[SAMPLES].value;
	cr_event_id events[64];

	for (uint32_t i = 0; i < SIZE(EVENTS); i++) {
		char name[32];

		snprintf(name, sizeof(name), i ? "tracepoint:part%u" : "cycles", i);
		events[i] = cr_builder_event(
			l->b, cr_str_of(name), i ? CR_STR("samples") : CR_STR("cycles"));
	}
	cr_builder_expect(l->b, left);
	for (uint64_t tick = 0; left > 0; tick++)
		for (uint32_t cpu = 0; cpu < SIZE(CPUS) && left > 0; cpu++) {
			const uint64_t time_ns = tick * tick_ns + cpu * step_ns +
						 random_below(l, (uint32_t)CR_MAX(step_ns, 1));

			if (run[cpu].ticks == 0)
				run[cpu] = next_run(l, time_ns);
			run[cpu].ticks--;
			if (run[cpu].thread == CR_NO_ROW)
				continue;
			const uint32_t event = SIZE(EVENTS) > 1 && random_below(l, 8) == 0
						       ? 1 + random_below(l, SIZE(EVENTS) - 1)
						       : 0;

			cr_builder_sample(l->b,
				&(struct cr_sample){.time_ns = UINT64_C(123456000000000) + time_ns,
					.cpu = (uint16_t)cpu,
					.event = events[event],
					.weight = event ? 1
							: 1003009 + (SIZE(VARYING) ? random_below(l,
											     400000)
										   : 0),
					.task = l->task[run[cpu].thread],
					.node = {stack_of(
						l, run[cpu].thread % l->n_pools, time_ns)}});
			left--;
		}
	free(run);
}

/* ---- names */

static cr_function_id
named_function(struct cr_naming *n, const struct large *l, uint32_t function, bool inlined)
{
	static const char *const verbs[] = {"get", "put", "update", "lock", "release", "parse",
		"flush", "find", "insert", "remove", "handle", "compute", "read", "write", "merge",
		"split"};
	static const char *const nouns[] = {"page", "buffer", "node", "entry", "queue", "request",
		"index", "table", "key", "value", "cache", "inode", "stream", "packet", "row",
		"batch"};
	const uint64_t h = mixed(function, inlined ? 71 : 70);
	const uint32_t dso = dso_of(l, function);
	const char *verb = verbs[h % CR_LEN(verbs)], *noun = nouns[h >> 8 & 15];
	char name[96], linkage[96] = "", file[96];

	if (dso <= LIBC)
		snprintf(name, sizeof(name), "%s_%s_%u%s", verb, noun, function,
			inlined ? "_fast" : "");
	else {
		snprintf(name, sizeof(name), "part%u::%s<int>::%s_%s(unsigned long)", dso, noun,
			verb, nouns[h >> 12 & 15]);
		snprintf(linkage, sizeof(linkage), "_ZN6part%u%sI%uE%s%uEm", dso, noun, function,
			verb, (unsigned)(h >> 12 & 15));
	}
	snprintf(file, sizeof(file), "/build/part%u/src/%s_%u.%s", dso, noun, function % 20,
		dso <= LIBC ? "c" : "cc");
	return cr_naming_function(
		n, &(struct cr_function){.name = cr_str_of(name),
			   .linkage = cr_str_of(linkage),
			   .file = cr_str_of(file),
			   .line = 10 + function % 3000,
			   .dso = l->dso[dso],
			   .addr = inlined ? CR_ADDR_INLINED : function_start(l, function)});
}

/* One location in eight has inlined functions, up to three of them. */
static struct cr_profile *
make_names(struct cr_profile *p, const struct large *l)
{
	struct cr_naming *n = cr_naming_new(p);
	uint32_t *dso_number = cr_alloc(p->n_dsos, sizeof(*dso_number));

	for (uint32_t i = 0; i < SIZE(DSOS); i++)
		dso_number[l->dso[i].i] = i;
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location at = p->locations[i];
		const uint32_t first = l->first_function[dso_number[at.dso.i]];
		const uint32_t function =
			first + (uint32_t)((at.addr - function_start(l, first)) / 1024);
		const uint64_t h = mixed(function, at.addr);

		for (uint32_t k = h % 8 ? 0 : 1 + (uint32_t)(h >> 8) % 3; k > 0; k--)
			cr_naming_line(n, (cr_location_id){i},
				&(struct cr_line){
					.function = named_function(
						n, l, first + (uint32_t)(mixed(h, k) % 50), true),
					.line = (uint32_t)(h >> 20) % 900 + k});
		cr_naming_line(n, (cr_location_id){i},
			&(struct cr_line){.function = named_function(n, l, function, false),
				.line = 10 + function % 3000 + (uint32_t)(at.addr % 1024) / 16});
	}
	free(dso_number);
	return cr_naming_finish(n);
}

/* ---- */

static bool
size_given(const char *word)
{
	for (uint32_t i = 0; i < N_SIZES; i++) {
		const size_t len = strlen(sizes[i].name);
		char *end;

		if (strncmp(word, sizes[i].name, len) != 0 || word[len] != '=')
			continue;
		if (i == VARYING) {
			sizes[i].value = strcmp(word + len + 1, "varying") == 0;
			return sizes[i].value || strcmp(word + len + 1, "constant") == 0;
		}
		sizes[i].value = strtoull(word + len + 1, &end, 10);
		return *end == '\0' && end > word + len + 1 && sizes[i].value >= sizes[i].least &&
		       sizes[i].value <= sizes[i].most;
	}
	return false;
}

static void
large_fini(struct large *l)
{
	for (uint32_t i = 0; i < l->n_pools; i++)
		cr_vec_fini(&l->stacks[i]);
	free(l->stacks);
	free(l->dso);
	free(l->first_function);
	free(l->space);
	free(l->program);
	free(l->task);
	cr_builder_free(l->b);
}

int
main(int argc, char **argv)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;
	struct large l = {0};

	for (int i = 2; i < argc; i++)
		if (!size_given(argv[i])) {
			fprintf(stderr, "%s: no size, or out of its range\n", argv[i]);
			return 2;
		}
	if (argc < 2) {
		fprintf(stderr, "usage: make_large_profile FILE.cresset [KEY=VALUE]...\n");
		return 2;
	}
	l.b = cr_builder_new(NULL);
	l.state = sizes[SEED].value;
	cr_builder_flags(l.b, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK |
				      CR_PROFILE_HAS_ADDR);
	cr_builder_fact(l.b, "cmdline", CR_STR("perf record -a -g"));
	l.n_programs = CR_MIN(SIZE(PROCESSES), SIZE(DSOS) / 4);
	make_dsos(&l);
	make_tasks(&l);
	make_stacks(&l);
	make_samples(&l);
	if (cr_builder_finish(l.b, NULL, &p, &err) == 0) {
		p = make_names(p, &l);
		cr_default_tree_make(p);
		cr_store_write(argv[1], p, CR_STORE_REPLACE, &err);
	}
	if (err.text[0])
		fprintf(stderr, "%s: %s\n", argv[1], err.text);
	else
		printf("%llu samples, %u nodes, %u locations, %u functions, %u in the outline\n",
			(unsigned long long)p->samples.n, p->n_nodes, p->n_locations,
			p->n_functions, p->default_tree ? p->default_tree->n : 0);
	large_fini(&l);
	cr_profile_free(p);
	return err.text[0] != '\0';
}
