/*
 * key_cost COLUMNS ROWS KEYS COMMAND...: what each key costs in a program that draws on a terminal.
 *
 * KEYS is a file of keys, separated by blanks or line ends. j*20 is twenty of them; \e, \n, \t, \s
 * (a blank), \\ and \xHH stand for characters. A line that begins with "# " names the keys after
 * it.
 *
 * Prints a line for opening the program, one for two idle seconds, one for each key and one for the
 * memory, with tabs between: what it is, the name from KEYS, the key, bytes written, milliseconds
 * of all its threads on a processor up to the last of these bytes, milliseconds until then, KiB of
 * memory afterwards.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define QUIET_MS 120   /* a key is done when the program wrote nothing and slept for so long */
#define IDLE_MS 2000   /* how long it is watched while nothing happens */
#define LIMIT_MS 60000 /* of one key */
#define KEYS_BYTES 65536
#define KEY_BYTES 32

struct program {
	pid_t pid;
	int fd;
	clockid_t cpu;
	bool open;
};

struct cost {
	unsigned long bytes;
	double cpu_ms, wall_ms;
};

static double
clock_ms(clockid_t clock)
{
	struct timespec t = {0, 0};

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
start(struct program *p, unsigned short columns, unsigned short rows, char **command)
{
	const struct winsize size = {.ws_row = rows, .ws_col = columns};
	const int fd = posix_openpt(O_RDWR | O_NOCTTY);

	if (fd < 0 || grantpt(fd) < 0 || unlockpt(fd) < 0 || ioctl(fd, TIOCSWINSZ, &size) < 0) {
		perror("key_cost: pseudo terminal");
		exit(2);
	}
	p->fd = fd;
	p->open = true;
	p->pid = fork();
	if (p->pid == 0) {
		int tty;

		setsid();
		tty = open(ptsname(fd), O_RDWR);
		for (int i = 0; i < 3; i++)
			dup2(tty, i);
		close(fd);
		execvp(command[0], command);
		_exit(127);
	}
	if (p->pid < 0 || clock_getcpuclockid(p->pid, &p->cpu) != 0) {
		perror("key_cost");
		exit(2);
	}
}

/* Answer what programs ask of a terminal, so that they need not wait for it. */
static void
answer(struct program *p, const char *text, size_t len)
{
	static const struct {
		const char *ask, *reply;
	} asked[] = {{"\033[6n", "\033[1;1R"}, {"\033[c", "\033[?62;22c"}};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (memmem(text, len, asked[i].ask, strlen(asked[i].ask)) &&
			write(p->fd, asked[i].reply, strlen(asked[i].reply)) < 0)
			p->open = false;
}

/* Read until the program wrote nothing for some time and used no processor either. */
static struct cost
settle(struct program *p, double quiet_ms)
{
	const double start_ms = clock_ms(CLOCK_MONOTONIC), cpu_ms = clock_ms(p->cpu);
	double since = start_ms, cpu_since = cpu_ms;
	struct cost c = {0, 0, 0};

	while (p->open && since - start_ms < LIMIT_MS) {
		struct pollfd ready = {p->fd, POLLIN, 0};
		const int n = poll(&ready, 1, (int)quiet_ms);
		char text[65536];
		const ssize_t len = n > 0 ? read(p->fd, text, sizeof(text)) : 0;
		const double now = clock_ms(CLOCK_MONOTONIC), cpu = clock_ms(p->cpu);

		if (n > 0 && len <= 0) {
			p->open = false;
		} else if (len > 0) {
			answer(p, text, (size_t)len);
			c = (struct cost){
				c.bytes + (unsigned long)len, cpu - cpu_ms, now - start_ms};
		} else if (cpu - cpu_since < 1) {
			break;
		}
		since = now;
		cpu_since = cpu;
	}
	return c;
}

/* A line of /proc/PID/status in KiB: "VmRSS:" now, "VmHWM:" the most so far; 0 if unknown. */
static unsigned long
memory_kib(pid_t pid, const char *what)
{
	unsigned long kib = 0;
	char line[128];
	FILE *f;

	snprintf(line, sizeof(line), "/proc/%ld/status", (long)pid);
	if (!(f = fopen(line, "r")))
		return 0;
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, what, strlen(what)) == 0)
			kib = strtoul(line + strlen(what), NULL, 10);
	fclose(f);
	return kib;
}

static void
put(const struct program *p, const char *what, const char *name, const char *key, struct cost c)
{
	printf("%s\t%s\t%s\t%lu\t%.2f\t%.1f\t%lu\n", what, name, key, c.bytes, c.cpu_ms, c.wall_ms,
		memory_kib(p->pid, "VmRSS:"));
}

/* The bytes of a key as KEYS has it; how many. */
static size_t
decode(const char *key, char *out)
{
	static const char names[] = "ents\\", bytes[] = "\033\n\t \\";
	size_t n = 0;

	for (; *key && n < KEY_BYTES; key++) {
		const char *name = *key == '\\' && key[1] ? strchr(names, key[1]) : NULL;

		if (*key == '\\' && key[1] == 'x') {
			out[n++] = (char)strtol((char[]){key[2], key[3], '\0'}, NULL, 16);
			key += 3;
		} else if (name) {
			out[n++] = bytes[name - names];
			key++;
		} else {
			out[n++] = *key;
		}
	}
	return n;
}

static void
press(struct program *p, const char *name, char *word)
{
	char *times = strrchr(word, '*'), bytes[KEY_BYTES];
	long n = 1;
	size_t len;

	if (times && times > word && times[1]) {
		n = strtol(times + 1, NULL, 10);
		*times = '\0';
	}
	len = decode(word, bytes);
	for (; n > 0 && p->open; n--) {
		if (write(p->fd, bytes, len) < 0)
			return;
		put(p, "key", name, word, settle(p, QUIET_MS));
	}
}

static void
play(struct program *p, char *keys)
{
	char name[64] = "";

	for (char *next, *line = keys; line && *line && p->open; line = next) {
		char *rest, *word;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (strncmp(line, "# ", 2) == 0) {
			snprintf(name, sizeof(name), "%s", line + 2);
			continue;
		}
		for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
			press(p, name, word);
	}
}

int
main(int argc, char **argv)
{
	static char keys[KEYS_BYTES];
	struct program p;
	struct cost idle;
	FILE *f;

	if (argc < 5 || !(f = fopen(argv[3], "r"))) {
		fprintf(stderr, "usage: key_cost COLUMNS ROWS KEYS COMMAND...\n");
		return 2;
	}
	keys[fread(keys, 1, sizeof(keys) - 1, f)] = '\0';
	fclose(f);
	start(&p, (unsigned short)atoi(argv[1]), (unsigned short)atoi(argv[2]), argv + 4);
	put(&p, "open", "", "", settle(&p, IDLE_MS / 4));
	idle.cpu_ms = clock_ms(p.cpu);
	poll(&(struct pollfd){p.fd, POLLIN, 0}, 1, IDLE_MS);
	idle.cpu_ms = clock_ms(p.cpu) - idle.cpu_ms;
	idle.bytes = settle(&p, 0).bytes;
	idle.wall_ms = IDLE_MS;
	put(&p, "idle", "", "", idle);
	play(&p, keys);
	printf("peak\t%lu\n%s\n", memory_kib(p.pid, "VmHWM:"), p.open ? "alive" : "gone");
	kill(p.pid, SIGKILL);
	waitpid(p.pid, NULL, 0);
	return 0;
}
