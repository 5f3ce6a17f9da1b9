#include "view/style/ink_codes.h"

#include "base/utf8.h"

#include <string.h>

/* Parameters of SGR; "" for text as it is. */
static const char *
code_of(enum cr_ink ink)
{
	switch (ink) {
	case CR_INK_STRONG:
	case CR_INK_HEADING:
	case CR_INK_MARK: return "1";
	case CR_INK_DIM: return "2";
	case CR_INK_HOT: return "31";
	case CR_INK_GOOD: return "32";
	case CR_INK_WARN: return "35";
	default: return "";
	}
}

void
cr_ink_codes_put(struct cr_text *out, enum cr_ink ink, struct cr_str text)
{
	const char *code = code_of(ink);

	if (!*code || !text.len) {
		cr_text_str(out, text);
		return;
	}
	cr_text_printf(out, "\033[%sm", code);
	cr_text_str(out, text);
	cr_text_puts(out, "\033[0m");
}

/* The bytes of the first `cells` cells. */
static struct cr_str
take_cells(struct cr_str *rest, uint32_t cells)
{
	const struct cr_str taken = {rest->p, rest->len ? cr_utf8_fit(*rest, cells) : 0};

	*rest = cr_str_from(*rest, rest->p + taken.len);
	return taken;
}

void
cr_ink_codes_line(struct cr_text *out, struct cr_str text, const cr_ink_spans *spans)
{
	uint32_t x = 0;

	for (size_t i = 0; i < spans->n; i++) {
		const struct cr_ink_span *s = &spans->p[i];

		cr_text_str(out, take_cells(&text, s->x - CR_MIN(x, s->x)));
		cr_ink_codes_put(out, (enum cr_ink)s->ink, take_cells(&text, s->cells));
		x = s->x + s->cells;
	}
	cr_text_str(out, text);
}

void
cr_ink_codes_link(struct cr_text *out, struct cr_str url, struct cr_str text)
{
	cr_text_puts(out, "\033]8;;");
	cr_text_str(out, url);
	cr_text_puts(out, "\033\\");
	cr_text_str(out, text);
	cr_text_puts(out, "\033]8;;\033\\");
}

void
cr_ink_codes_url(struct cr_text *out, struct cr_str host, struct cr_str path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";

	cr_text_puts(out, "file://");
	for (int part = 0; part < 2; part++) {
		const struct cr_str s = part ? path : host;

		for (uint32_t i = 0; i < s.len; i++)
			if (s.p[i] && strchr(plain, s.p[i]))
				cr_text_char(out, s.p[i]);
			else
				cr_text_printf(out, "%%%02X", (unsigned char)s.p[i]);
	}
}
