/* Functions whose instructions access known members of structs: see tests/golden/data-types.t. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inner {
	int low, high;
};
struct node {
	long key;
	struct node *next;
	struct inner pair;
	char name[32];
};
union both {
	double real;
	unsigned long bits;
};
struct table {
	unsigned count;
	struct node *slots[512];
	union both values[1024];
};
typedef struct {
	float x, y, z;
} point;

static struct table global_table;
point cloud[4096];
volatile long sink;

__attribute__((noinline)) static long
walk(struct node *head)
{
	long sum = 0;
	for (struct node *n = head; n; n = n->next)
		sum += n->key;
	return sum;
}
__attribute__((noinline)) static long
pairs(struct node *head, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += head[i].pair.high;
	return sum;
}
__attribute__((noinline)) static double
reals(struct table *t)
{
	double sum = 0;
	for (int i = 0; i < 1024; i++)
		sum += t->values[i].real;
	return sum;
}
__attribute__((noinline)) static float
points(void)
{
	float sum = 0;
	for (int i = 0; i < 4096; i++)
		sum += cloud[i].y;
	return sum;
}
__attribute__((noinline)) static unsigned
counter(void)
{
	for (int i = 0; i < 1000; i++)
		__atomic_fetch_add(&global_table.count, 1, __ATOMIC_RELAXED);
	return global_table.count;
}
__attribute__((noinline)) static long
local(int n)
{
	struct {
		long a, b[64];
	} box;
	memset(&box, 0, sizeof(box));
	for (int i = 0; i < n; i++) {
		box.b[i & 63] += i;
		__asm__ volatile("" ::: "memory");
	}
	return box.b[3] + (long)&box;
}
__attribute__((noinline)) static struct node *
slot(long i)
{
	__asm__ volatile("");
	return global_table.slots[i & 511];
}
__attribute__((noinline)) static long
returned(long i)
{
	return slot(i)->pair.low + slot(i + 1)->key;
}
int
main(int argc, char **argv)
{
	const int N = 20000, rounds = argc > 1 ? atoi(argv[1]) : 3000;
	struct node *nodes = calloc(N, sizeof(*nodes));
	for (int i = 0; i < N; i++) {
		nodes[i].key = i;
		nodes[i].next = i + 1 < N ? &nodes[(i + 1)] : NULL;
	}
	for (int r = 0; r < rounds; r++) {
		sink += walk(nodes);
		sink += pairs(nodes, N);
		sink += (long)reals(&global_table);
		sink += (long)points();
		sink += counter();
		sink += local(1000);
		global_table.slots[r & 511] = global_table.slots[(r + 1) & 511] = nodes;
		sink += returned(r);
	}
	return argv == NULL;
}
