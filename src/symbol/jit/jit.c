#include "jit_p.h"

#include "bytes/scan.h"
#include "process_p.h"
#include "symbol/files/gate_p.h"
#include "symbol/jit/jitdump.h"
#include "symbol/kernel/mapfile_p.h"

#include <dirent.h>
#include <inttypes.h>
#include <unistd.h>

/* The pid in "perf-PID.map"; -1 for other names. */
static int32_t
pid_of_perfmap(struct cr_str base)
{
	uint64_t pid;

	if (!cr_str_starts(base, "perf-") || !cr_str_ends(base, ".map") || base.len < 10)
		return -1;
	if (!cr_scan_u64((struct cr_str){base.p + 5, base.len - 9}, &pid) || pid > INT32_MAX)
		return -1;
	return (int32_t)pid;
}

/*
 * Everybody can put a file into /tmp, so only `owner`, root and the user of the program are
 * trusted. *why is unchanged if there is no such file.
 */
static bool
try_map(const struct cr_symbol_opts *opts, struct cr_symtab *t, const struct cr_text *path,
	uint32_t owner, const char **why)
{
	struct cr_err err = CR_ERR_INIT;
	const int fd = cr_gate_open(opts, path->p, CR_GATE_OWNED, owner);
	const bool ok = fd >= 0 && cr_perfmap_read(t, fd, path->p, &err) == CR_OK;
	const char *refusal = fd < 0 ? cr_gate_refusal(path->p) : "it cannot be read";

	if (!ok && refusal)
		*why = refusal;
	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * A perf map of a container, in a directory named after the pid outside. If there are two, none is
 * used.
 */
static bool
try_directory(const struct cr_symbol_opts *opts, struct cr_symtab *t, struct cr_text *path,
	const char **why)
{
	const size_t len = path->len;
	DIR *dir = opendir(path->p);
	const struct dirent *e;
	uint32_t found = 0;

	while (dir && (e = readdir(dir))) {
		if (pid_of_perfmap(cr_str_of(e->d_name)) == -1 || found++)
			continue;
		cr_text_printf(path, "/%s", e->d_name);
	}
	if (dir)
		closedir(dir);
	return found == 1 && path->len > len && try_map(opts, t, path, CR_GATE_NOBODY, why);
}

/* NULL on success, otherwise why there is none. */
static const char *
find_perfmap(const struct cr_symbol_opts *opts, const struct cr_profile *p, int32_t pid,
	struct cr_symtab *t)
{
	const uint32_t owner =
		cr_process_recorded(opts->opener, pid, p) ? cr_process_owner(pid) : CR_GATE_NOBODY;
	const char *why = "no such file";
	struct cr_text path = {0};
	bool ok = false;

	if (!opts->map_dir && !opts->symfs && owner != CR_GATE_NOBODY) {
		cr_text_printf(&path, "/proc/%" PRId32 "/root/tmp/perf-%" PRId32 ".map", pid,
			cr_process_own_pid(opts->opener, pid));
		ok = try_map(opts, t, &path, owner, &why);
	}
	for (int directory = 0; !ok && directory <= 1; directory++) {
		cr_text_clear(&path);
		if (opts->map_dir)
			cr_text_puts(&path, opts->map_dir);
		else
			cr_text_printf(&path, "%s/tmp", opts->symfs ? opts->symfs : "");
		cr_text_printf(&path, directory ? "/%" PRId32 : "/perf-%" PRId32 ".map", pid);
		ok = directory ? opts->map_dir && try_directory(opts, t, &path, &why)
			       : try_map(opts, t, &path, owner, &why);
	}
	cr_text_fini(&path);
	return ok ? NULL : why;
}

/* Only the asked addresses: a jitdump may contain a hundred thousand functions. */
static void
name_from_dump(const struct cr_symbol_opts *opts, struct cr_names *n)
{
	const struct cr_dso *o = &n->p->dsos[n->dso.i];
	struct cr_symtab t = {.demangle = !opts->no_demangle};
	struct cr_err err = CR_ERR_INIT;
	struct cr_jitdump d;

	n->why = "no such file";
	if (o->build_id_len != CR_JITDUMP_ID)
		return;
	if (cr_jitdump_open(
		    opts, &(struct cr_jit_marker){o->name, n->pid, 0, o->build_id}, &d, &err) < 0)
		return;
	for (size_t i = 0; i < d.code.n; i++) {
		const struct cr_jit_code *code = &d.code.p[i];
		const uint64_t end = code->offset + (code->end - code->start);
		const size_t at = cr_addrkey_from(n->asked, n->n, code->offset);

		/* Moved code has the bytes and the name of the loaded code. */
		if (code->from != code->start || at == n->n || n->asked[at].addr >= end)
			continue;
		cr_symtab_add(
			&t, &(struct cr_symbol){.start = code->offset,
				    .end = end,
				    .flags = CR_SYMBOL_GLOBAL,
				    .name = cr_arena_copy(&t.arena, code->name.p, code->name.len)});
	}
	cr_symtab_index(&t);
	cr_names_add(n, &t, 0, 0);
	n->why = NULL;
	cr_symtab_fini(&t);
	cr_jitdump_fini(&d);
}

static void
name_from_perfmap(const struct cr_symbol_opts *opts, struct cr_names *n, int32_t pid, bool absolute)
{
	struct cr_symtab t = {.demangle = !opts->no_demangle};

	n->why = find_perfmap(opts, n->p, pid, &t);
	if (!n->why && absolute)
		cr_names_add(n, &t, 0, 0);
	else if (!n->why)
		cr_names_add_mapped(n, &t);
	cr_symtab_fini(&t);
}

void
cr_jit_name(const struct cr_symbol_opts *opts, struct cr_names *n)
{
	const struct cr_str name = n->p->dsos[n->dso.i].name;
	const int32_t pid = pid_of_perfmap(cr_str_basename(name));

	n->why = "mapped by several processes";
	if (cr_jitdump_is_name(name))
		name_from_dump(opts, n);
	else if (pid != -1)
		name_from_perfmap(opts, n, pid, true);
	else if (n->pid != -1)
		name_from_perfmap(opts, n, n->pid, false);
}
