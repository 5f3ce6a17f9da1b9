#ifndef CR_MODEL_BUILD_NAMING_H
#define CR_MODEL_BUILD_NAMING_H

#include "model/profile.h"

/*
 * Gives the locations of a finished profile their functions, which makes a new profile. Locations
 * that are not named keep the nameless function of their dso.
 *
 *	n = cr_naming_new(p);                                    takes ownership of p
 *	f = cr_naming_function(n, &(struct cr_function){...});   one row for each name, dso and addr
 *	cr_naming_line(n, location, &(struct cr_line){f, 12});   innermost first, one call per line
 *	p = cr_naming_finish(n);                                 frees n; the caller owns p
 */
struct cr_naming;

struct cr_naming *cr_naming_new(struct cr_profile *p /* owned by the result */);
cr_function_id cr_naming_function(struct cr_naming *n, const struct cr_function *f);
/*
 * Append a line to a location. The lines of one location must be added consecutively, and only
 * once. Lines beyond 65535 are dropped.
 */
void cr_naming_line(struct cr_naming *n, cr_location_id location, const struct cr_line *line);
/* Add a count to the quality of the profile; counts with the same text are added. */
void cr_naming_quality(struct cr_naming *n, struct cr_str what, uint64_t count);
/* Read from the dso's file. */
void cr_naming_build_id(struct cr_naming *n, cr_dso_id dso, const uint8_t *id, uint8_t len);
struct cr_profile *cr_naming_finish(struct cr_naming *n);

#endif
