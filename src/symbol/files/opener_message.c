#include "opener_message_p.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(CR_OPENER_AT_ONCE * sizeof(int))];
};

bool
cr_opener_send(int socket, const void *p, size_t len, const int *fds, size_t n_fds)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)p, .iov_len = len};
	union control control = {.room = {0}};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (n_fds) {
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(n_fds * sizeof(*fds));
		control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(n_fds * sizeof(*fds)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.head), fds, n_fds * sizeof(*fds));
	}
	do
		n = sendmsg(socket, &m, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

size_t
cr_opener_receive(int socket, void *p, size_t len, int *fds, size_t *n_fds)
{
	struct iovec part = {.iov_base = p, .iov_len = len};
	union control control = {.room = {0}};
	struct msghdr m = {.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control)};
	ssize_t n;

	*n_fds = 0;
	do
		n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n > 0 && m.msg_controllen >= sizeof(control.head) &&
		control.head.cmsg_type == SCM_RIGHTS && control.head.cmsg_len > CMSG_LEN(0)) {
		*n_fds = CR_MIN((control.head.cmsg_len - CMSG_LEN(0)) / sizeof(*fds),
			(size_t)CR_OPENER_AT_ONCE);
		memcpy(fds, CMSG_DATA(&control.head), *n_fds * sizeof(*fds));
	}
	return n > 0 ? (size_t)n : 0;
}

void
cr_opener_close_all(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
}
