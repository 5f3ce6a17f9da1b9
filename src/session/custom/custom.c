#include "custom_p.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	char *name, *line;
};

struct cr_custom {
	CR_VEC(struct pair) of[CR_CUSTOM_KINDS];
};

struct cr_custom *
cr_custom_new(void)
{
	return cr_alloc(1, sizeof(struct cr_custom));
}

void
cr_custom_free(struct cr_custom *c)
{
	if (!c)
		return;
	for (int k = 0; k < CR_CUSTOM_KINDS; k++) {
		for (size_t i = 0; i < c->of[k].n; i++) {
			free(c->of[k].p[i].name);
			free(c->of[k].p[i].line);
		}
		cr_vec_fini(&c->of[k]);
	}
	free(c);
}

bool
cr_custom_is_name(struct cr_str name, const char *also)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	for (uint32_t i = 0; i < name.len; i++)
		if (!name.p[i] || (!strchr(letters, name.p[i]) && !strchr(also, name.p[i])))
			return false;
	return name.len > 0;
}

static struct pair *
pair_find(const struct cr_custom *c, enum cr_custom_kind kind, const char *name, size_t len)
{
	for (size_t i = 0; i < c->of[kind].n; i++) {
		struct pair *p = &c->of[kind].p[i];

		if (strlen(p->name) == len && memcmp(p->name, name, len) == 0)
			return p;
	}
	return NULL;
}

const char *
cr_custom_find(const struct cr_custom *c, enum cr_custom_kind kind, const char *name, size_t len)
{
	const struct pair *p = pair_find(c, kind, name, len);

	return p ? p->line : NULL;
}

bool
cr_custom_at(const struct cr_custom *c, enum cr_custom_kind kind, size_t i, const char **name,
	const char **line)
{
	if (i >= c->of[kind].n)
		return false;
	*name = c->of[kind].p[i].name;
	*line = c->of[kind].p[i].line;
	return true;
}

void
cr_custom_put(struct cr_custom *c, enum cr_custom_kind kind, const char *name, const char *line)
{
	struct pair *old = pair_find(c, kind, name, strlen(name));

	if (old && *line) {
		free(old->line);
		old->line = cr_strdup(line);
	} else if (old) {
		free(old->name);
		free(old->line);
		*old = c->of[kind].p[--c->of[kind].n];
	} else if (*line) {
		cr_vec_push(&c->of[kind], ((struct pair){cr_strdup(name), cr_strdup(line)}));
	}
}
