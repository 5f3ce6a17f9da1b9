#include "perf_unwind_p.h"

/* Source: enum perf_callchain_context in linux/perf_event.h. */
#define CONTEXT_USER ((uint64_t)-512)

bool
cr_perf_unwind_wanted(const struct perf_attr *a)
{
	const uint64_t needed =
		PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	return (a->sample_type & needed) == needed && (a->flags & PERF_ATTR_EXCLUDE_CALLCHAIN_USER);
}

/* ---- the address space for the unwinder */

struct view {
	struct perf_spaces *spaces;
	struct perf_space *space;
};

static bool
view_map(void *ctx, uint64_t addr, struct cr_unwind_map *out)
{
	struct view *v = ctx;
	const struct perf_map *m = cr_perf_space_find(v->space, addr);

	if (m)
		*out = (struct cr_unwind_map){
			m->start, m->end, m->pgoff, m->dso, m->code, !m->identity};
	return m;
}

static const struct cr_dso *
view_dso(void *ctx, cr_dso_id dso)
{
	struct view *v = ctx;

	return cr_builder_dso_at(v->spaces->b, dso);
}

/* ---- a sample */

static void
count(struct perf_unwinds *u)
{
	const struct cr_unwind_stack *s = &u->stack;
	struct perf_unwind_gap *gap;

	if (s->end == CR_UNWIND_NONSENSE)
		u->nonsense++;
	u->guessed += s->guessed > 0;
	u->could_guess += s->could_guess;
	if (s->end != CR_UNWIND_NO_INFO)
		return;
	while (u->gaps.n <= s->dso.i)
		cr_vec_push(&u->gaps, ((struct perf_unwind_gap){0}));
	gap = &u->gaps.p[s->dso.i];
	if (gap->samples++ == 0)
		gap->why = s->why;
}

/* Append the user part to the kernel part. */
static void
join(const struct perf_unwinds *u, struct perf_sample *s, struct perf_unwound *out)
{
	struct cr_cursor c = s->chain;

	out->chain.n = out->sps.n = 0;
	while (cr_cursor_left(&c) >= 8)
		cr_vec_push(&out->chain, cr_cursor_u64(&c));
	cr_vec_push(&out->chain, CONTEXT_USER);
	for (size_t i = 0; i < u->stack.ips.n; i++) {
		cr_vec_push(&out->chain, u->stack.ips.p[i]);
		cr_vec_push(&out->sps, u->stack.sps.p[i]);
	}
	cr_cursor_init(&s->chain, out->chain.p, out->chain.n * sizeof(*out->chain.p));
	s->has_chain = true;
}

void
cr_perf_unwind_sample(struct perf_unwinds *u, struct perf_spaces *spaces, struct perf_space *space,
	const struct cr_symbol_opts *opts, struct cr_str machine, const struct perf_attr *a,
	struct perf_sample *s, struct perf_unwound *out)
{
	struct view view = {spaces, space};
	const struct cr_unwind_space in = {space->id.i, space->version, view_map, view_dso, &view};
	struct perf_sample_rest rest;
	struct cr_unwind_dump dump;

	out->sps.n = 0;
	out->guessed = 0;
	out->whole = false;
	if (!cr_perf_sample_rest(s->rest, a, &rest) || !rest.regs_abi ||
		cr_cursor_left(&rest.stack_user) == 0)
		return;
	u->stack_bytes = a->sample_stack_user;
	if (!u->unwinder)
		u->unwinder = cr_unwind_new(opts, machine);
	dump = (struct cr_unwind_dump){rest.regs_abi, a->sample_regs_user, rest.regs_user,
		rest.stack_user, rest.stack_full};
	cr_unwind_walk(u->unwinder, &dump, &in, &u->stack);
	count(u);
	if (u->stack.ips.n == 0)
		return;
	join(u, s, out);
	s->chain_kind = u->stack.end == CR_UNWIND_CUT ? PERF_CHAIN_CUT : PERF_CHAIN_UNWOUND;
	out->guessed = u->stack.guessed;
	out->whole = u->stack.end == CR_UNWIND_WHOLE && !u->stack.guessed;
}

/* ---- quality */

void
cr_perf_unwinds_quality(const struct perf_unwinds *u, struct cr_builder *b)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; i < u->gaps.n; i++) {
		if (u->gaps.p[i].samples == 0)
			continue;
		cr_text_clear(&t);
		cr_text_puts(&t, "user stacks without unwind information: ");
		cr_text_str(
			&t, i ? cr_builder_dso_at(b, (cr_dso_id){i})->name : CR_STR("[unknown]"));
		cr_text_printf(&t, " (%s)", u->gaps.p[i].why);
		cr_builder_quality(b, cr_text_view(&t), u->gaps.p[i].samples);
	}
	cr_text_fini(&t);
	if (u->nonsense)
		cr_builder_quality(b, CR_STR("user stacks that make no sense"), u->nonsense);
	if (u->guessed)
		cr_builder_quality(b, CR_STR(CR_QUALITY_GUESSED), u->guessed);
	if (u->could_guess)
		cr_builder_quality(b, CR_STR(CR_QUALITY_COULD_GUESS), u->could_guess);
}

void
cr_perf_unwinds_fini(struct perf_unwinds *u)
{
	cr_unwind_free(u->unwinder);
	cr_vec_fini(&u->stack.ips);
	cr_vec_fini(&u->stack.sps);
	cr_vec_fini(&u->gaps);
}
