/*
 * Any bytes as a text format: the first line is the name of a reader, what follows its input. Any
 * other first line leaves it to detection. What a profile shows of itself as folded stacks must
 * come out of its store as well, and folded stacks are to be read back as what they were written
 * from.
 */
#include "whole_way.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/seams_p.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char directory[64]; /* "" until there is one */

static void
directory_remove(void)
{
	rmdir(directory);
}

/* Of memory where there is such a file system: a store is synced. */
static void
store_path(char *out, size_t room)
{
	if (!directory[0]) {
		snprintf(directory, sizeof(directory), "%s/cresset-fuzz.XXXXXX",
			access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
		must(mkdtemp(directory) != NULL);
		atexit(directory_remove);
	}
	snprintf(out, room, "%s/a.cresset", directory);
}

static char *
folded_event(const struct cr_profile *p, uint32_t event, size_t *len)
{
	char *name = cr_memdup(p->events[event].name.p, p->events[event].name.len);
	const struct cr_filter f = {.event = name};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;
	char *text;

	must(cr_fold(p, &f, &CR_FOLD_USUAL, &t, &err) == CR_OK);
	text = folded_text(t, len);
	cr_tree_free(t);
	free(name);
	return text;
}

/* Not an event whose name has a NUL in it. */
static bool
can_ask_for(const struct cr_profile *p, uint32_t event)
{
	const struct cr_str name = p->events[event].name;

	return p->events[event].samples && !(name.len && memchr(name.p, 0, name.len));
}

static void
check_same(const struct cr_profile *p, const struct cr_profile *q)
{
	must(p->n_events == q->n_events && p->samples.n == q->samples.n);
	for (uint32_t e = 0; e < CR_MIN(p->n_events, 8u); e++) {
		size_t len[2];
		char *text[2];

		if (!can_ask_for(p, e))
			continue;
		text[0] = folded_event(p, e, &len[0]);
		text[1] = folded_event(q, e, &len[1]);
		must(len[0] == len[1] && memcmp(text[0], text[1], len[0]) == 0);
		free(text[0]);
		free(text[1]);
	}
}

static void
check_store(const struct cr_profile *p)
{
	static const struct cr_store_shape shape = {7, 0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *q;
	char path[80];

	store_path(path, sizeof(path));
	must(cr_store_write_shaped(path, p, &shape, &err) == CR_OK);
	must(cr_store_open(path, CR_STORE_ALL, &q, &log, &err) == CR_OK && log.n == 0);
	unlink(path);
	check_same(p, q);
	cr_profile_free(q);
}

/*
 * Stacks that read as something else again: the first name begins with a byte order mark, a name
 * begins like a comment or ends in a count of its own.
 */
static bool
is_ambiguous(const char *text, size_t len)
{
	if ((unsigned char)*text >= 0xfe ||
		memcmp(text, "\xef\xbb\xbf", CR_MIN(len, (size_t)3)) == 0)
		return true;
	for (const char *p = text, *end = text + len; p < end;) {
		const char *lf = memchr(p, '\n', (size_t)(end - p)), *at = lf;

		while (at[-1] != ' ')
			at--;
		if (*p == '#' || (at - p > 2 && strchr("0123456789.", at[-2])))
			return true;
		p = lf + 1;
	}
	return false;
}

/* What was written as folded stacks reads as what it was written from. */
static void
check_again(const struct cr_profile *p)
{
	size_t len[2];
	char *text[2];
	struct cr_profile *q;

	if (!can_ask_for(p, 0))
		return;
	text[0] = folded_event(p, 0, &len[0]);
	if (len[0] && !is_ambiguous(text[0], len[0])) {
		q = profile_of(cr_reader_find("folded"), (const uint8_t *)text[0], len[0]);
		must(q && q->n_events == 1);
		text[1] = folded_event(q, 0, &len[1]);
		must(len[0] == len[1] && memcmp(text[0], text[1], len[0]) == 0);
		free(text[1]);
		cr_profile_free(q);
	}
	free(text[0]);
}

static const struct cr_reader *
reader_named(const uint8_t *name, size_t len)
{
	for (size_t i = 0; cr_reader_at(i); i++)
		if (strlen(cr_reader_at(i)->name) == len &&
			memcmp(cr_reader_at(i)->name, name, len) == 0)
			return cr_reader_at(i);
	return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *lf = size ? memchr(data, '\n', size) : NULL;
	const size_t name = lf ? (size_t)(lf - data) : size, from = lf ? name + 1 : size;
	struct cr_profile *p = profile_of(reader_named(data, name), data + from, size - from);

	if (!p)
		return 0;
	check_events(p);
	check_store(p);
	check_again(p);
	cr_profile_free(p);
	return 0;
}
