#include "model/anonymize.h"

#include "model/build/string_table.h"

#include <stdlib.h>

/* Names of different classes are numbered separately. */
enum name_class {
	CLASS_FUNCTION,
	CLASS_KERNEL,
	CLASS_JIT,
	CLASS_BINARY,
	CLASS_KERNEL_BINARY,
	CLASS_JIT_BINARY,
	CLASS_THREAD,
	CLASS_FILE,
	CLASS_TEXT,
	CLASS_EVENT,
	CLASSES
};

/* What stands before and behind the number. */
static const char *const forms[CLASSES][2] = {
	[CLASS_FUNCTION] = {"function_", ""},
	[CLASS_KERNEL] = {"kernel_", ""},
	[CLASS_JIT] = {"jit_", ""},
	[CLASS_BINARY] = {"binary_", ""},
	[CLASS_KERNEL_BINARY] = {"[kernel_", "]"},
	[CLASS_JIT_BINARY] = {"[jit_", "]"},
	[CLASS_THREAD] = {"thread_", ""},
	[CLASS_FILE] = {"file_", ".c"},
	[CLASS_TEXT] = {"text_", ""},
	[CLASS_EVENT] = {"event_", ""},
};

struct cr_anonymizer {
	struct cr_arena arena;          /* owns the old names and the new ones */
	struct cr_strings old[CLASSES]; /* by class: the names replaced so far */
	CR_VEC(struct cr_str) new[CLASSES];
};

struct cr_anonymizer *
cr_anonymizer_new(void)
{
	return cr_alloc(1, sizeof(struct cr_anonymizer));
}

void
cr_anonymizer_free(struct cr_anonymizer *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < CLASSES; i++) {
		cr_strings_fini(&a->old[i]);
		cr_vec_fini(&a->new[i]);
	}
	cr_arena_fini(&a->arena);
	free(a);
}

/* The new name; "" stays. */
static struct cr_str
replace(struct cr_anonymizer *a, enum name_class c, struct cr_str name)
{
	uint32_t row;

	if (!name.len)
		return name;
	row = cr_strings_intern(&a->old[c], &a->arena, name);
	if (row == a->new[c].n) {
		char text[32];
		const int len =
			snprintf(text, sizeof(text), "%s%u%s", forms[c][0], row + 1, forms[c][1]);

		cr_vec_push(
			&a->new[c], ((struct cr_str){cr_arena_copy(&a->arena, text, (size_t)len),
					    (uint32_t)len}));
	}
	return a->new[c].p[row];
}

/* ---- by kind of name */

/* True for a name that says nothing about the program. */
static bool
is_mark(struct cr_str name)
{
	static const char *const marks[] = {
		"[unknown]", "[truncated]", "[no stack]", "[kernel]", "[jit]", "all", "-"};

	for (size_t i = 0; i < CR_LEN(marks); i++)
		if (cr_str_eq(name, cr_str_of(marks[i])))
			return true;
	return false;
}

static enum name_class
pick(uint8_t kind, enum name_class user, enum name_class kernel, enum name_class jit)
{
	if (cr_kind_is_kernel(kind))
		return kernel;
	return kind == CR_KIND_JIT ? jit : user;
}

static struct cr_str
replace_function(struct cr_anonymizer *a, uint8_t kind, struct cr_str name)
{
	if (is_mark(name))
		return name;
	return replace(a, pick(kind, CLASS_FUNCTION, CLASS_KERNEL, CLASS_JIT), name);
}

static struct cr_str
replace_dso(struct cr_anonymizer *a, uint8_t kind, struct cr_str name)
{
	if (is_mark(name))
		return name;
	return replace(a, pick(kind, CLASS_BINARY, CLASS_KERNEL_BINARY, CLASS_JIT_BINARY), name);
}

/* Probes are named after what they are in; a colon parts a tracepoint's system from its name. */
static struct cr_str
replace_event(struct cr_anonymizer *a, struct cr_str name)
{
	static const char *const probes[] = {"probe", "sdt", "uprobe", "uretprobe", "kprobe"};

	for (size_t i = 0; i < CR_LEN(probes); i++)
		if (cr_str_starts(name, probes[i]))
			return replace(a, CLASS_EVENT, name);
	return memchr(name.len ? name.p : "", '/', name.len) ? replace(a, CLASS_EVENT, name) : name;
}

/* ---- tables of a profile */

/* A copy of a table, which replaces it. */
#define COPY(p, table, n) cr_anonymize_copy(&(p)->arena, (p)->table, (n), sizeof(*(p)->table))

static void *
cr_anonymize_copy(struct cr_arena *arena, const void *from, uint64_t n, size_t size)
{
	void *copy = cr_arena_array(arena, CR_MAX(n, 1), size);

	if (n)
		memcpy(copy, from, (size_t)n * size);
	return copy;
}

static void
functions_replace(struct cr_anonymizer *a, struct cr_profile *p)
{
	struct cr_function *functions = COPY(p, functions, p->n_functions);
	struct cr_line *lines = COPY(p, lines, p->n_lines);

	for (uint32_t i = 0; i < p->n_functions; i++) {
		struct cr_function *f = &functions[i];

		f->name = replace_function(a, p->dsos[f->dso.i].kind, f->name);
		f->linkage = CR_STR("");
		f->file = replace(a, CLASS_FILE, f->file);
		f->line = 0;
		if (f->addr != CR_ADDR_INLINED)
			f->addr = 0;
	}
	for (uint32_t i = 0; i < p->n_lines; i++)
		lines[i].file = replace(a, CLASS_FILE, lines[i].file);
	p->functions = functions;
	p->lines = lines;
}

/* Remove all addresses. Locations of one function then differ by nothing but their row. */
static void
addresses_remove(struct cr_profile *p)
{
	struct cr_location *locations = COPY(p, locations, p->n_locations);

	for (uint32_t i = 0; i < p->n_locations; i++)
		locations[i].addr = 0;
	p->locations = locations;
	p->n_maps = 0;
	p->n_threads = 0;
	p->n_codes = 0;
	p->n_source_lines = 0;
	p->flags &= ~(uint32_t)(CR_PROFILE_HAS_ADDR | CR_PROFILE_SYMBOL_NAMES);
}

static void
dsos_replace(struct cr_anonymizer *a, struct cr_profile *p)
{
	struct cr_dso *dsos = COPY(p, dsos, p->n_dsos);

	for (uint32_t i = 0; i < p->n_dsos; i++) {
		dsos[i].name = replace_dso(a, dsos[i].kind, dsos[i].name);
		dsos[i].build_id_len = 0;
		memset(dsos[i].build_id, 0, sizeof(dsos[i].build_id));
	}
	p->dsos = dsos;
}

static void
tasks_replace(struct cr_anonymizer *a, struct cr_profile *p)
{
	struct cr_task *tasks = COPY(p, tasks, p->n_tasks);
	struct cr_event *events = COPY(p, events, p->n_events);

	for (uint32_t i = 0; i < p->n_tasks; i++)
		tasks[i].comm = replace(a, CLASS_THREAD, tasks[i].comm);
	for (uint32_t i = 0; i < p->n_events; i++)
		events[i].name = replace_event(a, events[i].name);
	p->tasks = tasks;
	p->events = events;
}

static void
fields_replace(struct cr_anonymizer *a, struct cr_profile *p)
{
	struct cr_field *fields = COPY(p, fields, p->n_fields);
	struct cr_str *texts = COPY(p, texts, p->n_texts);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_fields; i++)
		if (fields[i].form != CR_FORM_HEX)
			fields[n++] = fields[i];
	for (uint32_t i = 0; i < p->n_texts; i++)
		texts[i] = replace(a, CLASS_TEXT, texts[i]);
	p->fields = fields;
	p->n_fields = n;
	p->texts = texts;
}

/* Facts without names stay; what is missing is cut where names begin, after a colon. */
static void
facts_replace(struct cr_anonymizer *a, struct cr_profile *p)
{
	static const char *const harmless[] = {"arch", "duration_ns", "sampling", "call graph",
		"main event", "nrcpus", "perf version", "source format"};
	struct cr_fact *facts = COPY(p, facts, p->n_facts);
	struct cr_quality *quality = COPY(p, quality, p->n_quality);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_facts; i++)
		for (size_t k = 0; k < CR_LEN(harmless); k++)
			if (cr_str_eq(facts[i].key, cr_str_of(harmless[k])))
				facts[n++] = facts[i];
	for (uint32_t i = 0; i < n; i++)
		if (cr_str_eq(facts[i].key, CR_STR("main event")))
			facts[i].value = replace_event(a, facts[i].value);
	for (uint32_t i = 0; i < p->n_quality; i++) {
		const struct cr_str what = quality[i].what;
		const char *colon = memchr(what.len ? what.p : "", ':', what.len);

		if (colon)
			quality[i].what = cr_str_to(what, colon);
	}
	p->facts = facts;
	p->n_facts = n;
	p->quality = quality;
}

void
cr_anonymize_profile(struct cr_anonymizer *a, struct cr_profile *p)
{
	functions_replace(a, p); /* needs the kinds of the dsos */
	addresses_remove(p);
	dsos_replace(a, p);
	tasks_replace(a, p);
	fields_replace(a, p);
	facts_replace(a, p);
	p->default_tree = NULL;
}

/* ---- a tree */

static struct cr_str
frame_name(struct cr_anonymizer *a, const struct cr_frame *f)
{
	if (f->group == CR_GROUP_PID || f->group == CR_GROUP_TID || f->group == CR_GROUP_CPU)
		return f->name; /* a number */
	if (f->group == CR_GROUP_EVENT)
		return replace_event(a, f->name);
	if (f->group == CR_GROUP_FIELD)
		return replace(a, CLASS_TEXT, f->name);
	if (f->group == CR_GROUP_DSO)
		return replace_dso(a, CR_KIND_USER, f->name);
	if (cr_frame_is_group(f))
		return is_mark(f->name) ? f->name : replace(a, CLASS_THREAD, f->name);
	return replace_function(a, f->kind, f->name);
}

void
cr_anonymize_tree(struct cr_anonymizer *a, struct cr_tree *t)
{
	struct cr_frame *frames =
		cr_anonymize_copy(&t->arena, t->frames, t->n_frames, sizeof(*frames));

	for (uint32_t i = 0; i < t->n_frames; i++) {
		struct cr_frame *f = &frames[i];

		f->name = frame_name(a, f);
		f->linkage = CR_STR("");
		f->dso = replace_dso(a, f->kind, f->dso);
		f->file = replace(a, CLASS_FILE, f->file);
		if (!f->group)
			f->number = 0;
	}
	t->event = replace_event(a, t->event);
	t->frames = frames;
}
