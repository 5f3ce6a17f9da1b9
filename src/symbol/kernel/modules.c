#include "modules_p.h"

#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILES 65536
#define MAX_DEPTH 12

void
cr_modules_name(struct cr_str dso, char *out, size_t size)
{
	const struct cr_str base = cr_str_basename(dso);
	const bool bracket = base.len && base.p[0] == '[';
	size_t n = 0;

	out[n++] = '[';
	for (uint32_t i = bracket; i < base.len && n < size - 2; i++) {
		if (base.p[i] == ']' || (!bracket && base.p[i] == '.'))
			break;
		out[n++] = base.p[i] == '-' ? '_' : base.p[i];
	}
	out[n++] = ']';
	out[n] = '\0';
}

/* A search through directories. */
struct walk {
	struct cr_modules *m;
	struct cr_text path;
	size_t root_len;
	uint32_t seen;
};

static bool
is_module(const char *name)
{
	const char *end = strstr(name, ".ko");

	return end && (strcmp(end, ".ko") == 0 || strcmp(end, ".ko.xz") == 0 ||
			      strcmp(end, ".ko.zst") == 0 || strcmp(end, ".ko.gz") == 0);
}

static void
add(struct walk *w, const char *file)
{
	struct cr_module_file f;
	char name[128];

	cr_modules_name(cr_str_of(file), name, sizeof(name));
	f.name = cr_arena_copy(&w->m->arena, name, strlen(name));
	f.path = cr_arena_copy(&w->m->arena, w->path.p + w->root_len, w->path.len - w->root_len);
	cr_vec_push(&w->m->files, f);
}

/* Not every file system returns the type with the name. */
static bool
is_directory(const char *path, unsigned char type)
{
	struct stat st;

	return type == DT_DIR ||
	       (type == DT_UNKNOWN && lstat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static void
walk(struct walk *w, int depth)
{
	const size_t len = w->path.len;
	DIR *dir = opendir(w->path.p);
	const struct dirent *e;

	while (dir && w->seen < MAX_FILES && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		w->seen++;
		w->path.len = len;
		cr_text_char(&w->path, '/');
		cr_text_puts(&w->path, e->d_name);
		if (is_module(e->d_name))
			add(w, e->d_name);
		else if (depth < MAX_DEPTH && is_directory(w->path.p, e->d_type))
			walk(w, depth + 1);
	}
	if (dir)
		closedir(dir);
	w->path.len = len;
}

static int
compare(const void *a, const void *b)
{
	const struct cr_module_file *x = a, *y = b;
	const int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->path, y->path);
}

struct cr_str
cr_modules_release(struct cr_str release)
{
	if (release.len == 0 || release.p[0] == '.' || memchr(release.p, '/', release.len) ||
		memchr(release.p, 0, release.len))
		return CR_STR("");
	return release;
}

void
cr_modules_open(struct cr_modules *m, const char *root, struct cr_str release)
{
	struct walk w = {.m = m, .root_len = strlen(root)};

	*m = (struct cr_modules){0};
	release = cr_modules_release(release);
	if (release.len == 0)
		return;
	cr_text_puts(&w.path, root);
	cr_text_puts(&w.path, "/lib/modules/");
	cr_text_str(&w.path, release);
	walk(&w, 0);
	cr_text_fini(&w.path);
	if (m->files.n)
		qsort(m->files.p, m->files.n, sizeof(*m->files.p), compare);
}

const struct cr_module_file *
cr_modules_find(const struct cr_modules *m, const char *name)
{
	size_t lo = 0, hi = m->files.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (strcmp(m->files.p[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->files.n && strcmp(m->files.p[lo].name, name) == 0 ? &m->files.p[lo] : NULL;
}

void
cr_modules_close(struct cr_modules *m)
{
	cr_vec_fini(&m->files);
	cr_arena_fini(&m->arena);
}
