/*
 * Frames of every shape: deep and mutual recursion, sizes known late, aligned, tail calls,
 * variadic.
 */
#include <alloca.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink;

static NOINLINE unsigned
leaf(unsigned n)
{
	return n * 7 + sink;
}

static NOINLINE unsigned
deep(unsigned n)
{
	return n ? deep(n - 1) + leaf(n) : leaf(0);
}

static NOINLINE unsigned odd(unsigned n);

static NOINLINE unsigned
even(unsigned n)
{
	return n ? odd(n - 1) ^ 1 : leaf(1);
}

static NOINLINE unsigned
odd(unsigned n)
{
	return n ? even(n - 1) ^ 2 : leaf(2);
}

/* At -O2 a jump: the frame of the caller is gone when the other runs. */
static NOINLINE unsigned
jumps(unsigned n)
{
	sink += n;
	return n > 3 ? even(n) : leaf(n);
}

static NOINLINE unsigned
late(unsigned n)
{
	char *room = alloca(n * 24 + 1);
	char more[n + 1];

	memset(room, (int)n, n * 24 + 1);
	memset(more, 1, n + 1);
	return n ? late(n - 1) + (unsigned)room[n] + (unsigned)more[n] : leaf(3);
}

static NOINLINE unsigned
aligned(unsigned n)
{
	volatile char line[96] __attribute__((aligned(64)));

	line[n % 96] = (char)n;
	return n ? aligned(n - 1) + (unsigned)line[n % 96] : leaf((unsigned)(size_t)line & 63);
}

/*
 * Aligned and with arguments on the stack: the old stack pointer lives in a register, then on the
 * stack.
 */
static NOINLINE unsigned
aligned_sum(unsigned count, ...)
{
	volatile unsigned part[16] __attribute__((aligned(128)));
	unsigned sum = 0;
	va_list args;

	va_start(args, count);
	for (unsigned i = 0; i < count; i++)
		sum += part[i % 16] = va_arg(args, unsigned);
	va_end(args);
	return sum + leaf(part[0]) +
	       (count > 2 ? aligned_sum(count - 1, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u) : 0);
}

static NOINLINE unsigned
aligned_late(unsigned n)
{
	volatile char line[64] __attribute__((aligned(64)));
	char *room = alloca(n * 16 + 16);

	line[n % 64] = 1;
	memset(room, 2, n * 16 + 16);
	return n ? aligned_late(n - 1) + (unsigned)line[n % 64] + (unsigned)room[n] : leaf(5);
}

struct big {
	unsigned v[40];
};

static NOINLINE struct big
by_value(struct big b, unsigned n)
{
	b.v[n % 40] += n;
	return n ? by_value(b, n - 1) : b;
}

/* More than a page: the stack is probed on the way. */
static NOINLINE unsigned
huge(unsigned n)
{
	volatile char room[20000];

	room[n] = (char)n;
	return n ? huge(n - 1) + (unsigned)room[n] : leaf(6);
}

static NOINLINE unsigned
many(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g, unsigned h,
	unsigned i)
{
	unsigned s = leaf(a) + leaf(b) * c;

	if (s == 12345)
		return s;
	s += leaf(c + d) * (leaf(e) ^ leaf(f)) + leaf(g) * h;
	return i ? s + many(b, c, d, e, f, g, h, s, i - 1) : s;
}

static __attribute__((noinline, cold)) unsigned
seldom(unsigned n)
{
	return leaf(n) + deep(2);
}

static NOINLINE unsigned
mostly(unsigned n)
{
	if (__builtin_expect(n % 5 == 0, 0))
		return seldom(n) * 3 + leaf(n);
	return leaf(n) + 1;
}

int
main(void)
{
	struct big b = {{1}};
	unsigned sum = deep(60) + even(21) + jumps(9) + jumps(2) + late(12) + aligned(7);

	sum += aligned_sum(6, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u) + aligned_late(6);
	sum += by_value(b, 5).v[0] + huge(1) + many(1, 2, 3, 4, 5, 6, 7, 8, 3);
	for (unsigned i = 0; i < 7; i++)
		sum += mostly(i);
	printf("%u %f %s\n", sum, sum / 3.0, "done");
	return 0;
}
