#include "view/listing/listing.h"

#include "base/text.h"

static void
put_share(struct cr_text *t, uint64_t part, uint64_t whole)
{
	struct cr_text share = {0};

	cr_text_share(&share, part, whole);
	cr_text_pad(t, ' ', share.len < 8 ? 8 - share.len : 0);
	cr_text_str(t, cr_text_view(&share));
	cr_text_fini(&share);
}

#define IPC_CELLS 6u
#define CYCLES_CELLS 8u

static void
put_right(struct cr_text *t, struct cr_text *s, size_t cells)
{
	cr_text_pad(t, ' ', s->len < cells - 1 ? cells - 1 - s->len : 0);
	cr_text_str(t, cr_text_view(s));
	cr_text_pad(t, ' ', 1);
	cr_text_clear(s);
}

static void
put_cycles(struct cr_text *t, const struct cr_listing_row *r, const struct cr_listing_shares *of)
{
	struct cr_text s = {0};

	if (of->ipc) {
		if (r->run_cycles)
			cr_text_printf(
				&s, "%.2f", (double)r->run_instructions / (double)r->run_cycles);
		put_right(t, &s, IPC_CELLS);
	}
	if (of->cycles) {
		if (r->blocks.n)
			cr_text_u64(&s, r->blocks.cycles / r->blocks.n);
		put_right(t, &s, CYCLES_CELLS);
	}
	cr_text_fini(&s);
}

static void
put_two(struct cr_text *t, const struct cr_listing_row *r, const struct cr_listing_shares *of)
{
	if (!r->has_cost) {
		cr_text_pad(
			t, ' ', 18 + (of->ipc ? IPC_CELLS : 0) + (of->cycles ? CYCLES_CELLS : 0));
		return;
	}
	put_share(t, of->hits ? r->cost.self_samples : r->cost.self, of->whole);
	cr_text_pad(t, ' ', 1);
	put_share(t, of->hits ? r->cost.total_samples : r->cost.total, of->whole);
	cr_text_pad(t, ' ', 1);
	put_cycles(t, r, of);
}

/* Replace tabs by blanks, since the text starts at another column. */
static void
put_source_text(struct cr_text *t, struct cr_str s)
{
	uint32_t column = 0, from = 0;

	for (uint32_t i = 0; i <= s.len; i++) {
		if (i < s.len && s.p[i] != '\t')
			continue;
		cr_text_safe(t, (struct cr_str){s.p + from, i - from});
		column += i - from;
		if (i < s.len) {
			cr_text_pad(t, ' ', 8 - column % 8);
			column += 8 - column % 8;
		}
		from = i + 1;
	}
}

void
cr_listing_line(
	const struct cr_listing_row *r, const struct cr_listing_shares *of, struct cr_text *t)
{
	switch ((enum cr_listing_kind)r->kind) {
	case CR_LISTING_FILE:
		cr_text_puts(t, "\n");
		cr_text_safe(t, r->text.len ? r->text : CR_STR("(no file)"));
		cr_text_puts(t, ":\n");
		return;
	case CR_LISTING_SYMBOL:
		cr_text_printf(t, "\n%16llx <", (unsigned long long)r->number);
		cr_text_safe(t, r->text);
		cr_text_puts(t, ">:\n");
		return;
	case CR_LISTING_GAP:
		cr_text_pad(
			t, ' ', 18 + (of->ipc ? IPC_CELLS : 0) + (of->cycles ? CYCLES_CELLS : 0));
		cr_text_puts(t, ": ...\n");
		return;
	case CR_LISTING_LINE:
		put_two(t, r, of);
		if (r->number)
			cr_text_printf(t, ": %6llu  ", (unsigned long long)r->number);
		else
			cr_text_puts(t, ":      -  ");
		put_source_text(t, r->text);
		break;
	case CR_LISTING_INLINED:
		put_two(t, r, of);
		cr_text_puts(t, ":         ");
		cr_text_pad(t, ' ', (size_t)CR_MIN(r->depth, 40u) * 2);
		cr_text_puts(t, "> ");
		put_source_text(t, r->text);
		break;
	case CR_LISTING_PLACE:
		put_two(t, r, of);
		cr_text_puts(t, ": ");
		put_source_text(t, r->text);
		break;
	case CR_LISTING_INSTRUCTION:
		put_two(t, r, of);
		cr_text_printf(t, ": %8llx:   ", (unsigned long long)r->number);
		cr_text_safe(t, r->text);
		if (r->type.len) {
			cr_text_puts(t, "  # ");
			cr_text_safe(t, r->type);
		}
		break;
	}
	while (t->len && t->p[t->len - 1] == ' ')
		t->p[--t->len] = '\0';
	cr_text_char(t, '\n');
}
