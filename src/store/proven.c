#include "proven_p.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/access.h"
#include "base/hash.h"
#include "base/text.h"
#include "store/cache.h"

#define SECOND INT64_C(1000000000)

/*
 * The list has a fixed size: sets of places; the inode selects the set. File systems without fine
 * times store whole seconds, or steps of two.
 */
#define SETS 1024u
#define PLACES 4u
#define RECENT_NS (2 * SECOND)

/* Magic number of a record; it changes when the comparison checks more. */
#define RECORD UINT64_C(0x31766f7270726300)

struct record {
	uint64_t is; /* RECORD, or 0 if empty */
	struct cr_proven_id id;
};

static int64_t
ns_of(struct timespec t)
{
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

bool
cr_proven_id_of(const struct stat *st, struct cr_proven_id *out)
{
	*out = (struct cr_proven_id){.device = st->st_dev,
		.inode = st->st_ino,
		.size = (uint64_t)st->st_size,
		.changed_ns = ns_of(st->st_ctim),
		.written_ns = ns_of(st->st_mtim)};
	return S_ISREG(st->st_mode) && cr_access_is_own(st);
}

bool
cr_proven_is_recent(const struct cr_proven_id *id)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ns_of(now) - id->changed_ns < RECENT_NS; /* or a time in the future */
}

static bool
same_file(const struct cr_proven_id *a, const struct cr_proven_id *b)
{
	return a->device == b->device && a->inode == b->inode;
}

static bool
same_state(const struct cr_proven_id *a, const struct cr_proven_id *b)
{
	return same_file(a, b) && a->size == b->size && a->changed_ns == b->changed_ns &&
	       a->written_ns == b->written_ns;
}

static off_t
set_of(const struct cr_proven_id *id)
{
	return (off_t)(cr_digest_mix(id->device, id->inode) % SETS * PLACES *
		       sizeof(struct record));
}

/* -1 if there is no list, or it is not trusted. */
static int
list_open(int flags)
{
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_text path = {0};
	struct stat st;
	char *dir;
	int fd = -1;

	if (cr_cache_dir(&dir, &ignored) < 0)
		return -1;
	cr_text_printf(&path, "%s/%s", dir, CR_CACHE_PROVEN);
	if (cr_cache_usable(dir, &ignored) && (!(flags & O_CREAT) || cr_cache_limit(dir)))
		fd = open(path.p, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !cr_access_is_own(&st))) {
		close(fd);
		fd = -1;
	}
	cr_text_fini(&path);
	free(dir);
	return fd;
}

/* Missing records are empty. */
static void
set_read(int fd, const struct cr_proven_id *id, struct record set[PLACES])
{
	ssize_t got;

	memset(set, 0, PLACES * sizeof(*set));
	got = pread(fd, set, PLACES * sizeof(*set), set_of(id));
	(void)got;
}

bool
cr_proven_has(const struct cr_proven_id *id)
{
	const int fd = list_open(O_RDONLY);
	struct record set[PLACES];
	bool has = false;

	if (fd < 0)
		return false;
	set_read(fd, id, set);
	for (unsigned i = 0; i < PLACES; i++)
		has |= set[i].is == RECORD && same_state(&set[i].id, id);
	close(fd);
	return has;
}

/* The place of the same file before it was changed; otherwise an empty one; otherwise any. */
static unsigned
place_for(const struct record set[PLACES], const struct cr_proven_id *id)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (set[i].is == RECORD && same_file(&set[i].id, id))
			return i;
	for (unsigned i = 0; i < PLACES; i++)
		if (set[i].is != RECORD)
			return i;
	return (unsigned)(cr_digest_mix((uint64_t)id->changed_ns, id->inode) % PLACES);
}

void
cr_proven_add(const struct cr_proven_id *id)
{
	const struct record record = {.is = RECORD, .id = *id};
	const int fd = list_open(O_RDWR | O_CREAT);
	struct record set[PLACES];
	ssize_t put;

	if (fd < 0)
		return;
	set_read(fd, id, set);
	put = pwrite(fd, &record, sizeof(record),
		set_of(id) + (off_t)(place_for(set, id) * sizeof(record)));
	(void)put; /* an incomplete record is ignored */
	close(fd);
}
