#include "base/text.h"
#include "read/kit/line_pattern_p.h"
#include "read/kit/stacks_p.h"

/*
 * Stacks printed by eu-stack of elfutils, with its options. The innermost frame is #0.
 *
 *	PID 8843 - process
 *	TID 8845:
 *	#0  0x00007f461b2a3f16     pause - /usr/lib/libc.so.6              -m: the module
 *	    [289ee39f8c07bd4fa48102dfeeb7e6f9c76158b4]@0x7f461b400000+0xd4516    -b: its build-id,
 *	                                                                         where it begins
 *	    ./nptl/pause.c:29:10                                                 -s
 *	#1  0x00007f461b4d4517 - 1 main(int, char**)             -v: " - 1" for return addresses
 *
 * With -i a frame with the address of the frame below was inlined into that one.
 *
 * A frame without a name is left to the symbolizer, by its offset in the module if the build-id is
 * known. Other frames have absolute addresses.
 */

struct frame {
	struct cr_str name, module, file;
	uint64_t pc, offset;
	uint32_t line;
	uint8_t build_id[20], build_id_len;
};

struct eustack {
	struct cr_stacks s;
	cr_address_space_id space;
	bool have_frame;
	struct frame frame; /* the lines below it may add more */
	bool have_inner;
	struct frame inner; /* the frame above, which may be inlined into this one */
	int32_t pid;
	bool thread_told; /* a header was read, but no frame yet */
	struct cr_str header;
	uint64_t header_line;
};

static cr_dso_id
dso_of(struct eustack *e, const struct frame *f)
{
	struct cr_dso o = {
		.name = f->module, .kind = CR_KIND_USER, .build_id_len = f->build_id_len};

	if (f->module.len == 0 && f->build_id_len == 0)
		return CR_DSO_UNKNOWN;
	if (o.name.len && memmem(o.name.p, o.name.len, "vdso", 4))
		o.kind = CR_KIND_VDSO;
	memcpy(o.build_id, f->build_id, f->build_id_len);
	return cr_builder_dso(e->s.b, &o);
}

static void
end_inner(struct eustack *e)
{
	const struct frame *f = &e->inner;
	const bool to_be_named = f->name.len == 0 && f->build_id_len;

	if (e->have_inner && to_be_named)
		cr_builder_flags(e->s.b, CR_PROFILE_HAS_ADDR);
	if (e->have_inner)
		cr_stacks_frame_at(&e->s, dso_of(e, f), to_be_named ? f->offset : f->pc,
			&(struct cr_named){f->name, f->file, f->line});
	e->have_inner = false;
}

static void
end_frame(struct eustack *e)
{
	if (!e->have_frame)
		return;
	if (e->have_inner && e->inner.pc == e->frame.pc && e->inner.name.len)
		cr_stacks_inlined(
			&e->s, &(struct cr_named){e->inner.name, e->inner.file, e->inner.line});
	else
		end_inner(e);
	e->inner = e->frame;
	e->have_inner = true;
	e->have_frame = false;
}

static void
end_stack(struct eustack *e)
{
	end_frame(e);
	end_inner(e);
	if (e->s.frames.n)
		cr_stacks_end_leaf_first(&e->s, 1);
	else if (e->thread_told)
		cr_diagnostics_add(&e->s.report, CR_REASON_NO_FRAMES, e->header_line, e->header);
	e->thread_told = false;
}

static int32_t
id_of(struct cr_str digits)
{
	uint64_t id;

	return cr_scan_u64(digits, &id) && id <= INT32_MAX ? (int32_t)id : -1;
}

static void
parse_thread(struct eustack *e, struct cr_str tid, struct cr_str line)
{
	end_stack(e);
	e->s.task = cr_builder_task(e->s.b, e->pid, id_of(tid), CR_STR(""), e->space);
	e->thread_told = true;
	e->header = line;
	e->header_line = e->s.scan.line;
}

/* "[289ee39f8c07bd4f...]@0x7f461b400000+0xd4516" */
static bool
parse_build_id(struct frame *f, struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	if (!cr_line_pattern(text, "[%x]@0x%x+0x%x", found) || found[0].len % 2 ||
		found[0].len > 2 * sizeof(f->build_id))
		return false;
	f->build_id_len = (uint8_t)(found[0].len / 2);
	for (uint32_t i = 0; i < f->build_id_len; i++) {
		uint64_t byte = 0;

		cr_scan_hex((struct cr_str){found[0].p + 2 * i, 2}, &byte);
		f->build_id[i] = (uint8_t)byte;
	}
	cr_scan_hex(found[2], &f->offset);
	return true;
}

/*
 * " main - /bin/x", " - 1 main", " - 1 - /bin/x". Some tools print the source on the same line,
 * three blanks after the module.
 */
static void
parse_names(struct frame *f, struct cr_str text)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	const char *module = text.len ? memmem(text.p, text.len, " - /", 4) : NULL;

	if (!module && cr_str_ends(text, "]"))
		module = text.len ? memmem(text.p, text.len, " - [", 4) : NULL;
	f->name = text;
	if (module) {
		f->name.len = (uint32_t)(module - text.p);
		f->module = (struct cr_str){module + 3, text.len - f->name.len - 3};
		if (cr_line_pattern(f->module, "%*   %*", found) &&
			cr_stacks_source(cr_scan_trim(found[1]), &f->file, &f->line))
			f->module = found[0];
	}
	if (cr_str_starts(f->name, " - 1")) {
		f->name.p += 4;
		f->name.len -= 4;
	}
	f->name = cr_scan_trim(f->name);
	if (cr_str_eq(f->name, CR_STR("??")) || cr_str_eq(f->name, CR_STR("?\?()")))
		f->name.len = 0;
}

static void
parse_frame(struct eustack *e, struct cr_str address, struct cr_str text)
{
	end_frame(e);
	e->thread_told = false;
	e->frame = (struct frame){.name = CR_STR(""), .module = CR_STR(""), .file = CR_STR("")};
	e->have_frame = true;
	cr_scan_hex(address, &e->frame.pc);
	parse_names(&e->frame, text);
}

static void
parse_line(struct eustack *e, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];
	const struct cr_str text = cr_scan_trim(line);

	if (text.len == 0)
		return;
	if (cr_line_pattern(line, "#%d%_0x%x%*", found)) {
		parse_frame(e, found[2], found[3]);
		cr_stacks_used(&e->s);
	} else if (cr_line_pattern(line, "PID %d - %*", found)) {
		end_stack(e);
		e->pid = id_of(found[0]);
		cr_stacks_used(&e->s);
	} else if (cr_line_pattern(line, "TID %d:", found)) {
		parse_thread(e, found[0], line);
		cr_stacks_used(&e->s);
	} else if (line.p[0] == '#') {
		cr_stacks_report(&e->s, CR_REASON_BAD_FRAME, line);
	} else if (e->have_frame && line.p[0] == ' ' &&
		   (parse_build_id(&e->frame, text) ||
			   cr_stacks_source(text, &e->frame.file, &e->frame.line))) {
		cr_stacks_used(&e->s);
	} else {
		cr_stacks_report(&e->s, CR_REASON_NOISE, line);
	}
}

static int
read_eustack(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct eustack e = {.pid = -1};
	struct cr_str line;

	cr_stacks_open(&e.s, in, b, opts, "samples");
	e.space = cr_builder_address_space(b);
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	while (cr_stacks_line(&e.s, &line))
		parse_line(&e, line);
	end_stack(&e);
	return cr_stacks_close(&e.s, err);
}

/* Requires a header and a frame. */
static unsigned
probe_eustack(const struct cr_head *head, uint64_t *line)
{
	uint64_t header = 0;
	bool frame = false;
	struct cr_scan scan;
	struct cr_str text;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &text) && (!header || !frame)) {
		if (!header && (cr_line_pattern(text, "TID %d:", NULL) ||
				       cr_line_pattern(text, "PID %d - %*", NULL)))
			header = scan.line;
		frame = frame || cr_line_pattern(text, "#%d%_0x%x%*", NULL);
	}
	*line = header;
	return header && frame ? CR_EVIDENCE_SIGNATURE : 0;
}

const struct cr_reader cr_reader_eustack = {
	.name = "eustack",
	.about = "stacks of eu-stack",
	.probe = probe_eustack,
	.read = read_eustack,
};
