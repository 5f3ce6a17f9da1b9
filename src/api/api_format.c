#include "api_p.h"

#include "read/reader.h"

const char *
cresset_input_format(size_t i)
{
	const struct cr_reader *r = cr_reader_at(i);

	return r ? r->name : NULL;
}

const char *
cresset_output_format(size_t i)
{
	const struct cr_writer *w = cr_writer_at(i);

	return w ? w->name : NULL;
}

const char *
cresset_output_option(const char *format, size_t i)
{
	const struct cr_writer *w = cr_writer_find(format);
	size_t n = 0;

	for (const struct cr_option_spec *o = w ? w->options : NULL; o && o->name; o++)
		if (n++ == i)
			return o->name;
	return NULL;
}
