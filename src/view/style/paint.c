#include "view/style/paint.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "view/style/label.h"

/* Shares, in millionths. */
#define HOT_PPM 50000 /* the threshold of perf report */
#define NONE_PPM 50   /* less is printed as 0.00 % */

enum cr_ink
cr_ink_of_name(const struct cr_frame *f)
{
	if (cr_frame_is_group(f))
		return CR_INK_NAME_GROUP;
	if (cr_frame_is_nameless(f))
		return CR_INK_NAME_UNKNOWN;
	if (f->kind == CR_KIND_JIT || f->kind == CR_KIND_BPF)
		return CR_INK_NAME_JIT;
	if (cr_kind_is_kernel(f->kind))
		return CR_INK_NAME_KERNEL;
	return f->inlined ? CR_INK_NAME_INLINED : CR_INK_NAME;
}

enum cr_ink
cr_ink_of_share(uint32_t ppm)
{
	return ppm >= HOT_PPM ? CR_INK_HOT : ppm < NONE_PPM ? CR_INK_DIM : CR_INK_PLAIN;
}

static uint32_t
room(const struct cr_paint *p)
{
	return p->width ? p->width - CR_MIN(p->width, p->x) : UINT32_MAX;
}

/* `text` is safe; what does not fit is dropped. */
static void
put(struct cr_paint *p, enum cr_ink ink, uint8_t level, struct cr_str text)
{
	const uint32_t bytes = text.len ? cr_utf8_fit(text, room(p)) : 0;
	const uint32_t cells = bytes ? cr_utf8_cells((struct cr_str){text.p, bytes}) : 0;

	cr_text_put(p->out, text.p, bytes);
	if (p->spans && cells && (ink != CR_INK_PLAIN || level))
		cr_vec_push(p->spans, ((struct cr_ink_span){p->x, cells, (uint8_t)ink, level}));
	p->x += cells;
}

void
cr_paint_chart(struct cr_paint *p, enum cr_ink ink, uint8_t level, struct cr_str chart)
{
	put(p, ink, level, chart);
}

void
cr_paint_str(struct cr_paint *p, enum cr_ink ink, struct cr_str text)
{
	struct cr_text safe = {0};

	cr_text_safe(&safe, text);
	put(p, ink, 0, cr_text_view(&safe));
	cr_text_fini(&safe);
}

void
cr_paint_text(struct cr_paint *p, enum cr_ink ink, const char *text)
{
	put(p, ink, 0, cr_str_of(text));
}

void
cr_paint_fit(struct cr_paint *p, enum cr_ink ink, struct cr_str name, uint32_t cells)
{
	struct cr_text fit = {0};

	cr_label_fit(&fit, name, CR_MIN(cells, room(p)));
	put(p, ink, 0, cr_text_view(&fit));
	cr_text_fini(&fit);
}

void
cr_paint_cut(struct cr_paint *p, enum cr_ink ink, struct cr_str text, uint32_t cells)
{
	const uint32_t most = CR_MIN(cells, room(p));
	struct cr_text safe = {0};

	cr_text_safe(&safe, text);
	if (safe.len && most && cr_utf8_cells(cr_text_view(&safe)) > most) {
		safe.len = cr_utf8_fit(cr_text_view(&safe), most - 1);
		cr_text_puts(&safe, "\xe2\x80\xa6");
	}
	put(p, ink, 0, cr_text_view(&safe));
	cr_text_fini(&safe);
}

void
cr_paint_right(struct cr_paint *p, enum cr_ink ink, struct cr_str text, uint32_t cells)
{
	const uint32_t used = text.len ? cr_utf8_cells(text) : 0;

	cr_paint_to(p, p->x + cells - CR_MIN(used, cells));
	put(p, ink, 0, text);
}

void
cr_paint_to(struct cr_paint *p, uint32_t x)
{
	const uint32_t to = p->width ? CR_MIN(x, p->width) : x;

	if (to <= p->x)
		return;
	cr_text_pad(p->out, ' ', to - p->x);
	p->x = to;
}
