#include "job_p.h"

#include "store/catalog.h"

#include <stdlib.h>

int cr_cmd_rm(const struct cr_options *o);

int
cr_cmd_rm(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	int code = EXIT_DONE;
	char *dir;

	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	for (int i = 0; i < o->n_args; i++)
		if (cr_catalog_remove(dir, o->args[i], &err) < 0)
			code = cr_job_fail(o->args[i], &err);
	free(dir);
	return code;
}
