#include "dname_p.h"

#include "base/mem.h"

#include <string.h>

#define MAX_TEXT ((size_t)64 << 10)
#define MAX_DEPTH 256 /* nesting; each level takes some hundred bytes of stack */

char
cr_dname_peek(const struct cr_dname *r, size_t ahead)
{
	return !r->bad && ahead < r->end - r->at ? r->name[r->at + ahead] : '\0';
}

bool
cr_dname_next(struct cr_dname *r, const char *what)
{
	const size_t len = strlen(what);

	if (r->bad || len > r->end - r->at || memcmp(r->name + r->at, what, len) != 0)
		return false;
	r->at += len;
	return true;
}

void
cr_dname_burn(struct cr_dname *r, size_t steps)
{
	if (steps > r->fuel)
		r->bad = true;
	r->fuel -= (uint32_t)CR_MIN(steps, r->fuel);
}

void
cr_dname_put(struct cr_dname *r, const char *p, size_t len)
{
	cr_dname_burn(r, len);
	if (r->out->len + len > MAX_TEXT)
		r->bad = true;
	if (!r->bad)
		cr_text_put(r->out, p, len);
}

void
cr_dname_puts(struct cr_dname *r, const char *s)
{
	cr_dname_put(r, s, strlen(s));
}

void
cr_dname_move_to_end(struct cr_dname *r, size_t from, size_t middle)
{
	const size_t len = middle - from, end = r->out->len;

	cr_dname_burn(r, end - from);
	if (r->bad || len == 0)
		return;
	cr_text_pad(r->out, '\0', len);
	memcpy(r->out->p + end, r->out->p + from, len);
	memmove(r->out->p + from, r->out->p + middle, end - from);
	r->out->len = end;
	r->out->p[end] = '\0';
}

void
cr_dname_cut(struct cr_dname *r, size_t len)
{
	if (r->out->len > len) {
		r->out->len = len;
		r->out->p[len] = '\0';
	}
}

bool
cr_dname_enter(struct cr_dname *r)
{
	cr_dname_burn(r, 1);
	if (r->depth == MAX_DEPTH)
		r->bad = true;
	if (!r->bad)
		r->depth++;
	return !r->bad;
}

void
cr_dname_leave(struct cr_dname *r)
{
	r->depth--;
}

uint32_t
cr_dname_number(struct cr_dname *r)
{
	uint32_t n = 0;

	if (!cr_dname_digit(cr_dname_peek(r, 0)))
		r->bad = true;
	while (cr_dname_digit(cr_dname_peek(r, 0))) {
		if (n > (UINT32_MAX - 9) / 10)
			r->bad = true;
		n = n * 10 + (uint32_t)(r->name[r->at++] - '0');
	}
	return n;
}

bool
cr_dname_reference(struct cr_dname *r, size_t *target)
{
	const size_t start = r->at;
	size_t n = 0;

	for (r->at++; cr_dname_peek(r, 0) >= 'A' && cr_dname_peek(r, 0) <= 'Z' && n <= start;
		r->at++)
		n = n * 26 + (size_t)(cr_dname_peek(r, 0) - 'A');
	n = n * 26 + (size_t)(cr_dname_peek(r, 0) - 'a');
	if (cr_dname_peek(r, 0) < 'a' || cr_dname_peek(r, 0) > 'z' || n == 0 || n > start)
		r->bad = true;
	r->at++;
	*target = r->bad ? 0 : start - n;
	return !r->bad;
}
