#include "codefile_p.h"

#include "base/hash.h"
#include "bytes/source.h"
#include "symbol/kernel/modules_p.h"

#include <string.h>

static void
use_elf(struct cr_codefile *c, enum cr_codefile_kind kind, const struct cr_elf *e)
{
	c->kind = kind;
	c->machine = e->machine;
	c->bits = e->bits;
	c->big_endian = e->big_endian;
}

/* Lines are not needed here. */
static struct cr_symbol_opts
without_debug(const struct cr_symbol_opts *opts)
{
	struct cr_symbol_opts o = *opts;

	o.no_inline = true;
	return o;
}

static void
open_elf(struct cr_codefile *c, const struct cr_symbol_opts *opts, const struct cr_dso *o)
{
	struct cr_debugfile *d = &c->files;

	cr_debugfile_find(opts, o, d);
	if (d->runtime && !cr_elf_hollow(d->runtime))
		use_elf(c, CR_CODEFILE_ELF, d->runtime);
	else
		c->why = cr_strdup(d->runtime   ? "only its debug file is here"
				   : d->refused ? d->refused
						: d->why);
}

/* ---- kernel */

static const struct cr_map *
map_of(const struct cr_profile *p, cr_dso_id dso)
{
	for (uint32_t i = 0; i < p->n_maps; i++)
		if (p->maps[i].dso.i == dso.i)
			return &p->maps[i];
	return NULL;
}

static void
open_kernel(struct cr_codefile *c, const struct cr_profile *p, const struct cr_symbol_opts *opts)
{
	const struct cr_debugfile *v = &c->kernel.vmlinux;

	cr_kernel_open(&c->kernel, p, opts);
	if (!v->runtime || cr_elf_hollow(v->runtime)) {
		c->why = cr_strdup("no vmlinux of its kernel");
		return;
	}
	use_elf(c, CR_CODEFILE_KERNEL, v->runtime);
	c->bias = v->bias;
}

static bool
try_module(struct cr_codefile *c, const struct cr_symbol_opts *opts, const struct cr_dso *o,
	struct cr_str path)
{
	cr_debugfile_find_named(opts, o, path, NULL, &c->files);
	if (c->files.runtime && c->files.runtime->type == ET_REL &&
		!cr_elf_hollow(c->files.runtime)) {
		use_elf(c, CR_CODEFILE_MODULE, c->files.runtime);
		return true;
	}
	cr_debugfile_close(&c->files);
	return false;
}

/* Open it at the recorded path, or in the directory of the kernel's modules. */
static void
open_module(struct cr_codefile *c, const struct cr_profile *p, const struct cr_symbol_opts *opts,
	cr_dso_id dso)
{
	const struct cr_dso *o = &p->dsos[dso.i];
	const struct cr_map *map = map_of(p, dso);
	const struct cr_module_file *f;
	struct cr_modules modules;
	char name[128];

	c->bias = map ? map->start : 0;
	if (map && try_module(c, opts, o, o->name))
		return;
	cr_modules_name(o->name, name, sizeof(name));
	cr_modules_open(&modules, opts->symfs ? opts->symfs : "", cr_profile_fact(p, "osrelease"));
	f = map ? cr_modules_find(&modules, name) : NULL;
	for (; f && f < modules.files.p + modules.files.n && strcmp(f->name, name) == 0; f++)
		if (try_module(c, opts, o, cr_str_of(f->path)))
			break;
	if (c->kind == CR_CODEFILE_NONE)
		c->why = cr_strdup("no file of the module");
	cr_modules_close(&modules);
}

/* ---- JIT code */

static int32_t
pid_of(const struct cr_profile *p, cr_dso_id dso)
{
	const struct cr_map *map = map_of(p, dso);

	for (uint32_t i = 0; map && i < p->n_tasks; i++)
		if (p->tasks[i].space.i == map->space.i && p->tasks[i].pid != -1)
			return p->tasks[i].pid;
	return -1;
}

static bool
is_narrow(uint16_t machine)
{
	return machine == EM_386 || machine == EM_ARM || machine == EM_PPC || machine == EM_SPARC ||
	       machine == EM_MIPS;
}

static void
open_dump(struct cr_codefile *c, const struct cr_profile *p, const struct cr_symbol_opts *opts,
	cr_dso_id dso)
{
	const struct cr_dso *o = &p->dsos[dso.i];
	const struct cr_jit_marker marker = {o->name, pid_of(p, dso), 0, o->build_id};
	struct cr_err err = CR_ERR_INIT;

	if (!cr_jitdump_is_name(o->name)) {
		c->why = cr_strdup("a perf map has names, but no code");
		return;
	}
	if (o->build_id_len != CR_JITDUMP_ID ||
		cr_jitdump_open(opts, &marker, &c->dump, &err) < 0) {
		c->why = cr_strdup("its dump is not here");
		return;
	}
	c->kind = CR_CODEFILE_DUMP;
	c->machine = c->dump.machine;
	c->bits = is_narrow(c->machine) ? 32 : 64;
	c->big_endian = c->dump.big_endian;
}

void
cr_codefile_open(struct cr_codefile *c, const struct cr_profile *p,
	const struct cr_symbol_opts *opts, cr_dso_id dso)
{
	const struct cr_dso *o = &p->dsos[dso.i];
	const struct cr_symbol_opts bare = without_debug(opts);

	*c = (struct cr_codefile){.kind = CR_CODEFILE_NONE};
	switch ((enum cr_kind)o->kind) {
	case CR_KIND_USER:
	case CR_KIND_VDSO:
		if (o->build_id_len || cr_str_starts(o->name, "/"))
			open_elf(c, &bare, o);
		break;
	case CR_KIND_KERNEL: open_kernel(c, p, &bare); break;
	case CR_KIND_MODULE: open_module(c, p, &bare, dso); break;
	case CR_KIND_JIT: open_dump(c, p, &bare, dso); break;
	default: break;
	}
	if (c->kind == CR_CODEFILE_NONE && !c->why)
		c->why = cr_strdup("not a file");
}

/* ---- lookups */

/* Ends of the asked pieces of code in a jitdump, which start at the addresses. */
static void
ends_of_dump(const struct cr_codefile *c, const struct cr_addrkey *starts, size_t n,
	struct cr_code_end *ends)
{
	for (size_t i = 0; i < c->dump.code.n; i++) {
		const struct cr_jit_code *code = &c->dump.code.p[i];
		size_t at = cr_addrkey_from(starts, n, code->offset);

		for (; at < n && starts[at].addr == code->offset && code->from == code->start; at++)
			ends[at].end = code->offset + (code->end - code->start);
	}
}

/* Returns false if the asked symbols do not suffice, so that all must be read. */
static bool
ends_of_symbols(struct cr_symtab *t, uint64_t bias, const struct cr_addrkey *starts, size_t n,
	struct cr_code_end *ends)
{
	uint32_t *rows = cr_alloc(n, sizeof(*rows));
	bool done;

	cr_symtab_find_each(t, 0, bias, starts, n, rows);
	done = !t->short_of;
	for (size_t i = 0; i < n && done; i++) {
		const struct cr_symbol *s = rows[i] == CR_NO_ROW ? NULL : &t->all.p[rows[i]];

		if (s && s->end > s->start && s->start + bias <= starts[i].addr)
			ends[i] = (struct cr_code_end){s->end + bias, s->flags & CR_SYMBOL_THUMB};
	}
	free(rows);
	return done;
}

static void
ends_of_files(
	struct cr_codefile *c, const struct cr_addrkey *starts, size_t n, struct cr_code_end *ends)
{
	struct cr_addrkey *asked = cr_alloc(n, sizeof(*asked));
	bool done = false;

	for (size_t i = 0; i < n; i++)
		asked[i] = (struct cr_addrkey){starts[i].addr - c->bias, starts[i].row, 0};
	for (int all = 0; !done && all <= 1; all++) {
		struct cr_symtab t = {.demangle = false};

		if (!all) {
			t.asked = asked;
			t.n_asked = n;
		}
		cr_elf_symbols(c->files.syms, c->files.runtime, &t);
		if (c->kind == CR_CODEFILE_ELF)
			cr_elf_plt(c->files.runtime, &t);
		cr_symtab_index(&t);
		done = ends_of_symbols(&t, c->bias, starts, n, ends);
		cr_symtab_fini(&t);
	}
	free(asked);
}

void
cr_codefile_ends(
	struct cr_codefile *c, const struct cr_addrkey *starts, size_t n, struct cr_code_end *ends)
{
	for (size_t i = 0; i < n; i++)
		ends[i] = (struct cr_code_end){starts[i].addr, false};
	switch (c->kind) {
	case CR_CODEFILE_NONE: break;
	case CR_CODEFILE_ELF:
	case CR_CODEFILE_MODULE:
		if (c->files.syms && n)
			ends_of_files(c, starts, n, ends);
		break;
	case CR_CODEFILE_KERNEL:
		if (n)
			ends_of_symbols(&c->kernel.symbols, 0, starts, n, ends);
		break;
	case CR_CODEFILE_DUMP: ends_of_dump(c, starts, n, ends); break;
	}
}

bool
cr_codefile_bytes(const struct cr_codefile *c, uint64_t addr, uint64_t len, struct cr_str *bytes,
	uint64_t *base)
{
	uint64_t offset;

	*bytes = (struct cr_str){NULL, 0};
	*base = addr;
	if (len == 0)
		return false;
	switch (c->kind) {
	case CR_CODEFILE_NONE: break;
	case CR_CODEFILE_ELF:
		if (cr_elf_address(c->files.runtime, addr, base))
			*bytes = cr_elf_bytes(c->files.runtime, addr, len);
		break;
	case CR_CODEFILE_MODULE:
		*bytes = cr_elf_placed_bytes(c->files.runtime, addr - c->bias, len);
		break;
	case CR_CODEFILE_KERNEL:
		if (cr_elf_loaded(c->kernel.vmlinux.runtime, addr - c->bias, &offset))
			*bytes = cr_elf_bytes(c->kernel.vmlinux.runtime, offset, len);
		break;
	case CR_CODEFILE_DUMP: {
		const struct cr_source *src = c->dump.src;

		if (addr <= cr_source_len(src) && len <= cr_source_len(src) - addr &&
			len <= UINT32_MAX)
			*bytes = (struct cr_str){
				(const char *)cr_source_bytes(src) + addr, (uint32_t)len};
		for (size_t i = 0; i < c->dump.code.n; i++) {
			const struct cr_jit_code *code = &c->dump.code.p[i];

			if (code->from == code->start &&
				addr - code->offset < code->end - code->start)
				*base = addr - code->offset + code->start;
		}
		break;
	}
	}
	return bytes->len > 0;
}

void
cr_codefile_close(struct cr_codefile *c)
{
	cr_debugfile_close(&c->files);
	cr_kernel_close(&c->kernel);
	cr_jitdump_fini(&c->dump);
	free(c->why);
	*c = (struct cr_codefile){.kind = CR_CODEFILE_NONE};
}
