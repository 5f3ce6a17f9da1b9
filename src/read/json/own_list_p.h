#ifndef CR_READ_JSON_OWN_LIST_P_H
#define CR_READ_JSON_OWN_LIST_P_H

#include "json_reader_p.h"

/*
 * The member "cresset" of a list of samples in a file that cresset wrote: its thread and its event
 * (write/samples/thread_samples_p.h). All zero bytes: there is none.
 */
struct cr_own_list {
	bool known;      /* there is one */
	bool has_thread; /* `task` is a thread, not a stand-in */
	bool has_event;  /* `event` is set */
	bool main;       /* the event is the one to show first */
	bool by_comm;    /* stacks are grouped by comm */
	uint64_t start_ns;
	cr_task_id task;
	cr_event_id event;
	struct cr_str unit; /* of the event, as written in the file */
};

/* Read the member at `at`, and add its event and task. Nothing happens if at.p is NULL. */
void cr_own_list_read(struct cr_json_reader *t, struct cr_json at, struct cr_own_list *out);

#endif
