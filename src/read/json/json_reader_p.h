#ifndef CR_READ_JSON_JSON_READER_P_H
#define CR_READ_JSON_JSON_READER_P_H

#include "bytes/json.h"
#include "bytes/scan.h"
#include "read/kit/diagnostics_p.h"
#include "read/reader.h"

/* State of a reader for a JSON format, read from front to back. */
struct cr_json_reader {
	struct cr_json j;
	struct cr_builder *b;
	const struct cr_read_opts *opts;
	struct cr_diagnostics report;
	cr_address_space_id space; /* the only one, for all tasks */
	uint64_t steps;
	bool stopped;        /* the user cancelled */
	struct cr_text room; /* buffer of cr_json_reader_plain() */
};

/* Begin to read `in`. Everything is borrowed until the reader is closed. */
void cr_json_reader_open(struct cr_json_reader *t, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts);

/*
 * Report progress at the position `at`; call it now and then. Returns false if the user cancelled.
 */
bool cr_json_reader_step(struct cr_json_reader *t, const struct cr_json *at);

/* Report that the next value at `at`, a position in the same input, is wrong. */
void cr_json_reader_report(struct cr_json_reader *t, enum cr_reason why, const struct cr_json *at);

/*
 * Read the next value, a number or a string that contains one, multiplied by 10^scale. False for
 * any other value.
 */
bool cr_json_reader_number(struct cr_json *j, unsigned scale, struct cr_decimal *out);

/* The same for a whole number that is not negative. */
bool cr_json_reader_u64(struct cr_json *j, uint64_t *out);

/*
 * Read the next value as text with its escapes resolved; "" if it is none. Valid until the next
 * call.
 */
struct cr_str cr_json_reader_plain(struct cr_json_reader *t, struct cr_json *j);

/*
 * Finish: append the diagnostics to the log, including an error of t->j itself. CR_ECANCEL if the
 * user cancelled; CR_EFORMAT if it is no JSON and there is no sample.
 */
int cr_json_reader_close(struct cr_json_reader *t, struct cr_err *err);

#endif
