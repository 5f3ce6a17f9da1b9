#include "testing.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/files/debuginfod_p.h"
#include "symbol/files/opener.h"
#include "symbol/symbolize.h"

/*
 * A server of this machine's own that has one debug file and notes what it is asked for. Nothing
 * here leaves the machine.
 */
struct server {
	char dir[64];
	int listening;
	pthread_t thread;
	struct cr_build_id id; /* of dir/x, which it has */
	uint64_t addr;         /* of function in it */
	pthread_mutex_t lock;
	char asked[4096]; /* the first bytes of the ids, in order */
};

static void
answer(struct server *s, int fd)
{
	char request[4096] = "", path[128], head[128];
	const char *id;
	char want[64] = "";
	ssize_t got, n = 0;
	FILE *f;

	while (!strstr(request, "\r\n\r\n") &&
		(got = read(fd, request + n, sizeof(request) - 1 - (size_t)n)) > 0)
		n += got;
	id = strstr(request, "/buildid/");
	pthread_mutex_lock(&s->lock);
	if (id)
		strncat(s->asked, id + 9, 4);
	pthread_mutex_unlock(&s->lock);
	for (uint8_t i = 0; i < s->id.len; i++)
		snprintf(want + 2 * i, 3, "%02x", s->id.p[i]);
	if (!id || strncmp(id + 9, want, strlen(want)) != 0) {
		snprintf(head, sizeof(head), "HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n");
		assert_true(write(fd, head, strlen(head)) > 0);
		return;
	}
	snprintf(path, sizeof(path), "%s/x", s->dir);
	f = fopen(path, "r");
	fseek(f, 0, SEEK_END);
	snprintf(head, sizeof(head), "HTTP/1.0 200 OK\r\nContent-Length: %ld\r\n\r\n", ftell(f));
	rewind(f);
	got = write(fd, head, strlen(head));
	while (got > 0 && (n = (ssize_t)fread(request, 1, sizeof(request), f)) > 0)
		got = write(fd, request, (size_t)n);
	fclose(f);
}

static void *
serve(void *user)
{
	struct server *s = user;
	int fd;

	while ((fd = accept(s->listening, NULL, NULL)) >= 0) {
		answer(s, fd);
		close(fd);
	}
	return NULL;
}

/*
 * A program with a function; false when it cannot be compiled. Without gcc the tests are skipped.
 */
static bool
program_make(struct server *s)
{
	char command[512], path[128];
	struct cr_symtab t = {0};
	struct cr_elf *e;

	if (!testing_has("gcc"))
		return true;
	snprintf(command, sizeof(command),
		"cd %s && echo 'int function(void) { return 1; } void _start(void) { }' >x.c && "
		"gcc -g -nostdlib -static -Wl,--build-id -o x x.c",
		s->dir);
	if (system(command) != 0)
		return false;
	snprintf(path, sizeof(path), "%s/x", s->dir);
	e = cr_elf_open(open(path, O_RDONLY | O_CLOEXEC));
	assert_non_null(e);
	cr_elf_build_id(e, &s->id);
	cr_elf_symbols(e, e, &t);
	s->addr = cr_symtab_address(&t, "function");
	cr_symtab_fini(&t);
	cr_elf_close(e);
	return true;
}

static int
server_start(void **state)
{
	struct server *s = calloc(1, sizeof(*s));
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	char url[64];

	strcpy(s->dir, "/tmp/cresset-test-XXXXXX");
	if (!mkdtemp(s->dir) || !program_make(s))
		return -1;
	pthread_mutex_init(&s->lock, NULL);
	s->listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(s->listening, (struct sockaddr *)&at, sizeof(at)) < 0 ||
		listen(s->listening, 8) < 0 ||
		getsockname(s->listening, (struct sockaddr *)&at, &len) < 0)
		return -1;
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(at.sin_port));
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", s->dir, 1);
	setenv("no_proxy", "127.0.0.1", 1);
	unsetenv("DEBUGINFOD_PROGRESS");
	unsetenv("DEBUGINFOD_VERBOSE");
	*state = s;
	return pthread_create(&s->thread, NULL, serve, s);
}

static int
server_stop(void **state)
{
	struct server *s = *state;
	char command[128];

	shutdown(s->listening, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->listening);
	snprintf(command, sizeof(command), "rm -rf %s", s->dir);
	assert_int_equal(system(command), 0);
	free(s);
	return 0;
}

static void
needs(const struct server *s)
{
	struct cr_debuginfod *d;
	bool there;

	if (!cr_symbol_has_debuginfod())
		testing_skip("built without libdebuginfod");
	testing_needs("gcc");
	assert_int_not_equal(s->id.len, 0);
	d = cr_debuginfod_new(NULL, NULL);
	there = !strstr(cr_debuginfod_why(d), "cannot be");
	cr_debuginfod_free(d);
	if (!there)
		testing_skip("libdebuginfod cannot be loaded");
}

/*
 * A dso of which this machine has no file: the server's if change is 0, else one that nobody
 * has.
 */
static struct cr_dso
dso_of(const struct server *s, const char *name, uint8_t change)
{
	struct cr_dso o = {
		.name = cr_str_of(name), .kind = CR_KIND_USER, .build_id_len = s->id.len};

	memcpy(o.build_id, s->id.p, s->id.len);
	o.build_id[0] ^= change;
	return o;
}

/* A profile with so many samples in each dso, all in function(). */
static struct cr_profile *
symbolized(const struct server *s, const struct cr_dso *dsos, const int *samples, size_t n,
	const struct cr_symbol_opts *opts)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("t"), space);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {.n = 0};
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	for (size_t i = 0; i < n; i++) {
		const cr_location_id l =
			cr_builder_location(b, cr_builder_dso(b, &dsos[i]), s->addr, 0);
		const struct cr_sample sample = {.weight = 1,
			.task = task,
			.event = event,
			.cpu = UINT16_MAX,
			.node = cr_builder_push(b, CR_ROOT, l)};

		for (int k = 0; k < samples[i]; k++)
			cr_builder_sample(b, &sample);
	}
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_int_equal(cr_symbolize(p, opts, &p, &err), CR_OK);
	return p;
}

static bool
has_function(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (cr_str_eq(p->functions[i].name, CR_STR("function")))
			return true;
	return false;
}

static bool
has_quality(const struct cr_profile *p, const char *what, uint64_t count)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (memmem(p->quality[i].what.p, p->quality[i].what.len, what, strlen(what)) &&
			p->quality[i].count == count)
			return true;
	return false;
}

static void
test_nobody_is_asked_unless_told_to(void **state)
{
	struct server *s = *state;
	const struct cr_dso o = dso_of(s, "/nonexistent/x", 0);
	const struct cr_symbol_opts opts = {.symfs = "/nonexistent"};
	struct cr_profile *p;

	needs(s);
	p = symbolized(s, &o, &(int){1}, 1, &opts);
	assert_false(has_function(p));
	assert_false(has_quality(p, "debuginfod", 1));
	assert_string_equal(s->asked, "");
	cr_profile_free(p);
}

static void
test_a_server_is_asked_for_what_is_not_here(void **state)
{
	struct server *s = *state;
	const struct cr_dso o = dso_of(s, "/nonexistent/x", 0);
	const struct cr_symbol_opts opts = {.symfs = "/nonexistent", .debuginfod = true};

	needs(s);
	for (int again = 0; again <= 1; again++) { /* the second time it is in the cache */
		struct cr_profile *p = symbolized(s, &o, &(int){1}, 1, &opts);

		assert_true(has_function(p));
		assert_false(has_quality(p, "debuginfod", 1));
		assert_int_equal(strlen(s->asked), 4);
		cr_profile_free(p);
	}
}

static bool
stop_downloading(void *user, const char *what, uint64_t done, uint64_t whole)
{
	(void)user;
	(void)done;
	(void)whole;
	return strcmp(what, "downloading") != 0;
}

/*
 * A confined process lets the opener ask the server; the progress function of the confined process
 * can stop it.
 */
static void
test_a_server_is_asked_by_the_opener(void **state)
{
	const struct cr_progress progress = {.step = stop_downloading};
	struct server *s = *state;
	const struct cr_dso o[] = {dso_of(s, "/nonexistent/x", 0), dso_of(s, "/nonexistent/y", 1)};
	struct cr_symbol_opts opts = {.symfs = "/nonexistent", .debuginfod = true};
	struct cr_profile *p;

	needs(s);
	opts.opener = cr_opener_start(&opts, NULL, 0);
	assert_non_null(opts.opener);
	p = symbolized(s, o, (const int[]){5, 1}, 2, &opts);
	assert_true(has_function(p));
	assert_true(has_quality(
		p, "dsos without debug info from debuginfod: the servers do not have it", 1));
	assert_int_equal(strlen(s->asked), 8);
	cr_profile_free(p);
	opts.progress = &progress;
	p = symbolized(s, o + 1, (const int[]){1}, 1, &opts);
	assert_true(has_quality(p, "debuginfod: stopped", 1));
	assert_int_equal(strlen(s->asked), 8);
	cr_profile_free(p);
	cr_opener_stop(opts.opener);
}

static void
test_the_hottest_is_asked_for_first_and_what_is_not_there_told(void **state)
{
	static const int samples[] = {1, 5, 3};
	struct server *s = *state;
	const struct cr_dso o[] = {dso_of(s, "/nonexistent/x", 0), dso_of(s, "/nonexistent/y", 1),
		dso_of(s, "/nonexistent/z", 2)};
	const struct cr_symbol_opts opts = {.symfs = "/nonexistent", .debuginfod = true};
	struct cr_profile *p;
	char want[16];

	needs(s);
	p = symbolized(s, o, samples, 3, &opts);
	snprintf(want, sizeof(want), "%02x%02x%02x%02x%02x%02x", o[1].build_id[0], o[1].build_id[1],
		o[2].build_id[0], o[2].build_id[1], o[0].build_id[0], o[0].build_id[1]);
	assert_string_equal(s->asked, want);
	assert_true(has_function(p));
	assert_true(has_quality(
		p, "dsos without debug info from debuginfod: the servers do not have it", 2));
	cr_profile_free(p);
}

static void
test_without_servers_that_is_told(void **state)
{
	struct server *s = *state;
	const struct cr_dso o = dso_of(s, "/nonexistent/x", 0);
	const struct cr_symbol_opts opts = {.symfs = "/nonexistent", .debuginfod = true};
	struct cr_profile *p;

	needs(s);
	unsetenv("DEBUGINFOD_URLS");
	p = symbolized(s, &o, &(int){1}, 1, &opts);
	assert_true(has_quality(p, "$DEBUGINFOD_URLS names no server", 1));
	cr_profile_free(p);
}

static void
test_asking_can_be_stopped_and_the_rest_is_kept(void **state)
{
	struct server *s = *state;
	char own[128];
	const struct cr_progress progress = {.step = stop_downloading};
	const struct cr_symbol_opts opts = {
		.debuginfod = true, .progress = &progress, .home = "/nonexistent"};
	struct cr_dso o[2];
	struct cr_profile *p;

	needs(s);
	snprintf(own, sizeof(own), "%s/x", s->dir);
	o[0] = dso_of(s, own, 0);
	o[1] = dso_of(s, "/nonexistent/y", 1);
	p = symbolized(s, o, (const int[]){1, 5}, 2, &opts);
	assert_true(has_function(p));
	assert_true(has_quality(p, "debuginfod: stopped", 1));
	assert_string_equal(s->asked, "");
	cr_profile_free(p);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, server_start, server_stop)
	const struct CMUnitTest tests[] = {
		TEST(test_nobody_is_asked_unless_told_to),
		TEST(test_a_server_is_asked_for_what_is_not_here),
		TEST(test_a_server_is_asked_by_the_opener),
		TEST(test_the_hottest_is_asked_for_first_and_what_is_not_there_told),
		TEST(test_without_servers_that_is_told),
		TEST(test_asking_can_be_stopped_and_the_rest_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
