#!/usr/bin/env bats
#
# The player: as a bot, as a person at a terminal (in tmux), and what both refuse. Where it matters
# what the opponent does, the opponent is a raw connection.

load ../lib/common
load ../lib/terminal

teardown() {
	terminal_teardown holmgang-player
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

# What a person sees who starts the player with these arguments.
open_player() { # WIDTH HEIGHT VARIABLES ARGUMENT...
	open_terminal "$1" "$2" "$3 '$BUILD/holmgang-player' ${*:4} 2>said"
}

see() { # TEXT [SECONDS]
	wait_until "${2:-$DEADLINE}" shows "$1" || fail "instead of \"$1\":" "$(screen)"
}

see_not() { # TEXT
	wait_until shows_not "$1" || fail "still:" "$(screen)"
}

keys() {
	in_tmux send-keys "$@"
}

player_pid() {
	program_pid holmgang-player
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
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross "$@"
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

# anna sits at the terminal at a table of this game, ben is a raw connection who came second.
sit_down_at() { # GAME KEY=VALUE-OF-BEN [PLAYER'S ARGUMENT...]
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -g "$1" "${@:3}"
	see '> p  Play'
	keys p
	see 'anna looks for an opponent'
	connect ben
	# shellcheck disable=SC2086 # keys are words
	send ben PLAY "$1" name=ben $2
	expect ben 'ID *'
	ben_starts
}

# Where a text is on the screen, clicked on: its second character.
click_text() { # TEXT
	local column row
	see "$1"
	read -r column row < <(screen | awk -v text="$1" '
		index($0, text) { print index($0, text) + 1, NR; exit }')
	printf -v column %x $((32 + column))
	printf -v row %x $((32 + row))
	keys -H 1b 5b 4d 20 "$column" "$row" 1b 5b 4d 23 "$column" "$row"
}

# --- modules -----------------------------------------------------------------------------------

@test "the server's lines are understood, and moves are made by picking" {
	run "$BUILD/tests/view_test"
	[[ $status == 0 && $output == ok ]] || fail "$output"
}

# --- command line ------------------------------------------------------------------------------

@test "a wrong command line is one line and exit 2" {
	local arguments
	for arguments in '127.0.0.1 0' '127.0.0.1 65536' '127.0.0.1 x' '127.0.0.1 1111 more' '--wrong' \
		'-g chess' '-n a/b' '-n -' '-s attacker' '-v 0' '-v x' '--games 0' '--think 0' '--pace x' '--pace -1' \
		'--key rounds=0' '--key rounds' '--key colour=red' '--key name=x' '--key side=cross' \
		'--key legal=off' '--key rounds=2 --key rounds=3' '--games' '--hotseat a,b' '--hotseat a/b,c' \
		'--hotseat a,a' '--hotseat a' '--hotseat a,b,c' '--hotseat' '--ready-fd 987'; do
		# shellcheck disable=SC2086 # they are words
		run "$BUILD/holmgang-player" --bot $arguments
		[[ $status == 2 && ${#lines[@]} == 1 && $output == holmgang-player:* ]] ||
			fail "with \"$arguments\": status $status, $output"
	done
}

@test "a key that the game does not have is named, and so is a value that it cannot take" {
	run "$BUILD/holmgang-player" --bot -g memory -s cross
	[[ $status == 2 && $output == *'memory cannot be played with side=cross: '* ]] || fail "$output"
	run "$BUILD/holmgang-player" --bot -g memory --key size=4 --key strict=on --key wait=5
	[[ $status == 2 && $output == *'memory cannot be played with strict=on: '* ]] || fail "$output"
	run "$BUILD/holmgang-player" --bot --key clock=x
	[[ $status == 2 && $output == *'tictactoe cannot be played with clock=x: clock= wants off or '* ]] || fail "$output"
	run "$BUILD/holmgang-player" --bot --key wait=5 --key wait=6
	[[ $status == 2 && $output == *'wait= was said twice'* ]] || fail "$output"
}

@test "started without standard descriptors: what it prints does not go to the server" {
	start_server
	connect ben
	send ben PLAY tictactoe name=ben wait=60
	expect ben 'ID *'
	# shellcheck disable=SC2034,SC2016 # for start; for the inner shell
	UNDER=(bash -c 'exec "$@" <&- >&- 2>&-' _)
	bot bot --games 1
	expect_later ben 'START *'
	send ben RESIGN
	expect_later ben 'LOSE resigned'
	exit_status "$PID"
	[[ $STATUS == 0 ]]
	[[ $("$BUILD/holmgang-server" metrics) == *'holmgang_errors_total{code="unknown-command"} 0'* ]]
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
	open_player 80 24 LC_ALL=C 127.0.0.1 "$port"
	see 'status=1'
	[[ $(wc -l <said) == 1 && $(<said) == *"127.0.0.1 port $port"* ]]
	wait_until is_given_back
}

# Connections to this port that nobody has answered.
count_unanswered() { # PORT
	local hex
	printf -v hex ' 0100007F:%04X 02 ' "$1"
	grep -c "$hex" /proc/net/tcp || true
}

has_more_unanswered() { # PORT COUNT
	(($(count_unanswered "$1") > $2))
}

@test "Ctrl-C while a server does not answer quits, and is no failure" {
	local port waiting
	port=$(free_port)
	# it takes nobody, and as many wait as may
	launch deaf python3 -c "if True:
		import signal, socket
		listener = socket.socket()
		listener.bind(('127.0.0.1', $port))
		listener.listen(0)
		crowd = [socket.socket() for _ in range(3)]
		for one in crowd:
			one.setblocking(False)
			one.connect_ex(('127.0.0.1', $port))
		print('full', flush=True)
		signal.pause()"
	wait_until has_line "$LOG" full
	waiting=$(count_unanswered "$port")
	open_player 80 24 LC_ALL=C 127.0.0.1 "$port"
	wait_until has_more_unanswered "$port" "$waiting"
	keys C-c
	see 'status=0'
	[[ ! -s said ]]
}

# --- bots --------------------------------------------------------------------------------------

@test "two bots play 20 duels and neither loses one" {
	local one two
	start_server
	bot one --games 20
	one=$PID
	bot two --games 20
	two=$PID
	exit_status "$one" 60
	[[ $STATUS == 0 ]]
	exit_status "$two" 60
	[[ $STATUS == 0 ]]
	[[ $(count_duels one.log) == 20 && $(count_duels two.log) == 20 ]]
	[[ $(grep -cE '^duel [0-9a-f-]{36} draw full opponent=two$' one.log) == 20 ]]
	cmp <(cut -d ' ' -f 2 one.log) <(cut -d ' ' -f 2 two.log)
}

@test "a duel that cannot be reported is said so, and is a failure" {
	start_server
	bot ben --games 1
	launch anna sh -c 'exec "$@" >/dev/full' sh "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot -n anna --games 1
	exit_status "$PID"
	[[ $STATUS == 1 && $(<anna.log) == 'holmgang-player: cannot write to standard output: No space left on device' ]] ||
		fail "status $STATUS, $(<anna.log)"
}

# bats test_tags=slow
@test "bots play every game to its end" {
	local game pids pid
	start_server
	for game in hnefatafl quantik qwirkle memory; do
		pids=()
		for name in one two three; do
			if [[ $name == three && $game != qwirkle ]]; then continue; fi
			local keys=()
			if [[ $game == qwirkle ]]; then keys=(--key seats=3); fi
			if [[ $game == memory ]]; then keys=(--key size=2 --pace 20); fi
			# of two who pick at once each holds what the other needs, for long: one is slow
			if [[ $game-$name == memory-two ]]; then keys+=(--pace 8000); fi
			bot "$name" -g "$game" --games 1 "${keys[@]}"
			pids+=("$PID")
		done
		for pid in "${pids[@]}"; do
			exit_status "$pid" 60
			[[ $STATUS == 0 ]] || fail "$game: status $STATUS"
		done
		has_line one.log '^duel [0-9a-f-]{36} (win|lose|draw) [a-z0-9-]+ opponent=' || fail "$(<one.log)"
	done
}

# bats test_tags=slow
@test "a bot of a game without turns waits for company, and ends after so many rounds" {
	start_server --match-timeout 2
	bot bot -g memory --key size=2 --games 2 --pace 20
	local log=$LOG pid=$PID
	connect ben
	send ben 'PLAY memory name=ben size=2'
	expect_later ben 'START *'
	send ben LOGOUT
	expect_later ben 'ABORTED logout'
	wait_until has_line "$log" '^duel [0-9a-f-]{36} aborted left opponent='
	send ben 'PLAY memory name=ben size=2'
	# its picks are random: it needs some tries, of two seconds each
	expect_later ben 'ROUND 1 0 *' 60
	wait_until has_line "$log" '^duel [0-9a-f-]{36} (win|lose) points opponent=ben seat=0 points=[0-9,]+$'
	expect_later ben 'ROUND 2 0 *' 70
	exit_status "$pid"
	[[ $STATUS == 0 && $(count_duels "$log") == 3 ]]
}

@test "keys of PLAY are passed on: three rounds at a private table are one duel" {
	start_server
	bot one --games 2 --key rounds=3 --key table=ours
	local one=$PID
	bot two --games 2 --key rounds=3 --key table=ours
	exit_status "$one" 60
	[[ $STATUS == 0 && $(count_duels one.log) == 2 ]]
	[[ $(grep -c 'round-ended.*round=3' "$SERVER_LOG") == 2 ]]
}

@test "a bot plays on when its opponent leaves, and asks again when nobody comes" {
	start_server --match-timeout 1
	bot bot
	local log=$LOG
	ben_asks wait=20
	expect_later ben 'START *'
	send ben LOGOUT
	wait_until has_line "$log" '^duel [0-9a-f-]{36} win left opponent=ben$'
	# longer than the looking lasts
	connect anna
	send anna 'PLAY tictactoe name=anna wait=20'
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
	expect_later ben 'WIN left'
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

is_registered() { # NAME TIMES
	(($(grep -c " registered .* name=$1 " "$SERVER_LOG") >= $2))
}

@test "a bot that a full server has turned away asks once when there is room" {
	start_server --max-connections 1 --debug
	connect ben
	send ben GAMES
	expect_later ben END
	launch anna "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot -n anna --games 1 --key wait=2
	wait_until grep -q 'connection-refused reason=max-connections' "$SERVER_LOG"
	hang_up ben
	# who asked a second time too early would have heard already-playing by then
	wait_until is_registered anna 2
	is_running_child "$PID" || fail 'it has ended:' "$(<anna.log)"
	kill -TERM "$PID"
	exit_status "$PID"
	[[ $STATUS == 0 && ! -s anna.log ]] || fail "status $STATUS, $(<anna.log)"
}

# bats test_tags=slow
@test "a server that is gone for good ends a bot with one line and exit 1" {
	start_server
	bot bot --pace 60000
	local pid=$PID log=$LOG
	ben_asks
	expect_later ben 'START *'
	kill -TERM "$SERVER_PID"
	wait_until has_line "$log" '^duel [0-9a-f-]{36} aborted shutdown opponent=ben$'
	exit_status "$pid"
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

@test "what it prints where there is no terminal is in the locale's characters" {
	local port wide narrow
	port=$(free_port)
	LC_ALL=C.UTF-8 start wide player -v "$port"
	wide=$LOG
	LC_ALL=C start narrow player -v "$port"
	narrow=$LOG
	start_server -b "$port"
	bot one --pace 20 --games 1
	bot two --pace 20 --games 1
	wait_until has_line "$wide" '▸ [XO] (one|two)'
	wait_until has_line "$narrow" '> [XO] (one|two)'
	run ! env LC_ALL=C grep '[^ -~]' "$narrow"
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

# The end of round 1 is in view, and the clock of round 2 runs.
plays_on() {
	shows 'round 2 of 2' && shows 'r: resign'
}

@test "rounds: the end of one does not stay in view for long when one's own clock runs" {
	local begin
	sit_down_at quantik '' -s white
	begin=$(now)
	send ben RESIGN
	see 'You win: ben gave up'
	see 'any key: go on'
	send ben 'MOVE 0 0 C'
	# a quarter of five seconds, not four of them
	wait_until plays_on || fail "$(screen)"
	(($(now) - begin < 3900000))
	see 'Rounds won: you 1, ben 0'
}

@test "a server that judges nothing: an end is claimed with a move that is typed" {
	start_server --no-valid
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross
	see '> p  Play'
	keys p
	see 'anna looks for an opponent'
	ben_asks side=nought
	ben_starts
	if ((BEN_FIRST)); then send ben 'MOVE 1 1'; fi
	see 'Your move'
	keys ':'
	see 'MOVE _'
	keys -l '1 1 claim=draw'
	keys Enter
	expect_later ben 'STATE 0 1 1 0'
	expect_later ben 'UNRESOLVED claimed'
	see 'A draw: by claim'
}

@test "a server that judges nothing: bots admit that they have lost, or that nobody has won" {
	start_server --no-valid
	bot dora --games 1
	bot emil --games 1
	wait_until has_line dora.log ' draw claimed '
	bot frank -g quantik --games 1
	bot gina -g quantik --games 1
	wait_until has_line frank.log ' claimed '
}

@test "what is not possible is said, and the duel goes on" {
	local KEYS=()
	sit_down
	if ((BEN_FIRST)); then
		see 'ben to move'
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
	expect_later ben 'WIN left'
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

@test "a server that was killed and is started again: the seat is taken again by itself" {
	local KEYS=()
	sit_down
	kill -KILL "$SERVER_PID"
	see 'The connection is lost'
	wait_until has_no_family "$SERVER_PID"
	start_server_on "$PORT"
	grep -q 'info recovered table=0' "$SERVER_LOG"
	see_not 'The connection is lost'
	see 'ben'
	keys C-c
	given_back_with 0
}

@test "a server that comes back without the seat is said so" {
	local KEYS=()
	sit_down
	kill -KILL "$SERVER_PID"
	see 'The connection is lost'
	wait_until has_no_family "$SERVER_PID"
	rm -r "$HOLMGANG_STATE/journals"
	start_server_on "$PORT"
	see 'knows nothing of our seat'
	keys Enter
	see 'anna looks for an opponent'
}

@test "a player that is killed by a signal gives the terminal back" {
	local KEYS=()
	sit_down
	kill -TERM "$(player_pid)"
	expect_later ben 'WIN left'
	given_back_with 0
	close_terminal
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT"
	see '> p  Play'
	kill -ABRT "$(player_pid)"
	see 'status='
	wait_until is_given_back
}

@test "the looking ends when nobody comes" {
	start_server --match-timeout 1
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see '> p  Play'
	keys p
	see 'Nobody has come to play.'
	keys q
	see '> p  Play'
}

@test "a server that closes the connection because nobody plays is no trouble" {
	start_server --play-within 1
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -s cross
	see 'Nobody has played for a while'
	keys p
	see 'anna looks for an opponent'
	ben_asks side=nought
	ben_starts
	send ben RESIGN
	see 'You win'
	expect_later ben 'ERROR not-registered *'
	expect_eof ben
	wait_until has_no_connection
	see 'You win'
	keys Enter
	see 'anna looks for an opponent'
}

# Of the player's.
has_no_connection() {
	[[ ! $(find "/proc/$(player_pid)/fd" -lname 'socket:*') ]]
}

@test "name, side and what a person types are checked" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
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
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
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
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -v "$port"
	see '> p  Play'
	keys w
	see 'one'
	keys q
	see "port $port"
	keys q
	given_back_with 0
	close_terminal
	open_player 80 24 LC_ALL=C -v "$port"
	see 'one'
	keys q
	see 'not connected'
	keys q
	given_back_with 0
}

@test "a port to watch that was mistyped can be typed again" {
	local port
	port=$(free_port 2)
	start_server -b "$port"
	bot one --pace 100
	bot two --pace 100
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see '> p  Play'
	keys w
	see 'Which broadcast port'
	keys -l "$((port + 1))"
	keys Enter
	see 'nothing heard yet'
	keys q
	see "port $((port + 1))"
	keys w
	see 'Which broadcast port'
	see "$((port + 1))_"
	keys BSpace BSpace BSpace BSpace BSpace
	keys -l "$port"
	see "${port}_"
	# left as it was
	keys Escape
	see "Watch  port $((port + 1))"
	keys w
	see "$((port + 1))_"
	keys BSpace BSpace BSpace BSpace BSpace
	keys -l "$port"
	keys Enter
	see 'one'
	keys q
	see "Watch  port $port"
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
	open_player 80 24 LC_ALL=C.UTF-8 127.0.0.1 "$PORT" -s cross
	see '> p  Play'
	keys p
	ben_asks
	see '├'
	close_terminal
	expect_later ben 'WIN left'
	open_player 80 24 LC_ALL=C.UTF-8 127.0.0.1 "$PORT" --ascii
	see '> p  Play'
	keys p
	ben_asks
	see '+-'
	run ! grep -q '[^ -~]' <(screen)
}

coloured() {
	in_tmux capture-pane -pe | grep -q $'\e\\[[0-9;]*3[1-8][;m]'
}

@test "a key that the terminal's description does not know is none" {
	start_server
	# Ctrl and an arrow, as nearly all terminals say it
	open_player 80 24 'LC_ALL=C TERM=screen' 127.0.0.1 "$PORT"
	see '> p  Play'
	keys -H 1b 5b 31 3b 35 43
	keys -H 1b 5b 31 3b 35 43 6a
	see '> w  Watch'
	keys -H 1b 4f 35 43 6a
	see '> n  Name'
	# and Esc is still one
	keys Escape
	given_back_with 0
}

@test "no colours where none are wanted" {
	local none
	start_server
	# the pieces of the players have theirs from the start
	for none in '' 1; do
		export NO_COLOR=$none
		open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" --hotseat ANNA,BEN
		see '> p  Play'
		keys p
		see ', your move'
		if [[ $none ]]; then
			! coloured || fail 'it has colours'
		else
			wait_until coloured
		fi
		close_terminal
	done
}

@test "a terminal that cannot be drawn on is one line and exit 1" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT"
	see '> p  Play'
	keys q
	given_back_with 0
	close_terminal
	open_player 80 24 'LC_ALL=C TERM=dumb' 127.0.0.1 "$PORT"
	see 'status=1'
	[[ $(wc -l <said) == 1 && $(<said) == *TERM=dumb*--bot* ]]
}

# --- the other games at a terminal -------------------------------------------------------------

@test "a move of two cells is picked by keyboard and by mouse" {
	sit_down_at hnefatafl side=attacker -s defender
	send ben 'MOVE 3 0 2 0'
	see 'Your move'
	keys Left Enter Up
	see '{D}'
	keys Enter
	expect_later ben 'STATE 1 3 4 3 3 1'
	see 'ben to move'
	send ben 'MOVE 2 0 3 0'
	see 'Your move'
	click 4 2
	# another piece is taken instead
	click 3 3
	see '[D]'
	click 2 3
	expect_later ben 'STATE 1 3 3 2 3 1'
	keys Down
	see '(D)'
	see 'ben to move'
}

@test "pieces beside the board are picked by keyboard and by mouse, and are counted" {
	sit_down_at quantik 'side=black clock=off' -s white --key clock=off
	see '[C]2'
	see 'B ben c2 p2 s2 t2'
	keys Enter
	see '{C}2'
	keys Enter
	expect_later ben 'STATE 0 0 0 C 1'
	see 'W anna (you) C1 P2 S2 T2'
	send ben 'MOVE 3 3 T'
	see 'B ben c2 p2 s2 t1'
	click_text ':S:2'
	see '{S}2'
	click 2 1
	expect_later ben 'STATE 0 2 1 S 1'
	see 'W anna (you) C1 P2 S1 T2'
}

# ben gives one tile of his rack away. The same may come back: then he hears no RACK.
ben_swaps() {
	send ben "MOVE swap ${RACK%% *}"
	expect_later ben 'STATE 1 swap 1 *'
	send ben LIST
	while expect ben '*' && [[ $LINE != END ]]; do
		if [[ $LINE == RACK* ]]; then RACK=${LINE#RACK }; fi
	done
}

@test "moves without picks are words, some pieces can be marked, and any move typed" {
	sit_down_at qwirkle 'clock=off' --key clock=off
	expect_later ben 'RACK *'
	RACK=${LINE#RACK }
	if ((BEN_FIRST)); then ben_swaps; fi
	see '[p: pass]'
	keys x
	see 'Marked: '
	click_text ':swp:'
	expect_later ben 'STATE 0 swap 1 1'
	ben_swaps
	see 'ben: swap 1'
	see '[p: pass]'
	keys ':'
	see 'MOVE _'
	keys -l 'pass now'
	see 'MOVE pass now_'
	keys Enter
	see 'MOVE wants play'
	keys ':'
	keys -l pass
	keys Enter
	expect_later ben 'STATE 0 pass 1'
	see 'ben to move'
	keys ':'
	see 'It is not your turn.'
	ben_swaps
	click_text '[p: pass]'
	expect_later ben 'STATE 0 pass 1'
	see 'ben to move'
	ben_swaps
	see '[p: pass]'
	keys 1 Enter
	expect_later ben 'STATE 0 play ?? 0 0 0'
	see '[p: pass]'
	keys p
	expect_later ben 'SCORE 1 0'
	see 'anna (you) 1'
}

@test "everybody plays at once by keyboard and mouse, and people come and go" {
	sit_down_at memory size=4
	see 'All play at once'
	keys Enter
	expect_later ben 'STATE 0 first 2 2 ?? 1'
	send ben 'MOVE 0 0'
	expect_later ben 'STATE 1 first 0 0 ?? 1'
	click 3 3
	expect_later ben 'STATE 0 [rw]* 1'
	if [[ $LINE == *wrong* ]]; then
		see 'Wait a moment'
		keys Enter
		see 'Not just now.'
		expect_later ben 'STATE 0 hide 2 2 3 3 *'
	fi
	see 'All play at once'
	send ben LOGOUT
	see '1 (gone)'
	see 'The game stands still until somebody joins'
	connect carl
	send carl 'PLAY memory name=carl'
	expect_later carl 'START 1 SEAT 2 *'
	see 'All play at once'
	# a round that all play at once cannot be given up alone
	keys r
	see 'Leave and lose? y/n'
	keys n
	see_not 'Leave and lose?'
	keys q
	see 'Leave and lose? y/n'
	keys y
	see 'You have left the duel.'
	expect_later carl 'STATE 0 leave 0'
}

@test "a board larger than the window is shown around the cursor" {
	sit_down_at memory size=10 --key size=10
	in_tmux resize-window -x 30 -y 11
	see 'more of the board: up down'
	keys k k k k k k
	see 'more of the board: down'
	see '[#]'
}

# --- several at one terminal -------------------------------------------------------------------

hotseat() { # GAME NAMES [ARGUMENT...]
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g "$1" --hotseat "$2" "${@:3}"
	see '> p  Play   at one terminal'
	see "$2"
	keys p
}

@test "several at one terminal: what one holds is covered until the next is ready" {
	local now seen=''
	hotseat qwirkle ANNA,BEN,CEM --key clock=900
	while [[ $(wc -w <<<"$seen") -lt 3 ]]; do
		see ', press space when the others look away'
		now=$(screen | grep -oE '[A-Z]+, press' | cut -d , -f 1)
		[[ $seen != *$now* ]]
		# the clock runs all the same
		shows 'look away   14:' || shows 'look away   15:00'
		seen+=" $now"
		# nothing that only this person may know
		see_not swp
		see_not '[p: pass]'
		keys Enter
		keys p
		see "$now, press space"
		keys Space
		see "$now, your move"
		see swp
		keys p
	done
	see 'A draw: nobody has points'
	see 'Enter: play again'
	see_not swp
	keys Enter
	see 'press space'
	keys q
	see 'End it for all? y/n'
	keys y
	see '> p  Play'
	keys q
	given_back_with 0
}

who_is_next() {
	see ', press space when the others look away'
	NEXT=$(screen | grep -oE '[A-Z]+, press' | cut -d , -f 1)
}

@test "several at one terminal: the others play on when one has given up" {
	local first
	hotseat qwirkle ANNA,BEN,CEM
	who_is_next
	first=$NEXT
	keys Space
	see "$first, your move"
	keys r
	see 'Resign? y/n'
	keys y
	see "$first is out of this round."
	for _ in 1 2; do
		who_is_next
		[[ $NEXT != "$first" ]]
		keys Space
		see "$NEXT, your move"
		see swp
		keys p
		see_not "$NEXT, your move"
	done
	see 'A draw: nobody has points'
	see 'Enter: play again'
}

@test "several at one terminal: where nothing is hidden nothing is covered, and rounds go on" {
	local first other=ANNA
	hotseat tictactoe ANNA,BEN --key rounds=2
	see ', your move'
	first=$(screen | grep -oE '[A-Z]+, your' | cut -d , -f 1)
	if [[ $first == ANNA ]]; then other=BEN; fi
	keys k h Enter
	see "$other, your move"
	keys Down Enter
	see "$first, your move"
	keys Up Right Enter
	see "$other, your move"
	keys Down Enter
	see "$first, your move"
	keys Up Right Enter
	see "$first wins: three in a row"
	see 'any key: go on'
	see 'Rounds won: '
	see "$first 1"
	see "$other 0"
	keys x
	see 'round 2 of 2'
	see "$other, your move"
	keys r
	see 'Resign? y/n'
	keys y
	see "$first wins: a player gave up"
	see 'Enter: play again'
	keys Enter
	see ', your move'
}

@test "several at one terminal: who cannot play so is told why" {
	start_server
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g memory --hotseat ANNA,BEN
	see 'status=2'
	[[ $(wc -l <said) == 1 && $(<said) == *'memory has no turns'* ]]
	close_terminal
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g qwirkle --hotseat ANNA,BEN,CEM
	see '> p  Play'
	keys g
	see 'memory'
	keys p
	see 'memory has no turns'
	keys g
	see 'tictactoe'
	keys p
	see 'tictactoe is for 2 people, not for 3'
	keys n
	see 'The names are those of --hotseat.'
}

# --- a server that means ill --------------------------------------------------------------------

DUEL=33333333-3333-4333-8333-333333333333

is_listening() { # PORT
	local hex
	printf -v hex '0100007F:%04X 00000000:0000 0A' "$1"
	grep -q "$hex" /proc/net/tcp
}

has_asked() { # LINES THAT BEGIN WITH PLAY
	(($(grep -c '^PLAY' asked) >= $1))
}

# Says on the connection of each name, in this order, what is written to SAY[NAME]. Sets PORT.
start_liar() { # NAME...
	local name say
	declare -gA SAY=()
	PORT=$(free_port)
	for name; do
		mkfifo "said-by-$name"
		exec {say}<>"said-by-$name"
		SAY[$name]=$say
	done
	: >asked
	launch liar python3 "$ROOT/tests/tools/liar.py" "$PORT" "$@"
	wait_until is_listening "$PORT"
}

begin_duel() { # NAME-OF-OPPONENT
	printf '%s\n' "ID $DUEL 0123456789abcdef0123456789abcdef" \
		"START 1 CROSS 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,$1" 'BOARD .........' >&"${SAY[anna]}"
}

# Each order to a terminal in each place of each line.
say_evil() {
	local byte evil=(
		$'\e]0;evil\a' $'\e[31mevil' $'\e[2Jevil' $'\x9b31mevil' $'\xc2\x9b31mevil' $'\ePevil\e\\' $'\xff' $'ev\ril'
	)
	for byte in 01 07 08 09 0b 0c 0e 1b 7f 84 90 9d; do
		printf -v byte 'evil\\x%s' "$byte"
		# shellcheck disable=SC2059 # it is an escape
		evil+=("$(printf "$byte")")
	done
	for e in "${evil[@]}"; do
		printf '%s\n' "$e" "ID $e" "ID $DUEL $e" "NO_OPPONENTS $e" "RACK $e" "BOARD $e" "BOARD ....$e...." \
			"START 1 $e 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,ben" \
			"START 1 CROSS 1 duel=$e seat=0 seats=2 round=1/3 names=anna,ben" \
			"START 1 CROSS 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,$e" \
			"START 1 CROSS 1 duel=$DUEL seat=0 seats=2 round=1/3 names=anna,ben $e=$e" \
			"STATE 0 $e 1" "STATE 1 0 $e 1" "STATE 1 0 0 $e" "SCORE $e 1" "LEGAL $e" "LEGAL 0 0;$e" \
			"WIN $e" "LOSE $e 0 0" "UNRESOLVED $e" "ROUND $e 3 1 0" "AWAY $e 1" "AWAY 1 $e" "BACK $e" \
			"ABORTED $e" "ERROR $e text" "ERROR x $e" "ERROR illegal-move $e" "FROZEN $e" \
			"tictactoe 2 2 name=$e clock=$e" "$e 2 2 name=anon" "$DUEL 127.0.0.1:1 $e tictactoe playing"
	done >&"${SAY[anna]}"
}

@test "no byte of a hostile server gets to the terminal" {
	start_liar anna
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see '> p  Play'
	in_tmux pipe-pane 'cat >raw'
	say_evil
	keys p
	wait_until has_asked 1
	begin_duel ben
	see ben
	say_evil
	begin_duel benjamin
	see benjamin
	see 'Your move'
	# the end of a duel stays in view meanwhile
	printf '%s\n' 'STATE 0 0 0 0' 'BOARD X........' 'WIN resigned' 'ROUND 3 3 1 0' >&"${SAY[anna]}"
	see 'You win'
	say_evil
	keys Enter
	wait_until has_asked 2
	begin_duel carl
	see carl
	[[ $(in_tmux display-message -p '#{pane_title}') != *evil* ]]
	# the text of an ERROR is shown, but of titles, device strings, colours and 8-bit orders nothing
	if LC_ALL=C grep -aqP '\x1b[\]PX^_]|[\x80-\xff]|\x1b\[(31m|2J)evil|evil[\x00-\x07\x0b\x0c\x0e\x7f]' raw; then
		fail "$(cat -v raw)"
	fi
	keys q
}

begin_for_two() { # SEAT SWITCH RACK
	printf '%s\n' "START $2 SEAT $1 duel=$DUEL seat=$1 seats=2 round=1/1 names=ANNA,BEN" 'BOARD 96' "RACK $3" 'SCORE 0 0'
}

# Each hears for himself, and the one who sits there not always first.
@test "several at one terminal: what led to a turn is told, whoever has heard of it first" {
	start_liar anna ben
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -g qwirkle --hotseat ANNA,BEN
	see '> p  Play'
	keys p
	wait_until has_asked 1
	echo "ID $DUEL 0123456789abcdef0123456789abcdef" >&"${SAY[anna]}"
	wait_until has_asked 2
	echo "ID ${DUEL/3/4} 0123456789abcdef0123456789abcde0" >&"${SAY[ben]}"
	begin_for_two 0 0 'a4 c2 c5 d3 d6 f1' >&"${SAY[anna]}"
	begin_for_two 1 1 'a1 a2 a6 d2 e3 e4' >&"${SAY[ben]}"
	see 'BEN, press space'
	printf '%s\n' 'STATE 1 pass 1' 'BOARD 96' >&"${SAY[anna]}"
	see 'ANNA, press space'
	see 'BEN: pass'
	printf '%s\n' 'STATE 1 pass 0' 'BOARD 96' >&"${SAY[ben]}"
	keys Space
	see 'ANNA, your move'
}

# There is room for as many marks as one rack can have.
@test "pieces that were marked are not when others lie there" {
	local kind
	start_liar anna
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna -g qwirkle
	see '> p  Play'
	keys p
	wait_until has_asked 1
	echo "ID $DUEL 0123456789abcdef0123456789abcdef" >&"${SAY[anna]}"
	begin_for_two 0 1 'a1 a2 a3 a4 a5 a6' >&"${SAY[anna]}"
	see 'Your move'
	keys j j j j
	for kind in a b c d e; do
		echo "RACK ${kind}1 ${kind}2 ${kind}3 ${kind}4 ${kind}5 ${kind}6" >&"${SAY[anna]}"
		see "${kind}6"
		see_not 'Marked:'
		keys x l x l x l x l x l x l x
		see 'Marked:'
	done
	keys Escape q
	see 'Leave and lose?'
}

has_moves() { # COUNT
	(($(grep -c '^MOVE' asked) >= $1))
}

has_lines() { # COUNT FILE: of RESUME, with the token
	(($(grep -c '^RESUME 0123456789abcdef0123456789abcdef$' "$2") == $1))
}

@test "a seat that cannot be taken just now is asked for again" {
	start_liar anna again more
	open_player 80 24 LC_ALL=C 127.0.0.1 "$PORT" -n anna
	see '> p  Play'
	keys p
	wait_until has_asked 1
	begin_duel ben
	see 'Your move'
	printf '\0' >&"${SAY[anna]}"
	wait_until grep -q '^RESUME 0123456789abcdef0123456789abcdef$' asked
	echo 'ERROR busy the server is busy, try again later' >&"${SAY[again]}"
	wait_until has_lines 2 asked
	SAY[anna]=${SAY[more]}
	begin_duel ben
	see 'Your move'
	keys Enter
	wait_until grep -q '^MOVE' asked
}

@test "an engine that was thinking when the connection was lost says its move once" {
	start_liar anna again
	cat >slow.sh <<-'END'
		while read -r word rest; do
			[[ $word == LEGAL ]] || continue
			touch thinking
			until [[ -e go ]]; do sleep 0.1; done
			echo "MOVE ${rest%%;*}"
		done
	END
	launch engine "$BUILD/holmgang-player" 127.0.0.1 "$PORT" -n anna --engine 'exec bash slow.sh'
	wait_until grep -q '^GAMES' asked
	echo END >&"${SAY[anna]}"
	wait_until has_asked 1
	begin_duel ben
	echo 'LEGAL 0 0;1 0;2 2' >&"${SAY[anna]}"
	wait_until test -e thinking
	printf '\0' >&"${SAY[anna]}"
	wait_until grep -q '^RESUME' asked
	SAY[anna]=${SAY[again]}
	begin_duel ben
	echo 'LEGAL 0 0;1 0;2 2' >&"${SAY[anna]}"
	touch go
	wait_until has_moves 1
	printf '%s\n' 'STATE 0 0 0 0' 'BOARD X........' 'STATE 1 1 1 1' 'BOARD X...O....' 'LEGAL 2 2;1 0' >&"${SAY[anna]}"
	wait_until has_moves 2
	[[ $(grep '^MOVE' asked) == $'MOVE 0 0\nMOVE 2 2' ]] || fail "$(<asked)"
}

@test "no byte of a hostile server gets into what a bot prints" {
	start_liar anna
	launch bot "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot -n anna
	wait_until has_asked 1
	begin_duel ben
	say_evil
	begin_duel benjamin
	printf '%s\n' 'STATE 0 0 0 0' 'BOARD X........' 'WIN resigned' 'ROUND 3 3 1 0' >&"${SAY[anna]}"
	wait_until has_line "$LOG" '^duel .* opponent=benjamin$'
	wait_until has_asked 2
	say_evil
	printf 'ERROR not-registered \e]0;evil\a\n' >&"${SAY[anna]}"
	wait_until grep -q 'refuses: not-registered' "$LOG"
	[[ ! $(LC_ALL=C tr -d '\n -~' <"$LOG") ]] || fail "$(cat -v "$LOG")"
}
