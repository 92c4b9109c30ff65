/*
 * secret.c - ids, tokens and seeds. See secret.h.
 */
#include "server/lobby/secret.h"

#include "proto/wire/text.h"

#include <err.h>
#include <sys/random.h>

#include <uuid/uuid.h>

static void draw(void *bytes, size_t size)
{
	/* so few come whole or not at all, and not at all only before the kernel has any */
	if (getrandom(bytes, size, 0) != (ssize_t)size)
		err(1, "the kernel has no random bytes");
}

/* By libuuid's uuid_generate_random() this would be twenty times as much work: it seeds and mixes in
 * a generator of its own each time. */
void secret_id(char id[UUID_TEXT])
{
	uuid_t bytes;

	draw(bytes, sizeof(bytes));
	bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40); /* version 4: random */
	bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80); /* the variant of RFC 4122 */
	uuid_unparse_lower(bytes, id);
}

void secret_token(char token[TOKEN_TEXT])
{
	struct text text = {.data = token, .size = TOKEN_TEXT};
	unsigned char bytes[(TOKEN_TEXT - 1) / 2];

	draw(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		text_add(&text, "%02x", bytes[i]);
}

bool secret_is_same_token(const char *one, const char *other)
{
	unsigned char differs = 0;

	for (size_t i = 0; i < TOKEN_TEXT; i++)
		differs |= (unsigned char)(one[i] ^ other[i]);
	return differs == 0;
}

uint64_t secret_seed(void)
{
	uint64_t seed;

	draw(&seed, sizeof(seed));
	return seed;
}
