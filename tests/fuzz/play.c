/*
 * The words of PLAY behind the word PLAY: a game and its keys. What is understood has a shape whose
 * text is read as the same shape.
 */
#include "tests/fuzz/fuzz.h"

#include "proto/table/shape.h"

static void check_shape(const struct shape *shape)
{
	char text[SHAPE_MAX], again[SHAPE_MAX], copy[SHAPE_MAX];
	struct shape read;
	struct words words;

	shape_print(shape, text);
	MUST(strlen(text) < SHAPE_MAX - 1); /* not cut */
	strcpy(copy, text);
	MUST(line_split(copy, &words));
	MUST(shape_read(&read, words.word, words.count));
	shape_print(&read, again);
	MUST(strcmp(text, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct shape_defaults defaults = {.wait = 10};
	char line[LINE_MAX_CLIENT + 1];
	const struct game *game;
	struct words words;
	struct wish wish;

	if (size > LINE_MAX_CLIENT)
		return 0;
	line_copy(line, (const char *)data, size);
	if (!line_split(line, &words) || (game = game_find(words.word[0])) == NULL)
		return 0;
	wish_default(&wish, game, &defaults);
	if (wish_read(&wish, words.word + 1, words.count - 1) != NULL)
		return 0;
	MUST(name_is_valid(wish.name));
	MUST(wish.shape.seats >= game->seats_min && wish.shape.seats <= game->seats_max);
	check_shape(&wish.shape);
	return 0;
}
