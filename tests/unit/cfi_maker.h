#ifndef CR_CFI_MAKER_H
#define CR_CFI_MAKER_H

#include "base/text.h"

#include <dwarf.h>

/*
 * Call frame information, little-endian, by the rules that src/symbol/unwind/cfi.c reads by.
 *
 *	made_cie(&t, "zR", column, program, len);     at the start of the section
 *	made_fde(&t, vaddr, from, to, program, len);  any number
 *	made_cfi_end(&t);
 */
static inline void
made_word(struct cr_text *t, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		cr_text_char(t, (char)(v >> 8 * i));
}

static inline void
made_patch(struct cr_text *t, size_t at, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		t->p[at + i] = (char)(v >> 8 * i);
}

static inline void
made_uleb(struct cr_text *t, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		cr_text_char(t, (char)(v | 0x80));
	cr_text_char(t, (char)v);
}

static inline void
made_entry_end(struct cr_text *t, size_t at)
{
	while (t->len % 4)
		cr_text_char(t, DW_CFA_nop);
	made_patch(t, at, t->len - at - 4, 4);
}

/*
 * Of .eh_frame: code by bytes, data by -8 of them, addresses of 4 bytes relative to where they
 * stand.
 */
static inline void
made_cie(struct cr_text *t, const char *letters, uint8_t ra, const void *program, size_t len)
{
	const size_t at = t->len;

	made_word(t, 0, 4);
	made_word(t, 0, 4); /* it is a CIE */
	cr_text_char(t, 1);
	cr_text_put(t, letters, strlen(letters) + 1);
	cr_text_char(t, 1);
	cr_text_char(t, 0x78);
	cr_text_char(t, (char)ra);
	made_uleb(t, 1);
	cr_text_char(t, 0x1b);
	cr_text_put(t, program, len);
	made_entry_end(t, at);
}

/* Of the CIE at the offset cie; the section lies at vaddr. */
static inline void
made_fde_of(struct cr_text *t, size_t cie, uint64_t vaddr, uint64_t from, uint64_t to,
	const void *program, size_t len)
{
	const size_t at = t->len;

	made_word(t, 0, 4);
	made_word(t, t->len - cie, 4);
	made_word(t, from - (vaddr + t->len), 4);
	made_word(t, to - from, 4);
	made_uleb(t, 0);
	cr_text_put(t, program, len);
	made_entry_end(t, at);
}

static inline void
made_fde(struct cr_text *t, uint64_t vaddr, uint64_t from, uint64_t to, const void *program,
	size_t len)
{
	made_fde_of(t, 0, vaddr, from, to, program, len);
}

static inline void
made_cfi_end(struct cr_text *t)
{
	made_word(t, 0, 4);
}

#endif
