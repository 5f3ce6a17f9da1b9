#include "pieces.h"

int
cr_pieces_run(const struct cr_pieces *reader, const void *shared, const struct cr_input *in, size_t from,
	struct cr_builder *b, const struct cr_read_opts *opts, struct cr_err *err)
{
	struct cr_report report = {0};
	void *state = reader->open(b, shared);

	(void)err;
	reader->read(state, &(struct cr_piece){(const char *)in->p + from, (const char *)in->p + in->len, from, b,
		&report, opts});
	reader->close(state);
	cr_report_end(&report, b, opts->log);
	return CR_OK;
}
