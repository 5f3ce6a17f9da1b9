#include "base/utf8.h"
#include "view/scene/flame.h"
#include "view/style/change.h"
#include "view/style/color.h"
#include "view/style/label.h"
#include "view/style/palette.h"
#include "write/writer.h"

/*
 * A flame graph as text, root at the top, one line per level, for mail and logs. Each box is as
 * wide as its share of --columns. In colour the boxes have the colours of the browser; with --plain
 * each begins with '|'. A combined box of narrow neighbours is "+".
 */
struct ansi_options {
	uint32_t columns;
	bool plain;
};

struct ansi {
	const struct cr_write_in *in;
	const struct ansi_options *o;
	const struct cr_tree *t;
	struct cr_change_look change; /* of a difference */
	struct cr_text text, label;
};

/* "cpu-clock 19.7 s; comm nginx" */
static void
put_head(struct ansi *a)
{
	if (a->in->title) {
		cr_text_safe(&a->text, cr_str_of(a->in->title));
		cr_text_puts(&a->text, ": ");
	}
	cr_label_event(&a->text, a->t, " -> ");
	cr_text_puts(&a->text, ", ");
	cr_label_costs(&a->text, a->t, " -> ");
	if (a->in->query && *a->in->query)
		cr_text_printf(&a->text, "; %s", a->in->query);
	cr_text_char(&a->text, '\n');
}

static void
put_label(struct ansi *a, const struct cr_box *b)
{
	const struct cr_frame *f = &a->t->frames[a->t->frame[b->node]];

	cr_text_clear(&a->label);
	if (b->flags & CR_BOX_GATHERED)
		cr_text_puts(&a->label, "+");
	else
		cr_label_fit(&a->label, f->name, (uint32_t)(b->x1 - b->x0 - 1));
	cr_label_ascii(&a->label, 0);
}

/* Colours of the background and of the text. */
static void
put_colors(struct ansi *a, const struct cr_box *b)
{
	const uint32_t fill = a->t->sides == 2 ? cr_change_color_of(&a->change, b->node)
					       : cr_palette_frame(CR_PALETTE_KIND,
							 &a->t->frames[a->t->frame[b->node]]);

	cr_text_printf(&a->text, "\033[48;5;%u;38;5;%um", cr_color_256(fill),
		cr_color_256(cr_color_ink(fill)));
}

/* A box has its label in all cells but the first, which separates it from the one before. */
static void
put_box(struct ansi *a, const struct cr_box *b)
{
	const uint32_t cells = (uint32_t)(b->x1 - b->x0);
	uint32_t used;

	put_label(a, b);
	used = CR_MIN(cr_utf8_cells(cr_text_view(&a->label)), cells - 1);
	if (a->o->plain)
		cr_text_char(&a->text, '|');
	else
		put_colors(a, b);
	if (!a->o->plain)
		cr_text_puts(&a->text, cells > 1 ? "\xe2\x96\x8f" : " ");
	if (cells > 1)
		cr_text_str(&a->text, cr_text_view(&a->label));
	cr_text_pad(&a->text, ' ', cells - 1 - used);
	if (!a->o->plain)
		cr_text_puts(&a->text, "\033[0m");
}

static void
put_row(struct ansi *a, const struct cr_scene *s, int32_t row)
{
	int32_t x = 0;

	for (uint32_t i = s->row_first[row]; i < s->row_first[row + 1]; i++) {
		const struct cr_box *b = &s->boxes[i];

		if (b->x1 <= b->x0)
			continue;
		cr_text_pad(&a->text, ' ', (size_t)(b->x0 - x));
		put_box(a, b);
		x = b->x1;
	}
	while (a->text.len && a->text.p[a->text.len - 1] == ' ')
		a->text.len--;
	cr_text_char(&a->text, '\n');
}

static int
ansi_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct ansi a = {.in = in, .o = options, .t = in->tree};
	struct cr_scene scene = {0};
	int rc = CR_OK;

	if (a.t->sides == 2)
		a.change = cr_change_look_make(a.t, in->totals, in->noise);
	cr_flame_layout(a.t,
		&(struct cr_flame_opts){.zoom = in->root,
			.width = (int32_t)a.o->columns,
			.min_width = 1,
			.hit = in->hit},
		&scene);
	put_head(&a);
	for (int32_t row = 0; rc == CR_OK && row < scene.rows; row++) {
		put_row(&a, &scene, row);
		rc = cr_sink_large(out, &a.text, err);
	}
	if (rc == CR_OK)
		rc = cr_sink_text(out, &a.text, err);
	cr_scene_fini(&scene);
	cr_text_fini(&a.text);
	cr_text_fini(&a.label);
	return rc;
}

static const char *const ansi_extensions[] = {".ansi", NULL};

static const struct cr_option_spec ansi_options[] = {
	{.name = "columns",
		.arg = "N",
		.help = "width of the text in cells",
		.initial = "100",
		.type = CR_OPTION_U32,
		.at = offsetof(struct ansi_options, columns),
		.min = 20,
		.max = 10000},
	{.name = "plain",
		.help = "write no colours; each box begins with |",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct ansi_options, plain)},
	{.name = NULL},
};

const struct cr_writer cr_writer_ansi = {
	.name = "ansi",
	.extensions = ansi_extensions,
	.about = "flame graph as text, coloured for a terminal or plain for mail",
	.needs = CR_WRITER_TREE | CR_WRITER_CHANGES,
	.for_terminals = true,
	.options = ansi_options,
	.options_size = sizeof(struct ansi_options),
	.write = ansi_write,
};
