#ifndef CR_MODEL_SOCKETS_H
#define CR_MODEL_SOCKETS_H

#include "base/vec.h"
#include "model/profile.h"

/* Processors with consecutive numbers. */
struct cr_socket {
	uint64_t first, last;
	uint64_t socket;
};

/* Which processors are in which socket, from the fact "cpu ids". All zero bytes knows none. */
struct cr_sockets {
	CR_VEC(struct cr_socket) ranges;
};

#define CR_SOCKET_UNKNOWN UINT64_MAX

/* Fill *out, which is empty; free it with cr_sockets_fini(). */
void cr_sockets_of(const struct cr_profile *p, struct cr_sockets *out);
void cr_sockets_fini(struct cr_sockets *s);

/* The socket of a processor, or CR_SOCKET_UNKNOWN. */
uint64_t cr_sockets_find(const struct cr_sockets *s, uint64_t cpu);

/* True if the profile knows the socket of any processor. */
bool cr_sockets_known(const struct cr_profile *p);

#endif
