#ifndef CR_QUERY_DIFF_NORM_H
#define CR_QUERY_DIFF_NORM_H

/* The normalisation of a difference: what the costs of both sides are compared as. */
enum cr_norm_kind {
	CR_NORM_SHARE,    /* of the whole of their recording */
	CR_NORM_TIME,     /* CPU time; the unit of the event must be one of time */
	CR_NORM_SECOND,   /* cost per second of the recording */
	CR_NORM_NONE,     /* as recorded */
	CR_NORM_FUNCTION, /* as a part of the total cost of a function */
};

struct cr_norm {
	enum cr_norm_kind kind;
	const char *function; /* borrowed; NULL for other kinds */
};

/* From "share", "time", "second" or "none"; any other text is the name of a function. */
struct cr_norm cr_norm_of(const char *text);

/* The text that cr_norm_of() would take. */
const char *cr_norm_name(const struct cr_norm *norm);

#endif
