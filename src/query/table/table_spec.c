#include "query/table/table.h"

#include "base/hash.h"
#include "model/tree/default_tree.h"

/* Words of --sort and --fields: perf's own, and older ones of this program. */
static const struct {
	const char *word;
	enum cr_table_column column;
} words[] = {
	{"overhead", CR_TABLE_SELF},
	{"overhead_children", CR_TABLE_CHILDREN},
	{"overhead_sys", CR_TABLE_KERNEL},
	{"overhead_us", CR_TABLE_USER},
	{"sample", CR_TABLE_SAMPLES},
	{"period", CR_TABLE_PERIOD},
	{"latency", CR_TABLE_LATENCY},
	{"latency_children", CR_TABLE_LATENCY_CHILDREN},
	{"comm", CR_TABLE_COMM},
	{"pid", CR_TABLE_THREAD},
	{"tid", CR_TABLE_THREAD},
	{"tgid", CR_TABLE_PROCESS},
	{"cpu", CR_TABLE_CPU},
	{"event", CR_TABLE_EVENT},
	{"dso", CR_TABLE_DSO},
	{"object", CR_TABLE_DSO},
	{"sym", CR_TABLE_SYM},
	{"symbol", CR_TABLE_SYM},
	{"function", CR_TABLE_SYM},
	{"srcline", CR_TABLE_SRCLINE},
	{"line", CR_TABLE_SRCLINE},
	{"srcfile", CR_TABLE_SRCFILE},
	{"file", CR_TABLE_SRCFILE},
	{"addr", CR_TABLE_ADDR},
};

const char *
cr_table_word(size_t i)
{
	return i < CR_LEN(words) ? words[i].word : NULL;
}

static bool
holds(const uint8_t *list, uint32_t n, enum cr_table_column c)
{
	return n && memchr(list, (int)c, n);
}

bool
cr_table_has(const struct cr_table_spec *spec, enum cr_table_column c)
{
	return holds(spec->columns, spec->n_columns, c) || holds(spec->keys, spec->n_keys, c);
}

static void
push(uint8_t *list, uint32_t *n, enum cr_table_column c)
{
	if (!holds(list, *n, c)) /* so it never exceeds the number of columns */
		list[(*n)++] = (uint8_t)c;
}

/* A word that is no key is the name of a field; only one is allowed. */
static int
column_of(struct cr_str word, struct cr_table_spec *spec, enum cr_table_column *out,
	struct cr_err *err)
{
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_eq(word, cr_str_of(words[i].word))) {
			*out = words[i].column;
			return CR_OK;
		}
	*out = CR_TABLE_FIELD;
	if (spec->field[0] && !cr_str_eq(word, cr_str_of(spec->field)))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%.*s: unknown key; the only field can be %s", (int)word.len, word.p,
			spec->field);
	if (word.len >= sizeof(spec->field))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "%.*s: unknown key", (int)word.len, word.p);
	memcpy(spec->field, word.p, word.len);
	return CR_OK;
}

/* Append the words of a list to `list`, once each, and the keys among them to the keys. */
static int
parse_list(const char *text, struct cr_table_spec *spec, uint8_t *list, uint32_t *n,
	struct cr_err *err)
{
	while (*text) {
		const struct cr_str word = {text, (uint32_t)strcspn(text, ",")};
		enum cr_table_column c;
		int rc;

		text += word.len + (text[word.len] == ',');
		if (!word.len)
			continue;
		if ((rc = column_of(word, spec, &c, err)) < 0)
			return rc;
		push(list, n, c);
		if (c >= CR_TABLE_COMM)
			push(spec->keys, &spec->n_keys, c);
	}
	return CR_OK;
}

/* Costs, followed by the keys; rows are sorted by the costs, whatever the keys are. */
static void
set_usual_columns(struct cr_table_spec *spec, bool children)
{
	uint8_t sort[CR_TABLE_MOST];
	const uint32_t n = spec->n_order;

	memcpy(sort, spec->order, sizeof(sort));
	spec->n_order = 0;
	if (children)
		push(spec->order, &spec->n_order, CR_TABLE_CHILDREN);
	push(spec->order, &spec->n_order, CR_TABLE_SELF);
	for (uint32_t i = 0; i < n; i++)
		push(spec->order, &spec->n_order, sort[i]);
	for (uint32_t i = 0; i < spec->n_order; i++)
		if (spec->order[i] < CR_TABLE_COMM)
			push(spec->columns, &spec->n_columns, spec->order[i]);
}

int
cr_table_parse(const char *sort, const char *fields, bool children, struct cr_table_spec *out,
	struct cr_err *err)
{
	const char *more = fields && *fields == '+' ? fields + 1 : NULL;
	int rc;

	*out = (struct cr_table_spec){0};
	if (sort && (rc = parse_list(sort, out, out->order, &out->n_order, err)) < 0)
		return rc;
	if (more && out->n_keys)
		set_usual_columns(out, children);
	if (more)
		fields = more;
	if (fields && (rc = parse_list(fields, out, out->columns, &out->n_columns, err)) < 0)
		return rc;
	if (!out->n_keys)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"at least one key is needed, such as comm, dso or sym");
	if (!fields)
		set_usual_columns(out, children);
	for (uint32_t i = 0; i < out->n_keys; i++)
		push(out->columns, &out->n_columns, out->keys[i]);
	for (uint32_t i = 0; i < out->n_columns; i++)
		push(out->order, &out->n_order, out->columns[i]);
	out->children = cr_table_has(out, CR_TABLE_CHILDREN) ||
			cr_table_has(out, CR_TABLE_LATENCY_CHILDREN);
	return CR_OK;
}

#define MERGED(key)                                                                        \
	[(key)-CR_TABLE_FUNCTION] = {.columns = {CR_TABLE_SELF, CR_TABLE_CHILDREN, (key)}, \
		.order = {CR_TABLE_SELF, CR_TABLE_CHILDREN, (key)},                        \
		.keys = {(key)},                                                           \
		.n_columns = 3,                                                            \
		.n_order = 3,                                                              \
		.n_keys = 1,                                                               \
		.children = true,                                                          \
		.merged = true}

const struct cr_table_spec *
cr_table_by(enum cr_table_column key)
{
	static const struct cr_table_spec specs[] = {
		MERGED(CR_TABLE_FUNCTION),
		MERGED(CR_TABLE_DSO_PATH),
		MERGED(CR_TABLE_GROUP),
	};

	return &specs[key - CR_TABLE_FUNCTION];
}

void
cr_table_show(struct cr_table_spec *spec, enum cr_table_column cost)
{
	uint32_t at = 0;

	if (cr_table_has(spec, cost))
		return;
	while (at < spec->n_columns && spec->columns[at] < CR_TABLE_COMM)
		at++;
	memmove(&spec->columns[at + 1], &spec->columns[at], spec->n_columns - at);
	spec->columns[at] = (uint8_t)cost;
	spec->n_columns++;
}

const char *
cr_table_usual(const struct cr_profile *p)
{
	if (p->n_dsos < 2)
		return cr_profile_by_comm(p) ? "comm,sym" : "sym";
	return cr_profile_by_comm(p) ? "comm,dso,sym" : "dso,sym";
}

static enum cr_group
group_of(const struct cr_profile *p, enum cr_table_column key)
{
	switch (key) {
	case CR_TABLE_COMM:
		return cr_profile_by_comm(p) || !(p->flags & CR_PROFILE_HAS_TASK) ? CR_GROUP_USUAL
										  : CR_GROUP_COMM;
	case CR_TABLE_THREAD: return CR_GROUP_TID;
	case CR_TABLE_PROCESS: return CR_GROUP_PID;
	case CR_TABLE_CPU: return CR_GROUP_CPU;
	case CR_TABLE_EVENT: return CR_GROUP_EVENT;
	case CR_TABLE_FIELD: return CR_GROUP_FIELD;
	default: return CR_GROUP_NONE;
	}
}

bool
cr_table_has_nameless(const struct cr_profile *p)
{
	const struct cr_default_tree *l = p->default_tree;

	for (uint32_t i = 1; l && i < l->n_frames; i++)
		if (l->frame_function[i] != CR_NO_ROW &&
			!p->functions[l->frame_function[i]].name.len)
			return true;
	return !l;
}

/* True if the keys, or the modes of self, depend on frames. */
static bool
has_frames(const struct cr_table_spec *spec)
{
	for (uint32_t i = 0; i < spec->n_keys; i++)
		if (spec->keys[i] >= CR_TABLE_DSO)
			return true;
	return cr_table_has(spec, CR_TABLE_KERNEL) || cr_table_has(spec, CR_TABLE_USER);
}

void
cr_table_fold(
	const struct cr_profile *p, const struct cr_table_spec *spec, struct cr_fold_opts *out)
{
	out->n_groups = 0;
	out->bare = !has_frames(spec) && !(spec->n_keys == 1 && spec->keys[0] == CR_TABLE_COMM);
	for (uint32_t i = 0; i < spec->n_keys; i++) {
		const enum cr_group g = group_of(p, (enum cr_table_column)spec->keys[i]);

		if (g != CR_GROUP_NONE)
			out->groups[out->n_groups++] = (uint8_t)g;
	}
	if (!out->n_groups) /* the existing tree */
		out->groups[out->n_groups++] = CR_GROUP_USUAL;
	out->field = spec->field;
	out->apart = cr_table_has(spec, CR_TABLE_SYM) && cr_table_has_nameless(p);
	if (cr_table_has(spec, CR_TABLE_ADDR) || cr_table_has(spec, CR_TABLE_SRCLINE))
		out->granularity = CR_GRANULARITY_ADDRESS;
	else if (cr_table_has(spec, CR_TABLE_SRCFILE))
		out->granularity = CR_GRANULARITY_LINE;
	else
		out->granularity = CR_GRANULARITY_FUNCTION;
}

bool
cr_table_has_stacks(const struct cr_profile *p)
{
	const struct cr_default_tree *l = p->default_tree;

	for (uint32_t i = 1; l && i < l->n; i++)
		if (l->frame_function[l->frame[i]] != CR_NO_ROW &&
			l->frame_function[l->frame[l->parent[i]]] != CR_NO_ROW)
			return true;
	return !l;
}
