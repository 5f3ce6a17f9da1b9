#include "value_p.h"

#include "column_p.h"

void
cr_value_encode(enum cr_form form, uint64_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		v[i] = (form == CR_FORM_SIGNED ? cr_zigzag(v[i]) : v[i]) + 1;
}

void
cr_value_decode(enum cr_form form, uint64_t *v, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		v[i] = form == CR_FORM_SIGNED ? cr_unzigzag(v[i] - 1) : v[i] - 1;
}
