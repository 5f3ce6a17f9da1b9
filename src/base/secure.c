#include "base/secure.h"

#include <stdlib.h>
#include <string.h>

bool
cr_secure(void)
{
	const char *value = getenv("CRESSETSECURE");

	return value && *value && strcmp(value, "0") != 0;
}

int
cr_secure_check(const char *what, struct cr_err *err)
{
	if (!cr_secure())
		return CR_OK;
	return cr_fail(
		err, CR_EUNSUPPORTED, CR_NO_OFFSET, "%s is turned off by CRESSETSECURE", what);
}
