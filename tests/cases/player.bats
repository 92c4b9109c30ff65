#!/usr/bin/env bats
#
# The player: as a bot, and what it refuses. Where it matters what the opponent does, the opponent is a
# raw connection. The player at a terminal: player_terminal.bats, player_games.bats.

load ../lib/common
load ../lib/games
load ../lib/terminal
load ../lib/player

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
		'--hotseat a,a' '--hotseat a' '--hotseat a,b,c' '--hotseat' '--ready-fd 987' \
		'-v 9001' '127.0.0.1 1111 -v 9001'; do
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
	# nobody is asked whether to start one who does not see the question
	open_player 80 24 LC_ALL=C 127.0.0.1 "$port"
	see 'status=1'
	[[ $(<said) == *"127.0.0.1 port $port"* && $(wc -l <said) == 1 ]] || fail "$(<said)"
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
	for game in $(all_games); do
		pids=()
		for name in one two three; do
			if [[ $name == three ]] && ! game_has "$game" seats; then continue; fi
			player_args "$game" "$name"
			if game_has "$game" seats; then ARGS+=(--key seats=3); fi
			bot "$name" -g "$game" --games 1 --think 50 "${ARGS[@]}"
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

# NAME has heard START. A move of the bot must not come when its table has ended.
until_ones_turn() { # NAME
	[[ $LINE != 'START 0'* ]] || expect_later "$1" 'STATE *'
}

@test "a bot plays on when its opponent leaves, and asks again when nobody comes" {
	start_server --match-timeout 1
	bot bot
	local log=$LOG
	ben_asks wait=20
	expect_later ben 'START *'
	until_ones_turn ben
	send ben LOGOUT
	wait_until has_line "$log" '^duel [0-9a-f-]{36} win left opponent=ben$'
	# longer than the looking lasts
	connect anna
	send anna 'PLAY tictactoe name=anna wait=20'
	expect_later anna 'START *'
	until_ones_turn anna
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
