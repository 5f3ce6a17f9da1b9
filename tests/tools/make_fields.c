/*
 * Writes tests/fixtures/made-fields.perf.data: make_fields FILE. Tracepoints of a kernel on x86-64
 * whose fields are addresses of its code and data; code that a program has made at run time;
 * threads that change their names. Build it like make_perf_corpus.c.
 */
#include <stdio.h>

#include "../unit/perf_maker.h"
#include "../unit/tracing_maker.h"

#define TEXT 0xffffffff81000000
#define MODULE 0xffffffffc0000000
#define JIT 0x7f0000000000

#define KMALLOC                                                                    \
	MADE_FORMAT("kmalloc", "501")                                              \
	MADE_FIELD("unsigned long call_site", "8", "8", "0")                       \
	MADE_FIELD("const void * ptr", "16", "8", "0")                             \
	MADE_FIELD("size_t bytes_req", "24", "8", "0")                             \
	MADE_FIELD("unsigned long gfp", "32", "8", "0")                            \
	"\nprint fmt: \"call_site=%pS ptr=%p bytes_req=%zu gfp_flags=%s\", (void " \
	"*)REC->call_site, REC->ptr, REC->bytes_req, "                             \
	"(REC->gfp) ? __print_flags(REC->gfp, \"|\", {1, \"A,\"}) : \"none\"\n"

#define EXPIRE                                                              \
	MADE_FORMAT("hrtimer_expire_entry", "502")                          \
	MADE_FIELD("void * hrtimer", "8", "8", "0")                         \
	MADE_FIELD("s64 now", "16", "8", "1")                               \
	MADE_FIELD("void * function", "24", "8", "0")                       \
	"\nprint fmt: \"hrtimer=%p function=%ps now=%llu\", REC->hrtimer, " \
	"REC->function, (unsigned long long) REC->now\n"

/* As kernels before 5.0 print it, and what no format says is an address. */
#define FREED                                                \
	MADE_FORMAT("kfree", "503")                          \
	MADE_FIELD("unsigned long call_site", "8", "8", "0") \
	MADE_FIELD("unsigned long owner", "16", "8", "0")    \
	"\nprint fmt: \"call_site=%lx\", REC->call_site\n"

static const uint64_t chain[] = {
	MADE_CHAIN_KERNEL, TEXT + 0x110, MADE_CHAIN_USER, JIT + 0x20, JIT + 0x90};

/* A tracepoint with so many numbers behind its common fields. */
static void
event(struct made_perf *m, uint32_t attr, uint64_t time, uint32_t tid, const uint64_t *words,
	size_t n)
{
	struct cr_text raw = {0};

	made_u16(&raw, (uint16_t)m->attrs[attr].config);
	made_u16(&raw, 0);
	made_u32(&raw, 5);
	for (size_t i = 0; i < n; i++)
		made_u64(&raw, words[i]);
	made_u32(&raw, 0);
	made_sample(m, &(struct made_sample){.attr = attr,
			       .id = 7 + attr,
			       .pid = 5,
			       .tid = tid,
			       .time = time,
			       .period = 1,
			       .ip = TEXT + 0x110,
			       .misc = MADE_KERNEL,
			       .chain = chain,
			       .n_chain = CR_LEN(chain),
			       .raw = raw.p,
			       .raw_bytes = (uint32_t)raw.len});
	cr_text_fini(&raw);
}

static void
clock_tick(struct made_perf *m, uint64_t time, uint32_t tid, uint64_t ip)
{
	const uint64_t user[] = {MADE_CHAIN_USER, ip, JIT + 0x90};

	made_sample(m, &(struct made_sample){.attr = 3,
			       .id = 10,
			       .pid = 5,
			       .tid = tid,
			       .time = time,
			       .period = 1000000,
			       .ip = ip,
			       .chain = user,
			       .n_chain = CR_LEN(user)});
}

static void
attrs(struct made_perf *m)
{
	static const struct made_format formats[] = {
		{"kmem", KMALLOC}, {"timer", EXPIRE}, {"kmem", FREED}};

	for (uint64_t i = 0; i < 3; i++)
		made_attr(m,
			&(struct perf_attr){.type = 2,
				.config = 501 + i,
				.sample_period = 1,
				.sample_type = MADE_TYPE | PERF_SAMPLE_RAW,
				.flags = PERF_ATTR_SAMPLE_ID_ALL},
			&(uint64_t){7 + i}, 1);
	made_attr(m,
		&(struct perf_attr){.type = 1,
			.sample_period = 1000000,
			.sample_type = MADE_TYPE,
			.flags = PERF_ATTR_SAMPLE_ID_ALL},
		&(uint64_t){10}, 1);
	made_tracing(&m->features[1], formats, CR_LEN(formats));
	made_string(&m->features[3], "fixture");
	made_string(&m->features[6], "x86_64");
}

static void
records(struct made_perf *m)
{
	made_mmap_as(
		m, MADE_KERNEL, UINT32_MAX, 0, TEXT, 0x1000000, TEXT, "[kernel.kallsyms]_text");
	made_mmap_as(
		m, MADE_KERNEL, UINT32_MAX, 0, MODULE, 0x4000, 0, "/lib/modules/6.1/fs/x-fs.ko");
	made_comm(m, 5, 5, 10, "server");
	made_mmap(m, 5, 11, JIT, 0x1000, 0, "//anon");
	made_fork(m, 5, 6, 5, 5, 12);
	made_comm(m, 5, 6, 13, "thread first");
	event(m, 0, 20, 5, (const uint64_t[]){TEXT + 0x11f, 0xffff888012345678, 64, 0}, 4);
	event(m, 0, 21, 5, (const uint64_t[]){TEXT + 0x200, 0xffff888012345678, 192, 1}, 4);
	event(m, 0, 22, 6, (const uint64_t[]){MODULE + 0x34, 0xffff888012345678, 64, 0}, 4);
	event(m, 0, 23, 6, (const uint64_t[]){0xffffffffe0000000, 0xffff888012345678, 64, 0}, 4);
	event(m, 1, 30, 5, (const uint64_t[]){0xffff888000000100, 30, TEXT + 0x200}, 3);
	event(m, 1, 31, 5, (const uint64_t[]){0xffff888000000200, 31, TEXT + 0x200}, 3);
	event(m, 2, 40, 6, (const uint64_t[]){TEXT + 0x11f, 0xffff888012345678}, 2);
	made_comm(m, 5, 6, 50, "thread last");
	made_comm(m, 5, 5, 51, "renamed");
	clock_tick(m, 60, 5, JIT + 0x20);
	clock_tick(m, 61, 6, JIT + 0x20);
	clock_tick(m, 62, 6, JIT + 0x90);
	made_comm(m, 5, 5, 70, "server");
	clock_tick(m, 80, 5, JIT + 0x500);
}

int
main(int argc, char **argv)
{
	struct made_perf m = {0};
	struct cr_text file;
	FILE *out;

	if (argc != 2)
		return 2;
	attrs(&m);
	records(&m);
	file = made_file(&m);
	out = fopen(argv[1], "wb");
	if (!out || fwrite(file.p, 1, file.len, out) != file.len || fclose(out))
		return 1;
	cr_text_fini(&file);
	return 0;
}
