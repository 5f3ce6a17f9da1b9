#include "reply_p.h"

#include "model/profile.h"

#include <stdio.h>
#include <string.h>

static void
put_profile(struct cr_reply *r, enum cr_reply_of of)
{
	const struct cr_options *o = r->o;
	struct cr_json_out *j = &r->json;

	cr_json_out_key(j, "profile");
	switch (of) {
	case CR_REPLY_NONE: cr_json_out_null(j); return;
	case CR_REPLY_ONE: cr_json_out_text(j, cr_str_of(o->args[0])); return;
	case CR_REPLY_ALL: break;
	}
	cr_json_out_open(j, '[');
	for (int i = 0; i < o->n_args; i++)
		cr_json_out_text(j, cr_str_of(o->args[i]));
	cr_json_out_close(j);
}

void
cr_reply_begin(struct cr_reply *r, const struct cr_options *o, enum cr_reply_of of)
{
	struct cr_text query = {0};
	struct cr_json_out *j = &r->json;

	*r = (struct cr_reply){.o = o, .json.text = &r->text};
	cr_query_print(&o->query, &query);
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "version", cr_str_of(PACKAGE_VERSION));
	cr_json_out_text_of(j, "command", cr_str_of(o->called->name));
	put_profile(r, of);
	cr_json_out_line(j, "");
	cr_json_out_text_of(j, "query", cr_text_view(&query));
	cr_json_out_line(j, "");
	cr_json_out_key(j, "data");
	cr_text_fini(&query);
}

void
cr_reply_flush(struct cr_reply *r)
{
	fwrite(r->text.p, 1, r->text.len, stdout);
	cr_text_clear(&r->text);
}

void
cr_reply_missing(struct cr_reply *r, const struct cr_profile *p)
{
	struct cr_json_out *j = &r->json;

	cr_json_out_key(j, "missing");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < p->n_quality; i++) {
		cr_json_out_open(j, '{');
		cr_json_out_text_of(j, "what", p->quality[i].what);
		cr_json_out_u64_of(j, "count", p->quality[i].count);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
}

void
cr_reply_tags(struct cr_json_out *j, const struct cr_profile *p)
{
	cr_json_out_key(j, "tags");
	cr_json_out_open(j, '{');
	for (uint32_t i = 0; i < p->n_facts; i++) {
		struct cr_str key;

		if (!cr_fact_tag(&p->facts[i], &key))
			continue;
		cr_json_out_key_str(j, key);
		cr_json_out_text(j, p->facts[i].value);
	}
	cr_json_out_close(j);
}

void
cr_reply_close(struct cr_reply *r)
{
	const struct cr_text *warned = r->o->warned;
	struct cr_json_out *j = &r->json;

	cr_json_out_line(j, "");
	cr_json_out_key(j, "warnings");
	cr_json_out_open(j, '[');
	for (size_t at = 0; warned && at < warned->len;) {
		const char *line = warned->p + at;
		const size_t len = strcspn(line, "\n");

		cr_json_out_text(j, (struct cr_str){line, (uint32_t)len});
		at += len + 1;
	}
	cr_json_out_close(j);
	cr_json_out_close(j);
	cr_text_char(&r->text, '\n');
}

void
cr_reply_end(struct cr_reply *r)
{
	if (r->json.levels.len)
		cr_reply_close(r);
	cr_reply_flush(r);
	cr_reply_fini(r);
}

void
cr_reply_fini(struct cr_reply *r)
{
	cr_json_out_fini(&r->json);
	cr_text_fini(&r->text);
}
