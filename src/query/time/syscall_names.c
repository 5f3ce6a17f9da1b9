#include "query/time/syscall_names.h"

#include "base/mem.h"

#include <string.h>

/* i386 and others are macros of some compilers. */
enum machine { OTHER, X86_64, I386, GENERIC };

static const struct {
	enum machine machine;
	uint32_t first;
	const char *names; /* separated by blanks */
} table[] = {
#define SYSCALLS(machine, first, names) {machine, first, names},
#include "syscall_names.def"
#undef SYSCALLS
};

static enum machine
machine_of(struct cr_str arch)
{
	static const char *const generic[] = {
		"aarch64", "arm64", "riscv64", "riscv32", "loongarch64"};

	if (cr_str_eq(arch, CR_STR("x86_64")))
		return X86_64;
	if (arch.len == 4 && arch.p[0] == 'i' && memcmp(arch.p + 2, "86", 2) == 0)
		return I386;
	for (size_t i = 0; i < CR_LEN(generic); i++)
		if (cr_str_eq(arch, cr_str_of(generic[i])))
			return GENERIC;
	return OTHER;
}

/* The n-th word of a text; "" if it has fewer. */
static struct cr_str
word_at(const char *p, uint64_t n)
{
	for (; n; n--) {
		if (!(p = strchr(p, ' ')))
			return CR_STR("");
		p++;
	}
	return (struct cr_str){p, (uint32_t)strcspn(p, " ")};
}

struct cr_str
cr_syscall_name(struct cr_str arch, uint64_t number)
{
	const enum machine machine = machine_of(arch);

	for (size_t i = CR_LEN(table); i-- > 0;) /* later entries have larger numbers */
		if (table[i].machine == machine && number >= table[i].first)
			return word_at(table[i].names, number - table[i].first);
	return CR_STR("");
}
