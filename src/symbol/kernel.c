#include "kernel.h"

#include "debugfile.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The build-id of the kernel that runs here; none when the system does not tell. */
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

/* That of a virtual machine has nothing to do with ours. */
static bool
is_guest(const struct cr_object *o)
{
	return cr_str_starts(o->name, "[guest.");
}

static const struct cr_object *
kernel_object(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_objects; i++)
		if (p->objects[i].kind == CR_KIND_KERNEL && !is_guest(&p->objects[i]))
			return &p->objects[i];
	return NULL;
}

static bool
try_kallsyms(struct cr_kernel *k, const char *path)
{
	struct cr_err err = CR_ERR_INIT;

	if (cr_kallsyms_read(&k->kallsyms, path, &err) == CR_OK && !k->kallsyms.hidden) {
		k->why = NULL;
		return true;
	}
	k->why = k->kallsyms.hidden ? "kallsyms hides its addresses: kptr_restrict"
				    : "kallsyms cannot be read";
	cr_kallsyms_fini(&k->kallsyms);
	k->kallsyms = (struct cr_kallsyms){0};
	return false;
}

/*
 * How far the kernel of kallsyms lies above the recording's, which may have been loaded at
 * another address: both know where the reference symbol is. false when one of them does not.
 */
static bool
shift_of(const struct cr_kernel *k, const struct cr_profile *p, uint64_t *shift)
{
	const struct cr_str ref = cr_profile_fact(p, "kernel.ref");
	const struct cr_str recorded = cr_profile_fact(p, "kernel.ref.addr");
	char name[64], addr[20];
	uint64_t now;

	if (ref.len == 0 || ref.len >= sizeof(name) || recorded.len == 0 || recorded.len >= sizeof(addr))
		return false;
	memcpy(name, ref.p, ref.len);
	name[ref.len] = '\0';
	memcpy(addr, recorded.p, recorded.len);
	addr[recorded.len] = '\0';
	now = cr_kallsyms_address(&k->kallsyms, name);
	*shift = now - strtoull(addr, NULL, 16);
	return now != 0;
}

/* Without a build-id: of the same release, and loaded at the same address, which changes with every boot. */
static bool
try_running_by_release(struct cr_kernel *k, const struct cr_profile *p)
{
	struct utsname here;
	uint64_t shift;

	if (uname(&here) < 0 || !cr_str_eq(cr_profile_fact(p, "osrelease"), cr_str_of(here.release)))
		return false;
	if (!try_kallsyms(k, "/proc/kallsyms"))
		return false;
	k->unchecked = true;
	if (shift_of(k, p, &shift) && shift == 0)
		return true;
	k->why = "the recording has no build-id, and the kernel here is at another address";
	return false;
}

/* The copies that perf record kept, with the link to them and without. */
static void
try_cached(struct cr_kernel *k, const struct cr_build_id *id)
{
	const char *home = k->opts->home ? k->opts->home : getenv("HOME");
	struct cr_text path = {0};

	if (cr_debugfile_cached(k->opts, id, "kallsyms", &path) && access(path.p, R_OK) == 0 &&
		try_kallsyms(k, path.p))
		goto out;
	if (!home || !*home)
		goto out;
	cr_text_clear(&path);
	cr_text_printf(&path, "%s/.debug/[kernel.kallsyms]/", home);
	for (uint8_t i = 0; i < id->len; i++)
		cr_text_printf(&path, "%02x", id->p[i]);
	cr_text_puts(&path, "/kallsyms");
	if (access(path.p, R_OK) == 0)
		try_kallsyms(k, path.p);
out:
	cr_text_fini(&path);
}

/*
 * The file that was named; else the one beside the recording; else that of this machine if it
 * runs the very kernel, else the copy that perf record kept. A vmlinux of that build-id would come
 * before this machine's: it has sizes and, with debug information, lines.
 */
static void
find_kallsyms(struct cr_kernel *k, const struct cr_profile *p, const struct cr_object *kernel)
{
	struct cr_build_id id = {.len = 0}, here;

	if (k->opts->kallsyms) {
		try_kallsyms(k, k->opts->kallsyms);
		return;
	}
	if (k->opts->recorded_kallsyms && try_kallsyms(k, k->opts->recorded_kallsyms))
		return;
	k->why = "not looked for under --symfs";
	if (k->opts->symfs)
		return;
	k->why = "the recording has no build-id of its kernel";
	if (!kernel)
		return;
	if (kernel->build_id_len == 0) {
		try_running_by_release(k, p);
		return;
	}
	id.len = CR_MIN(kernel->build_id_len, (uint8_t)sizeof(id.p));
	memcpy(id.p, kernel->build_id, id.len);
	running_build_id(&here);
	k->why = "no kallsyms of its kernel";
	if (here.len != id.len || memcmp(here.p, id.p, id.len) != 0 || !try_kallsyms(k, "/proc/kallsyms"))
		try_cached(k, &id);
}

void
cr_kernel_open(struct cr_kernel *k, const struct cr_profile *p, const struct cr_symbol_opts *opts)
{
	const struct cr_object *kernel = kernel_object(p);
	uint64_t shift;

	*k = (struct cr_kernel){.opts = opts};
	find_kallsyms(k, p, kernel);
	if (k->why)
		return;
	if (shift_of(k, p, &shift))
		cr_symtab_shift(&k->kallsyms.t, shift);
	cr_symtab_index(&k->kallsyms.t);
}

void
cr_kernel_close(struct cr_kernel *k)
{
	cr_kallsyms_fini(&k->kallsyms);
}

/* "/lib/modules/R/kernel/fs/nfs-x.ko.xz", "[nfs_x]" and "nfs-x" are [nfs_x] in kallsyms. */
static void
module_name(struct cr_str object, char *out, size_t size)
{
	const struct cr_str base = cr_str_basename(object);
	const bool bracket = base.len && base.p[0] == '[';
	size_t n = 0;

	out[n++] = '[';
	for (uint32_t i = bracket; i < base.len && n < size - 2; i++) {
		if (base.p[i] == ']' || (!bracket && base.p[i] == '.'))
			break;
		out[n++] = base.p[i] == '-' ? '_' : base.p[i];
	}
	out[n++] = ']';
	out[n] = '\0';
}

/*
 * The module's own file. Its code is not linked to an address yet: symbols are file offsets, and
 * what the kernel loaded at the start of the mapping is its .text.
 */
static void
name_from_file(struct cr_kernel *k, struct cr_names *n)
{
	const struct cr_map *map = cr_names_map(n, 0);
	struct cr_debugfile d;
	const struct cr_elf_section *text;

	cr_debugfile_find(k->opts, &n->p->objects[n->object.i], &d);
	text = d.syms ? cr_elf_section_named(d.syms, ".text") : NULL;
	if (map && text && d.syms->type == ET_REL) {
		struct cr_symtab t = {0};

		cr_elf_symbols(d.syms, d.syms, &t);
		cr_symtab_index(&t);
		cr_names_take(n, &t, 0, map->start - text->head.sh_offset);
		cr_symtab_fini(&t);
		n->why = NULL;
		n->unchecked = !d.checked;
	}
	cr_debugfile_close(&d);
}

void
cr_kernel_name(struct cr_kernel *k, struct cr_names *n)
{
	const struct cr_object *o = &n->p->objects[n->object.i];
	char name[128];
	uint16_t module;

	n->why = "the kernel of a guest";
	if (is_guest(o))
		return;
	n->why = k->why;
	if (o->kind == CR_KIND_KERNEL) {
		if (!k->why)
			cr_names_take(n, &k->kallsyms.t, 0, 0);
		n->unchecked = !k->why && k->unchecked;
		return;
	}
	module_name(o->name, name, sizeof(name));
	if (!k->why && (module = cr_kallsyms_module(&k->kallsyms, name)) != 0) {
		cr_names_take(n, &k->kallsyms.t, module, 0);
		return;
	}
	if (!n->why)
		n->why = "not in kallsyms";
	name_from_file(k, n);
}
