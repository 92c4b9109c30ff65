/*
 * The text of a new table, as the spawner hands it to a duel. What is read is printed in a text
 * that is read as the same.
 */
#include "tests/fuzz/fuzz.h"

#include "server/shared/birth.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct birth birth, again;
	char text[BIRTH_MAX], twice[BIRTH_MAX];
	size_t length;

	if (size > BIRTH_MAX || !birth_read(&birth, (const char *)data, size))
		return 0;
	length = birth_print(&birth, text);
	MUST(length < BIRTH_MAX - 1 && birth_read(&again, text, length));
	MUST(birth_print(&again, twice) == length && memcmp(text, twice, length) == 0);
	return 0;
}
