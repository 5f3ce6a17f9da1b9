#include "folded_frame_p.h"

#include "bytes/scan.h"

/* Split "FILE:12" into file and line. */
static bool
source_parse(struct cr_str s, struct folded_frame *out)
{
	const char *colon = s.len ? memrchr(s.p, ':', s.len) : NULL;
	struct cr_str file, number;
	uint64_t line;

	if (!colon || colon == s.p)
		return false;
	file = (struct cr_str){s.p, (uint32_t)(colon - s.p)};
	number = (struct cr_str){colon + 1, s.len - file.len - 1};
	if (!cr_scan_u64(number, &line) || line == 0 || line > UINT32_MAX)
		return false;
	out->file = file;
	out->line = (uint32_t)line;
	return true;
}

/* What follows the last `mark` in s; "" if there is none, or nothing before it. */
static struct cr_str
behind(struct cr_str s, const char *mark)
{
	const uint32_t n = (uint32_t)strlen(mark);

	for (uint32_t i = s.len; i > n; i--)
		if (s.p[i - 1] == mark[n - 1] && i > n && memcmp(s.p + i - n, mark, n) == 0)
			return (struct cr_str){s.p + i, s.len - i};
	return (struct cr_str){0};
}

static void
find_source(struct cr_str name, bool austin, struct folded_frame *out)
{
	struct cr_str place;

	if (name.p[name.len - 1] == ')') {
		place = behind(name, " (");
		if (place.len)
			source_parse((struct cr_str){place.p, place.len - 1}, out);
		return;
	}
	if (name.p[name.len - 1] < '0' || name.p[name.len - 1] > '9')
		return;
	place = behind(name, " - ");
	if (place.len && source_parse(place, out))
		return;
	/* "module:function:line": the first of two colons ends the file. */
	if (austin && source_parse(name, out)) {
		const char *colon = memrchr(out->file.p, ':', out->file.len);

		if (colon)
			out->file.len = (uint32_t)(colon - out->file.p);
		else
			*out = (struct folded_frame){.kind = out->kind};
	}
}

void
cr_folded_frame_parse(struct cr_str name, bool austin, struct folded_frame *out)
{
	*out = (struct folded_frame){0};
	if (cr_str_eq(name, CR_STR("-")) || cr_str_eq(name, CR_STR("--")))
		out->kind = CR_KIND_GROUP;
	else if (cr_str_ends(name, "_[k]"))
		out->kind = CR_KIND_KERNEL;
	else if (cr_str_ends(name, "_[j]"))
		out->kind = CR_KIND_JIT;
	else if (cr_str_ends(name, "_[i]"))
		out->inlined = true;
	else if (name.len)
		find_source(name, austin, out);
}

/* Parse "P12", followed by ';' or the end. */
static bool
number_after(struct cr_str *rest, char letter, int32_t *out)
{
	const char *semi = rest->len ? memchr(rest->p, ';', rest->len) : NULL;
	const uint32_t len = semi ? (uint32_t)(semi - rest->p) : rest->len;
	uint64_t v;

	if (len < 2 || rest->p[0] != letter ||
		!cr_scan_u64((struct cr_str){rest->p + 1, len - 1}, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	rest->p += len + (semi != NULL);
	rest->len -= len + (semi != NULL);
	return true;
}

bool
cr_folded_frame_task(struct cr_str stack, int32_t *pid, int32_t *tid)
{
	return number_after(&stack, 'P', pid) && number_after(&stack, 'T', tid);
}
