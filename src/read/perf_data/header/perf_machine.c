#include "perf_machine_p.h"

#include "base/vec.h"
#include "perf_fact_p.h"

#include <inttypes.h>

/* Maximum table sizes: far above any machine, and small in memory. */
#define MAX_CPUS ((uint32_t)1 << 20)
#define MAX_CACHES ((uint32_t)1 << 16)
#define MAX_DOMAINS ((size_t)1 << 20)

/* ---- processors */

struct cpu_ids {
	uint32_t core, die, socket;
};

/* u32 n, n strings: lists of processors that share something. */
static void
siblings_read(const char *key, struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t n = cr_cursor_count(c, 4);
	struct cr_text t = {0};

	for (uint32_t i = 0; i < n && cr_perf_fact_room(&t); i++) {
		const struct cr_str list = cr_perf_feature_string(c);

		if (c->bad)
			break;
		cr_perf_fact_pack(&t, list);
	}
	cr_perf_fact_pack_end(&t);
	cr_perf_fact_put(b, key, &t);
}

static bool
same_place(const struct cpu_ids *a, const struct cpu_ids *b)
{
	return a->die == b->die && a->socket == b->socket;
}

/* End of the run that starts at i: same die and socket, and cores all equal or consecutive. */
static uint32_t
run_end(const struct cpu_ids *ids, uint32_t i, uint32_t n, uint32_t *step)
{
	uint32_t end = i + 1;

	*step = end < n && ids[end].core == ids[i].core + 1;
	while (end < n && same_place(&ids[i], &ids[end]) &&
		ids[end].core == ids[end - 1].core + *step)
		end++;
	return end;
}

/*
 * "cpus 0-7: cores 0-7, die 0, socket 0": processor and core increase together. -1 is an unknown
 * id.
 */
static void
put_run(struct cr_text *t, const struct cpu_ids *ids, uint32_t from, uint32_t end, uint32_t step,
	bool dies)
{
	cr_text_printf(t, end - from > 1 ? "cpus %" PRIu32 "-%" PRIu32 ": " : "cpu %" PRIu32 ": ",
		from, end - 1);
	cr_text_printf(t, step && end - from > 1 ? "cores %" PRId32 "-%" PRId32 : "core %" PRId32,
		(int32_t)ids[from].core, (int32_t)ids[end - 1].core);
	if (dies)
		cr_text_printf(t, ", die %" PRId32, (int32_t)ids[from].die);
	cr_text_printf(t, ", socket %" PRId32 "\n", (int32_t)ids[from].socket);
}

/* {u32 core, u32 socket} for each processor; then dies, if the recorder knows them. */
static void
cpu_ids_read(struct cr_cursor *c, uint32_t n, struct cr_builder *b)
{
	struct cpu_ids *ids;
	struct cr_text t = {0};
	uint32_t step;
	bool dies;

	if (n == 0 || n > MAX_CPUS || cr_cursor_left(c) / 8 < n) {
		cr_builder_fact(b, "cpu ids", CR_STR("not available")); /* with old recorders */
		return;
	}
	ids = cr_alloc(n, sizeof(*ids));
	for (uint32_t i = 0; i < n; i++) {
		ids[i].core = cr_cursor_u32(c);
		ids[i].socket = cr_cursor_u32(c);
	}
	dies = cr_cursor_left(c) > 0;
	if (dies)
		siblings_read("sibling dies", c, b);
	for (uint32_t i = 0; i < n && dies; i++)
		ids[i].die = cr_cursor_u32(c);
	for (uint32_t i = 0, end; i < n && cr_perf_fact_room(&t); i = end) {
		end = run_end(ids, i, n, &step);
		put_run(&t, ids, i, end, step, dies && !c->bad);
	}
	free(ids);
	cr_perf_fact_put(b, "cpu ids", &t);
}

void
cr_perf_machine_cpus(struct cr_cursor *c, uint32_t n_cpus, struct cr_builder *b)
{
	siblings_read("sibling sockets", c, b);
	siblings_read("sibling threads", c, b);
	cpu_ids_read(c, n_cpus, b);
}

/* u32 n, then n times {string pmu, string cpus}. */
void
cr_perf_machine_hybrid(struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t n = cr_cursor_count(c, 8);
	struct cr_text t = {0};

	for (uint32_t i = 0; i < n && cr_perf_fact_room(&t); i++) {
		const struct cr_str pmu = cr_perf_feature_string(c),
				    cpus = cr_perf_feature_string(c);

		if (c->bad)
			break;
		cr_text_safe(&t, pmu);
		cr_text_puts(&t, ": ");
		cr_text_safe(&t, cpus);
		cr_text_char(&t, '\n');
	}
	cr_perf_fact_put(b, "hybrid cpus", &t);
}

/* ---- memory */

/* u32 n, then n times {u32 node, u64 total kB, u64 free kB, string cpus}. */
void
cr_perf_machine_numa(struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t n = cr_cursor_count(c, 24);
	struct cr_text t = {0};

	for (uint32_t i = 0; i < n && cr_perf_fact_room(&t); i++) {
		const uint32_t node = cr_cursor_u32(c);
		const uint64_t total = cr_cursor_u64(c), unused = cr_cursor_u64(c);
		const struct cr_str cpus = cr_perf_feature_string(c);

		if (c->bad)
			break;
		cr_text_printf(&t,
			"node %" PRIu32 ": total = %" PRIu64 " kB, free = %" PRIu64 " kB, cpus ",
			node, total, unused);
		cr_text_safe(&t, cpus);
		cr_text_char(&t, '\n');
	}
	cr_perf_fact_put(b, "numa nodes", &t);
}

static void
word_ranges(struct perf_ranges *r, uint64_t word, uint64_t first)
{
	if (word == UINT64_MAX) {
		cr_perf_ranges_add(r, first, first + 63);
		return;
	}
	for (; word; word &= word - 1) {
		const uint64_t at = first + (uint64_t)__builtin_ctzll(word);

		cr_perf_ranges_add(r, at, at);
	}
}

/* "24G": the largest unit with a value of at least two, like perf. */
static void
put_size(struct cr_text *t, uint64_t bytes)
{
	unsigned unit = 0;

	while (unit < 3 && bytes >= 2048) {
		bytes /= 1024;
		unit++;
	}
	cr_text_u64(t, bytes);
	cr_text_char(t, "BKMG"[unit]);
}

/*
 * u64 node, u64 bits, and a bitmap of the blocks: u64 bits again, and 64-bit words, first block in
 * the lowest bit.
 */
static void
memory_node_read(struct cr_cursor *c, uint64_t block_bytes, struct cr_text *t)
{
	const uint64_t node = cr_cursor_u64(c);
	struct cr_text blocks = {0};
	struct perf_ranges r = {.to_text = &blocks};
	uint64_t bits, words, set = 0, bytes = UINT64_MAX;

	cr_cursor_skip(c, 8);
	bits = cr_cursor_u64(c);
	words = bits / 64 + (bits % 64 != 0);
	if (words > cr_cursor_left(c) / 8)
		c->bad = true;
	for (uint64_t i = 0; i < words && !c->bad && cr_perf_fact_room(&blocks); i++) {
		const uint64_t word = cr_cursor_u64(c);

		set += (uint64_t)__builtin_popcountll(word);
		word_ranges(&r, word, i * 64);
	}
	cr_perf_ranges_end(&r);
	if (!c->bad) {
		cr_mul_ok(set, block_bytes, &bytes);
		cr_text_printf(t, "node %" PRIu64 " [", node);
		put_size(t, bytes);
		cr_text_puts(t, "]: ");
		cr_text_str(t, cr_text_view(&blocks));
		cr_text_char(t, '\n');
	}
	cr_text_fini(&blocks);
}

void
cr_perf_machine_memory(struct cr_cursor *c, struct cr_builder *b)
{
	const uint64_t version = cr_cursor_u64(c), block_bytes = cr_cursor_u64(c),
		       n = cr_cursor_count64(c, 24);
	struct cr_text t = {0};

	if (c->bad || version != 1)
		return;
	cr_text_printf(&t, "%" PRIu64 ", block size 0x%" PRIx64 "\n", n, block_bytes);
	for (uint64_t i = 0; i < n && !c->bad && cr_perf_fact_room(&t); i++)
		memory_node_read(c, block_bytes, &t);
	cr_perf_fact_put(b, "memory nodes", &t);
}

/* ---- caches */

struct cache {
	uint32_t level, line_bytes, sets, ways;
	struct cr_str type, size;
	struct cr_str cpus; /* processors that share it */
	uint32_t row;       /* in the file */
};

static int
by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
cache_cmp_kind(const struct cache *a, const struct cache *b)
{
	int d = by_number(a->level, b->level);

	d = d ? d : cr_str_cmp(a->type, b->type);
	d = d ? d : cr_str_cmp(a->size, b->size);
	d = d ? d : by_number(a->line_bytes, b->line_bytes);
	d = d ? d : by_number(a->sets, b->sets);
	return d ? d : by_number(a->ways, b->ways);
}

static int
cache_cmp(const void *pa, const void *pb)
{
	const struct cache *a = pa, *b = pb;
	const int d = cache_cmp_kind(a, b);

	return d ? d : by_number(a->row, b->row);
}

/* "L1 Data 48K, line 64, 64 sets, 12 ways:" and the processors of each cache. */
static void
put_cache(struct cr_text *t, const struct cache *k)
{
	cr_text_printf(t, "L%" PRIu32 " ", k->level);
	cr_text_safe(t, k->type);
	cr_text_char(t, ' ');
	cr_text_safe(t, k->size);
	cr_text_printf(t, ", line %" PRIu32 ", %" PRIu32 " sets, %" PRIu32 " ways:", k->line_bytes,
		k->sets, k->ways);
}

void
cr_perf_machine_caches(struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t version = cr_cursor_u32(c), n = cr_cursor_count(c, 28);
	CR_VEC(struct cache) caches = {0};
	struct cr_text t = {0};

	for (uint32_t i = 0; i < n && version == 1 && i < MAX_CACHES; i++) {
		struct cache k = {.row = i};

		k.level = cr_cursor_u32(c);
		k.line_bytes = cr_cursor_u32(c);
		k.sets = cr_cursor_u32(c);
		k.ways = cr_cursor_u32(c);
		k.type = cr_perf_feature_string(c);
		k.size = cr_perf_feature_string(c);
		k.cpus = cr_perf_feature_string(c);
		if (c->bad)
			break;
		cr_vec_push(&caches, k);
	}
	if (caches.n)
		qsort(caches.p, caches.n, sizeof(*caches.p), cache_cmp);
	for (size_t i = 0; i < caches.n && cr_perf_fact_room(&t); i++) {
		if (i == 0 || cache_cmp_kind(&caches.p[i - 1], &caches.p[i])) {
			if (i)
				cr_text_char(&t, '\n');
			put_cache(&t, &caches.p[i]);
		}
		cr_perf_fact_pack(&t, caches.p[i].cpus);
	}
	if (t.len)
		cr_text_char(&t, '\n');
	else
		cr_text_puts(&t, "not available");
	cr_vec_fini(&caches);
	cr_perf_fact_put(b, "cpu caches", &t);
}

/* ---- scheduling domains */

#define DOMAIN_NAMES_SINCE 17 /* version of schedstat */

struct domain {
	uint32_t number;
	struct cr_str name;    /* "" before DOMAIN_NAMES_SINCE */
	struct cr_str members; /* list of processors */
	uint32_t cpu;          /* that reports it */
};

static int
domain_cmp_kind(const struct domain *a, const struct domain *b)
{
	int d = by_number(a->number, b->number);

	d = d ? d : cr_str_cmp(a->name, b->name);
	return d ? d : cr_str_cmp(a->members, b->members);
}

static int
domain_cmp(const void *pa, const void *pb)
{
	const struct domain *a = pa, *b = pb;
	const int d = domain_cmp_kind(a, b);

	return d ? d : by_number(a->cpu, b->cpu);
}

static void
put_domain(struct cr_text *t, const struct domain *d, size_t n)
{
	struct perf_ranges r = {.to_text = t};

	cr_text_printf(t, "domain %" PRIu32, d->number);
	if (d->name.len) {
		cr_text_char(t, ' ');
		cr_text_safe(t, d->name);
	}
	cr_text_puts(t, ": ");
	cr_text_safe(t, d->members);
	cr_text_puts(t, ", of cpus ");
	for (size_t i = 0; i < n; i++)
		cr_perf_ranges_add(&r, d[i].cpu, d[i].cpu);
	cr_perf_ranges_end(&r);
	cr_text_char(t, '\n');
}

/*
 * u32 cpu, u32 n, n times {u32 domain, string name, string mask, string list}; mask and list are
 * equivalent.
 */
static bool
domain_read(struct cr_cursor *c, bool named, uint32_t cpu, struct domain *d)
{
	*d = (struct domain){.cpu = cpu};
	d->number = cr_cursor_u32(c);
	if (named)
		d->name = cr_perf_feature_string(c);
	cr_perf_feature_string(c);
	d->members = cr_perf_feature_string(c);
	return !c->bad;
}

void
cr_perf_machine_domains(struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t schedstat = cr_cursor_u32(c), most = cr_cursor_u32(c);
	CR_VEC(struct domain) domains = {0};
	struct cr_text t = {0};
	struct domain d;

	while (cr_cursor_left(c) >= 8 && domains.n < MAX_DOMAINS) {
		const uint32_t cpu = cr_cursor_u32(c), n = cr_cursor_count(c, 12);

		for (uint32_t i = 0; i < n && domains.n < MAX_DOMAINS &&
				     domain_read(c, schedstat >= DOMAIN_NAMES_SINCE, cpu, &d);
			i++)
			cr_vec_push(&domains, d);
	}
	if (domains.n)
		qsort(domains.p, domains.n, sizeof(*domains.p), domain_cmp);
	if (!c->bad || domains.n)
		cr_text_printf(&t, "schedstat version %" PRIu32 ", at most %" PRIu32 " domains\n",
			schedstat, most);
	for (size_t i = 0, end; i < domains.n && cr_perf_fact_room(&t); i = end) {
		for (end = i + 1;
			end < domains.n && !domain_cmp_kind(&domains.p[i], &domains.p[end]);)
			end++;
		put_domain(&t, &domains.p[i], end - i);
	}
	cr_vec_fini(&domains);
	cr_perf_fact_put(b, "scheduling domains", &t);
}
