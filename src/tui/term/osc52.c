#include "osc52_p.h"

#include <stdlib.h>

/* Maximum length in bytes of a sequence that old versions of screen pass through in one piece. */
#define SCREEN_PIECE 240

enum cr_osc52_through
cr_osc52_through(void)
{
	const char *tmux = getenv("TMUX"), *screen = getenv("STY");

	if (tmux && *tmux)
		return CR_OSC52_TMUX;
	return screen && *screen ? CR_OSC52_SCREEN : CR_OSC52_DIRECT;
}

static void
put_base64(struct cr_str text, struct cr_text *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (uint32_t i = 0; i < text.len; i += 3) {
		const uint32_t left = text.len - i;
		uint32_t v = (uint32_t)(unsigned char)text.p[i] << 16;

		if (left > 1)
			v |= (uint32_t)(unsigned char)text.p[i + 1] << 8;
		if (left > 2)
			v |= (unsigned char)text.p[i + 2];
		cr_text_char(out, digits[v >> 18]);
		cr_text_char(out, digits[v >> 12 & 63]);
		cr_text_char(out, left > 1 ? digits[v >> 6 & 63] : '=');
		cr_text_char(out, left > 2 ? digits[v & 63] : '=');
	}
}

static void
put_plain(struct cr_str text, struct cr_text *out)
{
	cr_text_puts(out, "\033]52;c;");
	put_base64(text, out);
	cr_text_char(out, '\a');
}

void
cr_osc52_put(struct cr_str text, enum cr_osc52_through through, struct cr_text *out)
{
	struct cr_text plain = {0};

	put_plain(text, &plain);
	if (through == CR_OSC52_SCREEN) {
		for (size_t at = 0; at < plain.len; at += SCREEN_PIECE) {
			cr_text_puts(out, "\033P");
			cr_text_put(out, plain.p + at,
				plain.len - at < SCREEN_PIECE ? plain.len - at : SCREEN_PIECE);
			cr_text_puts(out, "\033\\");
		}
	} else {
		cr_text_put(out, plain.p, plain.len);
	}
	if (through == CR_OSC52_TMUX) {
		cr_text_puts(out, "\033Ptmux;\033"); /* an ESC is written twice */
		cr_text_put(out, plain.p, plain.len);
		cr_text_puts(out, "\033\\");
	}
	cr_text_fini(&plain);
}
