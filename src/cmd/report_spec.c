#include "report_p.h"

#include "model/field.h"
#include "query/fold/derived.h"

#include <string.h>

/* The keys of --group and --granularity, as words of --sort; `sort` replaces the key for frames. */
static void
put_words_of(const struct cr_fold_opts *f, const char *sort, struct cr_text *out)
{
	static const char *const groups[] = {
		[CR_GROUP_COMM] = "comm",
		[CR_GROUP_PID] = "tgid",
		[CR_GROUP_TID] = "pid",
		[CR_GROUP_CPU] = "cpu",
		[CR_GROUP_DSO] = "dso",
		[CR_GROUP_EVENT] = "event",
		[CR_GROUP_USUAL] = "comm",
	};
	static const char *const grains[] = {
		[CR_GRANULARITY_FUNCTION] = "sym",
		[CR_GRANULARITY_LINE] = "srcline,sym",
		[CR_GRANULARITY_ADDRESS] = "addr,sym",
		[CR_GRANULARITY_DSO] = "dso",
		[CR_GRANULARITY_FILE] = "srcfile",
	};

	for (uint32_t i = 0; i < f->n_groups; i++) {
		const char *field = f->groups[i] == CR_GROUP_FIELD ? f->fields[0] : NULL;

		cr_text_printf(out, "%s,", field ? field : groups[f->groups[i]]);
	}
	cr_text_puts(out, sort ? sort : grains[f->granularity]);
}

static void
order_first(struct cr_table_spec *spec, enum cr_table_column c)
{
	uint32_t n = 0;
	uint8_t rest[CR_TABLE_COLUMNS];

	for (uint32_t i = 0; i < spec->n_order; i++)
		if (spec->order[i] != c)
			rest[n++] = spec->order[i];
	spec->order[0] = (uint8_t)c;
	memcpy(spec->order + 1, rest, n);
	spec->n_order = n + 1;
}

/* The key that --order COLUMN means; CR_TABLE_COLUMNS if the table lacks it. */
static enum cr_table_column
order_of(const struct cr_options *o, const struct cr_table_spec *spec)
{
	switch (o->order) {
	case CR_SORT_SELF: return CR_TABLE_SELF;
	case CR_SORT_TOTAL: return CR_TABLE_CHILDREN;
	case CR_SORT_DSO: return cr_table_has(spec, CR_TABLE_DSO) ? CR_TABLE_DSO : CR_TABLE_COLUMNS;
	default:
		return cr_table_has(spec, CR_TABLE_SYM) ? CR_TABLE_SYM
							: (enum cr_table_column)spec->keys[0];
	}
}

/* Put a column before another one, or first if that is not there; does nothing if it is there. */
static void
show_before(struct cr_table_spec *spec, enum cr_table_column c, enum cr_table_column next)
{
	const uint8_t *found;
	uint32_t at;

	if (memchr(spec->columns, (int)c, spec->n_columns))
		return;
	found = memchr(spec->columns, (int)next, spec->n_columns);
	at = found ? (uint32_t)(found - spec->columns) : 0;
	memmove(&spec->columns[at + 1], &spec->columns[at], spec->n_columns - at);
	spec->columns[at] = (uint8_t)c;
	spec->n_columns++;
}

/* Put each column of latency before that of the same cost, as perf does; sort by the first. */
static void
add_latency(struct cr_table_spec *spec)
{
	show_before(spec, CR_TABLE_LATENCY, CR_TABLE_SELF);
	if (spec->children)
		show_before(spec, CR_TABLE_LATENCY_CHILDREN, CR_TABLE_CHILDREN);
	order_first(spec, CR_TABLE_LATENCY);
	if (spec->children)
		order_first(spec, CR_TABLE_LATENCY_CHILDREN);
}

/*
 * With --parent the key "parent" is one. As in perf, the first match from the outermost function
 * counts, without the cost of callees that from the innermost.
 */
static int
add_parent(const struct cr_options *o, struct cr_table_spec *spec, struct cr_err *err)
{
	struct cr_text arg = {0};
	int rc = CR_OK;

	if (o->table.parent && (rc = cr_table_add(spec, "parent", err)) < 0)
		return rc;
	if (!spec->children)
		cr_text_char(&arg, '-');
	cr_text_puts(&arg, o->table.parent ? o->table.parent : "");
	rc = arg.len ? cr_table_argue(spec, "parent", arg.p, err) : CR_OK;
	cr_text_fini(&arg);
	return rc;
}

/* The default keys of --branch-stack are those of perf; few processors count cycles. */
static const char *
branch_keys(const struct cr_profile *p)
{
	return cr_field_exists(p, CR_STR("block_cycles"))
		       ? "comm,dso_from,symbol_from,symbol_to,cycles"
		       : "comm,dso_from,symbol_from,symbol_to";
}

int
cr_report_spec_make(const struct cr_options *o, const struct cr_profile *p,
	struct cr_table_spec *spec, struct cr_err *err)
{
	const struct cr_fold_opts folded = cr_query_opts(&o->query);
	const char *sort = o->quickfix ? "srcline,sym" : o->table.sort;
	struct cr_text words = {0};
	int rc;

	if (o->quickfix &&
		(o->table.sort || o->table.fields || o->table.hierarchy || o->table.has_children ||
			o->load.latency || o->table.chain.mode != CR_CHAIN_NONE))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--quickfix chooses the rows and the columns itself");
	if (!o->table.fields && cr_query_has(&o->query, CR_WORD_FOLDS)) {
		put_words_of(&folded, sort, &words);
		sort = words.p;
	}
	if (!sort && (!o->table.fields || *o->table.fields == '+'))
		sort = o->table.branches ? branch_keys(p) : cr_table_usual(p);
	if (sort && *sort == '+') { /* as in perf: in addition to the default keys */
		cr_text_printf(&words, "%s,%s",
			o->table.branches ? branch_keys(p) : cr_table_usual(p), sort + 1);
		sort = words.p;
	}
	rc = cr_table_parse(sort, o->table.fields,
		!o->quickfix && !o->table.no_children && !o->table.hierarchy &&
			(o->table.has_children || cr_table_has_stacks(p)),
		spec, err);
	cr_text_fini(&words);
	if (rc == CR_OK && o->table.quantum)
		rc = cr_table_argue(spec, "time", o->table.quantum, err);
	if (rc == CR_OK)
		rc = add_parent(o, spec, err);
	if (rc < 0)
		return rc;
	if (o->table.samples)
		cr_table_show(spec, CR_TABLE_SAMPLES);
	if (o->table.period)
		cr_table_show(spec, CR_TABLE_PERIOD);
	if (o->table.modes) {
		cr_table_show(spec, CR_TABLE_KERNEL);
		cr_table_show(spec, CR_TABLE_USER);
	}
	spec->whole_paths = o->table.whole_paths;
	if (o->load.latency)
		add_latency(spec);
	if (o->table.hierarchy && (cr_table_has(spec, CR_TABLE_LATENCY) ||
					  cr_table_has(spec, CR_TABLE_LATENCY_CHILDREN)))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "--hierarchy has no columns of latency");
	if (o->has_order && order_of(o, spec) == CR_TABLE_COLUMNS)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--order %s: this table has no such column", cr_table_sort_name(o->order));
	if (o->has_order)
		order_first(spec, order_of(o, spec));
	return CR_OK;
}
