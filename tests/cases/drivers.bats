# The small programs in C that test one module each.

load ../lib/common

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

@test "who meets whom" {
	driver match_test
}

@test "tables: who is away, who has left, how they end" {
	driver table_test
}

@test "the last record of a book" {
	driver journal_test
}

@test "the records of a book, read in pieces" {
	driver ledger_test
}

@test "where recorders have died" {
	driver deaths_test
}

@test "a record that no duel has written is refused" {
	driver replay_test
}

@test "kept games: the database and its versions, records, ratings" {
	driver games_test
}

@test "what one address may have" {
	driver limits_test
}

@test "the rules of tic-tac-toe: all 255,168 games" {
	driver rules_test
}

@test "the rules of Hnefatafl" {
	driver hnefatafl_test
	driver hnefatafl_random_test
}

@test "the rules of Quantik" {
	driver quantik_test
}

@test "what Hnefatafl and Quantik look like" {
	driver draw_two_sided_test
}

@test "the rules of Qwirkle" {
	driver qwirkle_test
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

@test "the rules of memory" {
	driver memory_test
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

@test "each game has its drawing, and one that has none is said to have none" {
	driver draw_none_test
}

@test "the server handles each message that a duel may say" {
	driver report_test
}
