/*
 * A kept game as text, as --import reads it. Whatever is in it, it is a game that can be played, or refused
 * with a line and a column of it. What is read can be printed, and is then read and printed as the same.
 */
#include "tests/fuzz/fuzz.h"

#include "viewer/games/text.h"

/* The text of a game, in memory of its own; NULL: it is none. */
static char *copy(const char *data, size_t size, size_t *length)
{
	struct games_text_error error = {0};
	struct record record = {0};
	FILE *in = fmemopen((void *)data, size, "r");
	FILE *out;
	char *text = NULL;

	MUST(in != NULL);
	if (games_text_read(&record, in, &error)) {
		out = open_memstream(&text, length);
		MUST(out != NULL);
		games_text_print(&record, out);
		fclose(out);
	} else {
		MUST(error.line > 0 && error.column > 0 && error.why[0] != '\0');
	}
	record_free(&record);
	fclose(in);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *once, *twice;
	size_t length, again;

	if (size == 0)
		return 0;
	once = copy((const char *)data, size, &length);
	if (once == NULL)
		return 0;
	twice = copy(once, length, &again);
	MUST(twice != NULL && again == length && memcmp(once, twice, length) == 0);
	free(once);
	free(twice);
	return 0;
}
