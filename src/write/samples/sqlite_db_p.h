#ifndef CR_WRITE_SAMPLES_SQLITE_DB_P_H
#define CR_WRITE_SAMPLES_SQLITE_DB_P_H

#include "base/sink.h"

/*
 * Writes a new SQLite database. It grows in a temporary file without a name, which is copied to the
 * output when it is complete; SQLite opens no file by itself.
 *
 *	rc = cr_db_open(&db, err)
 *	cr_db_run(db, "create table t (id integer, name text)");
 *	row = cr_db_insert(db, "insert into t values (?, ?)");
 *	cr_db_u64(row, 1);
 *	cr_db_text(row, name);
 *	rc = cr_db_row(row, err)          each further row the same way
 *	rc = cr_db_copy(db, out, err)
 *	cr_db_close(db)                   always
 *
 * Functions without an error remember the first one; the next cr_db_row() or cr_db_copy() returns
 * it. In a build without libsqlite3 (HAVE_SQLITE3) there are no such functions.
 */
struct cr_db;
struct cr_db_row;

/*
 * Create an empty database; everything up to cr_db_copy() is one transaction. CR_EUNSUPPORTED if
 * libsqlite3 cannot be loaded, CR_EIO if there is no room for the file. *out is set in any case.
 */
int cr_db_open(struct cr_db **out, struct cr_err *err);

/* Run statements that return no rows. */
void cr_db_run(struct cr_db *db, const char *sql);

/* Prepare a statement that inserts one row at a time. Freed by cr_db_close(). */
struct cr_db_row *cr_db_insert(struct cr_db *db, const char *sql);

/* Set the next value of the row. Numbers above INT64_MAX become INT64_MAX. */
void cr_db_u64(struct cr_db_row *row, uint64_t v);
void cr_db_i64(struct cr_db_row *row, int64_t v);
void cr_db_null(struct cr_db_row *row);
/*
 * A text. It is borrowed until cr_db_row(). If it is not UTF-8 or has a NUL byte, it is written as
 * cr_text_safe() writes it.
 */
void cr_db_text(struct cr_db_row *row, struct cr_str s);

/* Insert the row. CR_EIO if SQLite reports an error, such as a full disk. */
int cr_db_row(struct cr_db_row *row, struct cr_err *err);

/* End the transaction and copy the database to `out`. */
int cr_db_copy(struct cr_db *db, struct cr_sink *out, struct cr_err *err);

/* NULL is allowed. */
void cr_db_close(struct cr_db *db);

#endif
