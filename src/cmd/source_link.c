#include "source_link_p.h"

#include "symbol/files/sourcefile.h"
#include "view/style/ink_codes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

const char *
cr_source_path(struct cr_source_links *l, struct cr_str file)
{
	if (l->file.p && cr_str_eq(l->file, file))
		return l->path;
	free(l->path);
	l->file = file;
	l->path = file.len ? cr_sourcefile_find(l->opts, file) : NULL;
	return l->path;
}

bool
cr_source_url(void *user, struct cr_str file, struct cr_text *out)
{
	const char *path = cr_source_path(user, file);
	char host[256] = "";

	if (!path)
		return false;
	if (gethostname(host, sizeof(host) - 1) < 0)
		host[0] = '\0';
	cr_ink_codes_url(out, cr_str_of(host), cr_str_of(path));
	return true;
}

void
cr_quickfix_put(struct cr_source_links *l, const struct cr_quickfix *q, struct cr_text *out)
{
	const char *path = cr_source_path(l, q->file);

	cr_text_safe(out, path ? cr_str_of(path) : q->file);
	cr_text_printf(out, ":%" PRIu32 ": ", q->line);
	cr_text_share(out, q->self, q->whole);
	cr_text_puts(out, " self of ");
	cr_text_safe(out, q->function);
	cr_text_char(out, '\n');
}

void
cr_source_links_fini(struct cr_source_links *l)
{
	free(l->path);
	*l = (struct cr_source_links){.opts = l->opts};
}
