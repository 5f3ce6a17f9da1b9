#ifdef HAVE_CAPSTONE
#include "symbol/code/capstone_library_p.h"

#include <dlfcn.h>
#include <string.h>

static bool
load(const struct cr_capstone *c, const char *name, void *function)
{
	void *p = dlsym(c->handle, name);

	memcpy(function, &p, sizeof(p));
	return p;
}

bool
cr_capstone_open(struct cr_capstone *c)
{
	if (!(c->handle = dlopen(CR_CAPSTONE_SONAME, RTLD_LAZY | RTLD_NODELETE)))
		return false;
	return load(c, "cs_open", &c->open) && load(c, "cs_close", &c->close) &&
	       load(c, "cs_option", &c->option) && load(c, "cs_malloc", &c->malloc) &&
	       load(c, "cs_free", &c->free) && load(c, "cs_disasm_iter", &c->disasm_iter) &&
	       load(c, "cs_insn_group", &c->insn_group) &&
	       load(c, "cs_regs_access", &c->regs_access);
}
#endif
