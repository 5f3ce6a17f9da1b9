#include "store/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/work.h"
#include "bytes/source.h"
#include "default_tree_check_p.h"
#include "parts_p.h"
#include "seams_p.h"
#include "store_check_p.h"

static void
opening_close(struct cr_opening *o)
{
	cr_directory_fini(&o->dir);
	cr_source_close(o->src);
	cr_part_columns_close(o);
	cr_vec_fini(&o->lost);
	cr_default_tree_check_free(o->check);
	free(o);
}

static void
origin_close(struct cr_origin *origin)
{
	opening_close((struct cr_opening *)(void *)origin);
}

/* The opening of a profile; NULL if it was not stored. */
static struct cr_opening *
opening_of(struct cr_profile *p)
{
	return p->origin && p->origin->close == origin_close
		       ? (struct cr_opening *)(void *)p->origin
		       : NULL;
}

/* Read a part, or continue without it. */
static bool
part_read(struct cr_opening *o, int (*read)(struct cr_opening *o, struct cr_err *err),
	const char *name)
{
	struct cr_err err = CR_ERR_INIT;

	if (read(o, &err) == CR_OK)
		return true;
	cr_opening_lose(o, name, &err);
	return false;
}

/* Missing memory is not damage: nothing is lost, and the caller may request it again. */
static int
columns_want(struct cr_opening *o, unsigned todo, const uint8_t *want, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;

	if (o->no_tasks || o->no_tree)
		cr_fail(&why, CR_EFORMAT, CR_NO_OFFSET, "what they point into is lost");
	else if (cr_part_columns(o, todo / CR_STORE_TIME, want, &why) == CR_OK)
		return CR_OK;
	if (why.code == CR_EMEM) {
		*err = why;
		return why.code;
	}
	cr_part_columns_drop(o);
	cr_opening_lose(o, "samples", &why);
	return CR_OK;
}

/* ---- comparing the default tree with the samples */

static int parts_read(
	struct cr_opening *o, unsigned parts, const uint8_t *want, struct cr_err *err);

/* Compute the default tree from the samples, unless they are damaged too. */
static int
default_tree_refuse(struct cr_opening *o, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	const int rc = parts_read(o, CR_STORE_SAMPLES, NULL, err);
	const bool has_samples = o->p->flags & CR_PROFILE_HAS_SAMPLES;

	if (rc < 0)
		return rc;
	cr_fail(&why, CR_EFORMAT, CR_NO_OFFSET, "they do not agree with the samples, %s",
		has_samples ? "whose sums are used instead" : "which cannot be used");
	cr_opening_lose(o, "stored sums of stacks", &why);
	if (!has_samples)
		return CR_OK;
	o->p->default_tree = NULL;
	cr_default_tree_make(o->p);
	return CR_OK;
}

/* Compare by folding all samples: for stores of a release without columns, or with capped sums. */
static int
default_tree_compare_whole(struct cr_opening *o, struct cr_err *err)
{
	const int rc = parts_read(o, CR_STORE_SAMPLES, NULL, err);

	return rc < 0 || cr_store_check_default_tree_samples(o->p) ? rc
								   : default_tree_refuse(o, err);
}

/* The number of samples according to the events; compared with the rows before use. */
static uint64_t
rows_of(const struct cr_profile *p)
{
	uint64_t n = 0;

	for (uint32_t e = 0; e < p->n_events; e++)
		n = cr_add_sat(n, p->events[e].samples);
	return n;
}

static bool
needs_proof(const struct cr_opening *o)
{
	return !(o->tried & CR_STORE_PROOF) && o->p->default_tree;
}

/* *check is NULL, and all work is done, if sums cannot decide or the samples are lost. */
static int
check_start(struct cr_opening *o, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	int rc = parts_read(o, CR_STORE_TREE, NULL, err);

	if (rc < 0)
		return rc;
	if (!cr_directory_find(&o->dir, CR_SECTION_COLUMN))
		return default_tree_compare_whole(o, err);
	if (o->no_tasks || o->no_tree)
		return parts_read(o, CR_STORE_EVENT, NULL, err);
	if (cr_default_tree_check_new(o, &o->check, &why) < 0) {
		cr_part_columns_drop(o);
		cr_opening_lose(o, "samples", &why);
		return CR_OK;
	}
	return o->check ? CR_OK : default_tree_compare_whole(o, err);
}

static int
check_end(struct cr_opening *o, struct cr_err *err)
{
	const bool holds = cr_default_tree_check_holds(o->check);

	cr_default_tree_check_free(o->check);
	o->check = NULL;
	if (!holds)
		return default_tree_refuse(o, err);
	if (o->recalls && !cr_proven_is_recent(&o->id))
		cr_proven_add(&o->id);
	return CR_OK;
}

static int
default_tree_prove(struct cr_opening *o, uint32_t blocks, bool *more, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	int rc;

	*more = false;
	if (!needs_proof(o))
		return CR_OK;
	if (!o->check && ((rc = check_start(o, err)) < 0 || !o->check)) {
		o->tried |= CR_STORE_PROOF;
		return rc;
	}
	if (cr_default_tree_check_run(o->check, blocks, more, &why) < 0) {
		cr_default_tree_check_free(o->check);
		o->check = NULL;
		*more = false;
		cr_part_columns_drop(o);
		cr_opening_lose(o, "samples", &why);
	}
	if (*more)
		return CR_OK;
	o->tried |= CR_STORE_PROOF;
	return o->check ? check_end(o, err) : CR_OK;
}

/* Append what was lost to the quality of the recording. */
static void
quality_finish(struct cr_opening *o)
{
	struct cr_profile *p = o->p;
	struct cr_quality *all;

	if (o->lost.n == 0)
		return;
	all = cr_arena_array(&p->arena, (uint64_t)p->n_quality + o->lost.n, sizeof(*all));
	if (p->n_quality)
		memcpy(all, p->quality, p->n_quality * sizeof(*all));
	memcpy(all + p->n_quality, o->lost.p, o->lost.n * sizeof(*all));
	p->quality = all;
	p->n_quality += (uint32_t)o->lost.n;
	o->lost.n = 0;
}

/* Update not_read: the requestable tables that were not read yet. */
static void
needs_update(struct cr_opening *o)
{
	static const struct {
		unsigned part, needs;
	} tables[] = {
		{CR_STORE_TREE, CR_NEEDS_TREE},
		{CR_STORE_MAPS, CR_NEEDS_MAPS},
		{CR_STORE_FIELDS, CR_NEEDS_FIELDS},
		{CR_STORE_CODE, CR_NEEDS_CODE},
		{CR_STORE_SIZES, CR_NEEDS_SIZES},
	};

	o->p->not_read = ~(o->tried / CR_STORE_TIME) & CR_NEEDS_SAMPLES;
	for (size_t i = 0; i < CR_LEN(tables); i++)
		if (!(o->tried & tables[i].part))
			o->p->not_read |= tables[i].needs;
}

/* In older stores, reading one column reads all of them, including the stacks and so the tree. */
static unsigned
parts_together(const struct cr_opening *o, unsigned parts)
{
	return (parts & CR_STORE_COLUMNS) && !cr_directory_find(&o->dir, CR_SECTION_COLUMN)
		       ? parts | CR_STORE_COLUMNS
		       : parts;
}

/*
 * Read the requested parts that were neither read nor lost. A column is in o->tried once all its
 * zones are read. If the work is cancelled, the rest can be requested again.
 */
static int
parts_read(struct cr_opening *o, unsigned parts, const uint8_t *want, struct cr_err *err)
{
	static const struct {
		unsigned part;
		int (*read)(struct cr_opening *o, struct cr_err *err);
		const char *name;
	} tables[] = {
		{CR_STORE_TREE, cr_part_tree, "location tree"},
		{CR_STORE_MAPS, cr_part_maps, "mappings"},
		{CR_STORE_FIELDS, cr_part_values, "fields"},
		{CR_STORE_CODE, cr_part_code, "code"},
		{CR_STORE_SIZES, cr_part_sizes, "sizes of functions"},
	};
	const unsigned want_parts = parts_together(o, parts);
	const unsigned todo =
		(want_parts | (want_parts & CR_STORE_NODE ? CR_STORE_TREE : 0)) & ~o->tried;
	bool more;
	int rc = CR_OK;

	if (want_parts & CR_STORE_TRUSTED)
		o->tried |= CR_STORE_PROOF;
	o->tried |= todo & CR_STORE_TRUSTED;
	for (size_t i = 0; i < CR_LEN(tables) && rc == CR_OK; i++) {
		const unsigned part = tables[i].part;

		if (!(todo & part))
			continue;
		if (!cr_work_step("reading", i, CR_LEN(tables) + 1)) {
			rc = cr_work_check(err);
			continue;
		}
		o->tried |= part;
		if (!part_read(o, tables[i].read, tables[i].name) && part == CR_STORE_TREE)
			o->no_tree = true;
	}
	if (rc == CR_OK && !cr_work_step("reading", CR_LEN(tables), CR_LEN(tables) + 1))
		rc = cr_work_check(err);
	if (rc == CR_OK && (todo & CR_STORE_COLUMNS))
		rc = columns_want(o, todo & CR_STORE_COLUMNS, want, err);
	if (rc == CR_OK && (todo & CR_STORE_PROOF) && rows_of(o->p) <= CR_STORE_PROOF_ROWS)
		rc = default_tree_prove(o, UINT32_MAX, &more, err);
	needs_update(o);
	quality_finish(o);
	return rc;
}

/* Read directory and summary; *out is a profile without tables. */
static int
opening_start(struct cr_opening *o, size_t len, struct cr_profile **out, struct cr_err *err)
{
	int rc;

	if ((rc = cr_directory_read(o->bytes, len, o->unchecked, &o->dir, err)) < 0)
		return rc;
	o->budget = cr_add_sat(CR_STORE_UNPACK_FREE, (uint64_t)len * CR_STORE_UNPACK_RATIO);
	*out = o->p = cr_alloc(1, sizeof(*o->p));
	needs_update(o);
	if (o->src)
		o->p->access = cr_source_access(o->src);
	return cr_part_summary(o, err);
}

/* The profile owns the opening; on failure it is freed. */
static int
opening_run(struct cr_opening *o, size_t len, unsigned parts, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err)
{
	struct cr_profile *p = NULL;
	int rc;

	o->log = log;
	if ((rc = opening_start(o, len, &p, err)) < 0 || (rc = cr_part_names(o, err)) < 0 ||
		(rc = cr_part_default_tree(o, err)) < 0)
		goto out;
	part_read(o, cr_part_quality, "quality");
	if (!part_read(o, cr_part_tasks, "threads")) {
		o->no_tasks = true;
		p->flags &= ~(uint32_t)CR_PROFILE_HAS_TASK;
	}
	part_read(o, cr_part_threads, "process tree");
	part_read(o, cr_part_fields, "fields");
	part_read(o, cr_part_zones, "zones of samples");
	if ((rc = parts_read(o, parts, NULL, err)) < 0)
		goto out;
	o->origin.close = origin_close;
	p->origin = &o->origin;
	*out = p;
	return CR_OK;
out:
	opening_close(o);
	cr_profile_free(p);
	return rc;
}

int
cr_store_read(const unsigned char *bytes, size_t len, unsigned parts, bool unchecked,
	struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	struct cr_opening *o = cr_alloc(1, sizeof(*o));

	*out = NULL;
	o->bytes = bytes;
	o->unchecked = unchecked;
	return opening_run(o, len, parts, out, log, err);
}

/* NULL with *err set on failure. */
static struct cr_opening *
opening_of_fd(int fd, struct cr_err *err)
{
	struct cr_opening *o;
	struct cr_source *src;

	if (cr_source_open_fd(fd, CR_SOURCE_MAX_PIPE, &src, err) < 0)
		return NULL;
	o = cr_alloc(1, sizeof(*o));
	o->src = src;
	o->bytes = cr_source_bytes(src);
	return o;
}

static struct cr_opening *
file_open(const char *path, struct cr_err *err)
{
	struct cr_opening *o;
	int fd;

	if (cr_store_file_open(path, &fd, err) < 0)
		return NULL;
	o = opening_of_fd(fd, err);
	close(fd);
	return o;
}

/* Files that are not on the list yet are put there by check_end(). */
static void
recall(struct cr_opening *o, int fd, unsigned *parts)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !cr_proven_id_of(&st, &o->id))
		return;
	if (cr_proven_has(&o->id))
		*parts |= CR_STORE_TRUSTED;
	else
		o->recalls = true;
}

int
cr_store_open_fd(
	int fd, unsigned parts, struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	struct cr_opening *o = opening_of_fd(fd, err);

	*out = NULL;
	if (!o)
		return err->code;
	if (parts & CR_STORE_RECALL)
		recall(o, fd, &parts);
	return opening_run(o, cr_source_len(o->src), parts, out, log, err);
}

int
cr_store_open(const char *path, unsigned parts, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err)
{
	int fd, rc;

	*out = NULL;
	if (cr_store_file_open(path, &fd, err) < 0)
		return err->code;
	rc = cr_store_open_fd(fd, parts, out, log, err);
	close(fd);
	return rc;
}

int
cr_store_fetch_zones(struct cr_profile *p, unsigned parts, const uint8_t *want, struct cr_log *log,
	struct cr_err *err)
{
	struct cr_opening *o = opening_of(p);

	if (!o)
		return CR_OK;
	o->log = log;
	return parts_read(o, parts, want, err);
}

int
cr_store_prove(
	struct cr_profile *p, uint32_t blocks, bool *more, struct cr_log *log, struct cr_err *err)
{
	struct cr_opening *o = opening_of(p);
	int rc;

	*more = false;
	if (!o)
		return CR_OK;
	o->log = log;
	rc = default_tree_prove(o, blocks, more, err);
	needs_update(o);
	quality_finish(o);
	return rc;
}

int
cr_store_fetch(struct cr_profile *p, unsigned parts, struct cr_log *log, struct cr_err *err)
{
	return cr_store_fetch_zones(p, parts, NULL, log, err);
}

int
cr_store_peek(const char *path, struct cr_profile **out, struct cr_err *err)
{
	struct cr_opening *o = file_open(path, err);
	struct cr_profile *p = NULL;
	int rc;

	*out = NULL;
	if (!o)
		return err->code;
	rc = opening_start(o, cr_source_len(o->src), &p, err);
	opening_close(o);
	if (rc == CR_OK)
		*out = p;
	else
		cr_profile_free(p);
	return rc;
}

static int
blocks_check(struct cr_opening *o, size_t len, struct cr_log *log, struct cr_err *err)
{
	int first = CR_OK, rc;

	if ((rc = cr_directory_read(o->bytes, len, false, &o->dir, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < o->dir.n_sections; i++) {
		const struct cr_section *s = &o->dir.sections[i];

		for (uint32_t k = 0; k < s->n_blocks; k++) {
			struct cr_err e = CR_ERR_INIT;

			if (cr_opening_check(o, s, k, &e) == CR_OK)
				continue;
			cr_log_warn(log, "damaged block", e.offset, "%s", e.text);
			if (first == CR_OK) {
				*err = e;
				first = e.code;
			}
		}
	}
	return first;
}

int
cr_store_verify(const char *path, struct cr_log *log, struct cr_err *err)
{
	struct cr_opening *o = file_open(path, err);
	struct cr_profile *p = NULL;
	size_t known;
	bool more;
	int rc;

	if (!o)
		return err->code;
	if ((rc = blocks_check(o, cr_source_len(o->src), log, err)) < 0)
		goto out;
	known = log->n;
	rc = cr_store_read(o->bytes, cr_source_len(o->src), CR_STORE_ALL, false, &p, log, err);
	if (rc == CR_OK && !cr_store_check_default_tree_samples(p))
		rc = cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"the default tree does not match the samples");
	/* Reading compares only small default trees. Compare a large one now, and log it. */
	if (rc == CR_OK)
		rc = cr_store_prove(p, UINT32_MAX, &more, log, err);
	/* Complete, but not as this version would have written it. */
	if (rc == CR_OK && log->n > known)
		rc = cr_fail(err, CR_EFORMAT, log->entries[known].offset, "%s",
			log->entries[known].first);
out:
	cr_profile_free(p);
	opening_close(o);
	return rc;
}
