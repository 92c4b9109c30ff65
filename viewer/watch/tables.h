/*
 * tables.h - on which ports a server's tables are broadcast, as it tells itself (TABLES).
 *
 * It asks about once a second over one connection, which is made again whenever it is lost: also when all is well,
 * since a server lets nobody stay who plays nothing.
 */
#ifndef VIEWER_WATCH_TABLES_H
#define VIEWER_WATCH_TABLES_H

#include "viewer/watch/watch.h"

#include "proto/table/frame.h"

enum { TABLES_STAY_MS = 4000 }; /* so long a port stays whose table has ended: its end is seen */

struct tables;
struct link;

/* `whom`, and what NULL means: as of watch_open_server(). */
struct tables *tables_open(const char *host, uint16_t port, const char *whom,
			   char why[WATCH_WHY_MAX]);
void tables_close(struct tables *tables); /* NULL is allowed */

/* What to wait for, and until when at the latest; then tables_step(). */
const struct link *tables_link(const struct tables *tables);
int64_t tables_due_ms(const struct tables *tables);

/* True: there is a new answer. */
bool tables_step(struct tables *tables, int64_t now_ms);

/* The ports that have been told of, in that order: which, and whether a table is there now, or was a moment ago.
 * None is ever taken away. */
const struct ports *tables_ports(const struct tables *tables);
bool tables_is_told(const struct tables *tables, int index, int64_t now_ms);

/* Is one table wanted, or one player's, and not all? Then: is this a frame of it? */
bool tables_is_of_one(const struct tables *tables);
bool tables_wants(struct tables *tables, const struct frame *frame);

/* What there is to say, in one line: what is wrong with the connection, that nothing is played, how many tables have no
 * port; "" when there is nothing. */
const char *tables_note(struct tables *tables, int64_t now_ms);

#endif
