#include "session/commands/glossary.h"

#include "base/mem.h"

static const struct cr_glossary_entry entries[] = {
	{"waits",
		"time off the CPU: threads that sleep, or are blocked by a lock or by input and "
		"output; in the views threads and time, and as the event off-cpu. Record them with "
		"cresset record --off-cpu, or perf record --off-cpu"},
	{"changed", "in a difference: the change is larger than noise explains"},
	{"likely changed", "the same, where a side has only one recording"},
	{"new, gone", "changed, and the other side has no sample of the function"},
	{"within noise",
		"in a difference: the same on both sides, up to half a point or a tenth of its "
		"share"},
	{"cannot tell",
		"in a difference: a change or noise; the true change may be larger or smaller than "
		"the one shown by the points in parentheses. More recordings tell more"},
	{"machine",
		"in a difference: interrupt work, which other programs cause as well, so it is not "
		"tested"},
	{"not tested",
		"in a difference: fewer than 10 samples on both sides together, or weights without "
		"a number of samples"},
	{"could show",
		"in a difference: the smallest change of the row that would be called changed 8 "
		"times in 10; the smallest change above the table is that of a share of 5 %"},
};

const struct cr_glossary_entry *
cr_glossary_at(size_t i)
{
	return i < CR_LEN(entries) ? &entries[i] : NULL;
}
