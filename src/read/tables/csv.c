#include "csv_p.h"

#define NUMBER_BYTES 64u /* maximum length of a number without separators */

void
cr_csv_header(struct cr_csv *c, struct cr_str line)
{
	static const char delimiters[] = ",;\t";
	size_t most = 0;

	c->delimiter = ',';
	for (const char *d = delimiters; *d; d++) {
		size_t n = 0;

		for (uint32_t i = 0; i < line.len; i++)
			n += line.p[i] == *d;
		if (n > most) {
			most = n;
			c->delimiter = *d;
		}
	}
	cr_csv_line(c, line);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Parse quoted text at p, after the first quote; with doubled quotes the result is in the buffer.
 */
static const char *
quoted_field(struct cr_csv *c, const char *p, const char *end, struct cr_str *text)
{
	const char *quote;

	*text = (struct cr_str){p, 0};
	while ((quote = memchr(p, '"', (size_t)(end - p))) && quote + 1 < end && quote[1] == '"') {
		cr_text_put(&c->room, p, (size_t)(quote + 1 - p));
		p = quote + 2;
	}
	quote = quote ? quote : end;
	if (p == text->p) {
		text->len = (uint32_t)(quote - p);
		return quote;
	}
	cr_text_put(&c->room, p, (size_t)(quote - p));
	return quote;
}

/* Parse a field at p. Returns the position of the delimiter or the end. */
static const char *
field_read(struct cr_csv *c, const char *p, const char *end, struct cr_csv_field *f, bool *closed)
{
	const char *start = p, *stop;
	const size_t at = c->room.len;

	while (p < end && is_blank(*p) && *p != c->delimiter)
		p++;
	*f = (struct cr_csv_field){{p, 0}, (uint32_t)(p - start)};
	if (p == end || *p != '"' || c->delimiter == '\t') {
		stop = p < end ? memchr(p, c->delimiter, (size_t)(end - p)) : end;
		stop = stop ? stop : end;
		f->text.len = (uint32_t)(stop - p);
		return stop;
	}
	p = quoted_field(c, p + 1, end, &f->text);
	if (c->room.len > at)
		f->text = (struct cr_str){c->room.p + at, (uint32_t)(c->room.len - at)};
	*closed = p < end;
	stop = p < end ? memchr(p, c->delimiter, (size_t)(end - p)) : NULL;
	return stop ? stop : end;
}

bool
cr_csv_line(struct cr_csv *c, struct cr_str line)
{
	const char *p = line.p, *end = p + line.len;
	bool closed = true;

	c->fields.n = 0;
	cr_text_clear(&c->room);
	if (line.len && memchr(line.p, '"', line.len)) {
		/* Allocate once, since fields point into it. */
		cr_text_pad(&c->room, ' ', line.len);
		cr_text_clear(&c->room);
	}
	for (;; p++) {
		struct cr_csv_field f;

		p = field_read(c, p, end, &f, &closed);
		while (f.text.len && is_blank(f.text.p[0])) {
			f.text.p++;
			f.text.len--;
			f.blanks++;
		}
		f.text = cr_scan_trim(f.text);
		cr_vec_push(&c->fields, f);
		if (p == end)
			return closed;
	}
}

void
cr_csv_fini(struct cr_csv *c)
{
	cr_vec_fini(&c->fields);
	cr_text_fini(&c->room);
}

int
cr_csv_column(const struct cr_csv *c, const char *name)
{
	for (size_t i = 0; i < c->fields.n; i++)
		if (cr_str_eq(c->fields.p[i].text, cr_str_of(name)))
			return (int)i;
	return -1;
}

struct cr_str
cr_csv_text(const struct cr_csv *c, int column)
{
	return column >= 0 && (size_t)column < c->fields.n ? c->fields.p[column].text : CR_STR("");
}

/*
 * Length of a character that can only separate groups of digits: several kinds of blanks, an
 * apostrophe; 0 if it is none.
 */
static uint32_t
group_bytes(const char *p, uint32_t left)
{
	if (*p == ' ' || *p == '\'')
		return 1;
	if (left >= 2 && memcmp(p, "\xc2\xa0", 2) == 0)
		return 2;
	return left >= 3 && memcmp(p, "\xe2\x80\xaf", 3) == 0 ? 3 : 0;
}

bool
cr_csv_number(struct cr_str s, unsigned scale, uint64_t *out)
{
	char text[NUMBER_BYTES];
	uint32_t n = 0, marks = 0, last = 0, kept = 0;
	bool mixed = false;
	struct cr_decimal d;

	s = cr_scan_trim(s);
	if (s.len && s.p[s.len - 1] == '%')
		s = cr_scan_trim((struct cr_str){s.p, s.len - 1});
	for (uint32_t i = 0; i < s.len;) {
		const uint32_t group = group_bytes(s.p + i, s.len - i);

		if (!group && n == NUMBER_BYTES)
			return false;
		if (!group && (s.p[i] == '.' || s.p[i] == ',')) {
			mixed = mixed || (marks && text[last] != s.p[i]);
			last = n;
			marks++;
		}
		if (!group)
			text[n++] = s.p[i];
		i += group ? group : 1;
	}
	/* The last mark is the decimal point, unless all of them separate groups. */
	if (marks && !mixed && (marks > 1 || (scale == 0 && n - last == 4)))
		last = NUMBER_BYTES;
	for (uint32_t i = 0; i < n; i++) {
		if (marks && i == last)
			text[kept++] = '.';
		else if (text[i] != '.' && text[i] != ',')
			text[kept++] = text[i];
	}
	if (!cr_scan_decimal((struct cr_str){text, kept}, scale, &d) || (d.negative && d.value))
		return false;
	*out = d.value;
	return true;
}
