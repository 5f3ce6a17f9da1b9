#include "testing.h"

#include "model/build/builder.h"
#include "symbol/elf/elf_p.h"
#include "symbol/symbolize.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "jit_maker.h"
#include "symbol/jit/jitdump.h"

struct place {
	struct cr_dso dso;
	uint64_t addr;
	uint64_t map_start, map_len, map_pgoff; /* no mapping when map_len is 0 */
};

/* What a recording says of itself; of nothing where it is not said. */
struct recorded {
	int32_t pid;
	const char *release;
	const char *ref_addr; /* of _text, in hex */
	const char *name;     /* of every function */
};

/* A profile of one sample a place, so that the place's row is its location's. */
static struct cr_profile *
profile_of(const struct place *places, size_t n, const struct recorded *r)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_task_id task = cr_builder_task(b, r->pid, r->pid, CR_STR("t"), space);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {.n = 0};
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	cr_builder_fact(b, "kernel.ref", CR_STR("_text"));
	if (r->ref_addr)
		cr_builder_fact(b, "kernel.ref.addr", cr_str_of(r->ref_addr));
	if (r->release)
		cr_builder_fact(b, "osrelease", cr_str_of(r->release));
	for (size_t i = 0; i < n; i++) {
		const cr_dso_id o = cr_builder_dso(b, &places[i].dso);
		const struct cr_named named = {.name = cr_str_of(r->name)};
		const cr_location_id l =
			r->name ? cr_builder_named_at(b, o, places[i].addr, &named, 1)
				: cr_builder_location(b, o, places[i].addr, 0);
		struct cr_sample s = {.weight = 1, .task = task, .event = event, .cpu = UINT16_MAX};

		if (places[i].map_len)
			cr_builder_map(b, space, places[i].map_start,
				places[i].map_start + places[i].map_len, places[i].map_pgoff, o);
		s.node = cr_builder_push(b, CR_ROOT, l);
		cr_builder_sample(b, &s);
	}
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static struct cr_profile *
symbolized_as(const struct recorded *r, const struct place *places, size_t n,
	const struct cr_symbol_opts *opts)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_symbolize(profile_of(places, n, r), opts, &p, &err), CR_OK);
	return p;
}

static struct cr_profile *
symbolized(const struct place *places, size_t n, const struct cr_symbol_opts *opts)
{
	return symbolized_as(&(struct recorded){.pid = 1}, places, n, opts);
}

static const struct cr_function *
function_at(const struct cr_profile *p, const struct place *place)
{
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		if (l->addr == place->addr && cr_str_eq(p->dsos[l->dso.i].name, place->dso.name))
			return &p->functions[p->lines[l->first_line].function.i];
	}
	fail();
	return NULL;
}

static void
expect(const struct cr_profile *p, const struct place *place, const char *name, uint64_t addr)
{
	const struct cr_function *f = function_at(p, place);

	assert_int_equal(f->name.len, strlen(name));
	assert_memory_equal(f->name.p, name, f->name.len);
	assert_int_equal(f->addr, addr);
}

static bool
has_quality(const struct cr_profile *p, const char *part)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (memmem(p->quality[i].what.p, p->quality[i].what.len, part, strlen(part)))
			return true;
	return false;
}

static void
file_make(const char *dir, const char *file, const char *bytes, size_t len)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	fclose(f);
}

/* A directory with one file, gone again with directory_remove(). */
static void
directory_make(char dir[32], const char *file, const char *text)
{
	strcpy(dir, "/tmp/test_symbolize.XXXXXX");
	assert_non_null(mkdtemp(dir));
	file_make(dir, file, text, strlen(text));
}

static void
directory_remove(const char *dir, const char *file)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	unlink(path);
	snprintf(path, sizeof(path), "%s/empty", dir);
	unlink(path);
	rmdir(dir);
}

/* This program as a place: where cr_symbolize() starts in its file. False when it is stripped. */
static bool
own_place(struct place *out, char path[4096])
{
	struct cr_elf *e = cr_elf_open(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	const ssize_t len = readlink("/proc/self/exe", path, 4095);
	struct cr_symtab t = {0};
	struct cr_build_id id;

	assert_non_null(e);
	assert_true(len > 0);
	path[len] = '\0';
	*out = (struct place){.dso = {.name = cr_str_of(path), .kind = CR_KIND_USER}};
	cr_elf_symbols(e, e, &t);
	cr_symtab_index(&t);
	for (size_t i = 0; i < t.all.n; i++)
		if (strcmp(t.all.p[i].name, "cr_symbolize") == 0)
			out->addr = t.all.p[i].start;
	cr_elf_build_id(e, &id);
	out->dso.build_id_len = id.len;
	memcpy(out->dso.build_id, id.p, id.len);
	cr_symtab_fini(&t);
	cr_elf_close(e);
	return out->addr != 0;
}

static void
test_a_program_is_named_from_its_own_file(void **state)
{
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct place place;
	struct cr_profile *p;
	char path[4096];
	uint64_t start;

	(void)state;
	if (!own_place(&place, path))
		testing_skip("this program was stripped");
	start = place.addr;
	place.addr += 3;
	p = symbolized(&place, 1, &opts);
	expect(p, &place, "cr_symbolize", start);
	assert_false(has_quality(p, "cr_symbolize"));
	cr_profile_free(p);
}

static void
test_a_file_with_another_build_id_is_not_believed(void **state)
{
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct place place;
	struct cr_profile *p;
	char path[4096];

	(void)state;
	if (!own_place(&place, path))
		testing_skip("this program was stripped");
	place.dso.build_id_len = 20;
	place.dso.build_id[7] ^= 1;
	p = symbolized(&place, 1, &opts);
	expect(p, &place, "", 0);
	assert_true(has_quality(p, "(refused /"));
	assert_true(has_quality(p, ": build-id "));
	cr_profile_free(p);
}

static void
test_without_a_build_id_the_file_is_believed_and_that_is_told(void **state)
{
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct place place;
	struct cr_profile *p;
	char path[4096];

	(void)state;
	if (!own_place(&place, path))
		testing_skip("this program was stripped");
	place.dso.build_id_len = 0;
	p = symbolized(&place, 1, &opts);
	expect(p, &place, "cr_symbolize", place.addr);
	assert_true(has_quality(p, "no build-id to check"));
	cr_profile_free(p);
}

static void
test_an_address_for_a_name_gives_way_to_a_name_of_that_build(void **state)
{
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	static const struct {
		const char *name;
		bool has_id, gives_way;
	} cases[] = {
		{"0x55555555513d", true, true},
		{"0x55555555513d", false, false},
		{"0xabout", true, false},
		{"0x", true, false},
		{"f", true, false},
	};
	struct place place;
	char path[4096];

	(void)state;
	if (!own_place(&place, path))
		testing_skip("this program was stripped");
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct place named = place;
		struct cr_profile *p;

		if (!cases[i].has_id)
			named.dso.build_id_len = 0;
		p = symbolized_as(
			&(struct recorded){.pid = 1, .name = cases[i].name}, &named, 1, &opts);
		expect(p, &named, cases[i].gives_way ? "cr_symbolize" : cases[i].name,
			cases[i].gives_way ? place.addr : 0);
		cr_profile_free(p);
	}
}

static void
test_nothing_of_this_machine_is_used_under_symfs(void **state)
{
	char dir[32], path[4096];
	const struct cr_symbol_opts opts = {.symfs = dir};
	struct place places[3];
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "empty", "");
	if (!own_place(&places[0], path))
		places[0].addr = 1;
	places[1] = (struct place){{.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL},
		0xffffffff81000010, 0, 0, 0};
	places[2] = (struct place){
		{.name = CR_STR("/tmp/perf-1.map"), .kind = CR_KIND_JIT}, 0x7f0000000000, 0, 0, 0};
	p = symbolized(places, CR_LEN(places), &opts);
	for (size_t i = 0; i < CR_LEN(places); i++)
		expect(p, &places[i], "", 0);
	assert_true(has_quality(p, "no such file"));
	assert_true(has_quality(p, "not looked for under --symfs"));
	cr_profile_free(p);
	directory_remove(dir, "empty");
}

static void
test_jit_code_is_named_by_its_map(void **state)
{
	static const struct place places[] = {
		{{.name = CR_STR("/tmp/perf-99999991.map"), .kind = CR_KIND_JIT}, 0x7f0000000105, 0,
			0, 0},
		{{.name = CR_STR("/tmp/perf-99999992.map"), .kind = CR_KIND_JIT}, 0x7f0000000105, 0,
			0, 0},
	};
	char dir[32];
	const struct cr_symbol_opts opts = {.map_dir = dir};
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "perf-99999991.map", "7f0000000100 10 LazyCompile:~add\n");
	p = symbolized(places, CR_LEN(places), &opts);
	expect(p, &places[0], "LazyCompile:~add", 0x7f0000000100);
	expect(p, &places[1], "", 0);
	assert_true(has_quality(p, "no symbols: /tmp/perf-99999992.map (no such file)"));
	cr_profile_free(p);
	directory_remove(dir, "perf-99999991.map");
}

/* Its name outside is not the one that it gave the file inside; of two nobody knows which. */
static void
test_the_map_of_a_container_is_the_only_one_in_the_folder_of_its_pid(void **state)
{
	static const struct place place = {
		{.name = CR_STR("/tmp/perf-99999991.map"), .kind = CR_KIND_JIT}, 0x7f0000000105, 0,
		0, 0};
	char dir[32], directory[64];
	const struct cr_symbol_opts opts = {.map_dir = dir};
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "empty", "");
	snprintf(directory, sizeof(directory), "%s/99999991", dir);
	assert_int_equal(mkdir(directory, 0700), 0);
	file_make(directory, "perf-1.map", "7f0000000100 10 inside\n", 23);
	file_make(directory, "perf-1.map.old", "", 0);
	p = symbolized(&place, 1, &opts);
	expect(p, &place, "inside", 0x7f0000000100);
	cr_profile_free(p);
	file_make(directory, "perf-2.map", "", 0);
	p = symbolized(&place, 1, &opts);
	expect(p, &place, "", 0);
	cr_profile_free(p);
	snprintf(directory, sizeof(directory), "rm -r %s", dir);
	assert_int_equal(system(directory), 0);
}

static void
test_perf_maps_are_looked_for_under_symfs(void **state)
{
	static const struct place place = {
		{.name = CR_STR("/tmp/perf-99999991.map"), .kind = CR_KIND_JIT}, 0x7f0000000105, 0,
		0, 0};
	char dir[32], directory[64];
	const struct cr_symbol_opts opts = {.symfs = dir};
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "empty", "");
	snprintf(directory, sizeof(directory), "%s/tmp", dir);
	assert_int_equal(mkdir(directory, 0700), 0);
	file_make(directory, "perf-99999991.map", "7f0000000100 10 f\n", 18);
	p = symbolized(&place, 1, &opts);
	expect(p, &place, "f", 0x7f0000000100);
	cr_profile_free(p);
	snprintf(directory, sizeof(directory), "rm -r %s", dir);
	assert_int_equal(system(directory), 0);
}

/* Two views of one memory dso, and an address that neither holds. */
static void
test_code_in_a_memfd_is_named_by_the_map_of_its_process(void **state)
{
	static const struct place places[] = {
		{{.name = CR_STR("/memfd:doublemapper (deleted)"), .kind = CR_KIND_JIT}, 0x1104,
			0x7f0000000000, 0x1000, 0x1000},
		{{.name = CR_STR("/memfd:doublemapper (deleted)"), .kind = CR_KIND_JIT}, 0x5014,
			0x7f0000100000, 0x1000, 0x5000},
		{{.name = CR_STR("/memfd:doublemapper (deleted)"), .kind = CR_KIND_JIT}, 0x3000, 0,
			0, 0},
		{{.name = CR_STR("[anon:v8]"), .kind = CR_KIND_JIT}, 0x7f0000200010, 0, 0, 0},
	};
	char dir[32];
	const struct cr_symbol_opts opts = {.map_dir = dir};
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "perf-1.map",
		"7f0000000100 10 f\n7f0000100010 10 g\n7f0000002000 10 h\n7f0000200000 100 "
		"nowhere\n");
	p = symbolized(places, CR_LEN(places), &opts);
	expect(p, &places[0], "f", 0x1100);
	expect(p, &places[1], "g", 0x5010);
	expect(p, &places[2], "", 0);
	expect(p, &places[3], "", 0); /* nobody knows whose */
	cr_profile_free(p);
	directory_remove(dir, "perf-1.map");
}

static void
test_code_of_a_jitdump_is_named_by_it_and_by_no_other(void **state)
{
	struct made_jit j = {.foreign = false};
	struct place places[2] = {
		{{.name = CR_STR("/tmp/jit-5.dump"),
			 .kind = CR_KIND_JIT,
			 .build_id_len = CR_JITDUMP_ID},
			0, 0, 0, 0},
		{{.name = CR_STR("/tmp/jit-5.dump"),
			 .kind = CR_KIND_JIT,
			 .build_id_len = CR_JITDUMP_ID},
			0, 0, 0, 0},
	};
	char dir[32];
	const struct cr_symbol_opts opts = {.map_dir = dir};
	uint64_t plain, mangled;
	struct cr_profile *p;

	(void)state;
	made_jit_header(&j, 5, 0);
	plain = made_jit_load(&j,
		&(struct made_code){
			.time = 1, .pid = 5, .addr = 0x7000, .size = 16, .name = "JS:~f a.js:1"});
	made_jit_load(
		&j, &(struct made_code){
			    .time = 1, .pid = 5, .addr = 0x7000, .size = 16, .name = "between"});
	mangled = made_jit_load(
		&j, &(struct made_code){
			    .time = 1, .pid = 5, .addr = 0x7000, .size = 16, .name = "camlA__b_7"});
	for (size_t i = 0; i < 2; i++)
		memcpy(places[i].dso.build_id, j.t.p + 20, CR_JITDUMP_ID);
	places[0].addr = plain + 15;
	places[1].addr = mangled;
	directory_make(dir, "empty", "");
	file_make(dir, "jit-5.dump", j.t.p, j.t.len);
	p = symbolized(places, 2, &opts);
	expect(p, &places[0], "JS:~f a.js:1", plain);
	expect(p, &places[1], "A.b_7", mangled);
	cr_profile_free(p);

	places[0].dso.build_id[0] ^= 1;
	p = symbolized(places, 1, &opts);
	expect(p, &places[0], "", 0);
	cr_profile_free(p);
	cr_text_fini(&j.t);
	directory_remove(dir, "jit-5.dump");
}

/* The recording's kernel was loaded 0x200000 above the one whose kallsyms are given. */
static void
test_the_kernel_is_moved_to_where_it_was_and_modules_are_not(void **state)
{
	static const struct place places[] = {
		{{.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL}, 0xffffffff81200104,
			0xffffffff81200000, 0x100000, 0xffffffff81200000},
		{{.name = CR_STR("/lib/modules/6.1/kernel/fs/nfs-x.ko.xz"), .kind = CR_KIND_MODULE},
			0xffffffffc0001008, 0xffffffffc0001000, 0x1000, 0},
		{{.name = CR_STR("[gone]"), .kind = CR_KIND_MODULE}, 0xffffffffc0008008,
			0xffffffffc0008000, 0x1000, 0},
		{{.name = CR_STR("bpf_prog_6deef7357e7b4530_f"), .kind = CR_KIND_BPF},
			0xffffffffc0010020, 0xffffffffc0010000, 0x100, 0},
	};
	char dir[32], path[64];
	const struct cr_symbol_opts opts = {.kallsyms = path, .home = "/nonexistent"};
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "kallsyms",
		"ffffffff81000000 T _text\nffffffff81000100 T do_it\nffffffff81000200 T _etext\n"
		"ffffffffc0001000 t nfs_read\t[nfs_x]\n");
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	p = symbolized_as(&(struct recorded){.pid = 1, .ref_addr = "ffffffff81200000"}, places,
		CR_LEN(places), &opts);
	expect(p, &places[0], "do_it", 0xffffffff81200100);
	expect(p, &places[1], "nfs_read", 0xffffffffc0001000);
	expect(p, &places[2], "", 0);
	expect(p, &places[3], "bpf_prog_6deef7357e7b4530_f", 0xffffffffc0010000);
	assert_true(has_quality(p, "no symbols: [gone] (not in kallsyms)"));
	cr_profile_free(p);
	directory_remove(dir, "kallsyms");
}

static void
test_a_kernel_without_a_build_id_is_not_named_from_this_machine(void **state)
{
	static const struct place place = {
		{.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL}, 0xffffffff81000010,
		0, 0, 0};
	struct cr_profile *p = symbolized(&place, 1, NULL);

	(void)state;
	expect(p, &place, "", 0);
	assert_true(has_quality(p, "(the recording has no build-id of its kernel)"));
	cr_profile_free(p);
}

/* Where the kernel of this machine starts; 0 when it hides its addresses. */
static uint64_t
own_kernel_text(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long addr, text = 0;
	char name[256], type;

	while (f && !text && fscanf(f, "%llx %c %255s%*[^\n]", &addr, &type, name) == 3)
		if (strcmp(name, "_text") == 0)
			text = addr;
	if (f)
		fclose(f);
	return text;
}

static void
test_without_a_build_id_only_the_same_boot_of_the_same_release_is_believed(void **state)
{
	const uint64_t text = own_kernel_text();
	struct place place = {
		{.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL}, text, 0, 0, 0};
	struct utsname here;
	char same[20], other[20];
	struct recorded r = {.pid = 1, .release = "1.2.3-other", .ref_addr = same};
	struct cr_profile *p;

	(void)state;
	if (text == 0)
		testing_skip("the addresses of /proc/kallsyms are hidden");
	uname(&here);
	snprintf(same, sizeof(same), "%llx", (unsigned long long)text);
	snprintf(other, sizeof(other), "%llx", (unsigned long long)text + 0x200000);
	p = symbolized_as(&r, &place, 1, NULL);
	expect(p, &place, "", 0);
	assert_true(has_quality(p, "(the recording has no build-id of its kernel)"));
	cr_profile_free(p);

	r.release = here.release;
	r.ref_addr = other;
	p = symbolized_as(&r, &place, 1, NULL);
	expect(p, &place, "", 0);
	assert_true(has_quality(p, "the kernel here is at another address"));
	cr_profile_free(p);

	r.ref_addr = same;
	p = symbolized_as(&r, &place, 1, NULL);
	assert_int_not_equal(function_at(p, &place)->name.len, 0);
	assert_true(has_quality(p, "no build-id to check"));
	cr_profile_free(p);
}

static const char some_kallsyms[] = "ffffffff81000000 T _text\nffffffff81000100 T do_it\n";

/* Where perf record keeps kallsyms, with the link by build-id and without. */
static void
test_kallsyms_are_found_in_the_cache_by_build_id(void **state)
{
	static const char *const directorys[][3] = {
		{".debug", ".debug/.build-id", ".debug/.build-id/ab"},
		{".debug", ".debug/[kernel.kallsyms]", ".debug/[kernel.kallsyms]/abcdef"},
	};
	static const char *const files[] = {
		".debug/.build-id/ab/cdef/kallsyms", ".debug/[kernel.kallsyms]/abcdef/kallsyms"};
	static const struct place place = {{.name = CR_STR("[kernel.kallsyms]"),
						   .kind = CR_KIND_KERNEL,
						   .build_id = {0xab, 0xcd, 0xef},
						   .build_id_len = 3},
		0xffffffff81000104, 0, 0, 0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(files); i++) {
		char home[32], path[128];
		const struct cr_symbol_opts opts = {.home = home};
		struct cr_profile *p;

		directory_make(home, "empty", "");
		for (size_t k = 0; k < 3; k++) {
			snprintf(path, sizeof(path), "%s/%s", home, directorys[i][k]);
			assert_int_equal(mkdir(path, 0700), 0);
		}
		if (i == 0) {
			snprintf(path, sizeof(path), "%s/.debug/.build-id/ab/cdef", home);
			assert_int_equal(mkdir(path, 0700), 0);
		}
		file_make(home, files[i], some_kallsyms, sizeof(some_kallsyms) - 1);
		p = symbolized(&place, 1, &opts);
		expect(p, &place, "do_it", 0xffffffff81000100);
		cr_profile_free(p);
		snprintf(path, sizeof(path), "rm -r %s", home);
		assert_int_equal(system(path), 0);
	}
}

/* The build-id of this machine's kernel; false if the system does not tell it. */
static bool
own_kernel_build_id(struct cr_build_id *id)
{
	unsigned char notes[16384];
	FILE *f = fopen("/sys/kernel/notes", "r");
	const size_t len = f ? fread(notes, 1, sizeof(notes), f) : 0;

	if (f)
		fclose(f);
	*id = (struct cr_build_id){0};
	cr_elf_note_build_id(notes, len, 4, false, id);
	return id->len > 1;
}

/* It is read instead of /proc/kallsyms, but not for modules, which each boot loads elsewhere. */
/* All addresses are 0 for users without the right to see them. */
static bool
kallsyms_has_addresses(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long address = 0;

	while (f && !address && fscanf(f, "%llx%*[^\n]", &address) == 1)
		continue;
	if (f)
		fclose(f);
	return address;
}

static void
test_a_copy_of_the_running_kernels_symbols_will_do(void **state)
{
	struct place places[] = {
		{{.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL}, 0xffffffff81200104,
			0, 0, 0},
		{{.name = CR_STR("[gone]"), .kind = CR_KIND_MODULE}, 0xffffffffc0008008,
			0xffffffffc0008000, 0x1000, 0},
	};
	char home[32], path[256], hex[2 * sizeof((struct cr_build_id){0}.p) + 1];
	const struct cr_symbol_opts opts = {.home = home};
	const struct recorded r = {.pid = 1, .ref_addr = "ffffffff81200000"};
	struct cr_build_id id;
	struct cr_profile *p;

	(void)state;
	if (!own_kernel_build_id(&id))
		testing_skip("the build-id of the kernel is hidden");
	memcpy(places[0].dso.build_id, id.p, id.len);
	places[0].dso.build_id_len = id.len;
	directory_make(home, "empty", "");
	for (uint8_t i = 0; i < id.len; i++)
		snprintf(hex + 2 * (size_t)i, 3, "%02x", id.p[i]);
	snprintf(path, sizeof(path), "mkdir -p '%s/.debug/[kernel.kallsyms]/%s'", home, hex);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), ".debug/[kernel.kallsyms]/%s/kallsyms", hex);
	file_make(home, path, some_kallsyms, sizeof(some_kallsyms) - 1);
	p = symbolized_as(&r, places, 1, &opts);
	expect(p, &places[0], "do_it", 0xffffffff81200100);
	cr_profile_free(p);
	p = symbolized_as(&r, places, 2, &opts);
	/* A module is not in the copy: the kernel's own list is read, if it has addresses. */
	assert_int_equal(cr_str_eq(function_at(p, &places[0])->name, CR_STR("do_it")),
		!kallsyms_has_addresses());
	cr_profile_free(p);
	snprintf(path, sizeof(path), "rm -r %s", home);
	assert_int_equal(system(path), 0);
}

static void
test_kallsyms_beside_the_recording_are_believed(void **state)
{
	static const struct place places[] = {
		{{.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL}, 0xffffffff81000104,
			0, 0, 0},
		{{.name = CR_STR("[guest.kernel.kallsyms]"), .kind = CR_KIND_KERNEL},
			0xffffffff81000104, 0, 0, 0},
	};
	char dir[32], path[64];
	int fd;
	const struct cr_symbol_opts opts = {.recorded_kallsyms = &fd, .symfs = "/nonexistent"};
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "kallsyms", some_kallsyms);
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	p = symbolized(places, CR_LEN(places), &opts);
	expect(p, &places[0], "do_it", 0xffffffff81000100);
	expect(p, &places[1], "", 0);
	assert_true(has_quality(p, "[guest.kernel.kallsyms] (the kernel of a guest)"));
	cr_profile_free(p);
	close(fd);
	directory_remove(dir, "kallsyms");
}

static void
test_hidden_kallsyms_name_nothing(void **state)
{
	static const struct place place = {
		{.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL}, 0xffffffff81000104,
		0, 0, 0};
	char dir[32], path[64];
	const struct cr_symbol_opts opts = {.kallsyms = path};
	struct cr_profile *p;

	(void)state;
	directory_make(dir, "kallsyms", "0000000000000000 T _text\n0000000000000000 T do_it\n");
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	p = symbolized(&place, 1, &opts);
	expect(p, &place, "", 0);
	assert_true(has_quality(p, "kptr_restrict"));
	cr_profile_free(p);
	directory_remove(dir, "kallsyms");
}

static void
test_names_that_lead_out_of_the_file_system_are_not_opened(void **state)
{
	static const char *const names[] = {
		"/dev/zero",
		"/dev/tty",
		"/proc/self/exe",
		"/proc/kmsg",
		"/sys/kernel/notes",
		"//anon",
		"[heap]",
		"/",
		"/tmp",
		"relative/path",
		"",
		"/a\0b",
		"/nonexistent (deleted)",
	};
	struct place places[CR_LEN(names)];
	struct cr_profile *p;

	(void)state;
	for (size_t i = 0; i < CR_LEN(names); i++)
		places[i] = (struct place){
			{.name = cr_str_of(names[i]), .kind = CR_KIND_USER}, 0x1000 + i, 0, 0, 0};
	places[11].dso.name.len = 4;
	p = symbolized(places, CR_LEN(places), NULL);
	for (size_t i = 0; i < CR_LEN(names); i++)
		expect(p, &places[i], "", 0);
	cr_profile_free(p);
}

static bool
stop_at_once(void *user, const char *what, uint64_t done, uint64_t whole)
{
	(void)user;
	(void)what;
	(void)done;
	(void)whole;
	return false;
}

static void
test_it_can_be_stopped(void **state)
{
	static const struct place place = {
		{.name = CR_STR("/bin/sh"), .kind = CR_KIND_USER}, 0x1000, 0, 0, 0};
	const struct cr_progress progress = {.step = stop_at_once};
	const struct cr_symbol_opts opts = {.progress = &progress};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	(void)state;
	assert_int_equal(
		cr_symbolize(profile_of(&place, 1, &(struct recorded){.pid = 1}), &opts, &p, &err),
		CR_ECANCEL);
	assert_null(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_program_is_named_from_its_own_file),
		cmocka_unit_test(test_a_file_with_another_build_id_is_not_believed),
		cmocka_unit_test(test_without_a_build_id_the_file_is_believed_and_that_is_told),
		cmocka_unit_test(test_an_address_for_a_name_gives_way_to_a_name_of_that_build),
		cmocka_unit_test(test_nothing_of_this_machine_is_used_under_symfs),
		cmocka_unit_test(test_jit_code_is_named_by_its_map),
		cmocka_unit_test(
			test_the_map_of_a_container_is_the_only_one_in_the_folder_of_its_pid),
		cmocka_unit_test(test_perf_maps_are_looked_for_under_symfs),
		cmocka_unit_test(test_code_in_a_memfd_is_named_by_the_map_of_its_process),
		cmocka_unit_test(test_code_of_a_jitdump_is_named_by_it_and_by_no_other),
		cmocka_unit_test(
			test_without_a_build_id_only_the_same_boot_of_the_same_release_is_believed),
		cmocka_unit_test(test_kallsyms_are_found_in_the_cache_by_build_id),
		cmocka_unit_test(test_a_copy_of_the_running_kernels_symbols_will_do),
		cmocka_unit_test(test_kallsyms_beside_the_recording_are_believed),
		cmocka_unit_test(test_hidden_kallsyms_name_nothing),
		cmocka_unit_test(test_the_kernel_is_moved_to_where_it_was_and_modules_are_not),
		cmocka_unit_test(test_a_kernel_without_a_build_id_is_not_named_from_this_machine),
		cmocka_unit_test(test_names_that_lead_out_of_the_file_system_are_not_opened),
		cmocka_unit_test(test_it_can_be_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
