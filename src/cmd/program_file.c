#include "program_file_p.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT_BYTES 256 /* of the first line that the kernel reads */

const char *
cr_program_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *
cr_program_find(const char *command)
{
	const char *list = getenv("PATH");
	struct cr_text path = {0};

	if (strchr(command, '/'))
		return is_program(command) ? cr_strdup(command) : NULL;
	for (; list && *command; list += strcspn(list, ":"), list = *list ? list + 1 : NULL) {
		const size_t len = strcspn(list, ":");

		cr_text_clear(&path);
		cr_text_put(&path, len ? list : ".", len ? len : 1);
		cr_text_printf(&path, "/%s", command);
		if (is_program(path.p))
			return path.p;
	}
	cr_text_fini(&path);
	return NULL;
}

/* The next word of a line; NULL at its end. */
static const char *
next_word(char **line)
{
	const char *word;

	*line += strspn(*line, " \t");
	word = *line;
	*line += strcspn(*line, " \t");
	if (**line)
		*(*line)++ = '\0';
	return *word ? word : NULL;
}

char *
cr_program_interpreter(const char *path)
{
	char bytes[SCRIPT_BYTES + 1] = "", *line = bytes + 2;
	FILE *f = fopen(path, "re");
	const char *word;

	if (!f)
		return NULL;
	bytes[fread(bytes, 1, SCRIPT_BYTES, f)] = '\0';
	fclose(f);
	if (strncmp(bytes, "#!", 2) != 0)
		return NULL;
	bytes[strcspn(bytes, "\r\n")] = '\0';
	word = next_word(&line);
	if (word && strcmp(cr_program_name(word), "env") == 0)
		do /* options of env, and variables that it sets */
			word = next_word(&line);
		while (word && (word[0] == '-' || strchr(word, '=')));
	return word ? cr_program_find(word) : NULL;
}
