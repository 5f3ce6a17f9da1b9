#include "kernel_p.h"

#include "bytes/scan.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The build-id of the running kernel; empty if the system does not provide it. */
static void
running_build_id(struct cr_build_id *id)
{
	unsigned char notes[16384];
	const int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	const ssize_t len = fd < 0 ? -1 : read(fd, notes, sizeof(notes));

	*id = (struct cr_build_id){0};
	if (fd >= 0)
		close(fd);
	if (len > 0)
		cr_elf_note_build_id(notes, (size_t)len, 4, false, id);
}

/* The kernel of a virtual machine is unrelated to ours. */
static bool
is_guest(const struct cr_dso *o)
{
	return cr_str_starts(o->name, "[guest.");
}

static const struct cr_dso *
kernel_dso(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_dsos; i++)
		if (p->dsos[i].kind == CR_KIND_KERNEL && !is_guest(&p->dsos[i]))
			return &p->dsos[i];
	return NULL;
}

/* Accept kallsyms that were read with result rc. */
static bool
use_kallsyms(struct cr_kernel *k, int rc)
{
	if (rc == CR_OK && !k->kallsyms.hidden) {
		k->why = NULL;
		return true;
	}
	k->why = k->kallsyms.hidden ? "kallsyms hides its addresses: kptr_restrict"
				    : "kallsyms cannot be read";
	cr_kallsyms_fini(&k->kallsyms);
	k->kallsyms = (struct cr_kallsyms){0};
	return false;
}

static bool
try_kallsyms(struct cr_kernel *k, const char *path)
{
	struct cr_err err = CR_ERR_INIT;

	k->kallsyms.wanted = k->wanted;
	return use_kallsyms(k, cr_kallsyms_read(&k->kallsyms, path, &err));
}

static bool
try_recorded_kallsyms(struct cr_kernel *k, int fd)
{
	struct cr_err err = CR_ERR_INIT;

	k->kallsyms.wanted = k->wanted;
	return use_kallsyms(k, cr_kallsyms_read_fd(&k->kallsyms, fd, "kcore_dir/kallsyms", &err));
}

/* The recorded address of the reference symbol, whose name is returned; empty if none is known. */
static struct cr_str
recorded_reference(const struct cr_profile *p, uint64_t *addr)
{
	const struct cr_str recorded = cr_profile_fact(p, "kernel.ref.addr");

	return cr_scan_hex(recorded, addr) ? cr_profile_fact(p, "kernel.ref") : CR_STR("");
}

/*
 * The distance from the recorded kernel to the kernel of these symbols, which may have been loaded
 * at another address: both know the address of the reference symbol. False if one of them does not.
 */
static bool
shift_of(const struct cr_symtab *t, const struct cr_profile *p, uint64_t *shift)
{
	uint64_t addr = 0, now;
	const struct cr_str ref = recorded_reference(p, &addr);
	char name[64];

	if (ref.len == 0 || ref.len >= sizeof(name))
		return false;
	memcpy(name, ref.p, ref.len);
	name[ref.len] = '\0';
	now = cr_symtab_address(t, name);
	*shift = now - addr;
	return now != 0;
}

/*
 * Without a build-id: the running kernel must have the same release and the same load address,
 * which changes with every boot.
 */
static bool
try_running_by_release(struct cr_kernel *k, const struct cr_profile *p)
{
	struct utsname here;
	uint64_t shift;

	if (uname(&here) < 0 ||
		!cr_str_eq(cr_profile_fact(p, "osrelease"), cr_str_of(here.release)))
		return false;
	if (!try_kallsyms(k, "/proc/kallsyms"))
		return false;
	k->unchecked = true;
	if (shift_of(&k->kallsyms.t, p, &shift) && shift == 0)
		return true;
	k->why = "the recording has no build-id, and the kernel here is at another address";
	return false;
}

/* The copies kept by perf record, with and without its link. Returns true if one was read. */
static bool
try_cached(struct cr_kernel *k, const struct cr_build_id *id)
{
	const char *home = k->opts->home ? k->opts->home : getenv("HOME");
	struct cr_text path = {0};
	bool done = cr_debugfile_cached(k->opts, id, "kallsyms", &path) &&
		    access(path.p, R_OK) == 0 && try_kallsyms(k, path.p);

	if (!done && home && *home) {
		cr_text_clear(&path);
		cr_text_printf(&path, "%s/.debug/[kernel.kallsyms]/", home);
		for (uint8_t i = 0; i < id->len; i++)
			cr_text_printf(&path, "%02x", id->p[i]);
		cr_text_puts(&path, "/kallsyms");
		done = access(path.p, R_OK) == 0 && try_kallsyms(k, path.p);
	}
	cr_text_fini(&path);
	return done;
}

/*
 * A copy of what the running kernel says: reading it takes a twentieth of the time that the kernel
 * needs to write /proc/kallsyms. It may come from an earlier boot: then it has other modules, and
 * the reference symbol tells how far the kernel was moved.
 */
static bool
try_copy_of_running(struct cr_kernel *k)
{
	uint64_t shift;

	if (k->modules_asked || !try_cached(k, &k->id))
		return false;
	if (shift_of(&k->kallsyms.t, k->p, &shift))
		return true;
	cr_kallsyms_fini(&k->kallsyms);
	k->kallsyms = (struct cr_kallsyms){0};
	return false;
}

/*
 * Find kallsyms: the file given by the user; the one stored with the recording; those of this
 * machine, or a copy of them, if it runs the same kernel; the copy kept by perf record.
 */
static void
find_kallsyms(struct cr_kernel *k, const struct cr_profile *p)
{
	struct cr_build_id here;

	if (k->opts->kallsyms) {
		try_kallsyms(k, k->opts->kallsyms);
		return;
	}
	if (k->opts->recorded_kallsyms && try_recorded_kallsyms(k, *k->opts->recorded_kallsyms))
		return;
	k->why = "not looked for under --symfs";
	if (k->opts->symfs)
		return;
	k->why = "the recording has no build-id of its kernel";
	if (!kernel_dso(p))
		return;
	if (k->id.len == 0) {
		try_running_by_release(k, p);
		return;
	}
	running_build_id(&here);
	k->why = "no kallsyms of its kernel";
	k->running = here.len == k->id.len && memcmp(here.p, k->id.p, k->id.len) == 0 &&
		     (try_copy_of_running(k) || try_kallsyms(k, "/proc/kallsyms"));
	if (!k->running)
		try_cached(k, &k->id);
}

/* Read them on first use, since this takes longer than all the rest. */
static void
ready_kallsyms(struct cr_kernel *k)
{
	uint64_t shift;

	if (k->looked)
		return;
	k->looked = true;
	k->wanted.ref = recorded_reference(k->p, &k->wanted.ref_addr);
	if (k->kernels_asked != 1)
		k->wanted.n = 0;
	find_kallsyms(k, k->p);
	if (k->why)
		return;
	if (shift_of(&k->kallsyms.t, k->p, &shift)) {
		cr_symtab_shift(&k->kallsyms.t, shift);
		k->other_boot = k->running && shift != 0;
	}
	cr_symtab_index(&k->kallsyms.t);
}

/* ---- vmlinux */

/* Use a file for what is still missing. Returns true if nothing is. */
static bool
try_vmlinux(struct cr_kernel *k, const char *path)
{
	struct cr_debugfile *v = &k->vmlinux;
	struct cr_elf *e = cr_debugfile_open(k->opts, path, &k->id, &k->refused);
	bool used = false;

	if (e && !v->syms && cr_elf_section_type(e, SHT_SYMTAB)) {
		v->syms = v->runtime = e;
		used = e->linked = true;
	}
	if (e && !v->debug && !k->opts->no_inline && cr_elf_has_debug(e)) {
		v->debug = e;
		v->debug_path = cr_strdup(path);
		used = true;
	}
	if (!used)
		cr_elf_close(e);
	return v->syms && (v->debug || k->opts->no_inline);
}

/* Try the usual places in perf's order. R stands for the release. */
static bool
try_vmlinux_places(struct cr_kernel *k, struct cr_text *path)
{
	static const char *const places[] = {
		"/boot/vmlinux",
		"/boot/vmlinux-R",
		"/usr/lib/debug/boot/vmlinux-R",
		"/lib/modules/R/build/vmlinux",
		"/usr/lib/debug/lib/modules/R/vmlinux",
		"/usr/lib/debug/boot/vmlinux-R.debug",
	};
	const struct cr_str release = cr_modules_release(cr_profile_fact(k->p, "osrelease"));
	bool done = false;

	for (size_t i = 0; i < CR_LEN(places) && !done; i++) {
		const char *r = strstr(places[i], "R");

		if (r && release.len == 0)
			continue;
		cr_text_clear(path);
		cr_text_puts(path, k->opts->symfs ? k->opts->symfs : "");
		cr_text_put(path, places[i], r ? (size_t)(r - places[i]) : strlen(places[i]));
		cr_text_str(path, r ? release : CR_STR(""));
		cr_text_puts(path, r ? r + 1 : "");
		done = try_vmlinux(k, path->p);
	}
	return done;
}

/*
 * Find a kernel file with symbol sizes and maybe lines: the file given by the user or, if the
 * recording has the kernel's build-id, one with that id.
 */
static void
find_vmlinux(struct cr_kernel *k)
{
	struct cr_text path = {0};

	if (k->opts->kallsyms)
		return;
	if (k->opts->vmlinux) {
		try_vmlinux(k, k->opts->vmlinux);
		if (!k->vmlinux.syms && k->refused.why.len == 0) {
			cr_text_puts(&k->refused.why, "no kernel with symbols: ");
			cr_text_puts(&k->refused.why, k->opts->vmlinux);
		}
		return;
	}
	if (k->id.len < 2)
		return;
	if ((cr_debugfile_cached(k->opts, &k->id, "elf", &path) && try_vmlinux(k, path.p)) ||
		(!k->opts->symfs && try_vmlinux(k, "vmlinux")) || try_vmlinux_places(k, &path))
		goto out;
	for (int i = 0; cr_debugfile_by_id(k->opts, &k->id, i, &path); i++)
		if (try_vmlinux(k, path.p))
			break;
out:
	cr_text_fini(&path);
}

static void
ready_vmlinux(struct cr_kernel *k)
{
	struct cr_debugfile *v = &k->vmlinux;
	uint64_t shift;

	find_vmlinux(k);
	if (!v->syms) {
		cr_debugfile_close(v); /* lines without names are useless */
		return;
	}
	k->unchecked = k->id.len == 0;
	v->absolute = true;
	v->build_id = k->id;
	cr_debugfile_ready(k->opts, v);
	cr_elf_symbols(v->syms, v->runtime, &k->symbols);
	if (shift_of(&k->symbols, k->p, &shift)) {
		cr_symtab_shift(&k->symbols, shift);
		v->bias = -shift;
	}
	cr_symtab_index(&k->symbols);
}

void
cr_kernel_open(struct cr_kernel *k, const struct cr_profile *p, const struct cr_symbol_opts *opts)
{
	const struct cr_dso *kernel = kernel_dso(p);

	*k = (struct cr_kernel){.opts = opts, .p = p};
	if (kernel) {
		k->id.len = CR_MIN(kernel->build_id_len, (uint8_t)sizeof(k->id.p));
		memcpy(k->id.p, kernel->build_id, k->id.len);
		ready_vmlinux(k);
	}
}

void
cr_kernel_expect(struct cr_kernel *k, const struct cr_names *n)
{
	const struct cr_dso *o = &n->p->dsos[n->dso.i];

	if (o->kind != CR_KIND_KERNEL) {
		k->modules_asked = true;
	} else if (!is_guest(o)) {
		k->kernels_asked++;
		k->wanted.asked = n->asked;
		k->wanted.n = n->n;
	}
}

void
cr_kernel_close(struct cr_kernel *k)
{
	cr_symtab_fini(&k->symbols);
	cr_debugfile_close(&k->vmlinux);
	cr_kallsyms_fini(&k->kallsyms);
	cr_modules_close(&k->modules);
	cr_text_fini(&k->refused.why);
}

static void
name_kernel(struct cr_kernel *k, struct cr_names *n)
{
	const char *refused = k->refused.why.p;

	if (k->symbols.all.n) {
		cr_names_add(n, &k->symbols, 0, 0);
		n->unchecked = k->unchecked;
		cr_names_keep(n, &k->vmlinux);
		return;
	}
	ready_kallsyms(k);
	if (k->why) {
		cr_names_report(n, refused ? refused : k->why, NULL);
		return;
	}
	cr_names_add(n, &k->kallsyms.t, 0, 0);
	n->unchecked = k->unchecked;
	cr_names_report(n, NULL, refused);
}

/* ---- modules */

/*
 * Name from the module's own file. Its code is not linked to an address; cr_debugfile_find() has
 * laid out its sections like the kernel does, from the start of the mapping. False if it has no
 * symbols or is not a file of this module.
 */
static bool
name_from_file(struct cr_kernel *k, struct cr_names *n, struct cr_str path)
{
	const struct cr_map *map = cr_names_map(n, 0);
	struct cr_debugfile d;
	struct cr_symtab t = {0};

	cr_debugfile_find_named(k->opts, &n->p->dsos[n->dso.i], path, NULL, &d);
	if (!map || !d.syms || d.runtime->type != ET_REL) {
		if (d.refused)
			cr_names_report(n, NULL, d.refused);
		cr_debugfile_close(&d);
		return false;
	}
	cr_names_report(n, NULL, d.refused);
	n->unchecked = !d.checked;
	d.bias = map->start;
	cr_elf_symbols(d.syms, d.runtime, &t);
	cr_symtab_index(&t);
	cr_names_add(n, &t, 0, d.bias);
	cr_symtab_fini(&t);
	cr_names_keep(n, &d);
	return true;
}

/* Name from kallsyms, unless they come from another boot: the load address of a module changes. */
static bool
name_from_kallsyms(struct cr_kernel *k, struct cr_names *n, const char *name)
{
	uint16_t module;

	ready_kallsyms(k);
	n->why = k->why;
	if (k->why)
		return false;
	n->why = "the kernel here has it at another address";
	if (k->other_boot)
		return false;
	n->why = "not in kallsyms";
	if ((module = cr_kallsyms_module(&k->kallsyms, name)) == 0)
		return false;
	n->why = NULL;
	cr_names_add(n, &k->kallsyms.t, module, 0);
	return true;
}

/* Try the recorded path, then the directory of this kernel's modules. */
static bool
name_from_files(struct cr_kernel *k, struct cr_names *n, const char *name)
{
	const struct cr_module_file *f;

	if (name_from_file(k, n, n->p->dsos[n->dso.i].name))
		return true;
	if (!k->walked)
		cr_modules_open(&k->modules, k->opts->symfs ? k->opts->symfs : "",
			cr_profile_fact(k->p, "osrelease"));
	k->walked = true;
	f = cr_modules_find(&k->modules, name);
	for (; f && f < k->modules.files.p + k->modules.files.n && strcmp(f->name, name) == 0; f++)
		if (name_from_file(k, n, cr_str_of(f->path)))
			return true;
	return false;
}

void
cr_kernel_name(struct cr_kernel *k, struct cr_names *n)
{
	const struct cr_dso *o = &n->p->dsos[n->dso.i];
	char name[128];
	bool first;

	n->why = "the kernel of a guest";
	if (is_guest(o))
		return;
	n->why = NULL;
	if (o->kind == CR_KIND_KERNEL) {
		name_kernel(k, n);
		return;
	}
	cr_modules_name(o->name, name, sizeof(name));
	/*
	 * The module's file has sizes and maybe lines, but comes first only if its build-id can be
	 * checked.
	 */
	first = o->build_id_len && !k->opts->kallsyms;
	if (!(first && name_from_files(k, n, name)) && !name_from_kallsyms(k, n, name) && !first)
		name_from_files(k, n, name);
}
