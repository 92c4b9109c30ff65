/*
 * draw_none_test - what all that show games do with one that has no drawing: the null game. The others
 * have one.
 */
#include "viewer/scene/picker.h"
#include "viewer/scene/scene.h"
#include "viewer/svg/svg.h"
#include "tests/unit/check.h"

static const char said[] = "null cannot be shown: this program has no drawing of it";

static struct frame make_frame(int turn, const char *verdict)
{
	struct frame frame = {.game = game_null(), .seats = 2, .turn = turn, .rounds = 1};

	strcpy(frame.model, "-");
	strcpy(frame.verdict, verdict);
	strcpy(frame.name[0], "anna");
	strcpy(frame.name[1], "ben");
	return frame;
}

/* As text, as a file, on the page. */
static void test_shown(const struct frame *frame, const struct frame *before)
{
	static char bytes[SVG_MAX];
	static struct scene scene;
	struct text text = TEXT_IN(bytes);

	scene_of_frame(&scene, frame, before);
	scene_print(&scene, false, &text);
	check(strncmp(bytes, said, strlen(said)) == 0, "text says so");
	text = TEXT_IN(bytes);
	svg_print_file(&scene, &text);
	check(strstr(bytes, said) != NULL, "a file says so");
	text = TEXT_IN(bytes);
	svg_print_board(&scene, &text);
	check(strstr(bytes, said) != NULL, "the page says so");
}

static void test_ends(void)
{
	check_text(scene_explain(game_null(), "timeout"), "time ran out");
	check_text(scene_explain(game_null(), "0"), "0");
}

/* A person at a terminal cannot pick what he does not see. */
static void test_picks(void)
{
	struct move move = {0};
	struct choice choice = {drawing_of(game_null()), &move, 1};
	struct pick targets[PICKER_TARGETS_MAX];
	struct picker picker = {0};

	CHECK(picker_targets(&picker, &choice, targets) == 0);
	CHECK(!picker_whole(&picker, &choice, &move));
}

static void test_all_others(void)
{
	for (int i = 0; game_at(i) != NULL; i++)
		check(drawing_of(game_at(i))->game == game_at(i), game_at(i)->name);
}

int main(void)
{
	struct frame now = make_frame(0, "false"), end = make_frame(-1, "taken");

	test_shown(&now, NULL);
	test_shown(&end, &now);
	test_ends();
	test_picks();
	test_all_others();
	return check_end();
}
