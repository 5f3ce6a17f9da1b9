#include "candidates_p.h"
#include "options_p.h"

#include <stdio.h>
#include <string.h>

int cr_cmd_completion(const struct cr_options *o);

static const unsigned char bash_script[] = {
#include "completion_bash.inc"
};
static const unsigned char zsh_script[] = {
#include "completion_zsh.inc"
};
static const unsigned char fish_script[] = {
#include "completion_fish.inc"
};

static const struct {
	const char *shell;
	const unsigned char *script;
	size_t len;
} scripts[] = {
	{"bash", bash_script, sizeof(bash_script)},
	{"zsh", zsh_script, sizeof(zsh_script)},
	{"fish", fish_script, sizeof(fish_script)},
};

/* Words after "--" are a command line to complete, see cr_candidates(). */
static int
complete(const struct cr_options *o)
{
	struct cr_text t = {0};

	cr_candidates(o->args, o->n_args, &t);
	if (t.len)
		fwrite(t.p, 1, t.len, stdout);
	cr_text_fini(&t);
	return EXIT_DONE;
}

int
cr_cmd_completion(const struct cr_options *o)
{
	if (o->n_before == 0 && o->n_args)
		return complete(o);
	for (size_t i = 0; i < CR_LEN(scripts); i++)
		if (o->n_before == 1 && strcmp(o->args[0], scripts[i].shell) == 0) {
			fwrite(scripts[i].script, 1, scripts[i].len, stdout);
			return EXIT_DONE;
		}
	return cr_options_usage(
		o->cmd, "must be bash, zsh or fish", o->n_args ? o->args[0] : o->cmd->name);
}
