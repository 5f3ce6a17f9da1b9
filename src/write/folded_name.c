#include "folded_name_p.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

/* True if no character of the name has a special meaning in a line. */
static bool
is_plain(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] == ';' || is_blank(s.p[i]))
			return false;
	return true;
}

/* A name from folded stacks has no such characters, unless the profile is damaged. */
static bool
is_as_is(const struct cr_frame *f)
{
	return f->as_is != CR_AS_TIDY && !f->group &&
	       !(f->name.len && memchr(f->name.p, ';', f->name.len)) &&
	       !(f->name.len && memchr(f->name.p, '\n', f->name.len));
}

struct cr_str
cr_folded_name(const struct cr_frame *f, struct cr_arena *made)
{
	const bool comm = f->group;
	struct cr_str s = f->name;
	char *p;

	if (is_as_is(f))
		return f->as_is == CR_AS_EMPTY || s.len == 0 ? CR_STR("") : s;
	while (s.len > 0 && is_blank(s.p[s.len - 1]))
		s.len--;
	while (s.len > 0 && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	if (s.len == 0)
		return CR_STR("-");
	if (is_plain(s)) /* most are, and one may have gigabytes */
		return s;
	p = cr_arena_copy(made, s.p, s.len);
	for (uint32_t i = 0; i < s.len; i++) {
		if (p[i] == ';')
			p[i] = ':';
		else if (is_blank(p[i]))
			p[i] = comm ? '_' : ' ';
	}
	return (struct cr_str){p, s.len};
}
