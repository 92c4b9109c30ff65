#!/usr/bin/env bats
#
# The bots of Memory and Qwirkle: what they choose, in drivers, and whole rounds between levels
# through a server.

load ../lib/common

driver() {
	run "$BUILD/tests/$1"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

# Adds to PIDS.
bot() { # NAME LEVEL ARGUMENT...
	start "$1" player 127.0.0.1 "$PORT" "--bot=$2" -n "$1" --seed 7 "${@:3}"
	PIDS+=("$PID")
}

# They have ended well, and have had nothing to complain of.
have_played() { # NAME...
	local pid name
	for pid in "${PIDS[@]}"; do
		exit_status "$pid" 120
		[[ $STATUS == 0 ]] || fail "status $STATUS" "$(tail ./*.log)"
	done
	for name; do
		[[ $(grep -cvE '^duel [0-9a-f-]{36} (win|lose|draw) points ' "$name.log") == 0 ]] || fail "$(<"$name.log")"
	done
	PIDS=()
}

@test "Qwirkle: all turns that a rack allows are found" {
	driver bot_grid_test
}

@test "Qwirkle: the bot sees what it gives away, swaps when it must, and says its turns tile by tile" {
	driver bot_qwirkle_test
}

@test "Memory: the bot remembers, forgets at easy, and comes to an end with any company" {
	driver bot_memory_test
}

@test "Qwirkle: all levels play rounds of two, three and four without a complaint" {
	local seats
	start_server
	for seats in 2 3 4; do
		bot "strong$seats" strong -g qwirkle --key strict=on --key "seats=$seats" --think 20 --games 1
		bot "easy$seats" easy -g qwirkle --key strict=on --key "seats=$seats" --games 1
		if ((seats > 2)); then bot "random$seats" random -g qwirkle --key strict=on --key "seats=$seats" --games 1; fi
		if ((seats > 3)); then bot "other$seats" strong -g qwirkle --key strict=on --key "seats=$seats" --think 20 --games 1; fi
	done
	have_played strong2 easy2 strong3 easy3 random3 strong4 easy4 random4 other4
}

# bats test_tags=slow
@test "Memory: strong, easy and random play a round, and one joins them late" {
	start_server
	bot tough strong -g memory --pace 20 --games 1
	bot mild easy -g memory --pace 20 --games 1
	wait_until has_duels 1
	bot late random -g memory --pace 20 --games 1
	have_played tough mild late
	[[ $(grep -o 'points=.*' late.log) == points=*,*,* ]] || fail "$(<late.log)"
}

# bats test_tags=slow
@test "Memory: a bot that was left alone goes on with what it knows when somebody comes" {
	start_server
	connect ben
	send ben 'PLAY memory name=ben'
	bot tough strong -g memory --pace 20 --games 1
	expect_later ben 'STATE 1 wrong *' 60
	send ben LOGOUT
	expect_later ben 'ABORTED logout'
	connect carl
	send carl 'PLAY memory name=carl'
	expect_later carl 'START *'
	expect_later carl 'LOSE points' 120
	have_played tough
}
