#include "diagnostics_p.h"

#include "base/err.h"
#include "base/text.h"

/* What happens to a line with this reason. */
enum fate {
	FATE_USED,    /* all of it is in the profile, or reported otherwise */
	FATE_IN_PART, /* only a part is in the profile */
	FATE_LOST,    /* nothing of it is in the profile */
	FATE_PASSED,  /* nothing of it, which is intended */
};

/* kind: its text in the summary. */
static const struct {
	const char *name, *kind;
	enum fate fate;
} reasons[CR_REASONS] = {
	[CR_REASON_NO_COUNT] = {"no-count", "lines without a count", FATE_LOST},
	[CR_REASON_BAD_COUNT] = {"bad-count", "lines with a bad count", FATE_LOST},
	[CR_REASON_NEGATIVE] = {"negative", "lines with a negative count", FATE_LOST},
	[CR_REASON_OVERFLOW] = {"overflow", "counts above 2^64-1, limited to it", FATE_IN_PART},
	[CR_REASON_STACK_WITHOUT_COUNT] = {"stack-without-count", "stacks without a count",
		FATE_LOST},
	[CR_REASON_FRAME_OUTSIDE_SAMPLE] = {"frame-outside-sample", "frames outside of any sample",
		FATE_LOST},
	[CR_REASON_BAD_FRAME] = {"bad-frame", "frames that cannot be read", FATE_LOST},
	[CR_REASON_BAD_HEADER] = {"bad-header", "headers that cannot be read", FATE_LOST},
	[CR_REASON_SKIPPED_DEPTH] = {"skipped-depth", "rows indented too deeply", FATE_LOST},
	[CR_REASON_ODD_INDENT] = {"odd-indent", "rows with an odd indentation", FATE_LOST},
	[CR_REASON_UNCLOSED] = {"unclosed", "stacks or tables that do not end", FATE_LOST},
	[CR_REASON_NOT_A_NUMBER] = {"not-a-number", "values that are not numbers", FATE_LOST},
	[CR_REASON_NOISE] = {"noise", "lines that are messages", FATE_PASSED},
	[CR_REASON_TRUNCATED_FRAME] = {"truncated-frame", "frames cut off", FATE_IN_PART},
	[CR_REASON_MIXED_COLUMNS] = {"mixed-columns", "lines with one count among lines with two",
		FATE_USED},
	[CR_REASON_DUP_ID] = {"dup-id", "identifiers given twice", FATE_IN_PART},
	[CR_REASON_MISSING_REF] = {"missing-ref", "references to missing entries", FATE_IN_PART},
	[CR_REASON_ENCODING] = {"encoding", "invalid characters", FATE_IN_PART},
	[CR_REASON_UNCOUNTED] = {"no-count",
		"texts without counts, each stack counted as one sample", FATE_USED},
	[CR_REASON_LONG_LINE] = {"long-line", "lines of more than 256 MiB, cut at that length",
		FATE_IN_PART},
	[CR_REASON_NO_FRAMES] = {"no-frames", "threads without a stack, left out", FATE_USED},
	[CR_REASON_OTHER_STATE] = {"other-state", "threads that do not run, left out", FATE_USED},
	[CR_REASON_OTHER_EVENT] = {"other-event",
		"headers of another event, its counts added to the first event", FATE_IN_PART},
	[CR_REASON_BAD_ADDRESS] = {"bad-address", "frames whose address is not a number",
		FATE_IN_PART},
	[CR_REASON_UNKNOWN_LINE] = {"unknown-line", "lines that are unknown in this format",
		FATE_LOST},
};

static bool
is_unused(enum cr_reason why)
{
	return reasons[why].fate == FATE_LOST || reasons[why].fate == FATE_PASSED;
}

void
cr_diagnostics_add(struct cr_diagnostics *r, enum cr_reason why, uint64_t line, struct cr_str text)
{
	struct cr_diagnostics_place *p;

	if (r->count[why]++ == 0)
		r->first[why] = line;
	if (r->last != CR_LINE_NONE && line == r->last_number)
		r->last = is_unused(why) ? CR_LINE_REPORTED : CR_LINE_USED;
	if (r->n_places == CR_DIAGNOSTICS_PLACES)
		return;
	p = &r->places[r->n_places++];
	p->line = line;
	p->why = why;
	p->len = CR_MIN(text.len, CR_DIAGNOSTICS_TEXT);
	if (p->len)
		memcpy(p->text, text.p, p->len);
}

void
cr_diagnostics_finish(struct cr_diagnostics *r)
{
	if (r->last == CR_LINE_UNKNOWN)
		cr_diagnostics_add(r, CR_REASON_UNKNOWN_LINE, r->last_number, r->last_text);
	r->fate[r->last]++;
	r->last = CR_LINE_NONE;
}

bool
cr_diagnostics_is_blank(struct cr_str text)
{
	for (uint32_t i = 0; i < text.len; i++)
		if (text.p[i] != ' ' && text.p[i] != '\t')
			return false;
	return true;
}

void
cr_diagnostics_used(struct cr_diagnostics *r, uint64_t n)
{
	cr_diagnostics_finish(r);
	r->lines += n;
	r->fate[CR_LINE_USED] += n;
}

void
cr_diagnostics_lose(struct cr_diagnostics *r, uint64_t mark)
{
	r->fate[CR_LINE_REPORTED] += r->fate[CR_LINE_USED] - mark;
	r->fate[CR_LINE_USED] = mark;
}

void
cr_diagnostics_later(struct cr_diagnostics *r)
{
	r->last = CR_LINE_NONE;
	r->lines--;
}

bool
cr_diagnostics_sum(struct cr_diagnostics_sum *s, uint64_t count)
{
	if (s->over || cr_add_ok(s->sum, count, &s->sum))
		return false;
	return s->over = true;
}

void
cr_diagnostics_append(struct cr_diagnostics *r, const struct cr_diagnostics *next)
{
	for (unsigned i = 0; i < CR_REASONS; i++) {
		if (!r->count[i] && next->count[i])
			r->first[i] = r->lines + next->first[i];
		r->count[i] += next->count[i];
	}
	for (uint32_t i = 0; i < next->n_places && r->n_places < CR_DIAGNOSTICS_PLACES; i++) {
		r->places[r->n_places] = next->places[i];
		r->places[r->n_places++].line += r->lines;
	}
	r->lines += next->lines;
	for (unsigned i = 0; i < CR_LINE_FATES; i++)
		r->fate[i] += next->fate[i];
}

/* Add a fact with the number of lines that are no part of the profile, if there are any. */
static void
report_passed(const struct cr_diagnostics *r, struct cr_builder *b)
{
	struct cr_text t = {0};

	if (!r->fate[CR_LINE_PASSED])
		return;
	cr_text_printf(&t, "%llu of %llu", (unsigned long long)r->fate[CR_LINE_PASSED],
		(unsigned long long)r->lines);
	cr_builder_fact(b, "lines passed over", cr_text_view(&t));
	cr_text_fini(&t);
}

void
cr_diagnostics_end(struct cr_diagnostics *r, struct cr_builder *b, struct cr_log *log)
{
	cr_diagnostics_finish(r);
	for (uint32_t i = 0; i < r->n_places; i++) {
		const struct cr_diagnostics_place *p = &r->places[i];

		cr_log_line(log, reasons[p->why].name, p->line, (struct cr_str){p->text, p->len});
	}
	log->lines += r->lines;
	log->lines_used += r->fate[CR_LINE_USED];
	log->lines_told += r->fate[CR_LINE_REPORTED];
	log->lines_passed += r->fate[CR_LINE_PASSED];
	report_passed(r, b);
	for (unsigned i = 0; i < CR_REASONS; i++) {
		if (!r->count[i])
			continue;
		cr_log_count(log, reasons[i].kind, r->count[i], r->first[i]);
		if (reasons[i].fate == FATE_LOST || reasons[i].fate == FATE_IN_PART)
			cr_builder_flags(b, CR_PROFILE_IN_PART);
	}
}
