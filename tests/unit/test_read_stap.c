#include "testing.h"

#include "symbol/opts.h"
#include "testing_reader.h"

static void
test_each_kind_of_line_is_read_as_the_runtime_means_it(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		/* with a symbol */
		{" 0x4011 : main+0x1/0x20 [/bin/a]\n\t5\n", "main 5\n", ""},
		{" 0x4012 : f+0x2/0x9 [/bin/a]\n 0x4011 : main+0x1/0x20 [/bin/a]\n\t5\n",
			"main;f 5\n", ""},
		{" 0x0000000000004011 : main+0x1/0x20 [/bin/a]\n\t5\n", "main 5\n", ""},
		{" 0x7f1 : std::abort()+0x10/0x20 [/usr/lib/libstdc++.so.6]\n\t1\n",
			"std::abort() 1\n", ""},
		{" 0x7f1 : A::operator+(A const&)+0x4/0x20 [/opt/c++/a+b]\n\t1\n",
			"A::operator+(A const&) 1\n", ""},
		{" 0x1 : a : b+0x1/0x2 [/x]\n\t1\n", "a : b 1\n", ""},
		{" 0x1 : a;b+0x1/0x2 [/x]\n\t1\n", "a:b 1\n", ""},
		{" 0x1 : a%d+0x1/0x2 [/x]\n\t1\n", "a%d 1\n", ""},
		{" 0x1 : +0x1/0x2 [k]\n\t1\n", "- 1\n", ""},
		{" 0x1 : f+0x1/0x2 [/opt/my app [old]/a b]\n\t1\n", "f 1\n", ""},
		{" 0x1 : f+0x1/0x2 [/usr/lib/x.so (deleted)]\n\t1\n", "f 1\n", ""},
		{" 0xffff : do_x+0x1/0x2 at /usr/src/c++/a.c:123 [x]\n\t1\n", "do_x 1\n", ""},
		{" 0xffff : do_x+0x1/0x2 at /usr/src/a.c:1\n\t1\n", "do_x 1\n", ""},
		{" 0x1 : guess+0x1/0x2 [kernel] (inexact)\n 0x0 (inexact)\n\t1\n", "0x0;guess 1\n",
			""},
		{"Returning from:  0x1 : f+0x0/0x9 [kernel]\nReturning to  :  0x2 : g+0x5/0x9 "
		 "[kernel]\n\t2\n",
			"g;f 2\n", ""},
	/* mangled */
#ifdef HAVE_LIBIBERTY
		{" 0x1 : _ZN3foo3barEi+0x1/0x2 [/x]\n\t1\n", "foo::bar(int) 1\n", ""},
		{"_ZN3foo3barEi+0x10\n_RNvC5hello4main\n_ZN3foo3barEi\n\t2\n",
			"foo::bar(int);hello::main;foo::bar(int) 2\n", ""},
#endif
		{" 0x1 : _D3foo3barFiZv+0x1/0x2 [/x]\n\t1\n", "foo.bar(int) 1\n", ""},
		{"_D3foo3barFiZv\n\t1\n", "_D3foo3barFiZv 1\n", ""}, /* may be text of a script */
		{" 0x1 : _ZN3foo+0x1/0x2 [/x]\n_ZN3foo\n\t1\n", "_ZN3foo;_ZN3foo 1\n", ""},
		/* without an address */
		{"main+0x10\n__libc_start+0xf5\n\t2\n", "__libc_start;main 2\n", ""},
		{"sys_read+0x52 [kernel]\n\t2\n", "sys_read 2\n", ""},
		/* without a symbol */
		{" 0x7f8 : 0x7f8 [/usr/lib/x.so.1+0x8/0x20]\n\t2\n", "[x.so.1] 2\n", ""},
		{" 0x7f8 [/usr/lib/x.so.1+0x8/0x20]\n\t2\n", "[x.so.1] 2\n", ""},
		{" 0x7f8 [/usr/lib/x.so.1 (deleted)+0x8/0x20] (inexact)\n\t2\n", "[x.so.1] 2\n",
			""},
		{" 0x7f8 [x+0x8/0x20] at /src/x.c:3\n\t2\n", "[x] 2\n", ""},
		{" 0xffffffffa0001010 [libafs]\n\t2\n", "[libafs] 2\n", ""},
		{"0xffffffffa0001010 [drv+0x1010]\n\t2\n", "[drv] 2\n", ""},
		{" 0x40f10c : 0x40f10c\n\t2\n", "0x40f10c 2\n", ""},
		{" 0x000000000040F10C\n 0x40f10c  :  <unknown>\n\t2\n", "0x40f10c;0x40f10c 2\n",
			""},
		{"0xffffffff8171aa01 0x810bb02e 0x40f0a9 \n\t2\n",
			"0x40f0a9;0x810bb02e;0xffffffff8171aa01 2\n", ""},
		{"0xffffffff8171aa01 0x810bb02e 0x\n\t2\n", "0x810bb02e;0xffffffff8171aa01 2\n",
			"truncated-frame:1"},
		/* of a language */
		{"@/srv/a+b/init.lua:176\n=chunk:1\n[tail]\n\t3\n",
			"[tail];=chunk:1;@/srv/a+b/init.lua:176 3\n", ""},
		{"C:0x7f10aa52dd0c\nT:app.lua:handler\nbuiltin#29\n\t3\n",
			"builtin#29;T:app.lua:handler;C:0x7f10aa52dd0c 3\n", ""},
		{"My::Http::get\n(eval)\n\t3\n", "(eval);My::Http::get 3\n", ""},
		{"<no user backtrace at 0x1>\n\t3\n", "<no user backtrace at 0x1> 3\n", ""},
		/* counts */
		{"\t9\n a\n\t1\n", "[no stack] 9\na 1\n", ""},
		{"a\n    8282\n", "a 8282\n", ""},
		{"a\n42\nb\n\t1\n", "a 42\nb 1\n", ""},
		{"a\n\t3  \n", "a 3\n", ""},
		{"a\r\n\t3\r\nb\t12\r\n", "a 3\nb 12\n", "truncated-frame:3"},
		{"a\n\n\nb\n\t3", "b;a 3\n", ""},
		{"a\n\t0\nb\n\t1\n", "b 1\n", ""},
		{"a\n\t-128\nb\n\t1\n", "b 1\n", ""},
		{"a\n\t100\na\n\t-30\n", "a 70\n", ""},
		{"a\n\t1.5\nb\n\t1\n", "b 1\n", "bad-count:2"},
		{"a\n\t18446744073709551616\n", "a 18446744073709551615\n", "overflow:2"},
		{"a\n\t18446744073709551615\na\n\t1\n", "a 18446744073709551615\n", "overflow:4"},
		{"a\n\t18446744073709551615\na\n\t1\nb\n\t2\n", "a 18446744073709551615\nb 2\n",
			"overflow:4"},
		{"a\n\t3\nb\nc\n", "a 3\n", "stack-without-count:3"},
		{"@/srv/a.lua:1\n@/sr\t7\nC:x\n\t2\n", "@/sr;@/srv/a.lua:1 7\nC:x 2\n",
			"truncated-frame:2"},
		{"0x12 0x34 \t7\n", "0x34;0x12 7\n", ""},
		/* what is no frame */
		{"WARNING: x\n\t3\n", "[no stack] 3\n", "noise:1"},
		{"a\nWARNING: b\n\t3\nPass 5: run\nTime's up. Quitting now...\n", "a 3\n",
			"noise:2 noise:4 noise:5"},
		{"=== Off-CPU ===\nmin/avg/max: 1/2/3\nvalue |--------------------- count\n    1 "
		 "|@@  10\n    ~\n<-5 | 0\n",
			"", "noise:1 noise:2 noise:3 noise:4 noise:5 noise:6"},
		{"\xef\xbb\xbf"
		 "a\n\t3\n",
			"a 3\n", ""},
		{"", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("stap", cases[i].text, cases[i].folded, cases[i].reasons);
}

static void
test_a_text_without_counts_is_a_stack_for_each_run_of_frames(void **state)
{
	static const struct {
		const char *text, *folded, *reasons;
	} cases[] = {
		{"ret=5\n 0x1 : f+0x1/0x2 [kernel]\n 0x2 : g+0x1/0x2 [kernel]\n-----\n 0x1 : "
		 "f+0x1/0x2 [kernel]\n",
			"f 1\ng;f 1\n", "no-count:2"},
		{"C:lj_x\n@/srv/a.lua:1\nbuiltin#2\n[tail]\nlib/b.lua:3\n",
			"lib/b.lua:3;[tail];builtin#2;@/srv/a.lua:1;C:lj_x 1\n", "no-count:1"},
		{"0x1 0x2 \n0x3 \n\n0x4 0x5\n", "0x3;0x2;0x1 1\n0x5;0x4 1\n", "no-count:1"},
		{" 0x1 : f+0x1/0x2 [kernel]\nWARNING: x\n 0x2 : g+0x1/0x2 [kernel]\n", "g;f 1\n",
			"no-count:1 noise:2"},
		{"no frames in this\nnor in this\n", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_reads("stap", cases[i].text, cases[i].folded, cases[i].reasons);
}

/* The dso and the location of the function of this name. */
static const struct cr_location *
location_named(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (cr_str_eq(p->functions[p->lines[p->locations[i].first_line].function.i].name,
			    cr_str_of(name)))
			return &p->locations[i];
	fail_msg("no location of %s", name);
	return NULL;
}

static void
test_what_the_fold_leaves_out_is_in_the_profile(void **state)
{
	static const char text[] = " 0xffffffff811c4102 : sys_write+0x52/0xa0 [kernel]\n"
				   " 0xffffffffa02c1d10 : nf_hook+0x74/0x130 [nf_conntrack]\n"
				   " 0xffffffffa02c1d99\n"
				   " 0x3a00f01777 : write+0x7/0x30 at /src/libc/write.c:27 "
				   "[/lib/libc.so.6 (deleted)]\n"
				   " 0x3a00f01999 [/lib/libc.so.6+0x1999/0x5000]\n"
				   " 0x5000 : f+0x1/0x5 [prog]\n"
				   "g+0x2 [libx.so.1]\n"
				   "h+0x2 [prog]\n"
				   "@/srv/app.lua:41\n"
				   "\t7\n";
	static const struct {
		const char *function, *dso;
		enum cr_kind kind;
		uint64_t addr;
	} cases[] = {
		{"sys_write", "kernel", CR_KIND_KERNEL, 0x52},
		{"nf_hook", "nf_conntrack", CR_KIND_MODULE, 0x74},
		{"0xffffffffa02c1d99", "kernel", CR_KIND_KERNEL, 0xffffffffa02c1d99},
		{"write", "/lib/libc.so.6", CR_KIND_USER, 7},
		{"[libc.so.6]", "/lib/libc.so.6", CR_KIND_USER, 0x3a00f01999},
		{"f", "prog", CR_KIND_USER, 1},
		{"g", "libx.so.1", CR_KIND_USER, 2},
		{"h", "prog", CR_KIND_UNKNOWN, 2},
		{"@/srv/app.lua:41", "[unknown]", CR_KIND_UNKNOWN, 0},
	};
	struct cr_log log;
	struct cr_profile *p = testing_read("stap", text, sizeof(text) - 1, &log);
	const struct cr_line *line;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_location *l = location_named(p, cases[i].function);

		assert_str(p->dsos[l->dso.i].name, cases[i].dso);
		assert_int_equal(p->dsos[l->dso.i].kind, cases[i].kind);
		assert_int_equal(l->addr, cases[i].addr);
	}
	line = &p->lines[location_named(p, "write")->first_line];
	assert_str(cr_line_file(p, line), "/src/libc/write.c");
	assert_int_equal(line->line, 27);
	line = &p->lines[location_named(p, "@/srv/app.lua:41")->first_line];
	assert_str(cr_line_file(p, line), "/srv/app.lua");
	assert_int_equal(line->line, 41);
	assert_false(p->flags & CR_PROFILE_HAS_ADDR);
	cr_profile_free(p);
}

static void
test_functions_inlined_at_an_address_are_one_location(void **state)
{
	static const char text[] = " 0x43a1b6 : str_new(str.c:98)+0x0/0x0 [str.c:98]\n"
				   " 0x43a1b6 : tab_get+0x0/0x0 [tab.c:10]\n"
				   " 0x43a1ff : tab_set+0x0/0x0 [tab.c:20]\n"
				   " 0x7f00  :  <unknown>\n"
				   "\t5\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("stap", text, sizeof(text) - 1, &log);
	const struct cr_location *l = &p->locations[p->node_location[3]]; /* the leaf of three */
	char *folded = testing_folded(p, NULL);

	(void)state;
	assert_string_equal(folded, "0x7f00;tab_set;tab_get;str_new(str.c:98) 5\n");
	assert_int_equal(p->n_nodes, 4);
	assert_int_equal(l->lines, 2);
	assert_int_equal(p->functions[p->lines[l->first_line].function.i].addr, CR_ADDR_INLINED);
	assert_str(p->functions[p->lines[l->first_line + 1].function.i].name, "tab_get");
	assert_str(cr_line_file(p, &p->lines[l->first_line]), "str.c");
	assert_int_equal(p->lines[l->first_line + 1].line, 10);
	free(folded);
	cr_profile_free(p);
}

static void
test_negative_counts_are_an_event_of_their_own(void **state)
{
	static const char text[] = "a\nb\n\t-128\nc\n\t5\nd\n\t-2\n";
	struct cr_log log;
	struct cr_profile *p = testing_read("stap", text, sizeof(text) - 1, &log);

	(void)state;
	assert_int_equal(p->n_events, 2);
	assert_event(p, "weight", "weight", "c 5\n");
	assert_event(p, "negative", "weight", "b;a 128\nd 2\n");
	assert_int_equal(log.n, 0);
	cr_profile_free(p);
	p = testing_read("stap", "a\n\t1\n", 5, &log);
	assert_int_equal(p->n_events, 1);
	assert_int_equal(cr_profile_fact(p, "events without samples").len, 0);
	cr_profile_free(p);
}

/* Frames of 18 digits and a blank: some of them are more than the shortest string that is cut. */
#define KERNEL(n) " 0xffffffff8100" #n " : 0xffffffff8100" #n "\n"
#define EIGHT        \
	KERNEL(0001) \
	KERNEL(0002) KERNEL(0003) KERNEL(0004) KERNEL(0005) KERNEL(0006) KERNEL(0007) KERNEL(0008)

static void
test_an_address_cut_off_with_its_string_is_reported(void **state)
{
	static const struct {
		const char *text, *reasons;
	} cases[] = {
		{EIGHT "\t1\n", ""},
		{EIGHT " 0xffffffff8100 : 0xffffffff8100\n\t1\n", "truncated-frame:1"},
		{EIGHT " 0xff\n\t1\n", "truncated-frame:1"},
		{EIGHT " 0x40f10c\n\t1\n", ""}, /* of a program that was not moved */
		{EIGHT " 0xffffffff8100 : f+0x1/0x2 [m]\n\t1\n", ""}, /* has a symbol */
		{KERNEL(0001) " 0xffffffff8100\n\t1\n", ""}, /* no string is cut so early */
		{EIGHT " 0x0 (inexact)\n\t1\n", ""},
		/* the same entry again has it again */
		{EIGHT " 0xfff\n\t1\n" EIGHT " 0xfff\n\t1\n",
			"truncated-frame:1 truncated-frame:11"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_log log;
		struct cr_profile *p =
			testing_read("stap", cases[i].text, strlen(cases[i].text), &log);
		char *reasons = testing_reasons(&log);

		assert_string_equal(reasons, cases[i].reasons);
		free(reasons);
		cr_profile_free(p);
	}
}

static struct cr_profile *
read_with(const char *format, const char *text, size_t len, const struct cr_read_opts *opts)
{
	const struct cr_input in = {.p = (const unsigned char *)text, .len = len};
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_reader_find(format)->read(&in, b, opts, &err), CR_OK);
	assert_int_equal(cr_builder_finish(b, opts->log, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static void
test_stacks_are_deeper_than_a_profile_takes(void **state)
{
	struct cr_text text = {0};
	struct cr_log log = {0};
	struct cr_profile *p;

	(void)state;
	for (unsigned i = 0; i < 20000; i++)
		cr_text_printf(&text, "f%u\n", i);
	cr_text_puts(&text, "\t1\n");
	p = read_with("stap", text.p, text.len, &(struct cr_read_opts){.log = &log});
	assert_str(
		p->functions[p->lines[p->locations[p->node_location[p->samples.node[0]]].first_line]
				     .function.i]
			.name,
		"f0");
	assert_str(p->functions[p->lines[p->locations[p->node_location[1]].first_line].function.i]
			   .name,
		"[truncated]");
	assert_int_equal(log.n_places, 1);
	assert_string_equal(log.places[0].why, "truncated-frame");
	cr_text_fini(&text);
	cr_profile_free(p);
}

static void
test_frames_may_stand_root_first(void **state)
{
	static const char text[] = " 0x1 : main+0x1/0x2 [/x]\n 0x2 : f+0x1/0x2 [/x]\n\t3\n";
	struct cr_log log = {0};
	struct cr_profile *p = read_with("stap", text, sizeof(text) - 1,
		&(struct cr_read_opts){.log = &log, .root_first = true, .unit = "us"});

	(void)state;
	assert_event(p, "weight", "us", "main;f 3\n");
	cr_profile_free(p);
}

static void
test_pieces_make_the_same_profile(void **state)
{
	static const char *const lines[] = {" 0x1 : f+0x1/0x2 [/x]\n",
		" 0x2 : g+0x1/0x2 [kernel]\n", "WARNING: x\n", "\t3\n", "\t-2\n", "@a.lua:3\n",
		"@a.l\t4\n", "\t1\r\n", "\n", "7\n", " 0x7f1 [/x+0x1/0x2]\n", "\tx\n", "\t1.5\n",
		"0x1 0x2 \n", "\t12\n"};
	uint64_t random = 5;
	struct cr_text text = {0};

	(void)state;
	for (unsigned i = 0; i < 3000; i++)
		cr_text_puts(&text, lines[testing_random(&random) % CR_LEN(lines)]);
	for (size_t bytes = 50; bytes < 5000; bytes = bytes * 3 + 1) {
		struct cr_log one_log = {0}, log = {0};
		struct cr_profile *one = read_with("stap", text.p, text.len,
			&(struct cr_read_opts){.log = &one_log, .threads = 1});
		struct cr_profile *p = read_with("stap", text.p, text.len,
			&(struct cr_read_opts){.log = &log, .threads = 3, .piece_bytes = bytes});
		char *want = testing_folded(one, NULL), *have = testing_folded(p, NULL);
		char *want_why = testing_reasons(&one_log), *why = testing_reasons(&log);

		assert_string_equal(have, want);
		assert_string_equal(why, want_why);
		assert_int_equal(p->samples.n, one->samples.n);
		assert_int_equal(log.n, one_log.n);
		for (size_t i = 0; i < log.n; i++)
			assert_int_equal(log.entries[i].count, one_log.entries[i].count);
		free(want);
		free(have);
		free(want_why);
		free(why);
		cr_profile_free(one);
		cr_profile_free(p);
	}
	cr_text_fini(&text);
}

static void
test_a_histogram_is_told_from_stacks(void **state)
{
	static const char text[] =
		"value |-------------------------------- count\n    1 |@@@@   3\n    2 |   0\n";
	const struct cr_input in = {.p = (const unsigned char *)text, .len = sizeof(text) - 1};
	const struct cr_reader *reader;
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	uint64_t line;

	(void)state;
	assert_int_equal(cr_reader_detect(&in, &reader, &line, &err), CR_OK);
	assert_string_equal(reader->name, "stap");
	assert_int_equal(line, 1);
	assert_int_equal(
		reader->read(&in, b, &(struct cr_read_opts){.log = &log}, &err), CR_EEMPTY);
	assert_non_null(strstr(err.text, "histogram, not stacks"));
	assert_int_equal(log.n_places, 3);
	cr_builder_free(b);
}

static void
test_frames_without_symbols_wait_to_be_named_when_files_may_be_asked(void **state)
{
	static const char text[] = " 0xffffffff811c4102 [kernel+0x52/0x0]\n"
				   " 0xffffffff811c4999 : 0xffffffff811c4999\n"
				   " 0x7f8a01 [/no/such/file+0x8a01/0x200000]\n"
				   " 0x7f8b02 [/no/such/file+0x8b02/0x200000]\n"
				   " 0x40f10c\n"
				   "\t6\n";
	const struct cr_symbol_opts symfs = {
		.symfs = "/no/such/folder", .kallsyms = "/no/such/kallsyms"};
	struct cr_log log = {0};
	struct cr_profile *p = read_with("stap", text, sizeof(text) - 1,
		&(struct cr_read_opts){.log = &log, .symbol = &symfs});
	static const struct {
		uint64_t addr;
		uint16_t ordinal;
		const char *dso;
	} want[] = {
		{0, 0, "[unknown]"}, /* in no dso: its address is its name */
		{0x7f8b02, CR_ORDINAL_RETURN, "/no/such/file"},
		{0x7f8a01, 0, "/no/such/file"}, /* from here it went into the kernel */
		{0xffffffff811c4999, CR_ORDINAL_RETURN, "kernel"},
		{0xffffffff811c4102, 0, "kernel"},
	};

	(void)state;
	assert_true(p->flags & CR_PROFILE_HAS_ADDR);
	assert_int_equal(p->n_nodes, CR_LEN(want) + 1);
	for (uint32_t i = 0; i < CR_LEN(want); i++) {
		const struct cr_location *l = &p->locations[p->node_location[i + 1]];

		assert_int_equal(
			p->functions[p->lines[l->first_line].function.i].name.len, i ? 0 : 8);
		assert_int_equal(l->addr, i ? want[i].addr : 0x40f10c);
		assert_int_equal(l->ordinal, want[i].ordinal);
		assert_str(p->dsos[l->dso.i].name, want[i].dso);
	}
	cr_profile_free(p);
}

static void
test_broken_texts_are_read_or_refused(void **state)
{
	static const char good[] =
		"WARNING: x\n 0xffffffff8100 : f+0x1/0x2 at a.c:3 [kernel] (inexact)\n"
		" 0x7f8 [/usr/lib/x.so.1 (deleted)+0x8/0x20]\n0x12 0x34 "
		"\n@/srv/a.lua:1\nx\t7\n\t5\n"
		" 0x4 : s(a.c:1)+0x0/0x0 [a.c:1]\n 0x4 : t+0x0/0x0 [b.c:2]\n\t-3\n";

	(void)state;
	assert_survives("stap", good, sizeof(good) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_kind_of_line_is_read_as_the_runtime_means_it),
		cmocka_unit_test(test_a_text_without_counts_is_a_stack_for_each_run_of_frames),
		cmocka_unit_test(test_what_the_fold_leaves_out_is_in_the_profile),
		cmocka_unit_test(test_functions_inlined_at_an_address_are_one_location),
		cmocka_unit_test(test_negative_counts_are_an_event_of_their_own),
		cmocka_unit_test(test_an_address_cut_off_with_its_string_is_reported),
		cmocka_unit_test(test_stacks_are_deeper_than_a_profile_takes),
		cmocka_unit_test(test_frames_may_stand_root_first),
		cmocka_unit_test(test_pieces_make_the_same_profile),
		cmocka_unit_test(test_a_histogram_is_told_from_stacks),
		cmocka_unit_test(
			test_frames_without_symbols_wait_to_be_named_when_files_may_be_asked),
		cmocka_unit_test(test_broken_texts_are_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
