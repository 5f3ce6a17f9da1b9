#include "job.h"

#include "cresset/base/text.h"
#include "cresset/base/utf8.h"
#include "cresset/bytes/scan.h"
#include "cresset/store/catalog.h"
#include "cresset/store/store.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_ls(const struct cr_options *o);

enum column { COL_NAME, COL_DATE, COL_HOST, COL_EVENT, COL_SAMPLES, COL_DURATION, COL_SIZE, COL_COMMAND, COLUMNS };

static const char *const heads[COLUMNS] = {
	"NAME", "DATE", "HOST", "EVENT", "SAMPLES", "DURATION", "SIZE", "COMMAND",
};

struct line {
	struct cr_text cell[COLUMNS];
};

static void
cell(struct line *l, enum column c, struct cr_str s)
{
	cr_text_safe(&l->cell[c], s);
}

static void
fill(struct line *l, const struct cr_catalog_entry *e, const struct cr_profile *p)
{
	const struct cr_str date = cr_profile_fact(p, "date");
	uint64_t ns, samples = 0;
	cr_event_id event;
	struct cr_err ignored = CR_ERR_INIT;

	cell(l, COL_NAME, cr_str_of(e->name));
	cell(l, COL_DATE, (struct cr_str){date.p, CR_MIN(date.len, 16u)});
	cell(l, COL_HOST, cr_profile_fact(p, "hostname"));
	if (cr_filter_event(p, &(struct cr_filter){0}, &event, &ignored) == CR_OK)
		cell(l, COL_EVENT, p->events[event.i].name);
	for (uint32_t i = 0; i < p->n_events; i++)
		samples += cr_event_samples(&p->events[i]);
	cr_text_u64(&l->cell[COL_SAMPLES], samples);
	if (cr_scan_u64(cr_profile_fact(p, "duration_ns"), &ns))
		cr_text_duration(&l->cell[COL_DURATION], ns);
	cr_text_bytes(&l->cell[COL_SIZE], e->size_bytes);
	cell(l, COL_COMMAND, cr_profile_fact(p, "cmdline"));
}

static void
print(struct line *lines, size_t n)
{
	uint32_t width[COLUMNS] = {0};

	for (size_t i = 0; i < n; i++)
		for (int c = 0; c < COLUMNS; c++)
			width[c] = CR_MAX(width[c], cr_utf8_cells(cr_text_view(&lines[i].cell[c])));
	for (size_t i = 0; i < n; i++) {
		for (int c = 0; c < COLUMNS; c++) {
			const struct cr_text *t = &lines[i].cell[c];
			const bool right = c == COL_SAMPLES || c == COL_SIZE || c == COL_DURATION;
			const int pad = (int)(width[c] - cr_utf8_cells(cr_text_view(t)));

			if (c == COLUMNS - 1)
				printf("%s\n", t->p ? t->p : "");
			else
				printf("%*s%s%*s  ", right ? pad : 0, "", t->p ? t->p : "", right ? 0 : pad, "");
		}
	}
}

int
cr_cmd_ls(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog c = {0};
	struct line *lines;
	size_t n = 1;
	int code = EXIT_DONE;
	char *dir;

	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (cr_catalog_list(dir, &c, &err) < 0) {
		code = cr_job_fail(dir, &err);
		free(dir);
		return code;
	}
	lines = cr_alloc(c.n + 1, sizeof(*lines));
	for (int k = 0; k < COLUMNS; k++)
		cr_text_puts(&lines[0].cell[k], heads[k]);
	for (size_t i = 0; i < c.n; i++) {
		struct cr_profile *p;

		if (cr_store_peek(c.entries[i].path, &p, &err) < 0) {
			code = cr_job_fail(c.entries[i].name, &err);
			continue;
		}
		fill(&lines[n++], &c.entries[i], p);
		cr_profile_free(p);
	}
	if (c.n == 0)
		fprintf(stderr, "cresset: %s: no profiles yet (see cresset help ingest)\n", dir);
	else
		print(lines, n);
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < COLUMNS; k++)
			cr_text_fini(&lines[i].cell[k]);
	free(lines);
	cr_catalog_fini(&c);
	free(dir);
	return code;
}
