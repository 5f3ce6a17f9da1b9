#include "language_p.h"

#include <string.h>

#define LAYERS_OF_ALL \
	[CR_LAYER_NATIVE] = "native", [CR_LAYER_KERNEL] = "kernel", [CR_LAYER_UNKNOWN] = "unknown"
#define ABOUT_ALL                                                   \
	[CR_LAYER_NATIVE] = "other code of programs and libraries", \
	[CR_LAYER_KERNEL] = "the kernel and its modules",           \
	[CR_LAYER_UNKNOWN] = "unknown: an address in no file, or a name without one"
#define MARKS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

/* Names are those of perf-map-agent, async-profiler and JFR; _[j] and _[i] mark folded stacks. */
const struct cr_language cr_language_java = {
	.name = {[CR_LAYER_OWN] = "Java",
		[CR_LAYER_LIBRARY] = "JDK",
		[CR_LAYER_RUNTIME] = "JVM",
		LAYERS_OF_ALL},
	.about = {[CR_LAYER_OWN] = "Java code",
		[CR_LAYER_LIBRARY] = "classes of the JDK",
		[CR_LAYER_RUNTIME] = "the Java virtual machine",
		ABOUT_ALL},
	.own = MARKS("_[j]", "_[i]", "/", ".java", "^java.", "^javax.", "^jdk.", "^sun.", "^com.",
		"^org.", "^net.", "^io.", "^Interpreter"),
	.library = MARKS("^java/", "^javax/", "^jdk/", "^sun/", "^com/sun/", "^Ljava/", "^Ljavax/",
		"^Ljdk/", "^Lsun/", "^java.", "^javax.", "^jdk.", "^sun.", "^com.sun."),
	.runtime = MARKS("libjvm.so", "^JVM_", "^Java_"),
	.jit = true,
};

const struct cr_language cr_language_js = {
	.name = {[CR_LAYER_OWN] = "JavaScript",
		[CR_LAYER_LIBRARY] = "node modules",
		[CR_LAYER_RUNTIME] = "V8 and node",
		LAYERS_OF_ALL},
	.about = {[CR_LAYER_OWN] = "JavaScript",
		[CR_LAYER_LIBRARY] = "JavaScript of node, or below node_modules",
		[CR_LAYER_RUNTIME] = "the engine: V8, node, and its built-in functions",
		ABOUT_ALL},
	.own = MARKS(".js", ".mjs", ".cjs", ".ts",
		"^LazyCompile:", "^Function:", "^Script:", "^Eval:", "^JS:", "node:"),
	.library = MARKS("node:", "node_modules/", "internal/"),
	.runtime = MARKS("^v8::", "^node::", "^Builtin:", "^Builtins_", "^Stub:", "libv8",
		"libnode", "^uv_"),
	.jit = true,
};

const struct cr_language cr_language_perl = {
	.name = {[CR_LAYER_OWN] = "Perl",
		[CR_LAYER_LIBRARY] = "modules",
		[CR_LAYER_RUNTIME] = "interpreter",
		LAYERS_OF_ALL},
	.about = {[CR_LAYER_OWN] = "Perl code",
		[CR_LAYER_LIBRARY] = "installed Perl modules",
		[CR_LAYER_RUNTIME] = "the Perl interpreter",
		ABOUT_ALL},
	.own = MARKS(".pl", ".pm", "^main::"),
	.library = MARKS("/perl5/", "/perl/", "/site_perl/", "/vendor_perl/"),
	.runtime = MARKS("^Perl_", "^perl_", "^S_", "^XS_", "libperl.so"),
};

const struct cr_language cr_language_python = {
	.name = {[CR_LAYER_OWN] = "Python",
		[CR_LAYER_LIBRARY] = "library",
		[CR_LAYER_RUNTIME] = "interpreter",
		LAYERS_OF_ALL},
	.about = {[CR_LAYER_OWN] = "Python code",
		[CR_LAYER_LIBRARY] = "its standard library and installed packages",
		[CR_LAYER_RUNTIME] = "the Python interpreter",
		ABOUT_ALL},
	.own = MARKS(".py", "^py::", "<frozen "),
	.library = MARKS(
		"/lib/python", "/lib64/python", "site-packages/", "dist-packages/", "<frozen "),
	.runtime = MARKS("^Py", "^_Py", "libpython"),
};

const struct cr_language cr_language_rust = {
	.name = {[CR_LAYER_OWN] = "crates", [CR_LAYER_LIBRARY] = "std", LAYERS_OF_ALL},
	.about = {[CR_LAYER_OWN] = "Rust code of crates",
		[CR_LAYER_LIBRARY] = "the crates std, core and alloc",
		ABOUT_ALL},
	.own = MARKS("::", ".rs"),
	.library = MARKS("^std::", "^core::", "^alloc::", "^<std::", "^<core::", "^<alloc::",
		"^<&core::", "/rustc/"),
	.runtime = MARKS("^__rust_"),
};

static bool
has_mark(struct cr_str text, const char *const *marks)
{
	for (; *marks; marks++) {
		const bool first = (*marks)[0] == '^';

		if (first ? cr_str_starts(text, *marks + 1)
			  : text.len && memmem(text.p, text.len, *marks, strlen(*marks)))
			return true;
	}
	return false;
}

enum cr_layer
cr_language_layer(const struct cr_language *l, const struct cr_frame *f)
{
	if (cr_kind_is_kernel(f->kind))
		return CR_LAYER_KERNEL;
	if (cr_frame_is_nameless(f))
		return f->kind == CR_KIND_UNKNOWN ? CR_LAYER_UNKNOWN : CR_LAYER_NATIVE;
	if (has_mark(f->name, l->runtime) || has_mark(f->dso, l->runtime))
		return l->name[CR_LAYER_RUNTIME] ? CR_LAYER_RUNTIME : CR_LAYER_LIBRARY;
	if ((l->jit && f->kind == CR_KIND_JIT) || has_mark(f->name, l->own) ||
		has_mark(f->file, l->own))
		return has_mark(f->name, l->library) || has_mark(f->file, l->library)
			       ? CR_LAYER_LIBRARY
			       : CR_LAYER_OWN;
	return CR_LAYER_NATIVE;
}
