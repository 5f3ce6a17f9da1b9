#include "job_p.h"
#include "reply_p.h"

#include "store/catalog.h"
#include "store/store.h"
#include "stored_p.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_verify(const struct cr_options *o);

/* Output for all profiles: lines at once, or JSON at the end. */
struct report {
	const struct cr_options *o;
	struct cr_reply reply; /* with --json */
	int code;
};

static void
json_place(struct cr_json_out *j, const char *what, uint64_t offset)
{
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "what", cr_str_of(what));
	if (offset != CR_NO_OFFSET)
		cr_json_out_u64_of(j, "offset", offset);
	cr_json_out_close(j);
}

/*
 * err is NULL if the profile is undamaged. The log lists the damage, or is empty if the file cannot
 * be opened.
 */
static void
json_one(struct report *r, const char *name, const struct cr_log *log, const struct cr_err *err)
{
	struct cr_json_out *j = &r->reply.json;

	cr_json_out_line(j, "\t");
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "name", cr_str_of(name));
	cr_json_out_key(j, "whole");
	cr_json_out_bool(j, !err);
	if (err) {
		cr_json_out_key(j, "damage");
		cr_json_out_open(j, '[');
		for (size_t i = 0; i < log->n; i++)
			json_place(j, log->entries[i].first, log->entries[i].offset);
		if (!log->n)
			json_place(j, err->text, err->offset);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
}

static void
report_one(struct report *r, const char *name, const struct cr_log *log, const struct cr_err *err)
{
	struct cr_text t = {0};

	if (err) {
		cr_job_warn(r->o, name, log);
		r->code = cr_job_fail(name, err);
		return;
	}
	cr_text_safe(&t, cr_str_of(name));
	printf("%s: whole\n", t.p);
	cr_text_fini(&t);
}

static void
verify(struct report *r, const char *name, const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	const bool bad = cr_store_verify(path, &log, &err) < 0;

	if (err.code == CR_ENOTFOUND && r->o->list.all) /* removed after it was listed */
		return;
	if (r->o->json)
		json_one(r, name, &log, bad ? &err : NULL);
	else
		report_one(r, name, &log, bad ? &err : NULL);
	if (bad)
		r->code = EXIT_INPUT;
}

static void
verify_named(struct report *r, const char *name)
{
	char *path;
	const int code = cr_stored_path(r->o, name, &path);

	if (code == EXIT_DONE)
		verify(r, name, path);
	else
		r->code = code;
	free(path);
}

static void
verify_all(struct report *r)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog c = {0};
	char *dir = NULL;

	if (cr_catalog_dir(r->o->load.store_dir, &dir, &err) < 0 ||
		cr_catalog_list(dir, &c, &err) < 0)
		r->code = cr_job_fail(dir, &err);
	for (size_t i = 0; i < c.n; i++)
		verify(r, c.entries[i].name, c.entries[i].path);
	cr_catalog_fini(&c);
	free(dir);
}

int
cr_cmd_verify(const struct cr_options *o)
{
	struct report r = {.o = o};

	if ((o->n_args == 0) != o->list.all) {
		cr_options_complain("verify",
			o->list.all ? "give either names or --all" : "give a NAME or --all");
		return EXIT_USAGE;
	}
	if (o->json) {
		cr_reply_begin(&r.reply, o, CR_REPLY_ALL);
		cr_json_out_open(&r.reply.json, '[');
	}
	for (int i = 0; i < o->n_args; i++)
		verify_named(&r, o->args[i]);
	if (o->list.all)
		verify_all(&r);
	if (o->json) {
		cr_json_out_line(&r.reply.json, "");
		cr_json_out_close(&r.reply.json);
		cr_reply_end(&r.reply);
	}
	return r.code;
}
