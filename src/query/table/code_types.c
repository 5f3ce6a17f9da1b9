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

static int
by_address(const void *px, const void *py)
{
	const struct cr_annotate_address *x = px, *y = py;

	if (x->function.i != y->function.i)
		return x->function.i < y->function.i ? -1 : 1;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* The row of a location among the sorted addresses; NULL if it has none. */
static struct cr_annotate_address *
row_of(const struct cr_profile *p, const struct cr_annotate *a, uint32_t location)
{
	const struct cr_annotate_address key = {
		.function = cr_block_function(p, location), .addr = p->locations[location].addr};

	return bsearch(&key, a->addresses.p, a->addresses.n, sizeof(key), by_address);
}

static void
add_type(struct cr_annotate *a, struct cr_annotate_address *row, const struct cr_profile *p,
	const struct cr_field *type, uint64_t nth)
{
	struct cr_text text = {0};

	cr_type_offset_put(p, type, nth, &text);
	if (text.len) {
		row->type = (struct cr_str){
			cr_arena_copy(&a->types, text.p, text.len), (uint32_t)text.len};
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
		struct cr_annotate_address *row;

		cr_samples_sweep(&p->samples, i);
		if (cr_event_of(&events, i) != a->event.i)
			continue;
		if (at != CR_NO_ROW && !seen[at] && type->value[nth] < p->n_texts) {
			seen[at] = 1;
			row = row_of(p, a, at);
			if (row && !row->type.len)
				add_type(a, row, p, type, nth);
		}
		nth++;
	}
	free(seen);
}
