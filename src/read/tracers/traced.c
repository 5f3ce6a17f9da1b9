#include "traced_p.h"

void
cr_traced_mark_kernel(struct cr_traced *t)
{
	for (size_t i = 0; i < t->frames.n; i++)
		t->frames.p[i].kernel = true;
}

static cr_dso_id
dso_of(struct cr_builder *b, const struct cr_traced_frame *f)
{
	struct cr_dso o = {
		.name = f->module, .kind = CR_KIND_USER, .build_id_len = f->build_id_len};

	if (f->kernel && f->module.len == 0)
		o.name = CR_STR("[kernel]");
	if (f->kernel)
		o.kind = CR_KIND_KERNEL;
	if (o.name.len == 0)
		return CR_DSO_UNKNOWN;
	memcpy(o.build_id, f->build_id, f->build_id_len);
	return cr_builder_dso(b, &o);
}

static struct cr_str
joined(struct cr_traced *t, struct cr_str a, struct cr_str b)
{
	char *p = cr_arena_array(&t->names, (uint64_t)a.len + b.len, 1);

	memcpy(p, a.p, a.len);
	memcpy(p + a.len, b.p, b.len);
	return (struct cr_str){p, a.len + b.len};
}

static void
add_frame(struct cr_traced *t, const struct cr_traced_frame *f, struct cr_stacks *s)
{
	struct cr_named named = {f->name, f->file, f->line};

	if (f->inlined)
		named.name = joined(t, f->name, CR_STR("_[i]"));
	else if (f->bare)
		named.name = joined(t, CR_STR("0x"), f->name);
	if (f->inlined) {
		cr_stacks_inlined(s, &named);
		return;
	}
	if (f->name.len == 0 && f->build_id_len)
		cr_builder_flags(s->b, CR_PROFILE_HAS_ADDR);
	cr_stacks_frame_at(s, dso_of(s->b, f), f->addr, &named);
}

void
cr_traced_end(struct cr_traced *t, struct cr_stacks *s)
{
	cr_arena_fini(&t->names); /* of the previous stack, which is complete */
	for (size_t i = 0; i < t->frames.n; i++)
		add_frame(t, &t->frames.p[i], s);
	t->frames.n = 0;
}

void
cr_traced_fini(struct cr_traced *t)
{
	cr_vec_fini(&t->frames);
	cr_arena_fini(&t->names);
}
