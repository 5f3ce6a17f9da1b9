#ifndef CR_QUERY_TABLE_SYSCALL_NAMES_H
#define CR_QUERY_TABLE_SYSCALL_NAMES_H

#include "base/str.h"

#include <stdint.h>

/*
 * The name of a system call by its number, as `strace` prints it. arch: of the recorded machine, as
 * uname -m prints it; x86_64, i386 to i686, aarch64 and the other machines with the generic numbers
 * are known. "" if the name is unknown. Time grows with the number.
 */
struct cr_str cr_syscall_name(struct cr_str arch, uint64_t number);

#endif
