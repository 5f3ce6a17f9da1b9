#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "bytes/scan.h"
#include "perf_script_p.h"
#include "read/perf_data/header/perf_fact_p.h"

/* Lines of perf script --header, and the facts with the names used for perf.data. */
static const struct {
	const char *title, *fact;
} titles[] = {
	{"captured on", "date"},
	{"hostname", "hostname"},
	{"os release", "osrelease"},
	{"perf version", "perf version"},
	{"arch", "arch"},
	{"nrcpus online", "cpus online"},
	{"nrcpus avail", "cpus available"},
	{"cpudesc", "cpudesc"},
	{"cpuid", "cpuid"},
	{"total memory", "total memory kB"},
	{"cmdline", "cmdline"},
	{"pmu mappings", "pmu mappings"},
};

/* "TITLE : VALUE", with any number of blanks around the colon. */
static bool
split(struct cr_str line, struct cr_str *title, struct cr_str *value)
{
	const char *colon = line.len ? memchr(line.p, ':', line.len) : NULL;

	if (!colon)
		return false;
	*title = cr_scan_trim((struct cr_str){line.p, (uint32_t)(colon - line.p)});
	*value =
		cr_scan_trim((struct cr_str){colon + 1, (uint32_t)(line.p + line.len - colon - 1)});
	return value->len;
}

/* The text after `key` up to the next comma. */
static struct cr_str
value_of(struct cr_str attrs, const char *key)
{
	const char *p = memmem(attrs.p, attrs.len, key, strlen(key)), *comma;

	if (!p)
		return (struct cr_str){0};
	p += strlen(key);
	comma = memchr(p, ',', (size_t)(attrs.p + attrs.len - p));
	return cr_scan_trim(
		(struct cr_str){p, (uint32_t)((comma ? comma : attrs.p + attrs.len) - p)});
}

/* "name = cycles, , id = { 1, 2 }, type = 0, ...": the attributes after the name. */
static void
event_facts(struct cr_str attrs, struct cr_text *all, struct cr_text *sampling)
{
	const struct cr_str name = value_of(attrs, "name = ");
	const struct cr_str rate = value_of(attrs, "{ sample_period, sample_freq } = ");
	struct cr_str rest = attrs;

	if (name.len) {
		rest.p = name.p + name.len;
		rest.len = (uint32_t)(attrs.p + attrs.len - rest.p);
	}
	while (rest.len && (rest.p[0] == ',' || rest.p[0] == ' ')) {
		rest.p++;
		rest.len--;
	}
	if (cr_perf_fact_room(all)) {
		cr_text_safe(all, name);
		cr_text_puts(all, ": ");
		cr_text_safe(all, rest);
		cr_text_char(all, '\n');
	}
	if (sampling->len || !rate.len)
		return;
	if (!cr_str_eq(value_of(attrs, " freq = "), CR_STR("1")))
		cr_text_puts(sampling, "every ");
	cr_text_safe(sampling, rate);
	if (cr_str_eq(value_of(attrs, " freq = "), CR_STR("1")))
		cr_text_puts(sampling, " Hz");
}

static void
line_fact(struct cr_str title, struct cr_str value, struct cr_builder *b)
{
	if (cr_str_eq(title, CR_STR("total memory")) && cr_str_ends(value, " kB"))
		value.len -= 3;
	for (size_t i = 0; i < CR_LEN(titles); i++)
		if (cr_str_eq(title, cr_str_of(titles[i].title)))
			cr_builder_fact(b, titles[i].fact, value);
}

bool
cr_perf_script_is_fact(struct cr_str line)
{
	struct cr_str title, value;

	if (line.len == 0 || !split((struct cr_str){line.p + 1, line.len - 1}, &title, &value))
		return false;
	for (size_t i = 0; i < CR_LEN(titles); i++)
		if (cr_str_eq(title, cr_str_of(titles[i].title)))
			return true;
	return cr_str_eq(title, CR_STR("event"));
}

void
cr_perf_script_facts(const char *p, size_t len, struct cr_builder *b)
{
	struct cr_text events = {0}, sampling = {0};
	struct cr_str line, title, value;
	struct cr_scan scan;

	cr_scan_init(&scan, p, len);
	while (cr_scan_line(&scan, &line) && (line.len == 0 || line.p[0] == '#')) {
		if (line.len == 0 ||
			!split((struct cr_str){line.p + 1, line.len - 1}, &title, &value))
			continue;
		if (cr_str_eq(title, CR_STR("event")))
			event_facts(value, &events, &sampling);
		else
			line_fact(title, value, b);
	}
	cr_perf_fact_put(b, "event attributes", &events);
	cr_perf_fact_put(b, "sampling", &sampling);
}
