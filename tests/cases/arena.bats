#!/usr/bin/env bats
#
# The arena: whole tournaments through a server, how they are interrupted and go on, and that
# nothing of them is left. Its statistics are tested in arena_test.

# shellcheck disable=SC2016 # programs in quotes

load ../lib/common
load ../lib/terminal

ENGINES=$ROOT/player/engines

teardown() {
	terminal_teardown
}

arena() { # ARGUMENT...
	run --separate-stderr timeout 120 "$BUILD/holmgang-arena" "$@"
}

# Everything that has to do with the arena says which test it is in, by an engine's command.
setup() {
	common_setup
	mkdir tmp
	export TMPDIR=$PWD/tmp
	MARK=mark$$.$RANDOM$RANDOM
	cat >dice <<-END2
		#!/usr/bin/env bash
		while read -r w rest; do if [[ \$w == LEGAL ]]; then echo "MOVE \$(tr ';' '\n' <<<"\$rest" | shuf -n 1)"; fi; done
	END2
	cat >slow <<-'END2'
		#!/usr/bin/env bash
		# takes his time, and after some games waits for the word "go"
		while read -r w rest; do
			[[ $w == LEGAL ]] || continue
			sleep 0.1
			until [[ -e go ]] || (($(grep -c . results.jsonl) < 4)); do sleep 0.1; done
			echo "MOVE ${rest%%;*}"
		done
	END2
}

marked() {
	pgrep -f "$MARK" || true
}

none_is_marked() {
	[[ ! $(marked) ]]
}

count_results() { # FILE
	grep -c '^{"game":' "$1" || true
}

has_results() { # FILE COUNT
	[[ -e $1 ]] && (($(count_results "$1") >= $2))
}

# Each game once.
are_all_there() { # FILE COUNT
	[[ $(sed -n 's/^{"game":\([0-9]*\),.*/\1/p' "$1" | sort -n | uniq | wc -l) == "$2" && $(count_results "$1") == "$2" ]]
}

# In the first table: games, wins, draws, losses; by timeout, crash, illegal move.
row_is() { # NAME GAMES WINS DRAWS LOSSES TIMEOUTS CRASHES ILLEGAL
	[[ $(awk -v name="$1" '$2 == name && NF > 8 { print $3, $4, $5, $6, $(NF - 2), $(NF - 1), $NF }' <<<"$output") == "${*:2}" ]] ||
		fail "$1 is not ${*:2}:" "$output"
}

@test "the statistics: Elo, its error, superiority, the SPRT at its stated error rates; schedules" {
	run "$BUILD/tests/arena_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "two bots in pairs of games: results, tables, and nothing is left" {
	arena -engine bot=strong name=anna -engine bot=random name=ben -rounds 6 -games 2 -repeat \
		-concurrency 4 -out results.jsonl
	[[ $status == 0 && ! $stderr ]] || fail "$output" "$stderr"
	are_all_there results.jsonl 12
	[[ ${lines[0]} == 'tictactoe: 12 of 12 games' ]]
	[[ $(grep -cE '^ 1  anna +12 +[0-9]+ +[0-9]+ +0 +[0-9.]+ +[0-9.]+% +[+].* (9[0-9.]+|100.0)% +0 +0 +0$' <<<"$output") == 1 ]] ||
		fail "$output"
	# the same pair, sides swapped
	[[ $(grep -cE '"game":(0|2|4|6|8|10),"seats":\["anna","ben"\]' results.jsonl) == 6 ]]
	[[ $(grep -cE '"game":(1|3|5|7|9|11),"seats":\["ben","anna"\]' results.jsonl) == 6 ]]
	# the table and the lines say the same
	[[ $(grep -cE '"seats":\["anna","ben"\],"places":\[1,2\]|"seats":\["ben","anna"\],"places":\[2,1\]' results.jsonl) == \
		$(awk '$2 == "anna" && NF > 8 { print $4 }' <<<"$output") ]]
	[[ ! $(ls tmp) && ! $(pgrep -f "$PWD/tmp") ]]
}

@test "tables that cannot be written are said so, and are a failure" {
	run timeout 60 sh -c 'exec "$@" >/dev/full' sh "$BUILD/holmgang-arena" -engine bot=strong -engine bot=easy
	[[ $status == 1 && $output == 'holmgang-arena: cannot write to standard output: No space left on device' ]] ||
		fail "status $status, $output"
}

@test "everybody meets everybody, or the first the others; a crash, a timeout, an illegal move are counted" {
	printf '%s\n' 'while read -r w rest; do if [[ $w == LEGAL ]]; then exit 1; fi; done' >crash
	printf '%s\n' 'while read -r w rest; do if [[ $w == LEGAL ]]; then sleep 30; fi; done' >hang
	printf '%s\n' 'while read -r w rest; do if [[ $w == LEGAL ]]; then echo MOVE 9 9; fi; done' >wrong
	arena -engine bot=random name=good -engine cmd='bash crash' name=crash -engine cmd='bash hang' name=hang \
		-engine cmd='bash wrong' name=wrong -each clock=4 strict=on -tournament gauntlet -games 2 -repeat -concurrency 6
	[[ $status == 0 ]]
	[[ ${lines[0]} == 'tictactoe: 6 of 6 games' ]] || fail "$output"
	row_is good 6 6 0 0 0 0 0
	row_is crash 2 0 0 2 0 2 0
	row_is hang 2 0 0 2 2 0 0
	row_is wrong 2 0 0 2 0 0 2
	# the cross table
	[[ $output =~ 1\ \ good\ +-\ +2.0/2\ +2.0/2\ +2.0/2 ]] || fail "$output"
	arena -engine bot=random -engine bot=random -engine bot=random -rounds 2 -concurrency 4 -srand 3
	[[ $status == 0 && ${lines[0]} == 'tictactoe: 6 of 6 games' && $output == *random3* ]]
}

@test "an engine that cannot be started loses by a crash, and the others need not wait for it" {
	arena -engine bot=random -engine cmd=no-such-command-here name=none -games 2 -repeat
	[[ $status == 0 ]]
	row_is none 2 0 0 2 0 2 0
}

@test "more than two seats are rated by places, each in each seat" {
	arena -game qwirkle -seats 3 -engine bot=random name=a -engine bot=random name=b -engine cmd="$ENGINES/dice.sh" name=c \
		-games 3 -repeat -concurrency 3 -out results.jsonl
	[[ $status == 0 ]] || fail "$output" "$stderr"
	are_all_there results.jsonl 3
	[[ $(grep -cE '"seats":\["a","b","c"\]|"seats":\["b","c","a"\]|"seats":\["c","a","b"\]' results.jsonl) == 3 ]]
	# places are those of the points
	sed -n 's/.*"places":\[\([0-9,]*\)\],"points":\[\([0-9,]*\)\].*/\1,\2/p' results.jsonl | awk -F , '
		{ for (i = 1; i <= 3; i++) {
			place = 1
			for (j = 1; j <= 3; j++) place += $(j + 3) > $(i + 3)
			if (place != $i) exit 1
		} lines++ }
		END { exit lines != 3 }' || fail "$(<results.jsonl)"
}

@test "at a memory table, which nobody can resign, a crash is a loss too" {
	printf '%s\n' 'while read -r w rest; do if [[ $w == START ]]; then exit 1; fi; done' >crash
	arena -game memory -engine bot=random name=a -engine cmd='bash crash' name=b -games 2 -repeat -out results.jsonl
	[[ $status == 0 ]] || fail "$output" "$stderr"
	row_is a 2 2 0 0 0 0 0
	row_is b 2 0 0 2 0 2 0
	grep -q '"seats":\["a","b"\],"places":\[1,2\],.*"faults":\[0,2\]' results.jsonl
	grep -q '"seats":\["b","a"\],"places":\[2,1\],.*"faults":\[2,0\]' results.jsonl
}

# bats test_tags=slow
@test "think= is how long a bot may think" {
	# who sees to the end of Quantik wins all that he begins second
	arena -game quantik -each clock=60 -engine bot=strong think=3000 name=far -engine bot=strong think=1 name=near \
		-rounds 3 -games 2 -repeat
	[[ $status == 0 ]] || fail "$output" "$stderr"
	(($(awk '$2 == "far" && NF > 8 { print $4 }' <<<"$output") >= 4)) || fail "$output"
}

@test "an SPRT ends as soon as it is decided" {
	arena -engine bot=strong -engine bot=random -rounds 500 -games 2 -repeat -concurrency 4 \
		-sprt elo0=0 elo1=100 alpha=0.05 beta=0.05
	[[ $status == 0 && $output == *'LLR '*' (-2.94, 2.94), elo1 is accepted'* ]] || fail "$output" "$stderr"
	[[ ${lines[0]} =~ ^tictactoe:\ ([0-9]+)\ of\ 1000\ games$ ]]
	((BASH_REMATCH[1] < 200))
}

# A long tournament, in the background, that writes results.jsonl.
long_arena() {
	COMMAND=("$BUILD/holmgang-arena" -engine cmd="bash dice $MARK" name=a -engine cmd="bash slow $MARK" name=b
		-rounds 6 -games 2 -repeat -concurrency 3 -out results.jsonl -recover)
	launch arena "${COMMAND[@]}"
	wait_until has_results results.jsonl 3
}

goes_on() {
	local before
	before=$(count_results results.jsonl)
	((before < 12))
	touch go
	run timeout 120 "${COMMAND[@]}"
	[[ $status == 0 && ${lines[0]} == 'tictactoe: 12 of 12 games' ]] || fail "$output"
	are_all_there results.jsonl 12
	# no line of it is a piece
	if grep -vE '^\{.*\}$' results.jsonl; then fail 'a piece of a line'; fi
}

@test "Ctrl-C ends it clean, with what has been played; the same command goes on" {
	long_arena
	kill -INT "$PID"
	exit_status "$PID"
	[[ $STATUS == 1 ]]
	none_is_marked
	grep -q 'stopped after [0-9]* of 12 games; the same command with -recover goes on' arena.log
	grep -q 'points against' arena.log
	goes_on
}

@test "killed with SIGKILL nothing of it is left, and the same command goes on" {
	long_arena
	kill -KILL "$PID"
	wait_gone "$PID"
	wait_until none_is_marked
	# as if it had died in the middle of a line
	printf '{"game":11,"seats":["b","a"],"pla%05000d' 0 >>results.jsonl
	goes_on
}

@test "results of another command, or without -recover, are not touched" {
	arena -engine bot=random name=a -engine bot=random name=b -out r.jsonl
	[[ $status == 0 ]]
	cp r.jsonl before
	arena -engine bot=random name=a -engine bot=random name=b -out r.jsonl
	[[ $status == 1 && $stderr == *'r.jsonl has results already: say -recover'* ]]
	arena -engine bot=random name=a -engine bot=strong name=b -out r.jsonl -recover
	[[ $status == 1 && $stderr == *'r.jsonl is not of this command'* ]]
	cmp r.jsonl before
	# more rounds are the same tournament
	arena -engine bot=random name=a -engine bot=random name=b -out r.jsonl -recover -rounds 2
	[[ $status == 0 && ${lines[0]} == 'tictactoe: 2 of 2 games' ]]
	[[ $(head -n 2 r.jsonl) == "$(<before)" ]]
}

@test "a server at an IPv6 address, in brackets" {
	needs six
	start_server --listen ::1
	arena -server "[::1]:$PORT" -engine bot=random -engine bot=random -each clock=off -game quantik
	[[ $status == 0 && ${lines[0]} == 'quantik: 1 of 1 games' ]] || fail "$output" "$stderr"
}

@test "another server, and what was said to standard error" {
	start_server
	printf '%s\n' 'echo hello >&2; exec bash dice' >says
	arena -server "127.0.0.1:$PORT" -engine bot=random name=a -engine cmd='bash says' name=b -log logs -game quantik
	[[ $status == 0 ]]
	[[ $(<logs/0-b.engine.log) == hello && -e logs/0-a.player.log ]]
	has_ended_once() {
		[[ $(grep -c 'round-ended.*game=quantik' "$SERVER_LOG") == 1 ]]
	}
	wait_until has_ended_once
	arena -server "127.0.0.1:$(free_port)" -engine bot=random -engine bot=random -log logs
	[[ $status == 1 && $stderr == *'a player ended before it could play'* ]]
	grep -q 'is the server running there' logs/0-random[12].player.log
}

@test "a bar on a terminal" {
	open_terminal 120 24 "'$BUILD/holmgang-arena' -engine bot=strong -engine bot=random -rounds 4 -concurrency 2"
	wait_until shows_match '\[########################\] 4 of 4, [0-9] at once  strong1 [0-9.]*%  Elo '
	wait_until shows 'tictactoe: 4 of 4 games'
}

shows_match() { # PATTERN
	screen | grep -q -- "$1"
}

@test "a bar on a terminal that does not get to its end has its line for itself all the same" {
	# a decision; there is not always a bar with the last game
	open_terminal 120 24 "'$BUILD/holmgang-arena' -engine bot=strong -engine bot=random -rounds 500 -games 2 -repeat \
		-concurrency 4 -sprt elo0=0 elo1=100"
	wait_until shows 'elo1 is accepted'
	wait_until shows_match '^tictactoe: [0-9]* of 1000 games$' || fail "$(screen)"
	shows_match '^\[#*\.*\] [0-9]* of 1000, ' || fail "$(screen)"
	close_terminal
	# Ctrl-C
	open_terminal 120 24 "'$BUILD/holmgang-arena' -engine bot=strong -engine bot=random -rounds 5000 -concurrency 2"
	wait_until shows_match '^\[#*\.*\] [1-9][0-9]* of 5000, '
	in_tmux send-keys C-c
	wait_until shows_match '^holmgang-arena: stopped after [0-9]* of 5000 games$'
	shows_match '^tictactoe: [0-9]* of 5000 games$' || fail "$(screen)"
	close_terminal
	# something of its own goes wrong
	open_terminal 120 24 "'$BUILD/holmgang-arena' -engine bot=strong -engine bot=random -rounds 5000 -concurrency 2"
	wait_until shows_match '^\[#*\.*\] [1-9][0-9]* of 5000, '
	kill -KILL "$(pgrep -x -P "$(program_pid holmgang-arena)" holmgang-server)"
	wait_until shows_match '^holmgang-arena: the arena.s server has ended unexpectedly$' || fail "$(screen)"
}

@test "a wrong command line is one line and exit 2; --help and --version" {
	local arguments
	for arguments in '' '-engine bot=random' '-wrong' 'word' '-engine' '-engine cmd=x bot=random' '-engine bot=strange' \
		'-engine bot=easy think=0' '-engine bot=easy think=x' '-engine cmd=cat think=5' \
		'-engine bot=random name=-' '-engine bot=random name=x -engine bot=random name=x' "TWO -game chess" "TWO -rounds 0" \
		"TWO -games 3 -repeat" "TWO -seats 3" "TWO -seats 1" "TWO -concurrency 0" "TWO -concurrency 65" \
		"TWO -tournament swiss" "TWO -sprt elo0=0" "TWO -sprt elo0=5 elo1=0" "TWO -sprt elo0=0 elo1=5 alpha=1" \
		"TWO -sprt elo0=x elo1=5" "TWO -engine bot=random -sprt elo0=0 elo1=5" "TWO -recover" "TWO -server x" "TWO -server []:1" "TWO -server [::1]" \
		"TWO -each clock=0" "TWO -each side=cross" "TWO -each colour=red" "TWO -srand x" "TWO -rounds" \
		"TWO -rounds 9999999 -games 2"; do
		# shellcheck disable=SC2086 # they are words
		run "$BUILD/holmgang-arena" ${arguments/TWO/-engine bot=random -engine bot=random}
		[[ $status == 2 && ${#lines[@]} == 1 && $output == holmgang-arena:* ]] ||
			fail "with \"$arguments\": status $status, $output"
	done
	run "$BUILD/holmgang-arena" -engine bot=random -engine bot=random -game quantik -each strict=on size=4
	[[ $status == 2 && $output == *'quantik cannot be played with size=4: '* ]] || fail "$output"
	run "$BUILD/holmgang-arena" --help
	[[ $status == 0 && $output == usage:* ]]
	run "$BUILD/holmgang-arena" -version
	[[ $status == 0 && $output == 'holmgang-arena '[0-9]* ]]
}
