/*
 * alone.c - a program without a library that records itself: its registers and stack, where it is
 * called from several depths, as perf record --call-graph dwarf would. So machines can be tried
 * that are not here, under an emulator; make-alone.sh does.
 *
 *	alone >RECORDING
 */
#include <stdint.h>

#define STACK_BYTES 2048u
#define BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
/* Bits of a structure begin at the end that its bytes begin at. */
#define BIT(n) (BIG_ENDIAN ? (uint64_t)1 << (63 - (n)) : (uint64_t)1 << (n))

#if defined(__aarch64__)
#define NAME "arm64"
#define MACHINE "aarch64"
#define ABI 2
#define MASK 0x1ffffffffu
#define SP 31
#define PC 32
#define CAPTURE(r)                                                                              \
	__asm__ volatile(                                                                       \
		"stp x19, x20, [%0, 152]\n stp x21, x22, [%0, 168]\n stp x23, x24, [%0, 184]\n" \
		"stp x25, x26, [%0, 200]\n stp x27, x28, [%0, 216]\n stp x29, x30, [%0, 232]\n" \
		"mov x9, sp\n str x9, [%0, 248]\n adr x9, 1f\n1: str x9, [%0, 256]" ::"r"(r)    \
		: "x9", "memory")
#define START "sub sp, sp, 4096\n mov x29, 0\n mov x30, 0\n bl program"
#elif defined(__x86_64__)
#define NAME "x86-64"
#define MACHINE "x86_64"
#define ABI 2
#define MASK 0xff0fffu
#define SP 7
#define PC 8
#define CAPTURE(r)                                                                             \
	__asm__ volatile("movq %%rbx, 8(%0)\n movq %%rbp, 48(%0)\n movq %%rsp, 56(%0)\n movq " \
			 "%%r12, 160(%0)\n"                                                    \
			 "movq %%r13, 168(%0)\n movq %%r14, 176(%0)\n movq %%r15, 184(%0)\n"   \
			 "leaq 1f(%%rip), %%rax\n1: movq %%rax, 64(%0)" ::"r"(r)               \
			 : "rax", "memory")
#define START "subq $4096, %rsp\n xorl %ebp, %ebp\n andq $-16, %rsp\n call program"
#elif defined(__i386__)
#define NAME "i386"
#define MACHINE "i686"
#define ABI 1
#define MASK 0x1ffu
#define SP 7
#define PC 8
#define CAPTURE(r)                                                                             \
	__asm__ volatile("movl %%ebx, 8(%0)\n movl %%esi, 32(%0)\n movl %%edi, 40(%0)\n movl " \
			 "%%ebp, 48(%0)\n"                                                     \
			 "movl %%esp, 56(%0)\n1: movl $1b, 64(%0)" ::"r"(r)                    \
			 : "memory")
#define START "subl $4096, %esp\n xorl %ebp, %ebp\n andl $-16, %esp\n call program"
#elif defined(__arm__)
#define NAME "arm"
#define MACHINE "armv7l"
#define ABI 1
#define MASK 0xffffu
#define SP 13
#define PC 15
#define CAPTURE(r)                                                                                \
	__asm__ volatile(                                                                         \
		"str r4, [%0, 32]\n str r5, [%0, 40]\n str r6, [%0, 48]\n str r7, [%0, 56]\n"     \
		"str r8, [%0, 64]\n str r9, [%0, 72]\n str r10, [%0, 80]\n str r11, [%0, 88]\n"   \
		"str sp, [%0, 104]\n str lr, [%0, 112]\n adr r2, 1f\n1: str r2, [%0, 120]" ::"r"( \
			r)                                                                        \
		: "r2", "memory")
#define START "sub sp, sp, #4096\n mov r11, #0\n mov lr, #0\n bl program"
#elif defined(__riscv) && __riscv_xlen == 64
#define NAME "riscv64"
#define MACHINE "riscv64"
#define ABI 2
#define MASK 0xffffffffu
#define SP 2
#define PC 0
#define CAPTURE(r)                                                                                \
	__asm__ volatile(                                                                         \
		"sd ra, 8(%0)\n sd sp, 16(%0)\n sd s0, 64(%0)\n sd s1, 72(%0)\n sd s2, 144(%0)\n" \
		"sd s3, 152(%0)\n sd s4, 160(%0)\n sd s5, 168(%0)\n sd s6, 176(%0)\n sd s7, "     \
		"184(%0)\n"                                                                       \
		"sd s8, 192(%0)\n sd s9, 200(%0)\n sd s10, 208(%0)\n sd s11, 216(%0)\n"           \
		"lla t0, 1f\n1: sd t0, 0(%0)" ::"r"(r)                                            \
		: "t0", "memory")
#define START "li t0, 4096\n sub sp, sp, t0\n li s0, 0\n li ra, 0\n call program"
#elif defined(__powerpc64__)
#define NAME "ppc64le"
#define MACHINE "ppc64le"
#define ABI 2
#define MASK 0x1fffffffffu
#define SP 1
#define PC 32
#define CAPTURE(r)                                                                                 \
	__asm__ volatile("std 1, 8(%0)\n std 2, 16(%0)\n std 14, 112(%0)\n std 15, 120(%0)\n std " \
			 "16, 128(%0)\n"                                                           \
			 "std 17, 136(%0)\n std 18, 144(%0)\n std 19, 152(%0)\n std 20, 160(%0)\n" \
			 "std 21, 168(%0)\n std 22, 176(%0)\n std 23, 184(%0)\n std 24, 192(%0)\n" \
			 "std 25, 200(%0)\n std 26, 208(%0)\n std 27, 216(%0)\n std 28, 224(%0)\n" \
			 "std 29, 232(%0)\n std 30, 240(%0)\n std 31, 248(%0)\n"                   \
			 "mflr 0\n std 0, 288(%0)\n bl 1f\n1: mflr 0\n std 0, 256(%0)\n ld 0, "    \
			 "288(%0)\n mtlr 0" ::"b"(r)                                               \
			 : "r0", "memory")
#define START                                                                                   \
	"lis 2, .TOC.@ha\n addi 2, 2, .TOC.@l\n addi 1, 1, -4096\n li 0, 0\n mtlr 0\n stdu 0, " \
	"-32(1)\n bl program"
#elif defined(__s390x__)
#define NAME "s390x"
#define MACHINE "s390x"
#define ABI 2
#define MASK 0x30000ffffu
#define SP 15
#define PC 33
#define CAPTURE(r)                                                                                 \
	__asm__ volatile("stmg %%r6, %%r15, 48(%0)\n larl %%r1, 1f\n1: stg %%r1, 264(%0)" ::"a"(r) \
			 : "r1", "memory")
#define START "aghi %r15, -4256\n lghi %r14, 0\n brasl %r14, program"
#else
#error "which machine is this?"
#endif

static long
system_call(long number, long a, long b, long c)
{
#if defined(__aarch64__)
	register long x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
			 x8 __asm__("x8") = number;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
	return x0;
#elif defined(__x86_64__)
	long out;

	__asm__ volatile("syscall"
			 : "=a"(out)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return out;
#elif defined(__i386__)
	long out;

	__asm__ volatile("int $0x80" : "=a"(out) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
	return out;
#elif defined(__arm__)
	register long r0 __asm__("r0") = a, r1 __asm__("r1") = b, r2 __asm__("r2") = c,
			 r7 __asm__("r7") = number;

	__asm__ volatile("svc 0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
	return r0;
#elif defined(__riscv)
	register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c,
			 a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
	return a0;
#elif defined(__s390x__)
	register long r1 __asm__("r1") = number, r2 __asm__("r2") = a, r3 __asm__("r3") = b,
			 r4 __asm__("r4") = c;

	__asm__ volatile("svc 0" : "+r"(r2) : "r"(r1), "r"(r3), "r"(r4) : "memory");
	return r2;
#else
	register long r0 __asm__("r0") = number, r3 __asm__("r3") = a, r4 __asm__("r4") = b,
			 r5 __asm__("r5") = c;

	__asm__ volatile("sc"
			 : "+r"(r3), "+r"(r0), "+r"(r4), "+r"(r5)::"memory", "cr0", "ctr", "r6",
			 "r7", "r8", "r9", "r10", "r11", "r12");
	return r3;
#endif
}

#if defined(__aarch64__) || defined(__riscv)
enum { WRITE = 64, EXIT = 93 };
#elif defined(__x86_64__)
enum { WRITE = 1, EXIT = 60 };
#else
enum { WRITE = 4, EXIT = 1 };
#endif

/* ---- the recording */

enum {
	HEAD = 104,
	ATTR = 112,
	DATA = HEAD + ATTR + 16,
	USER = 2,
	COMM = 3,
	SAMPLE = 9,
	MMAP2 = 10,
	HOSTNAME = 3,
	ARCH = 6,
	TEXT = 68
};

extern const char __executable_start, etext;

static uint64_t regs[64];
static unsigned char file[65536];
static unsigned long len;
static unsigned samples;

static void
put(uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		file[len++] = (unsigned char)(v >> 8 * (BIG_ENDIAN ? bytes - 1 - i : i));
}

static void
put_at(unsigned long at, uint64_t v, unsigned bytes)
{
	const unsigned long end = len;

	len = at;
	put(v, bytes);
	len = end;
}

static void
put_text(const char *s, unsigned multiple)
{
	do
		put((unsigned char)*s, 1);
	while (*s++);
	while (len % multiple)
		put(0, 1);
}

static unsigned long
record_begins(unsigned type)
{
	put(type, 4);
	put(USER, 2);
	put(0, 2);
	return len - 8;
}

static void
record_ends(unsigned long at)
{
	put_at(at + 6, len - at, 2);
}

static void
file_begins(void)
{
	const unsigned long start = (unsigned long)&__executable_start & ~0xffful;
	unsigned long at;

	put(0x32454c4946524550u, 8); /* PERFILE2 */
	put(HEAD, 8);
	put(ATTR + 16, 8);
	put(HEAD, 8);
	put(ATTR + 16, 8);
	put(DATA, 8);
	put(0, 8 + 16);
	put(1u << HOSTNAME | 1u << ARCH, 8); /* the former tells readers the order of these bits */
	put(0, 24);
	put(1, 4); /* software: cpu-clock */
	put(ATTR, 4);
	put(0, 8);
	put(1, 8); /* period */
	put(1 | 2 | 4 | 1 << 5 | 1 << 12 | 1 << 13,
		8); /* ip, tid, time, callchain, registers, stack */
	put(0, 8);
	put(BIT(8) | BIT(9) | BIT(22), 8); /* mmap, comm, exclude_callchain_user */
	put(0, 32);
	put(MASK, 8);
	put(STACK_BYTES, 4);
	put(0, 20 + 16);
	at = record_begins(COMM);
	put(1, 4);
	put(1, 4);
	put_text(NAME, 8);
	record_ends(at);
	at = record_begins(MMAP2);
	put(1, 4);
	put(1, 4);
	put(start, 8);
	put((((unsigned long)&etext + 0xfff) & ~0xffful) - start, 8);
	put(0, 8 + 8 + 16);
	put(5, 4); /* read, execute */
	put(2, 4);
	put_text("/" NAME, 8);
	record_ends(at);
}

static void
put_sample(void)
{
	const unsigned char *sp = (const unsigned char *)(unsigned long)regs[SP];
	const unsigned long at = record_begins(SAMPLE);

	put(regs[PC], 8);
	put(1, 4);
	put(1, 4);
	put(++samples, 8);
	put(0, 8); /* no callchain */
	put(ABI, 8);
	for (unsigned i = 0; i < 64; i++)
		if ((uint64_t)MASK >> i & 1)
			put(regs[i], 8);
	put(STACK_BYTES, 8);
	for (unsigned i = 0; i < STACK_BYTES; i++)
		put(sp[i], 1);
	put(STACK_BYTES, 8);
	record_ends(at);
}

static void
put_feature(const char *s)
{
	const unsigned long at = len;

	put(TEXT - 4, 4);
	put_text(s, 1);
	len = at + TEXT;
}

static void
file_ends(void)
{
	const unsigned long end = len;
	unsigned long done = 0;

	put_at(48, end - DATA, 8);
	for (unsigned i = 0; i < 2; i++) {
		put(end + 32 + i * TEXT, 8);
		put(TEXT, 8);
	}
	put_feature("emulated");
	put_feature(MACHINE);
	while (done < len) {
		const long got = system_call(WRITE, 1, (long)(file + done), (long)(len - done));

		if (got <= 0)
			break;
		done += (unsigned long)got;
	}
}

/* ---- what is recorded */

#define APART __attribute__((noinline, noclone))
#ifdef __clang__
#undef APART
#define APART __attribute__((noinline))
#endif

static volatile unsigned sink;

APART static void
sample(void)
{
	CAPTURE(regs);
	put_sample();
	sink++;
}

APART static unsigned
callback(unsigned n)
{
	sample();
	return n + sink;
}

APART static unsigned
through_pointer(unsigned (*volatile f)(unsigned), unsigned n)
{
	return f(n) + n;
}

/* The frame is found by a register, as its size is not known beforehand. */
APART static unsigned
of_any_size(unsigned n)
{
	volatile unsigned char room[n];

	room[n / 2] = (unsigned char)n;
	return through_pointer(callback, n) + room[n / 2];
}

/* Keeps much in registers that must be restored. */
APART static unsigned
recursion(unsigned n)
{
	unsigned a = sink + n, b = sink * 3, c = sink ^ n, d = sink + 7, e = sink | 1;

	if (n == 0)
		return of_any_size(40 + sink % 2) + a + b + c;
	return recursion(n - 1) + (a ^ b) + (c ^ d) * e + sink;
}

__attribute__((used)) void
program(void)
{
	file_begins();
	sample();
	recursion(0);
	recursion(4);
	file_ends();
	system_call(EXIT, 0, 0, 0);
}

__asm__(".text\n.globl _start\n.type _start, %function\n_start:\n" START "\n");
