# Built-in bots at a real server: every level, and the clock.

load ../lib/common
load ../lib/games

# Two bots play one duel; sets ONE, what the first said of it. Without a first level: the default.
duel() { # GAME LEVEL LEVEL ARGUMENT...
	launch one "$BUILD/holmgang-player" 127.0.0.1 "$PORT" "--bot${2:+=$2}" -g "$1" -n one --games 1 --seed 1 "${@:4}"
	local first=$PID log=$LOG
	launch two "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot "$3" -g "$1" -n two --games 1 --seed 2 "${@:4}"
	exit_status "$PID" 60
	[[ $STATUS == 0 ]] || fail "two ended with status $STATUS"
	exit_status "$first" 60
	[[ $STATUS == 0 ]] || fail "one ended with status $STATUS"
	ONE=$(<"$log")
}

@test "a search for games for two: what it must see, with its table and without" {
	run "$BUILD/tests/bot_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "a bot remembers the round, and finds its way back when it has missed something" {
	run "$BUILD/tests/bot_two_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "all levels play the games for two to their end, without a word of complaint" {
	local game level
	start_server
	for game in $(all_games); do
		# for two, and nothing is hidden: those that have sides
		if ! game_has "$game" side; then continue; fi
		for level in strong easy random; do
			duel "$game" "$level" easy --think 5
			[[ $ONE == 'duel '*' opponent=two' && $ONE != *$'\n'* && $ONE != *@(timeout|illegal)* ]] ||
				fail "$game, $level: $ONE"
		done
	done
}

@test "the second to move wins Quantik, when both are strong" {
	start_server
	duel quantik strong strong --think 4000 --key rounds=2 --key clock=60
	[[ $ONE == 'duel '*' draw '* ]] || fail "$ONE"
}

@test "--think gives way to the table's clock, and what was said meanwhile is heard after it" {
	start_server
	launch bot "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot -g hnefatafl -n bot -s attacker --games 1 \
		--think 3600000 --key clock=3
	local log=$LOG
	connect A
	send A 'PLAY hnefatafl name=anna side=defender clock=3'
	expect_later A 'START 0 ATTACKER 0 *'
	expect A 'BOARD *'
	expect A 'STATE 0 * 1'
	expect A 'BOARD *'
	send A 'MOVE 4 2 3 2'
	expect A 'STATE 1 4 2 3 2 0'
	# the bot thinks now, and does not see this before it has moved
	send A RESIGN
	expect_later A 'ROUND 1 1 1 0'
	exit_status "$PID"
	[[ $STATUS == 0 && $(<"$log") == *' win resigned opponent=anna' ]] || fail "$(<"$log")"
}

# Of the processor it has taken more than its start can have: 20 hundredths of a second.
thinks() { # PID
	local -a stat
	read -ra stat <"/proc/$1/stat"
	((stat[13] > 20))
}

@test "a bot that is told to end while it thinks does not think on" {
	start_server
	launch bot "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot -g hnefatafl -n bot -s attacker \
		--think 3600000 --key clock=off
	connect A
	send A 'PLAY hnefatafl name=anna side=defender clock=off'
	expect_later A 'BOARD *'
	wait_until thinks "$PID"
	kill -TERM "$PID"
	expect_later A 'WIN left'
	exit_status "$PID"
	[[ $STATUS == 0 && ! -s bot.log ]] || fail "$(<bot.log)"
}

@test "a bot without a level is strong, and what is wrong with --think is said" {
	local value
	run "$BUILD/holmgang-player" --help
	[[ $output == *'strong (as well as it can), easy (can be beaten), random (any legal move)'* && $output == *'--think MS'*'(200)'* ]]
	for value in 0 -1 x 3600001 ''; do
		run "$BUILD/holmgang-player" --bot --think "$value"
		[[ $status == 2 && ${#lines[@]} == 1 && $output == holmgang-player:*--think* ]] || fail "$value: $output"
	done
	run "$BUILD/holmgang-player" --engine cat --think 5
	[[ $status == 2 && ${#lines[@]} == 1 && $output == *--think*'built-in bot'* ]] || fail "$output"
	start_server
	duel tictactoe '' random --games 12
	[[ $(wc -l <<<"$ONE") == 12 && $ONE != *' lose '* ]] || fail "$ONE"
}
