#include "folded_input_p.h"
#include "job_p.h"

#include "read/folded/folded_counts.h"
#include "write/writer.h"

#include <string.h>

int cr_cmd_diff_folded(const struct cr_options *o);

struct side {
	struct cr_folded_counts *counts;
	uint32_t side;
};

static struct cr_folded_lines
read_side(void *into, const void *p, size_t len, cr_folded_done *done, void *user)
{
	const struct side *s = into;

	return cr_folded_counts_read(s->counts, s->side, p, len, done, user);
}

struct output {
	struct cr_folded_counts *counts;
	bool normalize;
};

static int
write_counts(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	const struct output *o = options;

	(void)in;
	return cr_folded_counts_write(o->counts, o->normalize, out, err);
}

static int
write_all(const struct cr_options *o, struct cr_folded_counts *counts)
{
	const struct cr_writer w = {.name = o->cmd->name, .write = write_counts};
	const struct output output = {counts, o->diff_folded.normalize};
	const struct cr_write_in in = {0};
	struct cr_err err = CR_ERR_INIT;

	if (cr_writer_run(&w, &in, &output, o->write.output, &err) == CR_OK)
		return EXIT_DONE;
	return cr_job_fail(o->write.output ? o->write.output : "standard output", &err);
}

/* With --strict, what could be read is written, too. */
static bool
is_usable(int code)
{
	return code == EXIT_DONE || code == EXIT_IN_PART;
}

int
cr_cmd_diff_folded(const struct cr_options *o)
{
	struct cr_folded_counts *counts;
	int code = EXIT_DONE;

	if (strcmp(o->args[0], "-") == 0 && strcmp(o->args[1], "-") == 0)
		return cr_options_usage(o->cmd, "only one side can be standard input", "-");
	counts = cr_folded_counts_new(o->diff_folded.strip_hex);
	for (uint32_t i = 0; i < CR_SIDES && is_usable(code); i++) {
		struct side side = {counts, i};
		const int one = cr_folded_input(o, o->args[i], read_side, &side);

		code = one == EXIT_DONE ? code : one;
	}
	if (is_usable(code)) {
		const int written = write_all(o, counts);

		code = written == EXIT_DONE ? code : written;
	}
	cr_folded_counts_free(counts);
	return code;
}
