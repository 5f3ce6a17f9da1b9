#include "java_frame_p.h"
#include "read/shape_p.h"

/*
 * Stacks of exceptions, in a log or alone: runs of lines "at FRAME", innermost first. Any other
 * line ends a run, so a cause ("Caused by:") is a separate stack, as deep as it was printed:
 *
 *	java.lang.RuntimeException: boom
 *		at com.acme.Foo.bar(Foo.java:10)
 *		at com.acme.Main.main(Main.java:3)
 *	Caused by: java.io.IOException: x
 *		at com.acme.Io.read(Io.java:1)
 *		... 2 more
 */
static bool
is_class_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '$';
}

/*
 * "java.io.IOException" from "Caused by: java.io.IOException: x"; "" if no word looks like a class.
 */
static struct cr_str
exception_of(struct cr_str line)
{
	struct cr_str word;

	while ((word = cr_scan_word(&line)).len) {
		uint32_t n = 0;

		while (n < word.len && is_class_char(word.p[n]))
			n++;
		if (n && (n == word.len || (word.p[n] == ':' && n + 1 == word.len)) &&
			memchr(word.p, '.', n) && word.p[n - 1] != '.' && word.p[0] > '9')
			return (struct cr_str){word.p, n};
	}
	return CR_STR("");
}

static void
run_end(struct cr_stacks *s, struct cr_str header)
{
	struct cr_str exception;

	if (s->frames.n == 0)
		return;
	exception = exception_of(header);
	cr_stacks_end_leaf_first(s, 1);
	if (exception.len)
		cr_builder_value(s->b,
			cr_builder_field(s->b, s->event, CR_STR("exception"), CR_FORM_TEXT),
			cr_builder_text(s->b, exception));
}

static int
read_javaexc(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct cr_stacks s;
	struct cr_str line, header = CR_STR(""); /* header: the last line before the run */
	struct cr_java_frame f;
	bool is_at;

	cr_stacks_open(&s, in, b, opts, "stacks");
	while (cr_stacks_line(&s, &line)) {
		if (cr_java_at(line, &is_at, &f)) {
			cr_java_push(&s, &f);
			cr_stacks_used(&s);
			continue;
		}
		cr_stacks_passed(&s);
		if (cr_str_starts(cr_scan_trim(line), "- ")) /* a lock that is held or awaited */
			continue;
		if (is_at && s.frames.n && (line.p[0] == '\t' || line.p[0] == ' '))
			cr_stacks_report(&s, CR_REASON_BAD_FRAME, line);
		run_end(&s, header);
		header = line;
	}
	run_end(&s, header);
	return cr_stacks_close(&s, err);
}

static unsigned
probe_javaexc(const struct cr_head *head, uint64_t *line)
{
	return cr_shape_bid(head, CR_VOTE_EXCEPTIONS, line);
}

const struct cr_reader cr_reader_javaexc = {
	.name = "javaexc",
	.about = "stacks of Java exceptions in a log",
	.probe = probe_javaexc,
	.read = read_javaexc,
};
