#ifndef CR_BASE_ERR_H
#define CR_BASE_ERR_H

#include <stdint.h>

/*
 * What went wrong, told once, where the cause is known.
 *
 * A function that can fail returns 0 or a negative enum cr_code and fills *err, which is its
 * last parameter and never NULL. Callers hand err on untouched; only the outermost adds the
 * path and prints "cresset: PATH: what, at offset N: why".
 */
enum cr_code {
	CR_OK = 0,
	CR_EFORMAT = -1,      /* the bytes are not what they should be */
	CR_ETRUNC = -2,       /* they end too early */
	CR_ELIMIT = -3,       /* a stated limit was passed */
	CR_EMEM = -4,         /* an allocation that the input sized failed */
	CR_EIO = -5,          /* the system refused: errno's text is in the message */
	CR_EUNSUPPORTED = -6, /* a known thing that this version does not read */
	CR_ENOTFOUND = -7,    /* no such file, name or event */
	CR_EEXISTS = -8,      /* the name is taken */
	CR_EUSAGE = -9,       /* the caller's words are off */
	CR_ECANCEL = -10,     /* stopped by the user */
	CR_EEMPTY = -11,      /* an input that can be read, and holds nothing */
	CR_EUNKNOWN = -12,    /* an input of no format that is known */
	CR_ELOCKED = -13,     /* another process holds it, for longer than we wait */
};

#define CR_NO_OFFSET UINT64_MAX

struct cr_err {
	int code;        /* enum cr_code */
	uint64_t offset; /* byte of the input it is about; CR_NO_OFFSET where there is none */
	char text[256];  /* one line, lower case, no full stop, cut if longer */
};

#define CR_ERR_INIT                 \
	{                           \
		0, CR_NO_OFFSET, "" \
	}

/* Fill err and return code, so that a failing function ends in "return cr_fail(...)". */
int cr_fail(struct cr_err *err, int code, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same with errno's text behind it: "cannot open: no such file or directory". Keeps errno. */
int cr_fail_errno(struct cr_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
