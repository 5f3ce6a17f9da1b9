#include "edges_p.h"

#include <inttypes.h>
#include <stddef.h>

/*
 * The pre-aggregated profile that perf2bolt -pa and llvm-bolt read, a line each:
 *
 *	B FROM TO COUNT MISPREDICTED    a branch
 *	F START END COUNT               code that ran from one branch to the next
 *
 * Addresses are virtual ones of the binary, in hexadecimal.
 */
static int
bolt_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct cr_text text = {0};
	struct cr_edges e;
	int rc = cr_edges_make(in, options, true, &e, err);

	for (size_t i = 0; rc == CR_OK && i < e.branches.n; i++) {
		const struct cr_edge *b = &e.branches.p[i];

		cr_text_printf(&text, "B %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
			b->from, b->to, b->count, b->missed);
		rc = cr_sink_large(out, &text, err);
	}
	for (size_t i = 0; rc == CR_OK && i < e.blocks.n; i++) {
		const struct cr_edge *b = &e.blocks.p[i];

		cr_text_printf(
			&text, "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", b->from, b->to, b->count);
		rc = cr_sink_large(out, &text, err);
	}
	if (rc == CR_OK)
		rc = cr_sink_text(out, &text, err);
	cr_edges_fini(&e);
	cr_text_fini(&text);
	return rc;
}

static const struct cr_option_spec bolt_options[] = {
	{.name = "binary",
		.arg = "NAME",
		.help = "the binary, by path or file name (default: that with the most branches)",
		.type = CR_OPTION_TEXT,
		.at = offsetof(struct cr_edge_options, binary),
		.min = 1},
	{.name = NULL},
};

static const char *const bolt_extensions[] = {".preagg.txt", NULL};

const struct cr_writer cr_writer_bolt = {
	.name = "bolt",
	.extensions = bolt_extensions,
	.about = "branches of a binary, the pre-aggregated profile of perf2bolt -pa",
	.needs = CR_WRITER_SAMPLES | CR_WRITER_FIELDS | CR_WRITER_CODE,
	.options = bolt_options,
	.options_size = sizeof(struct cr_edge_options),
	.write = bolt_write,
};
