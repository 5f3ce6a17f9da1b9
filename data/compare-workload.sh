#!/bin/sh
# compare-workload.sh - make the six recordings in data/compare: three of each of two versions of a small program that
# counts the words of a text. docs/comparing.md works through them.
#
# Version 2 hashes four bytes at a time (hash_word is cheaper), checks its input (valid_utf8 is new), and does not fold
# case any more (fold_case is gone). The rest is the same source.
#
# Needs: root, gcc, perf, unshare, and cresset ($CRESSET says which). Everything is built and run in /opt/demo, and is
# recorded under the host name "demo".
set -eu

here=$(cd "$(dirname "$0")" && pwd)
dir=/opt/demo
cresset=${CRESSET:-cresset}

if [ "${1:-}" != inside ]; then
    mkdir -p "$dir/bin" "$dir/src" "$here/compare"
    cat >"$dir/src/words.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))
#define TEXT (1 << 16)
#define SLOTS (1 << 13)

struct slot { const char *word; unsigned len, count; };

static char text[TEXT];
static struct slot slots[SLOTS];
static uint32_t seed = 1;

APART static void make_text(void)
{
	for (size_t i = 0; i < TEXT; i++) {
		seed = seed * 1664525u + 1013904223u;
		text[i] = seed >> 28 < 3 ? ' ' : (char)('a' + (seed >> 24) % 26);
	}
}

#if VERSION == 1
APART static void fold_case(void)
{
	for (size_t i = 0; i < TEXT; i++)
		if (text[i] >= 'A' && text[i] <= 'Z')
			text[i] |= 0x20;
	__asm__ volatile("" ::: "memory");
}
#else
APART static int valid_utf8(void)
{
	unsigned bad = 0;

	for (size_t i = 0; i < TEXT; i++)
		bad += (unsigned char)text[i] >= 0x80 && (text[i] & 0xc0) != 0x80;
	return bad == 0;
}
#endif

APART static uint32_t hash_word(const char *p, unsigned n)
{
	uint32_t h = 2166136261u;

#if VERSION == 1
	while (n--)
		h = (h ^ (unsigned char)*p++) * 16777619u;
#else
	uint32_t four;

	for (; n >= 4; n -= 4, p += 4) {
		memcpy(&four, p, 4);
		h = (h ^ four) * 16777619u;
		h ^= h >> 15;
	}
	while (n--)
		h = (h ^ (unsigned char)*p++) * 16777619u;
#endif
	return h ^ h >> 13;
}

APART static struct slot *find_slot(const char *p, unsigned n, uint32_t h)
{
	struct slot *s = &slots[h % SLOTS];

	for (unsigned i = 0; i < 64; i++, s = s + 1 < slots + SLOTS ? s + 1 : slots)
		if (!s->word || (s->len == n && memcmp(s->word, p, n) == 0))
			return s;
	return s;
}

APART static void count_words(void)
{
	for (const char *p = text, *end = text + TEXT; p < end;) {
		const char *word = p;

		while (p < end && *p != ' ')
			p++;
		if (p > word) {
			struct slot *s = find_slot(word, (unsigned)(p - word), hash_word(word, (unsigned)(p - word)));

			s->word = word;
			s->len = (unsigned)(p - word);
			s->count++;
		}
		p++;
	}
}

static int by_count(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

APART static unsigned report(void)
{
	qsort(slots, 512, sizeof(*slots), by_count);
	return slots[0].count;
}

int main(int argc, char **argv)
{
	unsigned sum = 0;

	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		memset(slots, 0, sizeof(slots));
		make_text();
#if VERSION == 1
		fold_case();
#else
		if (!valid_utf8())
			return 1;
#endif
		count_words();
		sum += report();
	}
	printf("%u\n", sum);
	return 0;
}
C
    for version in 1 2; do
        gcc -O2 -g -fno-omit-frame-pointer -fno-tree-vectorize -DVERSION=$version -o "$dir/bin/words-$version" \
            "$dir/src/words.c"
    done
    exec unshare --uts "$0" inside
fi

hostname demo
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
"$cresset" compare --store "$store" -n 3 -o words -F 999 --report --with-source -- \
    "$dir/bin/words-1" 900 -- "$dir/bin/words-2" 900 || [ $? -eq 1 ]
for run in 1 2 3; do
    for side in before after; do
        cp "$store/words-$side-$run.cresset" "$here/compare/$side-$run.cresset"
    done
done
