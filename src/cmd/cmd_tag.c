#include "job_p.h"
#include "reply_p.h"

#include "base/text.h"
#include "base/vec.h"
#include "stored_p.h"

#include "store/edit.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_tag(const struct cr_options *o);

/* Letters, digits, '_', '.' and '-', which need no quoting anywhere. */
static bool
is_key(struct cr_str key)
{
	static const char *const good =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	return key.len && strspn(key.p, good) >= key.len;
}

/* Parse KEY=VALUE, or KEY= to remove the tag. The key of the fact is stored in `room`. */
static int
parse(const char *word, struct cr_edit *out, struct cr_text *room)
{
	const struct cr_str s = cr_str_of(word);
	const char *equals = strchr(word, '=');

	if (!equals || !is_key(cr_str_to(s, equals))) {
		cr_options_complain(word, "a tag is KEY=VALUE; the key consists of letters, "
					  "digits, '_', '.' and '-'");
		return EXIT_USAGE;
	}
	cr_text_puts(room, CR_FACT_TAG);
	cr_text_str(room, cr_str_to(s, equals));
	out->key = cr_text_view(room);
	out->value = cr_str_from(s, equals + 1);
	out->remove = out->value.len == 0;
	return EXIT_DONE;
}

static int
print(const struct cr_options *o)
{
	struct cr_profile *p;
	struct cr_text t = {0};
	struct cr_reply r;
	const int code = cr_stored_peek(o, o->args[0], &p);

	if (code != EXIT_DONE)
		return code;
	if (o->json) {
		cr_reply_begin(&r, o, CR_REPLY_ONE);
		cr_json_out_open(&r.json, '{');
		cr_reply_tags(&r.json, p);
		cr_json_out_close(&r.json);
		cr_reply_end(&r);
	}
	for (uint32_t i = 0; i < p->n_facts && !o->json; i++) {
		struct cr_str key;

		if (!cr_fact_tag(&p->facts[i], &key))
			continue;
		cr_text_safe(&t, key);
		cr_text_char(&t, '=');
		cr_text_safe(&t, p->facts[i].value);
		cr_text_char(&t, '\n');
	}
	fputs(t.p ? t.p : "", stdout);
	cr_text_fini(&t);
	cr_profile_free(p);
	return EXIT_DONE;
}

int
cr_cmd_tag(const struct cr_options *o)
{
	const size_t n = (size_t)o->n_args - 1;
	struct cr_edit *edits = cr_alloc(n, sizeof(*edits));
	struct cr_text *keys = cr_alloc(n, sizeof(*keys));
	int code = EXIT_DONE;

	for (size_t i = 0; i < n && code == EXIT_DONE; i++)
		code = parse(o->args[i + 1], &edits[i], &keys[i]);
	if (code == EXIT_DONE)
		code = n ? cr_stored_edit(o, o->args[0], edits, n) : EXIT_DONE;
	if (code == EXIT_DONE && (!n || o->json))
		code = print(o);
	for (size_t i = 0; i < n; i++)
		cr_text_fini(&keys[i]);
	free(keys);
	free(edits);
	return code;
}
