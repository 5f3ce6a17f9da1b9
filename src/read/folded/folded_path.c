#include "folded_path_p.h"

bool
cr_folded_frames_cut(struct cr_str *stack)
{
	struct folded_frames rest;
	size_t frames = 1;

	if (stack->len <= FOLDED_DEPTH_MOST)
		return false;
	for (uint32_t i = 0; i < stack->len; i++)
		frames += stack->p[i] == ';';
	if (frames <= FOLDED_DEPTH_MOST)
		return false;
	for (rest = cr_folded_frames_from(*stack, 0); frames > FOLDED_DEPTH_MOST; frames--)
		cr_folded_frames_next(&rest);
	*stack = rest.text;
	return true;
}

static uint32_t
bytes_alike(struct cr_str a, struct cr_str b)
{
	const uint32_t n = CR_MIN(a.len, b.len);
	uint32_t i = 0;

	for (; i + 8 <= n; i += 8) {
		uint64_t x, y;

		memcpy(&x, a.p + i, 8);
		memcpy(&y, b.p + i, 8);
		if (x != y)
			break;
	}
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

size_t
cr_folded_path_shared(const struct folded_path *p, struct cr_str stack)
{
	const uint32_t alike = bytes_alike(p->last, stack);
	/* An empty stack differs from an empty first frame. */
	size_t n = stack.len ? p->steps.n : 0;

	while (n && p->steps.p[n - 1].end > alike)
		n--;
	/* The frame continues here. */
	if (n && p->steps.p[n - 1].end < stack.len && stack.p[p->steps.p[n - 1].end] != ';')
		n--;
	return n;
}

void
cr_folded_path_forget(struct folded_path *p)
{
	p->last.len = 0;
	p->steps.n = 0;
}
