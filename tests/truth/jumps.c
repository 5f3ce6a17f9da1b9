/* setjmp and longjmp over many frames, and calls that are the last bytes of their function. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink;
static jmp_buf back;

static NOINLINE void
work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

static NOINLINE void
down(unsigned n)
{
	char text[32];

	snprintf(text, sizeof(text), "%u", n);
	work(2);
	if (n == 0)
		longjmp(back, 1);
	if (n < 100)
		down(n - 1);
	sink += (unsigned)text[0];
}

/* Nothing comes behind the call: its return address is of the function that follows. */
static __attribute__((noinline, noreturn)) void
leave(int code)
{
	work(2);
	if (code > 5)
		longjmp(back, code);
	exit(code);
}

static __attribute__((noinline, noreturn)) void
last_call(int code)
{
	leave(code + 1);
}

static NOINLINE void
after_it(void)
{
	work(1);
}

int
main(void)
{
	for (volatile unsigned i = 0; i < 3; i++)
		if (!setjmp(back))
			down(i * 9);
	if (!setjmp(back))
		last_call(7);
	after_it();
	last_call(-1);
}
