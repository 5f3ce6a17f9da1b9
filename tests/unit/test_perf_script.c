#include "testing.h"

#include "testing_reader.h"

#include "base/mem.h"
#include "model/field.h"

#define FRAME "\t              10 f+0x4 (/x)\n"

static struct cr_profile *
read_ok(const char *text)
{
	struct cr_log log;
	struct cr_profile *p = testing_read("perf", text, strlen(text), &log);

	assert_non_null(p);
	return p;
}

static void
test_headers_of_every_shape_are_read(void **state)
{
	static const struct {
		const char *header, *folded;
		int32_t pid, tid;
		uint16_t cpu;
		uint64_t time_ns;
	} cases[] = {
		{"a 12 1.000001:        7 cycles: ", "a;f 7\n", -1, 12, CR_CPU_NONE, 1000001000},
		{"my prog 3 12/34 [002] 1.500000000: 7 cycles:u: ", "my_prog_3;f 7\n", 12, 34, 2,
			1500000000},
		{"  padded 12 1.500000: 7   cycles: ", "padded;f 7\n", -1, 12, CR_CPU_NONE,
			1500000000},
		{"kworker/0:1 -1/12 1.500000: 7 cycles: ", "kworker/0:1;f 7\n", -1, 12, CR_CPU_NONE,
			1500000000},
		{":-1 -1 1.500: 7 cycles: ", ":-1;f 7\n", -1, -1, CR_CPU_NONE, 1500000000},
		{"a 12 [001] K 1.500: 7 cycles: ", "a;f 7\n", -1, 12, 1, 1500000000},
		{"a 12 [001] 2026-01-02 03:04:05.000006 1.500: 7 cycles: ", "a;f 7\n", -1, 12, 1,
			1500000000},
		{"VM:  12 VCPU:003 a 12 1.500: 7 cycles: ", "a;f 7\n", -1, 12, CR_CPU_NONE,
			1500000000},
		{"a 12 [99999999999] 1.500: 7 cycles: ", "a;f 7\n", -1, 12, CR_CPU_UNKNOWN,
			1500000000},
		{"a 1.500: 7 cycles: ", "a;f 7\n", -1, -1, CR_CPU_NONE, 1500000000},
		{"a\t12 [001] 1.5:\t\t7 cycles:", "a;f 7\n", -1, 12, 1, 1500000000},
		{"a\t12/34\t[001] 2.25:\t7 cycles:", "a;f 7\n", 12, 34, 1, 2250000000},
		{"12/34 1.500: 7 cycles: ", "[unknown];f 7\n", 12, 34, CR_CPU_NONE, 1500000000},
		{"a 12 1.500: 7", "a;f 7\n", -1, 12, CR_CPU_NONE, 1500000000},
		{"a 12 1.500: cycles: ", "a;f 1\n", -1, 12, CR_CPU_NONE, 1500000000},
		{"a 12 1.500: 0 cycles: ", "", -1, 12, CR_CPU_NONE, 1500000000},
		{"a b 12 cycles:", "a_b;f 1\n", -1, 12, CR_CPU_NONE, 0},
		{"a 12 7 cycles:", "a;f 7\n", -1, 12, CR_CPU_NONE, 0},
		{"a 12 [003] 7 cycles:", "a;f 7\n", -1, 12, 3, 0},
		{"a 12/34", "a;f 1\n", 12, 34, CR_CPU_NONE, 0},
		{"a 12 [0123] 12.000000001: 7 cycles: ", "a;f 7\n", -1, 12, 123, 12000000001},
		{"a 12 [001]x 1.500: 7 cycles: ", "a_12_[001]x;f 7\n", -1, -1, CR_CPU_NONE,
			1500000000},
		{"a [b] 1.500: 7 cycles: ", "a_[b];f 7\n", -1, -1, CR_CPU_NONE, 1500000000},
		{"[001] 1.500: 7 cycles: ", "[unknown];f 7\n", -1, -1, 1, 1500000000},
		{"a: 12 1.500: 7 cycles: ", "a:;f 7\n", -1, 12, CR_CPU_NONE, 1500000000},
		{"a 12 0000000001.500: 7 cycles: ", "a;f 7\n", -1, 12, CR_CPU_NONE, 1500000000},
		{"a -12 1.500: 7 cycles: ", "a;f 7\n", -1, -1, CR_CPU_NONE, 1500000000},
		{"a 12/-1 1.500: 7 cycles: ", "a;f 7\n", 12, -1, CR_CPU_NONE, 1500000000},
		{"cpu 12 1.500: 7 cpu/event=0x3c,umask=0x0/u: ", "cpu;f 7\n", -1, 12, CR_CPU_NONE,
			1500000000},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0};
		struct cr_profile *p;
		char *folded;

		cr_text_puts(&text, cases[i].header);
		cr_text_puts(&text, "\n" FRAME "\n");
		p = read_ok(text.p);
		folded = testing_folded(p, NULL);
		assert_string_equal(folded, cases[i].folded);
		assert_int_equal(p->samples.n, 1);
		assert_int_equal(p->tasks[p->samples.task[0]].pid, cases[i].pid);
		assert_int_equal(p->tasks[p->samples.task[0]].tid, cases[i].tid);
		assert_int_equal(p->samples.cpu[0], cases[i].cpu);
		assert_int_equal(p->samples.time_ns[0], cases[i].time_ns);
		assert_int_equal(!(p->flags & CR_PROFILE_HAS_TIME), !cases[i].time_ns);
		assert_int_equal(!(p->flags & CR_PROFILE_HAS_CPU), cases[i].cpu == CR_CPU_NONE);
		assert_true(p->flags & CR_PROFILE_HAS_TASK);
		free(folded);
		cr_text_fini(&text);
		cr_profile_free(p);
	}
}

static void
test_units_are_those_of_the_events(void **state)
{
	static const struct {
		const char *event, *unit;
	} cases[] = {
		{"7 cycles:u: ", "cycles"},
		{"7 cpu-clock:pppH: ", "ns"},
		{"7 cpu_core/cycles/: ", "cycles"},
		{"7 instructions: ", "instructions"},
		{"7 page-faults:u: ", "events"},
		{"cycles: ", "samples"},
		{"sched:sched_switch: a=1", "events"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0};
		struct cr_profile *p;

		cr_text_printf(&text, "a 1 1.000001: %s\n" FRAME "\n", cases[i].event);
		p = read_ok(text.p);
		assert_str(p->events[0].unit, cases[i].unit);
		cr_text_fini(&text);
		cr_profile_free(p);
	}
}

static void
test_what_ends_a_sample(void **state)
{
	static const char h[] = "a 1 1.000001: 2 cycles: \n";
	static const struct {
		const char *between, *folded, *reasons;
	} cases[] = {
		{"\n", "a;f 4\n", ""},
		{"\r\n", "a;f 4\n", ""},
		{"   \n", "a;f 4\n", ""},
		{"", "a;f 4\n", ""},
		{"# a comment\n\n", "a;f 4\n", ""},
		{" ABI:2    AX:0x0\n", "a;f 4\n", ""},
		{"b 1 1.000002: PERF_RECORD_COMM exec: b:1/1\n", "a;f 4\n", ""},
		{"b 1 1.000002: PERF_RECORD_COMM exec: b:1/1\n" FRAME, "a;f 4\n",
			"frame-outside-sample:4"},
		{"\n" FRAME, "a;f 4\n", "frame-outside-sample:4"},
		{"\tmain (/x)\n\n", "a;f 4\n", "bad-frame:3"},
		{"lost 3 chunks\n\n", "a;f 4\n", "bad-header:3"},
		{"[ perf record: Woken up 1 times ]\n\n", "a;f 4\n", "noise:3"},
		{"\t    401b97\tinsn: 48 89\n\n", "a;f 4\n", ""},
		{"\tmain+0x1:\tx.c:3\n\t    401b97\tjmp *0x8(%rax)\n\t... not reaching sample "
		 "...\n\n",
			"a;f 4\n", ""},
		{" 0x10/0x20/P/-/-/3  main+0x1/f+0x2/M/-/-/1 \n", "a;f 4\n", ""},
		{"         7f1234500010\n", "a;f 4\n", ""}, /* a physical address */
		{" ilen: 3 insn: 48 89 e5\n", "a;f 4\n", ""},
		{"      BPF output: 0000: 48 69\n                 0008: 48 69\n\n", "a;f 4\n", ""},
		{"|12      x = y + 1;\n\n", "a;f 4\n", ""},
		/* Nothing that these can be: each is counted, wherever it stands, and the frames
		   behind it are read. */
		{"  unreadable\n\n", "a;f 4\n", "bad-frame:3"},
		{"    unreadable words\n\n", "a;f 4\n", "bad-frame:3"},
		{"                unreadable (/x)\n\n", "a;f 4\n", "bad-frame:3"},
		{"\tunreadable\n\n", "a;f 4\n", "bad-frame:3"},
		{"\t10zz f (/x)\n\n", "a;f 2\na;f;f 2\n", "bad-address:3"},
		{"\t    401b97\tinsn: 48 89\n\tunreadable\n  unreadable\n\n", "a;f 4\n",
			"bad-frame:4 bad-frame:5"},
		{"  x.c:12\n  unreadable\n\n", "a;f 4\n", "bad-frame:4"},
	};
	static const char *const unreadable[] = {
		"  unreadable\n", "\tunreadable\n", "          unreadable (/x)\n"};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0};

		cr_text_printf(&text, "%s" FRAME "%s%s" FRAME, h, cases[i].between, h);
		assert_reads("perf", text.p, cases[i].folded, cases[i].reasons);
		cr_text_fini(&text);
	}
	assert_reads("perf", "a 1 1.000001: 2 cycles: \n\na 1 1.000002: 3 cycles: \n" FRAME,
		"a 2\na;f 3\n", "");
	for (size_t i = 0; i < CR_LEN(unreadable); i++) { /* right below a header */
		struct cr_text text = {0};

		cr_text_printf(&text, "%s%s" FRAME "\n", h, unreadable[i]);
		assert_reads("perf", text.p, "a;f 2\n", "bad-frame:2");
		cr_text_fini(&text);
	}
	assert_reads("perf", FRAME "\n\n" FRAME, "[unknown];f 2\n", "");
	assert_reads("perf", "a 1 1.000001: 99999999999999999999 cycles: \n" FRAME,
		"a;f 18446744073709551615\n", "overflow:1");
}

/* name !dso kind addr, root last as in the text. */
static void
put_frames(const struct cr_profile *p, struct cr_text *out)
{
	for (uint32_t n = p->samples.node[0]; n; n = p->node_parent[n]) {
		const struct cr_location *l = &p->locations[p->node_location[n]];

		for (uint16_t i = 0; i < l->lines; i++) {
			const struct cr_line *line = &p->lines[l->first_line + i];
			const struct cr_function *f = &p->functions[line->function.i];

			cr_text_str(out, f->name);
			if (f->addr == CR_ADDR_INLINED)
				cr_text_puts(out, " inlined");
			if (line->line)
				cr_text_printf(out, " %.*s:%u", (int)line->file.len, line->file.p,
					line->line);
			cr_text_puts(out, "|");
		}
		cr_text_printf(out, "%s %.*s %llx\n",
			cr_kind_name((enum cr_kind)p->dsos[l->dso.i].kind),
			(int)p->dsos[l->dso.i].name.len, p->dsos[l->dso.i].name.p,
			(unsigned long long)l->addr);
	}
}

static void
test_frames_of_every_shape_are_read(void **state)
{
	static const struct {
		const char *lines, *model;
	} cases[] = {
		{"\t              10 f+0x4 (/x)\n", "f|user /x 4\n"},
		{"\t10 f+0xAB (/x)\n", "f|user /x ab\n"},
		{"            10 f (/x)\n", "f|user /x 0\n"},
		{"ffff f (/x)\n", "f|user /x 0\n"},
		{"\t10 f\n", "f|unknown [unknown] 0\n"},
		{"        b3cea6c4\tfoo+0x4 (/lib/x.so)\n",
			"foo|user /lib/x.so 4\n"}, /* older simpleperf */
		{"b3cea6c4\tfoo(int) (/lib/x.so)\n", "foo(int)|user /lib/x.so 0\n"},
		{"\taddress foo (/lib/x.so)\n", "foo|user /lib/x.so 0\n"},
		{"\t10 (anonymous namespace)::f(int)\n",
			"(anonymous namespace)::f(int)|unknown [unknown] 0\n"},
		{"\t10 f(std::function<void (int)>) (/opt/my prog (deleted))\n",
			"f(std::function<void (int)>)|user /opt/my prog (deleted) 0\n"},
		{"\t10 f (/a)b)\n", "f|user /a)b 0\n"},
		{"\t10 f (/x+0x123)\n", "f|user /x 0\n"},
		{"\t10  (/x)\n", "|user /x 10\n"},
		{"\t10 (/x)\n", "|user /x 10\n"},
		{"\t10\n", "|unknown [unknown] 10\n"},
		{"\t10 [unknown] (/x)\n", "|user /x 10\n"},
		{"\tffffffffffffffff [unknown] ([unknown])\n",
			"|unknown [unknown] ffffffffffffffff\n"},
		{"\t10 +0x10 (/x)\n", "-|user /x 10\n"},
		{"\t10 f ([kernel.kallsyms])\n", "f|kernel [kernel.kallsyms] 0\n"},
		{"\t10 f ([nf_tables])\n", "f|module [nf_tables] 0\n"},
		{"\t10 f (/lib/x.ko.xz)\n", "f|module /lib/x.ko.xz 0\n"},
		{"\t10 f (/boot/vmlinux-6.1)\n", "f|kernel /boot/vmlinux-6.1 0\n"},
		{"\t10 f ([vdso])\n", "f|vdso [vdso] 0\n"},
		{"\t10 f (/tmp/perf-12.map)\n", "f|jit /tmp/perf-12.map 0\n"},
		{"\t10 f (/x/jitted-1-2.so)\n", "f|jit /x/jitted-1-2.so 0\n"},
		{"\t10 f ([JIT] tid 12)\n", "f|jit [JIT] tid 12 0\n"},
		{"\t10 f (bpf_prog_12_f)\n", "f|bpf bpf_prog_12_f 0\n"},
		{"\t10 i+0x4 (inlined)\n\t10 [unknown] (inlined)\n\t10 f+0x4 (/x)\n",
			"i inlined|[unknown] inlined|f|user /x 4\n"},
		{" f (/x)\n\t10 f (/x)\n", "|user /x f\nf|user /x 0\n"},
		{"\t              10 i (inlined)\n\t10 f (/x)", "i inlined|f|user /x 0\n"},
		{"\t10 i+0x4 (inlined)\n\t20 f+0x4 (/x)\n", "i|unknown [unknown] 4\nf|user /x 4\n"},
		{"\t10 f+0x4 (/x)\n  a.c:12\n\t20 g (/x)\n  x.so[20]\n\t30 h (/x)\n  \n",
			"f a.c:12|user /x 4\ng|user /x 0\nh|user /x 0\n"},
		{"\t10 i+0x4 (inlined)\n  a.h:3\n\t10 f+0x4 (/x)\n  a.c:12 (discriminator 2)\n",
			"i inlined a.h:3|f a.c:12|user /x 4\n"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text text = {0}, model = {0};
		struct cr_profile *p;

		cr_text_printf(&text, "a 1 1.000001: 2 cycles: \n%s\n", cases[i].lines);
		p = read_ok(text.p);
		put_frames(p, &model);
		assert_string_equal(model.p, cases[i].model);
		cr_text_fini(&text);
		cr_text_fini(&model);
		cr_profile_free(p);
	}
}

static void
test_a_frame_may_stand_in_the_header(void **state)
{
	(void)state;
	assert_reads("perf",
		"       a 1 1.000001: 2 page-faults:  ffffffff821e8700 f+0x40 ([kernel.kallsyms])\n"
		"       a 1 1.000002: 3 page-faults:      7f0c34ee2c50 g (/x)\n",
		"a;f 2\na;g 3\n", "");
	assert_reads("perf",
		"a 1 1.000001: 2 branches:uH:   jcc                            411077 f+0xc7 (x) "
		"=>           411064 g (x)\n",
		"a;f 2\n", "");
	assert_reads("perf",
		"a 1 [000] 1.000001: 2 block:rq: 259,76 R () 57 + 8 [a] ffffffff8beead90 f "
		"([kernel.kallsyms])\n",
		"a;f 2\n", "");
	assert_reads("perf", "a 1 1.000001: 2 probe:p: (ffffffff810)\n" FRAME, "a;f 2\n", "");
}

static void
test_fields_of_tracepoints_are_details(void **state)
{
	struct cr_profile *p = read_ok(
		"a 1 [000] 1.000001: sched:sched_switch: prev_comm=my a prev_prio=-1 prev_state=R "
		"==> "
		"next_comm=b flags=0x1f\n" FRAME "\n"
		"a 1 [000] 1.000002: sched:sched_switch: prev_comm=c prev_prio=-3\n" FRAME "\n"
		"a 1 [000] 1.000003: 1 x:y: NR 1 (2, 3)\n" FRAME);
	static const struct {
		const char *name;
		enum cr_form form;
		uint64_t have;
		const char *text;
		uint64_t value;
	} want[] = {
		{"prev_comm", CR_FORM_TEXT, 2, "my a", 0},
		{"prev_prio", CR_FORM_SIGNED, 2, NULL, (uint64_t)-1},
		{"prev_state", CR_FORM_TEXT, 1, "R", 0},
		{"next_comm", CR_FORM_TEXT, 1, "b", 0},
		{"flags", CR_FORM_HEX, 1, NULL, 31},
		{"payload", CR_FORM_TEXT, 1, "NR 1 (2, 3)", 0},
	};

	(void)state;
	assert_int_equal(p->n_fields, CR_LEN(want));
	for (uint32_t i = 0; i < p->n_fields; i++) {
		assert_str(p->fields[i].name, want[i].name);
		assert_int_equal(p->fields[i].form, want[i].form);
		assert_int_equal(p->fields[i].have, want[i].have);
		if (want[i].text)
			assert_str(p->texts[p->fields[i].value[0]], want[i].text);
		else
			assert_int_equal(p->fields[i].value[0], want[i].value);
	}
	cr_profile_free(p);
	p = read_ok("a 1 1.000001: 2 cycles: \n" FRAME
		    " 0x12/0x34/P/-/-/3  0x56/0x78/M/-/-/4/COND/- \n");
	assert_int_equal(p->n_fields, 7); /* and those of the branches as samples */
	assert_int_equal(p->fields[0].value[0], 2);
	assert_int_equal(p->fields[1].value[0], 1);
	assert_int_equal(p->fields[2].value[0], 7);
	cr_profile_free(p);
}

static void
test_the_header_block_becomes_facts(void **state)
{
	struct cr_profile *p =
		read_ok("# ========\n# captured on    : Fri Nov 20 10:52:41 2026\n# hostname : h\n"
			"# os release : 6.1\n# nrcpus online : 4\n# total memory : 12 kB\n"
			"# cmdline : /usr/bin/perf record -g x \n"
			"# event : name = cycles, , id = { 1, 2 }, type = 0, { sample_period, "
			"sample_freq } = 99, freq = 1\n"
			"#\na 1 1.000001: 2 cycles: \n" FRAME);

	(void)state;
	assert_str(cr_profile_fact(p, "hostname"), "h");
	assert_str(cr_profile_fact(p, "osrelease"), "6.1");
	assert_str(cr_profile_fact(p, "cpus online"), "4");
	assert_str(cr_profile_fact(p, "total memory kB"), "12");
	assert_str(cr_profile_fact(p, "cmdline"), "/usr/bin/perf record -g x");
	assert_str(cr_profile_fact(p, "sampling"), "99 Hz");
	assert_str(cr_profile_fact(p, "event attributes"),
		"cycles: id = { 1, 2 }, type = 0, { sample_period, sample_freq } = 99, freq = 1\n");
	cr_profile_free(p);
}

/*
 * Stacks of a thread go on from where they left the last one's; inlined functions are not torn off.
 */
static void
test_stacks_that_share_frames_are_told_apart(void **state)
{
	static const char *const stacks[] = {
		"\t1 a+0x1 (/x)\n\t2 i (inlined)\n\t2 b (/x)\n\t3 c (/x)\n",
		"\t1 a+0x2 (/x)\n\t2 i (inlined)\n\t2 b (/x)\n\t3 c (/x)\n",
		"\t2 b (/x)\n\t3 c (/x)\n",
		"\t2 i (inlined)\n\t2 b (/x)\n\t3 c (/x)\n",
		"\t3 c (/x)\n",
		"\t2 j (inlined)\n\t2 b (/x)\n\t3 c (/x)\n",
		"",
		"\t5 b (/x)\n\t3 c (/x)\n",
	};
	static const char *const folded[] = {
		"a;c;b;i;a 1\n",
		"a;c;b;i;a 1\n",
		"a;c;b 1\n",
		"a;c;b;i 1\n",
		"a;c 1\n",
		"a;c;b;j 1\n",
		"a 1\n",
		"a;c;b 1\n",
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(stacks); i++)
		for (size_t k = 0; k < CR_LEN(stacks); k++) {
			struct cr_text text = {0}, want = {0};
			const int order = strcmp(folded[i], folded[k]);

			cr_text_printf(&text,
				"a 1 1.000001: cycles: \n%s\na 1 1.000002: cycles: \n%s\n",
				stacks[i], stacks[k]);
			if (order == 0)
				cr_text_printf(
					&want, "%.*s2\n", (int)strlen(folded[i]) - 2, folded[i]);
			else /* by what stands before the count */
				cr_text_printf(&want, "%s%s", order < 0 ? folded[i] : folded[k],
					order < 0 ? folded[k] : folded[i]);
			assert_reads("perf", text.p, want.p, "");
			cr_text_fini(&text);
			cr_text_fini(&want);
		}
}

/* A sample of one of twelve stacks of one of three threads; `address` is that of its last frame. */
static void
put_sample(struct cr_text *text, unsigned seed, unsigned address)
{
	const unsigned stack = seed % 12, depth = 2 + stack;

	cr_text_printf(text, "a 1/%u 1.000001: 7 cycles: \n", seed / 12 % 3);
	for (unsigned i = 0; i < depth; i++) {
		cr_text_printf(text, "\t%16x f%u+0x%x (/x)\n", i, i * stack % 7, i);
		if (stack == 5 && i == 2)
			cr_text_puts(text, "  x.c:12\n");
		if (stack == 6 && i == 2)
			cr_text_printf(text, "\t%16x g (inlined)\n", i + 1);
	}
	cr_text_printf(text, "\t%16x main+0x2 (/x)\n\n", address);
}

static void
test_a_stack_that_comes_again_has_the_nodes_of_the_first_one(void **state)
{
	struct cr_text again = {0}, apart = {0};
	struct cr_profile *a, *b;
	unsigned seed = 1;

	(void)state;
	for (unsigned i = 0; i < 600; i++) {
		seed = seed * 1103515245 + 12345;
		put_sample(&again, seed >> 8, 0x1000);
		put_sample(&apart, seed >> 8, 0x1000 + i);
	}
	a = read_ok(again.p);
	b = read_ok(apart.p);
	assert_int_equal(a->n_nodes, b->n_nodes);
	assert_int_equal(a->n_locations, b->n_locations);
	assert_int_equal(a->samples.n, b->samples.n);
	assert_memory_equal(a->node_parent, b->node_parent, a->n_nodes * sizeof(*a->node_parent));
	assert_memory_equal(
		a->node_location, b->node_location, a->n_nodes * sizeof(*a->node_location));
	assert_memory_equal(
		a->samples.node, b->samples.node, a->samples.n * sizeof(*a->samples.node));
	cr_profile_free(a);
	cr_profile_free(b);
	cr_text_fini(&again);
	cr_text_fini(&apart);
}

static void
test_of_a_stack_that_is_too_deep_the_innermost_frames_are_kept(void **state)
{
	struct cr_text text = {0};
	struct cr_log log;
	struct cr_profile *p;
	uint32_t depth = 0, node;

	(void)state;
	cr_text_puts(&text, "a 1 1.000001: cycles: \n");
	for (unsigned i = 0; i < 9000; i++)
		cr_text_printf(&text, "\t%u f%u (/x)\n", i, i);
	p = testing_read("perf", text.p, text.len, &log);
	assert_non_null(p);
	for (node = p->samples.node[0]; p->node_parent[node]; node = p->node_parent[node])
		depth++;
	assert_int_equal(depth + 1, 8192);
	assert_str(
		p->functions[p->lines[p->locations[p->node_location[node]].first_line].function.i]
			.name,
		"[truncated]");
	assert_int_equal(log.n_places, 1);
	assert_string_equal(log.places[0].why, "truncated-frame");
	cr_profile_free(p);
	cr_text_fini(&text);
}

/* The samples of branches: "EVENT FROM>TO COUNT CYCLES MISPREDICT". */
static void
assert_branches(const char *text, uint64_t n_lost, const char *want)
{
	struct cr_text have = {0};
	struct cr_profile *p;
	struct cr_log log;

	p = testing_read("perf", text, strlen(text), &log);
	assert_non_null(p);
	cr_text_puts(&have, "");
	for (uint32_t e = 0; e < p->n_events; e++) {
		const struct cr_field *cycles =
			cr_field_find(p, (cr_event_id){e}, CR_STR("block_cycles"));
		const struct cr_field *missed =
			cr_field_find(p, (cr_event_id){e}, CR_STR("mispredict"));
		uint64_t nth = 0;

		if (!cr_event_is_derived(p, (cr_event_id){e}))
			continue;
		for (uint64_t i = 0; i < p->samples.n; i++) {
			const uint32_t node = p->samples.node[i];
			uint32_t at[2];

			if (p->samples.event[i] != e)
				continue;
			at[0] = p->node_location[p->node_parent[node]];
			at[1] = p->node_location[node];
			cr_text_puts(&have, cr_str_eq(p->events[e].name, CR_STR("branch-stack"))
						    ? "branch"
						    : "block");
			for (unsigned k = 0; k < 2; k++) {
				const struct cr_location *l = &p->locations[at[k]];

				cr_text_puts(&have, k ? ">" : " ");
				cr_text_str(&have,
					p->functions[p->lines[l->first_line].function.i].name);
				cr_text_printf(&have, "+%llx", (unsigned long long)l->addr);
			}
			cr_text_printf(&have, " %llu", (unsigned long long)p->samples.weight[i]);
			if (cycles && cycles->value[nth] != UINT64_MAX)
				cr_text_printf(
					&have, " %llu", (unsigned long long)cycles->value[nth]);
			if (missed && missed->value[nth] != UINT64_MAX)
				cr_text_printf(&have, " %.1s", p->texts[missed->value[nth]].p);
			cr_text_char(&have, '\n');
			nth++;
		}
	}
	assert_string_equal(have.p, want);
	assert_int_equal(log.n_places, n_lost);
	cr_text_fini(&have);
	cr_profile_free(p);
}

static void
test_branches_of_every_form_are_samples(void **state)
{
	static const char two[] = "branch +10>+5 1 3 N\nbranch +20>+8 1 4 Y\nblock +8>+10 1 3\n";
	static const char named[] =
		"branch f+10>g+5 1 3 N\nbranch g+20>f+8 1 4 Y\nblock f+8>f+10 1 3\n";

	(void)state;
	/* After the frames, newest first: of perf 6.1, newer and older ones, and with dsos. */
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME
			" 0x10/0x5/P/-/-/3/COND  0x20/0x8/M/-/-/4/ \n",
		0, two);
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME
			" 0x10/0x5/P/-/-/3/COND/-  0x20/0x8/M/-/-/4//NON_SPEC_CORRECT \n",
		0, two);
	assert_branches(
		"a 1 1.000001: 2 cycles: \n" FRAME " 0x10/0x5/P/-/-/3 0x20/0x8/M/-/-/4\n", 0, two);
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME
			" 0x10(/x y (deleted))/0x5(/x y (deleted))/P/-/-/3  "
			"0x20(/x y (deleted))/0x8(/x y (deleted))/M/-/-/4/  0x0/0x0/P/-/-/0/\n",
		0, two);
	/* In the header, with and without an address. */
	assert_branches("a 1 1.000001:  0x10/0x5/P/-/-/3/  0x20/0x8/M/-/-/4/\n", 0, two);
	assert_branches("a 1 1.000001: 2 cycles:            401014 main (/x) 0x10/0x5/P/-/-/3/  "
			"0x20/0x8/M/-/-/4/\n",
		0, two);
	/* Functions: nothing is between them and what comes before. */
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME
			"f+0x10/g+0x5/P/-/-/3/ g+0x20/f+0x8/M/-/-/4/\n",
		0, named);
	assert_branches(
		"a 1 1.000001: 2 cycles:            401014 main (/x)f+0x10(/x)/g+0x5(/x)/P/-/-/3/ "
		"g+0x20(/x)/f+0x8(/x)/M/-/-/4/\n",
		0, named);
	assert_branches("a 1 1.000001: 2 cycles:            401014f+0x10/g+0x5/P/-/-/3/ "
			"g+0x20/f+0x8/M/-/-/4/\n",
		0, named);
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME
			"operator new(unsigned long)+0x2/a::b<int (*)(char)>(c)+0x4/P/-/-/0/\n",
		0, "branch operator new(unsigned long)+2>a::b<int (*)(char)>(c)+4 1 N\n");
	/* What cannot be told apart, and ends without an address. */
	assert_branches("a 1 1.000001: 2 cycles:            401014 mainf+0x10/g+0x5/P/-/-/3/ "
			"g+0x20/f+0x8/M/-/-/4/\n",
		1, "branch g+20>f+8 1 4 Y\n");
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME " [unknown]/f+0x5/P/-/-/3/ "
			"g+0x20/f+0x8/M/-/-/4/\n",
		1, "branch g+20>f+8 1 4 Y\n");
	/* Paths and numbers with slashes are no branches. */
	assert_branches("a 1 1.000001: x:y: path=/P/-/-/3 b/c/d\n" FRAME, 0, "");
}

/* Otherwise a line of 64 KiB of them takes seconds. */
static void
test_a_name_in_a_branch_has_few_offsets(void **state)
{
	(void)state;
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME "f+0xz+0xy+0x10/g+0x5/P/-/-/3/\n", 0,
		"branch f+0xz+0xy+10>g+5 1 3 N\n");
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME
			"f+0xz+0xz+0xz+0xz+0xz+0xz+0xz+0x10/g+0x5/P/-/-/3/\n",
		0, "branch f+0xz+0xz+0xz+0xz+0xz+0xz+0xz+10>g+5 1 3 N\n");
	assert_branches("a 1 1.000001: 2 cycles: \n" FRAME
			"f+0xz+0xz+0xz+0xz+0xz+0xz+0xz+0xz+0x10/g+0x5/P/-/-/3/\n",
		1, "");
}

static void
test_traced_branches_are_samples(void **state)
{
	static const char text[] =
		"a 1/1 [000] 1.000001:  1 branches:uH:   tr strt                0 [unknown] "
		"([unknown]) =>           401000 f+0x0 (/x)\n"
		"a 1/1 [000] 1.000001:  1 branches:uH:   call              401010 f+0x10 (/x) =>  "
		"         401100 g+0x0 (/x)\n"
		"a 1/1 [000] 1.000001:  1 branches:uH:   return            401108 g+0x8 (/x) =>   "
		"        401014 f+0x14 (/x)\n"
		" instruction trace error type 1 time 1.1 cpu 0 pid 1 tid 1 ip 0x1 code 7: Lost\n"
		"a 1/1 [000] 1.000001:  1 branches:uH:   tr end            401020 f+0x20 (/x) =>  "
		"              0 [unknown] ([unknown])\n";

	(void)state;
	assert_branches(text, 1,
		"branch f+10>g+0 1\nbranch g+8>f+14 1\nblock f+0>f+10 1\nblock g+0>g+8 1\n");
}

static void
test_every_prefix_and_any_changed_byte_is_survived(void **state)
{
	static const char text[] =
		"# hostname : h\n"
		"my prog 1/2 [001] 1.000001:     250000 cpu-clock: \n\t    55d0c0ffee00 a+0x1 "
		"(inlined)\n  a.h:1\n"
		"\t    55d0c0ffee00 b(int)+0x1 (/x)\n  a.c:2\n\tffffffff81000000 [unknown] "
		"([kernel.kallsyms])\n\n"
		"a 1 1.000002: sched:sched_switch: p=1 q=x\n\t10 f (/x)\n 0x1/0x2/P/-/-/3\n"
		"     b 1 1.000003:  1 page-faults:  ffffffff821e8700 f+0x40 (/x)\r\n"
		"c 3 cycles:\n10 f (/x)\n";
	uint64_t seed = 3, before = 0;
	unsigned n_read = 0;

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		const uint64_t n = testing_samples("perf", text, len);

		assert_in_range(n, before - (before > 0),
			before + 1); /* one whose header is cut may not be one */
		before = n;
	}
	assert_int_equal(before, 5);
	for (unsigned i = 0; i < 2000; i++) {
		char changed[sizeof(text)];

		memcpy(changed, text, sizeof(text));
		for (unsigned k = 0; k <= i % 3; k++)
			changed[testing_random(&seed) % sizeof(text)] =
				"\0\n\t :0(a/."[testing_random(&seed) % 10];
		n_read += testing_samples("perf", changed, sizeof(text)) >= 3;
	}
	print_message("%u of 2000 changed texts have three of four samples\n", n_read);
	assert_in_range(n_read, 1000, 2000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers_of_every_shape_are_read),
		cmocka_unit_test(test_units_are_those_of_the_events),
		cmocka_unit_test(test_what_ends_a_sample),
		cmocka_unit_test(test_frames_of_every_shape_are_read),
		cmocka_unit_test(test_a_frame_may_stand_in_the_header),
		cmocka_unit_test(test_fields_of_tracepoints_are_details),
		cmocka_unit_test(test_the_header_block_becomes_facts),
		cmocka_unit_test(test_stacks_that_share_frames_are_told_apart),
		cmocka_unit_test(test_a_stack_that_comes_again_has_the_nodes_of_the_first_one),
		cmocka_unit_test(test_of_a_stack_that_is_too_deep_the_innermost_frames_are_kept),
		cmocka_unit_test(test_branches_of_every_form_are_samples),
		cmocka_unit_test(test_a_name_in_a_branch_has_few_offsets),
		cmocka_unit_test(test_traced_branches_are_samples),
		cmocka_unit_test(test_every_prefix_and_any_changed_byte_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
