#include "opener_message_p.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

bool
cr_opener_send(int socket, const void *p, size_t len, int fd)
{
	struct iovec part = {.iov_base = (void *)(uintptr_t)p, .iov_len = len};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.room = {0}};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (fd >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
		control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	}
	do
		n = sendmsg(socket, &m, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

size_t
cr_opener_receive(int socket, void *p, size_t len, int *fd)
{
	struct iovec part = {.iov_base = p, .iov_len = len};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.room = {0}};
	struct msghdr m = {.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control)};
	ssize_t n;

	*fd = -1;
	do
		n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n > 0 && m.msg_controllen >= sizeof(control.head) &&
		control.head.cmsg_type == SCM_RIGHTS &&
		control.head.cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(&control.head), sizeof(*fd));
	return n > 0 ? (size_t)n : 0;
}
