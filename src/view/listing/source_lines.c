#include "view/listing/source_lines.h"

#include "base/hash.h"
#include "view/style/chart.h"
#include "view/style/label.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <string.h>

#define SHARE_CELLS 8u
#define LINE_CELLS 7u
#define ADDRESS_CELLS 10u
#define TAB_CELLS 4u
#define IPC_CELLS 6u
#define CYCLES_CELLS 8u
#define GAP 2u
#define INLINED_CELLS 28u /* of the name of an inlined function */
#define DEPTH_MOST 20u    /* of what is inlined in what is inlined */

/* Columns before the text, with their cells; 0: not shown. */
struct columns {
	uint32_t bar, total, ipc, cycles, number;
};

static struct columns
columns_of(const struct cr_source_lines *l, uint32_t cells)
{
	const uint32_t number =
		l->by_code ? CR_MAX(ADDRESS_CELLS, l->address_digits + GAP) : LINE_CELLS;

	if (l->is_diff)
		return (struct columns){.number = cells == 0 || cells >= 50 ? number : 0};
	return (struct columns){
		.bar = cells == 0 || cells >= 120 ? 10
		       : cells >= 64              ? 4
						  : 0,
		.total = cells == 0 || cells >= 50 ? SHARE_CELLS : 0,
		.ipc = l->has_ipc && (cells == 0 || cells >= 100) ? IPC_CELLS : 0,
		.cycles = l->has_blocks && (cells == 0 || cells >= 64) ? CYCLES_CELLS : 0,
		.number = cells == 0 || cells >= 36 ? number : 0,
	};
}

void
cr_source_lines_head(const struct cr_source_lines *l, uint32_t cells, struct cr_text *out)
{
	const struct columns c = columns_of(l, cells);

	if (l->is_diff)
		cr_change_cells_head(cells, false, "", out);
	else
		cr_chart_right(out, CR_STR("SELF %"), SHARE_CELLS);
	cr_text_pad(out, ' ', c.bar ? c.bar + 1 : 0);
	if (c.total)
		cr_chart_right(out, CR_STR("TOTAL %"), c.total);
	if (c.ipc)
		cr_chart_right(out, CR_STR("IPC"), c.ipc);
	if (c.cycles)
		cr_chart_right(out, CR_STR("CYCLES"), c.cycles);
	if (c.number)
		cr_chart_right(out, cr_str_of(l->by_code ? "ADDRESS" : "LINE"), c.number);
	cr_text_pad(out, ' ', GAP);
	cr_text_puts(out, l->by_code ? "INSTRUCTION" : "SOURCE");
	cr_text_puts(out, l->is_diff ? "" : ", % OF THE FUNCTION");
}

/* ---- source */

/* Where the text begins, and the cells of its indentation. */
static uint32_t
indent_of(struct cr_str text, uint32_t *from)
{
	uint32_t cells = 0, i = 0;

	for (; i < text.len && (text.p[i] == ' ' || text.p[i] == '\t'); i++)
		cells += text.p[i] == '\t' ? TAB_CELLS - cells % TAB_CELLS : 1;
	*from = i;
	return cells;
}

uint32_t
cr_source_lines_dedent(const struct cr_listing *list)
{
	uint32_t least = UINT32_MAX, from;

	for (size_t i = 0; i < list->rows.n; i++) {
		const struct cr_listing_row *r = &list->rows.p[i];
		const uint32_t cells =
			r->kind == CR_LISTING_LINE ? indent_of(r->text, &from) : UINT32_MAX;

		if (r->kind == CR_LISTING_LINE && from < r->text.len)
			least = cells < least ? cells : least;
	}
	return least == UINT32_MAX ? 0 : least;
}

/* Where the part of a line ends that has one ink: a comment, a text, or what lies between. */
static uint32_t
part_end(struct cr_str s, uint32_t i, enum cr_ink *ink)
{
	const char quote = s.p[i];
	const char *end;

	*ink = CR_INK_PLAIN;
	if (s.len - i >= 2 && s.p[i] == '/' && s.p[i + 1] == '/') {
		*ink = CR_INK_DIM;
		return s.len;
	}
	if (s.len - i >= 2 && s.p[i] == '/' && s.p[i + 1] == '*') {
		*ink = CR_INK_DIM;
		end = memmem(s.p + i + 2, s.len - i - 2, "*/", 2);
		return end ? (uint32_t)(end - s.p) + 2 : s.len;
	}
	if (quote == '"') {
		*ink = CR_INK_GOOD;
		for (i++; i < s.len && s.p[i] != quote; i++)
			i += s.p[i] == '\\';
		return i + 1 < s.len ? i + 1 : s.len;
	}
	for (i++; i < s.len && s.p[i] != '"'; i++)
		if (s.len - i >= 2 && s.p[i] == '/' && (s.p[i + 1] == '/' || s.p[i + 1] == '*'))
			break;
	return i;
}

/* A line within a comment of several lines begins with an asterisk. */
static bool
is_comment(struct cr_str s)
{
	return s.len && s.p[0] == '*' &&
	       (s.len == 1 || s.p[1] == ' ' || s.p[1] == '/' || s.p[1] == '*');
}

/* Blanks for tabs, which would not stand where they stood. */
static void
put_expanded(struct cr_paint *out, enum cr_ink ink, struct cr_str s)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i <= s.len; i++) {
		if (i < s.len && s.p[i] != '\t')
			continue;
		if (i > from)
			cr_paint_str(out, ink, (struct cr_str){s.p + from, i - from});
		if (i < s.len)
			cr_paint_text(out, CR_INK_PLAIN, " ");
		from = i + 1;
	}
}

static void
put_source(const struct cr_source_lines *l, struct cr_str text, struct cr_paint *out)
{
	uint32_t from, end;
	const uint32_t indent = indent_of(text, &from);
	const struct cr_str s = {text.p + from, text.len - from};
	const bool comment = is_comment(s);
	enum cr_ink ink;

	if (s.len == 0)
		return;
	cr_paint_to(out, out->x + indent - (indent < l->dedent ? indent : l->dedent));
	for (uint32_t i = 0; i < s.len; i = end) {
		end = part_end(s, i, &ink);
		put_expanded(out, comment ? CR_INK_DIM : ink, (struct cr_str){s.p + i, end - i});
	}
}

/* ---- instructions */

/* "call  1234 <inner>": where it goes stands out; within the function only how far, "<+0x1f>". */
static void
put_instruction(const struct cr_source_lines *l, struct cr_str text, struct cr_paint *out)
{
	const char *target = text.len ? memchr(text.p, '<', text.len) : NULL;
	const uint32_t to = target ? (uint32_t)(target - text.p) : text.len;
	struct cr_str name = {text.p + to, text.len - to};

	cr_paint_str(out, CR_INK_PLAIN, (struct cr_str){text.p, to});
	if (!target)
		return;
	if (name.len > l->function.len + 1 && name.p[l->function.len + 1] == '+' &&
		memcmp(name.p + 1, l->function.p, l->function.len) == 0) {
		cr_paint_text(out, CR_INK_NAME_KERNEL, "<");
		name.p += l->function.len + 1;
		name.len -= l->function.len + 1;
	}
	cr_paint_str(out, CR_INK_NAME_KERNEL, name);
}

/* ---- what is inlined at a line: its function and line, and what that says */

static void
put_inlined(const struct cr_source_lines *l, const struct cr_listing_row *r, struct cr_paint *out)
{
	const struct cr_annotate_line *line = r->of == CR_NO_ROW ? NULL : &l->in->a->lines.p[r->of];
	struct cr_str text = {"", 0};
	struct cr_text number = {0};
	uint32_t from;

	if (!line) {
		put_expanded(out, CR_INK_NAME_INLINED, r->text);
		return;
	}
	cr_paint_fit(out, CR_INK_NAME_INLINED, l->in->p->functions[line->function.i].name,
		INLINED_CELLS);
	cr_text_printf(&number, ":%" PRIu32, line->line);
	cr_paint_text(out, CR_INK_DIM, line->line ? number.p : "");
	cr_text_fini(&number);
	if (!line->line || !l->in->source ||
		!l->in->source(l->in->user, line->file, line->line, &text))
		return;
	indent_of(text, &from);
	cr_paint_to(out, out->x + GAP);
	put_expanded(out, CR_INK_DIM, (struct cr_str){text.p + from, text.len - from});
}

/* ---- a row */

/* hot: large ones stand out. */
static void
put_share(struct cr_paint *out, const struct cr_listing_row *r, uint64_t part, uint64_t whole,
	bool hot, uint32_t cells)
{
	const enum cr_ink ink = cr_ink_of_share(cr_share_ppm(part, whole));
	struct cr_text text = {0};

	if (!cells)
		return;
	if (r->has_cost && part) {
		cr_text_printf(&text, "%.2f", whole ? 100.0 * (double)part / (double)whole : 0.0);
		cr_paint_right(out, ink == CR_INK_HOT && !hot ? CR_INK_PLAIN : ink,
			cr_text_view(&text), cells);
	} else {
		cr_paint_to(out, out->x + cells);
	}
	cr_text_fini(&text);
}

static void
put_blocks(struct cr_paint *out, const struct cr_listing_row *r, const struct columns *c)
{
	struct cr_text text = {0};

	if (c->ipc) {
		if (r->run_cycles)
			cr_text_printf(
				&text, "%.2f", (double)r->run_instructions / (double)r->run_cycles);
		cr_paint_right(out, CR_INK_PLAIN, cr_text_view(&text), c->ipc);
		cr_text_clear(&text);
	}
	if (c->cycles) {
		if (r->blocks.n)
			cr_text_u64(&text, r->blocks.cycles / r->blocks.n);
		cr_paint_right(out, CR_INK_PLAIN, cr_text_view(&text), c->cycles);
	}
	cr_text_fini(&text);
}

static void
put_bar(const struct cr_source_lines *l, const struct cr_listing_row *r, uint32_t cells,
	bool unicode, struct cr_paint *out)
{
	const double steps = (unicode ? 8.0 : 1.0) * cells;
	const uint64_t part = r->has_cost ? r->cost.self : 0;
	const bool any = l->whole && steps * (double)part / (double)l->whole >= 0.5;
	struct cr_text bar = {0};

	if (!cells)
		return;
	cr_paint_to(out, out->x + 1);
	cr_spark_bar(&bar, any ? part : 0, l->whole, cells, unicode);
	cr_paint_chart(out, CR_INK_BAR, CR_KIND_USER, cr_text_view(&bar));
	cr_text_fini(&bar);
}

static void
put_number(const struct cr_listing_row *r, uint32_t cells, struct cr_paint *out)
{
	struct cr_text text = {0};

	if (r->kind == CR_LISTING_LINE && r->number)
		cr_text_u64(&text, r->number);
	else if (r->kind == CR_LISTING_LINE)
		cr_text_char(&text, '-');
	else if (r->kind == CR_LISTING_INSTRUCTION)
		cr_text_hex(&text, r->number);
	cr_paint_right(out, CR_INK_DIM, cr_text_view(&text), cells);
	cr_text_fini(&text);
}

/* An instruction below its line: its address stands before it. */
static void
put_below(const struct cr_listing_row *r, bool unicode, struct cr_paint *out)
{
	struct cr_text address = {0};

	cr_text_hex(&address, r->number);
	cr_paint_text(out, CR_INK_DIM, unicode ? "  \xe2\x94\x82 " : "  | ");
	cr_paint_right(out, CR_INK_DIM, cr_text_view(&address), 6);
	cr_paint_to(out, out->x + GAP);
	cr_text_fini(&address);
}

void
cr_source_lines_put(const struct cr_source_lines *l, const struct cr_listing_row *r, bool below,
	const char *mark, bool unicode, struct cr_paint *out)
{
	const struct columns c = columns_of(l, out->width);
	const enum cr_listing_kind kind = (enum cr_listing_kind)r->kind;

	if (kind == CR_LISTING_FILE || kind == CR_LISTING_SYMBOL) {
		cr_paint_text(out, CR_INK_PLAIN, " ");
		cr_paint_str(out, CR_INK_HEADING, r->text.len ? r->text : CR_STR("(no file)"));
		return;
	}
	if (!l->is_diff)
		put_share(out, r, r->cost.self, l->whole, true, SHARE_CELLS);
	else if (l->change && (l->change->part[0] || l->change->part[1]))
		cr_change_cells_put(l->change, false, unicode, out);
	cr_paint_to(out, l->is_diff ? cr_change_cells_width(out->width, false) : out->x);
	put_bar(l, r, c.bar, unicode, out);
	put_share(out, r, r->cost.total, l->whole, false, c.total);
	put_blocks(out, r, &c);
	if (c.number)
		put_number(below ? &(struct cr_listing_row){.kind = CR_LISTING_GAP} : r, c.number,
			out);
	cr_paint_to(out, out->x + GAP);
	switch (kind) {
	case CR_LISTING_GAP: cr_paint_text(out, CR_INK_DIM, unicode ? "\xe2\x8b\xae" : ":"); return;
	case CR_LISTING_LINE:
		cr_paint_text(out, CR_INK_DIM, mark);
		put_source(l, r->text, out);
		return;
	case CR_LISTING_INLINED:
		cr_paint_to(out, out->x + GAP * CR_MIN(r->depth, DEPTH_MOST));
		cr_paint_text(out, CR_INK_DIM, unicode ? "\xe2\x86\xb3 " : "> ");
		put_inlined(l, r, out);
		return;
	case CR_LISTING_PLACE: put_expanded(out, CR_INK_NAME_INLINED, r->text); return;
	case CR_LISTING_INSTRUCTION:
		if (below)
			put_below(r, unicode, out);
		put_instruction(l, r->text, out);
		return;
	case CR_LISTING_FILE:
	case CR_LISTING_SYMBOL: return;
	}
}
