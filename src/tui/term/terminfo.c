#include "terminfo_p.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#include <curses.h>
#include <term.h>

#define MAGIC_32 0x21eu   /* of a compiled description whose numbers have 32 bits */
#define ABSENT UINT32_MAX /* a number or text that the terminal does not have */

/* A capability: a flag, a number, or a text. */
struct cap {
	const char *name, *text;
	uint32_t number;
};

/* ---- built-in descriptions, in parts that several terminals have */

static const struct cap moves[] = {
	{"am", NULL, 0},
	{"msgr", NULL, 0},
	{"xenl", NULL, 0},
	{"it", NULL, 8},
	{"bel", "\a", 0},
	{"cr", "\r", 0},
	{"ht", "\t", 0},
	{"ind", "\n", 0},
	{"cub1", "\b", 0},
	{"cud1", "\n", 0},
	{"cuu1", "\033[A", 0},
	{"cuf1", "\033[C", 0},
	{"cub", "\033[%p1%dD", 0},
	{"cuf", "\033[%p1%dC", 0},
	{"cuu", "\033[%p1%dA", 0},
	{"cud", "\033[%p1%dB", 0},
	{"cup", "\033[%i%p1%d;%p2%dH", 0},
	{"home", "\033[H", 0},
	{"clear", "\033[H\033[J", 0},
	{"ed", "\033[J", 0},
	{"el", "\033[K", 0},
	{"el1", "\033[1K", 0},
	{"csr", "\033[%i%p1%d;%p2%dr", 0},
	{"ri", "\033M", 0},
	{"sc", "\0337", 0},
	{"rc", "\0338", 0},
	{"sgr0", "\033[m", 0},
	{"bold", "\033[1m", 0},
	{"smul", "\033[4m", 0},
	{"rmul", "\033[24m", 0},
	{"rev", "\033[7m", 0},
};

/* Of all but the VT100. */
static const struct cap edits[] = {
	{"AX", NULL, 0},
	{"dim", "\033[2m", 0},
	{"dch", "\033[%p1%dP", 0},
	{"dch1", "\033[P", 0},
	{"dl", "\033[%p1%dM", 0},
	{"dl1", "\033[M", 0},
	{"ich", "\033[%p1%d@", 0},
	{"il", "\033[%p1%dL", 0},
	{"il1", "\033[L", 0},
	{"hpa", "\033[%i%p1%dG", 0},
	{"vpa", "\033[%i%p1%dd", 0},
	{"ech", "\033[%p1%dX", 0},
	{"civis", "\033[?25l", 0},
	{"cnorm", "\033[?25h", 0},
	{"op", "\033[39;49m", 0},
	{"kbs", "\177", 0},
	{"khome", "\033[1~", 0},
	{"kich1", "\033[2~", 0},
	{"kdch1", "\033[3~", 0},
	{"kend", "\033[4~", 0},
	{"kpp", "\033[5~", 0},
	{"knp", "\033[6~", 0},
	{"kcbt", "\033[Z", 0},
	{"kf6", "\033[17~", 0},
	{"kf7", "\033[18~", 0},
	{"kf8", "\033[19~", 0},
	{"kf9", "\033[20~", 0},
	{"kf10", "\033[21~", 0},
	{"kf11", "\033[23~", 0},
	{"kf12", "\033[24~", 0},
};

/* Of terminals that are windows. */
static const struct cap windows[] = {
	{"smcup", "\033[?1049h", 0},
	{"rmcup", "\033[?1049l", 0},
	{"kf5", "\033[15~", 0},
	{"kmous", "\033[M", 0},
};

static const struct cap xterm[] = {
	{"bce", NULL, 0},
	{"indn", "\033[%p1%dS", 0},
	{"khome", "\033OH", 0},
	{"kend", "\033OF", 0},
	{"kmous", "\033[<", 0},
	{"XM", "\033[?1006;1000%?%p1%{1}%=%th%el%;", 0},
};

/* Keys in application mode. */
static const struct cap application_keys[] = {
	{"smkx", "\033[?1h\033=", 0},
	{"rmkx", "\033[?1l\033>", 0},
	{"kcub1", "\033OD", 0},
	{"kcud1", "\033OB", 0},
	{"kcuf1", "\033OC", 0},
	{"kcuu1", "\033OA", 0},
	{"kf1", "\033OP", 0},
	{"kf2", "\033OQ", 0},
	{"kf3", "\033OR", 0},
	{"kf4", "\033OS", 0},
};

static const struct cap console_keys[] = {
	{"bce", NULL, 0},
	{"ncv", NULL, 18},
	{"kcub1", "\033[D", 0},
	{"kcud1", "\033[B", 0},
	{"kcuf1", "\033[C", 0},
	{"kcuu1", "\033[A", 0},
	{"kf1", "\033[[A", 0},
	{"kf2", "\033[[B", 0},
	{"kf3", "\033[[C", 0},
	{"kf4", "\033[[D", 0},
	{"kf5", "\033[[E", 0},
};

static const struct cap vt100_keys[] = {
	{"rmul", "\033[m", 0},
	{"kbs", "\b", 0},
};

static const struct cap colors_8[] = {
	{"colors", NULL, 8},
	{"pairs", NULL, 64},
	{"setaf", "\033[3%p1%dm", 0},
	{"setab", "\033[4%p1%dm", 0},
};

static const struct cap colors_256[] = {
	{"colors", NULL, 256},
	{"pairs", NULL, 65536},
	{"setaf", "\033[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m", 0},
	{"setab", "\033[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m", 0},
};

static const struct cap colors_direct[] = {
	{"RGB", NULL, 0},
	{"colors", NULL, 1 << 24},
	{"pairs", NULL, 65536},
	{"setaf",
		"\033[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;"
		"%p1%{255}%&%d%;m",
		0},
	{"setab",
		"\033[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;"
		"%p1%{255}%&%d%;m",
		0},
};

struct part {
	const struct cap *caps;
	size_t n;
};

#define PART(caps)                 \
	{                          \
		caps, CR_LEN(caps) \
	}
#define PARTS_MOST 6
#define OF_XTERM PART(moves), PART(edits), PART(windows), PART(xterm), PART(application_keys)
#define OF_TMUX PART(moves), PART(edits), PART(windows), PART(application_keys)

/* Later parts override earlier ones. The first name that a type begins with is used. */
static const struct {
	const char *name;
	struct part parts[PARTS_MOST];
} terminals[] = {
	{"xterm-256color", {OF_XTERM, PART(colors_256)}},
	{"xterm-kitty", {OF_XTERM, PART(colors_256)}},
	{"xterm-ghostty", {OF_XTERM, PART(colors_256)}},
	{"xterm", {OF_XTERM, PART(colors_8)}},
	{"alacritty", {OF_XTERM, PART(colors_256)}},
	{"foot", {OF_XTERM, PART(colors_256)}},
	{"wezterm", {OF_XTERM, PART(colors_256)}},
	{"tmux-256color", {OF_TMUX, PART(colors_256)}},
	{"tmux", {OF_TMUX, PART(colors_8)}},
	{"screen-256color", {OF_TMUX, PART(colors_256)}},
	{"screen", {OF_TMUX, PART(colors_8)}},
	{"linux", {PART(moves), PART(edits), PART(console_keys), PART(colors_8)}},
	{"vt100", {PART(moves), PART(application_keys), PART(vt100_keys)}},
};

/* ---- a description, by the numbers of terminfo */

/* A capability that terminfo has no number for. */
struct extended {
	const char *name, *text; /* text NULL: a flag */
};

struct description {
	size_t n_flags, n_numbers, n_texts;
	uint8_t *flags;
	uint32_t *numbers;
	const char **texts;               /* NULL: the terminal does not have it */
	CR_VEC(struct extended) extended; /* flags first */
};

static size_t
count(NCURSES_CONST char *const *names)
{
	size_t n = 0;

	while (names[n])
		n++;
	return n;
}

static void
description_init(struct description *d)
{
	*d = (struct description){.n_flags = count(boolnames),
		.n_numbers = count(numnames),
		.n_texts = count(strnames)};
	d->flags = cr_alloc(d->n_flags, sizeof(*d->flags));
	d->numbers = cr_alloc(d->n_numbers, sizeof(*d->numbers));
	d->texts = cr_alloc(d->n_texts, sizeof(*d->texts));
	for (size_t i = 0; i < d->n_numbers; i++)
		d->numbers[i] = ABSENT;
}

static void
description_fini(struct description *d)
{
	free(d->flags);
	free(d->numbers);
	free(d->texts);
	cr_vec_fini(&d->extended);
}

static size_t
number_of(NCURSES_CONST char *const *names, const char *name)
{
	size_t i = 0;

	while (names[i] && strcmp(names[i], name) != 0)
		i++;
	return i;
}

static void
add_cap(struct description *d, const struct cap *c)
{
	const size_t flag = number_of(boolnames, c->name), number = number_of(numnames, c->name);
	const size_t text = number_of(strnames, c->name);

	if (flag < d->n_flags)
		d->flags[flag] = 1;
	else if (number < d->n_numbers)
		d->numbers[number] = c->number;
	else if (text < d->n_texts)
		d->texts[text] = c->text;
	else
		cr_vec_push(&d->extended, ((struct extended){c->name, c->text}));
}

static void
add_part(struct description *d, struct part part)
{
	for (size_t i = 0; i < part.n; i++)
		add_cap(d, &part.caps[i]);
}

/* ---- the compiled form: bytes, as hexadecimal digits */

static void
put_bytes(struct cr_text *out, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cr_text_printf(out, "%02X", ((const uint8_t *)bytes)[i]);
}

static void
put_short(struct cr_text *out, size_t v)
{
	const uint8_t bytes[2] = {(uint8_t)v, (uint8_t)(v >> 8)};

	put_bytes(out, bytes, sizeof(bytes));
}

/* To an even number of bytes. */
static void
put_even(struct cr_text *out, size_t bytes)
{
	if (bytes % 2)
		put_bytes(out, "", 1);
}

/* Append a text and its NUL to the table of texts, and its offset there to the output. */
static void
put_offset(struct cr_text *out, struct cr_text *table, const char *text)
{
	put_short(out, text ? table->len : 0xffff);
	if (text)
		cr_text_put(table, text, strlen(text) + 1);
}

static void
put_standard(const struct description *d, const char *type, struct cr_text *out)
{
	const size_t name = strlen(type) + 1;
	struct cr_text table = {0}, offsets = {0};

	for (size_t i = 0; i < d->n_texts; i++)
		put_offset(&offsets, &table, d->texts[i]);
	put_short(out, MAGIC_32);
	put_short(out, name);
	put_short(out, d->n_flags);
	put_short(out, d->n_numbers);
	put_short(out, d->n_texts);
	put_short(out, table.len);
	put_bytes(out, type, name);
	put_bytes(out, d->flags, d->n_flags);
	put_even(out, name + d->n_flags);
	for (size_t i = 0; i < d->n_numbers; i++) {
		put_short(out, d->numbers[i] & 0xffff);
		put_short(out, d->numbers[i] >> 16);
	}
	cr_text_str(out, cr_text_view(&offsets));
	put_bytes(out, table.p, table.len);
	put_even(out, table.len);
	cr_text_fini(&table);
	cr_text_fini(&offsets);
}

/* Texts come first in the table, then names, whose offsets count from there. */
static void
put_extended(const struct description *d, struct cr_text *out)
{
	struct cr_text texts = {0}, names = {0}, offsets = {0}, name_offsets = {0};
	size_t flags = 0;

	for (size_t i = 0; i < d->extended.n; i++) {
		flags += !d->extended.p[i].text;
		if (d->extended.p[i].text)
			put_offset(&offsets, &texts, d->extended.p[i].text);
		put_offset(&name_offsets, &names, d->extended.p[i].name);
	}
	put_short(out, flags);
	put_short(out, 0); /* numbers */
	put_short(out, d->extended.n - flags);
	put_short(out, d->extended.n + d->extended.n - flags);
	put_short(out, texts.len + names.len);
	for (size_t i = 0; i < flags; i++)
		put_bytes(out, "\1", 1);
	put_even(out, flags);
	if (offsets.len)
		cr_text_str(out, cr_text_view(&offsets));
	cr_text_str(out, cr_text_view(&name_offsets));
	put_bytes(out, texts.p, texts.len);
	put_bytes(out, names.p, names.len);
	cr_text_fini(&texts);
	cr_text_fini(&names);
	cr_text_fini(&offsets);
	cr_text_fini(&name_offsets);
}

static int
flags_first(const void *a, const void *b)
{
	const struct extended *x = a, *y = b;

	return (x->text != NULL) - (y->text != NULL);
}

static void
put_description(struct description *d, const char *type, struct cr_text *out)
{
	cr_text_puts(out, "hex:");
	put_standard(d, type, out);
	if (d->extended.n) {
		qsort(d->extended.p, d->extended.n, sizeof(*d->extended.p), flags_first);
		put_extended(d, out);
	}
}

/* ---- */

bool
cr_terminfo_builtin(const char *type, struct cr_text *out)
{
	struct description d;

	for (size_t i = 0; i < CR_LEN(terminals); i++) {
		if (strncmp(type, terminals[i].name, strlen(terminals[i].name)) != 0)
			continue;
		description_init(&d);
		for (size_t k = 0; k < PARTS_MOST && terminals[i].parts[k].n; k++)
			add_part(&d, terminals[i].parts[k]);
		put_description(&d, type, out);
		description_fini(&d);
		return true;
	}
	return false;
}

void
cr_terminfo_direct(const char *type, struct cr_text *out)
{
	static const char *const extended_texts[] = {"XM", "xm"};
	const struct part direct = PART(colors_direct);
	struct description d;

	description_init(&d);
	for (size_t i = 0; i < d.n_flags; i++)
		d.flags[i] = tigetflag(boolnames[i]) > 0;
	for (size_t i = 0; i < d.n_numbers; i++)
		d.numbers[i] = tigetnum(numnames[i]) < 0 ? ABSENT : (uint32_t)tigetnum(numnames[i]);
	for (size_t i = 0; i < d.n_texts; i++) {
		const char *text = tigetstr(strnames[i]);

		d.texts[i] = text == (const char *)-1 ? NULL : text;
	}
	/* Colours that can be changed are numbered. */
	d.flags[number_of(boolnames, "ccc")] = 0;
	d.texts[number_of(strnames, "initc")] = d.texts[number_of(strnames, "oc")] = NULL;
	if (tigetflag("AX") > 0)
		add_cap(&d, &(struct cap){"AX", NULL, 0});
	for (size_t i = 0; i < CR_LEN(extended_texts); i++) {
		const char *text = tigetstr(extended_texts[i]);

		if (text && text != (const char *)-1)
			add_cap(&d, &(struct cap){extended_texts[i], text, 0});
	}
	add_part(&d, direct);
	put_description(&d, type, out);
	description_fini(&d);
}
