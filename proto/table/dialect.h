/*
 * dialect.h - what the players hear of a table, in both dialects.
 */
#ifndef PROTO_TABLE_DIALECT_H
#define PROTO_TABLE_DIALECT_H

#include "proto/table/table.h"

void dialect_say_id(const struct table *table, int seat);
void dialect_say_start(const struct table *table, int seat);

/* BOARD; RACK and SCORE, `all` or when they have changed; LEGAL for who wants it and is to move. */
void dialect_say_position(struct table *table, int seat, bool all);

/* What somebody did; the position comes after it. */
void dialect_say_event(const struct table *table, int seat, const struct event *event);

/* `by_rules`: the game itself ended the round. Any other end is ABORTED for a classic player. */
void dialect_say_end(const struct table *table, int seat, const struct outcome *outcome,
		     bool by_rules);
void dialect_say_round(const struct table *table, int seat);
void dialect_say_aborted(const struct table *table, int seat, const char *reason);

/* A line that both dialects have, to one seat. */
void dialect_say(const struct table *table, int seat, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* To all who speak the full dialect but `except`. */
void dialect_say_to_full(const struct table *table, int except, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
