#!/usr/bin/env bats
#
# Engines: programs of others that play through the player, how they fail, and that nothing of them
# is left. What an engine starts is found by a number that no other test uses.

# shellcheck disable=SC2016 # programs in quotes

load ../lib/common
load ../lib/games

ENGINES=$ROOT/player/engines

# Ends whatever a test that has failed may have left, so that the next one is not hurt.
teardown() {
	local pid
	for pid in $(marked); do kill -KILL "$pid"; done
	common_teardown
}

# Processes whose command line has this test's mark.
marked() {
	pgrep -f "[m]ark=$MARK\$" || true
}

none_is_marked() {
	[[ ! $(marked) ]]
}

count_marked() {
	marked | wc -l
}

are_marked() { # COUNT
	(($(count_marked) == $1))
}

setup() {
	common_setup
	MARK=$$.$RANDOM$RANDOM
	# a process that can be found, and does not care whether anybody listens
	cat >sleeper <<-'END2'
		#!/usr/bin/env bash
		trap '' TERM HUP INT
		while :; do sleep 5 & wait; done
	END2
	chmod +x sleeper
}

# A player with an engine, until it is registered.
engine() { # NAME COMMAND ARGUMENT...
	start "$1" player 127.0.0.1 "$PORT" -n "$1" --engine "$2" "${@:3}"
}

bash_engine() { # NAME PROGRAM ARGUMENT...
	printf '%s\n' "$2" >"$1.sh"
	engine "$1" "exec bash $1.sh" "${@:3}"
}

# The opponent is a raw connection, as X, and begins when BEGINS is said. ben's first move is made.
ben_plays() { # KEY=VALUE...
	connect ben
	send ben PLAY tictactoe name=ben side=cross "$@"
	expect ben 'ID *'
	expect_later ben 'START *'
	if [[ $LINE == 'START 1 '* ]]; then send ben MOVE 1 1; fi
}

has_line() { # LOG PATTERN
	grep -qE -- "$2" "$1"
}

sees_line() { # LOG PATTERN
	wait_until has_line "$@" || fail "no \"$2\" in:" "$(<"$1")"
}

two_engines() { # GAME COMMAND COMMAND ARGUMENT...
	local one
	start one player 127.0.0.1 "$PORT" -g "$1" -n one --games 1 --engine "$2" "${@:4}"
	one=$PID
	start two player 127.0.0.1 "$PORT" -g "$1" -n two --games 1 --engine "$3" "${@:4}"
	exit_status "$one" 60
	[[ $STATUS == 0 ]]
	exit_status "$PID" 60
	[[ $STATUS == 0 ]]
	has_line one.log '^duel [0-9a-f-]{36} (win|lose|draw) [a-z0-9-]+ opponent=two' || fail "$(<one.log)"
	has_line two.log '^duel [0-9a-f-]{36} (win|lose|draw) [a-z0-9-]+ opponent=one' || fail "$(<two.log)"
	if grep -h engine one.log two.log; then fail 'an engine has failed'; fi
}

# --- the examples ------------------------------------------------------------------------------

# Building needs neither; where they are not there these examples cannot be played.
can_run() { # COMMAND
	command -v "$1" >/dev/null || echo "# there is no $1 here, so its example is not played" >&3
	command -v "$1" >/dev/null
}

@test "the examples in shell and C play every game that has turns" {
	local game shell
	start_server
	cc -o dice "$ENGINES/dice.c"
	for game in $(all_games); do
		if ! game_has_turns "$game"; then continue; fi
		shell=$ENGINES/dice.sh
		# a shell is slow, and these may be 400 moves
		if [[ $game == hnefatafl ]]; then shell=./dice; fi
		two_engines "$game" "$shell" ./dice --key clock=60
	done
}

@test "the examples in Python play, and one of them memory" {
	can_run python3 || return 0
	start_server
	two_engines quantik "$ENGINES/dice.py" "$ENGINES/dice.py" --key clock=60
	two_engines memory "$ENGINES/memory.py" "$ENGINES/memory.py" --key rounds=1 --key size=2
}

@test "the example in Java plays Quantik, and looks ahead" {
	can_run java || return 0
	start_server
	two_engines quantik "java $ENGINES/Quantik.java" "$ENGINES/dice.sh" --key rounds=2 --key clock=60
	has_line one.log '^duel [0-9a-f-]* (win|draw) ' || fail "$(<one.log)"
}

@test "the shell engine of the page plays" {
	local command
	start_server
	command=$(sed -n '/^```sh first/,/^```$/p' "$ENGINES/README.md" | sed '1d;$d')
	[[ $command ]]
	printf '%s\n' "$command" >first
	two_engines tictactoe 'bash first' 'bash first'
}

# --- what an engine hears and may say ----------------------------------------------------------

@test "an engine hears the server's lines as they are, GAMES and ID first, and its standard error is kept" {
	start_server
	engine anna "echo hello >&2; tee heard | bash $ENGINES/dice.sh" --games 1
	ben_plays legal=on
	expect_later ben 'STATE 1 *'
	send ben RESIGN
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	has_line heard '^tictactoe 2 2 '
	has_line heard '^END$'
	has_line heard '^ID [0-9a-f-]{36} [0-9a-f]{32}$'
	has_line heard '^START [01] CROSS 0 duel=.* names=ben,anna$'
	has_line heard '^STATE [01] . . [01]$'
	has_line heard '^LEGAL [0-9];*'
	has_line heard '^WIN resigned$'
	has_line heard '^ROUND 1 1 0 1$'
	[[ $(<engine-anna.log) == hello ]]
	has_line anna.log '^duel [0-9a-f-]{36} win resigned opponent=ben$'
}

@test "a program that was written for nc plays: PLAY and LOGOUT are taken in silence" {
	start_server
	engine anna "echo PLAY tictactoe legal=on; bash $ENGINES/dice.sh" --games 1 --key wait=60
	ben_plays legal=on
	expect_later ben 'STATE 1 *'
	send ben RESIGN
	exit_status "$PID"
	[[ $STATUS == 0 && $(grep -c '' anna.log) == 1 ]] || fail "$(<anna.log)"
}

@test "an engine may be told LIST, and may RESIGN" {
	start_server
	bash_engine anna 'while read -r w rest; do case $w in START) echo LIST;; END) if ((++n == 2)); then echo RESIGN; fi;; esac; done' --games 1
	ben_plays
	expect_later ben 'WIN resigned'
	sees_line anna.log '^duel [0-9a-f-]{36} lose resigned opponent=ben$'
}

# --- how engines fail --------------------------------------------------------------------------

# What an engine does when it is its turn; how that is reported. ben wins, and can play again.
fails_with() { # COMMAND-FOR-LEGAL WORD REASON WHY KEYS...
	local command='while read -r word rest; do if [[ $word == LEGAL ]]; then '"$1"'; fi; done'
	printf '%s\n' "$command" >fails.sh
	engine anna 'exec bash fails.sh' "${KEYS[@]}"
	ben_plays "${BEN[@]}"
	expect_later ben "WIN $4"
	sees_line anna.log "^holmgang-player: engine $2: $3"
	sees_line anna.log "^duel [0-9a-f-]{36} lose $4 opponent=ben engine=$2\$"
}

@test "an engine that crashes: the round is given up, and a new one plays the next game" {
	local KEYS=() BEN=()
	start_server
	fails_with 'kill -SEGV $$' crashed 'it was killed by signal 11 .*; the round is given up; its standard error is in engine-anna.log' resigned
	hang_up ben
	ben_plays
	expect_later ben 'WIN resigned'
	has_crashed_twice() {
		[[ $(grep -c ' engine=crashed$' anna.log) == 2 ]]
	}
	wait_until has_crashed_twice
	kill -0 "$PID"
}

@test "an engine that crashes before its first move is started for the next round at once" {
	start_server
	# the first process ends when it is asked, the second one answers
	bash_engine anna 'echo >>started; n=$(wc -l <started); while read -r w rest; do if [[ $w == LEGAL ]]; then ((n > 1)) || exit 1; echo "MOVE ${rest%%;*}"; fi; done' --key rounds=2
	ben_plays rounds=2
	expect_later ben 'WIN resigned'
	expect_later ben 'START *'
	if [[ $LINE == 'START 1 '* ]]; then send ben MOVE 1 1; fi
	expect_later ben 'STATE 1 0 0 1'
}

@test "an engine that fails in three rounds without a move is given up; the table's other rounds are too" {
	local kind anna
	start_server
	for kind in 'exit 1' 'sleep 60'; do
		bash_engine anna "while read -r w rest; do if [[ \$w == LEGAL ]]; then $kind; fi; done" \
			--key clock=1 --key rounds=2
		anna=$PID
		launch ben "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot random -g tictactoe -n ben --games 2 \
			--key clock=1 --key rounds=2
		exit_status "$anna" 30
		[[ $STATUS == 1 && $(grep -c '^duel .* lose .*engine=' anna.log) == 2 ]] || fail "$(<anna.log)"
		has_line anna.log 'so it is given up$'
	done
}

@test "an engine that ends in mid-game says with which status" {
	local KEYS=() BEN=()
	start_server
	fails_with 'exit 3' crashed 'it ended with status 3; ' resigned
}

@test "an engine that closes its output and lives on" {
	local KEYS=() BEN=()
	start_server
	fails_with 'exec >&-; sleep 60' crashed 'it closed its standard output; ' resigned
}

@test "an engine that babbles: what it said is quoted, and nothing of it can hurt a terminal" {
	local KEYS=() BEN=()
	start_server
	fails_with 'printf "hel\\033[2Jlo\\n"' protocol 'it said "hel\?\[2Jlo", which is no MOVE; ' resigned
}

@test "an engine that writes no newline" {
	local KEYS=() BEN=()
	start_server
	fails_with 'head -c 5000 /dev/zero | tr "\\0" x' protocol 'it said 1024 bytes without the end of a line; ' resigned
}

@test "an engine that floods is stopped, and the server hears little of it" {
	local KEYS=() BEN=()
	start_server
	fails_with 'yes MOVE 9 9' protocol '5 of its moves were refused, the last with illegal-move; ' resigned
	launch flood "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --engine 'yes LIST'
	exit_status "$PID"
	[[ $STATUS == 1 && $(grep -c 'engine protocol: it says too much that is no move' flood.log) == 3 ]]
}

@test "an engine that does not answer has hung: by the table's clock" {
	local KEYS=(--key clock=3) BEN=(clock=3)
	start_server
	fails_with 'sleep 60' hung 'it made no move in time; ' timeout
}

@test "an engine that does not answer has hung: by a limit of ours where no clock runs" {
	local KEYS=(--key clock=off --engine-limit 1) BEN=(clock=off)
	start_server
	fails_with 'sleep 60' hung 'it made no move within 1 s; ' resigned
}

@test "an engine that stops reading has hung" {
	start_server
	# the greeting is read, and nothing after it
	bash_engine anna 'while read -r line && [[ $line != END ]]; do :; done; exec sleep 60' --key clock=3
	ben_plays clock=3
	expect_later ben 'WIN timeout'
	sees_line anna.log 'engine hung: it made no move in time'
}

@test "an engine that cannot be started, or does not get up in time, is given up" {
	start_server
	launch anna "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --engine 'no-such-command-here'
	exit_status "$PID"
	[[ $STATUS == 1 && $(grep -c 'engine crashed: it ended with status 127 (is there such a command?)' anna.log) == 3 ]] ||
		fail "$(<anna.log)"
	launch ben "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --engine-start 1 --engine 'sleep 60'
	exit_status "$PID"
	[[ $STATUS == 1 && $(grep -c 'engine hung: it has read nothing in the 1 s after its start' ben.log) == 3 ]] ||
		fail "$(<ben.log)"
	has_line ben.log 'so it is given up$'
	# nobody was kept waiting
	if grep -q 'round' "$SERVER_LOG"; then fail 'somebody was kept waiting'; fi
}

# It has been asked for its move.
is_thinking() {
	[[ -e thinking ]]
}

@test "an engine that was thinking when the round ended says its move in no other round" {
	start_server
	# the first process makes the first of its legal moves, the second one the second
	bash_engine anna 'echo >>started; n=$(wc -l <started); while read -r w rest; do if [[ $w == LEGAL ]]; then touch thinking; until [[ -e go ]]; do sleep 0.1; done; echo "MOVE $(cut -d ";" -f "$n" <<<"$rest")"; fi; done' --key rounds=2
	ben_plays rounds=2
	wait_until is_thinking
	send ben RESIGN
	expect_later ben 'START *'
	touch go
	if [[ $LINE == 'START 1 '* ]]; then send ben MOVE 2 2; fi
	expect_later ben 'STATE 1 1 0 1'
	if grep engine anna.log; then fail 'it was taken for a failure'; fi
}

# --- nothing is left ---------------------------------------------------------------------------

# An engine with children that ignore SIGTERM: in its group, in a session of their own, and of two
# forks in a row, whose parent has gone.
family_engine() {
	cat >family.sh <<-END2
		trap '' TERM
		bash ./sleeper mark=$MARK &
		setsid bash ./sleeper mark=$MARK &
		(setsid setsid bash ./sleeper mark=$MARK & exit 0)
		(( (setsid bash -c 'exec bash ./sleeper mark=$MARK' >/dev/null 2>&1 </dev/null &) &) &)
		while read -r line; do :; done
		exec bash ./sleeper mark=$MARK
	END2
	engine anna 'bash family.sh' --key wait=60
	wait_until are_marked 4
}

@test "when the player ends, its engine and all it started have ended before it" {
	start_server
	family_engine
	kill -TERM "$PID"
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	none_is_marked || fail "$(ps -f -p "$(marked | paste -sd ,)")"
}

@test "when the player is killed with SIGKILL nothing of the engine outlives it" {
	start_server
	family_engine
	kill -KILL "$PID"
	wait_gone "$PID"
	wait_until none_is_marked || fail "$(ps -f -p "$(marked | paste -sd ,)")"
}

@test "nor when the keeper between them is killed" {
	local keeper family
	start_server
	family_engine
	family=$(marked)
	keeper=$(pgrep -P "$PID" -x engine-keeper)
	kill -KILL "$keeper"
	# those that there were; another engine is started
	all_are_gone() {
		! grep -qxF "$family" <(marked)
	}
	wait_until all_are_gone
	kill -TERM "$PID"
	wait_gone "$PID"
	wait_until none_is_marked || fail "$(ps -f -p "$(marked | paste -sd ,)")"
}

@test "an engine that ends leaves nothing behind either" {
	start_server
	bash_engine anna "setsid bash ./sleeper mark=$MARK & "'while read -r w rest; do if [[ $w == START ]]; then exit 1; fi; done' --key wait=60
	wait_until are_marked 1
	local first
	first=$(marked)
	ben_plays
	expect_later ben 'WIN resigned'
	wait_gone "$first"
	kill -TERM "$PID"
	wait_gone "$PID"
	wait_until none_is_marked
}

@test "an engine that breeds faster than it is killed is ended all the same" {
	start_server
	cat >breed.sh <<-'END2'
		trap '' TERM
		if (($1 < 3)); then
			while :; do (setsid bash breed.sh $(($1 + 1)) "$2" &); sleep 0.05; done
		fi
		exec bash ./sleeper "$2"
	END2
	engine anna "bash breed.sh 2 mark=$MARK & while read -r line; do :; done" --key wait=60
	has_bred() {
		(($(count_marked) >= 10))
	}
	wait_until has_bred
	kill -KILL "$PID"
	wait_until none_is_marked || fail "$(count_marked) are left"
}

# --- over TCP ----------------------------------------------------------------------------------

@test "an engine that listens is connected to, also when it comes up late" {
	local port
	start_server
	port=$(free_port)
	launch player "$BUILD/holmgang-player" 127.0.0.1 "$PORT" -n anna --games 1 --engine-connect "127.0.0.1:$port"
	local player=$PID
	mkfifo moves
	launch engine bash -c "nc -l 127.0.0.1 $port <moves | $ENGINES/dice.sh >moves"
	connect ben
	wait_until asks_for_anna
	expect_later ben 'STATE 1 *'
	send ben RESIGN
	exit_status "$player"
	[[ $STATUS == 0 ]]
	has_line player.log '^duel [0-9a-f-]{36} win resigned opponent=ben$'
	exit_status "$PID"
}

# ben plays as soon as there is somebody.
asks_for_anna() {
	send ben PLAY tictactoe name=ben side=cross wait=1
	expect_later ben 'START *' 3 || return
	if [[ $LINE == 'START 1 '* ]]; then send ben MOVE 1 1; fi
}

@test "an engine that listens at one of the addresses of a name is connected to" {
	local port
	start_server
	port=$(free_port)
	mkfifo moves
	launch engine bash -c "nc -l 127.0.0.1 $port <moves | $ENGINES/dice.sh >moves"
	# the first is not where it listens
	launch player env "LD_PRELOAD=$BUILD/tests/two_addresses.so" \
		"ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" \
		"$BUILD/holmgang-player" 127.0.0.1 "$PORT" -n anna --games 1 --engine-connect "localhost:$port"
	connect ben
	wait_until asks_for_anna
	expect_later ben 'STATE 1 *'
	send ben RESIGN
	exit_status "$PID"
	[[ $STATUS == 0 ]] || fail "$(<player.log)"
}

@test "an engine that connects is waited for on the loopback; one that hangs up has crashed" {
	local port
	start_server
	port=$(free_port)
	launch player "$BUILD/holmgang-player" 127.0.0.1 "$PORT" -n anna --engine-listen "$port"
	wait_until connect engine "$port"
	expect_later engine 'END'
	ben_plays
	expect_later engine 'LEGAL *'
	hang_up engine
	expect_later ben 'WIN resigned'
	sees_line player.log 'engine crashed: it closed the connection; the round is given up$'
	sees_line player.log '^duel .* engine=crashed$'
	wait_until connect engine "$port"
	expect_later engine 'END'
}

@test "nobody answers at --engine-connect: hung, and given up" {
	start_server
	launch player "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --engine-start 1 --engine-connect "127.0.0.1:$(free_port)"
	exit_status "$PID"
	[[ $STATUS == 1 ]]
	has_line player.log 'engine hung: nobody answers at 127.0.0.1 port|engine hung: nobody answered at 127.0.0.1 port'
}

# --- the log, and the command line -------------------------------------------------------------

@test "what an engine writes to standard error goes where it is told to, and is bounded" {
	start_server
	engine anna 'head -c 9000000 /dev/zero >&2; exec cat >/dev/null' --engine-log other.log --key wait=60
	wait_until grep -qa 'the log is full' other.log
	(($(stat -c %s other.log) <= 4200000))
	[[ $(stat -c %a other.log) == 600 ]]
	run "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --engine cat --engine-log /no/such/folder
	[[ $status == 1 && $output == *'/no/such/folder'*'--engine-log'* && ${#lines[@]} == 1 ]]
}

@test "what an engine writes to standard error may go to that of the player" {
	start_server
	run timeout 20 "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --engine 'echo it hurts >&2; exit 3' --engine-log /dev/stderr
	[[ $status == 1 && $output == *'it hurts'* && $output == *'engine crashed: '* ]] || fail "$output"
}

@test "a wrong command line about engines is one line and exit 2" {
	local arguments
	for arguments in '--engine' '--engine=' '--engine cat --engine cat' '--engine cat --bot' \
		'--engine cat --pace 5' '--engine cat --seed 5' '--engine-connect x' '--engine-connect :1' \
		'--engine-connect a:0' '--engine-connect []:1' '--engine-listen 0' '--engine-listen x' '--engine-log x' '--engine-start 5' \
		'--engine-limit 5' '--engine cat --engine-start 0' '--engine cat --engine-limit 0' \
		'--engine-listen 9 --engine-log x' '--engine-listen 9 --engine-start 3' '--engine cat --hotseat a,b' \
		'--bot=strange' '--seed x --bot'; do
		# shellcheck disable=SC2086 # they are words
		run "$BUILD/holmgang-player" $arguments
		[[ $status == 2 && ${#lines[@]} == 1 && $output == holmgang-player:* ]] ||
			fail "with \"$arguments\": status $status, $output"
	done
}

@test "an address that is refused is told as it was said" {
	run "$BUILD/holmgang-player" --engine-connect '[::1]:x'
	[[ $status == 2 && $output == *'needs HOST:PORT, not "[::1]:x" '* ]] || fail "$output"
}

@test "bots have levels, and play the same moves again for the same seed" {
	start_server
	local n one
	for n in 1 2; do
		start "one$n" player --bot random 127.0.0.1 "$PORT" -n one --seed 5 --games 1 -s attacker -g hnefatafl
		one=$PID
		start "two$n" player --bot=random 127.0.0.1 "$PORT" -n two --seed 6 --games 1 -s defender -g hnefatafl
		exit_status "$one"
		exit_status "$PID"
	done
	[[ $(cut -d ' ' -f 3- one1.log) == "$(cut -d ' ' -f 3- one2.log)" ]]
	[[ $(grep -c 'round-ended' "$SERVER_LOG") == 2 ]]
}
