#include "folded_input_p.h"

#include "base/text.h"
#include "bytes/source.h"
#include "job_p.h"

#include <inttypes.h>

static void
drop_pages(void *source, uint64_t from, uint64_t to)
{
	cr_source_done(source, from, to);
}

static void
report_bad(const char *what, const struct cr_folded_lines *lines)
{
	struct cr_text t = {0};

	cr_text_printf(&t,
		"warning: lines without a count: %" PRIu64 ", the first in line %" PRIu64,
		lines->bad, lines->first_bad);
	cr_options_complain(what, t.p);
	cr_text_fini(&t);
}

int
cr_folded_input(const struct cr_options *o, const char *what, cr_folded_reader *read, void *into)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_folded_lines lines;
	struct cr_source *s;
	int code = EXIT_DONE;

	if (cr_source_open(what, CR_SOURCE_MAX_PIPE, &s, &err) < 0)
		return cr_job_fail(what, &err);
	lines = read(into, cr_source_bytes(s), cr_source_len(s), drop_pages, s);
	if (lines.bad && !o->quiet)
		report_bad(what, &lines);
	if (cr_source_damage(s))
		code = cr_job_fail(what, cr_source_damage(s));
	else if (lines.bad && o->strict)
		code = EXIT_IN_PART;
	cr_source_close(s);
	return code;
}
