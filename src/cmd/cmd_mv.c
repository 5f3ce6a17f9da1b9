#include "job_p.h"

#include "store/catalog.h"

#include <stdlib.h>

int cr_cmd_mv(const struct cr_options *o);

int
cr_cmd_mv(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	int code = EXIT_DONE;
	char *dir;

	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (cr_catalog_rename(dir, o->args[0], o->args[1], o->replace, &err) < 0)
		code = cr_job_fail_keep(o, o->args[0], &err);
	free(dir);
	return code;
}
