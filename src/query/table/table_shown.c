#include "query/table/table.h"

#include <string.h>

static bool
in_list(struct cr_str name, const char *list)
{
	while (*list) {
		const struct cr_str one = {list, (uint32_t)strcspn(list, ",")};

		if (cr_str_eq(one, name))
			return true;
		list += one.len + (list[one.len] == ',');
	}
	return false;
}

bool
cr_table_row_shown(const struct cr_table *h, uint32_t row, const struct cr_table_rows *only)
{
	const struct cr_table_value *v = only->wanted && cr_table_has(h->spec, CR_TABLE_SYM)
						 ? cr_table_value(h, row, CR_TABLE_SYM)
						 : NULL;
	const size_t n = only->part ? strlen(only->part) : 0;

	if (v && only->resolved && v->nameless)
		return false;
	if (v && only->names && (v->nameless || !in_list(v->text, only->names)))
		return false;
	if (v && only->part &&
		(v->nameless || v->text.len < n || !memmem(v->text.p, v->text.len, only->part, n)))
		return false;
	for (uint32_t i = 0; only->parents && i < h->spec->n_fields; i++) {
		const uint8_t key = (uint8_t)(CR_TABLE_FIELD + i);

		if (strcmp(cr_table_field_name(h->spec, key), "parent") == 0 &&
			cr_str_eq(cr_table_value(h, row, (enum cr_table_column)key)->text,
				CR_STR("parent=[other]")))
			return false;
	}
	return true;
}
