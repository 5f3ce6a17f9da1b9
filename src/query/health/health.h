#ifndef CR_QUERY_HEALTH_HEALTH_H
#define CR_QUERY_HEALTH_HEALTH_H

#include "model/profile.h"

/*
 * Data quality of a recording: what was lost, what has no name, which stacks are incomplete.
 * Numbers, and a verdict on each; advice.h turns them into advice, callers into words. Values refer
 * to one event unless stated otherwise; weights are in its unit.
 */
enum cr_call_graph {
	CR_CALL_GRAPH_NONE,
	CR_CALL_GRAPH_FP,
	CR_CALL_GRAPH_DWARF,
	CR_CALL_GRAPH_LBR,
	CR_CALL_GRAPH_UNKNOWN, /* there are stacks of unknown origin */
};

struct cr_health_dso {
	cr_dso_id dso;
	/* Of samples taken in it; of samples with it anywhere in the stack, each counted once. */
	uint64_t self, total;
	uint64_t nameless, nameless_total; /* the same for its code without function names */
};

struct cr_health_event {
	uint64_t samples, weight; /* like cr_event_samples(), so counts of text formats are right */
	/* Of those, taken in code without a function name. */
	uint64_t nameless_samples, nameless_weight;
};

/* Where incomplete stacks end: the outermost known dso, and the number of samples. */
struct cr_health_end {
	cr_dso_id dso;
	uint64_t samples;
};

enum cr_finding_kind {
	CR_FINDING_EMPTY,   /* no samples */
	CR_FINDING_DAMAGED, /* the input was read in part */
	CR_FINDING_LOST,
	CR_FINDING_THROTTLED,
	CR_FINDING_FEW, /* too few samples for shares with an error of some percent */
	CR_FINDING_NO_STACKS,
	CR_FINDING_BROKEN,
	CR_FINDING_TRUNCATED,
	CR_FINDING_CUT,
	CR_FINDING_GUESSED,
	CR_FINDING_COULD_GUESS,
	CR_FINDING_NAMELESS,
	CR_FINDING_NO_BUILD_ID,
	CR_FINDING_NOTED, /* other counts of the reader */
	CR_FINDINGS
};

struct cr_finding {
	enum cr_finding_kind kind;
	uint32_t share_ppm; /* share of the cost or samples affected, in millionths */
};

#define CR_HEALTH_ENDS 3
#define CR_HEALTH_FEW 1000 /* samples: with 1000 a share of 10 % may really be 8.1 to 11.9 % */

struct cr_health {
	uint32_t event;                 /* row of the events; UINT32_MAX if there is none */
	struct cr_health_event *events; /* by event of p */
	struct cr_health_event here;    /* the entry of `event` */
	uint64_t all_samples;           /* of all recorded events */
	uint32_t processes, threads;    /* number of those with samples; 0 if unknown */

	uint64_t lost;      /* number of samples and other records */
	uint64_t throttled; /* number of times */

	uint64_t frames, nameless_frames; /* over all samples, each frame counted once per sample */
	/* dsos with any cost; sorted by falling nameless, nameless_total, total. */
	struct cr_health_dso *dsos;
	uint32_t n_dsos;
	/* Dsos that should have a build-id but have none; sorted by falling self, total. */
	uint32_t *no_id;
	uint32_t n_no_id;
	uint64_t unidentified; /* their self cost */
	/* The kernel is one of them, or all dsos are: the table was not written. */
	bool no_id_table;
	uint64_t unchecked; /* number of dsos named from a file without a matching build-id */

	enum cr_call_graph call_graph;
	uint32_t max_depth; /* in frames */
	uint64_t one_frame; /* number of samples with a stack of one frame */
	/* The following are counted only if the format has addresses and stacks were recorded. */
	/* Samples with a user part of the stack; each is in one of the following groups. */
	uint64_t user_stacks;
	uint64_t whole;          /* it reaches a function that processes and threads start with */
	uint64_t broken;         /* it does not, and ends in the middle of a program */
	uint64_t broken_at_once; /* of those: the user part has one frame */
	/* Of those: the outermost known dso is JIT code, or none is known. */
	uint64_t broken_run_time;
	uint64_t truncated; /* it does not, and has the maximum depth of the kernel */
	uint64_t cut;       /* it does not, and exceeds the stack dump */
	/* It exceeds the stack dump, and outer frames were copied from other stacks. */
	uint64_t stitched;
	uint64_t guessed; /* its outer frames were guessed */
	/*
	 * It ends because of missing unwind information, and a guess would continue it; of all
	 * events.
	 */
	uint64_t could_guess;
	uint64_t undecided; /* it ends in a file without a function name */
	/* ends of the broken ones, most frequent first; samples 0: no more. */
	struct cr_health_end ends[CR_HEALTH_ENDS];

	struct cr_finding findings[CR_FINDINGS]; /* problems by falling share, followed by risks */
	uint32_t n_findings;
};

/*
 * Examine a profile; p must have its samples. event: row of p's events, UINT32_MAX if there are
 * none. O(samples + nodes). If the work (base/work.h) is cancelled, *out is incomplete.
 */
void cr_health_make(const struct cr_profile *p, uint32_t event, struct cr_health *out);
void cr_health_fini(struct cr_health *h);

/* The finding of this kind, NULL if there is none. */
const struct cr_finding *cr_health_find(const struct cr_health *h, enum cr_finding_kind kind);

/* Why the dso could not be named, "no such file"; "" if unknown. Borrowed from p. */
struct cr_str cr_health_why(const struct cr_profile *p, cr_dso_id dso);

/* True if the dso should have a build-id: a file or the kernel. */
bool cr_health_wants_build_id(const struct cr_dso *o);

/*
 * True if samples of the event are taken at intervals, so that few of them are imprecise. False for
 * "every 1", for tracepoints, and for events computed from those.
 */
bool cr_health_is_sampled(const struct cr_profile *p, uint32_t event);

#endif
