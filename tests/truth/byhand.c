/*
 * Calls the frames of byhand.S within each other, those that need a register about those that
 * change it.
 */
#include <stddef.h>

typedef void frame(void (*inner)(void));

frame who_rbx, who_r12, saved_by_expression, value_by_expression, who_knows, frame_in_memory,
	like_linkage;
frame returns_by_register, two_ways, odd_rules, ends_in_call, without_rules, in_debug_frame;

static frame *const frames[] = {who_rbx, who_r12, saved_by_expression, value_by_expression,
	who_knows, frame_in_memory, like_linkage, returns_by_register, two_ways, odd_rules,
	ends_in_call, without_rules, in_debug_frame};

enum { FRAMES = sizeof(frames) / sizeof(frames[0]) };

static volatile size_t sink, at, left;

/* From inner to inner: all frames in turn, as many as are left. */
static void
next(void)
{
	sink += at;
	if (left == 0)
		return;
	left--;
	at = (at + 5) % FRAMES;
	frames[at](next);
	sink++;
}

static void
end(void)
{
	sink++;
}

int
main(void)
{
	for (size_t i = 0; i < FRAMES; i++)
		frames[i](end);
	for (size_t i = 0; i < FRAMES; i++) {
		at = i;
		left = FRAMES + i;
		next();
	}
	return 0;
}
