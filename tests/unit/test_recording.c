#include "testing.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/source.h"
#include "packing.h"
#include "session/recording_p.h"

#define HEAD "PERFILE2"

struct directory {
	char path[64];
	struct cr_text last;
};

static const char *
below(struct directory *f, const char *name)
{
	cr_text_clear(&f->last);
	cr_text_printf(&f->last, "%s/%s", f->path, name);
	return f->last.p;
}

static void
put(struct directory *f, const char *name, const char *bytes, size_t len)
{
	FILE *out = fopen(below(f, name), "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

static int
directory_make(void **state)
{
	struct directory *f = calloc(1, sizeof(*f));

	strcpy(f->path, "/tmp/cresset-test-XXXXXX");
	if (!mkdtemp(f->path))
		return -1;
	*state = f;
	return 0;
}

static int
directory_remove(void **state)
{
	static const char *const names[] = {
		"data", "data.0", "data.10", "data.2", "data.pipe", "kcore_dir/kallsyms"};
	struct directory *f = *state;

	for (size_t i = 0; i < CR_LEN(names); i++)
		unlink(below(f, names[i]));
	rmdir(below(f, "data.d"));
	rmdir(below(f, "kcore_dir"));
	rmdir(f->path);
	cr_text_fini(&f->last);
	free(f);
	return 0;
}

static void
test_a_file_is_a_recording_of_its_own(void **state)
{
	struct directory *f = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_recording r;
	struct cr_input in;

	put(f, "data", "a;b 1\n", 6);
	assert_int_equal(cr_recording_open(below(f, "data"), NULL, &r, &err), CR_OK);
	assert_int_equal(cr_recording_unpack(&r, NULL, &err), CR_OK);
	in = cr_recording_input(&r);
	assert_int_equal(in.len, 6);
	assert_memory_equal(in.p, "a;b 1\n", 6);
	assert_ptr_equal(in.source, r.main);
	assert_int_equal(in.n_streams, 0);
	assert_int_equal(r.identity, cr_source_identity(r.main));
	assert_false(cr_recording_damage(&r, &log));
	cr_recording_close(&r);
	assert_int_equal(cr_recording_open(below(f, "nothing"), NULL, &r, &err), CR_ENOTFOUND);
	cr_recording_close(&r);
}

static void
test_the_files_of_a_folder_are_streams_by_name(void **state)
{
	struct directory *f = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_recording r;
	struct cr_input in;

	put(f, "data", HEAD "x", 9);
	put(f, "data.2", "two", 3);
	put(f, "data.0", "", 0);
	put(f, "data.10", "ten!", 4);
	assert_int_equal(mkdir(below(f, "data.d"), 0700), 0);
	assert_int_equal(mkfifo(below(f, "data.pipe"), 0600), 0);
	assert_true(cr_recording_is_directory(f->path));
	assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_OK);
	assert_int_equal(cr_recording_unpack(&r, NULL, &err), CR_OK);
	in = cr_recording_input(&r);
	assert_int_equal(in.len, 9);
	assert_int_equal(in.n_streams, 3);
	assert_int_equal(in.streams[0].len, 0);
	assert_int_equal(in.streams[1].len, 4);
	assert_memory_equal(in.streams[1].p, "ten!", 4);
	assert_int_equal(in.streams[2].len, 3);
	assert_memory_equal(in.streams[2].p, "two", 3);
	assert_ptr_equal(in.streams[2].source, r.streams[2]);
	assert_false(r.has_kallsyms);
	cr_recording_close(&r);
}

static uint64_t
identity_of(const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_recording r;
	uint64_t identity;

	assert_int_equal(cr_recording_open(path, NULL, &r, &err), CR_OK);
	identity = r.identity;
	cr_recording_close(&r);
	return identity;
}

static void
test_any_file_that_changes_makes_it_another_recording(void **state)
{
	static const char *const names[] = {"data", "data.0", "data.2", "kcore_dir/kallsyms"};
	struct directory *f = *state;
	uint64_t seen[1 + CR_LEN(names)];

	put(f, "data", HEAD "x", 9);
	put(f, "data.0", "a", 1);
	seen[0] = identity_of(f->path);
	assert_int_equal(identity_of(f->path), seen[0]);
	assert_int_equal(mkdir(below(f, "kcore_dir"), 0700), 0);
	for (size_t i = 0; i < CR_LEN(names); i++) {
		put(f, names[i], HEAD "another", 15);
		seen[i + 1] = identity_of(f->path);
		for (size_t k = 0; k <= i; k++)
			assert_int_not_equal(seen[i + 1], seen[k]);
	}
}

static void
test_kallsyms_of_the_folder_are_found(void **state)
{
	struct directory *f = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_recording r;
	char text[8];

	put(f, "data", HEAD "x", 9);
	assert_int_equal(mkdir(below(f, "kcore_dir"), 0700), 0);
	put(f, "kcore_dir/kallsyms", "0 t x\n", 6);
	assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_OK);
	assert_true(r.has_kallsyms);
	assert_int_equal(pread(r.kallsyms_fd, text, sizeof(text), 0), 6);
	assert_memory_equal(text, "0 t x\n", 6);
	cr_recording_close(&r);
}

/* Whoever made the directory could have them lead to any file that the user may read. */
static void
test_links_in_a_folder_are_not_followed(void **state)
{
	struct directory *f = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_recording r;
	char to[80];

	put(f, "data.10", HEAD "x", 9);
	snprintf(to, sizeof(to), "%s/data.10", f->path);
	assert_int_equal(symlink(to, below(f, "data")), 0);
	assert_false(cr_recording_is_directory(f->path));
	assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_EFORMAT);
	assert_string_equal(err.text, "data: not a regular file; links are not followed here");
	cr_recording_close(&r);
	unlink(below(f, "data"));

	put(f, "data", HEAD "x", 9);
	assert_int_equal(mkdir(below(f, "kcore_dir"), 0700), 0);
	assert_int_equal(symlink(to, below(f, "kcore_dir/kallsyms")), 0);
	assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_OK);
	assert_false(r.has_kallsyms);
	cr_recording_close(&r);
	unlink(below(f, "kcore_dir/kallsyms"));
	rmdir(below(f, "kcore_dir"));

	put(f, "kallsyms", "0 t x\n", 6);
	assert_int_equal(symlink(".", below(f, "kcore_dir")), 0);
	assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_OK);
	assert_false(r.has_kallsyms);
	cr_recording_close(&r);
	unlink(below(f, "kallsyms"));
	unlink(below(f, "kcore_dir"));

	assert_int_equal(symlink(to, below(f, "data.2")), 0);
	assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_EFORMAT);
	assert_string_equal(err.text, "data.2: not a regular file; links are not followed here");
	cr_recording_close(&r);
}

static void
test_a_folder_without_a_recording_is_none(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t len;
	} cases[] = {
		{"data.0", HEAD, 8},
		{"data", "", 0},
		{"data", "a;b 1\n", 6},
	};
	struct directory *f = *state;

	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_recording r;

		put(f, cases[i].name, cases[i].bytes, cases[i].len);
		assert_false(cr_recording_is_directory(f->path));
		assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_EFORMAT);
		assert_non_null(strstr(err.text, "is a directory"));
		cr_recording_close(&r);
	}
	assert_false(cr_recording_is_directory(below(f, "data")));
}

static void
test_damage_of_any_file_is_logged(void **state)
{
	struct directory *f = *state;
	struct cr_text packed = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_recording r;
	size_t end;

	pack_zstd(&packed, "records", 7);
	end = packed.len;
	cr_text_puts(&packed, "tail");
	put(f, "data", HEAD "x", 9);
	put(f, "data.0", packed.p, packed.len);
	assert_int_equal(cr_recording_open(f->path, NULL, &r, &err), CR_OK);
	assert_int_equal(cr_recording_unpack(&r, NULL, &err), CR_OK);
	assert_int_equal(cr_recording_input(&r).streams[0].len, 7);
	assert_true(cr_recording_damage(&r, &log));
	assert_int_equal(log.n, 1);
	assert_int_equal(log.entries[0].offset, end);
	cr_recording_close(&r);
	cr_text_fini(&packed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_a_file_is_a_recording_of_its_own, directory_make, directory_remove),
		cmocka_unit_test_setup_teardown(test_the_files_of_a_folder_are_streams_by_name,
			directory_make, directory_remove),
		cmocka_unit_test_setup_teardown(
			test_any_file_that_changes_makes_it_another_recording, directory_make,
			directory_remove),
		cmocka_unit_test_setup_teardown(
			test_links_in_a_folder_are_not_followed, directory_make, directory_remove),
		cmocka_unit_test_setup_teardown(
			test_kallsyms_of_the_folder_are_found, directory_make, directory_remove),
		cmocka_unit_test_setup_teardown(test_a_folder_without_a_recording_is_none,
			directory_make, directory_remove),
		cmocka_unit_test_setup_teardown(
			test_damage_of_any_file_is_logged, directory_make, directory_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
