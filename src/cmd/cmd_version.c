#include "reply_p.h"

#include "base/confine.h"

#include <stdio.h>
#include <string.h>

int cr_cmd_version(const struct cr_options *o);

/* "gzip, xz" as a list. */
static void
put_list(struct cr_json_out *j, const char *key, const char *words)
{
	cr_json_out_key(j, key);
	cr_json_out_open(j, '[');
	while (*words) {
		const size_t len = strcspn(words, ",");

		cr_json_out_text(j, (struct cr_str){words, (uint32_t)len});
		words += len + strspn(words + len, ", ");
	}
	cr_json_out_close(j);
	cr_json_out_line(j, "");
}

static void
print_json(const struct cr_options *o, int landlock)
{
	struct cr_reply r;
	struct cr_json_out *j = &r.json;

	cr_reply_begin(&r, o, CR_REPLY_NONE);
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "cresset", cr_str_of(PACKAGE_VERSION));
	cr_json_out_key(j, "static");
#ifdef STATIC_PROGRAM
	cr_json_out_bool(j, true);
#else
	cr_json_out_bool(j, false);
#endif
	cr_json_out_line(j, "");
	put_list(j, "built_with", BUILT_WITH);
	put_list(j, "built_without", BUILT_WITHOUT);
	put_list(j, "libraries", BUILT_LIBRARIES);
	cr_json_out_key(j, "files_confined");
	cr_json_out_bool(j, cr_confined() & CR_CONFINED_FILES);
	cr_json_out_key(j, "calls_confined");
	cr_json_out_bool(j, cr_confined() & CR_CONFINED_CALLS);
	cr_json_out_key(j, "landlock");
	cr_json_out_i64(j, landlock);
	cr_json_out_close(j);
	cr_reply_end(&r);
}

/* Also prints what confines this process, like every command at this point. */
int
cr_cmd_version(const struct cr_options *o)
{
	const char *off = o->no_sandbox ? "not confined: --no-sandbox" : NULL;
	const int landlock = cr_confine_landlock();

	if (o->json) {
		print_json(o, landlock);
		return EXIT_DONE;
	}
#ifdef STATIC_PROGRAM
	printf("cresset %s, linked statically\n", PACKAGE_VERSION);
#else
	printf("cresset %s\n", PACKAGE_VERSION);
#endif
	printf("built with    %s\n", BUILT_WITH);
	if (*BUILT_WITHOUT)
		printf("built without %s\n", BUILT_WITHOUT);
	printf("libraries     %s\n", BUILT_LIBRARIES);
	if (cr_confined() & CR_CONFINED_FILES)
		printf("files         confined by Landlock, interface %d%s\n", landlock,
			landlock < 3 ? ", which does not cover truncation" : "");
	else
		printf("files         %s\n", off ? off
					     : landlock
						     ? "not confined"
						     : "not confined: this kernel has no Landlock");
	if (cr_confined() & CR_CONFINED_CALLS)
		printf("system calls  confined by seccomp\n");
	else
		printf("system calls  %s\n",
			off ? off : "not confined: this kernel has no seccomp filters");
	return EXIT_DONE;
}
