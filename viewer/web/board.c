/*
 * board.c - what the page shows of each port. See board.h.
 *
 * It owns the messages, and what it must remember of each port to make them. It is told what is heard, and
 * never hears or sends itself.
 */
#include "viewer/web/board.h"
#include "viewer/web/json.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE_RESULTS = 0, PLACE_BOARDS = 1 /* + index */ };

/* A round, to be told from others. */
struct round_key {
	char duel[UUID_TEXT];
	int round;
};

struct board {
	uint16_t port;
	bool changed, shown, silent;
	struct round_key held, recorded; /* the last end that was shown, that is a result */
	int64_t hold_until_ms;
	int64_t clock_ms; /* the time of day of the state that is shown */
};

struct boards {
	int count, results;
	struct board *board;
	struct json_result result[BOARD_RESULTS];
	bool new_result, new_message;
	int64_t updated_ms;
	struct posts posts;
	char scratch[JSON_MAX];
};

struct boards *boards_new(void)
{
	return calloc(1, sizeof(struct boards));
}

void boards_free(struct boards *boards)
{
	if (boards == NULL)
		return;
	posts_free(&boards->posts);
	free(boards->board);
	free(boards);
}

const struct posts *boards_posts(const struct boards *boards)
{
	return &boards->posts;
}

/* NULL: no memory is left. */
static struct board *find_board(struct boards *boards, uint16_t port)
{
	struct board *board;

	for (int i = 0; i < boards->count; i++)
		if (boards->board[i].port == port)
			return &boards->board[i];
	board = realloc(boards->board, ((size_t)boards->count + 1) * sizeof(*board));
	if (board == NULL)
		return NULL;
	boards->board = board;
	board += boards->count++;
	*board = (struct board){.port = port};
	return board;
}

static bool is_round(const struct round_key *key, const struct frame *frame)
{
	return strcmp(key->duel, frame->duel) == 0 && key->round == frame->round;
}

static void set_round(struct round_key *key, const struct frame *frame)
{
	strcpy(key->duel, frame->duel);
	key->round = frame->round;
}

static void post(struct boards *boards, int place, const struct text *text)
{
	if (posts_put(&boards->posts, place, message_new(text->data, text->length)))
		boards->new_message = true;
}

static void show_board(struct boards *boards, struct board *board, const struct wall_place *place,
		       int64_t now_ms)
{
	struct text text = TEXT_IN(boards->scratch);
	int silent_s = wall_silent_s(place, now_ms);
	struct scene scene;

	scene_of_frame(&scene, &place->frame, place->has_before ? &place->before : NULL);
	json_print_board(place, &scene, silent_s, board->clock_ms, &text);
	post(boards, PLACE_BOARDS + (int)(board - boards->board), &text);
	board->changed = false;
	board->shown = true;
	board->silent = silent_s > 0;
	if (!frame_is_over(&place->frame) || is_round(&board->held, &place->frame))
		return;
	set_round(&board->held, &place->frame);
	board->hold_until_ms = now_ms + BOARD_HOLD_MS;
}

static void remove_board(struct boards *boards, struct board *board)
{
	struct text text = TEXT_IN(boards->scratch);

	json_print_gone(board->port, &text);
	post(boards, PLACE_BOARDS + (int)(board - boards->board), &text);
	board->shown = board->changed = false;
}

/* A seat that is vacant, or that the frame has no name for, is left out. */
static void name_players(struct json_result *result, const struct frame *frame)
{
	for (int seat = 0; seat < frame->seats; seat++)
		if (frame->name[seat][0] != '\0' && strcmp(frame->name[seat], "-") != 0)
			strcpy(result->name[result->players++], frame->name[seat]);
}

/* Each end of a round once; what was aborted has no result. */
static void record_result(struct boards *boards, struct board *board,
			  const struct wall_place *place, int64_t clock_ms)
{
	const struct frame *frame = &place->frame;
	struct json_result *result = boards->result;
	struct scene scene;

	if (is_round(&board->recorded, frame) || strcmp(frame->verdict, "aborted") == 0)
		return;
	set_round(&board->recorded, frame);
	scene_of_frame(&scene, frame, place->has_before ? &place->before : NULL);
	memmove(result + 1, result, (BOARD_RESULTS - 1) * sizeof(*result));
	*result = (struct json_result){
	    .clock_ms = clock_ms, .port = place->port, .game = frame->game};
	strcpy(result->duel, frame->duel);
	snprintf(result->text, sizeof(result->text), "%s", scene.caption);
	name_players(result, frame);
	boards->results += boards->results < BOARD_RESULTS;
	boards->new_result = true;
}

void boards_hear(struct boards *boards, const struct wall_place *place, bool news, int64_t now_ms,
		 int64_t clock_ms)
{
	struct board *board = find_board(boards, place->port);

	if (board == NULL)
		return;
	if (!news) {
		board->changed |= board->silent;
		return;
	}
	board->changed = true;
	board->clock_ms = clock_ms;
	if (!frame_is_over(&place->frame))
		return;
	record_result(boards, board, place, clock_ms);
	/* at once: the next round may begin before the next drawing */
	if (now_ms >= board->hold_until_ms && !is_round(&board->held, &place->frame))
		show_board(boards, board, place, now_ms);
}

/* Has it been so long that what is shown is of no use any more? */
static bool is_past(const struct wall_place *place, int64_t now_ms)
{
	return now_ms - place->heard_ms >=
	       (frame_is_over(&place->frame) ? BOARD_ENDED_MS : BOARD_SILENT_MS);
}

static void update_board(struct boards *boards, struct board *board, const struct wall_place *place,
			 int64_t now_ms)
{
	bool silent = wall_silent_s(place, now_ms) > 0;

	if (now_ms < board->hold_until_ms)
		return;
	if (is_past(place, now_ms)) {
		if (board->shown)
			remove_board(boards, board);
	} else if (board->changed || silent != board->silent) {
		show_board(boards, board, place, now_ms);
	}
}

bool boards_update(struct boards *boards, const struct wall *wall, int64_t now_ms)
{
	bool news;

	if (now_ms - boards->updated_ms < BOARD_EVERY_MS)
		return false;
	boards->updated_ms = now_ms;
	for (int i = 0; i < wall_count(wall); i++) {
		const struct wall_place *place = wall_at(wall, i);
		struct board *board = find_board(boards, place->port);

		if (board != NULL)
			update_board(boards, board, place, now_ms);
	}
	if (boards->new_result) {
		struct text text = TEXT_IN(boards->scratch);

		json_print_results(boards->result, boards->results, &text);
		post(boards, PLACE_RESULTS, &text);
		boards->new_result = false;
	}
	news = boards->new_message;
	boards->new_message = false;
	return news;
}

int64_t boards_due_ms(const struct boards *boards)
{
	bool waiting = boards->new_result || boards->new_message;

	for (int i = 0; i < boards->count && !waiting; i++)
		waiting = boards->board[i].changed;
	return waiting ? boards->updated_ms + BOARD_EVERY_MS : INT64_MAX;
}
