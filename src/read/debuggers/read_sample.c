#include "base/hash.h"
#include "base/text.h"
#include "model/build/tidy.h"
#include "read/kit/line_pattern_p.h"
#include "read/kit/stacks_p.h"

/*
 * Output of sample(1) of macOS: a call tree, callers above callees, with the number of samples in
 * each function and below it.
 *
 *	Analysis of sampling app (pid 64751) every 1 millisecond
 *	Call graph:
 *	    10 Thread_8749954   DispatchQueue_1: com.apple.main-thread  (serial)
 *	    + 10 start  (in libdyld.dylib) + 1  [0x7fff6c9b93d5]
 *	    +   8 main  (in app) + 10  [0x103747]  main.c:3
 *	    +   ! 5 leaf  (in app) + 22,30  [0x10374,0x1037c]
 *	    5 Thread_8749955: worker
 *	Total number in stack (recursive counted multiple, when >=5):
 *
 * A level is two columns wide. The self count of a row is its count minus those of its children.
 * Samples in functions in which threads wait are an event of their own, "waiting".
 */

#define GRAPH_INDENT 4u

struct row {
	cr_node_id node;
	uint64_t count, of_children;
	bool has_children, waits;
};

/* An entry of "Binary Images": the file of a dso in the graph. */
struct image {
	struct cr_str name, path; /* "libfoo.dylib", "/usr/lib/libfoo.dylib" */
	uint8_t uuid[16];
};

struct sample {
	struct cr_stacks s;
	bool in_graph;
	uint64_t graph_line;
	struct cr_str graph;     /* first line of the graph */
	uint64_t skip_below;     /* deeper rows belong to a skipped one; UINT64_MAX if none */
	CR_VEC(struct row) rows; /* the current row and its ancestors, one per level */
	/* Added at the end, since the first sample of a profile determines its main event. */
	CR_VEC(struct cr_sample)
	waiting;
	CR_VEC(struct image) images;
	struct cr_index image_index; /* by name */
	/* Position of the last list read; end of the input if there is no further list. */
	const char *images_at;
	cr_address_space_id space;
	int32_t pid;
	struct cr_str program;
	uint64_t queue; /* of the current thread; cr_form_none() if none */
	struct cr_text name, function;
};

/* ---- the list of images, after the graph */

static bool
read_uuid(struct cr_str text, uint8_t *uuid)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	uint32_t n = 0;

	if (!cr_line_pattern(text, "%x-%x-%x-%x-%x", found))
		return false;
	for (uint32_t i = 0; i < 5; i++)
		for (uint32_t at = 0; at + 1 < found[i].len && n < 16; at += 2) {
			uint64_t byte = 0;

			cr_scan_hex((struct cr_str){found[i].p + at, 2}, &byte);
			uuid[n++] = (uint8_t)byte;
		}
	return n == 16;
}

static const struct image *
image_find(const struct sample *g, struct cr_str name)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t row;

	cr_index_each(&g->image_index, h, row)
		if (cr_str_eq(g->images.p[row].name, name))
			return &g->images.p[row];
	return NULL;
}

/* "  0x103746000 - 0x103a8ffff +rg (0) <UUID> /usr/local/bin/rg" */
static void
read_image(struct sample *g, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	struct image i;

	if (!cr_line_pattern(line, "%_0x%x -%_0x%x %*<%*>%_%*", found) ||
		!read_uuid(found[5], i.uuid))
		return;
	i.path = cr_scan_trim(found[7]);
	i.name = cr_str_basename(i.path);
	if (image_find(g, i.name))
		return;
	cr_index_add(&g->image_index, cr_hash(i.name.p, i.name.len), (uint32_t)g->images.n);
	cr_vec_push(&g->images, i);
}

/* Read the images that follow the current graph. */
static void
read_images(struct sample *g)
{
	const struct cr_str title = CR_STR("\nBinary Images:");
	struct cr_scan scan = g->s.scan;
	struct cr_str line;

	if (g->images_at >= scan.p)
		return;
	g->images_at = memmem(scan.p, (size_t)(scan.end - scan.p), title.p, title.len);
	if (!g->images_at) {
		g->images_at = scan.end;
		return;
	}
	scan.p = g->images_at + title.len;
	cr_scan_line(&scan, &line);
	while (cr_scan_line(&scan, &line) && line.len)
		read_image(g, line);
}

static cr_dso_id
dso_of(struct sample *g, struct cr_str module)
{
	const struct image *i = image_find(g, module);
	struct cr_dso o = {.name = module, .kind = CR_KIND_USER};

	if (module.len == 0 || module.p[0] == '<')
		return CR_DSO_UNKNOWN;
	if (i) {
		o.name = i->path;
		o.build_id_len = sizeof(i->uuid);
		memcpy(o.build_id, i->uuid, sizeof(i->uuid));
	}
	return cr_builder_dso(g->s.b, &o);
}

/* ---- rows of the graph */

/* The parts of a function's row. */
struct frame {
	struct cr_str function, module, file;
	uint64_t addr;
	uint32_t line;
};

/* "name  (in binary) + 12,30  [0x1040,0x1058]  file.c:12" */
static struct frame
read_frame(struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], rest = CR_STR("");
	struct frame f = {.function = text, .module = CR_STR(""), .file = CR_STR("")};

	if (cr_line_pattern(text, "%*  (in %*)%*", found)) {
		f.function = found[0];
		f.module = found[1];
		rest = found[2];
	} else if (cr_line_pattern(text, "%*  [0x%*", found)) {
		f.function = found[0];
		rest = (struct cr_str){found[1].p - 5, found[1].len + 5};
	}
	if (cr_line_pattern(rest, "%*[0x%x%*", found))
		cr_scan_hex(found[1], &f.addr);
	if (cr_line_pattern(rest, " + %d%*", found))
		cr_scan_u64(found[0], &f.addr);
	if (cr_line_pattern(rest, "%*]%_%*", found))
		cr_stacks_source(found[2], &f.file, &f.line);
	return f;
}

/* The name without arguments; names of Objective-C have none, "-[NSString(Category) at:]". */
static struct cr_str
bare_function(struct cr_str name, struct cr_text *room)
{
	const struct cr_str anonymous = CR_STR("(anonymous namespace)");

	if (cr_str_starts(name, "-[") || cr_str_starts(name, "+["))
		return cr_scan_trim(name);
	for (uint32_t i = 0; i < name.len; i++) {
		if (name.p[i] != '(')
			continue;
		if (!cr_tidy_at(name, i, anonymous.p))
			name.len = i;
		else
			i += anonymous.len - 1;
	}
	return cr_tidy_rust(cr_scan_trim(name), room);
}

static bool
is_waiting(struct cr_str function)
{
	static const char *const waits[] = {"__psynch_cvwait", "__select", "__semwait_signal",
		"__ulock_wait", "__wait4", "__workq_kernreturn", "kevent", "mach_msg_trap", "read",
		"semaphore_wait_trap"};

	for (size_t i = 0; i < CR_LEN(waits); i++)
		if (cr_str_eq(function, cr_str_of(waits[i])))
			return true;
	return false;
}

static struct row
function_row(struct sample *g, struct cr_str text, cr_node_id parent)
{
	const struct frame f = read_frame(text);
	const struct cr_str function = bare_function(f.function, &g->function);
	struct cr_str module = f.module;
	struct cr_named named = {.file = f.file, .line = f.line};

	if (cr_str_ends(module, ".dylib"))
		module.len -= 6;
	cr_text_clear(&g->name);
	if (module.len) {
		cr_text_str(&g->name, module);
		cr_text_char(&g->name, '`');
	}
	cr_text_str(&g->name, function.len ? function : CR_STR("-"));
	named.name = cr_text_view(&g->name);
	return (struct row){
		.node = cr_builder_push(g->s.b, parent,
			cr_builder_named_at(g->s.b, dso_of(g, f.module), f.addr, &named, 1)),
		.waits = is_waiting(function),
	};
}

/* "Thread_8749954   DispatchQueue_1: com.apple.main-thread  (serial)", "Thread_8749955: worker" */
static struct row
thread_row(struct sample *g, struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND], rest = text, name = cr_scan_word(&rest),
						    comm = g->program;
	uint64_t tid = 0;

	g->queue = cr_form_none(CR_FORM_TEXT);
	rest = cr_scan_trim(rest);
	if (cr_line_pattern(rest, "DispatchQueue_%d: %*", found))
		g->queue = cr_builder_text(g->s.b, found[1]);
	else if (rest.len)
		comm = rest;
	if (cr_str_ends(name, ":"))
		name.len--;
	if (!cr_line_pattern(name, "Thread_%d", found) || !cr_scan_u64(found[0], &tid) ||
		tid > INT32_MAX)
		tid = (uint64_t)-1;
	g->s.task = cr_builder_task(g->s.b, g->pid, (int32_t)tid, comm, g->space);
	cr_stacks_clear_roots(&g->s);
	cr_stacks_root(&g->s, name);
	return (struct row){.node = cr_builder_push(g->s.b, CR_ROOT, g->s.roots.p[0])};
}

static void
add_sample(struct sample *g, const struct cr_sample *sample)
{
	cr_builder_sample(g->s.b, sample);
	if (g->queue != cr_form_none(CR_FORM_TEXT))
		cr_builder_value(g->s.b,
			cr_builder_field(g->s.b, sample->event, CR_STR("queue"), CR_FORM_TEXT),
			g->queue);
}

/* End the rows below the first n levels. */
static void
end_rows(struct sample *g, size_t n)
{
	while (g->rows.n > n) {
		const struct row *r = &g->rows.p[--g->rows.n];
		struct cr_sample sample = {.node = r->node,
			.task = g->s.task,
			.event = g->s.event,
			.cpu = CR_CPU_NONE};

		if (r->count <= r->of_children)
			continue;
		sample.weight = r->count - r->of_children;
		if (r->waits && !r->has_children)
			cr_vec_push(&g->waiting, sample);
		else
			add_sample(g, &sample);
	}
}

static void
add_row(struct sample *g, size_t depth, uint64_t count, struct cr_str text)
{
	struct row row, *parent;

	end_rows(g, depth);
	if (depth) {
		parent = &g->rows.p[depth - 1];
		parent->has_children = true;
		parent->of_children = cr_add_sat(parent->of_children, count);
		row = function_row(g, text, parent->node);
	} else {
		row = thread_row(g, text);
	}
	row.count = count;
	cr_vec_push(&g->rows, row);
}

static void
skip_row(struct sample *g, enum cr_reason why, size_t depth, struct cr_str line)
{
	cr_stacks_report(&g->s, why, line);
	g->skip_below = depth;
}

/* Width of the tree's lines before the count. */
static uint32_t
guides(struct cr_str line)
{
	uint32_t n = 0;

	while (n < line.len && memchr(" +|:!", line.p[n], 5))
		n++;
	return n;
}

static void
parse_row(struct sample *g, struct cr_str line)
{
	const uint32_t columns = guides(line);
	const size_t depth = columns < GRAPH_INDENT ? 0 : (columns - GRAPH_INDENT) / 2;
	struct cr_str rest = {line.p + columns, line.len - columns};
	const struct cr_str count = cr_scan_word(&rest);
	uint64_t n;

	cr_stacks_used(&g->s);
	if (count.len == 0)
		return; /* only lines of the tree */
	if (depth > g->skip_below) {
		cr_stacks_reported(&g->s);
		return;
	}
	g->skip_below = UINT64_MAX;
	if (columns < GRAPH_INDENT || columns % 2)
		skip_row(g, CR_REASON_ODD_INDENT, depth, line);
	else if (depth > g->rows.n)
		skip_row(g, CR_REASON_SKIPPED_DEPTH, depth, line);
	else if (!cr_stacks_count(&g->s, count, line, &n))
		skip_row(g, CR_REASON_BAD_COUNT, depth, line);
	else
		add_row(g, depth, n, cr_scan_trim(rest));
}

/* ---- text before and after the graph */

static void
parse_preamble(struct sample *g, struct cr_str line)
{
	static const struct {
		const char *title, *fact;
	} facts[] = {
		{"Path:", "executable"},
		{"Date/Time:", "date"},
		{"OS Version:", "osrelease"},
		{"Code Type:", "arch"},
	};
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	uint64_t pid;

	cr_stacks_passed(&g->s);
	for (size_t i = 0; i < CR_LEN(facts); i++)
		if (cr_str_starts(line, facts[i].title)) {
			const uint32_t n = (uint32_t)strlen(facts[i].title);

			cr_builder_fact(g->s.b, facts[i].fact,
				cr_scan_trim((struct cr_str){line.p + n, line.len - n}));
			cr_stacks_used(&g->s);
		}
	if (!cr_line_pattern(line, "Analysis of sampling %* (pid %d) %*", found))
		return;
	cr_stacks_used(&g->s);
	g->program = found[0];
	g->pid = cr_scan_u64(found[1], &pid) && pid <= INT32_MAX ? (int32_t)pid : -1;
	cr_builder_fact(g->s.b, "sampling", found[2]);
}

static void
begin_graph(struct sample *g, struct cr_str line)
{
	g->in_graph = true;
	g->graph = line;
	g->graph_line = g->s.scan.line;
	g->skip_below = UINT64_MAX;
	cr_stacks_used(&g->s);
	read_images(g);
}

static void
end_graph(struct sample *g)
{
	end_rows(g, 0);
	g->in_graph = false;
	cr_stacks_used(&g->s);
}

/* Added last, so that the other event is the first and the default. */
static void
add_waiting(struct sample *g)
{
	if (g->waiting.n == 0)
		return;
	cr_builder_fact(g->s.b, "main event", CR_STR("samples"));
	g->queue = cr_form_none(CR_FORM_TEXT);
	for (size_t i = 0; i < g->waiting.n; i++) {
		g->waiting.p[i].event = cr_builder_event(g->s.b, CR_STR("waiting"), g->s.unit);
		add_sample(g, &g->waiting.p[i]);
	}
}

static int
read_sample(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct sample g = {.pid = -1, .program = CR_STR("")};
	struct cr_str line;

	cr_stacks_open(&g.s, in, b, opts, "samples");
	g.space = cr_builder_address_space(b);
	g.images_at = (const char *)in->p;
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	while (cr_stacks_line(&g.s, &line)) {
		if (cr_str_starts(line, "Call graph:"))
			begin_graph(&g, line);
		else if (cr_str_starts(line, "Total number in stack"))
			end_graph(&g);
		else if (g.in_graph)
			parse_row(&g, line);
		else
			parse_preamble(&g, line);
	}
	if (g.in_graph)
		cr_diagnostics_add(&g.s.report, CR_REASON_UNCLOSED, g.graph_line, g.graph);
	end_graph(&g);
	add_waiting(&g);
	cr_vec_fini(&g.rows);
	cr_vec_fini(&g.waiting);
	cr_vec_fini(&g.images);
	cr_index_fini(&g.image_index);
	cr_text_fini(&g.name);
	cr_text_fini(&g.function);
	return cr_stacks_close(&g.s, err);
}

/* Requires "Call graph:" with the title of the report before it, or a thread below it. */
static unsigned
probe_sample(const struct cr_head *head, uint64_t *line)
{
	bool title = false;
	uint64_t graph = 0;
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text)) {
		title = title || cr_str_starts(text, "Analysis of sampling");
		if (!graph && cr_str_starts(text, "Call graph:"))
			graph = scan.line;
		if (graph && (title || cr_line_pattern(text, "    %d Thread_%*", NULL))) {
			*line = graph;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

const struct cr_reader cr_reader_sample = {
	.name = "sample",
	.about = "call graphs of macOS sample",
	.probe = probe_sample,
	.read = read_sample,
};
