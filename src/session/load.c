#include "session/load.h"

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "bytes/scan.h"
#include "bytes/source.h"
#include "model/build/builder.h"
#include "model/cost.h"
#include "model/parallelism.h"
#include "model/tree/default_tree.h"
#include "model/tree/outermost.h"
#include "model/tree/tree_ahead.h"
#include "query/fold/select.h"
#include "read/reader.h"
#include "recording_p.h"
#include "store/cache.h"
#include "store/catalog.h"
#include "store/store.h"
#include "symbol/code/code.h"
#include "symbol/data/data_symbols.h"
#include "symbol/data/data_types.h"
#include "symbol/files/sourcefile.h"
#include "symbol/symbolize.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * The date of the input: for a recording when it was recorded; for a text only the latest possible
 * date.
 */
static void
date_fact(struct cr_builder *b, const struct cr_reader *reader, int64_t mtime)
{
	const time_t when = (time_t)mtime;
	char text[40];
	struct tm tm;

	if (mtime && gmtime_r(&when, &tm) &&
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		cr_builder_fact(b, reader->recording ? "date" : "file written", cr_str_of(text));
}

static uint64_t
hash_word(uint64_t h, const char *s)
{
	return cr_digest_mix(h, s ? cr_digest(s, strlen(s)) : 0);
}

/* Hash a path as seen from the current directory, since it names another file elsewhere. */
static uint64_t
hash_path(uint64_t h, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;

	h = hash_word(h, real ? real : path);
	free(real);
	return h;
}

/*
 * Another build may read the input differently and must not use the same copies. It is identified
 * by its program file, or by its version if that is not readable.
 */
static uint64_t
hash_program(uint64_t h)
{
	struct stat st;

	h = hash_word(h, PACKAGE_VERSION);
	if (stat("/proc/self/exe", &st) < 0)
		return h;
	h = cr_digest_mix(cr_digest_mix(h, (uint64_t)st.st_ino), (uint64_t)st.st_size);
	return cr_digest_mix(
		cr_digest_mix(h, (uint64_t)st.st_mtim.tv_sec), (uint64_t)st.st_mtim.tv_nsec);
}

/*
 * The key of this input's copy in the cache. Everything that affects the result is hashed. The file
 * is also named in full, so that two files never have the same key, whatever their hashes are.
 */
static void
copy_key(const char *path, const struct cr_recording *rec, const struct cr_load_opts *o,
	struct cr_text *out)
{
	/* The name is a fact of the profile. */
	const struct cr_str name = cr_str_basename(cr_str_of(path));
	uint64_t h = cr_digest_mix(hash_program(rec->identity), cr_digest(name.p, name.len));

	h = hash_word(h, o->format);
	h = hash_word(h, o->unit);
	h = hash_path(h, o->symbol.symfs);
	h = hash_path(h, o->symbol.debug_dir);
	h = hash_path(h, o->symbol.kallsyms);
	h = hash_path(h, o->symbol.vmlinux);
	h = hash_path(h, o->symbol.map_dir);
	h = hash_path(h, o->symbol.source_dir);
	h = cr_digest_mix(
		h, (uint64_t)o->symbol.no_demangle | (uint64_t)o->symbol.no_inline << 1 |
			   (uint64_t)o->symbol.no_stitch << 2 |
			   (uint64_t)o->symbol.debuginfod << 3 | (uint64_t)o->root_first << 4 |
			   (uint64_t)o->with_source << 5 | (uint64_t)o->symbol.guess_callers << 6 |
			   (uint64_t)o->branch_history << 7 | (uint64_t)o->data_types << 8);
	cr_text_printf(out, "%016llx-", (unsigned long long)h);
	cr_source_stamp(rec->main, out);
}

#define SHOWN_LINES 3

/* Report the first lines, that are not blank, of a text of unknown format. */
static void
show_lines(const struct cr_input *in, struct cr_log *log)
{
	unsigned shown = 0;
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, in->p, CR_MIN(in->len, (size_t)CR_PROBE_BYTES));
	while (shown < SHOWN_LINES && cr_scan_line(&scan, &line)) {
		if (cr_scan_trim(line).len == 0)
			continue;
		cr_log_line(log, "begins with", scan.line, line);
		shown++;
	}
}

/* line: the line that identified the format; 0 if none did. */
static int
choose_reader(const struct cr_input *in, const char *format, const struct cr_reader **out,
	uint64_t *line, struct cr_log *log, struct cr_err *err)
{
	int rc;

	*line = 0;
	if (format) {
		*out = cr_reader_find(format);
		return *out ? CR_OK
			    : cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "unknown format %s", format);
	}
	rc = cr_reader_detect(in, out, line, err);
	if (rc == CR_EUNKNOWN)
		show_lines(in, log);
	return rc;
}

static struct cr_symbol_opts
symbol_opts(const struct cr_recording *rec, const struct cr_load_opts *o)
{
	struct cr_symbol_opts so = o->symbol;

	so.recorded_kallsyms = rec->has_kallsyms ? &rec->kallsyms_fd : NULL;
	so.has_owner = cr_source_owner(rec->main, &so.owner);
	return so;
}

/* If the first bytes show that no reader accepts the input, do not unpack all of it. */
static int
refuse_foreign_format(
	const struct cr_recording *rec, const char *format, struct cr_log *log, struct cr_err *err)
{
	/* One more, to know whether the input continues after the head. */
	const size_t room = CR_PROBE_BYTES + 1;
	unsigned char *head = cr_alloc(room, 1);
	const struct cr_input in = {.p = head, .len = cr_source_peek(rec->main, head, room)};
	const struct cr_reader *reader;
	uint64_t line;
	/* Unreadable: unpacking reports why. */
	int rc = in.len ? choose_reader(&in, format, &reader, &line, log, err) : CR_OK;

	free(head);
	return rc;
}

/* Facts known before the input is read. line: the line that identified the format. */
static void
source_facts(struct cr_builder *b, const char *path, const struct cr_recording *rec,
	const struct cr_reader *reader, uint64_t line)
{
	struct cr_text t = {0};

	cr_builder_fact(b, "source", cr_str_basename(cr_str_of(path)));
	cr_builder_fact(b, "source format", cr_str_of(reader->name));
	if (line) {
		cr_text_printf(&t, "line %" PRIu64, line);
		cr_builder_fact(b, "detected by", cr_text_view(&t));
	}
	date_fact(b, reader, cr_source_mtime(rec->main));
	cr_text_fini(&t);
}

/* Fail, and free the profile, if --branch-history is given and its stacks have no branches. */
static int
check_history(const struct cr_load_opts *o, struct cr_profile **out, struct cr_err *err)
{
	bool is_text;

	if (!o->branch_history || cr_profile_fact(*out, CR_FACT_BRANCH_HISTORY).len)
		return CR_OK;
	is_text = !cr_str_eq(cr_profile_fact(*out, "source format"), CR_STR("perf.data"));
	cr_profile_free(*out);
	*out = NULL;
	if (is_text)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"--branch-history puts the branches of perf.data into its stacks, not "
			"those "
			"of texts; report -b shows the branches that a text has");
	return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
		"there are no branches in its stacks: record with perf record -b, then use "
		"--branch-history when you ingest the recording");
}

/* A recording without samples is accepted if the caller wants to examine it. */
static int
finish(struct cr_builder *b, const struct cr_reader *reader, const struct cr_load_opts *o,
	struct cr_log *log, struct cr_profile **out, struct cr_err *err)
{
	int rc;

	if (reader->recording && o->may_be_empty)
		cr_builder_may_be_empty(b);
	if (cr_builder_samples(b) == 0 && !reader->recording)
		return cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "contains no samples, read as %s",
			reader->name);
	rc = cr_builder_finish(b, log, out, err);
	return rc < 0 ? rc : check_history(o, out, err);
}

/* If hardly any of a text was used, it may have another format. */
static void
warn_of_share(const struct cr_reader *reader, struct cr_log *log)
{
	struct cr_text share = {0};

	if (log->lines_told * 2 <= log->lines)
		return;
	cr_text_share(&share, CR_MIN(log->lines_told, log->lines), log->lines);
	cr_log_warn(log, "most lines were not used", CR_NO_OFFSET,
		"read as %s, %s of its lines skipped", reader->name, share.p);
	cr_text_fini(&share);
}

/* The user gave a unit, but the input names its own. */
static void
warn_of_unit(const struct cr_profile *p, const char *unit, struct cr_log *log)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_str_eq(p->events[i].unit, cr_str_of(unit)))
			return;
	if (p->n_events)
		cr_log_warn(log, "--unit is ignored", CR_NO_OFFSET,
			"the input itself has the unit %.*s", (int)p->events[0].unit.len,
			p->events[0].unit.p);
}

/*
 * A recording names files that are opened when it is read. If another user could have written it,
 * it is refused, like by perf.
 */
static int
check_owner(const struct cr_recording *rec, const struct cr_reader *reader,
	const struct cr_load_opts *o, struct cr_err *err)
{
	uint32_t owner;

	if (!reader->recording || o->force_owner || !cr_source_owner(rec->main, &owner) ||
		owner == 0 || owner == geteuid())
		return CR_OK;
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"belongs to neither you nor root; --force-owner reads it anyway");
}

/*
 * Return freed memory to the system between the steps of loading a large profile: each step frees
 * about as much as the profile has. A small one uses it again, which is faster.
 */
#define LARGE_NODES ((uint32_t)3 << 19)

/* From so many nodes on, the default tree is not begun before there are names, to save memory. */
#define MANY_NODES ((uint32_t)2 << 20)

static void
let_go(const struct cr_profile *p)
{
	if (p->n_nodes >= LARGE_NODES)
		cr_mem_trim();
}

static void
name_data(struct cr_profile *p, const struct cr_symbol_opts *so, const struct cr_load_opts *o)
{
	struct cr_data_places places = {.list.n = 0};

	cr_data_symbols(p, so, &places);
	if (o->data_types)
		cr_data_types(p, so, &places);
	cr_data_places_fini(&places);
}

/*
 * Unpack, read, symbolize, begin to make the default tree: an ingest without storing. The caller
 * calls tree_wait().
 */
static int
load_recording(const char *path, struct cr_recording *rec, const struct cr_load_opts *o,
	struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	const struct cr_symbol_opts so = symbol_opts(rec, o);
	const struct cr_read_opts ro = {.progress = o->progress,
		.log = log,
		.symbol = &so,
		.unit = o->unit,
		.threads = o->threads,
		.branch_history = o->branch_history,
		.root_first = o->root_first};
	const struct cr_reader *reader;
	struct cr_builder *b = NULL;
	struct cr_input in;
	bool wants_tree;
	uint64_t line;
	int rc;

	if ((rc = refuse_foreign_format(rec, o->format, log, err)) < 0 ||
		(rc = cr_recording_unpack(rec, o->progress, err)) < 0)
		return rc;
	in = cr_recording_input(rec);
	if ((rc = choose_reader(&in, o->format, &reader, &line, log, err)) < 0 ||
		(rc = check_owner(rec, reader, o, err)) < 0)
		return rc;
	b = cr_builder_new(NULL);
	source_facts(b, path, rec, reader, line);
	rc = reader->read(&in, b, &ro, err);
	if (cr_recording_damage(rec, log))
		cr_builder_flags(b, CR_PROFILE_IN_PART);
	if (rc < 0)
		goto out;
	if ((rc = finish(b, reader, o, log, out, err)) < 0)
		goto out;
	/* About the reading, not about the data, so it is not added to the quality. */
	warn_of_share(reader, log);
	if (o->unit)
		warn_of_unit(*out, o->unit, log);
	let_go(*out);
	wants_tree = (*out)->samples.n && !o->no_default_tree;
	if (wants_tree && (*out)->n_nodes < MANY_NODES)
		cr_tree_ahead_begin(*out);
	if ((rc = cr_symbolize(*out, &so, out, err)) < 0)
		goto out;
	let_go(*out);
	name_data(*out, &so, o);
	/* What is gathered next is not read for the tree. */
	if (wants_tree)
		cr_tree_ahead_start(*out);
	if (!o->no_default_tree)
		cr_code_gather(*out, &so);
	if (o->with_source)
		cr_sourcefile_gather(*out, &so, reader->recording);
	let_go(*out);
out:
	if (rc < 0)
		*out = NULL;
	else
		(*out)->access = rec->access;
	cr_builder_free(b);
	return rc;
}

static void
tree_wait(struct cr_profile *p)
{
	if (p)
		cr_tree_ahead_wait(p);
}

/* cr_load_input() without the wait for the default tree. */
static int
load_to_store(const char *path, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err)
{
	struct cr_recording rec;
	int rc = cr_recording_open(path, o->progress, &rec, err);

	*out = NULL;
	if (rc == CR_OK)
		rc = load_recording(path, &rec, o, out, log, err);
	cr_recording_close(&rec);
	return rc;
}

int
cr_load_input(const char *path, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err)
{
	const int rc = load_to_store(path, o, out, log, err);

	tree_wait(*out);
	return rc;
}

/* ---- the cache */

/* A profile with too many events or comms has no default tree and is shown from its samples. */
static int
finish_opening(int rc, struct cr_profile *p, struct cr_log *log, struct cr_err *err)
{
	return rc < 0 || p->default_tree ? rc : cr_store_fetch(p, CR_STORE_SAMPLES, log, err);
}

/*
 * Options that act when an input is read. Those that also say where code and source are looked up
 * later have that mark.
 */
#define READS(name, member)                                               \
	{                                                                 \
		name, offsetof(struct cr_load_opts, member), false, false \
	}
#define READS_TEXT(name, member)                                         \
	{                                                                \
		name, offsetof(struct cr_load_opts, member), true, false \
	}
#define FINDS(name, member)                                              \
	{                                                                \
		name, offsetof(struct cr_load_opts, member), false, true \
	}
#define FINDS_TEXT(name, member)                                        \
	{                                                               \
		name, offsetof(struct cr_load_opts, member), true, true \
	}
static const struct {
	const char *name;
	size_t at;
	bool is_text, finds;
} reading[] = {
	READS_TEXT("--input-format", format),
	READS_TEXT("--unit", unit),
	READS("--root-first", root_first),
	READS("--fresh", fresh),
	FINDS_TEXT("--symfs", symbol.symfs),
	FINDS_TEXT("--debug-dir", symbol.debug_dir),
	READS_TEXT("--kallsyms", symbol.kallsyms),
	FINDS_TEXT("--vmlinux", symbol.vmlinux),
	READS_TEXT("--map-dir", symbol.map_dir),
	FINDS("--debuginfod", symbol.debuginfod),
	READS("--no-demangle", symbol.no_demangle),
	READS("--with-source", with_source),
	READS("--data-types", data_types),
	READS("--guess-callers", symbol.guess_callers),
	READS("--no-stitch", symbol.no_stitch),
};

/* Say which options change nothing, because a stored profile was read before. */
static void
warn_of_stored(const struct cr_load_opts *o, struct cr_log *log)
{
	struct cr_text names = {0};
	size_t n = 0;

	for (size_t i = 0; i < CR_LEN(reading); i++) {
		const char *at = (const char *)o + reading[i].at;
		bool given;

		if (reading[i].is_text)
			given = *(const char *const *)(const void *)at != NULL;
		else
			given = *(const bool *)(const void *)at;
		if (given && !(reading[i].finds && o->finds_code))
			cr_text_printf(&names, "%s%s", n++ ? ", " : "", reading[i].name);
	}
	if (n)
		cr_log_warn(log,
			"these options act when a recording is read, not on a stored profile",
			CR_NO_OFFSET, "%s", names.p);
	cr_text_fini(&names);
}

static int
open_stored(const char *path, unsigned parts, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err)
{
	const unsigned all = o->no_cache ? parts : parts | CR_STORE_RECALL;
	const int rc = cr_store_open(path, all, out, log, err);

	if (rc == CR_OK)
		warn_of_stored(o, log);
	return finish_opening(rc, *out, log, err);
}

/*
 * Open the copy in the cache; or read the input and, unless no_copy is set, write a copy. Failing
 * to write it is no error.
 */
static int
load_cached(const char *path, struct cr_recording *rec, const char *dir, unsigned parts,
	const struct cr_load_opts *o, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	struct cr_text key = {0};
	int rc;

	copy_key(path, rec, o, &key);
	if (!o->fresh && cr_cache_open(dir, key.p, parts, out, &why) == CR_OK) {
		(*out)->access = rec->access; /* the access of the copy is narrower */
		rc = finish_opening(CR_OK, *out, log, err);
	} else {
		if (!o->no_copy)
			cr_recording_wait_for_clock(rec);
		rc = load_recording(path, rec, o, out, log, err);
		if (rc == CR_OK && (*out)->samples.n && !o->no_copy &&
			cr_cache_put(dir, key.p, *out, &why) < 0)
			cr_log_warn(log, "no copy was written to the cache", CR_NO_OFFSET, "%s",
				why.text);
		tree_wait(*out);
	}
	cr_text_fini(&key);
	return rc;
}

static int
load_input(const char *path, unsigned parts, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err)
{
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_recording rec;
	char *dir = NULL;
	int rc = cr_recording_open(path, o->progress, &rec, err);

	if (rc < 0)
		goto out;
	if (cr_source_is_file(rec.main) &&
		cr_store_is(cr_source_bytes(rec.main), cr_source_len(rec.main)))
		rc = open_stored(path, parts, o, out, log, err);
	else if (o->no_cache || strcmp(path, "-") == 0 || !cr_source_is_file(rec.main) ||
		 cr_cache_dir(&dir, &ignored) < 0) {
		rc = load_recording(path, &rec, o, out, log, err);
		tree_wait(*out);
	} else {
		rc = load_cached(path, &rec, dir, parts, o, out, log, err);
	}
out:
	free(dir);
	cr_recording_close(&rec);
	return rc;
}

/*
 * A directory is an input only if it contains a recording; any other may have the name of a stored
 * profile.
 */
static bool
is_input(const char *what)
{
	struct stat st;

	if (strcmp(what, "-") == 0)
		return true;
	/* An empty stored profile. */
	if (stat(what, &st) == 0 && st.st_size == 0 && cr_str_ends(cr_str_of(what), ".cresset"))
		return false;
	return stat(what, &st) == 0 && (!S_ISDIR(st.st_mode) || cr_recording_is_directory(what));
}

static int
load_any(const char *what, unsigned parts, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err)
{
	char *dir = NULL, *path = NULL;
	int rc, input, profile;
	struct stat st;

	*out = NULL;
	if (is_input(what))
		return load_input(what, parts, o, out, log, err);
	if ((rc = cr_catalog_dir(o->store_dir, &dir, err)) < 0 ||
		(rc = cr_catalog_path(dir, what, &path, err)) < 0)
		goto out;
	profile = stat(path, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
	if (profile) {
		input = stat(what, &st) < 0 ? errno : 0;
		if (input == 0) /* a directory after all: report what is missing */
			rc = load_input(what, parts, o, out, log, err);
		else if (cr_catalog_is_path(what))
			rc = cr_catalog_no_file(input, "no such file", err);
		else
			rc = cr_catalog_no_file(profile == EISDIR ? input : profile,
				"no such file, and no profile of that name in the store", err);
		goto out;
	}
	rc = open_stored(path, parts, o, out, log, err);
out:
	free(dir);
	free(path);
	return rc;
}

const char *
cr_load_cost(const struct cr_load_opts *o)
{
	return o->latency ? CR_COST_LATENCY : o->cost;
}

int
cr_load_weigh(struct cr_profile *p, const char *cost, struct cr_err *err)
{
	int rc;

	if (!cost)
		return CR_OK;
	if (cr_cost_same(cost, CR_COST_LATENCY))
		cr_parallelism_estimate(p);
	if ((rc = cr_cost_weigh(p, cost, err)) == CR_OK)
		cr_default_tree_make(p);
	return rc;
}

/* Change the weights of *out as the options say, or free it on failure. */
static int
weigh(const struct cr_load_opts *o, struct cr_profile **out, struct cr_err *err)
{
	int rc;

	if (o->as_recorded)
		return CR_OK;
	if (o->latency && o->cost && !cr_cost_same(o->cost, CR_COST_LATENCY))
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"only one of latency and %s can be the cost", o->cost);
	else
		rc = cr_load_weigh(*out, cr_load_cost(o), err);
	if (rc < 0) {
		cr_profile_free(*out);
		*out = NULL;
	}
	return rc;
}

/* A stored profile is opened from a file: here from one that has no name. */
static int
open_stored_memory(const void *p, size_t len, unsigned parts, const struct cr_load_opts *o,
	struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	const int fd = memfd_create("cresset", MFD_CLOEXEC);
	int rc;

	if (fd < 0)
		return cr_fail_errno(err, CR_EIO, "cannot make a file in memory");
	rc = cr_write_whole(fd, p, len, err);
	if (rc == CR_OK)
		rc = cr_store_open_fd(fd, parts, out, log, err);
	if (rc == CR_OK)
		warn_of_stored(o, log);
	rc = finish_opening(rc, *out, log, err);
	close(fd);
	return rc;
}

static int
load_bytes(const void *p, size_t len, const char *name, unsigned parts,
	const struct cr_load_opts *o, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err)
{
	struct cr_recording rec;
	int rc;

	*out = NULL;
	if (cr_store_is(p, len))
		return open_stored_memory(p, len, parts, o, out, log, err);
	rc = cr_recording_open_memory(p, len, &rec, err);
	if (rc == CR_OK)
		rc = load_recording(name, &rec, o, out, log, err);
	cr_recording_close(&rec);
	return rc;
}

/*
 * Which parts have to be read at first. Stored profiles contain inlined functions; what is read
 * later would bring them back. The default tree is compared with the samples while their weights
 * are as stored.
 */
static unsigned
first_parts(unsigned parts, const struct cr_load_opts *o)
{
	if (o->symbol.no_inline)
		parts |= CR_STORE_TREE;
	if (o->parallelism || (cr_load_cost(o) && !o->as_recorded))
		parts |= CR_STORE_ALL | CR_STORE_PROOF;
	return parts;
}

/* What the options want to be changed in a profile that was loaded. */
static int
finish_loading(int rc, const struct cr_load_opts *o, struct cr_profile **out, struct cr_err *err)
{
	if (rc == CR_OK)
		rc = check_history(o, out, err);
	if (rc == CR_OK && o->symbol.no_inline)
		cr_outermost(*out);
	if (rc == CR_OK && o->parallelism)
		cr_parallelism_estimate(*out);
	return rc == CR_OK ? weigh(o, out, err) : rc;
}

int
cr_load(const char *what, unsigned parts, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err)
{
	return finish_loading(load_any(what, first_parts(parts, o), o, out, log, err), o, out, err);
}

int
cr_load_memory(const void *p, size_t len, const char *name, unsigned parts,
	const struct cr_load_opts *o, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err)
{
	return finish_loading(
		load_bytes(p, len, name, first_parts(parts, o), o, out, log, err), o, out, err);
}

unsigned
cr_load_parts(unsigned needs)
{
	unsigned parts = CR_STORE_DEFAULT_TREE;

	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if (needs & 1u << c)
			parts |= (unsigned)CR_STORE_TIME << c;
	if (needs & CR_NEEDS_TREE)
		parts |= CR_STORE_TREE;
	if (needs & CR_NEEDS_FIELDS)
		parts |= CR_STORE_FIELDS;
	if (needs & CR_NEEDS_MAPS)
		parts |= CR_STORE_MAPS;
	if (needs & CR_NEEDS_CODE)
		parts |= CR_STORE_CODE;
	if (needs & CR_NEEDS_SIZES)
		parts |= CR_STORE_SIZES;
	if (!needs)
		parts = CR_STORE_PROOF;
	/* At least one column, otherwise the profile has no samples. */
	if (needs && !(parts & CR_STORE_COLUMNS))
		parts |= CR_STORE_EVENT;
	return parts;
}

int
cr_load_ingest(const char *path, const char *as, bool replace, const struct cr_load_opts *o,
	char **name, struct cr_profile **out, struct cr_log *log, struct cr_err *err)
{
	const unsigned how =
		(replace ? CR_STORE_REPLACE : CR_STORE_NEW) | (o->no_cache ? 0 : CR_STORE_REMEMBER);
	char *dir = NULL;
	int rc;

	*out = NULL;
	*name = NULL;
	if ((rc = cr_catalog_dir(o->store_dir, &dir, err)) < 0)
		return rc;
	if (as && (rc = cr_catalog_may_put(dir, as, replace, err)) < 0)
		goto out;
	if ((rc = load_to_store(path, o, out, log, err)) < 0)
		goto out;
	if (!as && !replace) {
		rc = cr_catalog_put_fresh(dir, path, how, *out, name, err);
	} else {
		*name = as ? cr_strdup(as) : cr_catalog_stem(path);
		rc = cr_catalog_put(dir, *name, how, *out, err);
	}
out:
	tree_wait(*out);
	if (rc < 0) {
		cr_profile_free(*out);
		free(*name);
		*out = NULL;
		*name = NULL;
	}
	free(dir);
	return rc;
}

char *
cr_load_title(const char *what)
{
	struct cr_str s =
		cr_str_basename(cr_str_of(strcmp(what, "-") == 0 ? "standard input" : what));

	if (cr_str_ends(s, ".cresset"))
		s.len -= 8;
	return cr_memdup(s.p, s.len);
}
