#include "read/kit/stacks_p.h"

/*
 * Traces of Xdebug with trace_format=1: fields separated by TABs, between "TRACE START [" and
 * "TRACE END".
 *
 *	LEVEL  NUMBER  0  TIME  MEMORY  NAME  USER-DEFINED  INCLUDED  FILE  LINE ...   a call
 *	LEVEL  NUMBER  1  TIME  MEMORY                                                  its end
 *	LEVEL  NUMBER  R ...                                                        what it returned
 *
 * The time between two records belongs to the function that ran between them, and so does the
 * memory allocated or freed. FILE and LINE are the position of the call.
 */
struct call {
	uint64_t level, number;
	cr_node_id node;
	uint64_t file, line; /* values of the fields */
};

struct xdebug {
	struct cr_stacks s;
	CR_VEC(struct call) calls; /* running, outermost first */
	struct cr_decimal time;    /* of the last record, ns */
	uint64_t memory;
	cr_event_id spent, taken, freed, called;
	cr_field_id file, line;
};

struct record {
	uint64_t level, number;
	char kind;
	struct cr_decimal time;
	uint64_t memory;
	struct cr_str name, included, file, line;
};

static unsigned
probe_xdebug(const struct cr_head *head, uint64_t *first)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &line)) {
		if (cr_str_starts(line, "TRACE START [")) {
			*first = scan.line;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

/* The next field; "" past the last. */
static struct cr_str
field(struct cr_str *rest)
{
	const char *tab = rest->len ? memchr(rest->p, '\t', rest->len) : NULL;
	const struct cr_str f = {rest->p, tab ? (uint32_t)(tab - rest->p) : rest->len};

	rest->p += f.len + (tab != NULL);
	rest->len -= f.len + (tab != NULL);
	return f;
}

/* *why is the reason if it is false. */
static bool
record_parse(struct cr_str line, struct record *r, enum cr_reason *why)
{
	struct cr_str kind;

	*r = (struct record){0};
	*why = CR_REASON_BAD_FRAME;
	if (!cr_scan_u64(field(&line), &r->level) || !cr_scan_u64(field(&line), &r->number))
		return false;
	kind = field(&line);
	if (kind.len != 1)
		return false;
	r->kind = kind.p[0];
	if (r->kind != '0' && r->kind != '1')
		return true;
	*why = CR_REASON_BAD_COUNT;
	if (!cr_scan_decimal(field(&line), 9, &r->time) || r->time.negative)
		return false;
	cr_scan_u64(field(&line), &r->memory);
	r->name = field(&line);
	field(&line); /* user-defined or built-in */
	r->included = field(&line);
	r->file = field(&line);
	r->line = field(&line);
	return true;
}

static void
sample_add(struct xdebug *x, const struct call *c, cr_event_id event, uint64_t weight)
{
	cr_builder_sample(x->s.b, &(struct cr_sample){.time_ns = x->time.value,
					  .weight = weight,
					  .node = c->node,
					  .task = x->s.task,
					  .event = event,
					  .cpu = CR_CPU_NONE});
}

static void
time_add(struct xdebug *x, const struct call *c, uint64_t us)
{
	if (us == 0)
		return;
	sample_add(x, c, x->spent, us);
	cr_builder_value(x->s.b, x->file, c->file);
	cr_builder_value(x->s.b, x->line, c->line);
}

/* Add time and memory since the last record to the running function. */
static void
time_passes(struct xdebug *x, const struct record *r)
{
	const struct call *c = x->calls.n ? &x->calls.p[x->calls.n - 1] : NULL;
	const uint64_t now = CR_MAX(r->time.value, x->time.value);

	if (c) {
		time_add(x, c, now / 1000 - x->time.value / 1000);
		if (r->memory > x->memory)
			sample_add(x, c, x->taken, r->memory - x->memory);
		else if (r->memory < x->memory)
			sample_add(x, c, x->freed, x->memory - r->memory);
	}
	x->time.value = now;
	x->memory = r->memory;
}

/* End functions of the same depth or deeper, though no record said so. */
static void
calls_cut(struct xdebug *x, uint64_t level)
{
	while (x->calls.n && x->calls.p[x->calls.n - 1].level >= level)
		x->calls.n--;
}

static void
call_begin(struct xdebug *x, const struct record *r)
{
	struct call c = {.level = r->level, .number = r->number, .line = UINT64_MAX};
	cr_node_id parent = CR_ROOT;

	calls_cut(x, r->level);
	if (x->calls.n)
		parent = x->calls.p[x->calls.n - 1].node;
	c.node = cr_builder_push(x->s.b, parent,
		cr_builder_named(x->s.b, r->name.len ? r->name : CR_STR("-"), CR_DSO_UNKNOWN));
	c.file = r->file.len ? cr_builder_text(x->s.b, r->file) : UINT64_MAX;
	cr_scan_u64(r->line, &c.line);
	cr_vec_push(&x->calls, c);
	sample_add(x, &c, x->called, 1);
}

static void
call_end(struct xdebug *x, const struct record *r, struct cr_str line)
{
	calls_cut(x, r->level + (r->level < UINT64_MAX));
	if (x->calls.n && x->calls.p[x->calls.n - 1].level == r->level &&
		x->calls.p[x->calls.n - 1].number == r->number)
		x->calls.n--;
	else
		cr_stacks_report(&x->s, CR_REASON_MISSING_REF, line);
}

static void
line_read(struct xdebug *x, struct cr_str line)
{
	enum cr_reason why;
	struct record r;

	if (!record_parse(line, &r, &why)) {
		cr_stacks_report(&x->s, why, line);
		return;
	}
	cr_stacks_used(&x->s);
	if (r.kind != '0' && r.kind != '1')
		return;
	time_passes(x, &r);
	if (r.kind == '0')
		call_begin(x, &r);
	else
		call_end(x, &r, line);
}

/* Read up to the end of the trace; false if the input ends first. */
static bool
trace_read(struct xdebug *x)
{
	struct cr_str line;

	x->calls.n = 0;
	x->time.value = 0;
	while (cr_stacks_line(&x->s, &line)) {
		if (cr_str_starts(line, "TRACE END") || cr_str_starts(line, "\t")) {
			cr_stacks_used(&x->s);
			return true;
		}
		if (line.len)
			line_read(x, line);
	}
	return false;
}

static void
events_make(struct xdebug *x)
{
	struct cr_builder *b = x->s.b;

	x->spent = cr_builder_event(b, CR_STR("time"), CR_STR("us"));
	x->taken = cr_builder_event(b, CR_STR("memory"), CR_STR("bytes"));
	x->freed = cr_builder_event(b, CR_STR("memory freed"), CR_STR("bytes"));
	x->called = cr_builder_event(b, CR_STR("calls"), CR_STR("calls"));
	x->file = cr_builder_field(b, x->spent, CR_STR("file"), CR_FORM_TEXT);
	x->line = cr_builder_field(b, x->spent, CR_STR("line"), CR_FORM_NUMBER);
	cr_builder_fact(b, "main event", CR_STR("time"));
	cr_builder_flags(b, CR_PROFILE_HAS_TIME);
}

static int
read_xdebug(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct xdebug x = {0};
	struct cr_str line;
	bool ended = true;

	cr_stacks_open_bare(&x.s, in, b, opts);
	events_make(&x);
	while (cr_stacks_line(&x.s, &line)) {
		cr_stacks_passed(&x.s);
		if (!cr_str_starts(line, "TRACE START ["))
			continue;
		cr_stacks_used(&x.s);
		ended = trace_read(&x);
	}
	if (!ended && x.calls.n)
		cr_stacks_report(&x.s, CR_REASON_UNCLOSED, CR_STR("the trace ends inside a call"));
	cr_vec_fini(&x.calls);
	return cr_stacks_close(&x.s, err);
}

const struct cr_reader cr_reader_xdebug = {
	.name = "xdebug",
	.about = "Xdebug: traces with trace_format=1 (.xt)",
	.probe = probe_xdebug,
	.read = read_xdebug,
};
