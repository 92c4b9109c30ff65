/*
 * secret.h - what nobody can guess: ids, tokens, where chance begins.
 *
 * From the kernel each time: nothing is kept in memory that a fork would copy into a duel, which
 * could then tell what others are given later.
 */
#ifndef SERVER_LOBBY_SECRET_H
#define SERVER_LOBBY_SECRET_H

#include "proto/table/shape.h"

#include <stdint.h>

/* A UUID of version 4. */
void secret_id(char id[UUID_TEXT]);

/* What takes a player back to their seat. */
void secret_token(char token[TOKEN_TEXT]);

/* In a time that does not tell how much of it is the same. */
bool secret_is_same_token(const char *one, const char *other);

uint64_t secret_seed(void);

#endif
