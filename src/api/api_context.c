#include "api_p.h"

#include "base/mem.h"
#include "base/work.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)CRESSET_ELOCKED == (int)CR_ELOCKED, "codes");
_Static_assert((int)CRESSET_EUNKNOWN == (int)CR_EUNKNOWN, "codes");
_Static_assert((int)CRESSET_EUSAGE == (int)CR_EUSAGE, "codes");
_Static_assert((int)CRESSET_GONE == (int)CR_VERDICT_GONE, "verdicts");
_Static_assert((int)CRESSET_CHANGED == (int)CR_VERDICT_CHANGED, "verdicts");

const char *
cresset_version(void)
{
	return PACKAGE_VERSION;
}

/* ---- who holds what */

void
cr_api_hold(atomic_uint *held)
{
	atomic_fetch_add(held, 1);
}

bool
cr_api_let_go(atomic_uint *held)
{
	return atomic_fetch_sub(held, 1) == 1;
}

/* Some steps are reported by threads that the call has started; the caller is not told of those. */
static bool
on_step(void *user, const char *what, uint64_t done, uint64_t whole)
{
	cresset *c = user;

	if (!c->stopped && pthread_equal(pthread_self(), c->caller) &&
		c->on_progress(c->progress_user, what, done, whole) != 0)
		c->stopped = true;
	return !c->stopped;
}

cresset *
cresset_new(void)
{
	cresset *c = cr_alloc(1, sizeof(*c));

	c->held = 1;
	c->progress = (struct cr_progress){on_step, c};
	c->load.no_cache = true;
	return c;
}

void
cresset_free(cresset *c)
{
	if (!c || !cr_api_let_go(&c->held))
		return;
	cr_api_no_warnings(c);
	free(c->warnings.p);
	for (size_t i = 0; i < c->texts.n; i++)
		free(c->texts.p[i]);
	free(c->texts.p);
	free(c);
}

/* ---- each call */

void
cr_api_begin(cresset *c)
{
	c->err = (struct cr_err)CR_ERR_INIT;
	c->caller = pthread_self();
	c->stopped = false;
	c->load.progress = c->load.symbol.progress = c->on_progress ? &c->progress : NULL;
	cr_work_begin(c->load.progress);
}

int
cr_api_end(cresset *c, int rc)
{
	cr_work_end();
	if (c->stopped)
		return cr_fail(&c->err, CR_ECANCEL, CR_NO_OFFSET, "stopped");
	return rc;
}

int
cresset_error_code(const cresset *c)
{
	return c->err.code;
}

const char *
cresset_error(const cresset *c)
{
	return c->err.code ? c->err.text : "";
}

/* ---- warnings */

void
cr_api_no_warnings(cresset *c)
{
	for (size_t i = 0; i < c->warnings.n; i++)
		free(c->warnings.p[i]);
	c->warnings.n = 0;
}

const char *
cresset_warning(const cresset *c, size_t i)
{
	return i < c->warnings.n ? c->warnings.p[i] : NULL;
}

void
cr_api_warn(cresset *c, const struct cr_log *log)
{
	for (size_t i = 0; i < log->n; i++) {
		struct cr_text t = {0};

		cr_log_put(&log->entries[i], &t);
		cr_vec_push(&c->warnings, cr_memdup(t.p, t.len));
		cr_text_fini(&t);
		if (c->on_log)
			c->on_log(c->log_user, c->warnings.p[c->warnings.n - 1]);
	}
}

void
cresset_on_progress(cresset *c, cresset_progress_fn *fn, void *user)
{
	c->on_progress = fn;
	c->progress_user = user;
}

void
cresset_on_log(cresset *c, cresset_log_fn *fn, void *user)
{
	c->on_log = fn;
	c->log_user = user;
}

/* ---- options */

#define FLAG(name_, member) CR_API_FLAG(name_, struct cr_load_opts, member)
#define TEXT(name_, member) CR_API_TEXT(name_, struct cr_load_opts, member)

static const struct cr_option_spec load_specs[] = {
	TEXT("input-format", format),
	TEXT("unit", unit),
	FLAG("root-first", root_first),
	{.name = "threads",
		.type = CR_OPTION_U32,
		.min = 1,
		.max = UINT32_MAX,
		.at = offsetof(struct cr_load_opts, threads)},
	TEXT("symfs", symbol.symfs),
	TEXT("debug-dir", symbol.debug_dir),
	TEXT("kallsyms", symbol.kallsyms),
	TEXT("vmlinux", symbol.vmlinux),
	TEXT("source-dir", symbol.source_dir),
	TEXT("map-dir", symbol.map_dir),
	FLAG("no-inline", symbol.no_inline),
	FLAG("no-demangle", symbol.no_demangle),
	FLAG("guess-callers", symbol.guess_callers),
	FLAG("branch-history", branch_history),
	FLAG("debuginfod", symbol.debuginfod),
	FLAG("force-owner", force_owner),
	FLAG("latency", latency),
	FLAG("data-types", data_types),
	TEXT("cost", cost),
	TEXT("store", store_dir),
	{0},
};

static const struct cr_option_spec *
find_spec(const struct cr_option_spec *specs, const char *name)
{
	while (specs->name && strcmp(specs->name, name) != 0)
		specs++;
	return specs->name ? specs : NULL;
}

static int
no_option(const struct cr_option_spec *specs, const char *name, struct cr_err *err)
{
	const char *names[32], *meant;
	size_t n = 0;

	while (specs[n].name && n < CR_LEN(names)) {
		names[n] = specs[n].name;
		n++;
	}
	meant = cr_closest(name, names, n);
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "there is no option '%s'%s%s%s", name,
		meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

int
cresset_set(cresset *c, const char *option, const char *value)
{
	const struct cr_option_spec *spec = find_spec(load_specs, option);
	char *kept;

	c->err = (struct cr_err)CR_ERR_INIT;
	if (!spec)
		return no_option(load_specs, option, &c->err);
	if (!value && spec->type != CR_OPTION_FLAG)
		return cr_fail(&c->err, CR_EUSAGE, CR_NO_OFFSET, "%s needs a value", option);
	kept = value ? cr_strdup(value) : NULL;
	if (kept)
		cr_vec_push(&c->texts, kept);
	return cr_option_set(spec, kept, &c->load, &c->err);
}

void
cr_api_split(const char *option, char **name, const char **value)
{
	const size_t n = strcspn(option, "=");

	*name = cr_memdup(option, n);
	*value = option[n] ? option + n + 1 : NULL;
}

int
cr_api_options(const char *const *given, const struct cr_option_spec *specs, void *to,
	const char **rest, size_t most, struct cr_err *err)
{
	size_t n = 0;
	int rc = CR_OK;

	for (; given && *given && rc == CR_OK; given++) {
		const struct cr_option_spec *spec;
		const char *value;
		char *name;

		cr_api_split(*given, &name, &value);
		spec = find_spec(specs, name);
		if (spec && !value && spec->type != CR_OPTION_FLAG)
			rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s needs a value", name);
		else if (spec)
			rc = cr_option_set(spec, value, to, err);
		else if (rest && n < most)
			rest[n++] = *given;
		else
			rc = no_option(specs, name, err);
		free(name);
	}
	if (rest)
		rest[n] = NULL;
	return rc;
}

int
cr_api_writer_options(
	const struct cr_writer *w, const char *const *given, void *options, struct cr_err *err)
{
	int rc = CR_OK;

	for (; given && *given && rc == CR_OK; given++) {
		const char *value;
		char *name;

		cr_api_split(*given, &name, &value);
		rc = cr_writer_set(w, options, name, value, err);
		free(name);
	}
	return rc;
}

int
cr_api_query(const char *words, struct cr_query *out, struct cr_err *err)
{
	*out = (struct cr_query){0};
	return words ? cr_query_parse(out, words, err) : CR_OK;
}

/* ---- bytes */

int
cr_api_give(int rc, struct cr_text *t, char **bytes, size_t *len)
{
	*bytes = NULL;
	*len = 0;
	if (rc == CR_OK) {
		cr_text_puts(t, ""); /* it may have no memory yet */
		*bytes = t->p;
		*len = t->len;
		*t = (struct cr_text){0};
	}
	cr_text_fini(t);
	return rc;
}

void
cresset_free_bytes(void *bytes)
{
	free(bytes);
}
