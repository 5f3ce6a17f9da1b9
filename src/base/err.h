#ifndef CR_BASE_ERR_H
#define CR_BASE_ERR_H

#include <stdint.h>

/*
 * An error, described once by the function that knows the cause.
 *
 * A function that can fail returns 0 or a negative enum cr_code and fills *err, its last parameter,
 * which is never NULL. Callers pass err on unchanged; only the outermost adds the path and prints
 * "cresset: PATH: what, at offset N: why".
 */
enum cr_code {
	CR_OK = 0,
	CR_EFORMAT = -1,      /* the input is malformed */
	CR_ETRUNC = -2,       /* the input ends too early */
	CR_ELIMIT = -3,       /* a documented limit was exceeded */
	CR_EMEM = -4,         /* an allocation sized by the input failed */
	CR_EIO = -5,          /* a system call failed: the message contains the text of errno */
	CR_EUNSUPPORTED = -6, /* known, but not supported by this version */
	CR_ENOTFOUND = -7,    /* no such file, name or event */
	CR_EEXISTS = -8,      /* the name is in use */
	CR_EUSAGE = -9,       /* the caller's words are wrong */
	CR_ECANCEL = -10,     /* cancelled by the user */
	CR_EEMPTY = -11,      /* the input is readable but holds no data */
	CR_EUNKNOWN = -12,    /* the input has no known format */
	CR_ELOCKED = -13,     /* another process holds the lock longer than we wait */
};

#define CR_NO_OFFSET UINT64_MAX

struct cr_err {
	int code;        /* enum cr_code */
	uint64_t offset; /* byte of the input where the error is; CR_NO_OFFSET if none */
	char text[256];  /* one line in lower case without a full stop; truncated if longer */
};

#define CR_ERR_INIT                 \
	{                           \
		0, CR_NO_OFFSET, "" \
	}

/* Fill err and return code, so that a function can end with "return cr_fail(...)". */
int cr_fail(struct cr_err *err, int code, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * The same with the text of errno appended: "cannot open: no such file or directory". Keeps errno.
 */
int cr_fail_errno(struct cr_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
