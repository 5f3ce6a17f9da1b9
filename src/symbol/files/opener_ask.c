#include "opener_ask_p.h"

#include "base/mem.h"
#include "opener_message_p.h"

#include <stdio.h>
#include <string.h>

pid_t
cr_opener_pid(const struct cr_opener *o)
{
	return o->pid;
}

static bool
ask(struct cr_opener *o, const struct cr_opener_request *r, size_t len, struct cr_opener_answer *a,
	const struct cr_progress *progress, int *fd)
{
	bool done = false;

	*fd = -1;
	pthread_mutex_lock(&o->lock);
	if (!cr_opener_send(o->fd, r, len, -1))
		goto out;
	while (cr_opener_receive(o->fd, a, sizeof(*a), fd) >=
		offsetof(struct cr_opener_answer, path)) {
		struct cr_opener_go_on reply = {.stop = 0};

		done = !a->is_progress;
		if (done)
			break;
		reply.stop = !cr_progress_step(progress, "downloading", a->done, a->whole);
		if (!cr_opener_send(o->fd, &reply, sizeof(reply), -1))
			break;
	}
out:
	pthread_mutex_unlock(&o->lock);
	return done;
}

int
cr_opener_file(struct cr_opener *o, const struct cr_symbol_opts *opts, const char *path,
	unsigned rules, uint32_t also)
{
	struct cr_opener_request r = {.kind = CR_OPENER_FILE,
		.rules = rules,
		.also = also,
		.has_owner = opts->has_owner,
		.owner = opts->owner};
	const size_t len = strlen(path) + 1;
	struct cr_opener_answer a;
	int fd;

	if (len > sizeof(r.path))
		return -1;
	memcpy(r.path, path, len);
	ask(o, &r, offsetof(struct cr_opener_request, path) + len, &a, NULL, &fd);
	return fd;
}

int
cr_opener_process(struct cr_opener *o, int32_t pid, enum cr_opener_of_process what)
{
	const struct cr_opener_request r = {.kind = CR_OPENER_PROCESS, .pid = pid, .what = what};
	struct cr_opener_answer a;
	int fd;

	ask(o, &r, offsetof(struct cr_opener_request, path), &a, NULL, &fd);
	return fd;
}

char *
cr_opener_debuginfod(struct cr_opener *o, const struct cr_build_id *id,
	const struct cr_progress *progress, char *why, size_t size)
{
	const struct cr_opener_request r = {.kind = CR_OPENER_DEBUGINFO, .id = *id};
	struct cr_opener_answer a = {.path = ""};
	int fd;

	snprintf(why, size, "%s", "the process that asks the servers has ended");
	if (!ask(o, &r, offsetof(struct cr_opener_request, path), &a, progress, &fd))
		return NULL;
	a.path[sizeof(a.path) - 1] = a.why[sizeof(a.why) - 1] = '\0';
	snprintf(why, size, "%s", a.why);
	return a.path[0] ? cr_strdup(a.path) : NULL;
}
