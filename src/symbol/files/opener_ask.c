#include "opener_ask_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "gate_rule_p.h"
#include "opener_message_p.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_AHEAD 512u /* number of expected files to search */

pid_t
cr_opener_pid(const struct cr_opener *o)
{
	return o->pid;
}

/* The caller holds the lock. fds has room for CR_OPENER_AT_ONCE. */
static bool
ask(struct cr_opener *o, const struct cr_opener_request *r, size_t len, struct cr_opener_answer *a,
	const struct cr_progress *progress, int *fds, size_t *n_fds)
{
	*n_fds = 0;
	if (!cr_opener_send(o->fd, r, len, NULL, 0))
		return false;
	while (cr_opener_receive(o->fd, a, sizeof(*a), fds, n_fds) >=
		offsetof(struct cr_opener_answer, path)) {
		struct cr_opener_go_on reply = {.stop = 0};

		if (!a->is_progress)
			return true;
		reply.stop = !cr_progress_step(progress, "downloading", a->done, a->whole);
		if (!cr_opener_send(o->fd, &reply, sizeof(reply), NULL, 0))
			break;
	}
	cr_opener_close_all(fds, *n_fds);
	*n_fds = 0;
	return false;
}

/* ---- expected files */

static uint32_t
expected_find(const struct cr_opener *o, const char *path)
{
	const uint64_t h = cr_hash(path, strlen(path));
	uint32_t at = cr_index_first(&o->expected_index, h), row;

	for (; (row = cr_index_row(&o->expected_index, &at, h)) != CR_NO_ROW;
		at = cr_index_next(&o->expected_index, at))
		if (strcmp(o->expected.p[row].path, path) == 0)
			break;
	return row;
}

void
cr_opener_expect(struct cr_opener *o, const char *const *paths, size_t n)
{
	pthread_mutex_lock(&o->lock);
	for (size_t i = 0; i < o->expected.n; i++) {
		free(o->expected.p[i].path);
		if (o->expected.p[i].fd >= 0)
			close(o->expected.p[i].fd);
	}
	cr_vec_fini(&o->expected);
	cr_index_fini(&o->expected_index);
	for (size_t i = 0; i < n; i++) {
		if (expected_find(o, paths[i]) != CR_NO_ROW)
			continue;
		cr_index_add(&o->expected_index, cr_hash(paths[i], strlen(paths[i])),
			(uint32_t)o->expected.n);
		cr_vec_push(&o->expected,
			((struct cr_opener_expected){cr_strdup(paths[i]), -1, false}));
	}
	pthread_mutex_unlock(&o->lock);
}

static bool
same_directory(const char *a, const char *b)
{
	const char *end = strrchr(a, '/'), *other = strrchr(b, '/');

	return end && other && end - a == other - b && memcmp(a, b, (size_t)(end - a)) == 0;
}

/*
 * Put paths into a request: that of row, and those of its directory that follow and were not
 * requested yet. rows becomes their rows. Returns the size of the request.
 */
static size_t
request_fill(struct cr_opener *o, uint32_t row, struct cr_opener_request *r, uint32_t *rows,
	size_t *n_rows)
{
	const char *first = o->expected.p[row].path;
	size_t len = 0;

	for (uint32_t i = row;
		i < o->expected.n && i - row < LOOK_AHEAD && *n_rows < CR_OPENER_AT_ONCE; i++) {
		struct cr_opener_expected *e = &o->expected.p[i];
		const size_t more = strlen(e->path) + 1;

		if (i != row && (e->asked || !same_directory(first, e->path)))
			continue;
		if (more > sizeof(r->path) - len)
			break;
		memcpy(r->path + len, e->path, more);
		len += more;
		e->asked = true;
		rows[(*n_rows)++] = i;
	}
	return offsetof(struct cr_opener_request, path) + len;
}

/* Assign the received descriptors to the requested files, in order; close the rest. */
static void
assign_opened(struct cr_opener *o, const struct cr_opener_answer *a, const uint32_t *rows,
	size_t n_rows, const int *fds, size_t n_fds)
{
	size_t taken = 0;

	for (size_t i = 0; i < n_rows && taken < n_fds; i++)
		if (a->opened >> i & 1)
			o->expected.p[rows[i]].fd = fds[taken++];
	cr_opener_close_all(fds + taken, n_fds - taken);
}

static int
expected_open(struct cr_opener *o, uint32_t row, struct cr_opener_request *r)
{
	struct cr_opener_expected *e = &o->expected.p[row];
	int fds[CR_OPENER_AT_ONCE], fd;
	uint32_t rows[CR_OPENER_AT_ONCE];
	size_t n_rows = 0, n_fds, len;
	struct cr_opener_answer a;

	/* The second time it is opened again, since the first caller has the descriptor. */
	if (e->fd < 0) {
		len = request_fill(o, row, r, rows, &n_rows);
		if (ask(o, r, len, &a, NULL, fds, &n_fds))
			assign_opened(o, &a, rows, n_rows, fds, n_fds);
	}
	fd = e->fd;
	e->fd = -1;
	return fd;
}

/* Request one file, or a process. */
static int
open_one(struct cr_opener *o, const struct cr_opener_request *r, size_t len)
{
	int fds[CR_OPENER_AT_ONCE];
	size_t n_fds;
	struct cr_opener_answer a;

	if (!ask(o, r, len, &a, NULL, fds, &n_fds) || !n_fds)
		return -1;
	cr_opener_close_all(fds + 1, n_fds - 1);
	return fds[0];
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
	uint32_t row = CR_NO_ROW;
	int fd;

	if (len > sizeof(r.path))
		return -1;
	pthread_mutex_lock(&o->lock);
	if (rules == 0 && also == CR_GATE_NOBODY)
		row = expected_find(o, path);
	if (row != CR_NO_ROW) {
		fd = expected_open(o, row, &r);
	} else {
		memcpy(r.path, path, len);
		fd = open_one(o, &r, offsetof(struct cr_opener_request, path) + len);
	}
	pthread_mutex_unlock(&o->lock);
	return fd;
}

int
cr_opener_ready(struct cr_opener *o, const char *path)
{
	uint32_t row;
	int fd = -1;

	pthread_mutex_lock(&o->lock);
	row = expected_find(o, path);
	if (row != CR_NO_ROW) {
		fd = o->expected.p[row].fd;
		o->expected.p[row].fd = -1;
	}
	pthread_mutex_unlock(&o->lock);
	return fd;
}

int
cr_opener_process(struct cr_opener *o, int32_t pid, enum cr_opener_of_process what)
{
	const struct cr_opener_request r = {.kind = CR_OPENER_PROCESS, .pid = pid, .what = what};
	int fd;

	pthread_mutex_lock(&o->lock);
	fd = open_one(o, &r, offsetof(struct cr_opener_request, path));
	pthread_mutex_unlock(&o->lock);
	return fd;
}

char *
cr_opener_debuginfod(struct cr_opener *o, const struct cr_build_id *id,
	const struct cr_progress *progress, char *why, size_t size)
{
	const struct cr_opener_request r = {.kind = CR_OPENER_DEBUGINFO, .id = *id};
	struct cr_opener_answer a = {.path = ""};
	int fds[CR_OPENER_AT_ONCE];
	size_t n_fds;
	bool done;

	snprintf(why, size, "%s", "the process that asks the servers has ended");
	pthread_mutex_lock(&o->lock);
	done = ask(o, &r, offsetof(struct cr_opener_request, path), &a, progress, fds, &n_fds);
	pthread_mutex_unlock(&o->lock);
	cr_opener_close_all(fds, n_fds);
	if (!done)
		return NULL;
	a.path[sizeof(a.path) - 1] = a.why[sizeof(a.why) - 1] = '\0';
	snprintf(why, size, "%s", a.why);
	return a.path[0] ? cr_strdup(a.path) : NULL;
}
