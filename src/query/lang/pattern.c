#include "query/lang/pattern.h"

#include "base/work.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* A pattern may run for a very long time; beyond this number of steps a name counts as no match. */
#define MATCH_LIMIT 100000
#define STEP_NAMES 64 /* between two progress steps: each name may take a millisecond */

struct cr_pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
};

static bool
has_upper(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++; /* the letter in \S or \D is not the user's */
		else if (*s >= 'A' && *s <= 'Z')
			return true;
	}
	return false;
}

int
cr_pattern_new(const char *text, struct cr_pattern **out, struct cr_err *err)
{
	const uint32_t options = has_upper(text) ? 0 : PCRE2_CASELESS;
	PCRE2_SIZE at;
	pcre2_code *made;
	int code;

	*out = NULL;
	made = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
	if (!made) {
		PCRE2_UCHAR why[120];

		pcre2_get_error_message(code, why, sizeof(why));
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "bad pattern at offset %zu: %s",
			(size_t)at, (const char *)why);
	}
	pcre2_jit_compile(made, PCRE2_JIT_COMPLETE);
	*out = cr_alloc(1, sizeof(**out));
	(*out)->code = made;
	(*out)->data = pcre2_match_data_create(1, NULL);
	(*out)->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit((*out)->limits, MATCH_LIMIT);
	return CR_OK;
}

bool
cr_pattern_match(const struct cr_pattern *p, struct cr_str name)
{
	return pcre2_match(p->code, (PCRE2_SPTR)(name.len ? name.p : ""), name.len, 0, 0, p->data,
		       p->limits) >= 0;
}

void
cr_pattern_free(struct cr_pattern *p)
{
	if (!p)
		return;
	pcre2_match_data_free(p->data);
	pcre2_match_context_free(p->limits);
	pcre2_code_free(p->code);
	free(p);
}

/* ---- frames */

enum subject { OF_NAME, OF_DSO, OF_FILE, OF_GROUP };

static struct cr_str
subject_of(const struct cr_frame *f, enum subject s)
{
	switch (s) {
	case OF_DSO: return f->dso;
	case OF_FILE: return f->file;
	case OF_GROUP: return f->group ? f->name : CR_STR("");
	case OF_NAME: break;
	}
	return f->name;
}

/* What the pattern is matched against; *pattern is its start. */
static enum subject
subject(const char *text, const char **pattern)
{
	static const struct {
		const char *word;
		enum subject s;
	} words[] = {
		{"dso:", OF_DSO}, {"object:", OF_DSO}, {"file:", OF_FILE}, {"group:", OF_GROUP}};

	for (size_t i = 0; i < CR_LEN(words); i++) {
		const size_t n = strlen(words[i].word);

		*pattern = text + n;
		if (strncmp(text, words[i].word, n) == 0 && text[n] != ':')
			return words[i].s;
	}
	*pattern = text;
	return OF_NAME;
}

static bool
is_same(struct cr_str a, struct cr_str b)
{
	return a.p == b.p && a.len == b.len;
}

static bool
step(uint32_t name, uint32_t n)
{
	return name % STEP_NAMES != 1 || cr_work_step("names", name, n);
}

int
cr_frames_match(const struct cr_tree *t, const char *text, uint8_t *hit, struct cr_err *err)
{
	const char *re;
	const enum subject of = subject(text, &re);
	const bool exact = *re == '=';
	struct cr_str last = {0};
	struct cr_pattern *p = NULL;
	bool matched = false;
	int rc;

	if (!exact && (rc = cr_pattern_new(re, &p, err)) < 0)
		return rc;
	for (uint32_t f = 1; f < t->n_frames && step(f, t->n_frames); f++) {
		const struct cr_str s = subject_of(&t->frames[f], of);

		if (f == 1 || !is_same(s, last))
			matched =
				(of == OF_NAME || s.len) &&
				(exact ? cr_str_eq(s, cr_str_of(re + 1)) : cr_pattern_match(p, s));
		hit[f] = matched;
		last = s;
	}
	cr_pattern_free(p);
	return cr_work_check(err);
}

bool
cr_frames_are_groups(const char *text)
{
	const char *re;

	return subject(text, &re) == OF_GROUP;
}

void
cr_frames_named(const struct cr_tree *t, struct cr_str name, uint8_t *hit)
{
	for (uint32_t f = 1; f < t->n_frames; f++)
		hit[f] = cr_str_eq(t->frames[f].name, name);
}

int
cr_frames_check(const char *text, struct cr_err *err)
{
	struct cr_pattern *p;
	const char *re;
	int rc;

	subject(text, &re);
	if (*re == '=')
		return CR_OK;
	rc = cr_pattern_new(re, &p, err);
	cr_pattern_free(p);
	return rc;
}

/* ---- functions */

bool
cr_pattern_in_slashes(struct cr_str text, struct cr_str *inside)
{
	if (text.len < 3 || text.p[0] != '/' || text.p[text.len - 1] != '/')
		return false;
	*inside = (struct cr_str){text.p + 1, text.len - 2};
	return true;
}

int
cr_function_match(const struct cr_tree *t, struct cr_str text, uint8_t *hit, struct cr_err *err)
{
	struct cr_str inside;
	char *re;
	int rc;

	if (!cr_pattern_in_slashes(text, &inside)) {
		cr_frames_named(t, text, hit);
		return CR_OK;
	}
	re = cr_memdup(inside.p, inside.len);
	rc = cr_frames_match(t, re, hit, err);
	free(re);
	return rc;
}

int
cr_function_check(struct cr_str text, struct cr_err *err)
{
	struct cr_str inside;
	char *re;
	int rc;

	if (!cr_pattern_in_slashes(text, &inside))
		return CR_OK;
	re = cr_memdup(inside.p, inside.len);
	rc = cr_frames_check(re, err);
	free(re);
	return rc;
}

void
cr_function_put_name(struct cr_str name, struct cr_text *out)
{
	struct cr_str inside;
	const bool is_odd = cr_pattern_in_slashes(name, &inside);

	cr_text_puts(out, is_odd ? "/=" : "");
	cr_text_str(out, name);
	cr_text_puts(out, is_odd ? "/" : "");
}
