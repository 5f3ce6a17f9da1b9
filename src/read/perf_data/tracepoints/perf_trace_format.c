#include "perf_trace_format_p.h"

#include "base/vec.h"
#include "bytes/scan.h"
#define MAX_NAME 255
#define MAX_FIELDS 256
#define MAX_RECORD 65535 /* bytes of a record: offsets in it have 16 bits */

/* Split off the text before the first sep, and skip sep; all of *s if there is none. */
static struct cr_str
part_read(struct cr_str *s, char sep)
{
	const char *at = s->len ? memchr(s->p, sep, s->len) : NULL;
	const struct cr_str part = {s->p, at ? (uint32_t)(at - s->p) : s->len};
	const uint32_t taken = part.len + (at != NULL);

	*s = (struct cr_str){s->p + taken, s->len - taken};
	return cr_scan_trim(part);
}

static bool
prefix_read(struct cr_str *s, const char *prefix)
{
	const uint32_t len = (uint32_t)strlen(prefix);

	if (!cr_str_starts(*s, prefix))
		return false;
	*s = cr_scan_trim((struct cr_str){s->p + len, s->len - len});
	return true;
}

/*
 * Remove brackets from the end of s, if any, and multiply *count by the number in them, or by 0 if
 * it is missing.
 */
static bool
brackets_read(struct cr_str *s, uint64_t *count)
{
	const char *open = s->len && s->p[s->len - 1] == ']' ? memrchr(s->p, '[', s->len) : NULL;
	uint64_t n = 0;

	if (!open)
		return false;
	cr_scan_u64((struct cr_str){open + 1, (uint32_t)(s->p + s->len - open - 2)}, &n);
	if (!cr_mul_ok(*count, n, count))
		*count = 0;
	*s = cr_scan_trim((struct cr_str){s->p, (uint32_t)(open - s->p)});
	return true;
}

/* The last word of a declaration; for "*x" and "* x" it is x. */
static struct cr_str
name_read(struct cr_str *s)
{
	uint32_t at = s->len;
	struct cr_str name;

	while (at && !strchr(" \t*", s->p[at - 1]))
		at--;
	name = (struct cr_str){s->p + at, s->len - at};
	*s = cr_scan_trim((struct cr_str){s->p, at});
	return name;
}

/* Size of the items of a dynamic array, whose own size does not tell. Unknown types are bytes. */
static uint8_t
type_bytes(struct cr_str type, unsigned long_bytes)
{
	static const struct {
		const char *type;
		uint8_t bytes;
	} types[] = {
		{"short", 2},
		{"unsigned short", 2},
		{"u16", 2},
		{"s16", 2},
		{"__u16", 2},
		{"__s16", 2},
		{"int", 4},
		{"unsigned int", 4},
		{"unsigned", 4},
		{"u32", 4},
		{"s32", 4},
		{"__u32", 4},
		{"__s32", 4},
		{"uint32_t", 4},
		{"int32_t", 4},
		{"pid_t", 4},
		{"long long", 8},
		{"unsigned long long", 8},
		{"u64", 8},
		{"s64", 8},
		{"__u64", 8},
		{"__s64", 8},
		{"uint64_t", 8},
		{"int64_t", 8},
	};
	static const char *const longs[] = {"long", "unsigned long", "size_t", "uintptr_t"};

	for (size_t i = 0; i < CR_LEN(types); i++)
		if (cr_str_eq(type, cr_str_of(types[i].type)))
			return types[i].bytes;
	for (size_t i = 0; i < CR_LEN(longs); i++)
		if (cr_str_eq(type, cr_str_of(longs[i])))
			return (uint8_t)long_bytes;
	return 1;
}

/* count: number of items in the brackets, 0 if unknown. */
static uint8_t
item_bytes(
	const struct perf_trace_field *f, struct cr_str type, uint64_t count, unsigned long_bytes)
{
	const uint64_t each = f->is_dynamic || !count || f->size % count ? 0 : f->size / count;

	if (each == 1 || each == 2 || each == 4 || each == 8)
		return (uint8_t)each;
	return type_bytes(type, long_bytes);
}

/* True for numbers that are more readable in hexadecimal, by the last word of their names. */
static bool
name_is_hex(struct cr_str name)
{
	static const char *const ends[] = {"addr", "address", "flags", "mask", "_ip"};

	for (size_t i = 0; i < CR_LEN(ends); i++)
		if (cr_str_ends(name, ends[i]))
			return true;
	return cr_str_eq(name, CR_STR("ip"));
}

/* "unsigned long args[6]", "u8[16] name", "const char * filename", "__data_loc char[] name". */
static bool
declaration_read(struct cr_str s, unsigned long_bytes, struct perf_trace_field *f)
{
	uint64_t count = 1;

	f->is_relative = prefix_read(&s, "__rel_loc ");
	f->is_dynamic = f->is_relative || prefix_read(&s, "__data_loc ");
	f->is_array = f->is_dynamic;
	while (brackets_read(&s, &count))
		f->is_array = true;
	f->name = name_read(&s);
	while (brackets_read(&s, &count))
		f->is_array = true;
	prefix_read(&s, "const ");
	f->is_pointer = !f->is_dynamic && s.len && memchr(s.p, '*', s.len);
	f->is_string = f->is_array && cr_str_eq(s, CR_STR("char"));
	f->is_common = cr_str_starts(f->name, "common_");
	f->is_signed &= !f->is_pointer;
	f->is_hex = !f->is_array &&
		    (f->is_pointer || (!f->is_signed && !f->is_common && name_is_hex(f->name)));
	f->item_bytes = item_bytes(f, s, count, long_bytes);
	return f->name.len && f->name.len <= MAX_NAME;
}

/* What follows "field:": a declaration, then properties; the oldest kernels write no "signed". */
static bool
field_read(struct cr_str line, unsigned long_bytes, struct perf_trace_field *f)
{
	const struct cr_str declaration = part_read(&line, ';');
	uint64_t offset = UINT64_MAX, size = UINT64_MAX, is_signed = 0;

	while (line.len) {
		struct cr_str value = part_read(&line, ';');
		const struct cr_str key = part_read(&value, ':');

		if (cr_str_eq(key, CR_STR("offset")))
			cr_scan_u64(value, &offset);
		else if (cr_str_eq(key, CR_STR("size")))
			cr_scan_u64(value, &size);
		else if (cr_str_eq(key, CR_STR("signed")))
			cr_scan_u64(value, &is_signed);
	}
	if (offset > MAX_RECORD || size > MAX_RECORD)
		return false;
	*f = (struct perf_trace_field){
		.offset = (uint32_t)offset, .size = (uint32_t)size, .is_signed = is_signed != 0};
	return declaration_read(declaration, long_bytes, f);
}

static struct cr_str
name_copy(struct cr_arena *arena, struct cr_str name)
{
	return (struct cr_str){cr_arena_copy(arena, name.p, name.len), name.len};
}

bool
cr_perf_trace_format_read(struct cr_str text, unsigned long_bytes, struct cr_arena *arena,
	struct perf_tracepoint *out)
{
	struct perf_trace_field fields[MAX_FIELDS];
	struct cr_str name = CR_STR(""), line;
	bool has_id = false, has_print = false;
	uint32_t n = 0;
	struct cr_scan scan;

	*out = (struct perf_tracepoint){0};
	cr_scan_init(&scan, text.p, text.len);
	while (cr_scan_line(&scan, &line) && !(has_print = prefix_read(&line, "print fmt:"))) {
		const struct cr_str key = part_read(&line, ':');

		if (cr_str_eq(key, CR_STR("name")))
			name = cr_scan_trim(line);
		else if (cr_str_eq(key, CR_STR("ID")))
			has_id = cr_scan_u64(cr_scan_trim(line), &out->id);
		else if (cr_str_eq(key, CR_STR("field")) || cr_str_eq(key, CR_STR("field special")))
			n += n < MAX_FIELDS && field_read(line, long_bytes, &fields[n]);
	}
	if (!has_id || name.len == 0 || name.len > MAX_NAME)
		return false;
	/* All arguments of system calls, including numbers, are printed in hexadecimal. */
	if (has_print && !cr_str_starts(name, "sys_enter_"))
		cr_perf_trace_print_read(line, fields, n);
	for (uint32_t i = 0; i < n; i++)
		fields[i].name = name_copy(arena, fields[i].name);
	out->name = name_copy(arena, name);
	out->fields = cr_arena_copy(arena, fields, n * sizeof(fields[0]));
	out->n_fields = n;
	return true;
}

const struct perf_trace_field *
cr_perf_trace_field_find(const struct perf_tracepoint *t, struct cr_str name)
{
	for (uint32_t i = 0; i < t->n_fields; i++)
		if (cr_str_eq(t->fields[i].name, name))
			return &t->fields[i];
	return NULL;
}
