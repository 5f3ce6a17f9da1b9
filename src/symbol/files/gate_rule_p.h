#ifndef CR_SYMBOL_FILES_GATE_RULE_P_H
#define CR_SYMBOL_FILES_GATE_RULE_P_H

#include <stdint.h>

/* Additional rules for a file to be opened (gate_p.h), as bits. */
enum cr_gate_rule {
	/* As root: it must be readable by everyone, since its text is printed and stored. */
	CR_GATE_PUBLIC = 1,
	/*
	 * It must belong to root, to the user of the program, or to `also`, and have no hard links,
	 * since its content is trusted.
	 */
	CR_GATE_OWNED = 2,
};

#define CR_GATE_NOBODY UINT32_MAX

#endif
