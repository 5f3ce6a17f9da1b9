#if defined(__x86_64__) && defined(__linux__) /* as stepper.c */
#include "recorded.h"

#include "base/text.h"
#include "base/vec.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>

enum { TYPE_COMM = 3, TYPE_FORK = 7, TYPE_SAMPLE = 9, TYPE_MMAP2 = 10 };
enum { MISC_USER = 2, MISC_COMM_EXEC = 1 << 13, MISC_MMAP_DATA = 1 << 13, MISC_BUILD_ID = 1 << 14 };

enum { HEADER_BYTES = 104, ATTR_BYTES = 128, FEATURE_ARCH = 6, FEATURE_STRING = 64 };

/* linux/perf_event.h: IP TID TIME CALLCHAIN PERIOD REGS_USER STACK_USER */
#define SAMPLE_TYPE (1u | 2u | 4u | 32u | 256u | 4096u | 8192u)
/* mmap comm task mmap_data sample_id_all exclude_callchain_user mmap2 comm_exec */
#define ATTR_FLAGS \
	(1u << 8 | 1u << 9 | 1u << 13 | 1u << 17 | 1u << 18 | 1u << 22 | 1u << 23 | 1u << 24)
#define REGS_MASK 0xff0fffu
#define ABI_64 2u

struct mapping {
	uint64_t start, end, offset, inode;
	uint32_t major, minor, prot, flags;
	char name[512];
};
typedef CR_VEC(struct mapping) mappings;

struct recorded {
	FILE *file;
	pid_t pid;
	uint32_t stack_bytes;
	uint64_t data_bytes;
	struct cr_text record;
	mappings maps;
};

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static void
put_u16(struct cr_text *t, uint16_t v)
{
	cr_text_put(t, &v, sizeof(v));
}

static void
put_u32(struct cr_text *t, uint32_t v)
{
	cr_text_put(t, &v, sizeof(v));
}

static void
put_u64(struct cr_text *t, uint64_t v)
{
	cr_text_put(t, &v, sizeof(v));
}

static void
put_ids(struct cr_text *t, pid_t pid, pid_t tid)
{
	put_u32(t, (uint32_t)pid);
	put_u32(t, (uint32_t)tid);
}

static void
put_name(struct cr_text *t, const char *name)
{
	const size_t len = strlen(name) + 1;

	cr_text_put(t, name, len);
	cr_text_pad(t, '\0', (8 - len % 8) % 8);
}

static void
write_all(struct recorded *r, const void *p, size_t len)
{
	if (fwrite(p, 1, len, r->file) != len)
		die("recording");
}

static struct cr_text *
record_start(struct recorded *r, uint32_t type, uint16_t misc)
{
	cr_text_clear(&r->record);
	put_u32(&r->record, type);
	put_u16(&r->record, misc);
	put_u16(&r->record, 0); /* record_end() knows it */
	return &r->record;
}

static void
record_end(struct recorded *r)
{
	const uint16_t size = (uint16_t)r->record.len;

	memcpy(r->record.p + 6, &size, sizeof(size));
	write_all(r, r->record.p, r->record.len);
	r->data_bytes += size;
}

/* What sample_id_all puts behind records that are no samples. */
static void
record_end_at(struct recorded *r, pid_t tid, uint64_t time_ns)
{
	put_ids(&r->record, r->pid, tid);
	put_u64(&r->record, time_ns);
	record_end(r);
}

/* ---- the file around the records */

static void
header_write(struct recorded *r)
{
	struct cr_text h = {0};

	cr_text_puts(&h, "PERFILE2");
	put_u64(&h, HEADER_BYTES);
	put_u64(&h, ATTR_BYTES + 16);
	put_u64(&h, HEADER_BYTES);
	put_u64(&h, ATTR_BYTES + 16);
	put_u64(&h, HEADER_BYTES + ATTR_BYTES + 16);
	put_u64(&h, r->data_bytes);
	cr_text_pad(&h, '\0', 16); /* event types */
	put_u64(&h, 1u << FEATURE_ARCH);
	cr_text_pad(&h, '\0', 24);

	put_u32(&h, 1); /* software */
	put_u32(&h, ATTR_BYTES);
	put_u64(&h, 0); /* cpu-clock */
	put_u64(&h, 1); /* a period of 1 */
	put_u64(&h, SAMPLE_TYPE);
	put_u64(&h, 0);
	put_u64(&h, ATTR_FLAGS);
	cr_text_pad(&h, '\0', 80 - 48);
	put_u64(&h, REGS_MASK);
	put_u32(&h, r->stack_bytes);
	cr_text_pad(&h, '\0', ATTR_BYTES - 92);
	cr_text_pad(&h, '\0', 16); /* no ids */
	write_all(r, h.p, h.len);
	cr_text_fini(&h);
}

static void
features_write(struct recorded *r)
{
	static const char arch[FEATURE_STRING] = "x86_64";
	const uint64_t table = HEADER_BYTES + ATTR_BYTES + 16 + r->data_bytes;
	struct cr_text f = {0};

	put_u64(&f, table + 16);
	put_u64(&f, 4 + sizeof(arch));
	put_u32(&f, sizeof(arch));
	cr_text_put(&f, arch, sizeof(arch));
	write_all(r, f.p, f.len);
	cr_text_fini(&f);
}

struct recorded *
recorded_open(const char *path, pid_t pid, uint32_t stack_bytes)
{
	struct recorded *r = cr_alloc(1, sizeof(*r));

	*r = (struct recorded){.pid = pid, .stack_bytes = stack_bytes};
	r->file = fopen(path, "w");
	if (!r->file)
		die(path);
	header_write(r);
	return r;
}

void
recorded_close(struct recorded *r)
{
	features_write(r);
	rewind(r->file);
	header_write(r);
	if (fclose(r->file) != 0)
		die("recording");
	cr_text_fini(&r->record);
	cr_vec_fini(&r->maps);
	free(r);
}

/* ---- tasks and mappings */

void
recorded_exec(struct recorded *r, uint64_t time_ns)
{
	struct cr_text *t = record_start(r, TYPE_COMM, MISC_USER | MISC_COMM_EXEC);

	put_ids(t, r->pid, r->pid);
	put_name(t, "truth");
	record_end_at(r, r->pid, time_ns);
}

void
recorded_fork(struct recorded *r, pid_t tid, uint64_t time_ns)
{
	struct cr_text *t = record_start(r, TYPE_FORK, MISC_USER);

	put_u32(t, (uint32_t)r->pid);
	put_u32(t, (uint32_t)r->pid);
	put_u32(t, (uint32_t)tid);
	put_u32(t, (uint32_t)r->pid);
	put_u64(t, time_ns);
	record_end_at(r, tid, time_ns);
}

/* A line of /proc/PID/maps: "start-end rwxp offset major:minor inode      name". */
static bool
mapping_parse(const char *line, struct mapping *m)
{
	unsigned long long start, end, offset, inode;
	char prot[5];
	int name = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, prot, &offset, &m->major,
		    &m->minor, &inode, &name) < 7)
		return false;
	m->start = start;
	m->end = end;
	m->offset = offset;
	m->inode = inode;
	m->prot = (prot[0] == 'r' ? 1u : 0) | (prot[1] == 'w' ? 2u : 0) | (prot[2] == 'x' ? 4u : 0);
	m->flags = prot[3] == 's' ? 1 : 2;
	snprintf(m->name, sizeof(m->name), "%s", name && line[name] ? line + name : "//anon");
	m->name[strcspn(m->name, "\n")] = '\0';
	return true;
}

static bool
mapping_same(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->prot == b->prot && strcmp(a->name, b->name) == 0;
}

static bool
mapping_known(const mappings *maps, const struct mapping *m)
{
	for (size_t i = 0; i < maps->n; i++)
		if (mapping_same(&maps->p[i], m))
			return true;
	return false;
}

/*
 * The build-id of the vDSO, which is no file that one could look into later. Every process has the
 * same: this one's is read. Returns its bytes, 0 where there is none.
 */
static uint8_t
vdso_build_id(uint8_t id[20])
{
	const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr head;

	if (!image)
		return 0;
	memcpy(&head, image, sizeof(head));
	for (unsigned i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr part;
		Elf64_Nhdr note;

		memcpy(&part, image + head.e_phoff + i * sizeof(part), sizeof(part));
		if (part.p_type != PT_NOTE)
			continue;
		for (uint64_t at = 0; at + sizeof(note) <= part.p_filesz;) {
			memcpy(&note, image + part.p_offset + at, sizeof(note));
			at += sizeof(note) + ((note.n_namesz + 3) & ~3u);
			if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= 20) {
				memcpy(id, image + part.p_offset + at, note.n_descsz);
				return (uint8_t)note.n_descsz;
			}
			at += (note.n_descsz + 3) & ~3u;
		}
	}
	return 0;
}

/* Device and inode, or of the vDSO the build-id in their place. */
static void
put_identity(struct cr_text *t, const struct mapping *m, const uint8_t *id, uint8_t id_bytes)
{
	if (id_bytes) {
		cr_text_char(t, (char)id_bytes);
		cr_text_pad(t, '\0', 3);
		cr_text_put(t, id, 20);
		return;
	}
	put_u32(t, m->major);
	put_u32(t, m->minor);
	put_u64(t, m->inode);
	put_u64(t, 0);
}

static void
mapping_write(struct recorded *r, const struct mapping *m, uint64_t time_ns)
{
	uint8_t id[20] = {0};
	const uint8_t id_bytes = strcmp(m->name, "[vdso]") == 0 ? vdso_build_id(id) : 0;
	struct cr_text *t = record_start(r, TYPE_MMAP2,
		MISC_USER | (m->prot & 4 ? 0 : MISC_MMAP_DATA) | (id_bytes ? MISC_BUILD_ID : 0));

	put_ids(t, r->pid, r->pid);
	put_u64(t, m->start);
	put_u64(t, m->end - m->start);
	put_u64(t, m->offset);
	put_identity(t, m, id, id_bytes);
	put_u32(t, m->prot);
	put_u32(t, m->flags);
	put_name(t, m->name);
	record_end_at(r, r->pid, time_ns);
}

void
recorded_maps(struct recorded *r, uint64_t time_ns)
{
	mappings now = {0};
	char path[64], line[1024];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)r->pid);
	f = fopen(path, "r");
	if (!f)
		die(path);
	while (fgets(line, sizeof(line), f)) {
		struct mapping m;

		if (!mapping_parse(line, &m))
			continue;
		if (!mapping_known(&r->maps, &m))
			mapping_write(r, &m, time_ns);
		cr_vec_push(&now, m);
	}
	fclose(f);
	cr_vec_fini(&r->maps);
	r->maps = now;
}

/* ---- samples */

/* The kernel dumps up to the end of the mapping and no more than was asked for. */
static size_t
stack_size(struct recorded *r, uint64_t sp)
{
	for (size_t i = 0; i < r->maps.n; i++)
		if (sp >= r->maps.p[i].start && sp < r->maps.p[i].end)
			return CR_MIN(r->maps.p[i].end - sp, r->stack_bytes) & ~(size_t)7;
	/* A stack that grew is longer than the mapping was when it was last read. */
	for (size_t i = 0; i < r->maps.n; i++)
		if (sp < r->maps.p[i].end && strcmp(r->maps.p[i].name, "[stack]") == 0)
			return CR_MIN(r->maps.p[i].end - sp, r->stack_bytes) & ~(size_t)7;
	return 0;
}

static void
put_regs(struct cr_text *t, const struct user_regs_struct *u)
{
	const uint64_t regs[] = {u->rax, u->rbx, u->rcx, u->rdx, u->rsi, u->rdi, u->rbp, u->rsp,
		u->rip, u->eflags, u->cs, u->ss, u->r8, u->r9, u->r10, u->r11, u->r12, u->r13,
		u->r14, u->r15};

	put_u64(t, ABI_64);
	cr_text_put(t, regs, sizeof(regs));
}

uint64_t
recorded_sample(
	struct recorded *r, pid_t tid, const struct user_regs_struct *regs, uint64_t time_ns)
{
	static char stack[1 << 16];
	const size_t len = stack_size(r, regs->rsp);
	const struct iovec to = {stack, len};
	const struct iovec from = {(void *)(uintptr_t)regs->rsp, len};
	struct cr_text *t = record_start(r, TYPE_SAMPLE, MISC_USER);
	ssize_t got = len ? process_vm_readv(r->pid, &to, 1, &from, 1, 0) : 0;

	got = CR_MAX(got, 0) & ~(ssize_t)7;
	put_u64(t, regs->rip);
	put_ids(t, r->pid, tid);
	put_u64(t, time_ns);
	put_u64(t, 1); /* period */
	put_u64(t, 0); /* of the callchain the kernel's part, which is empty */
	put_regs(t, regs);
	put_u64(t, (uint64_t)got);
	cr_text_put(t, stack, (size_t)got);
	if (got > 0)
		put_u64(t, (uint64_t)got);
	record_end(r);
	return regs->rsp + (uint64_t)got;
}
#endif
