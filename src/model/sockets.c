#include "model/sockets.h"

/* A number after `what` in a line; false if there is none. */
static bool
number_after(struct cr_str line, const char *what, uint64_t *out)
{
	const size_t n = strlen(what);
	const char *at = line.len >= n ? memmem(line.p, line.len, what, n) : NULL;
	const char *end = line.p + line.len, *s;

	if (!at)
		return false;
	*out = 0;
	for (s = at + n; s < end && *s >= '0' && *s <= '9' && *out < UINT32_MAX; s++)
		*out = *out * 10 + (uint64_t)(*s - '0');
	return s > at + n;
}

/* Lines are like "cpus 0-7: cores 0-7, socket 0" or "cpu 3: core 1, ...". */
static void
add_line(struct cr_str line, struct cr_sockets *out)
{
	struct cr_socket s;

	if (!number_after(line, "socket ", &s.socket))
		return;
	if (number_after(line, "cpus ", &s.first)) {
		if (!number_after(line, "-", &s.last))
			return;
	} else if (number_after(line, "cpu ", &s.first)) {
		s.last = s.first;
	} else {
		return;
	}
	cr_vec_push(&out->ranges, s);
}

void
cr_sockets_of(const struct cr_profile *p, struct cr_sockets *out)
{
	struct cr_str rest = cr_profile_fact(p, "cpu ids");

	while (rest.len) {
		const char *end = memchr(rest.p, '\n', rest.len);

		add_line((struct cr_str){rest.p, end ? (uint32_t)(end - rest.p) : rest.len}, out);
		rest = end ? cr_str_from(rest, end + 1) : CR_STR("");
	}
}

void
cr_sockets_fini(struct cr_sockets *s)
{
	cr_vec_fini(&s->ranges);
}

uint64_t
cr_sockets_find(const struct cr_sockets *s, uint64_t cpu)
{
	for (size_t i = 0; i < s->ranges.n; i++)
		if (cpu >= s->ranges.p[i].first && cpu <= s->ranges.p[i].last)
			return s->ranges.p[i].socket;
	return CR_SOCKET_UNKNOWN;
}

bool
cr_sockets_known(const struct cr_profile *p)
{
	struct cr_sockets s = {0};
	bool known;

	cr_sockets_of(p, &s);
	known = s.ranges.n != 0;
	cr_sockets_fini(&s);
	return known;
}
