#ifndef CRESSET_VIEW_STYLE_INK_CODES_H
#define CRESSET_VIEW_STYLE_INK_CODES_H

#include "base/text.h"
#include "view/style/paint.h"

/*
 * Inks as escape sequences, for tables that are printed on a terminal. Only attributes and colours
 * 1 to 6 of the 16 that every terminal has are used, on its own background, so they can be read on
 * light and on dark ones. Without the sequences the text is the same.
 */

/* Append text, which must be safe, in an ink. */
void cr_ink_codes_put(struct cr_text *out, enum cr_ink ink, struct cr_str text);

/* Append a painted line: `text`, whose parts have the inks of spans. */
void cr_ink_codes_line(struct cr_text *out, struct cr_str text, const cr_ink_spans *spans);

/* Append text as a link (OSC 8) to a URL, which must consist of printable ASCII characters. */
void cr_ink_codes_link(struct cr_text *out, struct cr_str url, struct cr_str text);

/* Append the URL of a file: "file://HOST/PATH", with unusual bytes as %XX. */
void cr_ink_codes_url(struct cr_text *out, struct cr_str host, struct cr_str path);

#endif
