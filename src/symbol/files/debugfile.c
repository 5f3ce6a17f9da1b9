#include "debugfile_p.h"

#include "bytes/whole.h"
#include "gate_p.h"
#include "symbol/elf/image_p.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define DEBUG_DIR "/usr/lib/debug"
#define MAX_VDSO ((size_t)64 << 10)
#define MAX_SUMMED ((off_t)4 << 30) /* maximum size of a file whose CRC is computed */
#define MAX_TOLD ((size_t)160)      /* bytes of a path in a message */

struct search {
	const struct cr_symbol_opts *opts;
	struct cr_debugfile *out;
	struct cr_text path; /* scratch buffer */
	const char *first;   /* a path to try before all others; NULL if none */
	const char *file;    /* the dso's path, as recorded */
	const char *base;    /* its last part */
	int dir_len;         /* length of file without "/base" */
	int stem_len;        /* length of file without ".xz" or similar */
	char *link;          /* name in .gnu_debuglink; NULL if none */
	uint32_t crc;        /* of the linked file */
	bool seen;           /* a file exists, whatever it contains */
	bool want_debug;     /* debug info is needed too */
	struct cr_refused refused;
};

struct cr_str
cr_debugfile_unpacked_name(struct cr_str name)
{
	static const char *const ends[] = {".xz", ".gz", ".zst"};

	for (size_t i = 0; i < CR_LEN(ends); i++)
		if (cr_str_ends(name, ends[i])) {
			name.len -= (uint32_t)strlen(ends[i]);
			break;
		}
	return name;
}

/* The CRC-32 that a .gnu_debuglink to this file contains. */
static uint32_t
crc_of(int fd)
{
	unsigned char buf[65536];
	uint32_t crc = 0;
	off_t at = 0;
	ssize_t got;

	for (; at < MAX_SUMMED && (got = pread(fd, buf, sizeof(buf), at)) > 0; at += got)
		crc = cr_whole_crc32(crc, buf, (size_t)got);
	return crc;
}

static bool
same_id(const struct cr_build_id *a, const struct cr_build_id *b)
{
	return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

/* Enough of a path to recognise it. */
static void
put_path(struct cr_text *t, const char *path)
{
	const size_t len = strlen(path);

	cr_text_puts(t, len > MAX_TOLD ? "..." : "");
	cr_text_puts(t, path + (len > MAX_TOLD ? len - MAX_TOLD : 0));
}

static void
put_short_id(struct cr_text *t, const struct cr_build_id *id)
{
	for (uint8_t i = 0; i < id->len && i < 6; i++)
		cr_text_printf(t, "%02x", id->p[i]);
}

/* Report the first refused file, or rather the first with debug info. */
static struct cr_text *
refuse(struct cr_refused *r, const char *path, bool has_debug)
{
	if (r->why.len && (r->has_debug || !has_debug))
		return NULL;
	r->has_debug = has_debug;
	cr_text_clear(&r->why);
	cr_text_puts(&r->why, "refused ");
	put_path(&r->why, path);
	return &r->why;
}

static void
refuse_id(struct cr_refused *r, const char *path, struct cr_elf *e, const struct cr_build_id *has,
	const struct cr_build_id *want)
{
	struct cr_text *t = refuse(r, path, cr_elf_has_debug(e));

	if (!t)
		return;
	if (has->len) {
		cr_text_puts(t, ": build-id ");
		put_short_id(t, has);
		cr_text_puts(t, " is not ");
	} else {
		cr_text_puts(t, ": has no build-id, not ");
	}
	put_short_id(t, want);
}

/* Missing files are not reported. */
static void
refuse_path(struct cr_refused *r, const char *path)
{
	const char *why = cr_gate_refusal(path);
	struct cr_text *t = why ? refuse(r, path, false) : NULL;

	if (t)
		cr_text_printf(t, ": %s", why);
}

struct cr_elf *
cr_debugfile_open(const struct cr_symbol_opts *opts, const char *path,
	const struct cr_build_id *want, struct cr_refused *refused)
{
	const int fd = cr_gate_open(opts, path, 0, CR_GATE_NOBODY);
	struct cr_elf *e = fd < 0 ? NULL : cr_elf_open(fd);
	struct cr_build_id id;

	if (fd < 0)
		refuse_path(refused, path);
	if (!e)
		return NULL;
	cr_elf_build_id(e, &id);
	if (want->len == 0 || same_id(&id, want))
		return e;
	refuse_id(refused, path, e, &id, want);
	cr_elf_close(e);
	return NULL;
}

/* Check a file that only .gnu_debuglink identifies. */
static bool
crc_agrees(struct search *s)
{
	const int fd = cr_gate_open(s->opts, s->path.p, 0, CR_GATE_NOBODY);
	const bool same = fd >= 0 && crc_of(fd) == s->crc;
	struct cr_text *t = fd < 0 || same ? NULL : refuse(&s->refused, s->path.p, true);

	if (t)
		cr_text_puts(t, ": not the file that .gnu_debuglink means, its CRC differs");
	if (fd >= 0)
		close(fd);
	return same;
}

/* The ELF file at s->path; NULL if there is none or it belongs to another dso. */
static struct cr_elf *
open_candidate(struct search *s, bool linked)
{
	if (linked && s->out->build_id.len == 0 && !crc_agrees(s))
		return NULL;
	if (access(s->path.p, F_OK) < 0)
		return NULL;
	s->seen = true;
	return cr_debugfile_open(s->opts, s->path.p, &s->out->build_id, &s->refused);
}

/* Use e for what is still missing. */
static void
use_file(struct search *s, struct cr_elf *e, bool in_memory)
{
	struct cr_debugfile *d = s->out;
	bool used = false;

	if (!d->syms && cr_elf_section_type(e, SHT_SYMTAB)) {
		d->syms = e;
		used = true;
	}
	if (!d->runtime && !cr_elf_hollow(e)) {
		d->runtime = e;
		used = true;
	}
	if (s->want_debug && !d->debug && cr_elf_has_debug(e)) {
		d->debug = e;
		d->debug_path = in_memory ? NULL : cr_strdup(s->path.p);
		used = true;
	}
	if (!used)
		cr_elf_close(e);
}

static bool
done(const struct search *s)
{
	return s->out->syms && s->out->runtime && (s->out->debug || !s->want_debug);
}

static void
try_path(struct search *s, bool linked)
{
	struct cr_elf *e = done(s) ? NULL : open_candidate(s, linked);

	if (e)
		use_file(s, e, false);
}

/* Begin a path of the system: below --symfs, if given. */
static struct cr_text *
system_path(struct search *s)
{
	cr_text_clear(&s->path);
	if (s->opts->symfs)
		cr_text_puts(&s->path, s->opts->symfs);
	return &s->path;
}

/* xx/yyyy… from a build-id. */
static void
put_id(struct cr_text *t, const struct cr_build_id *id)
{
	for (uint8_t i = 0; i < id->len; i++)
		cr_text_printf(t, i == 0 ? "%02x/" : "%02x", id->p[i]);
}

bool
cr_debugfile_cached(const struct cr_symbol_opts *opts, const struct cr_build_id *id,
	const char *name, struct cr_text *path)
{
	const char *home = opts->home ? opts->home : getenv("HOME");

	if (opts->symfs || !home || !*home || id->len < 2)
		return false;
	cr_text_clear(path);
	cr_text_puts(path, home);
	cr_text_puts(path, "/.debug/.build-id/");
	put_id(path, id);
	if (*name) {
		cr_text_char(path, '/');
		cr_text_puts(path, name);
	}
	return true;
}

bool
cr_debugfile_by_id(const struct cr_symbol_opts *opts, const struct cr_build_id *id, int i,
	struct cr_text *path)
{
	if (i > 1 || id->len < 2)
		return false;
	cr_text_clear(path);
	if (i == 0 && opts->debug_dir) {
		cr_text_puts(path, opts->debug_dir);
	} else {
		cr_text_puts(path, opts->symfs ? opts->symfs : "");
		cr_text_puts(path, DEBUG_DIR);
	}
	cr_text_puts(path, "/.build-id/");
	put_id(path, id);
	cr_text_puts(path, ".debug");
	return true;
}

static void
try_cached(struct search *s, const char *name)
{
	if (cr_debugfile_cached(s->opts, &s->out->build_id, name, &s->path))
		try_path(s, false);
}

/* Begin a path below --debug-dir; false if there is none. */
static bool
debug_dir_path(struct search *s)
{
	cr_text_clear(&s->path);
	if (s->opts->debug_dir)
		cr_text_puts(&s->path, s->opts->debug_dir);
	return s->opts->debug_dir;
}

/* By its place in the tree, or with all files in one directory. */
static void
try_link_in_debug_dir(struct search *s)
{
	for (int flat = 0; flat <= 1; flat++)
		if (debug_dir_path(s)) {
			cr_text_printf(
				&s->path, "%.*s/%s", flat ? 0 : s->dir_len, s->file, s->link);
			try_path(s, true);
		}
}

static void
try_debuglink(struct search *s)
{
	static const struct {
		const char *before, *after;
	} places[] = {
		{"", ""},
		{"", "/.debug"},
		{DEBUG_DIR, ""},
	};

	if (!s->link)
		return;
	if (*s->link == '/') {
		cr_text_puts(system_path(s), s->link);
		try_path(s, true);
		return;
	}
	try_link_in_debug_dir(s);
	for (size_t i = 0; i < CR_LEN(places); i++) {
		cr_text_printf(system_path(s), "%s%.*s%s/%s", places[i].before, s->dir_len, s->file,
			places[i].after, s->link);
		try_path(s, true);
	}
}

/* The path so far is a directory with files by path and by build-id, like /usr/lib/debug. */
static void
try_debug_dir(struct search *s)
{
	const size_t len = s->path.len;
	char *const dir = cr_memdup(s->path.p, len);

	for (int how = 0; how < 3; how++) {
		if (how < 2 ? !s->file : s->out->build_id.len < 2)
			continue;
		cr_text_clear(&s->path);
		cr_text_put(&s->path, dir, len);
		if (how == 2) {
			cr_text_puts(&s->path, "/.build-id/");
			put_id(&s->path, &s->out->build_id);
		} else {
			cr_text_put(&s->path, s->file, (size_t)s->stem_len);
		}
		if (how != 1)
			cr_text_puts(&s->path, ".debug");
		try_path(s, false);
	}
	free(dir);
}

/*
 * The dso's own file is late in the order, but two things in it are needed earlier: its debuglink,
 * and its build-id if the recording has none. --symfs may contain it without its directories.
 */
static struct cr_elf *
open_own(struct search *s, char **path)
{
	struct cr_elf *own;

	*path = NULL;
	if (!s->file)
		return NULL;
	cr_text_puts(system_path(s), s->file);
	own = open_candidate(s, false);
	if (!own && s->opts->symfs) {
		cr_text_printf(system_path(s), "/%s", s->base);
		own = open_candidate(s, false);
	}
	if (!own)
		return NULL;
	*path = cr_strdup(s->path.p);
	if (s->out->build_id.len == 0)
		cr_elf_build_id(own, &s->out->build_id);
	cr_elf_debuglink(own, &s->link, &s->crc);
	return own;
}

/* Rarer places, where only the build-id identifies the file. */
static void
try_by_id_alone(struct search *s)
{
	cr_text_printf(system_path(s), "%.*s/.debug/%s", s->dir_len, s->file, s->base);
	try_path(s, false);
	if (strncmp(s->file, "/usr/lib/", 9) == 0) {
		cr_text_printf(system_path(s), DEBUG_DIR "%s", s->file + 4);
		try_path(s, false);
	}
	if (s->opts->symfs) {
		cr_text_printf(system_path(s), "/%s.debug", s->base);
		try_path(s, false);
	}
	for (int i = 0; i < 2 && debug_dir_path(s); i++) {
		cr_text_printf(&s->path, "/%s%s", s->base, i == 0 ? ".debug" : "");
		try_path(s, false);
	}
}

static void
look_around(struct search *s)
{
	char *path;
	struct cr_elf *own = open_own(s, &path);

	if (s->first) {
		cr_text_clear(&s->path);
		cr_text_puts(&s->path, s->first);
		try_path(s, false);
	}
	if (debug_dir_path(s))
		try_debug_dir(s);
	if (s->file)
		try_debuglink(s);
	try_cached(s, "elf");
	try_cached(s, ""); /* older layout: the link pointed to the file itself */
	try_cached(s, "debug");
	/* Without a build-id nothing identifies a file there. */
	if (own || s->out->build_id.len) {
		cr_text_puts(system_path(s), DEBUG_DIR);
		try_debug_dir(s);
	}
	if (own && !done(s)) {
		cr_text_clear(&s->path);
		cr_text_puts(&s->path, path);
		use_file(s, own, false);
	} else {
		cr_elf_close(own);
	}
	free(path);
	if (s->file && s->out->build_id.len)
		try_by_id_alone(s);
}

/* The kernel maps the vdso into every process: ours is the same if the kernel is the same. */
static void
use_own_vdso(struct search *s)
{
	union {
		unsigned long addr;
		const unsigned char *p;
	} image = {getauxval(AT_SYSINFO_EHDR)};
	struct cr_build_id id;
	struct cr_elf *e;
	Elf64_Ehdr head;
	uint64_t len;

	if (!image.addr || s->opts->symfs || done(s))
		return;
	memcpy(&head, image.p, sizeof(head));
	len = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
	if (head.e_ident[EI_CLASS] != ELFCLASS64 || len < sizeof(head) || len > MAX_VDSO)
		return;
	if (!(e = cr_elf_memory(image.p, (size_t)len)))
		return;
	cr_elf_build_id(e, &id);
	s->seen = true;
	if (id.len && same_id(&id, &s->out->build_id)) {
		use_file(s, e, true);
		return;
	}
	refuse_id(&s->refused, "[vdso] of this machine", e, &id, &s->out->build_id);
	cr_elf_close(e);
}

/* If there are no symbols yet, use MiniDebugInfo of the file, otherwise the dynamic symbols. */
static void
fill_up(struct cr_debugfile *d, uint8_t kind)
{
	if (!d->syms && d->runtime && (d->syms = cr_elf_mini(d->runtime)) == NULL &&
		cr_elf_section_type(d->runtime, SHT_DYNSYM))
		d->syms = d->runtime;
	if (!d->runtime)
		d->runtime = d->syms ? d->syms : d->debug;
	if (kind != CR_KIND_MODULE || !d->runtime || d->runtime->type != ET_REL)
		return;
	cr_elf_place(d->runtime);
	if (d->syms && d->syms != d->runtime)
		cr_elf_place(d->syms);
}

void
cr_debugfile_ready(const struct cr_symbol_opts *opts, struct cr_debugfile *d)
{
	struct cr_elf *image =
		d->debug ? cr_image_new(d->debug, d->runtime ? d->runtime : d->debug) : NULL;
	struct cr_refused refused = {.has_debug = false};

	if (image) {
		if (d->debug != d->syms && d->debug != d->runtime)
			cr_elf_close(d->debug);
		d->debug = image;
	}
	d->alt = cr_altfile_open(opts, d, &refused);
	if (!d->alt && refused.why.len && !d->refused)
		d->refused = cr_strdup(refused.why.p);
	cr_text_fini(&refused.why);
}

/* Explain why there are no symbols, and which files were refused. */
static void
explain(const struct search *s, struct cr_debugfile *d)
{
	const char *refused = s->refused.why.len ? s->refused.why.p : NULL;

	if (!d->syms && d->runtime)
		d->why = cr_strdup("no symbols in its file");
	else if (!d->syms && refused)
		d->why = cr_strdup(refused);
	else if (!d->syms)
		d->why = cr_strdup(s->seen ? "its file is damaged" : "no such file");
	if (refused && (!d->syms || (!d->debug && s->refused.has_debug)))
		d->refused = cr_strdup(refused);
}

void
cr_debugfile_find(
	const struct cr_symbol_opts *opts, const struct cr_dso *o, struct cr_debugfile *out)
{
	cr_debugfile_find_named(opts, o, o->name, NULL, out);
}

void
cr_debugfile_find_named(const struct cr_symbol_opts *opts, const struct cr_dso *o,
	struct cr_str name, const char *first, struct cr_debugfile *out)
{
	struct search s = {
		.opts = opts, .out = out, .first = first, .want_debug = !opts->no_inline};
	char *file = NULL;

	*out = (struct cr_debugfile){.checked = o->build_id_len > 0};
	out->build_id.len = CR_MIN(o->build_id_len, (uint8_t)sizeof(out->build_id.p));
	memcpy(out->build_id.p, o->build_id, out->build_id.len);

	/* A file that was replaced while it ran may be back with the same content. */
	if (out->checked && cr_str_ends(name, " (deleted)"))
		name.len -= 10;
	if (name.len && name.p[0] == '/' && !memchr(name.p, 0, name.len)) {
		s.file = file = cr_memdup(name.p, name.len);
		s.base = strrchr(file, '/') + 1;
		s.dir_len = (int)(s.base - 1 - file);
		s.stem_len = (int)cr_debugfile_unpacked_name(name).len;
	}
	if (file) {
		cr_text_puts(system_path(&s), file);
		out->path = cr_strdup(s.path.p);
	}
	if (o->kind == CR_KIND_VDSO) {
		try_cached(&s, "vdso");
		use_own_vdso(&s);
	} else {
		look_around(&s);
	}
	fill_up(out, o->kind);
	explain(&s, out);
	cr_debugfile_ready(opts, out);
	cr_text_fini(&s.refused.why);
	cr_text_fini(&s.path);
	free(s.link);
	free(file);
}

bool
cr_debugfile_address(const struct cr_debugfile *d, uint64_t addr, uint64_t *out)
{
	*out = addr - d->bias;
	if (d->absolute || d->debug->type == ET_REL)
		return true;
	return cr_elf_address(d->runtime, addr, out);
}

void
cr_debugfile_close(struct cr_debugfile *d)
{
	if (d->debug != d->syms && d->debug != d->runtime)
		cr_elf_close(d->debug);
	if (d->runtime != d->syms)
		cr_elf_close(d->runtime);
	cr_elf_close(d->syms);
	cr_elf_close(d->alt);
	free(d->debug_path);
	free(d->path);
	free(d->refused);
	free(d->why);
	*d = (struct cr_debugfile){0};
}
