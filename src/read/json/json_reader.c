#include "json_reader_p.h"

#define STEP_VALUES 4096u

void
cr_json_reader_open(struct cr_json_reader *t, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts)
{
	*t = (struct cr_json_reader){.b = b, .opts = opts, .space = cr_builder_address_space(b)};
	cr_json_init(&t->j, in->p, in->len);
}

bool
cr_json_reader_step(struct cr_json_reader *t, const struct cr_json *at)
{
	if (t->steps++ % STEP_VALUES == 0 &&
		!cr_progress_step(t->opts->progress, "reading", cr_json_at(at),
			(uint64_t)(at->end - at->start)))
		t->stopped = true;
	return !t->stopped;
}

/* Line numbers are computed only for reported lines. */
static void
report_at(struct cr_json_reader *t, enum cr_reason why, const struct cr_json *j, const char *at)
{
	const bool located =
		t->report.count[why] == 0 || t->report.n_places < CR_DIAGNOSTICS_PLACES;
	const char *end = located && at < j->end ? memchr(at, '\n', (size_t)(j->end - at)) : NULL;
	const size_t len = (size_t)((end ? end : j->end) - at);
	uint64_t line = 1;

	for (const char *p = j->start; located && (p = memchr(p, '\n', (size_t)(at - p))); p++)
		line++;
	cr_diagnostics_add(&t->report, why, line,
		(struct cr_str){at, (uint32_t)CR_MIN(len, (size_t)CR_DIAGNOSTICS_TEXT)});
}

void
cr_json_reader_report(struct cr_json_reader *t, enum cr_reason why, const struct cr_json *at)
{
	report_at(t, why, at, at->p);
}

bool
cr_json_reader_number(struct cr_json *j, unsigned scale, struct cr_decimal *out)
{
	struct cr_str raw;

	return cr_json_text(j, &raw) && cr_scan_decimal(raw, scale, out);
}

bool
cr_json_reader_u64(struct cr_json *j, uint64_t *out)
{
	struct cr_decimal d;

	if (!cr_json_reader_number(j, 0, &d) || !d.exact || (d.negative && d.value))
		return false;
	*out = d.value;
	return true;
}

struct cr_str
cr_json_reader_plain(struct cr_json_reader *t, struct cr_json *j)
{
	struct cr_str raw;

	cr_json_text(j, &raw);
	return cr_json_plain(raw, &t->room);
}

/* Report text after the document. */
static void
report_rest(struct cr_json_reader *t)
{
	const char *p = t->j.p;

	while (p < t->j.end && memchr(" \t\r\n", *p, 4))
		p++;
	if (p < t->j.end)
		report_at(t, CR_REASON_UNKNOWN_LINE, &t->j, p);
}

int
cr_json_reader_close(struct cr_json_reader *t, struct cr_err *err)
{
	const uint64_t at = cr_json_at(&t->j);

	if (t->j.bad)
		report_at(t, CR_REASON_UNCLOSED, &t->j, t->j.bad_at);
	else if (!t->stopped)
		report_rest(t);
	cr_diagnostics_end(&t->report, t->b, t->opts->log);
	cr_text_fini(&t->room);
	if (t->stopped)
		return cr_fail(err, CR_ECANCEL, at, "stopped");
	if (t->j.bad && cr_builder_samples(t->b) == 0)
		return cr_fail(err, CR_EFORMAT, (uint64_t)(t->j.bad_at - t->j.start),
			"not JSON: %s", t->j.bad);
	return CR_OK;
}
