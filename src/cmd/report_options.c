#include "report_options_p.h"

#include "bytes/scan.h"

#include <stdlib.h>
#include <string.h>

enum chain_part { PART_MODE, PART_ORDER, PART_KEY, PART_VALUE };

static const struct {
	const char *word;
	enum chain_part part;
	uint8_t value;
} chain_words[] = {
	{"none", PART_MODE, CR_CHAIN_NONE},
	{"graph", PART_MODE, CR_CHAIN_GRAPH},
	{"fractal", PART_MODE, CR_CHAIN_FRACTAL},
	{"flat", PART_MODE, CR_CHAIN_FLAT},
	{"folded", PART_MODE, CR_CHAIN_FOLDED},
	{"caller", PART_ORDER, false},
	{"callee", PART_ORDER, true},
	{"function", PART_KEY, CR_CHAIN_FUNCTION},
	{"address", PART_KEY, CR_CHAIN_ADDRESS},
	{"srcline", PART_KEY, CR_CHAIN_SRCLINE},
	{"percent", PART_VALUE, CR_CHAIN_PERCENT},
	{"period", PART_VALUE, CR_CHAIN_PERIOD},
	{"count", PART_VALUE, CR_CHAIN_COUNT},
};

const char *
cr_report_chain_word(size_t i)
{
	return i < CR_LEN(chain_words) ? chain_words[i].word : NULL;
}

static bool
apply_word(struct cr_str word, struct cr_chain_opts *c)
{
	for (size_t i = 0; i < CR_LEN(chain_words); i++) {
		if (!cr_str_eq(word, cr_str_of(chain_words[i].word)))
			continue;
		switch (chain_words[i].part) {
		case PART_MODE: c->mode = chain_words[i].value; break;
		case PART_ORDER: c->callees_first = chain_words[i].value; break;
		case PART_KEY: c->key = chain_words[i].value; break;
		case PART_VALUE: c->value = chain_words[i].value; break;
		}
		return true;
	}
	return false;
}

static bool
parse_percent(struct cr_str word, double *out)
{
	char text[32], *end;

	if (!word.len || word.len >= sizeof(text) ||
		!((word.p[0] >= '0' && word.p[0] <= '9') || word.p[0] == '.'))
		return false;
	memcpy(text, word.p, word.len);
	text[word.len] = '\0';
	*out = strtod(text, &end);
	return *end == '\0' && *out <= 100;
}

bool
cr_report_percent(const char *text, double *out)
{
	return parse_percent(cr_str_of(text), out);
}

/* The first number is the minimum share of a chain, the second the number of chains printed. */
bool
cr_report_call_graph(const char *text, struct cr_report_opts *o)
{
	struct cr_chain_opts c = {.mode = CR_CHAIN_GRAPH, .min_percent = -1};
	unsigned numbers = 0;
	uint64_t limit;

	while (*text) {
		const struct cr_str word = {text, (uint32_t)strcspn(text, ",")};

		text += word.len + (text[word.len] == ',');
		if (apply_word(word, &c))
			continue;
		if (numbers == 0 && parse_percent(word, &c.min_percent)) {
			numbers++;
		} else if (numbers == 1 && cr_scan_u64(word, &limit) && limit <= UINT32_MAX) {
			c.print_limit = (uint32_t)limit;
			numbers++;
		} else {
			return false;
		}
	}
	o->chain = c;
	return true;
}

bool
cr_report_widths(const char *text, struct cr_report_opts *o)
{
	o->n_widths = 0;
	while (*text) {
		const struct cr_str word = {text, (uint32_t)strcspn(text, ",")};
		uint64_t cells;

		text += word.len + (text[word.len] == ',');
		if (!cr_scan_u64(word, &cells) || cells > 1000 || o->n_widths == CR_TABLE_MOST)
			return false;
		o->widths[o->n_widths++] = (uint16_t)cells;
	}
	return true;
}
