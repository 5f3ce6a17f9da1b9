#ifndef CR_MODEL_BUILD_NAMING_H
#define CR_MODEL_BUILD_NAMING_H

#include "model/profile.h"

/*
 * Give the locations of a finished profile their functions: a profile in, a new profile out.
 * What is not named keeps the nameless function of its dso.
 *
 *	n = cr_naming_new(p);
 *	f = cr_naming_function(n, &(struct cr_function){...});   interned by name, dso and addr
 *	cr_naming_line(n, location, &(struct cr_line){f, 12});   innermost first, further calls
 *	                                                         append
 *	p = cr_naming_finish(n);                                 p is taken, n is gone
 */
struct cr_naming;

struct cr_naming *cr_naming_new(struct cr_profile *p /* taken */);
cr_function_id cr_naming_function(struct cr_naming *n, const struct cr_function *f);
/*
 * Lines of one location must come one right after the other; a location is named once. Past 65535
 * they are dropped.
 */
void cr_naming_line(struct cr_naming *n, cr_location_id location, const struct cr_line *line);
void cr_naming_quality(struct cr_naming *n, struct cr_str what, uint64_t count);
void cr_naming_build_id(struct cr_naming *n, cr_dso_id dso, const uint8_t *id,
	uint8_t len); /* learned from the file */
struct cr_profile *cr_naming_finish(struct cr_naming *n);

#endif
