#include "report_head_p.h"

#include "base/text.h"
#include "bytes/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
cr_report_header(const struct cr_profile *p)
{
	struct cr_text facts = {0};
	const char *line;

	cr_facts_main(p, 0, &facts);
	cr_facts_rest(p, 0, &facts);
	puts("# ========");
	for (line = facts.p; line && *line;) {
		const size_t n = strcspn(line, "\n");

		printf("# %.*s\n", (int)n, line);
		line += n + (line[n] != '\0');
	}
	puts("# ========\n#");
	cr_text_fini(&facts);
}

/* The next "KIND COUNT" of a list; false at the end. */
static bool
next_kind(struct cr_str *rest, struct cr_str *kind, uint64_t *count)
{
	while (rest->len) {
		const char *comma = memchr(rest->p, ',', rest->len), *blank;
		struct cr_str one = *rest;

		if (comma)
			one.len = (uint32_t)(comma - one.p);
		*rest = comma ? cr_str_from(*rest, comma + 1) : CR_STR("");
		one = cr_scan_trim(one);
		blank = one.len ? memrchr(one.p, ' ', one.len) : NULL;
		if (!blank)
			continue;
		*kind = (struct cr_str){one.p, (uint32_t)(blank - one.p)};
		if (cr_scan_u64(cr_str_from(one, blank + 1), count))
			return true;
	}
	return false;
}

static void
put_kind(struct cr_str kind, uint64_t count, uint64_t whole)
{
	struct cr_text name = {0};

	cr_text_safe(&name, kind);
	printf("%16s events: %10" PRIu64, name.len ? name.p : "", count);
	if (whole)
		printf("  (%4.1f%%)", 100.0 * (double)count / (double)whole);
	putchar('\n');
	cr_text_fini(&name);
}

void
cr_report_stats(const struct cr_profile *p)
{
	const struct cr_str all = cr_profile_fact(p, "records");
	struct cr_str rest = all, kind;
	struct cr_text name = {0};
	uint64_t count, whole = 0;

	while (next_kind(&rest, &kind, &count))
		whole = cr_add_sat(whole, count);
	if (whole) {
		puts("\nAggregated stats:");
		put_kind(CR_STR("TOTAL"), whole, 0);
	}
	for (rest = all; next_kind(&rest, &kind, &count);)
		put_kind(kind, count, whole);
	for (uint32_t i = 0; i < p->n_events; i++) {
		if (!p->events[i].samples || cr_event_is_sum(p, (cr_event_id){i}))
			continue;
		cr_text_clear(&name);
		cr_text_safe(&name, p->events[i].name);
		printf("%s stats:\n", name.len ? name.p : "");
		put_kind(CR_STR("SAMPLE"), p->events[i].samples, 0);
	}
	cr_text_fini(&name);
}
