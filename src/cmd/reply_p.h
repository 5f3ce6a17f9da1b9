#ifndef CR_CMD_REPLY_P_H
#define CR_CMD_REPLY_P_H

#include "options_p.h"

#include "base/json_out.h"

/*
 * What a command prints with --json: an envelope that is the same for all commands, around data of
 * its own. docs/json.md describes both, docs/cresset.schema.json defines them.
 *
 *	cr_reply_begin(&r, o, CR_REPLY_ONE);
 *	cr_json_out_open(&r.json, '{');      one value, of any kind
 *	...
 *	cr_json_out_close(&r.json);
 *	cr_reply_end(&r);
 *
 * The warnings come last, because a command may find some while it prints. A reply must not move
 * until its end.
 */
enum cr_reply_of {
	CR_REPLY_NONE, /* the command is about no profile: "profile" is null */
	CR_REPLY_ONE,  /* about its first argument: a string */
	CR_REPLY_ALL   /* about all its arguments: a list */
};

struct cr_reply {
	const struct cr_options *o;
	struct cr_text text; /* what was not printed yet */
	struct cr_json_out json;
};

void cr_reply_begin(struct cr_reply *r, const struct cr_options *o, enum cr_reply_of of);

/* Print what has been written so far, so that a long reply needs no memory. */
void cr_reply_flush(struct cr_reply *r);

/* Write what is missing in a profile, as the member "missing" of an object. */
void cr_reply_missing(struct cr_reply *r, const struct cr_profile *p);

/* Write the tags of a profile, as the member "tags" of an object. */
void cr_reply_tags(struct cr_json_out *j, const struct cr_profile *p);

/* Write the end of the envelope, without printing it: for replies that are measured first. */
void cr_reply_close(struct cr_reply *r);

/* Print the reply, closing it unless that was done, and free it. */
void cr_reply_end(struct cr_reply *r);

/* Free a reply that is not to be printed. */
void cr_reply_fini(struct cr_reply *r);

#endif
