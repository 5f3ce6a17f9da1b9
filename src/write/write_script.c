#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"
#include "write/writer.h"

#include <stdlib.h>

/*
 * One block per sample, in the order of recording, with the fields that the recording has:
 *
 *	COMM PID/TID [CPU] SECONDS.NANOSECONDS: PERIOD EVENT:  FIELD=VALUE FIELD=VALUE
 *	<TAB>HEX SYMBOL+0xOFFSET (DSO)           leaf first
 *	  FILE:LINE                              if known and requested
 *	<blank line>
 *
 * Inlined functions precede the one they are inlined into, with the same address, as
 * SYMBOL+0xOFFSET (inlined); the offset is from the start of the function with the code, as in
 * perf. Frames without code, such as "[truncated]", are omitted.
 *
 * FIELD=VALUE are the requested fields that the sample has.
 *
 * A recording has many more frames than locations. So the text after an address is built once per
 * location, and absolute addresses are cached while the maps of the space are unchanged.
 */
#define IP_MEMOS (1u << 16)

struct ip_memo {
	uint64_t ip;
	uint32_t space, location;
	uint32_t epoch; /* of the space; 0 if free */
};

/* From this row on the maps of the space differ. */
struct change {
	uint64_t row;
	uint32_t space;
};

/* The selected fields of one event. */
struct fields {
	uint32_t first, n;
	uint64_t row; /* next sample of the event */
};

/* A part of `pieces`; len 0 if not built yet. */
struct piece {
	size_t at;
	uint32_t len;
};

struct script_options {
	const char *fields; /* requested fields, separated by ",", or "all"; NULL for none */
	bool srcline;       /* print the source line after each frame, if known */
	bool full_source_path;
};

struct script {
	const struct cr_profile *p;
	const struct script_options *o;
	const uint64_t *times, *weights; /* the columns, by row */
	const uint32_t *tasks, *nodes;
	const uint16_t *cpus;
	struct cr_event_column events_of;
	struct cr_text pieces;
	struct piece *heads;  /* by task: "COMM PID/TID " */
	struct piece *events; /* by event: " NAME:" */
	bool *derived;        /* by event: not recorded, so written only on request */
	struct piece *tails;  /* by location: its lines, without the address after each tab */
	struct ip_memo *memos;
	uint32_t *epoch; /* by space: starts at 1, incremented with every change of its maps */
	CR_VEC(struct change) changes;
	size_t next_change;
	CR_VEC(const struct cr_field *) wanted_fields; /* selected ones, sorted by event */
	struct fields *fields;                         /* by event */
	struct cr_text text;
};

static struct piece
piece_ends(const struct script *s, size_t from)
{
	return (struct piece){from, (uint32_t)(s->pieces.len - from)};
}

static void
put_piece(struct script *s, const struct piece *piece)
{
	cr_text_put(&s->text, s->pieces.p + piece->at, piece->len);
}

static int
by_row(const void *x, const void *y)
{
	const struct change *a = x, *b = y;

	return (a->row > b->row) - (a->row < b->row);
}

static void
script_changes(struct script *s)
{
	const struct cr_profile *p = s->p;

	s->memos = cr_alloc(IP_MEMOS, sizeof(*s->memos));
	s->epoch = cr_alloc((uint64_t)p->n_spaces + 1, sizeof(*s->epoch));
	for (uint32_t i = 0; i <= p->n_spaces; i++)
		s->epoch[i] = 1;
	for (uint32_t i = 0; i < p->n_maps; i++) {
		const struct cr_map *m = &p->maps[i];
		const uint32_t space = CR_MIN(m->space.i, p->n_spaces);

		cr_vec_push(&s->changes, ((struct change){m->born, space}));
		cr_vec_push(&s->changes, ((struct change){m->died, space}));
	}
	if (s->changes.n > 0)
		qsort(s->changes.p, s->changes.n, sizeof(*s->changes.p), by_row);
}

/* Rows are written in order, so that every change is passed once. */
static void
script_pass_changes(struct script *s, uint64_t row)
{
	for (; s->next_change < s->changes.n && s->changes.p[s->next_change].row <= row;
		s->next_change++)
		s->epoch[s->changes.p[s->next_change].space]++;
}

/* Recordings without maps need no spaces; unknown ones share one. */
static uint32_t
space_of(const struct script *s, uint64_t row)
{
	return CR_MIN(s->p->tasks[s->tasks[row]].space.i, s->p->n_spaces);
}

static uint64_t
script_ip(struct script *s, uint64_t row, uint32_t space, uint32_t node)
{
	const uint32_t location = s->p->node_location[node];
	struct ip_memo *m = &s->memos[cr_hash_mix(space, location) & (IP_MEMOS - 1)];

	if (m->epoch != s->epoch[space] || m->space != space || m->location != location)
		*m = (struct ip_memo){
			cr_profile_ip(s->p, row, node), space, location, s->epoch[space]};
	return m->ip;
}

static void
script_heads(struct script *s)
{
	const struct cr_profile *p = s->p;

	s->heads = cr_alloc(p->n_tasks, sizeof(*s->heads));
	s->events = cr_alloc(p->n_events, sizeof(*s->events));
	s->derived = cr_alloc(p->n_events, sizeof(*s->derived));
	for (uint32_t i = 0; i < p->n_tasks; i++) {
		const struct cr_task *t = &p->tasks[i];
		const size_t from = s->pieces.len;

		if (t->comm.len > 0)
			cr_text_safe(&s->pieces, t->comm);
		else
			cr_text_printf(&s->pieces, ":%d", t->tid);
		cr_text_printf(&s->pieces, " %d/%d ", t->pid, t->tid);
		s->heads[i] = piece_ends(s, from);
	}
	for (uint32_t i = 0; i < p->n_events; i++) {
		const size_t from = s->pieces.len;

		cr_text_char(&s->pieces, ' ');
		cr_text_safe(&s->pieces, p->events[i].name);
		cr_text_char(&s->pieces, ':');
		s->events[i] = piece_ends(s, from);
		s->derived[i] = cr_event_is_derived(p, (cr_event_id){i});
	}
}

/* Line k of a location. Its last line is not inlined. */
static void
put_line(struct cr_text *t, const struct cr_profile *p, const struct cr_location *l, uint32_t k)
{
	const struct cr_function *f = &p->functions[p->lines[l->first_line + k].function.i];
	const struct cr_function *host =
		&p->functions[p->lines[l->first_line + l->lines - 1].function.i];
	const struct cr_str dso = p->dsos[l->dso.i].name;

	cr_text_puts(t, "\t ");
	cr_text_safe(t, f->name.len ? f->name : CR_STR("[unknown]"));
	if (host->name.len && (p->flags & CR_PROFILE_HAS_ADDR) && l->addr >= host->addr) {
		cr_text_puts(t, "+0x");
		cr_text_hex(t, l->addr - host->addr);
	}
	cr_text_puts(t, " (");
	if (k + 1 < l->lines)
		cr_text_puts(t, "inlined");
	else
		cr_text_safe(t, dso.len > 0 ? dso : CR_STR("[unknown]"));
	cr_text_puts(t, ")\n");
}

static void
put_source(const struct script *s, const struct cr_line *line, struct cr_text *t)
{
	const struct cr_str file = cr_line_file(s->p, line);

	if (!file.len)
		return;
	cr_text_puts(t, "  ");
	cr_text_safe(t, s->o->full_source_path ? file : cr_str_basename(file));
	cr_text_printf(t, ":%u\n", line->line);
}

static const struct piece *
script_tail(struct script *s, uint32_t location)
{
	const struct cr_location *l = &s->p->locations[location];
	struct piece *tail = &s->tails[location];
	const size_t from = s->pieces.len;

	if (tail->len > 0 || s->p->dsos[l->dso.i].kind == CR_KIND_GROUP)
		return tail;
	for (uint32_t k = 0; k < l->lines; k++) {
		put_line(&s->pieces, s->p, l, k);
		if (s->o->srcline)
			put_source(s, &s->p->lines[l->first_line + k], &s->pieces);
	}
	*tail = piece_ends(s, from);
	return tail;
}

static void
put_frame(struct script *s, uint64_t ip, const struct piece *tail)
{
	const char *p = s->pieces.p + tail->at, *end = p + tail->len;

	while (p < end) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));

		if (*p == '\t') {
			cr_text_char(&s->text, *p++);
			cr_text_hex(&s->text, ip);
		}
		cr_text_put(&s->text, p, (size_t)(line_end + 1 - p));
		p = line_end + 1;
	}
}

static void
put_stack(struct script *s, uint64_t row)
{
	const struct cr_profile *p = s->p;
	const uint32_t space = space_of(s, row);

	for (uint32_t n = s->nodes[row]; n != 0; n = p->node_parent[n])
		put_frame(s, script_ip(s, row, space, n), script_tail(s, p->node_location[n]));
	cr_text_char(&s->text, '\n');
}

/* v with at least this number of digits. */
static void
put_digits(struct cr_text *t, uint64_t v, size_t digits)
{
	const size_t from = t->len;
	size_t have;

	cr_text_u64(t, v);
	have = t->len - from;
	if (have >= digits)
		return;
	cr_text_pad(t, '0', digits - have);
	memmove(t->p + from + (digits - have), t->p + from, have);
	memset(t->p + from, '0', digits - have);
}

/* ---- fields */

static struct cr_str
first_word(const char *list)
{
	return (struct cr_str){list, (uint32_t)strcspn(list, ",")};
}

/* What follows the first word of a list; NULL if nothing does. */
static const char *
next_word(const char *list)
{
	list += strcspn(list, ",");
	return *list ? list + 1 : NULL;
}

static bool
is_listed(const char *list, struct cr_str name)
{
	for (; list; list = next_word(list))
		if (cr_str_eq(first_word(list), name))
			return true;
	return false;
}

/* Fields are sorted by event, and so are the selected ones. */
static int
script_fields(struct script *s, const char *list, struct cr_err *err)
{
	const struct cr_profile *p = s->p;
	const bool all = list && strcmp(list, "all") == 0;

	if (list)
		cr_needed(p, CR_NEEDS_FIELDS);
	s->fields = cr_alloc(p->n_events, sizeof(*s->fields));
	for (const char *at = all ? NULL : list; at; at = next_word(at))
		if (!cr_field_exists(p, first_word(at)))
			return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
				"no field '%.*s' (cresset info lists the fields)",
				(int)strcspn(at, ","), at);
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];
		struct fields *of = &s->fields[d->event.i];

		if (!all && !is_listed(list, d->name))
			continue;
		if (of->n++ == 0)
			of->first = (uint32_t)s->wanted_fields.n;
		cr_vec_push(&s->wanted_fields, d);
	}
	return CR_OK;
}

static void
put_fields(struct script *s, const struct fields *of)
{
	const char *between = "  ";

	for (uint32_t i = of->first; i < of->first + of->n; i++) {
		const struct cr_field *d = s->wanted_fields.p[i];
		const uint64_t value = d->value[of->row];

		if (value == cr_form_none(d->form))
			continue;
		cr_text_puts(&s->text, between);
		cr_text_safe(&s->text, d->name);
		cr_text_char(&s->text, '=');
		cr_field_put(s->p, d, value, &s->text);
		between = " ";
	}
}

static void
put_head(struct script *s, uint64_t row)
{
	const struct cr_profile *p = s->p;
	const uint32_t event = cr_event_of(&s->events_of, row);
	struct cr_text *t = &s->text;

	if (p->flags & CR_PROFILE_HAS_TASK)
		put_piece(s, &s->heads[s->tasks[row]]);
	if ((p->flags & CR_PROFILE_HAS_CPU) && s->cpus[row] != CR_CPU_NONE) {
		cr_text_char(t, '[');
		if (s->cpus[row] == CR_CPU_UNKNOWN)
			cr_text_puts(t, "-01");
		else
			put_digits(t, s->cpus[row], 3);
		cr_text_puts(t, "] ");
	}
	if (p->flags & CR_PROFILE_HAS_TIME) {
		cr_text_u64(t, s->times[row] / 1000000000);
		cr_text_char(t, '.');
		put_digits(t, s->times[row] % 1000000000, 9);
		cr_text_puts(t, ": ");
	}
	cr_text_u64(t, s->weights[row]);
	put_piece(s, &s->events[event]);
	put_fields(s, &s->fields[event]);
	cr_text_char(t, '\n');
}

static int
script_samples(struct script *s, const uint8_t *select, struct cr_sink *out, struct cr_err *err)
{
	int rc;

	for (uint64_t row = 0; row < s->p->samples.n;
		s->fields[cr_event_of(&s->events_of, row++)].row++) {
		if (select ? !select[row] : s->derived[cr_event_of(&s->events_of, row)])
			continue;
		script_pass_changes(s, row);
		put_head(s, row);
		put_stack(s, row);
		if ((rc = cr_sink_large(out, &s->text, err)) < 0)
			return rc;
	}
	return cr_sink_text(out, &s->text, err);
}

static int
script_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct script s = {
		.p = in->p,
		.o = options,
		.times = cr_column_times(in->p),
		.weights = cr_column_weights(in->p),
		.tasks = cr_column_tasks(in->p),
		.nodes = cr_column_nodes(in->p),
		.cpus = cr_column_cpus(in->p),
		.events_of = cr_column_events(in->p),
	};
	int rc;

	cr_needed(in->p, CR_NEEDS_TREE | CR_NEEDS_MAPS);
	s.tails = cr_alloc(s.p->n_locations, sizeof(*s.tails));
	script_heads(&s);
	script_changes(&s);
	rc = script_fields(&s, s.o->fields, err);
	if (rc == CR_OK)
		rc = script_samples(&s, in->select, out, err);
	free(s.heads);
	free(s.events);
	free(s.derived);
	free(s.tails);
	free(s.memos);
	free(s.epoch);
	free(s.fields);
	cr_vec_fini(&s.changes);
	cr_vec_fini(&s.wanted_fields);
	cr_text_fini(&s.pieces);
	cr_text_fini(&s.text);
	return rc;
}

static unsigned
script_needs(const void *options)
{
	const struct script_options *o = options;

	return o->fields ? CR_WRITER_FIELDS : 0;
}

static const char *const script_extensions[] = {".script", NULL};

static const struct cr_option_spec script_options[] = {
	{.name = "fields",
		.arg = "NAMES",
		.help = "also write these fields of the samples: a,b,c or all",
		.type = CR_OPTION_TEXT,
		.at = offsetof(struct script_options, fields),
		.min = 1},
	{.name = "srcline",
		.help = "write the source line after each frame, as perf script -F +srcline",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct script_options, srcline)},
	{.name = "full-source-path",
		.help = "with --srcline: the path of the source file, not only its name",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct script_options, full_source_path)},
	{.name = NULL},
};

const struct cr_writer cr_writer_script = {
	.name = "script",
	.extensions = script_extensions,
	.about = "one block per sample with its stack, in the order of the recording",
	.needs = CR_WRITER_SAMPLES,
	.options = script_options,
	.options_size = sizeof(struct script_options),
	.needs_for = script_needs,
	.write = script_write,
};
