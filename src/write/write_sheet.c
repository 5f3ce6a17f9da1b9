#include "write/write_sheet.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "view/style/ink_codes.h"
#include "view/style/label.h"

#include <math.h>
#include <stdlib.h>

#define DOTS_MOST 100u /* the line of dots is not as long as names of hundreds of characters */

static bool
shown_to(const struct cr_sheet *s, uint32_t column, enum cr_sheet_for who)
{
	return s->columns[column].audience & who;
}

static uint32_t
last_column(const struct cr_sheet *s)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < s->n_columns; i++)
		if (shown_to(s, i, CR_SHEET_PEOPLE))
			last = i;
	return last;
}

static void
flush_line(struct cr_text *line, FILE *out)
{
	fwrite(line->p, 1, line->len, out);
	cr_text_clear(line);
}

/* ---- text */

/* Text padded to its column; no blanks after the last column. */
/* Text in the ink of its cell, as a link if it names a file that there is. */
static void
put_inked(
	const struct cr_sheet *s, const struct cr_cell *c, struct cr_str text, struct cr_text *line)
{
	struct cr_text url = {0}, inked = {0};

	if (!s->inks) {
		cr_text_str(line, text);
		return;
	}
	cr_ink_codes_put(&inked, (enum cr_ink)cr_cell_ink(c), text);
	if (c->file.len && s->url && s->url(s->url_user, c->file, &url))
		cr_ink_codes_link(line, cr_text_view(&url), cr_text_view(&inked));
	else
		cr_text_str(line, cr_text_view(&inked));
	cr_text_fini(&inked);
	cr_text_fini(&url);
}

static void
put_padded(const struct cr_sheet *s, uint32_t column, uint32_t width, struct cr_str text,
	const struct cr_cell *cell, struct cr_text *line)
{
	const bool is_last = column == last_column(s);
	const uint32_t cells = cr_utf8_cells(text);

	if (s->columns[column].right && cells < width)
		cr_text_pad(line, ' ', width - cells);
	put_inked(s, cell, text, line);
	if (!s->columns[column].right && cells < width && !is_last)
		cr_text_pad(line, ' ', width - cells);
}

/* A separator occurs only between columns. */
static void
put_separated(struct cr_str text, const char *separator, struct cr_text *line)
{
	const size_t n = strlen(separator);

	for (uint32_t i = 0; i < text.len;) {
		const bool hit = n && i + n <= text.len && memcmp(text.p + i, separator, n) == 0;

		cr_text_char(line, hit ? '.' : text.p[i]);
		i += hit ? (uint32_t)n : 1;
	}
}

static void
put_row(const struct cr_sheet *s, uint32_t row, const uint32_t *widths, struct cr_text *scratch,
	struct cr_text *line)
{
	bool first = true;

	if (s->indent && !s->separator)
		cr_text_pad(line, ' ', s->indent(s, row));
	for (uint32_t i = 0; i < s->n_columns; i++) {
		struct cr_cell cell = {0};

		if (!shown_to(s, i, CR_SHEET_PEOPLE))
			continue;
		cr_text_clear(scratch);
		s->cell(s, row, i, &cell);
		if (s->separator) {
			cr_cell_put(&cell, scratch);
			cr_text_puts(line, first ? "" : s->separator);
			put_separated(cr_text_view(scratch), s->separator, line);
		} else {
			cr_cell_fit(&cell, widths[i], scratch);
			cr_text_puts(line, "  ");
			put_padded(s, i, widths[i], cr_text_view(scratch), &cell, line);
		}
		first = false;
	}
	while (line->len && line->p[line->len - 1] == ' ')
		line->p[--line->len] = '\0';
	cr_text_char(line, '\n');
}

static struct cr_str
head_of(const struct cr_sheet *s, uint32_t column, uint32_t width)
{
	const struct cr_str head = cr_str_of(s->columns[column].head);

	return (struct cr_str){head.p, cr_utf8_fit(head, width)};
}

static void
put_heads(const struct cr_sheet *s, const uint32_t *widths, struct cr_text *line)
{
	const struct cr_cell cell = {.kind = CR_CELL_TEXT, .ink = CR_INK_HEADING};
	bool first = true;

	cr_text_puts(line, "# ");
	cr_text_pad(line, ' ', s->separator ? 0 : s->head_indent);
	for (uint32_t i = 0; i < s->n_columns; i++) {
		if (!shown_to(s, i, CR_SHEET_PEOPLE))
			continue;
		cr_text_puts(line, first ? "" : s->separator ? s->separator : "  ");
		if (s->separator)
			cr_text_puts(line, s->columns[i].head);
		else
			put_padded(s, i, widths[i], head_of(s, i, widths[i]), &cell, line);
		first = false;
	}
	cr_text_char(line, '\n');
	if (s->separator)
		return;
	cr_text_char(line, '#');
	for (uint32_t i = 0; i < s->n_columns; i++) {
		const bool leads = line->p[line->len - 1] == '#';

		if (!shown_to(s, i, CR_SHEET_PEOPLE))
			continue;
		cr_text_pad(line, ' ', leads ? 1 : 2);
		cr_text_pad(line, '.', CR_MIN(widths[i], DOTS_MOST) + (leads ? s->head_indent : 0));
	}
	cr_text_puts(line, "\n#\n");
}

void
cr_write_sheet_text(const struct cr_sheet *s, FILE *out)
{
	uint32_t *widths = s->separator ? NULL : cr_sheet_widths(s);
	struct cr_text line = {0}, scratch = {0};

	put_heads(s, widths, &line);
	flush_line(&line, out);
	for (uint32_t row = 0; row < s->n_rows; row++) {
		put_row(s, row, widths, &scratch, &line);
		if (s->below)
			s->below(s, row, &line);
		if (s->ascii)
			cr_label_ascii(&line, 0);
		flush_line(&line, out);
	}
	cr_text_fini(&line);
	cr_text_fini(&scratch);
	free(widths);
}

/* ---- CSV */

void
cr_write_sheet_csv_head(const struct cr_sheet *s, FILE *out)
{
	struct cr_text line = {0};
	bool first = true;

	for (uint32_t i = 0; i < s->n_columns; i++) {
		if (!shown_to(s, i, CR_SHEET_PROGRAMS))
			continue;
		cr_text_puts(&line, first ? "" : ",");
		cr_text_csv(&line, cr_str_of(s->columns[i].id));
		first = false;
	}
	cr_text_char(&line, '\n');
	flush_line(&line, out);
	cr_text_fini(&line);
}

/* Join the text and what surrounds it. */
static struct cr_str
whole_text(const struct cr_cell *c, struct cr_text *scratch)
{
	if (!c->before[0] && !c->behind)
		return c->text;
	cr_text_clear(scratch);
	cr_text_puts(scratch, c->before);
	cr_text_str(scratch, c->text);
	cr_text_puts(scratch, c->behind ? c->behind : "");
	return cr_text_view(scratch);
}

static double
percent_of(const struct cr_cell *c)
{
	return c->whole ? 100.0 * (double)c->number / (double)c->whole : 0.0;
}

/* Digits beyond a hundred millionth of the whole are noise. */
static void
put_share(const struct cr_cell *c, struct cr_text *out)
{
	cr_text_printf(out, "%.8g", percent_of(c));
}

void
cr_write_sheet_csv(const struct cr_sheet *s, FILE *out)
{
	struct cr_text line = {0}, scratch = {0};

	for (uint32_t row = 0; row < s->n_rows; row++) {
		bool first = true;

		for (uint32_t i = 0; i < s->n_columns; i++) {
			struct cr_cell cell = {0};

			if (!shown_to(s, i, CR_SHEET_PROGRAMS))
				continue;
			cr_text_puts(&line, first ? "" : ",");
			first = false;
			s->cell(s, row, i, &cell);
			if (cell.kind == CR_CELL_TEXT)
				cr_text_csv(&line, whole_text(&cell, &scratch));
			else if (cell.kind == CR_CELL_SHARE)
				put_share(&cell, &line);
			else if (cell.kind == CR_CELL_PADDED)
				cr_text_u64(&line, cell.number);
			else
				cr_cell_put(&cell, &line);
		}
		cr_text_char(&line, '\n');
		flush_line(&line, out);
	}
	cr_text_fini(&line);
	cr_text_fini(&scratch);
}

/* ---- JSON */

static void
put_json(const struct cr_cell *c, struct cr_text *scratch, struct cr_json_out *j)
{
	switch ((enum cr_cell_kind)c->kind) {
	case CR_CELL_NONE: cr_json_out_null(j); return;
	case CR_CELL_TEXT: cr_json_out_text(j, whole_text(c, scratch)); return;
	case CR_CELL_NUMBER:
	case CR_CELL_PADDED: cr_json_out_u64(j, c->number); return;
	case CR_CELL_SIGNED: cr_json_out_i64(j, (int64_t)c->number); return;
	case CR_CELL_HEX: cr_json_out_hex(j, c->number); return;
	case CR_CELL_SHARE: cr_json_out_number(j, percent_of(c)); return;
	case CR_CELL_BOOL: cr_json_out_bool(j, c->number); return;
	case CR_CELL_REAL:
		if (isnan(c->real))
			cr_json_out_null(j);
		else
			cr_json_out_number(j, c->real);
		return;
	}
}

void
cr_write_sheet_json(const struct cr_sheet *s, struct cr_json_out *j, FILE *out)
{
	struct cr_text scratch = {0};

	cr_json_out_open(j, '[');
	for (uint32_t row = 0; row < s->n_rows; row++) {
		cr_json_out_line(j, "");
		cr_json_out_open(j, '{');
		for (uint32_t i = 0; i < s->n_columns; i++) {
			struct cr_cell cell = {0};

			if (!shown_to(s, i, CR_SHEET_PROGRAMS))
				continue;
			cr_json_out_key(j, s->columns[i].id);
			s->cell(s, row, i, &cell);
			put_json(&cell, &scratch, j);
		}
		if (s->below_json)
			s->below_json(s, row, j);
		cr_json_out_close(j);
		flush_line(j->text, out);
	}
	cr_json_out_close(j);
	cr_text_fini(&scratch);
}

/* ---- Markdown */

/* Escape what Markdown would interpret in a name. */
void
cr_write_markdown(struct cr_str text, struct cr_text *out)
{
	for (uint32_t i = 0; i < text.len; i++) {
		if (memchr("\\`*_{}[]<>()#+-!|~&", text.p[i], 19))
			cr_text_char(out, '\\');
		cr_text_char(out, text.p[i]);
	}
}

void
cr_write_sheet_markdown(const struct cr_sheet *s, FILE *out)
{
	struct cr_text line = {0}, rule = {0}, scratch = {0};

	for (uint32_t i = 0; i < s->n_columns; i++) {
		if (!shown_to(s, i, CR_SHEET_PEOPLE))
			continue;
		cr_text_printf(&line, "| %s ", s->columns[i].head);
		cr_text_puts(&rule, s->columns[i].right ? "|---:" : "|---");
	}
	cr_text_puts(&line, "|\n");
	cr_text_puts(&rule, "|\n");
	flush_line(&line, out);
	flush_line(&rule, out);
	for (uint32_t row = 0; row < s->n_rows; row++) {
		for (uint32_t i = 0; i < s->n_columns; i++) {
			struct cr_cell cell = {0};

			if (!shown_to(s, i, CR_SHEET_PEOPLE))
				continue;
			cr_text_clear(&scratch);
			s->cell(s, row, i, &cell);
			cr_cell_put(&cell, &scratch);
			cr_text_puts(&line, "| ");
			if (cell.kind == CR_CELL_TEXT)
				cr_write_markdown(cr_text_view(&scratch), &line);
			else
				cr_text_put(&line, scratch.p, scratch.len);
			cr_text_char(&line, ' ');
		}
		cr_text_puts(&line, "|\n");
		flush_line(&line, out);
	}
	cr_text_fini(&line);
	cr_text_fini(&rule);
	cr_text_fini(&scratch);
}
