#include "report.h"

#include "cresset/base/err.h"

/* kind: what the summary calls it. loses: what the line says is not in the profile, or less than it. */
static const struct { const char *name, *kind; bool loses; } reasons[CR_REASONS] = {
	[CR_REASON_NO_COUNT] = {"no-count", "lines without a count", true},
	[CR_REASON_BAD_COUNT] = {"bad-count", "lines with a bad count", true},
	[CR_REASON_NEGATIVE] = {"negative", "lines with a negative count", true},
	[CR_REASON_OVERFLOW] = {"overflow", "counts past 2^64-1, taken for that", true},
	[CR_REASON_STACK_WITHOUT_COUNT] = {"stack-without-count", "stacks without a count", true},
	[CR_REASON_FRAME_OUTSIDE_SAMPLE] = {"frame-outside-sample", "frames outside of any sample", true},
	[CR_REASON_BAD_FRAME] = {"bad-frame", "frames that cannot be read", true},
	[CR_REASON_BAD_HEADER] = {"bad-header", "headers that cannot be read", true},
	[CR_REASON_SKIPPED_DEPTH] = {"skipped-depth", "rows deeper than they can be", true},
	[CR_REASON_ODD_INDENT] = {"odd-indent", "rows with an odd indentation", true},
	[CR_REASON_UNCLOSED] = {"unclosed", "stacks or tables that do not end", true},
	[CR_REASON_NOT_A_NUMBER] = {"not-a-number", "values that are no numbers", true},
	[CR_REASON_NOISE] = {"noise", "lines that are messages", false},
	[CR_REASON_TRUNCATED_FRAME] = {"truncated-frame", "frames cut off", true},
	[CR_REASON_MIXED_COLUMNS] = {"mixed-columns", "lines with one count among lines with two", false},
	[CR_REASON_DUP_ID] = {"dup-id", "identifiers given twice", true},
	[CR_REASON_MISSING_REF] = {"missing-ref", "references to what is not there", true},
	[CR_REASON_ENCODING] = {"encoding", "characters that are none", true},
	[CR_REASON_NO_FRAMES] = {"no-frames", "threads without a stack, left out", false},
	[CR_REASON_OTHER_STATE] = {"other-state", "threads that do not run, left out", false},
};

const char *
cr_reason_name(enum cr_reason why)
{
	return reasons[why].name;
}

void
cr_report(struct cr_report *r, enum cr_reason why, uint64_t line, struct cr_str text)
{
	struct cr_report_place *p;

	if (r->count[why]++ == 0)
		r->first[why] = line;
	if (r->n_places == CR_REPORT_PLACES)
		return;
	p = &r->places[r->n_places++];
	p->line = line;
	p->why = why;
	p->len = CR_MIN(text.len, CR_REPORT_TEXT);
	if (p->len)
		memcpy(p->text, text.p, p->len);
}

void
cr_report_append(struct cr_report *r, const struct cr_report *next)
{
	for (unsigned i = 0; i < CR_REASONS; i++) {
		if (!r->count[i] && next->count[i])
			r->first[i] = r->lines + next->first[i];
		r->count[i] += next->count[i];
	}
	for (uint32_t i = 0; i < next->n_places && r->n_places < CR_REPORT_PLACES; i++) {
		r->places[r->n_places] = next->places[i];
		r->places[r->n_places++].line += r->lines;
	}
	r->lines += next->lines;
}

void
cr_report_end(const struct cr_report *r, struct cr_builder *b, struct cr_log *log)
{
	for (uint32_t i = 0; i < r->n_places; i++) {
		const struct cr_report_place *p = &r->places[i];

		cr_log_line(log, reasons[p->why].name, p->line, (struct cr_str){p->text, p->len});
	}
	for (unsigned i = 0; i < CR_REASONS; i++) {
		if (!r->count[i])
			continue;
		cr_log_count(log, reasons[i].kind, r->count[i], r->first[i]);
		if (reasons[i].loses)
			cr_builder_flags(b, CR_PROFILE_IN_PART);
	}
}
