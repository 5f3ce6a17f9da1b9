#include "function_names_p.h"

#include "base/text.h"

#include <stdio.h>

#define TOLD_MOST 20

void
cr_function_names_list(const struct cr_annotate_found *found)
{
	struct cr_text t = {0};

	for (size_t i = 0; i < found->names.n && i < TOLD_MOST; i++) {
		cr_text_puts(&t, "  ");
		cr_text_safe(&t, found->names.p[i].name);
		if (found->names.p[i].dso.len) {
			cr_text_puts(&t, " in ");
			cr_text_safe(&t, found->names.p[i].dso);
		}
		cr_text_char(&t, '\n');
	}
	if (found->names.n > TOLD_MOST)
		cr_text_printf(&t, "  and %zu more\n", found->names.n - TOLD_MOST);
	fputs(t.p, stderr);
	cr_text_fini(&t);
}
