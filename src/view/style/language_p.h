#ifndef CRESSET_VIEW_STYLE_LANGUAGE_P_H
#define CRESSET_VIEW_STYLE_LANGUAGE_P_H

#include "model/tree/tree.h"

/* The layers of a program in one language, as the palettes of languages tell them apart. */
enum cr_layer {
	CR_LAYER_OWN,     /* written in the language */
	CR_LAYER_LIBRARY, /* its standard library */
	CR_LAYER_RUNTIME, /* its interpreter or virtual machine */
	CR_LAYER_NATIVE,  /* other code of the process */
	CR_LAYER_KERNEL,
	CR_LAYER_UNKNOWN,
	CR_LAYERS
};

struct cr_language {
	/* A word for the legend and a phrase about it; NULL for a layer that it does not have. */
	const char *name[CR_LAYERS], *about[CR_LAYERS];
	/*
	 * Marks in names, and in paths of source files, of its own code; of these, marks of the
	 * library; and marks in names and dsos of the runtime. A mark that begins with '^' stands
	 * at the beginning only. Each list ends with NULL.
	 */
	const char *const *own, *const *library, *const *runtime;
	bool jit; /* code of JIT compilers is its own */
};

extern const struct cr_language cr_language_java, cr_language_js, cr_language_perl,
	cr_language_python, cr_language_rust;

/* The layer of a frame that stands for code. */
enum cr_layer cr_language_layer(const struct cr_language *l, const struct cr_frame *f);

#endif
