#include "debugfile_p.h"

#include "symbol/elf/image_p.h"

#include <stdlib.h>
#include <string.h>

/* Read the link; false if there is none. name points into the section. */
static bool
read_link(const struct cr_elf *e, const char **name, struct cr_build_id *id)
{
	const struct cr_elf_section *s = cr_elf_section_named(e, ".gnu_debugaltlink");
	const Elf_Data *d = s ? cr_elf_data(e, s) : NULL;
	const char *end = d ? memchr(d->d_buf, 0, d->d_size) : NULL;

	if (!end || end == d->d_buf)
		return false;
	*name = d->d_buf;
	id->len = (uint8_t)CR_MIN(d->d_size - (size_t)(end + 1 - *name), sizeof(id->p));
	memcpy(id->p, end + 1, id->len);
	return id->len > 0;
}

/*
 * Append the name relative to the debug file or, since that is often a symbolic link, to its
 * target.
 */
static void
put_beside(const char *debug_path, bool follow, const char *name, struct cr_text *path)
{
	char *real = !debug_path ? NULL
		     : follow    ? realpath(debug_path, NULL)
				 : cr_strdup(debug_path);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (slash)
		cr_text_printf(path, "%.*s/%s", (int)(slash - real), real, name);
	free(real);
}

/* The i-th place for the file; false if there is no more. "" means skip. */
static bool
place(const struct cr_symbol_opts *opts, const struct cr_debugfile *d, const char *name, int i,
	struct cr_text *path)
{
	const char *base = cr_str_basename(cr_str_of(name)).p;

	cr_text_clear(path);
	switch (i) {
	case 0:
	case 1:
		if (*name == '/')
			cr_text_printf(path, "%s%s", opts->symfs ? opts->symfs : "", name);
		else
			put_beside(d->debug_path, i == 0, name, path);
		return true;
	case 2:
		cr_text_printf(
			path, "%s/usr/lib/debug/.dwz/%s", opts->symfs ? opts->symfs : "", base);
		return true;
	case 3:
	case 4:
		if (opts->debug_dir)
			cr_text_printf(
				path, "%s%s/%s", opts->debug_dir, i == 3 ? "/.dwz" : "", base);
		return true;
	default: return false;
	}
}

struct cr_elf *
cr_altfile_open(
	const struct cr_symbol_opts *opts, const struct cr_debugfile *d, struct cr_refused *refused)
{
	struct cr_elf *found = NULL, *image;
	struct cr_text path = {0};
	struct cr_build_id id;
	const char *name;

	if (!d->debug || !read_link(d->debug, &name, &id))
		return NULL;
	for (int i = 0; !found && cr_debugfile_by_id(opts, &id, i, &path); i++)
		found = cr_debugfile_open(opts, path.p, &id, refused);
	for (int i = 0; !found && place(opts, d, name, i, &path); i++)
		found = path.len ? cr_debugfile_open(opts, path.p, &id, refused) : NULL;
	cr_text_fini(&path);
	image = found ? cr_image_new(found, found) : NULL;
	if (!image)
		return found;
	cr_elf_close(found);
	return image;
}
