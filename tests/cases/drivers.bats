# The small programs in C that test one module each.

load ../lib/common
load ../lib/games

driver() {
	run "$BUILD/tests/$1"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "the line codec, messages, ids" {
	driver line_test
}

@test "the keys of PLAY" {
	driver shape_test
}

@test "who is here, and the terms of their tables" {
	driver here_test
	driver terms_test
}

@test "who meets whom" {
	driver match_test
}

@test "people and tables in the order in which they came" {
	driver roll_test
}

@test "lists that fit a terminal" {
	driver columns_test
}

@test "tables: who is away, who has left, how they end" {
	driver table_test
}

@test "the last chapter of a journal" {
	driver journal_test
}

@test "the chapters of a journal, read in pieces" {
	driver chapters_test
}

@test "where recorders have died" {
	driver deaths_test
}

@test "a chapter that no duel has written is refused" {
	driver replay_test
}

@test "kept games: the database and its versions, records, ratings" {
	driver games_test
}

@test "what one address may have" {
	driver limits_test
}

@test "each game has a test of its own rules, and they hold" {
	local game
	for game in $(all_games); do
		[[ -x $BUILD/tests/${game}_test ]] || fail "there is no tests/unit/${game}_test.c"
		driver "${game}_test"
	done
}

@test "why a move is refused, in words of the game" {
	driver reasons_test
}

@test "the rules of Hnefatafl: random games" {
	driver hnefatafl_random_test
}

@test "what Hnefatafl and Quantik look like" {
	driver draw_two_sided_test
}

@test "the words of Qwirkle: moves, models, racks, what is hidden" {
	driver qwirkle_words_test
}

# bats test_tags=slow
@test "Qwirkle: a thousand random rounds" {
	driver qwirkle_games_test
}

@test "what Qwirkle looks like, and how it is picked" {
	driver qwirkle_scene_test
}

@test "the rules of memory: random games" {
	driver memory_games_test
}

# bats test_tags=slow
@test "random games of all kinds, and what holds for any of them" {
	driver random_games
}

@test "what memory looks like" {
	driver memory_scene_test
}

@test "what holds for any game that is shown" {
	driver draw_any_test
}
