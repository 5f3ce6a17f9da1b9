#include "job_p.h"
#include "memory_p.h"
#include "reply_p.h"

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

static void
put_text(struct copies *c)
{
	struct cr_sheet sheet = {.columns = columns,
		.n_columns = CR_LEN(columns),
		.n_rows = (uint32_t)c->all->n,
		.cell = copies_cell,
		.user = &c};

	if (c->all->n)
		cr_write_sheet_text(&sheet, stdout);
}

static void
put_json_row(struct copies *c, uint32_t row, struct cr_json_out *j)
{
	const struct cr_catalog_entry *e = &c->all->entries[row];
	struct cr_cell cell;
	struct cr_sheet sheet = {.user = &c};

	peek(c, row);
	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
	for (uint32_t i = 0; i < CR_LEN(columns); i++) {
		copies_cell(&sheet, row, i, &cell);
		cr_json_out_key(j, columns[i].id);
		if (i == SIZE)
			cr_json_out_u64(j, e->size_bytes);
		else if (i == SAMPLES && c->p)
			cr_json_out_u64(j, cell.number);
		else if (i == SAMPLES || (i == EVENT && !c->p))
			cr_json_out_null(j); /* it is damaged */
		else
			cr_json_out_text(j, cell.text);
	}
	cr_json_out_close(j);
}

static void
put_json(const struct cr_options *o, const char *dir, struct copies *c)
{
	struct cr_reply r;

	cr_reply_begin(&r, o, CR_REPLY_NONE);
	cr_json_out_open(&r.json, '{');
	cr_json_out_text_of(&r.json, "directory", cr_str_of(dir));
	cr_json_out_u64_of(&r.json, "limit", cr_cache_limit(dir));
	cr_json_out_line(&r.json, "");
	cr_json_out_key(&r.json, "copies");
	cr_json_out_open(&r.json, '[');
	for (uint32_t i = 0; i < c->all->n; i++)
		put_json_row(c, i, &r.json);
	cr_json_out_close(&r.json);
	cr_json_out_close(&r.json);
	cr_reply_end(&r);
}

static int
list(const struct cr_options *o, const char *dir)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog all;
	struct copies copies = {.all = &all, .at = UINT32_MAX};

	if (!cr_cache_usable(dir, &err) || cr_cache_list(dir, &all, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (o->json) {
		put_json(o, dir, &copies);
	} else {
		put_text(&copies);
		put_sum(dir, &all);
	}
	cr_profile_free(copies.p);
	cr_text_fini(&copies.text);
	cr_catalog_fini(&all);
	return EXIT_DONE;
}

/* ---- clear, limit */

static int
clear(const struct cr_options *o, const char *dir)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_text t = {0};
	struct cr_reply r;
	uint64_t n, bytes;

	if (cr_cache_clear(dir, &n, &bytes, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (o->json) {
		cr_reply_begin(&r, o, CR_REPLY_NONE);
		cr_json_out_open(&r.json, '{');
		cr_json_out_u64_of(&r.json, "removed", n);
		cr_json_out_u64_of(&r.json, "bytes", bytes);
		cr_json_out_close(&r.json);
		cr_reply_end(&r);
		return EXIT_DONE;
	}
	cr_text_printf(&t, "%" PRIu64 " %s removed, ", n, n == 1 ? "copy" : "copies");
	cr_text_bytes(&t, bytes);
	cr_text_char(&t, '\n');
	cr_job_say(t.p);
	cr_text_fini(&t);
	return EXIT_DONE;
}

static void
print_limit(const struct cr_options *o, uint64_t bytes)
{
	struct cr_text t = {0};
	struct cr_reply r;

	if (o->json) {
		cr_reply_begin(&r, o, CR_REPLY_NONE);
		cr_json_out_open(&r.json, '{');
		cr_json_out_u64_of(&r.json, "limit", bytes);
		cr_json_out_close(&r.json);
		cr_reply_end(&r);
	} else {
		put_limit(bytes, &t);
		puts(t.p);
	}
	cr_text_fini(&t);
}

static int
limit(const struct cr_options *o, const char *dir)
{
	struct cr_err err = CR_ERR_INIT;
	uint64_t bytes;

	if (o->n_args == 1) {
		print_limit(o, cr_cache_limit(dir));
		return EXIT_DONE;
	}
	if (!cr_memory_size(o->args[1], &bytes)) {
		cr_options_complain(
			o->args[1], "not a size; examples: 500M, 2G, 0 (keep no copies)");
		return EXIT_USAGE;
	}
	if (cr_cache_set_limit(dir, bytes, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (o->json)
		print_limit(o, bytes);
	return EXIT_DONE;
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
		code = list(o, dir);
	else if (strcmp(what, "clear") == 0)
		code = clear(o, dir);
	else
		cr_options_complain(what, "unknown action; the actions are ls, clear and limit");
	free(dir);
	return code;
}
