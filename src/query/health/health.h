#ifndef CR_QUERY_HEALTH_HEALTH_H
#define CR_QUERY_HEALTH_HEALTH_H

#include "model/profile.h"

/*
 * How good a recording is: what was lost, what has no name, which stacks are not whole. Numbers
 * and a verdict on each; what they mean for the next recording is advice.h, words are the
 * caller's. Of one event unless said otherwise; weights in its unit.
 */
enum cr_call_graph {
	CR_CALL_GRAPH_NONE,
	CR_CALL_GRAPH_FP,
	CR_CALL_GRAPH_DWARF,
	CR_CALL_GRAPH_LBR,
	CR_CALL_GRAPH_UNKNOWN, /* there are stacks, nothing says how they were made */
};

struct cr_health_dso {
	cr_dso_id dso;
	uint64_t self, total; /* of samples taken in it; of those with it anywhere in the stack,
				 each once */
	uint64_t nameless, nameless_total; /* the same, of its code that has no function name */
};

struct cr_health_event {
	uint64_t samples,
		weight; /* as cr_event_samples(), so that counts of text formats are right */
	uint64_t nameless_samples,
		nameless_weight; /* of them, taken where no function name is known */
};

/* Where stacks end that should go on: the outermost dso that is known, and how many. */
struct cr_health_end {
	cr_dso_id dso;
	uint64_t samples;
};

enum cr_finding_kind {
	CR_FINDING_EMPTY,   /* no samples */
	CR_FINDING_DAMAGED, /* the input was read in part */
	CR_FINDING_LOST,
	CR_FINDING_THROTTLED,
	CR_FINDING_FEW, /* fewer samples than shares of some percent want */
	CR_FINDING_NO_STACKS,
	CR_FINDING_BROKEN,
	CR_FINDING_TRUNCATED,
	CR_FINDING_CUT,
	CR_FINDING_GUESSED,
	CR_FINDING_COULD_GUESS,
	CR_FINDING_NAMELESS,
	CR_FINDING_NO_BUILD_ID,
	CR_FINDING_NOTED, /* the reader counted something else */
	CR_FINDINGS
};

struct cr_finding {
	enum cr_finding_kind kind;
	uint32_t share_ppm; /* of the cost or of the samples it touches */
};

#define CR_HEALTH_ENDS 3
#define CR_HEALTH_FEW 1000 /* samples: at 1000 a share of 10 % may be 8.1 or 11.9 */

struct cr_health {
	uint32_t event;                 /* row of the events; UINT32_MAX when there is none */
	struct cr_health_event *events; /* as many as p's */
	struct cr_health_event here;    /* that of `event` */
	uint64_t all_samples;           /* of all events that were recorded */
	uint32_t processes, threads;    /* with samples; 0 when not known */

	uint64_t lost;      /* samples and other records */
	uint64_t throttled; /* times */

	uint64_t frames, nameless_frames; /* of all stacks, a frame once a sample */
	struct cr_health_dso *dsos; /* with any cost; by falling nameless, nameless_total, total */
	uint32_t n_dsos;
	uint32_t *no_id; /* rows of dsos that could have a build-id and have none, by falling
			    self, total */
	uint32_t n_no_id;
	uint64_t unidentified; /* their self */
	bool no_id_table;   /* the kernel is one of them, or all are: their table was not written */
	uint64_t unchecked; /* dsos that were named from a file no build-id vouches for */

	enum cr_call_graph call_graph;
	uint32_t max_depth; /* frames */
	uint64_t one_frame; /* samples with a stack of one frame */
	/* The rest is counted only where the format has addresses and stacks were recorded. */
	uint64_t user_stacks;     /* samples with a user part of the stack */
	uint64_t whole;           /* it reaches a function that processes and threads start with */
	uint64_t broken;          /* it does not, and ends where nothing begins */
	uint64_t broken_at_once;  /* of them, with a user part of one frame */
	uint64_t broken_run_time; /* of them, whose outermost known dso is JIT code, or that know
				     none */
	uint64_t truncated;       /* it does not, and is as deep as the kernel's limit */
	uint64_t cut;             /* it does not, and is longer than the dump that was kept of it */
	uint64_t stitched;    /* longer than its dump too, with outer frames that were taken from
				 others */
	uint64_t guessed;     /* its outer frames were guessed */
	uint64_t could_guess; /* it ends for want of unwind information, and a guess would continue
				 it; of all events */
	uint64_t untold;      /* it ends in a file whose function has no name */
	struct cr_health_end
		ends[CR_HEALTH_ENDS]; /* of the broken, most first; samples 0: no more */

	struct cr_finding
		findings[CR_FINDINGS]; /* what is wrong, by falling share; risks behind it */
	uint32_t n_findings;
};

/*
 * p must have its samples. event: row of p's events, UINT32_MAX when there are none. O(samples +
 * nodes).
 */
void cr_health_make(const struct cr_profile *p, uint32_t event, struct cr_health *out);
void cr_health_fini(struct cr_health *h);

/* The finding of that kind, NULL when there is none. */
const struct cr_finding *cr_health_find(const struct cr_health *h, enum cr_finding_kind kind);

/* Why the dso could not be named, "no such file"; "" when nothing says. Borrowed from p. */
struct cr_str cr_health_why(const struct cr_profile *p, cr_dso_id dso);

/* Could the dso have a build-id: a file or the kernel? */
bool cr_health_wants_build_id(const struct cr_dso *o);

/*
 * Are the event's samples taken from time to time, so that few of them say little? Those of
 * "every 1" and of tracepoints are not, nor what was worked out from them.
 */
bool cr_health_is_sampled(const struct cr_profile *p, uint32_t event);

#endif
