# The small programs in C that test one module each.

load common

driver() {
	run "$BUILD/tests/$1"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "the line codec, messages, ids" {
	driver line_test
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

@test "random games of all kinds, and what holds for any of them" {
	driver random_games
}

@test "who meets whom" {
	driver match_test
}
