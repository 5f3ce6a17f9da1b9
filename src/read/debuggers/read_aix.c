#include "model/build/tidy.h"
#include "read/kit/line_pattern_p.h"
#include "read/kit/stacks_p.h"

/*
 * AIX procstack: the threads of processes, innermost function first; each thread is a sample. The
 * program is the root.
 *
 *	12345: /usr/bin/foo -x
 *	---------- tid# 123 (pthread ID: 1) ----------
 *	0x0900000000123456  __fd_select(??, ??, ??) + 0xd4
 *	0x0000000100000abc  main(0x100000002, 0xfff) + 0x10
 *
 * The number after a function is the offset in it. A function without a name is named by its
 * address.
 */

struct aix {
	struct cr_stacks s;
	cr_address_space_id space;
	int32_t pid;
	struct cr_str program;
};

static void
end_stack(struct aix *a)
{
	if (a->s.frames.n)
		cr_stacks_end_leaf_first(&a->s, 1);
}

static void
begin_thread(struct aix *a, uint64_t tid)
{
	a->s.task = cr_builder_task(a->s.b, a->pid, tid <= INT32_MAX ? (int32_t)tid : -1,
		cr_str_basename(a->program), a->space);
}

static void
parse_process(struct aix *a, struct cr_str pid, struct cr_str command)
{
	uint64_t n;

	end_stack(a);
	a->pid = cr_scan_u64(pid, &n) && n <= INT32_MAX ? (int32_t)n : -1;
	a->program = cr_scan_word(&command);
	cr_stacks_clear_roots(&a->s);
	cr_stacks_root(&a->s, a->program);
	begin_thread(a, UINT64_MAX);
}

static void
parse_frame(struct aix *a, struct cr_str address, struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	struct cr_named named = {.name = text, .file = CR_STR("")};
	uint64_t offset = 0;

	if (cr_line_pattern(text, "%* + 0x%x", found)) {
		named.name = found[0];
		cr_scan_hex(found[1], &offset);
	}
	named.name = cr_tidy_bare(named.name);
	if (named.name.len == 0 || cr_str_eq(named.name, CR_STR("[unknown]"))) {
		named.name = address;
		offset = 0;
	}
	cr_stacks_frame_at(&a->s, CR_DSO_UNKNOWN, offset, &named);
}

static void
parse_line(struct aix *a, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	uint64_t tid;

	if (cr_scan_trim(line).len == 0)
		return;
	if (cr_line_pattern(line, "0x%x%_%*", found)) {
		cr_stacks_used(&a->s);
		parse_frame(a, (struct cr_str){line.p, found[0].len + 2}, cr_scan_trim(found[2]));
	} else if (cr_line_pattern(line, "---------- tid# %d%*", found)) {
		end_stack(a);
		begin_thread(a, cr_scan_u64(found[0], &tid) ? tid : UINT64_MAX);
		cr_stacks_used(&a->s);
	} else if (cr_line_pattern(line, "%d: %*", found)) {
		parse_process(a, found[0], found[1]);
		cr_stacks_used(&a->s);
	} else if (cr_str_starts(line, "0x")) {
		cr_stacks_report(&a->s, CR_REASON_BAD_FRAME, line);
	} else {
		cr_stacks_report(&a->s, CR_REASON_NOISE, line);
	}
}

static int
read_aix(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct aix a = {.pid = -1, .program = CR_STR("")};
	struct cr_str line;

	cr_stacks_open(&a.s, in, b, opts, "samples");
	a.space = cr_builder_address_space(b);
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	while (cr_stacks_line(&a.s, &line))
		parse_line(&a, line);
	end_stack(&a);
	return cr_stacks_close(&a.s, err);
}

static bool
is_thread(struct cr_str line)
{
	return cr_str_starts(line, "---------- tid# ");
}

static unsigned
probe_aix(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_thread, CR_EVIDENCE_SIGNATURE, 0, line);
}

const struct cr_reader cr_reader_aix = {
	.name = "aix",
	.about = "stacks of AIX procstack",
	.probe = probe_aix,
	.read = read_aix,
};
