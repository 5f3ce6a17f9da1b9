#include "api_p.h"

#include "base/mem.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- costs */

struct report {
	const char *fields, *percent;
	bool children;
	uint32_t limit;
};

static const struct cr_option_spec report_specs[] = {
	CR_API_TEXT("fields", struct report, fields),
	CR_API_FLAG("children", struct report, children),
	CR_API_TEXT("percent-limit", struct report, percent),
	{.name = "limit",
		.type = CR_OPTION_U32,
		.max = UINT32_MAX,
		.at = offsetof(struct report, limit)},
	{0},
};

static int
percent_of(const char *text, double *out, struct cr_err *err)
{
	char *end;

	*out = text ? strtod(text, &end) : 0;
	if (text && (*end || end == text || !(*out >= 0 && *out <= 100)))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "percent-limit takes a number from 0 to 100");
	return CR_OK;
}

static int
make_spec(cresset_table *t, const char *keys, const struct report *r, struct cr_err *err)
{
	const struct cr_profile *p = t->p->p;
	int rc;

	if (!keys && (!r->fields || *r->fields == '+'))
		keys = cr_table_usual(p);
	rc = cr_table_parse(keys, r->fields, r->children && cr_table_has_stacks(p), &t->spec, err);
	if (rc == CR_OK && (cr_table_has(&t->spec, CR_TABLE_LATENCY) ||
				   cr_table_has(&t->spec, CR_TABLE_LATENCY_CHILDREN)))
		rc = cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"the library has no columns of latency; open the profile with the option "
			"latency");
	return rc;
}

/* Fold for the keys of the table, and change the stacks. */
static int
fold(cresset_table *t, const struct cr_query *q, struct cr_err *err)
{
	struct cr_fold_opts opts = {0};
	struct cr_tree *turned;
	int rc;

	cr_table_fold(t->p->p, &t->spec, &opts);
	opts.bare &=
		!cr_query_has(q, CR_WORD_TRANSFORMS) && !cr_table_has(&t->spec, CR_TABLE_EVENT);
	rc = cr_api_fetch(
		t->p, cr_load_parts(cr_fold_needs(t->p->p, cr_query_filter(q), &opts)), err);
	if (rc == CR_OK)
		rc = cr_fold(t->p->p, cr_query_filter(q), &opts, &t->tree, err);
	if (rc == CR_OK)
		rc = cr_query_transform(q, &t->tree, err);
	if (rc == CR_OK)
		rc = cr_query_left(q, t->tree, err);
	if (rc < 0 || !t->tree->leaves_first)
		return rc;
	/* The rows are the same in both directions. */
	rc = cr_transform(t->tree, CR_TRANSFORM_INVERT, NULL, &turned, err);
	if (rc == CR_OK) {
		cr_tree_free(t->tree);
		t->tree = turned;
	}
	return rc;
}

static int
make_report(cresset_table *t, const char *words, const char *keys, const char *const *options,
	struct cr_err *err)
{
	struct report r = {.children = true};
	struct cr_table_sheet_opts opts = {0};
	struct cr_query q = {0};
	int rc = cr_api_options(options, report_specs, &r, NULL, 0, err);

	if (rc == CR_OK)
		rc = percent_of(r.percent, &opts.percent_limit, err);
	if (rc == CR_OK)
		rc = cr_api_query(words, &q, err);
	/* The default tree that the keys follow from is compared with the samples first. */
	if (rc == CR_OK)
		rc = cr_api_fetch(t->p, cr_load_parts(0), err);
	if (rc == CR_OK)
		rc = make_spec(t, keys, &r, err);
	if (rc == CR_OK)
		rc = fold(t, &q, err);
	if (rc == CR_OK) {
		opts.limit = r.limit;
		opts.fields = r.fields != NULL;
		cr_table_make(t->p->p, t->tree, 0, &t->spec, &t->table);
		cr_table_sheet_init(t->tree, &t->table, &opts, &t->costs);
		t->costs.event = t->tree->event;
		t->sheet = &t->costs.sheet;
	}
	cr_query_fini(&q);
	return rc;
}

/* ---- changes */

struct verdicts {
	bool total, all;
	const char *norm, *sort;
	uint32_t noise;
};

static const struct cr_option_spec verdict_specs[] = {
	CR_API_FLAG("total", struct verdicts, total),
	CR_API_FLAG("all", struct verdicts, all),
	CR_API_TEXT("norm", struct verdicts, norm),
	CR_API_TEXT("sort", struct verdicts, sort),
	{.name = "noise",
		.type = CR_OPTION_U32,
		.min = 1,
		.max = 100,
		.at = offsetof(struct verdicts, noise)},
	{0},
};

static const struct {
	const char *word, *head;
	enum cr_table_column key;
} sorts[] = {
	{"sym", "FUNCTION", CR_TABLE_FUNCTION},
	{"dso", "DSO", CR_TABLE_DSO_PATH},
	{"comm", "COMM", CR_TABLE_GROUP},
};

static int
make_verdicts(cresset_table *t, const char *const *options, struct cr_err *err)
{
	cresset_tree *of = t->of;
	struct verdicts v = {.norm = "share", .sort = "sym"};
	struct cr_evidence_side side[CR_SIDES];
	size_t i = 0;
	int rc = cr_api_options(options, verdict_specs, &v, NULL, 0, err);

	if (rc < 0)
		return rc;
	if (!of->p[1])
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "this tree is no difference");
	while (i < CR_LEN(sorts) && strcmp(sorts[i].word, v.sort) != 0)
		i++;
	if (i == CR_LEN(sorts))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "sort takes sym, dso or comm");
	t->norm_text = cr_strdup(v.norm);
	t->norm = cr_norm_of(t->norm_text);
	t->totals = v.total;
	for (int s = 0; s < CR_SIDES; s++)
		side[s] = (struct cr_evidence_side){of->p[s]->p, &of->query[s], of->side[s]};
	cr_table_make(NULL, of->tree, 0, cr_table_by(sorts[i].key), &t->table);
	rc = cr_evidence_judge(
		side, &of->diff, of->tree, &t->table, &t->norm, v.noise / 100.0, &t->judged, err);
	if (rc < 0) {
		cr_table_fini(&t->table);
		t->table = (struct cr_table){0};
		return rc;
	}
	cr_verdict_sheet_init(
		of->tree, &t->table, &t->judged, v.total, v.all, sorts[i].head, &t->changes);
	t->sheet = &t->changes.sheet;
	return CR_OK;
}

/* ---- making and freeing */

static cresset_table *
made(cresset_table *t, int rc)
{
	if (cr_api_end(t->c, rc) < 0) {
		cresset_table_free(t);
		return NULL;
	}
	t->columns = cr_alloc(t->sheet->n_columns, sizeof(*t->columns));
	for (uint32_t i = 0; i < t->sheet->n_columns; i++)
		if (t->sheet->columns[i].audience & CR_SHEET_PROGRAMS)
			t->columns[t->n_columns++] = i;
	return t;
}

cresset_table *
cresset_report(cresset_profile *p, const char *words, const char *keys, const char *const *options)
{
	cresset_table *t = cr_alloc(1, sizeof(*t));

	t->c = p->c;
	t->p = p;
	cr_api_hold(&p->held);
	cr_api_begin(t->c);
	return made(t, make_report(t, words, keys, options, &t->c->err));
}

cresset_table *
cresset_verdicts(cresset_tree *difference, const char *const *options)
{
	cresset_table *t = cr_alloc(1, sizeof(*t));

	t->c = difference->p[0]->c;
	t->of = difference;
	cr_api_hold(&difference->held);
	cr_api_begin(t->c);
	return made(t, make_verdicts(t, options, &t->c->err));
}

void
cresset_table_free(cresset_table *t)
{
	if (!t)
		return;
	if (t->sheet && t->of) {
		cr_verdict_sheet_fini(&t->changes);
		cr_judged_fini(&t->judged);
	} else if (t->sheet) {
		cr_table_sheet_fini(&t->costs);
	}
	if (t->sheet)
		cr_table_fini(&t->table);
	cr_tree_free(t->tree);
	cr_text_fini(&t->cell);
	free(t->columns);
	free(t->norm_text);
	cresset_profile_free(t->p);
	cresset_tree_free(t->of);
	free(t);
}

/* ---- cells */

size_t
cresset_rows(const cresset_table *t)
{
	return t->sheet->n_rows;
}

const char *
cresset_column(const cresset_table *t, size_t i)
{
	return i < t->n_columns ? t->sheet->columns[t->columns[i]].id : NULL;
}

static bool
cell_of(const cresset_table *t, size_t row, size_t column, struct cr_cell *out)
{
	*out = (struct cr_cell){0};
	if (row >= t->sheet->n_rows || column >= t->n_columns)
		return false;
	t->sheet->cell(t->sheet, (uint32_t)row, t->columns[column], out);
	return true;
}

double
cresset_cell_number(cresset_table *t, size_t row, size_t column)
{
	struct cr_cell cell;

	if (!cell_of(t, row, column, &cell))
		return NAN;
	switch ((enum cr_cell_kind)cell.kind) {
	case CR_CELL_NUMBER:
	case CR_CELL_PADDED:
	case CR_CELL_HEX:
	case CR_CELL_BOOL: return (double)cell.number;
	case CR_CELL_SIGNED: return (double)(int64_t)cell.number;
	case CR_CELL_SHARE:
		return cell.whole ? 100.0 * (double)cell.number / (double)cell.whole : 0;
	case CR_CELL_REAL: return cell.real;
	case CR_CELL_NONE:
	case CR_CELL_TEXT: break;
	}
	return NAN;
}

static void
put_cell(const struct cr_cell *cell, double number, struct cr_text *out)
{
	switch ((enum cr_cell_kind)cell->kind) {
	case CR_CELL_NONE: break;
	case CR_CELL_TEXT: cr_text_str(out, cell->text); break;
	case CR_CELL_NUMBER:
	case CR_CELL_PADDED: cr_text_u64(out, cell->number); break;
	case CR_CELL_SIGNED: cr_text_printf(out, "%" PRId64, (int64_t)cell->number); break;
	case CR_CELL_HEX: cr_text_printf(out, "0x%" PRIx64, cell->number); break;
	case CR_CELL_BOOL: cr_text_puts(out, cell->number ? "true" : "false"); break;
	case CR_CELL_SHARE:
	case CR_CELL_REAL:
		if (!isnan(number))
			cr_text_printf(out, "%.8g", number);
		break;
	}
}

const char *
cresset_cell(cresset_table *t, size_t row, size_t column)
{
	struct cr_cell cell;

	cr_text_clear(&t->cell);
	if (!cell_of(t, row, column, &cell))
		return NULL;
	cr_text_puts(&t->cell, "");
	put_cell(&cell, cresset_cell_number(t, row, column), &t->cell);
	return t->cell.p;
}

enum cresset_verdict
cresset_row_verdict(const cresset_table *t, size_t row)
{
	if (!t->of || row >= t->sheet->n_rows)
		return CRESSET_NOT_TESTED;
	return (enum cresset_verdict)t->changes.verdicts[t->changes.order[row]].word;
}

/* ---- writing */

/* Returns false for a form that there is not. */
static bool
put_table(const struct cr_sheet *s, const char *form, FILE *out)
{
	struct cr_text text = {0};
	struct cr_json_out j = {.text = &text};

	if (strcmp(form, "csv") == 0) {
		cr_write_sheet_csv_head(s, out);
		cr_write_sheet_csv(s, out);
	} else if (strcmp(form, "json") == 0) {
		cr_write_sheet_json(s, &j, out);
		fprintf(out, "%s\n", text.p ? text.p : "");
		cr_json_out_fini(&j);
		cr_text_fini(&text);
	} else if (strcmp(form, "text") == 0) {
		cr_write_sheet_text(s, out);
	} else if (strcmp(form, "markdown") == 0) {
		cr_write_sheet_markdown(s, out);
	} else {
		return false;
	}
	return true;
}

int
cresset_write_table(cresset_table *t, const char *form, char **bytes, size_t *len)
{
	struct cr_err *err = &t->c->err;
	FILE *out;
	int rc = CR_OK;

	*bytes = NULL;
	*len = 0;
	cr_api_begin(t->c);
	out = open_memstream(bytes, len);
	if (!out)
		return cr_api_end(t->c, cr_fail_errno(err, CR_EMEM, "cannot write"));
	if (!put_table(t->sheet, form, out))
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"'%s' is not csv, json, text or markdown", form);
	if (fclose(out) != 0 && rc == CR_OK)
		rc = cr_fail_errno(err, CR_EMEM, "cannot write");
	rc = cr_api_end(t->c, rc);
	if (rc < 0) {
		free(*bytes);
		*bytes = NULL;
		*len = 0;
	}
	return rc;
}
