#include "testing.h"

#include "read/perf_data/tracepoints/perf_trace_value_p.h"
#include "read/perf_data/tracepoints/perf_tracing_p.h"
#include "tracing_maker.h"

static const struct made_format both[] = {
	{"ftrace", MADE_FORMAT("function", "1") MADE_FIELD("unsigned long ip", "8", "8", "0")},
	{"sched", MADE_SCHED_SWITCH},
	{"irq", MADE_FORMAT("softirq_entry", "145") MADE_FIELD("unsigned int vec", "8", "4", "0")},
};

static bool
read_bytes(const void *p, size_t len, struct perf_tracing *out, struct cr_log *log)
{
	void *bytes = testing_exact(p, len);
	struct cr_cursor c;
	bool ok;

	cr_cursor_init(&c, bytes, len);
	ok = cr_perf_tracing_read(c, out, log);
	free(bytes);
	return ok;
}

/* The one tracepoint of a format; cr_arena_fini() the arena. */
static struct perf_tracepoint
format_of(const char *text, struct cr_arena *arena)
{
	char *bytes = testing_exact(text, strlen(text));
	struct perf_tracepoint t;

	assert_true(cr_perf_trace_format_read(
		(struct cr_str){bytes, (uint32_t)strlen(text)}, 8, arena, &t));
	free(bytes);
	return t;
}

static struct perf_trace_field
field_of(const char *declaration, const char *offset, const char *size, const char *is_signed,
	struct cr_arena *arena)
{
	struct cr_text text = {0};
	struct perf_tracepoint t;

	cr_text_printf(&text, "name: x\nID: 1\n" MADE_FIELD("%s", "%s", "%s", "%s"), declaration,
		offset, size, is_signed);
	t = format_of(text.p, arena);
	cr_text_fini(&text);
	assert_int_equal(t.n_fields, 1);
	return t.fields[0];
}

static void
assert_text(const struct perf_trace_field *f, struct cr_cursor raw, const char *want)
{
	struct cr_text have = {0};

	assert_int_equal(cr_perf_trace_form(f), CR_FORM_TEXT);
	assert_int_equal(cr_perf_trace_text(f, raw, &have), want != NULL);
	assert_str(cr_text_view(&have), want ? want : "");
	cr_text_fini(&have);
}

static void
test_tracepoints_are_found_by_id_in_either_byte_order(void **state)
{
	(void)state;
	for (int foreign = 0; foreign < 2; foreign++) {
		struct perf_tracing t = {0};
		struct cr_text payload = {0};
		struct cr_log log = {0};
		const struct perf_tracepoint *e;

		made_foreign = foreign;
		made_tracing(&payload, both, CR_LEN(both));
		made_foreign = false;
		assert_true(read_bytes(payload.p, payload.len, &t, &log));
		assert_int_equal(log.n, 0);
		assert_int_equal(t.events.n, 3);
		e = cr_perf_tracing_find(&t, 316);
		assert_str(e->system, "sched");
		assert_str(e->name, "sched_switch");
		assert_int_equal(e->n_fields, 11);
		assert_str(cr_perf_tracing_find(&t, 1)->system, "ftrace");
		assert_str(cr_perf_tracing_find(&t, 145)->name, "softirq_entry");
		assert_null(cr_perf_tracing_find(
			&t, 9)); /* of the print format, which says nothing of ids */
		assert_null(cr_perf_tracing_find(&t, UINT64_MAX));
		cr_text_fini(&payload);
		cr_perf_tracing_fini(&t);
	}
}

static void
test_an_empty_one_has_no_tracepoints(void **state)
{
	struct perf_tracing t = {0};

	(void)state;
	assert_null(cr_perf_tracing_find(&t, 0));
	cr_perf_tracing_fini(&t);
}

static void
test_a_payload_cut_anywhere_keeps_the_formats_before_the_cut(void **state)
{
	struct cr_text payload = {0};
	size_t most = 0, least_whole = SIZE_MAX;

	(void)state;
	made_tracing(&payload, both, CR_LEN(both));
	for (size_t len = 0; len <= payload.len; len++) {
		struct perf_tracing t = {0};
		struct cr_log log = {0};
		const bool whole = read_bytes(payload.p, len, &t, &log);

		assert_in_range(t.events.n, most, most + 1);
		most = t.events.n;
		assert_int_equal(log.n, !whole);
		if (whole)
			least_whole = CR_MIN(least_whole, len);
		for (size_t i = 0; i < t.events.n; i++)
			assert_true(t.events.p[i].n_fields >= 5); /* no format is kept by halves */
		cr_perf_tracing_fini(&t);
	}
	assert_int_equal(most, 3);
	assert_int_equal(
		least_whole, payload.len - 16); /* what follows the formats is not missed */
	cr_text_fini(&payload);
}

static void
test_payloads_that_are_none_are_refused(void **state)
{
	struct cr_text payload = {0};

	(void)state;
	made_tracing(&payload, both, CR_LEN(both));
	for (size_t i = 0; i < 10; i++) { /* each byte of the magic counts */
		struct perf_tracing t = {0};
		struct cr_log log = {0};

		payload.p[i] ^= 1;
		assert_false(read_bytes(payload.p, payload.len, &t, &log));
		assert_int_equal(t.events.n, 0);
		assert_int_equal(log.n, 1);
		payload.p[i] ^= 1;
		cr_perf_tracing_fini(&t);
	}
	cr_text_fini(&payload);
}

static void
test_other_headers_than_the_two_are_refused(void **state)
{
	static const char *const names[] = {"header_page", "header_event"};

	(void)state;
	for (size_t i = 0; i < CR_LEN(names); i++) {
		struct perf_tracing t = {0};
		struct cr_text payload = {0};
		struct cr_log log = {0};

		made_tracing(&payload, both, CR_LEN(both));
		*(char *)memmem(payload.p, payload.len, names[i], strlen(names[i])) = 'H';
		assert_false(read_bytes(payload.p, payload.len, &t, &log));
		assert_int_equal(t.events.n, 0);
		assert_int_equal(log.n, 1);
		cr_text_fini(&payload);
		cr_perf_tracing_fini(&t);
	}
}

static void
test_a_second_payload_changes_nothing(void **state)
{
	struct perf_tracing t = {0};
	struct cr_text payload = {0};
	struct cr_log log = {0};

	(void)state;
	made_tracing(&payload, both, 2);
	assert_true(read_bytes(payload.p, payload.len, &t, &log));
	assert_false(read_bytes(payload.p, payload.len, &t, &log));
	assert_int_equal(t.events.n, 2);
	assert_int_equal(log.n, 1);
	cr_text_fini(&payload);
	cr_perf_tracing_fini(&t);
}

static void
test_counts_and_sizes_that_cannot_be_true_are_survived(void **state)
{
	static const uint64_t sizes[] = {UINT64_MAX, UINT64_C(1) << 32, 1u << 20, 9};

	(void)state;
	for (size_t i = 0; i < CR_LEN(sizes); i++) {
		struct perf_tracing t = {0};
		struct cr_text payload = {0};
		struct cr_log log = {0};

		made_tracing_head(&payload);
		made_u32(&payload, UINT32_MAX);
		made_sized(&payload, both[1].text);
		made_u64(&payload, sizes[i]);
		assert_false(read_bytes(payload.p, payload.len, &t, &log));
		assert_int_equal(t.events.n, 1);
		cr_text_fini(&payload);
		cr_perf_tracing_fini(&t);
	}
}

static void
test_a_format_without_name_or_id_does_not_end_the_others(void **state)
{
	static const struct made_format formats[] = {
		{"a", "name: x\nformat:\n"},
		{"a", "ID: 3\n"},
		{"a", ""},
		{"a", "name: \nID: 3\n"},
		{"a", "name: x\nID: -3\n"},
		{"b", "name: last\nID: 7\n"},
		{"c", "name: same\nID: 7\n"},
	};
	struct perf_tracing t = {0};
	struct cr_text payload = {0};
	struct cr_log log = {0};

	(void)state;
	made_tracing(&payload, formats, CR_LEN(formats));
	assert_true(read_bytes(payload.p, payload.len, &t, &log));
	assert_int_equal(t.events.n, 2);
	assert_str(cr_perf_tracing_find(&t, 7)->name, "last");
	assert_int_equal(log.n, 1);
	assert_int_equal(log.entries[0].count, 5);
	cr_text_fini(&payload);
	cr_perf_tracing_fini(&t);
}

static void
test_names_longer_than_any_are_refused(void **state)
{
	(void)state;
	for (size_t len = 255; len <= 256; len++) {
		struct cr_text text = {0}, field = {0};
		struct cr_arena arena = {0};
		struct perf_tracepoint t;

		cr_text_puts(&text, "ID: 1\nname: ");
		cr_text_pad(&text, 'x', len);
		assert_int_equal(
			cr_perf_trace_format_read(cr_text_view(&text), 8, &arena, &t), len == 255);
		cr_text_puts(&field, "name: x\nID: 1\n\tfield:int ");
		cr_text_pad(&field, 'x', len);
		cr_text_puts(&field, ";\toffset:0;\tsize:4;\n");
		assert_int_equal(format_of(field.p, &arena).n_fields, len == 255);
		cr_text_fini(&field);
		cr_text_fini(&text);
		cr_arena_fini(&arena);
	}
}

static void
test_fields_past_the_most_are_left_out(void **state)
{
	struct cr_text text = {0};
	struct cr_arena arena = {0};
	struct perf_tracepoint t;

	(void)state;
	cr_text_puts(&text, "name: x\nID: 1\n");
	for (unsigned i = 0; i < 300; i++)
		cr_text_printf(&text, "\tfield:u8 f%u;\toffset:%u;\tsize:1;\tsigned:0;\n", i, i);
	t = format_of(text.p, &arena);
	assert_int_equal(t.n_fields, 256);
	assert_str(t.fields[255].name, "f255");
	cr_text_fini(&text);
	cr_arena_fini(&arena);
}

enum {
	SIGNED = 1,
	ARRAY = 2,
	STRING = 4,
	DYNAMIC = 8,
	RELATIVE = 16,
	POINTER = 32,
	HEX = 64,
	COMMON = 128
};

static int
traits_of(const struct perf_trace_field *f)
{
	return f->is_signed * SIGNED + f->is_array * ARRAY + f->is_string * STRING +
	       f->is_dynamic * DYNAMIC + f->is_relative * RELATIVE + f->is_pointer * POINTER +
	       f->is_hex * HEX + f->is_common * COMMON;
}

static void
test_declarations_are_understood(void **state)
{
	static const struct {
		const char *declaration, *size, *is_signed, *name;
		int traits, item_bytes, form;
	} cases[] = {
		{"pid_t prev_pid", "4", "1", "prev_pid", SIGNED, 4, CR_FORM_SIGNED},
		{"unsigned int cpu", "4", "0", "cpu", 0, 4, CR_FORM_NUMBER},
		{"long prev_state", "8", "1", "prev_state", SIGNED, 8, CR_FORM_SIGNED},
		{"int common_pid", "4", "1", "common_pid", SIGNED | COMMON, 4, CR_FORM_SIGNED},
		{"unsigned char common_flags", "1", "0", "common_flags", COMMON, 1, CR_FORM_NUMBER},
		{"gfp_t gfp_flags", "4", "0", "gfp_flags", HEX, 4, CR_FORM_HEX},
		{"int flags", "4", "1", "flags", SIGNED, 4, CR_FORM_SIGNED},
		{"unsigned long __probe_ip", "8", "0", "__probe_ip", HEX, 8, CR_FORM_HEX},
		{"unsigned long ip", "8", "0", "ip", HEX, 8, CR_FORM_HEX},
		{"unsigned long skip", "8", "0", "skip", 0, 8, CR_FORM_NUMBER},
		{"struct foo *x", "8", "0", "x", POINTER | HEX, 8, CR_FORM_HEX},
		{"struct iocb * * iocbpp", "8", "1", "iocbpp", POINTER | HEX, 8, CR_FORM_HEX},
		{"const char * filename", "8", "0", "filename", POINTER | HEX, 8, CR_FORM_HEX},
		{"const char __attribute__((user)) * filename", "8", "0", "filename", POINTER | HEX,
			8, CR_FORM_HEX},
		{"struct landlock_attr *const attr", "8", "0", "attr", POINTER | HEX, 8,
			CR_FORM_HEX},
		{"char comm[16]", "16", "0", "comm", ARRAY | STRING, 1, CR_FORM_TEXT},
		{"const char comm[TASK_COMM_LEN]", "16", "1", "comm", SIGNED | ARRAY | STRING, 1,
			CR_FORM_TEXT},
		{"char buf[]", "0", "0", "buf", ARRAY | STRING, 1, CR_FORM_TEXT},
		{"char two[2][16]", "32", "0", "two", ARRAY | STRING, 1, CR_FORM_TEXT},
		{"unsigned char mac[6]", "6", "0", "mac", ARRAY, 1, CR_FORM_TEXT},
		{"u8[16] name", "16", "0", "name", ARRAY, 1, CR_FORM_TEXT},
		{"u32[3] name", "12", "0", "name", ARRAY, 4, CR_FORM_TEXT},
		{"ino_t inos[2][2]", "32", "0", "inos", ARRAY, 8, CR_FORM_TEXT},
		{"void * stack[4]", "32", "0", "stack", ARRAY | POINTER, 8, CR_FORM_TEXT},
		{"unsigned long args[]", "0", "0", "args", ARRAY, 8, CR_FORM_TEXT},
		{"struct odd x[5]", "60", "0", "x", ARRAY, 1, CR_FORM_TEXT},
		{"struct odd x", "12", "0", "x", 0, 1, CR_FORM_TEXT},
		{"__data_loc char[] name", "4", "1", "name", SIGNED | ARRAY | STRING | DYNAMIC, 1,
			CR_FORM_TEXT},
		{"__data_loc char[][3] names", "12", "0", "names", ARRAY | STRING | DYNAMIC, 1,
			CR_FORM_TEXT},
		{"__data_loc u64[] addrs", "4", "0", "addrs", ARRAY | DYNAMIC, 8, CR_FORM_TEXT},
		{"__data_loc const unsigned short[] s", "4", "0", "s", ARRAY | DYNAMIC, 2,
			CR_FORM_TEXT},
		{"__data_loc cpumask_t cpumask", "4", "0", "cpumask", ARRAY | DYNAMIC, 1,
			CR_FORM_TEXT},
		{"__data_loc cpumask_t *[] cpumask", "4", "0", "cpumask", ARRAY | DYNAMIC, 1,
			CR_FORM_TEXT},
		{"__rel_loc char[] msg", "4", "0", "msg", ARRAY | STRING | DYNAMIC | RELATIVE, 1,
			CR_FORM_TEXT},
		{"int", "4", "1", "int", SIGNED, 4, CR_FORM_SIGNED},
		{"x]", "4", "0", "x]", 0, 4, CR_FORM_NUMBER},
		{"int x[99999999999999999999]", "4", "0", "x", ARRAY, 4, CR_FORM_TEXT},
		{"int x[0]", "4", "0", "x", ARRAY, 4, CR_FORM_TEXT},
		{"u32 x[4294967296][4294967296]", "4", "0", "x", ARRAY, 4, CR_FORM_TEXT},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_arena arena = {0};
		const struct perf_trace_field f = field_of(
			cases[i].declaration, "8", cases[i].size, cases[i].is_signed, &arena);

		assert_str(f.name, cases[i].name);
		assert_int_equal(f.offset, 8);
		assert_int_equal(traits_of(&f), cases[i].traits);
		assert_int_equal(cr_perf_trace_form(&f), cases[i].form);
		if (f.is_array)
			assert_int_equal(f.item_bytes, cases[i].item_bytes);
		cr_arena_fini(&arena);
	}
}

/*
 * What the format of a tracepoint with such fields prints them as: "name:hex name+0x1 name:number".
 */
static void
assert_printed(const char *name, const char *print, const char *want)
{
	static const char *const shown[] = {
		[CR_CODE_NAME] = ":name", [CR_CODE_OFFSET] = ":name+offset"};
	struct cr_text text = {0}, have = {0};
	struct cr_arena arena = {0};
	struct perf_tracepoint t;

	cr_text_printf(&text,
		MADE_FORMAT("%s", "1") MADE_FIELD("unsigned long a", "8", "8", "0") MADE_FIELD(
			"const void * b", "16", "8", "0") MADE_FIELD("long c", "24", "8", "1")
			MADE_FIELD("u8 d[6]", "32", "6", "0") "\nprint fmt: %s\n",
		name, print);
	t = format_of(text.p, &arena);
	cr_text_puts(&have, "");
	for (uint32_t i = 4; i < t.n_fields; i++) {
		const struct perf_trace_field *f = &t.fields[i];
		const enum cr_form form = cr_perf_trace_form(f);

		cr_text_str(&have, f->name);
		cr_text_printf(&have, "%s ",
			f->code                  ? shown[f->code]
			: form == CR_FORM_HEX    ? ":hex"
			: form == CR_FORM_TEXT   ? ":text"
			: form == CR_FORM_SIGNED ? ":signed"
						 : ":number");
	}
	assert_string_equal(have.p, want);
	cr_arena_fini(&arena);
	cr_text_fini(&have);
	cr_text_fini(&text);
}

static void
test_numbers_are_what_the_kernel_prints_them_as(void **state)
{
	static const char whole[] = "\"a %% %*pS\", REC->c, ((void *)(REC->a))";

	(void)state;
	assert_printed("kmalloc",
		"\"call_site=%pS ptr=%p size=%zu\", (void *)REC->a, REC->b, REC->c",
		"a:name+offset b:hex c:signed d:text ");
	assert_printed("x", "\"function=%ps\", REC->a", "a:name b:hex c:signed d:text ");
	assert_printed("x", "\"%pf %pF\", REC->a, (const void *) (REC->b)",
		"a:name b:name+offset c:signed d:text ");
	assert_printed("x",
		"\"%pBb %px\", ((void *)((REC->c))), (void *)(unsigned long long)REC->a",
		"a:hex b:hex c:name+offset d:text ");
	assert_printed("x", "\"%08lx %x\", REC->a, REC->c", "a:hex b:hex c:signed d:text ");
	assert_printed("sys_enter_read", "\"a: 0x%08lx\", ((unsigned long)(REC->a))",
		"a:number b:hex c:signed d:text ");
	/*
	 * what stands in front of an argument: stars, literals and calls with commas and brackets,
	 * escapes
	 */
	assert_printed("x",
		"\"100%% %*d \\\"%s %-16s\" , REC->c, REC->c, __print_flags(REC->c, \"|,)\", {1, "
		"\"(\"}, {2, \"\\\"\"}), "
		"(REC->c ? \"a,\" : \"b\"), REC->a",
		"a:number b:hex c:signed d:text ");
	assert_printed("x",
		"\"100%% %*d \\\"%s %-16s %pS\" , REC->c, REC->c, __print_flags(REC->c, \"|,)\", "
		"{1, \"(\"}, {2, \"\\\"\"}), "
		"(REC->c ? \"a,\" : \"b\"), REC->a",
		"a:name+offset b:hex c:signed d:text ");
	/* neither of these is a field as it is */
	assert_printed("x",
		"\"%pS %p %pS %pI4 %pS\", (void *)(REC->a + 1), -REC->a, f(REC->a), REC->a, REC->d",
		"a:number b:hex c:signed d:text ");
	assert_printed("x", "\"%pS\", (REC->a)REC->a", "a:number b:hex c:signed d:text ");
	/* cut anywhere, or no format at all */
	for (size_t n = 0; n < sizeof(whole); n++) {
		char cut[sizeof(whole)];

		snprintf(cut, sizeof(cut), "%.*s", (int)n, whole);
		assert_printed("x", cut,
			n < sizeof(whole) - 3 ? "a:number b:hex c:signed d:text "
					      : "a:name+offset b:hex c:signed d:text ");
	}
	assert_printed("x", "REC->a, \"%pS\"", "a:number b:hex c:signed d:text ");
}

static void
test_fields_that_say_too_little_are_left_out(void **state)
{
	static const char *const lines[] = {
		"field:int x;\toffset:8;",
		"field:int x;\tsize:4;",
		"field:;\toffset:8;\tsize:4;",
		"field:int *;\toffset:8;\tsize:4;",
		"field:[3];\toffset:8;\tsize:4;",
		"field:int x;\toffset:65536;\tsize:4;",
		"field:int x;\toffset:8;\tsize:65536;",
		"field:int x;\toffset:-8;\tsize:4;",
		"field",
		"int x;\toffset:8;\tsize:4;",
		"fields:int x;\toffset:8;\tsize:4;",
		"field:int x;\toffset:18446744073709551624;\tsize:4;",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(lines); i++) {
		struct cr_text text = {0};
		struct cr_arena arena = {0};
		struct perf_tracepoint t;

		cr_text_printf(&text,
			"name: x\nID: 1\nformat:\n\t%s\n\tfield special:int "
			"after;offset:4;size:4\n",
			lines[i]);
		t = format_of(text.p, &arena);
		assert_int_equal(t.n_fields, 1);
		assert_str(t.fields[0].name, "after");
		assert_false(t.fields[0].is_signed); /* the oldest kernels do not say */
		assert_ptr_equal(cr_perf_trace_field_find(&t, CR_STR("after")), t.fields);
		assert_null(cr_perf_trace_field_find(&t, CR_STR("x")));
		cr_text_fini(&text);
		cr_arena_fini(&arena);
	}
}

static void
test_a_long_is_as_long_as_the_machine_says(void **state)
{
	static const struct made_format format = {
		"a", "name: x\nID: 1\n" MADE_FIELD("__data_loc unsigned long[] v", "8", "4", "0")};
	static const struct {
		char said;
		int bytes;
	} cases[] = {{4, 4}, {8, 8}, {0, 8}, {-1, 8}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct perf_tracing t = {0};
		struct cr_text payload = {0};
		struct cr_log log = {0};

		made_tracing(&payload, &format, 1);
		payload.p[15] = cases[i].said;
		assert_true(read_bytes(payload.p, payload.len, &t, &log));
		assert_int_equal(cr_perf_tracing_find(&t, 1)->fields[0].item_bytes, cases[i].bytes);
		cr_text_fini(&payload);
		cr_perf_tracing_fini(&t);
	}
}

static void
put_comm(struct cr_text *t, const char *comm)
{
	cr_text_puts(t, comm);
	cr_text_pad(t, '\0', 16 - strlen(comm));
}

static void
test_a_switch_of_tasks_is_decoded_in_either_byte_order(void **state)
{
	struct cr_arena arena = {0};
	const struct perf_tracepoint t = format_of(MADE_SCHED_SWITCH, &arena);

	(void)state;
	for (int foreign = 0; foreign < 2; foreign++) {
		struct cr_text bytes = {0};
		struct cr_cursor raw;
		uint64_t v;

		made_foreign = foreign;
		made_u16(&bytes, 316);
		cr_text_put(&bytes, "\1\2", 2);
		made_u32(&bytes, 7);
		put_comm(&bytes, "sixteen bytes of");
		made_u32(&bytes, 1234567);
		made_u32(&bytes, 120);
		made_u64(&bytes, (uint64_t)-2);
		put_comm(&bytes, "swapper/0");
		made_u32(&bytes, (uint32_t)-1);
		made_u32(&bytes, 0x7fffffff);
		made_foreign = false;
		cr_cursor_init(&raw, bytes.p, bytes.len);
		raw.swap = foreign;
		assert_true(cr_perf_trace_number(
				    cr_perf_trace_field_find(&t, CR_STR("common_type")), raw, &v) &&
			    v == 316);
		assert_true(cr_perf_trace_number(
				    cr_perf_trace_field_find(&t, CR_STR("common_pid")), raw, &v) &&
			    v == 7);
		assert_text(
			cr_perf_trace_field_find(&t, CR_STR("prev_comm")), raw, "sixteen bytes of");
		assert_true(cr_perf_trace_number(
				    cr_perf_trace_field_find(&t, CR_STR("prev_pid")), raw, &v) &&
			    v == 1234567);
		assert_true(cr_perf_trace_number(
				    cr_perf_trace_field_find(&t, CR_STR("prev_state")), raw, &v) &&
			    v == (uint64_t)-2);
		assert_text(cr_perf_trace_field_find(&t, CR_STR("next_comm")), raw, "swapper/0");
		assert_true(cr_perf_trace_number(
				    cr_perf_trace_field_find(&t, CR_STR("next_pid")), raw, &v) &&
			    v == UINT64_MAX);
		assert_true(cr_perf_trace_number(
				    cr_perf_trace_field_find(&t, CR_STR("next_prio")), raw, &v) &&
			    v == 0x7fffffff);
		cr_text_fini(&bytes);
	}
	cr_arena_fini(&arena);
}

static void
test_numbers_have_their_size_and_sign(void **state)
{
	static const struct {
		const char *size, *is_signed;
		uint64_t little, big;
	} cases[] = {
		{"1", "0", 0x81, 0x81},
		{"1", "1", 0xffffffffffffff81, 0xffffffffffffff81},
		{"2", "0", 0x8281, 0x8182},
		{"2", "1", 0xffffffffffff8281, 0xffffffffffff8182},
		{"4", "0", 0x84838281, 0x81828384},
		{"4", "1", 0xffffffff84838281, 0xffffffff81828384},
		{"8", "0", 0x8887868584838281, 0x8182838485868788},
		{"8", "1", 0x8887868584838281, 0x8182838485868788},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_arena arena = {0};
		const struct perf_trace_field f =
			field_of("thing_t x", "1", cases[i].size, cases[i].is_signed, &arena);
		char *bytes = testing_exact("?\x81\x82\x83\x84\x85\x86\x87\x88", 1 + f.size);
		struct cr_cursor raw;
		uint64_t v;

		cr_cursor_init(&raw, bytes, 1 + f.size);
		raw.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
		assert_true(cr_perf_trace_number(&f, raw, &v));
		assert_int_equal(v, cases[i].little);
		raw.swap = !raw.swap;
		assert_true(cr_perf_trace_number(&f, raw, &v));
		assert_int_equal(v, cases[i].big);
		for (size_t len = 0; len <= f.size; len++) {
			raw.end = raw.p + len;
			assert_false(cr_perf_trace_number(&f, raw, &v));
			assert_int_equal(v, 0);
		}
		free(bytes);
		cr_arena_fini(&arena);
	}
}

/* A place in a record: len bytes of it, from at. */
static void
put_place(struct cr_text *t, uint32_t at, uint32_t len)
{
	made_u32(t, len << 16 | at);
}

static void
test_arrays_and_strings_become_text(void **state)
{
	static const struct {
		const char *declaration, *offset, *size, *is_signed, *want;
	} cases[] = {
		{"__data_loc char[] s", "0", "4", "0", "hello"},
		{"__rel_loc char[] s", "4", "4", "0", "hello"},
		{"__data_loc char[][2] s", "8", "8", "0", "hello,world"},
		{"__data_loc u8[] s", "0", "4", "0", "68656c6c6f00"},
		{"__data_loc cpumask_t s", "16", "4", "0", "ff00"},
		{"__data_loc u16[] s", "20", "4", "0", "0x1,0xfffe"},
		{"__data_loc s16[] s", "20", "4", "1", "1,-2"},
		{"u16[2] s", "44", "4", "0", "0x1,0xfffe"},
		{"short s[2]", "44", "4", "1", "1,-2"},
		{"__data_loc char[] s", "24", "4", "0", ""},
		{"__data_loc char[] s", "28", "4", "0", NULL},  /* its text ends past the record */
		{"__data_loc char[][2] s", "24", "8", "0", ""}, /* and so the second is left out */
		{"__data_loc char[] s", "60", "4", "0", NULL},
		{"__data_loc char[] s", "0", "2", "0", NULL},
		{"char s[6]", "32", "6", "0", "hello"},
		{"char s[4]", "32", "4", "0", "hell"},
		{"char s[]", "38", "0", "0", "world"},
		{"char s[20]", "38", "20", "0", NULL},
		{"u64 s[]", "44", "0", "0", ""},
		{"struct odd s", "32", "3", "0", "68656c"},
	};
	struct cr_text t = {0};

	(void)state;
	put_place(&t, 32, 6);
	put_place(&t, 24, 6); /* from its own end at 8 */
	put_place(&t, 32, 6);
	put_place(&t, 38, 6);
	put_place(&t, 48, 2);
	put_place(&t, 44, 4);
	put_place(&t, 50, 0);
	put_place(&t, 46, 5);
	cr_text_put(&t, "hello\0world", 12);
	made_u16(&t, 1);
	made_u16(&t, 0xfffe);
	cr_text_put(&t, "\xff\0", 2);
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_arena arena = {0};
		const struct perf_trace_field f = field_of(cases[i].declaration, cases[i].offset,
			cases[i].size, cases[i].is_signed, &arena);
		char *bytes = testing_exact(t.p, t.len);
		struct cr_cursor raw;

		cr_cursor_init(&raw, bytes, t.len);
		assert_text(&f, raw, cases[i].want);
		free(bytes);
		cr_arena_fini(&arena);
	}
	cr_text_fini(&t);
}

static void
test_text_is_appended_and_cut_at_its_limit(void **state)
{
	static const struct {
		const char *declaration;
		uint32_t is_places;
		size_t want;
	} cases[] = {
		{"char s[]", 0, 4096},
		{"u8 s[]", 0, 4096},
		{"u64 s[]", 0, 4084}, /* 215 items of 18 characters: another could be too long */
		{"__data_loc char[] s", 1, 4096},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0}, out = {0};
		struct cr_arena arena = {0};
		const struct perf_trace_field f = field_of(
			cases[i].declaration, "0", cases[i].is_places ? "4096" : "0", "0", &arena);
		struct cr_cursor raw;

		for (uint32_t k = 0; cases[i].is_places && k < 1024; k++)
			put_place(&t, 4096, 100);
		cr_text_pad(&t, 'x', 60000 - t.len);
		cr_cursor_init(&raw, t.p, t.len);
		cr_text_puts(&out, "before");
		assert_true(cr_perf_trace_text(&f, raw, &out));
		assert_int_equal(out.len, 6 + cases[i].want);
		assert_memory_equal(out.p, "before", 6);
		cr_text_fini(&out);
		cr_text_fini(&t);
		cr_arena_fini(&arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tracepoints_are_found_by_id_in_either_byte_order),
		cmocka_unit_test(test_an_empty_one_has_no_tracepoints),
		cmocka_unit_test(test_a_payload_cut_anywhere_keeps_the_formats_before_the_cut),
		cmocka_unit_test(test_payloads_that_are_none_are_refused),
		cmocka_unit_test(test_other_headers_than_the_two_are_refused),
		cmocka_unit_test(test_a_second_payload_changes_nothing),
		cmocka_unit_test(test_counts_and_sizes_that_cannot_be_true_are_survived),
		cmocka_unit_test(test_a_format_without_name_or_id_does_not_end_the_others),
		cmocka_unit_test(test_names_longer_than_any_are_refused),
		cmocka_unit_test(test_fields_past_the_most_are_left_out),
		cmocka_unit_test(test_declarations_are_understood),
		cmocka_unit_test(test_numbers_are_what_the_kernel_prints_them_as),
		cmocka_unit_test(test_fields_that_say_too_little_are_left_out),
		cmocka_unit_test(test_a_long_is_as_long_as_the_machine_says),
		cmocka_unit_test(test_a_switch_of_tasks_is_decoded_in_either_byte_order),
		cmocka_unit_test(test_numbers_have_their_size_and_sign),
		cmocka_unit_test(test_arrays_and_strings_become_text),
		cmocka_unit_test(test_text_is_appended_and_cut_at_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
