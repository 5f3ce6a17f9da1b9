#include "store/format/sections.h"

#include "bytes/source.h"
#include "directory_p.h"
#include "layout_p.h"
#include "store/store.h"

#include <stdlib.h>
#include <unistd.h>

static struct cr_store_section
section_of(const struct cr_directory *dir, const struct cr_section *s)
{
	struct cr_store_section out = {
		.id = s->id, .version = s->version, .rows = s->rows, .blocks = s->n_blocks};

	if (s->id && s->id < CR_SECTIONS)
		out.name = cr_layout_of((enum cr_section_id)s->id)->name;
	for (uint32_t k = 0; k < s->n_blocks; k++) {
		out.stored_bytes += dir->blocks[s->first_block + k].stored_bytes;
		out.raw_bytes += dir->blocks[s->first_block + k].raw_bytes;
	}
	return out;
}

int
cr_store_sections(const char *path, struct cr_store_section **out, uint32_t *n, struct cr_err *err)
{
	struct cr_directory dir = {0};
	struct cr_source *src;
	int fd, rc;

	*out = NULL;
	*n = 0;
	if ((rc = cr_store_file_open(path, &fd, err)) < 0)
		return rc;
	rc = cr_source_open_fd(fd, CR_SOURCE_MAX_PIPE, &src, err);
	close(fd);
	if (rc < 0)
		return rc;
	rc = cr_directory_read(cr_source_bytes(src), cr_source_len(src), false, &dir, err);
	if (rc == CR_OK) {
		*n = dir.n_sections;
		*out = cr_alloc(dir.n_sections, sizeof(**out));
		for (uint32_t i = 0; i < dir.n_sections; i++)
			(*out)[i] = section_of(&dir, &dir.sections[i]);
	}
	cr_directory_fini(&dir);
	cr_source_close(src);
	return rc;
}
