#include "query/table/table.h"

#include "base/hash.h"
#include "model/tree/default_tree.h"
#include "query/fold/derived.h"

/* Words of --sort and --fields: perf's own, and older ones of this program. */
static const struct {
	const char *word;
	enum cr_table_column column;
	const char *field; /* for CR_TABLE_FIELD: the field that perf calls so */
} words[] = {
	{"overhead", CR_TABLE_SELF, NULL},
	{"overhead_children", CR_TABLE_CHILDREN, NULL},
	{"overhead_sys", CR_TABLE_KERNEL, NULL},
	{"overhead_us", CR_TABLE_USER, NULL},
	{"sample", CR_TABLE_SAMPLES, NULL},
	{"period", CR_TABLE_PERIOD, NULL},
	{"latency", CR_TABLE_LATENCY, NULL},
	{"latency_children", CR_TABLE_LATENCY_CHILDREN, NULL},
	{"comm", CR_TABLE_COMM, NULL},
	{"pid", CR_TABLE_THREAD, NULL},
	{"tid", CR_TABLE_THREAD, NULL},
	{"tgid", CR_TABLE_PROCESS, NULL},
	{"cpu", CR_TABLE_CPU, NULL},
	{"event", CR_TABLE_EVENT, NULL},
	{"dso", CR_TABLE_DSO, NULL},
	{"object", CR_TABLE_DSO, NULL},
	{"sym", CR_TABLE_SYM, NULL},
	{"symbol", CR_TABLE_SYM, NULL},
	{"function", CR_TABLE_SYM, NULL},
	{"srcline", CR_TABLE_SRCLINE, NULL},
	{"line", CR_TABLE_SRCLINE, NULL},
	{"srcfile", CR_TABLE_SRCFILE, NULL},
	{"file", CR_TABLE_SRCFILE, NULL},
	{"addr", CR_TABLE_ADDR, NULL},
	{"symbol_size", CR_TABLE_SYMBOL_SIZE, NULL},
	{"dso_size", CR_TABLE_DSO_SIZE, NULL},
	{"symbol_iaddr", CR_TABLE_SYMOFF, NULL},
	{"symoff", CR_TABLE_SYMOFF, NULL},
	{"local_weight", CR_TABLE_FIELD, "weight"},
	{"weight1", CR_TABLE_FIELD, "weight"},
	{"ins_lat", CR_TABLE_FIELD, "ins_lat"},
	{"local_ins_lat", CR_TABLE_FIELD, "ins_lat"},
	{"weight2", CR_TABLE_FIELD, "ins_lat"},
	{"retire_lat", CR_TABLE_FIELD, "retire_lat"},
	{"local_retire_lat", CR_TABLE_FIELD, "retire_lat"},
	{"p_stage_cyc", CR_TABLE_FIELD, "retire_lat"},
	{"local_p_stage_cyc", CR_TABLE_FIELD, "retire_lat"},
	{"weight3", CR_TABLE_FIELD, "retire_lat"},
	{"cgroup", CR_TABLE_FIELD, "cgroup"},
	{"cgroup_id", CR_TABLE_FIELD, "cgroup_id"},
};

const char *
cr_table_word(size_t i)
{
	const struct cr_derived *d;

	if (i < CR_LEN(words))
		return words[i].word;
	d = cr_derived_at(i - CR_LEN(words));
	return d ? cr_derived_word(d) : NULL;
}

const char *
cr_table_key_word(size_t i)
{
	size_t first = 0;

	while (words[first].column < CR_TABLE_COMM)
		first++;
	return cr_table_word(first + i);
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

/* The column of a field; it gets the next number if it is new. */
static int
field_of(struct cr_str word, struct cr_table_spec *spec, enum cr_table_column *out,
	struct cr_err *err)
{
	uint32_t i = 0;

	while (i < spec->n_fields && !cr_str_eq(word, cr_str_of(spec->fields[i])))
		i++;
	*out = (enum cr_table_column)(CR_TABLE_FIELD + i);
	if (i < spec->n_fields)
		return CR_OK;
	if (i == CR_FOLD_FIELDS_MOST)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%.*s: at most %d fields",
			(int)word.len, word.p, CR_FOLD_FIELDS_MOST);
	if (word.len >= CR_TABLE_FIELD_BYTES)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "%.*s: unknown key", (int)word.len, word.p);
	memcpy(spec->fields[i], word.p, word.len);
	spec->n_fields++;
	return cr_derived_check(word, err);
}

/* A word that is no key is the name of a field. */
static int
column_of(struct cr_str word, struct cr_table_spec *spec, enum cr_table_column *out,
	struct cr_err *err)
{
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_eq(word, cr_str_of(words[i].word))) {
			*out = words[i].column;
			return words[i].field ? field_of(cr_str_of(words[i].field), spec, out, err)
					      : CR_OK;
		}
	return field_of(word, spec, out, err);
}

const char *
cr_table_field_name(const struct cr_table_spec *spec, uint8_t key)
{
	const char *field = spec->fields[key - CR_TABLE_FIELD];
	const struct cr_derived *d = cr_derived_find(cr_str_of(field));

	return d ? cr_derived_word(d) : field;
}

const char *
cr_table_field_head(const struct cr_table_spec *spec, uint8_t key)
{
	const char *field = spec->fields[key - CR_TABLE_FIELD];
	const struct cr_derived *d = cr_derived_find(cr_str_of(field));

	return d ? cr_derived_head(d) : field;
}

int
cr_table_add(struct cr_table_spec *spec, const char *key, struct cr_err *err)
{
	enum cr_table_column c;
	int rc;

	for (uint32_t i = 0; i < spec->n_fields; i++)
		if (cr_str_eq(cr_str_of(cr_table_field_name(spec, (uint8_t)(CR_TABLE_FIELD + i))),
			    cr_str_of(key)))
			return CR_OK;
	if ((rc = column_of(cr_str_of(key), spec, &c, err)) < 0)
		return rc;
	push(spec->keys, &spec->n_keys, c);
	push(spec->columns, &spec->n_columns, c);
	push(spec->order, &spec->n_order, c);
	return CR_OK;
}

int
cr_table_argue(
	struct cr_table_spec *spec, const char *key, const char *argument, struct cr_err *err)
{
	const size_t n = strlen(key), more = strlen(argument);

	for (uint32_t i = 0; i < spec->n_fields; i++) {
		if (strcmp(spec->fields[i], key) != 0)
			continue;
		if (n + 1 + more >= CR_TABLE_FIELD_BYTES)
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s: too long", argument);
		spec->fields[i][n] = '/';
		memcpy(spec->fields[i] + n + 1, argument, more + 1);
		return cr_derived_check(cr_str_of(spec->fields[i]), err);
	}
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
	default: return cr_table_is_field(key) ? CR_GROUP_FIELD : CR_GROUP_NONE;
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
	uint32_t n_fields = 0;

	out->n_groups = 0;
	out->bare = !has_frames(spec) && !(spec->n_keys == 1 && spec->keys[0] == CR_TABLE_COMM);
	for (uint32_t i = 0; i < spec->n_keys; i++) {
		const enum cr_group g = group_of(p, (enum cr_table_column)spec->keys[i]);

		if (g == CR_GROUP_FIELD)
			out->fields[n_fields++] = spec->fields[spec->keys[i] - CR_TABLE_FIELD];
		if (g != CR_GROUP_NONE)
			out->groups[out->n_groups++] = (uint8_t)g;
	}
	if (!out->n_groups) /* the existing tree */
		out->groups[out->n_groups++] = CR_GROUP_USUAL;
	out->apart = (cr_table_has(spec, CR_TABLE_SYM) || cr_table_has(spec, CR_TABLE_SYMOFF)) &&
		     cr_table_has_nameless(p);
	if (cr_table_has(spec, CR_TABLE_ADDR) || cr_table_has(spec, CR_TABLE_SRCLINE) ||
		cr_table_has(spec, CR_TABLE_SYMOFF))
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
