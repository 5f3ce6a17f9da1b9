#ifndef CR_WRITE_SAMPLES_THREAD_SAMPLES_P_H
#define CR_WRITE_SAMPLES_THREAD_SAMPLES_P_H

#include "base/json_out.h"
#include "base/vec.h"
#include "sample_rows_p.h"

/*
 * The samples of a writer with CR_WRITER_PLACES, one list for each thread and event that has any.
 * Lists are sorted by thread, then event; the samples of a list are in the order of the recording.
 */
struct cr_thread_list {
	uint32_t thread, event;
	uint64_t first, n; /* its samples: [first, first + n) of `row` */
	uint64_t weight;   /* their sum, at most UINT64_MAX */
};

struct cr_thread_samples {
	struct cr_sample_threads threads;
	CR_VEC(struct cr_thread_list) lists;
	uint64_t *row; /* rows of samples in the profile */
};

/* Fill out, which the caller ends with cr_thread_samples_fini(). Borrows from `in`. */
void cr_thread_samples_init(struct cr_thread_samples *out, const struct cr_write_in *in);
void cr_thread_samples_fini(struct cr_thread_samples *s);

/* Append "nginx 12/13 cycles", the title of a list; the event only if the profile has several. */
void cr_thread_list_title(const struct cr_thread_samples *s, const struct cr_thread_list *l,
	const struct cr_profile *p, struct cr_text *out);

/*
 * Write members of the open object from which our own readers restore the thread and the event:
 * comm, pid, tid, event, unit, main, by_comm (read/json/own_list_p.h).
 */
void cr_thread_list_own(const struct cr_thread_samples *s, const struct cr_thread_list *l,
	const struct cr_profile *p, struct cr_json_out *json);

#endif
