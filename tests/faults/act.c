/*
 * act.c - what a player says, and when: legal moves that chance chooses, now and then a bad line, a
 * LIST in the middle of a duel, RESIGN, LOGOUT.
 */
#include "tests/faults/faults.h"

#include "proto/wire/error.h"

#include <stdio.h>
#include <string.h>

enum { THINK_MS = 80, SELDOM = 60 };

#define ERROR_BIT(error) (1u << (error))

void act_play(struct bot *bot)
{
	const struct table *table = bot->table;
	const struct shape *shape = &table->shape;
	char line[256];
	struct text text = TEXT_IN(line);

	bot->phase = BOT_ENTERING;
	bot->since = now_ms();
	if (!bot->full) {
		bot_say(bot, "PLAY");
		return;
	}
	text_add(&text, "PLAY %s name=%s wait=%d", table->game->name, bot->name, bot->wait);
	if (bot->legal)
		text_add(&text, " legal=on");
	if (bot->side >= 0)
		text_add(&text, " side=%s", table->game->side_name[bot->side]);
	if (!table->public_shape) {
		text_add(&text, " table=%s rounds=%d", shape->table, shape->rounds);
		if (table->game->has & GAME_HAS_CLOCK)
			text_add(&text, " clock=%s strict=%s", shape->clock ? "60" : "off",
				 shape->strict ? "on" : "off");
		if (table->game->has & GAME_HAS_SEATS)
			text_add(&text, " seats=%d", shape->seats);
	}
	bot_say(bot, "%s", line);
}

static struct said *note(struct bot *bot, enum saying what, unsigned errors)
{
	struct said *said = &bot->said[bot->saids++];

	*said = (struct said){.what = what, .errors = errors, .entry = -1};
	return said;
}

/* Why the rules refuse a move follows from a position that players need not know: there any words will do. */
static bool is_error(const struct bot *bot, enum error error, const char *line)
{
	bool by_rules = error == ERROR_ILLEGAL_MOVE || error == ERROR_FILLED || error == ERROR_WAIT;
	char expected[256];
	struct text text = TEXT_IN(expected);

	text_add(&text, "ERROR %s ", error_word(error));
	if (error == ERROR_BAD_ARGUMENT)
		text_add(&text, "MOVE wants %s", bot->table->game->move_help);
	else if (!by_rules)
		text_add(&text, "%s", error_text(error));
	return strncmp(line, expected, text.length) == 0 && (line[text.length] != '\0') == by_rules;
}

bool act_deserves(const struct bot *bot, const struct said *said, const char *line)
{
	for (unsigned error = 0; error < ERROR_NONE; error++)
		if ((said->errors >> error & 1) && is_error(bot, (enum error)error, line))
			return true;
	return false;
}

/* --- lines that change nothing ----------------------------------------------------------------- */

/* Out of turn the others may end the table before a line is heard; the lobby answers then. */
static unsigned answers(const struct bot *bot, bool on_turn, unsigned errors)
{
	if (on_turn && bot->table->game->join == NULL)
		return errors;
	return errors | ERROR_BIT(ERROR_NOT_YOUR_TURN) | ERROR_BIT(ERROR_NOT_REGISTERED);
}

/* A legal move with numbers that no board has in place of its own. False: none of them has a number. */
static bool find_far_move(const struct bot *bot, char far[GAME_MOVE_TEXT])
{
	static struct move moves[GAME_MOVES_MAX];
	int count = position_moves(bot->table, table_now(bot->table), bot->seat, moves);
	bool found = false;

	for (int m = 0; m < count && !found; m++) {
		char text[GAME_MOVE_TEXT];
		struct text to = {.data = far, .size = GAME_MOVE_TEXT};
		struct words words;

		bot->table->game->print_move(&moves[m], text);
		if (!line_split(text, &words))
			continue;
		for (int i = 0; i < words.count; i++) {
			int8_t number;
			bool is_number = game_read_number(words.word[i], &number);

			found = found || is_number;
			text_add(&to, "%s%s", i == 0 ? "" : " ", is_number ? "999" : words.word[i]);
		}
	}
	return found;
}

static void say_bad_move(struct bot *bot, bool on_turn)
{
	char move[GAME_MOVE_TEXT];

	if (!on_turn || bot->table->shape.strict || chance(2) == 0 || !find_far_move(bot, move)) {
		note(bot, SAID_WRONG, answers(bot, on_turn, ERROR_BIT(ERROR_BAD_ARGUMENT)));
		bot_say(bot, "MOVE");
		return;
	}
	note(bot, SAID_WRONG, answers(bot, on_turn, ERROR_BIT(ERROR_ILLEGAL_MOVE)));
	bot_say(bot, "MOVE %s", move);
}

static void say_aside(struct bot *bot, bool on_turn)
{
	switch (chance(6)) {
	case 0:
		note(bot, SAID_WRONG, ERROR_BIT(ERROR_UNKNOWN_COMMAND));
		bot_say(bot, "HELLO there");
		break;
	case 1:
		if (!on_turn || bot->table->game->join != NULL)
			break; /* in the lobby it would be a PLAY */
		note(bot, SAID_WRONG, ERROR_BIT(ERROR_ALREADY_PLAYING));
		bot_say(bot, "PLAY");
		break;
	case 2:
		note(bot, SAID_GAMES, 0);
		bot_say(bot, "GAMES");
		break;
	case 3:
		note(bot, SAID_LIST, 0);
		bot_say(bot, "LIST");
		break;
	case 4:
		if (!bot->full) {
			note(bot, SAID_WRONG,
			     answers(bot, on_turn, ERROR_BIT(ERROR_UNKNOWN_COMMAND)));
			bot_say(bot, "RESIGN");
			break;
		}
		/* fall through */
	default:
		say_bad_move(bot, on_turn);
	}
}

/* --- moves ------------------------------------------------------------------------------------- */

/* A card that makes a pair with the one that is up, if it is known. */
static int find_partner(const struct table *table, const struct cards *cards, int seat)
{
	const char *wanted = cards->shown[cards->cell[seat][0]];

	if (cards->up[seat] != 1)
		return -1;
	for (int cell = 0; cell < cards->size * cards->size; cell++)
		if (cards->shown[cell][2] == '.' &&
		    strncmp(table->memories.text[cell], wanted, 2) == 0)
			return cell;
	return -1;
}

/* Is the card that makes a pair with this one up, as far as is known? Two players who show each
 * other's partners would do so for ever. */
static bool partner_is_up(const struct table *table, const struct cards *cards, int cell)
{
	const char *text = table->memories.text[cell];

	for (int other = 0; other < cards->size * cards->size; other++)
		if (other != cell && text[0] != '\0' && cards->shown[other][2] != '.' &&
		    strcmp(table->memories.text[other], text) == 0)
			return true;
	return false;
}

static bool choose(const struct bot *bot, const struct position *position, struct move *move)
{
	static struct move moves[GAME_MOVES_MAX];
	int count = position_moves(bot->table, position, bot->seat, moves);

	if (count == 0)
		return false;
	/* with a card each of the last pair nobody could go on */
	if (bot->table->game->join != NULL && position->cards.up[bot->seat] == 0 &&
	    count < 2 * position->seats && chance(24) != 0)
		return false;
	*move = moves[chance((uint32_t)count)];
	if (bot->table->game->join != NULL && position->cards.up[bot->seat] == 0 &&
	    partner_is_up(bot->table, &position->cards,
			  move->arg[1] * position->cards.size + move->arg[0]))
		return false;
	if (bot->table->game->join != NULL) {
		int partner = find_partner(bot->table, &position->cards, bot->seat);

		if (partner >= 0 && chance(4) != 0)
			*move = (struct move){.arg = {(int8_t)(partner % position->cards.size),
						      (int8_t)(partner / position->cards.size)}};
	} else if (bot->table->game->print_rack != NULL && chance(3) != 0) {
		*move = moves[0]; /* to lay tiles is what brings the end near */
	}
	return true;
}

static void say_move(struct bot *bot, const struct position *position)
{
	unsigned errors = 0;
	char text[GAME_MOVE_TEXT];
	struct said *said;
	struct move move;

	if (!choose(bot, position, &move))
		return;
	if (bot->table->game->join != NULL) /* all play at once */
		errors = ERROR_BIT(ERROR_FILLED) | ERROR_BIT(ERROR_WAIT) |
			 ERROR_BIT(ERROR_NOT_YOUR_TURN) | ERROR_BIT(ERROR_NOT_REGISTERED);
	said = note(bot, SAID_MOVE, errors);
	said->move = move;
	bot->table->game->print_move(&move, text);
	bot_say(bot, "MOVE %s", text);
	if (!bot->full) {
		/* nobody tells him of it */
		table_make(bot->table, said);
		bot->saids--;
	}
}

static int present(const struct position *position)
{
	return __builtin_popcount(position->cards.present);
}

/* Give up, or leave, where the others can go on. */
static bool give_up(struct bot *bot, const struct position *position)
{
	const struct table *table = bot->table;

	if (!bot->full || chance(40) != 0)
		return false;
	if (table->game->join != NULL) {
		for (int i = 0; i < table->bots; i++)
			if (table->bot[i]->phase != BOT_SEATED ||
			    (table->bot[i]->saids > 0 &&
			     table->bot[i]->said[0].what == SAID_LOGOUT))
				return false;
		if (present(position) < 3)
			return false;
		note(bot, SAID_LOGOUT, ERROR_BIT(ERROR_NOT_REGISTERED));
		bot_say(bot, chance(2) ? "LOGOUT" : "RESIGN");
		return true;
	}
	if (table->shape.seats > 2)
		return false;
	note(bot, SAID_RESIGN, 0);
	bot_say(bot, "RESIGN");
	return true;
}

static void act_seated(struct bot *bot, int64_t now)
{
	struct table *table = bot->table;
	const struct position *position = table_now(table);
	bool on_turn;

	while (bot->next < table->entries && table->entry[bot->next].say[bot->seat] == NULL)
		bot->next++;
	if (bot->next < table->entries || bot->want != NULL || bot->saids > 0 ||
	    bot->used < bot->length)
		return;
	if (position->done) {
		bot_finish(bot);
		return;
	}
	if (now < bot->act_at)
		return;
	bot->act_at = now + chance(THINK_MS);
	on_turn = position_may_move(table, position, bot->seat);
	if (chance(SELDOM) == 0)
		say_aside(bot, on_turn);
	if (!on_turn || (chance(SELDOM) == 0 && give_up(bot, position)))
		return;
	say_move(bot, position);
}

static void act_return(struct bot *bot)
{
	if (!bot_connect(bot, true)) {
		bot->act_at = now_ms() + 100;
		return;
	}
	bot->phase = BOT_RETURNING;
	bot_say(bot, "RESUME %s", bot->token);
}

void act(struct bot *bot, int64_t now)
{
	if (bot->phase == BOT_SEATED && bot->fd >= 0)
		act_seated(bot, now);
	else if (bot->phase == BOT_CUT && now >= bot->act_at && !server.down)
		act_return(bot);
}
