#ifndef CR_READ_JSON_TEXT_JSON_P_H
#define CR_READ_JSON_TEXT_JSON_P_H

#include "bytes/json.h"
#include "bytes/scan.h"
#include "read/kit/report_p.h"
#include "read/reader.h"

/* A format written as JSON, from front to back. */
struct cr_text_json {
	struct cr_json j;
	struct cr_builder *b;
	const struct cr_read_opts *opts;
	struct cr_report report;
	cr_address_space_id space; /* the only one: for tasks */
	uint64_t steps;
	bool stopped;        /* the user did not want to wait */
	struct cr_text room; /* of cr_text_json_plain() */
};

void cr_text_json_open(struct cr_text_json *t, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts);

/* To be asked now and then, with where it stands; false when the user does not want to wait. */
bool cr_text_json_step(struct cr_text_json *t, const struct cr_json *at);

/* What comes next in `at`, a place in the same input, is not as it should be. */
void cr_text_json_report(struct cr_text_json *t, enum cr_reason why, const struct cr_json *at);

/*
 * The next value, a number or a string with one in it, times 10 to the scale. False on any other.
 */
bool cr_text_json_number(struct cr_json *j, unsigned scale, struct cr_decimal *out);

/* The same of a whole number that is not negative. */
bool cr_text_json_u64(struct cr_json *j, uint64_t *out);

/* The next value as text, escapes resolved; "" when it is none. Good until the next call. */
struct cr_str cr_text_json_plain(struct cr_text_json *t, struct cr_json *j);

/*
 * Hands the report over, with what is wrong with t->j itself. CR_ECANCEL when the user did not want
 * to wait; CR_EFORMAT when it is no JSON and there is no sample.
 */
int cr_text_json_close(struct cr_text_json *t, struct cr_err *err);

#endif
