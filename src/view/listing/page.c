#include "page_p.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

#define HEAD 12 /* width of the left column of the head */

/* The text is cleared. */
static void
put_filled(struct cr_text *out, struct cr_text *text, uint32_t indent)
{
	cr_text_wrap(out, cr_text_view(text), indent, PAGE_CELLS);
	cr_text_clear(text);
}

void
cr_page_paragraph(struct page *g, struct cr_text *text)
{
	if (g->number)
		cr_text_printf(&g->out, "%" PRIu32 ".%s", g->number, g->number < 10 ? " " : "");
	else
		cr_text_pad(&g->out, ' ', PAGE_INDENT);
	g->number = 0;
	put_filled(&g->out, text, PAGE_INDENT);
}

void
cr_page_head(struct page *g, const char *word, struct cr_text *text)
{
	if (text->len == 0)
		return;
	cr_text_printf(&g->out, "%-*s", HEAD, word);
	put_filled(&g->out, text, HEAD);
}

void
cr_page_name(struct cr_text *t, struct cr_str name, uint32_t cells)
{
	struct cr_text safe = {0};
	uint32_t fit;

	cr_text_safe(&safe, name);
	fit = cr_utf8_fit(cr_text_view(&safe), cells);
	cr_text_put(t, safe.p, fit);
	if (fit < safe.len)
		cr_text_puts(t, "...");
	cr_text_fini(&safe);
}

void
cr_page_count(struct cr_text *t, uint64_t n, const char *noun)
{
	const char *plural = cr_str_ends(cr_str_of(noun), "s") ? "es" : "s";

	cr_text_grouped(t, n);
	cr_text_printf(t, " %s%s", noun, n == 1 ? "" : plural);
}

void
cr_page_command(struct page *g, const struct cr_text *pieces)
{
	uint32_t x = PAGE_INDENT;
	struct cr_text t = {0};

	cr_text_pad(&g->out, ' ', PAGE_INDENT);
	for (const char *p = pieces->p, *end = p + pieces->len; p < end; p += strlen(p) + 1) {
		cr_text_clear(&t);
		cr_text_safe(&t, cr_str_of(p));
		if (x > PAGE_INDENT && x + 1 + cr_utf8_cells(cr_text_view(&t)) + 2 > PAGE_CELLS) {
			cr_text_puts(&g->out, " \\\n");
			cr_text_pad(&g->out, ' ', 2 * PAGE_INDENT);
			x = 2 * PAGE_INDENT;
		} else if (x > PAGE_INDENT) {
			cr_text_char(&g->out, ' ');
			x++;
		}
		cr_text_put(&g->out, t.p, t.len);
		x += cr_utf8_cells(cr_text_view(&t));
	}
	cr_text_char(&g->out, '\n');
	cr_text_fini(&t);
}
