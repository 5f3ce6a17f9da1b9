#include "view/listing/brief.h"

static void
put_quality(const struct cr_profile *p, struct cr_text *out)
{
	const struct cr_quality *most = NULL;

	for (uint32_t i = 0; i < p->n_quality; i++)
		if (cr_quality_class(&p->quality[i]) == CR_QUALITY_OTHER &&
			(!most || p->quality[i].count > most->count))
			most = &p->quality[i];
	if (!most)
		return;
	cr_text_safe(out, most->what);
	cr_text_puts(out, ": ");
	cr_text_grouped(out, most->count);
}

static void
put_nameless(const struct cr_health *h, struct cr_text *out)
{
	if (h->here.nameless_samples) {
		cr_text_share(out, h->here.nameless_weight, h->here.weight);
		cr_text_puts(out, " of the cost has no name");
	} else {
		cr_text_share(out, h->nameless_frames, h->frames);
		cr_text_puts(out, " of the frames have no name");
	}
}

static void
put_no_build_id(const struct cr_health *h, struct cr_text *out)
{
	if (h->unidentified) {
		cr_text_share(out, h->unidentified, h->here.weight);
		cr_text_puts(out, " is in files without build-id");
	} else {
		cr_text_counted(out, h->unchecked, "file was named unchecked",
			"files were named unchecked");
	}
}

static void
put_stacks(uint64_t n, const struct cr_health *h, const char *what, struct cr_text *out)
{
	cr_text_share(out, n, h->user_stacks);
	cr_text_puts(out, what);
}

void
cr_brief_finding(const struct cr_profile *p, const struct cr_health *h, const struct cr_finding *f,
	struct cr_text *out)
{
	switch (f->kind) {
	case CR_FINDING_EMPTY: cr_text_puts(out, "there are no samples"); return;
	case CR_FINDING_DAMAGED: cr_text_puts(out, "the file was read in part"); return;
	case CR_FINDING_LOST:
		cr_text_counted(out, h->lost, "record was lost", "records were lost");
		return;
	case CR_FINDING_THROTTLED:
		cr_text_puts(out, "throttled by the kernel ");
		cr_text_counted(out, h->throttled, "time", "times");
		return;
	case CR_FINDING_FEW:
		cr_text_counted(out, h->here.samples, "sample is few", "samples are few");
		return;
	case CR_FINDING_NO_STACKS: cr_text_puts(out, "no stacks were recorded"); return;
	case CR_FINDING_BROKEN: put_stacks(h->broken, h, " of the stacks break off", out); return;
	case CR_FINDING_TRUNCATED:
		cr_text_counted(out, h->truncated, "stack was cut at ", "stacks were cut at ");
		cr_text_counted(out, h->max_depth, "frame", "frames");
		return;
	case CR_FINDING_CUT:
		put_stacks(h->cut + h->stitched, h, " of the stacks exceed the dump", out);
		return;
	case CR_FINDING_GUESSED:
		put_stacks(h->guessed, h, " of the stacks are guessed", out);
		return;
	case CR_FINDING_COULD_GUESS:
		cr_text_counted(
			out, h->could_guess, "stack lacks unwind data", "stacks lack unwind data");
		return;
	case CR_FINDING_NAMELESS: put_nameless(h, out); return;
	case CR_FINDING_NO_BUILD_ID: put_no_build_id(h, out); return;
	case CR_FINDING_NOTED: put_quality(p, out); return;
	case CR_FINDINGS: return;
	}
}

static const char *
remedy_of_broken(const struct cr_health *h)
{
	if (h->broken_run_time > h->broken / 2)
		return "let the run time keep frame pointers";
	if (h->call_graph == CR_CALL_GRAPH_DWARF)
		return "give the files: --symfs, --debug-dir";
	return "record with --call-graph dwarf";
}

void
cr_brief_remedy(const struct cr_health *h, const struct cr_finding *f, struct cr_text *out)
{
	static const char *const remedies[CR_FINDINGS] = {
		[CR_FINDING_EMPTY] = "was the event counted at all?",
		[CR_FINDING_DAMAGED] = "copy or record the file again",
		[CR_FINDING_LOST] = "a larger -m, or a lower -F",
		[CR_FINDING_THROTTLED] = "a lower -F, or a larger -c",
		[CR_FINDING_FEW] = "record for longer",
		[CR_FINDING_NO_STACKS] = "record with -g or --call-graph dwarf",
		[CR_FINDING_TRUNCATED] = "raise kernel.perf_event_max_stack",
		[CR_FINDING_CUT] = "record with --call-graph dwarf,65528",
		[CR_FINDING_GUESSED] = "give the files: --symfs, --debug-dir",
		[CR_FINDING_COULD_GUESS] = "give the files: --symfs, --debug-dir",
		[CR_FINDING_NAMELESS] = "give debug symbols: --debug-dir",
		[CR_FINDING_NO_BUILD_ID] = "link with -Wl,--build-id",
		[CR_FINDING_NOTED] = "! shows all of it",
	};
	const char *remedy = f->kind == CR_FINDING_BROKEN ? remedy_of_broken(h) : remedies[f->kind];

	cr_text_puts(out, remedy ? remedy : "");
}

void
cr_brief_well(const struct cr_profile *p, const struct cr_health *h, struct cr_text *out)
{
	const uint64_t named = h->here.weight - CR_MIN(h->here.nameless_weight, h->here.weight);

	if (h->here.samples && !cr_health_find(h, CR_FINDING_NAMELESS)) {
		cr_text_share(out, named, h->here.weight);
		cr_text_puts(out, " of the cost has a name\n");
	}
	if (!(p->flags & CR_PROFILE_HAS_ADDR))
		return;
	if (h->whole && !cr_health_find(h, CR_FINDING_BROKEN)) {
		cr_text_share(out, h->whole, h->user_stacks);
		cr_text_puts(out, " of the stacks are whole\n");
	}
	if (!h->lost && !h->throttled && !cr_health_find(h, CR_FINDING_DAMAGED))
		cr_text_puts(out, "nothing was lost\n");
	if (h->here.samples && !cr_health_find(h, CR_FINDING_FEW) &&
		cr_health_is_sampled(p, h->event))
		cr_text_puts(out, "enough samples\n");
}
