#include "screen_svg.h"

#include "base/mem.h"
#include "model/build/builder.h"
#include "model/tree/default_tree.h"
#include "session/load.h"
#include "session/profiles.h"
#include "session/session.h"
#include "store/store.h"
#include "tui/tui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Play x.keys on the terminal in memory and print the screen that comes of it, as text or as a
 * picture:
 *
 *	screen_tool [--svg] x.keys
 *
 * Lines of x.keys that begin with "# " and a word from the table below set things up; other
 * lines with '#' are comments; the rest is a script, see cr_term_memory_new().
 *
 * A profile is a file of folded stacks beside it, "a;b;c 12". A frame may be "dso!function",
 * with [kernel] for the kernel; \xHH is a byte; a line "event NAME" says which event the stacks
 * below it count, "event NAME UNIT" that their weights have a unit; one called off-cpu is derived.
 * A line "at PID/TID CPU FROM..TO" says that the samples below it are of this thread, on this
 * processor, spread evenly over these milliseconds; the time is their weight if the unit is ns. The
 * outermost frame is the comm. One that ends in ".cresset" is a stored profile of tests/fixtures,
 * or with a '/' in its name a path from the directory of x.keys. With "# store" the profiles of the
 * directory profiles beside it can be opened, with "# store DIRECTORY" those of another one;
 * "# no profile" begins without one.
 */
struct setup {
	char directory[512];
	char *profile[CR_SIDES];
	char *title[CR_SIDES];
	int32_t width, height;
	enum cr_color_depth colors;
	bool ascii, looks, is_empty;
	char store[512]; /* directory; "" for none */
	struct cr_text script;
};

static void
die(const char *what, const char *arg)
{
	fprintf(stderr, "screen_tool: %s: %s\n", what, arg);
	exit(2);
}

static char *
file_read(const char *path)
{
	FILE *f = fopen(path, "r");
	struct cr_text t = {0};
	char block[4096];
	size_t n;

	if (!f)
		die("cannot open", path);
	cr_text_puts(&t, "");
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		cr_text_put(&t, block, n);
	fclose(f);
	return t.p;
}

/* ---- profiles */

static size_t
unescape(char *s)
{
	char *to = s;

	for (const char *at = s; *at; at++) {
		unsigned byte;

		if (at[0] == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			at += 3;
		} else {
			*to++ = *at;
		}
	}
	return (size_t)(to - s);
}

static cr_location_id
frame_add(struct cr_builder *b, char *frame)
{
	struct cr_dso o = {.name = CR_STR("/usr/bin/demo"), .kind = CR_KIND_USER};
	char *bang = strchr(frame, '!');
	char *name = bang && bang[1] ? bang + 1 : frame;

	if (name != frame) {
		*bang = '\0';
		o.name = (struct cr_str){frame, (uint32_t)unescape(frame)};
		if (strcmp(frame, "[kernel]") == 0)
			o = (struct cr_dso){
				.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL};
	}
	return cr_builder_named(
		b, (struct cr_str){name, (uint32_t)unescape(name)}, cr_builder_dso(b, &o));
}

/* What a line "at ..." says. */
struct place {
	int pid, tid, cpu;
	long from_ms, to_ms;
	bool timed, has_ns;
};

#define MS_NS 1000000L

static void
stack_add(struct cr_builder *b, char *line, cr_event_id event, const struct place *at,
	cr_address_space_id space)
{
	char *blank = strrchr(line, ' '), *rest;
	struct cr_sample s = {.weight = 1, .node = CR_ROOT, .event = event, .cpu = UINT16_MAX};
	long count, each_ns;

	if (!blank)
		die("no count", line);
	*blank = '\0';
	count = strtol(blank + 1, NULL, 10);
	rest = strtok(line, ";");
	s.task = cr_builder_task(
		b, at->pid, at->tid, (struct cr_str){rest, (uint32_t)unescape(rest)}, space);
	while ((rest = strtok(NULL, ";")))
		s.node = cr_builder_push(b, s.node, frame_add(b, rest));
	each_ns = at->timed ? (at->to_ms - at->from_ms) * MS_NS / count : 0;
	if (at->timed)
		s.cpu = (uint16_t)at->cpu;
	if (at->has_ns)
		s.weight = (uint64_t)each_ns;
	for (long i = 0; i < count; i++) {
		s.time_ns = at->timed ? (uint64_t)(1000 * MS_NS + at->from_ms * MS_NS + i * each_ns)
				      : 0;
		cr_builder_sample(b, &s);
	}
}

/* "event NAME", or "event NAME UNIT". */
static cr_event_id
event_add(struct cr_builder *b, char *name, struct place *at)
{
	char *unit = strchr(name, ' ');

	if (unit)
		*unit++ = '\0';
	at->has_ns = unit && strcmp(unit, "ns") == 0;
	if (strcmp(name, "off-cpu") == 0)
		cr_builder_fact(b, "derived events", CR_STR("off-cpu"));
	return cr_builder_event(b, cr_str_of(name), cr_str_of(unit ? unit : "samples"));
}

/* Is it a line "at ..."? */
static bool
place_read(const char *line, struct place *at)
{
	at->timed |= sscanf(line, "at %d/%d %d %ld..%ld", &at->pid, &at->tid, &at->cpu,
			     &at->from_ms, &at->to_ms) == 5;
	return strncmp(line, "at ", 3) == 0;
}

static bool
is_stored(const char *name)
{
	return cr_str_ends(cr_str_of(name), ".cresset");
}

static struct cr_profile *
stored_read(const char *path)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;

	if (cr_store_open(path, CR_STORE_DEFAULT_TREE, &p, &log, &err) < 0)
		die(path, err.text);
	return p;
}

static struct cr_profile *
folded_read(const char *path)
{
	struct cr_builder *b = cr_builder_new(NULL);
	cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("samples"));
	const cr_address_space_id space = cr_builder_address_space(b);
	char *text = file_read(path);
	struct cr_err err = CR_ERR_INIT;
	struct place at = {.pid = 100, .tid = 100};
	struct cr_profile *p;

	for (char *line = text, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (strncmp(line, "event ", 6) == 0)
			event = event_add(b, line + 6, &at);
		else if (*line && !place_read(line, &at))
			stack_add(b, line, event, &at, space);
	}
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_HAS_SAMPLES |
				    (at.timed ? CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU : 0));
	cr_builder_fact(b, "duration_ns", CR_STR("60000000000"));
	if (cr_builder_finish(b, NULL, &p, &err) < 0)
		die(path, err.text);
	cr_default_tree_make(p);
	cr_builder_free(b);
	free(text);
	return p;
}

static struct cr_profile *
profile_read(const char *path)
{
	return is_stored(path) ? stored_read(path) : folded_read(path);
}

/* ---- the script */

/* The title that cresset gives a profile with this path: "demo" of "../../data/demo.cresset". */
static char *
title_of(const char *path)
{
	struct cr_str s = cr_str_basename(cr_str_of(path));

	if (cr_str_ends(s, CR_STORE_SUFFIX))
		s.len -= (uint32_t)strlen(CR_STORE_SUFFIX);
	return cr_memdup(s.p, s.len);
}

static void
profile_named(struct setup *u, uint32_t side, const char *name)
{
	struct cr_text path = {0};

	if (is_stored(name) && strchr(name, '/'))
		cr_text_printf(&path, "%s/%s", u->directory, name);
	else if (is_stored(name))
		cr_text_printf(&path, "%s/../fixtures/%s", u->directory, name);
	else
		cr_text_printf(&path, "%s/%s.folded", u->directory, name);
	free(u->profile[side]);
	free(u->title[side]);
	u->profile[side] = path.p;
	u->title[side] = strchr(name, '/') ? title_of(name) : cr_strdup(name);
}

static void
directive(struct setup *u, const char *line)
{
	static const char *const depths[] = {"none", "8", "16", "256", "direct"};
	char a[64], b[64];
	int n;

	if (sscanf(line, "# screen %dx%d", &u->width, &u->height) == 2)
		return;
	if ((n = sscanf(line, "# profile %63s %63s", a, b)) > 0) {
		profile_named(u, 0, a);
		if (n == 2)
			profile_named(u, 1, b);
		return;
	}
	if (sscanf(line, "# colors %63s", a) == 1)
		for (size_t i = 0; i < CR_LEN(depths); i++)
			if (strcmp(a, depths[i]) == 0)
				u->colors = (enum cr_color_depth)i;
	if (strcmp(line, "# ascii") == 0)
		u->ascii = true;
	if (strcmp(line, "# looks") == 0)
		u->looks = true;
	if (sscanf(line, "# store %63s", a) == 1)
		snprintf(u->store, sizeof(u->store), "%s", a);
	else if (strcmp(line, "# store") == 0)
		snprintf(u->store, sizeof(u->store), "profiles");
	if (strcmp(line, "# no profile") == 0)
		u->is_empty = true;
}

static void
script_read(struct setup *u, const char *path)
{
	char *text = file_read(path);

	for (char *line = text, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (*line == '#')
			directive(u, line);
		else
			cr_text_puts(&u->script, line);
	}
	cr_text_puts(&u->script, "");
	free(text);
}

int
main(int argc, char **argv)
{
	struct setup u = {.width = 80, .height = 24, .colors = CR_COLORS_DIRECT};
	char store[1100], *slash;
	const struct cr_load_opts load = {.store_dir = store, .no_cache = true};
	struct cr_err err = CR_ERR_INIT;
	struct cr_text screen = {0};
	struct cr_session *s;
	const bool svg = argc > 1 && strcmp(argv[1], "--svg") == 0;
	struct cr_term *t;

	if (argc != 2 + svg)
		die("usage", "screen_tool [--svg] x.keys");
	argv += svg;
	snprintf(u.directory, sizeof(u.directory), "%s", argv[1]);
	slash = strrchr(u.directory, '/');
	snprintf(slash ? slash : u.directory, 2, "%s", slash ? "" : ".");
	profile_named(&u, 0, "nginx");
	script_read(&u, argv[1]);
	snprintf(store, sizeof(store), "%s/%s", u.directory, u.store);
	if (u.is_empty ? cr_session_new_empty(&s, &err) < 0
		       : cr_session_new(profile_read(u.profile[0]), u.title[0],
				 u.profile[1] ? profile_read(u.profile[1]) : NULL, u.title[1], NULL,
				 NULL, &s, &err) < 0)
		die(argv[1], err.text);
	cr_session_set_store(s, *u.store ? &load : NULL);
	t = cr_term_memory_new(u.width, u.height, u.script.p);
	t->colors = u.colors;
	t->unicode = !u.ascii;
	cr_tui_run(s, t, NULL);
	if (svg)
		screen_put_svg(cr_term_memory_grid(t), &screen);
	else
		cr_grid_dump(cr_term_memory_grid(t), u.looks, &screen);
	fwrite(screen.p, 1, screen.len, stdout);
	t->close(t);
	cr_session_free(s);
	cr_text_fini(&screen);
	cr_text_fini(&u.script);
	for (uint32_t side = 0; side < CR_SIDES; side++) {
		free(u.profile[side]);
		free(u.title[side]);
	}
	return 0;
}
