#include "session/profiles.h"

#include "history_p.h"
#include "profiles_p.h"
#include "session_p.h"
#include "split_layout_p.h"

#include "base/mem.h"
#include "base/secure.h"
#include "model/build/builder.h"
#include "model/tree/default_tree.h"
#include "session/load.h"
#include "session/views/view.h"
#include "store/catalog.h"
#include "store/store.h"

#include <stdlib.h>

/* Rows of views.def that are shown first: the flame graph, and the table of functions. */
#define VIEW_OF_PROFILE 0
#define VIEW_OF_DIFFERENCE 1

#define EARLIER_MOST 4 /* profiles that stay open for the way back */

void
cr_session_set_store(struct cr_session *s, const struct cr_load_opts *load)
{
	s->load = load;
}

void
cr_session_stored_names(
	const struct cr_session *s, void (*each)(void *user, const char *name), void *user)
{
	struct cr_catalog stored = {.n = 0};
	struct cr_err unused = CR_ERR_INIT;
	char *dir = NULL;

	if (s->load && cr_catalog_dir(s->load->store_dir, &dir, &unused) == CR_OK &&
		cr_catalog_list(dir, &stored, &unused) == CR_OK) {
		for (size_t i = 0; i < stored.n; i++)
			each(user, stored.entries[i].name);
		cr_catalog_fini(&stored);
	}
	free(dir);
}

/* ---- no profile */

/* Views show a tree, so there is one sample, which costs nothing. */
static int
empty_profile(struct cr_profile **out, struct cr_err *err)
{
	struct cr_builder *b = cr_builder_new(NULL);
	struct cr_sample sample = {.node = CR_ROOT, .cpu = CR_CPU_NONE};
	int rc;

	sample.event = cr_builder_event(b, CR_STR("none"), CR_STR("none"));
	cr_builder_sample(b, &sample);
	if ((rc = cr_builder_finish(b, NULL, out, err)) == CR_OK)
		cr_default_tree_make(*out);
	cr_builder_free(b);
	return rc;
}

int
cr_session_new_empty(struct cr_session **out, struct cr_err *err)
{
	struct cr_profile *p;
	int rc;

	*out = NULL;
	if ((rc = empty_profile(&p, err)) < 0 ||
		(rc = cr_session_new(p, "no profile", NULL, NULL, NULL, NULL, out, err)) < 0)
		return rc;
	(*out)->is_empty = true;
	return CR_OK;
}

bool
cr_session_is_empty(const struct cr_session *s)
{
	return s->is_empty;
}

/* ---- another profile in the place of the one that is shown */

static void
swap(struct cr_session *a, struct cr_session *b)
{
	const struct cr_session was = *a;

	*a = *b;
	*b = was;
	/* What is of the browser, and not of a profile, stays with the browser. */
	b->script = a->script;
	a->script = was.script;
	b->custom = a->custom;
	a->custom = was.custom;
	a->depth = was.depth;
	a->macro_depth = was.macro_depth;
	a->mouse_off = was.mouse_off;
	a->on_screen = was.on_screen;
}

/* What the user has set stays as it is, and the panes keep their places. */
static void
keep_settings(const struct cr_session *from, struct cr_session *to)
{
	to->load = from->load;
	to->palette = from->palette;
	to->theme = from->theme;
	to->root_up = from->root_up;
	to->width = from->width;
	to->height = from->height;
}

static void
forget_oldest(struct cr_session *s)
{
	for (int n = 0; s; n++, s = s->earlier)
		if (n == EARLIER_MOST) {
			cr_session_free(s->earlier);
			s->earlier = NULL;
		}
}

static int
load(const struct cr_session *s, const char *name, struct cr_profile **out, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	struct cr_log log = {0}; /* what is lost is in the profile's quality too */

	if (!s->load)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "no other profile can be opened here");
	if (cr_load(name, CR_STORE_DEFAULT_TREE, s->load, out, &log, &why) == CR_OK)
		return CR_OK;
	return cr_fail(err, why.code, why.offset, "%s: %s", name, why.text);
}

/* "demo" of "demo", "/tmp/demo.cresset". */
static char *
title_of(const char *name)
{
	struct cr_str s = cr_str_basename(cr_str_of(name));

	if (cr_str_ends(s, CR_STORE_SUFFIX))
		s.len -= (uint32_t)strlen(CR_STORE_SUFFIX);
	return cr_memdup(s.p, s.len);
}

/*
 * Show another session in the place of s, which becomes the one before. The view that is shown
 * first, row `view` of views.def, is no step of undo: one undo comes back to s.
 */
static void
show(struct cr_session *s, struct cr_session *other, uint32_t view)
{
	keep_settings(s, other);
	other->view = s->view;
	other->split = s->split;
	cr_split_apply(other);
	cr_session_free(s->later);
	s->later = NULL;
	swap(s, other); /* now other is what was shown */
	s->earlier = other;
	forget_oldest(s);
	cr_session_set_view(s, s->views + view);
	cr_history_free(s->history);
	s->history = cr_history_new(s);
}

int
cr_session_compare_time(struct cr_session *s, struct cr_err *err)
{
	const struct cr_selection *n = &s->selection;
	struct cr_session *other;
	int rc;

	if (s->sides == 2)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"this is a difference already; its time cannot be compared");
	if ((rc = cr_session_new_by_time(s, n->from_ns, n->to_ns, &other, err)) == CR_OK)
		show(s, other, VIEW_OF_DIFFERENCE);
	return rc;
}

int
cr_session_open(struct cr_session *s, const char *before, const char *after, struct cr_err *err)
{
	struct cr_profile *p[CR_SIDES] = {NULL, NULL};
	char *title[CR_SIDES] = {title_of(before), after ? title_of(after) : NULL};
	const struct cr_comparison how = {.for_screen = s->on_screen};
	struct cr_session *other = NULL;
	int rc;

	if ((rc = cr_secure_check("open", err)) == CR_OK)
		rc = load(s, before, &p[0], err);
	if (rc == CR_OK && after)
		rc = load(s, after, &p[1], err);
	if (rc < 0)
		cr_profile_free(p[0]);
	else
		rc = cr_session_new(p[0], title[0], p[1], title[1], NULL, &how, &other, err);
	if (rc == CR_OK) {
		cr_session_set_sources(other, 0, &before, 1);
		cr_session_set_sources(other, 1, &after, after ? 1 : 0);
		show(s, other, VIEW_OF_PROFILE);
	}
	free(title[0]);
	free(title[1]);
	return rc;
}

bool
cr_session_turn(struct cr_session *s, bool forward)
{
	struct cr_session *other = forward ? s->later : s->earlier;

	if (!other)
		return false;
	keep_settings(s, other);
	cr_split_apply(other);
	swap(s, other);
	/* What was shown is one step off now, in the other direction. */
	if (forward) {
		s->earlier = other;
		other->later = NULL;
	} else {
		s->later = other;
		other->earlier = NULL;
	}
	return true;
}
