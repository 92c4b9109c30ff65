/*
 * post.h - what the readers of a page are told: in each place the newest message, and no other.
 *
 * A message is made once and shared by all who read it; it is there until the last of them has it.
 * A slow reader misses what has been replaced meanwhile, and so never has more than one message a
 * place to read. It knows no network.
 */
#ifndef VIEWER_WEB_POST_H
#define VIEWER_WEB_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message {
	int holders;
	size_t length;
	char bytes[];
};

/* A copy of the bytes, held once. NULL: no memory is left. */
struct message *message_new(const char *bytes, size_t length);
void message_drop(struct message *message); /* NULL is allowed */

struct post {
	uint64_t version; /* the higher the newer; 0: nothing has been put here */
	struct message *message;
};

struct posts {
	uint64_t last;
	int count;
	struct post *post;
};

/* Replace what is in a place; the message is the posts' from now on. False: no memory is left. */
bool posts_put(struct posts *posts, int place, struct message *message);

/* The oldest message that is newer than `seen`, held once more; `seen` becomes its number. NULL: there
 * is none. */
struct message *posts_next(const struct posts *posts, uint64_t *seen);

void posts_free(struct posts *posts);

#endif
