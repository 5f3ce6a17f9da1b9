#ifndef CR_SYMBOL_CODE_CAPSTONE_LIBRARY_P_H
#define CR_SYMBOL_CODE_CAPSTONE_LIBRARY_P_H

#include <capstone/capstone.h>
#include <stdbool.h>

#define CR_CAPSTONE_TEXT(x) #x
#define CR_CAPSTONE_NAME(major) "libcapstone.so." CR_CAPSTONE_TEXT(major)
#define CR_CAPSTONE_SONAME CR_CAPSTONE_NAME(CS_API_MAJOR)

/* What we call of capstone. It is loaded on first use: the start would be half as long again. */
struct cr_capstone {
	void *handle;
	__typeof__(cs_open) *open;
	__typeof__(cs_close) *close;
	__typeof__(cs_option) *option;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_free) *free;
	__typeof__(cs_disasm_iter) *disasm_iter;
	__typeof__(cs_insn_group) *insn_group;
	__typeof__(cs_regs_access) *regs_access;
};

/* Returns false if the library is not installed. It stays loaded until the program ends. */
bool cr_capstone_open(struct cr_capstone *c);

#endif
