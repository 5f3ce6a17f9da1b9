#include "sandbox_p.h"

#include "config_file_p.h"
#include "editor_p.h"
#include "palette_map_p.h"

#include "base/confine.h"
#include "base/secure.h"
#include "base/text.h"
#include "store/cache.h"
#include "store/catalog.h"
#include "store/store.h"
#include "symbol/files/opener.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHANGE (CR_CONFINE_READ | CR_CONFINE_WRITE)

/*
 * What every command may use: files that everybody can read on any machine, and what the C library
 * and ncurses open.
 */
static const struct {
	const char *path;
	unsigned access;
} system_paths[] = {
	{"/usr", CR_CONFINE_READ},
	{"/lib", CR_CONFINE_READ}, /* usually links into /usr */
	{"/lib64", CR_CONFINE_READ},
	{"/bin", CR_CONFINE_READ},
	{"/sbin", CR_CONFINE_READ},
	{"/nix/store", CR_CONFINE_READ},
	{"/gnu/store", CR_CONFINE_READ},
	{"/etc/ld.so.cache", CR_CONFINE_READ | CR_CONFINE_FILE},
	{"/etc/localtime", CR_CONFINE_READ | CR_CONFINE_FILE},
	{"/etc/terminfo", CR_CONFINE_READ},
	{"/proc/self", CR_CONFINE_READ},
	{"/proc/kallsyms", CR_CONFINE_READ | CR_CONFINE_FILE},
	{"/proc/meminfo", CR_CONFINE_READ | CR_CONFINE_FILE},
	{"/proc/stat", CR_CONFINE_READ | CR_CONFINE_FILE},
	{"/sys/devices/system/cpu", CR_CONFINE_READ},
	{"/sys/kernel/notes", CR_CONFINE_READ | CR_CONFINE_FILE},
	{"/dev/null", CHANGE | CR_CONFINE_FILE},
	{"/dev/tty", CHANGE | CR_CONFINE_DEVICE | CR_CONFINE_FILE},
};

/* Environment variables with directories, separated by colons. */
static const char *const path_variables[] = {"LD_LIBRARY_PATH", "TERMINFO", "TERMINFO_DIRS"};

/*
 * Defined in a build with coverage: the counts are written when the program ends, next to its
 * object files.
 */
extern void __gcov_dump(void) __attribute__((weak));

static bool
is_command(const struct cr_options *o, const char *name)
{
	return strcmp(o->cmd->name, name) == 0;
}

static void
allow_list(struct cr_confine *c, const char *list)
{
	while (list && *list) {
		const size_t len = strcspn(list, ":");
		char *path = cr_memdup(list, len);

		cr_confine_allow(c, path, CR_CONFINE_READ);
		free(path);
		list += len + (list[len] == ':');
	}
}

/* Further libraries are in the directories of those that are loaded. */
static int
allow_library(struct dl_phdr_info *info, size_t size, void *c)
{
	const char *path = info->dlpi_name, *slash = strrchr(path, '/');
	char *dir;

	(void)size;
	if (!slash || strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib", 4) == 0)
		return 0;
	dir = cr_memdup(path, (size_t)(slash - path) + 1);
	cr_confine_allow(c, dir, CR_CONFINE_READ);
	free(dir);
	return 0;
}

static void
allow_place(void *user, const char *path)
{
	cr_confine_allow(user, path, CR_CONFINE_READ);
}

/* Allow the directory that contains a file, or will contain it. */
static void
allow_directory_of(struct cr_confine *c, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? cr_memdup(path, (size_t)(slash - path) + 1) : cr_strdup(".");

	cr_confine_allow(c, dir, CHANGE);
	free(dir);
}

/*
 * Allow a file to be written: its directory, where the temporary file is created. For a link, that
 * of the target; for a device or a pipe, only itself.
 */
static void
allow_output(struct cr_confine *c, const char *path)
{
	struct stat st;
	char *real;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		cr_confine_allow(c, path, CHANGE | CR_CONFINE_DEVICE);
		return;
	}
	allow_directory_of(c, path);
	real = realpath(path, NULL);
	if (real)
		allow_directory_of(c, real);
	free(real);
}

static bool
is_word(const char *line, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(line, word, len) == 0;
}

/* Allow the files that the commands of `view -c` export to. The session reports errors in them. */
static void
allow_exports(struct cr_confine *c, const char *commands)
{
	const char *home = getenv("HOME");

	while (commands && *commands) {
		const char *line = commands + strspn(commands, " \t\n;");
		const size_t len = strcspn(line, ";"), word = strcspn(line, " \t;");
		const char *path = line + word + strspn(line + word, " \t");
		struct cr_text t = {0};

		commands = line + len;
		if (path >= line + len ||
			(!is_word(line, word, "export") && !is_word(line, word, "export-new") &&
				!is_word(line, word, "history")))
			continue;
		if (strncmp(path, "~/", 2) == 0 && home) {
			cr_text_puts(&t, home);
			path++;
		}
		cr_text_put(&t, path, (size_t)(line + len - path));
		allow_output(c, t.p);
		cr_text_fini(&t);
	}
}

static bool
is_browsing(const struct cr_options *o)
{
	return is_command(o, "view") || (is_command(o, "diff") && !o->write.output && !o->report);
}

/*
 * May the browser's commands change the store? Whoever types may want to at any time; a script says
 * beforehand what it does.
 */
static bool
changes_store(const struct cr_options *o)
{
	static const char *const words[] = {
		"bookmark", "combine", "forget", "note", "remove", "rename", "tag"};
	const char *line = o->commands;

	if (!is_browsing(o) || !line)
		return is_browsing(o);
	while (*(line += strspn(line, " \t\n;"))) {
		for (size_t i = 0; i < CR_LEN(words); i++)
			if (is_word(line, strcspn(line, " \t\n;"), words[i]))
				return true;
		line += strcspn(line, ";");
	}
	return false;
}

/* Allow the first writable directory for temporary files, in the order of base/temp.c. */
static void
allow_temporary(struct cr_confine *c)
{
	const char *const dirs[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};

	for (size_t i = 0; i < CR_LEN(dirs); i++)
		if (dirs[i] && *dirs[i] && access(dirs[i], W_OK | X_OK) == 0) {
			cr_confine_allow(c, dirs[i], CHANGE);
			return;
		}
}

/* True if the command only reads profiles. */
static bool
is_reading(const struct cr_options *o)
{
	return (o->cmd->groups & (OPT_LOAD | OPT_COMPLETION)) &&
	       !(o->cmd->groups & (OPT_INGEST | OPT_MERGE));
}

/* True if the command stores profiles. */
static bool
is_putting(const struct cr_options *o)
{
	return (o->cmd->groups & (OPT_INGEST | OPT_IMPORT)) ||
	       ((o->cmd->groups & OPT_MERGE) && o->write.output);
}

/* True for a file that must be parsed, not opened as a stored profile. */
static bool
is_foreign(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &st) == 0 && (!S_ISREG(st.st_mode) || !cr_store_is_file(path)));
}

static bool
any_foreign(const struct cr_options *o)
{
	for (int i = 0; i < o->n_args; i++)
		if (is_foreign(o->args[i]))
			return true;
	return false;
}

static bool
any_input(const struct cr_options *o)
{
	for (int i = 0; i < o->n_args; i++)
		if (strcmp(o->args[i], "-") == 0 || access(o->args[i], R_OK) == 0)
			return true;
	return false;
}

/*
 * A missing directory cannot be allowed, and allowing its parent would allow too much. So it is
 * created now if the command is going to use it.
 */
static void
allow_store(struct cr_confine *c, const struct cr_options *o)
{
	struct cr_err ignored = CR_ERR_INIT;
	char *dir = NULL;

	if (cr_catalog_dir(o->load.store_dir, &dir, &ignored) < 0)
		return;
	if (is_putting(o) && any_input(o))
		cr_catalog_make(dir, &ignored);
	cr_confine_allow(c, dir, is_reading(o) && !changes_store(o) ? CR_CONFINE_READ : CHANGE);
	free(dir);
}

static void
allow_cache(struct cr_confine *c, const struct cr_options *o)
{
	struct cr_err ignored = CR_ERR_INIT;
	char *dir = NULL;

	if (cr_cache_dir(&dir, &ignored) < 0)
		return;
	if (is_command(o, "cache") ? o->n_args > 0 && strcmp(o->args[0], "limit") == 0
				   : o->n_args && !o->load.no_cache)
		cr_cache_make(dir);
	cr_confine_allow(c, dir, CHANGE);
	free(dir);
}

/*
 * The files that a user names may be read. A stored profile given by a path, and changed, is
 * rewritten next to itself.
 */
static void
allow_args(struct cr_confine *c, const struct cr_options *o)
{
	const bool changed =
		!(o->cmd->groups & (OPT_LOAD | OPT_VERIFY | OPT_IMPORT | OPT_FLAMEGRAPH |
					   OPT_DIFF_FOLDED | OPT_COMPLETION));

	for (int i = 0; i < o->n_args; i++) {
		cr_confine_allow(c, o->args[i], CR_CONFINE_READ);
		if (changed && cr_catalog_is_path(o->args[i]))
			allow_output(c, o->args[i]);
	}
}

/* True if the working directory belongs to the system. A browser started there writes elsewhere. */
static bool
is_of_system(void)
{
	static const char *const dirs[] = {"/bin", "/boot", "/dev", "/etc", "/lib", "/lib64",
		"/proc", "/run", "/sbin", "/sys", "/usr"};
	char *here = realpath(".", NULL);
	bool found = !here || strcmp(here, "/") == 0;

	for (size_t i = 0; i < CR_LEN(dirs) && !found; i++) {
		const size_t len = strlen(dirs[i]);

		found = strncmp(here, dirs[i], len) == 0 && (here[len] == '/' || here[len] == '\0');
	}
	free(here);
	return found;
}

static void
allow_config(struct cr_confine *c)
{
	char *path = cr_config_path();

	if (path)
		cr_confine_allow(c, path, CR_CONFINE_READ);
	free(path);
}

static void
allow_all(struct cr_confine *c, const struct cr_options *o)
{
	const char *home = getenv("HOME");
	struct cr_text path = {0};

	for (size_t i = 0; i < CR_LEN(system_paths); i++)
		cr_confine_allow(c, system_paths[i].path, system_paths[i].access);
	for (size_t i = 0; i < CR_LEN(path_variables); i++)
		allow_list(c, getenv(path_variables[i]));
	dl_iterate_phdr(allow_library, c);
	if (home && *home) {
		cr_text_printf(&path, "%s/.terminfo", home);
		cr_confine_allow(c, path.p, CR_CONFINE_READ);
	}
	allow_args(c, o);
	allow_store(c, o);
	if ((o->cmd->groups & OPT_LOAD) || is_command(o, "cache"))
		allow_cache(c, o);
	if (o->cmd->groups & OPT_LOAD) {
		cr_opener_places(&o->load.symbol, allow_place, c);
		cr_confine_allow(c, o->load.symbol.kallsyms, CR_CONFINE_READ);
	}
	allow_temporary(c);
	if (o->write.output && strcmp(o->write.output, "-") != 0 &&
		(!(o->cmd->groups & OPT_MERGE) || cr_catalog_is_path(o->write.output)))
		allow_output(c, o->write.output);
	if (o->flamegraph.consistent)
		allow_output(c, CR_PALETTE_MAP);
	if (o->name && cr_catalog_is_path(o->name))
		allow_output(c, o->name);
	if (is_browsing(o) && !cr_secure()) {
		allow_exports(c, o->commands);
		cr_confine_allow(c, "/", CR_CONFINE_LIST); /* completes file names */
		if (!o->commands && !is_of_system())
			cr_confine_allow(c, ".", CHANGE);
	}
	if (is_browsing(o) && !o->commands && !o->no_config)
		allow_config(c);
	cr_text_fini(&path);
}

/* True if files may be opened that no option names. */
static bool
needs_opener(const struct cr_options *o)
{
	return (o->cmd->groups & OPT_LOAD) &&
	       (is_command(o, "annotate") || is_browsing(o) || o->n_args == 0 || any_foreign(o));
}

/* Is there a browser, and a user who can be asked? */
static bool
needs_editor(const struct cr_options *o)
{
	return is_browsing(o) && !o->commands && !cr_secure() && isatty(STDOUT_FILENO);
}

void
cr_sandbox_start(struct cr_options *o)
{
	const int landlock = cr_confine_landlock();
	const bool files = landlock > 0 && !__gcov_dump;
	const bool remote = o->load.symbol.debuginfod;
	struct cr_opener *opener = NULL;
	bool wanted;

	if (needs_editor(o))
		o->editor = cr_editor_start(&o->load.symbol);
	if (o->no_sandbox)
		return;
	wanted = remote || (files && needs_opener(o));
	if (wanted)
		opener = cr_opener_start(&o->load.symbol, o->args, o->n_args);
	if (files && (opener || !wanted)) {
		struct cr_confine c;

		cr_confine_open(&c, landlock);
		allow_all(&c, o);
		cr_confine_files(&c);
	}
	cr_confine_calls(remote && !opener ? CR_CONFINE_NETWORK : 0);
	o->load.symbol.opener = opener;
}

void
cr_sandbox_end(struct cr_options *o)
{
	cr_editor_stop(o->editor);
	o->editor = NULL;
	cr_opener_stop(o->load.symbol.opener);
	o->load.symbol.opener = NULL;
}
