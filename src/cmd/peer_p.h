#ifndef CR_CMD_PEER_P_H
#define CR_CMD_PEER_P_H

/*
 * The words of peers.def that the name of another program stands for, ended by NULL; NULL if argv0,
 * a name or a path, is none of them. The first word is a subcommand.
 */
const char *const *cr_peer_words(const char *argv0);

#endif
