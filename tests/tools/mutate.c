/*
 * Changes a file so that it is still mostly what it was: an ELF file or a recording, perf.data, in
 * either byte order. What is changed are fields of its headers and tables, words of its sections
 * and records, the order of its records, its length.
 *
 *	mutate SEED FILE OUT     the same seed makes the same file
 *	mutate --vdso OUT        writes the vdso of this machine, which is an ELF file
 *
 * Exit code: 0; 2 for a wrong command line or a file that cannot be read or written; 77 without a
 * vdso.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define MOST_REGIONS 8192

struct region {
	size_t at, len;
	size_t step; /* of its entries; 0 for none */
};

static unsigned char *file;
static size_t size, room;
static bool swapped; /* the other end first */
static struct region regions[MOST_REGIONS], records[MOST_REGIONS];
static size_t n_regions, n_records;
static uint64_t state;

static uint64_t
number(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static size_t
below(size_t n)
{
	return n ? number() % n : 0;
}

static uint64_t
get(size_t at, size_t bytes)
{
	uint64_t v = 0;

	if (at > size || size - at < bytes)
		return 0;
	for (size_t i = 0; i < bytes; i++)
		v |= (uint64_t)file[at + i] << 8 * (swapped ? bytes - 1 - i : i);
	return v;
}

static void
put(size_t at, size_t bytes, uint64_t v)
{
	if (at > size || size - at < bytes)
		return;
	for (size_t i = 0; i < bytes; i++)
		file[at + i] = (unsigned char)(v >> 8 * (swapped ? bytes - 1 - i : i));
}

static void
add(uint64_t at, uint64_t len, size_t step)
{
	if (n_regions < MOST_REGIONS && len && at < size && len <= size - at)
		regions[n_regions++] = (struct region){(size_t)at, (size_t)len, step};
}

/* ---- what a file is made of */

static void
elf_regions(void)
{
	const bool wide = file[EI_CLASS] == ELFCLASS64;
	const size_t word = wide ? 8 : 4, head = wide ? 64 : 52, entry = wide ? 64 : 40;
	const uint64_t programs = get(24 + word, word), sections = get(24 + 2 * word, word);
	const uint64_t n_programs = get(head - 8, 2), n_sections = get(head - 4, 2);

	add(0, head, 0);
	for (int i = 0; i < 8; i++) { /* as likely as many a section */
		add(programs, n_programs * get(head - 10, 2), get(head - 10, 2));
		add(sections, n_sections * entry, entry);
	}
	for (uint64_t i = 0; i < n_sections; i++) {
		const size_t at = sections + i * entry;

		if (get(at + 4, 4) != SHT_NOBITS)
			add(get(at + 8 + 2 * word, word), get(at + 8 + 3 * word, word),
				get(at + entry - word, word));
	}
}

static void
record_regions(size_t from, size_t to)
{
	while (to <= size && from + 8 <= to && n_records < MOST_REGIONS) {
		const size_t len = get(from + 6, 2);

		if (len < 8 || len > to - from)
			break;
		records[n_records++] = (struct region){from, len, 0};
		from += len;
	}
}

static void
recording_regions(void)
{
	const size_t head = get(8, 8), data = get(40, 8), bytes = get(48, 8);

	add(0, head < 104 ? 16 : 104, 0);
	if (head < 104) {
		record_regions(16, size);
		return;
	}
	for (int i = 0; i < 4; i++)
		add(get(24, 8), get(32, 8), get(16, 8));
	for (size_t at = data + bytes, k = 0; k < 40; k++, at += 16)
		add(get(at, 8), get(at + 8, 8), 0);
	add(data + bytes, 320, 16);
	record_regions(data, data + bytes);
}

/* ---- changes */

static uint64_t
another(uint64_t v, size_t bytes)
{
	switch (below(10)) {
	case 0: return 0;
	case 1: return UINT64_MAX;
	case 2: return v + 1;
	case 3: return v - 1;
	case 4: return v ^ UINT64_C(1) << below(8 * bytes);
	case 5: return size;
	case 6: return size - below(64);
	case 7: return UINT64_C(1) << (8 * bytes - 1);
	case 8: return number() >> below(64);
	default: return v + (number() & 0xff) * 8;
	}
}

/* A word of it; of a table, a field of an entry. */
static void
change_word(const struct region *r)
{
	static const size_t sizes[] = {1, 2, 4, 4, 8, 8};
	const size_t bytes = sizes[below(6)];
	size_t at = below(r->len);

	at = r->at + at - at % bytes;
	put(at, bytes, another(get(at, bytes), bytes));
}

static void
change_bytes(const struct region *r)
{
	const size_t at = r->at + below(r->len), left = r->at + r->len - at;
	const size_t n = 1 + below(left < 32 ? left : 32);
	const size_t how = below(4);

	for (size_t i = 0; i < n; i++)
		file[at + i] = how == 0   ? 0
			       : how == 1 ? 0xff
			       : how == 2 ? (unsigned char)number()
					  : (unsigned char)(file[at + i] ^ 1u << below(8));
}

/* A part of one over a part of the other. */
static void
copy_bytes(const struct region *from, const struct region *to)
{
	size_t n = 1 + below(from->len < to->len ? from->len : to->len);

	n = n > 256 ? 256 : n;
	memmove(file + to->at + below(to->len - n + 1), file + from->at + below(from->len - n + 1),
		n);
}

static void
change_length(void)
{
	const size_t at = below(size), n = 1 + below(64);

	switch (below(3)) {
	case 0: size = at; break;
	case 1: /* less */
		if (size - at <= n)
			break;
		memmove(file + at, file + at + n, size - at - n);
		size -= n;
		break;
	default: /* more */
		if (room - size < n)
			break;
		memmove(file + at + n, file + at, size - at);
		size += n;
	}
}

/* One record in the place of another, as it is or as another type, or one that is longer. */
static void
change_record(void)
{
	const struct region *a = &records[below(n_records)], *b = &records[below(n_records)];

	switch (below(5)) {
	case 0: put(a->at, 4, below(2) ? below(20) : 64 + below(22)); break;
	case 1: put(a->at + 6, 2, another(a->len, 2)); break;
	case 2: put(a->at + 4, 2, number()); break;
	case 3: memmove(file + a->at, file + b->at, a->len < b->len ? a->len : b->len); break;
	default: change_word(a);
	}
}

static void
change(void)
{
	const struct region *r = &regions[below(n_regions)];

	if (n_records && below(2)) {
		change_record();
		return;
	}
	switch (below(24)) {
	case 0: change_length(); break;
	case 1:
	case 2: copy_bytes(r, &regions[below(n_regions)]); break;
	case 3:
	case 4:
	case 5:
	case 6: change_bytes(r); break;
	default: change_word(r);
	}
}

/* ---- */

static int
fail(const char *why)
{
	fprintf(stderr, "mutate SEED FILE OUT: %s\n", why);
	return 2;
}

static int
write_out(const char *path, const void *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(bytes, 1, n, out) != n)
		return fail("cannot write");
	return fclose(out) == 0 ? 0 : fail("cannot write");
}

static int
write_vdso(const char *path)
{
	const unsigned long addr = getauxval(AT_SYSINFO_EHDR);
	const unsigned char *image = (const unsigned char *)addr;
	Elf64_Ehdr head;

	if (!addr || image[EI_CLASS] != ELFCLASS64)
		return 77;
	memcpy(&head, image, sizeof(head));
	return write_out(path, image, head.e_shoff + (size_t)head.e_shnum * head.e_shentsize);
}

int
main(int argc, char **argv)
{
	FILE *in;

	if (argc == 3 && strcmp(argv[1], "--vdso") == 0)
		return write_vdso(argv[2]);
	if (argc != 4 || !(in = fopen(argv[2], "rb")))
		return fail("three arguments, the second one a file");
	fseek(in, 0, SEEK_END);
	room = (size_t)ftell(in) + 4096;
	rewind(in);
	file = calloc(room, 1);
	size = fread(file, 1, room, in);
	fclose(in);
	state = strtoull(argv[1], NULL, 0);
	if (size > 64 && memcmp(file, ELFMAG, SELFMAG) == 0) {
		swapped = file[EI_DATA] == ELFDATA2MSB;
		elf_regions();
	} else if (size > 104 &&
		   (memcmp(file, "PERFILE2", 8) == 0 || memcmp(file, "2ELIFREP", 8) == 0)) {
		swapped = file[0] == '2';
		recording_regions();
	}
	add(0, size, 0);
	if (n_regions == 0)
		return fail("an empty file");
	for (size_t n = 1 + below(4); n > 0 && size > 0; n--) {
		change();
		for (size_t i = 0; i < n_regions; i++) /* of what is left */
			if (regions[i].at + regions[i].len > size)
				regions[i] = (struct region){0, size, 0};
		for (size_t i = 0; i < n_records; i++)
			if (records[i].at + records[i].len > size)
				n_records = i;
	}
	return write_out(argv[3], file, size);
}
