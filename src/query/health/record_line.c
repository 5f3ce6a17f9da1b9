#include "query/health/record_line.h"

/*
 * perf-record(1) of Linux 6.1, with additions up to 6.12. A missing option without a value is
 * harmless; one with a value makes the line not understood.
 */
enum { ARG_NONE, ARG_MUST, ARG_MAY };

static const struct option {
	const char *name;
	char letter;
	char arg; /* ARG_MAY takes a value only from the same word */
	enum cr_record_option option;
} options[] = {
	{"affinity", 0, ARG_MUST, CR_RECORD_OTHER},
	{"aio", 0, ARG_MAY, CR_RECORD_OTHER},
	{"all-cgroups", 0, ARG_NONE, CR_RECORD_OTHER},
	{"all-cpus", 'a', ARG_NONE, CR_RECORD_ALL_CPUS},
	{"all-kernel", 0, ARG_NONE, CR_RECORD_OTHER},
	{"all-user", 0, ARG_NONE, CR_RECORD_OTHER},
	{"aux-sample", 0, ARG_MAY, CR_RECORD_OTHER},
	{"branch-any", 'b', ARG_NONE, CR_RECORD_OTHER},
	{"branch-filter", 'j', ARG_MUST, CR_RECORD_OTHER},
	{"buildid-all", 0, ARG_NONE, CR_RECORD_OTHER},
	{"buildid-mmap", 0, ARG_NONE, CR_RECORD_BUILD_IDS},
	{"call-graph", 0, ARG_MUST, CR_RECORD_CALL_GRAPH},
	{"cgroup", 'G', ARG_MUST, CR_RECORD_OTHER},
	{"clang-opt", 0, ARG_MUST, CR_RECORD_OTHER},
	{"clang-path", 0, ARG_MUST, CR_RECORD_OTHER},
	{"clockid", 'k', ARG_MUST, CR_RECORD_CLOCK},
	{"code-page-size", 0, ARG_NONE, CR_RECORD_OTHER},
	{"compression-level", 'z', ARG_MAY, CR_RECORD_COMPRESS},
	{"control", 0, ARG_MUST, CR_RECORD_OTHER},
	{"count", 'c', ARG_MUST, CR_RECORD_COUNT},
	{"cpu", 'C', ARG_MUST, CR_RECORD_CPU},
	{"data", 'd', ARG_NONE, CR_RECORD_OTHER},
	{"data-page-size", 0, ARG_NONE, CR_RECORD_OTHER},
	{"debuginfod", 0, ARG_MAY, CR_RECORD_OTHER},
	{"delay", 'D', ARG_MUST, CR_RECORD_OTHER},
	{"dry-run", 0, ARG_NONE, CR_RECORD_OTHER},
	{"event", 'e', ARG_MUST, CR_RECORD_OTHER},
	{"exclude-perf", 0, ARG_NONE, CR_RECORD_OTHER},
	{"filter", 0, ARG_MUST, CR_RECORD_OTHER},
	{"freq", 'F', ARG_MUST, CR_RECORD_FREQ},
	{"group", 0, ARG_NONE, CR_RECORD_OTHER},
	{"intr-regs", 'I', ARG_MAY, CR_RECORD_OTHER},
	{"kcore", 0, ARG_NONE, CR_RECORD_OTHER},
	{"kernel-callchains", 0, ARG_NONE, CR_RECORD_OTHER},
	{"latency", 0, ARG_NONE, CR_RECORD_OTHER},
	{"max-size", 0, ARG_MUST, CR_RECORD_OTHER},
	{"mmap-flush", 0, ARG_MUST, CR_RECORD_OTHER},
	{"mmap-pages", 'm', ARG_MUST, CR_RECORD_MMAP},
	{"namespaces", 0, ARG_NONE, CR_RECORD_OTHER},
	{"no-bpf-event", 0, ARG_NONE, CR_RECORD_OTHER},
	{"no-buffering", 0, ARG_NONE, CR_RECORD_OTHER},
	{"no-buildid", 'B', ARG_NONE, CR_RECORD_NO_BUILD_ID},
	{"no-buildid-cache", 'N', ARG_NONE, CR_RECORD_OTHER},
	{"no-inherit", 'i', ARG_NONE, CR_RECORD_OTHER},
	{"no-samples", 'n', ARG_NONE, CR_RECORD_OTHER},
	{"num-thread-synthesize", 0, ARG_MUST, CR_RECORD_OTHER},
	{"off-cpu", 0, ARG_NONE, CR_RECORD_OTHER},
	{"off-cpu-thresh", 0, ARG_MUST, CR_RECORD_OTHER},
	{"output", 'o', ARG_MUST, CR_RECORD_OUTPUT},
	{"overwrite", 0, ARG_NONE, CR_RECORD_OTHER},
	{"per-thread", 0, ARG_NONE, CR_RECORD_OTHER},
	{"period", 'P', ARG_NONE, CR_RECORD_OTHER},
	{"pfm-events", 0, ARG_MUST, CR_RECORD_OTHER},
	{"phys-data", 0, ARG_NONE, CR_RECORD_OTHER},
	{"pid", 'p', ARG_MUST, CR_RECORD_TARGET},
	{"proc-map-timeout", 0, ARG_MUST, CR_RECORD_OTHER},
	{"quiet", 'q', ARG_NONE, CR_RECORD_OTHER},
	{"raw-samples", 'R', ARG_NONE, CR_RECORD_OTHER},
	{"realtime", 'r', ARG_MUST, CR_RECORD_OTHER},
	{"running-time", 0, ARG_NONE, CR_RECORD_OTHER},
	{"sample-cpu", 0, ARG_NONE, CR_RECORD_OTHER},
	{"sample-identifier", 0, ARG_NONE, CR_RECORD_OTHER},
	{"setup-filter", 0, ARG_MUST, CR_RECORD_OTHER},
	{"snapshot", 'S', ARG_MAY, CR_RECORD_OTHER},
	{"stat", 's', ARG_NONE, CR_RECORD_OTHER},
	{"strict-freq", 0, ARG_NONE, CR_RECORD_OTHER},
	{"switch-events", 0, ARG_NONE, CR_RECORD_OTHER},
	{"switch-max-files", 0, ARG_MUST, CR_RECORD_OTHER},
	{"switch-output", 0, ARG_MAY, CR_RECORD_OTHER},
	{"switch-output-event", 0, ARG_MUST, CR_RECORD_OTHER},
	{"synth", 0, ARG_MUST, CR_RECORD_OTHER},
	{"tail-synthesize", 0, ARG_NONE, CR_RECORD_OTHER},
	{"threads", 0, ARG_MAY, CR_RECORD_OTHER},
	{"tid", 't', ARG_MUST, CR_RECORD_TARGET},
	{"timestamp", 'T', ARG_NONE, CR_RECORD_OTHER},
	{"timestamp-boundary", 0, ARG_NONE, CR_RECORD_OTHER},
	{"timestamp-filename", 0, ARG_NONE, CR_RECORD_OTHER},
	{"transaction", 0, ARG_NONE, CR_RECORD_OTHER},
	{"uid", 'u', ARG_MUST, CR_RECORD_TARGET},
	{"user-callchains", 0, ARG_NONE, CR_RECORD_OTHER},
	{"user-regs", 0, ARG_MAY, CR_RECORD_OTHER},
	{"verbose", 'v', ARG_NONE, CR_RECORD_OTHER},
	{"vmlinux", 0, ARG_MUST, CR_RECORD_OTHER},
	{"weight", 'W', ARG_NONE, CR_RECORD_OTHER},
	{"", 'g', ARG_NONE, CR_RECORD_CALL_GRAPH},
};

static struct cr_str
tail(struct cr_str s, uint32_t from)
{
	return (struct cr_str){s.p + from, s.len - from};
}

/*
 * The next word of the line including quotes, "" at the end. An escaped quote does not end the
 * word.
 */
static struct cr_str
next_word(struct cr_str *rest)
{
	struct cr_str word;
	bool quoted = false;
	uint32_t n = 0;

	while (rest->len && rest->p[0] == ' ')
		*rest = tail(*rest, 1);
	for (; n < rest->len && (quoted || rest->p[n] != ' '); n++) {
		if (!quoted && rest->p[n] == '\\' && n + 1 < rest->len)
			n++;
		else if (rest->p[n] == '\'')
			quoted = !quoted;
	}
	word = (struct cr_str){rest->p, n};
	*rest = tail(*rest, n);
	return word;
}

/* Remove the quotes around a whole word. */
static struct cr_str
unquoted(struct cr_str w)
{
	const struct cr_str inner = {w.p + 1, w.len < 2 ? 0 : w.len - 2};

	if (w.len < 2 || w.p[0] != '\'' || w.p[w.len - 1] != '\'' ||
		memchr(inner.p, '\'', inner.len))
		return w;
	return inner;
}

static const struct option *
by_letter(char letter)
{
	for (size_t i = 0; i < CR_LEN(options); i++)
		if (options[i].letter == letter)
			return &options[i];
	return NULL;
}

/* By name or, like perf, by a unique prefix. */
static const struct option *
by_name(struct cr_str name)
{
	const struct option *found = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < CR_LEN(options); i++) {
		const struct cr_str full = cr_str_of(options[i].name);

		if (name.len && cr_str_eq(full, name))
			return &options[i];
		if (name.len && full.len > name.len && memcmp(full.p, name.p, name.len) == 0) {
			found = &options[i];
			n++;
		}
	}
	return n == 1 ? found : NULL;
}

static bool
parse_long(struct cr_str word, struct cr_str *rest, struct cr_record_word *w)
{
	const char *equals = memchr(word.p, '=', word.len);
	const struct option *o;

	w->name = equals ? (struct cr_str){word.p, (uint32_t)(equals - word.p)} : word;
	w->glued = equals != NULL;
	if (equals)
		w->value = tail(word, (uint32_t)(equals + 1 - word.p));
	o = by_name(w->name);
	if (o)
		w->option = o->option;
	if (!o && !equals)
		return cr_str_starts(w->name, "no-"); /* a negated option has no value */
	if (o && o->arg == ARG_MUST && !equals) {
		w->value = next_word(rest);
		w->quoted = false; /* the next word has its own quotes */
	}
	return true;
}

/* "-ag", "-F99", "-agF 99": letters up to one that takes the rest of the word, or the next word. */
static bool
parse_letters(struct cr_str word, struct cr_str *rest, struct cr_record_line *line, bool quoted)
{
	for (uint32_t i = 0; i < word.len; i++) {
		const struct option *o = by_letter(word.p[i]);
		struct cr_record_word w = {.letter = word.p[i], .name = CR_STR("")};

		if (!o)
			return false;
		w.option = o->option;
		if (o->arg != ARG_NONE && i + 1 < word.len) {
			w.value = tail(word, i + 1);
			w.glued = o->arg == ARG_MAY;
			w.quoted = quoted;
		} else if (o->arg == ARG_MUST) {
			w.value = next_word(rest);
		}
		cr_vec_push(&line->words, w);
		if (w.value.len)
			break;
	}
	return true;
}

static bool
parse_option(struct cr_str raw, struct cr_str *rest, struct cr_record_line *line)
{
	const struct cr_str word = unquoted(raw);
	const bool quoted = word.p != raw.p;
	struct cr_record_word w = {.quoted = quoted};

	if (!cr_str_starts(word, "--"))
		return parse_letters(tail(word, 1), rest, line, quoted);
	if (!parse_long(tail(word, 2), rest, &w))
		return false;
	cr_vec_push(&line->words, w);
	return true;
}

/* Skip "perf", options of perf itself, "record". */
static bool
skip_to_options(struct cr_str *rest)
{
	struct cr_str word = cr_str_basename(next_word(rest));

	if (!cr_str_starts(word, "perf"))
		return false;
	do
		word = next_word(rest);
	while (cr_str_starts(word, "--"));
	return cr_str_eq(word, CR_STR("record"));
}

void
cr_record_line_parse(struct cr_str cmdline, struct cr_record_line *out)
{
	struct cr_str rest = cmdline;

	*out = (struct cr_record_line){.command = CR_STR("")};
	if (!skip_to_options(&rest))
		return;
	for (;;) {
		const struct cr_str before = rest, word = next_word(&rest), bare = unquoted(word);

		if (bare.len < 2 || bare.p[0] != '-' || cr_str_eq(bare, CR_STR("--"))) {
			out->command =
				word.len ? tail(before, (uint32_t)(word.p - before.p)) : CR_STR("");
			out->understood = true;
			return;
		}
		if (!parse_option(word, &rest, out))
			return;
	}
}

void
cr_record_line_fini(struct cr_record_line *line)
{
	cr_vec_fini(&line->words);
}

const struct cr_record_word *
cr_record_line_find(const struct cr_record_line *line, enum cr_record_option option)
{
	for (size_t i = line->words.n; i; i--)
		if (line->words.p[i - 1].option == option)
			return &line->words.p[i - 1];
	return NULL;
}

static bool
same_word(const struct cr_record_word *a, const struct cr_record_word *b)
{
	return a->letter == b->letter && cr_str_eq(a->name, b->name) &&
	       cr_str_eq(a->value, b->value);
}

/* The next word from *at on that is not the name of the output; NULL at the end. */
static const struct cr_record_word *
next_kept(const struct cr_record_line *line, size_t *at)
{
	while (*at < line->words.n) {
		const struct cr_record_word *w = &line->words.p[(*at)++];

		if (w->option != CR_RECORD_OUTPUT)
			return w;
	}
	return NULL;
}

static bool
same_but_output(const struct cr_record_line *a, const struct cr_record_line *b)
{
	size_t i = 0, k = 0;

	if (!a->understood || !b->understood || !cr_str_eq(a->command, b->command))
		return false;
	for (;;) {
		const struct cr_record_word *x = next_kept(a, &i), *y = next_kept(b, &k);

		if (!x || !y)
			return x == y;
		if (!same_word(x, y))
			return false;
	}
}

bool
cr_record_line_same(struct cr_str a, struct cr_str b)
{
	struct cr_record_line la, lb;
	bool same;

	if (cr_str_eq(a, b))
		return true;
	cr_record_line_parse(a, &la);
	cr_record_line_parse(b, &lb);
	same = same_but_output(&la, &lb);
	cr_record_line_fini(&la);
	cr_record_line_fini(&lb);
	return same;
}

void
cr_record_word_put(const struct cr_record_word *w, struct cr_text *out)
{
	const char *quote = w->quoted ? "'" : "";

	if (w->letter)
		cr_text_printf(out, "-%c", w->letter);
	else
		cr_text_printf(out, "--%.*s", (int)w->name.len, w->name.p);
	if (!w->value.len)
		return;
	if (w->glued)
		cr_text_puts(out, w->letter ? "" : "=");
	else
		cr_text_char(out, ' ');
	cr_text_puts(out, quote);
	cr_text_str(out, w->value);
	cr_text_puts(out, quote);
}
