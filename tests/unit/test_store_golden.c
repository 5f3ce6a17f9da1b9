#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <unistd.h>

#include "bytes/source.h"
#include "profile_dump.h"
#include "store/format/directory_p.h"
#include "store/format/layout_p.h"
#include "store/store.h"
#include "testing.h"

/*
 * Files that earlier releases wrote, and what those found in them: tests/fixtures/NAME.cresset and
 * NAME.dump. They stay as they are for as long as there are releases. DUMP=1 writes the dump of a
 * file that has none yet.
 */
static const char *
dump_name(enum dump_table which)
{
	static const char *const names[DUMP_TABLES] = {
		"summary",
		"objects",
		"functions",
		"threads",
		"outline",
		"locations",
		"lines",
		"line numbers",
		"location tree",
		"mappings",
		"times",
		"weights",
		"threads of samples",
		"stacks of samples",
		"cpus",
		"events of samples",
		"zones",
		"details",
		"values and texts",
		"code",
		"text of source lines",
		"quality",
		"threads of the recording",
		"sizes of functions",
	};

	return names[which];
}

/* Older dumps have no heads of tables that came later. */
static bool
is_dumped(const struct cr_profile *p, enum dump_table which)
{
	struct cr_text rows = {0};
	bool has_rows;

	if (which < DUMP_THREADS)
		return true;
	dump_table(p, which, &rows);
	has_rows = rows.len;
	cr_text_fini(&rows);
	return has_rows;
}

static void
dump_all(const struct cr_profile *p, struct cr_text *t)
{
	cr_text_printf(t, "flags %u\n", p->flags);
	for (int which = 0; which < DUMP_TABLES; which++) {
		if (!is_dumped(p, (enum dump_table)which))
			continue;
		cr_text_printf(t, "%s\n", dump_name((enum dump_table)which));
		dump_table(p, (enum dump_table)which, t);
		cr_text_puts(t, "\n");
	}
}

static void
fixture_path(char *out, size_t size, const char *name, const char *ending)
{
	snprintf(out, size, "%s/%s%s", getenv("FIX"), name, ending);
}

static void
dump_is(const char *name, const struct cr_text *have)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *src;
	char path[4096];

	fixture_path(path, sizeof(path), name, ".dump");
	if (getenv("DUMP") && access(path, F_OK) < 0) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		fwrite(have->p, 1, have->len, f);
		fclose(f);
	}
	assert_int_equal(cr_source_open(path, CR_SOURCE_MAX_PIPE, &src, &err), CR_OK);
	assert_int_equal(cr_source_len(src), have->len);
	assert_memory_equal(cr_source_bytes(src), have->p, have->len);
	cr_source_close(src);
}

static const char *const names[] = {"good-first", "good-inlined", "good-together", "v1-packed",
	"v1-stored", "v1-large", "v1-default", "v2-default", "v2-stacks", "v2-weights", "v2-short",
	"v2-threads", "v3-tree", "v3-times", "v4-times", "v4-planes", "v4-texts"};

static void
test_what_earlier_releases_stored_is_read_to_the_last_number(void **state)
{
	(void)state;
	if (!getenv("FIX"))
		testing_skip("FIX, the directory of the fixtures, is not set");
	for (size_t i = 0; i < CR_LEN(names); i++) {
		struct cr_log log = {0};
		struct cr_err err = CR_ERR_INIT;
		struct cr_text t = {0};
		struct cr_profile *p;
		char path[4096];

		fixture_path(path, sizeof(path), names[i], ".cresset");
		assert_int_equal(cr_store_verify(path, &log, &err), CR_OK);
		assert_int_equal(cr_store_open(path, CR_STORE_ALL, &p, &log, &err), CR_OK);
		assert_int_equal(log.n, 0);
		dump_all(p, &t);
		dump_is(names[i], &t);
		cr_text_fini(&t);
		cr_profile_free(p);
	}
}

/* What the files have of the format, added up over all of them. */
struct seen {
	bool section[CR_SECTIONS], several[CR_SECTIONS];
	bool packed, stored, coding[CR_CODINGS];
	bool phrases;
	bool format[CR_STORE_FORMAT_KNOWN + 1], streams, ticks;
	bool modelled[CR_MODELLED_TICKS - CR_MODELLED_NUMBERS + 1];
};

/* The codings of a table's block that is stored as it is. */
static void
see_codings(const struct cr_block *b, const unsigned char *bytes, uint32_t id, struct seen *seen)
{
	uint64_t values[64];
	struct cr_cursor c;

	cr_cursor_init(&c, bytes, b->raw_bytes);
	for (uint32_t k = 0; k < cr_layout_of(id)->n_fields; k++) {
		assert_true(c.p[0] < CR_CODINGS && b->rows <= CR_LEN(values));
		seen->coding[c.p[0]] = true;
		assert_true(cr_column_read(&c, values, b->rows));
	}
}

/* The codings of the modelled columns of a block. */
static void
see_modelled(const struct cr_block *b, const unsigned char *bytes, uint32_t id, struct seen *seen)
{
	struct cr_unpacker *unpacker = cr_unpacker_new();
	unsigned char *raw = cr_alloc(b->raw_bytes + 1, 1);
	uint64_t values[1024];
	uint32_t before[1024];
	struct cr_err err = CR_ERR_INIT;
	struct cr_cursor c;

	assert_true(b->rows <= CR_LEN(values));
	assert_int_equal(cr_unpacker_unpack(unpacker, bytes, b, raw, &err), CR_OK);
	cr_cursor_init(&c, raw, b->raw_bytes);
	for (uint32_t k = 0; k < cr_layout_of(id)->n_fields; k++) {
		const bool modelled = cr_modelled_is_next(&c);

		if (modelled)
			seen->modelled[*c.p - CR_MODELLED_NUMBERS] = true;
		if (cr_column_is_ticks(&c))
			seen->ticks = true;
		if (cr_modelled_needs_samples(&c) || cr_column_is_ticks(&c))
			break; /* it has no other column */
		assert_true(modelled ? cr_modelled_read(&c, values, b->rows,
					       &(struct cr_modelled_sides){.before = before})
				     : cr_column_read(&c, values, b->rows));
		for (uint32_t i = 0; i < b->rows; i++)
			before[i] = (uint32_t)values[i];
	}
	cr_unpacker_free(unpacker);
	free(raw);
}

static void
see(const char *name, struct seen *seen)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_directory dir;
	struct cr_source *src;
	char path[4096];

	fixture_path(path, sizeof(path), name, ".cresset");
	assert_int_equal(cr_source_open(path, CR_SOURCE_MAX_PIPE, &src, &err), CR_OK);
	assert_int_equal(
		cr_directory_read(cr_source_bytes(src), cr_source_len(src), false, &dir, &err),
		CR_OK);
	seen->format[dir.format] = true;
	for (uint32_t i = 0; i < dir.n_sections; i++) {
		const struct cr_section *s = &dir.sections[i];

		assert_true(s->id < CR_SECTIONS && s->version <= cr_layout_version(s->id));
		assert_true(s->version <= (name[0] == 'v' ? (unsigned)(name[1] - '0') : 1u));
		seen->phrases |= cr_layout_of(s->id)->phrases && s->version == CR_SECTION_PHRASES;
		seen->streams |= s->version == CR_SECTION_STREAMS;
		seen->section[s->id] = true;
		seen->several[s->id] |= s->n_blocks > 1;
		for (uint32_t k = 0; k < s->n_blocks; k++) {
			const struct cr_block *b = &dir.blocks[s->first_block + k];

			seen->packed |= b->stored_bytes < b->raw_bytes;
			seen->stored |= b->stored_bytes == b->raw_bytes;
			if (b->stored_bytes == b->raw_bytes && strcmp(name, "v1-stored") == 0)
				see_codings(b, cr_source_bytes(src) + b->offset, s->id, seen);
			if (s->version == 2 || (s->version > 2 && s->id == CR_SECTION_COLUMN))
				see_modelled(b, cr_source_bytes(src) + b->offset, s->id, seen);
		}
	}
	cr_directory_fini(&dir);
	cr_source_close(src);
}

static void
test_there_is_no_part_of_the_format_that_none_of_them_has(void **state)
{
	struct seen seen = {0};

	(void)state;
	if (!getenv("FIX"))
		testing_skip("FIX, the directory of the fixtures, is not set");
	for (size_t i = 0; i < CR_LEN(names); i++)
		see(names[i], &seen);
	assert_true(seen.packed && seen.stored);
	for (unsigned format = 1; format <= CR_STORE_FORMAT_KNOWN; format++)
		assert_true(seen.format[format]);
	for (unsigned c = 0; c < CR_CODINGS; c++)
		assert_true(seen.coding[c]);
	assert_true(seen.streams && seen.ticks && seen.phrases);
	for (size_t i = 0; i < CR_LEN(seen.modelled); i++)
		assert_true(seen.modelled[i]);
	for (uint32_t id = 1; id < CR_SECTIONS; id++) {
		if (id == CR_SECTION_PADDING)
			continue; /* of stores with millions of samples alone: test_zones */
		assert_true(seen.section[id]);
		assert_true(seen.several[id] || id == CR_SECTION_SUMMARY);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_earlier_releases_stored_is_read_to_the_last_number),
		cmocka_unit_test(test_there_is_no_part_of_the_format_that_none_of_them_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
