#include "java_frame_p.h"

/*
 * "java.base@11/java.lang.Thread.run": the part with a version, up to the slash, is the module.
 * Slashes of hidden classes ("A$$Lambda$1/0x0800c009f8.run") and of loaders without a version
 * belong to the name.
 */
static void
split_module(struct cr_str *s, struct cr_str *module)
{
	const char *at = s->len ? memchr(s->p, '@', s->len) : NULL;
	const char *slash = at ? memchr(at, '/', (size_t)(s->p + s->len - at)) : NULL;
	const char *before = at ? memrchr(s->p, '/', (size_t)(at - s->p)) : NULL;

	if (!slash)
		return;
	before = before ? before + 1 : s->p; /* after the loader */
	*module = (struct cr_str){before, (uint32_t)(slash - before)};
	*s = cr_str_from(*s, slash + 1);
}

/* "Class.java:12", "Class.java", "Class.java:20(Compiled Code)", "Native Method" */
static void
split_place(struct cr_str s, struct cr_java_frame *out)
{
	const char *colon = s.len ? memrchr(s.p, ':', s.len) : NULL;
	const struct cr_str file = colon ? cr_str_to(s, colon) : s;
	struct cr_str digits = {0};
	uint64_t line = 0;

	if (file.len == 0 || memchr(file.p, ' ', file.len))
		return;
	out->file = file;
	if (!colon)
		return;
	digits.p = colon + 1;
	while (digits.p + digits.len < s.p + s.len && digits.p[digits.len] >= '0' &&
		digits.p[digits.len] <= '9')
		digits.len++;
	if (cr_scan_u64(digits, &line) && line <= INT32_MAX)
		out->line = (uint32_t)line;
}

bool
cr_java_frame(struct cr_str s, struct cr_java_frame *out)
{
	const char *open = s.len ? memchr(s.p, '(', s.len) : NULL, *close;
	struct cr_str place;

	*out = (struct cr_java_frame){0};
	if (!open)
		return false;
	out->name = cr_scan_trim(cr_str_to(s, open));
	if (out->name.len == 0)
		return false;
	split_module(&out->name, &out->module);
	place = cr_str_from(s, open + 1);
	close = place.len ? memchr(place.p, ')', place.len) : NULL;
	if (close)
		place = cr_str_to(place, close);
	split_module(&place, &out->module);
	split_place(place, out);
	return out->name.len > 0;
}

bool
cr_java_at(struct cr_str line, bool *is_at, struct cr_java_frame *out)
{
	struct cr_str s = cr_scan_trim(line);

	*is_at = cr_str_starts(s, "at ");
	if (!*is_at)
		return false;
	return cr_java_frame(cr_scan_trim(cr_str_from(s, s.p + 3)), out);
}

void
cr_java_push(struct cr_stacks *s, const struct cr_java_frame *f)
{
	const struct cr_named named = {f->name, f->file, f->line};
	cr_dso_id dso = CR_DSO_UNKNOWN;

	if (f->module.len)
		dso = cr_builder_dso(
			s->b, &(struct cr_dso){.name = f->module, .kind = CR_KIND_USER});
	cr_stacks_location(s, cr_builder_named_at(s->b, dso, 0, &named, 1));
}

struct cr_str
cr_java_pool(struct cr_str thread)
{
	uint32_t n = thread.len;

	while (n && thread.p[n - 1] >= '0' && thread.p[n - 1] <= '9')
		n--;
	if (n == thread.len || n == 0 || thread.p[n - 1] != '-')
		return thread;
	return (struct cr_str){thread.p, n - 1};
}
