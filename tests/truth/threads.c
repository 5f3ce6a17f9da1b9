/* The start and the ends of threads: returning, pthread_exit through handlers, cancelled. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink;
static __thread volatile unsigned own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t met;

static NOINLINE unsigned
deep(unsigned n)
{
	own += n;
	return n ? deep(n - 1) + 1 : sink;
}

static void
cleaned(void *arg)
{
	(void)arg;
	sink += deep(3);
}

static NOINLINE void
leave(void)
{
	pthread_cleanup_push(cleaned, NULL);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
}

static void *
returns(void *arg)
{
	pthread_mutex_lock(&lock);
	sink += deep(9);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
exits(void *arg)
{
	deep(4);
	leave();
	return arg;
}

static void *
waits(void *arg)
{
	pthread_cleanup_push(cleaned, NULL);
	pthread_barrier_wait(&met);
	for (;;)
		pause();
	pthread_cleanup_pop(1);
	return arg;
}

static void
handler(int sig)
{
	deep((unsigned)sig % 4);
}

static void *
handles(void *arg)
{
	raise(SIGUSR1);
	return arg;
}

int
main(void)
{
	static void *(*const starts[])(void *) = {returns, exits, handles, waits};
	struct sigaction a;
	pthread_t t[4];

	memset(&a, 0, sizeof(a));
	a.sa_handler = handler;
	sigaction(SIGUSR1, &a, NULL);
	pthread_barrier_init(&met, NULL, 2);
	for (unsigned i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, starts[i], NULL);
	pthread_barrier_wait(&met);
	pthread_cancel(t[3]);
	for (unsigned i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
