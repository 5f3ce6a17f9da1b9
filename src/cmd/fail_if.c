#include "fail_if_p.h"

#include "report_options_p.h"

#include "base/text.h"
#include "query/lang/pattern.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[CR_FAIL_WHATS] = {
	[CR_FAIL_UNRESOLVED] = "unresolved",
	[CR_FAIL_BROKEN] = "broken",
	[CR_FAIL_TRUNCATED] = "truncated",
	[CR_FAIL_LOST] = "lost",
	[CR_FAIL_SELF] = "self:",
	[CR_FAIL_TOTAL] = "total:",
};

const char *
cr_fail_if_word(size_t i)
{
	return i < CR_LEN(words) ? words[i] : NULL;
}

static int
not_a_condition(const char *text, struct cr_err *err)
{
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"wants WHAT>PERCENT%%, where WHAT is unresolved, broken, truncated, lost, "
		"self:NAME, total:NAME or total:/RE/, not '%s'",
		text);
}

static int
parse_what(const char *text, size_t len, struct cr_fail_if *out, struct cr_err *err)
{
	for (int what = 0; what < CR_FAIL_WHATS; what++) {
		const size_t n = strlen(words[what]);

		if (what < CR_FAIL_SELF ? len != n : len <= n)
			continue;
		if (strncmp(text, words[what], n) != 0)
			continue;
		out->what = (enum cr_fail_what)what;
		out->function = (struct cr_str){text + n, (uint32_t)(len - n)};
		return cr_function_check(out->function, err); /* now, not after reading */
	}
	return not_a_condition(out->text, err);
}

int
cr_fail_if_parse(const char *text, struct cr_fail_if *out, struct cr_err *err)
{
	const char *more = strrchr(text, '>'); /* a name of C++ may have one, too */
	const char *percent;
	struct cr_text number = {0};
	bool valid;

	memset(out, 0, sizeof(*out));
	out->text = text;
	if (!more)
		return not_a_condition(text, err);
	percent = strchr(more, '%');
	if (percent && percent[1])
		return not_a_condition(text, err);
	cr_text_put(&number, more + 1, percent ? (size_t)(percent - more - 1) : strlen(more + 1));
	valid = number.len && cr_report_percent(number.p, &out->percent);
	cr_text_fini(&number);
	if (!valid)
		return not_a_condition(text, err);
	return parse_what(text, (size_t)(more - text), out, err);
}
