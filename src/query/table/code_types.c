#include "query/table/code_types.h"

#include "base/hash.h"
#include "model/columns.h"
#include "model/field.h"
#include "query/fold/derived.h"
#include "query/table/block_cycles.h"

#include <stdlib.h>

static const struct cr_field *
type_of(const struct cr_profile *p, cr_event_id event)
{
	const struct cr_field *field = cr_field_find(p, event, CR_STR("type"));

	return field && field->form == CR_FORM_TEXT ? field : NULL;
}

bool
cr_code_types_has(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (type_of(p, (cr_event_id){i}))
			return true;
	return false;
}

static void
add_type(struct cr_annotate *a, struct cr_annotate_address *row, const struct cr_profile *p,
	const struct cr_field *type, uint64_t nth)
{
	struct cr_text text = {0};

	cr_type_offset_put(p, type, nth, &text);
	if (text.len) {
		row->type = (struct cr_str){
			cr_arena_text(&a->types, text.p, text.len), (uint32_t)text.len};
		a->has_types = true;
	}
	cr_text_fini(&text);
}

void
cr_code_types_set(const struct cr_profile *p, struct cr_annotate *a)
{
	const struct cr_field *type = type_of(p, a->event);
	struct cr_event_column events;
	const uint32_t *nodes;
	uint8_t *seen; /* by location */
	uint64_t nth = 0;

	if (!type || !a->addresses.n)
		return;
	cr_needed(p, CR_CODE_TYPES_NEEDS);
	if (!type->value)
		return;
	events = cr_column_events(p);
	nodes = cr_column_nodes(p);
	seen = cr_alloc(p->n_locations, 1);
	for (uint64_t i = 0; i < p->samples.n && nth < type->n; i++) {
		const uint32_t node = nodes[i];
		const uint32_t at = node && node < p->n_nodes ? p->node_location[node] : CR_NO_ROW;
		cr_samples_sweep(&p->samples, i);
		if (cr_event_of(&events, i) != a->event.i)
			continue;
		if (at != CR_NO_ROW && !seen[at] && type->value[nth] < p->n_texts) {
			const uint32_t row =
				cr_annotate_row(a, cr_block_function(p, at), p->locations[at].addr);

			seen[at] = 1;
			if (row != CR_NO_ROW && !a->addresses.p[row].type.len)
				add_type(a, &a->addresses.p[row], p, type, nth);
		}
		nth++;
	}
	free(seen);
}
