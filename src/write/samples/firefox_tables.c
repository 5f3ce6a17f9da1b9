#include "firefox_p.h"

/* ---- columns */

void
cr_firefox_flush(struct cr_firefox *x)
{
	if (x->rc == CR_OK)
		x->rc = cr_sink_large(x->out, &x->text, x->err);
}

/* A column whose i-th value `put` writes. */
static void
put_column(
	struct cr_firefox *x, const char *key, size_t n, void (*put)(struct cr_firefox *, size_t))
{
	cr_json_out_key(&x->json, key);
	cr_json_out_open(&x->json, '#');
	for (size_t i = 0; x->rc == CR_OK && i < n; i++) {
		put(x, i);
		cr_firefox_flush(x);
	}
	cr_json_out_close(&x->json);
}

static void
put_null(struct cr_firefox *x, size_t i)
{
	(void)i;
	cr_json_out_null(&x->json);
}

static void
put_zero(struct cr_firefox *x, size_t i)
{
	(void)i;
	cr_json_out_u64(&x->json, 0);
}

static void
put_one(struct cr_firefox *x, size_t i)
{
	(void)i;
	cr_json_out_u64(&x->json, 1);
}

static void
put_minus_one(struct cr_firefox *x, size_t i)
{
	(void)i;
	cr_json_out_i64(&x->json, -1);
}

static void
put_false(struct cr_firefox *x, size_t i)
{
	(void)i;
	cr_json_out_bool(&x->json, false);
}

void
cr_firefox_put_row(struct cr_firefox *x, uint32_t row1)
{
	if (row1)
		cr_json_out_u64(&x->json, row1 - 1);
	else
		cr_json_out_null(&x->json);
}

void
cr_firefox_open_table(struct cr_firefox *x, const char *key, uint64_t n)
{
	cr_json_out_line(&x->json, "");
	cr_json_out_key(&x->json, key);
	cr_json_out_open(&x->json, '{');
	cr_json_out_u64_of(&x->json, "length", n);
}

/* ---- shared tables */

static const struct {
	uint8_t category, subcategory;
} category_of[CR_KINDS] = {
	[CR_KIND_UNKNOWN] = {CR_FIREFOX_OTHER, 0},
	[CR_KIND_USER] = {CR_FIREFOX_USER, 0},
	[CR_KIND_KERNEL] = {CR_FIREFOX_KERNEL, 0},
	[CR_KIND_MODULE] = {CR_FIREFOX_KERNEL, 1},
	[CR_KIND_VDSO] = {CR_FIREFOX_USER, 1},
	[CR_KIND_JIT] = {CR_FIREFOX_JIT, 0},
	[CR_KIND_BPF] = {CR_FIREFOX_KERNEL, 2},
	[CR_KIND_GROUP] = {CR_FIREFOX_OTHER, 0},
};

static const struct cr_frame *
frame_at(const struct cr_firefox *x, size_t i)
{
	return &x->t->frames[x->frames.p[i]];
}

static void
put_category(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, category_of[frame_at(x, i)->kind].category);
}

static void
put_subcategory(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, category_of[frame_at(x, i)->kind].subcategory);
}

static void
put_function(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, x->function.p[i]);
}

/* Frames have no addresses, so there is one depth only. */
static void
put_inlined(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, frame_at(x, i)->inlined);
}

static void
put_line(struct cr_firefox *x, size_t i)
{
	if (frame_at(x, i)->line)
		cr_json_out_u64(&x->json, frame_at(x, i)->line);
	else
		cr_json_out_null(&x->json);
}

static void
put_frames(struct cr_firefox *x)
{
	const size_t n = x->frames.n;

	cr_firefox_open_table(x, "frameTable", n);
	put_column(x, "address", n, put_minus_one);
	put_column(x, "inlineDepth", n, put_inlined);
	put_column(x, "category", n, put_category);
	put_column(x, "subcategory", n, put_subcategory);
	put_column(x, "func", n, put_function);
	put_column(x, "nativeSymbol", n, put_null);
	put_column(x, "innerWindowID", n, put_zero);
	put_column(x, "line", n, put_line);
	put_column(x, "column", n, put_null);
	put_column(x, "originalLocation", n, put_null);
	cr_json_out_close(&x->json);
}

static void
put_function_name(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, x->functions.p[i].name);
}

/* Libraries and their resources have the same rows. */
static void
put_function_resource(struct cr_firefox *x, size_t i)
{
	cr_json_out_i64(&x->json, (int64_t)x->functions.p[i].library1 - 1);
}

static void
put_function_source(struct cr_firefox *x, size_t i)
{
	cr_firefox_put_row(x, x->functions.p[i].source1);
}

static void
put_functions(struct cr_firefox *x)
{
	const size_t n = x->functions.n;

	cr_firefox_open_table(x, "funcTable", n);
	put_column(x, "name", n, put_function_name);
	put_column(x, "isJS", n, put_false);
	put_column(x, "relevantForJS", n, put_false);
	put_column(x, "resource", n, put_function_resource);
	put_column(x, "source", n, put_function_source);
	put_column(x, "lineNumber", n, put_null);
	put_column(x, "columnNumber", n, put_null);
	put_column(x, "originalLocation", n, put_null);
	cr_json_out_close(&x->json);
}

static void
put_row_number(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, i);
}

static void
put_library_name(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json,
		cr_strings_intern(&x->strings, NULL, cr_str_basename(x->libraries.rows.p[i])));
}

static void
put_resources(struct cr_firefox *x)
{
	const size_t n = x->libraries.rows.n;

	cr_firefox_open_table(x, "resourceTable", n);
	put_column(x, "lib", n, put_row_number);
	put_column(x, "name", n, put_library_name);
	put_column(x, "host", n, put_null);
	put_column(x, "type", n, put_one);
	cr_json_out_close(&x->json);
}

static void
put_source_name(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, cr_strings_intern(&x->strings, NULL, x->sources.rows.p[i]));
}

static void
put_sources(struct cr_firefox *x)
{
	const size_t n = x->sources.rows.n;

	cr_firefox_open_table(x, "sources", n);
	put_column(x, "id", n, put_null);
	put_column(x, "filename", n, put_source_name);
	put_column(x, "startLine", n, put_one);
	put_column(x, "startColumn", n, put_one);
	put_column(x, "sourceMapURL", n, put_null);
	put_column(x, "content", n, put_null);
	cr_json_out_close(&x->json);
}

/* Stack i is node i + 1: the root is no stack. */
static void
put_stack_frame(struct cr_firefox *x, size_t i)
{
	cr_json_out_u64(&x->json, x->number1[x->t->frame[i + 1]] - 1);
}

static void
put_prefix_offset(struct cr_firefox *x, size_t i)
{
	const uint32_t up = x->t->parent[i + 1];

	cr_json_out_u64(&x->json, up ? i + 1 - up : 0);
}

static void
put_stacks(struct cr_firefox *x)
{
	cr_firefox_open_table(x, "stackTable", x->t->n - 1);
	put_column(x, "frame", x->t->n - 1, put_stack_frame);
	put_column(x, "prefixOffset", x->t->n - 1, put_prefix_offset);
	cr_json_out_close(&x->json);
}

static void
put_string(struct cr_firefox *x, size_t i)
{
	cr_json_out_text(&x->json, x->strings.rows.p[i]);
}

void
cr_firefox_put_shared(struct cr_firefox *x)
{
	cr_json_out_line(&x->json, "");
	cr_json_out_key(&x->json, "shared");
	cr_json_out_open(&x->json, '{');
	put_stacks(x);
	put_frames(x);
	put_functions(x);
	put_resources(x);
	cr_firefox_open_table(x, "nativeSymbols", 0);
	put_column(x, "libIndex", 0, put_null);
	put_column(x, "address", 0, put_null);
	put_column(x, "name", 0, put_null);
	put_column(x, "functionSize", 0, put_null);
	cr_json_out_close(&x->json);
	put_sources(x);
	cr_firefox_open_table(x, "sourceLocationTable", 0);
	put_column(x, "source", 0, put_null);
	put_column(x, "line", 0, put_null);
	put_column(x, "column", 0, put_null);
	cr_json_out_close(&x->json);
	cr_json_out_line(&x->json, "");
	put_column(x, "stringArray", x->strings.rows.n, put_string);
	cr_json_out_close(&x->json);
}
