#include "model/tree/location_frames.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/tree/path_sums.h"

#include <stdlib.h>

/* What distinguishes frames of one function at the given granularity. */
struct key {
	uint32_t function, line;
	struct cr_str file;
	uint64_t number;
};

struct spelling {
	const struct cr_profile *p;
	const struct cr_fold_template_opts *o;
	CR_VEC(struct cr_frame) frames;
	CR_VEC(struct key) keys; /* keys of the frames from n_fixed on */
	uint32_t n_fixed;
	struct cr_index index; /* over the keys */
	/*
	 * By function: its frame that was made last, + 1. While addresses rise, as in a stored
	 * profile, another frame of an address is that one. Then there are no keys.
	 */
	uint32_t *last1;
	bool rising;
	bool list; /* frames of addresses are listed in `apart`, and not made */
	CR_VEC(struct cr_apart_frame) apart;
	struct cr_arena made;
	uint32_t *first, *run; /* by location, see struct cr_location_frames */
	uint32_t n_run;
};

static bool
key_eq(const struct key *a, const struct key *b)
{
	return a->function == b->function && a->line == b->line && a->number == b->number &&
	       cr_str_eq(a->file, b->file);
}

static uint64_t
key_hash(const struct key *k)
{
	return cr_hash_mix(
		cr_hash_mix(k->function, k->line) + k->number, cr_hash(k->file.p, k->file.len));
}

/* The frame of a key; *is_new is set if the caller must fill it in. */
static uint32_t
keyed(struct spelling *s, const struct key *k, bool *is_new)
{
	const uint64_t h = key_hash(k);
	uint32_t row;

	*is_new = false;
	cr_index_each(&s->index, h, row)
		if (key_eq(&s->keys.p[row], k))
			return s->n_fixed + row;
	*is_new = true;
	cr_index_add(&s->index, h, (uint32_t)s->keys.n);
	cr_vec_push(&s->keys, *k);
	cr_vec_push(&s->frames, ((struct cr_frame){0}));
	return (uint32_t)s->frames.n - 1;
}

/* Make the keys of the frames so far. */
static void
stop_rising(struct spelling *s)
{
	s->rising = false;
	for (size_t i = s->n_fixed; i < s->frames.n; i++) {
		const struct key k = {
			.function = s->frames.p[i].function1 - 1, .number = s->frames.p[i].number};

		cr_index_add(&s->index, key_hash(&k), (uint32_t)s->keys.n);
		cr_vec_push(&s->keys, k);
	}
}

/* The frame of an address, while addresses rise; false if this one does not. */
static bool
rising_frame(struct spelling *s, uint32_t function, uint64_t addr, uint32_t *out)
{
	const uint32_t last1 = s->last1[function];
	struct cr_frame frame;

	if (last1 && s->frames.p[last1 - 1].number > addr)
		return false;
	*out = last1 - 1;
	if (last1 && s->frames.p[last1 - 1].number == addr)
		return true;
	*out = (uint32_t)s->frames.n;
	s->last1[function] = *out + 1;
	frame = s->frames.p[function + 1];
	frame.number = addr;
	cr_vec_push(&s->frames, frame);
	return true;
}

/* The frame of a function at a granularity finer than functions. */
static uint32_t
function_frame(struct spelling *s, const struct cr_location *l, const struct cr_line *line)
{
	const uint32_t function = line->function.i;
	const bool by_line = s->o->granularity != CR_GRANULARITY_FUNCTION;
	const bool by_address = s->o->granularity == CR_GRANULARITY_ADDRESS ||
				(s->o->apart && !s->p->functions[function].name.len);
	struct key k = {.function = function};
	bool is_new;
	uint32_t i;

	if (!by_line && !by_address)
		return function + 1;
	if (s->list && !by_line) {
		const struct cr_apart_frame apart = {(uint32_t)(l - s->p->locations), function};

		cr_vec_push(&s->apart, apart);
		return s->n_fixed + (uint32_t)s->apart.n - 1;
	}
	if (s->rising && !by_line) {
		if (rising_frame(s, function, l->addr, &i))
			return i;
		stop_rising(s);
	}
	if (by_line) {
		k.line = line->line;
		k.file = cr_line_file(s->p, line);
	}
	if (by_address)
		k.number = l->addr;
	i = keyed(s, &k, &is_new);
	if (is_new) {
		s->frames.p[i] = s->frames.p[function + 1];
		s->frames.p[i].number = k.number;
		if (by_line) {
			s->frames.p[i].file = k.file;
			s->frames.p[i].line = k.line;
		}
	}
	return i;
}

static uint32_t
file_frame(struct spelling *s, const struct cr_line *line)
{
	const struct cr_function *f = &s->p->functions[line->function.i];
	const struct cr_str file = line->file.len ? line->file : f->file;
	struct key k = {.file = file, .function = file.len ? 0 : f->dso.i + 1};
	bool is_new;
	const uint32_t i = keyed(s, &k, &is_new);

	if (is_new && file.len)
		s->frames.p[i] = (struct cr_frame){
			.name = file, .file = file, .kind = s->p->dsos[f->dso.i].kind};
	else if (is_new)
		s->frames.p[i] = cr_path_sums_frame_nameless(s->p, f->dso.i, &s->made);
	return i;
}

static struct cr_frame
dso_frame(const struct cr_profile *p, uint32_t dso, struct cr_arena *arena)
{
	const struct cr_dso *o = &p->dsos[dso];
	struct cr_frame frame = {.dso = o->name, .kind = o->kind};
	struct cr_text made = {0};

	if (dso == 0)
		frame.dso = (struct cr_str){"", 0};
	frame.name = cr_dso_name(o->name, o->kind, &made);
	if (made.len)
		frame.name.p = cr_arena_copy(arena, made.p, made.len);
	if (dso == 0 || !o->name.len)
		frame.name = CR_STR("[unknown]");
	cr_text_fini(&made);
	return frame;
}

static uint32_t
line_frame(struct spelling *s, const struct cr_location *l, const struct cr_line *line)
{
	switch (s->o->granularity) {
	case CR_GRANULARITY_DSO: return s->p->functions[line->function.i].dso.i + 1;
	case CR_GRANULARITY_FILE: return file_frame(s, line);
	default: return function_frame(s, l, line);
	}
}

/* No more frames than these are made for addresses, if they are separated only without a name. */
static uint64_t
count_apart(const struct spelling *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; s->o->apart && i < s->p->n_lines; i++)
		n += !s->p->functions[s->p->lines[i].function.i].name.len;
	return n;
}

static void
spell_frames(struct spelling *s)
{
	cr_vec_reserve(
		&s->frames, (uint64_t)s->p->n_functions + 1 + (s->list ? 0 : count_apart(s)));
	if (s->list)
		cr_vec_reserve(&s->apart, count_apart(s));
	cr_vec_push(&s->frames, ((struct cr_frame){.name = CR_STR("all"), .kind = CR_KIND_GROUP}));
	if (s->o->granularity == CR_GRANULARITY_DSO)
		for (uint32_t i = 0; i < s->p->n_dsos; i++)
			cr_vec_push(&s->frames, dso_frame(s->p, i, &s->made));
	else if (s->o->granularity != CR_GRANULARITY_FILE)
		for (uint32_t i = 0; i < s->p->n_functions; i++)
			cr_vec_push(&s->frames, cr_path_sums_frame(s->p, i, &s->made));
	s->n_fixed = (uint32_t)s->frames.n;
}

static void
spell_locations(struct spelling *s)
{
	const struct cr_profile *p = s->p;
	size_t lines = 0;

	for (uint32_t i = 0; i < p->n_locations; i++)
		lines += s->o->outermost ? 1 : p->locations[i].lines;
	s->first = cr_alloc((uint64_t)p->n_locations + 1, sizeof(*s->first));
	s->run = cr_alloc(lines, sizeof(*s->run));
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];
		const uint32_t last = l->first_line + l->lines;

		s->first[i] = s->n_run;
		for (uint32_t k = last; k-- > (s->o->outermost ? last - 1 : l->first_line);)
			s->run[s->n_run++] = line_frame(s, l, &p->lines[k]);
	}
	s->first[p->n_locations] = s->n_run;
}

static void
frames_make(const struct cr_profile *p, const struct cr_fold_template_opts *o, bool list,
	struct cr_location_frames *out)
{
	struct spelling s = {.p = p,
		.o = o,
		.list = list,
		.last1 = cr_alloc(CR_MAX(p->n_functions, 1u), sizeof(*s.last1)),
		.rising = o->granularity == CR_GRANULARITY_FUNCTION};

	spell_frames(&s);
	spell_locations(&s);
	cr_index_fini(&s.index);
	cr_vec_fini(&s.keys);
	free(s.last1);
	*out = (struct cr_location_frames){.frames = s.frames.p,
		.n_frames = (uint32_t)s.frames.n,
		.apart = s.apart.p,
		.n_apart = (uint32_t)s.apart.n,
		.first = s.first,
		.run = s.run,
		.made = s.made};
}

void
cr_location_frames_make(const struct cr_profile *p, const struct cr_fold_template_opts *o,
	struct cr_location_frames *out)
{
	frames_make(p, o, false, out);
}

void
cr_location_frames_list(const struct cr_profile *p, const struct cr_fold_template_opts *o,
	struct cr_location_frames *out)
{
	frames_make(p, o, o->granularity == CR_GRANULARITY_FUNCTION, out);
}

struct cr_frame
cr_location_frames_apart(const struct cr_profile *p, const struct cr_location_frames *f, uint32_t i)
{
	struct cr_frame frame = f->frames[f->apart[i].function + 1];

	frame.number = p->locations[f->apart[i].location].addr;
	return frame;
}

void
cr_location_frames_fini(struct cr_location_frames *f)
{
	free(f->frames);
	free(f->apart);
	free(f->first);
	free(f->run);
	cr_arena_fini(&f->made);
	*f = (struct cr_location_frames){0};
}
