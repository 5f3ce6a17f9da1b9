#ifndef CR_QUERY_FOLD_LANES_H
#define CR_QUERY_FOLD_LANES_H

#include "base/err.h"
#include "base/mem.h"
#include "query/fold/select.h"

/*
 * By what samples are told apart: each belongs to one lane, that of its comm, its processor, its
 * leaf ...
 */
enum cr_lane_key {
	CR_LANE_ALL, /* one for all of them */
	CR_LANE_COMM,
	CR_LANE_PID,
	CR_LANE_TID,
	CR_LANE_CPU,
	CR_LANE_DSO,      /* of the leaf */
	CR_LANE_FUNCTION, /* of the leaf, the innermost inlined one */
	CR_LANE_EVENT,
	CR_LANE_FIELD, /* the value of a field */
	CR_LANE_KEYS
};

struct cr_lane_by {
	enum cr_lane_key key;
	const char *field; /* of CR_LANE_FIELD; borrowed */
};

/* "all", "comm" ... "event"; any other word is the name of a field. */
struct cr_lane_by cr_lane_by_of(const char *word);
const char *cr_lane_word(const struct cr_lane_by *by);

struct cr_lane {
	struct cr_str
		name; /* "nginx", "1234 nginx" for pids and tids, "cpu 3", "state=S"; never empty */
	uint64_t number; /* of a pid, tid or cpu that number, of an event its row; else 0 */
};

/*
 * The lanes of a profile, in the order of its tables, those included that no sample is in. A
 * sample's is `of` at its task, node, processor or event, or at its row.
 */
struct cr_lanes {
	struct cr_lane *lanes;
	uint32_t n;
	uint32_t *of;
	const uint32_t *at32; /* by row: where to look into `of`; of both NULL, the row */
	const uint16_t *at16;
	bool is_one; /* all samples are in one lane, that of `of` at `one` */
	uint32_t one;
	struct cr_arena names; /* those made */
};

static inline uint32_t
cr_lanes_of(const struct cr_lanes *l, uint64_t row)
{
	return l->of[l->is_one ? l->one : l->at32 ? l->at32[row] : l->at16 ? l->at16[row] : row];
}

/* What has to be read before cr_lanes_make(), apart from the events: bits of enum cr_needs. */
unsigned cr_lanes_need(const struct cr_lane_by *by);

/*
 * The samples that f asks for, as cr_select() gives them; and their lanes, which borrow p. By event
 * all events are taken, unless f names one. CR_EUSAGE for a key that was not recorded; else it
 * fails as cr_select() does.
 */
int cr_lanes_make(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_lane_by *by, uint8_t **select, struct cr_lanes *out, struct cr_err *err);

/*
 * The lanes alone: which sample is in which one is told by `of`, at the task, node, processor or
 * event, or at the row. select, which only lanes of a field are made from, may be NULL for the
 * others.
 */
int cr_lanes_find(const struct cr_profile *p, const struct cr_filter *f,
	const struct cr_lane_by *by, const uint8_t *select, struct cr_lanes *out,
	struct cr_err *err);
void cr_lanes_fini(struct cr_lanes *l);

#endif
