#include "base/hash.h"

#include "mappings_p.h"
#include "read/kit/stacks_p.h"

/*
 * Profiles that pprof's libraries write as text: counts of Go (goroutine, threadcreate and others,
 * debug=1), and heap and contention profiles of Go, C++ and Java.
 *
 *	goroutine profile: total 4            heap profile: 2: 1048992 [769: 1061344] @ heap/1048576
 *	2 @ 0x437936 0x446cac                    1: 1048576 [1: 1048576] @ 0x444cb8 0x40677d
 *	#	0x437935	main.f+0x16	/tmp/main.go:8
 *
 *	--- mutex:                               --- heapz 1 ---
 *	cycles/second=2600000000                 format = java
 *	sampling period=1                        resolution = bytes
 *	CYCLES COUNT @ 0x444cb8                  BYTES COUNT @ 0x00000003 0x00000004
 *	                                          0x00000003 com.example.f (source.java:03)
 *
 * An entry is a stack, innermost first. Its names are in the # lines that follow, or at the end of
 * the file; otherwise frames are addresses. Mappings, if any, are at the end. Values are as
 * recorded: pprof scales those of a heap by their sampling probability.
 */
#define VALUES_MAX 4u

/* One of the numbers of an entry. */
struct value {
	struct cr_str name, unit;
	cr_event_id event;
	bool used; /* it has samples */
};

/* The name of an address, from the end of the file. */
struct symbol {
	uint64_t addr;
	struct cr_named named;
};

struct entry {
	bool open;
	uint64_t value[VALUES_MAX];
	bool negative[VALUES_MAX];
	struct cr_str addrs, labels;
	struct cr_named last; /* the last # line, not yet added; name "" if none */
	uint64_t last_addr, last_offset;
};

struct counts {
	struct cr_stacks s;
	struct value value[VALUES_MAX]; /* in the order of the line */
	unsigned n_values;              /* 0 before a header */
	unsigned main;                  /* the main one */
	bool ready;                     /* their events exist */
	struct cr_str unit; /* unit of the first value, if the file names it; otherwise "" */
	struct entry entry;
	struct cr_mappings mappings;
	CR_VEC(struct symbol) symbols;
	struct cr_index symbol_index;
};

/* ---- the end of the file */

static bool
begins_maps(struct cr_str line)
{
	return cr_str_starts(line, "MAPPED_LIBRARIES:") ||
	       cr_str_starts(line, "--- Memory map: ---");
}

/* "com.example.f (source.java:03)", "f (/lib/libc.so)", "GC" */
static void
symbol_parse(struct cr_str s, struct cr_named *out)
{
	const char *open = s.len ? memrchr(s.p, '(', s.len) : NULL;

	*out = (struct cr_named){.name = s, .file = CR_STR("")};
	if (!open || open == s.p || open[-1] != ' ' || s.p[s.len - 1] != ')')
		return;
	out->name = cr_scan_trim(cr_str_to(s, open));
	out->file = cr_str_to(cr_str_from(s, open + 1), s.p + s.len - 1);
	cr_scan_source_line(&out->file, &out->line);
}

static const struct symbol *
symbol_find(const struct counts *c, uint64_t addr)
{
	const uint64_t h = cr_hash_mix(addr, 0);
	uint32_t row;

	cr_index_each(&c->symbol_index, h, row)
		if (c->symbols.p[row].addr == addr)
			return &c->symbols.p[row];
	return NULL;
}

/* "0x00000003 com.example.f (source.java:03)" */
static bool
symbol_line(struct cr_str line, struct symbol *out)
{
	struct cr_str rest = line;

	if (!cr_str_starts(line, "0x") || !cr_scan_hex(cr_scan_word(&rest), &out->addr))
		return false;
	symbol_parse(cr_scan_trim(rest), &out->named);
	return out->named.name.len > 0;
}

static void
symbol_add(struct counts *c, struct cr_str line)
{
	struct symbol new;

	if (!symbol_line(line, &new) || symbol_find(c, new.addr))
		return;
	new.named.name = cr_builder_shared(c->s.b, new.named.name);
	new.named.file = cr_builder_shared(c->s.b, new.named.file);
	cr_index_add(&c->symbol_index, cr_hash_mix(new.addr, 0), (uint32_t)c->symbols.n);
	cr_vec_push(&c->symbols, new);
}

/* Names and mappings are at the end, but needed first. */
static void
read_end(struct counts *c, struct cr_scan scan)
{
	bool in_maps = false;
	struct cr_str line, s;

	while (cr_scan_line(&scan, &line)) {
		s = cr_scan_trim(line);
		if (begins_maps(s))
			in_maps = true;
		else if (in_maps)
			cr_mappings_line(&c->mappings, c->s.b, s);
		else
			symbol_add(c, s);
	}
}

/* ---- entries */

/* Create the events at the first entry, when it is known what entries count. */
static void
events_make(struct counts *c)
{
	const struct cr_str unit = c->unit;
	struct cr_builder *b = c->s.b;

	for (unsigned i = 0; i < c->n_values; i++) {
		if (i == 0 && unit.len)
			c->value[i].unit = unit;
		c->value[i].event = cr_builder_event(b, c->value[i].name, c->value[i].unit);
	}
	c->ready = true;
}

static cr_event_id
negative_event(struct counts *c, const struct value *v)
{
	struct cr_text t = {0};
	cr_event_id event;

	cr_text_puts(&t, "negative");
	if (v != &c->value[c->main]) {
		cr_text_char(&t, ' ');
		cr_text_str(&t, v->name);
	}
	event = cr_builder_event(c->s.b, cr_text_view(&t), v->unit);
	cr_text_fini(&t);
	return event;
}

/* Several labels "k":"v" in braces, separated by commas: each is a field of the last sample. */
static void
report_labels(struct counts *c)
{
	struct cr_str part[2] = {{0}};
	unsigned n = 0;
	const struct cr_str s = c->entry.labels;

	for (uint32_t i = 0; i < s.len; i++) {
		uint32_t end = i + 1;

		if (s.p[i] != '"')
			continue;
		while (end < s.len && s.p[end] != '"')
			end += s.p[end] == '\\' ? 2 : 1;
		if (end >= s.len)
			return;
		part[n++ % 2] = (struct cr_str){s.p + i + 1, end - i - 1};
		if (n % 2 == 0)
			cr_builder_value(c->s.b,
				cr_builder_field(c->s.b, c->s.event, part[0], CR_FORM_TEXT),
				cr_builder_text(c->s.b, part[1]));
		i = end;
	}
}

static void
push_address(struct counts *c, uint64_t addr)
{
	const struct symbol *known = symbol_find(c, addr);
	const struct cr_mapping *m = cr_mappings_find(&c->mappings, addr);

	if (known)
		cr_stacks_frame_at(&c->s, m ? m->dso : CR_DSO_UNKNOWN, 0, &known->named);
	else
		cr_stacks_location(&c->s, cr_mapping_nameless(c->s.b, m, addr));
}

/* Add the last # line as a frame, or as inlined into the next one. */
static void
last_end(struct counts *c, bool inlined)
{
	struct entry *e = &c->entry;
	const struct cr_mapping *m = cr_mappings_find(&c->mappings, e->last_addr);

	if (e->last.name.len == 0)
		return;
	if (inlined)
		cr_stacks_inlined(&c->s, &e->last);
	else
		cr_stacks_frame_at(&c->s, m ? m->dso : CR_DSO_UNKNOWN, e->last_offset, &e->last);
	e->last.name.len = 0;
}

static void
entry_end(struct counts *c)
{
	struct entry *e = &c->entry;
	struct cr_str addrs = e->addrs, word;
	cr_node_id node;
	bool named;
	uint64_t addr;

	if (!e->open)
		return;
	e->open = false;
	last_end(c, false);
	named = c->s.frames.n > 0;
	while (!named && (word = cr_scan_word(&addrs)).len)
		if (cr_scan_hex(word, &addr))
			push_address(c, addr);
	node = cr_stacks_node_leaf_first(&c->s);
	for (unsigned i = 0; i < c->n_values; i++) {
		if (!e->value[i])
			continue;
		c->value[i].used = true;
		c->s.event = e->negative[i] ? negative_event(c, &c->value[i]) : c->value[i].event;
		cr_stacks_sample(&c->s, node, e->value[i]);
		report_labels(c);
		if (e->negative[i])
			cr_builder_quality(
				c->s.b, CR_STR("samples below zero: an event of their own"), 1);
	}
}

/* Parse the numbers before the @: "1: 416 [4: 1664]". Returns their number. */
static unsigned
values_parse(struct counts *c, struct cr_str s, struct cr_str line, struct entry *out)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < s.len;) {
		struct cr_str digits = {s.p + i, 0};
		bool negative = false;

		if (strchr(" \t:[]", s.p[i]) && s.p[i]) {
			i++;
			continue;
		}
		if (s.p[i] == '-') {
			negative = true;
			digits.p++;
			i++;
		}
		while (i < s.len && s.p[i] >= '0' && s.p[i] <= '9') {
			digits.len++;
			i++;
		}
		if (n == VALUES_MAX || !cr_stacks_count(&c->s, digits, line, &out->value[n]))
			return VALUES_MAX + 1;
		out->negative[n++] = negative;
	}
	return n;
}

static bool
are_addresses(struct cr_str s)
{
	struct cr_str word;
	uint64_t addr;

	while ((word = cr_scan_word(&s)).len)
		if (!cr_str_starts(word, "0x") || !cr_scan_hex(word, &addr))
			return false;
	return true;
}

static void
entry_begin(struct counts *c, struct cr_str line, const char *at)
{
	struct entry new = {.open = true, .last = {.name = CR_STR("")}, .labels = CR_STR("")};

	entry_end(c);
	new.addrs = cr_str_from(line, at + 1);
	if (!c->n_values) {
		cr_stacks_report(&c->s, CR_REASON_BAD_HEADER, line);
	} else if (values_parse(c, cr_str_to(line, at), line, &new) != c->n_values) {
		cr_stacks_report(&c->s, CR_REASON_BAD_COUNT, line);
	} else if (!are_addresses(new.addrs)) {
		cr_stacks_report(&c->s, CR_REASON_BAD_FRAME, line);
	} else {
		if (!c->ready)
			events_make(c);
		c->entry = new;
		cr_stacks_used(&c->s);
	}
}

/* "#\t0x4b7436\tmain.f+0x16\t\t/tmp/main.go:8": tabs align columns. */
static bool
named_parse(struct cr_str line, struct cr_named *out, uint64_t *addr, uint64_t *offset)
{
	struct cr_str rest = cr_str_from(line, line.p + 1);
	const char *tab, *plus;

	*offset = 0;
	*out = (struct cr_named){.file = CR_STR("")};
	if (!cr_scan_hex(cr_scan_word(&rest), addr))
		return false;
	rest = cr_scan_trim(rest);
	tab = rest.len ? memchr(rest.p, '\t', rest.len) : NULL;
	out->name = tab ? cr_str_to(rest, tab) : rest;
	plus = out->name.len ? memrchr(out->name.p, '+', out->name.len) : NULL;
	if (plus && cr_scan_hex(cr_str_from(out->name, plus + 1), offset))
		out->name = cr_str_to(out->name, plus);
	if (tab)
		out->file = cr_scan_trim(cr_str_from(rest, tab));
	cr_scan_source_line(&out->file, &out->line);
	return out->name.len > 0;
}

static void
comment(struct counts *c, struct cr_str line)
{
	static const struct cr_str labels = CR_STR("# labels: ");
	struct entry *e = &c->entry;
	struct cr_named named;
	uint64_t addr, offset;

	cr_stacks_used(&c->s);
	if (cr_str_starts(line, labels.p) && e->open) {
		e->labels = cr_str_from(line, line.p + labels.len);
		return;
	}
	if (!cr_str_starts(line, "#\t0x")) {
		cr_stacks_passed(&c->s); /* statistics of the runtime */
		return;
	}
	if (!e->open) {
		cr_stacks_report(&c->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	} else if (cr_str_eq(line, CR_STR("#\t0x0"))) {
		return; /* the frame of a stack without frames */
	} else if (!named_parse(line, &named, &addr, &offset)) {
		cr_stacks_report(&c->s, CR_REASON_BAD_FRAME, line);
	} else {
		last_end(c, addr == e->last_addr && !cr_str_eq(named.name, e->last.name));
		e->last = named;
		e->last_addr = addr;
		e->last_offset = offset;
	}
}

/* ---- headers */

static void
values_set(struct counts *c, unsigned n, unsigned main, const struct value *value)
{
	entry_end(c);
	memcpy(c->value, value, n * sizeof(*value));
	c->n_values = n;
	c->main = main;
	c->ready = false;
	c->unit = CR_STR("");
}

/* "goroutine profile: total 4" */
static bool
is_count_header(struct cr_str line, struct cr_str *name)
{
	static const char middle[] = " profile: total ";
	const char *at = line.len ? memmem(line.p, line.len, middle, sizeof(middle) - 1) : NULL;
	uint64_t total;

	if (!at || at == line.p)
		return false;
	*name = cr_str_to(line, at);
	return !memchr(name->p, ' ', name->len) && !memchr(name->p, '\t', name->len) &&
	       cr_scan_u64(cr_str_from(line, at + sizeof(middle) - 1), &total);
}

/* "heap profile: 2: 1048992 [769: 1061344] @ heap/1048576" */
static void
heap_header(struct counts *c, struct cr_str line)
{
	static const struct value heap[] = {
		{.name = CR_STR("inuse_objects"), .unit = CR_STR("count")},
		{.name = CR_STR("inuse_space"), .unit = CR_STR("bytes")},
		{.name = CR_STR("alloc_objects"), .unit = CR_STR("count")},
		{.name = CR_STR("alloc_space"), .unit = CR_STR("bytes")},
	};
	const char *at = memchr(line.p, '@', line.len);

	values_set(c, CR_LEN(heap), 1, heap);
	if (at)
		cr_builder_fact(c->s.b, "sampling", cr_scan_trim(cr_str_from(line, at + 1)));
}

static bool
is_contention(struct cr_str line)
{
	return cr_str_starts(line, "--- contentionz ") || cr_str_starts(line, "--- contention:") ||
	       cr_str_starts(line, "--- mutex:");
}

static bool
header(struct counts *c, struct cr_str line)
{
	static const struct value contention[] =
		{
			{.name = CR_STR("delay"), .unit = CR_STR("cycles")},
			{.name = CR_STR("contentions"), .unit = CR_STR("count")},
		},
				  java_heap[] = {
					  {.name = CR_STR("inuse_space"), .unit = CR_STR("bytes")},
					  {.name = CR_STR("inuse_objects"),
						  .unit = CR_STR("count")},
				  };
	struct value count = {.unit = CR_STR("count")};

	if (cr_str_starts(line, "heap profile: "))
		heap_header(c, line);
	else if (is_contention(line))
		values_set(c, CR_LEN(contention), 0, contention);
	else if (cr_str_starts(line, "--- heapz "))
		values_set(c, CR_LEN(java_heap), 0, java_heap);
	else if (is_count_header(line, &count.name))
		values_set(c, 1, 0, &count);
	else
		return false;
	return true;
}

/* "cycles/second=2600000000", "resolution = microseconds" */
static bool
attribute(struct counts *c, struct cr_str line)
{
	static const char *const keys[] = {
		"cycles/second",
		"sampling period",
		"ms since reset",
		"discarded samples",
		"format",
		"resolution",
	};
	const char *equals = line.len ? memchr(line.p, '=', line.len) : NULL;
	struct cr_str key, value;

	if (!equals)
		return false;
	key = cr_scan_trim(cr_str_to(line, equals));
	value = cr_scan_trim(cr_str_from(line, equals + 1));
	for (size_t i = 0; i < CR_LEN(keys); i++) {
		if (!cr_str_eq(key, cr_str_of(keys[i])))
			continue;
		if (cr_str_eq(key, CR_STR("resolution")))
			c->unit = cr_str_eq(value, CR_STR("microseconds")) ? CR_STR("us") : value;
		cr_builder_fact(c->s.b, keys[i], value);
		return true;
	}
	return false;
}

static void
line_read(struct counts *c, struct cr_str line)
{
	const struct cr_str s = cr_scan_trim(line);
	const char *at = s.len ? memmem(s.p, s.len, " @", 2) : NULL;
	struct symbol symbol;

	if (s.len == 0)
		entry_end(c);
	else if (s.p[0] == '#')
		comment(c, s);
	else if (header(c, s) || attribute(c, s))
		cr_stacks_used(&c->s);
	else if (at)
		entry_begin(c, s, at + 1);
	else if (symbol_line(s, &symbol) || cr_str_starts(s, "---"))
		cr_stacks_used(&c->s);
	else if (cr_str_starts(s, "0x"))
		cr_stacks_report(&c->s, CR_REASON_BAD_FRAME, line);
	else
		cr_stacks_report(&c->s, CR_REASON_NOISE, line);
}

/* If the heap is empty, the main event is what was allocated. */
static void
report_main(const struct counts *c)
{
	unsigned main = c->main;

	for (unsigned i = 0; i < c->n_values && !c->value[c->main].used; i++)
		if (c->value[i].used)
			main = i;
	if (c->n_values)
		cr_builder_fact(c->s.b, "main event", c->value[main].name);
}

static int
read_gocount(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct counts c = {0};
	struct cr_str line;
	bool in_maps = false;
	int rc;

	cr_stacks_open_bare(&c.s, in, b, opts);
	read_end(&c, c.s.scan);
	while (cr_stacks_line(&c.s, &line)) {
		const struct cr_str s = cr_scan_trim(line);

		if (begins_maps(s)) {
			in_maps = true;
			cr_stacks_used(&c.s);
		} else if (!in_maps) {
			line_read(&c, line);
		} else if (cr_mappings_is_line(s)) {
			cr_stacks_used(&c.s);
		}
	}
	entry_end(&c);
	report_main(&c);
	rc = cr_stacks_close(&c.s, err);
	cr_vec_fini(&c.symbols);
	cr_index_fini(&c.symbol_index);
	cr_mappings_fini(&c.mappings);
	return rc;
}

static bool
is_gocount(struct cr_str line)
{
	struct cr_str name;

	return is_count_header(line, &name) || is_contention(line) ||
	       cr_str_starts(line, "--- heapz ") ||
	       (cr_str_starts(line, "heap profile: ") && memchr(line.p, '@', line.len));
}

static unsigned
probe_gocount(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_gocount, CR_EVIDENCE_SIGNATURE, 5, line);
}

const struct cr_reader cr_reader_gocount = {
	.name = "gocount",
	.about = "pprof profiles as text (debug=1): goroutines, threads, heap, mutex, block",
	.probe = probe_gocount,
	.read = read_gocount,
};
