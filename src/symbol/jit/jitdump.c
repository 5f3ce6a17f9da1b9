#include "symbol/jit/jitdump.h"

#include "bytes/cursor.h"
#include "bytes/source.h"
#include "process_p.h"
#include "symbol/addrkey_p.h"
#include "symbol/files/gate_p.h"

#include <inttypes.h>
#include <unistd.h>

#define MAGIC 0x4a695444u /* "JiTD" in the writer's byte order */
#define JITDUMP_VERSION 1
#define HEADER_BYTES 40
#define HEADER_ID 20 /* offset of pid and time */
#define PREFIX_BYTES 16
#define FLAG_ARCH_CLOCK 1
#define MAX_CODE ((size_t)1 << 26)
#define MAX_NAME ((uint32_t)64 << 10)

enum record { CODE_LOAD = 0, CODE_MOVE = 1 };

bool
cr_jitdump_is_name(struct cr_str path)
{
	const struct cr_str base = cr_str_basename(path);

	if (!cr_str_starts(base, "jit-") || !cr_str_ends(base, ".dump") || base.len < 10)
		return false;
	for (uint32_t i = 4; i < base.len - 5; i++)
		if (base.p[i] < '0' || base.p[i] > '9')
			return false;
	return true;
}

static int
header_read(struct cr_cursor *c, struct cr_jitdump *d, struct cr_err *err)
{
	const unsigned char *const p = c->p;
	uint32_t magic, version, size;

	if (cr_cursor_left(c) < HEADER_BYTES)
		return cr_fail(err, CR_ETRUNC, CR_NO_OFFSET, "jitdump shorter than its header");
	magic = cr_cursor_u32(c);
	c->swap = magic == __builtin_bswap32(MAGIC);
	version = cr_cursor_u32(c);
	size = cr_cursor_u32(c);
	if (magic != MAGIC && !c->swap)
		return cr_fail(err, CR_EFORMAT, 0, "not a jitdump");
	if (version != JITDUMP_VERSION || size < HEADER_BYTES)
		return cr_fail(err, CR_EFORMAT, 4,
			"jitdump of version %" PRIu32 ", header of %" PRIu32 " bytes", version,
			size);
	memcpy(d->id, p + HEADER_ID, sizeof(d->id));
	d->machine = (uint16_t)cr_cursor_u32(c);
	d->big_endian = c->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cr_cursor_skip(c, 4); /* padding */
	d->pid = (int32_t)cr_cursor_u32(c);
	cr_cursor_skip(c, 8); /* time */
	d->arch_clock = cr_cursor_u64(c) & FLAG_ARCH_CLOCK;
	cr_cursor_skip(c, size - HEADER_BYTES);
	return CR_OK;
}

struct parse {
	struct cr_jitdump *d;
	CR_VEC(struct cr_addrkey) loads; /* code index, row of d->code */
	CR_VEC(struct cr_addrkey) moves; /* the same */
};

/* The code is at the end of the record, after its name. */
static bool
load_read(struct parse *s, struct cr_cursor c, struct cr_jit_code *code)
{
	uint64_t bytes, index, room;

	code->pid = (int32_t)cr_cursor_u32(&c);
	code->tid = (int32_t)cr_cursor_u32(&c);
	cr_cursor_skip(&c, 8); /* as code->start */
	code->start = code->from = cr_cursor_u64(&c);
	bytes = cr_cursor_u64(&c);
	index = cr_cursor_u64(&c);
	if (c.bad || bytes == 0 || bytes > cr_cursor_left(&c) ||
		!cr_add_ok(code->start, bytes, &code->end))
		return false;
	room = cr_cursor_left(&c) - bytes;
	code->name = cr_cursor_text(&c, room);
	code->offset = cr_cursor_at(&c);
	if (code->name.len == room) /* there is no NUL */
		return false;
	code->name.len = CR_MIN(code->name.len, MAX_NAME);
	cr_vec_push(&s->loads, ((struct cr_addrkey){index, (uint32_t)s->d->code.n, 0}));
	return true;
}

/* The position of the bytes is known when all load records were read. */
static bool
move_read(struct parse *s, struct cr_cursor c, struct cr_jit_code *code)
{
	uint64_t bytes, index;

	code->pid = (int32_t)cr_cursor_u32(&c);
	code->tid = (int32_t)cr_cursor_u32(&c);
	cr_cursor_skip(&c, 8); /* as code->start */
	code->from = cr_cursor_u64(&c);
	code->start = cr_cursor_u64(&c);
	bytes = cr_cursor_u64(&c);
	index = cr_cursor_u64(&c);
	if (c.bad || bytes == 0 || code->start == code->from ||
		!cr_add_ok(code->start, bytes, &code->end))
		return false;
	cr_vec_push(&s->moves, ((struct cr_addrkey){index, (uint32_t)s->d->code.n, 0}));
	return true;
}

static void
records_read(struct parse *s, struct cr_cursor *c)
{
	while (cr_cursor_left(c) >= PREFIX_BYTES) {
		struct cr_cursor rec = *c;
		const uint32_t kind = cr_cursor_u32(&rec), size = cr_cursor_u32(&rec);
		struct cr_jit_code code = {.time = cr_cursor_u64(&rec)};
		bool ok;

		rec = cr_cursor_sub(c, size);
		if (rec.bad || size < PREFIX_BYTES) {
			s->d->cut = true;
			return;
		}
		cr_cursor_skip(&rec, PREFIX_BYTES);
		if (kind != CODE_LOAD && kind != CODE_MOVE)
			continue;
		ok = s->d->code.n < MAX_CODE &&
		     (kind == CODE_LOAD ? load_read(s, rec, &code) : move_read(s, rec, &code));
		if (ok)
			cr_vec_push(&s->d->code, code);
		else
			s->d->damaged++;
	}
	s->d->cut = cr_cursor_left(c) > 0;
}

/* Give moved code the bytes and the name of the code loaded under its index, if there is any. */
static void
moves_resolve(struct parse *s)
{
	struct cr_addrkey *const loads = s->loads.p;

	cr_addrkey_sort(loads, s->loads.n);
	for (size_t i = 0; i < s->moves.n; i++) {
		const uint64_t index = s->moves.p[i].addr;
		const size_t at = cr_addrkey_from(loads, s->loads.n, index);
		struct cr_jit_code *const move = &s->d->code.p[s->moves.p[i].row];
		const struct cr_jit_code *load;

		if (at == s->loads.n || loads[at].addr != index) {
			move->end = move->start;
			s->d->damaged++;
			continue;
		}
		load = &s->d->code.p[loads[at].row];
		move->offset = load->offset;
		move->name = load->name;
		move->end = CR_MIN(move->end, cr_add_sat(move->start, load->end - load->start));
	}
}

/* Sort by time, and drop empty ones. */
static void
code_sort(struct cr_jitdump *d)
{
	struct cr_addrkey *keys = cr_alloc(d->code.n, sizeof(*keys));
	struct cr_jit_code *sorted = cr_alloc(d->code.n, sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; i < d->code.n; i++)
		keys[i] = (struct cr_addrkey){d->code.p[i].time, (uint32_t)i, 0};
	cr_addrkey_sort(keys, d->code.n);
	for (size_t i = 0; i < d->code.n; i++) {
		const struct cr_jit_code *code = &d->code.p[keys[i].row];

		if (code->start < code->end)
			sorted[n++] = *code;
	}
	free(keys);
	free(d->code.p);
	d->code.p = sorted;
	d->code.n = n;
}

int
cr_jitdump_parse(const void *p, size_t len, struct cr_jitdump *out, struct cr_err *err)
{
	struct parse s = {.d = out};
	struct cr_cursor c;
	int rc;

	*out = (struct cr_jitdump){.cut = false};
	cr_cursor_init(&c, p, len);
	if ((rc = header_read(&c, out, err)) < 0)
		return rc;
	records_read(&s, &c);
	moves_resolve(&s);
	code_sort(out);
	cr_vec_fini(&s.loads);
	cr_vec_fini(&s.moves);
	return CR_OK;
}

/* ---- its file */

/* The marker identifies the process; once that is checked, the id identifies the jitdump. */
static bool
process_is_recorded(const struct cr_symbol_opts *opts, const struct cr_jit_marker *m)
{
	return m->id || cr_process_has(opts->opener, m->pid,
				&(struct cr_process_map){m->start, 0, m->path}, 1);
}

/*
 * The user who may have written the jitdump: that of the process, if it still runs and is the
 * recorded one.
 */
static uint32_t
owner_of(const struct cr_symbol_opts *opts, const struct cr_jit_marker *m)
{
	const bool lives = m->pid > 0 && cr_process_has(opts->opener, m->pid,
						 &(struct cr_process_map){m->start, 0, m->path}, 1);

	return lives ? cr_process_owner(m->pid) : CR_GATE_NOBODY;
}

/*
 * Returns false if there is none at the path, or it is another one, or *refusal explains why not.
 */
static bool
try_path(const struct cr_symbol_opts *opts, const struct cr_text *path,
	const struct cr_jit_marker *m, struct cr_jitdump *out, const char **refusal)
{
	const int fd = cr_gate_open(opts, path->p, CR_GATE_OWNED, owner_of(opts, m));
	struct cr_source *src = NULL;
	struct cr_err err = CR_ERR_INIT;
	bool ok;

	if (fd < 0) {
		*refusal = *refusal ? *refusal : cr_gate_refusal(path->p);
		return false;
	}
	ok = cr_source_open_fd(fd, CR_SOURCE_MAX_PIPE, &src, &err) == CR_OK &&
	     cr_jitdump_parse(cr_source_bytes(src), cr_source_len(src), out, &err) == CR_OK &&
	     (!m->id || memcmp(m->id, out->id, sizeof(out->id)) == 0);
	close(fd);
	if (ok) {
		out->src = src;
		return true;
	}
	cr_jitdump_fini(out);
	cr_source_close(src);
	return false;
}

int
cr_jitdump_open(const struct cr_symbol_opts *opts, const struct cr_jit_marker *m,
	struct cr_jitdump *out, struct cr_err *err)
{
	const struct cr_str base = cr_str_basename(m->path);
	const int base_len = (int)base.len, len = (int)m->path.len;
	const char *refusal = NULL;
	struct cr_text path = {0};
	bool ok = false;

	*out = (struct cr_jitdump){.cut = false};
	if (opts->map_dir) {
		cr_text_printf(&path, "%s/%.*s", opts->map_dir, base_len, base.p);
		ok = try_path(opts, &path, m, out, &refusal);
		cr_text_clear(&path);
		cr_text_printf(
			&path, "%s/%" PRId32 "/%.*s", opts->map_dir, m->pid, base_len, base.p);
		ok = ok || try_path(opts, &path, m, out, &refusal);
	}
	if (!ok && !opts->symfs && m->pid > 0 && process_is_recorded(opts, m)) {
		cr_text_clear(&path);
		cr_text_printf(&path, "/proc/%" PRId32 "/root%.*s", m->pid, len, m->path.p);
		ok = try_path(opts, &path, m, out, &refusal);
	}
	if (!ok && m->path.len && m->path.p[0] == '/') {
		cr_text_clear(&path);
		cr_text_printf(&path, "%s%.*s", opts->symfs ? opts->symfs : "", len, m->path.p);
		ok = try_path(opts, &path, m, out, &refusal);
	}
	cr_text_fini(&path);
	if (ok)
		return CR_OK;
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "%s", refusal ? refusal : "no such file");
}

void
cr_jitdump_fini(struct cr_jitdump *d)
{
	cr_vec_fini(&d->code);
	cr_source_close(d->src);
	d->src = NULL;
}
