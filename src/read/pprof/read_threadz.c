#include "mappings_p.h"
#include "read/kit/stacks_p.h"

/*
 * Stacks of threads as shown by servers of gperftools and Google at /threadz:
 *
 *	--- threadz 1 ---
 *	--- Thread 7f794ab90940 (name: main/14748) stack: ---
 *	  PC:  0x00bc8f1c: helper(arg*)
 *	  0x0040be31: main
 *	      creator: 0xa45b96 0xa460b4
 *	--- Thread 7f7948978700 (name: thread3/14759) stack: ---
 *	  [same as previous thread]
 *	--- Memory map: ---
 *	  00400000-00fcb000: /bin/server
 *
 * Without names there are several addresses per line. Each thread is a sample of weight 1,
 * innermost frame first. Its creator is not a frame.
 */
struct threads {
	struct cr_stacks s;
	struct cr_mappings mappings;
	cr_node_id node; /* of the previous thread */
	struct cr_str name;
	int32_t tid;
	bool open, same, creator, in_maps;
};

/* "--- Thread 7f794ab90940 (name: main/14748) stack: ---" */
static bool
thread_parse(struct cr_str line, struct cr_str *name, int32_t *tid)
{
	static const char lead[] = " (name: ", tail[] = ") stack: ---";
	const char *open = memmem(line.p, line.len, lead, sizeof(lead) - 1), *close, *slash;
	uint64_t number;

	if (!cr_str_starts(line, "--- Thread ") || !cr_str_ends(line, tail) || !open)
		return false;
	close = line.p + line.len - (sizeof(tail) - 1);
	if (open + sizeof(lead) - 1 > close)
		return false;
	*name = cr_str_to(cr_str_from(line, open + sizeof(lead) - 1), close);
	slash = name->len ? memrchr(name->p, '/', name->len) : NULL;
	*tid = -1;
	if (slash && cr_scan_u64(cr_str_from(*name, slash + 1), &number)) {
		*tid = number <= INT32_MAX ? (int32_t)number : -1;
		*name = cr_str_to(*name, slash);
	}
	return true;
}

static void
thread_end(struct threads *t)
{
	if (!t->open)
		return;
	t->open = false;
	if (!t->same && t->s.frames.n == 0) {
		cr_stacks_report(&t->s, CR_REASON_NO_FRAMES, t->name);
		return;
	}
	if (!t->same)
		t->node = cr_stacks_node_leaf_first(&t->s);
	t->s.task = cr_builder_task(t->s.b, -1, t->tid, t->name, t->s.space);
	cr_stacks_sample(&t->s, t->node, 1);
}

/* "0x0040be31: main" or "0xbc8f1c 0xbcae55" */
static void
frames_read(struct threads *t, struct cr_str s, struct cr_str line)
{
	struct cr_str rest = s, word = cr_scan_word(&rest);
	const bool named = cr_str_ends(word, ":");
	uint64_t addr;

	for (; word.len; word = cr_scan_word(&rest)) {
		const struct cr_mapping *m;

		word.len -= named;
		if (!cr_str_starts(word, "0x") || !cr_scan_hex(word, &addr)) {
			cr_stacks_report(&t->s, CR_REASON_BAD_FRAME, line);
			return;
		}
		m = cr_mappings_find(&t->mappings, addr);
		if (named && cr_scan_trim(rest).len) {
			cr_stacks_frame(&t->s, cr_scan_trim(rest), m ? m->dso : CR_DSO_UNKNOWN);
			return;
		}
		cr_stacks_location(&t->s, cr_mapping_nameless(t->s.b, m, addr));
	}
}

static bool
are_addresses(struct cr_str s)
{
	struct cr_str word;
	uint64_t addr;

	while ((word = cr_scan_word(&s)).len)
		if (!cr_str_starts(word, "0x") || !cr_scan_hex(word, &addr))
			return false;
	return true;
}

static void
line_read(struct threads *t, struct cr_str line)
{
	struct cr_str s = cr_scan_trim(line), name;
	int32_t tid;

	cr_stacks_used(&t->s);
	if (thread_parse(s, &name, &tid)) {
		thread_end(t);
		t->open = true;
		t->same = t->creator = false;
		t->name = name;
		t->tid = tid;
	} else if (cr_str_starts(s, "---")) {
		thread_end(t);
		t->in_maps = cr_str_starts(s, "--- Memory map: ---");
	} else if (s.len == 0) {
		return;
	} else if (t->in_maps) {
		if (!cr_mappings_is_line(s))
			cr_stacks_report(&t->s, CR_REASON_UNKNOWN_LINE, line);
	} else if (!t->open) {
		cr_stacks_passed(&t->s); /* text about the server */
	} else if (cr_str_starts(s, "creator:")) {
		t->creator = true;
	} else if (cr_str_starts(s, "[same as previous thread]")) {
		t->same = true;
	} else if (t->same) {
		cr_stacks_report(&t->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	} else if (!t->creator) {
		if (cr_str_starts(s, "PC:"))
			s = cr_scan_trim(cr_str_from(s, s.p + 3));
		frames_read(t, s, line);
	} else if (!are_addresses(s)) { /* not addresses of the creator */
		cr_stacks_report(&t->s, CR_REASON_BAD_FRAME, line);
	}
}

/* The mappings are at the end. */
static void
read_maps(struct threads *t, struct cr_scan scan)
{
	struct cr_str line;
	bool in_maps = false;

	while (cr_scan_line(&scan, &line)) {
		if (in_maps)
			cr_mappings_line(&t->mappings, t->s.b, cr_scan_trim(line));
		in_maps |= cr_str_starts(line, "--- Memory map: ---");
	}
}

static int
read_threadz(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct threads t = {0};
	struct cr_str line;
	int rc;

	cr_stacks_open(&t.s, in, b, opts, "threads");
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	read_maps(&t, t.s.scan);
	while (cr_stacks_line(&t.s, &line))
		line_read(&t, line);
	thread_end(&t);
	rc = cr_stacks_close(&t.s, err);
	cr_mappings_fini(&t.mappings);
	return rc;
}

static bool
is_threadz(struct cr_str line)
{
	struct cr_str name;
	int32_t tid;

	return thread_parse(line, &name, &tid);
}

static unsigned
probe_threadz(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_threadz, CR_EVIDENCE_SIGNATURE, 0, line);
}

const struct cr_reader cr_reader_threadz = {
	.name = "threadz",
	.about = "stacks of threads from /threadz",
	.probe = probe_threadz,
	.read = read_threadz,
};
