#include "tui/term.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory_term {
	struct cr_term term; /* must be first: callers get its address */
	struct cr_grid shown;
	char *script;
	const char *at;
	int32_t width, height;
	unsigned draws;
	char *copied; /* the last one; NULL if nothing was copied */
	char *title;
	bool pasting, ahead, busy, mouse_off;
};

static const struct {
	const char *name;
	uint32_t key;
} named_keys[] = {
	{"up", CR_KEY_UP},
	{"down", CR_KEY_DOWN},
	{"left", CR_KEY_LEFT},
	{"right", CR_KEY_RIGHT},
	{"home", CR_KEY_HOME},
	{"end", CR_KEY_END},
	{"pgup", CR_KEY_PGUP},
	{"pgdn", CR_KEY_PGDN},
	{"enter", CR_KEY_ENTER},
	{"esc", CR_KEY_ESC},
	{"tab", CR_KEY_TAB},
	{"backtab", CR_KEY_BACKTAB},
	{"bs", CR_KEY_BACKSPACE},
	{"del", CR_KEY_DELETE},
	{"f1", CR_KEY_F1},
	{"lt", '<'},
	{"space", ' '},
	{"^a", 'a' & 31},
	{"^e", 'e' & 31},
	{"^k", 'k' & 31},
	{"^l", 'l' & 31},
	{"^r", 'r' & 31},
	{"^u", 'u' & 31},
	{"^w", 'w' & 31},
	{"ins", CR_KEY_INSERT},
	{"f2", CR_KEY_F1 + 1},
	{"f10", CR_KEY_F1 + 9},
	{"other", CR_KEY_OTHER},
	{"^z", 'z' & 31},
	{"^c", CR_KEY_INTERRUPT},
	{"hangup", CR_KEY_HANGUP},
};

static const struct {
	const char *name;
	enum cr_mouse mouse;
} named_mice[] = {
	{"click", CR_MOUSE_CLICK},
	{"double", CR_MOUSE_DOUBLE},
	{"wheel-up", CR_MOUSE_WHEEL_UP},
	{"wheel-down", CR_MOUSE_WHEEL_DOWN},
	{"right-click", CR_MOUSE_RIGHT},
	{"drag", CR_MOUSE_DRAG},
	{"release", CR_MOUSE_RELEASE},
};

static void
memory_size(struct cr_term *t, int32_t *width, int32_t *height)
{
	const struct memory_term *m = (struct memory_term *)t;

	*width = m->width;
	*height = m->height;
}

static void
memory_draw(struct cr_term *t, const struct cr_grid *g)
{
	struct memory_term *m = (struct memory_term *)t;

	cr_grid_resize(&m->shown, g->width, g->height);
	memcpy(m->shown.cells, g->cells, (size_t)g->width * (size_t)g->height * sizeof(*g->cells));
	m->shown.cursor_x = g->cursor_x;
	m->shown.cursor_y = g->cursor_y;
	m->draws++;
}

/* "<name>" or "<name 3,4>". An unknown name is an error in the script: abort. */
static void
memory_read_named(struct memory_term *m, struct cr_input_event *out)
{
	const size_t len = strcspn(m->at, ">");
	char *word = cr_memdup(m->at + 1, len - 1);
	char name[16];
	int a = 0, b = 0;
	char between = ' ';
	const int n = sscanf(word, "%15s %d%c%d", name, &a, &between, &b);

	m->at += len + (m->at[len] == '>');
	*out = (struct cr_input_event){.key = CR_KEY_NONE, .x = a, .y = b};
	for (size_t i = 0; n == 1 && i < CR_LEN(named_keys); i++)
		if (strcmp(name, named_keys[i].name) == 0)
			out->key = named_keys[i].key;
	for (size_t i = 0; n == 4 && i < CR_LEN(named_mice); i++) {
		if (strcmp(name, named_mice[i].name) != 0)
			continue;
		out->key = CR_KEY_MOUSE;
		out->mouse = named_mice[i].mouse;
	}
	if (n == 4 && strcmp(name, "resize") == 0) {
		out->key = CR_KEY_RESIZE;
		m->width = a;
		m->height = b;
	}
	if (out->key == CR_KEY_NONE) {
		fprintf(stderr, "no key <%s>\n", word);
		out->key = CR_KEY_HANGUP;
		m->at += strlen(m->at);
	}
	free(word);
}

/* Marks that are no keys: the start or the end of a mode. */
static bool
memory_read_mark(struct memory_term *m)
{
	const struct {
		const char *mark;
		bool *what, on;
	} marks[] = {
		{"<paste>", &m->pasting, true},
		{"</paste>", &m->pasting, false},
		{"<ahead>", &m->ahead, true},
		{"</ahead>", &m->ahead, false},
		{"<busy>", &m->busy, true},
		{"</busy>", &m->busy, false},
	};

	for (size_t i = 0; i < CR_LEN(marks); i++) {
		if (strncmp(m->at, marks[i].mark, strlen(marks[i].mark)) != 0)
			continue;
		*marks[i].what = marks[i].on;
		m->at += strlen(marks[i].mark);
		return true;
	}
	return false;
}

static void
memory_skip(struct memory_term *m)
{
	do
		m->at += strspn(m->at, "\n");
	while (memory_read_mark(m));
}

static void
memory_read(struct cr_term *t, struct cr_input_event *out)
{
	struct memory_term *m = (struct memory_term *)t;
	unsigned used;

	memory_skip(m);
	*out = (struct cr_input_event){.key = CR_KEY_HANGUP};
	if (!*m->at)
		return;
	if (*m->at == '<') {
		memory_read_named(m, out);
		if (!m->pasting)
			return;
		out->key = out->key == CR_KEY_ENTER ? '\n'
			   : out->key == CR_KEY_TAB ? '\t'
						    : out->key;
	} else {
		out->key = cr_utf8_decode(m->at, strlen(m->at), &used);
		m->at += used;
	}
	out->pasted = m->pasting;
}

/* Keys are typed while a command runs only between <busy> and </busy>. */
static bool
memory_read_until(struct cr_term *t, int fd, int ms, struct cr_input_event *out)
{
	struct memory_term *m = (struct memory_term *)t;
	struct pollfd p = {.fd = fd, .events = POLLIN};

	(void)ms;
	memory_skip(m);
	if (fd >= 0 && m->busy && *m->at) {
		memory_read(t, out);
		return true;
	}
	if (fd >= 0)
		poll(&p, 1, -1);
	return false;
}

static bool
memory_pending(struct cr_term *t)
{
	struct memory_term *m = (struct memory_term *)t;

	memory_skip(m);
	return m->ahead && *m->at;
}

/* For functions that need no action in memory. */
static void
memory_nothing(struct cr_term *t)
{
	(void)t;
}

static void
memory_aside(struct cr_term *t, void (*run)(void *user), void *user)
{
	(void)t;
	run(user);
}

static void
memory_mouse(struct cr_term *t, bool on)
{
	((struct memory_term *)t)->mouse_off = !on;
}

static void
memory_copy(struct cr_term *t, struct cr_str text)
{
	struct memory_term *m = (struct memory_term *)t;

	free(m->copied);
	m->copied = cr_memdup(text.p, text.len);
}

static void
memory_title(struct cr_term *t, const char *title)
{
	struct memory_term *m = (struct memory_term *)t;

	free(m->title);
	m->title = cr_strdup(title);
}

static void
memory_close(struct cr_term *t)
{
	struct memory_term *m = (struct memory_term *)t;

	free(m->copied);
	free(m->title);
	cr_grid_fini(&m->shown);
	free(m->script);
	free(m);
}

struct cr_term *
cr_term_memory_new(int32_t width, int32_t height, const char *script)
{
	struct memory_term *m = cr_alloc(1, sizeof(*m));

	m->term = (struct cr_term){
		.colors = CR_COLORS_DIRECT,
		.unicode = true,
		.size = memory_size,
		.draw = memory_draw,
		.read = memory_read,
		.read_until = memory_read_until,
		.pending = memory_pending,
		.waits = memory_pending,
		.redraw = memory_nothing,
		.aside = memory_aside,
		.mouse = memory_mouse,
		.copy = memory_copy,
		.title = memory_title,
		.suspend = memory_nothing,
		.close = memory_close,
	};
	m->width = width;
	m->height = height;
	m->script = cr_strdup(script);
	m->at = m->script;
	cr_grid_init(&m->shown, width, height);
	return &m->term;
}

const char *
cr_term_memory_copied(const struct cr_term *t)
{
	const char *copied = ((const struct memory_term *)t)->copied;

	return copied ? copied : "";
}

const char *
cr_term_memory_title(const struct cr_term *t)
{
	const char *title = ((const struct memory_term *)t)->title;

	return title ? title : "";
}

unsigned
cr_term_memory_draws(const struct cr_term *t)
{
	return ((const struct memory_term *)t)->draws;
}

const struct cr_grid *
cr_term_memory_grid(const struct cr_term *t)
{
	return &((const struct memory_term *)t)->shown;
}
