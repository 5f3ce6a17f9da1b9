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

static void
put_two(struct cr_text *t, const struct cr_listing_row *r, const struct cr_listing_shares *of)
{
	if (!r->has_cost) {
		cr_text_pad(t, ' ', 18);
		return;
	}
	put_share(t, of->hits ? r->cost.self_samples : r->cost.self, of->whole);
	cr_text_pad(t, ' ', 1);
	put_share(t, of->hits ? r->cost.total_samples : r->cost.total, of->whole);
	cr_text_pad(t, ' ', 1);
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
		cr_text_pad(t, ' ', 18);
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
		break;
	}
	while (t->len && t->p[t->len - 1] == ' ')
		t->p[--t->len] = '\0';
	cr_text_char(t, '\n');
}
