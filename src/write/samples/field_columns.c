#include "field_columns_p.h"

#include "model/field.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool
has_column(const struct cr_field_columns *c, struct cr_str name)
{
	for (size_t i = 0; i < c->columns.n; i++)
		if (cr_str_eq(c->columns.p[i].name, name))
			return true;
	return false;
}

/* Returns false if no event has a field of this name. */
static bool
add_fields(struct cr_field_columns *c, struct cr_str name)
{
	struct cr_field_column column = {.name = name};

	for (uint32_t e = 0; e < c->p->n_events; e++) {
		const struct cr_field *field = cr_field_find(c->p, (cr_event_id){e}, name);

		if (!field)
			continue;
		if (!column.fields)
			column.fields = cr_alloc(c->p->n_events, sizeof(*column.fields));
		column.fields[e] = field;
	}
	if (column.fields)
		cr_vec_push(&c->columns, column);
	return column.fields != NULL;
}

/* A recording may lack its host, and a tag: those columns are empty then. */
static bool
add_fact(struct cr_field_columns *c, struct cr_str name)
{
	const bool host = cr_str_eq(name, CR_STR("host"));
	const struct cr_str key = host ? CR_STR("hostname") : name;
	bool found = host || cr_str_starts(name, "tag.");
	struct cr_field_column column = {name, NULL, CR_STR("")};

	for (uint32_t i = 0; i < c->p->n_facts; i++)
		if (cr_str_eq(c->p->facts[i].key, key)) {
			column.value = c->p->facts[i].value;
			found = true;
		}
	if (found)
		cr_vec_push(&c->columns, column);
	return found;
}

static void
add_all(struct cr_field_columns *c)
{
	for (uint32_t i = 0; i < c->p->n_fields; i++)
		if (!has_column(c, c->p->fields[i].name))
			add_fields(c, c->p->fields[i].name);
}

static int
add_listed(struct cr_field_columns *c, const char *list, struct cr_err *err)
{
	for (;;) {
		const struct cr_str name = {list, (uint32_t)strcspn(list, ",")};

		if (!has_column(c, name) && !add_fields(c, name) && !add_fact(c, name))
			return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
				"no field '%.*s' (cresset info lists the fields)", (int)name.len,
				name.p);
		list += name.len;
		if (!*list++)
			return CR_OK;
	}
}

/* A key of which no recording has a value is an empty column. */
static void
add_keys(struct cr_field_columns *c)
{
	if (!cr_fleet_of(c->p, &c->fleet))
		return;
	for (uint32_t i = 0; i < c->fleet.by.n_keys; i++) {
		const struct cr_field_column empty = {c->fleet.by.keys[i], NULL, CR_STR("")};

		if (!add_fields(c, empty.name))
			cr_vec_push(&c->columns, empty);
	}
}

int
cr_field_columns_init(struct cr_field_columns *out, const struct cr_profile *p, const char *list,
	struct cr_err *err)
{
	*out = (struct cr_field_columns){.p = p};
	cr_needed(p, CR_NEEDS_FIELDS);
	out->ordinal = cr_alloc(CR_MAX(p->n_events, 1), sizeof(*out->ordinal));
	out->events = cr_column_events(p);
	if (!list)
		add_keys(out);
	else if (strcmp(list, "all") == 0)
		add_all(out);
	else
		return add_listed(out, list, err);
	return CR_OK;
}

void
cr_field_columns_fini(struct cr_field_columns *c)
{
	for (size_t i = 0; i < c->columns.n; i++)
		free(c->columns.p[i].fields);
	cr_vec_fini(&c->columns);
	cr_fleet_fini(&c->fleet);
	free(c->ordinal);
}

void
cr_field_column_head(const struct cr_field_column *column, struct cr_text *out)
{
	static const char *const fixed[] = {"time_ns", "pid", "tid", "comm", "cpu", "event",
		"weight", "function", "dso", "object", "stack"};

	for (size_t i = 0; i < CR_LEN(fixed); i++)
		if (column->name.len == strlen(fixed[i]) &&
			strncasecmp(column->name.p, fixed[i], column->name.len) == 0)
			cr_text_puts(out, "field.");
	cr_text_str(out, column->name);
}

void
cr_field_columns_go(struct cr_field_columns *c, uint64_t row)
{
	for (; c->row < row; c->row++)
		c->ordinal[cr_event_of(&c->events, c->row)]++;
}

bool
cr_field_columns_value(const struct cr_field_columns *c, const struct cr_field_column *column,
	const struct cr_field **field, uint64_t *value)
{
	const uint32_t event = cr_event_of(&c->events, c->row);

	*field = column->fields ? column->fields[event] : NULL;
	if (!*field || !(*field)->value)
		return false;
	*value = (*field)->value[c->ordinal[event]];
	return *value != cr_form_none((*field)->form);
}

void
cr_field_columns_put(
	const struct cr_field_columns *c, const struct cr_field_column *column, struct cr_text *out)
{
	const struct cr_field *field;
	uint64_t value;

	if (!column->fields)
		cr_text_str(out, column->value);
	else if (cr_field_columns_value(c, column, &field, &value))
		cr_field_put(c->p, field, value, out);
}
