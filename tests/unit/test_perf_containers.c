#include "perf_reading.h"

#include "perf_containers.h"
#include "tracing_maker.h"

/* The things that one recording may come in. Its text is the same in all of them. */
enum container {
	AS_FILE,
	AS_PACKED_FILE,
	AS_PACKED2_FILE,
	AS_PIPE,
	AS_PACKED_PIPE,
	AS_PACKED2_PIPE,
	AS_DIRECTORY,
	AS_PACKED_DIRECTORY,
	CONTAINERS,
};

static const struct {
	uint32_t type; /* of the records that others are packed into; 0: they are as they are */
	bool pipe, directory;
} how[CONTAINERS] = {
	[AS_FILE] = {0},
	[AS_PACKED_FILE] = {.type = MADE_COMPRESSED},
	[AS_PACKED2_FILE] = {.type = MADE_COMPRESSED2},
	[AS_PIPE] = {.pipe = true},
	[AS_PACKED_PIPE] = {.type = MADE_COMPRESSED, .pipe = true},
	[AS_PACKED2_PIPE] = {.type = MADE_COMPRESSED2, .pipe = true},
	[AS_DIRECTORY] = {.directory = true},
	[AS_PACKED_DIRECTORY] = {.type = MADE_COMPRESSED, .directory = true},
};

#define STREAMS 3u

/* A recording as bytes: data.0 and on are empty where it is one file. */
struct contained {
	struct cr_text file;
	struct cr_text streams[STREAMS];
	size_t n_streams;
};

static void
contain(struct contained *c, struct made_perf *m, enum container as)
{
	*c = (struct contained){.n_streams = how[as].directory ? STREAMS : 0};
	if (how[as].directory)
		made_deal(m, c->streams, STREAMS);
	if (how[as].type)
		made_pack(&m->records, how[as].type, 40);
	for (size_t i = 0; how[as].type && i < c->n_streams; i++)
		made_pack(&c->streams[i], how[as].type, 40);
	c->file = how[as].pipe ? made_pipe_file(m) : made_file(m);
}

static void
contained_fini(struct contained *c)
{
	for (size_t i = 0; i < c->n_streams; i++)
		cr_text_fini(&c->streams[i]);
	cr_text_fini(&c->file);
}

static int
read_contained(
	const struct contained *c, struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	struct cr_input streams[STREAMS], in = {.streams = streams, .n_streams = c->n_streams};
	int rc;

	in.p = testing_exact(c->file.p, in.len = c->file.len);
	for (size_t i = 0; i < c->n_streams; i++)
		streams[i] =
			(struct cr_input){.p = testing_exact(c->streams[i].p, c->streams[i].len),
				.len = c->streams[i].len};
	rc = read_input(&in, out, log, err);
	for (size_t i = 0; i < c->n_streams; i++)
		free((void *)(uintptr_t)streams[i].p);
	free((void *)(uintptr_t)in.p);
	return rc;
}

/* ---- the same in all of them */

static const unsigned char build_id[] = {1, 2, 3, 4, 5, 6, 7, 8};

/* More than good(): a name of the event, build-ids, a feature that is empty. */
static void
recording(struct made_perf *m)
{
	struct cr_text *desc = &m->features[12];

	good(m);
	made_build_id(m, MADE_USER, build_id, sizeof(build_id), "/bin/prog");
	made_build_id(m, MADE_USER, build_id, 4, "/lib/libc.so.6");
	made_u32(desc, 1);
	made_u32(desc, MADE_ATTR - 16);
	made_attr_bytes(desc, &m->attrs[0]);
	made_u32(desc, 1);
	made_string(desc, "the-clock");
	made_u64(desc, 7);
}

static const char recording_text[] = "prog 5/5 100 10 the-clock prog+1100 libc.so.6+2123\n"
				     ":6 5/6 120 20 the-clock prog+1100 prog+1010 "
				     "[kernel.kallsyms]+ffffffff81000100 [x_fs]+ffffffffc0000010\n"
				     "child 9/9 140 10 the-clock prog+1010\n";

static const struct cr_dso *
dso_of(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_dsos; i++)
		if (cr_str_eq(p->dsos[i].name, cr_str_of(name)))
			return &p->dsos[i];
	fail_msg("no object %s", name);
	return NULL;
}

static void
test_whatever_it_comes_in_it_says_the_same(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CONTAINERS * 2; i++) {
		struct made_perf m = {0};
		struct contained c;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		made_foreign = i & 1;
		recording(&m);
		contain(&c, &m, i / 2);
		made_foreign = false;
		assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
		assert_text(p, recording_text);
		assert_int_equal(log.n, 0);
		assert_int_equal(p->flags & CR_PROFILE_IN_PART, 0);
		assert_str(cr_profile_fact(p, "hostname"), "box");
		assert_str(cr_profile_fact(p, "osrelease"), "6.1.0");
		assert_str(cr_profile_fact(p, "duration_ns"), "40");
		assert_int_equal(dso_of(p, "/bin/prog")->build_id_len, sizeof(build_id));
		assert_memory_equal(dso_of(p, "/bin/prog")->build_id, build_id, sizeof(build_id));
		assert_int_equal(dso_of(p, "/lib/libc.so.6")->build_id_len, 4);
		cr_profile_free(p);
		contained_fini(&c);
	}
}

static void
test_records_are_counted_also_those_in_others(void **state)
{
	static const char *const want[CONTAINERS] = {
		[AS_FILE] = "COMM 2, FORK 1, SAMPLE 3, MMAP2 4, FINISHED_ROUND 1",
		[AS_PACKED_FILE] = "COMM 2, FORK 1, SAMPLE 3, MMAP2 4, FINISHED_ROUND 1",
		[AS_PIPE] = "COMM 2, FORK 1, SAMPLE 3, MMAP2 4, HEADER_ATTR 1, BUILD_ID 2, "
			    "FINISHED_ROUND 1, HEADER_FEATURE 4",
		[AS_DIRECTORY] = "COMM 2, FORK 1, SAMPLE 3, MMAP2 4, FINISHED_ROUND 1",
	};

	(void)state;
	for (unsigned i = 0; i < CONTAINERS; i++) {
		struct made_perf m = {0};
		struct contained c;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		if (!want[i])
			continue;
		recording(&m);
		contain(&c, &m, i);
		assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
		assert_str(cr_profile_fact(p, "records"), want[i]);
		cr_profile_free(p);
		contained_fini(&c);
	}
}

/* ---- what only a pipe has */

static void
test_events_of_a_pipe_are_named_by_their_updates(void **state)
{
	const struct perf_attr hardware = {
		.type = 0, .sample_type = MADE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL};
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_text f;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	made_clock(&m);
	made_attr(&m, &hardware, (const uint64_t[]){8, 9}, 2);
	made_update_name(&m, 9, "cpu/fast/");
	made_update_name(&m, 77, "nobody's");
	made_sample(&m, &(struct made_sample){.pid = 5, .tid = 5, .time = 1, .period = 1, .ip = 4});
	made_sample(&m, &(struct made_sample){
				.pid = 5, .tid = 5, .time = 2, .period = 2, .ip = 4, .id = 8});
	made_update_name(&m, 7, "too late");
	f = made_pipe_file(&m);
	assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
	assert_text(p, ":5 5/5 1 1 cpu-clock [unknown]+4\n:5 5/5 2 2 cpu/fast/ [unknown]+4\n");
	assert_int_equal(log.n, 0);
	cr_profile_free(p);
	cr_text_fini(&f);
}

static void
tracepoints(struct made_perf *m)
{
	static const struct made_format formats[] = {
		{"ftrace", MADE_FORMAT("function", "1") "\nprint fmt: \"\"\n"},
		{"sched", MADE_SCHED_SWITCH}};

	made_attr(m,
		&(struct perf_attr){.type = 2,
			.config = 316,
			.sample_type = MADE_TYPE | PERF_SAMPLE_RAW,
			.flags = PERF_ATTR_SAMPLE_ID_ALL},
		&(uint64_t){7}, 1);
	made_tracing(&m->features[1], formats, CR_LEN(formats));
	made_string(&m->features[3], "box");
	made_comm(m, 5, 5, 1, "prog");
	made_sample(m, &(struct made_sample){.pid = 5,
			       .tid = 5,
			       .time = 1,
			       .period = 1,
			       .ip = 4,
			       .raw = "\0\0\0",
			       .raw_bytes = 4});
}

static void
test_tracepoints_of_a_pipe_are_described_behind_a_record(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CONTAINERS * 2; i++) {
		struct made_perf m = {0};
		struct contained c;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		made_foreign = i & 1;
		tracepoints(&m);
		contain(&c, &m, i / 2);
		made_foreign = false;
		assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
		assert_text(p, "prog 5/5 1 1 sched:sched_switch [unknown]+4\n");
		assert_int_equal(log.n, 0);
		cr_profile_free(p);
		contained_fini(&c);
	}
}

/* So Android's recorder has it, in files. */
static void
test_formats_inside_a_record_are_not_looked_for_behind_it(void **state)
{
	struct made_perf m = {0}, said = {0};
	struct cr_text formats;
	struct cr_profile *p;
	struct cr_log log;
	size_t at;

	(void)state;
	tracepoints(&said);
	formats = said.features[1];
	made_attr(&m, &said.attrs[0], &(uint64_t){7}, 1);
	at = made_begin(&m, MADE_TRACING_DATA, 0);
	made_u32(&m.records, (uint32_t)formats.len);
	cr_text_put(&m.records, formats.p, formats.len);
	cr_text_pad(&m.records, '\0', -m.records.len % 8);
	made_end(&m, at);
	made_sample(&m, &(struct made_sample){.pid = 5,
				.tid = 5,
				.time = 1,
				.period = 1,
				.ip = 4,
				.raw = "\0\0\0",
				.raw_bytes = 4});
	said.features[1] = (struct cr_text){0};
	assert_reads(&m, ":5 5/5 1 1 tracepoint 316 [unknown]+4\n", &p, &log);
	assert_int_equal(log.n, 0);
	cr_profile_free(p);
	cr_text_fini(&formats);
	formats = made_file(&said);
	cr_text_fini(&formats);
}

static void
test_the_trace_of_a_processor_is_stepped_over_and_told(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct made_perf m = {0};
		struct cr_profile *p;
		struct cr_text f;
		struct cr_log log;
		struct cr_err err;

		made_clock(&m);
		made_trace_info(&m, 1);
		sample(&m, 5, 5, 1, 0x10);
		made_trace(&m, 1000);
		made_trace(&m, 0);
		made_words(&m, MADE_AUX, 2, (const uint64_t[]){0, 1000, 1}, 3);
		made_words(&m, MADE_AUX, 3, (const uint64_t[]){1000, 1000, 0}, 3);
		sample(&m, 5, 5, 4, 0x20);
		f = i ? made_pipe_file(&m) : made_file(&m);
		assert_int_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
		assert_text(p,
			":5 5/5 1 10 cpu-clock [unknown]+10\n:5 5/5 4 10 cpu-clock [unknown]+20\n");
		assert_str(cr_profile_fact(p, "processor trace"), "Intel PT");
		assert_int_equal(log.n, 1);
		assert_string_equal(
			log.entries[0].kind, "pieces of the processor's trace, not decoded");
		assert_int_equal(log.entries[0].count, 2);
		assert_int_equal(
			quality_of(p, "pieces of the processor's trace cut while recording"), 1);
		cr_profile_free(p);
		cr_text_fini(&f);
	}
}

static void
test_a_trace_longer_than_the_file_is_the_end(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_log log;

	(void)state;
	made_clock(&m);
	sample(&m, 5, 5, 1, 0x10);
	made_trace(&m, 1000);
	m.records.len -= 500;
	assert_reads(&m, ":5 5/5 1 10 cpu-clock [unknown]+10\n", &p, &log);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_string_equal(log.entries[1].kind, "trace of the processor cut off");
	cr_profile_free(p);
}

static void
test_a_pipe_without_an_event_has_nothing(void **state)
{
	struct made_perf m = {0};
	struct cr_profile *p;
	struct cr_text f;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	made_comm(&m, 5, 5, 1, "prog");
	sample(&m, 5, 5, 1, 0x10);
	made_switch(&m, MADE_SWITCH_OUT, 5, 5, 2);
	f = made_pipe_file(&m);
	assert_int_not_equal(read_bytes(f.p, f.len, &p, &log, &err), CR_OK);
	assert_null(p);
	assert_true(err.text[0]);
	cr_text_fini(&f);
}

/* ---- what only a directory has */

static void
test_files_of_a_folder_are_put_in_order_by_time(void **state)
{
	struct made_perf m = {0}, s = {0};
	struct contained c = {.n_streams = 2};
	struct cr_profile *p;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	made_clock(&m);
	made_clock(&s);
	made_comm(&m, 5, 5, 2, "later");
	for (uint64_t i = 4; i > 0; i--)
		sample(&s, 5, 5, i, i << 4);
	c.streams[1] = s.records;
	s.records = (struct cr_text){0};
	sample(&s, 5, 5, 3, 0x333);
	c.streams[0] = s.records;
	s.records = (struct cr_text){0};
	c.file = made_file(&m);
	assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
	assert_text(p,
		":5 5/5 1 10 cpu-clock [unknown]+10\nlater 5/5 2 10 cpu-clock [unknown]+20\n"
		"later 5/5 3 10 cpu-clock [unknown]+333\nlater 5/5 3 10 cpu-clock [unknown]+30\n"
		"later 5/5 4 10 cpu-clock [unknown]+40\n");
	cr_profile_free(p);
	contained_fini(&c);
	cr_text_fini(&s.ids[0]);
}

/*
 * Files that have no times are read in the order of the file, but none of them to its end before
 * the others.
 */
static void
test_files_of_a_folder_take_turns(void **state)
{
	enum { WORDS = 15001, EACH = 70 }; /* together 4 MB a file */
	static const struct perf_attr a = {.type = 1,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_RAW};
	static uint32_t noise[WORDS];
	uint64_t random = 1;

	(void)state;
	for (unsigned packed = 0; packed < 2; packed++) {
		struct made_perf m = {0};
		struct contained c = {.n_streams = 2};
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;
		unsigned changes = 0;

		made_attr(&m, &a, NULL, 0);
		for (uint32_t i = 0; i < 2; i++) {
			for (unsigned k = 0; k < EACH; k++) {
				for (size_t w = 0; w < WORDS; w++)
					noise[w] = (uint32_t)testing_random(
						&random); /* zstd makes nothing of it */
				made_sample(&m, &(struct made_sample){.pid = i,
							.tid = i,
							.raw = noise,
							.raw_bytes = sizeof(noise)});
			}
			if (packed)
				made_pack(&m.records, MADE_COMPRESSED, 50000);
			c.streams[i] = m.records;
			m.records = (struct cr_text){0};
		}
		made_comm(&m, 0, 0, 0, "a");
		c.file = made_file(&m);
		assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
		assert_int_equal(log.n, 0);
		assert_int_equal(p->samples.n, 2 * EACH);
		for (uint64_t i = 1; i < p->samples.n; i++)
			changes += p->samples.task[i] != p->samples.task[i - 1];
		assert_int_equal(changes, 3);
		cr_profile_free(p);
		contained_fini(&c);
	}
}

/* ---- damage */

static void
test_a_file_of_a_folder_that_is_cut_costs_only_its_end(void **state)
{
	struct made_perf m = {0};
	struct contained c;
	struct cr_profile *p;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	recording(&m);
	contain(&c, &m, AS_DIRECTORY);
	c.streams[1].len -= 4;
	assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
	assert_text(p,
		":6 5/6 120 20 the-clock prog+1100 prog+1010 [kernel.kallsyms]+ffffffff81000100 "
		"[x_fs]+ffffffffc0000010\nchild 9/9 140 10 the-clock prog+1010\n");
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(log.n, 1);
	assert_string_equal(log.entries[0].kind, "damaged or cut record, the rest is lost");
	cr_profile_free(p);
	contained_fini(&c);
}

/* Of a recorder that was killed the file says no size, and the last record may be there in part. */
static void
test_a_recorder_that_was_killed_leaves_what_it_wrote(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CONTAINERS; i++) {
		struct made_perf m = {0};
		struct contained c;
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		good(&m);
		for (uint64_t k = 0; k < 20; k++)
			sample(&m, 5, 5, 200 + k, 0x400000);
		m.killed = true;
		contain(&c, &m, i);
		c.file.len -= how[i].directory ? 0 : 5;
		assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
		assert_true(p->flags & CR_PROFILE_IN_PART);
		assert_true(p->samples.n >= 20 && p->samples.n <= 23);
		assert_true(log.n > 0);
		assert_int_equal(p->samples.time_ns[0], 100);
		cr_profile_free(p);
		contained_fini(&c);
	}
}

/* Of the file of a pipe only the bytes tell whether it is all there: whole records look like it. */
static void
test_every_prefix_is_read_or_refused(void **state)
{
	static const enum container kinds[] = {AS_PACKED2_FILE, AS_PIPE, AS_PACKED_PIPE};

	(void)state;
	for (size_t i = 0; i < CR_LEN(kinds); i++) {
		struct made_perf m = {0};
		struct contained c;
		size_t whole;

		recording(&m);
		contain(&c, &m, kinds[i]);
		whole = c.file.len;
		for (c.file.len = 0; c.file.len < whole; c.file.len++) {
			struct cr_profile *p;
			struct cr_log log;
			struct cr_err err;
			const int rc = read_contained(&c, &p, &log, &err);

			assert_true(rc == CR_OK ? p && (how[kinds[i]].pipe || log.n > 0)
						: !p && err.text[0]);
			assert_true(!p || log.n > 0 || !(p->flags & CR_PROFILE_IN_PART));
			cr_profile_free(p);
		}
		contained_fini(&c);
	}
}

static void
test_a_pipe_cut_within_a_record_is_told(void **state)
{
	struct made_perf m = {0};
	struct cr_text f;

	(void)state;
	good(&m);
	f = made_pipe_file(&m);
	for (size_t cut = 1; cut < 64; cut++) { /* within the last sample */
		struct cr_profile *p;
		struct cr_log log;
		struct cr_err err;

		assert_int_equal(read_bytes(f.p, f.len - cut, &p, &log, &err), CR_OK);
		assert_true(p->flags & CR_PROFILE_IN_PART);
		assert_int_equal(log.n, 1);
		assert_int_equal(p->samples.n, 2);
		cr_profile_free(p);
	}
	cr_text_fini(&f);
}

/* How many samples are left when a byte is another one; 0 also when the input is refused. */
static uint64_t
change_and_read(const struct contained *c, struct cr_text *t, size_t at, char to)
{
	const char was = t->p[at];
	struct cr_profile *p;
	struct cr_log log;
	struct cr_err err;
	uint64_t n = 0;

	t->p[at] = to;
	if (read_contained(c, &p, &log, &err) == CR_OK) {
		n = p->samples.n;
		free(text_of(p));
	}
	cr_profile_free(p);
	t->p[at] = was;
	return n;
}

static void
test_single_bytes_changed_do_no_harm(void **state)
{
	static const enum container kinds[] = {AS_PIPE, AS_PACKED_DIRECTORY};
	uint64_t random = 2026;

	(void)state;
	for (unsigned i = 0; i < CR_LEN(kinds); i++) {
		size_t n_changed = 0, n_whole = 0, n_none = 0;
		struct made_perf m = {0};
		struct contained c;

		good(&m);
		contain(&c, &m, kinds[i]);
		for (size_t k = 0; k <= c.n_streams; k++) {
			struct cr_text *t = k ? &c.streams[k - 1] : &c.file;

			for (size_t at = 0; at < t->len; at++, n_changed++) {
				const uint64_t n =
					change_and_read(&c, t, at, (char)testing_random(&random));

				assert_in_range(n, 0,
					3); /* as many as there are: a change makes no new ones */
				n_whole += n == 3;
				n_none += n == 0;
			}
		}
		print_message(
			"of %zu changes %zu cost no sample, %zu all\n", n_changed, n_whole, n_none);
		assert_true(n_whole > n_changed / 4 && n_none > 0);
		contained_fini(&c);
	}
}

static void
test_damaged_packing_in_one_file_leaves_the_others(void **state)
{
	struct made_perf m = {0};
	struct contained c;
	struct cr_profile *p;
	struct cr_log log;
	struct cr_err err;

	(void)state;
	recording(&m);
	contain(&c, &m, AS_PACKED_DIRECTORY);
	memset(c.streams[1].p + 8, 0xff, 8);
	assert_int_equal(read_contained(&c, &p, &log, &err), CR_OK);
	assert_int_equal(p->samples.n, 2);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(log.n, 1);
	assert_string_equal(log.entries[0].kind, "damaged compressed records, the rest is lost");
	cr_profile_free(p);
	contained_fini(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whatever_it_comes_in_it_says_the_same),
		cmocka_unit_test(test_records_are_counted_also_those_in_others),
		cmocka_unit_test(test_events_of_a_pipe_are_named_by_their_updates),
		cmocka_unit_test(test_tracepoints_of_a_pipe_are_described_behind_a_record),
		cmocka_unit_test(test_formats_inside_a_record_are_not_looked_for_behind_it),
		cmocka_unit_test(test_the_trace_of_a_processor_is_stepped_over_and_told),
		cmocka_unit_test(test_a_trace_longer_than_the_file_is_the_end),
		cmocka_unit_test(test_a_pipe_without_an_event_has_nothing),
		cmocka_unit_test(test_files_of_a_folder_are_put_in_order_by_time),
		cmocka_unit_test(test_files_of_a_folder_take_turns),
		cmocka_unit_test(test_a_file_of_a_folder_that_is_cut_costs_only_its_end),
		cmocka_unit_test(test_a_recorder_that_was_killed_leaves_what_it_wrote),
		cmocka_unit_test(test_every_prefix_is_read_or_refused),
		cmocka_unit_test(test_a_pipe_cut_within_a_record_is_told),
		cmocka_unit_test(test_single_bytes_changed_do_no_harm),
		cmocka_unit_test(test_damaged_packing_in_one_file_leaves_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
