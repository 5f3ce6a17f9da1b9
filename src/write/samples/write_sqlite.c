#include "base/vec.h"
#include "field_columns_p.h"
#include "model/build/string_table.h"
#include "model/field.h"
#include "sample_rows_p.h"
#include "sqlite_db_p.h"

#include <stdlib.h>

/*
 * An SQLite database; docs/exporting.md describes its tables. Stacks are a tree: the row of a node
 * refers to that of its caller. Samples, events and fields have the numbers of their rows in the
 * profile.
 */
struct sqlite_options {
	const char *fields; /* see cr_field_columns_init() */
};

#ifdef HAVE_SQLITE3

static const char schema[] =
	"pragma user_version = 1;"
	"create table profile (key text, value text);"
	"create table missing (what text, count integer);"
	"create table event (id integer primary key, name text, unit text);"
	"create table object (id integer primary key, path text, build_id text);"
	"create table frame (id integer primary key, name text, symbol text,"
	" object integer references object, file text, line integer, kind text, inlined integer);"
	"create table stack (id integer primary key, parent integer references stack,"
	" frame integer references frame, depth integer, outermost integer);"
	"create table thread (id integer primary key, pid integer, tid integer, comm text);"
	"create table sample (id integer primary key, time_ns integer,"
	" thread integer references thread, cpu integer, event integer references event,"
	" stack integer references stack, weight integer);"
	"create table field (id integer primary key, event integer references event, name text,"
	" form text);"
	"create table value (sample integer references sample, field integer references field,"
	" value, primary key (sample, field)) without rowid;";

static const char views[] =
	"create index stack_parent on stack (parent);"

	"create view cost as"
	" select event, stack, sum(weight) as weight, count(*) as samples"
	" from sample group by event, stack;"

	"create view top_self as"
	" select e.name as event, f.name as function, o.path as object, sum(c.weight) as self,"
	" sum(c.samples) as samples"
	" from cost c join event e on e.id = c.event join stack s on s.id = c.stack"
	" join frame f on f.id = s.frame left join object o on o.id = f.object"
	" group by c.event, f.name, f.object order by self desc, function, object;"

	"create view top_total as"
	" with recursive up (event, stack, weight, samples) as ("
	"  select event, stack, weight, samples from cost"
	"  union all"
	"  select u.event, s.parent, u.weight, u.samples"
	"  from up u join stack s on s.id = u.stack where s.parent is not null)"
	" select e.name as event, f.name as function, o.path as object, sum(u.weight) as total,"
	" sum(u.samples) as samples"
	" from up u join event e on e.id = u.event join stack s on s.id = u.stack"
	" join frame f on f.id = s.frame left join object o on o.id = f.object"
	" where s.outermost group by u.event, f.name, f.object"
	" order by total desc, function, object;"

	"create view folded as"
	" with recursive path (id, text) as ("
	"  select id, '' from stack where parent is null"
	"  union all"
	"  select s.id, path.text || case path.text when '' then '' else ';' end"
	"   || replace(f.name, ';', ':')"
	"  from path join stack s on s.parent = path.id join frame f on f.id = s.frame)"
	" select e.name as event, path.text as stack, sum(c.weight) as weight,"
	" sum(c.samples) as samples"
	" from path join cost c on c.stack = path.id join event e on e.id = c.event"
	" group by c.event, path.text;";

struct sqlite {
	const struct cr_write_in *in;
	const struct sqlite_options *options;
	const struct cr_profile *p;
	const struct cr_tree *t;
	struct cr_db *db;
	struct cr_sample_threads threads;
	CR_VEC(uint32_t) frames;   /* those of stacks, in the order of their first use */
	uint32_t *frame_row1;      /* by frame: its place among them, + 1; 0: in no stack */
	struct cr_strings objects; /* their dsos */
};

/* ---- facts */

static int
put_pair(struct cr_db_row *row, const char *key, struct cr_str value, struct cr_err *err)
{
	cr_db_text(row, cr_str_of(key));
	cr_db_text(row, value);
	return cr_db_row(row, err);
}

static int
put_facts(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into profile values (?, ?)");
	int rc = put_pair(row, "exporter", CR_STR("cresset " PACKAGE_VERSION), err);

	if (rc == CR_OK && q->in->title)
		rc = put_pair(row, "title", cr_str_of(q->in->title), err);
	if (rc == CR_OK && q->in->query && *q->in->query)
		rc = put_pair(row, "query", cr_str_of(q->in->query), err);
	for (uint32_t i = 0; rc == CR_OK && i < q->p->n_facts; i++) {
		cr_db_text(row, q->p->facts[i].key);
		cr_db_text(row, q->p->facts[i].value);
		rc = cr_db_row(row, err);
	}
	return rc;
}

static int
put_missing(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into missing values (?, ?)");
	int rc = CR_OK;

	for (uint32_t i = 0; rc == CR_OK && i < q->p->n_quality; i++) {
		cr_db_text(row, q->p->quality[i].what);
		cr_db_u64(row, q->p->quality[i].count);
		rc = cr_db_row(row, err);
	}
	return rc;
}

static int
put_events(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into event values (?, ?, ?)");
	int rc = CR_OK;

	for (uint32_t i = 0; rc == CR_OK && i < q->p->n_events; i++) {
		cr_db_u64(row, i);
		cr_db_text(row, q->p->events[i].name);
		cr_db_text(row, q->p->events[i].unit);
		rc = cr_db_row(row, err);
	}
	return rc;
}

static void
put_number(struct cr_db_row *row, bool known, uint64_t number)
{
	if (known)
		cr_db_u64(row, number);
	else
		cr_db_null(row);
}

static int
put_threads(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into thread values (?, ?, ?, ?)");
	int rc = CR_OK;

	for (uint32_t i = 0; rc == CR_OK && i < q->threads.n; i++) {
		const struct cr_sample_thread *t = &q->threads.rows[i];

		cr_db_u64(row, i);
		put_number(row, t->pid >= 0, (uint32_t)t->pid);
		put_number(row, t->tid >= 0, (uint32_t)t->tid);
		cr_db_text(row, t->comm);
		rc = cr_db_row(row, err);
	}
	return rc;
}

/* ---- frames */

static void
frames_find(struct sqlite *q)
{
	q->frame_row1 = cr_alloc(q->t->n_frames, sizeof(*q->frame_row1));
	for (uint32_t n = 1; n < q->t->n; n++) {
		uint32_t *row1 = &q->frame_row1[q->t->frame[n]];

		if (*row1)
			continue;
		cr_vec_push(&q->frames, q->t->frame[n]);
		*row1 = (uint32_t)q->frames.n;
	}
}

/* Frames refer to their objects, which are numbered here and written later. */
static int
put_frames(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row =
		cr_db_insert(q->db, "insert into frame values (?, ?, ?, ?, ?, ?, ?, ?)");
	int rc = CR_OK;

	frames_find(q);
	for (size_t i = 0; rc == CR_OK && i < q->frames.n; i++) {
		const struct cr_frame *f = &q->t->frames[q->frames.p[i]];

		cr_db_u64(row, i + 1);
		cr_db_text(row, f->name);
		cr_db_text(row, f->linkage.len ? f->linkage : f->name);
		if (f->dso.len)
			cr_db_u64(row, cr_strings_intern(&q->objects, NULL, f->dso) + 1);
		else
			cr_db_null(row);
		cr_db_text(row, f->file);
		put_number(row, f->line, f->line);
		cr_db_text(row, cr_str_of(cr_kind_name(f->kind)));
		cr_db_u64(row, f->inlined);
		rc = cr_db_row(row, err);
	}
	return rc;
}

static int
put_objects(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into object values (?, ?, ?)");
	struct cr_text id = {0};
	int rc = CR_OK;

	for (size_t i = 0; rc == CR_OK && i < q->objects.rows.n; i++) {
		const struct cr_str path = q->objects.rows.p[i];

		const struct cr_dso *d = cr_sample_dso(q->p, path);

		cr_text_clear(&id);
		if (d)
			cr_sample_build_id(d, &id);
		cr_db_u64(row, i + 1);
		cr_db_text(row, path);
		cr_db_text(row, cr_text_view(&id));
		rc = cr_db_row(row, err);
	}
	cr_text_fini(&id);
	return rc;
}

/* The first node is the empty stack, which has no frame. */
static int
put_stacks(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into stack values (?, ?, ?, ?, ?)");
	uint8_t *outermost = cr_sample_outermost(q->t);
	uint32_t *depth = cr_alloc(q->t->n, sizeof(*depth)); /* t->depth is capped */
	int rc = CR_OK;

	for (uint32_t n = 0; rc == CR_OK && n < q->t->n; n++) {
		depth[n] = n ? depth[q->t->parent[n]] + 1 : 0;
		cr_db_u64(row, n);
		put_number(row, n, q->t->parent[n]);
		put_number(row, n, q->frame_row1[q->t->frame[n]]);
		cr_db_u64(row, depth[n]);
		cr_db_u64(row, outermost[n]);
		rc = cr_db_row(row, err);
	}
	free(depth);
	free(outermost);
	return rc;
}

/* ---- samples */

static int
put_samples(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row =
		cr_db_insert(q->db, "insert into sample values (?, ?, ?, ?, ?, ?, ?)");
	struct cr_sample_rows rows;
	struct cr_sample_row r;
	int rc = CR_OK;

	cr_sample_rows_init(&rows, q->in);
	while (rc == CR_OK && cr_sample_rows_next(&rows, &r)) {
		cr_db_u64(row, rows.next - 1);
		put_number(row, r.time_ns, r.time_ns);
		cr_db_u64(row, q->threads.of_task[r.task]);
		put_number(row, r.cpu < CR_CPU_UNKNOWN, r.cpu);
		cr_db_u64(row, r.event);
		cr_db_u64(row, r.node);
		cr_db_u64(row, r.weight);
		rc = cr_db_row(row, err);
	}
	return rc;
}

static int
put_fields(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into field values (?, ?, ?, ?)");
	int rc = CR_OK;

	for (uint32_t i = 0; rc == CR_OK && i < q->p->n_fields; i++) {
		const struct cr_field *f = &q->p->fields[i];

		cr_db_u64(row, i);
		cr_db_u64(row, f->event.i);
		cr_db_text(row, f->name);
		cr_db_text(row, cr_str_of(cr_form_name(f->form)));
		rc = cr_db_row(row, err);
	}
	return rc;
}

/* SQLite has signed numbers only: an address of the kernel keeps its bits. */
static void
put_value(struct sqlite *q, struct cr_db_row *row, const struct cr_field *f, uint64_t value)
{
	if (f->form == CR_FORM_TEXT)
		cr_db_text(row, q->p->texts[value]);
	else
		cr_db_i64(row, (int64_t)value);
}

/* The values of the k-th sample of an event. */
static int
put_row_values(struct sqlite *q, struct cr_db_row *row, uint64_t sample, uint32_t event, uint64_t k,
	struct cr_err *err)
{
	int rc = CR_OK;

	for (uint32_t i = 0; rc == CR_OK && i < q->p->n_fields; i++) {
		const struct cr_field *f = &q->p->fields[i];

		if (f->event.i != event || !f->value || f->value[k] == cr_form_none(f->form))
			continue;
		cr_db_u64(row, sample);
		cr_db_u64(row, i);
		put_value(q, row, f, f->value[k]);
		rc = cr_db_row(row, err);
	}
	return rc;
}

static int
put_values(struct sqlite *q, struct cr_err *err)
{
	struct cr_db_row *row = cr_db_insert(q->db, "insert into value values (?, ?, ?)");
	uint64_t *ordinal = cr_alloc(CR_MAX(q->p->n_events, 1), sizeof(*ordinal));
	struct cr_sample_rows rows;
	struct cr_sample_row r;
	uint64_t at = 0;
	int rc = CR_OK;

	cr_sample_rows_init(&rows, q->in);
	while (rc == CR_OK && q->p->n_fields && cr_sample_rows_next(&rows, &r)) {
		for (; at < rows.next - 1; at++)
			ordinal[cr_event_of(&rows.events, at)]++;
		rc = put_row_values(q, row, at, r.event, ordinal[r.event], err);
	}
	free(ordinal);
	return rc;
}

/* ---- the view "flat" */

/* Append s in quotes of SQL; bytes that SQL cannot have are written as cr_db_text() writes them. */
static void
put_quoted(struct cr_text *sql, struct cr_str s, char quote)
{
	struct cr_text safe = {0};

	cr_sample_text_put(s, &safe);
	cr_text_char(sql, quote);
	for (size_t i = 0; i < safe.len; i++) {
		if (safe.p[i] == quote)
			cr_text_char(sql, quote);
		cr_text_char(sql, safe.p[i]);
	}
	cr_text_char(sql, quote);
	cr_text_fini(&safe);
}

static void
put_flat_column(struct cr_text *sql, const struct cr_field_column *c)
{
	struct cr_text head = {0};

	cr_text_puts(sql, ", ");
	if (c->fields) {
		cr_text_puts(sql, "(select v.value from field d join value v on v.sample = s.id"
				  " and v.field = d.id where d.event = s.event and d.name = ");
		put_quoted(sql, c->name, '\'');
		cr_text_char(sql, ')');
	} else if (c->value.len) {
		put_quoted(sql, c->value, '\'');
	} else {
		cr_text_puts(sql, "null");
	}
	cr_field_column_head(c, &head);
	cr_text_puts(sql, " as ");
	put_quoted(sql, cr_text_view(&head), '"');
	cr_text_fini(&head);
}

/* A row for each sample: like format csv, but with the id of the stack, and "object" for "dso". */
static int
put_flat(struct sqlite *q, struct cr_err *err)
{
	struct cr_field_columns columns;
	struct cr_text sql = {0};
	int rc = cr_field_columns_init(&columns, q->p, q->options->fields, err);

	cr_text_puts(&sql,
		"create view flat as select s.time_ns, t.pid, t.tid, t.comm, s.cpu,"
		" e.name as event, s.weight, f.name as function, o.path as object, s.stack");
	for (size_t i = 0; i < columns.columns.n; i++)
		put_flat_column(&sql, &columns.columns.p[i]);
	cr_text_puts(&sql,
		" from sample s join thread t on t.id = s.thread join event e on e.id = s.event"
		" join stack k on k.id = s.stack left join frame f on f.id = k.frame"
		" left join object o on o.id = f.object");
	cr_text_char(&sql, '\0');
	if (rc == CR_OK)
		cr_db_run(q->db, sql.p);
	cr_text_fini(&sql);
	cr_field_columns_fini(&columns);
	return rc;
}

/* ---- */

static int
put_tables(struct sqlite *q, struct cr_err *err)
{
	static int (*const put[])(struct sqlite *, struct cr_err *) = {put_facts, put_missing,
		put_events, put_threads, put_frames, put_objects, put_stacks, put_samples,
		put_fields, put_values, put_flat};
	int rc = CR_OK;

	cr_db_run(q->db, schema);
	for (size_t i = 0; rc == CR_OK && i < CR_LEN(put); i++)
		rc = put[i](q, err);
	cr_db_run(q->db, views);
	return rc;
}

static int
sqlite_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct sqlite q = {.in = in, .options = options, .p = in->p, .t = in->tree};
	int rc = cr_db_open(&q.db, err);

	if (rc == CR_OK) {
		cr_sample_threads_init(&q.threads, in->p);
		rc = put_tables(&q, err);
	}
	if (rc == CR_OK)
		rc = cr_db_copy(q.db, out, err);
	cr_sample_threads_fini(&q.threads);
	cr_vec_fini(&q.frames);
	cr_strings_fini(&q.objects);
	free(q.frame_row1);
	cr_db_close(q.db);
	return rc;
}

#else

static int
sqlite_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	(void)in;
	(void)options;
	(void)out;
	return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
		"this cresset was built without libsqlite3, which sqlite needs");
}

#endif

static const char *const sqlite_extensions[] = {".sqlite", ".sqlite3", NULL};

static const struct cr_option_spec sqlite_options[] = {
	{.name = "fields",
		.arg = "NAMES",
		.help = "give the view flat a column for each of these fields: a,b,c or all; also "
			"for host and other header fields (default: what a folded profile keeps "
			"apart)",
		.type = CR_OPTION_TEXT,
		.at = offsetof(struct sqlite_options, fields),
		.min = 1},
	{.name = NULL},
};

const struct cr_writer cr_writer_sqlite = {
	.name = "sqlite",
	.extensions = sqlite_extensions,
	.about = "SQLite database of samples, stacks, frames and threads",
	.options = sqlite_options,
	.options_size = sizeof(struct sqlite_options),
	.needs = CR_WRITER_PLACES | CR_WRITER_LINES | CR_WRITER_FIELDS,
	.write = sqlite_write,
};
