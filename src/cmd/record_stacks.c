#include "record_stacks_p.h"

#include "program_file_p.h"

#include "base/mem.h"
#include "symbol/unwind/frame_pointers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPTS_MOST 5 /* a script's interpreter may be a script, as deep as Linux allows */

/*
 * Programs that run code of their own compiler: it keeps frame pointers, and has no unwind tables.
 */
static bool
compiles(const char *program)
{
	static const char *const names[] = {"bun", "deno", "dotnet", "java", "node", "nodejs"};

	for (size_t i = 0; i < CR_LEN(names); i++)
		if (strcmp(cr_program_name(program), names[i]) == 0)
			return true;
	return false;
}

/* Choose by the code of a program. */
static void
choose_by_code(const char *program, struct cr_record_stacks *out)
{
	const char *name = cr_program_name(program);
	const int fd = open(program, O_RDONLY | O_CLOEXEC);
	struct cr_frame_pointers found = {0};
	const bool is_known = fd >= 0 && cr_frame_pointers_of(fd, &found);
	const bool keeps = found.examined && found.keeping >= (found.examined + 1) / 2;

	out->how = found.go || keeps || (is_known && !found.examined) ? "fp" : "dwarf";
	if (!is_known)
		cr_text_printf(&out->why, "by DWARF, because %s cannot be examined", name);
	else if (found.go)
		cr_text_printf(&out->why, "by frame pointers, because %s is written in Go", name);
	else if (!found.examined)
		cr_text_printf(
			&out->why, "by frame pointers, because %s has no unwind tables", name);
	else
		cr_text_printf(&out->why, "by %s, because %u of %u functions of %s keep %s",
			keeps ? "frame pointers" : "DWARF", found.keeping, found.examined, name,
			keeps ? "them" : "frame pointers");
}

void
cr_record_stacks_choose(const char *program, struct cr_record_stacks *out)
{
	char *interpreter = NULL;

	*out = (struct cr_record_stacks){.how = "fp"};
	for (int i = 0; program && i < SCRIPTS_MOST; i++) {
		char *next = cr_program_interpreter(program);

		if (!next)
			break;
		free(interpreter);
		program = interpreter = next;
	}
	if (!program)
		cr_text_puts(&out->why, "by frame pointers, because copies of the stacks of all "
					"programs are large");
	else if (compiles(program))
		cr_text_printf(&out->why,
			"by frame pointers, because code that %s compiles has no unwind tables",
			cr_program_name(program));
	else
		choose_by_code(program, out);
	free(interpreter);
}
