#include "model/profile.h"

#include "base/text.h"

/* Facts with a fixed position: first the main ones, then those that begin the rest. */
static const struct {
	const char *key;
	bool rest;
} order[] = {
	{"source", false},
	{"source format", false},
	{"date", false},
	{"duration_ns", false},
	{"hostname", false},
	{"osrelease", false},
	{"arch", false},
	{"cpudesc", false},
	{"cpus online", false},
	{"cpus available", false},
	{"total memory kB", false},
	{"perf version", false},
	{"cmdline", false},
	{"sampling", false},
	{"call graph", false},
	{"events without samples", false},
	{"event attributes", true},
	{"event groups", true},
};

bool
cr_fact_tag(const struct cr_fact *f, struct cr_str *key)
{
	if (!cr_str_starts(f->key, CR_FACT_TAG))
		return false;
	*key = cr_str_from(f->key, f->key.p + strlen(CR_FACT_TAG));
	return true;
}

static bool
is_users(const struct cr_fact *f)
{
	struct cr_str key;

	return cr_fact_tag(f, &key) || cr_str_eq(f->key, CR_STR("note"));
}

static bool
is_private(const struct cr_fact *f)
{
	return cr_str_starts(f->key, CR_FACT_BOOKMARK) || cr_str_eq(f->key, CR_STR("source key")) ||
	       cr_str_eq(f->key, CR_STR("merge inputs")) || cr_str_starts(f->key, "fleet ");
}

bool
cr_fact_is_shown(const struct cr_fact *f)
{
	return !is_private(f) && !is_users(f);
}

static void
put_lines(struct cr_str value, size_t indent, struct cr_text *out)
{
	while (value.len) {
		const char *end = memchr(value.p, '\n', value.len);
		const uint32_t len = end ? (uint32_t)(end - value.p) : value.len;

		cr_text_pad(out, ' ', indent);
		cr_text_safe(out, (struct cr_str){value.p, len});
		cr_text_char(out, '\n');
		value.p += len + (end != NULL);
		value.len -= len + (end != NULL);
	}
}

static void
put_duration(struct cr_str value, struct cr_text *out)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < value.len && i < 19; i++)
		ns = ns * 10 + (uint64_t)(value.p[i] - '0');
	cr_text_duration(out, ns);
}

static void
put_fact(const struct cr_fact *f, size_t indent, struct cr_text *out)
{
	const bool is_duration = cr_str_eq(f->key, CR_STR("duration_ns"));

	cr_text_pad(out, ' ', indent);
	cr_text_safe(out, is_duration ? CR_STR("duration") : f->key);
	if (cr_str_ends(f->value, "\n")) {
		cr_text_puts(out, ":\n");
		put_lines(f->value, indent + 2, out);
		return;
	}
	cr_text_puts(out, ": ");
	if (is_duration)
		put_duration(f->value, out);
	else
		cr_text_safe(out, f->value);
	cr_text_char(out, '\n');
}

/* Print "tag: KEY=VALUE", and the note; a note of several lines follows its key. */
static void
put_users(const struct cr_profile *p, size_t indent, struct cr_text *out)
{
	const struct cr_str note = cr_profile_fact(p, "note");
	const bool is_lines = note.len && memchr(note.p, '\n', note.len);

	for (uint32_t i = 0; i < p->n_facts; i++) {
		struct cr_str key;

		if (!cr_fact_tag(&p->facts[i], &key))
			continue;
		cr_text_pad(out, ' ', indent);
		cr_text_puts(out, "tag: ");
		cr_text_safe(out, key);
		cr_text_char(out, '=');
		cr_text_safe(out, p->facts[i].value);
		cr_text_char(out, '\n');
	}
	if (!note.len)
		return;
	cr_text_pad(out, ' ', indent);
	cr_text_puts(out, is_lines ? "note:\n" : "note: ");
	put_lines(note, is_lines ? indent + 2 : 0, out);
}

static void
put_ordered(const struct cr_profile *p, bool rest, size_t indent, struct cr_text *out)
{
	for (size_t i = 0; i < CR_LEN(order); i++)
		for (uint32_t k = 0; k < p->n_facts && order[i].rest == rest; k++)
			if (cr_str_eq(p->facts[k].key, cr_str_of(order[i].key)))
				put_fact(&p->facts[k], indent, out);
}

static bool
is_ordered(const struct cr_fact *f)
{
	for (size_t i = 0; i < CR_LEN(order); i++)
		if (cr_str_eq(f->key, cr_str_of(order[i].key)))
			return true;
	return false;
}

void
cr_facts_main(const struct cr_profile *p, size_t indent, struct cr_text *out)
{
	put_ordered(p, false, indent, out);
	put_users(p, indent, out);
}

void
cr_facts_rest(const struct cr_profile *p, size_t indent, struct cr_text *out)
{
	put_ordered(p, true, indent, out);
	for (uint32_t i = 0; i < p->n_facts; i++)
		if (cr_fact_is_shown(&p->facts[i]) && !is_ordered(&p->facts[i]))
			put_fact(&p->facts[i], indent, out);
}
