#include "symbol/files/sourcefile.h"

#include "bytes/source.h"
#include "gate_p.h"
#include "symbol/code/hot_p.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILE ((uint64_t)64 << 20)
#define MOST_LINE ((uint32_t)64 << 10)
#define MOST_TEXT ((uint64_t)1 << 20)
/* Lines of a function; one with more has a wrong start. */
#define MOST_LINES ((uint32_t)1 << 16)
#define CONTEXT 5

/* ---- one file */

static void
split(struct cr_sourcefile *s)
{
	const char *p = (const char *)cr_source_bytes(s->src), *end = p + cr_source_len(s->src);

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		const char *next = stop ? stop + 1 : end;
		size_t len = (size_t)((stop ? stop : end) - p);

		if (len && p[len - 1] == '\r')
			len--;
		cr_vec_push(
			&s->lines, ((struct cr_str){p, (uint32_t)CR_MIN(len, (size_t)MOST_LINE)}));
		p = next;
	}
}

/* s NULL: only see whether it may be opened. */
static bool
try_path(struct cr_sourcefile *s, const struct cr_symbol_opts *opts, const struct cr_text *path)
{
	const int fd = cr_gate_open(opts, path->p, CR_GATE_PUBLIC, CR_GATE_NOBODY);
	struct cr_err ignored = CR_ERR_INIT;
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	if (!s) {
		close(fd);
		return true;
	}
	ok = fstat(fd, &st) == 0 && (uint64_t)st.st_size <= MOST_FILE &&
	     cr_source_open_fd(fd, MOST_FILE, &s->src, &ignored) == CR_OK;
	close(fd);
	if (!ok)
		return false;
	s->path = cr_strdup(path->p);
	s->mtime = st.st_mtime;
	split(s);
	return true;
}

/* Search below a directory, by the file's path and by its name. */
static bool
try_below(struct cr_sourcefile *s, const struct cr_symbol_opts *opts, const char *dir,
	struct cr_str file, struct cr_text *path)
{
	bool ok = false;

	for (int i = 0; i < 2 && dir && !ok; i++) {
		cr_text_clear(path);
		cr_text_puts(path, dir);
		cr_text_puts(path, i == 0 && file.p[0] == '/' ? "" : "/");
		cr_text_str(path, i == 0 ? file : cr_str_basename(file));
		ok = try_path(s, opts, path);
	}
	return ok;
}

/* Try all places; path gets the one where it is. */
static bool
try_all(struct cr_sourcefile *s, const struct cr_symbol_opts *opts, struct cr_str file,
	bool trusted, struct cr_text *path)
{
	if (file.len == 0 || memchr(file.p, 0, file.len))
		return false;
	if (try_below(s, opts, opts->source_dir, file, path))
		return true;
	if (!trusted || file.p[0] != '/') /* it needs the compilation directory */
		return false;
	cr_text_clear(path);
	cr_text_puts(path, opts->symfs ? opts->symfs : "");
	cr_text_str(path, file);
	return try_path(s, opts, path) || try_below(s, opts, opts->debug_dir, file, path);
}

bool
cr_sourcefile_open(struct cr_sourcefile *s, const struct cr_symbol_opts *opts, struct cr_str file,
	bool trusted)
{
	struct cr_text path = {0};
	bool ok;

	*s = (struct cr_sourcefile){.path = NULL};
	ok = try_all(s, opts, file, trusted, &path);
	cr_text_fini(&path);
	return ok;
}

char *
cr_sourcefile_find(const struct cr_symbol_opts *opts, struct cr_str file)
{
	struct cr_text path = {0};
	char *real = try_all(NULL, opts, file, true, &path) ? realpath(path.p, NULL) : NULL;

	cr_text_fini(&path);
	return real;
}

void
cr_sourcefile_close(struct cr_sourcefile *s)
{
	cr_source_close(s->src);
	cr_vec_fini(&s->lines);
	free(s->path);
	*s = (struct cr_sourcefile){.path = NULL};
}

/* ---- source of a profile */

struct range {
	struct cr_str file;
	uint32_t from, to; /* both inclusive */
	uint32_t rank;     /* of the function: 0 is the hottest */
	bool trusted;      /* see cr_sourcefile_open() */
};

typedef CR_VEC(struct range) range_vec;

static uint32_t
less(uint32_t line, uint32_t by)
{
	return line > by ? line - by : 1;
}

/*
 * The lines of the addresses of hot functions with their context; for the function's own lines, all
 * from its start.
 */
static void
find_ranges(const struct cr_profile *p, const uint32_t *rank1, bool is_recording, range_vec *ranges)
{
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];
		const uint32_t r1 = rank1[cr_hot_owner(p, l)];

		for (uint32_t k = 0; k < l->lines && r1; k++) {
			const struct cr_line *line = &p->lines[l->first_line + k];
			const struct cr_function *f = &p->functions[line->function.i];
			const struct cr_str file = cr_line_file(p, line);
			struct range r = {file, less(line->line, CONTEXT), line->line, r1 - 1,
				is_recording && p->dsos[l->dso.i].build_id_len};

			if (line->line == 0 || file.len == 0)
				continue;
			if (cr_str_eq(file, f->file) && f->line && f->line <= line->line &&
				line->line - f->line < MOST_LINES)
				r.from = less(f->line, 1);
			r.to = line->line < UINT32_MAX - CONTEXT ? line->line + CONTEXT
								 : UINT32_MAX;
			cr_vec_push(ranges, r);
		}
	}
}

static int
by_file(const void *a, const void *b)
{
	const struct range *x = a, *y = b;
	const int c = cr_str_cmp(x->file, y->file);

	if (c)
		return c;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int
by_rank(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : by_file(a, b);
}

/* Merge ranges of one file that touch; the result has the better rank. */
static void
join_ranges(range_vec *ranges)
{
	size_t n = 0;

	if (ranges->n)
		qsort(ranges->p, ranges->n, sizeof(*ranges->p), by_file);
	for (size_t i = 0; i < ranges->n; i++) {
		struct range *last = n ? &ranges->p[n - 1] : NULL, *r = &ranges->p[i];

		if (last && cr_str_eq(last->file, r->file) && r->from <= last->to) {
			last->to = CR_MAX(last->to, r->to);
			last->rank = CR_MIN(last->rank, r->rank);
			last->trusted |= r->trusted;
		} else {
			ranges->p[n++] = *r;
		}
	}
	ranges->n = n;
}

typedef CR_VEC(struct cr_source_line) line_vec;

/* Keep the hottest ranges that fit. The others become empty. */
static void
share_room(range_vec *ranges, uint64_t most)
{
	uint64_t sum = 0;

	if (ranges->n)
		qsort(ranges->p, ranges->n, sizeof(*ranges->p), by_rank);
	for (size_t i = 0; i < ranges->n; i++) {
		sum += (uint64_t)ranges->p[i].to - ranges->p[i].from + 1;
		if (sum > most)
			ranges->n = i;
	}
	if (ranges->n)
		qsort(ranges->p, ranges->n, sizeof(*ranges->p), by_file);
}

/* Read ranges from..to of one file. */
static void
read_ranges(struct cr_profile *p, const struct cr_symbol_opts *opts, const struct range *ranges,
	size_t n, uint64_t *left, line_vec *out)
{
	struct cr_sourcefile s;
	bool trusted = false;

	for (size_t i = 0; i < n; i++)
		trusted |= ranges[i].trusted;
	if (!cr_sourcefile_open(&s, opts, ranges[0].file, trusted))
		return;
	for (size_t i = 0; i < n; i++)
		for (uint32_t line = ranges[i].from; line <= ranges[i].to && line <= s.lines.n;
			line++) {
			struct cr_str text = s.lines.p[line - 1];

			if (text.len > *left)
				break;
			*left -= text.len;
			text.p = cr_arena_copy(&p->arena, text.p, text.len);
			cr_vec_push(out, ((struct cr_source_line){ranges[i].file, line, text}));
		}
	cr_sourcefile_close(&s);
}

void
cr_sourcefile_gather(struct cr_profile *p, const struct cr_symbol_opts *opts, bool is_recording)
{
	uint32_t *rank1 = cr_alloc(p->n_functions, sizeof(*rank1));
	uint64_t left = MOST_TEXT;
	range_vec ranges = {0};
	line_vec lines = {0};
	cr_hots hot = {0};
	size_t from = 0;

	if (p->samples.n) {
		struct cr_hot_place *places = cr_hot_places(p);

		cr_hot_find(p, places, &hot);
		free(places);
	}
	for (size_t i = 0; i < hot.n; i++)
		rank1[hot.p[i].function] = (uint32_t)i + 1;
	find_ranges(p, rank1, is_recording, &ranges);
	join_ranges(&ranges);
	share_room(&ranges, MOST_TEXT / 16); /* a line usually has more bytes than that */
	for (size_t i = 1; i <= ranges.n; i++) {
		if (i < ranges.n && cr_str_eq(ranges.p[i].file, ranges.p[from].file))
			continue;
		if (!cr_progress_step(opts->progress, "source", i, ranges.n))
			break;
		read_ranges(p, opts, ranges.p + from, i - from, &left, &lines);
		from = i;
	}
	p->n_source_lines = (uint32_t)lines.n;
	p->source_lines = cr_arena_adopt(&p->arena, lines.p);
	cr_vec_fini(&hot);
	cr_vec_fini(&ranges);
	free(rank1);
}
