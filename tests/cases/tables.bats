# Tables of all games, through the server.

load ../lib/common
load ../lib/games

# NAMES sit down at a table of GAME, in this order; each hears START and BOARD. MOVER is to move.
sit() { # GAME KEYS NAME...
	local game=$1 keys=$2 name
	shift 2
	for name in "$@"; do
		connect "$name"
		send "$name" "PLAY $game name=$name${keys:+ $keys}"
		expect "$name" 'ID *'
		# who is not the last must be waiting before the next one comes
		[[ $name == "${!#}" ]] || expect "$name" 'NO_OPPONENTS *'
	done
	for name in "$@"; do
		expect_later "$name" 'START *'
		[[ $LINE != 'START 1'* ]] || MOVER=$name
		expect "$name" 'BOARD *'
	done
}

# Two bots play COUNT rounds; what each says at the end.
bots_play() { # GAME COUNT [KEY...]
	local keys=() key
	for key in "${@:3}"; do keys+=(--key "$key"); done
	launch one "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot easy -g "$1" -n one --games "$2" "${keys[@]}"
	local first=$PID
	launch two "$BUILD/holmgang-player" 127.0.0.1 "$PORT" --bot easy -g "$1" -n two --games "$2" "${keys[@]}"
	exit_status "$PID" 60
	[[ $STATUS == 0 ]]
	exit_status "$first" 60
	[[ $STATUS == 0 ]]
}

@test "GAMES has all games, with their seats and keys" {
	local line
	"$BUILD/holmgang-rules" --keys >games
	while read -r line; do
		grep -qxF "$line" games || fail "not $line"
	done <<-END
		tictactoe 2 2 name=anon side=any vs= table= rounds=1 clock=120 strict=off wait=10 legal=off bot=off
		hnefatafl 2 2 name=anon side=any vs= table= rounds=1 clock=120 strict=off wait=10 legal=off bot=off
		quantik 2 2 name=anon side=any vs= table= rounds=2 clock=5 strict=on wait=10 legal=off bot=off
		qwirkle 2 4 name=anon vs= table= rounds=1 clock=120 strict=off wait=10 legal=off seats=2 cheat=off bot=off
		memory 2 10 name=anon vs= table= rounds=0 wait=10 legal=off size=4 bot=off
	END
	start_server
	connect A
	send A GAMES
	while read -r line; do
		expect A "$line"
	done <games
	expect A END
}

@test "Hnefatafl: attackers begin in every round, sides are kept, errors in their order" {
	start_server
	connect A
	connect B
	send A 'PLAY hnefatafl name=anna side=defender rounds=2'
	expect_later A 'NO_OPPONENTS *'
	send B 'PLAY hnefatafl name=ben rounds=2'
	expect_later B 'START 1 ATTACKER 1 * seat=0 seats=2 round=1/2 names=ben,anna'
	expect B 'BOARD ...AAA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA...'
	expect_later A 'START 0 ATTACKER 0 * seat=1 *'
	expect A 'BOARD *'
	send A 'MOVE 4 4 4 5'
	expect A 'ERROR not-your-turn *'
	send B 'MOVE 3 0 3'
	expect B 'ERROR bad-argument *'
	send B 'MOVE 3 0 3 9'
	expect B 'ERROR illegal-move *'
	send B 'MOVE 3 0 2 0'
	expect B 'STATE 0 3 0 2 0 0'
	expect A 'STATE 0 3 0 2 0 1'
	expect A 'BOARD ..A.AA*'
	send A RESIGN
	expect A 'LOSE resigned'
	expect A 'ROUND 1 2 1 0'
	expect A 'START 0 ATTACKER 0 * round=2/2 *'
	expect_later B 'START 1 ATTACKER 1 * round=2/2 *'
}

@test "Quantik: two rounds, white begins the first, black the second; an illegal move loses" {
	start_server
	connect A
	connect B
	send A 'PLAY quantik name=anna side=white'
	expect_later A 'NO_OPPONENTS *'
	send B 'PLAY quantik name=ben'
	expect_later A 'START 1 WHITE 1 * seat=0 seats=2 round=1/2 *'
	expect_later B 'START 0 WHITE 0 * seat=1 *'
	expect A 'BOARD ................'
	send A 'MOVE 0 0 C'
	expect A 'STATE 0 0 0 C 0'
	expect A 'BOARD C...............'
	expect_later B 'STATE 0 0 0 C 1'
	# the opponent's piece of that shape stands in the same row
	send B 'MOVE 3 0 C'
	expect_later B 'LOSE illegal'
	expect B 'ROUND 1 2 1 0'
	expect B 'START 1 WHITE 0 * round=2/2 *'
	expect A 'WIN illegal'
	expect A 'ROUND 1 2 1 0'
	expect A 'START 0 WHITE 1 * round=2/2 *'
}

@test "whole games by bots, of all games with sides" {
	local game
	start_server
	for game in $(all_games); do
		if game_has "$game" side; then bots_play "$game" 2; fi
	done
	grep -q 'game=quantik round=2 why=' "$SERVER_LOG"
	grep -Eq 'game=hnefatafl round=1 why=(king|repetition|move-limit|no-moves)' "$SERVER_LOG"
}

@test "Qwirkle for three: racks are one's own, one who resigns is out, the last one wins by that word" {
	local name
	start_server
	sit qwirkle 'seats=3 legal=on' A B C
	for name in A B C; do
		expect "$name" 'RACK ?? ?? ?? ?? ?? ??'
		expect "$name" 'SCORE 0 0 0'
	done
	send B RESIGN
	expect_later A 'STATE 1 out [01]'
	expect A 'BOARD 96'
	expect_later B 'STATE 1 out 0'
	expect B 'BOARD 96'
	expect B 'LOSE resigned'
	# it goes on hearing
	send C LOGOUT
	expect C 'LEGAL *' 0.5 || true
	expect_later A 'STATE 2 out [01]'
	expect_later A 'WIN left'
	expect A 'ROUND 1 1 1 0 0'
	expect B 'STATE 2 out 0'
	expect_later B 'ROUND 1 1 1 0 0'
}

@test "Qwirkle for three: the last one is away and does not come back; who is out is let go" {
	start_server --grace 3
	for k in A B C; do
		connect $k
		send $k "PLAY qwirkle name=$k seats=3 legal=on"
		expect $k 'ID *'
	done
	for k in A B C; do
		expect_later $k 'SCORE 0 0 0'
	done
	send A RESIGN
	expect_later A 'LOSE resigned'
	hang_up C
	expect A 'AWAY 2 3'
	send B LOGOUT
	expect A 'STATE 1 out 0'
	expect A 'BOARD 102'
	expect A 'STATE 2 out 0'
	expect A 'BOARD 108'
	expect A 'ROUND 1 1 0 0 0'
	send A 'MOVE pass'
	expect A 'ERROR not-registered *'
}

@test "Qwirkle for three: when two are out the last has no move any more, and has won" {
	start_server
	for k in A B C; do
		connect $k
		send $k "PLAY qwirkle name=$k seats=3 legal=on"
		expect $k 'ID *'
	done
	for k in A B C; do
		expect_later $k 'SCORE 0 0 0'
	done
	send A RESIGN
	expect_later C 'STATE 0 out *'
	send B RESIGN
	expect_later C 'STATE 1 out *'
	[[ $LINE == 'STATE 1 out 0' ]]
	expect C 'BOARD 102'
	expect C 'WIN resigned'
	expect C 'ROUND 1 1 0 0 1'
}

@test "Qwirkle: a play, a pass, the score; nobody hears another's tiles" {
	local mover name other tile legal
	start_server
	sit qwirkle 'seats=2 legal=on' A B
	for name in A B; do
		expect "$name" 'RACK *'
		expect "$name" 'SCORE 0 0'
	done
	mover=$MOVER
	expect "$mover" 'LEGAL *'
	legal=$LINE
	other=A
	if [[ $mover == A ]]; then other=B; fi
	[[ $legal == *'play '*' 0 0;'* && $legal == *';pass;swap '* ]] || fail "$legal"
	tile=${legal#*play }
	tile=${tile:0:2}
	send "$mover" "MOVE play $tile 0 0"
	expect "$mover" "STATE ? play $tile 0 0 1"
	expect "$mover" "BOARD 96/$tile,0,0"
	expect "$mover" 'RACK ?? ?? ?? ?? ??'
	expect "$mover" 'LEGAL *'
	expect "$other" "STATE ? play $tile 0 0 0"
	expect "$other" "BOARD 96/$tile,0,0"
	send "$mover" 'MOVE pass'
	expect "$mover" 'STATE ? pass 0'
	expect "$mover" "BOARD 95/$tile,0,0"
	expect "$mover" 'RACK ?? ?? ?? ?? ?? ??'
	expect "$mover" 'SCORE [01] [01]'
	expect "$other" 'STATE ? pass 1'
	expect "$other" "BOARD 95/$tile,0,0"
	expect "$other" 'SCORE [01] [01]'
	expect "$other" 'LEGAL *'
}

@test "Qwirkle: the clock is one for the whole turn, and at two the round just ends" {
	start_server
	sit qwirkle 'clock=1' A B
	expect_later A '*timeout'
	expect_later B '*timeout'
	expect_later A 'ROUND 1 1 *'
}

# NAME says PLAY memory; it joins, or waits.
join() { # NAME [KEYS]
	connect "$1"
	send "$1" "PLAY memory name=$1${2:+ $2}"
	expect "$1" 'ID *'
}

@test "memory: newcomers join a running table, picks are told to all, somebody leaves" {
	start_server
	sit memory '' A B
	expect A 'SCORE 0 0'
	expect B 'SCORE 0 0'
	join C
	expect C 'START 1 SEAT 2 duel=* seat=2 seats=3 round=1/0 names=A,B,C'
	expect C 'BOARD ................................................'
	expect C 'SCORE 0 0 0'
	expect A 'STATE 2 join 1'
	expect A 'BOARD *'
	expect A 'SCORE 0 0 0'
	send C 'MOVE 0 0'
	for name in A C; do
		expect "$name" 'STATE 2 first 0 0 [a-z][a-z] 1'
		expect "$name" 'BOARD [a-z][a-z]C*'
	done
	send C 'MOVE 0 0'
	expect C 'ERROR filled *'
	expect C 'STATE 2 hide 0 0 1'
	send A LOGOUT
	expect_later A 'ABORTED logout'
	expect_later B 'STATE 0 leave 1'
	connect L
	send L LIST
	expect_later L END
}

@test "memory: ten seats at most, the eleventh opens a table of his own" {
	local n
	start_server
	sit memory '' P0 P1
	for ((n = 2; n < 10; n++)); do
		join "P$n"
		expect "P$n" "START 1 SEAT $n *"
	done
	join P10
	expect P10 'NO_OPPONENTS 10'
	join P11
	expect P11 'START 1 SEAT 1 * seats=2 *'
}

@test "memory: whom vs= kept from a table joins it when the one he would not meet has left" {
	start_server
	sit memory '' A B
	join C vs=A
	expect C 'NO_OPPONENTS 10'
	send B LOGOUT
	expect_later B 'ABORTED logout'
	expect_later C 'START 1 SEAT 2 * names=A,-,C'
}

@test "memory: of those whom a table has room for, the longest waiting joins first" {
	start_server
	sit memory '' A B
	connect YOUNG
	join OLD vs=A
	expect OLD 'NO_OPPONENTS 10'
	send YOUNG 'PLAY memory name=YOUNG vs=A'
	expect YOUNG 'ID *'
	expect YOUNG 'NO_OPPONENTS 10'
	send B LOGOUT
	expect_later OLD 'START 1 SEAT 2 * names=A,-,OLD'
	# and those two would not meet each other
	expect YOUNG 'NO_OPPONENTS 9'
}

@test "memory: ten who come at once sit at one table" {
	local n
	start_server
	for ((n = 0; n < 10; n++)); do connect "P$n"; done
	server_comes_round
	pause "$SERVER_PID"
	for ((n = 0; n < 10; n++)); do send "P$n" "PLAY memory name=P$n"; done
	kill -CONT "$SERVER_PID"
	for ((n = 0; n < 10; n++)); do
		expect_later "P$n" 'START 1 *'
	done
	find_duel
	send P0 'MOVE 0 0'
	for ((n = 0; n < 10; n++)); do
		expect_later "P$n" 'STATE 0 first 0 0 *'
	done
}

@test "memory: who comes to a table that cannot be made waits with the others for the next one" {
	local name spawner
	start_server
	spawner=$(spawner_pid)
	pause "$spawner"
	for name in A B C; do
		connect "$name"
		send "$name" "PLAY memory name=$name"
		expect "$name" 'ID *'
	done
	expect A 'NO_OPPONENTS 10'
	kill -KILL "$spawner"
	expect C 'START 1 SEAT 2 * names=A,B,C'
	expect_met A 'START 1 SEAT 0 * names=A,B'
	expect B 'START 1 SEAT 1 * names=A,B'
}

@test "memory: a newcomer whose table crashes before it takes him goes on looking" {
	local pid
	start_server
	sit memory '' A B
	find_duel
	pid=$DUEL
	pause "$pid"
	join C
	connect L
	send L LIST
	expect_later L END # so he is on his way
	rm "$HOLMGANG_STATE"/journals/* # without it the duel cannot go on
	kill -KILL "$pid"
	expect_later A 'ABORTED crashed'
	expect C 'NO_OPPONENTS 10'
	join D
	expect D 'START 1 SEAT 1 * names=C,D'
}

@test "memory: a newcomer on his way when the server stops hears so" {
	local pid
	start_server
	sit memory '' A B
	find_duel
	pid=$DUEL
	pause "$pid"
	join C
	kill -TERM "$SERVER_PID"
	wait_until grep -q 'info stopping' "$SERVER_LOG" # or he would get his seat first
	server_comes_round
	kill -CONT "$pid"
	expect_later A 'ABORTED shutdown'
	expect C 'ABORTED shutdown'
	expect_eof C
	exit_status "$SERVER_PID"
	[[ $STATUS == 0 ]]
	if grep -E 'duel-(killed|crashed)' "$SERVER_LOG"; then false; fi
}

@test "memory: a newcomer on his way to a table that ends goes on looking" {
	local pid port name
	port=$(free_port)
	start_server -b "$port"
	sit memory '' A B
	find_duel
	pid=$DUEL
	connect C
	pause "$SERVER_PID"
	send C 'PLAY memory name=C'
	for name in A B; do
		send "$name" LOGOUT
		expect_later "$name" 'ABORTED logout'
	done
	# it is there until its last frame has been sent thrice
	kill -CONT "$SERVER_PID"
	expect C 'ID *'
	expect C 'NO_OPPONENTS 10'
	expect C 'NO_OPPONENTS 9'
	wait_gone "$pid"
	if grep -E 'duel-(killed|crashed)' "$SERVER_LOG"; then false; fi
}

@test "memory: who comes to a table that cannot take his socket goes on looking, as does who returns" {
	local pid limit=0 token
	start_server --debug # or only root could look into /proc
	connect A
	send A 'PLAY memory name=A'
	expect A 'ID *'
	token=${LINE##* }
	join B
	expect_later B 'SCORE 0 0'
	find_duel
	pid=$DUEL
	while [[ -e /proc/$pid/fd/$limit ]]; do limit=$((limit + 1)); done
	prlimit --pid "$pid" --nofile="$limit"
	join C
	expect C 'NO_OPPONENTS 10'
	connect E
	send E "RESUME $token"
	expect E 'ERROR busy *'
	join D
	expect D 'START 1 SEAT 1 * names=C,D'
	send B LOGOUT
	expect_later B 'ABORTED logout'
}

@test "memory: newcomers on their way count: the one too many waits" {
	local n pid
	start_server
	sit memory '' P0 P1
	for ((n = 2; n < 8; n++)); do
		join "P$n"
		expect "P$n" "START 1 SEAT $n *"
	done
	# a free place, but no seat that was not used
	send P0 LOGOUT
	expect_later P1 'STATE 0 leave 1'
	expect_later P0 'ABORTED logout'
	find_duel
	pid=$DUEL
	pause "$pid"
	join C
	join D
	join E
	expect E 'NO_OPPONENTS 10'
	kill -CONT "$pid"
	expect C 'START 1 SEAT 8 *'
	expect D 'START 1 SEAT 9 *'
	expect_later E 'NO_OPPONENTS 8'
	join F
	expect F 'START 1 SEAT 1 * names=E,F'
}

@test "memory: FROZEN when one is left, who looks for others; UNFROZEN when somebody joins; ABORTED left when nobody does" {
	start_server --idle 2 # shorter than the looking, which it must not cut short
	sit memory 'wait=3' A B
	send B RESIGN
	expect_later B 'ABORTED logout'
	expect_later A 'STATE 1 leave 0'
	expect A 'BOARD *'
	expect A FROZEN
	expect A 'NO_OPPONENTS 3'
	send A 'MOVE 0 0'
	expect_later A 'ERROR frozen *'
	join C wait=3
	expect C 'START 1 SEAT 2 * seats=3 round=1/0 names=A,-,C'
	expect_later A 'STATE 2 join 1'
	expect_later A UNFROZEN
	send A 'MOVE 0 0'
	expect_later A 'STATE 0 first 0 0 ?? 1'
	send C LOGOUT
	expect_later C 'ABORTED logout'
	expect_later A FROZEN
	expect_later A 'NO_OPPONENTS 0'
	expect A 'ABORTED left'
	send A LIST
	expect A END
}

# bats test_tags=slow
@test "memory: a first card is turned down after 5 seconds, a wrong pair after 2; WAIT until then" {
	local first
	start_server
	sit memory '' A B
	send A 'MOVE 0 0'
	expect_later A 'STATE 0 first 0 0 ??*'
	expect_later A 'STATE 0 hide 0 0 1'
	send A 'MOVE 0 0'
	expect_later A 'STATE 0 first 0 0 ??*'
	send A 'MOVE 1 0'
	expect_later A 'STATE 0 * 1 0 ??*'
	if [[ $LINE == *wrong* ]]; then
		[[ $LINE == *' 0' ]]
		send A 'MOVE 2 0'
		expect_later A 'ERROR wait *'
		expect_later A 'STATE 0 hide 0 0 1 0 1'
	fi
}

@test "memory: a pick that is refused turns the first card down, also when it is too fast" {
	local lines
	start_server
	sit memory '' A B
	send B 'MOVE 0 0'
	expect_later A 'STATE 1 first 0 0 ??*'
	printf -v lines 'FOO\n%.0s' {1..200}
	send_raw B "${lines}MOVE 0 0\n"
	expect_later A 'STATE 1 hide 0 0 1' 4 # it would be after 5 seconds
	expect_later B 'ERROR [ft]* *' 60     # so many lines take a slow shell long to read
}

# bats test_tags=slow
@test "memory: the round ends by points, ten seconds later the next one begins with seats numbered anew" {
	start_server --idle 8 # shorter than the pause
	sit memory 'size=2' A B
	join C size=2
	expect_later C 'SCORE 0 0 0'
	send B LOGOUT
	expect_later B 'ABORTED logout'
	solve
	expect_later A 'WIN points'
	expect A 'ROUND 1 0 1 0 0'
	expect_later C 'LOSE points'
	expect C 'ROUND 1 0 1 0 0'
	send A 'MOVE 0 0'
	expect A 'ERROR not-your-turn *'
	join D size=2
	expect D 'START 0 SEAT 3 * round=1/0 names=A,-,C,D'
	expect_later A 'START 1 SEAT 0 * seat=0 seats=3 round=2/0 names=A,C,D'
	expect_later C 'START 1 SEAT 1 *'
	expect_later D 'START 1 SEAT 2 *'
	expect_later D 'SCORE 0 0 0'
	# and the player at seat 1 is still himself
	send C 'MOVE 0 0'
	expect_later A 'STATE 1 first 0 0 ??*'
}

@test "memory: a lost connection keeps its seat, and comes back to it" {
	local token
	start_server
	connect A
	send A 'PLAY memory name=A'
	expect A 'ID *'
	token=${LINE##* }
	expect A 'NO_OPPONENTS *'
	join B
	expect_later B 'SCORE 0 0'
	hang_up A
	expect B 'AWAY 0 30'
	connect C
	send C "RESUME $token"
	expect C 'ID *'
	expect C 'START 1 SEAT 0 *'
	expect C 'BOARD *'
	expect C 'SCORE 0 0'
	expect B 'BACK 0'
	send C 'MOVE 1 1'
	expect B 'STATE 0 first 1 1 ??*'
}

@test "frames of the other games: scores, ids of more than two, a vacant seat" {
	local port
	port=$(free_port)
	FRAMES=$BATS_TEST_TMPDIR/frames
	launch record "$BUILD/tests/record_frames" "$port" "$FRAMES"
	wait_until grep -q '^ready$' "$LOG"
	start_server -b "$port"
	sit memory '' A B
	join C
	expect_later C 'SCORE *'
	send B LOGOUT
	has() {
		grep -Eq "$1" "$FRAMES"
	}
	wait_until has ' \.{48} false game=memory duel=[^ ]+ n=0 turn=- names=A,B scores=0,0 round=1/0$'
	wait_until has ' n=1 turn=- names=A,B,C ids=[^ ]{110} scores=0,0,0 round=1/0$'
	wait_until has ' names=A,-,C ids='
}

@test "frames tell who is out of a round that goes on" {
	local port
	port=$(free_port)
	FRAMES=$BATS_TEST_TMPDIR/frames
	launch record "$BUILD/tests/record_frames" "$port" "$FRAMES"
	wait_until grep -q '^ready$' "$LOG"
	start_server -b "$port"
	sit qwirkle 'seats=3' A B C
	send B RESIGN
	expect_later A 'STATE 1 out *'
	wait_until grep -Eq ' false .* names=A,B,C .* round=1/1 out=1$' "$FRAMES"
	send A LOGOUT
	wait_until grep -Eq ' left .* names=-,B,C .* round=1/1 out=1$' "$FRAMES"
}
