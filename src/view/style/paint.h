#ifndef CRESSET_VIEW_STYLE_PAINT_H
#define CRESSET_VIEW_STYLE_PAINT_H

#include "base/text.h"
#include "base/vec.h"
#include "model/tree/tree.h"

/*
 * A line of text whose parts have different looks. The ink of a part tells its purpose; the browser
 * chooses a colour or attribute that the terminal supports. Output without looks prints only the
 * text, so the ink must not carry information alone.
 */
enum cr_ink {
	CR_INK_PLAIN,
	CR_INK_DIM,     /* less important */
	CR_INK_STRONG,  /* bold */
	CR_INK_HEADING, /* heading of a section */
	CR_INK_GOOD,
	CR_INK_WARN,
	CR_INK_BAR,    /* a bar or a chart; level: enum cr_kind of the code it shows */
	CR_INK_HEAT,   /* cells of a heat map, shades as text; level: 1 to 255, the highest cost */
	CR_INK_HEIGHT, /* the same for a chart, whose text is heights */
	CR_INK_MARK,   /* marked by the user */
	CR_INK_HOT,    /* a large share */
	/* Names, by kind of frame. In rows that match the search they are drawn as matches. */
	CR_INK_NAME,
	CR_INK_NAME_KERNEL,
	CR_INK_NAME_JIT, /* also BPF */
	CR_INK_NAME_INLINED,
	CR_INK_NAME_UNKNOWN, /* a function without a name */
	CR_INK_NAME_GROUP,   /* no code: a comm, the root */
};

/* The ink for the name of a frame. */
enum cr_ink cr_ink_of_name(const struct cr_frame *f);

/* The ink for a share in millionths: large ones are hot, those printed as 0.00 dim. */
enum cr_ink cr_ink_of_share(uint32_t ppm);

struct cr_ink_span {
	uint32_t x, cells; /* position in the line */
	uint8_t ink;       /* enum cr_ink */
	uint8_t level;
};

typedef CR_VEC(struct cr_ink_span) cr_ink_spans;

/* A line being made. */
struct cr_paint {
	struct cr_text *out;
	cr_ink_spans *spans; /* NULL: only the text is wanted */
	uint32_t x;          /* cells so far */
	uint32_t width;      /* most cells; 0: as many as needed */
};

/* Append text made safe for a terminal, as far as it fits. */
void cr_paint_str(struct cr_paint *p, enum cr_ink ink, struct cr_str text);
void cr_paint_text(struct cr_paint *p, enum cr_ink ink, const char *text);

/* The same in at most `cells` cells, shortened by cr_label_fit(). */
void cr_paint_fit(struct cr_paint *p, enum cr_ink ink, struct cr_str name, uint32_t cells);

/* Append text in at most `cells` cells; a longer one is cut at its end, with an ellipsis. */
void cr_paint_cut(struct cr_paint *p, enum cr_ink ink, struct cr_str text, uint32_t cells);

/* Append right-aligned in a column of `cells` cells. */
void cr_paint_right(struct cr_paint *p, enum cr_ink ink, struct cr_str text, uint32_t cells);

/* Append characters that are safe already, such as a chart, with their ink and level. */
void cr_paint_chart(struct cr_paint *p, enum cr_ink ink, uint8_t level, struct cr_str chart);

/* Append blanks up to cell x; nothing if the line is longer. */
void cr_paint_to(struct cr_paint *p, uint32_t x);

#endif
