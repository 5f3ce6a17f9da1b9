#include "collapse_p.h"

#include "base/hash.h"
#include "model/build/tidy.h"

#include <inttypes.h>
#include <stdlib.h>

struct speller {
	const struct cr_profile *p;
	const struct cr_collapse_opts *o;
	struct cr_spelt *out;
	struct cr_index frames; /* by name */
	struct cr_text name, room;
	uint8_t way, as_is;
	bool leaf;
	struct {
		uint32_t at1, n;
	} * of_function; /* in this way, if the name depends only on the function: its run, + 1 */
};

/* What a name depends on besides the function. */
struct spot {
	const struct cr_location *location;
	const struct cr_line *line;
	const struct cr_function *function;
	const struct cr_dso *dso;
	bool inlined;
};

/* ---- frames and runs */

static uint32_t
frame_intern(struct speller *s, struct cr_str name, bool made, bool start)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t row;

	cr_index_each(&s->frames, h, row)
		if (cr_str_eq(s->out->frames.p[row].name, name) && s->out->starts.p[row] == start)
			return row;
	if (made)
		name.p = cr_arena_copy(&s->out->made, name.p, name.len);
	row = (uint32_t)s->out->frames.n;
	cr_vec_push(&s->out->frames, ((struct cr_frame){.name = name, .as_is = s->as_is}));
	cr_vec_push(&s->out->starts, start);
	cr_index_add(&s->frames, h, row);
	return row;
}

static void
run_add(struct speller *s, struct cr_str name, bool made, bool start)
{
	cr_vec_push(&s->out->run, frame_intern(s, name, made, start));
}

/* ---- names */

/* A memory file (memfd) may contain any code; if a JIT compiler named it, it is JIT code. */
static bool
is_jit(const struct spot *at)
{
	return at->dso->kind == CR_KIND_JIT &&
	       (at->function->name.len || !cr_str_starts(at->dso->name, "/memfd:"));
}

static bool
contains(struct cr_str s, const char *what)
{
	return s.len && memmem(s.p, s.len, what, strlen(what));
}

/* The name of a nameless function: "[basename]", or "[[vdso]]" if that has brackets already. */
static void
put_nameless(struct speller *s, const struct spot *at)
{
	struct cr_str base = cr_str_basename(at->dso->name);

	if (at->function->dso.i == 0 || base.len == 0 || at->inlined)
		base = CR_STR("unknown");
	if (cr_str_ends(base, " (deleted)"))
		base.len -= 10;
	cr_text_char(&s->name, '[');
	cr_text_str(&s->name, base);
	if (s->o->addrs && !at->inlined) {
		cr_text_puts(&s->name, " <");
		cr_text_hex(&s->name, at->location->addr);
		cr_text_char(&s->name, '>');
	}
	cr_text_char(&s->name, ']');
}

/*
 * Java descriptors: "Lorg/x/Y;::f" becomes "org/x/Y;::f". Names of native code may begin alike, so
 * this applies only to JIT code.
 */
static struct cr_str
without_descriptor(const struct speller *s, const struct spot *at, struct cr_str name)
{
	if ((s->way & CR_WAY_JAVA) && at->dso->kind == CR_KIND_JIT && cr_str_starts(name, "L") &&
		memchr(name.p, '/', name.len))
		return (struct cr_str){name.p + 1, name.len - 1};
	return name;
}

/* A part of a symbol-table name. */
static void
put_symbol(struct speller *s, const struct spot *at, struct cr_str part)
{
	if (part.len == 0 || cr_str_eq(part, CR_STR("[unknown]")))
		put_nameless(s, at);
	else
		cr_text_str(&s->name,
			cr_tidy_rust(without_descriptor(s, at, cr_tidy_bare(part)), &s->room));
}

/* "java.lang.Thread.run" becomes "j.l.Thread.run": all but the class and the method. */
static void
put_short_packages(struct cr_text *t, struct cr_str name)
{
	const char *slash = memchr(name.p, '/', name.len), *dot = memchr(name.p, '.', name.len);
	const bool slashes = slash && (!dot || slash < dot); /* "org/x/Y.f" */
	const char separator = slashes ? '/' : '.';
	uint32_t keep = name.len, from = 0, parts = 0;

	while (keep > 0 && parts < (slashes ? 1u : 2u))
		parts += name.p[--keep] == separator;
	for (uint32_t i = 0; i < keep; i++)
		if (name.p[i] == separator) {
			cr_text_put(t, name.p + from, 1);
			cr_text_char(t, separator);
			from = i + 1;
		}
	if (parts && keep > from) {
		cr_text_put(t, name.p + from, 1);
		from = keep;
	}
	cr_text_put(t, name.p + from, name.len - from);
}

static void
put_plain(struct speller *s, const struct spot *at, struct cr_str name)
{
	const char *tick = s->o->no_modules ? memchr(name.p, '`', name.len) : NULL;

	if (tick)
		name = (struct cr_str){tick + 1, (uint32_t)(name.p + name.len - tick - 1)};
	if (name.len == 0)
		put_nameless(s, at);
	else if (s->o->short_packages)
		put_short_packages(&s->name, name);
	else
		cr_text_str(&s->name, name);
}

static void
put_offset(struct speller *s, const struct spot *at)
{
	const uint64_t offset = at->location->addr - at->function->addr;

	if (s->o->offsets && !s->leaf && !at->inlined && at->function->name.len && offset)
		cr_text_printf(&s->name, "+0x%" PRIx64, offset);
}

static void
put_line(struct speller *s, const struct spot *at)
{
	const struct cr_str file = cr_line_file(s->p, at->line);

	if (!s->o->lines || !at->line->line || !file.len)
		return;
	cr_text_char(&s->name, ':');
	cr_text_str(&s->name, s->o->whole_paths ? file : cr_str_basename(file));
	cr_text_printf(&s->name, ":%" PRIu32, at->line->line);
}

/* Annotate an inlined function according to the function that contains it. */
static void
put_annotation(struct speller *s, const struct spot *at, bool is_part)
{
	const struct cr_str name = cr_text_view(&s->name);

	if (is_part) {
		if (!cr_str_ends(name, "_[i]"))
			cr_text_puts(&s->name, "_[i]");
	} else if (at->inlined) {
		return;
	} else if (s->o->kernel && cr_kind_is_kernel(at->dso->kind) && !contains(name, "_[k]")) {
		cr_text_puts(&s->name, "_[k]");
	} else if (s->o->jit && is_jit(at) && !contains(name, "_[j]")) {
		cr_text_puts(&s->name, "_[j]");
	}
}

static bool
is_skipped(const struct cr_collapse_opts *o, struct cr_str name)
{
	for (size_t i = 0; i < o->n_skip_after; i++)
		if (cr_str_eq(name, cr_str_of(o->skip_after[i])))
			return true;
	return false;
}

/* Append one frame. An unchanged name is borrowed from the profile. */
static void
spell_part(struct speller *s, const struct spot *at, struct cr_str part, bool symbol, bool is_part,
	bool is_last)
{
	bool start;

	cr_text_clear(&s->name);
	if (symbol)
		put_symbol(s, at, part);
	else
		put_plain(s, at, part);
	start = is_skipped(s->o, part) || is_skipped(s->o, cr_text_view(&s->name));
	if (is_last)
		put_offset(s, at);
	put_line(s, at);
	put_annotation(s, at, is_part);
	if (cr_str_eq(cr_text_view(&s->name), part))
		run_add(s, part, false, start);
	else
		run_add(s, cr_text_view(&s->name), true, start);
}

/* ---- locations */

static void
spell_function(struct speller *s, const struct spot *at)
{
	const bool symbol = s->p->flags & CR_PROFILE_SYMBOL_NAMES;
	struct cr_str rest = at->function->name, part;

	if (!symbol || !rest.len || !((s->way & CR_WAY_JAVA) || at->dso->kind == CR_KIND_JIT)) {
		spell_part(s, at, rest, symbol, false, true);
		return;
	}
	for (bool first = true; cr_tidy_part(&rest, &part); first = false)
		spell_part(s, at, part, symbol, !first, rest.p == NULL);
}

/* True for an entry of the input at the root of a stack that is no code. */
static bool
is_thread(const struct cr_dso *o)
{
	return o->kind == CR_KIND_GROUP && o->name.len == 0;
}

/* True if the name of the function is all that is written for this location. */
static bool
is_function_alone(const struct cr_collapse_opts *o, const struct spot *at)
{
	return !o->offsets && !o->lines &&
	       !(o->addrs &&
		       (!at->function->name.len || contains(at->function->name, "[unknown]")));
}

static void
spell_line(struct speller *s, const struct spot *at)
{
	const uint32_t function = at->line->function.i, from = (uint32_t)s->out->run.n;
	const bool alone = is_function_alone(s->o, at);

	if (is_thread(at->dso)) {
		if (!s->o->no_threads && !s->o->whole_threads)
			run_add(s, at->function->name, false, is_skipped(s->o, at->function->name));
		return;
	}
	if (alone && s->of_function[function].at1) {
		for (uint32_t i = 0; i < s->of_function[function].n; i++) {
			const uint32_t frame = s->out->run.p[s->of_function[function].at1 - 1 + i];

			cr_vec_push(&s->out->run, frame);
		}
		return;
	}
	if (cr_function_as_is(s->p, at->function) == CR_AS_EMPTY) {
		/* Only folded stacks are made from these frames. */
		run_add(s, CR_STR(""), false, false);
		return;
	}
	spell_function(s, at);
	if (alone) {
		s->of_function[function].at1 = from + 1;
		s->of_function[function].n = (uint32_t)s->out->run.n - from;
	}
}

static uint32_t *
spell_locations(struct speller *s, uint8_t way, bool leaf)
{
	const struct cr_profile *p = s->p;
	uint32_t *first = cr_alloc((uint64_t)p->n_locations + 1, sizeof(*first));

	s->way = way;
	s->leaf = leaf;
	s->of_function = cr_alloc(CR_MAX(p->n_functions, 1u), sizeof(*s->of_function));
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		first[i] = (uint32_t)s->out->run.n;
		for (uint32_t row = l->first_line + l->lines; row-- > l->first_line;) {
			struct spot at = {.location = l, .line = &p->lines[row]};

			at.function = &p->functions[at.line->function.i];
			at.dso = &p->dsos[at.function->dso.i];
			at.inlined = at.function->addr == CR_ADDR_INLINED;
			spell_line(s, &at);
		}
	}
	first[p->n_locations] = (uint32_t)s->out->run.n;
	free(s->of_function);
	return first;
}

/* ---- groups */

static void
put_id(struct cr_text *t, int32_t id)
{
	if (id < 0)
		cr_text_char(t, '?');
	else
		cr_text_u64(t, (uint64_t)id);
}

/* A comm as a frame: "my_prog-12/34". */
static void
spell_comm(struct speller *s, const struct cr_task *t)
{
	cr_text_clear(&s->name);
	cr_text_str(&s->name, t->comm);
	for (size_t i = 0; i < s->name.len && !s->o->whole_threads; i++)
		if (s->name.p[i] == ' ' || s->name.p[i] == '\t')
			s->name.p[i] = '_';
	if (s->o->pid || s->o->tid) {
		cr_text_char(&s->name, '-');
		put_id(&s->name, t->pid);
	}
	if (s->o->tid) {
		cr_text_char(&s->name, '/');
		put_id(&s->name, t->tid);
	}
	run_add(s, cr_text_view(&s->name), true, false);
}

static void
spell_id(struct speller *s, const char *what, int32_t id)
{
	cr_text_clear(&s->name);
	cr_text_puts(&s->name, what);
	put_id(&s->name, id);
	run_add(s, cr_text_view(&s->name), true, false);
}

/* The frames above the stacks of a task; none in formats without them. */
static void
spell_task(struct speller *s, const struct cr_task *t)
{
	if (cr_profile_by_comm(s->p) || (s->o->whole_threads && t->comm.len)) {
		spell_comm(s, t);
	} else if (s->p->flags & CR_PROFILE_HAS_TASK) {
		if (s->o->pid)
			spell_id(s, "PID=", t->pid);
		if (s->o->tid)
			spell_id(s, "TID=", t->tid);
	}
}

static bool
same_run(const struct cr_spelt *out, uint32_t group, uint32_t from)
{
	const uint32_t at = out->group.p[group], n = (uint32_t)out->run.n - from;

	if (out->group.p[group + 1] - at != n)
		return false;
	return n == 0 || memcmp(out->run.p + at, out->run.p + from, n * sizeof(*out->run.p)) == 0;
}

/* Tasks with equal frames form one group. */
static void
spell_tasks(struct speller *s)
{
	struct cr_spelt *out = s->out;
	struct cr_index index = {0};

	out->task_group = cr_alloc(CR_MAX(s->p->n_tasks, 1u), sizeof(*out->task_group));
	for (uint32_t i = 0; i < s->p->n_tasks; i++) {
		const uint32_t from = (uint32_t)out->run.n;
		const bool java = cr_str_starts(s->p->tasks[i].comm, "java");
		uint32_t row;
		uint64_t h;

		spell_task(s, &s->p->tasks[i]);
		h = java;
		for (size_t k = from; k < out->run.n; k++)
			h = cr_hash_mix(h, out->run.p[k]);
		cr_index_each(&index, h, row)
			if (out->group_way.p[row] == (java ? CR_WAY_JAVA : 0) &&
				same_run(out, row, from))
				break;
		if (row != CR_NO_ROW) {
			out->run.n = from;
		} else {
			row = (uint32_t)out->group_way.n;
			cr_index_add(&index, h, row);
			cr_vec_push(&out->group_way, java ? CR_WAY_JAVA : 0);
			cr_vec_push(&out->group, (uint32_t)out->run.n);
		}
		out->task_group[i] = row;
	}
	cr_index_fini(&index);
}

static void
spell_groups(struct speller *s, const struct cr_groups *g)
{
	for (size_t i = 0; i < g->names.n; i++) {
		run_add(s, g->names.p[i], true, false);
		cr_vec_push(&s->out->group_way, 0);
		cr_vec_push(&s->out->group, (uint32_t)s->out->run.n);
	}
}

/* ---- everything */

static bool
has_way(const struct cr_spelt *out, uint8_t way)
{
	return out->group_way.n && memchr(out->group_way.p, way, out->group_way.n);
}

/* True if every location, in this way, is one frame that no other location has. */
static bool
way_is_apart(const struct cr_spelt *out, const struct cr_profile *p, const uint32_t *first)
{
	uint8_t *seen = cr_alloc(out->frames.n, 1);
	bool apart = true;

	for (uint32_t i = 0; i < p->n_locations && apart; i++) {
		apart = first[i + 1] - first[i] == 1 && !seen[out->run.p[first[i]]];
		if (apart)
			seen[out->run.p[first[i]]] = 1;
	}
	free(seen);
	return apart;
}

static bool
is_apart(const struct speller *s)
{
	const struct cr_spelt *out = s->out;
	bool apart = !s->o->recursive && !s->o->n_skip_after && !s->o->offsets &&
		     out->group_way.n && (out->group.p[1] || out->group_way.n == 1);

	for (size_t i = 0; i < out->group_way.n && apart; i++)
		apart = out->group.p[i + 1] - out->group.p[i] == out->group.p[1];
	for (int way = 0; way < CR_WAYS && apart; way++)
		apart = !out->s.inner[way] || way_is_apart(out, s->p, out->s.inner[way]);
	return apart;
}

void
cr_spelt_make(const struct cr_profile *p, const struct cr_collapse_opts *o,
	const struct cr_groups *groups, struct cr_spelt *out)
{
	struct speller s = {.p = p,
		.o = o,
		.out = out,
		.as_is = p->flags & CR_PROFILE_FOLDED_NAMES ? CR_AS_IS : CR_AS_TIDY};

	*out = (struct cr_spelt){0};
	cr_vec_push(
		&out->frames, ((struct cr_frame){.name = CR_STR("all"), .kind = CR_KIND_GROUP}));
	cr_vec_push(&out->starts, false);
	cr_vec_push(&out->group, 0);
	if (groups)
		spell_groups(&s, groups);
	else
		spell_tasks(&s);
	for (uint8_t way = 0; way < CR_WAYS; way++) {
		if (!has_way(out, way))
			continue;
		out->s.inner[way] = out->s.leaf[way] = out->of_location[way * 2] =
			spell_locations(&s, way, false);
		if (o->offsets)
			out->s.leaf[way] = out->of_location[way * 2 + 1] =
				spell_locations(&s, way, true);
	}
	out->s.frames = out->frames.p;
	out->s.n_frames = (uint32_t)out->frames.n;
	out->s.starts = out->starts.p;
	out->s.run = out->run.p;
	out->s.group = out->group.p;
	out->s.group_way = out->group_way.p;
	out->s.n_groups = (uint32_t)out->group_way.n;
	out->s.once = o->recursive;
	out->s.apart = is_apart(&s);
	cr_index_fini(&s.frames);
	cr_text_fini(&s.name);
	cr_text_fini(&s.room);
}

void
cr_spelt_fini(struct cr_spelt *s)
{
	free(s->task_group);
	cr_vec_fini(&s->frames);
	cr_vec_fini(&s->starts);
	cr_vec_fini(&s->run);
	cr_vec_fini(&s->group);
	cr_vec_fini(&s->group_way);
	for (size_t i = 0; i < CR_LEN(s->of_location); i++)
		free(s->of_location[i]);
}
