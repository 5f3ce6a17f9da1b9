#include "testing.h"

#include "cmd/job.c"

#include <sys/wait.h>

#define LONG_SECONDS \
	60 /* a program that does not end is a failure and not a test without an end \
	    */

static const struct cr_cmd NO_COMMAND = {.name = ""};

/* Runs in a process of its own; its wait status is returned. */
static int
status_of(void (*work)(struct watch *w))
{
	const struct cr_options o = {.cmd = &NO_COMMAND};
	int status;
	const pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct watch w;

		signal(SIGINT, SIG_DFL);
		watch_start(&w, &o);
		work(&w);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void
wait_ms(uint64_t ms)
{
	const uint64_t until = now_ns() + ms * 1000000;
	const struct timespec pause = {0, 1000000};

	while (now_ns() < until)
		nanosleep(&pause, NULL);
}

/* It works on and never asks. */
static void
deaf(struct watch *w)
{
	(void)w;
	raise(SIGINT);
	wait_ms(LONG_SECONDS * 1000);
}

/* So does a part that ^C would end alone, if it asked. */
static void
deaf_part(struct watch *w)
{
	cr_progress_step(&w->progress, "lines", 0, 0);
	raise(SIGINT);
	wait_ms(LONG_SECONDS * 1000);
}

/* It asks, and goes on with what is left. */
static void
goes_on(struct watch *w)
{
	if (!cr_progress_step(&w->progress, "lines", 0, 0))
		_exit(1);
	raise(SIGINT);
	if (cr_progress_step(&w->progress, "lines", 1, 2) ||
		cr_progress_step(&w->progress, "source", 0, 0))
		_exit(1);
	wait_ms(2 * STOP_WITHIN_US / 1000);
	watch_end(w, CR_OK);
}

static void
stops_twice(struct watch *w)
{
	cr_progress_step(&w->progress, "lines", 0, 0);
	raise(SIGINT);
	cr_progress_step(&w->progress, "lines", 1, 2);
	raise(SIGINT);
	wait_ms(LONG_SECONDS * 1000);
}

/*
 * What cannot go on without the step that was interrupted does not clear up before it ends: that of
 * a large profile takes long. It would exit here with another code.
 */
static void
clears_up(struct watch *w)
{
	cr_progress_step(&w->progress, "reading", 0, 0);
	raise(SIGINT);
	cr_progress_step(&w->progress, "reading", 1, 2);
	_exit(2);
}

/* The part was done just when the interrupt came. */
static void
is_done(struct watch *w)
{
	cr_progress_step(&w->progress, "lines", 0, 0);
	raise(SIGINT);
	watch_end(w, CR_OK);
}

static void
goes_on_late(struct watch *w)
{
	cr_progress_step(&w->progress, "lines", 0, 0);
	raise(SIGINT);
	cr_progress_step(&w->progress, "reading", 0, 0);
	_exit(2);
}

static void
fails(struct watch *w)
{
	cr_progress_step(&w->progress, "lines", 0, 0);
	raise(SIGINT);
	watch_end(w, cr_progress_step(&w->progress, "lines", 0, 0) ? CR_OK : CR_ECANCEL);
}

static void
test_an_interrupt_ends_work(void **state)
{
	void (*const works[])(struct watch * w) = {
		deaf, deaf_part, stops_twice, clears_up, is_done, goes_on_late, fails};

	(void)state;
	for (size_t i = 0; i < CR_LEN(works); i++) {
		const int status = status_of(works[i]);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGINT);
	}
}

static void
test_work_that_stops_a_part_may_go_on(void **state)
{
	(void)state;
	assert_int_equal(status_of(goes_on), 0);
}

static void
test_no_timer_is_left(void **state)
{
	const struct cr_options o = {.cmd = &NO_COMMAND};
	struct itimerval left;
	struct sigaction was;
	struct watch w;

	(void)state;
	watch_start(&w, &o);
	watch_end(&w, CR_OK);
	assert_int_equal(getitimer(ITIMER_REAL, &left), 0);
	assert_int_equal(left.it_value.tv_sec, 0);
	assert_int_equal(left.it_value.tv_usec, 0);
	assert_int_equal(sigaction(SIGALRM, NULL, &was), 0);
	assert_true(was.sa_handler != on_timer);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_interrupt_ends_work),
		cmocka_unit_test(test_work_that_stops_a_part_may_go_on),
		cmocka_unit_test(test_no_timer_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
