/*
 * config.h - the server's command line. It is the same for every process of a server: a helper is started
 * with the same words and reads them again, and a duel has what its spawner has read.
 */
#ifndef SERVER_SHARED_CONFIG_H
#define SERVER_SHARED_CONFIG_H

#include "proto/wire/args.h"
#include "proto/wire/log.h"
#include "proto/table/shape.h"
#include "server/shared/peer.h"

enum {
	CONFIG_NAMES_MAX = 16,
	CONFIG_BOTS_MAX = 10000, /* --house-max */
};

struct names {
	int count;
	const char *name[CONFIG_NAMES_MAX];
};

/* When a journal is forced to the disk. */
enum sync { SYNC_NEVER, SYNC_END, SYNC_MOVE };

/* What one connection, one address, all of them may have. */
struct config_limits {
	int connections;     /* in all; 0: as many as descriptors allow */
	int per_address;     /* 0: 1000, but at most half of all */
	int tables;	     /* at once; 0: as many as descriptors allow */
	int tables_a_second; /* from one address; 0: any number */
	int tables_held;     /* at which one address has seats; 0: any number */
	int play_within;     /* seconds without being registered; 0: for ever */
	int bots;	     /* computers of the house at once */
};

struct config {
	uint16_t port;
	struct ports broadcast; /* -b: the ports that duels may have */
	struct names listen;	/* --listen: addresses; none: all */
	struct names interface; /* --interface; none: all that are active */
	const char *house;	/* --house: a program, or "off"; NULL: beside the others */
	struct shape_defaults defaults;
	int idle;  /* seconds without a move where the clock is off */
	int grace; /* seconds that a lost seat is kept */
	const char *state;
	enum sync sync;
	const char *user;  /* --user: who root becomes */
	const char *trace; /* --trace: the file of the timeline; NULL: none */
	bool spawn_direct; /* the server forks the duels itself */
	int crash_duel;	   /* the duel of this number, from 1, aborts in mid-game; 0: none */
	bool no_valid, show_board, debug, no_fork;
	enum log_level log_level;
	bool log_json;
	uint16_t metrics_port; /* 0: no HTTP */
	const char *metrics_address;
	int passed; /* listening sockets of systemd's, from descriptor 3 on */
	int ready_fd;
	struct config_limits limits;
	struct peer_limits peer;
};

/* Exits with 2 when something cannot be meant, with 0 after --help and --version. */
void config_read(struct config *config, int argc, char *argv[]);

#endif
