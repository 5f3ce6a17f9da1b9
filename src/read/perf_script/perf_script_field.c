#include "perf_script_field_p.h"

#include "base/mem.h"
#include "bytes/scan.h"

void
cr_perf_script_fields_init(struct perf_script_fields *d)
{
	cr_line_cache_init(&d->known);
}

void
cr_perf_script_fields_fini(struct perf_script_fields *d)
{
	cr_line_cache_fini(&d->known);
}

static cr_field_id
field_of(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event, struct cr_str name,
	enum cr_form form)
{
	struct cr_hash128 h = cr_line_cache_hash(&d->known, name.p, name.len);
	struct cr_line_cache_slot *slot;
	cr_field_id id;

	h.lo = cr_hash_mix(h.lo, (uint64_t)event.i << 8 | (unsigned)form);
	slot = cr_line_cache_slot(&d->known, h);
	if (slot->row1)
		return (cr_field_id){slot->row1 - 1};
	id = cr_builder_field(b, event, name, form);
	if (id.i != CR_NO_ROW)
		cr_line_cache_add(&d->known, slot, h, id.i, 0);
	return id;
}

/* ---- tracepoints */

/* Modifiers after the ':' of an event that is no tracepoint. */
static bool
is_modifiers(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (!memchr("ukhGHIpPSDWebRX", s.p[i], 15))
			return false;
	return true;
}

bool
cr_perf_script_is_tracepoint(struct cr_str event)
{
	const char *colon = event.len ? memchr(event.p, ':', event.len) : NULL;
	uint32_t end = 0;

	if (!colon)
		return false;
	event.len = (uint32_t)(event.p + event.len - colon - 1);
	event.p = colon + 1;
	while (end < event.len && event.p[end] != ':')
		end++;
	return end && !is_modifiers((struct cr_str){event.p, end});
}

static bool
is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/*
 * Position of the next "name=" at or after `from`, at the start of a word; s.len if there is none.
 * *equals is the position of '='.
 */
static uint32_t
next_field(struct cr_str s, uint32_t from, uint32_t *equals)
{
	while (from < s.len) {
		uint32_t at = from;

		while (at < s.len && is_name(s.p[at]))
			at++;
		if (at > from && at < s.len && s.p[at] == '=' &&
			(at + 1 == s.len || s.p[at + 1] != '=')) {
			*equals = at;
			return from;
		}
		while (at < s.len && s.p[at] != ' ')
			at++;
		while (at < s.len && s.p[at] == ' ')
			at++;
		from = at;
	}
	return s.len;
}

/* Remove what separates two fields: blanks, commas, an arrow. */
static struct cr_str
field_value(struct cr_str s)
{
	s = cr_scan_trim(s);
	if (cr_str_ends(s, " ==>"))
		s.len -= 4;
	else if (cr_str_ends(s, ","))
		s.len--;
	return cr_scan_trim(s);
}

static void
field_put(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event, struct cr_str name,
	struct cr_str value)
{
	const bool negative = value.len > 1 && value.p[0] == '-';
	enum cr_form form = CR_FORM_TEXT;
	uint64_t v;

	if (cr_str_starts(value, "0x") && cr_scan_hex(value, &v)) {
		form = CR_FORM_HEX;
	} else if (cr_scan_u64((struct cr_str){value.p + negative, value.len - negative}, &v) &&
		   (!negative || v <= INT64_MAX)) {
		form = negative ? CR_FORM_SIGNED : CR_FORM_NUMBER;
		v = negative ? -v : v;
	} else {
		v = cr_builder_text(b, value);
	}
	cr_builder_value(b, field_of(d, b, event, name, form), v);
}

void
cr_perf_script_payload(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event,
	struct cr_str payload)
{
	uint32_t equals = 0, at = next_field(payload, 0, &equals);

	if (at != 0) {
		cr_builder_value(b, field_of(d, b, event, CR_STR("payload"), CR_FORM_TEXT),
			cr_builder_text(b, payload));
		return;
	}
	while (at < payload.len) {
		uint32_t equals_next = 0;
		const uint32_t next = next_field(payload, equals + 1, &equals_next);

		field_put(d, b, event, (struct cr_str){payload.p + at, equals - at},
			field_value((struct cr_str){payload.p + equals + 1, next - equals - 1}));
		at = next;
		equals = equals_next;
	}
}

/* ---- branches */

void
cr_perf_script_branches(struct perf_script_fields *d, struct cr_builder *b, cr_event_id event,
	const struct perf_script_branches *branches)
{
	cr_builder_value(b, field_of(d, b, event, CR_STR("branches"), CR_FORM_NUMBER), branches->n);
	cr_builder_value(b, field_of(d, b, event, CR_STR("mispredicted"), CR_FORM_NUMBER),
		branches->mispredicted);
	cr_builder_value(b, field_of(d, b, event, CR_STR("branch_cycles"), CR_FORM_NUMBER),
		branches->cycles);
}
