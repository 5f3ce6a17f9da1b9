#ifndef CR_SYMBOL_FILES_GATE_RULE_P_H
#define CR_SYMBOL_FILES_GATE_RULE_P_H

#include <stdint.h>

/* What else the gate (gate_p.h) asks of a file, as bits, and of whose file. */
enum cr_gate_rule {
	CR_GATE_PUBLIC = 1, /* as root, everyone can read it: its text is printed and stored */
	/* It belongs to root, to who runs the program, or to `also`, and has no other name: what it
	   says is believed. */
	CR_GATE_OWNED = 2,
};

#define CR_GATE_NOBODY UINT32_MAX

#endif
