#ifndef CR_WRITE_SVG_SVG_STYLE_P_H
#define CR_WRITE_SVG_SVG_STYLE_P_H

#include "write/svg_p.h"

/* Append the rules of the style sheet that options change; they follow data/flame/flame.css. */
void cr_svg_put_style(struct cr_svg *s);

/* Append the definition of the background, if an option asks for two colours. */
void cr_svg_put_background(struct cr_svg *s);

/* Append the notes as a comment, if there are any. */
void cr_svg_put_notes(struct cr_svg *s);

/* Append the look that the script has to know as members of the JSON object `meta`. */
void cr_svg_put_look(const struct cr_svg *s, struct cr_json_out *j);

/* Height of a row in pixels; size and width of the characters of labels, in tenths of a pixel. */
int32_t cr_svg_pitch(const struct cr_svg *s);
int32_t cr_svg_font_tenths(const struct cr_svg *s);
int32_t cr_svg_cell_tenths(const struct cr_svg *s);

/* The smallest extent that is written, by --minwidth; 0 for all. */
uint64_t cr_svg_least(const struct cr_svg *s);

/* A count times --factor, rounded. */
uint64_t cr_svg_scaled(const struct cr_svg *s, uint64_t count);

/* With --colordiffusion, the colour of a box of this extent: the wider, the redder. */
uint32_t cr_svg_diffusion(const struct cr_svg *s, uint64_t extent);

#endif
