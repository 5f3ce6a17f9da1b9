#include "debugfile.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define DEBUG_DIR "/usr/lib/debug"
#define MAX_VDSO ((size_t)64 << 10)

struct search {
	const struct cr_symbol_opts *opts;
	struct cr_debugfile *out;
	struct cr_text path; /* scratch */
	const char *file;    /* the object's path, as it was when recorded */
	const char *base;    /* its last part */
	int dir_len;         /* of file, without the slash before base */
	char *link;          /* what .gnu_debuglink names; NULL for none */
	uint32_t crc;        /* of the linked file */
	bool seen;           /* a file was there, whatever was in it */
	bool other;          /* one with another build-id was there */
};

int
cr_debugfile_open_regular(const char *path)
{
	struct stat st;
	struct statfs fs;
	int fd;

	/* Before opening: that alone may do something to a device, or wait for one. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || statfs(path, &fs) < 0)
		return -1;
	if (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC)
		return -1;
	if ((fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) < 0)
		return -1;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* CRC-32 as in .gnu_debuglink and zlib. */
static uint32_t
crc_of(int fd)
{
	uint32_t table[256], crc = ~(uint32_t)0;
	unsigned char buf[16384];
	off_t at = 0;
	ssize_t got;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (; (got = pread(fd, buf, sizeof(buf), at)) > 0; at += got)
		for (ssize_t i = 0; i < got; i++)
			crc = table[(crc ^ buf[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

static bool
same_id(const struct cr_build_id *a, const struct cr_build_id *b)
{
	return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

/* The ELF file at s->path, NULL when there is none or it is not of this object. */
static struct cr_elf *
open_candidate(struct search *s, bool linked)
{
	const int fd = cr_debugfile_open_regular(s->path.p);
	struct cr_build_id id;
	struct cr_elf *e;
	bool ok;

	if (fd < 0)
		return NULL;
	s->seen = true;
	if (linked && s->out->build_id.len == 0 && crc_of(fd) != s->crc) {
		close(fd);
		return NULL;
	}
	if (!(e = cr_elf_open(fd)))
		return NULL;
	cr_elf_build_id(e, &id);
	ok = s->out->build_id.len == 0 || same_id(&id, &s->out->build_id);
	if (ok)
		return e;
	s->other = true;
	cr_elf_close(e);
	return NULL;
}

/* Use e for what is still wanted. */
static void
take(struct search *s, struct cr_elf *e)
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
	if (!used)
		cr_elf_close(e);
}

static bool
done(const struct search *s)
{
	return s->out->syms && s->out->runtime;
}

static void
try_path(struct search *s, bool linked)
{
	struct cr_elf *e = done(s) ? NULL : open_candidate(s, linked);

	if (e)
		take(s, e);
}

/* Start a path of the system that is looked at: under --symfs, when given. */
static struct cr_text *
system_path(struct search *s)
{
	cr_text_clear(&s->path);
	if (s->opts->symfs)
		cr_text_puts(&s->path, s->opts->symfs);
	return &s->path;
}

/* xx/yyyy… of a build-id. */
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

static void
try_cached(struct search *s, const char *name)
{
	if (cr_debugfile_cached(s->opts, &s->out->build_id, name, &s->path))
		try_path(s, false);
}

static void
try_debuglink(struct search *s)
{
	static const struct { const char *before, *after; } places[] = {
		{"", ""}, {"", "/.debug"}, {DEBUG_DIR, ""},
	};

	if (!s->link)
		return;
	if (*s->link == '/') {
		cr_text_puts(system_path(s), s->link);
		try_path(s, true);
		return;
	}
	for (size_t i = 0; i < CR_LEN(places); i++) {
		cr_text_printf(system_path(s), "%s%.*s%s/%s", places[i].before, s->dir_len, s->file,
			places[i].after, s->link);
		try_path(s, true);
	}
}

/* The path so far is of a folder with files by path and by build-id, like /usr/lib/debug. */
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
			cr_text_puts(&s->path, s->file);
		}
		if (how != 1)
			cr_text_puts(&s->path, ".debug");
		try_path(s, false);
	}
	free(dir);
}

/*
 * The object's own file comes near the end of the order, but says two things that are needed
 * before: its debuglink, and its build-id where the recording knows none.
 */
static struct cr_elf *
open_own(struct search *s)
{
	struct cr_elf *own;

	if (!s->file)
		return NULL;
	cr_text_puts(system_path(s), s->file);
	own = open_candidate(s, false);
	if (!own)
		return NULL;
	if (s->out->build_id.len == 0)
		cr_elf_build_id(own, &s->out->build_id);
	cr_elf_debuglink(own, &s->link, &s->crc);
	return own;
}

static void
look_around(struct search *s)
{
	struct cr_elf *own = open_own(s);

	if (s->opts->debug_dir) {
		cr_text_clear(&s->path);
		cr_text_puts(&s->path, s->opts->debug_dir);
		try_debug_dir(s);
	}
	if (s->file)
		try_debuglink(s);
	try_cached(s, "elf");
	try_cached(s, ""); /* of old: the link led to the file itself */
	try_cached(s, "debug");
	/* Without an id nothing says that a file there is of this object. */
	if (own || s->out->build_id.len) {
		cr_text_puts(system_path(s), DEBUG_DIR);
		try_debug_dir(s);
	}
	if (own && !done(s))
		take(s, own);
	else
		cr_elf_close(own);
	if (!s->file || s->out->build_id.len == 0)
		return;
	cr_text_printf(system_path(s), "%.*s/.debug/%s", s->dir_len, s->file, s->base);
	try_path(s, false);
	if (strncmp(s->file, "/usr/lib/", 9) == 0) {
		cr_text_printf(system_path(s), DEBUG_DIR "%s", s->file + 4);
		try_path(s, false);
	}
	if (s->opts->symfs) {
		cr_text_printf(system_path(s), "/%s", s->base);
		try_path(s, false);
	}
}

/* The kernel maps it into every process: this one has the same if the kernel is the same. */
static void
take_own_vdso(struct search *s)
{
	union {
		unsigned long addr;
		const unsigned char *p;
	} image = {getauxval(AT_SYSINFO_EHDR)};
	struct cr_build_id id;
	struct cr_elf *e;
	Elf64_Ehdr head;
	size_t len;

	if (!image.addr || s->opts->symfs || done(s))
		return;
	memcpy(&head, image.p, sizeof(head));
	len = head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
	if (head.e_ident[EI_CLASS] != ELFCLASS64 || len < sizeof(head) || len > MAX_VDSO)
		return;
	if (!(e = cr_elf_memory(image.p, len)))
		return;
	cr_elf_build_id(e, &id);
	s->seen = true;
	if (id.len && same_id(&id, &s->out->build_id)) {
		take(s, e);
		return;
	}
	s->other = true;
	cr_elf_close(e);
}

static const char *
reason(const struct search *s)
{
	if (s->out->syms)
		return NULL;
	if (s->out->runtime)
		return "no symbols in its file";
	if (s->other)
		return "no file with its build-id";
	return s->seen ? "its file is damaged" : "no such file";
}

void
cr_debugfile_find(
	const struct cr_symbol_opts *opts, const struct cr_object *o, struct cr_debugfile *out)
{
	struct search s = {.opts = opts, .out = out};
	struct cr_str name = o->name;
	char *file = NULL;

	*out = (struct cr_debugfile){.checked = o->build_id_len > 0};
	out->build_id.len = CR_MIN(o->build_id_len, (uint8_t)sizeof(out->build_id.p));
	memcpy(out->build_id.p, o->build_id, out->build_id.len);

	/* Of a file that was replaced while it ran an identical one may be there again. */
	if (out->checked && cr_str_ends(name, " (deleted)"))
		name.len -= 10;
	if (name.len && name.p[0] == '/' && !memchr(name.p, 0, name.len)) {
		s.file = file = cr_memdup(name.p, name.len);
		s.base = strrchr(file, '/') + 1;
		s.dir_len = (int)(s.base - 1 - file);
	}
	if (o->kind == CR_KIND_VDSO) {
		try_cached(&s, "vdso");
		take_own_vdso(&s);
	} else {
		look_around(&s);
	}
	if (!out->syms && out->runtime && cr_elf_section_type(out->runtime, SHT_DYNSYM))
		out->syms = out->runtime;
	if (!out->runtime)
		out->runtime = out->syms;
	out->why = reason(&s);
	cr_text_fini(&s.path);
	free(s.link);
	free(file);
}

void
cr_debugfile_close(struct cr_debugfile *d)
{
	if (d->runtime != d->syms)
		cr_elf_close(d->runtime);
	cr_elf_close(d->syms);
	*d = (struct cr_debugfile){0};
}
