/* Handlers on the stack and on a stack of their own, within each other, and ways out of them. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink, zero;
static volatile int depth;
static sigjmp_buf back;

void faults_at_once(void); /* its first instruction is one that no processor has */

static NOINLINE void
work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

static void
plain(int sig)
{
	work(3);
	if (depth++ < 2)
		raise(sig == SIGUSR1 ? SIGUSR2 : SIGUSR1);
	work(2);
}

static void
with_info(int sig, siginfo_t *info, void *context)
{
	(void)context;
	work((unsigned)(sig + info->si_signo) % 5 + 1);
	if (depth++ < 1)
		raise(SIGUSR1);
}

static void
leaves(int sig)
{
	work(2);
	siglongjmp(back, sig);
}

static void
set(int sig, void (*handler)(int), int flags)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_handler = handler;
	a.sa_flags = flags;
	sigaction(sig, &a, NULL);
}

static void
set_info(int sig, int flags)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_sigaction = with_info;
	a.sa_flags = SA_SIGINFO | flags;
	sigaction(sig, &a, NULL);
}

static NOINLINE unsigned
divide(unsigned a)
{
	return a / zero;
}

static NOINLINE unsigned
load(void)
{
	return *(volatile unsigned *)(size_t)zero;
}

static NOINLINE void
faults(void)
{
	if (!sigsetjmp(back, 1))
		sink += divide(7);
	if (!sigsetjmp(back, 1))
		sink += load();
	if (!sigsetjmp(back, 1))
		faults_at_once();
	work(2);
}

static NOINLINE void
raising(void)
{
	depth = 0;
	raise(SIGUSR1);
	depth = 0;
	kill(getpid(), SIGUSR2);
	depth = 0;
	raise(SIGHUP);
	signal(SIGCHLD, SIG_IGN);
	raise(SIGCHLD);
	work(3);
}

static void
set_all(int flags)
{
	set(SIGUSR1, plain, flags);
	set(SIGUSR2, plain, flags);
	set_info(SIGHUP, flags | SA_NODEFER);
	set(SIGFPE, leaves, flags);
	set(SIGSEGV, leaves, flags);
	set(SIGILL, leaves, flags);
}

static NOINLINE void
with_stack(void *room, size_t size)
{
	stack_t s;

	memset(&s, 0, sizeof(s));
	s.ss_sp = room;
	s.ss_size = size;
	sigaltstack(&s, NULL);
	raising();
	faults();
	s.ss_flags = SS_DISABLE;
	sigaltstack(&s, NULL);
}

/* Its room is above all frames that it interrupts; other alternative stacks are below. */
static NOINLINE void
with_stack_above(void)
{
	char room[20000];

	with_stack(room, sizeof(room));
}

int
main(void)
{
	set_all(0);
	raising();
	faults();
	set_all(SA_ONSTACK);
	with_stack(malloc(65536), 65536);
	with_stack_above();
	return 0;
}
