/*
 * inside.h - what the files of a table have in common; the outside is table.h.
 */
#ifndef PROTO_TABLE_INSIDE_H
#define PROTO_TABLE_INSIDE_H

#include "proto/table/table.h"

/* table.c */

/* Tell all but one what has happened; -1: all. */
void table_tell(struct table *table, const struct event *event, int except, int64_t now);

/* The same of a move, and the end of the round when this was it. */
void table_tell_move(struct table *table, const struct event *event, const struct outcome *outcome,
		     bool by_rules, int64_t now);

/* A state that the public may see. */
void table_show(struct table *table);

/* A round that ends by something else than the rules. `last`: the table ends with it. */
void table_end_otherwise(struct table *table, const char *why, uint16_t winners, bool last,
			 int64_t now);
void table_part(struct table *table, int seat, enum parting parting);

/* End the table with ABORTED and this reason. */
void table_abort(struct table *table, const char *reason);

/* For the record, if there is one; seat -1: nobody. */
void table_note(struct table *table, enum deed deed, int seat, const char *words);

/* What is due in the game itself. */
void table_tick_game(struct table *table, int64_t now);

/* people.c */
void table_put_out(struct table *table, int seat, const char *why, int64_t now);
void table_leave_for_good(struct table *table, int seat, enum parting parting, int64_t now);
void table_count_down(struct table *table);

#endif
