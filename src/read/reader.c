#include "cresset/read/reader.h"

#include <string.h>

#define READER(id) extern const struct cr_reader cr_reader_##id;
#include "readers.def"
#undef READER

static const struct cr_reader *const readers[] = {
#define READER(id) &cr_reader_##id,
#include "readers.def"
#undef READER
};

const struct cr_reader *
cr_reader_at(size_t i)
{
	return i < CR_LEN(readers) ? readers[i] : NULL;
}

const struct cr_reader *
cr_reader_find(const char *name)
{
	for (size_t i = 0; i < CR_LEN(readers); i++)
		if (strcmp(readers[i]->name, name) == 0)
			return readers[i];
	return NULL;
}

/* Things that people hand over by mistake, by their first bytes. */
static const char *
known_stranger(const struct cr_input *in)
{
	static const struct { const char *magic; unsigned len; const char *what; } strangers[] = {
		{"\177ELF", 4, "an ELF file"},   {"BZh", 3, "bzip2 data (gzip, xz and zstd are read)"},
		{"<svg", 4, "an SVG image"},     {"<?xml", 5, "an XML document"},
		{"#!", 2, "a script"},           {"\x89" "CRS\r\n", 6, "a stored profile, which has to be a file of its own"},
	};

	for (size_t i = 0; i < CR_LEN(strangers); i++)
		if (in->len >= strangers[i].len && memcmp(in->p, strangers[i].magic, strangers[i].len) == 0)
			return strangers[i].what;
	return NULL;
}

static struct cr_head
head_of(const struct cr_input *in)
{
	struct cr_head h = {in->p, CR_MIN(in->len, (size_t)CR_PROBE_BYTES), in->len <= CR_PROBE_BYTES, false};
	size_t cut = h.len;

	h.binary = memchr(h.p, 0, CR_MIN(h.len, (size_t)4096)) != NULL;
	while (!h.whole && !h.binary && cut && h.p[cut - 1] != '\n')
		cut--;
	if (cut)
		h.len = cut;
	return h;
}

int
cr_reader_detect(const struct cr_input *in, const struct cr_reader **out, struct cr_err *err)
{
	const struct cr_head head = head_of(in);
	const struct cr_reader *best = NULL, *second = NULL;
	unsigned most = 0;
	uint64_t line;

	*out = NULL;
	if (in->len == 0)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "is empty");
	for (size_t i = 0; i < CR_LEN(readers); i++) {
		const unsigned bits = readers[i]->probe(&head, &line);

		if (bits == 0 || bits < most)
			continue;
		second = bits == most ? best : NULL;
		most = bits;
		best = readers[i];
	}
	if (second)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET, "could be %s or %s: say which with --input-format",
			       second->name, best->name);
	if (!best && known_stranger(in))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "not a profile but %s", known_stranger(in));
	if (!best && head.binary)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "not a profile of a known format (binary data)");
	if (!best)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "not a profile of a known format");
	*out = best;
	return CR_OK;
}
