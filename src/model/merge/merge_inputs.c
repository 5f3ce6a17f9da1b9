#include "merge_p.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- identity of a recording: a hash of all its tables */

static uint64_t
add(uint64_t h, uint64_t v)
{
	return cr_digest_mix(h, v);
}

static uint64_t
add_str(uint64_t h, struct cr_str s)
{
	return cr_digest_mix(h, cr_digest(s.p, s.len));
}

static uint64_t
hash_code(const struct cr_profile *p)
{
	uint64_t h = p->n_dsos;

	for (uint32_t i = 0; i < p->n_dsos; i++) {
		const struct cr_dso *o = &p->dsos[i];

		h = add(add(add_str(h, o->name), o->kind), cr_digest(o->build_id, o->build_id_len));
	}
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct cr_function *f = &p->functions[i];

		h = add_str(add_str(add_str(h, f->name), f->linkage), f->file);
		h = add(add(h, (uint64_t)f->line << 32 | f->dso.i), f->addr);
	}
	for (uint32_t i = 0; i < p->n_lines; i++)
		h = add_str(add(h, (uint64_t)p->lines[i].function.i << 32 | p->lines[i].line),
			p->lines[i].file);
	for (uint32_t i = 0; i < p->n_codes; i++) {
		const struct cr_machine_code *c = &p->codes[i];

		h = add_str(add(add(add(h, c->function.i), c->addr), c->base), c->bytes);
		h = add(h, (uint64_t)c->machine << 16 | (uint64_t)c->bits << 8 | c->big_endian);
	}
	for (uint32_t i = 0; i < p->n_source_lines; i++)
		h = add_str(add(add_str(h, p->source_lines[i].file), p->source_lines[i].line),
			p->source_lines[i].text);
	return h;
}

static uint64_t
hash_stacks(const struct cr_profile *p)
{
	uint64_t h = p->n_nodes;

	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		h = add(add(h, l->addr), (uint64_t)l->dso.i << 32 | l->first_line);
		h = add(h, (uint64_t)l->lines << 16 | l->ordinal);
	}
	for (uint32_t i = 1; i < p->n_nodes; i++)
		h = add(h, (uint64_t)p->node_parent[i] << 32 | p->node_location[i]);
	for (uint32_t i = 0; i < p->n_tasks; i++) {
		const struct cr_task *t = &p->tasks[i];

		h = add_str(add(add(h, (uint64_t)(uint32_t)t->pid << 32 | (uint32_t)t->tid),
				    t->space.i),
			t->comm);
	}
	for (uint32_t i = 0; i < p->n_maps; i++) {
		const struct cr_map *map = &p->maps[i];

		h = add(add(add(h, map->start), map->end), map->pgoff);
		h = add(add(add(h, map->born), map->died),
			(uint64_t)map->space.i << 32 | map->dso.i);
	}
	return h;
}

static uint64_t
hash_samples(const struct cr_profile *p)
{
	const struct cr_samples *s = &p->samples;
	const void *const column[CR_SAMPLE_COLUMNS] = {
		s->time_ns, s->weight, s->task, s->node, s->cpu, s->event};
	uint64_t h = s->n;

	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		h = add(h, cr_digest(column[c], (size_t)s->n * cr_sample_column_bytes(c)));
	cr_samples_done(s, 0, s->n);
	for (uint32_t i = 0; i < p->n_events; i++)
		h = add_str(add_str(h, p->events[i].name), p->events[i].unit);
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		h = add(add(add_str(h, d->name), d->event.i), d->form);
		if (d->value)
			h = add(h, cr_digest(d->value, (size_t)d->n * sizeof(*d->value)));
	}
	for (uint32_t i = 0; i < p->n_texts; i++)
		h = add_str(h, p->texts[i]);
	for (uint32_t i = 0; i < p->n_quality; i++)
		h = add(add_str(h, p->quality[i].what), p->quality[i].count);
	return h;
}

uint64_t
cr_merge_number(struct cr_str s)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < s.len; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || v > UINT64_MAX / 10 - 1)
			return 0;
		v = v * 10 + (uint64_t)(s.p[i] - '0');
	}
	return v;
}

void
cr_merge_input_of(const struct cr_profile *p, struct cr_str name, struct cr_merge_input *out)
{
	const uint64_t parts[] = {hash_code(p), hash_stacks(p), hash_samples(p), p->flags};
	const struct cr_hash128 digest = cr_hash128(parts, sizeof(parts), 0);

	*out = (struct cr_merge_input){
		.digest = {digest.lo, digest.hi},
		.samples = p->samples.n,
		.spaces = CR_MAX(p->n_spaces, 1u),
		.flags = p->flags,
		.duration_ns = cr_merge_number(cr_profile_fact(p, "duration_ns")),
		.name = name,
		.host = cr_profile_fact(p, "hostname"),
		.date = cr_profile_fact(p, "date"),
		.command = cr_profile_fact(p, "cmdline"),
		.wall = cr_profile_fact(p, "wall"),
	};
	if (p->n_events) {
		out->event = p->events[cr_event_main(p).i].name;
		out->unit = p->events[cr_event_main(p).i].unit;
	}
}

/* ---- order of the inputs */

int
cr_merge_inputs_cmp(const struct cr_merge_input *a, const struct cr_merge_input *b)
{
	const struct cr_str x[] = {
		a->host, a->date, a->name, a->command, a->event, a->unit, a->wall};
	const struct cr_str y[] = {
		b->host, b->date, b->name, b->command, b->event, b->unit, b->wall};
	const uint64_t v[] = {a->digest.lo, a->digest.hi, a->samples, a->spaces, a->flags,
		a->first_ns, a->duration_ns};
	const uint64_t w[] = {b->digest.lo, b->digest.hi, b->samples, b->spaces, b->flags,
		b->first_ns, b->duration_ns};

	for (size_t i = 0; i < CR_LEN(x); i++)
		if (!cr_str_eq(x[i], y[i]))
			return cr_str_cmp(x[i], y[i]);
	for (size_t i = 0; i < CR_LEN(v); i++)
		if (v[i] != w[i])
			return v[i] < w[i] ? -1 : 1;
	return 0;
}

/* ---- the fact: one line for each input, fields separated by tabs, special bytes as %XX */

void
cr_merge_put_text(struct cr_text *out, struct cr_str s)
{
	cr_text_char(out, '\t');
	for (uint32_t i = 0; i < s.len; i++) {
		const unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 || c == 0x7f || c == '%')
			cr_text_printf(out, "%%%02x", c);
		else
			cr_text_char(out, s.p[i]);
	}
}

void
cr_merge_inputs_put(const struct cr_merge_input *in, struct cr_text *out)
{
	const struct cr_str texts[] = {
		in->event, in->unit, in->wall, in->name, in->host, in->date, in->command};

	cr_text_printf(out,
		"%016" PRIx64 "%016" PRIx64 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64
		"\t%" PRIu64,
		in->digest.hi, in->digest.lo, in->samples, in->spaces, in->flags, in->first_ns,
		in->duration_ns);
	for (size_t i = 0; i < CR_LEN(texts); i++)
		cr_merge_put_text(out, texts[i]);
	cr_text_char(out, '\n');
}

/* Split off the text up to the next tab or the end of the line. */
static struct cr_str
parse_field(struct cr_str *line)
{
	const char *tab = line->len ? memchr(line->p, '\t', line->len) : NULL;
	const struct cr_str field = tab ? cr_str_to(*line, tab) : *line;

	*line = tab ? cr_str_from(*line, tab + 1) : (struct cr_str){"", 0};
	return field;
}

static int
digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint64_t
hex(struct cr_str s)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < s.len && digit(s.p[i]) >= 0; i++)
		v = v << 4 | (uint64_t)digit(s.p[i]);
	return v;
}

uint64_t
cr_merge_get_number(struct cr_str *line)
{
	return cr_merge_number(parse_field(line));
}

struct cr_str
cr_merge_get_text(struct cr_str *line, struct cr_arena *arena)
{
	const struct cr_str field = parse_field(line);
	char *out = cr_arena_alloc(arena, field.len + 1u);
	uint32_t n = 0;

	for (uint32_t i = 0; i < field.len; i++) {
		const bool packed = field.p[i] == '%' && i + 2 < field.len;

		out[n++] = packed ? (char)hex((struct cr_str){field.p + i + 1, 2}) : field.p[i];
		i += packed ? 2 : 0;
	}
	return (struct cr_str){out, n};
}

static bool
parse_input(struct cr_str line, struct cr_arena *arena, struct cr_merge_input *in)
{
	const struct cr_str digest = parse_field(&line);
	uint64_t spaces, flags;

	if (digest.len != 32)
		return false;
	in->digest = (struct cr_hash_pair){.lo = hex(cr_str_from(digest, digest.p + 16)),
		.hi = hex(cr_str_to(digest, digest.p + 16))};
	in->samples = cr_merge_get_number(&line);
	spaces = cr_merge_get_number(&line);
	flags = cr_merge_get_number(&line);
	in->spaces = (uint32_t)spaces;
	in->flags = (uint32_t)flags;
	in->first_ns = cr_merge_get_number(&line);
	in->duration_ns = cr_merge_get_number(&line);
	in->event = cr_merge_get_text(&line, arena);
	in->unit = cr_merge_get_text(&line, arena);
	in->wall = cr_merge_get_text(&line, arena);
	in->name = cr_merge_get_text(&line, arena);
	in->host = cr_merge_get_text(&line, arena);
	in->date = cr_merge_get_text(&line, arena);
	in->command = cr_merge_get_text(&line, arena);
	return spaces > 0 && spaces <= UINT32_MAX && flags <= UINT32_MAX;
}

void
cr_merge_inputs(const struct cr_profile *p, struct cr_merge_inputs *out)
{
	struct cr_str rest = cr_profile_fact(p, CR_MERGE_INPUTS);
	CR_VEC(struct cr_merge_input) found = {0};
	uint64_t samples = 0, spaces = 0;
	bool good = true;
	const char *end;

	*out = (struct cr_merge_inputs){0};
	while (good && rest.len && (end = memchr(rest.p, '\n', rest.len))) {
		struct cr_merge_input in;

		good = parse_input(cr_str_to(rest, end), &out->texts, &in);
		samples = cr_add_sat(samples, in.samples);
		spaces = cr_add_sat(spaces, in.spaces);
		cr_vec_push(&found, in);
		rest = cr_str_from(rest, end + 1);
	}
	out->p = found.p;
	out->n = (uint32_t)found.n;
	/*
	 * If the list does not match the tables it is ignored, and the profile counts as one
	 * recording.
	 */
	if (good && rest.len == 0 && found.n && spaces == p->n_spaces &&
		(samples == p->samples.n || !p->samples.n))
		return;
	cr_merge_inputs_fini(out);
}

void
cr_merge_inputs_fini(struct cr_merge_inputs *inputs)
{
	free(inputs->p);
	cr_arena_fini(&inputs->texts);
	*inputs = (struct cr_merge_inputs){0};
}

void
cr_merge_inputs_of_tasks(
	const struct cr_profile *p, const struct cr_merge_inputs *inputs, uint32_t *of)
{
	uint32_t *ends = cr_alloc(inputs->n, sizeof(*ends)), end = 0;

	for (uint32_t i = 0; i < inputs->n; i++)
		ends[i] = end += inputs->p[i].spaces;
	for (uint32_t t = 0; t < p->n_tasks; t++) {
		uint32_t lo = 0, hi = inputs->n - 1;

		while (lo < hi) {
			const uint32_t mid = lo + (hi - lo) / 2;

			if (p->tasks[t].space.i < ends[mid])
				hi = mid;
			else
				lo = mid + 1;
		}
		of[t] = lo;
	}
	free(ends);
}

void
cr_merge_recordings(const struct cr_profile *p, uint32_t *recording)
{
	struct cr_merge_inputs inputs;

	cr_merge_inputs(p, &inputs);
	if (inputs.n)
		cr_merge_inputs_of_tasks(p, &inputs, recording);
	else
		memset(recording, 0, p->n_tasks * sizeof(*recording));
	cr_merge_inputs_fini(&inputs);
}
