#include "mappings_p.h"

#include "bytes/scan.h"

#include <stdlib.h>

static int
digit_of(char c)
{
	uint64_t d;

	return cr_scan_hex((struct cr_str){&c, 1}, &d) ? (int)d : -1;
}

/* Parse pairs of hexadecimal digits, as many as fit. Anything else is no build-id. */
static void
build_id_parse(struct cr_str s, struct cr_dso *out)
{
	if (s.len == 0 || s.len % 2 || s.len / 2 > sizeof(out->build_id))
		return;
	for (uint32_t i = 0; i < s.len; i += 2) {
		const int high = digit_of(s.p[i]), low = digit_of(s.p[i + 1]);

		if (high < 0 || low < 0)
			return;
		out->build_id[i / 2] = (uint8_t)(high << 4 | low);
	}
	out->build_id_len = (uint8_t)(s.len / 2);
}

static enum cr_kind
kind_of(struct cr_str file)
{
	if (cr_str_starts(file, "[kernel"))
		return CR_KIND_KERNEL;
	if (cr_str_starts(file, "[vdso]") || cr_str_starts(file, "[vsyscall]"))
		return CR_KIND_VDSO;
	return cr_str_starts(file, "[") || cr_str_starts(file, "//") ? CR_KIND_UNKNOWN
								     : CR_KIND_USER;
}

cr_dso_id
cr_mapping_dso(struct cr_builder *b, struct cr_str file, struct cr_str build_id, bool *has_id)
{
	struct cr_dso o = {.name = file, .kind = (uint8_t)kind_of(file)};

	build_id_parse(build_id, &o);
	*has_id = o.build_id_len && o.kind == CR_KIND_USER;
	return file.len || o.build_id_len ? cr_builder_dso(b, &o) : CR_DSO_UNKNOWN;
}

/* "00400000-00fcb000" or "0x40000-0x80000:" */
static bool
range_parse(struct cr_str word, struct cr_mapping *out)
{
	const char *dash;

	if (word.len && word.p[word.len - 1] == ':')
		word.len--;
	dash = word.len ? memchr(word.p, '-', word.len) : NULL;
	if (!dash)
		return false;
	return cr_scan_hex(cr_str_to(word, dash), &out->start) &&
	       cr_scan_hex(cr_str_from(word, dash + 1), &out->end);
}

bool
cr_mappings_is_line(struct cr_str line)
{
	struct cr_mapping any;

	return range_parse(cr_scan_word(&line), &any);
}

static bool
is_permissions(struct cr_str word)
{
	if (word.len != 4)
		return false;
	for (uint32_t i = 0; i < word.len; i++)
		if (!strchr("rwxps-", word.p[i]) || !word.p[i])
			return false;
	return true;
}

bool
cr_mappings_line(struct cr_mappings *m, struct cr_builder *b, struct cr_str line)
{
	struct cr_mapping new = {0};
	struct cr_str rest = line, word, file, id = CR_STR("");

	if (!range_parse(cr_scan_word(&rest), &new))
		return false;
	file = word = cr_scan_word(&rest);
	if (is_permissions(word)) {
		if (!memchr(word.p, 'x', word.len))
			return true;
		cr_scan_hex(cr_scan_word(&rest), &new.offset);
		cr_scan_word(&rest); /* device */
		cr_scan_word(&rest); /* inode */
		file = cr_scan_trim(rest);
	} else if (rest.len) {
		word = cr_scan_word(&rest);
		if (cr_str_starts(word, "(@") && cr_str_ends(word, ")")) {
			cr_scan_hex((struct cr_str){word.p + 2, word.len - 3}, &new.offset);
			word = cr_scan_word(&rest);
		}
		id = word;
	}
	new.dso = cr_mapping_dso(b, file, id, &new.has_id);
	cr_vec_push(&m->rows, new);
	return true;
}

static int
by_start(const void *x, const void *y)
{
	const struct cr_mapping *a = x, *b = y;

	return (a->start > b->start) - (a->start < b->start);
}

const struct cr_mapping *
cr_mappings_find(struct cr_mappings *m, uint64_t addr)
{
	size_t from = 0, to = m->rows.n;

	if (!m->sorted && m->rows.n)
		qsort(m->rows.p, m->rows.n, sizeof(*m->rows.p), by_start);
	m->sorted = true;
	while (from < to) { /* rows before `from` start at or before addr */
		const size_t mid = from + (to - from) / 2;

		if (m->rows.p[mid].start <= addr)
			from = mid + 1;
		else
			to = mid;
	}
	return from && addr < m->rows.p[from - 1].end ? &m->rows.p[from - 1] : NULL;
}

void
cr_mappings_fini(struct cr_mappings *m)
{
	cr_vec_fini(&m->rows);
}

cr_location_id
cr_mapping_nameless(struct cr_builder *b, const struct cr_mapping *mapping, uint64_t addr)
{
	const bool symbols = mapping && mapping->has_id && mapping->start <= addr;
	char hex[2 + 16 + 1];
	struct cr_named named;

	named = (struct cr_named){.name = {hex, (uint32_t)snprintf(hex, sizeof(hex), "0x%llx",
							(unsigned long long)addr)}};
	if (symbols)
		cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	return cr_builder_named_at(b, mapping ? mapping->dso : CR_DSO_UNKNOWN,
		symbols ? addr - mapping->start + mapping->offset : addr, &named, 1);
}
