#include "script_p.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX ((size_t)4 << 20) /* days of typing */
#define LINE_CELLS 76

struct cr_script {
	struct cr_text commands; /* each ends with a NUL */
	int32_t width, height;   /* of the last size; 0 before that */
	bool full;               /* commands are missing */
};

struct cr_script *
cr_script_new(void)
{
	return cr_alloc(1, sizeof(struct cr_script));
}

void
cr_script_free(struct cr_script *s)
{
	if (!s)
		return;
	cr_text_fini(&s->commands);
	free(s);
}

void
cr_script_add(struct cr_script *s, struct cr_str command)
{
	if (s->full || s->commands.len + command.len + 1 > BYTES_MAX) {
		s->full = true;
		return;
	}
	cr_text_str(&s->commands, command);
	cr_text_char(&s->commands, '\0');
}

void
cr_script_size(struct cr_script *s, int32_t width, int32_t height)
{
	struct cr_text t = {0};

	if (width == s->width && height == s->height)
		return;
	s->width = width;
	s->height = height;
	cr_text_printf(&t, "size %" PRId32 " %" PRId32, width, height);
	cr_script_add(s, cr_text_view(&t));
	cr_text_fini(&t);
}

bool
cr_script_put(const struct cr_script *s, struct cr_text *out)
{
	const char *at = s->commands.p, *end = at + s->commands.len;
	size_t cells = 0;

	if (s->full)
		return false;
	for (; at < end; at += strlen(at) + 1) {
		const size_t len = strlen(at) + 1;

		if (cells && cells + 1 + len > LINE_CELLS) {
			cr_text_char(out, '\n');
			cells = 0;
		}
		cr_text_puts(out, cells ? " " : "");
		cells += (cells > 0) + len;
		cr_text_puts(out, at);
		cr_text_char(out, ';');
	}
	if (cells)
		cr_text_char(out, '\n');
	return true;
}
