#include "testing.h"

#include "read/shape_p.h"

static struct cr_shape
shape_of(const char *bytes, size_t len, bool whole)
{
	void *copy = testing_exact(bytes, len);
	const struct cr_head head = {.p = copy, .len = len, .whole = whole, .kind = CR_HEAD_TEXT};
	const struct cr_shape shape = cr_shape_of(&head);

	free(copy);
	return shape;
}

static void
test_formats_are_told_by_what_their_lines_look_like(void **state)
{
	static const struct {
		const char *text;
		enum cr_vote vote;
		unsigned bits;
		uint64_t line;
	} cases[] = {
		/* perf script: a header and a frame, a header and the frame behind it, headers
		   alone */
		{"p 12 1.500000: 7 cycles: \n\t7f12 main (/bin/p)\n\n", CR_VOTE_PERF,
			CR_EVIDENCE_SHAPE, 1},
		{"p q 1/12 [003] 1.500000: 7 cycles: \n  7f12 main+0x3 (/bin/p)\n", CR_VOTE_PERF,
			CR_EVIDENCE_SHAPE, 1},
		{"warning: x\nlost 3\np 12 1.500: cycles:\n# c\n\t7f12 main (/bin/p)\n",
			CR_VOTE_PERF, CR_EVIDENCE_SHAPE, 3},
		{"p 12 1.500000: 7 cycles:  7f12 main (/bin/p)\n", CR_VOTE_PERF, CR_EVIDENCE_SHAPE,
			1},
		{"p 12 1.500000: cycles:  7f12 main (/bin/p (deleted))\n", CR_VOTE_PERF,
			CR_EVIDENCE_SHAPE, 1},
		{"java 199 cycles:\nffffffff8103 native_write ([kernel.kallsyms])\n", CR_VOTE_PERF,
			CR_EVIDENCE_SHAPE, 1},
		{"java 199 [001] cycles:\n\t7f12ab main (/bin/p)\n", CR_VOTE_PERF,
			CR_EVIDENCE_SHAPE, 1},
		{"p 12 1.500000: 7 cycles: \np 12 1.600000: 7 cycles: \n", CR_VOTE_PERF,
			CR_EVIDENCE_WEAK, 1},
		{"p 12 [001] 1.500000: a:b: x=1\nother\n", CR_VOTE_PERF, CR_EVIDENCE_WEAK, 1},
		{"p 12 [001] 1.500000: a:b: x=1\nother\nmore\n", CR_VOTE_NONE, 0, 0},
		{"p 12 1.5: 7 cycles: x\n\t7f12 main (/bin/p)\n", CR_VOTE_NONE, 0,
			0}, /* no time has one digit, */
		{"p 12 [000] 1.5: 7 cycles: x\n\t7f12 main (/bin/p)\n", CR_VOTE_PERF,
			CR_EVIDENCE_SHAPE, 1}, /* but behind a processor */
		{"\xef\xbb\xbfp\t0/0\t\t[000] 0.0:\t\t\t1 ev: x\n\taddress f (m)\n", CR_VOTE_PERF,
			CR_EVIDENCE_SHAPE, 1},
		{"p\t12 [001] 1.000100:\t\t7 cycles:\n        b3cea6c4\tf (/lib/x.so)\n",
			CR_VOTE_PERF, CR_EVIDENCE_SHAPE, 1},
		{"p 12 1.500:\n\tat f (x)\n\tat g (x)\n", CR_VOTE_PERF, CR_EVIDENCE_SHAPE, 1},
		{"p q 1.500:\n\tat f (x)\n\tat g (x)\n", CR_VOTE_NONE, 0, 0},
		{"1.500000: x\n\t7f12 main\n", CR_VOTE_NONE, 0,
			0}, /* a header does not begin with it */
		{"See 12 below:\n  add a line\n", CR_VOTE_NONE, 0,
			0}, /* words that are hexadecimal */
		{"if 12 == len(x):\n    b = f(x)\n", CR_VOTE_NONE, 0, 0},
		{"if x < 0.999:\n    def f():\n", CR_VOTE_NONE, 0, 0},
		{"if x < 0.999: cycles:\n    7f12 f (/bin/p)\n", CR_VOTE_PERF, CR_EVIDENCE_SHAPE,
			1}, /* -F -pid: the dso leaves no doubt */
		{"a-12 [000] .... 1.500000: f <-g\na-12 [000] .... 1.6000: f <-g\n", CR_VOTE_NONE,
			0, 0}, /* ftrace */
		/* SystemTap */
		{" 0x7f12 : main+0x1/0x2 [/bin/p]\n\t3\n", CR_VOTE_STAP, CR_EVIDENCE_SHAPE, 1},
		{"WARNING: x\n 0x7f12 [/bin/p+0x1/0x20]\n   3\n", CR_VOTE_STAP, CR_EVIDENCE_SHAPE,
			2},
		{"Returning from:  0x7f12 : f+0x1/0x2\nReturning to  :  0x7f12\n\t-3\n",
			CR_VOTE_STAP, CR_EVIDENCE_SHAPE, 1},
		{"main\nsub\n\t3\nmain\n\t4\n", CR_VOTE_STAP, CR_EVIDENCE_SHAPE, 3},
		{"@/a.lua:1\nfunc 12\n\t3\r\n", CR_VOTE_STAP, CR_EVIDENCE_SHAPE, 3},
		{" 0x7f12 : main+0x1/0x2 [/bin/p]\n", CR_VOTE_STAP, CR_EVIDENCE_WEAK,
			1},                                             /* counts may come late */
		{"f\n\t3\n\t4\n", CR_VOTE_STAP, CR_EVIDENCE_SHAPE, 2},  /* an empty stack */
		{"in\n\t10\n\t11\n\t12\nout\nx\n", CR_VOTE_NONE, 0, 0}, /* no stacks between them */
		{" 0x10 : first,\n 0x20 : second,\n  3\n", CR_VOTE_NONE, 0, 0},
		{"[\n\t1,\n\t12\n]\nx\n", CR_VOTE_NONE, 0, 0}, /* data that is indented */
		{"Call Trace:\n f+0x1/0x2 [m]\n g+0x1/0x2\n", CR_VOTE_NONE, 0, 0},
		/* DTrace */
		{"\n\n   libc.so.1`read+0xa\n   0x7f12\n     3\n", CR_VOTE_DTRACE,
			CR_EVIDENCE_SHAPE, 3},
		{"\n\n   0x3ae2e0bc7c00\n   0x3ae2e0bc7c01\n   5\n\n   0x717e4e\n   7\n",
			CR_VOTE_DTRACE, CR_EVIDENCE_SHAPE, 3}, /* addresses alone */
		{"  bash\n   0x717e4e\n   0x717e4f\n   7\n", CR_VOTE_DTRACE, CR_EVIDENCE_SHAPE, 2},
		{"   0x717e4e\n\t7\n", CR_VOTE_STAP, CR_EVIDENCE_SHAPE,
			2}, /* counts behind a TAB are SystemTap's */
		{"regs:\n  sp\n   0x717e4e\n   7\n", CR_VOTE_NONE, 0, 0},
		{"   0x717e4e\n   0x717e4f\n", CR_VOTE_NONE, 0, 0},
		{"say `it` so:\n    x`y`\n    3\n", CR_VOTE_NONE, 0, 0},
		{"a\nb\nc\nd\ne\nf\ng\nh\n  x`y\n  3\n", CR_VOTE_NONE, 0, 0}, /* too thin */
		/* Java */
		{"x.E: y\n\tat a.B.c(D.java:3)\n\tat a.B.main(Native Method)\n", CR_VOTE_EXCEPTIONS,
			CR_EVIDENCE_SHAPE, 2},
		{"look at f(x)\nat once (now)\n", CR_VOTE_NONE, 0, 0},
		{"12 2 a.b(C.java:3)\nd.e(F.java:4)\nTotal trace count = 12\n", CR_VOTE_LJP,
			CR_EVIDENCE_SHAPE, 1},
		{"12 2 a.b(C.java:3)\n", CR_VOTE_NONE, 0, 0},
		/* folded stacks */
		{"a;b 1\na;c 2\n", CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 1},
		{"\xef\xbb\xbf"
		 "a;b 1.5\r\n",
			CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 1},
		{"# c\n\na;b c 2.\na 3\n", CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 3},
		{"main 12\n", CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 1},
		{"main 12 13\nf(int, int) 3\n", CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 1},
		{"{main};a 1\n", CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 1},
		{"x\nx\na;b 1\na;c 2\na;d 3\nx\n", CR_VOTE_FOLDED, CR_EVIDENCE_WEAK, 3},
		{"<module> (run.py:24) 7\n 12\n<module> (run.py:9)\nf (a.rb:25) 42\nnot one\n",
			CR_VOTE_FOLDED, CR_EVIDENCE_WEAK, 1},
		{"<module> (run.py:24) 7\nnot one\nf (a.rb:25)\n", CR_VOTE_NONE, 0, 0},
		{"see f (24) 7\nand g (x:25) 8\nh\n", CR_VOTE_NONE, 0, 0},
		{"x\nx\na;b 1\na;c 2\nx\nx\n", CR_VOTE_NONE, 0, 0},
		{"/dev/sda1 / ext4 ro 0 1\n", CR_VOTE_NONE, 0, 0}, /* a sentence is no frame */
		{"main 12\nmain\n", CR_VOTE_NONE, 0, 0},
		{"12 13\n14 15\n", CR_VOTE_NONE, 0, 0},
		{"a\tb;c\t3\nd\te\t4\n", CR_VOTE_NONE, 0, 0}, /* a table */
		{"a;b\t3\nc;d \t 4\n", CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 1},
		{"of two; not 3\nand three; not 4\nor x; y 5\n", CR_VOTE_NONE, 0, 0}, /* prose */
		{"a; b;c 3\n", CR_VOTE_FOLDED, CR_EVIDENCE_SHAPE, 1},
		{"  a;b 1\n  a;c 2\n", CR_VOTE_NONE, 0, 0}, /* not from column 0 */
		{"a;b 1e3\na;b -5\n", CR_VOTE_NONE, 0, 0},
		{"x = 1;\ny = 2;\nreturn 0;\n", CR_VOTE_NONE, 0, 0},
		{"", CR_VOTE_NONE, 0, 0},
		{"\n \n# c\n", CR_VOTE_NONE, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_shape s = shape_of(cases[i].text, strlen(cases[i].text), true);

		if (s.vote != cases[i].vote || s.bits != cases[i].bits || s.line != cases[i].line)
			fail_msg("case %zu: vote %d, bits %u, line %llu: %s", i, (int)s.vote,
				s.bits, (unsigned long long)s.line, cases[i].text);
	}
}

static void
test_a_line_that_does_not_end_is_known_by_its_frames(void **state)
{
	(void)state;
	assert_int_equal(shape_of("a;b", 3, false).vote, CR_VOTE_FOLDED);
	assert_int_equal(shape_of("a;b", 3, false).bits, CR_EVIDENCE_WEAK);
	assert_int_equal(shape_of("a;b", 3, true).vote, CR_VOTE_NONE);
	assert_int_equal(shape_of("abc", 3, false).vote, CR_VOTE_NONE);
	assert_int_equal(shape_of("a=1;b", 5, false).vote, CR_VOTE_NONE);
	assert_int_equal(shape_of("f(\"a\");", 7, false).vote, CR_VOTE_NONE);
}

static void
test_a_bid_is_for_the_format_that_was_voted_for(void **state)
{
	const struct cr_shape shape = {CR_VOTE_STAP, CR_EVIDENCE_SHAPE, 7};
	const struct cr_head head = {.shape = &shape}, none = {0};
	uint64_t line = 0;

	(void)state;
	assert_int_equal(cr_shape_bid(&head, CR_VOTE_FOLDED, &line), 0);
	assert_int_equal(cr_shape_bid(&none, CR_VOTE_STAP, &line), 0);
	assert_int_equal(line, 0);
	assert_int_equal(cr_shape_bid(&head, CR_VOTE_STAP, &line), CR_EVIDENCE_SHAPE);
	assert_int_equal(line, 7);
}

/* No bytes make it look further than they go, or take longer than their number. */
static void
test_any_bytes_are_looked_at_once(void **state)
{
	static const char letters[] = "a1f.:;`/[]()-+0x \t\n\r#";
	uint64_t seed = 1;
	unsigned votes[2] = {0};
	char bytes[200];

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		const size_t len = testing_random(&seed) % sizeof(bytes);
		struct cr_shape s;
		uint64_t lines = 0;

		for (size_t i = 0; i < len; i++)
			bytes[i] = letters[testing_random(&seed) % (sizeof(letters) - 1)];
		for (size_t i = 0; i < len; i++)
			lines += bytes[i] == '\n' || i == len - 1;
		s = shape_of(bytes, len, round % 2);
		votes[s.vote != CR_VOTE_NONE]++;
		if (s.vote == CR_VOTE_NONE) {
			assert_int_equal(s.bits, 0);
			continue;
		}
		assert_in_range(s.vote, CR_VOTE_PERF, CR_VOTE_FOLDED);
		assert_true(s.bits == CR_EVIDENCE_SHAPE || s.bits == CR_EVIDENCE_WEAK);
		assert_in_range(s.line, 1, lines);
	}
	print_message("%u of no shape, %u of one\n", votes[0], votes[1]);
	assert_true(votes[0] > 1000 && votes[1] > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats_are_told_by_what_their_lines_look_like),
		cmocka_unit_test(test_a_line_that_does_not_end_is_known_by_its_frames),
		cmocka_unit_test(test_a_bid_is_for_the_format_that_was_voted_for),
		cmocka_unit_test(test_any_bytes_are_looked_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
