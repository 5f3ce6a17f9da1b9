#include "perf_reading.h"

#include <time.h>

#include "perf_containers.h"

/* ---- what is in a good file */

static void
test_a_good_file_gives_its_samples_in_the_order_of_time(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	good(&m);
	assert_reads(&m, good_text, &p, &log);
	assert_int_equal(log.n, 0);
	assert_int_equal(p->flags, CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU | CR_PROFILE_HAS_TASK |
					   CR_PROFILE_HAS_ADDR | CR_PROFILE_HAS_SAMPLES |
					   CR_PROFILE_SYMBOL_NAMES);
	assert_str(cr_profile_fact(p, "hostname"), "box");
	assert_str(cr_profile_fact(p, "osrelease"), "6.1.0");
	assert_str(cr_profile_fact(p, "kernel.ref"), "_text");
	assert_str(cr_profile_fact(p, "kernel.ref.addr"), "ffffffff81000000");
	assert_str(cr_profile_fact(p, "duration_ns"), "40");
	assert_str(p->events[0].unit, "ns");
	assert_int_equal(p->samples.cpu[1], 1);
	assert_int_equal(cr_profile_ip(p, 0, p->samples.node[0]), 0x7f0000000123);
	assert_int_equal(cr_profile_ip(p, 2, p->samples.node[2]), 0x401010);
	cr_profile_free(p);
}

static void
test_names_of_no_file_are_told_apart(void **state)
{
	static const struct {
		const char *name, *shown;
	} cases[] = {
		{"//anon", "perf-5.map+10010"},
		{"/dev/zero (deleted)", "perf-5.map+10010"},
		{"/anon_hugepage (deleted)", "perf-5.map+10010"},
		{"[heap]", "perf-5.map+10010"},
		{"[stack:33]", "perf-5.map+10010"},
		{"/SYSV00000000 (deleted)", "perf-5.map+10010"},
		{"[vdso]", "[vdso]+10"},
		{"/memfd:x (deleted)", "memfd:x (deleted)+710"},
		{"[anon:x]", "[anon:x]+710"},
		{"", "+710"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_perf m = {0};
		struct cr_text want = {0};

		made_clock(&m);
		made_mmap(&m, 5, 1, 0x10000, 0x1000, 0x700, cases[i].name);
		sample(&m, 5, 5, 2, 0x10010);
		cr_text_printf(&want, ":5 5/5 2 10 cpu-clock %s\n", cases[i].shown);
		assert_samples(&m, want.p);
		cr_text_fini(&want);
	}
}

static void
test_two_events_are_told_apart_by_their_ids(void **state)
{
	const struct perf_attr hardware = {
		.type = 0, .sample_type = MADE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL | 3 << 5};
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_clock(&m);
	made_attr(&m, &hardware, (const uint64_t[]){8, 9}, 2);
	for (uint64_t id = 7; id <= 10; id++)
		made_sample(&m,
			&(struct made_sample){
				.pid = 5, .tid = 5, .time = id, .period = id, .ip = 4, .id = id});
	assert_reads(&m,
		":5 5/5 7 7 cpu-clock [unknown]+4\n:5 5/5 8 8 cycles:u [unknown]+4\n"
		":5 5/5 9 9 cycles:u [unknown]+4\n",
		&p, &log);
	assert_int_equal(log.n, 1);
	assert_string_equal(log.entries[0].kind, "samples of an unknown event");
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(p->events[1].weight, 17);
	cr_profile_free(p);
}

static void
test_without_times_the_order_is_the_files(void **state)
{
	const struct perf_attr a = {.type = 1,
		.config = 1,
		.sample_period = 7,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID};
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_attr(&m, &a, NULL, 0);
	made_comm(&m, 5, 5, 0, "one");
	sample(&m, 5, 5, 0, 0x10);
	made_comm(&m, 5, 5, 0, "two");
	sample(&m, 5, 5, 0, 0x20);
	assert_reads(&m,
		"one 5/5 0 7 task-clock [unknown]+10\ntwo 5/5 0 7 task-clock [unknown]+20\n", &p,
		&log);
	assert_int_equal(p->flags & (CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU), 0);
	cr_profile_free(p);
}

static void
test_features_become_facts_names_and_build_ids(void **state)
{
	static const unsigned char build_id[] = {1, 2, 3, 4, 5, 6};
	struct made_perf m = {0};
	struct cr_text *f = m.features;
	struct cr_profile *p;
	struct cr_text file;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	good(&m);
	for (unsigned i = 0; i < 2; i++) /* the first of two for one name counts */
		made_build_id(&m, MADE_USER, build_id + 2 * i, 4, "/bin/prog");
	made_u32(&f[11], 3);
	made_string(&f[11], "perf");
	made_string(&f[11], "it's");
	made_string(&f[11], "");
	made_u32(&f[12], 1);
	made_u32(&f[12], MADE_ATTR - 16);
	made_attr_bytes(&f[12], &m.attrs[0]);
	made_u32(&f[12], 1);
	made_string(&f[12], "my event");
	made_u64(&f[12], 7);
	file = made_file(&m);
	assert_int_equal(read_bytes(file.p, file.len, &p, &log, &err), CR_OK);
	cr_text_fini(&file);
	assert_int_equal(log.n, 0);
	assert_str(p->events[0].name, "my event");
	assert_str(cr_profile_fact(p, "cmdline"), "perf 'it'\\''s' ''");
	for (uint32_t i = 0; i < p->n_dsos; i++)
		if (cr_str_eq(p->dsos[i].name, CR_STR("/bin/prog"))) {
			assert_int_equal(p->dsos[i].build_id_len, 4);
			assert_memory_equal(p->dsos[i].build_id, build_id, 4);
		}
	cr_profile_free(p);
}

static void
test_a_bpf_program_comes_and_goes_in_the_kernel(void **state)
{
	static const uint16_t flags[] = {0, 1};
	struct made_perf m = {0};

	(void)state;
	made_clock(&m);
	made_mmap_as(&m, MADE_KERNEL, UINT32_MAX, 1, 0xffffffff81000000, 0x1000, 0,
		"[kernel.kallsyms]_text");
	for (uint64_t i = 0; i < 2; i++) {
		const size_t at = made_begin(&m, MADE_KSYMBOL, 0);

		made_u64(&m.records, 0xffffffff81000100);
		made_u32(&m.records, 0x80);
		made_u16(&m.records, 1);
		made_u16(&m.records, flags[i]);
		made_name(&m.records, "bpf_prog_x");
		made_end_with_id(&m, at, 0, 0, 10 + 10 * i, 7);
		made_sample(&m, &(struct made_sample){.pid = 5,
					.tid = 5,
					.time = 15 + 10 * i,
					.period = 1,
					.ip = 0xffffffff81000110,
					.misc = MADE_KERNEL});
	}
	assert_samples(&m, ":5 5/5 15 1 cpu-clock bpf_prog_x+ffffffff81000110\n"
			   ":5 5/5 25 1 cpu-clock [unknown]+ffffffff81000110\n");
}

/* ---- what is wrong with a file */

static void
test_a_recording_that_was_killed_has_its_samples(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	good(&m);
	m.killed = true;
	made_begin(&m, MADE_SAMPLE, 0); /* and was cut off in the middle of a record */
	assert_reads(&m, good_text, &p, &log);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_string_equal(log.entries[0].kind, "recording cut short");
	assert_string_equal(log.entries[1].kind, "damaged or cut record, the rest is lost");
	assert_str(cr_profile_fact(p, "hostname"), "");
	cr_profile_free(p);
}

static void
test_records_of_no_size_or_no_type_are_told(void **state)
{
	static const struct {
		uint32_t type;
		uint16_t size;
		const char *why;
		bool goes_on;
	} cases[] = {
		{MADE_SAMPLE, 0, "damaged or cut record, the rest is lost", false},
		{MADE_SAMPLE, 7, "damaged or cut record, the rest is lost", false},
		{MADE_SAMPLE, 60000, "damaged or cut record, the rest is lost", false},
		{0, 16, "records of an unknown type", true},
		{60, 16, "records of an unknown type", true},
		{999, 16, "records of an unknown type", true},
		{UINT32_MAX, 16, "records of an unknown type", true},
		{MADE_SAMPLE, 16, "samples too short for their fields", true},
		{MADE_MMAP2, 16, "mapping record too short", true},
		{MADE_COMM, 8, "comm record too short", true},
		{MADE_FORK, 16, "fork record too short", true},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_log log;
		size_t at;

		made_clock(&m);
		sample(&m, 5, 5, 1, 0x10);
		at = made_begin(&m, cases[i].type, MADE_USER);
		made_u64(&m.records, 7);
		memcpy(m.records.p + at + 6, &cases[i].size, 2);
		if (cases[i].size == 8)
			m.records.len -= 8;
		sample(&m, 5, 5, 2, 0x20);
		assert_reads(&m,
			cases[i].goes_on ? ":5 5/5 1 10 cpu-clock [unknown]+10\n:5 5/5 2 10 "
					   "cpu-clock [unknown]+20\n"
					 : ":5 5/5 1 10 cpu-clock [unknown]+10\n",
			&p, &log);
		assert_int_equal(log.n, 1);
		assert_string_equal(log.entries[0].kind, cases[i].why);
		cr_profile_free(p);
	}
}

static void
test_a_file_of_the_other_byte_order_says_the_same(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_foreign = true;
	good(&m);
	assert_reads(&m, good_text, &p, &log);
	made_foreign = false;
	assert_int_equal(log.n, 0);
	assert_str(cr_profile_fact(p, "hostname"), "box");
	assert_str(cr_profile_fact(p, "osrelease"), "6.1.0");
	cr_profile_free(p);
}

/* Its magic was a text and told no byte order. */
static void
test_a_file_of_before_2012_says_the_same(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct made_perf m = {0};
		struct cr_text f;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		made_foreign = i;
		good(&m);
		f = made_file(&m);
		made_foreign = false;
		memcpy(f.p, "PERFFILE", 8);
		assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
		assert_text(p, good_text);
		assert_str(cr_profile_fact(p, "hostname"), "box");
		cr_profile_free(p);
		cr_text_fini(&f);
	}
}

static void
test_files_of_another_kind_are_refused_with_a_reason(void **state)
{
	static const struct {
		size_t at;
		const char *bytes;
		size_t len;
		int code;
		const char *why;
	} cases[] = {
		{0, "PERFFILF", 8, CR_EFORMAT, "not a perf.data"},
		{8, "\x47\0\0", 3, CR_EFORMAT, "perf.data header of 71 bytes"},
		{8, "\1\x10\0", 3, CR_ETRUNC, "perf.data header cut off"},
		{16, "\0\0", 2, CR_EFORMAT, "event attributes of 0 bytes"},
		{16, "\xff\xff", 2, CR_EFORMAT, "event attributes of 65535 bytes"},
		{24, "\xff\xff\xff", 3, CR_ETRUNC, "event attributes lie outside the file"},
		{32, "\0\0", 2, CR_EFORMAT, "0 events"},
		{40, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, CR_ETRUNC, "the records are cut off"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_perf m = {0};
		struct cr_text f;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		good(&m);
		f = made_file(&m);
		memcpy(f.p + cases[i].at, cases[i].bytes, cases[i].len);
		assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), cases[i].code);
		assert_string_equal(err.text, cases[i].why);
		cr_text_fini(&f);
	}
}

static void
test_damaged_features_cost_only_themselves(void **state)
{
	static const struct {
		size_t back;
		const char *why;
	} cases[] = {
		{1, "header feature outside the file"}, /* the end of the last one is gone */
		{200, "header features cut off"},       /* and the table as well */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct made_perf m = {0};
		struct cr_text f;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;
		char *have;

		good(&m);
		f = made_file(&m);
		assert_int_equal(
			read_bytes(f.p, f.len - CR_MIN(cases[i].back, 2 * 68 + 20), &p, &log, &err),
			CR_OK);
		assert_string_equal(log.entries[0].kind, cases[i].why);
		have = text_of(p);
		assert_string_equal(have, good_text);
		free(have);
		cr_profile_free(p);
		cr_text_fini(&f);
	}
}

static void
test_every_prefix_is_read_or_refused(void **state)
{
	struct made_perf m = {0};
	struct cr_text f;

	(void)state;
	good(&m);
	f = made_file(&m);
	for (size_t len = 0; len < f.len; len++) {
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;
		const int rc = read_bytes(f.p, len, &p, &log, &err);

		assert_true(rc == CR_OK ? p && log.n > 0 : !p && err.text[0]);
		cr_profile_free(p);
	}
	cr_text_fini(&f);
}

static void
test_single_bytes_changed_do_no_harm(void **state)
{
	uint64_t random = 2026;
	struct made_perf m = {0};
	size_t n_whole = 0, n_none = 0;
	struct cr_text f;

	(void)state;
	good(&m);
	f = made_file(&m);
	for (size_t at = 0; at < f.len; at++)
		for (unsigned k = 0; k < 4; k++) {
			const char was = f.p[at];
			struct cr_profile *p;
			struct cr_log log;
			struct cr_err err;

			f.p[at] = (char)testing_random(&random);
			if (read_bytes(f.p, f.len, &p, &log, &err) == CR_OK) {
				assert_in_range(p->samples.n, 1,
					3); /* as many as there are: a change makes no new ones */
				n_whole += p->samples.n == 3;
				free(text_of(p));
			} else {
				n_none++;
			}
			cr_profile_free(p);
			f.p[at] = was;
		}
	print_message("of %zu changes %zu cost no sample, %zu all\n", 4 * f.len, n_whole, n_none);
	assert_true(n_whole > 2 * f.len && n_none > 0);
	cr_text_fini(&f);
}

static void
test_the_same_bytes_twice_give_the_same(void **state)
{
	struct made_perf m = {0};
	struct cr_text f;
	char *text[2];

	(void)state;
	good(&m);
	f = made_file(&m);
	for (unsigned i = 0; i < 2; i++) {
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
		text[i] = text_of(p);
		cr_profile_free(p);
	}
	assert_string_equal(text[0], text[1]);
	free(text[0]);
	free(text[1]);
	cr_text_fini(&f);
}

/* ---- what hostile files may cost: seconds, not hours */

static void
assert_read_soon(struct made_perf *m)
{
	const clock_t start = clock();
	struct cr_text f = made_file(m);
	struct cr_profile *p;
	struct cr_log log;
	struct cr_err err;

	assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
	testing_cpu_within(start, 10);
	cr_profile_free(p);
	cr_text_fini(&f);
}

static void
test_an_id_many_times_over_is_one_id(void **state)
{
	struct made_perf m = {0};

	(void)state;
	made_clock(&m);
	for (unsigned i = 0; i < 300000; i++)
		made_u64(&m.ids[0], 7);
	sample(&m, 5, 5, 1, 0x10);
	assert_read_soon(&m);
}

/* Four thousand events, each of which claims the same long section of ids. */
static void
test_ids_that_overlap_are_not_multiplied(void **state)
{
	enum { ATTRS = 4000, IDS = 50000 };
	struct made_perf m = {0};
	struct cr_text f = {0}, one;
	const uint64_t ids = MADE_HEADER + ATTRS * MADE_ATTR;
	uint64_t data = ids + IDS * 8;
	struct cr_profile *p;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	made_clock(&m);
	sample(&m, 5, 5, 1, 0x10);
	one = made_file(&m);
	cr_text_puts(&f, "PERFILE2");
	made_u64(&f, MADE_HEADER);
	made_u64(&f, MADE_ATTR);
	made_section(&f, MADE_HEADER, ATTRS * MADE_ATTR);
	made_section(&f, data, one.len - MADE_HEADER - MADE_ATTR - 8);
	cr_text_pad(&f, '\0', MADE_HEADER - f.len);
	for (unsigned i = 0; i < ATTRS; i++) {
		cr_text_put(&f, one.p + MADE_HEADER, MADE_ATTR - 16);
		made_section(&f, ids, IDS * 8);
	}
	for (uint64_t i = 0; i < IDS; i++)
		made_u64(&f, 7 + i);
	cr_text_put(&f, one.p + MADE_HEADER + MADE_ATTR + 8, one.len - MADE_HEADER - MADE_ATTR - 8);
	assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
	assert_string_equal(log.entries[0].kind, "event ids overlap");
	assert_int_equal(p->samples.n, 1);
	cr_profile_free(p);
	cr_text_fini(&f);
	cr_text_fini(&one);
}

/* A pipe brings its events one by one. */
static void
test_many_events_one_by_one_are_taken_soon(void **state)
{
	const clock_t start = clock();
	struct made_perf m = {0};
	struct cr_text f;
	struct cr_profile *p;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	made_clock(&m);
	for (unsigned i = 0; i < 40000; i++) {
		const size_t at = made_begin(&m, MADE_HEADER_ATTR, 0);

		made_attr_bytes(&m.records, &m.attrs[0]);
		made_u64(&m.records, 100 + i);
		made_end(&m, at);
	}
	made_sample(&m, &(struct made_sample){
				.pid = 5, .tid = 5, .time = 1, .period = 1, .ip = 4, .id = 20000});
	f = made_pipe_file(&m);
	assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
	testing_cpu_within(start, 10);
	assert_int_equal(p->samples.n, 1);
	assert_string_equal(
		log.entries[0].kind, "event attributes that cannot be read"); /* past the limit */
	cr_profile_free(p);
	cr_text_fini(&f);
}

static void
test_many_build_ids_and_mappings_are_matched_soon(void **state)
{
	struct made_perf m = {0};
	char name[16];

	(void)state;
	made_clock(&m);
	for (unsigned i = 0; i < 40000; i++) {
		struct cr_text *f = &m.features[2];

		snprintf(name, sizeof(name), "/%08u", i);
		made_u32(f, 0);
		made_u16(f, MADE_USER);
		made_u16(f, 8 + 4 + 24 + 16);
		cr_text_pad(f, '\1', 4 + 24);
		cr_text_put(f, name, 9);
		cr_text_pad(f, '\0', 7);
		snprintf(name, sizeof(name), "+%08u", i);
		made_mmap(&m, 5, 1, 0x1000 * (uint64_t)(50000 - i), 0x800, 0, name);
	}
	sample(&m, 5, 5, 2, 0x10);
	assert_read_soon(&m);
}

static void
test_many_forks_of_many_mappings_are_bounded(void **state)
{
	struct made_perf m = {0};

	(void)state;
	made_clock(&m);
	for (uint64_t i = 0; i < 4000; i++)
		made_mmap(&m, 5, 1, 0x1000 * i, 0x800, 0, "/x");
	for (uint32_t i = 0; i < 8000; i++) {
		made_fork(&m, 100 + i, 100 + i, 5, 5, 2 + i);
		sample(&m, 100 + i, 100 + i, 2 + i, 0x1010);
	}
	assert_read_soon(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_good_file_gives_its_samples_in_the_order_of_time),
		cmocka_unit_test(test_names_of_no_file_are_told_apart),
		cmocka_unit_test(test_two_events_are_told_apart_by_their_ids),
		cmocka_unit_test(test_without_times_the_order_is_the_files),
		cmocka_unit_test(test_features_become_facts_names_and_build_ids),
		cmocka_unit_test(test_a_bpf_program_comes_and_goes_in_the_kernel),
		cmocka_unit_test(test_a_recording_that_was_killed_has_its_samples),
		cmocka_unit_test(test_records_of_no_size_or_no_type_are_told),
		cmocka_unit_test(test_a_file_of_the_other_byte_order_says_the_same),
		cmocka_unit_test(test_a_file_of_before_2012_says_the_same),
		cmocka_unit_test(test_files_of_another_kind_are_refused_with_a_reason),
		cmocka_unit_test(test_damaged_features_cost_only_themselves),
		cmocka_unit_test(test_every_prefix_is_read_or_refused),
		cmocka_unit_test(test_single_bytes_changed_do_no_harm),
		cmocka_unit_test(test_the_same_bytes_twice_give_the_same),
		cmocka_unit_test(test_an_id_many_times_over_is_one_id),
		cmocka_unit_test(test_ids_that_overlap_are_not_multiplied),
		cmocka_unit_test(test_many_events_one_by_one_are_taken_soon),
		cmocka_unit_test(test_many_build_ids_and_mappings_are_matched_soon),
		cmocka_unit_test(test_many_forks_of_many_mappings_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
