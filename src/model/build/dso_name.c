#include "model/profile.h"

/* The part between "perf-" and ".map", which perf reads as a process id. */
static struct cr_str
number_of_perf_map(struct cr_str file)
{
	static const char before[] = "perf-", after[] = ".map";
	const uint32_t around = sizeof(before) - 1 + sizeof(after) - 1;
	const struct cr_str none = CR_STR("");
	struct cr_str number;

	if (file.len <= around || !cr_str_starts(file, before) || !cr_str_ends(file, after))
		return none;
	number = (struct cr_str){file.p + sizeof(before) - 1, file.len - around};
	for (uint32_t i = 0; i < number.len; i++)
		if (number.p[i] < '0' || number.p[i] > '9')
			return none;
	return number;
}

struct cr_str
cr_dso_name(struct cr_str dso, enum cr_kind kind, struct cr_text *made)
{
	const struct cr_str file = cr_str_basename(dso), number = number_of_perf_map(file);

	cr_text_clear(made);
	if (number.len) {
		cr_text_puts(made, "[JIT] tid ");
		cr_text_str(made, number);
		return cr_text_view(made);
	}
	if (kind == CR_KIND_MODULE && file.len && file.p[0] != '[') {
		const char *ko = memmem(file.p, file.len, ".ko", 3);

		cr_text_char(made, '[');
		cr_text_str(made, ko ? cr_str_to(file, ko) : file);
		cr_text_char(made, ']');
		for (size_t i = 0; i < made->len; i++)
			if (made->p[i] == '-')
				made->p[i] = '_';
		return cr_text_view(made);
	}
	return file;
}
