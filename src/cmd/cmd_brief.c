#include "brief_changes_p.h"
#include "fail_if_judge_p.h"
#include "job_p.h"
#include "reply_p.h"

#include "base/utf8.h"
#include "query/health/health.h"
#include "query/health/record_line.h"
#include "query/health/waits.h"
#include "query/table/thread_list.h"
#include "store/store.h"
#include "view/listing/brief.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_brief(const struct cr_options *o);

/*
 * One page that says what to look at. It has at most PAGE_MOST bytes: if it has more, it is made
 * again with fewer functions and with shorter names.
 */
#define PAGE_MOST 4096u
#define FUNCTIONS_MOST 8u
#define NAME_CELLS 60u
#define NAME_LEAST 20u
#define HANDLE_MOST 200u /* bytes of a name in a command line; a longer one is not repeated */
#define FINDINGS 4u

struct brief {
	const struct cr_options *o;
	struct cr_profile *p;
	uint32_t event;
	struct cr_tree *tree;
	struct cr_table table;
	uint32_t *by_self;
	struct cr_health health;
	bool has_threads;
	struct cr_thread_list threads;
	enum cr_waits waits;
	struct cr_brief_changes changes;
	uint32_t n_functions, name_cells; /* how much of it has room */
};

/* ---- facts */

static struct cr_str
function_name(const struct brief *b, uint32_t i)
{
	return cr_table_value(&b->table, b->by_self[i], CR_TABLE_FUNCTION)->text;
}

static const struct cr_table_cost *
cost_of(const struct brief *b, uint32_t i)
{
	return b->table.rows[b->by_self[i]].cost;
}

/* Functions with self cost, at most n_functions. */
static uint32_t
count_functions(const struct brief *b)
{
	uint32_t n = 0;

	while (n < CR_MIN(b->table.n, b->n_functions) && cost_of(b, n)->self)
		n++;
	return n;
}

/*
 * The cost of the busiest thread of its process, and of all threads of that process; false if it
 * has no other threads.
 */
static bool
busiest(const struct brief *b, uint64_t *most, uint64_t *all, uint32_t *n)
{
	const struct cr_thread *first = b->threads.threads;

	*most = *all = *n = 0;
	for (uint32_t i = 0; b->has_threads && i < b->threads.n; i++) {
		if (b->threads.threads[i].pid != first->pid)
			continue;
		*all = cr_add_sat(*all, b->threads.threads[i].weight);
		++*n;
	}
	if (*n)
		*most = first->weight;
	return *n > 1 && *all > 0;
}

static const char *
waiting(const struct brief *b)
{
	switch (b->waits) {
	case CR_WAITS_TIMES: return "recorded, without stacks";
	case CR_WAITS_PLACES: return "recorded, with stacks";
	default: return "not recorded (perf record --off-cpu or -e sched:sched_switch records it)";
	}
}

/* ---- commands to go on with */

/* Append a word for a shell; false if it cannot be typed. */
static bool
put_word(struct cr_text *t, struct cr_str word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./+-:@%=";
	bool quote = word.len == 0;

	if (word.len > HANDLE_MOST)
		return false;
	for (uint32_t i = 0; i < word.len; i++) {
		if ((unsigned char)word.p[i] < ' ' || word.p[i] == 127)
			return false;
		quote |= !strchr(plain, word.p[i]);
	}
	if (!quote) {
		cr_text_str(t, word);
		return true;
	}
	cr_text_char(t, '\'');
	for (uint32_t i = 0; i < word.len; i++) {
		if (word.p[i] == '\'')
			cr_text_puts(t, "'\\''");
		else
			cr_text_char(t, word.p[i]);
	}
	cr_text_char(t, '\'');
	return true;
}

/* The profile that is shown. A file whose name begins with a minus would be read as an option. */
static bool
put_profile(const struct brief *b, struct cr_text *t)
{
	struct cr_text path = {0};
	bool can;

	cr_text_printf(&path, "%s%s", b->o->args[0][0] == '-' && b->o->args[0][1] ? "./" : "",
		b->o->args[0]);
	can = put_word(t, cr_text_view(&path));
	cr_text_fini(&path);
	return can;
}

/* "cresset COMMAND [-e EVENT] [--cost FIELD] PROFILE"; false if it cannot be typed. */
static bool
put_command(const struct brief *b, const char *command, bool with_event, struct cr_text *t)
{
	cr_text_printf(t, "cresset %s ", command);
	if (with_event && b->p->n_events > 1) {
		cr_text_puts(t, "-e ");
		if (!put_word(t, cr_event_recorded_name(b->p, (cr_event_id){b->event})))
			return false;
		cr_text_char(t, ' ');
	}
	if (with_event && b->p->cost && strcmp(command, "doctor") != 0) {
		cr_text_puts(t, "--cost ");
		if (!put_word(t, cr_str_of(b->p->cost)))
			return false;
		cr_text_char(t, ' ');
	}
	return put_profile(b, t);
}

enum next { NEXT_CALLERS, NEXT_ANNOTATE, NEXT_DIFF, NEXT_WAITS, NEXT_THREADS, NEXT_DOCTOR, NEXTS };

/* The i-th command that is worth typing; false if it does not apply. */
static bool
next_command(const struct brief *b, enum next which, struct cr_text *t)
{
	uint64_t most, all;
	uint32_t n;

	switch (which) {
	case NEXT_CALLERS:
	case NEXT_ANNOTATE:
		if (!count_functions(b) ||
			(which == NEXT_ANNOTATE && !(b->p->flags & CR_PROFILE_HAS_ADDR)) ||
			!put_command(b, which == NEXT_CALLERS ? "callers" : "annotate", true, t))
			return false;
		cr_text_puts(t, cr_str_starts(function_name(b, 0), "-") ? " -- " : " ");
		return put_word(t, function_name(b, 0));
	case NEXT_DIFF:
		if (!b->changes.since)
			return false;
		cr_text_puts(t, "cresset diff ");
		if (cr_query_filter(&b->o->query)->event) {
			cr_text_puts(t, "-e ");
			if (!put_word(t, cr_str_of(cr_query_filter(&b->o->query)->event)))
				return false;
			cr_text_char(t, ' ');
		}
		if (!put_word(t, cr_str_of(b->changes.since)))
			return false;
		cr_text_char(t, ' ');
		return put_profile(b, t);
	case NEXT_WAITS: return b->waits != CR_WAITS_NONE && put_command(b, "latency", false, t);
	case NEXT_THREADS: return busiest(b, &most, &all, &n) && put_command(b, "threads", true, t);
	default: return b->health.n_findings && put_command(b, "doctor", true, t);
	}
}

/* ---- as text */

static void
put_name(const struct brief *b, struct cr_str name, struct cr_text *t)
{
	struct cr_text safe = {0};
	uint32_t fit;

	cr_text_safe(&safe, name);
	fit = cr_utf8_fit(cr_text_view(&safe), b->name_cells);
	cr_text_put(t, safe.p ? safe.p : "", fit);
	if (fit < safe.len)
		cr_text_puts(t, "...");
	cr_text_fini(&safe);
}

/* The parts of a long name that tell it from others: without template arguments first. */
static void
put_function(const struct brief *b, struct cr_str name, struct cr_text *t)
{
	const size_t from = t->len;

	cr_label_fit(t, name, b->name_cells);
	if (!cr_utf8_locale())
		cr_label_ascii(t, from);
}

/* A long line loses options of perf, not the program: "perf record -q -F 999 ... -- ./program". */
static void
put_recorded(const struct brief *b, struct cr_str cmdline, struct cr_text *t)
{
	struct cr_record_line line;

	cr_record_line_parse(cmdline, &line);
	put_name(b, cmdline, t);
	if (cmdline.len > b->name_cells && line.understood && line.command.len) {
		cr_text_char(t, ' ');
		put_name(b, line.command, t);
	}
	cr_record_line_fini(&line);
}

static void
text_head(const struct brief *b, struct cr_text *t)
{
	const struct cr_str command = cr_profile_fact(b->p, "cmdline");

	put_name(b, cr_str_of(b->o->args[0]), t);
	cr_text_puts(t, ": ");
	put_name(b, b->tree->event, t);
	cr_text_puts(t, ", ");
	cr_label_costs(t, b->tree, "");
	cr_text_char(t, '\n');
	if (command.len) {
		cr_text_puts(t, "recorded by: ");
		put_recorded(b, command, t);
		cr_text_char(t, '\n');
	}
}

static void
text_functions(const struct brief *b, struct cr_text *t)
{
	const uint32_t n = count_functions(b);

	if (!n)
		return;
	cr_text_puts(t, "\nhottest functions\n     SELF     TOTAL  FUNCTION\n");
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_table_cost *c = cost_of(b, i);
		struct cr_text self = {0}, total = {0};

		cr_text_share(&self, c->self, b->table.whole[0]);
		cr_text_share(&total, c->total, b->table.whole[0]);
		cr_text_printf(t, "%9s %9s  ", self.p, total.p);
		put_function(b, function_name(b, i), t);
		cr_text_char(t, '\n');
		cr_text_fini(&self);
		cr_text_fini(&total);
	}
}

static void
text_changes(const struct brief *b, struct cr_text *t)
{
	const struct cr_brief_changes *c = &b->changes;

	if (!c->since)
		return;
	cr_text_puts(t, "\nsince ");
	put_name(b, cr_str_of(c->since), t);
	cr_text_puts(t, c->n        ? ", of the same command\n"
			: c->tested ? ", of the same command: no change that is more than noise\n"
				    : ", of the same command: too few samples to tell changes\n");
	for (uint32_t i = 0; i < c->n; i++) {
		cr_text_printf(t, "%+9.2f points  ", c->changes[i].points);
		put_function(b, cr_str_of(c->changes[i].name), t);
		cr_text_printf(t, " (%s)\n", c->changes[i].word);
	}
	if (c->all > c->n)
		cr_text_printf(t, "          and %" PRIu32 " more\n", c->all - c->n);
}

static void
text_threads(const struct brief *b, struct cr_text *t)
{
	uint64_t most, all;
	uint32_t n;

	if (!busiest(b, &most, &all, &n))
		return;
	cr_text_puts(t, "threads: ");
	put_name(b, b->threads.threads[0].comm, t);
	cr_text_printf(t, " has %" PRIu32 ", the busiest ", n);
	cr_text_share(t, most, all);
	cr_text_printf(t, " of its cost, %.1f times the mean\n", (double)most / (double)all * n);
}

static void
text_quality(const struct brief *b, struct cr_text *t)
{
	const struct cr_health *h = &b->health;

	if (!h->n_findings)
		cr_text_puts(t, "quality: nothing is wrong with the recording\n");
	for (uint32_t i = 0; i < CR_MIN(h->n_findings, FINDINGS); i++) {
		cr_text_puts(t, "quality: ");
		cr_brief_finding(b->p, h, &h->findings[i], t);
		cr_text_char(t, '\n');
	}
}

static void
put_text(const struct brief *b, struct cr_text *t)
{
	bool any = false;

	text_head(b, t);
	text_functions(b, t);
	text_changes(b, t);
	cr_text_char(t, '\n');
	text_threads(b, t);
	cr_text_printf(t, "waiting: %s\n", waiting(b));
	text_quality(b, t);
	for (int i = 0; i < NEXTS; i++) {
		struct cr_text line = {0};

		if (next_command(b, (enum next)i, &line)) {
			cr_text_puts(t, any ? "  " : "\nnext\n  ");
			cr_text_str(t, cr_text_view(&line));
			cr_text_char(t, '\n');
			any = true;
		}
		cr_text_fini(&line);
	}
}

/* ---- as JSON */

static void
json_name(const struct brief *b, struct cr_json_out *j, const char *key, struct cr_str name)
{
	struct cr_text t = {0};

	put_name(b, name, &t);
	cr_json_out_text_of(j, key, cr_text_view(&t));
	cr_text_fini(&t);
}

static void
json_functions(const struct brief *b, struct cr_json_out *j)
{
	cr_json_out_key(j, "functions");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < count_functions(b); i++) {
		cr_json_out_line(j, "  ");
		cr_json_out_open(j, '{');
		json_name(b, j, "function", function_name(b, i));
		cr_json_out_u64_of(j, "self", cost_of(b, i)->self);
		cr_json_out_u64_of(j, "total", cost_of(b, i)->total);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
	cr_json_out_line(j, "");
}

static void
json_changes(const struct brief *b, struct cr_json_out *j)
{
	const struct cr_brief_changes *c = &b->changes;

	cr_json_out_key(j, "changes");
	if (!c->since) {
		cr_json_out_null(j);
		cr_json_out_line(j, "");
		return;
	}
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "since", cr_str_of(c->since));
	cr_json_out_key(j, "tested");
	cr_json_out_bool(j, c->tested);
	cr_json_out_u64_of(j, "changed", c->all);
	cr_json_out_key(j, "rows");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < c->n; i++) {
		cr_json_out_open(j, '{');
		json_name(b, j, "function", cr_str_of(c->changes[i].name));
		cr_json_out_key(j, "points");
		cr_json_out_number(j, c->changes[i].points);
		cr_json_out_text_of(j, "verdict", cr_str_of(c->changes[i].word));
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
	cr_json_out_close(j);
	cr_json_out_line(j, "");
}

static void
json_threads(const struct brief *b, struct cr_json_out *j)
{
	uint64_t most, all;
	uint32_t n;

	cr_json_out_key(j, "threads");
	if (busiest(b, &most, &all, &n)) {
		cr_json_out_open(j, '{');
		json_name(b, j, "comm", b->threads.threads[0].comm);
		cr_json_out_u64_of(j, "threads", n);
		cr_json_out_u64_of(j, "busiest", most);
		cr_json_out_u64_of(j, "all", all);
		cr_json_out_close(j);
	} else {
		cr_json_out_null(j);
	}
	cr_json_out_line(j, "");
}

static void
json_lines(const struct brief *b, struct cr_json_out *j)
{
	const struct cr_health *h = &b->health;

	cr_json_out_text_of(j, "waiting", cr_str_of(waiting(b)));
	cr_json_out_line(j, "");
	cr_json_out_key(j, "quality");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < CR_MIN(h->n_findings, FINDINGS); i++) {
		struct cr_text line = {0};

		cr_brief_finding(b->p, h, &h->findings[i], &line);
		cr_json_out_text(j, cr_text_view(&line));
		cr_text_fini(&line);
	}
	cr_json_out_close(j);
	cr_json_out_line(j, "");
	cr_json_out_key(j, "next");
	cr_json_out_open(j, '[');
	for (int i = 0; i < NEXTS; i++) {
		struct cr_text line = {0};

		if (next_command(b, (enum next)i, &line))
			cr_json_out_text(j, cr_text_view(&line));
		cr_text_fini(&line);
	}
	cr_json_out_close(j);
}

static void
put_json(const struct brief *b, struct cr_reply *r)
{
	struct cr_json_out *j = &r->json;

	cr_reply_begin(r, b->o, CR_REPLY_ONE);
	cr_json_out_open(j, '{');
	json_name(b, j, "event", b->tree->event);
	json_name(b, j, "unit", b->tree->unit);
	cr_json_out_u64_of(j, "samples", b->tree->total_samples[0][0]);
	cr_json_out_u64_of(j, "weight", b->tree->total[0][0]);
	cr_json_out_line(j, "");
	json_functions(b, j);
	json_changes(b, j);
	json_threads(b, j);
	json_lines(b, j);
	cr_json_out_close(j);
	cr_reply_close(r);
}

/* ---- the page */

static void
print(struct brief *b)
{
	struct cr_reply r = {.o = b->o};

	b->n_functions = FUNCTIONS_MOST;
	b->name_cells = NAME_CELLS;
	for (;;) {
		cr_reply_fini(&r);
		if (b->o->json)
			put_json(b, &r);
		else
			put_text(b, &r.text);
		if (r.text.len <= PAGE_MOST || (b->n_functions == 1 && b->name_cells == NAME_LEAST))
			break;
		if (b->name_cells > NAME_LEAST)
			b->name_cells = CR_MAX(b->name_cells / 2, NAME_LEAST);
		else
			b->n_functions--;
	}
	cr_reply_flush(&r);
	cr_reply_fini(&r);
}

static int
collect(struct brief *b, struct cr_err *err)
{
	const struct cr_filter *f = cr_query_filter(&b->o->query);
	struct cr_err unused = CR_ERR_INIT;
	cr_event_id event = {UINT32_MAX};
	int rc = cr_filter_event(b->p, f, &event, err);

	if (rc == CR_OK)
		rc = cr_query_run(b->p, &b->o->query, &b->tree, err);
	if (rc < 0)
		return rc;
	b->event = event.i;
	cr_table_make(NULL, b->tree, 0, cr_table_by(CR_TABLE_FUNCTION), &b->table);
	b->by_self = cr_alloc(CR_MAX(b->table.n, 1u), sizeof(*b->by_self));
	cr_table_order(&b->table, CR_SORT_SELF, false, b->by_self);
	cr_health_make(b->p, b->event, &b->health);
	b->has_threads = cr_thread_list_make(b->p, f, &b->threads, &unused) == CR_OK;
	b->waits = cr_waits_recorded(b->p);
	cr_brief_changes_find(b->o, b->p, &b->changes);
	return CR_OK;
}

static void
brief_fini(struct brief *b)
{
	if (b->tree) {
		cr_brief_changes_fini(&b->changes);
		cr_health_fini(&b->health);
		cr_table_fini(&b->table);
	}
	if (b->has_threads)
		cr_thread_list_fini(&b->threads);
	free(b->by_self);
	cr_tree_free(b->tree);
}

int
cr_cmd_brief(const struct cr_options *o)
{
	struct brief b = {.o = o};
	struct cr_err err = CR_ERR_INIT;
	int code = cr_job_load(o, o->args[0], CR_STORE_ALL, &b.p);

	if (code != EXIT_DONE)
		return code;
	if (cr_diff_is(b.p)) {
		cr_fail(&err, CR_EUSAGE, CR_NO_OFFSET,
			"this is a difference: cresset report prints it");
		code = cr_job_fail(o->args[0], &err);
	} else if (collect(&b, &err) < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else if (cr_job_none_left(o, b.tree->total_samples[0][0])) {
		code = EXIT_NOTHING;
	} else {
		print(&b);
		code = cr_job_end(o, b.p, cr_fail_if_judge(o, b.p));
	}
	brief_fini(&b);
	cr_profile_free(b.p);
	return code;
}
