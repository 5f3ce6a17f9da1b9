#include "base/text.h"
#include "model/build/tidy.h"
#include "read/kit/line_pattern_p.h"
#include "read/kit/stacks_p.h"
#include "read/shape_p.h"

/*
 * Output of dtrace(1) for an aggregation by stack() or ustack(): keys, frames innermost first, a
 * count.
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s
 *
 *	  bash                                          a key, before the frames or before the count
 *	              genunix`read+0x20
 *	              unix`sys_syscall+0x17a
 *
 *	              libc.so.1`read+0x7                           blank lines are ignored
 *	              0x104d08831
 *	                9
 *
 * Names are kept as printed, with their module, but without offset and argument list. The offset
 * becomes the location's address.
 */

#define FRAME_INDENT 8u   /* text further to the left is a key */
#define NUMBER_COLUMNS 9u /* width of a number as a key; counts are wider */

struct dtrace {
	struct cr_stacks s;
	bool in_head;       /* output of a probe that fired, up to a blank line */
	bool in_table;      /* rows of a distribution */
	bool countless;     /* the text has no counts: everything but a frame ends a stack */
	struct cr_str keys; /* a line that is keys if a frame or a count follows */
	uint64_t keys_line;
	struct cr_str first_frame; /* of the current stack */
	struct cr_text name, function, parts;
	CR_VEC(struct cr_named) named; /* parts of the current name, outermost first */
};

/* Modules of kernels that support dtrace. */
static uint8_t
kind_of(struct cr_str module)
{
	static const char *const kernel[] = {"genunix", "unix", "mach_kernel", "kernel", "zfs",
		"ufs", "nfs", "lofs", "tmpfs", "specfs", "procfs", "doorfs", "fifofs", "sockfs",
		"ip", "dtrace", "TS", "FSS", "sd", "scsi", "pts", "ptem", "ldterm", "bufmod",
		"pcplusmp", "apix", "swrand", "kernel.kasan", "kernel.development"};

	for (size_t i = 0; i < CR_LEN(kernel); i++)
		if (cr_str_eq(module, cr_str_of(kernel[i])))
			return CR_KIND_KERNEL;
	if (cr_str_starts(module, "com.apple."))
		return CR_KIND_KERNEL;
	return cr_str_ends(module, ".dylib") || memmem(module.p, module.len, ".so", 3)
		       ? CR_KIND_USER
		       : CR_KIND_UNKNOWN;
}

static cr_dso_id
dso_of(struct dtrace *d, struct cr_str name)
{
	const char *tick = memchr(name.p, '`', name.len);
	const struct cr_str module = {name.p, tick ? (uint32_t)(tick - name.p) : 0};

	if (module.len == 0)
		return CR_DSO_UNKNOWN;
	return cr_builder_dso(d->s.b, &(struct cr_dso){.name = module, .kind = kind_of(module)});
}

/* Split "f+0x20" into "f" and 0x20. Other names contain '+' too: "operator+", "+[NSView foo]". */
static uint64_t
cut_offset(struct cr_str *name)
{
	const char *plus = name->len ? memrchr(name->p, '+', name->len) : NULL;
	uint64_t offset = 0;

	if (!plus || !cr_line_pattern((struct cr_str){plus, (uint32_t)(name->p + name->len - plus)},
			     "+0x%x", NULL))
		return 0;
	cr_scan_hex((struct cr_str){plus + 1, (uint32_t)(name->p + name->len - plus - 1)}, &offset);
	name->len = (uint32_t)(plus - name->p);
	return offset;
}

/* Remove everything from the last bracket of a C++ name, like all other tools for this format. */
static struct cr_str
cut_arguments(struct cr_str name)
{
	const char *scope = name.len ? memmem(name.p, name.len, "::", 2) : NULL;
	const uint32_t from = scope ? (uint32_t)(scope - name.p) + 2 : name.len;

	for (uint32_t i = name.len; i-- > from;)
		if (name.p[i] == '(' || name.p[i] == '<')
			return cr_scan_trim((struct cr_str){name.p, i});
	return cr_scan_trim(name);
}

/* Remove the 'L' of a class in a Java descriptor, "Ljava/lang/Thread;::run". */
static struct cr_str
cut_descriptor(struct cr_str name)
{
	uint32_t i = 1;

	while (i < name.len && (cr_tidy_is_word(name.p[i]) || name.p[i] == '/' || name.p[i] == '$'))
		i++;
	if (i > 1 && name.p[0] == 'L' && i < name.len && name.p[i] == ';')
		return (struct cr_str){name.p + 1, name.len - 1};
	return name;
}

/* "module`function", with Rust names repaired. */
static struct cr_str
full_name(struct dtrace *d, struct cr_str name)
{
	const char *tick = name.len ? memchr(name.p, '`', name.len) : NULL;
	const uint32_t module = tick ? (uint32_t)(tick - name.p) + 1 : 0;

	cr_text_clear(&d->name);
	cr_text_put(&d->name, name.p, module);
	cr_text_str(&d->name,
		cr_tidy_rust((struct cr_str){name.p + module, name.len - module}, &d->function));
	return cr_text_view(&d->name);
}

/* "caller->callee": the callee was inlined into the caller. */
static void
split_name(struct dtrace *d, struct cr_str name)
{
	struct cr_str part;
	const char *p;

	d->named.n = 0;
	cr_text_clear(&d->parts);
	while (cr_tidy_part(&name, &part)) {
		const size_t from = d->parts.len;

		part = cut_descriptor(part);
		cr_text_str(&d->parts, part.len ? part : CR_STR("-"));
		if (d->named.n)
			cr_text_puts(&d->parts, "_[i]");
		cr_vec_push(&d->named,
			((struct cr_named){.name.len = (uint32_t)(d->parts.len - from)}));
	}
	p = d->parts.p;
	for (size_t i = 0; i < d->named.n; p += d->named.p[i++].name.len)
		d->named.p[i].name.p = p;
}

static void
add_frame(struct dtrace *d, struct cr_str line)
{
	struct cr_str name = cr_scan_trim(line);
	const cr_dso_id dso = dso_of(d, name);
	const uint64_t offset = cut_offset(&name);

	if (d->s.frames.n == 0)
		d->first_frame = line;
	split_name(d, full_name(d, cut_arguments(name)));
	for (size_t i = d->named.n; i-- > 1;)
		cr_stacks_inlined(&d->s, &d->named.p[i]);
	cr_stacks_frame_at(&d->s, dso, offset, &d->named.p[0]);
}

/* Keys are next to each other, separated by at least two blanks: "  bash          1234". */
static void
add_keys(struct dtrace *d, struct cr_str keys)
{
	struct cr_str rest = cr_scan_trim(keys);

	while (rest.len) {
		const char *gap = memmem(rest.p, rest.len, "  ", 2);
		const struct cr_str key = {rest.p, gap ? (uint32_t)(gap - rest.p) : rest.len};

		cr_stacks_key(&d->s, key);
		rest = cr_scan_trim((struct cr_str){rest.p + key.len, rest.len - key.len});
	}
}

static void
use_keys(struct dtrace *d)
{
	add_keys(d, d->keys);
	d->keys.len = 0;
}

/* What looked like keys was text, or a row of an aggregation without stacks. */
static void
forget_keys(struct dtrace *d)
{
	if (d->keys.len)
		cr_diagnostics_add(&d->s.report, CR_REASON_NOISE, d->keys_line, d->keys);
	d->keys.len = 0;
}

static void
keep_keys(struct dtrace *d, struct cr_str line)
{
	forget_keys(d);
	d->keys = line;
	d->keys_line = d->s.scan.line;
}

static void
end_stack(struct dtrace *d, struct cr_str line, struct cr_str count)
{
	const bool negative = count.p[0] == '-';
	uint64_t weight;

	use_keys(d);
	if (!cr_stacks_count(&d->s, (struct cr_str){count.p + negative, count.len - negative}, line,
		    &weight)) {
		cr_stacks_report(&d->s, CR_REASON_NOT_A_NUMBER, line);
		cr_stacks_drop(&d->s);
	} else if (negative)
		cr_stacks_end_negative(&d->s, weight);
	else
		cr_stacks_end_leaf_first(&d->s, weight);
	cr_stacks_clear_roots(&d->s);
}

/* The current frames are a stack of a text without counts. */
static void
end_countless(struct dtrace *d)
{
	if (!d->countless || d->s.frames.n == 0)
		return;
	if (cr_builder_samples(d->s.b) == 0)
		cr_diagnostics_add(
			&d->s.report, CR_REASON_NO_COUNT, d->s.first_line, d->first_frame);
	cr_stacks_end_leaf_first(&d->s, 1);
}

/* A distribution instead of a count. */
static void
begin_table(struct dtrace *d, struct cr_str line)
{
	cr_stacks_report(&d->s, CR_REASON_NOT_A_NUMBER, line);
	cr_stacks_drop(&d->s);
	cr_stacks_clear_roots(&d->s);
	d->in_table = true;
}

static bool
is_frame(struct cr_str text, uint32_t indent)
{
	return indent >= FRAME_INDENT || memchr(text.p, '`', text.len) ||
	       cr_line_pattern(text, "0x%x", NULL);
}

static bool
is_message(struct cr_str line)
{
	return cr_str_starts(line, "dtrace: ") || cr_str_starts(line, "^C");
}

/* Keys; those of the frames above if the count follows them. */
static void
parse_keys(struct dtrace *d, struct cr_str line)
{
	struct cr_str found[CR_LINE_PATTERN_FOUND];

	if (d->countless) {
		end_countless(d);
		cr_stacks_passed(&d->s);
		return;
	}
	cr_stacks_used(&d->s); /* keys that turn out to be none are reported later */
	if (d->s.frames.n == 0 || !cr_line_pattern(cr_scan_trim(line), "%*  %*%_%d", found)) {
		keep_keys(d, line);
		return;
	}
	add_keys(d, (struct cr_str){line.p, (uint32_t)(found[3].p - line.p)});
	end_stack(d, line, found[3]);
}

static void
parse_number(struct dtrace *d, struct cr_str line, struct cr_str number)
{
	cr_stacks_used(&d->s);
	if (d->s.frames.n == 0 && d->keys.len == 0 && line.len <= NUMBER_COLUMNS &&
		line.p != number.p)
		keep_keys(d, line);
	else
		end_stack(d, line, number);
}

static void
parse_line(struct dtrace *d, struct cr_str line)
{
	const struct cr_str text = cr_scan_trim(line);

	if (cr_line_pattern(text, "%d", NULL) || cr_line_pattern(text, "-%d", NULL)) {
		parse_number(d, line, text);
	} else if (cr_line_pattern(text, "value%_-%* Distribution -%*count", NULL)) {
		begin_table(d, line);
	} else if (cr_line_pattern(line, "CPU%_ID%*", NULL)) {
		d->in_head = true;
		cr_stacks_used(&d->s);
	} else if (cr_line_pattern(text, "%d%_%d%_%*:%*", NULL)) {
		cr_stacks_used(&d->s); /* a probe that fired */
	} else if (is_message(line)) {
		cr_stacks_report(&d->s, CR_REASON_NOISE, line);
	} else if (is_frame(text, (uint32_t)(text.p - line.p))) {
		use_keys(d);
		add_frame(d, line);
		cr_stacks_used(&d->s);
	} else {
		parse_keys(d, line);
	}
}

/* Keys may be separated from their frames by an empty stack; other text may not. */
static void
parse_blank(struct dtrace *d)
{
	end_countless(d);
	d->in_head = d->in_table = false;
	if (d->keys.len && d->keys.p[0] != ' ')
		forget_keys(d);
}

/* A file may begin with output of the script. */
static bool
begins_with_text(struct cr_str line)
{
	return line.len && line.p[0] != ' ' && line.p[0] != '\t' && !memchr(line.p, '`', line.len);
}

/* True for a number alone, after keys, or a table of numbers. */
static bool
ends_stack(struct cr_str text)
{
	return cr_line_pattern(text, "%d", NULL) || cr_line_pattern(text, "-%d", NULL) ||
	       cr_line_pattern(text, "%*  %d", NULL) ||
	       cr_line_pattern(text, "%* Distribution -%*", NULL);
}

static bool
is_countless(const struct cr_input *in)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, in->p, in->len);
	while (cr_scan_line(&scan, &line))
		if (ends_stack(cr_scan_trim(line)))
			return false;
	return true;
}

static int
read_dtrace(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct dtrace d = {.countless = is_countless(in)};
	struct cr_str line;

	cr_stacks_open(&d.s, in, b, opts, d.countless ? "samples" : NULL);
	while (cr_stacks_line(&d.s, &line)) {
		if (d.s.scan.line == 1)
			d.in_head = !d.countless && begins_with_text(line);
		if (cr_scan_trim(line).len == 0)
			parse_blank(&d);
		else if (d.in_head)
			cr_stacks_passed(&d.s);
		else if (d.in_table)
			cr_stacks_reported(&d.s);
		else
			parse_line(&d, line);
	}
	end_countless(&d);
	forget_keys(&d);
	if (d.s.frames.n) {
		cr_diagnostics_finish(&d.s.report);
		cr_diagnostics_add(
			&d.s.report, CR_REASON_STACK_WITHOUT_COUNT, d.s.first_line, d.first_frame);
		cr_stacks_drop(&d.s);
	}
	cr_text_fini(&d.name);
	cr_text_fini(&d.function);
	cr_text_fini(&d.parts);
	cr_vec_fini(&d.named);
	return cr_stacks_close(&d.s, err);
}

static bool
is_header(struct cr_str line)
{
	return cr_line_pattern(line, "CPU%_ID%_FUNCTION:NAME%*", NULL);
}

static unsigned
probe_dtrace(const struct cr_head *head, uint64_t *line)
{
	const unsigned bits = cr_stacks_signature(head, is_header, CR_EVIDENCE_SIGNATURE, 0, line);

	return bits ? bits : cr_shape_bid(head, CR_VOTE_DTRACE, line);
}

const struct cr_reader cr_reader_dtrace = {
	.name = "dtrace",
	.about = "DTrace aggregations by stack() or ustack()",
	.probe = probe_dtrace,
	.read = read_dtrace,
};
