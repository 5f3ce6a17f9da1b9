#ifndef CR_SESSION_VIEWS_LEAST_P_H
#define CR_SESSION_VIEWS_LEAST_P_H

#include "session/state_p.h"

/*
 * The command `least` of views that show trees line by line: nodes with a smaller share are hidden.
 */
#define CR_LEAST_PPM 5000u /* the default, in millionths: 0.5 % */

/*
 * Parse a share in percent, or "next" for the next common one. Sets *ppm, and the message of the
 * session. CR_EUSAGE for anything else, with *ppm unchanged.
 */
int cr_least_run(struct cr_session *s, const char *args, uint32_t *ppm, struct cr_err *err);

/* The minimum extent of nodes below a node with extent `whole`. */
uint64_t cr_least_extent(uint32_t ppm, uint64_t whole);

#endif
