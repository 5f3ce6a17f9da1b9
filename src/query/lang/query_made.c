#include "query_p.h"

#include "model/cost.h"

#include <stdlib.h>
#include <string.h>

/* A word and its value. */
struct choice {
	const char *word;
	int value;
};

static const struct choice granularities[] = {
	{"function", CR_GRANULARITY_FUNCTION},
	{"line", CR_GRANULARITY_LINE},
	{"address", CR_GRANULARITY_ADDRESS},
	{"dso", CR_GRANULARITY_DSO},
	{"file", CR_GRANULARITY_FILE},
};

static const struct choice modes[] = {
	{"user", CR_MODE_USER},
	{"kernel", CR_MODE_KERNEL},
};

static const struct choice groups[] = {
	{"comm", CR_GROUP_COMM},
	{"pid", CR_GROUP_PID},
	{"tid", CR_GROUP_TID},
	{"cpu", CR_GROUP_CPU},
	{"dso", CR_GROUP_DSO},
	{"event", CR_GROUP_EVENT},
};

/* The row of the word; n if it is unknown. */
static size_t
choice_find(const struct choice *c, size_t n, struct cr_str word)
{
	size_t i = 0;

	word = cr_word_spelling(word);
	while (i < n && !cr_str_eq(word, cr_str_of(c[i].word)))
		i++;
	return i;
}

static int
choose(const struct cr_step *s, struct cr_str word, const struct choice *c, size_t n, int *out,
	struct cr_err *err)
{
	const size_t at = choice_find(c, n, word);
	struct cr_text words = {0};

	*out = 0;
	if (at < n) {
		*out = c[at].value;
		return CR_OK;
	}
	for (size_t i = 0; i < n; i++)
		cr_text_printf(&words, "%s%s", i ? ", " : "", c[i].word);
	cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "unknown %s '%s'; use one of: %s",
		cr_word_info(s->word)->name, s->arg, words.p);
	cr_text_fini(&words);
	return err->code;
}

static int
add_modes(const struct cr_step *s, struct cr_query_made *m, struct cr_err *err)
{
	for (const char *at = s->arg;; at++) {
		const size_t len = strcspn(at, ",");
		int mode, rc;

		if ((rc = choose(s, (struct cr_str){at, (uint32_t)len}, modes, CR_LEN(modes), &mode,
			     err)) < 0)
			return rc;
		m->filter.modes |= (uint8_t)mode;
		at += len;
		if (!*at)
			return CR_OK;
	}
}

static int
set_granularity(const struct cr_step *s, struct cr_query_made *m, struct cr_err *err)
{
	int granularity;
	const int rc = choose(
		s, cr_str_of(s->arg), granularities, CR_LEN(granularities), &granularity, err);

	if (rc == CR_OK)
		m->opts.granularity = (enum cr_granularity)granularity;
	return rc;
}

/* ---- numbers: 1,2,5-9,20-; -1 is unknown */

static bool
parse_id(const char **s, uint64_t *out)
{
	uint64_t v = 0;

	if (strncmp(*s, "-1", 2) == 0) {
		*s += 2;
		*out = CR_ID_NONE;
		return true;
	}
	if (!(**s >= '0' && **s <= '9'))
		return false;
	for (; **s >= '0' && **s <= '9'; (*s)++) {
		v = v * 10 + (uint64_t)(**s - '0');
		if (v > INT32_MAX)
			return false;
	}
	*out = v;
	return true;
}

static bool
parse_range(const char **s, struct cr_range *out)
{
	if (!parse_id(s, &out->from))
		return false;
	out->to = out->from;
	if (**s != '-' || out->from == CR_ID_NONE)
		return true;
	++*s;
	out->to = INT32_MAX;
	if (!**s || **s == ',')
		return true;
	return parse_id(s, &out->to) && out->to != CR_ID_NONE && out->to >= out->from;
}

static int
add_ranges(const struct cr_step *step, cr_range_vec *v, struct cr_err *err)
{
	const char *s = step->arg;

	for (;; s++) {
		struct cr_range r;

		if (!parse_range(&s, &r) || (*s && *s != ','))
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"%s: '%s' is not a list of numbers like 1,2,5-9",
				cr_word_info(step->word)->name, step->arg);
		cr_vec_push(v, r);
		if (!*s)
			return CR_OK;
	}
}

/* ---- times: 3s..5s, 2.5.., ..10ms, 10%..20%, 10%-20% */

enum { SHARE = 0 }; /* as a unit: millionths of the length, not ns */

/* Nanoseconds of this unit; the default is seconds. */
static bool
parse_unit(struct cr_str s, uint64_t *out)
{
	static const struct {
		const char *word;
		uint64_t ns;
	} units[] = {{"", 1000000000}, {"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1},
		{"%", SHARE}};

	for (size_t i = 0; i < CR_LEN(units); i++)
		if (cr_str_eq(s, cr_str_of(units[i].word))) {
			*out = units[i].ns;
			return true;
		}
	return false;
}

/* A number with its unit, in ns or millionths; digits beyond the smallest unit are dropped. */
static bool
parse_moment(struct cr_str s, uint64_t *out, uint64_t *unit)
{
	/* Ends inside s: the text after s begins with another character, or dots. */
	const uint32_t len = (uint32_t)strspn(s.p, "0123456789.");
	uint64_t scale, v = 0;
	bool point = false;
	uint32_t digits = 0;

	if (!parse_unit(
		    (struct cr_str){s.p + CR_MIN(len, s.len), s.len - CR_MIN(len, s.len)}, unit))
		return false;
	scale = *unit == SHARE ? 10000 : *unit;
	for (uint32_t i = 0; i < CR_MIN(len, s.len); i++) {
		if (s.p[i] == '.') {
			if (point)
				return false;
			point = true;
			continue;
		}
		digits++;
		if (point)
			scale /= 10;
		if (v > UINT64_C(1000000000000000000))
			return false;
		v = point ? v + scale * (uint64_t)(s.p[i] - '0')
			  : v * 10 + scale * (uint64_t)(s.p[i] - '0');
	}
	*out = v;
	return digits > 0 && (*unit != SHARE || v <= 1000000);
}

static bool
parse_time(const char *arg, struct cr_time *out)
{
	const char *dots = strstr(arg, ".."), *dash = strchr(arg, '-'), *at = dots ? dots : dash;
	const char *second = at ? at + (dots ? 2 : 1) : NULL;
	uint64_t from_unit = 0, to_unit = 0;

	if (!at || (at == arg && !*second))
		return false;
	*out = (struct cr_time){0, UINT64_MAX, false};
	if (at > arg &&
		!parse_moment((struct cr_str){arg, (uint32_t)(at - arg)}, &out->from, &from_unit))
		return false;
	if (*second && !parse_moment(cr_str_of(second), &out->to, &to_unit))
		return false;
	if (at == arg)
		from_unit = to_unit;
	if (!*second)
		to_unit = from_unit;
	out->is_share = from_unit == SHARE;
	if (out->is_share && !*second)
		out->to = 1000000;
	return out->from < out->to && (from_unit == SHARE) == (to_unit == SHARE);
}

static int
add_time(const struct cr_step *s, struct cr_query_made *m, struct cr_err *err)
{
	struct cr_time t;

	if (!parse_time(s->arg, &t))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"time: '%s' is not a time range like 3s..5s, 2.5.., ..10ms or 10%%..20%%",
			s->arg);
	cr_vec_push(&m->times, t);
	return CR_OK;
}

/* ---- grouping */

static int
add_group(const char *arg, struct cr_str key, struct cr_query_made *m, struct cr_err *err)
{
	const size_t at = choice_find(groups, CR_LEN(groups), key);
	const uint8_t group = (uint8_t)(at < CR_LEN(groups) ? groups[at].value : CR_GROUP_FIELD);

	if (!key.len || cr_str_eq(key, CR_STR("none")))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"group: '%s' is not a list of keys like pid,comm", arg);
	if (m->opts.n_groups == CR_GROUPS_MOST)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "group: at most %d keys", CR_GROUPS_MOST);
	for (uint8_t i = 0; i < m->opts.n_groups; i++)
		if (m->opts.groups[i] == group)
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "group: %s in '%s'",
				group == CR_GROUP_FIELD ? "more than one field" : "a key twice",
				arg);
	if (group == CR_GROUP_FIELD) {
		free(m->field);
		m->opts.fields[0] = m->field = cr_memdup(key.p, key.len);
	}
	m->opts.groups[m->opts.n_groups++] = group;
	return CR_OK;
}

static int
add_groups(const char *arg, struct cr_query_made *m, struct cr_err *err)
{
	m->opts.n_groups = 0;
	if (strcmp(arg, "none") == 0)
		return CR_OK;
	for (const char *s = arg;; s++) {
		const size_t len = strcspn(s, ",");
		const int rc = add_group(arg, (struct cr_str){s, (uint32_t)len}, m, err);

		if (rc < 0)
			return rc;
		s += len;
		if (!*s)
			return CR_OK;
	}
}

/* ---- */

static int
add_dso(const struct cr_step *s, struct cr_query_made *m)
{
	cr_vec_push(&m->dsos, s->arg);
	if (strcmp(s->arg, "[unknown]") == 0) /* a dso without a name is also shown like this */
		cr_vec_push(&m->dsos, "");
	return CR_OK;
}

static int
add_where(const struct cr_step *s, struct cr_query_made *m, struct cr_err *err)
{
	if (s->arg[0] == '=' || !strchr(s->arg, '='))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "where: '%s' is not FIELD=VALUE", s->arg);
	cr_vec_push(&m->wheres, s->arg);
	return CR_OK;
}

int
cr_query_made_add(struct cr_query_made *m, const struct cr_step *s, struct cr_err *err)
{
	/* An event may have no name. */
	if (!*s->arg && cr_word_info(s->word)->arg && s->word != CR_WORD_COMM &&
		s->word != CR_WORD_EVENT)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s wants %s",
			cr_word_info(s->word)->name, cr_word_info(s->word)->arg);
	switch (s->word) {
	case CR_WORD_EVENT: m->filter.event = s->arg; return CR_OK;
	case CR_WORD_COST:
		m->filter.cost = strcmp(s->arg, CR_COST_PERIOD) == 0 ? NULL : s->arg;
		return CR_OK;
	case CR_WORD_COMM: cr_vec_push(&m->comms, s->arg); return CR_OK;
	case CR_WORD_DSO: return add_dso(s, m);
	case CR_WORD_WHERE: return add_where(s, m, err);
	case CR_WORD_TIME: return add_time(s, m, err);
	case CR_WORD_PID: return add_ranges(s, &m->pids, err);
	case CR_WORD_TID: return add_ranges(s, &m->tids, err);
	case CR_WORD_CPU: return add_ranges(s, &m->cpus, err);
	case CR_WORD_SOCKET: return add_ranges(s, &m->sockets, err);
	case CR_WORD_SWITCH_ON: m->filter.switch_on = s->arg; return CR_OK;
	case CR_WORD_SWITCH_OFF: m->filter.switch_off = s->arg; return CR_OK;
	case CR_WORD_SHOW_ON_OFF: m->filter.show_switches = true; return CR_OK;
	case CR_WORD_GROUP: return add_groups(s->arg, m, err);
	case CR_WORD_MODE: return add_modes(s, m, err);
	case CR_WORD_GRANULARITY: return set_granularity(s, m, err);
	default: return CR_OK;
	}
}

void
cr_query_made_end(struct cr_query_made *m)
{
	m->filter.comms = (struct cr_strs){m->comms.p, m->comms.n};
	m->filter.dsos = (struct cr_strs){m->dsos.p, m->dsos.n};
	m->filter.wheres = (struct cr_strs){m->wheres.p, m->wheres.n};
	m->filter.pids = (struct cr_ranges){m->pids.p, m->pids.n};
	m->filter.tids = (struct cr_ranges){m->tids.p, m->tids.n};
	m->filter.cpus = (struct cr_ranges){m->cpus.p, m->cpus.n};
	m->filter.sockets = (struct cr_ranges){m->sockets.p, m->sockets.n};
	m->filter.times = (struct cr_times){m->times.p, m->times.n};
}

void
cr_query_made_free(struct cr_query_made *m)
{
	if (!m)
		return;
	cr_vec_fini(&m->comms);
	cr_vec_fini(&m->dsos);
	cr_vec_fini(&m->wheres);
	cr_vec_fini(&m->pids);
	cr_vec_fini(&m->tids);
	cr_vec_fini(&m->cpus);
	cr_vec_fini(&m->sockets);
	cr_vec_fini(&m->times);
	free(m->field);
	free(m);
}
