#ifndef CR_WRITE_SVG_SVG_HEAD_P_H
#define CR_WRITE_SVG_SVG_HEAD_P_H

#include "write/svg_p.h"

#define CR_SVG_PAD 16 /* pixels to the left and right of everything */

/* Append the head: title, subtitle, missing data, legend. */
void cr_svg_head(struct cr_svg *s);

/* Append the subtitle: event, sums, what was selected, and facts about the recording. */
void cr_svg_subtitle(struct cr_svg *s);

/* The title; what was selected and changed, "" for nothing. */
struct cr_str cr_svg_title(const struct cr_svg *s);
struct cr_str cr_svg_query(const struct cr_svg *s);

/* Number of kinds of missing data that the head reports; p may be NULL. */
uint32_t cr_svg_quality_rows(const struct cr_profile *p);
bool cr_svg_has_legend(const struct cr_svg *s);

#endif
