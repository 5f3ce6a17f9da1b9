#include "java_frame_p.h"

#include <time.h>

/*
 * Java thread dumps: jstack, jcmd Thread.print, kill -3. Each thread has a header line, its state,
 * its frames (innermost first) and a blank line:
 *
 *	"main" #1 prio=5 os_prio=0 cpu=39.18ms elapsed=2.45s tid=0x7f9 nid=0x678f runnable  [0x...]
 *	   java.lang.Thread.State: RUNNABLE
 *		at java.lang.Thread.sleep(java.base@17.0.15/Native Method)
 *		- locked <0x000000069ec191f0> (a java.lang.Object)
 *
 * Each thread is a sample of weight 1, named after it. The event tells what the thread was doing.
 * The main event is the running threads; the others can be selected and do not hide them. The JVM
 * reports a thread that polls or reads a socket as running too; those are separate events.
 */
enum doing { RUNNABLE, WAITING, TIMED_WAITING, BLOCKED, NETWORK, BACKGROUND, OTHER, DOINGS };

static const char *const doing_names[DOINGS] = {
	"RUNNABLE",
	"WAITING",
	"TIMED_WAITING",
	"BLOCKED",
	"NETWORK",
	"BACKGROUND",
	"OTHER",
};

struct thread {
	struct cr_str name;
	uint64_t number; /* "#12"; 0 if none */
	uint64_t nid;    /* the operating system's number of it */
	uint64_t tid;    /* an address inside the JVM */
	bool has_nid;
};

struct dump {
	struct cr_stacks s;
	struct thread thread;
	bool in_thread;       /* after its header: frames belong to it up to the next blank line */
	bool in_deadlock;     /* threads are listed again */
	struct cr_str state;  /* "TIMED_WAITING (sleeping)"; "" before that line */
	enum doing by_frames; /* what a frame reveals; OTHER if none does */
	cr_event_id event[DOINGS];
	bool has_event[DOINGS];
	uint64_t threads[DOINGS], frameless;
	int32_t pid; /* printed by jcmd; otherwise -1 */
};

/* ---- lines */

/* True if s may follow the name, which may contain quotes. */
static bool
follows_name(struct cr_str s)
{
	static const char *const words[] = {
		" #", " daemon ", " prio=", " os_prio=", " tid=", " [", " virtual "};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_starts(s, words[i]))
			return true;
	return false;
}

static void
thread_word(struct cr_str word, struct thread *t, bool *sure)
{
	uint64_t number;

	if (cr_str_starts(word, "#")) {
		if (cr_scan_u64(cr_str_from(word, word.p + 1), &number))
			t->number = number;
	} else if (cr_str_starts(word, "tid=")) {
		cr_scan_hex(cr_str_from(word, word.p + 4), &t->tid);
		*sure = true;
	} else if (cr_str_starts(word, "nid=")) {
		const struct cr_str value = {word.p + 4, word.len - 4};

		t->has_nid = cr_str_starts(value, "0x") ? cr_scan_hex(value, &t->nid)
							: cr_scan_u64(value, &t->nid);
	} else if (cr_str_starts(word, "prio=") || cr_str_starts(word, "os_prio=")) {
		*sure = true;
	}
}

static bool
thread_parse(struct cr_str line, struct thread *out)
{
	struct cr_str rest = {0}, word;
	bool sure = false;

	*out = (struct thread){0};
	if (line.len < 2 || line.p[0] != '"')
		return false;
	for (uint32_t i = line.len; i-- > 1 && !rest.p;)
		if (line.p[i] == '"' && follows_name(cr_str_from(line, line.p + i + 1)))
			rest = cr_str_from(line, line.p + i + 1);
	if (!rest.p)
		return false;
	out->name = cr_str_to(cr_str_from(line, line.p + 1), rest.p - 1);
	while ((word = cr_scan_word(&rest)).len)
		thread_word(word, out, &sure);
	return sure;
}

/*
 * "2026-11-20 11:02:33" has no time zone; it is read as UTC, so that the distances of several dumps
 * are right.
 */
static bool
date_parse(struct cr_str line, uint64_t *ns)
{
	static const char form[] = "0000-00-00 00:00:00";
	int part[6] = {0}, n = 0;
	struct tm tm;
	time_t t;

	if (line.len != sizeof(form) - 1)
		return false;
	for (uint32_t i = 0; i < line.len; i++) {
		const bool digit = line.p[i] >= '0' && line.p[i] <= '9';

		if (digit != (form[i] == '0') || (!digit && line.p[i] != form[i]))
			return false;
		if (digit)
			part[n] = part[n] * 10 + (line.p[i] - '0');
		else
			n++;
	}
	tm = (struct tm){.tm_year = part[0] - 1900,
		.tm_mon = part[1] - 1,
		.tm_mday = part[2],
		.tm_hour = part[3],
		.tm_min = part[4],
		.tm_sec = part[5]};
	t = timegm(&tm);
	*ns = t > 0 ? (uint64_t)t * 1000000000u : 0;
	return t > 0;
}

/* ---- what a thread was doing */

static bool
holds(struct cr_str s, const char *what)
{
	return s.len && memmem(s.p, s.len, what, strlen(what));
}

static enum doing
doing_by_frame(struct cr_str name)
{
	if (holds(name, "epollWait") || holds(name, "EPoll.wait"))
		return WAITING;
	if (cr_str_ends(name, "socketAccept") || cr_str_ends(name, "socketRead0") ||
		(cr_str_ends(name, "accept0") && holds(name, "Socket")))
		return NETWORK;
	return OTHER;
}

static enum doing
doing_of(const struct dump *d)
{
	static const char *const background[] = {
		" CompilerThread",
		"Signal Dispatcher",
		"Service Thread",
		"Attach Listener",
	};
	struct cr_str rest = d->state;
	const struct cr_str word = cr_scan_word(&rest);
	enum doing state = OTHER;

	for (int i = RUNNABLE; i <= BLOCKED; i++)
		if (cr_str_eq(word, cr_str_of(doing_names[i])))
			state = (enum doing)i;
	if (state != RUNNABLE)
		return state;
	for (size_t i = 0; i < CR_LEN(background); i++)
		if (holds(d->thread.name, background[i]))
			return BACKGROUND;
	return d->by_frames != OTHER ? d->by_frames : RUNNABLE;
}

static cr_event_id
event_of(struct dump *d, enum doing doing)
{
	if (!d->has_event[doing]) {
		d->event[doing] =
			cr_builder_event(d->s.b, cr_str_of(doing_names[doing]), CR_STR("threads"));
		d->has_event[doing] = true;
	}
	return d->event[doing];
}

/* ---- samples */

static void
report_fields(struct dump *d)
{
	struct cr_builder *b = d->s.b;
	const cr_event_id event = d->s.event;

	if (d->state.len)
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("state"), CR_FORM_TEXT),
			cr_builder_text(b, d->state));
	if (d->thread.number)
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("java id"), CR_FORM_NUMBER),
			d->thread.number);
	if (d->thread.tid)
		cr_builder_value(b, cr_builder_field(b, event, CR_STR("java tid"), CR_FORM_HEX),
			d->thread.tid);
}

static void
thread_end(struct dump *d)
{
	const bool open = d->in_thread;
	const int32_t nid =
		d->thread.has_nid && d->thread.nid <= INT32_MAX ? (int32_t)d->thread.nid : -1;
	const enum doing doing = doing_of(d);

	d->in_thread = false;
	if (!open)
		return;
	if (d->s.frames.n == 0) {
		d->frameless++;
		return;
	}
	d->threads[doing]++;
	d->s.event = event_of(d, doing);
	d->s.task = cr_builder_task(d->s.b, d->pid, nid, d->thread.name, d->s.space);
	cr_stacks_clear_roots(&d->s);
	cr_stacks_root(&d->s, cr_java_pool(d->thread.name));
	cr_stacks_end_leaf_first(&d->s, 1);
	report_fields(d);
	if (d->s.time_ns)
		cr_builder_flags(d->s.b, CR_PROFILE_HAS_TIME);
}

static void
thread_begin(struct dump *d, const struct thread *t)
{
	d->thread = *t;
	d->in_thread = true;
	d->in_deadlock = false;
	d->state = CR_STR("");
	d->by_frames = OTHER;
}

static void
frame(struct dump *d, struct cr_str line, bool is_frame, const struct cr_java_frame *f)
{
	cr_diagnostics_fate(&d->s.report, d->in_deadlock ? CR_LINE_PASSED : CR_LINE_USED);
	if (d->in_deadlock)
		return;
	if (!d->in_thread) {
		cr_stacks_report(&d->s, CR_REASON_FRAME_OUTSIDE_SAMPLE, line);
	} else if (!is_frame) {
		cr_stacks_report(&d->s, CR_REASON_BAD_FRAME, line);
	} else {
		if (d->by_frames == OTHER)
			d->by_frames = doing_by_frame(f->name);
		cr_java_push(&d->s, f);
	}
}

/* True for lines among a thread's frames that are none: locks, and why there are no frames. */
static bool
is_about_thread(struct cr_str s)
{
	return cr_str_starts(s, "- ") || cr_str_starts(s, "No compile task") ||
	       cr_str_starts(s, "Compiling: ") ||
	       cr_str_starts(s, "Locked ownable synchronizers") ||
	       cr_str_starts(s, "Locked synchronizers") || cr_str_starts(s, "JavaThread ") ||
	       cr_str_starts(s, "Carrying virtual thread ") ||
	       cr_str_starts(s, "Mounted virtual thread ");
}

/* True for lines of a dump that do not belong to a thread. */
static bool
is_about_dump(struct cr_str line)
{
	static const char *const begins[] = {
		"Full thread dump ",
		"Threads class SMR info:",
		"_java_thread_list=",
		"0x",
		"}",
		"JNI global ref",
		"=====",
		"Java stack information for ",
		"Found ",
		"Heap",
	};

	for (size_t i = 0; i < CR_LEN(begins); i++)
		if (cr_str_starts(line, begins[i]))
			return true;
	return false;
}

/* "5120:" */
static bool
pid_parse(struct cr_str line, int32_t *pid)
{
	uint64_t number;

	if (!cr_str_ends(line, ":") ||
		!cr_scan_u64((struct cr_str){line.p, line.len - 1}, &number) || number > INT32_MAX)
		return false;
	*pid = (int32_t)number;
	return true;
}

/* From "Found one Java-level deadlock:" to "Found 1 deadlock." */
static void
dump_line(struct dump *d, struct cr_str line)
{
	uint64_t ns;

	if (date_parse(line, &ns)) {
		thread_end(d);
		d->s.time_ns = ns;
		cr_stacks_used(&d->s);
	} else if (pid_parse(line, &d->pid)) {
		thread_end(d);
		cr_stacks_used(&d->s);
	} else if (is_about_dump(line)) {
		thread_end(d);
		cr_stacks_used(&d->s);
		if (cr_str_starts(line, "Found "))
			d->in_deadlock = cr_str_ends(line, ":");
		else if (cr_str_starts(line, "Full thread dump "))
			d->in_deadlock = false;
	} else if (d->in_deadlock) {
		cr_stacks_passed(&d->s);
	} else {
		/* Output of the program, even among frames. */
		cr_stacks_report(&d->s, CR_REASON_NOISE, line);
	}
}

static void
line_read(struct dump *d, struct cr_str line)
{
	static const struct cr_str state = CR_STR("java.lang.Thread.State: ");
	const struct cr_str s = cr_scan_trim(line);
	struct cr_java_frame f;
	struct thread t;
	bool is_at, is_frame;

	if (s.len == 0) {
		thread_end(d);
	} else if (thread_parse(line, &t)) {
		thread_end(d);
		thread_begin(d, &t);
		cr_stacks_used(&d->s);
	} else if (cr_str_starts(s, state.p)) {
		cr_stacks_used(&d->s);
		if (d->state.len == 0)
			d->state = cr_str_from(s, s.p + state.len);
	} else {
		is_frame = cr_java_at(line, &is_at, &f);
		if (is_at)
			frame(d, line, is_frame, &f);
		else if (line.p[0] == '#' || is_about_thread(s))
			cr_stacks_passed(&d->s);
		else if (line.p[0] != ' ' && line.p[0] != '\t')
			dump_line(d, line);
		else if (d->in_thread)
			cr_stacks_report(&d->s, CR_REASON_BAD_FRAME, line);
		else
			cr_stacks_passed(&d->s); /* about the heap or a deadlock */
	}
}

/* "7: RUNNABLE 2, WAITING 1, without a stack 4" */
static void
report_threads(struct dump *d)
{
	struct cr_text t = {0};
	uint64_t sum = d->frameless;

	for (int i = 0; i < DOINGS; i++)
		sum += d->threads[i];
	cr_text_u64(&t, sum);
	for (int i = 0; i < DOINGS; i++)
		if (d->threads[i])
			cr_text_printf(
				&t, ", %s %llu", doing_names[i], (unsigned long long)d->threads[i]);
	if (d->frameless)
		cr_text_printf(&t, ", without a stack %llu", (unsigned long long)d->frameless);
	cr_builder_fact(d->s.b, "threads", cr_text_view(&t));
	cr_text_fini(&t);
}

static int
read_jstack(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct dump d = {.pid = -1};
	struct cr_str line;

	cr_stacks_open_bare(&d.s, in, b, opts);
	event_of(&d, RUNNABLE); /* it must be the first event */
	cr_builder_fact(b, "main event", cr_str_of(doing_names[RUNNABLE]));
	cr_builder_flags(b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
	while (cr_stacks_line(&d.s, &line))
		line_read(&d, line);
	thread_end(&d);
	report_threads(&d);
	return cr_stacks_close(&d.s, err);
}

static bool
is_jstack(struct cr_str line)
{
	struct thread t;

	return cr_str_starts(line, "Full thread dump ") || thread_parse(line, &t);
}

static unsigned
probe_jstack(const struct cr_head *head, uint64_t *line)
{
	return cr_stacks_signature(head, is_jstack, CR_EVIDENCE_SIGNATURE, 0, line);
}

const struct cr_reader cr_reader_jstack = {
	.name = "jstack",
	.about = "thread dumps of Java: jstack, jcmd Thread.print, kill -3",
	.probe = probe_jstack,
	.read = read_jstack,
};
