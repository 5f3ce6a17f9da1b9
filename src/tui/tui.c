#include "tui/tui.h"

#include "browser_p.h"
#include "keymap_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "session/views/view.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- keys and mouse */

static void
on_key(struct cr_browser *u, uint32_t key)
{
	const char *line;
	bool had_message;

	if (u->asking) {
		cr_browser_prompt_key(u, key);
		return;
	}
	had_message = cr_session_message(u->s)->len > 0;
	cr_session_clear_message(u->s);
	if (!u->page.title && cr_browser_run_users(u, key))
		return;
	line = cr_keymap_find(u->page.title ? NULL : cr_view_current(u->s)->ops, key);
	if (!line)
		cr_browser_unbound(u, key);
	else if (!had_message || strcmp(line, "back") != 0)
		cr_browser_run_bound(u, line);
}

/* Pasted text is no keys: it is used only in a line being typed. */
static void
on_pasted(struct cr_browser *u, uint32_t ch)
{
	if (cr_browser_prompt_paste(u, ch))
		return;
	cr_session_say(u->s, "pasted text has no effect here; press / : & or w first");
}

static void
on_event(struct cr_browser *u, const struct cr_input_event *e)
{
	switch (e->key) {
	case CR_KEY_NONE: return;
	case CR_KEY_HANGUP:
		u->left = true;
		u->sig = SIGHUP;
		return;
	case CR_KEY_MOUSE:
		/* Positions on the screen are known after drawing. */
		if (u->stale)
			cr_browser_draw(u);
		cr_browser_mouse(u, e);
		return;
	case CR_KEY_RESIZE: return; /* the loop asks for the size anyway */
	default:
		if (e->pasted)
			on_pasted(u, e->key);
		else
			on_key(u, e->key);
	}
}

/* ---- the loop */

static void
tui_fini(struct cr_browser *u)
{
	cr_busy_fini(&u->busy);
	cr_vec_fini(&u->zones);
	cr_prompt_fini(&u->prompt);
	cr_text_fini(&u->hint);
	cr_pager_close(&u->page);
	cr_words_fini(&u->searches);
	cr_words_fini(&u->commands);
	cr_words_fini(&u->filters);
	cr_words_fini(&u->paths);
	cr_words_fini(&u->finds);
	cr_words_fini(&u->answers);
	free(u->path);
	free(u->asked);
	free(u->title);
}

static bool
input_waits(const struct cr_browser *u)
{
	return cr_busy_has_events(&u->busy) || u->t->pending(u->t);
}

/* ---- work that is no command */

static int
run_layout(void *user, struct cr_err *err)
{
	(void)err;
	cr_browser_layout(user);
	return CR_OK;
}

/* Lay out the views for a new screen size; keys are read meanwhile. */
static void
lay_out(struct cr_browser *u)
{
	const struct cr_busy_job job = {"layout", run_layout, u};
	struct cr_err err = CR_ERR_INIT;

	cr_busy_do(&u->busy, u->s, &job, CR_BUSY_WHOLE, &err);
}

static void
fit_screen(struct cr_browser *u, struct cr_term *t)
{
	int32_t width, height;

	t->size(t, &width, &height);
	if (width == u->g->width && height == u->g->height)
		return;
	cr_grid_resize(u->g, width, height);
	lay_out(u);
	cr_browser_page_fit(u);
}

#define PROVE_BLOCKS 8 /* takes some milliseconds */

static int
run_prove(void *user, struct cr_err *err)
{
	struct cr_browser *u = user;

	(void)err;
	u->proven = !cr_session_prove(u->s, PROVE_BLOCKS, &u->disproven);
	return CR_OK;
}

/*
 * Compare the tree with the samples while the user looks at the screen, some blocks at a time. Not
 * while a line is typed, since its search refers to the tree. Returns true if there is something
 * new to draw.
 */
static bool
prove(struct cr_browser *u)
{
	const struct cr_busy_job job = {"comparing with the samples", run_prove, u};
	struct cr_err err = CR_ERR_INIT;

	u->disproven = false;
	while (!u->proven && !u->asking && !u->disproven && !cr_busy_has_events(&u->busy) &&
		!u->t->waits(u->t))
		cr_busy_do(&u->busy, u->s, &job, CR_BUSY_WHOLE, &err);
	return u->disproven;
}

static int
run_judge(void *user, struct cr_err *err)
{
	struct cr_browser *u = user;

	(void)err;
	cr_session_judge(u->s);
	return CR_OK;
}

/*
 * Make verdicts that a view waits for; a key stops that until it is handled. Returns true if there
 * is something new to draw.
 */
static bool
judge(struct cr_browser *u)
{
	const struct cr_busy_job job = {"verdicts", run_judge, u};
	struct cr_err err = CR_ERR_INIT;

	if (!cr_session_unjudged(u->s) || u->asking || cr_busy_has_events(&u->busy) ||
		u->t->waits(u->t))
		return false;
	cr_busy_do(&u->busy, u->s, &job, CR_BUSY_TYPING, &err);
	return !cr_session_unjudged(u->s);
}

static int
run_ahead(void *user, struct cr_err *err)
{
	struct cr_browser *u = user;

	(void)err;
	cr_session_make_ahead(u->s);
	return CR_OK;
}

#define REST_MS 50
#define REST_STEP_MS 10

/* True if no key is pressed for REST_MS, so that keys in a row need not wait for such work. */
static bool
user_rests(const struct cr_browser *u)
{
	const struct timespec step = {.tv_nsec = REST_STEP_MS * 1000000};

	for (int ms = 0; ms < REST_MS; ms += REST_STEP_MS) {
		if (u->t->waits(u->t))
			return false;
		nanosleep(&step, NULL);
	}
	return true;
}

/* Make views that are not shown yet, until a key is pressed. Nothing on the screen changes. */
static void
make_ahead(struct cr_browser *u)
{
	const struct cr_busy_job job = {"preparing views", run_ahead, u};
	struct cr_err err = CR_ERR_INIT;

	if (!cr_session_has_ahead(u->s) || u->asking || !user_rests(u))
		return;
	while (cr_session_has_ahead(u->s) && !cr_busy_has_events(&u->busy) && !u->t->waits(u->t))
		cr_busy_do(&u->busy, u->s, &job, CR_BUSY_TYPING, &err);
}

static int64_t
cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/*
 * Return the memory that work of more than HEAVY_MS of CPU time left free: it folded trees or read
 * samples. After less work the next command would only ask for the same pages again.
 */
#define HEAVY_MS 10

static void
tidy(struct cr_browser *u)
{
	if (cpu_ms() - u->event_cpu_ms > HEAVY_MS)
		cr_mem_trim();
}

int
cr_tui_run(struct cr_session *s, struct cr_term *t, const struct cr_tui_host *host)
{
	struct cr_grid grid = {0};
	struct cr_browser u = {
		.s = s, .t = t, .host = host, .g = &grid, .busy = {.term = t, .grid = &grid}};
	struct cr_input_event e;
	bool first = true;

	cr_session_on_screen(s);
	cr_browser_mouse_sync(&u);
	cr_browser_title_sync(&u);
	for (; !u.left && !cr_session_quits(s); first = false) {
		fit_screen(&u, t);
		u.stale = !first && input_waits(&u);
		if (!u.stale && u.search_stale) {
			cr_browser_draw(&u); /* what was typed, as the search may take long */
			t->draw(t, &grid);
			cr_browser_live(&u);
			u.stale = u.search_stale;
		}
		if (!u.stale) {
			do {
				cr_browser_draw(&u);
				t->draw(t, &grid);
			} while (judge(&u) || prove(&u));
			make_ahead(&u);
			tidy(&u);
		}
		if (!cr_busy_next(&u.busy, &e))
			t->read(t, &e);
		u.event_cpu_ms = cpu_ms();
		on_event(&u, &e);
	}
	tui_fini(&u);
	cr_grid_fini(&grid);
	return u.sig;
}
