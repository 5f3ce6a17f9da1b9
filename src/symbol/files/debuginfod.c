#include "debuginfod_p.h"

#include "opener_ask_p.h"
#include "symbol/opts.h"

bool
cr_symbol_has_debuginfod(void)
{
#ifdef HAVE_DEBUGINFOD
	return true;
#else
	return false;
#endif
}

#ifdef HAVE_DEBUGINFOD
#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cr_debuginfod {
	const struct cr_progress *progress;
	struct cr_opener *opener; /* the opener has the client; NULL: this process has it */
	void *library;
	debuginfod_client *client;
	bool over;
	struct cr_text why;
	__typeof__(debuginfod_find_debuginfo) *find;
	__typeof__(debuginfod_end) *end;
};

/* Load a function of the library. Its type is known only from the header. */
static bool
load(void *library, const char *name, void *function)
{
	void *p = dlsym(library, name);

	memcpy(function, &p, sizeof(p));
	return p;
}

/* Called by the library, so it is loaded. */
static int
on_progress(debuginfod_client *client, long done, long whole)
{
	void *library = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_NOLOAD);
	__typeof__(debuginfod_get_user_data) *user;
	struct cr_debuginfod *d =
		library && load(library, "debuginfod_get_user_data", &user) ? user(client) : NULL;

	if (library)
		dlclose(library);
	if (d && !cr_progress_step(d->progress, "downloading", (uint64_t)CR_MAX(done, 0),
			 (uint64_t)CR_MAX(whole, 0)))
		d->over = true;
	return d && d->over;
}

static void
give_up(struct cr_debuginfod *d, const char *why)
{
	d->over = true;
	cr_text_puts(&d->why, why);
}

static void
begin(struct cr_debuginfod *d)
{
	__typeof__(debuginfod_begin) *start;
	__typeof__(debuginfod_set_progressfn) *set_progress;
	__typeof__(debuginfod_set_user_data) *set_user;

	/* The libraries it loads, curl and TLS, must not be unloaded. */
	if (!(d->library = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_NODELETE))) {
		give_up(d, DEBUGINFOD_SONAME " cannot be loaded");
		return;
	}
	if (!load(d->library, "debuginfod_begin", &start) ||
		!load(d->library, "debuginfod_set_progressfn", &set_progress) ||
		!load(d->library, "debuginfod_set_user_data", &set_user) ||
		!load(d->library, "debuginfod_find_debuginfo", &d->find) ||
		!load(d->library, "debuginfod_end", &d->end) || !(d->client = start())) {
		give_up(d, DEBUGINFOD_SONAME " cannot be used");
		return;
	}
	set_user(d->client, d);
	set_progress(d->client, on_progress);
}

struct cr_debuginfod *
cr_debuginfod_new(struct cr_opener *opener, const struct cr_progress *progress)
{
	struct cr_debuginfod *d = cr_alloc(1, sizeof(*d));
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	d->progress = progress;
	d->opener = opener;
	if (!urls || !*urls)
		give_up(d, "$" DEBUGINFOD_URLS_ENV_VAR " names no server");
	else if (!opener)
		begin(d);
	return d;
}

/* Ask the opener; this process may not open sockets. */
static char *
find_there(struct cr_debuginfod *d, const struct cr_build_id *id)
{
	char why[256], *path = cr_opener_debuginfod(d->opener, id, d->progress, why, sizeof(why));

	if (!path && d->why.len == 0)
		cr_text_puts(&d->why, why);
	return path;
}

char *
cr_debuginfod_find(struct cr_debuginfod *d, const struct cr_build_id *id)
{
	char *path = NULL;
	int fd;

	if (!d->over && !cr_progress_step(d->progress, "downloading", 0, 0))
		d->over = true;
	if (d->over || id->len == 0)
		return NULL;
	if (d->opener)
		return find_there(d, id);
	fd = d->find(d->client, id->p, id->len, &path);
	if (fd >= 0) {
		close(fd);
		return path;
	}
	if (d->over) {
		give_up(d, "stopped");
	} else if (d->why.len == 0) {
		cr_text_puts(&d->why, fd == -ENOENT ? "the servers do not have it" : strerror(-fd));
	}
	return NULL;
}

const char *
cr_debuginfod_why(const struct cr_debuginfod *d)
{
	return d->why.p ? d->why.p : d->over ? "stopped" : "";
}

void
cr_debuginfod_free(struct cr_debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->end(d->client);
	if (d->library)
		dlclose(d->library);
	cr_text_fini(&d->why);
	free(d);
}

#else

struct cr_debuginfod *
cr_debuginfod_new(struct cr_opener *opener, const struct cr_progress *progress)
{
	(void)opener;
	(void)progress;
	return NULL;
}

char *
cr_debuginfod_find(struct cr_debuginfod *d, const struct cr_build_id *id)
{
	(void)d;
	(void)id;
	return NULL;
}

const char *
cr_debuginfod_why(const struct cr_debuginfod *d)
{
	(void)d;
	return "this program was built without libdebuginfod";
}

void
cr_debuginfod_free(struct cr_debuginfod *d)
{
	(void)d;
}
#endif
