#include "query/health/health.h"

#include "health_p.h"

#include "base/vec.h"
#include "base/work.h"
#include "model/columns.h"
#include "model/field.h"
#include "query/health/record_line.h"

#include <stdlib.h>

#define KERNEL_MAX_STACK 127 /* entries, the default of kernel.perf_event_max_stack */

/* ---- properties of frames */

enum { NAMELESS = 1, STARTS = 2, KERNEL = 4, IN_FILE = 8, CUT = 16 };

/*
 * Functions where threads and processes start: in C libraries and their loaders, Android, Go. For
 * Go also where it switches to another stack, beyond which nothing can be unwound.
 */
static bool
name_starts_thread(struct cr_str name)
{
	static const char *const exact[] = {
		"_start",
		"_start_c",
		"main",
		"clone",
		"__clone",
		"clone3",
		"__clone3",
		"__clone_internal",
		"thread_start",
		"start_thread",
		"_dl_start",
		"_start_main",
	};
	static const char *const first[] = {
		"__libc_start_",
		"libc_start_",
		"__libc_init",
		"__start_thread",
		"__pthread_start",
		"_dl_start_",
		"ret_from_fork",
		"runtime.goexit",
		"runtime.mstart",
		"runtime.rt0_go",
		"runtime.mcall",
		"runtime.morestack",
		"runtime.systemstack",
		"_rt0_",
	};

	for (size_t i = 0; i < CR_LEN(exact); i++)
		if (cr_str_eq(name, cr_str_of(exact[i])))
			return true;
	for (size_t i = 0; i < CR_LEN(first); i++)
		if (cr_str_starts(name, first[i]))
			return true;
	return false;
}

/* By function: NAMELESS, STARTS. In text formats an unknown name is a text. */
static uint8_t *
functions_look(const struct cr_profile *p)
{
	uint8_t *is = cr_alloc(CR_MAX(p->n_functions, 1u), 1);

	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct cr_str name = p->functions[i].name;

		if (name.len == 0 || cr_str_eq(name, CR_STR("[unknown]")))
			is[i] = NAMELESS;
		else if (name_starts_thread(name))
			is[i] = STARTS;
	}
	return is;
}

/* Outside mappings, addresses in the upper half belong to the kernel. */
static bool
is_kernel(const struct cr_profile *p, const struct cr_location *l)
{
	switch (p->dsos[l->dso.i].kind) {
	case CR_KIND_KERNEL:
	case CR_KIND_MODULE:
	case CR_KIND_BPF: return true;
	case CR_KIND_UNKNOWN: return l->addr >> 63;
	default: return false;
	}
}

/*
 * By location: NAMELESS if the innermost function is, STARTS if any is, KERNEL, IN_FILE; CUT is no
 * frame.
 */
static uint8_t *
locations_look(const struct cr_profile *p)
{
	uint8_t *by_function = functions_look(p), *is = cr_alloc(CR_MAX(p->n_locations, 1u), 1);

	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		is[i] = by_function[p->lines[l->first_line].function.i] & NAMELESS;
		for (uint32_t k = 0; k < l->lines; k++)
			is[i] |= by_function[p->lines[l->first_line + k].function.i] & STARTS;
		if (is_kernel(p, l))
			is[i] |= KERNEL;
		if (p->dsos[l->dso.i].kind == CR_KIND_USER)
			is[i] |= IN_FILE;
		if (p->dsos[l->dso.i].kind == CR_KIND_GROUP)
			is[i] = CUT;
	}
	free(by_function);
	return is;
}

/* ---- sums */

struct sums {
	uint64_t *self, *samples; /* by node: weight and number of the samples taken there */
	uint8_t *is;              /* by location */
};

/* By event: true if its samples count for the requested event. */
static bool *
events_selected(const struct cr_profile *p, uint32_t event)
{
	bool *takes = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*takes));

	for (uint32_t i = 0; i < p->n_events && event < p->n_events; i++)
		takes[i] = cr_event_includes(p, (cr_event_id){event}, (cr_event_id){i});
	return takes;
}

static void
sums_make(const struct cr_profile *p, uint32_t event, struct sums *s)
{
	const bool counts = event < p->n_events && cr_event_counts_samples(&p->events[event]);
	const struct cr_event_column events = cr_column_events(p);
	const uint64_t *weight = cr_column_weights(p);
	const uint32_t *node = cr_column_nodes(p);
	bool *takes = events_selected(p, event);

	s->self = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*s->self));
	s->samples = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*s->samples));
	s->is = locations_look(p);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		if (!cr_work_at("samples", i, p->samples.n))
			break;
		cr_samples_sweep(&p->samples, i);
		const uint32_t n = node[i];

		if (!takes[cr_event_of(&events, i)])
			continue;
		s->self[n] = cr_add_sat(s->self[n], weight[i]);
		s->samples[n] = cr_add_sat(s->samples[n], counts ? weight[i] : 1);
	}
	free(takes);
}

static void
sums_fini(struct sums *s)
{
	free(s->self);
	free(s->samples);
	free(s->is);
}

/* The samples of a sum are those of its parts. */
static void
sum_look(const struct cr_profile *p, uint32_t sum, struct cr_health *h)
{
	bool *takes = events_selected(p, sum);

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (i == sum || !takes[i])
			continue;
		h->events[sum].nameless_samples += h->events[i].nameless_samples;
		h->events[sum].nameless_weight =
			cr_add_sat(h->events[sum].nameless_weight, h->events[i].nameless_weight);
	}
	free(takes);
}

/* A sample without stack and address belongs to no function, not to a nameless one. */
static void
events_look(const struct cr_profile *p, const uint8_t *is, struct cr_health *h)
{
	const struct cr_event_column events = cr_column_events(p);
	const uint64_t *weight = cr_column_weights(p);
	const uint32_t *node = cr_column_nodes(p);

	h->events = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*h->events));
	for (uint32_t i = 0; i < p->n_events; i++) {
		h->events[i].samples = cr_event_samples(&p->events[i]);
		h->events[i].weight = p->events[i].weight;
		if (!cr_event_is_sum(p, (cr_event_id){i}) &&
			!cr_event_is_derived(p, (cr_event_id){i}))
			h->all_samples = cr_add_sat(h->all_samples, h->events[i].samples);
	}
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		const uint32_t event = cr_event_of(&events, i), n = node[i];
		const bool counts = cr_event_counts_samples(&p->events[event]);
		struct cr_health_event *e = &h->events[event];

		if (n == 0 || !(is[p->node_location[n]] & NAMELESS))
			continue;
		e->nameless_samples = cr_add_sat(e->nameless_samples, counts ? weight[i] : 1);
		e->nameless_weight = cr_add_sat(e->nameless_weight, weight[i]);
	}
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_event_is_sum(p, (cr_event_id){i}))
			sum_look(p, i, h);
}

/* Number of samples of the event that have this field. */
static uint64_t
samples_with(const struct cr_profile *p, uint32_t event, struct cr_str name)
{
	const struct cr_field *d =
		event < p->n_events ? cr_field_find(p, (cr_event_id){event}, name) : NULL;

	return d ? d->have : 0;
}

static int
by_pid_tid(const void *x, const void *y)
{
	const struct cr_task *a = x, *b = y;

	return a->pid != b->pid ? (a->pid > b->pid) - (a->pid < b->pid)
				: (a->tid > b->tid) - (a->tid < b->tid);
}

/* A task is a thread with one name, so several tasks may be one thread. */
static void
tasks_count(const struct cr_profile *p, struct cr_health *h)
{
	struct cr_task *seen = cr_alloc(CR_MAX(p->n_tasks, 1u), sizeof(*seen));
	uint8_t *has = cr_alloc(CR_MAX(p->n_tasks, 1u), 1);
	const uint32_t *task = cr_column_tasks(p);
	uint32_t n = 0;

	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		const uint32_t t = task[i];

		if (t < p->n_tasks && !has[t]) {
			has[t] = 1;
			seen[n++] = p->tasks[t];
		}
	}
	qsort(seen, n, sizeof(*seen), by_pid_tid);
	for (uint32_t i = 0; i < n; i++) {
		h->processes += i == 0 || seen[i].pid != seen[i - 1].pid;
		h->threads += i == 0 || by_pid_tid(&seen[i], &seen[i - 1]) != 0;
	}
	free(seen);
	free(has);
}

/* ---- one pass over all stacks */

/* A node on the path to the current one. */
struct step {
	uint32_t node, location;
	uint32_t depth, user; /* number of frames from the root; of user frames among them */
	uint32_t nameless;    /* number of frames without a name */
	uint32_t end;         /* dso of the outermost user frame in a dso; 0 if none */
	uint64_t before;      /* weight of all nodes before this one */
	uint8_t outermost;    /* properties of the outermost user frame */
	bool whole;           /* a start function is among them */
	bool cut;             /* the stack is marked as truncated */
};

struct walk {
	const struct cr_profile *p;
	struct cr_health *h;
	const struct sums *s;
	bool stacks;               /* completeness of stacks can be determined */
	uint32_t limit;            /* maximum number of frames of the kernel */
	struct cr_health_dso *all; /* by dso */
	uint32_t *open; /* by dso: number of its frames on the path, and of nameless ones */
	uint64_t *ends; /* by dso */
	uint64_t seen;  /* weight of the nodes so far */
	CR_VEC(struct step) path;
};

static void
dso_enter(struct walk *w, const struct step *s)
{
	const uint32_t o = w->p->locations[s->location].dso.i;
	const bool nameless = w->s->is[s->location] & NAMELESS;
	struct cr_health_dso *row = &w->all[o];

	row->self = cr_add_sat(row->self, w->s->self[s->node]);
	w->open[2 * o]++;
	if (!nameless)
		return;
	row->nameless = cr_add_sat(row->nameless, w->s->self[s->node]);
	w->open[2 * o + 1]++;
}

/* The subtree of the step is complete: all nodes since it was entered are in it. */
static void
dso_leave(struct walk *w, const struct step *s)
{
	const uint32_t o = w->p->locations[s->location].dso.i;
	const uint64_t total = w->seen - s->before;
	struct cr_health_dso *row = &w->all[o];

	if (--w->open[2 * o] == 0)
		row->total = cr_add_sat(row->total, total);
	if ((w->s->is[s->location] & NAMELESS) && --w->open[2 * o + 1] == 0)
		row->nameless_total = cr_add_sat(row->nameless_total, total);
}

/* The step to node n, whose parent is the last of the path. */
static struct step
step_to(const struct walk *w, uint32_t n)
{
	const uint32_t location = w->p->node_location[n];
	const uint8_t is = w->s->is[location];
	struct step s = w->path.n ? w->path.p[w->path.n - 1] : (struct step){0};

	s.node = n;
	s.location = location;
	s.before = w->seen;
	if (is & CUT) {
		s.cut = true;
		return s;
	}
	s.depth++;
	s.nameless += is & NAMELESS;
	if (is & KERNEL)
		return s;
	if (s.user++ == 0)
		s.outermost = is;
	if (s.end == 0)
		s.end = w->p->locations[location].dso.i;
	s.whole |= (is & STARTS) != 0;
	return s;
}

/*
 * Decide whether the user part of the stack is complete. A start function anywhere in it suffices:
 * beyond it there is at most what the unwinder made of the zeros at the end of the stack. If the
 * outermost function has no name it is undecided, unless it is the only frame or in code where
 * nothing starts.
 */
static void
stack_judge(struct walk *w, const struct step *s, uint64_t samples)
{
	const enum cr_kind kind = w->p->dsos[s->end].kind;
	struct cr_health *h = w->h;

	h->user_stacks += samples;
	if (s->whole) {
		h->whole += samples;
	} else if (s->cut) {
		h->cut += samples;
	} else if (s->depth >= w->limit) {
		h->truncated += samples;
	} else if ((s->outermost & NAMELESS) && (s->outermost & IN_FILE) && s->user > 1) {
		h->undecided += samples;
	} else {
		h->broken += samples;
		h->broken_at_once += s->user == 1 ? samples : 0;
		h->broken_run_time += kind == CR_KIND_JIT || kind == CR_KIND_UNKNOWN ? samples : 0;
		w->ends[s->end] += samples;
	}
}

static uint64_t
times_sat(uint64_t a, uint64_t b)
{
	uint64_t r;

	return cr_mul_ok(a, b, &r) ? r : UINT64_MAX;
}

static void
walk_node(struct walk *w, const struct step *s)
{
	const uint64_t samples = w->s->samples[s->node];

	if (!samples)
		return;
	w->h->frames = cr_add_sat(w->h->frames, times_sat(samples, s->depth));
	w->h->nameless_frames = cr_add_sat(w->h->nameless_frames, times_sat(samples, s->nameless));
	if (s->depth == 1)
		w->h->one_frame += samples;
	if (w->stacks && s->user)
		stack_judge(w, s, samples);
}

static void
walk_run(struct walk *w)
{
	const struct cr_profile *p = w->p;

	for (uint32_t n = 1; n < p->n_nodes && cr_work_at("stacks", n, p->n_nodes); n++) {
		while (w->path.n && p->node_end[w->path.p[w->path.n - 1].node] <= n)
			dso_leave(w, &w->path.p[--w->path.n]);
		if (w->s->self[n] == 0 && w->s->samples[n] == 0 && p->node_end[n] == n + 1)
			continue;
		const struct step s = step_to(w, n);

		cr_vec_push(&w->path, s);
		dso_enter(w, &s);
		walk_node(w, &s);
		w->seen = cr_add_sat(w->seen, w->s->self[n]);
	}
	while (w->path.n)
		dso_leave(w, &w->path.p[--w->path.n]);
}

/* ---- recording settings */

static enum cr_call_graph
call_graph_named(struct cr_str s)
{
	if (cr_str_starts(s, "fp") || cr_str_starts(s, "frame pointers") ||
		cr_str_starts(s, "deferred frame pointers"))
		return CR_CALL_GRAPH_FP;
	if (cr_str_starts(s, "dwarf"))
		return CR_CALL_GRAPH_DWARF;
	if (cr_str_starts(s, "lbr"))
		return CR_CALL_GRAPH_LBR;
	return cr_str_starts(s, "none") || cr_str_eq(s, CR_STR("no")) ? CR_CALL_GRAPH_NONE
								      : CR_CALL_GRAPH_UNKNOWN;
}

/* The fact; otherwise the command line; otherwise whether there are stacks. */
static enum cr_call_graph
call_graph_of(const struct cr_profile *p, uint32_t max_depth)
{
	const struct cr_str fact = cr_profile_fact(p, "call graph");
	enum cr_call_graph how = max_depth > 1 ? CR_CALL_GRAPH_UNKNOWN : CR_CALL_GRAPH_NONE;
	const struct cr_record_word *w;
	struct cr_record_line line;

	if (fact.len && (call_graph_named(fact) != CR_CALL_GRAPH_NONE || max_depth <= 1))
		return call_graph_named(fact);
	cr_record_line_parse(cr_profile_fact(p, "cmdline"), &line);
	w = line.understood ? cr_record_line_find(&line, CR_RECORD_CALL_GRAPH) : NULL;
	if (w)
		how = w->value.len ? call_graph_named(w->value) : CR_CALL_GRAPH_FP;
	cr_record_line_fini(&line);
	return how;
}

static uint32_t
max_depth_of(const struct cr_profile *p, const struct sums *s)
{
	uint32_t *depth = cr_alloc(CR_MAX(p->n_nodes, 1u), sizeof(*depth)), most = 0;

	for (uint32_t n = 1; n < p->n_nodes; n++) {
		depth[n] = depth[p->node_parent[n]] + !(s->is[p->node_location[n]] & CUT);
		if (s->samples[n])
			most = CR_MAX(most, depth[n]);
	}
	free(depth);
	return most;
}

/* Newer kernels report a loss twice: as lost records, and in the counter at the end. */
static void
quality_look(const struct cr_profile *p, struct cr_health *h)
{
	for (uint32_t i = 0; i < p->n_quality; i++) {
		const struct cr_quality *q = &p->quality[i];

		if (cr_str_starts(q->what, "times the kernel throttled"))
			h->throttled = q->count;
		else if (cr_quality_class(q) == CR_QUALITY_LOST)
			h->lost = CR_MAX(h->lost, q->count);
		else if (cr_str_starts(q->what, "dsos named by path alone") ||
			 cr_str_starts(q->what, "objects named by path alone"))
			h->unchecked = q->count;
		else if (cr_str_eq(q->what, CR_STR(CR_QUALITY_COULD_GUESS)))
			h->could_guess = q->count;
	}
}

/*
 * False if the name ends with modifiers, "cycles:ukhp"; true for a tracepoint,
 * "sched:sched_switch".
 */
static bool
name_is_tracepoint(struct cr_str name)
{
	const char *colon = name.len ? memrchr(name.p, ':', name.len) : NULL;

	if (!colon || memchr(name.p, '/', name.len))
		return false;
	for (const char *c = colon + 1; c < name.p + name.len; c++)
		if (!strchr("ukhGHIpPSDWeb", *c))
			return true;
	return false;
}

bool
cr_health_is_sampled(const struct cr_profile *p, uint32_t event)
{
	const struct cr_str how = cr_profile_fact(p, "sampling");

	if (event >= p->n_events || !(p->flags & CR_PROFILE_HAS_ADDR) ||
		cr_event_is_derived(p, (cr_event_id){event}) ||
		cr_event_is_sum(p, (cr_event_id){event}))
		return false;
	return !cr_str_eq(how, CR_STR("every 1")) && !name_is_tracepoint(p->events[event].name);
}

/* ---- dsos, and ends of stacks */

bool
cr_health_wants_build_id(const struct cr_dso *o)
{
	static const char *const memory[] = {
		"/dev/", "/memfd:", "/SYSV", "/anon_hugepage", "//anon"};

	for (size_t i = 0; i < CR_LEN(memory); i++)
		if (cr_str_starts(o->name, memory[i]))
			return false;
	return (o->kind == CR_KIND_USER && cr_str_starts(o->name, "/")) ||
	       o->kind == CR_KIND_KERNEL || o->kind == CR_KIND_MODULE;
}

static int
by_nameless(const void *x, const void *y)
{
	const struct cr_health_dso *a = x, *b = y;

	if (a->nameless != b->nameless)
		return a->nameless < b->nameless ? 1 : -1;
	if (a->nameless_total != b->nameless_total)
		return a->nameless_total < b->nameless_total ? 1 : -1;
	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->dso.i > b->dso.i) - (a->dso.i < b->dso.i);
}

static int
by_cost(const void *x, const void *y, void *dsos)
{
	const struct cr_health_dso *rows = dsos, *a = &rows[*(const uint32_t *)x],
				   *b = &rows[*(const uint32_t *)y];

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->dso.i > b->dso.i) - (a->dso.i < b->dso.i);
}

/*
 * Normally one of several dsos has a build-id, and the kernel always does; otherwise the table was
 * not written.
 */
static void
no_id_finish(const struct cr_profile *p, struct cr_health *h)
{
	uint32_t wanting = 0;
	bool kernel = false;

	h->no_id = cr_alloc(CR_MAX(h->n_dsos, 1u), sizeof(*h->no_id));
	for (uint32_t i = 0; i < h->n_dsos; i++) {
		const struct cr_dso *o = &p->dsos[h->dsos[i].dso.i];

		if (!cr_health_wants_build_id(o))
			continue;
		wanting++;
		if (o->build_id_len)
			continue;
		h->unidentified = cr_add_sat(h->unidentified, h->dsos[i].self);
		h->no_id[h->n_no_id++] = i;
		kernel |= o->kind == CR_KIND_KERNEL;
	}
	h->no_id_table = kernel || (wanting > 1 && h->n_no_id == wanting);
	qsort_r(h->no_id, h->n_no_id, sizeof(*h->no_id), by_cost, h->dsos);
}

/* h takes ownership of all: the rows with a cost, sorted. */
static void
dsos_finish(const struct cr_profile *p, struct cr_health_dso *all, struct cr_health *h)
{
	h->dsos = all;
	for (uint32_t i = 0; i < p->n_dsos; i++) {
		if (!all[i].total)
			continue;
		h->dsos[h->n_dsos] = all[i];
		h->dsos[h->n_dsos++].dso.i = i;
	}
	qsort(h->dsos, h->n_dsos, sizeof(*h->dsos), by_nameless);
	no_id_finish(p, h);
}

static void
ends_finish(const struct cr_profile *p, const uint64_t *ends, struct cr_health *h)
{
	for (uint32_t i = 0; i < p->n_dsos; i++) {
		struct cr_health_end e = {{i}, ends[i]};

		for (uint32_t k = 0; k < CR_HEALTH_ENDS; k++)
			if (e.samples > h->ends[k].samples) {
				const struct cr_health_end out = h->ends[k];

				h->ends[k] = e;
				e = out;
			}
	}
}

const struct cr_finding *
cr_health_find(const struct cr_health *h, enum cr_finding_kind kind)
{
	for (uint32_t i = 0; i < h->n_findings; i++)
		if (h->findings[i].kind == kind)
			return &h->findings[i];
	return NULL;
}

struct cr_str
cr_health_why(const struct cr_profile *p, cr_dso_id dso)
{
	static const char lead[] = "no symbols: ";
	const struct cr_str name = p->dsos[dso.i].name;

	for (uint32_t i = 0; i < p->n_quality; i++) {
		const struct cr_str what = p->quality[i].what;
		const uint32_t at = sizeof(lead) - 1 + name.len;

		if (cr_str_starts(what, lead) && what.len > at + 3 &&
			memcmp(what.p + at, " (", 2) == 0 && cr_str_ends(what, ")") &&
			memcmp(what.p + sizeof(lead) - 1, name.p, name.len) == 0)
			return (struct cr_str){what.p + at + 2, what.len - at - 3};
	}
	return CR_STR("");
}

void
cr_health_make(const struct cr_profile *p, uint32_t event, struct cr_health *out)
{
	struct walk w = {.p = p, .h = out};
	struct sums s;

	*out = (struct cr_health){.event = event};
	cr_needed(p, CR_NEEDS_TREE);
	sums_make(p, event, &s);
	events_look(p, s.is, out);
	if (event < p->n_events)
		out->here = out->events[event];
	if (cr_profile_has_threads(p))
		tasks_count(p, out);
	quality_look(p, out);
	out->stitched = samples_with(p, event, CR_STR("stitched"));
	out->guessed = samples_with(p, event, CR_STR("guessed"));
	out->max_depth = max_depth_of(p, &s);
	out->call_graph = call_graph_of(p, out->max_depth);
	w.s = &s;
	w.stacks = (p->flags & CR_PROFILE_HAS_ADDR) && out->call_graph != CR_CALL_GRAPH_NONE;
	/* The limit may have been raised. Stacks unwound by perf itself have none. */
	w.limit = CR_MAX(out->max_depth, KERNEL_MAX_STACK);
	if (out->call_graph == CR_CALL_GRAPH_DWARF || out->call_graph == CR_CALL_GRAPH_LBR)
		w.limit = UINT32_MAX;
	w.all = cr_alloc(CR_MAX(p->n_dsos, 1u), sizeof(*w.all));
	w.open = cr_alloc(CR_MAX(p->n_dsos, 1u), 2 * sizeof(*w.open));
	w.ends = cr_alloc(CR_MAX(p->n_dsos, 1u), sizeof(*w.ends));
	walk_run(&w);
	dsos_finish(p, w.all, out);
	ends_finish(p, w.ends, out);
	cr_verdict_make(p, out);
	free(w.open);
	free(w.ends);
	cr_vec_fini(&w.path);
	sums_fini(&s);
}

void
cr_health_fini(struct cr_health *h)
{
	free(h->events);
	free(h->dsos);
	free(h->no_id);
	*h = (struct cr_health){0};
}
