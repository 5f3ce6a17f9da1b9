#include "job_p.h"
#include "reply_p.h"

#include "base/text.h"
#include "stored_p.h"

#include "store/edit.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_note(const struct cr_options *o);

#define NOTE_BYTES_MAX ((size_t)1 << 20)

/* Print line by line, so that a note of several lines is recognisable as one. */
static void
put_note(struct cr_str note)
{
	struct cr_text t = {0};

	while (note.len) {
		const char *end = memchr(note.p, '\n', note.len);
		const struct cr_str line = end ? cr_str_to(note, end) : note;

		cr_text_safe(&t, line);
		cr_text_char(&t, '\n');
		note = end ? cr_str_from(note, end + 1) : (struct cr_str){0};
	}
	fputs(t.p ? t.p : "", stdout);
	cr_text_fini(&t);
}

static void
print_json(const struct cr_options *o, struct cr_str note)
{
	struct cr_reply r;

	cr_reply_begin(&r, o, CR_REPLY_ONE);
	cr_json_out_open(&r.json, '{');
	cr_json_out_key(&r.json, "note");
	if (note.len)
		cr_json_out_text(&r.json, note);
	else
		cr_json_out_null(&r.json);
	cr_json_out_close(&r.json);
	cr_reply_end(&r);
}

static int
print(const struct cr_options *o)
{
	struct cr_profile *p;
	const int code = cr_stored_peek(o, o->args[0], &p);

	if (code != EXIT_DONE)
		return code;
	if (o->json)
		print_json(o, cr_profile_fact(p, "note"));
	else
		put_note(cr_profile_fact(p, "note"));
	cr_profile_free(p);
	return EXIT_DONE;
}

static int
read_note(struct cr_text *out)
{
	char bytes[4096];
	size_t n;

	while ((n = fread(bytes, 1, sizeof(bytes), stdin)) > 0 && out->len <= NOTE_BYTES_MAX)
		cr_text_put(out, bytes, n);
	if (!ferror(stdin))
		return EXIT_DONE;
	cr_options_complain("standard input", "cannot read");
	return EXIT_INPUT;
}

/* Several words are joined to one text, like echo does. */
static int
gather(const struct cr_options *o, struct cr_text *out)
{
	if (o->n_args == 2 && strcmp(o->args[1], "-") == 0)
		return read_note(out);
	for (int i = 1; i < o->n_args; i++) {
		cr_text_puts(out, i > 1 ? " " : "");
		cr_text_puts(out, o->args[i]);
	}
	return EXIT_DONE;
}

int
cr_cmd_note(const struct cr_options *o)
{
	struct cr_text text = {0};
	struct cr_edit edit = {.key = CR_STR("note")};
	int code;

	if (o->n_args == 1)
		return print(o);
	code = gather(o, &text);
	while (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	edit.value = cr_text_view(&text);
	edit.remove = text.len == 0;
	if (code == EXIT_DONE && text.len > NOTE_BYTES_MAX) {
		cr_options_complain(o->args[0], "a note has at most 1 MiB");
		code = EXIT_USAGE;
	}
	if (code == EXIT_DONE)
		code = cr_stored_edit(o, o->args[0], &edit, 1);
	if (code == EXIT_DONE && o->json)
		code = print(o);
	cr_text_fini(&text);
	return code;
}
