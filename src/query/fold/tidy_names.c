#include "tidy_names_p.h"

#include "base/mem.h"

#include <string.h>

/* ---- names */

/* True if the name is one of these, or begins with one that ends in a star. NULL ends the list. */
static bool
is_one_of(struct cr_str name, const char *const *list)
{
	for (; *list; list++) {
		const size_t len = strlen(*list);

		if (len && (*list)[len - 1] == '*'
				? name.len >= len - 1 && memcmp(name.p, *list, len - 1) == 0
				: cr_str_eq(name, (struct cr_str){*list, (uint32_t)len}))
			return true;
	}
	return false;
}

static bool
begins(struct cr_str s, const char *with)
{
	const size_t len = strlen(with);

	return s.len >= len && memcmp(s.p, with, len) == 0;
}

static bool
ends(struct cr_str s, const char *with)
{
	const size_t len = strlen(with);

	return s.len >= len && memcmp(s.p + s.len - len, with, len) == 0;
}

static struct cr_str
after(struct cr_str s, uint32_t n)
{
	return (struct cr_str){s.p + n, s.len - n};
}

/* Offset of a text in s; s.len if it is not there. */
static uint32_t
find(struct cr_str s, const char *what)
{
	const size_t len = strlen(what);

	for (uint32_t i = 0; i + len <= s.len; i++)
		if (memcmp(s.p + i, what, len) == 0)
			return i;
	return s.len;
}

/* The name of a C function without what the compiler adds: f.constprop.0 and f.cold are f. */
static struct cr_str
plain_c(struct cr_str name)
{
	uint32_t len = 0;

	while (len < name.len && name.p[len] != '.' && name.p[len] != ' ' && name.p[len] != '(')
		len++;
	return (struct cr_str){name.p, len};
}

static uint32_t
digits(struct cr_str s, bool hex)
{
	uint32_t n = 0;

	while (n < s.len && ((s.p[n] >= '0' && s.p[n] <= '9') ||
				    (hex && ((s.p[n] | 32) >= 'a' && (s.p[n] | 32) <= 'f'))))
		n++;
	return n;
}

/* ---- Python: the interpreter between py::NAME:FILE of a perf map */

static bool
python_is_name(struct cr_str name)
{
	return begins(name, "py::");
}

static bool
python_is_glue(struct cr_str name)
{
	static const char *const glue[] = {"PyEval_*", "_PyEval_*", "py_trampoline_evaluator",
		"PyObject_Call*", "_PyObject_Call*", "PyObject_Vectorcall*",
		"_PyObject_Vectorcall*", "PyVectorcall_*", "_PyVectorcall_*",
		"_PyObject_MakeTpCall", "_PyObject_FastCall*", "PyCFunction_*", "_PyCFunction_*",
		"PyFunction_*", "_PyFunction_*", "cfunction_*", "method_vectorcall*", "method_call",
		"slot_tp_call", "type_call", "object_vacall", "vectorcall_*", "call_function",
		"do_call_core", "function_code_fastcall", "partial_vectorcall*", "gen_send_ex*",
		"gen_iternext", "Py_BytesMain", "Py_RunMain", "Py_Main", "pymain_*", "PyRun_*",
		"_PyRun_*", "pyrun_*", "run_mod", "run_eval_code_obj", NULL};

	return is_one_of(plain_c(name), glue);
}

/* ---- Rust: executors and closures between async functions */

/*
 * The path that an implementation is of: tokio::X of <tokio::X as Trait>::f and of
 * <&mut tokio::X as Trait>::f; otherwise the name.
 */
static struct cr_str
rust_path(struct cr_str name)
{
	if (begins(name, "<"))
		name = after(name, 1);
	if (begins(name, "&"))
		name = after(name, 1);
	if (begins(name, "mut "))
		name = after(name, 4);
	return name;
}

static bool
rust_is_glue(struct cr_str name)
{
	static const char *const glue[] = {"tokio::runtime::*", "tokio::task::*", "tokio::park::*",
		"tokio::loom::*", "tokio::macros::*", "tokio::util::trace::*", "tokio::coop::*",
		"futures_executor::*", "futures_util::future::*", "futures_util::stream::*",
		"futures::future::*", "async_executor::*", "async_task::*", "async_io::driver::*",
		"async_global_executor::*", "async_std::task::*", "smol::spawn::*",
		"core::ops::function::*", "core::future::*", "std::future::*", "std::rt::*",
		"std::sys_common::backtrace::*", "std::sys::backtrace::*", "std::panicking::try*",
		"std::panicking::catch_unwind*", "std::panic::*", "core::panic::unwind_safe::*",
		"std::thread::Builder::*", "std::thread::local::*", "std::thread::lifecycle::*",
		"std::sys::thread_local::*", "std::sys::unix::thread::*",
		"std::sys::pal::unix::thread::*", "std::sys::thread::*", "__rust_try",
		"__rust_try.llvm.*", NULL};
	static const char *const wrappers[] = {"alloc::boxed::Box*", "core::pin::Pin*", "F as *",
		"core::task::poll::Poll*", "tracing::instrument::*", NULL};
	const struct cr_str path = rust_path(name);

	if (is_one_of(path, glue))
		return true;
	return is_one_of(path, wrappers) &&
	       (find(name, "function::Fn") < name.len || find(name, "future::Future") < name.len ||
		       find(name, "FnOnce") < name.len);
}

/* {{closure}} and {closure#0}, {async_fn#1}, {async_block_env#2}; the length, 0 for another. */
static uint32_t
rust_closure(struct cr_str s)
{
	static const char *const forms[] = {"{{closure}}", "{closure#", "{async_fn#",
		"{async_block#", "{closure_env#", "{async_fn_env#", "{async_block_env#"};

	for (size_t i = 0; i < CR_LEN(forms); i++) {
		const uint32_t len = (uint32_t)strlen(forms[i]);
		uint32_t n;

		if (!begins(s, forms[i]))
			continue;
		if (i == 0)
			return len;
		n = len + digits(after(s, len), false);
		if (n > len && n < s.len && s.p[n] == '}')
			return n + 1;
	}
	return 0;
}

/* a::f::{{closure}}::{{closure}} is a::f; a hash ::h0123456789abcdef at the end goes, too. */
static void
rust_rename(struct cr_str name, struct cr_text *out)
{
	bool more = true;

	if (name.len > 19 && begins(after(name, name.len - 19), "::h") &&
		digits(after(name, name.len - 16), true) == 16)
		name.len -= 19;
	while (more) {
		uint32_t at = name.len;

		more = false;
		while (at > 2 && !(name.p[at - 1] == '{' && name.p[at - 2] == ':'))
			at--;
		/* {{ has a second brace before that one. */
		if (at > 2 && rust_closure(after(name, at - 1)) == name.len - (at - 1)) {
			more = at > 3 && name.p[at - 3] == ':';
			if (more)
				name.len = at - 3;
		}
	}
	cr_text_str(out, name);
}

/* ---- Go: the runtime around goroutines */

static bool
go_is_glue(struct cr_str name)
{
	static const char *const glue[] = {"runtime.goexit", "runtime.goexit0", "runtime.goexit1",
		"runtime.main", "runtime.mcall", "runtime.mstart", "runtime.mstart0",
		"runtime.mstart1", "runtime.morestack", "runtime.morestack_noctxt",
		"runtime.systemstack", "runtime.systemstack_switch", "runtime.asmcgocall",
		"runtime.cgocall", "runtime.cgocallback", "runtime.cgocallbackg",
		"runtime.cgocallbackg1", "runtime.rt0_go", "runtime.gogo", "runtime.reflectcall",
		"runtime.deferreturn", "runtime.asyncPreempt", "runtime.asyncPreempt2",
		"_rt0_amd64", "_rt0_amd64_linux", "_rt0_arm64_linux", "crosscall1", "crosscall2",
		NULL};

	if (ends(name, ".abi0"))
		name.len -= 5;
	if (begins(name, "runtime.call") && name.len > 12 &&
		digits(after(name, 12), false) == name.len - 12)
		return true;
	return is_one_of(name, glue);
}

/* main.F[go.shape.int_0] is main.F[...], whatever its types are. */
static void
go_rename(struct cr_str name, struct cr_text *out)
{
	uint32_t shape;

	if (ends(name, ".abi0"))
		name.len -= 5;
	while ((shape = find(name, "[go.shape.")) < name.len) {
		uint32_t depth = 0, end = shape;

		do {
			depth += name.p[end] == '[';
			depth -= name.p[end] == ']';
			end++;
		} while (depth && end < name.len);
		cr_text_put(out, name.p, shape);
		cr_text_puts(out, "[...]");
		name = after(name, end);
	}
	cr_text_str(out, name);
}

/* ---- Java: stubs, reflection and hidden classes */

/*
 * CLASS.METHOD of a name in any of its forms: "int a.B.c(int)", "La/B;::c", "a/B.c", "a.B::c".
 */
static void
java_method(struct cr_str name, struct cr_text *out)
{
	uint32_t begin = 0, end = 0;

	while (end < name.len && name.p[end] != '(')
		end++;
	for (uint32_t i = 0; i < end; i++)
		if (name.p[i] == ' ')
			begin = i + 1;
	if (begin < end && name.p[begin] == 'L' && find((struct cr_str){name.p, end}, ";::") < end)
		begin++;
	for (uint32_t i = begin; i < end; i++)
		if (name.p[i] == '/')
			cr_text_char(out, '.');
		else if (name.p[i] == ':' && i + 1 < end && name.p[i + 1] == ':')
			cr_text_char(out, '.'), i++;
		else if (name.p[i] != ';')
			cr_text_char(out, name.p[i]);
	cr_text_puts(out, "");
}

static bool
java_is_glue(struct cr_str name)
{
	static const char *const stubs[] = {"Interpreter", "interpreter", "call_stub",
		"StubRoutines (*", "I2C/C2I adapters*", "vtable stub*", "itable stub*",
		"vtable chunks*", "JavaCalls::call*", "jni_invoke_static*", "jni_invoke_nonstatic*",
		"jni_CallStatic*", "jni_CallVoid*", "jni_CallObject*", "JavaMain", "ThreadJavaMain",
		"JavaThread::run*", "JavaThread::thread_main_inner*", "Thread::call_run*",
		"thread_native_entry*", "java_start*", "thread_entry(JavaThread*",
		"JVM_InvokeMethod*", "Reflection::invoke*", NULL};
	static const char *const methods[] = {"jdk.internal.reflect.*", "sun.reflect.*",
		"java.lang.reflect.Method.invoke", "java.lang.reflect.Constructor.newInstance*",
		"java.lang.invoke.LambdaForm$*", "java.lang.invoke.Invokers$Holder.*",
		"java.lang.invoke.DirectMethodHandle$Holder.*",
		"java.lang.invoke.DelegatingMethodHandle$Holder.*", NULL};
	struct cr_text method = {0};
	bool is;

	if (is_one_of(name, stubs))
		return true;
	java_method(name, &method);
	is = is_one_of(cr_text_view(&method), methods);
	cr_text_fini(&method);
	return is;
}

/*
 * The length of a number that the virtual machine gives a class at run time, as at the start of
 * "14/0x0007f000.run", "/0x0007f000", "+0x7f", "/0x7f+0x10" and "14"; 0 if there is none.
 */
static uint32_t
java_number(struct cr_str s, bool is_lambda)
{
	uint32_t n = is_lambda ? digits(s, false) : 0;

	while (n < s.len && (s.p[n] == '/' || s.p[n] == '+' || s.p[n] == '.')) {
		struct cr_str rest = after(s, n + 1);
		const bool hex = begins(rest, "0x");
		const uint32_t len = hex ? digits(after(rest, 2), true) : digits(rest, false);

		if (len == 0 || (!hex && !is_lambda))
			break;
		n += 1 + len + (hex ? 2 : 0);
	}
	return n;
}

/* Classes made at run time have one name: $$Lambda$14/0x7f80 and $$Lambda$15 are $$Lambda. */
static void
java_rename(struct cr_str name, struct cr_text *out)
{
	for (uint32_t i = 0; i < name.len;) {
		const struct cr_str rest = after(name, i);
		uint32_t keep = 1, number;

		if (begins(rest, "$$Lambda")) {
			keep = 8;
			number = keep + (keep < rest.len && rest.p[keep] == '$');
			number += java_number(after(rest, number), true);
		} else if (begins(rest, "$Proxy")) {
			keep = 6;
			number = keep + digits(after(rest, keep), false);
		} else {
			number = java_number(rest, false);
			keep = number ? 0 : 1;
			number = number ? number : 1;
		}
		cr_text_put(out, rest.p, keep);
		i += number;
	}
}

/* ---- node: V8's tiers and trampolines, node's loader */

/* The rest of "JS:*f FILE:1:2" and of the forms before it, from the mark of the tier on. */
static bool
node_function(struct cr_str name, struct cr_str *rest)
{
	static const char *const forms[] = {"JS:", "LazyCompile:", "InterpretedFunction:",
		"Function:", "Script:", "Eval:", "EvalFunction:"};

	for (size_t i = 0; i < CR_LEN(forms); i++)
		if (begins(name, forms[i])) {
			*rest = after(name, (uint32_t)strlen(forms[i]));
			return true;
		}
	return false;
}

static bool
node_is_glue(struct cr_str name)
{
	static const char *const glue[] = {"Builtins_JSEntry*", "Builtins_JSRunMicrotasksEntry",
		"Builtins_Interpreter*", "Builtins_Baseline*", "Builtins_ArgumentsAdaptor*",
		"Builtins_CEntry*", "Builtins_Call*", "Builtins_Construct*",
		"Builtins_JSConstruct*", "Builtins_JSBuiltinsConstruct*",
		"Builtins_FunctionPrototypeApply", "Builtins_FunctionPrototypeCall",
		"Builtins_HandleApiCall*", "Builtins_CompileLazy*", "Builtins_ReflectApply",
		"Builtin:*", "Builtin: *", "Stub:*", "BytecodeHandler:*",
		"v8::internal::(anonymous namespace)::Invoke*", "v8::internal::Execution::*",
		"v8::Function::Call*", "v8::Script::Run*", "v8::internal::Builtin_HandleApiCall*",
		"v8::internal::Builtin_Impl_HandleApiCall*", "node::Start*",
		"node::LoadEnvironment*", "node::NodeMainInstance::*", "node::Realm::*",
		"node::builtins::BuiltinLoader::*", "node::ExecuteBootstrapper*",
		"node::InternalMakeCallback*", "node::MakeCallback*",
		"node::InternalCallbackScope::*", "node::AsyncWrap::MakeCallback*",
		"node::Environment::RunTimers*", "node::SpinEventLoop*", NULL};
	static const char *const files[] = {" node:internal/modules/", " node:internal/main/",
		" node:internal/process/", " node:internal/timers", " internal/modules/",
		" internal/main/", " internal/process/", " internal/timers"};
	struct cr_str rest;

	if (!node_function(name, &rest))
		return is_one_of(name, glue);
	for (size_t i = 0; i < CR_LEN(files); i++)
		if (find(rest, files[i]) < rest.len)
			return true;
	return false;
}

static void
node_rename(struct cr_str name, struct cr_text *out)
{
	struct cr_str rest;

	if (!node_function(name, &rest)) {
		cr_text_str(out, name);
		return;
	}
	while (rest.len && strchr("*~^+", rest.p[0]) && rest.p[0])
		rest = after(rest, 1);
	if (rest.len == 0 || rest.p[0] == ' ')
		cr_text_puts(out, "(anonymous)");
	cr_text_str(out, rest);
}

/* ---- the table */

static const struct cr_language languages[] = {
	{"python", python_is_glue, python_is_name, NULL, false},
	{"rust-async", rust_is_glue, NULL, rust_rename, true},
	{"go", go_is_glue, NULL, go_rename, false},
	{"java", java_is_glue, NULL, java_rename, false},
	{"node", node_is_glue, NULL, node_rename, false},
};

const struct cr_language *
cr_language_at(size_t i)
{
	return i < CR_LEN(languages) ? &languages[i] : NULL;
}

const struct cr_language *
cr_language_find(struct cr_str word)
{
	for (size_t i = 0; i < CR_LEN(languages); i++)
		if (cr_str_eq(word, cr_str_of(languages[i].word)))
			return &languages[i];
	return NULL;
}
