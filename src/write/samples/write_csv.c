#include "base/vec.h"
#include "field_columns_p.h"
#include "row_texts_p.h"
#include "sample_rows_p.h"
#include "write/folded_name_p.h"

#include <stdlib.h>

/*
 * One line per sample:
 *
 *	time_ns,pid,tid,comm,cpu,event,weight,function,dso,stack
 *
 * in the order of the recording; values that were not recorded are empty. Fields follow: those of
 * --fields, otherwise what a folded profile keeps apart. With --stacks one line per node of the
 * tree where stacks end, with two weights for a difference:
 *
 *	stack,weight,samples
 *
 * A stack is written as folded stacks have it, frame;frame;frame, root first.
 */
struct csv_options {
	bool stacks;
	const char *fields; /* see cr_field_columns_init() */
};

struct csv {
	const struct cr_write_in *in;
	const struct cr_tree *t;
	struct cr_text names;  /* of frames, escaped for a quoted field */
	size_t *name_end;      /* by frame: end of its name in `names` */
	CR_VEC(uint32_t) path; /* frames of a stack, leaf first */
	/* Fields that samples have in common: of the task, of the event and of the stack. */
	struct cr_row_texts of_task, of_event, of_node;
	struct cr_field_columns fields;
	struct cr_text text, value;
};

/* Names are escaped once, since stacks repeat them. */
static void
csv_init(struct csv *c, const struct cr_write_in *in)
{
	struct cr_arena made = {0};
	struct cr_text safe = {0};

	*c = (struct csv){.in = in, .t = in->tree};
	c->name_end = cr_alloc((uint64_t)c->t->n_frames + 1, sizeof(*c->name_end));
	for (uint32_t i = 0; i < c->t->n_frames; i++) {
		cr_text_clear(&safe);
		cr_text_safe(&safe, cr_folded_name(&c->t->frames[i], &made));
		for (size_t k = 0; k < safe.len; k++) {
			if (safe.p[k] == '"')
				cr_text_char(&c->names, '"');
			cr_text_char(&c->names, safe.p[k]);
		}
		c->name_end[i + 1] = c->names.len;
	}
	cr_text_fini(&safe);
	cr_arena_fini(&made);
	cr_row_texts_init(&c->of_node, c->t->n);
	cr_row_texts_init(&c->of_task, in->p ? in->p->n_tasks : 0);
	cr_row_texts_init(&c->of_event, in->p ? in->p->n_events : 0);
}

static void
csv_fini(struct csv *c)
{
	free(c->name_end);
	cr_text_fini(&c->names);
	cr_row_texts_fini(&c->of_node);
	cr_row_texts_fini(&c->of_task);
	cr_row_texts_fini(&c->of_event);
	cr_field_columns_fini(&c->fields);
	cr_text_fini(&c->text);
	cr_text_fini(&c->value);
	cr_vec_fini(&c->path);
}

static void
put_name(struct csv *c, uint32_t frame)
{
	const size_t from = c->name_end[frame];

	cr_text_put(&c->text, c->names.p + from, c->name_end[frame + 1] - from);
}

/* A spreadsheet reads a field that begins like this as a formula. */
static bool
is_formula(const struct csv *c, uint32_t frame)
{
	return c->name_end[frame] < c->name_end[frame + 1] &&
	       memchr("=+-@", c->names.p[c->name_end[frame]], 4);
}

/* The stack of a node as a quoted field; nothing for the root. */
static void
put_stack(struct csv *c, uint32_t node)
{
	c->path.n = 0;
	for (; node; node = c->t->parent[node])
		cr_vec_push(&c->path, c->t->frame[node]);
	cr_text_char(&c->text, '"');
	if (c->path.n && is_formula(c, c->path.p[c->path.n - 1]))
		cr_text_char(&c->text, '\'');
	for (size_t i = c->path.n; i-- > 0;) {
		put_name(c, c->path.p[i]);
		if (i)
			cr_text_char(&c->text, ';');
	}
	cr_text_char(&c->text, '"');
}

static void
put_number(struct csv *c, bool known, uint64_t number)
{
	if (known)
		cr_text_u64(&c->text, number);
	cr_text_char(&c->text, ',');
}

/* The fields pid, tid and comm. */
static void
put_task(struct csv *c, uint32_t row)
{
	const struct cr_task *task = &c->in->p->tasks[row];
	const size_t start = c->text.len;

	if (!(c->in->p->flags & CR_PROFILE_HAS_TASK)) {
		cr_text_puts(&c->text, ",,,");
		return;
	}
	if (cr_row_texts_put(&c->of_task, row, &c->text))
		return;
	put_number(c, task->pid >= 0, (uint32_t)task->pid);
	put_number(c, task->tid >= 0, (uint32_t)task->tid);
	cr_text_csv(&c->text, task->comm);
	cr_text_char(&c->text, ',');
	cr_row_texts_keep(&c->of_task, row, &c->text, start);
}

static void
put_event(struct csv *c, uint32_t row)
{
	const size_t start = c->text.len;

	if (cr_row_texts_put(&c->of_event, row, &c->text))
		return;
	cr_text_csv(&c->text, c->in->p->events[row].name);
	cr_text_char(&c->text, ',');
	cr_row_texts_keep(&c->of_event, row, &c->text, start);
}

/* The fields function, dso and stack. */
static void
put_node(struct csv *c, uint32_t node)
{
	const struct cr_frame *leaf = node ? &c->t->frames[c->t->frame[node]] : NULL;
	const size_t start = c->text.len;

	if (cr_row_texts_put(&c->of_node, node, &c->text))
		return;
	cr_text_csv(&c->text, leaf ? leaf->name : CR_STR(""));
	cr_text_char(&c->text, ',');
	cr_text_csv(&c->text, leaf ? leaf->dso : CR_STR(""));
	cr_text_char(&c->text, ',');
	put_stack(c, node);
	cr_row_texts_keep(&c->of_node, node, &c->text, start);
}

static void
put_fields(struct csv *c, uint64_t row)
{
	cr_field_columns_go(&c->fields, row);
	for (size_t i = 0; i < c->fields.columns.n; i++) {
		cr_text_clear(&c->value);
		cr_field_columns_put(&c->fields, &c->fields.columns.p[i], &c->value);
		cr_text_char(&c->text, ',');
		cr_text_csv(&c->text, cr_text_view(&c->value));
	}
}

static void
put_sample(struct csv *c, const struct cr_sample_row *r, uint64_t row)
{
	put_number(c, r->time_ns, r->time_ns);
	put_task(c, r->task);
	put_number(c, r->cpu < CR_CPU_UNKNOWN, r->cpu);
	put_event(c, r->event);
	cr_text_weight(&c->text, r->weight, c->in->p->events[r->event].unit);
	cr_text_char(&c->text, ',');
	put_node(c, r->node);
	put_fields(c, row);
	cr_text_char(&c->text, '\n');
}

static void
put_head(struct csv *c)
{
	cr_text_puts(&c->text, "time_ns,pid,tid,comm,cpu,event,weight,function,dso,stack");
	for (size_t i = 0; i < c->fields.columns.n; i++) {
		struct cr_text head = {0};

		cr_field_column_head(&c->fields.columns.p[i], &head);
		cr_text_char(&c->text, ',');
		cr_text_csv(&c->text, cr_text_view(&head));
		cr_text_fini(&head);
	}
	cr_text_char(&c->text, '\n');
}

static int
write_samples(struct csv *c, const char *fields, struct cr_sink *out, struct cr_err *err)
{
	struct cr_sample_rows rows;
	struct cr_sample_row r;
	int rc = cr_field_columns_init(&c->fields, c->in->p, fields, err);

	cr_sample_rows_init(&rows, c->in);
	put_head(c);
	while (rc == CR_OK && cr_sample_rows_next(&rows, &r)) {
		put_sample(c, &r, rows.next - 1);
		rc = cr_sink_large(out, &c->text, err);
	}
	return rc;
}

/* The weight and the number of samples of one side. */
static void
put_costs(struct csv *c, uint32_t node, uint32_t side)
{
	cr_text_char(&c->text, ',');
	cr_text_weight(&c->text, c->t->weight[side][node], cr_tree_measure(c->t, side).unit);
	cr_text_char(&c->text, ',');
	cr_text_u64(&c->text, c->t->samples[side][node]);
}

static int
write_stacks(struct csv *c, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_tree *t = c->t;
	int rc = CR_OK;

	cr_text_puts(&c->text,
		t->sides == 1 ? "stack,weight,samples\n"
			      : "stack,weight_before,samples_before,weight_after,samples_after\n");
	for (uint32_t n = c->in->root; rc == CR_OK && n < t->end[c->in->root]; n++) {
		if (!t->weight[0][n] && !t->weight[t->sides - 1][n])
			continue;
		put_stack(c, n);
		for (uint32_t s = 0; s < t->sides; s++)
			put_costs(c, n, s);
		cr_text_char(&c->text, '\n');
		rc = cr_sink_large(out, &c->text, err);
	}
	return rc;
}

static int
csv_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	const struct csv_options *o = options;
	struct csv c;
	int rc;

	if (o->stacks && o->fields)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--fields cannot be used with --stacks, which writes no single samples");
	csv_init(&c, in);
	rc = o->stacks ? write_stacks(&c, out, err) : write_samples(&c, o->fields, out, err);
	if (rc == CR_OK)
		rc = cr_sink_text(out, &c.text, err);
	csv_fini(&c);
	return rc;
}

static unsigned
csv_needs(const void *options)
{
	const struct csv_options *o = options;

	return o->stacks ? CR_WRITER_TREE : CR_WRITER_PLACES | CR_WRITER_FIELDS;
}

static const char *const csv_extensions[] = {".csv", ".samples.csv", NULL};

static const struct cr_option_spec csv_options[] = {
	{.name = "stacks",
		.help = "write one line per stack with its weight, not one per sample",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct csv_options, stacks)},
	{.name = "fields",
		.arg = "NAMES",
		.help = "add a column for each of these fields: a,b,c or all; also for host and "
			"other header fields (default: what a folded profile keeps apart)",
		.type = CR_OPTION_TEXT,
		.at = offsetof(struct csv_options, fields),
		.min = 1},
	{.name = NULL},
};

const struct cr_writer cr_writer_csv = {
	.name = "csv",
	.extensions = csv_extensions,
	.about = "one line per sample, or per stack, for databases and spreadsheets",
	.options = csv_options,
	.options_size = sizeof(struct csv_options),
	.needs_for = csv_needs,
	.write = csv_write,
};
