#ifndef CR_BASE_VEC_H
#define CR_BASE_VEC_H

#include "base/mem.h"

/*
 * Typed growable arrays. CR_VEC(int) v = {0}; cr_vec_push(&v, 3); v.p[0]; v.n; cr_vec_fini(&v); A
 * push that grows the array doubles its capacity and invalidates pointers into v.p.
 */
#define CR_VEC(T)           \
	struct {            \
		T *p;       \
		size_t n;   \
		size_t cap; \
	}

#define cr_vec_reserve(v, want)                                                 \
	do {                                                                    \
		if ((v)->cap < (want)) {                                        \
			uint64_t cap_ = (v)->cap ? (uint64_t)(v)->cap * 2 : 16; \
			cap_ = cap_ < (want) ? (want) : cap_;                   \
			(v)->p = cr_realloc((v)->p, cap_, sizeof(*(v)->p));     \
			(v)->cap = (size_t)cap_;                                \
		}                                                               \
	} while (0)

#define cr_vec_push(v, value)                  \
	do {                                   \
		cr_vec_reserve(v, (v)->n + 1); \
		(v)->p[(v)->n++] = (value);    \
	} while (0)

/* Append `count` items, which are not in v. */
#define cr_vec_append(v, items, count)                     \
	do {                                               \
		const size_t count_ = (count);             \
		cr_vec_reserve(v, (v)->n + count_);        \
		for (size_t i_ = 0; i_ < count_; i_++)     \
			(v)->p[(v)->n + i_] = (items)[i_]; \
		(v)->n += count_;                          \
	} while (0)

#define cr_vec_fini(v)                 \
	do {                           \
		free((v)->p);          \
		(v)->p = NULL;         \
		(v)->n = (v)->cap = 0; \
	} while (0)

#include <stdlib.h>

#endif
