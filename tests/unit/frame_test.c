/*
 * frame_test.c - printing and reading the broadcast frame, and refusing everything else.
 */
#include "tests/unit/check.h"

#include "proto/table/frame.h"
#include "proto/wire/line.h"

#include <string.h>

#define X_ID "11111111-1111-4111-8111-111111111111"
#define O_ID "22222222-2222-4222-8222-222222222222"
#define DUEL "33333333-3333-4333-8333-333333333333"
#define HEAD X_ID " " O_ID " X...O.... false"
#define KEYS " game=tictactoe duel=" DUEL " n=2 turn=0"

/* A game of the test's own has what tic-tac-toe has not: many seats and a long model. */
static bool read_any_model(void *state, const char *model, int turn)
{
	(void)state;
	return model[0] != '\0' && turn < GAME_SEATS_MAX;
}

static const struct game long_game = {
    .name = "long", .seats_min = 2, .seats_max = GAME_SEATS_MAX, .read_model = read_any_model};

static bool reads(const char *text)
{
	struct frame frame;

	return frame_read(&frame, text, strlen(text));
}

static void make_frame(struct frame *frame)
{
	*frame = (struct frame){.game = game_find("tictactoe"),
				.duel = DUEL,
				.model = "X...O....",
				.verdict = "false",
				.n = 4294967295u,
				.turn = 1,
				.seats = 2,
				.id = {X_ID, O_ID},
				.name = {"anna", "b.e_n-9"},
				.round = 2,
				.rounds = 3};
}

static void check_round_trip(struct frame *frame, const char *what)
{
	char bytes[FRAME_MAX + 1];
	struct frame back;
	size_t length = frame_print(frame, bytes);

	check(frame_read(&back, bytes, length), what);
	check(back.game == frame->game && strcmp(back.duel, frame->duel) == 0 &&
		  strcmp(back.model, frame->model) == 0 &&
		  strcmp(back.verdict, frame->verdict) == 0 && back.n == frame->n &&
		  back.turn == frame->turn && back.seats == frame->seats &&
		  back.has_scores == frame->has_scores && back.round == frame->round &&
		  back.rounds == frame->rounds && back.out == frame->out,
	      what);
	for (int seat = 0; seat < frame->seats; seat++)
		check(strcmp(back.id[seat], frame->id[seat]) == 0 &&
			  strcmp(back.name[seat], frame->name[seat]) == 0 &&
			  back.score[seat] == frame->score[seat],
		      what);
}

static void test_round_trips(void)
{
	struct frame frame;

	make_frame(&frame);
	check_round_trip(&frame, "a frame comes back as it was");
	check(!frame_is_over(&frame), "a frame that says false is not over");

	frame.turn = -1;
	strcpy(frame.model, "XOO.X...X");
	strcpy(frame.verdict, "048");
	check_round_trip(&frame, "so does the end of a round");
	check(frame_is_over(&frame), "a frame with a sequence is over");

	make_frame(&frame);
	frame.rounds = 0;
	check_round_trip(&frame, "so do endless rounds");
	frame.round = 0;
	check_round_trip(&frame, "so does a frame that tells no round");
	strcpy(frame.name[1], "-");
	check_round_trip(&frame, "so does a vacant seat");
	frame.has_scores = true;
	frame.score[0] = 99999;
	check_round_trip(&frame, "so do scores");
	frame.out = 2;
	check_round_trip(&frame, "so does who is out");
	frame.name[0][0] = frame.name[1][0] = '\0';
	check_round_trip(&frame, "so does a frame that tells no names");
}

static void test_text(void)
{
	char bytes[FRAME_MAX + 1];
	struct frame frame;

	make_frame(&frame);
	frame_print(&frame, bytes);
	check(strcmp(bytes, X_ID " " O_ID " X...O.... false game=tictactoe duel=" DUEL
				 " n=4294967295 turn=1 names=anna,b.e_n-9 round=2/3\n") == 0,
	      "a frame has the words of the protocol, in their order");
}

/* A frame of ten seats with long names and a model of this length. */
static size_t print_long(size_t model, char bytes[FRAME_MAX + 1])
{
	struct frame frame;

	make_frame(&frame);
	frame.game = &long_game;
	frame.seats = GAME_SEATS_MAX;
	frame.has_scores = true;
	memset(frame.model, '.', model);
	frame.model[model] = '\0';
	for (int seat = 0; seat < frame.seats; seat++) {
		strcpy(frame.id[seat], DUEL);
		strcpy(frame.name[seat], "abcdefghijklmnopqrstuvwx");
	}
	return frame_print(&frame, bytes);
}

/* What may be left out is left out in its order, and no sooner than it must be. */
static void test_too_long(void)
{
	char bytes[FRAME_MAX + 1];
	bool all = false, ids = false, none = false;

	for (size_t model = 1; model < GAME_MODEL_MAX; model++) {
		size_t length = print_long(model, bytes);
		bool has_names = strstr(bytes, " names=") != NULL;
		bool has_ids = strstr(bytes, " ids=") != NULL;

		check(length <= FRAME_MAX && bytes[length - 1] == '\n', "a long frame is whole");
		check(has_names || !has_ids || length + strlen(" names=") + 10 * 25 - 1 > FRAME_MAX,
		      "names are left out only when they must be");
		check(has_ids || length + strlen(" ids=") + 10 * 37 - 1 > FRAME_MAX,
		      "ids are left out only when they must be");
		check(has_ids || !has_names, "names are left out first");
		all |= has_names;
		ids |= !has_names && has_ids;
		none |= !has_ids;
	}
	check(all && ids && none, "frames of every length have been tried");
}

static void test_good(void)
{
	check(reads(HEAD KEYS "\n"), "names= may be left out");
	check(reads(HEAD " turn=- n=0 duel=" DUEL " game=tictactoe\n"), "keys have no order");
	check(reads(HEAD KEYS " colour=blue colour=red\n"), "unknown keys are ignored");
	check(reads(HEAD KEYS " out=1\n") && reads(HEAD KEYS " out=0,1\n"), "out= may be there");
	check(reads(HEAD KEYS " ids=" X_ID "," O_ID "\n"), "ids= may be there");
	check(reads(X_ID " " O_ID " XO....... aborted" KEYS "\n"), "a round may be aborted");
}

static const char *const bad_frames[] = {
    "\n",
    "hello\n",
    HEAD "\n",
    HEAD KEYS,
    HEAD KEYS "\r\n",
    HEAD KEYS "\n\n",
    HEAD KEYS " \n",
    " " HEAD KEYS "\n",
    HEAD " " KEYS "\n",
    HEAD KEYS " loose\n",
    HEAD KEYS " =loose\n",
    HEAD KEYS "\n" HEAD KEYS "\n",
    "1111111-1111-4111-8111-1111111111111 " O_ID " X...O.... false" KEYS "\n",
    "g1111111-1111-4111-8111-111111111111 " O_ID " X...O.... false" KEYS "\n",
    X_ID "1 " O_ID " X...O.... false" KEYS "\n",
    X_ID " - X...O.... false" KEYS "\n",
    X_ID " " O_ID " X...O... false" KEYS "\n",
    X_ID " " O_ID " X...O..... false" KEYS "\n",
    X_ID " " O_ID " X...Q.... false" KEYS "\n",
    X_ID " " O_ID " X...O.... False" KEYS "\n",
    X_ID " " O_ID " X...O.... abcdefghijklmnop" KEYS "\n",
    X_ID " " O_ID " X...O.... a\"b" KEYS "\n",
    HEAD KEYS " names=anna,ben,carl\n",
    HEAD KEYS " names=anna\n",
    HEAD KEYS " names=\n",
    HEAD KEYS " names=anna,\n",
    HEAD KEYS " names=an na,ben\n",
    HEAD KEYS " names=anna,<b>\n",
    HEAD KEYS " names=abcdefghijklmnopqrstuvwxy,ben\n",
    HEAD KEYS " names=a,b,c,d,e,f,g,h,i,j,k\n",
    HEAD KEYS " names=anna,ben ids=" X_ID "\n",
    HEAD KEYS " ids=" O_ID "," X_ID "\n",
    HEAD KEYS " ids=" X_ID "," O_ID "," DUEL "\n",
    HEAD KEYS " scores=1\n",
    HEAD KEYS " scores=1,2,3\n",
    HEAD KEYS " scores=1,-2\n",
    HEAD KEYS " scores=1,100000\n",
    HEAD KEYS " out=\n",
    HEAD KEYS " out=2\n",
    HEAD KEYS " out=0,x\n",
    HEAD KEYS " round=1\n",
    HEAD KEYS " round=0/2\n",
    HEAD KEYS " round=3/2\n",
    HEAD KEYS " round=1/100\n",
    HEAD KEYS " round=1/2/3\n",
    HEAD " game=chess duel=" DUEL " n=2 turn=0\n",
    HEAD " game= duel=" DUEL " n=2 turn=0\n",
    HEAD " game=tictactoe duel=" DUEL "0 n=2 turn=0\n",
    HEAD " game=tictactoe duel=" DUEL " n=-1 turn=0\n",
    HEAD " game=tictactoe duel=" DUEL " n=4294967296 turn=0\n",
    HEAD " game=tictactoe duel=" DUEL " n=2x turn=0\n",
    HEAD " game=tictactoe duel=" DUEL " n= turn=0\n",
    HEAD " game=tictactoe duel=" DUEL " n=2 turn=2\n",
    HEAD " game=tictactoe duel=" DUEL " n=2 turn=-1\n",
    HEAD " duel=" DUEL " n=2 turn=0\n",
    HEAD " game=tictactoe n=2 turn=0\n",
    HEAD " game=tictactoe duel=" DUEL " turn=0\n",
    HEAD " game=tictactoe duel=" DUEL " n=2\n",
    HEAD KEYS " game=tictactoe\n",
    HEAD KEYS " duel=" DUEL "\n",
    HEAD KEYS " n=2\n",
    HEAD KEYS " turn=0\n",
    HEAD KEYS " names=a,b names=a,b\n",
    HEAD KEYS " round=1/2 round=1/2\n",
};

static void test_bad_words(void)
{
	for (size_t i = 0; i < sizeof(bad_frames) / sizeof(bad_frames[0]); i++)
		check(!reads(bad_frames[i]), bad_frames[i]);
}

/* Every byte that is no printable ASCII is refused, wherever it stands. */
static void test_hostile_bytes(void)
{
	static const char good[] = HEAD KEYS " names=anna,ben colour=blue\n";
	char bytes[sizeof(good)];
	struct frame frame;
	int wrong = 0;

	check(reads(good), "the frame that is to be spoilt is good");
	for (size_t place = 0; place < sizeof(good) - 1; place++)
		for (int byte = 0; byte < 256; byte++) {
			if (byte >= ' ' && byte <= '~')
				continue;
			if (byte == '\n' && place == sizeof(good) - 2)
				continue;
			memcpy(bytes, good, sizeof(good));
			bytes[place] = (char)byte;
			wrong += frame_read(&frame, bytes, sizeof(good) - 1);
		}
	check(wrong == 0, "bytes that are not printable are refused at every place");
	check(!reads(HEAD KEYS " names=\033]0;title\007,ben\n"), "an escape sequence is refused");
}

/* Cutting a frame anywhere, or making it longer than a frame can be, makes it none. */
static void test_sizes(void)
{
	static const char good[] = HEAD KEYS "\n";
	char bytes[2 * FRAME_MAX];
	struct text text = TEXT_IN(bytes);
	struct frame frame;
	int wrong = 0;

	for (size_t length = 0; length < sizeof(good) - 1; length++)
		wrong += frame_read(&frame, good, length);
	check(wrong == 0, "a part of a frame is refused");

	text_add(&text, "%s colour=", HEAD KEYS);
	memset(bytes + text.length, 'a', sizeof(bytes) - text.length);
	bytes[FRAME_MAX - 1] = '\n';
	check(frame_read(&frame, bytes, FRAME_MAX), "the longest frame is read");
	bytes[FRAME_MAX - 1] = 'a';
	bytes[FRAME_MAX] = '\n';
	check(!frame_read(&frame, bytes, FRAME_MAX + 1), "one that is a byte longer is refused");
	bytes[sizeof(bytes) - 1] = '\n';
	check(!frame_read(&frame, bytes, sizeof(bytes)), "and so is one twice as long");
}

int main(void)
{
	test_round_trips();
	test_text();
	test_too_long();
	test_good();
	test_bad_words();
	test_hostile_bytes();
	test_sizes();
	return check_end();
}
