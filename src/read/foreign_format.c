#include "foreign_format_p.h"

#include "base/mem.h"
#include "bytes/scan.h"

#define NOT "not a profile but "
#define UNREAD ", which is not read"
#define PERF_REPORT "this is the output of perf report; use perf script"

/* Formats recognised by their first bytes. */
static const struct {
	const char *magic;
	unsigned len;
	const char *what;
} magics[] = {
	{"\177ELF", 4, NOT "an ELF file"},
	{"BZh", 3, NOT "bzip2 data (gzip, xz and zstd are read)"},
	{"\x89"
	 "CRS\r\n",
		6, NOT "a stored profile, which has to be a file of its own"},
	{"PK\3\4", 4, NOT "a zip archive"},
	{"\x89PNG", 4, NOT "a PNG image"},
	{"\xff\xd8\xff", 3, NOT "a JPEG image"},
	{"GIF8", 4, NOT "a GIF image"},
	{"%PDF-", 5, NOT "a PDF document"},
	{"!<arch>\n", 8, NOT "an archive of object files"},
	{"SQLite format 3", 15, NOT "an SQLite database"},
	{"\xcf\xfa\xed\xfe", 4, NOT "a Mach-O file"},
	{"\xca\xfe\xba\xbe", 4, NOT "a Java class or a Mach-O file"},
	{"MZ", 2, NOT "a Windows program"},
	{"\xff\xfe\0\0", 4, NOT "text in UTF-32 (UTF-8 and UTF-16 are read)"},
	{"FLR\0", 4, "a recording of Java Flight Recorder" UNREAD},
	{"JAVA PROFILE ", 13, "a heap dump of Java" UNREAD},
	{"#!", 2, NOT "a script"},
};

/*
 * Formats recognised by two texts anywhere in the head, in this order. "\n..." matches the start of
 * a line.
 */
static const struct {
	unsigned heads;
	const char *one, *other, *what;
} marks[] = {
	{CR_HEAD_TEXT, "\ndesc:", "\ntime_unit:", "massif output" UNREAD},
	{CR_HEAD_TEXT, "\nv8-version,", "", "a log of V8" UNREAD},
	{CR_HEAD_TEXT, "\nprofiler,\"begin\"", "", "a log of V8" UNREAD},
	{CR_HEAD_TEXT, "\n# Samples: ", "\n# Event count (approx.): ", PERF_REPORT},
	{CR_HEAD_TEXT, "\n# Overhead", "\n# Samples:", PERF_REPORT},
	{CR_HEAD_TEXT, "\n# Overhead", "\n# ....", PERF_REPORT},
	{CR_HEAD_TEXT, "\n# Children ", "\n# ....", PERF_REPORT},
	{CR_HEAD_TEXT, "\n# Baseline ", "\n# ....",
		"this is the output of perf diff; use perf script on each recording"},
	{CR_HEAD_TEXT, " Percent |", "Disassembly of",
		"this is the output of perf annotate; use perf script"},
	{CR_HEAD_TEXT, " Percent |", "\tSource code & Disassembly",
		"this is the output of perf annotate; use perf script"},
	{CR_HEAD_TEXT, " Performance counter stats for", "",
		"counts of perf stat, which has no stacks"},
	{CR_HEAD_TEXT, " flat%   sum%", "calls%",
		"a report of pprof -peek or -tree" UNREAD ", that of pprof -raw or -traces is"},
	{CR_HEAD_TEXT, " flat%   sum%", "",
		"a report of pprof -top" UNREAD ", that of pprof -raw or -traces is"},
	{CR_HEAD_TEXT, "\nROUTINE ====", "",
		"a report of pprof -list" UNREAD ", that of pprof -raw or -traces is"},
	{CR_HEAD_TEXT, "\nFlat profile:", "cumulative", "a report of gprof" UNREAD},
	{CR_HEAD_TEXT, "\nHeaviest stack for the target process", "", "a spindump" UNREAD},
	{CR_HEAD_JSON, "\"missed_samples\"", "\"mode\"", "a profile of stackprof" UNREAD},
	{CR_HEAD_JSON, "\"stackTable\"", "\"frameTable\"", "a profile of Firefox" UNREAD},
	{CR_HEAD_JSON, "\"nativeSymbols\"", "\"markers\"", "a profile of Firefox" UNREAD},
	{CR_HEAD_JSON, "\"profile\":{\"libs\"", "", "a profile of Firefox" UNREAD},
	{CR_HEAD_JSON, "\"dhatFileVersion\"", "", "a profile of DHAT" UNREAD},
	{CR_HEAD_JSON, "\"callchain\"", "\"costs\"", "a profile of gprof2dot as JSON" UNREAD},
	{CR_HEAD_JSON, "\"sampleStackTraces\"", "", "a profile of Safari" UNREAD},
	{CR_HEAD_JSON, "\"cost_centres\"", "", "a profile of GHC as JSON" UNREAD ", its text is"},
	{CR_HEAD_JSON, "", "", NOT "another JSON document"},
	{CR_HEAD_MARKUP, "<svg", "", NOT "an SVG image"},
	{CR_HEAD_MARKUP, "<html", "", NOT "an HTML page"},
	{CR_HEAD_MARKUP, "<HTML", "", NOT "an HTML page"},
	{CR_HEAD_MARKUP, "<!DOCTYPE", "", NOT "a document of markup"},
	{CR_HEAD_MARKUP, "", "", NOT "an XML document"},
	{CR_HEAD_BINARY, "", "", "not a profile of a known format (binary data)"},
};

/* The first line has no newline before it. */
static bool
holds(const struct cr_head *head, const char *what)
{
	const size_t at_start = what[0] == '\n';
	const size_t n = strlen(what);

	if (at_start && head->len >= n - 1 && memcmp(head->p, what + 1, n - 1) == 0)
		return true;
	return memmem(head->p, head->len, what, n) != NULL;
}

/*
 * " 52.10% prog libc.so.6 [.] memcpy": a share, anything, and the kind of code before the function.
 */
static bool
is_report_row(struct cr_str line)
{
	static const char *const spaces[] = {"[.] ", "[k] ", "[u] ", "[g] ", "[H] "};
	const char *percent = memchr(line.p, '%', line.len);
	struct cr_str number;
	struct cr_decimal d;

	if (!percent || line.p[0] != ' ')
		return false;
	number = cr_scan_trim((struct cr_str){line.p, (uint32_t)(percent - line.p)});
	if (!cr_scan_decimal(number, 2, &d) || d.negative || !memchr(number.p, '.', number.len))
		return false;
	for (size_t i = 0; i < CR_LEN(spaces); i++)
		if (memmem(percent, (size_t)(line.p + line.len - percent), spaces[i], 4))
			return true;
	return false;
}

/* True for output of perf report without comments (-q): a row of its table comes first. */
static bool
is_bare_report(const struct cr_head *head)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &line))
		if (cr_scan_trim(line).len && line.p[0] != '#')
			return is_report_row(line);
	return false;
}

static const char *
name_of(const struct cr_head *head)
{
	for (size_t i = 0; i < CR_LEN(magics); i++)
		if (head->len >= magics[i].len &&
			memcmp(head->p, magics[i].magic, magics[i].len) == 0)
			return magics[i].what;
	for (size_t i = 0; i < CR_LEN(marks); i++)
		if ((marks[i].heads & head->kind) && holds(head, marks[i].one) &&
			holds(head, marks[i].other))
			return marks[i].what;
	if (head->kind == CR_HEAD_TEXT && is_bare_report(head))
		return PERF_REPORT;
	return NULL;
}

const char *
cr_foreign_format_name(const struct cr_head *head, bool *is_profile)
{
	const char *what = name_of(head);

	*is_profile = what && strncmp(what, "not ", 4) != 0;
	return what;
}
