/*
 * frame.c - printing and reading the broadcast frame. See frame.h.
 *
 * Owns the list of a frame's keys. Pure: it sends and receives nothing, and believes nothing that it reads.
 */
#include "proto/table/frame.h"

#include "proto/wire/args.h"
#include "proto/wire/line.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHY_BYTES "abcdefghijklmnopqrstuvwxyz0123456789-"

bool frame_is_over(const struct frame *frame)
{
	return strcmp(frame->verdict, "false") != 0;
}

/* Are all of these words told? An empty one would make a list that nobody can read. */
static bool all_told(const struct frame *frame, const char *words, size_t size)
{
	for (int seat = 0; seat < frame->seats; seat++)
		if (words[(size_t)seat * size] == '\0')
			return false;
	return true;
}

/* One more of a list that begins with `begin`. */
static void begin_item(struct text *text, bool first, const char *begin)
{
	if (first)
		text_add_word(text, begin);
	else
		TEXT_ADD(text, ",");
}

static void print_head(const struct frame *frame, struct text *text)
{
	text_add_word(text, frame->id[0]);
	TEXT_ADD(text, " ");
	text_add_word(text, frame->id[1]);
	TEXT_ADD(text, " ");
	text_add_word(text, frame->model);
	TEXT_ADD(text, " ");
	text_add_word(text, frame->verdict);
	TEXT_ADD(text, " game=");
	text_add_word(text, frame->game->name);
	TEXT_ADD(text, " duel=");
	text_add_word(text, frame->duel);
	TEXT_ADD(text, " n=");
	text_add_number(text, frame->n);
	TEXT_ADD(text, " turn=");
	if (frame->turn < 0)
		TEXT_ADD(text, "-");
	else
		text_add_number(text, frame->turn);
}

static void print_with(const struct frame *frame, struct text *text, bool names, bool ids)
{
	print_head(frame, text);
	for (int seat = 0; names && seat < frame->seats; seat++) {
		begin_item(text, seat == 0, " names=");
		text_add_word(text, frame->name[seat]);
	}
	for (int seat = 0; ids && seat < frame->seats; seat++) {
		begin_item(text, seat == 0, " ids=");
		text_add_word(text, frame->id[seat]);
	}
	for (int seat = 0; frame->has_scores && seat < frame->seats; seat++) {
		begin_item(text, seat == 0, " scores=");
		text_add_number(text, frame->score[seat]);
	}
	if (frame->round > 0) {
		TEXT_ADD(text, " round=");
		text_add_number(text, frame->round);
		TEXT_ADD(text, "/");
		text_add_number(text, frame->rounds);
	}
	for (int seat = 0, told = 0; seat < frame->seats; seat++)
		if (frame->out >> seat & 1) {
			begin_item(text, told++ == 0, " out=");
			text_add_number(text, seat);
		}
	TEXT_ADD(text, "\n");
}

size_t frame_print(const struct frame *frame, char bytes[FRAME_MAX + 1])
{
	bool names = all_told(frame, frame->name[0], sizeof(frame->name[0]));
	bool ids = frame->seats > 2 && all_told(frame, frame->id[0], sizeof(frame->id[0]));
	struct text text;

	for (;;) {
		text = (struct text){.data = bytes, .size = FRAME_MAX + 1};
		print_with(frame, &text, names, ids);
		if (!text.cut || (!names && !ids))
			break;
		if (names)
			names = false;
		else
			ids = false;
	}
	return text.length;
}

/* A list of words, each of which is given to `take` with its place. */
static bool read_list(struct frame *frame, char *value, int *count,
		      bool (*take)(struct frame *frame, int place, const char *word))
{
	int place = 0;

	for (char *next = value; next != NULL; place++) {
		const char *word = strsep(&next, ",");

		if (place == GAME_SEATS_MAX || !take(frame, place, word))
			return false;
	}
	*count = place;
	return true;
}

static bool take_name(struct frame *frame, int place, const char *word)
{
	if (strcmp(word, "-") != 0 && !name_is_valid(word))
		return false;
	strcpy(frame->name[place], word);
	return true;
}

/* The first two ids have been read already, from the frame's first two words. */
static bool take_id(struct frame *frame, int place, const char *word)
{
	if (!uuid_is_valid(word) || (place < 2 && strcmp(frame->id[place], word) != 0))
		return false;
	strcpy(frame->id[place], word);
	return true;
}

static bool take_score(struct frame *frame, int place, const char *word)
{
	return args_read_int(word, 0, 99999, &frame->score[place]);
}

static bool read_game(struct frame *frame, char *value, int *count)
{
	(void)count;
	frame->game = game_find(value);
	return frame->game != NULL;
}

static bool read_duel(struct frame *frame, char *value, int *count)
{
	(void)count;
	if (!uuid_is_valid(value))
		return false;
	strcpy(frame->duel, value);
	return true;
}

static bool read_n(struct frame *frame, char *value, int *count)
{
	(void)count;
	long number;

	if (!args_read_number(value, 0, UINT_MAX, &number))
		return false;
	frame->n = (unsigned)number;
	return true;
}

static bool read_turn(struct frame *frame, char *value, int *count)
{
	(void)count;
	frame->turn = -1;
	return strcmp(value, "-") == 0 || args_read_int(value, 0, GAME_SEATS_MAX - 1, &frame->turn);
}

bool frame_read_names(struct frame *frame, char *value, int *count)
{
	return read_list(frame, value, count, take_name);
}

static bool read_ids(struct frame *frame, char *value, int *count)
{
	return read_list(frame, value, count, take_id);
}

static bool read_scores(struct frame *frame, char *value, int *count)
{
	return read_list(frame, value, count, take_score);
}

static bool take_out(struct frame *frame, int place, const char *word)
{
	int seat;

	(void)place;
	if (!args_read_int(word, 0, GAME_SEATS_MAX - 1, &seat))
		return false;
	frame->out |= (uint16_t)(1u << seat);
	return true;
}

static bool read_out(struct frame *frame, char *value, int *count)
{
	return read_list(frame, value, count, take_out);
}

bool frame_read_round(struct frame *frame, char *value, int *count)
{
	char *slash = strchr(value, '/');

	(void)count;
	if (slash == NULL)
		return false;
	*slash = '\0';
	return args_read_int(value, 1, INT_MAX, &frame->round) &&
	       args_read_int(slash + 1, 0, 99, &frame->rounds) &&
	       (frame->rounds == 0 || frame->round <= frame->rounds);
}

/* Each reads a value, which is cut up; of a list also how long it is. */
static const struct key {
	const char *name;
	bool needed;
	bool (*read)(struct frame *frame, char *value, int *count);
} keys[] = {
    {"names", false, frame_read_names}, {"ids", false, read_ids},
    {"scores", false, read_scores},	{"game", true, read_game},
    {"duel", true, read_duel},		{"n", true, read_n},
    {"turn", true, read_turn},		{"round", false, frame_read_round},
    {"out", false, read_out},
};

enum { NAMES, IDS, SCORES, KEYS = sizeof(keys) / sizeof(keys[0]) };

/* All keys: those needed are there, none is there twice. Unknown ones are of a later version. */
static bool read_keys(struct frame *frame, char *const words[], int count[KEYS])
{
	bool seen[KEYS] = {false};

	for (; *words != NULL; words++) {
		char *value = strchr(*words, '=');
		size_t k = 0;

		if (value == NULL || value == *words)
			return false;
		*value++ = '\0';
		while (k < KEYS && strcmp(keys[k].name, *words) != 0)
			k++;
		if (k == KEYS)
			continue;
		if (seen[k] || !keys[k].read(frame, value, &count[k]))
			return false;
		seen[k] = true;
	}
	for (size_t k = 0; k < KEYS; k++)
		if (keys[k].needed && !seen[k])
			return false;
	return true;
}

/* The lists that are there must speak of the same number of seats, and the game must know it. */
static bool settle_seats(struct frame *frame, const int count[KEYS])
{
	int seats = 2;

	for (int k = SCORES; k >= NAMES; k--)
		if (count[k] > 0)
			seats = count[k];
	frame->seats = seats;
	frame->has_scores = count[SCORES] > 0;
	return seats >= 2 && seats <= frame->game->seats_max && frame->turn < seats &&
	       frame->out >> seats == 0 && (count[IDS] == 0 || count[IDS] == seats) &&
	       (count[SCORES] == 0 || count[SCORES] == seats);
}

static bool is_printable(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] < ' ' || bytes[i] > '~')
			return false;
	return true;
}

/* The four words of the classic frame. */
static bool read_classic(struct frame *frame, char *const words[])
{
	if (!uuid_is_valid(words[0]) || !uuid_is_valid(words[1]) ||
	    strlen(words[2]) >= sizeof(frame->model) ||
	    strlen(words[3]) >= sizeof(frame->verdict) ||
	    strspn(words[3], WHY_BYTES) != strlen(words[3]))
		return false;
	strcpy(frame->id[0], words[0]);
	strcpy(frame->id[1], words[1]);
	strcpy(frame->model, words[2]);
	strcpy(frame->verdict, words[3]);
	return true;
}

bool frame_read(struct frame *frame, const char *bytes, size_t length)
{
	char line[FRAME_MAX + 1];
	struct words words;
	int count[KEYS] = {0};
	union game_state state;

	if (length < 2 || length > FRAME_MAX || bytes[length - 1] != '\n' ||
	    !is_printable(bytes, length - 1))
		return false;
	line_copy(line, bytes, length);
	if (!line_split(line, &words) || words.count < 4)
		return false;
	memset(frame, 0, sizeof(*frame));
	return read_classic(frame, words.word) && read_keys(frame, words.word + 4, count) &&
	       settle_seats(frame, count) &&
	       frame->game->read_model(&state, frame->model, frame->turn);
}
