#include "row_tree_p.h"

/*
 * pmcstat -G of FreeBSD: for each event, the functions that ran, with their callers below, so the
 * outermost rows are the leaves. Counts include those of the callers; the rest belongs to stacks
 * that end there. A row without a file belongs to the file of the row above.
 *
 *	@ INST_RETIRED.ANY [40 samples]
 *
 *	62.50%  [25]       lz_compress @ /boot/kernel/zfs.ko
 *	 80.00%  [20]        zio_stage
 */
struct row {
	uint32_t depth;
	uint64_t count;
	struct cr_str name;
	struct cr_str file; /* "" if not printed */
};

struct pmc {
	struct cr_stacks s;
	struct cr_row_tree tree;
	cr_dso_id dso; /* of the last row */
};

enum verdict { ROW_OK, ROW_NONE, ROW_OVERFLOW };

static enum verdict
row_parse(struct cr_str line, struct row *row)
{
	const char *p = line.p, *end = p + line.len, *start, *at;
	enum verdict is = ROW_OK;

	while (p < end && *p == ' ')
		p++;
	row->depth = (uint32_t)(p - line.p);
	for (start = p; p < end && ((*p >= '0' && *p <= '9') || *p == '.');)
		p++;
	if (p == start || end - p < 4 || memcmp(p, "%  [", 4) != 0)
		return ROW_NONE;
	for (start = p += 4; p < end && *p >= '0' && *p <= '9';)
		p++;
	if (p == start || p == end || *p != ']')
		return ROW_NONE;
	if (!cr_scan_u64((struct cr_str){start, (uint32_t)(p - start)}, &row->count)) {
		row->count = UINT64_MAX;
		is = ROW_OVERFLOW;
	}
	row->name = cr_scan_trim((struct cr_str){p + 1, (uint32_t)(end - p - 1)});
	row->file = CR_STR("");
	at = row->name.len > 3 ? memmem(row->name.p, row->name.len, " @ ", 3) : NULL;
	if (at) {
		row->file = cr_scan_trim(
			(struct cr_str){at + 3, (uint32_t)(row->name.p + row->name.len - at - 3)});
		row->name =
			cr_scan_trim((struct cr_str){row->name.p, (uint32_t)(at - row->name.p)});
	}
	return is;
}

static unsigned
probe_pmc(const struct cr_head *head, uint64_t *first)
{
	struct cr_scan scan;
	struct cr_str line;
	struct row row;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &line)) {
		if (row_parse(line, &row) != ROW_NONE) {
			*first = scan.line;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

/* "@ EVENT [N samples]" */
static bool
event_read(struct pmc *v, struct cr_str line)
{
	struct cr_str name = cr_scan_trim(line);
	const char *open;

	if (!cr_str_starts(name, "@ ") || !cr_str_ends(name, " samples]"))
		return false;
	open = memrchr(name.p, '[', name.len);
	if (!open)
		return false;
	name = cr_scan_trim(
		(struct cr_str){name.p + 2, (uint32_t)(CR_MAX(open, name.p + 2) - name.p - 2)});
	cr_row_tree_end(&v->tree);
	v->tree.total[0] = cr_builder_event(v->s.b, name, CR_STR("samples"));
	v->tree.totals = 1;
	return true;
}

static void
dso_find(struct pmc *v, const struct row *row)
{
	const bool kernel = cr_str_starts(row->file, "/boot/");
	const struct cr_dso dso = {.name = row->file,
		.kind = !kernel                         ? CR_KIND_USER
			: cr_str_ends(row->file, ".ko") ? CR_KIND_MODULE
							: CR_KIND_KERNEL};

	if (row->file.len)
		v->dso = cr_builder_dso(v->s.b, &dso);
	else if (row->depth == 0)
		v->dso = CR_DSO_UNKNOWN;
}

static void
line_read(struct pmc *v, struct cr_str line)
{
	struct row row;
	const enum verdict is = row_parse(line, &row);

	if (cr_scan_trim(line).len == 0 || event_read(v, line)) {
		cr_stacks_used(&v->s);
		return;
	}
	if (is == ROW_NONE) {
		cr_stacks_report(&v->s, CR_REASON_BAD_FRAME, line);
		return;
	}
	if (is == ROW_OVERFLOW)
		cr_stacks_report(&v->s, CR_REASON_OVERFLOW, line);
	if (v->tree.totals == 0) {
		v->tree.total[0] = cr_builder_event(v->s.b, CR_STR("samples"), CR_STR("samples"));
		v->tree.totals = 1;
	}
	dso_find(v, &row);
	if (cr_row_tree_row(&v->tree, row.depth, cr_builder_named(v->s.b, row.name, v->dso), line))
		cr_row_tree_total(&v->tree, 0, row.count);
}

static int
read_pmc(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct pmc v = {.tree = {.callers = true}};
	struct cr_str line;

	cr_stacks_open_bare(&v.s, in, b, opts);
	v.tree.s = &v.s;
	while (cr_stacks_line(&v.s, &line))
		line_read(&v, line);
	cr_row_tree_end(&v.tree);
	cr_row_tree_fini(&v.tree);
	return cr_stacks_close(&v.s, err);
}

const struct cr_reader cr_reader_pmc = {
	.name = "pmc",
	.about = "pmcstat -G of FreeBSD: trees of callers",
	.probe = probe_pmc,
	.read = read_pmc,
};
