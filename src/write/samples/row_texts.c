#include "row_texts_p.h"

#include "base/mem.h"

#include <stdlib.h>

void
cr_row_texts_init(struct cr_row_texts *t, uint32_t n)
{
	*t = (struct cr_row_texts){
		.from = cr_alloc(n, sizeof(*t->from)),
		.to = cr_alloc(n, sizeof(*t->to)),
	};
}

void
cr_row_texts_fini(struct cr_row_texts *t)
{
	free(t->from);
	free(t->to);
	cr_text_fini(&t->text);
}

bool
cr_row_texts_put(const struct cr_row_texts *t, uint32_t row, struct cr_text *out)
{
	if (t->from[row] == t->to[row])
		return false;
	cr_text_put(out, t->text.p + t->from[row], t->to[row] - t->from[row]);
	return true;
}

void
cr_row_texts_keep(struct cr_row_texts *t, uint32_t row, const struct cr_text *made, size_t start)
{
	if (made->len - start > CR_ROW_TEXTS_MOST - t->text.len)
		return;
	t->from[row] = (uint32_t)t->text.len;
	cr_text_put(&t->text, made->p + start, made->len - start);
	t->to[row] = (uint32_t)t->text.len;
}
