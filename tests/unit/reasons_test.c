/*
 * reasons_test - what games say to people: why a move is refused, where each cause of each game has its own
 * words, and the rules.
 */
#include "proto/rules/game.h"
#include "proto/wire/line.h"
#include "proto/wire/text.h"
#include "tests/unit/check.h"

/* In this position, with this turn, by this seat. `rack` and `before`, a move that is made first, may be "". */
struct refused {
	const char *model;
	int turn, seat;
	const char *rack, *before;
	const char *move, *why;
};

static bool read_words(const struct game *game, struct move *move, const char *text)
{
	char copy[128];
	struct words words;

	snprintf(copy, sizeof(copy), "%s", text);
	return line_split(copy, &words) && game->read_move(move, words.word, words.count);
}

static void set_up(const struct game *game, const struct refused *row, union game_state *state)
{
	char rack[GAME_RACK_TEXT];
	struct words words;
	struct move move;

	memset(state, 0, sizeof(*state));
	if (!game->read_model(state, row->model, row->turn))
		check_fail(row->model);
	snprintf(rack, sizeof(rack), "%s", row->rack);
	if (rack[0] != '\0')
		CHECK(line_split(rack, &words) &&
		      game->read_rack(state, row->turn, words.word, words.count));
	if (row->before[0] == '\0')
		return;
	CHECK(read_words(game, &move, row->before));
	check(game->judge(state, row->turn, &move) == RULING_FINE, row->before);
	game->play(state, row->turn, &move, 0, NULL);
}

static void check_reason(const struct game *game, const union game_state *state, int seat,
			 const char *words, const char *wanted)
{
	char why[GAME_REASON_TEXT] = "";
	struct move move;

	check(read_words(game, &move, words), words);
	check(game->judge(state, seat, &move) != RULING_FINE, wanted);
	game->why_not(state, seat, &move, why);
	check_text(why, wanted);
}

static void check_all(const char *name, const struct refused *row)
{
	const struct game *game = strcmp(name, "null") == 0 ? &null_game : game_find(name);
	union game_state state;

	for (; row->model != NULL; row++) {
		set_up(game, row, &state);
		check_reason(game, &state, row->seat, row->move, row->why);
	}
}

static void test_null(void)
{
	static const struct refused rows[] = {
	    {".", 0, 0, "", "", "1 0", "there is no such cell: the only one is 0 0"},
	    {".", 0, 1, "", "", "0 0", "it is not your turn"},
	    {"0", -1, 1, "", "", "0 0", "the round is over"},
	    {NULL, 0, 0, NULL, NULL, NULL, NULL},
	};

	check_all("null", rows);
}

static void test_tictactoe(void)
{
	static const struct refused rows[] = {
	    {"X...O....", 0, 0, "", "", "0 0", "that cell is taken"},
	    {"X...O....", 0, 0, "", "", "1 1", "that cell is taken"},
	    {"X...O....", 0, 0, "", "", "3 0", "there is no such cell: x and y go from 0 to 2"},
	    {"X...O....", 0, 0, "", "", "0 -1", "there is no such cell: x and y go from 0 to 2"},
	    {"X...O....", 0, 1, "", "", "2 2", "it is not your turn"},
	    {"XXXOO....", -1, 1, "", "", "2 2", "the round is over"},
	    {NULL, 0, 0, NULL, NULL, NULL, NULL},
	};

	check_all("tictactoe", rows);
}

/* The start, but that a defender is gone from 2 4 and an attacker from 0 4. */
#define TAFL                                                                                       \
	"...AAA..."                                                                                \
	"....A...."                                                                                \
	"....D...."                                                                                \
	"A...D...A"                                                                                \
	".A.DKDDAA"                                                                                \
	"A...D...A"                                                                                \
	"....D...."                                                                                \
	"....A...."                                                                                \
	"...AAA..."

static void test_hnefatafl(void)
{
	static const struct refused rows[] = {
	    {TAFL, 0, 1, "", "", "3 4 2 4", "it is not your turn"},
	    {TAFL, 0, 0, "", "", "9 0 8 0", "there is no such cell: x and y go from 0 to 8"},
	    {TAFL, 0, 0, "", "", "3 0 3 -1", "there is no such cell: x and y go from 0 to 8"},
	    {TAFL, 0, 0, "", "", "2 2 2 3", "no piece stands there"},
	    {TAFL, 0, 0, "", "", "3 4 2 4", "that is not your piece"},
	    {TAFL, 0, 0, "", "", "3 0 3 0", "a piece must move"},
	    {TAFL, 0, 0, "", "", "4 0 4 0", "that piece cannot move"},
	    {TAFL, 0, 0, "", "", "3 0 2 1", "a piece moves in a straight line"},
	    {TAFL, 0, 0, "", "", "3 0 4 0", "something stands there"},
	    {TAFL, 0, 0, "", "", "1 4 6 4", "something stands there"},
	    {TAFL, 0, 0, "", "", "0 3 0 7", "something stands in the way"},
	    {TAFL, 0, 0, "", "", "3 0 0 0", "only the king may rest on a corner"},
	    {"A.......K........................................................................", 0,
	     0, "", "", "0 0 8 0", "something stands there"},
	    {"....A...................................................................K........", 0,
	     0, "", "", "4 0 4 4", "only the king may rest on the throne"},
	    {"K................................................................................",
	     -1, 0, "", "", "4 0 4 4", "the round is over"},
	    {NULL, 0, 0, NULL, NULL, NULL, NULL},
	};

	check_all("hnefatafl", rows);
}

static void test_quantik(void)
{
	static const struct refused rows[] = {
	    {"c...............", 0, 1, "", "", "1 2 C", "it is not your turn"},
	    {"c...............", 0, 0, "", "", "4 0 C",
	     "there is no such cell: x and y go from 0 to 3"},
	    {"c...............", 0, 0, "", "", "1 0 Q",
	     "there is no such shape: they are C, P, S and T"},
	    {"c...............", 0, 0, "", "", "0 0 P", "that cell is taken"},
	    {"c...............", 0, 0, "", "", "3 0 C", "black has a cylinder in this row"},
	    {"c...............", 0, 0, "", "", "0 3 C", "black has a cylinder in this column"},
	    {"c...............", 0, 0, "", "", "1 1 C", "black has a cylinder in this square"},
	    {"P...............", 1, 1, "", "", "3 0 P", "white has a box in this row"},
	    {"s...............", 0, 0, "", "", "3 0 S", "black has a sphere in this row"},
	    {"t...............", 0, 0, "", "", "3 0 T", "black has a tetrahedron in this row"},
	    {"C...C...........", 0, 0, "", "", "3 3 C", "you have no cylinder left"},
	    {"CPST............", -1, 0, "", "", "3 3 C", "the round is over"},
	    {NULL, 0, 0, NULL, NULL, NULL, NULL},
	};

	check_all("quantik", rows);
}

static void test_qwirkle_plays(void)
{
	static const struct refused rows[] = {
	    {"90", 0, 1, "a1 b2", "", "pass", "it is not your turn"},
	    {"90", 0, 0, "a1 b2", "", "play a7 0 0", "there is no such tile: they are a1 to f6"},
	    {"90", 0, 0, "a1 b2", "", "play a1 1 0", "the first tile lies at 0 0"},
	    {"90", 0, 0, "a1 b2", "", "play a2 0 0", "you hold no a2"},
	    {"90", 0, 0, "a1 a1", "play a1 0 0", "play a1 0 0", "a tile lies there already"},
	    {"90/a1,0,0", 0, 0, "a2", "", "play a2 2 0",
	     "a tile touches one that lies on the board"},
	    {"90/a1,0,0", 0, 0, "b2", "", "play b2 1 0", "a row is of one shape or of one colour"},
	    {"90/a1,0,0", 0, 0, "b2", "", "play b2 0 1",
	     "a column is of one shape or of one colour"},
	    {"90/a1,0,0", 0, 0, "a1", "", "play a1 1 0", "that tile lies in this row already"},
	    {"90/a1,0,0/a2,1,0/a3,2,0/a4,3,0/a5,4,0/a6,5,0", 0, 0, "a1", "", "play a1 6 0",
	     "a row has six tiles at most"},
	    {"90/a1,0,0", 0, 0, "a2 a3", "play a2 1 0", "play a3 0 1",
	     "the tiles of a turn lie in one line, without a gap"},
	    {"90/a1,0,0", 0, 0, "a2 a2", "play a2 1 0", "play a2 2 0",
	     "that tile lies in this row already"},
	    {"90/a1,0,0/a1,2,0/b1,0,1/f1,2,1/c1,0,2/d1,1,2/e1,2,2", 0, 0, "b1", "", "play b1 1 0",
	     "a row has no tile twice"},
	    {"90/a1,0,0/b1,1,0/a1,1,1/b1,2,1/a1,2,2/b1,3,2", 0, 0, "a2", "", "play a1 3 3",
	     "all three a1 lie on the board"},
	    {NULL, 0, 0, NULL, NULL, NULL, NULL},
	};

	check_all("qwirkle", rows);
}

static void test_qwirkle_swaps(void)
{
	static const struct refused rows[] = {
	    {"90/a1,0,0", 0, 0, "a2 a3", "play a2 1 0", "swap a3",
	     "you have played in this turn: end it with pass"},
	    {"90/a1,0,0", 0, 0, "a2 a3", "", "swap a2 a2 a2 a2 a2 a2 a2",
	     "a swap is of one to six tiles"},
	    {"90/a1,0,0", 0, 0, "a2 a3", "", "swap a2 x9",
	     "there is no such tile: they are a1 to f6"},
	    {"1/a1,0,0", 0, 0, "a2 a3", "", "swap a2 a3",
	     "the bag does not have as many tiles: it has 1"},
	    {"90/a1,0,0", 0, 0, "a2 a3", "", "swap a4", "you hold no a4"},
	    {"90/a1,0,0", 0, 0, "a2 a3", "", "swap a2 a2", "you hold fewer a2"},
	    {NULL, 0, 0, NULL, NULL, NULL, NULL},
	};

	check_all("qwirkle", rows);
}

static void test_memory(void)
{
	static const struct refused rows[] = {
	    {"abA.........", 0, 0, "", "", "2 0", "there is no such card: x and y go from 0 to 1"},
	    {"abA.........", 0, 0, "", "", "0 0", "that card is turned up already, by you"},
	    {"abA.........", 0, 1, "", "", "0 0",
	     "that card is turned up already, by somebody else"},
	    {"ab0ab0......", 0, 1, "", "", "1 0", "that card is taken already"},
	    {"abAcdA......", 0, 0, "", "", "0 1", "wait until your two cards are turned down"},
	    {NULL, 0, 0, NULL, NULL, NULL, NULL},
	};
	const struct game *game = game_find("memory");
	union game_state state = {0};

	check_all("memory", rows);
	game->begin(&state, &(struct setup){.seed = 1, .seats = 3, .size = 4});
	while (game->leave(&state, 2, NULL))
		;
	check_reason(game, &state, 2, "0 0", "you are not in this round");
	while (game->leave(&state, 1, NULL))
		;
	check_reason(game, &state, 0, "0 0", "the game waits for players");
}

/* What a person reads on one screen. */
static void test_rules(void)
{
	const struct game *game = &null_game;

	for (int i = 0; game != NULL; game = game_at(i++)) {
		int lines = 0;

		for (const char *line = game->rules, *next; *line != '\0'; line = next, lines++) {
			size_t length = text_line(line, 76, &next);

			CHECK(length > 0 && length <= 76 && next > line);
		}
		check(lines > 0 && lines <= GAME_RULES_LINES, game->name);
		for (const char *c = game->rules; *c != '\0'; c++)
			CHECK(*c == '\n' || (*c >= ' ' && *c <= '~'));
		check(strlen(game->move_help) > 5 && strlen(game->move_help) <= 60, game->name);
	}
}

int main(void)
{
	test_rules();
	test_null();
	test_tictactoe();
	test_hnefatafl();
	test_quantik();
	test_qwirkle_plays();
	test_qwirkle_swaps();
	test_memory();
	return check_end();
}
