#include "symbol/code/code.h"
#include "symbol/symbolize.h"

#include "base/hash.h"
#include "base/vec.h"
#include "codefile_p.h"
#include "hot_p.h"
#include "model/build/builder.h"

#include <string.h>

#define BYTES_A_SAMPLE 1
#define LEAST_BYTES ((uint64_t)2 << 10)
#define MOST_BYTES ((uint64_t)1 << 20) /* maximum in a profile, and in a function */
#define PIECE 48                       /* bytes from a sampled address, about ten instructions */

struct want {
	uint32_t function;
	uint32_t file;
	struct cr_code_end end;
	uint32_t first_spot, n_spots;
};

/* A sampled address and its number of samples. */
struct spot {
	uint64_t addr;
	uint32_t heat;
};

struct search {
	const struct cr_profile *p;
	const struct cr_symbol_opts *opts;
	CR_VEC(struct want) wants; /* in order of priority */
	CR_VEC(struct cr_codefile) files;
	struct spot *spots; /* grouped by want */
	uint64_t left;      /* remaining budget in bytes */
	CR_VEC(struct cr_machine_code) codes;
	struct cr_arena *arena; /* owns the bytes of codes */
};

/* ---- sampled addresses */

/* A place without heat is no spot. */
static void
find_spots(struct search *s, const struct cr_hot_place *places)
{
	const struct cr_profile *p = s->p;
	uint32_t *want1 = cr_alloc(p->n_functions, sizeof(*want1)), sum = 0;

	for (size_t i = 0; i < s->wants.n; i++)
		want1[s->wants.p[i].function] = (uint32_t)i + 1;
	for (int fill = 0; fill <= 1; fill++) {
		for (uint32_t i = 0; i < p->n_locations; i++) {
			const uint32_t w = places[i].heat ? want1[places[i].owner] : 0;

			if (w && fill)
				s->spots[s->wants.p[w - 1].first_spot + s->wants.p[w - 1].n_spots] =
					(struct spot){p->locations[i].addr, places[i].heat};
			if (w)
				s->wants.p[w - 1].n_spots++;
		}
		for (size_t i = 0; i < s->wants.n && !fill; i++) {
			s->wants.p[i].first_spot = sum;
			sum += s->wants.p[i].n_spots;
			s->wants.p[i].n_spots = 0;
		}
		if (!fill)
			s->spots = cr_alloc(sum, sizeof(*s->spots));
	}
	free(want1);
}

/* ---- files */

static int
by_dso(const void *a, const void *b, void *user)
{
	const struct search *s = user;
	const struct cr_function *x = &s->p->functions[s->wants.p[*(const uint32_t *)a].function];
	const struct cr_function *y = &s->p->functions[s->wants.p[*(const uint32_t *)b].function];

	if (x->dso.i != y->dso.i)
		return x->dso.i < y->dso.i ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Open the file of n wants, all of one dso and sorted by address, and find their ends. */
static void
open_file(struct search *s, const uint32_t *wants, size_t n)
{
	const struct cr_profile *p = s->p;
	struct cr_addrkey *starts = cr_alloc(n, sizeof(*starts));
	struct cr_code_end *ends = cr_alloc(n, sizeof(*ends));
	struct cr_codefile file;

	for (size_t i = 0; i < n; i++)
		starts[i].addr = p->functions[s->wants.p[wants[i]].function].addr;
	cr_codefile_open(&file, p, s->opts, p->functions[s->wants.p[wants[0]].function].dso);
	cr_codefile_ends(&file, starts, n, ends);
	for (size_t i = 0; i < n; i++) {
		s->wants.p[wants[i]].end = ends[i];
		s->wants.p[wants[i]].file = (uint32_t)s->files.n;
	}
	cr_vec_push(&s->files, file);
	free(ends);
	free(starts);
}

static void
open_files(struct search *s)
{
	uint32_t *order = cr_alloc(s->wants.n, sizeof(*order));
	size_t from = 0;

	for (size_t i = 0; i < s->wants.n; i++)
		order[i] = (uint32_t)i;
	if (s->wants.n)
		qsort_r(order, s->wants.n, sizeof(*order), by_dso, s);
	for (size_t i = 1; i <= s->wants.n; i++) {
		const struct cr_function *f = s->p->functions;

		if (i < s->wants.n && f[s->wants.p[order[i]].function].dso.i ==
					      f[s->wants.p[order[from]].function].dso.i)
			continue;
		/* Files that are not opened yield no code. */
		if (!cr_progress_step(s->opts->progress, "code", i, s->wants.n))
			break;
		open_file(s, order + from, i - from);
		from = i;
	}
	for (; from < s->wants.n; from++)
		s->wants.p[order[from]].file = CR_NO_ROW;
	free(order);
}

/* ---- bytes */

static void
read_piece(struct search *s, const struct want *w, uint64_t addr, uint64_t len)
{
	const struct cr_codefile *file = &s->files.p[w->file];
	struct cr_machine_code c = {
		.function = {w->function},
		.addr = addr,
		.machine = file->machine,
		.bits = file->bits,
		.big_endian = file->big_endian,
	};

	if (len > s->left || !cr_codefile_bytes(file, addr, len, &c.bytes, &c.base))
		return;
	c.base |= w->end.thumb;
	c.bytes.p = cr_arena_copy(s->arena, c.bytes.p, c.bytes.len);
	s->left -= len;
	cr_vec_push(&s->codes, c);
}

static int
hottest_spot(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->heat != y->heat)
		return x->heat > y->heat ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int
first_spot(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Read pieces, the hottest spots first. A piece that begins inside another extends it. */
static void
read_pieces(struct search *s, const struct want *w, uint64_t most)
{
	const uint64_t start = s->p->functions[w->function].addr;
	const size_t n = (size_t)CR_MIN(w->n_spots, most / PIECE);
	struct spot *spots = s->spots + w->first_spot;
	uint64_t from = 0, to = 0;

	if (n == 0)
		return;
	qsort(spots, w->n_spots, sizeof(*spots), hottest_spot);
	qsort(spots, n, sizeof(*spots), first_spot);
	for (size_t i = 0; i < n; i++) {
		uint64_t end;

		if (!cr_add_ok(spots[i].addr, PIECE, &end))
			break;
		if (w->end.end > start)
			end = CR_MIN(end, w->end.end);
		if (spots[i].addr > to) {
			read_piece(s, w, from, to - from);
			from = spots[i].addr;
		}
		to = CR_MAX(end, from);
	}
	read_piece(s, w, from, to - from);
}

static void
read_all(struct search *s, bool sparing)
{
	for (size_t i = 0; i < s->wants.n; i++) {
		const struct want *w = &s->wants.p[i];
		const uint64_t start = s->p->functions[w->function].addr, len = w->end.end - start;
		const uint64_t most = sparing ? s->left / 4 : MOST_BYTES;

		if (w->file == CR_NO_ROW || s->files.p[w->file].kind == CR_CODEFILE_NONE)
			continue;
		if (w->end.end > start && len <= most)
			read_piece(s, w, start, len);
		else
			read_pieces(s, w, most);
	}
}

static int
by_function(const void *a, const void *b)
{
	const struct cr_machine_code *x = a, *y = b;

	if (x->function.i != y->function.i)
		return x->function.i < y->function.i ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void
search_end(struct search *s)
{
	if (s->codes.n)
		qsort(s->codes.p, s->codes.n, sizeof(*s->codes.p), by_function);
	for (size_t i = 0; i < s->files.n; i++)
		cr_codefile_close(&s->files.p[i]);
	cr_vec_fini(&s->files);
	cr_vec_fini(&s->wants);
	free(s->spots);
}

void
cr_code_gather(struct cr_profile *p, const struct cr_symbol_opts *opts)
{
	struct search s = {.p = p, .opts = opts, .arena = &p->arena};
	struct cr_hot_place *places;
	cr_hots hot = {0};

	if (!(p->flags & CR_PROFILE_HAS_ADDR) || p->samples.n == 0)
		return;
	s.left = CR_MIN(CR_MAX(p->samples.n * BYTES_A_SAMPLE, LEAST_BYTES), MOST_BYTES);
	places = cr_hot_places(p);
	cr_hot_find(p, places, &hot);
	for (size_t i = 0; i < hot.n; i++)
		cr_vec_push(&s.wants, ((struct want){.function = hot.p[i].function}));
	cr_vec_fini(&hot);
	find_spots(&s, places);
	free(places);
	open_files(&s);
	read_all(&s, true);
	search_end(&s);
	p->codes = cr_arena_adopt(&p->arena, s.codes.p);
	p->n_codes = (uint32_t)s.codes.n;
}

void
cr_code_find(const struct cr_profile *p, const struct cr_symbol_opts *opts,
	const cr_function_id *functions, uint32_t n, struct cr_code_found *out)
{
	struct search s = {.p = p, .opts = opts, .arena = &out->arena, .left = UINT64_MAX};
	struct cr_hot_place *places = cr_hot_places(p);

	*out = (struct cr_code_found){.n = 0};
	for (uint32_t i = 0; i < n; i++)
		if (p->functions[functions[i].i].addr != CR_ADDR_INLINED)
			cr_vec_push(&s.wants, ((struct want){.function = functions[i].i}));
	for (uint32_t i = 0; i < p->n_locations; i++) /* each location of a stack is a spot */
		places[i].heat = 1;
	find_spots(&s, places);
	free(places);
	open_files(&s);
	read_all(&s, false);
	for (size_t i = 0; i < s.files.n && !out->why; i++)
		if (s.files.p[i].why)
			out->why = cr_strdup(s.files.p[i].why);
	search_end(&s);
	out->codes = s.codes.p;
	out->n = (uint32_t)s.codes.n;
}

void
cr_code_found_fini(struct cr_code_found *f)
{
	free(f->codes);
	free(f->why);
	cr_arena_fini(&f->arena);
	*f = (struct cr_code_found){.n = 0};
}

/* Only profiles can be symbolized, so make one with a sample at each address. */
struct cr_profile *
cr_code_places(const struct cr_profile *p, const struct cr_symbol_opts *opts, cr_dso_id dso,
	const uint64_t *addrs, size_t n)
{
	struct cr_symbol_opts here = *opts;
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_profile *places = NULL;
	struct cr_builder *b;
	cr_event_id event;
	cr_dso_id o;
	cr_address_space_id space;

	if (p->dsos[dso.i].kind != CR_KIND_USER || opts->no_inline || n == 0)
		return NULL;
	here.debuginfod = false;
	b = cr_builder_new(NULL);
	event = cr_builder_event(b, CR_STR(""), CR_STR(""));
	space = cr_builder_address_space(b);
	o = cr_builder_dso(b, &p->dsos[dso.i]);
	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	for (size_t i = 0; i < n; i++) {
		struct cr_sample s = {.event = event, .cpu = CR_CPU_NONE};

		s.task = cr_builder_task(b, -1, -1, CR_STR(""), space);
		s.node = cr_builder_push(b, CR_ROOT, cr_builder_location(b, o, addrs[i], 0));
		cr_builder_sample(b, &s);
	}
	if (cr_builder_finish(b, NULL, &places, &ignored) < 0 ||
		cr_symbolize(places, &here, &places, &ignored) < 0)
		places = NULL;
	cr_builder_free(b);
	return places;
}
