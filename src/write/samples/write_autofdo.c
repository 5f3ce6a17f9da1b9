#include "edges_p.h"

#include <inttypes.h>
#include <stddef.h>

/*
 * The text that create_llvm_prof and create_gcov of AutoFDO read with --profiler=text: three lists,
 * each preceded by its length. Addresses are those in the file, in hexadecimal.
 *
 *	START-END:COUNT    code that ran from one branch to the next
 *	ADDRESS:COUNT      sampled addresses; none, as the ranges say more
 *	FROM->TO:COUNT     branches
 */
static int
autofdo_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct cr_text text = {0};
	struct cr_edges e;
	int rc = cr_edges_make(in, options, false, &e, err);

	if (rc == CR_OK)
		cr_text_printf(&text, "%zu\n", e.blocks.n);
	for (size_t i = 0; rc == CR_OK && i < e.blocks.n; i++) {
		const struct cr_edge *b = &e.blocks.p[i];

		cr_text_printf(
			&text, "%" PRIx64 "-%" PRIx64 ":%" PRIu64 "\n", b->from, b->to, b->count);
		rc = cr_sink_large(out, &text, err);
	}
	if (rc == CR_OK)
		cr_text_printf(&text, "0\n%zu\n", e.branches.n);
	for (size_t i = 0; rc == CR_OK && i < e.branches.n; i++) {
		const struct cr_edge *b = &e.branches.p[i];

		cr_text_printf(
			&text, "%" PRIx64 "->%" PRIx64 ":%" PRIu64 "\n", b->from, b->to, b->count);
		rc = cr_sink_large(out, &text, err);
	}
	if (rc == CR_OK)
		rc = cr_sink_text(out, &text, err);
	cr_edges_fini(&e);
	cr_text_fini(&text);
	return rc;
}

static const struct cr_option_spec autofdo_options[] = {
	{.name = "binary",
		.arg = "NAME",
		.help = "the binary, by path or file name (default: that with the most branches)",
		.type = CR_OPTION_TEXT,
		.at = offsetof(struct cr_edge_options, binary),
		.min = 1},
	{.name = NULL},
};

static const char *const autofdo_extensions[] = {".afdo.txt", NULL};

const struct cr_writer cr_writer_autofdo = {
	.name = "autofdo",
	.extensions = autofdo_extensions,
	.about = "branches of a binary, for create_llvm_prof and create_gcov --profiler=text",
	.needs = CR_WRITER_SAMPLES,
	.options = autofdo_options,
	.options_size = sizeof(struct cr_edge_options),
	.write = autofdo_write,
};
