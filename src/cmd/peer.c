#include "peer_p.h"

#include "base/mem.h"
#include "base/str.h"

#define WORDS_MOST 4

static const struct {
	const char *name, *words[WORDS_MOST];
} peers[] = {
#define PEER(name, ...) {name, {__VA_ARGS__, NULL}},
#include "peers.def"
#undef PEER
};

const char *const *
cr_peer_words(const char *argv0)
{
	const struct cr_str base = cr_str_basename(cr_str_of(argv0));

	for (size_t i = 0; i < CR_LEN(peers); i++)
		if (cr_str_eq(base, cr_str_of(peers[i].name)))
			return peers[i].words;
	return NULL;
}
