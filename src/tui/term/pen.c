#include "pen_p.h"

#include "base/mem.h"

#include <string.h>

#define NO_COLOR CR_PEN_NO_COLOR
#define CHOICES 4

/* Attributes that are visible on a blank. */
#define ATTRS_OF_BLANKS (CR_ATTR_UNDERLINE | CR_ATTR_REVERSE)

void
cr_pen_init(struct cr_pen *p, const struct cr_painter_terminal *t)
{
	*p = (struct cr_pen){.t = t, .look = CR_PEN_PLAIN};
}

void
cr_pen_fini(struct cr_pen *p)
{
	cr_text_fini(&p->by_reset);
	cr_text_fini(&p->by_change);
}

/* ---- looks */

static int32_t
color_number(const struct cr_pen *p, uint32_t rgb)
{
	if (rgb == CR_COLOR_DEFAULT)
		return NO_COLOR;
	switch (p->t->colors) {
	case CR_COLORS_NONE: return NO_COLOR;
	case CR_COLORS_8: return cr_color_8(rgb);
	case CR_COLORS_16: return cr_color_16(rgb);
	case CR_COLORS_256: return cr_color_256(rgb);
	case CR_COLORS_DIRECT:
		/* Terminals with 24-bit colours use 0 to 7 for the basic colours. */
		return rgb < 8 ? 0 : (int32_t)rgb;
	}
	return NO_COLOR;
}

/*
 * True if exchanging both colours and reversing them looks the same. The default colours of text
 * and background are not exchanged by that, and bold or dim may change one of the colours.
 */
static bool
can_swap(const struct cr_pen *p, struct cr_pen_look l)
{
	return p->t->colors >= CR_COLORS_256 && !(l.attr & ~CR_ATTR_REVERSE) &&
	       (p->t->attrs & ~p->t->plain_attrs & CR_ATTR_REVERSE) && l.fg != NO_COLOR &&
	       l.bg != NO_COLOR;
}

static struct cr_pen_look
swapped(struct cr_pen_look l)
{
	return (struct cr_pen_look){l.bg, l.fg, l.attr ^ CR_ATTR_REVERSE};
}

/* Of two looks that are the same, the one that is not reversed. */
static struct cr_pen_look
not_reversed(const struct cr_pen *p, struct cr_pen_look l)
{
	return (l.attr & CR_ATTR_REVERSE) && can_swap(p, l) ? swapped(l) : l;
}

struct cr_pen_look
cr_pen_look_of(const struct cr_pen *p, const struct cr_cell *cell)
{
	struct cr_pen_look l = {color_number(p, cell->fg), color_number(p, cell->bg), cell->attr};

	l.attr &= p->t->attrs;
	if (l.fg != NO_COLOR || l.bg != NO_COLOR)
		l.attr &= (uint8_t)~p->t->plain_attrs;
	return not_reversed(p, l);
}

bool
cr_pen_same(struct cr_pen_look a, struct cr_pen_look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

bool
cr_pen_same_blank(struct cr_pen_look a, struct cr_pen_look b)
{
	if ((a.attr | b.attr) & ATTRS_OF_BLANKS)
		return cr_pen_same(a, b);
	return a.bg == b.bg;
}

bool
cr_pen_writes(const struct cr_pen *p, struct cr_pen_look look, bool blank)
{
	const struct cr_pen_look own = not_reversed(p, p->look);

	return blank ? cr_pen_same_blank(own, look) : cr_pen_same(own, look);
}

/* ---- sequences */

static void
put_param(struct cr_text *out, const char *param)
{
	cr_text_puts(out, out->len ? ";" : "");
	cr_text_puts(out, param);
}

static void
put_color(struct cr_pen *p, int32_t color, bool background, struct cr_text *out)
{
	struct cr_pen_color *c = &p->colors[((uint32_t)color * 2 + background) % CR_PEN_COLORS];
	struct cr_text params = {0};

	if (color == NO_COLOR) {
		put_param(out, background ? "49" : "39");
		return;
	}
	if (!c->used || c->color != color || c->background != background) {
		p->t->put_color(color, background, &params);
		*c = (struct cr_pen_color){.color = color, .used = true, .background = background};
		c->len = (uint8_t)CR_MIN(params.len, sizeof(c->params));
		memcpy(c->params, params.len ? params.p : "", c->len);
		cr_text_fini(&params);
	}
	put_param(out, "");
	cr_text_put(out, c->params, c->len);
}

/* The SGR parameters that change one look to another. */
static void
put_change(struct cr_pen *p, struct cr_pen_look from, struct cr_pen_look to, struct cr_text *out)
{
	static const struct {
		uint8_t attrs;
		const char *on, *off;
	} codes[] = {
		{CR_ATTR_BOLD, "1", "22"},
		{CR_ATTR_DIM, "2", "22"},
		{CR_ATTR_UNDERLINE, "4", "24"},
		{CR_ATTR_REVERSE, "7", "27"},
	};
	const uint8_t intensity = CR_ATTR_BOLD | CR_ATTR_DIM;

	if (from.attr & ~to.attr & intensity) { /* 22 turns off both */
		put_param(out, "22");
		from.attr &= (uint8_t)~intensity;
	}
	for (size_t i = 0; i < CR_LEN(codes); i++)
		if ((from.attr ^ to.attr) & codes[i].attrs)
			put_param(out, to.attr & codes[i].attrs ? codes[i].on : codes[i].off);
	if (from.fg != to.fg)
		put_color(p, to.fg, false, out);
	if (from.bg != to.bg)
		put_color(p, to.bg, true, out);
}

/* The shorter parameters from one look to another: by changes, or from a reset. Borrowed. */
static const struct cr_text *
params_of(struct cr_pen *p, struct cr_pen_look from, struct cr_pen_look to)
{
	const bool may_change =
		(p->t->turns_off || !(from.attr & ~to.attr)) &&
		(p->t->default_colors || ((from.fg == to.fg || to.fg != NO_COLOR) &&
						 (from.bg == to.bg || to.bg != NO_COLOR)));

	cr_text_clear(&p->by_reset);
	cr_text_clear(&p->by_change);
	if (!cr_pen_same(to, CR_PEN_PLAIN)) {
		cr_text_puts(&p->by_reset, "0");
		put_change(p, CR_PEN_PLAIN, to, &p->by_reset);
	}
	put_change(p, from, to, &p->by_change);
	return may_change && p->by_change.len <= p->by_reset.len ? &p->by_change : &p->by_reset;
}

static size_t
cost_of(struct cr_pen *p, struct cr_pen_look from, struct cr_pen_look to)
{
	return cr_pen_same(from, to) ? 0 : CR_LEN("\033[m") - 1 + params_of(p, from, to)->len;
}

/* For terminals with other sequences, which have no colours here. */
static void
set_other_look(struct cr_pen *p, struct cr_pen_look to, struct cr_text *out)
{
	const struct {
		uint8_t attr;
		const char *on;
	} sequences[] = {
		{CR_ATTR_BOLD, p->t->bold},
		{CR_ATTR_DIM, p->t->dim},
		{CR_ATTR_UNDERLINE, p->t->underline},
		{CR_ATTR_REVERSE, p->t->reverse},
	};

	cr_text_puts(out, p->t->reset);
	for (size_t i = 0; i < CR_LEN(sequences); i++)
		if (to.attr & sequences[i].attr)
			cr_text_puts(out, sequences[i].on);
}

static void
set_exactly(struct cr_pen *p, struct cr_pen_look to, struct cr_text *out)
{
	if (cr_pen_same(p->look, to))
		return;
	if (p->t->ansi) {
		const struct cr_text *params = params_of(p, p->look, to);

		cr_text_puts(out, "\033[");
		cr_text_str(out, cr_text_view(params));
		cr_text_char(out, 'm');
	} else {
		set_other_look(p, to, out);
	}
	p->look = to;
}

/* ---- choosing one of the looks that are the same */

struct choices {
	struct cr_pen_look look[CHOICES];
	size_t n;
};

static void
choices_add(struct choices *c, struct cr_pen_look look)
{
	c->look[c->n++] = look;
}

static void
choices_of_text(const struct cr_pen *p, struct cr_pen_look to, struct choices *c)
{
	choices_add(c, to);
	if (can_swap(p, to))
		choices_add(c, swapped(to));
}

/* Set the one of these looks that is reached, and left for the next one, with the fewest bytes. */
static void
set_cheapest(struct cr_pen *p, const struct choices *c, const struct cr_pen_look *next,
	struct cr_text *out)
{
	struct choices after = {.n = 0};
	size_t best = 0, best_cost = SIZE_MAX;

	if (next)
		choices_of_text(p, *next, &after);
	for (size_t i = 0; i < c->n; i++) {
		size_t cost = cost_of(p, p->look, c->look[i]), least = after.n ? SIZE_MAX : 0;

		for (size_t k = 0; k < after.n; k++)
			least = CR_MIN(least, cost_of(p, c->look[i], after.look[k]));
		cost += least;
		if (cost < best_cost) {
			best = i;
			best_cost = cost;
		}
	}
	set_exactly(p, c->look[best], out);
}

void
cr_pen_set(struct cr_pen *p, struct cr_pen_look to, const struct cr_pen_look *next,
	struct cr_text *out)
{
	struct choices c = {.n = 0};

	if (cr_pen_same(p->look, to))
		return;
	choices_of_text(p, to, &c);
	set_cheapest(p, &c, next, out);
}

/* Looks whose erased cells have this background: other colours and attributes are not seen. */
static void
choices_of_erased(const struct cr_pen *p, struct cr_pen_look to, const struct cr_pen_look *next,
	struct choices *c)
{
	const uint8_t unseen = (uint8_t)~ATTRS_OF_BLANKS;
	const struct cr_pen_look own = not_reversed(p, p->look);

	if (to.attr & ATTRS_OF_BLANKS) {
		choices_add(c, to);
		return;
	}
	choices_add(c, (struct cr_pen_look){own.fg, to.bg, own.attr & unseen});
	if (next)
		choices_add(c, (struct cr_pen_look){next->fg, to.bg, next->attr & unseen});
}

void
cr_pen_set_erased(struct cr_pen *p, struct cr_pen_look to, const struct cr_pen_look *next,
	struct cr_text *out)
{
	struct choices c = {.n = 0};

	if (cr_pen_same_blank(p->look, to))
		return;
	choices_of_erased(p, to, next, &c);
	set_cheapest(p, &c, next, out);
}

void
cr_pen_set_blank(struct cr_pen *p, struct cr_pen_look to, const struct cr_pen_look *next,
	struct cr_text *out)
{
	struct choices c = {.n = 0};
	size_t n;

	if (cr_pen_writes(p, to, true))
		return;
	choices_of_erased(p, to, next, &c);
	n = c.n;
	for (size_t i = 0; i < n; i++)
		if (can_swap(p, c.look[i]))
			choices_add(&c, swapped(c.look[i]));
	set_cheapest(p, &c, next, out);
}

void
cr_pen_reset(struct cr_pen *p, struct cr_text *out)
{
	p->look.attr = UINT8_MAX; /* unknown, too */
	set_exactly(p, CR_PEN_PLAIN, out);
}
