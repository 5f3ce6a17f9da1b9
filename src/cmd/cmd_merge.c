#include "job_p.h"
#include "stored_p.h"

#include "base/text.h"
#include "model/merge/fleet.h"
#include "model/tree/default_tree.h"
#include "store/catalog.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_merge(const struct cr_options *o);

#define SECOND_NS UINT64_C(1000000000)

/* Read "30s", "10m", "1h" or "1d", in nanoseconds; at most 365 days. */
static bool
read_bucket(const char *text, uint64_t *out)
{
	static const char units[] = "smhd";
	static const uint32_t seconds[] = {1, 60, 3600, 86400};
	char *end;
	const unsigned long n = strtoul(text, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	uint64_t each;

	if (text[0] < '0' || text[0] > '9' || !unit || end[1])
		return false;
	each = seconds[unit - units];
	*out = n * each * SECOND_NS;
	return n >= 1 && n <= 365 * 86400 / each;
}

/* Add a key, which is a copy in the arena. False if there are too many, or it is empty. */
static bool
put_key(struct cr_fleet_by *by, struct cr_str key, struct cr_arena *arena)
{
	char *copy;

	if (cr_str_eq(key, CR_STR("none")))
		return true;
	if (cr_str_eq(key, CR_STR("comm")))
		return by->comm = true;
	if (!key.len || by->n_keys == CR_FLEET_KEYS_MOST)
		return false;
	copy = cr_arena_alloc(arena, key.len + 1u);
	memcpy(copy, key.p, key.len);
	by->keys[by->n_keys++] = (struct cr_str){copy, key.len};
	return true;
}

/* What to keep apart. False, and reported, if the options make no sense. */
static bool
read_by(const struct cr_options *o, struct cr_fleet_by *by, struct cr_arena *arena)
{
	const char *at = o->fleet.by ? o->fleet.by : "comm";

	*by = (struct cr_fleet_by){.comm = false};
	if (!o->fleet.fold && (o->fleet.by || o->fleet.bucket)) {
		cr_options_complain("merge", "--by and --bucket need --fold");
		return false;
	}
	if (o->fleet.bucket && !read_bucket(o->fleet.bucket, &by->bucket_ns)) {
		cr_options_complain("merge", "--bucket must be a time such as 30s, 10m, 1h or 1d");
		return false;
	}
	for (const char *end = at; *end; at = end + 1) {
		end = strchrnul(at, ',');
		if (!put_key(by, (struct cr_str){at, (uint32_t)(end - at)}, arena)) {
			cr_options_complain(
				"merge", "--by must be 1 to 8 keys, separated by commas");
			return false;
		}
	}
	return true;
}

/* Load an input: all of it, or what is needed to fold it. The caller owns *out. */
static int
load(const struct cr_options *o, const char *what, struct cr_profile **out)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	unsigned parts;
	int code = cr_job_load(o, what, o->fleet.fold ? CR_STORE_DEFAULT_TREE : CR_STORE_ALL, out);

	if (code != EXIT_DONE || !o->fleet.fold || !cr_fleet_needs(*out))
		return code;
	parts = cr_load_parts(cr_fleet_needs(*out)) & ~(unsigned)CR_STORE_PROOF;
	if (cr_store_fetch(*out, parts, &log, &err) < 0)
		code = cr_job_fail(what, &err);
	cr_job_warn(o, what, &log);
	return code;
}

/* Add the inputs one after the other; each is freed when it was added. */
static int
gather(const struct cr_options *o, struct cr_merge *m)
{
	for (int i = 0; i < o->n_args; i++) {
		char *title = cr_job_title(o->args[i]);
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;
		int code = load(o, o->args[i], &p);

		if (code == EXIT_DONE && cr_merge_add(m, p, cr_str_of(title), &err) < 0)
			code = cr_job_fail(o->args[i], &err);
		free(title);
		cr_profile_free(p);
		if (code != EXIT_DONE)
			return code;
	}
	return EXIT_DONE;
}

/* Check the name before anything is read, which may take long. */
static int
check_name(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	char *dir;
	int rc = cr_catalog_dir(o->load.store_dir, &dir, &err);

	if (rc == CR_OK)
		rc = cr_catalog_may_put(dir, o->write.output, o->replace, &err);
	free(dir);
	return rc < 0 ? cr_job_fail_keep(o, o->write.output, &err) : EXIT_DONE;
}

static int
keep(const struct cr_options *o, struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	char *dir;
	int rc = cr_catalog_dir(o->load.store_dir, &dir, &err);

	if (rc == CR_OK) {
		cr_default_tree_make(p);
		rc = cr_catalog_put(dir, o->write.output,
			(o->replace ? CR_STORE_REPLACE : CR_STORE_NEW) |
				(o->load.no_cache ? 0 : CR_STORE_REMEMBER),
			p, &err);
	}
	free(dir);
	return rc < 0 ? cr_job_fail_keep(o, o->write.output, &err) : EXIT_DONE;
}

static uint64_t
count_recordings(const struct cr_profile *p)
{
	struct cr_merge_inputs inputs;
	struct cr_fleet fleet;
	uint64_t n;

	cr_merge_inputs(p, &inputs);
	n = cr_fleet_of(p, &fleet) ? fleet.recordings : inputs.n;
	cr_fleet_fini(&fleet);
	cr_merge_inputs_fini(&inputs);
	return n;
}

static void
report_kept(const struct cr_options *o, const struct cr_profile *p)
{
	struct cr_text lead = {0};

	cr_text_counted(&lead, count_recordings(p), "profile is", "profiles are");
	cr_stored_report(lead.p, o->write.output, p);
	cr_text_fini(&lead);
}

static void
print_json(const struct cr_options *o, const struct cr_profile *p)
{
	struct cr_reply r;

	cr_reply_begin(&r, o, CR_REPLY_ALL);
	cr_json_out_open(&r.json, '{');
	cr_stored_reply(&r.json, o->write.output, p);
	cr_json_out_u64_of(&r.json, "recordings", count_recordings(p));
	cr_json_out_close(&r.json);
	cr_stored_reply_end(&r);
}

/* Merge the inputs, store the result and report it. */
static int
merge(const struct cr_options *o, struct cr_merge *m)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;
	int code = gather(o, m);

	if (code == EXIT_DONE && cr_merge_finish(m, &p, &err) < 0)
		code = cr_job_fail(NULL, &err);
	cr_merge_free(m);
	if (code == EXIT_DONE)
		code = keep(o, p);
	if (code == EXIT_DONE) {
		if (o->json)
			print_json(o, p);
		else
			report_kept(o, p);
		code = cr_job_end(o, p, code);
	}
	cr_profile_free(p);
	return code;
}

static int
merge_asked(const struct cr_options *o)
{
	struct cr_arena arena = {0};
	struct cr_fleet_by by;
	int code = EXIT_USAGE;

	if (!o->write.output)
		cr_options_complain("merge", "-o NAME is required: the name of the merged profile");
	else if (read_by(o, &by, &arena) && (code = check_name(o)) == EXIT_DONE)
		code = merge(o, o->fleet.fold ? cr_merge_new_fleet(&by) : cr_merge_new());
	cr_arena_fini(&arena);
	return code;
}

int
cr_cmd_merge(const struct cr_options *o)
{
	struct cr_options mine = *o;

	mine.load.no_copy = true; /* what is kept is the merged profile */
	return merge_asked(&mine);
}
