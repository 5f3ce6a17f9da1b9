#include "process_p.h"

#include "base/vec.h"
#include "symbol/files/opener_ask_p.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LOOKED_AT ((size_t)64)

/* A file of /proc/PID; NULL if there is no such process or access is refused. */
static FILE *
open_of_process(struct cr_opener *opener, int32_t pid, enum cr_opener_of_process what)
{
	char path[64];
	FILE *f;
	int fd;

	if (pid <= 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%" PRId32 "/%s", pid,
		what == CR_OPENER_MAPS ? "maps" : "status");
	f = fopen(path, "re");
	if (f || errno != EACCES || !opener || (fd = cr_opener_process(opener, pid, what)) < 0)
		return f;
	f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

/*
 * START-END PERMISSIONS OFFSET DEVICE INODE PATH, see proc_pid_maps(5). False if there is no path.
 */
static bool
parse_mapping(char *line, struct cr_process_map *out, uint64_t *end)
{
	char *path = strchr(line, '/');

	if (!path || sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &out->start, end,
			     &out->pgoff) != 3)
		return false;
	out->path = (struct cr_str){path, (uint32_t)strcspn(path, "\n")};
	return true;
}

bool
cr_process_has(struct cr_opener *opener, int32_t pid, const struct cr_process_map *maps, size_t n)
{
	FILE *f = open_of_process(opener, pid, CR_OPENER_MAPS);
	bool found = false;
	char *line = NULL;
	size_t room = 0;

	while (f && !found && getline(&line, &room, f) > 0) {
		struct cr_process_map m;
		uint64_t end;

		if (!parse_mapping(line, &m, &end))
			continue;
		for (size_t i = 0; i < CR_MIN(n, MAX_LOOKED_AT) && !found; i++)
			found = maps[i].start >= m.start && maps[i].start < end &&
				maps[i].start - m.start == maps[i].pgoff - m.pgoff &&
				cr_str_eq(maps[i].path, m.path);
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

uint32_t
cr_process_owner(int32_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%" PRId32, pid);
	return pid > 0 && stat(path, &st) == 0 ? (uint32_t)st.st_uid : UINT32_MAX;
}

bool
cr_process_recorded(struct cr_opener *opener, int32_t pid, const struct cr_profile *p)
{
	FILE *f = open_of_process(opener, pid, CR_OPENER_MAPS);
	CR_VEC(struct cr_process_map) maps = {0};
	bool *mine, found;

	if (!f) /* the usual case: saves reading the profile */
		return false;
	fclose(f);
	mine = cr_alloc(p->n_spaces, sizeof(*mine));
	for (uint32_t i = 0; i < p->n_tasks; i++)
		if (p->tasks[i].pid == pid)
			mine[p->tasks[i].space.i] = true;
	for (uint32_t i = 0; i < p->n_maps && maps.n < MAX_LOOKED_AT; i++) {
		const struct cr_map *m = &p->maps[i];
		const struct cr_dso *o = &p->dsos[m->dso.i];

		if (mine[m->space.i] && o->kind == CR_KIND_USER)
			cr_vec_push(&maps, ((struct cr_process_map){m->start, m->pgoff, o->name}));
	}
	found = cr_process_has(opener, pid, maps.p, maps.n);
	cr_vec_fini(&maps);
	free(mine);
	return found;
}

int32_t
cr_process_own_pid(struct cr_opener *opener, int32_t pid)
{
	FILE *f = open_of_process(opener, pid, CR_OPENER_STATUS);
	int32_t own = pid;
	char *line = NULL;
	size_t room = 0;

	/* "NStgid:	4321	17	1": outermost to innermost. */
	while (f && getline(&line, &room, f) > 0) {
		const char *last = strrchr(line, '\t');

		if (strncmp(line, "NStgid:", 7) != 0 || !last)
			continue;
		if (sscanf(last, "%" SCNd32, &own) != 1)
			own = pid;
		break;
	}
	free(line);
	if (f)
		fclose(f);
	return own;
}
