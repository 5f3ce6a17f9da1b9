#include "sqlite_db_p.h"

#ifdef HAVE_SQLITE3

#include "base/mem.h"
#include "base/temp.h"
#include "base/vec.h"
#include "sample_rows_p.h"

#include <dlfcn.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SONAME "libsqlite3.so.0"
#define VFS_NAME "cresset"

/* The functions used, loaded on first use: most runs of the program write no database. */
#define FUNCTIONS(X)      \
	X(vfs_find)       \
	X(vfs_register)   \
	X(vfs_unregister) \
	X(open_v2)        \
	X(close)          \
	X(exec)           \
	X(errmsg)         \
	X(prepare_v2)     \
	X(bind_int64)     \
	X(bind_null)      \
	X(bind_text64)    \
	X(step)           \
	X(reset)          \
	X(finalize)

struct library {
	void *handle;
#define MEMBER(name) __typeof__(sqlite3_##name) *name;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

struct cr_db_row {
	struct cr_db *db;
	sqlite3_stmt *statement;
	int column;           /* of the value set last, from 1 */
	struct cr_arena made; /* texts of this row that had to be changed */
};

struct cr_db {
	struct library lib;
	sqlite3_vfs vfs;
	bool registered;
	int fd;
	sqlite3 *handle;
	CR_VEC(struct cr_db_row *) rows;
	int first_error; /* of SQLite */
	struct cr_err err;
};

static bool
load(const struct library *l, const char *name, void *function)
{
	void *p = dlsym(l->handle, name);

	memcpy(function, &p, sizeof(p));
	return p;
}

static bool
library_open(struct library *l)
{
	bool all = true;

	if (!(l->handle = dlopen(SONAME, RTLD_LAZY | RTLD_NODELETE)))
		return false;
#define LOAD(name) all &= load(l, "sqlite3_" #name, &l->name);
	FUNCTIONS(LOAD)
#undef LOAD
	return all;
}

/* ---- the file */

/*
 * SQLite reaches the file through these functions. The file has one user and no journal, so there
 * is nothing to lock and nothing to restore.
 */
struct db_file {
	sqlite3_file base;
	int fd;
};

static int
file_close(sqlite3_file *file)
{
	(void)file; /* cr_db_close() closes the descriptor */
	return SQLITE_OK;
}

static int
file_read(sqlite3_file *file, void *out, int want, sqlite3_int64 at)
{
	const struct db_file *f = (struct db_file *)file;
	const ssize_t n = pread(f->fd, out, (size_t)want, at);

	if (n == want)
		return SQLITE_OK;
	if (n < 0)
		return SQLITE_IOERR_READ;
	memset((char *)out + n, 0, (size_t)(want - n));
	return SQLITE_IOERR_SHORT_READ;
}

static int
file_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
	const struct db_file *f = (struct db_file *)file;
	const ssize_t n = pwrite(f->fd, bytes, (size_t)len, at);

	if (n == len)
		return SQLITE_OK;
	return n >= 0 || errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int
file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	const struct db_file *f = (struct db_file *)file;

	return ftruncate(f->fd, size) == 0 ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int
file_sync(sqlite3_file *file, int flags)
{
	(void)file;
	(void)flags; /* the copy is synced */
	return SQLITE_OK;
}

static int
file_size(sqlite3_file *file, sqlite3_int64 *out)
{
	const struct db_file *f = (struct db_file *)file;
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return SQLITE_IOERR_FSTAT;
	*out = st.st_size;
	return SQLITE_OK;
}

static int
file_lock(sqlite3_file *file, int level)
{
	(void)file;
	(void)level;
	return SQLITE_OK;
}

static int
file_is_reserved(sqlite3_file *file, int *out)
{
	(void)file;
	*out = 0;
	return SQLITE_OK;
}

static int
file_control(sqlite3_file *file, int what, void *arg)
{
	(void)file;
	(void)what;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static int
file_sector_size(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static int
file_traits(sqlite3_file *file)
{
	(void)file;
	return 0;
}

/* Only the database itself can be opened; its journal and temporary tables stay in memory. */
static int
vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	static const sqlite3_io_methods methods = {
		.iVersion = 1,
		.xClose = file_close,
		.xRead = file_read,
		.xWrite = file_write,
		.xTruncate = file_truncate,
		.xSync = file_sync,
		.xFileSize = file_size,
		.xLock = file_lock,
		.xUnlock = file_lock,
		.xCheckReservedLock = file_is_reserved,
		.xFileControl = file_control,
		.xSectorSize = file_sector_size,
		.xDeviceCharacteristics = file_traits,
	};
	const struct cr_db *db = vfs->pAppData;

	(void)name;
	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	*(struct db_file *)file = (struct db_file){.base = {&methods}, .fd = db->fd};
	if (out_flags)
		*out_flags = flags;
	return SQLITE_OK;
}

static int
vfs_full_path(sqlite3_vfs *vfs, const char *name, int room, char *out)
{
	(void)vfs;
	return snprintf(out, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

/* True for no file: so SQLite looks for no journal of an earlier run. */
static int
vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*out = 0;
	return SQLITE_OK;
}

/* ---- statements */

static void
note(struct cr_db *db, int code)
{
	if (db->first_error || code == SQLITE_OK || code == SQLITE_DONE)
		return;
	db->first_error = code;
	cr_fail(&db->err, CR_EIO, CR_NO_OFFSET, "SQLite: %s", db->lib.errmsg(db->handle));
}

static int
check(const struct cr_db *db, struct cr_err *err)
{
	return db->first_error ? cr_fail(err, CR_EIO, CR_NO_OFFSET, "%s", db->err.text) : CR_OK;
}

void
cr_db_run(struct cr_db *db, const char *sql)
{
	note(db, db->lib.exec(db->handle, sql, NULL, NULL, NULL));
}

struct cr_db_row *
cr_db_insert(struct cr_db *db, const char *sql)
{
	struct cr_db_row *row = cr_alloc(1, sizeof(*row));

	row->db = db;
	note(db, db->lib.prepare_v2(db->handle, sql, -1, &row->statement, NULL));
	cr_vec_push(&db->rows, row);
	return row;
}

void
cr_db_i64(struct cr_db_row *row, int64_t v)
{
	note(row->db, row->db->lib.bind_int64(row->statement, ++row->column, v));
}

void
cr_db_u64(struct cr_db_row *row, uint64_t v)
{
	cr_db_i64(row, (int64_t)CR_MIN(v, (uint64_t)INT64_MAX));
}

void
cr_db_null(struct cr_db_row *row)
{
	note(row->db, row->db->lib.bind_null(row->statement, ++row->column));
}

void
cr_db_text(struct cr_db_row *row, struct cr_str s)
{
	if (!cr_sample_text_ok(s)) {
		struct cr_text safe = {0};

		cr_text_safe(&safe, s);
		s = (struct cr_str){
			cr_arena_copy(&row->made, safe.p, safe.len), (uint32_t)safe.len};
		cr_text_fini(&safe);
	}
	note(row->db, row->db->lib.bind_text64(row->statement, ++row->column, s.len ? s.p : "",
			      s.len, SQLITE_STATIC, SQLITE_UTF8));
}

int
cr_db_row(struct cr_db_row *row, struct cr_err *err)
{
	struct cr_db *db = row->db;

	if (!db->first_error)
		note(db, db->lib.step(row->statement));
	if (!db->first_error)
		note(db, db->lib.reset(row->statement));
	row->column = 0;
	if (row->made.bytes)
		cr_arena_fini(&row->made);
	return check(db, err);
}

/* ---- */

static int
vfs_add(struct cr_db *db)
{
	const sqlite3_vfs *usual = db->lib.vfs_find(NULL);

	if (!usual)
		return SQLITE_ERROR;
	db->vfs = *usual; /* for its clock and its random numbers */
	db->vfs.iVersion = 1;
	db->vfs.szOsFile = sizeof(struct db_file);
	db->vfs.pNext = NULL;
	db->vfs.zName = VFS_NAME;
	db->vfs.pAppData = db;
	db->vfs.xOpen = vfs_open;
	db->vfs.xAccess = vfs_access;
	db->vfs.xFullPathname = vfs_full_path;
	db->registered = db->lib.vfs_register(&db->vfs, 0) == SQLITE_OK;
	return db->registered ? SQLITE_OK : SQLITE_ERROR;
}

static void
begin(struct cr_db *db)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	if (vfs_add(db) != SQLITE_OK) {
		db->first_error = SQLITE_ERROR;
		cr_fail(&db->err, CR_EIO, CR_NO_OFFSET, "SQLite cannot use a file");
		return;
	}
	note(db, db->lib.open_v2("profile", &db->handle, flags, VFS_NAME));
	cr_db_run(db,
		"pragma page_size = 16384; pragma journal_mode = off; pragma synchronous = off;"
		"pragma locking_mode = exclusive; pragma temp_store = memory; begin");
}

int
cr_db_open(struct cr_db **out, struct cr_err *err)
{
	struct cr_db *db = cr_alloc(1, sizeof(*db));

	db->fd = -1;
	*out = db;
	if (!library_open(&db->lib))
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"sqlite needs " SONAME ", which cannot be loaded");
	if ((db->fd = cr_temp_file()) < 0)
		return cr_fail_errno(err, CR_EIO, "cannot create a temporary file");
	begin(db);
	return check(db, err);
}

int
cr_db_copy(struct cr_db *db, struct cr_sink *out, struct cr_err *err)
{
	char *piece = cr_alloc(CR_SINK_LARGE, 1);
	off_t at = 0;
	ssize_t n;
	int rc;

	cr_db_run(db, "commit");
	rc = check(db, err);
	while (rc == CR_OK && (n = pread(db->fd, piece, CR_SINK_LARGE, at)) != 0) {
		rc = n < 0 ? cr_fail_errno(err, CR_EIO, "cannot read the temporary file")
			   : cr_sink_put(out, piece, (size_t)n, err);
		at += n;
	}
	free(piece);
	return rc;
}

static void
rows_free(struct cr_db *db)
{
	for (size_t i = 0; i < db->rows.n; i++) {
		db->lib.finalize(db->rows.p[i]->statement);
		cr_arena_fini(&db->rows.p[i]->made);
		free(db->rows.p[i]);
	}
	cr_vec_fini(&db->rows);
}

void
cr_db_close(struct cr_db *db)
{
	if (!db)
		return;
	rows_free(db);
	if (db->handle)
		db->lib.close(db->handle);
	if (db->registered)
		db->lib.vfs_unregister(&db->vfs);
	if (db->fd >= 0)
		close(db->fd);
	free(db);
}

#endif
