#include "folded_header_p.h"

#include "bytes/scan.h"

/* Skip the text if it comes next. */
static bool
pass(struct cr_str *rest, const char *text)
{
	const uint32_t n = (uint32_t)strlen(text);

	if (!cr_str_starts(*rest, text))
		return false;
	*rest = (struct cr_str){rest->p + n, rest->len - n};
	return true;
}

static bool
parse_quoted(struct cr_str *rest, struct cr_text *out)
{
	if (!pass(rest, "\""))
		return false;
	for (uint32_t i = 0; i < rest->len; i++) {
		if (rest->p[i] == '"') {
			*rest = cr_str_from(*rest, rest->p + i + 1);
			return true;
		}
		i += rest->p[i] == '\\' && i + 1 < rest->len;
		cr_text_char(out, rest->p[i]);
	}
	return false;
}

static bool
parse_unit(struct cr_str *rest, struct cr_text *out)
{
	uint32_t n = 0;

	if (rest->len && rest->p[0] == '"')
		return parse_quoted(rest, out) && out->len;
	while (n < rest->len && rest->p[n] != ',' && rest->p[n] != ' ' && rest->p[n] != '"')
		n++;
	cr_text_put(out, rest->p, n);
	*rest = cr_str_from(*rest, rest->p + n);
	return n > 0;
}

static bool
parse_number(struct cr_str *rest, uint64_t *out)
{
	uint32_t n = 0;

	while (n < rest->len && rest->p[n] >= '0' && rest->p[n] <= '9')
		n++;
	if (!cr_scan_u64(cr_str_to(*rest, rest->p + n), out))
		return false;
	*rest = cr_str_from(*rest, rest->p + n);
	return true;
}

static bool
parse_samples(struct cr_str *rest, struct folded_header *out)
{
	if (!parse_number(rest, &out->samples[0]))
		return false;
	out->n_samples = 1;
	if (pass(rest, " and ")) {
		if (!parse_number(rest, &out->samples[1]))
			return false;
		out->n_samples = 2;
	}
	return pass(rest, " samples") || pass(rest, " sample");
}

static bool
parse_all(struct cr_str rest, struct folded_header *out)
{
	if (!pass(&rest, "# event ") || !parse_quoted(&rest, &out->event) || !out->event.len)
		return false;
	if (!pass(&rest, ", unit ") || !parse_unit(&rest, &out->unit))
		return false;
	if (pass(&rest, ", ") && !parse_samples(&rest, out))
		return false;
	return !rest.len;
}

bool
cr_folded_header_parse(struct cr_str line, struct folded_header *out)
{
	*out = (struct folded_header){0};
	if (parse_all(cr_scan_trim(line), out))
		return true;
	cr_folded_header_fini(out);
	return false;
}

void
cr_folded_header_fini(struct folded_header *h)
{
	cr_text_fini(&h->event);
	cr_text_fini(&h->unit);
	*h = (struct folded_header){0};
}

bool
cr_folded_header_is(struct cr_str line)
{
	struct folded_header h;
	const bool is = cr_folded_header_parse(line, &h);

	cr_folded_header_fini(&h);
	return is;
}

bool
cr_folded_header_differs(const struct folded_header *h, struct cr_str line)
{
	struct folded_header other;
	bool differs;

	if (!cr_folded_header_parse(line, &other))
		return false;
	differs = !cr_str_eq(cr_text_view(&h->event), cr_text_view(&other.event)) ||
		  !cr_str_eq(cr_text_view(&h->unit), cr_text_view(&other.unit));
	cr_folded_header_fini(&other);
	return differs;
}
