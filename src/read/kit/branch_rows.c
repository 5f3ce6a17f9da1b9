#include "branch_rows_p.h"

static struct cr_str
name_of(bool blocks)
{
	return blocks ? CR_STR("branch-blocks") : CR_STR("branch-stack");
}

void
cr_branch_rows_derived(struct cr_builder *b, bool blocks)
{
	cr_builder_derived(b, name_of(blocks));
}

void
cr_branch_rows_begin(struct cr_branch_rows *out, struct cr_builder *b, bool blocks)
{
	*out = (struct cr_branch_rows){.b = b,
		.blocks = blocks,
		.event = cr_builder_event(b, name_of(blocks), CR_STR("samples"))};
	out->cycles = cr_builder_field(b, out->event, CR_STR("block_cycles"), CR_FORM_NUMBER);
	if (blocks)
		return;
	out->mispredict = cr_builder_field(b, out->event, CR_STR("mispredict"), CR_FORM_TEXT);
	out->in_tx = cr_builder_field(b, out->event, CR_STR("in_tx"), CR_FORM_TEXT);
	out->abort = cr_builder_field(b, out->event, CR_STR("abort"), CR_FORM_TEXT);
}

static void
put_flag(const struct cr_branch_rows *o, cr_field_id field, bool is, const char *text)
{
	if (is)
		cr_builder_value(o->b, field, cr_builder_text(o->b, cr_str_of(text)));
}

void
cr_branch_rows_put(const struct cr_branch_rows *o, const struct cr_branch_row *row)
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
	put_flag(o, o->mispredict, row->kind & CR_BRANCH_MISSED, "Y");
	put_flag(o, o->mispredict, row->kind & CR_BRANCH_PREDICTED, "N");
	put_flag(o, o->in_tx, row->kind & CR_BRANCH_IN_TX, "T");
	put_flag(o, o->abort, row->kind & CR_BRANCH_ABORT, "A");
}
