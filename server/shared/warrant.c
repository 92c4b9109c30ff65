/*
 * warrant.c - makes and checks warrants. See warrant.h.
 *
 * Owns: the key, in the server and the recorder. HMAC with SHA-256, cut to half its length: of what nobody
 * can try out anywhere else that is plenty.
 * Never: is in a spawner; so no duel has the key.
 */
#include "server/shared/warrant.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <sha2.h>

enum {
	KEY = 32,	  /* bytes */
	TEXT_MOST = 4096, /* of a table and ten seats, and more */
};

/* What the key makes of the two hashes of an HMAC before anything is said. */
static struct {
	bool there;
	SHA2_CTX inner, outer;
} key;

/* --- the key ---------------------------------------------------------------------------------- */

static void make(int state, const char *path, enum sync sync, uint8_t bytes[KEY])
{
	int fd = openat(state, "key.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (getrandom(bytes, KEY, 0) != KEY)
		err(1, "no random bytes for %s", path);
	if (fd < 0 || write(fd, bytes, KEY) != KEY || (sync != SYNC_NEVER && fsync(fd) != 0) ||
	    renameat(state, "key.new", state, "key") != 0)
		err(1, "cannot make %s (it proves which games are the server's own)", path);
	close(fd);
}

static void set(const uint8_t bytes[KEY])
{
	uint8_t inner[SHA256_BLOCK_LENGTH], outer[SHA256_BLOCK_LENGTH];

	memset(inner, 0x36, sizeof(inner));
	memset(outer, 0x5c, sizeof(outer));
	for (int i = 0; i < KEY; i++) {
		inner[i] ^= bytes[i];
		outer[i] ^= bytes[i];
	}
	SHA256Init(&key.inner);
	SHA256Update(&key.inner, inner, sizeof(inner));
	SHA256Init(&key.outer);
	SHA256Update(&key.outer, outer, sizeof(outer));
	key.there = true;
	explicit_bzero(inner, sizeof(inner));
	explicit_bzero(outer, sizeof(outer));
}

void warrant_open(const char *state, enum sync sync)
{
	int folder = open(state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = openat(folder, "key", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	uint8_t bytes[KEY + 1];
	char path[4096];

	snprintf(path, sizeof(path), "%s/key", state);
	if (fd < 0 && errno == ENOENT)
		make(folder, path, sync, bytes);
	else if (fd < 0)
		err(1, "cannot read %s", path);
	else if (read(fd, bytes, sizeof(bytes)) != KEY)
		errx(1, "%s is no key of %d bytes: take it away, and unfinished games with it",
		     path, KEY);
	if (fd >= 0)
		close(fd);
	close(folder);
	set(bytes);
	explicit_bzero(bytes, sizeof(bytes));
}

/* --- warrants --------------------------------------------------------------------------------- */

static void make_warrant(char warrant[WARRANT_TEXT], const struct text *text)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t hash[SHA256_DIGEST_LENGTH];
	SHA2_CTX inner = key.inner, outer = key.outer;

	SHA256Update(&inner, (const uint8_t *)text->data, text->length);
	SHA256Final(hash, &inner);
	SHA256Update(&outer, hash, sizeof(hash));
	SHA256Final(hash, &outer);
	for (int i = 0; i < (WARRANT_TEXT - 1) / 2; i++) {
		warrant[2 * i] = digits[hash[i] >> 4];
		warrant[2 * i + 1] = digits[hash[i] & 15];
	}
	warrant[WARRANT_TEXT - 1] = '\0';
}

static bool is_same(const char *one, const char *other)
{
	unsigned char differs = 0;

	if (strlen(one) != WARRANT_TEXT - 1)
		return false;
	for (int i = 0; i < WARRANT_TEXT - 1; i++)
		differs |= (unsigned char)(one[i] ^ other[i]);
	return differs == 0;
}

static void of_table(char warrant[WARRANT_TEXT], const struct birth *birth)
{
	char data[TEXT_MOST];
	struct text text = TEXT_IN(data);

	birth_print_table(birth, "table", &text);
	make_warrant(warrant, &text);
}

void warrant_table(struct birth *birth)
{
	birth->warrant[0] = '\0';
	if (key.there)
		of_table(birth->warrant, birth);
}

void warrant_join(char warrant[WARRANT_TEXT], const char *duel, long place, unsigned connection,
		  const char *seat)
{
	char data[TEXT_MOST];
	struct text text = TEXT_IN(data);

	text_add(&text, "join %s %ld %u %s", duel, place, connection, seat);
	make_warrant(warrant, &text);
}

bool warrant_is_for_table(const struct birth *birth)
{
	char good[WARRANT_TEXT];

	if (!key.there)
		return true;
	of_table(good, birth);
	return is_same(birth->warrant, good);
}

bool warrant_is_for_join(const char *duel, long place, unsigned connection, char *const words[])
{
	char good[WARRANT_TEXT], seat[TEXT_MOST];
	struct text text = TEXT_IN(seat);

	if (!key.there)
		return true;
	for (int i = 0; i < BIRTH_SEAT_WORDS; i++)
		text_add(&text, "%s%s", i > 0 ? " " : "", words[i]);
	warrant_join(good, duel, place, connection, seat);
	return is_same(words[BIRTH_SEAT_WORDS], good);
}
