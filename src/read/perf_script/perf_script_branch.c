#include "perf_script_branch_p.h"

#include "bytes/scan.h"
#include "perf_script_p.h"

void
cr_perf_script_edges_init(struct perf_script_edges *d)
{
	cr_line_cache_init(&d->known);
}

void
cr_perf_script_edges_fini(struct perf_script_edges *d)
{
	cr_line_cache_fini(&d->known);
	cr_vec_fini(&d->ends);
	cr_vec_fini(&d->edges);
	cr_index_fini(&d->index);
	cr_vec_fini(&d->traced1);
}

#define SEARCHED 4096u /* bytes in which the first entry of a line may begin */
#define PLUSES 8u /* in a name and its offset; more would be looked for at each of these bytes */

/* ---- the form of an entry: FROM/TO/FLAGS/IN_TX/ABORT/CYCLES, then maybe /TYPE/SPEC */

struct flags {
	uint32_t at, end; /* of the text from the slash before the flags to the end of the entry */
	uint8_t kind;
	uint64_t cycles;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Consume a field of these letters, after its slash. */
static bool
letters(struct cr_str s, uint32_t *at, const char *allowed, uint32_t most)
{
	uint32_t n = 0;

	if (*at >= s.len || s.p[*at] != '/')
		return false;
	for (++*at; *at < s.len && s.p[*at] && strchr(allowed, s.p[*at]); ++*at)
		n++;
	return n >= 1 && n <= most;
}

static bool
flags_at(struct cr_str s, uint32_t at, struct flags *out)
{
	const uint32_t first = at + 1;
	uint32_t in_tx, digits;

	*out = (struct flags){.at = at};
	if (!letters(s, &at, "MPN-", 3))
		return false;
	if (memchr(s.p + first, 'M', at - first))
		out->kind |= CR_BRANCH_MISSED;
	else if (memchr(s.p + first, 'P', at - first))
		out->kind |= CR_BRANCH_PREDICTED;
	in_tx = at + 1;
	if (!letters(s, &at, "X-", 1))
		return false;
	out->kind |= s.p[in_tx] == 'X' ? CR_BRANCH_IN_TX : 0;
	if (!letters(s, &at, "A-", 1))
		return false;
	out->kind |= s.p[at - 1] == 'A' ? CR_BRANCH_ABORT : 0;
	if (at >= s.len || s.p[at] != '/')
		return false;
	digits = ++at;
	while (at < s.len && s.p[at] >= '0' && s.p[at] <= '9')
		at++;
	if (!cr_scan_u64((struct cr_str){s.p + digits, at - digits}, &out->cycles))
		return false;
	out->kind |= out->cycles ? CR_BRANCH_TIMED : 0;
	if (at < s.len && s.p[at] != '/' && !is_blank(s.p[at]))
		return false;
	while (at < s.len && !is_blank(s.p[at]))
		at++;
	out->end = at;
	return true;
}

/* The next flags at or after a position. */
static bool
flags_after(struct cr_str s, uint32_t from, struct flags *out)
{
	while (from < s.len) {
		const char *slash = memchr(s.p + from, '/', s.len - from);

		if (!slash)
			return false;
		if (flags_at(s, (uint32_t)(slash - s.p), out))
			return true;
		from = (uint32_t)(slash - s.p) + 1;
	}
	return false;
}

/* ---- an end: 0xADDR, NAME+0xOFFSET or [unknown], then maybe (DSO) */

struct parsed {
	struct cr_str name, dso; /* name "": the address is absolute */
	uint64_t addr;
	bool known;
};

static uint32_t
hex_end(struct cr_str s, uint32_t at)
{
	while (at < s.len && memchr("0123456789abcdef", s.p[at], 16))
		at++;
	return at;
}

/* True if an end of a branch may end here. */
static bool
is_over(struct cr_str s, uint32_t at)
{
	return at == s.len || s.p[at] == '/' || s.p[at] == '(';
}

/* False for "main (/bin/x)work": a frame, and after it without a blank the name. */
static bool
is_one_name(struct cr_str s)
{
	return s.p[0] != ' ' && !memmem(s.p, s.len, " (/", 3) && !memmem(s.p, s.len, " ([", 3);
}

/* Parse the part before the dso. Returns its length; 0 if it is none. */
static uint32_t
parse_place(struct cr_str s, struct parsed *out)
{
	static const char unknown[] = "[unknown]", plus[] = "+0x";
	uint32_t at;

	*out = (struct parsed){.known = true};
	if (cr_str_starts(s, "0x")) {
		at = hex_end(s, 2);
		return is_over(s, at) && cr_scan_hex((struct cr_str){s.p, at}, &out->addr) ? at : 0;
	}
	if (cr_str_starts(s, unknown)) {
		out->known = false;
		return is_over(s, sizeof(unknown) - 1) ? (uint32_t)sizeof(unknown) - 1 : 0;
	}
	for (uint32_t from = 1, pluses = 0; from < s.len && pluses < PLUSES; pluses++) {
		const char *p = memmem(s.p + from, s.len - from, plus, sizeof(plus) - 1);

		if (!p)
			return 0;
		from = (uint32_t)(p - s.p) + 3;
		at = hex_end(s, from);
		if (!is_over(s, at) ||
			!cr_scan_hex((struct cr_str){s.p + from, at - from}, &out->addr))
			continue;
		out->name = (struct cr_str){s.p, from - 3};
		return is_one_name(out->name) ? at : 0;
	}
	return 0;
}

/* Parse an end that takes all of the text, or, if `first`, that is followed by a slash. */
static bool
parse_end(struct cr_str s, bool first, struct parsed *out, uint32_t *len)
{
	static const char close[] = ")/";
	const char *end;
	uint32_t at = parse_place(s, out);

	if (at && at < s.len && s.p[at] == '(') {
		end = first                   ? memmem(s.p + at, s.len - at, close, 2)
		      : s.p[s.len - 1] == ')' ? s.p + s.len - 1
					      : NULL;
		if (!end)
			return false;
		out->dso = (struct cr_str){s.p + at + 1, (uint32_t)(end - s.p) - at - 1};
		if (cr_str_eq(out->dso, CR_STR("[unknown]")))
			out->dso.len = 0;
		at = (uint32_t)(end - s.p) + 1;
	}
	*len = at;
	return at && (first ? at < s.len && s.p[at] == '/' : at == s.len);
}

/* "FROM/TO": their texts. */
static bool
split(struct cr_str s, struct cr_str *from, struct cr_str *to)
{
	struct parsed any;
	uint32_t len;

	if (!s.len || !parse_end(s, true, &any, &len))
		return false;
	*from = (struct cr_str){s.p, len};
	*to = (struct cr_str){s.p + len + 1, s.len - len - 1};
	return to->len && parse_end(*to, false, &any, &len);
}

uint32_t
cr_perf_script_branches_at(struct cr_str s)
{
	struct cr_str from, to;
	struct flags flags;
	uint32_t at = 0;

	if (!flags_after(s, 0, &flags))
		return s.len;
	while (at < s.len && is_blank(s.p[at]))
		at++;
	if (split((struct cr_str){s.p + at, flags.at - at}, &from, &to))
		return at;
	for (at = flags.at; at-- > 0 && flags.at - at < SEARCHED;)
		if ((is_blank(s.p[at]) || s.p[at] == ')') &&
			split((struct cr_str){s.p + at + 1, flags.at - at - 1}, &from, &to))
			return at + 1;
	return s.len;
}

/* The end of a right-aligned address at the start of the text, after the event; 0 if none. */
static uint32_t
address_end(struct cr_str s)
{
	uint32_t from = 0, to;

	while (from < s.len && is_blank(s.p[from]))
		from++;
	to = hex_end(s, from);
	for (uint32_t blanks = 3; blanks-- > 0;)
		if (from >= blanks && from < PERF_SCRIPT_ADDR + blanks &&
			to >= PERF_SCRIPT_ADDR + blanks)
			return PERF_SCRIPT_ADDR + blanks;
	return 0;
}

uint32_t
cr_perf_script_branches_in_header(struct cr_str s, uint32_t *cut, bool *lost)
{
	const uint32_t end = address_end(s);
	struct cr_str from, to;
	struct flags flags;
	bool first = true;

	*lost = false;
	*cut = s.len;
	if (!flags_after(s, end, &flags))
		return s.len;
	if (!end)
		return *cut = cr_perf_script_branches_at(s);
	for (uint32_t at = end; at < flags.at && at - end < SEARCHED; at++) {
		const bool is_glued = at == end && !is_blank(s.p[at]);

		if (is_blank(s.p[at]) || s.p[at] == '(' ||
			(at > end && !is_blank(s.p[at - 1]) && s.p[at - 1] != ')'))
			continue;
		if (split((struct cr_str){s.p + at, flags.at - at}, &from, &to)) {
			*lost = first && !is_glued && !cr_str_starts(from, "0x");
			*cut = *lost ? end : at;
			return *lost ? flags.end : at;
		}
		first = false;
	}
	return s.len;
}

/* ---- locations */

static uint32_t
end_add(struct perf_script_edges *d, struct cr_builder *b, const struct parsed *p)
{
	const enum cr_kind kind = cr_perf_script_kind(p->dso, p->name);
	const struct cr_named named = {.name = p->name};
	struct perf_script_end e = {
		.addr = p->addr, .known = p->known, .zero = p->known && !p->addr && !p->name.len};
	cr_dso_id dso = CR_DSO_UNKNOWN;

	if (p->dso.len || kind != CR_KIND_UNKNOWN)
		dso = cr_builder_dso(b, &(struct cr_dso){.name = p->dso, .kind = (uint8_t)kind});
	if (e.known)
		e.location = cr_builder_named_at(b, dso, p->addr, &named, 1);
	e.where = p->name.len ? cr_hash_mix(cr_hash(p->name.p, p->name.len), dso.i) | 1
			      : (uint64_t)dso.i << 1;
	cr_vec_push(&d->ends, e);
	return (uint32_t)d->ends.n - 1;
}

static uint32_t
end_of(struct perf_script_edges *d, struct cr_builder *b, struct cr_str text)
{
	const struct cr_hash128 h = cr_line_cache_hash(&d->known, text.p, text.len);
	const uint32_t row1 = cr_line_cache_slot(&d->known, h)->row1;
	struct parsed p;
	uint32_t row, len;

	if (row1)
		return row1 - 1;
	if (!parse_end(text, false, &p, &len))
		p = (struct parsed){.known = false};
	row = end_add(d, b, &p);
	cr_line_cache_add(&d->known, cr_line_cache_slot(&d->known, h), h, row, 0);
	return row;
}

/* ---- edges */

static void
edge_add(struct perf_script_edges *d, struct cr_builder *b, cr_task_id task, uint8_t kind,
	const uint32_t ends[2], uint64_t cycles)
{
	const cr_location_id from = d->ends.p[ends[0]].location, to = d->ends.p[ends[1]].location;
	const uint64_t h = cr_hash_mix((uint64_t)from.i << 32 | to.i, (uint64_t)task.i << 8 | kind);
	uint32_t row;

	cr_index_each(&d->index, h, row) {
		struct perf_script_edge *e = &d->edges.p[row];

		if (e->from.i == from.i && e->to.i == to.i && e->row.task.i == task.i &&
			e->row.kind == kind) {
			cr_branch_row_count(&e->row, cycles);
			return;
		}
	}
	cr_index_add(&d->index, h, (uint32_t)d->edges.n);
	cr_vec_push(&d->edges,
		((struct perf_script_edge){
			.row = {.task = task,
				.node = cr_builder_push(b, cr_builder_push(b, CR_ROOT, from), to),
				.kind = kind},
			.from = from,
			.to = to}));
	cr_branch_row_count(&d->edges.p[d->edges.n - 1].row, cycles);
}

/* The code from one address to another, if it can be a block. */
static void
block_add(struct perf_script_edges *d, struct cr_builder *b, cr_task_id task, uint32_t from,
	uint32_t to, uint64_t cycles)
{
	const struct perf_script_end *x = &d->ends.p[from], *y = &d->ends.p[to];

	if (x->known && y->known && x->where == y->where && x->addr <= y->addr &&
		y->addr - x->addr < CR_BRANCH_BLOCK_BYTES)
		edge_add(d, b, task, (uint8_t)(CR_BRANCH_BLOCK | (cycles ? CR_BRANCH_TIMED : 0)),
			(const uint32_t[]){from, to}, cycles);
}

void
cr_perf_script_branches_add(struct perf_script_edges *d, struct cr_builder *b, cr_task_id task,
	struct cr_str s, struct perf_script_branches *sums)
{
	uint32_t at = 0, newer1 = 0; /* the source of the branch before, + 1 */
	uint64_t newer_cycles = 0;
	struct flags flags;

	for (; flags_after(s, at, &flags); at = flags.end) {
		struct cr_str from, to;
		uint32_t ends[2];

		while (at < flags.at && is_blank(s.p[at]))
			at++;
		sums->n++;
		sums->mispredicted += (flags.kind & CR_BRANCH_MISSED) != 0;
		sums->cycles = cr_add_sat(sums->cycles, flags.cycles);
		if (!split((struct cr_str){s.p + at, flags.at - at}, &from, &to)) {
			sums->unusable++;
			newer1 = 0;
			continue;
		}
		ends[0] = end_of(d, b, from);
		ends[1] = end_of(d, b, to);
		if (d->ends.p[ends[0]].zero && d->ends.p[ends[1]].zero)
			continue; /* an empty entry */
		if (!d->ends.p[ends[0]].known || !d->ends.p[ends[1]].known) {
			sums->unusable++;
			newer1 = 0;
			continue;
		}
		edge_add(d, b, task, flags.kind, ends, flags.cycles);
		if (newer1)
			block_add(d, b, task, ends[1], newer1 - 1, newer_cycles);
		newer1 = ends[0] + 1;
		newer_cycles = flags.cycles;
	}
}

/* ---- traces */

bool
cr_perf_script_traced(struct cr_str text, struct cr_str *from, struct cr_str *to)
{
	static const char arrow[] = " => ";
	const char *p = text.len ? memmem(text.p, text.len, arrow, sizeof(arrow) - 1) : NULL;
	struct perf_script_line line;

	if (!p)
		return false;
	*to = cr_scan_trim(cr_str_from(text, p + sizeof(arrow) - 1));
	*from = cr_scan_trim(cr_str_to(text, p));
	return cr_perf_script_line(*to, &line);
}

/* An end as a frame: "ADDR NAME+0xOFFSET (DSO)". */
static uint32_t
frame_end(struct perf_script_edges *d, struct cr_builder *b, struct cr_str text)
{
	const struct cr_hash128 h = cr_line_cache_hash(&d->known, text.p, text.len);
	const uint32_t row1 = cr_line_cache_slot(&d->known, h)->row1;
	struct perf_script_frame f = {.offset = 0};
	struct perf_script_line line;
	struct parsed p = {.known = false};
	uint32_t row;

	if (row1)
		return row1 - 1;
	if (cr_perf_script_line(text, &line)) {
		cr_perf_script_frame(line.text, &f);
		p.name = f.name;
		p.dso = f.dso;
		p.addr = f.name.len ? f.offset : cr_perf_script_addr(line.addr);
		p.known = cr_perf_script_addr(line.addr) != 0;
	}
	row = end_add(d, b, &p);
	/* Its own address compares with all others of the dso. */
	d->ends.p[row].addr = p.known ? cr_perf_script_addr(line.addr) : 0;
	d->ends.p[row].where = cr_hash(f.dso.p, f.dso.len) << 1;
	cr_line_cache_add(&d->known, cr_line_cache_slot(&d->known, h), h, row, 0);
	return row;
}

static uint32_t *
last_of(struct perf_script_edges *d, cr_task_id task)
{
	while (d->traced1.n <= task.i)
		cr_vec_push(&d->traced1, 0);
	return &d->traced1.p[task.i];
}

void
cr_perf_script_traced_add(struct perf_script_edges *d, struct cr_builder *b, cr_task_id task,
	struct cr_str from, struct cr_str to)
{
	const uint32_t ends[] = {frame_end(d, b, from), frame_end(d, b, to)};
	uint32_t *last1 = last_of(d, task);

	if (d->ends.p[ends[0]].known && *last1)
		block_add(d, b, task, *last1 - 1, ends[0], 0);
	if (d->ends.p[ends[0]].known && d->ends.p[ends[1]].known)
		edge_add(d, b, task, 0, ends, 0);
	*last1 = d->ends.p[ends[1]].known ? ends[1] + 1 : 0;
}

void
cr_perf_script_traced_gap(struct perf_script_edges *d)
{
	for (size_t i = 0; i < d->traced1.n; i++)
		d->traced1.p[i] = 0;
}

/* ---- samples */

unsigned
cr_perf_script_edges_put(struct perf_script_edges *d, struct cr_builder *b)
{
	const unsigned any = d->edges.n ? PERF_SCRIPT_BRANCHES : 0;
	const bool blocks = cr_branch_rows_put(b, d->edges.p, d->edges.n, sizeof(*d->edges.p));

	d->edges.n = 0;
	d->traced1.n = 0;
	cr_index_fini(&d->index);
	return blocks ? any | PERF_SCRIPT_BLOCKS : any;
}
