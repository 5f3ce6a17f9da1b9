#include "doctor_p.h"

#include "base/text.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

#define DSOS 5       /* rows of a table of dsos */
#define DSO_CELLS 20 /* of a dso's name; a shortened one ends with three dots */
#define NOTES 6

/*
 * ---- problems, one function each; t is empty at the start, and what they leave in it is written
 * last
 */

static void
report_empty(struct doctor *d, struct cr_text *t)
{
	(void)d;
	cr_text_puts(
		t, "The recording has no samples. Was the event counted, and did the program run?");
}

static void
put_notes(struct doctor *d, struct cr_text *t)
{
	const struct cr_profile *p = d->p;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_quality; i++) {
		if (cr_quality_class(&p->quality[i]) != CR_QUALITY_OTHER)
			continue;
		if (n++ >= NOTES)
			continue;
		cr_text_puts(t, n > 1 ? "; " : "");
		cr_page_name(t, p->quality[i].what, PAGE_NAME_CELLS);
		cr_text_puts(t, ": ");
		cr_text_grouped(t, p->quality[i].count);
	}
	if (n > NOTES)
		cr_text_printf(t, "; and %" PRIu32 " more, see cresset info", n - NOTES);
	cr_text_puts(t, n ? "." : "");
}

static void
report_damaged(struct doctor *d, struct cr_text *t)
{
	cr_text_puts(t, "The file could be read only in part. ");
	put_notes(d, t);
	cr_page_paragraph(&d->page, t);
	if (!(d->p->flags & CR_PROFILE_HAS_ADDR))
		return;
	cr_text_puts(t, "Let perf record finish, or stop it with one ^C. Wait for its last line "
			"before you copy the file.");
}

static void
report_noted(struct doctor *d, struct cr_text *t)
{
	cr_text_puts(t, "Counted while the file was read: ");
	put_notes(d, t);
}

static void
report_lost(struct doctor *d, struct cr_text *t)
{
	cr_text_share(t, d->h.lost, cr_add_sat(d->h.lost, d->h.all_samples));
	cr_text_puts(t, " was lost while recording: ");
	cr_page_count(t, d->h.lost, "record");
	cr_text_puts(t, ", against ");
	cr_page_count(t, d->h.all_samples, "sample");
	cr_text_puts(t, " that were kept. The busiest times are missing.");
	cr_page_paragraph(&d->page, t);
	cr_text_puts(t, "Use larger buffers (-m; without root up to kernel.perf_event_mlock_kb), a "
			"lower -F, ");
	cr_text_puts(t, d->h.call_graph == CR_CALL_GRAPH_DWARF ? "smaller stack dumps, " : "");
	cr_text_puts(t, d->advice.no_compress ? "no -z, " : "");
	cr_text_puts(t, "and a fast disk for the file.");
}

static void
report_throttled(struct doctor *d, struct cr_text *t)
{
	cr_text_puts(t, "The kernel throttled an event ");
	cr_page_count(t, d->h.throttled, "time");
	cr_text_puts(t, ": samples came faster than kernel.perf_event_max_sample_rate or "
			"kernel.perf_cpu_time_max_percent allow. So some parts of the recording "
			"have too few samples.");
	cr_page_paragraph(&d->page, t);
	cr_text_puts(t, "Sample less often, with a lower -F or a larger -c.");
}

static void
report_few(struct doctor *d, struct cr_text *t)
{
	const uint32_t doubt = cr_health_find(&d->h, CR_FINDING_FEW)->share_ppm / 1000;

	cr_text_puts(t, "Only ");
	cr_page_count(t, d->h.here.samples, "sample");
	cr_text_printf(t, ": a function shown with 10 %% may be off by %u.%u points either way.",
		doubt / 10, doubt % 10);
	cr_page_paragraph(&d->page, t);
	cr_text_puts(t, "Record for longer");
	cr_text_puts(t, d->advice.freq || d->advice.count ? ", or sample more often." : ".");
}

static void
report_no_stacks(struct doctor *d, struct cr_text *t)
{
	(void)d;
	cr_text_puts(t, "No stacks were recorded. So it is known which functions are costly, but "
			"not who calls them.");
	cr_page_paragraph(&d->page, t);
	cr_text_puts(t, "Record with -g if the code keeps frame pointers, otherwise with "
			"--call-graph dwarf.");
}

static void
put_ends(struct doctor *d, struct cr_text *t)
{
	struct cr_text made = {0};

	cr_text_puts(t, " They end in ");
	for (uint32_t i = 0; i < CR_HEALTH_ENDS && d->h.ends[i].samples; i++) {
		const struct cr_dso *o = &d->p->dsos[d->h.ends[i].dso.i];

		cr_text_puts(t, i ? ", " : "");
		cr_page_name(t, cr_dso_name(o->name, o->kind, &made), PAGE_NAME_CELLS);
		cr_text_puts(t, " (");
		cr_text_grouped(t, d->h.ends[i].samples);
		cr_text_puts(t, ")");
	}
	cr_text_puts(t, ".");
	cr_text_fini(&made);
}

static void
report_broken(struct doctor *d, struct cr_text *t)
{
	const struct cr_health *h = &d->h;

	cr_text_share(t, h->broken, h->user_stacks);
	cr_text_puts(t, " of the user stacks break off before the start of their thread: ");
	cr_text_grouped(t, h->broken);
	cr_text_puts(t, " of ");
	cr_text_grouped(t, h->user_stacks);
	cr_text_puts(t, ", ");
	if (h->broken_at_once == h->broken)
		cr_text_puts(t, "all");
	else
		cr_text_grouped(t, h->broken_at_once);
	cr_text_puts(t, " of them after one frame.");
	put_ends(d, t);
	cr_page_paragraph(&d->page, t);
	if (h->broken_run_time > h->broken / 2)
		cr_text_puts(t, "This is code of a JIT compiler, or not code at all. Let the run "
				"time keep frame pointers (java -XX:+PreserveFramePointer) and "
				"write the names of its code, see below.");
	else if (h->call_graph == CR_CALL_GRAPH_DWARF)
		cr_text_puts(t,
			"Stack dumps can be unwound only where there are unwind tables. Install "
			"the files named here or their debug packages, or give copies with "
			"--symfs or --debug-dir, and read the recording again with --fresh. For "
			"code without tables, such as hand-written assembly, use --call-graph "
			"lbr, or fp if it keeps frame pointers.");
	else if (!d->advice.call_graph[0])
		cr_text_puts(t, "So few stacks matter only if you look for one of them; "
				"--call-graph dwarf would record them.");
	else
		cr_text_puts(t, "Record with --call-graph dwarf (or lbr, if the processor has it), "
				"or build the files named here with -fno-omit-frame-pointer.");
}

static void
report_cut(struct doctor *d, struct cr_text *t)
{
	const struct cr_health *h = &d->h;

	cr_text_share(t, h->cut + h->stitched, h->user_stacks);
	cr_text_puts(t, " of the user stacks are longer than their dumps: ");
	cr_text_grouped(t, h->cut + h->stitched);
	cr_text_puts(t, " of ");
	cr_text_grouped(t, h->user_stacks);
	cr_text_puts(t, ".");
	if (h->stitched) {
		cr_text_char(t, ' ');
		cr_text_grouped(t, h->stitched);
		cr_text_puts(
			t, " were completed with callers of complete stacks of the same thread.");
	}
	if (h->cut) {
		cr_text_puts(t, " The outer callers of ");
		cr_text_grouped(t, h->cut);
		cr_text_puts(t, " are missing; these stacks are shown under [truncated].");
	}
	cr_page_paragraph(&d->page, t);
	if (d->advice.dump_is_largest)
		cr_text_puts(t,
			"The kernel supports no larger dumps. Use --call-graph lbr if the "
			"processor has it, or fp with code built with -fno-omit-frame-pointer.");
	else
		cr_text_puts(t, "Use larger dumps, up to --call-graph dwarf,65528; the file grows "
				"with them.");
}

static void
report_guessed(struct doctor *d, struct cr_text *t)
{
	const struct cr_health *h = &d->h;

	cr_text_share(t, h->guessed, h->user_stacks);
	cr_text_puts(t, " of the user stacks have callers that --guess-callers guessed: ");
	cr_text_grouped(t, h->guessed);
	cr_text_puts(t, " of ");
	cr_text_grouped(t, h->user_stacks);
	cr_text_puts(t,
		". The field guessed is the number of such callers in a sample. They are right "
		"if the code keeps frame pointers; otherwise half of them may be wrong.");
	cr_page_paragraph(&d->page, t);
	cr_text_puts(t, "Give the recorded files with --symfs or --debug-dir; then nothing has to "
			"be guessed.");
}

static void
report_could_guess(struct doctor *d, struct cr_text *t)
{
	cr_page_count(t, d->h.could_guess, "user stack");
	cr_text_puts(t, d->h.could_guess == 1 ? " ends" : " end");
	cr_text_puts(t, " in code whose unwind information is not available (");
	cr_text_share(t, d->h.could_guess, d->h.all_samples);
	cr_text_puts(t, " of all samples).");
	cr_page_paragraph(&d->page, t);
	cr_text_puts(t, "Give the recorded files with --symfs or --debug-dir. Without them, "
			"--guess-callers continues these stacks by frame pointer and marks the "
			"callers that it guesses. They are right if the code keeps frame pointers; "
			"otherwise half of them may be wrong.");
}

static void
report_truncated(struct doctor *d, struct cr_text *t)
{
	cr_text_grouped(t, d->h.truncated);
	cr_text_puts(t, d->h.truncated == 1 ? " stack is" : " stacks are");
	cr_text_printf(t, " cut at %" PRIu32 " frames, the limit of the kernel: ", d->h.max_depth);
	cr_text_share(t, d->h.truncated, d->h.here.samples);
	cr_text_puts(t, " of the samples. Their outer callers are missing.");
	if (!d->advice.max_stack)
		return;
	cr_page_paragraph(&d->page, t);
	cr_text_printf(t,
		"Before recording, run as root: sysctl kernel.perf_event_max_stack=%" PRIu32,
		d->advice.max_stack);
}

/* Language runtimes, by one of their files, and how each provides the names of its code. */
static const char *
run_time_hint(const struct doctor *d)
{
	static const struct {
		const char *file, *hint;
	} rows[] = {
		{"libjvm.so", "java -XX:+DumpPerfMapAtExit (17 on) -XX:+PreserveFramePointer"},
		{"node", "node --perf-basic-prof --interpreted-frames-native-stack"},
		{"libnode.so", "node --perf-basic-prof --interpreted-frames-native-stack"},
		{"libpython", "python -X perf (3.12 on)"},
		{"python", "python -X perf (3.12 on)"},
		{"libcoreclr.so", "DOTNET_PerfMapEnabled=1"},
		{"beam.smp", "erl +JPperf true"},
		{"libruby", "ruby --yjit --yjit-perf (3.3 on)"},
		{"ruby", "ruby --yjit --yjit-perf (3.3 on)"},
	};

	for (uint32_t i = 0; i < d->h.n_dsos; i++) {
		const struct cr_str base = cr_str_basename(d->p->dsos[d->h.dsos[i].dso.i].name);

		for (size_t k = 0; k < CR_LEN(rows); k++) {
			const size_t len = strlen(rows[k].file);

			/* followed by a version: "python3.11", "libruby-3.1.so" */
			if (cr_str_starts(base, rows[k].file) &&
				(base.len == len || strchr("0123456789.-", base.p[len])))
				return rows[k].hint;
		}
	}
	return NULL;
}

/* Why a dso has no names: a word in its row, and advice below the table. */
enum lack {
	LACK_MAP,
	LACK_MEMORY,
	LACK_KALLSYMS,
	LACK_HIDDEN,
	LACK_FILE,
	LACK_BUILD,
	LACK_SYMBOLS,
	LACK_MAPPING,
	LACK_LITTLE,
	LACKS
};

static const struct {
	const char *word, *remedy;
} lacks[LACKS] = {
	[LACK_MAP] = {"no perf map",
		"JIT code is named by /tmp/perf-PID.map, which the run time must write"},
	[LACK_MEMORY] = {"no file", "Code that was compiled at run time or loaded from memory has "
				    "names only if a perf map or a jitdump lists it."},
	[LACK_KALLSYMS] = {"no kallsyms", "Save /proc/kallsyms as root on that machine before it "
					  "reboots, and give it with --kallsyms."},
	[LACK_HIDDEN] = {"kptr_restrict", "The kernel hides its addresses: read the recording as "
					  "root, or with kernel.kptr_restrict=0."},
	[LACK_FILE] = {"not here", "Read the recording on the machine where it was made, or give "
				   "copies of the files with --symfs."},
	[LACK_BUILD] = {"other build",
		"For files that were rebuilt since, give the old ones with --symfs."},
	[LACK_SYMBOLS] = {"stripped",
		"Install debug symbols for stripped files, or give them with --debug-dir."},
	[LACK_MAPPING] = {"no mapping", "Addresses in no mapping are code of a JIT compiler "
					"without a perf map, or the ends of broken stacks."},
	[LACK_LITTLE] = {"in no symbol", NULL},
};

static enum lack
lack_of(const struct cr_profile *p, const struct cr_health_dso *row)
{
	const struct cr_dso *o = &p->dsos[row->dso.i];
	const struct cr_str why = cr_health_why(p, row->dso);

	switch ((enum cr_kind)o->kind) {
	case CR_KIND_JIT: return LACK_MAP;
	case CR_KIND_KERNEL:
	case CR_KIND_MODULE:
		if (cr_str_starts(why, "kallsyms hides"))
			return LACK_HIDDEN;
		return why.len ? LACK_KALLSYMS : LACK_LITTLE;
	case CR_KIND_UNKNOWN: return row->dso.i ? LACK_MEMORY : LACK_MAPPING;
	case CR_KIND_USER: break;
	default: return LACK_LITTLE;
	}
	if (!cr_health_wants_build_id(o))
		return LACK_MEMORY;
	if (cr_str_starts(why, "no such file"))
		return LACK_FILE;
	if (cr_str_starts(why, "refused") || cr_str_starts(why, "its file"))
		return LACK_BUILD;
	return why.len || row->nameless_total > row->total / 10 ? LACK_SYMBOLS : LACK_LITTLE;
}

static void
put_build_id(struct cr_text *t, const struct cr_dso *o)
{
	if (!cr_health_wants_build_id(o) && !o->build_id_len) {
		cr_text_puts(t, "-");
		return;
	}
	for (unsigned i = 0; i < CR_MIN(o->build_id_len, 5u); i++)
		cr_text_printf(t, "%02x", o->build_id[i]);
	cr_text_puts(t, o->build_id_len ? "" : "none");
}

/* A row: shares, kind, build-id, name and a word after it, in columns. */
static void
put_dso(struct doctor *d, cr_dso_id dso, uint64_t self, uint64_t total, const char *word)
{
	const struct cr_dso *o = &d->p->dsos[dso.i];
	struct cr_text t = {0}, made = {0}, *out = &d->page.out;

	cr_text_share(&t, self, d->h.here.weight);
	cr_text_printf(out, "%*s%9s", PAGE_INDENT, "", t.p);
	cr_text_clear(&t);
	cr_text_share(&t, total, d->h.here.weight);
	cr_text_printf(out, " %9s  %-7s ", t.p, cr_kind_name(o->kind));
	cr_text_clear(&t);
	put_build_id(&t, o);
	cr_text_printf(out, "%-11s", t.p);
	cr_text_clear(&t);
	cr_page_name(&t, cr_dso_name(o->name, o->kind, &made), DSO_CELLS);
	cr_text_put(out, t.p, t.len);
	if (word) {
		cr_text_pad(out, ' ', DSO_CELLS + 5 - cr_utf8_cells(cr_text_view(&t)));
		cr_text_puts(out, word);
	}
	cr_text_char(out, '\n');
	cr_text_fini(&made);
	cr_text_fini(&t);
}

static void
put_dso_head(struct doctor *d, const char *word)
{
	cr_text_printf(&d->page.out, "%*s%9s %9s  %-7s %-11s", PAGE_INDENT, "", "SELF", "TOTAL",
		"KIND", "BUILD-ID");
	cr_text_printf(&d->page.out, "%-*s%s\n", word ? DSO_CELLS + 5 : 0, "DSO", word ? word : "");
}

/* The rows with at least a tenth of a percent each. Returns the reasons in them, one bit each. */
static unsigned
put_nameless_dsos(struct doctor *d)
{
	const struct cr_health *h = &d->h;
	uint32_t n = 0;
	unsigned seen = 0;

	for (uint32_t i = 0; i < h->n_dsos; i++) {
		const struct cr_health_dso *o = &h->dsos[i];
		enum lack lack;

		if (cr_share_ppm(o->nameless_total, h->here.weight) < 1000)
			continue;
		lack = lack_of(d->p, o);
		seen |= 1u << lack;
		if (n == 0)
			put_dso_head(d, "WHY");
		if (n++ < DSOS)
			put_dso(d, o->dso, o->nameless, o->nameless_total, lacks[lack].word);
	}
	if (n > DSOS)
		cr_text_printf(&d->page.out, "%*sand %" PRIu32 " more, see cresset info\n",
			PAGE_INDENT, "", n - DSOS);
	return seen;
}

static void
put_remedies(struct doctor *d, unsigned seen, struct cr_text *t)
{
	const char *hint = run_time_hint(d);

	for (unsigned i = 0; i < LACKS; i++) {
		if (!(seen >> i & 1) || !lacks[i].remedy)
			continue;
		cr_text_puts(t, t->len ? " " : "");
		cr_text_puts(t, lacks[i].remedy);
		if (i == LACK_MAP)
			cr_text_printf(t, ": %s. Run times that write a jitdump instead need -k 1.",
				hint ? hint : "see its manual");
	}
}

static void
report_nameless(struct doctor *d, struct cr_text *t)
{
	const struct cr_health *h = &d->h;

	if (h->here.nameless_samples) {
		cr_text_share(t, h->here.nameless_weight, h->here.weight);
		cr_text_puts(t, " of the cost (");
		cr_page_count(t, h->here.nameless_samples,
			cr_rows_are_stacks(d->p, d->p->events[h->event].unit) ? "stack" : "sample");
		cr_text_puts(t, ") is in functions without a name, and so are ");
		cr_text_share(t, h->nameless_frames, h->frames);
		cr_text_puts(t, " of all frames.");
	} else {
		cr_text_share(t, h->nameless_frames, h->frames);
		cr_text_puts(t, " of all frames have no function name; all of them are callers.");
	}
	cr_page_paragraph(&d->page, t);
	if (d->p->flags & CR_PROFILE_HAS_ADDR)
		put_remedies(d, put_nameless_dsos(d), t);
	else
		cr_text_puts(t, "The symbols were missing when the stacks were folded.");
}

static void
report_no_build_id(struct doctor *d, struct cr_text *t)
{
	const struct cr_health *h = &d->h;

	if (h->unidentified) {
		cr_text_share(t, h->unidentified, h->here.weight);
		cr_text_puts(t, " of the cost is in dsos without a build-id: their names may be "
				"those of another build.");
		cr_page_paragraph(&d->page, t);
	}
	for (uint32_t i = 0; i < h->n_no_id && i < DSOS; i++) {
		const struct cr_health_dso *o = &h->dsos[h->no_id[i]];

		if (i == 0)
			put_dso_head(d, NULL);
		put_dso(d, o->dso, o->self, o->total, NULL);
	}
	if (h->unchecked) {
		cr_page_count(t, h->unchecked, "dso");
		cr_text_printf(t,
			" %s named from the file at the recorded path. The names are right if the "
			"file has not changed; no recorded build-id confirms it. ",
			h->unchecked == 1 ? "was" : "were");
	}
	if (d->advice.with_build_id)
		cr_text_puts(t, "Record without -B.");
	else if (h->no_id_table)
		cr_text_puts(t, "The table of build-ids was not written. This happens with -z, "
				"into a pipe, and when perf record is killed; --buildid-mmap "
				"stores build-ids elsewhere.");
	else if (h->unidentified)
		cr_text_puts(t, "Link with -Wl,--build-id.");
}

static void (*const tell[CR_FINDINGS])(struct doctor *, struct cr_text *) = {
	[CR_FINDING_EMPTY] = report_empty,
	[CR_FINDING_DAMAGED] = report_damaged,
	[CR_FINDING_LOST] = report_lost,
	[CR_FINDING_THROTTLED] = report_throttled,
	[CR_FINDING_FEW] = report_few,
	[CR_FINDING_NO_STACKS] = report_no_stacks,
	[CR_FINDING_BROKEN] = report_broken,
	[CR_FINDING_TRUNCATED] = report_truncated,
	[CR_FINDING_CUT] = report_cut,
	[CR_FINDING_GUESSED] = report_guessed,
	[CR_FINDING_COULD_GUESS] = report_could_guess,
	[CR_FINDING_NAMELESS] = report_nameless,
	[CR_FINDING_NO_BUILD_ID] = report_no_build_id,
	[CR_FINDING_NOTED] = report_noted,
};

void
cr_doctor_findings(struct doctor *d)
{
	struct cr_text t = {0};

	d->out->n_findings = d->h.n_findings;
	for (uint32_t i = 0; i < d->h.n_findings; i++) {
		cr_text_char(&d->page.out, '\n');
		d->page.number = i + 1;
		d->out->findings[i].kind = (uint8_t)d->h.findings[i].kind;
		d->out->findings[i].from = d->page.out.len;
		tell[d->h.findings[i].kind](d, &t);
		if (t.len)
			cr_page_paragraph(&d->page, &t);
	}
	cr_text_fini(&t);
}
