#include "java_frame_p.h"

/*
 * javacore files of IBM's and OpenJ9's virtual machines: each line begins with a tag that tells its
 * kind.
 *
 *	3XMTHREADINFO   "main" J9VMThread:0x1, j9thread_t:0x2, java/lang/Thread:0x3, state:R, prio=5
 *	3XMTHREADINFO1          (native thread ID:0x4B7, native priority:0x5, native policy:UNKNOWN)
 *	3XMTHREADINFO3           Java callstack:
 *	4XESTACKTRACE                at app/Main.main(Main.java:20(Compiled Code))
 *	3XMTHREADINFO3           Native callstack:
 *
 * Each thread is a sample of weight 1, named after it. A thread without Java frames is omitted.
 */
struct core {
	struct cr_stacks s;
	struct cr_str name, state;
	uint64_t nid;
	bool has_nid, in_thread;
	uint64_t threads, frameless;
};

static void
thread_end(struct core *c)
{
	const int32_t nid = c->has_nid && c->nid <= INT32_MAX ? (int32_t)c->nid : -1;
	struct cr_builder *b = c->s.b;

	if (!c->in_thread)
		return;
	c->in_thread = false;
	c->threads++;
	if (c->s.frames.n == 0) {
		c->frameless++;
		return;
	}
	c->s.task = cr_builder_task(b, -1, nid, c->name, c->s.space);
	cr_stacks_clear_roots(&c->s);
	cr_stacks_root(&c->s, cr_java_pool(c->name));
	cr_stacks_end_leaf_first(&c->s, 1);
	if (c->state.len)
		cr_builder_value(b, cr_builder_field(b, c->s.event, CR_STR("state"), CR_FORM_TEXT),
			cr_builder_text(b, c->state));
}

/*
 * The text after `key` in s, up to a comma, a blank or a closing parenthesis; "" if key is missing.
 */
static struct cr_str
value_of(struct cr_str s, const char *key)
{
	const char *at = s.len ? memmem(s.p, s.len, key, strlen(key)) : NULL;
	struct cr_str value = {0};

	if (!at)
		return CR_STR("");
	value.p = at + strlen(key);
	while (value.p + value.len < s.p + s.len && !strchr(", )", value.p[value.len]))
		value.len++;
	return value;
}

static void
thread_begin(struct core *c, struct cr_str s)
{
	const char *open = s.len ? memchr(s.p, '"', s.len) : NULL;
	const char *close =
		open ? memmem(open + 1, (size_t)(s.p + s.len - open - 1), "\" J9VMThread:", 13)
		     : NULL;

	thread_end(c);
	if (open && !close) /* older versions have (TID:0x... there */
		close = memrchr(open, '"', (size_t)(s.p + s.len - open));
	c->in_thread = true;
	c->has_nid = false;
	c->name = open && close > open ? (struct cr_str){open + 1, (uint32_t)(close - open) - 1}
				       : CR_STR("");
	c->state = value_of(s, "state:");
}

/* "4XESTACKTRACE", "1TIDATETIME", "NULL": every line begins with such a tag. */
static bool
is_tag(struct cr_str word)
{
	if (word.len < 4)
		return false;
	for (uint32_t i = 0; i < word.len; i++)
		if (!((word.p[i] >= 'A' && word.p[i] <= 'Z') ||
			    (word.p[i] >= '0' && word.p[i] <= '9') || word.p[i] == '_' ||
			    word.p[i] == '-'))
			return false;
	return (word.p[0] >= '0' && word.p[0] <= '9') || cr_str_eq(word, CR_STR("NULL"));
}

static void
line_read(struct core *c, struct cr_str line)
{
	struct cr_str rest = line;
	const struct cr_str tag = cr_scan_word(&rest);
	struct cr_java_frame f;
	bool is_at;

	cr_diagnostics_fate(&c->s.report, is_tag(tag) ? CR_LINE_PASSED : CR_LINE_UNKNOWN);
	if (cr_str_eq(tag, CR_STR("3XMTHREADINFO"))) {
		cr_stacks_used(&c->s);
		thread_begin(c, rest);
	} else if (cr_str_eq(tag, CR_STR("3XMTHREADINFO1"))) {
		const struct cr_str nid = value_of(rest, "native thread ID:");

		cr_stacks_used(&c->s);
		if (nid.len)
			c->has_nid = cr_scan_hex(nid, &c->nid);
	} else if (cr_str_eq(tag, CR_STR("4XESTACKTRACE"))) {
		const bool is_frame = cr_java_at(rest, &is_at, &f);

		cr_stacks_used(&c->s);
		if (!c->in_thread)
			cr_stacks_report(&c->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
		else if (!is_frame)
			cr_stacks_report(&c->s, CR_REASON_BAD_FRAME, line);
		else
			cr_java_push(&c->s, &f);
	} else if (cr_str_starts(tag, "0SECTION")) {
		thread_end(c);
	}
}

static int
read_ibm(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct core c = {0};
	struct cr_text t = {0};
	struct cr_str line;

	cr_stacks_open(&c.s, in, b, opts, "threads");
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	while (cr_stacks_line(&c.s, &line))
		line_read(&c, line);
	thread_end(&c);
	cr_text_printf(&t, "%llu, without a stack %llu", (unsigned long long)c.threads,
		(unsigned long long)c.frameless);
	cr_builder_fact(b, "threads", cr_text_view(&t));
	cr_text_fini(&t);
	return cr_stacks_close(&c.s, err);
}

static bool
is_ibm(struct cr_str line)
{
	return cr_str_starts(line, "3XMTHREADINFO") || cr_str_starts(line, "0SECTION ");
}

static unsigned
probe_ibm(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_ibm, CR_EVIDENCE_SIGNATURE, 0, line);
}

const struct cr_reader cr_reader_ibm = {
	.name = "ibm",
	.about = "javacore thread dumps of IBM's and OpenJ9's virtual machine",
	.probe = probe_ibm,
	.read = read_ibm,
};
