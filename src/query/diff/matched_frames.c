#include "matched_frames_p.h"

#include "bare_name.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/work.h"
#include "canonical_name.h"
#include "match_p.h"

#include <stdlib.h>

/* What a frame stands for. */
enum form { FORM_NAMED, FORM_NAMELESS, FORM_DSO, FORM_FILE, FORM_GROUP, FORM_GROUP_DSO };

struct key {
	struct cr_str name; /* canonical; "" if the class alone identifies it */
	uint32_t class;     /* of the dso or file */
	uint8_t form;       /* enum form */
	bool inlined;       /* only if this distinguishes frames */
};

/* Where a row comes from. */
struct origin {
	struct cr_str name[CR_SIDES]; /* on each side; "" if no frame of it is there */
	uint32_t row;                 /* the row that it was merged into; itself if into none */
	uint8_t why;                  /* enum cr_match_why */
};

struct cr_matched_frames {
	bool exact;   /* names belong to one profile and must be equal */
	bool of_dsos; /* frames stand for dsos, not for functions */
	struct cr_match *match;
	struct cr_arena texts; /* of the rows: a side's own names go with its tree */
	CR_VEC(struct cr_frame) rows;
	CR_VEC(struct key) keys;       /* by row */
	CR_VEC(uint8_t) side;          /* by row: the side that its names come from */
	CR_VEC(struct origin) origins; /* by row */
	struct cr_index index;
};

/* True if the frame's name is that of the dso, or "[unknown]" instead of it. */
static bool
bears_dso(const struct cr_frame *f)
{
	struct cr_text made = {0};
	bool bears;

	if (!f->dso.len)
		return cr_str_eq(f->name, CR_STR("[unknown]"));
	bears = cr_str_eq(f->name, cr_dso_name(f->dso, f->kind, &made));
	cr_text_fini(&made);
	return bears;
}

/* True if the name is the dso in brackets. See cr_path_sums_frame_nameless(). */
static bool
bears_brackets(const struct cr_frame *f)
{
	struct cr_str base = f->dso;

	if (cr_str_ends(base, " (deleted)"))
		base.len -= 10;
	base = cr_str_basename(base);
	if (base.len && base.p[0] == '[')
		return cr_str_eq(f->name, base);
	return base.len && f->name.len == base.len + 2 && f->name.p[0] == '[' &&
	       f->name.p[base.len + 1] == ']' && memcmp(f->name.p + 1, base.p, base.len) == 0;
}

/* True if the frames of t stand for dsos. */
static bool
is_of_dsos(const struct cr_tree *t)
{
	for (uint32_t i = 1; i < t->n; i++) {
		const struct cr_frame *f = &t->frames[t->frame[i]];

		if (f->kind != CR_KIND_GROUP && !bears_dso(f))
			return false;
	}
	return true;
}

static enum form
form_of(const struct cr_matched_frames *fs, const struct cr_frame *f)
{
	if (f->group == CR_GROUP_DSO)
		return FORM_GROUP_DSO;
	if (f->kind == CR_KIND_GROUP)
		return FORM_GROUP;
	if (fs->of_dsos && f->dso.len)
		return FORM_DSO;
	return bears_brackets(f) || cr_str_eq(f->name, CR_STR("[unknown]")) ? FORM_NAMELESS
									    : FORM_NAMED;
}

/*
 * A function of V8 without the mark of the tier that compiled it: "f x.js:1" of "JS:*f x.js:1". The
 * same function is interpreted (~) first and compiled (^ + *) later.
 */
static struct cr_str
without_tier(struct cr_str name)
{
	static const char *const kinds[] = {"JS:", "LazyCompile:", "Function:", "Script:"};

	for (size_t i = 0; i < CR_LEN(kinds); i++)
		if (cr_str_starts(name, kinds[i])) {
			const char *at = name.p + strlen(kinds[i]), *end = name.p + name.len;

			return at + 1 < end && strchr("~^+*", *at) ? cr_str_from(name, at + 1)
								   : name;
		}
	return name;
}

/* The key of f, and the name to show for its dso or file. */
static struct key
key_of(const struct cr_matched_frames *fs, const struct cr_frame *f, struct cr_match_of *of)
{
	struct key k = {.form = (uint8_t)form_of(fs, f), .inlined = fs->exact && f->inlined};

	*of = cr_match_dso(fs->match, k.form == FORM_GROUP_DSO ? f->name : f->dso);
	if (cr_match_file(fs->match, f, of))
		k.form = FORM_FILE;
	k.class = of->class;
	if (k.form == FORM_NAMED || k.form == FORM_GROUP ||
		(k.form == FORM_NAMELESS && !f->dso.len))
		k.name = fs->exact ? f->name : without_tier(cr_canonical_name(f->name));
	return k;
}

static uint64_t
key_hash(const struct key *k)
{
	return cr_hash_mix(cr_hash(k->name.p, k->name.len),
		(uint64_t)k->class << 8 | (uint64_t)k->form << 1 | k->inlined);
}

static bool
key_eq(const struct key *a, const struct key *b)
{
	return a->class == b->class && a->form == b->form && a->inlined == b->inlined &&
	       cr_str_eq(a->name, b->name);
}

/* The name of a nameless frame, made from its dso's: "[libc.so.6]". */
static struct cr_str
name_for_nameless(struct cr_matched_frames *fs, struct cr_str dso)
{
	struct cr_text t = {0};
	struct cr_str base = dso;
	bool brackets;

	if (cr_str_ends(base, " (deleted)"))
		base.len -= 10;
	base = cr_str_basename(base);
	brackets = !(base.len && base.p[0] == '[');
	cr_text_puts(&t, brackets ? "[" : "");
	cr_text_str(&t, base);
	cr_text_puts(&t, brackets ? "]" : "");
	base = (struct cr_str){cr_arena_copy(&fs->texts, t.p, t.len), (uint32_t)t.len};
	cr_text_fini(&t);
	return base;
}

/* The name of a frame that stands for a dso. */
static struct cr_str
name_for_dso(struct cr_matched_frames *fs, struct cr_str dso, uint8_t kind)
{
	struct cr_text made = {0};
	struct cr_str name = cr_dso_name(dso, kind, &made);

	name.p = cr_arena_copy(&fs->texts, name.p, name.len);
	cr_text_fini(&made);
	return name;
}

/* How to show a row: like f, but with one name for all rows of a dso. */
static struct cr_frame
shown_as(struct cr_matched_frames *fs, const struct cr_frame *f, const struct key *k,
	const struct cr_match_of *of)
{
	struct cr_frame row = *f;

	row.name.p = cr_arena_copy(&fs->texts, f->name.p, f->name.len);
	if (k->form == FORM_FILE || k->form == FORM_GROUP_DSO) {
		row.name = of->shown;
		row.name.p = cr_arena_copy(&fs->texts, of->shown.p, of->shown.len);
	}
	if (k->form == FORM_FILE)
		row.file = row.name;
	if (!f->dso.len)
		return row;
	row.dso = of->shown;
	row.kind = of->kind;
	if (k->form == FORM_DSO || bears_brackets(f))
		row.name = k->form == FORM_NAMELESS ? name_for_nameless(fs, of->shown)
						    : name_for_dso(fs, of->shown, of->kind);
	return row;
}

static uint32_t
row_of(const struct cr_matched_frames *fs, const struct key *k, uint64_t hash)
{
	uint32_t row;

	cr_index_each(&fs->index, hash, row)
		if (key_eq(&fs->keys.p[row], k))
			break;
	return row;
}

static void
row_add(struct cr_matched_frames *fs, const struct cr_frame *f, uint8_t side)
{
	struct cr_match_of of;
	struct key k = key_of(fs, f, &of);
	const uint64_t h = key_hash(&k);
	const uint32_t row = row_of(fs, &k, h);
	bool inlined = f->inlined;

	if (row == CR_NO_ROW) {
		struct origin origin = {.row = (uint32_t)fs->rows.n};

		origin.name[side] = f->name;
		cr_vec_push(&fs->origins, origin);
		cr_index_add(&fs->index, h, (uint32_t)fs->rows.n);
		cr_vec_push(&fs->rows, shown_as(fs, f, &k, &of));
		/* The canonical name is a part of it. */
		k.name.p = k.name.len ? fs->rows.p[fs->rows.n - 1].name.p + (k.name.p - f->name.p)
				      : NULL;
		cr_vec_push(&fs->keys, k);
		cr_vec_push(&fs->side, side);
		return;
	}
	if (!fs->origins.p[row].name[side].len)
		fs->origins.p[row].name[side] = f->name;
	/* Show names of the side after, preferably a plain one. */
	inlined &= fs->rows.p[row].inlined;
	if (side > fs->side.p[row] ||
		(side == fs->side.p[row] && k.name.len && k.name.len == f->name.len)) {
		fs->rows.p[row] = shown_as(fs, f, &k, &of);
		fs->side.p[row] = side;
	}
	fs->rows.p[row].inlined = inlined;
}

/* Add the frames that nodes of t have, in the order of these. */
static void
add_side(struct cr_matched_frames *fs, const struct cr_tree *t, uint8_t side)
{
	uint8_t *added = cr_alloc(t->n_frames, 1);

	for (uint32_t i = 1; i < t->n && cr_work_at("stacks", i, t->n); i++) {
		if (!added[t->frame[i]])
			row_add(fs, &t->frames[t->frame[i]], side);
		added[t->frame[i]] = 1;
	}
	free(added);
}

/* ---- names that differ by what one side does not know of them */

/* Rows with one bare name. */
struct bare {
	struct cr_str name;
	uint32_t n[CR_SIDES];   /* number of rows on this side alone */
	uint32_t row[CR_SIDES]; /* the last of them */
	bool both;              /* a row is on both sides */
};

struct bares {
	struct cr_arena texts;
	struct cr_index index;
	CR_VEC(struct bare) all;
	uint32_t *of; /* by row: its bare name, CR_NO_ROW if it stands for no function */
};

static uint32_t
bare_of(struct bares *b, struct cr_str name)
{
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t i;

	cr_index_each(&b->index, h, i)
		if (cr_str_eq(b->all.p[i].name, name))
			return i;
	cr_index_add(&b->index, h, (uint32_t)b->all.n);
	cr_vec_push(&b->all,
		((struct bare){.name = {cr_arena_copy(&b->texts, name.p, name.len), name.len}}));
	return (uint32_t)b->all.n - 1;
}

static void
bares_init(const struct cr_matched_frames *fs, bool numbers, struct bares *b)
{
	struct cr_text text = {0};

	*b = (struct bares){.of = cr_alloc(fs->rows.n, sizeof(*b->of))};
	for (uint32_t i = 0; i < fs->rows.n; i++) {
		const struct origin *o = &fs->origins.p[i];
		struct bare *bare;

		b->of[i] = CR_NO_ROW;
		if (fs->keys.p[i].form != FORM_NAMED || o->row != i)
			continue;
		if (numbers && !memchr(fs->keys.p[i].name.p, '#', fs->keys.p[i].name.len))
			continue;
		cr_bare_name(fs->keys.p[i].name, numbers, &text);
		b->of[i] = bare_of(b, cr_text_view(&text));
		bare = &b->all.p[b->of[i]];
		if (o->name[0].len && o->name[1].len) {
			bare->both = true;
			continue;
		}
		bare->n[o->name[1].len > 0]++;
		bare->row[o->name[1].len > 0] = i;
	}
	cr_text_fini(&text);
}

/* True if the only row of this side is the bare name, so that it stands for all of the other. */
static bool
is_all(const struct cr_matched_frames *fs, const struct bare *b, int side)
{
	return b->n[side] == 1 && cr_str_eq(fs->keys.p[b->row[side]].name, b->name);
}

static bool
can_merge(const struct cr_matched_frames *fs, const struct bare *b)
{
	if (b->both || !b->n[0] || !b->n[1])
		return false;
	return (b->n[0] == 1 && b->n[1] == 1) || is_all(fs, b, 0) || is_all(fs, b, 1);
}

/* True if two frames may be of one dso: it is the same, or one is not known. */
static bool
may_share_dso(const struct cr_matched_frames *fs, uint32_t a, uint32_t b)
{
	return fs->keys.p[a].class == fs->keys.p[b].class || !fs->rows.p[a].dso.len ||
	       !fs->rows.p[b].dso.len;
}

/*
 * Merge rows of one side alone into a row of the other side, if their bare names are equal and no
 * other row could be meant: perf script prints names without return types and parameters.
 */
static void
merge_bare(struct cr_matched_frames *fs, bool numbers)
{
	struct bares b;

	bares_init(fs, numbers, &b);
	for (uint32_t i = 0; i < fs->rows.n; i++) {
		const struct bare *bare = b.of[i] == CR_NO_ROW ? NULL : &b.all.p[b.of[i]];
		struct origin *from = &fs->origins.p[i], *to;
		int keeper;

		if (!bare || !can_merge(fs, bare))
			continue;
		keeper = bare->n[1] == 1; /* the side after has the shown name, if it has one row */
		to = &fs->origins.p[bare->row[keeper]];
		if (to == from || !may_share_dso(fs, i, to->row))
			continue;
		from->row = to->row;
		to->name[!keeper] = from->name[!keeper];
		to->why = numbers ? CR_WHY_NUMBERS : CR_WHY_BARE;
	}
	free(b.of);
	cr_vec_fini(&b.all);
	cr_index_fini(&b.index);
	cr_arena_fini(&b.texts);
}

struct cr_matched_frames *
cr_matched_frames_new(const struct cr_tree *const side[CR_SIDES],
	const struct cr_profile *const p[CR_SIDES], enum cr_matching how)
{
	struct cr_matched_frames *fs = cr_alloc(1, sizeof(*fs));

	fs->exact = how == CR_MATCH_EXACT;
	fs->of_dsos = is_of_dsos(side[0]) && is_of_dsos(side[1]);
	fs->match = cr_match_new(p, side, how != CR_MATCH_NAMES);
	cr_vec_push(&fs->rows, side[0]->frames[0]);
	cr_vec_push(&fs->keys, ((struct key){.form = FORM_GROUP}));
	cr_vec_push(&fs->side, 0);
	cr_vec_push(&fs->origins, ((struct origin){.row = 0}));
	for (uint8_t s = 0; s < CR_SIDES; s++)
		add_side(fs, side[s], s);
	if (!fs->exact) {
		merge_bare(fs, false);
		merge_bare(fs, true);
	}
	return fs;
}

void
cr_matched_frames_free(struct cr_matched_frames *fs)
{
	if (!fs)
		return;
	cr_match_free(fs->match);
	cr_arena_fini(&fs->texts);
	cr_vec_fini(&fs->rows);
	cr_vec_fini(&fs->keys);
	cr_vec_fini(&fs->side);
	cr_vec_fini(&fs->origins);
	cr_index_fini(&fs->index);
	free(fs);
}

uint32_t
cr_matched_frames_n(const struct cr_matched_frames *fs)
{
	return (uint32_t)fs->rows.n;
}

uint32_t
cr_matched_frames_find(const struct cr_matched_frames *fs, const struct cr_frame *f)
{
	struct cr_match_of of;
	const struct key k = key_of(fs, f, &of);
	const uint32_t row = row_of(fs, &k, key_hash(&k));

	return row == CR_NO_ROW ? row : fs->origins.p[row].row;
}

uint32_t *
cr_matched_frames_of(const struct cr_matched_frames *fs, const struct cr_tree *t)
{
	uint32_t *map = cr_alloc(t->n_frames, sizeof(*map));

	for (uint32_t i = 1; i < t->n && cr_work_at("stacks", i, t->n); i++) {
		uint32_t *at = &map[t->frame[i]];

		if (!*at &&
			(*at = cr_matched_frames_find(fs, &t->frames[t->frame[i]])) == CR_NO_ROW)
			*at = 0;
	}
	return map;
}

struct cr_tree_builder *
cr_matched_frames_builder(struct cr_matched_frames *fs, bool keep)
{
	struct cr_tree_builder *tb =
		cr_tree_builder_new(CR_SIDES, fs->rows.p, (uint32_t)fs->rows.n);

	if (keep)
		cr_tree_builder_keep(tb, &fs->texts);
	return tb;
}

void
cr_matched_frames_main(const struct cr_matched_frames *fs, struct cr_str out[CR_SIDES])
{
	cr_match_main(fs->match, out);
}

void
cr_matched_frames_explain(const struct cr_matched_frames *fs, struct cr_text *out)
{
	static const char *const why[] = {[CR_WHY_CANONICAL] = "marks of the compiler removed",
		[CR_WHY_BARE] = "without return type, parameters and version",
		[CR_WHY_NUMBERS] = "without the numbers of lambdas"};

	cr_match_explain(fs->match, out);
	for (uint32_t i = 1; i < fs->rows.n; i++) {
		const struct origin *o = &fs->origins.p[i];

		if (o->row != i || fs->keys.p[i].form != FORM_NAMED || !o->name[0].len ||
			!o->name[1].len || cr_str_eq(o->name[0], o->name[1]))
			continue;
		cr_text_puts(out, "function ");
		cr_text_safe(out, o->name[0]);
		cr_text_puts(out, " = ");
		cr_text_safe(out, o->name[1]);
		cr_text_printf(out, ": %s\n", why[o->why]);
	}
}
