#include "branch_rows_p.h"

static struct cr_str
name_of(bool blocks)
{
	return blocks ? CR_STR("branch-blocks") : CR_STR("branch-stack");
}

/* One of the two events, while its samples are added. */
struct rows_out {
	struct cr_builder *b;
	bool blocks;
	cr_event_id event;
	cr_field_id cycles, cycles_min, cycles_max, mispredict, in_tx, abort;
};

static void
rows_begin(struct rows_out *out, struct cr_builder *b, bool blocks)
{
	*out = (struct rows_out){.b = b,
		.blocks = blocks,
		.event = cr_builder_event(b, name_of(blocks), CR_STR("samples"))};
	out->cycles = cr_builder_field(b, out->event, CR_STR("block_cycles"), CR_FORM_NUMBER);
	if (blocks)
		return;
	out->cycles_min =
		cr_builder_field(b, out->event, CR_STR("block_cycles_min"), CR_FORM_NUMBER);
	out->cycles_max =
		cr_builder_field(b, out->event, CR_STR("block_cycles_max"), CR_FORM_NUMBER);
	out->mispredict = cr_builder_field(b, out->event, CR_STR("mispredict"), CR_FORM_TEXT);
	out->in_tx = cr_builder_field(b, out->event, CR_STR("in_tx"), CR_FORM_TEXT);
	out->abort = cr_builder_field(b, out->event, CR_STR("abort"), CR_FORM_TEXT);
}

static void
put_flag(const struct rows_out *o, cr_field_id field, bool is, const char *text)
{
	if (is)
		cr_builder_value(o->b, field, cr_builder_text(o->b, cr_str_of(text)));
}

/* Rows of the other event are ignored. */
static void
put_row(const struct rows_out *o, const struct cr_branch_row *row)
{
	if (((row->kind & CR_BRANCH_BLOCK) != 0) != o->blocks)
		return;
	cr_builder_sample(o->b, &(struct cr_sample){.event = o->event,
					.task = row->task,
					.node = row->node,
					.cpu = CR_CPU_NONE,
					.weight = row->count});
	if (row->cycles)
		cr_builder_value(o->b, o->cycles, row->cycles);
	if (o->blocks)
		return;
	if (row->cycles) {
		cr_builder_value(o->b, o->cycles_min, row->cycles_min);
		cr_builder_value(o->b, o->cycles_max, row->cycles_max);
	}
	put_flag(o, o->mispredict, row->kind & CR_BRANCH_MISSED, "Y");
	put_flag(o, o->mispredict, row->kind & CR_BRANCH_PREDICTED, "N");
	put_flag(o, o->in_tx, row->kind & CR_BRANCH_IN_TX, "T");
	put_flag(o, o->abort, row->kind & CR_BRANCH_ABORT, "A");
}

bool
cr_branch_rows_put(struct cr_builder *b, const void *rows, size_t n, size_t size)
{
	const char *const at = rows;
	bool blocks = false;

	for (size_t i = 0; i < n && !blocks; i++)
		blocks = ((const struct cr_branch_row *)(at + i * size))->kind & CR_BRANCH_BLOCK;
	for (unsigned pass = 0; n && pass <= (blocks ? 1u : 0u); pass++) {
		struct rows_out out;

		rows_begin(&out, b, pass);
		for (size_t i = 0; i < n; i++)
			put_row(&out, (const struct cr_branch_row *)(at + i * size));
	}
	return blocks;
}

void
cr_branch_rows_derived(struct cr_builder *b, bool blocks)
{
	cr_builder_derived(b, name_of(blocks));
}
