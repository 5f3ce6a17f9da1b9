#include "session/annotation.h"

#include "base/hash.h"
#include "base/work.h"
#include "model/columns.h"
#include "query/fold/node_costs.h"
#include "query/fold/stack_filter.h"
#include "query/table/block_cycles.h"

#include <stdlib.h>
#include <time.h>

#define HEX_BYTES 8 /* shown of code that is not disassembled */

/* A piece of code and its instructions: a range of `known` and of `instructions`. */
struct piece {
	const struct cr_machine_code *code;
	uint32_t first, n;
};

struct cr_annotation_parts {
	const struct cr_profile *p;
	struct cr_code_found found;
	CR_VEC(struct piece) pieces;              /* sorted by function, then address */
	CR_VEC(struct cr_annotate_address) known; /* sorted by function, then address */
	CR_VEC(struct cr_str) texts;              /* by row of known */
	CR_VEC(struct target) targets;            /* functions of the dso, sorted by address */
	CR_VEC(uint64_t) addrs;                   /* the distinct addresses of known */
	struct cr_profile *places;    /* its locations are those of addrs; NULL if none */
	struct cr_profile *line_info; /* its lines come from debug info of the dso; NULL if none */
	CR_VEC(struct cr_annotation_source) sources;
	struct cr_arena arena;
};

struct target {
	uint64_t addr;
	uint32_t function;
};

/* ---- code */

static bool
is_wanted(const cr_function_id *functions, uint32_t n, cr_function_id f)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (functions[mid].i < f.i)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && functions[lo].i == f.i;
}

static uint64_t
bytes_of(const struct cr_machine_code *codes, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += codes[i].bytes.len;
	return sum;
}

/* True if a piece found in a file has the bytes of the stored one. */
static bool
agrees(const struct cr_code_found *found, const struct cr_machine_code *stored)
{
	for (uint32_t i = 0; i < found->n; i++) {
		const struct cr_machine_code *c = &found->codes[i];
		const uint64_t skip = stored->addr - c->addr;

		if (c->function.i == stored->function.i && stored->addr >= c->addr &&
			skip <= c->bytes.len && stored->bytes.len <= c->bytes.len - skip)
			return memcmp(c->bytes.p + skip, stored->bytes.p, stored->bytes.len) == 0;
	}
	return false;
}

/*
 * Stored code is correct. Files may contain more; they are used if they agree where both have code.
 */
static void
choose_code(struct cr_annotation *out, const struct cr_annotation_opts *o,
	const cr_function_id *functions, uint32_t n)
{
	struct cr_annotation_parts *x = out->parts;
	CR_VEC(struct cr_machine_code) stored = {0};
	bool files;

	cr_needed(x->p, CR_NEEDS_CODE | CR_NEEDS_TREE);
	for (uint32_t i = 0; i < x->p->n_codes; i++)
		if (is_wanted(functions, n, x->p->codes[i].function))
			cr_vec_push(&stored, x->p->codes[i]);
	cr_code_find(x->p, o->symbol, functions, n, &x->found);
	files = bytes_of(x->found.codes, x->found.n) > bytes_of(stored.p, stored.n);
	for (size_t i = 0; i < stored.n && files; i++)
		files = agrees(&x->found, &stored.p[i]);
	out->code = files      ? CR_ANNOTATION_FILES
		    : stored.n ? CR_ANNOTATION_STORED
			       : CR_ANNOTATION_NO_CODE;
	if (!files) {
		free(x->found.codes);
		x->found.codes = stored.p;
		x->found.n = (uint32_t)stored.n;
		stored.p = NULL;
	}
	if (out->code == CR_ANNOTATION_NO_CODE)
		out->why = x->found.why ? x->found.why : "it has none of its own";
	cr_vec_fini(&stored);
}

static int
by_target(const void *a, const void *b)
{
	const struct target *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

/* Possible targets of calls: functions of the dso in the profile. */
static void
find_targets(struct cr_annotation_parts *x, cr_dso_id dso)
{
	for (uint32_t i = 0; i < x->p->n_functions; i++) {
		const struct cr_function *f = &x->p->functions[i];

		if (f->dso.i == dso.i && f->name.len && f->addr != CR_ADDR_INLINED)
			cr_vec_push(&x->targets, ((struct target){f->addr, i}));
	}
	if (x->targets.n)
		qsort(x->targets.p, x->targets.n, sizeof(*x->targets.p), by_target);
}

/* The function that starts at an address of the dso; CR_NO_ROW if none is known. */
static uint32_t
function_at(const struct cr_annotation_parts *x, uint64_t addr)
{
	size_t lo = 0, hi = x->targets.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (x->targets.p[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < x->targets.n && x->targets.p[lo].addr == addr ? x->targets.p[lo].function
								  : CR_NO_ROW;
}

/* Append the name of the target of a jump or call, "<inner+0x10>", if it is known. */
static struct cr_str
instruction_text(struct cr_annotation_parts *x, const struct piece *piece,
	const struct cr_disasm *d, const struct cr_instruction *i)
{
	const struct cr_machine_code *c = piece->code;
	const struct cr_function *f = &x->p->functions[c->function.i];
	/* In the dso, within one segment. */
	const uint64_t target = i->target - cr_disasm_base(c) + c->addr;
	uint32_t row = i->target ? function_at(x, target) : CR_NO_ROW;
	struct cr_text t = {0};
	struct cr_str s;

	cr_text_put(&t, d->texts.p + i->text, i->len);
	if (i->target && target > f->addr && target - c->addr < c->bytes.len && f->name.len) {
		cr_text_puts(&t, " <");
		cr_text_str(&t, f->name);
		cr_text_printf(&t, "+0x%llx>", (unsigned long long)(target - f->addr));
	} else if (row != CR_NO_ROW) {
		cr_text_puts(&t, " <");
		cr_text_str(&t, x->p->functions[row].name);
		cr_text_char(&t, '>');
	}
	s = (struct cr_str){cr_arena_copy(&x->arena, t.p, t.len), (uint32_t)t.len};
	cr_text_fini(&t);
	return s;
}

static void
disassemble(struct cr_annotation *out)
{
	struct cr_annotation_parts *x = out->parts;

	for (uint32_t k = 0; k < x->found.n; k++) {
		const struct cr_machine_code *c = &x->found.codes[k];
		struct piece piece = {c, (uint32_t)x->known.n, 0};
		struct cr_disasm d;

		cr_disasm_make(c, &d);
		if (d.why)
			out->why = d.why;
		for (size_t i = 0; i < d.list.n; i++) {
			const struct cr_instruction *in = &d.list.p[i];

			cr_vec_push(
				&x->known, ((struct cr_annotate_address){.function = c->function,
						   .addr = in->addr - cr_disasm_base(c) + c->addr,
						   .size = in->size,
						   .line = CR_NO_ROW}));
			cr_vec_push(&x->texts, instruction_text(x, &piece, &d, in));
		}
		piece.n = (uint32_t)x->known.n - piece.first;
		cr_vec_push(&x->pieces, piece);
		cr_disasm_fini(&d);
	}
}

/* The piece of code that contains an address; NULL if there is none. */
static const struct piece *
piece_at(const struct cr_annotation_parts *x, cr_function_id function, uint64_t addr)
{
	size_t lo = 0, hi = x->pieces.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const struct cr_machine_code *c = x->pieces.p[mid].code;

		if (c->function.i < function.i || (c->function.i == function.i && c->addr <= addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || x->pieces.p[lo - 1].code->function.i != function.i)
		return NULL;
	return &x->pieces.p[lo - 1];
}

static void
put_hex(struct cr_annotation_parts *x, const struct cr_machine_code *c, uint64_t addr,
	struct cr_str *text)
{
	const uint64_t from = addr - c->addr;
	struct cr_text t = {0};

	for (uint64_t i = from; i < c->bytes.len && i < from + HEX_BYTES; i++)
		cr_text_printf(&t, "%s%02x", i == from ? "" : " ", (unsigned char)c->bytes.p[i]);
	*text = (struct cr_str){cr_arena_copy(&x->arena, t.p ? t.p : "", t.len), (uint32_t)t.len};
	cr_text_fini(&t);
}

static void
code_text(void *user, const struct cr_annotate_address *at, uint64_t *shown, struct cr_str *text)
{
	struct cr_annotation_parts *x = user;
	const struct piece *piece = piece_at(x, at->function, at->addr);
	size_t lo, hi;

	if (!piece)
		return;
	*shown = at->addr - piece->code->addr + cr_disasm_base(piece->code);
	lo = piece->first;
	hi = lo + piece->n;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (x->known.p[mid].addr < at->addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < piece->first + piece->n && x->known.p[lo].addr == at->addr)
		*text = x->texts.p[lo];
	else if (at->addr - piece->code->addr < piece->code->bytes.len)
		put_hex(x, piece->code, at->addr, text);
}

/* ---- lines of instructions */

static int
by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void
find_places(struct cr_annotation_parts *x, const struct cr_symbol_opts *opts, cr_dso_id dso)
{
	size_t n = 0;

	for (size_t i = 0; i < x->known.n; i++)
		cr_vec_push(&x->addrs, x->known.p[i].addr);
	if (x->addrs.n)
		qsort(x->addrs.p, x->addrs.n, sizeof(*x->addrs.p), by_number);
	for (size_t i = 0; i < x->addrs.n; i++)
		if (n == 0 || x->addrs.p[n - 1] != x->addrs.p[i])
			x->addrs.p[n++] = x->addrs.p[i];
	x->addrs.n = n;
	x->places = cr_code_places(x->p, opts, dso, x->addrs.p, n);
}

static bool
place_of(void *user, const struct cr_annotate_address *at, struct cr_listing_place *place)
{
	const struct cr_annotation_parts *x = user;
	const uint64_t *addr =
		x->places ? bsearch(&at->addr, x->addrs.p, x->addrs.n, sizeof(at->addr), by_number)
			  : NULL;
	const struct cr_location *l = addr ? &x->places->locations[addr - x->addrs.p] : NULL;
	const struct cr_line *line = l ? &x->places->lines[l->first_line] : NULL;

	if (!line || line->line == 0)
		return false;
	*place = (struct cr_listing_place){
		.file = cr_line_file(x->places, line), .function = CR_STR(""), .line = line->line};
	if (l->lines > 1)
		place->function = x->places->functions[line->function.i].name;
	return true;
}

/* ---- source */

static int
by_file(const void *a, const void *b)
{
	const struct cr_annotation_source *x = a, *y = b;

	return cr_str_cmp(x->file, y->file);
}

static struct cr_annotation_source *
source_of(struct cr_annotation_parts *x, struct cr_str file)
{
	const struct cr_annotation_source key = {.file = file};

	if (x->sources.n == 0)
		return NULL;
	return bsearch(&key, x->sources.p, x->sources.n, sizeof(key), by_file);
}

static void
find_stored(const struct cr_profile *p, struct cr_annotation_source *s)
{
	for (uint32_t i = 0; i < p->n_source_lines; i++) {
		if (!cr_str_eq(p->source_lines[i].file, s->file))
			continue;
		if (s->n++ == 0)
			s->first = i;
		s->stored = true;
	}
}

/*
 * The time of the recording, or a later one when it was written, in seconds since 1970; INT64_MAX
 * if unknown.
 */
static int64_t
recorded_at(const struct cr_profile *p)
{
	const struct cr_str recorded = cr_profile_fact(p, "date");
	const struct cr_str date = recorded.len ? recorded : cr_profile_fact(p, "file written");
	char text[40];
	struct tm tm = {0};

	if (date.len == 0 || date.len >= sizeof(text))
		return INT64_MAX;
	memcpy(text, date.p, date.len);
	text[date.len] = '\0';
	if (!strptime(text, "%Y-%m-%d %H:%M:%S", &tm))
		return INT64_MAX;
	return timegm(&tm);
}

static int
by_address(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Find the lines of the functions' addresses in debug info with the recorded build-id. A profile
 * may name any file, so only files that debug info names too are read.
 */
static void
ask_debug_info(struct cr_annotation_parts *x, const struct cr_symbol_opts *opts,
	const cr_function_id *functions, uint32_t n)
{
	const struct cr_profile *p = x->p;
	CR_VEC(uint64_t) addrs = {0};
	cr_dso_id dso;
	size_t kept = 0;

	if (n == 0 || !p->dsos[p->functions[functions[0].i].dso.i].build_id_len)
		return;
	dso = p->functions[functions[0].i].dso;
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];
		bool wanted = false;

		for (uint32_t k = 0; k < l->lines && l->dso.i == dso.i && !wanted; k++)
			wanted = is_wanted(functions, n, p->lines[l->first_line + k].function);
		if (wanted)
			cr_vec_push(&addrs, l->addr);
	}
	for (size_t i = 0; i < x->known.n; i++)
		cr_vec_push(&addrs, x->known.p[i].addr);
	if (addrs.n)
		qsort(addrs.p, addrs.n, sizeof(*addrs.p), by_address);
	for (size_t i = 0; i < addrs.n; i++)
		if (kept == 0 || addrs.p[kept - 1] != addrs.p[i])
			addrs.p[kept++] = addrs.p[i];
	if (kept)
		x->line_info = cr_code_places(p, opts, dso, addrs.p, kept);
	cr_vec_fini(&addrs);
}

static bool
is_said(const struct cr_annotation_parts *x, struct cr_str file)
{
	for (uint32_t i = 0; x->line_info && i < x->line_info->n_lines; i++)
		if (cr_str_eq(cr_line_file(x->line_info, &x->line_info->lines[i]), file))
			return true;
	return false;
}

static void
find_sources(struct cr_annotation *out, const struct cr_symbol_opts *opts)
{
	struct cr_annotation_parts *x = out->parts;
	const int64_t date = recorded_at(x->p);
	size_t n = 0;

	for (size_t i = 0; i < out->a.lines.n; i++)
		if (out->a.lines.p[i].file.len)
			cr_vec_push(&x->sources,
				((struct cr_annotation_source){.file = out->a.lines.p[i].file}));
	for (size_t i = 0; x->places && i < x->addrs.n; i++) {
		const struct cr_line *line = &x->places->lines[x->places->locations[i].first_line];

		if (cr_line_file(x->places, line).len)
			cr_vec_push(&x->sources, ((struct cr_annotation_source){
							 .file = cr_line_file(x->places, line)}));
	}
	if (x->sources.n)
		qsort(x->sources.p, x->sources.n, sizeof(*x->sources.p), by_file);
	for (size_t i = 0; i < x->sources.n; i++)
		if (n == 0 || !cr_str_eq(x->sources.p[n - 1].file, x->sources.p[i].file))
			x->sources.p[n++] = x->sources.p[i];
	x->sources.n = n;
	for (size_t i = 0; i < n; i++) {
		struct cr_annotation_source *s = &x->sources.p[i];

		find_stored(x->p, s);
		s->trusted = is_said(x, s->file);
		s->found = !s->stored && cr_sourcefile_open(&s->s, opts, s->file, s->trusted);
		s->newer = s->found && s->s.mtime > date;
	}
	out->sources = x->sources.p;
	out->n_sources = (uint32_t)n;
}

static bool
stored_line(const struct cr_profile *p, const struct cr_annotation_source *s, uint32_t line,
	struct cr_str *text)
{
	size_t lo = s->first, hi = lo + s->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (p->source_lines[mid].line < line)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == (size_t)s->first + s->n || p->source_lines[lo].line != line)
		return false;
	*text = p->source_lines[lo].text;
	return true;
}

static bool
source_text(void *user, struct cr_str file, uint32_t line, struct cr_str *text)
{
	struct cr_annotation_parts *x = user;
	const struct cr_annotation_source *s = source_of(x, file);

	if (!s || line == 0)
		return false;
	if (s->stored)
		return stored_line(x->p, s, line, text);
	if (!s->found || line > s->s.lines.n)
		return false;
	*text = s->s.lines.p[line - 1];
	return true;
}

/* ---- code and source */

unsigned
cr_annotation_needs(const struct cr_profile *p, const struct cr_query *q)
{
	const unsigned blocks =
		cr_block_cycles_has(p) ? cr_block_cycles_needs(cr_query_filter(q)) : 0;

	return cr_filter_needs(cr_query_filter(q)) | cr_stack_filter_needs(q) | blocks;
}

/* Branches are sums for each thread: they have neither a time nor a processor. */
static bool
can_select_blocks(const struct cr_filter *f)
{
	return !f->dsos.n && !f->cpus.n && !f->times.n && !f->modes && !f->wheres.n;
}

static int
costs_make(struct cr_annotation *out, const struct cr_annotation_opts *o,
	const cr_function_id *functions, uint32_t n, struct cr_err *err)
{
	const struct cr_annotation_parts *x = out->parts;
	const struct cr_node_costs *costs = o->costs;
	struct cr_err unused = CR_ERR_INIT;
	struct cr_node_costs made = {.rows = NULL};
	struct cr_block_cycles blocks = {.cycles = 0};
	bool has_blocks = cr_block_cycles_has(x->p);
	cr_event_id event;
	uint8_t *sel;
	int rc;

	if ((rc = cr_filter_event(x->p, o->filter, &event, err)) < 0)
		return rc;
	if (!costs) {
		if ((rc = cr_select(x->p, o->filter, &sel, err)) < 0)
			return rc;
		if (o->query)
			cr_stack_filter(x->p, o->query, sel, &unused); /* else all stay */
		cr_node_costs_make(x->p, event, sel, &made);
		free(sel);
		costs = &made;
	}
	out->blocks_left_out = has_blocks && !can_select_blocks(o->filter);
	has_blocks &= !out->blocks_left_out &&
		      cr_block_cycles_make(x->p, o->filter, &blocks, &unused) == CR_OK;
	cr_annotate_costs(x->p, event, costs, has_blocks ? &blocks : NULL, functions, n, x->known.p,
		x->known.n, &out->a);
	cr_block_cycles_fini(&blocks);
	cr_node_costs_fini(&made);
	return cr_work_check(err);
}

int
cr_annotation_make(const struct cr_profile *p, const struct cr_annotation_opts *o,
	const cr_function_id *functions, uint32_t n, struct cr_annotation *out, struct cr_err *err)
{
	struct cr_annotation_parts *x = cr_alloc(1, sizeof(*x));
	int rc;

	*out = (struct cr_annotation){.parts = x};
	x->p = p;
	choose_code(out, o, functions, n);
	if (n)
		find_targets(x, p->functions[functions[0].i].dso);
	disassemble(out);
	if (n && o->places)
		find_places(x, o->symbol, p->functions[functions[0].i].dso);
	rc = costs_make(out, o, functions, n, err);
	if (rc == CR_OK && !o->no_source) {
		ask_debug_info(x, o->symbol, functions, n);
		find_sources(out, o->symbol);
	}
	out->in = (struct cr_listing_in){.p = p,
		.a = &out->a,
		.source = source_text,
		.code = code_text,
		.place = place_of,
		.user = x};
	return rc;
}

void
cr_annotation_fini(struct cr_annotation *n)
{
	struct cr_annotation_parts *x = n->parts;

	if (!x)
		return;
	for (size_t i = 0; i < x->sources.n; i++)
		cr_sourcefile_close(&x->sources.p[i].s);
	cr_annotate_fini(&n->a);
	cr_code_found_fini(&x->found);
	cr_profile_free(x->places);
	cr_profile_free(x->line_info);
	cr_vec_fini(&x->addrs);
	cr_vec_fini(&x->sources);
	cr_vec_fini(&x->pieces);
	cr_vec_fini(&x->known);
	cr_vec_fini(&x->texts);
	cr_vec_fini(&x->targets);
	cr_arena_fini(&x->arena);
	free(x);
	*n = (struct cr_annotation){.parts = NULL};
}
