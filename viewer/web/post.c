/*
 * post.c - in each place the newest message. See post.h.
 *
 * A message that has been replaced lives on until its last reader drops it.
 */
#include "viewer/web/post.h"

#include <stdlib.h>
#include <string.h>

struct message *message_new(const char *bytes, size_t length)
{
	struct message *message = malloc(sizeof(*message) + length);

	if (message == NULL)
		return NULL;
	message->holders = 1;
	message->length = length;
	memcpy(message->bytes, bytes, length);
	return message;
}

void message_drop(struct message *message)
{
	if (message != NULL && --message->holders == 0)
		free(message);
}

static bool reach_place(struct posts *posts, int place)
{
	struct post *post;

	if (place < posts->count)
		return true;
	post = realloc(posts->post, ((size_t)place + 1) * sizeof(*post));
	if (post == NULL)
		return false;
	for (int i = posts->count; i <= place; i++)
		post[i] = (struct post){0};
	posts->post = post;
	posts->count = place + 1;
	return true;
}

bool posts_put(struct posts *posts, int place, struct message *message)
{
	struct post *post;

	if (message == NULL || !reach_place(posts, place)) {
		message_drop(message);
		return false;
	}
	post = &posts->post[place];
	message_drop(post->message);
	post->message = message;
	post->version = ++posts->last;
	return true;
}

struct message *posts_next(const struct posts *posts, uint64_t *seen)
{
	struct post *oldest = NULL;

	if (*seen == posts->last)
		return NULL;
	for (int i = 0; i < posts->count; i++) {
		struct post *post = &posts->post[i];

		if (post->version > *seen && (oldest == NULL || post->version < oldest->version))
			oldest = post;
	}
	if (oldest == NULL)
		return NULL;
	*seen = oldest->version;
	oldest->message->holders++;
	return oldest->message;
}

void posts_free(struct posts *posts)
{
	for (int i = 0; i < posts->count; i++)
		message_drop(posts->post[i].message);
	free(posts->post);
	*posts = (struct posts){0};
}
