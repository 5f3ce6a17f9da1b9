#include "palette_map_p.h"

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "bytes/scan.h"
#include "bytes/source.h"

#include <stdlib.h>
#include <unistd.h>

struct entry {
	struct cr_str name;
	uint32_t rgb;
};

struct map {
	CR_VEC(struct entry) entries;
	struct cr_index index;
};

static void
map_add(struct map *m, struct cr_str name, uint32_t rgb)
{
	cr_index_add(&m->index, cr_hash(name.p, name.len), (uint32_t)m->entries.n);
	cr_vec_push(&m->entries, ((struct entry){name, rgb}));
}

static const struct entry *
map_find(const struct map *m, struct cr_str name)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t row;

	cr_index_each(&m->index, h, row)
		if (cr_str_eq(m->entries.p[row].name, name))
			return &m->entries.p[row];
	return NULL;
}

/* Parse "12,", a number up to 255 and the byte after it. */
static bool
parse_part(struct cr_str *s, char after, uint32_t *rgb)
{
	const char *end = s->len ? memchr(s->p, after, s->len) : NULL;
	uint64_t v;

	if (!end || !cr_scan_u64(cr_str_to(*s, end), &v) || v > 255)
		return false;
	*rgb = *rgb << 8 | (uint32_t)v;
	*s = cr_str_from(*s, end + 1);
	return true;
}

/* Parse "NAME->rgb(1,2,3)". The name may hold "->". */
static bool
parse_entry(struct cr_str line, struct entry *out)
{
	const struct cr_str arrow = CR_STR("->rgb(");
	const char *at = NULL;
	struct cr_str rest;

	for (uint32_t i = 0; i + arrow.len <= line.len; i++)
		if (memcmp(line.p + i, arrow.p, arrow.len) == 0)
			at = line.p + i;
	if (!at)
		return false;
	*out = (struct entry){.name = cr_str_to(line, at)};
	rest = cr_str_from(line, at + arrow.len);
	return parse_part(&rest, ',', &out->rgb) && parse_part(&rest, ',', &out->rgb) &&
	       parse_part(&rest, ')', &out->rgb) && rest.len == 0;
}

static int
by_name(const void *x, const void *y)
{
	return cr_str_cmp(((const struct entry *)x)->name, ((const struct entry *)y)->name);
}

static int
map_write(struct map *m, struct cr_err *err)
{
	struct cr_atomic_file f;
	struct cr_text t = {0};
	int rc;

	if (m->entries.n)
		qsort(m->entries.p, m->entries.n, sizeof(*m->entries.p), by_name);
	for (size_t i = 0; i < m->entries.n; i++) {
		const struct entry *e = &m->entries.p[i];

		cr_text_put(&t, e->name.p, e->name.len);
		cr_text_printf(
			&t, "->rgb(%u,%u,%u)\n", e->rgb >> 16, e->rgb >> 8 & 255, e->rgb & 255);
	}
	rc = cr_atomic_open(CR_PALETTE_MAP, 0666, NULL, &f, err);
	if (rc == CR_OK)
		rc = cr_atomic_write(&f, t.p, t.len, err);
	if (rc == CR_OK)
		rc = cr_atomic_commit(&f, CR_ATOMIC_REPLACE, err);
	cr_atomic_close(&f);
	cr_text_fini(&t);
	return rc;
}

/* Marks such as "-" have no colour of their own and are not listed. */
static void
color_frames(struct map *m, const struct cr_tree *t, enum cr_palette palette, uint32_t *color1)
{
	for (uint32_t i = 1; i < t->n_frames; i++) {
		const struct entry *e = map_find(m, t->frames[i].name);

		if (!e && cr_frame_is_group(&t->frames[i]))
			continue;
		if (!e)
			map_add(m, t->frames[i].name, cr_palette_frame(palette, &t->frames[i]));
		color1[i] = 1 + (e ? e->rgb : m->entries.p[m->entries.n - 1].rgb);
	}
}

int
cr_palette_map_apply(
	const struct cr_tree *t, enum cr_palette palette, uint32_t *color1, struct cr_err *err)
{
	struct cr_source *s = NULL;
	struct cr_scan scan;
	struct cr_str line;
	struct map m = {0};
	struct entry e;
	int rc = CR_OK;

	if (access(CR_PALETTE_MAP, F_OK) == 0)
		rc = cr_source_open(CR_PALETTE_MAP, CR_SOURCE_MAX_PIPE, &s, err);
	if (s) {
		cr_scan_init(&scan, cr_source_bytes(s), cr_source_len(s));
		while (cr_scan_line(&scan, &line))
			if (parse_entry(line, &e) && !map_find(&m, e.name))
				map_add(&m, e.name, e.rgb);
	}
	if (rc == CR_OK) {
		color_frames(&m, t, palette, color1);
		rc = map_write(&m, err);
	}
	cr_source_close(s);
	cr_vec_fini(&m.entries);
	cr_index_fini(&m.index);
	return rc;
}
