#include "api_p.h"

#include "base/mem.h"
#include "store/store.h"

#include <stdlib.h>

/* A text of the profile for the caller: NUL-terminated, valid as long as the handle. */
static const char *
text_of(cresset_profile *p, struct cr_str s)
{
	return cr_arena_copy(&p->texts, s.p, s.len);
}

static cresset_profile *
profile_new(cresset *c, struct cr_profile *p, const char *name)
{
	cresset_profile *out = cr_alloc(1, sizeof(*out));

	out->held = 1;
	cr_api_hold(&c->held);
	out->c = c;
	out->p = p;
	out->name = cr_strdup(name);
	out->title = cr_load_title(name);
	return out;
}

void
cresset_profile_free(cresset_profile *p)
{
	if (!p || !cr_api_let_go(&p->held))
		return;
	cr_profile_free(p->p);
	cr_arena_fini(&p->texts);
	free(p->name);
	free(p->title);
	cresset_free(p->c);
	free(p);
}

/* The end of what opens a profile. */
static cresset_profile *
opened(cresset *c, int rc, struct cr_profile *p, const char *name, const struct cr_log *log)
{
	rc = cr_api_end(c, rc);
	cr_api_warn(c, log);
	if (rc == CR_OK)
		return profile_new(c, p, name);
	cr_profile_free(p);
	return NULL;
}

cresset_profile *
cresset_open(cresset *c, const char *what)
{
	struct cr_profile *p = NULL;
	struct cr_log log = {0};
	int rc;

	cr_api_no_warnings(c);
	cr_api_begin(c);
	rc = cr_load(what, CR_STORE_DEFAULT_TREE, &c->load, &p, &log, &c->err);
	return opened(c, rc, p, what, &log);
}

cresset_profile *
cresset_open_memory(cresset *c, const void *bytes, size_t len, const char *name)
{
	struct cr_profile *p = NULL;
	struct cr_log log = {0};
	int rc;

	cr_api_no_warnings(c);
	cr_api_begin(c);
	rc = cr_load_memory(bytes, len, name, CR_STORE_DEFAULT_TREE, &c->load, &p, &log, &c->err);
	return opened(c, rc, p, name, &log);
}

cresset_profile *
cresset_ingest(cresset *c, const char *path, const char *as, int replace)
{
	struct cr_profile *p = NULL;
	cresset_profile *out;
	struct cr_log log = {0};
	char *name = NULL;
	int rc;

	cr_api_no_warnings(c);
	cr_api_begin(c);
	rc = cr_load_ingest(path, as, replace != 0, &c->load, &name, &p, &log, &c->err);
	out = opened(c, rc, p, name ? name : path, &log);
	free(name);
	return out;
}

int
cr_api_fetch(cresset_profile *p, unsigned parts, struct cr_err *err)
{
	struct cr_log log = {0};
	const int rc = cr_store_fetch(p->p, parts, &log, err);

	cr_api_warn(p->c, &log);
	return rc;
}

int
cresset_save(cresset_profile *p, const char *path, int replace)
{
	cresset *c = p->c;
	int rc;

	cr_api_begin(c);
	rc = cr_api_fetch(p, CR_STORE_ALL, &c->err);
	if (rc == CR_OK)
		rc = cr_store_write(path, p->p, replace ? CR_STORE_REPLACE : CR_STORE_NEW, &c->err);
	return cr_api_end(c, rc);
}

/* ---- what it contains */

const char *
cresset_profile_name(const cresset_profile *p)
{
	return p->name;
}

const char *
cresset_event(cresset_profile *p, size_t i, const char **unit, uint64_t *samples, uint64_t *weight)
{
	const struct cr_event *e = i < p->p->n_events ? &p->p->events[i] : NULL;

	if (unit)
		*unit = e ? text_of(p, e->unit) : NULL;
	if (samples)
		*samples = e ? cr_event_samples(e) : 0;
	if (weight)
		*weight = e ? e->weight : 0;
	return e ? text_of(p, e->name) : NULL;
}

const char *
cresset_fact(cresset_profile *p, const char *key)
{
	const struct cr_str value = cr_profile_fact(p->p, key);

	return value.len ? text_of(p, value) : NULL;
}

const char *
cresset_missing(cresset_profile *p, size_t i, uint64_t *count)
{
	const struct cr_quality *q = i < p->p->n_quality ? &p->p->quality[i] : NULL;

	if (count)
		*count = q ? q->count : 0;
	return q ? text_of(p, q->what) : NULL;
}
