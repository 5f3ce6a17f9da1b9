#include "base/hash.h"
#include "read/kit/stacks_p.h"

/*
 * What callgrind and cachegrind write, other programs in their format, and export -f callgrind.
 * write_callgrind.c shows an example. Keys are
 *
 *	ob= fl= fn=             object, source file and function of the costs that follow
 *	fi= fe=                 another source file, of a function inlined there
 *	cob= cfi= cfl= cfn=     the same of a function that is called; the file of its calls= line
 *	calls= and a cost       costs of that call, with everything below it
 *	jump= jcnd= jfi= jfn=   jumps, with a line without costs
 *
 * "(3) name" gives a name a number, "(3)" is that name. A cost is a line of positions, then one
 * number per event; "+3", "-3" and "*" are relative to the line before.
 *
 * The file is a graph: it says what each function costs itself, and what each call costs, but not
 * which stacks they belong to. So a function becomes a stack of one frame with its self cost, which
 * is exact. Costs of calls are left out; the data quality has their number.
 */
#define POSITIONS_MOST 4u
#define EVENTS_MOST 60u

/* Names with numbers, of one kind: objects, files or functions. */
struct names {
	struct cr_index by_id;
	CR_VEC(uint64_t) ids;
	CR_VEC(struct cr_str) rows;
};

struct callgrind {
	struct cr_stacks s;
	struct names objects, files, functions;
	struct cr_str object, file, function;
	uint64_t last[POSITIONS_MOST + EVENTS_MOST]; /* of the line before, by column */
	uint32_t n_positions, line_column;           /* POSITIONS_MOST: there are no lines */
	CR_VEC(cr_event_id) events;
	bool is_call; /* the next costs are those of a call */
	uint64_t calls;
};

/* ---- names */

/* Find the name with a number, or give it one. Returns NULL if it has none. */
static struct cr_str *
name_numbered(struct names *n, uint64_t id, struct cr_str name)
{
	const uint64_t h = cr_hash_mix(id, 0);
	uint32_t row;

	cr_index_each(&n->by_id, h, row)
		if (n->ids.p[row] == id)
			break;
	if (row == CR_NO_ROW) {
		if (!name.len)
			return NULL;
		row = (uint32_t)n->rows.n;
		cr_vec_push(&n->ids, id);
		cr_vec_push(&n->rows, name);
		cr_index_add(&n->by_id, h, row);
	} else if (name.len) {
		n->rows.p[row] = name;
	}
	return &n->rows.p[row];
}

/*
 * "(3) name", "(3)" or "name". False if the number has no name. b: the name will be used, by as
 * many lines of costs as follow it; or NULL.
 */
static bool
name_parse(struct names *n, struct cr_builder *b, struct cr_str text, struct cr_str *out)
{
	const char *end = text.len && *text.p == '(' ? memchr(text.p, ')', text.len) : NULL;
	struct cr_str *known;
	uint64_t id;

	if (!end || !cr_scan_u64((struct cr_str){text.p + 1, (uint32_t)(end - text.p - 1)}, &id)) {
		*out = b ? cr_builder_shared(b, text) : text;
		return true;
	}
	known = name_numbered(n, id, cr_scan_trim(cr_str_from(text, end + 1)));
	if (known && b)
		*known = cr_builder_shared(b, *known);
	*out = known ? *known : CR_STR("");
	return known != NULL;
}

static void
names_fini(struct names *n)
{
	cr_index_fini(&n->by_id);
	cr_vec_fini(&n->ids);
	cr_vec_fini(&n->rows);
}

/* ---- header */

static void
events_read(struct callgrind *c, struct cr_str rest)
{
	struct cr_str name;

	c->events.n = 0;
	memset(c->last, 0, sizeof(c->last));
	while ((name = cr_scan_word(&rest)).len && c->events.n < EVENTS_MOST) {
		const struct cr_str unit =
			c->s.opts->unit ? cr_str_of(c->s.opts->unit) : CR_STR("events");

		cr_vec_push(&c->events, cr_builder_event(c->s.b, name, unit));
		if (c->events.n == 1)
			cr_builder_fact(c->s.b, "main event", name);
	}
}

static void
positions_read(struct callgrind *c, struct cr_str rest)
{
	struct cr_str name;

	c->n_positions = 0;
	c->line_column = POSITIONS_MOST;
	while ((name = cr_scan_word(&rest)).len && c->n_positions < POSITIONS_MOST) {
		if (cr_str_eq(name, CR_STR("line")))
			c->line_column = c->n_positions;
		c->n_positions++;
	}
}

/* "key: value"; returns false for another line. */
static bool
header_read(struct callgrind *c, struct cr_str line)
{
	static const char *const others[] = {"version:", "creator:", "pid:", "thread:", "part:",
		"desc:", "event:", "summary:", "totals:", "rcalls:"};

	if (cr_str_starts(line, "events:")) {
		events_read(c, cr_str_from(line, line.p + strlen("events:")));
		return true;
	}
	if (cr_str_starts(line, "positions:")) {
		positions_read(c, cr_str_from(line, line.p + strlen("positions:")));
		return true;
	}
	if (cr_str_starts(line, "cmd:")) {
		cr_builder_fact(c->s.b, "cmdline",
			cr_scan_trim(cr_str_from(line, line.p + strlen("cmd:"))));
		return true;
	}
	for (size_t i = 0; i < CR_LEN(others); i++)
		if (cr_str_starts(line, others[i]))
			return true;
	return false;
}

/* ---- keys */

/* "fn=(1) main"; returns false for another line. *known: false if the number of a name has none. */
static bool
key_read(struct callgrind *c, struct cr_str line, bool *known)
{
	struct cr_str called; /* or jumped to: only the numbers of names are kept */
	const struct {
		const char *key;
		struct names *names;
		struct cr_str *to;
	} keys[] = {
		{"ob=", &c->objects, &c->object},
		{"fl=", &c->files, &c->file},
		{"fi=", &c->files, &c->file},
		{"fe=", &c->files, &c->file},
		{"fn=", &c->functions, &c->function},
		{"cob=", &c->objects, &called},
		{"cfi=", &c->files, &called},
		{"cfl=", &c->files, &called},
		{"cfn=", &c->functions, &called},
		{"jfi=", &c->files, &called},
		{"jfn=", &c->functions, &called},
	};

	*known = true;
	for (size_t i = 0; i < CR_LEN(keys); i++)
		if (cr_str_starts(line, keys[i].key)) {
			const struct cr_str text = cr_str_from(line, line.p + strlen(keys[i].key));

			*known = name_parse(keys[i].names, keys[i].to == &called ? NULL : c->s.b,
				cr_scan_trim(text), keys[i].to);
			return true;
		}
	if (cr_str_starts(line, "calls=")) {
		c->is_call = true;
		c->calls++;
		return true;
	}
	return cr_str_starts(line, "jump=") || cr_str_starts(line, "jcnd=");
}

/* ---- costs */

/* A number of a line of costs: decimal, 0x.., or relative to the one above. */
static bool
number_parse(struct cr_str word, uint64_t *last)
{
	uint64_t v;

	if (cr_str_eq(word, CR_STR("*")))
		return true;
	if (*word.p == '+' || *word.p == '-') {
		if (!cr_scan_u64(cr_str_from(word, word.p + 1), &v))
			return false;
		*last = *word.p == '+' ? cr_add_sat(*last, v) : *last - CR_MIN(*last, v);
		return true;
	}
	return cr_str_starts(word, "0x") ? cr_scan_hex(cr_str_from(word, word.p + 2), last)
					 : cr_scan_u64(word, last);
}

/* Unknown names are "???" in the format. */
static struct cr_str
known_name(struct cr_str name)
{
	return cr_str_eq(name, CR_STR("???")) ? CR_STR("") : name;
}

static cr_dso_id
dso_of(struct callgrind *c)
{
	const struct cr_dso dso = {.name = known_name(c->object),
		.kind = cr_str_starts(c->object, "[kernel") ? CR_KIND_KERNEL : CR_KIND_USER};

	return dso.name.len ? cr_builder_dso(c->s.b, &dso) : CR_DSO_UNKNOWN;
}

static void
costs_add(struct callgrind *c, const uint64_t *costs, size_t n)
{
	const uint64_t line = c->line_column < POSITIONS_MOST ? c->last[c->line_column] : 0;
	const struct cr_named named = {.name = c->function.len ? c->function : CR_STR("-"),
		.file = known_name(c->file),
		.line = (uint32_t)CR_MIN(line, (uint64_t)UINT32_MAX)};
	cr_node_id node;

	cr_stacks_frame_at(&c->s, dso_of(c), 0, &named);
	node = cr_stacks_node_leaf_first(&c->s);
	for (size_t i = 0; i < n; i++) {
		if (!costs[i])
			continue;
		c->s.event = c->events.p[i];
		cr_stacks_sample(&c->s, node, costs[i]);
	}
}

/* A line of positions and costs. Returns false, with nothing added, if it is none. */
static bool
costs_read(struct callgrind *c, struct cr_str line)
{
	uint64_t now[CR_LEN(c->last)];
	uint32_t n = 0;
	struct cr_str word;

	memcpy(now, c->last, sizeof(now));
	while ((word = cr_scan_word(&line)).len) {
		if (n == c->n_positions + c->events.n || !number_parse(word, &now[n]))
			return false;
		n++;
	}
	if (n < c->n_positions)
		return false;
	memcpy(c->last, now, sizeof(now));
	if (!c->is_call && n > c->n_positions)
		costs_add(c, now + c->n_positions, n - c->n_positions);
	c->is_call = false;
	return true;
}

static void
line_read(struct callgrind *c, struct cr_str line)
{
	bool known;

	if (*line.p == '#') /* a comment */
		cr_stacks_passed(&c->s);
	else if (header_read(c, line))
		cr_stacks_used(&c->s);
	else if (key_read(c, line, &known) ? known : costs_read(c, line))
		cr_stacks_used(&c->s);
	else
		cr_stacks_report(&c->s,
			strchr("+-*0123456789", *line.p) ? CR_REASON_BAD_COUNT
							 : CR_REASON_BAD_FRAME,
			line);
}

static int
read_callgrind(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct callgrind c = {.n_positions = 1};
	struct cr_str line;

	cr_stacks_open_bare(&c.s, in, b, opts);
	while (cr_stacks_line(&c.s, &line))
		if (line.len)
			line_read(&c, line);
	if (c.calls)
		cr_builder_quality(b,
			CR_STR("calls whose costs are in no stack: the file has no stacks"),
			c.calls);
	cr_builder_flags(b, CR_PROFILE_ADDED_UP);
	names_fini(&c.objects);
	names_fini(&c.files);
	names_fini(&c.functions);
	cr_vec_fini(&c.events);
	return cr_stacks_close(&c.s, err);
}

/* The first line of newer files, or a list of events followed by a function. */
static unsigned
probe_callgrind(const struct cr_head *head, uint64_t *line)
{
	struct cr_scan scan;
	struct cr_str text;
	bool events = false;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		events |= cr_str_starts(text, "events:");
		if (!cr_str_starts(text, "# callgrind format") &&
			!(events && (cr_str_starts(text, "fn=") || cr_str_starts(text, "totals:"))))
			continue;
		*line = scan.line;
		return CR_EVIDENCE_SIGNATURE;
	}
	return 0;
}

const struct cr_reader cr_reader_callgrind = {
	.name = "callgrind",
	.about = "callgrind and cachegrind: callgrind.out.*, self costs of functions and lines",
	.probe = probe_callgrind,
	.read = read_callgrind,
};
