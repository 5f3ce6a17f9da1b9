#include "query/diff/diff.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/work.h"
#include "match_p.h"
#include "query/fold/fold.h"

#include <stdlib.h>

/* Comms stay in the tree if both sides know those of at least this share of their cost. */
#define GROUPED_PPM 500000

static bool
is_digits(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0;
}

static bool
is_hex16(const char *p)
{
	for (int i = 0; i < 16; i++)
		if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f')))
			return false;
	return true;
}

/*
 * Remove one suffix: ".isra.0", ".constprop.0", ".part.1", ".cold", ".cold.3", ".llvm.1234",
 * ".lto_priv.0", or a Rust hash.
 */
static bool
cut_suffix(struct cr_str *name)
{
	static const char *const words[] = {
		".isra", ".constprop", ".part", ".cold", ".llvm", ".lto_priv"};
	const char *dot = name->len ? memrchr(name->p, '.', name->len) : NULL;
	struct cr_str head = *name;

	if (name->len > 19 && memcmp(name->p + name->len - 19, "::h", 3) == 0 &&
		is_hex16(name->p + name->len - 16)) {
		name->len -= 19;
		return true;
	}
	if (!dot)
		return false;
	if (is_digits((struct cr_str){dot + 1, (uint32_t)(name->p + name->len - dot - 1)}))
		head.len = (uint32_t)(dot - name->p);
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_ends(head, words[i]) && head.len > strlen(words[i])) {
			name->len = head.len - (uint32_t)strlen(words[i]);
			return true;
		}
	return false;
}

/* "f(int) [clone .isra.0]": a demangled suffix. */
static bool
cut_clone(struct cr_str *name)
{
	const char *at;

	if (!name->len || name->p[name->len - 1] != ']')
		return false;
	at = memmem(name->p, name->len, " [clone .", 9);
	if (!at || at == name->p)
		return false;
	name->len = (uint32_t)(at - name->p);
	return true;
}

struct cr_str
cr_diff_canonical(struct cr_str name)
{
	while (cut_clone(&name) || cut_suffix(&name))
		;
	return name;
}

/* ---- frames of both sides with common numbers */

/* What a frame stands for. */
enum form { FORM_NAMED, FORM_NAMELESS, FORM_DSO, FORM_FILE, FORM_GROUP, FORM_GROUP_DSO };

struct key {
	struct cr_str name; /* canonical; "" if the class alone identifies it */
	uint32_t class;     /* of the dso or file */
	uint8_t form;       /* enum form */
	bool inlined;       /* only if this distinguishes frames */
};

struct frames {
	bool exact;   /* names belong to one profile and must be equal */
	bool of_dsos; /* frames stand for dsos, not for functions */
	const struct cr_match *match;
	struct cr_match *own_match; /* NULL: it is borrowed */
	struct cr_arena texts;      /* of the rows: a side's own names go with its tree */
	CR_VEC(struct cr_frame) rows;
	CR_VEC(struct key) keys; /* by row */
	CR_VEC(uint8_t) side;    /* by row: the side that its names come from */
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
form_of(const struct frames *fs, const struct cr_frame *f)
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

/* The key of f, and the name to show for its dso or file. */
static struct key
key_of(const struct frames *fs, const struct cr_frame *f, struct cr_match_of *of)
{
	struct key k = {.form = (uint8_t)form_of(fs, f), .inlined = fs->exact && f->inlined};

	*of = cr_match_dso(fs->match, k.form == FORM_GROUP_DSO ? f->name : f->dso);
	if (cr_match_file(fs->match, f, of))
		k.form = FORM_FILE;
	k.class = of->class;
	if (k.form == FORM_NAMED || k.form == FORM_GROUP ||
		(k.form == FORM_NAMELESS && !f->dso.len))
		k.name = fs->exact ? f->name : cr_diff_canonical(f->name);
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
name_for_nameless(struct frames *fs, struct cr_str dso)
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
name_for_dso(struct frames *fs, struct cr_str dso, uint8_t kind)
{
	struct cr_text made = {0};
	struct cr_str name = cr_dso_name(dso, kind, &made);

	name.p = cr_arena_copy(&fs->texts, name.p, name.len);
	cr_text_fini(&made);
	return name;
}

/* How to show a row: like f, but with one name for all rows of a dso. */
static struct cr_frame
shown_as(struct frames *fs, const struct cr_frame *f, const struct key *k,
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
frame_intern(struct frames *fs, const struct cr_frame *f, uint8_t side)
{
	struct cr_match_of of;
	struct key k = key_of(fs, f, &of);
	const uint64_t h = key_hash(&k);
	uint32_t row;
	bool inlined = f->inlined;

	cr_index_each(&fs->index, h, row)
		if (key_eq(&fs->keys.p[row], &k))
			break;
	if (row == CR_NO_ROW) {
		row = (uint32_t)fs->rows.n;
		cr_vec_push(&fs->rows, shown_as(fs, f, &k, &of));
		/* The canonical name is its prefix. */
		k.name.p = k.name.len ? fs->rows.p[row].name.p : NULL;
		cr_vec_push(&fs->keys, k);
		cr_vec_push(&fs->side, side);
		cr_index_add(&fs->index, h, row);
		return row;
	}
	/* Show names of the side after, preferably a plain one. */
	inlined &= fs->rows.p[row].inlined;
	if (side > fs->side.p[row] ||
		(side == fs->side.p[row] && k.name.len && k.name.len == f->name.len)) {
		fs->rows.p[row] = shown_as(fs, f, &k, &of);
		fs->side.p[row] = side;
	}
	fs->rows.p[row].inlined = inlined;
	return row;
}

/* By frame of t that a node has: its row. */
static uint32_t *
frames_of(struct frames *fs, const struct cr_tree *t, uint8_t side)
{
	uint32_t *map = cr_alloc(t->n_frames, sizeof(*map));

	for (uint32_t i = 1; i < t->n && cr_work_at("stacks", i, t->n); i++)
		if (!map[t->frame[i]])
			map[t->frame[i]] = frame_intern(fs, &t->frames[t->frame[i]], side);
	return map;
}

static void
frames_init(
	struct frames *fs, const struct cr_tree *const side[CR_SIDES], const struct cr_diff_opts *o)
{
	cr_vec_push(&fs->rows, side[0]->frames[0]);
	cr_vec_push(&fs->keys, ((struct key){.form = FORM_GROUP}));
	cr_vec_push(&fs->side, 0);
	fs->of_dsos = is_of_dsos(side[0]) && is_of_dsos(side[1]);
	if (!o->match)
		fs->own_match = cr_match_new(o->profile, side, fs->exact || o->by_path);
	fs->match = o->match ? o->match : fs->own_match;
}

static void
frames_fini(struct frames *fs)
{
	cr_match_free(fs->own_match);
	cr_vec_fini(&fs->rows);
	cr_vec_fini(&fs->keys);
	cr_vec_fini(&fs->side);
	cr_index_fini(&fs->index);
}

/*
 * Weight of a below groups that b has too, in millionths of a. frame_a and frame_b: rows by frame.
 */
static uint32_t
shared_groups_ppm(const struct cr_tree *a, const uint32_t *frame_a, const struct cr_tree *b,
	const uint32_t *frame_b, size_t n_rows)
{
	uint8_t *of_b = cr_alloc(n_rows, 1);
	uint64_t shared = 0;

	for (uint32_t i = 1; i < b->n; i = b->end[i])
		of_b[frame_b[b->frame[i]]] = cr_frame_is_group(&b->frames[b->frame[i]]);
	for (uint32_t i = 1; i < a->n; i = a->end[i])
		if (cr_frame_is_group(&a->frames[a->frame[i]]) && of_b[frame_a[a->frame[i]]])
			shared = cr_add_sat(shared, a->total[0][i]);
	free(of_b);
	return cr_share_ppm(shared, a->total[0][0]);
}

static void
add_side(struct cr_tree_builder *tb, uint32_t side, const struct cr_tree *t, const uint32_t *frame,
	bool grouped)
{
	uint32_t *node = cr_alloc(t->n, sizeof(*node));

	for (uint32_t i = 0; i < t->n && cr_work_at("stacks", i, t->n); i++) {
		if (i && !grouped && t->parent[i] == 0 &&
			cr_frame_is_group(&t->frames[t->frame[i]]))
			node[i] = node[t->parent[i]];
		else if (i)
			node[i] = cr_tree_builder_child(tb, node[t->parent[i]], frame[t->frame[i]]);
		cr_tree_builder_add(tb, node[i], side, t->weight[0][i], t->samples[0][i]);
	}
	free(node);
}

static struct cr_tree *
union_of(const struct cr_tree *const side[CR_SIDES], bool exact, const struct cr_diff_opts *o)
{
	struct frames fs = {.exact = exact};
	uint32_t *frame[CR_SIDES];
	struct cr_tree_builder *tb;
	struct cr_tree *t;
	bool grouped;

	frames_init(&fs, side, o);
	for (uint8_t s = 0; s < CR_SIDES; s++)
		frame[s] = frames_of(&fs, side[s], s);
	grouped = exact || o->keep_groups ||
		  (shared_groups_ppm(side[0], frame[0], side[1], frame[1], fs.rows.n) >=
				  GROUPED_PPM &&
			  shared_groups_ppm(side[1], frame[1], side[0], frame[0], fs.rows.n) >=
				  GROUPED_PPM);
	tb = cr_tree_builder_new(CR_SIDES, fs.rows.p, (uint32_t)fs.rows.n);
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		if (!cr_work_stopped()) /* otherwise frames are undefined */
			add_side(tb, s, side[s], frame[s], grouped);
		free(frame[s]);
	}
	cr_tree_builder_keep(tb, &fs.texts);
	t = cr_tree_builder_finish(tb, NULL);
	t->event = side[1]->event;
	t->unit = side[1]->unit;
	t->summed = side[1]->summed;
	t->before = cr_tree_measure(side[0], 0);
	cr_match_main(fs.match, t->paired);
	for (uint32_t s = 0; s < CR_SIDES; s++) {
		t->left_out[s] = side[s]->left_out[0];
		t->left_out_samples[s] = side[s]->left_out_samples[0];
	}
	frames_fini(&fs);
	return t;
}

int
cr_diff(const struct cr_tree *before, const struct cr_tree *after, const struct cr_diff_opts *o,
	struct cr_tree **out, struct cr_err *err)
{
	const struct cr_tree *const side[CR_SIDES] = {before, after};
	static const struct cr_diff_opts usual = {0};
	const struct cr_measure measure[CR_SIDES] = {
		cr_tree_measure(before, 0), cr_tree_measure(after, 0)};
	int rc;

	*out = NULL;
	if (before->sides != 1 || after->sides != 1)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "a difference cannot be compared again");
	if (!(o && o->force) && (rc = cr_diff_alike(&measure[0], &measure[1], err)) < 0)
		return rc;
	*out = union_of(side, false, o ? o : &usual);
	if ((rc = cr_work_check(err)) < 0) {
		cr_tree_free(*out);
		*out = NULL;
	}
	return rc;
}

/* ---- a profile that is itself a difference */

static const char *const within[CR_SIDES] = {"before", "after"};

static bool
has_event(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(name)))
			return true;
	return false;
}

bool
cr_diff_is(const struct cr_profile *p)
{
	return cr_profile_fact(p, "differential").len && has_event(p, within[0]) &&
	       has_event(p, within[1]);
}

int
cr_diff_within(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_tree *side[CR_SIDES] = {NULL, NULL};
	int rc = CR_OK;

	*out = NULL;
	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++) {
		struct cr_filter one = *f;

		one.event = within[s];
		rc = cr_fold(p, &one, o, &side[s], err);
	}
	if (rc == CR_OK) {
		*out = union_of((const struct cr_tree *const[]){side[0], side[1]}, true,
			&(struct cr_diff_opts){0});
		(*out)->event = (*out)->before.event = cr_profile_fact(p, "differential");
	}
	cr_tree_free(side[0]);
	cr_tree_free(side[1]);
	return rc;
}

static int32_t
delta_ppm(uint64_t before, uint64_t whole_before, uint64_t after, uint64_t whole_after)
{
	return (int32_t)cr_share_ppm(after, whole_after) -
	       (int32_t)cr_share_ppm(before, whole_before);
}

int32_t
cr_diff_total_ppm(const struct cr_tree *t, uint32_t node)
{
	return delta_ppm(t->total[0][node], t->total[0][0], t->total[1][node], t->total[1][0]);
}

int32_t
cr_diff_self_ppm(const struct cr_tree *t, uint32_t node)
{
	return delta_ppm(t->self[0][node], t->total[0][0], t->self[1][node], t->total[1][0]);
}
