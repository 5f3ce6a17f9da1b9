#include "symbol/elf/segments.h"

#include "base/text.h"
#include "symbol/files/debugfile_p.h"

#include <stdlib.h>

#define PAGE ((uint64_t)4096)

void
cr_segments_open(struct cr_segments *s, const struct cr_symbol_opts *opts, struct cr_str path)
{
	const struct cr_build_id any = {0};
	struct cr_text full = {0};
	struct cr_elf *e = NULL;
	uint64_t lowest = UINT64_MAX;

	*s = (struct cr_segments){0};
	cr_text_puts(&full, opts->symfs ? opts->symfs : "");
	cr_text_str(&full, path);
	if (path.len && path.p[0] == '/' && !memchr(path.p, 0, path.len))
		e = cr_debugfile_open(opts, full.p, &any, NULL);
	cr_text_fini(&full);
	if (!e)
		return;
	for (size_t i = 0; i < e->n_loads; i++)
		lowest = CR_MIN(lowest, e->loads[i].p_vaddr / PAGE * PAGE);
	s->p = cr_alloc(e->n_loads, sizeof(*s->p));
	for (size_t i = 0; i < e->n_loads; i++) {
		const GElf_Phdr *h = &e->loads[i];
		const uint64_t start = h->p_vaddr - lowest;

		if (h->p_filesz && start + h->p_filesz > start)
			s->p[s->n++] = (struct cr_segment){start, start + h->p_filesz, h->p_offset};
	}
	cr_elf_close(e);
}

void
cr_segments_close(struct cr_segments *s)
{
	free(s->p);
	*s = (struct cr_segments){0};
}

bool
cr_segments_offset(const struct cr_segments *s, uint64_t distance, uint64_t *offset)
{
	for (size_t i = 0; i < s->n; i++)
		if (distance >= s->p[i].start && distance < s->p[i].end) {
			*offset = distance - s->p[i].start + s->p[i].offset;
			return true;
		}
	return false;
}
