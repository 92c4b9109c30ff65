#!/usr/bin/env bats
#
# The player: as a bot, as a person at a terminal (in tmux), and what both refuse. Where it matters
# what the opponent does, the opponent is a raw connection.

load common

SOCKET=holmgang-player-test-$$

teardown() {
	close_terminal
	common_teardown
}

# --- bots --------------------------------------------------------------------------------------

bot() { # NAME ARGUMENT...
	start "$1" player 127.0.0.1 "$PORT" --bot -n "$@"
}

count_duels() { # LOG
	grep -c '^duel ' "$1" || true
}

has_duels() { # LOG COUNT
	(($(count_duels "$1") >= $2))
}

has_line() { # LOG PATTERN
	grep -qE -- "$2" "$1"
}

# A raw opponent at a table with the player; answers nothing yet.
ben_asks() { # KEY=VALUE...
	connect ben
	send ben PLAY tictactoe name=ben "$@"
	expect ben 'ID *'
}

# --- terminals ---------------------------------------------------------------------------------

in_tmux() {
	tmux -L "$SOCKET" "$@"
}

# A terminal in which the player runs, with something above it and its end below.
open_terminal() { # WIDTH HEIGHT LOCALE ARGUMENT...
	cat >session.sh <<-END
		ulimit -c 0
		trap : INT
		echo above
		stty -g >modes-before
		LC_ALL=$3 "$BUILD/holmgang-player" ${*:4} 2>said
		echo "status=\$?"
		cat said
		stty -g >modes-after
		read -r line
	END
	in_tmux -u -f /dev/null new-session -d -x "$1" -y "$2" sh session.sh 3>&-
	in_tmux set-option -g status off
}

screen() {
	in_tmux capture-pane -p
}

shows() { # TEXT
	screen | grep -qF -- "$1"
}

see() { # TEXT [SECONDS]
	wait_until "${2:-$DEADLINE}" shows "$1" || fail "instead of \"$1\":" "$(screen)"
}

keys() {
	in_tmux send-keys "$@"
}

# The player ends first: a leak sanitizer that is at work when tmux sends SIGCONT waits for ever.
close_terminal() {
	local pid
	if pid=$(player_pid 2>/dev/null); then
		kill -TERM "$pid" && wait_gone "$pid"
	fi
	in_tmux kill-server 2>/dev/null || true
}

player_pid() {
	pgrep -P "$(in_tmux display-message -p '#{pane_pid}')" -x holmgang-player
}

is_given_back() {
	[[ -s modes-after && $(in_tmux display-message -p '#{alternate_on} #{cursor_flag}') == '0 1' ]] &&
		cmp -s modes-before modes-after && shows above
}

given_back_with() { # STATUS
	see "status=$1"
	wait_until is_given_back
}

# The middle of a cell, from the lines of the board: column and row, from 1.
find_cell() { # X Y
	screen | awk -v x="$1" -v y="$2" '
		/\+-+\+-+\+-+\+/ && ++lines <= 2 { row[lines] = NR; line = $0 }
		END {
			left = index(line, "+")
			width = index(substr(line, left + 1), "+")
			height = row[2] - row[1]
			print left + x * width + int(width / 2), row[1] + y * height + int(height / 2)
		}'
}

# As the terminal of tmux says it, down and up again: ESC [ M, then button, column and row, each
# with 32 added.
click() { # X Y
	local column row
	read -r column row < <(find_cell "$@")
	printf -v column %x $((32 + column))
	printf -v row %x $((32 + row))
	keys -H 1b 5b 4d 20 "$column" "$row" 1b 5b 4d 23 "$column" "$row"
}

# anna sits at the terminal as X, ben is a raw connection.
sit_down() { # [PLAYER'S ARGUMENT...]
	start_server
	open_terminal 80 24 C 127.0.0.1 "$PORT" -n anna -s cross "$@"
	see '> p  Play'
	keys p
	see 'anna looks for an opponent'
	ben_asks side=nought "${KEYS[@]}"
	ben_starts
}

ben_starts() {
	expect_later ben 'START *'
	BEN_FIRST=${LINE:6:1}
}

# anna's three and ben's up to three; she makes the top row.
play_row() { # HOW-ANNA-MOVES
	local x ben=('0 2' '1 2' '2 1')
	for x in 0 1 2; do
		if ((x > 0 || BEN_FIRST)); then
			see 'ben to move'
			send ben "MOVE ${ben[x - !BEN_FIRST]}"
			expect_later ben "STATE 1 ${ben[x - !BEN_FIRST]} 0"
		fi
		see 'Your move'
		"$1" "$x" 0
		expect_later ben "STATE 0 $x 0 *"
	done
}

by_key() { # X Y: the cursor begins in the middle
	if (($1 == 0)); then keys k h Enter; else keys Right Enter; fi
}

# --- modules -----------------------------------------------------------------------------------

@test "the server's lines are understood, and moves are made by picking" {
	run "$BUILD/tests/view_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

@test "the bot never loses tic-tac-toe, and is sound in larger games" {
	run "$BUILD/tests/bot_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

# --- command line ------------------------------------------------------------------------------

@test "a wrong command line is one line and exit 2" {
	local arguments
	for arguments in '127.0.0.1 0' '127.0.0.1 65536' '127.0.0.1 x' '127.0.0.1 1111 more' '--wrong' \
		'-g chess' '-n a/b' '-n -' '-s attacker' '-v 0' '-v x' '--games 0' '--pace x' '--pace -1' \
		'--key rounds=0' '--key rounds' '--key colour=red' '--key name=x' '--key side=cross' \
		'--key legal=off' '--key rounds=2 --key rounds=3' '--games'; do
		# shellcheck disable=SC2086 # they are words
		run "$BUILD/holmgang-player" --bot $arguments
		[[ $status == 2 && ${#lines[@]} == 1 && $output == holmgang-player:* ]] ||
			fail "with \"$arguments\": status $status, $output"
	done
}

@test "--help and --version" {
	run "$BUILD/holmgang-player" --help
	[[ $status == 0 && $output == usage:* && $output == *tictactoe* ]]
	run "$BUILD/holmgang-player" --version
	[[ $status == 0 && $output == 'holmgang-player '[0-9]* ]]
}

@test "no server: one line and exit 1, at once" {
	local port
	port=$(free_port)
	run timeout 3 "$BUILD/holmgang-player" 127.0.0.1 "$port" --bot
	[[ $status == 1 && ${#lines[@]} == 1 && $output == "holmgang-player: "*"127.0.0.1 port $port"* ]]
	run timeout 9 "$BUILD/holmgang-player" no.such.host.invalid "$port" --bot
	[[ $status == 1 && ${#lines[@]} == 1 && $output == "holmgang-player: "*no.such.host.invalid* ]]
	open_terminal 80 24 C 127.0.0.1 "$port"
	see 'status=1'
	[[ $(wc -l <said) == 1 && $(<said) == *"127.0.0.1 port $port"* ]]
	wait_until is_given_back
}

# --- bots --------------------------------------------------------------------------------------

@test "two bots play 20 duels and neither loses one" {
	local one two
	start_server
	bot one --games 20
	one=$PID
	bot two --games 20
	two=$PID
	exit_status "$one" 30
	[[ $STATUS == 0 ]]
	exit_status "$two"
	[[ $STATUS == 0 ]]
	[[ $(count_duels one.log) == 20 && $(count_duels two.log) == 20 ]]
	[[ $(grep -cE '^duel [0-9a-f-]{36} draw full opponent=two$' one.log) == 20 ]]
	cmp <(cut -d ' ' -f 2 one.log) <(cut -d ' ' -f 2 two.log)
}

@test "keys of PLAY are passed on: three rounds at a private table are one duel" {
	start_server
	bot one --games 2 --key rounds=3 --key table=ours
	local one=$PID
	bot two --games 2 --key rounds=3 --key table=ours
	exit_status "$one" 20
	[[ $STATUS == 0 && $(count_duels one.log) == 2 ]]
	[[ $(grep -c 'round-ended.*round=3' "$SERVER_LOG") == 2 ]]
}

@test "a bot plays on when its opponent leaves, and asks again when nobody comes" {
	start_server --match-timeout 1
	bot bot
	local log=$LOG
	ben_asks
	expect_later ben 'START *'
	send ben LOGOUT
	wait_until has_line "$log" '^duel [0-9a-f-]{36} win left opponent=ben$'
	# longer than the looking lasts
	connect anna
	send anna 'PLAY tictactoe name=anna wait=1'
	expect_later anna 'START *'
	send anna RESIGN
	wait_until has_line "$log" '^duel [0-9a-f-]{36} win resigned opponent=anna$'
	kill -0 "$PID"
}

@test "the pace is kept before each move" {
	local begin
	start_server
	bot bot --pace 400
	begin=$(now)
	ben_asks
	expect_later ben 'START *'
	if [[ $LINE == 'START 1 '* ]]; then
		send ben 'MOVE 0 0'
	fi
	expect_later ben 'STATE [01] * 1'
	(($(now) - begin >= 400000))
}

@test "a bot that is told to end leaves the duel first" {
	start_server
	bot bot --pace 60000
	ben_asks
	expect_later ben 'START *'
	kill -TERM "$PID"
	expect_later ben 'WIN left' 3
	exit_status "$PID"
	[[ $STATUS == 0 ]]
}

@test "a server that comes back finds its bots again" {
	start_server
	bot one
	local log=$LOG
	bot two
	wait_until has_duels "$log" 2
	kill -TERM "$SERVER_PID"
	wait_gone "$SERVER_PID"
	local before
	before=$(count_duels "$log")
	start_server_on "$PORT"
	wait_until has_duels "$log" $((before + 2))
}

@test "a server that is gone for good ends a bot with one line and exit 1" {
	start_server
	bot bot --pace 60000
	local pid=$PID log=$LOG
	ben_asks
	expect_later ben 'START *'
	kill -TERM "$SERVER_PID"
	wait_until has_line "$log" '^duel [0-9a-f-]{36} aborted shutdown opponent=ben$'
	exit_status "$pid" 20
	[[ $STATUS == 1 && $(wc -l <"$log") == 2 && $(tail -n 1 "$log") == holmgang-player:*refused* ]]
}

@test "the player that only watches prints boards where there is no terminal" {
	local port
	port=$(free_port)
	start_server -b "$port"
	start watcher player -v "$port"
	local log=$LOG pid=$PID
	bot one --pace 20
	bot two --pace 20
	wait_until has_line "$log" 'one'
	kill -TERM "$pid"
	exit_status "$pid"
	[[ $STATUS == 0 ]]
}

# --- at a terminal -----------------------------------------------------------------------------

@test "a whole duel by keyboard, play again, menu, quit" {
	local KEYS=()
	sit_down
	play_row by_key
	see 'You win: three in a row'
	see 'Enter: play again'
	keys Enter
	see 'anna looks for an opponent'
	keys q
	see '> p  Play'
	keys q
	given_back_with 0
}

@test "a whole duel by mouse" {
	local KEYS=()
	sit_down
	play_row click
	see 'You win: three in a row'
	keys q
	see '> p  Play'
	keys q
	given_back_with 0
}

@test "rounds: the end of one stays in view when the next has begun" {
	local KEYS=(rounds=2)
	sit_down --key rounds=2
	send ben RESIGN
	see 'You win: ben gave up'
	see 'Rounds won: you 1, ben 0 (1 of 2 played)'
	see 'any key: go on'
	keys x
	see 'round 2 of 2'
	see 'r: resign'
	keys r
	see 'Resign? y/n'
	keys y
	expect_later ben 'WIN resigned'
	see 'You lose: you gave up'
	see 'Rounds won: you 1, ben 1 (2 of 2 played)'
	keys q
	see '> p  Play'
}

@test "what is not possible is said, and the duel goes on" {
	local KEYS=()
	sit_down
	if ((BEN_FIRST)); then
		keys Enter
		see 'It is not your turn.'
		send ben 'MOVE 1 1'
	else
		keys Enter
		see 'ben to move'
		send ben 'MOVE 0 0'
	fi
	see 'Your move'
	keys Enter
	see 'That is not possible.'
	keys Tab Enter
	see 'ben to move'
}

@test "leaving in mid-duel is confirmed" {
	local KEYS=()
	sit_down
	keys q
	see 'Leave and lose? y/n'
	keys n
	see 'r: resign'
	keys Escape
	see 'Leave and lose? y/n'
	keys y
	expect_later ben 'WIN left'
	see '> p  Play'
	see 'You have left the duel.'
}

@test "Ctrl-C in mid-duel leaves it and gives the terminal back" {
	local KEYS=()
	sit_down
	keys C-c
	expect_later ben 'WIN left' 3
	given_back_with 0
}

@test "an opponent who leaves, and a server that stops, are told in words" {
	local KEYS=()
	sit_down
	send ben LOGOUT
	see 'You win: ben left'
	keys Enter
	see 'anna looks for an opponent'
	ben_asks
	ben_starts
	see 'move'
	kill -TERM "$SERVER_PID"
	see 'the server shuts down'
	keys Enter
	see 'cannot connect to 127.0.0.1'
	keys q
	see 'not connected'
	keys q
	given_back_with 0
}

@test "a server killed in mid-duel: looked for, then the menu, then the terminal as it was" {
	local KEYS=()
	sit_down
	kill -KILL "$SERVER_PID"
	see 'The connection is lost'
	keys q
	see '> p  Play'
	keys q
	given_back_with 0
}

@test "a server that comes back without the seat is said so" {
	local KEYS=()
	sit_down
	kill -KILL "$SERVER_PID"
	see 'The connection is lost'
	wait_until has_no_family "$SERVER_PID"
	start_server_on "$PORT"
	see 'knows nothing of our seat'
	keys Enter
	see 'anna looks for an opponent'
}

@test "a player that is killed by a signal gives the terminal back" {
	local KEYS=()
	sit_down
	kill -TERM "$(player_pid)"
	expect_later ben 'WIN left' 3
	given_back_with 0
	close_terminal
	rm modes-after
	open_terminal 80 24 C 127.0.0.1 "$PORT"
	see '> p  Play'
	kill -ABRT "$(player_pid)"
	see 'status='
	wait_until is_given_back
}

@test "the looking ends when nobody comes" {
	start_server --match-timeout 1
	open_terminal 80 24 C 127.0.0.1 "$PORT" -n anna
	see '> p  Play'
	keys p
	see 'Nobody has come to play.'
	keys q
	see '> p  Play'
}

@test "name, side and what a person types are checked" {
	start_server
	open_terminal 80 24 C 127.0.0.1 "$PORT" -n anna
	see 'n  Name   anna'
	keys n
	see 'What is your name?'
	keys '!'
	see 'anna!_'
	keys Enter
	see 'A name is 1 to 24'
	keys BSpace b Enter
	see 'n  Name   annab'
	keys s
	see 's  Side   cross'
	keys n
	see 'What is your name?'
	keys z
	see 'annabz_'
	keys Escape
	see 'n  Name   annab'
	keys Down
	see '> g  Game'
	keys Down Enter
	see '> s  Side   nought'
}

@test "watching from the menu, and with -v alone" {
	local port
	port=$(free_port)
	start_server -b "$port"
	bot one --pace 100
	bot two --pace 100
	open_terminal 80 24 C 127.0.0.1 "$PORT" -n anna
	see '> p  Play'
	keys w
	see 'Which broadcast port'
	keys 0 Enter
	see 'A port is 1 to 65535'
	keys BSpace
	keys "$port" Enter
	see 'one'
	keys q
	see "port $port"
	keys q
	given_back_with 0
	close_terminal
	rm modes-after
	open_terminal 80 24 C -v "$port"
	see 'one'
	keys q
	see 'not connected'
	keys q
	given_back_with 0
}

# As much of the text as such a window shows.
in_width() { # WIDTHxHEIGHT TEXT
	printf '%s' "${2:0:${1%x*}}"
}

@test "every screen follows the window, however small or large" {
	local size KEYS=()
	sit_down
	if ((!BEN_FIRST)); then
		see 'Your move'
		keys Enter
		expect_later ben 'STATE 0 *'
	fi
	for size in 20x8 10x5 1x1 200x60 80x24; do
		in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
		case $size in
		1x1) ;;
		10x5) see 'ben to mov' ;;
		*) see 'q: leave   r: resign' ;;
		esac
		kill -0 "$(player_pid)"
	done
	keys q
	see 'y: leave'
	keys y
	see '> p  Play'
	for size in 20x8 10x5 1x1 200x60; do
		in_tmux resize-window -x "${size%x*}" -y "${size#*x}"
		# the last place of a screen cannot always be written
		if [[ $size != 1x1 ]]; then see "$(in_width "$size" '> p  Play')"; fi
		kill -0 "$(player_pid)"
	done
	keys q
	given_back_with 0
}

@test "in UTF-8 the board has lines, with --ascii it has none" {
	start_server
	open_terminal 80 24 C.UTF-8 127.0.0.1 "$PORT" -s cross
	see '> p  Play'
	keys p
	ben_asks
	see '├'
	close_terminal
	expect_later ben 'WIN left'
	open_terminal 80 24 C.UTF-8 127.0.0.1 "$PORT" --ascii
	see '> p  Play'
	keys p
	ben_asks
	see '+-'
	run ! grep -q '[^ -~]' <(screen)
}

@test "a terminal that cannot be drawn on is one line and exit 1" {
	start_server
	open_terminal 80 24 C 127.0.0.1 "$PORT"
	see '> p  Play'
	keys q
	given_back_with 0
	close_terminal
	sed -i 's/LC_ALL=/TERM=dumb &/' session.sh
	in_tmux -u -f /dev/null new-session -d -x 80 -y 24 sh session.sh 3>&-
	see 'status=1'
	[[ $(wc -l <said) == 1 && $(<said) == *TERM=dumb*--bot* ]]
}
