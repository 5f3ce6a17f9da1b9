#include "history_p.h"

#include "selection_set_p.h"

#include "base/mem.h"
#include "base/vec.h"
#include "session/views/view.h"

#include <string.h>

/* Maximum number of steps: more than anyone needs, and little memory. */
#define STEPS_MAX 1000

struct cr_history {
	struct cr_place here;
	CR_VEC(struct cr_place) back;
	CR_VEC(struct cr_place) ahead;
	unsigned last; /* what the last step changed */
};

static uint32_t
count_views(void)
{
	uint32_t n = 0;

	while (cr_view_ops_at(n))
		n++;
	return n;
}

/* By view, the text that restores it. */
static char **
own_of(const struct cr_session *s)
{
	const uint32_t n = count_views();
	char **own = cr_alloc((uint64_t)n + 1, sizeof(*own));

	for (uint32_t i = 0; i < n; i++) {
		struct cr_text t = {0};

		cr_text_puts(&t, "");
		if (cr_view_ops_at(i)->save)
			cr_view_ops_at(i)->save(&s->views[i], &t);
		own[i] = t.p;
	}
	return own;
}

static bool
own_same(char *const *a, char *const *b)
{
	for (; *a; a++, b++)
		if (strcmp(*a, *b) != 0)
			return false;
	return true;
}

static struct cr_place
place_of(const struct cr_session *s)
{
	struct cr_place p = {
		.event = s->event,
		.zoom = s->zoom,
		.selection = s->selection,
		.sketching = {s->tree && s->tree->is_sketch, s->sketching.opened1,
			s->sketching.path1},
		.n_trail = s->n_trail,
		.trail = s->n_trail ? cr_memdup(s->trail, s->n_trail * sizeof(*s->trail)) : NULL,
		.pattern = s->pattern ? cr_strdup(s->pattern) : NULL,
		.literal = s->literal,
		.root_up = s->root_up,
		.palette = s->palette,
		.theme = s->theme,
		.change = s->change,
		.view = s->view,
		.split = s->split,
		.own = own_of(s),
	};

	cr_query_copy(&s->query, &p.query);
	return p;
}

static void
place_fini(struct cr_place *p)
{
	cr_query_fini(&p->query);
	for (size_t i = 0; p->own[i]; i++)
		free(p->own[i]);
	free(p->own);
	free(p->trail);
	free(p->pattern);
}

static bool
text_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* In what two places differ. */
enum {
	DIFFERS_SELECTION = 1,
	DIFFERS_SIZE = 2, /* of the panes */
	DIFFERS_ELSE = 4,
};

/* The trail follows from earlier zooms, so it is not compared. */
static bool
same_else(const struct cr_place *a, const struct cr_place *b)
{
	return a->event == b->event && a->zoom == b->zoom && a->view == b->view &&
	       a->root_up == b->root_up && a->palette == b->palette &&
	       cr_theme_same(&a->theme, &b->theme) && a->literal == b->literal &&
	       a->change.shown == b->change.shown && a->change.widths == b->change.widths &&
	       a->change.totals == b->change.totals && a->change.swapped == b->change.swapped &&
	       cr_query_same(&a->query, &b->query, CR_WORD_ANY) &&
	       text_same(a->pattern, b->pattern) && a->split.how == b->split.how &&
	       a->split.other == b->split.other && a->split.second == b->split.second &&
	       own_same(a->own, b->own);
}

static unsigned
differences(const struct cr_place *a, const struct cr_place *b)
{
	unsigned differ = same_else(a, b) ? 0 : DIFFERS_ELSE;

	if (!cr_selection_same(&a->selection, &b->selection))
		differ |= DIFFERS_SELECTION;
	if (memcmp(a->split.share, b->split.share, sizeof(a->split.share)) != 0)
		differ |= DIFFERS_SIZE;
	return differ;
}

struct cr_history *
cr_history_new(const struct cr_session *s)
{
	struct cr_history *h = cr_alloc(1, sizeof(*h));

	h->here = place_of(s);
	return h;
}

void
cr_history_free(struct cr_history *h)
{
	if (!h)
		return;
	place_fini(&h->here);
	for (size_t i = 0; i < h->back.n; i++)
		place_fini(&h->back.p[i]);
	for (size_t i = 0; i < h->ahead.n; i++)
		place_fini(&h->ahead.p[i]);
	cr_vec_fini(&h->back);
	cr_vec_fini(&h->ahead);
	free(h);
}

static void
history_forget_oldest(struct cr_history *h)
{
	place_fini(&h->back.p[0]);
	memmove(h->back.p, h->back.p + 1, (h->back.n - 1) * sizeof(*h->back.p));
	h->back.n--;
}

void
cr_history_note(struct cr_history *h, const struct cr_session *s)
{
	struct cr_place now = place_of(s);
	const unsigned differ = differences(&h->here, &now);

	if (!differ) {
		place_fini(&now);
		return;
	}
	for (; h->ahead.n; h->ahead.n--)
		place_fini(&h->ahead.p[h->ahead.n - 1]);
	if (differ == h->last && (differ == DIFFERS_SELECTION || differ == DIFFERS_SIZE)) {
		place_fini(&h->here);
	} else {
		if (h->back.n == STEPS_MAX)
			history_forget_oldest(h);
		cr_vec_push(&h->back, h->here);
	}
	h->here = now;
	h->last = differ;
}

void
cr_history_renumber(struct cr_history *h, const struct cr_session *s)
{
	place_fini(&h->here);
	h->here = place_of(s);
}

const struct cr_place *
cr_history_here(const struct cr_history *h)
{
	return &h->here;
}

const struct cr_place *
cr_history_peek(const struct cr_history *h, bool forward)
{
	if (forward)
		return h->ahead.n ? &h->ahead.p[h->ahead.n - 1] : NULL;
	return h->back.n ? &h->back.p[h->back.n - 1] : NULL;
}

void
cr_history_moved(struct cr_history *h, bool forward)
{
	if (forward) {
		cr_vec_push(&h->back, h->here);
		h->here = h->ahead.p[--h->ahead.n];
	} else {
		cr_vec_push(&h->ahead, h->here);
		h->here = h->back.p[--h->back.n];
	}
	h->last = 0;
}
