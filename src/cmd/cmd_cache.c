#include "job_p.h"
#include "memory_p.h"

#include "base/mem.h"
#include "base/text.h"
#include "bytes/scan.h"
#include "session/stored_list.h"
#include "store/cache.h"
#include "store/store.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int cr_cmd_cache(const struct cr_options *o);

/* ---- sizes */

static const struct unit {
	char letter;
	unsigned shift;
} units[] = {{'T', 40}, {'G', 30}, {'M', 20}, {'K', 10}};

/* "2 GiB" for a whole number, otherwise "12.3 MB". */
static void
put_limit(uint64_t bytes, struct cr_text *t)
{
	for (size_t i = 0; i < CR_LEN(units); i++)
		if (bytes && (bytes & (((uint64_t)1 << units[i].shift) - 1)) == 0) {
			cr_text_printf(
				t, "%" PRIu64 " %ciB", bytes >> units[i].shift, units[i].letter);
			return;
		}
	cr_text_bytes(t, bytes);
}

/* ---- ls */

struct copies {
	const struct cr_catalog *all;
	struct cr_text text;  /* text of the current cell */
	uint32_t at;          /* current row */
	struct cr_profile *p; /* facts and events of that row's copy; NULL if it is damaged */
};

enum column { USED, SIZE, SAMPLES, EVENT, FILE_NAME };

static const struct cr_sheet_column columns[] = {
	[USED] = {"Last used", "used", CR_SHEET_ALL, false, 0},
	[SIZE] = {"Size", "size", CR_SHEET_ALL, true, 8},
	[SAMPLES] = {"Samples", "samples", CR_SHEET_ALL, true, 8},
	[EVENT] = {"Event", "event", CR_SHEET_ALL, false, 0},
	[FILE_NAME] = {"Recording", "file", CR_SHEET_ALL, false, 0},
};

static void
put_time(int64_t ns, struct cr_text *t)
{
	const time_t when = (time_t)(ns / 1000000000);
	char text[40];
	struct tm tm;

	if (gmtime_r(&when, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		cr_text_puts(t, text);
}

static void
peek(struct copies *c, uint32_t row)
{
	struct cr_err ignored = CR_ERR_INIT;

	if (c->at == row)
		return;
	cr_profile_free(c->p);
	c->at = row;
	if (cr_store_peek(c->all->entries[row].path, &c->p, &ignored) < 0)
		c->p = NULL;
}

static void
copies_cell(const struct cr_sheet *s, uint32_t row, uint32_t column, struct cr_cell *out)
{
	struct copies *c = *(struct copies *const *)s->user;
	const struct cr_catalog_entry *e = &c->all->entries[row];

	peek(c, row);
	cr_text_clear(&c->text);
	*out = (struct cr_cell){.kind = CR_CELL_TEXT};
	switch ((enum column)column) {
	case USED: put_time(e->mtime_ns, &c->text); break;
	case SIZE: cr_text_bytes(&c->text, e->size_bytes); break;
	case SAMPLES:
		if (c->p)
			*out = (struct cr_cell){
				.kind = CR_CELL_NUMBER, .number = cr_stored_samples(c->p)};
		return;
	case EVENT:
		out->text = !c->p            ? CR_STR("damaged")
			    : c->p->n_events ? c->p->events[cr_event_main(c->p).i].name
					     : (struct cr_str){0};
		return;
	case FILE_NAME:
		out->text = c->p ? cr_profile_fact(c->p, "source") : cr_str_of(e->name);
		return;
	}
	out->text = cr_text_view(&c->text);
}

static void
put_sum(const char *dir, const struct cr_catalog *all)
{
	struct cr_text t = {0};
	uint64_t bytes = 0;

	for (size_t i = 0; i < all->n; i++)
		bytes = cr_add_sat(bytes, all->entries[i].size_bytes);
	cr_text_printf(&t, "%zu %s, ", all->n, all->n == 1 ? "copy" : "copies");
	cr_text_bytes(&t, bytes);
	cr_text_puts(&t, " of at most ");
	put_limit(cr_cache_limit(dir), &t);
	cr_text_puts(&t, ", in ");
	cr_text_safe(&t, cr_str_of(dir));
	puts(t.p);
	cr_text_fini(&t);
}

static int
list(const char *dir)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog all;
	struct copies copies = {.all = &all, .at = UINT32_MAX}, *user = &copies;
	struct cr_sheet sheet = {.columns = columns,
		.n_columns = CR_LEN(columns),
		.cell = copies_cell,
		.user = &user};

	if (!cr_cache_usable(dir, &err) || cr_cache_list(dir, &all, &err) < 0)
		return cr_job_fail(NULL, &err);
	sheet.n_rows = (uint32_t)all.n;
	if (all.n)
		cr_write_sheet_text(&sheet, stdout);
	put_sum(dir, &all);
	cr_profile_free(copies.p);
	cr_text_fini(&copies.text);
	cr_catalog_fini(&all);
	return EXIT_DONE;
}

/* ---- clear, limit */

static int
clear(const char *dir)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text t = {0};
	uint64_t n, bytes;

	if (cr_cache_clear(dir, &n, &bytes, &err) < 0)
		return cr_job_fail(NULL, &err);
	cr_text_printf(&t, "%" PRIu64 " %s removed, ", n, n == 1 ? "copy" : "copies");
	cr_text_bytes(&t, bytes);
	cr_text_char(&t, '\n');
	cr_job_say(t.p);
	cr_text_fini(&t);
	return EXIT_DONE;
}

static int
limit(const struct cr_options *o, const char *dir)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text t = {0};
	uint64_t bytes;

	if (o->n_args == 1) {
		put_limit(cr_cache_limit(dir), &t);
		puts(t.p);
		cr_text_fini(&t);
		return EXIT_DONE;
	}
	if (!cr_memory_size(o->args[1], &bytes)) {
		cr_options_complain(
			o->args[1], "not a size; examples: 500M, 2G, 0 (keep no copies)");
		return EXIT_USAGE;
	}
	return cr_cache_set_limit(dir, bytes, &err) < 0 ? cr_job_fail(NULL, &err) : EXIT_DONE;
}

int
cr_cmd_cache(const struct cr_options *o)
{
	const char *what = o->n_args ? o->args[0] : "ls";
	const bool is_limit = strcmp(what, "limit") == 0;
	struct cr_err err = CR_ERR_INIT;
	int code = EXIT_USAGE;
	char *dir;

	if (o->n_args == 2 && !is_limit) {
		cr_options_complain(o->args[1], "unexpected argument (see cresset help cache)");
		return EXIT_USAGE;
	}
	if (cr_cache_dir(&dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (is_limit)
		code = limit(o, dir);
	else if (strcmp(what, "ls") == 0)
		code = list(dir);
	else if (strcmp(what, "clear") == 0)
		code = clear(dir);
	else
		cr_options_complain(what, "unknown action; the actions are ls, clear and limit");
	free(dir);
	return code;
}
