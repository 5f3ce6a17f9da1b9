#ifndef CR_QUERY_FOLD_LANES_H
#define CR_QUERY_FOLD_LANES_H

#include "base/err.h"
#include "base/mem.h"
#include "query/fold/select.h"

/*
 * A partition of the samples: each sample is in one lane, such as its comm, its cpu or the dso of
 * its leaf.
 */
enum cr_lane_key {
	CR_LANE_ALL, /* a single lane */
	CR_LANE_COMM,
	CR_LANE_PID,
	CR_LANE_TID,
	CR_LANE_CPU,
	CR_LANE_DSO,      /* of the leaf */
	CR_LANE_FUNCTION, /* of the leaf: the innermost inlined one */
	CR_LANE_EVENT,
	CR_LANE_FIELD, /* the value of a field */
	CR_LANE_KEYS
};

struct cr_lane_by {
	enum cr_lane_key key;
	const char *field; /* for CR_LANE_FIELD; borrowed */
};

/* "all", "comm" ... "event"; any other word is the name of a field. */
struct cr_lane_by cr_lane_by_of(const char *word);
const char *cr_lane_word(const struct cr_lane_by *by);

struct cr_lane {
	/* "nginx", "1234 nginx" for pids and tids, "cpu 3", "state=S"; never empty. */
	struct cr_str name;
	uint64_t number; /* for a pid, tid or cpu that number; for an event its row; otherwise 0 */
};

/*
 * The lanes of a profile, in the order of its tables, including empty ones. The lane of a sample is
 * in `of`, indexed by its task, node, cpu or event, or by its row; see cr_lanes_of().
 */
struct cr_lanes {
	struct cr_lane *lanes;
	uint32_t n;
	uint32_t *of;
	const uint32_t *at32; /* by row: the index in `of`; if both are NULL, the row itself */
	const uint16_t *at16;
	bool is_one; /* all samples are in one lane, of[one] */
	uint32_t one;
	struct cr_arena names; /* owns the names made */
};

static inline uint32_t
cr_lanes_of(const struct cr_lanes *l, uint64_t row)
{
	return l->of[l->is_one ? l->one : l->at32 ? l->at32[row] : l->at16 ? l->at16[row] : row];
}

/* Bits of enum cr_needs that must be read before cr_lanes_make(), apart from the events. */
unsigned cr_lanes_need(const struct cr_lane_by *by);

/*
 * Select the samples like cr_select(), and make their lanes, which borrow from p. The caller frees
 * *select. By event, all events are selected unless f names one. CR_EUSAGE for a key that was not
 * recorded; otherwise fails like cr_select().
 */
int cr_lanes_make(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_lane_by *by, uint8_t **select, struct cr_lanes *out, struct cr_err *err);

/*
 * Make only the lanes. For a field, f selects its event, and select is the result of cr_select();
 * for other keys both are unused and may be NULL.
 */
int cr_lanes_find(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_lane_by *by, const uint8_t *select, struct cr_lanes *out,
	struct cr_err *err);
void cr_lanes_fini(struct cr_lanes *l);

#endif
