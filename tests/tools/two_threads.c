/*
 * two_threads.c - the program behind good-two-threads.perf.data.
 *
 * Two threads with comm names of their own run differently named functions;
 * a forked child burns a little time and then executes this same program
 * again in its "after-exec" role.  Every amount of work is bounded by CPU
 * time, so that a recording has about the same number of samples anywhere.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile unsigned long sink;

static double
cpu_seconds(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

NOINLINE unsigned long
count_primes(unsigned limit)
{
	unsigned long found = 0;
	for (unsigned n = 2; n < limit; n++) {
		unsigned d = 2;
		while (d * d <= n && n % d != 0)
			d++;
		if (d * d > n)
			found++;
	}
	return found;
}

NOINLINE unsigned long
hash_bytes(const unsigned char *p, size_t n)
{
	unsigned long h = 1469598103934665603ul;
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 1099511628211ul;
	return h;
}

NOINLINE unsigned long
hash_block(unsigned seed)
{
	static __thread unsigned char block[16384];
	for (size_t i = 0; i < sizeof block; i++)
		block[i] = (unsigned char)(seed + i * 7);
	unsigned long h = hash_bytes(block, sizeof block);
	return h + 1;
}

NOINLINE unsigned long
descend(int depth, unsigned seed)
{
	if (depth == 0)
		return hash_block(seed);
	unsigned long r = descend(depth - 1, seed + 1);
	return r * 3 + 1;
}

NOINLINE void
prime_work(double seconds)
{
	double end = cpu_seconds() + seconds;
	while (cpu_seconds() < end)
		sink += count_primes(20000);
	sink++;
}

NOINLINE void
hash_work(double seconds)
{
	double end = cpu_seconds() + seconds;
	unsigned seed = 0;
	while (cpu_seconds() < end)
		sink += descend(5, seed++);
	sink++;
}

NOINLINE void
child_work(double seconds)
{
	double end = cpu_seconds() + seconds;
	while (cpu_seconds() < end)
		sink += count_primes(5000);
	sink++;
}

NOINLINE void
after_exec_work(double seconds)
{
	double end = cpu_seconds() + seconds;
	while (cpu_seconds() < end)
		sink += hash_block(9);
	sink++;
}

static void *
prime_thread(void *arg)
{
	prctl(PR_SET_NAME, "prime-worker");
	prime_work(*(double *)arg);
	return NULL;
}

static void *
hash_thread(void *arg)
{
	prctl(PR_SET_NAME, "hash worker"); /* a comm with a space in it */
	hash_work(*(double *)arg);
	return NULL;
}

int
main(int argc, char **argv)
{
	double unit = argc > 1 ? atof(argv[1]) : 0.1;
	if (argc > 2 && strcmp(argv[2], "after-exec") == 0) {
		after_exec_work(unit);
		return 0;
	}

	pid_t pid = fork();
	if (pid < 0) {
		perror("fork");
		return 1;
	}
	if (pid == 0) {
		char amount[32];
		prctl(PR_SET_NAME, "child");
		child_work(unit);
		snprintf(amount, sizeof amount, "%g", unit);
		execl(argv[0], "after-exec", amount, "after-exec", (char *)NULL);
		perror("exec");
		_exit(127);
	}

	double primes = unit * 3, hashes = unit * 4;
	pthread_t a, b;
	if (pthread_create(&a, NULL, prime_thread, &primes) != 0 ||
		pthread_create(&b, NULL, hash_thread, &hashes) != 0)
		return 1;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	int status;
	waitpid(pid, &status, 0);
	return status == 0 ? 0 : 1;
}
