#include "export_p.h"

#include "session/commands/argument_p.h"
#include "state_p.h"

#include "session/views/view.h"
#include "write/write_sheet.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>

/* Formats for the content of the screen: the text of the view, or its table. */
enum page {
	PAGE_TEXT,
	PAGE_CSV,
	PAGE_JSON,
};

static const struct {
	const char *extension;
	enum page page;
} pages[] = {
	{".txt", PAGE_TEXT},
	{".csv", PAGE_CSV},
	{".json", PAGE_JSON},
};

const char *
cr_export_page_extension(size_t i)
{
	return i < CR_LEN(pages) ? pages[i].extension : NULL;
}

/* CR_LEN(pages) if the path has none of the extensions. */
static size_t
page_of(const char *path)
{
	size_t i = 0;

	while (i < CR_LEN(pages) && !cr_str_ends(cr_str_of(path), pages[i].extension))
		i++;
	return i;
}

bool
cr_export_is_page(const char *path)
{
	const size_t i = page_of(path);
	const struct cr_writer *w = cr_writer_for_path(path);

	if (i == CR_LEN(pages))
		return false;
	/* A format whose extension ends like that of a page has a longer one. */
	for (const char *const *e = w ? w->extensions : NULL; e && *e; e++)
		if (strlen(*e) > strlen(pages[i].extension) && cr_str_ends(cr_str_of(path), *e))
			return false;
	return true;
}

/* ---- content of the file */

static void
put_csv(const struct cr_sheet *sheet, FILE *out)
{
	cr_write_sheet_csv_head(sheet, out);
	cr_write_sheet_csv(sheet, out);
}

static void
put_json(const struct cr_session *s, const struct cr_view *v, const struct cr_sheet *sheet,
	FILE *out)
{
	struct cr_text text = {0}, query = {0};
	struct cr_json_out j = {.text = &text};

	cr_query_print(&s->query, &query);
	cr_json_out_open(&j, '{');
	cr_json_out_text_of(&j, "profile", cr_str_of(s->title[0]));
	cr_json_out_text_of(&j, "view", cr_str_of(v->ops->name));
	cr_json_out_text_of(&j, "event", s->tree->event);
	cr_json_out_text_of(&j, "query", cr_text_view(&query));
	cr_json_out_line(&j, "");
	cr_json_out_key(&j, "rows");
	cr_write_sheet_json(sheet, &j, out);
	cr_json_out_close(&j);
	fprintf(out, "%s\n", text.p);
	cr_json_out_fini(&j);
	cr_text_fini(&text);
	cr_text_fini(&query);
}

static int
page_make(struct cr_session *s, struct cr_view *v, enum page page, struct cr_text *out,
	struct cr_err *err)
{
	const struct cr_sheet *sheet;
	size_t len = 0;
	FILE *stream;

	if (page == PAGE_TEXT) {
		v->ops->print(v, s, out);
		return CR_OK;
	}
	if (!v->ops->sheet || !(sheet = v->ops->sheet(v, s)))
		return cr_fail(err, CR_EEMPTY, CR_NO_OFFSET,
			"the view %s shows nothing, so it has no table", v->ops->name);
	if (!(stream = open_memstream(&out->p, &len)))
		return cr_fail_errno(err, CR_EIO, "no memory for the table");
	if (page == PAGE_CSV)
		put_csv(sheet, stream);
	else
		put_json(s, v, sheet, stream);
	fclose(stream);
	out->len = len;
	out->cap = len + 1;
	return CR_OK;
}

int
cr_export_put_view(struct cr_session *s, struct cr_view *v, const char *form, struct cr_text *out,
	struct cr_err *err)
{
	for (size_t i = 0; i < CR_LEN(pages); i++)
		if (strcmp(form, pages[i].extension + 1) == 0)
			return page_make(s, v, pages[i].page, out, err);
	return cr_argument_bad(err, "form", form, "txt, csv, json");
}

/* A writer of finished text. */
static int
text_write(const struct cr_write_in *in, const void *text, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_text *t = text;

	(void)in;
	return cr_sink_put(out, t->p, t->len, err);
}

int
cr_export_text(const char *path, const struct cr_text *text, struct cr_err *err)
{
	static const char *const extensions[] = {NULL};
	const struct cr_writer w = {
		.name = "text", .extensions = extensions, .about = "text", .write = text_write};
	const struct cr_write_in in = {0};

	return cr_writer_run(&w, &in, text, path, err);
}

int
cr_export_page(struct cr_session *s, const char *path, struct cr_err *err)
{
	struct cr_text text = {0};
	int rc = page_make(s, cr_view_current(s), pages[page_of(path)].page, &text, err);

	if (rc == CR_OK)
		rc = cr_export_text(path, &text, err);
	cr_text_fini(&text);
	return rc;
}
